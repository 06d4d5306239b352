//! The vocabulary of hashes and ciphers: 64-bit integers side by side, as many as a register holds.
//!
//! Keccak of several states ([`super::keccak`]) and AES of many blocks ([`super::aes256ctr`]) are written once over
//! [`Lanes`], which each instruction set has in a file of its own; [`One`] is a plain integer.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
#[allow(inline_always_mismatching_target_features, reason = "each is inlined where its token is entered")]
mod neon;
mod one;
#[cfg(target_arch = "x86_64")]
mod sse2;

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Four;
#[cfg(target_arch = "x86_64")]
pub(super) use avx512::{Eight, Half};
#[cfg(target_arch = "aarch64")]
pub(super) use neon::{Two, TwoSha3};
pub(super) use one::One;
#[cfg(target_arch = "x86_64")]
pub(super) use sse2::Two;

use crate::simd::Token;

/// Lanes of the widest register.
pub(crate) const WIDEST: usize = 8;

/// 64-bit integers in a register, of which each belongs to another state. A value exists only where its token was
/// handed out.
pub(crate) trait Lanes: Copy {
    /// Whose instructions are used.
    type Token: Token;
    /// Lanes in a register: a divisor of [`WIDEST`].
    const WIDTH: usize;

    /// Reads `WIDTH` lanes of `from` from `first` on. In: there are as many.
    fn load(token: Self::Token, from: &[u64; WIDEST], first: usize) -> Self;
    /// Writes them.
    fn store(self, to: &mut [u64; WIDEST], first: usize);
    /// `value` in every lane.
    fn splat(token: Self::Token, value: u64) -> Self;
    /// `self ^ other`.
    fn xor(self, other: Self) -> Self;
    /// `self & other`.
    fn and(self, other: Self) -> Self;
    /// `self << N`.
    fn shl<const N: i32>(self) -> Self;
    /// `self >> N`.
    fn shr<const N: i32>(self) -> Self;
    /// `self <<< LEFT`. In: `RIGHT` is 64 - `LEFT`, neither is 0.
    #[inline(always)]
    fn rotate<const LEFT: i32, const RIGHT: i32>(self) -> Self {
        self.shl::<LEFT>().xor(self.shr::<RIGHT>())
    }
    /// `self ^ (!b & c)`.
    fn chi(self, b: Self, c: Self) -> Self;
    /// `a ^ b ^ c ^ d ^ e`: of a column of Keccak.
    #[inline(always)]
    fn parity(a: Self, b: Self, c: Self, d: Self, e: Self) -> Self {
        a.xor(b).xor(c.xor(d)).xor(e)
    }
    /// `before ^ (after <<< 1)`: theta of a column, from the parities of the columns around it.
    #[inline(always)]
    fn theta(before: Self, after: Self) -> Self {
        before.xor(after.rotate::<1, 63>())
    }
    /// `(self ^ theta) <<< LEFT`. In: as for [`Lanes::rotate`].
    #[inline(always)]
    fn xor_rotate<const LEFT: i32, const RIGHT: i32>(self, theta: Self) -> Self {
        self.xor(theta).rotate::<LEFT, RIGHT>()
    }
}
