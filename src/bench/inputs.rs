//! The inputs of a measurement: the same keys, messages and seeds for every backend, all from one number.

use crate::error::Error;
use crate::rng::{OsRandom, RandomSource, Replay};
use sha3::Shake256;
use sha3::digest::{ExtendableOutput, Update, XofReader};

/// Keys, messages and seeds of an algorithm. A build with debug assertions, whose figures mean nothing, has fewer.
pub const INPUTS: usize = if cfg!(debug_assertions) { 8 } else { 64 };

/// Calls in a row that use the same kept key, as a signer of several files does.
pub const CALLS_OF_A_KEY: usize = 16;

/// The inputs of one algorithm.
#[derive(Clone, Debug)]
pub struct Inputs {
    messages: Vec<Vec<u8>>,
    keygen: Vec<Vec<u8>>,
    operation: Vec<Vec<u8>>,
}

impl Inputs {
    /// Those of a number and an algorithm's name. `keygen_len` and `operation_len`: random bytes that a key pair and that
    /// a signature or an encapsulation takes at most.
    pub fn new(
        seed: u64,
        algorithm: &str,
        message_len: usize,
        keygen_len: usize,
        operation_len: usize,
    ) -> Inputs {
        let all = |what: &str, len: usize| -> Vec<Vec<u8>> {
            let labels = [b"pqc bench", what.as_bytes(), algorithm.as_bytes()];
            (0..INPUTS as u64).map(|i| stream(&labels, seed, i, len)).collect()
        };
        Inputs {
            messages: all("message", message_len),
            keygen: all("keygen", keygen_len),
            operation: all("operation", operation_len),
        }
    }

    /// The message of a call.
    pub fn message(&self, call: usize) -> &[u8] {
        &self.messages[call % INPUTS]
    }

    /// The random bytes of the key pair that a call makes.
    pub fn keygen(&self, call: usize) -> &[u8] {
        &self.keygen[call % INPUTS]
    }

    /// The random bytes of a call that signs or encapsulates.
    pub fn operation(&self, call: usize) -> &[u8] {
        &self.operation[call % INPUTS]
    }
}

/// The number of the key that a call uses which keeps its key.
pub fn kept_key(call: usize) -> usize {
    call / CALLS_OF_A_KEY % INPUTS
}

/// SHAKE256 of labels and numbers.
fn stream(labels: &[&[u8]], seed: u64, index: u64, len: usize) -> Vec<u8> {
    let mut shake = Shake256::default();
    for label in labels {
        shake.update(&(label.len() as u64).to_le_bytes());
        shake.update(label);
    }
    shake.update(&seed.to_le_bytes());
    shake.update(&index.to_le_bytes());
    let mut bytes = vec![0; len];
    shake.finalize_xof().read(&mut bytes);
    bytes
}

/// Draws from the operating system, as the operation does for a user, and then gives given bytes instead: the time
/// includes the system, and the work is the same on every backend.
pub struct Drawn<'a>(Replay<'a>);

impl<'a> Drawn<'a> {
    /// Gives these bytes.
    pub fn new(bytes: &'a [u8]) -> Drawn<'a> {
        Drawn(Replay(bytes))
    }
}

impl RandomSource for Drawn<'_> {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        OsRandom.fill(out)?;
        self.0.fill(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_those_of_their_number_and_algorithm() {
        let inputs = |seed, name| {
            let inputs = Inputs::new(seed, name, 5, 48, 88);
            (0..INPUTS).map(|i| (inputs.message(i).to_vec(), inputs.keygen(i).to_vec())).collect::<Vec<_>>()
        };
        assert_eq!(inputs(1, "falcon512"), inputs(1, "falcon512"));
        assert_ne!(inputs(1, "falcon512"), inputs(2, "falcon512"));
        assert_ne!(inputs(1, "falcon512"), inputs(1, "falcon1024"));
        let mut all = inputs(1, "falcon512");
        all.sort();
        all.dedup();
        assert_eq!(all.len(), INPUTS);
    }

    #[test]
    fn what_is_drawn_is_what_was_given() {
        let mut out = [0; 3];
        let mut drawn = Drawn::new(&[1, 2, 3, 4]);
        drawn.fill(&mut out).expect("random bytes");
        assert_eq!(out, [1, 2, 3]);
        assert!(matches!(drawn.fill(&mut out), Err(Error::Randomness(_))));
    }
}
