//! Several messages with one key, in lock step: [`super::ff_sampling`] with a message in every lane.
//!
//! All messages go the same way through the same tree, so that a vector takes one coefficient of each: there is
//! nothing to shuffle at any level, the tree is read once for all, and where a single signature waits for its last
//! sample the others go on. Each message has its own generator and takes its bytes in its own order, so that its
//! signature is the one that it would have alone.

use super::ff_sampling::{Pairs, Steps, bottom_leaves, levels_len, quadruple_pair, start, walk};
use super::fft::{self, Complex};
use super::kernels::Kernels;
use super::sampler_z::{Leaf, RealOf, SamplerZ, Shape};
use crate::isa::Op;
use crate::simd::{Real, Simd, Wide};
use crate::symmetric::chacha20::SEED_LEN;

/// Messages that go in lock step at most.
const MAX_MESSAGES: usize = 16;

/// Doubles of the widest vector.
const MAX_LANES: usize = 8;

/// Bytes of the widest vector: rows begin at multiples of it, so that none lies in two lines of the cache.
const ROW_ALIGNMENT: usize = MAX_LANES * size_of::<f64>();

/// Doubles that [`LockStep::levels`] needs for a number of messages.
pub(crate) fn room(logn: u32, messages: usize) -> usize {
    2 * levels_len(logn) * messages + MAX_LANES
}

/// Vectors of messages where a vector has `lanes` doubles. Two of AVX-512F are no faster than one: their rows take more
/// memory than what they hide of each other's latency.
pub(crate) const fn vectors(lanes: usize) -> usize {
    match lanes {
        1 => 0,
        8 => 1,
        _ => 2,
    }
}

/// What [`super::ff_sampling::FfSampling`] does, for several messages. `targets`: of each t0 and t1, n doubles each;
/// z0 and z1 take their places. In: as many seeds as targets, at most `VECTORS` vectors of them.
pub(crate) struct LockStep<'a, const VECTORS: usize> {
    pub logn: u32,
    pub tree: &'a [f64],
    pub seeds: &'a [[u8; SEED_LEN]],
    pub sigma_min: f64,
    pub targets: &'a mut [f64],
    /// As long as [`room`] says, for all lanes.
    pub levels: &'a mut [f64],
}

impl<K: Kernels, const VECTORS: usize> Op<K> for LockStep<'_, VECTORS> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let LockStep { logn, tree, seeds, sigma_min, targets, levels } = self;
        let s = k.vector();
        let (n, messages) = (1 << logn, VECTORS * K::Vector::LANES);
        debug_assert!(seeds.len() <= messages && seeds.len() * 2 * n == targets.len());
        let aligned = levels.as_ptr().align_offset(ROW_ALIGNMENT).min(MAX_LANES);
        let levels = &mut levels[aligned..];
        let (t0, t1) = levels[..2 * levels_len(logn) * messages].split_at_mut(levels_len(logn) * messages);
        let top = start(logn) * messages;
        for (half, rows) in [&mut t0[top..], &mut t1[top..]].into_iter().enumerate() {
            to_rows(s, rows, messages, targets, half * n, 2 * n);
        }
        let samplers = seeds.iter().map(|seed| SamplerZ::new(k, seed)).collect();
        walk(
            logn,
            tree,
            &mut Chains::<K, VECTORS> { k, samplers: Samplers { k, samplers, sigma_min }, t0, t1 },
        );
        for (half, rows) in [&t0[top..], &t1[top..]].into_iter().enumerate() {
            from_rows(s, rows, messages, targets, half * n, 2 * n);
        }
    }
}

/// Fills the rows from polynomials that begin at `first`, `first + stride`, ...; lanes without a polynomial keep what they have.
#[inline(always)]
fn to_rows<S: Simd>(s: S, rows: &mut [f64], row: usize, polynomials: &[f64], first: usize, stride: usize) {
    for (m, polynomials) in polynomials.chunks(stride * S::LANES).enumerate() {
        let (full, at) = (polynomials.len() == stride * S::LANES, m * S::LANES);
        for (u, rows) in rows.chunks_exact_mut(row * S::LANES).enumerate() {
            let from = first + u * S::LANES;
            if full {
                let mut block = [s.splat(0.0); MAX_LANES];
                for i in 0..S::LANES {
                    block[i] = s.load(&polynomials[i * stride + from..]);
                }
                transpose(s, &mut block);
                for i in 0..S::LANES {
                    s.store(&mut rows[i * row + at..], block[i]);
                }
                continue;
            }
            for (lane, polynomial) in polynomials.chunks_exact(stride).enumerate() {
                for i in 0..S::LANES {
                    rows[i * row + at + lane] = polynomial[from + i];
                }
            }
        }
    }
}

/// The inverse of [`to_rows`].
#[inline(always)]
fn from_rows<S: Simd>(s: S, rows: &[f64], row: usize, polynomials: &mut [f64], first: usize, stride: usize) {
    for (m, polynomials) in polynomials.chunks_mut(stride * S::LANES).enumerate() {
        let (full, at) = (polynomials.len() == stride * S::LANES, m * S::LANES);
        for (u, rows) in rows.chunks_exact(row * S::LANES).enumerate() {
            let to = first + u * S::LANES;
            if full {
                let mut block = [s.splat(0.0); MAX_LANES];
                for i in 0..S::LANES {
                    block[i] = s.load(&rows[i * row + at..]);
                }
                transpose(s, &mut block);
                for i in 0..S::LANES {
                    s.store(&mut polynomials[i * stride + to..], block[i]);
                }
                continue;
            }
            for (lane, polynomial) in polynomials.chunks_exact_mut(stride).enumerate() {
                for i in 0..S::LANES {
                    polynomial[to + i] = rows[i * row + at + lane];
                }
            }
        }
    }
}

/// Transposes the square of the first `LANES` vectors: each round zips the two halves of the sequence of all lanes,
/// which moves the lowest bit of a lane's place to the top.
#[inline(always)]
fn transpose<S: Simd>(s: S, block: &mut [S::F64; MAX_LANES]) {
    let half = S::LANES / 2;
    for _ in 0..S::LANES.trailing_zeros() {
        let mut zipped = *block;
        for i in 0..half {
            (zipped[2 * i], zipped[2 * i + 1]) = s.zip(1, block[i], block[i + half]);
        }
        *block = zipped;
    }
}

/// The samplers of the messages, in the order of their lanes.
struct Samplers<K: Kernels, const VECTORS: usize> {
    k: K,
    samplers: Vec<SamplerZ<K>>,
    sigma_min: f64,
}

impl<K: Kernels, const VECTORS: usize> Pairs for Samplers<K, VECTORS> {
    type F = Wide<<K::Vector as Simd>::F64, VECTORS>;
    type Leaf = Leaf<RealOf<K>>;

    #[inline(always)]
    fn splat(&self, value: f64) -> Self::F {
        Wide::splat(self.k.vector(), value)
    }

    #[inline(always)]
    fn sample_pair(&mut self, mu: Complex<Self::F>, leaf: Leaf<RealOf<K>>) -> Complex<Self::F> {
        let s = self.k.vector();
        let whole = Complex { re: mu.re.floor(s), im: mu.im.floor(s) };
        let r = mu - whole;
        let (mut re, mut im) = ([0.0; MAX_MESSAGES], [0.0; MAX_MESSAGES]);
        r.re.store(s, &mut re);
        r.im.store(s, &mut im);
        for (sampler, (re, im)) in self.samplers.iter_mut().zip(re.iter_mut().zip(&mut im)) {
            let (re_shape, im_shape) =
                (Shape { r: RealOf::<K>::new(*re), leaf }, Shape { r: RealOf::<K>::new(*im), leaf });
            let z = sampler.pair(re_shape, im_shape);
            (*re, *im) = (z.re.get(), z.im.get());
        }
        whole + Complex { re: Wide::load(s, &re), im: Wide::load(s, &im) }
    }
}

/// A message in every lane. Of a polynomial of degree 2^l there are 2^l rows, each one coefficient of all messages.
struct Chains<'a, K: Kernels, const VECTORS: usize> {
    k: K,
    samplers: Samplers<K, VECTORS>,
    t0: &'a mut [f64],
    t1: &'a mut [f64],
}

/// Real and imaginary parts.
type Parts<'a> = (&'a [f64], &'a [f64]);
type PartsMut<'a> = (&'a mut [f64], &'a mut [f64]);

/// The values of a polynomial in Fourier form, of which each part takes `len` doubles.
#[inline(always)]
fn parts(a: &[f64], len: usize) -> impl Iterator<Item = Parts<'_>> {
    let (re, im) = a.split_at(a.len() / 2);
    re.chunks_exact(len).zip(im.chunks_exact(len))
}

#[inline(always)]
fn parts_mut(a: &mut [f64], len: usize) -> impl Iterator<Item = PartsMut<'_>> {
    let (re, im) = a.split_at_mut(a.len() / 2);
    re.chunks_exact_mut(len).zip(im.chunks_exact_mut(len))
}

/// A complex number of each message.
type WideComplex<S, const VECTORS: usize> = Complex<Wide<<S as Simd>::F64, VECTORS>>;

#[inline(always)]
fn load<S: Simd, const VECTORS: usize>(s: S, (re, im): Parts, at: usize) -> WideComplex<S, VECTORS> {
    Complex { re: Wide::load(s, &re[at..]), im: Wide::load(s, &im[at..]) }
}

#[inline(always)]
fn store<S: Simd, const VECTORS: usize>(
    s: S,
    (re, im): &mut PartsMut,
    at: usize,
    value: WideComplex<S, VECTORS>,
) {
    value.re.store(s, &mut re[at..]);
    value.im.store(s, &mut im[at..]);
}

/// A number of the key, for all messages.
#[inline(always)]
fn splat<S: Simd, const VECTORS: usize>(s: S, re: f64, im: f64) -> WideComplex<S, VECTORS> {
    Complex { re: Wide::splat(s, re), im: Wide::splat(s, im) }
}

/// The roots by which the pairs of a polynomial of degree 2^level are split.
#[inline(always)]
fn roots(level: u32) -> &'static [(f64, f64)] {
    &fft::ROOTS[1 << (level - 1)..][..1 << (level - 2)]
}

impl<K: Kernels, const VECTORS: usize> Chains<'_, K, VECTORS> {
    const MESSAGES: usize = VECTORS * K::Vector::LANES;

    /// The rows of `level - 1` and of `level`, of t0 and of t1.
    #[inline(always)]
    fn below_and_at(&mut self, level: u32) -> [(&mut [f64], &mut [f64]); 2] {
        let rows = start(level - 1) * Self::MESSAGES..start(level + 1) * Self::MESSAGES;
        let below = Self::MESSAGES << (level - 1);
        [self.t0[rows.clone()].split_at_mut(below), self.t1[rows].split_at_mut(below)]
    }
}

impl<K: Kernels, const VECTORS: usize> Steps for Chains<'_, K, VECTORS> {
    #[inline(always)]
    fn to_left_half(&mut self, level: u32, l10: &[f64]) {
        let (s, row) = (self.k.vector(), Self::MESSAGES);
        let [(f0, t0), (f1, t1)] = self.below_and_at(level);
        let below = parts_mut(f0, row).zip(parts_mut(f1, row));
        let at = parts(t0, 2 * row).zip(parts_mut(t1, 2 * row));
        let constants = parts(l10, 2).zip(roots(level));
        for (((mut f0, mut f1), (t0, mut t1)), (l10, (re, im))) in below.zip(at).zip(constants) {
            let root: WideComplex<K::Vector, VECTORS> = splat(s, *re, *im);
            let even = load(s, (f0.0, f0.1), 0);
            let odd = load(s, (f1.0, f1.1), 0) * root;
            let z = (even + odd, even - odd);
            let t = (load(s, (t1.0, t1.1), 0), load(s, (t1.0, t1.1), row));
            store(s, &mut t1, 0, z.0);
            store(s, &mut t1, row, z.1);
            let a = (t.0 - z.0) * splat(s, l10.0[0], l10.1[0]) + load(s, t0, 0);
            let b = (t.1 - z.1) * splat(s, l10.0[1], l10.1[1]) + load(s, t0, row);
            store(s, &mut f0, 0, (a + b).half());
            store(s, &mut f1, 0, ((a - b) * root.conj()).half());
        }
    }

    #[inline(always)]
    fn to_right_half(&mut self, level: u32) {
        let (s, row) = (self.k.vector(), Self::MESSAGES);
        let [(f0, _), (f1, t1)] = self.below_and_at(level);
        let below = parts_mut(f0, row).zip(parts_mut(f1, row));
        for (((mut f0, mut f1), t1), (re, im)) in below.zip(parts(t1, 2 * row)).zip(roots(level)) {
            let root: WideComplex<K::Vector, VECTORS> = splat(s, *re, *im);
            let (a, b) = (load(s, t1, 0), load(s, t1, row));
            store(s, &mut f0, 0, (a + b).half());
            store(s, &mut f1, 0, ((a - b) * root.conj()).half());
        }
    }

    #[inline(always)]
    fn sample(&mut self, subtree: &[f64]) {
        let (s, row) = (self.k.vector(), Self::MESSAGES);
        let leaves = SamplerZ::leaves(self.k, self.samplers.sigma_min, bottom_leaves::<K>(subtree));
        let (t0, t1) = (&mut self.t0[..4 * row], &mut self.t1[..4 * row]);
        let (mut x0, mut x1) = ([Wide::splat(s, 0.0); 4], [Wide::splat(s, 0.0); 4]);
        for i in 0..4 {
            x0[i] = Wide::load(s, &t0[i * row..]);
            x1[i] = Wide::load(s, &t1[i * row..]);
        }
        let (z0, z1) = quadruple_pair(&mut self.samplers, subtree, leaves, x0, x1);
        for i in 0..4 {
            z0[i].store(s, &mut t0[i * row..]);
            z1[i].store(s, &mut t1[i * row..]);
        }
    }

    #[inline(always)]
    fn merge(&mut self, level: u32) {
        let (s, row) = (self.k.vector(), Self::MESSAGES);
        let [(f0, t0), (f1, _)] = self.below_and_at(level);
        let below = parts(f0, row).zip(parts(f1, row));
        for (((f0, f1), mut t0), (re, im)) in below.zip(parts_mut(t0, 2 * row)).zip(roots(level)) {
            let root: WideComplex<K::Vector, VECTORS> = splat(s, *re, *im);
            let (even, odd) = (load(s, f0, 0), load(s, f1, 0) * root);
            store(s, &mut t0, 0, even + odd);
            store(s, &mut t0, row, even - odd);
        }
    }
}
