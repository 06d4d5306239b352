//! Two states on SSE2. There is no rotation: two shifts.

use crate::simd::Sse2;
use crate::symmetric::keccak::states::STREAMS;
use crate::symmetric::keccak::streams::Lanes;
use core::arch::x86_64::*;

/// A lane of two states.
#[derive(Clone, Copy)]
pub(in super::super) struct Two(__m128i);

impl Lanes for Two {
    type Token = Sse2;
    const WIDTH: usize = 2;
    const WORTH: usize = 2;

    #[inline(always)]
    fn load(_: Sse2, from: &[u64; STREAMS], first: usize) -> Two {
        let from = &from[first..first + 2];
        // SAFETY: SSE2 by the token; two lanes are there.
        unsafe { Two(_mm_loadu_si128(from.as_ptr().cast())) }
    }
    #[inline(always)]
    fn store(self, to: &mut [u64; STREAMS], first: usize) {
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
    fn rotate<const LEFT: i32, const RIGHT: i32>(self) -> Two {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Two(_mm_or_si128(_mm_slli_epi64::<LEFT>(self.0), _mm_srli_epi64::<RIGHT>(self.0))) }
    }
    #[inline(always)]
    fn chi(self, b: Two, c: Two) -> Two {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Two(_mm_xor_si128(self.0, _mm_andnot_si128(b.0, c.0))) }
    }
}
