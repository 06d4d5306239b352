//! Fourier form of real polynomials modulo x^n + 1, and arithmetic in it (specification 3.8.1 and 3.9).
//!
//! A polynomial of degree n takes n doubles, in either form. In Fourier form these are the n/2 values at one root
//! of each conjugate pair: all real parts, then all imaginary parts, in bit-reversed order of the roots. The
//! order of operations is that of the reference program, so that the bits are too. Next: [`super::ff_sampling`].

use crate::simd::{Float, Real, Simd};
use core::ops::{Add, Mul, Sub};

/// exp(i * pi * rev(k) / 1024) for k < 1024, `rev` reversing 10 bits: the root that the butterfly k multiplies by.
pub(crate) static ROOTS: [(f64, f64); 1024] = roots();

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

#[inline(always)]
fn root<S: Simd>(s: S, k: usize) -> Complex<S::F64> {
    Complex { re: s.splat(ROOTS[k].0), im: s.splat(ROOTS[k].1) }
}

#[inline(always)]
pub(super) fn real_root<R: Real>(k: usize) -> Complex<R> {
    Complex { re: R::new(ROOTS[k].0), im: R::new(ROOTS[k].1) }
}

/// Lanes `at..` of a polynomial in Fourier form whose halves are `re` and `im`.
#[inline(always)]
fn load<S: Simd>(s: S, re: &[f64], im: &[f64], at: usize) -> Complex<S::F64> {
    Complex { re: s.load(&re[at..]), im: s.load(&im[at..]) }
}

#[inline(always)]
fn store<S: Simd>(s: S, re: &mut [f64], im: &mut [f64], at: usize, value: Complex<S::F64>) {
    s.store(&mut re[at..], value.re);
    s.store(&mut im[at..], value.im);
}

#[inline(always)]
pub(super) fn real_at<R: Real>(re: &[f64], im: &[f64], at: usize) -> Complex<R> {
    Complex { re: R::new(re[at]), im: R::new(im[at]) }
}

#[inline(always)]
pub(super) fn set_real<R: Real>(re: &mut [f64], im: &mut [f64], at: usize, value: Complex<R>) {
    re[at] = value.re.get();
    im[at] = value.im.get();
}

/// Coefficients to Fourier form, in place. `a.len()` is a power of two, 2 to 1024.
#[inline(always)]
pub(crate) fn fft<S: Simd>(s: S, a: &mut [f64]) {
    let (re, im) = a.split_at_mut(a.len() / 2);
    let mut block = re.len();
    let mut first_root = 2;
    while block > 1 {
        let half = block / 2;
        for (i, (re, im)) in re.chunks_exact_mut(block).zip(im.chunks_exact_mut(block)).enumerate() {
            let (xr, yr) = re.split_at_mut(half);
            let (xi, yi) = im.split_at_mut(half);
            if half >= S::LANES {
                let w = root(s, first_root + i);
                for j in (0..half).step_by(S::LANES) {
                    let x = load(s, xr, xi, j);
                    let y = load(s, yr, yi, j) * w;
                    store(s, xr, xi, j, x + y);
                    store(s, yr, yi, j, x - y);
                }
            } else {
                let w = real_root::<S::Real>(first_root + i);
                for j in 0..half {
                    let x = real_at(xr, xi, j);
                    let y = real_at(yr, yi, j) * w;
                    set_real(xr, xi, j, x + y);
                    set_real(yr, yi, j, x - y);
                }
            }
        }
        block = half;
        first_root *= 2;
    }
}

/// Fourier form to coefficients, in place.
#[inline(always)]
pub(crate) fn ifft<S: Simd>(s: S, a: &mut [f64]) {
    let n = a.len();
    let (re, im) = a.split_at_mut(n / 2);
    let mut half = 1;
    let mut first_root = n / 2;
    while half < n / 2 {
        for (i, (re, im)) in re.chunks_exact_mut(2 * half).zip(im.chunks_exact_mut(2 * half)).enumerate() {
            let (xr, yr) = re.split_at_mut(half);
            let (xi, yi) = im.split_at_mut(half);
            if half >= S::LANES {
                let w = root(s, first_root + i).conj();
                for j in (0..half).step_by(S::LANES) {
                    let (x, y) = (load(s, xr, xi, j), load(s, yr, yi, j));
                    store(s, xr, xi, j, x + y);
                    store(s, yr, yi, j, (x - y) * w);
                }
            } else {
                let w = real_root::<S::Real>(first_root + i).conj();
                for j in 0..half {
                    let (x, y) = (real_at(xr, xi, j), real_at(yr, yi, j));
                    set_real(xr, xi, j, x + y);
                    set_real(yr, yi, j, (x - y) * w);
                }
            }
        }
        half *= 2;
        first_root /= 2;
    }
    mul_const(s, a, 2.0 / n as f64);
}

/// The even and the odd half of `f` (f = f0(x^2) + x f1(x^2)), all in Fourier form. In: `f.len() >= 4`.
#[inline(always)]
pub(crate) fn split<S: Simd>(f0: &mut [f64], f1: &mut [f64], f: &[f64]) {
    let (re, im) = f.split_at(f.len() / 2);
    let quarter = re.len() / 2;
    let ((r0, i0), (r1, i1)) = (f0.split_at_mut(quarter), f1.split_at_mut(quarter));
    let (i0, r1, i1) = (&mut i0[..quarter], &mut r1[..quarter], &mut i1[..quarter]);
    for (u, (re, im)) in re.chunks_exact(2).zip(im.chunks_exact(2)).enumerate().take(quarter) {
        let (a, b) = (real_at::<S::Real>(re, im, 0), real_at(re, im, 1));
        set_real(r0, i0, u, (a + b).half());
        set_real(r1, i1, u, ((a - b) * real_root(2 * quarter + u).conj()).half());
    }
}

/// The inverse of [`split`].
#[inline(always)]
pub(crate) fn merge<S: Simd>(f: &mut [f64], f0: &[f64], f1: &[f64]) {
    let (re, im) = f.split_at_mut(f.len() / 2);
    let quarter = re.len() / 2;
    let ((r0, i0), (r1, i1)) = (f0.split_at(quarter), f1.split_at(quarter));
    let (i0, r1, i1) = (&i0[..quarter], &r1[..quarter], &i1[..quarter]);
    for (u, (re, im)) in re.chunks_exact_mut(2).zip(im.chunks_exact_mut(2)).enumerate().take(quarter) {
        let a = real_at::<S::Real>(r0, i0, u);
        let b = real_at(r1, i1, u) * real_root(2 * quarter + u);
        set_real(re, im, 0, a + b);
        set_real(re, im, 1, a - b);
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

/// a = a times its adjoint: squared magnitudes, imaginary half zero.
#[inline(always)]
pub(crate) fn norm<S: Simd>(s: S, a: &mut [f64]) {
    let zero = s.splat(0.0);
    let half = a.len() / 2;
    debug_assert!(half >= S::LANES);
    let (re, im) = a.split_at_mut(half);
    for j in (0..half).step_by(S::LANES) {
        let x = load(s, re, im, j);
        store(s, re, im, j, Complex { re: x.re * x.re + x.im * x.im, im: zero });
    }
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
        |x, y| {
            let sum = (x.re * x.re + x.im * x.im) + (y.re * y.re + y.im * y.im);
            Complex { re: one / sum, im: zero }
        },
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
pub(crate) fn mul_const<S: Simd>(_s: S, a: &mut [f64], c: f64) {
    let c = S::Real::new(c);
    for x in a {
        *x = (S::Real::new(*x) * c).get();
    }
}

/// One step of the LDL decomposition of [[g00, g01], [adj g01, g11]] (specification, algorithm 8):
/// l10 = adj(g01 / g00), d11 = g11 - (g01 / g00) adj(g01); d00 is g00.
#[inline(always)]
pub(crate) fn ldl<R: Real>(d11: &mut [f64], l10: &mut [f64], g00: &[f64], g01: &[f64], g11: &[f64]) {
    let half = d11.len() / 2;
    let one = R::new(1.0);
    for j in 0..half {
        let at = |g: &[f64]| Complex { re: R::new(g[j]), im: R::new(g[j + half]) };
        let (a, b, c) = (at(g00), at(g01), at(g11));
        let scale = one / (a.re * a.re + a.im * a.im);
        let mu = b * Complex { re: a.re * scale, im: -a.im * scale };
        let d = c - mu * b.conj();
        (d11[j], d11[j + half]) = (d.re.get(), d.im.get());
        (l10[j], l10[j + half]) = (mu.re.get(), (-mu.im).get());
    }
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
        split::<Scalar>(&mut f0, &mut f1, &x);
        let mut back = vec![0.0; n];
        merge::<Scalar>(&mut back, &f0, &f1);
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
