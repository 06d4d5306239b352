//! K-PKE (FIPS 203, section 5): key generation, encryption and decryption of 32-byte messages.
//!
//! Not secure on its own and not public: [`super::kem`] is what may be used. The three are the same for all nine sets
//! except for their streams. The caller wipes the stack. Next: [`super::sample`], [`super::ntt`].

use super::compress::{compress, decompress};
use super::encode::message_to_poly;
use super::kernels::Kernels;
use super::ntt::{self, Multiplier};
use super::params::{MAX_K, N, POLY_LEN, ParameterSet, SEED_LEN};
use super::poly::Poly;
use super::sample::{Entries, Noise, sample};
use crate::ct::declassify_all;
use crate::isa::Op;
use crate::symmetric::keccak::hash::{SHA3_256, Sponge};

/// The entries of A, row after row, as streams of rho: A[i][j] is XOF(rho, j, i).
#[inline(always)]
fn entry_numbers(rank: usize) -> [[u8; 2]; MAX_K * MAX_K] {
    let mut numbers = [[0; 2]; MAX_K * MAX_K];
    for row in 0..rank {
        for column in 0..rank {
            numbers[row * rank + column] = [column as u8, row as u8];
        }
    }
    numbers
}

/// Makes the whole matrix; `beside` absorbs what it can meanwhile. Out: k^2 polynomials in [0, q), row after row.
#[inline(always)]
pub(super) fn expand_matrix<K: Kernels>(
    k: K,
    set: ParameterSet,
    rho: &[u8; SEED_LEN],
    matrix: &mut [Poly],
    beside: Option<&mut Sponge<'_>>,
) {
    let numbers = entry_numbers(set.k());
    let entries = Entries { rho, numbers: &numbers[..matrix.len()], polys: matrix };
    let no_noise = Noise { sigma: rho, first: 0, eta1: 0, eta1_until: 0, polys: &mut [] };
    sample(k, set.variant(), entries, no_noise, beside);
}

/// Algorithm 13 (K-PKE.KeyGen) from rho and sigma on, and H of the public key.
///
/// Out: s and t in the NTT domain, both in [0, q); t and rho encoded in `public`. `matrix` is room.
#[allow(clippy::too_many_arguments, reason = "each is another part of the key")]
#[inline(always)]
pub(super) fn key_gen<K: Kernels>(
    k: K,
    set: ParameterSet,
    (rho, sigma): (&[u8; SEED_LEN], &[u8; SEED_LEN]),
    matrix: &mut [Poly; MAX_K * MAX_K],
    s_hat: &mut [Poly],
    t_hat: &mut [Poly],
    public: &mut [u8],
    hash: &mut [u8; SEED_LEN],
) {
    let (rank, variant) = (set.k(), set.variant());
    debug_assert!(s_hat.len() == rank && t_hat.len() == rank && public.len() == set.encapsulation_key_len());
    let numbers = entry_numbers(rank);
    // s, then e.
    let mut noise = [Poly::ZERO; 2 * MAX_K];
    let noise = &mut noise[..2 * rank];
    let mut multipliers = [Multiplier::ZERO; MAX_K];
    let multipliers = &mut multipliers[..rank];
    let (vector, last) = public.split_at_mut(rank * POLY_LEN);
    last.copy_from_slice(rho);
    // Entries and noise. The hash of the rows that are complete is computed beside the other entries. Of rank 3, two rows
    // leave two streams, through which all noise goes; of rank 4, noise takes a permutation of its own. Of rank 2, where
    // permutations have two streams, both halves fill them.
    let groups: &[(usize, usize)] = match rank {
        2 if variant.has_sponges() && K::STREAMS == 2 => &[(2, 3), (2, 1)],
        3 if variant.has_sponges() => &[(6, 6), (3, 0)],
        4 if variant.has_sponges() => &[(8, 8), (8, 0)],
        _ => &[(rank * rank, 2 * rank)],
    };
    let mut state = [0; 25];
    let (mut made, mut rows, mut absorbed) = (0, 0, 0);
    let mut made_noise = 0;
    for (group, noise_group) in groups {
        let (done, _) = vector.split_at(rows * POLY_LEN);
        let mut sponge = Sponge::with_part(SHA3_256, state, &done[absorbed..]);
        let beside = (rows > 0).then_some(&mut sponge);
        let range = made..made + group;
        let entries = Entries { rho, numbers: &numbers[range.clone()], polys: &mut matrix[range] };
        let polys = &mut noise[made_noise..made_noise + noise_group];
        let wanted = Noise { sigma, first: made_noise, eta1: set.eta1(), eta1_until: 2 * rank, polys };
        sample(k, variant, entries, wanted, beside);
        (absorbed, state) = (done.len() - sponge.remaining(), sponge.state);
        for polys in noise[made_noise..made_noise + noise_group].chunks_mut(MAX_K) {
            k.ntt(polys);
        }
        if made_noise == 0 {
            for ((multiplier, from), to) in multipliers.iter_mut().zip(noise.iter()).zip(&mut *s_hat) {
                k.set_multiplier(from, multiplier);
                ntt::canonical_from(k.vector(), from, to);
            }
        }
        (made, made_noise) = (made + group, made_noise + noise_group);
        while (rows + 1) * rank <= made {
            let (t, bytes) = (&mut t_hat[rows], &mut vector[rows * POLY_LEN..][..POLY_LEN]);
            k.enter(Row { a: &matrix[rows * rank..], s: multipliers, e: &noise[rank + rows], t, bytes });
            rows += 1;
        }
    }
    if variant.has_sponges() {
        Sponge::resumed(SHA3_256, state, &public[absorbed..]).finish(k, hash);
    } else {
        variant.h(k, public, hash);
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
pub(super) struct PublicKey<'a> {
    pub set: ParameterSet,
    /// t: in [0, q), NTT domain.
    pub t_hat: &'a [Poly],
    pub rho: &'a [u8; SEED_LEN],
    pub matrix: Matrix<'a>,
}

/// A, row after row.
pub(super) enum Matrix<'a> {
    /// It is there.
    Known(&'a [Poly]),
    /// It is to be made from rho, here.
    ToMake(&'a mut [Poly]),
}

/// Algorithm 14 (K-PKE.Encrypt); `beside` absorbs what it can meanwhile.
#[inline(always)]
pub(super) fn encrypt<K: Kernels>(
    k: K,
    key: PublicKey<'_>,
    message: &[u8; SEED_LEN],
    randomness: &[u8; SEED_LEN],
    ciphertext: &mut [u8],
    beside: Option<&mut Sponge<'_>>,
) {
    let PublicKey { set, t_hat, rho, matrix } = key;
    let rank = set.k();
    debug_assert!(ciphertext.len() == set.ciphertext_len());
    // y, then e1, then e2.
    let mut noise = [Poly::ZERO; 2 * MAX_K + 1];
    let noise = &mut noise[..2 * rank + 1];
    let numbers = entry_numbers(rank);
    let (known, to_make): (_, &mut [Poly]) = match matrix {
        Matrix::Known(matrix) => (Some(matrix), &mut []),
        Matrix::ToMake(matrix) => (None, matrix),
    };
    let entries = Entries { rho, numbers: &numbers[..to_make.len()], polys: to_make };
    let streams = Noise { sigma: randomness, first: 0, eta1: set.eta1(), eta1_until: rank, polys: noise };
    sample(k, set.variant(), entries, streams, beside);
    let matrix = known.unwrap_or(to_make);
    let mut multipliers = [Multiplier::ZERO; MAX_K];
    let multipliers = &mut multipliers[..rank];
    let (y, e) = noise.split_at_mut(rank);
    k.ntt(y);
    for (multiplier, y) in multipliers.iter_mut().zip(y) {
        k.set_multiplier(y, multiplier);
    }
    // u, then v.
    let mut products = [Poly::ZERO; MAX_K + 1];
    let products = &mut products[..=rank];
    for (i, product) in products.iter_mut().enumerate() {
        if i < rank {
            // Row i of the transposed matrix.
            k.multiply(&matrix[i..], rank, multipliers, product);
        } else {
            k.multiply(t_hat, 1, multipliers, product);
        }
    }
    k.intt(products);
    // e1, and e2 with the message.
    let mut mu = Poly::ZERO;
    message_to_poly(k.vector(), message, &mut mu);
    ntt::add(k.vector(), &mut e[rank], &mu);
    let mut rest = ciphertext;
    for (i, (product, e)) in products.iter_mut().zip(e).enumerate() {
        let d = if i < rank { set.du() } else { set.dv() };
        let (c, later) = rest.split_at_mut(d * N / 8);
        k.enter(Finish { product, e, d, c });
        rest = later;
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
#[inline(always)]
pub(super) fn decrypt<K: Kernels>(
    k: K,
    set: ParameterSet,
    s_hat: &[Poly],
    ciphertext: &[u8],
    message: &mut [u8; SEED_LEN],
) {
    let rank = set.k();
    let (c1, c2) = ciphertext.split_at(rank * set.du() * N / 8);
    let mut multipliers = [Multiplier::ZERO; MAX_K];
    let multipliers = &mut multipliers[..rank];
    let mut u = [Poly::ZERO; MAX_K];
    let u = &mut u[..rank];
    let mut rest = c1;
    for u in u.iter_mut() {
        let (c, later) = rest.split_at(set.du() * N / 8);
        decode_decompress(k, set.du(), c, u);
        rest = later;
    }
    k.ntt(u);
    for (multiplier, u) in multipliers.iter_mut().zip(u) {
        k.set_multiplier(u, multiplier);
    }
    let (mut product, mut poly) = (Poly::ZERO, Poly::ZERO);
    k.multiply(s_hat, 1, multipliers, &mut product);
    k.intt(core::slice::from_mut(&mut product));
    decode_decompress(k, set.dv(), c2, &mut poly);
    ntt::subtract_canonical(k.vector(), &mut poly, &product);
    compress::<_, 1>(k.vector(), &mut poly);
    k.byte_encode::<1>(&poly, message);
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

/// An encoded vector. In: coefficients in [0, q); `to` has room for all.
#[inline(always)]
pub(super) fn encode_vector(polys: &[Poly], to: &mut [u8]) {
    for (poly, to) in polys.iter().zip(to.chunks_exact_mut(POLY_LEN)) {
        super::encode::byte_encode::<12>(poly, to);
    }
}
