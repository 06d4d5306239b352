//! Keccak-f[1600] (FIPS 202, section 3), one state at a time.
//!
//! Lane (x, y) is word `5 y + x`. A round writes a new state, row by row, so that no lane is moved; the text is
//! compiled for the token's instruction set, whose and-not and rotations take part.

use crate::isa::Op;
use crate::simd::Token;

/// A state as 25 lanes.
pub type State = [u64; 25];

/// The permutation, in place.
#[inline(always)]
pub fn keccak_f1600<T: Token>(token: T, state: &mut State) {
    token.enter(Permutation(state));
}

struct Permutation<'a>(&'a mut State);

impl<T: Token> Op<T> for Permutation<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, _: T) {
        let mut a = *self.0;
        for constants in ROUND_CONSTANTS.chunks_exact(2) {
            let e = round(&a, constants[0]);
            a = round(&e, constants[1]);
        }
        *self.0 = a;
    }
}

#[inline(always)]
fn round(a: &State, constant: u64) -> State {
    let mut parity = [0; 5];
    for x in 0..5 {
        parity[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
    }
    let mut theta = [0; 5];
    for x in 0..5 {
        theta[x] = parity[(x + 4) % 5] ^ parity[(x + 1) % 5].rotate_left(1);
    }
    let mut e = [0; 25];
    row::<0>(a, &theta, &mut e);
    row::<1>(a, &theta, &mut e);
    row::<2>(a, &theta, &mut e);
    row::<3>(a, &theta, &mut e);
    row::<4>(a, &theta, &mut e);
    e[0] ^= constant;
    e
}

/// Row `Y` of the new state: theta, rho and pi of the lanes that come there, and chi.
#[inline(always)]
fn row<const Y: usize>(a: &State, theta: &[u64; 5], e: &mut State) {
    let mut b = [0; 5];
    for x in 0..5 {
        // Pi brings lane (x + 3Y, x) to (x, Y).
        let column = (x + 3 * Y) % 5;
        b[x] = (a[5 * x + column] ^ theta[column]).rotate_left(ROTATIONS[5 * x + column]);
    }
    for x in 0..5 {
        e[5 * Y + x] = b[x] ^ (!b[(x + 1) % 5] & b[(x + 2) % 5]);
    }
}

/// The rotations of rho (section 3.2.2).
const ROTATIONS: [u32; 25] = {
    let mut rotations = [0; 25];
    let (mut x, mut y) = (1, 0);
    let mut t = 0;
    while t < 24 {
        rotations[5 * y + x] = (t + 1) * (t + 2) / 2 % 64;
        (x, y) = (y, (2 * x + 3 * y) % 5);
        t += 1;
    }
    rotations
};

/// The constants of iota (section 3.2.5, algorithm 5): bits 2^j - 1 are the output of a shift register.
const ROUND_CONSTANTS: [u64; 24] = {
    let mut constants = [0; 24];
    let mut register = 1u32;
    let mut round = 0;
    while round < 24 {
        let mut j = 0;
        while j < 7 {
            constants[round] |= ((register & 1) as u64) << ((1 << j) - 1);
            register = (register << 1) ^ ((register >> 7) * 0x171);
            j += 1;
        }
        round += 1;
    }
    constants
};
