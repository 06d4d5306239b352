//! Taking times: one sample an operation, with the monotonic clock.
//!
//! The operations of this program take microseconds and more, so the clock's 20 to 30 ns do not matter and every
//! single time is kept. The median is what to compare: keys and signatures are retried, so times have a long tail.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// The fewest samples that are taken, however slow the operation is.
const MIN_SAMPLES: usize = 5;

/// The most samples that are kept.
const MAX_SAMPLES: usize = 1_000_000;

/// The times of one operation, sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Samples(Vec<Duration>);

impl Samples {
    /// Sorts some times.
    pub fn new(mut times: Vec<Duration>) -> Samples {
        times.sort_unstable();
        Samples(times)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The smallest time; zero if there are none.
    pub fn minimum(&self) -> Duration {
        self.0.first().copied().unwrap_or_default()
    }

    /// The middle time, or the mean of the two in the middle; zero if there are none.
    pub fn median(&self) -> Duration {
        let middle = self.0.len() / 2;
        let upper = self.0.get(middle).copied().unwrap_or_default();
        if self.0.len() % 2 == 1 {
            return upper;
        }
        let lower = middle.checked_sub(1).and_then(|at| self.0.get(at)).copied().unwrap_or_default();
        (lower + upper) / 2
    }

    /// The times of one of `parts` equal parts of what was measured. In: `parts` is not 0.
    #[inline(never)]
    pub fn divided_by(mut self, parts: usize) -> Samples {
        let parts = u32::try_from(parts).unwrap_or(u32::MAX);
        self.0.iter_mut().for_each(|time| *time /= parts);
        self
    }

    /// Operations a second at the median time; zero if there are no samples.
    pub fn per_second(&self) -> f64 {
        let median = self.median().as_secs_f64();
        if median > 0.0 { 1.0 / median } else { 0.0 }
    }
}

/// Runs an operation once to warm up, then for about `budget` and at least a few times.
///
/// # Errors
/// The operation's first.
pub fn measure<T, E>(budget: Duration, mut operation: impl FnMut() -> Result<T, E>) -> Result<Samples, E> {
    black_box(operation()?);
    let begun = Instant::now();
    let mut times = Vec::new();
    while (begun.elapsed() < budget || times.len() < MIN_SAMPLES) && times.len() < MAX_SAMPLES {
        let start = Instant::now();
        black_box(operation()?);
        times.push(start.elapsed());
    }
    Ok(Samples::new(times))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(micros: &[u64]) -> Samples {
        Samples::new(micros.iter().copied().map(Duration::from_micros).collect())
    }

    #[test]
    fn medians() {
        assert_eq!(samples(&[]).median(), Duration::ZERO);
        assert_eq!(samples(&[7]).median(), Duration::from_micros(7));
        assert_eq!(samples(&[9, 1]).median(), Duration::from_micros(5));
        assert_eq!(samples(&[9, 1, 2]).median(), Duration::from_micros(2));
        assert_eq!(samples(&[9, 1, 2]).minimum(), Duration::from_micros(1));
        assert!((samples(&[10]).per_second() - 100_000.0).abs() < 1e-6);
    }

    #[test]
    fn an_operation_that_fails_ends_the_measurement() {
        assert_eq!(measure(Duration::ZERO, || Err::<(), _>(7)), Err(7));
        assert_eq!(measure(Duration::ZERO, || Ok::<_, ()>(())).map(|s| s.count()), Ok(MIN_SAMPLES));
    }
}
