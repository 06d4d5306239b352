//! Steps that an instruction set has a better way for than the generic text.

#[cfg(target_arch = "aarch64")]
mod neon;
