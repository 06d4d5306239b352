//! AES by instructions for its rounds.
//!
//! The text stands here once over [`Blocks`]: one, or four, blocks in a register of x86-64, one of AArch64. Eight
//! registers go through a round together, which hides the time that one takes.

use super::{BLOCK_LEN, NONCE_LEN, ROUNDS, RoundKeys};
use crate::simd::Token;

/// Blocks in a register. A value exists only where its token was handed out.
pub(super) trait Blocks: Copy {
    /// Whose instructions are used.
    type Token: Token;
    /// Blocks in a register.
    const WIDTH: usize;

    /// The S-box on each byte of a word.
    fn sub_word(token: Self::Token, word: u32) -> u32;
    /// The counter blocks from `block` on. In: `nonce` is little-endian words.
    fn counters<const N: usize>(token: Self::Token, nonce: [u32; 3], block: u32) -> [Self; N];
    /// A round key for each block.
    fn key(token: Self::Token, key: &[u32; 4]) -> Self;
    /// What comes before round 1: AddRoundKey, if not a part of the next round's instruction.
    fn begin(self, key: Self) -> Self;
    /// A round, but for the last: `before` is the key of the round before it, `after` its own. One of them is added.
    fn round(self, before: Self, after: Self) -> Self;
    /// The last round.
    fn last(self, before: Self, after: Self) -> Self;
    /// Writes the blocks. In: `to` has room for exactly those.
    fn store(self, to: &mut [u8]);
}

/// A register of blocks: what each instruction set has under other names. How it counts follows as a method.
macro_rules! blocks {
    ($name:ident($vector:ty): $width:literal on $token:ty, sub_word $sub_word:path, key $key:expr, begin $begin:expr,
     round $round:expr, last $last:expr, store $store:path, $($own:tt)*) => {
        #[doc = "Blocks in one register."]
        #[derive(Clone, Copy)]
        pub(super) struct $name($vector);

        impl $crate::symmetric::aes256ctr::instructions::Blocks for $name {
            type Token = $token;
            const WIDTH: usize = $width;

            #[inline(always)]
            fn sub_word(_: $token, word: u32) -> u32 {
                // SAFETY: the AES instructions by the token.
                unsafe { $sub_word(word) }
            }
            #[inline(always)]
            fn key(_: $token, key: &[u32; 4]) -> $name {
                // SAFETY: the instruction set by the token; a key has four words.
                unsafe { $name($key(key.as_ptr())) }
            }
            #[inline(always)]
            fn begin(self, key: $name) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name($begin(self.0, key.0)) }
            }
            #[inline(always)]
            fn round(self, before: $name, after: $name) -> $name {
                // SAFETY: as above.
                unsafe { $name($round(self.0, before.0, after.0)) }
            }
            #[inline(always)]
            fn last(self, before: $name, after: $name) -> $name {
                // SAFETY: as above.
                unsafe { $name($last(self.0, before.0, after.0)) }
            }
            #[inline(always)]
            fn store(self, to: &mut [u8]) {
                assert!(to.len() == 16 * $width);
                // SAFETY: as above; all blocks have room.
                unsafe { $store(to.as_mut_ptr().cast(), self.0) }
            }
            $($own)*
        }
    };
}
pub(super) use blocks;

/// The stream.
#[inline(always)]
pub(super) fn keystream<B: Blocks>(
    token: B::Token,
    keys: &RoundKeys,
    nonce: &[u8; NONCE_LEN],
    mut block: u32,
    out: &mut [u8],
) {
    let words = words(nonce);
    let out = registers::<8, B>(token, keys, words, &mut block, out);
    let out = registers::<4, B>(token, keys, words, &mut block, out);
    let out = registers::<1, B>(token, keys, words, &mut block, out);
    if !out.is_empty() {
        let mut last = [0; BLOCK_LEN * WIDEST];
        registers::<1, B>(token, keys, words, &mut block, &mut last[..BLOCK_LEN * B::WIDTH]);
        out.iter_mut().zip(last).for_each(|(to, from)| *to = from);
    }
}

/// Blocks in the widest register.
const WIDEST: usize = 4;

/// The stream as far as it fills `N` registers at a time; gives the rest of `out`.
#[inline(always)]
fn registers<'a, const N: usize, B: Blocks>(
    token: B::Token,
    keys: &RoundKeys,
    nonce: [u32; 3],
    block: &mut u32,
    out: &'a mut [u8],
) -> &'a mut [u8] {
    let mut chunks = out.chunks_exact_mut(BLOCK_LEN * B::WIDTH * N);
    for chunk in &mut chunks {
        let counters = B::counters::<N>(token, nonce, *block);
        *block = block.wrapping_add((B::WIDTH * N) as u32);
        encrypt(token, keys, counters, chunk);
    }
    chunks.into_remainder()
}

/// The beginnings of several streams, `len` bytes each, one after the other. In: whole registers.
#[inline(always)]
pub(super) fn keystreams<B: Blocks>(
    token: B::Token,
    keys: &RoundKeys,
    nonces: &[[u8; NONCE_LEN]],
    len: usize,
    out: &mut [u8],
) {
    debug_assert!(len.is_multiple_of(BLOCK_LEN * B::WIDTH) && out.len() == nonces.len() * len);
    let mut starts = nonces.iter().flat_map(
        #[inline(always)]
        |nonce| (0..(len / BLOCK_LEN) as u32).step_by(B::WIDTH).map(move |block| (words(nonce), block)),
    );
    // Registers of different streams go through the rounds together.
    for chunk in out.chunks_mut(BLOCK_LEN * B::WIDTH * 8) {
        let mut counters = B::counters::<8>(token, [0; 3], 0);
        for (counter, (nonce, block)) in counters.iter_mut().zip(&mut starts) {
            [*counter] = B::counters(token, nonce, block);
        }
        encrypt(token, keys, counters, chunk);
    }
}

/// Little-endian words.
#[inline(always)]
fn words(nonce: &[u8; NONCE_LEN]) -> [u32; 3] {
    let mut words = [0; 3];
    for (word, bytes) in words.iter_mut().zip(nonce.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    words
}

/// The rounds; writes as many registers of blocks as `to` has room for.
#[inline(always)]
fn encrypt<const N: usize, B: Blocks>(token: B::Token, keys: &RoundKeys, mut x: [B; N], to: &mut [u8]) {
    let mut before = B::key(token, &keys[0]);
    for x in &mut x {
        *x = x.begin(before);
    }
    for key in &keys[1..ROUNDS] {
        let after = B::key(token, key);
        for x in &mut x {
            *x = x.round(before, after);
        }
        before = after;
    }
    let after = B::key(token, &keys[ROUNDS]);
    for (x, to) in x.into_iter().zip(to.chunks_exact_mut(BLOCK_LEN * B::WIDTH)) {
        x.last(before, after).store(to);
    }
}
