//! The NIST known-answer procedure: its AES-256-CTR generator and the text of a `.rsp` file.
#![allow(dead_code, reason = "each test program uses a part")]

use aes::Aes256;
use aes::cipher::{BlockCipherEncrypt, KeyInit};
use pqc::falcon::known_answers::{Replay, Wishes, generate_known_answer, sign_known_answer};
use pqc::falcon::{Encoding, NONCE_LEN, Params};
use pqc::kyber::{self, ParameterSet};
use pqc::ntru;
use pqc::rng::RandomSource;
use pqc::{Error, Isa};
use std::fmt::Write;

/// AES-256-CTR-DRBG of the NIST submission package: no derivation function, no personalisation.
#[derive(Clone)]
pub struct Drbg {
    key: [u8; 32],
    v: [u8; 16],
}

impl Drbg {
    pub fn new(seed: &[u8; 48]) -> Drbg {
        let mut drbg = Drbg { key: [0; 32], v: [0; 16] };
        drbg.update(Some(seed));
        drbg
    }

    fn block(&mut self, cipher: &Aes256) -> [u8; 16] {
        self.v = (u128::from_be_bytes(self.v).wrapping_add(1)).to_be_bytes();
        let mut block = self.v.into();
        cipher.encrypt_block(&mut block);
        block.into()
    }

    fn update(&mut self, data: Option<&[u8; 48]>) {
        let cipher = Aes256::new(&self.key.into());
        let mut next: Vec<u8> = (0..3).flat_map(|_| self.block(&cipher)).collect();
        if let Some(data) = data {
            next.iter_mut().zip(data).for_each(|(x, d)| *x ^= d);
        }
        self.key.copy_from_slice(&next[..32]);
        self.v.copy_from_slice(&next[32..]);
    }

    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        let cipher = Aes256::new(&self.key.into());
        let mut out: Vec<u8> = (0..len.div_ceil(16)).flat_map(|_| self.block(&cipher)).collect();
        out.truncate(len);
        self.update(None);
        out
    }
}

impl RandomSource for Drbg {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        out.copy_from_slice(&self.bytes(out.len()));
        Ok(())
    }
}

pub fn hex_upper(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut s, b| {
        write!(s, "{b:02X}").expect("a string takes everything");
        s
    })
}

/// One entry of a known-answer file.
pub struct Entry {
    pub count: usize,
    pub seed: [u8; 48],
    pub message: Vec<u8>,
    pub public_key: Vec<u8>,
    pub private_key: Vec<u8>,
    pub signed_message: Vec<u8>,
    pub attempts: u32,
}

impl Entry {
    /// The lines of the entry, without a blank line after it.
    pub fn text(&self) -> String {
        format!(
            "count = {}\nseed = {}\nmlen = {}\nmsg = {}\npk = {}\nsk = {}\nsmlen = {}\nsm = {}\n",
            self.count,
            hex_upper(&self.seed),
            self.message.len(),
            hex_upper(&self.message),
            hex_upper(&self.public_key),
            hex_upper(&self.private_key),
            self.signed_message.len(),
            hex_upper(&self.signed_message)
        )
    }
}

/// The first `entries` entries of the NIST known-answer file of a parameter set.
///
/// Compressed gives the submission's layout of a signed message (length, nonce, message, signature), padded that of
/// liboqs and PQClean (signature, message).
pub fn falcon_entries(params: Params, encoding: Encoding, isa: Isa, entries: usize) -> Vec<Entry> {
    let mut seed = [0; 48];
    seed.iter_mut().enumerate().for_each(|(i, byte)| *byte = i as u8);
    let mut outer = Drbg::new(&seed);
    let inputs: Vec<([u8; 48], Vec<u8>)> = (0..entries)
        .map(|i| (outer.bytes(48).try_into().expect("48 bytes"), outer.bytes(33 * (i + 1))))
        .collect();
    let entry = |count: usize| {
        let (seed, message) = &inputs[count];
        let mut random = Drbg::new(seed);
        let key = generate_known_answer(params, isa, &mut random).expect("keys are made");
        let (signature, attempts) =
            sign_known_answer(&key, isa, &mut random, encoding, message, Wishes::default()).expect("signed");
        assert_eq!(key.verifying_key().verify(isa, message, &signature), Ok(()));
        Entry {
            count,
            seed: *seed,
            message: message.clone(),
            public_key: key.verifying_key().to_bytes(),
            private_key: key.to_bytes().to_vec(),
            signed_message: signed_message(params, encoding, message, &signature),
            attempts,
        }
    };
    in_parallel(entries, entry)
}

fn signed_message(params: Params, encoding: Encoding, message: &[u8], signature: &[u8]) -> Vec<u8> {
    let (nonce, compressed) = signature[1..].split_at(NONCE_LEN);
    match encoding {
        Encoding::Padded => [signature, message].concat(),
        Encoding::Compressed => {
            let len = (compressed.len() as u16 + 1).to_be_bytes();
            [&len, nonce, message, &[0x20 + params.logn() as u8], compressed].concat()
        }
    }
}

/// Signs with explicit bytes instead of a generator.
pub fn sign_with_bytes(
    key: &pqc::falcon::SigningKey,
    isa: Isa,
    nonce_and_seed: &[u8],
    encoding: Encoding,
    message: &[u8],
    wishes: Wishes,
) -> (Vec<u8>, u32) {
    sign_known_answer(key, isa, &mut Replay(nonce_and_seed), encoding, message, wishes).expect("signed")
}

/// The seed of an entry of a NIST known-answer file of a key encapsulation.
fn entry_seed(count: usize) -> [u8; 48] {
    let mut seed = [0; 48];
    seed.iter_mut().enumerate().for_each(|(i, byte)| *byte = i as u8);
    let mut outer = Drbg::new(&seed);
    (0..count).for_each(|_| drop(outer.bytes(48)));
    outer.bytes(48).try_into().expect("48 bytes")
}

/// The text of one entry of a NIST known-answer file of a key encapsulation, without a blank line after it.
fn entry_text(count: usize, [public, private, ciphertext, secret]: [&[u8]; 4]) -> String {
    format!(
        "count = {count}\nseed = {}\npk = {}\nsk = {}\nct = {}\nss = {}\n",
        hex_upper(&entry_seed(count)),
        hex_upper(public),
        hex_upper(private),
        hex_upper(ciphertext),
        hex_upper(secret)
    )
}

/// An entry of Kyber or ML-KEM.
pub fn kyber_entry(set: ParameterSet, isa: Isa, count: usize) -> String {
    let mut random = Drbg::new(&entry_seed(count));
    let key = kyber::known_answers::generate_known_answer(set, isa, &mut random).expect("a key");
    let public = key.encapsulation_key();
    let (ciphertext, secret) =
        kyber::known_answers::encapsulate_known_answer(public, isa, &mut random).expect("a ciphertext");
    let decapsulated = key.decapsulate(isa, &ciphertext).expect("the same set");
    assert_eq!(decapsulated.expose(), secret.expose(), "{} on {}", set.name(), isa.name());
    entry_text(count, [public.as_bytes(), &key.expanded(isa), ciphertext.as_bytes(), secret.expose()])
}

/// An entry of NTRU.
pub fn ntru_entry(set: ntru::ParameterSet, sampler: ntru::Sampler, isa: Isa, count: usize) -> String {
    let mut random = Drbg::new(&entry_seed(count));
    let key = ntru::known_answers::generate_known_answer(set, sampler, isa, &mut random).expect("a key");
    let public = key.encapsulation_key();
    let (ciphertext, secret) =
        ntru::known_answers::encapsulate_known_answer(public, sampler, isa, &mut random)
            .expect("a ciphertext");
    let decapsulated = key.decapsulate(isa, &ciphertext).expect("the same set");
    assert_eq!(decapsulated.expose(), secret.expose(), "{} on {}", set.name(), isa.name());
    entry_text(count, [public.as_bytes(), &key.to_bytes(), ciphertext.as_bytes(), secret.expose()])
}

/// `work(0..count)` over the processor's cores, in order.
pub fn in_parallel<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(count.max(1));
    let work = &work;
    let mut parts: Vec<Vec<(usize, T)>> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads)
            .map(|t| scope.spawn(move || (t..count).step_by(threads).map(|i| (i, work(i))).collect()))
            .collect();
        handles.into_iter().map(|h| h.join().unwrap_or_else(|e| std::panic::resume_unwind(e))).collect()
    });
    let mut all: Vec<(usize, T)> = parts.drain(..).flatten().collect();
    all.sort_by_key(|(i, _)| *i);
    all.into_iter().map(|(_, t)| t).collect()
}

/// Compares what a sampler of NTRU gives with a file of vectors; gives their number.
pub fn ntru_fixed_weight(
    file: &serde_json::Value,
    sample: impl Fn(ntru::ParameterSet, ntru::Sampler, &[u8]) -> Vec<Option<Vec<u8>>>,
) -> usize {
    let set = ntru::ParameterSet::ALL.into_iter().find(|set| file["set"] == set.name()).expect("a known set");
    let samplers = [ntru::Sampler::Shuffle, ntru::Sampler::Sort];
    let sampler = samplers.into_iter().find(|sampler| file["sampler"] == sampler.name()).expect("a sampler");
    let vectors = file["vectors"].as_array().expect("vectors");
    for vector in vectors {
        let text = |key: &str| vector[key].as_str().expect("a string");
        let input = text("input")
            .as_bytes()
            .chunks(2)
            .map(|pair| u8::from_str_radix(str::from_utf8(pair).expect("hex"), 16).expect("hex"));
        let expected: Vec<u8> = text("coefficients").bytes().map(|digit| digit - b'0').collect();
        for ours in sample(set, sampler, &input.collect::<Vec<u8>>()) {
            assert_eq!(ours.as_ref(), Some(&expected), "{} {}: {vector}", set.name(), sampler.name());
        }
    }
    vectors.len()
}
