//! Arithmetic modulo q = 12289 and modulo x^n + 1: what verification and the public key need.
//!
//! Values are kept below q; products are Montgomery products with R = 2^16. Everything here takes the same time
//! for all values, since f and g pass through it.

use super::params::Q;
use crate::ct::declassify;

/// -1/q mod 2^16.
const Q_INVERSE: u32 = 12287;
/// R^2 mod q.
const R2: u32 = ((1u64 << 32) % Q as u64) as u32;
/// 11 generates the multiplicative group: its power (q - 1) / 2048 is a primitive 2048th root of unity.
const PSI: u32 = power(11, (Q - 1) / 2048);

const fn power(base: u32, mut exponent: u32) -> u32 {
    let (mut result, mut square) = (1u64, base as u64);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * square % Q as u64;
        }
        square = square * square % Q as u64;
        exponent >>= 1;
    }
    result as u32
}

/// Powers of `root` (exponents bit-reversed over 10 bits) in Montgomery form.
const fn roots(root: u32) -> [u16; 1024] {
    let mut table = [0; 1024];
    let mut k = 0;
    while k < 1024 {
        let exponent = ((k as u16).reverse_bits() >> 6) as u32;
        table[k] = ((power(root, exponent) as u64 * (1 << 16)) % Q as u64) as u16;
        k += 1;
    }
    table
}

static FORWARD: [u16; 1024] = roots(PSI);
static BACKWARD: [u16; 1024] = roots(power(PSI, 2047));

/// a + b mod q.
#[inline(always)]
fn add(a: u16, b: u16) -> u16 {
    let d = (u32::from(a) + u32::from(b)).wrapping_sub(Q);
    d.wrapping_add(Q & (d >> 31).wrapping_neg()) as u16
}

/// a - b mod q.
#[inline(always)]
pub(crate) fn sub(a: u16, b: u16) -> u16 {
    let d = u32::from(a).wrapping_sub(u32::from(b));
    d.wrapping_add(Q & (d >> 31).wrapping_neg()) as u16
}

/// a b / R mod q.
#[inline(always)]
fn montgomery_mul(a: u16, b: u16) -> u16 {
    let z = u32::from(a) * u32::from(b);
    let w = (z.wrapping_mul(Q_INVERSE) & 0xFFFF) * Q;
    let d = ((z + w) >> 16).wrapping_sub(Q);
    d.wrapping_add(Q & (d >> 31).wrapping_neg()) as u16
}

/// The representative below q of a small signed value. In: `|x| < q`.
#[inline(always)]
pub(crate) fn from_signed(x: i16) -> u16 {
    debug_assert!(u32::from(x.unsigned_abs()) < Q);
    let x = i32::from(x) as u32;
    x.wrapping_add(Q & (x >> 31).wrapping_neg()) as u16
}

/// The representative in (-q/2, q/2].
#[inline(always)]
pub(crate) fn to_signed(x: u16) -> i16 {
    let x = u32::from(x);
    let above = ((Q / 2).wrapping_sub(x) >> 31).wrapping_neg();
    x.wrapping_sub(Q & above) as i16
}

/// In: n coefficients, normal order. Out: n values, bit-reversed order.
pub(crate) fn ntt(a: &mut [u16]) {
    let mut block = a.len();
    let mut first_root = 1;
    while block > 1 {
        for (i, values) in a.chunks_exact_mut(block).enumerate() {
            let w = FORWARD[first_root + i];
            let (x, y) = values.split_at_mut(block / 2);
            for (x, y) in x.iter_mut().zip(y) {
                let (u, v) = (*x, montgomery_mul(*y, w));
                (*x, *y) = (add(u, v), sub(u, v));
            }
        }
        block /= 2;
        first_root *= 2;
    }
}

/// The inverse of [`ntt`].
pub(crate) fn intt(a: &mut [u16]) {
    let mut half = 1;
    let mut first_root = a.len() / 2;
    while first_root > 0 {
        for (i, values) in a.chunks_exact_mut(2 * half).enumerate() {
            // The inverse of the power with the bits of first_root + i is the power at the same place of BACKWARD.
            let w = BACKWARD[first_root + i];
            let (x, y) = values.split_at_mut(half);
            for (x, y) in x.iter_mut().zip(y) {
                let (u, v) = (*x, *y);
                (*x, *y) = (add(u, v), montgomery_mul(sub(u, v), w));
            }
        }
        half *= 2;
        first_root /= 2;
    }
    // R / n, so that the Montgomery product divides by n.
    let n_inverse = power(a.len() as u32, Q - 2);
    let factor = montgomery_mul(n_inverse as u16, R2 as u16);
    for x in a {
        *x = montgomery_mul(*x, factor);
    }
}

/// a times R, value by value: the second factor of [`mul`].
pub(crate) fn to_montgomery(a: &mut [u16]) {
    for x in a {
        *x = montgomery_mul(*x, R2 as u16);
    }
}

/// a[i] = a[i] b[i] / R.
pub(crate) fn mul(a: &mut [u16], b: &[u16]) {
    for (x, y) in a.iter_mut().zip(b) {
        *x = montgomery_mul(*x, *y);
    }
}

/// a[i] = a[i] / b[i]; false where some b[i] is 0 (the quotient is then 0 there).
///
/// That answer is public: a private key with such an f is refused.
pub(crate) fn div(a: &mut [u16], b: &[u16]) -> bool {
    let mut zeros = 0u32;
    for (x, y) in a.iter_mut().zip(b) {
        zeros |= u32::from(*y).wrapping_sub(1) >> 31;
        // y^(q - 2), exponent q - 2 = 0b10111111111111 public; y in Montgomery form keeps powers in that form.
        let y = montgomery_mul(*y, R2 as u16);
        let mut inverse = y;
        for bit in (0..13).rev() {
            inverse = montgomery_mul(inverse, inverse);
            if (Q - 2) >> bit & 1 == 1 {
                inverse = montgomery_mul(inverse, y);
            }
        }
        *x = montgomery_mul(*x, inverse);
    }
    declassify(zeros, "a key whose f has no inverse is refused") == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(n: usize, seed: u32) -> Vec<u16> {
        let mut x = seed;
        let next = |_| {
            x = x.wrapping_mul(1664525).wrapping_add(1013904223);
            ((x >> 8) % Q) as u16
        };
        (0..n).map(next).collect()
    }

    #[test]
    fn multiplication_is_that_of_polynomials() {
        for n in [512, 1024] {
            let (a, b) = (sample(n, 1), sample(n, 2));
            let mut want = vec![0i64; n];
            for i in 0..n {
                for j in 0..n {
                    let product = i64::from(a[i]) * i64::from(b[j]);
                    want[(i + j) % n] += if i + j >= n { -product } else { product };
                }
            }
            let (mut x, mut y) = (a, b);
            ntt(&mut x);
            ntt(&mut y);
            to_montgomery(&mut y);
            mul(&mut x, &y);
            intt(&mut x);
            for (x, want) in x.iter().zip(want) {
                assert_eq!(i64::from(*x), want.rem_euclid(i64::from(Q)));
            }
        }
    }

    #[test]
    fn division_undoes_multiplication_and_sees_zeros() {
        let (a, mut b) = (sample(512, 3), sample(512, 4));
        for y in &mut b {
            *y = (*y).max(1);
        }
        let mut x = a.clone();
        assert!(div(&mut x, &b));
        to_montgomery(&mut x);
        mul(&mut x, &b);
        assert_eq!(x, a);
        b[17] = 0;
        assert!(!div(&mut x, &b));
    }

    #[test]
    fn signed_representatives() {
        for x in 0..Q as u16 {
            let y = to_signed(x);
            assert!(i32::from(y) > -(Q as i32) / 2 - 1 && i32::from(y) <= Q as i32 / 2);
            assert_eq!(from_signed(y), x);
        }
    }
}
