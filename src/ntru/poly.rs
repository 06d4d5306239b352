//! A polynomial: n coefficients of 16 bits.
//!
//! q divides 2^16, so that coefficients modulo q are computed modulo 2^16, whose upper bits have no meaning until
//! [`super::pack`] drops them; ternary ones are 0, 1, 2 or, where a name says "centred", 0, 1, -1. Next:
//! [`super::multiply`].

use super::params::ParameterSet;
use zeroize::Zeroize;

/// Room for the coefficients of the largest set, filled up for Karatsuba: 2^4 times 88.
pub(super) const ROOM: usize = 1408 + 32;

/// Coefficients, aligned for the widest vectors. Those from n on are zero.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Poly(pub [i16; ROOM]);

impl Zeroize for Poly {
    fn zeroize(&mut self) {
        crate::secret::wipe(&mut self.0);
    }
}

impl Poly {
    /// All coefficients zero.
    pub const ZERO: Poly = Poly([0; ROOM]);

    /// The coefficients of a set.
    #[inline(always)]
    pub fn of(&self, set: ParameterSet) -> &[i16] {
        &self.0[..set.n()]
    }

    /// The coefficients of a set.
    #[inline(always)]
    pub fn of_mut(&mut self, set: ParameterSet) -> &mut [i16] {
        &mut self.0[..set.n()]
    }

    /// Subtracts the multiple of Phi_n that makes the last coefficient zero: the representative in S modulo 2^16.
    #[inline(always)]
    pub fn mod_phi_n(&mut self, set: ParameterSet) {
        let last = self.0[set.n() - 1];
        for c in self.of_mut(set) {
            *c = c.wrapping_sub(last);
        }
    }

    /// From a product of {0, 1, 2} and {0, 1, 2}, whose coefficients are below 4 n < 2^13, to S modulo 3.
    #[inline(always)]
    pub fn product_mod_3_phi_n(&mut self, set: ParameterSet) {
        for c in self.of_mut(set) {
            *c &= (1 << 13) - 1;
        }
        self.mod_3_phi_n(set);
    }

    /// From coefficients in `[0, 2^16)` to those of S modulo 3, in {0, 1, 2}.
    #[inline(always)]
    pub fn mod_3_phi_n(&mut self, set: ParameterSet) {
        let minus_last = 2 * (self.0[set.n() - 1] as u16 % 3);
        for c in self.of_mut(set) {
            *c = ((*c as u16 % 3 + minus_last) % 3) as i16;
        }
    }

    /// {0, 1, 2} becomes {0, 1, -1}.
    #[inline(always)]
    pub fn centre_ternary(&mut self, set: ParameterSet) {
        for c in self.of_mut(set) {
            *c |= -(*c >> 1);
        }
    }

    /// {0, 1, -1} becomes {0, 1, 2}. Other values become one of {0, 1, 2, 3}.
    #[inline(always)]
    pub fn uncentre_ternary(&mut self, set: ParameterSet) {
        for c in self.of_mut(set) {
            // -1 without its lowest bit is 2 modulo 4.
            *c = 3 & (*c ^ (*c as u16 >> 15) as i16);
        }
    }

    /// From coefficients modulo q, of which the upper bits have no meaning, to S modulo 3 by way of their
    /// representatives in `[-q/2, q/2)`.
    #[inline(always)]
    pub fn rq_to_s3(&mut self, set: ParameterSet) {
        let unused = 16 - set.logq();
        for c in self.of_mut(set) {
            let centred = (*c << unused) >> unused;
            // A multiple of 3 above 2^13 = q / 2 of the largest set.
            *c = centred + 3 * 2731;
        }
        self.mod_3_phi_n(set);
    }

    /// Multiplies by x - 1 modulo x^n - 1. In: the last coefficient is zero.
    #[inline(always)]
    pub fn multiply_by_x_minus_1(&mut self, set: ParameterSet) {
        debug_assert_eq!(self.0[set.n() - 1], 0);
        let mut before = 0;
        for c in self.of_mut(set) {
            let now = *c;
            *c = before - now;
            before = now;
        }
    }

    /// Lift: of HPS, the polynomial itself; of HRSS, x - 1 times the quotient
    /// m / (x - 1) in S modulo 3. In: {0, 1, 2}, the last one 0. Out: small and centred.
    #[inline(always)]
    pub fn lift(&mut self, set: ParameterSet) {
        if set.weight().is_none() {
            self.divide_by_x_minus_1(set);
        }
        self.centre_ternary(set);
        if set.weight().is_none() {
            self.multiply_by_x_minus_1(set);
        }
    }

    /// The quotient by x - 1 in S modulo 3.
    ///
    /// (x - 1) b = m + k Phi_n, for some k, says that b[i-1] - b[i] = m[i] + k, with b[-1] = b[n-1] = 0. The sum over
    /// all i gives k = -m(1) / n, and b[i] is minus the sum of m[j] + k up to j = i. (1 / n = n modulo 3.)
    #[inline(always)]
    fn divide_by_x_minus_1(&mut self, set: ParameterSet) {
        let n = set.n();
        let total: i16 = self.of(set).iter().sum();
        let k = (2 * (n % 3) as i16 * (total % 3)) % 3;
        // Sums stay below n (2 + 2) < 2^13, so that four of them fit into a word side by side.
        const ONES: u64 = 0x0001_0001_0001_0001;
        let (fours, last) = self.of_mut(set).as_chunks_mut::<4>();
        let mut before = 0;
        for four in fours {
            let [a, b, c, d] = four.map(|c| u64::from(c as u16));
            // Of the four, the sums up to each.
            let sums = ((a | b << 16 | c << 32 | d << 48) + k as u64 * ONES).wrapping_mul(ONES);
            let all = sums + before;
            *four = [all as i16, (all >> 16) as i16, (all >> 32) as i16, (all >> 48) as i16];
            before += (sums >> 48) * ONES;
        }
        let mut sum = before as i16;
        for c in last {
            sum += *c + k;
            *c = sum;
        }
        for c in self.of_mut(set) {
            *c = (2 * (*c as u16 % 3) % 3) as i16;
        }
        debug_assert_eq!(self.0[n - 1], 0);
    }
}
