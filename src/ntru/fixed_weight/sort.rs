//! The mapping of the submission to NIST (specification, section 1.10.5): sort random keys that carry coefficients.
//!
//! Each position has a random key of 30 bits above its coefficient; after sorting, the coefficients lie in a random
//! order. The network is Batcher's merge exchange (Knuth, volume 3, algorithm 5.2.2 M), which compares positions that
//! depend on the number of keys alone. Two equal keys keep the order of their coefficients: not quite uniform.

use super::{FixedWeight, Kernels, MAX_POSITIONS, ParameterSet, Poly};
use crate::ct::opaque;
use crate::simd::{Int32, Simd};

/// Bits of a random key.
const KEY_BITS: usize = 30;
/// Added to signed numbers it gives unsigned ones of the same order; and back.
const SIGN: u32 = 1 << 31;

/// Bytes of the random keys.
pub(super) const fn random_len(set: ParameterSet) -> usize {
    (KEY_BITS * (set.n() - 1)).div_ceil(8)
}

/// See the module.
#[derive(Clone, Copy)]
pub(in crate::ntru) struct Sort;

impl FixedWeight for Sort {
    #[inline(always)]
    fn sample<K: Kernels>(self, k: K, set: ParameterSet, random: &[u8], out: &mut Poly) -> bool {
        let (positions, weight) = (set.n() - 1, set.weight().unwrap_or(0));
        let mut keys = [0; MAX_POSITIONS];
        let keys = &mut keys[..positions];
        // Four keys take 15 bytes, and the number of positions is a multiple of four in every set.
        for (keys, bytes) in keys.chunks_mut(4).zip(random.as_chunks::<15>().0) {
            let mut all = [0; 16];
            all[..15].copy_from_slice(bytes);
            let all = u128::from_le_bytes(all);
            for (i, key) in keys.iter_mut().enumerate() {
                *key = ((all >> (KEY_BITS * i)) as u32) << 2;
            }
        }
        let (ones, rest) = keys.split_at_mut(weight / 2);
        ones.iter_mut().for_each(|key| *key |= 1);
        rest[..weight / 2].iter_mut().for_each(|key| *key |= 2);
        sort(k.vector(), keys);
        for (coefficient, key) in out.0.iter_mut().zip(keys) {
            *coefficient = (*key & 3) as i16;
        }
        true
    }
}

/// Sorts signed numbers, the smallest first.
#[inline(always)]
fn sort<S: Simd>(s: S, keys: &mut [u32]) {
    let len = keys.len();
    let top = len.next_power_of_two() / 2;
    let mut p = top;
    while p > 0 {
        let (mut q, mut r, mut distance) = (top, 0, p);
        loop {
            // All i below len - distance whose bit p is that of r: runs of p, whose partners lie outside of them.
            let mut start = r;
            while start < len - distance {
                let end = (start + p).min(len - distance);
                let (low, high) = keys.split_at_mut(start + distance);
                exchange(s, &mut low[start..end], &mut high[..end - start]);
                start += 2 * p;
            }
            if q == p {
                break;
            }
            distance = q - p;
            q /= 2;
            r = p;
        }
        p /= 2;
    }
}

/// Puts the smaller ones into `a`, the larger ones into `b`.
#[inline(always)]
fn exchange<S: Simd>(s: S, a: &mut [u32], b: &mut [u32]) {
    let whole = if S::LANES32 > 1 { a.len() & !(S::LANES32 - 1) } else { 0 };
    let ((a, a_rest), (b, b_rest)) = (a.split_at_mut(whole), b.split_at_mut(whole));
    for (a, b) in a.chunks_mut(S::LANES32).zip(b.chunks_mut(S::LANES32)) {
        let (x, y) = (s.load_i32(a), s.load_i32(b));
        // The sign of y - x, which is wrong where x and y have different signs and y - x has not that of y.
        let difference = y - x;
        let is_less = (difference ^ ((y ^ x) & (difference ^ y))).sign_mask();
        let swap = (x ^ y) & is_less;
        s.store_i32(a, x ^ swap);
        s.store_i32(b, y ^ swap);
    }
    for (a, b) in a_rest.iter_mut().zip(b_rest) {
        let difference = u64::from(*b ^ SIGN).wrapping_sub(u64::from(*a ^ SIGN));
        let swap = (*a ^ *b) & opaque(difference >> 63).wrapping_neg() as u32;
        *a ^= swap;
        *b ^= swap;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{self, Isa, Op};

    struct Sorted<'a>(&'a mut [u32]);

    impl<S: Simd> Op<S> for Sorted<'_> {
        type Out = ();
        #[inline(always)]
        fn run(self, s: S) {
            sort(s, self.0);
        }
    }

    crate::simd::scalar_on_rvv!(Sorted<'_>);

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
                isa::with(isa, Sorted(&mut keys));
                assert!(keys.iter().zip(&expected).all(|(key, expected)| *key as i32 == *expected), "{len}");
            }
        }
    }
}
