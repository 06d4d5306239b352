//! Keccak-f[1600] with a row of the state in each of five registers, for AVX-512F.
//!
//! Theta, rho and chi are lane by lane: chi by having the five columns of its input in five registers. Pi is a
//! permutation inside each row and the transposition that chi leaves behind; the transposition is undone before the
//! next round.

use super::permutation::{ROTATIONS as RHO, ROUND_CONSTANTS, State};
use crate::simd::Avx512f;
use core::arch::x86_64::*;

/// Lane numbers, or rotations, of eight lanes of which five are used.
type Lanes = [i64; 8];

const fn five(lanes: [u32; 5]) -> Lanes {
    let mut all = [0; 8];
    let mut i = 0;
    while i < 5 {
        all[i] = lanes[i] as i64;
        i += 1;
    }
    all
}

/// Lane y' of row y after pi, before the transposition: the old lane x with 2x + 3y = y'.
const fn pi(y: u32) -> Lanes {
    five([y % 5, (3 + y) % 5, (6 + y) % 5, (9 + y) % 5, (12 + y) % 5])
}

/// The rotations of row y.
const fn rho(y: usize) -> Lanes {
    five([RHO[5 * y], RHO[5 * y + 1], RHO[5 * y + 2], RHO[5 * y + 3], RHO[5 * y + 4]])
}

static ROTATIONS: [Lanes; 5] = [rho(0), rho(1), rho(2), rho(3), rho(4)];
static PI: [Lanes; 5] = [pi(0), pi(1), pi(2), pi(3), pi(4)];

/// Keccak-f[1600].
#[inline(always)]
pub(super) fn permute(_: Avx512f, state: &mut State) {
    const ROW: __mmask8 = 0b11111;
    // SAFETY: AVX-512F by the token; row y is the five words from 5 y on, and only those are read and written;
    // tables have eight lanes.
    unsafe {
        let words = state.as_mut_ptr().cast::<i64>();
        let mut r0 = _mm512_maskz_loadu_epi64(ROW, words);
        let mut r1 = _mm512_maskz_loadu_epi64(ROW, words.add(5));
        let mut r2 = _mm512_maskz_loadu_epi64(ROW, words.add(10));
        let mut r3 = _mm512_maskz_loadu_epi64(ROW, words.add(15));
        let mut r4 = _mm512_maskz_loadu_epi64(ROW, words.add(20));
        let left = _mm512_setr_epi64(4, 0, 1, 2, 3, 0, 0, 0);
        let right = _mm512_setr_epi64(1, 2, 3, 4, 0, 0, 0, 0);
        macro_rules! table {
            ($table:ident) => {
                [
                    _mm512_loadu_epi64($table[0].as_ptr()),
                    _mm512_loadu_epi64($table[1].as_ptr()),
                    _mm512_loadu_epi64($table[2].as_ptr()),
                    _mm512_loadu_epi64($table[3].as_ptr()),
                    _mm512_loadu_epi64($table[4].as_ptr()),
                ]
            };
        }
        let rotations = table!(ROTATIONS);
        let pi = table!(PI);
        let last_column = _mm512_setr_epi64(4, 0, 0, 0, 1, 3, 0, 2);
        let row0 = _mm512_setr_epi64(0, 1, 8, 9, 6, 0, 0, 0);
        let row1 = _mm512_setr_epi64(0, 1, 8, 9, 12, 0, 0, 0);
        let row2 = _mm512_setr_epi64(2, 3, 10, 11, 7, 0, 0, 0);
        let row3 = _mm512_setr_epi64(2, 3, 10, 11, 13, 0, 0, 0);
        let row4 = _mm512_setr_epi64(4, 5, 12, 13, 0, 0, 0, 0);
        /// a ^ b ^ c and a ^ (!b & c) as truth tables.
        const XOR3: i32 = 0x96;
        const CHI: i32 = 0xD2;
        for constant in &ROUND_CONSTANTS {
            // Theta.
            let parity = _mm512_ternarylogic_epi64::<XOR3>(r0, r1, r2);
            let parity = _mm512_ternarylogic_epi64::<XOR3>(parity, r3, r4);
            let before = _mm512_permutexvar_epi64(left, parity);
            let after = _mm512_rol_epi64::<1>(_mm512_permutexvar_epi64(right, parity));
            r0 = _mm512_ternarylogic_epi64::<XOR3>(r0, before, after);
            r1 = _mm512_ternarylogic_epi64::<XOR3>(r1, before, after);
            r2 = _mm512_ternarylogic_epi64::<XOR3>(r2, before, after);
            r3 = _mm512_ternarylogic_epi64::<XOR3>(r3, before, after);
            r4 = _mm512_ternarylogic_epi64::<XOR3>(r4, before, after);
            // Rho and pi: what becomes column x is now in register x.
            let t0 = _mm512_permutexvar_epi64(pi[0], _mm512_rolv_epi64(r0, rotations[0]));
            let t1 = _mm512_permutexvar_epi64(pi[1], _mm512_rolv_epi64(r1, rotations[1]));
            let t2 = _mm512_permutexvar_epi64(pi[2], _mm512_rolv_epi64(r2, rotations[2]));
            let t3 = _mm512_permutexvar_epi64(pi[3], _mm512_rolv_epi64(r3, rotations[3]));
            let t4 = _mm512_permutexvar_epi64(pi[4], _mm512_rolv_epi64(r4, rotations[4]));
            // Chi and iota.
            let c0 = _mm512_ternarylogic_epi64::<CHI>(t0, t1, t2);
            let c1 = _mm512_ternarylogic_epi64::<CHI>(t1, t2, t3);
            let c2 = _mm512_ternarylogic_epi64::<CHI>(t2, t3, t4);
            let c3 = _mm512_ternarylogic_epi64::<CHI>(t3, t4, t0);
            let c4 = _mm512_ternarylogic_epi64::<CHI>(t4, t0, t1);
            let constant = _mm512_maskz_loadu_epi64(1, core::ptr::from_ref(constant).cast());
            let c0 = _mm512_xor_si512(c0, constant);
            // Columns to rows: pairs of columns by even and odd lanes, the last column beside them.
            let even01 = _mm512_unpacklo_epi64(c0, c1);
            let odd01 = _mm512_unpackhi_epi64(c0, c1);
            let even23 = _mm512_unpacklo_epi64(c2, c3);
            let odd23 = _mm512_unpackhi_epi64(c2, c3);
            let last = _mm512_permutexvar_epi64(last_column, c4);
            r4 = _mm512_permutex2var_epi64(_mm512_mask_blend_epi64(0b1, even01, last), row4, even23);
            let even01 = _mm512_mask_blend_epi64(0b1100_0000, even01, last);
            let odd23 = _mm512_mask_blend_epi64(0b0011_0000, odd23, last);
            r0 = _mm512_permutex2var_epi64(even01, row0, even23);
            r1 = _mm512_permutex2var_epi64(odd01, row1, odd23);
            r2 = _mm512_permutex2var_epi64(even01, row2, even23);
            r3 = _mm512_permutex2var_epi64(odd01, row3, odd23);
        }
        _mm512_mask_storeu_epi64(words, ROW, r0);
        _mm512_mask_storeu_epi64(words.add(5), ROW, r1);
        _mm512_mask_storeu_epi64(words.add(10), ROW, r2);
        _mm512_mask_storeu_epi64(words.add(15), ROW, r3);
        _mm512_mask_storeu_epi64(words.add(20), ROW, r4);
    }
}
