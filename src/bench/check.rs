//! Before anything is timed: every backend gives the bytes that the scalar one gives.

use super::fixture::Run;
use super::inputs::{CALLS_OF_A_KEY, INPUTS};
use crate::error::Error;

/// The results of a run, one of each input: keys, messages and seeds all have their turn.
///
/// # Errors
/// The operation's.
pub fn outputs(run: &dyn Run) -> Result<Vec<Vec<u8>>, Error> {
    // A step that goes through all inputs, and through the kept keys as well.
    (0..INPUTS).map(|i| run.output(i * (CALLS_OF_A_KEY + 1))).collect()
}

/// Which input a run has another result of than `expected`; `None` where all are equal.
///
/// # Errors
/// The operation's.
pub fn first_difference(expected: &[Vec<u8>], run: &dyn Run) -> Result<Option<usize>, Error> {
    let found = outputs(run)?;
    Ok((0..expected.len().max(found.len())).find(|i| expected.get(*i) != found.get(*i)))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Wish, case, fixture};
    use super::super::operation::Operation;
    use super::*;
    use crate::algorithm::Algorithm;
    use crate::isa::Isa;

    #[test]
    fn a_planted_wrong_backend_is_found() {
        let right = case(|call| Ok(call % INPUTS), |n| vec![n as u8]);
        let expected = outputs(&*right).expect("bytes");
        assert_eq!(first_difference(&expected, &*right), Ok(None));
        // Wrong for one input, and only in the last bit.
        let wrong = case(|call| Ok(call % INPUTS), |n| vec![n as u8 ^ u8::from(n == INPUTS - 2)]);
        let found = first_difference(&expected, &*wrong).expect("bytes").expect("a difference");
        assert_eq!(expected[found], [INPUTS as u8 - 2]);
        // One that fails is no backend to be timed.
        let failing = case(|_| Err::<(), _>(Error::SelfCheck), |()| Vec::new());
        assert_eq!(first_difference(&expected, &*failing), Err(Error::SelfCheck));
    }

    /// A real one: the keys of another seed are other keys.
    #[test]
    fn other_inputs_give_other_results() {
        let algorithm = Algorithm::from_name("mlkem512").expect("an algorithm");
        let made = |seed| fixture(algorithm, Wish { seed, message_len: 8, batch: 1 }).expect("keys");
        let (one, two) = (made(1), made(2));
        let run = |fixture: &dyn super::super::fixture::Fixture, isa| {
            let run =
                fixture.run(Operation::Keygen, isa).expect("a run").expect("every algorithm makes keys");
            outputs(&*run).expect("keys")
        };
        let scalar = run(&*one, Isa::Scalar);
        assert_eq!(scalar, run(&*one, Isa::detect()));
        assert_ne!(scalar, run(&*two, Isa::Scalar));
    }

    /// Every operation of every algorithm runs, gives the same on two backends, and the same the second time.
    #[test]
    fn every_operation_has_one_result() {
        for algorithm in [0, 2, 10, 11, 15].map(|number| Algorithm::ALL[number]) {
            let fixture = fixture(algorithm, Wish { seed: 3, message_len: 40, batch: 3 }).expect("keys");
            for operation in Operation::ALL {
                let run = |isa| fixture.run(operation, isa).expect("a run");
                let Some(scalar) = run(Isa::Scalar) else {
                    assert!(!operation.is_of(algorithm), "{}", operation.name());
                    continue;
                };
                assert!(operation.is_of(algorithm), "{}", operation.name());
                let fast = run(Isa::detect()).expect("the same operations");
                for call in [0, 5, 33] {
                    let expected = scalar.output(call).expect("a result");
                    assert_eq!(fast.output(call), Ok(expected.clone()), "{}", operation.name());
                    assert_eq!(scalar.output(call), Ok(expected), "{}", operation.name());
                }
                fast.time(1).expect("a result");
            }
        }
    }
}
