//! Which processor a thread runs on: pinning it, and noticing where it went all the same.

/// The processors that this process may use, in their order; none where the system does not say.
pub fn allowed() -> Vec<usize> {
    #[cfg(target_os = "linux")]
    {
        use rustix::thread::{CpuSet, sched_getaffinity};
        let Ok(set) = sched_getaffinity(None) else { return Vec::new() };
        (0..CpuSet::MAX_CPU).filter(|cpu| set.is_set(*cpu)).collect()
    }
    #[cfg(not(target_os = "linux"))]
    Vec::new()
}

/// The processor that the calling thread runs on now.
pub fn current() -> Option<usize> {
    #[cfg(target_os = "linux")]
    return Some(rustix::thread::sched_getcpu());
    #[cfg(not(target_os = "linux"))]
    None
}

/// Pins the calling thread to the `number`th of the processors that it may use, in turn where there are fewer; says
/// whether the system did.
pub fn pin(processors: &[usize], number: usize) -> bool {
    let Some(cpu) = number.checked_rem(processors.len()).and_then(|at| processors.get(at)) else {
        return false;
    };
    #[cfg(target_os = "linux")]
    {
        use rustix::thread::{CpuSet, sched_setaffinity};
        let mut set = CpuSet::new();
        set.set(*cpu);
        sched_setaffinity(None, &set).is_ok()
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = cpu;
        false
    }
}
