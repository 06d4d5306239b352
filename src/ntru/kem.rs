//! Keys, ciphertexts and shared secrets: the KEM of NTRU, round 3 (specification, section 1.12).
//!
//! Keys are checked once, when they are read, and more than the specification asks: no honest key fails. Operations then
//! never fail but for want of random bytes; a wrong ciphertext gives a secret that nobody else has (implicit
//! rejection). Secrets inside an operation live on its stack, all of which is wiped after it. Next: [`super::owcpa`].

use super::fixed_weight::{BATCH, SampleBatch, Sampler, batch_random_len, batch_stride};
use super::kernels::Kernels;
use super::owcpa::{self, PrivateKey, SamplePair, sample_iid};
use super::pack::{pack_mod_q, pack_ternary, unpack_ternary};
use super::params::{MAX_TERNARY_LEN, ParameterSet, SEED_LEN};
use super::poly::Poly;
use crate::ct::{self, declassify, declassify_all};
use crate::error::Error;
use crate::isa::{self, Isa, Op};
use crate::rng::{FastKeyErasure, OsRandom, RandomSource};
use crate::secret::{Secret, scrubbed_bytes, stack, wipe};
use crate::shared_secret::SharedSecret;
use crate::symmetric::keccak::hash::{SHA3_256, Sponge};
use zeroize::{Zeroize, Zeroizing};

/// A public key, ready to encapsulate.
#[derive(Clone)]
pub struct EncapsulationKey {
    set: ParameterSet,
    bytes: Vec<u8>,
    h: Box<Poly>,
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
    /// Reads an encoded public key ([`ParameterSet::encapsulation_key_len`] bytes) and checks its length and that spare
    /// bits are zero (the reference ignores them, so that one key has several encodings there).
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::NotCanonical`].
    pub fn from_bytes(set: ParameterSet, isa: Isa, bytes: &[u8]) -> Result<EncapsulationKey, Error> {
        Error::check_length("encapsulation key", set.encapsulation_key_len(), bytes)?;
        let mut h = Box::new(Poly::ZERO);
        if !isa::with(isa, UnpackH { set, bytes, h: &mut h }) {
            return Err(Error::NotCanonical { what: "encapsulation key", why: "spare bits are not zero" });
        }
        Ok(EncapsulationKey { set, bytes: bytes.to_vec(), h })
    }

    /// The key of h, whose upper bits have no meaning.
    #[inline(always)]
    fn of(set: ParameterSet, h: Box<Poly>) -> EncapsulationKey {
        let mut bytes = vec![0; set.encapsulation_key_len()];
        pack_mod_q(set, &h, &mut bytes);
        EncapsulationKey { set, bytes, h }
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

    /// Makes a shared secret and the ciphertext that takes it to the holder of the private key, from random bytes of
    /// the operating system, with the default sampler.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn encapsulate(&self, isa: Isa) -> Result<(Ciphertext, SharedSecret), Error> {
        self.encapsulate_with(Sampler::default(), isa)
    }

    /// [`EncapsulationKey::encapsulate`] with a sampler of choice: the holder of the private key sees no difference.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn encapsulate_with(&self, sampler: Sampler, isa: Isa) -> Result<(Ciphertext, SharedSecret), Error> {
        self.encapsulate_from(sampler, isa, &mut OsRandom)
    }

    /// [`EncapsulationKey::encapsulate_with`] with its random bytes from the generator of a command or of a batch, which
    /// is faster than to ask the operating system each time.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn encapsulate_by(
        &self,
        sampler: Sampler,
        isa: Isa,
        random: &mut FastKeyErasure,
    ) -> Result<(Ciphertext, SharedSecret), Error> {
        self.encapsulate_from(sampler, isa, random)
    }

    /// [`EncapsulationKey::encapsulate_with`] with its random bytes from `random`. Private: for known answers alone.
    pub(crate) fn encapsulate_from(
        &self,
        sampler: Sampler,
        isa: Isa,
        random: &mut dyn RandomSource,
    ) -> Result<(Ciphertext, SharedSecret), Error> {
        self.encapsulate_message(isa, Message::Draw { sampler, random })
    }

    /// As many encapsulations as `count` says, with the default sampler: faster than [`EncapsulationKey::encapsulate_by`]
    /// for each, as it makes the polynomials of a fixed weight side by side. (HRSS has none, and then it is the same.)
    ///
    /// # Errors
    /// [`Error::Randomness`].
    ///
    /// ```
    /// use pqc::Isa;
    /// use pqc::ntru::{DecapsulationKey, ParameterSet};
    /// use pqc::rng::FastKeyErasure;
    ///
    /// # fn main() -> Result<(), pqc::Error> {
    /// let isa = Isa::detect();
    /// let private = DecapsulationKey::generate(ParameterSet::Hps4096821, isa)?;
    /// let mut random = FastKeyErasure::new(isa)?;
    /// for (ciphertext, secret) in private.encapsulation_key().encapsulate_batch(20, isa, &mut random)? {
    ///     assert!(private.decapsulate(isa, &ciphertext)?.is_equal(&secret));
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn encapsulate_batch(
        &self,
        count: usize,
        isa: Isa,
        random: &mut FastKeyErasure,
    ) -> Result<Vec<(Ciphertext, SharedSecret)>, Error> {
        self.encapsulate_batch_from(count, isa, random)
    }

    /// [`EncapsulationKey::encapsulate_batch`] with its random bytes from `random`: those of r for as many operations as
    /// are done side by side, then the words of m, side by side. An operation whose words run out draws anew. Private: for
    /// known answers alone.
    pub(crate) fn encapsulate_batch_from(
        &self,
        count: usize,
        isa: Isa,
        random: &mut dyn RandomSource,
    ) -> Result<Vec<(Ciphertext, SharedSecret)>, Error> {
        let (set, sampler) = (self.set, Sampler::Shuffle);
        let mut made = Vec::with_capacity(count);
        let mut messages = None;
        while made.len() < count {
            let now = (count - made.len()).min(BATCH);
            if now < FEWEST || set.weight().is_none() {
                made.push(self.encapsulate_message(isa, Message::Draw { sampler, random })?);
                continue;
            }
            let messages = messages.get_or_insert_with(|| Secret::new(Messages::new(set))).expose_mut();
            let iid = &mut messages.iid[..now * set.iid_len()];
            random.fill(iid)?;
            random.fill(&mut messages.words)?;
            let sample = SampleBatch { set, random: &messages.words, out: &mut messages.coefficients };
            let short = isa::with(isa, Scrubbed { set, kind: Kind::Encapsulate, work: sample });
            let coefficients = messages.coefficients.chunks_exact(batch_stride(set));
            for (i, (r, m)) in iid.chunks_exact(set.iid_len()).zip(coefficients).enumerate() {
                let message = match short >> i & 1 {
                    0 => Message::Drawn { r, m },
                    _ => Message::Draw { sampler, random: &mut *random },
                };
                made.push(self.encapsulate_message(isa, message)?);
            }
        }
        Ok(made)
    }

    /// One encapsulation.
    fn encapsulate_message(
        &self,
        isa: Isa,
        message: Message<'_>,
    ) -> Result<(Ciphertext, SharedSecret), Error> {
        let mut bytes = vec![0; self.set.ciphertext_len()];
        let mut secret = SharedSecret::zeros();
        let operation =
            Encapsulate { key: self, message, ciphertext: &mut bytes, secret: secret.expose_mut() };
        isa::with(isa, Scrubbed { set: self.set, kind: Kind::Encapsulate, work: operation })?;
        Ok((Ciphertext { set: self.set, bytes }, secret))
    }
}

/// Bytes of stack that are wiped after a private key was encoded.
const CODEC_STACK: usize = 8 * 1024;

/// The fewest encapsulations that are done side by side: fewer take longer than one after the other.
const FEWEST: usize = 8;

/// r and m of an encapsulation.
enum Message<'a> {
    /// To be drawn.
    Draw { sampler: Sampler, random: &'a mut dyn RandomSource },
    /// The random bytes of r, the coefficients of m.
    Drawn { r: &'a [u8], m: &'a [i16] },
}

/// Room for the messages of a batch.
struct Messages {
    /// The random bytes of r, one operation after the other.
    iid: Vec<u8>,
    /// The random words of m, side by side.
    words: Vec<u8>,
    /// m.
    coefficients: Vec<i16>,
}

impl Messages {
    fn new(set: ParameterSet) -> Messages {
        Messages {
            iid: vec![0; BATCH * set.iid_len()],
            words: vec![0; batch_random_len(set)],
            coefficients: vec![0; BATCH * batch_stride(set)],
        }
    }
}

impl Zeroize for Messages {
    fn zeroize(&mut self) {
        wipe(&mut self.iid);
        wipe(&mut self.words);
        wipe(&mut self.coefficients);
    }
}

/// What an operation does, for [`Scrubbed`].
#[derive(Clone, Copy)]
enum Kind {
    Encapsulate,
    Decapsulate,
    MakeOrReadKey,
}

/// An operation of a set, after which the stack that its frames used is overwritten: for each kind some KiB more than it
/// uses (seen by the tests on x86-64). Stack that does not fit into the first cache would take as long as the operation.
struct Scrubbed<W> {
    set: ParameterSet,
    kind: Kind,
    work: W,
}

impl<K: Kernels, W: Op<K>> Op<K> for Scrubbed<W> {
    type Out = W::Out;

    #[inline(always)]
    fn run(self, k: K) -> W::Out {
        let Scrubbed { set, kind, work } = self;
        let work = || k.enter(work);
        macro_rules! kibibytes {
            ($($sets:pat => $encapsulate:literal $decapsulate:literal $keys:literal,)*) => {
                match (set, kind) {$(
                    ($sets, Kind::Encapsulate) => scrubbed_bytes::<{ stack($encapsulate) }, _>(work),
                    ($sets, Kind::Decapsulate) => scrubbed_bytes::<{ stack($decapsulate) }, _>(work),
                    ($sets, Kind::MakeOrReadKey) => scrubbed_bytes::<{ stack($keys) }, _>(work),
                )*}
            };
        }
        if K::HAS_TOEPLITZ {
            kibibytes! {
                ParameterSet::Hps2048509 => 26 36 46,
                ParameterSet::Hps2048677 | ParameterSet::Hrss701 => 31 41 51,
                ParameterSet::Hps4096821 => 35 45 57,
                ParameterSet::Hps40961229 => 39 50 61,
                ParameterSet::Hrss1373 => 44 54 65,
            }
        } else {
            kibibytes! {
                ParameterSet::Hps2048509 => 35 46 70,
                ParameterSet::Hps2048677 | ParameterSet::Hrss701 => 47 57 80,
                ParameterSet::Hps4096821 => 48 59 82,
                ParameterSet::Hps40961229 => 66 77 100,
                ParameterSet::Hrss1373 => 80 90 114,
            }
        }
    }
}

/// A private key with its public key.
pub struct DecapsulationKey {
    encapsulation: EncapsulationKey,
    private: Box<Secret<PrivateKey>>,
    /// The key for implicit rejection.
    prf_key: Box<Secret<[u8; SEED_LEN]>>,
}

impl DecapsulationKey {
    /// Makes a new key from random bytes of the operating system, with the default sampler.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn generate(set: ParameterSet, isa: Isa) -> Result<DecapsulationKey, Error> {
        DecapsulationKey::generate_with(set, Sampler::default(), isa)
    }

    /// [`DecapsulationKey::generate`] with a sampler of choice: keys of either are used alike.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn generate_with(set: ParameterSet, sampler: Sampler, isa: Isa) -> Result<DecapsulationKey, Error> {
        DecapsulationKey::generate_from(set, sampler, isa, &mut OsRandom)
    }

    /// [`DecapsulationKey::generate_with`] with its random bytes from the generator of a command or of a batch, which is
    /// faster than to ask the operating system each time.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn generate_by(
        set: ParameterSet,
        sampler: Sampler,
        isa: Isa,
        random: &mut FastKeyErasure,
    ) -> Result<DecapsulationKey, Error> {
        DecapsulationKey::generate_from(set, sampler, isa, random)
    }

    /// [`DecapsulationKey::generate_with`] with its random bytes from `random`. Private: for known answers alone.
    pub(crate) fn generate_from(
        set: ParameterSet,
        sampler: Sampler,
        isa: Isa,
        random: &mut dyn RandomSource,
    ) -> Result<DecapsulationKey, Error> {
        let mut private = Box::new(Secret::new(PrivateKey::ZERO));
        let operation = Generate { set, sampler, random: &mut *random, private: private.expose_mut() };
        let encapsulation = isa::with(isa, Scrubbed { set, kind: Kind::MakeOrReadKey, work: operation })?;
        let mut prf_key = Box::new(Secret::new([0; SEED_LEN]));
        random.fill(prf_key.expose_mut().as_mut_slice())?;
        Ok(DecapsulationKey { encapsulation, private, prf_key })
    }

    /// Reads an encoded private key ([`ParameterSet::decapsulation_key_len`] bytes: f, its inverse modulo 3, the inverse
    /// of h, the key for implicit rejection), makes the public key of it, and checks that all belongs together: lengths,
    /// canonical encoding, f times its inverse is 1, h has an inverse, and f h is three times a polynomial (HRSS: and
    /// x - 1) that key generation could have drawn. The reference checks none of this.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::NotCanonical`], [`Error::InvalidKey`].
    pub fn from_bytes(set: ParameterSet, isa: Isa, bytes: &[u8]) -> Result<DecapsulationKey, Error> {
        Error::check_length("decapsulation key", set.decapsulation_key_len(), bytes)?;
        let (packed, prf) = bytes.split_at(bytes.len() - SEED_LEN);
        let mut private = Box::new(Secret::new(PrivateKey::ZERO));
        let operation = ReadPrivate { set, packed, private: private.expose_mut() };
        let encapsulation = isa::with(isa, Scrubbed { set, kind: Kind::MakeOrReadKey, work: operation })?;
        let mut prf_key = Box::new(Secret::new([0; SEED_LEN]));
        prf_key.expose_mut().copy_from_slice(prf);
        Ok(DecapsulationKey { encapsulation, private, prf_key })
    }

    /// The encoded private key.
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let set = self.parameter_set();
        let mut bytes = Zeroizing::new(vec![0; set.decapsulation_key_len()]);
        let (f, rest) = bytes.split_at_mut(set.ternary_len());
        let (f_inverse, rest) = rest.split_at_mut(set.ternary_len());
        let (h_inverse, prf) = rest.split_at_mut(set.packed_len());
        let key = self.private.expose();
        scrubbed_bytes::<CODEC_STACK, _>(|| {
            let mut ternary = key.f;
            ternary.uncentre_ternary(set);
            pack_ternary(set, &ternary, f);
            pack_ternary(set, &key.f_inverse, f_inverse);
            pack_mod_q(set, &key.h_inverse, h_inverse);
        });
        prf.copy_from_slice(self.prf_key.expose());
        bytes
    }

    /// The parameter set.
    pub fn parameter_set(&self) -> ParameterSet {
        self.encapsulation.set
    }

    /// The public key of this private key.
    pub fn encapsulation_key(&self) -> &EncapsulationKey {
        &self.encapsulation
    }

    /// The shared secret of a ciphertext. One that was not made with this key's public key gives a secret that only
    /// the holder of this key can compute: there is no sign of a wrong ciphertext.
    ///
    /// # Errors
    /// [`Error::Format`] where the ciphertext is one of another parameter set.
    pub fn decapsulate(&self, isa: Isa, ciphertext: &Ciphertext) -> Result<SharedSecret, Error> {
        if ciphertext.set != self.parameter_set() {
            let (theirs, ours) = (ciphertext.set.name(), self.parameter_set().name());
            return Err(Error::Format {
                what: "ciphertext",
                why: format!("of {theirs}, for a key of {ours}"),
            });
        }
        let mut secret = SharedSecret::zeros();
        let operation = Decapsulate { key: self, ciphertext: &ciphertext.bytes, secret: secret.expose_mut() };
        let set = self.parameter_set();
        isa::with(isa, Scrubbed { set, kind: Kind::Decapsulate, work: operation });
        Ok(secret)
    }
}

/// A ciphertext: public.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ciphertext {
    set: ParameterSet,
    bytes: Vec<u8>,
}

impl Ciphertext {
    /// Takes the bytes of a ciphertext; every string of the right length is one. (One with spare bits that are not zero
    /// is rejected as every wrong one is, without a sign.)
    ///
    /// # Errors
    /// [`Error::Length`].
    pub fn from_bytes(set: ParameterSet, bytes: &[u8]) -> Result<Ciphertext, Error> {
        Error::check_length("ciphertext", set.ciphertext_len(), bytes)?;
        Ok(Ciphertext { set, bytes: bytes.to_vec() })
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

/// A new private key, and its public key.
struct Generate<'a> {
    set: ParameterSet,
    sampler: Sampler,
    random: &'a mut dyn RandomSource,
    private: &'a mut PrivateKey,
}

impl<K: Kernels> Op<K> for Generate<'_> {
    type Out = Result<EncapsulationKey, Error>;

    #[inline(always)]
    fn run(self, k: K) -> Result<EncapsulationKey, Error> {
        let Generate { set, sampler, random, private } = self;
        let (mut f, mut g) = (Poly::ZERO, Poly::ZERO);
        k.enter(SamplePair { set, sampler, random, first: &mut f, second: &mut g })?;
        let mut h = Box::new(Poly::ZERO);
        owcpa::key_gen(k, set, (&mut f, &mut g), private, &mut h);
        let key = EncapsulationKey::of(set, h);
        declassify_all(&key.h.0, "h is the public key");
        declassify_all(&key.bytes, "h is the public key");
        Ok(key)
    }
}

/// A ciphertext, and the secret SHA3-256(r, m).
struct Encapsulate<'a, 'm> {
    key: &'a EncapsulationKey,
    message: Message<'m>,
    ciphertext: &'a mut [u8],
    secret: &'a mut [u8; SEED_LEN],
}

impl<K: Kernels> Op<K> for Encapsulate<'_, '_> {
    type Out = Result<(), Error>;

    #[inline(always)]
    fn run(self, k: K) -> Result<(), Error> {
        let Encapsulate { key, message, ciphertext, secret } = self;
        let (mut r, mut m) = (Poly::ZERO, Poly::ZERO);
        match message {
            Message::Draw { sampler, random } => {
                k.enter(SamplePair { set: key.set, sampler, random, first: &mut r, second: &mut m })?;
            }
            Message::Drawn { r: random, m: coefficients } => {
                sample_iid(key.set, random, &mut r);
                let positions = key.set.n() - 1;
                m.0[..positions].copy_from_slice(&coefficients[..positions]);
            }
        }
        hash_message(k, key.set, &r, &m, secret);
        owcpa::encrypt(k, key.set, &key.h, (&mut r, &mut m), ciphertext);
        Ok(())
    }
}

/// The secret of a ciphertext: that of its r and m, or of a wrong one SHA3-256(PRF key, ciphertext), by masks.
struct Decapsulate<'a> {
    key: &'a DecapsulationKey,
    ciphertext: &'a [u8],
    secret: &'a mut [u8; SEED_LEN],
}

impl<K: Kernels> Op<K> for Decapsulate<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let Decapsulate { key, ciphertext, secret } = self;
        let set = key.parameter_set();
        let (mut r, mut m) = (Poly::ZERO, Poly::ZERO);
        let is_valid = owcpa::decrypt(k, set, key.private.expose(), ciphertext, &mut r, &mut m);
        let (mut shared, mut rejection) = ([0; SEED_LEN], [0; SEED_LEN]);
        hash_message(k, set, &r, &m, &mut shared);
        Sponge::new(SHA3_256, [key.prf_key.expose(), ciphertext]).finish(k, &mut rejection);
        for ((to, a), b) in secret.iter_mut().zip(shared).zip(rejection) {
            *to = is_valid.select(u64::from(a), u64::from(b)) as u8;
        }
    }
}

/// SHA3-256 of r and m, in {0, 1, 2}, packed.
#[inline(always)]
fn hash_message<K: Kernels>(k: K, set: ParameterSet, r: &Poly, m: &Poly, out: &mut [u8; SEED_LEN]) {
    // One after the other: a sponge takes whole words of one part.
    let mut packed = [0; 2 * MAX_TERNARY_LEN];
    let packed = &mut packed[..2 * set.ternary_len()];
    let (packed_r, packed_m) = packed.split_at_mut(set.ternary_len());
    pack_ternary(set, r, packed_r);
    pack_ternary(set, m, packed_m);
    Sponge::new(SHA3_256, [packed, &[]]).finish(k, out);
}

/// h of a public key; false where the encoding is not canonical.
struct UnpackH<'a> {
    set: ParameterSet,
    bytes: &'a [u8],
    h: &'a mut Poly,
}

impl<K: Kernels> Op<K> for UnpackH<'_> {
    type Out = bool;

    #[inline(always)]
    fn run(self, _: K) -> bool {
        owcpa::unpack_h(self.set, self.bytes, self.h).into_public_bool()
    }
}

/// An encoded private key without the key for rejection, and the public key that belongs to it.
struct ReadPrivate<'a> {
    set: ParameterSet,
    packed: &'a [u8],
    private: &'a mut PrivateKey,
}

impl<K: Kernels> Op<K> for ReadPrivate<'_> {
    type Out = Result<EncapsulationKey, Error>;

    #[inline(always)]
    fn run(self, k: K) -> Result<EncapsulationKey, Error> {
        let ReadPrivate { set, packed, private } = self;
        let (f, rest) = packed.split_at(set.ternary_len());
        let (f_inverse, h_inverse) = rest.split_at(set.ternary_len());
        let passes = |mask: ct::Mask| declassify(mask, "a damaged key is refused").into_public_bool();
        let ternary =
            unpack_ternary(set, f, &mut private.f) & unpack_ternary(set, f_inverse, &mut private.f_inverse);
        if !passes(ternary) {
            let why = "five ternary coefficients are a byte below 243";
            return Err(Error::NotCanonical { what: "decapsulation key", why });
        }
        if !passes(owcpa::unpack_h_inverse(set, h_inverse, &mut private.h_inverse)) {
            return Err(Error::NotCanonical { what: "decapsulation key", why: "spare bits are not zero" });
        }
        private.f.centre_ternary(set);
        if !passes(owcpa::is_inverse_mod_3(k, set, private)) {
            return Err(Error::InvalidKey { why: "f and its inverse modulo 3 do not belong together" });
        }
        let mut h = Box::new(Poly::ZERO);
        if !passes(owcpa::recover_h(k, set, private, &mut h)) {
            return Err(Error::InvalidKey { why: "f and the inverse of h do not belong together" });
        }
        declassify_all(&h.0, "h is the public key");
        Ok(EncapsulationKey::of(set, h))
    }
}

/// A sampler alone, for its known answers.
#[cfg(any(test, feature = "known-answers"))]
pub(super) struct SampleFixedWeight<'a> {
    pub set: ParameterSet,
    pub sampler: Sampler,
    pub random: &'a [u8],
}

#[cfg(any(test, feature = "known-answers"))]
impl<K: Kernels> Op<K> for SampleFixedWeight<'_> {
    type Out = Option<Vec<u8>>;

    #[inline(always)]
    fn run(self, k: K) -> Option<Vec<u8>> {
        let mut out = Poly::ZERO;
        let is_enough = self.sampler.sample(k, self.set, self.random, &mut out);
        is_enough.then(|| out.of(self.set).iter().map(|c| *c as u8).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random bytes of operations one after the other, and the order in which a batch takes them: for each operation those
    /// of r and the words of m, some of which are rejected.
    fn operations(set: ParameterSet, count: usize) -> Vec<(Vec<u8>, Vec<u8>)> {
        let mut state = count as u64;
        let mut bytes = |len| -> Vec<u8> {
            let bytes = (0..len).map(|_| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
                (state >> 56) as u8
            });
            bytes.collect()
        };
        let words_len = Sampler::Shuffle.random_len(set);
        (0..count)
            .map(|i| {
                let (r, mut words) = (bytes(set.iid_len()), bytes(words_len));
                words[2 * i..2 * i + 2 * (i % 3)].fill(0);
                (r, words)
            })
            .collect()
    }

    #[test]
    fn a_batch_gives_what_single_encapsulations_give() {
        use crate::rng::Replay;
        for (set, isas) in
            [(ParameterSet::Hps2048509, Isa::ALL), (ParameterSet::Hps4096821, &[Isa::detect()])]
        {
            let key = DecapsulationKey::generate(set, Isa::detect()).expect("a key");
            let key = key.encapsulation_key();
            for isa in isas.iter().copied().filter(|isa| isa.is_supported()) {
                for count in [0, 1, 15, 16, 17, 40] {
                    let mut operations = operations(set, count);
                    // The words of one run out, and it takes others.
                    let fresh = &operations.first().map_or(vec![], |(r, m)| [r.as_slice(), m].concat());
                    if count > FEWEST {
                        operations[5].1.fill(0);
                    }
                    let mut random = vec![];
                    for group in operations.chunks(BATCH) {
                        if group.len() < FEWEST {
                            random.extend(group.iter().flat_map(|(r, m)| [r.as_slice(), m].concat()));
                            continue;
                        }
                        random.extend(group.iter().flat_map(|(r, _)| r));
                        for i in 0..set.shuffle_words() {
                            // Lanes that are not used have some words.
                            for lane in 0..BATCH {
                                random.extend(&group[lane.min(group.len() - 1)].1[2 * i..2 * i + 2]);
                            }
                        }
                        if group[5].1.iter().all(|byte| *byte == 0) {
                            random.extend(fresh);
                        }
                    }
                    let mut random = Replay(&random);
                    let batch = key.encapsulate_batch_from(count, isa, &mut random).expect("a batch");
                    assert_eq!((batch.len(), random.0.len()), (count, 0));
                    for ((ciphertext, secret), (r, m)) in batch.iter().zip(&operations) {
                        let bytes = [r.as_slice(), m, fresh].concat();
                        let single = key.encapsulate_from(Sampler::Shuffle, isa, &mut Replay(&bytes));
                        let (expected, expected_secret) = single.expect("a ciphertext");
                        assert!(*ciphertext == expected && secret.is_equal(&expected_secret), "{count}");
                    }
                }
            }
        }
    }

    #[test]
    fn batches_of_every_set_are_decapsulated() {
        let isa = Isa::detect();
        let mut random = FastKeyErasure::new(isa).expect("a generator");
        for set in ParameterSet::ALL {
            let private = DecapsulationKey::generate(set, isa).expect("a key");
            let batch = private.encapsulation_key().encapsulate_batch(41, isa, &mut random).expect("a batch");
            assert_eq!(batch.len(), 41);
            for (i, (ciphertext, secret)) in batch.iter().enumerate() {
                assert!(private.decapsulate(isa, ciphertext).expect("the same set").is_equal(secret));
                assert!(batch[..i].iter().all(|(other, _)| other != ciphertext));
            }
        }
    }

    /// What [`Scrubbed`] wipes is asserted there.
    #[test]
    fn operations_use_no_more_of_the_stack_than_is_wiped() {
        for set in ParameterSet::ALL {
            for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_supported()) {
                for sampler in [Sampler::Shuffle, Sampler::Sort] {
                    let private = DecapsulationKey::generate_with(set, sampler, isa).expect("a key");
                    let private =
                        DecapsulationKey::from_bytes(set, isa, &private.to_bytes()).expect("the key");
                    let (ciphertext, secret) =
                        private.encapsulation_key().encapsulate_with(sampler, isa).expect("a ciphertext");
                    assert!(private.decapsulate(isa, &ciphertext).expect("the same set").is_equal(&secret));
                }
            }
        }
    }
}
