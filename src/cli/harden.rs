//! What the process gives up at its start: core dumps, and being read by a debugger of the same user.
//!
//! Keys pass through memory; a dump of it would write them to disk. A system that refuses is no reason to stop.

/// Switches core dumps off.
pub fn harden() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    }
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    }
}
