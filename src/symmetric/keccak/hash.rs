//! The short hashes of a key encapsulation: SHA3-256, SHA3-512, SHAKE256 (FIPS 202, section 6), a block at a time.
//!
//! A [`Sponge`] is permuted by its owner: on its own, or as a stream beside others, which in Kyber hides the hash of a
//! public key or of a ciphertext behind the matrix. Outputs are no longer than a block.

use super::permutation::State;
use super::{Keccak, Permute, PermuteStreams, STREAMS, States};
use crate::isa::Op;

/// A function of the sponge: bytes of a block, and the suffix with the first bit of the padding.
#[derive(Clone, Copy)]
pub(crate) struct Function {
    pub rate: usize,
    pub suffix: u8,
}

/// The rate of SHA3-256 and of SHAKE256.
const SHA3_256_RATE: usize = 136;
const SHA3_512_RATE: usize = 72;
pub(crate) const SHA3_256: Function = Function { rate: SHA3_256_RATE, suffix: 0x06 };
pub(crate) const SHA3_512: Function = Function { rate: SHA3_512_RATE, suffix: 0x06 };
pub(crate) const SHAKE256: Function = Function { rate: SHA3_256_RATE, suffix: 0x1F };

/// A hash in progress. It is always about to absorb a block or absorbed all of them.
pub(crate) struct Sponge<'a> {
    message: Message<'a>,
    pub state: State,
}

/// What a hash still absorbs.
struct Message<'a> {
    function: Function,
    /// The message is these parts, one after the other.
    rest: [&'a [u8]; 2],
    /// Whether nothing follows the parts.
    is_whole: bool,
    is_padded: bool,
}

impl<'a> Sponge<'a> {
    /// The hash of two parts, one after the other.
    #[inline(always)]
    pub fn new(function: Function, parts: [&'a [u8]; 2]) -> Sponge<'a> {
        let message = Message { function, rest: parts, is_whole: true, is_padded: false };
        Sponge { message, state: [0; 25] }
    }

    /// A hash, begun or not, with a part of what is still to be absorbed: only whole blocks of it are, until
    /// [`Sponge::resumed`].
    #[inline(always)]
    pub fn with_part(function: Function, state: State, part: &'a [u8]) -> Sponge<'a> {
        let message = Message { function, rest: [part, &[]], is_whole: false, is_padded: false };
        Sponge { message, state }
    }

    /// A hash that was begun, with what is still to be absorbed.
    #[inline(always)]
    pub fn resumed(function: Function, state: State, rest: &'a [u8]) -> Sponge<'a> {
        Sponge { state, ..Sponge::new(function, [rest, &[]]) }
    }

    /// Bytes of the parts that were not absorbed yet.
    #[inline(always)]
    pub fn remaining(&self) -> usize {
        self.message.remaining()
    }

    /// Blocks that can still be absorbed.
    #[inline(always)]
    pub fn blocks(&self) -> usize {
        let Message { function, is_whole, is_padded, .. } = self.message;
        // A division by a constant in each case is none in the machine code.
        let whole = match function.rate {
            SHA3_256_RATE => self.remaining() / SHA3_256_RATE,
            _ => self.remaining() / SHA3_512_RATE,
        };
        whole + usize::from(is_whole && !is_padded)
    }

    /// Absorbs the next block; false where there is none. After true, the state has to be permuted.
    #[inline(always)]
    pub fn absorb_block(&mut self) -> bool {
        let Sponge { message, state } = self;
        message.absorb_block(|word, value| state[word] ^= value)
    }

    /// [`Sponge::absorb_block`] while the state is one of several streams.
    #[inline(always)]
    pub fn absorb_block_in(&mut self, states: &mut States, stream: usize) -> bool {
        self.message.absorb_block(|word, value| states.words[word][stream] ^= value)
    }

    /// Absorbs what is left, and gives the output. In: `out` is not longer than a block.
    #[inline(always)]
    pub fn finish<K: Keccak>(mut self, k: K, out: &mut [u8]) {
        debug_assert!(self.message.is_whole && out.len() <= self.message.function.rate);
        while self.absorb_block() {
            k.enter(Permute(&mut self.state));
        }
        for (to, word) in out.chunks_mut(8).zip(&self.state) {
            to.copy_from_slice(&word.to_le_bytes()[..to.len()]);
        }
    }
}

/// The hashes of several messages of one length, each in two parts, in lock step. In: at most [`STREAMS`] messages, as
/// many outputs, which are not longer than a block and end at a word.
pub(crate) struct HashAll<'a, const L: usize> {
    pub function: Function,
    pub messages: &'a [[&'a [u8]; 2]],
    pub out: &'a mut [[u8; L]],
}

impl<K: Keccak, const L: usize> Op<K> for HashAll<'_, L> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let HashAll { function, messages, out } = self;
        debug_assert!(messages.len() == out.len() && messages.len() <= STREAMS && L <= function.rate);
        let mut states = States::new();
        let mut rest = [const { None }; STREAMS];
        for (rest, parts) in rest.iter_mut().zip(messages) {
            let message = Message { function, rest: *parts, is_whole: true, is_padded: false };
            debug_assert!(message.remaining() == messages[0][0].len() + messages[0][1].len());
            *rest = Some(message);
        }
        loop {
            let mut is_absorbing = false;
            for (stream, message) in rest.iter_mut().enumerate() {
                if let Some(message) = message {
                    is_absorbing = message.absorb_block(|word, value| states.words[word][stream] ^= value);
                }
            }
            if !is_absorbing {
                break;
            }
            k.enter(PermuteStreams(&mut states, messages.len()));
        }
        for (stream, out) in out.iter_mut().enumerate() {
            states.squeeze(stream, out);
        }
    }
}

impl Message<'_> {
    #[inline(always)]
    fn remaining(&self) -> usize {
        self.rest[0].len() + self.rest[1].len()
    }

    /// Takes the next block, if there is one: `add` adds a value to a word of the state.
    #[inline(always)]
    fn absorb_block(&mut self, mut add: impl FnMut(usize, u64)) -> bool {
        let rate = self.function.rate;
        if self.is_padded || !self.is_whole && self.remaining() < rate {
            return false;
        }
        if let [[], second] = self.rest {
            self.rest = [second, &[]];
        }
        if let (SHA3_256_RATE, Some((block, rest))) =
            (rate, self.rest[0].split_first_chunk::<SHA3_256_RATE>())
        {
            for (i, word) in block.as_chunks::<8>().0.iter().enumerate() {
                add(i, u64::from_le_bytes(*word));
            }
            self.rest[0] = rest;
            return true;
        }
        let mut at = 0;
        for part in &mut self.rest {
            let (now, later) = part.split_at(part.len().min(rate - at));
            absorb(at, now, &mut add);
            at += now.len();
            *part = later;
        }
        if at < rate {
            absorb(at, &[self.function.suffix], &mut add);
            absorb(rate - 1, &[0x80], &mut add);
            self.is_padded = true;
        }
        true
    }
}

/// Adds bytes to the words of a state from byte `at` on. In: they end inside the state.
#[inline(always)]
fn absorb(mut at: usize, mut bytes: &[u8], mut add: impl FnMut(usize, u64)) {
    while let (0, Some((word, rest))) = (at % 8, bytes.split_first_chunk()) {
        add(at / 8, u64::from_le_bytes(*word));
        (at, bytes) = (at + 8, rest);
    }
    for byte in bytes {
        add(at / 8, u64::from(*byte) << (8 * (at % 8)));
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{self, Isa};
    use sha3::digest::{Digest, ExtendableOutput, Update, XofReader};

    struct HashOf<'a>(Function, [&'a [u8]; 2], &'a mut [u8]);

    impl<K: Keccak> Op<K> for HashOf<'_> {
        type Out = ();
        #[inline(always)]
        fn run(self, k: K) {
            Sponge::new(self.0, self.1).finish(k, self.2);
        }
    }

    /// All lengths around a block, in two parts and in a beginning and a rest, against another implementation.
    #[test]
    fn hashes_are_those_of_the_sha3_crate_on_every_backend() {
        let message: Vec<u8> = (0..600u32).map(|i| ((i * i) >> 3) as u8).collect();
        for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_supported()) {
            for len in (0..150).chain(265..280).chain([600]) {
                let message = &message[..len];
                for cut in [0, len.min(32), len / 3, len] {
                    let (first, second) = message.split_at(cut);
                    let parts = [first, second];
                    let (mut short, mut long) = ([0; 32], [0; 64]);
                    isa::with(isa, HashOf(SHA3_256, parts, &mut short));
                    assert_eq!(short, *sha3::Sha3_256::digest(message), "{len} bytes on {}", isa.name());
                    isa::with(isa, HashOf(SHA3_512, parts, &mut long));
                    assert_eq!(long, *sha3::Sha3_512::digest(message), "{len} bytes on {}", isa.name());
                    isa::with(isa, HashOf(SHAKE256, parts, &mut short));
                    let mut shake = sha3::Shake256::default();
                    shake.update(message);
                    let mut expected = [0; 32];
                    shake.finalize_xof().read(&mut expected);
                    assert_eq!(short, expected, "{len} bytes on {}", isa.name());
                }
            }
        }
    }

    /// Every number of messages, lengths around a block, against the hashes one by one.
    #[test]
    fn hashes_in_lock_step_are_the_single_ones_on_every_backend() {
        let message: Vec<u8> = (0..900u32).map(|i| ((i * i) >> 3) as u8).collect();
        for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_supported()) {
            for count in 0..=STREAMS {
                for len in [0, 33, 64, 71, 72, 135, 136, 137, 272, 800] {
                    let of = |i: usize| message[11 * i..][..len].split_at(len.min(32));
                    let messages: Vec<[&[u8]; 2]> = (0..count).map(of).map(|(a, b)| [a, b]).collect();
                    let (mut short, mut long) = (vec![[0; 32]; count], vec![[0; 64]; count]);
                    isa::with(isa, HashAll { function: SHA3_256, messages: &messages, out: &mut short });
                    isa::with(isa, HashAll { function: SHA3_512, messages: &messages, out: &mut long });
                    for (i, (short, long)) in short.iter().zip(&long).enumerate() {
                        let message = &message[11 * i..][..len];
                        let name = format!("{i} of {count}, {len} bytes, on {}", isa.name());
                        assert_eq!(*short, *sha3::Sha3_256::digest(message), "{name}");
                        assert_eq!(*long, *sha3::Sha3_512::digest(message), "{name}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_beginning_and_a_rest_are_the_whole() {
        use crate::simd::Scalar;
        let message = [0xA7; 700];
        for beginning in 0..700 {
            let mut sponge = Sponge::with_part(SHA3_256, [0; 25], &message[..beginning]);
            let mut blocks = 0;
            while sponge.absorb_block() {
                Scalar::get().permute(&mut sponge.state);
                blocks += 1;
            }
            assert_eq!(blocks, beginning / 136);
            let absorbed = beginning - sponge.remaining();
            let mut out = [0; 32];
            Sponge::resumed(SHA3_256, sponge.state, &message[absorbed..]).finish(Scalar::get(), &mut out);
            assert_eq!(out, *sha3::Sha3_256::digest(message));
        }
    }
}
