//! Verification (specification, algorithm 16), in integers modulo q: the same verdict and the same values on every
//! backend. Next: [`super::ntt`], [`super::hash_to_point`].

use super::codec;
use super::hash_to_point::HashToPoint;
use super::kernels::Kernels;
use super::ntt;
use super::params::{NONCE_LEN, Params, Q};
use crate::error::Error;
use crate::isa::{self, Isa, Op};
use crate::simd::Simd;
use std::sync::OnceLock;

/// A public key, ready to verify.
#[derive(Clone)]
pub struct VerifyingKey {
    params: Params,
    /// Coefficients of h, below q.
    h: Vec<u16>,
    /// What [`Transform`] makes of h, from the first use on. It does not depend on the backend that is used first.
    h_ntt: OnceLock<Vec<i16>>,
}

impl PartialEq for VerifyingKey {
    fn eq(&self, other: &VerifyingKey) -> bool {
        self.params == other.params && self.h == other.h
    }
}

impl Eq for VerifyingKey {}

impl core::fmt::Debug for VerifyingKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("VerifyingKey").field("params", &self.params).finish_non_exhaustive()
    }
}

impl VerifyingKey {
    pub(crate) fn from_coefficients(params: Params, h: Vec<u16>) -> VerifyingKey {
        VerifyingKey { params, h, h_ntt: OnceLock::new() }
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
        let (nonce, s2) = isa::with_base(isa, Decode { params: self.params, signature })?;
        Ok(Verifier { key: self, isa, s2, hash: HashToPoint::new(isa, &nonce) })
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
    pub(crate) fn check(&self, isa: Isa, point: &[i16], signature: &[u8]) -> Result<(), Error> {
        let (_, s2) = isa::with_base(isa, Decode { params: self.params, signature })?;
        self.check_s2(isa, point, &s2)
    }

    /// Valid where |(s1, s2)|^2 <= floor(beta^2).
    fn check_s2(&self, isa: Isa, point: &[i16], s2: &[i16]) -> Result<(), Error> {
        let h_ntt = self.h_ntt.get_or_init(|| isa::with(isa, Transform { h: &self.h }));
        let squared_norm = isa::with(isa, SquaredNorm { h_ntt, point, s2 });
        if squared_norm <= u64::from(self.params.squared_norm_bound()) {
            Ok(())
        } else {
            Err(Error::InvalidSignature)
        }
    }
}

/// [`codec::decode_signature`], compiled for the backend's bit-manipulation instructions.
struct Decode<'a> {
    params: Params,
    signature: &'a [u8],
}

impl<K: Kernels> Op<K> for Decode<'_> {
    type Out = Result<([u8; NONCE_LEN], Vec<i16>), Error>;

    #[inline(always)]
    fn run(self, _: K) -> Self::Out {
        codec::decode_signature(self.params, self.signature)
    }
}

/// h as the factor of a product of transforms.
struct Transform<'a> {
    /// Below q.
    h: &'a [u16],
}

impl<K: Kernels> Op<K> for Transform<'_> {
    type Out = Vec<i16>;

    #[inline(always)]
    fn run(self, k: K) -> Vec<i16> {
        let centre = |c: &u16| if u32::from(*c) > Q / 2 { *c as i16 - Q as i16 } else { *c as i16 };
        let mut h: Vec<i16> = self.h.iter().map(centre).collect();
        k.ntt(&mut h);
        ntt::to_factor(k.vector(), &mut h);
        h
    }
}

/// The squared norm of (s1, s2), where s1 = c - s2 h mod q, centred.
struct SquaredNorm<'a> {
    /// From [`Transform`].
    h_ntt: &'a [i16],
    /// c: in [0, q).
    point: &'a [i16],
    /// At most 2047 in magnitude.
    s2: &'a [i16],
}

impl<K: Kernels> Op<K> for SquaredNorm<'_> {
    type Out = u64;

    #[inline(always)]
    fn run(self, k: K) -> u64 {
        /// Steps whose squares fit in 32 bits: each adds at most two of s1 and two of s2 to a lane.
        const STEPS: usize = 32;
        const _: () = assert!(STEPS as u64 * 2 * ((Q as u64 / 2).pow(2) + 2047 * 2047) < 1 << 32);
        let s = k.vector();
        let lanes = <K::Vector as Simd>::LANES16;
        let mut product = self.s2.to_vec();
        k.ntt(&mut product);
        ntt::mul(s, &mut product, self.h_ntt);
        k.intt(&mut product);
        let mut squared_norm = 0u64;
        let blocks = product.chunks(STEPS * lanes).zip(self.point.chunks(STEPS * lanes));
        for ((product, point), s2) in blocks.zip(self.s2.chunks(STEPS * lanes)) {
            let mut sums = s.splat_i32(0);
            let points = product.chunks_exact(lanes).zip(point.chunks_exact(lanes));
            for ((product, point), s2) in points.zip(s2.chunks_exact(lanes)) {
                let s1 = ntt::centred(s, s.load_i16(point) - s.load_i16(product));
                let s2 = s.load_i16(s2);
                sums = sums + s.dot_i16(s1, s1) + s.dot_i16(s2, s2);
            }
            let mut lanes32 = [0u32; 16];
            s.store_i32(&mut lanes32, sums);
            squared_norm += lanes32.iter().map(|sum| u64::from(*sum)).sum::<u64>();
        }
        squared_norm
    }
}

/// A verification in progress: takes the message in pieces.
pub struct Verifier<'k> {
    key: &'k VerifyingKey,
    isa: Isa,
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
        self.key.check_s2(self.isa, &point, &self.s2)
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
            for (wanted, accepted) in [(bound - 1, true), (bound, true), (bound + 1, false)] {
                // Greedy sum of squares.
                let mut point = vec![0i16; params.n()];
                let mut rest = wanted;
                for c in &mut point {
                    let root = (f64::from(rest).sqrt().floor() as u32).min(6000);
                    *c = root as i16;
                    rest -= root * root;
                }
                assert_eq!(rest, 0);
                for isa in Isa::ALL.iter().filter(|isa| isa.is_supported()) {
                    assert_eq!(key.check_s2(*isa, &point, &vec![0; params.n()]).is_ok(), accepted);
                }
            }
        }
    }
    /// The largest norm that can occur does not wrap: every |s1| = (q - 1) / 2, every |s2| = 2047.
    #[test]
    fn the_largest_norm_is_counted_in_full() {
        for params in [Params::Falcon512, Params::Falcon1024] {
            let n = params.n();
            let (point, s2) = (vec![Q as i16 / 2; n], vec![-2047; n]);
            let wanted = n as u64 * ((u64::from(Q) / 2).pow(2) + 2047 * 2047);
            for isa in Isa::ALL.iter().filter(|isa| isa.is_supported()) {
                let operation = SquaredNorm { h_ntt: &vec![0; n], point: &point, s2: &s2 };
                assert_eq!(isa::with(*isa, operation), wanted, "{}", isa.name());
            }
        }
    }
}
