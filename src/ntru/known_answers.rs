//! Keys and ciphertexts from given random bytes, for known answers and for tests that compare backends.
//!
//! Not for anything else: whoever knows the bytes knows the secrets. The feature `known-answers` is off in the binary.

use super::kem::SampleFixedWeight;
use super::{Ciphertext, DecapsulationKey, EncapsulationKey, ParameterSet, Sampler, SharedSecret};
use crate::error::Error;
use crate::isa::{self, Isa};
use crate::rng::RandomSource;

pub use crate::rng::Replay;

/// Makes a key from what the reference programs draw: one draw for f and g, one of 32 bytes for the rejection key.
///
/// # Errors
/// [`Error::Randomness`] where `random` fails.
pub fn generate_known_answer(
    set: ParameterSet,
    sampler: Sampler,
    isa: Isa,
    random: &mut dyn RandomSource,
) -> Result<DecapsulationKey, Error> {
    DecapsulationKey::generate_from(set, sampler, isa, random)
}

/// Encapsulates with what the reference programs draw: one draw for r and m.
///
/// # Errors
/// [`Error::Randomness`] where `random` fails.
pub fn encapsulate_known_answer(
    key: &EncapsulationKey,
    sampler: Sampler,
    isa: Isa,
    random: &mut dyn RandomSource,
) -> Result<(Ciphertext, SharedSecret), Error> {
    key.encapsulate_from(sampler, isa, random)
}

/// The n coefficients, 2 for -1, that a sampler makes from its random bytes; `None` where these do not suffice.
///
/// # Panics
/// For HRSS, or where `random` has another length than the sampler takes.
pub fn fixed_weight_known_answer(
    set: ParameterSet,
    sampler: Sampler,
    isa: Isa,
    random: &[u8],
) -> Option<Vec<u8>> {
    assert!(set.weight().is_some() && random.len() == sampler.random_len(set), "the bytes of a sampler");
    isa::with(isa, SampleFixedWeight { set, sampler, random })
}
