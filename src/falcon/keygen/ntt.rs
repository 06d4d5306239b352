//! The number-theoretic transform modulo the primes of [`super::mod_p`], in lanes.
//!
//! Layers of butterflies as in [`crate::falcon::fft`]: of one block where its halves are at least a vector long, else
//! of several blocks at once, whose halves are sorted into two vectors. Next: [`super::zint`].

use super::mod_p::{Lanes, Prime, enter_rows};
use crate::isa::Op;
use crate::simd::Simd;

/// Coefficients to values at the roots of x^n + 1, in place; n = `a.len()`. `table` is that of
/// [`super::mod_p::forward_table`], of n entries or more.
///
/// In and out: below p. Entries 2i and 2i + 1 of the result belong to roots w and -w; entry i of the transform of
/// half the degree belongs to w^2; entries i and n - 1 - i belong to w and 1/w.
pub(super) fn ntt<S: Simd>(s: S, prime: &Prime, table: &[u32], a: &mut [u32]) {
    enter_rows(s, a.len() / 2, Forward { prime, table, a });
}

/// The inverse of [`ntt`], with the table of [`super::mod_p::backward_table`].
pub(super) fn inverse_ntt<S: Simd>(s: S, prime: &Prime, table: &[u32], a: &mut [u32]) {
    enter_rows(s, a.len() / 2, Backward { prime, table, a });
}

struct Forward<'a> {
    prime: &'a Prime,
    table: &'a [u32],
    a: &'a mut [u32],
}

impl<S: Simd> Op<S> for Forward<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, s: S) {
        let Forward { prime, table, a } = self;
        let m = Lanes::new(s, prime);
        let mut half = a.len() / 2;
        while half > 0 {
            layer(
                s,
                a,
                half,
                table,
                #[inline(always)]
                |x, y, w| {
                    let y = m.mul(y, w);
                    (m.add(x, y), m.sub(x, y))
                },
            );
            half /= 2;
        }
    }
}

struct Backward<'a> {
    prime: &'a Prime,
    table: &'a [u32],
    a: &'a mut [u32],
}

impl<S: Simd> Op<S> for Backward<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, s: S) {
        let Backward { prime, table, a } = self;
        let m = Lanes::new(s, prime);
        let n = a.len();
        let mut half = 1;
        while half < n {
            layer(
                s,
                a,
                half,
                table,
                #[inline(always)]
                |x, y, w| (m.add(x, y), m.mul(m.sub(x, y), w)),
            );
            half *= 2;
        }
        // 1/n: n divides p - 1, and n (p - (p-1)/n) = 1 mod p.
        let scale = prime.mul(prime.p - (prime.p - 1) / n as u32, prime.r2);
        if n >= S::LANES32 {
            let scale = m.splat(scale);
            for x in a.chunks_exact_mut(S::LANES32) {
                s.store_i32(x, m.mul(s.load_i32(x), scale));
            }
        } else {
            a[0] = prime.mul(a[0], scale);
        }
    }
}

/// Calls one butterfly `(x, y, root)` for each pair of values that are `half` apart in blocks of twice as many; block
/// i has the root `n / (2 half) + i`. In: `a` is at least two vectors long, or has one value.
#[inline(always)]
fn layer<S: Simd>(
    s: S,
    a: &mut [u32],
    half: usize,
    table: &[u32],
    butterfly: impl Fn(S::I32, S::I32, S::I32) -> (S::I32, S::I32),
) {
    let roots = &table[a.len() / (2 * half)..];
    if half >= S::LANES32 {
        for (block, w) in a.chunks_exact_mut(2 * half).zip(roots) {
            let (x, y) = block.split_at_mut(half);
            let w = s.splat_i32(*w as i32);
            for (x, y) in x.chunks_exact_mut(S::LANES32).zip(y.chunks_exact_mut(S::LANES32)) {
                let (u, v) = butterfly(s.load_i32(x), s.load_i32(y), w);
                s.store_i32(x, u);
                s.store_i32(y, v);
            }
        }
    } else {
        for (i, pair) in a.chunks_exact_mut(2 * S::LANES32).enumerate() {
            let (x, y) = pair.split_at_mut(S::LANES32);
            let (u, v) = s.unzip_i32(half, s.load_i32(x), s.load_i32(y));
            // A root for each block, `half` times; as many more as a vector has are there, as `half` is that short.
            let mut w = s.load_i32(&roots[i * (S::LANES32 / half)..]);
            let mut times = 1;
            while times < half {
                w = s.zip_i32(1, w, w).0;
                times *= 2;
            }
            let (u, v) = butterfly(u, v, w);
            let (u, v) = s.zip_i32(half, u, v);
            s.store_i32(x, u);
            s.store_i32(y, v);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::mod_p::{backward_table, forward_table, primes};
    use super::*;
    use crate::isa::{self, Isa};

    fn transforms_multiply_polynomials<S: Simd>(s: S) {
        for logn in 0..=10 {
            let n = 1usize << logn;
            let prime = &primes()[logn];
            let mut forward = vec![0; n];
            let mut backward = vec![0; n];
            forward_table(s, prime, &mut forward);
            backward_table(s, prime, &mut backward);
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
            ntt(s, prime, &forward, &mut product);
            ntt(s, prime, &forward, &mut x);
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
            inverse_ntt(s, prime, &backward, &mut product);
            assert_eq!(product, by_x, "degree {n}");
        }
    }

    struct Transforms;

    crate::simd::scalar_on_rvv!(Transforms);

    impl<S: Simd> Op<S> for Transforms {
        type Out = ();
        #[inline(always)]
        fn run(self, s: S) {
            transforms_multiply_polynomials(s);
        }
    }

    #[test]
    fn on_every_backend() {
        for isa in Isa::ALL.iter().filter(|isa| isa.is_supported()) {
            isa::with(*isa, Transforms);
        }
    }
}
