//! The base sampler: a half-Gaussian of deviation 1.8205 from 72 random bits (specification, algorithm 12).
//!
//! z0 is the number of table rows above the random value. All rows are always compared. [`base_sample`] takes one
//! value; [`base_sample_lanes`] a vector of them, in words of 32, 32 and 8 bits.

use super::sampler_z::{TRIAL_LEN, window};
use crate::ct::opaque;
use crate::simd::{Int32, Simd};

/// The reverse cumulative distribution, scaled by 2^72 (specification, table 3.1).
pub(super) const ROWS: [u128; 18] = rows();

/// Its rows as three 24-bit limbs, most significant first, the form in which the reference program has them.
pub(crate) const LIMBS: [[u32; 3]; 18] = [
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

/// Rows that have more than 64 bits: the first five; more than 32 bits: the first thirteen.
const ROWS_ABOVE_64_BITS: usize = 5;
const ROWS_ABOVE_32_BITS: usize = 13;

const fn rows() -> [u128; 18] {
    let mut rows = [0; 18];
    let mut i = 0;
    while i < 18 {
        rows[i] = (LIMBS[i][0] as u128) << 48 | (LIMBS[i][1] as u128) << 24 | LIMBS[i][2] as u128;
        i += 1;
    }
    rows
}

/// The rows that are more than an immediate operand: the first fifteen.
const ROWS_OF_TABLE: usize = 15;

/// The low 64 bits of those.
pub(crate) type Table = [u64; ROWS_OF_TABLE];

static TABLE: Table = {
    let mut low = [0; ROWS_OF_TABLE];
    let mut i = 0;
    while i < ROWS_OF_TABLE {
        low[i] = ROWS[i] as u64;
        i += 1;
    }
    low
};

/// The table for [`base_sample`], at an address that the compiler does not know: it would make constants of its
/// words, each in several instructions.
#[inline(always)]
pub(crate) fn table() -> &'static Table {
    core::hint::black_box(&TABLE)
}

/// z0 in `[0, 18]` for the 72-bit value whose low 64 bits are `low` and whose high 8 bits are `high`.
#[inline(always)]
pub(crate) fn base_sample(table: &Table, low: u64, high: u8) -> i32 {
    let high = u64::from(high);
    let (mut three_words, mut others) = (0, 0);
    for (row, row_low) in ROWS.iter().zip(table).take(ROWS_ABOVE_64_BITS) {
        let borrow = u64::from(low < *row_low);
        three_words = opaque(three_words + u64::from(high < (row >> 64) as u64 + borrow));
    }
    // To the other rows, a value with high bits is as good as one of the 256 largest ones without: zero minus them has
    // all of its upper 56 bits.
    let low = low | high.wrapping_neg();
    for row in &table[ROWS_ABOVE_64_BITS..] {
        others = opaque(others + u64::from(low < *row));
    }
    for row in &ROWS[ROWS_OF_TABLE..] {
        others = opaque(others + u64::from(low < *row as u64));
    }
    (three_words + others) as i32
}

/// The rows as words of 32, 32 and 8 bits, least significant first, in the form in which they are compared: the lower
/// ones with their top bit changed, which makes signed numbers of them; of the first, one less.
const WORDS: [[i32; 3]; 18] = {
    let mut words = [[0; 3]; 18];
    let mut i = 0;
    while i < 18 {
        words[i] = [
            (ROWS[i] as u32 - 1) as i32 ^ i32::MIN,
            (ROWS[i] >> 32) as i32 ^ i32::MIN,
            (ROWS[i] >> 64) as i32,
        ];
        // Which rows have how many words: what `base_sample_lanes` knows. A middle word must not be zero.
        assert!((ROWS[i] >> 64 != 0) == (i < ROWS_ABOVE_64_BITS));
        assert!((ROWS[i] >> 32 != 0) == (i < ROWS_ABOVE_32_BITS));
        assert!(i >= ROWS_ABOVE_32_BITS || words[i][1] != i32::MIN);
        i += 1;
    }
    words
};

/// [`WORDS`] in vectors of four, for [`Simd::CONSTANTS_ARE_LOADED`].
type Vectors = [[[u32; 4]; 3]; 18];

static VECTORS: Vectors = {
    let mut vectors = [[[0; 4]; 3]; 18];
    let mut i = 0;
    while i < 18 {
        vectors[i] = [[WORDS[i][0] as u32; 4], [WORDS[i][1] as u32; 4], [WORDS[i][2] as u32; 4]];
        i += 1;
    }
    vectors
};

/// How many vectors of `S` are best given to [`base_sample_lanes`] at once: as many as the registers hold, where
/// they share the loads of constants.
pub(super) const fn vectors_at_once<S: Simd>() -> usize {
    match (S::LANES32, S::CONSTANTS_ARE_LOADED) {
        (4, true) => 4,
        (4, false) => 2,
        _ => 1,
    }
}

/// [`base_sample`] in the lanes of `N` vectors. `words`: the 72-bit values as words of 32, 32 and 8 bits, least
/// significant first; the other bits of the last word do not matter.
///
/// Row by row for all vectors: where an instruction takes no constant from memory, one load of it is enough for all.
#[inline(always)]
pub(crate) fn base_sample_lanes<S: Simd, const N: usize>(s: S, words: [[S::I32; 3]; N]) -> [S::I32; N] {
    let top = s.splat_i32(i32::MIN);
    let mut words = words;
    for [low, middle, last] in &mut words {
        (*low, *middle, *last) = (*low ^ top, *middle ^ top, *last & s.splat_i32(0xFF));
    }
    // At an address that the compiler does not know, as in `table`: it would make constants of the words again, each
    // in three instructions, and two of each where one minus a mask is a choice.
    let vectors = if S::CONSTANTS_ARE_LOADED { core::hint::black_box(&VECTORS) } else { &VECTORS };
    // One constant index a row: a loop over the table would load its words and test them for zero at run time.
    macro_rules! rows_above {
        ($count:literal: $($row:literal)*) => {{
            let mut z0 = [s.splat_i32($count); N];
            $(minus_one_at_or_above::<S, $row, N>(s, vectors, &mut z0, &words);)*
            z0
        }};
    }
    let three_words = rows_above!(5: 0 1 2 3 4);
    let two_words = rows_above!(8: 5 6 7 8 9 10 11 12);
    let one_word = rows_above!(5: 13 14 15 16 17);
    let zero = s.splat_i32(0);
    let mut z0 = three_words;
    for i in 0..N {
        let high_is_zero = zero.minus_one_where_above(s.splat_i32(1), words[i][2]);
        let middle_is_zero = zero.minus_one_where_above(s.splat_i32(i32::MIN + 1), words[i][1]);
        z0[i] = z0[i] + ((two_words[i] + (one_word[i] & middle_is_zero)) & high_is_zero);
    }
    z0
}

/// `z0 - 1` where the value is not below a row, as far as the row has words.
#[inline(always)]
fn minus_one_at_or_above<S: Simd, const ROW: usize, const N: usize>(
    s: S,
    vectors: &Vectors,
    z0: &mut [S::I32; N],
    words: &[[S::I32; 3]; N],
) {
    let [low, middle, high] = if S::CONSTANTS_ARE_LOADED {
        core::array::from_fn(
            #[inline(always)]
            |i| s.load_i32(&vectors[ROW][i]),
        )
    } else {
        const { WORDS[ROW] }.map(
            #[inline(always)]
            |word| s.splat_i32(word),
        )
    };
    for (z0, words) in z0.iter_mut().zip(words) {
        // Where the words so far are not below the row's, the next one need only reach the row's.
        *z0 = match ROW {
            0..ROWS_ABOVE_64_BITS => {
                let middle = middle.minus_one_where_above(words[0], low);
                let high = high.minus_one_where_above(words[1], middle);
                z0.minus_one_where_above(words[2], high)
            }
            ROWS_ABOVE_64_BITS..ROWS_ABOVE_32_BITS => {
                let middle = middle.minus_one_where_above(words[0], low);
                z0.minus_one_where_above(words[1], middle)
            }
            _ => z0.minus_one_where_above(words[0], low),
        };
    }
}

/// The words of `N` vectors of trials that begin [`TRIAL_LEN`] bytes apart.
#[inline(always)]
pub(crate) fn load_trials<S: Simd, const N: usize>(s: S, bytes: &[u8]) -> [[S::I32; 3]; N] {
    let mut words = [s.load_columns(bytes, TRIAL_LEN); N];
    for (i, words) in words.iter_mut().enumerate().skip(1) {
        *words = s.load_columns(&bytes[TRIAL_LEN * S::LANES32 * i..], TRIAL_LEN);
    }
    words
}

/// The samples of trials that begin [`TRIAL_LEN`] bytes apart: the base sampler alone, for measurements.
///
/// In: the number of samples is a multiple of [`crate::simd::WIDEST32`]; 5 bytes follow the last trial.
#[inline(always)]
pub(crate) fn base_samples<S: Simd>(s: S, bytes: &[u8], samples: &mut [u32]) {
    if window(S::LANES) == 0 {
        let table = table();
        for (trial, sample) in bytes.chunks_exact(TRIAL_LEN).zip(samples) {
            let ([low, ..], [high, ..]) = (trial[..8].as_chunks().0, &trial[8..]) else { return };
            *sample = base_sample(table, u64::from_le_bytes(*low), *high) as u32;
        }
        return;
    }
    match vectors_at_once::<S>() {
        4 => vectors_of_samples::<S, 4>(s, bytes, samples),
        2 => vectors_of_samples::<S, 2>(s, bytes, samples),
        _ => vectors_of_samples::<S, 1>(s, bytes, samples),
    }
}

#[inline(always)]
fn vectors_of_samples<S: Simd, const N: usize>(s: S, bytes: &[u8], samples: &mut [u32]) {
    for (i, samples) in samples.chunks_exact_mut(N * S::LANES32).enumerate() {
        let words = load_trials::<S, N>(s, &bytes[TRIAL_LEN * S::LANES32 * N * i..]);
        let z0 = base_sample_lanes(s, words);
        for (lanes, z0) in samples.chunks_exact_mut(S::LANES32).zip(z0) {
            s.store_i32(lanes, z0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::falcon::kernels::Kernels;
    use crate::simd::WIDEST32;

    fn of(value: u128) -> i32 {
        base_sample(table(), value as u64, (value >> 64) as u8)
    }

    #[test]
    fn every_threshold_is_exact() {
        for (i, row) in ROWS.iter().enumerate() {
            assert_eq!(of(row - 1), i as i32 + 1, "just below row {i}");
            assert_eq!(of(*row), i as i32, "at row {i}");
        }
        assert_eq!(of(0), 18);
        assert_eq!(of((1 << 72) - 1), 0);
    }

    #[test]
    fn the_table_is_that_of_the_specification() {
        // Sum of the rows = expected value of z0 times 2^72; for this table 1.2062..., which a changed digit breaks.
        let sum: u128 = ROWS.iter().sum();
        let checksum = ROWS.iter().fold(0u128, |a, row| a.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ row);
        let mean = sum as f64 / 2f64.powi(72);
        assert!((mean - 1.2).abs() < 0.2, "{mean}");
        assert_ne!(checksum, 0);
        assert!(ROWS.windows(2).all(|pair| pair[0] > pair[1]));
    }

    struct Lanes<'a>(&'a [u128]);

    impl<K: Kernels> crate::isa::Op<K> for Lanes<'_> {
        type Out = Vec<u32>;
        #[inline(always)]
        fn run(self, k: K) -> Vec<u32> {
            in_lanes(k.vector(), self.0)
        }
    }

    fn in_lanes<S: Simd>(s: S, values: &[u128]) -> Vec<u32> {
        let mut out = Vec::new();
        for values in values.chunks_exact(S::LANES32) {
            let word = |i: usize| {
                let mut lanes = [0; WIDEST32];
                lanes.iter_mut().zip(values).for_each(|(lane, value)| *lane = (value >> (32 * i)) as u32);
                s.load_i32(&lanes)
            };
            let mut lanes = [0; WIDEST32];
            let [z0] = base_sample_lanes(s, [[word(0), word(1), word(2)]]);
            s.store_i32(&mut lanes, z0);
            out.extend_from_slice(&lanes[..S::LANES32]);
        }
        out
    }

    struct OfTrials<'a>(&'a [u8], usize);

    impl<K: Kernels> crate::isa::Op<K> for OfTrials<'_> {
        type Out = Vec<u32>;
        #[inline(always)]
        fn run(self, k: K) -> Vec<u32> {
            let mut samples = vec![0; self.1];
            k.base_samples(self.0, &mut samples);
            samples
        }
    }

    #[test]
    fn lanes_give_what_one_value_gives() {
        use crate::isa::{Isa, with};
        let mut values: Vec<u128> = ROWS.iter().flat_map(|row| [row - 1, *row, row + 1]).collect();
        let mut x = 1u128;
        while values.len() < 16384 {
            x = x.wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645).wrapping_add(1);
            // Small values too: the lower rows are rare.
            values.push(x >> (56 + x as usize % 71));
        }
        let expected: Vec<u32> = values.iter().map(|v| of(*v) as u32).collect();
        for isa in Isa::ALL.iter().filter(|isa| isa.is_supported()) {
            assert_eq!(with(*isa, Lanes(&values)), expected, "{}", isa.name());
        }
        let mut trials = Vec::new();
        for value in &values {
            trials.extend_from_slice(&value.to_le_bytes()[..9]);
            // What is not the base sampler's.
            trials.extend_from_slice(&[0xFF, 0xFF]);
        }
        trials.extend_from_slice(&[0xFF; 5]);
        for isa in Isa::ALL.iter().filter(|isa| isa.is_supported()) {
            let samples = with(*isa, OfTrials(&trials, values.len()));
            assert_eq!(samples, expected, "{}, in trials", isa.name());
        }
    }
}
