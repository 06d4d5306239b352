//! Two lanes on NEON, where a rotation is a shift, and a shift that inserts.

use crate::simd::Neon;
use core::arch::aarch64::*;

register! { Two(uint64x2_t): 2 on Neon, load vld1q_u64, store vst1q_u64, splat of_signed, xor veorq_u64,
    and vandq_u64, shl vshlq_n_u64, shr vshrq_n_u64, chi |a, b, c| veorq_u64(a, vbicq_u64(c, b)),
    #[inline(always)]
    fn rotate<const LEFT: i32, const RIGHT: i32>(self) -> Two {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Two(vsriq_n_u64::<RIGHT>(vshlq_n_u64::<LEFT>(self.0), self.0)) }
    }
}

#[target_feature(enable = "neon")]
#[inline]
fn of_signed(value: i64) -> uint64x2_t {
    vdupq_n_u64(value.cast_unsigned())
}
