//! Ours, on the backend named by the first argument.
//!
//! Every signature is verified before it is released, as always; the peers do not do that.

use peer_worker::{Peer, SEED_LEN, serve};
use pqc::Isa;
use pqc::falcon::known_answers::{Replay, generate_known_answer, key_permutations, replay_permutations};
use pqc::falcon::{Encoding, Params, SigningKey, VerifyingKey};

struct Ours {
    isa: Isa,
    params: Params,
    private: Vec<u8>,
    public: Vec<u8>,
    signing: SigningKey,
    verifying: VerifyingKey,
    permutations: u64,
}

impl Peer for Ours {
    fn setup(degree: usize, private: Option<&[u8]>) -> Ours {
        let isa = Isa::from_name(&std::env::args().nth(1).expect("backend")).expect("backend");
        let params = if degree == 512 { Params::Falcon512 } else { Params::Falcon1024 };
        let signing = match private {
            Some(bytes) => SigningKey::from_bytes(params, isa, bytes),
            None => SigningKey::generate(params, isa),
        }
        .expect("private key");
        let public = signing.verifying_key().to_bytes();
        let verifying = VerifyingKey::from_bytes(params, &public).expect("public key");
        Ours {
            isa,
            params,
            private: signing.to_bytes().to_vec(),
            public,
            signing,
            verifying,
            permutations: 0,
        }
    }

    fn private_key(&self) -> Vec<u8> {
        self.private.clone()
    }

    fn keygen(&mut self) {
        let key = SigningKey::generate(self.params, self.isa).expect("key");
        std::hint::black_box((key.to_bytes(), key.verifying_key().to_bytes()));
    }

    fn keygen_from(&mut self, seed: &[u8; SEED_LEN]) {
        let key = generate_known_answer(self.params, self.isa, &mut Replay(seed)).expect("key");
        std::hint::black_box((key.to_bytes(), key.verifying_key().to_bytes()));
    }

    fn prepare_replay(&mut self, seed: &[u8; SEED_LEN]) -> bool {
        self.permutations = key_permutations(self.params, self.isa, seed);
        true
    }

    fn replay(&mut self, seed: &[u8; SEED_LEN]) {
        replay_permutations(self.isa, seed, self.permutations);
    }

    fn sign_cold(&mut self, message: &[u8]) -> Vec<u8> {
        let key = SigningKey::from_bytes(self.params, self.isa, &self.private).expect("private key");
        key.sign(self.isa, Encoding::Padded, message).expect("signature")
    }

    fn sign_kept(&mut self, message: &[u8]) -> Option<Vec<u8>> {
        Some(self.signing.sign(self.isa, Encoding::Padded, message).expect("signature"))
    }

    fn sign_batch(&mut self, messages: &[&[u8]]) -> Option<Vec<Vec<u8>>> {
        Some(self.signing.sign_batch(self.isa, Encoding::Padded, messages).expect("signatures"))
    }

    fn verify_cold(&mut self, message: &[u8], signature: &[u8]) -> bool {
        let key = VerifyingKey::from_bytes(self.params, &self.public).expect("public key");
        key.verify(self.isa, message, signature).is_ok()
    }

    fn verify_kept(&mut self, message: &[u8], signature: &[u8]) -> Option<bool> {
        Some(self.verifying.verify(self.isa, message, signature).is_ok())
    }
}

fn main() {
    serve::<Ours>();
}
