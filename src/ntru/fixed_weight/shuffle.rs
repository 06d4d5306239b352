//! Sampling without replacement by counts (ePrint 2024/548): the isochronous shuffle.
//!
//! A shuffle that removes a random item of those that remain needs no array when equal items stay side by side: how
//! many remain of each kind says of which kind item p is. Time and addresses depend on which draws were rejected and on
//! nothing else, and that is independent of what was accepted. Exactly uniform, unless the words run out.

use super::{FixedWeight, Kernels, MAX_POSITIONS, MAX_WORDS, ParameterSet, Poly};
use crate::ct::{self, declassify};

/// Positions whose rejections are looked at together.
const BLOCK: usize = 16;
/// Room for positions in whole blocks.
const ROOM: usize = MAX_POSITIONS.next_multiple_of(BLOCK);

/// Bytes of the random words.
pub(super) const fn random_len(set: ParameterSet) -> usize {
    2 * set.shuffle_words()
}

/// Items that remain before each draw: of N positions the last N entries.
static REMAINING: [u16; ROOM] = {
    let mut remaining = [0; ROOM];
    let mut i = 0;
    while i < ROOM {
        remaining[i] = (ROOM - i) as u16;
        i += 1;
    }
    remaining
};

/// 2^16 modulo [`REMAINING`]: of the multiples of s that a 16-bit word can give, those whose lower half is below it are
/// rejected, and then every number below s has equally many words.
static THRESHOLDS: [u16; ROOM] = {
    let mut thresholds = [0; ROOM];
    let mut i = 0;
    while i < ROOM {
        thresholds[i] = ((1 << 16) % REMAINING[i] as u32) as u16;
        i += 1;
    }
    thresholds
};

/// See the module.
#[derive(Clone, Copy)]
pub(in crate::ntru) struct Shuffle;

impl FixedWeight for Shuffle {
    #[inline(always)]
    fn sample<K: Kernels>(self, _: K, set: ParameterSet, random: &[u8], out: &mut Poly) -> bool {
        let (positions, weight) = (set.n() - 1, set.weight().unwrap_or(0));
        let mut words = [0; MAX_WORDS];
        for (word, bytes) in words.iter_mut().zip(random.as_chunks::<2>().0) {
            *word = u16::from_le_bytes(*bytes);
        }
        let words = &words[..set.shuffle_words()];
        let mut indices = [0; MAX_POSITIONS];
        let indices = &mut indices[..positions];
        let is_enough = draw(words, indices);
        deal(indices, weight, &mut out.0[..positions]);
        is_enough
    }
}

/// Uniform numbers: the one of position i below N - i, for N positions. First tries are the first N words; redraws are
/// the words behind them, in order. False where those run out.
#[inline(always)]
fn draw(words: &[u16], indices: &mut [u16]) -> bool {
    let positions = indices.len();
    let (remaining, thresholds) = (&REMAINING[ROOM - positions..], &THRESHOLDS[ROOM - positions..]);
    let (first, redraws) = words.split_at(positions);
    let mut redraws = redraws.iter();
    let mut is_enough = true;
    let bounds = remaining.chunks(BLOCK).zip(thresholds.chunks(BLOCK));
    for ((indices, words), (remaining, thresholds)) in
        indices.chunks_mut(BLOCK).zip(first.chunks(BLOCK)).zip(bounds)
    {
        let mut is_rejected = [0u16; BLOCK];
        for (((index, word), (remaining, threshold)), is_rejected) in
            indices.iter_mut().zip(words).zip(remaining.iter().zip(thresholds)).zip(&mut is_rejected)
        {
            let product = u32::from(*word) * u32::from(*remaining);
            *index = (product >> 16) as u16;
            *is_rejected = u16::from((product as u16) < *threshold);
        }
        let any = is_rejected.iter().fold(0, |any, is_rejected| any | is_rejected);
        if declassify(any, "rejections are independent of what is accepted") == 0 {
            continue;
        }
        for ((index, is_rejected), (remaining, threshold)) in
            indices.iter_mut().zip(is_rejected).zip(remaining.iter().zip(thresholds))
        {
            let mut is_rejected = declassify(is_rejected, "rejections are independent of what is accepted");
            while is_rejected != 0 {
                let Some(word) = redraws.next() else {
                    is_enough = false;
                    break;
                };
                let product = u32::from(*word) * u32::from(*remaining);
                *index = (product >> 16) as u16;
                is_rejected = declassify(
                    u16::from((product as u16) < *threshold),
                    "rejections are independent of what is accepted",
                );
            }
        }
    }
    is_enough
}

/// The count pass: of the items that remain, the first are zeros, then come ones, then twos.
#[inline(always)]
fn deal(indices: &[u16], weight: usize, coefficients: &mut [i16]) {
    let positions = indices.len();
    let (mut zeros, mut zeros_and_ones) = ((positions - weight) as u64, (positions - weight / 2) as u64);
    for (coefficient, index) in coefficients.iter_mut().zip(indices) {
        let index = u64::from(*index);
        let is_zero = ct::opaque(index.wrapping_sub(zeros) >> 63);
        let is_below_two = ct::opaque(index.wrapping_sub(zeros_and_ones) >> 63);
        zeros -= is_zero;
        zeros_and_ones -= is_below_two;
        *coefficient = 2 - (is_zero + is_below_two) as i16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Every polynomial of the weight has the same number of ways to be drawn. N items, d of them not zero.
    #[test]
    fn every_outcome_is_equally_likely() {
        for (positions, weight) in [(6, 4), (7, 4), (8, 4), (9, 6), (5, 2), (4, 4)] {
            let ways: usize = (1..=positions).product();
            let mut counts = BTreeMap::new();
            for way in 0..ways {
                let (mut rest, mut indices) = (way, vec![0; positions]);
                for (i, index) in indices.iter_mut().enumerate() {
                    (*index, rest) = ((rest % (positions - i)) as u16, rest / (positions - i));
                }
                let mut coefficients = vec![0; positions];
                deal(&indices, weight, &mut coefficients);
                *counts.entry(coefficients).or_insert(0usize) += 1;
            }
            let half: usize = (1..=weight / 2).product();
            let zeros: usize = (1..=positions - weight).product();
            assert_eq!(counts.len(), ways / (zeros * half * half), "{positions} {weight}");
            for (coefficients, count) in counts {
                assert_eq!(count * (ways / (zeros * half * half)), ways, "{coefficients:?}");
                let twos = coefficients.iter().filter(|c| **c == 2).count();
                let ones = coefficients.iter().filter(|c| **c == 1).count();
                assert_eq!((ones, twos), (weight / 2, weight / 2));
            }
        }
    }

    /// Of all words, each number below the bound has equally many that are accepted.
    #[test]
    fn every_index_has_equally_many_words() {
        for positions in [1, 2, 3, 7, 16, 17, 254, 508, 1000, 1228] {
            let (bound, threshold) = (REMAINING[ROOM - positions], THRESHOLDS[ROOM - positions]);
            assert_eq!(usize::from(bound), positions);
            let mut counts = vec![0u32; positions];
            for word in 0..=u16::MAX {
                let product = u32::from(word) * u32::from(bound);
                if product as u16 >= threshold {
                    counts[(product >> 16) as usize] += 1;
                }
            }
            assert!(counts.iter().all(|count| *count == (1 << 16) / positions as u32), "{positions}");
        }
    }

    /// A word that position `i` of `positions` rejects, where there is one: 0 is the first multiple of everything.
    fn rejects(positions: usize, i: usize) -> bool {
        THRESHOLDS[ROOM - positions + i] > 0
    }

    /// Plain text of the definition.
    fn expected(words: &[u16], positions: usize) -> Option<Vec<u16>> {
        let mut redraws = words[positions..].iter();
        (0..positions)
            .map(|i| {
                let bound = (positions - i) as u32;
                let mut word = words[i];
                loop {
                    let product = u32::from(word) * bound;
                    if product & 0xFFFF >= (1 << 16) % bound {
                        return Some((product >> 16) as u16);
                    }
                    word = *redraws.next()?;
                }
            })
            .collect()
    }

    #[test]
    fn redraws_at_every_position_several_in_a_row_and_until_none_is_left() {
        for set in ParameterSet::ALL.into_iter().filter(|set| set.weight().is_some()) {
            let (positions, len) = (set.n() - 1, set.shuffle_words());
            let mut words: Vec<u16> = (0..len).map(|i| (i * 40503 + 12345) as u16).collect();
            let check = |words: &[u16]| {
                let mut indices = vec![0; positions];
                let is_enough = draw(words, &mut indices);
                let expected = expected(words, positions);
                assert_eq!(is_enough, expected.is_some());
                if let Some(expected) = expected {
                    assert_eq!(indices, expected);
                }
                is_enough
            };
            check(&words);
            for i in 0..positions {
                let kept = words[i];
                words[i] = 0;
                check(&words);
                words[i] = kept;
            }
            // Whole blocks, and redraws that are rejected once more.
            for start in (0..positions).step_by(BLOCK) {
                let mut changed = words.clone();
                changed[start..(start + BLOCK).min(positions)].fill(0);
                changed[positions..positions + 3].fill(0);
                check(&changed);
            }
            words.fill(u16::MAX);
            assert!(check(&words));
            // Zeros are accepted only where nothing can be rejected.
            words.fill(0);
            assert!(rejects(positions, 0) && !check(&words));
            words[..positions].fill(u16::MAX);
            words[0] = 0;
            *words.last_mut().expect("words") = 0x8001;
            assert!(check(&words), "the last word is the one that is accepted");
            words[0] = u16::MAX;
            *words.last_mut().expect("words") = 0;
            assert!(check(&words));
        }
    }
}
