//! The crate `pqcrypto-falcon` (PQClean in C): integers only as built by default, AVX2 with the feature `avx2`.
//!
//! It cannot compute a public key from a private one, so it makes its own key, which the others take over. It has
//! no decoded form of a key.

use peer_worker::{Peer, SEED_LEN, serve};
use pqcrypto_falcon::{falconpadded512, falconpadded1024};
use pqcrypto_traits::sign::{DetachedSignature as _, PublicKey as _, SecretKey as _};

enum PqClean {
    Falcon512 { private: Vec<u8>, public: Vec<u8> },
    Falcon1024 { private: Vec<u8>, public: Vec<u8> },
}

macro_rules! keypair {
    ($falcon:ident) => {{
        let (public, private) = $falcon::keypair();
        (private.as_bytes().to_vec(), public.as_bytes().to_vec())
    }};
}

macro_rules! sign {
    ($falcon:ident, $private:expr, $message:expr) => {{
        let key = $falcon::SecretKey::from_bytes($private).expect("private key");
        $falcon::detached_sign($message, &key).as_bytes().to_vec()
    }};
}

macro_rules! verify {
    ($falcon:ident, $public:expr, $message:expr, $signature:expr) => {{
        let key = $falcon::PublicKey::from_bytes($public).expect("public key");
        let signature = $falcon::DetachedSignature::from_bytes($signature).expect("signature");
        $falcon::verify_detached_signature(&signature, $message, &key).is_ok()
    }};
}

impl Peer for PqClean {
    fn setup(degree: usize, private: Option<&[u8]>) -> PqClean {
        assert!(private.is_none(), "this peer makes its own key");
        if degree == 512 {
            let (private, public) = keypair!(falconpadded512);
            PqClean::Falcon512 { private, public }
        } else {
            let (private, public) = keypair!(falconpadded1024);
            PqClean::Falcon1024 { private, public }
        }
    }

    fn private_key(&self) -> Vec<u8> {
        match self {
            PqClean::Falcon512 { private, .. } | PqClean::Falcon1024 { private, .. } => private.clone(),
        }
    }

    fn keygen(&mut self) {
        std::hint::black_box(match self {
            PqClean::Falcon512 { .. } => keypair!(falconpadded512),
            PqClean::Falcon1024 { .. } => keypair!(falconpadded1024),
        });
    }

    /// It takes no seed: keys of its own randomness, as many.
    fn keygen_from(&mut self, _seed: &[u8; SEED_LEN]) {
        self.keygen();
    }

    fn sign_cold(&mut self, message: &[u8]) -> Vec<u8> {
        match self {
            PqClean::Falcon512 { private, .. } => sign!(falconpadded512, private, message),
            PqClean::Falcon1024 { private, .. } => sign!(falconpadded1024, private, message),
        }
    }

    fn sign_kept(&mut self, _message: &[u8]) -> Option<Vec<u8>> {
        None
    }

    fn verify_cold(&mut self, message: &[u8], signature: &[u8]) -> bool {
        match self {
            PqClean::Falcon512 { public, .. } => verify!(falconpadded512, public, message, signature),
            PqClean::Falcon1024 { public, .. } => verify!(falconpadded1024, public, message, signature),
        }
    }

    fn verify_kept(&mut self, _message: &[u8], _signature: &[u8]) -> Option<bool> {
        None
    }
}

fn main() {
    serve::<PqClean>();
}
