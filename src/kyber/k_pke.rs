//! K-PKE (FIPS 203, section 5): key generation, encryption and decryption of 32-byte messages.
//!
//! Not secure on its own and not public: [`super::kem`] is what may be used. The three are the same for all nine sets
//! except for their streams. The caller wipes the stack. Next: [`super::sample`], [`super::ntt`].

use super::compress::{compress, decompress};
use super::encode::{add_message, byte_encode};
use super::kernels::Kernels;
use super::ntt::{self, Multiplier};
use super::params::{N, POLY_LEN, ParameterSet, SEED_LEN};
use super::poly::Poly;
use super::sample::{ENTRY_BYTES, Entries, EntryBytes, Noise, sample};
use crate::ct::declassify_all;
use crate::isa::Op;
use crate::simd::Simd;
use crate::symmetric::keccak::STREAMS;
use crate::symmetric::keccak::hash::{SHA3_256, Sponge};

/// What an operation makes that is public.
pub(super) struct Room<const R: usize> {
    /// A, row after row.
    pub matrix: [[Poly; R]; R],
    /// Whether A is there.
    pub is_made: bool,
    /// t: in [0, q), NTT domain.
    pub t_hat: [Poly; R],
    /// The streams that A is made of.
    streams: [EntryBytes; STREAMS],
}

impl<const R: usize> Room<R> {
    #[inline(always)]
    pub fn new() -> Room<R> {
        Room {
            matrix: [[Poly::ZERO; R]; R],
            is_made: false,
            t_hat: [Poly::ZERO; R],
            streams: [[0; ENTRY_BYTES]; STREAMS],
        }
    }
}

/// The entries of A, row after row, as streams of rho: A[i][j] is XOF(rho, j, i).
pub(super) const fn entry_numbers<const R: usize>() -> [[[u8; 2]; R]; R] {
    let mut numbers = [[[0; 2]; R]; R];
    let mut i = 0;
    while i < R * R {
        numbers[i / R][i % R] = [(i % R) as u8, (i / R) as u8];
        i += 1;
    }
    numbers
}

/// Makes the whole matrix; `beside` absorbs what it can meanwhile. Out: entries in [0, q).
#[inline(always)]
pub(super) fn expand_matrix<K: Kernels, const R: usize>(
    k: K,
    set: ParameterSet,
    rho: &[u8; SEED_LEN],
    room: &mut Room<R>,
    beside: Option<&mut Sponge<'_>>,
) {
    let numbers = const { &entry_numbers::<R>() }.as_flattened();
    let Room { matrix, is_made, streams, .. } = room;
    let entries = Entries { rho, numbers, polys: matrix.as_flattened_mut(), streams };
    let no_noise = Noise { sigma: rho, first: 0, eta1: 0, eta1_until: 0, polys: &mut [] };
    sample(k, set.variant(), entries, no_noise, beside);
    *is_made = true;
}

/// Algorithm 13 (K-PKE.KeyGen) from rho and sigma on, and H of the public key.
///
/// Out: s in the NTT domain, in [0, q); t and rho encoded in `public`.
#[inline(always)]
pub(super) fn key_gen<K: Kernels, const R: usize>(
    k: K,
    set: ParameterSet,
    (rho, sigma): (&[u8; SEED_LEN], &[u8; SEED_LEN]),
    room: &mut Room<R>,
    s_hat: &mut [Poly],
    public: &mut [u8],
    hash: &mut [u8; SEED_LEN],
) {
    let variant = set.variant();
    debug_assert!(s_hat.len() == R && public.len() == set.encapsulation_key_len());
    let numbers = const { &entry_numbers::<R>() }.as_flattened();
    let Room { matrix, t_hat, streams, .. } = room;
    let matrix = matrix.as_flattened_mut();
    // s, then e.
    let mut noise = [[Poly::ZERO; R]; 2];
    let noise = noise.as_flattened_mut();
    let mut multipliers = [Multiplier::ZERO; R];
    let (vector, last) = public.split_at_mut(R * POLY_LEN);
    last.copy_from_slice(rho);
    // Entries and noise. The hash of the rows that are complete is computed beside the other entries. Of rank 3, two rows
    // leave two streams, through which all noise goes; of rank 4, noise takes a permutation of its own. Of rank 2, where
    // permutations have two streams, both halves fill them.
    let groups: &[(usize, usize)] = match R {
        2 if variant.has_sponges() && K::STREAMS == 2 => &[(2, 3), (2, 1)],
        3 if variant.has_sponges() => &[(6, 6), (3, 0)],
        4 if variant.has_sponges() => &[(8, 8), (8, 0)],
        _ => &[(R * R, 2 * R)],
    };
    let mut state = [0; 25];
    let (mut made, mut made_noise, mut rows, mut absorbed) = (0, 0, 0, 0);
    for (group, noise_group) in groups {
        let (done, _) = vector.split_at(rows * POLY_LEN);
        let mut sponge = Sponge::with_part(SHA3_256, state, &done[absorbed..]);
        let beside = (rows > 0).then_some(&mut sponge);
        let range = made..made + group;
        let polys = &mut matrix[range.clone()];
        let entries = Entries { rho, numbers: &numbers[range], polys, streams };
        let noise_now = &mut noise[made_noise..made_noise + noise_group];
        let wanted =
            Noise { sigma, first: made_noise, eta1: set.eta1(), eta1_until: 2 * R, polys: &mut *noise_now };
        sample(k, variant, entries, wanted, beside);
        (absorbed, state) = (done.len() - sponge.remaining(), sponge.state);
        for polys in noise_now.chunks_mut(R) {
            k.ntt(polys);
        }
        if made_noise == 0 {
            for ((multiplier, from), to) in multipliers.iter_mut().zip(&*noise).zip(&mut *s_hat) {
                k.set_multiplier(from, multiplier);
                ntt::canonical_from(k.vector(), from, to);
            }
        }
        (made, made_noise) = (made + group, made_noise + noise_group);
        while (rows + 1) * R <= made {
            let (t, bytes) = (&mut t_hat[rows], &mut vector[rows * POLY_LEN..][..POLY_LEN]);
            k.enter(Row { a: &matrix[rows * R..], s: &multipliers, e: &noise[R + rows], t, bytes });
            rows += 1;
        }
    }
    if variant.has_sponges() {
        Sponge::resumed(SHA3_256, state, &public[absorbed..]).finish(k, hash);
    } else {
        variant.h(k, public, hash);
    }
}

/// Algorithm 13 from the matrix and the noise on: t in `public`, which rho ends, and s.
pub(super) struct KeyOfSamples<'a, const R: usize> {
    /// A, row after row, in [0, q).
    pub matrix: &'a [Poly],
    /// Noise; neither has a meaning afterwards.
    pub s: &'a mut [Poly],
    pub e: &'a mut [Poly],
    pub rho: &'a [u8; SEED_LEN],
    /// Out: in [0, q), NTT domain.
    pub s_hat: &'a mut [Poly],
    /// Out: t and rho, encoded.
    pub public: &'a mut [u8],
}

impl<K: Kernels, const R: usize> Op<K> for KeyOfSamples<'_, R> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let KeyOfSamples { matrix, s, e, rho, s_hat, public } = self;
        debug_assert!(s.len() == R && e.len() == R && s_hat.len() == R);
        k.ntt(s);
        k.ntt(e);
        let mut multipliers = [Multiplier::ZERO; R];
        for ((multiplier, from), to) in multipliers.iter_mut().zip(&*s).zip(s_hat) {
            k.set_multiplier(from, multiplier);
            ntt::canonical_from(k.vector(), from, to);
        }
        let (vector, last) = public.split_at_mut(R * POLY_LEN);
        last.copy_from_slice(rho);
        let mut t = Poly::ZERO;
        for ((row, e), bytes) in matrix.chunks_exact(R).zip(&*e).zip(vector.chunks_exact_mut(POLY_LEN)) {
            k.enter(Row { a: row, s: &multipliers, e, t: &mut t, bytes });
        }
    }
}

/// A coefficient of t = A s + e, and its bytes.
struct Row<'a> {
    a: &'a [Poly],
    s: &'a [Multiplier],
    e: &'a Poly,
    t: &'a mut Poly,
    bytes: &'a mut [u8],
}

impl<K: Kernels> Op<K> for Row<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        k.multiply(self.a, 1, self.s, self.t);
        ntt::times_r_plus(k.vector(), self.t, self.e);
        k.byte_encode::<12>(self.t, self.bytes);
        declassify_all(self.bytes, "t is part of the public key");
    }
}

/// What an encryption is made with.
pub(super) struct PublicKey<'a, const R: usize> {
    pub set: ParameterSet,
    /// t in the NTT domain, encoded; coefficients below q.
    pub vector: &'a [u8],
    pub rho: &'a [u8; SEED_LEN],
    pub matrix: Matrix<'a, R>,
}

/// A and t in the NTT domain.
pub(super) enum Matrix<'a, const R: usize> {
    /// They are there: A, row after row, then t.
    Kept(&'a [Poly]),
    /// They are to be made from rho, as far as they are not, and from the encoded vector.
    ToMake(&'a mut Room<R>),
}

/// Algorithm 14 (K-PKE.Encrypt); `beside` absorbs what it can meanwhile.
#[inline(always)]
pub(super) fn encrypt<K: Kernels, const R: usize>(
    k: K,
    key: PublicKey<'_, R>,
    message: &[u8; SEED_LEN],
    randomness: &[u8; SEED_LEN],
    ciphertext: &mut [u8],
    beside: Option<&mut Sponge<'_>>,
) {
    let PublicKey { set, vector, rho, matrix } = key;
    debug_assert!(ciphertext.len() == set.ciphertext_len());
    // y, then e1, then e2 alone.
    let mut noise = [[Poly::ZERO; R]; 3];
    let noise = &mut noise.as_flattened_mut()[..2 * R + 1];
    let wanted = Noise { sigma: randomness, first: 0, eta1: set.eta1(), eta1_until: R, polys: noise };
    let nothing = Entries { rho, numbers: &[], polys: &mut [], streams: &mut [] };
    let (matrix, t_hat) = match matrix {
        Matrix::Kept(kept) => {
            sample(k, set.variant(), nothing, wanted, beside);
            kept.split_at(R * R)
        }
        Matrix::ToMake(Room { matrix, is_made, t_hat, streams }) => {
            let numbers = const { &entry_numbers::<R>() }.as_flattened();
            let entries = Entries { rho, numbers, polys: matrix.as_flattened_mut(), streams };
            sample(k, set.variant(), if *is_made { nothing } else { entries }, wanted, beside);
            decode_vector(k, vector, t_hat);
            (matrix.as_flattened(), t_hat.as_slice())
        }
    };
    let (y, e) = noise.split_at_mut(R);
    k.enter(Encrypt::<R> { set, matrix, t_hat, y, e, message, ciphertext });
}

/// Algorithm 14 from the matrix and the noise on.
pub(super) struct Encrypt<'a, const R: usize> {
    pub set: ParameterSet,
    /// A, row after row, in [0, q).
    pub matrix: &'a [Poly],
    /// t: in [0, q), NTT domain.
    pub t_hat: &'a [Poly],
    /// Noise; neither has a meaning afterwards. The last one of `e` is e2.
    pub y: &'a mut [Poly],
    pub e: &'a mut [Poly],
    pub message: &'a [u8; SEED_LEN],
    pub ciphertext: &'a mut [u8],
}

impl<K: Kernels, const R: usize> Op<K> for Encrypt<'_, R> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let Encrypt { set, matrix, t_hat, y, e, message, ciphertext } = self;
        debug_assert!(y.len() == R && e.len() == R + 1 && t_hat.len() == R);
        let mut multipliers = [Multiplier::ZERO; R];
        k.ntt(y);
        for (multiplier, y) in multipliers.iter_mut().zip(y) {
            k.set_multiplier(y, multiplier);
        }
        add_message(k.vector(), message, &mut e[R]);
        let mut product = Poly::ZERO;
        let mut rest = ciphertext;
        for (i, e) in e.iter().enumerate() {
            let (d, product) = (if i < R { set.du() } else { set.dv() }, &mut product);
            if i < R {
                // Row i of the transposed matrix: a polynomial of u.
                k.multiply(&matrix[i..], R, &multipliers, product);
            } else {
                // v.
                k.multiply(t_hat, 1, &multipliers, product);
            }
            k.intt(core::slice::from_mut(product));
            let (c, later) = rest.split_at_mut(d * N / 8);
            k.enter(Finish { product, e, d, c });
            rest = later;
        }
    }
}

/// A polynomial of the ciphertext: product and noise, compressed to d bits and encoded.
struct Finish<'a> {
    product: &'a mut Poly,
    e: &'a Poly,
    d: usize,
    c: &'a mut [u8],
}

impl<K: Kernels> Op<K> for Finish<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        ntt::add_canonical(k.vector(), self.product, self.e);
        compress_encode(k, self.d, self.product, self.c);
    }
}

/// Algorithm 15 (K-PKE.Decrypt). In: s in [0, q), NTT domain; a ciphertext of the right length.
pub(super) struct Decrypt<'a, const R: usize> {
    pub set: ParameterSet,
    pub s_hat: &'a [Poly],
    pub ciphertext: &'a [u8],
    pub message: &'a mut [u8; SEED_LEN],
}

impl<K: Kernels, const R: usize> Op<K> for Decrypt<'_, R> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let Decrypt { set, s_hat, ciphertext, message } = self;
        let (c1, c2) = ciphertext.split_at(R * set.du() * N / 8);
        let mut multipliers = [Multiplier::ZERO; R];
        let mut u = [Poly::ZERO; R];
        let mut rest = c1;
        for u in &mut u {
            let (c, later) = rest.split_at(set.du() * N / 8);
            decode_decompress(k, set.du(), c, u);
            rest = later;
        }
        k.ntt(&mut u);
        for (multiplier, u) in multipliers.iter_mut().zip(&u) {
            k.set_multiplier(u, multiplier);
        }
        let (mut product, mut poly) = (Poly::ZERO, Poly::ZERO);
        k.multiply(s_hat, 1, &multipliers, &mut product);
        k.intt(core::slice::from_mut(&mut product));
        decode_decompress(k, set.dv(), c2, &mut poly);
        ntt::subtract_canonical(k.vector(), &mut poly, &product);
        compress::<_, 1>(k.vector(), &mut poly);
        k.byte_encode::<1>(&poly, message);
    }
}

/// Compress_d and ByteEncode_d. In: coefficients in [0, q).
#[inline(always)]
pub(super) fn compress_encode<K: Kernels>(k: K, d: usize, a: &mut Poly, to: &mut [u8]) {
    /// One width, known to the compiler.
    #[inline(always)]
    fn step<K: Kernels, const D: usize>(k: K, a: &mut Poly, to: &mut [u8]) {
        compress::<_, D>(k.vector(), a);
        k.byte_encode::<D>(a, to);
    }
    match d {
        4 => step::<K, 4>(k, a, to),
        5 => step::<K, 5>(k, a, to),
        10 => step::<K, 10>(k, a, to),
        11 => step::<K, 11>(k, a, to),
        _ => unreachable!("no set has this width"),
    }
}

/// ByteDecode_d and Decompress_d. Out: coefficients in [0, q).
#[inline(always)]
pub(super) fn decode_decompress<K: Kernels>(k: K, d: usize, from: &[u8], a: &mut Poly) {
    #[inline(always)]
    fn step<K: Kernels, const D: usize>(k: K, from: &[u8], a: &mut Poly) {
        k.byte_decode::<D>(from, a);
        decompress::<_, D>(k.vector(), a);
    }
    match d {
        4 => step::<K, 4>(k, from, a),
        5 => step::<K, 5>(k, from, a),
        10 => step::<K, 10>(k, from, a),
        11 => step::<K, 11>(k, from, a),
        _ => unreachable!("no set has this width"),
    }
}

/// Decodes a vector and says whether all coefficients are below q; takes the same time for all values.
#[inline(always)]
pub(super) fn decode_vector<K: Kernels>(k: K, bytes: &[u8], polys: &mut [Poly]) -> bool {
    let mut canonical = true;
    for (poly, bytes) in polys.iter_mut().zip(bytes.chunks_exact(POLY_LEN)) {
        k.byte_decode::<12>(bytes, poly);
        canonical &= ntt::is_canonical(k.vector(), poly);
    }
    canonical
}

/// Whether all coefficients of an encoded vector are below q.
#[inline(always)]
pub(super) fn is_canonical_vector<K: Kernels>(k: K, bytes: &[u8]) -> bool {
    let (mut canonical, mut poly) = (true, Poly::ZERO);
    for bytes in bytes.chunks_exact(POLY_LEN) {
        canonical &= decode_vector(k, bytes, core::slice::from_mut(&mut poly));
    }
    canonical
}

/// An encoded vector. In: coefficients in [0, q); `to` has room for all.
#[inline(always)]
pub(super) fn encode_vector<S: Simd>(s: S, polys: &[Poly], to: &mut [u8]) {
    for (poly, to) in polys.iter().zip(to.chunks_exact_mut(POLY_LEN)) {
        byte_encode::<_, 12>(s, poly, to);
    }
}
