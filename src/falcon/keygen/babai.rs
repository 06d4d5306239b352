//! Babai's reduction of (F, G) by (f, g) at the depths where coefficients are long (specification 3.8.2,
//! algorithm 7), step for step as the reference program does it, so that the same candidates fail.
//!
//! k = (F adj f + G adj g) / (f adj f + g adj g) is computed in doubles from the upper 10 limbs of all four,
//! rounded, and k (f, g) is subtracted from (F, G), about 25 bits of quotient at a time. Everything that steers the
//! loop (`length`, `scale`) depends on the depth alone. Next: [`super::solve`], which calls it on the way up.

use super::field_norm::{LENGTHS, LIMBS, Level};
use super::mod_p::{Lanes, Prime, backward_table, enter_rows, forward_table, primes};
use super::ntt::{inverse_ntt, ntt};
use super::zint::{LIMB, Table, from_residues, sub_shifted, table, to_doubles};
use crate::ct::declassify;
use crate::falcon::fft;
use crate::isa::Op;
use crate::simd::{Int32, Real, Simd};
use zeroize::Zeroizing;

/// Limbs that a double approximates.
const WINDOW: usize = 10;

/// Bits of the quotient that a step removes.
const STEP_BITS: usize = 25;

/// The shortest polynomials whose products with k are done with transforms in lanes; below by the schoolbook.
const SHORTEST_TRANSFORM: usize = 16;

/// Coefficients to Fourier form, for each half of `a`.
pub(super) fn fft_pair<S: Simd>(s: S, a: &mut [f64]) {
    struct Fft<'a>(&'a mut [f64]);
    impl<S: Simd> Op<S> for Fft<'_> {
        type Out = ();
        #[inline(always)]
        fn run(self, s: S) {
            fft::fft(s, self.0);
        }
    }
    let half = a.len() / 2;
    for polynomial in a.chunks_exact_mut(half) {
        s.enter(Fft(polynomial));
    }
}

/// Fourier form to coefficients, for one polynomial.
pub(super) fn ifft<S: Simd>(s: S, a: &mut [f64]) {
    struct Ifft<'a>(&'a mut [f64]);
    impl<S: Simd> Op<S> for Ifft<'_> {
        type Out = ();
        #[inline(always)]
        fn run(self, s: S) {
            fft::ifft(s, self.0);
        }
    }
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

/// Multiples k (f, g) of a fixed f and g, as tables of signed limbs.
enum Product {
    Transform(ByTransform),
    Schoolbook(Schoolbook),
}

impl Product {
    fn new<S: Simd>(s: S, level: &Level, columns: usize) -> Product {
        // On one lane transforms need twice the length to be worth it.
        if level.n >= SHORTEST_TRANSFORM * if S::LANES32 == 1 { 2 } else { 1 } {
            Product::Transform(ByTransform::new(s, level))
        } else {
            Product::Schoolbook(Schoolbook::new(level, columns))
        }
    }

    /// k f and k g. In: `|k[i]| < 2^31`.
    fn of<S: Simd>(&mut self, s: S, k: &[i64]) -> &[u32] {
        match self {
            Product::Transform(by) => {
                by.multiply(s, k);
                &by.out
            }
            Product::Schoolbook(by) => {
                by.multiply(s, k);
                &by.out
            }
        }
    }
}

/// Products modulo one prime more than f and g have limbs: enough for k and the sum over n <= 1024.
struct ByTransform {
    n: usize,
    /// For each prime the transforms of f and g, and the twiddle factors of both directions (n each).
    fg: Table,
    roots: Vec<u32>,
    k: Table,
    transformed_k: Table,
    out: Table,
}

impl ByTransform {
    fn new<S: Simd>(s: S, level: &Level) -> ByTransform {
        let n = level.n;
        let len = LIMBS[level.depth] + 1;
        let mut fg = table(len, 2 * n);
        let mut roots = vec![0; len * 2 * n];
        for (j, (fg, roots)) in fg.chunks_exact_mut(2 * n).zip(roots.chunks_exact_mut(2 * n)).enumerate() {
            let (forward, backward) = roots.split_at_mut(n);
            forward_table(s, &primes()[j], forward);
            backward_table(s, &primes()[j], backward);
            level.transform(s, j, forward, fg);
        }
        let [k, transformed_k] = [table(1, n), table(1, n)];
        ByTransform { n, fg, roots, k, transformed_k, out: table(len, 2 * n) }
    }

    fn multiply<S: Simd>(&mut self, s: S, k: &[i64]) {
        let n = self.n;
        for (to, k) in self.k.iter_mut().zip(k) {
            *to = *k as u32;
        }
        let rows = self.fg.chunks_exact(2 * n).zip(self.out.chunks_exact_mut(2 * n));
        for ((prime, roots), (fg, out)) in primes().iter().zip(self.roots.chunks_exact(2 * n)).zip(rows) {
            let (forward, backward) = roots.split_at(n);
            let transformed = &mut self.transformed_k[..];
            enter_rows(s, n, ToMontgomery { prime, k: &self.k, out: transformed });
            ntt(s, prime, forward, transformed);
            for (fg, out) in fg.chunks_exact(n).zip(out.chunks_exact_mut(n)) {
                enter_rows(s, n, Pointwise { prime, x: fg, y: transformed, out });
                inverse_ntt(s, prime, backward, out);
            }
        }
        from_residues(s, &mut self.out, 2 * n, true);
    }
}

/// Signed numbers of 32 bits to Montgomery form.
struct ToMontgomery<'a> {
    prime: &'a Prime,
    k: &'a [u32],
    out: &'a mut [u32],
}

impl<S: Simd> Op<S> for ToMontgomery<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, s: S) {
        let m = Lanes::new(s, self.prime);
        let (r2, two_p) = (m.splat(self.prime.r2), m.splat(2 * self.prime.p));
        for (out, k) in self.out.chunks_exact_mut(S::LANES32).zip(self.k.chunks_exact(S::LANES32)) {
            // As p is above 2^30, k + 2p is not negative.
            let k = s.load_i32(k);
            s.store_i32(out, m.mul(k + (two_p & k.sign_mask()), r2));
        }
    }
}

/// Montgomery products.
struct Pointwise<'a> {
    prime: &'a Prime,
    x: &'a [u32],
    y: &'a [u32],
    out: &'a mut [u32],
}

impl<S: Simd> Op<S> for Pointwise<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, s: S) {
        let m = Lanes::new(s, self.prime);
        let factors = self.x.chunks_exact(S::LANES32).zip(self.y.chunks_exact(S::LANES32));
        for (out, (x, y)) in self.out.chunks_exact_mut(S::LANES32).zip(factors) {
            s.store_i32(out, m.mul(s.load_i32(x), s.load_i32(y)));
        }
    }
}

/// Products of every coefficient with every other, in words of 62 bits. In: n <= 64.
struct Schoolbook {
    n: usize,
    /// Of `out`, 2n or more.
    columns: usize,
    /// Two limbs a word, the topmost word signed; tables of 2n columns.
    fg: Zeroizing<Vec<i64>>,
    /// -k, then k.
    signed_k: Zeroizing<Vec<i64>>,
    out: Table,
}

impl Schoolbook {
    fn new(level: &Level, columns: usize) -> Schoolbook {
        let n = level.n;
        let len = LIMBS[level.depth];
        let words = len.div_ceil(2);
        let mut fg = Zeroizing::new(vec![0i64; words * 2 * n]);
        for (i, row) in level.limbs.chunks_exact(2 * n).enumerate() {
            let at = i / 2 * 2 * n;
            for (word, limb) in fg[at..at + 2 * n].iter_mut().zip(row) {
                let limb = i64::from(*limb) << (31 * (i % 2));
                // The sign of the topmost limb fills the word.
                let unused = if i + 1 == len { 33 - 31 * (i % 2) } else { 0 };
                *word |= limb << unused >> unused;
            }
        }
        let out = table(2 * words + 2, columns);
        Schoolbook { n, columns, fg, signed_k: Zeroizing::new(vec![0; 2 * n]), out }
    }

    fn multiply<S: Simd>(&mut self, s: S, k: &[i64]) {
        let (negative, positive) = self.signed_k.split_at_mut(self.n);
        for ((negative, positive), k) in negative.iter_mut().zip(positive).zip(k) {
            (*negative, *positive) = (-*k, *k);
        }
        s.enter(Convolution { by: self });
    }
}

struct Convolution<'a> {
    by: &'a mut Schoolbook,
}

impl<S: Simd> Op<S> for Convolution<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, _: S) {
        let Schoolbook { n, columns, fg, signed_k, out } = self.by;
        let (n, columns) = (*n, *columns);
        for first in [0, n] {
            for w in 0..n {
                // x^v * x^(w - v), and -x^v * x^(n + w - v) where v > w.
                let k = &signed_k[w + 1..w + 1 + n];
                let mut carry = 0i64;
                for (fg, out) in fg.chunks_exact(2 * n).zip(out.chunks_exact_mut(2 * columns)) {
                    let mut sum = i128::from(carry);
                    for (x, k) in fg[first..first + n].iter().zip(k.iter().rev()) {
                        sum += i128::from(*x) * i128::from(*k);
                    }
                    // Below 2^(62 + 31 + 6): the carry fits.
                    carry = (sum >> 62) as i64;
                    out[first + w] = sum as u32 & LIMB;
                    out[columns + first + w] = (sum >> 31) as u32 & LIMB;
                }
                let top = out.len() - 2 * columns + first + w;
                out[top] = carry as u32 & LIMB;
                out[top + columns] = (carry >> 31) as u32 & LIMB;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::field_norm::tower;
    use super::*;
    use crate::simd::{Scalar, Soft};

    #[test]
    fn both_ways_to_multiply_agree() {
        let s = Scalar::get();
        let f: Vec<i8> = (0..512).map(|i| ((i * 37 + 5) % 11 - 5) as i8).collect();
        let g: Vec<i8> = (0..512).map(|i| ((i * 53 + 1) % 13 - 6) as i8).collect();
        for level in &tower(s, &f, &g)[3..=6] {
            let k: Vec<i64> =
                (0..level.n as i64).map(|i| (i * 0x1234_5678_9ABC + 0x7654_3210) % 0x8000_0000).collect();
            let k: Vec<i64> = k.iter().enumerate().map(|(i, k)| if i % 3 == 0 { -k } else { *k }).collect();
            let mut by_transform = ByTransform::new(s, level);
            let mut schoolbook = Schoolbook::new(level, 2 * level.n);
            by_transform.multiply(s, &k);
            schoolbook.multiply(s, &k);
            // The schoolbook has more limbs: the sign.
            let len = by_transform.out.len();
            assert_eq!(schoolbook.out[..len], by_transform.out[..], "depth {}", level.depth);
            for (w, sign) in
                schoolbook.out[len..].iter().zip(by_transform.out[len - 2 * level.n..].iter().cycle())
            {
                assert_eq!(*w, (sign >> 30).wrapping_neg() & LIMB);
            }
        }
    }

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
