//! The vocabulary of hashes and ciphers: 64-bit integers side by side, as many as a register holds.
//!
//! Keccak of several states ([`super::keccak`]) and AES of many blocks ([`super::aes256ctr`]) are written once over
//! [`Lanes`], which each instruction set has in a file of its own; [`One`] is a plain integer.

/// A register of lanes: what each instruction set has under other names. What only one of them has follows as methods.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! register {
    ($name:ident($vector:ty): $width:literal on $token:ty, load $load:path, store $store:path, splat $splat:path,
     xor $xor:path, and $and:path, shl $shl:ident, shr $shr:ident, chi $chi:expr,
     up $up:expr, down $down:expr, $($own:tt)*) => {
        #[doc = "Lanes in one register."]
        #[derive(Clone, Copy)]
        pub(crate) struct $name($vector);

        impl $crate::symmetric::lanes::Lanes for $name {
            type Token = $token;
            const WIDTH: usize = $width;

            #[inline(always)]
            fn load(_: $token, from: &[u64; $crate::symmetric::lanes::WIDEST], first: usize) -> $name {
                let from = &from[first..first + $width];
                // SAFETY: the instruction set by the token; all lanes are there.
                unsafe { $name($load(from.as_ptr().cast())) }
            }
            #[inline(always)]
            fn store(self, to: &mut [u64; $crate::symmetric::lanes::WIDEST], first: usize) {
                let to = &mut to[first..first + $width];
                // SAFETY: a value exists only where its token was handed out; all lanes have room.
                unsafe { $store(to.as_mut_ptr().cast(), self.0) }
            }
            #[inline(always)]
            fn splat(_: $token, value: u64) -> $name {
                // SAFETY: the instruction set by the token.
                unsafe { $name($splat(value.cast_signed())) }
            }
            #[inline(always)]
            fn xor(self, other: $name) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name($xor(self.0, other.0)) }
            }
            #[inline(always)]
            fn and(self, other: $name) -> $name {
                // SAFETY: as above.
                unsafe { $name($and(self.0, other.0)) }
            }
            #[inline(always)]
            fn shl<const N: i32>(self) -> $name {
                // SAFETY: as above.
                unsafe { $name($shl::<N>(self.0)) }
            }
            #[inline(always)]
            fn shr<const N: i32>(self) -> $name {
                // SAFETY: as above.
                unsafe { $name($shr::<N>(self.0)) }
            }
            #[inline(always)]
            fn chi(self, b: $name, c: $name) -> $name {
                // SAFETY: as above.
                unsafe { $name($chi(self.0, b.0, c.0)) }
            }
            #[inline(always)]
            fn up(self, below: $name) -> $name {
                // SAFETY: as above.
                unsafe { $name($up(self.0, below.0)) }
            }
            #[inline(always)]
            fn down(self, above: $name) -> $name {
                // SAFETY: as above.
                unsafe { $name($down(self.0, above.0)) }
            }
            $($own)*
        }
    };
}

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
pub(crate) use avx2::Four;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::{Eight, EightFunnel, Half};
#[cfg(target_arch = "aarch64")]
pub(crate) use neon::Two;
pub(crate) use one::One;
#[cfg(target_arch = "x86_64")]
pub(crate) use sse2::Two;

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
    /// The lanes moved up by one; the first one is the last one of `below`.
    fn up(self, below: Self) -> Self;
    /// The lanes moved down by one; the last one is the first one of `above`.
    fn down(self, above: Self) -> Self;
    /// `self | other`.
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.xor(other).xor(self.and(other))
    }
    /// The bits of `on` where those of the mask are set, else those of `off`.
    #[inline(always)]
    fn select(mask: Self, on: Self, off: Self) -> Self {
        off.xor(off.xor(on).and(mask))
    }
    /// All bits of the register moved up by one; the first one is the last one of `below`.
    #[inline(always)]
    fn up_bit(self, below: Self) -> Self {
        self.shl::<1>().or(self.up(below).shr::<63>())
    }
    /// All bits of the register moved down by one; the last one is the first one of `above`.
    #[inline(always)]
    fn down_bit(self, above: Self) -> Self {
        self.shr::<1>().or(self.down(above).shl::<63>())
    }
    /// The first lane.
    #[inline(always)]
    fn first(self) -> u64 {
        let mut lanes = [0; WIDEST];
        self.store(&mut lanes, 0);
        lanes[0]
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What a register makes of two others, and of their bits side by side.
    fn check<V: Lanes>(token: V::Token) {
        let (a, b): ([u64; WIDEST], [u64; WIDEST]) = (
            core::array::from_fn(|i| 0x9E37_79B9_7F4A_7C15 << i),
            core::array::from_fn(|i| !0 / (2 * i as u64 + 3)),
        );
        let (x, y) = (V::load(token, &a, 0), V::load(token, &b, 0));
        let lanes = |register: V| {
            let mut lanes = [0; WIDEST];
            register.store(&mut lanes, 0);
            lanes
        };
        let (up, down, selected) =
            (lanes(x.up_bit(y)), lanes(x.down_bit(y)), lanes(V::select(x, y, x.shr::<1>())));
        let last = V::WIDTH - 1;
        for i in 0..V::WIDTH {
            let below = if i > 0 { a[i - 1] } else { b[last] };
            let above = if i < last { a[i + 1] } else { b[0] };
            assert_eq!(up[i], a[i] << 1 | below >> 63);
            assert_eq!(down[i], a[i] >> 1 | above << 63);
            assert_eq!(selected[i], (a[i] & b[i]) | (!a[i] & (a[i] >> 1)));
        }
    }

    #[test]
    fn bits_move_through_registers_and_are_selected() {
        use crate::simd;
        check::<One<simd::Scalar>>(simd::Scalar::get());
        #[cfg(target_arch = "x86_64")]
        {
            simd::Sse2::get().into_iter().for_each(check::<Two>);
            simd::Avx2::get().into_iter().for_each(check::<Four>);
            simd::Avx512f::get().into_iter().for_each(check::<Eight>);
            simd::Avx512::get().into_iter().for_each(check::<EightFunnel>);
            simd::Avx512::get().into_iter().for_each(check::<Half>);
        }
        #[cfg(target_arch = "aarch64")]
        simd::Neon::get().into_iter().for_each(check::<Two>);
    }
}
