//! Which key a command uses, and what is checked of it.
//!
//! A private key is `-k`, else `$PQC_KEY`, else the only one in the key home. A public key is `-p`, a pin
//! (`-p sha256:...`), or one of the key home. Reading and choosing stand here; the file formats in
//! [`crate::files`].

use super::exit::{Kind, failure, usage};
use super::io::{self, Small};
use super::key_home;
use super::report::{Report, printable, shell_quoted, shown};
use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::falcon::{self, VerifyingKey};
use crate::files::pkcs8::PrivateKey;
use crate::files::spki::PublicKey;
use crate::files::{Fingerprint, Found, pem, recognise};
use crate::isa::Isa;
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

/// A private key that is ready to sign.
pub struct Signing {
    /// The expanded key.
    pub key: falcon::SigningKey,
    /// Its public key.
    pub public: PublicKey,
    /// Its fingerprint.
    pub fingerprint: Fingerprint,
    /// Its file; `-` is standard input.
    pub path: PathBuf,
    /// Who named the file.
    pub source: KeySource,
}

impl Signing {
    /// "PATH (ALG FINGERPRINT)".
    pub fn describe(&self) -> String {
        format!("{} ({} {})", io::name_of(&self.path), self.public.algorithm.name(), self.fingerprint)
    }
}

/// Expands a private key and holds its public half against what the file claims.
///
/// # Errors
/// The engine's; [`Error::InvalidKey`] where the halves do not belong together.
pub fn expand(key: &PrivateKey, isa: Isa) -> Result<falcon::SigningKey, Error> {
    let Algorithm::Falcon(params) = key.algorithm;
    let expanded = falcon::SigningKey::from_bytes(params, isa, &key.bytes)?;
    if expanded.verifying_key().to_bytes() != key.public.bytes {
        return Err(Error::InvalidKey { why: "its public half belongs to another key" });
    }
    Ok(expanded)
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

/// Reads a public key file.
///
/// # Errors
/// Unreadable or malformed; the message begins with the file's name.
pub fn read_public(path: &Path) -> Result<PublicKey> {
    let Small { bytes, .. } = io::read_small(path)?;
    if let Found::Pem(label) = recognise(&bytes)
        && matches!(label.as_str(), pem::PRIVATE_KEY | "ENCRYPTED PRIVATE KEY")
    {
        let quoted = shell_quoted(path.as_os_str());
        let why =
            format!("is a private key; the public one is needed (pqc inspect --public {quoted} prints it)");
        return Err(failure(Kind::Malformed, why)).with_context(|| io::name_of(path));
    }
    PublicKey::from_pem(&bytes).with_context(|| io::name_of(path))
}

/// The private key to sign with, expanded.
///
/// # Errors
/// None or several to choose from; unreadable or damaged.
pub fn signing_key(option: Option<&Path>, isa: Isa, report: &Report) -> Result<Signing> {
    let (path, source, key) = match (option, io::variable("PQC_KEY")) {
        (Some(path), _) => (path.to_owned(), KeySource::Option, read_private(path, report)?),
        (None, Some(value)) => {
            let path = PathBuf::from(value);
            let key = read_private(&path, report).context("PQC_KEY")?;
            (path, KeySource::Variable, key)
        }
        (None, None) => {
            let (path, key) = only_private_key(report)?;
            (path, KeySource::Home, key)
        }
    };
    let expanded = expand(&key, isa).with_context(|| io::name_of(&path))?;
    let fingerprint = key.public.fingerprint();
    let signing = Signing { key: expanded, public: key.public.clone(), fingerprint, path, source };
    report.note(&format!("key {} from {}", signing.describe(), source.phrase()));
    Ok(signing)
}

/// The only private key of the key home.
fn only_private_key(report: &Report) -> Result<(PathBuf, PrivateKey)> {
    let home = key_home::required("name a key with -k")?;
    let mut keys = Vec::new();
    for path in key_home::files(&home, ".key")? {
        // A damaged key is not skipped: it may be the one that is meant.
        let key = read_private(&path, report)?;
        keys.push((path, key));
    }
    if keys.len() > 1 {
        let mut message = "several private keys are in the key home; choose one:".to_owned();
        for (path, key) in &keys {
            let (path, algorithm) = (shell_quoted(path.as_os_str()), key.algorithm.name());
            message += &format!("\n  -k {path} ({algorithm} {})", key.public.fingerprint());
        }
        return Err(failure(Kind::Key, message));
    }
    keys.pop().ok_or_else(|| {
        let why = "no private key in the key home; make one with pqc keygen --alg falcon512, or name one with -k";
        failure(Kind::Key, why)
    })
    .with_context(|| shown(&home))
}

/// What `-p` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PublicArgument {
    /// A file.
    File(PathBuf),
    /// `sha256:FINGERPRINT`.
    Pin(Fingerprint),
}

impl PublicArgument {
    /// Reads the value of `-p`.
    ///
    /// # Errors
    /// A usage failure where a fingerprint is not one.
    pub fn parse(value: &Path) -> Result<PublicArgument> {
        let bytes = value.as_os_str().as_encoded_bytes();
        let Some((prefix, hex)) = bytes.split_at_checked("sha256:".len()) else {
            return Ok(PublicArgument::File(value.to_owned()));
        };
        if !prefix.eq_ignore_ascii_case(b"sha256:") {
            return Ok(PublicArgument::File(value.to_owned()));
        }
        match String::from_utf8_lossy(hex).parse() {
            Ok(fingerprint) => Ok(PublicArgument::Pin(fingerprint)),
            Err(why) => Err(usage(format!("-p {}: {why}", printable(value.as_os_str())))),
        }
    }
}

/// A public key that is ready to verify.
#[derive(Clone, Debug)]
pub struct Known {
    /// The key.
    pub key: VerifyingKey,
    /// Its algorithm.
    pub algorithm: Algorithm,
    /// Its fingerprint.
    pub fingerprint: Fingerprint,
    /// What it is called in "OK by NAME".
    pub name: String,
    /// Its file, if it has one.
    pub path: Option<PathBuf>,
    /// Where it came from.
    pub source: KeySource,
}

impl Known {
    /// Decodes a public key.
    ///
    /// # Errors
    /// The engine's.
    pub fn new(public: &PublicKey, path: Option<&Path>, source: KeySource) -> Result<Known, Error> {
        let Algorithm::Falcon(params) = public.algorithm;
        let name = match path {
            None => "the key inside the signature".to_owned(),
            Some(path) => match io::stem(path, ".pub") {
                Some(stem) => printable(stem),
                None => io::name_of(path),
            },
        };
        Ok(Known {
            key: VerifyingKey::from_bytes(params, &public.bytes)?,
            algorithm: public.algorithm,
            fingerprint: public.fingerprint(),
            name,
            path: path.map(Path::to_owned),
            source,
        })
    }

    /// Reads a public key file.
    ///
    /// # Errors
    /// Unreadable or malformed; the message begins with the file's name.
    pub fn read(path: &Path, source: KeySource) -> Result<Known> {
        let public = read_public(path)?;
        Known::new(&public, Some(path), source).with_context(|| io::name_of(path))
    }
}

/// The public keys of the key home, where nothing but the folder speaks for them: none may be writable by others
/// and none damaged. Without a key home there are none.
///
/// # Errors
/// A key failure; unreadable or malformed.
pub fn trusted_home_keys() -> Result<Vec<Known>> {
    let Some(home) = key_home::Environment::current().key_home()? else { return Ok(Vec::new()) };
    key_home::only_mine(&home)?;
    let mut keys = Vec::new();
    for path in key_home::files(&home, ".pub")? {
        key_home::only_mine(&path)?;
        keys.push(Known::read(&path, KeySource::Home)?);
    }
    Ok(keys)
}

/// The key with this fingerprint in the key home. The fingerprint speaks for it, so who can write the folder does
/// not matter, and files that cannot be read are passed over.
///
/// # Errors
/// Where `PQC_HOME` is relative.
pub fn pinned_home_key(pin: Fingerprint) -> Result<Option<Known>> {
    let Some(home) = key_home::Environment::current().key_home()? else { return Ok(None) };
    for path in key_home::files(&home, ".pub").unwrap_or_default() {
        if let Ok(known) = Known::read(&path, KeySource::Home)
            && known.fingerprint == pin
        {
            return Ok(Some(known));
        }
    }
    Ok(None)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_pin_is_told_from_a_file() {
        let hex = "ab".repeat(32);
        let parse = |text: &str| PublicArgument::parse(Path::new(text));
        assert_eq!(parse(&format!("sha256:{hex}")).unwrap(), PublicArgument::Pin(hex.parse().unwrap()));
        assert_eq!(
            parse(&format!("SHA256:{}", hex.to_uppercase())).unwrap(),
            PublicArgument::Pin(hex.parse().unwrap())
        );
        for file in ["a.pub", "./sha256:00", "-", "sha256"] {
            assert_eq!(parse(file).unwrap(), PublicArgument::File(file.into()));
        }
        assert!(parse("sha256:00").is_err());
        assert!(parse("sha256:").is_err());
    }
}
