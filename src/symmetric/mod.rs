//! Generators and hashes that the engines share: ChaCha20 as Falcon's signer uses it.

pub mod chacha20;
pub(crate) mod keccak;
