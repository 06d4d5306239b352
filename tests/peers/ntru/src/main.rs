//! NTRU beside the crate `pqcrypto-ntru` (PQClean in C; AVX2 for four sets, portable C for 1229 and 1373).
//!
//! One process, rounds in which all take turns; a figure is the median of a round's operations, then of the rounds, in
//! microseconds. Before anything is timed each opens what the other encapsulates, with a key of either. Ours draws from
//! the generator of a batch; `encaps` begins with the encoded key and checks it, `encaps-kept` with one that was read
//! before. The peer asks the operating system for each draw and checks no key. Usage: peer-ntru \[ROUNDS\] (20 where
//! none is given); exit code 1: a target is missed.

use pqc::Isa;
use pqc::ntru::{Ciphertext, DecapsulationKey, EncapsulationKey, ParameterSet, Sampler};
use pqc::rng::FastKeyErasure;
use pqcrypto_traits::kem::{Ciphertext as _, PublicKey as _, SecretKey as _, SharedSecret as _};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long an operation runs before it is timed.
const WARM_UP: Duration = Duration::from_millis(2);

/// The operations, how many are timed in one round, and which of the peer's they stand against.
const OPERATIONS: [(&str, usize, &str); 5] = [
    ("keygen", 8, "keygen"),
    ("encaps", 40, "encaps"),
    ("encaps-kept", 40, "encaps"),
    ("encaps-kept-sort", 40, "encaps"),
    ("decaps", 40, "decaps"),
];

/// The largest ratio of our time on the best backend and the peer's.
fn limit(set: ParameterSet, operation: &str) -> Option<f64> {
    let has_avx2 = !matches!(set, ParameterSet::Hps40961229 | ParameterSet::Hrss1373);
    match operation {
        "keygen" => Some(if has_avx2 { 0.7 } else { 0.1 }),
        "encaps-kept" if !has_avx2 => Some(1.0 / 7.0),
        "encaps-kept" => Some(if set.weight().is_some() { 0.30 } else { 0.40 }),
        "decaps" => Some(if has_avx2 { 0.75 } else { 1.0 / 7.0 }),
        _ => None,
    }
}

/// One implementation with a key pair and a ciphertext.
trait Kem {
    /// Does it once; false where there is no such operation.
    fn run(&mut self, operation: &str) -> bool;
}

struct Ours {
    isa: Isa,
    random: FastKeyErasure,
    public: Vec<u8>,
    key: DecapsulationKey,
    ciphertext: Ciphertext,
}

impl Ours {
    fn new(set: ParameterSet, isa: Isa, key: &[u8], ciphertext: &[u8]) -> Ours {
        let key = DecapsulationKey::from_bytes(set, isa, key).expect("key");
        let public = key.encapsulation_key().to_bytes();
        let ciphertext = Ciphertext::from_bytes(set, ciphertext).expect("ciphertext");
        Ours { isa, random: FastKeyErasure::new(isa).expect("random bytes"), public, key, ciphertext }
    }
}

impl Kem for Ours {
    fn run(&mut self, operation: &str) -> bool {
        let Ours { isa, random, public, key, ciphertext } = self;
        let (isa, set, shuffle) = (*isa, key.parameter_set(), Sampler::Shuffle);
        match operation {
            "keygen" => {
                black_box(DecapsulationKey::generate_by(set, shuffle, isa, random).expect("key"));
            }
            "encaps" => {
                let key = EncapsulationKey::from_bytes(set, isa, public).expect("key");
                black_box(key.encapsulate_by(shuffle, isa, random).expect("ciphertext"));
            }
            "encaps-kept" => {
                black_box(key.encapsulation_key().encapsulate_by(shuffle, isa, random).expect("ciphertext"));
            }
            "encaps-kept-sort" if set.weight().is_some() => {
                let key = key.encapsulation_key();
                black_box(key.encapsulate_by(Sampler::Sort, isa, random).expect("ciphertext"));
            }
            "decaps" => {
                black_box(key.decapsulate(isa, ciphertext).expect("secret"));
            }
            _ => return false,
        }
        true
    }
}

/// The peer's set of that name, and all of a set's measurements.
macro_rules! sets {
    ($($name:ident $set:ident)*) => {$(
        mod $name {
            use super::*;
            use pqcrypto_ntru::$name as peer;

            pub struct Theirs {
                public: peer::PublicKey,
                private: peer::SecretKey,
                ciphertext: peer::Ciphertext,
            }

            impl Kem for Theirs {
                fn run(&mut self, operation: &str) -> bool {
                    match operation {
                        "keygen" => {
                            black_box(peer::keypair());
                        }
                        "encaps" => {
                            black_box(peer::encapsulate(&self.public));
                        }
                        "decaps" => {
                            black_box(peer::decapsulate(&self.ciphertext, &self.private));
                        }
                        _ => return false,
                    }
                    true
                }
            }

            /// The peer, and ours on every backend, with a key of the peer; all were cross-checked.
            pub fn all(isas: &[Isa]) -> (ParameterSet, Vec<Box<dyn Kem>>) {
                let set = ParameterSet::$set;
                let (public, private) = peer::keypair();
                let (secret, ciphertext) = peer::encapsulate(&public);
                let mut all: Vec<Box<dyn Kem>> = Vec::new();
                for isa in isas.iter().copied() {
                    let ours = Ours::new(set, isa, private.as_bytes(), ciphertext.as_bytes());
                    assert!(ours.public == public.as_bytes(), "the public key of the peer's key");
                    let opened = ours.key.decapsulate(isa, &ours.ciphertext).expect("secret");
                    assert!(opened.expose() == secret.as_bytes(), "the peer's ciphertext");
                    let own = DecapsulationKey::generate(set, isa).expect("key");
                    for key in [&ours.key, &own] {
                        let bytes = key.to_bytes();
                        let theirs = peer::SecretKey::from_bytes(&bytes).expect("length");
                        for sampler in [Sampler::Shuffle, Sampler::Sort] {
                            let made = key.encapsulation_key().encapsulate_with(sampler, isa);
                            let (ciphertext, secret) = made.expect("ciphertext");
                            let ciphertext =
                                peer::Ciphertext::from_bytes(ciphertext.as_bytes()).expect("length");
                            let opened = peer::decapsulate(&ciphertext, &theirs);
                            assert!(opened.as_bytes() == secret.expose(), "our ciphertext");
                        }
                    }
                    all.push(Box::new(ours));
                }
                all.push(Box::new(Theirs { public, private, ciphertext }));
                (set, all)
            }
        }
    )*
        const SETS: &[fn(&[Isa]) -> (ParameterSet, Vec<Box<dyn Kem>>)] = &[$($name::all),*];
    };
}

sets! {
    ntruhps2048509 Hps2048509
    ntruhps2048677 Hps2048677
    ntruhps4096821 Hps4096821
    ntruhrss701 Hrss701
    ntruhps40961229 Hps40961229
    ntruhrss1373 Hrss1373
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Microseconds of an operation: the median of `count`; `None` where there is no such operation.
fn time(kem: &mut dyn Kem, operation: &str, count: usize) -> Option<f64> {
    // A processor takes some time to give wide vectors their full power after others have run.
    let start = Instant::now();
    while start.elapsed() < WARM_UP {
        if !kem.run(operation) {
            return None;
        }
    }
    let mut times = Vec::with_capacity(count);
    for _ in 0..count {
        let start = Instant::now();
        if !kem.run(operation) {
            return None;
        }
        times.push(start.elapsed().as_nanos() as f64 / 1000.0);
    }
    Some(median(times))
}

fn main() {
    let rounds: usize = std::env::args().nth(1).map_or(20, |rounds| rounds.parse().expect("rounds"));
    let isas: Vec<Isa> =
        ["avx512f", "avx2", "scalar"].iter().filter_map(|name| Isa::from_name(name).ok()).collect();
    let mut is_missed = false;
    for all in SETS {
        let (set, mut kems) = all(&isas);
        let peer = kems.len() - 1;
        let mut times: BTreeMap<(usize, &str), Vec<f64>> = BTreeMap::new();
        // Round 0 warms up.
        for round in 0..=rounds {
            for (operation, count, _) in OPERATIONS {
                for (i, kem) in kems.iter_mut().enumerate() {
                    if let (Some(time), 1..) = (time(kem.as_mut(), operation, count), round) {
                        times.entry((i, operation)).or_default().push(time);
                    }
                }
            }
        }
        let of = |i, operation| times.get(&(i, operation)).map(|times| median(times.clone()));
        println!("\n{} (µs; ratio to the peer)\n", set.name());
        println!(
            "| | {} | pqcrypto-ntru 0.5.8 |",
            isas.iter().map(|isa| isa.name()).collect::<Vec<_>>().join(" | ")
        );
        println!("|---|{}---|", "---|".repeat(isas.len()));
        for (operation, _, opposite) in OPERATIONS {
            let Some(theirs) = of(peer, opposite) else { continue };
            let cells = (0..peer).filter_map(|i| of(i, operation)).collect::<Vec<_>>();
            if cells.is_empty() {
                continue;
            }
            let text: Vec<String> =
                cells.iter().map(|ours| format!("{ours:.2} ({:.3})", ours / theirs)).collect();
            println!("| {operation} | {} | {theirs:.2} |", text.join(" | "));
            let best = cells.iter().copied().fold(f64::INFINITY, f64::min) / theirs;
            if let Some(limit) = limit(set, operation).filter(|limit| best > *limit) {
                println!("MISSED: {} {operation} {best:.3}, at most {limit:.3}", set.name());
                is_missed = true;
            }
        }
    }
    std::process::exit(i32::from(is_missed));
}
