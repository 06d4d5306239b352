//! Products modulo x^n - 1 and 2^16, by Karatsuba, which divides by nothing and is therefore exact.
//!
//! A polynomial of 8 or 16 pieces gives 27 or 81 with their sums ([`evaluate`]). Then each lane of a vector takes a
//! piece: the products of as many pieces as there are lanes run at once, by Karatsuba again ([`Rows`]). Nothing depends
//! on a coefficient but the result. Next: [`super::inverse`].

use super::params::ParameterSet;
use super::poly::{Poly, ROOM};
use crate::isa::Op;
use crate::simd::{Aligned, MAX_LANES16, Simd, unwritten};
use core::mem::MaybeUninit;
use core::ops::{Add, Sub};

/// How a set's polynomials are cut: 2^`levels` pieces of `base` coefficients, a multiple of eight.
#[derive(Clone, Copy)]
struct Shape {
    levels: usize,
    base: usize,
}

const fn shape(set: ParameterSet) -> Shape {
    let (levels, base) = match set {
        ParameterSet::Hps2048509 => (3, 64),
        ParameterSet::Hps2048677 | ParameterSet::Hrss701 => (3, 88),
        ParameterSet::Hps4096821 => (3, 104),
        ParameterSet::Hps40961229 => (4, 80),
        ParameterSet::Hrss1373 => (4, 88),
    };
    Shape { levels, base }
}

const _: () = {
    let mut i = 0;
    while i < ParameterSet::ALL.len() {
        let Shape { levels, base } = shape(ParameterSet::ALL[i]);
        assert!(base << levels >= ParameterSet::ALL[i].n() && base << levels <= ROOM && base % 8 == 0);
        i += 1;
    }
};

/// Room for `pieces` of `base` coefficients in whole vectors, and for as many pieces as vectors have lanes.
const fn room(pieces: usize, base: usize) -> usize {
    pieces.next_multiple_of(MAX_LANES16) * base.next_multiple_of(MAX_LANES16)
}

/// Which two pieces are added up for each of the pieces from 2^`LEVELS` on; `PIECES` is 3^`LEVELS`.
///
/// A piece is named by a digit a level, 0, 1, or 2 for the sum of 0 and 1. Pieces without a 2 are numbered in binary;
/// then come those whose first digit is 2, then those with the first 2 in the second place, and so on.
const fn summands<const LEVELS: usize, const PIECES: usize>() -> [(u8, u8); PIECES] {
    let mut all = [(0, 0); PIECES];
    let (mut level, mut len) = (0, 1 << LEVELS);
    while level < LEVELS {
        // So far the digits before this one are any, this one and those behind it 0 or 1: the groups of pieces that
        // differ in those alone lie side by side, each as two halves.
        let half = 1 << (LEVELS - 1 - level);
        let (mut group, groups) = (0, len / (2 * half));
        while group < groups {
            let mut i = 0;
            while i < half {
                let first = group * 2 * half + i;
                all[len + group * half + i] = (first as u8, (first + half) as u8);
                i += 1;
            }
            group += 1;
        }
        len += groups * half;
        level += 1;
    }
    assert!(len == PIECES);
    all
}

static SUMMANDS_OF_8: [(u8, u8); 27] = summands::<3, 27>();
static SUMMANDS_OF_16: [(u8, u8); 81] = summands::<4, 81>();

/// `out = a b` modulo x^n - 1 and 2^16.
#[inline(always)]
pub(super) fn multiply<S: Simd>(s: S, set: ParameterSet, a: &Poly, b: &Poly, out: &mut Poly) {
    match set {
        ParameterSet::Hps2048509 => multiply_in::<S, { room(27, 64) }, 64, 64>(s, set, a, b, out),
        ParameterSet::Hps2048677 | ParameterSet::Hrss701 => {
            multiply_in::<S, { room(27, 88) }, 88, 96>(s, set, a, b, out);
        }
        ParameterSet::Hps4096821 => multiply_in::<S, { room(27, 104) }, 104, 128>(s, set, a, b, out),
        ParameterSet::Hps40961229 => multiply_in::<S, { room(81, 80) }, 80, 96>(s, set, a, b, out),
        ParameterSet::Hrss1373 => multiply_in::<S, { room(81, 88) }, 88, 96>(s, set, a, b, out),
    }
}

/// [`multiply`] with room for the pieces of one factor, of `B` coefficients each, `R` in whole vectors.
#[inline(always)]
fn multiply_in<S: Simd, const ROOM: usize, const B: usize, const R: usize>(
    s: S,
    set: ParameterSet,
    a: &Poly,
    b: &Poly,
    out: &mut Poly,
) {
    const { assert!(R == B.next_multiple_of(MAX_LANES16)) };
    let Shape { levels, base } = shape(set);
    debug_assert_eq!(base, B);
    let summands = if levels == 3 { SUMMANDS_OF_8.as_slice() } else { &SUMMANDS_OF_16 };
    // Coefficients from one piece to the next.
    let stride = B.next_multiple_of(S::LANES16);
    let (mut pieces_a, mut pieces_b) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    let pieces_a = &mut unwritten::<Aligned<[i16; ROOM]>>(&mut pieces_a).0;
    let pieces_b = &mut unwritten::<Aligned<[i16; ROOM]>>(&mut pieces_b).0;
    evaluate::<S, B>(s, summands, a, levels, stride, pieces_a);
    evaluate::<S, B>(s, summands, b, levels, stride, pieces_b);
    // The lower and the upper half of each product, as if these were pieces.
    let mut products = MaybeUninit::uninit();
    let products = unwritten::<Aligned<[[i16; ROOM]; 2]>>(&mut products).0.as_flattened_mut();
    for first in (0..summands.len()).step_by(S::LANES16) {
        let (a, b) = (&pieces_a[first * stride..], &pieces_b[first * stride..]);
        s.enter(Products::<B, R> { a, b, out: &mut products[2 * first * stride..] });
    }
    // From the last level on: of the products of both halves and of their sums, the product of the whole.
    let mut sums = summands.len();
    for level in (0..levels).rev() {
        let half = 1 << (levels - 1 - level);
        let groups = 3usize.pow(level as u32);
        sums -= groups * half;
        let (halves, sums) = products.split_at_mut(2 * sums * stride);
        let (halves, sums) = (halves.chunks_mut(4 * half * stride), sums.chunks(2 * half * stride));
        for (halves, sum) in halves.zip(sums).take(groups) {
            interpolate_pieces(s, halves, sum);
        }
    }
    reduce::<S, B>(s, set.n(), &products[..(2 * stride) << levels], stride, out.of_mut(set));
}

/// The pieces of a polynomial and their sums, one every `stride` coefficients.
#[inline(always)]
fn evaluate<S: Simd, const B: usize>(
    s: S,
    summands: &[(u8, u8)],
    a: &Poly,
    levels: usize,
    stride: usize,
    pieces: &mut [i16],
) {
    for (i, piece) in a.0[..B << levels].as_chunks::<B>().0.iter().enumerate() {
        pieces[i * stride..][..B].copy_from_slice(piece);
    }
    for (i, (first, second)) in summands.iter().enumerate().skip(1 << levels) {
        let (before, sum) = pieces.split_at_mut(i * stride);
        let first = &before[usize::from(*first) * stride..][..stride];
        let second = &before[usize::from(*second) * stride..][..stride];
        let sums = sum[..stride].chunks_exact_mut(S::LANES16);
        let summands = first.chunks_exact(S::LANES16).zip(second.chunks_exact(S::LANES16));
        for (sum, (a, b)) in sums.zip(summands) {
            s.store_i16(sum, s.load_i16(a) + s.load_i16(b));
        }
    }
}

/// From the coefficients of a product, `B` of them every `stride`, to those modulo x^n - 1.
#[inline(always)]
fn reduce<S: Simd, const B: usize>(s: S, n: usize, product: &[i16], stride: usize, out: &mut [i16]) {
    let mut whole = MaybeUninit::uninit();
    let whole = unwritten::<[i16; 2 * ROOM]>(&mut whole);
    for (i, piece) in product.chunks_exact(stride).enumerate() {
        // In whole vectors: what follows the piece is overwritten by the next one, or is not read.
        let whole = &mut whole[i * B..][..stride];
        for (to, from) in whole.chunks_exact_mut(S::LANES16).zip(piece.chunks_exact(S::LANES16)) {
            s.store_i16(to, s.load_i16(from));
        }
    }
    let (low, high) = whole.split_at(n);
    for ((c, low), high) in out.iter_mut().zip(low).zip(&high[..n]) {
        *c = low.wrapping_add(*high);
    }
}

/// Of the products of lower and of upper halves, side by side, and the product of the sums of halves, the product of the
/// whole. In: (lower half, upper half) of each.
#[inline(always)]
fn crossing<T: Copy + Add<Output = T> + Sub<Output = T>>(low: (T, T), high: (T, T), sums: (T, T)) -> (T, T) {
    let both = low.1 - high.0;
    (both + (sums.0 - low.0), sums.1 - high.1 - both)
}

/// The product of the whole in place of the products of lower and of upper halves, side by side, by [`crossing`].
#[inline(always)]
fn interpolate_pieces<S: Simd>(s: S, halves: &mut [i16], sums: &[i16]) {
    let half = halves.len() / 4;
    let (low, high) = halves.split_at_mut(2 * half);
    let ((first, second), (third, fourth)) = (low.split_at_mut(half), high.split_at_mut(half));
    let (sums_low, sums_high) = sums[..2 * half].split_at(half);
    let lanes = S::LANES16;
    let outer = first.chunks_exact(lanes).zip(fourth.chunks_exact(lanes));
    let inner = second.chunks_exact_mut(lanes).zip(third.chunks_exact_mut(lanes));
    let sums = sums_low.chunks_exact(lanes).zip(sums_high.chunks_exact(lanes));
    for (((c0, c3), (c1, c2)), (m0, m1)) in outer.zip(inner).zip(sums) {
        let low = (s.load_i16(c0), s.load_i16(c1));
        let high = (s.load_i16(c2), s.load_i16(c3));
        let inner = crossing(low, high, (s.load_i16(m0), s.load_i16(m1)));
        s.store_i16(c1, inner.0);
        s.store_i16(c2, inner.1);
    }
}

/// [`interpolate_pieces`] in every lane.
#[inline(always)]
fn interpolate<T: Copy + Add<Output = T> + Sub<Output = T>>(halves: &mut [T], sums: &[T]) {
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

/// The products of as many pieces of `B` coefficients as there are lanes: of each, the lower half and the upper half.
///
/// A piece begins every `B` coefficients, rounded up to whole vectors; what follows its coefficients has no meaning.
/// `R` is the room for `B` in vectors of any token.
struct Products<'a, const B: usize, const R: usize> {
    a: &'a [i16],
    b: &'a [i16],
    out: &'a mut [i16],
}

/// Levels of Karatsuba inside a lane, above that of [`leaf`].
const LEVELS_IN_LANE: usize = 2;
/// Room for a product of two pieces in whole vectors.
const PRODUCT_ROOM: usize = 2 * 128;

impl<S: Simd, const B: usize, const R: usize> Op<S> for Products<'_, B, R> {
    type Out = ();

    #[inline(always)]
    fn run(self, s: S) {
        let Products { a, b, out } = self;
        if S::LANES16 == 1 {
            out[..2 * B].fill(0);
            for (i, a) in a[..B].iter().enumerate() {
                for (sum, b) in out[i..i + B].iter_mut().zip(&b[..B]) {
                    *sum = sum.wrapping_add(a.wrapping_mul(*b));
                }
            }
            return;
        }
        let stride = B.next_multiple_of(S::LANES16);
        let (mut a_columns, mut b_columns) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        let a_columns = s.unwritten_i16::<R>(&mut a_columns);
        let b_columns = s.unwritten_i16::<R>(&mut b_columns);
        load_columns(s, a, stride, a_columns);
        load_columns(s, b, stride, b_columns);
        let (mut columns, mut scratch) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        let columns = s.unwritten_i16::<PRODUCT_ROOM>(&mut columns);
        let scratch = s.unwritten_i16::<PRODUCT_ROOM>(&mut scratch);
        s.enter(Rows {
            levels: LEVELS_IN_LANE,
            a: &a_columns[..B],
            b: &b_columns[..B],
            out: &mut columns[..2 * B],
            scratch,
        });
        // The upper half first: in whole vectors, the lower half reaches into it.
        store_columns(s, &mut columns[B..], 2 * stride, &mut out[stride..], stride);
        store_columns(s, columns, 2 * stride, out, stride);
    }
}

/// Exchanges rows and columns of `LANES16` vectors.
#[inline(always)]
fn transpose<S: Simd>(s: S, rows: &mut [S::I16]) {
    let lanes = S::LANES16;
    let rows = &mut rows[..lanes];
    if lanes > 16 {
        for rows in rows.as_chunks_mut::<32>().0 {
            swap(s, 16, rows);
        }
    }
    if lanes > 8 {
        for rows in rows.as_chunks_mut::<16>().0 {
            swap(s, 8, rows);
        }
    }
    for rows in rows.as_chunks_mut().0 {
        transpose_eights(s, rows);
    }
}

/// Exchanges rows and columns of eight rows of eight lanes each: three times the lanes of the first four and of the last
/// four in turn.
#[inline(always)]
pub(super) fn transpose_eights<S: Simd>(s: S, rows: &mut [S::I16; 8]) {
    for _ in 0..3 {
        let [a, b, c, d, e, f, g, h] = *rows;
        let (ae, bf) = (s.zip_eights_i16(a, e), s.zip_eights_i16(b, f));
        let (cg, dh) = (s.zip_eights_i16(c, g), s.zip_eights_i16(d, h));
        *rows = [ae.0, ae.1, bf.0, bf.1, cg.0, cg.1, dh.0, dh.1];
    }
}

/// Exchanges blocks of `block` lanes between the first and the last `block` rows.
#[inline(always)]
fn swap<S: Simd>(s: S, block: usize, rows: &mut [S::I16]) {
    let (first, last) = rows.split_at_mut(block);
    for (a, b) in first.iter_mut().zip(last) {
        (*a, *b) = s.swap_i16(block, *a, *b);
    }
}

/// Of `LANES16` pieces of `stride` coefficients, one in each lane.
#[inline(always)]
fn load_columns<S: Simd>(s: S, pieces: &[i16], stride: usize, columns: &mut [S::I16]) {
    for first in (0..stride).step_by(S::LANES16) {
        let columns = &mut columns[first..][..S::LANES16];
        for (i, column) in columns.iter_mut().enumerate() {
            *column = s.load_i16(&pieces[i * stride + first..]);
        }
        transpose(s, columns);
    }
}

/// The inverse of [`load_columns`], to every `distance` coefficients.
#[inline(always)]
fn store_columns<S: Simd>(s: S, columns: &mut [S::I16], distance: usize, pieces: &mut [i16], stride: usize) {
    for first in (0..stride).step_by(S::LANES16) {
        let columns = &mut columns[first..][..S::LANES16];
        transpose(s, columns);
        for (i, column) in columns.iter().enumerate() {
            s.store_i16(&mut pieces[i * distance + first..], *column);
        }
    }
}

/// A product in every lane; `out` is twice as long as a factor. In: `scratch` is as long as `out`.
struct Rows<'a, V> {
    levels: usize,
    a: &'a [V],
    b: &'a [V],
    out: &'a mut [V],
    scratch: &'a mut [V],
}

impl<S: Simd> Op<S> for Rows<'_, S::I16> {
    type Out = ();

    #[inline(always)]
    fn run(self, s: S) {
        let Rows { levels, a, b, out, scratch } = self;
        if levels == 0 {
            return match a.len() {
                16 => leaf::<S, 8>(s, a, b, out),
                20 => leaf::<S, 10>(s, a, b, out),
                22 => leaf::<S, 11>(s, a, b, out),
                _ => leaf::<S, 13>(s, a, b, out),
            };
        }
        let half = a.len() / 2;
        let ((a_low, a_high), (b_low, b_high)) = (a.split_at(half), b.split_at(half));
        let (sums, scratch) = scratch.split_at_mut(2 * half);
        // The sums of halves lie in the output until it is needed.
        let (a_sum, rest) = out.split_at_mut(half);
        let b_sum = &mut rest[..half];
        for ((sum, low), high) in a_sum.iter_mut().zip(a_low).zip(a_high) {
            *sum = *low + *high;
        }
        for ((sum, low), high) in b_sum.iter_mut().zip(b_low).zip(b_high) {
            *sum = *low + *high;
        }
        let levels = levels - 1;
        s.enter(Rows { levels, a: a_sum, b: b_sum, out: sums, scratch: &mut *scratch });
        let (low, high) = out.split_at_mut(2 * half);
        s.enter(Rows { levels, a: a_low, b: b_low, out: low, scratch: &mut *scratch });
        s.enter(Rows { levels, a: a_high, b: b_high, out: high, scratch });
        interpolate(out, sums);
    }
}

/// The last level of Karatsuba: `2 N` coefficients times `2 N` coefficients in every lane.
#[inline(always)]
fn leaf<S: Simd, const N: usize>(s: S, a: &[S::I16], b: &[S::I16], out: &mut [S::I16]) {
    let ((a_low, a_high), (b_low, b_high)) = (halves::<_, N>(a), halves::<_, N>(b));
    let zero = s.splat_i16(0);
    let (mut a_sum, mut b_sum, mut sums) = ([zero; N], [zero; N], [[zero; N]; 2]);
    for i in 0..N {
        a_sum[i] = a_low[i] + a_high[i];
        b_sum[i] = b_low[i] + b_high[i];
    }
    let (low, high) = out.split_at_mut(2 * N);
    schoolbook(s, a_low, b_low, low);
    schoolbook(s, a_high, b_high, high);
    schoolbook(s, &a_sum, &b_sum, sums.as_flattened_mut());
    interpolate(&mut out[..4 * N], sums.as_flattened());
}

#[inline(always)]
fn halves<T, const N: usize>(all: &[T]) -> (&[T; N], &[T; N]) {
    let [low, high] = all.as_chunks().0 else { unreachable!("twice N") };
    (low, high)
}

/// `N` coefficients times `N` coefficients in every lane.
#[inline(always)]
fn schoolbook<S: Simd, const N: usize>(s: S, a: &[S::I16; N], b: &[S::I16; N], out: &mut [S::I16]) {
    let (low, high) = out[..2 * N].split_at_mut(N);
    // A window of sums that moves on by one coefficient with each of `a`.
    let mut window = [s.splat_i16(0); N];
    for (a, out) in a.iter().zip(low) {
        *out = window[0] + *a * b[0];
        for j in 1..N {
            window[j - 1] = window[j] + *a * b[j];
        }
        window[N - 1] = s.splat_i16(0);
    }
    for (out, sum) in high.iter_mut().zip(window) {
        *out = sum;
    }
}
