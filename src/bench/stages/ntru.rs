//! The stages of an encapsulation and a decapsulation of NTRU.

use super::{Breakdown, in_turns};
use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::isa::Isa;
use crate::ntru::ParameterSet;
use crate::ntru::stages::{Exchange, Part};
use std::time::Duration;

/// Products of a decapsulation: c f, modulo 3 by the inverse of f, and by the inverse of h.
const PRODUCTS: f64 = 3.0;

/// Measures the stages on each backend for about `budget` a backend, at least five rounds.
///
/// # Errors
/// Those of the operations.
pub fn measure(set: ParameterSet, isas: &[Isa], budget: Duration) -> Result<Vec<Breakdown>, Error> {
    let exchanges: Result<Vec<_>, _> = isas.iter().map(|isa| Exchange::new(set, *isa)).collect();
    let exchanges = exchanges?;
    let (medians, rounds) =
        in_turns(isas.len(), Part::ALL.len(), budget, &mut |isa, part| exchanges[isa].run(Part::ALL[part]))?;
    let both = |(isa, times): (&Isa, &Vec<f64>)| breakdowns(Algorithm::Ntru(set), *isa, times, rounds);
    Ok(isas.iter().zip(&medians).flat_map(both).collect())
}

fn breakdowns(algorithm: Algorithm, isa: Isa, times: &[f64], rounds: usize) -> [Breakdown; 2] {
    let of = |part: Part| times[Part::ALL.iter().position(|p| *p == part).unwrap_or(0)];
    let encapsulation = vec![
        ("random bytes", of(Part::RandomBytes)),
        ("read the key", of(Part::ReadPublic)),
        ("samplers", of(Part::Sample)),
        ("product", of(Part::Multiply)),
        ("hashes", of(Part::HashMessage)),
    ];
    let decapsulation = vec![
        ("read the key", of(Part::ReadPrivate)),
        ("products", PRODUCTS * of(Part::Multiply)),
        ("hashes", of(Part::HashMessage) + of(Part::HashRejection)),
    ];
    let whole = |part| of(part);
    [
        Breakdown::new("encapsulation", algorithm, isa, whole(Part::Encapsulation), encapsulation, rounds),
        Breakdown::new("decapsulation", algorithm, isa, whole(Part::Decapsulation), decapsulation, rounds),
    ]
}
