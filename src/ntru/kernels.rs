//! The coarse steps of NTRU that a backend may do in its own way, and what they do unless it says otherwise.
//!
//! Operations call [`Kernels`]. A token of the vector vocabulary gets them from [`Tuned`], whose default bodies are
//! the generic text; a backend with a better step overrides that one method of `Tuned`.

use super::inverse;
use super::multiply;
use super::params::ParameterSet;
use super::poly::Poly;
#[cfg(target_arch = "x86_64")]
use super::toeplitz;
use crate::simd::{Scalar, Simd, Soft};
use crate::symmetric::keccak::Keccak;
use crate::symmetric::lanes::{self, Lanes};

/// What the operations call.
pub(crate) trait Kernels: Keccak {
    /// The vocabulary for the steps that have no kernel.
    type Vector: Simd;
    /// Whether products are those of [`toeplitz`], which take less of the stack.
    const HAS_TOEPLITZ: bool;
    /// Its token.
    fn vector(self) -> Self::Vector;
    /// [`multiply::multiply`].
    fn multiply(self, set: ParameterSet, a: &Poly, b: &Poly, out: &mut Poly);
    /// [`multiply::multiply`] in place.
    fn multiply_by(self, set: ParameterSet, a: &mut Poly, b: &Poly);
    /// [`inverse::invert_mod_2`].
    fn invert_mod_2(self, set: ParameterSet, a: &Poly, out: &mut Poly);
    /// [`inverse::invert_mod_3`].
    fn invert_mod_3(self, set: ParameterSet, a: &Poly, out: &mut Poly);
}

/// The steps over the vector vocabulary.
pub(crate) trait Tuned: Simd + Keccak {
    /// Registers for bit planes.
    type Bits: Lanes<Token = Self::Base>;
    /// [`Kernels::HAS_TOEPLITZ`].
    const HAS_TOEPLITZ: bool = false;
    /// [`multiply::multiply`].
    #[inline(always)]
    fn multiply(self, set: ParameterSet, a: &Poly, b: &Poly, out: &mut Poly) {
        multiply::multiply(self, set, Some(a), b, out);
    }
    /// [`multiply::multiply`] in place.
    #[inline(always)]
    fn multiply_by(self, set: ParameterSet, a: &mut Poly, b: &Poly) {
        multiply::multiply(self, set, None, b, a);
    }
    /// [`inverse::invert_mod_2`].
    #[inline(always)]
    fn invert_mod_2(self, set: ParameterSet, a: &Poly, out: &mut Poly) {
        inverse::invert_mod_2::<Self::Bits>(self.base(), set, a, out);
    }
    /// [`inverse::invert_mod_3`].
    #[inline(always)]
    fn invert_mod_3(self, set: ParameterSet, a: &Poly, out: &mut Poly) {
        inverse::invert_mod_3::<Self::Bits>(self.base(), set, a, out);
    }
}

impl<S: Tuned> Kernels for S {
    type Vector = S;
    const HAS_TOEPLITZ: bool = S::HAS_TOEPLITZ;
    #[inline(always)]
    fn vector(self) -> S {
        self
    }
    #[inline(always)]
    fn multiply(self, set: ParameterSet, a: &Poly, b: &Poly, out: &mut Poly) {
        Tuned::multiply(self, set, a, b, out);
    }
    #[inline(always)]
    fn multiply_by(self, set: ParameterSet, a: &mut Poly, b: &Poly) {
        Tuned::multiply_by(self, set, a, b);
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

impl Tuned for Scalar {
    type Bits = lanes::One<Scalar>;
}
impl Tuned for Soft {
    type Bits = lanes::One<Soft>;
}
#[cfg(target_arch = "x86_64")]
impl Tuned for crate::simd::Sse2 {
    type Bits = lanes::Two;
}
#[cfg(target_arch = "x86_64")]
impl Tuned for crate::simd::Avx2 {
    type Bits = lanes::Four;
}
#[cfg(target_arch = "x86_64")]
impl Tuned for crate::simd::Avx2Aes {
    type Bits = lanes::Four;
}
#[cfg(target_arch = "x86_64")]
impl Tuned for crate::simd::Avx512f {
    type Bits = lanes::Eight;
}
#[cfg(target_arch = "x86_64")]
impl Tuned for crate::simd::Avx512 {
    type Bits = lanes::Eight;
    const HAS_TOEPLITZ: bool = true;
    #[inline(always)]
    fn multiply(self, set: ParameterSet, a: &Poly, b: &Poly, out: &mut Poly) {
        toeplitz::multiply(self, set, Some(a), b, out);
    }
    #[inline(always)]
    fn multiply_by(self, set: ParameterSet, a: &mut Poly, b: &Poly) {
        toeplitz::multiply(self, set, None, b, a);
    }
    #[inline(always)]
    fn invert_mod_2(self, set: ParameterSet, a: &Poly, out: &mut Poly) {
        inverse::invert_mod_2::<lanes::EightFunnel>(self, set, a, out);
    }
    #[inline(always)]
    fn invert_mod_3(self, set: ParameterSet, a: &Poly, out: &mut Poly) {
        inverse::invert_mod_3::<lanes::EightFunnel>(self, set, a, out);
    }
}
#[cfg(target_arch = "aarch64")]
impl Tuned for crate::simd::Neon {
    type Bits = lanes::Two;
}
#[cfg(target_arch = "aarch64")]
impl Tuned for crate::simd::NeonCrypto {
    type Bits = lanes::Two;
}

#[cfg(target_arch = "riscv64")]
impl Kernels for crate::simd::Rvv {
    type Vector = Scalar;
    const HAS_TOEPLITZ: bool = false;
    #[inline(always)]
    fn vector(self) -> Scalar {
        Scalar::get()
    }
    #[inline(always)]
    fn multiply(self, set: ParameterSet, a: &Poly, b: &Poly, out: &mut Poly) {
        Tuned::multiply(Scalar::get(), set, a, b, out);
    }
    #[inline(always)]
    fn multiply_by(self, set: ParameterSet, a: &mut Poly, b: &Poly) {
        Tuned::multiply_by(Scalar::get(), set, a, b);
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
