//! The loop that every worker runs.
//!
//! A worker reads one request a line from standard input and answers each with one line: `setup DEGREE [KEY]` (KEY:
//! an encoded private key in hex, else the worker makes one) answers with the private key in hex; `OP DEGREE COUNT`
//! answers with COUNT times in nanoseconds (`keygen-seeds` and `keygen-hash` take a third number, the first of COUNT
//! seeds: seed i is i as 8 little-endian bytes and zeros), or `none` where the peer has no such operation. Every signature that is
//! timed is verified afterwards, outside the measurement.

pub mod kem;

use pqc::bench::clock::{Clock, System};
use std::io::{BufRead, Write};

/// Bytes that a key is made from.
pub const SEED_LEN: usize = 48;
/// Messages of a batch; its time is given for one of them.
const BATCH: usize = 16;

/// One implementation at one degree, with a key pair set up.
pub trait Peer: Sized {
    /// From an encoded private key; a new one where `None`.
    fn setup(degree: usize, private: Option<&[u8]>) -> Self;
    /// The encoded private key.
    fn private_key(&self) -> Vec<u8>;
    /// Makes a key pair, encoded, and throws it away.
    fn keygen(&mut self);
    /// The same from a seed; from randomness of its own where the implementation takes none.
    fn keygen_from(&mut self, seed: &[u8; SEED_LEN]);
    /// Does what hashing the key of that seed takes, and nothing else, as often as it is asked; false where that is
    /// not known.
    fn prepare_replay(&mut self, _seed: &[u8; SEED_LEN]) -> bool {
        false
    }
    /// What [`Peer::prepare_replay`] prepared.
    fn replay(&mut self, _seed: &[u8; SEED_LEN]) {}
    /// Signs from the encoded private key.
    fn sign_cold(&mut self, message: &[u8]) -> Vec<u8>;
    /// Signs with a key that is kept in the peer's fastest form; `None` where there is none.
    fn sign_kept(&mut self, message: &[u8]) -> Option<Vec<u8>>;
    /// Signs several messages at once with a kept key; `None` where the peer cannot.
    fn sign_batch(&mut self, _messages: &[&[u8]]) -> Option<Vec<Vec<u8>>> {
        None
    }
    /// Verifies from the encoded public key.
    fn verify_cold(&mut self, message: &[u8], signature: &[u8]) -> bool;
    /// Verifies with a decoded public key; `None` where there is none.
    fn verify_kept(&mut self, message: &[u8], signature: &[u8]) -> Option<bool>;
}

/// Serves requests until standard input ends.
pub fn serve<P: Peer>() {
    let mut peers: [Option<P>; 2] = [None, None];
    let (mut clock, mut counter) = (System::new(), 0u64);
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("standard input");
        let words: Vec<&str> = line.split_whitespace().collect();
        let degree: usize = words[1].parse().expect("degree");
        let slot = &mut peers[usize::from(degree == 1024)];
        let answer = if words[0] == "setup" {
            let key = words.get(2).map(|hex| from_hex(hex));
            let peer = slot.insert(P::setup(degree, key.as_deref()));
            to_hex(&peer.private_key())
        } else {
            let peer = slot.as_mut().expect("setup first");
            let count: usize = words[2].parse().expect("count");
            let mut times = Vec::with_capacity(count);
            let first: Option<u64> = words.get(3).map(|first| first.parse().expect("seed"));
            for i in 0..count {
                counter += 1;
                match one(&mut clock, peer, words[0], first.map_or(counter, |first| first + i as u64)) {
                    Some(nanoseconds) => times.push(nanoseconds.to_string()),
                    None => break,
                }
            }
            if times.is_empty() { "none".into() } else { times.join(" ") }
        };
        let mut out = std::io::stdout().lock();
        writeln!(out, "{answer}").and_then(|()| out.flush()).expect("standard output");
    }
}

/// Times one operation on a message that was never used before, or on the seed of that number.
fn one<P: Peer>(clock: &mut System, peer: &mut P, op: &str, counter: u64) -> Option<u64> {
    let mut message = [0x5Au8; 32];
    message[..8].copy_from_slice(&counter.to_le_bytes());
    if op == "keygen" {
        let start = clock.before();
        peer.keygen();
        return Some(clock.after().ns - start.ns);
    }
    if let "keygen-seeds" | "keygen-hash" = op {
        let mut seed = [0; SEED_LEN];
        seed[..8].copy_from_slice(&counter.to_le_bytes());
        if op == "keygen-hash" && !peer.prepare_replay(&seed) {
            return None;
        }
        let start = processor_time();
        if op == "keygen-hash" {
            peer.replay(&seed)
        } else {
            peer.keygen_from(&seed)
        }
        return Some(processor_time() - start);
    }
    if let "sign-cold" | "sign-kept" = op {
        let start = clock.before();
        let signature = if op == "sign-cold" { peer.sign_cold(&message) } else { peer.sign_kept(&message)? };
        let time = clock.after().ns - start.ns;
        assert!(peer.verify_cold(&message, &signature), "a signature that was timed is not valid");
        return Some(time);
    }
    if op == "sign-batch" {
        let messages: [[u8; 32]; BATCH] = std::array::from_fn(|i| {
            message[8] = i as u8;
            message
        });
        let messages = messages.each_ref().map(<[u8; 32]>::as_slice);
        let start = clock.before();
        let signatures = peer.sign_batch(&messages)?;
        let time = (clock.after().ns - start.ns) / BATCH as u64;
        assert!(signatures.len() == BATCH, "a signature is missing");
        for (message, signature) in messages.iter().zip(&signatures) {
            assert!(peer.verify_cold(message, signature), "a signature that was timed is not valid");
        }
        return Some(time);
    }
    let signature = peer.sign_kept(&message).unwrap_or_else(|| peer.sign_cold(&message));
    let start = clock.before();
    let valid = match op {
        "verify-cold" => peer.verify_cold(&message, &signature),
        "verify-kept" => peer.verify_kept(&message, &signature)?,
        _ => panic!("unknown operation {op}"),
    };
    let time = clock.after().ns - start.ns;
    assert!(valid, "a signature whose verification was timed is not valid");
    Some(time)
}

/// Nanoseconds that this thread has run: a mean, unlike a median, would be spoiled by the turns of other programs.
fn processor_time() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes to the structure and to nothing else.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(status, 0, "the clock of the thread");
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Lower-case hex.
pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes of a hex string.
pub fn from_hex(hex: &str) -> Vec<u8> {
    assert!(hex.len().is_multiple_of(2), "hex digits come in pairs");
    (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).expect("hex")).collect()
}
