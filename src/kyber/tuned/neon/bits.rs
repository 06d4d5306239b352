//! Fields of bits, moved by look-ups of whole vectors of bytes. Look-ups have fixed places, none is a secret. The generic
//! text is in [`super::super::super::encode`] and [`super::super::super::sample`].

use super::super::super::params::N;
use super::super::super::poly::Poly;
use core::arch::aarch64::*;

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

/// ByteEncode_D for D of 4 and 10: four fields end at a byte.
#[target_feature(enable = "neon")]
pub(super) fn encode<const D: i32, const TWICE: i32>(a: &Poly, to: &mut [u8]) {
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

/// ByteEncode_12: two fields are three bytes, which a store interleaves.
#[target_feature(enable = "neon")]
pub(super) fn encode_12(a: &Poly, to: &mut [u8]) {
    let (to, rest) = to.as_chunks_mut::<48>();
    assert!(to.len() == N / 32 && rest.is_empty());
    for (from, to) in a.0.as_chunks::<32>().0.iter().zip(to) {
        // SAFETY: 32 integers are there, and 48 bytes have room.
        unsafe {
            let [x, y] = [0, 16].map(|at| vld2q_u16(from[at..].as_ptr().cast()));
            let narrow = |x, y| vuzp1q_u8(vreinterpretq_u8_u16(x), vreinterpretq_u8_u16(y));
            let middle = |v: uint16x8x2_t| vsliq_n_u16::<4>(vshrq_n_u16::<8>(v.0), v.1);
            let last = vshrn_high_n_u16::<4>(vshrn_n_u16::<4>(x.1), y.1);
            vst3q_u8(to.as_mut_ptr(), uint8x16x3_t(narrow(x.0, y.0), narrow(middle(x), middle(y)), last));
        }
    }
}

/// ByteDecode_12.
#[target_feature(enable = "neon")]
pub(super) fn decode_12(from: &[u8], a: &mut Poly) {
    let (from, rest) = from.as_chunks::<48>();
    assert!(from.len() == N / 32 && rest.is_empty());
    for (from, to) in from.iter().zip(a.0.as_chunks_mut::<32>().0) {
        // SAFETY: 48 bytes are there, and 32 integers have room.
        unsafe {
            let uint8x16x3_t(first, middle, last) = vld3q_u8(from.as_ptr());
            let low = |word| vandq_u16(vreinterpretq_u16_u8(word), vdupq_n_u16(0xFFF));
            let high = |word| vshrq_n_u16::<4>(vreinterpretq_u16_u8(word));
            let x = uint16x8x2_t(low(vzip1q_u8(first, middle)), high(vzip1q_u8(middle, last)));
            let y = uint16x8x2_t(low(vzip2q_u8(first, middle)), high(vzip2q_u8(middle, last)));
            vst2q_u16(to.as_mut_ptr().cast(), x);
            vst2q_u16(to[16..].as_mut_ptr().cast(), y);
        }
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

/// ByteDecode_D. In: D of at most 10: no field lies in three bytes.
#[inline(always)]
pub(super) unsafe fn decode<const D: usize>(from: &[u8], to: &mut [i16; N]) {
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
        vreinterpretq_s16_u16(vandq_u16(vshlq_u16(words, shifts), mask))
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

/// Twelve bytes, each three of them in four. What is in the fourth one has no meaning.
const THREES: [u8; 16] = {
    let mut places = [0xFF; 16];
    let mut i = 0;
    while i < 12 {
        places[i / 3 * 4 + i % 3] = i as u8;
        i += 1;
    }
    places
};

/// Where the two bytes are that have a pair, of four in four bytes.
const PAIRS: [[u8; 16]; 2] = {
    let mut places = [[0; 16]; 2];
    let mut i = 0;
    while i < 16 {
        let byte = i / 4 * 4 + 6 * (i % 4) / 8;
        (places[i / 8][2 * (i % 8)], places[i / 8][2 * (i % 8) + 1]) = (byte as u8, byte as u8 + 1);
        i += 1;
    }
    places
};

/// How far a pair must be shifted up to be at the top of the two bytes.
const TO_TOP: [i16; 8] = {
    let mut shifts = [0; 8];
    let mut i = 0;
    while i < 8 {
        shifts[i] = 10 - (6 * (i % 4) % 8) as i16;
        i += 1;
    }
    shifts
};

/// The sum of the lower three of six bits less that of the others. Not inlined, so that constants stay in registers.
#[target_feature(enable = "neon")]
#[inline(never)]
pub(super) fn centred_binomial_3(bytes: &[u8], a: &mut Poly) {
    assert!(bytes.len() == N / 4 * 3);
    // SAFETY: the arrays have a register's length.
    let (threes, pairs, to_top) = unsafe {
        (
            vld1q_u8(THREES.as_ptr()),
            [vld1q_u8(PAIRS[0].as_ptr()), vld1q_u8(PAIRS[1].as_ptr())],
            vld1q_s16(TO_TOP.as_ptr()),
        )
    };
    let every_third = vdupq_n_u32(0o11_111_111);
    let differences = |sixteen: uint8x16_t, to: &mut [i16; 16]| {
        let bits = vreinterpretq_u32_u8(sixteen);
        let sums = vaddq_u32(
            vaddq_u32(vandq_u32(bits, every_third), vandq_u32(vshrq_n_u32::<1>(bits), every_third)),
            vandq_u32(vshrq_n_u32::<2>(bits), every_third),
        );
        for (pairs, to) in pairs.into_iter().zip(to.as_chunks_mut::<8>().0) {
            let top = vshlq_u16(vreinterpretq_u16_u8(vqtbl1q_u8(vreinterpretq_u8_u32(sums), pairs)), to_top);
            let (second, both) = (vshrq_n_u16::<13>(top), vshrq_n_u16::<10>(top));
            let first = vandq_u16(both, vdupq_n_u16(7));
            // SAFETY: eight integers have room.
            unsafe { vst1q_s16(to.as_mut_ptr(), vreinterpretq_s16_u16(vsubq_u16(first, second))) };
        }
    };
    let (groups, _) = a.0.as_chunks_mut::<16>();
    if let Some((last, groups)) = groups.split_last_mut() {
        for (i, to) in groups.iter_mut().enumerate() {
            // SAFETY: 16 bytes are there from the 12 of a group on, if it is not the last one.
            let bytes = unsafe { vld1q_u8(bytes.as_ptr().add(12 * i)) };
            differences(vqtbl1q_u8(bytes, threes), to);
        }
        // SAFETY: these are the last 16 bytes, of which the first four belong to another group.
        let bytes = unsafe { vld1q_u8(bytes.as_ptr().add(N / 4 * 3 - 16)) };
        differences(vqtbl1q_u8(bytes, vaddq_u8(threes, vdupq_n_u8(4))), last);
    }
}
