//! The markers that the plugin knows: instructions that no processor acts on.

use core::arch::asm;

/// A region begins.
#[inline(always)]
pub fn begin() {
    // SAFETY: a hint that is not allocated, or an instruction whose result is not kept: neither does anything.
    unsafe {
        #[cfg(target_arch = "aarch64")]
        asm!("hint #0x50");
        #[cfg(target_arch = "riscv64")]
        asm!("slti x0, x0, 0x50");
    }
}

/// A region ends.
#[inline(always)]
pub fn end() {
    // SAFETY: as above.
    unsafe {
        #[cfg(target_arch = "aarch64")]
        asm!("hint #0x51");
        #[cfg(target_arch = "riscv64")]
        asm!("slti x0, x0, 0x51");
    }
}

/// One region, whose result is kept from the optimiser.
#[inline(always)]
pub fn region<T>(work: impl FnOnce() -> T) -> T {
    begin();
    let result = std::hint::black_box(work());
    end();
    result
}
