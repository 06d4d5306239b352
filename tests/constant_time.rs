//! Secrets decide no branch and no address: run under valgrind's memcheck, which takes marked secrets as undefined
//! memory and reports every branch or address that depends on it.
//!
//! `tests/constant_time.sh` builds this with the feature `ct-test` and runs each operation on each backend, and
//! planted leaks that must be found. Usage: `constant_time OPERATION BACKEND PARAMETERS`.

use pqc::Isa;
use pqc::ct::ct_test::{mark_public, mark_secret};
use pqc::error::Error;
use pqc::falcon::known_answers::{
    Wishes, expanded_key, generate_known_answer, sign_batch_known_answer, sign_known_answer,
};
use pqc::falcon::{Encoding, Params, SigningKey};
use pqc::kyber::known_answers as kem;
use pqc::kyber::{Ciphertext, DecapsulationKey, ParameterSet, SharedSecret};
use pqc::ntru::{self, Sampler, known_answers as ntru_kem};
use pqc::rng::{RandomSource, Replay};
use std::hint::black_box;

/// Operations of a batch: a full group in lock step, and one alone.
const BATCH: usize = 9;

/// Random bytes that are secret from the moment they are drawn; a nonce (40 bytes) is public, and so are several.
struct SecretBytes<'a>(Replay<'a>);

impl RandomSource for SecretBytes<'_> {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.0.fill(out)?;
        if !out.len().is_multiple_of(40) {
            mark_secret(out);
        }
        Ok(())
    }
}

/// Random bytes that are secret from the moment they are drawn, all of them.
struct AllSecret<'a>(Replay<'a>);

impl RandomSource for AllSecret<'_> {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.0.fill(out)?;
        mark_secret(out);
        Ok(())
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [operation, isa, params] = arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] else {
        println!("constant_time: run by tests/constant_time.sh");
        return;
    };
    let isa = Isa::from_name(isa).expect("a backend of this build");
    let set = ParameterSet::ALL.into_iter().find(|set| set.name() == params);
    // SET/sort is NTRU with the sorting sampler.
    let (name, sampler) = match params.split_once('/') {
        Some((name, "sort")) => (name, Sampler::Sort),
        _ => (params, Sampler::Shuffle),
    };
    let of_ntru = ntru::ParameterSet::ALL.into_iter().find(|set| set.name() == name);
    match (operation, params, set, of_ntru) {
        ("planted-branch" | "planted-index", ..) => planted(operation),
        (_, "Falcon-512", ..) => falcon(operation, isa, Params::Falcon512),
        (_, "Falcon-1024", ..) => falcon(operation, isa, Params::Falcon1024),
        (_, _, Some(set), _) => kyber(operation, isa, set),
        (_, _, _, Some(set)) => ntru(operation, isa, set, sampler),
        _ => panic!("unknown parameters {params}"),
    }
}

fn falcon(operation: &str, isa: Isa, params: Params) {
    let seed = black_box(vec![0x33; 48]);
    let key = || generate_known_answer(params, isa, &mut Replay(&seed)).expect("a key");
    match operation {
        "keygen" => {
            let key = generate_known_answer(params, isa, &mut SecretBytes(Replay(&seed))).expect("a key");
            black_box(key.verifying_key().to_bytes());
        }
        "load" => {
            let bytes = key().to_bytes();
            // The header byte is public.
            mark_secret(&bytes[1..]);
            let key = SigningKey::from_bytes(params, isa, &bytes).expect("a key");
            black_box(key.verifying_key().to_bytes());
        }
        "sign" => {
            let key = key();
            mark_secret(expanded_key(&key));
            let random: Vec<u8> = (0..88).collect();
            let random = &mut SecretBytes(Replay(&random));
            let (signature, _) =
                sign_known_answer(&key, isa, random, Encoding::Padded, b"message", Wishes::default())
                    .expect("signed");
            black_box(signature);
            mark_public(expanded_key(&key));
        }
        "sign-batch" => {
            let key = key();
            mark_secret(expanded_key(&key));
            let random: Vec<u8> = (0..BATCH as u32 * 88).map(|i| (i * 167) as u8).collect();
            let random = &mut SecretBytes(Replay(&random));
            let signatures =
                sign_batch_known_answer(&key, isa, random, Encoding::Padded, &[b"message".as_slice(); BATCH])
                    .expect("signed");
            black_box(signatures);
            mark_public(expanded_key(&key));
        }
        other => panic!("unknown operation {other}"),
    }
}

/// With `planted-` before the operation's name, what comes out of it leaks: secrets must have stayed so all the way.
fn kyber(operation: &str, isa: Isa, set: ParameterSet) {
    let (operation, leaks) = match operation.strip_prefix("planted-") {
        Some(operation) => (operation, true),
        None => (operation, false),
    };
    let random: Vec<u8> = black_box((0..96 * BATCH as u32).map(|i| (i * 167) as u8).collect());
    let (seeds, m) = random.split_at(64 * BATCH);
    let seed = &seeds[..64];
    let key = || kem::generate_known_answer(set, isa, &mut Replay(seed)).expect("a key");
    let keys = || kem::generate_batch_known_answer(set, isa, BATCH, &mut Replay(seeds)).expect("keys");
    let all = |secrets: Vec<SharedSecret>| secrets.iter().flat_map(|secret| *secret.expose()).collect();
    let secret: Vec<u8> = match operation {
        "keygen" => {
            let key = kem::generate_known_answer(set, isa, &mut SecretBytes(Replay(seed))).expect("a key");
            // Reports what of the public key is not declassified.
            assert!(key.encapsulation_key().as_bytes().iter().any(|byte| *byte != 0));
            key.expanded(isa).to_vec()
        }
        "encaps" => {
            let key = key();
            let random = &mut SecretBytes(Replay(m));
            let (ciphertext, secret) =
                kem::encapsulate_known_answer(key.encapsulation_key(), isa, random).expect("encapsulated");
            assert!(ciphertext.as_bytes().iter().any(|byte| *byte != 0));
            secret.expose().to_vec()
        }
        // The keys are read, so that reading is looked at as well.
        "decaps" | "reject" => {
            let (key, random) = (key(), &mut Replay(m));
            let (ciphertext, _) =
                kem::encapsulate_known_answer(key.encapsulation_key(), isa, random).expect("encapsulated");
            let mut ciphertext = ciphertext.as_bytes().to_vec();
            ciphertext[7] ^= u8::from(operation == "reject");
            let ciphertext = Ciphertext::from_bytes(set, &ciphertext).expect("the right length");
            let bytes = key.expanded(isa);
            // s, then the public key and its hash, then z.
            mark_secret(&bytes[..bytes.len() - set.encapsulation_key_len() - 64]);
            mark_secret(&bytes[bytes.len() - 32..]);
            let key = DecapsulationKey::from_expanded(set, isa, &bytes).expect("a valid key");
            key.decapsulate(isa, &ciphertext).expect("the same set").expose().to_vec()
        }
        "keygen-batch" => {
            let random = &mut AllSecret(Replay(seeds));
            let keys = kem::generate_batch_known_answer(set, isa, BATCH, random).expect("keys");
            for key in &keys {
                assert!(key.encapsulation_key().as_bytes().iter().any(|byte| *byte != 0));
            }
            keys.iter().flat_map(|key| key.expanded(isa).to_vec()).collect()
        }
        "encaps-batch" => {
            let keys = keys();
            let keys: Vec<_> = keys.iter().map(DecapsulationKey::encapsulation_key).collect();
            let random = &mut AllSecret(Replay(m));
            let made = kem::encapsulate_batch_known_answer(&keys, isa, random).expect("encapsulated");
            assert!(made.iter().all(|(c, _)| c.as_bytes().iter().any(|byte| *byte != 0)));
            all(made.into_iter().map(|(_, secret)| secret).collect())
        }
        // Every third one is rejected.
        "decaps-batch" => {
            let keys = keys();
            let public: Vec<_> = keys.iter().map(DecapsulationKey::encapsulation_key).collect();
            let made =
                kem::encapsulate_batch_known_answer(&public, isa, &mut Replay(m)).expect("encapsulated");
            let changed = |(i, (ciphertext, _)): (usize, &(Ciphertext, _))| {
                let mut bytes = ciphertext.as_bytes().to_vec();
                bytes[7] ^= u8::from(i % 3 == 1);
                Ciphertext::from_bytes(set, &bytes).expect("the right length")
            };
            let ciphertexts: Vec<_> = made.iter().enumerate().map(changed).collect();
            let read = |key: &DecapsulationKey| {
                let bytes = key.expanded(isa);
                mark_secret(&bytes[..bytes.len() - set.encapsulation_key_len() - 64]);
                mark_secret(&bytes[bytes.len() - 32..]);
                DecapsulationKey::from_expanded(set, isa, &bytes).expect("a valid key")
            };
            let keys: Vec<_> = keys.iter().map(read).collect();
            let pairs: Vec<_> = keys.iter().zip(&ciphertexts).collect();
            all(DecapsulationKey::decapsulate_batch(isa, &pairs).expect("the same set"))
        }
        other => panic!("unknown operation {other}"),
    };
    if leaks && black_box(secret)[0] > 7 {
        println!("a branch on what came out");
    }
}

/// As [`kyber`]. Which words the shuffle rejects is public, and nothing else.
fn ntru(operation: &str, isa: Isa, set: ntru::ParameterSet, sampler: Sampler) {
    let (operation, leaks) = match operation.strip_prefix("planted-") {
        Some(operation) => (operation, true),
        None => (operation, false),
    };
    // Some words are rejected.
    let random: Vec<u8> =
        black_box((0..1u32 << 17).map(|i| (i.wrapping_mul(0x9e37_79b9) >> 13) as u8).collect());
    let (for_key, for_message) = random.split_at(8192);
    let key = || ntru_kem::generate_known_answer(set, sampler, isa, &mut Replay(for_key)).expect("a key");
    let encapsulated = |random: &mut dyn RandomSource| {
        ntru_kem::encapsulate_known_answer(key().encapsulation_key(), sampler, isa, random)
            .expect("encapsulated")
    };
    let secret = match operation {
        "keygen" => {
            let random = &mut AllSecret(Replay(for_key));
            let key = ntru_kem::generate_known_answer(set, sampler, isa, random).expect("a key");
            // Reports what of the public key is not declassified.
            assert!(key.encapsulation_key().as_bytes().iter().any(|byte| *byte != 0));
            key.to_bytes().to_vec()
        }
        "encaps" => {
            let (ciphertext, secret) = encapsulated(&mut AllSecret(Replay(for_message)));
            assert!(ciphertext.as_bytes().iter().any(|byte| *byte != 0));
            secret.expose().to_vec()
        }
        "encaps-batch" => {
            let random = &mut AllSecret(Replay(for_message));
            let key = key();
            let made = ntru_kem::encapsulate_batch_known_answer(key.encapsulation_key(), BATCH, isa, random)
                .expect("encapsulated");
            assert!(made.iter().all(|(c, _)| c.as_bytes().iter().any(|byte| *byte != 0)));
            made.iter().flat_map(|(_, secret)| *secret.expose()).collect()
        }
        // The keys are read, so that reading is looked at as well.
        "decaps" | "reject" => {
            let (ciphertext, _) = encapsulated(&mut Replay(for_message));
            let mut ciphertext = ciphertext.as_bytes().to_vec();
            ciphertext[7] ^= u8::from(operation == "reject");
            let ciphertext = ntru::Ciphertext::from_bytes(set, &ciphertext).expect("the right length");
            let bytes = key().to_bytes();
            mark_secret(&bytes);
            let key = ntru::DecapsulationKey::from_bytes(set, isa, &bytes).expect("a valid key");
            key.decapsulate(isa, &ciphertext).expect("the same set").expose().to_vec()
        }
        other => panic!("unknown operation {other}"),
    };
    if leaks && black_box(secret)[0] > 7 {
        println!("a branch on what came out");
    }
}

/// What valgrind must find.
fn planted(operation: &str) {
    let seed = black_box(vec![0x33u8; 48]);
    let table = black_box([7u8; 256]);
    mark_secret(&seed);
    let secret = black_box(seed[5]);
    if operation == "planted-index" {
        black_box(table[usize::from(secret)]);
    } else if secret > 7 {
        println!("a branch on a secret");
    }
}
