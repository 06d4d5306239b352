//! The vector extension of RISC-V, version 1.0, with vectors of any length.
//!
//! Stable Rust has no intrinsics for it, so the token has no vocabulary: engines bring their steps in assembly.

use super::Token;
use crate::isa::Op;
use std::sync::OnceLock;

/// Token of the vector extension.
#[derive(Clone, Copy)]
pub struct Rvv(());

impl Rvv {
    /// The token, where this processor has the extension and the kernel saves its registers.
    pub fn get() -> Option<Rvv> {
        static USABLE: OnceLock<bool> = OnceLock::new();
        USABLE.get_or_init(probe::usable).then_some(Rvv(()))
    }
}

impl Token for Rvv {
    const FEATURES: &'static [&'static str] = &["v"];
    type Base = Rvv;
    #[inline(always)]
    fn base(self) -> Rvv {
        self
    }
    #[inline(always)]
    fn enter<O: Op<Self>>(self, op: O) -> O::Out {
        #[inline(never)]
        fn outlined<O: Op<Rvv>>(token: Rvv, op: O) -> O::Out {
            op.run(token)
        }
        outlined(self, op)
    }
}

/// What the kernel says (Documentation/arch/riscv/hwprobe.rst, vector.rst).
#[cfg(target_os = "linux")]
mod probe {
    use core::arch::asm;

    const SYS_PRCTL: usize = 167;
    const SYS_RISCV_HWPROBE: usize = 258;
    const ENOSYS: isize = -38;
    /// hwprobe's key of extensions, and its bit of the vector extension, version 1.0.
    const KEY_IMA_EXT_0: i64 = 4;
    const IMA_V: u64 = 1 << 2;
    const AT_HWCAP: core::ffi::c_ulong = 16;
    const HWCAP_V: core::ffi::c_ulong = 1 << (b'V' - b'A');
    /// The state of vectors in this thread: 1 is off, 2 on.
    const PR_RISCV_V_GET_CONTROL: usize = 70;
    const CURRENT: isize = 3;
    const OFF: isize = 1;

    #[repr(C)]
    struct Pair {
        key: i64,
        value: u64,
    }

    unsafe extern "C" {
        safe fn getauxval(kind: core::ffi::c_ulong) -> core::ffi::c_ulong;
    }

    /// # Safety
    /// The arguments are what the system call asks for.
    unsafe fn system_call(number: usize, arguments: [usize; 5]) -> isize {
        let result;
        let [a, b, c, d, e] = arguments;
        // SAFETY: Linux keeps all registers but a0; memory is touched as the contract allows.
        unsafe {
            asm!("ecall", in("a7") number, inlateout("a0") a as isize => result, in("a1") b, in("a2") c,
                in("a3") d, in("a4") e, options(nostack));
        }
        result
    }

    /// hwprobe decides where the kernel has it (6.4); before, the auxiliary vector, which some kernels also fill
    /// in for version 0.7.1. The state of the thread can be off in either case.
    pub fn usable() -> bool {
        let mut pair = Pair { key: KEY_IMA_EXT_0, value: 0 };
        // SAFETY: one pair, which the kernel fills in; no set of processors means all of them.
        let probed = unsafe { system_call(SYS_RISCV_HWPROBE, [&raw mut pair as usize, 1, 0, 0, 0]) };
        let seen = match probed {
            0 => pair.key == KEY_IMA_EXT_0 && pair.value & IMA_V != 0,
            ENOSYS => getauxval(AT_HWCAP) & HWCAP_V != 0 && !switched_off() && is_version_1(),
            _ => false,
        };
        seen && !switched_off()
    }

    /// Kernels without the question (before 6.5) answer with an error, which is negative.
    fn switched_off() -> bool {
        // SAFETY: this option takes no arguments.
        let state = unsafe { system_call(SYS_PRCTL, [PR_RISCV_V_GET_CONTROL, 0, 0, 0, 0]) };
        state >= 0 && state & CURRENT == OFF
    }

    /// Version 0.7.1 takes the type for an illegal one, and says so by a length of zero.
    fn is_version_1() -> bool {
        let lanes: usize;
        // SAFETY: the processor has vectors of some version; the length is no part of what Rust relies on.
        unsafe {
            asm!(".option push", ".option arch, +v", "vsetvli {0}, zero, e64, m1, ta, ma", ".option pop",
                out(reg) lanes, options(nomem, nostack));
        }
        lanes >= 2
    }
}

/// Elsewhere nobody has been asked.
#[cfg(not(target_os = "linux"))]
mod probe {
    pub fn usable() -> bool {
        false
    }
}
