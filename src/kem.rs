//! Key encapsulation of whichever family: what files and commands need of it.
//!
//! Which engine a key belongs to is decided when it is read; from there on each function is the engine's of the same
//! name. Ciphertexts are bytes here, and checked as bytes that anybody may look at. Next: [`crate::kyber`], [`crate::ntru`].

use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::isa::Isa;
use crate::ntru::Sampler;
use crate::{kyber, ntru};

pub use crate::shared_secret::SharedSecret;

/// A public key, ready to encapsulate.
#[derive(Clone, Debug)]
pub enum EncapsulationKey {
    /// Of ML-KEM or Kyber.
    Kyber(Box<kyber::EncapsulationKey>),
    /// Of NTRU.
    Ntru(ntru::EncapsulationKey),
}

impl EncapsulationKey {
    /// Makes a shared secret and its ciphertext. `sampler` is for algorithms with a step of fixed weight
    /// ([`Algorithm::has_fixed_weight`]); for the others it makes no difference.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn encapsulate(&self, sampler: Sampler, isa: Isa) -> Result<(Vec<u8>, SharedSecret), Error> {
        Ok(match self {
            EncapsulationKey::Kyber(key) => {
                let (ciphertext, secret) = key.encapsulate(isa)?;
                (ciphertext.as_bytes().to_vec(), secret)
            }
            EncapsulationKey::Ntru(key) => {
                let (ciphertext, secret) = key.encapsulate_with(sampler, isa)?;
                (ciphertext.as_bytes().to_vec(), secret)
            }
        })
    }

    /// The encoded public key.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            EncapsulationKey::Kyber(key) => key.to_bytes(),
            EncapsulationKey::Ntru(key) => key.to_bytes(),
        }
    }
}

/// A private key with its public key.
pub enum DecapsulationKey {
    /// Of ML-KEM or Kyber.
    Kyber(Box<kyber::DecapsulationKey>),
    /// Of NTRU.
    Ntru(ntru::DecapsulationKey),
}

impl DecapsulationKey {
    /// The algorithm.
    pub fn algorithm(&self) -> Algorithm {
        match self {
            DecapsulationKey::Kyber(key) => Algorithm::Kyber(key.parameter_set()),
            DecapsulationKey::Ntru(key) => Algorithm::Ntru(key.parameter_set()),
        }
    }

    /// The encoded public key.
    pub fn public_bytes(&self) -> Vec<u8> {
        match self {
            DecapsulationKey::Kyber(key) => key.encapsulation_key().to_bytes(),
            DecapsulationKey::Ntru(key) => key.encapsulation_key().to_bytes(),
        }
    }

    /// The shared secret of a ciphertext; of a wrong one a secret that only the holder of the key can compute.
    ///
    /// # Errors
    /// As [`check_ciphertext`].
    pub fn decapsulate(&self, isa: Isa, ciphertext: &[u8]) -> Result<SharedSecret, Error> {
        check_ciphertext(self.algorithm(), ciphertext)?;
        match self {
            DecapsulationKey::Kyber(key) => {
                let ciphertext = kyber::Ciphertext::from_bytes(key.parameter_set(), ciphertext)?;
                key.decapsulate(isa, &ciphertext)
            }
            DecapsulationKey::Ntru(key) => {
                let ciphertext = ntru::Ciphertext::from_bytes(key.parameter_set(), ciphertext)?;
                key.decapsulate(isa, &ciphertext)
            }
        }
    }
}

/// Whether bytes can be a ciphertext, as far as everybody can tell: their number, and of NTRU that spare bits are zero.
/// (The engine rejects spare bits without a sign, as the specification has it. A ciphertext is public, and so is this.)
///
/// # Errors
/// [`Error::Length`], [`Error::NotCanonical`]; [`Error::Format`] for an algorithm without ciphertexts.
pub fn check_ciphertext(algorithm: Algorithm, bytes: &[u8]) -> Result<(), Error> {
    let what = "ciphertext";
    let Some(expected) = algorithm.ciphertext_len() else {
        return Err(Error::Format { what, why: format!("{} has none", algorithm.display_name()) });
    };
    Error::check_length(what, expected, bytes)?;
    match algorithm {
        Algorithm::Ntru(set) if !set.has_zero_spare_bits(bytes) => {
            Err(Error::NotCanonical { what, why: "spare bits are not zero" })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of spare bits of each set; the others have none.
    #[test]
    fn ciphertexts_with_spare_bits_are_refused() {
        for algorithm in Algorithm::ALL {
            let Some(len) = algorithm.ciphertext_len() else {
                assert!(check_ciphertext(*algorithm, &[]).is_err());
                continue;
            };
            let mut ciphertext = vec![0xff; len];
            let spare = match algorithm {
                Algorithm::Ntru(set) => 8 * len - (set.n() - 1) * set.logq() as usize,
                _ => 0,
            };
            assert_eq!(check_ciphertext(*algorithm, &ciphertext).is_err(), spare > 0, "{}", algorithm.name());
            ciphertext.fill(0);
            for bit in 0..spare {
                ciphertext[len - 1] = 0x80 >> bit;
                let refused = check_ciphertext(*algorithm, &ciphertext);
                assert!(matches!(refused, Err(Error::NotCanonical { .. })), "{}", algorithm.name());
            }
            ciphertext[len - 1] = (0xff_u16 >> spare) as u8;
            assert_eq!(check_ciphertext(*algorithm, &ciphertext), Ok(()));
            assert!(check_ciphertext(*algorithm, &ciphertext[1..]).is_err());
        }
    }
}
