//! Keccak-f[1600] and SHAKE256 (FIPS 202, section 6.2) on the permutation of the caller's instruction set.
//!
//! [`Shake256Words`] is for long outputs of one short input, as Falcon's key generation reads them; [`sponge`] takes
//! a message in pieces. The tests compare with the crate `sha3`. Next: [`permutation`].

#[cfg(target_arch = "aarch64")]
mod aarch64;
mod backend;
pub(crate) mod hash;
pub mod permutation;
mod sponge;
mod states;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "for vectors"))]
mod streams;

pub(crate) use backend::{Keccak, Permute, PermuteStreams};
pub(crate) use sponge::{Output, Outputs, RATE, Shake256};
pub(crate) use states::{STREAMS, States};

use permutation::State;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// 64-bit words that a permutation gives.
const RATE_WORDS: usize = 17;

/// The output of SHAKE256 as little-endian 64-bit words.
#[derive(Zeroize, ZeroizeOnDrop)]
pub(crate) struct Shake256Words {
    state: State,
    /// The next word; past the rate where a permutation comes first.
    position: usize,
    /// Permutations so far.
    permutations: u64,
}

impl Shake256Words {
    /// The output for `input`. Time depends on its length alone.
    pub fn new<T: Keccak>(token: T, input: &[u8]) -> Self {
        let mut words = Shake256Words { state: [0; 25], position: RATE_WORDS, permutations: 0 };
        let mut blocks = input.chunks_exact(8 * RATE_WORDS);
        for block in &mut blocks {
            words.absorb(block);
            words.permute(token);
        }
        // The suffix 1111 of SHAKE and the padding 10*1.
        let rest = blocks.remainder();
        words.absorb(rest);
        words.state[rest.len() / 8] ^= 0x1F << (8 * (rest.len() % 8));
        words.state[RATE_WORDS - 1] ^= 1 << 63;
        words
    }

    fn absorb(&mut self, block: &[u8]) {
        for (lane, bytes) in self.state.iter_mut().zip(block.chunks(8)) {
            for (i, byte) in bytes.iter().enumerate() {
                *lane ^= u64::from(*byte) << (8 * i);
            }
        }
    }

    #[inline(always)]
    fn permute<T: Keccak>(&mut self, token: T) {
        token.enter(Permute(&mut self.state));
        self.permutations += 1;
    }

    /// Permutations so far: what this hash has cost.
    pub fn permutations(&self) -> u64 {
        self.permutations
    }

    /// The next eight bytes.
    #[inline(always)]
    pub fn next<T: Keccak>(&mut self, token: T) -> u64 {
        if self.position >= RATE_WORDS {
            self.permute(token);
            self.position = 0;
        }
        let word = self.state[self.position];
        self.position += 1;
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{self, Isa, Op};
    use sha3::digest::{ExtendableOutput, Update, XofReader};

    fn output_is_that_of_the_crate<T: Keccak>(token: T) {
        let input: Vec<u8> = (0..700u32).map(|i| ((i * 151) >> 3) as u8).collect();
        for len in (0..=420).chain([679, 680, 681, 700]) {
            let mut shake = sha3::Shake256::default();
            shake.update(&input[..len]);
            let mut reader = shake.finalize_xof();
            let mut words = Shake256Words::new(token, &input[..len]);
            for i in 0..60 {
                let mut expected = [0; 8];
                reader.read(&mut expected);
                assert_eq!(words.next(token).to_le_bytes(), expected, "word {i} of {len} bytes");
            }
        }
    }

    struct Output;

    impl<T: Keccak> Op<T> for Output {
        type Out = ();
        #[inline(always)]
        fn run(self, token: T) {
            output_is_that_of_the_crate(token);
        }
    }

    #[test]
    fn on_every_backend() {
        for isa in Isa::ALL.iter().filter(|isa| isa.is_supported()) {
            isa::with(*isa, Output);
        }
    }
}
