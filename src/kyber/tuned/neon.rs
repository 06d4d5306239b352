//! NEON: transforms in two passes over memory, and fields of bits moved by look-ups of whole vectors of bytes.
//!
//! Sixteen vectors, with the factors of four layers, fill the registers: the first layers of a transform are done on
//! those and the others on a pair of neighbours, all of them where it was read. Factors of the first layers are single
//! lanes, which products take as they are. Look-ups have fixed places, none is a secret. The generic text is in
//! [`super::super::ntt`], [`super::super::encode`] and [`super::super::sample`].

use super::super::encode::{byte_decode, byte_encode};
use super::super::kernels::Tuned;
use super::super::ntt::{self, Factor};
use super::super::params::{N, Q};
use super::super::poly::Poly;
use crate::simd::{Neon, NeonCrypto};
use core::arch::aarch64::*;
use core::hint::black_box;

macro_rules! tuned {
    ($($token:ident)*) => {$(
        impl Tuned for $token {
            #[inline(always)]
            fn ntt(self, polys: &mut [Poly]) {
                // SAFETY: NEON by the token.
                unsafe { ntt(polys) }
            }
            #[inline(always)]
            fn intt(self, polys: &mut [Poly]) {
                // SAFETY: NEON by the token.
                unsafe { intt(polys) }
            }
            #[inline(always)]
            fn byte_encode<const D: usize>(self, a: &Poly, to: &mut [u8]) {
                // SAFETY: NEON by the token.
                unsafe {
                    match D {
                        4 => encode::<4, 8>(a, to),
                        10 => encode::<10, 20>(a, to),
                        12 => encode::<12, 24>(a, to),
                        _ => byte_encode::<D>(a, to),
                    }
                }
            }
            #[inline(always)]
            fn byte_decode<const D: usize>(self, from: &[u8], a: &mut Poly) {
                if D <= 10 || D == 12 {
                    // SAFETY: NEON by the token.
                    unsafe { spread::<D>(from, &mut a.0, |fields| fields) }
                } else {
                    byte_decode::<D>(from, a);
                }
            }
            #[inline(always)]
            fn centred_binomial_3(self, bytes: &[u8], a: &mut Poly) {
                // SAFETY: NEON by the token.
                unsafe { centred_binomial_3(bytes, a) }
            }
        }
    )*};
}

tuned!(Neon NeonCrypto);

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
                // Lanes have the blocks of the piece in turn.
                let block = (piece << of_last) + lane % (1 << of_last);
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
fn modulus() -> int16x8_t {
    vdupq_n_s16(Q as i16)
}

/// The product of Barrett: [`crate::simd::Simd::times_i16`].
#[target_feature(enable = "neon")]
#[inline]
fn product(a: int16x8_t, b: Factor<int16x8_t>) -> int16x8_t {
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

/// [`super::super::ntt::ntt`], which has the contract.
#[target_feature(enable = "neon")]
fn ntt(polys: &mut [Poly]) {
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
                let [mut x, mut y] = load_pair(&pairs[i]);
                for root in &roots[i] {
                    let t = product(y, root.load());
                    (x, y) = zip(vaddq_s16(x, t), vsubq_s16(x, t));
                }
                (x, y) = zip(x, y);
                store_pair(&mut pairs[i], x, y);
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

/// [`super::super::ntt::intt`], which has the contract.
#[target_feature(enable = "neon")]
fn intt(polys: &mut [Poly]) {
    let roots = black_box(&BACKWARD);
    let [low, high] = [roots.first[0].load(), roots.first[1].load()];
    for a in polys {
        debug_assert!(a.fits(ntt::INTT_IN));
        for (roots, values) in roots.last.as_chunks::<8>().0.iter().zip(a.0.as_chunks_mut::<128>().0) {
            let (pairs, _) = values.as_chunks_mut::<16>();
            for_eight!(i => {
                let [mut x, mut y] = load_pair(&pairs[i]);
                (x, y) = unzip(x, y);
                for (step, root) in roots[i].iter().enumerate() {
                    let (u, v) = unzip(x, y);
                    let sum = vaddq_s16(u, v);
                    x = if ntt::backward_reduces(step) { reduce(sum) } else { sum };
                    y = product(vsubq_s16(u, v), root.load());
                }
                store_pair(&mut pairs[i], x, y);
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

#[target_feature(enable = "neon")]
#[inline]
fn load_pair(values: &[i16; 16]) -> [int16x8_t; 2] {
    // SAFETY: 16 integers are there.
    unsafe { [vld1q_s16(values.as_ptr()), vld1q_s16(values[8..].as_ptr())] }
}

#[target_feature(enable = "neon")]
#[inline]
fn store_pair(values: &mut [i16; 16], x: int16x8_t, y: int16x8_t) {
    // SAFETY: 16 integers have room.
    unsafe {
        vst1q_s16(values.as_mut_ptr(), x);
        vst1q_s16(values[8..].as_mut_ptr(), y);
    }
}

#[target_feature(enable = "neon")]
#[inline]
fn zip(x: int16x8_t, y: int16x8_t) -> (int16x8_t, int16x8_t) {
    (vzip1q_s16(x, y), vzip2q_s16(x, y))
}

#[target_feature(enable = "neon")]
#[inline]
fn unzip(x: int16x8_t, y: int16x8_t) -> (int16x8_t, int16x8_t) {
    (vuzp1q_s16(x, y), vuzp2q_s16(x, y))
}

/// The bytes of eight fields of `D` bits, four in the low bits of each half, side by side.
const fn gathered(d: usize) -> [u8; 16] {
    let mut places = [0xFF; 16];
    let mut i = 0;
    while i < d {
        places[i] = (if i < d / 2 { i } else { 8 + i - d / 2 }) as u8;
        i += 1;
    }
    places
}

/// ByteEncode_D for D of 4, 10, 12: four fields end at a byte.
#[target_feature(enable = "neon")]
fn encode<const D: i32, const TWICE: i32>(a: &Poly, to: &mut [u8]) {
    let d = D as usize;
    assert!(to.len() == N / 8 * d);
    // SAFETY: the array has a register's length.
    let places = unsafe { vld1q_u8(const { gathered(D as usize) }.as_ptr()) };
    let fours = |from: &[i16; 8]| {
        // SAFETY: eight integers are there.
        let words = unsafe { vreinterpretq_u32_s16(vld1q_s16(from.as_ptr())) };
        let pairs = vreinterpretq_u64_u32(vsliq_n_u32::<D>(words, vshrq_n_u32::<16>(words)));
        let fours = vreinterpretq_u8_u64(vsliq_n_u64::<TWICE>(pairs, vshrq_n_u64::<32>(pairs)));
        vqtbl1q_u8(fours, places)
    };
    let (whole, last) = a.0.as_chunks::<8>().0.split_at(const { whole_registers(D as usize) });
    for (i, from) in whole.iter().enumerate() {
        // What is written beyond `d` bytes is overwritten next.
        // SAFETY: 16 bytes have room in that many registers: `whole_registers`.
        unsafe { vst1q_u8(to.as_mut_ptr().add(i * d), fours(from)) };
    }
    for (from, to) in last.iter().zip(to[whole.len() * d..].chunks_exact_mut(d)) {
        let mut bytes = [0; 16];
        // SAFETY: 16 bytes have room.
        unsafe { vst1q_u8(bytes.as_mut_ptr(), fours(from)) };
        to.copy_from_slice(&bytes[..d]);
    }
}

/// Groups of eight fields of `d` bits, of N, at whose beginning 16 bytes are not beyond the end.
const fn whole_registers(d: usize) -> usize {
    let groups = (N / 8 * d - 16) / d + 1;
    assert!((groups - 1) * d + 16 <= N / 8 * d && groups <= N / 8);
    groups
}

/// Where the two bytes are that a field of `d` bits lies in, of eight fields.
const fn places_of_fields(d: usize) -> [u8; 16] {
    let mut places = [0; 16];
    let mut i = 0;
    while i < 8 {
        let byte = d * i / 8;
        // A field that ends with its first byte needs no other; the last one has none inside.
        let next = if (d * i) % 8 + d > 8 { byte + 1 } else { byte };
        (places[2 * i], places[2 * i + 1]) = (byte as u8, next as u8);
        i += 1;
    }
    places
}

/// How far each of eight fields of `d` bits lies above the lowest bit of its bytes, as shifts to the left.
const fn shifts_of_fields(d: usize) -> [i16; 8] {
    let mut shifts = [0; 8];
    let mut i = 0;
    while i < 8 {
        shifts[i] = -((d * i % 8) as i16);
        i += 1;
    }
    shifts
}

/// Fields of D bits, each in a lane and changed by `then`. In: D of at most 10, or 12: no field lies in three bytes.
#[inline(always)]
unsafe fn spread<const D: usize>(from: &[u8], to: &mut [i16; N], then: impl Fn(int16x8_t) -> int16x8_t) {
    assert!(from.len() == N / 8 * D);
    // SAFETY: the caller has NEON; the arrays have a register's length.
    let (places, shifts, mask) = unsafe {
        (
            vld1q_u8(const { places_of_fields(D) }.as_ptr()),
            vld1q_s16(const { shifts_of_fields(D) }.as_ptr()),
            vdupq_n_u16((1 << D) - 1),
        )
    };
    // SAFETY: NEON as above.
    let fields = |bytes| unsafe {
        let words = vreinterpretq_u16_u8(vqtbl1q_u8(bytes, places));
        then(vreinterpretq_s16_u16(vandq_u16(vshlq_u16(words, shifts), mask)))
    };
    let (whole, last) = to.as_chunks_mut::<8>().0.split_at_mut(const { whole_registers(D) });
    let rest = &from[whole.len() * D..];
    for (i, to) in whole.iter_mut().enumerate() {
        // SAFETY: NEON as above; 16 bytes are there for that many registers: `whole_registers`; eight integers have room.
        unsafe { vst1q_s16(to.as_mut_ptr(), fields(vld1q_u8(from.as_ptr().add(i * D)))) };
    }
    for (to, from) in last.iter_mut().zip(rest.chunks_exact(D)) {
        let mut bytes = [0; 16];
        bytes[..D].copy_from_slice(from);
        // SAFETY: NEON as above; 16 bytes are there, and eight integers have room.
        unsafe { vst1q_s16(to.as_mut_ptr(), fields(vld1q_u8(bytes.as_ptr()))) };
    }
}

/// The sum of the lower three of six bits less that of the others.
#[inline(always)]
unsafe fn centred_binomial_3(bytes: &[u8], a: &mut Poly) {
    // SAFETY: the caller has NEON.
    unsafe {
        let (bits, low) = (vdupq_n_s16(0b00_1001), vdupq_n_s16(7));
        spread::<6>(
            bytes,
            &mut a.0,
            #[inline(always)]
            |six| {
                let pair = vaddq_s16(vandq_s16(six, bits), vandq_s16(vshrq_n_s16::<1>(six), bits));
                let sums = vaddq_s16(pair, vandq_s16(vshrq_n_s16::<2>(six), bits));
                vsubq_s16(vandq_s16(sums, low), vshrq_n_s16::<3>(sums))
            },
        );
    }
}
