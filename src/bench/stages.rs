//! Where the time of a signature goes, on several backends in turn.
//!
//! Every part of a signature is repeated alone, on real inputs; a stage is a part, or a difference of parts. All
//! backends and parts take turns, so that a disturbance of the machine hits all of them; the figures are medians.
//! Signing itself carries no counters.

use super::MESSAGE_LEN;
use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::falcon::stages::{Part, Replay};
use crate::falcon::{Params, SigningKey};
use crate::isa::Isa;
use std::time::{Duration, Instant};

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

/// The stages of one backend, in nanoseconds.
#[derive(Clone, Debug)]
pub struct Stages {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The backend.
    pub isa: Isa,
    /// A whole signature with a key that is kept expanded: the sum of its stages.
    pub signature: f64,
    /// In the order of [`Stage::ALL`]. A difference of parts can be a little below zero where it is about nothing.
    pub stages: [f64; 10],
    /// Rounds of which these are the medians.
    pub rounds: usize,
}

impl Stages {
    /// The time of a stage.
    pub fn of(&self, stage: Stage) -> f64 {
        self.stages[stage as usize]
    }

    /// The longest stage and its time.
    pub fn longest(&self) -> (Stage, f64) {
        let stages = Stage::ALL.into_iter().zip(self.stages);
        stages.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((Stage::Rest, 0.0))
    }
}

/// Measures the stages on each backend for about `budget` a backend, at least five rounds.
///
/// # Errors
/// Those of making a key, of signing and of verifying.
pub fn measure(params: Params, isas: &[Isa], budget: Duration) -> Result<Vec<Stages>, Error> {
    let Some(fastest) = isas.last() else { return Ok(Vec::new()) };
    let key = SigningKey::generate(params, *fastest)?;
    let replays: Result<Vec<_>, _> =
        isas.iter().map(|isa| Replay::new(&key, *isa, &[0x5A; MESSAGE_LEN])).collect();
    let mut replays = replays?;
    let mut times = vec![[const { Vec::new() }; PARTS.len()]; isas.len()];
    let (begun, budget) = (Instant::now(), budget * isas.len() as u32);
    let mut rounds = 0;
    while begun.elapsed() < budget || rounds < 5 {
        rounds += 1;
        for (replay, times) in replays.iter_mut().zip(&mut times) {
            for (part, times) in PARTS.into_iter().zip(times) {
                // The first one fills the caches.
                replay.run(part)?;
                let start = Instant::now();
                replay.run(part)?;
                times.push(start.elapsed().as_secs_f64() * 1e9);
            }
        }
    }
    Ok(isas
        .iter()
        .zip(times)
        .map(|(isa, times)| stages(Algorithm::Falcon(params), *isa, times, rounds))
        .collect())
}

fn stages(algorithm: Algorithm, isa: Isa, times: [Vec<f64>; PARTS.len()], rounds: usize) -> Stages {
    let [signature, hash, target, ff_sampling, sampler, generator, base, lattice_point, encode, check] =
        times.map(median);
    let mut stages = [
        hash,
        target,
        ff_sampling - sampler,
        generator,
        base,
        sampler - generator - base,
        lattice_point,
        encode,
        check,
        0.0,
    ];
    stages[Stage::ALL.len() - 1] = signature - stages.iter().sum::<f64>();
    Stages { algorithm, isa, signature, stages, rounds }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_add_up_to_the_signature() {
        let isas: Vec<Isa> = Isa::ALL.iter().copied().filter(|isa| isa.is_supported()).collect();
        let all = measure(Params::Falcon512, &isas, Duration::ZERO).expect("measured");
        assert_eq!(all.len(), isas.len());
        for one in all {
            let sum: f64 = one.stages.iter().sum();
            assert!((sum - one.signature).abs() < 1.0 && one.rounds == 5);
            assert!(one.longest().1 > 0.0);
        }
    }
}
