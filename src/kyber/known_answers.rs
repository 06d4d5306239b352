//! Keys and ciphertexts from given random bytes, for known answers and for tests that compare backends.
//!
//! Not for anything else: whoever knows the bytes knows the secrets. The feature `known-answers` is off in the binary.

use super::{Ciphertext, DecapsulationKey, EncapsulationKey, ParameterSet, SharedSecret};
use crate::error::Error;
use crate::isa::Isa;
use crate::rng::RandomSource;

pub use crate::rng::Replay;

/// Makes a key from what the reference programs draw: one draw of 64 bytes (d, z) for ML-KEM, two of 32 for round 3.
///
/// # Errors
/// [`Error::Randomness`] where `random` fails.
pub fn generate_known_answer(
    set: ParameterSet,
    isa: Isa,
    random: &mut dyn RandomSource,
) -> Result<DecapsulationKey, Error> {
    DecapsulationKey::generate_from(set, isa, random)
}

/// Encapsulates with the 32 bytes that the reference programs draw (round 3 hashes them first).
///
/// # Errors
/// [`Error::Randomness`] where `random` fails.
pub fn encapsulate_known_answer(
    key: &EncapsulationKey,
    isa: Isa,
    random: &mut dyn RandomSource,
) -> Result<(Ciphertext, SharedSecret), Error> {
    key.encapsulate_from(isa, random)
}

/// Makes so many keys at once, each from 64 bytes (d, z).
///
/// # Errors
/// [`Error::Randomness`] where `random` fails.
pub fn generate_batch_known_answer(
    set: ParameterSet,
    isa: Isa,
    count: usize,
    random: &mut dyn RandomSource,
) -> Result<Vec<DecapsulationKey>, Error> {
    DecapsulationKey::generate_batch_from(set, isa, count, random)
}

/// Encapsulates with each key at once, each with 32 bytes.
///
/// # Errors
/// [`Error::Randomness`] where `random` fails.
pub fn encapsulate_batch_known_answer(
    keys: &[&EncapsulationKey],
    isa: Isa,
    random: &mut dyn RandomSource,
) -> Result<Vec<(Ciphertext, SharedSecret)>, Error> {
    EncapsulationKey::encapsulate_batch_from(isa, keys, random)
}
