//! Two lanes on SSE2. There is no rotation: two shifts, or a permutation of words.

use super::{Lanes, WIDEST};
use crate::simd::Sse2;
use core::arch::x86_64::*;

/// Two lanes.
#[derive(Clone, Copy)]
pub(crate) struct Two(__m128i);

impl Lanes for Two {
    type Token = Sse2;
    const WIDTH: usize = 2;

    #[inline(always)]
    fn load(_: Sse2, from: &[u64; WIDEST], first: usize) -> Two {
        let from = &from[first..first + 2];
        // SAFETY: SSE2 by the token; two lanes are there.
        unsafe { Two(_mm_loadu_si128(from.as_ptr().cast())) }
    }
    #[inline(always)]
    fn store(self, to: &mut [u64; WIDEST], first: usize) {
        let to = &mut to[first..first + 2];
        // SAFETY: a value exists only where its token was handed out; two lanes have room.
        unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn splat(_: Sse2, value: u64) -> Two {
        // SAFETY: SSE2 by the token.
        unsafe { Two(_mm_set1_epi64x(value.cast_signed())) }
    }
    #[inline(always)]
    fn xor(self, other: Two) -> Two {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Two(_mm_xor_si128(self.0, other.0)) }
    }
    #[inline(always)]
    fn and(self, other: Two) -> Two {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Two(_mm_and_si128(self.0, other.0)) }
    }
    #[inline(always)]
    fn shl<const N: i32>(self) -> Two {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Two(_mm_slli_epi64::<N>(self.0)) }
    }
    #[inline(always)]
    fn shr<const N: i32>(self) -> Two {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Two(_mm_srli_epi64::<N>(self.0)) }
    }
    #[inline(always)]
    fn rotate<const LEFT: i32, const RIGHT: i32>(self) -> Two {
        // SAFETY: a value exists only where its token was handed out.
        unsafe {
            match LEFT {
                32 => Two(_mm_shuffle_epi32::<0b10_11_00_01>(self.0)),
                48 => Two(_mm_shufflehi_epi16::<0b00_11_10_01>(_mm_shufflelo_epi16::<0b00_11_10_01>(self.0))),
                _ => self.shl::<LEFT>().xor(self.shr::<RIGHT>()),
            }
        }
    }
    #[inline(always)]
    fn chi(self, b: Two, c: Two) -> Two {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Two(_mm_xor_si128(self.0, _mm_andnot_si128(b.0, c.0))) }
    }
}
