//! Polynomials from streams of bytes: the matrix (FIPS 203, algorithm 7: SampleNTT) and noise (algorithm 8:
//! SamplePolyCBD).
//!
//! Streams of a Keccak variant are hashed side by side, up to eight a permutation; matrix entries and noise may share
//! one. Those of the nineties are AES-256 in counter mode. Next: [`super::k_pke`].

use super::kernels::{Kernels, Permute, PermuteStreams};
use super::params::{N, Q, SEED_LEN};
use super::poly::Poly;
use super::variant::Variant;
use crate::secret::wipe;
use crate::symmetric::keccak::{STREAMS, States};
use aes::Aes256;
use aes::cipher::{BlockCipherEncrypt, KeyInit};
use zeroize::Zeroize;

/// Bytes of a block of SHAKE128 and of SHAKE256.
const SHAKE128_RATE: usize = 168;
const SHAKE256_RATE: usize = 136;
/// The suffix of SHAKE with the first bit of the padding.
const SHAKE_SUFFIX: u8 = 0x1F;

/// An entry of the matrix to be made: the last two bytes of its stream's input.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub first: u8,
    pub second: u8,
}

/// A polynomial of noise to be made: the last byte of its stream's input.
#[derive(Clone, Copy)]
pub(super) struct Noise {
    pub number: u8,
    pub eta: usize,
}

/// Makes entries of the matrix from rho and noise from sigma, in the order in which they are asked for.
///
/// Out: entries in [0, q), noise in [-eta, eta].
#[inline(always)]
pub(super) fn sample<K: Kernels>(
    k: K,
    variant: Variant,
    (rho, entries, matrix): (&[u8; SEED_LEN], &[Entry], &mut [Poly]),
    (sigma, wanted, noise): (&[u8; SEED_LEN], &[Noise], &mut [Poly]),
) {
    debug_assert!(entries.len() == matrix.len() && wanted.len() == noise.len());
    if variant == Variant::NinetiesSymmetric {
        aes_matrix(rho, entries, matrix);
        aes_noise(sigma, wanted, noise);
        return;
    }
    let (mut entries, mut matrix, mut wanted, mut noise) = (entries, matrix, wanted, noise);
    while !entries.is_empty() || !wanted.is_empty() {
        // Entries first; noise takes the streams that they leave.
        let m = entries.len().min(STREAMS);
        let n = wanted.len().min(STREAMS - m);
        let (entries_now, entries_later) = entries.split_at(m);
        let (matrix_now, matrix_later) = matrix.split_at_mut(m);
        let (wanted_now, wanted_later) = wanted.split_at(n);
        let (noise_now, noise_later) = noise.split_at_mut(n);
        k.enter(Group { rho, entries: entries_now, matrix: matrix_now, sigma, wanted: wanted_now, noise: noise_now });
        (entries, matrix, wanted, noise) = (entries_later, matrix_later, wanted_later, noise_later);
    }
}

/// What one set of streams makes: at most [`STREAMS`] polynomials.
struct Group<'a> {
    rho: &'a [u8; SEED_LEN],
    entries: &'a [Entry],
    matrix: &'a mut [Poly],
    sigma: &'a [u8; SEED_LEN],
    wanted: &'a [Noise],
    noise: &'a mut [Poly],
}

impl<K: Kernels> crate::isa::Op<K> for Group<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let Group { rho, entries, matrix, sigma, wanted, noise } = self;
        let (m, n) = (entries.len(), wanted.len());
        let mut states = States::new();
        for (stream, entry) in entries.iter().enumerate() {
            states.absorb(stream, 0, rho);
            states.absorb(stream, SEED_LEN, &[entry.first, entry.second]);
            states.pad(stream, SEED_LEN + 2, SHAKE_SUFFIX, SHAKE128_RATE);
        }
        for (i, noise) in wanted.iter().enumerate() {
            states.absorb(m + i, 0, sigma);
            states.absorb(m + i, SEED_LEN, &[noise.number]);
            states.pad(m + i, SEED_LEN + 1, SHAKE_SUFFIX, SHAKE256_RATE);
        }
        let mut kept = [0usize; STREAMS];
        let mut bytes = [0u8; 2 * SHAKE256_RATE];
        // Three blocks fill nearly every entry of the matrix; noise needs one, of width 3 two.
        for block in 0..3 {
            let noise_needs = |eta: usize| block * SHAKE256_RATE < 64 * eta;
            let streams = if wanted.iter().any(|noise| noise_needs(noise.eta)) { m + n } else { m };
            if streams > 0 {
                k.enter(PermuteStreams(&mut states, streams));
            }
            for (stream, (poly, kept)) in matrix.iter_mut().zip(&mut kept).enumerate() {
                let bytes = &mut bytes[..SHAKE128_RATE];
                states.squeeze(stream, bytes);
                *kept = keep_below_q(bytes, poly, *kept);
            }
            for (i, (wanted, poly)) in wanted.iter().zip(noise.iter_mut()).enumerate() {
                let len = 64 * wanted.eta;
                if block == 0 && len <= SHAKE256_RATE {
                    let bytes = &mut bytes[..len];
                    states.squeeze(m + i, bytes);
                    centred_binomial(wanted.eta, bytes, poly);
                } else if block == 0 {
                    // The first block waits in the polynomial.
                    let bytes = &mut bytes[..SHAKE256_RATE];
                    states.squeeze(m + i, bytes);
                    for (to, from) in poly.0.iter_mut().zip(bytes.as_chunks::<2>().0) {
                        *to = i16::from_le_bytes(*from);
                    }
                } else if block == 1 && len > SHAKE256_RATE {
                    for (to, from) in bytes.as_chunks_mut::<2>().0.iter_mut().zip(&poly.0[..SHAKE256_RATE / 2]) {
                        *to = from.to_le_bytes();
                    }
                    states.squeeze(m + i, &mut bytes[SHAKE256_RATE..len]);
                    centred_binomial(wanted.eta, &bytes[..len], poly);
                }
            }
        }
        for (stream, (poly, kept)) in matrix.iter_mut().zip(&mut kept).enumerate() {
            while *kept < N {
                let mut state = states.take(stream);
                k.enter(Permute(&mut state));
                states.put(stream, &state);
                let bytes = &mut bytes[..SHAKE128_RATE];
                states.squeeze(stream, bytes);
                *kept = keep_below_q(bytes, poly, *kept);
            }
        }
        if n > 0 {
            states.zeroize();
            wipe(&mut bytes);
        }
    }
}

/// Appends those of the 12-bit numbers in `bytes` that are below q to the `kept` first coefficients, and gives the new
/// number of them. For public streams. In: a multiple of three bytes.
#[inline(always)]
fn keep_below_q(bytes: &[u8], a: &mut Poly, mut kept: usize) -> usize {
    for three in bytes.as_chunks::<3>().0 {
        let [x, y, z] = three.map(u16::from);
        for candidate in [x | (y & 15) << 8, y >> 4 | z << 4] {
            if kept < N {
                a.0[kept] = candidate as i16;
                kept += usize::from(u32::from(candidate) < Q);
            }
        }
    }
    kept
}

/// SamplePolyCBD. In: 64 `eta` bytes. Out: sums of `eta` bits less sums of the next `eta`.
#[inline(always)]
fn centred_binomial(eta: usize, bytes: &[u8], a: &mut Poly) {
    debug_assert!(bytes.len() == 64 * eta);
    if eta == 2 {
        for (from, to) in bytes.as_chunks::<4>().0.iter().zip(a.0.as_chunks_mut::<8>().0) {
            let bits = u32::from_le_bytes(*from);
            let sums = (bits & 0x5555_5555) + (bits >> 1 & 0x5555_5555);
            for (i, c) in to.iter_mut().enumerate() {
                *c = (sums >> (4 * i) & 3) as i16 - (sums >> (4 * i + 2) & 3) as i16;
            }
        }
    } else {
        debug_assert!(eta == 3);
        for (from, to) in bytes.as_chunks::<6>().0.iter().zip(a.0.as_chunks_mut::<8>().0) {
            let [b0, b1, b2, b3, b4, b5] = *from;
            let bits = u64::from_le_bytes([b0, b1, b2, b3, b4, b5, 0, 0]);
            const EVERY_THIRD: u64 = 0x2492_4924_9249;
            let sums = (bits & EVERY_THIRD) + (bits >> 1 & EVERY_THIRD) + (bits >> 2 & EVERY_THIRD);
            for (i, c) in to.iter_mut().enumerate() {
                *c = (sums >> (6 * i) & 7) as i16 - (sums >> (6 * i + 3) & 7) as i16;
            }
        }
    }
    debug_assert!(a.fits(eta as i32));
}

/// AES-256 in counter mode under one key: the streams of Kyber-90s.
struct Aes(Aes256);

impl Aes {
    fn new(key: &[u8; SEED_LEN]) -> Aes {
        Aes(Aes256::new(&(*key).into()))
    }

    /// Blocks from number `block` on of the stream with the nonce (`first`, `second`, 0, ...). In: whole blocks.
    fn stream(&self, [first, second]: [u8; 2], mut block: u32, out: &mut [u8]) {
        for to in out.as_chunks_mut::<16>().0 {
            let mut input = [0; 16];
            (input[0], input[1]) = (first, second);
            input[12..].copy_from_slice(&block.to_be_bytes());
            let mut cipher_block = input.into();
            self.0.encrypt_block(&mut cipher_block);
            *to = cipher_block.into();
            block += 1;
        }
    }
}

fn aes_matrix(rho: &[u8; SEED_LEN], entries: &[Entry], matrix: &mut [Poly]) {
    /// Both whole blocks and whole groups of three bytes.
    const CHUNK: usize = 192;
    let aes = Aes::new(rho);
    let mut bytes = [0; CHUNK];
    for (entry, poly) in entries.iter().zip(matrix) {
        let (mut kept, mut block) = (0, 0);
        while kept < N {
            aes.stream([entry.first, entry.second], block, &mut bytes);
            block += (CHUNK / 16) as u32;
            kept = keep_below_q(&bytes, poly, kept);
        }
    }
}

fn aes_noise(sigma: &[u8; SEED_LEN], wanted: &[Noise], noise: &mut [Poly]) {
    if wanted.is_empty() {
        return;
    }
    let aes = Aes::new(sigma);
    let mut bytes = [0; 64 * 3];
    for (wanted, poly) in wanted.iter().zip(noise) {
        let bytes = &mut bytes[..64 * wanted.eta];
        aes.stream([wanted.number, 0], 0, bytes);
        centred_binomial(wanted.eta, bytes, poly);
    }
    wipe(&mut bytes);
}
