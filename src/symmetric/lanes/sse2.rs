//! Two lanes on SSE2. There is no rotation: two shifts, or a permutation of words.

use crate::simd::Sse2;
use core::arch::x86_64::*;

register! { Two(__m128i): 2 on Sse2, load _mm_loadu_si128, store _mm_storeu_si128, splat _mm_set1_epi64x,
    xor _mm_xor_si128, and _mm_and_si128, shl _mm_slli_epi64, shr _mm_srli_epi64,
    chi |a, b, c| _mm_xor_si128(a, _mm_andnot_si128(b, c)),
    up |v, below| upper_and_lower(below, v), down |v, above| upper_and_lower(v, above),
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

/// The upper lane of the one, then the lower lane of the other.
#[target_feature(enable = "sse2")]
#[inline]
fn upper_and_lower(a: __m128i, b: __m128i) -> __m128i {
    _mm_castpd_si128(_mm_shuffle_pd::<0b01>(_mm_castsi128_pd(a), _mm_castsi128_pd(b)))
}
