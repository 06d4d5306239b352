//! The key home: the folder of keys that commands use when none is named.
//!
//! `$PQC_HOME` (absolute), else `$XDG_DATA_HOME/pqc` (if absolute), else `~/.local/share/pqc`; never the current
//! folder. Only `keygen` writes it. Next: [`super::keys`], which chooses among its keys.

use super::exit::{Kind, failure, system, unreadable, usage};
use super::io;
use super::report::{shell_quoted, shown};
use anyhow::{Context, Result};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The variables of the environment that decide where the key home is.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// `PQC_HOME`.
    pub pqc_home: Option<OsString>,
    /// `XDG_DATA_HOME`.
    pub xdg_data_home: Option<OsString>,
    /// `HOME`.
    pub home: Option<OsString>,
}

impl Environment {
    /// Those of this process.
    pub fn current() -> Environment {
        Environment {
            pqc_home: io::variable("PQC_HOME"),
            xdg_data_home: io::variable("XDG_DATA_HOME"),
            home: io::variable("HOME"),
        }
    }

    /// The key home; `None` where there is nowhere to have one.
    ///
    /// # Errors
    /// A usage failure where `PQC_HOME` is relative.
    pub fn key_home(&self) -> Result<Option<PathBuf>> {
        let absolute =
            |value: &Option<OsString>| value.as_ref().map(PathBuf::from).filter(|path| path.is_absolute());
        if let Some(value) = &self.pqc_home {
            return match absolute(&self.pqc_home) {
                Some(path) => Ok(Some(path)),
                None => {
                    let shown = shown(Path::new(value));
                    Err(usage(format!("PQC_HOME is {shown}, which is not an absolute path")))
                }
            };
        }
        if let Some(path) = absolute(&self.xdg_data_home) {
            return Ok(Some(path.join("pqc")));
        }
        Ok(absolute(&self.home).map(|path| path.join(".local/share/pqc")))
    }
}

/// Where the key home is, or the failure that says how to do without one.
///
/// # Errors
/// A key failure; a usage failure where `PQC_HOME` is relative.
pub fn required(instead: &str) -> Result<PathBuf> {
    Environment::current().key_home()?.ok_or_else(|| {
        failure(Kind::Key, format!("there is no key home, since HOME is not set; {instead}, or set PQC_HOME"))
    })
}

/// The files of the key home with this ending, in byte order; none where the folder does not exist.
///
/// # Errors
/// Unreadable.
pub fn files(home: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    match io::files_with_ending(home, ending) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(e) => Err(unreadable(&e)).with_context(|| shown(home)),
        Ok(paths) => Ok(paths),
    }
}

/// Fails where group or others can write the folder, and so decide which keys are in it.
///
/// # Errors
/// A key failure with the `chmod` that cures it.
pub fn only_mine(path: &Path) -> Result<()> {
    match io::metadata(path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(unreadable(&e)).with_context(|| shown(path)),
        Ok(found) if io::others_can_write(&found) => {
            let quoted = shell_quoted(path.as_os_str());
            let why = format!("others can write it, so its keys prove nothing; chmod go-w {quoted}");
            Err(failure(Kind::Key, why)).with_context(|| shown(path))
        }
        Ok(_) => Ok(()),
    }
}

/// Makes the folder where it does not exist.
///
/// # Errors
/// The system's; a key failure where others can write it.
pub fn create(home: &Path) -> Result<()> {
    io::make_private_folder(home).map_err(|e| system(&e)).with_context(|| shown(home))?;
    only_mine(home)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn home(pqc: Option<&str>, xdg: Option<&str>, home: Option<&str>) -> Result<Option<PathBuf>> {
        let [pqc_home, xdg_data_home, home] = [pqc, xdg, home].map(|v| v.map(OsString::from));
        Environment { pqc_home, xdg_data_home, home }.key_home()
    }

    #[test]
    fn the_first_usable_variable_decides() {
        let found = |a, b, c| home(a, b, c).unwrap().map(|p| p.to_str().unwrap().to_owned());
        assert_eq!(found(Some("/k"), Some("/x"), Some("/h")).as_deref(), Some("/k"));
        assert_eq!(found(None, Some("/x"), Some("/h")).as_deref(), Some("/x/pqc"));
        assert_eq!(found(None, Some("x"), Some("/h")).as_deref(), Some("/h/.local/share/pqc"));
        assert_eq!(found(None, None, Some("/h")).as_deref(), Some("/h/.local/share/pqc"));
        assert_eq!(found(None, Some("x"), None), None);
        assert_eq!(found(None, None, Some("h")), None);
    }

    #[test]
    fn a_relative_pqc_home_is_an_error() {
        assert!(home(Some("keys"), Some("/x"), Some("/h")).is_err());
    }
}
