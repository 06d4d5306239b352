//! `pqc generate [DIR]` (hidden): man pages and shell completions from the definition of the command line.
//!
//! Their outputs are committed under `man/` and `completions/`, so that packagers need not run the program;
//! `tests/generated.rs` fails when they are out of date. What man pages say beyond the definition stands in `manual`,
//! what the words after an option can be in `values`.

mod bash;
mod manual;
mod values;

use super::args;
use super::exit::system;
use super::report::shown;
use anyhow::{Context, Result};
use clap_complete::{Shell, generate};
use std::fs;
use std::path::{Path, PathBuf};

/// The hidden command.
pub fn command() -> clap::Command {
    let folder = clap::Arg::new("DIR").value_parser(clap::value_parser!(PathBuf)).default_value(".");
    clap::Command::new("generate").hide(true).about("Write man pages and completions under DIR").arg(folder)
}

/// Every generated file: its path under the repository and its bytes.
///
/// # Errors
/// None that is known; the writers write to memory.
pub fn files() -> Result<Vec<(PathBuf, Vec<u8>)>> {
    let completions = Path::new("completions");
    let mut files = vec![(completions.join("pqc.bash"), bash::script(&built()).into_bytes())];
    for (shell, name) in [(Shell::Fish, "pqc.fish"), (Shell::Zsh, "_pqc")] {
        let mut text = Vec::new();
        generate(shell, &mut values::listed(args::documented()), "pqc", &mut text);
        let text = values::with_file_kinds(&String::from_utf8(text)?, shell, &built());
        files.push((completions.join(name), text.into_bytes()));
    }
    let root = built();
    let pages = std::iter::once(root.clone()).chain(root.get_subcommands().cloned());
    for page in pages {
        // "pqc sign" is pqc-sign(1).
        let name = page.get_display_name().unwrap_or("pqc").to_owned();
        files.push((Path::new("man").join(format!("{name}.1")), manual::page(page, &name)?));
    }
    Ok(files)
}

/// The definition with everything that clap derives from it.
fn built() -> clap::Command {
    let mut root = args::documented().disable_help_subcommand(true);
    root.build();
    root
}

/// Writes them all.
///
/// # Errors
/// The system's.
pub fn run(folder: &Path) -> Result<()> {
    for (path, bytes) in files()? {
        let path = folder.join(path);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(&path, bytes))
            .map_err(|e| system(&e))
            .with_context(|| shown(&path))?;
    }
    Ok(())
}
