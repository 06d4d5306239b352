//! Two lanes on SSE2. There is no rotation: two shifts, or a permutation of words.

use crate::simd::Sse2;
use core::arch::x86_64::*;

register! { Two(__m128i): 2 on Sse2, load _mm_loadu_si128, store _mm_storeu_si128, splat _mm_set1_epi64x,
    xor _mm_xor_si128, and _mm_and_si128, shl _mm_slli_epi64, shr _mm_srli_epi64,
    chi |a, b, c| _mm_xor_si128(a, _mm_andnot_si128(b, c)),
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
}
