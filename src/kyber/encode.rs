//! Coefficients as bytes (FIPS 203, algorithms 5 and 6: ByteEncode, ByteDecode), and messages as polynomials.
//!
//! Eight coefficients of D bits are D bytes, the first coefficient in the lowest bits. Some backends have that in lanes;
//! for others four coefficients are moved together inside 64 bits, in loops that compilers turn into vectors. Time
//! depends on nothing.

use super::params::{N, Q, SEED_LEN};
use super::poly::Poly;
use crate::simd::{Int16, MAX_LANES16, Simd};

/// `width` ones in every 64 / `parts` bits.
const fn ones(width: usize, parts: usize) -> u64 {
    let (mut mask, mut i) = (0, 0);
    while i < parts {
        mask |= ((1u64 << width) - 1) << (i * 64 / parts);
        i += 1;
    }
    mask
}

/// ByteEncode_D. In: coefficients in [0, 2^D); `to` has 32 D bytes.
#[inline(always)]
pub(super) fn byte_encode<S: Simd, const D: usize>(s: S, a: &Poly, to: &mut [u8]) {
    const { assert!(D <= 12) };
    debug_assert!(to.len() == D * N / 8 && a.0.iter().all(|c| i32::from(*c) >> D == 0));
    if S::PACKS {
        for (a, to) in a.0.chunks_exact(S::LANES16).zip(to.chunks_exact_mut(D * S::LANES16 / 8)) {
            s.store_packed_i16::<D>(to, s.load_i16(a));
        }
        return;
    }
    // Four coefficients without the space between them: 4 D bits.
    let mut fours = [0u64; N / 4];
    for (four, from) in fours.iter_mut().zip(a.0.as_chunks::<4>().0) {
        let [c0, c1, c2, c3] = from.map(|c| u64::from(c as u16));
        let x = c0 | c1 << 16 | c2 << 32 | c3 << 48;
        let pairs = x & ones(D, 2) | x >> (16 - D) & ones(D, 2) << D;
        *four = pairs & ones(2 * D, 1) | pairs >> (32 - 2 * D) & ones(2 * D, 1) << (2 * D);
    }
    for (to, [low, high]) in to.chunks_exact_mut(D).zip(fours.as_chunks().0) {
        let bits = u128::from(*low) | u128::from(*high) << (4 * D);
        to.copy_from_slice(&bits.to_le_bytes()[..D]);
    }
}

/// ByteDecode_D, for D = 12 without the reduction modulo q. In: 32 D bytes. Out: coefficients in [0, 2^D).
#[inline(always)]
pub(super) fn byte_decode<S: Simd, const D: usize>(s: S, from: &[u8], a: &mut Poly) {
    const { assert!(D <= 12) };
    debug_assert_eq!(from.len(), D * N / 8);
    if S::PACKS {
        for (from, a) in from.chunks_exact(D * S::LANES16 / 8).zip(a.0.chunks_exact_mut(S::LANES16)) {
            s.store_i16(a, s.load_packed_i16::<D>(from));
        }
        return;
    }
    let mut fours = [0u64; N / 4];
    for (from, [low, high]) in from.chunks_exact(D).zip(fours.as_chunks_mut().0) {
        let mut bytes = [0; 16];
        bytes[..D].copy_from_slice(from);
        let bits = u128::from_le_bytes(bytes);
        (*low, *high) = (bits as u64 & ones(4 * D, 1), (bits >> (4 * D)) as u64);
    }
    for (four, to) in fours.iter().zip(a.0.as_chunks_mut::<4>().0) {
        let pairs = four & ones(2 * D, 1) | (four & ones(2 * D, 1) << (2 * D)) << (32 - 2 * D);
        let x = pairs & ones(D, 2) | (pairs & ones(D, 2) << D) << (16 - D);
        *to = [x as i16, (x >> 16) as i16, (x >> 32) as i16, (x >> 48) as i16];
    }
}

/// Bit i of a word, brought to the top by a product.
static TO_TOP: [i16; MAX_LANES16] = {
    let mut factors = [0; MAX_LANES16];
    let mut i = 0;
    while i < MAX_LANES16 {
        factors[i] = (1u16 << (15 - i % 16)) as i16;
        i += 1;
    }
    factors
};

/// Adds Decompress_1(ByteDecode_1(m)): bit 1 is (q + 1) / 2. In: sums fit in 16 bits.
#[inline(always)]
pub(super) fn add_message<S: Simd>(s: S, m: &[u8; SEED_LEN], a: &mut Poly) {
    let word = |i: usize| i16::from_le_bytes([m[2 * i], m[2 * i + 1]]);
    let half_q = s.splat_i16(Q.div_ceil(2) as i16);
    for (i, to) in a.0.chunks_exact_mut(S::LANES16).enumerate() {
        let at = i * S::LANES16;
        let words = if S::LANES16 <= 16 {
            s.splat_i16(word(at / 16))
        } else {
            let mut words = [word(at / 16); MAX_LANES16];
            words[16..].fill(word(at / 16 + 1));
            s.load_i16(&words)
        };
        let top = words * s.load_i16(&TO_TOP[at % 16..]);
        // Compilers have made a branch of this mask where it stands alone.
        s.store_i16(to, s.load_i16(to) + (top.sign_mask().opaque() & half_q));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{self, Isa, Op};

    struct RoundTrip<const D: usize>;

    impl<S: Simd, const D: usize> Op<S> for RoundTrip<D> {
        type Out = ();
        #[inline(always)]
        fn run(self, s: S) {
            let a = Poly(core::array::from_fn(|i| ((i * i * 31 + i * 7) & ((1 << D) - 1)) as i16));
            let mut bytes = vec![0; 32 * D];
            byte_encode::<S, D>(s, &a, &mut bytes);
            for (i, c) in a.0.iter().enumerate() {
                for bit in 0..D {
                    let at = i * D + bit;
                    assert_eq!(bytes[at / 8] >> (at % 8) & 1, (c >> bit & 1) as u8, "bit {bit} of {i}");
                }
            }
            let mut back = Poly([-1; N]);
            byte_decode::<S, D>(s, &bytes, &mut back);
            assert_eq!(back.0, a.0);
        }
    }

    #[cfg(target_arch = "riscv64")]
    impl<const D: usize> Op<crate::simd::Rvv> for RoundTrip<D> {
        type Out = ();
        fn run(self, _: crate::simd::Rvv) {
            self.run(crate::simd::Scalar::get());
        }
    }

    #[test]
    fn bits_are_in_their_places_on_every_backend() {
        for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_supported()) {
            isa::with(isa, RoundTrip::<1>);
            isa::with(isa, RoundTrip::<4>);
            isa::with(isa, RoundTrip::<5>);
            isa::with(isa, RoundTrip::<6>);
            isa::with(isa, RoundTrip::<10>);
            isa::with(isa, RoundTrip::<11>);
            isa::with(isa, RoundTrip::<12>);
        }
    }

    struct MessageToPoly<'a>(&'a [u8; 32]);

    impl<S: Simd> Op<S> for MessageToPoly<'_> {
        type Out = [i16; N];
        #[inline(always)]
        fn run(self, s: S) -> [i16; N] {
            let mut a = Poly::ZERO;
            add_message(s, self.0, &mut a);
            a.0
        }
    }

    crate::simd::scalar_on_rvv!(MessageToPoly<'_>);

    #[test]
    fn messages_on_every_backend() {
        let message: [u8; 32] = core::array::from_fn(|i| (i * i * 5 + 3) as u8);
        for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_supported()) {
            let poly = isa::with(isa, MessageToPoly(&message));
            for (i, c) in poly.into_iter().enumerate() {
                assert_eq!(c, i16::from(message[i / 8] >> (i % 8) & 1) * 1665, "{i} on {}", isa.name());
            }
        }
    }
}
