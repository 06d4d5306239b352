//! A polynomial: 256 coefficients of 16 bits, modulo q and X^256 + 1.
//!
//! In the NTT domain the pair at 2i, 2i + 1 is the remainder modulo X^2 - gamma_i, in the order of FIPS 203, section
//! 4.3. Which representatives modulo q the coefficients are is part of the contract of each step.

use super::params::{N, Q};
use zeroize::Zeroize;

/// Coefficients, aligned for the widest vectors.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Poly(pub [i16; N]);

impl Zeroize for Poly {
    fn zeroize(&mut self) {
        crate::secret::wipe(&mut self.0);
    }
}

impl Poly {
    /// All coefficients zero.
    pub const ZERO: Poly = Poly([0; N]);

    /// Whether all magnitudes are at most `bound`; for assertions.
    pub fn fits(&self, bound: i32) -> bool {
        self.0.iter().all(|c| i32::from(*c).abs() <= bound)
    }

    /// Whether all coefficients are in [0, q); for assertions.
    pub fn is_canonical(&self) -> bool {
        self.0.iter().all(|c| (0..Q as i32).contains(&i32::from(*c)))
    }
}
