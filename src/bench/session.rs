//! From what is wanted to what can be measured: fixtures, the check against the scalar backend, subjects.

use super::check::{first_difference, outputs};
use super::clock::Clock;
use super::fixture::{Fixture, Run, Wish, fixture};
use super::operation::Operation;
use super::rounds::{Shape, Subject, calls_of_a_sample};
use super::row::{Id, Row, Terms};
use crate::algorithm::Algorithm;
use crate::isa::Isa;

/// Why there are no figures.
#[derive(Debug)]
pub enum Failure {
    /// An operation failed.
    Operation(crate::Error),
    /// A backend gives something else than the scalar one.
    Differs {
        /// Of what.
        id: Id,
        /// For which input.
        input: usize,
    },
}

impl From<crate::Error> for Failure {
    fn from(error: crate::Error) -> Failure {
        Failure::Operation(error)
    }
}

impl core::fmt::Display for Failure {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Failure::Operation(error) => error.fmt(f),
            Failure::Differs { id, input } => write!(
                f,
                "{} {}: {} gives another result than scalar for input {input}; nothing was measured",
                id.algorithm.name(),
                id.operation.name(),
                id.isa.name(),
            ),
        }
    }
}

impl std::error::Error for Failure {}

/// Keys of an algorithm and what was made with them.
pub struct Prepared {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Its keys.
    pub fixture: Box<dyn Fixture>,
}

/// Makes the keys of some algorithms.
///
/// # Errors
/// Those of making keys.
pub fn prepare(algorithms: &[Algorithm], terms: &Terms) -> Result<Vec<Prepared>, Failure> {
    let wish = Wish { seed: terms.seed, message_len: terms.message_len, batch: terms.batch };
    let one =
        |algorithm: &Algorithm| Ok(Prepared { algorithm: *algorithm, fixture: fixture(*algorithm, wish)? });
    algorithms.iter().map(one).collect()
}

/// What is measured: subjects, and what each is of.
pub struct Session<'f> {
    /// What each subject is of.
    pub ids: Vec<Id>,
    /// As many.
    pub subjects: Vec<Subject<'f>>,
    /// Restarts of each.
    restarts: Vec<Option<u64>>,
    /// The time of one call of each, about, in nanoseconds.
    calls_ns: Vec<u64>,
    terms: Terms,
}

impl<'f> Session<'f> {
    /// Checks the results of every backend against those of the scalar one, and finds out how many calls make a sample.
    /// `between` is called after each algorithm's operation and says whether to go on.
    ///
    /// # Errors
    /// [`Failure::Differs`], and those of operations.
    pub fn new(
        prepared: &'f [Prepared],
        operations: &[Operation],
        isas: &[Isa],
        terms: &Terms,
        clock: &mut impl Clock,
        between: &mut dyn FnMut() -> bool,
    ) -> Result<Session<'f>, Failure> {
        let (ids, subjects, restarts, calls_ns) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut session = Session { ids, subjects, restarts, calls_ns, terms: *terms };
        let mut group = 0;
        for Prepared { algorithm, fixture } in prepared {
            let restarts = fixture.restarts();
            for operation in operations.iter().filter(|operation| operation.is_of(*algorithm)) {
                let run = |isa| fixture.run(*operation, isa);
                let Some(scalar) = run(Isa::Scalar)? else { continue };
                let expected = outputs(&*scalar)?;
                drop(scalar);
                let (mut runs_of_isas, mut fastest) = (Vec::new(), u64::MAX);
                for isa in isas {
                    let id = Id { algorithm: *algorithm, operation: *operation, isa: *isa };
                    let runs: Result<Vec<_>, _> = (0..terms.threads).map(|_| run(*isa)).collect();
                    let runs: Vec<Box<dyn Run + 'f>> = runs?.into_iter().flatten().collect();
                    let Some(first) = runs.first() else { continue };
                    if let Some(input) = first_difference(&expected, &**first)? {
                        return Err(Failure::Differs { id, input });
                    }
                    let call_ns = time_of_a_call(&**first, clock)?;
                    fastest = fastest.min(call_ns);
                    runs_of_isas.push((id, runs, call_ns));
                }
                let calls = calls_of_a_sample(operation.shows_spread(), fastest);
                for (id, runs, call_ns) in runs_of_isas {
                    session.ids.push(id);
                    session.calls_ns.push(call_ns);
                    session.subjects.push(Subject::new(group, runs, calls));
                    session.restarts.push(restarts);
                }
                group += 1;
                if !between() {
                    return Ok(session);
                }
            }
        }
        Ok(session)
    }

    /// The group of each subject.
    pub fn groups(&self) -> Vec<usize> {
        self.subjects.iter().map(|subject| subject.group).collect()
    }

    /// How long so many rounds of all will take, in nanoseconds, about.
    pub fn estimate(&self, rounds: usize) -> u64 {
        let shape = Shape::default();
        let of = |(subject, call_ns): (&Subject<'_>, &u64)| {
            let sample = (subject.calls as u64 * call_ns).max(1);
            // At least one more than what is dropped.
            let samples = shape.length_ns.div_ceil(sample).max(shape.dropped_ns.div_ceil(sample) + 1);
            samples * sample
        };
        rounds as u64 * self.subjects.iter().zip(&self.calls_ns).map(of).sum::<u64>()
    }

    /// The rows of what was taken.
    pub fn rows(&self) -> Vec<Row> {
        let scalar_of = |id: &Id, group| {
            let is_scalar = |other: &&Subject<'_>, of: &Id| other.group == group && of.isa == Isa::Scalar;
            let found = self.subjects.iter().zip(&self.ids).find(|(other, of)| is_scalar(other, of));
            found.map(|(subject, _)| subject).filter(|_| id.isa != Isa::Scalar)
        };
        let all = self.ids.iter().zip(&self.subjects).zip(&self.restarts);
        all.filter_map(|((id, subject), restarts)| {
            Row::new(*id, &self.terms, subject, scalar_of(id, subject.group), *restarts)
        })
        .collect()
    }
}

/// The least of three.
fn time_of_a_call(run: &dyn Run, clock: &mut impl Clock) -> Result<u64, crate::Error> {
    let mut least = u64::MAX;
    for call in 0..3 {
        let before = clock.before();
        run.time(call)?;
        least = least.min(clock.after().ns.saturating_sub(before.ns));
    }
    Ok(least)
}
