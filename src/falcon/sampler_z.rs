//! SamplerZ and BerExp: an integer Gaussian of any centre (specification, algorithms 13 to 15).
//!
//! The bytes of the generator are taken in the reference's order: eight and one for the base sampler, one for the
//! sign, and for BerExp one, rarely more. How many trials a call takes does not depend on the centre.
#![allow(clippy::excessive_precision, reason = "constants have the digits of their sources")]

use super::base_sampler::base_sample;
use crate::ct::declassify;
use crate::simd::Real;
use crate::symmetric::chacha20::Prng;

/// 1 / (2 * 1.8205^2).
const INV_2_SQR_SIGMA0: f64 = 0.150865048875372721532312163019;
/// ln 2 and its inverse.
const LN_2: f64 = core::f64::consts::LN_2;
const INV_LN_2: f64 = core::f64::consts::LOG2_E;

/// c with exp(-x) = sum of (-1)^k c[k] x^k, up to 2^-50 on [0, ln 2] (FACCT, eprint 2018/1234, as in the reference).
const EXP: [f64; 13] = [
    1.000000000000000000000000000000,
    0.999999999999994892974086724280,
    0.500000000000019206858326015208,
    0.166666666666984014666397229121,
    0.041666666666110491190622155955,
    0.008333333327800835146903501993,
    0.001388888894063186997887560103,
    0.000198412739277311890541063977,
    0.000024801566833585381209939524,
    0.000002755586350219122514855659,
    0.000000275607356160477811864927,
    0.000000025299506379442070029551,
    0.000000002073772366009083061987,
];

/// The sampler of one signing attempt: its random bytes and the smallest deviation of the parameter set.
pub(crate) struct SamplerZ {
    pub prng: Prng,
    pub sigma_min: f64,
}

impl SamplerZ {
    /// An integer (as a double) from the Gaussian of centre `mu` and deviation `1 / isigma`.
    ///
    /// In: `|mu| < 2^50`, `1/1.8205 <= isigma <= 1/sigma_min`.
    #[inline(always)]
    pub fn sample<R: Real>(&mut self, mu: R, isigma: R) -> R {
        let s = mu.floor();
        let r = mu - s;
        let dss = (isigma * isigma).half();
        let ccs = isigma * R::new(self.sigma_min);
        loop {
            let low = self.prng.next_u64();
            let z0 = i64::from(base_sample(low, self.prng.next_u8()));
            let b = i64::from(self.prng.next_u8() & 1);
            let z = R::of(b + (2 * b - 1) * z0);
            let d = z - r;
            let x = d * d * dss - R::of(z0 * z0) * R::new(INV_2_SQR_SIGMA0);
            if self.ber_exp(x, ccs) {
                return s + z;
            }
        }
    }

    /// True with probability `ccs * exp(-x)`. In: `0 <= x < 2^20` (or a rounding error below), `0 < ccs <= 1`.
    ///
    /// Compares a 64-bit probability with random bytes, top byte first, and stops at the first difference. The
    /// outcome and the number of bytes are public by design (specification 3.9.3).
    #[inline(always)]
    fn ber_exp<R: Real>(&mut self, x: R, ccs: R) -> bool {
        let p = threshold(x, ccs);
        let mut shift = 64;
        loop {
            shift -= 8;
            let difference = i32::from(self.prng.next_u8()) - i32::from((p >> shift) as u8);
            let difference = declassify(difference, "acceptance does not depend on the centre (3.9.3)");
            if difference != 0 || shift == 0 {
                return difference < 0;
            }
        }
    }
}

/// `ccs * exp(-x) * 2^64 - 1`, rounded down, the largest value for `x = 0, ccs = 1`.
#[inline(always)]
fn threshold<R: Real>(x: R, ccs: R) -> u64 {
    // x = s ln 2 + r. A negative rounding error of x belongs to s = 0.
    let s = (x * R::new(INV_LN_2)).floor().to_integer();
    let s = s & !(s >> 63);
    let r = x - R::of(s) * R::new(LN_2);
    let s = s as u64;
    let s = (s | ((63u64.wrapping_sub(s) >> 63).wrapping_neg())) & 63;
    (expm_p63(r, ccs).wrapping_mul(2).wrapping_sub(1)) >> s
}

/// `ccs * exp(-r) * 2^63`, rounded down. In: `0 <= r <= ln 2`.
///
/// The polynomial is summed as a balanced tree: one order of operations for every backend, short in latency and
/// the same in lanes.
#[inline(always)]
fn expm_p63<R: Real>(r: R, ccs: R) -> u64 {
    let c = |k: usize| R::new(EXP[k]);
    let r2 = r * r;
    let r4 = r2 * r2;
    let r8 = r4 * r4;
    let (p0, p1, p2) = (c(0) - c(1) * r, c(2) - c(3) * r, c(4) - c(5) * r);
    let (p3, p4, p5) = (c(6) - c(7) * r, c(8) - c(9) * r, c(10) - c(11) * r);
    let q0 = p0 + p1 * r2;
    let q1 = p2 + p3 * r2;
    let q2 = p4 + p5 * r2;
    let low = q0 + q1 * r4;
    let high = q2 + c(12) * r4;
    let y = (low + high * r8) * ccs;
    // y is in [1/4, 1]: its significand, shifted to the weight 2^-63 (by 10 at most).
    let bits = y.get().to_bits();
    let significand = bits & ((1 << 52) - 1) | 1 << 52;
    significand << ((bits >> 52).wrapping_sub(1012) & 63)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::SoftF64;
    use crate::symmetric::chacha20::SEED_LEN;

    fn hex(s: &str) -> Vec<u8> {
        (0..s.len() / 2).map(|i| u8::from_str_radix(&s[2 * i..2 * i + 2], 16).expect("hex")).collect()
    }

    fn double(s: &str) -> f64 {
        f64::from_bits(u64::from_str_radix(s, 16).expect("16 hex digits"))
    }

    /// One line a vector: kind, seed, position, mu, isigma, sigma_min, z, position after, refills, and the trials
    /// as `x:p` (bits of x, threshold), first to last.
    fn vectors() -> impl Iterator<Item = Vec<&'static str>> {
        include_str!("../../tests/vectors/falcon-samplerz.txt")
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.split_whitespace().collect())
    }

    fn run<R: Real>() {
        let mut ties = 0;
        let mut edges = 0;
        for v in vectors() {
            let seed: [u8; SEED_LEN] = hex(v[1]).try_into().expect("56 bytes");
            let mut sampler = SamplerZ { prng: Prng::new(&seed), sigma_min: double(v[5]) };
            sampler.prng.set_position(v[2].parse().expect("position"));
            let z = sampler.sample(R::new(double(v[3])), R::new(double(v[4])));
            assert_eq!(z.get(), v[6].parse::<f64>().expect("z"), "{v:?}");
            assert_eq!(sampler.prng.position().to_string(), v[7], "{v:?}");
            assert_eq!(sampler.prng.refills(&seed).to_string(), v[8], "{v:?}");
            ties += usize::from(v[0].starts_with("berexp"));
            edges += usize::from(v[0] == "refill_edge" || v[0].ends_with("across_refill"));
        }
        assert!(ties >= 20 && edges >= 20, "{ties} ties, {edges} refill edges");
    }

    /// 400 calls of the reference program, among them BerExp ties and refills at 503 and 512.
    #[test]
    fn calls_are_those_of_the_reference_on_doubles() {
        run::<f64>();
    }

    #[test]
    fn calls_are_those_of_the_reference_on_integers() {
        run::<SoftF64>();
    }

    #[test]
    fn thresholds_are_those_of_the_reference_to_the_precision_of_the_series() {
        for v in vectors() {
            let ccs = double(v[4]) * double(v[5]);
            for trial in &v[9..] {
                let (x, p) = trial.split_once(':').expect("x:p");
                let want = u64::from_str_radix(p, 16).expect("hex");
                let got = threshold(double(x), ccs);
                // The reference sums in another order: 2^-50 of the value.
                assert!(got.abs_diff(want) <= (want >> 49) + 1, "x = {x}: {got:016x} {want:016x}");
                assert_eq!(got, threshold(SoftF64::new(double(x)), SoftF64::new(ccs)));
            }
        }
    }

    #[test]
    fn thresholds_at_the_ends() {
        assert_eq!(threshold(0.0, 1.0), u64::MAX);
        assert_eq!(threshold(-1e-17, 1.0), u64::MAX);
        assert!(threshold(LN_2, 1.0).abs_diff(1 << 63) < 1 << 14);
        assert_eq!(threshold(45.0, 1.0) >> 1, 0);
        assert_eq!(threshold(1000.0, 0.7), 0);
    }
}
