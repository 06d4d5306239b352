//! Keys and ciphertexts from given random bytes, for known answers and for tests that compare backends.
//!
//! Not for anything else: whoever knows the bytes knows the secrets. The feature `known-answers` is off in the binary.

use super::fixed_weight::{BATCH, SampleBatch, batch_random_len, batch_stride};
use super::kem::SampleFixedWeight;
use super::kernels::Kernels;
use super::poly::Poly;
use super::{Ciphertext, DecapsulationKey, EncapsulationKey, ParameterSet, Sampler, SharedSecret};
use crate::error::Error;
use crate::isa::{self, Isa, Op};
use crate::rng::RandomSource;
use core::hint::black_box;

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

/// Encapsulates so many times at once with the shuffle: for as many as go side by side the bytes of r of each, then the
/// words of m, side by side.
///
/// # Errors
/// [`Error::Randomness`] where `random` fails.
pub fn encapsulate_batch_known_answer(
    key: &EncapsulationKey,
    count: usize,
    isa: Isa,
    random: &mut dyn RandomSource,
) -> Result<Vec<(Ciphertext, SharedSecret)>, Error> {
    key.encapsulate_batch_from(count, isa, random)
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

/// How a polynomial of a fixed weight is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixedWeightStep {
    /// One of them.
    Single(Sampler),
    /// [`FixedWeightStep::BATCH`] of them side by side, by the shuffle.
    Batch,
}

impl FixedWeightStep {
    /// How many are made side by side.
    pub const BATCH: usize = BATCH;
}

/// Makes polynomials from fixed random bytes, with `begin` just before and `end` just after it.
pub fn run_fixed_weight(
    set: ParameterSet,
    step: FixedWeightStep,
    isa: Isa,
    begin: impl Fn(),
    end: impl Fn(),
) {
    let len = match step {
        FixedWeightStep::Single(sampler) => sampler.random_len(set),
        FixedWeightStep::Batch => batch_random_len(set),
    };
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let random: Vec<u8> = (0..len).map(|_| next()).collect();
    isa::with(isa, Run { set, step, random: &random, begin, end });
}

struct Run<'a, B, E> {
    set: ParameterSet,
    step: FixedWeightStep,
    random: &'a [u8],
    begin: B,
    end: E,
}

impl<K: Kernels, B: Fn(), E: Fn()> Op<K> for Run<'_, B, E> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let Run { set, step, random, begin, end } = self;
        match step {
            FixedWeightStep::Single(sampler) => {
                let mut out = Poly::ZERO;
                begin();
                black_box(sampler.sample(k, set, black_box(random), &mut out));
                end();
                black_box(out);
            }
            FixedWeightStep::Batch => {
                let mut out = vec![0; BATCH * batch_stride(set)];
                begin();
                black_box(k.enter(SampleBatch { set, random: black_box(random), out: &mut out }));
                end();
                black_box(out);
            }
        }
    }
}
