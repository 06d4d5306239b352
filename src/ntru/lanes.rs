//! Products of short polynomials, one in each lane of a vector, by Karatsuba.
//!
//! Pieces lie in memory one after the other. [`load_columns`] brings coefficient i of as many pieces as there are lanes
//! into vector i, so that a product is one of scalars, several at once ([`Rows`]). Next: [`super::inverse`].

use super::multiply::interpolate;
use crate::isa::Op;
use crate::simd::Simd;
use core::mem::MaybeUninit;

/// The products of as many pieces of `B` coefficients as there are lanes: the lower half of each takes the place of the
/// one piece, the upper half that of the other.
///
/// A piece begins every `B` coefficients, rounded up to whole vectors; what follows its coefficients has no meaning. `R`
/// is `B` rounded up to eights, `P` twice of it.
pub(super) struct Products<'a, const B: usize, const R: usize, const P: usize> {
    pub a: &'a mut [i16],
    pub b: &'a mut [i16],
}

impl<S: Simd, const B: usize, const R: usize, const P: usize> Op<S> for Products<'_, B, R, P> {
    type Out = ();

    #[inline(always)]
    fn run(self, s: S) {
        let Products { a, b } = self;
        if S::LANES16 == 1 {
            // Eight rows at a time, so that what is read of the sums lies where it was written: the processor would
            // wait for it elsewhere.
            let (mut out, mut rows, mut padded) = ([0i16; P], [0i16; R], [0i16; MAX_PIECE + 16]);
            rows[..B].copy_from_slice(&a[..B]);
            padded[8..8 + B].copy_from_slice(&b[..B]);
            for (i, rows) in rows.as_chunks::<8>().0.iter().enumerate() {
                for (j, sum) in out[8 * i..8 * i + B + 8].iter_mut().enumerate() {
                    for (k, a) in rows.iter().enumerate() {
                        *sum = a.wrapping_mul(padded[8 + j - k]).wrapping_add(*sum);
                    }
                }
            }
            a[..B].copy_from_slice(&out[..B]);
            b[..B].copy_from_slice(&out[B..2 * B]);
            return;
        }
        let stride = B.next_multiple_of(S::LANES16);
        let (mut a_columns, mut b_columns) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        let a_columns = s.unwritten_i16::<R>(&mut a_columns);
        let b_columns = s.unwritten_i16::<R>(&mut b_columns);
        load_columns(s, a, stride, a_columns);
        load_columns(s, b, stride, b_columns);
        let (mut columns, mut scratch) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        let mut short = MaybeUninit::uninit();
        let columns = s.unwritten_i16::<P>(&mut columns);
        // As many for the first level, half as many for the second one, which the longer pieces have.
        let scratch = if B > 2 * MAX_LEAF {
            s.unwritten_i16::<P>(&mut scratch).as_mut_slice()
        } else {
            s.unwritten_i16::<R>(&mut short).as_mut_slice()
        };
        s.enter(Rows { a: &a_columns[..B], b: &b_columns[..B], out: &mut columns[..2 * B], scratch });
        store_columns(s, &columns[..R], a, stride);
        store_columns(s, &columns[B..B + R], b, stride);
    }
}

/// Coefficients of the longest piece.
const MAX_PIECE: usize = 88;

/// The longest factor of [`leaf`].
const MAX_LEAF: usize = 26;

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

/// Of `LANES16` pieces, one every `stride` coefficients, each in a lane.
#[inline(always)]
fn load_columns<S: Simd, const R: usize>(s: S, pieces: &[i16], stride: usize, columns: &mut [S::I16; R]) {
    for (first, columns) in columns.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        for (i, column) in columns.iter_mut().enumerate() {
            *column = s.load_eights_i16(&pieces[i * stride + 8 * first..], 8 * stride);
        }
        transpose_eights(s, columns);
    }
}

/// The inverse of [`load_columns`].
#[inline(always)]
fn store_columns<S: Simd>(s: S, columns: &[S::I16], pieces: &mut [i16], stride: usize) {
    for (first, columns) in columns.as_chunks::<8>().0.iter().enumerate() {
        let mut rows = *columns;
        transpose_eights(s, &mut rows);
        for (i, row) in rows.into_iter().enumerate() {
            s.store_eights_i16(&mut pieces[i * stride + 8 * first..], 8 * stride, row);
        }
    }
}

/// A product in every lane; `out` is twice as long as a factor. In: `scratch` is as long as `out`.
struct Rows<'a, V> {
    a: &'a [V],
    b: &'a [V],
    out: &'a mut [V],
    scratch: &'a mut [V],
}

impl<S: Simd> Op<S> for Rows<'_, S::I16> {
    type Out = ();

    #[inline(always)]
    fn run(self, s: S) {
        let Rows { a, b, out, scratch } = self;
        match a.len() {
            16 => return leaf::<S, 8>(s, a, b, out),
            20 => return leaf::<S, 10>(s, a, b, out),
            22 => return leaf::<S, 11>(s, a, b, out),
            26 => return leaf::<S, 13>(s, a, b, out),
            _ => {}
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
        s.enter(Rows { a: a_sum, b: b_sum, out: sums, scratch: &mut *scratch });
        let (low, high) = out.split_at_mut(2 * half);
        s.enter(Rows { a: a_low, b: b_low, out: low, scratch: &mut *scratch });
        s.enter(Rows { a: a_high, b: b_high, out: high, scratch });
        interpolate(out, sums);
    }
}

/// The last level of Karatsuba: `2 N` coefficients times `2 N` coefficients in every lane.
#[inline(always)]
fn leaf<S: Simd, const N: usize>(s: S, a: &[S::I16], b: &[S::I16], out: &mut [S::I16]) {
    let ((a_low, a_high), (b_low, b_high)) = (halves::<_, N>(a), halves::<_, N>(b));
    // The sums of halves lie in the output until it is needed, as above.
    for i in 0..N {
        out[i] = a_low[i] + a_high[i];
        out[N + i] = b_low[i] + b_high[i];
    }
    let mut sums = [[s.splat_i16(0); N]; 2];
    let (a_sum, b_sum) = halves::<_, N>(&out[..2 * N]);
    schoolbook(s, a_sum, b_sum, sums.as_flattened_mut());
    let (low, high) = out.split_at_mut(2 * N);
    schoolbook(s, a_low, b_low, low);
    schoolbook(s, a_high, b_high, high);
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
