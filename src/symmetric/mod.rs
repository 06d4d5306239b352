//! Generators and hashes that the engines share: ChaCha20 as Falcon's signer uses it, SHAKE256 as a stream.

pub mod chacha20;
pub mod keccak;
