//! The permutation on each backend: one state, or several side by side.
//!
//! One state is the same text for all ([`super::permutation`]). Several go through vectors where there are any
//! ([`super::streams`]), else one after the other.

use super::permutation::{State, keccak_f1600};
use super::states::States;
use super::streams;
#[cfg(target_arch = "x86_64")]
use crate::simd::Simd;
use crate::simd::{Scalar, Soft, Token};
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use crate::symmetric::lanes;

/// The permutation on a backend.
pub(crate) trait Keccak: Token {
    /// Keccak-f[1600].
    #[inline(always)]
    fn permute(self, state: &mut State) {
        keccak_f1600(self, state);
    }

    /// Keccak-f[1600] of the first `streams` of several states. What becomes of the others has no meaning.
    #[allow(dead_code, reason = "the engines that hash in streams come next")]
    #[inline(always)]
    fn permute_streams(self, states: &mut States, streams: usize) {
        streams::one_by_one(self, states, 0..streams);
    }
}

impl Keccak for Soft {}
impl Keccak for Scalar {}
#[cfg(target_arch = "riscv64")]
impl Keccak for crate::simd::Rvv {}
#[cfg(target_arch = "aarch64")]
impl Keccak for crate::simd::Neon {
    #[inline(always)]
    fn permute_streams(self, states: &mut States, streams: usize) {
        streams::permute::<lanes::Two, 2>(self, states, streams);
    }
}
#[cfg(target_arch = "x86_64")]
impl Keccak for crate::simd::Sse2 {
    #[inline(always)]
    fn permute_streams(self, states: &mut States, streams: usize) {
        streams::permute::<lanes::Two, 2>(self, states, streams);
    }
}
#[cfg(target_arch = "x86_64")]
impl Keccak for crate::simd::Avx2 {
    #[inline(always)]
    fn permute_streams(self, states: &mut States, streams: usize) {
        streams::permute::<lanes::Four, 3>(self, states, streams);
    }
}
#[cfg(target_arch = "x86_64")]
impl Keccak for crate::simd::Avx512f {
    #[inline(always)]
    fn permute(self, state: &mut State) {
        // Rotations and and-not of AVX2's level are all that one state can use: its text, with AVX-512 to compile for,
        // becomes slower, and rows in five vectors take a tenth longer.
        keccak_f1600(self.half(), state);
    }
    #[inline(always)]
    fn permute_streams(self, states: &mut States, streams: usize) {
        streams::permute::<lanes::Eight, 2>(self, states, streams);
    }
}
