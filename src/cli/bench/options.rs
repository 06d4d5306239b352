//! What the words of `pqc bench` mean, and which of them do not go together.

use crate::algorithm::Algorithm;
use crate::bench::compare::Earlier;
use crate::bench::operation::{Operation, default_algorithms};
use crate::bench::rounds::Shape;
use crate::bench::row::{Id, Terms};
use crate::cli::exit::{Kind, failure, usage};
use crate::cli::io::target::{Existing, PLAIN, Target};
use crate::cli::io::{self, is_dash};
use crate::cli::report::printable;
use crate::cli::{args, names};
use crate::isa::Isa;
use crate::rng::{OsRandom, RandomSource};
use anyhow::{Context, Result, anyhow};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The most messages that `--batch` takes.
const MAX_BATCH: usize = 65536;
/// The most threads.
const MAX_THREADS: usize = 1024;
/// The longest message.
const MAX_MESSAGE: usize = 1 << 24;
/// The largest file of figures that is read.
const MAX_FIGURES: u64 = 1 << 30;

/// Where `--cite` writes the JSON unless `--json` says so.
const CITED: &str = "pqc-bench.json";

/// What is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Operations.
    Rows,
    /// `--stages`.
    Stages,
    /// `--claims`.
    Claims,
}

/// What is measured, and where it goes.
pub struct Plan {
    pub view: View,
    pub algorithms: Vec<Algorithm>,
    pub operations: Vec<Operation>,
    /// Scalar is one of them, except for stages.
    pub isas: Vec<Isa>,
    /// Why these.
    pub why: String,
    pub terms: Terms,
    pub seconds: f64,
    /// Of each row.
    pub rounds: usize,
    pub isolated: bool,
    pub cite: bool,
    pub json: Option<Target>,
    pub csv: Option<Target>,
    pub csv_to_stdout: bool,
    pub plot: Option<Target>,
    /// What is compared with, and its name.
    pub earlier: Option<(Earlier, String)>,
}

/// Reads the options; nothing is written.
///
/// # Errors
/// Usage; what cannot be compared with; files that may not be written.
pub fn plan(args: &args::Bench, isas: &[Isa], why: &str) -> Result<Plan> {
    let view = match (args.stages, args.claims) {
        (true, _) => View::Stages,
        (_, true) => View::Claims,
        _ => View::Rows,
    };
    let seconds = args.seconds.unwrap_or(if args.stages { 1.0 } else { 0.25 });
    if !(seconds > 0.0 && seconds <= 3600.0) {
        return Err(usage("--seconds is more than 0 and at most 3600"));
    }
    for (option, value, least, most) in [
        ("--batch", args.batch, 1, MAX_BATCH),
        ("--threads", args.threads, 1, MAX_THREADS),
        ("--message-bytes", args.message_bytes, 0, MAX_MESSAGE),
    ] {
        if !(least..=most).contains(&value) {
            return Err(usage(format!("{option} is at least {least} and at most {most}")));
        }
    }
    let to_stdout = |file: &Option<Option<PathBuf>>| {
        file.as_ref().is_some_and(|file| file.as_ref().is_none_or(|path| is_dash(path)))
    };
    let csv_to_stdout = to_stdout(&args.csv);
    if csv_to_stdout && to_stdout(&args.json) {
        return Err(usage("--json and --csv both to standard output: name a FILE for one"));
    }
    if csv_to_stdout || to_stdout(&args.json) {
        for (option, given) in [("--compare", args.compare.is_some()), ("--cite", args.cite)] {
            if given {
                return Err(usage(format!("{option} prints text: name a FILE for --json and --csv")));
            }
        }
    }
    let target = |path: &Path| Target::check(path, Existing::forced(args.force), PLAIN);
    let file = |file: &Option<Option<PathBuf>>| {
        let path = file.as_ref().and_then(Option::as_ref).filter(|path| !is_dash(path));
        path.map(|path| target(path)).transpose()
    };
    let (mut json, csv) = (file(&args.json)?, file(&args.csv)?);
    if args.cite && json.is_none() {
        json = Some(target(Path::new(CITED))?);
    }
    let plot = args.plot.as_ref().map(|path| target(path)).transpose()?;
    let targets: Vec<&Target> = json.iter().chain(&csv).chain(&plot).collect();
    for (i, one) in targets.iter().enumerate() {
        if targets.iter().skip(i + 1).any(|other| one.is_same_place(other)) {
            return Err(usage(format!("{}: named for two outputs", printable(one.path().as_os_str()))));
        }
    }
    let mut number = [0; 8];
    OsRandom.fill(&mut number)?;
    let earlier = args.compare.as_ref().map(|path| earlier(path)).transpose()?;
    let seed_there = earlier.as_ref().and_then(|(earlier, _)| earlier.header("seed")?.parse().ok());
    let seed = args
        .seed
        .or(seed_there)
        .unwrap_or(u64::from(u32::from_le_bytes([number[0], number[1], number[2], number[3]])));
    let there = |which| earlier.as_ref().map(|(earlier, _)| earlier.names(which));
    let named = args.alg.clone().or_else(|| there(0));
    let algorithms = match &named {
        Some(list) => names::algorithms(list)?,
        None => default_algorithms(),
    };
    let wanted = args.op.clone().or_else(|| there(1)).unwrap_or_else(|| "all".into());
    let operations = operations(&wanted)?;
    // An algorithm that was named is not passed over in silence.
    let is_named = args.alg.as_ref().is_some_and(|list| !list.eq_ignore_ascii_case("all"));
    let without = algorithms.iter().find(|alg| !operations.iter().any(|operation| operation.is_of(**alg)));
    if let (true, Some(algorithm)) = (is_named, without) {
        return Err(usage(format!("{} has none of the operations of --op {wanted}", algorithm.name())));
    }
    let mut all = isas.to_vec();
    let mut why = why.to_owned();
    if view == View::Rows && !all.contains(&Isa::Scalar) {
        all.insert(0, Isa::Scalar);
        why += "; scalar beside it";
    }
    let terms = Terms { threads: args.threads, batch: args.batch, message_len: args.message_bytes, seed };
    if let Some((earlier, name)) = &earlier {
        let ids: Vec<Id> = algorithms
            .iter()
            .flat_map(|algorithm| operations.iter().map(move |operation| (*algorithm, *operation)))
            .filter(|(algorithm, operation)| operation.is_of(*algorithm))
            .flat_map(|(algorithm, operation)| {
                all.iter().map(move |isa| Id { algorithm, operation, isa: *isa })
            })
            .collect();
        earlier
            .is_comparable(&ids, &terms)
            .map_err(|why| failure(Kind::Malformed, format!("{name}: cannot be compared: {why}")))?;
    }
    let round = Shape::default().length_ns as f64 / 1e9;
    Ok(Plan {
        view,
        algorithms,
        operations,
        isas: all,
        why,
        terms,
        seconds,
        rounds: ((seconds / round).ceil() as usize).max(1),
        isolated: args.isolated,
        cite: args.cite,
        json,
        csv,
        csv_to_stdout,
        plot,
        earlier,
    })
}

fn earlier(path: &Path) -> Result<(Earlier, String)> {
    let name = printable(path.as_os_str());
    let read = || {
        Earlier::read(&io::read_figures(path, MAX_FIGURES)?)
            .map_err(|why| anyhow!(failure(Kind::Malformed, why)))
    };
    match read() {
        Ok(earlier) => Ok((earlier, name)),
        Err(error) => Err(error).context(name),
    }
}

fn operations(list: &str) -> Result<Vec<Operation>> {
    if list.eq_ignore_ascii_case("all") {
        return Ok(Operation::ALL.to_vec());
    }
    let mut operations = Vec::new();
    for name in list.split(',') {
        let operation = Operation::from_name(name.trim()).ok_or_else(|| {
            let all: Vec<&str> = Operation::ALL.iter().map(|operation| operation.name()).collect();
            let name = printable(OsStr::new(name));
            usage(format!("--op {name}: no such operation; there are {}", all.join(", ")))
        })?;
        if !operations.contains(&operation) {
            operations.push(operation);
        }
    }
    Ok(operations)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_operations() {
        assert_eq!(operations("ALL").unwrap(), Operation::ALL);
        assert_eq!(operations("verify, sign-kept,verify").unwrap(), [Operation::Verify, Operation::SignKept]);
        assert_eq!(operations("encaps,decaps-kept").unwrap(), [Operation::Encaps, Operation::DecapsKept]);
        assert!(operations("encrypt").unwrap_err().to_string().contains("sign-kept"));
    }
}
