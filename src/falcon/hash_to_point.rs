//! HashToPoint (specification, algorithm 3): a nonce and a message become n coefficients below q.
//!
//! The message is taken in pieces, once. Its hash is public, so the number of rejected words may show.

use super::params::{NONCE_LEN, Params, Q};
use sha3::Shake256;
use sha3::digest::{ExtendableOutput, Update, XofReader};

/// Words below this are kept: the largest multiple of q that fits in 16 bits.
const LIMIT: u32 = 5 * Q;

/// Bytes that SHAKE256 gives per permutation.
const RATE: usize = 136;

/// A hash in progress.
#[derive(Clone)]
pub(crate) struct HashToPoint {
    shake: Shake256,
}

impl HashToPoint {
    pub fn new(nonce: &[u8; NONCE_LEN]) -> HashToPoint {
        let mut shake = Shake256::default();
        shake.update(nonce);
        HashToPoint { shake }
    }

    pub fn update(&mut self, piece: &[u8]) {
        self.shake.update(piece);
    }

    /// The point: n coefficients below q.
    pub fn finish(self, params: Params) -> Vec<u16> {
        let mut reader = self.shake.finalize_xof();
        let mut point = Vec::with_capacity(params.n());
        let mut block = [0u8; RATE];
        while point.len() < params.n() {
            reader.read(&mut block);
            for word in block.as_chunks::<2>().0 {
                let w = u32::from(u16::from_be_bytes(*word));
                if w < LIMIT && point.len() < params.n() {
                    point.push((w % Q) as u16);
                }
            }
        }
        point
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_do_not_matter() {
        let message: Vec<u8> = (0..1000u32).map(|i| i as u8).collect();
        let mut whole = HashToPoint::new(&[1; NONCE_LEN]);
        whole.update(&message);
        let mut pieces = HashToPoint::new(&[1; NONCE_LEN]);
        for piece in message.chunks(7) {
            pieces.update(piece);
        }
        let point = whole.finish(Params::Falcon1024);
        assert_eq!(point, pieces.finish(Params::Falcon1024));
        assert_eq!(point.len(), 1024);
        assert!(point.iter().all(|c| u32::from(*c) < Q));
    }
}
