//! How a command ends: kinds of failure, their stable exit codes, and the errors that carry them.
//!
//! A [`Failure`] travels inside an `anyhow::Error`, to which callers add the file it is about; [`classify`] finds
//! it again. Library and system errors without a `Failure` have the kinds that their meaning gives them.

use crate::error::Error;
use core::fmt;
use std::io;

/// Why a command failed. Each has a word for `--json` and an exit code; both are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A signature that is not valid, a ciphertext that is not for the key, or a self-test that failed.
    NotValid,
    /// A command line that means nothing.
    Usage,
    /// A backend that cannot be used.
    Backend,
    /// An output that exists, or is a symbolic link, or is no file.
    Exists,
    /// An input that is not what it should be.
    Malformed,
    /// No key, several keys, or one that others could have changed.
    Key,
    /// A password that is wrong, or that cannot be asked for.
    Password,
    /// An input that does not exist.
    Missing,
    /// An input that cannot be read.
    Unreadable,
    /// Anything else that the system refused.
    System,
    /// A fresh signature that failed its own check.
    SelfCheck,
    /// The user pressed Ctrl-C.
    Interrupted,
}

impl Kind {
    /// The exit code.
    pub fn code(self) -> u8 {
        match self {
            Kind::NotValid => 1,
            Kind::Usage | Kind::Backend | Kind::Exists | Kind::Malformed | Kind::Key | Kind::Password => 2,
            Kind::Missing | Kind::Unreadable | Kind::System | Kind::SelfCheck => 3,
            Kind::Interrupted => 130,
        }
    }

    /// The word in `--json`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::NotValid => "not-valid",
            Kind::Usage => "usage",
            Kind::Backend => "backend",
            Kind::Exists => "exists",
            Kind::Malformed => "malformed",
            Kind::Key => "key",
            Kind::Password => "password",
            Kind::Missing => "missing",
            Kind::Unreadable => "unreadable",
            Kind::System => "system",
            Kind::SelfCheck => "self-check",
            Kind::Interrupted => "interrupted",
        }
    }
}

/// A failure whose kind is known where it happens.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Its kind.
    pub kind: Kind,
    /// What went wrong and what to do about it; no file name where the caller adds it.
    pub message: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

/// A failure, ready to be returned.
pub fn failure(kind: Kind, message: impl Into<String>) -> anyhow::Error {
    Failure { kind, message: message.into() }.into()
}

/// A failure of the command line.
pub fn usage(message: impl Into<String>) -> anyhow::Error {
    failure(Kind::Usage, message)
}

/// A failure to read an input.
pub fn unreadable(error: &io::Error) -> anyhow::Error {
    let missing = error.kind() == io::ErrorKind::NotFound;
    failure(if missing { Kind::Missing } else { Kind::Unreadable }, os_message(error))
}

/// A failure of the system elsewhere.
pub fn system(error: &io::Error) -> anyhow::Error {
    failure(Kind::System, os_message(error))
}

/// The system's words without Rust's " (os error 2)".
pub fn os_message(error: &io::Error) -> String {
    let text = error.to_string();
    let plain = text.split(" (os error").next().unwrap_or_default();
    match error.raw_os_error() {
        Some(0) | None if plain.is_empty() => error.kind().to_string(),
        _ => plain.to_owned(),
    }
}

/// The kind of an error, wherever in its chain it was given.
pub fn classify(error: &anyhow::Error) -> Kind {
    if let Some(failure) = error.downcast_ref::<Failure>() {
        return failure.kind;
    }
    match error.downcast_ref::<Error>() {
        Some(Error::InvalidSignature) => Kind::NotValid,
        Some(Error::Password) => Kind::Password,
        Some(Error::SelfCheck) => Kind::SelfCheck,
        Some(Error::Randomness(_)) => Kind::System,
        Some(Error::Isa { .. }) => Kind::Backend,
        Some(Error::UnknownAlgorithm(_)) => Kind::Usage,
        Some(_) => Kind::Malformed,
        None => Kind::System,
    }
}

/// The exit code of several files: 0 only if there are some and all have 0, else the smallest that is not 0.
pub fn of_files(codes: impl IntoIterator<Item = u8>) -> u8 {
    let mut any = false;
    let worst = codes.into_iter().inspect(|_| any = true).filter(|code| *code != 0).min();
    match worst {
        Some(code) => code,
        None if any => 0,
        None => Kind::Usage.code(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    #[test]
    fn the_code_of_several_files_is_the_smallest_that_is_not_zero() {
        assert_eq!(of_files([0, 0]), 0);
        assert_eq!(of_files([0, 3, 2, 0]), 2);
        assert_eq!(of_files([3, 1, 2]), 1);
        assert_eq!(of_files([3]), 3);
        assert_eq!(of_files([]), 2);
    }

    #[test]
    fn a_kind_is_found_under_any_context() {
        let error = Err::<(), _>(usage("x")).context("file").context("more");
        assert_eq!(error.as_ref().err().map(classify), Some(Kind::Usage));
        let error = Err::<(), _>(Error::InvalidSignature).context("file");
        assert_eq!(error.as_ref().err().map(classify), Some(Kind::NotValid));
    }

    #[test]
    fn system_messages_have_no_number_and_are_never_empty() {
        assert_eq!(os_message(&io::Error::from_raw_os_error(2)), "No such file or directory");
        assert!(!os_message(&io::Error::from(io::ErrorKind::Other)).is_empty());
    }
}
