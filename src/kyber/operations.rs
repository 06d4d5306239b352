//! Key generation, encapsulation and decapsulation (FIPS 203, section 6; round 3: Kyber.CCAKEM), compiled for each rank.
//!
//! What is secret lives on the stack of the operation, which is wiped after it; what is public, most of all the matrix,
//! lies outside of that, in [`Room`]. In tests, every operation looks whether it used less than what is wiped.
//! Next: [`super::k_pke`].

use super::k_pke::{self, Matrix, PublicKey, Room};
use super::kem::{DecapsulationKey, EncapsulationKey};
use super::kernels::Kernels;
use super::params::{MAX_CIPHERTEXT_LEN, ParameterSet, SEED_LEN};
use super::poly::Poly;
use super::variant::Variant;
use crate::ct::{self, declassify_all};
use crate::isa::{self, Isa, Op};
use crate::secret::{scrubbed_bytes, stack};
use crate::symmetric::keccak::hash::{SHA3_256, SHAKE256, Sponge};

/// Bytes of stack that are wiped after an operation of rank 2, 3 and 4: a sixth more than it uses, so that all of it fits
/// into the first cache.
const GENERATE: [usize; 3] = [stack(18), stack(24), stack(29)];
const ENCAPSULATE: [usize; 3] = [stack(17), stack(21), stack(25)];
const DECAPSULATE: [usize; 3] = [stack(21), stack(27), stack(32)];

/// Calls a function for the rank of a set, with the bytes of its stack.
macro_rules! by_rank {
    ($set:expr, $stack:ident, $function:ident($($argument:expr),*)) => {
        match $set.k() {
            2 => $function::<2, { $stack[0] }>($($argument),*),
            3 => $function::<3, { $stack[1] }>($($argument),*),
            _ => $function::<4, { $stack[2] }>($($argument),*),
        }
    };
}

/// Algorithm 16 (ML-KEM.KeyGen_internal) without z; round 3: Kyber.CCAKEM.KeyGen. In: room for vectors and for the
/// encoded public key. Out: the hash of that.
pub(super) fn generate(
    isa: Isa,
    set: ParameterSet,
    d: &[u8; SEED_LEN],
    s_hat: &mut [Poly],
    public: &mut [u8],
) -> [u8; SEED_LEN] {
    by_rank!(set, GENERATE, generate_of_rank(isa, set, d, s_hat, public))
}

fn generate_of_rank<const R: usize, const STACK: usize>(
    isa: Isa,
    set: ParameterSet,
    d: &[u8; SEED_LEN],
    s_hat: &mut [Poly],
    public: &mut [u8],
) -> [u8; SEED_LEN] {
    let mut room = Room::<R>::new();
    let mut hash = [0; SEED_LEN];
    let operation = Generate { set, d, room: &mut room, s_hat, public, hash: &mut hash };
    scrubbed_bytes::<STACK, _>(|| isa::with(isa, operation));
    hash
}

/// Algorithm 17 (ML-KEM.Encaps_internal); round 3: Kyber.CCAKEM.Enc. In: room for the ciphertext and the secret.
pub(super) fn encapsulate(
    isa: Isa,
    key: &EncapsulationKey,
    random: &[u8; SEED_LEN],
    ciphertext: &mut [u8],
    secret: &mut [u8; SEED_LEN],
) {
    by_rank!(key.parameter_set(), ENCAPSULATE, encapsulate_of_rank(isa, key, random, ciphertext, secret));
}

fn encapsulate_of_rank<const R: usize, const STACK: usize>(
    isa: Isa,
    key: &EncapsulationKey,
    random: &[u8; SEED_LEN],
    ciphertext: &mut [u8],
    secret: &mut [u8; SEED_LEN],
) {
    with_matrix::<R>(key.kept(), |matrix| {
        let operation = Encapsulate { key, matrix, random, ciphertext, secret };
        scrubbed_bytes::<STACK, _>(|| isa::with(isa, operation));
    });
}

/// Algorithm 18 (ML-KEM.Decaps_internal); round 3: Kyber.CCAKEM.Dec. In: a ciphertext of the key's set, room for the
/// secret.
pub(super) fn decapsulate(isa: Isa, key: &DecapsulationKey, ciphertext: &[u8], secret: &mut [u8; SEED_LEN]) {
    by_rank!(key.parameter_set(), DECAPSULATE, decapsulate_of_rank(isa, key, ciphertext, secret));
}

fn decapsulate_of_rank<const R: usize, const STACK: usize>(
    isa: Isa,
    key: &DecapsulationKey,
    ciphertext: &[u8],
    secret: &mut [u8; SEED_LEN],
) {
    with_matrix::<R>(key.encapsulation_key().kept(), |matrix| {
        let operation = Decapsulate { key, matrix, ciphertext, secret };
        scrubbed_bytes::<STACK, _>(|| isa::with(isa, operation));
    });
}

/// Gives `work` what is kept, or room to make it.
#[inline(always)]
fn with_matrix<const R: usize>(kept: Option<&[Poly]>, work: impl FnOnce(Matrix<'_, R>)) {
    match kept {
        Some(kept) => work(Matrix::Kept(kept)),
        None => work(Matrix::ToMake(&mut Room::new())),
    }
}

/// What a key may keep: A, row after row, then t.
pub(super) fn matrix_and_t(isa: Isa, key: &EncapsulationKey) -> Vec<Poly> {
    by_rank!(key.parameter_set(), ENCAPSULATE, matrix_and_t_of_rank(isa, key))
}

fn matrix_and_t_of_rank<const R: usize, const STACK: usize>(isa: Isa, key: &EncapsulationKey) -> Vec<Poly> {
    let mut room = Room::<R>::new();
    isa::with(isa, ExpandMatrix { key, room: &mut room });
    room.matrix.as_flattened().iter().chain(&room.t_hat).copied().collect()
}

struct ExpandMatrix<'a, const R: usize> {
    key: &'a EncapsulationKey,
    room: &'a mut Room<R>,
}

impl<K: Kernels, const R: usize> Op<K> for ExpandMatrix<'_, R> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let ExpandMatrix { key, room } = self;
        k_pke::expand_matrix(k, key.parameter_set(), key.rho(), room, None);
        k_pke::decode_vector(k, key.vector(), &mut room.t_hat);
    }
}

struct Generate<'a, const R: usize> {
    set: ParameterSet,
    d: &'a [u8; SEED_LEN],
    room: &'a mut Room<R>,
    s_hat: &'a mut [Poly],
    /// The encoded public key, and its hash.
    public: &'a mut [u8],
    hash: &'a mut [u8; SEED_LEN],
}

impl<K: Kernels, const R: usize> Op<K> for Generate<'_, R> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let Generate { set, d, room, s_hat, public, hash } = self;
        let mut seeds = [0; 64];
        let rank = [R as u8];
        let rank = if set.variant() == Variant::MlKem { rank.as_slice() } else { &[] };
        set.variant().g(k, [d, rank], &mut seeds);
        let (rho, sigma) = halves(&seeds);
        declassify_all(rho, "rho is part of the public key");
        k_pke::key_gen(k, set, (rho, sigma), room, s_hat, public, hash);
    }
}

struct Encapsulate<'a, const R: usize> {
    key: &'a EncapsulationKey,
    matrix: Matrix<'a, R>,
    random: &'a [u8; SEED_LEN],
    ciphertext: &'a mut [u8],
    secret: &'a mut [u8; SEED_LEN],
}

impl<K: Kernels, const R: usize> Op<K> for Encapsulate<'_, R> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let Encapsulate { key, matrix, random, ciphertext, secret } = self;
        let set = key.parameter_set();
        let variant = set.variant();
        let mut m = *random;
        if variant != Variant::MlKem {
            // Never the generator's own output.
            variant.h(k, random, &mut m);
        }
        let mut matrix = matrix;
        if let Matrix::ToMake(room) = &mut matrix
            && variant.has_sponges()
            && key.known_hash().is_none()
        {
            // Beside the matrix.
            let mut sponge = Sponge::new(SHA3_256, [key.as_bytes(), &[]]);
            k_pke::expand_matrix(k, set, key.rho(), room, Some(&mut sponge));
            let mut hash = [0; SEED_LEN];
            sponge.finish(k, &mut hash);
            key.keep_hash(hash);
        }
        let mut derived = [0; 64];
        variant.g(k, [&m, key.hash(k)], &mut derived);
        let (shared, randomness) = halves(&derived);
        let public = PublicKey { set, vector: key.vector(), rho: key.rho(), matrix };
        k_pke::encrypt(k, public, &m, randomness, ciphertext, None);
        declassify_all(ciphertext, "a ciphertext is public");
        match variant {
            Variant::MlKem => *secret = *shared,
            _ => {
                let mut hash = [0; SEED_LEN];
                variant.h(k, ciphertext, &mut hash);
                variant.kdf(k, [shared, &hash], secret);
            }
        }
    }
}

/// Never fails: a wrong ciphertext yields J(z, c) (round 3: KDF(z, H(c))), by masks.
struct Decapsulate<'a, const R: usize> {
    key: &'a DecapsulationKey,
    matrix: Matrix<'a, R>,
    ciphertext: &'a [u8],
    secret: &'a mut [u8; SEED_LEN],
}

impl<K: Kernels, const R: usize> Op<K> for Decapsulate<'_, R> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let Decapsulate { key, matrix, ciphertext, secret } = self;
        let public = key.encapsulation_key();
        let set = public.parameter_set();
        let variant = set.variant();
        let mut m = [0; SEED_LEN];
        k.enter(k_pke::Decrypt::<R> { set, s_hat: key.s_hat(), ciphertext, message: &mut m });
        let mut derived = [0; 64];
        variant.g(k, [&m, public.hash(k)], &mut derived);
        let (shared, randomness) = halves(&derived);
        let mut again = [0; MAX_CIPHERTEXT_LEN];
        let again = &mut again[..ciphertext.len()];
        // J(z, c), or H(c) for round 3: computed beside the matrix and the noise.
        let mut sponge = match variant {
            Variant::MlKem => Sponge::new(SHAKE256, [key.z(), ciphertext]),
            _ => Sponge::new(SHA3_256, [ciphertext, &[]]),
        };
        let beside = variant.has_sponges().then_some(&mut sponge);
        let encryption = PublicKey { set, vector: public.vector(), rho: public.rho(), matrix };
        k_pke::encrypt(k, encryption, &m, randomness, again, beside);
        let mut hash = [0; SEED_LEN];
        if variant.has_sponges() {
            sponge.finish(k, &mut hash);
        } else {
            variant.h(k, ciphertext, &mut hash);
        }
        let is_own = ct::eq(ciphertext, again);
        let mut rejection = [0; SEED_LEN];
        if variant == Variant::MlKem {
            choose(is_own, shared, &hash, secret);
        } else {
            choose(is_own, shared, key.z(), &mut rejection);
            variant.kdf(k, [&rejection, &hash], secret);
        }
    }
}

/// `a` where the mask is true, else `b`.
#[inline(always)]
pub(super) fn choose(mask: ct::Mask, a: &[u8; SEED_LEN], b: &[u8; SEED_LEN], to: &mut [u8; SEED_LEN]) {
    for ((to, a), b) in
        to.as_chunks_mut::<8>().0.iter_mut().zip(a.as_chunks::<8>().0).zip(b.as_chunks::<8>().0)
    {
        *to = mask.select(u64::from_le_bytes(*a), u64::from_le_bytes(*b)).to_le_bytes();
    }
}

/// The halves of 64 bytes.
#[inline(always)]
pub(super) fn halves(bytes: &[u8; 64]) -> (&[u8; SEED_LEN], &[u8; SEED_LEN]) {
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => (first, last),
        _ => unreachable!("two halves of 32 bytes"),
    }
}
