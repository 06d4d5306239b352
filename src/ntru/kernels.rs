//! The coarse steps of NTRU that a backend may do in its own way, and what they do unless it says otherwise.
//!
//! Operations call [`Kernels`]. A token of the vector vocabulary gets them from [`Tuned`], whose default bodies are
//! the generic text; a backend with a better step overrides that one method of `Tuned`.

use super::inverse;
use super::params::ParameterSet;
use super::poly::{self, Poly};
use crate::isa::Op;
use crate::simd::{Scalar, Simd, Soft, Token};
use crate::symmetric::keccak::Keccak;

/// What the operations call.
pub(crate) trait Kernels: Keccak {
    /// The vocabulary for the steps that have no kernel.
    type Vector: Simd;
    /// Its token.
    fn vector(self) -> Self::Vector;
    /// [`poly::multiply`].
    fn multiply(self, set: ParameterSet, a: &Poly, b: &Poly, out: &mut Poly);
    /// [`inverse::invert_mod_2`].
    fn invert_mod_2(self, set: ParameterSet, a: &Poly, out: &mut Poly);
    /// [`inverse::invert_mod_3`].
    fn invert_mod_3(self, set: ParameterSet, a: &Poly, out: &mut Poly);
}

/// The steps over the vector vocabulary.
pub(crate) trait Tuned: Simd + Keccak {
    /// [`poly::multiply`].
    #[inline(always)]
    fn multiply(self, set: ParameterSet, a: &Poly, b: &Poly, out: &mut Poly) {
        self.enter(Multiply { set, a, b, out });
    }
    /// [`inverse::invert_mod_2`].
    #[inline(always)]
    fn invert_mod_2(self, set: ParameterSet, a: &Poly, out: &mut Poly) {
        self.enter(InvertMod2 { set, a, out });
    }
    /// [`inverse::invert_mod_3`].
    #[inline(always)]
    fn invert_mod_3(self, set: ParameterSet, a: &Poly, out: &mut Poly) {
        self.enter(InvertMod3 { set, a, out });
    }
}

impl<S: Tuned> Kernels for S {
    type Vector = S;
    #[inline(always)]
    fn vector(self) -> S {
        self
    }
    #[inline(always)]
    fn multiply(self, set: ParameterSet, a: &Poly, b: &Poly, out: &mut Poly) {
        Tuned::multiply(self, set, a, b, out);
    }
    #[inline(always)]
    fn invert_mod_2(self, set: ParameterSet, a: &Poly, out: &mut Poly) {
        Tuned::invert_mod_2(self, set, a, out);
    }
    #[inline(always)]
    fn invert_mod_3(self, set: ParameterSet, a: &Poly, out: &mut Poly) {
        Tuned::invert_mod_3(self, set, a, out);
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
#[cfg(target_arch = "aarch64")]
impl Tuned for crate::simd::Neon {}
#[cfg(target_arch = "aarch64")]
impl Tuned for crate::simd::NeonCrypto {}

#[cfg(target_arch = "riscv64")]
impl Kernels for crate::simd::Rvv {
    type Vector = Scalar;
    #[inline(always)]
    fn vector(self) -> Scalar {
        Scalar::get()
    }
    #[inline(always)]
    fn multiply(self, set: ParameterSet, a: &Poly, b: &Poly, out: &mut Poly) {
        Tuned::multiply(Scalar::get(), set, a, b, out);
    }
    #[inline(always)]
    fn invert_mod_2(self, set: ParameterSet, a: &Poly, out: &mut Poly) {
        Tuned::invert_mod_2(Scalar::get(), set, a, out);
    }
    #[inline(always)]
    fn invert_mod_3(self, set: ParameterSet, a: &Poly, out: &mut Poly) {
        Tuned::invert_mod_3(Scalar::get(), set, a, out);
    }
}

/// A step that is called from several places, so that it exists once a token.
struct Multiply<'a> {
    set: ParameterSet,
    a: &'a Poly,
    b: &'a Poly,
    out: &'a mut Poly,
}

impl<S: Simd> Op<S> for Multiply<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, s: S) {
        poly::multiply(s, self.set, self.a, self.b, self.out);
    }
}

struct InvertMod2<'a> {
    set: ParameterSet,
    a: &'a Poly,
    out: &'a mut Poly,
}

impl<T: Token> Op<T> for InvertMod2<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, _: T) {
        inverse::invert_mod_2(self.set, self.a, self.out);
    }
}

struct InvertMod3<'a> {
    set: ParameterSet,
    a: &'a Poly,
    out: &'a mut Poly,
}

impl<T: Token> Op<T> for InvertMod3<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, _: T) {
        inverse::invert_mod_3(self.set, self.a, self.out);
    }
}
