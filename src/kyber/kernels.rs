//! The coarse steps of ML-KEM that a backend may do in its own way, and what they do unless it says otherwise.
//!
//! Operations call [`Kernels`]. A token of the vector vocabulary gets them from [`Tuned`], whose default bodies are
//! the generic text; a backend with a better step overrides that one method of `Tuned`.

use super::encode;
use super::ntt::{self, Multiplier};
use super::poly::Poly;
use super::sample;
use crate::isa::Op;
use crate::simd::{Scalar, Simd, Soft};
use crate::symmetric::aes256ctr::Aes;
use crate::symmetric::keccak::Keccak;

/// What the operations call.
pub(crate) trait Kernels: Keccak + Aes {
    /// The vocabulary for the steps that have no kernel.
    type Vector: Simd;
    /// Its token.
    fn vector(self) -> Self::Vector;
    /// [`ntt::ntt`].
    fn ntt(self, a: &mut [Poly]);
    /// [`ntt::intt`].
    fn intt(self, a: &mut [Poly]);
    /// [`Multiplier::set`].
    #[inline(always)]
    fn set_multiplier(self, b: &Poly, to: &mut Multiplier) {
        to.set(self.vector(), b);
    }
    /// [`ntt::multiply`].
    fn multiply(self, a: &[Poly], stride: usize, b: &[Multiplier], out: &mut Poly);
    /// [`encode::byte_encode`].
    #[inline(always)]
    fn byte_encode<const D: usize>(self, a: &Poly, to: &mut [u8]) {
        encode::byte_encode::<_, D>(self.vector(), a, to);
    }
    /// [`encode::byte_decode`].
    #[inline(always)]
    fn byte_decode<const D: usize>(self, from: &[u8], a: &mut Poly) {
        encode::byte_decode::<_, D>(self.vector(), from, a);
    }
    /// [`sample::centred_binomial_3`].
    #[inline(always)]
    fn centred_binomial_3(self, bytes: &[u8], a: &mut Poly) {
        sample::centred_binomial_3(self.vector(), bytes, a);
    }
}

/// The steps over the vector vocabulary.
pub(crate) trait Tuned: Simd + Keccak + Aes {
    /// [`ntt::ntt`].
    #[inline(always)]
    fn ntt(self, a: &mut [Poly]) {
        self.enter(Ntt(a));
    }
    /// [`ntt::intt`].
    #[inline(always)]
    fn intt(self, a: &mut [Poly]) {
        self.enter(Intt(a));
    }
    /// [`Multiplier::set`].
    #[inline(always)]
    fn set_multiplier(self, b: &Poly, to: &mut Multiplier) {
        to.set(self, b);
    }
    /// [`ntt::multiply`].
    #[inline(always)]
    fn multiply(self, a: &[Poly], stride: usize, b: &[Multiplier], out: &mut Poly) {
        self.enter(Multiply { a, stride, b, out });
    }
    /// [`encode::byte_encode`].
    #[inline(always)]
    fn byte_encode<const D: usize>(self, a: &Poly, to: &mut [u8]) {
        encode::byte_encode::<_, D>(self, a, to);
    }
    /// [`encode::byte_decode`].
    #[inline(always)]
    fn byte_decode<const D: usize>(self, from: &[u8], a: &mut Poly) {
        encode::byte_decode::<_, D>(self, from, a);
    }
    /// [`sample::centred_binomial_3`].
    #[inline(always)]
    fn centred_binomial_3(self, bytes: &[u8], a: &mut Poly) {
        sample::centred_binomial_3(self, bytes, a);
    }
}

impl<S: Tuned> Kernels for S {
    type Vector = S;
    #[inline(always)]
    fn vector(self) -> S {
        self
    }
    #[inline(always)]
    fn ntt(self, a: &mut [Poly]) {
        Tuned::ntt(self, a);
    }
    #[inline(always)]
    fn intt(self, a: &mut [Poly]) {
        Tuned::intt(self, a);
    }
    #[inline(always)]
    fn set_multiplier(self, b: &Poly, to: &mut Multiplier) {
        Tuned::set_multiplier(self, b, to);
    }
    #[inline(always)]
    fn multiply(self, a: &[Poly], stride: usize, b: &[Multiplier], out: &mut Poly) {
        Tuned::multiply(self, a, stride, b, out);
    }
    #[inline(always)]
    fn byte_encode<const D: usize>(self, a: &Poly, to: &mut [u8]) {
        Tuned::byte_encode::<D>(self, a, to);
    }
    #[inline(always)]
    fn byte_decode<const D: usize>(self, from: &[u8], a: &mut Poly) {
        Tuned::byte_decode::<D>(self, from, a);
    }
    #[inline(always)]
    fn centred_binomial_3(self, bytes: &[u8], a: &mut Poly) {
        Tuned::centred_binomial_3(self, bytes, a);
    }
}

impl Tuned for Scalar {}
impl Tuned for Soft {}
#[cfg(target_arch = "x86_64")]
impl Tuned for crate::simd::Sse2 {}
#[cfg(target_arch = "x86_64")]
impl Tuned for crate::simd::Avx2 {}
#[cfg(target_arch = "x86_64")]
impl Tuned for crate::simd::Avx2Aes {}
#[cfg(target_arch = "x86_64")]
impl Tuned for crate::simd::Avx512f {}
#[cfg(target_arch = "x86_64")]
impl Tuned for crate::simd::Avx512 {}

/// A step that is called from several places, so that it exists once a token.
struct Ntt<'a>(&'a mut [Poly]);

impl<S: Simd> Op<S> for Ntt<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, s: S) {
        ntt::ntt(s, self.0);
    }
}

struct Intt<'a>(&'a mut [Poly]);

impl<S: Simd> Op<S> for Intt<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, s: S) {
        ntt::intt(s, self.0);
    }
}

struct Multiply<'a> {
    a: &'a [Poly],
    stride: usize,
    b: &'a [Multiplier],
    out: &'a mut Poly,
}

impl<S: Simd> Op<S> for Multiply<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, s: S) {
        ntt::multiply(s, self.a, self.stride, self.b, self.out);
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::N;
    use super::*;
    use crate::isa::{self, Isa};

    /// Encodes, decodes and samples as this backend does.
    struct Bits<'a, const D: usize>(&'a Poly, &'a [u8]);

    impl<K: Kernels, const D: usize> Op<K> for Bits<'_, D> {
        type Out = (Vec<u8>, [i16; N], [i16; N]);
        #[inline(always)]
        fn run(self, k: K) -> Self::Out {
            let (mut bytes, mut decoded, mut noise) = (vec![0; N / 8 * D], Poly::ZERO, Poly::ZERO);
            k.byte_encode::<D>(self.0, &mut bytes);
            k.byte_decode::<D>(&self.1[..N / 8 * D], &mut decoded);
            k.centred_binomial_3(&self.1[..N / 4 * 3], &mut noise);
            (bytes, decoded.0, noise.0)
        }
    }

    fn agree<const D: usize>() {
        let fields = Poly(core::array::from_fn(|i| ((i * i * 29 + i * 5 + 1) & ((1 << D) - 1)) as i16));
        let bytes: Vec<u8> = (0..N / 8 * 12).map(|i| (i * i * 13 + (i >> 3)) as u8).collect();
        let (mut encoded, mut decoded, mut noise) = (vec![0; N / 8 * D], Poly::ZERO, Poly::ZERO);
        encode::byte_encode::<_, D>(Scalar::get(), &fields, &mut encoded);
        encode::byte_decode::<_, D>(Scalar::get(), &bytes[..N / 8 * D], &mut decoded);
        sample::centred_binomial_3(Scalar::get(), &bytes[..N / 4 * 3], &mut noise);
        for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_supported()) {
            let got = isa::with(isa, Bits::<D>(&fields, &bytes));
            assert!(got == (encoded.clone(), decoded.0, noise.0), "{D} bits on {}", isa.name());
        }
    }

    #[test]
    fn fields_of_bits_are_those_of_the_generic_text_on_every_backend() {
        agree::<1>();
        agree::<4>();
        agree::<5>();
        agree::<10>();
        agree::<11>();
        agree::<12>();
    }
}
