//! Which public key a command uses: `-p FILE`, a pin (`-p sha256:...`), or those of the key home.

use super::{KeySource, key_home};
use crate::algorithm::Algorithm;
use crate::cli::exit::{Kind, failure, usage};
use crate::cli::io::{self, Small};
use crate::cli::report::{printable, shell_quoted};
use crate::error::Error;
use crate::falcon::VerifyingKey;
use crate::files::spki::PublicKey;
use crate::files::{Fingerprint, Found, pem, recognise};
use crate::isa::Isa;
use crate::kem::EncapsulationKey;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

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

/// A public key that is ready for use: [`Verifier`] or [`Encapsulator`].
#[derive(Clone, Debug)]
pub struct Known<K> {
    /// The key.
    pub key: K,
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

/// A key that verifies.
pub type Verifier = Known<VerifyingKey>;
/// A key that encapsulates.
pub type Encapsulator = Known<EncapsulationKey>;

impl<K> Known<K> {
    fn of(key: K, public: &PublicKey, path: Option<&Path>, source: KeySource) -> Known<K> {
        let name = match path {
            None => "the key inside the signature".to_owned(),
            Some(path) => match io::stem(path, ".pub") {
                Some(stem) => printable(stem),
                None => io::name_of(path),
            },
        };
        let path = path.map(Path::to_owned);
        Known { key, algorithm: public.algorithm, fingerprint: public.fingerprint(), name, path, source }
    }
}

impl Verifier {
    /// Decodes a public key.
    ///
    /// # Errors
    /// The engine's; a key that verifies nothing.
    pub fn new(public: &PublicKey, path: Option<&Path>, source: KeySource) -> Result<Verifier, Error> {
        Ok(Known::of(public.verifying_key()?, public, path, source))
    }

    /// Reads a public key file.
    ///
    /// # Errors
    /// Unreadable, malformed, or a key that verifies nothing; the message begins with the file's name.
    pub fn read(path: &Path, source: KeySource) -> Result<Verifier> {
        let public = read_public(path)?;
        Verifier::new(&public, Some(path), source).with_context(|| io::name_of(path))
    }
}

impl Encapsulator {
    /// The key that `-p` names. A fingerprint speaks for a key of the key home.
    ///
    /// # Errors
    /// Unreadable, malformed (with the checks of FIPS 203, section 7.2, or of NTRU's spare bits), a key that encapsulates nothing; a
    /// fingerprint that no key of the key home has.
    pub fn chosen(value: &Path, isa: Isa) -> Result<Encapsulator> {
        let (path, public, source) = match PublicArgument::parse(value)? {
            PublicArgument::File(path) => {
                let public = read_public(&path)?;
                (path, public, KeySource::Option)
            }
            PublicArgument::Pin(pin) => {
                let (path, public) = pinned_home_key(pin)?.ok_or_else(|| {
                    failure(Kind::Key, format!("no public key with fingerprint {pin} in the key home"))
                })?;
                (path, public, KeySource::Home)
            }
        };
        let key = public.encapsulation_key(isa).with_context(|| io::name_of(&path))?;
        Ok(Known::of(key, &public, Some(&path), source))
    }
}

/// The public keys of the key home that verify, where nothing but the folder speaks for them: none may be writable
/// by others and none damaged. Without a key home there are none.
///
/// # Errors
/// A key failure; unreadable or malformed.
pub fn trusted_home_keys() -> Result<Vec<Verifier>> {
    let Some(home) = key_home::Environment::current().key_home()? else { return Ok(Vec::new()) };
    key_home::only_mine(&home)?;
    let mut keys = Vec::new();
    for path in key_home::files(&home, ".pub")? {
        key_home::only_mine(&path)?;
        let public = read_public(&path)?;
        if !public.algorithm.is_kem() {
            keys.push(
                Verifier::new(&public, Some(&path), KeySource::Home).with_context(|| io::name_of(&path))?,
            );
        }
    }
    Ok(keys)
}

/// The key with this fingerprint in the key home, and its file. The fingerprint speaks for it, so who can write the
/// folder does not matter, and files that cannot be read are passed over.
///
/// # Errors
/// Where `PQC_HOME` is relative.
pub fn pinned_home_key(pin: Fingerprint) -> Result<Option<(PathBuf, PublicKey)>> {
    let Some(home) = key_home::Environment::current().key_home()? else { return Ok(None) };
    for path in key_home::files(&home, ".pub").unwrap_or_default() {
        if let Ok(public) = read_public(&path)
            && public.fingerprint() == pin
        {
            return Ok(Some((path, public)));
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
