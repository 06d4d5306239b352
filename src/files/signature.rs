//! Signatures: the container `PQC SIGNATURE`, and what a bare signature looks like.
//!
//! DER: `SEQUENCE { version INTEGER (1), algorithm AlgorithmIdentifier, fingerprint OCTET STRING (32),
//! signature OCTET STRING, key [0] EXPLICIT SubjectPublicKeyInfo OPTIONAL }`. The signature is the algorithm's own
//! over the file's bytes. Fingerprint and key are hints for finding a key; nothing here is trusted.

use super::spki::{PublicKey, algorithm_of, identifier, not_der};
use super::{Fingerprint, pem, version_of};
use crate::algorithm::Algorithm;
use crate::error::Error;
use der::asn1::OctetStringRef;
use der::{Decode, Encode, Sequence};
use spki::{AlgorithmIdentifierRef, SubjectPublicKeyInfoRef};

const WHAT: &str = "signature file";

/// The version that is written, and the only one that is read.
const VERSION: u64 = 1;

/// What a signature file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container {
    /// The algorithm of the key that signed.
    pub algorithm: Algorithm,
    /// The fingerprint of the key that signed, as the signer says.
    pub fingerprint: Fingerprint,
    /// The algorithm's own signature; its length has not been looked at.
    pub signature: Vec<u8>,
    /// The key that signed, as the signer says.
    pub key: Option<PublicKey>,
}

#[derive(Sequence)]
struct ContainerDer<'a> {
    version: u64,
    algorithm: AlgorithmIdentifierRef<'a>,
    fingerprint: &'a OctetStringRef,
    signature: &'a OctetStringRef,
    #[asn1(context_specific = "0", optional = "true", tag_mode = "EXPLICIT")]
    key: Option<SubjectPublicKeyInfoRef<'a>>,
}

impl Container {
    /// Reads the one PEM block of a file.
    ///
    /// # Errors
    /// [`Error::Format`].
    pub fn from_pem(file: &[u8]) -> Result<Container, Error> {
        Container::from_der(&pem::decode(file, pem::SIGNATURE, WHAT)?)
    }

    /// Reads a container.
    ///
    /// # Errors
    /// [`Error::Format`]; a later version is named.
    pub fn from_der(der: &[u8]) -> Result<Container, Error> {
        let fail = |why: String| Error::Format { what: WHAT, why };
        // A later version may hold other fields, so its number is looked at first.
        if let Some(version) = version_of(der)
            && version != VERSION
        {
            return Err(fail(format!("its version is {version}, this program reads {VERSION}")));
        }
        let read = ContainerDer::from_der(der).map_err(|_| not_der(WHAT))?;
        let algorithm = algorithm_of(&read.algorithm, WHAT)?;
        if algorithm.is_kem() {
            return Err(fail(format!("{} has no signatures", algorithm.display_name())));
        }
        let Ok(fingerprint) = read.fingerprint.as_bytes().try_into() else {
            return Err(fail("the fingerprint is not 32 bytes long".into()));
        };
        let container = Container {
            algorithm,
            fingerprint: Fingerprint(fingerprint),
            signature: read.signature.as_bytes().to_vec(),
            key: read.key.as_ref().map(PublicKey::from_info).transpose()?,
        };
        if let Some(key) = &container.key
            && (key.algorithm, key.fingerprint()) != (algorithm, container.fingerprint)
        {
            return Err(fail("the key inside is not the key that it names".into()));
        }
        // One spelling: what writing gives.
        if container.to_der() != der {
            return Err(fail("it is not in the form that this program writes".into()));
        }
        Ok(container)
    }

    /// The container's DER.
    pub fn to_der(&self) -> Vec<u8> {
        // The failures below are lengths of 2^28 bytes and more.
        let key = self.key.as_ref().map(PublicKey::to_der);
        let parts = (
            OctetStringRef::new(&self.fingerprint.0),
            OctetStringRef::new(&self.signature),
            key.as_deref().map(SubjectPublicKeyInfoRef::from_der).transpose(),
        );
        let (Ok(fingerprint), Ok(signature), Ok(key)) = parts else { return Vec::new() };
        let algorithm = identifier(self.algorithm);
        ContainerDer { version: VERSION, algorithm, fingerprint, signature, key }.to_der().unwrap_or_default()
    }

    /// The container in a PEM block.
    pub fn to_pem(&self) -> String {
        pem::encode(pem::SIGNATURE, &self.to_der())
    }
}

/// Whether a file is a signature container, whole or damaged: its first text is the BEGIN line of one.
pub fn is_container(file: &[u8]) -> bool {
    let text = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file).trim_ascii_start();
    text.starts_with(b"-----BEGIN PQC SIGNATURE-----")
}

/// Whether bytes can be a bare signature: they are binary. A bare signature holds 40 random bytes and more, so it
/// is never readable text; text is told apart from it by that.
pub fn may_be_raw(file: &[u8]) -> bool {
    !file.is_empty() && !file.iter().all(|b| matches!(b, b'\t' | b'\n' | b'\r' | b' '..=b'~')) && {
        Container::from_der(file).is_err()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    fn sample(with_key: bool) -> Container {
        let algorithm = Algorithm::ALL[0];
        let key = PublicKey::new(algorithm, vec![9; algorithm.public_key_len()]);
        Container {
            algorithm,
            fingerprint: key.fingerprint(),
            signature: vec![0x39; 666],
            key: with_key.then_some(key),
        }
    }

    #[test]
    fn a_container_comes_back() {
        for with_key in [false, true] {
            let container = sample(with_key);
            assert_eq!(Container::from_pem(container.to_pem().as_bytes()), Ok(container.clone()));
            assert!(is_container(container.to_pem().as_bytes()));
        }
    }

    #[test]
    fn every_truncation_extension_and_changed_byte_is_refused_or_read_as_written() {
        for with_key in [false, true] {
            let der = sample(with_key).to_der();
            for len in 0..der.len() {
                assert!(Container::from_der(&der[..len]).is_err());
            }
            assert!(Container::from_der(&[&der[..], &[0]].concat()).is_err());
            for at in 0..der.len() {
                for bit in 0..8 {
                    let mut changed = der.clone();
                    changed[at] ^= 1 << bit;
                    if let Ok(read) = Container::from_der(&changed) {
                        assert_eq!(read.to_der(), changed);
                        assert_ne!(read, sample(with_key));
                    }
                }
            }
        }
    }

    #[test]
    fn a_later_version_is_named() {
        let mut der = sample(false).to_der();
        let at = der.windows(3).position(|w| w == [2, 1, 1]).unwrap();
        der[at + 2] = 2;
        let error = Container::from_der(&der).unwrap_err().to_string();
        assert!(error.contains("version is 2"), "{error}");
    }

    #[test]
    fn an_algorithm_without_signatures_is_refused() {
        for algorithm in Algorithm::ALL.iter().filter(|a| a.is_kem()) {
            let container = Container { algorithm: *algorithm, ..sample(false) };
            let error = Container::from_der(&container.to_der()).unwrap_err().to_string();
            assert!(error.contains("no signatures"), "{error}");
        }
    }

    #[test]
    fn a_key_that_is_not_the_named_one_is_refused() {
        let mut container = sample(true);
        container.fingerprint.0[0] ^= 1;
        let error = Container::from_der(&container.to_der()).unwrap_err().to_string();
        assert!(error.contains("not the key"), "{error}");
    }

    #[test]
    fn text_and_a_stripped_container_are_no_bare_signatures() {
        assert!(!may_be_raw(b"hello\n"));
        assert!(!may_be_raw(b""));
        assert!(!may_be_raw(&sample(false).to_der()));
        assert!(may_be_raw(&[0x39, 0x80, 0x00]));
    }
}
