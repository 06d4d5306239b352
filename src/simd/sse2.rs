//! SSE2: two doubles, four 32-bit integers. Every x86-64 processor has it.

use super::intrinsics::{
    FRACTION, TWO_52, columns, double_methods, doubles, integer16_methods, integer32_methods, integers16,
    integers32, opaque, token, wide_products,
};
use super::{Scalar, Simd};
use core::arch::x86_64::*;

/// Token of SSE2.
#[derive(Clone, Copy)]
pub struct Sse2(());

token!(Sse2, Sse2, is_x86_feature_detected, "sse2");

impl Sse2 {
    /// The token, for a wider one that stands for these features too.
    pub(super) fn of_wider() -> Sse2 {
        Sse2(())
    }
}

doubles!(F64x2, __m128d, add _mm_add_pd, sub _mm_sub_pd, mul _mm_mul_pd, div _mm_div_pd, sqrt _mm_sqrt_pd,
    splat _mm_set1_pd, sign |v| _mm_xor_pd(v, _mm_set1_pd(-0.0)));

integers32!(I32x4, __m128i, add _mm_add_epi32, sub _mm_sub_epi32, xor _mm_xor_si128, and _mm_and_si128,
    shl _mm_slli_epi32, shr _mm_srli_epi32, sar _mm_srai_epi32, minus_one |x, a, b| _mm_add_epi32(x, _mm_cmpgt_epi32(a, b)));

integers16!(I16x8, __m128i, add _mm_add_epi16, sub _mm_sub_epi16, and _mm_and_si128, low _mm_mullo_epi16,
    high _mm_mulhi_epi16, high_unsigned _mm_mulhi_epu16, sar _mm_srai_epi16, shr _mm_srli_epi16,
    minus_one |x, a, b| _mm_add_epi16(x, _mm_cmpgt_epi16(a, b)));
opaque!(opaque_register, "sse2", __m128i, xmm_reg);

impl Simd for Sse2 {
    // Two lanes: the transposition is its own inverse.
    double_methods!(F64x2: 2, half Scalar Scalar::get(), load _mm_loadu_pd, store _mm_storeu_pd, splat _mm_set1_pd,
        zip transpose, unzip transpose, floor floor, split split,
        less |a, b| _mm_movemask_pd(_mm_cmplt_pd(a, b)) as u8);
    integer32_methods!(I32x4: 4, load _mm_loadu_si128, store _mm_storeu_si128, splat _mm_set1_epi32,
        widen |v| (_mm_cvtepi32_pd(v), _mm_cvtepi32_pd(_mm_shuffle_epi32::<0b1110>(v))) => F64x2,
        zip zip32, unzip unzip32, flip flip, blend blend);
    integer16_methods!(I16x8: 8, load _mm_loadu_si128, bytes _mm_loadu_si128, store _mm_storeu_si128, splat _mm_set1_epi16,
        zip |a, b| (_mm_unpacklo_epi16(a, b), _mm_unpackhi_epi16(a, b)), unzip unzip16,
        negative |v| (_mm_movemask_epi8(v) as u32 & 0xAAAA).count_ones(), below below, dot _mm_madd_epi16 => I32x4, halves halves);
    wide_products!(I32x4, mul _mm_mul_epu32, add _mm_add_epi64, sub _mm_sub_epi64, shl _mm_slli_epi64,
        shr _mm_srli_epi64, and _mm_and_si128, splat _mm_set1_epi32, opaque opaque_register, odd |even, odd| _mm_or_si128(
            _mm_and_si128(even, _mm_setr_epi32(-1, 0, -1, 0)), _mm_and_si128(odd, _mm_setr_epi32(0, -1, 0, -1))));

    #[inline(always)]
    fn load_four_columns(self, from: &[u8], stride: usize) -> [I32x4; 4] {
        assert!(stride <= 64 && from.len() >= 3 * stride + 16);
        // SAFETY: the last of four rows ends at 3 * stride + 16.
        unsafe {
            let mut rows = [_mm_setzero_si128(); 4];
            for (i, rows) in rows.iter_mut().enumerate() {
                *rows = _mm_loadu_si128(from.as_ptr().add(i * stride).cast());
            }
            columns!(rows, I32x4, low32 _mm_unpacklo_epi32, high32 _mm_unpackhi_epi32,
                low64 _mm_unpacklo_epi64, high64 _mm_unpackhi_epi64)
        }
    }
}

#[target_feature(enable = "sse2")]
#[inline]
fn transpose(_: usize, a: __m128d, b: __m128d) -> (__m128d, __m128d) {
    (_mm_unpacklo_pd(a, b), _mm_unpackhi_pd(a, b))
}

#[target_feature(enable = "sse2")]
#[inline]
fn floor(value: __m128d) -> __m128d {
    /// Adding it leaves the nearest integer in the low bits: 1.5 * 2^52.
    const ROUNDER: f64 = 6755399441055744.0;
    let rounder = _mm_set1_pd(ROUNDER);
    let nearest = _mm_sub_pd(_mm_add_pd(value, rounder), rounder);
    let above = _mm_and_pd(_mm_cmpgt_pd(nearest, value), _mm_set1_pd(1.0));
    _mm_sub_pd(nearest, above)
}

#[target_feature(enable = "sse2")]
#[inline]
fn split(value: __m128d) -> (__m128d, __m128d) {
    let bits = _mm_castpd_si128(value);
    let one = _mm_castpd_si128(_mm_set1_pd(1.0));
    let mantissa = _mm_or_si128(_mm_and_si128(bits, _mm_set1_epi64x(FRACTION)), one);
    let shifted = _mm_or_si128(_mm_srli_epi64::<52>(bits), _mm_castpd_si128(_mm_set1_pd(TWO_52)));
    let exponent = _mm_sub_pd(_mm_castsi128_pd(shifted), _mm_set1_pd(TWO_52 + 1023.0));
    (_mm_castsi128_pd(mantissa), exponent)
}

#[target_feature(enable = "sse2")]
#[inline]
fn zip32(block: usize, a: __m128i, b: __m128i) -> (__m128i, __m128i) {
    match block {
        2 => (_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b)),
        _ => (_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b)),
    }
}

#[target_feature(enable = "sse2")]
#[inline]
fn unzip32(block: usize, a: __m128i, b: __m128i) -> (__m128i, __m128i) {
    if block == 2 {
        return zip32(block, a, b);
    }
    let (a, b) = (_mm_castsi128_ps(a), _mm_castsi128_ps(b));
    let even = _mm_shuffle_ps::<0b10_00_10_00>(a, b);
    let odd = _mm_shuffle_ps::<0b11_01_11_01>(a, b);
    (_mm_castps_si128(even), _mm_castps_si128(odd))
}

#[target_feature(enable = "sse2")]
#[inline]
fn flip(bits: usize, v: __m128i) -> __m128i {
    match bits {
        1 => _mm_shuffle_epi32::<0b10_11_00_01>(v),
        2 => _mm_shuffle_epi32::<0b01_00_11_10>(v),
        _ => _mm_shuffle_epi32::<0b00_01_10_11>(v),
    }
}

#[target_feature(enable = "sse2")]
#[inline]
fn blend(block: usize, a: __m128i, b: __m128i) -> __m128i {
    let odd = if block == 2 { _mm_setr_epi32(0, 0, -1, -1) } else { _mm_setr_epi32(0, -1, 0, -1) };
    _mm_or_si128(_mm_andnot_si128(odd, a), _mm_and_si128(odd, b))
}

#[target_feature(enable = "sse2")]
#[inline]
fn unzip16(a: __m128i, b: __m128i) -> (__m128i, __m128i) {
    // Sign-extended to 32 bits; the saturating narrowing then changes nothing.
    let (a_even, b_even) = (_mm_slli_epi32::<16>(a), _mm_slli_epi32::<16>(b));
    let even = _mm_packs_epi32(_mm_srai_epi32::<16>(a_even), _mm_srai_epi32::<16>(b_even));
    (even, _mm_packs_epi32(_mm_srai_epi32::<16>(a), _mm_srai_epi32::<16>(b)))
}

#[target_feature(enable = "sse2")]
#[inline]
fn below(a: __m128i, b: __m128i) -> u32 {
    // Zero, by saturation, where it is not.
    let is_not = _mm_cmpeq_epi16(_mm_subs_epu16(b, a), _mm_setzero_si128());
    _mm_movemask_epi8(_mm_packs_epi16(is_not, is_not)) as u32 & 0xFF ^ 0xFF
}

#[target_feature(enable = "sse2")]
#[inline]
fn halves(even: __m128i, odd: __m128i) -> (__m128i, __m128i) {
    let low = _mm_set1_epi32(0xFFFF);
    let lower = _mm_or_si128(_mm_and_si128(even, low), _mm_slli_epi32::<16>(odd));
    (lower, _mm_or_si128(_mm_srli_epi32::<16>(even), _mm_andnot_si128(low, odd)))
}
