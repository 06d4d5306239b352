//! NEON (Advanced SIMD): two doubles, four 32-bit integers. Every AArch64 processor with Linux has it.
//!
//! It has fused multiplications; they round once where every other backend rounds twice, and are not used.

use super::intrinsics::{
    FRACTION, columns, double_methods, doubles, integer16_methods, integer32_methods, integers16, integers32,
    tokens,
};
use super::{Scalar, Simd, Token};
use core::arch::aarch64::*;

// The extra features are optional in every version of the architecture; processors of servers and of phones have
// them since about 2020.
tokens!(NeonLevel, is_aarch64_feature_detected, Neon ["neon"], NeonCrypto ["aes" "sha2" "sha3"]);

doubles!(F64x2, float64x2_t, add vaddq_f64, sub vsubq_f64, mul vmulq_f64, div vdivq_f64, sqrt vsqrtq_f64,
    splat vdupq_n_f64, sign |v| vnegq_f64(v));

integers32!(I32x4, int32x4_t, add vaddq_s32, sub vsubq_s32, xor veorq_s32, and vandq_s32,
    shl vshlq_n_s32, shr logical_shift_right, sar vshrq_n_s32,
    minus_one |x, a, b| vaddq_s32(x, vreinterpretq_s32_u32(vcgtq_s32(a, b))), sorted vminq_s32, vmaxq_s32);

integers16!(I16x8, int16x8_t, add vaddq_s16, sub vsubq_s16, and vandq_s16, low vmulq_s16, high upper_product, high_unsigned upper_unsigned_product,
    sar vshrq_n_s16, shr logical_shift_right_16,
    minus_one |x, a, b| vaddq_s16(x, vreinterpretq_s16_u16(vcgtq_s16(a, b))));

impl<const EXTRA: bool> Simd for NeonLevel<EXTRA>
where
    Self: Token,
{
    double_methods!(F64x2: 2, half Scalar Scalar::get(), load vld1q_f64, store vst1q_f64, splat vdupq_n_f64,
        zip |_, a, b| (vzip1q_f64(a, b), vzip2q_f64(a, b)), unzip |_, a, b| (vuzp1q_f64(a, b), vuzp2q_f64(a, b)),
        floor vrndmq_f64, split mantissa_and_exponent, less one_bit_a_lane);
    integer32_methods!(I32x4: 4, load vld1q_s32, store vst1q_s32, splat vdupq_n_s32, widen widen => F64x2,
        zip zip_words32, unzip unzip_words32, flip flip, blend blend);
    integer16_methods!(I16x8: 8, load vld1q_s16, bytes load_bytes, store vst1q_s16, splat vdupq_n_s16,
        zip |a, b| (vzip1q_s16(a, b), vzip2q_s16(a, b)), unzip |a, b| (vuzp1q_s16(a, b), vuzp2q_s16(a, b)),
        negative |v| u32::from(vaddvq_u16(vshrq_n_u16::<15>(vreinterpretq_u16_s16(v)))), below below, dot sums_of_products => I32x4, halves transpose);

    const CONSTANTS_ARE_LOADED: bool = true;

    const BARRETT: bool = true;
    #[inline(always)]
    fn times_i16(self, a: I16x8, factor: I16x8, helper: I16x8, modulus: i16) -> I16x8 {
        // SAFETY: NEON by the token.
        unsafe { I16x8(product_of_barrett(a.0, factor.0, helper.0, vdupq_n_s16(modulus))) }
    }
    #[inline(always)]
    fn dots_i16<const N: usize>(self, a: [I16x8; N], b: [I16x8; N]) -> I32x4 {
        // SAFETY: NEON by the token.
        unsafe {
            let (mut low, mut high) = (vdupq_n_s32(0), vdupq_n_s32(0));
            for (a, b) in a.into_iter().zip(b) {
                low = vmlal_s16(low, vget_low_s16(a.0), vget_low_s16(b.0));
                high = vmlal_high_s16(high, a.0, b.0);
            }
            I32x4(vpaddq_s32(low, high))
        }
    }
    #[inline(always)]
    fn keep_words_below(self, limit: u16, to: &mut [i16], from: &[u8; 32]) -> usize {
        // SAFETY: 32 bytes are there; NEON by the token.
        unsafe {
            let [first, second] = [0, 16].map(|at| vrev16q_u8(vld1q_u8(from[at..].as_ptr())));
            keep_below(limit, to, [vreinterpretq_u16_u8(first), vreinterpretq_u16_u8(second)])
        }
    }
    #[inline(always)]
    fn keep_12_bits_below(self, limit: i16, to: &mut [i16], from: &[u8; 24]) -> usize {
        // SAFETY: 16 bytes are there from the first and from the ninth byte on; NEON by the token.
        unsafe {
            let first = vqtbl1q_u8(vld1q_u8(from.as_ptr()), twelve_bit_places(0));
            let second = vqtbl1q_u8(vld1q_u8(from[8..].as_ptr()), twelve_bit_places(4));
            keep_below(limit as u16, to, [twelve_bits(first), twelve_bits(second)])
        }
    }
    #[inline(always)]
    fn keep_32_of_12_bits_below(self, limit: i16, to: &mut [i16], from: &[u8; 48]) -> usize {
        // SAFETY: 48 bytes are there; NEON by the token.
        unsafe {
            let [a, b, c] = [0, 16, 32].map(|at| vld1q_u8(from[at..].as_ptr()));
            let words = [
                twelve_bits(vqtbl1q_u8(a, twelve_bit_places(0))),
                twelve_bits(vqtbl2q_u8(uint8x16x2_t(a, b), twelve_bit_places(12))),
                twelve_bits(vqtbl2q_u8(uint8x16x2_t(b, c), twelve_bit_places(8))),
                twelve_bits(vqtbl1q_u8(c, twelve_bit_places(4))),
            ];
            keep_below(limit as u16, to, words)
        }
    }
    #[inline(always)]
    fn load_four_columns(self, from: &[u8], stride: usize) -> [I32x4; 4] {
        assert!(stride <= 64 && from.len() >= 3 * stride + 16);
        // SAFETY: the last of four rows ends at 3 * stride + 16; NEON by the token.
        unsafe {
            let mut rows = [vdupq_n_s32(0); 4];
            for (i, rows) in rows.iter_mut().enumerate() {
                *rows = vreinterpretq_s32_u8(vld1q_u8(from.as_ptr().add(i * stride)));
            }
            columns!(rows, I32x4, low32 vzip1q_s32, high32 vzip2q_s32,
                low64 lower_halves, high64 upper_halves)
        }
    }
}

#[target_feature(enable = "neon")]
#[inline]
fn lower_halves(a: int32x4_t, b: int32x4_t) -> int32x4_t {
    vreinterpretq_s32_s64(vzip1q_s64(vreinterpretq_s64_s32(a), vreinterpretq_s64_s32(b)))
}

#[target_feature(enable = "neon")]
#[inline]
fn upper_halves(a: int32x4_t, b: int32x4_t) -> int32x4_t {
    vreinterpretq_s32_s64(vzip2q_s64(vreinterpretq_s64_s32(a), vreinterpretq_s64_s32(b)))
}

#[target_feature(enable = "neon")]
#[inline]
fn mantissa_and_exponent(value: float64x2_t) -> (float64x2_t, float64x2_t) {
    let bits = vreinterpretq_s64_f64(value);
    let exponent_of_one = vreinterpretq_s64_f64(vdupq_n_f64(1.0));
    let mantissa = vorrq_s64(vandq_s64(bits, vdupq_n_s64(FRACTION)), exponent_of_one);
    // The value is positive: a signed shift is an unsigned one.
    let exponent = vsubq_f64(vcvtq_f64_s64(vshrq_n_s64::<52>(bits)), vdupq_n_f64(1023.0));
    (vreinterpretq_f64_s64(mantissa), exponent)
}

#[target_feature(enable = "neon")]
#[inline]
fn one_bit_a_lane(a: float64x2_t, b: float64x2_t) -> u8 {
    let mask = vcltq_f64(a, b);
    (vgetq_lane_u64::<0>(mask) & 1 | vgetq_lane_u64::<1>(mask) & 2) as u8
}

#[target_feature(enable = "neon")]
#[inline]
fn widen(v: int32x4_t) -> (float64x2_t, float64x2_t) {
    (vcvtq_f64_s64(vmovl_s32(vget_low_s32(v))), vcvtq_f64_s64(vmovl_high_s32(v)))
}

/// The upper halves of the products.
#[target_feature(enable = "neon")]
#[inline]
fn upper_product(a: int16x8_t, b: int16x8_t) -> int16x8_t {
    let low = vreinterpretq_s16_s32(vmull_s16(vget_low_s16(a), vget_low_s16(b)));
    vuzp2q_s16(low, vreinterpretq_s16_s32(vmull_high_s16(a, b)))
}

#[target_feature(enable = "neon")]
#[inline]
fn upper_unsigned_product(a: int16x8_t, b: int16x8_t) -> int16x8_t {
    let (a, b) = (vreinterpretq_u16_s16(a), vreinterpretq_u16_s16(b));
    let low = vreinterpretq_u16_u32(vmull_u16(vget_low_u16(a), vget_low_u16(b)));
    let high = vreinterpretq_u16_u32(vmull_high_u16(a, b));
    vreinterpretq_s16_u16(vuzp2q_u16(low, high))
}

#[target_feature(enable = "neon")]
#[inline]
fn below(a: int16x8_t, b: int16x8_t) -> u32 {
    mask(vcltq_u16(vreinterpretq_u16_s16(a), vreinterpretq_u16_s16(b))) as u32
}

#[target_feature(enable = "neon")]
#[inline]
fn sums_of_products(a: int16x8_t, b: int16x8_t) -> int32x4_t {
    let low = vmull_s16(vget_low_s16(a), vget_low_s16(b));
    vpaddq_s32(low, vmull_high_s16(a, b))
}

/// The intrinsic for unsigned lanes, on signed ones.
#[target_feature(enable = "neon")]
#[inline]
fn logical_shift_right<const N: i32>(v: int32x4_t) -> int32x4_t {
    vreinterpretq_s32_u32(vshrq_n_u32::<N>(vreinterpretq_u32_s32(v)))
}

/// The intrinsic for unsigned lanes, on signed ones.
#[target_feature(enable = "neon")]
#[inline]
fn logical_shift_right_16<const N: i32>(v: int16x8_t) -> int16x8_t {
    vreinterpretq_s16_u16(vshrq_n_u16::<N>(vreinterpretq_u16_s16(v)))
}

#[target_feature(enable = "neon")]
#[inline]
fn zip_words32(block: usize, a: int32x4_t, b: int32x4_t) -> (int32x4_t, int32x4_t) {
    match block {
        2 => (lower_halves(a, b), upper_halves(a, b)),
        _ => (vzip1q_s32(a, b), vzip2q_s32(a, b)),
    }
}

#[target_feature(enable = "neon")]
#[inline]
fn unzip_words32(block: usize, a: int32x4_t, b: int32x4_t) -> (int32x4_t, int32x4_t) {
    match block {
        2 => (lower_halves(a, b), upper_halves(a, b)),
        _ => (vuzp1q_s32(a, b), vuzp2q_s32(a, b)),
    }
}

#[target_feature(enable = "neon")]
#[inline]
fn flip(bits: usize, v: int32x4_t) -> int32x4_t {
    match bits {
        1 => vrev64q_s32(v),
        2 => vextq_s32::<2>(v, v),
        _ => flip(2, vrev64q_s32(v)),
    }
}

#[target_feature(enable = "neon")]
#[inline]
fn blend(block: usize, a: int32x4_t, b: int32x4_t) -> int32x4_t {
    match block {
        2 => vcombine_s32(vget_low_s32(a), vget_high_s32(b)),
        _ => vtrn2q_s32(vrev64q_s32(a), b),
    }
}

#[target_feature(enable = "neon")]
#[inline]
fn transpose(even: int32x4_t, odd: int32x4_t) -> (int16x8_t, int16x8_t) {
    let (even, odd) = (vreinterpretq_s16_s32(even), vreinterpretq_s16_s32(odd));
    (vtrn1q_s16(even, odd), vtrn2q_s16(even, odd))
}

/// # Safety
/// Sixteen bytes are there.
#[target_feature(enable = "neon")]
#[inline]
unsafe fn load_bytes(from: *const u8) -> int16x8_t {
    // SAFETY: by the contract.
    vreinterpretq_s16_u8(unsafe { vld1q_u8(from) })
}

/// a b - q round(a helper / 2^15) in the lower halves; the difference fits.
#[target_feature(enable = "neon")]
#[inline]
fn product_of_barrett(a: int16x8_t, b: int16x8_t, helper: int16x8_t, q: int16x8_t) -> int16x8_t {
    vmlsq_s16(vmulq_s16(a, b), vqrdmulhq_s16(a, helper), q)
}

/// Where both bytes are of each of eight numbers of 12 bits, from a byte on.
#[target_feature(enable = "neon")]
#[inline]
fn twelve_bit_places(from: u8) -> uint8x16_t {
    const PLACES: [u8; 16] = [0, 1, 1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 10, 11];
    // SAFETY: the array has a register's length.
    vaddq_u8(unsafe { vld1q_u8(PLACES.as_ptr()) }, vdupq_n_u8(from))
}

/// The numbers in those bytes.
#[target_feature(enable = "neon")]
#[inline]
fn twelve_bits(bytes: uint8x16_t) -> uint16x8_t {
    const DOWN: [i16; 8] = [0, -4, 0, -4, 0, -4, 0, -4];
    // SAFETY: the array has a register's length.
    let words = vshlq_u16(vreinterpretq_u16_u8(bytes), unsafe { vld1q_s16(DOWN.as_ptr()) });
    vandq_u16(words, vdupq_n_u16(0xFFF))
}

/// Writes those of `8 V` words that are below `limit`, in their order, and gives their number.
#[target_feature(enable = "neon")]
#[inline]
fn keep_below<const V: usize>(limit: u16, to: &mut [i16], words: [uint16x8_t; V]) -> usize {
    assert!(to.len() >= 8 * V);
    let mut bytes = 0;
    for words in words {
        let mask = mask(vcltq_u16(words, vdupq_n_u16(limit)));
        // SAFETY: the places have a register's length; at most 16 bytes were written for each vector before.
        unsafe {
            let places = vld1q_u8(COMPACTIONS[mask].as_ptr());
            vst1q_u8(to.as_mut_ptr().byte_add(bytes).cast(), vqtbl1q_u8(vreinterpretq_u8_u16(words), places));
        }
        bytes += usize::from(COMPACTED_BYTES[mask]);
    }
    bytes / 2
}

/// One bit a lane.
#[target_feature(enable = "neon")]
#[inline]
fn mask(lanes: uint16x8_t) -> usize {
    const BITS: [u16; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
    // SAFETY: the array has a register's length.
    let mask = usize::from(vaddvq_u16(vandq_u16(lanes, unsafe { vld1q_u16(BITS.as_ptr()) })));
    // SAFETY: the sum of all bits is 255.
    unsafe { core::hint::assert_unchecked(mask <= 255) };
    mask
}

/// Where the bytes of the lanes of a mask are.
static COMPACTIONS: [[u8; 16]; 256] = {
    let mut all = [[0; 16]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut lane, mut kept) = (0, 0);
        while lane < 8 {
            if mask >> lane & 1 == 1 {
                (all[mask][kept], all[mask][kept + 1]) = (2 * lane as u8, 2 * lane as u8 + 1);
                kept += 2;
            }
            lane += 1;
        }
        mask += 1;
    }
    all
};

/// How many bytes they are.
static COMPACTED_BYTES: [u8; 256] = {
    let mut all = [0; 256];
    let mut mask = 0;
    while mask < 256 {
        all[mask] = 2 * (mask as u8).count_ones() as u8;
        mask += 1;
    }
    all
};
