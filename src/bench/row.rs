//! A row: one algorithm, operation and backend, its samples and its figures.

use super::chance::Chance;
use super::inputs::INPUTS;
use super::operation::Operation;
use super::rounds::{Sample, Subject};
use super::statistics::{Ratio, Summary, Value, median, ratio, summarize};
use crate::algorithm::Algorithm;
use crate::isa::Isa;

/// What a row is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Id {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The operation.
    pub operation: Operation,
    /// The backend.
    pub isa: Isa,
}

/// What holds for all rows of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Threads at the same time.
    pub threads: usize,
    /// Operations of a batch.
    pub batch: usize,
    /// Bytes of a message.
    pub message_len: usize,
    /// The number that inputs and shuffles come from.
    pub seed: u64,
}

impl Terms {
    /// Operations of one call.
    pub fn operations_of_a_call(&self, operation: Operation) -> usize {
        if operation.is_batch() { self.batch } else { 1 }
    }
}

/// The figures of one row, in nanoseconds an operation.
#[derive(Clone, Debug)]
pub struct Row {
    /// What it is of.
    pub id: Id,
    /// Threads at the same time.
    pub threads: usize,
    /// Operations of one call.
    pub batch: usize,
    /// Bytes of the message, where there is one.
    pub message_len: Option<usize>,
    /// Calls of one sample.
    pub calls: usize,
    /// In the order in which they were taken.
    pub samples: Vec<Sample>,
    /// Of the times.
    pub summary: Summary,
    /// Ticks of the time stamp, median.
    pub ticks: f64,
    /// Core cycles, median, where they are counted.
    pub cycles: Option<f64>,
    /// Operations a second of all threads together.
    pub per_second: f64,
    /// How many times as long the scalar backend takes; `None` for itself and where it was not measured.
    pub ratio: Option<Ratio>,
    /// Restarts of the signatures of all [`INPUTS`] inputs together.
    pub restarts: Option<u64>,
    /// Threads that were found on another processor.
    pub migrations: u64,
}

/// The times of one operation.
pub fn values(operation: Operation, samples: &[Sample], operations: usize) -> Vec<Value> {
    let input = |sample: &Sample| if operation.varies_with_input() { sample.call % INPUTS } else { 0 };
    let of = |sample: &Sample| Value {
        round: sample.round,
        input: input(sample),
        ns: sample.ns as f64 / operations as f64,
    };
    samples.iter().map(of).collect()
}

impl Row {
    /// The figures of a subject, and against the scalar backend's samples and calls of a sample. `None` where nothing was
    /// taken.
    pub fn new(
        id: Id,
        terms: &Terms,
        subject: &Subject<'_>,
        scalar: Option<&Subject<'_>>,
        restarts: Option<u64>,
    ) -> Option<Row> {
        let batch = terms.operations_of_a_call(id.operation);
        let operations = batch * subject.calls;
        let samples = subject.samples.clone();
        if samples.is_empty() {
            return None;
        }
        let chance = &mut Chance::new(terms.seed);
        let values_of = |subject: &Subject<'_>| values(id.operation, &subject.samples, batch * subject.calls);
        let this = values_of(subject);
        let summary = summarize(&this, chance);
        let of_one = |count: u64| count as f64 / operations as f64;
        let cycles: Option<Vec<f64>> = samples.iter().map(|sample| sample.cycles.map(of_one)).collect();
        let per_second = if subject.runs.len() == 1 {
            1e9 / summary.median.max(f64::MIN_POSITIVE)
        } else {
            1e9 * batch as f64 * median(&subject.throughput)
        };
        Some(Row {
            id,
            threads: subject.runs.len(),
            batch,
            message_len: id.operation.has_message().then_some(terms.message_len),
            calls: subject.calls,
            ticks: median(&samples.iter().map(|sample| of_one(sample.ticks)).collect::<Vec<_>>()),
            cycles: cycles.map(|cycles| median(&cycles)),
            per_second,
            ratio: scalar.and_then(|scalar| ratio(&values_of(scalar), &this, chance)),
            restarts: restarts.filter(|_| id.operation.has_message() && id.operation.shows_spread()),
            migrations: subject.migrations,
            summary,
            samples,
        })
    }

    /// Times of single operations, as [`values`].
    pub fn values(&self) -> Vec<Value> {
        values(self.id.operation, &self.samples, self.batch * self.calls)
    }

    /// `noisy`, `few`.
    pub fn marks(&self) -> Vec<&'static str> {
        let noisy = self.summary.is_noisy().then_some("noisy");
        noisy.into_iter().chain(self.summary.is_few().then_some("few")).collect()
    }
}
