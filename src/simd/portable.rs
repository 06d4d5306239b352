//! The `scalar` backend: the target's doubles, one at a time.
//!
//! No operation here is fused: Rust never contracts `a * b + c`.

use super::{Float, Int16, Int32, Real, Token};
use crate::ct::opaque;
use crate::isa::Op;

/// Token of the target's baseline instruction set.
#[derive(Clone, Copy)]
pub struct Scalar(());

impl Scalar {
    /// The baseline is always there.
    pub fn get() -> Scalar {
        Scalar(())
    }
}

impl Token for Scalar {
    const FEATURES: &'static [&'static str] = &[];
    type Base = Scalar;
    #[inline(always)]
    fn base(self) -> Scalar {
        self
    }
    #[inline(always)]
    fn enter<O: Op<Self>>(self, op: O) -> O::Out {
        #[inline(never)]
        fn outlined<O: Op<Scalar>>(token: Scalar, op: O) -> O::Out {
            op.run(token)
        }
        outlined(self, op)
    }
}

impl Float for f64 {
    #[inline(always)]
    fn half(self) -> f64 {
        self * 0.5
    }
    #[inline(always)]
    fn sqrt(self) -> f64 {
        f64::sqrt(self)
    }
}

/// 1.5 * 2^52: adding it to a double below 2^51 leaves the nearest integer (ties to even) in the low mantissa bits.
const ROUNDER: f64 = 6755399441055744.0;

impl Real for f64 {
    #[inline(always)]
    fn new(value: f64) -> f64 {
        value
    }
    #[inline(always)]
    fn get(self) -> f64 {
        self
    }
    #[inline(always)]
    fn of(i: i64) -> f64 {
        debug_assert!(i.unsigned_abs() < 1 << 53);
        i as f64
    }
    #[inline(always)]
    fn rint(self) -> f64 {
        debug_assert!(self.abs() < 2251799813685248.0);
        (self + ROUNDER) - ROUNDER
    }
    #[inline(always)]
    fn floor(self) -> f64 {
        let nearest = self.rint();
        let one_if_above = (1.0f64).to_bits() & mask_above(nearest, self);
        nearest - f64::from_bits(one_if_above)
    }
    #[inline(always)]
    fn to_integer(self) -> i64 {
        debug_assert!(self == self.rint());
        ((self + ROUNDER).to_bits() as i64).wrapping_sub(ROUNDER.to_bits() as i64)
    }
    #[inline(always)]
    fn lt(self, other: f64) -> u64 {
        u64::from(self < other)
    }
}

/// All ones where `a > b`.
#[inline(always)]
fn mask_above(a: f64, b: f64) -> u64 {
    opaque(u64::from(a > b).wrapping_neg())
}

impl Int32 for core::num::Wrapping<u32> {
    #[inline(always)]
    fn shr<const N: u32>(self) -> Self {
        self >> N as usize
    }
    #[inline(always)]
    fn shl<const N: u32>(self) -> Self {
        self << N as usize
    }
    #[inline(always)]
    fn sign_mask(self) -> Self {
        core::num::Wrapping((self.0 as i32 >> 31) as u32)
    }
    #[inline(always)]
    fn minus_one_where_above(self, a: Self, b: Self) -> Self {
        self - core::num::Wrapping(u32::from(a.0 as i32 > b.0 as i32))
    }
    #[inline(always)]
    fn rotate_left<const N: u32>(self) -> Self {
        core::num::Wrapping(self.0.rotate_left(N))
    }
    #[inline(always)]
    fn opaque(self) -> Self {
        core::num::Wrapping(crate::ct::opaque(u64::from(self.0)) as u32)
    }
}

impl Int16 for core::num::Wrapping<i16> {
    #[inline(always)]
    fn mul_high(self, other: Self) -> Self {
        core::num::Wrapping(((i32::from(self.0) * i32::from(other.0)) >> 16) as i16)
    }
    #[inline(always)]
    fn mul_high_unsigned(self, other: Self) -> Self {
        core::num::Wrapping(((u32::from(self.0 as u16) * u32::from(other.0 as u16)) >> 16) as i16)
    }
    #[inline(always)]
    fn sign_mask(self) -> Self {
        core::num::Wrapping(self.0 >> 15)
    }
    #[inline(always)]
    fn shr<const N: u32>(self) -> Self {
        core::num::Wrapping((self.0 as u16 >> N) as i16)
    }
    #[inline(always)]
    fn opaque(self) -> Self {
        core::num::Wrapping(crate::ct::opaque(self.0 as u64) as i16)
    }
}

/// The vocabulary of a token of one lane, over its [`Real`].
macro_rules! one_lane {
    ($token:ident, $real:ty) => {
        impl $crate::simd::Simd for $token {
            const LANES: usize = 1;
            const LANES32: usize = 1;
            const LANES16: usize = 1;
            type Real = $real;
            type F64 = $real;
            type I32 = core::num::Wrapping<u32>;
            type I16 = core::num::Wrapping<i16>;
            type Half = $token;
            #[inline(always)]
            fn half(self) -> $token {
                self
            }
            #[inline(always)]
            fn load(self, from: &[f64]) -> $real {
                Real::new(from[0])
            }
            #[inline(always)]
            fn store(self, to: &mut [f64], value: $real) {
                to[0] = value.get();
            }
            #[inline(always)]
            fn splat(self, value: f64) -> $real {
                Real::new(value)
            }
            fn unzip(self, _: usize, a: $real, b: $real) -> ($real, $real) {
                debug_assert!(false, "one lane has nothing to unzip");
                (a, b)
            }
            fn zip(self, _: usize, a: $real, b: $real) -> ($real, $real) {
                debug_assert!(false, "one lane has nothing to zip");
                (a, b)
            }
            #[inline(always)]
            fn floor(self, value: $real) -> $real {
                Real::floor(value)
            }
            #[inline(always)]
            fn mantissa_and_exponent(self, value: $real) -> ($real, $real) {
                let bits = value.get().to_bits();
                let mantissa = bits & ((1 << 52) - 1) | 1.0f64.to_bits();
                (Real::new(f64::from_bits(mantissa)), Real::of((bits >> 52) as i64 - 1023))
            }
            #[inline(always)]
            fn less(self, a: $real, b: $real) -> u32 {
                Real::lt(a, b) as u32
            }
            #[inline(always)]
            fn splat_i32(self, value: i32) -> Self::I32 {
                core::num::Wrapping(value as u32)
            }
            #[inline(always)]
            fn load_i32(self, from: &[u32]) -> Self::I32 {
                core::num::Wrapping(from[0])
            }
            #[inline(always)]
            fn store_i32(self, to: &mut [u32], value: Self::I32) {
                to[0] = value.0;
            }
            #[inline(always)]
            fn load_four_columns(self, from: &[u8], _stride: usize) -> [Self::I32; 4] {
                let words = from[..16].as_chunks().0;
                [0, 1, 2, 3].map(|i| core::num::Wrapping(u32::from_le_bytes(words[i])))
            }
            #[inline(always)]
            fn store_as_f64(self, to: &mut [f64], value: Self::I32) {
                to[0] = <$real as Real>::of(i64::from(value.0 as i32)).get();
            }
            #[inline(always)]
            fn splat_i16(self, value: i16) -> Self::I16 {
                core::num::Wrapping(value)
            }
            #[inline(always)]
            fn load_i16(self, from: &[i16]) -> Self::I16 {
                core::num::Wrapping(from[0])
            }
            #[inline(always)]
            fn store_i16(self, to: &mut [i16], value: Self::I16) {
                to[0] = value.0;
            }
            #[inline(always)]
            fn zip_i16(self, a: Self::I16, b: Self::I16) -> (Self::I16, Self::I16) {
                (a, b)
            }
            #[inline(always)]
            fn unzip_i16(self, a: Self::I16, b: Self::I16) -> (Self::I16, Self::I16) {
                (a, b)
            }
            #[inline(always)]
            fn count_negative_i16(self, value: Self::I16) -> u32 {
                u32::from(value.0 as u16 >> 15)
            }
            #[inline(always)]
            fn below_i16(self, a: Self::I16, b: Self::I16) -> u32 {
                u32::from((a.0 as u16) < b.0 as u16)
            }
            #[inline(always)]
            fn dot_i16(self, a: Self::I16, b: Self::I16) -> Self::I32 {
                core::num::Wrapping((i32::from(a.0) * i32::from(b.0)) as u32)
            }
            fn halves_i16(self, even: Self::I32, odd: Self::I32) -> (Self::I16, Self::I16) {
                debug_assert!(false, "one lane has no pair");
                (core::num::Wrapping(even.0 as i16), core::num::Wrapping(odd.0 as i16))
            }
        }
    };
}
pub(super) use one_lane;

one_lane!(Scalar, f64);
