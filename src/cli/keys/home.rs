//! Which private key of the key home a command uses: the only one of its kind, or the one that a ciphertext names.
//!
//! Of a key under a password, NAME.pub beside NAME.key says what it is, so that no password is asked for in vain.
//! Nothing but which key is chosen depends on that.

use super::{Chosen, Held, KeySource, opened, public_beside, read_held};
use crate::algorithm::Algorithm;
use crate::cli::exit::{Kind, failure};
use crate::cli::password::Source;
use crate::cli::report::{Report, shell_quoted, shown};
use crate::cli::{io, key_home};
use crate::files::ciphertext::Container;
use crate::files::spki::PublicKey;
use crate::isa::Isa;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// A private key of the key home.
struct Candidate {
    path: PathBuf,
    held: Held,
    claimed: Option<PublicKey>,
}

impl Candidate {
    /// Whose key it is, as far as is known without a password.
    fn algorithm(&self) -> Option<Algorithm> {
        match &self.held {
            Held::Open(key) => Some(key.algorithm),
            Held::Locked(_) => self.claimed.as_ref().map(|key| key.algorithm),
        }
    }

    fn open(self, password: Source<'_>, isa: Isa, report: &Report) -> Result<Chosen> {
        let key = opened(self.held, &self.path, password, isa, report)?;
        Ok(Chosen { path: self.path, source: KeySource::Home, key })
    }

    /// For a list to choose from: "-k PATH (ALG FINGERPRINT)".
    fn offer(&self, isa: Isa) -> Result<String> {
        let public = match &self.held {
            Held::Open(key) => Some(key.claimed_public_key(isa).with_context(|| io::name_of(&self.path))?),
            Held::Locked(_) => self.claimed.clone(),
        };
        let what = match public {
            Some(key) => format!("{} {}", key.algorithm.name(), key.fingerprint()),
            None => "under a password".into(),
        };
        Ok(format!("-k {} ({what})", shell_quoted(self.path.as_os_str())))
    }
}

/// What a private key is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kin {
    /// To sign.
    Signs,
    /// To decapsulate.
    Decapsulates,
}

/// The private keys of the key home that do what is wanted, and those of which nothing is known without a password.
fn home_keys(kin: Kin, home: &Path, report: &Report) -> Result<Vec<Candidate>> {
    let mut keys = Vec::new();
    for path in key_home::files(home, ".key")? {
        // A damaged key is not skipped: it may be the one that is meant.
        let held = read_held(&path, report)?;
        let claimed = match &held {
            Held::Open(_) => None,
            Held::Locked(_) => public_beside(&path).map(|(_, key)| key),
        };
        let candidate = Candidate { path, held, claimed };
        if candidate.algorithm().is_none_or(|a| a.is_kem() == (kin == Kin::Decapsulates)) {
            keys.push(candidate);
        }
    }
    Ok(keys)
}

/// The only private key of the key home that does what is wanted.
pub(super) fn only_home_key(kin: Kin, password: Source<'_>, isa: Isa, report: &Report) -> Result<Chosen> {
    let home = key_home::required("name a key with -k")?;
    let mut keys = home_keys(kin, &home, report)?;
    if keys.len() > 1 {
        let what = if kin == Kin::Signs { "sign" } else { "decapsulate" };
        let mut message = format!("several private keys that {what} are in the key home; choose one:");
        for candidate in &keys {
            message += &format!("\n  {}", candidate.offer(isa)?);
        }
        return Err(failure(Kind::Key, message));
    }
    let candidate = keys
        .pop()
        .ok_or_else(|| {
            let (what, algorithm) = match kin {
                Kin::Signs => ("signs", "falcon512"),
                Kin::Decapsulates => ("decapsulates", "mlkem768"),
            };
            let cure = format!("make one with pqc keygen --alg {algorithm}, or name one with -k");
            failure(Kind::Key, format!("no private key that {what} in the key home; {cure}"))
        })
        .with_context(|| shown(&home))?;
    candidate.open(password, isa, report)
}

/// The private key of the key home that a ciphertext names; failing that, the only one of which nothing is known
/// without its password, if it turns out to be the one.
pub(super) fn home_key_of(
    container: &Container,
    password: Source<'_>,
    isa: Isa,
    report: &Report,
) -> Result<Chosen> {
    let home = key_home::required("name a key with -k")?;
    let mut unknown = Vec::new();
    for candidate in home_keys(Kin::Decapsulates, &home, report)? {
        let public = match (&candidate.held, &candidate.claimed) {
            (Held::Open(key), _) if key.algorithm != container.algorithm => continue,
            (Held::Open(key), _) => key.public_key(isa).with_context(|| io::name_of(&candidate.path))?,
            (Held::Locked(_), Some(claimed)) => claimed.clone(),
            (Held::Locked(_), None) => {
                unknown.push(candidate);
                continue;
            }
        };
        if public.fingerprint() == container.fingerprint {
            return candidate.open(password, isa, report);
        }
    }
    let (algorithm, fingerprint) = (container.algorithm.name(), container.fingerprint);
    if let [_] = unknown.as_slice()
        && let Some(candidate) = unknown.pop()
    {
        let chosen = candidate.open(password, isa, report)?;
        if chosen.key.public_key(isa).is_ok_and(|key| key.fingerprint() == fingerprint) {
            return Ok(chosen);
        }
    }
    let mut why = format!(
        "no private key in the key home is the one of the ciphertext, {algorithm} {fingerprint}; -k names one"
    );
    for candidate in &unknown {
        why += &format!("\n  {}", candidate.offer(isa)?);
    }
    Err(failure(Kind::Key, why)).with_context(|| shown(&home))
}
