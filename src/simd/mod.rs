//! Tokens and the vector vocabulary: what an algorithm may ask of an instruction set.
//!
//! A token is a zero-sized proof that its instruction set can run here; only `isa.rs` hands them out. An
//! algorithm is written once over `S: Simd` with the operators of [`Float`]; [`Real`] is a single double of the
//! same arithmetic. Every operation rounds to nearest even and nothing is fused or reordered, so every token
//! gives the same bits.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod intrinsics;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
#[cfg(target_arch = "riscv64")]
mod rvv;
mod soft;
#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(test)]
mod tests;

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512f;
#[cfg(target_arch = "aarch64")]
pub use neon::Neon;
pub use portable::Scalar;
#[cfg(target_arch = "riscv64")]
pub use rvv::Rvv;
pub use soft::{Soft, SoftF64};
#[cfg(target_arch = "x86_64")]
pub use sse2::Sse2;

use crate::isa::Op;
use core::ops::{Add, BitAnd, BitXor, Div, Mul, Neg, Sub};

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

/// 32-bit integers, one value or several lanes, modulo 2^32.
pub trait Int32:
    Copy + Add<Output = Self> + Sub<Output = Self> + BitXor<Output = Self> + BitAnd<Output = Self>
{
    /// Logical shift. `N` is one of the constants that an algorithm has needed so far.
    fn shr<const N: u32>(self) -> Self;
    /// -1 where the top bit is set, else 0.
    fn sign_mask(self) -> Self;
    /// -1 where `self < other`, else 0. In: both in `[0, 2^31)`.
    fn less(self, other: Self) -> Self;
    /// Rotation by 16, 12, 8 or 7.
    fn rotate_left<const N: u32>(self) -> Self;
}

/// The vector vocabulary of one instruction set.
pub trait Simd: Token {
    /// Doubles in a vector.
    const LANES: usize;
    /// 32-bit integers in a vector.
    const LANES32: usize;
    /// A single double.
    type Real: Real;
    /// `LANES` doubles.
    type F64: Float;
    /// `LANES32` integers.
    type I32: Int32;
    /// The vocabulary of half as many lanes, for what is shorter than a vector; of one lane, itself.
    type Half: Simd<Real = Self::Real>;
    /// Its token.
    fn half(self) -> Self::Half;
    /// Reads the first `LANES` doubles of `from`.
    fn load(self, from: &[f64]) -> Self::F64;
    /// Writes the first `LANES` doubles of `to`.
    fn store(self, to: &mut [f64], value: Self::F64);
    /// `value` in every lane.
    fn splat(self, value: f64) -> Self::F64;
    /// Splits a‖b into blocks of `block` lanes: those with even numbers, those with odd numbers.
    /// In: `block` is a power of two below `LANES`; a backend of one lane is never asked.
    fn unzip(self, block: usize, a: Self::F64, b: Self::F64) -> (Self::F64, Self::F64);
    /// The inverse of [`Simd::unzip`].
    fn zip(self, block: usize, a: Self::F64, b: Self::F64) -> (Self::F64, Self::F64);
    /// The largest integers not above. In: magnitudes below 2^51.
    fn floor(self, value: Self::F64) -> Self::F64;
    /// m in [1, 2) and an integer e with `value = m 2^e`. In: positive, or zero, which gives m = 1 and e below -1022.
    fn mantissa_and_exponent(self, value: Self::F64) -> (Self::F64, Self::F64);
    /// One bit a lane: 1 where `a < b`.
    fn less(self, a: Self::F64, b: Self::F64) -> u32;
    /// `value` in every lane.
    fn splat_i32(self, value: i32) -> Self::I32;
    /// Reads the first `LANES32` integers of `from`.
    fn load_i32(self, from: &[u32]) -> Self::I32;
    /// Writes the first `LANES32` integers of `to`.
    fn store_i32(self, to: &mut [u32], value: Self::I32);
    /// Little-endian words that begin at 0, `stride`, 2 `stride`, ... In: all of them lie inside `from`.
    fn load_strided(self, from: &[u8], stride: usize) -> Self::I32;
    /// Writes `LANES32` integers, as signed numbers, to `to` as doubles.
    fn store_as_f64(self, to: &mut [f64], value: Self::I32);
}
