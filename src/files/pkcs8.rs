//! Private keys: PKCS#8 PrivateKeyInfo (RFC 5208) in PEM, in the layout of liboqs' OpenSSL provider and wolfSSL.
//!
//! For Falcon the privateKey OCTET STRING holds an OCTET STRING that holds the private key's bytes followed by the
//! public key's. Every buffer with private bytes is wiped. The public half is only claimed here: whoever expands
//! the key compares it (`SigningKey` recomputes it). Next: [`super::spki`].

use super::spki::{PublicKey, algorithm_of, identifier, not_der};
use super::{Found, pem, recognise};
use crate::algorithm::Algorithm;
use crate::error::Error;
use der::asn1::{ObjectIdentifier, OctetStringRef};
use der::{Decode, Encode};
use pkcs8::PrivateKeyInfoRef;
use zeroize::Zeroizing;

const WHAT: &str = "private key";

/// A private key as a file holds it: lengths are right, values have not been looked at.
pub struct PrivateKey {
    /// Whose key it is.
    pub algorithm: Algorithm,
    /// The identifier that was read; writing uses the algorithm's first.
    pub oid: ObjectIdentifier,
    /// The algorithm's own encoding.
    pub bytes: Zeroizing<Vec<u8>>,
    /// The public key that the file claims.
    pub public: PublicKey,
}

/// The layout that is read and written, as `pqc inspect` names it.
pub const LAYOUT: &str = "OQS (private then public key)";

impl PrivateKey {
    /// Reads the one PEM block of a file.
    ///
    /// # Errors
    /// [`Error::Format`], [`Error::Length`]. Other layouts and encrypted keys are named.
    pub fn from_pem(file: &[u8]) -> Result<PrivateKey, Error> {
        if let Found::Pem(label) = recognise(file)
            && label == "ENCRYPTED PRIVATE KEY"
        {
            let why = "it is under a password, which this version cannot take off".into();
            return Err(Error::Format { what: WHAT, why });
        }
        PrivateKey::from_der(&pem::decode(file, pem::PRIVATE_KEY, WHAT)?)
    }

    /// Reads a PrivateKeyInfo.
    ///
    /// # Errors
    /// [`Error::Format`], [`Error::Length`].
    pub fn from_der(der: &[u8]) -> Result<PrivateKey, Error> {
        let fail = |why: &str| Error::Format { what: WHAT, why: why.into() };
        let info = PrivateKeyInfoRef::from_der(der).map_err(|_| not_der(WHAT))?;
        let algorithm = algorithm_of(&info.algorithm, WHAT)?;
        let content = info.private_key.as_bytes();
        match content {
            [0x30, ..] => {
                return Err(fail("it has the layout of Bouncy Castle, which this version does not read"));
            }
            [..] if content.len() == 32 => {
                return Err(fail("it holds a 32-byte seed (a draft of FN-DSA), which is no Falcon key"));
            }
            [..] if content.len() == algorithm.private_key_len() => {
                return Err(fail(
                    "the key stands in one OCTET STRING and without its public half; two are expected",
                ));
            }
            _ => {}
        }
        let inner = <&OctetStringRef>::from_der(content).map_err(|_| not_der(WHAT))?.as_bytes();
        let expected = algorithm.private_key_len() + algorithm.public_key_len();
        let (Some((private, public)), true) =
            (inner.split_at_checked(algorithm.private_key_len()), inner.len() == expected)
        else {
            return Err(Error::Length { what: "private and public key", expected, found: inner.len() });
        };
        let key = PrivateKey {
            algorithm,
            oid: info.algorithm.oid,
            bytes: Zeroizing::new(private.to_vec()),
            public: PublicKey::new(algorithm, public.to_vec()),
        };
        // What the parser leaves out (attributes, a second public key, other spellings of a length) is not a key
        // of this layout: the file must be what writing the same key under its identifier gives.
        if *key.der_under(info.algorithm.oid)? != *der {
            return Err(fail("it holds fields that a key of this layout does not have"));
        }
        Ok(key)
    }

    /// The PrivateKeyInfo in the form that this program writes.
    ///
    /// # Errors
    /// None for keys of the right lengths.
    pub fn to_der(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.der_under(self.algorithm.object_identifier())
    }

    fn der_under(&self, oid: ObjectIdentifier) -> Result<Zeroizing<Vec<u8>>, Error> {
        let mut both = Zeroizing::new(Vec::with_capacity(self.bytes.len() + self.public.bytes.len()));
        both.extend_from_slice(&self.bytes);
        both.extend_from_slice(&self.public.bytes);
        let inner = der_of(&OctetStringRef::new(&both).map_err(|_| not_der(WHAT))?)?;
        let content = OctetStringRef::new(&inner).map_err(|_| not_der(WHAT))?;
        let mut algorithm = identifier(self.algorithm);
        algorithm.oid = oid;
        der_of(&PrivateKeyInfoRef::new(algorithm, content))
    }

    /// The PrivateKeyInfo in a PEM block.
    ///
    /// # Errors
    /// As [`PrivateKey::to_der`].
    pub fn to_pem(&self) -> Result<Zeroizing<String>, Error> {
        Ok(pem::encode_secret(pem::PRIVATE_KEY, &self.to_der()?))
    }
}

/// Encodes into a buffer of exactly the right size, so that none is left behind by growing.
fn der_of(value: &impl Encode) -> Result<Zeroizing<Vec<u8>>, Error> {
    let len =
        value.encoded_len().ok().and_then(|len| usize::try_from(len).ok()).ok_or_else(|| not_der(WHAT))?;
    let mut der = Zeroizing::new(vec![0; len]);
    value.encode_to_slice(&mut der).map_err(|_| not_der(WHAT))?;
    Ok(der)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;
    use der::asn1::AnyRef;
    use spki::AlgorithmIdentifierRef;

    fn sample(algorithm: Algorithm) -> PrivateKey {
        PrivateKey {
            algorithm,
            oid: algorithm.object_identifier(),
            bytes: Zeroizing::new((0..algorithm.private_key_len()).map(|i| i as u8).collect()),
            public: PublicKey::new(algorithm, (0..algorithm.public_key_len()).map(|i| !i as u8).collect()),
        }
    }

    fn info(content: &[u8], parameters: Option<AnyRef<'_>>) -> Zeroizing<Vec<u8>> {
        let algorithm = AlgorithmIdentifierRef { oid: Algorithm::ALL[0].object_identifier(), parameters };
        der_of(&PrivateKeyInfoRef::new(algorithm, OctetStringRef::new(content).unwrap())).unwrap()
    }

    fn error(der: &[u8]) -> String {
        PrivateKey::from_der(der).err().unwrap().to_string()
    }

    #[test]
    fn sizes_are_those_of_other_programs() {
        let sizes: Vec<usize> = Algorithm::ALL.iter().map(|a| sample(*a).to_der().unwrap().len()).collect();
        assert_eq!(sizes, [2202, 4122]);
    }

    #[test]
    fn a_key_comes_back_under_every_identifier() {
        for algorithm in Algorithm::ALL {
            let key = sample(*algorithm);
            let read = PrivateKey::from_pem(key.to_pem().unwrap().as_bytes()).unwrap();
            assert_eq!((&*read.bytes, &read.public), (&*key.bytes, &key.public));
            for oid in algorithm.object_identifiers() {
                let read = PrivateKey::from_der(&key.der_under(*oid).unwrap()).unwrap();
                assert_eq!((read.oid, &*read.to_der().unwrap()), (*oid, &*key.to_der().unwrap()));
            }
        }
    }

    #[test]
    fn every_truncation_extension_and_changed_header_byte_is_refused() {
        let der = sample(Algorithm::ALL[0]).to_der().unwrap();
        for len in 0..der.len() {
            assert!(PrivateKey::from_der(&der[..len]).is_err());
        }
        assert!(PrivateKey::from_der(&[&der[..], &[0]].concat()).is_err());
        for at in 0..der.len() - 2178 {
            for change in 1..=255 {
                let mut changed = der.to_vec();
                changed[at] ^= change;
                if let Ok(read) = PrivateKey::from_der(&changed) {
                    assert_ne!(read.oid, Algorithm::ALL[0].object_identifier(), "byte {at} change {change}");
                }
            }
        }
    }

    #[test]
    fn other_layouts_are_named() {
        assert!(error(&info(&[0x30, 0x03, 0x02, 0x01, 0x00], None)).contains("Bouncy Castle"));
        assert!(error(&info(&[7; 32], None)).contains("FN-DSA"));
        assert!(error(&info(&[0x59; 1281], None)).contains("OCTET STRING"));
        assert!(error(&info(&[0x04, 0x01, 0x59], None)).contains("expected 2178 bytes, found 1"));
        assert!(error(&info(&[0x04, 0x01, 0x59], Some(AnyRef::NULL))).contains("parameters"));
        let locked = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n";
        assert!(PrivateKey::from_pem(locked.as_bytes()).err().unwrap().to_string().contains("password"));
    }

    #[test]
    fn extra_fields_are_refused() {
        // Version 1 with attributes [0], which the parser skips.
        let key = sample(Algorithm::ALL[0]);
        let der = key.to_der().unwrap();
        let mut extended = vec![0x30, 0x82];
        let len = u16::try_from(der.len() - 4 + 2).unwrap();
        extended.extend_from_slice(&len.to_be_bytes());
        extended.extend_from_slice(&der[4..]);
        extended.extend_from_slice(&[0xa0, 0x00]);
        assert!(error(&extended).contains("fields"));
    }
}
