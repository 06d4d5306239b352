//! Private keys under a password: PKCS#8 EncryptedPrivateKeyInfo (RFC 5208, section 6) with PBES2 (RFC 8018).
//!
//! Written with PBKDF2-HMAC-SHA-256 and AES-256-CBC, which every program that reads such files can take; scrypt and
//! the other AES modes of the crate `pkcs5` are read. A file says how much work its password costs, and who wrote it
//! may be an enemy, so that there are bounds. CBC has no integrity: a wrong password or a changed file shows in
//! what comes out, which is read as strictly as any key. Next: [`super::pkcs8`].

use super::pkcs8::PrivateKey;
use super::spki::not_der;
use super::{Found, pem, recognise};
use crate::error::Error;
use crate::rng::RandomSource;
use crate::secret::scrubbed;
use der::asn1::{AnyRef, ObjectIdentifier, OctetStringRef};
use der::{Decode, Encode, Sequence};
use pkcs5::pbes2::{self, EncryptionScheme, Kdf, Pbkdf2Prf};
use pkcs8::EncryptedPrivateKeyInfoRef;
use spki::AlgorithmIdentifierRef;
use zeroize::Zeroizing;

const WHAT: &str = "private key under a password";

/// Rounds of PBKDF2 that are written: about a quarter of a second.
pub const ROUNDS: u32 = 600_000;
/// The most rounds of PBKDF2 that are read: some seconds.
pub const MAX_ROUNDS: u32 = 10_000_000;
/// The most memory that scrypt may ask for, in bytes: 128 N r.
pub const MAX_SCRYPT_BYTES: u64 = 256 << 20;
/// The most work of scrypt that is read: N r p. It is some seconds.
pub const MAX_SCRYPT_WORK: u64 = 1 << 23;

const SALT_LEN: usize = 16;
const IV_LEN: usize = 16;

/// A private key under a password, as a file holds it.
#[derive(Clone, Debug)]
pub struct Encrypted {
    parameters: pbes2::Parameters,
    data: Vec<u8>,
}

#[derive(Sequence)]
struct Outer<'a> {
    algorithm: AlgorithmIdentifierRef<'a>,
    data: &'a OctetStringRef,
}

#[derive(Sequence)]
struct Pbes2<'a> {
    kdf: AlgorithmIdentifierRef<'a>,
    cipher: AlgorithmIdentifierRef<'a>,
}

impl Encrypted {
    /// Whether a file is of this kind, whole or damaged.
    pub fn is_pem(file: &[u8]) -> bool {
        recognise(file) == Found::Pem(pem::ENCRYPTED_PRIVATE_KEY.into())
    }

    /// Reads the one PEM block of a file.
    ///
    /// # Errors
    /// [`Error::Format`]. Methods that are not read are named.
    pub fn from_pem(file: &[u8]) -> Result<Encrypted, Error> {
        Encrypted::from_der(&pem::decode(file, pem::ENCRYPTED_PRIVATE_KEY, WHAT)?)
    }

    /// Reads an EncryptedPrivateKeyInfo.
    ///
    /// # Errors
    /// [`Error::Format`]. Methods that are not read, and costs over the bounds, are named.
    pub fn from_der(der: &[u8]) -> Result<Encrypted, Error> {
        let outer = Outer::from_der(der).map_err(|_| not_der(WHAT))?;
        let parameters = parameters(&outer.algorithm)?;
        check_cost(&parameters.kdf)?;
        let data = outer.data.as_bytes().to_vec();
        let encrypted = Encrypted { parameters, data };
        if encrypted.to_der() != der {
            return fail("it is not in the one form that its values have");
        }
        Ok(encrypted)
    }

    /// Puts a PrivateKeyInfo under a password.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn seal(
        private_key_info: &[u8],
        password: &[u8],
        random: &mut impl RandomSource,
    ) -> Result<Encrypted, Error> {
        let (mut salt, mut iv) = ([0; SALT_LEN], [0; IV_LEN]);
        random.fill(&mut salt)?;
        random.fill(&mut iv)?;
        Encrypted::seal_with(private_key_info, password, ROUNDS, &salt, iv)
    }

    fn seal_with(
        plain: &[u8],
        password: &[u8],
        rounds: u32,
        salt: &[u8],
        iv: [u8; IV_LEN],
    ) -> Result<Encrypted, Error> {
        let impossible = |_| not_der(WHAT);
        let parameters =
            pbes2::Parameters::generate_pbkdf2_sha256_aes256cbc(rounds, salt, iv).map_err(impossible)?;
        // One block of room for the padding.
        let mut buffer = Zeroizing::new(vec![0; plain.len() + IV_LEN]);
        buffer.iter_mut().zip(plain).for_each(|(to, from)| *to = *from);
        let data =
            scrubbed(|| parameters.encrypt_in_place(password, &mut buffer, plain.len()).map(<[u8]>::to_vec));
        Ok(Encrypted { parameters, data: data.map_err(impossible)? })
    }

    /// Takes the password off: the PrivateKeyInfo as it was put in, and the key in it.
    ///
    /// # Errors
    /// [`Error::Password`]; what is wrong with the key inside, where the password was right.
    pub fn open(&self, password: &[u8]) -> Result<(Zeroizing<Vec<u8>>, PrivateKey), Error> {
        let mut buffer = Zeroizing::new(self.data.clone());
        let len = scrubbed(|| self.parameters.decrypt_in_place(password, &mut buffer).map(<[u8]>::len));
        buffer.truncate(len.map_err(|_| Error::Password)?);
        // A wrong password passes the check of the padding once in 256 times, and gives no structure then.
        if pkcs8::PrivateKeyInfoRef::from_der(&buffer).is_err() {
            return Err(Error::Password);
        }
        let key = PrivateKey::from_der(&buffer)?;
        Ok((buffer, key))
    }

    /// The EncryptedPrivateKeyInfo.
    pub fn to_der(&self) -> Vec<u8> {
        // The failures below are lengths of 2^28 bytes and more.
        let Ok(encrypted_data) = OctetStringRef::new(&self.data) else { return Vec::new() };
        let encryption_algorithm = pkcs5::EncryptionScheme::Pbes2(self.parameters.clone());
        EncryptedPrivateKeyInfoRef { encryption_algorithm, encrypted_data }.to_der().unwrap_or_default()
    }

    /// The EncryptedPrivateKeyInfo in a PEM block.
    pub fn to_pem(&self) -> String {
        pem::encode(pem::ENCRYPTED_PRIVATE_KEY, &self.to_der())
    }

    /// How the key is derived from the password.
    pub fn kdf(&self) -> String {
        match &self.parameters.kdf {
            Kdf::Pbkdf2(params) => format!("PBKDF2-{}", prf_name(params.prf)),
            Kdf::Scrypt(_) => "scrypt".into(),
            _ => "unknown".into(),
        }
    }

    /// What a try of a password costs.
    pub fn cost(&self) -> String {
        match &self.parameters.kdf {
            Kdf::Pbkdf2(params) => format!("{} rounds", params.iteration_count),
            Kdf::Scrypt(params) => {
                let (n, r, p) = (params.cost_parameter, params.block_size, params.parallelization);
                format!("N={n}, r={r}, p={p} ({} MiB)", (128 * n * u64::from(r)).div_ceil(1 << 20))
            }
            _ => "unknown".into(),
        }
    }

    /// What the key is encrypted with.
    pub fn cipher(&self) -> &'static str {
        match self.parameters.encryption {
            EncryptionScheme::Aes128Cbc { .. } => "AES-128-CBC",
            EncryptionScheme::Aes192Cbc { .. } => "AES-192-CBC",
            EncryptionScheme::Aes256Cbc { .. } => "AES-256-CBC",
            EncryptionScheme::Aes128Gcm { .. } => "AES-128-GCM",
            EncryptionScheme::Aes256Gcm { .. } => "AES-256-GCM",
            _ => "unknown",
        }
    }
}

fn fail<T>(why: impl Into<String>) -> Result<T, Error> {
    Err(Error::Format { what: WHAT, why: why.into() })
}

/// Reads the method, and names one that is not read.
fn parameters(algorithm: &AlgorithmIdentifierRef<'_>) -> Result<pbes2::Parameters, Error> {
    let cure = "openssl pkcs8 -topk8 -v2 aes-256-cbc writes one that is";
    if algorithm.oid != pbes2::PBES2_OID {
        let name = match algorithm.oid.to_string() {
            oid if oid.starts_with("1.2.840.113549.1.5.") => format!("PBES1 ({oid})"),
            oid if oid.starts_with("1.2.840.113549.1.12.1.") => format!("PKCS#12 ({oid})"),
            oid => oid,
        };
        return fail(format!("its method is {name} and not PBES2, and is not read; {cure}"));
    }
    let Some(any) = algorithm.parameters else { return Err(not_der(WHAT)) };
    let method = any.decode_as::<Pbes2<'_>>().map_err(|_| not_der(WHAT))?;
    if let Some(unread) = unread(&method) {
        return fail(format!("it uses {unread}, which is not read; {cure}"));
    }
    pbes2::Parameters::try_from(any).map_err(|_| not_der(WHAT))
}

/// The part of the method that is not read.
fn unread(method: &Pbes2<'_>) -> Option<String> {
    const CIPHERS: [ObjectIdentifier; 5] = [
        pbes2::AES_128_CBC_OID,
        pbes2::AES_192_CBC_OID,
        pbes2::AES_256_CBC_OID,
        pbes2::AES_128_GCM_OID,
        pbes2::AES_256_GCM_OID,
    ];
    if !CIPHERS.contains(&method.cipher.oid) {
        return Some(match method.cipher.oid.to_string().as_str() {
            "1.3.14.3.2.7" => "DES".into(),
            "1.2.840.113549.3.2" => "RC2".into(),
            "1.2.840.113549.3.7" => "triple DES".into(),
            oid => format!("the cipher {oid}"),
        });
    }
    if method.kdf.oid == pbes2::SCRYPT_OID {
        return None;
    }
    if method.kdf.oid != pbes2::PBKDF2_OID {
        return Some(format!("the key derivation {}", method.kdf.oid));
    }
    // PBKDF2-params: salt, rounds, length OPTIONAL, PRF DEFAULT HMAC-SHA-1.
    let prf = method.kdf.parameters.and_then(|any| {
        any.sequence(|reader: &mut der::SliceReader<'_>| -> der::Result<_> {
            use der::Reader;
            reader.decode::<AnyRef<'_>>()?;
            reader.decode::<u64>()?;
            reader.decode::<Option<u64>>()?;
            reader.decode::<Option<AlgorithmIdentifierRef<'_>>>()
        })
        .ok()
    });
    match prf {
        Some(None) => Some("PBKDF2 with HMAC-SHA-1".into()),
        Some(Some(prf)) if prf.oid == pbes2::HMAC_WITH_SHA1_OID => Some("PBKDF2 with HMAC-SHA-1".into()),
        Some(Some(prf)) if Pbkdf2Prf::try_from(prf).is_err() => {
            Some(format!("PBKDF2 with the function {}", prf.oid))
        }
        _ => None,
    }
}

/// Refuses what would take minutes or gigabytes before the password is known to be right.
fn check_cost(kdf: &Kdf) -> Result<(), Error> {
    match kdf {
        Kdf::Pbkdf2(params) => {
            let rounds = params.iteration_count;
            if !(1..=MAX_ROUNDS).contains(&rounds) {
                return fail(format!("it asks for {rounds} rounds of PBKDF2; 1 to {MAX_ROUNDS} are read"));
            }
        }
        Kdf::Scrypt(params) => {
            let (n, r) = (params.cost_parameter, u64::from(params.block_size));
            let p = u64::from(params.parallelization);
            if n < 2 || !n.is_power_of_two() || r == 0 || p == 0 {
                return fail(format!("scrypt has no parameters N={n}, r={r}, p={p}"));
            }
            let bytes = n.saturating_mul(128 * r);
            let work = n.saturating_mul(r * p);
            if bytes > MAX_SCRYPT_BYTES || work > MAX_SCRYPT_WORK {
                return fail(format!(
                    "it asks for scrypt with N={n}, r={r}, p={p}; up to {} MiB and N r p = {MAX_SCRYPT_WORK} are read",
                    MAX_SCRYPT_BYTES >> 20
                ));
            }
        }
        _ => return fail("its key derivation is not read"),
    }
    Ok(())
}

fn prf_name(prf: Pbkdf2Prf) -> &'static str {
    match prf {
        Pbkdf2Prf::HmacWithSha1 => "HMAC-SHA-1",
        Pbkdf2Prf::HmacWithSha224 => "HMAC-SHA-224",
        Pbkdf2Prf::HmacWithSha256 => "HMAC-SHA-256",
        Pbkdf2Prf::HmacWithSha384 => "HMAC-SHA-384",
        Pbkdf2Prf::HmacWithSha512 => "HMAC-SHA-512",
        _ => "unknown",
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;
    use crate::algorithm::Algorithm;
    use crate::isa::Isa;

    /// A PrivateKeyInfo of ML-KEM-512, the shortest.
    fn plain() -> Vec<u8> {
        let algorithm = Algorithm::from_name("mlkem512").unwrap();
        PrivateKey::from_raw(algorithm, &[9; 64]).unwrap().to_der().unwrap().to_vec()
    }

    fn sealed(rounds: u32) -> Encrypted {
        Encrypted::seal_with(&plain(), b"password", rounds, &[3; 16], [4; 16]).unwrap()
    }

    fn error(der: &[u8]) -> String {
        Encrypted::from_der(der).unwrap_err().to_string()
    }

    #[test]
    fn what_was_sealed_opens_with_its_password_alone() {
        let sealed = sealed(10);
        let read = Encrypted::from_pem(sealed.to_pem().as_bytes()).unwrap();
        assert_eq!(read.to_der(), sealed.to_der());
        let (der, key) = read.open(b"password").unwrap();
        assert_eq!(*der, plain());
        assert!(key.public_key(Isa::detect()).is_ok());
        for wrong in [&b""[..], b"Password", b"password\n", b"passwor"] {
            assert_eq!(read.open(wrong).err(), Some(Error::Password));
        }
    }

    /// Among so many some pass the check of the padding: they are the same error.
    #[test]
    fn no_wrong_password_is_another_error() {
        let sealed = sealed(1);
        for n in 0..2000 {
            assert_eq!(sealed.open(format!("{n}").as_bytes()).err(), Some(Error::Password), "{n}");
        }
    }

    #[test]
    fn what_is_written_is_what_is_promised() {
        let sealed = Encrypted::seal(&plain(), b"password", &mut crate::rng::OsRandom).unwrap();
        assert_eq!(sealed.kdf(), "PBKDF2-HMAC-SHA-256");
        assert_eq!((sealed.cost().as_str(), sealed.cipher()), ("600000 rounds", "AES-256-CBC"));
        let again = Encrypted::seal(&plain(), b"password", &mut crate::rng::OsRandom).unwrap();
        assert_ne!(again.to_der(), sealed.to_der());
    }

    #[test]
    fn every_truncation_extension_and_changed_byte_is_refused_or_read_as_written() {
        let der = sealed(10).to_der();
        for len in 0..der.len() {
            assert!(Encrypted::from_der(&der[..len]).is_err());
        }
        assert!(Encrypted::from_der(&[&der[..], &[0]].concat()).is_err());
        for at in 0..der.len() {
            for change in 1..=255 {
                let mut changed = der.clone();
                changed[at] ^= change;
                if let Ok(read) = Encrypted::from_der(&changed) {
                    assert_eq!(read.to_der(), changed);
                }
            }
        }
    }

    /// Random bytes of ciphertext: no panic, and never another key without an error but for the seed itself.
    #[test]
    fn a_changed_ciphertext_is_the_wrong_password_or_another_key() {
        let sealed = sealed(1);
        for at in 0..sealed.data.len() {
            let mut changed = sealed.clone();
            changed.data[at] ^= 1;
            if let Ok((der, _)) = changed.open(b"password") {
                assert_ne!(*der, plain());
            }
        }
        for len in [0, 1, 15, 17, 95] {
            let mut changed = sealed.clone();
            changed.data.truncate(len);
            assert_eq!(changed.open(b"password").err(), Some(Error::Password), "{len}");
        }
    }

    fn with_kdf(kdf: Kdf) -> Vec<u8> {
        let mut sealed = sealed(1);
        sealed.parameters.kdf = kdf;
        sealed.to_der()
    }

    #[test]
    fn costs_over_the_bounds_are_refused_at_once() {
        let scrypt = |n, r, p| {
            let salt = [3u8; 16].as_slice().try_into().unwrap();
            with_kdf(Kdf::Scrypt(pbes2::ScryptParams {
                salt,
                cost_parameter: n,
                block_size: r,
                parallelization: p,
                key_length: None,
            }))
        };
        assert!(Encrypted::from_der(&scrypt(1 << 14, 8, 1)).is_ok());
        assert!(Encrypted::from_der(&scrypt(1 << 18, 8, 1)).is_ok());
        for (n, r, p) in [
            (1 << 19, 8, 1),
            (1 << 14, 8, 65),
            (1 << 14, u16::MAX, 1),
            (u64::MAX, 8, 1),
            (1 << 63, u16::MAX, u16::MAX),
            (0, 8, 1),
            (1, 8, 1),
            (3, 8, 1),
            (1 << 14, 0, 1),
            (1 << 14, 8, 0),
        ] {
            assert!(error(&scrypt(n, r, p)).contains("scrypt"), "{n} {r} {p}");
        }
        let pbkdf2 = |rounds| {
            let mut params = pbes2::Pbkdf2Params::hmac_sha256(1, &[3; 16]).unwrap();
            params.iteration_count = rounds;
            with_kdf(Kdf::Pbkdf2(params))
        };
        assert!(Encrypted::from_der(&pbkdf2(MAX_ROUNDS)).is_ok());
        for rounds in [0, MAX_ROUNDS + 1, u32::MAX] {
            assert!(error(&pbkdf2(rounds)).contains("rounds"), "{rounds}");
        }
    }

    #[test]
    fn methods_that_are_not_read_are_named() {
        let der = sealed(10).to_der();
        let replaced = |from: &ObjectIdentifier, to: &str| {
            let (from, to) = (from.as_bytes(), ObjectIdentifier::new_unwrap(to));
            let at = der.windows(from.len()).position(|window| window == from).unwrap();
            let mut out = der.clone();
            assert_eq!(from.len(), to.as_bytes().len());
            out[at..at + from.len()].copy_from_slice(to.as_bytes());
            error(&out)
        };
        assert!(replaced(&pbes2::PBES2_OID, "1.2.840.113549.1.5.10").contains("PBES1"));
        assert!(replaced(&pbes2::HMAC_WITH_SHA256_OID, "1.2.840.113549.2.7").contains("HMAC-SHA-1"));
        assert!(
            replaced(&pbes2::HMAC_WITH_SHA256_OID, "1.2.840.113549.2.13").contains("1.2.840.113549.2.13")
        );
        assert!(replaced(&pbes2::AES_256_CBC_OID, "2.16.840.1.101.3.4.1.43").contains("the cipher"));
        assert!(replaced(&pbes2::PBKDF2_OID, "1.2.840.113549.1.5.14").contains("the key derivation"));
    }

    #[test]
    fn the_key_of_another_algorithm_is_named_and_not_taken_for_a_wrong_password() {
        let ed25519 =
            [&[0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20][..], &[7; 32]];
        let sealed = Encrypted::seal_with(&ed25519.concat(), b"x", 1, &[3; 16], [4; 16]).unwrap();
        let error = sealed.open(b"x").err().unwrap().to_string();
        assert!(error.contains("Ed25519"), "{error}");
    }
}
