//! Arithmetic modulo primes just below 2^31, and the number-theoretic transform modulo each of them.
//!
//! Key generation computes with large integers as lists of residues (RNS). All primes are 1 modulo 2048, so that
//! x^n + 1 splits for every degree up to 1024. Next: [`super::zint`], which turns residues into integers and back.

use crate::isa::Op;
use crate::simd::Simd;
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
    /// -1/p mod 2^32.
    neg_inverse: u32,
    /// R^2 mod p: `mul(a, r2)` takes `a` into Montgomery form.
    pub r2: u32,
    /// 2^31 in Montgomery form: `mul(a, limb)` moves `a` up by one limb.
    pub limb: u32,
    /// A primitive 2048th root of unity and its inverse, in Montgomery form.
    root: u32,
    inverse_root: u32,
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
                prime.root = root;
                prime.inverse_root = prime.pow(root, 2047);
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
        let mut prime = Prime {
            p,
            neg_inverse: inverse.wrapping_neg(),
            r2,
            limb: 0,
            root: 0,
            inverse_root: 0,
            garner: 0,
        };
        prime.limb = prime.mul(((1u64 << 31) % u64::from(p)) as u32, r2);
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
        let w = u64::from((z as u32).wrapping_mul(self.neg_inverse)) * u64::from(self.p);
        self.reduce_once((((z + w) >> 32) as u32).wrapping_sub(self.p))
    }

    /// A limb modulo p. In: x < 2^31, which is below 2p for the primes of [`primes`].
    #[inline(always)]
    pub fn of_limb(self, x: u32) -> u32 {
        self.reduce_once(x.wrapping_sub(self.p))
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
        let high = self.mul((magnitude >> 31) as u32, self.mul(self.limb, self.r2));
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

    /// Twiddle factors for [`ntt`] of degree `table.len()`: entry k is root^rev(k), `rev` reversing 10 bits.
    pub fn forward_table(self, table: &mut [u32]) {
        self.table(self.root, table);
    }

    /// Twiddle factors for [`inverse_ntt`]: the inverses of those of [`Prime::forward_table`].
    pub fn backward_table(self, table: &mut [u32]) {
        self.table(self.inverse_root, table);
    }

    fn table(self, root: u32, table: &mut [u32]) {
        // rev(m + i) = rev(i) + 512/m for i < m, m a power of two.
        let mut powers = [root; 10];
        for k in 1..10 {
            powers[k] = self.mul(powers[k - 1], powers[k - 1]);
        }
        table[0] = self.one();
        let mut m = 1;
        for power in powers.iter().rev() {
            if m >= table.len() {
                break;
            }
            let (known, new) = table[..2 * m].split_at_mut(m);
            for (x, y) in known.iter().zip(new) {
                *y = self.mul(*x, *power);
            }
            m *= 2;
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

/// Coefficients to values at the roots of x^n + 1, in place; n = `a.len()`.
///
/// In and out: below p. Entries 2i and 2i + 1 of the result belong to roots w and -w; entry i of the transform of
/// half the degree belongs to w^2; entries i and n - 1 - i belong to w and 1/w.
pub(super) fn ntt<S: Simd>(s: S, prime: Prime, table: &[u32], a: &mut [u32]) {
    s.enter(Forward { prime, table, a });
}

/// The inverse of [`ntt`].
pub(super) fn inverse_ntt<S: Simd>(s: S, prime: Prime, table: &[u32], a: &mut [u32]) {
    s.enter(Backward { prime, table, a });
}

struct Forward<'a> {
    prime: Prime,
    table: &'a [u32],
    a: &'a mut [u32],
}

impl<S: Simd> Op<S> for Forward<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, _: S) {
        let Forward { prime, table, a } = self;
        let mut block = a.len();
        let mut m = 1;
        while block > 1 {
            let half = block / 2;
            for (a, w) in a.chunks_exact_mut(block).zip(&table[m..]) {
                let (x, y) = a.split_at_mut(half);
                for (x, y) in x.iter_mut().zip(y) {
                    let (u, v) = (*x, prime.mul(*y, *w));
                    *x = prime.add(u, v);
                    *y = prime.sub(u, v);
                }
            }
            block = half;
            m *= 2;
        }
    }
}

struct Backward<'a> {
    prime: Prime,
    table: &'a [u32],
    a: &'a mut [u32],
}

impl<S: Simd> Op<S> for Backward<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, _: S) {
        let Backward { prime, table, a } = self;
        let n = a.len();
        let mut half = 1;
        let mut m = n / 2;
        while m > 0 {
            for (a, w) in a.chunks_exact_mut(2 * half).zip(&table[m..]) {
                let (x, y) = a.split_at_mut(half);
                for (x, y) in x.iter_mut().zip(y) {
                    let (u, v) = (*x, *y);
                    *x = prime.add(u, v);
                    *y = prime.mul(prime.sub(u, v), *w);
                }
            }
            half *= 2;
            m /= 2;
        }
        // 1/n: n divides p - 1, and n (p - (p-1)/n) = 1 mod p.
        let scale = prime.mul(prime.p - (prime.p - 1) / n as u32, prime.r2);
        for x in a {
            *x = prime.mul(*x, scale);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Scalar;

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

    #[test]
    fn transforms_multiply_polynomials() {
        for logn in 0..=10 {
            let n = 1usize << logn;
            let prime = primes()[logn];
            let mut forward = vec![0; n];
            let mut backward = vec![0; n];
            prime.forward_table(&mut forward);
            prime.backward_table(&mut backward);
            let a: Vec<u32> = (0..n as u32).map(|i| i.wrapping_mul(0x9E37_79B9) % prime.p).collect();
            // Times x: a rotation with a change of sign.
            let mut x = vec![0; n];
            let by_x = if n == 1 {
                x[0] = prime.p - 1;
                vec![prime.sub(0, a[0])]
            } else {
                x[1] = 1;
                let mut by_x = vec![prime.sub(0, a[n - 1])];
                by_x.extend(&a[..n - 1]);
                by_x
            };
            let mut product = a.clone();
            ntt(Scalar::get(), prime, &forward, &mut product);
            ntt(Scalar::get(), prime, &forward, &mut x);
            for i in 0..n / 2 {
                assert_eq!(prime.add(x[2 * i], x[2 * i + 1]), 0, "roots w and -w");
            }
            if n > 1 {
                for i in 0..n {
                    assert_eq!(prime.mul(prime.mul(x[i], x[n - 1 - i]), prime.r2), 1, "roots w and 1/w");
                }
            }
            for (y, x) in product.iter_mut().zip(&x) {
                *y = prime.mul(prime.mul(*y, *x), prime.r2);
            }
            inverse_ntt(Scalar::get(), prime, &backward, &mut product);
            assert_eq!(product, by_x, "degree {n}");
        }
    }
}
