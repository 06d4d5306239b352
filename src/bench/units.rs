//! Times as people read them.

/// Nanoseconds with a unit that leaves one to three digits before the point.
pub fn time(ns: f64) -> String {
    match ns {
        _ if ns < 1e3 => format!("{ns:.0} ns"),
        _ if ns < 1e6 => format!("{:.2} us", ns / 1e3),
        _ if ns < 1e9 => format!("{:.2} ms", ns / 1e6),
        _ => format!("{:.2} s", ns / 1e9),
    }
}

/// Two times in the unit of the second.
pub fn range(low: f64, high: f64) -> String {
    let (divisor, unit) = match high {
        _ if high < 1e3 => (1.0, "ns"),
        _ if high < 1e6 => (1e3, "us"),
        _ if high < 1e9 => (1e6, "ms"),
        _ => (1e9, "s"),
    };
    let digits = if divisor == 1.0 { 0 } else { 2 };
    format!("{:.digits$}-{:.digits$} {unit}", low / divisor, high / divisor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_fitting_unit() {
        for (ns, text) in [(12.0, "12 ns"), (12_340.0, "12.34 us"), (5e6, "5.00 ms"), (1.5e9, "1.50 s")] {
            assert_eq!(time(ns), text);
        }
        assert_eq!(range(950.0, 1200.0), "0.95-1.20 us");
        assert_eq!(range(1.0, 2.0), "1-2 ns");
    }
}
