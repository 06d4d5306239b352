//! Private keys: PKCS#8 PrivateKeyInfo (RFC 5208) in PEM.
//!
//! What the privateKey OCTET STRING holds is the family's: see [`falcon_key`] and [`kem`]; [`layout`] writes a key
//! in another form. Every buffer with private bytes is wiped. Reading looks at lengths alone;
//! [`PrivateKey::signing_key`] and [`PrivateKey::decapsulation_key`] check that the parts belong together. Keys under a
//! password: [`super::encrypted`]. Next: [`super::spki`].

pub mod falcon_key;
pub mod kem;
pub mod layout;

use super::spki::{PublicKey, algorithm_of, identifier, not_der};
use super::{Found, pem, recognise};
use crate::algorithm::Algorithm;
use crate::ct::{self, declassify};
use crate::error::Error;
use crate::isa::Isa;
use crate::kem::DecapsulationKey;
use crate::{falcon, kyber, ntru};
use der::asn1::{ObjectIdentifier, OctetStringRef};
use der::{Decode, Encode};
use falcon_key::{FalconForm, FalconKey};
use kem::{Form, KemKey};
use pkcs8::PrivateKeyInfoRef;
use zeroize::Zeroizing;

const WHAT: &str = "private key";

/// A private key as a file holds it: lengths are right, values have not been looked at.
pub struct PrivateKey {
    /// Whose key it is.
    pub algorithm: Algorithm,
    /// The identifier that was read; writing uses the algorithm's first.
    pub oid: ObjectIdentifier,
    /// The key.
    pub material: Material,
}

/// What the privateKey OCTET STRING holds.
pub enum Material {
    /// A Falcon key, and where the file has it the public key that it claims.
    Falcon(FalconKey),
    /// A KEM's key; its public key follows from it.
    Kem(KemKey),
}

impl PrivateKey {
    /// A signing key to be written.
    pub fn of_signing_key(key: &falcon::SigningKey) -> PrivateKey {
        let algorithm = Algorithm::Falcon(key.params());
        let public = Some(key.verifying_key().to_bytes());
        let material = Material::Falcon(FalconKey { form: FalconForm::Oqs, private: key.to_bytes(), public });
        PrivateKey { algorithm, oid: algorithm.object_identifier(), material }
    }

    /// A decapsulation key to be written: its seed where the algorithm has one, else the key, which for Kyber is the
    /// expanded one.
    pub fn of_decapsulation_key(key: &DecapsulationKey, isa: Isa) -> PrivateKey {
        let algorithm = key.algorithm();
        let whole = |form, bytes| KemKey { form, seed: None, expanded: Some(bytes) };
        let material = match key {
            DecapsulationKey::Kyber(key) => match key.seed() {
                Some(seed) => KemKey { form: Form::Seed, seed: Some(seed), expanded: None },
                None => whole(Form::BareExpanded, key.expanded(isa)),
            },
            DecapsulationKey::Ntru(key) => whole(Form::Wrapped, key.to_bytes()),
        };
        PrivateKey { algorithm, oid: algorithm.object_identifier(), material: Material::Kem(material) }
    }

    /// Reads the one PEM block of a file.
    ///
    /// # Errors
    /// [`Error::Format`], [`Error::Length`]. Other layouts and encrypted keys are named.
    pub fn from_pem(file: &[u8]) -> Result<PrivateKey, Error> {
        if let Found::Pem(label) = recognise(file)
            && label == pem::ENCRYPTED_PRIVATE_KEY
        {
            let why = "it is under a password".into();
            return Err(Error::Format { what: WHAT, why });
        }
        PrivateKey::from_der(&pem::decode(file, pem::PRIVATE_KEY, WHAT)?)
    }

    /// Reads a PrivateKeyInfo.
    ///
    /// # Errors
    /// [`Error::Format`], [`Error::Length`].
    pub fn from_der(der: &[u8]) -> Result<PrivateKey, Error> {
        let info = PrivateKeyInfoRef::from_der(der).map_err(|_| not_der(WHAT))?;
        let algorithm = algorithm_of(&info.algorithm, WHAT)?;
        let content = info.private_key.as_bytes();
        let material = match algorithm {
            Algorithm::Falcon(params) => Material::Falcon(FalconKey::read(content, params)?),
            Algorithm::Kyber(_) | Algorithm::Ntru(_) => {
                Material::Kem(KemKey::read(content, Form::all_of(algorithm), algorithm.private_key_len())?)
            }
        };
        let key = PrivateKey { algorithm, oid: info.algorithm.oid, material };
        // What the parser leaves out (attributes, a second public key, other spellings of a length) is not a key
        // of this layout: the file must be what writing the same key under its identifier gives.
        let written = key.der_under(info.algorithm.oid)?;
        // The comparison of lengths is of public sizes.
        let same = written.len() == der.len() && ct::eq(&written, der).into_public_bool();
        if !declassify(same, "a file that is not a key of this layout is refused") {
            let why = "it holds fields that a key of this layout does not have".into();
            return Err(Error::Format { what: WHAT, why });
        }
        Ok(key)
    }

    /// The PrivateKeyInfo in the form that this program writes; a KEM's key keeps the form that it was read in.
    ///
    /// # Errors
    /// None for keys of the right lengths.
    pub fn to_der(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.der_under(self.algorithm.object_identifier())
    }

    /// The PrivateKeyInfo under another identifier of the algorithm's, for programs that know no other.
    ///
    /// # Errors
    /// As [`PrivateKey::to_der`].
    pub fn der_under(&self, oid: ObjectIdentifier) -> Result<Zeroizing<Vec<u8>>, Error> {
        let content = match (&self.material, self.algorithm) {
            (Material::Falcon(key), Algorithm::Falcon(params)) => key.write(params),
            (Material::Kem(key), _) => key.write(),
            (Material::Falcon(_), _) => return Err(not_der(WHAT)),
        };
        let content = OctetStringRef::new(&content).map_err(|_| not_der(WHAT))?;
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

    /// The layout, as `pqc inspect` names it.
    pub fn layout(&self) -> &'static str {
        match &self.material {
            Material::Falcon(key) => key.form.name(),
            Material::Kem(key) => key.form.name(),
        }
    }

    /// The key, ready to sign. Its public half is recomputed and held against what the file claims, if it claims one.
    ///
    /// # Errors
    /// The engine's; [`Error::InvalidKey`] where the halves do not belong together; [`Error::Format`] for a key
    /// that signs nothing.
    pub fn signing_key(&self, isa: Isa) -> Result<falcon::SigningKey, Error> {
        let (Algorithm::Falcon(params), Material::Falcon(held)) = (self.algorithm, &self.material) else {
            return Err(self.other_use("signs nothing; sign needs a key of Falcon"));
        };
        let key = falcon::SigningKey::from_bytes(params, isa, &held.private)?;
        if held.public.as_ref().is_some_and(|public| key.verifying_key().to_bytes() != *public) {
            return Err(Error::InvalidKey { why: "its public half belongs to another key" });
        }
        Ok(key)
    }

    /// The key, ready to decapsulate: expanded if it is a seed, with the checks of FIPS 203, section 7.3, or those of
    /// [`ntru::DecapsulationKey::from_bytes`]. The halves of an expanded key must be a pair; where its seed is there too, it
    /// must give the expanded key, all of it.
    ///
    /// # Errors
    /// The engine's; [`Error::InvalidKey`] where the parts do not belong together; [`Error::Format`] for a key
    /// that decapsulates nothing.
    pub fn decapsulation_key(&self, isa: Isa) -> Result<DecapsulationKey, Error> {
        let Material::Kem(key) = &self.material else {
            return Err(self.other_use("decapsulates nothing; decaps needs a key of ML-KEM, Kyber or NTRU"));
        };
        match (self.algorithm, &key.seed, &key.expanded) {
            (Algorithm::Kyber(set), seed, expanded) => {
                let key = kyber_key(set, isa, seed.as_deref(), expanded.as_deref())?;
                Ok(DecapsulationKey::Kyber(Box::new(key)))
            }
            (Algorithm::Ntru(set), None, Some(bytes)) => {
                Ok(DecapsulationKey::Ntru(ntru::DecapsulationKey::from_bytes(set, isa, bytes)?))
            }
            _ => Err(not_der(WHAT)),
        }
    }

    /// The public key, recomputed from the private one, which is checked.
    ///
    /// # Errors
    /// As [`PrivateKey::signing_key`] and [`PrivateKey::decapsulation_key`].
    pub fn public_key(&self, isa: Isa) -> Result<PublicKey, Error> {
        let bytes = match self.algorithm {
            Algorithm::Falcon(_) => self.signing_key(isa)?.verifying_key().to_bytes(),
            Algorithm::Kyber(_) | Algorithm::Ntru(_) => self.decapsulation_key(isa)?.public_bytes(),
        };
        Ok(PublicKey::new(self.algorithm, bytes))
    }

    /// The public half that the file claims, unchecked.
    pub fn claimed(&self) -> Option<PublicKey> {
        match &self.material {
            Material::Falcon(FalconKey { public: Some(public), .. }) => {
                Some(PublicKey::new(self.algorithm, public.clone()))
            }
            _ => None,
        }
    }

    /// The public key for a list of keys to choose from: the half that the file claims, unchecked, where it claims one.
    ///
    /// # Errors
    /// As [`PrivateKey::public_key`], for a file without one.
    pub fn claimed_public_key(&self, isa: Isa) -> Result<PublicKey, Error> {
        self.claimed().map_or_else(|| self.public_key(isa), Ok)
    }

    fn other_use(&self, why: &str) -> Error {
        Error::Format { what: WHAT, why: format!("a key of {} {why}", self.algorithm.display_name()) }
    }
}

/// A key of ML-KEM or Kyber from its seed, its expanded key, or both.
fn kyber_key(
    set: kyber::ParameterSet,
    isa: Isa,
    seed: Option<&Vec<u8>>,
    expanded: Option<&Vec<u8>>,
) -> Result<kyber::DecapsulationKey, Error> {
    match (seed, expanded) {
        (Some(seed), None) => kyber::DecapsulationKey::from_seed(set, isa, seed),
        (None, Some(expanded)) => {
            let key = kyber::DecapsulationKey::from_expanded(set, isa, expanded)?;
            key.check_pair(isa)?;
            Ok(key)
        }
        (Some(seed), Some(expanded)) => {
            let key = kyber::DecapsulationKey::from_seed(set, isa, seed)?;
            let equal = ct::eq(&key.expanded(isa), expanded).into_public_bool();
            if !declassify(equal, "a private key whose parts differ is refused") {
                return Err(Error::InvalidKey { why: "its seed does not give its expanded key" });
            }
            Ok(key)
        }
        (None, None) => Err(not_der(WHAT)),
    }
}

/// Tag and length in DER.
fn header(tag: u8, len: usize) -> Vec<u8> {
    let [.., high, low] = len.to_be_bytes();
    match len {
        0..=0x7f => vec![tag, low],
        0x80..=0xff => vec![tag, 0x81, low],
        _ => vec![tag, 0x82, high, low],
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
    use super::kem::SEED_LEN;
    use super::*;
    use der::asn1::AnyRef;
    use spki::AlgorithmIdentifierRef;

    fn counting(len: usize, from: u8) -> Zeroizing<Vec<u8>> {
        Zeroizing::new((0..len).map(|i| from.wrapping_add(i as u8)).collect())
    }

    /// A key of the right lengths in every form that its algorithm has.
    fn samples(algorithm: Algorithm) -> Vec<PrivateKey> {
        let oid = algorithm.object_identifier();
        let private = || counting(algorithm.private_key_len(), 1);
        if let Algorithm::Falcon(params) = algorithm {
            // Where the header bytes are left out, reading puts the right ones there.
            let logn = params.logn() as u8;
            let with_header = |mut bytes: Zeroizing<Vec<u8>>, first: u8| {
                bytes[0] = first;
                bytes
            };
            let sample = |form: FalconForm| {
                let public = with_header(counting(algorithm.public_key_len(), 7), logn).to_vec();
                let public = matches!(form, FalconForm::Oqs | FalconForm::BouncyCastle).then_some(public);
                let key = FalconKey { form, private: with_header(private(), 0x50 + logn), public };
                PrivateKey { algorithm, oid, material: Material::Falcon(key) }
            };
            return FalconForm::ALL.map(sample).into();
        }
        let sample = |form: &Form| {
            let (seed, expanded) = form.holds();
            let key = KemKey {
                form: *form,
                seed: seed.then(|| counting(SEED_LEN, 3)),
                expanded: expanded.then(private),
            };
            PrivateKey { algorithm, oid, material: Material::Kem(key) }
        };
        Form::all_of(algorithm).iter().map(sample).collect()
    }

    fn info(algorithm: Algorithm, content: &[u8], parameters: Option<AnyRef<'_>>) -> Zeroizing<Vec<u8>> {
        let algorithm = AlgorithmIdentifierRef { oid: algorithm.object_identifier(), parameters };
        der_of(&PrivateKeyInfoRef::new(algorithm, OctetStringRef::new(content).unwrap())).unwrap()
    }

    fn error(der: &[u8]) -> String {
        PrivateKey::from_der(der).err().unwrap().to_string()
    }

    fn named(name: &str) -> Algorithm {
        Algorithm::from_name(name).unwrap()
    }

    #[test]
    fn sizes_are_those_of_other_programs() {
        let sizes = |name: &str| -> Vec<usize> {
            samples(named(name)).iter().map(|key| key.to_der().unwrap().len()).collect()
        };
        assert_eq!(sizes("falcon512"), [2202, 1305, 2223, 1301]);
        assert_eq!(sizes("falcon1024"), [4122, 2329, 4143, 2325]);
        assert_eq!(sizes("mlkem512"), [86, 1660, 1730, 84, 1656]);
        assert_eq!(sizes("mlkem768"), [86, 2428, 2498, 84, 2424]);
        assert_eq!(sizes("mlkem1024"), [86, 3196, 3266, 84, 3192]);
        assert_eq!(sizes("kyber512"), [1658, 1662]);
        assert_eq!(sizes("kyber1024-90s"), [3194, 3198]);
        assert_eq!(sizes("ntruhps2048509"), [965, 961]);
        assert_eq!(sizes("ntruhps40961229"), [2396, 2392]);
        assert_eq!(sizes("ntruhrss701"), [1480, 1476]);
    }

    #[test]
    fn a_key_comes_back_in_every_form_and_under_every_identifier() {
        for algorithm in Algorithm::ALL {
            for key in samples(*algorithm) {
                let read = PrivateKey::from_pem(key.to_pem().unwrap().as_bytes()).unwrap();
                assert_eq!((read.algorithm, read.layout()), (*algorithm, key.layout()));
                assert_eq!(*read.to_der().unwrap(), *key.to_der().unwrap());
                match (&read.material, &key.material) {
                    (Material::Falcon(now), Material::Falcon(then)) => {
                        assert_eq!((&now.private, &now.public), (&then.private, &then.public));
                    }
                    (Material::Kem(now), Material::Kem(then)) => {
                        assert_eq!((&now.seed, &now.expanded), (&then.seed, &then.expanded));
                    }
                    _ => panic!("{} came back as another family", algorithm.name()),
                }
                for oid in algorithm.object_identifiers() {
                    let read = PrivateKey::from_der(&key.der_under(*oid).unwrap()).unwrap();
                    assert_eq!((read.oid, &*read.to_der().unwrap()), (*oid, &*key.to_der().unwrap()));
                }
            }
        }
    }

    /// The bytes of the key itself may be anything to this reader; everything in front of them is fixed.
    #[test]
    fn every_truncation_extension_and_changed_header_byte_is_refused() {
        for (name, form) in [
            ("falcon512", 0),
            ("falcon512", 1),
            ("falcon512", 3),
            ("mlkem512", 0),
            ("mlkem512", 1),
            ("mlkem512", 2),
            ("kyber512", 0),
            ("kyber512", 1),
            ("ntruhrss701", 0),
        ] {
            let algorithm = named(name);
            let key = &samples(algorithm)[form];
            let der = key.to_der().unwrap();
            for len in 0..der.len() {
                assert!(PrivateKey::from_der(&der[..len]).is_err());
            }
            assert!(PrivateKey::from_der(&[&der[..], &[0]].concat()).is_err());
            let key_len = match &key.material {
                Material::Falcon(key) => key.private.len() + key.public.as_ref().map_or(0, Vec::len),
                Material::Kem(KemKey { seed: Some(_), expanded: None, .. }) => SEED_LEN,
                Material::Kem(_) => algorithm.private_key_len(),
            };
            for at in 0..der.len() - key_len {
                let in_seed = matches!(&key.material, Material::Kem(key) if key.form == Form::Both)
                    && (der.len() - key_len - 4 - SEED_LEN..der.len() - key_len - 4).contains(&at);
                for change in 1..=255 {
                    let mut changed = der.to_vec();
                    changed[at] ^= change;
                    if let Ok(read) = PrivateKey::from_der(&changed)
                        && !in_seed
                    {
                        let same = read.oid == algorithm.object_identifier();
                        assert!(!same, "{name} form {form} byte {at} change {change}");
                    }
                }
            }
        }
    }

    #[test]
    fn other_layouts_are_named() {
        let falcon = |content: &[u8], parameters| error(&info(named("falcon512"), content, parameters));
        assert!(falcon(&[7; 32], None).contains("FN-DSA"));
        let lengths = "expected 2182 or 1285 or 2203 or 1281 bytes of key, found";
        assert!(falcon(&[0x30, 0x03, 0x02, 0x01, 0x00], None).contains(&format!("{lengths} 5")));
        assert!(falcon(&[0x04, 0x01, 0x59], None).contains(&format!("{lengths} 3")));
        assert!(falcon(&[0x04; 2203], None).contains("damaged"));
        assert!(falcon(&[0x04, 0x01, 0x59], Some(AnyRef::NULL)).contains("parameters"));
        let locked = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n";
        assert!(PrivateKey::from_pem(locked.as_bytes()).err().unwrap().to_string().contains("password"));
    }

    #[test]
    fn a_kem_key_of_another_length_or_with_other_tags_is_refused() {
        let seed = |tag: u8, len: usize| [&[tag, len as u8][..], &vec![5; len]].concat();
        let error = |name: &str, content: &[u8]| error(&info(named(name), content, None));
        assert!(error("mlkem512", &seed(0x80, 63)).contains("expected 66 or 1636 or 1706 or 64 or 1632"));
        assert!(error("mlkem512", &seed(0x04, 64)).contains("damaged"));
        assert!(error("mlkem512", &seed(0x81, 64)).contains("damaged"));
        assert!(error("mlkem768", &[9; 1632]).contains("found 1632"));
        // Round 3 has no seeds.
        assert!(error("kyber512", &seed(0x80, 64)).contains("expected 1632 or 1636 bytes of key, found 66"));
        assert!(error("kyber512", &[9; 64]).contains("found 64"));
        assert!(error("ntruhrss701", &[9; 1449]).contains("expected 1454 or 1450 bytes of key, found 1449"));
        assert!(error("ntruhrss701", &[9; 1454]).contains("damaged"));
    }

    #[test]
    fn extra_fields_are_refused() {
        // Version 1 with attributes [0], which the parser skips.
        for name in ["falcon512", "mlkem1024"] {
            let key = &samples(named(name)).pop().unwrap();
            let der = key.to_der().unwrap();
            let mut extended = vec![0x30, 0x82];
            let len = u16::try_from(der.len() - 4 + 2).unwrap();
            extended.extend_from_slice(&len.to_be_bytes());
            extended.extend_from_slice(&der[4..]);
            extended.extend_from_slice(&[0xa0, 0x00]);
            assert!(error(&extended).contains("fields"));
        }
    }

    /// Everything in front of f, between the parts, and in front of h.
    #[test]
    fn every_changed_header_byte_of_the_layout_of_bouncy_castle_is_refused() {
        let content_at = 20;
        let der = samples(named("falcon512"))[2].to_der().unwrap();
        let parts = [(4 + 3 + 4, 384), (4, 384), (4, 512), (8, 896)];
        let mut at = content_at;
        let mut seen = 0;
        for (header, part) in parts {
            for byte in at..at + header {
                for change in 1..=255 {
                    let mut changed = der.to_vec();
                    changed[byte] ^= change;
                    assert!(PrivateKey::from_der(&changed).is_err(), "byte {byte} change {change}");
                }
                seen += 1;
            }
            at += header + part;
        }
        assert_eq!((at, seen), (der.len(), 27));
    }

    /// Files that OpenSSL 3.5.9 and Botan 3.7.1 made (`tests/vectors/peers`).
    fn peer(path: &str) -> Vec<u8> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/peers/");
        std::fs::read(format!("{folder}{path}")).unwrap_or_else(|why| panic!("{path}: {why}"))
    }

    fn decapsulates(file: &str, public: &str, stem: &str) {
        let private = PrivateKey::from_pem(&peer(file)).unwrap();
        let isa = Isa::detect();
        let public = PublicKey::from_pem(&peer(public)).unwrap();
        assert_eq!(private.public_key(isa), Ok(public), "{file}");
        let key = private.decapsulation_key(isa).unwrap();
        let ciphertext = peer(&format!("{stem}.ct.bin"));
        let secret = key.decapsulate(isa, &ciphertext).unwrap();
        assert_eq!(secret.expose().as_slice(), peer(&format!("{stem}.ss.bin")), "{file}");
    }

    #[test]
    fn every_form_that_openssl_writes_is_read_and_decapsulates() {
        for form in ["seed-only", "priv-only", "both", "bare-seed", "bare-priv"] {
            decapsulates(&format!("openssl/mlkem512-{form}.pem"), "openssl/mlkem512.pub", "openssl/mlkem512");
        }
        for set in ["openssl/mlkem768", "openssl/mlkem1024"] {
            decapsulates(&format!("{set}-seed-only.pem"), &format!("{set}.pub"), set);
        }
    }

    #[test]
    fn what_botan_writes_for_round_3_and_90s_is_read_and_decapsulates() {
        for set in ["botan/kyber512", "botan/kyber512-90s"] {
            decapsulates(&format!("{set}.pem"), &format!("{set}.pub"), set);
        }
    }

    /// Each byte of seed (d and z) and of expanded key: RFC 9935 wants the comparison, and a check of the public key
    /// alone would not see z.
    #[test]
    fn a_seed_that_does_not_give_the_expanded_key_is_refused() {
        let der = pem::decode(&peer("openssl/mlkem512-both.pem"), pem::PRIVATE_KEY, WHAT).unwrap();
        let whole = PrivateKey::from_der(&der).unwrap();
        assert!(whole.decapsulation_key(Isa::detect()).is_ok());
        let Material::Kem(key) = whole.material else { panic!("a KEM's key") };
        let (seed, expanded) = (key.seed.unwrap(), key.expanded.unwrap());
        let key = |seed: &[u8], expanded: &[u8]| PrivateKey {
            algorithm: whole.algorithm,
            oid: whole.oid,
            material: Material::Kem(KemKey {
                form: Form::Both,
                seed: Some(Zeroizing::new(seed.to_vec())),
                expanded: Some(Zeroizing::new(expanded.to_vec())),
            }),
        };
        let refused = |key: PrivateKey| {
            assert!(matches!(key.decapsulation_key(Isa::detect()), Err(Error::InvalidKey { .. })));
            assert!(key.public_key(Isa::detect()).is_err());
        };
        for at in 0..SEED_LEN {
            let mut changed = seed.to_vec();
            changed[at] ^= 1;
            refused(key(&changed, &expanded));
        }
        for at in 0..expanded.len() {
            let mut changed = expanded.to_vec();
            changed[at] ^= 0x80;
            refused(key(&seed, &changed));
        }
    }

    #[test]
    fn a_key_of_the_other_kind_is_refused_by_name() {
        let isa = Isa::detect();
        let why = samples(named("mlkem768"))[0].signing_key(isa).err().unwrap().to_string();
        assert!(why.contains("ML-KEM-768") && why.contains("signs nothing"), "{why}");
        let why = samples(named("falcon512"))[0].decapsulation_key(isa).err().unwrap().to_string();
        assert!(why.contains("Falcon-512") && why.contains("decapsulates nothing"), "{why}");
    }
}
