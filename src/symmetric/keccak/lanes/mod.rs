//! [`Lanes`](super::streams::Lanes) of each instruction set that has vectors: a file for each.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "x86_64")]
mod sse2;

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Four;
#[cfg(target_arch = "x86_64")]
pub(super) use avx512::Eight;
#[cfg(target_arch = "aarch64")]
pub(super) use neon::Two;
#[cfg(target_arch = "x86_64")]
pub(super) use sse2::Two;
