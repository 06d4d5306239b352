//! Two lanes on NEON, where a rotation is a shift, and a shift that inserts; and with the instructions for SHA3.

use crate::simd::{Neon, NeonCrypto};
use core::arch::aarch64::*;

/// What both tokens have.
macro_rules! two_lanes {
    ($name:ident on $token:ty, chi $chi:expr, $($own:tt)*) => {
        register! { $name(uint64x2_t): 2 on $token, load vld1q_u64, store vst1q_u64, splat of_signed, xor veorq_u64,
            and vandq_u64, shl vshlq_n_u64, shr vshrq_n_u64, chi $chi,
            up |v, below| vextq_u64::<1>(below, v), down |v, above| vextq_u64::<1>(v, above),
            #[inline(always)]
            fn rotate<const LEFT: i32, const RIGHT: i32>(self) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name(vsriq_n_u64::<RIGHT>(vshlq_n_u64::<LEFT>(self.0), self.0)) }
            }
            $($own)*
        }
    };
}

#[target_feature(enable = "neon")]
#[inline]
fn of_signed(value: i64) -> uint64x2_t {
    vdupq_n_u64(value.cast_unsigned())
}

two_lanes! { Two on Neon, chi |a, b, c| veorq_u64(a, vbicq_u64(c, b)), }

two_lanes! { TwoSha3 on NeonCrypto, chi |a, b, c| vbcaxq_u64(a, c, b),
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
