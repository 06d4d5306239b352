//! The steps of Falcon on the vector extension of RISC-V, in assembly: stable Rust has no intrinsics for it.
//!
//! Each `.s` file is one step, for vectors of any length; it gives the bits of the generic text. What has no step
//! here runs the scalar text.

use super::base_sampler::ROWS;
use super::fft;
use super::kernels::Kernels;
use super::sampler_z::{
    INV_2_SQR_SIGMA0, LN_2, LN_256, LN_SERIES, Leaf, MARGIN, TRIAL_LEN, Trials, Verdicts,
};
use crate::simd::{Real, Rvv, Scalar};
use core::arch::global_asm;

global_asm!(include_str!("fft.s"), options(raw));
global_asm!(include_str!("sampler.s"), options(raw));

unsafe extern "C" {
    /// In: `2 h` doubles, `h` a power of two from 64 to 512; the roots of [`fft::roots_for_assembly`].
    fn pqc_falcon_rvv_fft(a: *mut f64, h: usize, roots: *const f64, odd_layers: usize);
    /// As the other; `scale` multiplies the results.
    fn pqc_falcon_rvv_ifft(a: *mut f64, h: usize, roots: *const f64, scale: f64);
}

unsafe extern "C" {
    /// In: `11 count` bytes, [`SPLIT_ROWS`], [`CONSTANTS`]. Out: `count` doubles at each of the three places.
    fn pqc_falcon_rvv_prepare(
        bytes: *const u8,
        count: usize,
        z: *mut f64,
        stops_below: *mut f64,
        accepts_below: *mut f64,
        rows: *const [u64; 2],
        constants: *const f64,
    );
    /// In: `11 count` bytes, [`SPLIT_ROWS`]. Out: `count` samples.
    fn pqc_falcon_rvv_base_samples(bytes: *const u8, count: usize, samples: *mut u32, rows: *const [u64; 2]);
    /// In: eight doubles at each of the three places.
    fn pqc_falcon_rvv_judge(
        z: *const f64,
        stops_below: *const f64,
        accepts_below: *const f64,
        r: f64,
        dss: f64,
        ln_ccs: f64,
    ) -> Bits;
}

/// Two results in registers.
#[repr(C)]
struct Bits {
    stops: u64,
    accepts: u64,
}

/// The low 64 and the high 8 bits of the base sampler's rows; the assembly knows that five rows have high bits.
static SPLIT_ROWS: [[u64; 2]; 18] = {
    let mut rows = [[0; 2]; 18];
    let mut i = 0;
    while i < 18 {
        rows[i] = [ROWS[i] as u64, (ROWS[i] >> 64) as u64];
        assert!((rows[i][1] != 0) == (i < 5));
        i += 1;
    }
    rows
};

/// What trials are prepared with.
static CONSTANTS: [f64; 15] = {
    let [c0, c1, c2, c3, c4, c5, c6, c7] = LN_SERIES;
    let (above, below) = (LN_256 + MARGIN, LN_256 - MARGIN);
    [INV_2_SQR_SIGMA0, above, below, LN_2, 1023.0, 3.0, 1.0, c0, c1, c2, c3, c4, c5, c6, c7]
};

/// Trials that [`pqc_falcon_rvv_judge`] looks at.
const WINDOW: usize = 8;

/// The lengths that the transforms in assembly take. Others are not worth it.
const LENGTHS: core::ops::RangeInclusive<usize> = 128..=1024;

impl Kernels for Rvv {
    type Vector = Scalar;

    #[inline(always)]
    fn vector(self) -> Scalar {
        Scalar::get()
    }

    fn ntt(self, a: &mut [i16]) {
        self.vector().ntt(a);
    }

    fn intt(self, a: &mut [i16]) {
        self.vector().intt(a);
    }

    const WINDOW: usize = WINDOW;

    fn base_samples(self, bytes: &[u8], samples: &mut [u32]) {
        let count = samples.len();
        assert!(count > 0 && bytes.len() >= TRIAL_LEN * count);
        let (bytes, samples, rows) = (bytes.as_ptr(), samples.as_mut_ptr(), SPLIT_ROWS.as_ptr());
        // SAFETY: the bytes are there by the assertion, and the slice has room for `count` samples; the vector
        // extension by the token.
        unsafe { pqc_falcon_rvv_base_samples(bytes, count, samples, rows) }
    }

    fn prepare(self, bytes: &[u8], count: usize, trials: &mut Trials, at: usize) {
        assert!(count > 0 && bytes.len() >= TRIAL_LEN * count);
        let to = at..at + count;
        let Trials { z, stops_below, accepts_below, .. } = trials;
        let (z, stops, accepts) = (&mut z[to.clone()], &mut stops_below[to.clone()], &mut accepts_below[to]);
        let (z, stops, accepts) = (z.as_mut_ptr(), stops.as_mut_ptr(), accepts.as_mut_ptr());
        let (rows, constants) = (SPLIT_ROWS.as_ptr(), CONSTANTS.as_ptr());
        // SAFETY: the bytes are there by the assertion, and each slice has room for `count` doubles; the vector
        // extension by the token.
        unsafe { pqc_falcon_rvv_prepare(bytes.as_ptr(), count, z, stops, accepts, rows, constants) }
    }

    #[inline(always)]
    fn judge(self, trials: &Trials, mu: f64, leaf: Leaf<f64>) -> Verdicts {
        let at = trials.next..trials.next + WINDOW;
        let z = trials.z[at.clone()].as_ptr();
        let (stops, accepts) = (trials.stops_below[at.clone()].as_ptr(), trials.accepts_below[at].as_ptr());
        let r = mu - Real::floor(mu);
        // SAFETY: eight doubles are in each slice; the vector extension by the token.
        let bits = unsafe { pqc_falcon_rvv_judge(z, stops, accepts, r, leaf.dss, leaf.ln_ccs) };
        Verdicts { stops: bits.stops as u32, accepts: bits.accepts as u32 }
    }

    fn fft(self, a: &mut [f64]) {
        let h = a.len() / 2;
        if !LENGTHS.contains(&a.len()) || !h.is_power_of_two() {
            return self.vector().fft(a);
        }
        let odd_layers = h.trailing_zeros() as usize & 1;
        // SAFETY: `a` has 2 h doubles, h is a power of two in range, and the table has the roots of every such h;
        // the vector extension by the token.
        unsafe { pqc_falcon_rvv_fft(a.as_mut_ptr(), h, fft::roots_for_assembly(), odd_layers) }
    }

    fn ifft(self, a: &mut [f64]) {
        let h = a.len() / 2;
        if !LENGTHS.contains(&a.len()) || !h.is_power_of_two() {
            return self.vector().ifft(a);
        }
        // SAFETY: as above.
        unsafe { pqc_falcon_rvv_ifft(a.as_mut_ptr(), h, fft::roots_for_assembly(), fft::two_over(a.len())) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sampler_z;
    use super::*;

    #[test]
    fn transforms_are_those_of_the_scalar_text() {
        let Some(rvv) = Rvv::get() else {
            println!("rvv: NOT TRIED: this processor cannot run it");
            return;
        };
        let mut x = 1u64;
        for logn in 1..=10 {
            for round in 0..20 {
                let mut next = || {
                    x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    (x >> 32) as i32 as f64 / if round < 10 { 1.0 } else { 65536.0 }
                };
                // From an odd place, with a guard on either side.
                let mut ours: Vec<f64> = (0..(1 << logn) + 2).map(|_| next()).collect();
                let mut expected = ours.clone();
                let inside = 1..(1 << logn) + 1;
                rvv.fft(&mut ours[inside.clone()]);
                fft::fft(Scalar::get(), &mut expected[inside.clone()]);
                let bits = |a: &[f64]| a.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                assert!(bits(&ours) == bits(&expected), "fft, n = {}", 1 << logn);
                rvv.ifft(&mut ours[inside.clone()]);
                fft::ifft(Scalar::get(), &mut expected[inside]);
                assert!(bits(&ours) == bits(&expected), "ifft, n = {}", 1 << logn);
            }
        }
    }

    #[test]
    fn trials_and_verdicts_are_those_of_the_scalar_text() {
        let Some(rvv) = Rvv::get() else {
            println!("rvv: NOT TRIED: this processor cannot run it");
            return;
        };
        let mut x = 1u64;
        let mut next = || {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            x >> 32
        };
        let (mut stopped, mut accepted) = (0, 0);
        for round in 0..400 {
            let count = 1 + round % 46;
            let mut bytes: Vec<u8> = (0..TRIAL_LEN * count + 300).map(|_| next() as u8).collect();
            // Small values too: the lower rows are rare. And all values of the deciding byte.
            for (i, trial) in bytes.chunks_exact_mut(TRIAL_LEN).enumerate() {
                let zeros = (next() % 10) as usize;
                trial[9 - zeros..9].fill(0);
                trial[10] = (46 * round + i) as u8;
            }
            let (mut ours, mut expected) = (Trials::default(), Trials::default());
            let at = round % 8;
            // From an odd place; nothing is read behind the last trial.
            rvv.prepare(&bytes[..TRIAL_LEN * count], count, &mut ours, at);
            sampler_z::prepare(Scalar::get(), &bytes, count, &mut expected, at);
            assert_eq!(ours.z, expected.z);
            assert_eq!(ours.stops_below, expected.stops_below);
            assert_eq!(ours.accepts_below, expected.accepts_below);
            ours.next = at;
            let mu = next() as f64 / 1e5 - 20000.0;
            let leaf = Leaf { dss: 0.2, ccs: 0.8, ln_ccs: -0.22 };
            let Verdicts { stops, accepts } = rvv.judge(&ours, mu, leaf);
            for i in 0..WINDOW {
                let d = ours.z[at + i] - (mu - mu.floor());
                let v = d * d * leaf.dss;
                assert_eq!(stops >> i & 1 == 1, v < ours.stops_below[at + i] + leaf.ln_ccs);
                assert_eq!(accepts >> i & 1 == 1, v < ours.accepts_below[at + i] + leaf.ln_ccs);
            }
            assert_eq!((stops | accepts) >> WINDOW, 0);
            (stopped, accepted) = (stopped + stops.count_ones(), accepted + accepts.count_ones());
        }
        assert!(stopped > 100 && accepted > 100, "{stopped} {accepted}");
    }
}
