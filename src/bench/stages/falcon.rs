//! The stages of a signature with a key that is kept expanded.

use super::{Breakdown, in_turns};
use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::falcon::stages::{Part, Replay};
use crate::falcon::{Params, SigningKey};
use crate::isa::Isa;
use std::time::Duration;

/// The stages of a signature, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Nonce and message to a point.
    HashToPoint,
    /// The target of ffSampling: a transform and two products.
    Target,
    /// ffSampling without its samples: splits, merges and products.
    Arithmetic,
    /// The random bytes of the samples.
    Generator,
    /// The base sampler, for all trials.
    BaseSampler,
    /// The rest of the integer sampler: bounds of BerExp, verdicts, the choice of a trial.
    Trials,
    /// s2 and its norm: four products, two transforms back.
    LatticePoint,
    /// s2 to bytes.
    Encode,
    /// The verification before the signature is released.
    Check,
    /// What is left of the whole: randomness of the system, seeds, memory, wiping.
    Rest,
}

impl Stage {
    /// All of them.
    pub const ALL: [Stage; 10] = [
        Stage::HashToPoint,
        Stage::Target,
        Stage::Arithmetic,
        Stage::Generator,
        Stage::BaseSampler,
        Stage::Trials,
        Stage::LatticePoint,
        Stage::Encode,
        Stage::Check,
        Stage::Rest,
    ];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Stage::HashToPoint => "hash to point",
            Stage::Target => "target",
            Stage::Arithmetic => "ffSampling arithmetic",
            Stage::Generator => "ChaCha20",
            Stage::BaseSampler => "base sampler",
            Stage::Trials => "BerExp and trials",
            Stage::LatticePoint => "lattice point and norm",
            Stage::Encode => "encode",
            Stage::Check => "verify before release",
            Stage::Rest => "rest",
        }
    }
}

/// What is timed.
const PARTS: [Part; 10] = [
    Part::Signature,
    Part::HashToPoint,
    Part::Target,
    Part::FfSampling,
    Part::Sampler,
    Part::Generator,
    Part::BaseSampler,
    Part::LatticePoint,
    Part::Encode,
    Part::Check,
];

/// Measures the stages on each backend for about `budget` a backend, at least five rounds.
///
/// # Errors
/// Those of making a key, of signing and of verifying.
pub fn measure(
    params: Params,
    isas: &[Isa],
    message: &[u8],
    budget: Duration,
) -> Result<Vec<Breakdown>, Error> {
    let Some(fastest) = isas.last() else { return Ok(Vec::new()) };
    let key = SigningKey::generate(params, *fastest)?;
    let replays: Result<Vec<_>, _> = isas.iter().map(|isa| Replay::new(&key, *isa, message)).collect();
    let mut replays = replays?;
    let (medians, rounds) =
        in_turns(isas.len(), PARTS.len(), budget, &mut |isa, part| replays[isa].run(PARTS[part]))?;
    let breakdown =
        |(isa, times): (&Isa, &Vec<f64>)| breakdown(Algorithm::Falcon(params), *isa, times, rounds);
    Ok(isas.iter().zip(&medians).map(breakdown).collect())
}

fn breakdown(algorithm: Algorithm, isa: Isa, times: &[f64], rounds: usize) -> Breakdown {
    let of = |part: Part| times[PARTS.iter().position(|p| *p == part).unwrap_or(0)];
    let (sampler, generator, base) = (of(Part::Sampler), of(Part::Generator), of(Part::BaseSampler));
    let time = |stage| match stage {
        Stage::HashToPoint => of(Part::HashToPoint),
        Stage::Target => of(Part::Target),
        Stage::Arithmetic => of(Part::FfSampling) - sampler,
        Stage::Generator => generator,
        Stage::BaseSampler => base,
        Stage::Trials => sampler - generator - base,
        Stage::LatticePoint => of(Part::LatticePoint),
        Stage::Encode => of(Part::Encode),
        Stage::Check => of(Part::Check),
        Stage::Rest => 0.0,
    };
    let stages = Stage::ALL.into_iter().filter(|stage| *stage != Stage::Rest);
    let stages = stages.map(|stage| (stage.name(), time(stage))).collect();
    Breakdown::new("signature", algorithm, isa, of(Part::Signature), stages, rounds)
}
