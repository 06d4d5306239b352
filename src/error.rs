//! The one error type of the library.
//!
//! A message says what was expected and what was found; it never holds a secret. The command line adds the file
//! and the cure, and turns the kind into an exit code (`cli/exit.rs`).

use core::fmt;

/// Why a backend cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IsaError {
    /// No build of `pqc` has a backend of this name.
    Unknown,
    /// The name belongs to another architecture or to a later version.
    NotInBuild,
    /// Built, but this processor or operating system cannot run it.
    NotSupported,
}

/// Everything that can go wrong in the library.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// `what` has a length that no encoder gives it.
    Length {
        /// What was being read, e.g. "Falcon-512 public key".
        what: &'static str,
        /// The length in bytes that it must have.
        expected: usize,
        /// The length in bytes that was found.
        found: usize,
    },
    /// `what` is not in the one canonical spelling of its value (or has no value at all).
    NotCanonical {
        /// What was being read.
        what: &'static str,
        /// The rule that it breaks.
        why: &'static str,
    },
    /// A private key whose parts do not belong together.
    InvalidKey {
        /// The check that failed.
        why: &'static str,
    },
    /// The signature is well formed and does not belong to this message and key.
    InvalidSignature,
    /// A signature that was just made did not pass its own verification; it was not released.
    SelfCheck,
    /// The operating system gave no random bytes.
    Randomness(String),
    /// A file structure (PEM, DER, container) that is not what it should be.
    Format {
        /// What was being read, e.g. "PKCS#8 private key".
        what: &'static str,
        /// What is wrong, and what was found instead.
        why: String,
    },
    /// A password that does not open a private key; the file may also be damaged.
    Password,
    /// An algorithm name or identifier that this build does not know.
    UnknownAlgorithm(String),
    /// A backend that cannot be used.
    Isa {
        /// The name that was asked for.
        name: String,
        /// Why not.
        why: IsaError,
    },
}

impl Error {
    /// Refuses bytes of another length than `what` has.
    pub(crate) fn check_length(what: &'static str, expected: usize, bytes: &[u8]) -> Result<(), Error> {
        if bytes.len() == expected {
            Ok(())
        } else {
            Err(Error::Length { what, expected, found: bytes.len() })
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Length { what, expected, found } => {
                write!(f, "{what}: expected {expected} bytes, found {found}")
            }
            Error::NotCanonical { what, why } => write!(f, "{what} is not canonical: {why}"),
            Error::InvalidKey { why } => write!(f, "the private key is damaged: {why}"),
            Error::InvalidSignature => write!(f, "the signature is not valid"),
            Error::SelfCheck => write!(f, "a fresh signature failed its own check and was thrown away"),
            Error::Randomness(why) => write!(f, "no random bytes from the operating system: {why}"),
            Error::Format { what, why } => write!(f, "{what}: {why}"),
            Error::Password => write!(f, "the password is wrong (or the file is damaged)"),
            Error::UnknownAlgorithm(name) => write!(f, "unknown algorithm: {name}"),
            Error::Isa { name, why: IsaError::Unknown } => write!(f, "unknown backend: {name}"),
            Error::Isa { name, why: IsaError::NotInBuild } => {
                write!(f, "{name} is not in this build ({})", std::env::consts::ARCH)
            }
            Error::Isa { name, why: IsaError::NotSupported } => {
                write!(f, "this processor cannot run {name}")
            }
        }
    }
}

impl std::error::Error for Error {}
