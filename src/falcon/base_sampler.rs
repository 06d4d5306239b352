//! The base sampler: a half-Gaussian of deviation 1.8205 from 72 random bits (specification, algorithm 12).
//!
//! z0 is the number of table rows above the random value. All rows are always compared. [`base_sample`] takes one
//! value; [`base_sample_lanes`] a vector of them, as three limbs of 24 bits.

use crate::simd::{Int32, Simd};

/// The reverse cumulative distribution, scaled by 2^72 (specification, table 3.1).
pub(super) const ROWS: [u128; 18] = rows();

/// Its rows as three 24-bit limbs, most significant first, the form in which the reference program has them.
const LIMBS: [[i32; 3]; 18] = [
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

const fn rows() -> [u128; 18] {
    let mut rows = [0; 18];
    let mut i = 0;
    while i < 18 {
        rows[i] = (LIMBS[i][0] as u128) << 48 | (LIMBS[i][1] as u128) << 24 | LIMBS[i][2] as u128;
        i += 1;
    }
    rows
}

/// z0 in `[0, 18]` for the 72-bit value whose low 64 bits are `low` and whose high 8 bits are `high`.
#[inline(always)]
pub(crate) fn base_sample(low: u64, high: u8) -> i32 {
    let value = u128::from(high) << 64 | u128::from(low);
    let mut z0 = 0;
    for row in ROWS {
        z0 += i32::from(value < row);
    }
    z0
}

/// [`base_sample`] in lanes. `v`: the 72-bit values as limbs of 24 bits, least significant first.
#[inline(always)]
pub(crate) fn base_sample_lanes<S: Simd>(s: S, v: [S::I32; 3]) -> S::I32 {
    // One constant index a row: a loop over the table would load its limbs and test them for zero at run time.
    macro_rules! rows_above {
        ($($row:literal)*) => { s.splat_i32(0) $(+ row_is_above::<S, $row>(s, v))* };
    }
    rows_above!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17)
}

/// 1 where `v` is below a row.
#[inline(always)]
fn row_is_above<S: Simd, const ROW: usize>(s: S, v: [S::I32; 3]) -> S::I32 {
    let [high, middle, low] = const { LIMBS[ROW] };
    // -1 where the limbs so far are below those of the row; the sign of the last difference is the answer.
    let borrow = v[0].less(s.splat_i32(low));
    let mut difference = v[1] + borrow;
    if middle != 0 {
        difference = difference - s.splat_i32(middle);
    }
    difference = v[2] + difference.sign_mask();
    if high != 0 {
        difference = difference - s.splat_i32(high);
    }
    difference.shr::<31>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::falcon::kernels::Kernels;

    fn of(value: u128) -> i32 {
        base_sample(value as u64, (value >> 64) as u8)
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
            let limb = |i: usize| {
                let mut lanes = [0; 16];
                lanes.iter_mut().zip(values).for_each(|(l, v)| *l = (v >> (24 * i)) as u32 & 0xFF_FFFF);
                s.load_i32(&lanes)
            };
            let mut lanes = [0; 16];
            s.store_i32(&mut lanes, base_sample_lanes(s, [limb(0), limb(1), limb(2)]));
            out.extend_from_slice(&lanes[..S::LANES32]);
        }
        out
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
    }
}
