//! Which key a command uses, and what is checked of it.
//!
//! A private key is `-k`, else `$PQC_KEY`, else one of the key home (`home.rs`). Public keys stand in [`public`]; the
//! file formats in [`crate::files`].

mod home;
pub mod public;

use super::exit::{Kind, failure};
use super::io::{self, Small};
use super::password::{self, Source, Unlocked};
use super::report::{Report, shell_quoted, shown};
use crate::files::ciphertext::Container;
use crate::files::encrypted::Encrypted;
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

/// A private key as its file has it.
pub enum Held {
    /// Readable.
    Open(PrivateKey),
    /// Under a password.
    Locked(Encrypted),
}

/// Reads a private key file; warns where others can read it.
///
/// # Errors
/// Unreadable or malformed; the message begins with the file's name.
pub fn read_held(path: &Path, report: &Report) -> Result<Held> {
    let Small { bytes, metadata } = io::read_small(path)?;
    if let Found::Pem(label) = recognise(&bytes)
        && label == pem::PUBLIC_KEY
    {
        let why = "is a public key; a private key (NAME.key) is needed";
        return Err(failure(Kind::Malformed, why)).with_context(|| io::name_of(path));
    }
    let held = if Encrypted::is_pem(&bytes) {
        Encrypted::from_pem(&bytes).map(Held::Locked)
    } else {
        PrivateKey::from_pem(&bytes).map(Held::Open)
    };
    let held = held.with_context(|| io::name_of(path))?;
    if metadata.is_some_and(|m| m.is_file() && io::others_can_read(&m)) {
        let quoted = shell_quoted(path.as_os_str());
        report.warn(&format!("{}: others can read this private key; chmod 600 {quoted}", shown(path)));
    }
    Ok(held)
}

/// Reads a private key file, and takes its password off if it has one.
///
/// # Errors
/// As [`read_held`] and [`unlocked`].
pub fn read_private(path: &Path, password: Source<'_>, isa: Isa, report: &Report) -> Result<PrivateKey> {
    opened(read_held(path, report)?, path, password, isa, report)
}

fn opened(held: Held, path: &Path, password: Source<'_>, isa: Isa, report: &Report) -> Result<PrivateKey> {
    match held {
        Held::Open(key) => {
            password::note_unused(password, path, report);
            Ok(key)
        }
        Held::Locked(encrypted) => Ok(unlocked(&encrypted, path, password, isa)?.key),
    }
}

/// Takes the password off a private key, and checks what comes out: the encryption would not show a change of the
/// file. Its halves must belong together, and NAME.pub beside NAME.key, if there is one, must be its public key.
///
/// # Errors
/// No password or a wrong one; a key that is damaged; the message begins with the file's name.
pub fn unlocked(encrypted: &Encrypted, path: &Path, password: Source<'_>, isa: Isa) -> Result<Unlocked> {
    let check = || -> Result<Unlocked> {
        let unlocked = password::unlock(encrypted, password, path)?;
        let public = unlocked.key.public_key(isa)?;
        if let Some((beside, claimed)) = public_beside(path)
            && claimed.fingerprint() != public.fingerprint()
        {
            let why = format!("is damaged, or not the private key of {} beside it", shown(&beside));
            return Err(failure(Kind::Malformed, why));
        }
        Ok(unlocked)
    };
    check().with_context(|| io::name_of(path))
}

/// NAME.pub beside NAME.key, if it is a public key.
fn public_beside(path: &Path) -> Option<(PathBuf, PublicKey)> {
    let mut name = io::stem(path, ".key")?.to_owned();
    name.push(".pub");
    let beside = path.with_file_name(name);
    public::read_public(&beside).ok().map(|key| (beside, key))
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
pub fn signing_key(
    option: Option<&Path>,
    password: Source<'_>,
    isa: Isa,
    report: &Report,
) -> Result<Signing> {
    let chosen = match named_key(option, password, isa, report)? {
        Some(chosen) => chosen,
        None => home::only_home_key(home::Kin::Signs, password, isa, report)?,
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
    password: Source<'_>,
    container: Option<&Container>,
    isa: Isa,
    report: &Report,
) -> Result<Decapsulating> {
    let chosen = match (named_key(option, password, isa, report)?, container) {
        (Some(chosen), _) => chosen,
        (None, Some(container)) => home::home_key_of(container, password, isa, report)?,
        (None, None) => home::only_home_key(home::Kin::Decapsulates, password, isa, report)?,
    };
    let key = chosen.key.decapsulation_key(isa).with_context(|| io::name_of(&chosen.path))?;
    let public = PublicKey::new(chosen.key.algorithm, key.public_bytes());
    Ok(Ready::of(key, public, chosen, report))
}

/// The key of `-k` or `$PQC_KEY`.
fn named_key(
    option: Option<&Path>,
    password: Source<'_>,
    isa: Isa,
    report: &Report,
) -> Result<Option<Chosen>> {
    Ok(match (option, io::variable("PQC_KEY")) {
        (Some(path), _) => {
            let key = read_private(path, password, isa, report)?;
            Some(Chosen { path: path.to_owned(), source: KeySource::Option, key })
        }
        (None, Some(value)) => {
            let path = PathBuf::from(value);
            let key = read_private(&path, password, isa, report).context("PQC_KEY")?;
            Some(Chosen { path, source: KeySource::Variable, key })
        }
        (None, None) => None,
    })
}
