//! Public keys: SubjectPublicKeyInfo (RFC 5280, 4.1.2.7) in PEM.
//!
//! The algorithm's own bytes stand in the BIT STRING and the identifier has no parameters. Reading gives the key
//! in the form that this program writes, whichever identifier it had, and so does its [`Fingerprint`].

use super::{Fingerprint, pem};
use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::isa::Isa;
use crate::kem::EncapsulationKey;
use crate::{falcon, kyber, ntru};
use der::asn1::{AnyRef, BitStringRef, ObjectIdentifier};
use der::{Decode, Encode};
use spki::{AlgorithmIdentifierRef, SubjectPublicKeyInfoRef};

const WHAT: &str = "public key";

/// A public key as a file holds it: the length is right, the value has not been looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    /// Whose key it is.
    pub algorithm: Algorithm,
    /// The identifier that was read; writing uses the algorithm's first.
    pub oid: ObjectIdentifier,
    /// The algorithm's own encoding.
    pub bytes: Vec<u8>,
}

impl PublicKey {
    /// A key to be written.
    pub fn new(algorithm: Algorithm, bytes: Vec<u8>) -> PublicKey {
        PublicKey { algorithm, oid: algorithm.object_identifier(), bytes }
    }

    /// Reads the one PEM block of a file.
    ///
    /// # Errors
    /// [`Error::Format`], [`Error::Length`].
    pub fn from_pem(file: &[u8]) -> Result<PublicKey, Error> {
        PublicKey::from_der(&pem::decode(file, pem::PUBLIC_KEY, WHAT)?)
    }

    /// Reads an SPKI.
    ///
    /// # Errors
    /// [`Error::Format`], [`Error::Length`].
    pub fn from_der(der: &[u8]) -> Result<PublicKey, Error> {
        let info = SubjectPublicKeyInfoRef::from_der(der).map_err(|_| not_der(WHAT))?;
        PublicKey::from_info(&info)
    }

    /// Reads an SPKI that stands inside another structure.
    pub(super) fn from_info(info: &SubjectPublicKeyInfoRef<'_>) -> Result<PublicKey, Error> {
        let algorithm = algorithm_of(&info.algorithm, WHAT)?;
        let Some(bytes) = info.subject_public_key.as_bytes() else {
            return Err(Error::Format { what: WHAT, why: "the key does not end at a whole byte".into() });
        };
        Error::check_length(WHAT, algorithm.public_key_len(), bytes)?;
        Ok(PublicKey { algorithm, oid: info.algorithm.oid, bytes: bytes.to_vec() })
    }

    /// The SPKI in the form that this program writes.
    pub fn to_der(&self) -> Vec<u8> {
        self.der_under(self.algorithm.object_identifier())
    }

    /// The SPKI under another identifier of the algorithm's, for programs that know no other.
    pub fn der_under(&self, oid: ObjectIdentifier) -> Vec<u8> {
        let Ok(bits) = BitStringRef::from_bytes(&self.bytes) else { return Vec::new() };
        let algorithm = AlgorithmIdentifierRef { oid, ..identifier(self.algorithm) };
        let info = SubjectPublicKeyInfoRef { algorithm, subject_public_key: bits };
        // The only failure is a length of 2^28 bytes and more.
        info.to_der().unwrap_or_default()
    }

    /// The SPKI in a PEM block.
    pub fn to_pem(&self) -> String {
        pem::encode(pem::PUBLIC_KEY, &self.to_der())
    }

    /// The key, ready to verify.
    ///
    /// # Errors
    /// The engine's; [`Error::Format`] for a key that verifies nothing.
    pub fn verifying_key(&self) -> Result<falcon::VerifyingKey, Error> {
        match self.algorithm {
            Algorithm::Falcon(params) => falcon::VerifyingKey::from_bytes(params, &self.bytes),
            Algorithm::Kyber(_) | Algorithm::Ntru(_) => {
                Err(self.other_use("verifies nothing; verify needs a key of Falcon"))
            }
        }
    }

    /// The key, ready to encapsulate: for ML-KEM with the checks of FIPS 203, section 7.2; for NTRU, spare bits are zero.
    ///
    /// # Errors
    /// The engine's; [`Error::Format`] for a key that encapsulates nothing.
    pub fn encapsulation_key(&self, isa: Isa) -> Result<EncapsulationKey, Error> {
        match self.algorithm {
            Algorithm::Kyber(set) => {
                let key = kyber::EncapsulationKey::from_bytes(set, isa, &self.bytes)?;
                Ok(EncapsulationKey::Kyber(Box::new(key)))
            }
            Algorithm::Ntru(set) => {
                Ok(EncapsulationKey::Ntru(ntru::EncapsulationKey::from_bytes(set, isa, &self.bytes)?))
            }
            Algorithm::Falcon(_) => {
                Err(self.other_use("encapsulates nothing; encaps needs a key of ML-KEM, Kyber or NTRU"))
            }
        }
    }

    fn other_use(&self, why: &str) -> Error {
        Error::Format { what: WHAT, why: format!("a key of {} {why}", self.algorithm.display_name()) }
    }

    /// SHA-256 of [`PublicKey::to_der`].
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_spki_der(&self.to_der())
    }
}

/// The AlgorithmIdentifier that is written: no parameters.
pub(super) fn identifier(algorithm: Algorithm) -> AlgorithmIdentifierRef<'static> {
    AlgorithmIdentifierRef { oid: algorithm.object_identifier(), parameters: None::<AnyRef<'static>> }
}

/// The algorithm of an AlgorithmIdentifier. Parameters must be absent: NULL is another spelling, and refused.
pub(super) fn algorithm_of(id: &AlgorithmIdentifierRef<'_>, what: &'static str) -> Result<Algorithm, Error> {
    let Some(algorithm) = Algorithm::from_object_identifier(id.oid) else {
        let why = match known_oid(id.oid) {
            Some(name) => format!("its algorithm is {name}, which this version does not have"),
            None => format!("its algorithm {} is not known to this version", id.oid),
        };
        return Err(Error::Format { what, why });
    };
    if id.parameters.is_some() {
        let why = format!("{} has no algorithm parameters, this file gives some", algorithm.display_name());
        return Err(Error::Format { what, why });
    }
    Ok(algorithm)
}

/// The error for what is not the DER of `what`.
pub(super) fn not_der(what: &'static str) -> Error {
    Error::Format { what, why: "the block is damaged (not the DER of one, or bytes follow it)".into() }
}

/// Names of algorithms that other programs write and this version does not have.
fn known_oid(oid: ObjectIdentifier) -> Option<&'static str> {
    const NIST: &str = "2.16.840.1.101.3.4.";
    let text = oid.to_string();
    if let Some(arc) = text.strip_prefix(NIST) {
        return match arc {
            "3.17" => Some("ML-DSA-44"),
            "3.18" => Some("ML-DSA-65"),
            "3.19" => Some("ML-DSA-87"),
            _ if arc.starts_with("3.2") || arc.starts_with("3.3") => Some("SLH-DSA"),
            _ => None,
        };
    }
    match text.as_str() {
        "1.2.840.113549.1.1.1" => Some("RSA"),
        "1.2.840.10045.2.1" => Some("elliptic curve (ECDSA, ECDH)"),
        "1.3.101.110" => Some("X25519"),
        "1.3.101.112" => Some("Ed25519"),
        "1.3.101.113" => Some("Ed448"),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    fn sample(algorithm: Algorithm) -> PublicKey {
        PublicKey::new(algorithm, (0..algorithm.public_key_len()).map(|i| i as u8).collect())
    }

    #[test]
    fn sizes_are_those_of_other_programs() {
        let sizes: Vec<usize> = Algorithm::ALL.iter().map(|a| sample(*a).to_der().len()).collect();
        let falcon_and_kyber = [915, 1811, 822, 1206, 1590, 824, 1208, 1592, 824, 1208, 1592];
        let ntru = [723, 954, 1254, 1866, 1162, 2425];
        assert_eq!(sizes, [&falcon_and_kyber[..], &ntru].concat());
    }

    #[test]
    fn a_key_comes_back_and_its_fingerprint_does_not_depend_on_the_identifier() {
        for algorithm in Algorithm::ALL {
            let key = sample(*algorithm);
            assert_eq!(PublicKey::from_pem(key.to_pem().as_bytes()), Ok(key.clone()));
            for oid in algorithm.object_identifiers() {
                let mut der = key.to_der();
                let written = algorithm.object_identifier();
                let written = written.as_bytes();
                let at = der.windows(written.len()).position(|w| w == written).unwrap();
                der[at..at + written.len()].copy_from_slice(oid.as_bytes());
                let read = PublicKey::from_der(&der).unwrap();
                assert_eq!((read.oid, read.fingerprint()), (*oid, key.fingerprint()));
            }
        }
    }

    #[test]
    fn every_truncation_extension_and_changed_header_byte_is_refused() {
        let der = sample(Algorithm::ALL[0]).to_der();
        for len in 0..der.len() {
            assert!(PublicKey::from_der(&der[..len]).is_err());
        }
        assert!(PublicKey::from_der(&[&der[..], &[0]].concat()).is_err());
        // The header: everything in front of the key itself.
        for at in 0..der.len() - 897 {
            for change in 1..=255 {
                let mut changed = der.clone();
                changed[at] ^= change;
                if let Ok(read) = PublicKey::from_der(&changed) {
                    assert_ne!(read.oid, Algorithm::ALL[0].object_identifier(), "byte {at} change {change}");
                }
            }
        }
    }

    #[test]
    fn parameters_are_refused_even_null() {
        let key = sample(Algorithm::ALL[0]);
        let info = SubjectPublicKeyInfoRef {
            algorithm: AlgorithmIdentifierRef { oid: key.oid, parameters: Some(AnyRef::NULL) },
            subject_public_key: BitStringRef::from_bytes(&key.bytes).unwrap(),
        };
        let error = PublicKey::from_der(&info.to_der().unwrap()).unwrap_err();
        assert!(error.to_string().contains("parameters"));
    }

    #[test]
    fn another_algorithm_is_named() {
        let bytes = [0; 32];
        let info = SubjectPublicKeyInfoRef {
            algorithm: AlgorithmIdentifierRef {
                oid: ObjectIdentifier::new_unwrap("1.3.101.112"),
                parameters: None,
            },
            subject_public_key: BitStringRef::from_bytes(&bytes).unwrap(),
        };
        let error = PublicKey::from_der(&info.to_der().unwrap()).unwrap_err();
        assert!(error.to_string().contains("Ed25519"));
    }
}
