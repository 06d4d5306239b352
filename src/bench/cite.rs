//! A figure for a paper: one line for people and one row for LaTeX, with everything that it depends on.
//!
//! Its marks and changes that are in no commit are part of it; there is no form without them.

use super::environment::Environment;
use super::row::{Row, Terms};
use super::units::time;

/// What all citations of a run share.
pub struct Source<'a> {
    /// Of the run.
    pub environment: &'a Environment,
    /// Of the run.
    pub terms: &'a Terms,
    /// The JSON's name, and the SHA-256 of its bytes in hex.
    pub json: (&'a str, &'a str),
}

/// Characters that mean something to LaTeX.
fn latex(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            c => out.push(c),
        }
    }
    out
}

fn interval(ends: Option<[f64; 2]>, show: impl Fn(f64) -> String) -> String {
    ends.map_or("unknown".into(), |[low, high]| format!("{} to {}", show(low), show(high)))
}

/// The parts of a citation, in its order.
fn parts(row: &Row, source: &Source<'_>) -> Vec<String> {
    let of = |name| source.environment.get(name);
    let dirty = match of("dirty") {
        "no" => "",
        "yes" => ", dirty",
        _ => ", not known whether dirty",
    };
    let ratio = match row.ratio {
        Some(ratio) => {
            format!("{:.3} ({})", ratio.value, interval(ratio.interval, |value| format!("{value:.3}")))
        }
        None if row.id.isa == crate::isa::Isa::Scalar => "1".into(),
        None => "unknown".into(),
    };
    let mut what = format!(
        "{} {} (row version {})",
        row.id.algorithm.name(),
        row.id.operation.name(),
        row.id.operation.version()
    );
    if row.batch > 1 || row.threads > 1 {
        what += &format!(", {} at once on {} threads", row.batch, row.threads);
    }
    if let Some(len) = row.message_len {
        what += &format!(", {len}-byte messages");
    }
    let mut marks = row.marks();
    if marks.is_empty() {
        marks.push("no marks");
    }
    vec![
        what,
        row.id.isa.name().into(),
        time(row.summary.median),
        interval(row.summary.interval, time),
        ratio,
        format!("pqc {}, commit {}{dirty}", of("version"), of("commit")),
        of("processor").into(),
        format!("{}, {}", of("compiler"), of("profile")),
        source.terms.seed.to_string(),
        source.json.1.into(),
        marks.join(", "),
    ]
}

/// One line for people.
pub fn line(row: &Row, source: &Source<'_>) -> String {
    let parts = parts(row, source);
    let names = [
        "",
        "on ",
        "median ",
        "95 % interval ",
        "times as fast as scalar: ",
        "",
        "",
        "",
        "seed ",
        "SHA-256 of the JSON ",
        "",
    ];
    let parts = names.iter().zip(&parts).map(|(name, part)| format!("{name}{part}"));
    let line: Vec<String> = parts.collect();
    format!("{}; JSON {}", line.join("; "), source.json.0)
}

/// One row of a LaTeX table: [`LATEX_COLUMNS`].
pub fn latex_row(row: &Row, source: &Source<'_>) -> String {
    let cells: Vec<String> = parts(row, source).iter().map(|part| latex(part)).collect();
    format!("{} \\\\", cells.join(" & "))
}

/// The columns of [`latex_row`], as a comment.
pub const LATEX_COLUMNS: &str = "% operation & backend & median & 95 % interval & times as fast as scalar & program & \
                                 processor & compiler & seed & SHA-256 of the JSON & marks";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latex_prints_what_the_line_says() {
        assert_eq!(latex("a_b & 5 % {x} \\"), "a\\_b \\& 5 \\% \\{x\\} \\textbackslash{}");
        assert_eq!(interval(None, |_| String::new()), "unknown");
        assert_eq!(interval(Some([1e3, 2e3]), time), "1.00 us to 2.00 us");
    }
}
