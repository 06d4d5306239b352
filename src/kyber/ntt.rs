//! Arithmetic modulo q = 3329: the NTT and its inverse (FIPS 203, algorithms 9 and 10), products in its domain.
//!
//! Values are 16-bit signed integers, some representative of their class: which one depends on how a backend multiplies,
//! its bounds do not. Products are those of Montgomery with R = 2^16, or of Barrett where one factor is known in advance.
//! Everything takes the same time for all values. Next: [`super::k_pke`].

use super::params::{MAX_K, N, Q};
use super::poly::Poly;
use crate::simd::{Int16, MAX_LANES16, Simd};
use core::marker::PhantomData;

/// q as a lane.
pub(super) const MODULUS: i16 = Q as i16;
/// 1/q mod 2^16: 3329 * 62209 = 1 + 3160 * 2^16.
pub(super) const Q_INVERSE: i16 = 62209u16 as i16;
const _: () = assert!(MODULUS.wrapping_mul(Q_INVERSE) == 1);
const TWICE_Q: i32 = 2 * Q as i32;
/// A primitive 256th root of unity.
const ZETA: u32 = 17;
/// The NTT stops at remainders of degree 1.
const LAYERS: usize = 7;

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

/// `value` 2^(16 `times`) as the representative of least magnitude.
const fn times_r(value: u32, times: u32) -> i16 {
    let x = (value as u64 * power(1 << 16, times) as u64 % Q as u64) as i32;
    (if x > Q as i32 / 2 { x - Q as i32 } else { x }) as i16
}

/// A factor of products modulo q, known in advance.
#[derive(Clone, Copy)]
pub(super) struct Factor<V> {
    pub value: V,
    /// What [`Simd::times_i16`] wants beside it: value / q mod 2^16, or 2^15 value / q, rounded.
    pub helper: V,
}

impl Factor<i16> {
    /// The factor that multiplies by `value`, as a backend wants it. In: below q.
    pub const fn new<S: Simd>(value: u32) -> Factor<i16> {
        Factor::of(value, S::BARRETT)
    }

    const fn of(value: u32, barrett: bool) -> Factor<i16> {
        if barrett { Factor::of_barrett(value) } else { Factor::of_montgomery(value) }
    }

    const fn of_montgomery(value: u32) -> Factor<i16> {
        let value = times_r(value, 1);
        Factor { value, helper: value.wrapping_mul(Q_INVERSE) }
    }

    pub const fn of_barrett(value: u32) -> Factor<i16> {
        let value = times_r(value, 0);
        let twice = (value as i32) << 16;
        // Half a quotient more, or less where it is negative, is cut off to the nearest quotient.
        let half = if twice < 0 { -(Q as i32) } else { Q as i32 };
        Factor { value, helper: ((twice + half) / TWICE_Q) as i16 }
    }

    #[inline(always)]
    fn splat<S: Simd>(self, s: S) -> Factor<S::I16> {
        Factor { value: s.splat_i16(self.value), helper: s.splat_i16(self.helper) }
    }
}

/// Bound of a product with a factor in the manner of Barrett: q / 2 and what the rounded helper is wrong by. In that of
/// Montgomery it is smaller: (|a| q / 2 + 2^15 q) / 2^16.
const fn product_bound(a: i32) -> i32 {
    ((a * Q as i32) >> 16) + Q as i32 / 2 + 1
}

/// Bound of what [`reduce`] gives. Montgomery multiplies by the class of R, of magnitude 1044; the helper of Barrett is
/// 10 and not 2^15 / q, wrong by 522 / q.
const fn reduced_bound(a: i32) -> i32 {
    const { assert!(times_r(1, 1) == -1044 && 10 * Q - (1 << 15) == 522) };
    ((a * 1044) >> 16) + Q as i32 / 2 + 1
}

/// a b mod q, for every a. Out: at most `product_bound`.
#[inline(always)]
fn product<S: Simd>(s: S, a: S::I16, b: Factor<S::I16>) -> S::I16 {
    s.times_i16(a, b.value, b.helper, MODULUS)
}

/// The same class with a smaller representative. Out: at most `reduced_bound`.
#[inline(always)]
fn reduce<S: Simd>(s: S, a: S::I16) -> S::I16 {
    product(s, a, const { Factor::new::<S>(1) }.splat(s))
}

/// The representative in [0, q). In: above -q and below q.
#[inline(always)]
fn unsigned<S: Simd>(s: S, a: S::I16) -> S::I16 {
    a + (a.sign_mask() & s.splat_i16(MODULUS))
}

/// The factors of every layer for vectors of some length: see [`Lanes`].
#[repr(align(64))]
struct Roots {
    value: [[i16; N / 2]; LAYERS],
    helper: [[i16; N / 2]; LAYERS],
}

/// How the layers go through vectors of a backend.
///
/// The first layers pair vectors: a factor a block. Those after them pair the two vectors of a piece of the array, with
/// factors in lanes, and move the results so that the next layer can do the same. Either they are put side by side: all
/// of these layers are alike, the index within a piece turns by one bit a layer, and by the last one with the pairs. Or,
/// where a backend can, one bit of the index is exchanged for the one that says which vector.
struct Lanes<S>(PhantomData<S>);

impl<S: Simd> Lanes<S> {
    /// Layers that pair vectors.
    const PAIR_VECTORS: usize = LAYERS - S::LANES16.ilog2() as usize;
    const FORWARD: Roots = roots::<S>(false);
    const BACKWARD: Roots = roots::<S>(true);
    const GAMMAS: Gammas = gammas(S::BARRETT);

    /// After a layer of [`ntt`] in lanes.
    #[inline(always)]
    fn turn(s: S, layer: usize, x: S::I16, y: S::I16) -> (S::I16, S::I16) {
        match (S::SWAPS, layer + 1 < LAYERS) {
            (true, true) => s.swap_i16(N >> (layer + 2), x, y),
            (true, false) => s.zip_pairs_i16(x, y),
            (false, true) => s.zip_i16(x, y),
            (false, false) => {
                let (x, y) = s.zip_i16(x, y);
                s.zip_i16(x, y)
            }
        }
    }

    /// The inverse of [`Lanes::turn`].
    #[inline(always)]
    fn turn_back(s: S, layer: usize, x: S::I16, y: S::I16) -> (S::I16, S::I16) {
        match (S::SWAPS, layer + 1 < LAYERS) {
            (true, true) => s.swap_i16(N >> (layer + 2), x, y),
            (true, false) => s.unzip_pairs_i16(x, y),
            (false, true) => s.unzip_i16(x, y),
            (false, false) => {
                let (x, y) = s.unzip_i16(x, y);
                s.unzip_i16(x, y)
            }
        }
    }
}

/// `i` with its seven bits in reverse (FIPS 203: BitRev7).
const fn reversed(i: usize) -> u32 {
    ((i as u8).reverse_bits() >> 1) as u32
}

/// Layer l multiplies block i of 2^l by zeta^(BitRev7(2^l + i)), [`intt`] by its inverse and in layer 0 by `INTT_SCALE`.
pub(super) const fn root(layer: usize, block: usize, inverse: bool) -> u32 {
    let zeta = if inverse { power(ZETA, 255) } else { ZETA };
    let scale = if inverse && layer == 0 { INTT_SCALE } else { 1 };
    (power(zeta, reversed((1 << layer) + block)) as u64 * scale as u64 % Q as u64) as u32
}

const fn roots<S: Simd>(inverse: bool) -> Roots {
    let (lanes, swaps) = (S::LANES16, S::SWAPS);
    let mut table = Roots { value: [[0; N / 2]; LAYERS], helper: [[0; N / 2]; LAYERS] };
    let pair_vectors = LAYERS - lanes.ilog2() as usize;
    let mut layer = 0;
    while layer < LAYERS {
        let len = if layer < pair_vectors { 1 << layer } else { N / 2 };
        let mut i = 0;
        while i < len {
            let block = if layer < pair_vectors {
                i
            } else {
                // The lanes of a piece have its blocks one after the other, or in turn.
                let (piece, blocks) = (i / lanes, 1 << (layer - pair_vectors));
                piece * blocks + if swaps { i % lanes * blocks / lanes } else { i % blocks }
            };
            let factor = Factor::new::<S>(root(layer, block, inverse));
            table.value[layer][i] = factor.value;
            table.helper[layer][i] = factor.helper;
            i += 1;
        }
        layer += 1;
    }
    table
}

/// What [`intt`] multiplies by: 1/128, and R for the Montgomery product of [`multiply`].
pub(super) const INTT_SCALE: u32 = (power(128, Q - 2) as u64 * power(1 << 16, 1) as u64 % Q as u64) as u32;

/// gamma_i = zeta^(2 BitRev7(i) + 1): pair i of the NTT domain is a remainder modulo X^2 - gamma_i.
#[repr(C, align(64))]
pub(super) struct Gammas {
    pub value: [i16; N / 2],
    pub helper: [i16; N / 2],
}

pub(super) const fn gammas(barrett: bool) -> Gammas {
    let mut gammas = Gammas { value: [0; N / 2], helper: [0; N / 2] };
    let mut i = 0;
    while i < N / 2 {
        let factor = Factor::of(power(ZETA, 2 * reversed(i) + 1), barrett);
        (gammas.value[i], gammas.helper[i]) = (factor.value, factor.helper);
        i += 1;
    }
    gammas
}

impl Roots {
    /// The factor of a block of a layer that pairs vectors.
    #[inline(always)]
    fn of_block<S: Simd>(&self, s: S, layer: usize, block: usize) -> Factor<S::I16> {
        Factor { value: self.value[layer][block], helper: self.helper[layer][block] }.splat(s)
    }

    /// The factors of a piece in another layer.
    #[inline(always)]
    fn of_piece<S: Simd>(&self, s: S, layer: usize, piece: usize) -> Factor<S::I16> {
        let at = piece * S::LANES16;
        Factor { value: s.load_i16(&self.value[layer][at..]), helper: s.load_i16(&self.helper[layer][at..]) }
    }
}

/// Bound of the coefficients that [`ntt`] takes.
pub(super) const NTT_IN: i32 = Q as i32 - 1;

/// Bound of the values after `layers` layers of [`ntt`]: none of them reduces its first operand.
const fn forward_bound(layers: usize) -> i32 {
    let (mut bound, mut layer) = (NTT_IN, 0);
    while layer < layers {
        bound += product_bound(bound);
        assert!(bound <= i16::MAX as i32);
        layer += 1;
    }
    bound
}

/// Bound of what [`ntt`] gives.
pub(super) const NTT_OUT: i32 = forward_bound(LAYERS);

/// Bound of one factor of [`multiply`]'s products, and of the other.
const MULTIPLY_A: i32 = Q as i32 - 1;
const MULTIPLY_B: i32 = NTT_OUT;

/// Bound of what [`multiply`] gives.
pub(super) const INTT_IN: i32 =
    product_bound_of_sum(2 * MAX_K as i64 * MULTIPLY_A as i64 * MULTIPLY_B as i64);

/// Bound of a Montgomery reduction of a sum: (|sum| + 2^15 q) / 2^16. The sum fits in 32 bits.
const fn product_bound_of_sum(sum: i64) -> i32 {
    assert!(sum <= i32::MAX as i64);
    (sum >> 16) as i32 + Q as i32 / 2 + 1
}

/// Whether step `step` of [`intt`] reduces its sums.
pub(super) const fn backward_reduces(step: usize) -> bool {
    matches!(step, 0 | 3)
}

/// Bound of the values after `steps` steps of [`intt`]; fails to compile where one does not fit in 16 bits.
const fn backward_bound(steps: usize) -> i32 {
    let (mut bound, mut step) = (INTT_IN, 0);
    while step < steps {
        // Both sum and difference must fit before they are reduced or multiplied.
        assert!(2 * bound <= i16::MAX as i32);
        let difference = product_bound(2 * bound);
        let sum = if step == LAYERS - 1 {
            difference
        } else if backward_reduces(step) {
            reduced_bound(2 * bound)
        } else {
            2 * bound
        };
        bound = if sum > difference { sum } else { difference };
        step += 1;
    }
    bound
}

/// Bound of what [`intt`] gives.
pub(super) const INTT_OUT: i32 = backward_bound(LAYERS);

/// The NTT of polynomials (algorithm 9).
///
/// In: coefficients of at most `NTT_IN`, normal order. Out: at most `NTT_OUT`, pairs in the order of FIPS 203.
#[inline(always)]
pub(super) fn ntt<S: Simd>(s: S, polys: &mut [Poly]) {
    let pair_vectors = Lanes::<S>::PAIR_VECTORS;
    let roots = const { &Lanes::<S>::FORWARD };
    for a in polys {
        debug_assert!(a.fits(NTT_IN));
        let mut layer = 0;
        while layer + 1 < pair_vectors {
            forward_two_layers(s, roots, layer, &mut a.0);
            layer += 2;
        }
        if layer < pair_vectors {
            forward_layer(s, roots, layer, &mut a.0);
        }
        for (piece, values) in a.0.chunks_exact_mut(2 * S::LANES16).enumerate() {
            let (mut x, mut y) = (s.load_i16(values), s.load_i16(&values[S::LANES16..]));
            for layer in pair_vectors..LAYERS {
                let t = product(s, y, roots.of_piece(s, layer, piece));
                (x, y) = (x + t, x - t);
                if layer + 1 < LAYERS {
                    (x, y) = Lanes::turn(s, layer, x, y);
                }
            }
            (x, y) = Lanes::turn(s, LAYERS - 1, x, y);
            s.store_i16(values, x);
            s.store_i16(&mut values[S::LANES16..], y);
        }
        debug_assert!(a.fits(NTT_OUT));
    }
}

#[inline(always)]
fn forward_layer<S: Simd>(s: S, roots: &Roots, layer: usize, a: &mut [i16; N]) {
    for (block, values) in a.chunks_exact_mut(N >> layer).enumerate() {
        let root = roots.of_block(s, layer, block);
        let (first, second) = values.split_at_mut((N / 2) >> layer);
        for (first, second) in first.chunks_exact_mut(S::LANES16).zip(second.chunks_exact_mut(S::LANES16)) {
            let (x, t) = (s.load_i16(first), product(s, s.load_i16(second), root));
            s.store_i16(first, x + t);
            s.store_i16(second, x - t);
        }
    }
}

/// A layer and the next one, while the values are in registers.
#[inline(always)]
fn forward_two_layers<S: Simd>(s: S, roots: &Roots, layer: usize, a: &mut [i16; N]) {
    for (block, values) in a.chunks_exact_mut(N >> layer).enumerate() {
        let root = roots.of_block(s, layer, block);
        let next = [roots.of_block(s, layer + 1, 2 * block), roots.of_block(s, layer + 1, 2 * block + 1)];
        for [a0, a1, a2, a3] in quarters::<S>(values) {
            let (x0, x1) = (s.load_i16(a0), s.load_i16(a1));
            let (t0, t1) = (product(s, s.load_i16(a2), root), product(s, s.load_i16(a3), root));
            let (x0, x1, x2, x3) = (x0 + t0, x1 + t1, x0 - t0, x1 - t1);
            let (t1, t3) = (product(s, x1, next[0]), product(s, x3, next[1]));
            s.store_i16(a0, x0 + t1);
            s.store_i16(a1, x0 - t1);
            s.store_i16(a2, x2 + t3);
            s.store_i16(a3, x2 - t3);
        }
    }
}

/// Vectors from the four quarters of an array.
#[inline(always)]
fn quarters<S: Simd>(values: &mut [i16]) -> impl Iterator<Item = [&mut [i16]; 4]> {
    let quarter = values.len() / 4;
    let (first, second) = values.split_at_mut(2 * quarter);
    let ((a0, a1), (a2, a3)) = (first.split_at_mut(quarter), second.split_at_mut(quarter));
    let pairs = a2.chunks_exact_mut(S::LANES16).zip(a3.chunks_exact_mut(S::LANES16));
    a0.chunks_exact_mut(S::LANES16).zip(a1.chunks_exact_mut(S::LANES16)).zip(pairs).map(
        #[inline(always)]
        |((a0, a1), (a2, a3))| [a0, a1, a2, a3],
    )
}

/// The inverse of [`ntt`] (algorithm 10), times R, which undoes the 1/R of [`multiply`].
///
/// In: at most `INTT_IN`, order of FIPS 203. Out: at most `INTT_OUT`, normal order.
#[inline(always)]
pub(super) fn intt<S: Simd>(s: S, polys: &mut [Poly]) {
    let pair_vectors = Lanes::<S>::PAIR_VECTORS;
    let roots = const { &Lanes::<S>::BACKWARD };
    for a in polys {
        debug_assert!(a.fits(INTT_IN));
        for (piece, values) in a.0.chunks_exact_mut(2 * S::LANES16).enumerate() {
            let (mut x, mut y) = (s.load_i16(values), s.load_i16(&values[S::LANES16..]));
            for layer in (pair_vectors..LAYERS).rev() {
                let (u, v) = Lanes::turn_back(s, layer, x, y);
                (x, y) = backward(s, layer, u, v, roots.of_piece(s, layer, piece));
            }
            s.store_i16(values, x);
            s.store_i16(&mut values[S::LANES16..], y);
        }
        let mut layers = pair_vectors;
        if layers % 2 == 1 {
            layers -= 1;
            backward_layer(s, roots, layers, &mut a.0);
        }
        while layers > 0 {
            layers -= 2;
            backward_two_layers(s, roots, layers, &mut a.0);
        }
        debug_assert!(a.fits(INTT_OUT));
    }
}

/// A butterfly of a layer of [`intt`].
#[inline(always)]
fn backward<S: Simd>(s: S, layer: usize, u: S::I16, v: S::I16, root: Factor<S::I16>) -> (S::I16, S::I16) {
    let sum = if layer == 0 {
        product(s, u + v, const { Factor::new::<S>(INTT_SCALE) }.splat(s))
    } else if backward_reduces(LAYERS - 1 - layer) {
        reduce(s, u + v)
    } else {
        u + v
    };
    (sum, product(s, u - v, root))
}

#[inline(always)]
fn backward_layer<S: Simd>(s: S, roots: &Roots, layer: usize, a: &mut [i16; N]) {
    for (block, values) in a.chunks_exact_mut(N >> layer).enumerate() {
        let root = roots.of_block(s, layer, block);
        let (first, second) = values.split_at_mut((N / 2) >> layer);
        for (first, second) in first.chunks_exact_mut(S::LANES16).zip(second.chunks_exact_mut(S::LANES16)) {
            let (x, y) = backward(s, layer, s.load_i16(first), s.load_i16(second), root);
            s.store_i16(first, x);
            s.store_i16(second, y);
        }
    }
}

/// A layer and before it the next one, while the values are in registers.
#[inline(always)]
fn backward_two_layers<S: Simd>(s: S, roots: &Roots, layer: usize, a: &mut [i16; N]) {
    for (block, values) in a.chunks_exact_mut(N >> layer).enumerate() {
        let root = roots.of_block(s, layer, block);
        let next = [roots.of_block(s, layer + 1, 2 * block), roots.of_block(s, layer + 1, 2 * block + 1)];
        for [a0, a1, a2, a3] in quarters::<S>(values) {
            let (x0, x1) = backward(s, layer + 1, s.load_i16(a0), s.load_i16(a1), next[0]);
            let (x2, x3) = backward(s, layer + 1, s.load_i16(a2), s.load_i16(a3), next[1]);
            let ((x0, x2), (x1, x3)) = (backward(s, layer, x0, x2, root), backward(s, layer, x1, x3, root));
            s.store_i16(a0, x0);
            s.store_i16(a1, x1);
            s.store_i16(a2, x2);
            s.store_i16(a3, x3);
        }
    }
}

/// A polynomial of the NTT domain, ready to be multiplied: with (a0, a1) the pair is (b0 + b1 X), the product modulo
/// X^2 - gamma is (a0 b0 + a1 b1 gamma) + (a0 b1 + a1 b0) X.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Multiplier {
    /// Pairs b0, b1 gamma; in an order of its own where a backend has its own products.
    pub even: Poly,
    /// Pairs b1, b0; or as above.
    pub odd: Poly,
}

impl Multiplier {
    /// Nothing yet.
    pub const ZERO: Multiplier = Multiplier { even: Poly::ZERO, odd: Poly::ZERO };

    /// In: at most `MULTIPLY_B`.
    #[inline(always)]
    pub fn set<S: Simd>(&mut self, s: S, b: &Poly) {
        debug_assert!(b.fits(MULTIPLY_B));
        let gammas = const { &Lanes::<S>::GAMMAS };
        let to =
            self.even.0.chunks_exact_mut(2 * S::LANES16).zip(self.odd.0.chunks_exact_mut(2 * S::LANES16));
        for (i, (b, (even, odd))) in b.0.chunks_exact(2 * S::LANES16).zip(to).enumerate() {
            let gamma = Factor {
                value: s.load_i16(&gammas.value[i * S::LANES16..]),
                helper: s.load_i16(&gammas.helper[i * S::LANES16..]),
            };
            let (b0, b1) = s.unzip_i16(s.load_i16(b), s.load_i16(&b[S::LANES16..]));
            let (first, second) = s.zip_i16(b0, product(s, b1, gamma));
            s.store_i16(even, first);
            s.store_i16(&mut even[S::LANES16..], second);
            let (first, second) = s.zip_i16(b1, b0);
            s.store_i16(odd, first);
            s.store_i16(&mut odd[S::LANES16..], second);
        }
    }
}

/// (a[0] b[0] + a[`stride`] b[1] + a[2 `stride`] b[2] + ...) / R in the NTT domain: the products of a pair are added up
/// in 32 bits and reduced once.
///
/// In: a at most `MULTIPLY_A`; up to `MAX_K` products. Out: at most `INTT_IN`.
#[inline(always)]
pub(super) fn multiply<S: Simd>(s: S, a: &[Poly], stride: usize, b: &[Multiplier], out: &mut Poly) {
    debug_assert!(b.len() <= MAX_K && a.iter().step_by(stride).take(b.len()).all(|a| a.fits(MULTIPLY_A)));
    if S::LANES16 == 1 {
        multiply_pairs(a, stride, b, out);
    } else {
        match b.len() {
            2 => multiply_lanes::<S, 2>(s, a, stride, b, out),
            3 => multiply_lanes::<S, 3>(s, a, stride, b, out),
            4 => multiply_lanes::<S, 4>(s, a, stride, b, out),
            _ => multiply_lanes::<S, 1>(s, a, stride, b, out),
        }
    }
    debug_assert!(out.fits(INTT_IN));
}

/// [`multiply`] of a number of products that is known to the compiler.
#[inline(always)]
fn multiply_lanes<S: Simd, const RANK: usize>(
    s: S,
    a: &[Poly],
    stride: usize,
    b: &[Multiplier],
    out: &mut Poly,
) {
    let (q, q_inverse) = (s.splat_i16(MODULUS), s.splat_i16(Q_INVERSE));
    let a: [&Poly; RANK] = core::array::from_fn(|i| &a[i * stride]);
    let b: [&Multiplier; RANK] = core::array::from_fn(|i| &b[i]);
    for (i, out) in out.0.chunks_exact_mut(S::LANES16).enumerate() {
        let at = i * S::LANES16;
        let a = a.map(
            #[inline(always)]
            |a| s.load_i16(&a.0[at..]),
        );
        let [even, odd] = [
            b.map(
                #[inline(always)]
                |b| s.load_i16(&b.even.0[at..]),
            ),
            b.map(
                #[inline(always)]
                |b| s.load_i16(&b.odd.0[at..]),
            ),
        ];
        let (even, odd) = (s.dots_i16(a, even), s.dots_i16(a, odd));
        let (low, high) = s.halves_i16(even, odd);
        s.store_i16(out, high - (low * q_inverse).mul_high(q));
    }
}

/// [`multiply_lanes`] for a backend whose vectors do not hold a pair.
#[inline(always)]
fn multiply_pairs(a: &[Poly], stride: usize, b: &[Multiplier], out: &mut Poly) {
    for (i, out) in out.0.iter_mut().enumerate() {
        let at = i & !1;
        let mut sum = 0i32;
        for (j, b) in b.iter().enumerate() {
            let a = &a[j * stride];
            let b = if i == at { &b.even.0 } else { &b.odd.0 };
            sum += i32::from(a.0[at]) * i32::from(b[at]) + i32::from(a.0[at + 1]) * i32::from(b[at + 1]);
        }
        let m = (sum as i16).wrapping_mul(Q_INVERSE);
        *out = ((sum - i32::from(m) * Q as i32) >> 16) as i16;
    }
}

/// a R + e, in [0, q): the public vector from the sum of [`multiply`]. In: e at most `NTT_OUT`.
#[inline(always)]
pub(super) fn times_r_plus<S: Simd>(s: S, a: &mut Poly, e: &Poly) {
    let r2 = const { Factor::new::<S>(power(1 << 16, 1)) }.splat(s);
    for (a, e) in a.0.chunks_exact_mut(S::LANES16).zip(e.0.chunks_exact(S::LANES16)) {
        let sum = product(s, s.load_i16(a), r2) + s.load_i16(e);
        s.store_i16(a, unsigned(s, reduce(s, sum)));
    }
}

/// The representatives in [0, q) of `a[i] + b[i]`. In: both at most q in magnitude, or anything whose sum fits.
#[inline(always)]
pub(super) fn add_canonical<S: Simd>(s: S, a: &mut Poly, b: &Poly) {
    for (a, b) in a.0.chunks_exact_mut(S::LANES16).zip(b.0.chunks_exact(S::LANES16)) {
        s.store_i16(a, unsigned(s, reduce(s, s.load_i16(a) + s.load_i16(b))));
    }
}

/// The representatives in [0, q) of `a[i] - b[i]`. In: the difference fits in 16 bits.
#[inline(always)]
pub(super) fn subtract_canonical<S: Simd>(s: S, a: &mut Poly, b: &Poly) {
    for (a, b) in a.0.chunks_exact_mut(S::LANES16).zip(b.0.chunks_exact(S::LANES16)) {
        s.store_i16(a, unsigned(s, reduce(s, s.load_i16(a) - s.load_i16(b))));
    }
}

/// The representatives in [0, q) of another polynomial. In: any.
#[inline(always)]
pub(super) fn canonical_from<S: Simd>(s: S, from: &Poly, to: &mut Poly) {
    for (from, to) in from.0.chunks_exact(S::LANES16).zip(to.0.chunks_exact_mut(S::LANES16)) {
        s.store_i16(to, unsigned(s, reduce(s, s.load_i16(from))));
    }
}

/// The representatives in [0, q), in place. In: any.
#[cfg(any(test, feature = "known-answers"))]
#[inline(always)]
pub(super) fn canonical<S: Simd>(s: S, a: &mut Poly) {
    for a in a.0.chunks_exact_mut(S::LANES16) {
        s.store_i16(a, unsigned(s, reduce(s, s.load_i16(a))));
    }
}
const _: () = assert!(reduced_bound(1 << 15) < Q as i32);

/// Whether all coefficients are in [0, q). In: not negative.
#[inline(always)]
pub(super) fn is_canonical<S: Simd>(s: S, a: &Poly) -> bool {
    let (zero, largest) = (s.splat_i16(0), s.splat_i16(MODULUS - 1));
    // A mask of -1 counts down; 256 of them do not wrap.
    let mut not_below = zero;
    for a in a.0.chunks_exact(S::LANES16) {
        not_below = not_below + (largest - s.load_i16(a)).sign_mask();
    }
    let mut lanes = [0; MAX_LANES16];
    s.store_i16(&mut lanes, not_below);
    lanes.iter().fold(0, |all, lane| all | lane) == 0
}

#[cfg(test)]
mod tests {
    use super::super::kernels::Kernels;
    use super::*;
    use crate::isa::{self, Isa, Op};

    fn sample(seed: u32, values: impl Fn(u32) -> i16) -> Poly {
        let mut x = seed;
        Poly(core::array::from_fn(|_| {
            x = x.wrapping_mul(1664525).wrapping_add(1013904223);
            values(x >> 8)
        }))
    }

    fn modulo_q(x: i64) -> i64 {
        x.rem_euclid(i64::from(Q))
    }

    /// NTT of `self.0`, values and remainders.
    struct Transformed<'a>(&'a Poly);

    impl<K: Kernels> Op<K> for Transformed<'_> {
        type Out = [i16; N];
        #[inline(always)]
        fn run(self, k: K) -> [i16; N] {
            let mut a = *self.0;
            k.ntt(core::slice::from_mut(&mut a));
            canonical(k.vector(), &mut a);
            a.0
        }
    }

    /// The sum of the products of the pairs, by way of the NTT.
    struct Multiplied<'a>(&'a [(Poly, Poly)]);

    impl<K: Kernels> Op<K> for Multiplied<'_> {
        type Out = [i16; N];
        #[inline(always)]
        fn run(self, k: K) -> [i16; N] {
            let (mut a, mut b) = (Vec::new(), Vec::new());
            for (x, y) in self.0 {
                let mut both = [*x, *y];
                k.ntt(&mut both);
                let [mut x, y] = both;
                canonical(k.vector(), &mut x);
                let mut multiplier = Multiplier::ZERO;
                k.set_multiplier(&y, &mut multiplier);
                // Only every second one is taken.
                a.extend([x, Poly([-1; N])]);
                b.push(multiplier);
            }
            let mut out = Poly::ZERO;
            k.multiply(&a, 2, &b, &mut out);
            let mut both = [out, out];
            k.intt(&mut both);
            let [mut out, again] = both;
            assert_eq!(out.0, again.0);
            canonical(k.vector(), &mut out);
            out.0
        }
    }

    fn on_every_backend<R: PartialEq + core::fmt::Debug>(run: impl Fn(Isa) -> R) -> R {
        let expected = run(Isa::Scalar);
        for isa in Isa::ALL.iter().filter(|isa| isa.is_supported()) {
            assert_eq!(run(*isa), expected, "{}", isa.name());
        }
        expected
    }

    /// The definition: pair i holds the remainder modulo X^2 - zeta^(2 BitRev7(i) + 1).
    #[test]
    fn pairs_are_remainders() {
        for a in [sample(1, |x| (x % Q) as i16), Poly([Q as i16 - 1; N]), Poly([1 - Q as i16; N])] {
            let got = on_every_backend(|isa| isa::with(isa, Transformed(&a)));
            for (i, pair) in got.as_chunks::<2>().0.iter().enumerate() {
                let gamma = i64::from(power(ZETA, 2 * reversed(i) + 1));
                for (odd, got) in pair.iter().enumerate() {
                    let coefficients = a.0.iter().skip(odd).step_by(2).rev();
                    let value = coefficients.fold(0, |sum, c| modulo_q(sum * gamma + i64::from(*c)));
                    assert_eq!(i64::from(*got), value, "pair {i}");
                }
            }
        }
    }

    #[test]
    fn products_are_those_of_polynomials() {
        let full = |seed| sample(seed, |x| (x % Q) as i16);
        let small = |seed| sample(seed, |x| (x % 7) as i16 - 3);
        let largest = Poly([Q as i16 - 1; N]);
        let sums = [
            vec![(full(1), small(2))],
            vec![(full(3), small(4)), (full(5), full(6)), (full(7), small(8))],
            vec![(largest, largest); MAX_K],
        ];
        for pairs in sums {
            let got = on_every_backend(|isa| isa::with(isa, Multiplied(&pairs)));
            let mut want = [0i64; N];
            for (a, b) in &pairs {
                for i in 0..N {
                    for j in 0..N {
                        let sign = if i + j < N { 1 } else { -1 };
                        want[(i + j) % N] += sign * i64::from(a.0[i]) * i64::from(b.0[j]);
                    }
                }
            }
            assert!(got.iter().zip(want).all(|(got, want)| i64::from(*got) == modulo_q(want)));
        }
    }
}
