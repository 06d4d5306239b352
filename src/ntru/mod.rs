//! Key encapsulation: NTRU, round 3 of NIST's competition, HPS and HRSS.
//!
//! A [`DecapsulationKey`] is made or read and gives its [`EncapsulationKey`]; `encapsulate` makes a [`Ciphertext`] and a
//! [`SharedSecret`], `decapsulate` gives the same secret back. The road of a ciphertext is `kem`, `owcpa`,
//! `fixed_weight`, `poly`, `multiply`, `lanes`, `inverse`, `pack`.
//!
//! ```
//! use pqc::Isa;
//! use pqc::ntru::{DecapsulationKey, EncapsulationKey, ParameterSet};
//!
//! # fn main() -> Result<(), pqc::Error> {
//! let isa = Isa::detect();
//! let private = DecapsulationKey::generate(ParameterSet::Hps4096821, isa)?;
//! let public = EncapsulationKey::from_bytes(ParameterSet::Hps4096821, isa, private.encapsulation_key().as_bytes())?;
//! let (ciphertext, secret) = public.encapsulate(isa)?;
//! assert!(private.decapsulate(isa, &ciphertext)?.is_equal(&secret));
//! # Ok(())
//! # }
//! ```

mod fixed_weight;
mod inverse;
mod kem;
mod kernels;
#[cfg(any(test, feature = "known-answers"))]
pub mod known_answers;
mod lanes;
mod multiply;
mod owcpa;
mod pack;
mod params;
mod poly;
mod self_test;
pub(crate) mod stages;
#[cfg(target_arch = "x86_64")]
mod toeplitz;
mod toom4;

pub use crate::shared_secret::SharedSecret;
pub use fixed_weight::Sampler;
pub use kem::{Ciphertext, DecapsulationKey, EncapsulationKey};
pub use params::{ParameterSet, SEED_LEN};
pub use self_test::self_test;
