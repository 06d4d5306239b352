//! A polynomial: n coefficients of 16 bits, and products modulo x^n - 1.
//!
//! q divides 2^16, so that coefficients modulo q are computed modulo 2^16, whose upper bits have no meaning until
//! [`super::pack`] drops them; ternary ones are 0, 1, 2 or, where a name says "centred", 0, 1, -1. Products are those
//! of Karatsuba, which divides by nothing and is therefore exact modulo 2^16. Next: [`super::inverse`].

use super::params::ParameterSet;
use crate::isa::Op;
use crate::simd::{MAX_LANES16, Simd};
use zeroize::Zeroize;

/// Room for the coefficients of the largest set, filled up for Karatsuba: 2^4 times 96.
pub(super) const ROOM: usize = 1536;

/// Coefficients, aligned for the widest vectors. Those from n on are zero.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Poly(pub [i16; ROOM]);

impl Zeroize for Poly {
    fn zeroize(&mut self) {
        crate::secret::wipe(&mut self.0);
    }
}

impl Poly {
    /// All coefficients zero.
    pub const ZERO: Poly = Poly([0; ROOM]);

    /// The coefficients of a set.
    #[inline(always)]
    pub fn of(&self, set: ParameterSet) -> &[i16] {
        &self.0[..set.n()]
    }

    /// The coefficients of a set.
    #[inline(always)]
    pub fn of_mut(&mut self, set: ParameterSet) -> &mut [i16] {
        &mut self.0[..set.n()]
    }

    /// Subtracts the multiple of Phi_n that makes the last coefficient zero: the representative in S modulo 2^16.
    #[inline(always)]
    pub fn mod_phi_n(&mut self, set: ParameterSet) {
        let last = self.0[set.n() - 1];
        for c in self.of_mut(set) {
            *c = c.wrapping_sub(last);
        }
    }

    /// From coefficients in `[0, 2^16)` to those of S modulo 3, in {0, 1, 2}.
    #[inline(always)]
    pub fn mod_3_phi_n(&mut self, set: ParameterSet) {
        let minus_last = 2 * (self.0[set.n() - 1] as u16 % 3);
        for c in self.of_mut(set) {
            *c = ((*c as u16 % 3 + minus_last) % 3) as i16;
        }
    }

    /// {0, 1, 2} becomes {0, 1, -1}.
    #[inline(always)]
    pub fn centre_ternary(&mut self, set: ParameterSet) {
        for c in self.of_mut(set) {
            *c |= -(*c >> 1);
        }
    }

    /// {0, 1, -1} becomes {0, 1, 2}. Other values become one of {0, 1, 2, 3}.
    #[inline(always)]
    pub fn uncentre_ternary(&mut self, set: ParameterSet) {
        for c in self.of_mut(set) {
            // -1 without its lowest bit is 2 modulo 4.
            *c = 3 & (*c ^ (*c as u16 >> 15) as i16);
        }
    }

    /// From coefficients modulo q, of which the upper bits have no meaning, to S modulo 3 by way of their
    /// representatives in `[-q/2, q/2)`.
    #[inline(always)]
    pub fn rq_to_s3(&mut self, set: ParameterSet) {
        let unused = 16 - set.logq();
        for c in self.of_mut(set) {
            let centred = (*c << unused) >> unused;
            // A multiple of 3 above 2^13 = q / 2 of the largest set.
            *c = centred + 3 * 2731;
        }
        self.mod_3_phi_n(set);
    }

    /// Multiplies by x - 1 modulo x^n - 1. In: the last coefficient is zero.
    #[inline(always)]
    pub fn multiply_by_x_minus_1(&mut self, set: ParameterSet) {
        debug_assert_eq!(self.0[set.n() - 1], 0);
        let mut before = 0;
        for c in self.of_mut(set) {
            let now = *c;
            *c = before - now;
            before = now;
        }
    }

    /// Lift: of HPS, the polynomial itself; of HRSS, x - 1 times the quotient
    /// m / (x - 1) in S modulo 3. In: {0, 1, 2}, the last one 0. Out: small and centred.
    #[inline(always)]
    pub fn lift(&mut self, set: ParameterSet) {
        if set.weight().is_none() {
            self.divide_by_x_minus_1(set);
        }
        self.centre_ternary(set);
        if set.weight().is_none() {
            self.multiply_by_x_minus_1(set);
        }
    }

    /// The quotient by x - 1 in S modulo 3.
    ///
    /// (x - 1) b = m + k Phi_n, for some k, says that b[i-1] - b[i] = m[i] + k, with b[-1] = b[n-1] = 0. The sum over
    /// all i gives k = -m(1) / n, and b[i] is minus the sum of m[j] + k up to j = i. (1 / n = n modulo 3.)
    #[inline(always)]
    fn divide_by_x_minus_1(&mut self, set: ParameterSet) {
        let n = set.n();
        let total: i16 = self.of(set).iter().sum();
        let k = (2 * (n % 3) as i16 * (total % 3)) % 3;
        // Sums stay below n (2 + 2) < 2^13.
        let mut sum = 0;
        for c in self.of_mut(set) {
            sum += *c + k;
            *c = sum;
        }
        for c in self.of_mut(set) {
            *c = (2 * (*c as u16 % 3) % 3) as i16;
        }
        debug_assert_eq!(self.0[n - 1], 0);
    }
}

/// How a set's product is cut: `levels` halvings down to factors of `base` coefficients.
#[derive(Clone, Copy)]
struct Shape {
    levels: usize,
    base: usize,
}

const fn shape(set: ParameterSet) -> Shape {
    let (levels, base) = match set {
        ParameterSet::Hps2048509 => (3, 64),
        ParameterSet::Hps2048677 | ParameterSet::Hrss701 => (3, 96),
        ParameterSet::Hps4096821 => (3, 112),
        ParameterSet::Hps40961229 => (4, 80),
        ParameterSet::Hrss1373 => (4, 96),
    };
    Shape { levels, base }
}

/// `out = a b` modulo x^n - 1 and 2^16.
#[inline(always)]
pub(super) fn multiply<S: Simd>(s: S, set: ParameterSet, a: &Poly, b: &Poly, out: &mut Poly) {
    let Shape { levels, base } = shape(set);
    let len = base << levels;
    let mut product = [0; 2 * ROOM];
    let mut scratch = [0; 4 * ROOM];
    s.enter(Karatsuba {
        levels,
        base,
        a: &a.0[..len],
        b: &b.0[..len],
        out: &mut product[..2 * len],
        scratch: &mut scratch,
    });
    let (low, high) = product.split_at(set.n());
    for ((c, low), high) in out.of_mut(set).iter_mut().zip(low).zip(high) {
        *c = low.wrapping_add(*high);
    }
}

/// `out = a b` of polynomials that are not reduced: 2^`levels` times `base` coefficients each, twice as many in `out`.
/// In: `scratch` has room for four times as many as `a`.
struct Karatsuba<'a> {
    levels: usize,
    base: usize,
    a: &'a [i16],
    b: &'a [i16],
    out: &'a mut [i16],
    scratch: &'a mut [i16],
}

impl<S: Simd> Op<S> for Karatsuba<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self, s: S) {
        let Karatsuba { levels, base, a, b, out, scratch } = self;
        if levels == 0 {
            return match base {
                64 => schoolbook::<S, 64>(s, a, b, out),
                80 => schoolbook::<S, 80>(s, a, b, out),
                96 => schoolbook::<S, 96>(s, a, b, out),
                _ => schoolbook::<S, 112>(s, a, b, out),
            };
        }
        let half = a.len() / 2;
        let ((a_low, a_high), (b_low, b_high)) = (a.split_at(half), b.split_at(half));
        let (a_sum, scratch) = scratch.split_at_mut(half);
        let (b_sum, scratch) = scratch.split_at_mut(half);
        let (middle, scratch) = scratch.split_at_mut(2 * half);
        add(a_low, a_high, a_sum);
        add(b_low, b_high, b_sum);
        let levels = levels - 1;
        let (low, high) = out.split_at_mut(2 * half);
        s.enter(Karatsuba { levels, base, a: a_low, b: b_low, out: low, scratch: &mut *scratch });
        s.enter(Karatsuba { levels, base, a: a_high, b: b_high, out: high, scratch: &mut *scratch });
        s.enter(Karatsuba { levels, base, a: a_sum, b: b_sum, out: &mut *middle, scratch });
        // What overlaps: the upper half of the low product and the lower half of the high one.
        let ((first, second), (third, fourth)) = (low.split_at_mut(half), high.split_at_mut(half));
        let (middle_low, middle_high) = middle.split_at(half);
        let outer = first.iter().zip(fourth.iter());
        let inner = second.iter_mut().zip(third.iter_mut());
        for (((c0, c3), (c1, c2)), (m0, m1)) in outer.zip(inner).zip(middle_low.iter().zip(middle_high)) {
            let crossing = c1.wrapping_sub(*c2);
            *c1 = crossing.wrapping_add(m0.wrapping_sub(*c0));
            *c2 = m1.wrapping_sub(*c3).wrapping_sub(crossing);
        }
    }
}

#[inline(always)]
fn add(a: &[i16], b: &[i16], sum: &mut [i16]) {
    for ((sum, a), b) in sum.iter_mut().zip(a).zip(b) {
        *sum = a.wrapping_add(*b);
    }
}

/// The longest factor of [`schoolbook`].
const MAX_BASE: usize = 112;
/// The most vectors of eight lanes that a factor and one vector more take.
const MAX_WINDOW: usize = MAX_BASE / 8 + 1;
/// Room for a factor in whole vectors.
const BASE_ROOM: usize = MAX_BASE.next_multiple_of(MAX_LANES16);

/// `out = a b`, `B` coefficients each.
///
/// A window of sums stays in registers and moves on by a vector when as many coefficients of `a` were taken; `b` is
/// read from every place, with zeros around it.
#[inline(always)]
fn schoolbook<S: Simd, const B: usize>(s: S, a: &[i16], b: &[i16], out: &mut [i16]) {
    let (a, b) = (&a[..B], &b[..B]);
    if S::LANES16 == 1 {
        out.fill(0);
        for (i, a) in a.iter().enumerate() {
            for (sum, b) in out[i..i + B].iter_mut().zip(b) {
                *sum = sum.wrapping_add(a.wrapping_mul(*b));
            }
        }
        return;
    }
    let lanes = S::LANES16;
    let vectors = B.div_ceil(lanes);
    let mut padded = [0; BASE_ROOM + 2 * MAX_LANES16];
    padded[MAX_LANES16..MAX_LANES16 + B].copy_from_slice(b);
    let mut result = [0; 2 * BASE_ROOM];
    let mut window = [s.splat_i16(0); MAX_WINDOW];
    for vector in 0..vectors {
        for i in 0..lanes.min(B - vector * lanes) {
            let factor = s.splat_i16(a[vector * lanes + i]);
            for (k, sum) in window[..=vectors].iter_mut().enumerate() {
                *sum = *sum + factor * s.load_i16(&padded[MAX_LANES16 + k * lanes - i..]);
            }
        }
        s.store_i16(&mut result[vector * lanes..], window[0]);
        for k in 0..vectors {
            window[k] = window[k + 1];
        }
        window[vectors] = s.splat_i16(0);
    }
    for (k, sum) in window[..vectors].iter().enumerate() {
        s.store_i16(&mut result[(vectors + k) * lanes..], *sum);
    }
    out.copy_from_slice(&result[..2 * B]);
}
