//! Measuring: what `pqc bench` runs, usable from the library.
//!
//! A [`Row`] is one algorithm, operation and backend. Inputs are made before the clock starts; results are kept
//! from the optimiser. How times are taken stands in [`measure`].

pub mod measure;
pub mod stages;

use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::falcon::{Encoding, SigningKey, VerifyingKey};
use crate::isa::Isa;
use measure::Samples;
use std::hint::black_box;
use std::time::Duration;

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
}

impl Operation {
    /// All of them, in the order of a key's life.
    pub const ALL: [Operation; 5] =
        [Operation::Keygen, Operation::Sign, Operation::SignKept, Operation::SignBatch, Operation::Verify];

    /// The name that `--op` takes.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Keygen => "keygen",
            Operation::Sign => "sign",
            Operation::SignKept => "sign-kept",
            Operation::SignBatch => "sign-batch",
            Operation::Verify => "verify",
        }
    }
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

/// A key pair and a signature to measure with.
pub struct Fixture {
    algorithm: Algorithm,
    private: zeroize::Zeroizing<Vec<u8>>,
    public: Vec<u8>,
    message: [u8; MESSAGE_LEN],
    signature: Vec<u8>,
}

impl Fixture {
    /// Makes one, on the backend `isa`.
    ///
    /// # Errors
    /// [`Error::Randomness`], [`Error::SelfCheck`].
    pub fn new(algorithm: Algorithm, isa: Isa) -> Result<Fixture, Error> {
        let Algorithm::Falcon(params) = algorithm;
        let key = SigningKey::generate(params, isa)?;
        let message = [0x5a; MESSAGE_LEN];
        let signature = key.sign(isa, Encoding::Padded, &message)?;
        let (private, public) = (key.to_bytes(), key.verifying_key().to_bytes());
        Ok(Fixture { algorithm, private, public, message, signature })
    }

    /// Measures one operation for about `budget`; `batch` is the size of a batch, at least 1.
    ///
    /// # Errors
    /// The operation's.
    pub fn run(&self, operation: Operation, isa: Isa, budget: Duration, batch: usize) -> Result<Row, Error> {
        let Algorithm::Falcon(params) = self.algorithm;
        let sign = |key: &SigningKey| key.sign(isa, Encoding::Padded, black_box(&self.message));
        let samples = match operation {
            Operation::Keygen => measure::measure(budget, || SigningKey::generate(params, isa))?,
            Operation::Sign => measure::measure(budget, || {
                sign(&SigningKey::from_bytes(params, isa, black_box(&self.private))?)
            })?,
            Operation::SignKept => {
                let key = SigningKey::from_bytes(params, isa, &self.private)?;
                measure::measure(budget, || sign(&key))?
            }
            Operation::SignBatch => {
                let key = SigningKey::from_bytes(params, isa, &self.private)?;
                let messages = vec![self.message.as_slice(); batch];
                let sign = || key.sign_batch(isa, Encoding::Padded, black_box(&messages));
                measure::measure(budget, sign)?.divided_by(batch)
            }
            Operation::Verify => measure::measure(budget, || {
                let key = VerifyingKey::from_bytes(params, black_box(&self.public))?;
                key.verify(isa, black_box(&self.message), black_box(&self.signature))
            })?,
        };
        Ok(Row { algorithm: self.algorithm, operation, isa, samples })
    }
}
