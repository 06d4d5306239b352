//! The loop of the workers that encapsulate keys.
//!
//! A worker reads one request a line and answers each with one line. `key SET SEED EXPANDED` takes over the key of a
//! seed (d, z in hex; EXPANDED: its expanded form in hex, or `-`) beside those that it has, and answers with the public
//! and the expanded key (`-` where the peer does not give it), or `none` where it has no such set. `encaps SET` and
//! `decaps SET CIPHERTEXT` use the first key, for comparison with the others. `OP SET COUNT` answers with COUNT times
//! in nanoseconds, after two milliseconds of the same, taking the keys in turn, or `none` where the peer has no such
//! operation; `clock` with the length of a core cycle in nanoseconds. What was timed is checked afterwards, outside the
//! measurement.

use crate::{from_hex, to_hex};
use pqc::bench::clock::{Clock, System};
use pqc::bench::environment::core_frequency;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::io::{BufRead, Write};
use std::time::{Duration, Instant};

/// How long an operation runs before it is timed.
const WARM_UP: Duration = Duration::from_millis(2);

/// Operations in one call where several are made at once.
pub const BATCH: usize = 8;

/// One key pair of one implementation.
pub trait Kem {
    /// A ciphertext as the implementation takes it.
    type Ciphertext;
    /// What encapsulation gives.
    type Encapsulated;

    /// The encoded public key.
    fn encapsulation_key(&self) -> Vec<u8>;
    /// The expanded private key; `None` where the peer does not give it.
    fn expanded(&self) -> Option<Vec<u8>>;
    /// Makes a key pair from the system's random bytes, with its encoded public key, and throws it away.
    fn keygen(&self);
    /// Encapsulates from the encoded public key with the system's random bytes, making all checks.
    fn encaps(&self) -> Self::Encapsulated;
    /// Encapsulates with a key that is kept with its matrix; `None` where there is no such form.
    fn encaps_kept(&self) -> Option<Self::Encapsulated> {
        None
    }
    /// Decapsulates with a key that was read before; with the matrix only where the peer has no other form.
    fn decaps(&self, ciphertext: &Self::Ciphertext) -> [u8; 32];
    /// Decapsulates with a key that is kept with its matrix; `None` where there is no such form.
    fn decaps_kept(&self, _ciphertext: &Self::Ciphertext) -> Option<[u8; 32]> {
        None
    }
    /// [`BATCH`] times [`Kem::keygen`] in one call; `None` where the peer has no such call.
    fn keygen_batch(&self) -> Option<()> {
        None
    }
    /// [`BATCH`] times [`Kem::encaps`] in one call, with a key each.
    fn encaps_batch(_keys: &[&Self]) -> Option<Vec<Self::Encapsulated>> {
        None
    }
    /// [`BATCH`] times [`Kem::decaps`] in one call, with a key each.
    fn decaps_batch(_keys: &[&Self], _ciphertexts: &[&Self::Ciphertext]) -> Option<Vec<[u8; 32]>> {
        None
    }
    /// Encoded ciphertext and shared secret.
    fn open(encapsulated: &Self::Encapsulated) -> (Vec<u8>, [u8; 32]);
    /// A ciphertext from its bytes.
    fn ciphertext(&self, bytes: &[u8]) -> Self::Ciphertext;
}

/// The keys of one parameter set, for [`serve`], which does not know their type.
pub trait Keys {
    fn public_and_expanded(&self) -> String;
    fn encaps(&self) -> String;
    fn decaps(&self, ciphertext: &[u8]) -> String;
    fn times(&mut self, clock: &mut System, operation: &str, count: usize) -> Option<Vec<u64>>;
    /// Takes the only key of `other`.
    fn add(&mut self, other: Box<dyn Keys>);
    fn into_any(self: Box<Self>) -> Box<dyn std::any::Any>;
}

/// A key, and a ciphertext for it with its secret.
struct One<K: Kem> {
    key: K,
    ciphertext: K::Ciphertext,
    secret: [u8; 32],
}

struct All<K: Kem> {
    keys: Vec<One<K>>,
    next: usize,
}

/// One key, as [`serve`] wants it.
pub fn keys<K: Kem + 'static>(key: K) -> Box<dyn Keys>
where
    K::Ciphertext: 'static,
{
    let (bytes, secret) = K::open(&key.encaps());
    let ciphertext = key.ciphertext(&bytes);
    assert_eq!(key.decaps(&ciphertext), secret, "the secret of its own ciphertext");
    Box::new(All { keys: vec![One { key, ciphertext, secret }], next: 0 })
}

impl<K: Kem + 'static> Keys for All<K>
where
    K::Ciphertext: 'static,
{
    fn public_and_expanded(&self) -> String {
        let key = &self.keys[0].key;
        let expanded = key.expanded().map_or("-".into(), |bytes| to_hex(&bytes));
        format!("{} {expanded}", to_hex(&key.encapsulation_key()))
    }

    fn encaps(&self) -> String {
        let (ciphertext, secret) = K::open(&self.keys[0].key.encaps());
        format!("{} {}", to_hex(&ciphertext), to_hex(&secret))
    }

    fn decaps(&self, ciphertext: &[u8]) -> String {
        let key = &self.keys[0].key;
        to_hex(&key.decaps(&key.ciphertext(ciphertext)))
    }

    fn times(&mut self, clock: &mut System, operation: &str, count: usize) -> Option<Vec<u64>> {
        // A processor takes some time to give wide vectors their full power after others have run.
        let start = Instant::now();
        while start.elapsed() < WARM_UP {
            self.time(clock, operation)?;
        }
        (0..count).map(|_| self.time(clock, operation)).collect()
    }

    fn add(&mut self, other: Box<dyn Keys>) {
        let other: Box<All<K>> = other.into_any().downcast().expect("keys of one set have one type");
        self.keys.extend(other.keys);
    }

    fn into_any(self: Box<Self>) -> Box<dyn std::any::Any> {
        self
    }
}

impl<K: Kem> All<K> {
    fn time(&mut self, clock: &mut System, operation: &str) -> Option<u64> {
        self.next = (self.next + 1) % self.keys.len();
        let One { key, ciphertext, secret } = &self.keys[self.next];
        let checked = |made: K::Encapsulated| {
            let (ciphertext, secret) = K::open(&made);
            assert_eq!(key.decaps(&key.ciphertext(&ciphertext)), secret, "a ciphertext that was timed");
        };
        let start = clock.before();
        let time = match operation {
            "keygen" => {
                key.keygen();
                clock.after().ns - start.ns
            }
            "encaps" => {
                let made = black_box(key.encaps());
                let time = clock.after().ns - start.ns;
                checked(made);
                time
            }
            "encaps-kept" => {
                let made = black_box(key.encaps_kept()?);
                let time = clock.after().ns - start.ns;
                checked(made);
                time
            }
            "decaps" => {
                let found = black_box(key.decaps(ciphertext));
                let time = clock.after().ns - start.ns;
                assert_eq!(found, *secret, "a secret that was timed");
                time
            }
            "decaps-kept" => {
                let found = black_box(key.decaps_kept(ciphertext)?);
                let time = clock.after().ns - start.ns;
                assert_eq!(found, *secret, "a secret that was timed");
                time
            }
            _ => return self.time_batch(clock, operation),
        };
        Some(time)
    }

    /// The time of one of [`BATCH`] operations.
    fn time_batch(&self, clock: &mut System, operation: &str) -> Option<u64> {
        let several: Vec<&One<K>> = self.keys.iter().cycle().skip(self.next).take(BATCH).collect();
        let keys: Vec<&K> = several.iter().map(|one| &one.key).collect();
        let ciphertexts: Vec<&K::Ciphertext> = several.iter().map(|one| &one.ciphertext).collect();
        let start = clock.before();
        let time = match operation {
            "keygen-batch" => {
                keys[0].keygen_batch()?;
                clock.after().ns - start.ns
            }
            "encaps-batch" => {
                let made = black_box(K::encaps_batch(&keys)?);
                let time = clock.after().ns - start.ns;
                for (key, made) in keys.iter().zip(made) {
                    let (ciphertext, secret) = K::open(&made);
                    assert_eq!(
                        key.decaps(&key.ciphertext(&ciphertext)),
                        secret,
                        "a ciphertext that was timed"
                    );
                }
                time
            }
            "decaps-batch" => {
                let found = black_box(K::decaps_batch(&keys, &ciphertexts)?);
                let time = clock.after().ns - start.ns;
                assert!(several.iter().map(|one| one.secret).eq(found), "secrets that were timed");
                time
            }
            _ => panic!("unknown operation {operation}"),
        };
        Some(time / BATCH as u64)
    }
}

/// Serves requests until standard input ends. `take` makes a key of a set from a seed, or from the expanded key where
/// the peer takes no seed; `None` where the peer has no such set.
pub fn serve(take: impl Fn(&str, &[u8; 64], Option<&[u8]>) -> Option<Box<dyn Keys>>) {
    let mut sets: BTreeMap<String, Box<dyn Keys>> = BTreeMap::new();
    let mut clock = System::new();
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("standard input");
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = match words[..] {
            ["clock"] => core_frequency().map_or("none".into(), |hertz| (1e9 / hertz).to_string()),
            ["key", set, seed, expanded] => {
                let seed = from_hex(seed).try_into().expect("64 bytes");
                let expanded = (expanded != "-").then(|| from_hex(expanded));
                take(set, &seed, expanded.as_deref()).map_or("none".into(), |taken| {
                    let answer = taken.public_and_expanded();
                    match sets.get_mut(set) {
                        Some(keys) => keys.add(taken),
                        None => drop(sets.insert(set.into(), taken)),
                    }
                    answer
                })
            }
            ["encaps", set] => sets[set].encaps(),
            ["decaps", set, ciphertext] if ciphertext.len() > 9 => sets[set].decaps(&from_hex(ciphertext)),
            [operation, set, count] => {
                let count = count.parse().expect("count");
                let times = sets.get_mut(set).and_then(|keys| keys.times(&mut clock, operation, count));
                times.map_or("none".into(), |times| {
                    times.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
                })
            }
            _ => panic!("unknown request: {line}"),
        };
        let mut out = std::io::stdout().lock();
        writeln!(out, "{answer}").and_then(|()| out.flush()).expect("standard output");
    }
}
