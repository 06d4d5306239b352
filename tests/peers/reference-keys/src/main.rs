//! Keys of `pqc` and of `falcon-rs`, a port of the reference program, from the same seeds: equal, byte for byte.
//!
//! Usage: reference-keys [SEEDS [FIRST]]. Seed i is i as 8 little-endian bytes and zeros.

use falcon::falcon::{
    falcon_keygen_make, falcon_privkey_size, falcon_pubkey_size, falcon_tmpsize_keygen,
    shake256_init_prng_from_seed,
};
use pqc::falcon::Params;
use pqc::falcon::known_answers::{Replay, generate_known_answer};

fn theirs(logn: u32, seed: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let mut rng = falcon::shake::InnerShake256Context::new();
    shake256_init_prng_from_seed(&mut rng, seed);
    let mut private = vec![0; falcon_privkey_size(logn)];
    let mut public = vec![0; falcon_pubkey_size(logn)];
    let mut scratch = vec![0; falcon_tmpsize_keygen(logn) + 64];
    let status = falcon_keygen_make(&mut rng, logn, &mut private, Some(&mut public), &mut scratch);
    assert_eq!(status, 0);
    (private, public)
}

fn main() {
    let argument = |i| std::env::args().nth(i).map(|v| v.parse::<u64>().expect("a number"));
    let (count, first) = (argument(1).unwrap_or(100), argument(2).unwrap_or(0));
    let isa = pqc::Isa::detect();
    for (params, logn) in [(Params::Falcon512, 9), (Params::Falcon1024, 10)] {
        for i in first..first + count {
            let mut seed = [0u8; 48];
            seed[..8].copy_from_slice(&i.to_le_bytes());
            let key = generate_known_answer(params, isa, &mut Replay(&seed)).expect("a key");
            let (private, public) = theirs(logn, &seed);
            let equal = key.to_bytes()[..] == private[..] && key.verifying_key().to_bytes() == public;
            assert!(equal, "{} seed {i} on {}", params.name(), isa.name());
        }
        println!("{}: {count} keys equal on {}", params.name(), isa.name());
    }
}
