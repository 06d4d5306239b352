//! The base sampler: a half-Gaussian of deviation 1.8205 from 72 random bits (specification, algorithm 12).
//!
//! z0 is the number of table rows above the random value. All rows are always compared.

/// The reverse cumulative distribution, scaled by 2^72 (specification, table 3.1), as in [`rows`].
const ROWS: [u128; 18] = rows();

/// Rows as three 24-bit limbs, most significant first, the form in which the reference program has them.
const fn rows() -> [u128; 18] {
    const LIMBS: [[u128; 3]; 18] = [
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
    let mut rows = [0; 18];
    let mut i = 0;
    while i < 18 {
        rows[i] = LIMBS[i][0] << 48 | LIMBS[i][1] << 24 | LIMBS[i][2];
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
