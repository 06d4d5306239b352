//! Every backend gives the same keys, expanded keys and signatures, byte for byte, from the same seeds.
//!
//! `PQC_SEEDS` sets the number of random seeds a parameter set (100 without it).

mod nist;

use nist::{Drbg, in_parallel};
use pqc::Isa;
use pqc::falcon::known_answers::{Wishes, expanded_key, generate_known_answer, sign_batch_known_answer};
use pqc::falcon::{Encoding, Params};
use sha2::{Digest, Sha256};

fn seeds() -> usize {
    std::env::var("PQC_SEEDS").ok().map_or(100, |v| v.parse().expect("PQC_SEEDS is a number"))
}

/// Bytes that depend on a purpose and a number alone.
fn derive(purpose: &str, number: usize, len: usize) -> Vec<u8> {
    let digest = |half: u8| Sha256::digest(format!("pqc cross-backend {purpose} {number} {half}"));
    let seed: Vec<u8> = digest(0).into_iter().chain(digest(1)).take(48).collect();
    Drbg::new(&seed.try_into().expect("48 bytes")).bytes(len)
}

/// What a backend makes of one seed: key, public key, sum of the expanded key, signatures and their attempts.
fn run(params: Params, isa: Isa, number: usize) -> Vec<(&'static str, Vec<u8>)> {
    let random = derive("key", number, 48);
    let key =
        generate_known_answer(params, isa, &mut pqc::falcon::known_answers::Replay(&random)).expect("a key");
    let expanded: Vec<u8> = expanded_key(&key).iter().flat_map(|x| x.to_bits().to_le_bytes()).collect();
    let message = derive("message", number, number % 300);
    let random = derive("signature", number, 88);
    let mut out = vec![
        ("private key", key.to_bytes().to_vec()),
        ("public key", key.verifying_key().to_bytes()),
        ("expanded key", Sha256::digest(expanded).to_vec()),
    ];
    // The second signature of a seed takes the restart path. (Both are thrown away: see SECURITY.md.)
    for (encoding, reject_first) in [(Encoding::Padded, 0), (Encoding::Compressed, 1)] {
        let wishes = Wishes { reject_first, max_compressed_len: None };
        let (signature, attempts) = nist::sign_with_bytes(&key, isa, &random, encoding, &message, wishes);
        assert_eq!(key.verifying_key().verify(isa, &message, &signature), Ok(()));
        out.push(("signature", signature));
        out.push(("attempts", attempts.to_le_bytes().to_vec()));
    }
    let random = derive("batch", number, 5 * 88);
    let messages: Vec<&[u8]> = (0..5).map(|i| message.get(i..).unwrap_or_default()).collect();
    let random = &mut pqc::falcon::known_answers::Replay(&random);
    let signatures = sign_batch_known_answer(&key, isa, random, Encoding::Padded, &messages).expect("signed");
    for (message, signature) in messages.iter().zip(&signatures) {
        assert_eq!(key.verifying_key().verify(isa, message, signature), Ok(()));
    }
    out.push(("batch of signatures", signatures.concat()));
    out
}

fn check(params: Params) {
    let count = seeds();
    let equal: usize = in_parallel(count, |number| {
        let expected = run(params, Isa::Scalar, number);
        for isa in Isa::ALL.iter().filter(|isa| **isa != Isa::Scalar && isa.is_supported()) {
            for ((what, ours), (_, theirs)) in run(params, *isa, number).iter().zip(&expected) {
                assert_eq!(ours, theirs, "{} {what} of seed {number} on {}", params.name(), isa.name());
            }
        }
        1
    })
    .iter()
    .sum();
    let names: Vec<&str> = Isa::ALL.iter().filter(|isa| isa.is_supported()).map(|isa| isa.name()).collect();
    println!("{}: {equal} seeds equal on {} (PQC_SEEDS)", params.name(), names.join(", "));
    assert!(equal > 0, "no seed was tried");
}

#[test]
fn falcon512() {
    check(Params::Falcon512);
}

#[test]
fn falcon1024() {
    check(Params::Falcon1024);
}
