//! The parts of an encapsulation and a decapsulation, to measure: each can be repeated alone.
//!
//! The operations themselves carry no counters. What cannot be repeated alone, since it shares permutations with
//! something else, is a difference of two parts that can; which, says [`crate::bench::stages`]. Parts work on values of
//! their own: the code takes the same time for all.

use super::k_pke::{Decrypt, compress_encode};
use super::kem::{Ciphertext, DecapsulationKey, EncapsulationKey};
use super::kernels::Kernels;
use super::ntt::{self, Multiplier};
use super::params::{MAX_CIPHERTEXT_LEN, MAX_K, N, ParameterSet, SEED_LEN};
use super::poly::Poly;
use super::sample::{Entries, Noise, sample};
use super::variant::Variant;
use crate::error::Error;
use crate::isa::{self, Isa, Op};
use crate::rng::{OsRandom, RandomSource, Replay};
use crate::symmetric::keccak::hash::{SHA3_256, SHAKE256, Sponge};
use core::hint::black_box;
use zeroize::Zeroizing;

/// What can be repeated alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// A whole encapsulation from an encoded key.
    Encapsulation,
    /// The same with a key that is read, without its hash and its matrix being known; without random bytes.
    EncapsulateWarm,
    /// The same with hash and matrix known.
    EncapsulateKept,
    /// A whole decapsulation from a stored private key.
    Decapsulation,
    /// The same with a key that is read, without its matrix.
    DecapsulateWarm,
    /// The same with its matrix.
    DecapsulateKept,
    /// The encoded public key to a key.
    ReadPublic,
    /// The stored private key to a key.
    ReadPrivate,
    /// 32 random bytes of the system.
    RandomBytes,
    /// y, e1, e2 from their seed.
    Noise,
    /// The transforms of an encryption: of y, and back of u and v.
    Transforms,
    /// The products of an encryption: A y, t y.
    Products,
    /// The ciphertext's bytes from u and v.
    Compress,
    /// G, and what makes the secret of an encapsulation.
    EncapsulateHashes,
    /// G, and J of a decapsulation.
    DecapsulateHashes,
    /// The decryption.
    Decrypt,
}

impl Part {
    /// All.
    pub const ALL: [Part; 16] = [
        Part::Encapsulation,
        Part::EncapsulateWarm,
        Part::EncapsulateKept,
        Part::Decapsulation,
        Part::DecapsulateWarm,
        Part::DecapsulateKept,
        Part::ReadPublic,
        Part::ReadPrivate,
        Part::RandomBytes,
        Part::Noise,
        Part::Transforms,
        Part::Products,
        Part::Compress,
        Part::EncapsulateHashes,
        Part::DecapsulateHashes,
        Part::Decrypt,
    ];
}

/// A key pair and a ciphertext, with what the parts need.
pub(crate) struct Exchange {
    set: ParameterSet,
    isa: Isa,
    stored: Zeroizing<Vec<u8>>,
    public_bytes: Vec<u8>,
    warm: DecapsulationKey,
    warm_public: EncapsulationKey,
    kept: DecapsulationKey,
    kept_public: EncapsulationKey,
    ciphertext: Ciphertext,
}

impl Exchange {
    /// Makes a key and a ciphertext.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn new(set: ParameterSet, isa: Isa) -> Result<Exchange, Error> {
        let key = DecapsulationKey::generate(set, isa)?;
        let stored = key.seed().unwrap_or_else(|| key.expanded(isa));
        let public_bytes = key.encapsulation_key().to_bytes();
        let public = || EncapsulationKey::from_bytes(set, isa, &public_bytes);
        let (warm, kept) = (read(set, isa, &stored)?, read(set, isa, &stored)?);
        let (warm_public, kept_public) = (public()?, public()?);
        kept.keep_matrix(isa);
        kept_public.keep_matrix(isa);
        // The hash of a key is known from its first use on.
        let (ciphertext, _) = warm_public.encapsulate(isa)?;
        kept_public.encapsulate(isa)?;
        Ok(Exchange { set, isa, stored, warm, warm_public, kept, kept_public, ciphertext, public_bytes })
    }

    /// Does a part once.
    ///
    /// # Errors
    /// Those of the operations.
    pub fn run(&self, part: Part) -> Result<(), Error> {
        let Exchange { set, isa, .. } = *self;
        let public = || EncapsulationKey::from_bytes(set, isa, black_box(&self.public_bytes));
        let without_system = |key: &EncapsulationKey| {
            key.encapsulate_from(isa, &mut Replay(black_box(&[0x5A; SEED_LEN]))).map(drop)
        };
        let ciphertext = black_box(&self.ciphertext);
        match part {
            Part::Encapsulation => drop(black_box(public()?.encapsulate(isa)?)),
            Part::EncapsulateWarm => without_system(&self.warm_public)?,
            Part::EncapsulateKept => without_system(&self.kept_public)?,
            Part::Decapsulation => {
                drop(black_box(read(set, isa, black_box(&self.stored))?.decapsulate(isa, ciphertext)?))
            }
            Part::DecapsulateWarm => drop(black_box(self.warm.decapsulate(isa, ciphertext)?)),
            Part::DecapsulateKept => drop(black_box(self.kept.decapsulate(isa, ciphertext)?)),
            Part::ReadPublic => drop(black_box(public()?)),
            Part::ReadPrivate => drop(black_box(read(set, isa, black_box(&self.stored))?)),
            Part::RandomBytes => {
                let mut bytes = [0; SEED_LEN];
                OsRandom.fill(&mut bytes)?;
                black_box(bytes);
            }
            _ => isa::with(isa, Step { set, part, ciphertext: ciphertext.as_bytes() }),
        }
        Ok(())
    }
}

fn read(set: ParameterSet, isa: Isa, stored: &[u8]) -> Result<DecapsulationKey, Error> {
    if set.is_standard() {
        DecapsulationKey::from_seed(set, isa, stored)
    } else {
        DecapsulationKey::from_expanded(set, isa, stored)
    }
}

/// A part that is a step of the engine.
struct Step<'a> {
    set: ParameterSet,
    part: Part,
    ciphertext: &'a [u8],
}

impl<K: Kernels> Op<K> for Step<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let Step { set, part, ciphertext } = self;
        let (rank, variant) = (set.k(), set.variant());
        let seed = black_box(&[0x5A; SEED_LEN]);
        // Half of q at most, as noise and products are.
        let mut small = Poly::ZERO;
        for (i, c) in small.0.iter_mut().enumerate() {
            *c = i as i16 - 128;
        }
        let mut polys = [small; 2 * MAX_K + 1];
        let polys = black_box(&mut polys[..2 * rank + 1]);
        match part {
            Part::Noise => {
                let no_entries = Entries { rho: seed, numbers: &[], polys: &mut [], streams: &mut [] };
                let noise = Noise { sigma: seed, first: 0, eta1: set.eta1(), eta1_until: rank, polys };
                sample(k, variant, no_entries, noise, None);
            }
            Part::Transforms => {
                let (y, rest) = polys.split_at_mut(rank);
                k.ntt(y);
                k.intt(rest);
            }
            Part::Products => {
                let matrix = [small; MAX_K * MAX_K];
                let matrix = black_box(&matrix[..rank * rank]);
                let mut multipliers = [Multiplier::ZERO; MAX_K];
                let multipliers = &mut multipliers[..rank];
                for (multiplier, y) in multipliers.iter_mut().zip(polys.iter()) {
                    k.set_multiplier(y, multiplier);
                }
                for (i, product) in polys[..=rank].iter_mut().enumerate() {
                    match i < rank {
                        true => k.multiply(&matrix[i..], rank, multipliers, product),
                        false => k.multiply(&matrix[..rank], 1, multipliers, product),
                    }
                }
            }
            Part::Compress => {
                let mut bytes = [0; MAX_CIPHERTEXT_LEN];
                for (i, poly) in polys[..=rank].iter_mut().enumerate() {
                    poly.0.iter_mut().for_each(|c| *c += 128);
                    let d = if i < rank { set.du() } else { set.dv() };
                    compress_encode(k, d, poly, &mut bytes[..d * N / 8]);
                    black_box(&bytes);
                }
            }
            Part::EncapsulateHashes | Part::DecapsulateHashes => {
                let (mut derived, mut hash, mut secret) = ([0; 64], [0; SEED_LEN], [0; SEED_LEN]);
                variant.g(k, [seed, seed], &mut derived);
                match (variant, part) {
                    (Variant::MlKem, Part::EncapsulateHashes) => {}
                    (Variant::MlKem, _) => Sponge::new(SHAKE256, [seed, ciphertext]).finish(k, &mut secret),
                    (Variant::Round3, _) => {
                        Sponge::new(SHA3_256, [ciphertext, &[]]).finish(k, &mut hash);
                        variant.kdf(k, [seed, &hash], &mut secret);
                    }
                    (Variant::NinetiesSymmetric, _) => {
                        variant.h(k, ciphertext, &mut hash);
                        variant.kdf(k, [seed, &hash], &mut secret);
                    }
                }
                black_box((derived, secret));
            }
            Part::Decrypt => {
                for c in polys.iter_mut().flat_map(|poly| &mut poly.0) {
                    *c += 128;
                }
                let mut message = [0; SEED_LEN];
                let (s_hat, to) = (&polys[..rank], &mut message);
                match rank {
                    2 => k.enter(Decrypt::<2> { set, s_hat, ciphertext, message: to }),
                    3 => k.enter(Decrypt::<3> { set, s_hat, ciphertext, message: to }),
                    _ => k.enter(Decrypt::<4> { set, s_hat, ciphertext, message: to }),
                }
                black_box(message);
            }
            _ => unreachable!("no step of the engine"),
        }
        black_box(polys);
    }
}

/// Algorithm 9 of a fixed polynomial, so many times; gives the result, in [0, q).
pub(crate) fn forward_ntt(isa: Isa, repetitions: usize) -> Vec<i16> {
    isa::with(isa, ForwardNtt { repetitions })
}

struct ForwardNtt {
    repetitions: usize,
}

impl<K: Kernels> Op<K> for ForwardNtt {
    type Out = Vec<i16>;

    #[inline(always)]
    fn run(self, k: K) -> Vec<i16> {
        let mut source = Poly::ZERO;
        for (i, c) in source.0.iter_mut().enumerate() {
            *c = (i * 13) as i16;
        }
        let mut poly = source;
        for _ in 0..self.repetitions {
            poly = *black_box(&source);
            k.ntt(core::slice::from_mut(&mut poly));
            black_box(&mut poly);
        }
        // Backends end with other representatives.
        let mut canonical = Poly::ZERO;
        ntt::canonical_from(k.vector(), &poly, &mut canonical);
        canonical.0.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_runs_on_every_backend() {
        for set in [ParameterSet::MlKem512, ParameterSet::Kyber768, ParameterSet::Kyber1024In90s] {
            for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_supported()) {
                let exchange = Exchange::new(set, isa).expect("a key");
                for part in Part::ALL {
                    assert_eq!(exchange.run(part), Ok(()), "{part:?}");
                }
            }
        }
    }
}
