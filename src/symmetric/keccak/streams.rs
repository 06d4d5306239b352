//! Keccak-f[1600] (FIPS 202, section 3) of several states: side by side, or one by one.
//!
//! A register holds the same lane of several states. The text stands here once; what it asks of an instruction set is
//! [`Lanes`], a file for each. As in [`super::permutation`], a round writes a new state row by row,
//! so that no lane is moved.

use super::Keccak;
use super::permutation::{ROTATIONS, ROUND_CONSTANTS};
use super::states::States;
use crate::isa::Op;
use crate::simd::Token;
use crate::symmetric::lanes::Lanes;
use core::marker::PhantomData;
use core::ops::Range;

/// The permutation of `L::WIDTH` states, from stream `first` on.
pub(super) struct Permutation<'a, L> {
    states: &'a mut States,
    first: usize,
    lanes: PhantomData<L>,
}

/// The permutation of at least the first `streams` states: `L::WIDTH` at a time, and one by one if fewer than `WORTH` are
/// left, the fewest for which a vector is faster.
#[inline(always)]
pub(super) fn permute<L: Lanes, const WORTH: usize>(token: L::Token, states: &mut States, streams: usize)
where
    L::Token: Keccak,
{
    let mut first = 0;
    while streams - first >= WORTH {
        token.enter(Permutation::<L> { states, first, lanes: PhantomData });
        first = streams.min(first + L::WIDTH);
    }
    one_by_one(token, states, first..streams);
}

/// The permutation of some states, one after the other.
#[inline(always)]
pub(super) fn one_by_one<K: Keccak>(k: K, states: &mut States, streams: Range<usize>) {
    for stream in streams {
        let mut state = states.take(stream);
        k.permute(&mut state);
        states.put(stream, &state);
    }
}

impl<L: Lanes> Op<L::Token> for Permutation<'_, L> {
    type Out = ();

    #[inline(always)]
    fn run(self, token: L::Token) {
        let Permutation { states, first, .. } = self;
        let mut a = [L::splat(token, 0); 25];
        for (lane, row) in a.iter_mut().zip(&states.words) {
            *lane = L::load(token, row, first);
        }
        for constant in ROUND_CONSTANTS {
            a = round(&a, L::splat(token, constant));
        }
        for (lane, row) in a.iter().zip(&mut states.words) {
            lane.store(row, first);
        }
    }
}

/// Lane (x, y) of the state before rho and pi, with theta added and rotated by rho.
macro_rules! rotated {
    ($a:ident, $theta:ident, $x:literal, $y:literal) => {{
        const LEFT: i32 = ROTATIONS[5 * $y + $x] as i32;
        $a[5 * $y + $x].xor_rotate::<LEFT, { 64 - LEFT }>($theta[$x])
    }};
}

#[inline(always)]
fn round<L: Lanes>(a: &[L; 25], constant: L) -> [L; 25] {
    let parity = |x: usize| L::parity(a[x], a[x + 5], a[x + 10], a[x + 15], a[x + 20]);
    let parity = [parity(0), parity(1), parity(2), parity(3), parity(4)];
    let theta = [
        L::theta(parity[4], parity[1]),
        L::theta(parity[0], parity[2]),
        L::theta(parity[1], parity[3]),
        L::theta(parity[2], parity[4]),
        L::theta(parity[3], parity[0]),
    ];
    let mut e = *a;
    // Pi brings lane (x + 3y, x) to (x, y).
    chi(
        &mut e,
        0,
        [
            a[0].xor(theta[0]),
            rotated!(a, theta, 1, 1),
            rotated!(a, theta, 2, 2),
            rotated!(a, theta, 3, 3),
            rotated!(a, theta, 4, 4),
        ],
    );
    e[0] = e[0].xor(constant);
    chi(
        &mut e,
        1,
        [
            rotated!(a, theta, 3, 0),
            rotated!(a, theta, 4, 1),
            rotated!(a, theta, 0, 2),
            rotated!(a, theta, 1, 3),
            rotated!(a, theta, 2, 4),
        ],
    );
    chi(
        &mut e,
        2,
        [
            rotated!(a, theta, 1, 0),
            rotated!(a, theta, 2, 1),
            rotated!(a, theta, 3, 2),
            rotated!(a, theta, 4, 3),
            rotated!(a, theta, 0, 4),
        ],
    );
    chi(
        &mut e,
        3,
        [
            rotated!(a, theta, 4, 0),
            rotated!(a, theta, 0, 1),
            rotated!(a, theta, 1, 2),
            rotated!(a, theta, 2, 3),
            rotated!(a, theta, 3, 4),
        ],
    );
    chi(
        &mut e,
        4,
        [
            rotated!(a, theta, 2, 0),
            rotated!(a, theta, 3, 1),
            rotated!(a, theta, 4, 2),
            rotated!(a, theta, 0, 3),
            rotated!(a, theta, 1, 4),
        ],
    );
    e
}

/// Row `y` of the new state.
#[inline(always)]
fn chi<L: Lanes>(e: &mut [L; 25], y: usize, b: [L; 5]) {
    for x in 0..5 {
        e[5 * y + x] = b[x].chi(b[(x + 1) % 5], b[(x + 2) % 5]);
    }
}
