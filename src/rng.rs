//! Randomness: of the operating system, by way of a generator that it seeds ([`FastKeyErasure`]), and the trait through
//! which known answers replay it.

pub use crate::symmetric::chacha20::erasing::FastKeyErasure;

use crate::error::Error;
use rand::TryRng;

/// A source of random bytes that can fail.
pub trait RandomSource {
    /// Fills `out` with random bytes.
    ///
    /// # Errors
    /// [`Error::Randomness`]; `out` must then not be used.
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error>;
}

/// The operating system's generator.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsRandom;

impl RandomSource for OsRandom {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        rand::rngs::SysRng.try_fill_bytes(out).map_err(|e| Error::Randomness(e.to_string()))?;
        // A generator that answers with zeros is broken, whatever it reports: 2^-128 for the shortest draw.
        if out.len() >= 16 && out.iter().all(|byte| *byte == 0) {
            return Err(Error::Randomness("only zero bytes came".into()));
        }
        Ok(())
    }
}

/// Random bytes that are a given string, once.
pub struct Replay<'a>(pub &'a [u8]);

impl RandomSource for Replay<'_> {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        let (now, rest) = self
            .0
            .split_at_checked(out.len())
            .ok_or_else(|| Error::Randomness("the replayed bytes are used up".into()))?;
        out.copy_from_slice(now);
        self.0 = rest;
        Ok(())
    }
}
