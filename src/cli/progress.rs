//! A progress bar on a terminal, for work that lasts over a second.
//!
//! Bytes for one file, items for several. Nothing is set up before the second is over, so short work pays nothing.

use indicatif::{HumanBytes, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};

/// How long work lasts before it shows.
const PATIENCE: Duration = Duration::from_secs(1);

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Bytes,
    Items,
}

/// The progress of one command.
pub struct Progress {
    visible: bool,
    begun: Instant,
    unit: Unit,
    total: Option<u64>,
    done: u64,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Nothing is shown unless `visible`.
    pub fn new(visible: bool) -> Progress {
        Progress { visible, begun: Instant::now(), unit: Unit::Items, total: None, done: 0, bar: None }
    }

    /// The work is one file; its size in bytes where it is known.
    pub fn of_bytes(&mut self, total: Option<u64>) {
        self.restart(Unit::Bytes, total);
    }

    /// The work is this many items.
    pub fn of_items(&mut self, total: usize) {
        self.restart(Unit::Items, Some(total as u64));
    }

    fn restart(&mut self, unit: Unit, total: Option<u64>) {
        self.finish();
        (self.unit, self.total, self.done, self.begun) = (unit, total, 0, Instant::now());
    }

    /// Some bytes are done.
    pub fn bytes(&mut self, count: u64) {
        self.advance(Unit::Bytes, count);
    }

    /// An item is done.
    pub fn item(&mut self) {
        self.advance(Unit::Items, 1);
    }

    /// Nothing new is done; time has passed.
    pub fn tick(&mut self) {
        self.advance(self.unit, 0);
    }

    fn advance(&mut self, unit: Unit, count: u64) {
        if unit == self.unit {
            self.done = self.done.saturating_add(count);
        }
        if !self.visible || self.begun.elapsed() < PATIENCE {
            return;
        }
        let (unit, total, pace) = (self.unit, self.total, self.pace());
        let bar = self.bar.get_or_insert_with(|| make_bar(unit, total));
        bar.set_position(self.done);
        bar.set_message(pace);
    }

    /// The mean speed and what is left at that speed. The bar's own estimate would count from its first drawing.
    fn pace(&self) -> String {
        let per_second = self.done as f64 / self.begun.elapsed().as_secs_f64();
        let speed = match self.unit {
            Unit::Bytes => format!("{}/s", HumanBytes(per_second as u64)),
            Unit::Items => format!("{per_second:.1}/s"),
        };
        let Some(rest) = self.total.map(|total| total.saturating_sub(self.done) as f64) else { return speed };
        match Duration::try_from_secs_f64(rest / per_second) {
            Ok(left) => format!("{speed}, {} left", HumanDuration(left)),
            Err(_) => speed,
        }
    }

    /// Prints while the bar is out of the way.
    pub fn aside<R>(&self, print: impl FnOnce() -> R) -> R {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Takes the bar away.
    pub fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

fn make_bar(unit: Unit, total: Option<u64>) -> ProgressBar {
    let template = match (unit, total) {
        (Unit::Bytes, Some(_)) => "{bar:30} {bytes}/{total_bytes} {msg}",
        (Unit::Bytes, None) => "{spinner} {bytes} {msg}",
        (Unit::Items, _) => "{bar:30} {pos}/{len} {msg}",
    };
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
