//! `pqc encaps`, tested from outside.
#![cfg(unix)]

mod common;

use std::fs;
use std::os::unix::fs::symlink;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use common::der::{Node, oid, pem_decode, pem_encode};
use common::*;
use sha3::digest::{ExtendableOutput, Update, XofReader};

const ALL: [&str; 9] = [
    "mlkem512",
    "mlkem768",
    "mlkem1024",
    "kyber512",
    "kyber768",
    "kyber1024",
    "kyber512-90s",
    "kyber768-90s",
    "kyber1024-90s",
];

/// The usual command line.
const ENCAPS: [&str; 7] = ["encaps", "-p", "a.pub", "-o", "x.ct", "--secret-out", "x.ss"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    ENCAPS.iter().copied().chain(more.iter().copied()).collect()
}

// What is written where.

#[test]
fn writes_both_outputs_and_names_them_and_the_key() {
    let home = Home::with_kem_key();
    let out = home.ok(&ENCAPS);
    assert_eq!(out.out(), "ciphertext:  x.ct\nsecret:      x.ss\n");
    assert!(out.err().contains("a.pub") && out.err().contains(&kem_keys().a.fingerprint), "{out:?}");
    assert_eq!(home.read("x.ss").len(), 32);
    assert_eq!(home.ok(&["decaps", "x.ct"]).stdout, home.read("x.ss"));
}

#[test]
fn the_secret_is_0600_under_every_umask_and_the_ciphertext_is_not_secret() {
    for umask in ["000", "022", "077"] {
        let home = Home::with_kem_key();
        let script = format!("umask {umask}; exec \"$0\" \"$@\"");
        home.finish(home.shell(&script, &ENCAPS), b"").expect(0);
        assert_eq!(home.mode("x.ss"), 0o600, "{umask}");
        assert_eq!(home.mode("x.ct"), 0o666 & !u32::from_str_radix(umask, 8).unwrap(), "{umask}");
    }
}

#[test]
fn the_secret_is_0600_from_its_first_moment() {
    if can_trace("the_secret_is_0600_from_its_first_moment", true) {
        assert_0600_from_the_first_moment(&Home::with_kem_key(), &ENCAPS, "x.ss");
    }
}

#[test]
fn every_set_goes_there_and_back_in_both_formats() {
    for algorithm in ALL {
        let home = Home::new();
        let made = home.ok(&["keygen", "--alg", algorithm, "-o", "k"]);
        assert!(made.out().contains("use: pqc encaps -p k.pub "), "{made:?}");
        for format in ["pem", "raw"] {
            let out = home.ok(&[
                "encaps",
                "-p",
                "k.pub",
                "-o",
                "x",
                "--secret-out",
                "s",
                "--format",
                format,
                "--force",
            ]);
            let legacy = algorithm.starts_with("kyber");
            assert_eq!(out.err().matches("legacy").count(), usize::from(legacy), "{out:?}");
            let back = home.ok(&["decaps", "x", "-k", "k.key", "--format", format]);
            assert_eq!(back.err().matches("legacy").count(), usize::from(legacy), "{back:?}");
            assert_eq!(back.stdout, home.read("s"), "{algorithm} {format}");
        }
    }
}

#[test]
fn the_line_that_keygen_prints_works_as_printed() {
    let home = Home::new();
    let out = home.ok(&["keygen", "--alg", "mlkem512", "-o", "it's mine"]);
    let line = out.line("use: ").replacen("use: pqc", "exec \"$0\"", 1);
    home.finish(home.shell(&line, &[] as &[&str]), b"").expect(0);
    assert_eq!(home.listing(), ["CIPHERTEXT", "SECRET", "it's mine.key", "it's mine.pub"]);
}

#[test]
fn two_encapsulations_share_nothing() {
    let home = Home::with_kem_key();
    home.ok(&["encaps", "-p", "a.pub", "-o", "1", "--secret-out", "s1", "--format", "raw"]);
    home.ok(&["encaps", "-p", "a.pub", "-o", "2", "--secret-out", "s2", "--format", "raw"]);
    assert_ne!(home.read("s1"), home.read("s2"));
    assert_ne!(home.read("1"), home.read("2"));
}

#[test]
fn the_container_has_the_documented_parts() {
    let home = Home::with_ciphertext();
    let pem = home.read("x.ct");
    assert!(pem.starts_with(b"-----BEGIN PQC CIPHERTEXT-----\n"));
    let node = Node::parse(&pem_decode(&pem));
    let [version, algorithm, fingerprint, ciphertext, confirmation] = node.children() else {
        panic!("five parts: {node:?}")
    };
    assert_eq!(version.content(), [1]);
    assert_eq!(algorithm.children().len(), 1);
    assert_eq!(algorithm.children()[0].content(), oid("2.16.840.1.101.3.4.4.2"));
    assert_eq!(hex(fingerprint.content()), kem_keys().a.fingerprint);
    assert_eq!(ciphertext.content().len(), 1088);
    let mut hash = sha3::Shake256::default();
    for part in [b"PQC CIPHERTEXT 1: confirmation", &home.read("x.ss")[..], ciphertext.content()] {
        hash.update(part);
    }
    let mut expected = [0; 16];
    hash.finalize_xof().read(&mut expected);
    assert_eq!(confirmation.content(), expected);
}

#[test]
fn raw_is_the_bare_ciphertext() {
    for (algorithm, len) in [("mlkem512", 768), ("mlkem768", 1088), ("mlkem1024", 1568)] {
        let home = Home::new();
        make_pair(&home, algorithm);
        let public = format!("{algorithm}.pub");
        home.ok(&["encaps", "-p", &public, "-o", "x", "--secret-out", "s", "--format", "raw"]);
        assert_eq!(home.read("x").len(), len);
    }
}

#[test]
fn the_secret_as_text_is_one_line() {
    for (encode, decode) in [
        ("hex", (|text| hex(text)) as fn(&[u8]) -> String),
        ("base64", (|text| STANDARD.encode(text)) as fn(&[u8]) -> String),
    ] {
        let home = Home::with_kem_key();
        home.ok(&with(&["--encode", encode]));
        let secret = home.ok(&["decaps", "x.ct"]).stdout;
        assert_eq!(home.read("x.ss"), (decode(&secret) + "\n").into_bytes());
        assert_eq!(home.ok(&["decaps", "x.ct", "--encode", encode]).stdout, home.read("x.ss"));
    }
}

// Standard streams.

#[test]
fn without_o_the_ciphertext_and_nothing_else_goes_to_standard_output() {
    for more in [&[][..], &["-o", "-"]] {
        let home = Home::with_kem_key();
        let args: Vec<&str> =
            ["encaps", "-p", "a.pub", "--secret-out", "s"].into_iter().chain(more.iter().copied()).collect();
        let out = home.ok(&args);
        assert!(out.out().starts_with("-----BEGIN PQC CIPHERTEXT-----\n"), "{out:?}");
        assert!(out.out().ends_with("-----END PQC CIPHERTEXT-----\n"), "{out:?}");
        let back = home.run_with(&["decaps", "-"], &out.stdout).expect(0);
        assert_eq!(back.stdout, home.read("s"));
        assert_eq!(home.listing(), ["a.pub", "s"]);
    }
}

#[test]
fn the_secret_and_nothing_else_goes_to_a_pipe() {
    let home = Home::with_kem_key();
    let out = home.ok(&["encaps", "-p", "a.pub", "-o", "x.ct", "--secret-out", "-"]);
    assert_eq!(out.stdout.len(), 32, "{out:?}");
    assert_eq!(home.ok(&["decaps", "x.ct"]).stdout, out.stdout);
    assert_eq!(home.listing(), ["a.pub", "x.ct"]);
}

#[test]
fn two_outputs_cannot_share_standard_output() {
    let home = Home::with_kem_key();
    for args in [
        &["encaps", "-p", "a.pub", "--secret-out", "-"][..],
        &["encaps", "-p", "a.pub", "-o", "-", "--secret-out", "-"],
        &["encaps", "-p", "a.pub", "--secret-out", "s", "--json"],
        &["encaps", "-p", "a.pub", "-o", "x", "--secret-out", "-", "--json"],
    ] {
        let out = home.fails_without_traces(2, args);
        assert!(out.err().contains("standard output"), "{out:?}");
    }
}

#[test]
fn a_secret_never_goes_to_a_terminal() {
    let test = "a_secret_never_goes_to_a_terminal";
    if !can_make_a_terminal(test) {
        return;
    }
    let home = Home::with_kem_key();
    for line in [
        "\"$PQC\" encaps -p a.pub -o x.ct --secret-out -",
        "\"$PQC\" encaps -p a.pub -o x.ct --secret-out - --encode hex",
        "\"$PQC\" encaps -p a.pub -o x.ct --secret-out - --encode base64 --force",
    ] {
        let out = on_a_terminal(&home, line).expect(2);
        assert!(out.all().contains("terminal"), "{out:?}");
        assert_eq!(home.listing(), ["a.pub"]);
    }
    let out = on_a_terminal(&home, "\"$PQC\" encaps -p a.pub --secret-out s --format raw").expect(2);
    assert!(out.all().contains("terminal") && home.listing() == ["a.pub"], "{out:?}");
    // The device itself, by any name.
    for name in ["/dev/tty", "/dev/stdout", "/dev/stderr", "/dev/fd/1", "/proc/self/fd/1"] {
        on_a_terminal(&home, &format!("\"$PQC\" encaps -p a.pub -o x.ct --secret-out {name} --force"))
            .expect(2);
        assert_eq!(home.listing(), ["a.pub"], "{name}");
    }
    // A ciphertext is public.
    let out = on_a_terminal(&home, "\"$PQC\" encaps -p a.pub --secret-out s").expect(0);
    assert!(out.out().contains("BEGIN PQC CIPHERTEXT"), "{out:?}");
}

#[test]
fn what_cannot_go_to_standard_output_leaves_no_half() {
    let home = Home::with_kem_key();
    let before = snapshot(home.root());
    for args in [
        &["encaps", "-p", "a.pub", "--secret-out", "s"][..],
        &["encaps", "-p", "a.pub", "-o", "x", "--secret-out", "-"],
    ] {
        let out = broken(&home, args, true);
        assert_eq!(out.code, 3, "{out:?}");
        home.unchanged_since(&before, &out);
        if std::path::Path::new("/dev/full").exists() {
            let command = home.shell("exec \"$0\" \"$@\" >/dev/full", args);
            home.command_fails_without_traces(&[3], command, b"");
        }
    }
}

#[test]
fn the_key_is_read_from_standard_input() {
    let home = Home::with_kem_key();
    let args = ["encaps", "-p", "-", "-o", "x.ct", "--secret-out", "s"];
    home.run_with(&args, &kem_keys().a.public).expect(0);
    assert_eq!(home.ok(&["decaps", "x.ct"]).stdout, home.read("s"));
}

// Which key.

#[test]
fn a_pin_takes_the_key_of_the_key_home() {
    let home = Home::with_kem_key();
    home.install(&kem_keys().b, "other");
    home.install(&keys().a, "falcon512");
    let pin = kem_keys().b.pin();
    for (n, pin) in [pin.clone(), pin.to_uppercase().replacen("SHA256", "sha256", 1)].iter().enumerate() {
        let [ct, ss] = [format!("{n}.ct"), format!("{n}.ss")];
        let out = home.ok(&["encaps", "-p", pin, "-o", &ct, "--secret-out", &ss]);
        assert!(out.err().contains("other.pub") && out.err().contains("key home"), "{out:?}");
        assert_eq!(home.ok(&["decaps", &ct]).stdout, home.read(&ss));
    }
}

#[test]
fn a_pin_that_no_key_of_the_home_has_is_exit_2_and_never_the_current_folder() {
    let home = Home::with_kem_key();
    home.write("b.pub", &kem_keys().b.public);
    let pin = kem_keys().b.pin();
    let out = home.fails_without_traces(2, &["encaps", "-p", &pin, "-o", "x", "--secret-out", "s"]);
    assert!(out.err().contains(&kem_keys().b.fingerprint), "{out:?}");
    // A damaged key beside does not matter to a pin.
    fs::write(home.home().join("broken.pub"), "x").unwrap();
    home.ok(&["encaps", "-p", &kem_keys().a.pin(), "-o", "x", "--secret-out", "s"]);
}

#[test]
fn keys_of_the_wrong_kind_are_named() {
    let home = Home::with_kem_key();
    home.write("falcon.pub", &keys().a.public);
    home.write_key("a.key", &kem_keys().a.private);
    home.write_key("falcon.key", &keys().a.private);
    home.write("file", b"x");
    home.ok(&["sign", "file", "-k", "falcon.key"]);
    let encaps = |key| ["encaps", "-p", key, "-o", "x", "--secret-out", "s"];
    for (key, named) in [
        ("falcon.pub", "Falcon-512"),
        ("a.key", "private key"),
        ("file.sig", "SIGNATURE"),
        ("file", "PUBLIC KEY"),
    ] {
        let out = home.fails_without_traces(2, &encaps(key));
        assert!(out.err().contains(named) && out.err().contains(key), "{out:?}");
    }
    home.fails_without_traces(3, &encaps("missing"));
    for (args, named) in [
        (&["sign", "file", "-k", "a.key", "-o", "2"][..], "ML-KEM-768"),
        (&["verify", "file", "-p", "a.pub"], "ML-KEM-768"),
        (&["decaps", "file.sig"], "SIGNATURE"),
    ] {
        let out = home.fails_without_traces(2, args);
        assert!(out.err().contains(named), "{out:?}");
    }
}

#[test]
fn kem_keys_in_the_home_do_not_disturb_signing_and_verifying() {
    let home = Home::with_key();
    home.install(&kem_keys().a, "mlkem768");
    home.install(&kem_keys().legacy, "kyber512");
    home.ok(&["sign", "file"]);
    home.ok(&["verify", "file"]);
    home.ok(&["inspect"]);
}

/// FIPS 203, section 7.2: the modulus check, at the first and the last coefficient, and the length.
#[test]
fn a_key_that_is_not_canonical_is_exit_2_and_writes_nothing() {
    for algorithm in ALL {
        let home = Home::new();
        let pair = make_pair(&home, algorithm);
        let mut node = Node::parse(&pem_decode(&pair.public));
        let len = node.children()[1].content().len();
        // Byte 0 of the BIT STRING counts unused bits; the last 32 are rho.
        for at in [1, len - 32 - 2] {
            let before = node.clone();
            let bits = node.children_mut()[1].content_mut();
            if at == 1 {
                (bits[1], bits[2]) = (0x01, bits[2] & 0xf0 | 0x0d);
            } else {
                (bits[at], bits[at + 1]) = (bits[at] & 0x0f | 0x10, 0xd0);
            }
            home.write("bad.pub", pem_encode("PUBLIC KEY", &node.encode()));
            let out =
                home.fails_without_traces(2, &["encaps", "-p", "bad.pub", "-o", "x", "--secret-out", "s"]);
            assert!(out.err().contains("bad.pub") && out.err().contains("3329"), "{out:?}");
            home.fails_without_traces(2, &["inspect", "bad.pub"]);
            node = before;
        }
        for change in [|bits: &mut Vec<u8>| bits.truncate(bits.len() - 1), |bits: &mut Vec<u8>| bits.push(0)]
        {
            let mut node = node.clone();
            change(node.children_mut()[1].content_mut());
            home.write("bad.pub", pem_encode("PUBLIC KEY", &node.encode()));
            let out =
                home.fails_without_traces(2, &["encaps", "-p", "bad.pub", "-o", "x", "--secret-out", "s"]);
            assert!(out.err().contains("expected") && out.err().contains("found"), "{out:?}");
        }
    }
}

// Overwriting.

#[test]
fn existing_outputs_are_replaced_only_with_force_and_both_or_none() {
    let home = Home::with_kem_key();
    for existing in ["x.ct", "x.ss"] {
        home.write(existing, b"old");
        let out = home.fails_without_traces(2, &ENCAPS);
        assert!(out.err().contains(existing) && out.err().contains("--force"), "{out:?}");
        fs::remove_file(home.path(existing)).unwrap();
    }
    home.write("x.ct", b"old");
    home.write("x.ss", b"old");
    home.chmod(home.path("x.ss"), 0o644);
    home.ok(&with(&["--force"]));
    assert_eq!(home.mode("x.ss"), 0o600);
    assert_eq!(home.ok(&["decaps", "x.ct"]).stdout, home.read("x.ss"));
}

#[test]
fn bug_41_a_private_key_as_output_is_refused_force_or_not() {
    let home = Home::with_kem_key();
    home.write_key("a.key", &kem_keys().a.private);
    for args in [
        ["encaps", "-p", "a.pub", "-o", "a.key", "--secret-out", "s", "--force"],
        ["encaps", "-p", "a.pub", "-o", "x", "--secret-out", "a.key", "--force"],
    ] {
        for args in [&args[..], &args[..7]] {
            let out = home.fails_without_traces(2, args);
            assert!(out.err().contains("private key"), "{out:?}");
        }
    }
}

#[test]
fn outputs_that_are_one_file_or_the_input_are_refused() {
    let home = Home::with_kem_key();
    fs::create_dir(home.path("d")).unwrap();
    for args in [
        ["encaps", "-p", "a.pub", "-o", "x", "--secret-out", "x", "--force"],
        ["encaps", "-p", "a.pub", "-o", "x", "--secret-out", "d/../x", "--force"],
        ["encaps", "-p", "a.pub", "-o", "a.pub", "--secret-out", "s", "--force"],
        ["encaps", "-p", "a.pub", "-o", "x", "--secret-out", "./a.pub", "--force"],
    ] {
        home.fails_without_traces(2, &args);
    }
}

#[test]
fn outputs_that_are_links_folders_or_pipes_are_refused() {
    let home = Home::with_kem_key();
    home.write("victim", b"mine");
    symlink("victim", home.path("link")).unwrap();
    fs::create_dir(home.path("folder")).unwrap();
    mkfifo(&home.path("fifo"));
    for name in ["link", "folder", "fifo"] {
        home.fails_without_traces(2, &["encaps", "-p", "a.pub", "-o", name, "--secret-out", "s", "--force"]);
        home.fails_without_traces(2, &["encaps", "-p", "a.pub", "-o", "x", "--secret-out", name, "--force"]);
    }
    home.fails_without_traces(3, &["encaps", "-p", "a.pub", "-o", "none/x", "--secret-out", "s"]);
    home.fails_without_traces(3, &["encaps", "-p", "a.pub", "-o", "x", "--secret-out", "none/s"]);
}

// What is said.

#[test]
fn json_is_one_object_on_success_and_on_failure() {
    let home = Home::with_kem_key();
    let json = home.ok(&with(&["--json"])).json();
    assert_eq!(json["command"], "encaps");
    let result = &json["results"][0];
    assert_eq!((&result["ciphertext"], &result["secret"]), (&"x.ct".into(), &"x.ss".into()));
    assert_eq!((&result["algorithm"], &result["format"]), (&"mlkem768".into(), &"pem".into()));
    assert_eq!(result["fingerprint"], kem_keys().a.fingerprint);
    assert_eq!((&result["key"], &result["key_source"]), (&"a.pub".into(), &"option".into()));
    let json = home.fails_without_traces(2, &with(&["--json"])).json();
    assert_eq!((&json["error"]["kind"], json["results"].as_array().unwrap().len()), (&"exists".into(), 0));
}

#[test]
fn neither_v_nor_json_tells_the_secret() {
    for more in [&["-v"][..], &["-v", "-v"], &["--json"], &["-v", "--json"], &["-v", "--encode", "hex"]] {
        let home = Home::with_kem_key();
        let out = home.ok(&with(more));
        let secret = home.ok(&["decaps", "x.ct"]).stdout;
        let text = [out.stdout, out.stderr].concat();
        for spelling in [secret.clone(), hex(&secret).into_bytes(), STANDARD.encode(&secret).into_bytes()] {
            assert!(!text.windows(8).any(|window| window == &spelling[..8]), "{more:?}");
        }
    }
}

#[test]
fn q_hides_notes_and_lines_and_no_error() {
    let home = Home::with_kem_key();
    let out = home.ok(&with(&["-q"]));
    assert!(out.all().is_empty(), "{out:?}");
    assert!(home.fails_without_traces(2, &with(&["-q"])).err().contains("--force"));
}

#[test]
fn help_says_what_the_confirmation_costs() {
    let help = Home::new().ok(&["encaps", "--help"]).out();
    for word in ["confirmation", "guess", "--format raw", "label", "authenticates nobody"] {
        assert!(help.contains(word), "{word}: {help}");
    }
}

#[test]
fn every_backend_encapsulates_what_every_other_decapsulates() {
    let home = Home::with_kem_key();
    let list = home.ok(&["list", "--json"]).json();
    let usable = |entry: &&serde_json::Value| {
        entry["kind"] == "backend" && ["in use", "available"].contains(&entry["state"].as_str().unwrap())
    };
    let names: Vec<String> = list["results"]
        .as_array()
        .unwrap()
        .iter()
        .filter(usable)
        .map(|entry| entry["backend"].as_str().unwrap().to_owned())
        .collect();
    assert!(names.len() >= 2, "{names:?}");
    for from in &names {
        home.ok(&with(&["--force", "--isa", from]));
        for to in &names {
            assert_eq!(home.ok(&["decaps", "x.ct", "--isa", to]).stdout, home.read("x.ss"), "{from} {to}");
        }
    }
}

#[test]
fn sixteen_at_once_onto_one_name_leave_one_pair() {
    let home = Home::with_kem_key();
    let outs: Vec<Out> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..16).map(|_| scope.spawn(|| home.run(&ENCAPS))).collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    assert!(outs.iter().any(|out| out.code == 0) && outs.iter().all(|out| matches!(out.code, 0 | 2)));
    assert_eq!(home.listing(), ["a.pub", "x.ct", "x.ss"]);
    assert_eq!(home.ok(&["decaps", "x.ct"]).stdout, home.read("x.ss"));
}
