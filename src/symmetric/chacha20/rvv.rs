//! The generator's blocks on the vector extension of RISC-V, in assembly.

use super::{CONSTANT, Generator, State};
use crate::simd::Rvv;
use core::arch::global_asm;
use zeroize::Zeroize;

global_asm!(include_str!("rvv.s"), options(raw));

unsafe extern "C" {
    /// In: 16 words, the counter of the first of eight blocks. Out: 512 bytes, aligned to four.
    fn pqc_rvv_chacha20(words: *const u32, counter: u64, out: *mut u8);
}

impl Generator for Rvv {
    const BLOCKS: usize = 8;

    fn blocks(self, state: &mut State) {
        let mut words = [0; 16];
        words[..4].copy_from_slice(&CONSTANT);
        words[4..].copy_from_slice(&state.words);
        // The buffers follow twelve words and a counter.
        debug_assert!(state.buffers.as_ptr().addr().is_multiple_of(4));
        // SAFETY: 16 words are there, 512 bytes have room and are aligned; the vector extension by the token.
        unsafe { pqc_rvv_chacha20(words.as_ptr(), state.counter, state.buffers.as_mut_ptr()) }
        state.counter = state.counter.wrapping_add(8);
        words.zeroize();
    }
}
