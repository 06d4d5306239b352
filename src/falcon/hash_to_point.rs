//! HashToPoint (specification, algorithm 3): a nonce and a message become n coefficients below q.
//!
//! The message is taken in pieces, once. Its hash is public, so the number of rejected words may show.

use super::kernels::Kernels;
use super::ntt;
use super::params::{MAX_N, NONCE_LEN, Params, Q};
use crate::isa::{self, Isa, Op};
use crate::simd::Simd;
use crate::symmetric::keccak::{Outputs, RATE, STREAMS, Shake256};

/// Words below this are kept: the largest multiple of q that fits in 16 bits.
const LIMIT: u16 = 5 * Q as u16;

/// Words that are sieved at once.
const GROUP: usize = 16;

/// Room behind the point: before its last block fewer than n words were kept.
const SLACK: usize = RATE / 2 + GROUP;
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
        let mut output = self.shake.finish();
        let mut sieve = Sieve::new(self.isa, params);
        let (mut blocks, len) = first_blocks(params);
        output.next_blocks(blocks[..len].as_chunks_mut().0);
        sieve.take(&blocks[..len]);
        let mut block = one_block();
        while !sieve.is_full() {
            if let Some(block) = block.first_chunk_mut() {
                output.next_block(block);
            }
            sieve.take(&block);
        }
        sieve.finish()
    }

    /// The points of several hashes on one backend, with one permutation for [`STREAMS`] of them.
    pub fn finish_all(isa: Isa, hashes: &[&HashToPoint], params: Params) -> Vec<Vec<i16>> {
        let mut points = Vec::with_capacity(hashes.len());
        for hashes in hashes.chunks(STREAMS) {
            let mut outputs = Outputs::new(isa, hashes.iter().map(|hash| &hash.shake));
            let (_, len) = first_blocks(params);
            let mut blocks: Vec<Vec<u8>> = hashes.iter().map(|_| vec![0; len]).collect();
            for at in 0..len / RATE {
                outputs.permute();
                for (stream, blocks) in blocks.iter_mut().enumerate() {
                    outputs.block(stream, &mut blocks.as_chunks_mut().0[at]);
                }
            }
            let mut sieves: Vec<Sieve> = hashes.iter().map(|_| Sieve::new(isa, params)).collect();
            for (sieve, blocks) in sieves.iter_mut().zip(&blocks) {
                sieve.take(blocks);
            }
            let mut block = one_block();
            while !sieves.iter().all(Sieve::is_full) {
                outputs.permute();
                for (stream, sieve) in sieves.iter_mut().enumerate().filter(|(_, sieve)| !sieve.is_full()) {
                    if let Some(block) = block.first_chunk_mut() {
                        outputs.block(stream, block);
                    }
                    sieve.take(&block);
                }
            }
            points.extend(sieves.into_iter().map(Sieve::finish));
        }
        points
    }
}

/// Room for the first blocks of an output, and their bytes: n/64 blocks are whole groups of words; 15 of 16 words are
/// kept, so that they are enough or nearly so.
fn first_blocks(params: Params) -> ([u8; MAX_N / 64 * RATE], usize) {
    ([0; MAX_N / 64 * RATE], params.n() / 64 * RATE)
}

/// Room for a single block, with words that are not kept behind it to make whole groups.
fn one_block() -> [u8; RATE.next_multiple_of(2 * GROUP)] {
    [0xFF; RATE.next_multiple_of(2 * GROUP)]
}

/// A point while its words are sieved.
struct Sieve {
    isa: Isa,
    n: usize,
    kept: usize,
    point: Vec<i16>,
}

impl Sieve {
    fn new(isa: Isa, params: Params) -> Sieve {
        Sieve { isa, n: params.n(), kept: 0, point: vec![0; params.n() + SLACK] }
    }

    fn is_full(&self) -> bool {
        self.kept >= self.n
    }

    /// Takes whole groups of words.
    fn take(&mut self, from: &[u8]) {
        self.kept += isa::with(self.isa, KeepWords { from, to: &mut self.point[self.kept..] });
    }

    /// In: it is full.
    fn finish(mut self) -> Vec<i16> {
        self.point.truncate(self.n);
        isa::with(self.isa, ReduceWords(&mut self.point));
        self.point
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
