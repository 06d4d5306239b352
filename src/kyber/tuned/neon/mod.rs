//! NEON: transforms and products with its own instructions for both, and fields of bits.

mod bits;
mod multiply;
mod ntt;

use super::super::encode::{byte_decode, byte_encode};
use super::super::kernels::Tuned;
use super::super::ntt::Multiplier;
use super::super::poly::Poly;
use crate::simd::{Neon, NeonCrypto};

macro_rules! tuned {
    ($($token:ident)*) => {$(
        impl Tuned for $token {
            #[inline(always)]
            fn ntt(self, a: &mut [Poly]) {
                // SAFETY: NEON by the token.
                unsafe { ntt::ntt(a) }
            }
            #[inline(always)]
            fn intt(self, a: &mut [Poly]) {
                // SAFETY: NEON by the token.
                unsafe { ntt::intt(a) }
            }
            #[inline(always)]
            fn set_multiplier(self, b: &Poly, to: &mut Multiplier) {
                // SAFETY: NEON by the token.
                unsafe { multiply::set_multiplier(b, to) }
            }
            #[inline(always)]
            fn multiply(self, a: &[Poly], stride: usize, b: &[Multiplier], out: &mut Poly) {
                // SAFETY: NEON by the token.
                unsafe {
                    match b.len() {
                        2 => multiply::multiply::<2>(a, stride, b, out),
                        3 => multiply::multiply::<3>(a, stride, b, out),
                        4 => multiply::multiply::<4>(a, stride, b, out),
                        _ => multiply::multiply::<1>(a, stride, b, out),
                    }
                }
            }
            #[inline(always)]
            fn byte_encode<const D: usize>(self, a: &Poly, to: &mut [u8]) {
                // SAFETY: NEON by the token.
                unsafe {
                    match D {
                        4 => bits::encode::<4, 8>(a, to),
                        10 => bits::encode::<10, 20>(a, to),
                        12 => bits::encode_12(a, to),
                        _ => byte_encode::<_, D>(self, a, to),
                    }
                }
            }
            #[inline(always)]
            fn byte_decode<const D: usize>(self, from: &[u8], a: &mut Poly) {
                // SAFETY: NEON by the token.
                unsafe {
                    match D {
                        4 | 5 | 10 => bits::decode::<D>(from, &mut a.0),
                        12 => bits::decode_12(from, a),
                        _ => byte_decode::<_, D>(self, from, a),
                    }
                }
            }
            #[inline(always)]
            fn centred_binomial_3(self, bytes: &[u8], a: &mut Poly) {
                // SAFETY: NEON by the token.
                unsafe { bits::centred_binomial_3(bytes, a) }
            }
        }
    )*};
}

tuned!(Neon NeonCrypto);
