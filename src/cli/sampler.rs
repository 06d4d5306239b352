//! `--sampler`: how `keygen` and `encaps` of NTRU draw polynomials of a fixed weight.
//!
//! Files of either sampler are used alike, so `decaps` has no such option.

use super::args::SamplerArg;
use super::exit::usage;
use super::report::{Object, Report};
use crate::algorithm::Algorithm;
use crate::ntru::Sampler;
use anyhow::Result;

/// The sampler that the option names, else the default one. For HRSS it is said that there is nothing to choose.
///
/// # Errors
/// A usage failure for an algorithm of another family.
pub fn chosen(option: Option<SamplerArg>, algorithm: Algorithm, report: &Report) -> Result<Sampler> {
    let Some(option) = option else { return Ok(Sampler::default()) };
    let name = algorithm.name();
    if !matches!(algorithm, Algorithm::Ntru(_)) {
        return Err(usage(format!(
            "--sampler is for NTRU, and {name} has nothing to choose there; leave it out"
        )));
    }
    if !algorithm.has_fixed_weight() {
        report.warn(&format!(
            "{name} has no step of fixed weight, so --sampler makes no difference: HRSS draws each coefficient alone"
        ));
    }
    Ok(match option {
        SamplerArg::Shuffle => Sampler::Shuffle,
        SamplerArg::Sort => Sampler::Sort,
    })
}

/// Puts the sampler into a result, where the algorithm uses one.
pub fn put(object: &mut Object, sampler: Sampler, algorithm: Algorithm) {
    if algorithm.has_fixed_weight() {
        object.insert("sampler".into(), sampler.name().into());
    }
}
