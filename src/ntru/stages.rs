//! The parts of an encapsulation and a decapsulation, to measure: each can be repeated alone.
//!
//! The operations themselves carry no counters; a stage is a part or what the parts leave, see [`crate::bench::stages`].
//! Parts work on values of their own: the code takes the same time for all.

use super::fixed_weight::Sampler;
use super::kem::{Ciphertext, DecapsulationKey, EncapsulationKey};
use super::kernels::Kernels;
use super::owcpa::SamplePair;
use super::params::{MAX_TERNARY_LEN, ParameterSet, SEED_LEN};
use super::poly::Poly;
use crate::error::Error;
use crate::isa::{self, Isa, Op};
use crate::rng::{OsRandom, RandomSource, Replay};
use crate::symmetric::keccak::hash::{SHA3_256, Sponge};
use core::hint::black_box;
use zeroize::Zeroizing;

/// What can be repeated alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// A whole encapsulation from an encoded key.
    Encapsulation,
    /// A whole decapsulation from an encoded private key.
    Decapsulation,
    /// The encoded public key to a key.
    ReadPublic,
    /// The encoded private key to a key.
    ReadPrivate,
    /// As many random bytes of the system as an encapsulation draws.
    RandomBytes,
    /// r and m from random bytes.
    Sample,
    /// A product modulo x^n - 1.
    Multiply,
    /// SHA3-256 of r and m.
    HashMessage,
    /// SHA3-256 of the key for rejection and the ciphertext.
    HashRejection,
}

impl Part {
    /// All.
    pub const ALL: [Part; 9] = [
        Part::Encapsulation,
        Part::Decapsulation,
        Part::ReadPublic,
        Part::ReadPrivate,
        Part::RandomBytes,
        Part::Sample,
        Part::Multiply,
        Part::HashMessage,
        Part::HashRejection,
    ];
}

/// Random bytes of an encapsulation with the default sampler.
fn random_len(set: ParameterSet) -> usize {
    set.iid_len() + set.weight().map_or(set.iid_len(), |_| Sampler::default().random_len(set))
}

/// A key pair and a ciphertext, with what the parts need.
pub(crate) struct Exchange {
    set: ParameterSet,
    isa: Isa,
    private: Zeroizing<Vec<u8>>,
    public: Vec<u8>,
    ciphertext: Ciphertext,
    random: Vec<u8>,
}

impl Exchange {
    /// Makes a key and a ciphertext.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn new(set: ParameterSet, isa: Isa) -> Result<Exchange, Error> {
        let key = DecapsulationKey::generate(set, isa)?;
        let (ciphertext, _) = key.encapsulation_key().encapsulate(isa)?;
        let mut random = vec![0; random_len(set)];
        OsRandom.fill(&mut random)?;
        let (private, public) = (key.to_bytes(), key.encapsulation_key().to_bytes());
        Ok(Exchange { set, isa, private, public, ciphertext, random })
    }

    /// Does a part once.
    ///
    /// # Errors
    /// Those of the operations.
    pub fn run(&self, part: Part) -> Result<(), Error> {
        let Exchange { set, isa, .. } = *self;
        let public = || EncapsulationKey::from_bytes(set, isa, black_box(&self.public));
        let private = || DecapsulationKey::from_bytes(set, isa, black_box(&self.private));
        match part {
            Part::Encapsulation => drop(black_box(public()?.encapsulate(isa)?)),
            Part::Decapsulation => drop(black_box(private()?.decapsulate(isa, black_box(&self.ciphertext))?)),
            Part::ReadPublic => drop(black_box(public()?)),
            Part::ReadPrivate => drop(black_box(private()?)),
            Part::RandomBytes => {
                let mut bytes = vec![0; self.random.len()];
                OsRandom.fill(&mut bytes)?;
                black_box(bytes);
            }
            Part::Sample => {
                let (mut first, mut second) = (Poly::ZERO, Poly::ZERO);
                let (sampler, random) = (Sampler::default(), &mut Replay(black_box(&self.random)));
                isa::with(isa, SamplePair { set, sampler, random, first: &mut first, second: &mut second })?;
                black_box((first, second));
            }
            Part::Multiply => isa::with(isa, Product { set }),
            Part::HashMessage => {
                let bytes = [0x5A; 2 * MAX_TERNARY_LEN];
                isa::with(isa, Hash(&bytes[..2 * set.ternary_len()]));
            }
            Part::HashRejection => {
                let bytes = [&[0x5A; SEED_LEN], self.ciphertext.as_bytes()].concat();
                isa::with(isa, Hash(&bytes));
            }
        }
        Ok(())
    }
}

struct Product {
    set: ParameterSet,
}

impl<K: Kernels> Op<K> for Product {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let (mut a, mut out) = (Poly::ZERO, Poly::ZERO);
        a.of_mut(self.set).fill(3);
        k.multiply(self.set, black_box(&a), black_box(&a), &mut out);
        black_box(out);
    }
}

struct Hash<'a>(&'a [u8]);

impl<K: Kernels> Op<K> for Hash<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let mut out = [0; SEED_LEN];
        Sponge::new(SHA3_256, [black_box(self.0), &[]]).finish(k, &mut out);
        black_box(out);
    }
}

/// A polynomial of fixed weight from fixed random bytes, so many times; gives its n coefficients. In: a set of HPS.
pub(crate) fn fixed_weight(set: ParameterSet, sampler: Sampler, isa: Isa, repetitions: usize) -> Vec<i16> {
    let len = sampler.random_len(set);
    let random: Vec<u8> = (0..len as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 21) as u8).collect();
    isa::with(isa, FixedWeight { set, sampler, random: &random, repetitions })
}

struct FixedWeight<'a> {
    set: ParameterSet,
    sampler: Sampler,
    random: &'a [u8],
    repetitions: usize,
}

impl<K: Kernels> Op<K> for FixedWeight<'_> {
    type Out = Vec<i16>;

    #[inline(always)]
    fn run(self, k: K) -> Vec<i16> {
        let FixedWeight { set, sampler, random, repetitions } = self;
        let mut out = Poly::ZERO;
        for _ in 0..repetitions {
            out = Poly::ZERO;
            sampler.sample(k, set, black_box(random), &mut out);
            black_box(&mut out);
        }
        out.of(set).to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_runs_on_every_backend() {
        for set in [ParameterSet::Hps2048509, ParameterSet::Hrss701] {
            for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_supported()) {
                let exchange = Exchange::new(set, isa).expect("a key");
                for part in Part::ALL {
                    assert_eq!(exchange.run(part), Ok(()), "{part:?}");
                }
            }
        }
    }

    #[test]
    fn samplers_give_the_weight_on_every_backend() {
        let set = ParameterSet::Hps2048677;
        for sampler in [Sampler::Shuffle, Sampler::Sort] {
            let scalar = fixed_weight(set, sampler, Isa::Scalar, 1);
            assert_eq!(Some(scalar.iter().filter(|c| **c != 0).count()), set.weight());
            for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_supported()) {
                assert_eq!(fixed_weight(set, sampler, isa, 2), scalar, "{}", isa.name());
            }
        }
    }
}
