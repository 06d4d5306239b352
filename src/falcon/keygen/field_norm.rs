//! f and g on every floor of the tower of fields (specification 3.8.2, the way down of algorithm 6).
//!
//! Depth 0 is degree n; each depth halves the degree by the field norm N(f)(x^2) = f(x) f(-x) and about doubles
//! the length of the coefficients. Next: [`super::solve`], the way up.

use super::crt::{from_residues, modulo};
use super::mod_p::{Lanes, Prime, backward_table, enter_rows, forward_table, primes};
use super::ntt::{inverse_ntt, ntt};
use super::zint::{LIMB, Table, table};
use crate::isa::Op;
use crate::simd::{Simd, Work};

/// Limbs of f and g by depth: enough for six standard deviations over the mean of [`LENGTHS`] and a sign
/// (reference program).
pub(super) const LIMBS: [usize; 11] = [1, 1, 2, 2, 4, 7, 14, 27, 53, 106, 209];

/// Mean and standard deviation, rounded up, of the length in bits of the largest coefficient of f and g by depth,
/// measured over many keys (reference program).
pub(super) const LENGTHS: [(usize, usize); 11] = [
    (4, 0),
    (11, 1),
    (24, 1),
    (50, 1),
    (102, 1),
    (202, 2),
    (401, 4),
    (794, 5),
    (1577, 8),
    (3138, 13),
    (6308, 25),
];

/// f and g at one depth: tables of 2n columns, f in the first n.
pub(super) struct Level {
    pub depth: usize,
    /// The degree, 2^(logn - depth).
    pub n: usize,
    /// Signed limbs; at degree 1 unsigned ones, as resultants of f and g with x^n + 1 are positive.
    pub limbs: Table,
    /// The transforms modulo as many primes as there are limbs.
    pub transforms: Table,
}

impl Level {
    /// Depth 0: the polynomials themselves.
    pub fn top<S: Simd>(s: S, f: &[i8], g: &[i8]) -> Level {
        let n = f.len();
        let prime = &primes()[0];
        let mut limbs = table(1, 2 * n);
        let mut transforms = table(1, 2 * n);
        for ((limb, residue), x) in limbs.iter_mut().zip(transforms.iter_mut()).zip(f.iter().chain(g)) {
            *limb = *x as u32 & LIMB;
            *residue = prime.of_signed(i32::from(*x));
        }
        let mut roots = vec![0; n];
        forward_table(s, prime, &mut roots);
        for half in transforms.chunks_exact_mut(n) {
            ntt(s, prime, &roots, half);
        }
        Level { depth: 0, n, limbs, transforms }
    }

    /// The transforms of f and g modulo prime `j` into `out` (2n entries); `roots` is the prime's forward table.
    pub fn transform<S: Simd>(&self, s: S, j: usize, roots: &[u32], out: &mut [u32]) {
        match self.transforms.chunks_exact(2 * self.n).nth(j) {
            Some(known) => out.copy_from_slice(known),
            None => {
                modulo(s, &self.limbs, &primes()[j], out);
                for half in out.chunks_exact_mut(self.n) {
                    ntt(s, &primes()[j], roots, half);
                }
            }
        }
    }

    /// Whether the columns of f and g fit a vector of the shorter kind.
    pub fn is_narrow<S: Simd>(&self) -> bool {
        2 * self.n <= S::SHORTER32
    }

    /// The next depth: half the degree.
    pub fn norm<S: Simd>(&self, s: S) -> Level {
        let (n, depth) = (self.n, self.depth + 1);
        let half = n / 2;
        let mut transforms = table(LIMBS[depth], n);
        let mut row = table(1, 2 * n);
        let mut roots = vec![0; n];
        for (j, out) in transforms.chunks_exact_mut(n).enumerate() {
            let prime = &primes()[j];
            forward_table(s, prime, &mut roots);
            self.transform(s, j, &roots, &mut row);
            enter_rows(s, n, Norm { prime, pairs: &row, out });
        }
        let mut limbs = transforms.clone();
        for (prime, row) in primes().iter().zip(limbs.chunks_exact_mut(n)) {
            backward_table(s, prime, &mut roots[..half]);
            for polynomial in row.chunks_exact_mut(half) {
                inverse_ntt(s, prime, &roots[..half], polynomial);
            }
        }
        from_residues(s, &mut limbs, n, half > 1);
        Level { depth, n: half, limbs, transforms }
    }
}

/// [`Level::norm`] as work.
struct NextLevel<'a>(&'a Level);

impl Work for NextLevel<'_> {
    type Out = Level;
    fn run<S: Simd>(self, s: S) -> Level {
        self.0.norm(s)
    }
}

/// The products of the values at w and -w, which stand side by side.
struct Norm<'a> {
    prime: &'a Prime,
    pairs: &'a [u32],
    out: &'a mut [u32],
}

impl<S: Simd> Op<S> for Norm<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, s: S) {
        let m = Lanes::new(s, self.prime);
        let r2 = m.splat(self.prime.r2);
        let vectors = self.out.chunks_exact_mut(S::LANES32);
        for (out, pairs) in vectors.zip(self.pairs.chunks_exact(2 * S::LANES32)) {
            let (x, y) = s.unzip_i32(1, s.load_i32(pairs), s.load_i32(&pairs[S::LANES32..]));
            s.store_i32(out, m.mul(m.mul(x, y), r2));
        }
    }
}

/// All depths, from 0 to logn.
pub(super) fn tower<S: Simd>(s: S, f: &[i8], g: &[i8]) -> Vec<Level> {
    let mut levels = vec![Level::top(s, f, g)];
    while let Some(last) = levels.last()
        && last.n > 1
    {
        let next = if last.is_narrow::<S>() { s.in_shorter(NextLevel(last)) } else { last.norm(s) };
        levels.push(next);
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Scalar;

    /// f(x) f(-x) of a polynomial modulo x^n + 1: its even coefficients.
    fn norm(f: &[i128]) -> Vec<i128> {
        let n = f.len();
        let mut out = vec![0; n];
        for (i, a) in f.iter().enumerate() {
            for (j, b) in f.iter().enumerate() {
                let b = if j % 2 == 1 { -b } else { *b };
                let sign = if i + j >= n { -1 } else { 1 };
                out[(i + j) % n] += sign * a * b;
            }
        }
        assert!(out.iter().skip(1).step_by(2).all(|x| *x == 0));
        out.into_iter().step_by(2).collect()
    }

    #[test]
    fn norms_are_products_with_the_conjugate() {
        let f: Vec<i8> = (0..64).map(|i| ((i * 37 + 5) % 11 - 5) as i8).collect();
        let g: Vec<i8> = (0..64).map(|i| ((i * 53 + 1) % 13 - 6) as i8).collect();
        let mut expected = [&f, &g].map(|f| f.iter().map(|x| i128::from(*x)).collect::<Vec<_>>());
        for level in &tower(Scalar::get(), &f, &g)[..4] {
            let found: Vec<i128> = (0..2 * level.n)
                .map(|c| {
                    let rows = level.limbs.chunks_exact(2 * level.n).rev();
                    let value = rows.fold(0, |value, row| value << 31 | i128::from(row[c]));
                    let bits = 31 * LIMBS[level.depth];
                    value - (((value >> (bits - 1)) & 1) << bits)
                })
                .collect();
            assert_eq!(found, expected.concat(), "depth {}", level.depth);
            expected = expected.map(|f| norm(&f));
        }
    }
}
