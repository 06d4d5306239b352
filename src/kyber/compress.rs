//! Compression of coefficients to d bits and back (FIPS 203, section 4.2.1), without division, in lanes.
//!
//! Both give exactly the rounded values of the formulas for every input; the tests go through all of them. Next:
//! [`super::encode`].

use super::params::Q;
use super::poly::Poly;
use crate::simd::{Int16, Simd};

/// Replaces x by round(2^D x / q) mod 2^D. In: x in [0, q). Out: in [0, 2^D).
#[inline(always)]
pub(super) fn compress<S: Simd, const D: usize>(s: S, a: &mut Poly) {
    const { assert!(D <= 11) };
    debug_assert!(a.is_canonical());
    // An approximation from below of 2^D x / q: 2^3 x fits in 16 bits, and its factor is 2^(D + 13) / q rounded down.
    let factor = const { ((1u32 << (D + 13)) / Q) as i16 };
    for a in a.0.chunks_exact_mut(S::LANES16) {
        let x = s.load_i16(a);
        let y = (x * s.splat_i16(8)).mul_high(s.splat_i16(factor));
        // 2^D x - q y is small, so that its 16 low bits are it: in [0, 3/2 q). Above q/2 the next y is nearer.
        let rest = x * s.splat_i16(1 << D) - y * s.splat_i16(Q as i16);
        let up = (s.splat_i16(Q as i16 / 2) - rest).sign_mask();
        s.store_i16(a, (y - up) & s.splat_i16((1 << D) - 1));
    }
}

/// Replaces y by round(q y / 2^D). In: y in [0, 2^D). Out: in [0, q].
#[inline(always)]
pub(super) fn decompress<S: Simd, const D: usize>(s: S, a: &mut Poly) {
    const { assert!(D >= 1 && D <= 11) };
    debug_assert!(a.0.iter().all(|y| (0..1 << D).contains(y)));
    let two_q = s.splat_i16(2 * Q as i16);
    for a in a.0.chunks_exact_mut(S::LANES16) {
        // The product is q y 2^(16 - D): the upper half is the quotient, the top bit of the lower half rounds.
        let y = s.load_i16(a) * s.splat_i16(const { 1 << (15 - D) });
        s.store_i16(a, y.mul_high(two_q) - (y * two_q).sign_mask());
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::N;
    use super::*;
    use crate::isa::{self, Isa, Op};

    struct All;

    impl All {
        #[inline(always)]
        fn check<S: Simd, const D: usize>(s: S) -> u32 {
            let mut compared = 0;
            let polys = |limit: u32| {
                (0..limit).step_by(N).map(move |start| {
                    Poly(core::array::from_fn(|i| (start + i as u32).min(limit - 1) as i16))
                })
            };
            for x in polys(Q) {
                let mut y = x;
                compress::<S, D>(s, &mut y);
                for (x, y) in x.0.iter().zip(y.0) {
                    let want = (((2 * *x as u32) << D) + Q) / (2 * Q) % (1 << D);
                    assert_eq!(y as u32, want, "{x} to {D} bits");
                    compared += 1;
                }
            }
            for y in polys(1 << D) {
                let mut x = y;
                decompress::<S, D>(s, &mut x);
                for (y, x) in y.0.iter().zip(x.0) {
                    assert_eq!(x as u32, (Q * *y as u32 + (1 << (D - 1))) >> D, "{y} from {D} bits");
                    compared += 1;
                }
            }
            compared
        }
    }

    impl<S: Simd> Op<S> for All {
        type Out = u32;
        #[inline(always)]
        fn run(self, s: S) -> u32 {
            All::check::<S, 1>(s)
                + All::check::<S, 4>(s)
                + All::check::<S, 5>(s)
                + All::check::<S, 10>(s)
                + All::check::<S, 11>(s)
        }
    }

    crate::simd::scalar_on_rvv!(All);

    /// KyberSlash is a division here; rounding is what replaces it.
    #[test]
    fn every_value_is_rounded_as_the_formula_says_on_every_backend() {
        for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_supported()) {
            assert!(isa::with(isa, All) > 5 * Q);
        }
    }
}
