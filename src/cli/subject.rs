//! What a file holds that may be any of ours: keys, signatures and ciphertexts, in PEM, in DER, or raw.
//!
//! For `inspect` and `convert`; the other commands know what they want and read nothing else.

use super::exit::{Kind, failure};
use crate::algorithm::{Algorithm, Status};
use crate::error::Error;
use crate::falcon;
use crate::files::encrypted::Encrypted;
use crate::files::pkcs8::PrivateKey;
use crate::files::signature::may_be_raw;
use crate::files::spki::PublicKey;
use crate::files::{Found, ciphertext, field_tags, pem, recognise, signature};
use anyhow::Result;

/// How it is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Armour {
    /// In lines of base64 with a label.
    Pem,
    /// The structure alone.
    Der,
    /// The algorithm's own bytes.
    Raw,
}

impl Armour {
    /// The word in `--json`.
    pub fn name(self) -> &'static str {
        match self {
            Armour::Pem => "pem",
            Armour::Der => "der",
            Armour::Raw => "raw",
        }
    }
}

/// What a file holds.
pub enum Subject {
    /// A private key.
    Private(PrivateKey),
    /// A private key under a password.
    Encrypted(Encrypted),
    /// A public key.
    Public(PublicKey),
    /// A signature container.
    Signature(signature::Container),
    /// A bare Falcon signature, with its algorithm and spelling.
    RawSignature(Algorithm, falcon::Encoding),
    /// A ciphertext container.
    Ciphertext(ciphertext::Container),
    /// What has the length of a bare ciphertext of these algorithms.
    RawCiphertext(Vec<Algorithm>),
}

/// Reads a file. The raw bytes of a key are taken for one only where `alg` says whose they are.
///
/// # Errors
/// Malformed; the message does not begin with the file's name.
pub fn read(bytes: &[u8], alg: Option<Algorithm>) -> Result<(Subject, Armour)> {
    let (subject, armour) = match pem::first_label(bytes).as_deref() {
        Some(pem::PRIVATE_KEY) => (Subject::Private(PrivateKey::from_pem(bytes)?), Armour::Pem),
        Some(pem::ENCRYPTED_PRIVATE_KEY) => (Subject::Encrypted(Encrypted::from_pem(bytes)?), Armour::Pem),
        Some(pem::PUBLIC_KEY) => (Subject::Public(PublicKey::from_pem(bytes)?), Armour::Pem),
        Some(pem::SIGNATURE) => (Subject::Signature(signature::Container::from_pem(bytes)?), Armour::Pem),
        Some(pem::CIPHERTEXT) => (Subject::Ciphertext(ciphertext::Container::from_pem(bytes)?), Armour::Pem),
        _ => match (raw_key(bytes, alg)?, der(bytes)?) {
            (Some(key), _) => (key, Armour::Raw),
            (None, Some(subject)) => (subject, Armour::Der),
            (None, None) => (raw(bytes, alg)?, Armour::Raw),
        },
    };
    if let (Some(said), Some(found)) = (alg, subject.algorithm())
        && said != found
    {
        let (said, found) = (said.name(), found.name());
        return Err(failure(Kind::Malformed, format!("is of {found}, and --alg says {said}")));
    }
    Ok((subject, armour))
}

impl Subject {
    /// Whose it is, where the file says so.
    pub fn algorithm(&self) -> Option<Algorithm> {
        match self {
            Subject::Private(key) => Some(key.algorithm),
            Subject::Public(key) => Some(key.algorithm),
            Subject::Signature(container) => Some(container.algorithm),
            Subject::RawSignature(algorithm, _) => Some(*algorithm),
            Subject::Ciphertext(container) => Some(container.algorithm),
            Subject::Encrypted(_) | Subject::RawCiphertext(_) => None,
        }
    }
}

/// The raw bytes of a key of the algorithm `alg`, known by their length.
fn raw_key(bytes: &[u8], alg: Option<Algorithm>) -> Result<Option<Subject>> {
    let Some(alg) = alg else { return Ok(None) };
    if bytes.len() == alg.public_key_len() {
        return Ok(Some(Subject::Public(PublicKey::new(alg, bytes.to_vec()))));
    }
    Ok(PrivateKey::from_raw(alg, bytes).ok().map(Subject::Private))
}

/// A key in DER; the tags of its fields tell which structure it is.
fn der(bytes: &[u8]) -> Result<Option<Subject>, Error> {
    use der::Tag::{BitString, Integer, OctetString, Sequence};
    if recognise(bytes) != Found::Der {
        return Ok(None);
    }
    match field_tags(bytes).as_slice() {
        // A container of ours goes on with another OCTET STRING.
        [Integer, Sequence, OctetString, OctetString, ..] => Ok(None),
        [Integer, Sequence, OctetString, ..] => {
            PrivateKey::from_der(bytes).map(|key| Some(Subject::Private(key)))
        }
        [Sequence, OctetString] => Encrypted::from_der(bytes).map(|key| Some(Subject::Encrypted(key))),
        [Sequence, BitString] => PublicKey::from_der(bytes).map(|key| Some(Subject::Public(key))),
        _ => Ok(None),
    }
}

/// A bare signature, or what has the length of a bare ciphertext.
fn raw(bytes: &[u8], alg: Option<Algorithm>) -> Result<Subject> {
    let found = recognise(bytes);
    let why = match alg {
        Some(alg) => {
            let (public, private) = (alg.public_key_len(), alg.private_key_len());
            let seed = if alg.status() == Status::Standard { " or 64 (seed)" } else { "" };
            let len = bytes.len();
            format!(
                "is {found} of {len} bytes; a raw {} key has {public} (public), {private} (private){seed}",
                alg.name()
            )
        }
        None => match raw_signature(bytes).or_else(|| raw_ciphertext(bytes)) {
            Some(subject) => return Ok(subject),
            None if found == Found::Binary => format!(
                "is {found}; no signature or ciphertext of this program, and a key's bare bytes need --alg"
            ),
            None => format!("is {found}; no key, signature or ciphertext of this program"),
        },
    };
    Err(failure(Kind::Malformed, why))
}

/// A bare signature: the header byte says which algorithm, the length which encoding.
fn raw_signature(bytes: &[u8]) -> Option<Subject> {
    Algorithm::ALL.iter().find_map(|algorithm| {
        let Algorithm::Falcon(params) = algorithm else { return None };
        let header = u8::try_from(0x30 + params.logn()).ok()?;
        let encoding = falcon::encoding_of_len(*params, bytes.len())?;
        let fits = may_be_raw(bytes) && bytes.first() == Some(&header);
        fits.then_some(Subject::RawSignature(*algorithm, encoding))
    })
}

/// A bare ciphertext has nothing but its length to know it by.
fn raw_ciphertext(bytes: &[u8]) -> Option<Subject> {
    let fits = |algorithm: &&Algorithm| algorithm.ciphertext_len() == Some(bytes.len());
    let possible: Vec<Algorithm> = Algorithm::ALL.iter().filter(fits).copied().collect();
    (!possible.is_empty() && recognise(bytes) == Found::Binary).then_some(Subject::RawCiphertext(possible))
}
