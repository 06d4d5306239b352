//! AVX-512F: eight doubles, sixteen 32-bit integers; with AVX-512BW thirty-two 16-bit ones.

use super::avx2::{I16x16, I32x8, twelve_bit_words};
use super::intrinsics::{columns, doubles, integers16, integers32, opaque, tokens, wide_products};
use super::{Avx2, Int16, Simd, Token, Work};
use core::arch::x86_64::*;

// The foundation of AVX-512, on top of AVX2; and what all processors since Ice Lake and Zen 4 have beside it.
tokens!(Avx512Level, is_x86_feature_detected,
    Avx512f ["avx512f" "avx2" "bmi1" "bmi2" "lzcnt" "popcnt"],
    Avx512 ["avx512bw" "avx512dq" "avx512vl" "avx512vbmi" "avx512vbmi2" "avx512ifma" "aes" "vaes" "pclmulqdq" "vpclmulqdq"]);

doubles!(F64x8, __m512d, add _mm512_add_pd, sub _mm512_sub_pd, mul _mm512_mul_pd, div _mm512_div_pd,
    sqrt _mm512_sqrt_pd, splat _mm512_set1_pd, sign |v| _mm512_castsi512_pd(_mm512_xor_si512(
        _mm512_castpd_si512(v), _mm512_set1_epi64(i64::MIN))));

integers32!(I32x16, __m512i, add _mm512_add_epi32, sub _mm512_sub_epi32, xor _mm512_xor_si512,
    and _mm512_and_si512, shl _mm512_slli_epi32, shr _mm512_srli_epi32, sar _mm512_srai_epi32,
    rotate _mm512_rol_epi32, min _mm512_min_epu32,
    minus_one |x, a, b| _mm512_mask_add_epi32(x, _mm512_cmpgt_epi32_mask(a, b), x, _mm512_set1_epi32(-1)));

opaque!(opaque_register, "avx512f", __m512i, zmm_reg);

integers16!(I16x32, __m512i, add _mm512_add_epi16, sub _mm512_sub_epi16, and _mm512_and_si512,
    low _mm512_mullo_epi16, high _mm512_mulhi_epi16, sar _mm512_srai_epi16, shr _mm512_srli_epi16);

impl<const EXTRA: bool> Simd for Avx512Level<EXTRA>
where
    Self: Token + Words,
{
    const LANES: usize = 8;
    const LANES32: usize = 16;
    const LANES16: usize = Self::WORDS;
    const SHORTER32: usize = Avx2::LANES32;
    type Real = f64;
    type F64 = F64x8;
    type I32 = I32x16;
    type I16 = <Self as Words>::Lanes;
    type Half = Avx2;

    #[inline(always)]
    fn half(self) -> Avx2 {
        Avx2::of_wider()
    }
    #[inline(always)]
    fn in_shorter<W: Work>(self, work: W) -> W::Out {
        // Three vectors of AVX2 run at a time, two of these.
        work.run(self.half())
    }
    #[inline(always)]
    fn load(self, from: &[f64]) -> F64x8 {
        assert!(from.len() >= 8);
        // SAFETY: eight doubles are there; AVX-512F by the token.
        unsafe { F64x8(_mm512_loadu_pd(from.as_ptr())) }
    }
    #[inline(always)]
    fn store(self, to: &mut [f64], value: F64x8) {
        assert!(to.len() >= 8);
        // SAFETY: eight doubles have room; AVX-512F by the token.
        unsafe { _mm512_storeu_pd(to.as_mut_ptr(), value.0) }
    }
    #[inline(always)]
    fn splat(self, value: f64) -> F64x8 {
        // SAFETY: AVX-512F by the token.
        unsafe { F64x8(_mm512_set1_pd(value)) }
    }
    #[inline(always)]
    fn unzip(self, block: usize, a: F64x8, b: F64x8) -> (F64x8, F64x8) {
        // SAFETY: AVX-512F by the token.
        unsafe {
            let first = match block {
                1 => _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14),
                2 => _mm512_setr_epi64(0, 1, 4, 5, 8, 9, 12, 13),
                _ => _mm512_setr_epi64(0, 1, 2, 3, 8, 9, 10, 11),
            };
            let second = _mm512_add_epi64(first, _mm512_set1_epi64(block as i64));
            let pick = |index| F64x8(_mm512_permutex2var_pd(a.0, index, b.0));
            (pick(first), pick(second))
        }
    }
    #[inline(always)]
    fn zip(self, block: usize, a: F64x8, b: F64x8) -> (F64x8, F64x8) {
        // SAFETY: AVX-512F by the token.
        unsafe {
            let first = match block {
                1 => _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11),
                2 => _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11),
                _ => _mm512_setr_epi64(0, 1, 2, 3, 8, 9, 10, 11),
            };
            let second = _mm512_add_epi64(first, _mm512_set1_epi64(4));
            let pick = |index| F64x8(_mm512_permutex2var_pd(a.0, index, b.0));
            (pick(first), pick(second))
        }
    }
    #[inline(always)]
    fn floor(self, value: F64x8) -> F64x8 {
        // SAFETY: AVX-512F by the token.
        unsafe { F64x8(_mm512_roundscale_pd::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(value.0)) }
    }
    #[inline(always)]
    fn mantissa_and_exponent(self, value: F64x8) -> (F64x8, F64x8) {
        // SAFETY: AVX-512F by the token.
        unsafe {
            let mantissa = _mm512_getmant_pd::<_MM_MANT_NORM_1_2, _MM_MANT_SIGN_ZERO>(value.0);
            (F64x8(mantissa), F64x8(_mm512_getexp_pd(value.0)))
        }
    }
    #[inline(always)]
    fn less(self, a: F64x8, b: F64x8) -> u32 {
        // SAFETY: AVX-512F by the token.
        unsafe { u32::from(_mm512_cmp_pd_mask::<_CMP_LT_OQ>(a.0, b.0)) }
    }
    #[inline(always)]
    fn splat_i32(self, value: i32) -> I32x16 {
        // SAFETY: AVX-512F by the token.
        unsafe { I32x16(_mm512_set1_epi32(value)) }
    }
    #[inline(always)]
    fn load_i32(self, from: &[u32]) -> I32x16 {
        assert!(from.len() >= 16);
        // SAFETY: sixteen integers are there; AVX-512F by the token.
        unsafe { I32x16(_mm512_loadu_si512(from.as_ptr().cast())) }
    }
    #[inline(always)]
    fn store_i32(self, to: &mut [u32], value: I32x16) {
        assert!(to.len() >= 16);
        // SAFETY: sixteen integers have room; AVX-512F by the token.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), value.0) }
    }
    #[inline(always)]
    fn load_columns(self, from: &[u8], stride: usize) -> [I32x16; 3] {
        assert!(stride <= 64 && from.len() >= 15 * stride + 16);
        // SAFETY: the last of sixteen rows ends at 15 * stride + 16; AVX-512F by the token.
        unsafe {
            let mut rows = [_mm512_setzero_si512(); 4];
            for (i, rows) in rows.iter_mut().enumerate() {
                let at = from.as_ptr().add(i * stride);
                *rows = _mm512_castsi128_si512(_mm_loadu_si128(at.cast()));
                *rows = _mm512_inserti32x4::<1>(*rows, _mm_loadu_si128(at.add(4 * stride).cast()));
                *rows = _mm512_inserti32x4::<2>(*rows, _mm_loadu_si128(at.add(8 * stride).cast()));
                *rows = _mm512_inserti32x4::<3>(*rows, _mm_loadu_si128(at.add(12 * stride).cast()));
            }
            columns!(rows, I32x16, low32 _mm512_unpacklo_epi32,
                high32 _mm512_unpackhi_epi32, low64 _mm512_unpacklo_epi64, high64 _mm512_unpackhi_epi64)
        }
    }
    #[inline(always)]
    fn store_as_f64(self, to: &mut [f64], value: I32x16) {
        assert!(to.len() >= 16);
        // SAFETY: sixteen doubles have room; AVX-512F by the token.
        unsafe {
            let (low, high) = (_mm512_castsi512_si256(value.0), _mm512_extracti64x4_epi64::<1>(value.0));
            _mm512_storeu_pd(to.as_mut_ptr(), _mm512_cvtepi32_pd(low));
            _mm512_storeu_pd(to.as_mut_ptr().add(8), _mm512_cvtepi32_pd(high));
        }
    }
    #[inline(always)]
    fn splat_i16(self, value: i16) -> Self::I16 {
        self.splat_words(value)
    }
    #[inline(always)]
    fn load_i16(self, from: &[i16]) -> Self::I16 {
        self.load_words(from)
    }
    #[inline(always)]
    fn store_i16(self, to: &mut [i16], value: Self::I16) {
        self.store_words(to, value);
    }
    #[inline(always)]
    fn zip_i16(self, a: Self::I16, b: Self::I16) -> (Self::I16, Self::I16) {
        self.zip_words(a, b)
    }
    #[inline(always)]
    fn unzip_i16(self, a: Self::I16, b: Self::I16) -> (Self::I16, Self::I16) {
        self.unzip_words(a, b)
    }
    #[inline(always)]
    fn dot_i16(self, a: Self::I16, b: Self::I16) -> I32x16 {
        self.dot_words(a, b)
    }
    #[inline(always)]
    fn halves_i16(self, even: I32x16, odd: I32x16) -> (Self::I16, Self::I16) {
        self.halves_words(even, odd)
    }
    #[inline(always)]
    fn keep_words_below(self, limit: u16, to: &mut [i16], from: &[u8; 32]) -> usize {
        self.compress_words_below(limit, to, from)
    }
    #[inline(always)]
    fn load_bytes_i16(self, from: &[u8]) -> Self::I16 {
        self.load_bytes(from)
    }
    #[inline(always)]
    fn keep_12_bits_below(self, limit: i16, to: &mut [i16], from: &[u8; 24]) -> usize {
        assert!(to.len() >= 16);
        // SAFETY: sixteen words have room; AVX-512F and AVX2 by the token.
        unsafe {
            let words = _mm512_cvtepu16_epi32(twelve_bit_words(from));
            let kept = _mm512_cmplt_epi32_mask(words, _mm512_set1_epi32(i32::from(limit)));
            let words = _mm512_cvtepi32_epi16(_mm512_maskz_compress_epi32(kept, words));
            _mm256_storeu_si256(to.as_mut_ptr().cast(), words);
            kept.count_ones() as usize
        }
    }
    #[inline(always)]
    fn unzip_i32(self, block: usize, a: I32x16, b: I32x16) -> (I32x16, I32x16) {
        // SAFETY: AVX-512F by the token.
        unsafe {
            let first = match block {
                1 => _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30),
                2 => _mm512_setr_epi32(0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29),
                4 => _mm512_setr_epi32(0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27),
                _ => _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23),
            };
            let second = _mm512_add_epi32(first, _mm512_set1_epi32(block as i32));
            (
                I32x16(_mm512_permutex2var_epi32(a.0, first, b.0)),
                I32x16(_mm512_permutex2var_epi32(a.0, second, b.0)),
            )
        }
    }
    #[inline(always)]
    fn zip_i32(self, block: usize, a: I32x16, b: I32x16) -> (I32x16, I32x16) {
        // SAFETY: AVX-512F by the token.
        unsafe {
            let first = match block {
                1 => _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
                2 => _mm512_setr_epi32(0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23),
                4 => _mm512_setr_epi32(0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23),
                _ => _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23),
            };
            let second = _mm512_add_epi32(first, _mm512_set1_epi32(8));
            (
                I32x16(_mm512_permutex2var_epi32(a.0, first, b.0)),
                I32x16(_mm512_permutex2var_epi32(a.0, second, b.0)),
            )
        }
    }
    wide_products!(I32x16, mul _mm512_mul_epu32, add _mm512_add_epi64, sub _mm512_sub_epi64,
        shl _mm512_slli_epi64, shr _mm512_srli_epi64, and _mm512_and_si512, splat _mm512_set1_epi32,
        opaque opaque_register, odd |even, odd| _mm512_mask_blend_epi32(0b1010_1010_1010_1010, even, odd));
}

/// The 16-bit part of the vocabulary, which the two tokens do not share.
pub trait Words: Copy {
    /// [`Simd::LANES16`].
    const WORDS: usize;
    /// [`Simd::I16`].
    type Lanes: Int16;
    /// [`Simd::splat_i16`].
    fn splat_words(self, value: i16) -> Self::Lanes;
    /// [`Simd::load_i16`].
    fn load_words(self, from: &[i16]) -> Self::Lanes;
    /// [`Simd::store_i16`].
    fn store_words(self, to: &mut [i16], value: Self::Lanes);
    /// [`Simd::zip_i16`].
    fn zip_words(self, a: Self::Lanes, b: Self::Lanes) -> (Self::Lanes, Self::Lanes);
    /// [`Simd::unzip_i16`].
    fn unzip_words(self, a: Self::Lanes, b: Self::Lanes) -> (Self::Lanes, Self::Lanes);
    /// [`Simd::dot_i16`].
    fn dot_words(self, a: Self::Lanes, b: Self::Lanes) -> I32x16;
    /// [`Simd::halves_i16`].
    fn halves_words(self, even: I32x16, odd: I32x16) -> (Self::Lanes, Self::Lanes);
    /// [`Simd::load_bytes_i16`].
    fn load_bytes(self, from: &[u8]) -> Self::Lanes;
    /// [`Simd::keep_words_below`].
    fn compress_words_below(self, limit: u16, to: &mut [i16], from: &[u8; 32]) -> usize;
}

/// AVX-512F has no 16-bit arithmetic: that of AVX2.
impl Words for Avx512f {
    const WORDS: usize = 16;
    type Lanes = I16x16;

    #[inline(always)]
    fn splat_words(self, value: i16) -> I16x16 {
        self.half().splat_i16(value)
    }
    #[inline(always)]
    fn load_words(self, from: &[i16]) -> I16x16 {
        self.half().load_i16(from)
    }
    #[inline(always)]
    fn store_words(self, to: &mut [i16], value: I16x16) {
        self.half().store_i16(to, value);
    }
    #[inline(always)]
    fn zip_words(self, a: I16x16, b: I16x16) -> (I16x16, I16x16) {
        self.half().zip_i16(a, b)
    }
    #[inline(always)]
    fn unzip_words(self, a: I16x16, b: I16x16) -> (I16x16, I16x16) {
        self.half().unzip_i16(a, b)
    }
    #[inline(always)]
    fn dot_words(self, a: I16x16, b: I16x16) -> I32x16 {
        // SAFETY: AVX-512F by the token.
        unsafe { I32x16(_mm512_zextsi256_si512(self.half().dot_i16(a, b).0)) }
    }
    #[inline(always)]
    fn halves_words(self, even: I32x16, odd: I32x16) -> (I16x16, I16x16) {
        // SAFETY: AVX-512F by the token.
        let lower = |v: I32x16| unsafe { I32x8(_mm512_castsi512_si256(v.0)) };
        self.half().halves_i16(lower(even), lower(odd))
    }
    #[inline(always)]
    fn load_bytes(self, from: &[u8]) -> I16x16 {
        self.half().load_bytes_i16(from)
    }
    #[inline(always)]
    fn compress_words_below(self, limit: u16, to: &mut [i16], from: &[u8; 32]) -> usize {
        assert!(to.len() >= 16);
        // SAFETY: 32 bytes are there, 16 words have room; AVX-512F and AVX2 by the token.
        unsafe {
            let swap = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14,
            ));
            let words = _mm256_shuffle_epi8(_mm256_loadu_si256(from.as_ptr().cast()), swap);
            let words = _mm512_cvtepu16_epi32(words);
            let kept = _mm512_cmplt_epu32_mask(words, _mm512_set1_epi32(i32::from(limit)));
            let words = _mm512_cvtepi32_epi16(_mm512_maskz_compress_epi32(kept, words));
            _mm256_storeu_si256(to.as_mut_ptr().cast(), words);
            kept.count_ones() as usize
        }
    }
}

/// AVX-512BW, and of VBMI2 the compression of words.
impl Words for Avx512 {
    const WORDS: usize = 32;
    type Lanes = I16x32;

    #[inline(always)]
    fn splat_words(self, value: i16) -> I16x32 {
        // SAFETY: AVX-512F by the token.
        unsafe { I16x32(_mm512_set1_epi16(value)) }
    }
    #[inline(always)]
    fn load_words(self, from: &[i16]) -> I16x32 {
        assert!(from.len() >= 32);
        // SAFETY: 32 integers are there; AVX-512F by the token.
        unsafe { I16x32(_mm512_loadu_si512(from.as_ptr().cast())) }
    }
    #[inline(always)]
    fn store_words(self, to: &mut [i16], value: I16x32) {
        assert!(to.len() >= 32);
        // SAFETY: 32 integers have room; AVX-512F by the token.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), value.0) }
    }
    #[inline(always)]
    fn zip_words(self, a: I16x32, b: I16x32) -> (I16x32, I16x32) {
        // SAFETY: AVX-512BW by the token.
        unsafe {
            // Inside each quarter; then the quarters in their order.
            let (low, high) = (_mm512_unpacklo_epi16(a.0, b.0), _mm512_unpackhi_epi16(a.0, b.0));
            let first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
            let second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
            let pick = |index| I16x32(_mm512_permutex2var_epi64(low, index, high));
            (pick(first), pick(second))
        }
    }
    #[inline(always)]
    fn unzip_words(self, a: I16x32, b: I16x32) -> (I16x32, I16x32) {
        // SAFETY: AVX-512BW by the token.
        unsafe {
            // Inside each quarter even lanes before odd ones; then the even halves of quarters, the odd ones.
            let sort =
                _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15));
            let (a, b) = (_mm512_shuffle_epi8(a.0, sort), _mm512_shuffle_epi8(b.0, sort));
            let even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
            let odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
            let pick = |index| I16x32(_mm512_permutex2var_epi64(a, index, b));
            (pick(even), pick(odd))
        }
    }
    #[inline(always)]
    fn dot_words(self, a: I16x32, b: I16x32) -> I32x16 {
        // SAFETY: AVX-512BW by the token.
        unsafe { I32x16(_mm512_madd_epi16(a.0, b.0)) }
    }
    #[inline(always)]
    fn halves_words(self, even: I32x16, odd: I32x16) -> (I16x32, I16x32) {
        const ODD: __mmask32 = 0xAAAA_AAAA;
        // SAFETY: AVX-512BW by the token.
        unsafe {
            let lower = _mm512_mask_blend_epi16(ODD, even.0, _mm512_slli_epi32::<16>(odd.0));
            let upper = _mm512_mask_blend_epi16(ODD, _mm512_srli_epi32::<16>(even.0), odd.0);
            (I16x32(lower), I16x32(upper))
        }
    }
    #[inline(always)]
    fn load_bytes(self, from: &[u8]) -> I16x32 {
        assert!(from.len() >= 64);
        // SAFETY: 64 bytes are there; AVX-512F by the token.
        unsafe { I16x32(_mm512_loadu_si512(from.as_ptr().cast())) }
    }
    #[inline(always)]
    fn compress_words_below(self, limit: u16, to: &mut [i16], from: &[u8; 32]) -> usize {
        assert!(to.len() >= 16);
        // SAFETY: 32 bytes are there, 16 words have room; AVX-512BW, VL and VBMI2 by the token.
        unsafe {
            let swap = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14,
            ));
            let words = _mm256_shuffle_epi8(_mm256_loadu_si256(from.as_ptr().cast()), swap);
            let kept = _mm256_cmplt_epu16_mask(words, _mm256_set1_epi16(limit as i16));
            // To a register and not to memory: some processors are slow at that.
            let words = _mm256_maskz_compress_epi16(kept, words);
            _mm256_storeu_si256(to.as_mut_ptr().cast(), words);
            kept.count_ones() as usize
        }
    }
}
