//! What is on disk: PEM blocks, PKCS#8 private keys (also under a password), SPKI public keys, containers of signatures and ciphertexts.
//!
//! Readers take bytes and give values or an [`crate::Error`] that says what was found instead; they open nothing,
//! and accept one spelling of each value. Start at [`pem`], which every other file stands on; [`recognise`] names
//! what a file is that is not ours.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

pub mod ciphertext;
pub mod encrypted;
pub mod pem;
pub mod pkcs8;
pub mod signature;
pub mod spki;

use core::fmt;
use sha2::{Digest, Sha256};
use std::str::FromStr;

/// SHA-256 of a public key's SPKI DER in the form that this program writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(pub [u8; 32]);

impl Fingerprint {
    /// The fingerprint of an SPKI.
    pub fn of_spki_der(der: &[u8]) -> Fingerprint {
        Fingerprint(Sha256::digest(der).into())
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Fingerprint {
    type Err = String;

    /// Reads 64 hexadecimal digits; upper case and colons are accepted.
    fn from_str(text: &str) -> Result<Fingerprint, String> {
        let digits: Vec<u8> = text
            .chars()
            .filter(|c| *c != ':')
            .map(|c| c.to_digit(16).and_then(|d| u8::try_from(d).ok()))
            .collect::<Option<_>>()
            .ok_or_else(|| "a fingerprint is 64 hexadecimal digits".to_owned())?;
        let bytes: Vec<u8> =
            digits.as_chunks::<2>().0.iter().map(|pair| pair.iter().fold(0, |a, d| a << 4 | d)).collect();
        match (digits.len(), <[u8; 32]>::try_from(bytes)) {
            (64, Ok(bytes)) => Ok(Fingerprint(bytes)),
            (found, _) => Err(format!("a fingerprint is 64 hexadecimal digits, found {found}")),
        }
    }
}

/// What a file is, from its first bytes and lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing.
    Empty,
    /// A PEM file; its label.
    Pem(String),
    /// A signature by OpenPGP software (GnuPG, Sequoia), armoured or not.
    OpenPgp,
    /// A signature by `ssh-keygen -Y sign`.
    SshSig,
    /// A signature by OpenBSD's signify.
    Signify,
    /// A signature by minisign or rsign2.
    Minisign,
    /// A public or private key of OpenSSH.
    OpenSshKey,
    /// DER without PEM armour.
    Der,
    /// Lines of base64 without the PEM lines around them.
    BareBase64,
    /// Something readable.
    Text,
    /// Something else.
    Binary,
}

impl Found {
    /// Whether this is a signature in another program's format.
    pub fn is_foreign_signature(&self) -> bool {
        matches!(self, Found::OpenPgp | Found::SshSig | Found::Signify | Found::Minisign)
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Found::Empty => "an empty file",
            Found::Pem(label) => {
                return match label.as_str() {
                    pem::PRIVATE_KEY => f.write_str("a private key (PKCS#8)"),
                    pem::PUBLIC_KEY => f.write_str("a public key (SPKI)"),
                    pem::SIGNATURE => f.write_str("a PQC SIGNATURE"),
                    pem::CIPHERTEXT => f.write_str("a PQC CIPHERTEXT"),
                    pem::ENCRYPTED_PRIVATE_KEY => f.write_str("a private key under a password"),
                    "CERTIFICATE" => f.write_str("a certificate"),
                    label => write!(f, "a PEM file with the label {label}"),
                };
            }
            Found::OpenPgp => "an OpenPGP signature",
            Found::SshSig => "an SSHSIG signature (ssh-keygen -Y)",
            Found::Signify => "a signify signature",
            Found::Minisign => "a minisign signature",
            Found::OpenSshKey => "an OpenSSH key",
            Found::Der => "DER without PEM lines around it",
            Found::BareBase64 => "base64 without PEM lines around it",
            Found::Text => "text of another kind",
            Found::Binary => "binary data of another kind",
        })
    }
}

/// Says what `bytes` are, as well as the first bytes and lines tell. A raw signature is [`Found::Binary`].
pub fn recognise(bytes: &[u8]) -> Found {
    if bytes.is_empty() {
        return Found::Empty;
    }
    if let Some(label) = pem::first_label(bytes) {
        return match label.as_str() {
            "PGP SIGNATURE" | "PGP MESSAGE" | "PGP SIGNED MESSAGE" => Found::OpenPgp,
            "SSH SIGNATURE" => Found::SshSig,
            "OPENSSH PRIVATE KEY" => Found::OpenSshKey,
            _ => Found::Pem(label),
        };
    }
    if bytes.starts_with(b"SSHSIG") {
        return Found::SshSig;
    }
    // A signature packet (tag 2) in the old format with a length of 1, 2 or 4 bytes, or in the new format, and
    // then the packet's version (RFC 9580, 4.2 and 5.2).
    let version_at = match bytes.first() {
        Some(0x88) => Some(2),
        Some(0x89) => Some(3),
        Some(0x8a) => Some(5),
        Some(0xc2) => match bytes.get(1) {
            Some(0..=191) => Some(2),
            Some(192..=223) => Some(3),
            Some(255) => Some(6),
            _ => None,
        },
        _ => None,
    };
    if version_at.and_then(|at| bytes.get(at)).is_some_and(|version| (3..=6).contains(version)) {
        return Found::OpenPgp;
    }
    let is_text = std::str::from_utf8(bytes).is_ok_and(|text| !text.contains('\0'));
    if !is_text {
        // A SEQUENCE whose length is the rest of the file.
        let whole = match bytes {
            [0x30, 0x82, high, low, rest @ ..] => usize::from(*high) << 8 | usize::from(*low) == rest.len(),
            [0x30, 0x81, length, rest @ ..] => usize::from(*length) == rest.len(),
            [0x30, length @ ..=0x7f, rest @ ..] => usize::from(*length) == rest.len(),
            _ => false,
        };
        return if whole { Found::Der } else { Found::Binary };
    }
    let starts = |line: &[u8]| bytes.starts_with(line);
    if starts(b"untrusted comment:") {
        let trusted = bytes.split(|b| *b == b'\n').any(|line| line.starts_with(b"trusted comment:"));
        return if trusted { Found::Minisign } else { Found::Signify };
    }
    if starts(b"ssh-") || starts(b"ecdsa-sha2-") || starts(b"sk-ssh-") {
        return Found::OpenSshKey;
    }
    let base64 = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=' | b'\n' | b'\r');
    if bytes.len() >= 64 && bytes.iter().all(base64) { Found::BareBase64 } else { Found::Text }
}

/// The tags of the fields of a SEQUENCE that fills `der`; none where it is no such thing.
pub fn field_tags(der: &[u8]) -> Vec<der::Tag> {
    use der::{Decode, Reader, SliceReader, Tagged};
    let read = |der| -> der::Result<Vec<der::Tag>> {
        let mut reader = SliceReader::new(der)?;
        let tags = reader.sequence(|fields: &mut SliceReader<'_>| -> der::Result<Vec<der::Tag>> {
            let mut tags = Vec::new();
            while !fields.is_finished() {
                tags.push(der::asn1::AnyRef::decode(fields)?.tag());
            }
            Ok(tags)
        })?;
        reader.finish()?;
        Ok(tags)
    };
    read(der).unwrap_or_default()
}

/// The version of a container of any version.
fn version_of(der: &[u8]) -> Option<u64> {
    use der::{Decode, Header, Reader, SliceReader, Tag};
    let mut reader = SliceReader::new(der).ok()?;
    let header = Header::decode(&mut reader).ok()?;
    if header.tag() != Tag::Sequence {
        return None;
    }
    reader.decode::<u64>().ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_is_read_in_upper_case_and_with_colons() {
        let plain = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
        let fingerprint: Fingerprint = plain.parse().unwrap();
        assert_eq!(fingerprint.to_string(), plain);
        assert_eq!(plain.to_uppercase().parse(), Ok(fingerprint));
        let colons: Vec<&str> = plain.as_bytes().chunks(2).map(|c| std::str::from_utf8(c).unwrap()).collect();
        assert_eq!(colons.join(":").parse(), Ok(fingerprint));
        for wrong in ["", "00", &plain[1..], &format!("{plain}0"), &plain.replace('0', "g")] {
            assert!(wrong.parse::<Fingerprint>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn other_programs_signatures_are_named() {
        let minisign = b"untrusted comment: x\nRWQ\ntrusted comment: y\nabc\n";
        for (bytes, expected) in [
            (&b""[..], Found::Empty),
            (b"-----BEGIN PGP SIGNATURE-----\n\niQ==\n-----END PGP SIGNATURE-----\n", Found::OpenPgp),
            (b"\x89\x01\x33\x04\x00", Found::OpenPgp),
            (b"\x88\x75\x04\x00\x16", Found::OpenPgp),
            (b"\xc2\xc1\x10\x06\x00", Found::OpenPgp),
            (b"-----BEGIN SSH SIGNATURE-----\nU1NIU0lH\n-----END SSH SIGNATURE-----\n", Found::SshSig),
            (b"SSHSIG\0\0\0\x01", Found::SshSig),
            (b"untrusted comment: verify with x.pub\nRWQ\n", Found::Signify),
            (minisign, Found::Minisign),
            (b"hello\n", Found::Text),
            (b"\x39\xff\x00", Found::Binary),
            (b"\x30\x81\x02\xff\xff", Found::Der),
            (b"\x30\x02\xff\xff", Found::Der),
            (b"\x30\x03\xff\xff", Found::Binary),
            (b"ssh-ed25519 AAAA x", Found::OpenSshKey),
        ] {
            assert_eq!(recognise(bytes), expected);
        }
    }
}
