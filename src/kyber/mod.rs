//! Key encapsulation: ML-KEM (FIPS 203), and the legacy Kyber and Kyber-90s (round 3 of NIST's competition).
//!
//! A [`DecapsulationKey`] is made or read and gives its [`EncapsulationKey`]; `encapsulate` makes a [`Ciphertext`] and a
//! [`SharedSecret`], `decapsulate` gives the same secret back. The road of a ciphertext is `kem`, `k_pke`, `sample`,
//! `ntt`, `compress`, `encode`.
//!
//! ```
//! use pqc::Isa;
//! use pqc::kyber::{DecapsulationKey, EncapsulationKey, ParameterSet};
//!
//! # fn main() -> Result<(), pqc::Error> {
//! let isa = Isa::detect();
//! let private = DecapsulationKey::generate(ParameterSet::MlKem768, isa)?;
//! let public = EncapsulationKey::from_bytes(ParameterSet::MlKem768, isa, private.encapsulation_key().as_bytes())?;
//! let (ciphertext, secret) = public.encapsulate(isa)?;
//! assert!(private.decapsulate(isa, &ciphertext)?.is_equal(&secret));
//! # Ok(())
//! # }
//! ```

mod batch;
mod compress;
mod encode;
mod k_pke;
mod kem;
mod kernels;
#[cfg(any(test, feature = "known-answers"))]
pub mod known_answers;
mod lock_step;
mod ntt;
mod operations;
mod params;
mod poly;
#[cfg(target_arch = "riscv64")]
mod rvv;
mod sample;
mod self_test;
pub(crate) mod stages;
#[cfg(any(test, feature = "known-answers"))]
pub mod steps;
mod tuned;
mod variant;

pub use crate::shared_secret::SharedSecret;
pub use batch::BATCH;
pub use kem::{Ciphertext, DecapsulationKey, EncapsulationKey};
pub use params::{N, ParameterSet, Q, SEED_LEN};
pub use self_test::self_test;
