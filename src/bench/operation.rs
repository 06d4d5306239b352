//! The rows of a measurement: what each begins with, what it ends with, and the version of that definition.

use crate::algorithm::{Algorithm, Status};

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Random bytes to an encoded private and an encoded public key.
    Keygen,
    /// Encoded private key and message to an encoded signature.
    Sign,
    /// Expanded key and message to an encoded signature.
    SignKept,
    /// [`Operation::SignKept`] without the verification before release and without the system's random bytes: what
    /// papers report.
    SignCore,
    /// [`Operation::SignKept`] for several messages in one call; its times are for one of them.
    SignBatch,
    /// Encoded public key, message and encoded signature to a verdict.
    Verify,
    /// A key that is kept ready, message and encoded signature to a verdict.
    VerifyKept,
    /// Encoded public key to ciphertext and secret: decoding, checking and hashing the key, random bytes.
    Encaps,
    /// A key that is kept ready, its matrix with it where it has one, to ciphertext and secret.
    EncapsKept,
    /// [`Operation::EncapsKept`] without the system's random bytes.
    EncapsCore,
    /// Encoded private key (for ML-KEM its seed) and ciphertext to the secret.
    Decaps,
    /// A key that is kept ready, its matrix with it where it has one, and ciphertext to the secret.
    DecapsKept,
    /// [`Operation::Keygen`] for several keys in one call; its times are for one of them.
    KeygenBatch,
    /// [`Operation::Encaps`] with several encoded keys in one call; its times are for one of them.
    EncapsBatch,
    /// Several private keys that are read, without their matrices, and a ciphertext each to the secrets in one call; its
    /// times are for one of them.
    DecapsBatch,
    /// [`Operation::Keygen`] with the sorting sampler, where keys need polynomials of a fixed weight.
    KeygenSort,
    /// [`Operation::Encaps`] with the sorting sampler.
    EncapsSort,
}

impl Operation {
    /// All of them, in the order of a key's life.
    pub const ALL: [Operation; 17] = [
        Operation::Keygen,
        Operation::Sign,
        Operation::SignKept,
        Operation::SignCore,
        Operation::SignBatch,
        Operation::Verify,
        Operation::VerifyKept,
        Operation::Encaps,
        Operation::EncapsKept,
        Operation::EncapsCore,
        Operation::Decaps,
        Operation::DecapsKept,
        Operation::KeygenBatch,
        Operation::EncapsBatch,
        Operation::DecapsBatch,
        Operation::KeygenSort,
        Operation::EncapsSort,
    ];

    /// The name that `--op` takes.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Keygen => "keygen",
            Operation::Sign => "sign",
            Operation::SignKept => "sign-kept",
            Operation::SignCore => "sign-core",
            Operation::SignBatch => "sign-batch",
            Operation::Verify => "verify",
            Operation::VerifyKept => "verify-kept",
            Operation::Encaps => "encaps",
            Operation::EncapsKept => "encaps-kept",
            Operation::EncapsCore => "encaps-core",
            Operation::Decaps => "decaps",
            Operation::DecapsKept => "decaps-kept",
            Operation::KeygenBatch => "keygen-batch",
            Operation::EncapsBatch => "encaps-batch",
            Operation::DecapsBatch => "decaps-batch",
            Operation::KeygenSort => "keygen-sort",
            Operation::EncapsSort => "encaps-sort",
        }
    }

    /// The operation of a name; case does not matter.
    pub fn from_name(name: &str) -> Option<Operation> {
        Operation::ALL.into_iter().find(|operation| operation.name().eq_ignore_ascii_case(name))
    }

    /// The version of the row's definition: figures of two versions are not compared.
    pub fn version(self) -> u64 {
        1
    }

    /// Whether an algorithm has it.
    pub fn is_of(self, algorithm: Algorithm) -> bool {
        match self {
            Operation::Keygen => true,
            Operation::Sign
            | Operation::SignKept
            | Operation::SignCore
            | Operation::SignBatch
            | Operation::Verify
            | Operation::VerifyKept => !algorithm.is_kem(),
            Operation::Encaps
            | Operation::EncapsKept
            | Operation::EncapsCore
            | Operation::Decaps
            | Operation::DecapsKept => algorithm.is_kem(),
            Operation::EncapsBatch => algorithm.is_kem(),
            Operation::KeygenBatch | Operation::DecapsBatch => matches!(algorithm, Algorithm::Kyber(_)),
            Operation::KeygenSort | Operation::EncapsSort => algorithm.has_fixed_weight(),
        }
    }

    /// Whether a call does several at once.
    pub fn is_batch(self) -> bool {
        matches!(
            self,
            Operation::SignBatch | Operation::KeygenBatch | Operation::EncapsBatch | Operation::DecapsBatch
        )
    }

    /// Whether it takes a message.
    pub fn has_message(self) -> bool {
        matches!(
            self,
            Operation::Sign
                | Operation::SignKept
                | Operation::SignCore
                | Operation::SignBatch
                | Operation::Verify
                | Operation::VerifyKept
        )
    }

    /// Whether every call is a sample of its own, so that the spread from call to call is seen: making keys and
    /// signatures, which are retried.
    pub fn shows_spread(self) -> bool {
        matches!(
            self,
            Operation::Keygen
                | Operation::KeygenSort
                | Operation::Sign
                | Operation::SignKept
                | Operation::SignCore
                | Operation::SignBatch
        )
    }

    /// Whether the time depends on the input: keys are not all made in the same time.
    pub fn varies_with_input(self) -> bool {
        matches!(self, Operation::Keygen | Operation::KeygenSort)
    }
}

/// What is measured where nothing else is said: Falcon and ML-KEM.
pub fn default_algorithms() -> Vec<Algorithm> {
    let wanted = |algorithm: &Algorithm| match algorithm {
        Algorithm::Falcon(_) => true,
        other => other.status() == Status::Standard,
    };
    Algorithm::ALL.iter().copied().filter(wanted).collect()
}
