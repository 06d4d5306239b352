//! Arithmetic modulo q = 12289 and modulo x^n + 1: what verification, the public key and G need.
//!
//! Values are 16-bit signed integers, some representative of their class modulo q; products are Montgomery
//! products with R = 2^16. Everything here takes the same time for all values, since f and g pass through it, and
//! gives the same integers on every backend.

use super::params::{MAX_N, Q};
use crate::simd::{Int16, MAX_LANES16, Simd};

/// q as a lane.
const MODULUS: i16 = Q as i16;
/// 1/q mod 2^16: 12289 * 53249 = 1 + 9985 * 2^16.
const Q_INVERSE: i16 = 53249u16 as i16;
/// 11 generates the multiplicative group: its power (q - 1) / 2048 is a primitive 2048th root of unity.
const PSI: u32 = power(11, (Q - 1) / 2048);
/// The layers of the largest degree.
const MAX_LAYERS: usize = 10;

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

/// A factor of Montgomery products, known in advance.
#[derive(Clone, Copy)]
struct Factor<V> {
    value: V,
    /// value / q mod 2^16.
    over_q: V,
}

impl Factor<i16> {
    /// The factor whose Montgomery product multiplies by `value`.
    const fn new(value: u32) -> Factor<i16> {
        Factor::of(times_r(value, 1))
    }

    const fn of(value: i16) -> Factor<i16> {
        Factor { value, over_q: value.wrapping_mul(Q_INVERSE) }
    }

    #[inline(always)]
    fn splat<S: Simd>(self, s: S) -> Factor<S::I16> {
        Factor { value: s.splat_i16(self.value), over_q: s.splat_i16(self.over_q) }
    }
}

/// A factor of least magnitude is at most this.
const FACTOR_BOUND: i32 = Q as i32 / 2;

/// Bound of a Montgomery product: (|a| |b| + 2^15 q) / 2^16.
const fn product_bound(a: i32, b: i32) -> i32 {
    ((a * b) >> 16) + Q as i32 / 2 + 1
}

/// Bound of what [`reduce`] gives: the product with the class of R.
const fn reduced_bound(a: i32) -> i32 {
    product_bound(a, times_r(1, 1) as i32)
}

/// a b / R mod q, for every a. Out: at most `product_bound`.
#[inline(always)]
fn product<S: Simd>(s: S, a: S::I16, b: Factor<S::I16>) -> S::I16 {
    // m q = a b mod 2^16, so that the low halves cancel.
    let m = a * b.over_q;
    a.mul_high(b.value) - m.mul_high(s.splat_i16(MODULUS))
}

/// The same class with a smaller representative. Out: at most `reduced_bound`.
#[inline(always)]
fn reduce<S: Simd>(s: S, a: S::I16) -> S::I16 {
    product(s, a, Factor::new(1).splat(s))
}

/// The roots of every layer, in lanes: a layer with fewer roots than lanes has them again and again.
struct Roots {
    value: [i16; ROOTS_LEN],
    over_q: [i16; ROOTS_LEN],
}

/// Where the roots of a layer begin in the tables; the last is their end.
const LAYER_START: [usize; MAX_LAYERS + 1] = {
    let mut start = [0; MAX_LAYERS + 1];
    let mut layer = 0;
    while layer < MAX_LAYERS {
        start[layer + 1] = start[layer] + layer_len(layer);
        layer += 1;
    }
    start
};
const ROOTS_LEN: usize = LAYER_START[MAX_LAYERS];

/// Roots that a layer has in the tables: 2^layer, but at least a vector.
const fn layer_len(layer: usize) -> usize {
    if 1 << layer < MAX_LANES16 { MAX_LANES16 } else { 1 << layer }
}

/// Layer l multiplies block i of 2^l by root^(bits of 2^l + i reversed over 10 bits).
const fn roots(root: u32) -> Roots {
    let mut table = Roots { value: [0; ROOTS_LEN], over_q: [0; ROOTS_LEN] };
    let mut layer = 0;
    while layer < MAX_LAYERS {
        let mut i = 0;
        while i < layer_len(layer) {
            let k = (1 << layer) + (i & ((1 << layer) - 1));
            let factor = Factor::new(power(root, ((k as u16).reverse_bits() >> 6) as u32));
            table.value[LAYER_START[layer] + i] = factor.value;
            table.over_q[LAYER_START[layer] + i] = factor.over_q;
            i += 1;
        }
        layer += 1;
    }
    table
}

static FORWARD: Roots = roots(PSI);
static BACKWARD: Roots = roots(power(PSI, 2047));

impl Roots {
    /// The roots of the butterflies `at`, `at + 1`, ... of a layer; `at` is a multiple of the lanes.
    #[inline(always)]
    fn load<S: Simd>(&self, s: S, layer: usize, at: usize) -> Factor<S::I16> {
        let at = LAYER_START[layer] + (at & (layer_len(layer) - 1));
        Factor { value: s.load_i16(&self.value[at..]), over_q: s.load_i16(&self.over_q[at..]) }
    }
}

/// What the assembly of a layer multiplies by.
#[cfg(target_arch = "riscv64")]
pub(super) struct LayerFactors {
    /// The roots, and the roots over q; after the last the first comes again.
    pub value: &'static [i16],
    pub over_q: &'static [i16],
    /// The factor 1, its value in the low half, over q in the high half, where the layer reduces; otherwise 0.
    pub unit: u32,
}

#[cfg(target_arch = "riscv64")]
impl LayerFactors {
    fn new(roots: &'static Roots, layer: usize, reduces: bool) -> LayerFactors {
        const UNIT: Factor<i16> = Factor::new(1);
        let unit = UNIT.value as u16 as u32 | (UNIT.over_q as u16 as u32) << 16;
        let place = LAYER_START[layer]..LAYER_START[layer] + layer_len(layer);
        let (value, over_q) = (&roots.value[place.clone()], &roots.over_q[place]);
        LayerFactors { value, over_q, unit: if reduces { unit } else { 0 } }
    }

    /// Those of a layer of [`ntt`].
    pub fn forward(layer: usize) -> LayerFactors {
        LayerFactors::new(&FORWARD, layer, forward_reduces(layer))
    }

    /// Those of a step and layer of [`intt`].
    pub fn backward(step: usize, layer: usize) -> LayerFactors {
        LayerFactors::new(&BACKWARD, layer, backward_reduces(step))
    }
}

/// Bound of the coefficients that [`ntt`] takes.
const NTT_IN: i16 = Q as i16 / 2;

/// Whether layer `layer` of [`ntt`] reduces its first operand.
const fn forward_reduces(layer: usize) -> bool {
    matches!(layer, 3 | 5 | 8)
}

/// Bound of the values after `layers` layers of [`ntt`]; fails to compile where one does not fit in 16 bits.
const fn forward_bound(layers: usize) -> i32 {
    let (mut bound, mut layer) = (NTT_IN as i32, 0);
    while layer < layers {
        let first = if forward_reduces(layer) { reduced_bound(bound) } else { bound };
        bound = first + product_bound(bound, FACTOR_BOUND);
        assert!(bound <= i16::MAX as i32);
        layer += 1;
    }
    bound
}

/// Bound of what [`ntt`] gives.
const NTT_OUT: i32 = {
    let (a, b) = (forward_bound(MAX_LAYERS - 1), forward_bound(MAX_LAYERS));
    if a > b { a } else { b }
};

/// Bound of what [`to_factor`] makes of [`NTT_OUT`], and of the products of the two.
const MONTGOMERY_BOUND: i32 = product_bound(NTT_OUT, FACTOR_BOUND);
const INTT_IN: i32 = product_bound(NTT_OUT, MONTGOMERY_BOUND);

/// Whether step `step` of [`intt`] reduces its sums.
const fn backward_reduces(step: usize) -> bool {
    step % 3 != 1
}

/// Bound of the values after `steps` steps of [`intt`]; fails to compile where one does not fit in 16 bits.
const fn backward_bound(steps: usize) -> i32 {
    let (mut bound, mut step) = (INTT_IN, 0);
    while step < steps {
        // Both sum and difference must fit before they are reduced or multiplied.
        assert!(2 * bound <= i16::MAX as i32);
        let sum = if backward_reduces(step) { reduced_bound(2 * bound) } else { 2 * bound };
        let difference = product_bound(2 * bound, FACTOR_BOUND);
        bound = if sum > difference { sum } else { difference };
        step += 1;
    }
    bound
}

/// What [`intt`] gives is below q in magnitude, so that one addition gives the representative in [0, q).
const _: () = assert!(backward_bound(MAX_LAYERS - 1) < Q as i32 && backward_bound(MAX_LAYERS) < Q as i32);

fn fits(a: &[i16], bound: i32) -> bool {
    a.iter().all(|x| i32::from(*x).abs() <= bound)
}

/// What the layers write and read in turn, between the first one and the last: two polynomials one behind the other, on
/// a cache line, so that no vector lies in two lines.
#[repr(align(64))]
struct Between([[i16; MAX_N]; 2]);

impl Between {
    #[inline(always)]
    fn polynomials(&mut self, n: usize) -> (&mut [i16], &mut [i16]) {
        let [first, second] = &mut self.0;
        (&mut first[..n], &mut second[..n])
    }
}

/// The values of a polynomial at the roots of x^n + 1.
///
/// Each layer pairs the two halves of the array and puts the results side by side, so that all layers are alike
/// for every number of lanes: the index turns by one bit a layer and is back after the last.
///
/// In: n coefficients of at most `NTT_IN`, normal order. Out: n values of at most `NTT_OUT`, bit-reversed order.
#[inline(always)]
pub(crate) fn ntt<S: Simd>(s: S, a: &mut [i16]) {
    forward_layers(
        a,
        #[inline(always)]
        |layer, from, to| forward_layer(s, layer, from, to),
    );
}

/// The layers of [`ntt`], each by a call with its number, from one array into another.
#[inline(always)]
pub(super) fn forward_layers(a: &mut [i16], run: impl Fn(usize, &[i16], &mut [i16])) {
    debug_assert!(fits(a, NTT_IN.into()));
    let last = a.len().ilog2() as usize - 1;
    let mut between = Between([[0; MAX_N]; 2]);
    let (mut from, mut to) = between.polynomials(a.len());
    run(0, a, from);
    for layer in 1..last {
        run(layer, from, to);
        (from, to) = (to, from);
    }
    run(last, from, a);
    debug_assert!(fits(a, NTT_OUT));
}

#[inline(always)]
fn forward_layer<S: Simd>(s: S, layer: usize, from: &[i16], to: &mut [i16]) {
    let (x, y) = from.split_at(from.len() / 2);
    let pairs = x.chunks_exact(S::LANES16).zip(y.chunks_exact(S::LANES16));
    let reduces = forward_reduces(layer);
    for (i, ((x, y), to)) in pairs.zip(to.chunks_exact_mut(2 * S::LANES16)).enumerate() {
        let u = s.load_i16(x);
        let u = if reduces { reduce(s, u) } else { u };
        let v = product(s, s.load_i16(y), FORWARD.load(s, layer, i * S::LANES16));
        let (first, second) = s.zip_i16(u + v, u - v);
        s.store_i16(to, first);
        s.store_i16(&mut to[S::LANES16..], second);
    }
}

/// The inverse of [`ntt`], times n (see [`to_factor`]).
///
/// In: n values of at most `INTT_IN`, bit-reversed order. Out: n coefficients below q in magnitude, normal order.
#[inline(always)]
pub(crate) fn intt<S: Simd>(s: S, a: &mut [i16]) {
    backward_layers(
        a,
        #[inline(always)]
        |step, layer, from, to| backward_layer(s, step, layer, from, to),
    );
}

/// The layers of [`intt`], each by a call with the number of the step and of the layer, from one array into another.
#[inline(always)]
pub(super) fn backward_layers(a: &mut [i16], run: impl Fn(usize, usize, &[i16], &mut [i16])) {
    debug_assert!(fits(a, INTT_IN));
    let last = a.len().ilog2() as usize - 1;
    let mut between = Between([[0; MAX_N]; 2]);
    let (mut from, mut to) = between.polynomials(a.len());
    run(0, last, a, from);
    for step in 1..last {
        run(step, last - step, from, to);
        (from, to) = (to, from);
    }
    run(last, 0, from, a);
    debug_assert!(fits(a, Q as i32 - 1));
}

#[inline(always)]
fn backward_layer<S: Simd>(s: S, step: usize, layer: usize, from: &[i16], to: &mut [i16]) {
    let (x, y) = to.split_at_mut(from.len() / 2);
    let pairs = x.chunks_exact_mut(S::LANES16).zip(y.chunks_exact_mut(S::LANES16));
    let reduces = backward_reduces(step);
    for (i, ((x, y), from)) in pairs.zip(from.chunks_exact(2 * S::LANES16)).enumerate() {
        let (u, v) = s.unzip_i16(s.load_i16(from), s.load_i16(&from[S::LANES16..]));
        let sum = if reduces { reduce(s, u + v) } else { u + v };
        s.store_i16(x, sum);
        s.store_i16(y, product(s, u - v, BACKWARD.load(s, layer, i * S::LANES16)));
    }
}

/// What [`intt`] gives, divided by n and in [0, q).
#[inline(always)]
pub(crate) fn divide_by_n<S: Simd>(s: S, a: &mut [i16]) {
    let factor = Factor::new(power(a.len() as u32, Q - 2)).splat(s);
    for a in a.chunks_exact_mut(S::LANES16) {
        s.store_i16(a, unsigned(s, product(s, s.load_i16(a), factor)));
    }
}

/// Values as the second factor of a [`mul`] whose product goes to [`intt`]: times R/n.
#[inline(always)]
pub(crate) fn to_factor<S: Simd>(s: S, a: &mut [i16]) {
    let n_inverse = power(a.len() as u32, Q - 2);
    let factor = Factor::of(times_r(n_inverse, 2)).splat(s);
    for a in a.chunks_exact_mut(S::LANES16) {
        s.store_i16(a, product(s, s.load_i16(a), factor));
    }
}

/// a[i] = a[i] b[i] / R. In: a at most `NTT_OUT`, b from [`to_factor`]. Out: at most `INTT_IN`.
#[inline(always)]
pub(crate) fn mul<S: Simd>(s: S, a: &mut [i16], b: &[i16]) {
    debug_assert!(fits(a, NTT_OUT) && fits(b, MONTGOMERY_BOUND));
    for (a, b) in a.chunks_exact_mut(S::LANES16).zip(b.chunks_exact(S::LANES16)) {
        s.store_i16(a, product(s, s.load_i16(a), factor_of(s, s.load_i16(b))));
    }
}

#[inline(always)]
fn factor_of<S: Simd>(s: S, value: S::I16) -> Factor<S::I16> {
    Factor { value, over_q: value * s.splat_i16(Q_INVERSE) }
}

/// a[i] = a[i] / b[i]; gives 0 where no b[i] is 0, else 1 (some of the quotients are then 0).
///
/// In: both at most `NTT_OUT`. Out: at most `INTT_IN`.
#[inline(always)]
pub(crate) fn div<S: Simd>(s: S, a: &mut [i16], b: &[i16]) -> u32 {
    debug_assert!(fits(a, NTT_OUT) && fits(b, NTT_OUT));
    let r2 = Factor::of(times_r(1, 2)).splat(s);
    // Four values are inverted by one inversion of their product.
    let quarter = a.len() / 4;
    let mut zeros = s.splat_i16(0);
    for at in (0..quarter).step_by(S::LANES16) {
        let mut y = [s.splat_i16(0); 4];
        for (i, y) in y.iter_mut().enumerate() {
            // In Montgomery form, which products and powers keep.
            *y = product(s, s.load_i16(&b[i * quarter + at..]), r2);
            // Less 1 for a zero; no lane has more than 2^10 of them.
            zeros = zeros + (unsigned(s, *y) - s.splat_i16(1)).sign_mask();
        }
        let [w, x, y, z] = y;
        let (w, x, y, z) = (factor_of(s, w), factor_of(s, x), factor_of(s, y), factor_of(s, z));
        let (low, high) = (multiply(s, w, x), multiply(s, y, z));
        let all = inverse(s, multiply(s, low, high));
        let (low, high) = (multiply(s, high, all), multiply(s, low, all));
        let inverses = [multiply(s, x, low), multiply(s, w, low), multiply(s, z, high), multiply(s, y, high)];
        for (i, inverse) in inverses.into_iter().enumerate() {
            let a = &mut a[i * quarter + at..];
            s.store_i16(a, product(s, s.load_i16(a), inverse));
        }
    }
    debug_assert!(fits(a, INTT_IN));
    let mut lanes = [0i16; MAX_LANES16];
    s.store_i16(&mut lanes, zeros);
    u32::from(lanes.iter().fold(0, |zeros, lane| zeros | *lane as u16) >> 15)
}

/// The product of two values in Montgomery form.
#[inline(always)]
fn multiply<S: Simd>(s: S, a: Factor<S::I16>, b: Factor<S::I16>) -> Factor<S::I16> {
    factor_of(s, product(s, a.value, b))
}

/// The inverse of a value in Montgomery form (of 0: 0), its power q - 2 = 191 * 64 + 63.
#[inline(always)]
fn inverse<S: Simd>(s: S, a: Factor<S::I16>) -> Factor<S::I16> {
    let a2 = multiply(s, a, a);
    let a3 = multiply(s, a2, a);
    let a7 = multiply(s, multiply(s, a3, a3), a);
    let a63 = multiply(s, squared(s, a7, 3), a7);
    let a191 = multiply(s, squared(s, a2, 6), a63);
    multiply(s, squared(s, a191, 6), a63)
}

/// The power 2^`times`.
#[inline(always)]
fn squared<S: Simd>(s: S, mut a: Factor<S::I16>, times: u32) -> Factor<S::I16> {
    for _ in 0..times {
        a = multiply(s, a, a);
    }
    a
}

/// The representative in [0, q). In: below q in magnitude.
#[inline(always)]
fn unsigned<S: Simd>(s: S, a: S::I16) -> S::I16 {
    a + (a.sign_mask() & s.splat_i16(MODULUS))
}

/// The representative of least magnitude. In: above -3q/2, below 5q/2.
#[inline(always)]
pub(crate) fn centred<S: Simd>(s: S, a: S::I16) -> S::I16 {
    let (q, half) = (s.splat_i16(MODULUS), s.splat_i16(MODULUS / 2));
    let a = a - ((half - a).sign_mask() & q);
    let a = a - ((half - a).sign_mask() & q);
    a + ((a + half).sign_mask() & q)
}

/// A 16-bit word modulo q, in [0, q).
#[inline(always)]
pub(crate) fn reduce_word<S: Simd>(s: S, word: S::I16) -> S::I16 {
    // As a signed number the word is 2^16 less where its top bit is set. |reduced| <= 8191, and 8191 + 4091 < q.
    const _: () = assert!(reduced_bound(1 << 15) + (times_r(1, 1) as i32) < Q as i32);
    let r = s.splat_i16(times_r(1, 1));
    unsigned(s, reduce(s, word) + (word.sign_mask() & r))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{self, Isa, Op};

    crate::simd::scalar_on_rvv!(Multiply<'_>, Divide<'_>, Representatives);

    /// Coefficients of least magnitude.
    fn sample(n: usize, seed: u32) -> Vec<i16> {
        let mut x = seed;
        let next = |_| {
            x = x.wrapping_mul(1664525).wrapping_add(1013904223);
            ((x >> 8) % Q) as i16 - MODULUS / 2
        };
        (0..n).map(next).collect()
    }

    fn on_every_backend<R: PartialEq + core::fmt::Debug>(run: impl Fn(Isa) -> R) -> R {
        let expected = run(Isa::Scalar);
        for isa in Isa::ALL.iter().filter(|isa| isa.is_supported()) {
            assert_eq!(run(*isa), expected, "{}", isa.name());
        }
        expected
    }

    /// a b, with what is seen on the way.
    struct Multiply<'a>(&'a [i16], &'a [i16]);

    impl<S: Simd> Op<S> for Multiply<'_> {
        type Out = [Vec<i16>; 3];
        #[inline(always)]
        fn run(self, s: S) -> [Vec<i16>; 3] {
            let (mut x, mut y) = (self.0.to_vec(), self.1.to_vec());
            ntt(s, &mut x);
            ntt(s, &mut y);
            let x_ntt = x.clone();
            to_factor(s, &mut y);
            mul(s, &mut x, &y);
            intt(s, &mut x);
            [x, x_ntt, y]
        }
    }

    #[test]
    fn multiplication_is_that_of_polynomials() {
        for n in [512, 1024] {
            let extreme = vec![MODULUS / 2; n];
            let alternating: Vec<i16> = (0..n as i16).map(|i| MODULUS / 2 * (1 - 2 * (i & 1))).collect();
            let random = (sample(n, 1), sample(n, 2));
            for (a, b) in [random, (extreme.clone(), extreme), (alternating.clone(), alternating)] {
                let mut want = vec![0i64; n];
                for i in 0..n {
                    for j in 0..n {
                        let product = i64::from(a[i]) * i64::from(b[j]);
                        want[(i + j) % n] += if i + j >= n { -product } else { product };
                    }
                }
                let [x, ..] = on_every_backend(|isa| isa::with(isa, Multiply(&a, &b)));
                for (x, want) in x.iter().zip(want) {
                    assert_eq!((i64::from(*x) - want) % i64::from(Q), 0);
                }
            }
        }
    }

    /// Values and their order are those of the definition: root^(odd number, bits reversed).
    #[test]
    fn transforms_evaluate_in_bit_reversed_order() {
        struct Ntt(Vec<i16>);
        crate::simd::scalar_on_rvv!(Ntt);
        impl<S: Simd> Op<S> for Ntt {
            type Out = Vec<i16>;
            #[inline(always)]
            fn run(mut self, s: S) -> Vec<i16> {
                ntt(s, &mut self.0);
                self.0
            }
        }
        for n in [512usize, 1024] {
            let a = sample(n, 9);
            let values = on_every_backend(|isa| isa::with(isa, Ntt(a.clone())));
            let root = power(PSI, 1024 / n as u32);
            for k in [0, 1, 2, 77, n - 1] {
                let reversed = k.reverse_bits() >> (usize::BITS - n.ilog2());
                let x = i64::from(power(root, 2 * reversed as u32 + 1));
                let value = a.iter().rev().fold(0, |sum, c| (sum * x + i64::from(*c)) % i64::from(Q));
                assert_eq!((i64::from(values[k]) - value) % i64::from(Q), 0, "value {k} of {n}");
            }
        }
    }

    struct Divide<'a>(&'a [i16], &'a [i16]);

    impl<S: Simd> Op<S> for Divide<'_> {
        type Out = (Vec<i16>, u32);
        #[inline(always)]
        fn run(self, s: S) -> (Vec<i16>, u32) {
            let mut a = self.0.to_vec();
            let zeros = div(s, &mut a, self.1);
            (a, zeros)
        }
    }

    #[test]
    fn division_undoes_multiplication_and_sees_zeros() {
        let (a, mut b) = (sample(512, 3), sample(512, 4));
        for y in &mut b {
            *y = if *y == 0 { 1 } else { *y };
        }
        let (quotient, zeros) = on_every_backend(|isa| isa::with(isa, Divide(&a, &b)));
        assert_eq!(zeros, 0);
        for ((x, y), a) in quotient.iter().zip(&b).zip(&a) {
            assert_eq!((i64::from(*x) * i64::from(*y) - i64::from(*a)) % i64::from(Q), 0);
        }
        for zero in [0, MODULUS, -MODULUS] {
            b[17] = zero;
            assert_eq!(on_every_backend(|isa| isa::with(isa, Divide(&a, &b))).1, 1);
        }
    }

    /// Every 16-bit value through the conversions.
    struct Representatives;

    impl<S: Simd> Op<S> for Representatives {
        type Out = ();
        #[inline(always)]
        fn run(self, s: S) {
            let all: Vec<i16> = (i16::MIN..=i16::MAX).collect();
            let mut out = [0; MAX_LANES16];
            for values in all.chunks_exact(S::LANES16) {
                let x = s.load_i16(values);
                let mut check = |value: S::I16, law: &dyn Fn(i32, i32) -> bool| {
                    s.store_i16(&mut out, value);
                    for (value, out) in values.iter().zip(out) {
                        assert!(law((*value).into(), out.into()), "{value} gives {out}");
                    }
                };
                let q = Q as i32;
                check(reduce_word(s, x), &|x, out| out == (x as u16 as i32) % q);
                check(reduce(s, x), &|x, out| (x - out) % q == 0 && out.abs() <= reduced_bound(x.abs()));
                check(unsigned(s, x), &|x, out| x.abs() >= q || out == x.rem_euclid(q));
                check(centred(s, x), &|x, out| {
                    x <= -3 * q / 2 || x >= 5 * q / 2 || ((x - out) % q == 0 && out.abs() <= q / 2)
                });
            }
        }
    }

    #[test]
    fn representatives() {
        on_every_backend(|isa| isa::with(isa, Representatives));
    }
}
