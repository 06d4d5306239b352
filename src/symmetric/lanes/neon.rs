//! Two lanes on NEON. A rotation is a shift, and a shift that inserts.

use super::{Lanes, WIDEST};
use crate::simd::Neon;
use core::arch::aarch64::*;

/// Two lanes.
#[derive(Clone, Copy)]
pub(crate) struct Two(uint64x2_t);

impl Lanes for Two {
    type Token = Neon;
    const WIDTH: usize = 2;

    #[inline(always)]
    fn load(_: Neon, from: &[u64; WIDEST], first: usize) -> Two {
        let from = &from[first..first + 2];
        // SAFETY: NEON by the token; two lanes are there.
        unsafe { Two(vld1q_u64(from.as_ptr())) }
    }
    #[inline(always)]
    fn store(self, to: &mut [u64; WIDEST], first: usize) {
        let to = &mut to[first..first + 2];
        // SAFETY: a value exists only where its token was handed out; two lanes have room.
        unsafe { vst1q_u64(to.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn splat(_: Neon, value: u64) -> Two {
        // SAFETY: NEON by the token.
        unsafe { Two(vdupq_n_u64(value)) }
    }
    #[inline(always)]
    fn xor(self, other: Two) -> Two {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Two(veorq_u64(self.0, other.0)) }
    }
    #[inline(always)]
    fn rotate<const LEFT: i32, const RIGHT: i32>(self) -> Two {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Two(vsriq_n_u64::<RIGHT>(vshlq_n_u64::<LEFT>(self.0), self.0)) }
    }
    #[inline(always)]
    fn and(self, other: Two) -> Two {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Two(vandq_u64(self.0, other.0)) }
    }
    #[inline(always)]
    fn shl<const N: i32>(self) -> Two {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Two(vshlq_n_u64::<N>(self.0)) }
    }
    #[inline(always)]
    fn shr<const N: i32>(self) -> Two {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Two(vshrq_n_u64::<N>(self.0)) }
    }
    #[inline(always)]
    fn chi(self, b: Two, c: Two) -> Two {
        // SAFETY: a value exists only where its token was handed out.
        unsafe { Two(veorq_u64(self.0, vbicq_u64(c.0, b.0))) }
    }
}
