//! Keys and signatures from given seeds, for known answers and for tests that compare backends.
//!
//! Not for anything else: two signatures from one seed share their nonce, and if their arithmetic differs in one
//! bit they can reveal the key (eprint 2024/1709). The feature `known-answers` is off in the binary.

use super::keygen;
use super::sign::Attempts;
use super::{Encoding, Params, Signer, SigningKey};
use crate::error::Error;
use crate::isa::{self, Isa};
use crate::rng::RandomSource;

pub use crate::rng::Replay;

/// Makes a key from the 48 bytes that the reference program would draw.
///
/// # Errors
/// [`Error::Randomness`] where `random` fails.
pub fn generate_known_answer(
    params: Params,
    isa: Isa,
    random: &mut dyn RandomSource,
) -> Result<SigningKey, Error> {
    SigningKey::generate_from(params, isa, random)
}

/// The permutations of Keccak that [`generate_known_answer`] takes for its random numbers.
pub fn key_permutations(params: Params, isa: Isa, seed: &[u8]) -> u64 {
    isa::with(isa, keygen::CountPermutations { params, seed })
}

/// Does so many permutations of the stream of `seed`, as key generation does, and nothing else: to time its share.
pub fn replay_permutations(isa: Isa, seed: &[u8], permutations: u64) {
    isa::with(isa, keygen::ReplayPermutations { seed, permutations });
}

/// What a known answer may change about a signature.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wishes {
    /// Reject this many good attempts first.
    pub reject_first: u32,
    /// Reject what takes more compressed bytes than this.
    pub max_compressed_len: Option<usize>,
}

/// Signs with the 40 and 48 bytes that the reference program would draw; gives the signature and the number of
/// attempts that it took.
///
/// # Errors
/// [`Error::Randomness`] where `random` fails, [`Error::SelfCheck`].
pub fn sign_known_answer(
    key: &SigningKey,
    isa: Isa,
    random: &mut dyn RandomSource,
    encoding: Encoding,
    message: &[u8],
    wishes: Wishes,
) -> Result<(Vec<u8>, u32), Error> {
    let mut signer = key.signer_from(isa, random)?;
    signer.update(message);
    let Wishes { reject_first, max_compressed_len } = wishes;
    signer.finish_with(encoding, Attempts { reject_first, max_compressed_len })
}

/// Signs several messages at once: the nonces of all are drawn first (40 bytes each), then their seeds (48 bytes each).
///
/// # Errors
/// As [`sign_known_answer`], for each message or for all of them.
pub fn sign_batch_known_answer(
    key: &SigningKey,
    isa: Isa,
    random: &mut dyn RandomSource,
    encoding: Encoding,
    messages: &[&[u8]],
) -> Result<Vec<Vec<u8>>, Error> {
    let mut signers = key.signers_from(isa, messages.len(), random)?;
    for (signer, message) in signers.iter_mut().zip(messages) {
        signer.update(message);
    }
    Signer::finish_all(signers, encoding).into_iter().collect()
}

/// The expanded key, to compare backends.
pub fn expanded_key(key: &SigningKey) -> &[f64] {
    key.expanded.expose()
}
