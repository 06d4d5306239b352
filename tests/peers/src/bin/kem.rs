//! Drives the workers that encapsulate keys, and prints their tables.
//!
//! All workers use the same keys, made from seeds by the crate `ml-kem`, and before anything is timed each opens what
//! each encapsulates. Rounds, cells and ratios are those of `main.rs`; the best crate of an operation is the one with
//! the smallest median. Arguments: the number of rounds, then one `NAME=COMMAND` a worker (kem.sh has them); ours have
//! names that begin with `pqc `. The exit code is 1 where a target is missed.

use pqc::bench::chance::Chance;
use pqc_peers::{Worker, interval, median};
use std::collections::BTreeMap;

const SETS: [&str; 3] = ["mlkem512", "mlkem768", "mlkem1024"];

/// A set of ours that no maintained crate has; measured in core cycles.
const CYCLES_SET: &str = "kyber768-90s";

/// The operations and how many are timed in one round: those of a single key, those with its matrix, those of eight.
const OPERATIONS: [(&str, usize); 8] = [
    ("keygen", 48),
    ("encaps", 48),
    ("decaps", 48),
    ("encaps-kept", 48),
    ("decaps-kept", 48),
    ("keygen-batch", 8),
    ("encaps-batch", 8),
    ("decaps-batch", 8),
];

/// The operation of the peers that one of ours is set against.
fn opposite(operation: &str) -> &str {
    operation.strip_suffix("-kept").or(operation.strip_suffix("-batch")).unwrap_or(operation)
}

/// Ours and the largest ratio of its time and that of the best crate.
fn limit(ours: &str, set: &str, operation: &str) -> Option<f64> {
    match (ours, operation) {
        ("pqc avx512f", "keygen") if set == "mlkem768" => Some(0.60),
        ("pqc avx512f", "encaps" | "decaps") if set == "mlkem768" => Some(0.50),
        ("pqc avx512f", "keygen" | "encaps" | "decaps") => Some(0.65),
        ("pqc avx512f", "keygen-batch" | "encaps-batch" | "decaps-batch") if set == "mlkem768" => Some(0.45),
        ("pqc avx2", "keygen" | "encaps" | "decaps") => Some(0.95),
        _ => None,
    }
}

/// The largest thousands of core cycles of [`CYCLES_SET`].
const CYCLE_LIMITS: [(&str, f64); 3] = [("keygen", 9.0), ("encaps", 11.0), ("decaps", 10.0)];

/// The worker that makes the keys.
const KEY_MAKER: &str = "ml-kem";

const KEYS: u8 = 8;

/// By worker, set and operation: one median a round.
type Times = BTreeMap<(String, &'static str, &'static str), Vec<f64>>;

fn is_ours(name: &str) -> bool {
    name.starts_with("pqc ")
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let rounds: usize = arguments.next().expect("rounds").parse().expect("rounds");
    let mut workers: Vec<Worker> = arguments.map(|argument| Worker::start(&argument)).collect();
    for set in SETS {
        set_up(&mut workers, set);
    }
    let zeros = "00".repeat(64);
    for worker in workers.iter_mut().filter(|worker| is_ours(&worker.name)) {
        for _ in 0..KEYS {
            worker.ask(&format!("key {CYCLES_SET} {zeros} -"));
        }
    }
    let (mut times, mut chance) = (Times::new(), Chance::new(0));
    let mut order: Vec<usize> = (0..workers.len()).collect();
    for round in 0..=rounds {
        for set in SETS.into_iter().chain([CYCLES_SET]) {
            for (operation, count) in OPERATIONS {
                chance.shuffle(&mut order);
                for at in &order {
                    let worker = &mut workers[*at];
                    if set == CYCLES_SET && !is_ours(&worker.name) {
                        continue;
                    }
                    let factor = if set == CYCLES_SET { gigahertz(worker) } else { Some(1.0) };
                    let time = worker.time(operation, set, count);
                    // Round 0 warms up.
                    if let (Some(time), Some(factor), 1..) = (time, factor, round) {
                        times.entry((worker.name.clone(), set, operation)).or_default().push(time * factor);
                    }
                }
            }
        }
        eprint!("\rround {round} of {rounds}");
    }
    eprintln!();
    print!("{}", table(&times, &workers, rounds));
    let missed = print_ratios(&times, &workers) | print_cycles(&times, &workers);
    workers.into_iter().for_each(Worker::end);
    std::process::exit(i32::from(missed));
}

/// Gives all workers the same keys and lets each open what each encapsulates.
fn set_up(workers: &mut [Worker], set: &str) {
    let maker =
        workers.iter().position(|w| w.name.starts_with(KEY_MAKER)).expect("the worker that makes keys");
    let mut have = vec![true; workers.len()];
    for number in 0..KEYS {
        let seed: String = (0..64u8).map(|i| format!("{:02x}", i.wrapping_mul(37) ^ number)).collect();
        let made = workers[maker].ask(&format!("key {set} {seed} -"));
        let (public, expanded) = made.split_once(' ').expect("public and expanded key");
        for (worker, have) in workers.iter_mut().zip(&mut have) {
            if worker.name.starts_with(KEY_MAKER) {
                continue;
            }
            let answer = worker.ask(&format!("key {set} {seed} {expanded}"));
            *have = answer != "none";
            if let Some((theirs, exported)) = answer.split_once(' ') {
                assert_eq!(theirs, public, "{}: the public key of a seed", worker.name);
                assert!(
                    exported == expanded || exported == "-",
                    "{}: the private key of a seed",
                    worker.name
                );
            }
        }
    }
    for from in (0..workers.len()).filter(|i| have[*i]) {
        let made = workers[from].ask(&format!("encaps {set}"));
        let (ciphertext, secret) = made.split_once(' ').expect("ciphertext and secret");
        for to in (0..workers.len()).filter(|i| have[*i]) {
            let found = workers[to].ask(&format!("decaps {set} {ciphertext}"));
            let (from, to) = (&workers[from].name, &workers[to].name);
            assert_eq!(found, secret, "{set}: {to} opens what {from} encapsulates");
        }
    }
}

/// Cycles a nanosecond, now.
fn gigahertz(worker: &mut Worker) -> Option<f64> {
    worker.ask("clock").parse::<f64>().ok().map(|nanoseconds| 1.0 / nanoseconds)
}

fn table(times: &Times, workers: &[Worker], rounds: usize) -> String {
    let mut out = format!(
        "Microseconds an operation; median over {rounds} interleaved rounds of the round's median. keygen, encaps: with \
         the\nsystem's random bytes; encaps: from the encoded key, with all checks; decaps: from a parsed key; kept: the\n\
         matrix is kept; batch: one of eight in one call (none: -).\n"
    );
    for set in SETS {
        out += &format!("\n| {set} |");
        OPERATIONS.iter().for_each(|(operation, ..)| out += &format!(" {operation} |"));
        out += "\n| --- |";
        OPERATIONS.iter().for_each(|_| out += " ---: |");
        for worker in workers {
            out += &format!("\n| {} |", worker.name);
            for (operation, _) in OPERATIONS {
                out += &match times.get(&(worker.name.clone(), set, operation)) {
                    Some(values) => format!(" {:.2} |", median(&mut values.clone())),
                    None => " - |".into(),
                };
            }
        }
        out += "\n";
    }
    out
}

/// The crate with the smallest median, and its times.
fn best<'a>(
    times: &'a Times,
    workers: &'a [Worker],
    set: &'static str,
    operation: &str,
) -> Option<(&'a str, &'a [f64])> {
    let key = OPERATIONS.iter().find(|o| o.0 == operation)?.0;
    let crates = workers.iter().filter(|worker| !is_ours(&worker.name));
    let measured =
        crates.filter_map(|w| Some((w.name.as_str(), times.get(&(w.name.clone(), set, key))?.as_slice())));
    measured.min_by(|a, b| median(&mut a.1.to_vec()).total_cmp(&median(&mut b.1.to_vec())))
}

/// Ours against the best crate. Kept rows stand against the crates' kept rows, where any has one, too.
fn print_ratios(times: &Times, workers: &[Worker]) -> bool {
    let mut missed = false;
    println!("\n| set | operation | best crate | us | ours | ratio (median; 95 % interval) | at most | |");
    println!("| --- | --- | --- | ---: | --- | ---: | ---: | --- |");
    for set in SETS {
        for (operation, _) in OPERATIONS {
            let kept = operation.ends_with("-kept").then(|| best(times, workers, set, operation)).flatten();
            let Some((name, theirs)) = kept.or(best(times, workers, set, opposite(operation))) else {
                continue;
            };
            let what = if kept.is_some() { operation } else { opposite(operation) };
            for ours in workers.iter().filter(|worker| is_ours(&worker.name)) {
                let limit = limit(&ours.name, set, operation);
                let row = format!(
                    "| {set} | {operation} | {name}: {what} | {:.2} | {} |",
                    median(&mut theirs.to_vec()),
                    ours.name
                );
                let at_most = limit.map_or("".into(), |limit| format!("{limit:.2}"));
                let Some(values) = times.get(&(ours.name.clone(), set, operation)) else {
                    if limit.is_some() {
                        println!("{row} not measured | {at_most} | MISSED |");
                        missed = true;
                    }
                    continue;
                };
                let mut r: Vec<f64> = values.iter().zip(theirs).map(|(a, b)| a / b).collect();
                r.sort_by(f64::total_cmp);
                let middle = median(&mut r.clone());
                let over = limit.is_some_and(|limit| middle > limit);
                let verdict = if limit.is_none() {
                    ""
                } else if over {
                    "MISSED"
                } else {
                    "met"
                };
                missed |= over;
                println!("{row} {middle:.3}; {} | {at_most} | {verdict} |", interval(&r));
            }
        }
    }
    missed
}

fn print_cycles(times: &Times, workers: &[Worker]) -> bool {
    let mut missed = false;
    println!(
        "\nThousands of core cycles, calibrated by a chain of multiplications beside each measurement.\n"
    );
    println!("| {CYCLES_SET} | keygen | encaps | decaps | encaps-kept | decaps-kept |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    for worker in workers.iter().filter(|worker| is_ours(&worker.name)) {
        print!("| {} |", worker.name);
        for operation in ["keygen", "encaps", "decaps", "encaps-kept", "decaps-kept"] {
            match times.get(&(worker.name.clone(), CYCLES_SET, operation)) {
                Some(values) => print!(" {:.2} |", median(&mut values.clone())),
                None => print!(" - |"),
            }
        }
        println!();
    }
    println!("| at most, on the fastest backend | 9 | 11 | 10 | | |");
    if let Some(fastest) = workers.iter().find(|worker| is_ours(&worker.name)) {
        for (operation, limit) in CYCLE_LIMITS {
            let values = times.get(&(fastest.name.clone(), CYCLES_SET, operation));
            let over = values.is_none_or(|values| median(&mut values.clone()) > limit);
            if over {
                println!("\n{CYCLES_SET} {operation}: MISSED");
            }
            missed |= over;
        }
    }
    missed
}
