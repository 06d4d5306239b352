//! Traces and known-answer entries that are too large for the repository: run where they are.
//!
//! Looks in `$PQC_SHARED/vectors`, else `../shared/vectors`; says so when there is nothing.

mod nist;

use flate2::read::GzDecoder;
use pqc::Isa;
use pqc::falcon::known_answers::{Wishes, expanded_key, generate_known_answer};
use pqc::falcon::{Encoding, Params, SigningKey};
use pqc::kyber::known_answers::Replay;
use pqc::kyber::{self, Ciphertext, DecapsulationKey, EncapsulationKey, ParameterSet};
use pqc::ntru;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::io::Read;
use std::path::PathBuf;

fn read(name: &str) -> Option<String> {
    let shared = std::env::var_os("PQC_SHARED").map_or(PathBuf::from("../shared"), PathBuf::from);
    let path = shared.join("vectors").join(name);
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
        let Some(text) = read(&format!("falcon/falcon-{n}-trace.json.gz")) else { return };
        let trace: Value = serde_json::from_str(&text).expect("JSON");
        let rsp = read(&format!("falcon/falcon-{n}.rsp.gz")).expect("beside the trace");
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
            let Some(text) = read(&format!("falcon/{prefix}-{n}.rsp.gz")) else { return };
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
        let Some(text) = read(&format!("falcon/falcon-{n}-keygen-trace.json.gz")) else { return };
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
    let Some(text) = read("falcon/falcon-padded-1024-restart.rsp.gz") else { return };
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

const ML_KEM: [ParameterSet; 3] = [ParameterSet::MlKem512, ParameterSet::MlKem768, ParameterSet::MlKem1024];

fn ml_kem(name: &Value) -> ParameterSet {
    ML_KEM.into_iter().find(|set| name == set.name()).expect("a set of ML-KEM")
}

/// Every test of an ACVP file with its group and what is expected of it.
fn acvp(file: &str) -> Option<Vec<(Value, Value, Value)>> {
    let parse = |kind: &str| -> Option<Value> {
        let text = read(&format!("mlkem/acvp/{file}-{kind}.json.gz"))?;
        Some(serde_json::from_str(&text).expect("JSON"))
    };
    let (prompt, results) = (parse("prompt")?, parse("expectedResults")?);
    let groups = |v: &Value| v["testGroups"].as_array().expect("groups").clone();
    let tests = |v: &Value| v["tests"].as_array().expect("tests").clone();
    let mut all = Vec::new();
    for (group, expected) in groups(&prompt).into_iter().zip(groups(&results)) {
        assert_eq!(group["tgId"], expected["tgId"]);
        for (test, expected) in tests(&group).into_iter().zip(tests(&expected)) {
            assert_eq!(test["tcId"], expected["tcId"]);
            all.push((group.clone(), test, expected));
        }
    }
    Some(all)
}

#[test]
fn acvp_key_generation() {
    let Some(tests) = acvp("ML-KEM-keyGen-FIPS203") else { return };
    for (group, test, expected) in &tests {
        let set = ml_kem(&group["parameterSet"]);
        for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_supported()) {
            let seed = [bytes(&test["d"]), bytes(&test["z"])].concat();
            let key = DecapsulationKey::from_seed(set, isa, &seed).expect("64 bytes");
            assert_eq!(key.encapsulation_key().as_bytes(), bytes(&expected["ek"]));
            assert_eq!(*key.expanded(isa), bytes(&expected["dk"]));
        }
    }
    println!("{} keys", tests.len());
    assert_eq!(tests.len(), 75);
}

#[test]
fn acvp_encapsulation_decapsulation_and_key_checks() {
    let Some(tests) = acvp("ML-KEM-encapDecap-FIPS203") else { return };
    for (group, test, expected) in &tests {
        let set = ml_kem(&group["parameterSet"]);
        for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_supported()) {
            let public = || EncapsulationKey::from_bytes(set, isa, &bytes(&test["ek"]));
            let private = || DecapsulationKey::from_expanded(set, isa, &bytes(&test["dk"]));
            match group["function"].as_str().expect("a function") {
                "encapsulation" => {
                    let m = bytes(&test["m"]);
                    let key = public().expect("a valid key");
                    let (ciphertext, secret) =
                        kyber::known_answers::encapsulate_known_answer(&key, isa, &mut Replay(&m))
                            .expect("32 bytes");
                    assert_eq!(ciphertext.as_bytes(), bytes(&expected["c"]));
                    assert_eq!(secret.expose().as_slice(), bytes(&expected["k"]));
                }
                "decapsulation" => {
                    let ciphertext =
                        Ciphertext::from_bytes(set, &bytes(&test["c"])).expect("the right length");
                    let secret = private().expect("a valid key").decapsulate(isa, &ciphertext);
                    assert_eq!(secret.expect("the same set").expose().as_slice(), bytes(&expected["k"]));
                }
                "encapsulationKeyCheck" => assert_eq!(expected["testPassed"], public().is_ok()),
                "decapsulationKeyCheck" => assert_eq!(expected["testPassed"], private().is_ok()),
                other => panic!("{other}"),
            }
        }
    }
    println!("{} tests", tests.len());
    assert_eq!(tests.len(), 165);
}

#[test]
fn first_ten_known_answers_of_every_key_encapsulation() {
    let mut count = 0;
    for set in ParameterSet::ALL {
        let Some(text) = read(&format!("kyber/{}.rsp.gz", set.name().to_lowercase())) else { return };
        let (_, text) = text.split_once("\n\n").expect("a header");
        for (i, theirs) in text.trim_end().split("\n\n").enumerate() {
            let ours = nist::kyber_entry(set, Isa::detect(), i);
            assert_eq!(ours.trim_end(), theirs.trim_end(), "{} entry {i}", set.name());
            count += 1;
        }
    }
    assert_eq!(count, 90);
}

const NTRU_SAMPLERS: [ntru::Sampler; 2] = [ntru::Sampler::Shuffle, ntru::Sampler::Sort];

/// There is no shuffle vector of HRSS, which has no polynomial of fixed weight, and of 1229.
fn has_vectors(set: ntru::ParameterSet, sampler: ntru::Sampler) -> bool {
    sampler == ntru::Sampler::Sort || set.weight().is_some() && set != ntru::ParameterSet::Hps40961229
}

#[test]
fn first_ten_known_answers_of_ntru() {
    let mut count = 0;
    for set in ntru::ParameterSet::ALL {
        for sampler in NTRU_SAMPLERS.into_iter().filter(|sampler| has_vectors(set, *sampler)) {
            let Some(text) = read(&format!("ntru/{}-{}.rsp.gz", set.name(), sampler.name())) else { return };
            let (_, text) = text.split_once("\n\n").expect("a header");
            for (i, theirs) in text.trim_end().split("\n\n").enumerate() {
                let ours = nist::ntru_entry(set, sampler, Isa::detect(), i);
                assert_eq!(ours.trim_end(), theirs.trim_end(), "{} {} entry {i}", set.name(), sampler.name());
                count += 1;
            }
        }
    }
    assert_eq!(count, 90);
}

#[test]
fn polynomials_of_fixed_weight_of_ntru() {
    let mut count = 0;
    for set in ntru::ParameterSet::ALL.into_iter().filter(|set| set.weight().is_some()) {
        for sampler in NTRU_SAMPLERS.into_iter().filter(|sampler| has_vectors(set, *sampler)) {
            let name = format!("ntru/{}-{}-sampler.json.gz", set.name(), sampler.name());
            let Some(text) = read(&name) else { return };
            let file = serde_json::from_str(&text).expect("JSON");
            count += nist::ntru_fixed_weight(&file, |set, sampler, bytes| {
                let backends = Isa::ALL.iter().copied().filter(|isa| isa.is_supported());
                backends
                    .map(|isa| ntru::known_answers::fixed_weight_known_answer(set, sampler, isa, bytes))
                    .collect()
            });
        }
    }
    assert_eq!(count, 7 * 20);
}
