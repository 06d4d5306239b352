//! Four lanes on AVX2. There is no rotation: two shifts, or a permutation of bytes.

use super::{Lanes, WIDEST};
use crate::simd::Avx2;
use core::arch::x86_64::*;

/// Four lanes.
#[derive(Clone, Copy)]
pub(crate) struct Four(__m256i);

impl Lanes for Four {
    type Token = Avx2;
    const WIDTH: usize = 4;

    #[inline(always)]
    fn load(_: Avx2, from: &[u64; WIDEST], first: usize) -> Four {
        let from = &from[first..first + 4];
        // SAFETY: AVX2 by the token; four lanes are there.
        unsafe { Four(_mm256_loadu_si256(from.as_ptr().cast())) }
    }
    #[inline(always)]
    fn store(self, to: &mut [u64; WIDEST], first: usize) {
        let to = &mut to[first..first + 4];
        // SAFETY: a value exists only where its token was handed out; four lanes have room.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn splat(_: Avx2, value: u64) -> Four {
        // SAFETY: AVX2 by the token.
        unsafe { Four(_mm256_set1_epi64x(value.cast_signed())) }
    }
    #[inline(always)]
    fn xor(self, other: Four) -> Four {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Four(_mm256_xor_si256(self.0, other.0)) }
    }
    #[inline(always)]
    fn rotate<const LEFT: i32, const RIGHT: i32>(self) -> Four {
        // SAFETY: a value exists only where its token was handed out.
        unsafe {
            let by_bytes = |low: i64, high: i64| {
                Four(_mm256_shuffle_epi8(self.0, _mm256_setr_epi64x(low, high, low, high)))
            };
            match LEFT {
                8 => by_bytes(0x0605_0403_0201_0007, 0x0E0D_0C0B_0A09_080F),
                56 => by_bytes(0x0007_0605_0403_0201, 0x080F_0E0D_0C0B_0A09),
                1 => Four(_mm256_add_epi64(self.0, self.0)).xor(self.shr::<RIGHT>()),
                _ => self.shl::<LEFT>().xor(self.shr::<RIGHT>()),
            }
        }
    }
    #[inline(always)]
    fn and(self, other: Four) -> Four {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Four(_mm256_and_si256(self.0, other.0)) }
    }
    #[inline(always)]
    fn shl<const N: i32>(self) -> Four {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Four(_mm256_slli_epi64::<N>(self.0)) }
    }
    #[inline(always)]
    fn shr<const N: i32>(self) -> Four {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Four(_mm256_srli_epi64::<N>(self.0)) }
    }
    #[inline(always)]
    fn chi(self, b: Four, c: Four) -> Four {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Four(_mm256_xor_si256(self.0, _mm256_andnot_si256(b.0, c.0))) }
    }
}
