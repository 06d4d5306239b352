//! Ours against `pqcrypto-falcon` (PQClean), both ways: keys and signatures cross over, padded and compressed.
//!
//! Argument: keys a degree (100 where none is given). Ends with one line `N passed, 0 failed`, or panics.

use pqc::Isa;
use pqc::falcon::{Encoding, Params, SigningKey, VerifyingKey};
use pqcrypto_falcon::{falcon512, falcon1024, falconpadded512, falconpadded1024};
use pqcrypto_traits::sign::{DetachedSignature as _, PublicKey as _, SecretKey as _};

/// One key made by us and one made by them; each signs on both sides, each signature is verified on both sides, and
/// a changed message by none. Gives the number of checks.
macro_rules! cross {
    ($theirs:ident, $params:expr, $encoding:expr, $isa:expr, $number:expr) => {{
        let (params, encoding, isa) = ($params, $encoding, $isa);
        let message = format!("message {} of {}", $number, stringify!($theirs)).into_bytes();
        let ours = SigningKey::generate(params, isa).expect("key generation");
        let (their_public, their_private) = $theirs::keypair();
        let keys = [
            (ours.to_bytes().to_vec(), ours.verifying_key().to_bytes()),
            (their_private.as_bytes().to_vec(), their_public.as_bytes().to_vec()),
        ];
        let mut checks = 0;
        for (private, public) in keys {
            let our_private = SigningKey::from_bytes(params, isa, &private).expect("private key taken over");
            assert_eq!(our_private.to_bytes().as_slice(), private, "private key comes back changed");
            assert_eq!(
                our_private.verifying_key().to_bytes(),
                public,
                "public key computed from the private one"
            );
            let our_public = VerifyingKey::from_bytes(params, &public).expect("public key taken over");
            let their_private = $theirs::SecretKey::from_bytes(&private).expect("private key given over");
            let their_public = $theirs::PublicKey::from_bytes(&public).expect("public key given over");
            let signatures = [
                our_private.sign(isa, encoding, &message).expect("our signature"),
                $theirs::detached_sign(&message, &their_private).as_bytes().to_vec(),
            ];
            checks += 2;
            for signature in signatures {
                our_public.verify(isa, &message, &signature).expect("we verify");
                let theirs = $theirs::DetachedSignature::from_bytes(&signature).expect("length");
                assert!(
                    $theirs::verify_detached_signature(&theirs, &message, &their_public).is_ok(),
                    "they verify"
                );
                let other = [&message[..], b"."].concat();
                assert!(our_public.verify(isa, &other, &signature).is_err(), "we take another message");
                assert!($theirs::verify_detached_signature(&theirs, &other, &their_public).is_err());
                checks += 4;
            }
        }
        checks
    }};
}

fn main() {
    let keys: usize = std::env::args().nth(1).map_or(100, |count| count.parse().expect("number of keys"));
    let mut checks = 0;
    for number in 0..keys {
        // Every backend takes its turn.
        let supported: Vec<Isa> = Isa::ALL.iter().copied().filter(|isa| isa.is_supported()).collect();
        let isa = supported[number % supported.len()];
        checks += cross!(falconpadded512, Params::Falcon512, Encoding::Padded, isa, number);
        checks += cross!(falcon512, Params::Falcon512, Encoding::Compressed, isa, number);
        checks += cross!(falconpadded1024, Params::Falcon1024, Encoding::Padded, isa, number);
        checks += cross!(falcon1024, Params::Falcon1024, Encoding::Compressed, isa, number);
    }
    println!("{keys} keys of ours and {keys} of theirs, a degree and an encoding");
    println!("{checks} passed, 0 failed");
    assert!(checks > 0, "nothing was checked");
}
