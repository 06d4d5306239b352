//! Products modulo x^n - 1 as products of a matrix and a vector, where two products and their sum are one instruction.
//!
//! Entry (i, j) of the matrix of b is coefficient i - j of b, modulo n: all entries of a diagonal are the same (a Toeplitz
//! matrix), so that its first row and column are all of it. In quarters, three products of half the length make the
//! product (Winograd), by sums and differences alone; the smallest ones are sums of products of pairs
//! ([`Simd::add_dot_i16`]), whose vectors are loaded from where they are: unlike in [`super::multiply`], nothing is
//! transposed. All 16 bits are right.

use super::params::ParameterSet;
use super::poly::{Poly, ROOM};
use crate::ct;
use crate::isa::Op;
use crate::simd::{Aligned, MAX_LANES16, Simd};
use core::mem::MaybeUninit;

/// What follows the numbers of a matrix: it is read and written with whole vectors and has no meaning.
const PADDING: usize = 2 * MAX_LANES16;

/// Room for a matrix of `parts` times `m` rows, for the vector, the product, and what smaller products need.
const fn room(mut parts: usize, m: usize) -> usize {
    let part = m.next_multiple_of(MAX_LANES16);
    let mut room = 2 * parts * m + PADDING + 2 * parts * part;
    while parts > 1 {
        parts /= 2;
        room += 3 * parts * m + PADDING + 2 * parts * part;
    }
    room.next_multiple_of(MAX_LANES16)
}

/// `out = a b` modulo x^n - 1, or `out = out b`.
#[inline(always)]
pub(super) fn multiply<S: Simd>(s: S, set: ParameterSet, a: Option<&Poly>, b: &Poly, out: &mut Poly) {
    let n = set.n();
    match set {
        ParameterSet::Hps2048509 => s.enter(Multiply::<{ room(8, 64) }, 8, 64, 2, 2> { n, a, b, out }),
        ParameterSet::Hps2048677 => s.enter(Multiply::<{ room(8, 86) }, 8, 86, 3, 3> { n, a, b, out }),
        ParameterSet::Hps4096821 => s.enter(Multiply::<{ room(8, 104) }, 8, 104, 4, 2> { n, a, b, out }),
        ParameterSet::Hps40961229 => s.enter(Multiply::<{ room(16, 78) }, 16, 78, 3, 3> { n, a, b, out }),
        ParameterSet::Hrss701 => s.enter(Multiply::<{ room(8, 88) }, 8, 88, 3, 3> { n, a, b, out }),
        ParameterSet::Hrss1373 => s.enter(Multiply::<{ room(16, 86) }, 16, 86, 3, 3> { n, a, b, out }),
    }
}

/// [`multiply`] in `PARTS`, with room for `LEN` numbers; the rest as of [`Product`].
struct Multiply<
    'a,
    const LEN: usize,
    const PARTS: usize,
    const M: usize,
    const BLOCKS: usize,
    const SUMS: usize,
> {
    n: usize,
    a: Option<&'a Poly>,
    b: &'a Poly,
    out: &'a mut Poly,
}

impl<S: Simd, const LEN: usize, const PARTS: usize, const M: usize, const BLOCKS: usize, const SUMS: usize>
    Op<S> for Multiply<'_, LEN, PARTS, M, BLOCKS, SUMS>
{
    type Out = ();

    #[inline(always)]
    fn run(self, s: S) {
        let Multiply { n, a, b, out } = self;
        let (len, part) = const { (PARTS * M, BLOCKS * MAX_LANES16) };
        const { assert!(PARTS * M <= ROOM && LEN == room(PARTS, M)) };
        debug_assert!(n <= len);
        let mut memory = MaybeUninit::uninit();
        let memory = Aligned::<[i16; LEN]>::unwritten(&mut memory);
        let (vector, rest) = memory.split_at_mut(PARTS * part);
        let (product, rest) = rest.split_at_mut(PARTS * part);
        let (matrix, scratch) = rest.split_at_mut(2 * len + PADDING);
        // Number q of the matrix is coefficient q - (len - 1) of b, modulo n. Others stand where the vector is zero.
        matrix[..len - n].fill(0);
        matrix[len - n..len - 1].copy_from_slice(&b.0[1..n]);
        matrix[len - 1..len - 1 + n].copy_from_slice(&b.0[..n]);
        matrix[len - 1 + n..2 * len].fill(0);
        // Backwards.
        let a = a.unwrap_or(out);
        for (to, from) in vector.chunks_exact_mut(part).zip(a.0[..len].rchunks_exact(M)) {
            for (to, from) in to.iter_mut().zip(from.iter().rev()) {
                *to = *from;
            }
        }
        s.enter(Product::<M, BLOCKS, SUMS> { parts: PARTS, matrix, vector, product: &mut *product, scratch });
        for (to, from) in out.0[..len].chunks_exact_mut(M).zip(product.chunks_exact(part)) {
            to.copy_from_slice(&from[..M]);
        }
        out.0[n..len].fill(0);
    }
}

/// The product of a matrix of `parts` times M rows and columns and a vector, which begins with its last number.
///
/// Of a matrix the number of diagonal d is `matrix[d + parts * M - 1]`. M numbers of a vector or a product fill
/// `BLOCKS` vectors of the widest kind; those behind them have no meaning. The smallest products have `SUMS` sums for
/// each row, which are added up in the end: an addition to one of them does not wait for the one before.
struct Product<'a, const M: usize, const BLOCKS: usize, const SUMS: usize> {
    parts: usize,
    matrix: &'a [i16],
    vector: &'a [i16],
    product: &'a mut [i16],
    scratch: &'a mut [i16],
}

impl<S: Simd, const M: usize, const BLOCKS: usize, const SUMS: usize> Op<S> for Product<'_, M, BLOCKS, SUMS> {
    type Out = ();

    #[inline(always)]
    fn run(self, s: S) {
        let Product { parts, matrix, vector, product, scratch } = self;
        if parts == 1 {
            return smallest::<S, M, BLOCKS, SUMS>(s, matrix, vector, product);
        }
        // The matrix is (T1 T0; T2 T1), the vector (v0, v1). With P = T1 (v0 + v1), the product is P + (T0 - T1) v1 and
        // P - (T1 - T2) v0. T0, T1, T2 begin half their rows apart; the differences overlap as they do.
        let half = parts / 2;
        let (rows, part) = (half * M, half * BLOCKS * MAX_LANES16);
        let (sums, rest) = scratch.split_at_mut(part);
        let (both, rest) = rest.split_at_mut(part);
        let (differences, scratch) = rest.split_at_mut(3 * rows + PADDING);
        let (last, first) = vector.split_at(part);
        let (of_last, of_first) = product.split_at_mut(part);
        for ((to, a), b) in vectors_mut::<S>(sums, part).zip(vectors::<S>(last)).zip(vectors::<S>(first)) {
            s.store_i16(to, s.load_i16(a) + s.load_i16(b));
        }
        for ((to, a), b) in vectors_mut::<S>(differences, 3 * rows)
            .zip(vectors::<S>(matrix))
            .zip(vectors::<S>(&matrix[rows..]))
        {
            s.store_i16(to, s.load_i16(a) - s.load_i16(b));
        }
        let products = [
            (&matrix[rows..], &*sums, &mut *both),
            (&*differences, last, &mut *of_last),
            (&differences[rows..], first, &mut *of_first),
        ];
        for (matrix, vector, product) in products {
            s.enter(Product::<M, BLOCKS, SUMS> {
                parts: half,
                matrix,
                vector,
                product,
                scratch: &mut *scratch,
            });
        }
        for (to, both) in vectors_mut::<S>(of_last, part).zip(vectors::<S>(both)) {
            s.store_i16(to, s.load_i16(both) + s.load_i16(to));
        }
        for (to, both) in vectors_mut::<S>(of_first, part).zip(vectors::<S>(both)) {
            s.store_i16(to, s.load_i16(both) - s.load_i16(to));
        }
    }
}

/// Whole vectors.
#[inline(always)]
fn vectors<S: Simd>(numbers: &[i16]) -> impl Iterator<Item = &[i16]> {
    numbers.chunks_exact(S::LANES16)
}

/// As many vectors as hold `len` numbers.
#[inline(always)]
fn vectors_mut<S: Simd>(numbers: &mut [i16], len: usize) -> impl Iterator<Item = &mut [i16]> {
    numbers[..len.next_multiple_of(S::LANES16)].chunks_exact_mut(S::LANES16)
}

/// Vectors of the matrix that meet the groups of columns and the blocks of rows at one place.
const MOST_DIAGONALS: usize = 7;

/// Sums of products of pairs: for each vector of rows those of even rows, those of odd rows.
type Sums<V, const BLOCKS: usize, const SUMS: usize> = [[(V, V); BLOCKS]; SUMS];

/// [`Product`] without a further step.
///
/// A vector that begins at e of the matrix has a pair in each lane. In even rows i, i + 2, ... it meets columns j and
/// j + 1 of the vector, and in the row after each of them columns j + 1 and j + 2, where e = i - j + M - 2; and in the
/// next block of rows the columns `LANES16` further on.
#[inline(always)]
fn smallest<S: Simd, const M: usize, const BLOCKS: usize, const SUMS: usize>(
    s: S,
    matrix: &[i16],
    vector: &[i16],
    product: &mut [i16],
) {
    const { assert!(M.is_multiple_of(2) && S::LANES16 * BLOCKS >= M && S::LANES16 == MAX_LANES16) };
    // One, two or three groups, and one more.
    const { assert!(M > S::LANES16 + 1 && M < 4 * S::LANES16 + 2) };
    let (matrix, vector) = (&matrix[..M + S::LANES16 * BLOCKS], &vector[..M]);
    let zero = s.splat_i32(0);
    let mut sums = [[(zero, zero); BLOCKS]; SUMS];
    // Odd rows have a pair more: their first column meets the one before the first, which is zero, and the last one the
    // one behind it.
    let first = s.splat_pair_i16(&[vector[M - 1], 0]);
    let last = [s.splat_pair_i16(vector), s.splat_pair_i16(&[0, vector[0]])];
    for (block, (even, odd)) in sums[0].iter_mut().enumerate() {
        let at = S::LANES16 * block;
        *odd = s.add_dot_i16(*odd, s.load_i16(&matrix[at + M..]), first);
        let numbers = s.load_i16(&matrix[at..]);
        *even = s.add_dot_i16(*even, numbers, last[0]);
        *odd = s.add_dot_i16(*odd, numbers, last[1]);
    }
    // The others, in groups: as many pairs as half a vector has numbers.
    let groups = (M - 2) / S::LANES16;
    // The compiler does not know how many rounds there are: it would unroll all and run out of registers.
    let (longer, lanes) = (opaque((M - 2) % S::LANES16 / 2), opaque(S::LANES16 / 2));
    for first in 1..longer + 1 {
        match groups {
            1 => add_pairs::<S, M, BLOCKS, SUMS, 2>(s, first, matrix, vector, &mut sums),
            2 => add_pairs::<S, M, BLOCKS, SUMS, 3>(s, first, matrix, vector, &mut sums),
            _ => add_pairs::<S, M, BLOCKS, SUMS, 4>(s, first, matrix, vector, &mut sums),
        }
    }
    for first in longer + 1..lanes + 1 {
        match groups {
            1 => add_pairs::<S, M, BLOCKS, SUMS, 1>(s, first, matrix, vector, &mut sums),
            2 => add_pairs::<S, M, BLOCKS, SUMS, 2>(s, first, matrix, vector, &mut sums),
            _ => add_pairs::<S, M, BLOCKS, SUMS, 3>(s, first, matrix, vector, &mut sums),
        }
    }
    for block in 0..BLOCKS {
        let (mut even, mut odd) = sums[0][block];
        for sums in &sums[1..] {
            (even, odd) = (even + sums[block].0, odd + sums[block].1);
        }
        s.store_i16(&mut product[S::LANES16 * block..], s.halves_i16(even, odd).0);
    }
}

/// The same number, for the compiler any.
#[inline(always)]
fn opaque(number: usize) -> usize {
    ct::opaque(number as u64) as usize
}

/// Adds the products of `GROUPS` pairs of columns, one every `LANES16` from M - 2 `first` on.
#[inline(always)]
fn add_pairs<S: Simd, const M: usize, const BLOCKS: usize, const SUMS: usize, const GROUPS: usize>(
    s: S,
    first: usize,
    matrix: &[i16],
    vector: &[i16],
    sums: &mut Sums<S::I32, BLOCKS, SUMS>,
) {
    let before = S::LANES16 * (GROUPS - 1);
    let place = M - 2 * first - before;
    let matrix = &matrix[place..place + S::LANES16 * (GROUPS + BLOCKS - 1)];
    let vector = &vector[place - 1..place + before + 2];
    let mut numbers = [s.splat_i16(0); MOST_DIAGONALS];
    for (i, numbers) in numbers[..GROUPS + BLOCKS - 1].iter_mut().enumerate() {
        *numbers = s.load_i16(&matrix[S::LANES16 * i..]);
    }
    for group in 0..GROUPS {
        let at = before - S::LANES16 * group;
        let columns = [s.splat_pair_i16(&vector[at + 1..]), s.splat_pair_i16(&vector[at..])];
        for block in 0..BLOCKS {
            let numbers = numbers[block + GROUPS - 1 - group];
            let (even, odd) = &mut sums[group % SUMS][block];
            *even = s.add_dot_i16(*even, numbers, columns[0]);
            *odd = s.add_dot_i16(*odd, numbers, columns[1]);
        }
    }
}
