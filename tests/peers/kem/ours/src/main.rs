//! Ours, on the backend named by the first argument. All checks of FIPS 203 are made; an encapsulation ends with what a
//! caller sends, a ciphertext of its own memory.

use peer_worker::kem::{BATCH, Kem, keys, serve};
use pqc::Isa;
use pqc::kyber::{Ciphertext, DecapsulationKey, EncapsulationKey, ParameterSet, SharedSecret};

struct Ours {
    isa: Isa,
    set: ParameterSet,
    public: Vec<u8>,
    private: DecapsulationKey,
    kept_public: EncapsulationKey,
    kept_private: DecapsulationKey,
}

impl Ours {
    fn take(isa: Isa, set: ParameterSet, seed: &[u8; 64]) -> Ours {
        // Round 3 has no seed form.
        let make = || match set.is_standard() {
            true => DecapsulationKey::from_seed(set, isa, seed),
            false => DecapsulationKey::generate(set, isa),
        };
        let expanded = make().expect("key").expanded(isa);
        let read = || DecapsulationKey::from_expanded(set, isa, &expanded).expect("expanded key");
        let (private, kept_private) = (read(), read());
        let public = private.encapsulation_key().to_bytes();
        let kept_public = EncapsulationKey::from_bytes(set, isa, &public).expect("public key");
        kept_public.keep_matrix(isa);
        kept_private.keep_matrix(isa);
        Ours { isa, set, public, private, kept_public, kept_private }
    }
}

impl Kem for Ours {
    type Ciphertext = Ciphertext;
    type Encapsulated = (Ciphertext, SharedSecret);

    fn encapsulation_key(&self) -> Vec<u8> {
        self.public.clone()
    }

    fn expanded(&self) -> Option<Vec<u8>> {
        Some(self.private.expanded(self.isa).to_vec())
    }

    fn keygen(&self) {
        std::hint::black_box(DecapsulationKey::generate(self.set, self.isa).expect("key"));
    }

    fn encaps(&self) -> Self::Encapsulated {
        let key = EncapsulationKey::from_bytes(self.set, self.isa, &self.public).expect("public key");
        key.encapsulate(self.isa).expect("ciphertext")
    }

    fn encaps_kept(&self) -> Option<Self::Encapsulated> {
        Some(self.kept_public.encapsulate(self.isa).expect("ciphertext"))
    }

    fn decaps(&self, ciphertext: &Ciphertext) -> [u8; 32] {
        *self.private.decapsulate(self.isa, ciphertext).expect("secret").expose()
    }

    fn decaps_kept(&self, ciphertext: &Ciphertext) -> Option<[u8; 32]> {
        Some(*self.kept_private.decapsulate(self.isa, ciphertext).expect("secret").expose())
    }

    fn keygen_batch(&self) -> Option<()> {
        let keys = DecapsulationKey::generate_batch(self.set, self.isa, BATCH).expect("keys");
        std::hint::black_box(keys);
        Some(())
    }

    fn encaps_batch(keys: &[&Ours]) -> Option<Vec<Self::Encapsulated>> {
        let isa = keys.first()?.isa;
        let read =
            |ours: &&Ours| EncapsulationKey::from_bytes(ours.set, isa, &ours.public).expect("public key");
        let keys: Vec<EncapsulationKey> = keys.iter().map(read).collect();
        let keys: Vec<&EncapsulationKey> = keys.iter().collect();
        Some(EncapsulationKey::encapsulate_batch(isa, &keys).expect("ciphertexts"))
    }

    fn decaps_batch(keys: &[&Ours], ciphertexts: &[&Ciphertext]) -> Option<Vec<[u8; 32]>> {
        let isa = keys.first()?.isa;
        let pairs: Vec<_> = keys.iter().map(|ours| &ours.private).zip(ciphertexts.iter().copied()).collect();
        let secrets = DecapsulationKey::decapsulate_batch(isa, &pairs).expect("secrets");
        Some(secrets.iter().map(|secret| *secret.expose()).collect())
    }

    fn open((ciphertext, secret): &Self::Encapsulated) -> (Vec<u8>, [u8; 32]) {
        (ciphertext.as_bytes().to_vec(), *secret.expose())
    }

    fn ciphertext(&self, bytes: &[u8]) -> Ciphertext {
        Ciphertext::from_bytes(self.set, bytes).expect("ciphertext")
    }
}

fn main() {
    let isa = Isa::from_name(&std::env::args().nth(1).expect("backend")).expect("backend");
    serve(|name, seed, _| {
        let short = |set: &ParameterSet| set.name().to_lowercase().replace("ml-kem-", "mlkem");
        let set = *ParameterSet::ALL.iter().find(|set| short(set) == name)?;
        Some(keys(Ours::take(isa, set, seed)))
    });
}
