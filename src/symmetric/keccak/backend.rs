//! The permutation on each backend: one state, or several side by side.
//!
//! One state is the same text for all ([`super::permutation`]). Several go through vectors where there are any
//! ([`super::streams`]), else one after the other.

#[cfg(target_arch = "aarch64")]
use super::aarch64;
use super::permutation::{State, keccak_f1600};
use super::states::{STREAMS, States};
use super::streams;
use crate::isa::Op;
#[cfg(target_arch = "x86_64")]
use crate::simd::Simd;
use crate::simd::{Scalar, Soft, Token};
#[cfg(target_arch = "x86_64")]
use crate::symmetric::lanes;

/// The permutation on a backend.
pub trait Keccak: Token {
    /// Streams that should share a permutation: its width.
    const STREAMS: usize = STREAMS;
    /// Streams up to which [`Keccak::permute_streams`] is faster than for all, each stream counted.
    const FEW_STREAMS: usize = STREAMS;
    /// Whether several streams are faster than one state after the other, and the more of them the faster.
    const SHARES: bool = false;

    /// Keccak-f[1600].
    #[inline(always)]
    fn permute(self, state: &mut State) {
        keccak_f1600(self, state);
    }

    /// Keccak-f[1600] of the first `streams` of several states. What becomes of the others has no meaning.
    #[inline(always)]
    fn permute_streams(self, states: &mut States, streams: usize) {
        streams::one_by_one(self, states, 0..streams);
    }
}

impl Keccak for Soft {}
impl Keccak for Scalar {}
#[cfg(target_arch = "riscv64")]
impl Keccak for crate::simd::Rvv {}

/// Backends with vectors for several streams, and the fewest for which they are faster than one state after the other.
/// One state is that of the level's base: the text gains nothing from extra features.
#[cfg(target_arch = "x86_64")]
macro_rules! in_vectors {
    ($($token:ident: $lanes:ident from $worth:literal $(as $base:ident)?;)*) => {$(
        impl Keccak for crate::simd::$token {
            const SHARES: bool = true;

            #[inline(always)]
            fn permute(self, state: &mut State) {
                keccak_f1600(self.base(), state);
            }
            #[inline(always)]
            fn permute_streams(self, states: &mut States, streams: usize) {
                streams::permute::<lanes::$lanes, $worth>(self$(.$base())?, states, streams);
            }
        }
    )*};
}

/// Backends whose permutations are assembly, of one state and of a pair of streams.
#[cfg(target_arch = "aarch64")]
macro_rules! in_assembly {
    ($($token:ident: $one:path, $two:path, pairs from $worth:literal;)*) => {$(
        impl Keccak for crate::simd::$token {
            const STREAMS: usize = 2;
            #[inline(always)]
            fn permute(self, state: &mut State) {
                $one(self, state);
            }
            #[inline(always)]
            fn permute_streams(self, states: &mut States, streams: usize) {
                let mut first = 0;
                while streams - first >= $worth {
                    $two(self, states, first / 2);
                    first = streams.min(first + 2);
                }
                streams::one_by_one(self, states, first..streams);
            }
        }
    )*};
}

#[cfg(target_arch = "aarch64")]
in_assembly! {
    Neon: aarch64::one, aarch64::two, pairs from 2;
    NeonCrypto: aarch64::one_sha3, aarch64::two_sha3, pairs from 1;
}

#[cfg(target_arch = "x86_64")]
in_vectors! {
    Sse2: Two from 2;
    Avx2: Four from 3;
    Avx2Aes: Four from 3 as base;
}

#[cfg(target_arch = "x86_64")]
impl Keccak for crate::simd::Avx512f {
    const SHARES: bool = true;

    #[inline(always)]
    fn permute(self, state: &mut State) {
        // Rotations and and-not of AVX2's level are all that one state can use: its text, with AVX-512 to compile for,
        // becomes slower, and rows in five vectors take a tenth longer.
        keccak_f1600(self.half(), state);
    }
    #[inline(always)]
    fn permute_streams(self, states: &mut States, streams: usize) {
        streams::permute::<lanes::Eight, 2>(self, states, streams);
    }
}

#[cfg(target_arch = "x86_64")]
impl Keccak for crate::simd::Avx512 {
    const FEW_STREAMS: usize = 4;
    const SHARES: bool = true;

    #[inline(always)]
    fn permute(self, state: &mut State) {
        self.base().permute(state);
    }
    #[inline(always)]
    fn permute_streams(self, states: &mut States, streams: usize) {
        if streams > 4 {
            return self.base().permute_streams(states, streams);
        }
        // Half the width has one port more to run on.
        streams::permute::<lanes::Half, 2>(self, states, streams);
    }
}

/// The permutation of one state, so that it exists once a backend.
pub(crate) struct Permute<'a>(pub &'a mut State);

impl<K: Keccak> Op<K> for Permute<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        k.permute(self.0);
    }
}

/// The permutation of the first of several states.
pub(crate) struct PermuteStreams<'a>(pub &'a mut States, pub usize);

impl<K: Keccak> Op<K> for PermuteStreams<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        k.permute_streams(self.0, self.1);
    }
}
