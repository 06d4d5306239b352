//! The coarse steps of Falcon that a backend may do in its own way, and what they do unless it says otherwise.
//!
//! Operations call [`Kernels`]. A token of the vector vocabulary gets them from [`Tuned`], whose default bodies
//! are the generic text; a backend with a better step overrides that one method of `Tuned`. Doubles gain nothing from
//! the extra features of a level, so that key generation and signing run by [`crate::isa::with_base`]; hashing and the
//! 16-bit lanes of verification do.

use super::base_sampler;
use super::ff_sampling;
use super::fft;
use super::lock_step;
use super::ntt;
use super::sampler_z::{self, Leaf, RealOf, Trials, Verdicts};
use crate::isa::Op;
use crate::simd::{Scalar, Simd, Soft};
use crate::symmetric::chacha20::Generator;
use crate::symmetric::keccak::Keccak;

/// What the operations call.
pub trait Kernels: Generator {
    /// The vocabulary for the steps that have no kernel.
    type Vector: Simd + Keccak;
    /// Its token.
    fn vector(self) -> Self::Vector;
    /// [`fft::fft`].
    fn fft(self, a: &mut [f64]);
    /// [`fft::ifft`].
    fn ifft(self, a: &mut [f64]);
    /// [`fft::split`].
    fn split(self, f0: &mut [f64], f1: &mut [f64], f: &[f64]);
    /// [`fft::merge`].
    fn merge(self, f: &mut [f64], f0: &[f64], f1: &[f64]);
    /// [`ff_sampling::to_left_half`].
    fn to_left_half(self, level: u32, l10: &[f64], t0: &mut [f64], t1: &mut [f64]);
    /// [`fft::mul`].
    fn mul(self, a: &mut [f64], b: &[f64]);
    /// [`fft::add`].
    fn add(self, a: &mut [f64], b: &[f64]);
    /// [`fft::mul_const`].
    fn mul_const(self, a: &mut [f64], c: f64);
    /// [`ntt::ntt`]: the same integers on every backend.
    fn ntt(self, a: &mut [i16]);
    /// [`ntt::intt`]: the same integers on every backend.
    fn intt(self, a: &mut [i16]);
    /// Vectors of messages that are signed in lock step, a message a lane; 0 where messages are signed one after the
    /// other.
    const LOCK_STEP: usize;
    /// Trials of the integer sampler that are judged at once; 0 where they are made one after the other.
    const WINDOW: usize;
    /// Trials that are prepared at once, at most: few, so that the processor does it beside the choice of samples, each of
    /// which waits for the one before.
    const TRIALS_AT_ONCE: usize;
    /// [`base_sampler::base_samples`].
    fn base_samples(self, bytes: &[u8], samples: &mut [u32]);
    /// [`sampler_z::prepare`].
    fn prepare(self, bytes: &[u8], count: usize, trials: &mut Trials, at: usize);
    /// [`sampler_z::judge`].
    fn judge(self, trials: &Trials, r: RealOf<Self>, leaf: Leaf<RealOf<Self>>) -> Verdicts;
}

/// The steps over the vector vocabulary.
pub trait Tuned: Simd + Keccak {
    /// [`fft::fft`].
    #[inline(always)]
    fn fft(self, a: &mut [f64]) {
        self.enter(Fft(a));
    }
    /// [`fft::ifft`].
    #[inline(always)]
    fn ifft(self, a: &mut [f64]) {
        self.enter(Ifft(a));
    }
    /// [`ntt::ntt`].
    #[inline(always)]
    fn ntt(self, a: &mut [i16]) {
        self.enter(Ntt(a));
    }
    /// [`ntt::intt`].
    #[inline(always)]
    fn intt(self, a: &mut [i16]) {
        self.enter(Intt(a));
    }
}

impl<S: Tuned> Kernels for S {
    type Vector = S;
    #[inline(always)]
    fn vector(self) -> S {
        self
    }
    #[inline(always)]
    fn fft(self, a: &mut [f64]) {
        Tuned::fft(self, a);
    }
    #[inline(always)]
    fn ifft(self, a: &mut [f64]) {
        Tuned::ifft(self, a);
    }
    #[inline(always)]
    fn split(self, f0: &mut [f64], f1: &mut [f64], f: &[f64]) {
        fft::split(self, f0, f1, f);
    }
    #[inline(always)]
    fn merge(self, f: &mut [f64], f0: &[f64], f1: &[f64]) {
        fft::merge(self, f, f0, f1);
    }
    #[inline(always)]
    fn to_left_half(self, level: u32, l10: &[f64], t0: &mut [f64], t1: &mut [f64]) {
        ff_sampling::to_left_half(self, level, l10, t0, t1);
    }
    #[inline(always)]
    fn mul(self, a: &mut [f64], b: &[f64]) {
        fft::mul(self, a, b);
    }
    #[inline(always)]
    fn add(self, a: &mut [f64], b: &[f64]) {
        fft::add(self, a, b);
    }
    #[inline(always)]
    fn mul_const(self, a: &mut [f64], c: f64) {
        fft::mul_const(self, a, c);
    }
    #[inline(always)]
    fn ntt(self, a: &mut [i16]) {
        Tuned::ntt(self, a);
    }
    #[inline(always)]
    fn intt(self, a: &mut [i16]) {
        Tuned::intt(self, a);
    }
    const LOCK_STEP: usize = lock_step::vectors(S::LANES);
    const WINDOW: usize = sampler_z::window(S::LANES);
    const TRIALS_AT_ONCE: usize = 16;
    #[inline(always)]
    fn base_samples(self, bytes: &[u8], samples: &mut [u32]) {
        base_sampler::base_samples(self, bytes, samples);
    }
    #[inline(always)]
    fn prepare(self, bytes: &[u8], count: usize, trials: &mut Trials, at: usize) {
        sampler_z::prepare(self, bytes, count, trials, at);
    }
    #[inline(always)]
    fn judge(self, trials: &Trials, r: S::Real, leaf: Leaf<S::Real>) -> Verdicts {
        sampler_z::judge(self, trials, r, leaf)
    }
}

impl Tuned for Scalar {}
impl Tuned for Soft {}
#[cfg(target_arch = "x86_64")]
impl Tuned for crate::simd::Sse2 {}
#[cfg(target_arch = "x86_64")]
impl Tuned for crate::simd::Avx2 {}
#[cfg(target_arch = "x86_64")]
impl Tuned for crate::simd::Avx2Aes {}
#[cfg(target_arch = "x86_64")]
impl Tuned for crate::simd::Avx512f {}
#[cfg(target_arch = "x86_64")]
impl Tuned for crate::simd::Avx512 {}
#[cfg(target_arch = "aarch64")]
impl Tuned for crate::simd::Neon {}
#[cfg(target_arch = "aarch64")]
impl Tuned for crate::simd::NeonCrypto {}

/// [`fft::fft`], which is called from several places, so that it exists once a token.
pub(super) struct Fft<'a>(pub &'a mut [f64]);

impl<S: Simd> Op<S> for Fft<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, s: S) {
        fft::fft(s, self.0);
    }
}

/// [`fft::ifft`], once a token.
pub(super) struct Ifft<'a>(pub &'a mut [f64]);

impl<S: Simd> Op<S> for Ifft<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, s: S) {
        fft::ifft(s, self.0);
    }
}

struct Ntt<'a>(&'a mut [i16]);

impl<S: Simd> Op<S> for Ntt<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, s: S) {
        ntt::ntt(s, self.0);
    }
}

struct Intt<'a>(&'a mut [i16]);

impl<S: Simd> Op<S> for Intt<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, s: S) {
        ntt::intt(s, self.0);
    }
}
