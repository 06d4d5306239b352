//! The crate `fn-dsa`, 0.3.0 or 0.4.0, with or without its AVX2 code.

#[cfg(feature = "round3")]
use fn_dsa::HASH_ID_ORIGINAL_FALCON as HASH_ID;
#[cfg(not(feature = "round3"))]
use fn_dsa::HASH_ID_RAW as HASH_ID;
use fn_dsa::{
    DOMAIN_NONE, KeyPairGenerator, KeyPairGeneratorStandard, SigningKey, SigningKeyStandard, VerifyingKey,
    VerifyingKeyStandard, sign_key_size, signature_size, vrfy_key_size,
};
use peer_worker::{Peer, SEED_LEN, serve};
use rand_core::{CryptoRng, Error, OsRng, RngCore};

struct FnDsa {
    logn: u32,
    private: Vec<u8>,
    public: Vec<u8>,
    generator: KeyPairGeneratorStandard,
    signing: SigningKeyStandard,
    verifying: VerifyingKeyStandard,
}

/// Gives the bytes of a seed, again and again: it draws its own seed from them.
struct FromSeed<'a>(core::iter::Cycle<core::slice::Iter<'a, u8>>);

impl CryptoRng for FromSeed<'_> {}

impl RngCore for FromSeed<'_> {
    fn next_u32(&mut self) -> u32 {
        rand_core::impls::next_u32_via_fill(self)
    }
    fn next_u64(&mut self) -> u64 {
        rand_core::impls::next_u64_via_fill(self)
    }
    fn fill_bytes(&mut self, to: &mut [u8]) {
        to.iter_mut().zip(&mut self.0).for_each(|(to, byte)| *to = *byte);
    }
    fn try_fill_bytes(&mut self, to: &mut [u8]) -> Result<(), Error> {
        self.fill_bytes(to);
        Ok(())
    }
}

fn sign(key: &mut SigningKeyStandard, message: &[u8]) -> Vec<u8> {
    let mut signature = vec![0u8; signature_size(key.get_logn())];
    key.sign(&mut OsRng, &DOMAIN_NONE, &HASH_ID, message, &mut signature);
    signature
}

impl FnDsa {
    fn make(&mut self, rng: &mut (impl CryptoRng + RngCore)) {
        let mut private = vec![0u8; sign_key_size(self.logn)];
        let mut public = vec![0u8; vrfy_key_size(self.logn)];
        self.generator.keygen(self.logn, rng, &mut private, &mut public);
        std::hint::black_box((private, public));
    }
}

impl Peer for FnDsa {
    fn setup(degree: usize, private: Option<&[u8]>) -> FnDsa {
        let logn = degree.ilog2();
        let mut generator = KeyPairGeneratorStandard::default();
        let mut public = vec![0u8; vrfy_key_size(logn)];
        let private = match private {
            Some(bytes) => bytes.to_vec(),
            None => {
                let mut private = vec![0u8; sign_key_size(logn)];
                generator.keygen(logn, &mut OsRng, &mut private, &mut public);
                private
            }
        };
        let signing = SigningKeyStandard::decode(&private).expect("private key");
        signing.to_verifying_key(&mut public);
        let verifying = VerifyingKeyStandard::decode(&public).expect("public key");
        FnDsa { logn, private, public, generator, signing, verifying }
    }

    fn private_key(&self) -> Vec<u8> {
        self.private.clone()
    }

    fn keygen(&mut self) {
        self.make(&mut OsRng);
    }

    fn keygen_from(&mut self, seed: &[u8; SEED_LEN]) {
        self.make(&mut FromSeed(seed.iter().cycle()));
    }

    fn sign_cold(&mut self, message: &[u8]) -> Vec<u8> {
        sign(&mut SigningKeyStandard::decode(&self.private).expect("private key"), message)
    }

    fn sign_kept(&mut self, message: &[u8]) -> Option<Vec<u8>> {
        Some(sign(&mut self.signing, message))
    }

    fn verify_cold(&mut self, message: &[u8], signature: &[u8]) -> bool {
        let key = VerifyingKeyStandard::decode(&self.public).expect("public key");
        key.verify(signature, &DOMAIN_NONE, &HASH_ID, message)
    }

    fn verify_kept(&mut self, message: &[u8], signature: &[u8]) -> Option<bool> {
        Some(self.verifying.verify(signature, &DOMAIN_NONE, &HASH_ID, message))
    }
}

fn main() {
    serve::<FnDsa>();
}
