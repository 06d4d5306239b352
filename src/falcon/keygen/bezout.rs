//! Bezout coefficients of two large odd integers: the bottom of the recursion, where the degree is 1.
//!
//! The binary GCD of Pornin (eprint 2020/972, algorithm 2): 31 steps at a time are decided on the upper 33 and the
//! lower 31 bits of both numbers and then applied to the whole of them. Words have 62 bits. The number of steps
//! depends on the lengths alone. Masks are `opaque` to the compiler before a loop that uses them, since it makes
//! two loops and a branch of it otherwise (seen with valgrind).

use super::zint::{LIMB, Table};
use crate::ct::{declassify, opaque};
use zeroize::Zeroizing;

const WORD: u64 = (1 << 62) - 1;
const STEPS: usize = 31;

/// Returns `(u, v)` with `x u - y v = 1`, `0 < u < y`, `0 <= v < x`, as limbs, or nothing where x or y is even or
/// they have a common divisor. In: unsigned limbs of equal number.
pub(super) fn bezout(x: &[u32], y: &[u32]) -> Option<(Table, Table)> {
    let both_odd = x[0] & y[0] & 1 == 1;
    if !declassify(both_odd, "a pair that is rejected is not used") {
        return None;
    }
    let (xw, yw) = (to_words(x), to_words(y));
    let len = xw.len();
    let inverse = negated_inverse(yw[0]);
    // x u_a = a and x u_b = b modulo y, throughout.
    let (mut a, mut b) = (xw.clone(), yw.clone());
    // These have one word more, which is signed: they are reduced at the end only.
    let mut ua = Zeroizing::new(vec![0; len + 1]);
    let mut ub = ua.clone();
    ua[0] = 1;
    // Two steps shorten a or b by at least one bit together; more steps than needed do not change the result.
    let rounds = (2 * 62 * len).div_ceil(STEPS) + 1;
    for _ in 0..rounds {
        let mut m = steps(&a, &b);
        update(&mut a, &mut b, &mut m);
        update_modulo(&mut ua, &mut ub, &m, &yw, inverse);
    }
    // A round adds at most y/2 to their magnitudes.
    reduce(&mut ub, &yw, (1 + rounds / 2).ilog2() + 1);
    let ub = &ub[..len];
    let others = b[1..].iter().fold(b[0] ^ 1, |or, w| or | w);
    if !declassify(others == 0, "a pair that is rejected is not used") {
        return None;
    }
    let v = exact_quotient(&xw, ub, &yw, inverse);
    Some((to_limbs(ub, x.len()), to_limbs(&v, x.len())))
}

fn to_words(x: &[u32]) -> Zeroizing<Vec<u64>> {
    let word = |pair: &[u32]| u64::from(pair[0]) | pair.get(1).map_or(0, |high| u64::from(*high) << 31);
    Zeroizing::new(x.chunks(2).map(word).collect())
}

fn to_limbs(x: &[u64], len: usize) -> Table {
    let limb = |i: usize| (x[i / 2] >> (31 * (i % 2))) as u32 & LIMB;
    Zeroizing::new((0..len).map(limb).collect())
}

/// -1/y mod 2^62. In: y odd.
fn negated_inverse(y: u64) -> u64 {
    let mut inverse = y;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(y.wrapping_mul(inverse)));
    }
    inverse.wrapping_neg() & WORD
}

/// What 31 steps do, times 2^31: (a, b) becomes (aa a + ab b, ba a + bb b). `|aa| + |ab|, |ba| + |bb| <= 2^31`.
struct Matrix {
    aa: i64,
    ab: i64,
    ba: i64,
    bb: i64,
}

/// 31 steps of the binary GCD on approximations. In: b odd.
///
/// A step: where a is odd, the smaller of a and b is subtracted from the larger and the difference becomes a;
/// then a is halved.
fn steps(a: &[u64], b: &[u64]) -> Matrix {
    let (mut x, mut y) = approximations(a, b);
    let mut m = Matrix { aa: 1, ab: 0, ba: 0, bb: 1 };
    for _ in 0..STEPS {
        let odd = (x & 1).wrapping_neg();
        let swap = odd & u64::from(x < y).wrapping_neg();
        exchange(&mut x, &mut y, swap);
        exchange_signed(&mut m.aa, &mut m.ba, swap as i64);
        exchange_signed(&mut m.ab, &mut m.bb, swap as i64);
        x = x.wrapping_sub(y & odd) >> 1;
        m.aa -= m.ba & odd as i64;
        m.ab -= m.bb & odd as i64;
        m.ba <<= 1;
        m.bb <<= 1;
    }
    m
}

#[inline(always)]
fn exchange(x: &mut u64, y: &mut u64, mask: u64) {
    let d = (*x ^ *y) & mask;
    *x ^= d;
    *y ^= d;
}

#[inline(always)]
fn exchange_signed(x: &mut i64, y: &mut i64, mask: i64) {
    let d = (*x ^ *y) & mask;
    *x ^= d;
    *y ^= d;
}

/// The lower 31 bits, and above them the upper 33 bits as counted from the top bit of the larger one; the numbers
/// themselves where they fit.
fn approximations(a: &[u64], b: &[u64]) -> (u64, u64) {
    // The topmost word that is not zero in both, and the word below it.
    let (mut a1, mut a0, mut b1, mut b0) = (0, 0, 0, 0);
    let mut searching = u64::MAX;
    let mut below = 0;
    let mut index = 0;
    for (i, (aw, bw)) in a.iter().zip(b).enumerate().rev() {
        a0 |= aw & below;
        b0 |= bw & below;
        let or = aw | bw;
        let found = ((or | or.wrapping_neg()) >> 63).wrapping_neg() & searching;
        a1 |= aw & found;
        b1 |= bw & found;
        index |= i as u64 & found;
        searching &= !found;
        below = found;
    }
    // Numbers of at least 64 bits are cut: of one word they are exact, and in the second word at least two bits
    // are taken as used.
    let second = u64::from(index == 1);
    // (The lowest bit only keeps the compiler from a branch for zero, which does not occur.)
    let zeros = u64::from((a1 | b1 | 1).leading_zeros()) - 2;
    let excess = zeros.saturating_sub(60) & second;
    let zeros = zeros - excess;
    let cut = |high: u64, low: u64| {
        let pair = u128::from(high) << 62 | u128::from(low);
        (pair << zeros >> (124 - 33)) as u64
    };
    let one_word = u64::from(index == 0).wrapping_neg();
    let approximate = |high: u64, low: u64, lowest: u64| {
        let value = cut(high, low) << 31 | lowest & u64::from(LIMB);
        value ^ ((value ^ lowest) & one_word)
    };
    (approximate(a1, a0, a[0]), approximate(b1, b0, b[0]))
}

/// Applies the matrix to a and b, and makes both positive: a row of the matrix changes its sign with its number.
fn update(a: &mut [u64], b: &mut [u64], m: &mut Matrix) {
    let (mut high_a, mut high_b) = (0i64, 0i64);
    let len = a.len();
    let (mut low_a, mut low_b) = (0, 0);
    for i in 0..len {
        let (x, y) = (i128::from(a[i] as i64), i128::from(b[i] as i64));
        let sum_a = x * i128::from(m.aa) + y * i128::from(m.ab) + i128::from(high_a);
        let sum_b = x * i128::from(m.ba) + y * i128::from(m.bb) + i128::from(high_b);
        high_a = (sum_a >> 62) as i64;
        high_b = (sum_b >> 62) as i64;
        let (word_a, word_b) = (sum_a as u64 & WORD, sum_b as u64 & WORD);
        if i > 0 {
            a[i - 1] = low_a | (word_a << 31 & WORD);
            b[i - 1] = low_b | (word_b << 31 & WORD);
        }
        low_a = word_a >> 31;
        low_b = word_b >> 31;
    }
    a[len - 1] = low_a | ((high_a as u64) << 31 & WORD);
    b[len - 1] = low_b | ((high_b as u64) << 31 & WORD);
    negate(a, high_a >> 63);
    negate(b, high_b >> 63);
    for (entry, mask) in [(&mut m.aa, high_a), (&mut m.ab, high_a), (&mut m.ba, high_b), (&mut m.bb, high_b)]
    {
        let mask = mask >> 63;
        *entry = (*entry ^ mask) - mask;
    }
}

/// Changes the sign where `mask` is -1.
fn negate(a: &mut [u64], mask: i64) {
    let mask = opaque(mask as u64);
    let mut carry = mask & 1;
    for w in a {
        let sum = (*w ^ (mask & WORD)) + carry;
        carry = sum >> 62;
        *w = sum & WORD;
    }
}

/// Applies the matrix to u and v modulo y. In: magnitudes at most B. Out: at most B + y/2. The topmost words of u
/// and v, one more than y has, are signed.
fn update_modulo(u: &mut [u64], v: &mut [u64], m: &Matrix, y: &[u64], inverse: u64) {
    // Multiples of y, of 31 bits with a sign, that make the sums divisible by 2^31.
    let multiple = |p: i64, q: i64| {
        let sum = (p as u64).wrapping_mul(u[0]).wrapping_add((q as u64).wrapping_mul(v[0]));
        i128::from((sum.wrapping_mul(inverse) << 33) as i64 >> 33)
    };
    let (ku, kv) = (multiple(m.aa, m.ab), multiple(m.ba, m.bb));
    let len = y.len();
    let (mut high_u, mut high_v) = (0i64, 0i64);
    let (mut low_u, mut low_v) = (0, 0);
    for i in 0..len {
        let (p, q, w) = (i128::from(u[i] as i64), i128::from(v[i] as i64), i128::from(y[i] as i64));
        let sum_u = p * i128::from(m.aa) + q * i128::from(m.ab) + w * ku + i128::from(high_u);
        let sum_v = p * i128::from(m.ba) + q * i128::from(m.bb) + w * kv + i128::from(high_v);
        high_u = (sum_u >> 62) as i64;
        high_v = (sum_v >> 62) as i64;
        let (word_u, word_v) = (sum_u as u64 & WORD, sum_v as u64 & WORD);
        if i > 0 {
            u[i - 1] = low_u | (word_u << 31 & WORD);
            v[i - 1] = low_v | (word_v << 31 & WORD);
        }
        low_u = word_u >> 31;
        low_v = word_v >> 31;
    }
    // The topmost words are below 2^10: see `bezout`.
    let (p, q) = (u[len] as i64, v[len] as i64);
    let (top_u, top_v) = (p * m.aa + q * m.ab + high_u, p * m.ba + q * m.bb + high_v);
    u[len - 1] = low_u | ((top_u as u64) << 31 & WORD);
    v[len - 1] = low_v | ((top_v as u64) << 31 & WORD);
    u[len] = (top_u >> 31) as u64;
    v[len] = (top_v >> 31) as u64;
}

/// u, whose topmost word is signed, into [0, y) modulo y. In: `|u| < 2^bits y`, one word more than y.
fn reduce(u: &mut [u64], y: &[u64], bits: u32) {
    let len = y.len();
    for shift in (0..bits).rev() {
        // |u| < 2^(shift + 1) y becomes |u| < 2^shift y.
        let positive = opaque((u[len] as i64 >> 63) as u64) ^ u64::MAX;
        add_shifted(u, y, shift, positive, u64::MAX);
    }
    let negative = opaque((u[len] as i64 >> 63) as u64);
    add_shifted(u, y, 0, 0, negative);
}

/// `u += 2^shift y`, or `u -= 2^shift y` where `subtract` is all ones; nothing where `change` is 0.
fn add_shifted(u: &mut [u64], y: &[u64], shift: u32, subtract: u64, change: u64) {
    let (mut carry, mut low) = (0i64, 0);
    let (words, top) = u.split_at_mut(y.len());
    let signed = |x: u64| ((x & change) ^ subtract).wrapping_sub(subtract) as i64;
    for (u, y) in words.iter_mut().zip(y) {
        let sum = *u as i64 + signed((y << shift & WORD) | low) + carry;
        low = y >> (62 - shift);
        *u = sum as u64 & WORD;
        carry = sum >> 62;
    }
    top[0] = (top[0] as i64 + signed(low) + carry) as u64;
}

/// (x u - 1) / y, which is exact. In: u < y. Out: below x.
fn exact_quotient(x: &[u64], u: &[u64], y: &[u64], inverse: u64) -> Zeroizing<Vec<u64>> {
    let len = x.len();
    let mut rest = Zeroizing::new(vec![0u64; len]);
    // Modulo 2^(62 len), as the quotient is shorter than that.
    for (i, w) in u.iter().enumerate() {
        let mut high = 0;
        for (r, x) in rest[i..].iter_mut().zip(x) {
            let sum = u128::from(*w) * u128::from(*x) + u128::from(*r) + high;
            *r = sum as u64 & WORD;
            high = sum >> 62;
        }
    }
    let mut borrow = 1;
    for r in rest.iter_mut() {
        let d = r.wrapping_sub(borrow);
        *r = d & WORD;
        borrow = d >> 63;
    }
    // Division from the lowest word up: each quotient word makes a word of the rest zero.
    let mut quotient = Zeroizing::new(vec![0u64; len]);
    for i in 0..len {
        let q = rest[i].wrapping_mul(inverse).wrapping_neg() & WORD;
        quotient[i] = q;
        let mut borrow = 0u128;
        for (r, y) in rest[i..].iter_mut().zip(y) {
            let product = u128::from(q) * u128::from(*y) + borrow;
            let d = r.wrapping_sub(product as u64 & WORD);
            *r = d & WORD;
            borrow = (product >> 62) + u128::from(d >> 63);
        }
    }
    quotient
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limbs(value: u128, len: usize) -> Vec<u32> {
        (0..len).map(|i| (value >> (31 * i).min(127)) as u32 & LIMB).collect()
    }

    fn value(limbs: &[u32]) -> u128 {
        limbs.iter().rev().fold(0, |value, limb| value << 31 | u128::from(*limb))
    }

    fn gcd(a: u128, b: u128) -> u128 {
        if b == 0 { a } else { gcd(b, a % b) }
    }

    #[test]
    fn coefficients_of_small_and_large_numbers() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(1);
            ((state >> 1) as u128 * 0x1_0000_0001) >> 32
        };
        let mut solved = 0;
        for round in 0..4000 {
            // Products x u below 2^124 in 5 limbs; all lengths from 2 to 62 bits.
            let (x, y) =
                (next() >> (round % 61) & u128::from(WORD), next() >> (round * 7 % 61) & u128::from(WORD));
            if x < 2 || y < 2 {
                continue;
            }
            let found = bezout(&limbs(x, 5), &limbs(y, 5));
            assert_eq!(found.is_some(), x & y & 1 == 1 && gcd(x, y) == 1, "{x} and {y}");
            if let Some((u, v)) = found {
                let (u, v) = (value(&u), value(&v));
                assert!(u < y && v < x);
                assert_eq!(x * u - y * v, 1, "{x} and {y}");
                solved += 1;
            }
        }
        assert!(solved > 500);
    }

    #[test]
    fn coefficients_of_numbers_longer_than_a_word() {
        use num::*;
        for len in [2, 3, 4, 9, 40, 105] {
            for round in 0..20u64 {
                let random = |salt: u64| -> Vec<u32> {
                    let mut state = round * 1000 + len as u64 + (salt << 32);
                    let mut limbs: Vec<u32> = (0..len)
                        .map(|_| {
                            state = state.wrapping_add(1).wrapping_mul(0xD134_2543_DE82_EF95);
                            (state ^ state >> 29) as u32 & LIMB
                        })
                        .collect();
                    limbs[0] |= 1;
                    limbs
                };
                let (x, y) = (random(1), random(2));
                let Some((u, v)) = bezout(&x, &y) else { continue };
                let mut expected = product(&y, &v);
                expected[0] += 1;
                assert_eq!(product(&x, &u), expected, "{len} limbs");
            }
        }
    }

    /// Plain products of limbs.
    mod num {
        pub fn product(a: &[u32], b: &[u32]) -> Vec<u64> {
            let mut out = vec![0u64; a.len() + b.len()];
            for (i, a) in a.iter().enumerate() {
                let mut carry = 0;
                for (j, b) in b.iter().enumerate() {
                    let sum = u64::from(*a) * u64::from(*b) + out[i + j] + carry;
                    out[i + j] = sum & 0x7FFF_FFFF;
                    carry = sum >> 31;
                }
                out[i + b.len()] = carry;
            }
            out
        }
    }
}
