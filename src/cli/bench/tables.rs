//! Figures as tables on standard output.

use super::options::Plan;
use crate::bench::claims::Outcome;
use crate::bench::compare::Earlier;
use crate::bench::environment::Environment;
use crate::bench::inputs::INPUTS;
use crate::bench::row::Row;
use crate::bench::stages::Breakdown;
use crate::bench::statistics::Ratio;
use crate::bench::units::{range, time};
use crate::cli::list::print_table;
use crate::cli::report::Report;

fn right(text: impl AsRef<str>, width: usize) -> String {
    format!("{:>width$}", text.as_ref())
}

fn ratio(ratio: Option<Ratio>) -> String {
    match ratio {
        None => "-".into(),
        Some(Ratio { value, interval: Some([low, high]) }) => format!("{value:.2} ({low:.2}-{high:.2})"),
        Some(Ratio { value, interval: None }) => format!("{value:.2} (?)"),
    }
}

fn names(row: &Row) -> [String; 3] {
    let operation = match row.batch {
        1 => row.id.operation.name().to_owned(),
        batch => format!("{} of {batch}", row.id.operation.name()),
    };
    [row.id.algorithm.name().into(), operation, row.id.isa.name().into()]
}

/// One line a row; then how single calls differ, where each was timed; then what the marks mean.
pub fn rows(rows: &[Row], report: &mut Report) {
    let has_cycles = rows.iter().any(|row| row.cycles.is_some());
    let mut heading: Vec<String> = [
        "ALGORITHM",
        "OPERATION",
        "BACKEND",
        "    MEDIAN",
        "QUARTILES",
        "   MINIMUM",
        "PER SECOND",
        "     TICKS",
    ]
    .map(str::to_owned)
    .to_vec();
    if has_cycles {
        heading.push("    CYCLES".into());
    }
    heading.extend(["TIMES AS FAST AS SCALAR", "SAMPLES", "MARKS"].map(str::to_owned));
    let mut table = vec![heading];
    for row in rows {
        let summary = &row.summary;
        let mut cells = names(row).to_vec();
        cells.extend([
            right(time(summary.median), 10),
            range(summary.lower_quartile, summary.upper_quartile),
            right(time(summary.minimum), 10),
            right(format!("{:.1}", row.per_second), 10),
            right(format!("{:.0}", row.ticks), 10),
        ]);
        if has_cycles {
            cells.push(right(row.cycles.map_or("unknown".into(), |cycles| format!("{cycles:.0}")), 10));
        }
        cells.extend([ratio(row.ratio), right(summary.count.to_string(), 7), row.marks().join(" ")]);
        table.push(cells);
    }
    print_table(&table, report);
    let spread: Vec<&Row> = rows.iter().filter(|row| row.id.operation.shows_spread()).collect();
    if !spread.is_empty() && spread.iter().any(|row| row.restarts.is_some()) {
        report.line("");
        let mut table = vec![
            ["ALGORITHM", "OPERATION", "BACKEND", "5 % TAKE LESS", "5 % TAKE MORE", "   SLOWEST", "RESTARTS"]
                .map(str::to_owned),
        ];
        for row in spread {
            let [algorithm, operation, backend] = names(row);
            let restarts = row.restarts.map(|restarts| format!("{restarts} in {INPUTS} signatures"));
            table.push([
                algorithm,
                operation,
                backend,
                right(time(row.summary.fifth), 13),
                right(time(row.summary.ninety_fifth), 13),
                right(time(row.summary.maximum), 10),
                restarts.unwrap_or("-".into()),
            ]);
        }
        print_table(&table, report);
    }
    let migrations: u64 = rows.iter().map(|row| row.migrations).sum();
    report.line("");
    report.line(&format!(
        "PER SECOND: of all threads together. TICKS: of the time stamp, not core cycles. Changes of processor: {migrations}."
    ));
    if rows.iter().any(|row| row.summary.is_noisy()) {
        report.line("noisy: the interval of the median is wider than 5 % of it, or the two halves differ by over 3 %.");
    }
    if rows.iter().any(|row| row.summary.is_few()) {
        report.line("few: fewer than 100 samples; --seconds takes more.");
    }
}

/// A run beside an earlier one. The first line says whether it was this machine.
pub fn compared(
    plan: &Plan,
    (earlier, name): &(Earlier, String),
    environment: &Environment,
    rows: &[Row],
    report: &mut Report,
) {
    let others = environment.other_machine(|name| earlier.header(name));
    report.line(&match others.as_slice() {
        [] => format!("compared with {name}: the same machine"),
        others => format!("compared with {name}: ANOTHER MACHINE: {}", others.join("; ")),
    });
    for what in ["commit", "dirty", "compiler", "seed", "order"] {
        let there = earlier.header(what).unwrap_or("unknown".into());
        if there != environment.get(what) {
            report.line(&format!("{what}: {there} there, {} here", environment.get(what)));
        }
    }
    super::header::print(environment, report);
    let mut table = vec![
        ["ALGORITHM", "OPERATION", "BACKEND", "     THERE", "      HERE", "CHANGE", "INTERVAL", "MARKS"]
            .map(str::to_owned),
    ];
    for row in rows {
        let [algorithm, operation, backend] = names(row);
        let here = right(time(row.summary.median), 10);
        let percent = |ratio: f64| format!("{:+.1} %", 100.0 * (ratio - 1.0));
        let mut marks: Vec<String> = row.marks().into_iter().map(|mark| format!("{mark} here")).collect();
        let (there, change, interval) = match earlier.change(row, plan.terms.seed) {
            Some((there, change)) => {
                if there.is_noisy {
                    marks.push("noisy there".into());
                }
                let interval = change.0.interval;
                let interval = interval.map(|[low, high]| format!("{} to {}", percent(low), percent(high)));
                (time(there.median), percent(change.0.value), interval.unwrap_or("unknown".into()))
            }
            None => ("-".into(), "not measured there".into(), "-".into()),
        };
        table.push([
            algorithm,
            operation,
            backend,
            right(there, 10),
            here,
            change,
            interval,
            marks.join(", "),
        ]);
    }
    print_table(&table, report);
}

/// One row a stage, one column a backend.
pub fn breakdowns(all: &[Breakdown], backends: usize, report: &mut Report) {
    let mut first: Vec<&Breakdown> = Vec::new();
    for one in all {
        if !first.iter().any(|other| (other.algorithm, other.of) == (one.algorithm, one.of)) {
            first.push(one);
        }
    }
    let cell = |time: f64, whole: f64| format!("{:>9.2} us {:>4.0} %", time / 1e3, 100.0 * time / whole);
    for (number, kind) in first.iter().enumerate() {
        let same: Vec<&Breakdown> = all
            .iter()
            .filter(|one| (one.algorithm, one.of) == (kind.algorithm, kind.of))
            .take(backends)
            .collect();
        if number > 0 {
            report.line("");
        }
        let mut heading = vec!["ALGORITHM".to_owned(), "STAGE".to_owned()];
        heading.extend(same.iter().map(|one| format!("{:>18}", one.isa.name().to_uppercase())));
        let mut table = vec![heading];
        for (stage, (name, _)) in kind.stages.iter().enumerate() {
            let mut row = vec![kind.algorithm.name().to_owned(), (*name).to_owned()];
            row.extend(
                same.iter().map(|one| {
                    one.stages.get(stage).map_or(String::new(), |(_, time)| cell(*time, one.whole))
                }),
            );
            table.push(row);
        }
        let mut row = vec![kind.algorithm.name().to_owned(), kind.of.to_owned()];
        row.extend(same.iter().map(|one| cell(one.whole, one.whole)));
        table.push(row);
        print_table(&table, report);
        for one in same {
            let (stage, time) = one.longest();
            report.note(&format!(
                "{} {}, {}: longest stage: {stage}, {:.0} % ({} rounds)",
                one.algorithm.name(),
                one.of,
                one.isa.name(),
                100.0 * time / one.whole,
                one.rounds,
            ));
        }
    }
}

/// One row a claim.
pub fn claims(outcomes: &[Outcome], report: &mut Report) {
    let mut table = vec![
        ["CLAIM", "SOURCE", "PAPER", "MEASURED ON", "HERE", "BACKEND", "MARKS", "SAME AS THE PAPER"]
            .map(str::to_owned),
    ];
    for outcome in outcomes {
        let claim = &outcome.claim;
        table.push([
            claim.name.into(),
            claim.source.into(),
            claim.paper.map_or("not at hand".into(), |figure| format!("{figure:.2}")),
            claim.on.into(),
            ratio(outcome.here),
            outcome.isa.map_or("-".into(), |isa| isa.name().into()),
            if outcome.is_noisy == Some(true) { "noisy" } else { "" }.into(),
            outcome.verdict(),
        ]);
    }
    print_table(&table, report);
    report.line("");
    report.line("All figures are speed-ups: how many times as fast. Messages have 32 bytes where something is signed.");
}
