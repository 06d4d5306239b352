//! Coefficients as bytes (FIPS 203, algorithms 5 and 6: ByteEncode, ByteDecode), and messages as polynomials.
//!
//! Eight coefficients of D bits are D bytes, the first coefficient in the lowest bits. Time depends on nothing.

use super::params::{N, Q, SEED_LEN};
use super::poly::Poly;
use crate::ct::opaque;

/// ByteEncode_D. In: coefficients in [0, 2^D); `to` has 32 D bytes.
#[inline(always)]
pub(super) fn byte_encode<const D: usize>(a: &Poly, to: &mut [u8]) {
    debug_assert!(to.len() == D * N / 8 && a.0.iter().all(|c| i32::from(*c) >> D == 0));
    for (to, from) in to.chunks_exact_mut(D).zip(a.0.as_chunks::<8>().0) {
        let mut bits = 0u128;
        for (i, c) in from.iter().enumerate() {
            bits |= u128::from(*c as u16) << (D * i);
        }
        to.copy_from_slice(&bits.to_le_bytes()[..D]);
    }
}

/// ByteDecode_D, for D = 12 without the reduction modulo q. In: 32 D bytes. Out: coefficients in [0, 2^D).
#[inline(always)]
pub(super) fn byte_decode<const D: usize>(from: &[u8], a: &mut Poly) {
    debug_assert_eq!(from.len(), D * N / 8);
    for (from, to) in from.chunks_exact(D).zip(a.0.as_chunks_mut::<8>().0) {
        let mut bytes = [0; 16];
        bytes[..D].copy_from_slice(from);
        let bits = u128::from_le_bytes(bytes);
        for (i, c) in to.iter_mut().enumerate() {
            *c = (bits >> (D * i)) as i16 & ((1 << D) - 1);
        }
    }
}

/// Decompress_1(ByteDecode_1(m)): bit 1 becomes (q + 1) / 2.
#[inline(always)]
pub(super) fn message_to_poly(m: &[u8; SEED_LEN], a: &mut Poly) {
    for (byte, to) in m.iter().zip(a.0.as_chunks_mut::<8>().0) {
        for (i, c) in to.iter_mut().enumerate() {
            // Compilers have made a branch of this mask.
            let mask = opaque(u64::from(byte >> i & 1)).wrapping_neg();
            *c = (mask & u64::from(Q.div_ceil(2))) as i16;
        }
    }
}
