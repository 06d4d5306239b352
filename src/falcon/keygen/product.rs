//! Products k (f, g) for Babai's reduction: of polynomials of long coefficients with one of 32 bits.
//!
//! By transforms modulo one prime more than f and g have limbs, or, where the degree is low, coefficient by
//! coefficient. Next: [`super::crt`].

use super::crt::from_residues;
use super::field_norm::{LIMBS, Level};
use super::mod_p::{Lanes, Prime, backward_table, enter_rows, forward_table, primes};
use super::ntt::{inverse_ntt, ntt};
use super::zint::{LIMB, Table, table};
use crate::isa::Op;
use crate::simd::{Int32, Simd};
use zeroize::Zeroizing;

/// The shortest polynomials whose products with k are done with transforms in lanes; below by the schoolbook.
const SHORTEST_TRANSFORM: usize = 16;

/// Multiples k (f, g) of a fixed f and g, as tables of signed limbs.
pub(super) enum Product {
    Transform(ByTransform),
    Schoolbook(Schoolbook),
}

impl Product {
    pub fn new<S: Simd>(s: S, level: &Level, columns: usize) -> Product {
        // On one lane transforms need twice the length to be worth it.
        if level.n >= SHORTEST_TRANSFORM * if S::LANES32 == 1 { 2 } else { 1 } {
            Product::Transform(ByTransform::new(s, level))
        } else {
            Product::Schoolbook(Schoolbook::new(level, columns))
        }
    }

    /// k f and k g. In: `|k[i]| < 2^31`.
    pub fn of<S: Simd>(&mut self, s: S, k: &[i64]) -> &[u32] {
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
pub(super) struct ByTransform {
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
pub(super) struct Schoolbook {
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
    use crate::simd::Scalar;

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
}
