//! HashToPoint (specification, algorithm 3): a nonce and a message become n coefficients below q.
//!
//! The message is taken in pieces, once. Its hash is public, so the number of rejected words may show.

use super::kernels::Kernels;
use super::ntt;
use super::params::{NONCE_LEN, Params, Q};
use crate::isa::{self, Isa, Op};
use crate::simd::Simd;
use crate::symmetric::keccak::{RATE, Shake256};

/// Words below this are kept: the largest multiple of q that fits in 16 bits.
const LIMIT: u16 = 5 * Q as u16;

/// Words that are sieved at once.
const GROUP: usize = 16;

/// Room behind the point: before its last block fewer than n words were kept.
const SLACK: usize = RATE / 2 + GROUP;
const MAX_N: usize = 1024;
const _: () = assert!(MAX_N / 16 + GROUP <= SLACK, "the first blocks, if all of their words were kept");

/// A hash in progress.
pub(crate) struct HashToPoint {
    isa: Isa,
    shake: Shake256,
}

impl HashToPoint {
    pub fn new(isa: Isa, nonce: &[u8; NONCE_LEN]) -> HashToPoint {
        let mut shake = Shake256::new(isa);
        shake.update(nonce);
        HashToPoint { isa, shake }
    }

    pub fn update(&mut self, piece: &[u8]) {
        self.shake.update(piece);
    }

    /// The point: n coefficients in [0, q).
    pub fn finish(self, params: Params) -> Vec<i16> {
        let n = params.n();
        let mut output = self.shake.finish();
        let mut point = vec![0; n + SLACK];
        // n/64 blocks are whole groups of words; 15 of 16 words are kept, so that they are enough or nearly so.
        let mut blocks = [0; MAX_N / 64 * RATE];
        let blocks = &mut blocks[..n / 64 * RATE];
        for block in blocks.as_chunks_mut().0 {
            output.next_block(block);
        }
        let mut kept = isa::with(self.isa, KeepWords { from: blocks, to: &mut point });
        // Then single blocks, with words that are not kept behind them to make whole groups.
        let mut block = [0xFF; RATE.next_multiple_of(2 * GROUP)];
        while kept < n {
            if let Some(block) = block.first_chunk_mut() {
                output.next_block(block);
            }
            kept += isa::with(self.isa, KeepWords { from: &block, to: &mut point[kept..] });
        }
        point.truncate(n);
        isa::with(self.isa, ReduceWords(&mut point));
        point
    }
}

/// Appends the big-endian words below [`LIMIT`] to `to` and gives their number.
struct KeepWords<'a> {
    /// Whole groups.
    from: &'a [u8],
    /// With room for a group behind the last word that is kept.
    to: &'a mut [i16],
}

impl<K: Kernels> Op<K> for KeepWords<'_> {
    type Out = usize;

    #[inline(always)]
    fn run(self, k: K) -> usize {
        let mut kept = 0;
        for group in self.from.as_chunks::<{ 2 * GROUP }>().0 {
            kept += k.vector().keep_words_below(LIMIT, &mut self.to[kept..], group);
        }
        kept
    }
}

/// Words modulo q.
struct ReduceWords<'a>(&'a mut [i16]);

impl<K: Kernels> Op<K> for ReduceWords<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let s = k.vector();
        for words in self.0.chunks_exact_mut(<K::Vector as Simd>::LANES16) {
            s.store_i16(words, ntt::reduce_word(s, s.load_i16(words)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha3::digest::{ExtendableOutput, Update, XofReader};

    const NONCE: [u8; NONCE_LEN] = [1; NONCE_LEN];

    /// The definition, word by word, with the hash of another implementation.
    fn by_words(message: &[u8], n: usize) -> Vec<i16> {
        let mut shake = sha3::Shake256::default();
        shake.update(&NONCE);
        shake.update(message);
        let mut reader = shake.finalize_xof();
        let mut point = Vec::new();
        while point.len() < n {
            let mut word = [0; 2];
            reader.read(&mut word);
            let w = u32::from(u16::from_be_bytes(word));
            if w < 5 * Q {
                point.push((w % Q) as i16);
            }
        }
        point
    }

    fn point(isa: Isa, params: Params, pieces: &[&[u8]]) -> Vec<i16> {
        let mut hash = HashToPoint::new(isa, &NONCE);
        pieces.iter().for_each(|piece| hash.update(piece));
        hash.finish(params)
    }

    #[test]
    fn points_are_those_of_the_definition_on_every_backend() {
        for params in [Params::Falcon512, Params::Falcon1024] {
            // Enough messages for points that take one and two blocks more than the first ones.
            for message in 0..200u32 {
                let message = message.to_le_bytes();
                let expected = by_words(&message, params.n());
                for isa in Isa::ALL.iter().filter(|isa| isa.is_supported()) {
                    assert_eq!(point(*isa, params, &[&message]), expected, "{}", isa.name());
                }
            }
        }
    }

    #[test]
    fn pieces_do_not_matter() {
        let message: Vec<u8> = (0..1000u32).map(|i| i as u8).collect();
        let pieces: Vec<&[u8]> = message.chunks(7).collect();
        let whole = point(Isa::Scalar, Params::Falcon1024, &[&message]);
        assert_eq!(whole, point(Isa::Scalar, Params::Falcon1024, &pieces));
    }
}
