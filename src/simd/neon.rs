//! NEON (Advanced SIMD): two doubles, four 32-bit integers. Every AArch64 processor with Linux has it.
//!
//! It has fused multiplications; they round once where every other backend rounds twice, and are not used.

use super::intrinsics::{FRACTION, columns, doubles, integers16, integers32, tokens};
use super::{Scalar, Simd, Token};
use core::arch::aarch64::*;

// The extra features are optional in every version of the architecture; processors of servers and of phones have
// them since about 2020.
tokens!(NeonLevel, is_aarch64_feature_detected, Neon ["neon"], NeonCrypto ["aes" "sha2" "sha3"]);

doubles!(F64x2, float64x2_t, add vaddq_f64, sub vsubq_f64, mul vmulq_f64, div vdivq_f64, sqrt vsqrtq_f64,
    splat vdupq_n_f64, sign |v| vnegq_f64(v));

integers32!(I32x4, int32x4_t, add vaddq_s32, sub vsubq_s32, xor veorq_s32, and vandq_s32,
    shl vshlq_n_s32, shr logical_shift_right, sar vshrq_n_s32,
    minus_one |x, a, b| vaddq_s32(x, vreinterpretq_s32_u32(vcgtq_s32(a, b))));

integers16!(I16x8, int16x8_t, add vaddq_s16, sub vsubq_s16, and vandq_s16, low vmulq_s16, high upper_product,
    sar vshrq_n_s16, shr logical_shift_right_16);

/// The upper halves of the products.
///
/// # Safety
/// The processor has NEON.
#[inline(always)]
unsafe fn upper_product(a: int16x8_t, b: int16x8_t) -> int16x8_t {
    // SAFETY: NEON by the contract.
    unsafe {
        let low = vreinterpretq_s16_s32(vmull_s16(vget_low_s16(a), vget_low_s16(b)));
        let high = vreinterpretq_s16_s32(vmull_high_s16(a, b));
        vuzp2q_s16(low, high)
    }
}

/// The lower halves of both.
///
/// # Safety
/// The processor has NEON.
#[inline(always)]
unsafe fn lower_halves(a: int32x4_t, b: int32x4_t) -> int32x4_t {
    // SAFETY: NEON by the contract.
    unsafe { vreinterpretq_s32_s64(vzip1q_s64(vreinterpretq_s64_s32(a), vreinterpretq_s64_s32(b))) }
}

/// The upper halves of both.
///
/// # Safety
/// The processor has NEON.
#[inline(always)]
unsafe fn upper_halves(a: int32x4_t, b: int32x4_t) -> int32x4_t {
    // SAFETY: NEON by the contract.
    unsafe { vreinterpretq_s32_s64(vzip2q_s64(vreinterpretq_s64_s32(a), vreinterpretq_s64_s32(b))) }
}

/// The intrinsic for unsigned lanes, on signed ones.
///
/// # Safety
/// The processor has NEON.
#[inline(always)]
unsafe fn logical_shift_right<const N: i32>(v: int32x4_t) -> int32x4_t {
    // SAFETY: NEON by the contract.
    unsafe { vreinterpretq_s32_u32(vshrq_n_u32::<N>(vreinterpretq_u32_s32(v))) }
}

/// The intrinsic for unsigned lanes, on signed ones.
///
/// # Safety
/// The processor has NEON.
#[inline(always)]
unsafe fn logical_shift_right_16<const N: i32>(v: int16x8_t) -> int16x8_t {
    // SAFETY: NEON by the contract.
    unsafe { vreinterpretq_s16_u16(vshrq_n_u16::<N>(vreinterpretq_u16_s16(v))) }
}

impl<const EXTRA: bool> Simd for NeonLevel<EXTRA>
where
    Self: Token,
{
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
        // SAFETY: two doubles are there; NEON by the token.
        unsafe { F64x2(vld1q_f64(from.as_ptr())) }
    }
    #[inline(always)]
    fn store(self, to: &mut [f64], value: F64x2) {
        assert!(to.len() >= 2);
        // SAFETY: two doubles have room; NEON by the token.
        unsafe { vst1q_f64(to.as_mut_ptr(), value.0) }
    }
    #[inline(always)]
    fn splat(self, value: f64) -> F64x2 {
        // SAFETY: NEON by the token.
        unsafe { F64x2(vdupq_n_f64(value)) }
    }
    #[inline(always)]
    fn unzip(self, _block: usize, a: F64x2, b: F64x2) -> (F64x2, F64x2) {
        // SAFETY: NEON by the token.
        unsafe { (F64x2(vzip1q_f64(a.0, b.0)), F64x2(vzip2q_f64(a.0, b.0))) }
    }
    #[inline(always)]
    fn zip(self, block: usize, a: F64x2, b: F64x2) -> (F64x2, F64x2) {
        // Two lanes: the transposition is its own inverse.
        self.unzip(block, a, b)
    }
    #[inline(always)]
    fn floor(self, value: F64x2) -> F64x2 {
        // SAFETY: NEON by the token.
        unsafe { F64x2(vrndmq_f64(value.0)) }
    }
    #[inline(always)]
    fn mantissa_and_exponent(self, value: F64x2) -> (F64x2, F64x2) {
        // SAFETY: NEON by the token.
        unsafe {
            let bits = vreinterpretq_s64_f64(value.0);
            let one = vreinterpretq_s64_f64(vdupq_n_f64(1.0));
            let mantissa = vorrq_s64(vandq_s64(bits, vdupq_n_s64(FRACTION)), one);
            // The value is positive: a signed shift is an unsigned one.
            let exponent = vsubq_f64(vcvtq_f64_s64(vshrq_n_s64::<52>(bits)), vdupq_n_f64(1023.0));
            (F64x2(vreinterpretq_f64_s64(mantissa)), F64x2(exponent))
        }
    }
    #[inline(always)]
    fn less(self, a: F64x2, b: F64x2) -> u32 {
        // SAFETY: NEON by the token.
        unsafe {
            let mask = vcltq_f64(a.0, b.0);
            (vgetq_lane_u64::<0>(mask) & 1 | vgetq_lane_u64::<1>(mask) & 2) as u32
        }
    }
    #[inline(always)]
    fn splat_i32(self, value: i32) -> I32x4 {
        // SAFETY: NEON by the token.
        unsafe { I32x4(vdupq_n_s32(value)) }
    }
    #[inline(always)]
    fn load_i32(self, from: &[u32]) -> I32x4 {
        assert!(from.len() >= 4);
        // SAFETY: four integers are there; NEON by the token.
        unsafe { I32x4(vld1q_s32(from.as_ptr().cast())) }
    }
    #[inline(always)]
    fn store_i32(self, to: &mut [u32], value: I32x4) {
        assert!(to.len() >= 4);
        // SAFETY: four integers have room; NEON by the token.
        unsafe { vst1q_s32(to.as_mut_ptr().cast(), value.0) }
    }
    #[inline(always)]
    fn load_columns(self, from: &[u8], stride: usize) -> [I32x4; 3] {
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
    #[inline(always)]
    fn store_as_f64(self, to: &mut [f64], value: I32x4) {
        assert!(to.len() >= 4);
        // SAFETY: four doubles have room; NEON by the token.
        unsafe {
            vst1q_f64(to.as_mut_ptr(), vcvtq_f64_s64(vmovl_s32(vget_low_s32(value.0))));
            vst1q_f64(to.as_mut_ptr().add(2), vcvtq_f64_s64(vmovl_high_s32(value.0)));
        }
    }
    #[inline(always)]
    fn splat_i16(self, value: i16) -> I16x8 {
        // SAFETY: NEON by the token.
        unsafe { I16x8(vdupq_n_s16(value)) }
    }
    #[inline(always)]
    fn load_i16(self, from: &[i16]) -> I16x8 {
        assert!(from.len() >= 8);
        // SAFETY: eight integers are there; NEON by the token.
        unsafe { I16x8(vld1q_s16(from.as_ptr())) }
    }
    #[inline(always)]
    fn store_i16(self, to: &mut [i16], value: I16x8) {
        assert!(to.len() >= 8);
        // SAFETY: eight integers have room; NEON by the token.
        unsafe { vst1q_s16(to.as_mut_ptr(), value.0) }
    }
    #[inline(always)]
    fn zip_i16(self, a: I16x8, b: I16x8) -> (I16x8, I16x8) {
        // SAFETY: NEON by the token.
        unsafe { (I16x8(vzip1q_s16(a.0, b.0)), I16x8(vzip2q_s16(a.0, b.0))) }
    }
    #[inline(always)]
    fn unzip_i16(self, a: I16x8, b: I16x8) -> (I16x8, I16x8) {
        // SAFETY: NEON by the token.
        unsafe { (I16x8(vuzp1q_s16(a.0, b.0)), I16x8(vuzp2q_s16(a.0, b.0))) }
    }
    #[inline(always)]
    fn dot_i16(self, a: I16x8, b: I16x8) -> I32x4 {
        // SAFETY: NEON by the token.
        unsafe {
            let low = vmull_s16(vget_low_s16(a.0), vget_low_s16(b.0));
            I32x4(vpaddq_s32(low, vmull_high_s16(a.0, b.0)))
        }
    }
    #[inline(always)]
    fn halves_i16(self, even: I32x4, odd: I32x4) -> (I16x8, I16x8) {
        // SAFETY: NEON by the token.
        unsafe {
            let (even, odd) = (vreinterpretq_s16_s32(even.0), vreinterpretq_s16_s32(odd.0));
            (I16x8(vtrn1q_s16(even, odd)), I16x8(vtrn2q_s16(even, odd)))
        }
    }
    #[inline(always)]
    fn load_bytes_i16(self, from: &[u8]) -> I16x8 {
        assert!(from.len() >= 16);
        // SAFETY: sixteen bytes are there; NEON by the token, whose words are little-endian.
        unsafe { I16x8(vreinterpretq_s16_u8(vld1q_u8(from.as_ptr()))) }
    }
}
