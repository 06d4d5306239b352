//! The `scalar` backend: the target's doubles, one at a time.
//!
//! No operation here is fused: Rust never contracts `a * b + c`.

use super::{Float, Real, Simd, Token};
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

/// 1.5 * 2^52: adding it leaves the nearest integer (ties to even) in the low mantissa bits.
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
    u64::from(a > b).wrapping_neg()
}

impl Simd for Scalar {
    const LANES: usize = 1;
    type Real = f64;
    type F64 = f64;
    #[inline(always)]
    fn load(self, from: &[f64]) -> f64 {
        from[0]
    }
    #[inline(always)]
    fn store(self, to: &mut [f64], value: f64) {
        to[0] = value;
    }
    #[inline(always)]
    fn splat(self, value: f64) -> f64 {
        value
    }
}
