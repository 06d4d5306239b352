//! What can come out of checking one file.

use crate::algorithm::Algorithm;
use crate::cli::exit::{Kind, classify};
use crate::cli::io;
use crate::cli::keys::KeySource;
use crate::falcon;
use crate::files::Fingerprint;
use std::path::{Path, PathBuf};

/// The outcome for one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Ok,
    Failed,
    /// With the exit code that it counts for.
    NotChecked(u8),
}

/// The outcome for one file and its reason.
pub(super) struct Verdict {
    pub(super) status: Status,
    /// The word in `--json`.
    pub(super) reason: Option<&'static str>,
    /// The words in the line.
    pub(super) why: String,
}

impl Verdict {
    pub(super) fn new(status: Status, reason: &'static str, why: impl Into<String>) -> Verdict {
        Verdict { status, reason: Some(reason), why: why.into() }
    }

    pub(super) fn failed(reason: &'static str, why: impl Into<String>) -> Verdict {
        Verdict::new(Status::Failed, reason, why)
    }

    pub(super) fn not_checked(reason: &'static str, why: impl Into<String>) -> Verdict {
        Verdict::new(Status::NotChecked(Kind::Malformed.code()), reason, why)
    }

    /// The verdict where the file or, if it is named, its signature could not be read.
    pub(super) fn unread(error: &anyhow::Error, signature: Option<&Path>) -> Verdict {
        let cause = error.root_cause();
        let why = match (signature, classify(error)) {
            (None, _) => cause.to_string(),
            (Some(path), Kind::Missing) => format!("there is no signature {}", io::name_of(path)),
            (Some(path), _) => format!("{}: {cause}", io::name_of(path)),
        };
        match classify(error) {
            Kind::Missing => Verdict::new(Status::NotChecked(3), "missing", why),
            Kind::Malformed => Verdict::not_checked("malformed", why),
            _ => Verdict::new(Status::NotChecked(3), "unreadable", why),
        }
    }

    pub(super) fn code(&self) -> u8 {
        match self.status {
            Status::Ok => 0,
            Status::Failed => Kind::NotValid.code(),
            Status::NotChecked(code) => code,
        }
    }
}

/// What is known of a signature and of the key that was used.
#[derive(Default)]
pub(super) struct Details {
    pub(super) algorithm: Option<Algorithm>,
    pub(super) encoding: Option<falcon::Encoding>,
    pub(super) fingerprint: Option<Fingerprint>,
    pub(super) key_path: Option<PathBuf>,
    pub(super) key_source: Option<KeySource>,
}

impl Details {
    pub(super) fn is_signed_with(
        &mut self,
        algorithm: Algorithm,
        fingerprint: Fingerprint,
        signature: &[u8],
    ) {
        self.algorithm = Some(algorithm);
        self.fingerprint = Some(fingerprint);
        self.encoding = match algorithm {
            Algorithm::Falcon(params) => falcon::encoding_of_len(params, signature.len()),
            Algorithm::Kyber(_) | Algorithm::Ntru(_) => None,
        };
    }
}
