//! Sampling without replacement by counts (ePrint 2024/548): the isochronous shuffle.
//!
//! A shuffle that removes a random item of those that remain needs no array when equal items stay side by side: how
//! many remain of each kind says of which kind item p is. Time and addresses depend on which draws were rejected and on
//! nothing else, and that is independent of what was accepted. Exactly uniform, unless the words run out.
//!
//! One step after the other would wait for the counts each time. Here [`places`] finds, for blocks of 16 steps side by
//! side in the lanes, where each item lay when its block began; then a block takes one step ([`Counts::deal_block`]).

use super::{FixedWeight, Kernels, MAX_POSITIONS, ParameterSet, Poly};
use crate::ct::{self, declassify};
use crate::isa::Op;
use crate::simd::{Int16, MAX_LANES16, Simd, Token};

/// Steps in a block.
const BLOCK: usize = 16;
/// Room for positions in whole vectors.
const ROOM: usize = MAX_POSITIONS.next_multiple_of(MAX_LANES16) + MAX_LANES16;

/// Bytes of the random words.
pub(super) const fn random_len(set: ParameterSet) -> usize {
    2 * set.shuffle_words()
}

/// Items that remain before each draw: of N positions the N entries before the last [`MAX_LANES16`], which are zero.
pub(super) static REMAINING: [i16; ROOM] = {
    let mut remaining = [0; ROOM];
    let mut i = 0;
    while i < ROOM - MAX_LANES16 {
        remaining[i] = (ROOM - MAX_LANES16 - i) as i16;
        i += 1;
    }
    remaining
};

/// 2^16 modulo [`REMAINING`]: of the multiples of s that a 16-bit word can give, those whose lower half is below it are
/// rejected, and then every number below s has equally many words.
pub(super) static THRESHOLDS: [i16; ROOM] = {
    let mut thresholds = [0; ROOM];
    let mut i = 0;
    while i < ROOM - MAX_LANES16 {
        thresholds[i] = ((1 << 16) % REMAINING[i] as u32) as i16;
        i += 1;
    }
    thresholds
};

/// What is in a table for N positions.
#[inline(always)]
pub(super) fn of_positions(table: &[i16; ROOM], positions: usize) -> &[i16] {
    &table[ROOM - MAX_LANES16 - positions..]
}

/// See the module.
#[derive(Clone, Copy)]
pub(in crate::ntru) struct Shuffle;

impl FixedWeight for Shuffle {
    #[inline(always)]
    fn sample<K: Kernels>(self, k: K, set: ParameterSet, random: &[u8], out: &mut Poly) -> bool {
        k.vector().enter(Sample { set, random, out })
    }
}

/// [`FixedWeight::sample`].
struct Sample<'a> {
    set: ParameterSet,
    random: &'a [u8],
    out: &'a mut Poly,
}

impl<S: Simd> Op<S> for Sample<'_> {
    type Out = bool;

    #[inline(always)]
    fn run(self, s: S) -> bool {
        let Sample { set, random, out } = self;
        let (positions, weight) = (set.n() - 1, set.weight().unwrap_or(0));
        // Draws, and in their place the coefficients.
        let out = &mut out.0[..ROOM];
        // Whole groups of blocks are read and written; behind them all is zero already.
        let end = positions.next_multiple_of(BLOCK * S::LANES16).min(ROOM);
        let is_enough = draw(s, positions, &random[..random_len(set)], out);
        deal(s, weight, positions, out);
        out[positions..end].fill(0);
        is_enough
    }
}

/// Uniform numbers: the one of position i below N - i, for N positions. First tries are the first N words; redraws are
/// the words behind them, in order. False where those run out. What follows the N numbers are zeros.
#[inline(always)]
fn draw<S: Simd>(s: S, positions: usize, random: &[u8], indices: &mut [i16]) -> bool {
    let (remaining, thresholds) = (of_positions(&REMAINING, positions), of_positions(&THRESHOLDS, positions));
    let mut redraws = random[2 * positions..].as_chunks::<2>().0.iter();
    let mut is_enough = true;
    for first in (0..positions).step_by(S::LANES16) {
        let word = s.load_bytes_i16(&random[2 * first..]);
        let (bound, threshold) = (s.load_i16(&remaining[first..]), s.load_i16(&thresholds[first..]));
        s.store_i16(&mut indices[first..], word.mul_high_unsigned(bound));
        let rejected = s.below_i16(word * bound, threshold);
        let mut rejected = declassify(rejected, "rejections are independent of what is accepted");
        // Behind the positions no word is: nothing is below a threshold of zero.
        while rejected != 0 {
            let at = first + rejected.trailing_zeros() as usize;
            rejected &= rejected - 1;
            is_enough &= redraw(remaining[at], thresholds[at], &mut redraws, &mut indices[at]);
        }
    }
    let end = positions.next_multiple_of(BLOCK * S::LANES16).min(indices.len());
    indices[positions.next_multiple_of(S::LANES16)..end].fill(0);
    is_enough
}

/// A number below `remaining` from the next words that gives one; false where there is none.
#[inline(always)]
pub(super) fn redraw<'a>(
    remaining: i16,
    threshold: i16,
    words: &mut impl Iterator<Item = &'a [u8; 2]>,
    index: &mut i16,
) -> bool {
    for word in words {
        let product = u32::from(u16::from_le_bytes(*word)) * u32::from(remaining.cast_unsigned());
        let is_rejected = u16::from((product as u16) < threshold.cast_unsigned());
        *index = (product >> 16) as i16;
        if declassify(is_rejected, "rejections are independent of what is accepted") == 0 {
            return true;
        }
    }
    false
}

/// The count pass, in place: of the items that remain, the first are zeros, then come ones, then twos. Behind the
/// `positions` draws there are zeros to fill blocks with; coefficients behind have no meaning.
#[inline(always)]
fn deal<S: Simd>(s: S, weight: usize, positions: usize, draws: &mut [i16]) {
    let mut counts = Counts { zeros: positions - weight, zeros_and_ones: positions - weight / 2 };
    let mut rest = draws;
    let mut left = positions;
    if S::LANES16 > 16 {
        (rest, left) = counts.deal_groups(s, rest, left);
        (rest, left) = counts.deal_groups(s.half(), rest, left);
    } else if S::LANES16 >= 8 {
        (rest, left) = counts.deal_groups(s, rest, left);
    }
    counts.deal_in_turn(&mut rest[..left]);
}

/// How many items remain that are zero, and that are zero or one.
struct Counts {
    zeros: usize,
    zeros_and_ones: usize,
}

impl Counts {
    /// One draw after the other.
    #[inline(always)]
    fn deal_in_turn(&mut self, draws: &mut [i16]) {
        for draw in draws {
            let index = *draw as u64;
            let is_zero = ct::opaque(index.wrapping_sub(self.zeros as u64) >> 63);
            let is_below_two = ct::opaque(index.wrapping_sub(self.zeros_and_ones as u64) >> 63);
            self.zeros -= is_zero as usize;
            self.zeros_and_ones -= is_below_two as usize;
            *draw = 2 - (is_zero + is_below_two) as i16;
        }
    }

    /// As many blocks side by side as there are lanes, and again. Gives what is left, and how many draws of it count.
    #[inline(always)]
    fn deal_groups<'a, S: Simd>(
        &mut self,
        s: S,
        mut draws: &'a mut [i16],
        mut left: usize,
    ) -> (&'a mut [i16], usize) {
        let group = BLOCK * S::LANES16;
        // A group that is not full pays where a third of it is.
        while 3 * left >= group && draws.len() >= group {
            let (now, later) = draws.split_at_mut(group);
            places(s, now);
            for block in now.as_chunks_mut::<BLOCK>().0.iter_mut().take(left.div_ceil(BLOCK)) {
                if S::LANES16 > BLOCK {
                    self.deal_block(s.half(), block);
                } else {
                    self.deal_block(s, block);
                }
            }
            draws = later;
            left = left.saturating_sub(group);
        }
        (draws, left)
    }

    /// A block at once, of [`places`].
    #[inline(always)]
    fn deal_block<S: Simd>(&mut self, s: S, places: &mut [i16; BLOCK]) {
        let (zeros, zeros_and_ones) =
            (s.splat_i16(self.zeros as i16), s.splat_i16(self.zeros_and_ones as i16));
        for places in places.chunks_exact_mut(S::LANES16) {
            let place = s.load_i16(places);
            let (is_zero, is_below_two) = (place - zeros, place - zeros_and_ones);
            s.store_i16(places, s.splat_i16(2) + is_zero.sign_mask() + is_below_two.sign_mask());
            self.zeros -= s.count_negative_i16(is_zero) as usize;
            self.zeros_and_ones -= s.count_negative_i16(is_below_two) as usize;
        }
    }
}

/// From draws, `LANES16` blocks of them, to where the items lay among those that remained when their blocks began.
///
/// Step j of a block removes item p\[j\] of those that remain then. Before step k < j it had the same place, or the next
/// one where that is not below p\[k\]. With w = place + j - 1 - (steps back), a step back is w - 1 where w < p\[k\] + k.
#[inline(always)]
fn places<S: Simd>(s: S, draws: &mut [i16]) {
    let lanes = S::LANES16;
    let mut rows = [s.splat_i16(0); BLOCK];
    for (i, row) in rows.iter_mut().enumerate() {
        *row = s.load_i16(&draws[place_of_row(lanes, i)..]);
    }
    transpose(s, &mut rows);
    let mut bounds = rows;
    for (j, bound) in bounds.iter_mut().enumerate() {
        *bound = *bound + s.splat_i16(j as i16);
    }
    // Four by four: steps of one number do not wait for those of another, and a bound is loaded once for four.
    let fours = bounds.as_chunks::<4>().0;
    for (i, w) in rows.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        for (j, w) in w.iter_mut().enumerate() {
            *w = *w + s.splat_i16((4 * i + j) as i16 - 1);
            for bound in fours[i][..j].iter().rev() {
                *w = w.minus_one_where_above(*bound, *w);
            }
        }
        for four in fours[..i].iter().rev() {
            for bound in four.iter().rev() {
                for w in w.iter_mut() {
                    *w = w.minus_one_where_above(*bound, *w);
                }
            }
        }
        for w in w {
            *w = *w + s.splat_i16(1);
        }
    }
    transpose(s, &mut rows);
    for (i, row) in rows.into_iter().enumerate() {
        s.store_i16(&mut draws[place_of_row(lanes, i)..], row);
    }
}

/// Where row i of a group begins. A vector of 16 lanes is a block, of 32 lanes two; of eight lanes the first halves of
/// blocks are the first rows.
#[inline(always)]
fn place_of_row(lanes: usize, i: usize) -> usize {
    if lanes == 8 { (i % 8) * BLOCK + i / 8 * 8 } else { i * lanes }
}

/// Exchanges rows and columns of 16 by 16, or of both eight by eight.
#[inline(always)]
fn transpose<S: Simd>(s: S, rows: &mut [S::I16; BLOCK]) {
    if S::LANES16 > 8 {
        let (first, last) = rows.split_at_mut(8);
        for (a, b) in first.iter_mut().zip(last) {
            (*a, *b) = s.swap_i16(8, *a, *b);
        }
    }
    for rows in rows.as_chunks_mut().0 {
        crate::ntru::lanes::transpose_eights(s, rows);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{self, Isa};
    use std::collections::BTreeMap;

    struct Draw<'a> {
        positions: usize,
        random: &'a [u8],
        indices: &'a mut [i16; ROOM],
    }

    impl<S: Simd> Op<S> for Draw<'_> {
        type Out = bool;
        fn run(self, s: S) -> bool {
            draw(s, self.positions, self.random, self.indices)
        }
    }

    struct Deal<'a> {
        weight: usize,
        positions: usize,
        draws: &'a mut [i16; ROOM],
    }

    impl<S: Simd> Op<S> for Deal<'_> {
        type Out = ();
        fn run(self, s: S) {
            deal(s, self.weight, self.positions, self.draws);
        }
    }

    crate::simd::scalar_on_rvv!(Draw<'_>, Deal<'_>);

    /// Blocks side by side are one draw after the other, for random draws, the largest and the smallest.
    #[test]
    fn blocks_give_what_one_draw_after_the_other_gives_on_every_backend() {
        let mut state = 1u64;
        for (positions, weight) in
            [(508, 254), (676, 254), (820, 510), (1228, 510), (16, 8), (700, 2), (300, 300)]
        {
            for kind in 0..20 {
                let mut draws = [0; ROOM];
                for (i, draw) in draws[..positions].iter_mut().enumerate() {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
                    *draw = match (kind, i / BLOCK % 2) {
                        (0, _) | (2, 0) => 0,
                        (1, _) | (2, 1) => (positions - i - 1) as i16,
                        _ => ((state >> 33) as usize % (positions - i)) as i16,
                    };
                }
                let mut expected = draws;
                let mut counts = Counts { zeros: positions - weight, zeros_and_ones: positions - weight / 2 };
                counts.deal_in_turn(&mut expected[..positions]);
                for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_supported()) {
                    let mut dealt = draws;
                    isa::with(isa, Deal { weight, positions, draws: &mut dealt });
                    assert!(dealt[..positions] == expected[..positions], "{positions} on {}", isa.name());
                }
            }
        }
    }

    /// Every polynomial of the weight has the same number of ways to be drawn. N items, d of them not zero.
    #[test]
    fn every_outcome_is_equally_likely() {
        for (positions, weight) in [(6, 4), (7, 4), (8, 4), (9, 6), (5, 2), (4, 4)] {
            let ways: usize = (1..=positions).product();
            let mut counts = BTreeMap::new();
            for way in 0..ways {
                let (mut rest, mut indices) = (way, vec![0; positions]);
                for (i, index) in indices.iter_mut().enumerate() {
                    (*index, rest) = ((rest % (positions - i)) as i16, rest / (positions - i));
                }
                let mut counts_left =
                    Counts { zeros: positions - weight, zeros_and_ones: positions - weight / 2 };
                counts_left.deal_in_turn(&mut indices);
                *counts.entry(indices).or_insert(0usize) += 1;
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
            let bound = of_positions(&REMAINING, positions)[0] as u16;
            let threshold = of_positions(&THRESHOLDS, positions)[0] as u16;
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
        of_positions(&THRESHOLDS, positions)[i] > 0
    }

    /// Plain text of the definition.
    fn expected(words: &[u16], positions: usize) -> Option<Vec<i16>> {
        let mut redraws = words[positions..].iter();
        (0..positions)
            .map(|i| {
                let bound = (positions - i) as u32;
                let mut word = words[i];
                loop {
                    let product = u32::from(word) * bound;
                    if product & 0xFFFF >= (1 << 16) % bound {
                        return Some((product >> 16) as i16);
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
                let expected = expected(words, positions);
                let random: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_supported()) {
                    let mut indices = [0; ROOM];
                    let is_enough =
                        isa::with(isa, Draw { positions, random: &random, indices: &mut indices });
                    assert_eq!(is_enough, expected.is_some());
                    if let Some(expected) = &expected {
                        assert!(
                            indices[..positions] == expected[..]
                                && indices[positions..] == [0; ROOM][positions..]
                        );
                    }
                }
                expected.is_some()
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
