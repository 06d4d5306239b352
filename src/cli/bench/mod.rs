//! `pqc bench`: what [`crate::bench`] measures, as tables and files.
//!
//! [`options`] is what the words mean, [`header`] where figures come from, [`tables`] and [`outputs`] show them.

mod header;
mod options;
mod outputs;
mod tables;

use super::exit::{Kind, failure};
use super::report::Report;
use super::{args, interrupt};
use crate::bench::chance::Chance;
use crate::bench::clock::System;
use crate::bench::environment::Environment;
use crate::bench::json::Json;
use crate::bench::rounds::{Shape, measure, order};
use crate::bench::row::Row;
use crate::bench::session::{Failure, Session, prepare};
use crate::bench::{claims, processors, schema, stages};
use crate::isa::Isa;
use anyhow::Result;
use options::{Plan, View};
use std::time::Duration;

/// Runs the command.
///
/// # Errors
/// Usage, refused overwrite, system; a backend that gives other results than scalar.
pub fn run(args: &args::Bench, isas: &[Isa], why: &str, report: &mut Report) -> Result<u8> {
    let plan = options::plan(args, isas, why)?;
    interrupt::defer();
    let mut clock = System::new();
    // Before this thread is pinned: it counts the processors that there are.
    let mut environment = Environment::look(&mut clock);
    let processors = pinned(plan.terms.threads);
    header::add(&mut environment, &plan, &processors);
    match plan.view {
        View::Rows => rows(&plan, &mut environment, &mut clock, &processors, report),
        View::Stages => breakdowns(&plan, &mut environment, report),
        View::Claims => paper_claims(&plan, &mut environment, &mut clock, report),
    }
}

/// The processors for the threads, the current one first, to which this thread is pinned; none where the system pins
/// nothing.
fn pinned(threads: usize) -> Vec<usize> {
    let mut all = processors::allowed();
    let at = processors::current().and_then(|cpu| all.iter().position(|other| *other == cpu));
    all.rotate_left(at.unwrap_or(0));
    all.truncate(threads.max(1));
    if processors::pin(&all, 0) { all } else { Vec::new() }
}

fn rows(
    plan: &Plan,
    environment: &mut Environment,
    clock: &mut System,
    processors: &[usize],
    report: &mut Report,
) -> Result<u8> {
    let fail = |error: Failure| match error {
        Failure::Operation(error) => anyhow::Error::from(error),
        differs => failure(Kind::SelfCheck, differs.to_string()),
    };
    let backends: Vec<&str> = plan.isas.iter().map(|isa| isa.name()).collect();
    report.note(&format!("backends: {} ({}); making keys, comparing results", backends.join(", "), plan.why));
    header::self_test(environment, plan, report);
    let prepared = prepare(&plan.algorithms, &plan.terms).map_err(fail)?;
    let of = |algorithm| plan.operations.iter().filter(|op| op.is_of(algorithm)).count();
    report.progress.of_items(plan.algorithms.iter().map(|algorithm| of(*algorithm)).sum());
    let mut session = Session::new(&prepared, &plan.operations, &plan.isas, &plan.terms, clock, &mut || {
        report.progress.item();
        !interrupt::came()
    })
    .map_err(fail)?;
    let order = order(&session.groups(), plan.rounds, plan.isolated, &mut Chance::new(plan.terms.seed));
    report.note(&format!(
        "measuring {} rows in {} rounds: about {:.0} s",
        session.ids.len(),
        order.len(),
        (session.estimate(plan.rounds) as f64 / 1e9).max(1.0)
    ));
    report.progress.of_items(order.len());
    let is_stopped = interrupt::came();
    let order = if is_stopped { &[] } else { order.as_slice() };
    measure(&mut session.subjects, order, Shape::default(), clock, processors, &mut || {
        report.progress.item();
        !interrupt::came()
    })?;
    report.progress.finish();
    let rows = session.rows();
    let code = finished(environment, report);
    show(plan, environment, &rows, code, report)?;
    Ok(code)
}

/// The exit code, and what it says of the figures.
fn finished(environment: &mut Environment, report: &Report) -> u8 {
    if interrupt::came() {
        report.say("interrupted: what was measured so far");
        environment.add("interrupted", "yes");
        Kind::Interrupted.code()
    } else {
        0
    }
}

/// Tables to standard output, files to their places.
fn show(plan: &Plan, environment: &Environment, rows: &[Row], code: u8, report: &mut Report) -> Result<()> {
    let document = schema::document(code, environment, rows.iter().map(schema::row).collect());
    let csv = schema::csv(environment, &plan.terms, rows);
    outputs::write(plan, environment, rows, &document, &csv, report)?;
    if plan.csv_to_stdout {
        report.write(csv.as_bytes());
    } else if report.is_json() {
        report.document(document);
    } else {
        if let Some(earlier) = &plan.earlier {
            tables::compared(plan, earlier, environment, rows, report);
        } else {
            header::print(environment, report);
            tables::rows(rows, report);
        }
    }
    Ok(())
}

fn breakdowns(plan: &Plan, environment: &mut Environment, report: &mut Report) -> Result<u8> {
    let backends = plan.isas.len() as f64;
    let seconds = plan.seconds * plan.algorithms.len() as f64 * backends;
    report.note(&format!("measuring stages: about {seconds:.0} s"));
    header::self_test(environment, plan, report);
    report.progress.of_items(plan.algorithms.len());
    let message = vec![0x5A; plan.terms.message_len];
    let budget = Duration::from_secs_f64(plan.seconds);
    let mut all = Vec::new();
    for algorithm in &plan.algorithms {
        if interrupt::came() {
            break;
        }
        all.extend(stages::measure(*algorithm, &plan.isas, &message, budget)?);
        report.progress.item();
    }
    report.progress.finish();
    let results = all.iter().map(stages::Breakdown::json).collect();
    show_view(plan, environment, results, report, |report| tables::breakdowns(&all, plan.isas.len(), report))
}

/// What is not rows: a document, or a table.
fn show_view(
    plan: &Plan,
    environment: &mut Environment,
    results: Vec<Json>,
    report: &mut Report,
    print: impl FnOnce(&mut Report),
) -> Result<u8> {
    let code = finished(environment, report);
    let document = schema::document(code, environment, results);
    outputs::write_json(plan, &document, report)?;
    if report.is_json() {
        report.document(document);
    } else {
        header::print(environment, report);
        print(report);
    }
    Ok(code)
}

fn paper_claims(
    plan: &Plan,
    environment: &mut Environment,
    clock: &mut System,
    report: &mut Report,
) -> Result<u8> {
    let prepared = claims::prepare_keys(&plan.terms)?;
    header::self_test(environment, plan, report);
    let mut session = claims::Session::new(&prepared, clock)?;
    let rounds = session.len() * plan.rounds;
    report.note(&format!("measuring in {rounds} rounds: about {:.0} s", 0.02 * rounds as f64));
    report.progress.of_items(rounds);
    session.measure(plan.rounds, plan.terms.seed, clock, &mut || {
        report.progress.item();
        !interrupt::came()
    })?;
    report.progress.finish();
    let outcomes = session.outcomes(plan.terms.seed)?;
    let results = outcomes.iter().map(claims::Outcome::json).collect();
    show_view(plan, environment, results, report, |report| tables::claims(&outcomes, report))
}
