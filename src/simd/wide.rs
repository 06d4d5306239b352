//! Several vectors of doubles as one value: as many independent computations as they have lanes.
//!
//! Lane by lane it is what one vector is, so that a text over [`Float`] serves one computation, a vector of them and
//! several vectors of them.

use super::{Float, Simd};
use core::ops::{Add, Div, Mul, Neg, Sub};

/// `G` vectors.
#[derive(Clone, Copy)]
pub struct Wide<F, const G: usize>([F; G]);

impl<F: Float, const G: usize> Wide<F, G> {
    /// Reads the first `G` times `S::LANES` doubles.
    #[inline(always)]
    pub fn load<S: Simd<F64 = F>>(s: S, from: &[f64]) -> Self {
        let mut lanes = Wide::splat(s, 0.0);
        for (i, lanes) in lanes.0.iter_mut().enumerate() {
            *lanes = s.load(&from[i * S::LANES..]);
        }
        lanes
    }

    /// Writes the first `G` times `S::LANES` doubles.
    #[inline(always)]
    pub fn store<S: Simd<F64 = F>>(self, s: S, to: &mut [f64]) {
        for (i, lanes) in self.0.into_iter().enumerate() {
            s.store(&mut to[i * S::LANES..], lanes);
        }
    }

    /// `value` in every lane.
    #[inline(always)]
    pub fn splat<S: Simd<F64 = F>>(s: S, value: f64) -> Self {
        Wide([s.splat(value); G])
    }

    /// [`Simd::floor`].
    #[inline(always)]
    pub fn floor<S: Simd<F64 = F>>(mut self, s: S) -> Self {
        for lanes in &mut self.0 {
            *lanes = s.floor(*lanes);
        }
        self
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident)*) => {$(
        impl<F: Float, const G: usize> $trait for Wide<F, G> {
            type Output = Self;
            #[inline(always)]
            fn $method(mut self, other: Self) -> Self {
                for (a, b) in self.0.iter_mut().zip(other.0) {
                    *a = $trait::$method(*a, b);
                }
                self
            }
        }
    )*};
}
operators!(Add add Sub sub Mul mul Div div);

impl<F: Float, const G: usize> Neg for Wide<F, G> {
    type Output = Self;
    #[inline(always)]
    fn neg(mut self) -> Self {
        for a in &mut self.0 {
            *a = -*a;
        }
        self
    }
}

impl<F: Float, const G: usize> Float for Wide<F, G> {
    #[inline(always)]
    fn half(mut self) -> Self {
        for a in &mut self.0 {
            *a = a.half();
        }
        self
    }
    #[inline(always)]
    fn sqrt(mut self) -> Self {
        for a in &mut self.0 {
            *a = a.sqrt();
        }
        self
    }
}
