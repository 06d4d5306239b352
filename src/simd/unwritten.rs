//! Memory for results, without the time that it takes to fill it with zeros first.

use core::mem::MaybeUninit;

/// What may have any bits.
///
/// # Safety
/// Every bit pattern of the type's size is a value, and it has no padding.
pub unsafe trait Numbers {}

// SAFETY: a plain integer.
unsafe impl Numbers for u8 {}
// SAFETY: a plain integer.
unsafe impl Numbers for i16 {}
// SAFETY: a plain integer.
unsafe impl Numbers for u32 {}
// SAFETY: elements lie side by side.
unsafe impl<T: Numbers, const N: usize> Numbers for [T; N] {}

/// Memory that is aligned for the widest vectors.
#[repr(C, align(64))]
pub struct Aligned<T>(pub T);

impl<T: Numbers> Aligned<T> {
    /// [`unwritten`] memory that is aligned. In: its size is a multiple of 64 bytes.
    #[inline(always)]
    pub fn unwritten(memory: &mut MaybeUninit<Aligned<T>>) -> &mut T {
        const { assert!(size_of::<Aligned<T>>() == size_of::<T>()) };
        // SAFETY: as long as what it holds, which is the first in it.
        unwritten(unsafe { &mut *memory.as_mut_ptr().cast::<MaybeUninit<T>>() })
    }
}

/// The memory with whatever it holds: for what is written before it is read, or has no meaning where it was not.
#[inline(always)]
pub fn unwritten<T: Numbers>(memory: &mut MaybeUninit<T>) -> &mut T {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"))]
    // SAFETY: no instruction; as far as the compiler knows it writes all bytes, so that they have values.
    unsafe {
        core::arch::asm!("/* {0} */", in(reg) memory.as_mut_ptr(), options(nostack, preserves_flags));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
    // SAFETY: as many bytes are there.
    unsafe {
        memory.as_mut_ptr().write_bytes(0, 1);
    }
    // SAFETY: the bytes have values, and any are one of the type.
    unsafe { memory.assume_init_mut() }
}
