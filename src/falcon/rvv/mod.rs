//! The steps of Falcon on the vector extension of RISC-V, in assembly: stable Rust has no intrinsics for it.
//!
//! Each `.s` file is one step, for vectors of any length; it gives the bits of the generic text. What has no step
//! here runs the scalar text.

use super::base_sampler::ROWS;
use super::ff_sampling::below_and_at;
use super::fft;
use super::kernels::Kernels;
use super::ntt::{self, LayerFactors};
use super::sampler_z::{
    INV_2_SQR_SIGMA0, LN_2, LN_256, LN_SERIES, Leaf, MARGIN, TRIAL_LEN, Trials, Verdicts,
};
use crate::simd::{Rvv, Scalar};
use core::arch::global_asm;

global_asm!(include_str!("fft.s"), options(raw));
global_asm!(include_str!("fourier.s"), options(raw));
global_asm!(include_str!("ntt.s"), options(raw));
global_asm!(include_str!("sampler.s"), options(raw));

unsafe extern "C" {
    /// In: `2 h` doubles, `h` a power of two from 64 to 512, `layers` its logarithm; [`fft::TABLES`].
    fn pqc_falcon_rvv_fft(a: *mut f64, h: usize, tables: *const Tables, layers: usize);
    /// As the other; `scale` multiplies the results.
    fn pqc_falcon_rvv_ifft(a: *mut f64, h: usize, tables: *const Tables, layers: usize, scale: f64);
}

unsafe extern "C" {
    /// In: `h` doubles for each half of a polynomial of `2 h`, `h` a power of two from 2 to 512.
    fn pqc_falcon_rvv_split(f0: *mut f64, f1: *mut f64, f: *const f64, h: usize, tables: *const Tables);
    /// As the other.
    fn pqc_falcon_rvv_merge(f: *mut f64, f0: *const f64, f1: *const f64, h: usize, tables: *const Tables);
    /// In: `h` doubles for each half, three polynomials of `2 h`.
    fn pqc_falcon_rvv_to_left_half(
        f0: *mut f64,
        f1: *mut f64,
        t0: *const f64,
        t1: *mut f64,
        l10: *const f64,
        h: usize,
        tables: *const Tables,
    );
    /// In: `2 h` doubles each.
    fn pqc_falcon_rvv_mul(a: *mut f64, b: *const f64, h: usize);
    /// In: `n` doubles each.
    fn pqc_falcon_rvv_add(a: *mut f64, b: *const f64, n: usize);
    /// In: `n` doubles.
    fn pqc_falcon_rvv_mul_const(a: *mut f64, n: usize, c: f64);
}

unsafe extern "C" {
    /// One layer: `2 pairs` values each, roots and roots over q that repeat after `period`, [`LayerFactors::unit`].
    fn pqc_falcon_rvv_ntt_layer(
        from: *const i16,
        to: *mut i16,
        pairs: usize,
        value: *const i16,
        over_q: *const i16,
        period: usize,
        unit: u32,
    );
    /// As the other.
    fn pqc_falcon_rvv_intt_layer(
        from: *const i16,
        to: *mut i16,
        pairs: usize,
        value: *const i16,
        over_q: *const i16,
        period: usize,
        unit: u32,
    );
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

/// Of [`fft::TABLES`].
type Tables = [[[f64; 1024]; 2]; 4];

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

/// Complex points of what is split and merged.
const POINTS: core::ops::RangeInclusive<usize> = 2..=512;

impl Kernels for Rvv {
    type Vector = Scalar;

    #[inline(always)]
    fn vector(self) -> Scalar {
        Scalar::get()
    }

    fn ntt(self, a: &mut [i16]) {
        ntt::forward_layers(a, |layer, from, to| {
            let LayerFactors { value, over_q, unit } = LayerFactors::forward(layer);
            assert!(from.len() == to.len() && value.len() == over_q.len());
            let (pairs, period) = (from.len() / 2, value.len());
            let (from, to, value, over_q) = (from.as_ptr(), to.as_mut_ptr(), value.as_ptr(), over_q.as_ptr());
            // SAFETY: the lengths by the assertion; the vector extension by the token.
            unsafe { pqc_falcon_rvv_ntt_layer(from, to, pairs, value, over_q, period, unit) }
        });
    }

    fn intt(self, a: &mut [i16]) {
        ntt::backward_layers(a, |step, layer, from, to| {
            let LayerFactors { value, over_q, unit } = LayerFactors::backward(step, layer);
            assert!(from.len() == to.len() && value.len() == over_q.len());
            let (pairs, period) = (from.len() / 2, value.len());
            let (from, to, value, over_q) = (from.as_ptr(), to.as_mut_ptr(), value.as_ptr(), over_q.as_ptr());
            // SAFETY: as above.
            unsafe { pqc_falcon_rvv_intt_layer(from, to, pairs, value, over_q, period, unit) }
        });
    }

    fn split(self, f0: &mut [f64], f1: &mut [f64], f: &[f64]) {
        let h = f.len() / 2;
        assert!(POINTS.contains(&h) && f.len() == 2 * h && f0.len() == h && f1.len() == h);
        let (f0, f1, f) = (f0.as_mut_ptr(), f1.as_mut_ptr(), f.as_ptr());
        // SAFETY: the lengths by the assertion, and the tables have the roots h to 3 h / 2; the vector extension by the
        // token.
        unsafe { pqc_falcon_rvv_split(f0, f1, f, h, &raw const fft::TABLES) }
    }

    fn merge(self, f: &mut [f64], f0: &[f64], f1: &[f64]) {
        let h = f.len() / 2;
        assert!(POINTS.contains(&h) && f.len() == 2 * h && f0.len() == h && f1.len() == h);
        let (f, f0, f1) = (f.as_mut_ptr(), f0.as_ptr(), f1.as_ptr());
        // SAFETY: as above.
        unsafe { pqc_falcon_rvv_merge(f, f0, f1, h, &raw const fft::TABLES) }
    }

    fn to_left_half(self, level: u32, l10: &[f64], t0: &mut [f64], t1: &mut [f64]) {
        let ((f0, t0), (f1, t1)) = (below_and_at(t0, level), below_and_at(t1, level));
        let h = f0.len();
        assert!(POINTS.contains(&h) && f1.len() == h && [t0.len(), t1.len(), l10.len()] == [2 * h; 3]);
        let (f0, f1) = (f0.as_mut_ptr(), f1.as_mut_ptr());
        let (t0, t1, l10) = (t0.as_ptr(), t1.as_mut_ptr(), l10.as_ptr());
        // SAFETY: as above.
        unsafe { pqc_falcon_rvv_to_left_half(f0, f1, t0, t1, l10, h, &raw const fft::TABLES) }
    }

    fn mul(self, a: &mut [f64], b: &[f64]) {
        assert!(!a.is_empty() && a.len().is_multiple_of(2) && a.len() == b.len());
        // SAFETY: the lengths by the assertion; the vector extension by the token.
        unsafe { pqc_falcon_rvv_mul(a.as_mut_ptr(), b.as_ptr(), a.len() / 2) }
    }

    fn add(self, a: &mut [f64], b: &[f64]) {
        assert!(!a.is_empty() && a.len() == b.len());
        // SAFETY: as above.
        unsafe { pqc_falcon_rvv_add(a.as_mut_ptr(), b.as_ptr(), a.len()) }
    }

    fn mul_const(self, a: &mut [f64], c: f64) {
        assert!(!a.is_empty());
        // SAFETY: as above.
        unsafe { pqc_falcon_rvv_mul_const(a.as_mut_ptr(), a.len(), c) }
    }

    const LOCK_STEP: usize = 0;
    const WINDOW: usize = WINDOW;
    const TRIALS_AT_ONCE: usize = usize::MAX;

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
    fn judge(self, trials: &Trials, r: f64, leaf: Leaf<f64>) -> Verdicts {
        let at = trials.next..trials.next + WINDOW;
        let z = trials.z[at.clone()].as_ptr();
        let (stops, accepts) = (trials.stops_below[at.clone()].as_ptr(), trials.accepts_below[at].as_ptr());
        // SAFETY: eight doubles are in each slice; the vector extension by the token.
        let bits = unsafe { pqc_falcon_rvv_judge(z, stops, accepts, r, leaf.dss, leaf.ln_ccs) };
        Verdicts { stops: bits.stops as u32, accepts: bits.accepts as u32 }
    }

    fn fft(self, a: &mut [f64]) {
        let h = a.len() / 2;
        if !LENGTHS.contains(&a.len()) || !a.len().is_power_of_two() {
            return self.vector().fft(a);
        }
        let layers = h.trailing_zeros() as usize;
        // SAFETY: `a` has 2 h doubles, h is a power of two in range, and the tables have the roots of every such h;
        // the vector extension by the token.
        unsafe { pqc_falcon_rvv_fft(a.as_mut_ptr(), h, &raw const fft::TABLES, layers) }
    }

    fn ifft(self, a: &mut [f64]) {
        let h = a.len() / 2;
        if !LENGTHS.contains(&a.len()) || !a.len().is_power_of_two() {
            return self.vector().ifft(a);
        }
        let (layers, scale) = (h.trailing_zeros() as usize, fft::two_over(a.len()));
        // SAFETY: as above.
        unsafe { pqc_falcon_rvv_ifft(a.as_mut_ptr(), h, &raw const fft::TABLES, layers, scale) }
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
    fn arithmetic_in_fourier_form_is_that_of_the_scalar_text() {
        let Some(rvv) = Rvv::get() else {
            println!("rvv: NOT TRIED: this processor cannot run it");
            return;
        };
        let mut x = 1u64;
        let mut sample = |n: usize| -> Vec<f64> {
            let mut next = || {
                x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (x >> 32) as i32 as f64 / 65536.0
            };
            (0..n).map(|_| next()).collect()
        };
        let bits = |a: &[f64]| a.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        for level in 3..=10u32 {
            let n = 1usize << level;
            let (t0, t1, l10) = (sample(2 * n - 4), sample(2 * n - 4), sample(n));
            type Run<'a> = &'a dyn Fn(&mut [f64], &mut [f64]);
            let check = |name: &str, ours: Run, expected: Run| {
                let (mut a, mut b) = ((t0.clone(), t1.clone()), (t0.clone(), t1.clone()));
                ours(&mut a.0, &mut a.1);
                expected(&mut b.0, &mut b.1);
                assert!(bits(&a.0) == bits(&b.0) && bits(&a.1) == bits(&b.1), "{name}, n = {n}");
                assert!(bits(&a.0) != bits(&t0) || bits(&a.1) != bits(&t1), "{name} did nothing, n = {n}");
            };
            let s = Scalar::get();
            check("to_left_half", &|t0, t1| rvv.to_left_half(level, &l10, t0, t1), &|t0, t1| {
                s.to_left_half(level, &l10, t0, t1)
            });
            let at = n / 2 - 4..n - 4;
            check("split", &|t0, t1| rvv.split(&mut t0[at.clone()], &mut t1[at.clone()], &l10), &|t0, t1| {
                s.split(&mut t0[at.clone()], &mut t1[at.clone()], &l10)
            });
            check(
                "merge",
                &|t0, t1| rvv.merge(&mut t0[n - 4..], &l10[..n / 2], &t1[at.clone()]),
                &|t0, t1| s.merge(&mut t0[n - 4..], &l10[..n / 2], &t1[at.clone()]),
            );
            check("mul", &|t0, _| rvv.mul(&mut t0[n - 4..], &l10), &|t0, _| s.mul(&mut t0[n - 4..], &l10));
            check("add", &|t0, _| rvv.add(&mut t0[n - 4..], &l10), &|t0, _| s.add(&mut t0[n - 4..], &l10));
            check("mul_const", &|t0, _| rvv.mul_const(&mut t0[n - 4..], 0.3), &|t0, _| {
                s.mul_const(&mut t0[n - 4..], 0.3)
            });
        }
    }

    #[test]
    fn transforms_modulo_q_are_those_of_the_scalar_text() {
        let Some(rvv) = Rvv::get() else {
            println!("rvv: NOT TRIED: this processor cannot run it");
            return;
        };
        let mut x = 1u32;
        for round in 0..20 {
            for n in [512, 1024] {
                let mut next = || {
                    x = x.wrapping_mul(1664525).wrapping_add(1013904223);
                    let extreme = if x >> 31 == 0 { 6144 } else { -6144 };
                    if round < 2 { extreme } else { ((x >> 8) % 12289) as i16 - 6144 }
                };
                let mut ours: Vec<i16> = (0..n).map(|_| next()).collect();
                let mut expected = ours.clone();
                let again = ours.clone();
                rvv.ntt(&mut ours);
                ntt::ntt(Scalar::get(), &mut expected);
                assert_eq!(ours, expected);
                (ours, expected) = (again.clone(), again);
                rvv.intt(&mut ours);
                ntt::intt(Scalar::get(), &mut expected);
                assert_eq!(ours, expected);
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
            let r = next() as f64 / 2f64.powi(32);
            let leaf = Leaf { dss: 0.2, ccs: 0.8, ln_ccs: -0.22, over_dss: 5.0 };
            let Verdicts { stops, accepts } = rvv.judge(&ours, r, leaf);
            for i in 0..WINDOW {
                let d = ours.z[at + i] - r;
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
