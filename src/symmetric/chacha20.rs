//! The ChaCha20 generator of Falcon's signer (reference program of round 3).
//!
//! A 56-byte seed holds 48 bytes of state words and a 64-bit block counter. One refill makes eight blocks and
//! interleaves their words; [`Prng::next_u64`] and [`Prng::next_u8`] take bytes in the reference's order, which
//! drops up to nine bytes at the end of a buffer. Every backend must take the same bytes.

use crate::secret::Secret;
use zeroize::Zeroize;

/// Bytes of a seed: 32 of key, 16 of nonce, 8 of block counter.
pub const SEED_LEN: usize = 56;

/// Bytes of one refill: eight blocks.
pub const BUFFER_LEN: usize = 512;

/// A 64-bit read from here on refills first, although 503 + 8 bytes would still fit.
const LAST_U64_POSITION: usize = BUFFER_LEN - 9;

/// "expand 32-byte k", the ChaCha constant.
const CONSTANT: [u32; 4] = [0x6170_7865, 0x3320_646E, 0x7962_2D32, 0x6B20_6574];

/// The generator; its state and buffer are wiped on drop.
pub struct Prng {
    state: Box<Secret<State>>,
    position: usize,
}

#[derive(Zeroize)]
struct State {
    /// Words 4 to 15 of the ChaCha state before the counter is mixed in.
    words: [u32; 12],
    counter: u64,
    buffer: [u8; BUFFER_LEN],
}

impl Prng {
    /// Starts from a seed and fills the buffer.
    pub fn new(seed: &[u8; SEED_LEN]) -> Prng {
        let mut secret = Box::new(Secret::new(State { words: [0; 12], counter: 0, buffer: [0; BUFFER_LEN] }));
        let state = secret.expose_mut();
        let (words, counter) = seed.split_at(48);
        for (word, bytes) in state.words.iter_mut().zip(words.chunks_exact(4)) {
            *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        for (i, byte) in counter.iter().enumerate() {
            state.counter |= u64::from(*byte) << (8 * i);
        }
        let mut prng = Prng { state: secret, position: 0 };
        prng.refill();
        prng
    }

    /// The next eight bytes, little-endian; refills first where fewer than ten are left.
    #[inline(always)]
    pub fn next_u64(&mut self) -> u64 {
        if self.position >= LAST_U64_POSITION {
            self.refill();
        }
        let mut bytes = [0u8; 8];
        bytes.copy_from_slice(&self.state.expose().buffer[self.position..self.position + 8]);
        self.position += 8;
        u64::from_le_bytes(bytes)
    }

    /// The next byte; refills at once when it was the last one.
    #[inline(always)]
    pub fn next_u8(&mut self) -> u8 {
        let byte = self.state.expose().buffer[self.position % BUFFER_LEN];
        self.position += 1;
        if self.position == BUFFER_LEN {
            self.refill();
        }
        byte
    }

    #[inline(never)]
    fn refill(&mut self) {
        let state = self.state.expose_mut();
        for half in 0..2 {
            four_blocks(
                &state.words,
                state.counter.wrapping_add(4 * half),
                &mut state.buffer,
                16 * half as usize,
            );
        }
        state.counter = state.counter.wrapping_add(8);
        self.position = 0;
    }
}

#[cfg(test)]
impl Prng {
    /// Bytes of the current buffer that are used up.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Skips to a position in the buffer.
    pub fn set_position(&mut self, position: usize) {
        self.position = position;
    }

    /// Refills so far, the first one not counted. `seed` is what the generator was made from.
    pub fn refills(&self, seed: &[u8; SEED_LEN]) -> u64 {
        let mut start = [0; 8];
        start.copy_from_slice(&seed[48..]);
        self.state.expose().counter.wrapping_sub(u64::from_le_bytes(start)) / 8 - 1
    }
}

/// Four lanes of one ChaCha word.
type Lanes = [u32; 4];

#[inline(always)]
fn add(a: Lanes, b: Lanes) -> Lanes {
    core::array::from_fn(|i| a[i].wrapping_add(b[i]))
}

#[inline(always)]
fn xor_rotate<const BITS: u32>(a: Lanes, b: Lanes) -> Lanes {
    core::array::from_fn(|i| (a[i] ^ b[i]).rotate_left(BITS))
}

#[inline(always)]
fn quarter_round(x: &mut [Lanes; 16], a: usize, b: usize, c: usize, d: usize) {
    x[a] = add(x[a], x[b]);
    x[d] = xor_rotate::<16>(x[d], x[a]);
    x[c] = add(x[c], x[d]);
    x[b] = xor_rotate::<12>(x[b], x[c]);
    x[a] = add(x[a], x[b]);
    x[d] = xor_rotate::<8>(x[d], x[a]);
    x[c] = add(x[c], x[d]);
    x[b] = xor_rotate::<7>(x[b], x[c]);
}

/// Blocks `counter` to `counter + 3`; word `v` of block `u` goes to byte `offset + 4 u + 32 v` of the buffer.
fn four_blocks(words: &[u32; 12], counter: u64, buffer: &mut [u8; BUFFER_LEN], offset: usize) {
    let mut start = [[0u32; 4]; 16];
    for (lanes, word) in start.iter_mut().zip(CONSTANT.iter().chain(words)) {
        *lanes = [*word; 4];
    }
    let [.., low, high] = &mut start;
    for (lane, (low, high)) in low.iter_mut().zip(high).enumerate() {
        let counter = counter.wrapping_add(lane as u64);
        *low ^= counter as u32;
        *high ^= (counter >> 32) as u32;
    }
    let mut x = start;
    for _ in 0..10 {
        quarter_round(&mut x, 0, 4, 8, 12);
        quarter_round(&mut x, 1, 5, 9, 13);
        quarter_round(&mut x, 2, 6, 10, 14);
        quarter_round(&mut x, 3, 7, 11, 15);
        quarter_round(&mut x, 0, 5, 10, 15);
        quarter_round(&mut x, 1, 6, 11, 12);
        quarter_round(&mut x, 2, 7, 8, 13);
        quarter_round(&mut x, 3, 4, 9, 14);
    }
    for ((row, x), start) in buffer.chunks_exact_mut(32).zip(x).zip(start) {
        for (bytes, word) in row[offset..offset + 16].chunks_exact_mut(4).zip(add(x, start)) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 8439, section 2.3.2: key 00..1f, nonce 000000090000004a00000000, counter 1. There the counter is word
    /// 12; here words 12 to 15 are free and the (zero) counter is mixed into the last two.
    #[test]
    fn block_function_is_chacha20() {
        let mut seed = [0u8; SEED_LEN];
        for (i, byte) in seed.iter_mut().take(32).enumerate() {
            *byte = i as u8;
        }
        seed[32..48].copy_from_slice(&[1, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0x4A, 0, 0, 0, 0]);
        let prng = Prng::new(&seed);
        let want: [u32; 16] = [
            0xe4e7f110, 0x15593bd1, 0x1fdd0f50, 0xc47120a3, 0xc7f4d1c7, 0x0368c033, 0x9aaa2204, 0x4e6cd4c3,
            0x466482d2, 0x09aa9f07, 0x05d7c214, 0xa2028bd9, 0xd19c12b5, 0xb94e16de, 0xe883d0cb, 0x4e3c50a2,
        ];
        for (v, word) in want.iter().enumerate() {
            assert_eq!(prng.state.expose().buffer[32 * v..32 * v + 4], word.to_le_bytes(), "word {v}");
        }
    }

    #[test]
    fn a_64_bit_read_at_503_refills_first_and_at_502_does_not() {
        let seed = [7u8; SEED_LEN];
        for (position, refills, after) in [(502, 0, 510), (503, 1, 8), (511, 1, 8)] {
            let mut prng = Prng::new(&seed);
            prng.set_position(position);
            prng.next_u64();
            assert_eq!((prng.refills(&seed), prng.position()), (refills, after), "from {position}");
        }
    }

    #[test]
    fn an_8_bit_read_of_the_last_byte_refills_at_once() {
        let seed = [7u8; SEED_LEN];
        let mut prng = Prng::new(&seed);
        prng.set_position(510);
        prng.next_u8();
        assert_eq!((prng.refills(&seed), prng.position()), (0, 511));
        prng.next_u8();
        assert_eq!((prng.refills(&seed), prng.position()), (1, 0));
    }

    #[test]
    fn the_counter_is_64_bits_wide() {
        let mut seed = [3u8; SEED_LEN];
        seed[48..].copy_from_slice(&(u64::from(u32::MAX) - 3).to_le_bytes());
        let across = Prng::new(&seed);
        seed[48..].copy_from_slice(&(u64::from(u32::MAX) + 1).to_le_bytes());
        let after = Prng::new(&seed);
        // Block 4 of the first is block 0 of the second.
        for v in 0..16 {
            assert_eq!(
                across.state.expose().buffer[32 * v + 16..32 * v + 20],
                after.state.expose().buffer[32 * v..32 * v + 4]
            );
        }
    }
}
