//! SamplerZ and BerExp: an integer Gaussian of any centre (specification, algorithms 13 to 15).
//!
//! The bytes of the generator are taken in the reference's order: eight and one for the base sampler, one for the
//! sign, and for BerExp one, rarely more. How many trials a call takes does not depend on the centre.
#![allow(clippy::excessive_precision, reason = "constants have the digits of their sources")]

use super::base_sampler::{base_sample, base_sample_lanes, load_trials, table, vectors_at_once};
use super::fft::Complex;
use super::kernels::Kernels;
use crate::ct::declassify;
use crate::isa::Op;
use crate::simd::{Float, Int32, Real, Simd};
use crate::symmetric::chacha20::{BUFFER_LEN, LAST_U64_POSITION, Prng, SEED_LEN};
use zeroize::Zeroize;

/// 1 / (2 * 1.8205^2).
pub(super) const INV_2_SQR_SIGMA0: f64 = 0.150865048875372721532312163019;
/// ln 2 and its inverse.
pub(super) const LN_2: f64 = core::f64::consts::LN_2;
const INV_LN_2: f64 = core::f64::consts::LOG2_E;
pub(super) const LN_256: f64 = 8.0 * LN_2;

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

/// The sampler of one signing attempt.
pub(crate) struct SamplerZ<K: Kernels> {
    k: K,
    prng: Prng,
    trials: Trials,
}

/// A deviation in the forms that are needed.
#[derive(Clone, Copy)]
pub struct Leaf<R> {
    /// isigma^2 / 2.
    pub dss: R,
    /// isigma sigma_min.
    pub ccs: R,
    /// Its logarithm, to about 10^-6; only where trials are judged in lanes.
    pub ln_ccs: f64,
    /// 1 / dss, to about 10^-9 of it; only where trials are judged in lanes.
    pub over_dss: f64,
}

/// What a call of the sampler is about: the centre without its integer part, the deviation.
#[derive(Clone, Copy)]
pub(super) struct Shape<R> {
    /// In [0, 1).
    pub r: R,
    pub leaf: Leaf<R>,
}

/// A single double of a backend.
pub(crate) type RealOf<K> = <<K as Kernels>::Vector as Simd>::Real;

impl<K: Kernels> SamplerZ<K> {
    /// Starts from a seed.
    pub fn new(k: K, seed: &[u8; SEED_LEN]) -> SamplerZ<K> {
        SamplerZ { k, prng: Prng::new(k, seed), trials: Trials::default() }
    }

    /// Buffers that the generator has filled.
    pub fn buffers(&self) -> usize {
        self.prng.refills() + 1
    }

    /// What four leaves, 1 over their deviations, say to all of their samples. `sigma_min`: the smallest deviation of the
    /// parameter set.
    #[inline(always)]
    pub fn leaves(k: K, sigma_min: f64, isigma: [RealOf<K>; 4]) -> [Leaf<RealOf<K>>; 4] {
        let ccs = isigma.map(|isigma| isigma * RealOf::<K>::new(sigma_min));
        let dss = isigma.map(|isigma| (isigma * isigma).half());
        let (mut ln_ccs, mut over_dss) = ([1.0; 8], [1.0; 8]);
        if K::WINDOW > 0 {
            for i in 0..4 {
                (ln_ccs[i], over_dss[i]) = (ccs[i].get(), dss[i].get());
            }
            let s = k.vector();
            let lanes = K::Vector::LANES;
            for (ccs, dss) in ln_ccs
                .chunks_exact_mut(lanes)
                .zip(over_dss.chunks_exact_mut(lanes))
                .take(4usize.div_ceil(lanes))
            {
                let (logarithm, inverse) = (ln(s, s.load(ccs)), inverse(s, s.load(dss)));
                s.store(ccs, logarithm);
                s.store(dss, inverse);
            }
        }
        core::array::from_fn(|i| Leaf { dss: dss[i], ccs: ccs[i], ln_ccs: ln_ccs[i], over_dss: over_dss[i] })
    }

    /// Two integers (as doubles) from the Gaussians of centres `mu` and the deviation of a leaf, real part first.
    ///
    /// In: `|mu| < 2^50`, `1/1.8205 <= isigma <= 1/sigma_min`.
    #[inline(always)]
    pub fn sample_pair(&mut self, mu: Complex<RealOf<K>>, leaf: Leaf<RealOf<K>>) -> Complex<RealOf<K>> {
        let whole = Complex { re: mu.re.floor(), im: mu.im.floor() };
        let r = mu - whole;
        whole + self.pair(Shape { r: r.re, leaf }, Shape { r: r.im, leaf })
    }

    /// [`SamplerZ::sample_pair`] without the integer parts of the centres.
    #[inline(always)]
    pub(super) fn pair(&mut self, re: Shape<RealOf<K>>, im: Shape<RealOf<K>>) -> Complex<RealOf<K>> {
        if K::WINDOW == 0 {
            let z = self.one_by_one(re);
            return Complex { re: z, im: self.one_by_one(im) };
        }
        self.pair_in_lanes(re, im)
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
    fn trial(&mut self, Shape { r, leaf }: Shape<RealOf<K>>) -> Option<RealOf<K>> {
        let low = self.prng.next_u64(self.k);
        let z0 = i64::from(base_sample(table(), low, self.prng.next_u8(self.k)));
        let b = i64::from(self.prng.next_u8(self.k) & 1);
        let z = RealOf::<K>::of(b + (2 * b - 1) * z0);
        let d = z - r;
        let x = d * d * leaf.dss - RealOf::<K>::of(z0 * z0) * RealOf::<K>::new(INV_2_SQR_SIGMA0);
        self.ber_exp(x, leaf.ccs).then_some(z)
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

/// The last position from which a trial takes bytes of the buffer; from 502 its BerExp byte is the first of the next.
const LAST_TRIAL_POSITION: usize = LAST_U64_POSITION - 1;

/// Trials are prepared while so many are left beyond a window, so that they are there when they are needed.
const AHEAD: usize = 8;

/// Room for the trials of one buffer (46), for older ones, and for what vectors write beyond the last one.
const TRIALS_LEN: usize = 46 + 2 * AHEAD + 16;

/// Trials prepared ahead, as if each took [`TRIAL_LEN`] bytes: that is so until the first BerExp byte of one equals its
/// threshold's, once in 256 trials; then the rest is forgotten.
pub struct Trials {
    /// How many there are, how many of them are used up, and how many there will be of this buffer and the one before.
    count: usize,
    pub next: usize,
    planned: usize,
    /// How many of them begin in the buffer before the generator's current one, and where in its buffer the first of
    /// those begins, and the first of the others.
    older: usize,
    older_position: usize,
    position: usize,
    /// z = b + (2 b - 1) z0.
    pub z: [f64; TRIALS_LEN],
    /// With v = (z - r)^2 isigma^2 / 2 - ln(ccs): the trial is certainly rejected where v is not below this, ...
    pub stops_below: [f64; TRIALS_LEN],
    /// ... and certainly accepted where v is below this.
    pub accepts_below: [f64; TRIALS_LEN],
}

impl Default for Trials {
    fn default() -> Trials {
        let zeros = [0.0; TRIALS_LEN];
        let (count, next, planned, older, older_position, position) = (0, 0, 0, 0, 0, 0);
        Trials {
            count,
            next,
            planned,
            older,
            older_position,
            position,
            z: zeros,
            stops_below: zeros,
            accepts_below: zeros,
        }
    }
}

impl Drop for Trials {
    fn drop(&mut self) {
        for list in [&mut self.z, &mut self.stops_below, &mut self.accepts_below] {
            list.as_mut_slice().zeroize();
        }
    }
}

/// What a window of trials says about one centre: a bit a trial.
#[derive(Clone, Copy)]
pub struct Verdicts {
    /// Not certainly rejected.
    pub stops: u32,
    /// Certainly accepted.
    pub accepts: u32,
}

impl<K: Kernels> SamplerZ<K> {
    /// Both samples of a pair. Each trial of a window is judged for both centres; the first centre takes the first
    /// that it accepts, the second the first after that.
    #[inline(always)]
    fn pair_in_lanes(&mut self, re: Shape<RealOf<K>>, im: Shape<RealOf<K>>) -> Complex<RealOf<K>> {
        let k = self.k;
        self.stock();
        let (first, second) = (self.judge(re), self.judge(im));
        // The trials up to the one at which the first centre stops: all of them where there is none.
        let passed = first.stops ^ first.stops.wrapping_sub(1);
        let (i, j) = (first.stops.trailing_zeros(), (second.stops & !passed).trailing_zeros());
        if j < 32 && first.accepts >> i & second.accepts >> j & 1 == 1 {
            let z = &self.trials.z[self.trials.next..][..K::WINDOW];
            self.trials.next += j as usize + 1;
            return Complex { re: RealOf::<K>::new(z[i as usize]), im: RealOf::<K>::new(z[j as usize]) };
        }
        let re = k.enter(OneInLanes { sampler: self, shape: re });
        Complex { re, im: k.enter(OneInLanes { sampler: self, shape: im }) }
    }

    /// One sample, whatever comes: a window without an accepted trial, an undecided first byte.
    #[inline(always)]
    fn one_in_lanes(&mut self, shape: Shape<RealOf<K>>) -> RealOf<K> {
        loop {
            self.stock();
            let verdicts = self.judge(shape);
            if verdicts.stops == 0 {
                self.trials.next += K::WINDOW;
                continue;
            }
            let i = verdicts.stops.trailing_zeros() as usize;
            self.trials.next += i;
            if verdicts.accepts >> i & 1 == 1 {
                let z = RealOf::<K>::new(self.trials.z[self.trials.next]);
                self.trials.next += 1;
                return z;
            }
            // Undecided by the first byte: this trial takes more bytes, which moves all later ones.
            self.forget_trials();
            if let Some(z) = self.trial(shape) {
                return z;
            }
        }
    }

    /// At least a window of trials.
    #[inline(always)]
    fn stock(&mut self) {
        if self.trials.count - self.trials.next < K::WINDOW + AHEAD {
            self.k.enter(Stock { prng: &mut self.prng, trials: &mut self.trials });
        }
    }

    /// Tells the generator where the next trial begins, and forgets what was prepared.
    fn forget_trials(&mut self) {
        let Trials { count, next, older, older_position, position, .. } = self.trials;
        (self.trials.count, self.trials.next, self.trials.planned, self.trials.older) = (0, 0, 0, 0);
        if count == 0 {
            return;
        }
        let (position, used) = if older > 0 && next <= older {
            self.prng.go_back();
            (older_position, next)
        } else {
            (position, next - older)
        };
        let end = position + TRIAL_LEN * used;
        if end > BUFFER_LEN {
            // The last trial took the first byte of the next buffer.
            self.prng.refill(self.k);
            self.prng.set_position(self.k, end - BUFFER_LEN);
        } else {
            self.prng.set_position(self.k, end);
        }
    }

    /// The window of trials from the next one on, for one centre.
    ///
    /// Approximate on purpose: what is within [`MARGIN`] of a bound counts as undecided, and [`SamplerZ::trial`] decides
    /// it as the specification says. So errors far below the margin change nothing.
    #[inline(always)]
    fn judge(&self, Shape { r, leaf }: Shape<RealOf<K>>) -> Verdicts {
        let Verdicts { stops, accepts } = self.k.judge(&self.trials, r, leaf);
        Verdicts { stops: declassify(stops, ACCEPTANCE), accepts: declassify(accepts, ACCEPTANCE) }
    }
}

/// Trials that are judged at once where a vector has `lanes` doubles; none where it has one.
pub(crate) const fn window(lanes: usize) -> usize {
    match lanes {
        1 => 0,
        2 => 4,
        _ => 8,
    }
}

/// What the window of trials from the next one on says about one centre, of which `r` is what is above its integer
/// part, over the vocabulary.
#[inline(always)]
pub(crate) fn judge<S: Simd>(s: S, trials: &Trials, r: S::Real, leaf: Leaf<S::Real>) -> Verdicts {
    let (r, over_dss, ln_ccs) = (s.splat(r.get()), s.splat(leaf.over_dss), s.splat(leaf.ln_ccs));
    let mut verdicts = Verdicts { stops: 0, accepts: 0 };
    for group in 0..window(S::LANES) / S::LANES {
        let at = trials.next + group * S::LANES;
        let d = s.load(&trials.z[at..]) - r;
        let square = d * d;
        // Both sides over dss, since only the left one waits for the centre.
        let stops_below = (s.load(&trials.stops_below[at..]) + ln_ccs) * over_dss;
        let accepts_below = (s.load(&trials.accepts_below[at..]) + ln_ccs) * over_dss;
        verdicts.stops |= s.less(square, stops_below) << (group * S::LANES);
        verdicts.accepts |= s.less(square, accepts_below) << (group * S::LANES);
    }
    verdicts
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

/// How far the logarithm of a probability must be from a bound for a verdict without the specification's own steps.
/// All errors together (two approximate logarithms, roundings) are under a twentieth of it.
pub(super) const MARGIN: f64 = 1.0 / 65536.0;

/// Coefficients of the Chebyshev approximation of ln(3/2 + t/2) on [-1, 1].
pub(super) const LN_SERIES: [f64; 8] = [
    0.4054652915209855,
    0.3333330830293415,
    -0.05556134935258036,
    0.012348968954743968,
    -0.003058064666904812,
    0.0008114790472731879,
    -0.0002720949613163509,
    0.00008002991117860811,
];

/// The natural logarithm to 3 * 10^-7, of a positive number; of zero, something below -700.
#[inline(always)]
fn ln<S: Simd>(s: S, x: S::F64) -> S::F64 {
    let (m, e) = s.mantissa_and_exponent(x);
    let t = m + m - s.splat(3.0);
    let mut c = [s.splat(0.0); LN_SERIES.len()];
    for (c, coefficient) in c.iter_mut().zip(LN_SERIES) {
        *c = s.splat(coefficient);
    }
    let t2 = t * t;
    let low = (c[0] + c[1] * t) + (c[2] + c[3] * t) * t2;
    let high = (c[4] + c[5] * t) + (c[6] + c[7] * t) * t2;
    e * s.splat(LN_2) + (low + high * (t2 * t2))
}

/// 1 / x to 10^-9 of it, for x = isigma^2 / 2 of any leaf, by Newton's method: no division waits for a secret.
#[inline(always)]
fn inverse<S: Simd>(s: S, x: S::F64) -> S::F64 {
    /// The ends of the range, a little beyond 1 / (2 * 1.8205^2) and 1 / (2 * 1.2778^2).
    const ENDS: [f64; 2] = [0.15, 0.307];
    const SUM: f64 = ENDS[0] + ENDS[1];
    /// SCALE * (SUM - x) has the same relative error at the ends as, the other way, in the middle: one sixteenth.
    const SCALE: f64 = 2.0 / (SUM * SUM / 4.0 + ENDS[0] * ENDS[1]);
    let mut y = (s.splat(SUM) - x) * s.splat(SCALE);
    for _ in 0..3 {
        // The error is squared.
        y = y * (s.splat(2.0) - x * y);
    }
    y
}

/// Prepares some trials of the current buffer, and of the next one where it has no more; at least as many as make a
/// window.
struct Stock<'a> {
    prng: &'a mut Prng,
    trials: &'a mut Trials,
}

impl<K: Kernels> Op<K> for Stock<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let Stock { prng, trials } = self;
        if trials.planned == 0 {
            plan(k, prng, trials);
        }
        loop {
            if trials.count == trials.planned {
                to_next_buffer(k, prng, trials);
            }
            let at = trials.count;
            let count = (trials.planned - at).min(K::TRIALS_AT_ONCE);
            let start = trials.position + TRIAL_LEN * (at - trials.older);
            if count > 0 {
                k.prepare(&prng.buffer()[start..], count, trials, at);
            }
            trials.count += count;
            if trials.count - trials.next >= K::WINDOW {
                return;
            }
        }
    }
}

/// Counts the trials that begin in the current buffer from its position on.
#[inline(always)]
fn plan<K: Kernels>(k: K, prng: &mut Prng, trials: &mut Trials) {
    trials.position = prng.position();
    if trials.position <= LAST_TRIAL_POSITION {
        prng.make_next(k);
        trials.planned += (LAST_TRIAL_POSITION - trials.position) / TRIAL_LEN + 1;
    }
}

/// Goes on to the next buffer. In: all trials of the current one are prepared.
#[inline(always)]
fn to_next_buffer<K: Kernels>(k: K, prng: &mut Prng, trials: &mut Trials) {
    // What is left begins in the current buffer: a buffer has more trials than can be left, so that none is left of
    // the one before.
    debug_assert!(trials.next >= trials.older);
    let left = trials.count - trials.next;
    debug_assert!(left < 2 * AHEAD);
    for list in [&mut trials.z, &mut trials.stops_below, &mut trials.accepts_below] {
        list.copy_within(trials.next..trials.next + 2 * AHEAD, 0);
    }
    let end = trials.position + TRIAL_LEN * (trials.count - trials.older);
    trials.older_position = trials.position + TRIAL_LEN * (trials.next - trials.older);
    (trials.count, trials.next, trials.planned, trials.older) = (left, 0, left, left);
    prng.refill(k);
    prng.set_position(k, end.saturating_sub(BUFFER_LEN));
    plan(k, prng, trials);
}

/// Prepares `count` trials from the bytes that the first of them begins at, as the trials `at..`, over the vocabulary.
#[inline(always)]
pub(crate) fn prepare<S: Simd>(s: S, buffer: &[u8], count: usize, trials: &mut Trials, at: usize) {
    match vectors_at_once::<S>() {
        4 => prepare_vectors::<S, 4>(s, buffer, count, trials, at),
        2 => prepare_vectors::<S, 2>(s, buffer, count, trials, at),
        _ => prepare_vectors::<S, 1>(s, buffer, count, trials, at),
    }
}

/// [`prepare`], with the base samples of `N` vectors made together.
#[inline(always)]
fn prepare_vectors<S: Simd, const N: usize>(
    s: S,
    buffer: &[u8],
    count: usize,
    trials: &mut Trials,
    at: usize,
) {
    for first in (0..count).step_by(N * S::LANES32) {
        // Three words hold a trial: 72 bits for the base sampler, the sign in the byte after them, the first BerExp
        // byte after that.
        let words = load_trials::<S, N>(s, &buffer[TRIAL_LEN * first..]);
        let z0 = base_sample_lanes(s, words);
        for i in 0..N {
            prepare_lanes(s, z0[i], words[i][2], trials, at + first + i * S::LANES32);
        }
    }
}

/// From the base samples of a vector of trials, and the words that hold their signs and BerExp bytes.
#[inline(always)]
fn prepare_lanes<S: Simd>(s: S, z0: S::I32, last: S::I32, trials: &mut Trials, at: usize) {
    let b = last.shr::<8>() & s.splat_i32(1);
    // z = z0 + 1 where b is 1, -z0 where it is 0.
    let minus = b - s.splat_i32(1);
    let z = (z0 ^ minus) - minus + b;
    s.store_as_f64(&mut trials.z[at..], z);
    // The bounds in terms of logarithms. A first BerExp byte B stops the call where B is at most the top byte of
    // the probability p 2^64, p = ccs exp(-x): where B / 256 < p, or ln(B / 256) < ln(ccs) - x. It accepts where
    // B + 1 is at most that byte. Here x = (z - r)^2 isigma^2 / 2 - z0^2 / (2 sigma0^2).
    let stops_below = &mut trials.stops_below[at..][..S::LANES32];
    let accepts_below = &mut trials.accepts_below[at..][..S::LANES32];
    s.store_as_f64(stops_below, last.shr::<16>() & s.splat_i32(0xFF));
    s.store_as_f64(accepts_below, z0);
    let (below, above) = (s.splat(LN_256 - MARGIN), s.splat(LN_256 + MARGIN));
    for (stops, accepts) in
        stops_below.chunks_exact_mut(S::LANES).zip(accepts_below.chunks_exact_mut(S::LANES))
    {
        let (byte, z0) = (s.load(stops), s.load(accepts));
        let square = z0 * z0 * s.splat(INV_2_SQR_SIGMA0);
        s.store(stops, square + above - ln(s, byte));
        s.store(accepts, square + below - ln(s, byte + s.splat(1.0)));
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

/// `ccs * exp(-r) * 2^63`, which is an integer. In: `0 <= r <= ln 2`.
#[inline(always)]
fn expm_p63<R: Real>(r: R, ccs: R) -> u64 {
    let y = exp_minus(r) * ccs;
    // y is in [1/4, 1]: its significand, shifted to the weight 2^-63 (by 10 at most).
    let bits = y.get().to_bits();
    let significand = bits & ((1 << 52) - 1) | 1 << 52;
    significand << ((bits >> 52).wrapping_sub(1012) & 63)
}

/// exp(-r). In: `0 <= r <= ln 2`.
///
/// The polynomial is summed as a balanced tree: one order of operations for every backend, and short in latency.
#[inline(always)]
fn exp_minus<R: Real>(r: R) -> R {
    let mut c = [R::new(0.0); EXP.len()];
    for (c, coefficient) in c.iter_mut().zip(EXP) {
        *c = R::new(coefficient);
    }
    let r2 = r * r;
    let r4 = r2 * r2;
    let r8 = r4 * r4;
    let (p0, p1, p2) = (c[0] - c[1] * r, c[2] - c[3] * r, c[4] - c[5] * r);
    let (p3, p4, p5) = (c[6] - c[7] * r, c[8] - c[9] * r, c[10] - c[11] * r);
    let q0 = p0 + p1 * r2;
    let q1 = p2 + p3 * r2;
    let q2 = p4 + p5 * r2;
    let low = q0 + q1 * r4;
    let high = q2 + c[12] * r4;
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
                    let mut sampler = SamplerZ::new(k, &seed);
                    sampler.prng.set_position(k, position.parse().expect("position"));
                    sampler
                };
                let (mu, isigma) = (RealOf::<K>::new(double(v[3])), RealOf::<K>::new(double(v[4])));
                let [leaf, ..] = SamplerZ::leaves(k, double(v[5]), [isigma; 4]);
                let shape = Shape { r: mu - mu.floor(), leaf };
                let want: f64 = v[6].parse().expect("z");
                for in_lanes in [false, true] {
                    let mut sampler = start(v[2]);
                    let z = if in_lanes && K::WINDOW > 0 {
                        sampler.one_in_lanes(shape)
                    } else {
                        sampler.one_by_one(shape)
                    };
                    sampler.forget_trials();
                    assert_eq!((mu.floor() + z).get(), want, "{v:?}");
                    assert_eq!(sampler.prng.position().to_string(), v[7], "{v:?}");
                    assert_eq!(sampler.prng.refills().to_string(), v[8], "{v:?}");
                }
                let mut sampler = start(v[2]);
                // 30 pairs from here: they cross refills and ties of their own.
                for i in 0..30 {
                    let centre = Complex { re: mu, im: mu + RealOf::<K>::new(f64::from(i) * 0.37) };
                    let z = sampler.sample_pair(centre, leaf);
                    assert!(i > 0 || z.re.get() == want, "{v:?}");
                    second.extend([z.re.get().to_bits(), z.im.get().to_bits()]);
                }
                sampler.forget_trials();
                second.push(sampler.prng.position() as u64);
                second.push(sampler.prng.refills() as u64);
                ties += usize::from(v[0].starts_with("berexp"));
                edges += usize::from(v[0] == "refill_edge" || v[0].ends_with("across_refill"));
            }
            assert!(ties >= 20 && edges >= 20, "{ties} ties, {edges} refill edges");
            second
        }
    }

    struct Logarithms<'a>(&'a [f64]);

    impl<K: Kernels> Op<K> for Logarithms<'_> {
        type Out = Vec<f64>;
        fn run(self, k: K) -> Vec<f64> {
            let s = k.vector();
            let mut out = self.0.to_vec();
            for x in out.chunks_exact_mut(K::Vector::LANES) {
                let value = ln(s, s.load(x));
                s.store(x, value);
            }
            out
        }
    }

    /// All bytes, the one above them, and the range of ccs: errors far below the margin on every backend.
    #[test]
    fn logarithms_are_closer_than_the_margin() {
        use crate::isa::{Isa, with};
        let mut values: Vec<f64> = (1..=256).map(f64::from).collect();
        values.extend((0..1024).map(|i| 0.7 + 0.3 * f64::from(i) / 1023.0));
        for isa in Isa::ALL.iter().filter(|isa| isa.is_supported()) {
            for (x, ln) in values.iter().zip(with(*isa, Logarithms(&values))) {
                assert!((ln - x.ln()).abs() < MARGIN / 40.0, "ln({x}) on {}", isa.name());
            }
            assert!(
                with(*isa, Logarithms(&[0.0; 8])).iter().all(|ln| *ln < -700.0),
                "ln(0) on {}",
                isa.name()
            );
        }
    }

    struct Inverses<'a>(&'a [f64]);

    impl<K: Kernels> Op<K> for Inverses<'_> {
        type Out = Vec<f64>;
        fn run(self, k: K) -> Vec<f64> {
            let s = k.vector();
            let mut out = self.0.to_vec();
            for x in out.chunks_exact_mut(K::Vector::LANES) {
                let value = inverse(s, s.load(x));
                s.store(x, value);
            }
            out
        }
    }

    /// All deviations between the smallest of both parameter sets and that of the base sampler.
    #[test]
    fn inverses_are_good_to_nine_digits() {
        use crate::isa::{Isa, with};
        let values: Vec<f64> = (0..1024)
            .map(|i| {
                let sigma = 1.2778 + (1.8205 - 1.2778) * f64::from(i) / 1023.0;
                0.5 / (sigma * sigma)
            })
            .collect();
        for isa in Isa::ALL.iter().filter(|isa| isa.is_supported()) {
            for (x, inverse) in values.iter().zip(with(*isa, Inverses(&values))) {
                assert!((x * inverse - 1.0).abs() < 1e-9, "1 / {x} on {}", isa.name());
            }
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
