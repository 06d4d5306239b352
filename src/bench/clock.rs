//! The clock: monotonic nanoseconds, ticks of the processor's time stamp, core cycles where they are given.

use super::counters::{Cycles, ticks};
use std::time::Instant;

/// What a clock shows at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Nanoseconds since the clock was made.
    pub ns: u64,
    /// Ticks of the time stamp.
    pub ticks: u64,
    /// Core cycles of the calling thread.
    pub cycles: Option<u64>,
}

/// A clock. Tests have one whose time is theirs.
pub trait Clock {
    /// The moment before work: its nanoseconds are read last.
    fn before(&mut self) -> Reading;
    /// The moment after work: its nanoseconds are read first.
    fn after(&mut self) -> Reading;
    /// The same clock for the calling thread, which may be another one.
    #[must_use]
    fn for_thread(&self) -> Self
    where
        Self: Sized;
}

/// The clock of the system.
#[derive(Debug)]
pub struct System {
    begun: Instant,
    cycles: Option<Cycles>,
}

impl System {
    /// Begins at 0 ns.
    pub fn new() -> System {
        System { begun: Instant::now(), cycles: Cycles::open() }
    }

    /// Whether it shows core cycles.
    pub fn has_cycles(&self) -> bool {
        self.cycles.is_some()
    }

    fn ns(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    fn cycles(&mut self) -> Option<u64> {
        self.cycles.as_mut().and_then(Cycles::read)
    }
}

impl Default for System {
    fn default() -> System {
        System::new()
    }
}

impl Clock for System {
    #[inline]
    fn before(&mut self) -> Reading {
        let cycles = self.cycles();
        let ticks = ticks();
        Reading { ns: self.ns(), ticks, cycles }
    }

    #[inline]
    fn after(&mut self) -> Reading {
        let ns = self.ns();
        let ticks = ticks();
        Reading { ns, ticks, cycles: self.cycles() }
    }

    fn for_thread(&self) -> System {
        System { begun: self.begun, cycles: self.cycles.as_ref().and_then(|_| Cycles::open()) }
    }
}

/// What two readings with nothing between them differ by: nanoseconds, median of many.
pub fn overhead(clock: &mut impl Clock) -> u64 {
    let mut differences = [0; 1001];
    for difference in &mut differences {
        let before = clock.before();
        *difference = clock.after().ns.saturating_sub(before.ns);
    }
    differences.sort_unstable();
    differences.get(differences.len() / 2).copied().unwrap_or_default()
}
