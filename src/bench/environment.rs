//! Where figures come from: processor, system, build. What cannot be read is `unknown`.
//!
//! Reads `/proc` and `/sys`, and nothing else.

use super::clock::{System, overhead};
use super::counters::ticks;
use super::json::Json;
use super::processors;
use std::fs;
use std::time::{Duration, Instant};

pub use super::counters::core_frequency;

/// The word for what cannot be read.
pub const UNKNOWN: &str = "unknown";

/// What is known, in the order in which it is shown: a name in the schema, and a value.
#[derive(Clone, Debug, Default)]
pub struct Environment(Vec<(&'static str, String)>);

/// The names that make a machine: figures of two that differ in one are of two machines.
const MACHINE: [&str; 5] = ["processor", "architecture", "system", "hypervisor", "processors"];

impl Environment {
    /// Looks at the machine and the build; takes some milliseconds.
    pub fn look(clock: &mut System) -> Environment {
        let mut all = Environment::default();
        let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        all.add("version", env!("CARGO_PKG_VERSION"));
        all.add("commit", env!("PQC_COMMIT"));
        all.add("dirty", env!("PQC_DIRTY"));
        all.add("compiler", env!("PQC_COMPILER"));
        let assertions = if cfg!(debug_assertions) { ", debug assertions" } else { "" };
        all.add("profile", format!("{}{assertions}", env!("PQC_PROFILE")));
        all.add("target", env!("PQC_TARGET"));
        all.add("processor", processor(&cpuinfo));
        all.add("architecture", std::env::consts::ARCH);
        all.add("microcode", field(&cpuinfo, "microcode").unwrap_or(UNKNOWN.into()));
        all.add("hypervisor", hypervisor(&cpuinfo));
        let allowed = processors::allowed().len();
        all.add("processors", if allowed > 0 { allowed.to_string() } else { UNKNOWN.into() });
        all.add("smt", switch("/sys/devices/system/cpu/smt/active", "1", "on", "off"));
        let cpu = processors::current().unwrap_or(0);
        let governor = file(&format!("/sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_governor"));
        all.add("governor", governor.unwrap_or(UNKNOWN.into()));
        all.add("turbo", turbo());
        all.add("core_frequency", frequency(core_frequency()));
        all.add("tick_frequency", frequency(tick_frequency()));
        all.add("cycle_counter", if clock.has_cycles() { "perf_event_open" } else { "not available" });
        all.add("timer_overhead_ns", overhead(clock).to_string());
        all.add("system", std::env::consts::OS);
        all.add("kernel", file("/proc/sys/kernel/osrelease").unwrap_or(UNKNOWN.into()));
        all
    }

    /// Adds a value; the name is new.
    pub fn add(&mut self, name: &'static str, value: impl Into<String>) {
        self.0.push((name, value.into()));
    }

    /// A value.
    pub fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(other, _)| *other == name).map_or(UNKNOWN, |(_, value)| value)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(name, value)| (*name, value.as_str()))
    }

    /// As an object of strings.
    pub fn json(&self) -> Json {
        Json::Object(self.iter().map(|(name, value)| (name.to_owned(), Json::text(value))).collect())
    }

    /// What differs between this machine and the one of another header, read by `other`.
    pub fn other_machine(&self, other: impl Fn(&str) -> Option<String>) -> Vec<String> {
        let differs = |name: &&str| other(name).as_deref() != Some(self.get(name));
        let text = |name: &str| {
            format!("{name}: {} there, {} here", other(name).unwrap_or(UNKNOWN.into()), self.get(name))
        };
        MACHINE.into_iter().filter(differs).map(text).collect()
    }
}

/// A small file without the white space around it; `None` where it is unreadable or empty.
fn file(path: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The first value of a name in `/proc/cpuinfo`.
fn field(cpuinfo: &str, name: &str) -> Option<String> {
    let values = cpuinfo.lines().filter_map(|line| line.split_once(':'));
    values
        .filter(|(found, value)| found.trim() == name && !value.trim().is_empty())
        .map(|(_, value)| value.split_whitespace().collect::<Vec<_>>().join(" "))
        .next()
}

fn processor(cpuinfo: &str) -> String {
    let of = |name: &str| field(cpuinfo, name);
    if let Some(name) = of("model name") {
        let model = of("cpu family").zip(of("model")).zip(of("stepping"));
        return match model {
            Some(((family, model), stepping)) => {
                format!("{name} (family {family} model {model} stepping {stepping})")
            }
            None => name,
        };
    }
    match (of("CPU implementer").zip(of("CPU part")), of("uarch").or(of("isa"))) {
        (Some((implementer, part)), _) => format!("implementer {implementer} part {part}"),
        (None, Some(name)) => name,
        (None, None) => UNKNOWN.into(),
    }
}

fn hypervisor(cpuinfo: &str) -> String {
    let name = file("/sys/hypervisor/type").or_else(|| file("/sys/class/dmi/id/sys_vendor"));
    let flags = field(cpuinfo, "flags");
    match flags.as_ref().map(|flags| flags.split(' ').any(|flag| flag == "hypervisor")) {
        Some(true) => name.map_or("yes".into(), |name| format!("yes ({name})")),
        Some(false) => "none".into(),
        None => UNKNOWN.into(),
    }
}

/// A switch that is a file.
fn switch(path: &str, value: &str, is: &str, is_not: &str) -> String {
    file(path).map_or(UNKNOWN.into(), |found| if found == value { is.into() } else { is_not.into() })
}

fn turbo() -> String {
    match switch("/sys/devices/system/cpu/intel_pstate/no_turbo", "0", "on", "off").as_str() {
        UNKNOWN => switch("/sys/devices/system/cpu/cpufreq/boost", "1", "on", "off"),
        known => known.into(),
    }
}

fn frequency(hertz: Option<f64>) -> String {
    hertz.map_or(UNKNOWN.into(), |hertz| format!("{:.3} GHz (estimate)", hertz / 1e9))
}

/// Ticks of the time stamp in a second.
fn tick_frequency() -> Option<f64> {
    let (start, first) = (Instant::now(), ticks());
    while start.elapsed() < Duration::from_millis(5) {
        std::hint::spin_loop();
    }
    let (time, last) = (start.elapsed(), ticks());
    (last > first).then(|| (last - first) as f64 / time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_have_names() {
        let x86 = "processor\t: 0\ncpu family\t: 6\nmodel\t\t: 207\nmodel name\t: A  B\nstepping\t: 2\nflags\t: fpu hypervisor\n";
        assert_eq!(processor(x86), "A B (family 6 model 207 stepping 2)");
        assert!(hypervisor(x86).starts_with("yes"));
        assert_eq!(processor("CPU implementer : 0x41\nCPU part : 0xd0c\n"), "implementer 0x41 part 0xd0c");
        assert_eq!(processor("uarch : thead,c910\n"), "thead,c910");
        assert_eq!((processor(""), hypervisor("")), (UNKNOWN.into(), UNKNOWN.into()));
    }

    #[test]
    fn another_machine_is_told_by_what_differs() {
        let mut here = Environment::default();
        MACHINE.into_iter().for_each(|name| here.add(name, "same"));
        assert!(here.other_machine(|_| Some("same".into())).is_empty());
        let other = here.other_machine(|name| (name != "processor").then(|| "same".into()));
        assert_eq!(other, ["processor: unknown there, same here"]);
    }

    #[test]
    fn everything_has_a_value() {
        let here = Environment::look(&mut System::new());
        assert!(here.iter().count() >= 20);
        assert!(here.iter().all(|(_, value)| !value.is_empty()));
        assert_eq!(here.get("no such thing"), UNKNOWN);
    }
}
