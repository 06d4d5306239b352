//! Secrets: a wrapper that is wiped and never printed, and a wiped stack.
//!
//! Large secret buffers live on the heap inside a [`Secret`]; what a computation leaves on the stack is wiped
//! by [`scrubbed`]. Comparing two secrets is only possible through [`crate::ct`].

use zeroize::Zeroize;

/// A secret value: wiped on drop; no `Debug`, no `PartialEq`, no `Clone`.
pub struct Secret<T: Zeroize>(T);

impl<T: Zeroize> Secret<T> {
    /// Takes a value into custody. For heap values (`Vec`, `Box`) nothing is left behind; a plain array moved in
    /// may leave a copy on the stack, which [`scrubbed`] wipes.
    pub fn new(value: T) -> Self {
        Secret(value)
    }

    /// The secret, for the code that computes with it.
    #[inline(always)]
    pub fn expose(&self) -> &T {
        &self.0
    }

    /// The secret, to be filled or changed.
    #[inline(always)]
    pub fn expose_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Zeroize> Drop for Secret<T> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// Bytes of stack that [`scrubbed`] wipes: far more than an operation uses, whose frames are under 4 KiB each (seen in
/// the machine code of x86-64) and nest a few deep.
const SCRUB_BYTES: usize = 64 * 1024;

/// Runs `work`, then overwrites the stack region that its frames used.
pub fn scrubbed<R>(work: impl FnOnce() -> R) -> R {
    #[inline(never)]
    fn call<R>(work: impl FnOnce() -> R) -> R {
        work()
    }
    #[inline(never)]
    fn wipe() {
        let mut stack = core::mem::MaybeUninit::<[u8; SCRUB_BYTES]>::uninit();
        // SAFETY: an array of bytes may hold anything once written; `zeroize` on `MaybeUninit` writes all of it.
        stack.zeroize();
        core::hint::black_box(&mut stack);
    }
    let out = call(work);
    wipe();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scrubbed_gives_what_the_work_gives() {
        assert_eq!(scrubbed(|| 6 * 7), 42);
    }
}
