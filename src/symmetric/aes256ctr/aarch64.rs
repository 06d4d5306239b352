//! The AES instructions of AArch64. AESE adds the key before the S-box and not after MixColumns, which is AESMC.

use super::instructions::blocks;
use crate::simd::NeonCrypto;
use core::arch::aarch64::*;

blocks! { One(uint8x16_t): 1 on NeonCrypto, sub_word sub_word,
    key |words| vreinterpretq_u8_u32(vld1q_u32(words)), begin without_key,
    round |block, before, _| vaesmcq_u8(vaeseq_u8(block, before)),
    last |block, before, after| veorq_u8(vaeseq_u8(block, before), after), store vst1q_u8,
    #[inline(always)]
    fn counters<const N: usize>(_: NeonCrypto, nonce: [u32; 3], block: u32) -> [One; N] {
        let [a, b, c] = nonce;
        let words = [a, b, c, 0];
        // SAFETY: NEON by the token; there are four words.
        unsafe {
            let nonce = vld1q_u32(words.as_ptr());
            let mut blocks = [One(vreinterpretq_u8_u32(nonce)); N];
            for (i, to) in blocks.iter_mut().enumerate() {
                let counter = block.wrapping_add(i as u32).swap_bytes();
                *to = One(vreinterpretq_u8_u32(vsetq_lane_u32::<3>(counter, nonce)));
            }
            blocks
        }
    }
}

/// The S-box on each byte of a word. In a block of four equal columns ShiftRows changes nothing.
#[target_feature(enable = "aes")]
#[inline]
fn sub_word(word: u32) -> u32 {
    let columns = vreinterpretq_u8_u32(vdupq_n_u32(word));
    vgetq_lane_u32::<0>(vreinterpretq_u32_u8(vaeseq_u8(columns, vdupq_n_u8(0))))
}

/// The first instruction adds it.
#[target_feature(enable = "neon")]
#[inline]
fn without_key(block: uint8x16_t, _: uint8x16_t) -> uint8x16_t {
    block
}
