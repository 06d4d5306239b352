//! Where figures come from, in words: added to the environment, printed before the tables.

use super::options::{Plan, View};
use crate::bench::environment::Environment;
use crate::bench::inputs::INPUTS;
use crate::cli::io;
use crate::cli::report::{Report, printable};
use crate::cli::selftest;
use crate::isa::Isa;

/// Adds what belongs to the run.
pub fn add(environment: &mut Environment, plan: &Plan, processors: &[usize]) {
    let pqc_isa = io::variable("PQC_ISA").map_or("not set".into(), |value| printable(&value));
    environment.add("pqc_isa", pqc_isa);
    let of_isa = |isa: &Isa| match isa.features() {
        [] => isa.name().to_owned(),
        features => format!("{} ({})", isa.name(), features.join(" ")),
    };
    environment.add("backends", plan.isas.iter().map(of_isa).collect::<Vec<_>>().join(", "));
    environment.add("chosen_by", plan.why.clone());
    environment.add("seed", plan.terms.seed.to_string());
    environment.add("inputs", INPUTS.to_string());
    let pinned: Vec<String> = processors.iter().map(usize::to_string).collect();
    let pinned = if pinned.is_empty() { "not pinned".into() } else { pinned.join(" ") };
    environment.add("pinned", pinned);
    let order = match plan.view {
        View::Stages => "parts in turn",
        _ if plan.isolated => "isolated",
        _ => "interleaved in a shuffled order",
    };
    environment.add("order", order);
    environment.add("seconds_a_row", plan.seconds.to_string());
    environment.add("round", "at least 20 ms, the first 2 ms dropped");
}

/// Runs the self-test of all that is measured, and adds its outcome.
pub fn self_test(environment: &mut Environment, plan: &Plan, report: &Report) {
    let mut failed = Vec::new();
    for isa in &plan.isas {
        for algorithm in &plan.algorithms {
            if let (Err(check), _) = selftest::one(*algorithm, *isa) {
                failed.push(format!("{} on {}: {check}", algorithm.name(), isa.name()));
            }
        }
    }
    if failed.is_empty() {
        environment.add("selftest", "passed");
    } else {
        report.warn(&format!("the self-test failed: {}", failed.join("; ")));
        environment.add("selftest", format!("FAILED: {}", failed.join("; ")));
    }
}

/// What stands together on a line: its name, and what of the environment.
const LINES: [(&str, &[&str]); 5] = [
    (
        "processor",
        &["processor", "microcode", "hypervisor", "processors", "smt", "governor", "turbo", "core_frequency"],
    ),
    ("system", &["system", "kernel", "architecture", "timer_overhead_ns", "tick_frequency", "cycle_counter"]),
    ("build", &["version", "commit", "dirty", "compiler", "profile", "target"]),
    ("backends", &["backends", "chosen_by", "pqc_isa", "selftest"]),
    ("run", &["seed", "inputs", "pinned", "order", "round", "seconds_a_row"]),
];

/// Prints it.
pub fn print(environment: &Environment, report: &mut Report) {
    for (name, of) in LINES {
        let value = |other: &&str| {
            let value = environment.get(other);
            if *other == name { value.to_owned() } else { format!("{} {value}", other.replace('_', " ")) }
        };
        let values: Vec<String> = of.iter().map(value).collect();
        report.line(&format!("{name}: {}", values.join("; ")));
    }
    report.line("");
}
