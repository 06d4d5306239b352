//! The transforms and products of the NTT domain on the vector extension of RISC-V, in assembly: stable Rust has no
//! intrinsics for it. What has no step here runs the scalar text. Products are those of Barrett, as on NEON.

use super::kernels::Kernels;
use super::ntt::{self, Factor, Gammas, Multiplier, gammas};
use super::params::{MAX_K, N};
use super::poly::Poly;
use crate::simd::{Rvv, Scalar};
use core::arch::global_asm;
use core::mem::MaybeUninit;

global_asm!(include_str!("ntt.s"), options(raw));

unsafe extern "C" {
    /// In: 256 values, room for as many, and [`Roots`].
    fn pqc_kyber_rvv_ntt(a: *mut i16, room: *mut i16, roots: *const Roots);
    /// As the other; the scale of the last layer.
    fn pqc_kyber_rvv_intt(a: *mut i16, room: *mut i16, roots: *const Roots, scale: i64, scale_helper: i64);
    /// In: 256 values, the factors gamma. Out: of all pairs b0, b1 gamma, b1.
    fn pqc_kyber_rvv_set_multiplier(b: *const i16, gammas: *const Gammas, to: *mut Multiplier);
    /// In: `count` polynomials, `stride` bytes from one to the next, as many multipliers; room for 256 values.
    fn pqc_kyber_rvv_multiply(
        a: *const i16,
        stride: usize,
        b: *const Multiplier,
        count: usize,
        out: *mut i16,
    );
}

// The assembly knows these.
const _: () = assert!(N == 256 && size_of::<Poly>() == 512 && size_of::<Multiplier>() == 1024);
const _: () = assert!(
    ntt::backward_reduces(0)
        && !ntt::backward_reduces(1)
        && !ntt::backward_reduces(2)
        && ntt::backward_reduces(3)
        && !ntt::backward_reduces(4)
        && !ntt::backward_reduces(5)
);
const _: () = assert!(Factor::of_barrett(1).helper == 10);

/// Factors of a quarter of the values.
#[derive(Clone, Copy)]
#[repr(C)]
struct Quarter {
    value: [i16; N / 4],
    helper: [i16; N / 4],
}

/// The factors of a transform, in the order in which they are used: three for each pass of two layers, one for the last
/// layer; forward those of the layer that is done first come first.
#[repr(C, align(64))]
struct Roots([Quarter; 10]);

static FORWARD: Roots = roots(false);
static BACKWARD: Roots = roots(true);
static GAMMAS: Gammas = gammas(true);
const SCALE: Factor<i16> = Factor::of_barrett(ntt::INTT_SCALE);

const fn roots(inverse: bool) -> Roots {
    let mut roots = Roots([Quarter { value: [0; N / 4], helper: [0; N / 4] }; 10]);
    let mut pass = 0;
    while pass < 4 {
        let layer = 2 * pass;
        let mut i = 0;
        while i < N / 4 {
            // The blocks of this layer are at the lower end of the index; that of the next one has one bit more.
            let block = i % (1 << layer);
            let mut number = 0;
            while number < if layer < 6 { 3 } else { 1 } {
                let root = match number {
                    0 => ntt::root(layer, block, inverse),
                    of_next => ntt::root(layer + 1, 2 * block + of_next - 1, inverse),
                };
                let Factor { value, helper } = Factor::of_barrett(root);
                let at = match (inverse, layer) {
                    (false, _) => 3 * pass + number,
                    (true, 6) => 0,
                    (true, _) => 1 + 3 * (2 - pass) + (number + 2) % 3,
                };
                (roots.0[at].value[i], roots.0[at].helper[i]) = (value, helper);
                number += 1;
            }
            i += 1;
        }
        pass += 1;
    }
    roots
}

impl Kernels for Rvv {
    type Vector = Scalar;

    #[inline(always)]
    fn vector(self) -> Scalar {
        Scalar::get()
    }

    fn ntt(self, polys: &mut [Poly]) {
        let mut room = MaybeUninit::<[i16; N]>::uninit();
        for a in polys {
            debug_assert!(a.fits(ntt::NTT_IN));
            // SAFETY: both have room for 256 values; the vector extension by the token.
            unsafe { pqc_kyber_rvv_ntt(a.0.as_mut_ptr(), room.as_mut_ptr().cast(), &raw const FORWARD) };
            debug_assert!(a.fits(ntt::NTT_OUT));
        }
    }

    fn intt(self, polys: &mut [Poly]) {
        let mut room = MaybeUninit::<[i16; N]>::uninit();
        for a in polys {
            debug_assert!(a.fits(ntt::INTT_IN));
            let (a_ptr, room, roots) = (a.0.as_mut_ptr(), room.as_mut_ptr().cast(), &raw const BACKWARD);
            // SAFETY: as above.
            unsafe { pqc_kyber_rvv_intt(a_ptr, room, roots, SCALE.value.into(), SCALE.helper.into()) };
            debug_assert!(a.fits(ntt::INTT_OUT));
        }
    }

    fn set_multiplier(self, b: &Poly, to: &mut Multiplier) {
        // SAFETY: 256 values are there, three halves of that have room; the vector extension by the token.
        unsafe { pqc_kyber_rvv_set_multiplier(b.0.as_ptr(), &raw const GAMMAS, to) }
    }

    fn multiply(self, a: &[Poly], stride: usize, b: &[Multiplier], out: &mut Poly) {
        let count = b.len();
        assert!(
            (1..=MAX_K).contains(&count) && (1..=MAX_K).contains(&stride) && a.len() > (count - 1) * stride
        );
        let (a, b, out) = (a.as_ptr().cast(), b.as_ptr(), out.0.as_mut_ptr());
        // SAFETY: the lengths by the assertion; the vector extension by the token.
        unsafe { pqc_kyber_rvv_multiply(a, stride * size_of::<Poly>(), b, count, out) }
    }
}
