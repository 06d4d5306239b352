//! Fourier form of real polynomials modulo x^n + 1, and arithmetic in it (specification 3.8.1 and 3.9).
//!
//! A polynomial of degree n takes n doubles, in either form. In Fourier form these are the n/2 values at one root
//! of each conjugate pair: all real parts, then all imaginary parts, in bit-reversed order of the roots. The
//! order of operations is that of the reference program, so that the bits are too. Next: [`super::ff_sampling`].

use crate::simd::{Float, Real, Simd};
use core::ops::{Add, Mul, Sub};

/// exp(i * pi * rev(k) / 1024) for k < 1024, `rev` reversing 10 bits: the root that the butterfly k multiplies by.
pub(super) static ROOTS: [(f64, f64); 1024] = COMPUTED_ROOTS;
const COMPUTED_ROOTS: [(f64, f64); 1024] = roots();

/// The roots as real and imaginary parts, in their order; then each twice, and each four times, for the last layers
/// of a transform, whose butterflies of one root are fewer than a vector has lanes.
#[cfg(not(target_arch = "riscv64"))]
static TABLES: [[[f64; 1024]; 2]; 3] = [repeated(1), repeated(2), repeated(4)];
/// Each eight times too, for the assembly.
#[cfg(target_arch = "riscv64")]
pub(super) static TABLES: [[[f64; 1024]; 2]; 4] = [repeated(1), repeated(2), repeated(4), repeated(8)];

const fn repeated(times: usize) -> [[f64; 1024]; 2] {
    let mut table = [[0.0; 1024]; 2];
    let mut k = 0;
    while k < 1024 {
        (table[0][k], table[1][k]) = COMPUTED_ROOTS[k >> times.trailing_zeros()];
        k += 1;
    }
    table
}

const fn roots() -> [(f64, f64); 1024] {
    // One eighth of a turn is computed; the other angles follow by symmetry, exactly.
    let mut eighth = [(0.0, 0.0); 257];
    let mut j = 0;
    while j <= 256 {
        eighth[j] = cos_sin(j as u128);
        j += 1;
    }
    let mut table = [(0.0, 0.0); 1024];
    let mut k = 0;
    while k < 1024 {
        let j = ((k as u16).reverse_bits() >> 6) as usize;
        table[k] = if j <= 256 {
            eighth[j]
        } else if j <= 512 {
            let (c, s) = eighth[512 - j];
            (s, c)
        } else if j <= 768 {
            let (c, s) = eighth[j - 512];
            (-s, c)
        } else {
            let (c, s) = eighth[1024 - j];
            (-c, s)
        };
        k += 1;
    }
    table
}

/// cos and sin of pi * j / 1024, j <= 256, correctly rounded: Taylor series in 128-bit fixed point.
const fn cos_sin(j: u128) -> (f64, f64) {
    if j == 0 {
        return (1.0, 0.0);
    }
    /// pi / 4 * 2^128.
    const QUARTER_PI: u128 = 0xC90F_DAA2_2168_C234_C4C6_628B_80DC_1CD1;
    let x = (QUARTER_PI >> 8) * j;
    let square = mul_high(x, x);
    let (mut sin, mut term) = (x, x);
    let mut k = 1;
    while k < 20 {
        term = mul_high(term, square) / (2 * k * (2 * k + 1));
        sin = if k % 2 == 1 { sin - term } else { sin + term };
        k += 1;
    }
    // 1 - cos, since 1 does not fit.
    let mut term = square / 2;
    let mut one_minus_cos = term;
    let mut k = 2;
    while k < 20 {
        term = mul_high(term, square) / (2 * k * (2 * k - 1));
        one_minus_cos = if k % 2 == 0 { one_minus_cos - term } else { one_minus_cos + term };
        k += 1;
    }
    (to_double(one_minus_cos.wrapping_neg()), to_double(sin))
}

/// The upper half of a 256-bit product.
const fn mul_high(a: u128, b: u128) -> u128 {
    const LOW: u128 = u64::MAX as u128;
    let (a1, a0, b1, b0) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let middle = a1 * b0 + ((a0 * b0) >> 64);
    let other = a0 * b1 + (middle & LOW);
    a1 * b1 + (middle >> 64) + (other >> 64)
}

/// The double nearest to v / 2^128.
const fn to_double(v: u128) -> f64 {
    let zeros = v.leading_zeros();
    let m = v << zeros;
    let (kept, dropped) = ((m >> 75) as u64, m << 53);
    let up = (dropped > 1 << 127 || (dropped == 1 << 127 && kept & 1 == 1)) as u64;
    f64::from_bits(((1021 - zeros as u64) << 52) + kept + up)
}

/// A complex number, or one in every lane.
#[derive(Clone, Copy)]
pub(crate) struct Complex<F> {
    pub re: F,
    pub im: F,
}

impl<F: Float> Complex<F> {
    #[inline(always)]
    pub fn conj(self) -> Self {
        Complex { re: self.re, im: -self.im }
    }
    /// The squared magnitude.
    #[inline(always)]
    pub fn norm(self) -> F {
        self.re * self.re + self.im * self.im
    }
    #[inline(always)]
    pub fn half(self) -> Self {
        Complex { re: self.re.half(), im: self.im.half() }
    }
}

impl<F: Float> Add for Complex<F> {
    type Output = Self;
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Complex { re: self.re + b.re, im: self.im + b.im }
    }
}

impl<F: Float> Sub for Complex<F> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Complex { re: self.re - b.re, im: self.im - b.im }
    }
}

impl<F: Float> Mul for Complex<F> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        Complex { re: self.re * b.re - self.im * b.im, im: self.re * b.im + self.im * b.re }
    }
}

/// The root k in every lane.
#[inline(always)]
fn root<S: Simd>(s: S, k: usize) -> Complex<S::F64> {
    Complex { re: s.splat(TABLES[0][0][k]), im: s.splat(TABLES[0][1][k]) }
}

/// The roots k, k + 1, ..., each in `times` lanes; `times` is 1, 2 or 4.
#[inline(always)]
pub(super) fn root_lanes<S: Simd>(s: S, k: usize, times: usize) -> Complex<S::F64> {
    let [re, im] = &TABLES[times.trailing_zeros() as usize];
    load(s, re, im, k * times)
}

/// The `count` roots from `first` on, again and again; `count` is a power of two (of 0, any values).
#[inline(always)]
pub(super) fn repeated_roots(first: usize, count: usize) -> [[f64; 8]; 2] {
    core::array::from_fn(|part| {
        core::array::from_fn(|lane| TABLES[0][part][first + (lane & count.saturating_sub(1))])
    })
}

/// Lanes `at..` of a polynomial in Fourier form whose halves are `re` and `im`.
#[inline(always)]
pub(super) fn load<S: Simd>(s: S, re: &[f64], im: &[f64], at: usize) -> Complex<S::F64> {
    Complex { re: s.load(&re[at..]), im: s.load(&im[at..]) }
}

#[inline(always)]
pub(super) fn store<S: Simd>(s: S, re: &mut [f64], im: &mut [f64], at: usize, value: Complex<S::F64>) {
    s.store(&mut re[at..], value.re);
    s.store(&mut im[at..], value.im);
}

/// [`Simd::unzip`] of two vectors that begin at `at`.
#[inline(always)]
fn load_unzipped<S: Simd>(
    s: S,
    block: usize,
    re: &[f64],
    im: &[f64],
    at: usize,
) -> (Complex<S::F64>, Complex<S::F64>) {
    unzip(s, block, load(s, re, im, at), load(s, re, im, at + S::LANES))
}

/// [`Simd::unzip`] of complex numbers.
#[inline(always)]
fn unzip<S: Simd>(
    s: S,
    block: usize,
    a: Complex<S::F64>,
    b: Complex<S::F64>,
) -> (Complex<S::F64>, Complex<S::F64>) {
    let ((x_re, y_re), (x_im, y_im)) = (s.unzip(block, a.re, b.re), s.unzip(block, a.im, b.im));
    (Complex { re: x_re, im: x_im }, Complex { re: y_re, im: y_im })
}

/// The inverse of [`load_unzipped`].
#[inline(always)]
fn store_zipped<S: Simd>(
    s: S,
    block: usize,
    re: &mut [f64],
    im: &mut [f64],
    at: usize,
    (x, y): (Complex<S::F64>, Complex<S::F64>),
) {
    let ((a_re, b_re), (a_im, b_im)) = (s.zip(block, x.re, y.re), s.zip(block, x.im, y.im));
    store(s, re, im, at, Complex { re: a_re, im: a_im });
    store(s, re, im, at + S::LANES, Complex { re: b_re, im: b_im });
}

/// The pairs of neighbours from the pair `u` on: their first values, their second values.
#[inline(always)]
pub(super) fn load_pairs<S: Simd>(
    s: S,
    re: &[f64],
    im: &[f64],
    u: usize,
) -> (Complex<S::F64>, Complex<S::F64>) {
    if S::LANES == 1 {
        (load(s, re, im, 2 * u), load(s, re, im, 2 * u + 1))
    } else {
        load_unzipped(s, 1, re, im, 2 * u)
    }
}

/// The inverse of [`load_pairs`].
#[inline(always)]
pub(super) fn store_pairs<S: Simd>(
    s: S,
    re: &mut [f64],
    im: &mut [f64],
    u: usize,
    (x, y): (Complex<S::F64>, Complex<S::F64>),
) {
    if S::LANES == 1 {
        store(s, re, im, 2 * u, x);
        store(s, re, im, 2 * u + 1, y);
    } else {
        store_zipped(s, 1, re, im, 2 * u, (x, y));
    }
}

/// Calls one butterfly for each pair of values that are `half` apart in blocks of twice as many; block i has the
/// root `first_root + i`. In lanes: of one block, or of several where a block is shorter than two vectors.
#[inline(always)]
fn layer<S: Simd>(
    s: S,
    (re, im): (&mut [f64], &mut [f64]),
    half: usize,
    first_root: usize,
    butterfly: impl Butterfly,
) {
    if half >= S::LANES {
        let (mut re, mut im, mut k) = (re, im, first_root);
        while !re.is_empty() {
            let ((xr, rest_re), (xi, rest_im)) = (re.split_at_mut(half), im.split_at_mut(half));
            let ((yr, rest_re), (yi, rest_im)) = (rest_re.split_at_mut(half), rest_im.split_at_mut(half));
            let w = root(s, k);
            for j in (0..half).step_by(S::LANES) {
                let (x, y) = butterfly.apply(load(s, xr, xi, j), load(s, yr, yi, j), w);
                store(s, xr, xi, j, x);
                store(s, yr, yi, j, y);
            }
            (re, im, k) = (rest_re, rest_im, k + 1);
        }
    } else if re.len() >= 2 * S::LANES {
        for at in (0..re.len()).step_by(2 * S::LANES) {
            let w = root_lanes(s, first_root + (at >> (half.trailing_zeros() + 1)), half);
            let (x, y) = load_unzipped(s, half, re, im, at);
            store_zipped(s, half, re, im, at, butterfly.apply(x, y, w));
        }
    } else {
        layer(s.half(), (re, im), half, first_root, butterfly);
    }
}

/// A layer with `half` and one with half of it, in the order of the transform, in one pass over memory.
///
/// In: `half` is at least two vectors, or 2 where a vector has one lane. `first_root` is that of the layer with `half`.
#[inline(always)]
fn two_layers<S: Simd>(
    s: S,
    (re, im): (&mut [f64], &mut [f64]),
    half: usize,
    first_root: usize,
    butterfly: impl Butterfly,
) {
    let quarter = half / 2;
    let (mut re, mut im, mut k) = (re, im, first_root);
    while !re.is_empty() {
        let ((ar, rest_re), (ai, rest_im)) = (re.split_at_mut(quarter), im.split_at_mut(quarter));
        let ((br, rest_re), (bi, rest_im)) = (rest_re.split_at_mut(quarter), rest_im.split_at_mut(quarter));
        let ((cr, rest_re), (ci, rest_im)) = (rest_re.split_at_mut(quarter), rest_im.split_at_mut(quarter));
        let ((dr, rest_re), (di, rest_im)) = (rest_re.split_at_mut(quarter), rest_im.split_at_mut(quarter));
        let roots = [root(s, k), root(s, 2 * k), root(s, 2 * k + 1)];
        for j in (0..quarter).step_by(S::LANES) {
            let (a, b) = (load(s, ar, ai, j), load(s, br, bi, j));
            let (c, d) = (load(s, cr, ci, j), load(s, dr, di, j));
            let [a, b, c, d] = butterfly.apply_two([a, b, c, d], roots);
            store(s, ar, ai, j, a);
            store(s, br, bi, j, b);
            store(s, cr, ci, j, c);
            store(s, dr, di, j, d);
        }
        (re, im, k) = (rest_re, rest_im, k + 1);
    }
}

/// The two values that take the places of x and y; w is the root.
trait Butterfly {
    fn apply<F: Float>(&self, x: Complex<F>, y: Complex<F>, w: Complex<F>) -> (Complex<F>, Complex<F>);
    /// Those of two layers on the quarters of a block: the root of its halves, and those of its quarters.
    fn apply_two<F: Float>(&self, quarters: [Complex<F>; 4], roots: [Complex<F>; 3]) -> [Complex<F>; 4];
}

struct Forward;

impl Butterfly for Forward {
    #[inline(always)]
    fn apply<F: Float>(&self, x: Complex<F>, y: Complex<F>, w: Complex<F>) -> (Complex<F>, Complex<F>) {
        let y = y * w;
        (x + y, x - y)
    }
    #[inline(always)]
    fn apply_two<F: Float>(
        &self,
        [a, b, c, d]: [Complex<F>; 4],
        [halves, first, second]: [Complex<F>; 3],
    ) -> [Complex<F>; 4] {
        let ((a, c), (b, d)) = (self.apply(a, c, halves), self.apply(b, d, halves));
        let ((a, b), (c, d)) = (self.apply(a, b, first), self.apply(c, d, second));
        [a, b, c, d]
    }
}

struct Backward;

impl Butterfly for Backward {
    #[inline(always)]
    fn apply<F: Float>(&self, x: Complex<F>, y: Complex<F>, w: Complex<F>) -> (Complex<F>, Complex<F>) {
        (x + y, (x - y) * w.conj())
    }
    #[inline(always)]
    fn apply_two<F: Float>(
        &self,
        [a, b, c, d]: [Complex<F>; 4],
        [halves, first, second]: [Complex<F>; 3],
    ) -> [Complex<F>; 4] {
        let ((a, b), (c, d)) = (self.apply(a, b, first), self.apply(c, d, second));
        let ((a, c), (b, d)) = (self.apply(a, c, halves), self.apply(b, d, halves));
        [a, b, c, d]
    }
}

/// Coefficients to Fourier form, in place. `a.len()` is a power of two, 2 to 1024.
#[inline(always)]
pub(crate) fn fft<S: Simd>(s: S, a: &mut [f64]) {
    let (re, im) = a.split_at_mut(a.len() / 2);
    let points = re.len();
    let first_root = |half: usize| points >> half.trailing_zeros();
    let mut half = re.len() / 2;
    // One layer alone where their number is odd.
    if half.trailing_zeros().is_multiple_of(2) && half > 0 {
        layer(s, (re, im), half, first_root(half), Forward);
        half /= 2;
    }
    while half >= 2 * S::LANES {
        two_layers(s, (re, im), half, first_root(half), Forward);
        half /= 4;
    }
    while half > 0 {
        layer(s, (re, im), half, first_root(half), Forward);
        half /= 2;
    }
}

/// Fourier form to coefficients, in place.
#[inline(always)]
pub(crate) fn ifft<S: Simd>(s: S, a: &mut [f64]) {
    let n = a.len();
    let (re, im) = a.split_at_mut(n / 2);
    let points = re.len();
    let first_root = |half: usize| points >> half.trailing_zeros();
    let mut half = 1;
    while half < S::LANES.min(re.len()) {
        layer(s, (re, im), half, first_root(half), Backward);
        half *= 2;
    }
    while 2 * half < re.len() {
        two_layers(s, (re, im), 2 * half, first_root(2 * half), Backward);
        half *= 4;
    }
    if half < re.len() {
        layer(s, (re, im), half, first_root(half), Backward);
    }
    mul_const(s, a, two_over(n));
}

/// 2 / n, a power of two, by its exponent: the emulation uses no hardware doubles.
#[inline(always)]
pub(super) fn two_over(n: usize) -> f64 {
    f64::from_bits(u64::from(1024 - n.trailing_zeros()) << 52)
}

/// The even and the odd half of `f` (f = f0(x^2) + x f1(x^2)), all in Fourier form. In: `f.len() >= 4`.
#[inline(always)]
pub(crate) fn split<S: Simd>(s: S, f0: &mut [f64], f1: &mut [f64], f: &[f64]) {
    let half = f.len() / 2;
    let (re, im) = f.split_at(half);
    let ((r0, i0), (r1, i1)) = (f0.split_at_mut(half / 2), f1.split_at_mut(half / 2));
    if half / 2 >= S::LANES {
        for u in (0..half / 2).step_by(S::LANES) {
            let (a, b) = load_pairs(s, re, im, u);
            store(s, r0, i0, u, (a + b).half());
            store(s, r1, i1, u, ((a - b) * root_lanes(s, half + u, 1).conj()).half());
        }
    } else {
        split(s.half(), f0, f1, f);
    }
}

/// [`split`] of two vectors of neighbours, a and b: their pairs become one vector of each half. `roots`: those of the
/// pairs, from the root `f.len() / 2` on.
#[inline(always)]
pub(super) fn split_pairs<S: Simd>(
    s: S,
    a: Complex<S::F64>,
    b: Complex<S::F64>,
    roots: Complex<S::F64>,
) -> (Complex<S::F64>, Complex<S::F64>) {
    let (a, b) = if S::LANES == 1 { (a, b) } else { unzip(s, 1, a, b) };
    ((a + b).half(), ((a - b) * roots.conj()).half())
}

/// The inverse of [`split`].
#[inline(always)]
pub(crate) fn merge<S: Simd>(s: S, f: &mut [f64], f0: &[f64], f1: &[f64]) {
    let half = f.len() / 2;
    let (re, im) = f.split_at_mut(half);
    let ((r0, i0), (r1, i1)) = (f0.split_at(half / 2), f1.split_at(half / 2));
    if half / 2 >= S::LANES {
        for u in (0..half / 2).step_by(S::LANES) {
            let a = load(s, r0, i0, u);
            let b = load(s, r1, i1, u) * root_lanes(s, half + u, 1);
            store_pairs(s, re, im, u, (a + b, a - b));
        }
    } else {
        merge(s.half(), f, f0, f1);
    }
}

/// `a[i] = f(a[i], b[i])` on complex lanes of equal-length polynomials in Fourier form.
#[inline(always)]
fn pointwise<S: Simd>(
    s: S,
    a: &mut [f64],
    b: &[f64],
    f: impl Fn(Complex<S::F64>, Complex<S::F64>) -> Complex<S::F64>,
) {
    let half = a.len() / 2;
    let ((ar, ai), (br, bi)) = (a.split_at_mut(half), b.split_at(half));
    let (ai, bi) = (&mut ai[..half], &bi[..half]);
    if half >= S::LANES {
        for j in (0..half).step_by(S::LANES) {
            let value = f(load(s, ar, ai, j), load(s, br, bi, j));
            store(s, ar, ai, j, value);
        }
    } else {
        // A polynomial shorter than a vector: through a buffer as long as the widest one.
        let mut buffer = [[1.0; 8]; 4];
        for (to, from) in buffer.iter_mut().zip([&*ar, &*ai, br, bi]) {
            to[..half].copy_from_slice(from);
        }
        let [xr, xi, yr, yi] = &mut buffer;
        let value = f(load(s, xr, xi, 0), load(s, yr, yi, 0));
        store(s, xr, xi, 0, value);
        ar.copy_from_slice(&xr[..half]);
        ai.copy_from_slice(&xi[..half]);
    }
}

/// a += b, in either form.
#[inline(always)]
pub(crate) fn add<S: Simd>(s: S, a: &mut [f64], b: &[f64]) {
    pointwise(
        s,
        a,
        b,
        #[inline(always)]
        |x, y| x + y,
    );
}

/// a *= b.
#[inline(always)]
pub(crate) fn mul<S: Simd>(s: S, a: &mut [f64], b: &[f64]) {
    pointwise(
        s,
        a,
        b,
        #[inline(always)]
        |x, y| x * y,
    );
}

/// a *= adjoint of b.
#[inline(always)]
pub(crate) fn mul_adj<S: Simd>(s: S, a: &mut [f64], b: &[f64]) {
    pointwise(
        s,
        a,
        b,
        #[inline(always)]
        |x, y| x * y.conj(),
    );
}

/// a *= b where b is self-adjoint (its imaginary half is not read).
#[inline(always)]
pub(crate) fn mul_self_adjoint<S: Simd>(s: S, a: &mut [f64], b: &[f64]) {
    pointwise(
        s,
        a,
        b,
        #[inline(always)]
        |x, y| Complex { re: x.re * y.re, im: x.im * y.re },
    );
}

/// a = 1 / (|a|^2 + |b|^2), imaginary half zero.
#[inline(always)]
pub(crate) fn inv_norm2<S: Simd>(s: S, a: &mut [f64], b: &[f64]) {
    let (one, zero) = (s.splat(1.0), s.splat(0.0));
    pointwise(
        s,
        a,
        b,
        #[inline(always)]
        |x, y| Complex { re: one / (x.norm() + y.norm()), im: zero },
    );
}

/// a = adjoint of a.
#[inline(always)]
pub(crate) fn adj<S: Simd>(a: &mut [f64]) {
    let half = a.len() / 2;
    for x in &mut a[half..] {
        *x = (-S::Real::new(*x)).get();
    }
}

/// a *= c, in either form.
#[inline(always)]
pub(crate) fn mul_const<S: Simd>(s: S, a: &mut [f64], c: f64) {
    if a.len() < S::LANES {
        return mul_const(s.half(), a, c);
    }
    let c = s.splat(c);
    for x in a.chunks_exact_mut(S::LANES) {
        let value = s.load(x) * c;
        s.store(x, value);
    }
}

/// One step of the LDL decomposition of [[g00, g01], [adj g01, g11]] (specification, algorithm 8) at one place: d11 =
/// g11 - (g01 / g00) adj(g01) and l10 = adj(g01 / g00); d00 is g00. `one` is 1.
#[inline(always)]
pub(crate) fn ldl<F: Float>(one: F, [a, b, c]: [Complex<F>; 3]) -> (Complex<F>, Complex<F>) {
    let scale = one / a.norm();
    let mu = b * Complex { re: a.re * scale, im: -a.im * scale };
    (c - mu * b.conj(), mu.conj())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Scalar, Soft};

    fn sample(n: usize, seed: u64) -> Vec<f64> {
        let mut x = seed;
        let next = |_| {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((x >> 40) as i32 % 1000 - 500) as f64
        };
        (0..n).map(next).collect()
    }

    fn bits(a: &[f64]) -> Vec<u64> {
        a.iter().map(|x| x.to_bits()).collect()
    }

    #[test]
    fn roots_are_what_libm_says() {
        for (k, (c, s)) in ROOTS.iter().enumerate() {
            let angle = core::f64::consts::PI * f64::from((k as u16).reverse_bits() >> 6) / 1024.0;
            assert!((c - angle.cos()).abs() < 1e-15 && (s - angle.sin()).abs() < 1e-15, "root {k}");
        }
        assert_eq!(ROOTS[1], (0.0, 1.0));
        assert_eq!(ROOTS[2], (core::f64::consts::FRAC_1_SQRT_2, core::f64::consts::FRAC_1_SQRT_2));
    }

    #[test]
    fn multiplication_is_that_of_polynomials() {
        for n in [2, 4, 8, 64, 1024] {
            let (a, b) = (sample(n, 1), sample(n, 2));
            let mut want = vec![0.0; n];
            for i in 0..n {
                for j in 0..n {
                    let sign = if i + j >= n { -1.0 } else { 1.0 };
                    want[(i + j) % n] += sign * a[i] * b[j];
                }
            }
            let (mut x, mut y) = (a, b);
            fft(Scalar::get(), &mut x);
            fft(Scalar::get(), &mut y);
            mul(Scalar::get(), &mut x, &y);
            ifft(Scalar::get(), &mut x);
            for (got, want) in x.iter().zip(&want) {
                assert!((got - want).abs() < 1e-3, "n = {n}: {got} {want}");
            }
        }
    }

    #[test]
    fn split_and_merge_are_inverse_and_split_is_even_and_odd() {
        let n = 64;
        let f = sample(n, 3);
        let mut x = f.clone();
        fft(Scalar::get(), &mut x);
        let (mut f0, mut f1) = (vec![0.0; n / 2], vec![0.0; n / 2]);
        split(Scalar::get(), &mut f0, &mut f1, &x);
        let mut back = vec![0.0; n];
        merge(Scalar::get(), &mut back, &f0, &f1);
        assert!(back.iter().zip(&x).all(|(a, b)| (a - b).abs() < 1e-9));
        ifft(Scalar::get(), &mut f0);
        ifft(Scalar::get(), &mut f1);
        for i in 0..n / 2 {
            assert!((f0[i] - f[2 * i]).abs() < 1e-9 && (f1[i] - f[2 * i + 1]).abs() < 1e-9);
        }
    }

    #[test]
    fn soft_gives_the_same_bits() {
        for n in [2, 4, 16, 512, 1024] {
            let (mut a, b) = (sample(n, 5), sample(n, 6));
            let mut c = a.clone();
            fft(Scalar::get(), &mut a);
            fft(Soft::get(), &mut c);
            assert_eq!(bits(&a), bits(&c));
            inv_norm2(Scalar::get(), &mut a, &b);
            inv_norm2(Soft::get(), &mut c, &b);
            assert_eq!(bits(&a), bits(&c));
            ifft(Scalar::get(), &mut a);
            ifft(Soft::get(), &mut c);
            assert_eq!(bits(&a), bits(&c));
        }
    }
}
