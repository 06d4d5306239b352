//! The parts of one signature, to measure: each can be repeated alone, on the inputs that it had.
//!
//! Signing itself carries no counters. What cannot be repeated alone is a difference of two parts that can; which,
//! says [`crate::bench::stages`]. The code takes the same time whatever its secrets are, so that the samples of
//! [`Part::Sampler`] may have other centres than those of the signature.

use super::attempt::{Attempt, LatticePoint, Target};
use super::ff_sampling::{FfSampling, at_level, levels_len};
use super::fft::Complex;
use super::hash_to_point::HashToPoint;
use super::kernels::Kernels;
use super::params::{NONCE_LEN, Params};
use super::sampler_z::{RealOf, SamplerZ, TRIAL_LEN};
use super::sign::{Compress, STACK, Seeds};
use super::{Encoding, Signer, SigningKey, codec};
use crate::error::Error;
use crate::isa::{self, Isa, Op};
use crate::rng;
use crate::secret::{Secret, scrubbed_bytes};
use crate::simd::Real;
use crate::symmetric::chacha20::{BUFFER_LEN, Prng, SEED_LEN, SLACK_LEN};
use core::hint::black_box;

/// What can be repeated alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The whole signature with an expanded key.
    Signature,
    /// Nonce and message to a point.
    HashToPoint,
    /// The point to the target of ffSampling: one transform, two products.
    Target,
    /// All of ffSampling.
    FfSampling,
    /// As many samples as ffSampling takes, each with a centre that depends on the one before.
    Sampler,
    /// As many bytes of the generator as [`Part::Sampler`] takes.
    Generator,
    /// The base sampler for all trials in these bytes.
    BaseSampler,
    /// Samples to s2 and its norm: four products, two transforms back.
    LatticePoint,
    /// s2 to bytes.
    Encode,
    /// The verification of the signature before it is released.
    Check,
}

/// A signature, with what its parts need.
pub(crate) struct Replay<'k> {
    key: &'k SigningKey,
    isa: Isa,
    message: Vec<u8>,
    nonce: [u8; NONCE_LEN],
    seed: [u8; SEED_LEN],
    point: Vec<i16>,
    /// Before and after ffSampling.
    targets: Secret<Vec<f64>>,
    samples: Secret<Vec<f64>>,
    levels: Secret<Vec<f64>>,
    products: Secret<Vec<f64>>,
    s2: Secret<Vec<i16>>,
    signature: Vec<u8>,
    buffers: usize,
}

impl<'k> Replay<'k> {
    /// Signs a message once.
    ///
    /// # Errors
    /// [`Error::Randomness`], [`Error::SelfCheck`].
    pub fn new(key: &'k SigningKey, isa: Isa, message: &[u8]) -> Result<Replay<'k>, Error> {
        let params = key.params();
        let (n, logn) = (params.n(), params.logn());
        let signature = key.sign(isa, Encoding::Padded, message)?;
        let mut nonce = [0; NONCE_LEN];
        nonce.copy_from_slice(&signature[1..1 + NONCE_LEN]);
        let mut replay = Replay {
            key,
            isa,
            message: message.to_vec(),
            nonce,
            seed: [0; SEED_LEN],
            point: Vec::new(),
            targets: Secret::new(vec![0.0; 2 * n]),
            samples: Secret::new(vec![0.0; 2 * n]),
            levels: Secret::new(vec![0.0; 2 * levels_len(logn)]),
            products: Secret::new(vec![0.0; 2 * n]),
            s2: Secret::new(Vec::new()),
            signature,
            buffers: 0,
        };
        replay.point = replay.hash();
        // Any seed whose attempt is short enough: nearly all are.
        for byte in 0..=u8::MAX {
            replay.seed = [byte; SEED_LEN];
            let (expanded, point) = (key.expanded.expose().as_slice(), replay.point.as_slice());
            let candidate = isa::with(isa, Attempt { params, expanded, point, seed: &replay.seed });
            let s2 = candidate.s2;
            let short = candidate.squared_norm <= u64::from(params.squared_norm_bound());
            if short && isa::with(isa, Compress { s2: s2.expose(), max_len: replay.max_len() }).is_some() {
                replay.s2 = s2;
                break;
            }
        }
        replay.buffers = isa::with(isa, Samples { params, seed: &replay.seed });
        replay.target();
        replay.targets.expose_mut().copy_from_slice(replay.products.expose());
        replay.ff_sampling();
        let (levels0, levels1) = replay.levels.expose_mut().split_at_mut(levels_len(logn));
        let (z0, z1) = replay.samples.expose_mut().split_at_mut(n);
        z0.copy_from_slice(at_level(levels0, logn));
        z1.copy_from_slice(at_level(levels1, logn));
        Ok(replay)
    }

    fn max_len(&self) -> usize {
        self.key.params().padded_len() - 1 - NONCE_LEN
    }

    fn basis_and_tree(&self) -> (&'k [f64], &'k [f64]) {
        self.key.expanded.expose().split_at(4 * self.key.params().n())
    }

    fn hash(&self) -> Vec<i16> {
        let mut hash = HashToPoint::new(self.isa, &self.nonce);
        hash.update(black_box(&self.message));
        hash.finish(self.key.params())
    }

    fn target(&mut self) {
        let ((basis, _), point) = (self.basis_and_tree(), self.point.as_slice());
        let (t0, t1) = self.products.expose_mut().split_at_mut(point.len());
        isa::with(self.isa, Target { basis, point, t0, t1 });
    }

    fn ff_sampling(&mut self) {
        let (params, (_, tree)) = (self.key.params(), self.basis_and_tree());
        let (logn, sigma_min) = (params.logn(), params.sigma_min());
        let (t0, t1) = self.levels.expose_mut().split_at_mut(levels_len(logn));
        let (target0, target1) = self.targets.expose().split_at(params.n());
        at_level(t0, logn).copy_from_slice(target0);
        at_level(t1, logn).copy_from_slice(target1);
        scrubbed_bytes::<STACK, _>(|| {
            isa::with(self.isa, FfSampling { logn, tree, seed: &self.seed, sigma_min, t0, t1 })
        });
    }

    fn lattice_point(&mut self) -> u64 {
        let ((basis, _), point) = (self.basis_and_tree(), self.point.as_slice());
        let samples = self.samples.expose().as_slice();
        let levels = self.levels.expose_mut();
        levels[..samples.len()].copy_from_slice(samples);
        let (z0, z1) = levels[..samples.len()].split_at_mut(point.len());
        let products = self.products.expose_mut();
        isa::with(self.isa, LatticePoint { basis, point, z0, z1, products }).squared_norm
    }

    /// Does a part once.
    ///
    /// # Errors
    /// Those of signing and of verifying.
    pub fn run(&mut self, part: Part) -> Result<(), Error> {
        let (isa, params) = (self.isa, self.key.params());
        match part {
            Part::Signature => {
                drop(black_box(self.key.sign(isa, Encoding::Padded, black_box(&self.message))?))
            }
            Part::HashToPoint => drop(black_box(self.hash())),
            Part::Target => self.target(),
            Part::FfSampling => self.ff_sampling(),
            Part::Sampler => drop(black_box(isa::with(isa, Samples { params, seed: black_box(&self.seed) }))),
            Part::Generator => isa::with(isa, Buffers { seed: black_box(&self.seed), count: self.buffers }),
            Part::BaseSampler => isa::with(isa, BaseSamples { buffers: self.buffers }),
            Part::LatticePoint => drop(black_box(self.lattice_point())),
            Part::Encode => {
                let (s2, max_len) = (black_box(self.s2.expose()), self.max_len());
                drop(black_box(isa::with(isa, Compress { s2, max_len })));
            }
            Part::Check => {
                self.key.verifying.check(isa, black_box(&self.point), black_box(&self.signature))?
            }
        }
        Ok(())
    }
}

/// A signature without the verification before its release and without the system's random bytes: what papers report as
/// the core of signing. For measuring alone: a signature that was not verified may be a fault that reveals the key.
/// In: nonce (40 bytes) and seed (48 bytes). Out: the padded signature and the number of attempts.
///
/// # Errors
/// [`Error::Randomness`] where `random` is too short, [`Error::SelfCheck`] where no attempt was short enough.
pub(crate) fn sign_core(
    key: &SigningKey,
    isa: Isa,
    random: &[u8],
    message: &[u8],
) -> Result<(Vec<u8>, u32), Error> {
    /// As in signing.
    const MAX_ATTEMPTS: u32 = 1000;
    let params = key.params();
    let Signer { nonce, seed, mut hash, .. } = key.signer_from(isa, &mut rng::Replay(random))?;
    hash.update(message);
    let point = hash.finish(params);
    let mut all = scrubbed_bytes::<STACK, _>(|| Seeds::all(isa, &[seed.expose()]));
    let seeds = all.first_mut().ok_or(Error::SelfCheck)?;
    let max_len = params.padded_len() - 1 - NONCE_LEN;
    for attempt in 1..=MAX_ATTEMPTS {
        let mut seed = Box::new(Secret::new([0; SEED_LEN]));
        seeds.next(seed.expose_mut());
        let (expanded, point, seed) = (key.expanded.expose().as_slice(), point.as_slice(), seed.expose());
        let candidate =
            scrubbed_bytes::<STACK, _>(|| isa::with_base(isa, Attempt { params, expanded, point, seed }));
        if candidate.squared_norm > u64::from(params.squared_norm_bound()) {
            continue;
        }
        let s2 = candidate.s2.expose();
        if let Some(compressed) = isa::with_base(isa, Compress { s2, max_len }) {
            let len = Some(params.padded_len());
            return Ok((codec::encode_signature(params, &nonce, &compressed, len), attempt));
        }
    }
    Err(Error::SelfCheck)
}

/// n pairs of samples; gives the number of buffers that they took.
struct Samples<'a> {
    params: Params,
    seed: &'a [u8; SEED_LEN],
}

impl<K: Kernels> Op<K> for Samples<'_> {
    type Out = usize;

    #[inline(always)]
    fn run(self, k: K) -> usize {
        /// Within the bounds of both parameter sets.
        const DEVIATION: f64 = 1.5;
        let mut sampler = SamplerZ::new(k, self.seed);
        let real = RealOf::<K>::new;
        let mut mu = Complex { re: real(0.25), im: real(0.625) };
        for _ in 0..self.params.n() / 4 {
            let leaves = SamplerZ::leaves(k, self.params.sigma_min(), [real(black_box(1.0 / DEVIATION)); 4]);
            for leaf in leaves {
                let z = sampler.sample_pair(mu, leaf);
                mu = Complex { re: (mu.re - z.re) * real(0.75), im: (mu.im - z.im) * real(0.625) };
            }
        }
        black_box((mu.re.get(), mu.im.get()));
        sampler.buffers()
    }
}

/// The generator alone.
struct Buffers<'a> {
    seed: &'a [u8; SEED_LEN],
    count: usize,
}

impl<K: Kernels> Op<K> for Buffers<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let mut generator = Prng::new(k, self.seed);
        for _ in 1..self.count {
            generator.refill(k);
        }
        black_box(generator.buffer());
    }
}

/// The base sampler alone, for the trials of some buffers.
struct BaseSamples {
    buffers: usize,
}

impl<K: Kernels> Op<K> for BaseSamples {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        /// Trials of a buffer, rounded up as vectors do.
        const SAMPLES: usize = (BUFFER_LEN / TRIAL_LEN).next_multiple_of(16);
        let bytes = [0x5A; BUFFER_LEN + SLACK_LEN];
        let mut samples = [0; SAMPLES];
        for _ in 0..self.buffers {
            k.base_samples(black_box(&bytes), &mut samples);
            black_box(&samples);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The core of signing makes the signature that signing releases.
    #[test]
    fn the_core_of_signing_signs() {
        let key = SigningKey::generate(Params::Falcon512, Isa::detect()).expect("key");
        let random: Vec<u8> = (0..88).collect();
        for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_supported()) {
            let (signature, attempts) = sign_core(&key, isa, &random, b"message").expect("a signature");
            let mut signer = key.signer_from(isa, &mut rng::Replay(&random)).expect("a signer");
            signer.update(b"message");
            assert_eq!(signer.finish(Encoding::Padded), Ok(signature));
            assert!(attempts >= 1);
        }
        assert!(matches!(sign_core(&key, Isa::Scalar, &random[..87], b""), Err(Error::Randomness(_))));
    }

    #[test]
    fn parts_repeat_on_every_backend() {
        let key = SigningKey::generate(Params::Falcon512, Isa::detect()).expect("key");
        for isa in Isa::ALL.iter().filter(|isa| isa.is_supported()) {
            let mut replay = Replay::new(&key, *isa, b"message").expect("signature");
            let norm = replay.lattice_point();
            assert!(norm <= u64::from(Params::Falcon512.squared_norm_bound()), "{}: {norm}", isa.name());
            assert!((30..60).contains(&replay.buffers), "{}: {}", isa.name(), replay.buffers);
            for part in [Part::Signature, Part::FfSampling, Part::Sampler, Part::Encode, Part::Check] {
                replay.run(part).expect("part");
            }
            assert_eq!(norm, replay.lattice_point(), "{}", isa.name());
        }
    }
}
