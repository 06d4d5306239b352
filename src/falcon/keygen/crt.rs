//! Large integers from limbs to residues modulo the primes of [`super::mod_p`] and back: the Chinese remainder
//! theorem, column by column in lanes.
//!
//! Four limbs share a Montgomery reduction. All loops depend on the sizes alone. The tables are those of
//! [`super::zint`].

use super::mod_p::{Lanes, Prime, primes, product_of_primes};
use super::zint::{Columns, LIMB, in_blocks, load, narrow, store, widened};
use crate::isa::Op;
use crate::simd::{Int32, Simd, WIDEST32};

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

#[cfg(test)]
mod tests {
    use super::super::zint::tests::{VALUES, columns};
    use super::*;
    use crate::isa::{self, Isa};

    struct Check;

    crate::simd::scalar_on_rvv!(Check);

    impl<S: Simd> Op<S> for Check {
        type Out = ();
        #[inline(always)]
        fn run(self, s: S) {
            check(s);
        }
    }

    #[test]
    fn residues_and_back() {
        for isa in Isa::ALL.iter().filter(|isa| isa.is_supported()) {
            isa::with(*isa, Check);
        }
    }

    fn check<S: Simd>(s: S) {
        for width in [1, 2, 4, 8, 16, 32] {
            for len in (1..=6).chain([9, 14, 21]) {
                let bits = 31 * len.min(4) - 2;
                let values: Vec<i128> =
                    VALUES.iter().cycle().skip(8 - width % 8).take(width).map(|v| v % (1 << bits)).collect();
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
}
