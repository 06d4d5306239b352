//! Falcon signatures, round 3 (specification 1.2 of 2020-10-01, reference program of 2021-11-01).
//!
//! A [`SigningKey`] holds the expanded key and makes any number of [`Signer`]s, each of which takes a message in
//! pieces and gives one signature; a [`VerifyingKey`] makes [`Verifier`]s. The road of a signature is `sign`,
//! `attempt`, `ff_sampling`, `sampler_z`, `base_sampler`; that of a key is `keygen`, `signing_key`, `expanded`.

mod attempt;
mod base_sampler;
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
