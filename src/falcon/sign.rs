//! Signing: nonce and hash once, attempts until one is short enough, the check before release.
//!
//! A retry keeps nonce and hashed point (round 3) and takes the next 56 bytes of SHAKE256(seed) for its
//! generator; the point lies in a buffer that nothing else writes to. Next: [`super::attempt`].

use super::attempt::{Attempt, Candidate};
use super::codec;
use super::hash_to_point::HashToPoint;
use super::kernels::Kernels;
use super::params::NONCE_LEN;
use super::{Encoding, SigningKey};
use crate::ct::{declassify, declassify_all};
use crate::error::Error;
use crate::isa::{self, Isa, Op};
use crate::rng::{OsRandom, RandomSource};
use crate::secret::{Secret, scrubbed_bytes, stack};
use crate::symmetric::chacha20::SEED_LEN;
use crate::symmetric::keccak::{Output, Outputs, RATE, STREAMS, Shake256};

/// Bytes that seed the sampler of one signature.
pub(crate) const SIGN_SEED_LEN: usize = 48;

/// Attempts before a signature is given up. An attempt fails about once in 10^4; this many in a row mean a broken
/// machine.
const MAX_ATTEMPTS: u32 = 1000;
/// Bytes of stack that are wiped after an attempt: twice what it uses.
pub(super) const STACK: usize = stack(16);

/// A signature in progress: takes the message in pieces, once.
pub struct Signer<'k> {
    pub(super) key: &'k SigningKey,
    pub(super) isa: Isa,
    pub(super) nonce: [u8; NONCE_LEN],
    pub(super) seed: Box<Secret<[u8; SIGN_SEED_LEN]>>,
    pub(super) hash: HashToPoint,
}

impl SigningKey {
    /// Begins one signature: draws the nonce (40 bytes) and the seed of the sampler (48 bytes) from the operating
    /// system.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn signer(&self, isa: Isa) -> Result<Signer<'_>, Error> {
        self.signer_from(isa, &mut OsRandom)
    }

    /// [`SigningKey::signer`] with its random bytes from `random`. Private: seeds are for known answers alone.
    pub(crate) fn signer_from(&self, isa: Isa, random: &mut dyn RandomSource) -> Result<Signer<'_>, Error> {
        let mut nonce = [0; NONCE_LEN];
        random.fill(&mut nonce)?;
        let mut seed = Box::new(Secret::new([0; SIGN_SEED_LEN]));
        random.fill(seed.expose_mut().as_mut_slice())?;
        Ok(Signer { key: self, isa, nonce, seed, hash: HashToPoint::new(isa, &nonce) })
    }

    /// Signs a message that is in memory.
    ///
    /// # Errors
    /// [`Error::Randomness`], [`Error::SelfCheck`].
    pub fn sign(&self, isa: Isa, encoding: Encoding, message: &[u8]) -> Result<Vec<u8>, Error> {
        let mut signer = self.signer(isa)?;
        signer.update(message);
        signer.finish(encoding)
    }
}

/// What a test may change about a signature, and what it wants to know.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Attempts {
    /// Reject this many good attempts first.
    pub reject_first: u32,
    /// Reject what takes more than this many compressed bytes, if that is less than the encoding's limit.
    pub max_compressed_len: Option<usize>,
}

impl Signer<'_> {
    /// Takes the next piece of the message.
    pub fn update(&mut self, piece: &[u8]) {
        self.hash.update(piece);
    }

    /// The signature over all that was taken: header, nonce, compressed s2 and, where asked for, padding. It has
    /// passed verification.
    ///
    /// # Errors
    /// [`Error::SelfCheck`] where the fresh signature does not verify (a fault of the machine).
    pub fn finish(self, encoding: Encoding) -> Result<Vec<u8>, Error> {
        Ok(self.finish_with(encoding, Attempts::default())?.0)
    }

    /// [`Signer::finish`] with a test's wishes; gives the number of attempts too.
    pub(crate) fn finish_with(self, encoding: Encoding, tests: Attempts) -> Result<(Vec<u8>, u32), Error> {
        let Signer { key, isa, nonce, seed, hash } = self;
        let point = hash.finish(key.params());
        let mut seeds = scrubbed_bytes::<STACK, _>(|| Seeds::all(isa, &[seed.expose()]));
        let seeds = seeds.first_mut().ok_or(Error::SelfCheck)?;
        Hashed { key, isa, nonce: &nonce, point: &point, seeds }.sign(encoding, tests, None)
    }
}

/// A signature whose message is hashed.
pub(super) struct Hashed<'a> {
    pub key: &'a SigningKey,
    pub isa: Isa,
    pub nonce: &'a [u8; NONCE_LEN],
    pub point: &'a [i16],
    pub seeds: &'a mut Seeds,
}

impl Hashed<'_> {
    /// Attempts until one may be released; `first` is the first one, where it is made already.
    pub fn sign(
        self,
        encoding: Encoding,
        tests: Attempts,
        mut first: Option<Candidate>,
    ) -> Result<(Vec<u8>, u32), Error> {
        let params = self.key.params();
        let padded_len = match encoding {
            Encoding::Padded => Some(params.padded_len()),
            Encoding::Compressed => None,
        };
        let max_len = padded_len.unwrap_or(params.compressed_max_len()) - 1 - NONCE_LEN;
        let max_len = tests.max_compressed_len.map_or(max_len, |len| len.min(max_len));
        for attempt in 1..=MAX_ATTEMPTS {
            let candidate = first.take().unwrap_or_else(|| {
                let mut seed = Box::new(Secret::new([0; SEED_LEN]));
                self.seeds.next(seed.expose_mut());
                let expanded = self.key.expanded.expose();
                let attempt = Attempt { params, expanded, point: self.point, seed: seed.expose() };
                scrubbed_bytes::<STACK, _>(|| isa::with_base(self.isa, attempt))
            });
            let short = candidate.squared_norm <= u64::from(params.squared_norm_bound());
            if !declassify(short, "restarts are independent of the key (specification 3.9.3)") {
                continue;
            }
            declassify_all(
                candidate.s2.expose(),
                "s2 is the signature; the length of one that is too long may show",
            );
            let Some(compressed) = isa::with_base(self.isa, Compress { s2: candidate.s2.expose(), max_len })
            else {
                continue;
            };
            if attempt <= tests.reject_first {
                continue;
            }
            let signature = codec::encode_signature(params, self.nonce, &compressed, padded_len);
            let check = self.key.verifying.check(self.isa, self.point, &signature);
            return check.map(|()| (signature, attempt)).map_err(|_| Error::SelfCheck);
        }
        Err(Error::SelfCheck)
    }
}

/// The seeds of a signature's attempts: SHAKE256 of the signer's seed, 56 bytes an attempt.
pub(super) struct Seeds {
    output: Output,
    block: Secret<[u8; RATE]>,
    /// Bytes of the block that are used up.
    position: usize,
}

impl Seeds {
    /// Those of several signatures. They stay where they are made, on the heap.
    pub fn all(isa: Isa, seeds: &[&[u8; SIGN_SEED_LEN]]) -> Vec<Seeds> {
        let mut all = Vec::with_capacity(seeds.len());
        for seeds in seeds.chunks(STREAMS) {
            let hash = |seed: &&[u8; SIGN_SEED_LEN]| {
                let mut shake = Shake256::new(isa);
                shake.update(*seed);
                shake
            };
            let hashes: Vec<Shake256> = seeds.iter().map(hash).collect();
            let mut outputs = Outputs::new(isa, hashes.iter());
            outputs.permute();
            for stream in 0..seeds.len() {
                let (output, block) = (outputs.alone(stream), Secret::new([0; RATE]));
                let mut seeds = Seeds { output, block, position: 0 };
                outputs.block(stream, seeds.block.expose_mut());
                all.push(seeds);
            }
        }
        all
    }

    /// The next one.
    pub fn next(&mut self, seed: &mut [u8; SEED_LEN]) {
        for byte in seed {
            if self.position == RATE {
                self.output.next_block(self.block.expose_mut());
                self.position = 0;
            }
            *byte = self.block.expose()[self.position];
            self.position += 1;
        }
    }
}

/// [`codec::compress`], compiled for the backend's bit-manipulation instructions.
pub(super) struct Compress<'a> {
    pub s2: &'a [i16],
    pub max_len: usize,
}

impl<K: Kernels> Op<K> for Compress<'_> {
    type Out = Option<Vec<u8>>;

    #[inline(always)]
    fn run(self, _: K) -> Option<Vec<u8>> {
        codec::compress(self.s2, self.max_len)
    }
}
