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
#[cfg(target_arch = "x86_64")]
mod packed;
mod portable;
#[cfg(target_arch = "riscv64")]
mod rvv;
mod soft;
#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(test)]
mod tests;
mod unwritten;
mod wide;

#[cfg(target_arch = "x86_64")]
pub use avx2::{Avx2, Avx2Aes};
#[cfg(target_arch = "x86_64")]
pub use avx512::{Avx512, Avx512f};
#[cfg(target_arch = "aarch64")]
pub use neon::{Neon, NeonCrypto};
pub use portable::Scalar;
#[cfg(target_arch = "riscv64")]
pub use rvv::Rvv;
pub use soft::{Soft, SoftF64};
#[cfg(target_arch = "x86_64")]
pub use sse2::Sse2;
pub use unwritten::{Aligned, Numbers, unwritten};
pub use wide::Wide;

use crate::isa::Op;
use core::mem::MaybeUninit;
use core::ops::{Add, BitAnd, BitXor, Div, Mul, Neg, Sub};

/// Lets tests of the vocabulary run on `Rvv`, which has none: on the scalar token, whose steps it takes there.
#[cfg(test)]
macro_rules! scalar_on_rvv {
    ($($operation:ty),*) => {$(
        #[cfg(target_arch = "riscv64")]
        impl $crate::isa::Op<$crate::simd::Rvv> for $operation {
            type Out = <Self as $crate::isa::Op<$crate::simd::Scalar>>::Out;
            fn run(self, _: $crate::simd::Rvv) -> Self::Out {
                $crate::isa::Op::run(self, $crate::simd::Scalar::get())
            }
        }
    )*};
}
#[cfg(test)]
pub(crate) use scalar_on_rvv;

/// A proof that an instruction set can be used.
pub trait Token: Copy {
    /// The features that are enabled, as the compiler calls them; none where they are the target's.
    const FEATURES: &'static [&'static str];
    /// The token of the level's name where this one has extra features, else itself.
    type Base: Token;
    /// Its token.
    fn base(self) -> Self::Base;
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
    /// Shift to the left, with such a constant.
    fn shl<const N: u32>(self) -> Self;
    /// -1 where the top bit is set, else 0.
    fn sign_mask(self) -> Self;
    /// `self - 1` where `a > b`, as signed numbers, else `self`.
    fn minus_one_where_above(self, a: Self, b: Self) -> Self;
    /// Rotation by 16, 12, 8 or 7.
    fn rotate_left<const N: u32>(self) -> Self;
    /// The smaller one and the larger one, as signed numbers.
    #[inline(always)]
    fn sorted(self, other: Self) -> (Self, Self) {
        // The sign of other - self, which is wrong where both have different signs and it has not that of other.
        let difference = other - self;
        let is_less = (difference ^ ((other ^ self) & (difference ^ other))).sign_mask().opaque();
        let swap = (self ^ other) & is_less;
        (self ^ swap, other ^ swap)
    }
    /// `self + p` where `self` is negative, else `self`. In: `-p <= self < p` as signed numbers, `p < 2^31`.
    #[inline(always)]
    fn add_where_negative(self, p: Self) -> Self {
        self + (p & self.sign_mask())
    }
    /// The same value, about which the compiler knows nothing: [`crate::ct::opaque`] for masks of one lane. (From
    /// the lanes of a vector it makes no branches.)
    #[inline(always)]
    fn opaque(self) -> Self {
        self
    }
}

/// 32-bit integers in the widest vector.
pub const WIDEST32: usize = 16;

/// Work for any token of the vocabulary.
pub trait Work {
    /// What the work gives.
    type Out;
    /// Does the work.
    fn run<S: Simd>(self, s: S) -> Self::Out;
}

/// 16-bit signed integers, one value or several lanes, modulo 2^16.
pub trait Int16:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + BitAnd<Output = Self>
{
    /// The upper half of the signed product: floor(a b / 2^16).
    fn mul_high(self, other: Self) -> Self;
    /// The upper half of the product of unsigned numbers.
    fn mul_high_unsigned(self, other: Self) -> Self;
    /// -1 where negative, else 0.
    fn sign_mask(self) -> Self;
    /// Logical shift. `N` is one of the constants that an algorithm has needed so far.
    fn shr<const N: u32>(self) -> Self;
    /// `self - 1` where `a > b`, else `self`. In: `|a - b| < 2^15`.
    #[inline(always)]
    fn minus_one_where_above(self, a: Self, b: Self) -> Self {
        self + (b - a).sign_mask()
    }
    /// As [`Int32::opaque`].
    #[inline(always)]
    fn opaque(self) -> Self {
        self
    }
}

/// The vector vocabulary of one instruction set.
pub trait Simd: Token {
    /// Doubles in a vector.
    const LANES: usize;
    /// 32-bit integers in a vector.
    const LANES32: usize;
    /// 16-bit integers in a vector: a power of two up to [`MAX_LANES16`].
    const LANES16: usize;
    /// Whether a constant in all lanes is an instruction of its own, as a register is a few of them, and there are
    /// registers for four vectors that share one.
    const CONSTANTS_ARE_LOADED: bool = false;
    /// A single double.
    type Real: Real;
    /// `LANES` doubles.
    type F64: Float;
    /// `LANES32` integers.
    type I32: Int32;
    /// `LANES16` integers.
    type I16: Int16;
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
    /// The columns of `LANES32` rows of four little-endian words, which begin at 0, `stride`, 2 `stride`, ...
    fn load_four_columns(self, from: &[u8], stride: usize) -> [Self::I32; 4];
    /// The first three of them. In: all of each row lies inside `from`.
    #[inline(always)]
    fn load_columns(self, from: &[u8], stride: usize) -> [Self::I32; 3] {
        let [first, second, third, _] = self.load_four_columns(from, stride);
        [first, second, third]
    }
    /// Writes `LANES32` integers, as signed numbers, to `to` as doubles.
    fn store_as_f64(self, to: &mut [f64], value: Self::I32);
    /// `value` in every lane.
    fn splat_i16(self, value: i16) -> Self::I16;
    /// Reads the first two integers of `from`, for all pairs of lanes. In: a backend of one lane is never asked.
    #[inline(always)]
    fn splat_pair_i16(self, from: &[i16]) -> Self::I16 {
        let mut lanes = [0; MAX_LANES16];
        for pair in lanes.as_chunks_mut::<2>().0 {
            pair.copy_from_slice(&from[..2]);
        }
        self.load_i16(&lanes)
    }
    /// Reads the first `LANES16` integers of `from`.
    fn load_i16(self, from: &[i16]) -> Self::I16;
    /// Writes the first `LANES16` integers of `to`.
    fn store_i16(self, to: &mut [i16], value: Self::I16);
    /// a‖b with the lanes of a and b in turn: a0 b0 a1 b1 ...
    fn zip_i16(self, a: Self::I16, b: Self::I16) -> (Self::I16, Self::I16);
    /// The inverse of [`Simd::zip_i16`]: the lanes of a‖b with even numbers, those with odd numbers.
    fn unzip_i16(self, a: Self::I16, b: Self::I16) -> (Self::I16, Self::I16);
    /// [`unwritten`] vectors.
    #[inline(always)]
    fn unwritten_i16<const N: usize>(self, memory: &mut MaybeUninit<[Self::I16; N]>) -> &mut [Self::I16; N] {
        memory.write([self.splat_i16(0); N])
    }
    /// [`Simd::zip_i16`] inside each run of eight lanes. In: a backend of one lane is never asked.
    #[inline(always)]
    fn zip_eights_i16(self, a: Self::I16, b: Self::I16) -> (Self::I16, Self::I16) {
        debug_assert!(Self::LANES16 == 8);
        self.zip_i16(a, b)
    }
    /// Reads `LANES16` integers, eight each from 0, `stride`, 2 `stride`, ... of `from` on.
    #[inline(always)]
    fn load_eights_i16(self, from: &[i16], _stride: usize) -> Self::I16 {
        debug_assert!(Self::LANES16 == 8);
        self.load_i16(from)
    }
    /// Writes them.
    #[inline(always)]
    fn store_eights_i16(self, to: &mut [i16], _stride: usize, value: Self::I16) {
        debug_assert!(Self::LANES16 == 8);
        self.store_i16(to, value);
    }
    /// How many lanes are negative.
    fn count_negative_i16(self, value: Self::I16) -> u32;
    /// One bit a lane: 1 where `a < b`, as unsigned numbers.
    fn below_i16(self, a: Self::I16, b: Self::I16) -> u32;
    /// Products lane by lane; those of lanes 2i and 2i + 1 are added up in lane i of the result. A backend of one lane
    /// has one product there.
    fn dot_i16(self, a: Self::I16, b: Self::I16) -> Self::I32;
    /// `sum` and [`Simd::dot_i16`].
    #[inline(always)]
    fn add_dot_i16(self, sum: Self::I32, a: Self::I16, b: Self::I16) -> Self::I32 {
        sum + self.dot_i16(a, b)
    }
    /// The sum of several [`Simd::dot_i16`].
    #[inline(always)]
    fn dots_i16<const N: usize>(self, a: [Self::I16; N], b: [Self::I16; N]) -> Self::I32 {
        let mut sum = self.splat_i32(0);
        for (a, b) in a.into_iter().zip(b) {
            sum = sum + self.dot_i16(a, b);
        }
        sum
    }
    /// Lane 2i is that of lane i of `even`, lane 2i + 1 that of lane i of `odd`: of the first result the lower half, of
    /// the second one the upper half. In: a backend of one lane is never asked.
    fn halves_i16(self, even: Self::I32, odd: Self::I32) -> (Self::I16, Self::I16);
    /// Whether there are the three operations that follow: others are not asked for them.
    const SWAPS: bool = false;
    /// Exchanges the blocks of `block` lanes with odd numbers of a for those with even numbers of b: the transpositions
    /// of pairs of blocks. In: `block` is a power of two, above 1 and below `LANES16`.
    #[inline(always)]
    fn swap_i16(self, _block: usize, _a: Self::I16, _b: Self::I16) -> (Self::I16, Self::I16) {
        unreachable!("SWAPS says so")
    }
    /// [`Simd::zip_i16`] of pairs of lanes: a0 a1 b0 b1 a2 a3 b2 b3 ...
    #[inline(always)]
    fn zip_pairs_i16(self, _a: Self::I16, _b: Self::I16) -> (Self::I16, Self::I16) {
        unreachable!("SWAPS says so")
    }
    /// The inverse of [`Simd::zip_pairs_i16`].
    #[inline(always)]
    fn unzip_pairs_i16(self, _a: Self::I16, _b: Self::I16) -> (Self::I16, Self::I16) {
        unreachable!("SWAPS says so")
    }
    /// Whether [`Simd::times_i16`] is the product of Barrett.
    const BARRETT: bool = false;
    /// The product modulo an odd m below 2^12 of `a`, which may be any, and a factor that is known in advance.
    ///
    /// In: Montgomery's product wants the representative of least magnitude of the factor times 2^16, and `helper` that
    /// times 1/m modulo 2^16; Barrett's the representative v of the factor itself, and `helper` 2^15 v / m, rounded.
    #[inline(always)]
    fn times_i16(self, a: Self::I16, factor: Self::I16, helper: Self::I16, modulus: i16) -> Self::I16 {
        // The low halves of both products are the same, so that they cancel.
        a.mul_high(factor) - (a * helper).mul_high(self.splat_i16(modulus))
    }
    /// Writes those of 16 big-endian words that are below `limit`, in their order, and gives their number. What it
    /// writes after them has no meaning. In: `to` has room for 16. Not for secrets.
    #[inline(always)]
    fn keep_words_below(self, limit: u16, to: &mut [i16], from: &[u8; 32]) -> usize {
        let to = &mut to[..16];
        let mut kept = 0;
        for word in from.as_chunks::<2>().0 {
            let word = u16::from_be_bytes(*word);
            // Every word is written; the next one replaces it where it is not kept. At most 15 came before.
            to[kept & 15] = word as i16;
            kept += usize::from(word < limit);
        }
        kept
    }
    /// Whether there are the two operations that follow: others are not asked for them.
    const PACKS: bool = false;
    /// Reads `LANES16` numbers of `D` bits without space between them, the first in the lowest bits. In: D is at most 12.
    #[inline(always)]
    fn load_packed_i16<const D: usize>(self, _from: &[u8]) -> Self::I16 {
        unreachable!("PACKS says so")
    }
    /// Writes `LANES16` numbers of `D` bits without space between them. In: none has more; D is at most 12.
    #[inline(always)]
    fn store_packed_i16<const D: usize>(self, _to: &mut [u8], _value: Self::I16) {
        unreachable!("PACKS says so")
    }
    /// Reads the first `2 LANES16` bytes of `from` as little-endian numbers.
    #[inline(always)]
    fn load_bytes_i16(self, from: &[u8]) -> Self::I16 {
        let mut lanes = [0; MAX_LANES16];
        for (lane, bytes) in lanes[..Self::LANES16].iter_mut().zip(from.as_chunks::<2>().0) {
            *lane = i16::from_le_bytes(*bytes);
        }
        self.load_i16(&lanes)
    }
    /// Writes those of 16 numbers of 12 bits, the first in the lowest bits, that are below `limit`, in their order, and
    /// gives how many. What it writes after them has no meaning. In: `to` has room for 16. Not for secrets.
    #[inline(always)]
    fn keep_12_bits_below(self, limit: i16, to: &mut [i16], from: &[u8; 24]) -> usize {
        let to = &mut to[..16];
        let mut kept = 0;
        for three in from.as_chunks::<3>().0 {
            let [x, y, z] = three.map(i16::from);
            for number in [x | (y & 15) << 8, y >> 4 | z << 4] {
                // As in `keep_words_below`.
                to[kept & 15] = number;
                kept += usize::from(number < limit);
            }
        }
        kept
    }
    /// [`Simd::keep_12_bits_below`] of 32 numbers. In: `to` has room for 32.
    #[inline(always)]
    fn keep_32_of_12_bits_below(self, limit: i16, to: &mut [i16], from: &[u8; 48]) -> usize {
        let to = &mut to[..32];
        let mut kept = 0;
        for from in from.as_chunks().0 {
            kept += self.keep_12_bits_below(limit, &mut to[kept..], from);
        }
        kept
    }
    /// 32-bit integers in a vector of [`Simd::in_shorter`].
    const SHORTER32: usize = Self::LANES32;
    /// Runs work on the token of shorter vectors, where there is one that is faster when rows do not fill these.
    #[inline(always)]
    fn in_shorter<W: Work>(self, work: W) -> W::Out {
        work.run(self)
    }
    /// [`Simd::unzip`] of integers. In: `block` is a power of two below `LANES32`, or 1.
    #[inline(always)]
    fn unzip_i32(self, block: usize, a: Self::I32, b: Self::I32) -> (Self::I32, Self::I32) {
        let mut lanes = [0; 2 * WIDEST32];
        self.store_i32(&mut lanes, a);
        self.store_i32(&mut lanes[Self::LANES32..], b);
        let (mut first, mut second) = ([0; WIDEST32], [0; WIDEST32]);
        for i in 0..Self::LANES32 {
            let at = i / block * 2 * block + i % block;
            (first[i], second[i]) = (lanes[at], lanes[at + block]);
        }
        (self.load_i32(&first), self.load_i32(&second))
    }
    /// The inverse of [`Simd::unzip_i32`].
    #[inline(always)]
    fn zip_i32(self, block: usize, a: Self::I32, b: Self::I32) -> (Self::I32, Self::I32) {
        let (first, second) = (self.lanes(a), self.lanes(b));
        let mut lanes = [0; 2 * WIDEST32];
        for i in 0..Self::LANES32 {
            let at = i / block * 2 * block + i % block;
            (lanes[at], lanes[at + block]) = (first[i], second[i]);
        }
        (self.load_i32(&lanes), self.load_i32(&lanes[Self::LANES32..]))
    }
    /// In lane i what is in lane i ^ `bits`. In: `bits` is below `LANES32`, and a power of two or one less.
    #[inline(always)]
    fn flip_i32(self, bits: usize, value: Self::I32) -> Self::I32 {
        let (lanes, mut flipped) = (self.lanes(value), [0; WIDEST32]);
        for i in 0..Self::LANES32 {
            flipped[i] = lanes[i ^ bits];
        }
        self.load_i32(&flipped)
    }
    /// The blocks of `block` lanes with even numbers of a, those with odd numbers of b. In: as [`Simd::unzip_i32`].
    #[inline(always)]
    fn blend_i32(self, block: usize, a: Self::I32, b: Self::I32) -> Self::I32 {
        let (mut lanes, odd) = (self.lanes(a), self.lanes(b));
        for i in (0..Self::LANES32).filter(|i| i & block != 0) {
            lanes[i] = odd[i];
        }
        self.load_i32(&lanes)
    }
    /// A sum of products by Montgomery: `(a[0] b[0] + a[1] b[1] + ...) / 2^32` modulo p, in `[0, p)`.
    ///
    /// In: p odd and below 2^31, `inverse` 1/p modulo 2^32; the sum is below `2^32 p` where `N <= 2`, below `2^33 p`
    /// where `N <= 4`.
    #[inline(always)]
    fn montgomery_sum<const N: usize>(
        self,
        a: [Self::I32; N],
        b: [Self::I32; N],
        p: Self::I32,
        inverse: Self::I32,
    ) -> Self::I32 {
        let mut sums = [0; WIDEST32];
        for (a, b) in a.into_iter().zip(b) {
            let (a, b) = (self.lanes(a), self.lanes(b));
            for i in 0..Self::LANES32 {
                sums[i] += u64::from(a[i]) * u64::from(b[i]);
            }
        }
        let (primes, inverses) = (self.lanes(p), self.lanes(inverse));
        let (mut high, mut multiples) = ([0; WIDEST32], [0; WIDEST32]);
        for i in 0..Self::LANES32 {
            // The multiple of p with the same lower half.
            let factor = (sums[i] as u32).wrapping_mul(inverses[i]);
            multiples[i] = ((u64::from(factor) * u64::from(primes[i])) >> 32) as u32;
            high[i] = (sums[i] >> 32) as u32;
        }
        let mut high = self.load_i32(&high);
        if N > 2 {
            high = (high - p).add_where_negative(p);
        }
        (high - self.load_i32(&multiples)).add_where_negative(p)
    }
    /// A step of a product of a long number of 31-bit limbs: `a b + addend + carry`, as its lower 31 bits and the
    /// carry above them. In: `a b < 2^62`, `addend + carry < 2^32`. Out: the carry is below 2^31 + 2.
    #[inline(always)]
    fn carrying_mul(
        self,
        a: Self::I32,
        b: Self::I32,
        addend: Self::I32,
        carry: Self::I32,
    ) -> (Self::I32, Self::I32) {
        let ((a, b), added) = ((self.lanes(a), self.lanes(b)), self.lanes(addend + carry));
        let (mut limbs, mut carries) = ([0; WIDEST32], [0; WIDEST32]);
        for i in 0..Self::LANES32 {
            let sum = u64::from(a[i]) * u64::from(b[i]) + u64::from(added[i]);
            (limbs[i], carries[i]) = (sum as u32 & (u32::MAX >> 1), (sum >> 31) as u32);
        }
        (self.load_i32(&limbs), self.load_i32(&carries))
    }
    /// The lanes in memory form; only for the default bodies above.
    #[inline(always)]
    fn lanes(self, value: Self::I32) -> [u32; WIDEST32] {
        let mut lanes = [0; WIDEST32];
        self.store_i32(&mut lanes, value);
        lanes
    }
}

/// The most 16-bit lanes that a token may have.
pub const MAX_LANES16: usize = 32;
