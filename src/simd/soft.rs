//! The `soft` backend: IEEE 754 doubles computed with integer instructions alone (`rv64im` on riscv64).
//!
//! Every operation takes the same time for all values: no branch and no table index depends on an operand, and
//! division and square root are done bit by bit. Results are those of the hardware, bit for bit, for zero and
//! normal operands whose result is zero or normal; what is below the smallest normal number before rounding becomes zero.

use super::portable::one_lane;
use super::{Float, Real, Token};
use crate::ct::opaque;
use crate::isa::Op;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// Token of integer-only arithmetic.
#[derive(Clone, Copy)]
pub struct Soft(());

impl Soft {
    /// Integers are always there.
    pub fn get() -> Soft {
        Soft(())
    }
}

impl Token for Soft {
    const FEATURES: &'static [&'static str] = &[];
    type Base = Soft;
    #[inline(always)]
    fn base(self) -> Soft {
        self
    }
    #[inline(always)]
    fn enter<O: Op<Self>>(self, op: O) -> O::Out {
        #[inline(never)]
        fn outlined<O: Op<Soft>>(token: Soft, op: O) -> O::Out {
            op.run(token)
        }
        outlined(self, op)
    }
}

/// A double as its bit pattern.
#[derive(Clone, Copy)]
pub struct SoftF64(u64);

const SIGN: u64 = 1 << 63;
const FRACTION: u64 = (1 << 52) - 1;
const HIDDEN: u64 = 1 << 52;
const EXPONENT_MASK: u64 = 0x7FF;
const BIAS: i64 = 1023;

impl SoftF64 {
    #[inline(always)]
    fn exponent(self) -> i64 {
        (self.0 >> 52 & EXPONENT_MASK) as i64
    }

    /// The 53-bit significand; 0 for zero.
    #[inline(always)]
    fn significand(self) -> u64 {
        let nonzero = all_ones_if_positive(self.exponent());
        (self.0 & FRACTION | HIDDEN) & nonzero
    }

    /// Rounds `m * 2^(e - 63)` (biased exponent `e` of the top bit, which is bit 63 of `m`) and adds the sign.
    /// The low bit of `m` stands for everything below it. `m == 0` gives zero.
    #[inline(always)]
    fn round(sign: u64, e: i64, m: u64) -> SoftF64 {
        let dropped = m & 0x7FF;
        let kept = m >> 11;
        // Up where the dropped part is over one half, or is one half and the kept part is odd.
        let up = (dropped + 0x3FF + (kept & 1)) >> 11;
        // `kept` has its hidden bit, hence `e - 1`; a carry out of the significand moves into the exponent.
        let magnitude = (((e - 1) as u64) << 52).wrapping_add(kept + up);
        let in_range = all_ones_if_positive(e) & opaque((m >> 63).wrapping_neg());
        SoftF64(sign | magnitude & in_range)
    }
}

/// All ones where `x > 0`. In: `|x| < 2^62`.
#[inline(always)]
fn all_ones_if_positive(x: i64) -> u64 {
    opaque((x.wrapping_neg() >> 63) as u64)
}

/// All ones where `a < b`. In: both below 2^63.
#[inline(always)]
fn all_ones_if_less(a: u64, b: u64) -> u64 {
    opaque((a.wrapping_sub(b) as i64 >> 63) as u64)
}

/// 1 where `x` is not zero. In: `x < 2^63`.
#[inline(always)]
fn is_nonzero(x: u64) -> u64 {
    opaque(x.wrapping_neg() >> 63)
}

/// A shift count of at most 63. In: `distance < 2^62`, not negative.
#[inline(always)]
fn shift_count(distance: i64) -> u64 {
    debug_assert!(distance >= 0);
    (distance as u64 | all_ones_if_positive(distance - 63)) & 63
}

/// `x >> shift`, its lowest bit set where a bit was lost. In: `x < 2^63`.
#[inline(always)]
fn shift_right_sticky(x: u64, shift: u64) -> u64 {
    let shifted = x >> shift;
    shifted | is_nonzero(shifted << shift ^ x)
}

impl Add for SoftF64 {
    type Output = SoftF64;
    #[inline]
    fn add(self, other: SoftF64) -> SoftF64 {
        // The operand of larger magnitude first; of equal ones the positive first, so that x - x is +0.
        let (a, b) = (self.0 & !SIGN, other.0 & !SIGN);
        let equal = is_nonzero(a ^ b) ^ 1;
        let swap = all_ones_if_less(a, b) | (equal & self.0 >> 63).wrapping_neg();
        let exchange = (self.0 ^ other.0) & opaque(swap);
        let (x, y) = (SoftF64(self.0 ^ exchange), SoftF64(other.0 ^ exchange));
        // Ten bits below the significand: two for guard and round, the lowest collects the rest.
        let (mx, my) = (x.significand() << 10, y.significand() << 10);
        let my = shift_right_sticky(my, shift_count(x.exponent() - y.exponent()));
        let subtract = opaque(((x.0 ^ y.0) >> 63).wrapping_neg());
        let sum = mx.wrapping_add((my ^ subtract).wrapping_sub(subtract));
        let zeros = i64::from((sum | 1).leading_zeros());
        // Bit 62 is where the significand of x has its top.
        SoftF64::round(x.0 & SIGN, x.exponent() + 1 - zeros, sum << zeros)
    }
}

impl Neg for SoftF64 {
    type Output = SoftF64;
    #[inline(always)]
    fn neg(self) -> SoftF64 {
        SoftF64(self.0 ^ SIGN)
    }
}

impl Sub for SoftF64 {
    type Output = SoftF64;
    #[inline(always)]
    fn sub(self, other: SoftF64) -> SoftF64 {
        self + -other
    }
}

impl Mul for SoftF64 {
    type Output = SoftF64;
    #[inline]
    fn mul(self, other: SoftF64) -> SoftF64 {
        let product = u128::from(self.significand() << 11) * u128::from(other.significand() << 11);
        // Top bit of the product: bit 127 or 126. One bit is kept in reserve for the shift.
        let low = product as u64;
        let high = (product >> 64) as u64 | is_nonzero(low >> 1 | low & 1);
        let short = high >> 63 ^ 1;
        let e = self.exponent() + other.exponent() - BIAS + 1 - short as i64;
        SoftF64::round((self.0 ^ other.0) & SIGN, e, high << short)
    }
}

impl Div for SoftF64 {
    type Output = SoftF64;
    fn div(self, other: SoftF64) -> SoftF64 {
        // Schoolbook division of the significands: 56 quotient bits, the remainder as sticky bit.
        let (mut rest, divisor) = (self.significand(), other.significand());
        let mut quotient = 0u64;
        for _ in 0..56 {
            let fits = !all_ones_if_less(rest, divisor);
            rest = (rest - (divisor & fits)) << 1;
            quotient = quotient << 1 | fits & 1;
        }
        let quotient = quotient << 1 | is_nonzero(rest);
        // The quotient of two significands is in (1/2, 2): its top is bit 56 or 55.
        let short = quotient >> 56 ^ 1;
        let nonzero = all_ones_if_positive(self.exponent());
        let e = self.exponent() - other.exponent() + BIAS - (short & 1) as i64;
        SoftF64::round((self.0 ^ other.0) & SIGN, e, (quotient << 7 << (short & 1)) & nonzero)
    }
}

impl Float for SoftF64 {
    #[inline(always)]
    fn half(self) -> SoftF64 {
        let e = self.exponent() - 1;
        SoftF64(self.0.wrapping_sub(HIDDEN) & all_ones_if_positive(e) | self.0 & SIGN)
    }

    fn sqrt(self) -> SoftF64 {
        // An even exponent: the significand doubled where it is odd. Its root has 53 + 2 bits, found one by one.
        let e = self.exponent() - BIAS;
        let m = self.significand() << (e & 1);
        let (mut root, mut rest, mut radicand) = (0u64, 0u64, m << 10);
        for _ in 0..55 {
            // Two bits of the radicand a step, from bit 63 down; zeros after its end.
            rest = rest << 2 | radicand >> 62;
            radicand <<= 2;
            let trial = root << 2 | 1;
            let fits = !all_ones_if_less(rest, trial);
            rest -= trial & fits;
            root = root << 1 | fits & 1;
        }
        let nonzero = all_ones_if_positive(self.exponent());
        let m = (root << 1 | is_nonzero(rest)) << 8;
        SoftF64::round(0, (e >> 1) + BIAS, m & nonzero)
    }
}

impl Real for SoftF64 {
    #[inline(always)]
    fn new(value: f64) -> SoftF64 {
        SoftF64(value.to_bits())
    }

    #[inline(always)]
    fn get(self) -> f64 {
        f64::from_bits(self.0)
    }

    #[inline(always)]
    fn of(i: i64) -> SoftF64 {
        let m = i.unsigned_abs();
        let zeros = i64::from((m | 1).leading_zeros());
        SoftF64::round(i as u64 & SIGN, BIAS + 63 - zeros, m << zeros)
    }

    #[inline(always)]
    fn rint(self) -> SoftF64 {
        // Zero keeps no sign: no user of a rounded value looks at it.
        SoftF64::of(self.nearest())
    }

    #[inline(always)]
    fn floor(self) -> SoftF64 {
        SoftF64::of(self.floor_integer())
    }

    #[inline(always)]
    fn to_integer(self) -> i64 {
        self.nearest()
    }

    #[inline(always)]
    fn lt(self, other: SoftF64) -> u64 {
        // In the order of signed integers once the magnitude of negative ones is reversed. -0 is not below +0.
        let key = |x: u64| (x ^ ((x as i64 >> 63) as u64 >> 1)) as i64;
        let zeros = is_nonzero((self.0 | other.0) & !SIGN) ^ 1;
        let below = i128::from(key(self.0)) - i128::from(key(other.0));
        opaque((below >> 127) as u64 & 1 & !zeros)
    }
}

impl SoftF64 {
    /// The nearest integer, ties to even. In: `|self| < 2^51`.
    #[inline(always)]
    fn nearest(self) -> i64 {
        // significand * 2^(exponent - 1075), kept with two bits below the point.
        let kept = shift_right_sticky(self.significand() << 2, shift_count(1075 - self.exponent()));
        let up = ((kept & 3) + (kept >> 2 & 1) + 1) >> 2;
        let magnitude = (kept >> 2) + up;
        let sign = opaque((self.0 >> 63).wrapping_neg());
        (magnitude ^ sign).wrapping_sub(sign) as i64
    }

    /// The largest integer that is not above. In: `|self| < 2^51`.
    #[inline(always)]
    fn floor_integer(self) -> i64 {
        let shift = shift_count(1075 - self.exponent());
        let m = self.significand();
        let kept = m >> shift;
        let fraction = is_nonzero(kept << shift ^ m);
        let negative = self.0 >> 63;
        let sign = opaque(negative.wrapping_neg());
        ((kept + (fraction & negative)) ^ sign).wrapping_sub(sign) as i64
    }
}

one_lane!(Soft, SoftF64);

#[cfg(test)]
mod tests {
    use super::*;

    /// A reproducible stream of 64-bit values (splitmix64).
    struct Stream(u64);

    impl Stream {
        fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut z = self.0;
            z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^ z >> 31
        }

        /// A double with a biased exponent in `[low, high]` and, now and then, an extreme fraction.
        fn double(&mut self, low: u64, high: u64) -> f64 {
            let r = self.next();
            let e = low + self.next() % (high - low + 1);
            let fraction = match r >> 52 & 15 {
                0 => 0,
                1 => FRACTION,
                2 => r & 7,
                3 => FRACTION - (r & 7),
                4 => FRACTION << (r % 52) & FRACTION,
                _ => r & FRACTION,
            };
            f64::from_bits(r & SIGN | e << 52 | fraction)
        }
    }

    fn same(what: &str, a: f64, b: f64, soft: SoftF64, hard: f64) {
        assert_eq!(soft.0, hard.to_bits(), "{what}({a:e}, {b:e}): soft {:e}, hardware {hard:e}", soft.get());
    }

    fn check(a: f64, b: f64) {
        let (x, y) = (SoftF64::new(a), SoftF64::new(b));
        let exact = |v: f64| v.is_normal() || v == 0.0;
        if exact(a + b) && exact(a - b) {
            same("add", a, b, x + y, a + b);
            same("sub", a, b, x - y, a - b);
        }
        let product = a * b;
        if product == 0.0 && (a == 0.0 || b == 0.0) || product.is_normal() {
            same("mul", a, b, x * y, product);
        }
        if b != 0.0 && ((a / b).is_normal() || a == 0.0) {
            same("div", a, b, x / y, a / b);
        }
        same("sqrt", a.abs(), 0.0, SoftF64::new(a.abs()).sqrt(), a.abs().sqrt());
        assert_eq!(x.lt(y), u64::from(a < b), "{a:e} < {b:e}");
        if (a * 0.5).is_normal() || a == 0.0 {
            same("half", a, 0.0, x.half(), a * 0.5);
        }
    }

    #[test]
    fn arithmetic_is_that_of_the_hardware() {
        let mut stream = Stream(1);
        // The exponents that Falcon meets, close exponents (cancellation), and far ones (sticky bits).
        for _ in 0..400_000 {
            check(stream.double(547, 1102), stream.double(547, 1102));
            let a = stream.double(1000, 1060);
            let near = f64::from_bits(a.to_bits() & !FRACTION | stream.next() & FRACTION);
            check(a, near);
            check(a, -near);
            check(a, stream.double(940, 1060));
        }
    }

    #[test]
    fn zeros_and_the_smallest_normal_number() {
        let mut stream = Stream(2);
        let tiny = f64::MIN_POSITIVE;
        for v in [0.0, -0.0, 1.0, -1.0, tiny, -tiny, 0.5, 3.0, f64::from_bits(tiny.to_bits() + 1)] {
            for w in [0.0, -0.0, 1.0, -1.0, tiny, 0.5, 2.0, 1.0 + f64::EPSILON] {
                check(v, w);
            }
        }
        // Products that are exactly the smallest normal number (eprint 2024/321), or just above it.
        for _ in 0..10_000 {
            let a = stream.double(400, 600);
            let power = f64::from_bits(a.to_bits() & !FRACTION);
            assert!((power * (tiny / power)).is_normal());
            check(power, tiny / power);
            check(a, f64::from_bits((tiny / a).to_bits() + 1));
        }
    }

    #[test]
    fn integers_both_ways() {
        let mut stream = Stream(3);
        let mut values =
            vec![0.0, 0.5, 1.5, 2.5, -0.5, -1.5, 0.49999999999999994, -0.75, 1e15 + 0.5, 4.0e14 + 0.75];
        values.extend((0..200_000).map(|_| stream.double(960, 1072)));
        for a in values {
            let x = SoftF64::new(a);
            assert_eq!(x.to_integer(), a.round_ties_even() as i64, "{a:e}");
            assert_eq!(x.rint().get(), a.round_ties_even(), "{a:e}");
            assert_eq!(x.floor().get(), a.floor(), "{a:e}");
            assert_eq!(Real::floor(a), a.floor(), "{a:e}");
            assert_eq!(Real::rint(a), a.round_ties_even(), "{a:e}");
            assert_eq!(Real::to_integer(Real::rint(a)), a.round_ties_even() as i64, "{a:e}");
            assert_eq!(SoftF64::of(a as i64).get(), (a as i64) as f64);
        }
    }
}
