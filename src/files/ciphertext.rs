//! Ciphertexts of key encapsulation: the container `PQC CIPHERTEXT`, and the confirmation in it.
//!
//! DER: `SEQUENCE { version INTEGER (1), algorithm AlgorithmIdentifier, fingerprint OCTET STRING (32),
//! ciphertext OCTET STRING, confirmation OCTET STRING (16) }`. The ciphertext is the algorithm's own. A wrong key or
//! a changed ciphertext decapsulates to another secret without an error; the [`Confirmation`] tells. The
//! fingerprint is a hint for finding the key, and is not trusted.

use super::spki::{algorithm_of, identifier, not_der};
use super::{Fingerprint, pem, version_of};
use crate::algorithm::Algorithm;
use crate::ct::{self, declassify};
use crate::error::Error;
use crate::kem::check_ciphertext;
use der::asn1::OctetStringRef;
use der::{Decode, Encode, Sequence};
use sha3::Shake256;
use sha3::digest::{ExtendableOutput, Update, XofReader};
use spki::AlgorithmIdentifierRef;

const WHAT: &str = "ciphertext file";

/// The version that is written, and the only one that is read.
const VERSION: u64 = 1;

/// Bytes of a confirmation: 2^-128 is the chance that a wrong secret is taken for the right one.
pub const CONFIRMATION_LEN: usize = 16;

/// What is hashed in front of the secret, so that nothing else that is made from the secret is the same hash.
const LABEL: &[u8] = b"PQC CIPHERTEXT 1: confirmation";

/// The first 16 bytes of SHAKE256(label || secret || ciphertext): who has the secret can check that it is the one
/// that was encapsulated. It is public, and lets anybody test a guess of the secret.
#[derive(Clone, Copy, Debug)]
pub struct Confirmation(pub [u8; CONFIRMATION_LEN]);

impl Confirmation {
    /// The confirmation of a shared secret and its ciphertext.
    pub fn of(secret: &[u8; 32], ciphertext: &[u8]) -> Confirmation {
        let mut hash = Shake256::default();
        hash.update(LABEL);
        hash.update(secret);
        hash.update(ciphertext);
        let mut out = [0; CONFIRMATION_LEN];
        hash.finalize_xof().read(&mut out);
        Confirmation(out)
    }

    /// Whether two confirmations are equal; the time does not depend on where they differ.
    pub fn agrees_with(&self, other: &Confirmation) -> bool {
        declassify(
            ct::eq(&self.0, &other.0).into_public_bool(),
            "whether a ciphertext belongs to the key is what the command says",
        )
    }
}

/// What a ciphertext file says.
#[derive(Clone, Debug)]
pub struct Container {
    /// The algorithm of the key that was encapsulated to.
    pub algorithm: Algorithm,
    /// The fingerprint of the key that was encapsulated to, as the sender says.
    pub fingerprint: Fingerprint,
    /// The algorithm's own ciphertext, which has passed [`check_ciphertext`].
    pub ciphertext: Vec<u8>,
    /// What the secret is held against.
    pub confirmation: Confirmation,
}

#[derive(Sequence)]
struct ContainerDer<'a> {
    version: u64,
    algorithm: AlgorithmIdentifierRef<'a>,
    fingerprint: &'a OctetStringRef,
    ciphertext: &'a OctetStringRef,
    confirmation: &'a OctetStringRef,
}

impl Container {
    /// Reads the one PEM block of a file.
    ///
    /// # Errors
    /// As [`Container::from_der`].
    pub fn from_pem(file: &[u8]) -> Result<Container, Error> {
        Container::from_der(&pem::decode(file, pem::CIPHERTEXT, WHAT)?)
    }

    /// Reads a container.
    ///
    /// # Errors
    /// [`Error::Format`], [`Error::Length`], [`Error::NotCanonical`]; a later version is named.
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
        if !algorithm.is_kem() {
            return Err(fail(format!("{} has no ciphertexts", algorithm.display_name())));
        }
        let Ok(fingerprint) = read.fingerprint.as_bytes().try_into() else {
            return Err(fail("the fingerprint is not 32 bytes long".into()));
        };
        let Ok(confirmation) = read.confirmation.as_bytes().try_into() else {
            return Err(fail(format!("the confirmation is not {CONFIRMATION_LEN} bytes long")));
        };
        let ciphertext = read.ciphertext.as_bytes().to_vec();
        check_ciphertext(algorithm, &ciphertext)?;
        let fingerprint = Fingerprint(fingerprint);
        let container =
            Container { algorithm, fingerprint, ciphertext, confirmation: Confirmation(confirmation) };
        // One spelling: what writing gives.
        if container.to_der() != der {
            return Err(fail("it is not in the form that this program writes".into()));
        }
        Ok(container)
    }

    /// The container's DER.
    pub fn to_der(&self) -> Vec<u8> {
        // The failures below are lengths of 2^28 bytes and more.
        let parts = (
            OctetStringRef::new(&self.fingerprint.0),
            OctetStringRef::new(&self.ciphertext),
            OctetStringRef::new(&self.confirmation.0),
        );
        let (Ok(fingerprint), Ok(ciphertext), Ok(confirmation)) = parts else { return Vec::new() };
        let algorithm = identifier(self.algorithm);
        let der = ContainerDer { version: VERSION, algorithm, fingerprint, ciphertext, confirmation };
        der.to_der().unwrap_or_default()
    }

    /// The container in a PEM block.
    pub fn to_pem(&self) -> String {
        pem::encode(pem::CIPHERTEXT, &self.to_der())
    }

    /// Whether `secret` is the one that was encapsulated.
    pub fn confirms(&self, secret: &[u8; 32]) -> bool {
        self.confirmation.agrees_with(&Confirmation::of(secret, &self.ciphertext))
    }
}

/// Whether a file is a ciphertext container, whole or damaged: its first text is the BEGIN line of one.
pub fn is_container(file: &[u8]) -> bool {
    let text = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file).trim_ascii_start();
    text.starts_with(b"-----BEGIN PQC CIPHERTEXT-----")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    fn kems() -> impl Iterator<Item = (Algorithm, usize)> {
        Algorithm::ALL.iter().filter_map(|a| Some((*a, a.ciphertext_len()?)))
    }

    fn sample((algorithm, len): (Algorithm, usize)) -> Container {
        let mut ciphertext: Vec<u8> = (0..len).map(|i| i as u8).collect();
        ciphertext[len - 1] = 7;
        let confirmation = Confirmation::of(&[7; 32], &ciphertext);
        Container { algorithm, fingerprint: Fingerprint([9; 32]), ciphertext, confirmation }
    }

    #[test]
    fn a_container_comes_back_and_confirms_its_secret_alone() {
        assert_eq!(kems().count(), 15);
        for kem in kems() {
            let container = sample(kem);
            let pem = container.to_pem();
            assert!(is_container(pem.as_bytes()));
            let read = Container::from_pem(pem.as_bytes()).unwrap();
            assert_eq!((read.algorithm, read.fingerprint), (kem.0, container.fingerprint));
            assert_eq!(read.to_der(), container.to_der());
            assert!(read.confirms(&[7; 32]));
            for bit in 0..256 {
                let mut other = [7; 32];
                other[bit / 8] ^= 1 << (bit % 8);
                assert!(!read.confirms(&other));
            }
        }
    }

    #[test]
    fn every_bit_of_ciphertext_and_confirmation_counts() {
        let container = sample(kems().next().unwrap());
        for bit in 0..container.ciphertext.len() * 8 {
            let mut changed = container.clone();
            changed.ciphertext[bit / 8] ^= 1 << (bit % 8);
            assert!(!changed.confirms(&[7; 32]));
        }
        for bit in 0..CONFIRMATION_LEN * 8 {
            let mut changed = container.clone();
            changed.confirmation.0[bit / 8] ^= 1 << (bit % 8);
            assert!(!changed.confirms(&[7; 32]));
        }
    }

    /// The value was computed with another implementation of SHAKE256 (Python's hashlib).
    #[test]
    fn the_confirmation_is_the_documented_hash() {
        let expected = 0xad43c35d5986f8b3483c53d78c77a3cc_u128;
        assert_eq!(u128::from_be_bytes(Confirmation::of(&[7; 32], &[1, 2, 3]).0), expected);
    }

    #[test]
    fn every_truncation_extension_and_changed_byte_is_refused_or_read_as_written() {
        let kem = kems().next().unwrap();
        let der = sample(kem).to_der();
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
                }
            }
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let kem = kems().next().unwrap();
        let error = |container: &Container| Container::from_der(&container.to_der()).unwrap_err().to_string();
        let mut container = sample(kem);
        container.ciphertext.push(0);
        assert!(error(&container).contains(&format!("expected {} bytes, found {}", kem.1, kem.1 + 1)));
        let mut container = sample((Algorithm::from_name("ntruhrss701").unwrap(), 1138));
        container.ciphertext[1137] |= 0x10;
        assert!(error(&container).contains("spare bits"));
        let mut container = sample(kem);
        container.algorithm = *Algorithm::ALL.iter().find(|a| a.ciphertext_len().is_none()).unwrap();
        assert!(error(&container).contains("no ciphertexts"));
        let mut der = sample(kem).to_der();
        let at = der.windows(3).position(|w| w == [2, 1, 1]).unwrap();
        der[at + 2] = 2;
        assert!(Container::from_der(&der).unwrap_err().to_string().contains("version is 2"));
    }
}
