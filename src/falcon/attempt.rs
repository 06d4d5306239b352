//! One signing attempt: a short vector near the hashed point (specification, algorithm 10, lines 3 to 9).

use super::expanded::rows;
use super::ff_sampling::{FfSampling, at_level, levels_len};
use super::kernels::Kernels;
use super::lock_step::{self, LockStep};
use super::params::{Params, Q};
use crate::isa::Op;
use crate::secret::{Buffer, Secret};
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
        let mut levels = Secret::new(Buffer::new(2 * levels_len(logn)));
        let (levels0, levels1) = levels.expose_mut().split_at_mut(levels_len(logn));
        let (t0, t1) = (at_level(levels0, logn), at_level(levels1, logn));
        k.enter(Target { basis, point, t0, t1 });
        k.enter(FfSampling { logn, tree, seed, sigma_min, t0: levels0, t1: levels1 });
        let (z0, z1) = (at_level(levels0, logn), at_level(levels1, logn));
        let mut products = Secret::new(Buffer::new(2 * n));
        k.enter(LatticePoint { basis, point, z0, z1, products: products.expose_mut() })
    }
}

/// Attempts with one key for several messages, in their order; where the backend has vectors, in lock step.
pub(crate) struct Attempts<'a> {
    pub params: Params,
    /// The expanded key.
    pub expanded: &'a [f64],
    /// The hashed messages: n coefficients in [0, q) each.
    pub points: &'a [Vec<i16>],
    /// As many.
    pub seeds: &'a [[u8; SEED_LEN]],
    /// To work in; it is lengthened where need be. The caller wipes it.
    pub room: &'a mut Buffer<f64>,
}

impl<K: Kernels> Op<K> for Attempts<'_> {
    type Out = Vec<Candidate>;

    #[inline(always)]
    fn run(self, k: K) -> Vec<Candidate> {
        if self.points.len() == 1 {
            return self.one_by_one(k);
        }
        match K::LOCK_STEP {
            1 => self.in_lock_step::<K, 1>(k),
            2 => self.in_lock_step::<K, 2>(k),
            4 => self.in_lock_step::<K, 4>(k),
            _ => self.one_by_one(k),
        }
    }
}

impl Attempts<'_> {
    #[inline(always)]
    fn one_by_one<K: Kernels>(self, k: K) -> Vec<Candidate> {
        let Attempts { params, expanded, points, seeds, .. } = self;
        let mut candidates = Vec::with_capacity(points.len());
        for (point, seed) in points.iter().zip(seeds) {
            candidates.push(k.enter(Attempt { params, expanded, point, seed }));
        }
        candidates
    }

    #[inline(always)]
    fn in_lock_step<K: Kernels, const VECTORS: usize>(self, k: K) -> Vec<Candidate> {
        let Attempts { params, expanded, points, seeds, room } = self;
        let (n, logn, sigma_min) = (params.n(), params.logn(), params.sigma_min());
        let (basis, tree) = expanded.split_at(4 * n);
        let messages = VECTORS * K::Vector::LANES;
        let mut candidates = Vec::with_capacity(points.len());
        room.make_room(2 * n * (messages + 1) + lock_step::room(logn, messages));
        let (products, room) = room.split_at_mut(2 * n);
        let (targets, levels) = room.split_at_mut(2 * n * messages);
        for (points, seeds) in points.chunks(messages).zip(seeds.chunks(messages)) {
            if let ([point], [seed]) = (points, seeds) {
                candidates.push(k.enter(Attempt { params, expanded, point, seed }));
                continue;
            }
            let targets = &mut targets[..2 * n * points.len()];
            for (point, t) in points.iter().zip(targets.chunks_exact_mut(2 * n)) {
                let (t0, t1) = t.split_at_mut(n);
                k.enter(Target { basis, point, t0, t1 });
            }
            k.enter(LockStep::<VECTORS> { logn, tree, seeds, sigma_min, targets, levels });
            for (point, z) in points.iter().zip(targets.chunks_exact_mut(2 * n)) {
                let (z0, z1) = z.split_at_mut(n);
                candidates.push(k.enter(LatticePoint { basis, point, z0, z1, products }));
            }
        }
        candidates
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
        let [_, b01, _, b11] = rows(basis, point.len());
        for (t, c) in t0.iter_mut().zip(point) {
            *t = real_of::<K>(i64::from(*c)).get();
        }
        k.fft(t0);
        t1.copy_from_slice(t0);
        let inverse_of_q = 1.0 / f64::from(Q);
        k.mul(t1, b01);
        k.mul_const(t1, -inverse_of_q);
        k.mul(t0, b11);
        k.mul_const(t0, inverse_of_q);
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
        let n = point.len();
        let [b00, b01, b10, b11] = rows(basis, n);
        let (v0, v1) = products.split_at_mut(n);
        v0.copy_from_slice(z0);
        v1.copy_from_slice(z1);
        k.mul(v0, b00);
        k.mul(v1, b10);
        k.add(v0, v1);
        k.mul(z0, b01);
        k.mul(z1, b11);
        k.add(z1, z0);
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
