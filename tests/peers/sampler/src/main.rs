//! Falcon's base sampler alone, in core cycles a sample: ours on every backend, beside the paper baseline.
//!
//! The paper baseline is what "Vectorized Falcon-Sign" (TCHES 2026.1) compares with: three limbs of 24 bits, one
//! sample a call, nothing vectorised; 56 cycles in C. It and the rounds are the library's (`pqc::bench`); a core cycle is
//! a third of a link in a chain of dependent multiplications, which runs between the rounds.
//!
//! "alone": from 72-bit values that lie in memory as signing has them, to samples in memory. "with bytes": ChaCha20 of
//! the same backend makes them. Usage: peer-sampler [ROUNDS]; exit code 1 where a target is missed.

#[cfg(not(target_arch = "x86_64"))]
fn main() {
    eprintln!("cycles are counted on x86-64 only; elsewhere see tests/counts");
    std::process::exit(2);
}

#[cfg(target_arch = "x86_64")]
fn main() {
    x86_64::main();
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use pqc::Isa;
    use pqc::bench::chance::Chance;
    use pqc::bench::check::{first_difference, outputs};
    use pqc::bench::clock::System;
    use pqc::bench::environment::core_frequency;
    use pqc::bench::fixture::{Run, case};
    use pqc::bench::kernels::{Kernel, SAMPLES_OF_A_CALL, kernel};
    use pqc::bench::rounds::{Shape, Subject, measure, order};
    use pqc::bench::statistics::{Value, median, ratio};
    use pqc::falcon::kernels::Kernels;
    use pqc::isa::{Op, with};
    use pqc::symmetric::chacha20::{BUFFER_LEN, Prng, SEED_LEN};
    use std::hint::black_box;

    /// Bytes from one trial to the next.
    const TRIAL_LEN: usize = 11;
    /// Samples of one call of the kernel: as many as the vectors make of a buffer.
    const SAMPLES: usize = 48;
    /// Samples of one buffer that signing has a use for.
    const USED: usize = BUFFER_LEN / TRIAL_LEN;
    /// Buffers of one call.
    const BUFFERS: usize = 32;
    /// Calls that are timed together.
    const CALLS: usize = 64;

    /// At most so many cycles a sample alone; at least so many times as fast as the paper baseline.
    const TARGETS: [(&str, f64, f64); 3] = [("sse2", 14.0, 4.0), ("avx2", 7.0, 8.4), ("avx512f", 5.5, 9.0)];

    struct WithBytes;

    impl<K: Kernels> Op<K> for WithBytes {
        type Out = [u32; SAMPLES];
        #[inline(always)]
        fn run(self, k: K) -> [u32; SAMPLES] {
            let (mut prng, mut samples) = (Prng::new(k, &[7; SEED_LEN]), [0; SAMPLES]);
            for _ in 0..BUFFERS {
                prng.refill(k);
                k.base_samples(prng.buffer(), black_box(&mut samples));
            }
            samples
        }
    }

    fn with_bytes(isa: Isa) -> Box<dyn Run> {
        case(
            move |_| Ok(with(isa, WithBytes)),
            |samples| samples.iter().map(|sample| *sample as u8).collect(),
        )
    }

    /// Nanoseconds of one sample.
    fn values(subject: &Subject<'_>, samples_of_a_call: usize) -> Vec<Value> {
        let samples = (subject.calls * samples_of_a_call) as f64;
        let value =
            |s: &pqc::bench::rounds::Sample| Value { round: s.round, input: 0, ns: s.ns as f64 / samples };
        subject.samples.iter().map(value).collect()
    }

    pub fn main() {
        let rounds =
            std::env::args().nth(1).map_or(101, |rounds| rounds.parse().expect("ROUNDS is a number"));
        let isas: Vec<Isa> = Isa::ALL.iter().copied().filter(|isa| isa.is_supported()).collect();
        let paper = kernel(Kernel::PaperBaseSampler, Isa::Scalar);
        let expected = outputs(&*paper).expect("samples");
        let mut subjects = vec![Subject::new(0, vec![paper], CALLS)];
        for isa in &isas {
            let alone = kernel(Kernel::BaseSampler, *isa);
            assert_eq!(first_difference(&expected, &*alone), Ok(None), "{}", isa.name());
            subjects.push(Subject::new(0, vec![alone], CALLS));
            subjects.push(Subject::new(0, vec![with_bytes(*isa)], CALLS));
        }
        let order = order(&vec![0; subjects.len()], rounds, false, &mut Chance::new(0));
        let shape = Shape { length_ns: 4_000_000, dropped_ns: 1_000_000 };
        let mut frequencies = Vec::new();
        measure(&mut subjects, &order, shape, &mut System::new(), &[], &mut || {
            frequencies.extend(core_frequency());
            true
        })
        .expect("a kernel does not fail");
        let cycles_of_a_ns = median(&frequencies) / 1e9;
        let cycles = |values: &[Value]| {
            cycles_of_a_ns * median(&values.iter().map(|value| value.ns).collect::<Vec<_>>())
        };
        let paper = values(&subjects[0], SAMPLES_OF_A_CALL);
        let mut missed = false;
        println!("Base sampler, core cycles a sample, medians of {rounds} rounds");
        println!();
        println!("| backend | alone | with bytes | paper baseline / alone | targets |");
        println!("| --- | ---: | ---: | ---: | --- |");
        println!("| paper baseline | {:.1} | | 1.0 | |", cycles(&paper));
        for (isa, pair) in isas.iter().zip(subjects[1..].chunks(2)) {
            let (alone, with_bytes) = (values(&pair[0], SAMPLES_OF_A_CALL), values(&pair[1], BUFFERS * USED));
            let ratio = ratio(&paper, &alone, &mut Chance::new(0)).expect("rounds").value;
            let (alone, with_bytes) = (cycles(&alone), cycles(&with_bytes));
            let target = TARGETS.iter().find(|(name, ..)| *name == isa.name());
            let verdict = target.map_or(String::new(), |(_, most, least)| {
                let good = alone <= *most && ratio >= *least;
                missed |= !good;
                format!("at most {most}, at least {least} times: {}", if good { "reached" } else { "MISSED" })
            });
            println!("| {} | {alone:.1} | {with_bytes:.1} | {ratio:.1} | {verdict} |", isa.name());
        }
        std::process::exit(i32::from(missed));
    }
}
