//! The mapping of the submission to NIST (specification, section 1.10.5): sort random keys that carry coefficients.
//!
//! Each position has a random key of 30 bits above its coefficient; after sorting, the coefficients lie in a random
//! order. The network is Batcher's merge exchange (Knuth, volume 3, algorithm 5.2.2 M), which compares positions that
//! depend on the number of keys alone. Two equal keys keep the order of their coefficients: not quite uniform.

use super::{FixedWeight, Kernels, MAX_POSITIONS, ParameterSet, Poly};
use crate::isa::Op;
use crate::simd::{Aligned, Int32, Simd, Token, WIDEST32};
use core::mem::MaybeUninit;
use core::num::Wrapping;

/// Bits of a random key.
const KEY_BITS: usize = 30;

/// Bytes of the random keys.
pub(super) const fn random_len(set: ParameterSet) -> usize {
    (KEY_BITS * (set.n() - 1)).div_ceil(8)
}

/// See the module.
#[derive(Clone, Copy)]
pub(in crate::ntru) struct Sort;

/// Keys that the vectors of a sort are filled up with: not below any.
const LAST: u32 = i32::MAX as u32;
/// Room for the keys in pairs of whole vectors.
const ROOM: usize = MAX_POSITIONS.next_multiple_of(2 * WIDEST32);

impl FixedWeight for Sort {
    #[inline(always)]
    fn sample<K: Kernels>(self, k: K, set: ParameterSet, random: &[u8], out: &mut Poly) -> bool {
        let (positions, weight) = (set.n() - 1, set.weight().unwrap_or(0));
        let mut keys = MaybeUninit::uninit();
        let keys = Aligned::<[u32; ROOM]>::unwritten(&mut keys);
        keys[positions..].fill(LAST);
        // Four keys take 15 bytes, and the number of positions is a multiple of four in every set.
        for (keys, bytes) in
            keys[..positions].as_chunks_mut::<4>().0.iter_mut().zip(random.as_chunks::<15>().0)
        {
            let [b0, b1, b2, b3, b4, b5, b6, b7, rest @ ..] = *bytes;
            let [b8, b9, b10, b11, b12, b13, b14] = rest;
            let low = u64::from_le_bytes([b0, b1, b2, b3, b4, b5, b6, b7]);
            // From bit 56 on.
            let high = u64::from_le_bytes([b7, b8, b9, b10, b11, b12, b13, b14]);
            *keys = [low, low >> KEY_BITS, high >> (2 * KEY_BITS - 56), high >> (3 * KEY_BITS - 56)]
                .map(|key| (key as u32) << 2);
        }
        let (ones, rest) = keys.split_at_mut(weight / 2);
        ones.iter_mut().for_each(|key| *key |= 1);
        rest[..weight / 2].iter_mut().for_each(|key| *key |= 2);
        k.vector().enter(Ascending { keys, len: positions });
        for (coefficient, key) in out.0[..positions].iter_mut().zip(keys) {
            *coefficient = (*key & 3) as i16;
        }
        true
    }
}

/// Sorts `len` signed numbers, the smallest first. In: [`LAST`] after them.
struct Ascending<'a> {
    keys: &'a mut [u32; ROOM],
    len: usize,
}

impl<S: Simd> Op<S> for Ascending<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self, s: S) {
        let pair = 2 * S::LANES32;
        let keys = if S::LANES32 == 1 {
            &mut self.keys[..self.len]
        } else {
            &mut self.keys[..self.len.next_multiple_of(pair)]
        };
        let top = keys.len().next_power_of_two() / 2;
        let mut p = top;
        while p >= S::LANES32 && p > 0 {
            exchange_runs(s, keys, p, top);
            p /= 2;
        }
        while p > 0 {
            exchange_inside(s, keys, p, top);
            p /= 2;
        }
    }
}

/// The steps of one p, at least a vector: i with bit p clear and i + p; then, for every q from `top` down to 2 p, i with
/// bit p set and i + q - p.
#[inline(always)]
fn exchange_runs<S: Simd>(s: S, keys: &mut [u32], p: usize, top: usize) {
    let len = keys.len();
    let mut i = 0;
    while i + p < len {
        exchange_at(s, keys, i, i + p);
        i = next_with(p, i, 0, S::LANES32);
    }
    let mut i = p;
    while i < len {
        // The nearest partner is at i + p.
        let (vector, partners) = keys[i..].split_at_mut(p.min(len - i));
        descend(s, vector, partners, top, 2 * p, 2 * p);
        i = next_with(p, i, p, S::LANES32);
    }
}

/// The index `step` behind `i`, or the next one whose bit `p` is `bit`. In: that of i is.
#[inline(always)]
fn next_with(p: usize, i: usize, bit: usize, step: usize) -> usize {
    let next = i + step;
    if next & p == bit { next } else { next + p }
}

/// Exchanges a vector with those of `partners` at q - `skipped` for q = `top`, half of it, ... and `last`: each of these
/// was exchanged for every larger q before, as all vectors before this one were.
#[inline(always)]
fn descend<S: Simd>(s: S, vector: &mut [u32], partners: &mut [u32], top: usize, last: usize, skipped: usize) {
    let mut smaller = s.load_i32(vector);
    let mut q = top;
    while q >= last {
        let at = q - skipped;
        if let Some(partner) = partners.get_mut(at..at + S::LANES32) {
            let larger;
            (smaller, larger) = smaller.sorted(s.load_i32(partner));
            s.store_i32(partner, larger);
        }
        q /= 2;
    }
    s.store_i32(vector, smaller);
}

/// Puts the smaller ones of two vectors at `first`, the larger ones at `second`, behind it.
#[inline(always)]
fn exchange_at<S: Simd>(s: S, keys: &mut [u32], first: usize, second: usize) {
    let pair = &mut keys[first..second + S::LANES32];
    let (smaller, larger) = s.load_i32(pair).sorted(s.load_i32(&pair[second - first..]));
    s.store_i32(pair, smaller);
    s.store_i32(&mut pair[second - first..], larger);
}

/// The steps of a p below the lanes of a vector: keys whose index has bit `p` clear and keys whose index has it set are
/// brought side by side, where the partner of one is always as far away.
#[inline(always)]
fn exchange_inside<S: Simd>(s: S, keys: &mut [u32], p: usize, top: usize) {
    let half = keys.len() / 2;
    let (mut clear, mut set) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    let clear = &mut Aligned::<[u32; ROOM / 2]>::unwritten(&mut clear)[..half];
    let set = &mut Aligned::<[u32; ROOM / 2]>::unwritten(&mut set)[..half];
    let sides = clear.chunks_exact_mut(S::LANES32).zip(set.chunks_exact_mut(S::LANES32));
    for (pair, (clear, set)) in keys.chunks_exact(2 * S::LANES32).zip(sides) {
        let (first, second) = pair.split_at(S::LANES32);
        let (a, b) = s.unzip_i32(p, s.load_i32(first), s.load_i32(second));
        // i and i + p.
        let (a, b) = a.sorted(b);
        s.store_i32(clear, a);
        s.store_i32(set, b);
    }
    // i and i + q - p: bit p of i is set, and half of q indices further on it is clear.
    for (i, set) in set.chunks_exact_mut(S::LANES32).enumerate() {
        let clear = &mut clear[i * S::LANES32..];
        descend(s, set, clear, top / 2, S::LANES32, 0);
    }
    let mut q = S::LANES32;
    while q > p {
        exchange(s, &mut set[..half - q / 2], &mut clear[q / 2..]);
        q /= 2;
    }
    let sides = clear.chunks_exact(S::LANES32).zip(set.chunks_exact(S::LANES32));
    for (pair, (clear, set)) in keys.chunks_exact_mut(2 * S::LANES32).zip(sides) {
        let (first, second) = pair.split_at_mut(S::LANES32);
        let (a, b) = s.zip_i32(p, s.load_i32(clear), s.load_i32(set));
        s.store_i32(first, a);
        s.store_i32(second, b);
    }
}

/// Puts the smaller ones into `a`, the larger ones into `b`.
#[inline(always)]
fn exchange<S: Simd>(s: S, a: &mut [u32], b: &mut [u32]) {
    let whole = a.len() & !(S::LANES32 - 1);
    let ((a, a_rest), (b, b_rest)) = (a.split_at_mut(whole), b.split_at_mut(whole));
    for (a, b) in a.chunks_exact_mut(S::LANES32).zip(b.chunks_exact_mut(S::LANES32)) {
        let (smaller, larger) = s.load_i32(a).sorted(s.load_i32(b));
        s.store_i32(a, smaller);
        s.store_i32(b, larger);
    }
    for (a, b) in a_rest.iter_mut().zip(b_rest) {
        let (smaller, larger) = Wrapping(*a).sorted(Wrapping(*b));
        (*a, *b) = (smaller.0, larger.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{self, Isa};

    crate::simd::scalar_on_rvv!(Ascending<'_>);

    #[test]
    fn keys_are_sorted_as_signed_numbers_on_every_backend() {
        let mut state = 1u64;
        for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_supported()) {
            for len in (1..80).chain([508, 676, 820, 1228]) {
                let mut keys: Vec<u32> = (0..len)
                    .map(|i| {
                        state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
                        // Extremes and equal ones among them.
                        if i % 7 == 0 { (state >> 62) as u32 * 0x5555_5555 } else { (state >> 32) as u32 }
                    })
                    .collect();
                let mut expected: Vec<i32> = keys.iter().map(|key| *key as i32).collect();
                expected.sort_unstable();
                keys.resize(ROOM, LAST);
                let keys: &mut [u32; ROOM] = keys.as_mut_slice().try_into().expect("as many");
                isa::with(isa, Ascending { keys, len });
                assert!(keys.iter().zip(&expected).all(|(key, expected)| *key as i32 == *expected), "{len}");
            }
        }
    }
}
