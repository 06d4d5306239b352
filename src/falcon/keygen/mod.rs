//! Key generation (specification 3.8), as the reference program of 2021-11-01 does it: equal seeds, equal keys.
//!
//! [`generate`] draws f and g ([`gauss`]), rejects unsuitable pairs, and solves f G - g F = q for F and G
//! ([`solve`]). What an observer can see is how many pairs were rejected and by which check; rejected pairs are
//! not used again.

mod babai;
mod bezout;
mod crt;
mod field_norm;
mod gauss;
mod mod_p;
mod ntt;
mod product;
mod solve;
mod zint;

use super::fft;
use super::kernels::Kernels;
use super::params::{Params, Q};
use crate::ct::declassify;
use crate::isa::Op;
use crate::secret::Secret;
use crate::simd::{Real, Simd};
use crate::symmetric::keccak::Keccak;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// The largest squared norm of (f, g), plus one: (1.17)^2 q (specification 3.8.2, algorithm 5, line 5).
const NORM_BOUND: u32 = 16823;

/// The same bound for the orthogonalised norm, as the reference program has it.
const ORTHOGONALISED_NORM_BOUND: f64 = 16822.4121;

/// Key generation from a seed as an operation: gives f, g and F.
pub(crate) struct Generate<'a> {
    pub params: Params,
    pub seed: &'a [u8; 48],
}

impl<K: Kernels> Op<K> for Generate<'_> {
    type Out = [Secret<Vec<i8>>; 3];
    #[inline(always)]
    fn run(self, k: K) -> Self::Out {
        let mut basis = generate(k.vector(), self.params, self.seed);
        [&mut basis.f, &mut basis.g, &mut basis.F].map(|polynomial| Secret::new(core::mem::take(polynomial)))
    }
}

/// The permutations of Keccak that a key from `seed` takes.
#[cfg(any(test, feature = "known-answers"))]
pub(crate) struct CountPermutations<'a> {
    pub params: Params,
    pub seed: &'a [u8],
}

#[cfg(any(test, feature = "known-answers"))]
impl<K: Kernels> Op<K> for CountPermutations<'_> {
    type Out = u64;
    #[inline(always)]
    fn run(self, k: K) -> u64 {
        generate_counting(k.vector(), self.params, self.seed).1
    }
}

/// Takes that many permutations of the stream of `seed` and nothing else: the share of the hash in a key's time.
#[cfg(any(test, feature = "known-answers"))]
pub(crate) struct ReplayPermutations<'a> {
    pub seed: &'a [u8],
    pub permutations: u64,
}

#[cfg(any(test, feature = "known-answers"))]
impl<K: Kernels> Op<K> for ReplayPermutations<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, k: K) {
        gauss::Stream::new(k.vector(), self.seed).skip(k.vector(), self.permutations);
    }
}

/// A short basis of the NTRU lattice: f G - g F = q modulo x^n + 1.
#[derive(Zeroize, ZeroizeOnDrop)]
#[allow(non_snake_case)]
pub(crate) struct NtruBasis {
    /// Coefficients below 2^(fg_bits - 1) in magnitude.
    pub f: Vec<i8>,
    /// As f.
    pub g: Vec<i8>,
    /// Coefficients in [-127, 127].
    pub F: Vec<i8>,
    /// As F.
    pub G: Vec<i8>,
}

/// Makes a basis from a seed (48 bytes in the reference program): the randomness is SHAKE256(seed).
pub(crate) fn generate<S: Simd + Keccak>(s: S, params: Params, seed: &[u8]) -> NtruBasis {
    generate_counting(s, params, seed).0
}

/// [`generate`], and the permutations of Keccak that it took.
fn generate_counting<S: Simd + Keccak>(s: S, params: Params, seed: &[u8]) -> (NtruBasis, u64) {
    let mut stream = gauss::Stream::new(s, seed);
    loop {
        let mut f = stream.polynomial(s, params);
        let mut g = stream.polynomial(s, params);
        if check(s, params, &f, &g).is_err() {
            continue;
        }
        if let Some((mut large_f, mut large_g)) = solve::solve(s, &f, &g) {
            let basis = NtruBasis {
                f: core::mem::take(&mut *f),
                g: core::mem::take(&mut *g),
                F: core::mem::take(&mut *large_f),
                G: core::mem::take(&mut *large_g),
            };
            return (basis, stream.permutations());
        }
    }
}

/// Why a pair (f, g) is rejected before the NTRU equation is tried, in the order of the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unsuitable {
    Coefficient,
    Norm,
    OrthogonalisedNorm,
    NotInvertible,
}

/// Whether f and g can make a key.
fn check<S: Simd>(s: S, params: Params, f: &[i8], g: &[i8]) -> Result<(), Unsuitable> {
    const WHY: &str = "a pair that is rejected is not used";
    let limit = (1 << (params.fg_bits() - 1)) - 1;
    let (mut outside, mut norm) = (0, 0);
    for x in f.iter().chain(g) {
        let x = i32::from(*x);
        outside |= (limit - x) >> 31 | (limit + x) >> 31;
        norm += (x * x) as u32;
    }
    if !declassify(outside == 0, WHY) {
        return Err(Unsuitable::Coefficient);
    }
    if !declassify(norm < NORM_BOUND, WHY) {
        return Err(Unsuitable::Norm);
    }
    let norm = S::Real::new(s.enter(OrthogonalisedNorm { f, g }));
    if !declassify(norm.lt(S::Real::new(ORTHOGONALISED_NORM_BOUND)) == 1, WHY) {
        return Err(Unsuitable::OrthogonalisedNorm);
    }
    if !declassify(is_invertible(s, f), WHY) {
        return Err(Unsuitable::NotInvertible);
    }
    Ok(())
}

/// The squared norm of q (adj f, adj g) / (f adj f + g adj g).
struct OrthogonalisedNorm<'a> {
    f: &'a [i8],
    g: &'a [i8],
}

impl<S: Simd> Op<S> for OrthogonalisedNorm<'_> {
    type Out = f64;
    #[inline(always)]
    fn run(self, s: S) -> f64 {
        let n = self.f.len();
        let mut pair = babai::doubles(2 * n);
        for (out, x) in pair.iter_mut().zip(self.f.iter().chain(self.g)) {
            *out = S::Real::of(i64::from(*x)).get();
        }
        babai::fft_pair(s, &mut pair);
        let mut inverse = babai::doubles(n);
        inverse.copy_from_slice(&pair[..n]);
        fft::inv_norm2(s, &mut inverse, &pair[n..]);
        for half in pair.chunks_exact_mut(n) {
            fft::adj::<S>(half);
            fft::mul_const(s, half, f64::from(Q));
            fft::mul_self_adjoint(s, half, &inverse);
            babai::ifft(s, half);
        }
        let (f, g) = pair.split_at(n);
        let mut norm = S::Real::new(0.0);
        for (x, y) in f.iter().zip(g) {
            let (x, y) = (S::Real::new(*x), S::Real::new(*y));
            norm = norm + x * x;
            norm = norm + y * y;
        }
        norm.get()
    }
}

/// Whether f has an inverse modulo q: no value of its transform is zero.
fn is_invertible<S: Simd>(s: S, f: &[i8]) -> bool {
    let prime = &mod_p::Prime::new(Q);
    let mut roots = vec![0; f.len()];
    mod_p::forward_table(s, prime, &mut roots);
    let mut transformed = zint::table(1, f.len());
    for (t, x) in transformed.iter_mut().zip(f) {
        *t = prime.of_signed(i32::from(*x));
    }
    ntt::ntt(s, prime, &roots, &mut transformed);
    // Values are below q: the difference is negative for zero alone.
    transformed.iter().fold(0, |zero, x| zero | x.wrapping_sub(1) >> 31) == 0
}

#[cfg(test)]
mod tests;
