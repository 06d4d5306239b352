//! Single steps of the operations, for tools that measure or count them. Not part of what the engine offers.
//!
//! A step works on values of its own, the same ones each time. The operations themselves are in [`super::kem`].

use super::k_pke::{compress_encode, decode_decompress};
use super::kernels::Kernels;
use super::ntt::{Multiplier, canonical};
use super::poly::Poly;
use super::sample::{centred_binomial, keep_below_q};
use crate::isa::{self, Isa, Op};
use crate::symmetric::aes256ctr::Aes256Ctr;
use crate::symmetric::keccak::States;
use crate::symmetric::keccak::{Permute, PermuteStreams};
use std::hint::black_box;

/// The steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Algorithm 9.
    Ntt,
    /// Algorithm 10.
    InverseNtt,
    /// A polynomial of the NTT domain made ready to be multiplied.
    Multiplier,
    /// The sum of two products of polynomials in the NTT domain.
    MultiplyTwo,
    /// Canonical representatives of a polynomial.
    Canonical,
    /// Algorithm 8 with the width 2.
    Binomial2,
    /// Algorithm 8 with the width 3.
    Binomial3,
    /// The part of algorithm 7 that is not hashing, on three blocks of SHAKE128.
    Reject3Blocks,
    /// Compression to 10 bits and encoding.
    Compress10,
    /// Compression to 4 bits and encoding.
    Compress4,
    /// The inverse of `Compress10`.
    Decompress10,
    /// The inverse of `Compress4`.
    Decompress4,
    /// Keccak-f[1600] of one state.
    Keccak1,
    /// Keccak-f[1600] of two states.
    Keccak2,
    /// Keccak-f[1600] of eight states.
    Keccak8,
    /// The key schedule of AES-256.
    AesSchedule,
    /// 512 bytes of AES-256 in counter mode.
    Aes512Bytes,
}

/// All steps.
pub const STEPS: [Step; 17] = [
    Step::Ntt,
    Step::InverseNtt,
    Step::Multiplier,
    Step::MultiplyTwo,
    Step::Canonical,
    Step::Binomial2,
    Step::Binomial3,
    Step::Reject3Blocks,
    Step::Compress10,
    Step::Compress4,
    Step::Decompress10,
    Step::Decompress4,
    Step::Keccak1,
    Step::Keccak2,
    Step::Keccak8,
    Step::AesSchedule,
    Step::Aes512Bytes,
];

/// Runs a step, with `begin` just before and `end` just after it.
pub fn run(isa: Isa, step: Step, begin: impl Fn(), end: impl Fn()) {
    isa::with(isa, Run { step, begin, end });
}

struct Run<B, E> {
    step: Step,
    begin: B,
    end: E,
}

impl<K: Kernels, B: Fn(), E: Fn()> Op<K> for Run<B, E> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let Run { step, begin, end } = self;
        let mut number = 1u32;
        let mut next = || {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            number >> 16
        };
        let mut poly = Poly::ZERO;
        poly.0.iter_mut().for_each(|c| *c = (next() % 3329) as i16);
        let mut bytes = [0u8; 512];
        bytes.iter_mut().for_each(|byte| *byte = next() as u8);
        let mut multipliers = [Multiplier::ZERO; 2];
        let mut out = Poly::ZERO;
        let mut states = States::new();
        let mut state = [1; 25];
        let key = bytes.first_chunk().copied().unwrap_or([0; 32]);
        let polys = [poly, poly];
        let (poly, bytes, out) = black_box((&mut poly, &mut bytes, &mut out));
        match step {
            Step::Ntt => {
                begin();
                k.ntt(core::slice::from_mut(poly));
                end();
            }
            Step::InverseNtt => {
                // Half of q at most, as products are.
                poly.0.iter_mut().for_each(|c| *c -= 1664);
                begin();
                k.intt(core::slice::from_mut(poly));
                end();
            }
            Step::Multiplier => {
                poly.0.iter_mut().for_each(|c| *c -= 1664);
                begin();
                k.set_multiplier(poly, &mut multipliers[0]);
                end();
            }
            Step::MultiplyTwo => {
                poly.0.iter_mut().for_each(|c| *c -= 1664);
                multipliers.iter_mut().for_each(|multiplier| k.set_multiplier(poly, multiplier));
                begin();
                k.multiply(&polys, 1, &multipliers, out);
                end();
            }
            Step::Canonical => {
                begin();
                canonical(k.vector(), poly);
                end();
            }
            Step::Binomial2 => {
                begin();
                centred_binomial(k, 2, &bytes[..128], out);
                end();
            }
            Step::Binomial3 => {
                begin();
                centred_binomial(k, 3, &bytes[..192], out);
                end();
            }
            Step::Reject3Blocks => {
                begin();
                let mut kept = 0;
                for block in bytes.chunks_exact(168) {
                    kept = keep_below_q(k, block, out, kept);
                }
                end();
                assert!(kept > 0);
            }
            Step::Compress10 => {
                begin();
                compress_encode(k, 10, poly, &mut bytes[..32 * 10]);
                end();
            }
            Step::Compress4 => {
                begin();
                compress_encode(k, 4, poly, &mut bytes[..32 * 4]);
                end();
            }
            Step::Decompress10 => {
                begin();
                decode_decompress(k, 10, &bytes[..32 * 10], poly);
                end();
            }
            Step::Decompress4 => {
                begin();
                decode_decompress(k, 4, &bytes[..32 * 4], poly);
                end();
            }
            Step::Keccak1 => {
                begin();
                k.enter(Permute(&mut state));
                end();
            }
            Step::Keccak2 => {
                begin();
                k.enter(PermuteStreams(&mut states, 2));
                end();
            }
            Step::Keccak8 => {
                begin();
                k.enter(PermuteStreams(&mut states, 8));
                end();
            }
            Step::AesSchedule => {
                begin();
                let aes = black_box(Aes256Ctr::new(k, &key));
                end();
                drop(aes);
            }
            Step::Aes512Bytes => {
                let aes = Aes256Ctr::new(k, &key);
                begin();
                aes.keystream(&[0; 12], 0, bytes.as_mut_slice());
                end();
            }
        }
        black_box((poly, bytes, out, &multipliers, &state));
        black_box(states.take(0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_runs_on_every_backend() {
        for isa in Isa::ALL.iter().filter(|isa| isa.is_supported()) {
            for step in STEPS {
                let times = core::cell::Cell::new(0);
                run(*isa, step, || times.set(times.get() + 1), || times.set(times.get() + 10));
                assert_eq!(times.get(), 11, "{step:?}");
            }
        }
    }
}
