//! What `pqc bench` says of its own build: commit, whether the sources had changes, compiler, profile, target.
//!
//! Runs again only when the sources change, so that a commit alone does not compile everything anew: a program that was
//! built before its changes were committed says so truthfully.

use std::env;
use std::process::Command;

/// What makes the program.
const SOURCES: [&str; 4] = ["src", "build.rs", "Cargo.toml", "Cargo.lock"];

fn main() {
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
    }
    let variable = |name: &str| env::var(name).unwrap_or_else(|_| "unknown".into());
    // Only of a checkout of this package; an unpacked package may lie within another repository.
    let folder = env::current_dir().ok().and_then(|folder| folder.canonicalize().ok());
    let top =
        git(&["rev-parse", "--show-toplevel"]).and_then(|top| std::path::Path::new(&top).canonicalize().ok());
    let is_checkout = folder.is_some() && folder == top;
    let commit = git(&["rev-parse", "HEAD"]).filter(|_| is_checkout);
    let changes = git(&[&["status", "--porcelain", "--"][..], &SOURCES].concat()).filter(|_| is_checkout);
    let dirty = changes.map_or("unknown", |changes| if changes.is_empty() { "no" } else { "yes" });
    let compiler = output(Command::new(variable("RUSTC")).arg("--version"));
    let profile = format!("{}, opt-level {}", variable("PROFILE"), variable("OPT_LEVEL"));
    for (name, value) in [
        ("PQC_COMMIT", commit.as_deref().unwrap_or("unknown")),
        ("PQC_DIRTY", dirty),
        ("PQC_COMPILER", compiler.as_deref().unwrap_or("unknown")),
        ("PQC_PROFILE", &profile),
        ("PQC_TARGET", &variable("TARGET")),
    ] {
        println!("cargo::rustc-env={name}={value}");
    }
}

fn git(arguments: &[&str]) -> Option<String> {
    output(Command::new("git").args(arguments))
}

/// What a program prints, where it succeeds.
fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
