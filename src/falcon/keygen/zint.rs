//! Polynomials with large integer coefficients, as 31-bit limbs and as residues modulo the primes of
//! [`super::mod_p`].
//!
//! A table of `len` rows and `columns` columns holds one integer in each column: row i has the limbs of weight
//! 2^(31 i), all in [0, 2^31). Signed integers are in two's complement modulo 2^(31 len). As residues, row j holds
//! the values modulo prime j. Two polynomials of degree n share a table of 2n columns. All loops depend on the
//! sizes alone. Next: [`super::babai`].

use super::mod_p::{Lanes, Prime, enter_rows, primes, product_of_primes};
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
trait Columns<S: Simd> {
    fn run<const C: usize>(&mut self, s: S, first: usize);
}

/// Runs `work` on all columns. In: as many as a vector has or more, or a last vector that the work may fill up.
#[inline(always)]
fn in_blocks<S: Simd>(s: S, columns: usize, work: &mut impl Columns<S>) {
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
fn load<S: Simd, const C: usize>(s: S, x: &[u32], at: usize) -> [S::I32; C] {
    let x = &x[at..at + C * S::LANES32];
    let mut vectors = [s.splat_i32(0); C];
    for c in 0..C {
        vectors[c] = s.load_i32(&x[c * S::LANES32..]);
    }
    vectors
}

/// [`load`] where columns need not fill a vector: then it takes what follows, and zeros at the end of `x`.
#[inline(always)]
fn load_filled<S: Simd, const C: usize>(s: S, x: &[u32], at: usize) -> [S::I32; C] {
    if at + C * S::LANES32 <= x.len() {
        return load::<S, C>(s, x, at);
    }
    debug_assert!(C == 1);
    let mut filled = [0; WIDEST32];
    filled[..x.len() - at].copy_from_slice(&x[at..]);
    [s.load_i32(&filled); C]
}

#[inline(always)]
fn store<S: Simd, const C: usize>(s: S, x: &mut [u32], at: usize, vectors: [S::I32; C]) {
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

/// Residues of the integers whose upper part is `r` and whose lower limbs are `rows` of `columns` columns.
#[inline(always)]
fn residues<S: Simd, const C: usize>(
    s: S,
    prime: &Prime,
    rows: &[u32],
    columns: usize,
    mut r: [S::I32; C],
    load: impl Fn(usize) -> [S::I32; C],
) -> [S::I32; C] {
    let m = Lanes::new(s, prime);
    let limbs = prime.limbs.map(
        #[inline(always)]
        |limb| m.splat(limb),
    );
    let mut i = rows.len() / columns;
    while !i.is_multiple_of(4) {
        i -= 1;
        let w = load(i * columns);
        for c in 0..C {
            r[c] = m.add(m.mul(r[c], limbs[0]), m.of_limb(w[c]));
        }
    }
    if C == 1 && i >= 8 {
        // Two chains hide the latency of products: `upper 2^124 + r` is the value.
        let mut upper = [m.splat(0); C];
        if !i.is_multiple_of(8) {
            i -= 4;
            r = four(m, &limbs, r, limbs[3], load4(&load, i * columns, columns));
        }
        while i > 0 {
            i -= 8;
            let (high, low) = ((i + 4) * columns, i * columns);
            upper = four(m, &limbs, upper, limbs[4], load4(&load, high, columns));
            r = four(m, &limbs, r, limbs[4], load4(&load, low, columns));
        }
        for c in 0..C {
            r[c] = m.add(m.mul(upper[c], limbs[3]), r[c]);
        }
    }
    while i > 0 {
        i -= 4;
        r = four(m, &limbs, r, limbs[3], load4(&load, i * columns, columns));
    }
    r
}

/// The values of four rows.
#[inline(always)]
fn load4<V, const C: usize>(load: &impl Fn(usize) -> [V; C], at: usize, columns: usize) -> [[V; C]; 4] {
    // Called by value: through the reference it would be a call of a function that is not inlined.
    [(*load)(at), (*load)(at + columns), (*load)(at + 2 * columns), (*load)(at + 3 * columns)]
}

/// `r weight` and four limbs, with a single reduction.
#[inline(always)]
fn four<S: Simd, const C: usize>(
    m: Lanes<S>,
    limbs: &[S::I32; 5],
    mut r: [S::I32; C],
    weight: S::I32,
    w: [[S::I32; C]; 4],
) -> [S::I32; C] {
    for c in 0..C {
        let upper = m.mul4([r[c], w[3][c], w[2][c], w[1][c]], [weight, limbs[2], limbs[1], limbs[0]]);
        r[c] = m.add(upper, m.of_limb(w[0][c]));
    }
    r
}

/// The integers of a table (signed, `out.len()` columns) modulo a prime.
pub(super) fn modulo<S: Simd>(s: S, x: &[u32], prime: &Prime, out: &mut [u32]) {
    s.enter(Modulo { x, prime, out });
}

struct Modulo<'a> {
    x: &'a [u32],
    prime: &'a Prime,
    out: &'a mut [u32],
}

impl<S: Simd> Op<S> for Modulo<'_> {
    type Out = ();
    #[inline(always)]
    fn run(mut self, s: S) {
        in_blocks(s, self.out.len(), &mut self);
    }
}

impl<S: Simd> Columns<S> for Modulo<'_> {
    #[inline(always)]
    fn run<const C: usize>(&mut self, s: S, first: usize) {
        let (x, columns) = (self.x, self.out.len());
        let rows = &x[..x.len() - columns];
        debug_assert!(columns >= S::LANES32 || C == 1);
        // The top limb is signed: 31 bits, of which bit 30 is the sign.
        let m = Lanes::new(s, self.prime);
        let mut r = load_filled::<S, C>(s, x, rows.len() + first);
        for r in &mut r {
            *r = m.of_signed(*r ^ ((*r + *r) & s.splat_i32(i32::MIN)));
        }
        let r = residues(
            s,
            self.prime,
            rows,
            columns,
            r,
            #[inline(always)]
            |at| load_filled::<S, C>(s, x, at + first),
        );
        if columns >= S::LANES32 {
            store(s, self.out, first, r);
        } else {
            let mut filled = [0; WIDEST32];
            s.store_i32(&mut filled, r[0]);
            self.out.copy_from_slice(&filled[..columns]);
        }
    }
}

/// Residues to integers, in place: the Chinese remainder theorem.
///
/// In: `x` holds residues modulo the first `x.len() / columns` primes. Out: limbs, of the representative in
/// `[0, P)`, P the product of those primes, or, where `signed`, in `(-P/2, P/2)`.
pub(super) fn from_residues<S: Simd>(s: S, x: &mut [u32], columns: usize, signed: bool) {
    if columns >= S::LANES32 {
        s.enter(FromResidues { x, columns, signed });
    } else {
        let mut wide = widened(x, columns, S::LANES32);
        s.enter(FromResidues { x: &mut wide, columns: S::LANES32, signed });
        narrow(&wide, S::LANES32, x, columns);
    }
}

struct FromResidues<'a> {
    x: &'a mut [u32],
    columns: usize,
    signed: bool,
}

impl<S: Simd> Op<S> for FromResidues<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, s: S) {
        let FromResidues { x, columns, signed } = self;
        let len = x.len() / columns;
        for (j, prime) in primes().iter().enumerate().take(len).skip(1) {
            in_blocks(s, columns, &mut Garner { x, columns, prime, product: product_of_primes(j) });
        }
        if signed {
            in_blocks(s, columns, &mut Centre { x, columns, product: product_of_primes(len) });
        }
    }
}

/// One step of Garner's algorithm: from a value modulo the product of the first j primes to one modulo j + 1.
struct Garner<'a> {
    x: &'a mut [u32],
    columns: usize,
    prime: &'a Prime,
    product: &'a [u32],
}

impl<S: Simd> Columns<S> for Garner<'_> {
    #[inline(always)]
    fn run<const C: usize>(&mut self, s: S, first: usize) {
        let (prime, columns) = (self.prime, self.columns);
        let m = Lanes::new(s, prime);
        let (known, rest) = self.x.split_at_mut(self.product.len() * columns);
        // The value so far modulo the new prime.
        let (rows, top) = known.split_at(known.len() - columns);
        let mut r = load::<S, C>(s, top, first);
        for r in &mut r {
            *r = m.of_limb(*r);
        }
        let r = residues(
            s,
            prime,
            rows,
            columns,
            r,
            #[inline(always)]
            |at| load::<S, C>(s, rows, at + first),
        );
        // The multiple of the product that makes it right there, in [0, p).
        let mut factor = load::<S, C>(s, rest, first);
        for c in 0..C {
            factor[c] = m.mul(m.sub(factor[c], r[c]), m.splat(prime.garner));
        }
        let mut carry = [s.splat_i32(0); C];
        for (row, p) in known.chunks_exact_mut(columns).zip(self.product) {
            let mut w = load::<S, C>(s, row, first);
            let p = m.splat(*p);
            for c in 0..C {
                (w[c], carry[c]) = s.carrying_mul(factor[c], p, w[c], carry[c]);
            }
            store(s, row, first, w);
        }
        store(s, rest, first, carry);
    }
}

/// Subtracts the product from values above its half.
struct Centre<'a> {
    x: &'a mut [u32],
    columns: usize,
    product: &'a [u32],
}

impl<S: Simd> Columns<S> for Centre<'_> {
    #[inline(always)]
    fn run<const C: usize>(&mut self, s: S, first: usize) {
        // The sign of (P - 1)/2 - x, P odd, is the borrow of the topmost limb.
        let (len, limb) = (self.product.len(), s.splat_i32(LIMB as i32));
        let mut borrow = [s.splat_i32(0); C];
        for (i, row) in self.x.chunks_exact(self.columns).enumerate() {
            let above = if i + 1 < len { self.product[i + 1] } else { 0 };
            let half = s.splat_i32((self.product[i] >> 1 | (above & 1) << 30) as i32);
            let w = load::<S, C>(s, row, first);
            for c in 0..C {
                borrow[c] = (half - w[c] - borrow[c]).shr::<31>();
            }
        }
        let mut mask = borrow;
        for mask in &mut mask {
            *mask = (s.splat_i32(0) - *mask).opaque();
        }
        let mut borrow = [s.splat_i32(0); C];
        for (row, p) in self.x.chunks_exact_mut(self.columns).zip(self.product) {
            let mut w = load::<S, C>(s, row, first);
            let p = s.splat_i32(*p as i32);
            for c in 0..C {
                let d = w[c] - (p & mask[c]) - borrow[c];
                (w[c], borrow[c]) = (d & limb, d.shr::<31>());
            }
            store(s, row, first, w);
        }
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
                    modulo(s, &table, prime, row);
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
