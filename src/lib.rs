//! Post-quantum keys, signatures and measurements.
//!
//! The layers, each using only what stands below it: [`cli`] (the command line), [`files`] (what is on disk),
//! [`bench`] (measuring), [`kem`] (key encapsulation of either family), [`algorithm`] (the table of algorithms), the engines
//! [`falcon`], [`kyber`] and [`ntru`],
//! [`symmetric`] (generators and hashes that engines share), [`isa`] (instruction sets and the dispatcher), [`simd`] (tokens
//! and the vector vocabulary), and [`secret`], [`ct`], [`rng`], [`error`]. Start at [`falcon::SigningKey`],
//! [`kyber::DecapsulationKey`] and [`ntru::DecapsulationKey`].

pub mod algorithm;
pub mod bench;
pub mod cli;
pub mod ct;
pub mod error;
pub mod falcon;
pub mod files;
mod hex;
pub mod isa;
pub mod kem;
pub mod kyber;
pub mod ntru;
pub mod rng;
pub mod secret;
mod shared_secret;
pub mod simd;
pub mod symmetric;

pub use error::Error;
pub use isa::Isa;
