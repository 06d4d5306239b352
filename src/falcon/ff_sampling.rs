//! Fast Fourier sampling (specification, algorithm 11), without recursion.
//!
//! Level l of the recursion works on two polynomials of 2^l doubles; its right half (for t1) comes first. A
//! counter over the quadruples of the lowest level replaces the call stack: its trailing zeros say how far to
//! climb before the next descent, its ones how far results merge upwards. The bottom (degree 4) is unrolled in
//! the reference's order of operations. The tree's layout is that of [`super::expanded`].

use super::fft::{self, Complex};
use super::kernels::Kernels;
use super::sampler_z::{Leaf, RealOf, SamplerZ};
use crate::isa::Op;
use crate::simd::{Real, Simd};
use crate::symmetric::chacha20::SEED_LEN;

/// The unrolled level: degree 4.
const BOTTOM: u32 = 2;

/// Doubles of the subtree of a node of degree 2^level.
pub(crate) const fn tree_len(level: u32) -> usize {
    (level as usize + 1) << level
}

/// One of the two polynomials at every level, from the bottom up: level l takes 2^l doubles.
pub(crate) fn levels_len(logn: u32) -> usize {
    (2 << logn) - (1 << BOTTOM)
}

fn start(level: u32) -> usize {
    (1 << level) - (1 << BOTTOM)
}

/// The polynomial of `level`, in a buffer of [`levels_len`].
#[inline(always)]
pub(crate) fn at_level(levels: &mut [f64], level: u32) -> &mut [f64] {
    &mut levels[start(level)..start(level + 1)]
}

/// The polynomials of `level - 1` and of `level`.
#[inline(always)]
pub(super) fn below_and_at(levels: &mut [f64], level: u32) -> (&mut [f64], &mut [f64]) {
    let (below, at) = levels[start(level - 1)..start(level + 1)].split_at_mut(1 << (level - 1));
    (below, at)
}

/// In: t0, t1 hold the target at the level logn, in Fourier form. Out: there, z0 and z1.
pub(crate) struct FfSampling<'a> {
    pub logn: u32,
    pub tree: &'a [f64],
    pub seed: &'a [u8; SEED_LEN],
    pub sigma_min: f64,
    pub t0: &'a mut [f64],
    pub t1: &'a mut [f64],
}

impl<K: Kernels> Op<K> for FfSampling<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let FfSampling { logn, tree, seed, sigma_min, t0, t1 } = self;
        let sampler = &mut SamplerZ::new(k, seed, sigma_min);
        // Where the subtree of the current node of each level begins.
        let mut node = [0usize; 11];
        for quadruple in 0..1u32 << (logn - BOTTOM) {
            let mut level = logn;
            if quadruple > 0 {
                // The right half of this level is done: z1 is its result, and its left half comes next.
                level = quadruple.trailing_zeros() + BOTTOM + 1;
                let l10 = &tree[node[level as usize]..][..1 << level];
                k.to_left_half(level, l10, t0, t1);
                node[level as usize - 1] = node[level as usize] + (1 << level);
                level -= 1;
            }
            while level > BOTTOM {
                let (below0, _) = below_and_at(t0, level);
                let (below1, at1) = below_and_at(t1, level);
                k.split(below0, below1, at1);
                node[level as usize - 1] = node[level as usize] + (1 << level) + tree_len(level - 1);
                level -= 1;
            }
            let subtree = &tree[node[BOTTOM as usize]..][..tree_len(BOTTOM)];
            quadruple_pair(sampler, subtree, at_level(t0, BOTTOM), at_level(t1, BOTTOM));
            for _ in 0..quadruple.trailing_ones() {
                let (below1, _) = below_and_at(t1, level + 1);
                let (below0, at0) = below_and_at(t0, level + 1);
                k.merge(at0, below0, below1);
                level += 1;
            }
        }
    }
}

/// In one pass: z1, merged from the right half's result, takes the place of t1, and t0 + (t1 - z1) l10 is split
/// into the left half.
#[inline(always)]
pub(super) fn to_left_half<S: Simd>(s: S, level: u32, l10: &[f64], t0: &mut [f64], t1: &mut [f64]) {
    let half = 1 << (level - 1);
    let quarter = half / 2;
    if quarter < S::LANES {
        return to_left_half(s.half(), level, l10, t0, t1);
    }
    let (f0, t0) = below_and_at(t0, level);
    let (f1, t1) = below_and_at(t1, level);
    let ((f0_re, f0_im), (f1_re, f1_im)) = (f0.split_at_mut(quarter), f1.split_at_mut(quarter));
    let ((t0_re, t0_im), (t1_re, t1_im)) = (t0.split_at(half), t1.split_at_mut(half));
    let (l10_re, l10_im) = l10.split_at(half);
    for u in (0..quarter).step_by(S::LANES) {
        let root = fft::root_lanes(s, half + u, 1);
        let even = fft::load(s, f0_re, f0_im, u);
        let odd = fft::load(s, f1_re, f1_im, u) * root;
        let z = (even + odd, even - odd);
        let t = fft::load_pairs(s, t1_re, t1_im, u);
        fft::store_pairs(s, t1_re, t1_im, u, z);
        let l = fft::load_pairs(s, l10_re, l10_im, u);
        let c = fft::load_pairs(s, t0_re, t0_im, u);
        let (a, b) = ((t.0 - z.0) * l.0 + c.0, (t.1 - z.1) * l.1 + c.1);
        fft::store(s, f0_re, f0_im, u, (a + b).half());
        fft::store(s, f1_re, f1_im, u, ((a - b) * root.conj()).half());
    }
}

/// A node of degree 4: both of its halves, right first.
#[inline(always)]
fn quadruple_pair<K: Kernels>(sampler: &mut SamplerZ<K>, tree: &[f64], t0: &mut [f64], t1: &mut [f64]) {
    let read = |t: &[f64]| -> [RealOf<K>; 4] { core::array::from_fn(|i| RealOf::<K>::new(t[i])) };
    let (l10, left, right) = (read(tree), read(&tree[4..]), read(&tree[8..]));
    let (x0, x1) = (read(t0), read(t1));
    let leaves = sampler.leaves([left[2], left[3], right[2], right[3]]);
    let z1 = quadruple(sampler, right, [leaves[2], leaves[3]], x1);
    let mul = |i: usize| {
        let d = Complex { re: x1[i] - z1[i], im: x1[i + 2] - z1[i + 2] };
        d * Complex { re: l10[i], im: l10[i + 2] } + Complex { re: x0[i], im: x0[i + 2] }
    };
    let (a, b) = (mul(0), mul(1));
    let z0 = quadruple(sampler, left, [leaves[0], leaves[1]], [a.re, b.re, a.im, b.im]);
    for i in 0..4 {
        t0[i] = z0[i].get();
        t1[i] = z1[i].get();
    }
}

/// Four samples for a polynomial of degree 4 in Fourier form (re, re, im, im). `subtree`: l10 of its node of
/// degree 2, then the two leaves (left, right).
#[inline(always)]
fn quadruple<K: Kernels>(
    sampler: &mut SamplerZ<K>,
    subtree: [RealOf<K>; 4],
    leaves: [Leaf<RealOf<K>>; 2],
    x: [RealOf<K>; 4],
) -> [RealOf<K>; 4] {
    /// 1/sqrt(8) and 1/sqrt(2): the root of this level is (1 + i)/sqrt(2).
    const INV_SQRT_8: f64 = core::f64::consts::FRAC_1_SQRT_2 / 2.0;
    const INV_SQRT_2: f64 = core::f64::consts::FRAC_1_SQRT_2;
    let (a, b) = (Complex { re: x[0], im: x[2] }, Complex { re: x[1], im: x[3] });
    let t0 = (a + b).half();
    let d = a - b;
    let t1 = Complex {
        re: (d.re + d.im) * RealOf::<K>::new(INV_SQRT_8),
        im: (d.im - d.re) * RealOf::<K>::new(INV_SQRT_8),
    };
    let z1 = sampler.sample_pair(t1, leaves[1]);
    let t0 = (t1 - z1) * Complex { re: subtree[0], im: subtree[1] } + t0;
    let z0 = sampler.sample_pair(t0, leaves[0]);
    let c = Complex {
        re: (z1.re - z1.im) * RealOf::<K>::new(INV_SQRT_2),
        im: (z1.re + z1.im) * RealOf::<K>::new(INV_SQRT_2),
    };
    let (sum, difference) = (z0 + c, z0 - c);
    [sum.re, difference.re, sum.im, difference.im]
}
