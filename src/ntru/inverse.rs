//! Inverses in S modulo 2, 3 and q, in constant time.
//!
//! Modulo 2 and 3 it is the division step of Bernstein and Yang ("Fast constant-time gcd computation and modular
//! inversion", 2019, section 5) on polynomials whose coefficients lie in bit planes, 64 a word: 2 (n - 1) - 1 steps,
//! whatever the input. Modulo q the inverse modulo 2 is lifted by Newton's iteration. Next: [`super::owcpa`].

use super::kernels::Kernels;
use super::params::ParameterSet;
use super::poly::Poly;
use crate::ct;

/// A number modulo 2 or 3 as masks: whether it is 1, whether it is 2.
#[derive(Clone, Copy)]
struct Digit {
    one: u64,
    two: u64,
}

/// A polynomial over a small prime field, its coefficients in bit planes.
trait Planes: Copy {
    /// The zero polynomial.
    const ZERO: Self;
    /// From coefficients below the prime, the first one of lowest degree.
    fn pack(coefficients: impl Iterator<Item = i16>) -> Self;
    /// Coefficient `i`.
    fn get(&self, i: usize) -> i16;
    /// Coefficient 0.
    fn first(&self) -> Digit;
    /// Exchanges the two where the mask is all ones.
    fn exchange(mask: u64, a: &mut Self, b: &mut Self);
    /// Adds a multiple of another one.
    fn add_multiple(&mut self, factor: Digit, other: &Self);
    /// Multiplies by x. The highest coefficient is zero.
    fn times_x(&mut self);
    /// Divides by x. The lowest coefficient is zero.
    fn over_x(&mut self);
}

/// Coefficients 64 i ... 64 i + 63 in word i.
type Plane<const W: usize> = [u64; W];

#[inline(always)]
fn pack_bits<const W: usize>(bits: impl Iterator<Item = i16>) -> Plane<W> {
    let mut plane = [0; W];
    for (i, bit) in bits.enumerate() {
        plane[i / 64] |= ((bit & 1) as u64) << (i % 64);
    }
    plane
}

#[inline(always)]
fn exchange_planes<const W: usize>(mask: u64, a: &mut Plane<W>, b: &mut Plane<W>) {
    for (a, b) in a.iter_mut().zip(b) {
        let difference = (*a ^ *b) & mask;
        *a ^= difference;
        *b ^= difference;
    }
}

#[inline(always)]
fn shift_up<const W: usize>(plane: &mut Plane<W>) {
    let old = *plane;
    plane[0] = old[0] << 1;
    for i in 1..W {
        plane[i] = old[i] << 1 | old[i - 1] >> 63;
    }
}

#[inline(always)]
fn shift_down<const W: usize>(plane: &mut Plane<W>) {
    let old = *plane;
    for i in 0..W - 1 {
        plane[i] = old[i] >> 1 | old[i + 1] << 63;
    }
    plane[W - 1] = old[W - 1] >> 1;
}

/// All ones where bit 0 of the word is set.
#[inline(always)]
fn mask_of(word: u64) -> u64 {
    ct::opaque((word & 1).wrapping_neg())
}

/// Modulo 2: one plane.
#[derive(Clone, Copy)]
struct Mod2<const W: usize>(Plane<W>);

impl<const W: usize> Planes for Mod2<W> {
    const ZERO: Self = Mod2([0; W]);

    #[inline(always)]
    fn pack(coefficients: impl Iterator<Item = i16>) -> Self {
        Mod2(pack_bits(coefficients))
    }
    #[inline(always)]
    fn get(&self, i: usize) -> i16 {
        (self.0[i / 64] >> (i % 64) & 1) as i16
    }
    #[inline(always)]
    fn first(&self) -> Digit {
        Digit { one: mask_of(self.0[0]), two: 0 }
    }
    #[inline(always)]
    fn exchange(mask: u64, a: &mut Self, b: &mut Self) {
        exchange_planes(mask, &mut a.0, &mut b.0);
    }
    #[inline(always)]
    fn add_multiple(&mut self, factor: Digit, other: &Self) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a ^= b & factor.one;
        }
    }
    #[inline(always)]
    fn times_x(&mut self) {
        shift_up(&mut self.0);
    }
    #[inline(always)]
    fn over_x(&mut self) {
        shift_down(&mut self.0);
    }
}

/// Modulo 3: a plane of those that are 1, a plane of those that are 2.
#[derive(Clone, Copy)]
struct Mod3<const W: usize> {
    ones: Plane<W>,
    twos: Plane<W>,
}

impl<const W: usize> Planes for Mod3<W> {
    const ZERO: Self = Mod3 { ones: [0; W], twos: [0; W] };

    #[inline(always)]
    fn pack(coefficients: impl Iterator<Item = i16>) -> Self {
        let (mut ones, mut twos) = ([0; W], [0; W]);
        for (i, c) in coefficients.enumerate() {
            ones[i / 64] |= ((c & 1) as u64) << (i % 64);
            twos[i / 64] |= ((c >> 1 & 1) as u64) << (i % 64);
        }
        Mod3 { ones, twos }
    }
    #[inline(always)]
    fn get(&self, i: usize) -> i16 {
        let bit = |plane: &Plane<W>| (plane[i / 64] >> (i % 64) & 1) as i16;
        bit(&self.ones) + 2 * bit(&self.twos)
    }
    #[inline(always)]
    fn first(&self) -> Digit {
        Digit { one: mask_of(self.ones[0]), two: mask_of(self.twos[0]) }
    }
    #[inline(always)]
    fn exchange(mask: u64, a: &mut Self, b: &mut Self) {
        exchange_planes(mask, &mut a.ones, &mut b.ones);
        exchange_planes(mask, &mut a.twos, &mut b.twos);
    }
    #[inline(always)]
    fn add_multiple(&mut self, factor: Digit, other: &Self) {
        let Digit { one, two } = factor;
        let own = self.ones.iter_mut().zip(&mut self.twos);
        for ((a1, a2), (b1, b2)) in own.zip(other.ones.iter().zip(&other.twos)) {
            let (b1, b2) = (one & b1 | two & b2, one & b2 | two & b1);
            // Set where the sum is not 0 and no two 1 or 2 meet; see the test of all nine sums.
            let t = (*a1 | b2) ^ (*a2 | b1);
            (*a1, *a2) = ((*a2 | b2) ^ t, (*a1 | b1) ^ t);
        }
    }
    #[inline(always)]
    fn times_x(&mut self) {
        shift_up(&mut self.ones);
        shift_up(&mut self.twos);
    }
    #[inline(always)]
    fn over_x(&mut self) {
        shift_down(&mut self.ones);
        shift_down(&mut self.twos);
    }
}

/// The product of two digits, negated. In: `a` is 1 or 2.
#[inline(always)]
fn minus_product(a: Digit, b: Digit) -> Digit {
    Digit { one: a.one & b.two | a.two & b.one, two: a.one & b.one | a.two & b.two }
}

/// The inverse of `a` in S over a field; zero of zero. In: n coefficients, the last one 0.
#[inline(always)]
fn invert<P: Planes>(n: usize, is_mod_2: bool, a: &[i16], out: &mut [i16]) {
    // Reversed, so that division steps look at lowest coefficients: f is Phi_n, g is a.
    let mut f = P::pack((0..n).map(|_| 1));
    let mut g = P::pack(a[..n - 1].iter().rev().copied());
    let (mut v, mut w) = (P::ZERO, P::pack(core::iter::once(1)));
    let mut delta = 1i64;
    for _ in 0..2 * (n - 1) - 1 {
        v.times_x();
        let (first_f, first_g) = (f.first(), g.first());
        // Modulo 2, f begins with 1 and minus is plus.
        let factor = if is_mod_2 { first_g } else { minus_product(first_f, first_g) };
        let is_positive = ((-delta) >> 63) as u64;
        let mask = ct::opaque(is_positive & (first_g.one | first_g.two));
        delta ^= mask as i64 & (delta ^ -delta);
        delta += 1;
        P::exchange(mask, &mut f, &mut g);
        P::exchange(mask, &mut v, &mut w);
        g.add_multiple(factor, &f);
        w.add_multiple(factor, &v);
        g.over_x();
    }
    // v / f reversed, where f has become 1 or 2, which is its own inverse.
    let mut inverse = P::ZERO;
    inverse.add_multiple(f.first(), &v);
    for (i, c) in out[..n - 1].iter_mut().enumerate() {
        *c = inverse.get(n - 2 - i);
    }
    out[n - 1] = 0;
}

/// [`invert`] with planes of as many words as the set needs, in groups of four.
macro_rules! invert_in_planes {
    ($planes:ident, $set:expr, $is_mod_2:literal, $a:expr, $out:expr) => {{
        let n = $set.n();
        match $set {
            ParameterSet::Hps2048509 => invert::<$planes<8>>(n, $is_mod_2, $a, $out),
            ParameterSet::Hps2048677 | ParameterSet::Hrss701 => invert::<$planes<12>>(n, $is_mod_2, $a, $out),
            ParameterSet::Hps4096821 => invert::<$planes<16>>(n, $is_mod_2, $a, $out),
            ParameterSet::Hps40961229 => invert::<$planes<20>>(n, $is_mod_2, $a, $out),
            ParameterSet::Hrss1373 => invert::<$planes<24>>(n, $is_mod_2, $a, $out),
        }
    }};
}

/// The inverse of `a` in S modulo 2, in {0, 1}; zero of zero. Any representative goes in.
#[inline(always)]
pub(super) fn invert_mod_2(set: ParameterSet, a: &Poly, out: &mut Poly) {
    *out = *a;
    out.mod_phi_n(set);
    let reduced = *out;
    invert_in_planes!(Mod2, set, true, reduced.of(set), out.of_mut(set));
}

/// The inverse of `a` in S modulo 3, in {0, 1, 2}; zero of zero. In: {0, 1, 2}, the last one 0.
#[inline(always)]
pub(super) fn invert_mod_3(set: ParameterSet, a: &Poly, out: &mut Poly) {
    invert_in_planes!(Mod3, set, false, a.of(set), out.of_mut(set));
}

/// The inverse of `a` in S modulo q (in fact 2^16), as some representative in R. In: not zero modulo 2 and Phi_n.
#[inline(always)]
pub(super) fn invert_mod_q<K: Kernels>(k: K, set: ParameterSet, a: &Poly, out: &mut Poly) {
    k.invert_mod_2(set, a, out);
    let mut error = Poly::ZERO;
    // Bits that are right: 1, 2, 4, 8, 16.
    for _ in 0..4 {
        // r (2 - a r).
        k.multiply(set, a, out, &mut error);
        for c in error.of_mut(set) {
            *c = c.wrapping_neg();
        }
        error.0[0] = error.0[0].wrapping_add(2);
        let r = *out;
        k.multiply(set, &r, &error, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_bit_planes_are_those_modulo_3() {
        for a in 0..3 {
            for b in 0..3 {
                for factor in 0..3 {
                    let mut sum = Mod3::<2>::pack([0, a].into_iter());
                    let digit = Mod3::<2>::pack(core::iter::once(factor)).first();
                    sum.add_multiple(digit, &Mod3::pack([0, b].into_iter()));
                    assert_eq!((sum.get(0), sum.get(1)), (0, (a + factor * b) % 3));
                    let product = minus_product(digit, Mod3::<2>::pack(core::iter::once(b)).first());
                    let minus = (3 - factor * b % 3) % 3;
                    assert_eq!(
                        (product.one & 1, product.two & 1),
                        (u64::from(minus == 1), u64::from(minus == 2))
                    );
                }
            }
        }
    }
}
