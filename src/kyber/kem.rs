//! Keys, ciphertexts and shared secrets: ML-KEM (FIPS 203, sections 6 and 7) and the KEM of Kyber, round 3.
//!
//! What FIPS 203 wants to be checked about keys is checked once, when they are read, and for round 3 as well: no honest
//! key fails. Operations then never fail but for want of random bytes; a wrong ciphertext gives a secret that nobody
//! else has (implicit rejection). Secrets inside an operation live on its stack, all of which is wiped after it. Next:
//! [`super::operations`].

use super::kernels::Kernels;
use super::params::{POLY_LEN, ParameterSet, SEED_LEN};
use super::poly::Poly;
use super::{k_pke, operations};
use crate::ct::declassify;
use crate::error::Error;
use crate::isa::{self, Isa, Op};
use crate::rng::{OsRandom, RandomSource};
use crate::secret::{Secret, scrubbed_bytes};
use crate::shared_secret::SharedSecret;
use crate::simd::Scalar;
use std::sync::OnceLock;
use zeroize::Zeroizing;

/// Bytes of stack that are wiped after a secret vector was decoded or encoded.
const CODEC_STACK: usize = 4 * 1024;

/// A public key, ready to encapsulate.
#[derive(Clone)]
pub struct EncapsulationKey {
    set: ParameterSet,
    /// t in the NTT domain, rho.
    bytes: Vec<u8>,
    /// H(bytes), from the first use on.
    hash: OnceLock<[u8; SEED_LEN]>,
    /// A, row after row, and t, where [`EncapsulationKey::keep_matrix`] asked for them.
    kept: OnceLock<Vec<Poly>>,
}

impl PartialEq for EncapsulationKey {
    fn eq(&self, other: &EncapsulationKey) -> bool {
        self.set == other.set && self.bytes == other.bytes
    }
}

impl Eq for EncapsulationKey {}

impl core::fmt::Debug for EncapsulationKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("EncapsulationKey").field("set", &self.set).finish_non_exhaustive()
    }
}

impl EncapsulationKey {
    /// Reads an encoded public key ([`ParameterSet::encapsulation_key_len`] bytes) and checks it: length, and every
    /// coefficient below q (FIPS 203, section 7.2). The same is asked of round-3 keys.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::NotCanonical`].
    pub fn from_bytes(set: ParameterSet, isa: Isa, bytes: &[u8]) -> Result<EncapsulationKey, Error> {
        Error::check_length("encapsulation key", set.encapsulation_key_len(), bytes)?;
        let vector = bytes.get(..set.k() * POLY_LEN).unwrap_or_default();
        if !isa::with(isa, CheckVector(vector)) {
            return Err(Error::NotCanonical {
                what: "encapsulation key",
                why: "a coefficient is not below 3329",
            });
        };
        Ok(EncapsulationKey::from_parts(set, bytes.to_vec()))
    }

    fn from_parts(set: ParameterSet, bytes: Vec<u8>) -> EncapsulationKey {
        EncapsulationKey { set, bytes, hash: OnceLock::new(), kept: OnceLock::new() }
    }

    /// The encoded public key.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The encoded public key.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.bytes.clone()
    }

    /// The parameter set.
    pub fn parameter_set(&self) -> ParameterSet {
        self.set
    }

    /// Makes the matrix of the key now and keeps it: for keys that are used many times. It takes k (k + 1) / 2 KiB.
    pub fn keep_matrix(&self, isa: Isa) {
        self.kept.get_or_init(|| operations::matrix_and_t(isa, self));
    }

    /// Makes a shared secret and the ciphertext that takes it to the holder of the private key, from 32 random bytes
    /// of the operating system.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn encapsulate(&self, isa: Isa) -> Result<(Ciphertext, SharedSecret), Error> {
        self.encapsulate_from(isa, &mut OsRandom)
    }

    /// [`EncapsulationKey::encapsulate`] with its random bytes from `random`. Private: for known answers alone.
    pub(crate) fn encapsulate_from(
        &self,
        isa: Isa,
        random: &mut dyn RandomSource,
    ) -> Result<(Ciphertext, SharedSecret), Error> {
        let mut drawn = Secret::new([0; SEED_LEN]);
        random.fill(drawn.expose_mut().as_mut_slice())?;
        let mut bytes = vec![0; self.set.ciphertext_len()];
        let mut secret = SharedSecret::zeros();
        operations::encapsulate(isa, self, drawn.expose(), &mut bytes, secret.expose_mut());
        Ok((Ciphertext::of_bytes(self.set, bytes), secret))
    }

    /// t in the NTT domain, encoded.
    pub(super) fn vector(&self) -> &[u8] {
        self.bytes.get(..self.set.k() * POLY_LEN).unwrap_or_default()
    }

    /// The seed of the matrix.
    pub(super) fn rho(&self) -> &[u8; SEED_LEN] {
        match self.bytes.last_chunk() {
            Some(rho) => rho,
            None => unreachable!("a key has its full length"),
        }
    }

    /// A, row after row, and t, where they are kept.
    pub(super) fn kept(&self) -> Option<&[Poly]> {
        self.kept.get().map(Vec::as_slice)
    }

    /// H of the encoded key, where it is known.
    pub(super) fn known_hash(&self) -> Option<&[u8; SEED_LEN]> {
        self.hash.get()
    }

    /// Keeps H of the encoded key.
    pub(super) fn keep_hash(&self, hash: [u8; SEED_LEN]) -> &[u8; SEED_LEN] {
        // Another thread may have been first, with the same bytes.
        self.hash.get_or_init(|| hash)
    }

    /// H of the encoded key.
    #[inline(always)]
    pub(super) fn hash<K: Kernels>(&self, k: K) -> &[u8; SEED_LEN] {
        self.known_hash().unwrap_or_else(
            #[inline(always)]
            || {
                let mut hash = [0; SEED_LEN];
                self.set.variant().h(k, &self.bytes, &mut hash);
                self.keep_hash(hash)
            },
        )
    }
}

/// A private key with its public key.
pub struct DecapsulationKey {
    encapsulation: EncapsulationKey,
    /// In [0, q), NTT domain.
    s_hat: Secret<Vec<Poly>>,
    /// d, or zeros where it is not known, and z.
    seed: Box<Secret<[u8; 2 * SEED_LEN]>>,
    /// Whether the key was made from d.
    has_d: bool,
}

impl DecapsulationKey {
    /// Makes a new key from 64 random bytes of the operating system.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn generate(set: ParameterSet, isa: Isa) -> Result<DecapsulationKey, Error> {
        DecapsulationKey::generate_from(set, isa, &mut OsRandom)
    }

    /// [`DecapsulationKey::generate`] with its random bytes from `random`. Private: for known answers alone.
    pub(crate) fn generate_from(
        set: ParameterSet,
        isa: Isa,
        random: &mut dyn RandomSource,
    ) -> Result<DecapsulationKey, Error> {
        let mut seed = Secret::new([0; 2 * SEED_LEN]);
        if set.is_standard() {
            random.fill(seed.expose_mut().as_mut_slice())?;
        } else {
            let (d, z) = seed.expose_mut().split_at_mut(SEED_LEN);
            random.fill(d)?;
            random.fill(z)?;
        }
        Ok(DecapsulationKey::expand(set, isa, seed.expose()))
    }

    /// Makes the ML-KEM key of a seed d, z (FIPS 203, algorithm 16; the form that RFC 9935 stores).
    ///
    /// # Errors
    /// [`Error::Length`]; [`Error::Format`] for round 3, whose keys have no seed form.
    pub fn from_seed(set: ParameterSet, isa: Isa, seed: &[u8]) -> Result<DecapsulationKey, Error> {
        if !set.is_standard() {
            let why = format!("{} has none", set.name());
            return Err(Error::Format { what: "seed form of a decapsulation key", why });
        }
        match seed.try_into() {
            Ok(seed) => Ok(DecapsulationKey::expand(set, isa, seed)),
            Err(_) => {
                let what = "seed of a decapsulation key";
                Err(Error::Length { what, expected: 2 * SEED_LEN, found: seed.len() })
            }
        }
    }

    /// The key of a seed.
    pub(super) fn expand(set: ParameterSet, isa: Isa, seed: &[u8; 2 * SEED_LEN]) -> DecapsulationKey {
        let Some(d) = seed.first_chunk() else { unreachable!("two halves of 32 bytes") };
        let mut s_hat = Secret::new(vec![Poly::ZERO; set.k()]);
        let mut bytes = vec![0; set.encapsulation_key_len()];
        let hash = operations::generate(isa, set, d, s_hat.expose_mut(), &mut bytes);
        DecapsulationKey::from_made(set, seed, s_hat, bytes, hash)
    }

    /// A seed's key that was made: s, the encoded public key and its hash.
    pub(super) fn from_made(
        set: ParameterSet,
        seed: &[u8; 2 * SEED_LEN],
        s_hat: Secret<Vec<Poly>>,
        public: Vec<u8>,
        hash: [u8; SEED_LEN],
    ) -> DecapsulationKey {
        let mut kept = Box::new(Secret::new([0; 2 * SEED_LEN]));
        *kept.expose_mut() = *seed;
        let encapsulation = EncapsulationKey::from_parts(set, public);
        encapsulation.keep_hash(hash);
        DecapsulationKey { encapsulation, s_hat, seed: kept, has_d: true }
    }

    /// Reads an expanded private key ([`ParameterSet::expanded_len`] bytes: s, public key, its hash, z) and checks it:
    /// length, hash (FIPS 203, section 7.3), and every coefficient of both halves below q.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::NotCanonical`], [`Error::InvalidKey`].
    pub fn from_expanded(set: ParameterSet, isa: Isa, bytes: &[u8]) -> Result<DecapsulationKey, Error> {
        Error::check_length("decapsulation key", set.expanded_len(), bytes)?;
        let (s, rest) = bytes.split_at(set.k() * POLY_LEN);
        let (public, rest) = rest.split_at(set.encapsulation_key_len());
        let (hash, z) = rest.split_at(SEED_LEN);
        let encapsulation = EncapsulationKey::from_bytes(set, isa, public)?;
        if *isa::with(isa, HashOf(&encapsulation)) != *hash {
            return Err(Error::InvalidKey { why: "the hash of its public half does not match" });
        }
        let mut s_hat = Secret::new(vec![Poly::ZERO; set.k()]);
        let operation = DecodeVector { bytes: s, polys: s_hat.expose_mut() };
        if !scrubbed_bytes::<CODEC_STACK, _>(|| isa::with(isa, operation)) {
            return Err(Error::NotCanonical {
                what: "decapsulation key",
                why: "a coefficient is not below 3329",
            });
        };
        let mut seed = Box::new(Secret::new([0; 2 * SEED_LEN]));
        seed.expose_mut()[SEED_LEN..].copy_from_slice(z);
        Ok(DecapsulationKey { encapsulation, s_hat, seed, has_d: false })
    }

    /// Checks that the halves of the key belong together (FIPS 203, section 7.1: the pair-wise consistency check): what is
    /// encapsulated with the public half must be found with the private one. For keys that were read in expanded form;
    /// those of a seed are a pair.
    ///
    /// # Errors
    /// [`Error::InvalidKey`], [`Error::Randomness`].
    pub fn check_pair(&self, isa: Isa) -> Result<(), Error> {
        let (ciphertext, sent) = self.encapsulation.encapsulate(isa)?;
        let is_pair = self.decapsulate(isa, &ciphertext)?.is_equal(&sent);
        if !declassify(is_pair, "a private key whose halves differ is refused") {
            return Err(Error::InvalidKey { why: "its private half does not belong to its public half" });
        }
        Ok(())
    }

    /// The expanded private key: s, public key, its hash, z.
    pub fn expanded(&self, isa: Isa) -> Zeroizing<Vec<u8>> {
        let mut bytes = Zeroizing::new(vec![0; self.parameter_set().expanded_len()]);
        let vector_len = self.s_hat.expose().len() * POLY_LEN;
        let public = self.encapsulation.as_bytes();
        let hash = isa::with(isa, HashOf(&self.encapsulation));
        scrubbed_bytes::<CODEC_STACK, _>(|| {
            k_pke::encode_vector(Scalar::get(), self.s_hat.expose(), &mut bytes);
        });
        let rest = bytes.get_mut(vector_len..).unwrap_or_default();
        for (to, from) in rest.iter_mut().zip(public.iter().chain(hash).chain(self.z())) {
            *to = *from;
        }
        bytes
    }

    /// d and z, where the key is one of ML-KEM and was made from them.
    pub fn seed(&self) -> Option<Zeroizing<Vec<u8>>> {
        let is_stored = self.has_d && self.parameter_set().is_standard();
        is_stored.then(|| Zeroizing::new(self.seed.expose().to_vec()))
    }

    /// s: in [0, q), NTT domain.
    pub(super) fn s_hat(&self) -> &[Poly] {
        self.s_hat.expose()
    }

    /// What a wrong ciphertext's secret is made of.
    pub(super) fn z(&self) -> &[u8; SEED_LEN] {
        match self.seed.expose().last_chunk() {
            Some(z) => z,
            None => unreachable!("two halves of 32 bytes"),
        }
    }

    /// The parameter set.
    pub fn parameter_set(&self) -> ParameterSet {
        self.encapsulation.set
    }

    /// The public key of this private key.
    pub fn encapsulation_key(&self) -> &EncapsulationKey {
        &self.encapsulation
    }

    /// Makes the matrix of the key now and keeps it: for keys that are used many times. It takes k (k + 1) / 2 KiB.
    pub fn keep_matrix(&self, isa: Isa) {
        self.encapsulation.keep_matrix(isa);
    }

    /// The shared secret of a ciphertext. One that was not made with this key's public key gives a secret that only
    /// the holder of this key can compute: there is no sign of a wrong ciphertext.
    ///
    /// # Errors
    /// [`Error::Format`] where the ciphertext is one of another parameter set.
    pub fn decapsulate(&self, isa: Isa, ciphertext: &Ciphertext) -> Result<SharedSecret, Error> {
        self.check_ciphertext(ciphertext)?;
        let mut secret = SharedSecret::zeros();
        operations::decapsulate(isa, self, &ciphertext.bytes, secret.expose_mut());
        Ok(secret)
    }

    /// Whether a ciphertext is of the key's set.
    pub(super) fn check_ciphertext(&self, ciphertext: &Ciphertext) -> Result<(), Error> {
        if ciphertext.set != self.parameter_set() {
            let (theirs, ours) = (ciphertext.set.name(), self.parameter_set().name());
            return Err(Error::Format {
                what: "ciphertext",
                why: format!("of {theirs}, for a key of {ours}"),
            });
        }
        Ok(())
    }
}

/// A ciphertext: public.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ciphertext {
    set: ParameterSet,
    bytes: Vec<u8>,
}

impl Ciphertext {
    /// Takes the bytes of a ciphertext; every string of the right length is one.
    ///
    /// # Errors
    /// [`Error::Length`].
    pub fn from_bytes(set: ParameterSet, bytes: &[u8]) -> Result<Ciphertext, Error> {
        Error::check_length("ciphertext", set.ciphertext_len(), bytes)?;
        Ok(Ciphertext { set, bytes: bytes.to_vec() })
    }

    /// A ciphertext that was made. In: as many bytes as the set says.
    pub(super) fn of_bytes(set: ParameterSet, bytes: Vec<u8>) -> Ciphertext {
        debug_assert!(bytes.len() == set.ciphertext_len());
        Ciphertext { set, bytes }
    }

    /// Its bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The parameter set.
    pub fn parameter_set(&self) -> ParameterSet {
        self.set
    }
}

/// [`k_pke::is_canonical_vector`] for a backend.
struct CheckVector<'a>(&'a [u8]);

impl<K: Kernels> Op<K> for CheckVector<'_> {
    type Out = bool;

    #[inline(always)]
    fn run(self, k: K) -> bool {
        k_pke::is_canonical_vector(k, self.0)
    }
}

/// [`k_pke::decode_vector`] for a backend. Of a secret vector only the refusal shows.
struct DecodeVector<'a> {
    bytes: &'a [u8],
    polys: &'a mut [Poly],
}

impl<K: Kernels> Op<K> for DecodeVector<'_> {
    type Out = bool;

    #[inline(always)]
    fn run(self, k: K) -> bool {
        let canonical = k_pke::decode_vector(k, self.bytes, self.polys);
        declassify(canonical, "a key with a coefficient that is not below q is refused")
    }
}

struct HashOf<'a>(&'a EncapsulationKey);

impl<'a, K: Kernels> Op<K> for HashOf<'a> {
    type Out = &'a [u8; SEED_LEN];

    #[inline(always)]
    fn run(self, k: K) -> &'a [u8; SEED_LEN] {
        self.0.hash(k)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [`scrubbed_bytes`] itself looks, in tests, how deep the work goes.
    #[test]
    fn the_stack_of_every_operation_is_wiped() {
        for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_supported()) {
            for set in ParameterSet::ALL {
                let key = DecapsulationKey::generate(set, isa).expect("random bytes");
                let again = DecapsulationKey::from_expanded(set, isa, &key.expanded(isa)).expect("a key");
                let public = EncapsulationKey::from_bytes(set, isa, key.encapsulation_key().as_bytes());
                let (ciphertext, secret) = public.expect("a key").encapsulate(isa).expect("random bytes");
                assert!(again.decapsulate(isa, &ciphertext).expect("of the same set").is_equal(&secret));
            }
        }
    }
}
