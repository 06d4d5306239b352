//! Traces and known-answer entries that are too large for the repository: run where they are.
//!
//! Looks in `$PQC_SHARED/vectors/falcon`, else `../shared/vectors/falcon`; says so when there is nothing.

mod nist;

use flate2::read::GzDecoder;
use pqc::Isa;
use pqc::falcon::known_answers::{Wishes, expanded_key, generate_known_answer};
use pqc::falcon::{Encoding, Params, SigningKey};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::io::Read;
use std::path::PathBuf;

fn read(name: &str) -> Option<String> {
    let shared = std::env::var_os("PQC_SHARED").map_or(PathBuf::from("../shared"), PathBuf::from);
    let path = shared.join("vectors/falcon").join(name);
    let Ok(file) = std::fs::File::open(&path) else {
        println!("NOT RUN: {} is not there", path.display());
        return None;
    };
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).expect("gzip text");
    Some(text)
}

fn unhex(s: &str) -> Vec<u8> {
    (0..s.len() / 2).map(|i| u8::from_str_radix(&s[2 * i..2 * i + 2], 16).expect("hex")).collect()
}

fn bytes(v: &Value) -> Vec<u8> {
    unhex(v.as_str().expect("a string"))
}

const SETS: [(Params, &str); 2] = [(Params::Falcon512, "512"), (Params::Falcon1024, "1024")];

#[test]
fn expanded_key_and_signature_of_the_trace() {
    for (params, n) in SETS {
        let Some(text) = read(&format!("falcon-{n}-trace.json.gz")) else { return };
        let trace: Value = serde_json::from_str(&text).expect("JSON");
        let rsp = read(&format!("falcon-{n}.rsp.gz")).expect("beside the trace");
        let sk = rsp.lines().find_map(|line| line.strip_prefix("sk = ")).expect("an entry");
        for isa in Isa::ALL {
            let key = SigningKey::from_bytes(params, *isa, &unhex(sk)).expect("a valid key");
            let expanded: Vec<u8> = expanded_key(&key).iter().flat_map(|x| x.to_le_bytes()).collect();
            let sum = nist::hex_upper(&Sha256::digest(&expanded)).to_lowercase();
            assert_eq!(trace["expanded_key"]["sha256_le"], sum.as_str(), "expanded key on {}", isa.name());
            let random = [bytes(&trace["nonce"]), bytes(&trace["sign_seed"])].concat();
            let (signature, attempts) = nist::sign_with_bytes(
                &key,
                *isa,
                &random,
                Encoding::Compressed,
                &bytes(&trace["msg"]),
                Wishes::default(),
            );
            assert_eq!(Value::from(attempts), trace["attempts"]);
            let compressed = nist::hex_upper(&signature[41..]).to_lowercase();
            assert_eq!(trace["compressed"], compressed.as_str(), "signature on {}", isa.name());
        }
    }
}

#[test]
fn first_ten_known_answers_in_full() {
    let mut count = 0;
    for (params, n) in SETS {
        for (prefix, encoding) in [("falcon", Encoding::Compressed), ("falcon-padded", Encoding::Padded)] {
            let Some(text) = read(&format!("{prefix}-{n}.rsp.gz")) else { return };
            let (_, text) = text.split_once("\n\n").expect("a header");
            for isa in Isa::ALL {
                let entries = nist::falcon_entries(params, encoding, *isa, 10);
                let ours: Vec<String> = entries.iter().map(|entry| entry.text()).collect();
                for (ours, theirs) in ours.iter().zip(text.trim_end().split("\n\n")) {
                    assert_eq!(ours.trim_end(), theirs.trim_end(), "{prefix}-{n} on {}", isa.name());
                    count += 1;
                }
            }
        }
    }
    println!("{count} entries equal");
    assert_eq!(count, 4 * 10 * Isa::ALL.len());
}

#[test]
fn keys_of_the_key_generation_traces() {
    for (params, n) in SETS {
        let Some(text) = read(&format!("falcon-{n}-keygen-trace.json.gz")) else { return };
        let trace: Value = serde_json::from_str(&text).expect("JSON");
        for seed in trace["seeds"].as_array().expect("seeds") {
            for isa in Isa::ALL {
                let random = bytes(&seed["keygen_seed"]);
                let key =
                    generate_known_answer(params, *isa, &mut pqc::falcon::known_answers::Replay(&random))
                        .expect("a key");
                let wanted: Vec<i64> =
                    seed["F"].as_array().expect("F").iter().map(|c| c.as_i64().expect("integer")).collect();
                let encoded = key.to_bytes();
                let ours: Vec<i64> =
                    encoded[encoded.len() - params.n()..].iter().map(|c| i64::from(*c as i8)).collect();
                assert_eq!(ours, wanted, "F of count {} on {}", seed["kat_count"], isa.name());
            }
        }
    }
}

#[test]
fn the_padded_entry_that_restarts() {
    let Some(text) = read("falcon-padded-1024-restart.rsp.gz") else { return };
    let field = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(&format!("{name} = "))).expect("the field");
        unhex(line.split_once(" = ").expect("a value").1)
    };
    let seed: [u8; 48] = field("seed").try_into().expect("48 bytes");
    for isa in Isa::ALL {
        let mut random = nist::Drbg::new(&seed);
        random.bytes(48);
        let random = [random.bytes(40), random.bytes(48)].concat();
        let key = SigningKey::from_bytes(Params::Falcon1024, *isa, &field("sk")).expect("a valid key");
        let (signature, attempts) =
            nist::sign_with_bytes(&key, *isa, &random, Encoding::Padded, &field("msg"), Wishes::default());
        assert_eq!(attempts, 2);
        assert_eq!(signature, field("sm")[..1280], "on {}", isa.name());
    }
}
