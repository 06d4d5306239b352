//! The shuffle of many polynomials at once: each lane is one of them.
//!
//! Word i of all of them lies side by side, as does word i + 1, and so on: random bytes are as good in any order. So a
//! position has one bound for all lanes, and no lane waits for another one. A lane whose draw is rejected takes its own
//! next word, as a single polynomial does ([`super::shuffle`]): from the same words it is the same polynomial.

use super::shuffle::{REMAINING, THRESHOLDS, of_positions, redraw};
use super::{Kernels, ParameterSet};
use crate::ct::declassify;
use crate::isa::Op;
use crate::simd::{Int16, MAX_LANES16, Simd, Token};

/// Polynomials of a batch.
pub(in crate::ntru) const BATCH: usize = MAX_LANES16;

/// Bytes of the random words of a batch.
pub(in crate::ntru) const fn batch_random_len(set: ParameterSet) -> usize {
    BATCH * super::shuffle::random_len(set)
}

/// Coefficients from one polynomial of a batch to the next.
pub(in crate::ntru) const fn batch_stride(set: ParameterSet) -> usize {
    (set.n() - 1).next_multiple_of(8)
}

/// [`BATCH`] polynomials of the set's weight, `batch_stride` coefficients apart, of which the first n - 1 count. Gives one
/// bit for each: 1 where its words did not suffice, and then what was written has no meaning.
///
/// In: a set of HPS; [`batch_random_len`] bytes, of which each 64 are a word of every polynomial.
pub(in crate::ntru) struct SampleBatch<'a> {
    pub set: ParameterSet,
    pub random: &'a [u8],
    pub out: &'a mut [i16],
}

impl<K: Kernels> Op<K> for SampleBatch<'_> {
    type Out = u32;

    #[inline(always)]
    fn run(self, k: K) -> u32 {
        k.vector().enter(OnVectors(self))
    }
}

/// [`SampleBatch`] on the vocabulary.
struct OnVectors<'a>(SampleBatch<'a>);

impl<S: Simd> Op<S> for OnVectors<'_> {
    type Out = u32;

    #[inline(always)]
    fn run(self, s: S) -> u32 {
        let SampleBatch { set, random, out } = self.0;
        let mut lanes =
            Lanes { set, random: &random[..batch_random_len(set)], redraws: [0; BATCH], short: 0 };
        for first in (0..BATCH).step_by(S::LANES16) {
            lanes.sample(s, first, out);
        }
        lanes.short
    }
}

struct Lanes<'a> {
    set: ParameterSet,
    random: &'a [u8],
    /// Words that each polynomial took after those of the first tries.
    redraws: [usize; BATCH],
    short: u32,
}

impl Lanes<'_> {
    /// The polynomials from `first` on, one in each lane.
    #[inline(always)]
    fn sample<S: Simd>(&mut self, s: S, first: usize, out: &mut [i16]) {
        let (positions, weight) = (self.set.n() - 1, self.set.weight().unwrap_or(0));
        let stride = batch_stride(self.set);
        let (remaining, thresholds) =
            (of_positions(&REMAINING, positions), of_positions(&THRESHOLDS, positions));
        let mut zeros = s.splat_i16((positions - weight) as i16);
        let mut zeros_and_ones = s.splat_i16((positions - weight / 2) as i16);
        for start in (0..stride).step_by(8) {
            // Behind the last position a draw is zero and never rejected.
            let mut rows = [s.splat_i16(0); 8];
            for (i, row) in rows.iter_mut().enumerate() {
                let position = start + i;
                let word = s.load_bytes_i16(&self.random[2 * (position * BATCH + first)..]);
                let bound = s.splat_i16(remaining[position]);
                let mut index = word.mul_high_unsigned(bound);
                let rejected = s.below_i16(word * bound, s.splat_i16(thresholds[position]));
                let rejected = declassify(rejected, "rejections are independent of what is accepted");
                if rejected != 0 {
                    let mut indices = [0; MAX_LANES16];
                    s.store_i16(&mut indices, index);
                    self.redraw(position, first, rejected, &mut indices);
                    index = s.load_i16(&indices);
                }
                // Of the items that remain, the first are zeros, then come ones, then twos.
                let (is_zero, is_below_two) =
                    ((index - zeros).sign_mask(), (index - zeros_and_ones).sign_mask());
                *row = s.splat_i16(2) + is_zero + is_below_two;
                (zeros, zeros_and_ones) = (zeros + is_zero, zeros_and_ones + is_below_two);
            }
            if S::LANES16 == 1 {
                for (i, row) in rows.into_iter().enumerate() {
                    s.store_i16(&mut out[first * stride + start + i..], row);
                }
            } else {
                crate::ntru::lanes::transpose_eights(s, &mut rows);
                for (i, row) in rows.into_iter().enumerate() {
                    s.store_eights_i16(&mut out[(first + i) * stride + start..], 8 * stride, row);
                }
            }
        }
    }

    /// New draws for a position in the lanes whose bits are set.
    #[inline(never)]
    fn redraw(&mut self, position: usize, first: usize, mut lanes: u32, indices: &mut [i16; MAX_LANES16]) {
        let positions = self.set.n() - 1;
        let words = self.random[2 * BATCH * positions..].as_chunks::<2>().0;
        let remaining = of_positions(&REMAINING, positions)[position];
        let threshold = of_positions(&THRESHOLDS, positions)[position];
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            let taken = &mut self.redraws[first + lane];
            let mut words = core::iter::from_fn(|| {
                let word = words.get(*taken * BATCH + first + lane)?;
                *taken += 1;
                Some(word)
            });
            let is_enough = redraw(remaining, threshold, &mut words, &mut indices[lane]);
            self.short |= u32::from(!is_enough) << (first + lane);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Sampler;
    use super::*;
    use crate::isa::{self, Isa};
    use crate::ntru::kem::SampleFixedWeight;

    /// The words of single polynomials, side by side.
    fn side_by_side(singles: &[Vec<u8>]) -> Vec<u8> {
        let words: Vec<_> = singles.iter().map(|single| single.as_chunks::<2>().0).collect();
        (0..words[0].len()).flat_map(|i| words.iter().flat_map(move |words| words[i])).collect()
    }

    #[test]
    fn a_batch_is_as_many_single_polynomials_on_every_backend() {
        for set in ParameterSet::ALL.into_iter().filter(|set| set.weight().is_some()) {
            let positions = set.n() - 1;
            let mut state = 1u64;
            let mut singles: Vec<Vec<u8>> = (0..BATCH)
                .map(|_| {
                    let bytes = (0..Sampler::Shuffle.random_len(set)).map(|_| {
                        state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
                        (state >> 56) as u8
                    });
                    bytes.collect()
                })
                .collect();
            // Zeros are rejected almost everywhere: in one lane, in two at once, in several positions, in words for
            // redraws, and until there is none left.
            singles[3][2 * 100..2 * 100 + 2].fill(0);
            singles[30][2 * 100..2 * 107].fill(0);
            singles[31][..2 * 5].fill(0);
            singles[0][2 * positions - 40..2 * positions + 2].fill(0);
            singles[17].fill(0);
            singles[8][2 * 10..2 * 12].fill(0);
            singles[8][2 * positions..].fill(0);
            let random = side_by_side(&singles);
            for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_supported()) {
                let mut out = vec![0; BATCH * batch_stride(set)];
                let short = isa::with(isa, SampleBatch { set, random: &random, out: &mut out });
                for (i, (single, out)) in singles.iter().zip(out.chunks(batch_stride(set))).enumerate() {
                    let sample = SampleFixedWeight { set, sampler: Sampler::Shuffle, random: single };
                    let expected = isa::with(isa, sample);
                    assert_eq!(short >> i & 1 == 1, expected.is_none(), "{i} on {}", isa.name());
                    let found: Vec<u8> = out[..positions].iter().map(|c| *c as u8).chain([0]).collect();
                    assert!(expected.is_none_or(|expected| expected == found), "{i} on {}", isa.name());
                }
                assert_eq!(short, 1 << 17 | 1 << 8);
            }
        }
    }
}
