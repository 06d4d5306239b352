//! What `pqc selftest` runs: a known answer and refusals, on one backend.
//!
//! The known answer is entry 0 of the NIST file of the padded format: its key, its signature. Every backend must
//! give it, so this is also the test that backends agree.

use super::codec::decode_signature;
use super::{Encoding, NONCE_LEN, Params, SigningKey};
use crate::error::Error;
use crate::hex::hex;
use crate::isa::Isa;
use crate::rng::Replay;
use sha2::{Digest, Sha256};

/// What the NIST generator gives for entry 0: key seed (48), nonce (40), sampler seed (48), message (33).
const ENTRY_0: [u8; 169] = hex(concat!(
    "7c9935a0b07694aa0c6d10e4db6b1add2fd81a25ccb148032dcd739936737f2db505d7cfad1b497499323c8686325e47",
    "33b3c07507e4201748494d832b6ee2a6c93bff9b0ee343b550d1f85a3d0de0d704c6d17842951309",
    "c4731c3819f29b78474da5eaa38b5e98b253547d766cf23d50e88731c01ca6e1186cf7504e36ae12b4e9e814c06e68eb",
    "d81c4d8d734fcbfbeade3d3f8a039faa2a2c9957e835ad55b22e75bf57bb556ac8"
));

/// SHA-256 of public key, private key and padded signature of entry 0, one after the other.
const fn entry_0_sum(params: Params) -> [u8; 32] {
    match params {
        Params::Falcon512 => hex("dcea15e3d36e3370517f007bb119157d690c66e40978420f699194c7999c2e70"),
        Params::Falcon1024 => hex("f5c5c332b675a8761ef81adb56f44179ceda2a2495627eff89625b542739d6da"),
    }
}

/// Known answer and refusals of a parameter set on a backend; the key made is a published one and is thrown away.
///
/// # Errors
/// The name of the first check that failed.
pub fn self_test(params: Params, isa: Isa) -> Result<(), &'static str> {
    let (key_seed, rest) = ENTRY_0.split_at(48);
    let (signature_seeds, message) = rest.split_at(NONCE_LEN + 48);

    let key = SigningKey::generate_from(params, isa, &mut Replay(key_seed)).map_err(|_| "key generation")?;
    let signature = key.signer_from(isa, &mut Replay(signature_seeds)).and_then(|mut signer| {
        signer.update(message);
        signer.finish(Encoding::Padded)
    });
    let signature = signature.map_err(|_| "signing")?;
    let verifying = key.verifying_key();
    let sum = Sha256::new()
        .chain_update(verifying.to_bytes())
        .chain_update(key.to_bytes())
        .chain_update(&signature)
        .finalize();
    if sum.as_slice() != entry_0_sum(params) {
        return Err("known answer");
    }

    let read = SigningKey::from_bytes(params, isa, &key.to_bytes()).map_err(|_| "reading a private key")?;
    if read.verifying_key() != verifying {
        return Err("reading a private key");
    }
    let mut damaged = key.to_bytes();
    if let Some(last) = damaged.last_mut() {
        *last ^= 1;
    }
    if SigningKey::from_bytes(params, isa, &damaged).is_ok() {
        return Err("refusing a damaged private key");
    }

    verifying.verify(isa, message, &signature).map_err(|_| "verification")?;
    if verifying.verify(isa, key_seed, &signature) != Err(Error::InvalidSignature) {
        return Err("refusing another message");
    }
    // Bits all over the signature: header, nonce, s2, padding.
    for bit in (0..signature.len() * 8).step_by(61) {
        let mut changed = signature.clone();
        if let Some(byte) = changed.get_mut(bit / 8) {
            *byte ^= 1 << (bit % 8);
        }
        if verifying.verify(isa, message, &changed).is_ok() {
            return Err("refusing a changed signature");
        }
    }
    if decode_signature(params, signature.get(1..).unwrap_or(&[])).is_ok() {
        return Err("refusing a truncated signature");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_on_every_backend() {
        for isa in Isa::ALL.iter().filter(|isa| isa.is_supported()) {
            for params in [Params::Falcon512, Params::Falcon1024] {
                assert_eq!(self_test(params, *isa), Ok(()), "{} on {}", params.name(), isa.name());
            }
        }
    }
}
