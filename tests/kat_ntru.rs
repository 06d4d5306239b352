//! The known answers of NTRU on every backend: NIST's for the sampler `sort`, those of ePrint 2024/548 for `shuffle`.
//!
//! The sums are those of the whole `.rsp` texts of the reference programs, which are generated here. `PQC_KAT=single`
//! checks the first entry only (for slow machines and emulators).

mod nist;

use flate2::read::GzDecoder;
use nist::{in_parallel, ntru_entry};
use pqc::Isa;
use pqc::ntru::known_answers::fixed_weight_known_answer;
use pqc::ntru::{ParameterSet, Sampler};
use sha2::{Digest, Sha256};
use std::io::Read;

/// A set, a sampler, and SHA-256 of the `.rsp` of 100 entries.
const SUMS: [(ParameterSet, Sampler, &str); 9] = [
    (
        ParameterSet::Hps2048509,
        Sampler::Sort,
        "f85cbfd585ee9e03feb10817f7a4ba42695a67af95db383c5ebbc2beab27e6bc",
    ),
    (
        ParameterSet::Hps2048677,
        Sampler::Sort,
        "0e1d2eccfbc6e4f4d6f139b21de27417316202a5c113602d25704316aebb9303",
    ),
    (
        ParameterSet::Hps4096821,
        Sampler::Sort,
        "95235f04c6206a82477fd5a877f184e99906d658a242dcd7ebb8337048129a4b",
    ),
    (
        ParameterSet::Hps40961229,
        Sampler::Sort,
        "64cd59d85211cedd65578d6cb3a8eab87d1ac08cf74fedf00759ab0b5f0aa413",
    ),
    (
        ParameterSet::Hrss701,
        Sampler::Sort,
        "1e7c8e02f7dc1a9796332d60d1b08995fff5dfe81f2ae7394ec2f4816dedf4b6",
    ),
    (
        ParameterSet::Hrss1373,
        Sampler::Sort,
        "953856fbf1f57f2a1d6592d320082d6f945ecf9e9f06fea7ce8c0dced792d8a8",
    ),
    (
        ParameterSet::Hps2048509,
        Sampler::Shuffle,
        "ceff7dc34340b640bc72bf1479b0a435fef61572d41d20bb7c17d854c1fb8bde",
    ),
    (
        ParameterSet::Hps2048677,
        Sampler::Shuffle,
        "d190ba454638255c3f07e386f2a29f0691d56a5c095e4e4d1584c0906af26bbf",
    ),
    (
        ParameterSet::Hps4096821,
        Sampler::Shuffle,
        "c2e6cb6d8745957bf622208c82f0028e2c3dad3ada10f5beef95f55ae38ae3da",
    ),
];

fn unpacked(file: &[u8]) -> String {
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).expect("gzip text");
    text
}

fn backends() -> impl Iterator<Item = Isa> {
    Isa::ALL.iter().copied().filter(|isa| isa.is_supported())
}

/// In full, so that a wrong sum can be traced to a field.
#[test]
fn the_first_entry_of_each_set_on_every_backend() {
    for isa in Isa::ALL.iter().filter(|isa| !isa.is_supported()) {
        println!("NOT RUN: this processor cannot run {}", isa.name());
    }
    let text = unpacked(include_bytes!("vectors/ntru-first-entries.rsp.gz"));
    let mut count = 0;
    for part in text.split("# ").filter(|part| !part.is_empty()) {
        let (name, entry) = part.split_once("\n\n").expect("a header");
        let (set, sampler, _) = SUMS
            .into_iter()
            .find(|(set, sampler, _)| format!("{} {}", set.name(), sampler.name()) == name)
            .expect("a known set");
        for isa in backends() {
            let ours = ntru_entry(set, sampler, isa, 0);
            assert_eq!(ours.trim_end().lines().count(), entry.trim_end().lines().count());
            for (ours, theirs) in ours.trim_end().lines().zip(entry.trim_end().lines()) {
                assert_eq!(ours, theirs, "{name} on {}", isa.name());
            }
        }
        count += 1;
    }
    assert_eq!(count, SUMS.len());
}

#[test]
fn every_backend_gives_the_sums() {
    if std::env::var("PQC_KAT").is_ok_and(|v| v == "single") {
        println!("PQC_KAT=single: the first entry of each set alone");
        return;
    }
    for isa in backends() {
        for (set, sampler, sum) in SUMS {
            let entries = in_parallel(100, |count| ntru_entry(set, sampler, isa, count));
            let text = format!("# {}\n\n{}\n", set.name(), entries.join("\n"));
            let ours = nist::hex_upper(&Sha256::digest(text)).to_lowercase();
            assert_eq!(ours, sum, "{} {} on {}", set.name(), sampler.name(), isa.name());
            println!("{} {} on {}: 100 known answers", set.name(), sampler.name(), isa.name());
        }
    }
}

/// Of each sampler and set: random bytes, redraws in a row and at the edges of blocks, equal keys.
#[test]
fn polynomials_of_fixed_weight_on_every_backend() {
    let files: serde_json::Value =
        serde_json::from_str(&unpacked(include_bytes!("vectors/ntru-fixed-weight.json.gz"))).expect("JSON");
    let files = files.as_array().expect("sets and samplers");
    for file in files {
        let count = nist::ntru_fixed_weight(file, |set, sampler, bytes| {
            backends().map(|isa| fixed_weight_known_answer(set, sampler, isa, bytes)).collect()
        });
        assert!(count > 0);
    }
    assert_eq!(files.len(), 7);
}
