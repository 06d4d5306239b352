//! Arithmetic modulo primes just below 2^31.
//!
//! Key generation computes with large integers as lists of residues (RNS). All primes are 1 modulo 2048, so that
//! x^n + 1 splits for every degree up to 1024. [`Prime`] is one number at a time and [`Lanes`] the same in a vector.
//! Next: [`super::ntt`], the transform; [`super::zint`], which turns residues into integers and back.

use crate::isa::Op;
use crate::simd::{Int32, Scalar, Simd, Token};
use std::sync::OnceLock;

/// Primes that the largest integers of key generation need (Falcon-1024, depth 9).
pub(super) const PRIMES: usize = 308;

/// An odd prime p < 2^31 that is 1 modulo 2048, with the constants of arithmetic modulo p.
///
/// Products are Montgomery products: `mul(a, b) = a b / R`, R = 2^32. A value is in Montgomery form where it has
/// a factor R; constants that others are multiplied by are kept so, and everything else is plain.
#[derive(Clone, Copy)]
pub(super) struct Prime {
    /// p.
    pub p: u32,
    /// 1/p mod 2^32.
    inverse: u32,
    /// R^2 mod p: `mul(a, r2)` takes `a` into Montgomery form.
    pub r2: u32,
    /// 2^31, 2^62, 2^93, 2^124 and 2^248 in Montgomery form: `mul(a, limbs[0])` moves `a` up by one limb.
    pub limbs: [u32; 5],
    /// A primitive 2048th root of unity and its inverse, to the powers 1, 2, 4, ..., 512, in Montgomery form.
    roots: [u32; 10],
    inverse_roots: [u32; 10],
    /// The inverse of the product of all earlier primes of the list, in Montgomery form.
    pub garner: u32,
}

impl Prime {
    /// The constants of p, which must be a prime; `garner` is left at 0.
    pub fn new(p: u32) -> Prime {
        let mut prime = Prime::modulus(p);
        let minus_one = p - prime.one();
        for base in 2.. {
            let root = prime.pow(prime.mul(base, prime.r2), (p - 1) / 2048);
            if prime.pow(root, 1024) == minus_one {
                (prime.roots[0], prime.inverse_roots[0]) = (root, prime.pow(root, 2047));
                for k in 1..10 {
                    let (root, inverse) = (prime.roots[k - 1], prime.inverse_roots[k - 1]);
                    prime.roots[k] = prime.mul(root, root);
                    prime.inverse_roots[k] = prime.mul(inverse, inverse);
                }
                return prime;
            }
        }
        unreachable!("half of all bases are not squares modulo a prime")
    }

    /// The constants that do not need p to be prime. In: p odd, 2048 < p < 2^31.
    fn modulus(p: u32) -> Prime {
        // Newton: each step doubles the number of right bits, from 3 (p * p = 1 mod 8) to 48.
        let mut inverse = p;
        for _ in 0..4 {
            inverse = inverse.wrapping_mul(2u32.wrapping_sub(p.wrapping_mul(inverse)));
        }
        let r = (1u64 << 32) % u64::from(p);
        let r2 = (r * r % u64::from(p)) as u32;
        let mut prime =
            Prime { p, inverse, r2, limbs: [0; 5], roots: [0; 10], inverse_roots: [0; 10], garner: 0 };
        let limb = prime.mul(((1u64 << 31) % u64::from(p)) as u32, r2);
        prime.limbs = [limb; 5];
        for k in 1..4 {
            prime.limbs[k] = prime.mul(prime.limbs[k - 1], limb);
        }
        prime.limbs[4] = prime.mul(prime.limbs[3], prime.limbs[3]);
        prime
    }

    /// Miller-Rabin with the bases 2, 3, 5, 7: exact below 3215031751 (Jaeschke 1993).
    fn is_prime(p: u32) -> bool {
        if [3, 5, 7, 11, 13, 17, 19, 23].iter().any(|small| p.is_multiple_of(*small)) {
            return false;
        }
        let m = Prime::modulus(p);
        let (one, minus_one) = (m.one(), p - m.one());
        let twos = (p - 1).trailing_zeros();
        [2, 3, 5, 7].iter().all(|base| {
            let mut x = m.pow(m.mul(*base, m.r2), (p - 1) >> twos);
            if x == one {
                return true;
            }
            for _ in 1..twos {
                if x == minus_one {
                    return true;
                }
                x = m.mul(x, x);
            }
            x == minus_one
        })
    }

    /// 1 in Montgomery form.
    pub fn one(self) -> u32 {
        self.mul(1, self.r2)
    }

    /// a + b mod p. In: a, b < p.
    #[inline(always)]
    pub fn add(self, a: u32, b: u32) -> u32 {
        self.reduce_once((a + b).wrapping_sub(self.p))
    }

    /// a - b mod p. In: a, b < p.
    #[inline(always)]
    pub fn sub(self, a: u32, b: u32) -> u32 {
        self.reduce_once(a.wrapping_sub(b))
    }

    /// p is added to a negative number. In: `-p <= d as i32 < p`.
    #[inline(always)]
    fn reduce_once(self, d: u32) -> u32 {
        d.wrapping_add(self.p & (d >> 31).wrapping_neg())
    }

    /// a b / 2^32 mod p. In: a b < 2^32 p. Out: below p.
    #[inline(always)]
    pub fn mul(self, a: u32, b: u32) -> u32 {
        let z = u64::from(a) * u64::from(b);
        // The multiple of p with the same lower half.
        let w = u64::from((z as u32).wrapping_mul(self.inverse)) * u64::from(self.p);
        self.reduce_once(((z >> 32) as u32).wrapping_sub((w >> 32) as u32))
    }

    /// A signed number modulo p. In: `|x| < p`.
    #[inline(always)]
    pub fn of_signed(self, x: i32) -> u32 {
        self.reduce_once(x as u32)
    }

    /// A signed number in Montgomery form. In: `|x| < 2^62`, p > 2^30.
    #[inline(always)]
    pub fn montgomery_of(self, x: i64) -> u32 {
        let sign = x >> 63;
        let magnitude = ((x ^ sign) - sign) as u64;
        let low = self.mul(magnitude as u32 & (u32::MAX >> 1), self.r2);
        let high = self.mul((magnitude >> 31) as u32, self.mul(self.limbs[0], self.r2));
        let residue = self.add(low, high);
        let sign = sign as u32;
        self.sub(residue & !sign, residue & sign)
    }

    /// The representative in `[-(p-1)/2, (p-1)/2]`.
    #[inline(always)]
    pub fn centred(self, x: u32) -> i32 {
        let above = ((self.p >> 1).wrapping_sub(x) >> 31).wrapping_neg();
        x.wrapping_sub(self.p & above) as i32
    }

    /// base^exponent, both sides in Montgomery form; the exponent is public.
    fn pow(self, base: u32, mut exponent: u32) -> u32 {
        let (mut result, mut square) = (self.one(), base);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = self.mul(result, square);
            }
            square = self.mul(square, square);
            exponent >>= 1;
        }
        result
    }
}

/// [`Prime`] in every lane. All values are as there: in and out below p unless a method says otherwise.
#[derive(Clone, Copy)]
pub(super) struct Lanes<S: Simd> {
    s: S,
    p: S::I32,
    inverse: S::I32,
}

impl<S: Simd> Lanes<S> {
    #[inline(always)]
    pub fn new(s: S, prime: &Prime) -> Self {
        Lanes { s, p: s.splat_i32(prime.p as i32), inverse: s.splat_i32(prime.inverse as i32) }
    }

    /// A constant in every lane.
    #[inline(always)]
    pub fn splat(self, value: u32) -> S::I32 {
        self.s.splat_i32(value as i32)
    }

    /// a + b mod p.
    #[inline(always)]
    pub fn add(self, a: S::I32, b: S::I32) -> S::I32 {
        (a + b - self.p).add_where_negative(self.p)
    }

    /// a - b mod p.
    #[inline(always)]
    pub fn sub(self, a: S::I32, b: S::I32) -> S::I32 {
        (a - b).add_where_negative(self.p)
    }

    /// a b / 2^32 mod p. In: a b < 2^32 p.
    #[inline(always)]
    pub fn mul(self, a: S::I32, b: S::I32) -> S::I32 {
        self.s.montgomery_sum([a], [b], self.p, self.inverse)
    }

    /// The sum of four products, divided by 2^32, mod p. In: one factor of each product is below p.
    #[inline(always)]
    pub fn mul4(self, a: [S::I32; 4], b: [S::I32; 4]) -> S::I32 {
        self.s.montgomery_sum(a, b, self.p, self.inverse)
    }

    /// A limb modulo p. In: x < 2^31, which is below 2p for the primes of [`primes`].
    #[inline(always)]
    pub fn of_limb(self, x: S::I32) -> S::I32 {
        (x - self.p).add_where_negative(self.p)
    }

    /// A signed number modulo p. In: `|x| < p`.
    #[inline(always)]
    pub fn of_signed(self, x: S::I32) -> S::I32 {
        x.add_where_negative(self.p)
    }
}

/// Enters work on rows of `len` integers, a power of two: on one lane where a row is shorter than a vector.
#[inline(always)]
pub(super) fn enter_rows<S: Simd, W: Op<S, Out = ()> + Op<Scalar, Out = ()>>(s: S, len: usize, work: W) {
    if len >= S::LANES32 { s.enter(work) } else { Scalar::get().enter(work) }
}

/// Twiddle factors for [`ntt`] of degree `table.len()`: entry k is root^rev(k), `rev` reversing 10 bits.
pub(super) fn forward_table<S: Simd>(s: S, prime: &Prime, table: &mut [u32]) {
    enter_rows(s, table.len(), Powers { prime, roots: &prime.roots, table });
}

/// Twiddle factors for [`inverse_ntt`]: the inverses of those of [`forward_table`].
pub(super) fn backward_table<S: Simd>(s: S, prime: &Prime, table: &mut [u32]) {
    enter_rows(s, table.len(), Powers { prime, roots: &prime.inverse_roots, table });
}

struct Powers<'a> {
    prime: &'a Prime,
    roots: &'a [u32; 10],
    table: &'a mut [u32],
}

impl<S: Simd> Op<S> for Powers<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, s: S) {
        let Powers { prime, roots, table } = self;
        let m = Lanes::new(s, prime);
        table[0] = prime.one();
        // rev(half + i) = rev(i) + 512/half for i < half, half a power of two.
        let mut half = 1;
        for root in roots.iter().rev() {
            if half >= table.len() {
                break;
            }
            let (known, new) = table[..2 * half].split_at_mut(half);
            if half >= S::LANES32 {
                let root = m.splat(*root);
                for (x, y) in known.chunks_exact(S::LANES32).zip(new.chunks_exact_mut(S::LANES32)) {
                    s.store_i32(y, m.mul(s.load_i32(x), root));
                }
            } else {
                for (x, y) in known.iter().zip(new) {
                    *y = prime.mul(*x, *root);
                }
            }
            half *= 2;
        }
    }
}

/// The first [`PRIMES`] primes that are 1 modulo 2048, from 2^31 downwards. Computed at the first use.
pub(super) fn primes() -> &'static [Prime; PRIMES] {
    static LIST: OnceLock<Box<[Prime; PRIMES]>> = OnceLock::new();
    LIST.get_or_init(|| {
        let mut candidates =
            (0..1 << 20).map(|k| (1 << 31) - 2047 - 2048 * k).filter(|p| Prime::is_prime(*p));
        let mut list = Box::new(core::array::from_fn(|_| Prime::new(candidates.next().unwrap_or(0))));
        // The product of the earlier primes modulo each prime, one factor at a time. Every Montgomery product
        // divides by R: the start, R^j in Montgomery form, makes up for it.
        let mut products: [u32; PRIMES] = core::array::from_fn(|j| {
            let prime: &Prime = &list[j];
            prime.pow(prime.mul(prime.one(), prime.r2), j as u32)
        });
        for i in 0..PRIMES {
            let product = products[i];
            // list[i] now holds the whole product in Montgomery form; a^(p-2) is the inverse.
            list[i].garner = list[i].pow(product, list[i].p - 2);
            for j in i + 1..PRIMES {
                // p_i is between p_j and 2 p_j.
                products[j] = list[j].mul(products[j], list[i].p - list[j].p);
            }
        }
        list
    })
}

/// The product of the first `j` primes as j limbs, `1 <= j <= PRIMES`.
pub(super) fn product_of_primes(j: usize) -> &'static [u32] {
    static ALL: OnceLock<Vec<u32>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let mut all = vec![primes()[0].p];
        for prime in &primes()[1..] {
            let mut carry = 0;
            let previous = all.len() - (all.len() * 2).isqrt()..all.len();
            for i in previous {
                let sum = u64::from(all[i]) * u64::from(prime.p) + carry;
                all.push(sum as u32 & (u32::MAX >> 1));
                carry = sum >> 31;
            }
            all.push(carry as u32);
        }
        all
    });
    // Products of 1, 2, ... primes stand one after the other.
    &all[j * (j - 1) / 2..j * (j + 1) / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_primes_are_the_largest_ones() {
        let list = primes();
        assert_eq!(list[0].p, 2147473409);
        let by_trial = |p: u32| (2..).take_while(|d| d * d <= p).all(|d| !p.is_multiple_of(d));
        let expected: Vec<u32> =
            (0..300).map(|k| (1 << 31) - 2047 - 2048 * k).filter(|p| by_trial(*p)).collect();
        assert!(expected.len() > 20);
        assert!(list.iter().map(|prime| prime.p).zip(&expected).all(|(a, b)| a == *b));
        for pair in list.windows(2) {
            assert!(pair[1].p < pair[0].p && pair[1].p > 1 << 30);
        }
    }

    #[test]
    fn garner_constants_are_inverses() {
        let list = primes();
        for (j, prime) in list.iter().enumerate() {
            let p = u64::from(prime.p);
            let product = list[..j].iter().fold(1, |product, earlier| product * u64::from(earlier.p) % p);
            assert_eq!(prime.mul(product as u32, prime.garner), 1, "prime {j}");
        }
    }

    #[test]
    fn products_and_centred_values() {
        for prime in [primes()[0], primes()[PRIMES - 1], Prime::new(12289)] {
            let p = u64::from(prime.p);
            for (a, b) in [(0, 5), (p - 1, p - 1), (1, p - 1), (p / 2, 3), (p / 3, p / 7)] {
                let product = prime.mul(prime.mul(a as u32, b as u32), prime.r2);
                assert_eq!(u64::from(product), a * b % p);
            }
            let half = (prime.p / 2) as i32;
            for x in [0, 1, -1, half, -half] {
                assert_eq!(prime.centred(prime.of_signed(x)), x);
            }
        }
        for prime in [primes()[0], primes()[PRIMES - 1]] {
            for x in [0i64, 1, -1, 1 << 31, (1 << 62) - 1, -(1 << 62) + 1, -987654321987] {
                let expected = x.rem_euclid(i64::from(prime.p)) as u32;
                assert_eq!(prime.mul(prime.montgomery_of(x), 1), expected);
            }
        }
    }
}
