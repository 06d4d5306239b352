//! No modified signature verifies (PQClean#464, liboqs#1315): every bit, every truncation, every extension, for
//! both degrees and both encodings.

use pqc::falcon::{Encoding, NONCE_LEN, Params, SigningKey};
use pqc::{Error, Isa};

const MESSAGE: &[u8] = b"a message of some length";

/// Keys a parameter set; fewer where `PQC_SEEDS` asks for a short run.
fn keys() -> usize {
    let seeds = std::env::var("PQC_SEEDS").ok().map_or(100, |v| v.parse().expect("PQC_SEEDS is a number"));
    if seeds < 100 { 1 } else { 5 }
}

fn for_each_signature(mut check: impl FnMut(&SigningKey, Encoding, &[u8])) {
    let mut count = 0;
    for params in [Params::Falcon512, Params::Falcon1024] {
        for _ in 0..keys() {
            let key = SigningKey::generate(params, Isa::Scalar).expect("a key");
            for encoding in [Encoding::Padded, Encoding::Compressed] {
                let signature = key.sign(Isa::Scalar, encoding, MESSAGE).expect("signed");
                assert_eq!(verify(&key, MESSAGE, &signature), Ok(()));
                check(&key, encoding, &signature);
                count += 1;
            }
        }
    }
    println!("{count} signatures");
}

fn verify(key: &SigningKey, message: &[u8], signature: &[u8]) -> Result<(), Error> {
    key.verifying_key().verify(Isa::Scalar, message, signature)
}

#[test]
fn every_flipped_bit_is_refused() {
    for_each_signature(|key, encoding, signature| {
        for bit in 0..signature.len() * 8 {
            let mut changed = signature.to_vec();
            changed[bit / 8] ^= 0x80 >> (bit % 8);
            assert!(verify(key, MESSAGE, &changed).is_err(), "bit {bit} of a {encoding:?} signature");
        }
    });
}

#[test]
fn every_byte_set_to_an_extreme_is_refused() {
    for_each_signature(|key, encoding, signature| {
        for at in 0..signature.len() {
            for value in [0x00, 0xFF] {
                let mut changed = signature.to_vec();
                changed[at] = value;
                if changed != signature {
                    assert!(verify(key, MESSAGE, &changed).is_err(), "byte {at} of a {encoding:?} signature");
                }
            }
        }
    });
}

#[test]
fn every_truncation_and_extension_is_refused() {
    for_each_signature(|key, encoding, signature| {
        // What is left of a padded signature when all of its padding is cut off is the compressed spelling.
        let padding = signature.iter().rev().take_while(|byte| **byte == 0).count();
        let compressed_len = signature.len() - padding;
        for len in 0..signature.len() {
            let accepted = verify(key, MESSAGE, &signature[..len]).is_ok();
            let other_spelling = encoding == Encoding::Padded && len == compressed_len;
            assert!(!accepted || other_spelling, "{len} bytes of a {encoding:?} signature");
        }
        for extra in 1..=64 {
            for fill in [0x00, 0x01, 0x80, 0xFF] {
                let mut longer = signature.to_vec();
                longer.resize(signature.len() + extra, fill);
                let padded = fill == 0 && longer.len() == key.params().padded_len();
                assert_eq!(
                    verify(key, MESSAGE, &longer).is_ok(),
                    padded,
                    "{extra} bytes of {fill:#04x} more"
                );
            }
        }
    });
}

/// Start of each coefficient's bits in the compressed part, with the coefficient's magnitude.
fn coefficients(params: Params, compressed: &[u8]) -> (Vec<(usize, u32)>, usize) {
    let bit = |at: usize| u32::from(compressed[at / 8] >> (7 - at % 8) & 1);
    let mut at = 0;
    let mut out = Vec::new();
    for _ in 0..params.n() {
        let start = at;
        let low = (1..8).fold(0, |m, i| m << 1 | bit(start + i));
        at += 8;
        let mut high = 0;
        while bit(at) == 0 {
            high += 1;
            at += 1;
        }
        at += 1;
        out.push((start, high << 7 | low));
    }
    (out, at)
}

#[test]
fn minus_zero_and_padding_bits_are_not_canonical() {
    let (mut zeros, mut padding_bits) = (0, 0);
    for_each_signature(|key, _, signature| {
        let (coefficients, end) = coefficients(key.params(), &signature[1 + NONCE_LEN..]);
        let flip = |bit: usize| {
            let mut changed = signature.to_vec();
            changed[1 + NONCE_LEN + bit / 8] ^= 0x80 >> (bit % 8);
            verify(key, MESSAGE, &changed)
        };
        for (start, _) in coefficients.iter().filter(|(_, magnitude)| *magnitude == 0) {
            let refused = flip(*start);
            assert!(matches!(refused, Err(Error::NotCanonical { why: "minus zero", .. })), "{refused:?}");
            zeros += 1;
        }
        for bit in end..end.next_multiple_of(8) {
            let refused = flip(bit);
            let why = "a padding bit is not zero";
            assert!(matches!(refused, Err(Error::NotCanonical { why: w, .. }) if w == why), "{refused:?}");
            padding_bits += 1;
        }
    });
    assert!(zeros > 0, "no signature had a zero coefficient");
    println!("{zeros} zeros, {padding_bits} padding bits");
}

#[test]
fn another_message_or_key_is_refused() {
    for_each_signature(|key, _, signature| {
        for bit in 0..MESSAGE.len() * 8 {
            let mut changed = MESSAGE.to_vec();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(verify(key, &changed, signature), Err(Error::InvalidSignature));
        }
        for message in [&b""[..], &MESSAGE[1..], &MESSAGE[..MESSAGE.len() - 1]] {
            assert_eq!(verify(key, message, signature), Err(Error::InvalidSignature));
        }
    });
    for params in [Params::Falcon512, Params::Falcon1024] {
        let keys = [0, 1].map(|_| SigningKey::generate(params, Isa::Scalar).expect("a key"));
        let signature = keys[0].sign(Isa::Scalar, Encoding::Padded, MESSAGE).expect("signed");
        assert_eq!(verify(&keys[1], MESSAGE, &signature), Err(Error::InvalidSignature));
    }
}
