//! AES-256 and its counter mode on every backend: published vectors, and the crate `aes`.

use super::*;
use crate::isa::{self, Isa, Op};
use aes::cipher::{BlockCipherEncrypt, KeyInit};

struct Stream<'a> {
    key: &'a [u8; KEY_LEN],
    nonce: &'a [u8; NONCE_LEN],
    block: u32,
    len: usize,
}

impl<K: Aes> Op<K> for Stream<'_> {
    type Out = Vec<u8>;
    #[inline(always)]
    fn run(self, k: K) -> Vec<u8> {
        let mut out = vec![0; self.len];
        Aes256Ctr::new(k, self.key).keystream(self.nonce, self.block, &mut out);
        out
    }
}

fn backends() -> impl Iterator<Item = Isa> {
    Isa::ALL.iter().copied().filter(|isa| isa.is_supported())
}

fn bytes<const N: usize>(hex: &str) -> [u8; N] {
    let digit = |i: usize| hex.as_bytes()[i] as char;
    core::array::from_fn(|i| {
        let digits = [digit(2 * i), digit(2 * i + 1)].map(|digit| digit.to_digit(16).expect("hex"));
        (16 * digits[0] + digits[1]) as u8
    })
}

/// FIPS 197, appendix C.3: a block whose last word is taken as the counter.
#[test]
fn fips_197_example() {
    let key = bytes("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
    let nonce = bytes("00112233445566778899aabb");
    for isa in backends() {
        let stream = isa::with(isa, Stream { key: &key, nonce: &nonce, block: 0xccdd_eeff, len: BLOCK_LEN });
        assert_eq!(stream, bytes::<16>("8ea2b7ca516745bfeafc49904b496089"), "{}", isa.name());
    }
}

/// SP 800-38A, section F.5.5 (CTR-AES256.Encrypt).
#[test]
fn sp_800_38a_example() {
    let key = bytes("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4");
    let nonce = bytes("f0f1f2f3f4f5f6f7f8f9fafb");
    let plain: [u8; 64] = bytes(
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51\
         30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
    );
    let cipher: [u8; 64] = bytes(
        "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5\
         2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6",
    );
    for isa in backends() {
        let stream = isa::with(isa, Stream { key: &key, nonce: &nonce, block: 0xfcfd_feff, len: 64 });
        let ours: Vec<u8> = stream.iter().zip(plain).map(|(a, b)| a ^ b).collect();
        assert_eq!(ours, cipher, "{}", isa.name());
    }
}

/// All lengths that a backend may cut up in its own way, from blocks of which the counter overflows in some.
#[test]
fn streams_are_those_of_the_aes_crate_on_every_backend() {
    for (round, block) in [0, 1, 1000, u32::MAX - 40, u32::MAX].into_iter().enumerate() {
        let key: [u8; KEY_LEN] = core::array::from_fn(|i| (i * 89 + round * 151) as u8);
        let nonce: [u8; NONCE_LEN] = core::array::from_fn(|i| (i * 201 + round * 17) as u8);
        let theirs = aes::Aes256::new(&key.into());
        let mut expected = Vec::new();
        for i in 0..80 {
            let counter = u32::wrapping_add(block, i).to_be_bytes();
            let mut input = [0; BLOCK_LEN];
            input[..NONCE_LEN].copy_from_slice(&nonce);
            input[NONCE_LEN..].copy_from_slice(&counter);
            let mut output = input.into();
            theirs.encrypt_block(&mut output);
            expected.extend_from_slice(&output);
        }
        for isa in backends() {
            for len in (0..140).chain([192, 255, 256, 257, 511, 512, 513, 640, 1024, 1279, 1280]) {
                let stream = isa::with(isa, Stream { key: &key, nonce: &nonce, block, len });
                assert!(stream == expected[..len], "{len} bytes from block {block} on {}", isa.name());
            }
        }
    }
}

struct Streams<'a> {
    key: &'a [u8; KEY_LEN],
    nonces: &'a [[u8; NONCE_LEN]],
    len: usize,
}

impl<K: Aes> Op<K> for Streams<'_> {
    type Out = [Vec<u8>; 2];

    #[inline(always)]
    fn run(self, k: K) -> [Vec<u8>; 2] {
        let aes = Aes256Ctr::new(k, self.key);
        let mut together = vec![0; self.nonces.len() * self.len];
        aes.keystreams(self.nonces, self.len, &mut together);
        let mut alone = together.clone();
        for (nonce, out) in self.nonces.iter().zip(alone.chunks_exact_mut(self.len)) {
            aes.keystream(nonce, 0, out);
        }
        [together, alone]
    }
}

#[test]
fn several_streams_together_are_those_of_each_on_every_backend() {
    let key = core::array::from_fn(|i| (i * 7 + 1) as u8);
    let nonces: [[u8; NONCE_LEN]; 11] = core::array::from_fn(|i| [i as u8; NONCE_LEN]);
    for isa in backends() {
        for count in 0..=nonces.len() {
            for len in [64, 128, 192, 512, 576] {
                let [together, alone] = isa::with(isa, Streams { key: &key, nonces: &nonces[..count], len });
                assert_eq!(together, alone, "{count} streams of {len} bytes on {}", isa.name());
            }
        }
    }
}
