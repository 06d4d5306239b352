//! What the three families do differently: seeds, hashes, streams, shared secrets.
//!
//! The symmetric functions are those of FIPS 203, section 4.1, and of the round-3 specification, section 1.4 (90s:
//! section 1.5). Everything in K-PKE beyond its streams is the same for all nine sets. Next: [`super::hash`],
//! [`super::sample`].

use super::hash::{Hash, SHA3_256, SHA3_512, SHAKE256};
use super::params::SEED_LEN;
use crate::symmetric::keccak::Keccak;
use sha2::{Digest, Sha256, Sha512};

/// A family of parameter sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variant {
    /// FIPS 203.
    MlKem,
    /// Kyber, round 3.
    Round3,
    /// Round 3 with the symmetric functions of the nineties: AES-256 in counter mode and SHA-2.
    NinetiesSymmetric,
}

impl Variant {
    /// G: 64 bytes.
    #[inline(always)]
    pub fn g<K: Keccak>(self, k: K, parts: &[&[u8]], out: &mut [u8; 64]) {
        match self {
            Variant::MlKem | Variant::Round3 => Hash::of(k, SHA3_512, parts, out),
            Variant::NinetiesSymmetric => {
                let mut hash = Sha512::new();
                parts.iter().for_each(|part| hash.update(part));
                *out = hash.finalize().into();
            }
        }
    }

    /// H: 32 bytes.
    #[inline(always)]
    pub fn h<K: Keccak>(self, k: K, parts: &[&[u8]], out: &mut [u8; SEED_LEN]) {
        match self {
            Variant::MlKem | Variant::Round3 => Hash::of(k, SHA3_256, parts, out),
            Variant::NinetiesSymmetric => sha256(parts, out),
        }
    }

    /// J of FIPS 203, KDF of round 3: 32 bytes.
    #[inline(always)]
    pub fn kdf<K: Keccak>(self, k: K, parts: &[&[u8]], out: &mut [u8; SEED_LEN]) {
        match self {
            Variant::MlKem | Variant::Round3 => Hash::of(k, SHAKE256, parts, out),
            Variant::NinetiesSymmetric => sha256(parts, out),
        }
    }
}

fn sha256(parts: &[&[u8]], out: &mut [u8; SEED_LEN]) {
    let mut hash = Sha256::new();
    parts.iter().for_each(|part| hash.update(part));
    *out = hash.finalize().into();
}
