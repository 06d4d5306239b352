//! The crate `graviola`: Rust and assembly, ML-KEM-768 alone. Its private keys always keep the matrix.
//!
//! Its public `decaps` consumes the key, hence `decaps_internal`, which it calls.

use graviola::key_agreement::mlkem768::{Ciphertext, DecapKey, EncapKey, SharedSecret};
use peer_worker::kem::{Kem, keys, serve};

struct Graviola {
    public: [u8; 1184],
    private: DecapKey,
}

impl Kem for Graviola {
    type Ciphertext = Ciphertext;
    type Encapsulated = (SharedSecret, Ciphertext);

    fn encapsulation_key(&self) -> Vec<u8> {
        self.public.to_vec()
    }

    fn expanded(&self) -> Option<Vec<u8>> {
        Some(self.private.as_bytes().to_vec())
    }

    fn keygen(&self) {
        let key = DecapKey::generate().expect("key");
        std::hint::black_box((key.encapsulation_key().as_bytes(), key));
    }

    fn encaps(&self) -> Self::Encapsulated {
        EncapKey::from_bytes(&self.public).expect("public key").encaps().expect("ciphertext")
    }

    fn decaps(&self, ciphertext: &Ciphertext) -> [u8; 32] {
        *self.private.decaps_internal(ciphertext).as_ref()
    }

    fn decaps_kept(&self, ciphertext: &Ciphertext) -> Option<[u8; 32]> {
        Some(self.decaps(ciphertext))
    }

    fn open((secret, ciphertext): &Self::Encapsulated) -> (Vec<u8>, [u8; 32]) {
        (ciphertext.as_ref().to_vec(), *secret.as_ref())
    }

    fn ciphertext(&self, bytes: &[u8]) -> Ciphertext {
        <[u8; 1088]>::try_from(bytes).expect("length").into()
    }
}

fn main() {
    serve(|set, seed, _| {
        let take = || {
            let private = DecapKey::keygen_internal(seed);
            keys(Graviola { public: private.encapsulation_key().as_bytes(), private })
        };
        (set == "mlkem768").then(take)
    });
}
