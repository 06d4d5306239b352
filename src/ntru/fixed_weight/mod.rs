//! Ternary polynomials of a fixed weight, from random bytes: two ways behind one trait.
//!
//! [`shuffle`] draws without replacement, exactly uniform and in linear time (ePrint 2024/548); [`sort`] is the mapping
//! of the submission to NIST. They map the same bytes to different polynomials of the same set: keys and ciphertexts of
//! either are those of the other. HRSS has no such polynomials.

mod batch;
mod shuffle;
mod sort;

use super::kernels::Kernels;
use super::params::{MAX_POSITIONS, ParameterSet};
use super::poly::Poly;

pub(super) use batch::{BATCH, SampleBatch, batch_random_len, batch_stride};
pub(super) use shuffle::Shuffle;
pub(super) use sort::Sort;

/// How polynomials of a fixed weight are made from random bytes. HRSS has none, and then it makes no difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sampler {
    /// Drawn without replacement by counts, in linear time, exactly uniform.
    #[default]
    Shuffle,
    /// Random keys sorted by a network, as in the submission to NIST: its known answers hold for this one.
    Sort,
}

impl Sampler {
    /// Its name in options.
    pub const fn name(self) -> &'static str {
        match self {
            Sampler::Shuffle => "shuffle",
            Sampler::Sort => "sort",
        }
    }

    /// Random bytes of a polynomial of a fixed weight; 0 for HRSS.
    pub(super) const fn random_len(self, set: ParameterSet) -> usize {
        match (self, set.weight()) {
            (_, None) => 0,
            (Sampler::Shuffle, _) => shuffle::random_len(set),
            (Sampler::Sort, _) => sort::random_len(set),
        }
    }

    /// [`FixedWeight::sample`] of either.
    #[inline(always)]
    pub(super) fn sample<K: Kernels>(self, k: K, set: ParameterSet, random: &[u8], out: &mut Poly) -> bool {
        match self {
            Sampler::Shuffle => Shuffle.sample(k, set, random, out),
            Sampler::Sort => Sort.sample(k, set, random, out),
        }
    }
}

/// A way to make a polynomial of weight d, half ones and half twos.
pub(super) trait FixedWeight {
    /// Fills in n - 1 coefficients in {0, 1, 2}; false where the random bytes did not suffice, and then what was
    /// written has no meaning. In: as many bytes as [`Sampler::random_len`] says; `out` is zero.
    fn sample<K: Kernels>(self, k: K, set: ParameterSet, random: &[u8], out: &mut Poly) -> bool;
}
