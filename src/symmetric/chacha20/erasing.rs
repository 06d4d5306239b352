//! Random bytes for a command or a batch: ChaCha20 that forgets ("Fast-key-erasure random-number generators",
//! D. J. Bernstein, 2017).
//!
//! The operating system gives a key once. Each refill makes 2048 bytes of ChaCha20's stream under the key, of which the
//! first 32 become the next key and the others are given out; what is used up is wiped at once. Whoever sees the state
//! learns nothing of what came before. After a fork the child starts from a new key. A call of the operating system for
//! each operation would take as long as the operation.

use super::{BUFFER_LEN, Generator, RING, SLACK_LEN, State};
use crate::error::Error;
use crate::isa::{self, Isa, Op};
use crate::rng::{OsRandom, RandomSource};
use crate::secret::{Secret, wipe};

/// Bytes of the key.
const KEY_LEN: usize = 32;
/// Bytes of a refill.
const LEN: usize = RING * BUFFER_LEN;

/// The generator: one for a thread, that is not shared and not stored. All of it is wiped on drop.
///
/// ```
/// use pqc::Isa;
/// use pqc::rng::{FastKeyErasure, RandomSource};
///
/// # fn main() -> Result<(), pqc::Error> {
/// let mut random = FastKeyErasure::new(Isa::detect())?;
/// let mut bytes = [0; 100];
/// random.fill(&mut bytes)?;
/// # Ok(())
/// # }
/// ```
pub struct FastKeyErasure {
    isa: Isa,
    /// The process that the key was drawn for.
    process: u32,
    state: Box<Secret<State>>,
    /// Bytes of the ring that were given out, and are zero.
    position: usize,
}

impl FastKeyErasure {
    /// Draws a key from the operating system.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn new(isa: Isa) -> Result<FastKeyErasure, Error> {
        let mut generator = FastKeyErasure {
            isa,
            process: 0,
            state: Box::new(Secret::new(State { words: [0; 12], counter: 0, ring: [0; LEN + SLACK_LEN] })),
            position: LEN,
        };
        generator.seed(&mut OsRandom)?;
        Ok(generator)
    }

    /// Starts anew with a key from `random`.
    pub(crate) fn seed(&mut self, random: &mut dyn RandomSource) -> Result<(), Error> {
        let ring = &mut self.state.expose_mut().ring;
        // Should the source fail, nothing of before is given out.
        wipe(ring);
        self.position = LEN;
        self.process = 0;
        random.fill(&mut ring[..KEY_LEN])?;
        self.process = std::process::id();
        self.take_key();
        Ok(())
    }

    /// The first bytes of the ring become the key.
    fn take_key(&mut self) {
        let state = self.state.expose_mut();
        let (key, _) = state.ring.split_at_mut(KEY_LEN);
        for (word, bytes) in state.words.iter_mut().zip(key.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        wipe(key);
        state.counter = 0;
    }

    fn refill(&mut self) {
        isa::with(self.isa, Refill(self.state.expose_mut()));
        self.take_key();
        self.position = KEY_LEN;
    }
}

impl RandomSource for FastKeyErasure {
    fn fill(&mut self, mut out: &mut [u8]) -> Result<(), Error> {
        // 0 is no process that runs this.
        if self.process != std::process::id() {
            self.seed(&mut OsRandom)?;
        }
        while !out.is_empty() {
            if self.position == LEN {
                self.refill();
            }
            let ring = &mut self.state.expose_mut().ring[self.position..LEN];
            let len = ring.len().min(out.len());
            let (now, later) = out.split_at_mut(len);
            now.copy_from_slice(&ring[..len]);
            wipe(&mut ring[..len]);
            self.position += len;
            out = later;
        }
        Ok(())
    }
}

/// Fills the ring.
struct Refill<'a>(&'a mut State);

impl<G: Generator> Op<G> for Refill<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self, g: G) {
        let mut buffer = 0;
        while buffer < RING {
            g.make_buffers(self.0, buffer);
            buffer += G::BUFFERS;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Replay;

    fn seeded(isa: Isa, key: u8) -> FastKeyErasure {
        let mut generator = FastKeyErasure::new(isa).expect("a generator");
        generator.seed(&mut Replay(&[key; KEY_LEN])).expect("a key");
        generator
    }

    fn bytes(generator: &mut FastKeyErasure, len: usize) -> Vec<u8> {
        let mut out = vec![0; len];
        generator.fill(&mut out).expect("bytes");
        out
    }

    #[test]
    fn every_backend_gives_the_same_bytes_in_draws_of_any_length() {
        let expected = bytes(&mut seeded(Isa::Scalar, 7), 10_000);
        assert_eq!(&expected[..8], &bytes(&mut seeded(Isa::Scalar, 7), 8));
        assert_ne!(expected, bytes(&mut seeded(Isa::Scalar, 8), 10_000));
        for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_supported()) {
            let mut generator = seeded(isa, 7);
            let mut all = Vec::new();
            for len in [0, 1, 31, 32, 2016 - 64, 1, 2016, 3000, 100] {
                all.extend(bytes(&mut generator, len));
            }
            assert!(all == expected[..all.len()], "{}", isa.name());
        }
    }

    /// Two blocks of a refill are those of ChaCha20 under its key, the next refill has another key.
    #[test]
    fn the_first_bytes_of_a_refill_are_the_next_key() {
        let mut first = seeded(Isa::Scalar, 9);
        first.refill();
        let words = first.state.expose().words;
        let mut prng_seed = [0; super::super::SEED_LEN];
        prng_seed[..KEY_LEN].fill(9);
        let scalar = crate::simd::Scalar::get();
        let prng = super::super::Prng::new(scalar, &prng_seed);
        let (key, rest) = prng.buffer()[..BUFFER_LEN].split_at(KEY_LEN);
        assert!(
            words.iter().zip(key.as_chunks::<4>().0).all(|(word, key)| *word == u32::from_le_bytes(*key))
        );
        assert_eq!(bytes(&mut seeded(Isa::Scalar, 9), rest.len()), rest);
        assert_ne!(bytes(&mut first, LEN), bytes(&mut first, LEN));
    }

    #[test]
    fn what_was_given_out_is_wiped() {
        let mut generator = seeded(Isa::detect(), 3);
        let given = bytes(&mut generator, 1000);
        let ring = &generator.state.expose().ring;
        assert!(given.iter().any(|byte| *byte != 0));
        assert!(ring[..KEY_LEN + 1000].iter().all(|byte| *byte == 0));
        assert!(ring[KEY_LEN + 1000..LEN].iter().any(|byte| *byte != 0));
    }

    #[test]
    fn another_process_starts_from_another_key() {
        let (mut same, mut other) = (seeded(Isa::detect(), 5), seeded(Isa::detect(), 5));
        assert_eq!(bytes(&mut same, 64), bytes(&mut other, 64));
        other.process = other.process.wrapping_add(1);
        assert_ne!(bytes(&mut same, 64), bytes(&mut other, 64));
        assert_eq!(other.process, std::process::id());
    }
}
