//! Where the time of an operation goes, on several backends in turn.
//!
//! Every part of an operation is repeated alone, on real inputs; a stage is a part, or a difference of parts. All
//! backends and parts take turns, so that a disturbance of the machine hits all of them; the figures are medians. The
//! operations themselves carry no counters: they cost nothing when nobody looks.

mod falcon;
mod kyber;
mod ntru;

use super::json::Json;
use super::statistics::median;
use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::isa::Isa;
use std::time::{Duration, Instant};

/// The stages of one operation on one backend, in nanoseconds.
#[derive(Clone, Debug)]
pub struct Breakdown {
    /// The operation: signature, encapsulation, decapsulation.
    pub of: &'static str,
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The backend.
    pub isa: Isa,
    /// The whole: the sum of the stages.
    pub whole: f64,
    /// In their order; the last is the rest. A difference of parts can be below zero where it is about nothing, or where
    /// stages share work.
    pub stages: Vec<(&'static str, f64)>,
    /// Rounds of which these are the medians.
    pub rounds: usize,
}

impl Breakdown {
    fn new(
        of: &'static str,
        algorithm: Algorithm,
        isa: Isa,
        whole: f64,
        mut stages: Vec<(&'static str, f64)>,
        rounds: usize,
    ) -> Breakdown {
        let rest = whole - stages.iter().map(|(_, time)| time).sum::<f64>();
        stages.push(("rest", rest));
        Breakdown { of, algorithm, isa, whole, stages, rounds }
    }

    /// The longest stage and its time.
    pub fn longest(&self) -> (&'static str, f64) {
        self.stages.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or(("rest", 0.0))
    }

    /// As an element of the document's `results`.
    pub fn json(&self) -> Json {
        let stage = |(name, time): &(&str, f64)| {
            Json::object([("stage", Json::text(*name)), ("ns", Json::Real(*time))])
        };
        Json::object([
            ("stages_of", Json::text(self.of)),
            ("algorithm", Json::text(self.algorithm.name())),
            ("backend", Json::text(self.isa.name())),
            ("whole_ns", Json::Real(self.whole)),
            ("rounds", Json::Whole(self.rounds as u64)),
            ("stages", Json::List(self.stages.iter().map(stage).collect())),
        ])
    }
}

/// Measures an algorithm's operations on each backend for about `budget` a backend, at least five rounds.
///
/// # Errors
/// Those of the operations.
pub fn measure(
    algorithm: Algorithm,
    isas: &[Isa],
    message: &[u8],
    budget: Duration,
) -> Result<Vec<Breakdown>, Error> {
    match algorithm {
        Algorithm::Falcon(params) => falcon::measure(params, isas, message, budget),
        Algorithm::Kyber(set) => kyber::measure(set, isas, budget),
        Algorithm::Ntru(set) => ntru::measure(set, isas, budget),
    }
}

/// Times every part on every backend in turn for about `budget` a backend, at least five rounds, each part once to fill the
/// caches and once with the clock. Gives the medians by backend and part, in nanoseconds, and the number of rounds.
fn in_turns(
    isas: usize,
    parts: usize,
    budget: Duration,
    run: &mut dyn FnMut(usize, usize) -> Result<(), Error>,
) -> Result<(Vec<Vec<f64>>, usize), Error> {
    let mut times = vec![vec![Vec::new(); parts]; isas];
    let (begun, budget) = (Instant::now(), budget * isas as u32);
    let mut rounds = 0;
    while begun.elapsed() < budget || rounds < 5 {
        rounds += 1;
        for (isa, times) in times.iter_mut().enumerate() {
            for (part, times) in times.iter_mut().enumerate() {
                run(isa, part)?;
                let start = Instant::now();
                run(isa, part)?;
                times.push(start.elapsed().as_secs_f64() * 1e9);
            }
        }
    }
    let medians = times.iter().map(|parts| parts.iter().map(|times| median(times)).collect()).collect();
    Ok((medians, rounds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_add_up_to_the_whole() {
        let isas: Vec<Isa> = Isa::ALL.iter().copied().filter(|isa| isa.is_supported()).collect();
        for (number, operations) in [(0, 1), (3, 2), (9, 2), (11, 2)] {
            let algorithm = Algorithm::ALL[number];
            let all = measure(algorithm, &isas, b"message", Duration::ZERO).expect("measured");
            assert_eq!(all.len(), isas.len() * operations);
            for one in all {
                let sum: f64 = one.stages.iter().map(|(_, time)| time).sum();
                assert!((sum - one.whole).abs() < 1.0 && one.rounds == 5, "{}", one.of);
                assert!(one.longest().1 > 0.0);
            }
        }
    }
}
