//! Polynomials as bytes (specification, section 1.8): five ternary coefficients a byte, or log2 q bits a coefficient.
//!
//! Both store n - 1 coefficients, the first in the lowest place. Unpacking says whether the bytes are the ones that
//! packing gives: a byte of five ternary coefficients is below 243, and spare bits are zero. Next: [`super::owcpa`].

use super::params::ParameterSet;
use super::poly::Poly;
use crate::ct::{self, Mask};

/// Packs coefficients in {0, 1, 2}: [`ParameterSet::ternary_len`] bytes.
#[inline(always)]
pub(super) fn pack_ternary(set: ParameterSet, a: &Poly, bytes: &mut [u8]) {
    let (fives, last) = a.0[..set.n() - 1].as_chunks::<5>();
    let (bytes, last_byte) = bytes.split_at_mut(fives.len());
    for (byte, digits) in bytes.iter_mut().zip(fives) {
        *byte = five(digits);
    }
    if let [byte] = last_byte {
        let mut digits = [0; 5];
        digits[..last.len()].copy_from_slice(last);
        *byte = five(&digits);
    }
}

/// Five digits as a byte; of anything else, as of a ciphertext that is about to be rejected, some byte.
#[inline(always)]
fn five(&[a, b, c, d, e]: &[i16; 5]) -> u8 {
    let digits = [a, b, c, d].map(|digit| u64::from(digit as u16));
    let digits = digits[0] | digits[1] << 16 | digits[2] << 32 | digits[3] << 48;
    // The top sixteen bits of the product are a + 3 b + 9 c + 27 d.
    let four = digits.wrapping_mul(27 | 9 << 16 | 3 << 32 | 1 << 48) >> 48;
    (four as u8).wrapping_add((e as u8).wrapping_mul(81))
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
    let coefficients = &a.0[..set.n() - 1];
    match set.logq() {
        11 => pack_bits::<11>(coefficients, bytes),
        12 => pack_bits::<12>(coefficients, bytes),
        13 => pack_bits::<13>(coefficients, bytes),
        _ => pack_bits::<14>(coefficients, bytes),
    }
}

/// Eight coefficients of `BITS` bits are `BITS` bytes.
#[inline(always)]
fn pack_bits<const BITS: usize>(coefficients: &[i16], bytes: &mut [u8]) {
    let (eights, last) = coefficients.as_chunks::<8>();
    let (bytes, last_bytes) = bytes.split_at_mut(BITS * eights.len());
    for (bytes, eight) in bytes.as_chunks_mut::<BITS>().0.iter_mut().zip(eights) {
        // Two words, which overlap.
        let all = eight_as_number::<BITS>(eight);
        bytes[BITS - 8..].copy_from_slice(&((all >> (8 * BITS - 64)) as u64).to_le_bytes());
        bytes[..8].copy_from_slice(&(all as u64).to_le_bytes());
    }
    let mut eight = [0; 8];
    eight[..last.len()].copy_from_slice(last);
    last_bytes.copy_from_slice(&eight_as_number::<BITS>(&eight).to_le_bytes()[..last_bytes.len()]);
}

#[inline(always)]
fn eight_as_number<const BITS: usize>(&[a, b, c, d, e, f, g, h]: &[i16; 8]) -> u128 {
    let four = |four: [i16; 4]| {
        // Neighbours next to each other, then pairs of them.
        let [a, b, c, d] = four.map(|c| u64::from(c as u16));
        let even = ((1 << BITS) - 1) * 0x0000_0001_0000_0001;
        let four = a | b << 16 | c << 32 | d << 48;
        let pairs = (four & even) | (four >> 16 & even) << BITS;
        (pairs & u64::from(u32::MAX)) | (pairs >> 32) << (2 * BITS)
    };
    u128::from(four([a, b, c, d])) | u128::from(four([e, f, g, h])) << (4 * BITS)
}

/// Unpacks coefficients into `[0, q)`; true where spare bits are zero. In: `a` is zero.
#[inline(always)]
pub(super) fn unpack_mod_q(set: ParameterSet, bytes: &[u8], a: &mut Poly) -> Mask {
    let coefficients = &mut a.0[..set.n() - 1];
    match set.logq() {
        11 => unpack_bits::<11>(bytes, coefficients),
        12 => unpack_bits::<12>(bytes, coefficients),
        13 => unpack_bits::<13>(bytes, coefficients),
        _ => unpack_bits::<14>(bytes, coefficients),
    }
}

/// The inverse of [`pack_bits`]; true where spare bits are zero.
#[inline(always)]
fn unpack_bits<const BITS: usize>(bytes: &[u8], coefficients: &mut [i16]) -> Mask {
    let (eights, last) = coefficients.as_chunks_mut::<8>();
    let (bytes, last_bytes) = bytes.split_at(BITS * eights.len());
    for (eight, bytes) in eights.iter_mut().zip(bytes.as_chunks::<BITS>().0) {
        *eight = bytes_as_eight::<BITS>(bytes);
    }
    let mut bytes = [0; BITS];
    bytes[..last_bytes.len()].copy_from_slice(last_bytes);
    let eight = bytes_as_eight::<BITS>(&bytes);
    let spare = eight[last.len()..].iter().fold(0, |any, c| any | c);
    last.copy_from_slice(&eight[..last.len()]);
    ct::is_zero(spare as u16 as u64)
}

#[inline(always)]
fn bytes_as_eight<const BITS: usize>(bytes: &[u8; BITS]) -> [i16; 8] {
    let (mut first, mut last) = ([0; 8], [0; 8]);
    first.copy_from_slice(&bytes[..8]);
    last.copy_from_slice(&bytes[BITS - 8..]);
    let (low, high) = (u64::from_le_bytes(first), u64::from_le_bytes(last) >> (64 - 4 * BITS));
    let of = |four: u64, i: usize| (four >> (i * BITS)) as i16 & ((1 << BITS) - 1);
    [of(low, 0), of(low, 1), of(low, 2), of(low, 3), of(high, 0), of(high, 1), of(high, 2), of(high, 3)]
}

/// [`unpack_mod_q`] of a polynomial whose value at 1 is zero: its last coefficient is minus the sum of the others.
#[inline(always)]
pub(super) fn unpack_sum_zero(set: ParameterSet, bytes: &[u8], a: &mut Poly) -> Mask {
    let is_canonical = unpack_mod_q(set, bytes, a);
    let sum = a.of(set).iter().fold(0i16, |sum, c| sum.wrapping_add(*c));
    a.0[set.n() - 1] = sum.wrapping_neg();
    is_canonical
}
