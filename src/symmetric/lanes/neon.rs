//! Two lanes on NEON, where a rotation is a shift, and a shift that inserts; and with the instructions for SHA3.

use super::{Lanes, WIDEST};
use crate::simd::{Neon, NeonCrypto};
use core::arch::aarch64::*;

macro_rules! lanes {
    ($name:ident, $token:ident, $($own:tt)*) => {
        #[doc = "Two lanes."]
        #[derive(Clone, Copy)]
        pub(crate) struct $name(uint64x2_t);

        impl Lanes for $name {
            type Token = $token;
            const WIDTH: usize = 2;

            #[inline(always)]
            fn load(_: $token, from: &[u64; WIDEST], first: usize) -> $name {
                let from = &from[first..first + 2];
                // SAFETY: NEON by the token; two lanes are there.
                unsafe { $name(vld1q_u64(from.as_ptr())) }
            }
            #[inline(always)]
            fn store(self, to: &mut [u64; WIDEST], first: usize) {
                let to = &mut to[first..first + 2];
                // SAFETY: a value exists only where its token was handed out; two lanes have room.
                unsafe { vst1q_u64(to.as_mut_ptr(), self.0) }
            }
            #[inline(always)]
            fn splat(_: $token, value: u64) -> $name {
                // SAFETY: NEON by the token.
                unsafe { $name(vdupq_n_u64(value)) }
            }
            #[inline(always)]
            fn xor(self, other: $name) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name(veorq_u64(self.0, other.0)) }
            }
            #[inline(always)]
            fn and(self, other: $name) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name(vandq_u64(self.0, other.0)) }
            }
            #[inline(always)]
            fn shl<const N: i32>(self) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name(vshlq_n_u64::<N>(self.0)) }
            }
            #[inline(always)]
            fn shr<const N: i32>(self) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name(vshrq_n_u64::<N>(self.0)) }
            }
            #[inline(always)]
            fn rotate<const LEFT: i32, const RIGHT: i32>(self) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name(vsriq_n_u64::<RIGHT>(vshlq_n_u64::<LEFT>(self.0), self.0)) }
            }
            $($own)*
        }
    };
}

lanes! { Two, Neon,
    #[inline(always)]
    fn chi(self, b: Two, c: Two) -> Two {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Two(veorq_u64(self.0, vbicq_u64(c.0, b.0))) }
    }
}

lanes! { TwoSha3, NeonCrypto,
    #[inline(always)]
    fn chi(self, b: TwoSha3, c: TwoSha3) -> TwoSha3 {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { TwoSha3(vbcaxq_u64(self.0, c.0, b.0)) }
    }
    #[inline(always)]
    fn parity(a: TwoSha3, b: TwoSha3, c: TwoSha3, d: TwoSha3, e: TwoSha3) -> TwoSha3 {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { TwoSha3(veor3q_u64(veor3q_u64(a.0, b.0, c.0), d.0, e.0)) }
    }
    #[inline(always)]
    fn theta(before: TwoSha3, after: TwoSha3) -> TwoSha3 {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { TwoSha3(vrax1q_u64(before.0, after.0)) }
    }
    #[inline(always)]
    fn xor_rotate<const LEFT: i32, const RIGHT: i32>(self, theta: TwoSha3) -> TwoSha3 {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { TwoSha3(vxarq_u64::<RIGHT>(self.0, theta.0)) }
    }
}
