//! Measuring: what `pqc bench` runs, usable from the library.
//!
//! The road of a figure: [`operation`] says what a row is, [`inputs`] and [`fixture`] make keys and what is called,
//! [`check`] holds every backend against the scalar one, [`rounds`] takes samples with a [`clock`], [`statistics`] makes
//! figures of them, [`row`] puts them together ([`session`] does all of that for a list of algorithms). [`schema`] writes
//! JSON and CSV, [`compare`] reads them again; [`plot`], [`cite`], [`claims`] and [`stages`] are other views.
//!
//! Other programs measure the same way with [`fixture::case`], [`rounds::Subject`], [`rounds::measure`] and
//! [`statistics`]: two functions side by side, interleaved.
//!
//! ```
//! use pqc::bench::{chance::Chance, clock::System, fixture::case, rounds, statistics};
//!
//! # fn main() -> Result<(), pqc::Error> {
//! let sum = |n: u64| case(move |call| Ok((0..n + call as u64 % 2).fold(0, |a, b| a ^ b)), |_| Vec::new());
//! let mut subjects = [100, 200].map(|n| rounds::Subject::new(0, vec![sum(n)], 64));
//! let order = rounds::order(&[0, 0], 3, false, &mut Chance::new(1));
//! let shape = rounds::Shape { length_ns: 100_000, dropped_ns: 10_000 };
//! rounds::measure(&mut subjects, &order, shape, &mut System::new(), &[], &mut || true)?;
//! let times: Vec<f64> = subjects[0].samples.iter().map(|sample| sample.ns as f64 / 64.0).collect();
//! assert!(statistics::median(&times) >= 0.0);
//! # Ok(())
//! # }
//! ```

pub mod chance;
pub mod check;
pub mod cite;
pub mod claims;
pub mod clock;
pub mod compare;
mod counters;
pub mod environment;
pub mod fixture;
pub mod inputs;
pub mod json;
pub mod kernels;
pub mod operation;
pub mod plot;
pub mod processors;
pub mod rounds;
pub mod row;
pub mod schema;
pub mod session;
pub mod stages;
pub mod statistics;
pub mod units;
