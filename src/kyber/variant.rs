//! What the three families do differently: seeds, hashes, streams, shared secrets.
//!
//! The symmetric functions are those of FIPS 203, section 4.1, and of the round-3 specification, section 1.4 (90s:
//! section 1.5). Everything in K-PKE beyond its streams is the same for all nine sets. Next:
//! [`crate::symmetric::keccak::hash`], [`super::sample`].

use super::params::SEED_LEN;
use crate::symmetric::keccak::Keccak;
use crate::symmetric::keccak::hash::{HashAll, SHA3_256, SHA3_512, SHAKE256, Sponge};
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
    /// Whether hashes are sponges, which can be computed beside other streams.
    #[inline(always)]
    pub fn has_sponges(self) -> bool {
        self != Variant::NinetiesSymmetric
    }

    /// G of two parts, one after the other: 64 bytes.
    #[inline(always)]
    pub fn g<K: Keccak>(self, k: K, parts: [&[u8]; 2], out: &mut [u8; 64]) {
        if self.has_sponges() {
            Sponge::new(SHA3_512, parts).finish(k, out);
        } else {
            *out = Sha512::new().chain_update(parts[0]).chain_update(parts[1]).finalize().into();
        }
    }

    /// H: 32 bytes.
    #[inline(always)]
    pub fn h<K: Keccak>(self, k: K, message: &[u8], out: &mut [u8; SEED_LEN]) {
        if self.has_sponges() {
            Sponge::new(SHA3_256, [message, &[]]).finish(k, out);
        } else {
            *out = Sha256::digest(message).into();
        }
    }

    /// J of FIPS 203, KDF of round 3, of two parts: 32 bytes.
    #[inline(always)]
    pub fn kdf<K: Keccak>(self, k: K, parts: [&[u8]; 2], out: &mut [u8; SEED_LEN]) {
        if self.has_sponges() {
            Sponge::new(SHAKE256, parts).finish(k, out);
        } else {
            *out = Sha256::new().chain_update(parts[0]).chain_update(parts[1]).finalize().into();
        }
    }

    /// [`Variant::g`] of several operations, in lock step. In: a variant that has sponges; as for [`HashAll`].
    #[inline(always)]
    pub fn g_all<K: Keccak>(self, k: K, messages: &[[&[u8]; 2]], out: &mut [[u8; 64]]) {
        debug_assert!(self.has_sponges());
        k.enter(HashAll { function: SHA3_512, messages, out });
    }

    /// [`Variant::h`], as [`Variant::g_all`].
    #[inline(always)]
    pub fn h_all<K: Keccak>(self, k: K, messages: &[[&[u8]; 2]], out: &mut [[u8; SEED_LEN]]) {
        debug_assert!(self.has_sponges());
        k.enter(HashAll { function: SHA3_256, messages, out });
    }

    /// [`Variant::kdf`], as [`Variant::g_all`].
    #[inline(always)]
    pub fn kdf_all<K: Keccak>(self, k: K, messages: &[[&[u8]; 2]], out: &mut [[u8; SEED_LEN]]) {
        debug_assert!(self.has_sponges());
        k.enter(HashAll { function: SHAKE256, messages, out });
    }
}
