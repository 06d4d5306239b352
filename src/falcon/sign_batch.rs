//! Several signatures with one key at once: the same signatures, in less time.
//!
//! The messages are hashed and their first attempts are made in lock step ([`super::lock_step`]), each with its own
//! nonce and seed; a message whose first attempt is not released goes on alone, as [`super::sign`] does.

use super::attempt::{Attempts, Candidate};
use super::hash_to_point::HashToPoint;
use super::params::NONCE_LEN;
use super::sign::{self, Hashed, SIGN_SEED_LEN, Seeds, Signer};
use super::{Encoding, SigningKey};
use crate::error::Error;
use crate::isa::{self, Isa};
use crate::rng::{OsRandom, RandomSource};
use crate::secret::{Buffer, Secret, scrubbed_bytes, stack};
use crate::symmetric::chacha20::SEED_LEN;
use zeroize::Zeroize;

/// Messages that are signed at once; more of them gain nothing.
pub const BATCH: usize = 16;
/// Bytes of stack that are wiped after attempts in lock step: half as much again as they use.
const STACK: usize = stack(20);

impl SigningKey {
    /// Signs several messages that are in memory; the signatures come in their order.
    ///
    /// Draws the nonces of all (40 bytes each), then the seeds of all (48 bytes each), for [`BATCH`] messages at a time.
    ///
    /// # Errors
    /// [`Error::Randomness`], [`Error::SelfCheck`].
    pub fn sign_batch(
        &self,
        isa: Isa,
        encoding: Encoding,
        messages: &[&[u8]],
    ) -> Result<Vec<Vec<u8>>, Error> {
        let mut signatures = Vec::with_capacity(messages.len());
        for messages in messages.chunks(BATCH) {
            let mut signers = self.signers_from(isa, messages.len(), &mut OsRandom)?;
            for (signer, message) in signers.iter_mut().zip(messages) {
                signer.update(message);
            }
            for signature in Signer::finish_all(signers, encoding) {
                signatures.push(signature?);
            }
        }
        Ok(signatures)
    }

    /// [`SigningKey::signer_from`] for several messages: the nonces of all are drawn at once, then their seeds.
    pub(crate) fn signers_from(
        &self,
        isa: Isa,
        count: usize,
        random: &mut dyn RandomSource,
    ) -> Result<Vec<Signer<'_>>, Error> {
        let mut nonces = vec![[0; NONCE_LEN]; count];
        let mut seeds = Secret::new(vec![[0; SIGN_SEED_LEN]; count]);
        if count > 0 {
            random.fill(nonces.as_flattened_mut())?;
            random.fill(seeds.expose_mut().as_flattened_mut())?;
        }
        let signer = |(nonce, from): (&[u8; NONCE_LEN], &[u8; SIGN_SEED_LEN])| {
            let mut seed = Box::new(Secret::new([0; SIGN_SEED_LEN]));
            seed.expose_mut().copy_from_slice(from);
            Signer { key: self, isa, nonce: *nonce, seed, hash: HashToPoint::new(isa, nonce) }
        };
        Ok(nonces.iter().zip(seeds.expose()).map(signer).collect())
    }
}

impl<'k> Signer<'k> {
    /// The signatures of several messages, in their order: what [`Signer::finish`] gives for each. Those of one key are
    /// made at once.
    pub fn finish_all(signers: Vec<Signer<'k>>, encoding: Encoding) -> Vec<Result<Vec<u8>, Error>> {
        let tests = vec![sign::Attempts::default(); signers.len()];
        let signed = Signer::finish_all_with(signers, encoding, &tests).into_iter();
        signed.map(|signed| signed.map(|(signature, _)| signature)).collect()
    }

    /// [`Signer::finish_all`] with a test's wishes for each message; gives the numbers of attempts too.
    pub(crate) fn finish_all_with(
        signers: Vec<Signer<'k>>,
        encoding: Encoding,
        tests: &[sign::Attempts],
    ) -> Vec<Result<(Vec<u8>, u32), Error>> {
        let mut signatures = Vec::with_capacity(signers.len());
        let mut tests = tests.iter();
        let mut room = Secret::new(Buffer::default());
        let are_alike = |a: &Signer, b: &Signer| core::ptr::eq(a.key, b.key) && a.isa == b.isa;
        for signers in signers.chunk_by(are_alike).flat_map(|alike| alike.chunks(BATCH)) {
            let Some(Signer { key, isa, .. }) = signers.first() else { continue };
            let (key, isa, params) = (*key, *isa, key.params());
            let hashes: Vec<&HashToPoint> = signers.iter().map(|signer| &signer.hash).collect();
            let points = HashToPoint::finish_all(isa, &hashes, params);
            // The key's room, unless another thread has it.
            if let Ok(mut kept) = key.room.try_lock() {
                core::mem::swap(&mut *kept, &mut room);
            }
            let (mut all_seeds, candidates) = scrubbed_bytes::<STACK, _>(|| {
                let seeds: Vec<&[u8; SIGN_SEED_LEN]> = signers.iter().map(|s| s.seed.expose()).collect();
                let mut all_seeds = Seeds::all(isa, &seeds);
                let mut first = Secret::new(vec![[0; SEED_LEN]; signers.len()]);
                for (seeds, first) in all_seeds.iter_mut().zip(first.expose_mut()) {
                    seeds.next(first);
                }
                let (expanded, points, seeds) = (key.expanded.expose(), &points, first.expose());
                let room = room.expose_mut();
                (all_seeds, isa::with_base(isa, Attempts { params, expanded, points, seeds, room }))
            });
            room.expose_mut().zeroize();
            if let Ok(mut kept) = key.room.try_lock() {
                core::mem::swap(&mut *kept, &mut room);
            }
            let first: Vec<Option<Candidate>> = candidates.into_iter().map(Some).collect();
            for (((signer, seeds), point), (first, tests)) in
                signers.iter().zip(&mut all_seeds).zip(&points).zip(first.into_iter().zip(&mut tests))
            {
                let hashed = Hashed { key, isa, nonce: &signer.nonce, point, seeds };
                signatures.push(hashed.sign(encoding, *tests, first));
            }
        }
        signatures
    }
}

#[cfg(test)]
mod tests {
    use super::super::Params;
    use super::*;
    use crate::rng::Replay;

    /// Different bytes for each signature.
    fn random(len: usize) -> Vec<u8> {
        (0..len as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect()
    }

    fn key(params: Params) -> SigningKey {
        SigningKey::generate_from(params, Isa::detect(), &mut Replay(&[0x27; 48])).expect("a key")
    }

    /// Messages of different lengths, the longest ones longer than a block.
    fn message(i: usize) -> Vec<u8> {
        vec![i as u8; 23 * i]
    }

    /// Signatures of the first messages, all at once.
    fn together(key: &SigningKey, isa: Isa, tests: &[sign::Attempts]) -> Vec<Result<(Vec<u8>, u32), Error>> {
        let count = tests.len();
        let mut signers = key.signers_from(isa, count, &mut Replay(&random(88 * count))).expect("signers");
        for (i, signer) in signers.iter_mut().enumerate() {
            signer.update(&message(i));
        }
        Signer::finish_all_with(signers, Encoding::Compressed, tests)
    }

    /// Signature i of `count` with the same nonce and seed, alone and on one fixed backend.
    fn alone(key: &SigningKey, count: usize, i: usize, tests: sign::Attempts) -> (Vec<u8>, u32) {
        let random = random(88 * count);
        let (nonces, seeds) = random.split_at(NONCE_LEN * count);
        let mut own = nonces[NONCE_LEN * i..][..NONCE_LEN].to_vec();
        own.extend_from_slice(&seeds[SIGN_SEED_LEN * i..][..SIGN_SEED_LEN]);
        let mut signer = key.signer_from(Isa::Scalar, &mut Replay(&own)).expect("a signer");
        signer.update(&message(i));
        signer.finish_with(Encoding::Compressed, tests).expect("a signature")
    }

    #[test]
    fn every_number_of_messages_gives_the_single_signatures_on_every_backend() {
        for params in [Params::Falcon512, Params::Falcon1024] {
            let key = key(params);
            for count in 0..=17 {
                let tests = vec![sign::Attempts::default(); count];
                let expected: Vec<_> = (0..count).map(|i| Ok(alone(&key, count, i, tests[i]))).collect();
                for isa in Isa::ALL.iter().filter(|isa| isa.is_supported()) {
                    assert!(together(&key, *isa, &tests) == expected, "{count} on {}", isa.name());
                }
            }
        }
    }

    /// One message restarts, another one has no attempt that fits: the others do not notice.
    #[test]
    fn a_restart_is_the_business_of_its_message() {
        for params in [Params::Falcon512, Params::Falcon1024] {
            let key = key(params);
            let mut tests = [sign::Attempts::default(); 11];
            tests[2].reject_first = 1;
            tests[7].reject_first = 4;
            let expected: Vec<_> = (0..11).map(|i| Ok(alone(&key, 11, i, tests[i]))).collect();
            tests[5].max_compressed_len = Some(300);
            for isa in Isa::ALL.iter().filter(|isa| isa.is_supported()) {
                let signed = together(&key, *isa, &tests);
                assert!(matches!(signed[5], Err(Error::SelfCheck)), "{}", isa.name());
                for (i, signed) in signed.iter().enumerate().filter(|(i, _)| *i != 5) {
                    assert!(*signed == expected[i], "{i} on {}", isa.name());
                }
                assert!(signed[2].as_ref().is_ok_and(|(_, attempts)| *attempts >= 2));
            }
        }
    }

    #[test]
    fn signers_of_several_keys_and_backends_can_be_mixed() {
        let keys = [key(Params::Falcon512), key(Params::Falcon1024)];
        let isas = [Isa::Scalar, Isa::detect()];
        let mut signers = Vec::new();
        for (i, (key, isa)) in [(0, 0), (0, 1), (1, 1), (1, 1), (0, 1)].into_iter().enumerate() {
            let mut signer =
                keys[key].signer_from(isas[isa], &mut Replay(&random(88 + i)[i..])).expect("a signer");
            signer.update(&message(i));
            signers.push((key, signer));
        }
        let of: Vec<usize> = signers.iter().map(|(key, _)| *key).collect();
        let signers = signers.into_iter().map(|(_, signer)| signer).collect();
        for (i, signature) in Signer::finish_all(signers, Encoding::Padded).into_iter().enumerate() {
            let verifying = keys[of[i]].verifying_key();
            assert_eq!(verifying.verify(Isa::Scalar, &message(i), &signature.expect("signed")), Ok(()));
        }
    }

    #[test]
    fn a_random_source_that_fails_stops() {
        let key = key(Params::Falcon512);
        for len in [0, 119, 120, 263] {
            let signers = key.signers_from(Isa::Scalar, 3, &mut Replay(&vec![1; len]));
            assert!(matches!(signers.err(), Some(Error::Randomness(_))), "{len} bytes");
        }
    }
}
