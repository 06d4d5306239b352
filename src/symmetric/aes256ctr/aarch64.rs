//! The AES instructions of AArch64. AESE adds the key before the S-box and not after MixColumns, which is AESMC.

use super::instructions::Blocks;
use crate::simd::NeonCrypto;
use core::arch::aarch64::*;

/// One block.
#[derive(Clone, Copy)]
pub(super) struct One(uint8x16_t);

impl Blocks for One {
    type Token = NeonCrypto;
    const WIDTH: usize = 1;

    #[inline(always)]
    fn sub_word(_: NeonCrypto, word: u32) -> u32 {
        // In a block of four equal columns ShiftRows changes nothing.
        // SAFETY: the AES instructions by the token.
        unsafe {
            let column = vreinterpretq_u8_u32(vdupq_n_u32(word));
            vgetq_lane_u32::<0>(vreinterpretq_u32_u8(vaeseq_u8(column, vdupq_n_u8(0))))
        }
    }
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
    #[inline(always)]
    fn key(_: NeonCrypto, key: &[u32; 4]) -> One {
        // SAFETY: NEON by the token; there are four words.
        unsafe { One(vreinterpretq_u8_u32(vld1q_u32(key.as_ptr()))) }
    }
    #[inline(always)]
    fn begin(self, _: One) -> One {
        self
    }
    #[inline(always)]
    fn round(self, before: One, _: One) -> One {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { One(vaesmcq_u8(vaeseq_u8(self.0, before.0))) }
    }
    #[inline(always)]
    fn last(self, before: One, after: One) -> One {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { One(veorq_u8(vaeseq_u8(self.0, before.0), after.0)) }
    }
    #[inline(always)]
    fn store(self, to: &mut [u8]) {
        assert!(to.len() == 16);
        // SAFETY: a value exists only where its token was handed out; 16 bytes have room.
        unsafe { vst1q_u8(to.as_mut_ptr(), self.0) }
    }
}
