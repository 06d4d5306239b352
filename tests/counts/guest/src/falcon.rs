//! Falcon: the transforms, the base sampler, one signature, one verification.

use crate::Region;
use crate::markers::region;
use pqc::Isa;
use pqc::falcon::kernels::Kernels;
use pqc::falcon::known_answers::{Replay, Wishes, generate_known_answer, sign_known_answer};
use pqc::falcon::{Encoding, Params, VerifyingKey};
use pqc::isa::{Op, with};

pub fn regions() -> impl Iterator<Item = Region> {
    [
        Region {
            name: "falcon-fft-512",
            units: 1,
            run: |isa| with(isa, Transform { n: 512, inverse: false }),
        },
        Region {
            name: "falcon-ifft-512",
            units: 1,
            run: |isa| with(isa, Transform { n: 512, inverse: true }),
        },
        Region {
            name: "falcon-fft-1024",
            units: 1,
            run: |isa| with(isa, Transform { n: 1024, inverse: false }),
        },
        Region {
            name: "falcon-ifft-1024",
            units: 1,
            run: |isa| with(isa, Transform { n: 1024, inverse: true }),
        },
        Region { name: "falcon-ntt-512", units: 1, run: |isa| with(isa, Ntt { n: 512, inverse: false }) },
        Region { name: "falcon-intt-512", units: 1, run: |isa| with(isa, Ntt { n: 512, inverse: true }) },
        Region { name: "falcon-base-sampler", units: SAMPLES, run: |isa| with(isa, BaseSampler) },
        Region { name: "falcon-sign-512", units: 1, run: |isa| sign(isa, Params::Falcon512) },
        Region { name: "falcon-sign-1024", units: 1, run: |isa| sign(isa, Params::Falcon1024) },
        Region { name: "falcon-verify-512", units: 1, run: |isa| verify(isa, Params::Falcon512) },
        Region { name: "falcon-verify-1024", units: 1, run: |isa| verify(isa, Params::Falcon1024) },
    ]
    .into_iter()
}

/// A transform of doubles.
struct Transform {
    n: usize,
    inverse: bool,
}

impl<K: Kernels> Op<K> for Transform {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let mut a: Vec<f64> = (0..self.n).map(|i| (i * i % 127) as f64 - 63.0).collect();
        if self.inverse {
            region(|| k.ifft(&mut a));
        } else {
            region(|| k.fft(&mut a));
        }
    }
}

/// A transform modulo q.
struct Ntt {
    n: usize,
    inverse: bool,
}

impl<K: Kernels> Op<K> for Ntt {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let mut a: Vec<i16> = (0..self.n).map(|i| (i * i % 127) as i16).collect();
        if self.inverse {
            region(|| k.intt(&mut a));
        } else {
            region(|| k.ntt(&mut a));
        }
    }
}

/// Samples of one call, more than a buffer of the generator has.
const SAMPLES: usize = 48;

/// The base sampler alone, from bytes in memory.
struct BaseSampler;

impl<K: Kernels> Op<K> for BaseSampler {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let bytes: Vec<u8> = (0..11 * SAMPLES + 5).map(|i| (i * i % 251) as u8).collect();
        let mut samples = [0; SAMPLES];
        let (bytes, samples) = std::hint::black_box((&bytes, &mut samples));
        region(|| k.base_samples(bytes, samples));
    }
}

const MESSAGE: &[u8] = b"the same for every count";

/// With an expanded key, from seeds.
fn sign(isa: Isa, params: Params) {
    let key = generate_known_answer(params, isa, &mut Replay(&[1; 48])).expect("key");
    let signature = region(|| {
        sign_known_answer(&key, isa, &mut Replay(&[2; 88]), Encoding::Padded, MESSAGE, Wishes::default())
    });
    assert!(signature.is_ok());
}

/// From the encoded key.
fn verify(isa: Isa, params: Params) {
    let key = generate_known_answer(params, isa, &mut Replay(&[1; 48])).expect("key");
    let signed =
        sign_known_answer(&key, isa, &mut Replay(&[2; 88]), Encoding::Padded, MESSAGE, Wishes::default());
    let (signature, _) = signed.expect("signature");
    let public = key.verifying_key().to_bytes();
    let verdict = region(|| VerifyingKey::from_bytes(params, &public)?.verify(isa, MESSAGE, &signature));
    assert!(verdict.is_ok());
}
