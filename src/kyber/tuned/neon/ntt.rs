//! Transforms in two passes over memory.
//!
//! Sixteen vectors, with the factors of four layers, fill the registers: the first layers of a transform are done on
//! those and the others on a pair of neighbours, all of them where it was read. Factors of the first layers are single
//! lanes, which products take as they are. The generic text is in [`super::super::super::ntt`].

use super::super::super::ntt::{self, Factor};
use super::super::super::params::{N, Q};
use super::super::super::poly::Poly;
use crate::simd::Neon;
use core::arch::aarch64::*;
use core::hint::black_box;

/// Layers that pair vectors at a distance.
const FIRST_LAYERS: usize = 4;
/// Layers inside of a pair of neighbours.
const LAST_LAYERS: usize = 3;

/// The factors of a transform.
#[repr(C, align(16))]
struct Roots {
    /// Block b of layer l is entry 2^l + b.
    first: [Factor<[i16; 8]>; 2],
    /// Of each pair of neighbours, in the order in which the layers are done.
    last: [[Factor<[i16; 8]>; LAST_LAYERS]; N / 16],
}

static FORWARD: Roots = roots(false);
static BACKWARD: Roots = roots(true);

const fn roots(inverse: bool) -> Roots {
    const NONE: Factor<[i16; 8]> = Factor { value: [0; 8], helper: [0; 8] };
    let mut roots = Roots { first: [NONE; 2], last: [[NONE; LAST_LAYERS]; N / 16] };
    let mut entry = 1usize;
    while entry < 1 << FIRST_LAYERS {
        let layer = entry.ilog2() as usize;
        let Factor { value, helper } = Factor::new::<Neon>(ntt::root(layer, entry - (1 << layer), inverse));
        roots.first[entry / 8].value[entry % 8] = value;
        roots.first[entry / 8].helper[entry % 8] = helper;
        entry += 1;
    }
    let mut piece = 0;
    while piece < N / 16 {
        let mut i = 0;
        while i < LAST_LAYERS {
            let of_last = if inverse { LAST_LAYERS - 1 - i } else { i };
            let mut lane = 0;
            while lane < 8 {
                // Lanes have the blocks of the piece one after the other.
                let block = (piece << of_last) + (lane << of_last) / 8;
                let root = ntt::root(FIRST_LAYERS + of_last, block, inverse);
                let Factor { value, helper } = Factor::new::<Neon>(root);
                roots.last[piece][i].value[lane] = value;
                roots.last[piece][i].helper[lane] = helper;
                lane += 1;
            }
            i += 1;
        }
        piece += 1;
    }
    roots
}

impl Factor<[i16; 8]> {
    #[target_feature(enable = "neon")]
    #[inline]
    fn load(&self) -> Factor<int16x8_t> {
        // SAFETY: both have the length of a register.
        unsafe { Factor { value: vld1q_s16(self.value.as_ptr()), helper: vld1q_s16(self.helper.as_ptr()) } }
    }
}

#[target_feature(enable = "neon")]
#[inline]
pub(super) fn modulus() -> int16x8_t {
    vdupq_n_s16(Q as i16)
}

/// The product of Barrett: [`crate::simd::Simd::times_i16`].
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn product(a: int16x8_t, b: Factor<int16x8_t>) -> int16x8_t {
    vmlsq_s16(vmulq_s16(a, b.value), vqrdmulhq_s16(a, b.helper), modulus())
}

/// The product with one lane of a register.
#[target_feature(enable = "neon")]
#[inline]
fn product_lane<const LANE: i32>(a: int16x8_t, b: Factor<int16x8_t>) -> int16x8_t {
    let quotient = vqrdmulhq_laneq_s16::<LANE>(a, b.helper);
    vmlsq_s16(vmulq_laneq_s16::<LANE>(a, b.value), quotient, modulus())
}

/// The same class with a smaller representative: the product with 1.
#[target_feature(enable = "neon")]
#[inline]
fn reduce(a: int16x8_t) -> int16x8_t {
    const ONE: Factor<i16> = Factor::new::<Neon>(1);
    vmlsq_s16(a, vqrdmulhq_s16(a, vdupq_n_s16(ONE.helper)), modulus())
}

/// Every other vector of a polynomial.
type Column = [int16x8_t; N / 16];

#[target_feature(enable = "neon")]
#[inline]
fn load_column(a: &[i16; N], column: usize) -> Column {
    let mut v = [vdupq_n_s16(0); N / 16];
    for (v, from) in v.iter_mut().zip(a.as_chunks::<16>().0) {
        // SAFETY: eight integers are there.
        *v = unsafe { vld1q_s16(from[8 * column..][..8].as_ptr()) };
    }
    v
}

#[target_feature(enable = "neon")]
#[inline]
fn store_column(a: &mut [i16; N], column: usize, v: Column) {
    for (v, to) in v.into_iter().zip(a.as_chunks_mut::<16>().0) {
        // SAFETY: eight integers have room.
        unsafe { vst1q_s16(to[8 * column..][..8].as_mut_ptr(), v) };
    }
}

/// The same for eight pairs of neighbours, without a loop: as far as an instruction that loads two registers reaches.
macro_rules! for_eight {
    ($i:ident => $work:block) => {
        for_eight!($i => $work; 0 1 2 3 4 5 6 7)
    };
    ($i:ident => $work:block; $($number:literal)*) => {
        $({ let $i = $number; $work })*
    };
}

/// [`ntt::ntt`], which has the contract.
#[target_feature(enable = "neon")]
pub(super) fn ntt(polys: &mut [Poly]) {
    // Else the compiler knows the lanes, and makes a constant of each.
    let roots = black_box(&FORWARD);
    let [low, high] = [roots.first[0].load(), roots.first[1].load()];
    for a in polys {
        debug_assert!(a.fits(ntt::NTT_IN));
        for column in 0..2 {
            let mut v = load_column(&a.0, column);
            forward::<1>(&mut v, 0, 8, low);
            forward::<2>(&mut v, 0, 4, low);
            forward::<3>(&mut v, 8, 4, low);
            forward::<4>(&mut v, 0, 2, low);
            forward::<5>(&mut v, 4, 2, low);
            forward::<6>(&mut v, 8, 2, low);
            forward::<7>(&mut v, 12, 2, low);
            forward::<0>(&mut v, 0, 1, high);
            forward::<1>(&mut v, 2, 1, high);
            forward::<2>(&mut v, 4, 1, high);
            forward::<3>(&mut v, 6, 1, high);
            forward::<4>(&mut v, 8, 1, high);
            forward::<5>(&mut v, 10, 1, high);
            forward::<6>(&mut v, 12, 1, high);
            forward::<7>(&mut v, 14, 1, high);
            store_column(&mut a.0, column, v);
        }
        for (roots, values) in roots.last.as_chunks::<8>().0.iter().zip(a.0.as_chunks_mut::<128>().0) {
            let (pairs, _) = values.as_chunks_mut::<16>();
            for_eight!(i => {
                let [r4, r5, r6] = &roots[i];
                let [x, y] = load_pair(&pairs[i]);
                let [x, y] = swap_fours(butterfly(x, y, r4));
                let [x, y] = swap_twos(butterfly(x, y, r5));
                zip_twos(&mut pairs[i], butterfly(x, y, r6));
            });
        }
        debug_assert!(a.fits(ntt::NTT_OUT));
    }
}

/// A block of a layer: `len` pairs from vector `from` on.
#[target_feature(enable = "neon")]
#[inline]
fn forward<const LANE: i32>(v: &mut Column, from: usize, len: usize, root: Factor<int16x8_t>) {
    for i in from..from + len {
        let t = product_lane::<LANE>(v[i + len], root);
        (v[i], v[i + len]) = (vaddq_s16(v[i], t), vsubq_s16(v[i], t));
    }
}

/// [`ntt::intt`], which has the contract.
#[target_feature(enable = "neon")]
pub(super) fn intt(polys: &mut [Poly]) {
    let roots = black_box(&BACKWARD);
    let [low, high] = [roots.first[0].load(), roots.first[1].load()];
    for a in polys {
        debug_assert!(a.fits(ntt::INTT_IN));
        for (roots, values) in roots.last.as_chunks::<8>().0.iter().zip(a.0.as_chunks_mut::<128>().0) {
            let (pairs, _) = values.as_chunks_mut::<16>();
            for_eight!(i => {
                let [r6, r5, r4] = &roots[i];
                let [x, y] = unzip_twos(&pairs[i]);
                let [x, y] = swap_twos(inverse_butterfly::<0>(x, y, r6));
                let [x, y] = swap_fours(inverse_butterfly::<1>(x, y, r5));
                store_pair(&mut pairs[i], inverse_butterfly::<2>(x, y, r4));
            });
        }
        for column in 0..2 {
            let mut v = load_column(&a.0, column);
            backward::<0>(&mut v, 0, 1, high);
            backward::<1>(&mut v, 2, 1, high);
            backward::<2>(&mut v, 4, 1, high);
            backward::<3>(&mut v, 6, 1, high);
            backward::<4>(&mut v, 8, 1, high);
            backward::<5>(&mut v, 10, 1, high);
            backward::<6>(&mut v, 12, 1, high);
            backward::<7>(&mut v, 14, 1, high);
            backward::<4>(&mut v, 0, 2, low);
            backward::<5>(&mut v, 4, 2, low);
            backward::<6>(&mut v, 8, 2, low);
            backward::<7>(&mut v, 12, 2, low);
            backward::<2>(&mut v, 0, 4, low);
            backward::<3>(&mut v, 8, 4, low);
            backward::<1>(&mut v, 0, 8, low);
            store_column(&mut a.0, column, v);
        }
        debug_assert!(a.fits(ntt::INTT_OUT));
    }
}

/// A block of a layer: `len` pairs from vector `from` on.
#[target_feature(enable = "neon")]
#[inline]
fn backward<const LANE: i32>(v: &mut Column, from: usize, len: usize, root: Factor<int16x8_t>) {
    const SCALE: Factor<i16> = Factor::new::<Neon>(ntt::INTT_SCALE);
    // Layers of one, two, four, eight pairs a block follow the three inside of neighbours.
    let step = LAST_LAYERS + len.ilog2() as usize;
    for i in from..from + len {
        let (sum, difference) = (vaddq_s16(v[i], v[i + len]), vsubq_s16(v[i], v[i + len]));
        v[i] = if len == 8 {
            product(sum, Factor { value: vdupq_n_s16(SCALE.value), helper: vdupq_n_s16(SCALE.helper) })
        } else if ntt::backward_reduces(step) {
            reduce(sum)
        } else {
            sum
        };
        v[i + len] = product_lane::<LANE>(difference, root);
    }
}

/// A butterfly of [`ntt`] with factors in lanes.
#[target_feature(enable = "neon")]
#[inline]
fn butterfly(x: int16x8_t, y: int16x8_t, root: &Factor<[i16; 8]>) -> [int16x8_t; 2] {
    let t = product(y, root.load());
    [vaddq_s16(x, t), vsubq_s16(x, t)]
}

/// One of step `STEP` of [`intt`].
#[target_feature(enable = "neon")]
#[inline]
fn inverse_butterfly<const STEP: usize>(
    x: int16x8_t,
    y: int16x8_t,
    root: &Factor<[i16; 8]>,
) -> [int16x8_t; 2] {
    let sum = vaddq_s16(x, y);
    let sum = if ntt::backward_reduces(STEP) { reduce(sum) } else { sum };
    [sum, product(vsubq_s16(x, y), root.load())]
}

#[target_feature(enable = "neon")]
#[inline]
fn load_pair(values: &[i16; 16]) -> [int16x8_t; 2] {
    // SAFETY: 16 integers are there.
    unsafe { [vld1q_s16(values.as_ptr()), vld1q_s16(values[8..].as_ptr())] }
}

#[target_feature(enable = "neon")]
#[inline]
fn store_pair(values: &mut [i16; 16], [x, y]: [int16x8_t; 2]) {
    // SAFETY: 16 integers have room.
    unsafe {
        vst1q_s16(values.as_mut_ptr(), x);
        vst1q_s16(values[8..].as_mut_ptr(), y);
    }
}

/// Exchanges the upper four of x for the lower four of y: those that the next layer pairs stand in the same lanes. The
/// two bits of a place that are exchanged are the one of the vector and the third one.
#[target_feature(enable = "neon")]
#[inline]
fn swap_fours([x, y]: [int16x8_t; 2]) -> [int16x8_t; 2] {
    let (x, y) = (vreinterpretq_s64_s16(x), vreinterpretq_s64_s16(y));
    [vreinterpretq_s16_s64(vtrn1q_s64(x, y)), vreinterpretq_s16_s64(vtrn2q_s64(x, y))]
}

/// The same for twos, of the one of the vector and the second one.
#[target_feature(enable = "neon")]
#[inline]
fn swap_twos([x, y]: [int16x8_t; 2]) -> [int16x8_t; 2] {
    let (x, y) = (vreinterpretq_s32_s16(x), vreinterpretq_s32_s16(y));
    [vreinterpretq_s16_s32(vtrn1q_s32(x, y)), vreinterpretq_s16_s32(vtrn2q_s32(x, y))]
}

/// Twos of x and of y in turn, which is the order before [`swap_fours`] and [`swap_twos`].
#[target_feature(enable = "neon")]
#[inline]
fn zip_twos(values: &mut [i16; 16], [x, y]: [int16x8_t; 2]) {
    // SAFETY: 16 integers have room.
    unsafe {
        vst2q_s32(
            values.as_mut_ptr().cast(),
            int32x4x2_t(vreinterpretq_s32_s16(x), vreinterpretq_s32_s16(y)),
        );
    }
}

/// The inverse of [`zip_twos`].
#[target_feature(enable = "neon")]
#[inline]
fn unzip_twos(values: &[i16; 16]) -> [int16x8_t; 2] {
    // SAFETY: 16 integers are there.
    let int32x4x2_t(x, y) = unsafe { vld2q_s32(values.as_ptr().cast()) };
    [vreinterpretq_s16_s32(x), vreinterpretq_s16_s32(y)]
}
