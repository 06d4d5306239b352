//! `pqc bench`: a table of what [`crate::bench`] measures.

use super::exit::usage;
use super::io::is_dash;
use super::io::target::{Existing, PLAIN, Target, commit};
use super::report::{Object, Report, json_object, printable, shown};
use super::{args, list, names};
use crate::algorithm::Algorithm;
use crate::bench::stages::{Stage, Stages};
use crate::bench::{Fixture, MESSAGE_LEN, Operation, Row, default_algorithms};
use crate::isa::Isa;
use anyhow::Result;
use std::ffi::OsStr;
use std::time::Duration;

/// The most messages that `--batch` takes.
const MAX_BATCH: usize = 65536;

/// What is measured, and where it goes.
struct Plan {
    algorithms: Vec<Algorithm>,
    operations: Vec<Operation>,
    budget: Duration,
    batch: usize,
    file: Option<Target>,
}

fn plan(args: &args::Bench) -> Result<Plan> {
    if !(args.seconds > 0.0 && args.seconds <= 3600.0) {
        return Err(usage("--seconds is more than 0 and at most 3600"));
    }
    if !(1..=MAX_BATCH).contains(&args.batch) {
        return Err(usage(format!("--batch is at least 1 and at most {MAX_BATCH}")));
    }
    let file = match &args.json {
        Some(Some(path)) if !is_dash(path) => Some(Target::check(path, Existing::forced(args.force), PLAIN)?),
        _ => None,
    };
    let algorithms = match &args.alg {
        Some(list) => names::algorithms(list)?,
        None => default_algorithms(),
    };
    let operations = if args.stages { vec![Operation::SignKept] } else { operations(&args.op)? };
    // An algorithm that was named is not passed over in silence.
    let named = args.alg.as_ref().is_some_and(|list| !list.eq_ignore_ascii_case("all"));
    let without = algorithms.iter().find(|alg| !operations.iter().any(|operation| operation.is_of(**alg)));
    if let (true, Some(algorithm)) = (named, without) {
        let name = algorithm.name();
        return Err(usage(if args.stages {
            format!("{name} makes no signatures: --stages shows the stages of a signature")
        } else {
            format!("{name} has none of the operations of --op {}", args.op)
        }));
    }
    let budget = Duration::from_secs_f64(args.seconds);
    Ok(Plan { algorithms, operations, budget, batch: args.batch, file })
}

fn operations(list: &str) -> Result<Vec<Operation>> {
    if list.eq_ignore_ascii_case("all") {
        return Ok(Operation::ALL.to_vec());
    }
    let one = |name: &str| {
        let found = Operation::ALL.into_iter().find(|op| op.name().eq_ignore_ascii_case(name.trim()));
        found.ok_or_else(|| {
            let all: Vec<&str> = Operation::ALL.iter().map(|op| op.name()).collect();
            let name = printable(OsStr::new(name));
            usage(format!("--op {name}: no such operation; there are {}", all.join(", ")))
        })
    };
    list.split(',').map(one).collect()
}

/// Runs the command.
///
/// # Errors
/// Usage, refused overwrite, system.
pub fn run(args: &args::Bench, isas: &[Isa], why: &str, report: &mut Report) -> Result<u8> {
    let plan = plan(args)?;
    let backends: Vec<&str> = isas.iter().map(|isa| isa.name()).collect();
    report.note(&format!(
        "backend: {} ({why}); {} s a row; messages of {MESSAGE_LEN} bytes; {} {}",
        backends.join(", "),
        args.seconds,
        std::env::consts::ARCH,
        std::env::consts::OS,
    ));
    for isa in isas.iter().filter(|isa| !isa.features().is_empty()) {
        report.note(&format!("{}: {}", isa.name(), isa.features().join(" ")));
    }
    let results =
        if args.stages { stages(&plan, isas, report)? } else { operations_of(&plan, isas, report)? };
    if let Some(target) = &plan.file {
        let text = json_object("bench", 0, &results, None);
        commit(vec![target.prepare(text.as_bytes())?])?;
        report.note(&format!("written: {}", shown(target.path())));
    } else {
        results.into_iter().for_each(|object| report.result(object));
    }
    Ok(0)
}

/// One row an operation.
fn operations_of(plan: &Plan, isas: &[Isa], report: &mut Report) -> Result<Vec<Object>> {
    let of = |algorithm: &Algorithm| {
        plan.operations.iter().filter(|operation| operation.is_of(*algorithm)).count()
    };
    report.progress.of_items(plan.algorithms.iter().map(of).sum::<usize>() * isas.len());
    let mut table = vec![
        ["ALGORITHM", "OPERATION", "BACKEND", "    MEDIAN", "   MINIMUM", "PER SECOND", "SAMPLES"]
            .map(str::to_owned),
    ];
    let mut results = Vec::new();
    for algorithm in &plan.algorithms {
        for isa in isas {
            let fixture = Fixture::new(*algorithm, *isa)?;
            for operation in &plan.operations {
                let Some(row) = fixture.run(*operation, *isa, plan.budget, plan.batch)? else { continue };
                report.progress.item();
                table.push(cells(&row));
                results.push(result(&row, plan.batch));
            }
        }
    }
    report.progress.finish();
    list::print_table(&table, report);
    Ok(results)
}

/// One row a stage of signing, one column a backend.
fn stages(plan: &Plan, isas: &[Isa], report: &mut Report) -> Result<Vec<Object>> {
    let signers = plan.algorithms.iter().filter_map(|algorithm| match algorithm {
        Algorithm::Falcon(params) => Some((*algorithm, *params)),
        Algorithm::Kyber(_) | Algorithm::Ntru(_) => None,
    });
    report.progress.of_items(signers.clone().count());
    let mut heading = vec!["ALGORITHM".to_owned(), "STAGE".to_owned()];
    heading.extend(isas.iter().map(|isa| format!("{:>17}", isa.name().to_uppercase())));
    let mut table = vec![heading];
    let mut results = Vec::new();
    for (algorithm, params) in signers {
        let all = crate::bench::stages::measure(params, isas, plan.budget)?;
        report.progress.item();
        let cell = |time: f64, whole: f64| format!("{:>9.2} us {:>3.0} %", time / 1e3, 100.0 * time / whole);
        for stage in Stage::ALL {
            let mut row = vec![algorithm.name().to_owned(), stage.name().to_owned()];
            row.extend(all.iter().map(|one| cell(one.of(stage), one.signature)));
            table.push(row);
        }
        let mut row = vec![algorithm.name().to_owned(), "signature".to_owned()];
        row.extend(all.iter().map(|one| cell(one.signature, one.signature)));
        table.push(row);
        for one in &all {
            let (stage, time) = one.longest();
            report.note(&format!(
                "{}, {}: longest stage: {}, {:.0} % ({} rounds)",
                algorithm.name(),
                one.isa.name(),
                stage.name(),
                100.0 * time / one.signature,
                one.rounds,
            ));
            results.push(result_of_stages(one));
        }
    }
    report.progress.finish();
    list::print_table(&table, report);
    Ok(results)
}

fn result_of_stages(all: &Stages) -> Object {
    let mut object = Object::new();
    object.insert("algorithm".into(), all.algorithm.name().into());
    object.insert("operation".into(), "stages".into());
    object.insert("backend".into(), all.isa.name().into());
    object.insert("signature_ns".into(), all.signature.into());
    for (stage, time) in Stage::ALL.into_iter().zip(all.stages) {
        object.insert(format!("{}_ns", stage.name().to_lowercase().replace(' ', "_")), time.into());
    }
    object.insert("rounds".into(), all.rounds.into());
    object.insert("message_bytes".into(), MESSAGE_LEN.into());
    object
}

fn cells(row: &Row) -> [String; 7] {
    let samples = &row.samples;
    [
        row.algorithm.name().into(),
        row.operation.name().into(),
        row.isa.name().into(),
        format!("{:>10}", time(samples.median())),
        format!("{:>10}", time(samples.minimum())),
        format!("{:>10.1}", samples.per_second()),
        format!("{:>7}", samples.count()),
    ]
}

/// A time with a unit that leaves one to three digits before the point.
fn time(duration: Duration) -> String {
    let nanos = duration.as_secs_f64() * 1e9;
    match nanos {
        _ if nanos < 1e3 => format!("{nanos:.0} ns"),
        _ if nanos < 1e6 => format!("{:.2} us", nanos / 1e3),
        _ if nanos < 1e9 => format!("{:.2} ms", nanos / 1e6),
        _ => format!("{:.2} s", nanos / 1e9),
    }
}

fn result(row: &Row, batch: usize) -> Object {
    let nanos = |d: Duration| u64::try_from(d.as_nanos()).unwrap_or(u64::MAX);
    let mut object = Object::new();
    object.insert("algorithm".into(), row.algorithm.name().into());
    object.insert("operation".into(), row.operation.name().into());
    object.insert("backend".into(), row.isa.name().into());
    object.insert("features".into(), row.isa.features().into());
    object.insert("median_ns".into(), nanos(row.samples.median()).into());
    object.insert("minimum_ns".into(), nanos(row.samples.minimum()).into());
    object.insert("per_second".into(), row.samples.per_second().into());
    object.insert("samples".into(), row.samples.count().into());
    if !matches!(row.operation, Operation::Keygen) && !row.algorithm.is_kem() {
        object.insert("message_bytes".into(), MESSAGE_LEN.into());
    }
    if row.operation == Operation::SignBatch {
        object.insert("batch".into(), batch.into());
    }
    object
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_operations() {
        assert_eq!(operations("ALL").unwrap(), Operation::ALL);
        assert_eq!(operations("verify, sign-kept").unwrap(), [Operation::Verify, Operation::SignKept]);
        assert_eq!(operations("encaps,decaps-kept").unwrap(), [Operation::Encaps, Operation::DecapsKept]);
        assert!(operations("encrypt").unwrap_err().to_string().contains("sign-kept"));
    }

    #[test]
    fn times_have_a_fitting_unit() {
        for (nanos, text) in
            [(12, "12 ns"), (12_340, "12.34 us"), (5_000_000, "5.00 ms"), (1_500_000_000, "1.50 s")]
        {
            assert_eq!(time(Duration::from_nanos(nanos)), text);
        }
    }
}
