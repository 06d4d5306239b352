//! The coefficients of f and g: a discrete Gaussian fed by SHAKE256 (reference program, 2021-11-01).
//!
//! One draw has the standard deviation 1.17 sqrt(q / 2048); a coefficient for degree n is the sum of 1024/n draws.
//! Every draw takes the same time; only the number of redraws (a coefficient out of range, the parity of the
//! last one) can be seen. Next: [`super::generate`], which rejects unsuitable pairs.

use crate::ct::declassify;
use crate::falcon::params::Params;
use crate::isa::Op;
use crate::simd::Simd;
use crate::symmetric::keccak::{Keccak, Shake256Words};
use zeroize::Zeroizing;

/// P(x = 0) of one draw, times 2^63.
const ZERO: u64 = 1283868770400643928;

/// P(x > k | x > 0) for k = 1, 2, …, times 2^63 (reference program, table `gauss_1024_12289`, in which entry k + 1
/// is P(x >= k + 1 | x > 0); its last entry, 0, is left out).
const ABOVE: [u64; 25] = [
    6416574995475331444,
    4078260278032692663,
    2353523259288686585,
    1227179971273316331,
    575931623374121527,
    242543240509105209,
    91437049221049666,
    30799446349977173,
    9255276791179340,
    2478152334826140,
    590642893610164,
    125206034929641,
    23590435911403,
    3948334035941,
    586753615614,
    77391054539,
    9056793210,
    940121950,
    86539696,
    7062824,
    510971,
    32764,
    1862,
    94,
    4,
];

/// The random numbers of one key generation: SHAKE256 of the seed, read as little-endian 64-bit words.
pub(super) struct Stream(Shake256Words);

impl Stream {
    pub fn new<S: Simd + Keccak>(s: S, seed: &[u8]) -> Stream {
        Stream(Shake256Words::new(s, seed))
    }

    /// What the random numbers have cost so far.
    pub fn permutations(&self) -> u64 {
        self.0.permutations()
    }

    /// Reads words until so many permutations were taken.
    #[cfg(any(test, feature = "known-answers"))]
    pub fn skip<S: Simd + Keccak>(&mut self, s: S, permutations: u64) {
        while self.permutations() < permutations {
            core::hint::black_box(self.0.next(s));
        }
    }

    /// One draw. Out: magnitude at most 26.
    #[inline(always)]
    fn draw<S: Simd + Keccak>(&mut self, s: S) -> i32 {
        const LOW: u64 = u64::MAX >> 1;
        let first = self.0.next(s);
        let second = self.0.next(s) & LOW;
        // Differences of 63-bit numbers: the top bit is the borrow.
        let nonzero = ((first & LOW).wrapping_sub(ZERO) >> 63) ^ 1;
        let mut magnitude = 1;
        for above in ABOVE {
            magnitude += second.wrapping_sub(above) >> 63;
        }
        let magnitude = (magnitude & nonzero.wrapping_neg()) as i32;
        let sign = (first >> 63) as i32;
        (magnitude ^ -sign) + sign
    }

    /// A coefficient in [-127, 127].
    #[inline(always)]
    fn coefficient<S: Simd + Keccak>(&mut self, s: S, draws: u32) -> i8 {
        loop {
            let mut sum = 0;
            for _ in 0..draws {
                sum += self.draw(s);
            }
            let too_large = (127 - sum) >> 31 | (127 + sum) >> 31;
            if declassify(too_large == 0, "a value that is out of range is not used") {
                return sum as i8;
            }
        }
    }

    /// A polynomial whose coefficients have an odd sum (else the resultant is even and the key has no F and G).
    pub fn polynomial<S: Simd + Keccak>(&mut self, s: S, params: Params) -> Zeroizing<Vec<i8>> {
        let mut f = Zeroizing::new(vec![0; params.n()]);
        s.enter(Polynomial { stream: self, draws: 1024 >> params.logn(), f: &mut f });
        f
    }
}

struct Polynomial<'a> {
    stream: &'a mut Stream,
    draws: u32,
    f: &'a mut [i8],
}

impl<S: Simd + Keccak> Op<S> for Polynomial<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, s: S) {
        let Polynomial { stream, draws, f } = self;
        let (mut parity, mut count) = (0, 0);
        // The last coefficient is drawn until the parity is right.
        while count < f.len() {
            f[count] = stream.coefficient(s, draws);
            let wrong = count + 1 == f.len()
                && !declassify((parity ^ f[count]) & 1 == 1, "a value of the wrong parity is not used");
            if !wrong {
                parity ^= f[count] & 1;
                count += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Scalar;

    #[test]
    fn thresholds_fall() {
        assert!(ABOVE.windows(2).all(|pair| pair[0] > pair[1]));
    }

    #[test]
    fn coefficients_have_the_wanted_deviation_and_parity() {
        for params in [Params::Falcon512, Params::Falcon1024] {
            let mut stream = Stream::new(Scalar::get(), b"deviation");
            let (mut squares, mut sum, count) = (0.0, 0.0, 100);
            for _ in 0..count {
                let f = stream.polynomial(Scalar::get(), params);
                assert_eq!(f.iter().map(|x| i32::from(*x)).sum::<i32>() & 1, 1);
                squares += f.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>();
                sum += f.iter().map(|x| f64::from(*x)).sum::<f64>();
            }
            let total = (count * params.n()) as f64;
            let variance = 1.17f64.powi(2) * 12289.0 / (2.0 * params.n() as f64);
            // The variance of a squared Gaussian is 2 sigma^4; five standard deviations.
            let slack = 5.0 * (2.0 / total).sqrt() * variance;
            assert!((squares / total - variance).abs() < slack, "{} against {variance}", squares / total);
            assert!((sum / total).abs() < 5.0 * (variance / total).sqrt());
        }
    }
}
