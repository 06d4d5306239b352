//! The crate `ml-kem` of RustCrypto: portable. It makes the keys that the others take over.

use ml_kem::{Decapsulate, Encapsulate, ExpandedKeyEncoding, Generate, KeyExport};
use peer_worker::kem::{Kem, keys, serve};

macro_rules! set {
    ($name:ident) => {
        mod $name {
            use super::*;
            use ml_kem::array::Array;
            use ml_kem::$name::{Ciphertext, DecapsulationKey, EncapsulationKey};

            pub struct Key {
                pub public: Vec<u8>,
                pub private: DecapsulationKey,
            }

            pub fn take(seed: &[u8; 64]) -> Key {
                let private = DecapsulationKey::from_seed((*seed).into());
                Key { public: private.encapsulation_key().to_bytes().to_vec(), private }
            }

            impl Kem for Key {
                type Ciphertext = Ciphertext;
                type Encapsulated = (Ciphertext, Array<u8, ml_kem::array::sizes::U32>);

                fn encapsulation_key(&self) -> Vec<u8> {
                    self.public.clone()
                }

                #[allow(deprecated)]
                fn expanded(&self) -> Option<Vec<u8>> {
                    Some(self.private.to_expanded_bytes().to_vec())
                }

                fn keygen(&self) {
                    let key = DecapsulationKey::generate();
                    std::hint::black_box((key.encapsulation_key().to_bytes(), key));
                }

                fn encaps(&self) -> Self::Encapsulated {
                    let bytes = self.public.as_slice().try_into().expect("length");
                    EncapsulationKey::new(bytes).expect("public key").encapsulate()
                }

                fn decaps(&self, ciphertext: &Ciphertext) -> [u8; 32] {
                    self.private.decapsulate(ciphertext).into()
                }

                fn open((ciphertext, secret): &Self::Encapsulated) -> (Vec<u8>, [u8; 32]) {
                    (ciphertext.to_vec(), (*secret).into())
                }

                fn ciphertext(&self, bytes: &[u8]) -> Ciphertext {
                    bytes.try_into().expect("length")
                }
            }
        }
    };
}

set!(ml_kem_512);
set!(ml_kem_768);
set!(ml_kem_1024);

fn main() {
    serve(|set, seed, _| match set {
        "mlkem512" => Some(keys(ml_kem_512::take(seed))),
        "mlkem768" => Some(keys(ml_kem_768::take(seed))),
        "mlkem1024" => Some(keys(ml_kem_1024::take(seed))),
        _ => None,
    });
}
