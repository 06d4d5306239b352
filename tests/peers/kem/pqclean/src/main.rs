//! The crate `pqcrypto-mlkem` (PQClean in C, AVX2 where the processor has it). It takes expanded private keys, parses
//! nothing before an operation, and makes none of the checks of FIPS 203.

use peer_worker::kem::{Kem, keys, serve};
use pqcrypto_traits::kem::{Ciphertext as _, PublicKey as _, SecretKey as _, SharedSecret as _};

macro_rules! set {
    ($name:ident) => {
        mod $name {
            use super::*;
            use pqcrypto_mlkem::$name::{self as set, Ciphertext, PublicKey, SecretKey, SharedSecret};

            pub struct Key {
                public: Vec<u8>,
                private: SecretKey,
            }

            pub fn take(expanded: &[u8]) -> Key {
                let private = SecretKey::from_bytes(expanded).expect("private key");
                // s, public key, its hash, z.
                let s_len = expanded.len() - set::public_key_bytes() - 64;
                Key { public: expanded[s_len..][..set::public_key_bytes()].to_vec(), private }
            }

            impl Kem for Key {
                type Ciphertext = Ciphertext;
                type Encapsulated = (SharedSecret, Ciphertext);

                fn encapsulation_key(&self) -> Vec<u8> {
                    self.public.clone()
                }

                fn expanded(&self) -> Option<Vec<u8>> {
                    Some(self.private.as_bytes().to_vec())
                }

                fn keygen(&self) {
                    std::hint::black_box(set::keypair());
                }

                fn encaps(&self) -> Self::Encapsulated {
                    set::encapsulate(&PublicKey::from_bytes(&self.public).expect("length"))
                }

                fn decaps(&self, ciphertext: &Ciphertext) -> [u8; 32] {
                    set::decapsulate(ciphertext, &self.private).as_bytes().try_into().expect("32 bytes")
                }

                fn open((secret, ciphertext): &Self::Encapsulated) -> (Vec<u8>, [u8; 32]) {
                    (ciphertext.as_bytes().to_vec(), secret.as_bytes().try_into().expect("32 bytes"))
                }

                fn ciphertext(&self, bytes: &[u8]) -> Ciphertext {
                    Ciphertext::from_bytes(bytes).expect("length")
                }
            }
        }
    };
}

set!(mlkem512);
set!(mlkem768);
set!(mlkem1024);

fn main() {
    serve(|set, _, expanded| match set {
        "mlkem512" => Some(keys(mlkem512::take(expanded?))),
        "mlkem768" => Some(keys(mlkem768::take(expanded?))),
        "mlkem1024" => Some(keys(mlkem1024::take(expanded?))),
        _ => None,
    });
}
