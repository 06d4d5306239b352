//! Single steps that papers give figures for, and the baseline that they measure against.

use super::fixture::{Run, case};
use crate::falcon::Params;
use crate::falcon::base_sampler::LIMBS;
use crate::falcon::kernels::Kernels;
use crate::isa::{self, Isa, Op};
use crate::kyber::stages::forward_ntt;
use crate::ntru;
use std::hint::black_box;

/// Calls in one: so many that the dispatch does not count.
const REPETITIONS: usize = 32;

/// Bytes from one value of the base sampler to the next.
const TRIAL_LEN: usize = 11;
/// Values of a call: as many as vectors make of a buffer of random bytes.
const SAMPLES: usize = 48;
/// Samples of one call of [`Kernel::BaseSampler`] and [`Kernel::PaperBaseSampler`].
pub const SAMPLES_OF_A_CALL: usize = REPETITIONS * SAMPLES;
/// Bytes that a vector may read past the last value.
const SLACK_LEN: usize = 64;

/// A step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// Falcon's base sampler without its random bytes.
    BaseSampler,
    /// The same as "Vectorized Falcon-Sign" (TCHES 2026.1) has it before: three limbs of 24 bits, one sample a call, no
    /// vectors. On every backend the same.
    PaperBaseSampler,
    /// Falcon's forward transform.
    Fft(Params),
    /// Kyber's forward transform.
    KyberNtt,
    /// A sampler of NTRU-HPS without its random bytes.
    FixedWeight(ntru::ParameterSet, ntru::Sampler),
}

/// A step on a backend.
pub fn kernel(kernel: Kernel, isa: Isa) -> Box<dyn Run> {
    match kernel {
        Kernel::BaseSampler => {
            let bytes = trial_bytes();
            case(move |_| Ok(isa::with(isa, BaseSamples(&bytes))), encoded)
        }
        Kernel::PaperBaseSampler => {
            let bytes = trial_bytes();
            case(move |_| Ok(paper_samples(&bytes)), encoded)
        }
        Kernel::Fft(params) => {
            let values: Vec<f64> = (0..params.n()).map(|i| (i % 251) as f64 - 125.0).collect();
            case(
                move |_| Ok(isa::with(isa, Fft(&values))),
                |values| values.iter().flat_map(|value| value.to_le_bytes()).collect(),
            )
        }
        Kernel::KyberNtt => case(move |_| Ok(forward_ntt(isa, REPETITIONS)), words),
        Kernel::FixedWeight(set, sampler) => {
            case(move |_| Ok(ntru::stages::fixed_weight(set, sampler, isa, REPETITIONS)), words)
        }
    }
}

/// Little-endian.
fn words(values: Vec<i16>) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn encoded(samples: [u32; SAMPLES]) -> Vec<u8> {
    samples.iter().map(|sample| *sample as u8).collect()
}

/// Bytes of all values of a call.
fn trial_bytes() -> Vec<u8> {
    let mut chance = super::chance::Chance::new(1);
    (0..TRIAL_LEN * SAMPLES + SLACK_LEN).map(|_| chance.number() as u8).collect()
}

struct BaseSamples<'a>(&'a [u8]);

impl<K: Kernels> Op<K> for BaseSamples<'_> {
    type Out = [u32; SAMPLES];

    #[inline(always)]
    fn run(self, k: K) -> [u32; SAMPLES] {
        let mut samples = [0; SAMPLES];
        for _ in 0..REPETITIONS {
            k.base_samples(black_box(self.0), black_box(&mut samples));
        }
        samples
    }
}

struct Fft<'a>(&'a [f64]);

impl<K: Kernels> Op<K> for Fft<'_> {
    type Out = Vec<f64>;

    #[inline(always)]
    fn run(self, k: K) -> Vec<f64> {
        let mut values = self.0.to_vec();
        for _ in 0..REPETITIONS {
            values.copy_from_slice(black_box(self.0));
            k.fft(&mut values);
        }
        values
    }
}

/// The table as the paper's programs have it: rows of three limbs, most significant first, in memory.
static ROWS: [[u32; 3]; 18] = LIMBS;

/// One sample of the paper's baseline. Not inlined, so that no vectors are made of several.
#[inline(never)]
fn paper_sample(trial: &[u8; TRIAL_LEN]) -> u32 {
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

/// The same value in a register: a sum of these is not vectorised.
#[inline(always)]
fn in_a_register(x: u32) -> u32 {
    super::counters::opaque(x)
}

fn paper_samples(bytes: &[u8]) -> [u32; SAMPLES] {
    let mut samples = [0; SAMPLES];
    for _ in 0..REPETITIONS {
        for (sample, trial) in samples.iter_mut().zip(black_box(bytes).as_chunks::<TRIAL_LEN>().0) {
            *sample = paper_sample(trial);
        }
        black_box(&mut samples);
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_give_the_same_everywhere() {
        let of = |step, isa| kernel(step, isa).output(0).expect("a step does not fail");
        let paper = of(Kernel::PaperBaseSampler, Isa::Scalar);
        assert!(paper.iter().any(|sample| *sample > 1));
        for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_supported()) {
            assert_eq!(of(Kernel::BaseSampler, isa), paper, "{}", isa.name());
            let shuffle = Kernel::FixedWeight(ntru::ParameterSet::Hps2048509, ntru::Sampler::Shuffle);
            for step in
                [Kernel::Fft(Params::Falcon512), Kernel::Fft(Params::Falcon1024), Kernel::KyberNtt, shuffle]
            {
                assert_eq!(of(step, isa), of(step, Isa::Scalar), "{}: {step:?}", isa.name());
            }
        }
    }
}
