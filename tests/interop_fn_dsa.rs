//! Against the crate `fn-dsa` 0.3.0, an independent implementation that still speaks Falcon round 3: keys cross over
//! both ways, and each side verifies what the other signed. It knows the padded encoding only.
//!
//! `PQC_SEEDS` (100 where unset) is the number of keys a degree, at most 100 here.

use fn_dsa::{
    DOMAIN_NONE, HASH_ID_ORIGINAL_FALCON, KeyPairGenerator, KeyPairGeneratorStandard, SigningKey as _,
    SigningKeyStandard, VerifyingKey as _, VerifyingKeyStandard, sign_key_size, signature_size,
    vrfy_key_size,
};
use pqc::falcon::{Encoding, Params, SigningKey, VerifyingKey};
use pqc::rng::{OsRandom, RandomSource};
use pqc::{Error, Isa};

/// The operating system's generator in the shape that fn-dsa wants (`rand_core` 0.6).
struct OsRandom06;

impl fn_dsa::RngCore for OsRandom06 {
    fn next_u32(&mut self) -> u32 {
        rand_core::impls::next_u32_via_fill(self)
    }

    fn next_u64(&mut self) -> u64 {
        rand_core::impls::next_u64_via_fill(self)
    }

    fn fill_bytes(&mut self, out: &mut [u8]) {
        OsRandom.fill(out).expect("random bytes");
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), fn_dsa::RngError> {
        self.fill_bytes(out);
        Ok(())
    }
}

impl fn_dsa::CryptoRng for OsRandom06 {}

fn keys() -> usize {
    let wanted =
        std::env::var("PQC_SEEDS").map_or(100, |count| count.parse().expect("PQC_SEEDS is a number"));
    wanted.min(100)
}

/// Their new key pair: private, public.
fn their_key(logn: u32) -> (Vec<u8>, Vec<u8>) {
    let mut private = vec![0u8; sign_key_size(logn)];
    let mut public = vec![0u8; vrfy_key_size(logn)];
    KeyPairGeneratorStandard::default().keygen(logn, &mut OsRandom06, &mut private, &mut public);
    (private, public)
}

/// With one key pair, each side signs and each side verifies; then a changed message and a changed signature are
/// refused by both.
fn cross(params: Params, isa: Isa, private: &[u8], public: &[u8], message: &[u8]) {
    let ours = SigningKey::from_bytes(params, isa, private).expect("we read the private key");
    assert_eq!(ours.to_bytes().as_slice(), private, "the private key comes back unchanged");
    assert_eq!(ours.verifying_key().to_bytes(), public, "we compute their public key");
    let mut theirs = SigningKeyStandard::decode(private).expect("they read the private key");
    let mut computed = vec![0u8; public.len()];
    theirs.to_verifying_key(&mut computed);
    assert_eq!(computed, public, "they compute our public key");

    let our_signature = ours.sign(isa, Encoding::Padded, message).expect("we sign");
    let mut their_signature = vec![0u8; signature_size(params.logn())];
    theirs.sign(&mut OsRandom06, &DOMAIN_NONE, &HASH_ID_ORIGINAL_FALCON, message, &mut their_signature);

    let our_verifier = VerifyingKey::from_bytes(params, public).expect("we read the public key");
    let their_verifier = VerifyingKeyStandard::decode(public).expect("they read the public key");
    let they_verify = |message: &[u8], signature: &[u8]| {
        their_verifier.verify(signature, &DOMAIN_NONE, &HASH_ID_ORIGINAL_FALCON, message)
    };
    for signature in [our_signature, their_signature] {
        assert_eq!(our_verifier.verify(isa, message, &signature), Ok(()));
        assert!(they_verify(message, &signature));

        let other = [message, b"."].concat();
        assert_eq!(our_verifier.verify(isa, &other, &signature), Err(Error::InvalidSignature));
        assert!(!they_verify(&other, &signature));

        let mut changed = signature.clone();
        changed[20] ^= 1; // in the nonce
        assert_eq!(our_verifier.verify(isa, message, &changed), Err(Error::InvalidSignature));
        assert!(!they_verify(message, &changed));
    }
}

fn cross_all(params: Params) {
    let backends: Vec<Isa> = Isa::ALL.iter().copied().filter(|isa| isa.is_supported()).collect();
    let keys = keys();
    println!("{}: {keys} keys of ours and {keys} of fn-dsa 0.3.0, the backends in turn", params.name());
    for number in 0..keys {
        let isa = backends[number % backends.len()];
        // Lengths on both sides of a block of the hash (136 bytes less the nonce of 40), and empty.
        let message: Vec<u8> = (0..number * 7 % 400).map(|i| (i * 31 + number) as u8).collect();

        let ours = SigningKey::generate(params, isa).expect("we make a key");
        cross(params, isa, &ours.to_bytes(), &ours.verifying_key().to_bytes(), &message);

        let (private, public) = their_key(params.logn());
        cross(params, isa, &private, &public, &message);
    }
}

#[test]
fn falcon512_keys_and_signatures_cross_over() {
    cross_all(Params::Falcon512);
}

#[test]
fn falcon1024_keys_and_signatures_cross_over() {
    cross_all(Params::Falcon1024);
}

/// Each side refuses the other's damaged keys, so that a success above means something.
#[test]
fn damaged_keys_are_refused_by_both() {
    let (private, public) = their_key(Params::Falcon512.logn());
    let mut wrong = public.clone();
    wrong[0] ^= 0x10;
    assert!(VerifyingKey::from_bytes(Params::Falcon512, &wrong).is_err());
    assert!(VerifyingKeyStandard::decode(&wrong).is_none());
    let mut wrong = private.clone();
    wrong[0] ^= 0x10;
    assert!(SigningKey::from_bytes(Params::Falcon512, Isa::detect(), &wrong).is_err());
    assert!(SigningKeyStandard::decode(&wrong).is_none());
    assert!(SigningKey::from_bytes(Params::Falcon512, Isa::detect(), &private[1..]).is_err());
}
