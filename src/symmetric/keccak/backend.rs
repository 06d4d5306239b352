//! The permutation on each backend: one state, or several side by side.
//!
//! AVX-512F has its own for one state ([`super::planes`]); all others compile the same text ([`super::permutation`]).

use super::permutation::{State, keccak_f1600};
use super::states::States;
use crate::simd::{Scalar, Soft, Token};

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
        for stream in 0..streams {
            let mut state = states.take(stream);
            self.permute(&mut state);
            states.put(stream, &state);
        }
    }
}

impl Keccak for Soft {}
#[cfg(target_arch = "aarch64")]
impl Keccak for crate::simd::Neon {}
#[cfg(target_arch = "aarch64")]
impl Keccak for crate::simd::NeonCrypto {}
#[cfg(target_arch = "riscv64")]
impl Keccak for crate::simd::Rvv {}
impl Keccak for Scalar {}
#[cfg(target_arch = "x86_64")]
impl Keccak for crate::simd::Sse2 {}
#[cfg(target_arch = "x86_64")]
impl Keccak for crate::simd::Avx2 {}
#[cfg(target_arch = "x86_64")]
impl Keccak for crate::simd::Avx2Aes {}
#[cfg(target_arch = "x86_64")]
impl Keccak for crate::simd::Avx512f {
    #[inline(always)]
    fn permute(self, state: &mut State) {
        super::planes::permute(self, state);
    }
}
#[cfg(target_arch = "x86_64")]
impl Keccak for crate::simd::Avx512 {
    #[inline(always)]
    fn permute(self, state: &mut State) {
        super::planes::permute(self.base(), state);
    }
}
