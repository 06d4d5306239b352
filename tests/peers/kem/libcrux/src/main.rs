//! The crate `libcrux-ml-kem`, which takes AVX2 where it finds it. Its keys are bytes; the unpacked form, with the
//! matrix, exists for AVX2 by name. Its encapsulation leaves the check of the public key to the caller.

use libcrux_ml_kem::MlKemSharedSecret;
use peer_worker::kem::{Kem, keys, serve};

macro_rules! set {
    ($name:ident, $public:ident, $private:ident, $ciphertext:ident, $public_unpacked:ident, $pair_unpacked:ident) => {
        mod $name {
            use super::*;
            use libcrux_ml_kem::$name::avx2::unpacked::{self, $pair_unpacked, $public_unpacked};
            use libcrux_ml_kem::$name::{self as set, $ciphertext, $private, $public};

            pub struct Key {
                public: Vec<u8>,
                private: $private,
                kept_public: Box<$public_unpacked>,
                kept_private: Box<$pair_unpacked>,
            }

            pub fn take(seed: &[u8; 64]) -> Key {
                assert!(std::is_x86_feature_detected!("avx2"), "unpacked keys are those of AVX2 here");
                let pair = set::generate_key_pair(*seed);
                let (mut kept_public, mut kept_private) = (Box::default(), Box::default());
                unpacked::unpacked_public_key(pair.public_key(), &mut kept_public);
                unpacked::key_pair_from_private_mut(pair.private_key(), &mut kept_private);
                let (private, public) = pair.into_parts();
                Key { public: public.as_slice().to_vec(), private, kept_public, kept_private }
            }

            impl Kem for Key {
                type Ciphertext = $ciphertext;
                type Encapsulated = ($ciphertext, MlKemSharedSecret);

                fn encapsulation_key(&self) -> Vec<u8> {
                    self.public.clone()
                }

                fn expanded(&self) -> Option<Vec<u8>> {
                    Some(self.private.as_slice().to_vec())
                }

                fn keygen(&self) {
                    std::hint::black_box(set::generate_key_pair(random()));
                }

                fn encaps(&self) -> Self::Encapsulated {
                    let key = $public::try_from(self.public.as_slice()).expect("length");
                    assert!(set::validate_public_key(&key));
                    set::encapsulate(&key, random())
                }

                fn encaps_kept(&self) -> Option<Self::Encapsulated> {
                    Some(unpacked::encapsulate(&self.kept_public, random()))
                }

                fn decaps(&self, ciphertext: &$ciphertext) -> [u8; 32] {
                    set::decapsulate(&self.private, ciphertext)
                }

                fn decaps_kept(&self, ciphertext: &$ciphertext) -> Option<[u8; 32]> {
                    Some(unpacked::decapsulate(&self.kept_private, ciphertext))
                }

                fn open((ciphertext, secret): &Self::Encapsulated) -> (Vec<u8>, [u8; 32]) {
                    (ciphertext.as_slice().to_vec(), *secret)
                }

                fn ciphertext(&self, bytes: &[u8]) -> $ciphertext {
                    bytes.try_into().expect("length")
                }
            }
        }
    };
}

set!(
    mlkem512,
    MlKem512PublicKey,
    MlKem512PrivateKey,
    MlKem512Ciphertext,
    MlKem512PublicKeyUnpacked,
    MlKem512KeyPairUnpacked
);
set!(
    mlkem768,
    MlKem768PublicKey,
    MlKem768PrivateKey,
    MlKem768Ciphertext,
    MlKem768PublicKeyUnpacked,
    MlKem768KeyPairUnpacked
);
set!(
    mlkem1024,
    MlKem1024PublicKey,
    MlKem1024PrivateKey,
    MlKem1024Ciphertext,
    MlKem1024PublicKeyUnpacked,
    MlKem1024KeyPairUnpacked
);

/// From the operating system.
fn random<const LEN: usize>() -> [u8; LEN] {
    let mut bytes = [0; LEN];
    getrandom::fill(&mut bytes).expect("random bytes");
    bytes
}

fn main() {
    serve(|set, seed, _| match set {
        "mlkem512" => Some(keys(mlkem512::take(seed))),
        "mlkem768" => Some(keys(mlkem768::take(seed))),
        "mlkem1024" => Some(keys(mlkem1024::take(seed))),
        _ => None,
    });
}
