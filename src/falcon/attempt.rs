//! One signing attempt: a short vector near the hashed point (specification, algorithm 10, lines 3 to 9).

use super::expanded::rows;
use super::ff_sampling::{FfSampling, at_level, levels_len};
use super::fft;
use super::kernels::Kernels;
use super::params::{Params, Q};
use crate::isa::Op;
use crate::secret::Secret;
use crate::simd::{Real, Simd};
use crate::symmetric::chacha20::SEED_LEN;

/// A candidate signature; it becomes public only if its norm is accepted.
pub(crate) struct Candidate {
    /// s2, with |s2| saturated to the range of `i16`.
    pub s2: Secret<Vec<i16>>,
    /// Squared norm of (s1, s2).
    pub squared_norm: u64,
}

/// One attempt with one seed.
pub(crate) struct Attempt<'a> {
    pub params: Params,
    /// The expanded key.
    pub expanded: &'a [f64],
    /// The hashed message: n coefficients in [0, q).
    pub point: &'a [i16],
    pub seed: &'a [u8; SEED_LEN],
}

impl<K: Kernels> Op<K> for Attempt<'_> {
    type Out = Candidate;

    #[inline(always)]
    fn run(self, k: K) -> Candidate {
        let Attempt { params, expanded, point, seed } = self;
        let (n, logn, sigma_min) = (params.n(), params.logn(), params.sigma_min());
        let (basis, tree) = expanded.split_at(4 * n);
        let mut levels = Secret::new(vec![0.0; 2 * levels_len(logn)]);
        let (levels0, levels1) = levels.expose_mut().split_at_mut(levels_len(logn));
        let (t0, t1) = (at_level(levels0, logn), at_level(levels1, logn));
        k.enter(Target { basis, point, t0, t1 });
        k.enter(FfSampling { logn, tree, seed, sigma_min, t0: levels0, t1: levels1 });
        let (z0, z1) = (at_level(levels0, logn), at_level(levels1, logn));
        let mut products = Secret::new(vec![0.0; 2 * n]);
        k.enter(LatticePoint { basis, point, z0, z1, products: products.expose_mut() })
    }
}

/// The target (t0, t1) = (c, 0) B^-1 = (c b11, -c b01) / q, in Fourier form.
pub(super) struct Target<'a> {
    pub basis: &'a [f64],
    /// c.
    pub point: &'a [i16],
    pub t0: &'a mut [f64],
    pub t1: &'a mut [f64],
}

impl<K: Kernels> Op<K> for Target<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let Target { basis, point, t0, t1 } = self;
        let s = k.vector();
        let [_, b01, _, b11] = rows(basis, point.len());
        for (t, c) in t0.iter_mut().zip(point) {
            *t = real_of::<K>(i64::from(*c)).get();
        }
        k.fft(t0);
        t1.copy_from_slice(t0);
        let inverse_of_q = 1.0 / f64::from(Q);
        fft::mul(s, t1, b01);
        fft::mul_const(s, t1, -inverse_of_q);
        fft::mul(s, t0, b11);
        fft::mul_const(s, t0, inverse_of_q);
    }
}

/// (s1, s2) = (c, 0) - z B.
pub(super) struct LatticePoint<'a> {
    pub basis: &'a [f64],
    /// c.
    pub point: &'a [i16],
    /// z0 and z1, in Fourier form; they are used up.
    pub z0: &'a mut [f64],
    pub z1: &'a mut [f64],
    /// Room for 2n.
    pub products: &'a mut [f64],
}

impl<K: Kernels> Op<K> for LatticePoint<'_> {
    type Out = Candidate;

    #[inline(always)]
    fn run(self, k: K) -> Candidate {
        let LatticePoint { basis, point, z0, z1, products } = self;
        let (s, n) = (k.vector(), point.len());
        let [b00, b01, b10, b11] = rows(basis, n);
        let (v0, v1) = products.split_at_mut(n);
        v0.copy_from_slice(z0);
        v1.copy_from_slice(z1);
        fft::mul(s, v0, b00);
        fft::mul(s, v1, b10);
        fft::add(s, v0, v1);
        fft::mul(s, z0, b01);
        fft::mul(s, z1, b11);
        fft::add(s, z1, z0);
        k.ifft(v0);
        k.ifft(z1);
        let mut squared_norm = 0u64;
        let mut s2 = Secret::new(vec![0i16; n]);
        for ((c, v0), (v1, s2)) in point.iter().zip(v0).zip(z1.iter().zip(s2.expose_mut())) {
            let first = saturate(i64::from(*c) - to_integer::<K>(*v0));
            let second = saturate(-to_integer::<K>(*v1));
            squared_norm += u64::from(square(first) + square(second));
            *s2 = second;
        }
        Candidate { s2, squared_norm }
    }
}

#[inline(always)]
fn real_of<K: Kernels>(i: i64) -> <K::Vector as Simd>::Real {
    Real::of(i)
}

/// The nearest integer.
#[inline(always)]
fn to_integer<K: Kernels>(x: f64) -> i64 {
    <K::Vector as Simd>::Real::new(x).rint().to_integer()
}

/// At most 32767^2, so that two of them fit.
#[inline(always)]
fn square(x: i16) -> u32 {
    (i32::from(x) * i32::from(x)) as u32
}

/// Large values saturate, so that their norm is over every bound: 32767^2 > 2^29.
#[inline(always)]
fn saturate(x: i64) -> i16 {
    x.clamp(-32767, 32767) as i16
}
