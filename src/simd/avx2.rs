//! AVX2: four doubles, eight 32-bit integers.

use super::intrinsics::{
    FRACTION, TWO_52, columns, doubles, integers16, integers32, opaque, tokens, wide_products,
};
use super::{Simd, Sse2, Token};
use core::arch::x86_64::*;

// AVX2 with the bit-manipulation instructions that came with it; AES is no part of it, but hardly ever missing.
tokens!(Avx2Level, is_x86_feature_detected,
    Avx2 ["avx2" "bmi1" "bmi2" "lzcnt" "popcnt"], Avx2Aes ["aes" "pclmulqdq"]);

doubles!(F64x4, __m256d, add _mm256_add_pd, sub _mm256_sub_pd, mul _mm256_mul_pd, div _mm256_div_pd,
    sqrt _mm256_sqrt_pd, splat _mm256_set1_pd, sign |v| _mm256_xor_pd(v, _mm256_set1_pd(-0.0)));

integers32!(I32x8, __m256i, add _mm256_add_epi32, sub _mm256_sub_epi32, xor _mm256_xor_si256,
    and _mm256_and_si256, shl _mm256_slli_epi32, shr _mm256_srli_epi32, sar _mm256_srai_epi32,
    min _mm256_min_epu32,
    minus_one |x, a, b| _mm256_add_epi32(x, _mm256_cmpgt_epi32(a, b)));

opaque!(opaque_register, "avx2", __m256i, ymm_reg);

integers16!(I16x16, __m256i, add _mm256_add_epi16, sub _mm256_sub_epi16, and _mm256_and_si256,
    low _mm256_mullo_epi16, high _mm256_mulhi_epi16, sar _mm256_srai_epi16, shr _mm256_srli_epi16);

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
    const LANES: usize = 4;
    const LANES32: usize = 8;
    const LANES16: usize = 16;
    type Real = f64;
    type F64 = F64x4;
    type I32 = I32x8;
    type I16 = I16x16;
    type Half = Sse2;

    #[inline(always)]
    fn half(self) -> Sse2 {
        Sse2::of_wider()
    }
    #[inline(always)]
    fn load(self, from: &[f64]) -> F64x4 {
        assert!(from.len() >= 4);
        // SAFETY: four doubles are there; AVX2 by the token.
        unsafe { F64x4(_mm256_loadu_pd(from.as_ptr())) }
    }
    #[inline(always)]
    fn store(self, to: &mut [f64], value: F64x4) {
        assert!(to.len() >= 4);
        // SAFETY: four doubles have room; AVX2 by the token.
        unsafe { _mm256_storeu_pd(to.as_mut_ptr(), value.0) }
    }
    #[inline(always)]
    fn splat(self, value: f64) -> F64x4 {
        // SAFETY: AVX2 by the token.
        unsafe { F64x4(_mm256_set1_pd(value)) }
    }
    #[inline(always)]
    fn unzip(self, block: usize, a: F64x4, b: F64x4) -> (F64x4, F64x4) {
        // SAFETY: AVX2 by the token.
        unsafe {
            let low = _mm256_permute2f128_pd::<0x20>(a.0, b.0);
            let high = _mm256_permute2f128_pd::<0x31>(a.0, b.0);
            match block {
                // a0 a1 b0 b1, a2 a3 b2 b3
                2 => (F64x4(low), F64x4(high)),
                // a0 a2 b0 b2, a1 a3 b1 b3
                _ => (F64x4(_mm256_unpacklo_pd(low, high)), F64x4(_mm256_unpackhi_pd(low, high))),
            }
        }
    }
    #[inline(always)]
    fn zip(self, block: usize, a: F64x4, b: F64x4) -> (F64x4, F64x4) {
        // SAFETY: AVX2 by the token.
        unsafe {
            match block {
                2 => (
                    F64x4(_mm256_permute2f128_pd::<0x20>(a.0, b.0)),
                    F64x4(_mm256_permute2f128_pd::<0x31>(a.0, b.0)),
                ),
                _ => {
                    let (low, high) = (_mm256_unpacklo_pd(a.0, b.0), _mm256_unpackhi_pd(a.0, b.0));
                    (
                        F64x4(_mm256_permute2f128_pd::<0x20>(low, high)),
                        F64x4(_mm256_permute2f128_pd::<0x31>(low, high)),
                    )
                }
            }
        }
    }
    #[inline(always)]
    fn floor(self, value: F64x4) -> F64x4 {
        // SAFETY: AVX2 by the token.
        unsafe { F64x4(_mm256_floor_pd(value.0)) }
    }
    #[inline(always)]
    fn mantissa_and_exponent(self, value: F64x4) -> (F64x4, F64x4) {
        // SAFETY: AVX2 by the token.
        unsafe {
            let bits = _mm256_castpd_si256(value.0);
            let fraction = _mm256_and_si256(bits, _mm256_set1_epi64x(FRACTION));
            let mantissa = _mm256_or_si256(fraction, _mm256_castpd_si256(_mm256_set1_pd(1.0)));
            let shifted =
                _mm256_or_si256(_mm256_srli_epi64::<52>(bits), _mm256_castpd_si256(_mm256_set1_pd(TWO_52)));
            let exponent = _mm256_sub_pd(_mm256_castsi256_pd(shifted), _mm256_set1_pd(TWO_52 + 1023.0));
            (F64x4(_mm256_castsi256_pd(mantissa)), F64x4(exponent))
        }
    }
    #[inline(always)]
    fn less(self, a: F64x4, b: F64x4) -> u32 {
        // SAFETY: AVX2 by the token.
        unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(a.0, b.0)) as u32 }
    }
    #[inline(always)]
    fn splat_i32(self, value: i32) -> I32x8 {
        // SAFETY: AVX2 by the token.
        unsafe { I32x8(_mm256_set1_epi32(value)) }
    }
    #[inline(always)]
    fn load_i32(self, from: &[u32]) -> I32x8 {
        assert!(from.len() >= 8);
        // SAFETY: eight integers are there; AVX2 by the token.
        unsafe { I32x8(_mm256_loadu_si256(from.as_ptr().cast())) }
    }
    #[inline(always)]
    fn store_i32(self, to: &mut [u32], value: I32x8) {
        assert!(to.len() >= 8);
        // SAFETY: eight integers have room; AVX2 by the token.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), value.0) }
    }
    #[inline(always)]
    fn load_columns(self, from: &[u8], stride: usize) -> [I32x8; 3] {
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
    #[inline(always)]
    fn store_as_f64(self, to: &mut [f64], value: I32x8) {
        assert!(to.len() >= 8);
        // SAFETY: eight doubles have room; AVX2 by the token.
        unsafe {
            let (low, high) = (_mm256_castsi256_si128(value.0), _mm256_extracti128_si256::<1>(value.0));
            _mm256_storeu_pd(to.as_mut_ptr(), _mm256_cvtepi32_pd(low));
            _mm256_storeu_pd(to.as_mut_ptr().add(4), _mm256_cvtepi32_pd(high));
        }
    }
    #[inline(always)]
    fn splat_i16(self, value: i16) -> I16x16 {
        // SAFETY: AVX2 by the token.
        unsafe { I16x16(_mm256_set1_epi16(value)) }
    }
    #[inline(always)]
    fn load_i16(self, from: &[i16]) -> I16x16 {
        assert!(from.len() >= 16);
        // SAFETY: sixteen integers are there; AVX2 by the token.
        unsafe { I16x16(_mm256_loadu_si256(from.as_ptr().cast())) }
    }
    #[inline(always)]
    fn store_i16(self, to: &mut [i16], value: I16x16) {
        assert!(to.len() >= 16);
        // SAFETY: sixteen integers have room; AVX2 by the token.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), value.0) }
    }
    #[inline(always)]
    fn zip_i16(self, a: I16x16, b: I16x16) -> (I16x16, I16x16) {
        // SAFETY: AVX2 by the token.
        unsafe {
            let (low, high) = (_mm256_unpacklo_epi16(a.0, b.0), _mm256_unpackhi_epi16(a.0, b.0));
            (
                I16x16(_mm256_permute2x128_si256::<0x20>(low, high)),
                I16x16(_mm256_permute2x128_si256::<0x31>(low, high)),
            )
        }
    }
    #[inline(always)]
    fn unzip_i16(self, a: I16x16, b: I16x16) -> (I16x16, I16x16) {
        // SAFETY: AVX2 by the token.
        unsafe {
            // Within each half: even lanes, then odd lanes.
            let halves = _mm256_setr_epi8(
                0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15, 0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7,
                10, 11, 14, 15,
            );
            let sort = |v| _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_shuffle_epi8(v, halves));
            let (a, b) = (sort(a.0), sort(b.0));
            (I16x16(_mm256_permute2x128_si256::<0x20>(a, b)), I16x16(_mm256_permute2x128_si256::<0x31>(a, b)))
        }
    }
    #[inline(always)]
    fn load_bytes_i16(self, from: &[u8]) -> I16x16 {
        assert!(from.len() >= 32);
        // SAFETY: 32 bytes are there; AVX2 by the token.
        unsafe { I16x16(_mm256_loadu_si256(from.as_ptr().cast())) }
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
    fn dot_i16(self, a: I16x16, b: I16x16) -> I32x8 {
        // SAFETY: AVX2 by the token.
        unsafe { I32x8(_mm256_madd_epi16(a.0, b.0)) }
    }
    #[inline(always)]
    fn halves_i16(self, even: I32x8, odd: I32x8) -> (I16x16, I16x16) {
        // SAFETY: AVX2 by the token.
        unsafe {
            let lower = _mm256_blend_epi16::<0b1010_1010>(even.0, _mm256_slli_epi32::<16>(odd.0));
            let upper = _mm256_blend_epi16::<0b1010_1010>(_mm256_srli_epi32::<16>(even.0), odd.0);
            (I16x16(lower), I16x16(upper))
        }
    }
    #[inline(always)]
    fn unzip_i32(self, block: usize, a: I32x8, b: I32x8) -> (I32x8, I32x8) {
        // SAFETY: AVX2 by the token.
        unsafe {
            // The lower and the upper halves of both.
            let low = _mm256_permute2x128_si256::<0x20>(a.0, b.0);
            let high = _mm256_permute2x128_si256::<0x31>(a.0, b.0);
            match block {
                4 => (I32x8(low), I32x8(high)),
                2 => (I32x8(_mm256_unpacklo_epi64(low, high)), I32x8(_mm256_unpackhi_epi64(low, high))),
                _ => {
                    let (low, high) = (_mm256_castsi256_ps(low), _mm256_castsi256_ps(high));
                    let even = _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(low, high));
                    let odd = _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(low, high));
                    (I32x8(even), I32x8(odd))
                }
            }
        }
    }
    #[inline(always)]
    fn zip_i32(self, block: usize, a: I32x8, b: I32x8) -> (I32x8, I32x8) {
        // SAFETY: AVX2 by the token.
        unsafe {
            let (low, high) = match block {
                4 => (a.0, b.0),
                2 => (_mm256_unpacklo_epi64(a.0, b.0), _mm256_unpackhi_epi64(a.0, b.0)),
                _ => (_mm256_unpacklo_epi32(a.0, b.0), _mm256_unpackhi_epi32(a.0, b.0)),
            };
            (
                I32x8(_mm256_permute2x128_si256::<0x20>(low, high)),
                I32x8(_mm256_permute2x128_si256::<0x31>(low, high)),
            )
        }
    }
    wide_products!(I32x8, mul _mm256_mul_epu32, add _mm256_add_epi64, sub _mm256_sub_epi64,
        shl _mm256_slli_epi64, shr _mm256_srli_epi64, and _mm256_and_si256, splat _mm256_set1_epi32,
        opaque opaque_register, odd |even, odd| _mm256_blend_epi32::<0b1010_1010>(even, odd));
}
