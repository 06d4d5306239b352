//! Work on many items over several threads, whose results come out in the order of the items.
//!
//! No worker begins an item that is too far ahead of the last result that was taken, so that memory stays bounded
//! whatever the number of items and however long one of them takes. With one thread there is no other thread at all.

use super::progress::Progress;
use super::report::Report;
use anyhow::Result;
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Items that a thread may be ahead of the results, on average.
const AHEAD: usize = 4;

/// How often the progress is looked at while nothing is finished.
const TICK: Duration = Duration::from_millis(200);

/// The number of threads that `-j` means: 0 is one for each processor.
pub fn threads(jobs: u16) -> usize {
    match jobs {
        0 => thread::available_parallelism().map_or(1, usize::from),
        jobs => usize::from(jobs),
    }
}

/// What the threads share.
struct State<R> {
    /// The next item that nobody has begun.
    next: usize,
    /// The number of results that were taken.
    taken: usize,
    /// No further item is begun.
    stop: bool,
    done: BTreeMap<usize, R>,
}

struct Shared<R> {
    state: Mutex<State<R>>,
    /// A result came, or a worker is gone.
    finished: Condvar,
    /// A result was taken, or there is no more to do.
    room: Condvar,
    count: usize,
    window: usize,
}

impl<R> Shared<R> {
    fn lock(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stop(&self) {
        self.lock().stop = true;
        self.room.notify_all();
        self.finished.notify_all();
    }

    /// The next item, as soon as it is not too far ahead.
    fn begin(&self) -> Option<usize> {
        let mut state = self.lock();
        loop {
            if state.stop || state.next >= self.count {
                return None;
            }
            if state.next < state.taken.saturating_add(self.window) {
                state.next += 1;
                return Some(state.next - 1);
            }
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn work(&self, work: &impl Fn(usize, &mut Progress) -> R) {
        /// A worker that is torn down by a panic must not be waited for.
        struct Alarm<'s, R>(&'s Shared<R>);
        impl<R> Drop for Alarm<'_, R> {
            fn drop(&mut self) {
                if thread::panicking() {
                    self.0.stop();
                }
            }
        }
        let _alarm = Alarm(self);
        let mut unseen = Progress::new(false);
        while let Some(item) = self.begin() {
            let result = work(item, &mut unseen);
            self.lock().done.insert(item, result);
            self.finished.notify_one();
        }
    }

    /// The result of an item; `None` if it will never come.
    fn take(&self, item: usize, progress: &mut Progress) -> Option<R> {
        let mut state = self.lock();
        loop {
            if let Some(result) = state.done.remove(&item) {
                state.taken = item + 1;
                self.room.notify_all();
                return Some(result);
            }
            if state.stop {
                return None;
            }
            let (guard, waited) =
                self.finished.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner);
            state = guard;
            if waited.timed_out() {
                drop(state);
                progress.tick();
                state = self.lock();
            }
        }
    }
}

/// Does `work` on the items 0 to `count`, exclusive, and hands the results to `take` in this order, on the calling
/// thread.
///
/// # Errors
/// The first of `take`, after which no further item is begun.
pub fn in_order<R: Send>(
    count: usize,
    threads: usize,
    report: &mut Report,
    work: impl Fn(usize, &mut Progress) -> R + Sync,
    mut take: impl FnMut(usize, R, &mut Report) -> Result<()>,
) -> Result<()> {
    let threads = threads.min(count);
    let state = State { next: 0, taken: 0, stop: false, done: BTreeMap::new() };
    let window = threads.saturating_mul(AHEAD);
    let shared =
        Shared { state: Mutex::new(state), finished: Condvar::new(), room: Condvar::new(), count, window };
    thread::scope(|scope| {
        let spawn = || thread::Builder::new().spawn_scoped(scope, || shared.work(&work)).is_ok();
        // Where the system gives fewer threads, they have more to do.
        if threads < 2 || (0..threads).filter(|_| spawn()).count() == 0 {
            for item in 0..count {
                let result = work(item, &mut report.progress);
                take(item, result, report)?;
            }
            return Ok(());
        }
        for item in 0..count {
            let Some(result) = shared.take(item, &mut report.progress) else { break };
            if let Err(error) = take(item, result, report) {
                shared.stop();
                return Err(error);
            }
        }
        Ok(())
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn report() -> Report {
        Report::new("test", false, true, false, false)
    }

    #[test]
    fn results_come_in_order_whatever_takes_long() {
        for threads in [1, 2, 3, 8] {
            for count in [0, 1, 2, 100] {
                let mut seen = Vec::new();
                let work = |item: usize, _: &mut Progress| {
                    if item.is_multiple_of(7) {
                        thread::sleep(Duration::from_millis(2));
                    }
                    item * item
                };
                let take = |item, square, _: &mut Report| {
                    seen.push((item, square));
                    Ok(())
                };
                in_order(count, threads, &mut report(), work, take).unwrap();
                assert_eq!(seen, (0..count).map(|item| (item, item * item)).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn nobody_runs_far_ahead_of_the_results() {
        let (begun, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let threads = 3;
        let work = |item: usize, _: &mut Progress| {
            begun.fetch_max(item + 1, Ordering::SeqCst);
            if item == 0 {
                thread::sleep(Duration::from_millis(50));
                most.store(begun.load(Ordering::SeqCst), Ordering::SeqCst);
            }
        };
        in_order(1000, threads, &mut report(), work, |_, (), _| Ok(())).unwrap();
        assert!(most.load(Ordering::SeqCst) <= threads * AHEAD, "{most:?}");
    }

    #[test]
    fn an_error_ends_the_work() {
        for threads in [1, 4] {
            let worked = AtomicUsize::new(0);
            let work = |_, _: &mut Progress| worked.fetch_add(1, Ordering::SeqCst);
            let take =
                |item, _, _: &mut Report| if item == 5 { Err(anyhow::anyhow!("enough")) } else { Ok(()) };
            let outcome = in_order(10_000, threads, &mut report(), work, take);
            assert_eq!(outcome.unwrap_err().to_string(), "enough");
            assert!(worked.load(Ordering::SeqCst) < 100);
        }
    }

    #[test]
    fn a_worker_that_panics_is_not_waited_for() {
        let outcome = std::panic::catch_unwind(|| {
            let work = |item: usize, _: &mut Progress| assert!(item != 3, "planted");
            in_order(100, 2, &mut report(), work, |_, (), _| Ok(()))
        });
        assert!(outcome.is_err());
    }
}
