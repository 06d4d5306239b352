//! Polynomials with large integer coefficients, as 31-bit limbs.
//!
//! A table of `len` rows and `columns` columns holds one integer in each column: row i has the limbs of weight
//! 2^(31 i), all in [0, 2^31). Signed integers are in two's complement modulo 2^(31 len). As residues, row j holds
//! the values modulo prime j. Two polynomials of degree n share a table of 2n columns. All loops depend on the
//! sizes alone. Next: [`super::crt`], from residues to limbs and back; [`super::babai`].

use super::mod_p::enter_rows;
use crate::isa::Op;
use crate::simd::{Int32, Simd, WIDEST32};
use zeroize::Zeroizing;

/// A limb.
pub(super) const LIMB: u32 = (1 << 31) - 1;

/// The rows of a table one after the other; wiped.
pub(super) type Table = Zeroizing<Vec<u32>>;

/// A table of zeros.
pub(super) fn table(len: usize, columns: usize) -> Table {
    Zeroizing::new(vec![0; len * columns])
}

/// Work on `C` vectors of adjacent columns from `first` on; the values of one row stay in registers.
pub(super) trait Columns<S: Simd> {
    fn run<const C: usize>(&mut self, s: S, first: usize);
}

/// Runs `work` on all columns. In: as many as a vector has or more, or a last vector that the work may fill up.
#[inline(always)]
pub(super) fn in_blocks<S: Simd>(s: S, columns: usize, work: &mut impl Columns<S>) {
    let vectors = columns.div_ceil(S::LANES32);
    // Two vectors hide the latency of products; on one lane it takes more.
    if S::LANES32 == 1 && vectors.is_multiple_of(8) {
        for first in (0..columns).step_by(8) {
            work.run::<8>(s, first);
        }
    } else if S::LANES32 == 1 && vectors == 4 {
        work.run::<4>(s, 0);
    } else if vectors.is_multiple_of(2) {
        for first in (0..columns).step_by(2 * S::LANES32) {
            work.run::<2>(s, first);
        }
    } else {
        for first in (0..columns).step_by(S::LANES32) {
            work.run::<1>(s, first);
        }
    }
}

/// The `C` vectors of `x` from `at` on.
#[inline(always)]
pub(super) fn load<S: Simd, const C: usize>(s: S, x: &[u32], at: usize) -> [S::I32; C] {
    let x = &x[at..at + C * S::LANES32];
    let mut vectors = [s.splat_i32(0); C];
    for c in 0..C {
        vectors[c] = s.load_i32(&x[c * S::LANES32..]);
    }
    vectors
}

#[inline(always)]
pub(super) fn store<S: Simd, const C: usize>(s: S, x: &mut [u32], at: usize, vectors: [S::I32; C]) {
    let x = &mut x[at..at + C * S::LANES32];
    for c in 0..C {
        s.store_i32(&mut x[c * S::LANES32..], vectors[c]);
    }
}

/// A table with columns of zeros to the right of those of `x`; for columns that do not fill a vector.
pub(super) fn widened(x: &[u32], columns: usize, wide: usize) -> Table {
    let mut out = table(x.len() / columns, wide);
    for (out, row) in out.chunks_exact_mut(wide).zip(x.chunks_exact(columns)) {
        out[..columns].copy_from_slice(row);
    }
    out
}

/// The first columns of a table of `wide` columns, into `out`, which has `columns`; the inverse of [`widened`].
pub(super) fn narrow(x: &[u32], wide: usize, out: &mut [u32], columns: usize) {
    for (out, row) in out.chunks_exact_mut(columns).zip(x.chunks_exact(wide)) {
        out.copy_from_slice(&row[..columns]);
    }
}

/// `x -= y * 2^(31 limbs + bits)` modulo 2^(31 len), column by column; `y` is signed and may be longer or shorter.
/// In: `bits < 31`, `y` not empty; a number of columns that fills vectors.
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
    fn run(mut self, s: S) {
        in_blocks(s, self.columns, &mut self);
    }
}

impl<S: Simd> Columns<S> for SubShifted<'_> {
    #[inline(always)]
    fn run<const C: usize>(&mut self, s: S, first: usize) {
        let SubShifted { columns, bits, .. } = *self;
        let (zero, limb, shift) = (s.splat_i32(0), s.splat_i32(LIMB as i32), s.splat_i32(1 << bits));
        let (mut low, mut borrow) = ([zero; C], [zero; C]);
        // What stands above the limbs of y: its sign.
        let mut sign = load::<S, C>(s, &self.y[self.y.len() - columns..], first);
        for sign in &mut sign {
            *sign = (zero - sign.shr::<30>()) & limb;
        }
        let mut rows = self.y.chunks_exact(columns);
        for row in self.x.chunks_exact_mut(columns) {
            let y = match rows.next() {
                Some(y) => load::<S, C>(s, y, first),
                None => sign,
            };
            let mut w = load::<S, C>(s, row, first);
            for c in 0..C {
                let (shifted, above) = s.carrying_mul(y[c], shift, zero, low[c]);
                let d = w[c] - shifted - borrow[c];
                (w[c], low[c], borrow[c]) = (d & limb, above, d.shr::<31>());
            }
            store(s, row, first, w);
        }
    }
}

/// The integers of a table as doubles, `out.len()` columns. In: at most 30 rows. The sum runs from the lowest limb
/// up, each limb with the sign of the whole, and rounds at every step, as the reference program does.
pub(super) fn to_doubles<S: Simd>(s: S, x: &[u32], out: &mut [f64]) {
    enter_rows(s, out.len(), ToDoubles { x, out });
}

struct ToDoubles<'a> {
    x: &'a [u32],
    out: &'a mut [f64],
}

impl<S: Simd> Op<S> for ToDoubles<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, s: S) {
        let columns = self.out.len();
        let (zero, limb) = (s.splat_i32(0), s.splat_i32(LIMB as i32));
        let top = &self.x[self.x.len() - columns..];
        // A vector of integers is two of doubles, or one lane is one.
        const { assert!(S::LANES32 <= 2 * S::LANES) };
        for (first, out) in (0..columns).step_by(S::LANES32).zip(self.out.chunks_exact_mut(S::LANES32)) {
            let sign = zero - s.load_i32(&top[first..]).shr::<30>();
            let mut carry = sign.shr::<31>();
            let mut sums = [s.splat(0.0); 2];
            for (i, row) in self.x.chunks_exact(columns).enumerate() {
                let w = (s.load_i32(&row[first..]) ^ (sign & limb)) + carry;
                carry = w.shr::<31>();
                let mut doubles = [0.0; WIDEST32];
                s.store_as_f64(&mut doubles, ((w & limb) ^ sign) - sign);
                let weight = s.splat(f64::from_bits((1023 + 31 * i as u64) << 52));
                for v in 0..S::LANES32 / S::LANES {
                    sums[v] = sums[v] + s.load(&doubles[v * S::LANES..]) * weight;
                }
            }
            for v in 0..S::LANES32 / S::LANES {
                s.store(&mut out[v * S::LANES..], sums[v]);
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::simd::{Scalar, Soft};

    /// Limbs of a signed number.
    fn limbs(value: i128, len: usize) -> Vec<u32> {
        (0..len).map(|i| (value >> (31 * i).min(127)) as u32 & LIMB).collect()
    }

    /// A table with one number a column.
    pub fn columns(values: &[i128], len: usize) -> Vec<u32> {
        let each: Vec<Vec<u32>> = values.iter().map(|v| limbs(*v, len)).collect();
        (0..len).flat_map(|i| each.iter().map(move |limbs| limbs[i])).collect()
    }

    pub const VALUES: [i128; 8] = [
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
