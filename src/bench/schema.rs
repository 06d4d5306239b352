//! JSON and CSV of a run: every sample, and where it comes from. `schema.json` beside this file is the schema.
//!
//! Within a version members are added and never renamed; [`SCHEMA`] has another number where that does not hold.

use super::environment::Environment;
use super::json::Json;
use super::row::{Row, Terms};
use super::statistics::Ratio;

/// The name of the schema, with its version.
pub const SCHEMA: &str = "pqc-bench-1";

/// The whole document: one line.
pub fn document(exit: u8, environment: &Environment, results: Vec<Json>) -> String {
    let document = Json::object([
        ("version", Json::Whole(1)),
        ("command", Json::text("bench")),
        ("exit", Json::Whole(exit.into())),
        ("schema", Json::text(SCHEMA)),
        ("header", environment.json()),
        ("results", Json::List(results)),
        ("error", Json::Null),
    ]);
    format!("{document}\n")
}

/// A row as an element of `results`.
pub fn row(row: &Row) -> Json {
    let summary = &row.summary;
    let of_samples = |f: fn(&super::rounds::Sample) -> u64| Json::wholes(row.samples.iter().map(f));
    let cycles: Option<Vec<u64>> = row.samples.iter().map(|sample| sample.cycles).collect();
    Json::object([
        ("algorithm", Json::text(row.id.algorithm.name())),
        ("operation", Json::text(row.id.operation.name())),
        ("row_version", Json::Whole(row.id.operation.version())),
        ("backend", Json::text(row.id.isa.name())),
        ("features", Json::List(row.id.isa.features().iter().map(|name| Json::text(*name)).collect())),
        ("threads", Json::Whole(row.threads as u64)),
        ("batch", Json::Whole(row.batch as u64)),
        ("message_bytes", Json::or_null(row.message_len, |len| Json::Whole(len as u64))),
        ("median_ns", Json::Real(summary.median)),
        ("median_interval_ns", Json::interval(summary.interval)),
        ("lower_quartile_ns", Json::Real(summary.lower_quartile)),
        ("upper_quartile_ns", Json::Real(summary.upper_quartile)),
        ("minimum_ns", Json::Real(summary.minimum)),
        ("maximum_ns", Json::Real(summary.maximum)),
        ("fifth_percentile_ns", Json::Real(summary.fifth)),
        ("ninety_fifth_percentile_ns", Json::Real(summary.ninety_fifth)),
        ("per_second", Json::Real(row.per_second)),
        ("median_ticks", Json::Real(row.ticks)),
        ("median_cycles", Json::or_null(row.cycles, Json::Real)),
        ("scalar_over_this", Json::or_null(row.ratio, |ratio: Ratio| Json::Real(ratio.value))),
        ("scalar_over_this_interval", Json::interval(row.ratio.and_then(|ratio| ratio.interval))),
        ("restarts", Json::or_null(row.restarts, Json::Whole)),
        ("migrations", Json::Whole(row.migrations)),
        ("halves_differ", Json::Real(summary.halves)),
        ("noisy", Json::Bool(summary.is_noisy())),
        ("few", Json::Bool(summary.is_few())),
        ("samples", Json::Whole(row.samples.len() as u64)),
        ("calls_per_sample", Json::Whole(row.calls as u64)),
        ("sample_order", of_samples(|sample| sample.order)),
        ("sample_round", of_samples(|sample| sample.round.into())),
        ("sample_thread", of_samples(|sample| sample.thread.into())),
        ("sample_call", of_samples(|sample| sample.call as u64)),
        ("sample_ns", of_samples(|sample| sample.ns)),
        ("sample_ticks", of_samples(|sample| sample.ticks)),
        ("sample_cycles", Json::or_null(cycles, Json::wholes)),
    ])
}

/// The columns of [`csv`].
pub const COLUMNS: &str = "schema,version,commit,dirty,seed,algorithm,operation,row_version,backend,threads,batch,\
                           message_bytes,noisy,few,calls_per_sample,order,round,thread,call,ns,ticks,cycles";

/// One line a sample, and before them the names of the columns. No value has a comma.
pub fn csv(environment: &Environment, terms: &Terms, rows: &[Row]) -> String {
    let mut text = format!("{COLUMNS}\n");
    let of = |name| environment.get(name).replace(',', " ");
    let run = [SCHEMA.to_owned(), of("version"), of("commit"), of("dirty"), terms.seed.to_string()].join(",");
    for row in rows {
        let (id, message) = (row.id, row.message_len.map_or(String::new(), |len| len.to_string()));
        let of_row = format!(
            "{},{},{},{},{},{},{message},{},{},{}",
            id.algorithm.name(),
            id.operation.name(),
            id.operation.version(),
            id.isa.name(),
            row.threads,
            row.batch,
            row.summary.is_noisy(),
            row.summary.is_few(),
            row.calls,
        );
        for sample in &row.samples {
            let cycles = sample.cycles.map_or(String::new(), |cycles| cycles.to_string());
            text += &format!(
                "{run},{of_row},{},{},{},{},{},{},{cycles}\n",
                sample.order, sample.round, sample.thread, sample.call, sample.ns, sample.ticks,
            );
        }
    }
    text
}
