//! The expanded key: what signing needs, computed once from f, g, F, G.
//!
//! Layout, as in the reference: the basis [[g, -f], [G, -F]] in Fourier form (4n doubles), then the LDL tree
//! ((logn + 1) n doubles): a node of degree m has its l10 (m doubles), its left subtree, its right subtree; a
//! leaf is one double, sqrt(d) / sigma, which is one over the deviation of its samples.

use super::ff_sampling::tree_len;
use super::fft;
use super::kernels::Kernels;
use super::params::Params;
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

/// Computes the expanded key.
pub(crate) struct Expand<'a> {
    pub params: Params,
    pub basis: Basis<'a>,
}

impl<K: Kernels> Op<K> for Expand<'_> {
    type Out = Secret<Vec<f64>>;

    #[inline(always)]
    fn run(self, k: K) -> Secret<Vec<f64>> {
        let n = self.params.n();
        let s = k.vector();
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
        let [b00, b01, b10, b11] = rows(basis, n);
        // The Gram matrix: g00 and g11 self-adjoint, g01.
        let mut gram = Secret::new(vec![0.0; 4 * n]);
        let (g00, rest) = gram.expose_mut().split_at_mut(n);
        let (g01, rest) = rest.split_at_mut(n);
        let (g11, product) = rest.split_at_mut(n);
        for (sum, first, second) in [(&mut *g00, b00, b01), (&mut *g11, b10, b11)] {
            sum.copy_from_slice(first);
            fft::norm(s, sum);
            product.copy_from_slice(second);
            fft::norm(s, product);
            fft::add(s, sum, product);
        }
        g01.copy_from_slice(b00);
        fft::mul_adj(s, g01, b10);
        product.copy_from_slice(b01);
        fft::mul_adj(s, product, b11);
        fft::add(s, g01, product);
        build_tree(s, self.params, tree, [g00, g01, g11]);
        expanded
    }
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

/// The LDL tree (specification, algorithm 9), level by level. `gram`: g00, g01, g11.
#[inline(always)]
fn build_tree<S: Simd>(s: S, params: Params, tree: &mut [f64], gram: [&mut [f64]; 3]) {
    let (n, logn) = (params.n(), params.logn());
    let [g00, g01, g11] = gram;
    // Two numbers describe a node below the root: its matrix is [[a, b], [adj b, a]]. All nodes of a level stand
    // side by side, each as a then b.
    let mut nodes = Secret::new(vec![0.0; 2 * n]);
    let mut children = Secret::new(vec![0.0; 2 * n]);
    let mut d11 = Secret::new(vec![0.0; n]);

    fft::ldl(s, d11.expose_mut(), &mut tree[..n], g00, g01, g11);
    split_children(s, nodes.expose_mut(), g00, d11.expose());
    // Where the nodes of a level begin in the tree, left to right.
    let mut places = children_places(&[0], logn);
    for level in (1..logn).rev() {
        let m = 1 << level;
        for ((node, children), at) in
            nodes.expose().chunks_exact(2 * m).zip(children.expose_mut().chunks_exact_mut(2 * m)).zip(&places)
        {
            let (a, b) = node.split_at(m);
            let d11 = &mut d11.expose_mut()[..m];
            fft::ldl(s, d11, &mut tree[*at..*at + m], a, b, a);
            split_children(s, children, a, d11);
        }
        core::mem::swap(&mut nodes, &mut children);
        places = children_places(&places, level);
    }
    let inv_sigma = S::Real::new(params.inv_sigma());
    for (leaf, at) in nodes.expose().chunks_exact(2).zip(places) {
        // A leaf's matrix is real: its b is zero up to rounding.
        tree[at] = (S::Real::new(leaf[0]).sqrt() * inv_sigma).get();
    }
}

/// Where the subtrees of nodes of degree 2^level begin: of each node the left one, the right one.
fn children_places(nodes: &[usize], level: u32) -> Vec<usize> {
    let children = |at: &usize| {
        let left = at + (1 << level);
        [left, left + tree_len(level - 1)]
    };
    nodes.iter().flat_map(children).collect()
}

/// The children of a node: the halves of d00 for the left one, of d11 for the right one.
#[inline(always)]
fn split_children<S: Simd>(s: S, children: &mut [f64], d00: &[f64], d11: &[f64]) {
    let m = d00.len();
    for (child, d) in children.chunks_exact_mut(m).zip([d00, d11]) {
        let (a, b) = child.split_at_mut(m / 2);
        if m == 2 {
            (a[0], b[0]) = (d[0], d[1]);
        } else {
            fft::split(s, a, b, d);
        }
    }
}
