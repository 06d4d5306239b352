//! The one-way secure scheme under the KEM: sampling, key generation, encryption, decryption (specification, 1.10, 1.11).
//!
//! Decryption checks that what it found is a message that encryption could have taken; this, and not a second
//! encryption, is what makes the KEM secure against chosen ciphertexts. Checks are masks. Next: [`super::poly`],
//! [`super::fixed_weight`].

use super::fixed_weight::Sampler;
use super::inverse::invert_mod_q;
use super::kernels::Kernels;
use super::pack::{pack_mod_q, unpack_mod_q, unpack_sum_zero};
use super::params::{MAX_N, ParameterSet};
use super::poly::Poly;
use crate::ct::{self, Mask, declassify_all};
use crate::error::Error;
use crate::isa::Op;
use crate::rng::RandomSource;
use crate::secret::Secret;
use zeroize::Zeroize;

/// What decryption needs.
pub(super) struct PrivateKey {
    /// Centred: {0, 1, -1}.
    pub f: Poly,
    /// The inverse of f in S modulo 3, in {0, 1, 2}.
    pub f_inverse: Poly,
    /// The inverse of h in S modulo q; upper bits have no meaning.
    pub h_inverse: Poly,
}

impl PrivateKey {
    /// Room for a key.
    pub const ZERO: PrivateKey = PrivateKey { f: Poly::ZERO, f_inverse: Poly::ZERO, h_inverse: Poly::ZERO };
}

impl Zeroize for PrivateKey {
    fn zeroize(&mut self) {
        self.f.zeroize();
        self.f_inverse.zeroize();
        self.h_inverse.zeroize();
    }
}

/// Coefficients from random bytes, one each: 0, 1, 2 with 86, 85, 85 of 256 chances.
#[inline(always)]
fn sample_iid(set: ParameterSet, random: &[u8], a: &mut Poly) {
    for (c, byte) in a.0[..set.n() - 1].iter_mut().zip(random) {
        *c = i16::from(*byte % 3);
    }
}

/// Changes the signs of even coefficients where <x a, a> is negative, as HRSS does with f and g.
#[inline(always)]
fn make_plus(set: ParameterSet, a: &mut Poly) {
    a.centre_ternary(set);
    let coefficients = a.of(set);
    let correlation: i16 = coefficients.iter().zip(&coefficients[1..]).map(|(a, b)| a * b).sum();
    // 1 or -1; the sum is at most n.
    let sign = (ct::opaque((correlation >> 15) as u64) | 1) as i16;
    for c in a.of_mut(set).iter_mut().step_by(2) {
        *c *= sign;
    }
    a.uncentre_ternary(set);
}

/// Bytes of the largest draw for two polynomials: 1229's, sorted.
const MAX_RANDOM: usize =
    ParameterSet::Hps40961229.iid_len() + Sampler::Sort.random_len(ParameterSet::Hps40961229);
/// Draws until a generator is taken to be broken. The first is too short with a probability below 2^-74.
const MAX_DRAWS: usize = 4;

/// Two ternary polynomials, (f, g) or (r, m), in {0, 1, 2}: the first without a fixed weight, the second one of HPS
/// with it. One draw of the generator.
pub(super) struct SamplePair<'a> {
    pub set: ParameterSet,
    pub sampler: Sampler,
    pub random: &'a mut dyn RandomSource,
    pub first: &'a mut Poly,
    pub second: &'a mut Poly,
}

impl<K: Kernels> Op<K> for SamplePair<'_> {
    type Out = Result<(), Error>;

    #[inline(always)]
    fn run(self, k: K) -> Result<(), Error> {
        let SamplePair { set, sampler, random, first, second } = self;
        let mut room = Secret::new([0; MAX_RANDOM]);
        let second_len = set.weight().map_or(set.iid_len(), |_| sampler.random_len(set));
        let bytes = &mut room.expose_mut()[..set.iid_len() + second_len];
        for _ in 0..MAX_DRAWS {
            random.fill(bytes)?;
            let (for_first, for_second) = bytes.split_at(set.iid_len());
            sample_iid(set, for_first, first);
            if set.weight().is_none() {
                sample_iid(set, for_second, second);
                return Ok(());
            }
            if sampler.sample(k, set, for_second, second) {
                return Ok(());
            }
        }
        Err(Error::Randomness("the sampler of fixed weight rejects everything that comes".into()))
    }
}

/// Makes a private key and h from f and g in {0, 1, 2}, which it changes.
#[inline(always)]
pub(super) fn key_gen<K: Kernels>(
    k: K,
    set: ParameterSet,
    (f, g): (&mut Poly, &mut Poly),
    private: &mut PrivateKey,
    h: &mut Poly,
) {
    if set.weight().is_none() {
        make_plus(set, f);
        make_plus(set, g);
    }
    k.invert_mod_3(set, f, &mut private.f_inverse);
    f.centre_ternary(set);
    g.centre_ternary(set);
    if set.weight().is_none() {
        g.multiply_by_x_minus_1(set);
    }
    for c in g.of_mut(set) {
        *c *= 3;
    }
    // One inversion gives h = g / f and its inverse f / g, as g^2 / (g f) and f^2 / (g f).
    let (mut product, mut inverse) = (Poly::ZERO, Poly::ZERO);
    k.multiply(set, g, f, &mut product);
    invert_mod_q(k, set, &product, &mut inverse);
    k.multiply(set, &inverse, f, &mut product);
    k.multiply(set, &product, f, &mut private.h_inverse);
    private.h_inverse.mod_phi_n(set);
    k.multiply(set, &inverse, g, &mut product);
    k.multiply(set, &product, g, h);
    private.f = *f;
}

/// The ciphertext r h + Lift(m). In: r and m in {0, 1, 2}, which it changes.
#[inline(always)]
pub(super) fn encrypt<K: Kernels>(
    k: K,
    set: ParameterSet,
    h: &Poly,
    (r, m): (&mut Poly, &mut Poly),
    ciphertext: &mut [u8],
) {
    r.centre_ternary(set);
    m.lift(set);
    let mut c = Poly::ZERO;
    k.multiply(set, r, h, &mut c);
    for (c, m) in c.of_mut(set).iter_mut().zip(m.of(set)) {
        *c = c.wrapping_add(*m);
    }
    pack_mod_q(set, &c, ciphertext);
    declassify_all(ciphertext, "a ciphertext is public");
}

/// Finds r and m, in {0, 1, 2}; true where the ciphertext is one that encryption gives.
#[inline(always)]
pub(super) fn decrypt<K: Kernels>(
    k: K,
    set: ParameterSet,
    key: &PrivateKey,
    ciphertext: &[u8],
    r: &mut Poly,
    m: &mut Poly,
) -> Mask {
    let mut c = Poly::ZERO;
    let mut is_valid = unpack_sum_zero(set, ciphertext, &mut c);
    // m = (c f modulo q, as small numbers modulo 3) / f.
    let mut product = Poly::ZERO;
    k.multiply(set, &c, &key.f, &mut product);
    product.rq_to_s3(set);
    k.multiply(set, &product, &key.f_inverse, m);
    // Sums of n - 1 products of digits: below 2^13.
    m.mod_3_phi_n(set);
    is_valid = is_valid & has_weight(set, m);
    // r = (c - Lift(m)) / h.
    let mut lifted = *m;
    lifted.lift(set);
    for (c, lifted) in c.of_mut(set).iter_mut().zip(lifted.of(set)) {
        *c = c.wrapping_sub(*lifted);
    }
    k.multiply(set, &c, &key.h_inverse, r);
    r.mod_phi_n(set);
    is_valid & to_ternary(set, r)
}

/// Whether a polynomial in {0, 1, 2} has the set's weight, half ones and half twos; always for HRSS.
#[inline(always)]
fn has_weight(set: ParameterSet, a: &Poly) -> Mask {
    let Some(weight) = set.weight() else { return Mask::from_bit(1) };
    let ones: i16 = a.of(set).iter().map(|c| c & 1).sum();
    let twos: i16 = a.of(set).iter().map(|c| c >> 1).sum();
    let half = (weight / 2) as i16;
    ct::is_zero(((ones ^ half) | (twos ^ half)) as u16 as u64)
}

/// From coefficients modulo q to {0, 1, 2} for 0, 1, -1; false where there are others, which become anything, or the
/// last one is not zero.
#[inline(always)]
fn to_ternary(set: ParameterSet, a: &mut Poly) -> Mask {
    let unused = 16 - set.logq();
    let mut excess = 0;
    for c in a.of_mut(set) {
        *c = (*c << unused) >> unused;
        // Zero for -1 ... 2; and for those but 2.
        excess |= ((*c + 1) & !3) | ((*c + 2) & 4);
    }
    excess |= a.0[set.n() - 1];
    a.uncentre_ternary(set);
    ct::is_zero(excess as u16 as u64)
}

/// Unpacks h; false where spare bits are not zero.
#[inline(always)]
pub(super) fn unpack_h(set: ParameterSet, bytes: &[u8], h: &mut Poly) -> Mask {
    unpack_sum_zero(set, bytes, h)
}

/// Unpacks the inverse of h; false where spare bits are not zero.
#[inline(always)]
pub(super) fn unpack_h_inverse(set: ParameterSet, bytes: &[u8], h_inverse: &mut Poly) -> Mask {
    unpack_mod_q(set, bytes, h_inverse)
}

/// Whether f and its inverse modulo 3 belong together.
#[inline(always)]
pub(super) fn is_inverse_mod_3<K: Kernels>(k: K, set: ParameterSet, key: &PrivateKey) -> Mask {
    let (mut f, mut product) = (key.f, Poly::ZERO);
    f.uncentre_ternary(set);
    k.multiply(set, &f, &key.f_inverse, &mut product);
    product.mod_3_phi_n(set);
    is_one(product.of(set), -1)
}

/// Makes h from its inverse; false where the inverse has none itself, or where f h is not 3 g (HRSS: 3 (x - 1) g) for a
/// polynomial g that key generation could have drawn.
#[inline(always)]
pub(super) fn recover_h<K: Kernels>(k: K, set: ParameterSet, key: &PrivateKey, h: &mut Poly) -> Mask {
    invert_mod_q(k, set, &key.h_inverse, h);
    h.mod_phi_n(set);
    let mut product = Poly::ZERO;
    k.multiply(set, h, &key.h_inverse, &mut product);
    product.mod_phi_n(set);
    let is_inverse = is_one(product.of(set), set.q_mask());
    // The representative in R with h(1) = 0: h - h(1) / n Phi_n.
    let value = h.of(set).iter().fold(0i16, |sum, c| sum.wrapping_add(*c));
    let correction = value.wrapping_mul(inverse_mod_65536(set.n() as i16));
    for c in h.of_mut(set) {
        *c = c.wrapping_sub(correction);
    }
    k.multiply(set, h, &key.f, &mut product);
    let third = inverse_mod_65536(3);
    let mut sum = 0i16;
    for c in product.of_mut(set) {
        *c = c.wrapping_mul(third);
        if set.weight().is_none() {
            // c[i] = g[i-1] - g[i], and g[-1] = g[n-1] = 0.
            sum = sum.wrapping_sub(*c);
            *c = sum;
        }
    }
    let is_ternary = to_ternary(set, &mut product);
    is_inverse & is_ternary & has_weight(set, &product)
}

/// Whether the bits of `bits` say that a polynomial is 1.
#[inline(always)]
fn is_one(a: &[i16], bits: i16) -> Mask {
    let others = a[1..].iter().fold(0, |any, c| any | c);
    ct::is_zero((((a[0] ^ 1) | others) & bits) as u16 as u64)
}

/// The inverse of an odd number modulo 2^16, by Newton's iteration: it is its own modulo 2^3, then 6, 12, 24 bits.
#[inline(always)]
const fn inverse_mod_65536(odd: i16) -> i16 {
    let mut inverse = odd;
    let mut i = 0;
    while i < 3 {
        inverse = inverse.wrapping_mul(2i16.wrapping_sub(odd.wrapping_mul(inverse)));
        i += 1;
    }
    inverse
}

const _: () = assert!(inverse_mod_65536(3).wrapping_mul(3) == 1);
const _: () = assert!(inverse_mod_65536(MAX_N as i16).wrapping_mul(MAX_N as i16) == 1);
