//! Secrets decide no branch and no address: run under valgrind's memcheck, which takes marked secrets as undefined
//! memory and reports every branch or address that depends on it.
//!
//! `tests/constant_time.sh` builds this with the feature `ct-test` and runs each operation on each backend, and a
//! planted leak that must be found. Usage: `constant_time OPERATION BACKEND PARAMETERS`.

use pqc::Isa;
use pqc::ct::ct_test::{mark_public, mark_secret};
use pqc::error::Error;
use pqc::falcon::known_answers::{
    Wishes, expanded_key, generate_known_answer, sign_batch_known_answer, sign_known_answer,
};
use pqc::falcon::{Encoding, Params, SigningKey};
use pqc::rng::{RandomSource, Replay};

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

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [operation, isa, params] = arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] else {
        println!("constant_time: run by tests/constant_time.sh");
        return;
    };
    let isa = Isa::from_name(isa).expect("a backend of this build");
    let params = if params == "512" { Params::Falcon512 } else { Params::Falcon1024 };
    let seed = std::hint::black_box(vec![0x33; 48]);
    let key = || generate_known_answer(params, isa, &mut Replay(&seed)).expect("a key");
    match operation {
        "keygen" => {
            let key = generate_known_answer(params, isa, &mut SecretBytes(Replay(&seed))).expect("a key");
            std::hint::black_box(key.verifying_key().to_bytes());
        }
        "load" => {
            let bytes = key().to_bytes();
            // The header byte is public.
            mark_secret(&bytes[1..]);
            let key = SigningKey::from_bytes(params, isa, &bytes).expect("a key");
            std::hint::black_box(key.verifying_key().to_bytes());
        }
        "sign" => {
            let key = key();
            mark_secret(expanded_key(&key));
            let random: Vec<u8> = (0..88).collect();
            let random = &mut SecretBytes(Replay(&random));
            let (signature, _) =
                sign_known_answer(&key, isa, random, Encoding::Padded, b"message", Wishes::default())
                    .expect("signed");
            std::hint::black_box(signature);
            mark_public(expanded_key(&key));
        }
        "sign-batch" => {
            let key = key();
            mark_secret(expanded_key(&key));
            // Nine messages: a full group in lock step, and one that is not full or signed alone.
            let random: Vec<u8> = (0..9 * 88u32).map(|i| (i * 167) as u8).collect();
            let random = &mut SecretBytes(Replay(&random));
            let signatures =
                sign_batch_known_answer(&key, isa, random, Encoding::Padded, &[b"message".as_slice(); 9])
                    .expect("signed");
            std::hint::black_box(signatures);
            mark_public(expanded_key(&key));
        }
        "planted-branch" => {
            mark_secret(&seed);
            if std::hint::black_box(seed[5]) > 7 {
                println!("a branch on a secret");
            }
        }
        "planted-index" => {
            let table = std::hint::black_box([7u8; 256]);
            mark_secret(&seed);
            std::hint::black_box(table[usize::from(std::hint::black_box(seed[5]))]);
        }
        other => panic!("unknown operation {other}"),
    }
}
