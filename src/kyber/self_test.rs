//! What `pqc selftest` runs: a known answer, implicit rejection, and refusals, on one backend.
//!
//! The known answer is entry 0 of the NIST file of each set: its key, ciphertext and secret. Every backend must give
//! it, so this is also the test that backends agree. Rejection is computed a second time here, with the crates `sha3`
//! and `sha2`: a backend that skips it gives away the key (there were such).

use super::{Ciphertext, DecapsulationKey, EncapsulationKey, ParameterSet, SEED_LEN};
use crate::hex::hex;
use crate::isa::Isa;
use crate::rng::Replay;
use sha2::{Digest, Sha256};
use sha3::digest::{ExtendableOutput, Update, XofReader};
use sha3::{Sha3_256, Shake256};

/// What the NIST generator gives for entry 0 where it is asked for 64 bytes (d, z) and 32 (m), as by ML-KEM.
const ENTRY_0: [u8; 96] = hex(concat!(
    "7c9935a0b07694aa0c6d10e4db6b1add2fd81a25ccb148032dcd739936737f2d",
    "b505d7cfad1b497499323c8686325e4792f267aafa3f87ca60d01cb54f29202a",
    "eb4a7c66ef4eba2ddb38c88d8bc706b1d639002198172a7b1942eca8f6c001ba"
));

/// The same where it is asked three times for 32 bytes, as by round 3.
const ENTRY_0_ROUND_3: [u8; 96] = hex(concat!(
    "7c9935a0b07694aa0c6d10e4db6b1add2fd81a25ccb148032dcd739936737f2d",
    "8626ed79d451140800e03b59b956f8210e556067407d13dc90fa9e8b872bfb8f",
    "147c03f7a5bebba406c8fae1874d7f13c80efe79a3a9a874cc09fe76f6997615"
));

/// SHA-256 of public key, expanded private key, ciphertext and secret of entry 0, one after the other.
const fn entry_0_sum(set: ParameterSet) -> [u8; 32] {
    hex(match set {
        ParameterSet::MlKem512 => "d252073dc7c8f936eacafb1ff1c07544ccb802373c81e6c572077ada8bef5687",
        ParameterSet::MlKem768 => "3c5a92275c084bc9926aeb48254c262aca5a0b01be8731015afbf6c14210f3cf",
        ParameterSet::MlKem1024 => "6520ed47096bcfce31e19451dc3819f2db97385482859da5e54ff7271850554b",
        ParameterSet::Kyber512 => "f15cb0d637d50df2a301116d6b339a9a15da1ad8be9d206fc795d1ab26ef7733",
        ParameterSet::Kyber768 => "d3ada25a5659daa30eb5b0956ff4f9e7097e1065ab342916f5d6bf7ec678b6a5",
        ParameterSet::Kyber1024 => "c5e99fb90089cc54656d090e25195616f724730ac1178c483e7a5abbd53ed883",
        ParameterSet::Kyber512In90s => "555152bd4da01ec9057c832f1de61544fb10dee63193188303dbe8c9e10904cf",
        ParameterSet::Kyber768In90s => "1a6e8655b487d19e5b134565376e07cb2d1d621fe372e46b464ed2e10d064b8b",
        ParameterSet::Kyber1024In90s => "8d261c5a340428ab05957ff4946f5c3e681b7fc81333294f5f1eeae27c549943",
    })
}

/// The secret of a ciphertext that was not made for the key: FIPS 203 J(z, c), round 3 KDF(z, H(c)).
fn rejection(set: ParameterSet, z: &[u8], ciphertext: &[u8]) -> [u8; SEED_LEN] {
    let mut out = [0; SEED_LEN];
    let mut shake = Shake256::default();
    Update::update(&mut shake, z);
    match set {
        ParameterSet::Kyber512In90s | ParameterSet::Kyber768In90s | ParameterSet::Kyber1024In90s => {
            return Sha256::new().chain_update(z).chain_update(Sha256::digest(ciphertext)).finalize().into();
        }
        _ if set.is_standard() => Update::update(&mut shake, ciphertext),
        _ => Update::update(&mut shake, &Sha3_256::digest(ciphertext)),
    }
    shake.finalize_xof().read(&mut out);
    out
}

/// Known answer, rejection and refusals of a parameter set on a backend; the key made is a published one and is
/// thrown away.
///
/// # Errors
/// The name of the first check that failed.
pub fn self_test(set: ParameterSet, isa: Isa) -> Result<(), &'static str> {
    let drawn = if set.is_standard() { &ENTRY_0 } else { &ENTRY_0_ROUND_3 };
    let (seed, m) = drawn.split_at(2 * SEED_LEN);

    let key = DecapsulationKey::generate_from(set, isa, &mut Replay(seed)).map_err(|_| "key generation")?;
    let public = key.encapsulation_key();
    let (ciphertext, sent) = public.encapsulate_from(isa, &mut Replay(m)).map_err(|_| "encapsulation")?;
    let expanded = key.expanded(isa);
    let sum = Sha256::new()
        .chain_update(public.as_bytes())
        .chain_update(&expanded)
        .chain_update(ciphertext.as_bytes())
        .chain_update(sent.expose())
        .finalize();
    if sum.as_slice() != entry_0_sum(set) {
        return Err("known answer");
    }

    // Both halves as they are read from files.
    let read = DecapsulationKey::from_expanded(set, isa, &expanded).map_err(|_| "reading a private key")?;
    let received = read.decapsulate(isa, &ciphertext).map_err(|_| "decapsulation")?;
    if !received.is_equal(&sent) {
        return Err("decapsulation");
    }
    if EncapsulationKey::from_bytes(set, isa, public.as_bytes()).as_ref() != Ok(public) {
        return Err("reading a public key");
    }

    // Bits all over the ciphertext, the first and the last among them.
    let bits = ciphertext.as_bytes().len() * 8;
    for bit in (0..bits).step_by(61).chain([bits - 1]) {
        let mut changed = ciphertext.as_bytes().to_vec();
        if let Some(byte) = changed.get_mut(bit / 8) {
            *byte ^= 1 << (bit % 8);
        }
        let expected = rejection(set, seed.get(SEED_LEN..).unwrap_or_default(), &changed);
        let secret = Ciphertext::from_bytes(set, &changed).and_then(|changed| key.decapsulate(isa, &changed));
        // The secrets of a published key are public.
        if secret.map_err(|_| "implicit rejection")?.expose() != &expected {
            return Err("implicit rejection");
        }
    }

    // The first coefficient becomes 4095, which is not below q.
    let mut too_large = public.as_bytes().to_vec();
    if let [first, second, ..] = too_large.as_mut_slice() {
        (*first, *second) = (0xff, *second | 0x0f);
    }
    if EncapsulationKey::from_bytes(set, isa, &too_large).is_ok() {
        return Err("refusing a public key that is not canonical");
    }
    // A public half that is not the one of the hash.
    let mut damaged = expanded.to_vec();
    if let Some(byte) = damaged.get_mut(set.expanded_len() - 3 * SEED_LEN) {
        *byte ^= 1;
    }
    if DecapsulationKey::from_expanded(set, isa, &damaged).is_ok() {
        return Err("refusing a damaged private key");
    }
    let short = |bytes: &[u8]| bytes.get(1..).unwrap_or_default().to_vec();
    if EncapsulationKey::from_bytes(set, isa, &short(public.as_bytes())).is_ok()
        || DecapsulationKey::from_expanded(set, isa, &short(&expanded)).is_ok()
        || Ciphertext::from_bytes(set, &short(ciphertext.as_bytes())).is_ok()
        || DecapsulationKey::from_seed(set, isa, &short(seed)).is_ok()
    {
        return Err("refusing a wrong length");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_on_every_backend() {
        for isa in Isa::ALL.iter().filter(|isa| isa.is_supported()) {
            for set in ParameterSet::ALL {
                assert_eq!(self_test(set, *isa), Ok(()), "{} on {}", set.name(), isa.name());
            }
        }
    }
}
