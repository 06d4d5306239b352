//! Generators and hashes that the engines share: ChaCha20 as Falcon's signer uses it, Keccak, AES-256 in counter mode.

#[allow(dead_code, reason = "the engine that needs it comes next")]
pub(crate) mod aes256ctr;
pub mod chacha20;
pub mod keccak;
#[allow(dead_code, reason = "as its users")]
mod lanes;
