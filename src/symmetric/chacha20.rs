//! The ChaCha20 generator of Falcon's signer (reference program of round 3).
//!
//! A 56-byte seed holds 48 bytes of state words and a 64-bit block counter. One refill makes eight blocks and
//! interleaves their words; [`Prng::next_u64`] and [`Prng::next_u8`] take bytes in the reference's order, which
//! drops up to nine bytes at the end of a buffer. Every backend must take the same bytes.

pub(crate) mod erasing;
#[cfg(target_arch = "riscv64")]
mod rvv;

use crate::isa::Op;
use crate::secret::Secret;
use crate::simd::{Int32, Simd, Token};
use zeroize::Zeroize;

/// Bytes of a seed: 32 of key, 16 of nonce, 8 of block counter.
pub const SEED_LEN: usize = 56;

/// Bytes of one refill: eight blocks.
pub const BUFFER_LEN: usize = 512;

/// Bytes behind a buffer that may be read: the beginning of the next one, as far as it is made.
pub const SLACK_LEN: usize = 192;

/// A 64-bit read from here on refills first, although 503 + 8 bytes would still fit.
pub const LAST_U64_POSITION: usize = BUFFER_LEN - 9;

/// Buffers in the ring: the widest backend makes two at a time, while the last one and the next one are in use.
const RING: usize = 4;

/// "expand 32-byte k", the ChaCha constant.
const CONSTANT: [u32; 4] = [0x6170_7865, 0x3320_646E, 0x7962_2D32, 0x6B20_6574];

/// The generator; its state and buffers are wiped on drop.
///
/// Buffers lie in a ring, so that one can be looked ahead ([`Prng::make_next`]) and gone back ([`Prng::go_back`]).
pub struct Prng {
    state: Box<Secret<State>>,
    /// Number of the current buffer, from 0.
    current: usize,
    /// Buffers made so far.
    made: usize,
    position: usize,
}

/// The generator's state, and the ring of buffers.
#[repr(C)]
pub struct State {
    /// Words 4 to 15 of the ChaCha state before the counter is mixed in.
    words: [u32; 12],
    counter: u64,
    /// The ring, and behind it a copy of its beginning.
    ring: [u8; RING * BUFFER_LEN + SLACK_LEN],
}

impl Zeroize for State {
    fn zeroize(&mut self) {
        self.words.zeroize();
        self.counter.zeroize();
        // As a slice: an array is wiped byte by byte.
        self.ring.as_mut_slice().zeroize();
    }
}

impl Prng {
    /// Starts from a seed and fills the buffer.
    pub fn new<G: Generator>(g: G, seed: &[u8; SEED_LEN]) -> Prng {
        let state = State { words: [0; 12], counter: 0, ring: [0; RING * BUFFER_LEN + SLACK_LEN] };
        let mut secret = Box::new(Secret::new(state));
        let state = secret.expose_mut();
        let (words, counter) = seed.split_at(48);
        for (word, bytes) in state.words.iter_mut().zip(words.chunks_exact(4)) {
            *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        for (i, byte) in counter.iter().enumerate() {
            state.counter |= u64::from(*byte) << (8 * i);
        }
        let mut prng = Prng { state: secret, current: 0, made: 0, position: 0 };
        prng.make(g, 1);
        prng
    }

    /// The next eight bytes, little-endian; refills first where fewer than ten are left.
    #[inline(always)]
    pub fn next_u64<G: Generator>(&mut self, g: G) -> u64 {
        if self.position >= LAST_U64_POSITION {
            self.refill(g);
        }
        let mut bytes = [0u8; 8];
        bytes.copy_from_slice(&self.buffer()[self.position..self.position + 8]);
        self.position += 8;
        u64::from_le_bytes(bytes)
    }

    /// The next byte; refills at once when it was the last one.
    #[inline(always)]
    pub fn next_u8<G: Generator>(&mut self, g: G) -> u8 {
        let byte = self.buffer()[self.position];
        self.set_position(g, self.position + 1);
        byte
    }

    /// The current buffer and the bytes behind it, which are those of the next one after [`Prng::make_next`].
    #[inline(always)]
    pub fn buffer(&self) -> &[u8] {
        let start = self.current % RING * BUFFER_LEN;
        &self.state.expose().ring[start..start + BUFFER_LEN + SLACK_LEN]
    }

    /// Refills so far, the first one not counted.
    pub fn refills(&self) -> usize {
        self.current
    }

    /// Bytes of the current buffer that are used up.
    #[inline(always)]
    pub fn position(&self) -> usize {
        self.position
    }

    /// Says how many bytes of the current buffer are used up; refills where all are.
    #[inline(always)]
    pub fn set_position<G: Generator>(&mut self, g: G, position: usize) {
        self.position = position;
        if self.position == BUFFER_LEN {
            self.refill(g);
        }
    }

    /// Goes on to the next buffer.
    #[inline(always)]
    pub fn refill<G: Generator>(&mut self, g: G) {
        self.position = 0;
        self.current += 1;
        self.make(g, self.current + 1);
    }

    /// Makes the buffer after the current one, so that its beginning can be read behind the current one.
    #[inline(always)]
    pub fn make_next<G: Generator>(&mut self, g: G) {
        self.make(g, self.current + 2);
    }

    /// Goes back to the buffer before the current one.
    pub fn go_back(&mut self) {
        debug_assert!(self.current > 0);
        self.current -= 1;
    }

    #[inline(always)]
    fn make<G: Generator>(&mut self, g: G, count: usize) {
        while self.made < count {
            let first_buffer = self.made % RING;
            let state = self.state.expose_mut();
            g.make_buffers(state, first_buffer);
            if first_buffer == 0 {
                state.ring.copy_within(..SLACK_LEN, RING * BUFFER_LEN);
            }
            self.made += G::BUFFERS;
        }
    }
}

/// What makes buffers: every token of the vector vocabulary, and those with a kernel.
pub trait Generator: Token {
    /// How many at once: 1 or 2.
    const BUFFERS: usize;
    /// Makes them, the first of them in the given place of the ring, and adds their blocks to the counter. Of a
    /// buffer's eight blocks, word v of block u goes to byte 4 u + 32 v.
    fn make_buffers(self, state: &mut State, first_buffer: usize);
}

impl<S: Simd> Generator for S {
    const BUFFERS: usize = if S::LANES32 > 8 { S::LANES32 / 8 } else { 1 };
    #[inline(always)]
    fn make_buffers(self, state: &mut State, first_buffer: usize) {
        self.enter(Blocks { state, first_buffer });
    }
}

/// [`Generator::make_buffers`] over the vocabulary.
struct Blocks<'a> {
    state: &'a mut State,
    first_buffer: usize,
}

impl<S: Simd> Op<S> for Blocks<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self, s: S) {
        let State { words, counter, ring } = self.state;
        let blocks = 8 * S::BUFFERS;
        let buffers = &mut ring[self.first_buffer * BUFFER_LEN..];
        for first in (0..blocks).step_by(S::LANES32) {
            let counters: [u64; 16] =
                core::array::from_fn(|lane| counter.wrapping_add((first + lane) as u64));
            let (low, high) = (counters.map(|c| c as u32), counters.map(|c| (c >> 32) as u32));
            let mut start = [s.splat_i32(0); 16];
            for (lanes, word) in start.iter_mut().zip(CONSTANT.iter().chain(words.iter())) {
                *lanes = s.splat_i32(*word as i32);
            }
            start[14] = start[14] ^ s.load_i32(&low);
            start[15] = start[15] ^ s.load_i32(&high);
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
            let mut row = [0u32; 16];
            for v in 0..16 {
                s.store_i32(&mut row, x[v] + start[v]);
                for (i, words) in row[..S::LANES32].chunks(8).enumerate() {
                    let block = first + 8 * i;
                    let at = block / 8 * BUFFER_LEN + 4 * (block % 8) + 32 * v;
                    for (bytes, word) in buffers[at..at + 4 * words.len()].chunks_exact_mut(4).zip(words) {
                        bytes.copy_from_slice(&word.to_le_bytes());
                    }
                }
            }
        }
        *counter = counter.wrapping_add(blocks as u64);
    }
}

#[inline(always)]
fn quarter_round<I: Int32>(x: &mut [I; 16], a: usize, b: usize, c: usize, d: usize) {
    x[a] = x[a] + x[b];
    x[d] = (x[d] ^ x[a]).rotate_left::<16>();
    x[c] = x[c] + x[d];
    x[b] = (x[b] ^ x[c]).rotate_left::<12>();
    x[a] = x[a] + x[b];
    x[d] = (x[d] ^ x[a]).rotate_left::<8>();
    x[c] = x[c] + x[d];
    x[b] = (x[b] ^ x[c]).rotate_left::<7>();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Scalar;

    /// RFC 8439, section 2.3.2: key 00..1f, nonce 000000090000004a00000000, counter 1. There the counter is word
    /// 12; here words 12 to 15 are free and the (zero) counter is mixed into the last two.
    #[test]
    fn block_function_is_chacha20() {
        let mut seed = [0u8; SEED_LEN];
        for (i, byte) in seed.iter_mut().take(32).enumerate() {
            *byte = i as u8;
        }
        seed[32..48].copy_from_slice(&[1, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0x4A, 0, 0, 0, 0]);
        let prng = Prng::new(Scalar::get(), &seed);
        let want: [u32; 16] = [
            0xe4e7f110, 0x15593bd1, 0x1fdd0f50, 0xc47120a3, 0xc7f4d1c7, 0x0368c033, 0x9aaa2204, 0x4e6cd4c3,
            0x466482d2, 0x09aa9f07, 0x05d7c214, 0xa2028bd9, 0xd19c12b5, 0xb94e16de, 0xe883d0cb, 0x4e3c50a2,
        ];
        for (v, word) in want.iter().enumerate() {
            assert_eq!(prng.buffer()[32 * v..32 * v + 4], word.to_le_bytes(), "word {v}");
        }
    }

    #[test]
    fn a_64_bit_read_at_503_refills_first_and_at_502_does_not() {
        let seed = [7u8; SEED_LEN];
        for (position, refills, after) in [(502, 0, 510), (503, 1, 8), (511, 1, 8)] {
            let mut prng = Prng::new(Scalar::get(), &seed);
            prng.set_position(Scalar::get(), position);
            prng.next_u64(Scalar::get());
            assert_eq!((prng.refills(), prng.position()), (refills, after), "from {position}");
        }
    }

    #[test]
    fn an_8_bit_read_of_the_last_byte_refills_at_once() {
        let seed = [7u8; SEED_LEN];
        let mut prng = Prng::new(Scalar::get(), &seed);
        prng.set_position(Scalar::get(), 510);
        prng.next_u8(Scalar::get());
        assert_eq!((prng.refills(), prng.position()), (0, 511));
        prng.next_u8(Scalar::get());
        assert_eq!((prng.refills(), prng.position()), (1, 0));
    }

    #[test]
    fn the_counter_is_64_bits_wide() {
        let mut seed = [3u8; SEED_LEN];
        seed[48..].copy_from_slice(&(u64::from(u32::MAX) - 3).to_le_bytes());
        let across = Prng::new(Scalar::get(), &seed);
        seed[48..].copy_from_slice(&(u64::from(u32::MAX) + 1).to_le_bytes());
        let after = Prng::new(Scalar::get(), &seed);
        // Block 4 of the first is block 0 of the second.
        for v in 0..16 {
            assert_eq!(across.buffer()[32 * v + 16..32 * v + 20], after.buffer()[32 * v..32 * v + 4]);
        }
    }

    struct Stream<'a>(&'a [u8; SEED_LEN]);

    impl<G: Generator> Op<G> for Stream<'_> {
        type Out = Vec<u8>;
        fn run(self, s: G) -> Vec<u8> {
            let mut prng = Prng::new(s, self.0);
            let mut out = Vec::new();
            for i in 0..3000 {
                out.extend_from_slice(&prng.next_u64(s).to_le_bytes());
                out.resize(out.len() + 2, 0);
                out.extend((0..i % 5).map(|_| prng.next_u8(s)));
            }
            out.extend_from_slice(&prng.refills().to_le_bytes());
            out
        }
    }

    #[test]
    fn every_backend_takes_the_same_bytes() {
        use crate::isa::{Isa, with};
        let seed = core::array::from_fn(|i| 0xF0u8.wrapping_add(i as u8));
        let expected = with(Isa::Scalar, Stream(&seed));
        for isa in Isa::ALL.iter().filter(|isa| isa.is_supported()) {
            assert!(with(*isa, Stream(&seed)) == expected, "{}", isa.name());
        }
    }
}
