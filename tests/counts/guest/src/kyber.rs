//! ML-KEM and Kyber: whole operations from given random bytes, and their steps.

use crate::Region;
use crate::markers::{begin, end, region};
use pqc::Isa;
use pqc::kyber::known_answers::{Replay, encapsulate_known_answer, generate_known_answer};
use pqc::kyber::steps::{Step, run};
use pqc::kyber::{Ciphertext, DecapsulationKey, EncapsulationKey, ParameterSet};

#[derive(Clone, Copy)]
enum Operation {
    /// From random bytes in memory.
    KeyGen,
    /// From the encoded public key and random bytes in memory, with the checks.
    Encaps,
    /// With a key that was read and checked before.
    Decaps,
    /// From the expanded private key, with the checks, its hash among them.
    ReadAndDecaps,
}

macro_rules! operations {
    ($($set:literal),*) => {
        [$(
            Region { name: concat!($set, "-keygen"), units: 1, run: |isa| count(isa, $set, Operation::KeyGen) },
            Region { name: concat!($set, "-encaps"), units: 1, run: |isa| count(isa, $set, Operation::Encaps) },
            Region { name: concat!($set, "-decaps"), units: 1, run: |isa| count(isa, $set, Operation::Decaps) },
            Region {
                name: concat!($set, "-read-decaps"),
                units: 1,
                run: |isa| count(isa, $set, Operation::ReadAndDecaps),
            },
        )*]
    };
}

macro_rules! steps {
    ($($name:literal $step:ident),*) => {
        [$(Region { name: concat!("kyber-", $name), units: 1, run: |isa| run(isa, Step::$step, begin, end) },)*]
    };
}

pub fn regions() -> impl Iterator<Item = Region> {
    let operations = operations!("mlkem512", "mlkem768", "mlkem1024", "kyber512", "kyber512-90s");
    let steps = steps!(
        "ntt" Ntt,
        "intt" InverseNtt,
        "multiplier" Multiplier,
        "multiply-2" MultiplyTwo,
        "canonical" Canonical,
        "cbd-2" Binomial2,
        "cbd-3" Binomial3,
        "reject-3-blocks" Reject3Blocks,
        "compress-10" Compress10,
        "compress-4" Compress4,
        "decompress-10" Decompress10,
        "decompress-4" Decompress4,
        "keccak-x1" Keccak1,
        "keccak-x2" Keccak2,
        "keccak-x8" Keccak8,
        "aes-schedule" AesSchedule,
        "aes-512-bytes" Aes512Bytes
    );
    operations.into_iter().chain(steps)
}

/// Bytes that no polynomial of the matrix needs a fourth block for.
const RANDOM: [u8; 64] = [7; 64];

fn count(isa: Isa, set: &str, operation: Operation) {
    let short = |set: &ParameterSet| set.name().to_lowercase().replace("ml-kem-", "mlkem");
    let set = *ParameterSet::ALL.iter().find(|other| short(other) == set).expect("set");
    let random = std::hint::black_box(&RANDOM);
    let key = generate_known_answer(set, isa, &mut Replay(random)).expect("key");
    let public = key.encapsulation_key().to_bytes();
    let expanded = key.expanded(isa);
    let read = || DecapsulationKey::from_expanded(set, isa, &expanded).expect("expanded key");
    let encapsulate = || {
        let key = EncapsulationKey::from_bytes(set, isa, &public).expect("public key");
        encapsulate_known_answer(&key, isa, &mut Replay(&random[..32])).expect("ciphertext")
    };
    match operation {
        Operation::KeyGen => drop(region(|| generate_known_answer(set, isa, &mut Replay(random)))),
        Operation::Encaps => drop(region(encapsulate)),
        Operation::Decaps | Operation::ReadAndDecaps => {
            let (ciphertext, secret) = encapsulate();
            let ciphertext = Ciphertext::from_bytes(set, ciphertext.as_bytes()).expect("ciphertext");
            let found = if let Operation::Decaps = operation {
                let key = read();
                region(|| key.decapsulate(isa, &ciphertext).expect("secret"))
            } else {
                region(|| read().decapsulate(isa, &ciphertext).expect("secret"))
            };
            assert!(found.is_equal(&secret));
        }
    }
}
