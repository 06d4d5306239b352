//! Products in the NTT domain, halves of pairs apart: a load and a store that de-interleave cost no more than others, and
//! sums need no addition across lanes. The generic text is in [`super::super::super::ntt`].

use super::super::super::ntt::{Factor, Gammas, MODULUS, Multiplier, Q_INVERSE, gammas};
use super::super::super::params::N;
use super::super::super::poly::Poly;
use super::ntt::product;
use core::arch::aarch64::*;

static GAMMAS: Gammas = gammas(true);

/// [`Multiplier::set`]. Of each eight pairs, `even` has the vectors b0 and b1 gamma, `odd` has b1; half of it is not used.
#[target_feature(enable = "neon")]
pub(super) fn set_multiplier(b: &Poly, to: &mut Multiplier) {
    let (even, odd) = (to.even.0.as_chunks_mut::<16>().0, to.odd.0.as_chunks_mut::<8>().0);
    let gammas = GAMMAS.value.as_chunks::<8>().0.iter().zip(GAMMAS.helper.as_chunks::<8>().0);
    for (((b, even), odd), (value, helper)) in b.0.as_chunks::<16>().0.iter().zip(even).zip(odd).zip(gammas) {
        // SAFETY: each has its length.
        unsafe {
            let gamma = Factor { value: vld1q_s16(value.as_ptr()), helper: vld1q_s16(helper.as_ptr()) };
            let int16x8x2_t(b0, b1) = vld2q_s16(b.as_ptr());
            vst1q_s16(even.as_mut_ptr(), b0);
            vst1q_s16(even[8..].as_mut_ptr(), product(b1, gamma));
            vst1q_s16(odd.as_mut_ptr(), b1);
        }
    }
}

/// [`super::super::super::ntt::multiply`], which has the contract.
#[target_feature(enable = "neon")]
pub(super) fn multiply<const RANK: usize>(a: &[Poly], stride: usize, b: &[Multiplier], out: &mut Poly) {
    let a: [&Poly; RANK] = core::array::from_fn(|i| &a[i * stride]);
    let b: [&Multiplier; RANK] = core::array::from_fn(|i| &b[i]);
    for (i, out) in out.0.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let (mut even, mut odd) = (Sum::zero(), Sum::zero());
        for (a, b) in a.iter().zip(b) {
            const { assert!(N == 16 * 16) };
            let (a, even_b, odd_b) =
                (&a.0[16 * i..][..16], &b.even.0[16 * i..][..16], &b.odd.0[8 * i..][..8]);
            // SAFETY: each has its length.
            unsafe {
                let int16x8x2_t(a0, a1) = vld2q_s16(a.as_ptr());
                let [b0, b1_gamma] = [vld1q_s16(even_b.as_ptr()), vld1q_s16(even_b[8..].as_ptr())];
                even.add(a0, b0);
                even.add(a1, b1_gamma);
                odd.add(a0, vld1q_s16(odd_b.as_ptr()));
                odd.add(a1, b0);
            }
        }
        // SAFETY: 16 integers have room.
        unsafe { vst2q_s16(out.as_mut_ptr(), int16x8x2_t(even.over_r(), odd.over_r())) };
    }
}

/// Sums of products in 32 bits: of the lower four lanes, and of the others.
struct Sum(int32x4_t, int32x4_t);

impl Sum {
    #[target_feature(enable = "neon")]
    #[inline]
    fn zero() -> Sum {
        Sum(vdupq_n_s32(0), vdupq_n_s32(0))
    }

    #[target_feature(enable = "neon")]
    #[inline]
    fn add(&mut self, a: int16x8_t, b: int16x8_t) {
        self.0 = vmlal_s16(self.0, vget_low_s16(a), vget_low_s16(b));
        self.1 = vmlal_high_s16(self.1, a, b);
    }

    /// The reduction of Montgomery.
    #[target_feature(enable = "neon")]
    #[inline]
    fn over_r(self) -> int16x8_t {
        let low = vuzp1q_s16(vreinterpretq_s16_s32(self.0), vreinterpretq_s16_s32(self.1));
        let m = vmulq_s16(low, vdupq_n_s16(Q_INVERSE));
        let q = vdupq_n_s16(MODULUS);
        let first = vmlsl_s16(self.0, vget_low_s16(m), vget_low_s16(q));
        let second = vmlsl_high_s16(self.1, m, q);
        vuzp2q_s16(vreinterpretq_s16_s32(first), vreinterpretq_s16_s32(second))
    }
}
