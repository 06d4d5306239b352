//! The permutation in assembly for AArch64: the state and what a round needs fill the registers, and compilers move and
//! spill a fourth of it each round.
//!
//! The text of [`super::permutation`] and [`super::streams`] says the same in Rust; the tests compare both with the
//! crate `sha3`.

use super::permutation::{ROUND_CONSTANTS, State};
use super::states::{STREAMS, States};
use crate::simd::{Neon, NeonCrypto};
use core::arch::global_asm;

global_asm!(include_str!("one.s"), options(raw));
global_asm!(include_str!("two.s"), options(raw));

unsafe extern "C" {
    /// In: 25 lanes; the constants, which end at a multiple of 256 bytes.
    fn pqc_keccak_one(state: *mut u64, constants: *const u64);
    /// As the other. In: a processor with the instructions for SHA3.
    fn pqc_keccak_one_sha3(state: *mut u64, constants: *const u64);
    /// In: 25 lanes of two states, the next ones 64 bytes further on; the constants as above.
    fn pqc_keccak_two(states: *mut u64, constants: *const u64);
    /// As the other. In: a processor with the instructions for SHA3.
    fn pqc_keccak_two_sha3(states: *mut u64, constants: *const u64);
}

/// The constants of the rounds, behind room: their end is a multiple of 256 bytes, by which a loop knows the last one.
#[repr(align(256))]
struct Constants([u64; 32]);

static CONSTANTS: Constants = Constants({
    let mut behind = [0; 32];
    let mut round = 0;
    while round < 24 {
        behind[8 + round] = ROUND_CONSTANTS[round];
        round += 1;
    }
    behind
});

fn constants() -> *const u64 {
    CONSTANTS.0[8..].as_ptr()
}

/// The permutation of one state.
pub(super) fn one(_: Neon, state: &mut State) {
    // SAFETY: 25 lanes are there; every AArch64 processor has the instructions.
    unsafe { pqc_keccak_one(state.as_mut_ptr(), constants()) }
}

/// The permutation of one state with the instructions for SHA3.
pub(super) fn one_sha3(_: NeonCrypto, state: &mut State) {
    // SAFETY: 25 lanes are there; the instructions by the token.
    unsafe { pqc_keccak_one_sha3(state.as_mut_ptr(), constants()) }
}

/// The first lane of a pair of streams: the others are a row further on each.
fn first_of(states: &mut States, pair: usize) -> *mut u64 {
    assert!(2 * pair + 2 <= STREAMS);
    states.words.as_flattened_mut()[2 * pair..].as_mut_ptr()
}

/// The permutation of a pair of streams.
pub(super) fn two(_: Neon, states: &mut States, pair: usize) {
    // SAFETY: both lanes are in each of 25 rows of 64 bytes; NEON by the token.
    unsafe { pqc_keccak_two(first_of(states, pair), constants()) }
}

/// The permutation of a pair of streams with the instructions for SHA3.
pub(super) fn two_sha3(_: NeonCrypto, states: &mut States, pair: usize) {
    // SAFETY: as for the other; the instructions by the token.
    unsafe { pqc_keccak_two_sha3(first_of(states, pair), constants()) }
}
