//! Operations of several keys in lock step (FIPS 203, section 6), compiled for each rank.
//!
//! What a single operation does one after the other and what does not fill a permutation, its hashes, the last streams of
//! its matrix and its noise, goes through permutations that several operations share. Streams run ahead of the
//! arithmetic, which takes the operations in turn: there is never more of a matrix than one and a permutation's streams.
//! As in [`super::operations`], what is secret lies on a stack that is wiped, and what is public in [`Room`]. For variants that have
//! sponges. Next: [`super::k_pke`].

use super::k_pke::{self, Decrypt, Encrypt, KeyOfSamples, entry_numbers};
use super::kem::{DecapsulationKey, EncapsulationKey};
use super::kernels::Kernels;
use super::operations::{choose, halves};
use super::params::{ETA2, MAX_CIPHERTEXT_LEN, MAX_K, ParameterSet, SEED_LEN};
use super::poly::Poly;
use super::sample::{ENTRY_BYTES, EntryBytes, EntryStreams, NoiseStreams};
use super::variant::Variant;
use crate::ct::{self, declassify_all};
use crate::isa::{self, Isa, Op};
use crate::secret::scrubbed_bytes;
use crate::symmetric::keccak::STREAMS;

/// Operations that go in lock step at most.
pub(super) const GROUP: usize = STREAMS;

/// Bytes of stack that are wiped after a group.
const STACK: usize = 48 * 1024;

/// Calls a function for the rank of a set.
macro_rules! by_rank {
    ($set:expr, $function:ident($($argument:expr),*)) => {
        match $set.k() {
            2 => $function::<2>($($argument),*),
            3 => $function::<3>($($argument),*),
            _ => $function::<4>($($argument),*),
        }
    };
}

/// What a key is made of.
pub(super) struct Made<'a> {
    pub d: &'a [u8; SEED_LEN],
    pub s_hat: &'a mut [Poly],
    /// The encoded public key.
    pub public: &'a mut [u8],
}

/// [`super::operations::generate`] of several seeds, [`GROUP`] at most; the hashes of the public keys go into as many
/// `hashes`.
pub(super) fn generate(isa: Isa, set: ParameterSet, keys: &mut [Made<'_>], hashes: &mut [[u8; SEED_LEN]]) {
    by_rank!(set, generate_of_rank(isa, set, keys, hashes));
}

fn generate_of_rank<const R: usize>(
    isa: Isa,
    set: ParameterSet,
    keys: &mut [Made<'_>],
    hashes: &mut [[u8; SEED_LEN]],
) {
    let mut room = Room::new();
    let operation = Generate::<R> { set, keys, hashes, room: &mut room };
    scrubbed_bytes::<STACK, _>(|| isa::with(isa, operation));
}

/// Room for a ciphertext and its secret.
pub(super) type Encapsulated<'a> = (&'a mut [u8], &'a mut [u8; SEED_LEN]);

/// [`super::operations::encapsulate`] with several keys of one set, [`GROUP`] at most, and as much of the rest.
pub(super) fn encapsulate(
    isa: Isa,
    keys: &[&EncapsulationKey],
    random: &[[u8; SEED_LEN]],
    out: &mut [Encapsulated<'_>],
) {
    let Some(set) = keys.first().map(|key| key.parameter_set()) else { return };
    by_rank!(set, encapsulate_of_rank(isa, set, keys, random, out));
}

fn encapsulate_of_rank<const R: usize>(
    isa: Isa,
    set: ParameterSet,
    keys: &[&EncapsulationKey],
    random: &[[u8; SEED_LEN]],
    out: &mut [Encapsulated<'_>],
) {
    let mut room = Room::new();
    let operation = Encapsulate::<R> { set, keys, random, out, room: &mut room };
    scrubbed_bytes::<STACK, _>(|| isa::with(isa, operation));
}

/// [`super::operations::decapsulate`] with several keys of one set and a ciphertext each, [`GROUP`] at most.
pub(super) fn decapsulate(
    isa: Isa,
    keys: &[&DecapsulationKey],
    ciphertexts: &[&[u8]],
    secrets: &mut [&mut [u8; SEED_LEN]],
) {
    let Some(set) = keys.first().map(|key| key.parameter_set()) else { return };
    by_rank!(set, decapsulate_of_rank(isa, set, keys, ciphertexts, secrets));
}

fn decapsulate_of_rank<const R: usize>(
    isa: Isa,
    set: ParameterSet,
    keys: &[&DecapsulationKey],
    ciphertexts: &[&[u8]],
    secrets: &mut [&mut [u8; SEED_LEN]],
) {
    let mut room = Room::new();
    let operation = Decapsulate::<R> { set, keys, ciphertexts, secrets, room: &mut room };
    scrubbed_bytes::<STACK, _>(|| isa::with(isa, operation));
}

/// What a group makes that is public.
struct Room {
    /// Entries of matrices, row after row.
    entries: [Poly; MAX_K * MAX_K + STREAMS - 1],
    /// Their streams.
    streams: [EntryBytes; STREAMS],
    /// t: in [0, q), NTT domain.
    t_hat: [Poly; MAX_K],
}

impl Room {
    #[inline(always)]
    fn new() -> Room {
        Room {
            entries: [Poly::ZERO; MAX_K * MAX_K + STREAMS - 1],
            streams: [[0; ENTRY_BYTES]; STREAMS],
            t_hat: [Poly::ZERO; MAX_K],
        }
    }
}

/// The numbers of all operations of a group.
const ALL: [usize; GROUP] = {
    let mut all = [0; GROUP];
    let mut i = 0;
    while i < GROUP {
        all[i] = i;
        i += 1;
    }
    all
};

/// Polynomials of operations that take equally many, made by all streams of a permutation at a time and taken in turn.
struct Ahead<'a> {
    /// The first ones are those of the next operation. Room for what an operation takes and one permutation less one.
    polys: &'a mut [Poly],
    ready: usize,
    /// The next polynomial to be made: of which operation, and which of it.
    next: (usize, usize),
}

impl<'a> Ahead<'a> {
    #[inline(always)]
    fn new(polys: &'a mut [Poly]) -> Ahead<'a> {
        Ahead { polys, ready: 0, next: (0, 0) }
    }

    /// Makes those of the next operation, as far as they are not there. `make` makes those of some operations, numbered in
    /// each.
    #[inline(always)]
    fn make(&mut self, each: usize, of: &[usize], mut make: impl FnMut(&[(usize, usize)], &mut [Poly])) {
        while self.ready < each {
            let mut wanted = [(0, 0); STREAMS];
            let mut count = 0;
            for wanted in &mut wanted {
                let Some(operation) = of.get(self.next.0) else { break };
                *wanted = (*operation, self.next.1);
                count += 1;
                self.next.1 += 1;
                if self.next.1 == each {
                    self.next = (self.next.0 + 1, 0);
                }
            }
            debug_assert!(count > 0);
            make(&wanted[..count], &mut self.polys[self.ready..][..count]);
            self.ready += count;
        }
    }

    /// Goes on to the next operation.
    #[inline(always)]
    fn advance(&mut self, each: usize) {
        self.polys.copy_within(each..self.ready, 0);
        self.ready -= each;
    }
}

/// Entries of matrices of some operations, whose seeds `rho` knows.
#[inline(always)]
fn make_entries<'s, K: Kernels, const R: usize>(
    k: K,
    ahead: &mut Ahead<'_>,
    of: &[usize],
    streams: &mut [EntryBytes; STREAMS],
    rho: impl Fn(usize) -> &'s [u8; SEED_LEN],
) {
    let numbers = const { &entry_numbers::<R>() }.as_flattened();
    ahead.make(
        R * R,
        of,
        #[inline(always)]
        |wanted, polys| {
            let mut inputs = [(&[0; SEED_LEN], [0; 2]); STREAMS];
            for (input, (operation, entry)) in inputs.iter_mut().zip(wanted) {
                *input = (rho(*operation), numbers[*entry]);
            }
            k.enter(EntryStreams { inputs: &inputs[..wanted.len()], polys, streams });
        },
    );
}

/// Noise of all operations, `each` polynomials numbered from `first` on. The seeds are the last halves of `derived`.
#[inline(always)]
fn make_noise<K: Kernels>(
    k: K,
    ahead: &mut Ahead<'_>,
    derived: &[[u8; 64]],
    (first, each): (usize, usize),
    eta: usize,
) {
    ahead.make(
        each,
        &ALL[..derived.len()],
        #[inline(always)]
        |wanted, polys| {
            let mut inputs = [(&[0; SEED_LEN], 0); STREAMS];
            for (input, (operation, i)) in inputs.iter_mut().zip(wanted) {
                *input = (halves(&derived[*operation]).1, (first + i) as u8);
            }
            k.enter(NoiseStreams { inputs: &inputs[..wanted.len()], eta, polys });
        },
    );
}

/// Messages for hashes in lock step.
#[inline(always)]
fn messages<'a>(count: usize, of: impl Fn(usize) -> [&'a [u8]; 2]) -> [[&'a [u8]; 2]; GROUP] {
    let mut messages = [[[].as_slice(); 2]; GROUP];
    for (i, message) in messages.iter_mut().enumerate().take(count) {
        *message = of(i);
    }
    messages
}

struct Generate<'a, 'k, const R: usize> {
    set: ParameterSet,
    keys: &'a mut [Made<'k>],
    hashes: &'a mut [[u8; SEED_LEN]],
    room: &'a mut Room,
}

impl<K: Kernels, const R: usize> Op<K> for Generate<'_, '_, R> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let Generate { set, keys, hashes, room } = self;
        let (variant, count) = (set.variant(), keys.len());
        let rank = [R as u8];
        let rank = if variant == Variant::MlKem { rank.as_slice() } else { &[] };
        let mut seeds = [[0; 64]; GROUP];
        let seeds = &mut seeds[..count];
        let inputs = messages(count, |i| [keys[i].d, rank]);
        variant.g_all(k, &inputs[..count], seeds);
        for seeds in &*seeds {
            declassify_all(halves(seeds).0, "rho is part of the public key");
        }
        let (mut s, mut e) = ([Poly::ZERO; MAX_K + STREAMS - 1], [Poly::ZERO; MAX_K + STREAMS - 1]);
        let (mut s, mut e) = (Ahead::new(&mut s), Ahead::new(&mut e));
        let mut entries = Ahead::new(&mut room.entries);
        for (i, Made { s_hat, public, .. }) in keys.iter_mut().enumerate() {
            make_entries::<_, R>(k, &mut entries, &ALL[..count], &mut room.streams, |i| halves(&seeds[i]).0);
            make_noise(k, &mut s, seeds, (0, R), set.eta1());
            make_noise(k, &mut e, seeds, (R, R), set.eta1());
            k.enter(KeyOfSamples::<R> {
                matrix: &entries.polys[..R * R],
                s: &mut s.polys[..R],
                e: &mut e.polys[..R],
                rho: halves(&seeds[i]).0,
                s_hat,
                public,
            });
            entries.advance(R * R);
            s.advance(R);
            e.advance(R);
        }
        let inputs = messages(count, |i| [&*keys[i].public, &[]]);
        variant.h_all(k, &inputs[..count], hashes);
    }
}

/// Computes the hashes of keys, where they are not known.
#[inline(always)]
fn know_hashes<K: Kernels>(k: K, set: ParameterSet, keys: &[&EncapsulationKey]) {
    let (mut unknown, mut count) = ([None; GROUP], 0);
    for key in keys {
        let is_there = |other: &Option<&EncapsulationKey>| other.is_some_and(|o| core::ptr::eq(o, *key));
        if key.known_hash().is_none() && !unknown.iter().any(is_there) {
            unknown[count] = Some(*key);
            count += 1;
        }
    }
    if count > 0 {
        let mut hashes = [[0; SEED_LEN]; GROUP];
        let inputs = messages(count, |i| [unknown[i].map_or(&[], EncapsulationKey::as_bytes), &[]]);
        set.variant().h_all(k, &inputs[..count], &mut hashes[..count]);
        for (key, hash) in unknown.iter().flatten().zip(hashes) {
            key.keep_hash(hash);
        }
    }
}

/// Encryptions one after the other, whose streams run ahead.
struct Encryptions<'a, 'r, const R: usize> {
    set: ParameterSet,
    keys: &'a [&'a EncapsulationKey],
    /// What each key keeps.
    kept: [Option<&'a [Poly]>; GROUP],
    /// The operations whose matrix is to be made; another one without one has that of the one before it.
    makers: ([usize; GROUP], usize),
    /// The randomness of each encryption is the last half.
    derived: &'a [[u8; 64]],
    entries: Ahead<'r>,
    streams: &'r mut [EntryBytes; STREAMS],
    t_hat: &'r mut [Poly],
    y: Ahead<'r>,
    e: Ahead<'r>,
}

/// Room for the noise of encryptions: y, and e1 with e2.
type NoiseRoom = ([Poly; MAX_K + STREAMS - 1], [Poly; MAX_K + STREAMS]);
const NO_NOISE: NoiseRoom = ([Poly::ZERO; MAX_K + STREAMS - 1], [Poly::ZERO; MAX_K + STREAMS]);

impl<'a, 'r, const R: usize> Encryptions<'a, 'r, R> {
    #[inline(always)]
    fn new(
        set: ParameterSet,
        keys: &'a [&'a EncapsulationKey],
        derived: &'a [[u8; 64]],
        room: &'r mut Room,
        (y, e): (&'r mut [Poly], &'r mut [Poly]),
    ) -> Self {
        let (mut kept, mut makers) = ([None; GROUP], ([0; GROUP], 0));
        for (i, (key, kept)) in keys.iter().zip(&mut kept).enumerate() {
            *kept = key.kept();
            if kept.is_none() && !(i > 0 && core::ptr::eq(*key, keys[i - 1])) {
                makers.0[makers.1] = i;
                makers.1 += 1;
            }
        }
        let Room { entries, streams, t_hat } = room;
        let (entries, t_hat) = (Ahead::new(entries), &mut t_hat[..R]);
        let (y, e) = (Ahead::new(y), Ahead::new(e));
        Encryptions { set, keys, kept, makers, derived, entries, streams, t_hat, y, e }
    }

    /// Encryption `i`; each has its turn.
    #[inline(always)]
    fn encrypt<K: Kernels>(&mut self, k: K, i: usize, message: &[u8; SEED_LEN], ciphertext: &mut [u8]) {
        let Encryptions { set, keys, kept, makers, derived, entries, streams, t_hat, y, e } = self;
        let makers = &makers.0[..makers.1];
        make_noise(k, y, derived, (0, R), set.eta1());
        make_noise(k, e, derived, (R, R + 1), ETA2);
        let (matrix, t_hat) = match kept[i] {
            Some(kept) => kept.split_at(R * R),
            None => {
                if makers.contains(&i) {
                    // The first one finds nothing of another one there.
                    if makers.first() != Some(&i) {
                        entries.advance(R * R);
                    }
                    make_entries::<_, R>(k, entries, makers, streams, |i| keys[i].rho());
                    k_pke::decode_vector(k, keys[i].vector(), t_hat);
                }
                (&entries.polys[..R * R], &**t_hat)
            }
        };
        let (set, y_now, e_now) = (*set, &mut y.polys[..R], &mut e.polys[..=R]);
        k.enter(Encrypt::<R> { set, matrix, t_hat, y: y_now, e: e_now, message, ciphertext });
        y.advance(R);
        e.advance(R + 1);
    }
}

struct Encapsulate<'a, 'o, const R: usize> {
    set: ParameterSet,
    keys: &'a [&'a EncapsulationKey],
    random: &'a [[u8; SEED_LEN]],
    out: &'a mut [Encapsulated<'o>],
    room: &'a mut Room,
}

impl<K: Kernels, const R: usize> Op<K> for Encapsulate<'_, '_, R> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let Encapsulate { set, keys, random, out, room } = self;
        let (variant, count) = (set.variant(), keys.len());
        let mut m = [[0; SEED_LEN]; GROUP];
        let m = &mut m[..count];
        if variant == Variant::MlKem {
            m.copy_from_slice(random);
        } else {
            // Never the generator's own output.
            let inputs = messages(count, |i| [&random[i], &[]]);
            variant.h_all(k, &inputs[..count], m);
        }
        know_hashes(k, set, keys);
        let mut derived = [[0; 64]; GROUP];
        let derived = &mut derived[..count];
        let inputs = messages(count, |i| [&m[i], keys[i].hash(k)]);
        variant.g_all(k, &inputs[..count], derived);
        let mut noise = NO_NOISE;
        let noise = (noise.0.as_mut_slice(), noise.1.as_mut_slice());
        let mut encryptions = Encryptions::<R>::new(set, keys, derived, room, noise);
        for (i, (m, (ciphertext, secret))) in m.iter().zip(&mut *out).enumerate() {
            encryptions.encrypt(k, i, m, ciphertext);
            declassify_all(ciphertext, "a ciphertext is public");
            **secret = *halves(&derived[i]).0;
        }
        if variant != Variant::MlKem {
            let mut hashes = [[0; SEED_LEN]; GROUP];
            let inputs = messages(count, |i| [&*out[i].0, &[]]);
            variant.h_all(k, &inputs[..count], &mut hashes[..count]);
            let mut secrets = [[0; SEED_LEN]; GROUP];
            let inputs = messages(count, |i| [halves(&derived[i]).0, &hashes[i]]);
            variant.kdf_all(k, &inputs[..count], &mut secrets[..count]);
            for ((_, secret), from) in out.iter_mut().zip(&secrets) {
                **secret = *from;
            }
        }
    }
}

/// Never fails: as [`super::operations::decapsulate`].
struct Decapsulate<'a, 's, const R: usize> {
    set: ParameterSet,
    keys: &'a [&'a DecapsulationKey],
    ciphertexts: &'a [&'a [u8]],
    secrets: &'a mut [&'s mut [u8; SEED_LEN]],
    room: &'a mut Room,
}

impl<K: Kernels, const R: usize> Op<K> for Decapsulate<'_, '_, R> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let Decapsulate { set, keys, ciphertexts, secrets, room } = self;
        let (variant, count) = (set.variant(), keys.len());
        let mut m = [[0; SEED_LEN]; GROUP];
        for ((key, ciphertext), message) in keys.iter().zip(ciphertexts).zip(&mut m) {
            k.enter(Decrypt::<R> { set, s_hat: key.s_hat(), ciphertext, message });
        }
        let mut public = [keys[0].encapsulation_key(); GROUP];
        for (public, key) in public.iter_mut().zip(keys) {
            *public = key.encapsulation_key();
        }
        let public = &public[..count];
        know_hashes(k, set, public);
        let mut derived = [[0; 64]; GROUP];
        let derived = &mut derived[..count];
        let inputs = messages(count, |i| [&m[i], public[i].hash(k)]);
        variant.g_all(k, &inputs[..count], derived);
        // J(z, c), or H(c) for round 3.
        let mut hashes = [[0; SEED_LEN]; GROUP];
        if variant == Variant::MlKem {
            let inputs = messages(count, |i| [keys[i].z(), ciphertexts[i]]);
            variant.kdf_all(k, &inputs[..count], &mut hashes[..count]);
        } else {
            let inputs = messages(count, |i| [ciphertexts[i], &[]]);
            variant.h_all(k, &inputs[..count], &mut hashes[..count]);
        }
        let mut noise = NO_NOISE;
        let noise = (noise.0.as_mut_slice(), noise.1.as_mut_slice());
        let mut encryptions = Encryptions::<R>::new(set, public, derived, room, noise);
        let mut again = [0; MAX_CIPHERTEXT_LEN];
        let again = &mut again[..set.ciphertext_len()];
        for (i, (ciphertext, secret)) in ciphertexts.iter().zip(&mut *secrets).enumerate() {
            encryptions.encrypt(k, i, &m[i], again);
            let other = if variant == Variant::MlKem { &hashes[i] } else { keys[i].z() };
            choose(ct::eq(ciphertext, again), halves(&derived[i]).0, other, secret);
        }
        if variant != Variant::MlKem {
            let mut last = [[0; SEED_LEN]; GROUP];
            let inputs = messages(count, |i| [&*secrets[i], &hashes[i]]);
            variant.kdf_all(k, &inputs[..count], &mut last[..count]);
            for (secret, from) in secrets.iter_mut().zip(&last) {
                **secret = *from;
            }
        }
    }
}
