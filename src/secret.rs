//! Secrets: a wrapper that is wiped and never printed, and a wiped stack.
//!
//! Large secret buffers live on the heap inside a [`Secret`]; what a computation leaves on the stack is wiped
//! by [`scrubbed`]. Comparing two secrets is only possible through [`crate::ct`].

use core::ops::{Deref, DerefMut};
use zeroize::{DefaultIsZeroes, Zeroize};

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

/// A heap buffer of numbers that is wiped at the speed of memory: the elements of a plain `Vec` are wiped one by one.
#[derive(Default)]
pub struct Buffer<T>(Vec<T>);

impl<T: DefaultIsZeroes> Buffer<T> {
    /// Zeros.
    pub fn new(len: usize) -> Buffer<T> {
        Buffer(vec![T::default(); len])
    }

    /// Makes it at least so long; what a shorter one held is wiped.
    pub fn make_room(&mut self, len: usize) {
        if self.0.len() < len {
            self.zeroize();
            self.0 = vec![T::default(); len];
        }
    }
}

impl<T> Deref for Buffer<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> DerefMut for Buffer<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T: DefaultIsZeroes> Zeroize for Buffer<T> {
    fn zeroize(&mut self) {
        self.0.as_mut_slice().zeroize();
    }
}

/// Bytes of stack that [`scrubbed`] wipes: far more than an operation uses, whose frames are under 5 KiB each (seen in
/// the machine code of x86-64) and nest a few deep.
const SCRUB_BYTES: usize = 64 * 1024;

/// Runs `work`, then overwrites the stack region that its frames used.
pub fn scrubbed<R>(work: impl FnOnce() -> R) -> R {
    scrubbed_bytes::<SCRUB_BYTES, R>(work)
}

/// For [`scrubbed_bytes`], the bytes of frames of so many KiB, as seen in builds of x86-64 that optimise fully; half of it
/// more in others.
pub(crate) const fn stack(kib: usize) -> usize {
    if cfg!(all(target_arch = "x86_64", not(debug_assertions))) { kib * 1024 } else { kib * 1536 }
}

/// [`scrubbed`] for operations that say how much of the stack they use.
pub(crate) fn scrubbed_bytes<const BYTES: usize, R>(work: impl FnOnce() -> R) -> R {
    #[inline(never)]
    fn call<R>(work: impl FnOnce() -> R) -> R {
        work()
    }
    #[inline(never)]
    fn wipe_stack<const BYTES: usize>() {
        let mut stack = [const { core::mem::MaybeUninit::<u8>::uninit() }; BYTES];
        // SAFETY: bytes that may have any value once written; the slice covers the array.
        wipe(unsafe { core::slice::from_raw_parts_mut(stack.as_mut_ptr().cast::<u8>(), BYTES) });
    }
    #[cfg(test)]
    depth::paint::<BYTES>();
    let out = call(work);
    #[cfg(test)]
    {
        let seen = depth::seen::<BYTES>();
        assert!(seen + depth::MARGIN <= BYTES, "the work uses {seen} bytes of stack, {BYTES} are wiped");
    }
    wipe_stack::<BYTES>();
    out
}

/// How much of the stack some work used: every test that comes through [`scrubbed_bytes`] checks that it is wiped.
#[cfg(test)]
mod depth {
    use core::mem::MaybeUninit;

    /// What must be left: frames differ from build to build.
    pub const MARGIN: usize = 1024;
    const COLOUR: u8 = 0xA5;

    /// The stack below the caller, whatever is there.
    #[inline(never)]
    fn below<const BYTES: usize, R>(look: impl FnOnce(&mut [u8]) -> R) -> R {
        let mut stack = [const { MaybeUninit::<u8>::uninit() }; BYTES];
        // SAFETY: no instruction; as far as the compiler knows it writes all bytes, so that they have values.
        unsafe {
            core::arch::asm!("/* {0} */", in(reg) stack.as_mut_ptr(), options(nostack, preserves_flags))
        };
        // SAFETY: the slice covers the array, whose bytes have values.
        look(unsafe { core::slice::from_raw_parts_mut(stack.as_mut_ptr().cast::<u8>(), BYTES) })
    }

    #[inline(never)]
    pub fn paint<const BYTES: usize>() {
        below::<BYTES, ()>(|stack| {
            stack.fill(COLOUR);
            core::hint::black_box(stack);
        });
    }

    /// Bytes from the deepest change on. Single words are those with which a large frame asks for its pages, and the
    /// first bytes may lie below those of [`paint`].
    #[inline(never)]
    pub fn seen<const BYTES: usize>() -> usize {
        below::<BYTES, usize>(|stack| {
            let is_changed = |bytes: &[u8]| bytes.iter().filter(|byte| **byte != COLOUR).count() > 16;
            let untouched = stack.chunks(64).skip(4).take_while(|bytes| !is_changed(bytes)).count();
            BYTES - ((untouched + 4) * 64).min(BYTES)
        })
    }
}

/// Overwrites values with zeros, in a way that the compiler does not leave out. ([`Zeroize`] writes them one at a time,
/// which for polynomials takes longer than what is computed with them.)
#[inline(always)]
pub(crate) fn wipe<T: zeroize::DefaultIsZeroes>(values: &mut [T]) {
    values.fill(T::default());
    // SAFETY: no instruction. It may read the values as far as the compiler knows, so that they must be written.
    unsafe { core::arch::asm!("/* {0} */", in(reg) values.as_mut_ptr(), options(nostack, preserves_flags)) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_is_wiped() {
        let mut buffer = Buffer::new(3);
        buffer.copy_from_slice(&[1.0, 2.0, 3.0]);
        buffer.zeroize();
        assert_eq!(*buffer, [0.0; 3]);
    }

    #[test]
    fn scrubbed_gives_what_the_work_gives() {
        assert_eq!(scrubbed(|| 6 * 7), 42);
    }
}
