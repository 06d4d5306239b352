//! Four lanes on AVX2. There is no rotation: two shifts, or a permutation of bytes.

use crate::simd::Avx2;
use core::arch::x86_64::*;

register! { Four(__m256i): 4 on Avx2, load _mm256_loadu_si256, store _mm256_storeu_si256, splat _mm256_set1_epi64x,
    xor _mm256_xor_si256, and _mm256_and_si256, shl _mm256_slli_epi64, shr _mm256_srli_epi64,
    chi |a, b, c| _mm256_xor_si256(a, _mm256_andnot_si256(b, c)), up up, down down,
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
}

#[target_feature(enable = "avx2")]
#[inline]
fn up(v: __m256i, below: __m256i) -> __m256i {
    // Two lanes that begin two lanes before those of v.
    let before = _mm256_permute2x128_si256::<0x03>(v, below);
    _mm256_alignr_epi8::<8>(v, before)
}

#[target_feature(enable = "avx2")]
#[inline]
fn down(v: __m256i, above: __m256i) -> __m256i {
    // Two lanes that begin two lanes behind those of v.
    let after = _mm256_permute2x128_si256::<0x21>(v, above);
    _mm256_alignr_epi8::<8>(after, v)
}
