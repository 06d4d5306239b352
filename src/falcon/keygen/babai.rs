//! Babai's reduction of (F, G) by (f, g) at the depths where coefficients are long (specification 3.8.2,
//! algorithm 7), step for step as the reference program does it, so that the same candidates fail.
//!
//! k = (F adj f + G adj g) / (f adj f + g adj g) is computed in doubles from the upper 10 limbs of all four,
//! rounded, and k (f, g) is subtracted from (F, G), about 25 bits of quotient at a time. Everything that steers the
//! loop (`length`, `scale`) depends on the depth alone. Next: [`super::solve`], which calls it on the way up.

use super::field_norm::{LENGTHS, LIMBS, Level};
use super::product::Product;
use super::zint::{LIMB, sub_shifted, to_doubles};
use crate::ct::declassify;
use crate::falcon::fft;
use crate::falcon::kernels::{Fft, Ifft};
use crate::isa::Op;
use crate::simd::{Real, Simd};
use zeroize::Zeroizing;

/// Limbs that a double approximates.
const WINDOW: usize = 10;

/// Bits of the quotient that a step removes.
const STEP_BITS: usize = 25;

/// Coefficients to Fourier form, for each half of `a`.
pub(super) fn fft_pair<S: Simd>(s: S, a: &mut [f64]) {
    let half = a.len() / 2;
    for polynomial in a.chunks_exact_mut(half) {
        s.enter(Fft(polynomial));
    }
}

/// Fourier form to coefficients, for one polynomial.
pub(super) fn ifft<S: Simd>(s: S, a: &mut [f64]) {
    s.enter(Ifft(a));
}

/// Doubles that are wiped.
pub(super) fn doubles(len: usize) -> Zeroizing<Vec<f64>> {
    Zeroizing::new(vec![0.0; len])
}

/// f, g in Fourier form and 1/(|f|^2 + |g|^2).
pub(super) struct Divisor {
    /// f, then g.
    fg: Zeroizing<Vec<f64>>,
    inverse: Zeroizing<Vec<f64>>,
}

impl Divisor {
    /// In: the coefficients of f, then of g.
    pub fn new<S: Simd>(s: S, mut fg: Zeroizing<Vec<f64>>) -> Divisor {
        fft_pair(s, &mut fg);
        let (f, g) = fg.split_at(fg.len() / 2);
        let mut inverse = Zeroizing::new(f.to_vec());
        s.enter(InverseNorm { f: &mut inverse, g });
        Divisor { fg, inverse }
    }

    /// F becomes the coefficients of (F adj f + G adj g) / (f adj f + g adj g).
    /// In: the coefficients of F, then of G. G is overwritten.
    pub fn quotient<S: Simd>(&self, s: S, pair: &mut [f64]) {
        s.enter(Quotient { divisor: self, pair });
    }
}

struct InverseNorm<'a> {
    f: &'a mut [f64],
    g: &'a [f64],
}

impl<S: Simd> Op<S> for InverseNorm<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, s: S) {
        fft::inv_norm2(s, self.f, self.g);
    }
}

struct Quotient<'a> {
    divisor: &'a Divisor,
    pair: &'a mut [f64],
}

impl<S: Simd> Op<S> for Quotient<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, s: S) {
        fft_pair(s, self.pair);
        let n = self.pair.len() / 2;
        let (x, y) = self.pair.split_at_mut(n);
        let (f, g) = self.divisor.fg.split_at(n);
        fft::mul_adj(s, x, f);
        fft::mul_adj(s, y, g);
        fft::add(s, x, y);
        fft::mul_self_adjoint(s, x, &self.divisor.inverse);
        ifft(s, x);
    }
}

/// The integers nearest to `x * scale`, or nothing where one of these is not within `(-limit, limit)`.
/// In: `limit <= 2^51`.
pub(super) fn rounded<S: Simd>(_: S, x: &[f64], scale: f64, limit: f64, out: &mut [i64]) -> bool {
    let (scale, low, high) = (S::Real::new(scale), S::Real::new(-limit), S::Real::new(limit));
    let mut fits = 1;
    for x in x {
        let x = S::Real::new(*x) * scale;
        fits &= low.lt(x) & x.lt(high);
    }
    if !declassify(fits == 1, "a pair that is rejected is not used") {
        return false;
    }
    for (out, x) in out.iter_mut().zip(x) {
        *out = (S::Real::new(*x) * scale).rint().to_integer();
    }
    true
}

/// Reduces (F, G) at a depth, in place. In: `pair` is a table of `columns` columns, 2n or more, of which the others
/// are not used. Out: its first limbs, as many as f and g have, hold the result; nothing where a quotient is out of
/// range.
pub(super) fn reduce<S: Simd>(s: S, level: &Level, pair: &mut [u32], columns: usize) -> Option<()> {
    let (n, depth) = (level.n, level.depth);
    let len = LIMBS[depth];
    let (mean, deviation) = LENGTHS[depth];
    let (shortest, longest) = (mean - 6 * deviation, mean + 6 * deviation);

    // The upper limbs of f and g.
    let window = len.min(WINDOW);
    let mut fg = doubles(2 * n);
    to_doubles(s, &level.limbs[(len - window) * 2 * n..], &mut fg);
    let fg_scale = 31 * (len - window);
    let divisor = Divisor::new(s, fg);
    let mut product = Product::new(s, level, columns);
    let mut approximation = doubles(columns);
    let mut k = Zeroizing::new(vec![0i64; n]);

    // F and G have at most `length` bits and are kept in `limbs` limbs.
    let full = pair.len() / columns;
    let mut limbs = full;
    let mut length = 31 * limbs;
    let mut scale = length - shortest;
    loop {
        let window = limbs.min(WINDOW);
        to_doubles(s, &pair[(limbs - window) * columns..limbs * columns], &mut approximation);
        let pair_scale = 31 * (limbs - window);
        divisor.quotient(s, &mut approximation[..2 * n]);
        // The quotient is off by 2^(pair_scale - fg_scale); k is wanted in units of 2^scale.
        let exponent = 1023 + (pair_scale as i64 - fg_scale as i64 - scale as i64);
        let unit = f64::from_bits((exponent as u64) << 52);
        if !rounded(s, &approximation[..n], unit, 2147483647.0, &mut k) {
            return None;
        }
        let multiple = product.of(s, &k);
        sub_shifted(s, &mut pair[..limbs * columns], multiple, columns, scale / 31, (scale % 31) as u32);

        // Ten bits more: the error of k, and the n products that are summed up.
        let bound = scale + longest + 10;
        if bound < length {
            length = bound;
            if 31 * limbs >= length + 31 {
                limbs -= 1;
            }
        }
        if scale == 0 {
            break;
        }
        scale = scale.saturating_sub(STEP_BITS);
    }
    // The limbs that were dropped are the sign.
    for i in limbs..len {
        let (known, rest) = pair.split_at_mut(i * columns);
        for (w, below) in rest.iter_mut().zip(&known[(i - 1) * columns..]) {
            *w = (below >> 30).wrapping_neg() & LIMB;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Scalar, Soft};

    #[test]
    fn quotients_out_of_range_are_refused() {
        let mut k = [0; 3];
        let largest = 2147483646.0;
        for s in 0..2 {
            let mut round = |x: &[f64]| {
                if s == 0 {
                    rounded(Scalar::get(), x, 0.5, 2147483647.0, &mut k)
                } else {
                    rounded(Soft::get(), x, 0.5, 2147483647.0, &mut k)
                }
            };
            assert!(round(&[2.0 * largest, -2.0 * largest, 3.0]));
            assert!(!round(&[0.0, 2.0 * (largest + 1.0), 0.0]));
            assert!(!round(&[0.0, 0.0, -2.0 * (largest + 1.0)]));
            assert!(!round(&[1e300, 0.0, 0.0]));
            assert!(round(&[1.0, 3.0, -5.0]));
            assert_eq!(k, [0, 2, -2]);
        }
    }
}
