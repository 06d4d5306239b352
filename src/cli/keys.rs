//! Which key a command uses, and what is checked of it.
//!
//! A private key is `-k`, else `$PQC_KEY`, else one of the key home: the only one of its kind, or the one that a
//! ciphertext names. Public keys stand in [`public`]; the file formats in [`crate::files`].

pub mod public;

use super::exit::{Kind, failure};
use super::io::{self, Small};
use super::key_home;
use super::report::{Report, shell_quoted, shown};
use crate::files::ciphertext::Container;
use crate::files::pkcs8::PrivateKey;
use crate::files::spki::PublicKey;
use crate::files::{Fingerprint, Found, pem, recognise};
use crate::isa::Isa;
use crate::{falcon, kem};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// Where a key came from, as `--json` and messages name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeySource {
    /// `-k` or `-p`.
    Option,
    /// `$PQC_KEY`.
    Variable,
    /// The key home.
    Home,
    /// Inside the signature, held against a pin.
    Signature,
}

impl KeySource {
    /// The word in `--json`.
    pub fn name(self) -> &'static str {
        match self {
            KeySource::Option => "option",
            KeySource::Variable => "PQC_KEY",
            KeySource::Home => "key-home",
            KeySource::Signature => "signature",
        }
    }

    /// For a message: "key PATH (...) from ...".
    fn phrase(self) -> &'static str {
        match self {
            KeySource::Option => "-k",
            KeySource::Variable => "$PQC_KEY",
            KeySource::Home => "the key home",
            KeySource::Signature => "the signature",
        }
    }
}

/// A private key that is ready for use: [`Signing`] or [`Decapsulating`].
pub struct Ready<K> {
    /// The key.
    pub key: K,
    /// Its public key.
    pub public: PublicKey,
    /// Its fingerprint.
    pub fingerprint: Fingerprint,
    /// Its file; `-` is standard input.
    pub path: PathBuf,
    /// Who named the file.
    pub source: KeySource,
}

/// A key that signs.
pub type Signing = Ready<falcon::SigningKey>;
/// A key that decapsulates.
pub type Decapsulating = Ready<kem::DecapsulationKey>;

impl<K> Ready<K> {
    fn of(key: K, public: PublicKey, chosen: Chosen, report: &Report) -> Ready<K> {
        let Chosen { path, source, .. } = chosen;
        let ready = Ready { key, fingerprint: public.fingerprint(), public, path, source };
        report.note(&format!("key {} from {}", ready.describe(), source.phrase()));
        ready
    }

    /// "PATH (ALG FINGERPRINT)".
    pub fn describe(&self) -> String {
        format!("{} ({} {})", io::name_of(&self.path), self.public.algorithm.name(), self.fingerprint)
    }
}

/// Reads a private key file; warns where others can read it.
///
/// # Errors
/// Unreadable or malformed; the message begins with the file's name.
pub fn read_private(path: &Path, report: &Report) -> Result<PrivateKey> {
    let Small { bytes, metadata } = io::read_small(path)?;
    if let Found::Pem(label) = recognise(&bytes)
        && label == pem::PUBLIC_KEY
    {
        let why = "is a public key; a private key (NAME.key) is needed";
        return Err(failure(Kind::Malformed, why)).with_context(|| io::name_of(path));
    }
    let key = PrivateKey::from_pem(&bytes).with_context(|| io::name_of(path))?;
    if metadata.is_some_and(|m| m.is_file() && io::others_can_read(&m)) {
        let quoted = shell_quoted(path.as_os_str());
        report.warn(&format!("{}: others can read this private key; chmod 600 {quoted}", shown(path)));
    }
    Ok(key)
}

/// A private key file that was named or found.
struct Chosen {
    path: PathBuf,
    source: KeySource,
    key: PrivateKey,
}

/// The private key to sign with.
///
/// # Errors
/// None or several to choose from; unreadable, damaged, or a key that signs nothing.
pub fn signing_key(option: Option<&Path>, isa: Isa, report: &Report) -> Result<Signing> {
    let chosen = match named_key(option, report)? {
        Some(chosen) => chosen,
        None => only_home_key(Kin::Signs, isa, report)?,
    };
    let key = chosen.key.signing_key(isa).with_context(|| io::name_of(&chosen.path))?;
    let public = PublicKey::new(chosen.key.algorithm, key.verifying_key().to_bytes());
    Ok(Ready::of(key, public, chosen, report))
}

/// The private key to decapsulate with. In the key home it is the one that the container names; for a bare
/// ciphertext, the only one. A key that was named need not be the container's.
///
/// # Errors
/// None or several to choose from; unreadable, damaged, or a key that decapsulates nothing.
pub fn decapsulation_key(
    option: Option<&Path>,
    container: Option<&Container>,
    isa: Isa,
    report: &Report,
) -> Result<Decapsulating> {
    let chosen = match (named_key(option, report)?, container) {
        (Some(chosen), _) => chosen,
        (None, Some(container)) => home_key_of(container, isa, report)?,
        (None, None) => only_home_key(Kin::Decapsulates, isa, report)?,
    };
    let key = chosen.key.decapsulation_key(isa).with_context(|| io::name_of(&chosen.path))?;
    let public = PublicKey::new(chosen.key.algorithm, key.public_bytes());
    Ok(Ready::of(key, public, chosen, report))
}

/// The key of `-k` or `$PQC_KEY`.
fn named_key(option: Option<&Path>, report: &Report) -> Result<Option<Chosen>> {
    Ok(match (option, io::variable("PQC_KEY")) {
        (Some(path), _) => {
            let key = read_private(path, report)?;
            Some(Chosen { path: path.to_owned(), source: KeySource::Option, key })
        }
        (None, Some(value)) => {
            let path = PathBuf::from(value);
            let key = read_private(&path, report).context("PQC_KEY")?;
            Some(Chosen { path, source: KeySource::Variable, key })
        }
        (None, None) => None,
    })
}

/// What a private key is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kin {
    Signs,
    Decapsulates,
}

/// The private keys of the key home that do what is wanted.
fn home_keys(kin: Kin, home: &Path, report: &Report) -> Result<Vec<Chosen>> {
    let mut keys = Vec::new();
    for path in key_home::files(home, ".key")? {
        // A damaged key is not skipped: it may be the one that is meant.
        let key = read_private(&path, report)?;
        if key.algorithm.is_kem() == (kin == Kin::Decapsulates) {
            keys.push(Chosen { path, source: KeySource::Home, key });
        }
    }
    Ok(keys)
}

/// The only private key of the key home that does what is wanted.
fn only_home_key(kin: Kin, isa: Isa, report: &Report) -> Result<Chosen> {
    let home = key_home::required("name a key with -k")?;
    let mut keys = home_keys(kin, &home, report)?;
    if keys.len() > 1 {
        let what = if kin == Kin::Signs { "sign" } else { "decapsulate" };
        let mut message = format!("several private keys that {what} are in the key home; choose one:");
        for Chosen { path, key, .. } in &keys {
            let fingerprint = key.claimed_public_key(isa).with_context(|| io::name_of(path))?.fingerprint();
            let (path, algorithm) = (shell_quoted(path.as_os_str()), key.algorithm.name());
            message += &format!("\n  -k {path} ({algorithm} {fingerprint})");
        }
        return Err(failure(Kind::Key, message));
    }
    keys.pop()
        .ok_or_else(|| {
            let (what, algorithm) = match kin {
                Kin::Signs => ("signs", "falcon512"),
                Kin::Decapsulates => ("decapsulates", "mlkem768"),
            };
            let cure = format!("make one with pqc keygen --alg {algorithm}, or name one with -k");
            failure(Kind::Key, format!("no private key that {what} in the key home; {cure}"))
        })
        .with_context(|| shown(&home))
}

/// The private key of the key home that a ciphertext names.
fn home_key_of(container: &Container, isa: Isa, report: &Report) -> Result<Chosen> {
    let home = key_home::required("name a key with -k")?;
    for chosen in home_keys(Kin::Decapsulates, &home, report)? {
        if chosen.key.algorithm != container.algorithm {
            continue;
        }
        let public = chosen.key.public_key(isa).with_context(|| io::name_of(&chosen.path))?;
        if public.fingerprint() == container.fingerprint {
            return Ok(chosen);
        }
    }
    let (algorithm, fingerprint) = (container.algorithm.name(), container.fingerprint);
    let why = format!(
        "no private key in the key home is the one of the ciphertext, {algorithm} {fingerprint}; -k names one"
    );
    Err(failure(Kind::Key, why)).with_context(|| shown(&home))
}
