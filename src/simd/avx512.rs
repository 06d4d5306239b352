//! AVX-512F: eight doubles, sixteen 32-bit integers; with AVX-512BW thirty-two 16-bit ones.

use super::avx2::{I16x16, I32x8, twelve_bit_words};
use super::intrinsics::{
    columns, double_methods, doubles, integer16_methods, integer32_methods, integers16, integers32, opaque,
    tokens, wide_products,
};
use super::packed::{load_32, store_32};
use super::{Avx2, Int16, Simd, Token, Work};
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

// The foundation of AVX-512, on top of AVX2; and what all processors since Ice Lake and Zen 4 have beside it.
tokens!(Avx512Level, is_x86_feature_detected,
    Avx512f ["avx512f" "avx2" "bmi1" "bmi2" "lzcnt" "popcnt"],
    Avx512 ["avx512bw" "avx512dq" "avx512vl" "avx512vbmi" "avx512vbmi2" "avx512ifma" "avx512vnni" "aes" "vaes" "pclmulqdq" "vpclmulqdq"]);

doubles!(F64x8, __m512d, add _mm512_add_pd, sub _mm512_sub_pd, mul _mm512_mul_pd, div _mm512_div_pd,
    sqrt _mm512_sqrt_pd, splat _mm512_set1_pd, sign negated);

integers32!(I32x16, __m512i, add _mm512_add_epi32, sub _mm512_sub_epi32, xor _mm512_xor_si512,
    and _mm512_and_si512, shl _mm512_slli_epi32, shr _mm512_srli_epi32, sar _mm512_srai_epi32,
    rotate _mm512_rol_epi32, min _mm512_min_epu32, minus_one |x, a, b| _mm512_mask_add_epi32(x, _mm512_cmpgt_epi32_mask(a, b), x, _mm512_set1_epi32(-1)),
    sorted _mm512_min_epi32, _mm512_max_epi32);

opaque!(opaque_register, "avx512f", __m512i, zmm_reg);

integers16!(I16x32, __m512i, add _mm512_add_epi16, sub _mm512_sub_epi16, and _mm512_and_si512,
    low _mm512_mullo_epi16, high _mm512_mulhi_epi16, high_unsigned _mm512_mulhi_epu16, sar _mm512_srai_epi16, shr _mm512_srli_epi16,
    minus_one |x, a, b| _mm512_mask_add_epi16(x, _mm512_cmpgt_epi16_mask(a, b), x, _mm512_set1_epi16(-1)));

impl<const EXTRA: bool> Simd for Avx512Level<EXTRA>
where
    Self: Token + Words,
{
    double_methods!(F64x8: 8, half Avx2 Avx2::of_wider(), load _mm512_loadu_pd, store _mm512_storeu_pd,
        splat _mm512_set1_pd, zip zip, unzip unzip,
        floor _mm512_roundscale_pd::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>,
        split mantissa_and_exponent, less _mm512_cmp_pd_mask::<_CMP_LT_OQ>);
    integer32_methods!(I32x16: 16, load _mm512_loadu_si512, store _mm512_storeu_si512, splat _mm512_set1_epi32,
        widen to_doubles => F64x8, zip zip_dwords, unzip unzip_dwords, flip flip_dwords, blend blend_dwords);
    wide_products!(I32x16, mul _mm512_mul_epu32, add _mm512_add_epi64, sub _mm512_sub_epi64,
        shl _mm512_slli_epi64, shr _mm512_srli_epi64, and _mm512_and_si512, splat _mm512_set1_epi32,
        opaque opaque_register, odd |even, odd| _mm512_mask_blend_epi32(0b1010_1010_1010_1010, even, odd));

    const SHORTER32: usize = Avx2::LANES32;
    const LANES16: usize = <Self as Words>::LANES16;
    const SWAPS: bool = <Self as Words>::SWAPS;
    type I16 = <Self as Words>::I16;

    #[inline(always)]
    fn in_shorter<W: Work>(self, work: W) -> W::Out {
        // Three vectors of AVX2 run at a time, two of these.
        work.run(self.half())
    }
    #[inline(always)]
    fn load_four_columns(self, from: &[u8], stride: usize) -> [I32x16; 4] {
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
    fn load_i16(self, from: &[i16]) -> <Self as Words>::I16 {
        Words::load_i16(self, from)
    }
    #[inline(always)]
    fn store_i16(self, to: &mut [i16], value: <Self as Words>::I16) {
        Words::store_i16(self, to, value);
    }
    #[inline(always)]
    fn splat_i16(self, value: i16) -> <Self as Words>::I16 {
        Words::splat_i16(self, value)
    }
    #[inline(always)]
    fn splat_pair_i16(self, from: &[i16]) -> <Self as Words>::I16 {
        Words::splat_pair_i16(self, from)
    }
    #[inline(always)]
    fn zip_i16(self, a: <Self as Words>::I16, b: <Self as Words>::I16) -> Pair<Self> {
        Words::zip_i16(self, a, b)
    }
    #[inline(always)]
    fn unzip_i16(self, a: <Self as Words>::I16, b: <Self as Words>::I16) -> Pair<Self> {
        Words::unzip_i16(self, a, b)
    }
    #[inline(always)]
    fn swap_i16(self, block: usize, a: <Self as Words>::I16, b: <Self as Words>::I16) -> Pair<Self> {
        Words::swap_i16(self, block, a, b)
    }
    #[inline(always)]
    fn zip_pairs_i16(self, a: <Self as Words>::I16, b: <Self as Words>::I16) -> Pair<Self> {
        Words::zip_pairs_i16(self, a, b)
    }
    #[inline(always)]
    fn unzip_pairs_i16(self, a: <Self as Words>::I16, b: <Self as Words>::I16) -> Pair<Self> {
        Words::unzip_pairs_i16(self, a, b)
    }
    #[inline(always)]
    fn unwritten_i16<const N: usize>(
        self,
        memory: &mut MaybeUninit<[<Self as Words>::I16; N]>,
    ) -> &mut [<Self as Words>::I16; N] {
        Words::unwritten_i16(self, memory)
    }
    #[inline(always)]
    fn zip_eights_i16(self, a: <Self as Words>::I16, b: <Self as Words>::I16) -> Pair<Self> {
        Words::zip_eights_i16(self, a, b)
    }
    #[inline(always)]
    fn load_eights_i16(self, from: &[i16], stride: usize) -> <Self as Words>::I16 {
        Words::load_eights_i16(self, from, stride)
    }
    #[inline(always)]
    fn store_eights_i16(self, to: &mut [i16], stride: usize, value: <Self as Words>::I16) {
        Words::store_eights_i16(self, to, stride, value);
    }
    #[inline(always)]
    fn count_negative_i16(self, value: <Self as Words>::I16) -> u32 {
        Words::count_negative_i16(self, value)
    }
    #[inline(always)]
    fn below_i16(self, a: <Self as Words>::I16, b: <Self as Words>::I16) -> u32 {
        Words::below_i16(self, a, b)
    }
    #[inline(always)]
    fn dot_i16(self, a: <Self as Words>::I16, b: <Self as Words>::I16) -> I32x16 {
        Words::dot_i16(self, a, b)
    }
    #[inline(always)]
    fn add_dot_i16(self, sum: I32x16, a: <Self as Words>::I16, b: <Self as Words>::I16) -> I32x16 {
        Words::add_dot_i16(self, sum, a, b)
    }
    #[inline(always)]
    fn halves_i16(self, even: I32x16, odd: I32x16) -> Pair<Self> {
        Words::halves_i16(self, even, odd)
    }
    const PACKS: bool = true;
    #[inline(always)]
    fn load_packed_i16<const D: usize>(self, from: &[u8]) -> <Self as Words>::I16 {
        Words::load_packed_i16::<D>(self, from)
    }
    #[inline(always)]
    fn store_packed_i16<const D: usize>(self, to: &mut [u8], value: <Self as Words>::I16) {
        Words::store_packed_i16::<D>(self, to, value);
    }
    #[inline(always)]
    fn load_bytes_i16(self, from: &[u8]) -> <Self as Words>::I16 {
        Words::load_bytes_i16(self, from)
    }
    #[inline(always)]
    fn keep_12_bits_below(self, limit: i16, to: &mut [i16], from: &[u8; 24]) -> usize {
        Words::keep_12_bits_below(self, limit, to, from)
    }
    #[inline(always)]
    fn keep_32_of_12_bits_below(self, limit: i16, to: &mut [i16], from: &[u8; 48]) -> usize {
        Words::keep_32_of_12_bits_below(self, limit, to, from)
    }
    #[inline(always)]
    fn keep_words_below(self, limit: u16, to: &mut [i16], from: &[u8; 32]) -> usize {
        Words::keep_words_below(self, limit, to, from)
    }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn negated(value: __m512d) -> __m512d {
    // AVX-512F has no such operation on doubles.
    _mm512_castsi512_pd(_mm512_xor_si512(_mm512_castpd_si512(value), _mm512_set1_epi64(i64::MIN)))
}

#[target_feature(enable = "avx512f")]
#[inline]
fn zip(block: usize, a: __m512d, b: __m512d) -> (__m512d, __m512d) {
    let first = match block {
        1 => _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11),
        2 => _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11),
        _ => _mm512_setr_epi64(0, 1, 2, 3, 8, 9, 10, 11),
    };
    let second = _mm512_add_epi64(first, _mm512_set1_epi64(4));
    (_mm512_permutex2var_pd(a, first, b), _mm512_permutex2var_pd(a, second, b))
}

#[target_feature(enable = "avx512f")]
#[inline]
fn unzip(block: usize, a: __m512d, b: __m512d) -> (__m512d, __m512d) {
    let first = match block {
        1 => _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14),
        2 => _mm512_setr_epi64(0, 1, 4, 5, 8, 9, 12, 13),
        _ => _mm512_setr_epi64(0, 1, 2, 3, 8, 9, 10, 11),
    };
    let second = _mm512_add_epi64(first, _mm512_set1_epi64(block as i64));
    (_mm512_permutex2var_pd(a, first, b), _mm512_permutex2var_pd(a, second, b))
}

#[target_feature(enable = "avx512f")]
#[inline]
fn mantissa_and_exponent(value: __m512d) -> (__m512d, __m512d) {
    (_mm512_getmant_pd::<_MM_MANT_NORM_1_2, _MM_MANT_SIGN_ZERO>(value), _mm512_getexp_pd(value))
}

#[target_feature(enable = "avx512f")]
#[inline]
fn to_doubles(v: __m512i) -> (__m512d, __m512d) {
    let (low, high) = (_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64::<1>(v));
    (_mm512_cvtepi32_pd(low), _mm512_cvtepi32_pd(high))
}

#[target_feature(enable = "avx512f")]
#[inline]
fn zip_dwords(block: usize, a: __m512i, b: __m512i) -> (__m512i, __m512i) {
    let first = match block {
        1 => _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
        2 => _mm512_setr_epi32(0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23),
        4 => _mm512_setr_epi32(0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23),
        _ => _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23),
    };
    let second = _mm512_add_epi32(first, _mm512_set1_epi32(8));
    (_mm512_permutex2var_epi32(a, first, b), _mm512_permutex2var_epi32(a, second, b))
}

#[target_feature(enable = "avx512f")]
#[inline]
fn unzip_dwords(block: usize, a: __m512i, b: __m512i) -> (__m512i, __m512i) {
    let first = match block {
        1 => _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30),
        2 => _mm512_setr_epi32(0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29),
        4 => _mm512_setr_epi32(0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27),
        _ => _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23),
    };
    let second = _mm512_add_epi32(first, _mm512_set1_epi32(block as i32));
    (_mm512_permutex2var_epi32(a, first, b), _mm512_permutex2var_epi32(a, second, b))
}

#[target_feature(enable = "avx512f")]
#[inline]
fn flip_dwords(bits: usize, v: __m512i) -> __m512i {
    match bits {
        1 => _mm512_shuffle_epi32::<0b10_11_00_01>(v),
        2 => _mm512_shuffle_epi32::<0b01_00_11_10>(v),
        3 => _mm512_shuffle_epi32::<0b00_01_10_11>(v),
        4 => _mm512_permutex_epi64::<0b01_00_11_10>(v),
        8 => _mm512_shuffle_i64x2::<0b01_00_11_10>(v, v),
        _ => {
            let lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
            _mm512_permutexvar_epi32(_mm512_xor_si512(lanes, _mm512_set1_epi32(bits as i32)), v)
        }
    }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn blend_dwords(block: usize, a: __m512i, b: __m512i) -> __m512i {
    match block {
        1 => _mm512_mask_blend_epi32(0b1010_1010_1010_1010, a, b),
        2 => _mm512_mask_blend_epi32(0b1100_1100_1100_1100, a, b),
        4 => _mm512_mask_blend_epi32(0b1111_0000_1111_0000, a, b),
        _ => _mm512_mask_blend_epi32(0b1111_1111_0000_0000, a, b),
    }
}

/// Two vectors of words.
type Pair<S> = (<S as Words>::I16, <S as Words>::I16);

/// The 16-bit part of [`Simd`], under the same names: the two tokens do not share it.
pub trait Words: Copy {
    #![allow(missing_docs, reason = "as those of Simd")]
    const LANES16: usize;
    type I16: Int16;
    fn load_i16(self, from: &[i16]) -> Self::I16;
    fn store_i16(self, to: &mut [i16], value: Self::I16);
    fn splat_i16(self, value: i16) -> Self::I16;
    fn splat_pair_i16(self, from: &[i16]) -> Self::I16;
    fn zip_i16(self, a: Self::I16, b: Self::I16) -> Pair<Self>;
    fn unzip_i16(self, a: Self::I16, b: Self::I16) -> Pair<Self>;
    const SWAPS: bool;
    fn swap_i16(self, block: usize, a: Self::I16, b: Self::I16) -> Pair<Self>;
    fn zip_pairs_i16(self, a: Self::I16, b: Self::I16) -> Pair<Self>;
    fn unzip_pairs_i16(self, a: Self::I16, b: Self::I16) -> Pair<Self>;
    fn unwritten_i16<const N: usize>(self, memory: &mut MaybeUninit<[Self::I16; N]>) -> &mut [Self::I16; N];
    fn zip_eights_i16(self, a: Self::I16, b: Self::I16) -> Pair<Self>;
    fn load_eights_i16(self, from: &[i16], stride: usize) -> Self::I16;
    fn store_eights_i16(self, to: &mut [i16], stride: usize, value: Self::I16);
    fn count_negative_i16(self, value: Self::I16) -> u32;
    fn below_i16(self, a: Self::I16, b: Self::I16) -> u32;
    fn dot_i16(self, a: Self::I16, b: Self::I16) -> I32x16;
    #[inline(always)]
    fn add_dot_i16(self, sum: I32x16, a: Self::I16, b: Self::I16) -> I32x16 {
        sum + self.dot_i16(a, b)
    }
    fn halves_i16(self, even: I32x16, odd: I32x16) -> Pair<Self>;
    fn load_packed_i16<const D: usize>(self, from: &[u8]) -> Self::I16;
    fn store_packed_i16<const D: usize>(self, to: &mut [u8], value: Self::I16);
    fn load_bytes_i16(self, from: &[u8]) -> Self::I16;
    fn keep_12_bits_below(self, limit: i16, to: &mut [i16], from: &[u8; 24]) -> usize;
    fn keep_32_of_12_bits_below(self, limit: i16, to: &mut [i16], from: &[u8; 48]) -> usize;
    fn keep_words_below(self, limit: u16, to: &mut [i16], from: &[u8; 32]) -> usize;
}

/// AVX-512F has no 16-bit arithmetic: that of AVX2.
impl Words for Avx512f {
    const LANES16: usize = Avx2::LANES16;
    const SWAPS: bool = Avx2::SWAPS;
    type I16 = I16x16;

    #[inline(always)]
    fn load_i16(self, from: &[i16]) -> I16x16 {
        self.half().load_i16(from)
    }
    #[inline(always)]
    fn store_i16(self, to: &mut [i16], value: I16x16) {
        self.half().store_i16(to, value);
    }
    #[inline(always)]
    fn splat_i16(self, value: i16) -> I16x16 {
        self.half().splat_i16(value)
    }
    #[inline(always)]
    fn splat_pair_i16(self, from: &[i16]) -> I16x16 {
        self.half().splat_pair_i16(from)
    }
    #[inline(always)]
    fn zip_i16(self, a: I16x16, b: I16x16) -> Pair<Self> {
        self.half().zip_i16(a, b)
    }
    #[inline(always)]
    fn unzip_i16(self, a: I16x16, b: I16x16) -> Pair<Self> {
        self.half().unzip_i16(a, b)
    }
    #[inline(always)]
    fn swap_i16(self, block: usize, a: I16x16, b: I16x16) -> Pair<Self> {
        self.half().swap_i16(block, a, b)
    }
    #[inline(always)]
    fn zip_pairs_i16(self, a: I16x16, b: I16x16) -> Pair<Self> {
        self.half().zip_pairs_i16(a, b)
    }
    #[inline(always)]
    fn unzip_pairs_i16(self, a: I16x16, b: I16x16) -> Pair<Self> {
        self.half().unzip_pairs_i16(a, b)
    }
    #[inline(always)]
    fn unwritten_i16<const N: usize>(self, memory: &mut MaybeUninit<[I16x16; N]>) -> &mut [I16x16; N] {
        self.half().unwritten_i16(memory)
    }
    #[inline(always)]
    fn zip_eights_i16(self, a: I16x16, b: I16x16) -> Pair<Self> {
        self.half().zip_eights_i16(a, b)
    }
    #[inline(always)]
    fn load_eights_i16(self, from: &[i16], stride: usize) -> I16x16 {
        self.half().load_eights_i16(from, stride)
    }
    #[inline(always)]
    fn store_eights_i16(self, to: &mut [i16], stride: usize, value: I16x16) {
        self.half().store_eights_i16(to, stride, value);
    }
    #[inline(always)]
    fn count_negative_i16(self, value: I16x16) -> u32 {
        self.half().count_negative_i16(value)
    }
    #[inline(always)]
    fn below_i16(self, a: I16x16, b: I16x16) -> u32 {
        self.half().below_i16(a, b)
    }
    #[inline(always)]
    fn dot_i16(self, a: I16x16, b: I16x16) -> I32x16 {
        // SAFETY: AVX-512F by the token.
        unsafe { I32x16(_mm512_zextsi256_si512(self.half().dot_i16(a, b).0)) }
    }
    #[inline(always)]
    fn halves_i16(self, even: I32x16, odd: I32x16) -> Pair<Self> {
        // SAFETY: AVX-512F by the token.
        let lower = |v: I32x16| unsafe { I32x8(_mm512_castsi512_si256(v.0)) };
        self.half().halves_i16(lower(even), lower(odd))
    }
    #[inline(always)]
    fn load_packed_i16<const D: usize>(self, from: &[u8]) -> I16x16 {
        self.half().load_packed_i16::<D>(from)
    }
    #[inline(always)]
    fn store_packed_i16<const D: usize>(self, to: &mut [u8], value: I16x16) {
        self.half().store_packed_i16::<D>(to, value);
    }
    #[inline(always)]
    fn load_bytes_i16(self, from: &[u8]) -> I16x16 {
        self.half().load_bytes_i16(from)
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
    fn keep_32_of_12_bits_below(self, limit: i16, to: &mut [i16], from: &[u8; 48]) -> usize {
        let (first, second) = from.split_at(24);
        let mut kept = 0;
        for from in [first, second].into_iter().flat_map(<[u8]>::first_chunk) {
            kept += Words::keep_12_bits_below(self, limit, &mut to[kept..], from);
        }
        kept
    }
    #[inline(always)]
    fn keep_words_below(self, limit: u16, to: &mut [i16], from: &[u8; 32]) -> usize {
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

/// The two bytes that hold each of 32 numbers of 12 bits.
#[repr(align(64))]
struct Holders([u8; 64]);

static HOLDERS: Holders = {
    let mut bytes = [0; 64];
    let mut i = 0;
    while i < 32 {
        bytes[2 * i] = (3 * i / 2) as u8;
        bytes[2 * i + 1] = bytes[2 * i] + 1;
        i += 1;
    }
    Holders(bytes)
};

/// AVX-512BW, of VBMI the permutation of bytes, and of VBMI2 the compression of words.
impl Words for Avx512 {
    integer16_methods!(I16x32: 32, load _mm512_loadu_si512, bytes _mm512_loadu_si512, store _mm512_storeu_si512, splat _mm512_set1_epi16,
        zip zip_words, unzip unzip_words,
        negative |v| _mm512_movepi16_mask(v).count_ones(), below |a, b| _mm512_cmplt_epu16_mask(a, b), dot _mm512_madd_epi16 => I32x16, halves halves, swap swap_words,
        zip_pairs |a, b| zip_dwords(1, a, b), unzip_pairs |a, b| unzip_dwords(1, a, b),
        zip_eights |a, b| (_mm512_unpacklo_epi16(a, b), _mm512_unpackhi_epi16(a, b)),
        load_eights load_eights, store_eights store_eights);
    #[inline(always)]
    fn add_dot_i16(self, sum: I32x16, a: I16x32, b: I16x32) -> I32x16 {
        // SAFETY: AVX-512F and AVX512-VNNI by the token.
        unsafe { I32x16(add_dot(sum.0, a.0, b.0)) }
    }
    #[inline(always)]
    fn splat_pair_i16(self, from: &[i16]) -> I16x32 {
        let pair: &[i16; 2] = from.first_chunk().expect("a pair");
        // One load, from which the vector is filled without a shuffle.
        // SAFETY: four bytes are there; AVX-512F by the token.
        unsafe { I16x32(_mm512_set1_epi32(pair.as_ptr().cast::<i32>().read_unaligned())) }
    }
    #[inline(always)]
    fn load_packed_i16<const D: usize>(self, from: &[u8]) -> I16x32 {
        // SAFETY: AVX-512BW and VBMI by the token.
        unsafe { I16x32(load_32::<D>(from)) }
    }
    #[inline(always)]
    fn store_packed_i16<const D: usize>(self, to: &mut [u8], value: I16x32) {
        // SAFETY: AVX-512BW and VBMI by the token.
        unsafe { store_32::<D>(to, value.0) }
    }
    #[inline(always)]
    fn keep_12_bits_below(self, limit: i16, to: &mut [i16], from: &[u8; 24]) -> usize {
        assert!(to.len() >= 16);
        // SAFETY: sixteen words have room; AVX2, AVX-512BW, VL and VBMI2 by the token.
        unsafe {
            let words = twelve_bit_words(from);
            let kept = _mm256_cmplt_epi16_mask(words, _mm256_set1_epi16(limit));
            _mm256_storeu_si256(to.as_mut_ptr().cast(), _mm256_maskz_compress_epi16(kept, words));
            kept.count_ones() as usize
        }
    }
    #[inline(always)]
    fn keep_32_of_12_bits_below(self, limit: i16, to: &mut [i16], from: &[u8; 48]) -> usize {
        assert!(to.len() >= 32);
        // SAFETY: 48 bytes are read, 32 words have room; AVX-512BW, VBMI and VBMI2 by the token.
        unsafe {
            let bytes = _mm512_maskz_loadu_epi8((1 << 48) - 1, from.as_ptr().cast());
            let holders = _mm512_permutexvar_epi8(_mm512_loadu_si512(HOLDERS.0.as_ptr().cast()), bytes);
            let words = _mm512_srlv_epi16(holders, _mm512_set1_epi32(4 << 16));
            let words = _mm512_and_si512(words, _mm512_set1_epi16(0xFFF));
            let kept = _mm512_cmplt_epi16_mask(words, _mm512_set1_epi16(limit));
            _mm512_storeu_si512(to.as_mut_ptr().cast(), _mm512_maskz_compress_epi16(kept, words));
            kept.count_ones() as usize
        }
    }
    #[inline(always)]
    fn keep_words_below(self, limit: u16, to: &mut [i16], from: &[u8; 32]) -> usize {
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

#[target_feature(enable = "avx512f,avx512vnni")]
#[inline]
fn add_dot(mut sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
    // Of the intrinsic the compiler makes a product and an addition where the sum is not there yet.
    // SAFETY: registers alone; the instruction by the features.
    unsafe {
        core::arch::asm!("vpdpwssd {0}, {1}, {2}", inout(zmm_reg) sum, in(zmm_reg) a, in(zmm_reg) b,
            options(pure, nomem, nostack, preserves_flags));
    }
    sum
}

/// # Safety
/// Four times eight integers are there, `stride` from one to the next.
#[target_feature(enable = "avx512bw")]
#[inline]
unsafe fn load_eights(from: *const i16, stride: usize) -> __m512i {
    // SAFETY: by the contract.
    unsafe {
        let part = |i: usize| _mm_loadu_si128(from.add(i * stride).cast());
        let vector = _mm512_castsi128_si512(part(0));
        let vector = _mm512_inserti32x4::<1>(vector, part(1));
        let vector = _mm512_inserti32x4::<2>(vector, part(2));
        _mm512_inserti32x4::<3>(vector, part(3))
    }
}

/// # Safety
/// Four times eight integers have room, `stride` from one to the next.
#[target_feature(enable = "avx512bw")]
#[inline]
unsafe fn store_eights(to: *mut i16, stride: usize, value: __m512i) {
    // SAFETY: by the contract.
    unsafe {
        _mm_storeu_si128(to.cast(), _mm512_castsi512_si128(value));
        _mm_storeu_si128(to.add(stride).cast(), _mm512_extracti32x4_epi32::<1>(value));
        _mm_storeu_si128(to.add(2 * stride).cast(), _mm512_extracti32x4_epi32::<2>(value));
        _mm_storeu_si128(to.add(3 * stride).cast(), _mm512_extracti32x4_epi32::<3>(value));
    }
}

#[target_feature(enable = "avx512bw")]
#[inline]
fn zip_words(a: __m512i, b: __m512i) -> (__m512i, __m512i) {
    // Inside each quarter; then the quarters in their order.
    let (low, high) = (_mm512_unpacklo_epi16(a, b), _mm512_unpackhi_epi16(a, b));
    let first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    let second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    (_mm512_permutex2var_epi64(low, first, high), _mm512_permutex2var_epi64(low, second, high))
}

#[target_feature(enable = "avx512bw")]
#[inline]
fn unzip_words(a: __m512i, b: __m512i) -> (__m512i, __m512i) {
    // Inside each quarter even lanes before odd ones; then the even halves of quarters, the odd ones.
    let sort = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15));
    let (a, b) = (_mm512_shuffle_epi8(a, sort), _mm512_shuffle_epi8(b, sort));
    let even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    let odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
    (_mm512_permutex2var_epi64(a, even, b), _mm512_permutex2var_epi64(a, odd, b))
}

#[target_feature(enable = "avx512bw")]
#[inline]
fn swap_words(block: usize, a: __m512i, b: __m512i) -> (__m512i, __m512i) {
    match block {
        16 => (_mm512_shuffle_i64x2::<0b01_00_01_00>(a, b), _mm512_shuffle_i64x2::<0b11_10_11_10>(a, b)),
        8 => {
            let even = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
            let odd = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
            (_mm512_permutex2var_epi64(a, even, b), _mm512_permutex2var_epi64(a, odd, b))
        }
        4 => (_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b)),
        _ => {
            let even = _mm512_setr_epi32(0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30);
            let odd = _mm512_setr_epi32(1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31);
            (_mm512_permutex2var_epi32(a, even, b), _mm512_permutex2var_epi32(a, odd, b))
        }
    }
}

#[target_feature(enable = "avx512bw")]
#[inline]
fn halves(even: __m512i, odd: __m512i) -> (__m512i, __m512i) {
    const ODD: __mmask32 = 0xAAAA_AAAA;
    let lower = _mm512_mask_blend_epi16(ODD, even, _mm512_slli_epi32::<16>(odd));
    (lower, _mm512_mask_blend_epi16(ODD, _mm512_srli_epi32::<16>(even), odd))
}
