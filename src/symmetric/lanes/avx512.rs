//! Eight lanes on AVX-512F: rotations, and any function of three lanes, are one instruction.

use super::{Lanes, WIDEST};
use crate::simd::Avx512f;
use core::arch::x86_64::*;

/// Eight lanes.
#[derive(Clone, Copy)]
pub(crate) struct Eight(__m512i);

/// a ^ b ^ c and a ^ (!b & c) as truth tables.
const XOR3: i32 = 0x96;
const CHI: i32 = 0xD2;

#[inline(always)]
fn xor3(a: Eight, b: Eight, c: Eight) -> Eight {
    // SAFETY: a value exists only where its token was handed out.
    unsafe { Eight(_mm512_ternarylogic_epi64::<XOR3>(a.0, b.0, c.0)) }
}

impl Lanes for Eight {
    type Token = Avx512f;
    const WIDTH: usize = 8;

    #[inline(always)]
    fn load(_: Avx512f, from: &[u64; WIDEST], first: usize) -> Eight {
        debug_assert!(first == 0);
        // SAFETY: AVX-512F by the token; a row has eight lanes.
        unsafe { Eight(_mm512_loadu_epi64(from.as_ptr().cast())) }
    }
    #[inline(always)]
    fn store(self, to: &mut [u64; WIDEST], first: usize) {
        debug_assert!(first == 0);
        // SAFETY: a value exists only where its token was handed out; a row has eight lanes.
        unsafe { _mm512_storeu_epi64(to.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn splat(_: Avx512f, value: u64) -> Eight {
        // SAFETY: AVX-512F by the token.
        unsafe { Eight(_mm512_set1_epi64(value.cast_signed())) }
    }
    #[inline(always)]
    fn xor(self, other: Eight) -> Eight {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Eight(_mm512_xor_si512(self.0, other.0)) }
    }
    #[inline(always)]
    fn parity(a: Eight, b: Eight, c: Eight, d: Eight, e: Eight) -> Eight {
        xor3(xor3(a, b, c), d, e)
    }
    #[inline(always)]
    fn rotate<const LEFT: i32, const RIGHT: i32>(self) -> Eight {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Eight(_mm512_rol_epi64::<LEFT>(self.0)) }
    }
    #[inline(always)]
    fn and(self, other: Eight) -> Eight {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Eight(_mm512_and_si512(self.0, other.0)) }
    }
    #[inline(always)]
    fn shl<const N: i32>(self) -> Eight {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Eight(_mm512_sll_epi64(self.0, _mm_cvtsi32_si128(N))) }
    }
    #[inline(always)]
    fn shr<const N: i32>(self) -> Eight {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Eight(_mm512_srl_epi64(self.0, _mm_cvtsi32_si128(N))) }
    }
    #[inline(always)]
    fn chi(self, b: Eight, c: Eight) -> Eight {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Eight(_mm512_ternarylogic_epi64::<CHI>(self.0, b.0, c.0)) }
    }
}
