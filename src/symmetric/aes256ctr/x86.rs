//! AES-NI, one block in a register, and its wide form (VAES), four of them.

use super::instructions::Blocks;
use crate::simd::{Avx2Aes, Avx512};
use core::arch::x86_64::*;

/// One block.
#[derive(Clone, Copy)]
pub(super) struct One(__m128i);

/// Four blocks.
#[derive(Clone, Copy)]
pub(super) struct Four(__m512i);

/// The S-box on each byte of a word. In a block of four equal columns ShiftRows changes nothing.
///
/// # Safety
/// The processor has AES-NI.
#[inline(always)]
unsafe fn sub_word(word: u32) -> u32 {
    // SAFETY: AES-NI by the contract.
    unsafe {
        let column = _mm_set1_epi32(word.cast_signed());
        _mm_cvtsi128_si32(_mm_aesenclast_si128(column, _mm_setzero_si128())).cast_unsigned()
    }
}

/// A counter block in little-endian words; [`BIG_ENDIAN`] makes it one in bytes.
///
/// # Safety
/// The processor has SSE2.
#[inline(always)]
unsafe fn counter(nonce: [u32; 3], block: u32) -> __m128i {
    let [a, b, c] = nonce.map(u32::cast_signed);
    // SAFETY: SSE2 by the contract.
    unsafe { _mm_setr_epi32(a, b, c, block.cast_signed()) }
}

/// The bytes of the last word in reverse.
static BIG_ENDIAN: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 14, 13, 12];

impl Blocks for One {
    type Token = Avx2Aes;
    const WIDTH: usize = 1;

    #[inline(always)]
    fn sub_word(_: Avx2Aes, word: u32) -> u32 {
        // SAFETY: AES-NI by the token.
        unsafe { sub_word(word) }
    }
    #[inline(always)]
    fn counters<const N: usize>(_: Avx2Aes, nonce: [u32; 3], block: u32) -> [One; N] {
        // SAFETY: AVX2 by the token; the table has 16 bytes.
        unsafe {
            let big_endian = _mm_loadu_si128(BIG_ENDIAN.as_ptr().cast());
            let mut counter = counter(nonce, block);
            let mut blocks = [One(counter); N];
            for block in &mut blocks {
                *block = One(_mm_shuffle_epi8(counter, big_endian));
                counter = _mm_add_epi32(counter, _mm_setr_epi32(0, 0, 0, 1));
            }
            blocks
        }
    }
    #[inline(always)]
    fn key(_: Avx2Aes, key: &[u32; 4]) -> One {
        // SAFETY: AVX2 by the token; a key has 16 bytes.
        unsafe { One(_mm_loadu_si128(key.as_ptr().cast())) }
    }
    #[inline(always)]
    fn begin(self, key: One) -> One {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { One(_mm_xor_si128(self.0, key.0)) }
    }
    #[inline(always)]
    fn round(self, _: One, after: One) -> One {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { One(_mm_aesenc_si128(self.0, after.0)) }
    }
    #[inline(always)]
    fn last(self, _: One, after: One) -> One {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { One(_mm_aesenclast_si128(self.0, after.0)) }
    }
    #[inline(always)]
    fn store(self, to: &mut [u8]) {
        assert!(to.len() == 16);
        // SAFETY: a value exists only where its token was handed out; 16 bytes have room.
        unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), self.0) }
    }
}

impl Blocks for Four {
    type Token = Avx512;
    const WIDTH: usize = 4;

    #[inline(always)]
    fn sub_word(_: Avx512, word: u32) -> u32 {
        // SAFETY: AES-NI by the token.
        unsafe { sub_word(word) }
    }
    #[inline(always)]
    fn counters<const N: usize>(_: Avx512, nonce: [u32; 3], block: u32) -> [Four; N] {
        // SAFETY: AVX-512BW by the token; the table has 16 bytes.
        unsafe {
            let big_endian = _mm512_broadcast_i32x4(_mm_loadu_si128(BIG_ENDIAN.as_ptr().cast()));
            let first = _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3);
            let mut counter = _mm512_add_epi32(_mm512_broadcast_i32x4(counter(nonce, block)), first);
            let mut blocks = [Four(counter); N];
            for block in &mut blocks {
                *block = Four(_mm512_shuffle_epi8(counter, big_endian));
                counter = _mm512_add_epi32(counter, _mm512_broadcast_i32x4(_mm_setr_epi32(0, 0, 0, 4)));
            }
            blocks
        }
    }
    #[inline(always)]
    fn key(_: Avx512, key: &[u32; 4]) -> Four {
        // SAFETY: AVX-512F by the token; a key has 16 bytes.
        unsafe { Four(_mm512_broadcast_i32x4(_mm_loadu_si128(key.as_ptr().cast()))) }
    }
    #[inline(always)]
    fn begin(self, key: Four) -> Four {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Four(_mm512_xor_si512(self.0, key.0)) }
    }
    #[inline(always)]
    fn round(self, _: Four, after: Four) -> Four {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Four(_mm512_aesenc_epi128(self.0, after.0)) }
    }
    #[inline(always)]
    fn last(self, _: Four, after: Four) -> Four {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Four(_mm512_aesenclast_epi128(self.0, after.0)) }
    }
    #[inline(always)]
    fn store(self, to: &mut [u8]) {
        assert!(to.len() == 64);
        // SAFETY: a value exists only where its token was handed out; 64 bytes have room.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), self.0) }
    }
}
