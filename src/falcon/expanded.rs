//! The expanded key: what signing needs, computed once from f, g, F, G.
//!
//! Layout, as in the reference: the basis [[g, -f], [G, -F]] in Fourier form (4n doubles), then the LDL tree
//! ((logn + 1) n doubles): a node of degree m has its l10 (m doubles), its left subtree, its right subtree; a
//! leaf is one double, sqrt(d) / sigma, which is one over the deviation of its samples.

use super::ff_sampling::tree_len;
use super::fft::{self, Complex};
use super::kernels::Kernels;
use super::params::{Params, Q};
use crate::ct::{declassify, opaque};
use crate::isa::Op;
use crate::secret::Secret;
use crate::simd::{Float, Real, Simd};

/// The polynomials of a private key: fG - gF = q.
#[derive(Clone, Copy)]
pub(crate) struct Basis<'a> {
    pub f: &'a [i8],
    pub g: &'a [i8],
    pub big_f: &'a [i8],
    pub big_g: &'a [i8],
}

/// Computes the expanded key; gives none where fG - gF is not q.
pub(crate) struct Expand<'a> {
    pub params: Params,
    pub basis: Basis<'a>,
}

impl<K: Kernels> Op<K> for Expand<'_> {
    type Out = Option<Secret<Vec<f64>>>;

    #[inline(always)]
    fn run(self, k: K) -> Self::Out {
        let n = self.params.n();
        let s = k.vector();
        // Before the key, so that what is freed first does not lie behind it.
        let mut nodes = Secret::new(vec![0.0; 2 * n]);
        let mut children = Secret::new(vec![0.0; 2 * n]);
        let mut expanded = Secret::new(vec![0.0; self.params.expanded_len()]);
        let (basis, tree) = expanded.expose_mut().split_at_mut(4 * n);
        let Basis { f, g, big_f, big_g } = self.basis;
        for (row, (poly, negate)) in
            basis.chunks_exact_mut(n).zip([(g, false), (f, true), (big_g, false), (big_f, true)])
        {
            to_fourier(k, row, poly);
            if negate {
                negate_all(s, row);
            }
        }
        let rows = rows(basis, n);
        if !declassify(is_ntru_solution(s, rows), "a private key that does not solve the equation is refused")
        {
            return None;
        }
        build_tree(s, self.params, tree, rows, [nodes.expose_mut(), children.expose_mut()]);
        Some(expanded)
    }
}

/// Whether the determinant of the basis, fG - gF, is q.
///
/// In doubles, and yet exact: the values of the difference d = fG - gF - q are computed with an error below 2^-10
/// (at most 1024 coefficients below 2^7: the values of f, g, F and G are below 2^17, each with an error below 2^-30,
/// since ten layers of a transform keep the Euclidean norm but for 2^-47 of it). Where d = 0 all of them are therefore below 1/2. Where d is not 0 it has an integer coefficient other than
/// 0, so that the mean of |d|^2 over the roots is at least 1, and one of them is not below 1/2.
#[inline(always)]
fn is_ntru_solution<S: Simd>(s: S, [b00, b01, b10, b11]: [&[f64]; 4]) -> bool {
    let half = b00.len() / 2;
    let (q, quarter) = (Complex { re: s.splat(f64::from(Q)), im: s.splat(0.0) }, s.splat(0.25));
    let every_lane = u64::MAX >> (64 - S::LANES);
    let mut below = every_lane;
    for j in (0..half).step_by(S::LANES) {
        let (b00, b01, b10, b11) = (point(s, b00, j), point(s, b01, j), point(s, b10, j), point(s, b11, j));
        let d = b00 * b11 - b01 * b10 - q;
        // Opaque, or a compiler may end the loop at the first one that is not below.
        below &= opaque(u64::from(s.less(d.norm(), quarter)));
    }
    below == every_lane
}

/// The four rows b00, b01, b10, b11 of an expanded key's basis.
#[inline(always)]
pub(crate) fn rows(basis: &[f64], n: usize) -> [&[f64]; 4] {
    core::array::from_fn(|i| &basis[i * n..(i + 1) * n])
}

/// Small coefficients as doubles, in Fourier form.
#[inline(always)]
pub(crate) fn to_fourier<K: Kernels>(k: K, to: &mut [f64], poly: &[i8]) {
    for (x, c) in to.iter_mut().zip(poly) {
        *x = <<K::Vector as Simd>::Real as Real>::of(i64::from(*c)).get();
    }
    k.fft(to);
}

#[inline(always)]
fn negate_all<S: Simd>(_s: S, a: &mut [f64]) {
    for x in a {
        *x = (-S::Real::new(*x)).get();
    }
}

/// The values of a polynomial in Fourier form from the root `at` on.
#[inline(always)]
fn point<S: Simd>(s: S, a: &[f64], at: usize) -> Complex<S::F64> {
    let (re, im) = a.split_at(a.len() / 2);
    fft::load(s, re, im, at)
}

/// The Gram matrix of the basis: g00 and g11, which are real, and g01.
#[inline(always)]
fn gram<S: Simd>(s: S, [b00, b01, b10, b11]: [&[f64]; 4], at: usize) -> [Complex<S::F64>; 3] {
    let (b00, b01, b10, b11) = (point(s, b00, at), point(s, b01, at), point(s, b10, at), point(s, b11, at));
    let zero = s.splat(0.0);
    let g00 = Complex { re: b00.norm() + b01.norm(), im: zero };
    let g11 = Complex { re: b10.norm() + b11.norm(), im: zero };
    [g00, b00 * b10.conj() + b01 * b11.conj(), g11]
}

/// The LDL tree (specification, algorithm 9), level by level. `nodes` and `children`: 2n doubles each, of any value.
#[inline(always)]
fn build_tree<S: Simd>(
    s: S,
    params: Params,
    tree: &mut [f64],
    basis: [&[f64]; 4],
    [mut nodes, mut children]: [&mut [f64]; 2],
) {
    let points = params.n() / 2;
    let mut places = Vec::with_capacity(params.n());
    places.push(0);
    let mut root = Level { half: points, places: &places, roots: [[0.0; 8]; 2], tree, children };
    for at in (0..points).step_by(2 * S::LANES) {
        root.descend(s, at, [gram(s, basis, at), gram(s, basis, at + S::LANES)]);
    }
    for level in (1..params.logn()).rev() {
        core::mem::swap(&mut nodes, &mut children);
        children_places(&mut places, level + 1);
        let half = 1 << (level - 1);
        let roots = fft::repeated_roots(half, half / 2);
        let mut descent = Level { half, places: &places, roots, tree, children };
        let (a, b) = nodes.split_at(2 * points);
        for at in (0..points).step_by(2 * S::LANES) {
            let (a0, a1) = (point(s, a, at), point(s, a, at + S::LANES));
            let (b0, b1) = (point(s, b, at), point(s, b, at + S::LANES));
            descent.descend(s, at, [[a0, b0, a0], [a1, b1, a1]]);
        }
    }
    // A leaf's matrix is real: its imaginary part is zero up to rounding.
    children_places(&mut places, 1);
    let leaves = &mut children[..params.n()];
    let inv_sigma = s.splat(params.inv_sigma());
    for leaves in leaves.chunks_exact_mut(S::LANES) {
        let value = s.load(leaves).sqrt() * inv_sigma;
        s.store(leaves, value);
    }
    for (leaf, place) in leaves.iter().zip(&places) {
        tree[*place] = *leaf;
    }
}

/// The places of the children of nodes of degree 2^level: of all the left one, then of all the right one.
fn children_places(places: &mut Vec<usize>, level: u32) {
    for node in 0..places.len() {
        let left = places[node] + (1 << level);
        places[node] = left;
        places.push(left + tree_len(level - 1));
    }
}

/// The nodes of one degree, in the order of `places`.
///
/// Whatever the degree, they are n/2 points: node after node, its values at one root of each conjugate pair. So one
/// loop over points serves every level, in whole vectors. Below the root two numbers describe a point, whose matrix
/// is [[a, b], [adj b, a]]. They are kept apart: n/2 real parts of a, the imaginary parts, the same of b.
struct Level<'a> {
    /// Points of a node: half its degree.
    half: usize,
    /// Where the nodes begin in the tree.
    places: &'a [usize],
    /// The roots that [`fft::split`] uses, again and again, where a node of the next level is shorter than a vector.
    roots: [[f64; 8]; 2],
    tree: &'a mut [f64],
    /// The next level; if it is the leaves, one real number each.
    children: &'a mut [f64],
}

impl Level<'_> {
    /// Two vectors of points from the point `at` on, each as g00, g01, g11: l10 into the tree, the halves of d00 and
    /// d11 to the children.
    #[inline(always)]
    fn descend<S: Simd>(&mut self, s: S, at: usize, [first, second]: [[Complex<S::F64>; 3]; 2]) {
        let one = s.splat(1.0);
        let ((d0, l0), (d1, l1)) = (fft::ldl(one, first), fft::ldl(one, second));
        self.store_l10(s, at, l0);
        self.store_l10(s, at + S::LANES, l1);
        let points = self.children.len() / 4;
        for (right, x, y) in [(0, first[0], second[0]), (1, d0, d1)] {
            if self.half == 1 {
                let leaves = &mut self.children[right * points + at..][..2 * S::LANES];
                s.store(leaves, x.re);
                s.store(&mut leaves[S::LANES..], y.re);
                continue;
            }
            let half = self.half / 2;
            let roots = if half >= S::LANES {
                fft::root_lanes(s, self.half + ((at / 2) & (half - 1)), 1)
            } else {
                fft::load(s, &self.roots[0], &self.roots[1], 0)
            };
            let (a, b) = fft::split_pairs(s, x, y, roots);
            let (a_to, b_to) = self.children.split_at_mut(2 * points);
            for (to, value) in [(a_to, a), (b_to, b)] {
                let (re, im) = to.split_at_mut(points);
                fft::store(s, re, im, right * points / 2 + at / 2, value);
            }
        }
    }

    #[inline(always)]
    fn store_l10<S: Simd>(&mut self, s: S, at: usize, l10: Complex<S::F64>) {
        let half = self.half;
        let node = at >> half.trailing_zeros();
        if half >= S::LANES {
            let (re, im) = self.tree[self.places[node]..][..2 * half].split_at_mut(half);
            return fft::store(s, re, im, at & (half - 1), l10);
        }
        let mut lanes = [[0.0; 8]; 2];
        let [re, im] = &mut lanes;
        fft::store(s, re, im, 0, l10);
        let places = &self.places[node..][..S::LANES >> half.trailing_zeros()];
        match half {
            1 => scatter::<1>(self.tree, places, &lanes),
            2 => scatter::<2>(self.tree, places, &lanes),
            _ => scatter::<4>(self.tree, places, &lanes),
        }
    }
}

/// Nodes of `HALF` points each, to their places.
#[inline(always)]
fn scatter<const HALF: usize>(tree: &mut [f64], places: &[usize], [re, im]: &[[f64; 8]; 2]) {
    let values = re.as_chunks::<HALF>().0.iter().zip(im.as_chunks::<HALF>().0);
    for (place, (re, im)) in places.iter().zip(values) {
        let node = &mut tree[*place..][..2 * HALF];
        node[..HALF].copy_from_slice(re);
        node[HALF..].copy_from_slice(im);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::falcon::keygen::{NtruBasis, generate};
    use crate::isa::{self, Isa};
    use crate::simd::Scalar;

    /// Algorithm 9 as it stands in the specification.
    fn ffldl(tree: &mut [f64], gram: [&[f64]; 3], inv_sigma: f64) {
        let (n, s) = (gram[0].len(), Scalar::get());
        let (mut d11, (l10, subtrees)) = (vec![0.0; n], tree.split_at_mut(n));
        for at in 0..n / 2 {
            let one = s.splat(1.0);
            let (d, l) = fft::ldl(one, gram.map(|g| point(s, g, at)));
            (d11[at], d11[n / 2 + at]) = (d.re.get(), d.im.get());
            (l10[at], l10[n / 2 + at]) = (l.re.get(), l.im.get());
        }
        let (left, right) = subtrees.split_at_mut(subtrees.len() / 2);
        for (subtree, d) in [(left, gram[0]), (right, &d11)] {
            if n == 2 {
                subtree[0] = d[0].sqrt() * inv_sigma;
            } else {
                let (mut even, mut odd) = (vec![0.0; n / 2], vec![0.0; n / 2]);
                fft::split(s, &mut even, &mut odd, d);
                ffldl(subtree, [&even, &odd, &even], inv_sigma);
            }
        }
    }

    fn expand(isa: Isa, params: Params, [f, g, big_f, big_g]: [&[i8]; 4]) -> Option<Vec<f64>> {
        let basis = Basis { f, g, big_f, big_g };
        isa::with(isa, Expand { params, basis }).map(|expanded| expanded.expose().clone())
    }

    #[test]
    fn the_tree_is_that_of_the_specification_on_every_backend() {
        for params in [Params::Falcon512, Params::Falcon1024] {
            let basis = generate(Scalar::get(), params, b"tree");
            let NtruBasis { f, g, F, G } = &basis;
            let n = params.n();
            let s = Scalar::get();
            let expected = expand(Isa::Scalar, params, [f, g, F, G]).expect("a basis");
            let rows = rows(&expected[..4 * n], n);
            let mut matrix = [vec![0.0; n], vec![0.0; n], vec![0.0; n]];
            for at in 0..n / 2 {
                for (to, value) in matrix.iter_mut().zip(gram(s, rows, at)) {
                    let (re, im) = to.split_at_mut(n / 2);
                    fft::store(s, re, im, at, value);
                }
            }
            let mut tree = vec![0.0; tree_len(params.logn())];
            let [g00, g01, g11] = &matrix;
            ffldl(&mut tree, [g00, g01, g11], params.inv_sigma());
            let bits = |a: &[f64]| a.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert!(bits(&tree) == bits(&expected[4 * n..]));
            for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_supported()) {
                let found = expand(isa, params, [f, g, F, G]).expect("a basis");
                assert!(bits(&found) == bits(&expected), "{}", isa.name());
            }
        }
    }

    /// Whatever else has coefficients in range, down to one unit in one coefficient, is seen.
    #[test]
    fn what_does_not_solve_the_equation_gives_no_key() {
        for params in [Params::Falcon512, Params::Falcon1024] {
            let basis = generate(Scalar::get(), params, b"equation");
            let NtruBasis { f, g, F, G } = &basis;
            let n = params.n();
            let zero = vec![0i8; n];
            let (largest, smallest) = (vec![127i8; n], vec![-127i8; n]);
            let changed = |a: &[i8], at: usize| {
                let mut a = a.to_vec();
                a[at] += if a[at] > 0 { -1 } else { 1 };
                a
            };
            for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_supported()) {
                let accepts = |f: &[i8], g: &[i8], big_f: &[i8], big_g: &[i8]| {
                    expand(isa, params, [f, g, big_f, big_g]).is_some()
                };
                assert!(accepts(f, g, F, G));
                assert!(!accepts(f, g, &zero, &zero));
                assert!(!accepts(f, g, f, g));
                assert!(!accepts(f, g, G, F));
                assert!(!accepts(f, g, &largest, &smallest) && !accepts(f, g, &largest, &largest));
                assert!(!accepts(&largest, &largest, &largest, &largest));
                for at in [0, 1, n / 2, n - 1] {
                    assert!(!accepts(&changed(f, at), g, F, G) && !accepts(f, &changed(g, at), F, G));
                    assert!(!accepts(f, g, &changed(F, at), G) && !accepts(f, g, F, &changed(G, at)));
                }
            }
        }
    }
}
