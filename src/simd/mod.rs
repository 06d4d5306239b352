//! Tokens and the vector vocabulary: what an algorithm may ask of an instruction set.
//!
//! A token is a zero-sized proof that its instruction set can run here; only `isa.rs` hands them out. An
//! algorithm is written once over `S: Simd` with the operators of [`Float`]; [`Real`] is a single double of the
//! same arithmetic. Every operation rounds to nearest even and nothing is fused or reordered, so every token
//! gives the same bits.

mod portable;
mod soft;

pub use portable::Scalar;
pub use soft::{Soft, SoftF64};

use crate::isa::Op;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// A proof that an instruction set can be used.
pub trait Token: Copy {
    /// Runs a whole operation compiled for this instruction set.
    fn enter<O: Op<Self>>(self, op: O) -> O::Out;
}

/// IEEE 754 binary64 arithmetic, one value or several lanes, rounded to nearest even.
///
/// Values are normal numbers or zero: keys that pass their checks never give subnormals, infinities or NaN.
pub trait Float:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// Half of it: exact.
    fn half(self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
}

/// A single double.
pub trait Real: Float {
    /// The same value as a constant of the language.
    fn new(value: f64) -> Self;
    /// Back into memory form.
    fn get(self) -> f64;
    /// An integer, exactly. In: `|i| < 2^53`.
    fn of(i: i64) -> Self;
    /// The nearest integer, ties to even, as a double. In: `|self| < 2^51`.
    fn rint(self) -> Self;
    /// The largest integer that is not above `self`, as a double. In: `|self| < 2^51`.
    fn floor(self) -> Self;
    /// A double that is an integer, as one, without a secret-dependent branch. In: `|self| < 2^51`.
    fn to_integer(self) -> i64;
    /// 1 where `self < other`, else 0.
    fn lt(self, other: Self) -> u64;
}

/// The vector vocabulary of one instruction set.
pub trait Simd: Token {
    /// Doubles in a vector.
    const LANES: usize;
    /// A single double.
    type Real: Real;
    /// `LANES` doubles.
    type F64: Float;
    /// Reads the first `LANES` doubles of `from`.
    fn load(self, from: &[f64]) -> Self::F64;
    /// Writes the first `LANES` doubles of `to`.
    fn store(self, to: &mut [f64], value: Self::F64);
    /// `value` in every lane.
    fn splat(self, value: f64) -> Self::F64;
}
