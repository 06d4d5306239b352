//! The short hashes of a key encapsulation, one state at a time: SHA3-256, SHA3-512, SHAKE256 (FIPS 202, section 6).
//!
//! The permutation is that of the backend. Outputs are no longer than a block. Next: [`super::sample`].

use super::kernels::Permute;
use crate::symmetric::keccak::Keccak;
use zeroize::Zeroize;

/// A function of the sponge: bytes of a block, and the suffix with the first bit of the padding.
#[derive(Clone, Copy)]
pub(super) struct Function {
    pub rate: usize,
    pub suffix: u8,
}

pub(super) const SHA3_256: Function = Function { rate: 136, suffix: 0x06 };
pub(super) const SHA3_512: Function = Function { rate: 72, suffix: 0x06 };
pub(super) const SHAKE256: Function = Function { rate: 136, suffix: 0x1F };

/// A message that is absorbed in pieces.
pub(super) struct Hash<K: Keccak> {
    k: K,
    function: Function,
    state: [u64; 25],
    /// Bytes of the current block that were taken, below the rate.
    taken: usize,
}

impl<K: Keccak> Hash<K> {
    #[inline(always)]
    fn new(k: K, function: Function) -> Hash<K> {
        Hash { k, function, state: [0; 25], taken: 0 }
    }

    /// The hash of the parts, one after the other. In: `out` is not longer than a block.
    #[inline(always)]
    pub fn of(k: K, function: Function, parts: &[&[u8]], out: &mut [u8]) {
        let mut hash = Hash::new(k, function);
        for part in parts {
            hash.update(part);
        }
        hash.finish(out);
    }

    #[inline(always)]
    fn update(&mut self, mut piece: &[u8]) {
        while !piece.is_empty() {
            let (now, later) = piece.split_at(piece.len().min(self.function.rate - self.taken));
            absorb(&mut self.state, self.taken, now);
            self.taken += now.len();
            if self.taken == self.function.rate {
                self.permute();
                self.taken = 0;
            }
            piece = later;
        }
    }

    #[inline(always)]
    fn finish(mut self, out: &mut [u8]) {
        debug_assert!(out.len() <= self.function.rate);
        absorb(&mut self.state, self.taken, &[self.function.suffix]);
        absorb(&mut self.state, self.function.rate - 1, &[0x80]);
        self.permute();
        for (to, word) in out.chunks_mut(8).zip(&self.state) {
            to.copy_from_slice(&word.to_le_bytes()[..to.len()]);
        }
        self.state.zeroize();
    }

    #[inline(always)]
    fn permute(&mut self) {
        self.k.enter(Permute(&mut self.state));
    }
}

/// Adds bytes to the state from byte `at` on. In: they end inside the state.
#[inline(always)]
fn absorb(state: &mut [u64; 25], mut at: usize, mut bytes: &[u8]) {
    while let (0, Some((word, rest))) = (at % 8, bytes.split_first_chunk()) {
        state[at / 8] ^= u64::from_le_bytes(*word);
        (at, bytes) = (at + 8, rest);
    }
    for byte in bytes {
        // After a byte that is not the first of its word, whole words may follow: few messages do that.
        state[at / 8] ^= u64::from(*byte) << (8 * (at % 8));
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{self, Isa, Op};
    use sha3::digest::{Digest, ExtendableOutput, Update, XofReader};

    struct HashOf<'a>(Function, &'a [&'a [u8]], &'a mut [u8]);

    impl<K: Keccak> Op<K> for HashOf<'_> {
        type Out = ();
        #[inline(always)]
        fn run(self, k: K) {
            Hash::of(k, self.0, self.1, self.2);
        }
    }

    /// All lengths around a block, in one, two and three parts, against another implementation.
    #[test]
    fn hashes_are_those_of_the_sha3_crate_on_every_backend() {
        let message: Vec<u8> = (0..600u32).map(|i| ((i * i) >> 3) as u8).collect();
        for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_supported()) {
            for len in (0..150).chain(265..280).chain([600]) {
                let message = &message[..len];
                let (first, rest) = message.split_at(len / 3);
                let (second, third) = rest.split_at(rest.len().min(33));
                for parts in [&[message][..], &[first, rest], &[first, second, third]] {
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
}
