//! From samples to figures: median, quartiles, intervals, and the ratio of two backends.
//!
//! The unit of resampling is the round: samples within a round share its disturbances. Where the time depends on the
//! input, each sample is first divided by the median of its own input, so that an interval says how well this set of
//! inputs was measured and not how much inputs differ; that, the quartiles say. In: times in nanoseconds a call.

use super::chance::Chance;
use std::collections::BTreeMap;

/// Samples below which a row is marked.
pub const ENOUGH: usize = 100;

/// Width of the interval, and difference of the two halves, above which a row is marked: parts of the median.
pub const NOISY_INTERVAL: f64 = 0.05;
/// See [`NOISY_INTERVAL`].
pub const NOISY_HALVES: f64 = 0.03;

/// Resamplings of a bootstrap.
const RESAMPLINGS: usize = 1000;

/// A time with where it was taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// The round.
    pub round: u32,
    /// The input, where times depend on it; else always the same number.
    pub input: usize,
    /// Nanoseconds of one call.
    pub ns: f64,
}

/// The figures of one row.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Samples.
    pub count: usize,
    /// Of all samples.
    pub median: f64,
    /// A quarter is less.
    pub lower_quartile: f64,
    /// A quarter is more.
    pub upper_quartile: f64,
    /// The least.
    pub minimum: f64,
    /// The greatest.
    pub maximum: f64,
    /// One in twenty is less.
    pub fifth: f64,
    /// One in twenty is more.
    pub ninety_fifth: f64,
    /// Of the median, with a confidence of 95 %; `None` of fewer than three rounds.
    pub interval: Option<[f64; 2]>,
    /// By how much the second half of the rounds is slower than the first, as a part of it.
    pub halves: f64,
}

impl Summary {
    /// Whether there are fewer than [`ENOUGH`] samples.
    pub fn is_few(&self) -> bool {
        self.count < ENOUGH
    }

    /// Whether the interval is wider than [`NOISY_INTERVAL`], unknown, or the halves differ by more than
    /// [`NOISY_HALVES`].
    pub fn is_noisy(&self) -> bool {
        let wide = |[low, high]: [f64; 2]| high - low > NOISY_INTERVAL * self.median;
        self.interval.is_none_or(wide) || self.halves.abs() > NOISY_HALVES
    }
}

/// A ratio with its interval of 95 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// The ratio.
    pub value: f64,
    /// `None` of fewer than three rounds.
    pub interval: Option<[f64; 2]>,
}

/// The value below which a part of the sorted values lies, between two of them where need be; 0 of none.
pub fn quantile(sorted: &[f64], part: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return 0.0 };
    let at = part * last as f64;
    let below = (at as usize).min(last);
    let above = (below + 1).min(last);
    sorted[below] + (sorted[above] - sorted[below]) * (at - below as f64)
}

/// The median; 0 of none.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    quantile(&sorted, 0.5)
}

/// The medians of the values of each key.
fn medians<K: Ord>(values: impl Iterator<Item = (K, f64)>) -> BTreeMap<K, f64> {
    let mut all: BTreeMap<K, Vec<f64>> = BTreeMap::new();
    for (key, value) in values {
        all.entry(key).or_default().push(value);
    }
    all.into_iter().map(|(key, values)| (key, median(&values))).collect()
}

/// What is left of each value after its input's own median is taken out, as parts of 1; where inputs were measured less
/// than twice, as parts of the whole median.
fn residuals(values: &[Value]) -> Vec<(u32, f64)> {
    let of_inputs = medians(values.iter().map(|value| (value.input, value.ns)));
    let whole = median(&values.iter().map(|value| value.ns).collect::<Vec<_>>());
    let is_repeated = values.len() >= 2 * of_inputs.len();
    let base = |input| if is_repeated { of_inputs.get(input).copied().unwrap_or(whole) } else { whole };
    values.iter().map(|value| (value.round, value.ns / base(&value.input).max(f64::MIN_POSITIVE))).collect()
}

/// The 95 % interval of the median of some values, by bootstrap; `None` of fewer than three.
pub fn bootstrap(values: &[f64], chance: &mut Chance) -> Option<[f64; 2]> {
    if values.len() < 3 {
        return None;
    }
    let mut drawn = vec![0.0; values.len()];
    let mut medians: Vec<f64> = (0..RESAMPLINGS)
        .map(|_| {
            drawn.iter_mut().for_each(|drawn| *drawn = values[chance.below(values.len())]);
            median(&drawn)
        })
        .collect();
    medians.sort_unstable_by(f64::total_cmp);
    Some([quantile(&medians, 0.025), quantile(&medians, 0.975)])
}

/// The figures of some samples.
pub fn summarize(values: &[Value], chance: &mut Chance) -> Summary {
    let mut sorted: Vec<f64> = values.iter().map(|value| value.ns).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let middle = quantile(&sorted, 0.5);
    let residuals = residuals(values);
    let rounds: Vec<f64> = medians(residuals.iter().copied()).into_values().collect();
    // Around the median of the samples, which the median of rounds need not be.
    let centre = median(&rounds);
    let scaled = |[low, high]: [f64; 2]| [middle * low / centre, middle * high / centre];
    let interval = bootstrap(&rounds, chance).map(scaled);
    let (first, second) = rounds.split_at(rounds.len().div_ceil(2));
    let halves = if second.is_empty() { 0.0 } else { median(second) / median(first) - 1.0 };
    Summary {
        count: values.len(),
        median: middle,
        lower_quartile: quantile(&sorted, 0.25),
        upper_quartile: quantile(&sorted, 0.75),
        minimum: quantile(&sorted, 0.0),
        maximum: quantile(&sorted, 1.0),
        fifth: quantile(&sorted, 0.05),
        ninety_fifth: quantile(&sorted, 0.95),
        interval,
        halves,
    }
}

/// How many times as long `base` takes as `this`: over the inputs that both have, the median of the ratios of their
/// medians; the interval from the rounds, each against the other's of the same number.
pub fn ratio(base: &[Value], this: &[Value], chance: &mut Chance) -> Option<Ratio> {
    let of_inputs = |values: &[Value]| medians(values.iter().map(|value| (value.input, value.ns)));
    let (of_base, of_this) = (of_inputs(base), of_inputs(this));
    let common: Vec<f64> =
        of_this.iter().filter_map(|(input, this)| Some(of_base.get(input)? / this)).collect();
    if common.is_empty() {
        return None;
    }
    let value = median(&common);
    let of_rounds = |values: &[Value]| medians(residuals(values).into_iter());
    let (base, this) = (of_rounds(base), of_rounds(this));
    let rounds: Vec<f64> = this.iter().filter_map(|(round, this)| Some(base.get(round)? / this)).collect();
    let centre = median(&rounds);
    let scaled = |[low, high]: [f64; 2]| [value * low / centre, value * high / centre];
    Some(Ratio { value, interval: bootstrap(&rounds, chance).map(scaled) })
}

#[cfg(test)]
mod tests {
    use super::super::rounds::tests::{Scripted, work};
    use super::super::rounds::{Shape, Subject, measure};
    use super::*;

    fn value(round: u32, input: usize, ns: f64) -> Value {
        Value { round, input, ns }
    }

    fn chance() -> Chance {
        Chance::new(9)
    }

    #[test]
    fn quantiles_of_few_values() {
        assert_eq!(median(&[]), 0.0);
        assert_eq!(median(&[7.0]), 7.0);
        assert_eq!(median(&[9.0, 1.0]), 5.0);
        assert_eq!(quantile(&[0.0, 10.0, 20.0], 0.25), 5.0);
        assert_eq!((quantile(&[1.0, 2.0], 0.0), quantile(&[1.0, 2.0], 1.0)), (1.0, 2.0));
    }

    /// What the scripted clock says comes out of the whole road: rounds, samples, figures.
    #[test]
    fn a_deterministic_clock_gives_its_own_figures() {
        let mut clock = Scripted::default();
        // 100 us, every tenth call 300 us; and twice that.
        let time = |call: usize| if call % 10 == 9 { 300_000 } else { 100_000 };
        let mut subjects = [
            Subject::new(0, vec![work(&clock, move |call| 2 * time(call))], 1),
            Subject::new(0, vec![work(&clock, time)], 1),
        ];
        let order: Vec<usize> = (0..20).map(|i| i % 2).collect();
        measure(&mut subjects, &order, Shape::default(), &mut clock, &[], &mut || true).expect("rounds");
        let values = |subject: &Subject| {
            subject.samples.iter().map(|s| value(s.round, s.call % 10, s.ns as f64)).collect::<Vec<_>>()
        };
        let (slow, fast) = (values(&subjects[0]), values(&subjects[1]));
        let summary = summarize(&fast, &mut chance());
        assert_eq!((summary.median, summary.minimum, summary.maximum), (100_000.0, 100_000.0, 300_000.0));
        assert_eq!((summary.lower_quartile, summary.upper_quartile), (100_000.0, 100_000.0));
        assert_eq!(summary.ninety_fifth, 300_000.0);
        assert_eq!(summary.interval, Some([100_000.0, 100_000.0]));
        assert!(summary.count >= ENOUGH && !summary.is_few() && !summary.is_noisy());
        let ratio = ratio(&slow, &fast, &mut chance()).expect("common inputs");
        assert_eq!((ratio.value, ratio.interval), (2.0, Some([2.0, 2.0])));
    }

    #[test]
    fn a_drift_is_noisy_and_a_difference_between_inputs_is_not() {
        let steady: Vec<Value> =
            (0..200).map(|i| value(i / 20, i as usize % 5, 100.0 * (1 + i % 5) as f64)).collect();
        let summary = summarize(&steady, &mut chance());
        assert_eq!(summary.median, 300.0);
        assert!(!summary.is_noisy(), "{summary:?}");
        let drifting: Vec<Value> =
            (0..200).map(|i| value(i / 20, 0, if i < 100 { 100.0 } else { 104.0 })).collect();
        let summary = summarize(&drifting, &mut chance());
        assert!((summary.halves - 0.04).abs() < 1e-9 && summary.is_noisy(), "{summary:?}");
    }

    #[test]
    fn a_wide_interval_is_noisy_and_one_round_has_none() {
        let wild: Vec<Value> =
            (0..100).map(|i| value(i / 10, 0, 100.0 + 10.0 * f64::from(i / 10 % 2))).collect();
        let summary = summarize(&wild, &mut chance());
        let [low, high] = summary.interval.expect("ten rounds");
        assert!(low >= 95.0 && high <= 115.0 && high - low > 5.0, "{summary:?}");
        assert!(summary.is_noisy());
        let one_round: Vec<Value> = (0..50).map(|_| value(0, 0, 5.0)).collect();
        let summary = summarize(&one_round, &mut chance());
        assert!(summary.interval.is_none() && summary.is_few() && summary.is_noisy());
    }

    #[test]
    fn a_ratio_pairs_equal_inputs() {
        // The second backend has measured two of three inputs, and is exactly three times as fast.
        let base: Vec<Value> =
            (0..30).map(|i| value(i / 3, i as usize % 3, 90.0 * f64::from(1 + i % 3))).collect();
        let this: Vec<Value> =
            (0..20).map(|i| value(i / 2, i as usize % 2, 30.0 * f64::from(1 + i % 2))).collect();
        let found = ratio(&base, &this, &mut chance()).expect("two common inputs");
        assert_eq!(found.value, 3.0);
        assert_eq!(found.interval, Some([3.0, 3.0]));
        assert_eq!(ratio(&base, &[], &mut chance()), None);
    }

    /// The interval holds the truth about as often as it says.
    #[test]
    fn intervals_cover_the_median() {
        let mut chance = Chance::new(4);
        let mut covered = 0;
        for _ in 0..200 {
            // Uniform about 100.
            let values: Vec<f64> = (0..21).map(|_| 90.0 + chance.below(20_001) as f64 / 1000.0).collect();
            let [low, high] = bootstrap(&values, &mut chance).expect("enough values");
            covered += usize::from(low <= 100.0 && 100.0 <= high);
        }
        assert!((175..=200).contains(&covered), "{covered} of 200");
    }
}
