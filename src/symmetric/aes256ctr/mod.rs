//! AES-256 in counter mode (FIPS 197; SP 800-38A, section 6.5): the streams of Kyber-90s.
//!
//! A counter block is a 12-byte nonce and a 32-bit big-endian counter. Backends with instructions for AES use them
//! ([`instructions`]) and the others compute on bits ([`bitsliced`]), many blocks at a time; nothing looks a secret up in a table. The
//! tests compare with the published vectors and with the crate `aes`.

#[cfg(target_arch = "aarch64")]
#[allow(inline_always_mismatching_target_features, reason = "each is inlined where its token is entered")]
mod aarch64;
mod bitsliced;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod instructions;
mod sbox;
#[cfg(target_arch = "x86_64")]
mod x86;

use crate::isa::Op;
use crate::secret::Secret;
use crate::simd::{Scalar, Soft, Token};
use crate::symmetric::lanes;
use zeroize::Zeroize;

/// Bytes of a block.
pub(crate) const BLOCK_LEN: usize = 16;

/// Bytes of a key.
pub(crate) const KEY_LEN: usize = 32;

/// Bytes of a nonce.
pub(crate) const NONCE_LEN: usize = 12;

/// Rounds of AES-256, each with a key; one more comes before the first.
const ROUNDS: usize = 14;

/// The key schedule as little-endian words, a column of a round key each.
pub(crate) type RoundKeys = [[u32; 4]; ROUNDS + 1];

/// AES-256 on a backend.
pub(crate) trait Aes: Token {
    /// The key schedule in the backend's form.
    type Keys: Zeroize;

    /// The S-box on each byte of a word.
    #[inline(always)]
    fn sub_word(self, word: u32) -> u32 {
        sbox::sub_word(word)
    }

    /// Brings the key schedule into the backend's form.
    fn prepare(self, keys: &RoundKeys) -> Self::Keys;

    /// The encryptions of the counter blocks from `block` on, as many as fill `out`, of the last one a part.
    fn keystream(self, keys: &Self::Keys, nonce: &[u8; NONCE_LEN], block: u32, out: &mut [u8]);

    /// The first `len` bytes of the stream of each nonce, one after the other. In: `len` is a multiple of 64, `out` has
    /// as many bytes.
    #[inline(always)]
    fn keystreams(self, keys: &Self::Keys, nonces: &[[u8; NONCE_LEN]], len: usize, mut out: &mut [u8]) {
        for nonce in nonces {
            let (now, rest) = out.split_at_mut(len);
            self.keystream(keys, nonce, 0, now);
            out = rest;
        }
    }
}

/// A key that is ready to encrypt on a backend.
pub(crate) struct Aes256Ctr<K: Aes> {
    token: K,
    keys: Secret<K::Keys>,
}

impl<K: Aes> Aes256Ctr<K> {
    /// The key schedule.
    pub fn new(token: K, key: &[u8; KEY_LEN]) -> Aes256Ctr<K> {
        Aes256Ctr { token, keys: Secret::new(token.enter(Expand(key))) }
    }

    /// Fills `out` with the stream of a nonce from a block on.
    pub fn keystream(&self, nonce: &[u8; NONCE_LEN], block: u32, out: &mut [u8]) {
        self.token.enter(Keystream::<K> { keys: self.keys.expose(), nonce, block, out });
    }

    /// Fills `out` with the first `len` bytes of the stream of each nonce, one after the other. In: `len` is a multiple
    /// of 64.
    pub fn keystreams(&self, nonces: &[[u8; NONCE_LEN]], len: usize, out: &mut [u8]) {
        debug_assert!(len.is_multiple_of(64) && out.len() == nonces.len() * len);
        self.token.enter(Keystreams::<K> { keys: self.keys.expose(), nonces, len, out });
    }
}

/// FIPS 197, section 5.2 (KeyExpansion).
struct Expand<'a>(&'a [u8; KEY_LEN]);

impl<K: Aes> Op<K> for Expand<'_> {
    type Out = K::Keys;

    #[inline(always)]
    fn run(self, k: K) -> K::Keys {
        let mut keys = Secret::new([[0; 4]; ROUNDS + 1]);
        let words = keys.expose_mut().as_flattened_mut();
        for (word, bytes) in words.iter_mut().zip(self.0.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        // Powers of x modulo the polynomial of AES; seven of them, so that it is never reduced.
        let mut rcon = 1;
        for i in 8..words.len() {
            let before = words[i - 1];
            let added = match i % 8 {
                0 => k.sub_word(before.rotate_right(8)) ^ rcon,
                4 => k.sub_word(before),
                _ => before,
            };
            words[i] = words[i - 8] ^ added;
            rcon <<= u32::from(i % 8 == 0);
        }
        k.prepare(keys.expose())
    }
}

struct Keystream<'a, K: Aes> {
    keys: &'a K::Keys,
    nonce: &'a [u8; NONCE_LEN],
    block: u32,
    out: &'a mut [u8],
}

impl<K: Aes> Op<K> for Keystream<'_, K> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        k.keystream(self.keys, self.nonce, self.block, self.out);
    }
}

struct Keystreams<'a, K: Aes> {
    keys: &'a K::Keys,
    nonces: &'a [[u8; NONCE_LEN]],
    len: usize,
    out: &'a mut [u8],
}

impl<K: Aes> Op<K> for Keystreams<'_, K> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        k.keystreams(self.keys, self.nonces, self.len, self.out);
    }
}

/// `Aes` without instructions for it.
macro_rules! bitsliced {
    ($token:ty, $lanes:ty) => {
        impl Aes for $token {
            type Keys = bitsliced::Keys;

            #[inline(always)]
            fn prepare(self, keys: &RoundKeys) -> bitsliced::Keys {
                bitsliced::prepare(self.base(), keys)
            }
            #[inline(always)]
            fn keystream(self, keys: &bitsliced::Keys, nonce: &[u8; NONCE_LEN], block: u32, out: &mut [u8]) {
                bitsliced::keystream::<$lanes>(self, keys, nonce, block, out);
            }
        }
    };
}

bitsliced!(Soft, lanes::One<Soft>);
bitsliced!(Scalar, lanes::One<Scalar>);
#[cfg(target_arch = "riscv64")]
bitsliced!(crate::simd::Rvv, lanes::One<crate::simd::Rvv>);
#[cfg(target_arch = "aarch64")]
bitsliced!(crate::simd::Neon, lanes::Two);
#[cfg(target_arch = "x86_64")]
bitsliced!(crate::simd::Sse2, lanes::Two);
#[cfg(target_arch = "x86_64")]
bitsliced!(crate::simd::Avx2, lanes::Four);
#[cfg(target_arch = "x86_64")]
bitsliced!(crate::simd::Avx512f, lanes::Eight);

/// `Aes` by instructions.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! by_instructions {
    ($token:ty, $blocks:ty) => {
        impl Aes for $token {
            type Keys = RoundKeys;

            #[inline(always)]
            fn sub_word(self, word: u32) -> u32 {
                <$blocks as instructions::Blocks>::sub_word(self, word)
            }
            #[inline(always)]
            fn prepare(self, keys: &RoundKeys) -> RoundKeys {
                *keys
            }
            #[inline(always)]
            fn keystream(self, keys: &RoundKeys, nonce: &[u8; NONCE_LEN], block: u32, out: &mut [u8]) {
                instructions::keystream::<$blocks>(self, keys, nonce, block, out);
            }
            #[inline(always)]
            fn keystreams(self, keys: &RoundKeys, nonces: &[[u8; NONCE_LEN]], len: usize, out: &mut [u8]) {
                instructions::keystreams::<$blocks>(self, keys, nonces, len, out);
            }
        }
    };
}

#[cfg(target_arch = "aarch64")]
by_instructions!(crate::simd::NeonCrypto, aarch64::One);
#[cfg(target_arch = "x86_64")]
by_instructions!(crate::simd::Avx2Aes, x86::One);
#[cfg(target_arch = "x86_64")]
by_instructions!(crate::simd::Avx512, x86::Four);

#[cfg(test)]
mod tests;
