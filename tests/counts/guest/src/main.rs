//! Runs kernels between markers, on each backend of this target; prints one line a region: backend, name, and by how
//! many units its counts are to be divided.
//!
//! To count something else, add a line to [`regions`]. A region is run once before it counts, so that what happens
//! once a process (asking the processor, linking) is not in it.

mod falcon;
mod kyber;
mod markers;
mod ntru;

use pqc::Isa;

/// A region: its name, its units, and what runs it on a backend.
struct Region {
    name: &'static str,
    units: usize,
    run: fn(Isa),
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    for isa in Isa::ALL.iter().filter(|isa| isa.is_supported()) {
        for region in falcon::regions().chain(kyber::regions()).chain(ntru::regions()) {
            if !wanted.is_empty()
                && !wanted.iter().any(|w| region.name.starts_with(w.as_str()) || w == isa.name())
            {
                continue;
            }
            // The plugin writes a line for each of the two.
            for round in ["warm", "counted"] {
                (region.run)(*isa);
                println!("{round} {} {} {}", isa.name(), region.name, region.units);
            }
        }
    }
}
