//! AVX2: four doubles, eight 32-bit integers.

use super::intrinsics::{
    FRACTION, TWO_52, columns, double_methods, doubles, integer16_methods, integer32_methods, integers16,
    integers32, opaque, tokens, wide_products,
};
use super::packed::{load_16, store_16};
use super::{Simd, Sse2, Token};
use core::arch::x86_64::*;

// AVX2 with the bit-manipulation instructions that came with it; AES is no part of it, but hardly ever missing.
tokens!(Avx2Level, is_x86_feature_detected,
    Avx2 ["avx2" "bmi1" "bmi2" "lzcnt" "popcnt"], Avx2Aes ["aes" "pclmulqdq"]);

doubles!(F64x4, __m256d, add _mm256_add_pd, sub _mm256_sub_pd, mul _mm256_mul_pd, div _mm256_div_pd,
    sqrt _mm256_sqrt_pd, splat _mm256_set1_pd, sign negated);

integers32!(I32x8, __m256i, add _mm256_add_epi32, sub _mm256_sub_epi32, xor _mm256_xor_si256,
    and _mm256_and_si256, shl _mm256_slli_epi32, shr _mm256_srli_epi32, sar _mm256_srai_epi32,
    min _mm256_min_epu32, minus_one |x, a, b| _mm256_add_epi32(x, _mm256_cmpgt_epi32(a, b)),
    sorted _mm256_min_epi32, _mm256_max_epi32);

opaque!(opaque_register, "avx2", __m256i, ymm_reg);

integers16!(I16x16, __m256i, add _mm256_add_epi16, sub _mm256_sub_epi16, and _mm256_and_si256,
    low _mm256_mullo_epi16, high _mm256_mulhi_epi16, high_unsigned _mm256_mulhi_epu16, sar _mm256_srai_epi16, shr _mm256_srli_epi16,
    minus_one |x, a, b| _mm256_add_epi16(x, _mm256_cmpgt_epi16(a, b)));

/// Sixteen numbers of 12 bits, the first in the lowest bits.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
pub(super) unsafe fn twelve_bit_words(from: &[u8; 24]) -> __m256i {
    // SAFETY: AVX2 by the contract; sixteen bytes are read from the first and from the ninth on.
    unsafe {
        let bytes = _mm256_inserti128_si256::<1>(
            _mm256_castsi128_si256(_mm_loadu_si128(from.as_ptr().cast())),
            _mm_loadu_si128(from.as_ptr().add(8).cast()),
        );
        // The two bytes that hold each number: twelve bytes of each half, which in the upper one begin at the fifth.
        let holders = _mm256_shuffle_epi8(
            bytes,
            _mm256_setr_epi8(
                0, 1, 1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 10, 11, 4, 5, 5, 6, 7, 8, 8, 9, 10, 11, 11, 12,
                13, 14, 14, 15,
            ),
        );
        let even = _mm256_and_si256(holders, _mm256_set1_epi16(0xFFF));
        _mm256_blend_epi16::<0b1010_1010>(even, _mm256_srli_epi16::<4>(holders))
    }
}

/// How to bring those of eight words to the front that a bit of the index names.
#[repr(C, align(16))]
struct Compaction {
    bytes: [u8; 16],
    count: usize,
}

impl Compaction {
    /// The bytes as a vector.
    ///
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    unsafe fn load(&self) -> __m128i {
        // SAFETY: AVX2 by the contract; sixteen bytes are there.
        unsafe { _mm_loadu_si128(self.bytes.as_ptr().cast()) }
    }
}

static COMPACTIONS: [Compaction; 256] = {
    let mut all = [const { Compaction { bytes: [0; 16], count: 0 } }; 256];
    let mut index = 0;
    while index < 256 {
        let (mut word, mut count) = (0, 0);
        while word < 8 {
            if index >> word & 1 == 1 {
                all[index].bytes[2 * count] = 2 * word;
                all[index].bytes[2 * count + 1] = 2 * word + 1;
                count += 1;
            }
            word += 1;
        }
        all[index].count = count;
        index += 1;
    }
    all
};

impl<const EXTRA: bool> Simd for Avx2Level<EXTRA>
where
    Self: Token,
{
    double_methods!(F64x4: 4, half Sse2 Sse2::of_wider(), load _mm256_loadu_pd, store _mm256_storeu_pd,
        splat _mm256_set1_pd, zip zip, unzip unzip, floor _mm256_floor_pd, split mantissa_and_exponent,
        less |a, b| _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(a, b)) as u8);
    integer32_methods!(I32x8: 8, load _mm256_loadu_si256, store _mm256_storeu_si256, splat _mm256_set1_epi32,
        widen to_doubles => F64x4, zip zip_dwords, unzip unzip_dwords, flip flip_dwords, blend blend_dwords);
    integer16_methods!(I16x16: 16, load _mm256_loadu_si256, bytes _mm256_loadu_si256, store _mm256_storeu_si256, splat _mm256_set1_epi16,
        zip zip_words, unzip unzip_words,
        negative |v| (_mm256_movemask_epi8(v) as u32 & 0xAAAA_AAAA).count_ones(), below below, dot _mm256_madd_epi16 => I32x8, halves halves, swap swap_words,
        zip_pairs |a, b| lower_upper(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b)),
        unzip_pairs unzip_pairs, zip_eights |a, b| (_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b)),
        load_eights load_eights, store_eights store_eights);
    wide_products!(I32x8, mul _mm256_mul_epu32, add _mm256_add_epi64, sub _mm256_sub_epi64,
        shl _mm256_slli_epi64, shr _mm256_srli_epi64, and _mm256_and_si256, splat _mm256_set1_epi32,
        opaque opaque_register, odd |even, odd| _mm256_blend_epi32::<0b1010_1010>(even, odd));

    const PACKS: bool = true;
    #[inline(always)]
    fn load_packed_i16<const D: usize>(self, from: &[u8]) -> I16x16 {
        // SAFETY: AVX2 by the token.
        unsafe { I16x16(load_16::<D>(from)) }
    }
    #[inline(always)]
    fn store_packed_i16<const D: usize>(self, to: &mut [u8], value: I16x16) {
        // SAFETY: AVX2 by the token.
        unsafe { store_16::<D>(to, value.0) }
    }
    #[inline(always)]
    fn keep_12_bits_below(self, limit: i16, to: &mut [i16], from: &[u8; 24]) -> usize {
        assert!(to.len() >= 16);
        // SAFETY: AVX2 by the token; of `to`, eight words are written from at most its ninth word on.
        unsafe {
            let words = twelve_bit_words(from);
            let kept = _mm256_cmpgt_epi16(_mm256_set1_epi16(limit), words);
            let bytes = _mm_packs_epi16(_mm256_castsi256_si128(kept), _mm256_extracti128_si256::<1>(kept));
            let kept = _mm_movemask_epi8(bytes) as usize;
            let (first, second) = (&COMPACTIONS[kept & 255], &COMPACTIONS[kept >> 8 & 255]);
            let count = first.count;
            let low = _mm_shuffle_epi8(_mm256_castsi256_si128(words), first.load());
            let high = _mm_shuffle_epi8(_mm256_extracti128_si256::<1>(words), second.load());
            _mm_storeu_si128(to.as_mut_ptr().cast(), low);
            _mm_storeu_si128(to[count..count + 8].as_mut_ptr().cast(), high);
            count + second.count
        }
    }
    #[inline(always)]
    fn load_four_columns(self, from: &[u8], stride: usize) -> [I32x8; 4] {
        assert!(stride <= 64 && from.len() >= 7 * stride + 16);
        // SAFETY: the last of eight rows ends at 7 * stride + 16; AVX2 by the token.
        unsafe {
            let mut rows = [_mm256_setzero_si256(); 4];
            for (i, rows) in rows.iter_mut().enumerate() {
                let low = _mm_loadu_si128(from.as_ptr().add(i * stride).cast());
                let high = _mm_loadu_si128(from.as_ptr().add((i + 4) * stride).cast());
                *rows = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high);
            }
            columns!(rows, I32x8, low32 _mm256_unpacklo_epi32,
                high32 _mm256_unpackhi_epi32, low64 _mm256_unpacklo_epi64, high64 _mm256_unpackhi_epi64)
        }
    }
}

/// # Safety
/// Eight integers are there, and `stride` behind them.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn load_eights(from: *const i16, stride: usize) -> __m256i {
    // SAFETY: by the contract.
    unsafe {
        let first = _mm256_castsi128_si256(_mm_loadu_si128(from.cast()));
        _mm256_inserti128_si256::<1>(first, _mm_loadu_si128(from.add(stride).cast()))
    }
}

/// # Safety
/// Eight integers have room, and `stride` behind them.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn store_eights(to: *mut i16, stride: usize, value: __m256i) {
    // SAFETY: by the contract.
    unsafe {
        _mm_storeu_si128(to.cast(), _mm256_castsi256_si128(value));
        _mm_storeu_si128(to.add(stride).cast(), _mm256_extracti128_si256::<1>(value));
    }
}

/// The lower halves of both, the upper halves of both.
#[target_feature(enable = "avx2")]
#[inline]
fn lower_upper(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    (_mm256_permute2x128_si256::<0x20>(a, b), _mm256_permute2x128_si256::<0x31>(a, b))
}

/// [`lower_upper`] of doubles.
#[target_feature(enable = "avx2")]
#[inline]
fn double_lower_upper(a: __m256d, b: __m256d) -> (__m256d, __m256d) {
    (_mm256_permute2f128_pd::<0x20>(a, b), _mm256_permute2f128_pd::<0x31>(a, b))
}

#[target_feature(enable = "avx2")]
#[inline]
fn negated(value: __m256d) -> __m256d {
    _mm256_xor_pd(value, _mm256_set1_pd(-0.0))
}

#[target_feature(enable = "avx2")]
#[inline]
fn zip(block: usize, a: __m256d, b: __m256d) -> (__m256d, __m256d) {
    match block {
        2 => double_lower_upper(a, b),
        _ => double_lower_upper(_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b)),
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn unzip(block: usize, a: __m256d, b: __m256d) -> (__m256d, __m256d) {
    // a0 a1 b0 b1, a2 a3 b2 b3
    let (low, high) = double_lower_upper(a, b);
    match block {
        2 => (low, high),
        // a0 a2 b0 b2, a1 a3 b1 b3
        _ => (_mm256_unpacklo_pd(low, high), _mm256_unpackhi_pd(low, high)),
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn mantissa_and_exponent(value: __m256d) -> (__m256d, __m256d) {
    let bits = _mm256_castpd_si256(value);
    let fraction = _mm256_and_si256(bits, _mm256_set1_epi64x(FRACTION));
    let mantissa = _mm256_or_si256(fraction, _mm256_castpd_si256(_mm256_set1_pd(1.0)));
    let shifted = _mm256_or_si256(_mm256_srli_epi64::<52>(bits), _mm256_castpd_si256(_mm256_set1_pd(TWO_52)));
    let exponent = _mm256_sub_pd(_mm256_castsi256_pd(shifted), _mm256_set1_pd(TWO_52 + 1023.0));
    (_mm256_castsi256_pd(mantissa), exponent)
}

#[target_feature(enable = "avx2")]
#[inline]
fn to_doubles(v: __m256i) -> (__m256d, __m256d) {
    let (low, high) = (_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
    (_mm256_cvtepi32_pd(low), _mm256_cvtepi32_pd(high))
}

#[target_feature(enable = "avx2")]
#[inline]
fn zip_dwords(block: usize, a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    match block {
        4 => lower_upper(a, b),
        2 => lower_upper(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)),
        _ => lower_upper(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b)),
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn unzip_dwords(block: usize, a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    let (low, high) = lower_upper(a, b);
    match block {
        4 => (low, high),
        2 => (_mm256_unpacklo_epi64(low, high), _mm256_unpackhi_epi64(low, high)),
        _ => {
            let (low, high) = (_mm256_castsi256_ps(low), _mm256_castsi256_ps(high));
            let even = _mm256_shuffle_ps::<0b10_00_10_00>(low, high);
            let odd = _mm256_shuffle_ps::<0b11_01_11_01>(low, high);
            (_mm256_castps_si256(even), _mm256_castps_si256(odd))
        }
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn flip_dwords(bits: usize, v: __m256i) -> __m256i {
    match bits {
        1 => _mm256_shuffle_epi32::<0b10_11_00_01>(v),
        2 => _mm256_shuffle_epi32::<0b01_00_11_10>(v),
        3 => _mm256_shuffle_epi32::<0b00_01_10_11>(v),
        4 => _mm256_permute4x64_epi64::<0b01_00_11_10>(v),
        _ => _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0)),
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn blend_dwords(block: usize, a: __m256i, b: __m256i) -> __m256i {
    match block {
        1 => _mm256_blend_epi32::<0b1010_1010>(a, b),
        2 => _mm256_blend_epi32::<0b1100_1100>(a, b),
        _ => _mm256_blend_epi32::<0b1111_0000>(a, b),
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn zip_words(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    lower_upper(_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b))
}

#[target_feature(enable = "avx2")]
#[inline]
fn unzip_words(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    // Within each half: even lanes, then odd lanes.
    let sort =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15));
    let a = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_shuffle_epi8(a, sort));
    let b = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_shuffle_epi8(b, sort));
    lower_upper(a, b)
}

#[target_feature(enable = "avx2")]
#[inline]
fn swap_words(block: usize, a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    const ODD: i32 = 0b1010_1010;
    match block {
        8 => lower_upper(a, b),
        4 => (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)),
        _ => (
            _mm256_blend_epi32::<ODD>(a, _mm256_slli_epi64::<32>(b)),
            _mm256_blend_epi32::<ODD>(_mm256_srli_epi64::<32>(a), b),
        ),
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn unzip_pairs(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    // Of each half of a and of b.
    let (x, y) = (_mm256_castsi256_ps(a), _mm256_castsi256_ps(b));
    let even = _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(x, y));
    let odd = _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(x, y));
    (_mm256_permute4x64_epi64::<0b11_01_10_00>(even), _mm256_permute4x64_epi64::<0b11_01_10_00>(odd))
}

#[target_feature(enable = "avx2")]
#[inline]
fn below(a: __m256i, b: __m256i) -> u32 {
    // Zero, by saturation, where it is not.
    let is_not = _mm256_cmpeq_epi16(_mm256_subs_epu16(b, a), _mm256_setzero_si256());
    let (low, high) = (_mm256_castsi256_si128(is_not), _mm256_extracti128_si256::<1>(is_not));
    _mm_movemask_epi8(_mm_packs_epi16(low, high)) as u32 ^ 0xFFFF
}

#[target_feature(enable = "avx2")]
#[inline]
fn halves(even: __m256i, odd: __m256i) -> (__m256i, __m256i) {
    let lower = _mm256_blend_epi16::<0b1010_1010>(even, _mm256_slli_epi32::<16>(odd));
    (lower, _mm256_blend_epi16::<0b1010_1010>(_mm256_srli_epi32::<16>(even), odd))
}
