//! Drives the workers in turn and prints one table.
//!
//! Each round asks every worker, in a shuffled order, for a few operations before the next round begins, so that what
//! disturbs the machine disturbs all of them alike. Clock, medians and intervals are those of `pqc bench`. A cell is the median over the rounds of the round's median; a ratio is the
//! median over the rounds of the ratio within one round, which is what to trust on a machine that others use.
//! Key generation, whose time varies from key to key, is compared once more, by the means of many equal seeds.
//! Arguments: the number of rounds, then one `NAME=COMMAND` a worker (run.sh has them). `PEERS_OPS` names the
//! operations to measure (all where unset; `keygen-seeds` is that comparison), `PEERS_KEYS` the number of seeds
//! (1000). The exit code is 1 where a target is missed.

use pqc::bench::chance::Chance;
use pqc_peers::{Worker, interval, median};
use std::collections::BTreeMap;

/// Operation, and how often it is done in one round at degree 512 and 1024.
const OPERATIONS: [(&str, usize, usize); 6] = [
    ("keygen", 4, 2),
    ("sign-cold", 20, 12),
    ("sign-kept", 40, 20),
    ("sign-batch", 4, 2),
    ("verify-cold", 40, 20),
    ("verify-kept", 40, 20),
];

/// Ours, operation, peer, the peer's operation, largest ratio of the times. A backend that is not measured has none.
const TARGETS: [(&str, &str, &str, &str, f64); 13] = [
    ("pqc scalar", "sign-kept", "fn-dsa 0.4.0, no AVX2", "sign-kept", 1.0),
    ("pqc soft", "sign-kept", "pqcrypto-falcon 0.4.1, no AVX2", "sign-cold", 0.6),
    ("pqc sse2", "sign-kept", "fn-dsa 0.4.0, AVX2", "sign-kept", 0.7),
    ("pqc avx2", "sign-kept", "fn-dsa 0.4.0, AVX2", "sign-kept", 0.45),
    ("pqc avx512f", "sign-kept", "fn-dsa 0.4.0, AVX2", "sign-kept", 0.25),
    ("pqc avx512f", "sign-batch", "fn-dsa 0.4.0, AVX2", "sign-kept", 0.18),
    ("pqc avx2", "sign-batch", "fn-dsa 0.4.0, AVX2", "sign-kept", 0.45),
    ("pqc avx2", "sign-cold", "pqcrypto-falcon 0.4.1, AVX2", "sign-cold", 0.6),
    ("pqc avx512f", "sign-cold", "pqcrypto-falcon 0.4.1, AVX2", "sign-cold", 0.45),
    ("pqc avx2", "verify-cold", "fn-dsa 0.4.0, AVX2", "verify-cold", 0.55),
    ("pqc avx512f", "verify-cold", "fn-dsa 0.4.0, AVX2", "verify-cold", 0.4),
    ("pqc avx2", "verify-kept", "fn-dsa 0.4.0, AVX2", "verify-kept", 0.55),
    ("pqc avx512f", "verify-kept", "fn-dsa 0.4.0, AVX2", "verify-kept", 0.4),
];

/// Workers whose key generation is compared over many equal seeds. `pqcrypto-falcon` takes no seed: as many keys of
/// its own randomness.
const KEY_MAKERS: [&str; 4] =
    ["pqc avx512f", "pqc avx2", "fn-dsa 0.4.0, AVX2", "pqcrypto-falcon 0.4.1, AVX2"];

/// Seeds that a worker makes keys of before the next one has its turn.
const KEYS_AT_ONCE: usize = 10;

/// Ours, peer, largest ratios of the mean times of a key at degree 512 and 1024.
const KEY_TARGETS: [(&str, &str, [f64; 2]); 2] = [
    ("pqc avx512f", "fn-dsa 0.4.0, AVX2", [1.0, 0.9]),
    ("pqc avx512f", "pqcrypto-falcon 0.4.1, AVX2", [0.45, 0.45]),
];

/// The worker whose key the other round 3 workers take over: the only one that cannot take over theirs.
const KEY_MAKER: &str = "pqcrypto-falcon 0.4.1, no AVX2";

/// By worker, degree and operation: one median a round.
type Times = BTreeMap<(String, usize, &'static str), Vec<f64>>;

/// The ratios within the rounds, sorted.
fn ratios(
    times: &Times,
    ours: (&str, &'static str),
    peer: (&str, &'static str),
    degree: usize,
) -> Option<Vec<f64>> {
    let a = times.get(&(ours.0.into(), degree, ours.1))?;
    let b = times.get(&(peer.0.into(), degree, peer.1))?;
    let mut r: Vec<f64> = a.iter().zip(b).map(|(a, b)| a / b).collect();
    r.sort_by(f64::total_cmp);
    Some(r)
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let rounds: usize = arguments.next().expect("rounds").parse().expect("rounds");
    let mut workers: Vec<Worker> = arguments.map(|argument| Worker::start(&argument)).collect();
    let maker = workers.iter().position(|w| w.name == KEY_MAKER).expect("the worker that makes the key");
    for degree in [512, 1024] {
        let key = workers[maker].ask(&format!("setup {degree}"));
        for (i, worker) in workers.iter_mut().enumerate() {
            if i == maker {
                continue;
            }
            let takes_over = worker.name.starts_with("pqc ") || worker.name.starts_with("fn-dsa 0.3");
            worker.ask(&if takes_over { format!("setup {degree} {key}") } else { format!("setup {degree}") });
        }
    }
    let wanted = std::env::var("PEERS_OPS").ok();
    let is_wanted =
        |operation: &str| wanted.as_ref().is_none_or(|w| w.split_whitespace().any(|w| w == operation));
    let (mut times, mut chance) = (Times::new(), Chance::new(0));
    let mut order: Vec<usize> = (0..workers.len()).collect();
    for round in 0..=rounds {
        for degree in [512, 1024] {
            for (operation, few, fewer) in OPERATIONS.iter().copied().filter(|o| is_wanted(o.0)) {
                let count = if degree == 512 { few } else { fewer };
                chance.shuffle(&mut order);
                for at in &order {
                    let worker = &mut workers[*at];
                    let time = worker.time(operation, degree, count);
                    // Round 0 warms up.
                    if let (Some(time), 1..) = (time, round) {
                        times.entry((worker.name.clone(), degree, operation)).or_default().push(time);
                    }
                }
            }
        }
        eprint!("\rround {round} of {rounds}");
    }
    eprintln!();
    print!("{}", table(&times, &workers, rounds));
    let mut missed = print_targets(&times);
    if is_wanted("keygen-seeds") {
        let keys = std::env::var("PEERS_KEYS").map_or(1000, |keys| keys.parse().expect("PEERS_KEYS"));
        missed |= compare_keys(&mut workers, keys);
    }
    workers.into_iter().for_each(Worker::end);
    std::process::exit(i32::from(missed));
}

fn table(times: &Times, workers: &[Worker], rounds: usize) -> String {
    let mut out = format!(
        "Microseconds; median over {rounds} interleaved rounds of the round's median. cold: from the encoded key;\n\
         kept: the key is held in the fastest form that the implementation has (none: -); batch: 16 messages at once\n\
         with a kept key, for one of them.\n"
    );
    for degree in [512, 1024] {
        out += &format!("\n| Falcon-{degree} |");
        OPERATIONS.iter().for_each(|(operation, ..)| out += &format!(" {operation} |"));
        out += "\n| --- |";
        OPERATIONS.iter().for_each(|_| out += " ---: |");
        for worker in workers {
            out += &format!("\n| {} |", worker.name);
            for (operation, ..) in OPERATIONS {
                out += &match times.get(&(worker.name.clone(), degree, operation)) {
                    Some(values) => format!(" {:.1} |", median(&mut values.clone())),
                    None => " - |".into(),
                };
            }
        }
        out += "\n";
    }
    out
}

/// Mean and median of many keys' times, and how much of ours is hashing; whether a target is missed.
fn compare_keys(workers: &mut [Worker], keys: usize) -> bool {
    let mut missed = false;
    println!(
        "\nKeys of {keys} equal seeds, in turn; pqcrypto-falcon: as many of its own randomness. Microseconds. hash:"
    );
    println!(
        "that as many Keccak permutations take as the keys took, timed alone. Microseconds of processor time.\n"
    );
    println!(
        "| key generation | degree | mean ± standard error | median | hash |\n| --- | ---: | ---: | ---: | ---: |"
    );
    let mut verdicts = String::new();
    for (i, degree) in [512, 1024].into_iter().enumerate() {
        let mut all: BTreeMap<&str, (Vec<f64>, Vec<f64>)> = BTreeMap::new();
        for first in (0..keys).step_by(KEYS_AT_ONCE) {
            let count = KEYS_AT_ONCE.min(keys - first);
            for name in KEY_MAKERS {
                let Some(worker) = workers.iter_mut().find(|worker| worker.name == name) else { continue };
                let (times, hashing) = all.entry(name).or_default();
                times.extend(worker.times(&format!("keygen-seeds {degree} {count} {first}")));
                hashing.extend(worker.times(&format!("keygen-hash {degree} {count} {first}")));
            }
            eprint!("\rkey {first} of {keys}");
        }
        eprintln!();
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        for name in KEY_MAKERS {
            let Some((times, hashing)) = all.get(name) else { continue };
            let (middle, n) = (mean(times), times.len() as f64);
            let variance = times.iter().map(|t| (t - middle).powi(2)).sum::<f64>() / (n - 1.0);
            let share = match hashing.as_slice() {
                [] => "-".into(),
                hashing => format!("{:.1} %", 100.0 * mean(hashing) / middle),
            };
            println!(
                "| {name} | {degree} | {middle:.0} ± {:.0} | {:.0} | {share} |",
                (variance / n).sqrt(),
                median(&mut times.clone())
            );
        }
        for (ours, peer, limits) in KEY_TARGETS {
            let ratio = match (all.get(ours), all.get(peer)) {
                (Some((ours, _)), Some((peer, _))) => mean(ours) / mean(peer),
                _ => f64::NAN,
            };
            let met = ratio <= limits[i];
            missed |= !met;
            let verdict = if met { "met" } else { "MISSED" };
            verdicts +=
                &format!("| {ours} / {peer} | {degree} | {ratio:.3} | {:.2} | {verdict} |\n", limits[i]);
        }
    }
    println!(
        "\n| means of {keys} keys | degree | ratio | at most | |\n| --- | ---: | ---: | ---: | --- |\n{verdicts}"
    );
    missed
}

fn print_targets(times: &Times) -> bool {
    let mut missed = false;
    println!("\n| target | degree | ratio (median; 95 % interval) | at most | |");
    println!("| --- | ---: | ---: | ---: | --- |");
    for (ours, operation, peer, peer_operation, limit) in TARGETS {
        for degree in [512, 1024] {
            let Some(r) = ratios(times, (ours, operation), (peer, peer_operation), degree) else {
                println!("| {ours} / {peer} | {degree} | not measured | {limit:.2} | MISSED |");
                missed = true;
                continue;
            };
            let middle = median(&mut r.clone());
            let verdict = if middle <= limit { "met" } else { "MISSED" };
            missed |= middle > limit;
            println!(
                "| {ours} {operation} / {peer} {peer_operation} | {degree} | {middle:.3}; {} | {limit:.2} | {verdict} |",
                interval(&r)
            );
        }
    }
    missed
}
