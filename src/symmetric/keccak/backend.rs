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
    #[inline(always)]
    fn permute_streams(self, states: &mut States, streams: usize) {
        streams::one_by_one(self, states, 0..streams);
    }
}

impl Keccak for Soft {}
impl Keccak for Scalar {}
#[cfg(target_arch = "riscv64")]
impl Keccak for crate::simd::Rvv {}

/// Backends with vectors for several streams; the number is that from which on a vector is not worth its lanes less.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! in_vectors {
    ($lanes:ident, $least:literal: $($token:ident)*) => {$(
        impl Keccak for crate::simd::$token {
            #[inline(always)]
            fn permute_streams(self, states: &mut States, streams: usize) {
                streams::permute::<lanes::$lanes, $least>(self.base(), states, streams);
            }
        }
    )*};
}

#[cfg(target_arch = "aarch64")]
in_vectors!(Two, 2: Neon NeonCrypto);
#[cfg(target_arch = "x86_64")]
in_vectors!(Two, 2: Sse2);
#[cfg(target_arch = "x86_64")]
in_vectors!(Four, 3: Avx2 Avx2Aes);

#[cfg(target_arch = "x86_64")]
macro_rules! in_wide_vectors {
    ($($token:ident)*) => {$(
        impl Keccak for crate::simd::$token {
            #[inline(always)]
            fn permute(self, state: &mut State) {
                // Rotations and and-not of AVX2's level are all that one state can use: its text, with AVX-512 to
                // compile for, becomes slower, and rows in five vectors take a tenth longer.
                keccak_f1600(self.half(), state);
            }
            #[inline(always)]
            fn permute_streams(self, states: &mut States, streams: usize) {
                streams::permute::<lanes::Eight, 2>(self.base(), states, streams);
            }
        }
    )*};
}
#[cfg(target_arch = "x86_64")]
in_wide_vectors!(Avx512f Avx512);
