//! Polynomials from streams of bytes: the matrix (FIPS 203, algorithm 7: SampleNTT) and noise (algorithm 8:
//! SamplePolyCBD).
//!
//! Streams of a Keccak variant are hashed side by side, up to eight a permutation; matrix entries, noise and one serial
//! hash may share it. Where a permutation has two, [`pair`] distributes them. Those of the nineties are AES-256 in
//! counter mode. Next: [`super::k_pke`].

mod pair;

use super::encode::byte_decode;
use super::kernels::Kernels;
use super::params::{ETA2, MAX_ETA, MAX_K, N, Q, SEED_LEN};
use super::poly::Poly;
use super::variant::Variant;
use crate::isa::Op;
use crate::simd::{Int16, Simd};
use crate::symmetric::aes256ctr::{Aes256Ctr, BLOCK_LEN, NONCE_LEN};
use crate::symmetric::keccak::hash::Sponge;
use crate::symmetric::keccak::{Keccak, Permute, PermuteStreams, STREAMS, States};

/// Bytes of a block of SHAKE128 and of SHAKE256.
const SHAKE128_RATE: usize = 168;
const SHAKE256_RATE: usize = 136;
/// The suffix of SHAKE with the first bit of the padding.
const SHAKE_SUFFIX: u8 = 0x1F;

/// Entries of the matrix to be made from rho.
pub(super) struct Entries<'a> {
    pub rho: &'a [u8; SEED_LEN],
    /// The last two bytes of each stream's input.
    pub numbers: &'a [[u8; 2]],
    /// Out: in [0, q).
    pub polys: &'a mut [Poly],
    /// Room for the bytes of all streams, where any entries are made. (Where a permutation has two, none is needed.)
    pub streams: &'a mut [EntryBytes],
}

/// The bytes of a stream of the matrix.
pub(super) type EntryBytes = [u8; ENTRY_BYTES];

/// Noise to be made from sigma.
pub(super) struct Noise<'a> {
    pub sigma: &'a [u8; SEED_LEN],
    /// The last byte of the first stream's input; the next ones follow.
    pub first: usize,
    /// The width of polynomials with a number below `eta1_until`; that of the others is [`ETA2`].
    pub eta1: usize,
    pub eta1_until: usize,
    /// Out: in [-eta, eta].
    pub polys: &'a mut [Poly],
}

impl Noise<'_> {
    #[inline(always)]
    fn eta(&self, i: usize) -> usize {
        if self.first + i < self.eta1_until { self.eta1 } else { ETA2 }
    }

    /// Blocks of SHAKE256 that polynomial `i` takes.
    #[inline(always)]
    fn blocks(&self, i: usize) -> usize {
        const { assert!(64 * MAX_ETA <= 2 * SHAKE256_RATE) };
        1 + usize::from(64 * self.eta(i) > SHAKE256_RATE)
    }

    /// Blocks of SHAKE256 that all of it takes.
    #[inline(always)]
    fn all_blocks(&self) -> usize {
        (0..self.polys.len()).map(|i| self.blocks(i)).sum()
    }
}

/// Makes entries of the matrix and noise. Meanwhile, `beside` absorbs a block for every permutation that has a stream
/// left for it; some blocks may remain.
#[inline(always)]
pub(super) fn sample<K: Kernels>(
    k: K,
    variant: Variant,
    entries: Entries<'_>,
    noise: Noise<'_>,
    mut beside: Option<&mut Sponge<'_>>,
) {
    debug_assert!(entries.numbers.len() == entries.polys.len());
    if variant == Variant::NinetiesSymmetric {
        k.enter(AesStreams { entries, noise });
        return;
    }
    if K::STREAMS == 2 {
        k.enter(pair::Pair { entries, noise, beside });
        return;
    }
    let Entries { rho, mut numbers, mut polys, streams } = entries;
    let Noise { sigma, mut first, eta1, eta1_until, polys: mut noise } = noise;
    while !numbers.is_empty() || !noise.is_empty() {
        let wanted = Noise { sigma, first, eta1, eta1_until, polys: noise };
        // Entries first; noise takes the streams that they leave.
        let m = match &beside {
            Some(sponge) => entries_beside::<K>(sponge.blocks(), numbers.len(), &wanted),
            None => numbers.len().min(STREAMS),
        };
        let (numbers_now, numbers_later) = numbers.split_at(m);
        let (polys_now, polys_later) = polys.split_at_mut(m);
        let made = k.enter(Group {
            entries: Entries { rho, numbers: numbers_now, polys: polys_now, streams: &mut *streams },
            noise: Noise { polys: &mut *wanted.polys, ..wanted },
            beside: beside.as_deref_mut(),
        });
        noise = &mut { wanted.polys }[made..];
        (numbers, polys, first) = (numbers_later, polys_later, first + made);
    }
}

/// How many entries to make beside a hash. All, if the noise has room beside them too. Otherwise few at a time, where few
/// streams are faster and the hash lasts that long: it would go on alone.
#[inline(always)]
fn entries_beside<K: Keccak>(blocks: usize, entries: usize, noise: &Noise<'_>) -> usize {
    let lasts = blocks.div_ceil(ENTRY_BLOCKS);
    let noise_streams = noise.all_blocks().div_ceil(ENTRY_BLOCKS);
    let (few, most) = (K::FEW_STREAMS - 1, STREAMS - 1);
    let fits = noise_streams > 0 && entries + noise_streams <= most;
    entries.min(if !fits && lasts * few >= entries { few } else { most })
}

/// What one set of streams makes: at most [`STREAMS`] entries, or one less and a hash; and noise, one after the other in
/// each stream that is left. Gives how many polynomials of noise it made.
struct Group<'a, 'b, 'c> {
    entries: Entries<'a>,
    noise: Noise<'a>,
    beside: Option<&'b mut Sponge<'c>>,
}

impl<K: Kernels> Op<K> for Group<'_, '_, '_> {
    type Out = usize;

    #[inline(always)]
    fn run(self, k: K) -> usize {
        let Group { entries, noise, mut beside } = self;
        let m = entries.polys.len();
        let mut states = States::new();
        for (stream, number) in entries.numbers.iter().enumerate() {
            begin(&mut states, stream, entries.rho, number, SHAKE128_RATE);
        }
        // Streams: the matrix, the hash, noise.
        let mut first_noise = m;
        if let Some(sponge) = &beside {
            states.put(m, &sponge.state);
            first_noise = m + 1;
        }
        let mut is_absorbing = beside.is_some();
        // Noise that is alone takes no more streams than it fills.
        let (blocks, noise_streams) = match m {
            0 => (noise.blocks(0), noise.all_blocks().div_ceil(noise.blocks(0))),
            _ => (ENTRY_BLOCKS, STREAMS),
        };
        // What each stream is at: the polynomial of noise and its block.
        let mut in_stream = [None; STREAMS];
        let mut noise_bytes = [[0u8; 64 * MAX_ETA]; STREAMS];
        let mut begun = 0;
        for block in 0..blocks {
            let mut streams = m;
            if let Some(sponge) = &mut beside
                && is_absorbing
            {
                is_absorbing = sponge.absorb_block_in(&mut states, m);
                if is_absorbing {
                    streams = m + 1;
                } else {
                    sponge.state = states.take(m);
                }
            }
            for (stream, at) in in_stream.iter_mut().enumerate().skip(first_noise).take(noise_streams) {
                // Only what ends with this group is begun.
                if at.is_none() && begun < noise.polys.len() && block + noise.blocks(begun) <= blocks {
                    states.clear(stream);
                    begin(&mut states, stream, noise.sigma, &[(noise.first + begun) as u8], SHAKE256_RATE);
                    *at = Some((begun, 0));
                    begun += 1;
                }
                if at.is_some() {
                    streams = stream + 1;
                }
            }
            k.enter(PermuteStreams(&mut states, streams));
            for (stream, bytes) in entries.streams.iter_mut().enumerate().take(m) {
                states.squeeze(stream, &mut bytes.as_chunks_mut::<SHAKE128_RATE>().0[block]);
            }
            for (stream, (at, bytes)) in in_stream.iter_mut().zip(&mut noise_bytes).enumerate() {
                let Some((i, block)) = *at else { continue };
                let (eta, from) = (noise.eta(i), block * SHAKE256_RATE);
                let len = (64 * eta - from).min(SHAKE256_RATE);
                states.squeeze(stream, &mut bytes[from..from + len]);
                *at = Some((i, block + 1));
                if block + 1 == noise.blocks(i) {
                    centred_binomial(k, eta, &bytes[..64 * eta], &mut noise.polys[i]);
                    *at = None;
                }
            }
        }
        if let Some(sponge) = &mut beside
            && is_absorbing
        {
            sponge.state = states.take(m);
        }
        let mut room = [0; ENTRY_NUMBERS];
        for (stream, (poly, bytes)) in entries.polys.iter_mut().zip(&*entries.streams).enumerate() {
            finish_entry(k, &states, stream, bytes, poly, &mut room);
        }
        begun
    }
}

/// Entries of matrices of several keys, each in a stream of its own. In: at most [`STREAMS`].
pub(super) struct EntryStreams<'a> {
    /// rho and the last two bytes of each stream's input.
    pub inputs: &'a [(&'a [u8; SEED_LEN], [u8; 2])],
    /// Out: as many, in [0, q).
    pub polys: &'a mut [Poly],
    /// Room for the bytes of all streams.
    pub streams: &'a mut [EntryBytes; STREAMS],
}

impl<K: Kernels> Op<K> for EntryStreams<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let EntryStreams { inputs, polys, streams } = self;
        debug_assert!(inputs.len() == polys.len() && inputs.len() <= STREAMS);
        let mut states = States::new();
        for (stream, (rho, number)) in inputs.iter().enumerate() {
            begin(&mut states, stream, rho, number, SHAKE128_RATE);
        }
        for block in 0..ENTRY_BLOCKS {
            k.enter(PermuteStreams(&mut states, inputs.len()));
            for (stream, bytes) in streams.iter_mut().enumerate().take(inputs.len()) {
                states.squeeze(stream, &mut bytes.as_chunks_mut::<SHAKE128_RATE>().0[block]);
            }
        }
        let mut room = [0; ENTRY_NUMBERS];
        for (stream, (poly, bytes)) in polys.iter_mut().zip(&*streams).enumerate() {
            finish_entry(k, &states, stream, bytes, poly, &mut room);
        }
    }
}

/// Noise of one width for several operations, each in a stream of its own. In: at most [`STREAMS`].
pub(super) struct NoiseStreams<'a> {
    /// sigma and the last byte of each stream's input.
    pub inputs: &'a [(&'a [u8; SEED_LEN], u8)],
    pub eta: usize,
    /// Out: as many, in [-eta, eta].
    pub polys: &'a mut [Poly],
}

impl<K: Kernels> Op<K> for NoiseStreams<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let NoiseStreams { inputs, eta, polys } = self;
        debug_assert!(inputs.len() == polys.len() && inputs.len() <= STREAMS);
        let mut states = States::new();
        for (stream, (sigma, number)) in inputs.iter().enumerate() {
            begin(&mut states, stream, sigma, &[*number], SHAKE256_RATE);
        }
        let mut bytes = [[0; 64 * MAX_ETA]; STREAMS];
        let mut from = 0;
        while from < 64 * eta {
            k.enter(PermuteStreams(&mut states, inputs.len()));
            let end = (64 * eta).min(from + SHAKE256_RATE);
            for (stream, bytes) in bytes.iter_mut().enumerate().take(inputs.len()) {
                states.squeeze(stream, &mut bytes[from..end]);
            }
            from = end;
        }
        for (poly, bytes) in polys.iter_mut().zip(&bytes) {
            centred_binomial(k, eta, &bytes[..64 * eta], poly);
        }
    }
}

/// The coefficients of an entry from its blocks so far, and from the ones after them where these are not enough.
#[inline(always)]
fn finish_entry<K: Kernels>(
    k: K,
    states: &States,
    stream: usize,
    bytes: &EntryBytes,
    poly: &mut Poly,
    room: &mut [i16; ENTRY_NUMBERS],
) {
    let mut kept = first_below_q(k, bytes, poly, room);
    if kept < N {
        let mut state = states.take(stream);
        let mut bytes = [0; SHAKE128_RATE];
        while kept < N {
            k.enter(Permute(&mut state));
            for (to, word) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(&state) {
                *to = word.to_le_bytes();
            }
            kept = keep_below_q(k, &bytes, poly, kept);
        }
    }
}

/// Begins an empty stream with a seed and a few bytes more: of known lengths, so that each word is written once.
#[inline(always)]
fn begin<const L: usize>(
    states: &mut States,
    stream: usize,
    seed: &[u8; SEED_LEN],
    end: &[u8; L],
    rate: usize,
) {
    states.absorb(stream, 0, seed);
    states.absorb(stream, SEED_LEN, end);
    states.pad(stream, SEED_LEN + L, SHAKE_SUFFIX, rate);
}

/// Blocks after which most entries of the matrix are full: 0.8 % are not.
const ENTRY_BLOCKS: usize = 3;
/// Their bytes, and the numbers of 12 bits in them.
pub(super) const ENTRY_BYTES: usize = ENTRY_BLOCKS * SHAKE128_RATE;
const ENTRY_NUMBERS: usize = ENTRY_BYTES / 3 * 2;

/// The first coefficients of an entry, and how many. For public streams.
///
/// `room` takes all that are kept, so that nothing depends on when the polynomial is full.
#[inline(always)]
fn first_below_q<K: Kernels>(
    k: K,
    bytes: &EntryBytes,
    a: &mut Poly,
    room: &mut [i16; ENTRY_NUMBERS],
) -> usize {
    let s = k.vector();
    let mut kept = 0;
    let (chunks, rest) = bytes.as_chunks::<48>();
    for chunk in chunks {
        // The bound is never reached; it says so to the compiler.
        let room = &mut room[kept.min(ENTRY_NUMBERS - 32)..];
        kept += s.keep_32_of_12_bits_below(Q as i16, room, chunk);
    }
    for chunk in rest.as_chunks::<24>().0 {
        kept += s.keep_12_bits_below(Q as i16, &mut room[kept..], chunk);
    }
    a.0.copy_from_slice(&room[..N]);
    kept.min(N)
}

/// Appends those of the 12-bit numbers in `bytes` that are below q to the `kept` first coefficients, and gives the new
/// number of them. For public streams. In: a multiple of 24 bytes.
#[inline(always)]
pub(super) fn keep_below_q<K: Kernels>(k: K, bytes: &[u8], a: &mut Poly, mut kept: usize) -> usize {
    debug_assert!(bytes.len().is_multiple_of(24));
    let s = k.vector();
    for chunk in bytes.as_chunks::<24>().0 {
        if let Some(room) = a.0.get_mut(kept..kept + 16) {
            kept += s.keep_12_bits_below(Q as i16, room, chunk);
        } else if let Some(room) = a.0.get_mut(kept..) {
            let mut last = [0; 16];
            let count = s.keep_12_bits_below(Q as i16, &mut last, chunk).min(room.len());
            for (to, from) in room.iter_mut().zip(&last[..count]) {
                *to = *from;
            }
            kept += count;
        }
    }
    kept
}

/// SamplePolyCBD. In: 64 `eta` bytes. Out: sums of `eta` bits less sums of the next `eta`.
#[inline(always)]
pub(super) fn centred_binomial<K: Kernels>(k: K, eta: usize, bytes: &[u8], a: &mut Poly) {
    debug_assert!(bytes.len() == 64 * eta);
    if eta == 2 {
        centred_binomial_2(k.vector(), bytes, a);
    } else {
        k.centred_binomial_3(bytes, a);
    }
    debug_assert!(a.fits(eta as i32));
}

/// Four coefficients a word, in lanes.
#[inline(always)]
fn centred_binomial_2<S: Simd>(s: S, bytes: &[u8], a: &mut Poly) {
    let (bits, two) = (s.splat_i16(0x5555), s.splat_i16(3));
    for (to, from) in a.0.chunks_exact_mut(4 * S::LANES16).zip(bytes.chunks_exact(2 * S::LANES16)) {
        let word = s.load_bytes_i16(from);
        // Sums of two bits each, then the differences of neighbours.
        let sums = (word & bits) + (word.shr::<1>() & bits);
        let c0 = (sums & two) - (sums.shr::<2>() & two);
        let c1 = (sums.shr::<4>() & two) - (sums.shr::<6>() & two);
        let c2 = (sums.shr::<8>() & two) - (sums.shr::<10>() & two);
        let c3 = (sums.shr::<12>() & two) - sums.shr::<14>();
        // c0 c2 c0 c2 ... with c1 c3 c1 c3 ...
        let (even0, even1) = s.zip_i16(c0, c2);
        let (odd0, odd1) = s.zip_i16(c1, c3);
        if S::LANES16 == 1 {
            // A vector of one lane has nothing to interleave.
            for (to, c) in to.iter_mut().zip([c0, c1, c2, c3]) {
                s.store_i16(core::slice::from_mut(to), c);
            }
            continue;
        }
        let (first, second) = s.zip_i16(even0, odd0);
        s.store_i16(to, first);
        s.store_i16(&mut to[S::LANES16..], second);
        let (first, second) = s.zip_i16(even1, odd1);
        s.store_i16(&mut to[2 * S::LANES16..], first);
        s.store_i16(&mut to[3 * S::LANES16..], second);
    }
}

/// Eight coefficients in 48 bits, or one a lane.
#[inline(always)]
pub(super) fn centred_binomial_3<S: Simd>(s: S, bytes: &[u8], a: &mut Poly) {
    if S::LANES16 == 1 {
        for (from, to) in bytes.as_chunks::<6>().0.iter().zip(a.0.as_chunks_mut::<8>().0) {
            let [b0, b1, b2, b3, b4, b5] = *from;
            let bits = u64::from_le_bytes([b0, b1, b2, b3, b4, b5, 0, 0]);
            const EVERY_THIRD: u64 = 0x2492_4924_9249;
            let sums = (bits & EVERY_THIRD) + (bits >> 1 & EVERY_THIRD) + (bits >> 2 & EVERY_THIRD);
            for (i, c) in to.iter_mut().enumerate() {
                *c = (sums >> (6 * i) & 7) as i16 - (sums >> (6 * i + 3) & 7) as i16;
            }
        }
        return;
    }
    byte_decode::<_, 6>(s, bytes, a);
    let (bits, three) = (s.splat_i16(0b00_1001), s.splat_i16(7));
    for c in a.0.chunks_exact_mut(S::LANES16) {
        let six = s.load_i16(c);
        // Two sums of three bits each.
        let sums = (six & bits) + (six.shr::<1>() & bits) + (six.shr::<2>() & bits);
        s.store_i16(c, (sums & three) - sums.shr::<2>().shr::<1>());
    }
}

/// The streams of Kyber-90s: AES-256 in counter mode, the matrix under one key and noise under another.
struct AesStreams<'a> {
    entries: Entries<'a>,
    noise: Noise<'a>,
}

impl<K: Kernels> Op<K> for AesStreams<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let AesStreams { entries, noise } = self;
        if !entries.polys.is_empty() {
            let aes = Aes256Ctr::new(k, entries.rho);
            // 32 blocks, which fill nearly every entry; 24 bytes are taken at a time, so that eight are left.
            let (mut bytes, mut room) = ([0; 32 * BLOCK_LEN], [0; ENTRY_NUMBERS]);
            for (number, poly) in entries.numbers.iter().zip(entries.polys) {
                aes.keystream(&nonce(*number), 0, &mut bytes);
                let (taken, left) = bytes.split_first_chunk().expect("longer than that");
                let mut kept = first_below_q(k, taken, poly, &mut room);
                if kept < N {
                    let mut next = [0; 3 * 24];
                    let (first, others) = next.split_at_mut(left.len());
                    first.copy_from_slice(left);
                    aes.keystream(&nonce(*number), 32, others);
                    kept = keep_below_q(k, &next, poly, kept);
                }
                let mut block = 36;
                while kept < N {
                    let mut next = [0; 3 * BLOCK_LEN];
                    aes.keystream(&nonce(*number), block, &mut next);
                    kept = keep_below_q(k, &next, poly, kept);
                    block += 3;
                }
            }
        }
        if !noise.polys.is_empty() {
            let aes = Aes256Ctr::new(k, noise.sigma);
            let mut bytes = [0; NOISE_BYTES];
            let mut begun = 0;
            // All streams of one width together.
            while begun < noise.polys.len() {
                let eta = noise.eta(begun);
                let mut nonces = [[0; NONCE_LEN]; 2 * MAX_K + 1];
                let mut streams = 0;
                for (i, to) in (begun..noise.polys.len()).zip(&mut nonces) {
                    if noise.eta(i) == eta {
                        *to = nonce([(noise.first + i) as u8, 0]);
                        streams += 1;
                    }
                }
                let mut rest = &mut bytes[..64 * eta * streams];
                aes.keystreams(&nonces[..streams], 64 * eta, rest);
                for poly in &mut noise.polys[begun..begun + streams] {
                    let (now, later) = rest.split_at_mut(64 * eta);
                    centred_binomial(k, eta, now, poly);
                    rest = later;
                }
                begun += streams;
            }
        }
    }
}

/// The most bytes of noise of one width that an operation takes: of rank 4, y, e1 and e2.
const NOISE_BYTES: usize = (2 * MAX_K + 1) * 64 * ETA2;
const _: () = assert!(NOISE_BYTES >= 4 * 64 * MAX_ETA);

/// The nonce of a stream: two bytes, then zeros.
#[inline(always)]
fn nonce([first, second]: [u8; 2]) -> [u8; NONCE_LEN] {
    [first, second, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
}
