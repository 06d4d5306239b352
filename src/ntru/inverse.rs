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
use crate::symmetric::lanes::{Lanes, One, WIDEST};
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

/// Coefficients, 64 for each word of bits.
type Words<const W: usize> = [[i16; 64]; W];

/// The first coefficients of `a`, all but one, from the last one on.
#[inline(always)]
fn reversed<const W: usize>(a: &[i16]) -> Words<W> {
    let mut words = [[0; 64]; W];
    for (to, from) in words.as_flattened_mut().iter_mut().zip(a[..a.len() - 1].iter().rev()) {
        *to = *from;
    }
    words
}

/// The lowest bits of what `bit` makes of coefficients.
#[inline(always)]
fn bits_of<const W: usize>(coefficients: &Words<W>, bit: impl Fn(i16) -> i16) -> [u64; W] {
    let mut words = [0; W];
    for (word, coefficients) in words.iter_mut().zip(coefficients) {
        // Whole words: the compiler makes vectors of it.
        for (i, coefficient) in coefficients.iter().enumerate() {
            *word |= ((bit(*coefficient) & 1) as u64) << i;
        }
    }
    words
}

/// `len` bits that are set.
#[inline(always)]
fn ones<const W: usize>(len: usize) -> [u64; W] {
    let mut words = [0; W];
    for (i, word) in words.iter_mut().enumerate() {
        *word = !(u64::MAX.checked_shl(len.saturating_sub(64 * i) as u32).unwrap_or(0));
    }
    words
}

/// Writes what `coefficient` makes of two bits each, the last one first, and zero behind them: the inverse of [`bits_of`]
/// and [`reversed`].
#[inline(always)]
fn put_reversed<const W: usize>(
    bits: [&[u64; W]; 2],
    coefficient: impl Fn(i16, i16) -> i16,
    out: &mut [i16],
) {
    let mut words: Words<W> = [[0; 64]; W];
    for ((to, first), second) in words.iter_mut().zip(bits[0]).zip(bits[1]) {
        for (i, to) in to.iter_mut().enumerate() {
            *to = coefficient((first >> i & 1) as i16, (second >> i & 1) as i16);
        }
    }
    let (out, last) = out.split_at_mut(out.len() - 1);
    for (to, from) in out.iter_mut().rev().zip(words.as_flattened()) {
        *to = *from;
    }
    last.fill(0);
}

/// All ones where bit 0 is set.
#[inline(always)]
fn mask_of(word: u64) -> u64 {
    ct::opaque((word & 1).wrapping_neg())
}

/// Division steps that are seen in the lowest 64 coefficients: each takes one of them away.
const AHEAD: usize = 63;

/// Multiplies by x.
#[inline(always)]
fn times_x<V: Lanes, const W: usize>(zero: V, plane: &mut Plane<V, W>) {
    let mut below = zero;
    for register in &mut plane[..registers::<V, W>()] {
        let now = *register;
        *register = now.up_bit(below);
        below = now;
    }
}

/// Divides by x. The lowest coefficient is zero.
#[inline(always)]
fn over_x<V: Lanes, const W: usize>(zero: V, plane: &mut Plane<V, W>) {
    for i in 0..registers::<V, W>() {
        let above = if i + 1 < registers::<V, W>() { plane[i + 1] } else { zero };
        plane[i] = plane[i].down_bit(above);
    }
}

/// The first registers.
#[inline(always)]
fn first<V: Lanes, const W: usize, const PART: usize>(zero: V, plane: &Plane<V, W>) -> Plane<V, PART> {
    let mut part = [zero; PART];
    part[..registers::<V, PART>()].copy_from_slice(&plane[..registers::<V, PART>()]);
    part
}

/// The inverse of [`first`]: the others stay as they are.
#[inline(always)]
fn put_first<V: Lanes, const W: usize, const PART: usize>(plane: &mut Plane<V, W>, part: &Plane<V, PART>) {
    plane[..registers::<V, PART>()].copy_from_slice(&part[..registers::<V, PART>()]);
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

/// All division steps, `AHEAD` at a time. `HALF` lanes are enough for v and w in the first ones, which have made them no
/// longer than that, and for f and g in the last ones, as each step takes a coefficient away.
macro_rules! all_steps {
    ($steps:ident::<$V:ident, $whole:ident, $half:ident>($token:ident, $division:ident), $count:expr) => {{
        let (mut done, mut left) = (0, $count);
        while left > 0 {
            let now = usize::min(left, AHEAD);
            if $whole == $half {
                $steps::<$V, $whole, $whole, $whole>($token, &mut $division, now);
            } else if done + now < 64 * $half {
                $steps::<$V, $whole, $whole, $half>($token, &mut $division, now);
            } else if left <= 64 * $half {
                $steps::<$V, $whole, $half, $whole>($token, &mut $division, now);
            } else {
                $steps::<$V, $whole, $whole, $whole>($token, &mut $division, now);
            }
            (done, left) = (done + now, left - now);
        }
    }};
}

/// What a division works on: f begins with a number that is not zero, and v and w times the polynomial to invert are f
/// and g, but for powers of x and multiples of the modulus.
///
/// A step adds such a multiple of f to g that the sum begins with zero, and divides it by x. Where it exchanges f and g
/// before, it would make the same sum times a number, which is left out, as v and w lack it then as well.
struct Division<P> {
    f: P,
    g: P,
    v: P,
    w: P,
    delta: i64,
}

/// Inverts modulo 2; see [`invert_mod_2`].
struct Invert2<'a, V, const W: usize, const HALF: usize> {
    n: usize,
    a: &'a [i16],
    out: &'a mut [i16],
    lanes: PhantomData<V>,
}

impl<V: Lanes, const W: usize, const HALF: usize> Op<V::Token> for Invert2<'_, V, W, HALF> {
    type Out = ();

    #[inline(always)]
    fn run(self, token: V::Token) {
        let Invert2 { n, a, out, .. } = self;
        // Reversed, so that division steps look at lowest coefficients: f is Phi_n, g is a.
        let mut division: Division<Plane<V, W>> = Division {
            f: load(token, &ones(n)),
            g: load(token, &bits_of(&reversed(a), |c| c)),
            v: [V::splat(token, 0); W],
            w: load(token, &ones(1)),
            delta: 1,
        };
        all_steps!(steps_mod_2::<V, W, HALF>(token, division), 2 * (n - 1) - 1);
        let v = store(&division.v);
        put_reversed([&v, &v], |bit, _| bit, out);
    }
}

/// At most [`AHEAD`] division steps modulo 2, on `FG` lanes of f and g and `VW` of v and w.
#[inline(always)]
fn steps_mod_2<V: Lanes, const W: usize, const FG: usize, const VW: usize>(
    token: V::Token,
    division: &mut Division<Plane<V, W>>,
    count: usize,
) {
    let zero = V::splat(token, 0);
    let (mut f, mut g) = (first::<V, W, FG>(zero, &division.f), first::<V, W, FG>(zero, &division.g));
    let (mut v, mut w) = (first::<V, W, VW>(zero, &division.v), first::<V, W, VW>(zero, &division.w));
    // What these steps do is seen in the lowest coefficients, one after the other.
    let (mut low_f, mut low_g) = (f[0].first(), g[0].first());
    for _ in 0..count {
        // f begins with 1.
        let factor = mask_of(low_g);
        let exchange = step_delta(&mut division.delta, factor);
        let sum = low_g ^ (low_f & factor);
        low_f ^= (low_f ^ low_g) & exchange;
        low_g = sum >> 1;

        let (factor, exchange) = (V::splat(token, factor), V::splat(token, exchange));
        for (f, g) in f[..registers::<V, FG>()].iter_mut().zip(&mut g) {
            (*f, *g) = (V::select(exchange, *g, *f), g.xor(f.and(factor)));
        }
        over_x(zero, &mut g);
        times_x(zero, &mut v);
        for (v, w) in v[..registers::<V, VW>()].iter_mut().zip(&mut w) {
            (*v, *w) = (V::select(exchange, *w, *v), w.xor(v.and(factor)));
        }
    }
    put_first(&mut division.f, &f);
    put_first(&mut division.g, &g);
    put_first(&mut division.v, &v);
    put_first(&mut division.w, &w);
}

/// Numbers modulo 3, one in each bit: where it is not zero, and there whether it is 2. Where it is zero the sign has no
/// meaning.
#[derive(Clone, Copy)]
struct Digits<V> {
    nonzero: V,
    sign: V,
}

impl<V: Lanes> Digits<V> {
    /// Adds a multiple of others: none of it where the bits of `factor` are not set, minus it where those of `negate` are.
    #[inline(always)]
    fn plus_multiple(self, factor: V, negate: V, other: Digits<V>) -> Digits<V> {
        let other_nonzero = other.nonzero.and(factor);
        let differ = self.sign.xor(other.sign).xor(negate);
        // Of two that are not zero, the sum is zero where they differ, else minus each of them.
        Digits {
            nonzero: self.nonzero.xor(other_nonzero).chi(differ, self.nonzero.and(other_nonzero)),
            sign: self.sign.xor(other_nonzero.and(self.nonzero.or(differ))),
        }
    }

    /// Those of `on` where the bits of the mask are set.
    #[inline(always)]
    fn select(mask: V, on: Digits<V>, off: Digits<V>) -> Digits<V> {
        Digits { nonzero: V::select(mask, on.nonzero, off.nonzero), sign: V::select(mask, on.sign, off.sign) }
    }
}

/// A polynomial modulo 3 in two planes, as [`Digits`].
#[derive(Clone, Copy)]
struct Mod3<V, const W: usize> {
    nonzero: Plane<V, W>,
    sign: Plane<V, W>,
}

impl<V: Lanes, const W: usize> Mod3<V, W> {
    /// From coefficients in {0, 1, 2}.
    #[inline(always)]
    fn load(token: V::Token, coefficients: &Words<W>) -> Mod3<V, W> {
        Mod3 {
            nonzero: load(token, &bits_of(coefficients, |c| c | c >> 1)),
            sign: load(token, &bits_of(coefficients, |c| c >> 1)),
        }
    }

    /// `len` coefficients that are 1.
    #[inline(always)]
    fn ones(token: V::Token, len: usize) -> Mod3<V, W> {
        Mod3 { nonzero: load(token, &ones(len)), sign: [V::splat(token, 0); W] }
    }

    /// [`first`] of both.
    #[inline(always)]
    fn first<const PART: usize>(&self, zero: V) -> Mod3<V, PART> {
        Mod3 { nonzero: first(zero, &self.nonzero), sign: first(zero, &self.sign) }
    }

    /// [`put_first`] of both.
    #[inline(always)]
    fn put_first<const PART: usize>(&mut self, part: &Mod3<V, PART>) {
        put_first(&mut self.nonzero, &part.nonzero);
        put_first(&mut self.sign, &part.sign);
    }

    /// The lowest 64 coefficients.
    #[inline(always)]
    fn low(&self, token: V::Token) -> Digits<One<V::Token>> {
        let low = |plane: &Plane<V, W>| One::splat(token, plane[0].first());
        Digits { nonzero: low(&self.nonzero), sign: low(&self.sign) }
    }

    /// The coefficients of register `i`.
    #[inline(always)]
    fn at(&self, i: usize) -> Digits<V> {
        Digits { nonzero: self.nonzero[i], sign: self.sign[i] }
    }

    /// Replaces them.
    #[inline(always)]
    fn put(&mut self, i: usize, digits: Digits<V>) {
        (self.nonzero[i], self.sign[i]) = (digits.nonzero, digits.sign);
    }

    /// Puts `b` in the place of `a` where the mask says so, and of `b` the sum with a multiple of `a`.
    #[inline(always)]
    fn step(exchange: V, factor: V, negate: V, a: &mut Mod3<V, W>, b: &mut Mod3<V, W>) {
        for i in 0..registers::<V, W>() {
            let (old_a, old_b) = (a.at(i), b.at(i));
            a.put(i, Digits::select(exchange, old_b, old_a));
            b.put(i, old_b.plus_multiple(factor, negate, old_a));
        }
    }
}

/// Inverts modulo 3; see [`invert_mod_3`].
struct Invert3<'a, V, const W: usize, const HALF: usize> {
    n: usize,
    a: &'a [i16],
    out: &'a mut [i16],
    lanes: PhantomData<V>,
}

impl<V: Lanes, const W: usize, const HALF: usize> Op<V::Token> for Invert3<'_, V, W, HALF> {
    type Out = ();

    #[inline(always)]
    fn run(self, token: V::Token) {
        let Invert3 { n, a, out, .. } = self;
        // As modulo 2.
        let mut division: Division<Mod3<V, W>> = Division {
            f: Mod3::ones(token, n),
            g: Mod3::load(token, &reversed(a)),
            v: Mod3::ones(token, 0),
            w: Mod3::ones(token, 1),
            delta: 1,
        };
        all_steps!(steps_mod_3::<V, W, HALF>(token, division), 2 * (n - 1) - 1);
        // v / f, where f has become 1 or 2, which is its own inverse.
        let negate = (mask_of(division.f.low(token).sign.first()) & 1) as i16;
        let (nonzero, sign) = (store(&division.v.nonzero), store(&division.v.sign));
        let coefficient = |nonzero, sign| {
            let two = nonzero & (sign ^ negate);
            (nonzero ^ two) | two << 1
        };
        put_reversed([&nonzero, &sign], coefficient, out);
    }
}

/// At most [`AHEAD`] division steps modulo 3, on `FG` lanes of f and g and `VW` of v and w.
#[inline(always)]
fn steps_mod_3<V: Lanes, const W: usize, const FG: usize, const VW: usize>(
    token: V::Token,
    division: &mut Division<Mod3<V, W>>,
    count: usize,
) {
    let zero = V::splat(token, 0);
    let (mut f, mut g) = (division.f.first::<FG>(zero), division.g.first::<FG>(zero));
    let (mut v, mut w) = (division.v.first::<VW>(zero), division.w.first::<VW>(zero));
    // As modulo 2.
    let (mut low_f, mut low_g) = (f.low(token), g.low(token));
    let one = |mask| One::splat(token, mask);
    for _ in 0..count {
        // The product of both first numbers, negated. f does not begin with zero.
        let factor = mask_of(low_g.nonzero.first());
        let negate = mask_of(low_f.sign.first() ^ low_g.sign.first() ^ 1);
        let exchange = step_delta(&mut division.delta, factor);
        let sum = low_g.plus_multiple(one(factor), one(negate), low_f);
        low_f = Digits::select(one(exchange), low_g, low_f);
        low_g = Digits { nonzero: sum.nonzero.shr::<1>(), sign: sum.sign.shr::<1>() };

        let [factor, negate, exchange] = [factor, negate, exchange].map(|mask| V::splat(token, mask));
        Mod3::step(exchange, factor, negate, &mut f, &mut g);
        over_x(zero, &mut g.nonzero);
        over_x(zero, &mut g.sign);
        times_x(zero, &mut v.nonzero);
        times_x(zero, &mut v.sign);
        Mod3::step(exchange, factor, negate, &mut v, &mut w);
    }
    division.f.put_first(&f);
    division.g.put_first(&g);
    division.v.put_first(&v);
    division.w.put_first(&w);
}

/// Runs an inversion in planes of as many lanes as the set needs, in whole registers.
macro_rules! invert_in_planes {
    ($invert:ident, $token:expr, $set:expr, $a:expr, $out:expr) => {{
        let (n, a, out, lanes) = ($set.n(), $a, $out, PhantomData);
        match $set {
            ParameterSet::Hps2048509 if V::WIDTH < 8 => {
                $token.enter($invert::<V, 8, 4> { n, a, out, lanes });
            }
            ParameterSet::Hps2048509 => $token.enter($invert::<V, 8, 8> { n, a, out, lanes }),
            ParameterSet::Hps2048677 | ParameterSet::Hrss701 if V::WIDTH < 8 => {
                $token.enter($invert::<V, 12, 8> { n, a, out, lanes });
            }
            ParameterSet::Hps2048677 | ParameterSet::Hrss701 | ParameterSet::Hps4096821 => {
                $token.enter($invert::<V, 16, 8> { n, a, out, lanes });
            }
            ParameterSet::Hps40961229 | ParameterSet::Hrss1373 => {
                $token.enter($invert::<V, 24, 16> { n, a, out, lanes });
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
        let token = Scalar::get();
        let word = |mask: bool| One::splat(token, u64::from(mask).wrapping_neg());
        // Zero has two forms.
        let forms = [(0, false, false), (0, false, true), (1, true, false), (2, true, true)];
        for (a, a_nonzero, a_sign) in forms {
            for (b, b_nonzero, b_sign) in forms {
                for (factor, factor_nonzero, factor_sign) in forms {
                    let (a_digits, b_digits) = (
                        Digits { nonzero: word(a_nonzero), sign: word(a_sign) },
                        Digits { nonzero: word(b_nonzero), sign: word(b_sign) },
                    );
                    let sum = a_digits.plus_multiple(word(factor_nonzero), word(factor_sign), b_digits);
                    let (nonzero, sign) = (sum.nonzero.first() & 1, sum.sign.first() & 1);
                    assert_eq!(nonzero << sign, (a + factor * b) % 3, "{a} + {factor} * {b}");
                }
            }
        }
    }
}
