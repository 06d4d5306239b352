//! `pqc list`, `pqc inspect` and `pqc selftest`, tested from outside.
#![cfg(unix)]

mod common;

use std::fs;

use common::der::{self, Node};
use common::*;

/// The backend names of the product.
const BACKENDS: [&str; 8] = ["soft", "rv64im", "scalar", "sse2", "avx2", "avx512f", "neon", "rvv"];

fn words(line: &str) -> Vec<&str> {
    line.split(|c: char| c.is_whitespace() || c == ',' || c == ':').filter(|word| !word.is_empty()).collect()
}

// list

#[test]
fn list_has_a_line_for_each_algorithm_with_family_sizes_level_and_status() {
    let out = Home::new().ok(&["list"]);
    for (name, sizes, level, family, status) in [
        ("falcon512", ["897", "1281", "666"], "1", "Falcon", "candidate"),
        ("falcon1024", ["1793", "2305", "1280"], "5", "Falcon", "candidate"),
        ("mlkem512", ["800", "1632", "768"], "1", "ML-KEM", "standard"),
        ("mlkem768", ["1184", "2400", "1088"], "3", "ML-KEM", "standard"),
        ("mlkem1024", ["1568", "3168", "1568"], "5", "ML-KEM", "standard"),
        ("kyber512", ["800", "1632", "768"], "1", "Kyber", "legacy"),
        ("kyber768", ["1184", "2400", "1088"], "3", "Kyber", "legacy"),
        ("kyber1024", ["1568", "3168", "1568"], "5", "Kyber", "legacy"),
        ("kyber512-90s", ["800", "1632", "768"], "1", "Kyber", "legacy"),
        ("kyber768-90s", ["1184", "2400", "1088"], "3", "Kyber", "legacy"),
        ("kyber1024-90s", ["1568", "3168", "1568"], "5", "Kyber", "legacy"),
        ("ntruhps2048509", ["699", "935", "699"], "1", "NTRU", "candidate"),
        ("ntruhps2048677", ["930", "1234", "930"], "3", "NTRU", "candidate"),
        ("ntruhps4096821", ["1230", "1590", "1230"], "5", "NTRU", "candidate"),
        ("ntruhps40961229", ["1842", "2366", "1842"], "5", "NTRU", "candidate"),
        ("ntruhrss701", ["1138", "1450", "1138"], "3", "NTRU", "candidate"),
        ("ntruhrss1373", ["2401", "2983", "2401"], "5", "NTRU", "candidate"),
    ] {
        let text = out.out();
        let line = text.lines().find(|line| words(line).contains(&name)).unwrap_or_else(|| panic!("{out:?}"));
        for word in sizes.iter().chain([&level, &family, &status]) {
            assert!(words(line).contains(word), "{word} is not in {line:?}");
        }
    }
}

#[test]
fn list_has_a_line_for_each_backend_with_its_state() {
    let out = Home::new().ok(&["list"]).out();
    for name in BACKENDS {
        let found = out.lines().find(|line| words(line).first() == Some(&name));
        let Some(line) = found else {
            // `soft` is the other name of `rv64im`: one of the two may stand for both.
            assert!(matches!(name, "soft" | "rv64im"), "{name} is not in:\n{out}");
            continue;
        };
        let states = ["in use", "available", "not supported", "not in this build"];
        assert!(states.iter().any(|state| line.contains(state)), "{line:?}");
    }
    assert!(out.contains("in use"), "{out}");
}

#[test]
fn list_marks_the_backend_that_isa_names() {
    for isa in ["soft", "scalar"] {
        for variable in [false, true] {
            let home = Home::new();
            let mut command = home.command();
            command.arg("list");
            if variable {
                command.env("PQC_ISA", isa);
            } else {
                command.args(["--isa", isa]);
            }
            let out = home.finish(command, b"").expect(0).out();
            let line = out.lines().find(|line| words(line).first() == Some(&isa)).unwrap();
            assert!(line.contains("in use"), "{line:?}");
        }
    }
}

#[test]
fn list_shows_a_level_without_its_extra_features_only_where_it_is_forced() {
    let home = Home::new();
    assert!(!home.ok(&["list"]).out().contains("-base"));
    let features = |isa: &str| -> Option<Vec<serde_json::Value>> {
        let mut command = home.command();
        command.args(["list", "--json", "--isa", isa]);
        let out = home.finish(command, b"");
        let json = out.json();
        let rows = json["results"].as_array()?;
        let row = rows.iter().find(|row| row["kind"] == "backend" && row["backend"] == isa)?;
        assert_eq!(row["state"], "in use", "{out:?}");
        row["features"].as_array().cloned()
    };
    for level in ["avx2", "avx512f", "neon"] {
        match (features(level), features(&format!("{level}-base"))) {
            (Some(all), Some(base)) => assert!(!base.is_empty() && all.starts_with(&base), "{all:?}"),
            // Not in this build, or not on this processor: both.
            (all, base) => assert_eq!(all, base, "{level}"),
        }
    }
}

#[test]
fn list_as_json_names_every_algorithm() {
    let json = Home::new().ok(&["list", "--json"]).json();
    assert_eq!(json["command"], "list");
    let text = json["results"].to_string();
    assert!(text.contains("falcon512") && text.contains("falcon1024"), "{text}");
    let entry =
        |name: &str| json["results"].as_array().unwrap().iter().find(|e| e["algorithm"] == name).cloned();
    let entry = entry("mlkem768").unwrap();
    assert_eq!((&entry["ciphertext_bytes"], &entry["shared_secret_bytes"]), (&1088.into(), &32.into()));
    assert_eq!((&entry["status"], &entry["oid"]), (&"standard".into(), &"2.16.840.1.101.3.4.4.2".into()));
}

#[test]
fn list_needs_no_key_home() {
    let home = Home::new();
    let mut command = home.command();
    command.arg("list").env_remove("HOME").env_remove("PQC_HOME");
    home.finish(command, b"").expect(0);
    assert!(!home.home().exists());
}

#[test]
fn every_algorithm_of_list_makes_keys() {
    let home = Home::new();
    let json = home.ok(&["list", "--json"]).json();
    let algorithms = json["results"].as_array().unwrap().iter().filter(|entry| entry["kind"] == "algorithm");
    for entry in algorithms {
        home.ok(&["keygen", "--alg", entry["algorithm"].as_str().unwrap()]);
    }
    assert_eq!(listing(&home.home()).len(), 34);
    let out = home.ok(&["inspect"]).out();
    assert_eq!(out.matches("public matches").count(), 17, "{out}");
}

// inspect

fn folder() -> Home {
    let home = Home::with_key();
    home.ok(&["sign", "file"]);
    home.write_key("big.key", &keys().big.private);
    home.write("big.pub", &keys().big.public);
    home
}

#[test]
fn inspect_of_a_private_key() {
    let home = folder();
    let out = home.ok(&["inspect", "big.key"]).out();
    let lower = out.to_lowercase();
    assert!(lower.contains("private key"), "{out}");
    assert!(lower.contains("falcon1024") || lower.contains("falcon-1024"), "{out}");
    assert!(out.contains("1.3.9999.3.14"), "{out}");
    assert!(out.contains(&keys().big.fingerprint), "{out}");
    assert!(out.contains("OQS"), "the layout: {out}");
    assert!(out.contains("2305") || out.contains("4122"), "the size: {out}");
    assert!(
        lower.contains("encrypted") || lower.contains("unprotected") || lower.contains("not protected"),
        "{out}"
    );
    assert!(lower.contains("match"), "does public match private: {out}");
}

#[test]
fn inspect_of_a_public_key() {
    let home = folder();
    let out = home.ok(&["inspect", "big.pub"]).out();
    assert!(out.to_lowercase().contains("public key"), "{out}");
    assert!(out.contains("1.3.9999.3.14") && out.contains(&keys().big.fingerprint), "{out}");
    assert!(out.contains("1793") || out.contains("1811"), "the size: {out}");
}

#[test]
fn inspect_of_a_signature() {
    let home = folder();
    let out = home.ok(&["inspect", "file.sig"]).out();
    assert!(out.to_lowercase().contains("signature"), "{out}");
    assert!(out.contains("1.3.9999.3.11") && out.contains(&keys().a.fingerprint), "{out}");
    assert!(out.contains("padded") && out.contains("666"), "{out}");
    home.ok(&["sign", "file", "-o", "c", "--encoding", "compressed"]);
    assert!(home.ok(&["inspect", "c"]).out().contains("compressed"));
}

#[test]
fn inspect_of_a_kems_keys_and_ciphertexts() {
    let home = Home::with_ciphertext();
    home.write_key("a.key", &kem_keys().a.private);
    home.write_key("l.key", &kem_keys().legacy.private);
    let fingerprint = &kem_keys().a.fingerprint;
    let out = home.ok(&["inspect", "a.key"]).out();
    for part in ["private key", "mlkem768", "2.16.840.1.101.3.4.4.2", "RFC 9935, seed", fingerprint, "match"]
    {
        assert!(out.contains(part), "{part}: {out}");
    }
    let out = home.ok(&["inspect", "l.key"]).out();
    for part in ["kyber512", "1.3.6.1.4.1.25258.1.7.1", "bare expanded key", &kem_keys().legacy.fingerprint] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let out = home.ok(&["inspect", "a.pub"]).out();
    assert!(out.contains("public key") && out.contains("1184") && out.contains(fingerprint), "{out}");
    let out = home.ok(&["inspect", "x.ct"]).out();
    for part in ["ciphertext", "mlkem768", "PQC CIPHERTEXT", "1088", fingerprint] {
        assert!(out.contains(part), "{part}: {out}");
    }
    home.ok(&["encaps", "-p", "a.pub", "-o", "raw", "--secret-out", "s", "--format", "raw"]);
    let json = home.ok(&["inspect", "raw", "--json"]).json();
    assert_eq!(json["results"][0]["kind"], "ciphertext");
    assert_eq!(json["results"][0]["possible_algorithms"], "mlkem768, kyber768, kyber768-90s");
    let out = home.fails_without_traces(2, &["inspect", "s"]);
    assert!(out.err().contains("ciphertext"), "{out:?}");
    assert_eq!(home.ok(&["inspect", "--public", "a.key"]).stdout, kem_keys().a.public);
}

#[test]
fn inspect_says_whether_a_signature_has_its_key_inside() {
    let home = folder();
    home.ok(&["sign", "file", "-o", "with", "--with-key"]);
    let (without, with) = (home.ok(&["inspect", "file.sig"]).out(), home.ok(&["inspect", "with"]).out());
    assert_ne!(without.replace("file.sig", "with").len(), with.len(), "{without}{with}");
}

#[test]
fn inspect_prints_no_private_part() {
    let home = folder();
    for option in ["-v", "--json"] {
        let out = home.ok(&["inspect", "big.key", option]).all();
        let text = String::from_utf8(keys().big.private.clone()).unwrap();
        for line in text.lines().skip(1).take(20) {
            assert!(!out.contains(&line[..24]), "{out}");
        }
        assert!(!out.to_lowercase().contains(&hex(&der::pem_decode(text.as_bytes())[40..60])), "{out}");
    }
}

#[test]
fn inspect_public_prints_exactly_the_public_file() {
    let home = folder();
    assert_eq!(home.ok(&["inspect", "--public", "big.key"]).stdout, keys().big.public);
    let path = home.home().join("falcon512.key");
    assert_eq!(home.ok(&["inspect", path.to_str().unwrap(), "--public"]).stdout, keys().a.public);
}

#[test]
fn inspect_without_file_shows_every_key_of_the_key_home() {
    let home = folder();
    home.install(&keys().b, "b");
    home.install(&keys().big, "c");
    let out = home.ok(&["inspect"]).out();
    for (name, pair) in [("falcon512", &keys().a), ("b", &keys().b), ("c", &keys().big)] {
        assert!(out.contains(&pair.fingerprint), "{out}");
        assert!(out.contains(&format!("{name}.key")) && out.contains(&format!("{name}.pub")), "{out}");
    }
}

#[test]
fn inspect_without_file_names_a_damaged_key_of_the_home() {
    let home = folder();
    fs::write(home.home().join("bad.pub"), b"junk").unwrap();
    home.chmod(home.home().join("bad.pub"), 0o644);
    let out = home.fails_without_traces(2, &["inspect"]);
    assert!(out.all().contains("bad.pub") && out.all().contains(&keys().a.fingerprint), "{out:?}");
}

#[test]
fn inspect_reads_standard_input() {
    let home = folder();
    let out = home.run_with(&["inspect", "-"], &keys().big.public).expect(0).out();
    assert!(out.contains(&keys().big.fingerprint), "{out}");
    home.fails_without_traces(2, &["inspect", "-", "-"]);
}

#[test]
fn inspect_goes_on_after_a_failure_and_gives_the_smallest_code() {
    let home = folder();
    home.write("junk", b"junk");
    let out = home.fails_without_traces(2, &["inspect", "missing", "junk", "big.pub"]);
    assert!(out.out().contains(&keys().big.fingerprint), "{out:?}");
    assert!(out.all().contains("missing") && out.all().contains("junk"), "{out:?}");
    home.fails_without_traces(3, &["inspect", "missing"]);
    home.fails_without_traces(2, &["inspect", "junk"]);
}

#[test]
fn inspect_says_that_a_public_half_does_not_match() {
    let home = folder();
    let mut node = Node::parse(&der::pem_decode(&keys().a.private));
    let other = der::pem_decode(&keys().b.public);
    let inner = node.children_mut()[2].content_mut();
    let at = inner.len() - 897;
    inner[at..].copy_from_slice(&other[other.len() - 897..]);
    home.write_key("mixed.key", der::pem_encode("PRIVATE KEY", &node.encode()));
    let out = home.fails_without_traces(2, &["inspect", "mixed.key"]);
    assert!(out.all().to_lowercase().contains("match") || out.all().contains("belong"), "{out:?}");
    home.fails_without_traces(2, &["inspect", "mixed.key", "--public"]);
}

#[test]
fn inspect_as_json_has_a_result_a_file() {
    let home = folder();
    let json = home.ok(&["inspect", "big.key", "big.pub", "file.sig", "--json"]).json();
    assert_eq!(json["command"], "inspect");
    let results = json["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    assert!(results[0].to_string().contains(&keys().big.fingerprint), "{json}");
    assert!(results[2].to_string().contains(&keys().a.fingerprint), "{json}");
    let json = home.fails_without_traces(3, &["inspect", "missing", "--json"]).json();
    assert_eq!(json["exit"], 3);
}

// selftest

#[test]
fn selftest_passes_in_seconds() {
    let home = Home::new();
    let start = std::time::Instant::now();
    home.ok(&["selftest"]);
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
    assert!(!home.home().exists() && home.listing().is_empty(), "selftest writes nothing");
}

#[test]
fn selftest_of_all_backends_and_of_one() {
    let home = Home::new();
    for isa in ["all", "soft", "scalar", "auto"] {
        let out = home.ok(&["selftest", "--isa", isa]);
        assert!(!out.out().is_empty(), "{out:?}");
        if isa == "all" {
            assert!(out.out().contains("soft") && out.out().contains("scalar"), "{out:?}");
        }
    }
}

#[test]
fn selftest_as_json() {
    let json = Home::new().ok(&["selftest", "--json"]).json();
    assert_eq!(json["command"], "selftest");
    assert!(!json["results"].as_array().unwrap().is_empty());
}

#[test]
fn isa_all_is_for_selftest_only() {
    let home = folder();
    home.fails_without_traces(2, &["verify", "file", "--isa", "all"]);
}
