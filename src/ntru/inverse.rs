//! Inverses in S modulo 2, 3 and q, in constant time.
//!
//! Modulo 2 and 3 it is the division step of Bernstein and Yang ("Fast constant-time gcd computation and modular
//! inversion", 2019, section 5) on polynomials whose coefficients lie in bit planes, in whole registers: 2 (n - 1) - 1
//! steps, whatever the input. Modulo q the inverse modulo 2 is lifted by Newton's iteration. Next: [`super::owcpa`].

use super::kernels::Kernels;
use super::params::ParameterSet;
use super::poly::Poly;
use crate::ct;
use crate::isa::Op;
use crate::simd::Token;
use crate::symmetric::lanes::{Lanes, WIDEST};
use core::marker::PhantomData;

/// Registers that hold a polynomial's coefficients modulo 2: 64 in each lane of each, the first one of lowest degree. Of
/// `W` as many are in use as have `W` lanes.
type Plane<V, const W: usize> = [V; W];

/// As many registers as have `W` lanes.
const fn registers<V: Lanes, const W: usize>() -> usize {
    W / V::WIDTH
}

/// Bits as a plane.
#[inline(always)]
fn load<V: Lanes, const W: usize>(token: V::Token, bits: &[u64; W]) -> Plane<V, W> {
    let mut plane = [V::splat(token, 0); W];
    for (i, register) in plane[..registers::<V, W>()].iter_mut().enumerate() {
        let mut lanes = [0; WIDEST];
        lanes[..V::WIDTH].copy_from_slice(&bits[i * V::WIDTH..][..V::WIDTH]);
        *register = V::load(token, &lanes, 0);
    }
    plane
}

/// The inverse of [`load`].
#[inline(always)]
fn store<V: Lanes, const W: usize>(plane: &Plane<V, W>) -> [u64; W] {
    let mut bits = [0; W];
    for (i, register) in plane[..registers::<V, W>()].iter().enumerate() {
        let mut lanes = [0; WIDEST];
        register.store(&mut lanes, 0);
        bits[i * V::WIDTH..][..V::WIDTH].copy_from_slice(&lanes[..V::WIDTH]);
    }
    bits
}

/// The lowest bits of numbers, 64 a word.
#[inline(always)]
fn bits_of<const W: usize>(numbers: impl Iterator<Item = i16>) -> [u64; W] {
    let mut words = [0; W];
    for (i, number) in numbers.enumerate() {
        words[i / 64] |= ((number & 1) as u64) << (i % 64);
    }
    words
}

/// Bit `i`.
#[inline(always)]
fn bit(words: &[u64], i: usize) -> i16 {
    (words[i / 64] >> (i % 64) & 1) as i16
}

/// All ones where bit 0 is set.
#[inline(always)]
fn mask_of(word: u64) -> u64 {
    ct::opaque((word & 1).wrapping_neg())
}

/// Division steps that are seen in the lowest 64 coefficients: each takes one of them away.
const AHEAD: usize = 63;

/// Exchanges the two where the mask is all ones.
#[inline(always)]
fn exchange<V: Lanes, const W: usize>(mask: V, a: &mut Plane<V, W>, b: &mut Plane<V, W>) {
    for i in 0..registers::<V, W>() {
        let difference = a[i].xor(b[i]).and(mask);
        a[i] = a[i].xor(difference);
        b[i] = b[i].xor(difference);
    }
}

/// Multiplies by x.
#[inline(always)]
fn times_x<V: Lanes, const W: usize>(zero: V, plane: &mut Plane<V, W>) {
    let mut below = zero;
    for register in &mut plane[..registers::<V, W>()] {
        let now = *register;
        *register = now.shl::<1>().or(now.up(below).shr::<63>());
        below = now;
    }
}

/// Divides by x. The lowest coefficient is zero.
#[inline(always)]
fn over_x<V: Lanes, const W: usize>(zero: V, plane: &mut Plane<V, W>) {
    for i in 0..registers::<V, W>() {
        let above = if i + 1 < registers::<V, W>() { plane[i + 1] } else { zero };
        plane[i] = plane[i].shr::<1>().or(plane[i].down(above).shl::<63>());
    }
}

/// Whether a division step exchanges f and g: where delta is positive and g does not begin with zero. Steps delta.
#[inline(always)]
fn step_delta(delta: &mut i64, g_begins: u64) -> u64 {
    let is_positive = ((-*delta) >> 63) as u64;
    let mask = ct::opaque(is_positive & g_begins);
    *delta ^= mask as i64 & (*delta ^ -*delta);
    *delta += 1;
    mask
}

/// Inverts modulo 2; see [`invert_mod_2`].
struct Invert2<'a, V, const W: usize> {
    n: usize,
    a: &'a [i16],
    out: &'a mut [i16],
    lanes: PhantomData<V>,
}

impl<V: Lanes, const W: usize> Op<V::Token> for Invert2<'_, V, W> {
    type Out = ();

    #[inline(always)]
    fn run(self, token: V::Token) {
        let Invert2 { n, a, out, .. } = self;
        let zero = V::splat(token, 0);
        // Reversed, so that division steps look at lowest coefficients: f is Phi_n, g is a.
        let mut f: Plane<V, W> = load(token, &bits_of((0..n).map(|_| 1)));
        let mut g: Plane<V, W> = load(token, &bits_of(a[..n - 1].iter().rev().copied()));
        let mut v = [zero; W];
        let mut w: Plane<V, W> = load(token, &bits_of(core::iter::once(1)));
        let mut delta = 1;
        let mut steps = 2 * (n - 1) - 1;
        while steps > 0 {
            // What the next steps do is seen in the lowest coefficients, one after the other.
            let (mut low_f, mut low_g) = (f[0].first(), g[0].first());
            for _ in 0..steps.min(AHEAD) {
                // f begins with 1.
                let factor = mask_of(low_g);
                let mask = step_delta(&mut delta, factor);
                let sum = low_g ^ (low_f & factor);
                low_f ^= (low_f ^ low_g) & mask;
                low_g = sum >> 1;

                let (factor, mask) = (V::splat(token, factor), V::splat(token, mask));
                times_x(zero, &mut v);
                exchange(mask, &mut f, &mut g);
                exchange(mask, &mut v, &mut w);
                for i in 0..registers::<V, W>() {
                    g[i] = g[i].xor(f[i].and(factor));
                    w[i] = w[i].xor(v[i].and(factor));
                }
                over_x(zero, &mut g);
            }
            steps = steps.saturating_sub(AHEAD);
        }
        // v reversed.
        let v = store(&v);
        for (i, c) in out[..n - 1].iter_mut().enumerate() {
            *c = bit(&v, n - 2 - i);
        }
        out[n - 1] = 0;
    }
}

/// A polynomial modulo 3: a plane of the coefficients that are 1, one of those that are 2.
#[derive(Clone, Copy)]
struct Mod3<V, const W: usize> {
    ones: Plane<V, W>,
    twos: Plane<V, W>,
}

/// Numbers modulo 3, or one of them in every place: whether each is 1, whether it is 2.
#[derive(Clone, Copy)]
struct Digit<M> {
    one: M,
    two: M,
}

impl Digit<u64> {
    /// The first of 64, in every place.
    #[inline(always)]
    fn first(self) -> Digit<u64> {
        Digit { one: mask_of(self.one), two: mask_of(self.two) }
    }

    /// [`Mod3::exchange`].
    #[inline(always)]
    fn exchange(mask: u64, a: &mut Digit<u64>, b: &mut Digit<u64>) {
        let difference = Digit { one: (a.one ^ b.one) & mask, two: (a.two ^ b.two) & mask };
        *a = Digit { one: a.one ^ difference.one, two: a.two ^ difference.two };
        *b = Digit { one: b.one ^ difference.one, two: b.two ^ difference.two };
    }

    /// [`Mod3::add_multiple`].
    #[inline(always)]
    fn plus_multiple(self, factor: Digit<u64>, other: Digit<u64>) -> Digit<u64> {
        let Digit { one, two } = factor;
        let b1 = one & other.one | two & other.two;
        let b2 = one & other.two | two & other.one;
        let t = (self.one | b2) ^ (self.two | b1);
        Digit { one: (self.two | b2) ^ t, two: (self.one | b1) ^ t }
    }
}

impl<V: Lanes, const W: usize> Mod3<V, W> {
    /// From coefficients in {0, 1, 2}, the first one of lowest degree.
    #[inline(always)]
    fn load(token: V::Token, coefficients: impl Iterator<Item = i16> + Clone) -> Mod3<V, W> {
        let ones = load(token, &bits_of(coefficients.clone()));
        Mod3 { ones, twos: load(token, &bits_of(coefficients.map(|c| c >> 1))) }
    }

    /// The lowest 64 coefficients.
    #[inline(always)]
    fn low(&self) -> Digit<u64> {
        Digit { one: self.ones[0].first(), two: self.twos[0].first() }
    }

    #[inline(always)]
    fn exchange(mask: V, a: &mut Mod3<V, W>, b: &mut Mod3<V, W>) {
        exchange(mask, &mut a.ones, &mut b.ones);
        exchange(mask, &mut a.twos, &mut b.twos);
    }

    /// Adds a multiple of another one.
    #[inline(always)]
    fn add_multiple(&mut self, factor: Digit<V>, other: &Mod3<V, W>) {
        let Digit { one, two } = factor;
        for i in 0..registers::<V, W>() {
            let (a1, a2, b1, b2) = (self.ones[i], self.twos[i], other.ones[i], other.twos[i]);
            let (b1, b2) = (one.and(b1).or(two.and(b2)), one.and(b2).or(two.and(b1)));
            // Set where the sum is not 0 and no two 1 or 2 meet; see the test of all nine sums.
            let t = a1.or(b2).xor(a2.or(b1));
            (self.ones[i], self.twos[i]) = (a2.or(b2).xor(t), a1.or(b1).xor(t));
        }
    }
}

/// The product of two digits, negated. In: `a` is 1 or 2.
#[inline(always)]
fn minus_product(a: Digit<u64>, b: Digit<u64>) -> Digit<u64> {
    Digit { one: a.one & b.two | a.two & b.one, two: a.one & b.one | a.two & b.two }
}

/// Inverts modulo 3; see [`invert_mod_3`].
struct Invert3<'a, V, const W: usize> {
    n: usize,
    a: &'a [i16],
    out: &'a mut [i16],
    lanes: PhantomData<V>,
}

impl<V: Lanes, const W: usize> Op<V::Token> for Invert3<'_, V, W> {
    type Out = ();

    #[inline(always)]
    fn run(self, token: V::Token) {
        let Invert3 { n, a, out, .. } = self;
        let zero = V::splat(token, 0);
        let digit =
            |digit: Digit<u64>| Digit { one: V::splat(token, digit.one), two: V::splat(token, digit.two) };
        // As modulo 2.
        let mut f = Mod3::<V, W>::load(token, (0..n).map(|_| 1));
        let mut g = Mod3::<V, W>::load(token, a[..n - 1].iter().rev().copied());
        let mut v = Mod3 { ones: [zero; W], twos: [zero; W] };
        let mut w = Mod3::<V, W>::load(token, core::iter::once(1));
        let mut delta = 1;
        let mut steps = 2 * (n - 1) - 1;
        while steps > 0 {
            // As modulo 2.
            let (mut low_f, mut low_g) = (f.low(), g.low());
            for _ in 0..steps.min(AHEAD) {
                let (first_f, first_g) = (low_f.first(), low_g.first());
                let factor = minus_product(first_f, first_g);
                let mask = step_delta(&mut delta, first_g.one | first_g.two);
                Digit::exchange(mask, &mut low_f, &mut low_g);
                low_g = low_g.plus_multiple(factor, low_f);
                low_g = Digit { one: low_g.one >> 1, two: low_g.two >> 1 };

                let factor = Digit { one: V::splat(token, factor.one), two: V::splat(token, factor.two) };
                let mask = V::splat(token, mask);
                times_x(zero, &mut v.ones);
                times_x(zero, &mut v.twos);
                Mod3::exchange(mask, &mut f, &mut g);
                Mod3::exchange(mask, &mut v, &mut w);
                g.add_multiple(factor, &f);
                w.add_multiple(factor, &v);
                over_x(zero, &mut g.ones);
                over_x(zero, &mut g.twos);
            }
            steps = steps.saturating_sub(AHEAD);
        }
        // v / f reversed, where f has become 1 or 2, which is its own inverse.
        let mut inverse = Mod3 { ones: [zero; W], twos: [zero; W] };
        inverse.add_multiple(digit(f.low().first()), &v);
        let (ones, twos) = (store(&inverse.ones), store(&inverse.twos));
        for (i, c) in out[..n - 1].iter_mut().enumerate() {
            *c = bit(&ones, n - 2 - i) + 2 * bit(&twos, n - 2 - i);
        }
        out[n - 1] = 0;
    }
}

/// Runs an inversion in planes of as many lanes as the set needs, in whole registers.
macro_rules! invert_in_planes {
    ($invert:ident, $token:expr, $set:expr, $a:expr, $out:expr) => {{
        let (n, a, out, lanes) = ($set.n(), $a, $out, PhantomData);
        match $set {
            ParameterSet::Hps2048509 => $token.enter($invert::<V, 8> { n, a, out, lanes }),
            ParameterSet::Hps2048677 | ParameterSet::Hrss701 if V::WIDTH < 8 => {
                $token.enter($invert::<V, 12> { n, a, out, lanes });
            }
            ParameterSet::Hps2048677 | ParameterSet::Hrss701 | ParameterSet::Hps4096821 => {
                $token.enter($invert::<V, 16> { n, a, out, lanes });
            }
            ParameterSet::Hps40961229 | ParameterSet::Hrss1373 => {
                $token.enter($invert::<V, 24> { n, a, out, lanes });
            }
        }
    }};
}

/// The inverse of `a` in S modulo 2, in {0, 1}; zero of zero. Any representative goes in.
#[inline(always)]
pub(super) fn invert_mod_2<V: Lanes>(token: V::Token, set: ParameterSet, a: &Poly, out: &mut Poly) {
    *out = *a;
    out.mod_phi_n(set);
    let reduced = *out;
    invert_in_planes!(Invert2, token, set, reduced.of(set), out.of_mut(set));
}

/// The inverse of `a` in S modulo 3, in {0, 1, 2}; zero of zero. In: {0, 1, 2}, the last one 0.
#[inline(always)]
pub(super) fn invert_mod_3<V: Lanes>(token: V::Token, set: ParameterSet, a: &Poly, out: &mut Poly) {
    invert_in_planes!(Invert3, token, set, a.of(set), out.of_mut(set));
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
        k.multiply_by(set, out, &error);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Scalar;

    #[test]
    fn sums_of_bit_planes_are_those_modulo_3() {
        type One = crate::symmetric::lanes::One<Scalar>;
        let token = Scalar::get();
        for a in 0..3 {
            for b in 0..3 {
                for factor in 0..3 {
                    let mut sum = Mod3::<One, 2>::load(token, [0, a].into_iter());
                    let digit = Mod3::<One, 2>::load(token, core::iter::once(factor)).low().first();
                    let masks =
                        Digit { one: Lanes::splat(token, digit.one), two: Lanes::splat(token, digit.two) };
                    sum.add_multiple(masks, &Mod3::load(token, [0, b].into_iter()));
                    let (ones, twos) = (store(&sum.ones), store(&sum.twos));
                    let coefficients = [0, 1].map(|i| bit(&ones, i) + 2 * bit(&twos, i));
                    assert_eq!(coefficients, [0, (a + factor * b) % 3]);
                    let b_digit = Mod3::<One, 2>::load(token, core::iter::once(b)).low().first();
                    let product = minus_product(digit, b_digit);
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
