//! Polynomials with large integer coefficients, as 31-bit limbs and as residues modulo the primes of
//! [`super::mod_p`].
//!
//! A table of `len` rows and `columns` columns holds one integer in each column: row i has the limbs of weight
//! 2^(31 i), all in [0, 2^31). Signed integers are in two's complement modulo 2^(31 len). As residues, row j holds
//! the values modulo prime j. Two polynomials of degree n share a table of 2n columns. All loops depend on the
//! sizes alone. Next: [`super::babai`].

use super::mod_p::{PRIMES, Prime, primes};
use crate::ct::opaque;
use crate::isa::Op;
use crate::simd::{Real, Simd};
use zeroize::Zeroizing;

/// A limb.
pub(super) const LIMB: u32 = (1 << 31) - 1;

/// The rows of a table one after the other; wiped.
pub(super) type Table = Zeroizing<Vec<u32>>;

/// A table of zeros.
pub(super) fn table(len: usize, columns: usize) -> Table {
    Zeroizing::new(vec![0; len * columns])
}

/// Work on `C` adjacent columns from `first` on; the values of one row stay in registers.
trait Columns {
    fn run<const C: usize>(&mut self, first: usize);
}

/// Runs `work` on all columns.
#[inline(always)]
fn in_blocks(columns: usize, work: &mut impl Columns) {
    if columns.is_multiple_of(8) {
        for first in (0..columns).step_by(8) {
            work.run::<8>(first);
        }
    } else if columns == 4 {
        work.run::<4>(0);
    } else if columns == 2 {
        work.run::<2>(0);
    } else {
        for first in 0..columns {
            work.run::<1>(first);
        }
    }
}

/// The `C` entries of `x` from `at` on.
#[inline(always)]
fn block<const C: usize>(x: &[u32], at: usize) -> [u32; C] {
    core::array::from_fn(|c| x[at..at + C][c])
}

/// `low + high 2^31`, of which the limb is returned and the rest is left in `high`.
#[inline(always)]
fn carry_over(sum: u64, high: &mut u32) -> u32 {
    *high = (sum >> 31) as u32;
    sum as u32 & LIMB
}

/// The integers of a table (signed, `out.len()` columns) modulo a prime.
pub(super) fn modulo<S: Simd>(s: S, x: &[u32], prime: Prime, out: &mut [u32]) {
    s.enter(Modulo { x, prime, out });
}

struct Modulo<'a> {
    x: &'a [u32],
    prime: Prime,
    out: &'a mut [u32],
}

impl<S: Simd> Op<S> for Modulo<'_> {
    type Out = ();
    #[inline(always)]
    fn run(mut self, _: S) {
        in_blocks(self.out.len(), &mut self);
    }
}

impl Columns for Modulo<'_> {
    #[inline(always)]
    fn run<const C: usize>(&mut self, first: usize) {
        let (prime, columns) = (self.prime, self.out.len());
        let mut rows = self.x.chunks_exact(columns).rev();
        let Some(top) = rows.next() else { return };
        // The top limb is signed: -2^31 where bit 30 is set.
        let mut r = block::<C>(top, first).map(|w| prime.of_signed((w << 1) as i32 >> 1));
        for row in rows {
            let w = block::<C>(row, first);
            for c in 0..C {
                r[c] = prime.add(prime.mul(r[c], prime.limb), prime.of_limb(w[c]));
            }
        }
        self.out[first..first + C].copy_from_slice(&r);
    }
}

/// Residues to integers, in place: the Chinese remainder theorem.
///
/// In: `x` holds residues modulo the first `x.len() / columns` primes. Out: limbs, of the representative in
/// `[0, P)`, P the product of those primes, or, where `signed`, in `(-P/2, P/2)`.
pub(super) fn from_residues<S: Simd>(s: S, x: &mut [u32], columns: usize, signed: bool) {
    s.enter(FromResidues { x, columns, signed });
}

struct FromResidues<'a> {
    x: &'a mut [u32],
    columns: usize,
    signed: bool,
}

impl<S: Simd> Op<S> for FromResidues<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, _: S) {
        let FromResidues { x, columns, signed } = self;
        let len = x.len() / columns;
        // The product of the first j primes, j limbs.
        let mut product = [0; PRIMES];
        product[0] = primes()[0].p;
        for (j, prime) in primes().iter().enumerate().take(len).skip(1) {
            in_blocks(columns, &mut Garner { x, columns, prime: *prime, product: &product[..j] });
            let mut high = 0;
            for w in &mut product[..j] {
                *w = carry_over(u64::from(*w) * u64::from(prime.p) + u64::from(high), &mut high);
            }
            product[j] = high;
        }
        if signed {
            in_blocks(columns, &mut Centre { x, columns, product: &product[..len] });
        }
    }
}

/// One step of Garner's algorithm: from a value modulo the product of the first j primes to one modulo j + 1.
struct Garner<'a> {
    x: &'a mut [u32],
    columns: usize,
    prime: Prime,
    product: &'a [u32],
}

impl Columns for Garner<'_> {
    #[inline(always)]
    fn run<const C: usize>(&mut self, first: usize) {
        let (prime, columns) = (self.prime, self.columns);
        let (known, rest) = self.x.split_at_mut(self.product.len() * columns);
        // The value so far modulo the new prime.
        let mut r = [0; C];
        for row in known.chunks_exact(columns).rev() {
            let w = block::<C>(row, first);
            for c in 0..C {
                r[c] = prime.add(prime.mul(r[c], prime.limb), prime.of_limb(w[c]));
            }
        }
        // The multiple of the product that makes it right there, in [0, p).
        let wanted = block::<C>(rest, first);
        let factor: [u32; C] = core::array::from_fn(|c| prime.mul(prime.sub(wanted[c], r[c]), prime.garner));
        let mut high = [0; C];
        for (row, p) in known.chunks_exact_mut(columns).zip(self.product) {
            let row = &mut row[first..first + C];
            for c in 0..C {
                let sum = u64::from(factor[c]) * u64::from(*p) + u64::from(row[c]) + u64::from(high[c]);
                row[c] = carry_over(sum, &mut high[c]);
            }
        }
        rest[first..first + C].copy_from_slice(&high);
    }
}

/// Subtracts the product from values above its half.
struct Centre<'a> {
    x: &'a mut [u32],
    columns: usize,
    product: &'a [u32],
}

impl Columns for Centre<'_> {
    #[inline(always)]
    fn run<const C: usize>(&mut self, first: usize) {
        // The sign of (P - 1)/2 - x, P odd, is the borrow of the topmost limb.
        let len = self.product.len();
        let mut borrow = [0; C];
        for (i, row) in self.x.chunks_exact(self.columns).enumerate() {
            let above = if i + 1 < len { self.product[i + 1] } else { 0 };
            let half = self.product[i] >> 1 | (above & 1) << 30;
            let w = block::<C>(row, first);
            for c in 0..C {
                borrow[c] = half.wrapping_sub(w[c]).wrapping_sub(borrow[c]) >> 31;
            }
        }
        let mask = borrow.map(|bit| opaque(u64::from(bit).wrapping_neg()) as u32);
        let mut borrow = [0; C];
        for (row, p) in self.x.chunks_exact_mut(self.columns).zip(self.product) {
            let row = &mut row[first..first + C];
            for c in 0..C {
                let d = row[c].wrapping_sub(p & mask[c]).wrapping_sub(borrow[c]);
                (row[c], borrow[c]) = (d & LIMB, d >> 31);
            }
        }
    }
}

/// `x -= y * 2^(31 limbs + bits)` modulo 2^(31 len), column by column; `y` is signed and may be longer or shorter.
/// In: `bits < 31`, `y` not empty.
pub(super) fn sub_shifted<S: Simd>(s: S, x: &mut [u32], y: &[u32], columns: usize, limbs: usize, bits: u32) {
    s.enter(SubShifted { x: &mut x[limbs * columns..], y, columns, bits });
}

struct SubShifted<'a> {
    x: &'a mut [u32],
    y: &'a [u32],
    columns: usize,
    bits: u32,
}

impl<S: Simd> Op<S> for SubShifted<'_> {
    type Out = ();
    #[inline(always)]
    fn run(mut self, _: S) {
        in_blocks(self.columns, &mut self);
    }
}

impl Columns for SubShifted<'_> {
    #[inline(always)]
    fn run<const C: usize>(&mut self, first: usize) {
        let SubShifted { columns, bits, .. } = *self;
        let (mut low, mut borrow) = ([0; C], [0; C]);
        let top = block::<C>(&self.y[self.y.len() - columns..], first);
        // What stands above the limbs of y: its sign.
        let sign = top.map(|w| (w >> 30).wrapping_neg() & LIMB);
        let mut rows = self.y.chunks_exact(columns);
        for row in self.x.chunks_exact_mut(columns) {
            let w = rows.next().map_or(sign, |row| block::<C>(row, first));
            let row = &mut row[first..first + C];
            for c in 0..C {
                let shifted = (w[c] << bits & LIMB) | low[c];
                low[c] = w[c] >> (31 - bits);
                let d = row[c].wrapping_sub(shifted).wrapping_sub(borrow[c]);
                (row[c], borrow[c]) = (d & LIMB, d >> 31);
            }
        }
    }
}

/// The integers of a table as doubles, `out.len()` columns. In: at most 30 rows. The sum runs from the lowest limb
/// up, each limb with the sign of the whole, and rounds at every step, as the reference program does.
#[inline(always)]
pub(super) fn to_doubles<S: Simd>(_: S, x: &[u32], out: &mut [f64]) {
    let columns = out.len();
    let top = x.len() - columns;
    for (c, out) in out.iter_mut().enumerate() {
        let sign = (x[top + c] >> 30).wrapping_neg();
        let mut carry = sign & 1;
        let mut sum = S::Real::new(0.0);
        for (i, row) in x.chunks_exact(columns).enumerate() {
            let w = (row[c] ^ sign >> 1) + carry;
            carry = w >> 31;
            let signed = ((w & LIMB) ^ sign).wrapping_sub(sign) as i32;
            let weight = f64::from_bits((1023 + 31 * i as u64) << 52);
            sum = sum + S::Real::of(i64::from(signed)) * S::Real::new(weight);
        }
        *out = sum.get();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Scalar, Soft};

    /// Limbs of a signed number.
    fn limbs(value: i128, len: usize) -> Vec<u32> {
        (0..len).map(|i| (value >> (31 * i).min(127)) as u32 & LIMB).collect()
    }

    /// A table with one number a column.
    fn columns(values: &[i128], len: usize) -> Vec<u32> {
        let each: Vec<Vec<u32>> = values.iter().map(|v| limbs(*v, len)).collect();
        (0..len).flat_map(|i| each.iter().map(move |limbs| limbs[i])).collect()
    }

    const VALUES: [i128; 8] = [
        0,
        1,
        -1,
        1 << 30,
        -(1 << 31),
        (1 << 91) - 12345,
        -(1 << 91) + 987654321,
        0x1234_5678_9ABC_DEF0_1357,
    ];

    #[test]
    fn residues_and_back() {
        let s = Scalar::get();
        for width in [1, 2, 4, 8] {
            for len in 1..=6 {
                let bits = 31 * len.min(4) - 2;
                let values: Vec<i128> = VALUES[8 - width..].iter().map(|v| v % (1 << bits)).collect();
                let table = columns(&values, len);
                let mut residues = vec![0; len * width];
                for (row, prime) in residues.chunks_exact_mut(width).zip(primes()) {
                    modulo(s, &table, *prime, row);
                    for (r, v) in row.iter().zip(&values) {
                        assert_eq!(i128::from(*r), v.rem_euclid(i128::from(prime.p)));
                    }
                }
                from_residues(s, &mut residues, width, true);
                assert_eq!(residues, table, "{width} columns of {len} limbs");
            }
        }
    }

    #[test]
    fn shifted_differences() {
        for (limbs, bits) in [(0, 0), (0, 30), (1, 0), (1, 7), (2, 13)] {
            let mut x = columns(&VALUES, 4);
            let y: Vec<i128> = VALUES.iter().map(|v| v % (1 << 60) / 3).collect();
            sub_shifted(Scalar::get(), &mut x, &columns(&y, 2), 8, limbs, bits);
            let expected: Vec<i128> = VALUES
                .iter()
                .zip(&y)
                .map(|(x, y)| x.wrapping_sub(y << (31 * limbs + bits as usize)))
                .collect();
            assert_eq!(x, columns(&expected, 4), "{limbs} limbs and {bits} bits");
        }
    }

    #[test]
    fn doubles_of_integers() {
        let table = columns(&VALUES, 4);
        let (mut hard, mut soft) = ([0.0; 8], [0.0; 8]);
        to_doubles(Scalar::get(), &table, &mut hard);
        to_doubles(Soft::get(), &table, &mut soft);
        assert_eq!(hard, soft);
        for (x, v) in hard.iter().zip(VALUES) {
            let expected = v as f64;
            assert!((x - expected).abs() <= expected.abs() * f64::EPSILON, "{v}");
        }
    }
}
