//! Polynomials as bytes (specification, section 1.8): five ternary coefficients a byte, or log2 q bits a coefficient.
//!
//! Both store n - 1 coefficients, the first in the lowest place. Unpacking says whether the bytes are the ones that
//! packing gives: a byte of five ternary coefficients is below 243, and spare bits are zero. Next: [`super::owcpa`].

use super::params::{MAX_N, ParameterSet};
use super::poly::Poly;
use crate::ct::{self, Mask};

/// The values of the five digits of a byte.
const POWERS: [i16; 5] = [1, 3, 9, 27, 81];

/// Packs coefficients in {0, 1, 2}: [`ParameterSet::ternary_len`] bytes.
#[inline(always)]
pub(super) fn pack_ternary(set: ParameterSet, a: &Poly, bytes: &mut [u8]) {
    for (byte, digits) in bytes.iter_mut().zip(a.0[..set.n() - 1].chunks(5)) {
        *byte = digits.iter().zip(POWERS).map(|(digit, power)| digit * power).sum::<i16>() as u8;
    }
}

/// Unpacks ternary coefficients; true where the bytes are what [`pack_ternary`] gives. In: `a` is zero.
#[inline(always)]
pub(super) fn unpack_ternary(set: ParameterSet, bytes: &[u8], a: &mut Poly) -> Mask {
    let mut excess = 0;
    for (digits, byte) in a.0[..set.n() - 1].chunks_mut(5).zip(bytes) {
        let mut rest = u16::from(*byte);
        for digit in digits {
            let quotient = rest / 3;
            *digit = (rest - 3 * quotient) as i16;
            rest = quotient;
        }
        // What is left over: nothing of a byte below 243, or below 3 to the number of the last digits.
        excess |= rest;
    }
    ct::is_zero(u64::from(excess))
}

/// Packs coefficients modulo q, whose upper bits are dropped: [`ParameterSet::packed_len`] bytes.
#[inline(always)]
pub(super) fn pack_mod_q(set: ParameterSet, a: &Poly, bytes: &mut [u8]) {
    let logq = set.logq();
    let (mut held, mut bits) = (0u64, 0);
    let (words, last) = bytes.as_chunks_mut::<4>();
    let mut words = words.iter_mut();
    for c in &a.0[..set.n() - 1] {
        held |= ((c & set.q_mask()) as u64) << bits;
        bits += logq;
        // Public: positions, not values.
        if bits >= 32
            && let Some(word) = words.next()
        {
            *word = (held as u32).to_le_bytes();
            held >>= 32;
            bits -= 32;
        }
    }
    for word in words {
        *word = (held as u32).to_le_bytes();
        held >>= 32;
    }
    for byte in last {
        *byte = held as u8;
        held >>= 8;
    }
}

/// Room for the packed coefficients of the largest set, and a word that begins at its last byte.
const PACKED_ROOM: usize = MAX_N * 14 / 8 + 8;

/// Unpacks coefficients into `[0, q)`; true where spare bits are zero. In: `a` is zero.
#[inline(always)]
pub(super) fn unpack_mod_q(set: ParameterSet, bytes: &[u8], a: &mut Poly) -> Mask {
    let logq = set.logq() as usize;
    let mut padded = [0; PACKED_ROOM];
    padded[..bytes.len()].copy_from_slice(bytes);
    for (i, c) in a.0[..set.n() - 1].iter_mut().enumerate() {
        let at = i * logq;
        let word = &padded[at / 8..at / 8 + 4];
        let word = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        *c = (word >> (at % 8)) as i16 & set.q_mask();
    }
    let used = (set.n() - 1) * logq;
    ct::is_zero(u64::from(padded[used / 8]) >> (used % 8))
}

/// [`unpack_mod_q`] of a polynomial whose value at 1 is zero: its last coefficient is minus the sum of the others.
#[inline(always)]
pub(super) fn unpack_sum_zero(set: ParameterSet, bytes: &[u8], a: &mut Poly) -> Mask {
    let is_canonical = unpack_mod_q(set, bytes, a);
    let sum = a.of(set).iter().fold(0i16, |sum, c| sum.wrapping_add(*c));
    a.0[set.n() - 1] = sum.wrapping_neg();
    is_canonical
}
