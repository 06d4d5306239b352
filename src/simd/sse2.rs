//! SSE2: two doubles, four 32-bit integers. Every x86-64 processor has it.

use super::intrinsics::{
    FRACTION, TWO_52, columns, doubles, integers16, integers32, opaque, token, wide_products,
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
    shl _mm_slli_epi32, shr _mm_srli_epi32, sar _mm_srai_epi32,
    minus_one |x, a, b| _mm_add_epi32(x, _mm_cmpgt_epi32(a, b)));

integers16!(I16x8, __m128i, add _mm_add_epi16, sub _mm_sub_epi16, and _mm_and_si128, low _mm_mullo_epi16,
    high _mm_mulhi_epi16, sar _mm_srai_epi16, shr _mm_srli_epi16);
opaque!(opaque_register, "sse2", __m128i, xmm_reg);

impl Simd for Sse2 {
    const LANES: usize = 2;
    const LANES32: usize = 4;
    const LANES16: usize = 8;
    type Real = f64;
    type F64 = F64x2;
    type I32 = I32x4;
    type I16 = I16x8;
    type Half = Scalar;

    #[inline(always)]
    fn half(self) -> Scalar {
        Scalar::get()
    }
    #[inline(always)]
    fn load(self, from: &[f64]) -> F64x2 {
        assert!(from.len() >= 2);
        // SAFETY: two doubles are there.
        unsafe { F64x2(_mm_loadu_pd(from.as_ptr())) }
    }
    #[inline(always)]
    fn store(self, to: &mut [f64], value: F64x2) {
        assert!(to.len() >= 2);
        // SAFETY: two doubles have room.
        unsafe { _mm_storeu_pd(to.as_mut_ptr(), value.0) }
    }
    #[inline(always)]
    fn splat(self, value: f64) -> F64x2 {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe { F64x2(_mm_set1_pd(value)) }
    }
    #[inline(always)]
    fn unzip(self, _block: usize, a: F64x2, b: F64x2) -> (F64x2, F64x2) {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe { (F64x2(_mm_unpacklo_pd(a.0, b.0)), F64x2(_mm_unpackhi_pd(a.0, b.0))) }
    }
    #[inline(always)]
    fn zip(self, block: usize, a: F64x2, b: F64x2) -> (F64x2, F64x2) {
        // Two lanes: the transposition is its own inverse.
        self.unzip(block, a, b)
    }
    #[inline(always)]
    fn floor(self, value: F64x2) -> F64x2 {
        /// Adding it leaves the nearest integer in the low bits: 1.5 * 2^52.
        const ROUNDER: f64 = 6755399441055744.0;
        // SAFETY: every x86-64 processor has SSE2.
        unsafe {
            let rounder = _mm_set1_pd(ROUNDER);
            let nearest = _mm_sub_pd(_mm_add_pd(value.0, rounder), rounder);
            let above = _mm_and_pd(_mm_cmpgt_pd(nearest, value.0), _mm_set1_pd(1.0));
            F64x2(_mm_sub_pd(nearest, above))
        }
    }
    #[inline(always)]
    fn mantissa_and_exponent(self, value: F64x2) -> (F64x2, F64x2) {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe {
            let bits = _mm_castpd_si128(value.0);
            let one = _mm_castpd_si128(_mm_set1_pd(1.0));
            let mantissa = _mm_or_si128(_mm_and_si128(bits, _mm_set1_epi64x(FRACTION)), one);
            let shifted = _mm_or_si128(_mm_srli_epi64::<52>(bits), _mm_castpd_si128(_mm_set1_pd(TWO_52)));
            let exponent = _mm_sub_pd(_mm_castsi128_pd(shifted), _mm_set1_pd(TWO_52 + 1023.0));
            (F64x2(_mm_castsi128_pd(mantissa)), F64x2(exponent))
        }
    }
    #[inline(always)]
    fn less(self, a: F64x2, b: F64x2) -> u32 {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe { _mm_movemask_pd(_mm_cmplt_pd(a.0, b.0)) as u32 }
    }
    #[inline(always)]
    fn splat_i32(self, value: i32) -> I32x4 {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe { I32x4(_mm_set1_epi32(value)) }
    }
    #[inline(always)]
    fn load_i32(self, from: &[u32]) -> I32x4 {
        assert!(from.len() >= 4);
        // SAFETY: four integers are there.
        unsafe { I32x4(_mm_loadu_si128(from.as_ptr().cast())) }
    }
    #[inline(always)]
    fn store_i32(self, to: &mut [u32], value: I32x4) {
        assert!(to.len() >= 4);
        // SAFETY: four integers have room.
        unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), value.0) }
    }
    #[inline(always)]
    fn load_columns(self, from: &[u8], stride: usize) -> [I32x4; 3] {
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
    #[inline(always)]
    fn store_as_f64(self, to: &mut [f64], value: I32x4) {
        assert!(to.len() >= 4);
        // SAFETY: four doubles have room.
        unsafe {
            _mm_storeu_pd(to.as_mut_ptr(), _mm_cvtepi32_pd(value.0));
            let high = _mm_shuffle_epi32::<0b1110>(value.0);
            _mm_storeu_pd(to.as_mut_ptr().add(2), _mm_cvtepi32_pd(high));
        }
    }
    #[inline(always)]
    fn splat_i16(self, value: i16) -> I16x8 {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe { I16x8(_mm_set1_epi16(value)) }
    }
    #[inline(always)]
    fn load_i16(self, from: &[i16]) -> I16x8 {
        assert!(from.len() >= 8);
        // SAFETY: eight integers are there.
        unsafe { I16x8(_mm_loadu_si128(from.as_ptr().cast())) }
    }
    #[inline(always)]
    fn store_i16(self, to: &mut [i16], value: I16x8) {
        assert!(to.len() >= 8);
        // SAFETY: eight integers have room.
        unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), value.0) }
    }
    #[inline(always)]
    fn zip_i16(self, a: I16x8, b: I16x8) -> (I16x8, I16x8) {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe { (I16x8(_mm_unpacklo_epi16(a.0, b.0)), I16x8(_mm_unpackhi_epi16(a.0, b.0))) }
    }
    #[inline(always)]
    fn unzip_i16(self, a: I16x8, b: I16x8) -> (I16x8, I16x8) {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe {
            // Sign-extended to 32 bits; the saturating narrowing then changes nothing.
            let even = |v| _mm_srai_epi32::<16>(_mm_slli_epi32::<16>(v));
            let odd = |v| _mm_srai_epi32::<16>(v);
            (I16x8(_mm_packs_epi32(even(a.0), even(b.0))), I16x8(_mm_packs_epi32(odd(a.0), odd(b.0))))
        }
    }
    #[inline(always)]
    fn dot_i16(self, a: I16x8, b: I16x8) -> I32x4 {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe { I32x4(_mm_madd_epi16(a.0, b.0)) }
    }
    #[inline(always)]
    fn halves_i16(self, even: I32x4, odd: I32x4) -> (I16x8, I16x8) {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe {
            // Both halves of a lane side by side: lower, upper of even; of odd.
            let low = _mm_set1_epi32(0xFFFF);
            let lower = _mm_or_si128(_mm_and_si128(even.0, low), _mm_slli_epi32::<16>(odd.0));
            let upper = _mm_or_si128(_mm_srli_epi32::<16>(even.0), _mm_andnot_si128(low, odd.0));
            (I16x8(lower), I16x8(upper))
        }
    }
    #[inline(always)]
    fn load_bytes_i16(self, from: &[u8]) -> I16x8 {
        assert!(from.len() >= 16);
        // SAFETY: sixteen bytes are there; every x86-64 processor has SSE2.
        unsafe { I16x8(_mm_loadu_si128(from.as_ptr().cast())) }
    }
    #[inline(always)]
    fn unzip_i32(self, block: usize, a: I32x4, b: I32x4) -> (I32x4, I32x4) {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe {
            match block {
                2 => (I32x4(_mm_unpacklo_epi64(a.0, b.0)), I32x4(_mm_unpackhi_epi64(a.0, b.0))),
                _ => {
                    let (a, b) = (_mm_castsi128_ps(a.0), _mm_castsi128_ps(b.0));
                    let even = _mm_castps_si128(_mm_shuffle_ps::<0b10_00_10_00>(a, b));
                    let odd = _mm_castps_si128(_mm_shuffle_ps::<0b11_01_11_01>(a, b));
                    (I32x4(even), I32x4(odd))
                }
            }
        }
    }
    #[inline(always)]
    fn zip_i32(self, block: usize, a: I32x4, b: I32x4) -> (I32x4, I32x4) {
        match block {
            2 => self.unzip_i32(2, a, b),
            // SAFETY: every x86-64 processor has SSE2.
            _ => unsafe { (I32x4(_mm_unpacklo_epi32(a.0, b.0)), I32x4(_mm_unpackhi_epi32(a.0, b.0))) },
        }
    }
    wide_products!(I32x4, mul _mm_mul_epu32, add _mm_add_epi64, sub _mm_sub_epi64, shl _mm_slli_epi64,
        shr _mm_srli_epi64, and _mm_and_si128, splat _mm_set1_epi32, opaque opaque_register, odd |even, odd| _mm_or_si128(
            _mm_and_si128(even, _mm_setr_epi32(-1, 0, -1, 0)), _mm_and_si128(odd, _mm_setr_epi32(0, -1, 0, -1))));
}
