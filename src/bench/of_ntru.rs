//! The operations of NTRU, with either sampler.

use super::Operation;
use super::measure::{Samples, measure};
use crate::error::Error;
use crate::isa::Isa;
use crate::ntru::{Ciphertext, DecapsulationKey, EncapsulationKey, ParameterSet, Sampler};
use std::hint::black_box;
use std::time::Duration;
use zeroize::Zeroizing;

/// A key pair and a ciphertext for it.
pub(super) struct Encapsulated {
    private: Zeroizing<Vec<u8>>,
    public: Vec<u8>,
    ciphertext: Ciphertext,
}

impl Encapsulated {
    pub(super) fn new(set: ParameterSet, isa: Isa) -> Result<Encapsulated, Error> {
        let key = DecapsulationKey::generate(set, isa)?;
        let (ciphertext, _) = key.encapsulation_key().encapsulate(isa)?;
        Ok(Encapsulated { private: key.to_bytes(), public: key.encapsulation_key().to_bytes(), ciphertext })
    }

    pub(super) fn run(
        &self,
        set: ParameterSet,
        operation: Operation,
        isa: Isa,
        budget: Duration,
    ) -> Result<Option<Samples>, Error> {
        let private = || DecapsulationKey::from_bytes(set, isa, black_box(&self.private));
        let public = || EncapsulationKey::from_bytes(set, isa, black_box(&self.public));
        let samples = match operation {
            Operation::Keygen => measure(budget, || DecapsulationKey::generate(set, isa))?,
            Operation::Encaps => measure(budget, || public()?.encapsulate(isa))?,
            Operation::EncapsKept => {
                let key = public()?;
                measure(budget, || key.encapsulate(isa))?
            }
            Operation::Decaps => {
                measure(budget, || private()?.decapsulate(isa, black_box(&self.ciphertext)))?
            }
            Operation::DecapsKept => {
                let key = private()?;
                measure(budget, || key.decapsulate(isa, black_box(&self.ciphertext)))?
            }
            Operation::KeygenSort if set.weight().is_some() => {
                measure(budget, || DecapsulationKey::generate_with(set, Sampler::Sort, isa))?
            }
            Operation::EncapsSort if set.weight().is_some() => {
                measure(budget, || public()?.encapsulate_with(Sampler::Sort, isa))?
            }
            _ => return Ok(None),
        };
        Ok(Some(samples))
    }
}
