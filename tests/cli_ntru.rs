//! NTRU on the command line, tested from outside: every set, both samplers, layouts, and what is refused.
#![cfg(unix)]

mod common;

use common::der::{self, Node, pem_decode, pem_encode};
use common::*;
use sha3::Digest;

/// Name, last arc of the object identifier, bytes of public key and ciphertext, of private key, spare bits, and
/// whether there is a step of fixed weight.
const SETS: [(&str, u8, usize, usize, u32, bool); 6] = [
    ("ntruhps2048509", 1, 699, 935, 4, true),
    ("ntruhps2048677", 2, 930, 1234, 4, true),
    ("ntruhps4096821", 3, 1230, 1590, 0, true),
    ("ntruhps40961229", 5, 1842, 2366, 0, true),
    ("ntruhrss701", 4, 1138, 1450, 4, false),
    ("ntruhrss1373", 6, 2401, 2983, 0, false),
];

/// No option, and each of its values.
const SAMPLERS: [&[&str]; 3] = [&[], &["--sampler", "shuffle"], &["--sampler", "sort"]];

fn keygen(home: &Home, algorithm: &str, name: &str, more: &[&str]) -> Out {
    home.ok(&[&["keygen", "--alg", algorithm, "-o", name], more].concat())
}

/// Writes `x` and `s`.
fn encaps(home: &Home, public: &str, more: &[&str]) -> Out {
    home.ok(&[&["encaps", "-p", public, "-o", "x", "--secret-out", "s", "--force"], more].concat())
}

/// The parts of a container.
const CIPHERTEXT: usize = 3;

/// A file with one thing changed.
fn changed(home: &Home, from: &str, label: &str, to: &str, change: impl FnOnce(&mut Vec<Node>)) {
    let mut node = Node::parse(&pem_decode(&home.read(from)));
    change(node.children_mut());
    home.write_key(to, pem_encode(label, &node.encode()));
}

#[test]
fn files_of_either_sampler_and_any_backend_are_used_alike_in_every_direction() {
    for (set, _, len, ..) in SETS {
        let home = Home::new();
        for (n, of_key) in SAMPLERS.into_iter().enumerate() {
            let name = format!("k{n}");
            keygen(&home, set, &name, of_key);
            let (private, public) = (format!("{name}.key"), format!("{name}.pub"));
            for of_ciphertext in SAMPLERS {
                for format in ["pem", "raw"] {
                    encaps(&home, &public, &[of_ciphertext, &["--format", format]].concat());
                    let back = home.ok(&["decaps", "x", "-k", &private, "--format", format]);
                    assert_eq!(back.stdout, home.read("s"), "{set} {of_key:?} {of_ciphertext:?} {format}");
                    assert_eq!(back.stdout.len(), 32);
                    assert!(format == "pem" || home.read("x").len() == len);
                }
            }
        }
        // Made on one backend and read on another.
        for (maker, reader) in [("scalar", "auto"), ("auto", "soft")] {
            keygen(&home, set, &format!("of-{maker}"), &["--isa", maker]);
            encaps(&home, &format!("of-{maker}.pub"), &["--isa", reader]);
            let back = home.ok(&["decaps", "x", "-k", &format!("of-{maker}.key"), "--isa", maker]);
            assert_eq!(back.stdout, home.read("s"), "{set} {maker} {reader}");
        }
    }
}

#[test]
fn a_key_in_the_key_home_is_found_by_the_ciphertext() {
    let home = Home::new();
    home.ok(&["keygen", "--alg", "NTRU-HPS-2048-677"]);
    home.ok(&["keygen", "--alg", "NTRU_HRSS_701"]);
    let public = home.home().join("ntruhrss701.pub");
    let out = encaps(&home, public.to_str().unwrap(), &[]);
    assert!(out.err().contains("ntruhrss701"), "{out:?}");
    assert_eq!(home.ok(&["decaps", "x"]).stdout, home.read("s"));
    let fingerprint = sha256(&pem_decode(&std::fs::read(&public).unwrap()));
    encaps(&home, &format!("sha256:{fingerprint}"), &[]);
    assert_eq!(home.ok(&["decaps", "x"]).stdout, home.read("s"));
}

// The option.

#[test]
fn the_sampler_is_shuffle_unless_said_otherwise_and_named_where_there_is_one() {
    for (set, _, _, _, _, fixed_weight) in SETS {
        let home = Home::new();
        for (n, (option, name)) in SAMPLERS.into_iter().zip(["shuffle", "shuffle", "sort"]).enumerate() {
            let made = keygen(&home, set, &format!("k{n}"), &[option, &["--json"]].concat());
            let sent = encaps(&home, &format!("k{n}.pub"), &[option, &["--json"]].concat());
            for out in [made, sent] {
                let named = out.json()["results"][0].get("sampler").cloned();
                assert_eq!(named, fixed_weight.then(|| name.into()), "{out:?}");
                // HRSS says that there is nothing to choose, where something was chosen.
                let is_said = out.err().contains("no step of fixed weight");
                assert_eq!(is_said, !fixed_weight && !option.is_empty(), "{out:?}");
            }
        }
    }
}

#[test]
fn sampler_with_another_algorithm_is_exit_2() {
    let home = Home::new();
    for algorithm in ["falcon512", "mlkem768", "kyber512-90s"] {
        let args = ["keygen", "--alg", algorithm, "-o", "k", "--sampler", "shuffle"];
        let out = home.fails_without_traces(2, &args);
        assert!(out.err().contains("--sampler") && out.err().contains(algorithm), "{out:?}");
        // Nor does it make the key home.
        home.fails_without_traces(2, &["keygen", "--alg", algorithm, "--sampler", "sort"]);
        assert!(!home.home().exists());
    }
    home.write("a.pub", &kem_keys().a.public);
    let args = ["encaps", "-p", "a.pub", "-o", "x", "--secret-out", "s", "--sampler", "sort"];
    let out = home.fails_without_traces(2, &args);
    assert!(out.err().contains("--sampler") && out.err().contains("mlkem768"), "{out:?}");
}

#[test]
fn unknown_samplers_and_a_sampler_for_decaps_are_exit_2() {
    let home = Home::new();
    let args = ["keygen", "--alg", "ntruhrss701", "-o", "k", "--sampler", "bubble"];
    let out = home.fails_without_traces(2, &args);
    assert!(out.err().contains("bubble") && out.err().contains("shuffle"), "{out:?}");
    let out = home.fails_without_traces(2, &["decaps", "x", "--sampler", "sort"]);
    assert!(out.err().contains("--sampler"), "{out:?}");
}

#[test]
fn the_family_and_other_schemes_are_explained() {
    let home = Home::new();
    let out = home.fails_without_traces(2, &["keygen", "--alg", "ntru", "-o", "k"]);
    assert!(SETS.iter().all(|(set, ..)| out.err().contains(set)), "{out:?}");
    let out = home.fails_without_traces(2, &["keygen", "--alg", "ntruhrss702", "-o", "k"]);
    assert!(out.err().contains("did you mean ntruhrss701"), "{out:?}");
}

// Layouts.

#[test]
fn keys_have_the_layout_of_bouncy_castle() {
    for (set, arc, public_len, private_len, _, _) in SETS {
        let home = Home::new();
        let made = keygen(&home, set, "k", &[]);
        let identifier = Node::Tree(
            der::SEQUENCE,
            vec![Node::Leaf(der::OID, der::oid(&format!("1.3.6.1.4.1.22554.5.5.{arc}")))],
        );
        let public = pem_decode(&home.read("k.pub"));
        assert!(made.out().contains(&sha256(&public)), "{made:?}");
        let public = Node::parse(&public);
        assert_eq!(public.children()[0], identifier, "{set}");
        // The number of unused bits, and the key.
        assert_eq!(public.children()[1].content().len(), 1 + public_len, "{set}");
        let private = Node::parse(&pem_decode(&home.read("k.key")));
        assert_eq!(private.children().len(), 3);
        assert_eq!(private.children()[1], identifier, "{set}");
        let inner = Node::parse(private.children()[2].content());
        assert_eq!((inner.tag(), inner.content().len()), (der::OCTET_STRING, private_len), "{set}");
        let out = home.ok(&["inspect", "k.key"]);
        assert!(out.line("  layout:").contains("Bouncy Castle"), "{out:?}");
        assert!(out.line("  public matches:").contains("yes"), "{out:?}");
        assert_eq!(home.ok(&["inspect", "--public", "k.key"]).stdout, home.read("k.pub"), "{set}");
        // The key in one OCTET STRING alone is read as well.
        changed(&home, "k.key", "PRIVATE KEY", "bare.key", |parts| {
            let bare = Node::parse(parts[2].content()).content().to_vec();
            *parts[2].content_mut() = bare;
        });
        let out = home.ok(&["inspect", "bare.key"]);
        assert!(out.line("  layout:").contains("bare key"), "{out:?}");
        encaps(&home, "k.pub", &[]);
        assert_eq!(home.ok(&["decaps", "x", "-k", "bare.key"]).stdout, home.read("s"), "{set}");
    }
}

#[test]
fn inspect_names_key_and_ciphertext() {
    for (set, arc, len, ..) in SETS {
        let home = Home::new();
        keygen(&home, set, "k", &[]);
        encaps(&home, "k.pub", &[]);
        for file in ["k.key", "k.pub", "x"] {
            let out = home.ok(&["inspect", file]).out();
            assert!(out.contains(set) && out.contains(&format!("1.3.6.1.4.1.22554.5.5.{arc}")), "{out}");
            assert!(out.contains(&len.to_string()), "{out}");
        }
        encaps(&home, "k.pub", &["--format", "raw"]);
        let out = home.ok(&["inspect", "x"]);
        assert!(out.line("  one of:").contains(set), "{out:?}");
    }
}

#[test]
fn a_key_of_ntru_signs_and_verifies_nothing() {
    let home = Home::with_key();
    keygen(&home, "ntruhps4096821", "k", &[]);
    let out = home.fails_without_traces(2, &["sign", "file", "-k", "k.key"]);
    assert!(out.err().contains("ntruhps4096821") && out.err().contains("signs nothing"), "{out:?}");
    home.ok(&["sign", "file"]);
    let out = home.fails_without_traces(2, &["verify", "file", "-p", "k.pub"]);
    assert!(out.err().contains("ntruhps4096821"), "{out:?}");
}

// What is refused, and what is not.

/// Where there are no spare bits, all of the last byte counts.
#[test]
fn spare_bits_of_public_keys_and_ciphertexts_are_exit_2() {
    for (set, _, _, _, spare, _) in SETS {
        let home = Home::new();
        keygen(&home, set, "k", &[]);
        for bit in 0..spare {
            let mask = 0x80 >> bit;
            changed(&home, "k.pub", "PUBLIC KEY", "y.pub", |parts| {
                *parts[1].content_mut().last_mut().unwrap() |= mask;
            });
            let out =
                home.fails_without_traces(2, &["encaps", "-p", "y.pub", "-o", "x", "--secret-out", "s"]);
            assert!(out.err().contains("y.pub") && out.err().contains("spare bits"), "{out:?}");
            let out = home.fails_without_traces(2, &["inspect", "y.pub"]);
            assert!(out.err().contains("spare bits"), "{out:?}");
        }
        encaps(&home, "k.pub", &[]);
        for bit in 0..spare {
            let mask = 0x80 >> bit;
            changed(&home, "x", "PQC CIPHERTEXT", "y", |parts| {
                *parts[CIPHERTEXT].content_mut().last_mut().unwrap() |= mask;
            });
            let out = home.fails_without_traces(2, &["decaps", "y", "-k", "k.key", "--secret-out", "z"]);
            assert!(out.err().contains("y") && out.err().contains("spare bits"), "{out:?}");
            home.fails_without_traces(2, &["inspect", "y"]);
            let mut raw = Node::parse(&pem_decode(&home.read("x"))).children()[CIPHERTEXT].content().to_vec();
            *raw.last_mut().unwrap() |= mask;
            home.write("raw", &raw);
            let args = ["decaps", "raw", "-k", "k.key", "--format", "raw", "--secret-out", "z"];
            let out = home.fails_without_traces(2, &args);
            assert!(out.err().contains("raw") && out.err().contains("spare bits"), "{out:?}");
        }
    }
}

#[test]
fn wrong_lengths_are_exit_2() {
    for (set, _, len, private_len, _, _) in SETS {
        let home = Home::new();
        keygen(&home, set, "k", &[]);
        encaps(&home, "k.pub", &["--format", "raw"]);
        let resized = |bytes: &mut Vec<u8>, by: i32| match by {
            1 => bytes.push(0),
            _ => drop(bytes.pop()),
        };
        for by in [-1, 1] {
            let mut raw = home.read("x");
            resized(&mut raw, by);
            home.write("y", &raw);
            let args = ["decaps", "y", "-k", "k.key", "--format", "raw", "--secret-out", "z"];
            let out = home.fails_without_traces(2, &args);
            assert!(out.err().contains(&format!("expected {len} bytes")), "{out:?}");
            changed(&home, "k.pub", "PUBLIC KEY", "y.pub", |parts| resized(parts[1].content_mut(), by));
            let out =
                home.fails_without_traces(2, &["encaps", "-p", "y.pub", "-o", "w", "--secret-out", "z"]);
            assert!(out.err().contains(&format!("expected {len} bytes")), "{out:?}");
            changed(&home, "k.key", "PRIVATE KEY", "y.key", |parts| {
                let mut inner = Node::parse(parts[2].content());
                resized(inner.content_mut(), by);
                *parts[2].content_mut() = inner.encode();
            });
            let args = ["decaps", "x", "-k", "y.key", "--format", "raw", "--secret-out", "z"];
            let out = home.fails_without_traces(2, &args);
            assert!(out.err().contains(&private_len.to_string()), "{out:?}");
        }
    }
}

/// A byte of five ternary coefficients that is 243 or more; spare bits of the inverse of h; parts of two keys.
#[test]
fn damaged_private_keys_are_exit_2() {
    for (set, _, len, private_len, spare, _) in SETS {
        let home = Home::new();
        keygen(&home, set, "k", &[]);
        keygen(&home, set, "other", &[]);
        encaps(&home, "k.pub", &[]);
        let ternary_len = (private_len - len - 32) / 2;
        let other = Node::parse(&pem_decode(&home.read("other.key")));
        let other = Node::parse(other.children()[2].content()).content().to_vec();
        let refused = |why: &str, change: &dyn Fn(&mut Vec<u8>)| {
            changed(&home, "k.key", "PRIVATE KEY", "y.key", |parts| {
                let mut inner = Node::parse(parts[2].content());
                change(inner.content_mut());
                *parts[2].content_mut() = inner.encode();
            });
            let out = home.fails_without_traces(2, &["decaps", "x", "-k", "y.key", "--secret-out", "z"]);
            assert!(out.err().contains("y.key") && out.err().contains(why), "{set}: {out:?}");
            home.fails_without_traces(2, &["inspect", "y.key"]);
        };
        for at in [0, ternary_len / 2, ternary_len, 2 * ternary_len - 2] {
            for value in [243, 255] {
                refused("below 243", &|bytes| bytes[at] = value);
            }
        }
        if spare > 0 {
            refused("spare bits", &|bytes| bytes[2 * ternary_len + len - 1] |= 0x80);
        }
        refused("damaged", &|bytes| bytes[..ternary_len].copy_from_slice(&other[..ternary_len]));
        refused("damaged", &|bytes| {
            bytes[2 * ternary_len..].copy_from_slice(&other[2 * ternary_len..]);
        });
    }
}

/// The container's confirmation tells; the bare ciphertext gives the hash of the key for rejection and the ciphertext.
#[test]
fn a_changed_ciphertext_is_exit_1_and_a_bare_one_another_secret() {
    for (set, ..) in SETS {
        let home = Home::new();
        keygen(&home, set, "k", &[]);
        keygen(&home, set, "other", &[]);
        encaps(&home, "k.pub", &[]);
        changed(&home, "x", "PQC CIPHERTEXT", "y", |parts| parts[CIPHERTEXT].content_mut()[100] ^= 0x10);
        let out = home.fails_without_traces(1, &["decaps", "y", "-k", "k.key", "--secret-out", "z"]);
        assert!(out.err().contains("damaged"), "{out:?}");
        home.fails_without_traces(1, &["decaps", "x", "-k", "other.key", "--secret-out", "z"]);
        let raw = Node::parse(&pem_decode(&home.read("y"))).children()[CIPHERTEXT].content().to_vec();
        home.write("raw", &raw);
        let private = Node::parse(&pem_decode(&home.read("k.key")));
        let private = Node::parse(private.children()[2].content()).content().to_vec();
        let expected = sha3::Sha3_256::digest([&private[private.len() - 32..], &raw].concat());
        for isa in ["auto", "scalar"] {
            let out = home.ok(&["decaps", "raw", "-k", "k.key", "--format", "raw", "--isa", isa]);
            assert_eq!(out.stdout, expected.as_slice(), "{set} {isa}");
        }
    }
}
