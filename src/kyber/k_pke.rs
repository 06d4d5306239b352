//! K-PKE (FIPS 203, section 5): key generation, encryption and decryption of 32-byte messages.
//!
//! Not secure on its own and not public: [`super::kem`] is what may be used. The three are the same for all nine sets
//! except for their streams. Secret polynomials live in buffers that are wiped. Next: [`super::sample`], [`super::ntt`].

use super::compress::{compress, decompress};
use super::encode::{byte_decode, byte_encode, message_to_poly};
use super::kernels::Kernels;
use super::ntt::{self, Multiplier};
use super::params::{ETA2, MAX_K, N, POLY_LEN, ParameterSet, Q, SEED_LEN};
use super::poly::Poly;
use super::sample::{Entry, Noise, sample};
use zeroize::Zeroize;

/// The entries of A, row after row, as streams of rho: A[i][j] is XOF(rho, j, i).
fn entries(k: usize) -> [Entry; MAX_K * MAX_K] {
    let mut entries = [Entry { first: 0, second: 0 }; MAX_K * MAX_K];
    for (row, entries) in entries.chunks_exact_mut(k).take(k).enumerate() {
        for (column, entry) in entries.iter_mut().enumerate() {
            *entry = Entry { first: column as u8, second: row as u8 };
        }
    }
    entries
}

/// Makes the whole matrix. Out: k^2 polynomials in [0, q), row after row.
#[inline(always)]
pub(super) fn expand_matrix<K: Kernels>(
    k: K,
    set: ParameterSet,
    rho: &[u8; SEED_LEN],
    matrix: &mut [Poly],
) {
    let entries = entries(set.k());
    sample(k, set.variant(), (rho, &entries[..matrix.len()], matrix), (rho, &[], &mut []));
}

/// Algorithm 13 (K-PKE.KeyGen) from rho and sigma on: s and t in the NTT domain, both in [0, q); the matrix where one
/// has to be kept.
#[inline(always)]
pub(super) fn key_gen<K: Kernels>(
    k: K,
    set: ParameterSet,
    (rho, sigma): (&[u8; SEED_LEN], &[u8; SEED_LEN]),
    s_hat: &mut [Poly],
    t_hat: &mut [Poly],
) {
    let rank = set.k();
    debug_assert!(s_hat.len() == rank && t_hat.len() == rank);
    let mut matrix = [Poly::ZERO; MAX_K * MAX_K];
    let matrix = &mut matrix[..rank * rank];
    // s, then e.
    let mut noise = [Poly::ZERO; 2 * MAX_K];
    let noise = &mut noise[..2 * rank];
    let wanted: [Noise; 2 * MAX_K] = core::array::from_fn(|i| Noise { number: i as u8, eta: set.eta1() });
    sample(
        k,
        set.variant(),
        (rho, &entries(rank)[..rank * rank], matrix),
        (sigma, &wanted[..2 * rank], noise),
    );
    for poly in noise.iter_mut() {
        k.ntt(poly);
    }
    let (s, e) = noise.split_at(rank);
    let mut multipliers = [Multiplier::ZERO; MAX_K];
    let multipliers = &mut multipliers[..rank];
    for ((multiplier, from), to) in multipliers.iter_mut().zip(s).zip(s_hat) {
        multiplier.set(k.vector(), from);
        *to = *from;
        ntt::canonical(k.vector(), to);
    }
    for ((row, e), t) in matrix.chunks_exact(rank).zip(e).zip(t_hat) {
        k.multiply(row, 1, multipliers, t);
        ntt::times_r_plus(k.vector(), t, e);
    }
    noise.iter_mut().for_each(Zeroize::zeroize);
    multipliers.iter_mut().for_each(Zeroize::zeroize);
}

/// What an encryption is made with: t and, where it is kept, the matrix.
#[derive(Clone, Copy)]
pub(super) struct PublicKey<'a> {
    pub set: ParameterSet,
    /// In [0, q), NTT domain.
    pub t_hat: &'a [Poly],
    pub rho: &'a [u8; SEED_LEN],
    /// Row after row; made from rho where it is missing.
    pub matrix: Option<&'a [Poly]>,
}

/// Algorithm 14 (K-PKE.Encrypt).
#[inline(always)]
pub(super) fn encrypt<K: Kernels>(
    k: K,
    key: PublicKey<'_>,
    message: &[u8; SEED_LEN],
    randomness: &[u8; SEED_LEN],
    ciphertext: &mut [u8],
) {
    let PublicKey { set, t_hat, rho, matrix } = key;
    let rank = set.k();
    debug_assert!(ciphertext.len() == set.ciphertext_len());
    // y, then e1, then e2.
    let mut noise = [Poly::ZERO; 2 * MAX_K + 1];
    let noise = &mut noise[..2 * rank + 1];
    let wanted: [Noise; 2 * MAX_K + 1] = core::array::from_fn(|i| Noise {
        number: i as u8,
        eta: if i < rank { set.eta1() } else { ETA2 },
    });
    let wanted = &wanted[..2 * rank + 1];
    let mut made = [Poly::ZERO; MAX_K * MAX_K];
    let matrix = match matrix {
        Some(matrix) => {
            sample(k, set.variant(), (rho, &[], &mut []), (randomness, wanted, noise));
            matrix
        }
        None => {
            let made = &mut made[..rank * rank];
            let entries = entries(rank);
            sample(k, set.variant(), (rho, &entries[..rank * rank], made), (randomness, wanted, noise));
            made
        }
    };
    let mut multipliers = [Multiplier::ZERO; MAX_K];
    let multipliers = &mut multipliers[..rank];
    let (y, e) = noise.split_at_mut(rank);
    for (multiplier, y) in multipliers.iter_mut().zip(y) {
        k.ntt(y);
        multiplier.set(k.vector(), y);
    }
    let (e1, e2) = e.split_at_mut(rank);
    let mut product = Poly::ZERO;
    let (c1, c2) = ciphertext.split_at_mut(rank * set.du() * N / 8);
    for (i, (e, c)) in e1.iter().zip(c1.chunks_exact_mut(set.du() * N / 8)).enumerate() {
        // Row i of the transposed matrix.
        k.multiply(&matrix[i..], rank, multipliers, &mut product);
        k.intt(&mut product);
        ntt::add_canonical(k.vector(), &mut product, e);
        compress_encode(k, set.du(), &mut product, c);
    }
    let mut mu = Poly::ZERO;
    message_to_poly(message, &mut mu);
    k.multiply(t_hat, 1, multipliers, &mut product);
    k.intt(&mut product);
    for e2 in e2.iter_mut() {
        ntt::add_canonical(k.vector(), e2, &mu);
        ntt::add_canonical(k.vector(), &mut product, e2);
    }
    compress_encode(k, set.dv(), &mut product, c2);
    noise.iter_mut().for_each(Zeroize::zeroize);
    multipliers.iter_mut().for_each(Zeroize::zeroize);
    product.zeroize();
    mu.zeroize();
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
    let mut poly = Poly::ZERO;
    for (multiplier, c) in multipliers.iter_mut().zip(c1.chunks_exact(set.du() * N / 8)) {
        decode_decompress(k, set.du(), c, &mut poly);
        k.ntt(&mut poly);
        multiplier.set(k.vector(), &poly);
    }
    let mut product = Poly::ZERO;
    k.multiply(s_hat, 1, multipliers, &mut product);
    k.intt(&mut product);
    decode_decompress(k, set.dv(), c2, &mut poly);
    ntt::subtract_canonical(k.vector(), &mut poly, &product);
    compress::<_, 1>(k.vector(), &mut poly);
    byte_encode::<1>(&poly, message);
    poly.zeroize();
    product.zeroize();
}

/// Compress_d and ByteEncode_d. In: coefficients in [0, q).
#[inline(always)]
fn compress_encode<K: Kernels>(k: K, d: usize, a: &mut Poly, to: &mut [u8]) {
    /// One width, known to the compiler.
    #[inline(always)]
    fn step<K: Kernels, const D: usize>(k: K, a: &mut Poly, to: &mut [u8]) {
        compress::<_, D>(k.vector(), a);
        byte_encode::<D>(a, to);
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
fn decode_decompress<K: Kernels>(k: K, d: usize, from: &[u8], a: &mut Poly) {
    #[inline(always)]
    fn step<K: Kernels, const D: usize>(k: K, from: &[u8], a: &mut Poly) {
        byte_decode::<D>(from, a);
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

/// The polynomials of an encoded vector, and whether all coefficients are below q; takes the same time for all values.
#[inline(always)]
pub(super) fn decode_vector(bytes: &[u8]) -> (Vec<Poly>, bool) {
    let mut polys = vec![Poly::ZERO; bytes.len() / POLY_LEN];
    let mut not_below = 0i16;
    for (poly, bytes) in polys.iter_mut().zip(bytes.chunks_exact(POLY_LEN)) {
        byte_decode::<12>(bytes, poly);
        for c in &poly.0 {
            not_below |= Q as i16 - 1 - c;
        }
    }
    (polys, not_below >= 0)
}

/// An encoded vector. In: coefficients in [0, q); `to` has room for all.
#[inline(always)]
pub(super) fn encode_vector(polys: &[Poly], to: &mut [u8]) {
    for (poly, to) in polys.iter().zip(to.chunks_exact_mut(POLY_LEN)) {
        byte_encode::<12>(poly, to);
    }
}
