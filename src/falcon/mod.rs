//! Falcon signatures, round 3 (specification 1.2 of 2020-10-01, reference program of 2021-11-01).
//!
//! A [`SigningKey`] holds the expanded key and makes any number of [`Signer`]s, each of which takes a message in
//! pieces and gives one signature; a [`VerifyingKey`] makes [`Verifier`]s. The road of a signature is `sign`,
//! `ff_sampling`, `sampler_z`, `base_sampler`; that of a key is `keygen`.

pub(crate) mod fft;
#[cfg_attr(not(test), allow(dead_code))]
mod keygen;
pub mod params;

pub use params::{NONCE_LEN, Params};

use crate::error::Error;
use crate::isa::Isa;
use zeroize::Zeroizing;

/// The two spellings of a signature. The values are the same; the length differs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Zero bytes up to a fixed length (666 or 1280 bytes).
    #[default]
    Padded,
    /// As short as the value allows; the length varies by a few bytes.
    Compressed,
}

/// A public key, ready to verify.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyingKey {
    params: Params,
}

impl VerifyingKey {
    /// Reads an encoded public key (897 or 1793 bytes): header 0x00 + logn, n coefficients below q, 14 bits each.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::NotCanonical`].
    pub fn from_bytes(params: Params, bytes: &[u8]) -> Result<VerifyingKey, Error> {
        let _ = (params, bytes);
        unimplemented!()
    }

    /// The encoded public key.
    pub fn to_bytes(&self) -> Vec<u8> {
        unimplemented!()
    }

    /// The parameter set.
    pub fn params(&self) -> Params {
        self.params
    }

    /// Begins the verification of one message against `signature` (header, nonce, compressed s2, padding).
    ///
    /// # Errors
    /// [`Error::Length`] or [`Error::NotCanonical`] where the bytes are not one of the two accepted spellings:
    /// padded at its full length, or canonical compressed.
    pub fn verifier(&self, isa: Isa, signature: &[u8]) -> Result<Verifier<'_>, Error> {
        let _ = (isa, signature);
        unimplemented!()
    }

    /// Verifies a message that is in memory.
    ///
    /// # Errors
    /// As [`VerifyingKey::verifier`]; [`Error::InvalidSignature`] where the signature is not valid.
    pub fn verify(&self, isa: Isa, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        let mut verifier = self.verifier(isa, signature)?;
        verifier.update(message);
        verifier.finish()
    }
}

/// A verification in progress: takes the message in pieces.
pub struct Verifier<'k> {
    key: &'k VerifyingKey,
}

impl Verifier<'_> {
    /// Takes the next piece of the message.
    pub fn update(&mut self, piece: &[u8]) {
        let _ = (self.key, piece);
        unimplemented!()
    }

    /// The verdict on all that was taken.
    ///
    /// # Errors
    /// [`Error::InvalidSignature`].
    pub fn finish(self) -> Result<(), Error> {
        unimplemented!()
    }
}

/// The encoding that a signature's bytes have, from its length alone; `None` where no encoder gives that length.
pub fn encoding_of_len(params: Params, len: usize) -> Option<Encoding> {
    if len == params.padded_len() {
        Some(Encoding::Padded)
    } else if len > 1 + NONCE_LEN && len <= params.compressed_max_len() {
        Some(Encoding::Compressed)
    } else {
        None
    }
}

/// A private key with everything that signing needs: f, g, F, G, the basis in FFT form, the LDL tree.
pub struct SigningKey {
    verifying: VerifyingKey,
}

impl SigningKey {
    /// Makes a new key from 48 random bytes of the operating system.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn generate(params: Params, isa: Isa) -> Result<SigningKey, Error> {
        let _ = (params, isa);
        unimplemented!()
    }

    /// Reads an encoded private key (1281 or 2305 bytes: header 0x50 + logn, f, g, F), recomputes G and the public
    /// key, checks that fG - gF = q, and expands the key.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::NotCanonical`], [`Error::InvalidKey`].
    pub fn from_bytes(params: Params, isa: Isa, bytes: &[u8]) -> Result<SigningKey, Error> {
        let _ = (params, isa, bytes);
        unimplemented!()
    }

    /// The encoded private key.
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        unimplemented!()
    }

    /// The parameter set.
    pub fn params(&self) -> Params {
        self.verifying.params
    }

    /// The public key of this private key.
    pub fn verifying_key(&self) -> &VerifyingKey {
        &self.verifying
    }

    /// Begins one signature: draws the nonce (40 bytes) and the seed of the sampler (48 bytes) from the operating
    /// system.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn signer(&self, isa: Isa) -> Result<Signer<'_>, Error> {
        let _ = isa;
        unimplemented!()
    }

    /// Signs a message that is in memory.
    ///
    /// # Errors
    /// [`Error::Randomness`], [`Error::SelfCheck`].
    pub fn sign(&self, isa: Isa, encoding: Encoding, message: &[u8]) -> Result<Vec<u8>, Error> {
        let mut signer = self.signer(isa)?;
        signer.update(message);
        signer.finish(encoding)
    }
}

/// A signature in progress: takes the message in pieces, once.
pub struct Signer<'k> {
    key: &'k SigningKey,
}

impl Signer<'_> {
    /// Takes the next piece of the message.
    pub fn update(&mut self, piece: &[u8]) {
        let _ = (self.key, piece);
        unimplemented!()
    }

    /// The signature over all that was taken: header, nonce, compressed s2 and, where asked for, padding. It has
    /// passed verification.
    ///
    /// # Errors
    /// [`Error::SelfCheck`] where the fresh signature does not verify (a fault of the machine).
    pub fn finish(self, encoding: Encoding) -> Result<Vec<u8>, Error> {
        let _ = encoding;
        unimplemented!()
    }
}

/// Known answers, cross-backend equality and refusals on this processor, for `pqc selftest`. Seeds are fixed; the
/// keys made are thrown away.
///
/// # Errors
/// The name of the first check that failed.
pub fn self_test(params: Params, isa: Isa) -> Result<(), &'static str> {
    let _ = (params, isa);
    unimplemented!()
}
