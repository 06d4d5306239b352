//! `pqc selftest`: is this build right on this processor?
//!
//! Each engine's own test makes a key and what is made with it from fixed bytes, compares them with a published
//! answer, and tries damaged input. Since every backend must give that answer, backends that pass agree with each other.

use super::report::{Object, Report, Tone};
use crate::algorithm::Algorithm;
use crate::isa::Isa;
use crate::{falcon, kyber, ntru};
use anyhow::Result;
use serde_json::Value;

/// Runs the command.
///
/// # Errors
/// None; a failed test is exit code 1.
pub fn run(isas: &[Isa], report: &mut Report) -> Result<u8> {
    let mut passed = true;
    report.progress.of_items(isas.len() * Algorithm::ALL.len());
    for isa in isas {
        for algorithm in Algorithm::ALL {
            let (outcome, checks) = one(*algorithm, *isa);
            report.progress.item();
            passed &= outcome.is_ok();
            let before = format!("{} on {}: ", algorithm.name(), isa.name());
            match outcome {
                Ok(()) => report.verdict(&before, "OK", Tone::Good, &format!(" ({checks})")),
                Err(check) => report.verdict(&before, "FAILED", Tone::Bad, &format!(" ({check})")),
            }
            let mut object = Object::new();
            object.insert("algorithm".into(), algorithm.name().into());
            object.insert("backend".into(), isa.name().into());
            object.insert("status".into(), if outcome.is_ok() { "ok" } else { "failed" }.into());
            object.insert("check".into(), outcome.err().map_or(Value::Null, Value::from));
            report.result(object);
        }
    }
    Ok(if passed { 0 } else { super::exit::Kind::NotValid.code() })
}

/// The self-test of an algorithm on a backend, and what it tries.
pub fn one(algorithm: Algorithm, isa: Isa) -> (std::result::Result<(), &'static str>, &'static str) {
    match algorithm {
        Algorithm::Falcon(params) => (falcon::self_test(params, isa), "known answer, refusals"),
        Algorithm::Kyber(set) => (kyber::self_test(set, isa), "known answer, implicit rejection, refusals"),
        Algorithm::Ntru(set) => (ntru::self_test(set, isa), "known answers, implicit rejection, refusals"),
    }
}
