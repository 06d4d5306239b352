//! Falcon signatures, round 3 (specification 1.2 of 2020-10-01, reference program of 2021-11-01).
//!
//! A [`SigningKey`] holds the expanded key and makes any number of [`Signer`]s, each of which takes a message in
//! pieces and gives one signature; a [`VerifyingKey`] makes [`Verifier`]s. The road of a signature is `sign`,
//! `attempt`, `ff_sampling`, `sampler_z`, `base_sampler`; that of a key is `keygen`, `signing_key`, `expanded`.

mod attempt;
pub(crate) mod base_sampler;
mod codec;
mod decompress;
mod expanded;
mod ff_sampling;
pub(crate) mod fft;
mod hash_to_point;
pub mod kernels;
mod keygen;
#[cfg(any(test, feature = "known-answers"))]
pub mod known_answers;
mod lock_step;
mod ntt;
pub mod params;
#[cfg(target_arch = "riscv64")]
mod rvv;
mod sampler_z;
mod self_test;
mod sign;
mod sign_batch;
mod signing_key;
pub(crate) mod stages;
mod verify;

use crate::error::Error;

pub use params::{NONCE_LEN, Params};
pub use self_test::self_test;
pub use sign::Signer;
pub use sign_batch::BATCH;
pub use signing_key::SigningKey;
pub use verify::{Verifier, VerifyingKey};

/// The two spellings of a signature. The values are the same; the length differs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Zero bytes up to a fixed length (666 or 1280 bytes).
    #[default]
    Padded,
    /// As short as the value allows; the length varies by a few bytes.
    Compressed,
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

/// The same signature in the other spelling, or in the same one: nonce and values are read strictly and written again.
///
/// # Errors
/// As for any signature that is no canonical one; [`Error::Format`] where the values need more bytes than the padded
/// spelling has, which happens to compressed signatures of other programs.
pub fn reencode(params: Params, signature: &[u8], encoding: Encoding) -> Result<Vec<u8>, Error> {
    let (nonce, s2) = codec::decode_signature(params, signature)?;
    let front = 1 + NONCE_LEN;
    let (longest, padded_len) = match encoding {
        Encoding::Padded => (params.padded_len(), Some(params.padded_len())),
        Encoding::Compressed => (params.compressed_max_len(), None),
    };
    let Some(compressed) = codec::compress(&s2, longest - front) else {
        let why = format!("its values need more than the {longest} bytes of that spelling");
        return Err(Error::Format { what: "Falcon signature", why });
    };
    Ok(codec::encode_signature(params, &nonce, &compressed, padded_len))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::Isa;

    #[test]
    fn a_signature_goes_from_one_spelling_to_the_other_and_back() {
        let isa = Isa::detect();
        for params in [Params::Falcon512, Params::Falcon1024] {
            let key = SigningKey::generate(params, isa).expect("a key");
            let padded = key.sign(isa, Encoding::Padded, b"message").expect("a signature");
            let compressed = reencode(params, &padded, Encoding::Compressed).expect("it is shorter");
            assert!(compressed.len() < padded.len());
            assert_eq!(key.verifying_key().verify(isa, b"message", &compressed), Ok(()));
            assert_eq!(reencode(params, &compressed, Encoding::Padded), Ok(padded.clone()));
            assert_eq!(reencode(params, &compressed, Encoding::Compressed), Ok(compressed.clone()));
            assert_eq!(reencode(params, &padded, Encoding::Padded), Ok(padded.clone()));
            // Not a zero: one that is a byte shorter than the padded spelling would be that.
            let mut damaged = compressed;
            damaged.push(1);
            assert!(reencode(params, &damaged, Encoding::Padded).is_err());
        }
    }

    #[test]
    fn a_signature_that_is_too_long_for_the_padded_spelling_is_refused_by_name() {
        let params = Params::Falcon512;
        let s2: Vec<i16> = (0..params.n()).map(|i| if i % 2 == 0 { 300 } else { -300 }).collect();
        let longest = params.compressed_max_len() - 1 - NONCE_LEN;
        let compressed = codec::compress(&s2, longest).expect("it fits");
        let signature = codec::encode_signature(params, &[7; NONCE_LEN], &compressed, None);
        assert_eq!(reencode(params, &signature, Encoding::Compressed), Ok(signature.clone()));
        let error = reencode(params, &signature, Encoding::Padded).expect_err("too long").to_string();
        assert!(error.contains("666"), "{error}");
    }
}
