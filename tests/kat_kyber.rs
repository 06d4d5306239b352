//! The NIST known answers of ML-KEM, Kyber round 3 and Kyber-90s, on every backend.
//!
//! The sums are those of the reference programs (and of PQClean and liboqs, where they have the set); the texts are
//! generated here. `PQC_KAT=single` checks the first entry only (for slow machines and emulators).

mod nist;

use flate2::read::GzDecoder;
use nist::{in_parallel, kyber_entry};
use pqc::Isa;
use pqc::kyber::ParameterSet;
use sha2::{Digest, Sha256};
use std::io::Read;

struct Set {
    set: ParameterSet,
    /// SHA-256 of the first entry.
    single: &'static str,
    /// SHA-256 of 100 entries with a blank line between them.
    all: &'static str,
}

const SETS: [Set; 9] = [
    Set {
        set: ParameterSet::MlKem512,
        single: "c70041a761e01cd6426fa60e9fd6a4412c2be817386c8d0f3334898082512782",
        all: "74b470e797cbdbd589a31d387d36c72aad5033446ab5159bf4014c24652b1173",
    },
    Set {
        set: ParameterSet::MlKem768,
        single: "5352539586b6c3df58be6158a6250aeff402bd73060b0a3de68850ac074c17c3",
        all: "e5d6911117c708d8342702db222f66bef5ac5b0314fb8bc36eb22a536c9b34fb",
    },
    Set {
        set: ParameterSet::MlKem1024,
        single: "f580d851e5fb27e6876e5e203fa18be4cdbfd49e05d48fec3d3992c8f43a13e6",
        all: "81d1ae0468f62154885b6f2a293c0eb48f9339645357a88bbbc186c57ab0ace0",
    },
    Set {
        set: ParameterSet::Kyber512,
        single: "bb0481d3325d828817900b709d23917cefbc10026fc857f098979451f67bb0ca",
        all: "0435224d77cc89bf77b82aa82af254b62f25d24e18c44dcd0aa9473cde97217a",
    },
    Set {
        set: ParameterSet::Kyber768,
        single: "89e82a5bf2d4ddb2c6444e10409e6d9ca65dafbca67d1a0db2c9b54920a29172",
        all: "b3a12005fe1ce49f5df510aea6a56bfa4bdc2d3d706afb0361d70dc88188a2a6",
    },
    Set {
        set: ParameterSet::Kyber1024,
        single: "5afcf2a568ad32d49b55105b032af1850f03f3888ff9e2a72f4059c58e968f60",
        all: "b72b97eb9270d76f2c7a8a0b03022c81c879af9e247abff52405127d77dd3a46",
    },
    Set {
        set: ParameterSet::Kyber512In90s,
        single: "7bfe0653b63b3fac7ee300a6e4801046c1a3d8d445b271633b6c9d81ed125e5b",
        all: "71b66a74e74b5696d2406e711f7537c1e659fd632eefc5e9374a276fd133b4c0",
    },
    Set {
        set: ParameterSet::Kyber768In90s,
        single: "68bf2e3914c0b4e053cefc67dd9f10f567946da5720f0b453b347610c3cc2c0a",
        all: "7755f161b333d70a6c2cba4239e0f0d6ac54a322d0e60c746387220999eec73f",
    },
    Set {
        set: ParameterSet::Kyber1024In90s,
        single: "a1b564348a126a118fbc49a6aeaebcb74896753fd99f30eeb0f75f0b2d25115f",
        all: "ffc857936221276ecc5d16e888d45540b03c1b0b920462a98d883c76bf7efb59",
    },
];

fn hex(bytes: impl AsRef<[u8]>) -> String {
    nist::hex_upper(bytes.as_ref()).to_lowercase()
}

fn check(isa: Isa) {
    let single_only = std::env::var("PQC_KAT").is_ok_and(|v| v == "single");
    for Set { set, single, all } in SETS {
        let name = format!("{} on {}", set.name(), isa.name());
        let entries = in_parallel(if single_only { 1 } else { 100 }, |count| kyber_entry(set, isa, count));
        assert_eq!(hex(Sha256::digest(&entries[0])), single, "{name}: first entry");
        if single_only {
            println!("{name}: 1 known answer (PQC_KAT=single)");
            continue;
        }
        assert_eq!(hex(Sha256::digest(entries.join("\n"))), all, "{name}: 100 entries");
        println!("{name}: 100 known answers");
    }
}

#[test]
fn every_backend_gives_the_sums() {
    for isa in Isa::ALL {
        if isa.is_supported() {
            check(*isa);
        } else {
            println!("NOT RUN: this processor cannot run {}", isa.name());
        }
    }
}

/// In full, so that a wrong sum can be traced to a field.
#[test]
fn the_first_entry_of_each_set() {
    let file = include_bytes!("vectors/kyber-first-entries.rsp.gz");
    let mut text = String::new();
    GzDecoder::new(file.as_slice()).read_to_string(&mut text).expect("gzip text");
    let mut count = 0;
    for part in text.split("# ").filter(|part| !part.is_empty()) {
        let (name, entry) = part.split_once("\n\n").expect("a header");
        let set = ParameterSet::ALL.into_iter().find(|set| set.name() == name).expect("a known set");
        let ours = kyber_entry(set, Isa::detect(), 0);
        for (ours, theirs) in ours.trim_end().lines().zip(entry.trim_end().lines()) {
            assert_eq!(ours, theirs, "{name}");
        }
        count += 1;
    }
    assert_eq!(count, SETS.len());
}
