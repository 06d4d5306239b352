//! Verification (specification, algorithm 16), in integers modulo q: the same on every backend.

use super::codec;
use super::hash_to_point::HashToPoint;
use super::ntt;
use super::params::Params;
use crate::error::Error;
use crate::isa::Isa;

/// A public key, ready to verify.
#[derive(Clone, PartialEq, Eq)]
pub struct VerifyingKey {
    params: Params,
    /// Coefficients of h, below q.
    h: Vec<u16>,
    /// h as values in Montgomery form, bit-reversed order.
    h_ntt: Vec<u16>,
}

impl core::fmt::Debug for VerifyingKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("VerifyingKey").field("params", &self.params).finish_non_exhaustive()
    }
}

impl VerifyingKey {
    pub(crate) fn from_coefficients(params: Params, h: Vec<u16>) -> VerifyingKey {
        let mut h_ntt = h.clone();
        ntt::ntt(&mut h_ntt);
        ntt::to_montgomery(&mut h_ntt);
        VerifyingKey { params, h, h_ntt }
    }

    /// Reads an encoded public key (897 or 1793 bytes): header 0x00 + logn, n coefficients below q, 14 bits each.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::NotCanonical`].
    pub fn from_bytes(params: Params, bytes: &[u8]) -> Result<VerifyingKey, Error> {
        Ok(VerifyingKey::from_coefficients(params, codec::decode_public_key(params, bytes)?))
    }

    /// The encoded public key.
    pub fn to_bytes(&self) -> Vec<u8> {
        codec::encode_public_key(self.params, &self.h)
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
        // Verification is integer arithmetic that no backend of this build does differently.
        let _ = isa;
        let (nonce, s2) = codec::decode_signature(self.params, signature)?;
        Ok(Verifier { key: self, s2, hash: HashToPoint::new(&nonce) })
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

    /// Verifies an encoded signature of an already hashed message (whose nonce is the caller's business).
    pub(crate) fn check(&self, point: &[u16], signature: &[u8]) -> Result<(), Error> {
        let (_, s2) = codec::decode_signature(self.params, signature)?;
        self.check_s2(point, &s2)
    }

    /// s1 = c - s2 h mod q, centred; valid where |(s1, s2)|^2 <= floor(beta^2).
    fn check_s2(&self, point: &[u16], s2: &[i16]) -> Result<(), Error> {
        let mut product: Vec<u16> = s2.iter().map(|s| ntt::from_signed(*s)).collect();
        ntt::ntt(&mut product);
        ntt::mul(&mut product, &self.h_ntt);
        ntt::intt(&mut product);
        let mut squared_norm = 0u64;
        for ((c, p), s2) in point.iter().zip(&product).zip(s2) {
            let s1 = ntt::to_signed(ntt::sub(*c, *p));
            squared_norm += (i64::from(s1).pow(2) + i64::from(*s2).pow(2)) as u64;
        }
        if squared_norm <= u64::from(self.params.squared_norm_bound()) {
            Ok(())
        } else {
            Err(Error::InvalidSignature)
        }
    }
}

/// A verification in progress: takes the message in pieces.
pub struct Verifier<'k> {
    key: &'k VerifyingKey,
    s2: Vec<i16>,
    hash: HashToPoint,
}

impl Verifier<'_> {
    /// Takes the next piece of the message.
    pub fn update(&mut self, piece: &[u8]) {
        self.hash.update(piece);
    }

    /// The verdict on all that was taken.
    ///
    /// # Errors
    /// [`Error::InvalidSignature`].
    pub fn finish(self) -> Result<(), Error> {
        let point = self.hash.finish(self.key.params);
        self.key.check_s2(&point, &self.s2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With h = 0 the point alone decides: s1 = c.
    #[test]
    fn the_norm_bound_is_inclusive() {
        for params in [Params::Falcon512, Params::Falcon1024] {
            let key = VerifyingKey::from_coefficients(params, vec![0; params.n()]);
            let bound = params.squared_norm_bound();
            let norm_of = |point: &[u16]| -> u32 {
                point.iter().map(|c| i32::from(ntt::to_signed(*c)).pow(2) as u32).sum()
            };
            for (wanted, accepted) in [(bound - 1, true), (bound, true), (bound + 1, false)] {
                // Greedy sum of squares.
                let mut point = vec![0u16; params.n()];
                let mut rest = wanted;
                for c in &mut point {
                    let root = (f64::from(rest).sqrt().floor() as u32).min(6000);
                    *c = root as u16;
                    rest -= root * root;
                }
                assert_eq!(rest, 0);
                assert_eq!(norm_of(&point), wanted);
                assert_eq!(key.check_s2(&point, &vec![0; params.n()]).is_ok(), accepted);
            }
        }
    }
}
