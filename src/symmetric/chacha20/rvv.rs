//! The generator's blocks on the vector extension of RISC-V, in assembly.

use super::{BUFFER_LEN, CONSTANT, Generator, State};
use crate::simd::Rvv;
use core::arch::global_asm;
use zeroize::Zeroize;

global_asm!(include_str!("rvv.s"), options(raw));

unsafe extern "C" {
    /// In: 16 words, the counter of the first of eight blocks. Out: 512 bytes, aligned to four.
    fn pqc_rvv_chacha20(words: *const u32, counter: u64, out: *mut u8);
}

impl Generator for Rvv {
    const BUFFERS: usize = 1;

    fn make_buffers(self, state: &mut State, first_buffer: usize) {
        let mut words = [0; 16];
        words[..4].copy_from_slice(&CONSTANT);
        words[4..].copy_from_slice(&state.words);
        let buffer = &mut state.ring[first_buffer * BUFFER_LEN..][..BUFFER_LEN];
        assert!(buffer.as_ptr().addr().is_multiple_of(4), "the ring follows twelve words and a counter");
        // SAFETY: 16 words are there, 512 bytes have room and are aligned; the vector extension by the token.
        unsafe { pqc_rvv_chacha20(words.as_ptr(), state.counter, buffer.as_mut_ptr()) }
        state.counter = state.counter.wrapping_add(8);
        words.zeroize();
    }
}
