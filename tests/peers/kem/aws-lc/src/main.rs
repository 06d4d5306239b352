//! The crate `aws-lc-rs`: C and assembly. It takes expanded private keys.

use aws_lc_rs::kem::{
    Algorithm, AlgorithmId, Ciphertext, DecapsulationKey, EncapsulationKey, ML_KEM_512, ML_KEM_768,
    ML_KEM_1024, SharedSecret,
};
use peer_worker::kem::{Kem, keys, serve};

struct AwsLc {
    algorithm: &'static Algorithm<AlgorithmId>,
    public: Vec<u8>,
    private: DecapsulationKey,
}

impl Kem for AwsLc {
    type Ciphertext = Vec<u8>;
    type Encapsulated = (Ciphertext<'static>, SharedSecret);

    fn encapsulation_key(&self) -> Vec<u8> {
        self.public.clone()
    }

    fn expanded(&self) -> Option<Vec<u8>> {
        Some(self.private.key_bytes().expect("expanded key").as_ref().to_vec())
    }

    fn keygen(&self) {
        let key = DecapsulationKey::generate(self.algorithm).expect("key");
        let public = key.encapsulation_key().expect("public key");
        std::hint::black_box((public.key_bytes().expect("public key"), key));
    }

    fn encaps(&self) -> Self::Encapsulated {
        let key = EncapsulationKey::new(self.algorithm, &self.public).expect("public key");
        key.encapsulate().expect("ciphertext")
    }

    fn decaps(&self, ciphertext: &Vec<u8>) -> [u8; 32] {
        let secret = self.private.decapsulate(ciphertext.as_slice().into()).expect("secret");
        secret.as_ref().try_into().expect("32 bytes")
    }

    fn open((ciphertext, secret): &Self::Encapsulated) -> (Vec<u8>, [u8; 32]) {
        (ciphertext.as_ref().to_vec(), secret.as_ref().try_into().expect("32 bytes"))
    }

    fn ciphertext(&self, bytes: &[u8]) -> Vec<u8> {
        bytes.to_vec()
    }
}

fn main() {
    serve(|set, _, expanded| {
        let (algorithm, public_len) = match set {
            "mlkem512" => (&ML_KEM_512, 800),
            "mlkem768" => (&ML_KEM_768, 1184),
            "mlkem1024" => (&ML_KEM_1024, 1568),
            _ => return None,
        };
        let expanded = expanded.expect("expanded key");
        let private = DecapsulationKey::new(algorithm, expanded).expect("private key");
        // s, public key, its hash, z.
        let s_len = expanded.len() - public_len - 64;
        let public = expanded[s_len..][..public_len].to_vec();
        Some(keys(AwsLc { algorithm, public, private }))
    });
}
