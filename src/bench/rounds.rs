//! Taking samples: rounds of at least 20 ms whose first 2 ms are dropped, in a shuffled order.
//!
//! A processor that changes its frequency for wide vectors does it within about a millisecond; caches and predictors
//! take less. What is measured is a [`Subject`]; subjects of one group stand side by side in every round, so that what
//! disturbs the machine disturbs all of them.

use super::chance::Chance;
use super::clock::Clock;
use super::fixture::Run;
use super::processors;
use crate::error::Error;
use std::sync::Barrier;

/// The most samples of one thread in one round.
const MAX_SAMPLES: usize = 100_000;

/// The length of a round and of what is dropped at its start.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// In nanoseconds.
    pub length_ns: u64,
    /// In nanoseconds.
    pub dropped_ns: u64,
}

impl Default for Shape {
    fn default() -> Shape {
        Shape { length_ns: 20_000_000, dropped_ns: 2_000_000 }
    }
}

/// One sample: some calls, timed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The place of its round among all rounds of the run, of whatever subject.
    pub order: u64,
    /// The round of its subject.
    pub round: u32,
    /// The thread.
    pub thread: u32,
    /// The number of its first call.
    pub call: usize,
    /// Nanoseconds of all its calls.
    pub ns: u64,
    /// Ticks of all its calls.
    pub ticks: u64,
    /// Core cycles of all its calls, where they are counted.
    pub cycles: Option<u64>,
}

/// What is measured: an operation on a backend, once for each thread.
pub struct Subject<'f> {
    /// Subjects of one group are compared with each other.
    pub group: usize,
    /// One a thread.
    pub runs: Vec<Box<dyn Run + 'f>>,
    /// Calls of a sample.
    pub calls: usize,
    /// What was taken.
    pub samples: Vec<Sample>,
    /// Calls a nanosecond of all threads together, of each round.
    pub throughput: Vec<f64>,
    /// How often a thread was found on another processor than before.
    pub migrations: u64,
    /// The next call of each thread, and the processor it was on.
    next: Vec<(usize, Option<usize>)>,
    rounds: u32,
}

impl<'f> Subject<'f> {
    /// Nothing taken yet. In: at least one run.
    pub fn new(group: usize, runs: Vec<Box<dyn Run + 'f>>, calls: usize) -> Subject<'f> {
        let next = vec![(0, None); runs.len()];
        let (samples, throughput) = (Vec::new(), Vec::new());
        Subject { group, runs, calls, samples, throughput, migrations: 0, next, rounds: 0 }
    }

    /// Does one round.
    ///
    /// # Errors
    /// The operation's.
    pub fn round<C: Clock + Sync>(
        &mut self,
        clock: &mut C,
        order: u64,
        shape: Shape,
        processors: &[usize],
    ) -> Result<(), Error> {
        let (round, calls) = (self.rounds, self.calls);
        self.rounds += 1;
        let taken: Vec<Result<Taken, Error>> = if let [run] = self.runs.as_slice() {
            vec![take(clock, &**run, self.next[0].0, calls, shape)]
        } else {
            let barrier = &Barrier::new(self.runs.len());
            std::thread::scope(|scope| {
                let mut threads = Vec::with_capacity(self.runs.len());
                for (number, (run, (next, _))) in self.runs.iter_mut().zip(&self.next).enumerate() {
                    let (this, next) = (&*clock, *next);
                    threads.push(scope.spawn(move || {
                        processors::pin(processors, number);
                        let mut clock = this.for_thread();
                        barrier.wait();
                        take(&mut clock, &**run, next, calls, shape)
                    }));
                }
                threads.into_iter().map(|thread| thread.join().unwrap_or(Err(Error::SelfCheck))).collect()
            })
        };
        let mut throughput = 0.0;
        for (thread, taken) in taken.into_iter().enumerate() {
            let taken = taken?;
            let (next, processor) = &mut self.next[thread];
            *next = taken.next;
            let moved = processor.is_some() && *processor != taken.processors.0;
            self.migrations += u64::from(moved) + u64::from(taken.processors.0 != taken.processors.1);
            *processor = taken.processors.1;
            let ns: u64 = taken.samples.iter().map(|sample| sample.ns).sum();
            throughput += (taken.samples.len() * calls) as f64 / (ns as f64).max(1.0);
            let numbered = |sample| Sample { order, round, thread: thread as u32, ..sample };
            self.samples.extend(taken.samples.into_iter().map(numbered));
        }
        self.throughput.push(throughput);
        Ok(())
    }
}

/// What one thread took in one round.
struct Taken {
    samples: Vec<Sample>,
    next: usize,
    /// Before and after.
    processors: (Option<usize>, Option<usize>),
}

/// One thread's round. At least one sample is kept.
fn take(
    clock: &mut impl Clock,
    run: &dyn Run,
    mut next: usize,
    calls: usize,
    shape: Shape,
) -> Result<Taken, Error> {
    let before = processors::current();
    let begun = clock.before().ns;
    let mut samples = Vec::new();
    loop {
        let first = next;
        let start = clock.before();
        for call in first..first + calls {
            run.time(call)?;
        }
        let end = clock.after();
        next += calls;
        if start.ns - begun >= shape.dropped_ns {
            samples.push(Sample {
                order: 0,
                round: 0,
                thread: 0,
                call: first,
                ns: end.ns - start.ns,
                ticks: end.ticks.wrapping_sub(start.ticks),
                cycles: start.cycles.zip(end.cycles).map(|(start, end)| end.wrapping_sub(start)),
            });
        }
        let is_over = end.ns - begun >= shape.length_ns && !samples.is_empty();
        if is_over || samples.len() >= MAX_SAMPLES {
            return Ok(Taken { samples, next, processors: (before, processors::current()) });
        }
    }
}

/// The order of all rounds: which subject is next. In every turn the groups are shuffled, and within each its subjects;
/// `isolated`: each subject alone, all its rounds one after the other.
pub fn order(groups: &[usize], rounds: usize, isolated: bool, chance: &mut Chance) -> Vec<usize> {
    if isolated {
        return (0..groups.len()).flat_map(|subject| std::iter::repeat_n(subject, rounds)).collect();
    }
    let mut members: Vec<Vec<usize>> = Vec::new();
    let mut names: Vec<usize> = Vec::new();
    for (subject, group) in groups.iter().enumerate() {
        match names.iter().position(|name| name == group) {
            Some(at) => members[at].push(subject),
            None => {
                names.push(*group);
                members.push(vec![subject]);
            }
        }
    }
    let mut order = Vec::with_capacity(groups.len() * rounds);
    for _ in 0..rounds {
        chance.shuffle(&mut members);
        for group in &mut members {
            chance.shuffle(group);
            order.extend_from_slice(group);
        }
    }
    order
}

/// Calls of a sample: one where the spread from call to call is to be seen, else a power of two that makes the fastest
/// subject's sample about 100 us. In: the time of one call of the fastest.
pub fn calls_of_a_sample(shows_spread: bool, ns: u64) -> usize {
    /// About 4000 times what the clock takes.
    const SAMPLE_NS: u64 = 100_000;
    const MAX_CALLS: u64 = 4096;
    if shows_spread {
        return 1;
    }
    let calls = (SAMPLE_NS / ns.max(1)).clamp(1, MAX_CALLS);
    1 << calls.ilog2()
}

/// Does all rounds in an order. `between` is called after every round and says whether to go on.
///
/// # Errors
/// Those of the operations.
pub fn measure<C: Clock + Sync>(
    subjects: &mut [Subject<'_>],
    order: &[usize],
    shape: Shape,
    clock: &mut C,
    processors: &[usize],
    between: &mut dyn FnMut() -> bool,
) -> Result<(), Error> {
    for (number, subject) in order.iter().enumerate() {
        if let Some(subject) = subjects.get_mut(*subject) {
            subject.round(clock, number as u64, shape, processors)?;
        }
        if !between() {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::clock::Reading;
    use super::super::fixture::case;
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// A clock that moves only when work says so.
    #[derive(Clone, Default)]
    pub struct Scripted(pub Arc<AtomicU64>);

    impl Scripted {
        fn reading(&self) -> Reading {
            let ns = self.0.load(Ordering::Relaxed);
            Reading { ns, ticks: 2 * ns, cycles: Some(3 * ns) }
        }
    }

    impl Clock for Scripted {
        fn before(&mut self) -> Reading {
            self.reading()
        }
        fn after(&mut self) -> Reading {
            self.reading()
        }
        fn for_thread(&self) -> Scripted {
            self.clone()
        }
    }

    /// Work that takes as long as `ns` says for its call.
    pub fn work<'a>(clock: &Scripted, ns: impl Fn(usize) -> u64 + Send + 'a) -> Box<dyn Run + 'a> {
        let now = clock.0.clone();
        case(move |call| Ok(now.fetch_add(ns(call), Ordering::Relaxed)), |_| Vec::new())
    }

    #[test]
    fn the_start_of_a_round_is_dropped_and_calls_go_on() {
        let mut clock = Scripted::default();
        let mut subject = Subject::new(0, vec![work(&clock, |_| 250_000)], 4);
        subject.round(&mut clock, 7, Shape::default(), &[]).expect("a round");
        // 20 samples of 1 ms, of which two began in the first 2 ms.
        assert_eq!(subject.samples.len(), 18);
        let first = subject.samples[0];
        let expected = Sample {
            order: 7,
            round: 0,
            thread: 0,
            call: 8,
            ns: 1_000_000,
            ticks: 2_000_000,
            cycles: Some(3_000_000),
        };
        assert_eq!(first, expected);
        subject.round(&mut clock, 8, Shape::default(), &[]).expect("a round");
        assert_eq!((subject.samples[18].call, subject.samples[18].round), (88, 1));
        assert!(subject.throughput.iter().all(|per_ns| (per_ns - 4e-6).abs() < 1e-12));
    }

    #[test]
    fn what_is_slower_than_a_round_is_measured_all_the_same() {
        let mut clock = Scripted::default();
        let mut subject = Subject::new(0, vec![work(&clock, |_| 50_000_000)], 1);
        subject.round(&mut clock, 0, Shape::default(), &[]).expect("a round");
        assert_eq!(subject.samples.len(), 1);
        assert_eq!(subject.samples[0].call, 1);
    }

    #[test]
    fn every_subject_has_its_rounds_and_groups_stay_together() {
        let groups = [0, 0, 0, 1, 1, 2];
        let order = order(&groups, 5, false, &mut Chance::new(1));
        assert_eq!(order.len(), 30);
        for turn in order.chunks(6) {
            let mut seen = turn.to_vec();
            seen.sort_unstable();
            assert_eq!(seen, [0, 1, 2, 3, 4, 5]);
            let changes = turn.windows(2).filter(|pair| groups[pair[0]] != groups[pair[1]]).count();
            assert_eq!(changes, 2, "{turn:?}");
        }
        assert!(order.chunks(6).any(|turn| turn != &order[..6]), "it is shuffled");
        let same = super::order(&groups, 5, false, &mut Chance::new(1));
        assert_eq!(order, same);
        let isolated = super::order(&groups, 2, true, &mut Chance::new(1));
        assert_eq!(isolated, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
    }

    #[test]
    fn calls_make_samples_of_a_tenth_of_a_millisecond() {
        for (spread, ns, calls) in
            [(false, 5_000, 16), (false, 90_000, 1), (false, 1, 4096), (true, 5_000, 1)]
        {
            assert_eq!(calls_of_a_sample(spread, ns), calls, "{ns}");
        }
    }

    #[test]
    fn threads_measure_at_the_same_time() {
        let mut clock = Scripted::default();
        let runs = (0..2).map(|_| work(&clock, |_| 1000)).collect();
        let mut subject = Subject::new(0, runs, 1);
        let shape = Shape { length_ns: 20_000, dropped_ns: 2_000 };
        subject.round(&mut clock, 0, shape, &[]).expect("a round");
        assert!(
            subject.samples.iter().any(|s| s.thread == 0) && subject.samples.iter().any(|s| s.thread == 1)
        );
    }

    #[test]
    fn a_stop_keeps_what_was_taken() {
        let mut clock = Scripted::default();
        let mut subjects = [Subject::new(0, vec![work(&clock, |_| 1_000_000)], 1)];
        let mut left = 2;
        let mut between = || {
            left -= 1;
            left > 0
        };
        let shape = Shape::default();
        measure(&mut subjects, &[0; 9], shape, &mut clock, &[], &mut between).expect("rounds");
        assert_eq!(subjects[0].throughput.len(), 2);
    }
}
