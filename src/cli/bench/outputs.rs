//! Figures as files, and citations of them.

use super::options::Plan;
use crate::bench::cite::{LATEX_COLUMNS, Source, latex_row, line};
use crate::bench::environment::Environment;
use crate::bench::plot;
use crate::bench::row::Row;
use crate::cli::io::target::commit;
use crate::cli::report::{Report, shown};
use anyhow::Result;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// Writes the files that are wanted, all or none, and prints citations.
///
/// # Errors
/// The system's; names that were taken meanwhile.
pub fn write(
    plan: &Plan,
    environment: &Environment,
    rows: &[Row],
    document: &str,
    csv: &str,
    report: &mut Report,
) -> Result<()> {
    let svg = plan.plot.as_ref().map(|_| plot::svg(environment, rows));
    let texts = [Some(document), Some(csv), svg.as_deref()];
    let targets = [&plan.json, &plan.csv, &plan.plot];
    let mut prepared = Vec::new();
    for (target, text) in targets.into_iter().zip(texts) {
        if let (Some(target), Some(text)) = (target, text) {
            prepared.push(target.prepare(text.as_bytes())?);
        }
    }
    commit(prepared)?;
    for target in targets.into_iter().flatten() {
        report.note(&format!("written: {}", shown(target.path())));
    }
    if let (true, Some(json)) = (plan.cite, &plan.json) {
        let sum = Sha256::digest(document.as_bytes()).iter().fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        });
        let name = shown(json.path());
        let source = Source { environment, terms: &plan.terms, json: (&name, &sum) };
        for row in rows {
            report.line(&line(row, &source));
        }
        report.line("");
        report.line(LATEX_COLUMNS);
        for row in rows {
            report.line(&latex_row(row, &source));
        }
        report.line("");
    }
    Ok(())
}

/// Writes the JSON alone, where it is wanted.
///
/// # Errors
/// The system's; a name that was taken meanwhile.
pub fn write_json(plan: &Plan, document: &str, report: &Report) -> Result<()> {
    if let Some(target) = &plan.json {
        commit(vec![target.prepare(document.as_bytes())?])?;
        report.note(&format!("written: {}", shown(target.path())));
    }
    Ok(())
}
