//! `pqc generate [DIR]` (hidden): man pages and shell completions from the definition of the command line.
//!
//! Their outputs are committed under `man/` and `completions/`, so that packagers need not run the program;
//! `tests/generated.rs` fails when they are out of date.

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
    let mut files = Vec::new();
    let mut root = args::documented();
    for (shell, name) in [(Shell::Bash, "pqc.bash"), (Shell::Fish, "pqc.fish"), (Shell::Zsh, "_pqc")] {
        let mut text = Vec::new();
        generate(shell, &mut root, "pqc", &mut text);
        files.push((Path::new("completions").join(name), text));
    }
    let mut root = args::documented().disable_help_subcommand(true);
    root.build();
    let pages = std::iter::once(root.clone()).chain(root.get_subcommands().cloned());
    for page in pages {
        // "pqc sign" is pqc-sign(1).
        let name = page.get_display_name().unwrap_or("pqc").to_owned();
        let mut text = Vec::new();
        let source = concat!("pqc ", env!("CARGO_PKG_VERSION"));
        clap_mangen::Man::new(page).title(name.to_uppercase()).source(source).render(&mut text)?;
        files.push((Path::new("man").join(format!("{name}.1")), text));
    }
    Ok(files)
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
