//! Eight lanes on AVX-512F, and four in half a register where AVX-512VL is there too. Rotations, and any function of
//! three operands, are one instruction.

use super::{Lanes, WIDEST};
use crate::simd::{Avx512, Avx512f};
use core::arch::x86_64::*;

/// a ^ b ^ c and a ^ (!b & c) as truth tables.
const XOR3: i32 = 0x96;
const CHI: i32 = 0xD2;

macro_rules! lanes {
    ($name:ident, $token:ty, $width:literal, $vector:ty, load $load:ident, store $store:ident, splat $splat:ident,
     xor $xor:ident, and $and:ident, shl $shl:ident, shr $shr:ident, rotate $rotate:ident, ternary $ternary:ident) => {
        #[doc = "Lanes in one register."]
        #[derive(Clone, Copy)]
        pub(crate) struct $name($vector);

        impl Lanes for $name {
            type Token = $token;
            const WIDTH: usize = $width;

            #[inline(always)]
            fn load(_: $token, from: &[u64; WIDEST], first: usize) -> $name {
                let from = &from[first..first + $width];
                // SAFETY: the instruction set by the token; all lanes are there.
                unsafe { $name($load(from.as_ptr().cast())) }
            }
            #[inline(always)]
            fn store(self, to: &mut [u64; WIDEST], first: usize) {
                let to = &mut to[first..first + $width];
                // SAFETY: a value exists only where its token was handed out; all lanes have room.
                unsafe { $store(to.as_mut_ptr().cast(), self.0) }
            }
            #[inline(always)]
            fn splat(_: $token, value: u64) -> $name {
                // SAFETY: the instruction set by the token.
                unsafe { $name($splat(value.cast_signed())) }
            }
            #[inline(always)]
            fn xor(self, other: $name) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name($xor(self.0, other.0)) }
            }
            #[inline(always)]
            fn and(self, other: $name) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name($and(self.0, other.0)) }
            }
            #[inline(always)]
            fn shl<const N: i32>(self) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name($shl(self.0, _mm_cvtsi32_si128(N))) }
            }
            #[inline(always)]
            fn shr<const N: i32>(self) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name($shr(self.0, _mm_cvtsi32_si128(N))) }
            }
            #[inline(always)]
            fn rotate<const LEFT: i32, const RIGHT: i32>(self) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name($rotate::<LEFT>(self.0)) }
            }
            #[inline(always)]
            fn chi(self, b: $name, c: $name) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name($ternary::<CHI>(self.0, b.0, c.0)) }
            }
            #[inline(always)]
            fn parity(a: $name, b: $name, c: $name, d: $name, e: $name) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name($ternary::<XOR3>($ternary::<XOR3>(a.0, b.0, c.0), d.0, e.0)) }
            }
        }
    };
}

lanes!(Eight, Avx512f, 8, __m512i, load _mm512_loadu_epi64, store _mm512_storeu_epi64, splat _mm512_set1_epi64,
    xor _mm512_xor_si512, and _mm512_and_si512, shl _mm512_sll_epi64, shr _mm512_srl_epi64, rotate _mm512_rol_epi64,
    ternary _mm512_ternarylogic_epi64);

lanes!(Half, Avx512, 4, __m256i, load _mm256_loadu_epi64, store _mm256_storeu_epi64, splat _mm256_set1_epi64x,
    xor _mm256_xor_si256, and _mm256_and_si256, shl _mm256_sll_epi64, shr _mm256_srl_epi64, rotate _mm256_rol_epi64,
    ternary _mm256_ternarylogic_epi64);
