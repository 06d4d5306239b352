//! The stages of an encapsulation and a decapsulation.
//!
//! The matrix, the noise and the hash of a key or a ciphertext share permutations; the time of the matrix and of the
//! key's hash is therefore what the operation takes more than without them.

use super::{Breakdown, in_turns};
use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::isa::Isa;
use crate::kyber::ParameterSet;
use crate::kyber::stages::{Exchange, Part};
use std::time::Duration;

/// Measures the stages on each backend for about `budget` a backend, at least five rounds.
///
/// # Errors
/// Those of the operations.
pub fn measure(set: ParameterSet, isas: &[Isa], budget: Duration) -> Result<Vec<Breakdown>, Error> {
    let exchanges: Result<Vec<_>, _> = isas.iter().map(|isa| Exchange::new(set, *isa)).collect();
    let exchanges = exchanges?;
    let (medians, rounds) =
        in_turns(isas.len(), Part::ALL.len(), budget, &mut |isa, part| exchanges[isa].run(Part::ALL[part]))?;
    let both = |(isa, times): (&Isa, &Vec<f64>)| breakdowns(Algorithm::Kyber(set), *isa, times, rounds);
    Ok(isas.iter().zip(&medians).flat_map(both).collect())
}

fn breakdowns(algorithm: Algorithm, isa: Isa, times: &[f64], rounds: usize) -> [Breakdown; 2] {
    let of = |part: Part| times[Part::ALL.iter().position(|p| *p == part).unwrap_or(0)];
    let of_encryption = [
        ("noise", of(Part::Noise)),
        ("NTT and inverse", of(Part::Transforms)),
        ("products", of(Part::Products)),
        ("compress and encode", of(Part::Compress)),
    ];
    let whole = of(Part::Encapsulation);
    let (random, read, warm) = (of(Part::RandomBytes), of(Part::ReadPublic), of(Part::EncapsulateWarm));
    let mut stages = vec![
        ("random bytes", random),
        ("read the key", read),
        ("hash of the key", whole - random - read - warm),
        ("matrix", warm - of(Part::EncapsulateKept)),
        ("other hashes", of(Part::EncapsulateHashes)),
    ];
    stages.extend(of_encryption);
    let encapsulation = Breakdown::new("encapsulation", algorithm, isa, whole, stages, rounds);
    let whole = of(Part::Decapsulation);
    let mut stages = vec![
        ("read the key", of(Part::ReadPrivate)),
        ("matrix", of(Part::DecapsulateWarm) - of(Part::DecapsulateKept)),
        ("decryption", of(Part::Decrypt)),
        ("hashes", of(Part::DecapsulateHashes)),
    ];
    stages.extend(of_encryption);
    [encapsulation, Breakdown::new("decapsulation", algorithm, isa, whole, stages, rounds)]
}
