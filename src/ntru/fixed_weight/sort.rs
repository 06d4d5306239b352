//! The mapping of the submission to NIST (specification, section 1.10.5): sort random keys that carry coefficients.
//!
//! Each position has a random key of 30 bits above its coefficient; after sorting, the coefficients lie in a random
//! order. The network is a bitonic one (Knuth, volume 3, section 5.3.4), which compares positions that depend on the
//! number of keys alone. Two equal keys keep the order of their coefficients: not quite uniform.
//!
//! There are 64 pieces of keys. A row is a vector of one key each of as many pieces as there are lanes; the rows of a
//! piece lie side by side, and an order goes through the pieces of the first lane, then of the second one. So most steps
//! compare whole rows, and rows of a piece stay in registers ([`Pieces`]).

use super::{FixedWeight, Kernels, MAX_POSITIONS, ParameterSet, Poly};
use crate::isa::Op;
use crate::simd::{Aligned, Int32, Simd, Token, WIDEST32};
use core::mem::MaybeUninit;

/// Bits of a random key.
const KEY_BITS: usize = 30;
/// Bytes of four random keys.
const FOUR_KEYS: usize = 4 * KEY_BITS / 8;

/// Bytes of the random keys.
pub(super) const fn random_len(set: ParameterSet) -> usize {
    (KEY_BITS * (set.n() - 1)).div_ceil(8)
}

/// See the module.
#[derive(Clone, Copy)]
pub(in crate::ntru) struct Sort;

/// Keys that pieces are filled up with: not below any.
const LAST: u32 = i32::MAX as u32;
/// Pieces that are sorted before they are merged.
const PIECES: usize = 64;
/// Room for the keys of the longest pieces.
const ROOM: usize = MAX_POSITIONS.next_multiple_of(PIECES);

impl FixedWeight for Sort {
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
        let mut keys = MaybeUninit::uninit();
        let keys = Aligned::<[u32; ROOM]>::unwritten(&mut keys);
        let keys = &mut keys[..padded(positions)];
        make_keys(s, random, weight, positions, keys);
        s.enter(Ascending { keys: &mut *keys });
        take_coefficients(s, keys, &mut out.0);
        out.0[positions..].fill(0);
        true
    }
}

/// Keys in pieces of a length that there is a network for.
const fn padded(positions: usize) -> usize {
    match positions.div_ceil(PIECES) {
        0..=8 => 8 * PIECES,
        9..=11 => 11 * PIECES,
        12..=13 => 13 * PIECES,
        _ => ROOM,
    }
}

/// Makes keys of random bytes, with their coefficients, in any order, and [`LAST`] behind them.
///
/// Four keys take 15 bytes, and the number of positions is a multiple of four in every set.
#[inline(always)]
fn make_keys<S: Simd>(s: S, random: &[u8], weight: usize, positions: usize, keys: &mut [u32]) {
    const FOURS: [u32; WIDEST32] = {
        let mut fours = [0; WIDEST32];
        let mut i = 0;
        while i < WIDEST32 {
            fours[i] = 4 * i as u32;
            i += 1;
        }
        fours
    };
    let lanes = S::LANES32;
    let (ones, both) = (s.splat_i32(weight as i32 / 2), s.splat_i32(weight as i32));
    for (i, keys) in keys.chunks_exact_mut(4 * lanes).enumerate() {
        let first = 4 * lanes * i;
        if first >= positions {
            keys.fill(LAST);
            continue;
        }
        let mut from = &random[FOUR_KEYS * lanes * i..];
        // A row is read with the byte behind it.
        let mut last = [0; FOUR_KEYS * WIDEST32 + 1];
        if from.len() <= FOUR_KEYS * lanes {
            last[..from.len()].copy_from_slice(from);
            from = &last;
        }
        let [a, b, c, d] = s.load_four_columns(from, FOUR_KEYS);
        let four_keys = [
            a.shl::<2>(),
            b.shl::<4>() + (a.shr::<28>() & s.splat_i32(0b1100)),
            c.shl::<6>() + (b.shr::<26>() & s.splat_i32(0b11_1100)),
            d.shl::<8>() + (c.shr::<24>() & s.splat_i32(0b1111_1100)),
        ];
        let fours = s.load_i32(&FOURS);
        for (j, (keys, key)) in keys.chunks_exact_mut(lanes).zip(four_keys).enumerate() {
            let position = fours + s.splat_i32((first + j) as i32);
            let is_one = (position - ones).sign_mask();
            let is_either = (position - both).sign_mask();
            s.store_i32(keys, key + (is_one - is_either - is_either));
        }
        for position in positions.max(first)..first + 4 * lanes {
            let at = position - first;
            keys[at % 4 * lanes + at / 4] = LAST;
        }
    }
}

/// The coefficients of sorted keys, in their order; the keys are used up.
#[inline(always)]
fn take_coefficients<S: Simd>(s: S, keys: &mut [u32], out: &mut [i16]) {
    let lanes = S::LANES32;
    let rows = keys.len() / S::LANES32;
    // A byte each of four rows.
    for four in 0..rows / 4 {
        let mut bytes = s.splat_i32(0);
        for row in (4 * four..4 * four + 4).rev() {
            bytes = bytes.rotate_left::<8>() + (s.load_i32(&keys[row * lanes..]) & s.splat_i32(3));
        }
        s.store_i32(&mut keys[four * lanes..], bytes);
    }
    for (lane, out) in out[..keys.len()].chunks_exact_mut(rows).enumerate() {
        for (out, four) in out.as_chunks_mut::<4>().0.iter_mut().zip(keys[lane..].iter().step_by(lanes)) {
            let [a, b, c, d] = four.to_le_bytes();
            *out = [a, b, c, d].map(i16::from);
        }
    }
}

/// Sorts signed numbers, as many as [`padded`] says. The order goes through the first lanes of all vectors, then the
/// second ones.
struct Ascending<'a> {
    keys: &'a mut [u32],
}

impl<S: Simd> Op<S> for Ascending<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self, s: S) {
        match self.keys.len() / PIECES {
            8 => Pieces::<S, 8> { s, keys: self.keys }.sort(),
            11 => Pieces::<S, 11> { s, keys: self.keys }.sort(),
            13 => Pieces::<S, 13> { s, keys: self.keys }.sort(),
            20 => Pieces::<S, 20> { s, keys: self.keys }.sort(),
            _ => unreachable!("a length of padded()"),
        }
    }
}

/// The rows of a piece, for which there are two networks.
trait Rows {
    /// Sorts them.
    fn sort_rows(&mut self);
    /// Sorts those that are bitonic up to a rotation.
    fn merge_rows(&mut self);
}

macro_rules! rows {
    ($($len:literal $sort:ident $merge:ident)*) => {$(
        impl<V: Int32> Rows for [V; $len] {
            #[inline(always)]
            fn sort_rows(&mut self) {
                $sort(self);
            }
            #[inline(always)]
            fn merge_rows(&mut self) {
                $merge(self);
            }
        }
    )*};
}
rows!(8 sort_8 merge_8 11 sort_11 merge_11 13 sort_13 merge_13 20 sort_20 merge_20);

/// Pieces of `LEN` rows, one after the other.
struct Pieces<'a, S, const LEN: usize> {
    s: S,
    keys: &'a mut [u32],
}

impl<S: Simd, const LEN: usize> Pieces<'_, S, LEN>
where
    [S::I32; LEN]: Rows,
{
    /// How many pieces lie one after the other; the others are in other lanes.
    const COUNT: usize = PIECES / S::LANES32;

    /// Sorts all.
    #[inline(always)]
    fn sort(&mut self) {
        self.each::<true>();
        let mut run = 2;
        while run <= PIECES {
            self.merge_runs(run);
            self.each::<false>();
            run *= 2;
        }
    }

    /// Sorts or merges the rows of each piece.
    #[inline(always)]
    fn each<const SORT: bool>(&mut self) {
        for piece in self.keys.chunks_exact_mut(LEN * S::LANES32) {
            let mut rows = [self.s.splat_i32(0); LEN];
            for (row, keys) in rows.iter_mut().zip(piece.chunks_exact(S::LANES32)) {
                *row = self.s.load_i32(keys);
            }
            if SORT {
                rows.sort_rows();
            } else {
                rows.merge_rows();
            }
            for (row, keys) in rows.into_iter().zip(piece.chunks_exact_mut(S::LANES32)) {
                self.s.store_i32(keys, row);
            }
        }
    }

    /// The steps that merge two sorted runs each to one of `run` pieces, up to those inside the pieces.
    ///
    /// The first step compares with the mirror image: what is smaller goes to the first half and is bitonic there, what
    /// is larger to the second one. Each further step halves such parts.
    #[inline(always)]
    fn merge_runs(&mut self, run: usize) {
        let mut part = if run > Self::COUNT {
            match run * S::LANES32 / PIECES {
                2 => self.merge_lanes::<1>(),
                4 => self.merge_lanes::<2>(),
                8 => self.merge_lanes::<4>(),
                _ => self.merge_lanes::<8>(),
            }
            Self::COUNT
        } else {
            self.merge_parts::<true>(run)
        };
        while part > 1 {
            part = self.merge_parts::<false>(part);
        }
    }

    /// Up to three steps between the pieces of parts of `part` of them; gives the length of the parts that are left.
    #[inline(always)]
    fn merge_parts<const MIRRORED: bool>(&mut self, part: usize) -> usize {
        match part {
            2 => self.merge_pieces::<2, MIRRORED>(part),
            4 => self.merge_pieces::<4, MIRRORED>(part),
            _ => self.merge_pieces::<8, MIRRORED>(part),
        }
        part / 8
    }

    /// Steps between rows of parts of `part` pieces: the first log2 N ones, the first of all with the mirror image where
    /// `MIRRORED`.
    #[inline(always)]
    fn merge_pieces<const N: usize, const MIRRORED: bool>(&mut self, part: usize) {
        let distance = part / N;
        for start in (0..Self::COUNT).step_by(part) {
            for piece in 0..distance {
                for row in 0..LEN {
                    let (mut at, mut rows) = ([0; N], [self.s.splat_i32(0); N]);
                    for (i, (at, loaded)) in at.iter_mut().zip(&mut rows).enumerate() {
                        let (mut of, mut row) = (piece + i * distance, row);
                        if MIRRORED && i >= N / 2 {
                            of = part - 1 - (piece + (N - 1 - i) * distance);
                            row = LEN - 1 - row;
                        }
                        *at = ((start + of) * LEN + row) * S::LANES32;
                        *loaded = self.s.load_i32(&self.keys[*at..]);
                    }
                    if MIRRORED {
                        for i in 0..N / 2 {
                            (rows[i], rows[N - 1 - i]) = rows[i].sorted(rows[N - 1 - i]);
                        }
                    } else {
                        halve(&mut rows, N);
                    }
                    if N >= 4 {
                        halve(&mut rows, N / 2);
                    }
                    if N >= 8 {
                        halve(&mut rows, N / 4);
                    }
                    for (at, row) in at.into_iter().zip(rows) {
                        self.s.store_i32(&mut self.keys[at..], row);
                    }
                }
            }
        }
    }

    /// Steps between lanes: with the mirror image among `2 BLOCK` lanes, then at the distance of half as many lanes, and
    /// so on.
    #[inline(always)]
    fn merge_lanes<const BLOCK: usize>(&mut self) {
        let s = self.s;
        let (first, last) = self.keys.split_at_mut(Self::COUNT / 2 * LEN * S::LANES32);
        for (a, b) in first.chunks_exact_mut(S::LANES32).zip(last.chunks_exact_mut(S::LANES32).rev()) {
            let flipped = s.flip_i32(2 * BLOCK - 1, s.load_i32(b));
            let (smaller, larger) = s.load_i32(a).sorted(flipped);
            let mut rows = [
                s.blend_i32(BLOCK, smaller, larger),
                s.flip_i32(2 * BLOCK - 1, s.blend_i32(BLOCK, larger, smaller)),
            ];
            for row in &mut rows {
                if BLOCK >= 8 {
                    *row = halve_lanes(s, 4, *row);
                }
                if BLOCK >= 4 {
                    *row = halve_lanes(s, 2, *row);
                }
                if BLOCK >= 2 {
                    *row = halve_lanes(s, 1, *row);
                }
            }
            s.store_i32(a, rows[0]);
            s.store_i32(b, rows[1]);
        }
    }
}

/// Compares lanes that are `block` lanes away from each other.
#[inline(always)]
fn halve_lanes<S: Simd>(s: S, block: usize, row: S::I32) -> S::I32 {
    let (smaller, larger) = row.sorted(s.flip_i32(block, row));
    s.blend_i32(block, smaller, larger)
}

/// Compares the first half with the second one of each `len` rows.
#[inline(always)]
fn halve<V: Int32>(rows: &mut [V], len: usize) {
    for part in rows.chunks_exact_mut(len) {
        let (first, second) = part.split_at_mut(len / 2);
        for (a, b) in first.iter_mut().zip(second) {
            (*a, *b) = a.sorted(*b);
        }
    }
}

/// A network: its comparators, one after the other. Each puts the smaller one of two rows first.
macro_rules! network {
    ($(#[$doc:meta])* $name:ident, $len:literal: $($a:literal $b:literal)*) => {
        $(#[$doc])*
        #[inline(always)]
        fn $name<V: Int32>(rows: &mut [V; $len]) {
            $((rows[$a], rows[$b]) = rows[$a].sorted(rows[$b]);)*
        }
    };
}

network! {
    /// Batcher's merge exchange (Knuth, volume 3, algorithm 5.2.2 M).
    sort_8, 8:
     0 4  1 5  2 6  3 7  0 2  1 3  4 6  5 7  2 4  3 5  0 1  2 3  4 5  6 7  1 4  3 6  1 2  3 4  5 6
}
network! {
    /// Batcher's merge exchange (Knuth, volume 3, algorithm 5.2.2 M).
    sort_11, 11:
     0 8  1 9  2 10  0 4  1 5  2 6  3 7  4 8  5 9  6 10  0 2  1 3  4 6  5 7  8 10  2 8  3 9  2 4  3 5  6 8  7 9
     0 1  2 3  4 5  6 7  8 9  1 8  3 10  1 4  3 6  5 8  7 10  1 2  3 4  5 6  7 8  9 10
}
network! {
    /// Batcher's merge exchange (Knuth, volume 3, algorithm 5.2.2 M).
    sort_13, 13:
     0 8  1 9  2 10  3 11  4 12  0 4  1 5  2 6  3 7  8 12  4 8  5 9  6 10  7 11  0 2  1 3  4 6  5 7  8 10  9 11
     2 8  3 9  6 12  2 4  3 5  6 8  7 9  10 12  0 1  2 3  4 5  6 7  8 9  10 11  1 8  3 10  5 12  1 4  3 6  5 8
     7 10  9 12  1 2  3 4  5 6  7 8  9 10  11 12
}
network! {
    /// Batcher's merge exchange (Knuth, volume 3, algorithm 5.2.2 M).
    sort_20, 20:
     0 16  1 17  2 18  3 19  0 8  1 9  2 10  3 11  4 12  5 13  6 14  7 15  8 16  9 17  10 18  11 19  0 4  1 5
     2 6  3 7  8 12  9 13  10 14  11 15  4 16  5 17  6 18  7 19  4 8  5 9  6 10  7 11  12 16  13 17  14 18
     15 19  0 2  1 3  4 6  5 7  8 10  9 11  12 14  13 15  16 18  17 19  2 16  3 17  2 8  3 9  6 12  7 13  10 16
     11 17  2 4  3 5  6 8  7 9  10 12  11 13  14 16  15 17  0 1  2 3  4 5  6 7  8 9  10 11  12 13  14 15  16 17
     18 19  1 16  3 18  1 8  3 10  5 12  7 14  9 16  11 18  1 4  3 6  5 8  7 10  9 12  11 14  13 16  15 18  1 2
     3 4  5 6  7 8  9 10  11 12  13 14  15 16  17 18
}

/// Eight rows that are bitonic up to a rotation.
#[inline(always)]
fn merge_8<V: Int32>(rows: &mut [V; 8]) {
    halve(rows, 8);
    halve(rows, 4);
    halve(rows, 2);
}

/// Twenty such rows.
#[inline(always)]
fn merge_20<V: Int32>(rows: &mut [V; 20]) {
    halve(rows, 20);
    halve(rows, 10);
    for rows in rows.as_chunks_mut().0 {
        merge_5(rows);
    }
}

network! {
    /// 5 such rows: found by a search for networks that sort zeros and ones of this kind.
    merge_5, 5:
     0 1  0 2  0 3  0 4  1 3  2 4  1 2  3 4
}
network! {
    /// 11 such rows: found by a search for networks that sort zeros and ones of this kind.
    merge_11, 11:
     0 5  1 7  2 8  3 10  4 9  0 2  1 4  3 6  5 8  7 9  0 1  2 4  5 7  6 10  1 3  4 6  9 10  0 1  2 4  5 6  7 9
     2 3  6 7  8 9  9 10
}
network! {
    /// 13 such rows: found by a search for networks that sort zeros and ones of this kind.
    merge_13, 13:
     0 10  1 9  2 8  3 7  4 6  11 12  0 3  1 2  4 11  5 12  6 10  7 9  1 4  2 5  3 6  7 11  8 12  9 10  0 2  3 4
     5 7  6 8  9 11  10 12  0 1  2 3  4 5  6 7  8 9  10 11
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{self, Isa};
    use core::num::Wrapping;

    crate::simd::scalar_on_rvv!(InOrder<'_>);

    /// Sorts, and brings the keys into the order of memory.
    struct InOrder<'a> {
        keys: &'a mut [u32],
    }

    impl<S: Simd> Op<S> for InOrder<'_> {
        type Out = Vec<u32>;
        fn run(self, s: S) -> Vec<u32> {
            s.enter(Ascending { keys: &mut *self.keys });
            (0..S::LANES32).flat_map(|lane| self.keys[lane..].iter().step_by(S::LANES32).copied()).collect()
        }
    }

    #[test]
    fn keys_are_sorted_as_signed_numbers_on_every_backend() {
        let mut state = 1u64;
        for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_supported()) {
            for len in (1..80).chain([508, 512, 513, 676, 704, 705, 820, 832, 833, 1228]) {
                let mut keys: Vec<u32> = (0..len)
                    .map(|i| {
                        state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
                        // Extremes and equal ones among them.
                        if i % 7 == 0 { (state >> 62) as u32 * 0x5555_5555 } else { (state >> 32) as u32 }
                    })
                    .collect();
                let mut expected: Vec<i32> = keys.iter().map(|key| *key as i32).collect();
                expected.sort_unstable();
                keys.resize(padded(len), LAST);
                let sorted = isa::with(isa, InOrder { keys: &mut keys });
                assert_eq!(sorted.len(), padded(len));
                assert!(
                    sorted.iter().zip(&expected).all(|(key, expected)| *key as i32 == *expected),
                    "{len}"
                );
            }
        }
    }

    fn is_sorted_after<const LEN: usize>(
        network: fn(&mut [Wrapping<u32>; LEN]),
        zeros_and_ones: usize,
    ) -> bool {
        let mut rows = core::array::from_fn(|i| Wrapping((zeros_and_ones >> i & 1) as u32));
        network(&mut rows);
        rows.is_sorted()
    }

    /// A network that sorts zeros and ones sorts everything (Knuth, volume 3, section 5.3.4, theorem Z).
    #[test]
    fn networks_sort_all_zeros_and_ones() {
        fn check<const LEN: usize>(
            sort: fn(&mut [Wrapping<u32>; LEN]),
            merge: fn(&mut [Wrapping<u32>; LEN]),
        ) {
            assert!((0..1 << LEN).all(|all| is_sorted_after(sort, all)), "all of {LEN}");
            // Ones side by side, from any place on.
            for ones in 0..=LEN {
                let side_by_side = (1usize << ones) - 1;
                for by in 0..LEN {
                    let turned = (side_by_side << by | side_by_side << by >> LEN) & ((1 << LEN) - 1);
                    assert!(is_sorted_after(merge, turned), "{turned:b} of {LEN}");
                }
            }
        }
        check(sort_8, merge_8);
        check(sort_11, merge_11);
        check(sort_13, merge_13);
        check(sort_20, merge_20);
    }

    /// The text of the specification: one key after the other.
    #[test]
    fn keys_and_coefficients_are_those_of_the_specification_on_every_backend() {
        for set in ParameterSet::ALL.into_iter().filter(|set| set.weight().is_some()) {
            let (positions, weight) = (set.n() - 1, set.weight().unwrap_or(0));
            let random: Vec<u8> =
                (0..random_len(set) as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 21) as u8).collect();
            let bit = |i: usize| u32::from(random[i / 8] >> (i % 8) & 1);
            let mut keys: Vec<i32> = (0..positions)
                .map(|i| {
                    let key = (0..KEY_BITS).map(|j| bit(KEY_BITS * i + j) << (2 + j)).sum::<u32>();
                    let coefficient = if i < weight / 2 { 1 } else { 2 * u32::from(i < weight) };
                    (key | coefficient) as i32
                })
                .collect();
            keys.sort_unstable();
            let expected: Vec<u8> = keys.iter().map(|key| (*key & 3) as u8).chain([0]).collect();
            for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_supported()) {
                let sampler = super::super::Sampler::Sort;
                let sample = crate::ntru::kem::SampleFixedWeight { set, sampler, random: &random };
                assert!(isa::with(isa, sample) == Some(expected.clone()), "{}", isa.name());
            }
        }
    }
}
