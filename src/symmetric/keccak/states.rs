//! Eight Keccak states side by side, for many short hashes at once (FIPS 202; the streams of ML-KEM's matrix and noise).
//!
//! Word w of stream l is `words[w][l]`, so that a vector of any width reads the same word of several streams. Streams
//! of different rate and padding share a permutation: only [`States::absorb`] and [`States::squeeze`] know the
//! difference. How a backend permutes several of them is [`super::Keccak::permute_streams`].

use super::permutation::State;
use zeroize::Zeroize;

/// Streams of [`States`].
pub(crate) const STREAMS: usize = 8;

/// Eight states, of which an algorithm may use fewer.
#[repr(C, align(64))]
#[derive(Clone, Zeroize)]
pub struct States {
    /// Word by word, a row a word.
    pub words: [[u64; STREAMS]; 25],
}

impl States {
    /// All streams empty.
    #[inline(always)]
    pub fn new() -> States {
        States { words: [[0; STREAMS]; 25] }
    }

    /// Adds bytes to a stream from byte `at` on. In: they end inside the rate.
    #[inline(always)]
    pub fn absorb(&mut self, stream: usize, mut at: usize, mut bytes: &[u8]) {
        while let (0, Some((word, rest))) = (at % 8, bytes.split_first_chunk()) {
            self.words[at / 8][stream] ^= u64::from_le_bytes(*word);
            (at, bytes) = (at + 8, rest);
        }
        for (i, byte) in bytes.iter().enumerate() {
            let at = at + i;
            self.words[at / 8][stream] ^= u64::from(*byte) << (8 * (at % 8));
        }
    }

    /// Ends the message of a stream: the suffix with the first bit of the padding (0x06 for SHA-3, 0x1F for SHAKE) at
    /// byte `at`, the last bit at the end of the rate.
    #[inline(always)]
    pub fn pad(&mut self, stream: usize, at: usize, suffix: u8, rate: usize) {
        self.absorb(stream, at, &[suffix]);
        self.absorb(stream, rate - 1, &[0x80]);
    }

    /// The first bytes of a stream's state. In: they are inside the rate.
    #[inline(always)]
    pub fn squeeze(&self, stream: usize, to: &mut [u8]) {
        let (words, rest) = to.as_chunks_mut::<8>();
        let at = words.len();
        // Read before they are written: for all that compilers know, both may be the same.
        let (fours, others) = words.as_chunks_mut::<4>();
        let (rows, _) = self.words.as_chunks::<4>();
        for (rows, to) in rows.iter().zip(&mut *fours) {
            let [a, b, c, d] = rows;
            *to = [a[stream], b[stream], c[stream], d[stream]].map(u64::to_le_bytes);
        }
        let other_rows = self.words[4 * fours.len()..].iter();
        for (row, to) in other_rows.zip(others) {
            *to = row[stream].to_le_bytes();
        }
        if let Some(row) = self.words.get(at) {
            for (to, from) in rest.iter_mut().zip(row[stream].to_le_bytes()) {
                *to = from;
            }
        }
    }

    /// Empties a stream.
    #[inline(always)]
    pub fn clear(&mut self, stream: usize) {
        for row in &mut self.words {
            row[stream] = 0;
        }
    }

    /// One stream as a state of its own.
    #[inline(always)]
    pub fn take(&self, stream: usize) -> State {
        let mut state = [0; 25];
        for (word, row) in state.iter_mut().zip(&self.words) {
            *word = row[stream];
        }
        state
    }

    /// Puts a state into a stream.
    #[inline(always)]
    pub fn put(&mut self, stream: usize, state: &State) {
        for (row, word) in self.words.iter_mut().zip(state) {
            row[stream] = *word;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{self, Isa};
    use crate::symmetric::keccak::PermuteStreams;
    use sha3::digest::{ExtendableOutput, Update, XofReader};

    /// Streams of three kinds in one group, every number of streams, against the crate `sha3`; streams that are not
    /// asked for may change, those that are must not depend on them.
    #[test]
    fn streams_are_those_of_the_sha3_crate_on_every_backend() {
        let message: Vec<u8> = (0..200u32).map(|i| ((i * 167) >> 2) as u8).collect();
        for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_supported()) {
            for streams in 1..=STREAMS {
                let mut states = States::new();
                for stream in 0..STREAMS {
                    let rate = if stream % 2 == 0 { 168 } else { 136 };
                    let len = 33 + 5 * stream;
                    states.absorb(stream, 0, &message[stream..][..7]);
                    states.absorb(stream, 7, &message[stream + 7..][..len - 7]);
                    states.pad(stream, len, 0x1F, rate);
                }
                let mut ours = [[0; 3 * 168]; STREAMS];
                for block in 0..3 {
                    isa::with(isa, PermuteStreams(&mut states, streams));
                    for (stream, out) in ours.iter_mut().enumerate().take(streams) {
                        let rate = if stream % 2 == 0 { 168 } else { 136 };
                        states.squeeze(stream, &mut out[block * rate..][..rate]);
                    }
                }
                for (stream, ours) in ours.iter().enumerate().take(streams) {
                    let input = &message[stream..][..33 + 5 * stream];
                    let mut theirs = [0; 3 * 168];
                    if stream % 2 == 0 {
                        let mut shake = sha3::Shake128::default();
                        shake.update(input);
                        shake.finalize_xof().read(&mut theirs);
                    } else {
                        let mut shake = sha3::Shake256::default();
                        shake.update(input);
                        shake.finalize_xof().read(&mut theirs[..3 * 136]);
                    }
                    assert!(*ours == theirs, "stream {stream} of {streams} on {}", isa.name());
                }
            }
        }
    }

    #[test]
    fn taking_and_putting_are_inverse() {
        let mut states = States::new();
        let state: State = core::array::from_fn(|i| i as u64 * 0x0123_4567_89AB_CDEF);
        states.put(3, &state);
        assert_eq!(states.take(3), state);
        assert_eq!(states.take(2), [0; 25]);
        states.clear(3);
        assert_eq!(states.take(3), [0; 25]);
    }
}
