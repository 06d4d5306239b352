//! Signing restarts: the nonce and the hashed message stay, the sampler's seed does not.
//!
//! The bug to avoid: a retry that used an overwritten hash (PQClean#477). Restarts are forced by a small buffer and
//! by a hook.

mod nist;

use pqc::Isa;
use pqc::falcon::known_answers::{Replay, Wishes, generate_known_answer};
use pqc::falcon::{Encoding, NONCE_LEN, Params, SigningKey};

const PARAMS: [Params; 2] = [Params::Falcon512, Params::Falcon1024];

fn key(params: Params) -> SigningKey {
    generate_known_answer(params, Isa::Scalar, &mut Replay(&[0x42; 48])).expect("a key")
}

fn sign(key: &SigningKey, isa: Isa, wishes: Wishes) -> (Vec<u8>, u32) {
    let random: Vec<u8> = (0..88u8).collect();
    nist::sign_with_bytes(key, isa, &random, Encoding::Compressed, b"restart", wishes)
}

#[test]
fn forced_by_a_hook() {
    for params in PARAMS {
        let key = key(params);
        let mut seen = Vec::new();
        for reject_first in [0, 1, 2, 26] {
            let wishes = Wishes { reject_first, max_compressed_len: None };
            let (signature, attempts) = sign(&key, Isa::Scalar, wishes);
            assert!(attempts > reject_first);
            assert_eq!(key.verifying_key().verify(Isa::Scalar, b"restart", &signature), Ok(()));
            assert_eq!(signature[1..=NONCE_LEN], (0..40u8).collect::<Vec<_>>(), "the nonce stays");
            assert_eq!(sign(&key, Isa::Soft, wishes), (signature.clone(), attempts), "soft restarts alike");
            assert!(!seen.contains(&signature), "each attempt has its own seed");
            seen.push(signature);
        }
    }
}

#[test]
fn forced_by_a_small_buffer() {
    for params in PARAMS {
        let key = key(params);
        let (first, _) = sign(&key, Isa::Scalar, Wishes::default());
        let len = first.len() - 1 - NONCE_LEN;
        // One byte less than the first signature takes: another attempt must be made, and it must be valid.
        let wishes = Wishes { reject_first: 0, max_compressed_len: Some(len - 1) };
        let (second, attempts) = sign(&key, Isa::Scalar, wishes);
        assert!(attempts > 1);
        assert!(second.len() < first.len());
        assert_eq!(key.verifying_key().verify(Isa::Scalar, b"restart", &second), Ok(()));
        assert_eq!(sign(&key, Isa::Soft, wishes), (second, attempts));
    }
}

#[test]
fn a_buffer_that_nothing_fits_ends_in_an_error() {
    let key = key(Params::Falcon512);
    let random: Vec<u8> = (0..88u8).collect();
    let wishes = Wishes { reject_first: 0, max_compressed_len: Some(300) };
    let out = pqc::falcon::known_answers::sign_known_answer(
        &key,
        Isa::Scalar,
        &mut Replay(&random),
        Encoding::Padded,
        b"",
        wishes,
    );
    assert_eq!(out, Err(pqc::Error::SelfCheck));
}

#[test]
fn a_random_source_that_fails_stops() {
    let key = key(Params::Falcon512);
    for len in [0, 39, 40, 87] {
        let out = pqc::falcon::known_answers::sign_known_answer(
            &key,
            Isa::Scalar,
            &mut Replay(&vec![1; len]),
            Encoding::Padded,
            b"",
            Wishes::default(),
        );
        assert!(matches!(out, Err(pqc::Error::Randomness(_))), "{len} bytes");
    }
    let out = generate_known_answer(Params::Falcon512, Isa::Scalar, &mut Replay(&[1; 47]));
    assert!(matches!(out.err(), Some(pqc::Error::Randomness(_))));
}
