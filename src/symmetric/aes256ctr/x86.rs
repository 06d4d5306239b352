//! AES-NI, one block in a register, and its wide form (VAES), four of them.

use super::instructions::blocks;
use crate::simd::{Avx2Aes, Avx512};
use core::arch::x86_64::*;

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

blocks! { One(__m128i): 1 on Avx2Aes, sub_word sub_word, key |words: *const u32| _mm_loadu_si128(words.cast()),
    begin _mm_xor_si128, round |block, _, after| _mm_aesenc_si128(block, after),
    last |block, _, after| _mm_aesenclast_si128(block, after), store _mm_storeu_si128,
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
}

blocks! { Four(__m512i): 4 on Avx512, sub_word sub_word,
    key |words: *const u32| _mm512_broadcast_i32x4(_mm_loadu_si128(words.cast())), begin _mm512_xor_si512,
    round |block, _, after| _mm512_aesenc_epi128(block, after),
    last |block, _, after| _mm512_aesenclast_epi128(block, after), store _mm512_storeu_si512,
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
}
