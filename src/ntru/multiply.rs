//! Products modulo x^n - 1: Toom-Cook and Karatsuba, until a piece fits into a lane.
//!
//! Toom-Cook in four ([`super::toom4`]) makes seven products of a quarter of the length, two levels of Karatsuba 63 of
//! a sixteenth. It divides by 8, so that of 16 bits 13 are right; where q = 2^14, four levels of Karatsuba, which
//! divides by nothing, make 81. Then each lane of a vector takes a piece ([`super::lanes`]). Nothing depends on a
//! coefficient but the result.

use super::lanes::Products;
use super::params::ParameterSet;
use super::poly::{Poly, ROOM};
use super::toom4;
use crate::isa::Op;
use crate::simd::{Aligned, MAX_LANES16, Simd};
use core::mem::MaybeUninit;
use core::ops::{Add, Sub};

/// Pieces of a polynomial.
const PIECES: usize = 16;

/// How the first level is done, what follows are [`Shape::levels`] of Karatsuba.
#[derive(Clone, Copy)]
struct Shape {
    /// Whether the first level is Toom-Cook in four.
    has_toom4: bool,
    /// Levels of Karatsuba.
    levels: usize,
    /// Which two pieces are added up, for each of those that are sums.
    summands: &'static [(u8, u8)],
}

/// Bits of a coefficient of a product that are right.
const fn has_13_bits(set: ParameterSet) -> bool {
    set.logq() <= 13
}

const fn shape(set: ParameterSet) -> Shape {
    if has_13_bits(set) {
        Shape { has_toom4: true, levels: 2, summands: &SUMMANDS_OF_SEVEN }
    } else {
        Shape { has_toom4: false, levels: 4, summands: &SUMMANDS_OF_ONE }
    }
}

static SUMMANDS_OF_SEVEN: [(u8, u8); 35] = summands(7, 2);
static SUMMANDS_OF_ONE: [(u8, u8); 65] = summands(1, 4);

/// Which two pieces are added up for each of the sums of `levels` levels, of `polynomials` of 2^`levels` pieces.
///
/// A piece of a polynomial is named by a digit a level, 0, 1, or 2 for the sum of 0 and 1. Pieces without a 2 are
/// numbered in binary; then come those whose first digit is 2, then those with the first 2 in the second place, ...
const fn summands<const SUMS: usize>(polynomials: usize, levels: usize) -> [(u8, u8); SUMS] {
    let mut all = [(0, 0); SUMS];
    let (mut level, mut len) = (0, polynomials << levels);
    while level < levels {
        // So far the digits before this one are any, this one and those behind it 0 or 1: the groups of pieces that
        // differ in those alone lie side by side, each as two halves.
        let half = 1 << (levels - 1 - level);
        let (mut group, groups) = (0, len >> (levels - level));
        while group < groups {
            let mut i = 0;
            while i < half {
                let first = group * 2 * half + i;
                all[len - (polynomials << levels) + group * half + i] = (first as u8, (first + half) as u8);
                i += 1;
            }
            group += 1;
        }
        len += groups * half;
        level += 1;
    }
    assert!(len - (polynomials << levels) == SUMS);
    all
}

/// Room for 63 or 81 pieces of `base` coefficients in whole vectors, and for as many pieces as vectors have lanes.
const fn room(pieces: usize, base: usize) -> usize {
    pieces.next_multiple_of(MAX_LANES16) * base.next_multiple_of(MAX_LANES16)
}

/// `out = a b` modulo x^n - 1, or `out = out b`; 13 bits are right, and 16 of hrss1373.
#[inline(always)]
pub(super) fn multiply<S: Simd>(s: S, set: ParameterSet, a: Option<&Poly>, b: &Poly, out: &mut Poly) {
    match set {
        ParameterSet::Hps2048509 => {
            s.enter(Multiply::<{ room(63, 32) }, 32, 32, 64> { set, a, b, out });
        }
        ParameterSet::Hps2048677 | ParameterSet::Hrss701 => {
            s.enter(Multiply::<{ room(63, 44) }, 44, 48, 96> { set, a, b, out });
        }
        ParameterSet::Hps4096821 => {
            s.enter(Multiply::<{ room(63, 52) }, 52, 56, 112> { set, a, b, out });
        }
        ParameterSet::Hps40961229 => {
            s.enter(Multiply::<{ room(63, 80) }, 80, 80, 160> { set, a, b, out });
        }
        ParameterSet::Hrss1373 => {
            s.enter(Multiply::<{ room(81, 88) }, 88, 88, 176> { set, a, b, out });
        }
    }
}

/// Where the blocks of products are. A product of two pieces is two blocks, its lower and its upper half; these lie
/// where the one and the other piece were.
#[derive(Clone, Copy)]
pub(super) struct Blocks {
    /// Coefficients from one piece to the next.
    pub stride: usize,
    /// Coefficients from the pieces of the one polynomial to those of the other.
    pub distance: usize,
}

impl Blocks {
    /// The place of block `i`.
    #[inline(always)]
    pub fn at(self, i: usize) -> usize {
        (i & 1) * self.distance + (i >> 1) * self.stride
    }
}

/// [`multiply`] with pieces of `B` coefficients, and room for those of one factor; `R` is `B` rounded up to eights, `P`
/// twice of it. For each set of its own, as the room it takes is that of the set.
struct Multiply<'a, const LEN: usize, const B: usize, const R: usize, const P: usize> {
    set: ParameterSet,
    a: Option<&'a Poly>,
    b: &'a Poly,
    out: &'a mut Poly,
}

impl<S: Simd, const LEN: usize, const B: usize, const R: usize, const P: usize> Op<S>
    for Multiply<'_, LEN, B, R, P>
{
    type Out = ();

    #[inline(always)]
    fn run(self, s: S) {
        let Multiply { set, a, b, out } = self;
        const { assert!(PIECES * B + MAX_LANES16 <= ROOM && R == B.next_multiple_of(8) && P == 2 * R) };
        debug_assert!(PIECES * B >= set.n());
        let Shape { has_toom4, levels, summands } = shape(set);
        let polynomials = if has_toom4 { 7 } else { 1 };
        let pieces = (polynomials << levels) + summands.len();
        let blocks = Blocks { stride: B.next_multiple_of(S::LANES16), distance: LEN };
        let mut memory = MaybeUninit::uninit();
        let memory = Aligned::<[[i16; LEN]; 2]>::unwritten(&mut memory).as_flattened_mut();
        let (pieces_a, pieces_b) = memory.split_at_mut(LEN);
        evaluate::<S, B>(s, set, a.unwrap_or(out), blocks.stride, pieces_a);
        evaluate::<S, B>(s, set, b, blocks.stride, pieces_b);
        for first in (0..pieces).step_by(S::LANES16) {
            let (a, b) = (&mut pieces_a[first * blocks.stride..], &mut pieces_b[first * blocks.stride..]);
            s.enter(Products::<B, R, P> { a, b });
        }
        // From the last level on: of the products of both halves and of their sums, the product of the whole.
        let mut sums = pieces;
        for level in (0..levels).rev() {
            let half = 1 << (levels - 1 - level);
            let groups = polynomials * 3usize.pow(level as u32);
            sums -= groups * half;
            for group in 0..groups {
                for i in 0..half {
                    let first = 4 * half * group + i;
                    let halves = [first, first + half, first + 2 * half, first + 3 * half];
                    let sum = 2 * sums + 2 * half * group + i;
                    interpolate_blocks(s, blocks, memory, halves, [sum, sum + half]);
                }
            }
        }
        if has_toom4 {
            toom4::interpolate(s, blocks, memory);
        }
        reduce::<S, B>(s, set.n(), blocks, memory, out.of_mut(set));
    }
}

/// The pieces of a polynomial and their sums, one every `stride` coefficients.
#[inline(always)]
fn evaluate<S: Simd, const B: usize>(s: S, set: ParameterSet, a: &Poly, stride: usize, pieces: &mut [i16]) {
    let Shape { has_toom4, levels, summands } = shape(set);
    // In whole vectors, which reach into the next piece.
    for i in 0..PIECES {
        for j in (0..stride).step_by(S::LANES16) {
            s.store_i16(&mut pieces[i * stride + j..], s.load_i16(&a.0[i * B + j..]));
        }
    }
    let mut len = 1 << levels;
    if has_toom4 {
        toom4::evaluate(s, &mut pieces[..7 * PIECES / 4 * stride]);
        len = 7 << levels;
    }
    for (i, (first, second)) in summands.iter().enumerate() {
        let first = usize::from(*first) * stride;
        let second = usize::from(*second) * stride;
        for j in (0..stride).step_by(S::LANES16) {
            let sum = s.load_i16(&pieces[first + j..]) + s.load_i16(&pieces[second + j..]);
            s.store_i16(&mut pieces[(len + i) * stride + j..], sum);
        }
    }
}

/// From the coefficients of a product in 32 blocks, `B` in each, to those modulo x^n - 1.
#[inline(always)]
fn reduce<S: Simd, const B: usize>(s: S, n: usize, blocks: Blocks, memory: &mut [i16], out: &mut [i16]) {
    // One after the other, behind the blocks with odd numbers.
    let (blocked, whole) = memory.split_at_mut(blocks.at(2 * PIECES + 1));
    for i in 0..2 * PIECES {
        // In whole vectors: what follows the block is overwritten by the next one, or is not read.
        for j in (0..blocks.stride).step_by(S::LANES16) {
            s.store_i16(&mut whole[i * B + j..], s.load_i16(&blocked[blocks.at(i) + j..]));
        }
    }
    let (low, high) = whole.split_at(n);
    for ((c, low), high) in out.iter_mut().zip(low).zip(&high[..n]) {
        *c = low.wrapping_add(*high);
    }
}

/// Of the products of lower and of upper halves, side by side, and the product of the sums of halves, the two parts of
/// the product of the whole where they overlap. In: (lower half, upper half) of each.
#[inline(always)]
fn crossing<T: Copy + Add<Output = T> + Sub<Output = T>>(low: (T, T), high: (T, T), sums: (T, T)) -> (T, T) {
    let both = low.1 - high.0;
    (both + (sums.0 - low.0), sums.1 - high.1 - both)
}

/// A block each of the product of the whole, in place of the products of lower and of upper halves, by [`crossing`].
#[inline(always)]
fn interpolate_blocks<S: Simd>(
    s: S,
    blocks: Blocks,
    memory: &mut [i16],
    halves: [usize; 4],
    sums: [usize; 2],
) {
    let [c0, c1, c2, c3] = halves;
    let [m0, m1] = sums;
    for j in (0..blocks.stride).step_by(S::LANES16) {
        let load = |memory: &[i16], block| s.load_i16(&memory[blocks.at(block) + j..]);
        let low = (load(memory, c0), load(memory, c1));
        let high = (load(memory, c2), load(memory, c3));
        let inner = crossing(low, high, (load(memory, m0), load(memory, m1)));
        s.store_i16(&mut memory[blocks.at(c1) + j..], inner.0);
        s.store_i16(&mut memory[blocks.at(c2) + j..], inner.1);
    }
}

/// The product of the whole in place of the products of lower and of upper halves, side by side, in every lane.
#[inline(always)]
pub(super) fn interpolate<T: Copy + Add<Output = T> + Sub<Output = T>>(halves: &mut [T], sums: &[T]) {
    let half = halves.len() / 4;
    let (low, high) = halves.split_at_mut(2 * half);
    let ((first, second), (third, fourth)) = (low.split_at_mut(half), high.split_at_mut(half));
    let (sums_low, sums_high) = sums[..2 * half].split_at(half);
    let outer = first.iter().zip(fourth.iter());
    let inner = second.iter_mut().zip(third.iter_mut());
    for (((c0, c3), (c1, c2)), (m0, m1)) in outer.zip(inner).zip(sums_low.iter().zip(sums_high)) {
        (*c1, *c2) = crossing((*c0, *c1), (*c2, *c3), (*m0, *m1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{self, Isa};
    use crate::ntru::kernels::Kernels;

    /// Both products of a backend.
    struct BothProducts<'a>(ParameterSet, &'a Poly, &'a Poly);

    impl<K: Kernels> Op<K> for BothProducts<'_> {
        type Out = [Poly; 2];

        #[inline(always)]
        fn run(self, k: K) -> [Poly; 2] {
            let BothProducts(set, a, b) = self;
            let (mut product, mut in_place) = (Poly::ZERO, *a);
            k.multiply(set, a, b, &mut product);
            k.multiply_by(set, &mut in_place, b);
            [product, in_place]
        }
    }

    /// Coefficients of all 16 bits.
    fn some_poly(set: ParameterSet, seed: u32) -> Poly {
        let mut poly = Poly::ZERO;
        let mut state = seed;
        for c in poly.of_mut(set) {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *c = (state >> 16) as i16;
        }
        poly
    }

    #[test]
    fn products_are_those_of_all_pairs_on_every_backend() {
        for set in ParameterSet::ALL {
            let (a, b) = (some_poly(set, 1), some_poly(set, 2));
            let mut expected = Poly::ZERO;
            for (i, a) in a.of(set).iter().enumerate() {
                for (j, b) in b.of(set).iter().enumerate() {
                    let sum = &mut expected.0[(i + j) % set.n()];
                    *sum = a.wrapping_mul(*b).wrapping_add(*sum);
                }
            }
            let bits = |poly: &Poly| poly.0.map(|c| c & set.q_mask());
            for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_supported()) {
                for product in isa::with(isa, BothProducts(set, &a, &b)) {
                    assert!(bits(&product) == bits(&expected), "{} on {}", set.name(), isa.name());
                }
            }
        }
    }
}
