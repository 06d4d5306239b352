//! What the processor counts: ticks of its time stamp and, where the system allows it, core cycles.
//!
//! Ticks have a frequency of their own, which is not that of the core. The only file of measuring with `unsafe` code.

use std::fs::File;
use std::io::Read;
use std::time::Instant;

/// The time stamp: RDTSC, CNTVCT_EL0, `rdtime`; 0 on other processors.
#[inline(always)]
pub fn ticks() -> u64 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has the counter.
    let ticks = unsafe { core::arch::x86_64::_rdtsc() };
    #[cfg(target_arch = "aarch64")]
    let ticks = {
        let ticks: u64;
        // SAFETY: reads a counter that every system lets programs read.
        unsafe { core::arch::asm!("mrs {}, cntvct_el0", out(reg) ticks, options(nomem, nostack)) };
        ticks
    };
    #[cfg(target_arch = "riscv64")]
    let ticks = {
        let ticks: u64;
        // SAFETY: reads a counter that every Linux system lets programs read.
        unsafe { core::arch::asm!("rdtime {}", out(reg) ticks, options(nomem, nostack)) };
        ticks
    };
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
    let ticks = 0;
    ticks
}

/// A counter of the core cycles that the calling thread takes outside the system.
#[derive(Debug)]
pub struct Cycles(File);

impl Cycles {
    /// `None` where the processor, a hypervisor or the system does not give it.
    pub fn open() -> Option<Cycles> {
        let mut cycles = open()?;
        // A counter that never counts is none.
        let first = cycles.read()?;
        std::hint::black_box(multiply(1000));
        (cycles.read()? > first).then_some(cycles)
    }

    /// Cycles so far.
    pub fn read(&mut self) -> Option<u64> {
        let mut bytes = [0; 8];
        self.0.read_exact(&mut bytes).ok()?;
        Some(u64::from_ne_bytes(bytes))
    }
}

#[cfg(target_os = "linux")]
fn open() -> Option<Cycles> {
    use std::os::fd::FromRawFd;

    /// `perf_event_attr` of its first version.
    #[repr(C)]
    struct Attributes {
        kind: u32,
        size: u32,
        config: u64,
        sample_period: u64,
        sample_type: u64,
        read_format: u64,
        flags: u64,
        wakeup: u32,
        breakpoint_type: u32,
        breakpoint: u64,
    }
    /// `PERF_TYPE_HARDWARE`, and of it `PERF_COUNT_HW_CPU_CYCLES`.
    const HARDWARE: u32 = 0;
    const CPU_CYCLES: u64 = 0;
    /// Not in the kernel, not in the hypervisor.
    const EXCLUDE: u64 = 1 << 5 | 1 << 6;
    let attributes = Attributes {
        kind: HARDWARE,
        size: size_of::<Attributes>() as u32,
        config: CPU_CYCLES,
        sample_period: 0,
        sample_type: 0,
        read_format: 0,
        flags: EXCLUDE,
        wakeup: 0,
        breakpoint_type: 0,
        breakpoint: 0,
    };
    /// `PERF_FLAG_FD_CLOEXEC`.
    const CLOSE_ON_EXEC: libc::c_ulong = 1 << 3;
    // SAFETY: the system reads `size` bytes of the attributes, which live until it returns.
    let fd = unsafe {
        let attributes = std::ptr::from_ref(&attributes);
        // This thread, on any processor, in no group.
        libc::syscall(libc::SYS_perf_event_open, attributes, 0, -1, -1, CLOSE_ON_EXEC)
    };
    let fd = i32::try_from(fd).ok().filter(|fd| *fd >= 0)?;
    // SAFETY: the descriptor is new and nobody else has it.
    Some(Cycles(unsafe { File::from_raw_fd(fd) }))
}

#[cfg(not(target_os = "linux"))]
fn open() -> Option<Cycles> {
    None
}

/// Multiplications in a chain, each of which waits for the one before.
#[inline(never)]
fn multiply(count: u64) -> u64 {
    let mut x = std::hint::black_box(3u64);
    for _ in 0..count / 8 {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: multiplies a register.
        unsafe {
            core::arch::asm!(".rept 8", "imul {0}, {0}", ".endr", inout(reg) x, options(pure, nomem, nostack));
        }
        #[cfg(not(target_arch = "x86_64"))]
        for _ in 0..8 {
            x = std::hint::black_box(x.wrapping_mul(x));
        }
    }
    x
}

/// The same value, of which the compiler knows nothing; it stays in a register.
#[inline(always)]
pub fn opaque(x: u32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    {
        let mut x = x;
        // SAFETY: no instruction.
        unsafe {
            core::arch::asm!("/* {0:e} */", inout(reg) x, options(pure, nomem, nostack, preserves_flags));
        }
        x
    }
    #[cfg(not(target_arch = "x86_64"))]
    std::hint::black_box(x)
}

/// The core's frequency now, in Hz, by a chain of multiplications of three cycles each, as they are on every x86-64
/// processor of the last 15 years; `None` on others.
pub fn core_frequency() -> Option<f64> {
    /// Short enough to fit between two interruptions.
    const LINKS: u64 = 60_000;
    if !cfg!(target_arch = "x86_64") {
        return None;
    }
    let of_run = |_| {
        let start = Instant::now();
        std::hint::black_box(multiply(LINKS));
        (3 * LINKS) as f64 / start.elapsed().as_secs_f64()
    };
    (0..9).map(of_run).max_by(f64::total_cmp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_count() {
        let before = ticks();
        std::hint::black_box(multiply(100_000));
        assert!(ticks() > before || before == 0);
        if let Some(frequency) = core_frequency() {
            assert!((1e8..1e11).contains(&frequency), "{frequency}");
        }
        if let Some(mut cycles) = Cycles::open() {
            let before = cycles.read().expect("a counter that opened");
            std::hint::black_box(multiply(1000));
            assert!(cycles.read().expect("a counter that opened") - before >= 1000);
        }
    }
}
