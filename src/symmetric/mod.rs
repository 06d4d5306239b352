//! Generators and hashes that the engines share: ChaCha20 as Falcon's signer uses it, Keccak, AES-256 in counter mode.

pub(crate) mod aes256ctr;
pub mod chacha20;
pub mod keccak;
#[cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    allow(dead_code, reason = "for vectors")
)]
pub(crate) mod lanes;
