//! Fast Fourier sampling (specification, algorithm 11), without recursion.
//!
//! Level l of the recursion works on two polynomials of 2^l doubles; its right half (for t1) comes first. A
//! counter over the quadruples of the lowest level replaces the call stack: its trailing zeros say how far to
//! climb before the next descent, its ones how far results merge upwards. The bottom (degree 4) is unrolled in
//! the reference's order of operations. The tree's layout is that of [`super::expanded`]. [`super::lock_step`] takes the
//! same walk with several messages.

use super::fft::{self, Complex};
use super::kernels::Kernels;
use super::sampler_z::{Leaf, RealOf, SamplerZ};
use crate::isa::Op;
use crate::simd::{Float, Real, Simd};
use crate::symmetric::chacha20::SEED_LEN;

/// The unrolled level: degree 4.
pub(super) const BOTTOM: u32 = 2;

/// Doubles of the subtree of a node of degree 2^level.
pub(crate) const fn tree_len(level: u32) -> usize {
    (level as usize + 1) << level
}

/// One of the two polynomials at every level, from the bottom up: level l takes 2^l doubles.
pub(crate) fn levels_len(logn: u32) -> usize {
    (2 << logn) - (1 << BOTTOM)
}

/// Where the polynomial of a level begins.
pub(super) fn start(level: u32) -> usize {
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

/// The steps of the recursion on one chain, or on several that go the same way.
pub(super) trait Steps {
    /// In one pass: z1, merged from the right half's result, takes the place of t1, and t0 + (t1 - z1) l10 is split
    /// into the left half.
    fn to_left_half(&mut self, level: u32, l10: &[f64]);
    /// Splits t1 into the right half.
    fn to_right_half(&mut self, level: u32);
    /// Samples at the bottom.
    fn sample(&mut self, subtree: &[f64]);
    /// Merges z0 from the left half's result.
    fn merge(&mut self, level: u32);
}

/// The recursion. In: the target at the level logn. Out: there, z0 and z1.
#[inline(always)]
pub(super) fn walk(logn: u32, tree: &[f64], steps: &mut impl Steps) {
    // Where the subtree of the current node of each level begins.
    let mut node = [0usize; 11];
    for quadruple in 0..1u32 << (logn - BOTTOM) {
        let mut level = logn;
        if quadruple > 0 {
            // The right half of this level is done: z1 is its result, and its left half comes next.
            level = quadruple.trailing_zeros() + BOTTOM + 1;
            steps.to_left_half(level, &tree[node[level as usize]..][..1 << level]);
            node[level as usize - 1] = node[level as usize] + (1 << level);
            level -= 1;
        }
        while level > BOTTOM {
            steps.to_right_half(level);
            node[level as usize - 1] = node[level as usize] + (1 << level) + tree_len(level - 1);
            level -= 1;
        }
        steps.sample(&tree[node[BOTTOM as usize]..][..tree_len(BOTTOM)]);
        for _ in 0..quadruple.trailing_ones() {
            level += 1;
            steps.merge(level);
        }
    }
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
        walk(logn, tree, &mut OneChain { k, sampler: SamplerZ::new(k, seed), sigma_min, t0, t1 });
    }
}

/// One message, whose coefficients are the lanes.
struct OneChain<'a, K: Kernels> {
    k: K,
    sampler: SamplerZ<K>,
    sigma_min: f64,
    t0: &'a mut [f64],
    t1: &'a mut [f64],
}

impl<K: Kernels> Steps for OneChain<'_, K> {
    #[inline(always)]
    fn to_left_half(&mut self, level: u32, l10: &[f64]) {
        self.k.to_left_half(level, l10, self.t0, self.t1);
    }
    #[inline(always)]
    fn to_right_half(&mut self, level: u32) {
        let (below0, _) = below_and_at(self.t0, level);
        let (below1, at1) = below_and_at(self.t1, level);
        self.k.split(below0, below1, at1);
    }
    #[inline(always)]
    fn sample(&mut self, subtree: &[f64]) {
        let leaves = SamplerZ::leaves(self.k, self.sigma_min, bottom_leaves::<K>(subtree));
        let (t0, t1) = (at_level(self.t0, BOTTOM), at_level(self.t1, BOTTOM));
        let read = |t: &[f64]| core::array::from_fn(|i| RealOf::<K>::new(t[i]));
        let (z0, z1) = quadruple_pair(&mut self.sampler, subtree, leaves, read(t0), read(t1));
        for i in 0..4 {
            t0[i] = z0[i].get();
            t1[i] = z1[i].get();
        }
    }
    #[inline(always)]
    fn merge(&mut self, level: u32) {
        let (below1, _) = below_and_at(self.t1, level);
        let (below0, at0) = below_and_at(self.t0, level);
        self.k.merge(at0, below0, below1);
    }
}

/// [`Steps::to_left_half`] of one chain.
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

/// Samples of pairs, for one chain or several.
pub(super) trait Pairs {
    /// A double of each chain.
    type F: Float;
    /// A deviation, the same for all chains.
    type Leaf: Copy;
    /// The same double for each chain.
    fn splat(&self, value: f64) -> Self::F;
    /// [`SamplerZ::sample_pair`] for each chain.
    fn sample_pair(&mut self, mu: Complex<Self::F>, leaf: Self::Leaf) -> Complex<Self::F>;
}

impl<K: Kernels> Pairs for SamplerZ<K> {
    type F = RealOf<K>;
    type Leaf = Leaf<RealOf<K>>;
    #[inline(always)]
    fn splat(&self, value: f64) -> RealOf<K> {
        RealOf::<K>::new(value)
    }
    #[inline(always)]
    fn sample_pair(&mut self, mu: Complex<RealOf<K>>, leaf: Leaf<RealOf<K>>) -> Complex<RealOf<K>> {
        SamplerZ::sample_pair(self, mu, leaf)
    }
}

/// Four doubles for each chain.
type Four<P> = [<P as Pairs>::F; 4];

/// The leaves below a node of degree 4: two of its left half, two of its right half.
#[inline(always)]
pub(super) fn bottom_leaves<K: Kernels>(tree: &[f64]) -> [RealOf<K>; 4] {
    [tree[6], tree[7], tree[10], tree[11]].map(RealOf::<K>::new)
}

/// A node of degree 4: both of its halves, right first. Gives z0 and z1.
#[inline(always)]
pub(super) fn quadruple_pair<P: Pairs>(
    sampler: &mut P,
    tree: &[f64],
    leaves: [P::Leaf; 4],
    x0: Four<P>,
    x1: Four<P>,
) -> (Four<P>, Four<P>) {
    let z1 = quadruple(sampler, &tree[8..10], [leaves[2], leaves[3]], x1);
    let mut t = [Complex { re: x0[0], im: x0[2] }, Complex { re: x0[1], im: x0[3] }];
    for (i, t) in t.iter_mut().enumerate() {
        let d = Complex { re: x1[i] - z1[i], im: x1[i + 2] - z1[i + 2] };
        let l10 = Complex { re: sampler.splat(tree[i]), im: sampler.splat(tree[i + 2]) };
        *t = d * l10 + *t;
    }
    let [a, b] = t;
    (quadruple(sampler, &tree[4..6], [leaves[0], leaves[1]], [a.re, b.re, a.im, b.im]), z1)
}

/// Four samples for a polynomial of degree 4 in Fourier form (re, re, im, im). `l10`: that of its node of degree 2;
/// the leaves are left, right.
#[inline(always)]
fn quadruple<P: Pairs>(sampler: &mut P, l10: &[f64], leaves: [P::Leaf; 2], x: Four<P>) -> Four<P> {
    /// 1/sqrt(8) and 1/sqrt(2): the root of this level is (1 + i)/sqrt(2).
    const INV_SQRT_8: f64 = core::f64::consts::FRAC_1_SQRT_2 / 2.0;
    const INV_SQRT_2: f64 = core::f64::consts::FRAC_1_SQRT_2;
    let (inv_sqrt_8, inv_sqrt_2) = (sampler.splat(INV_SQRT_8), sampler.splat(INV_SQRT_2));
    let l10 = Complex { re: sampler.splat(l10[0]), im: sampler.splat(l10[1]) };
    let (a, b) = (Complex { re: x[0], im: x[2] }, Complex { re: x[1], im: x[3] });
    let t0 = (a + b).half();
    let d = a - b;
    let t1 = Complex { re: (d.re + d.im) * inv_sqrt_8, im: (d.im - d.re) * inv_sqrt_8 };
    let z1 = sampler.sample_pair(t1, leaves[1]);
    let t0 = (t1 - z1) * l10 + t0;
    let z0 = sampler.sample_pair(t0, leaves[0]);
    let c = Complex { re: (z1.re - z1.im) * inv_sqrt_2, im: (z1.re + z1.im) * inv_sqrt_2 };
    let (sum, difference) = (z0 + c, z0 - c);
    [sum.re, difference.re, sum.im, difference.im]
}
