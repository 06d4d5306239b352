//! SHAKE256 (FIPS 202, section 6.2) of a message that comes in pieces, whole blocks out.
//!
//! The permutation is that of a backend ([`super::Keccak`]).

use super::permutation::State;
use super::states::{STREAMS, States};
use super::{Keccak, Permute, PermuteStreams};
use crate::isa::{self, Isa, Op};
use crate::secret::Secret;

/// Bytes that SHAKE256 takes or gives per permutation.
pub(crate) const RATE: usize = 136;

/// The next blocks of an output.
struct Blocks<'a> {
    state: &'a mut State,
    blocks: &'a mut [[u8; RATE]],
}

impl<K: Keccak> Op<K> for Blocks<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        for block in self.blocks {
            k.permute(self.state);
            for (to, word) in block.as_chunks_mut::<8>().0.iter_mut().zip(&*self.state) {
                *to = word.to_le_bytes();
            }
        }
    }
}

/// SHAKE256 while it takes its message.
pub(crate) struct Shake256 {
    isa: Isa,
    state: Secret<State>,
    /// Bytes of the current block that were taken, below `RATE`.
    taken: usize,
}

impl Shake256 {
    /// The hash of nothing, to be computed on a backend.
    pub fn new(isa: Isa) -> Shake256 {
        Shake256 { isa, state: Secret::new([0; 25]), taken: 0 }
    }

    /// Takes the next piece of the message.
    pub fn update(&mut self, mut piece: &[u8]) {
        while !piece.is_empty() {
            let (now, later) = piece.split_at(piece.len().min(RATE - self.taken));
            absorb(self.state.expose_mut(), self.taken, now);
            self.taken += now.len();
            if self.taken == RATE {
                isa::with(self.isa, Permute(self.state.expose_mut()));
                self.taken = 0;
            }
            piece = later;
        }
    }

    /// The output.
    pub fn finish(mut self) -> Output {
        absorb(self.state.expose_mut(), self.taken, &[0x1F]);
        absorb(self.state.expose_mut(), RATE - 1, &[0x80]);
        Output { isa: self.isa, state: self.state }
    }
}

/// Adds bytes to the state from byte `at` on. In: they end inside the state.
fn absorb(state: &mut State, mut at: usize, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        let shift = 8 * (at % 8);
        let len = bytes.len().min(8 - at % 8);
        let (now, later) = bytes.split_at(len);
        let mut word = [0; 8];
        match now.first_chunk() {
            Some(whole) => word = *whole,
            None => word.iter_mut().zip(now).for_each(|(to, from)| *to = *from),
        }
        state[at / 8] ^= u64::from_le_bytes(word) << shift;
        (at, bytes) = (at + len, later);
    }
}

/// What SHAKE256 gives, block by block.
pub(crate) struct Output {
    isa: Isa,
    state: Secret<State>,
}

impl Output {
    /// The next `RATE` bytes.
    pub fn next_block(&mut self, block: &mut [u8; RATE]) {
        self.next_blocks(core::slice::from_mut(block));
    }

    /// The next blocks.
    pub fn next_blocks(&mut self, blocks: &mut [[u8; RATE]]) {
        isa::with(self.isa, Blocks { state: self.state.expose_mut(), blocks });
    }
}

/// What SHAKE256 gives for several messages, block by block, with one permutation for all.
pub(crate) struct Outputs {
    isa: Isa,
    states: Box<Secret<States>>,
    streams: usize,
}

impl Outputs {
    /// The outputs for what was taken so far. In: at most [`STREAMS`] hashes.
    pub fn new<'a>(isa: Isa, hashes: impl Iterator<Item = &'a Shake256>) -> Outputs {
        let mut outputs = Outputs { isa, states: Box::new(Secret::new(States::new())), streams: 0 };
        let states = outputs.states.expose_mut();
        for hash in hashes.take(STREAMS) {
            states.put(outputs.streams, hash.state.expose());
            states.pad(outputs.streams, hash.taken, 0x1F, RATE);
            outputs.streams += 1;
        }
        outputs
    }

    /// Goes on to the next block of each.
    pub fn permute(&mut self) {
        isa::with(self.isa, PermuteStreams(self.states.expose_mut(), self.streams));
    }

    /// The current block of one.
    pub fn block(&self, stream: usize, block: &mut [u8; RATE]) {
        self.states.expose().squeeze(stream, block);
    }

    /// The blocks of one after the current one.
    pub fn alone(&self, stream: usize) -> Output {
        Output { isa: self.isa, state: Secret::new(self.states.expose().take(stream)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha3::digest::{ExtendableOutput, Update, XofReader};

    /// All lengths around the block, in pieces of all lengths, against another implementation.
    #[test]
    fn shake256_is_that_of_the_sha3_crate_on_every_backend() {
        let message: Vec<u8> = (0..1000u32).map(|i| ((i * i) >> 3) as u8).collect();
        for isa in Isa::ALL.iter().filter(|isa| isa.is_supported()) {
            for len in (0..300).chain([407, 408, 409, 1000]) {
                let mut theirs = sha3::Shake256::default();
                theirs.update(&message[..len]);
                let mut expected = [0; 4 * RATE];
                theirs.finalize_xof().read(&mut expected);
                let mut ours = Shake256::new(*isa);
                for piece in message[..len].chunks(1 + len % 150) {
                    ours.update(piece);
                }
                let mut output = ours.finish();
                let mut block = [0; RATE];
                for expected in expected.as_chunks::<RATE>().0 {
                    output.next_block(&mut block);
                    assert_eq!(block, *expected, "{len} bytes on {}", isa.name());
                }
            }
        }
    }
}
