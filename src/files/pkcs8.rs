//! Private keys: PKCS#8 PrivateKeyInfo (RFC 5208) in PEM.
//!
//! What the privateKey OCTET STRING holds is the family's: for Falcon an OCTET STRING with the private key's bytes
//! followed by the public key's, as liboqs' OpenSSL provider and wolfSSL have it; for KEMs see [`kem`]. Every buffer
//! with private bytes is wiped. Reading looks at lengths alone; [`PrivateKey::signing_key`] and
//! [`PrivateKey::decapsulation_key`] check that the parts belong together. Next: [`super::spki`].

pub mod kem;

use super::spki::{PublicKey, algorithm_of, identifier, not_der};
use super::{Found, pem, recognise};
use crate::algorithm::Algorithm;
use crate::ct::{self, declassify};
use crate::error::Error;
use crate::isa::Isa;
use crate::{falcon, kyber};
use der::asn1::{ObjectIdentifier, OctetStringRef};
use der::{Decode, Encode};
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
    /// Falcon: the algorithm's own encoding, and the public key that the file claims.
    Pair {
        /// The private key.
        private: Zeroizing<Vec<u8>>,
        /// The public key.
        public: Vec<u8>,
    },
    /// A KEM's key; its public key follows from it.
    Kem(KemKey),
}

impl PrivateKey {
    /// A signing key to be written.
    pub fn of_signing_key(key: &falcon::SigningKey) -> PrivateKey {
        let algorithm = Algorithm::Falcon(key.params());
        let material = Material::Pair { private: key.to_bytes(), public: key.verifying_key().to_bytes() };
        PrivateKey { algorithm, oid: algorithm.object_identifier(), material }
    }

    /// A decapsulation key to be written: its seed where the algorithm has one, else the expanded key.
    pub fn of_decapsulation_key(key: &kyber::DecapsulationKey, isa: Isa) -> PrivateKey {
        let algorithm = Algorithm::Kyber(key.parameter_set());
        let material = Material::Kem(match key.seed() {
            Some(seed) => {
                let seed = Some(Zeroizing::new(seed.to_vec()));
                KemKey { form: Form::Seed, seed, expanded: None }
            }
            None => KemKey { form: Form::BareExpanded, seed: None, expanded: Some(key.expanded(isa)) },
        });
        PrivateKey { algorithm, oid: algorithm.object_identifier(), material }
    }

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
        let info = PrivateKeyInfoRef::from_der(der).map_err(|_| not_der(WHAT))?;
        let algorithm = algorithm_of(&info.algorithm, WHAT)?;
        let content = info.private_key.as_bytes();
        let material = match algorithm {
            Algorithm::Falcon(_) => falcon_pair(algorithm, content)?,
            Algorithm::Kyber(set) => {
                let forms = if set.is_standard() { Form::ML_KEM } else { Form::KYBER };
                Material::Kem(KemKey::read(content, forms, algorithm.private_key_len())?)
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

    fn der_under(&self, oid: ObjectIdentifier) -> Result<Zeroizing<Vec<u8>>, Error> {
        let content = match &self.material {
            Material::Pair { private, public } => {
                let mut both = Zeroizing::new(Vec::with_capacity(private.len() + public.len()));
                both.extend_from_slice(private);
                both.extend_from_slice(public);
                der_of(&OctetStringRef::new(&both).map_err(|_| not_der(WHAT))?)?
            }
            Material::Kem(key) => key.write(),
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
            Material::Pair { .. } => "OQS (private then public key)",
            Material::Kem(key) => key.form.name(),
        }
    }

    /// The key, ready to sign. Its public half is recomputed and held against what the file claims.
    ///
    /// # Errors
    /// The engine's; [`Error::InvalidKey`] where the halves do not belong together; [`Error::Format`] for a key
    /// that signs nothing.
    pub fn signing_key(&self, isa: Isa) -> Result<falcon::SigningKey, Error> {
        let (Algorithm::Falcon(params), Material::Pair { private, public }) =
            (self.algorithm, &self.material)
        else {
            return Err(self.other_use("signs nothing; sign needs a key of Falcon"));
        };
        let key = falcon::SigningKey::from_bytes(params, isa, private)?;
        if key.verifying_key().to_bytes() != *public {
            return Err(Error::InvalidKey { why: "its public half belongs to another key" });
        }
        Ok(key)
    }

    /// The key, ready to decapsulate: expanded if it is a seed, with the checks of FIPS 203, section 7.3. The halves of an
    /// expanded key must be a pair; where its seed is there too, it must give the expanded key, all of it.
    ///
    /// # Errors
    /// The engine's; [`Error::InvalidKey`] where the parts do not belong together; [`Error::Format`] for a key
    /// that decapsulates nothing.
    pub fn decapsulation_key(&self, isa: Isa) -> Result<kyber::DecapsulationKey, Error> {
        let (Algorithm::Kyber(set), Material::Kem(key)) = (self.algorithm, &self.material) else {
            return Err(self.other_use("decapsulates nothing; decaps needs a key of ML-KEM or Kyber"));
        };
        match (&key.seed, &key.expanded) {
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

    /// The public key, recomputed from the private one, which is checked.
    ///
    /// # Errors
    /// As [`PrivateKey::signing_key`] and [`PrivateKey::decapsulation_key`].
    pub fn public_key(&self, isa: Isa) -> Result<PublicKey, Error> {
        let bytes = match self.algorithm {
            Algorithm::Falcon(_) => self.signing_key(isa)?.verifying_key().to_bytes(),
            Algorithm::Kyber(_) => self.decapsulation_key(isa)?.encapsulation_key().to_bytes(),
        };
        Ok(PublicKey::new(self.algorithm, bytes))
    }

    /// The public key for a list of keys to choose from: of a Falcon key the half that the file claims, unchecked.
    ///
    /// # Errors
    /// As [`PrivateKey::decapsulation_key`], for a KEM's key.
    pub fn claimed_public_key(&self, isa: Isa) -> Result<PublicKey, Error> {
        match &self.material {
            Material::Pair { public, .. } => Ok(PublicKey::new(self.algorithm, public.clone())),
            Material::Kem(_) => self.public_key(isa),
        }
    }

    fn other_use(&self, why: &str) -> Error {
        Error::Format { what: WHAT, why: format!("a key of {} {why}", self.algorithm.display_name()) }
    }
}

/// The content of a Falcon key: an OCTET STRING with both halves.
fn falcon_pair(algorithm: Algorithm, content: &[u8]) -> Result<Material, Error> {
    let fail = |why: &str| Err(Error::Format { what: WHAT, why: why.into() });
    match content {
        [0x30, ..] => return fail("it has the layout of Bouncy Castle, which this version does not read"),
        [..] if content.len() == 32 => {
            return fail("it holds a 32-byte seed (a draft of FN-DSA), which is no Falcon key");
        }
        [..] if content.len() == algorithm.private_key_len() => {
            return fail("the key stands in one OCTET STRING and without its public half; two are expected");
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
    Ok(Material::Pair { private: Zeroizing::new(private.to_vec()), public: public.to_vec() })
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
        let forms = match algorithm {
            Algorithm::Falcon(_) => {
                let public = counting(algorithm.public_key_len(), 7).to_vec();
                let material = Material::Pair { private: private(), public };
                return vec![PrivateKey { algorithm, oid, material }];
            }
            Algorithm::Kyber(set) if set.is_standard() => Form::ML_KEM,
            Algorithm::Kyber(_) => Form::KYBER,
        };
        let sample = |form: &Form| {
            let (seed, expanded) = match form {
                Form::Seed | Form::BareSeed => (true, false),
                Form::Both => (true, true),
                Form::Expanded | Form::BareExpanded => (false, true),
            };
            let key = KemKey {
                form: *form,
                seed: seed.then(|| counting(SEED_LEN, 3)),
                expanded: expanded.then(private),
            };
            PrivateKey { algorithm, oid, material: Material::Kem(key) }
        };
        forms.iter().map(sample).collect()
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
        assert_eq!(sizes("falcon512"), [2202]);
        assert_eq!(sizes("falcon1024"), [4122]);
        assert_eq!(sizes("mlkem512"), [86, 1660, 1730, 84, 1656]);
        assert_eq!(sizes("mlkem768"), [86, 2428, 2498, 84, 2424]);
        assert_eq!(sizes("mlkem1024"), [86, 3196, 3266, 84, 3192]);
        assert_eq!(sizes("kyber512"), [1658]);
        assert_eq!(sizes("kyber1024-90s"), [3194]);
    }

    #[test]
    fn a_key_comes_back_in_every_form_and_under_every_identifier() {
        for algorithm in Algorithm::ALL {
            for key in samples(*algorithm) {
                let read = PrivateKey::from_pem(key.to_pem().unwrap().as_bytes()).unwrap();
                assert_eq!((read.algorithm, read.layout()), (*algorithm, key.layout()));
                assert_eq!(*read.to_der().unwrap(), *key.to_der().unwrap());
                match (&read.material, &key.material) {
                    (
                        Material::Pair { private, public },
                        Material::Pair { private: private_then, public: public_then },
                    ) => assert_eq!((&**private, public), (&**private_then, public_then)),
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
        for (name, form) in
            [("falcon512", 0), ("mlkem512", 0), ("mlkem512", 1), ("mlkem512", 2), ("kyber512", 0)]
        {
            let algorithm = named(name);
            let key = &samples(algorithm)[form];
            let der = key.to_der().unwrap();
            for len in 0..der.len() {
                assert!(PrivateKey::from_der(&der[..len]).is_err());
            }
            assert!(PrivateKey::from_der(&[&der[..], &[0]].concat()).is_err());
            let key_len = match &key.material {
                Material::Pair { private, public } => private.len() + public.len(),
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
        assert!(falcon(&[0x30, 0x03, 0x02, 0x01, 0x00], None).contains("Bouncy Castle"));
        assert!(falcon(&[7; 32], None).contains("FN-DSA"));
        assert!(falcon(&[0x59; 1281], None).contains("OCTET STRING"));
        assert!(falcon(&[0x04, 0x01, 0x59], None).contains("expected 2178 bytes, found 1"));
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
        assert!(error("kyber512", &seed(0x80, 64)).contains("expected 1632 bytes of key, found 66"));
        assert!(error("kyber512", &[9; 64]).contains("found 64"));
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
        let ciphertext = kyber::Ciphertext::from_bytes(key.parameter_set(), &ciphertext).unwrap();
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
