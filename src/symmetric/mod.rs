//! Generators and hashes that the engines share: ChaCha20 as Falcon's signer uses it, Keccak, AES-256 in counter mode.

pub(crate) mod aes256ctr;
pub mod chacha20;
pub mod keccak;
mod lanes;
