//! The command line: parses, runs one command, turns the outcome into an exit code.
//!
//! [`args`] is what is written, each command's file what it means; [`io`] is the only place that opens files,
//! terminals and the environment, [`report`] the only one that prints, [`exit`] knows the exit codes. Begin at
//! [`sign`], then [`verify`]; [`encaps`], then [`decaps`].
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

pub mod args;
pub mod bench;
pub mod decaps;
pub mod encaps;
pub mod exit;
pub mod generate;
pub mod harden;
pub mod inspect;
pub mod interrupt;
pub mod io;
pub mod key_home;
pub mod keygen;
pub mod keys;
pub mod list;
pub mod names;
pub mod parse;
pub mod progress;
pub mod report;
pub mod sampler;
pub mod selftest;
pub mod shared_secret;
pub mod sign;
pub mod verify;

use crate::isa::Isa;
use anyhow::{Context, Result};
use args::{Cli, Color, Command, Global};
use exit::usage;
use parse::Parsed;
use report::Report;

/// The whole program: reads the command line, gives the exit code.
pub fn main() -> u8 {
    harden::harden();
    match parse::parse(&io::arguments()) {
        Parsed::Done(code) => code,
        Parsed::Generate(folder) => {
            Report::new("generate", false, false, false, false).finish(generate::run(&folder).map(|()| 0))
        }
        Parsed::Run(cli) => run(&cli),
    }
}

fn run(cli: &Cli) -> u8 {
    let global = &cli.global;
    if global.version {
        return version(global);
    }
    let Some(command) = &cli.command else { return parse::no_command() };
    let color = match global.color {
        Color::Auto => io::stdout_wants_color(),
        Color::Always => true,
        Color::Never => false,
    };
    let new = |name, json| Report::new(name, json, global.quiet, global.verbose > 0, color);
    let mut report = match command {
        Command::Keygen(args) => new("keygen", args.json),
        Command::Sign(args) => new("sign", args.json),
        Command::Verify(args) => new("verify", args.json),
        Command::Encaps(args) => new("encaps", args.json),
        Command::Decaps(args) => new("decaps", args.json),
        Command::List(args) => new("list", args.json),
        Command::Inspect(args) => new("inspect", args.json),
        Command::Selftest(args) => new("selftest", args.json),
        // With a file, the lines go to standard output as ever.
        Command::Bench(args) => {
            new("bench", args.json.as_ref().is_some_and(|file| file.as_ref().is_none_or(|f| io::is_dash(f))))
        }
    };
    let outcome = dispatch(command, global, &mut report);
    report.finish(outcome)
}

fn dispatch(command: &Command, global: &Global, report: &mut Report) -> Result<u8> {
    interrupt::watch().map_err(|e| exit::system(&e)).context("signals")?;
    let one = || -> Result<Isa> {
        let (isa, why) = one_isa(global)?;
        report.detail(&format!("backend: {} ({why})", isa.name()));
        Ok(isa)
    };
    match command {
        Command::Keygen(args) => keygen::run(args, one()?, report),
        Command::Sign(args) => sign::run(args, one()?, report),
        Command::Verify(args) => verify::run(args, one()?, report),
        Command::Encaps(args) => encaps::run(args, one()?, report),
        Command::Decaps(args) => decaps::run(args, one()?, report),
        Command::List(_) => list::run(one()?, report),
        Command::Inspect(args) => inspect::run(args, one()?, report),
        Command::Selftest(_) => selftest::run(&several_isas(global)?.0, report),
        Command::Bench(args) => {
            let (isas, why) = several_isas(global)?;
            bench::run(args, &isas, why, report)
        }
    }
}

/// What names a backend, and who said so.
fn isa_choice(global: &Global) -> Result<(String, &'static str)> {
    if let Some(name) = &global.isa {
        return Ok((name.clone(), "--isa"));
    }
    match io::variable("PQC_ISA") {
        Some(value) => match value.into_string() {
            Ok(name) => Ok((name, "PQC_ISA")),
            Err(value) => Err(usage(format!("PQC_ISA: unknown backend: {}", report::printable(&value)))),
        },
        None => Ok(("auto".into(), "the fastest here")),
    }
}

/// The backend to run on, and why this one.
fn one_isa(global: &Global) -> Result<(Isa, &'static str)> {
    let (name, source) = isa_choice(global)?;
    Ok((isa_of(&name, source)?, source))
}

/// The backends of a list with commas, or all that this processor can run, and why these.
fn several_isas(global: &Global) -> Result<(Vec<Isa>, &'static str)> {
    let (names, source) = isa_choice(global)?;
    if names.eq_ignore_ascii_case("all") {
        return Ok((Isa::ALL.iter().copied().filter(|isa| isa.is_supported()).collect(), source));
    }
    let mut isas = Vec::new();
    for name in names.split(',') {
        let isa = isa_of(name.trim(), source)?;
        if !isas.contains(&isa) {
            isas.push(isa);
        }
    }
    Ok((isas, source))
}

fn isa_of(name: &str, source: &'static str) -> Result<Isa> {
    use crate::error::{Error, IsaError};
    Isa::from_name(name).map_err(|error| match error {
        Error::Isa { why: IsaError::Unknown, .. } => {
            let known: Vec<&str> = Isa::known_names().collect();
            let name = report::printable(name.as_ref());
            usage(format!("{source}: unknown backend: {name}; there are auto, {}", known.join(", ")))
        }
        error => anyhow::Error::from(error).context(source),
    })
}

/// `-V`, and with `-v` what `--isa auto` and `PQC_ISA` mean here.
fn version(global: &Global) -> u8 {
    let mut report = Report::new("version", false, false, false, false);
    report.line(concat!("pqc ", env!("CARGO_PKG_VERSION")));
    if global.verbose > 0 {
        report.line(&format!("target: {} {}", std::env::consts::ARCH, std::env::consts::OS));
        let variable = io::variable("PQC_ISA").map_or("not set".into(), |value| report::printable(&value));
        report.line(&format!("PQC_ISA: {variable}"));
        match one_isa(global) {
            Ok((isa, why)) => {
                report.line(&format!("backend: {} ({why})", isa.name()));
                for name in list::backend_names(isa) {
                    let features = list::features(name).join(" ");
                    let features = if features.is_empty() { features } else { format!(" ({features})") };
                    report.line(&format!("  {name}: {}{features}", list::state(name, isa)));
                }
            }
            Err(error) => return report.finish(Err(error)),
        }
    }
    report.finish(Ok(0))
}
