//! Measuring: what `pqc bench` runs, usable from the library.
//!
//! A [`Row`] is one algorithm, operation and backend. Inputs are made before the clock starts; results are kept
//! from the optimiser. How times are taken stands in [`measure`].

pub mod measure;
mod of_ntru;
pub mod stages;

use crate::algorithm::{Algorithm, Status};
use crate::error::Error;
use crate::falcon::{self, Encoding, SigningKey, VerifyingKey};
use crate::isa::Isa;
use crate::kyber::{Ciphertext, DecapsulationKey, EncapsulationKey, ParameterSet};
use crate::ntru;
use measure::{Samples, measure};
use std::hint::black_box;
use std::time::Duration;
use zeroize::Zeroizing;

/// Bytes of the message that is signed and verified.
pub const MESSAGE_LEN: usize = 64;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Making a key pair.
    Keygen,
    /// A signature with a key as it is read from a file: decoding, expanding, signing.
    Sign,
    /// A signature with a key that is kept expanded, as for the second of several files.
    SignKept,
    /// A signature with a kept key as one of a batch; its times are those of a batch divided by its size.
    SignBatch,
    /// A verification with a public key as it is read from a file.
    Verify,
    /// An encapsulation with a public key as it is read from a file: decoding, checking, hashing.
    Encaps,
    /// An encapsulation with a key that is kept, its matrix with it.
    EncapsKept,
    /// A decapsulation with a private key as it is read from a file, for ML-KEM a seed: expanding, checking.
    Decaps,
    /// A decapsulation with a key that is kept, its matrix with it.
    DecapsKept,
    /// [`Operation::Keygen`] with the sorting sampler, where keys need polynomials of a fixed weight.
    KeygenSort,
    /// [`Operation::Encaps`] with the sorting sampler.
    EncapsSort,
}

impl Operation {
    /// All of them, in the order of a key's life.
    pub const ALL: [Operation; 11] = [
        Operation::Keygen,
        Operation::Sign,
        Operation::SignKept,
        Operation::SignBatch,
        Operation::Verify,
        Operation::Encaps,
        Operation::EncapsKept,
        Operation::Decaps,
        Operation::DecapsKept,
        Operation::KeygenSort,
        Operation::EncapsSort,
    ];

    /// The name that `--op` takes.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Keygen => "keygen",
            Operation::Sign => "sign",
            Operation::SignKept => "sign-kept",
            Operation::SignBatch => "sign-batch",
            Operation::Verify => "verify",
            Operation::Encaps => "encaps",
            Operation::EncapsKept => "encaps-kept",
            Operation::Decaps => "decaps",
            Operation::DecapsKept => "decaps-kept",
            Operation::KeygenSort => "keygen-sort",
            Operation::EncapsSort => "encaps-sort",
        }
    }

    /// Whether an algorithm has it.
    pub fn is_of(self, algorithm: Algorithm) -> bool {
        match self {
            Operation::Keygen => true,
            Operation::Sign | Operation::SignKept | Operation::SignBatch | Operation::Verify => {
                !algorithm.is_kem()
            }
            Operation::Encaps | Operation::EncapsKept | Operation::Decaps | Operation::DecapsKept => {
                algorithm.is_kem()
            }
            Operation::KeygenSort | Operation::EncapsSort => algorithm.has_fixed_weight(),
        }
    }
}

/// What is measured where nothing else is said: all but legacy algorithms.
pub fn default_algorithms() -> Vec<Algorithm> {
    Algorithm::ALL.iter().copied().filter(|algorithm| algorithm.status() != Status::Legacy).collect()
}

/// One measured row.
#[derive(Clone, Debug)]
pub struct Row {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The operation.
    pub operation: Operation,
    /// The backend.
    pub isa: Isa,
    /// The times.
    pub samples: Samples,
}

/// A key pair and what was made with it, to measure with.
pub struct Fixture {
    algorithm: Algorithm,
    inputs: Inputs,
}

enum Inputs {
    Falcon(falcon::Params, Signed),
    Kyber(ParameterSet, Encapsulated),
    Ntru(ntru::ParameterSet, of_ntru::Encapsulated),
}

struct Signed {
    private: Zeroizing<Vec<u8>>,
    public: Vec<u8>,
    message: [u8; MESSAGE_LEN],
    signature: Vec<u8>,
}

struct Encapsulated {
    /// The seed where the set has one, else the expanded key.
    private: Zeroizing<Vec<u8>>,
    public: Vec<u8>,
    ciphertext: Ciphertext,
}

impl Fixture {
    /// Makes one, on the backend `isa`.
    ///
    /// # Errors
    /// [`Error::Randomness`], [`Error::SelfCheck`].
    pub fn new(algorithm: Algorithm, isa: Isa) -> Result<Fixture, Error> {
        let inputs = match algorithm {
            Algorithm::Falcon(params) => Inputs::Falcon(params, Signed::new(params, isa)?),
            Algorithm::Kyber(set) => Inputs::Kyber(set, Encapsulated::new(set, isa)?),
            Algorithm::Ntru(set) => Inputs::Ntru(set, of_ntru::Encapsulated::new(set, isa)?),
        };
        Ok(Fixture { algorithm, inputs })
    }

    /// Measures one operation for about `budget`; `batch` is the size of a batch, at least 1. `None` where the algorithm
    /// does not have the operation.
    ///
    /// # Errors
    /// The operation's.
    pub fn run(
        &self,
        operation: Operation,
        isa: Isa,
        budget: Duration,
        batch: usize,
    ) -> Result<Option<Row>, Error> {
        let samples = match &self.inputs {
            Inputs::Falcon(params, signed) => signed.run(*params, operation, isa, budget, batch)?,
            Inputs::Kyber(set, encapsulated) => encapsulated.run(*set, operation, isa, budget)?,
            Inputs::Ntru(set, encapsulated) => encapsulated.run(*set, operation, isa, budget)?,
        };
        Ok(samples.map(|samples| Row { algorithm: self.algorithm, operation, isa, samples }))
    }
}

impl Signed {
    fn new(params: falcon::Params, isa: Isa) -> Result<Signed, Error> {
        let key = SigningKey::generate(params, isa)?;
        let message = [0x5a; MESSAGE_LEN];
        let signature = key.sign(isa, Encoding::Padded, &message)?;
        Ok(Signed { private: key.to_bytes(), public: key.verifying_key().to_bytes(), message, signature })
    }

    fn run(
        &self,
        params: falcon::Params,
        operation: Operation,
        isa: Isa,
        budget: Duration,
        batch: usize,
    ) -> Result<Option<Samples>, Error> {
        let sign = |key: &SigningKey| key.sign(isa, Encoding::Padded, black_box(&self.message));
        let samples = match operation {
            Operation::Keygen => measure(budget, || SigningKey::generate(params, isa))?,
            Operation::Sign => {
                measure(budget, || sign(&SigningKey::from_bytes(params, isa, black_box(&self.private))?))?
            }
            Operation::SignKept => {
                let key = SigningKey::from_bytes(params, isa, &self.private)?;
                measure(budget, || sign(&key))?
            }
            Operation::SignBatch => {
                let key = SigningKey::from_bytes(params, isa, &self.private)?;
                let messages = vec![self.message.as_slice(); batch];
                let sign = || key.sign_batch(isa, Encoding::Padded, black_box(&messages));
                measure(budget, sign)?.divided_by(batch)
            }
            Operation::Verify => measure(budget, || {
                let key = VerifyingKey::from_bytes(params, black_box(&self.public))?;
                key.verify(isa, black_box(&self.message), black_box(&self.signature))
            })?,
            _ => return Ok(None),
        };
        Ok(Some(samples))
    }
}

impl Encapsulated {
    fn new(set: ParameterSet, isa: Isa) -> Result<Encapsulated, Error> {
        let key = DecapsulationKey::generate(set, isa)?;
        let private = match key.seed() {
            Some(seed) => Zeroizing::new(seed.to_vec()),
            None => key.expanded(isa),
        };
        let (ciphertext, _) = key.encapsulation_key().encapsulate(isa)?;
        Ok(Encapsulated { private, public: key.encapsulation_key().to_bytes(), ciphertext })
    }

    fn run(
        &self,
        set: ParameterSet,
        operation: Operation,
        isa: Isa,
        budget: Duration,
    ) -> Result<Option<Samples>, Error> {
        let private = || {
            let bytes = black_box(&self.private);
            if set.is_standard() {
                DecapsulationKey::from_seed(set, isa, bytes)
            } else {
                DecapsulationKey::from_expanded(set, isa, bytes)
            }
        };
        let public = || EncapsulationKey::from_bytes(set, isa, black_box(&self.public));
        let samples = match operation {
            Operation::Keygen => measure(budget, || DecapsulationKey::generate(set, isa))?,
            Operation::Encaps => measure(budget, || public()?.encapsulate(isa))?,
            Operation::EncapsKept => {
                let key = public()?;
                key.keep_matrix(isa);
                measure(budget, || key.encapsulate(isa))?
            }
            Operation::Decaps => {
                measure(budget, || private()?.decapsulate(isa, black_box(&self.ciphertext)))?
            }
            Operation::DecapsKept => {
                let key = private()?;
                key.keep_matrix(isa);
                measure(budget, || key.decapsulate(isa, black_box(&self.ciphertext)))?
            }
            _ => return Ok(None),
        };
        Ok(Some(samples))
    }
}
