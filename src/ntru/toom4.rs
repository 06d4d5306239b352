//! Toom-Cook in four: a polynomial of degree 3 in y, and products by their values at 0, 1, -1, 2, 1/2, -1/2 and infinity.
//!
//! Values at 1/2 and -1/2 are 8 times what they are called. Interpolation divides by 2, 4 and 8 in 16 bits: of its
//! results 13 bits are right. Divisions by odd numbers are products with their inverses modulo 2^16.

use super::multiply::Blocks;
use crate::simd::{Int16, Simd};

/// The inverses of 3, 9 and 15 modulo 2^16.
const THIRD: i16 = -21845;
const NINTH: i16 = -29127;
const FIFTEENTH: i16 = -4369;

const _: () =
    assert!(THIRD.wrapping_mul(3) == 1 && NINTH.wrapping_mul(9) == 1 && FIFTEENTH.wrapping_mul(15) == 1);

/// From four coefficients, one after the other in `parts`, to seven values. In: `parts` has room for them.
#[inline(always)]
pub(super) fn evaluate<S: Simd>(s: S, parts: &mut [i16]) {
    let len = parts.len() / 7;
    for i in (0..len).step_by(S::LANES16) {
        let mut a = [s.splat_i16(0); 4];
        for (j, a) in a.iter_mut().enumerate() {
            *a = s.load_i16(&parts[j * len + i..]);
        }
        let (even, odd) = (a[0] + a[2], a[1] + a[3]);
        let at_two = a[0] + double(a[1] + double(a[2] + double(a[3])));
        let even_of_half = double(double(double(a[0])) + a[2]);
        let odd_of_half = double(double(a[1])) + a[3];
        let halves = (even_of_half + odd_of_half, even_of_half - odd_of_half);
        let values = [a[0], even + odd, even - odd, at_two, halves.0, halves.1, a[3]];
        for (j, value) in values.into_iter().enumerate() {
            s.store_i16(&mut parts[j * len + i..], value);
        }
    }
}

/// From the values of products, eight blocks each, to the coefficients, of which each overlaps the next one by half: 32
/// blocks.
#[inline(always)]
pub(super) fn interpolate<S: Simd>(s: S, blocks: Blocks, memory: &mut [i16]) {
    for i in 0..4 {
        for j in (0..blocks.stride).step_by(S::LANES16) {
            let (mut lower, mut upper) = ([s.splat_i16(0); 7], [s.splat_i16(0); 7]);
            for (k, (lower, upper)) in lower.iter_mut().zip(&mut upper).enumerate() {
                *lower = s.load_i16(&memory[blocks.at(8 * k + i) + j..]);
                *upper = s.load_i16(&memory[blocks.at(8 * k + 4 + i) + j..]);
            }
            let (lower, upper) = (coefficients(s, lower), coefficients(s, upper));
            s.store_i16(&mut memory[blocks.at(i) + j..], lower[0]);
            for k in 1..7 {
                s.store_i16(&mut memory[blocks.at(4 * k + i) + j..], lower[k] + upper[k - 1]);
            }
            s.store_i16(&mut memory[blocks.at(28 + i) + j..], upper[6]);
        }
    }
}

#[inline(always)]
fn double<T: Int16>(a: T) -> T {
    a + a
}

/// The coefficients c of a polynomial of degree 6 from its values, those at 1/2 and -1/2 times 64.
#[inline(always)]
fn coefficients<S: Simd>(s: S, values: [S::I16; 7]) -> [S::I16; 7] {
    let [c0, one, minus_one, two, half, minus_half, c6] = values;
    // c1 + c3 + c5, c2 + c4, 4 c2 + c4.
    let odd = (one - minus_one).shr::<1>();
    let even = one - odd - c0 - c6;
    let even_of_half = (half + minus_half - c0 * s.splat_i16(128) - double(c6)).shr::<3>();
    let c2 = (even_of_half - even) * s.splat_i16(THIRD);
    let c4 = even - c2;
    // 16 c1 + 4 c3 + c5, c1 + 4 c3 + 16 c5.
    let odd_of_half = (half - minus_half).shr::<2>();
    let even_of_two = c0 + double(double(c2 + double(double(c4 + double(double(c6))))));
    let odd_of_two = (two - even_of_two).shr::<1>();
    let c3 = (odd * s.splat_i16(17) - odd_of_half - odd_of_two) * s.splat_i16(NINTH);
    // c1 + c5, c1 - c5.
    let sum = odd - c3;
    let difference = (odd_of_half - odd_of_two) * s.splat_i16(FIFTEENTH);
    let c1 = (sum + difference).shr::<1>();
    [c0, c1, c2, c3, c4, sum - c1, c6]
}
