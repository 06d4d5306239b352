//! Falcon's base sampler alone, in core cycles a sample: ours on every backend, beside the paper baseline.
//!
//! The paper baseline is what "Vectorized Falcon-Sign" (TCHES 2026.1) compares with: three limbs of 24 bits, one
//! sample a call, nothing vectorised; 56 cycles in C. A core cycle is a third of a link in a chain of dependent
//! multiplications, which take three cycles each on every x86-64 processor of the last 15 years; the chain runs in
//! every round, beside what it is the measure of. Everything is a median over rounds in which all take turns.
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
    use core::arch::asm;
    use core::arch::x86_64::_rdtsc;
    use pqc::Isa;
    use pqc::falcon::kernels::Kernels;
    use pqc::isa::{Op, with};
    use pqc::symmetric::chacha20::{BUFFER_LEN, Prng, SEED_LEN};
    use std::hint::black_box;

    /// Bytes from one trial to the next.
    const TRIAL_LEN: usize = 11;
    /// Samples of one call: as many as the vectors make of a buffer.
    const SAMPLES: usize = 48;
    /// Samples of one buffer that signing has a use for.
    const USED: usize = BUFFER_LEN / TRIAL_LEN;
    const CALLS: usize = 2000;
    const LINKS: usize = 30_000;

    /// At most so many cycles a sample alone; at least so many times as fast as the paper baseline.
    const TARGETS: [(&str, f64, f64); 3] = [("sse2", 14.0, 4.0), ("avx2", 7.0, 8.4), ("avx512f", 5.5, 9.0)];

    /// The table as the paper's programs have it: 18 rows of three limbs, most significant first.
    static ROWS: [[u32; 3]; 18] = [
        [10745844, 3068844, 3741698],
        [5559083, 1580863, 8248194],
        [2260429, 13669192, 2736639],
        [708981, 4421575, 10046180],
        [169348, 7122675, 4136815],
        [30538, 13063405, 7650655],
        [4132, 14505003, 7826148],
        [417, 16768101, 11363290],
        [31, 8444042, 8086568],
        [1, 12844466, 265321],
        [0, 1232676, 13644283],
        [0, 38047, 9111839],
        [0, 870, 6138264],
        [0, 14, 12545723],
        [0, 0, 3104126],
        [0, 0, 28824],
        [0, 0, 198],
        [0, 0, 1],
    ];

    /// The same value in a register: a sum of these is not vectorised.
    #[inline(always)]
    fn in_a_register(mut x: u32) -> u32 {
        // SAFETY: no instruction.
        unsafe { asm!("/* {0:e} */", inout(reg) x, options(pure, nomem, nostack, preserves_flags)) };
        x
    }

    /// The paper baseline: one sample.
    #[inline(never)]
    fn baseline(trial: &[u8; TRIAL_LEN]) -> u32 {
        let limb = |i: usize| u32::from_le_bytes([trial[i], trial[i + 1], trial[i + 2], 0]);
        let (low, middle, high) = (limb(0), limb(3), limb(6));
        let mut z0 = 0;
        for row in &ROWS {
            let mut borrow = low.wrapping_sub(row[2]) >> 31;
            borrow = middle.wrapping_sub(row[1]).wrapping_sub(borrow) >> 31;
            borrow = high.wrapping_sub(row[0]).wrapping_sub(borrow) >> 31;
            z0 = in_a_register(z0 + borrow);
        }
        z0
    }

    fn ticks(work: impl FnOnce()) -> f64 {
        // SAFETY: every x86-64 processor has the counter.
        let start = unsafe { _rdtsc() };
        work();
        // SAFETY: as above.
        (unsafe { _rdtsc() } - start) as f64
    }

    /// Ticks of a core cycle.
    fn ticks_of_a_cycle() -> f64 {
        let mut x = black_box(3u64);
        let all = ticks(|| {
            for _ in 0..LINKS / 10 {
                // SAFETY: ten multiplications of a register.
                unsafe {
                    asm!(".rept 10", "imul {0}, {0}", ".endr", inout(reg) x, options(pure, nomem, nostack));
                }
            }
            black_box(x);
        });
        all / (3 * LINKS) as f64
    }

    struct Alone<'a> {
        bytes: &'a [u8],
        samples: &'a mut [u32],
    }

    impl<K: Kernels> Op<K> for Alone<'_> {
        type Out = ();
        #[inline(always)]
        fn run(self, k: K) {
            for _ in 0..CALLS {
                k.base_samples(black_box(self.bytes), black_box(&mut *self.samples));
            }
        }
    }

    struct WithBytes<'a> {
        samples: &'a mut [u32],
    }

    impl<K: Kernels> Op<K> for WithBytes<'_> {
        type Out = ();
        #[inline(always)]
        fn run(self, k: K) {
            let mut prng = Prng::new(k, &[7; SEED_LEN]);
            for _ in 0..CALLS {
                prng.refill(k);
                k.base_samples(prng.buffer(), black_box(&mut *self.samples));
            }
        }
    }

    fn median(values: &mut [f64]) -> f64 {
        values.sort_unstable_by(f64::total_cmp);
        values[values.len() / 2]
    }

    /// Cycles a sample, a value a round.
    #[derive(Default)]
    struct Times {
        alone: Vec<f64>,
        with_bytes: Vec<f64>,
        /// How many times the baseline of the same round.
        ratio: Vec<f64>,
    }

    pub fn main() {
        let rounds =
            std::env::args().nth(1).map_or(101, |rounds| rounds.parse().expect("ROUNDS is a number"));
        let isas: Vec<Isa> = Isa::ALL.iter().copied().filter(|isa| isa.is_supported()).collect();
        let prng = with(Isa::Scalar, Made);
        let bytes = &prng[..TRIAL_LEN * SAMPLES + 5];
        let trials = &bytes.as_chunks::<TRIAL_LEN>().0[..SAMPLES];
        let mut samples = [0; SAMPLES];
        let expected: Vec<u32> = trials.iter().map(baseline).collect();
        let mut baselines = Vec::new();
        let mut times: Vec<Times> = isas.iter().map(|_| Times::default()).collect();
        for _ in 0..rounds {
            let cycle = ticks_of_a_cycle();
            let all = ticks(|| {
                for _ in 0..CALLS {
                    for (sample, trial) in samples.iter_mut().zip(black_box(trials)) {
                        *sample = baseline(trial);
                    }
                    black_box(&mut samples);
                }
            });
            let of_baseline = all / (CALLS * SAMPLES) as f64 / cycle;
            baselines.push(of_baseline);
            for (isa, times) in isas.iter().zip(&mut times) {
                let cycle = ticks_of_a_cycle();
                let alone = ticks(|| with(*isa, Alone { bytes, samples: &mut samples }));
                assert_eq!(samples.as_slice(), expected, "{}", isa.name());
                let alone = alone / (CALLS * SAMPLES) as f64 / cycle;
                let cycle = ticks_of_a_cycle();
                let with_bytes = ticks(|| with(*isa, WithBytes { samples: &mut samples }));
                times.alone.push(alone);
                times.with_bytes.push(with_bytes / (CALLS * USED) as f64 / cycle);
                times.ratio.push(of_baseline / alone);
            }
        }
        let mut missed = false;
        println!("Base sampler, core cycles a sample, medians of {rounds} rounds");
        println!();
        println!("| backend | alone | with bytes | paper baseline / alone | targets |");
        println!("| --- | ---: | ---: | ---: | --- |");
        println!("| paper baseline | {:.1} | | 1.0 | |", median(&mut baselines));
        for (isa, times) in isas.iter().zip(&mut times) {
            let [alone, with_bytes, ratio] =
                [&mut times.alone, &mut times.with_bytes, &mut times.ratio].map(|values| median(values));
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

    /// Some random bytes.
    struct Made;

    impl<K: Kernels> Op<K> for Made {
        type Out = Vec<u8>;
        fn run(self, k: K) -> Vec<u8> {
            let mut prng = Prng::new(k, &[9; SEED_LEN]);
            prng.make_next(k);
            prng.buffer().to_vec()
        }
    }
}
