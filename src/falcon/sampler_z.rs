//! SamplerZ and BerExp: an integer Gaussian of any centre (specification, algorithms 13 to 15).
//!
//! The bytes of the generator are taken in the reference's order: eight and one for the base sampler, one for the
//! sign, and for BerExp one, rarely more. How many trials a call takes does not depend on the centre.
#![allow(clippy::excessive_precision, reason = "constants have the digits of their sources")]

use super::base_sampler::{base_sample, base_sample_lanes};
use super::fft::Complex;
use super::kernels::Kernels;
use crate::ct::declassify;
use crate::isa::Op;
use crate::simd::{Float, Int32, ROUNDER, Real, Simd};
use crate::symmetric::chacha20::{BUFFER_LEN, LAST_U64_POSITION, Prng, SEED_LEN};
use zeroize::Zeroize;

/// 1 / (2 * 1.8205^2).
pub(super) const INV_2_SQR_SIGMA0: f64 = 0.150865048875372721532312163019;
/// ln 2 and its inverse.
pub(super) const LN_2: f64 = core::f64::consts::LN_2;
pub(super) const INV_LN_2: f64 = core::f64::consts::LOG2_E;

/// c with exp(-x) = sum of (-1)^k c[k] x^k, up to 2^-50 on [0, ln 2] (FACCT, eprint 2018/1234, as in the reference).
pub(super) const EXP: [f64; 13] = [
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
pub(crate) struct SamplerZ<K: Kernels> {
    k: K,
    prng: Prng,
    sigma_min: f64,
    trials: Trials,
}

/// What a call of the sampler is about: the centre's fraction, and the deviation in the two forms that are needed.
#[derive(Clone, Copy)]
pub struct Shape<R> {
    /// The centre less its integer part.
    pub r: R,
    /// isigma^2 / 2.
    pub dss: R,
    /// isigma sigma_min.
    pub ccs: R,
}

/// A single double of a backend.
pub(crate) type RealOf<K> = <<K as Kernels>::Vector as Simd>::Real;

impl<K: Kernels> SamplerZ<K> {
    /// Starts from a seed.
    pub fn new(k: K, seed: &[u8; SEED_LEN], sigma_min: f64) -> SamplerZ<K> {
        SamplerZ { k, prng: Prng::new(k, seed), sigma_min, trials: Trials::default() }
    }

    /// Two integers (as doubles) from the Gaussians of centres `mu` and deviation `1 / isigma`, real part first.
    ///
    /// In: `|mu| < 2^50`, `1/1.8205 <= isigma <= 1/sigma_min`.
    #[inline(always)]
    pub fn sample_pair(&mut self, mu: Complex<RealOf<K>>, isigma: RealOf<K>) -> Complex<RealOf<K>> {
        let dss = (isigma * isigma).half();
        let ccs = isigma * RealOf::<K>::new(self.sigma_min);
        let whole = Complex { re: mu.re.floor(), im: mu.im.floor() };
        let re = Shape { r: mu.re - whole.re, dss, ccs };
        let im = Shape { r: mu.im - whole.im, dss, ccs };
        if K::WINDOW == 0 {
            let z = self.one_by_one(re);
            Complex { re: whole.re + z, im: whole.im + self.one_by_one(im) }
        } else {
            let z = self.pair_in_lanes(re, im);
            Complex { re: whole.re + z.re, im: whole.im + z.im }
        }
    }

    /// Trials until one is accepted.
    #[inline(always)]
    fn one_by_one(&mut self, shape: Shape<RealOf<K>>) -> RealOf<K> {
        loop {
            if let Some(z) = self.trial(shape) {
                return z;
            }
        }
    }

    /// One trial, with its bytes taken one after the other.
    #[inline(always)]
    fn trial(&mut self, Shape { r, dss, ccs }: Shape<RealOf<K>>) -> Option<RealOf<K>> {
        let low = self.prng.next_u64(self.k);
        let z0 = i64::from(base_sample(low, self.prng.next_u8(self.k)));
        let b = i64::from(self.prng.next_u8(self.k) & 1);
        let z = RealOf::<K>::of(b + (2 * b - 1) * z0);
        let d = z - r;
        let x = d * d * dss - RealOf::<K>::of(z0 * z0) * RealOf::<K>::new(INV_2_SQR_SIGMA0);
        self.ber_exp(x, ccs).then_some(z)
    }

    /// True with probability `ccs * exp(-x)`. In: `0 <= x < 2^20` (or a rounding error below), `0 < ccs <= 1`.
    ///
    /// Compares a 64-bit probability with random bytes, top byte first, and stops at the first difference. The
    /// outcome and the number of bytes are public by design (specification 3.9.3).
    #[inline(always)]
    fn ber_exp(&mut self, x: RealOf<K>, ccs: RealOf<K>) -> bool {
        let p = threshold(x, ccs);
        let mut shift = 64;
        loop {
            shift -= 8;
            let difference = i32::from(self.prng.next_u8(self.k)) - i32::from((p >> shift) as u8);
            let difference = declassify(difference, ACCEPTANCE);
            if difference != 0 || shift == 0 {
                return difference < 0;
            }
        }
    }
}

/// Why the outcomes of trials may show.
const ACCEPTANCE: &str = "acceptance does not depend on the centre (specification 3.9.3)";

/// Bytes of a trial whose first BerExp byte decides.
pub(super) const TRIAL_LEN: usize = 11;

/// The last position from which such a trial lies inside one buffer.
const LAST_TRIAL_POSITION: usize = BUFFER_LEN - TRIAL_LEN;

/// More trials than a buffer holds (46), a multiple of the widest vector, and a window more.
const TRIALS_LEN: usize = 64;

/// Trials prepared from the bytes of the current buffer, as if each took [`TRIAL_LEN`] bytes: that is so until the
/// first BerExp byte of one equals its threshold's, once in 256 trials; then the rest is prepared anew.
pub struct Trials {
    /// Position of the first.
    position: usize,
    /// How many there are, and how many of them are used up.
    pub count: usize,
    pub next: usize,
    /// z = b + (2 b - 1) z0.
    pub z: [f64; TRIALS_LEN],
    /// z0^2 / (2 * 1.8205^2).
    pub square: [f64; TRIALS_LEN],
    /// The first BerExp byte.
    pub byte: [f64; TRIALS_LEN],
}

impl Default for Trials {
    fn default() -> Trials {
        let zeros = [0.0; TRIALS_LEN];
        Trials { position: 0, count: 0, next: 0, z: zeros, square: zeros, byte: zeros }
    }
}

impl Drop for Trials {
    fn drop(&mut self) {
        self.z.zeroize();
        self.square.zeroize();
        self.byte.zeroize();
    }
}

/// What a window of trials says about one centre: a bit a trial.
#[derive(Clone, Copy)]
pub struct Verdicts {
    /// The first BerExp byte is at most the threshold's: the call ends here, or the next bytes decide.
    pub stops: u32,
    /// It is less: the trial is accepted.
    pub accepts: u32,
}

impl<K: Kernels> SamplerZ<K> {
    /// Both samples of a pair. Each trial of a window is judged for both centres; the first centre takes the first
    /// that it accepts, the second the first after that.
    #[inline(always)]
    fn pair_in_lanes(&mut self, re: Shape<RealOf<K>>, im: Shape<RealOf<K>>) -> Complex<RealOf<K>> {
        if self.trials.next < self.trials.count {
            let (first, second) = (self.judge(re), self.judge(im));
            let valid = self.valid();
            let i = (first.stops & valid).trailing_zeros();
            let later = second.stops & valid & u32::MAX.unbounded_shl(i + 1);
            let j = later.trailing_zeros();
            if j < 32 && first.accepts >> i & 1 == 1 && second.accepts >> j & 1 == 1 {
                let z = &self.trials.z[self.trials.next..];
                let z = Complex { re: RealOf::<K>::new(z[i as usize]), im: RealOf::<K>::new(z[j as usize]) };
                self.trials.next += j as usize + 1;
                return z;
            }
        }
        let k = self.k;
        let re = k.enter(OneInLanes { sampler: self, shape: re });
        Complex { re, im: k.enter(OneInLanes { sampler: self, shape: im }) }
    }

    /// One sample, whatever comes: the end of the buffer, an undecided first byte.
    #[inline(always)]
    fn one_in_lanes(&mut self, shape: Shape<RealOf<K>>) -> RealOf<K> {
        loop {
            if self.trials.next == self.trials.count {
                self.leave_trials();
                if self.prng.position() > LAST_TRIAL_POSITION && self.prng.position() < LAST_U64_POSITION {
                    // A trial across the end of the buffer.
                    if let Some(z) = self.trial(shape) {
                        return z;
                    }
                    continue;
                }
                if self.prng.position() >= LAST_U64_POSITION {
                    self.prng.refill(self.k);
                }
                self.prepare();
            }
            let verdicts = self.judge(shape);
            let stops = verdicts.stops & self.valid();
            if stops == 0 {
                self.trials.next = (self.trials.next + K::WINDOW).min(self.trials.count);
                continue;
            }
            let i = stops.trailing_zeros() as usize;
            self.trials.next += i;
            if verdicts.accepts >> i & 1 == 1 {
                let z = RealOf::<K>::new(self.trials.z[self.trials.next]);
                self.trials.next += 1;
                return z;
            }
            // Undecided by the first byte: this trial takes more bytes, which moves all later ones.
            self.leave_trials();
            if let Some(z) = self.trial(shape) {
                return z;
            }
        }
    }

    /// Bits of the window's trials that are there.
    #[inline(always)]
    fn valid(&self) -> u32 {
        let left = self.trials.count - self.trials.next;
        if left >= K::WINDOW { (1 << K::WINDOW) - 1 } else { (1 << left) - 1 }
    }

    /// Tells the generator how many bytes the used trials took, and forgets the others.
    #[inline(always)]
    fn leave_trials(&mut self) {
        if self.trials.count > 0 {
            let position = self.trials.position + TRIAL_LEN * self.trials.next;
            self.trials.count = 0;
            self.trials.next = 0;
            self.prng.set_position(self.k, position);
        }
    }

    /// Fills in all trials that lie inside the buffer.
    #[inline(always)]
    fn prepare(&mut self) {
        let position = self.prng.position();
        self.trials.position = position;
        self.trials.next = 0;
        self.trials.count = (LAST_TRIAL_POSITION - position) / TRIAL_LEN + 1;
        self.k.prepare(&mut self.trials, &self.prng.buffer()[position..]);
    }

    /// The window of trials from the next one on, for one centre.
    #[inline(always)]
    fn judge(&self, shape: Shape<RealOf<K>>) -> Verdicts {
        let Verdicts { stops, accepts } = self.k.judge(&self.trials, shape);
        Verdicts { stops: declassify(stops, ACCEPTANCE), accepts: declassify(accepts, ACCEPTANCE) }
    }
}

/// What the window of trials from the next one on says about one centre. Bits of trials that are not there mean
/// nothing.
#[inline(always)]
pub(crate) fn judge<S: Simd>(s: S, trials: &Trials, shape: Shape<S::Real>) -> Verdicts {
    let (r, dss, ccs) = (s.splat(shape.r.get()), s.splat(shape.dss.get()), s.splat(shape.ccs.get()));
    let mut verdicts = Verdicts { stops: 0, accepts: 0 };
    for group in 0..window(S::LANES) / S::LANES {
        let at = trials.next + group * S::LANES;
        let d = s.load(&trials.z[at..]) - r;
        let x = d * d * dss - s.load(&trials.square[at..]);
        let scaled = scaled_probability(s, x, ccs);
        let byte = s.load(&trials.byte[at..]);
        verdicts.stops |= s.less(byte, scaled) << (group * S::LANES);
        verdicts.accepts |= s.less(byte + s.splat(1.0), scaled) << (group * S::LANES);
    }
    verdicts
}

/// Trials that are judged at once where a vector has `lanes` doubles; none where it has one.
pub(crate) const fn window(lanes: usize) -> usize {
    match lanes {
        1 => 0,
        2 => 4,
        _ => 8,
    }
}

/// [`SamplerZ::one_in_lanes`], which is called seldom and from many places.
struct OneInLanes<'a, K: Kernels> {
    sampler: &'a mut SamplerZ<K>,
    shape: Shape<RealOf<K>>,
}

impl<K: Kernels> Op<K> for OneInLanes<'_, K> {
    type Out = RealOf<K>;

    #[inline(always)]
    fn run(self, _k: K) -> RealOf<K> {
        self.sampler.one_in_lanes(self.shape)
    }
}

/// `ccs * exp(-x) * 2^8`, of which the integer part below is the top byte of [`threshold`]: with Y = ccs exp(-x) 2^64,
/// which is an integer, a byte is at most that of floor((Y - 1) / 2^s) where byte < Y / 2^(s + 56), and less where
/// byte + 1 is. Both are exact in doubles.
#[inline(always)]
fn scaled_probability<S: Simd>(s: S, x: S::F64, ccs: S::F64) -> S::F64 {
    let whole = s.max(s.floor(x * s.splat(INV_LN_2)), s.splat(0.0));
    let r = x - whole * s.splat(LN_2);
    let y = exp_minus(
        r,
        #[inline(always)]
        |k| s.splat(EXP[k]),
    ) * ccs;
    s.divide_by_power_of_two(y, whole + s.splat(ROUNDER - 8.0))
}

/// Fills in `trials.count` trials from `bytes`; behind them there are as many bytes as a vector may read too far.
pub(crate) struct Prepare<'a> {
    pub trials: &'a mut Trials,
    pub bytes: &'a [u8],
}

impl<S: Simd> Op<S> for Prepare<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self, s: S) {
        let Prepare { trials, bytes } = self;
        for first in (0..trials.count).step_by(S::LANES32) {
            // Four words of four bytes hold a trial: three limbs of 24 bits, the sign in the byte after them, the
            // first BerExp byte in the last.
            let bytes = &bytes[TRIAL_LEN * first..];
            let limb = s.splat_i32(0xFF_FFFF);
            let high = word(s, bytes, 6);
            let z0 = base_sample_lanes(s, [word(s, bytes, 0) & limb, word(s, bytes, 3) & limb, high & limb]);
            let b = high.shr::<24>() & s.splat_i32(1);
            // z = z0 + 1 where b is 1, -z0 where it is 0.
            let minus = b - s.splat_i32(1);
            let z = (z0 ^ minus) - minus + b;
            s.store_as_f64(&mut trials.z[first..], z);
            s.store_as_f64(&mut trials.square[first..], z0);
            s.store_as_f64(&mut trials.byte[first..], word(s, bytes, 7).shr::<24>());
        }
        for square in trials.square.chunks_exact_mut(S::LANES) {
            let z0 = s.load(square);
            s.store(square, z0 * z0 * s.splat(INV_2_SQR_SIGMA0));
        }
    }
}

/// The words at the same place of several trials.
#[inline(always)]
fn word<S: Simd>(s: S, bytes: &[u8], at: usize) -> S::I32 {
    s.load_strided(&bytes[at..], TRIAL_LEN)
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

/// `ccs * exp(-r) * 2^63`, which is an integer. In: `0 <= r <= ln 2`.
#[inline(always)]
fn expm_p63<R: Real>(r: R, ccs: R) -> u64 {
    let y = exp_minus(
        r,
        #[inline(always)]
        |k| R::new(EXP[k]),
    ) * ccs;
    // y is in [1/4, 1]: its significand, shifted to the weight 2^-63 (by 10 at most).
    let bits = y.get().to_bits();
    let significand = bits & ((1 << 52) - 1) | 1 << 52;
    significand << ((bits >> 52).wrapping_sub(1012) & 63)
}

/// exp(-r) with the coefficients `c`. In: `0 <= r <= ln 2`.
///
/// The polynomial is summed as a balanced tree: one order of operations for every backend, short in latency and
/// the same in lanes.
#[inline(always)]
fn exp_minus<F: Float>(r: F, c: impl Fn(usize) -> F) -> F {
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
    low + high * r8
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

    /// The vectors on one backend. A vector is one call; here a second one follows it, since calls come in pairs.
    struct Vectors;

    impl<K: Kernels> Op<K> for Vectors {
        type Out = Vec<u64>;

        fn run(self, k: K) -> Vec<u64> {
            let mut second = Vec::new();
            let (mut ties, mut edges) = (0, 0);
            for v in vectors() {
                let seed: [u8; SEED_LEN] = hex(v[1]).try_into().expect("56 bytes");
                let start = |position: &str| {
                    let mut sampler = SamplerZ::new(k, &seed, double(v[5]));
                    sampler.prng.set_position(k, position.parse().expect("position"));
                    sampler
                };
                let (mu, isigma) = (RealOf::<K>::new(double(v[3])), RealOf::<K>::new(double(v[4])));
                let shape = Shape {
                    r: mu - mu.floor(),
                    dss: (isigma * isigma).half(),
                    ccs: isigma * RealOf::<K>::new(double(v[5])),
                };
                let want: f64 = v[6].parse().expect("z");
                for in_lanes in [false, true] {
                    let mut sampler = start(v[2]);
                    let z = if in_lanes && K::WINDOW > 0 {
                        sampler.one_in_lanes(shape)
                    } else {
                        sampler.one_by_one(shape)
                    };
                    sampler.leave_trials();
                    assert_eq!((mu.floor() + z).get(), want, "{v:?}");
                    assert_eq!(sampler.prng.position().to_string(), v[7], "{v:?}");
                    assert_eq!(sampler.prng.refills(&seed).to_string(), v[8], "{v:?}");
                }
                let mut sampler = start(v[2]);
                // 30 pairs from here: they cross refills and ties of their own.
                for i in 0..30 {
                    let centre = Complex { re: mu, im: mu + RealOf::<K>::new(f64::from(i) * 0.37) };
                    let z = sampler.sample_pair(centre, isigma);
                    assert!(i > 0 || z.re.get() == want, "{v:?}");
                    second.extend([z.re.get().to_bits(), z.im.get().to_bits()]);
                }
                sampler.leave_trials();
                second.push(sampler.prng.position() as u64);
                second.push(sampler.prng.refills(&seed));
                ties += usize::from(v[0].starts_with("berexp"));
                edges += usize::from(v[0] == "refill_edge" || v[0].ends_with("across_refill"));
            }
            assert!(ties >= 20 && edges >= 20, "{ties} ties, {edges} refill edges");
            second
        }
    }

    /// 400 calls of the reference program, among them BerExp ties and refills at 503 and 512; and 24,000 more that
    /// every backend must answer alike.
    #[test]
    fn calls_are_those_of_the_reference_on_every_backend() {
        use crate::isa::{Isa, with};
        let expected = with(Isa::Scalar, Vectors);
        for isa in Isa::ALL.iter().filter(|isa| isa.is_supported()) {
            assert!(with(*isa, Vectors) == expected, "{}", isa.name());
        }
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
