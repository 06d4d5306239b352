//! `pqc decaps` and the choice of its key, tested from outside.
#![cfg(unix)]

mod common;

use std::fs;
use std::os::unix::fs::symlink;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use common::der::{Node, pem_decode, pem_encode};
use common::*;

/// `x.ct` with its DER changed.
fn changed(home: &Home, name: &str, change: impl FnOnce(&mut Vec<Node>)) {
    let mut node = Node::parse(&pem_decode(&home.read("x.ct")));
    change(node.children_mut());
    home.write(name, pem_encode("PQC CIPHERTEXT", &node.encode()));
}

const FINGERPRINT: usize = 2;
const CIPHERTEXT: usize = 3;
const CONFIRMATION: usize = 4;

// What is written where.

#[test]
fn writes_32_bytes_and_nothing_else_to_a_pipe() {
    let home = Home::with_ciphertext();
    let out = home.ok(&["decaps", "x.ct"]);
    assert_eq!(out.stdout, home.read("x.ss"));
    assert_eq!(out.stdout.len(), 32);
    assert_eq!(home.ok(&["decaps", "x.ct", "--secret-out", "-"]).stdout, out.stdout);
    assert_eq!(home.listing(), ["a.pub", "x.ct", "x.ss"]);
}

#[test]
fn secret_out_names_a_file_of_mode_0600() {
    for umask in ["000", "022", "077"] {
        let home = Home::with_ciphertext();
        let script = format!("umask {umask}; exec \"$0\" \"$@\"");
        let out = home.finish(home.shell(&script, &["decaps", "x.ct", "--secret-out", "s"]), b"").expect(0);
        assert_eq!(out.out(), "x.ct -> s\n");
        assert_eq!((home.mode("s"), home.read("s")), (0o600, home.read("x.ss")));
    }
}

#[test]
fn the_secret_is_0600_from_its_first_moment() {
    if can_trace("the_secret_is_0600_from_its_first_moment", true) {
        assert_0600_from_the_first_moment(
            &Home::with_ciphertext(),
            &["decaps", "x.ct", "--secret-out", "s"],
            "s",
        );
    }
}

#[test]
fn a_secret_never_goes_to_a_terminal() {
    let test = "a_secret_never_goes_to_a_terminal";
    if !can_make_a_terminal(test) {
        return;
    }
    let home = Home::with_ciphertext();
    let secret = home.read("x.ss");
    for more in
        ["", "--secret-out -", "--encode hex", "--encode base64", "--secret-out /dev/tty", "--force -v"]
    {
        let out = on_a_terminal(&home, &format!("\"$PQC\" decaps x.ct {more}")).expect(2);
        for spelling in [secret.clone(), hex(&secret).into_bytes(), STANDARD.encode(&secret).into_bytes()] {
            assert!(!out.stdout.windows(8).any(|window| window == &spelling[..8]), "{out:?}");
        }
    }
    let out = on_a_terminal(&home, "\"$PQC\" decaps x.ct").expect(2);
    assert!(out.all().contains("terminal") && out.all().contains("--secret-out"), "{out:?}");
    on_a_terminal(&home, "\"$PQC\" decaps x.ct --secret-out s").expect(0);
    assert_eq!(home.read("s"), secret);
}

#[test]
fn a_file_that_others_can_read_as_standard_output_gets_a_warning() {
    let home = Home::with_ciphertext();
    for (umask, warned) in [("022", true), ("077", false)] {
        let script = format!("umask {umask}; exec \"$0\" \"$@\" >out.{umask}");
        let out = home.finish(home.shell(&script, &["decaps", "x.ct"]), b"").expect(0);
        assert_eq!(out.err().contains("others can read"), warned, "{out:?}");
        assert_eq!(home.read(format!("out.{umask}")), home.read("x.ss"));
    }
}

#[test]
fn dash_reads_the_ciphertext_or_the_key_from_standard_input_and_not_both() {
    let home = Home::with_ciphertext();
    let secret = home.read("x.ss");
    assert_eq!(home.run_with(&["decaps", "-"], &home.read("x.ct")).expect(0).stdout, secret);
    let out = home.run_with(&["decaps", "x.ct", "-k", "-"], &kem_keys().a.private).expect(0);
    assert_eq!(out.stdout, secret);
    home.fails_without_traces(2, &["decaps", "-", "-k", "-"]);
    home.write_key("a.key", &kem_keys().a.private);
    let command = home.shell("exec \"$0\" \"$@\" 5<a.key", &["decaps", "x.ct", "-k", "/dev/fd/5"]);
    assert_eq!(home.finish(command, b"").expect(0).stdout, secret);
}

// Which key.

#[test]
fn the_key_home_gives_the_key_that_the_ciphertext_names() {
    let home = Home::with_ciphertext();
    home.install(&kem_keys().b, "another");
    home.install(&kem_keys().small, "mlkem512");
    home.install(&kem_keys().legacy, "kyber512");
    home.install(&keys().a, "falcon512");
    let out = home.ok(&["decaps", "x.ct"]);
    assert_eq!(out.stdout, home.read("x.ss"));
    assert!(out.err().contains("mlkem768.key") && out.err().contains("key home"), "{out:?}");
    assert!(out.err().contains(&kem_keys().a.fingerprint), "{out:?}");
}

#[test]
fn k_wins_over_pqc_key_wins_over_the_key_home() {
    let home = Home::with_ciphertext();
    home.write_key("a.key", &kem_keys().a.private);
    home.write_key("b.key", &kem_keys().b.private);
    let run = |args: &[&str], variable: &str| {
        let mut command = home.command();
        command.args(args).env("PQC_KEY", variable);
        home.finish(command, b"")
    };
    let out = run(&["decaps", "x.ct"], "a.key").expect(0);
    assert!(out.err().contains("a.key") && out.err().contains("PQC_KEY"), "{out:?}");
    run(&["decaps", "x.ct", "-k", "a.key"], "b.key").expect(0);
    run(&["decaps", "x.ct", "-k", "b.key"], "a.key").expect(1);
    // Set and unusable is an error and no fallback; empty is unset.
    run(&["decaps", "x.ct"], "missing").expect(3);
    run(&["decaps", "x.ct"], "x.ct").expect(2);
    run(&["decaps", "x.ct"], "").expect(0);
}

#[test]
fn no_key_for_the_ciphertext_is_exit_2_and_names_its_fingerprint() {
    let home = Home::with_ciphertext();
    for name in ["mlkem768.key", "mlkem768.pub"] {
        fs::remove_file(home.home().join(name)).unwrap();
    }
    home.write_key("mlkem768.key", &kem_keys().a.private);
    home.install(&kem_keys().b, "b");
    let out = home.fails_without_traces(2, &["decaps", "x.ct"]);
    assert!(out.err().contains(&kem_keys().a.fingerprint) && out.err().contains("-k"), "{out:?}");
}

#[test]
fn a_damaged_key_in_the_home_is_an_error_and_not_skipped() {
    let home = Home::with_ciphertext();
    fs::write(home.home().join("zz.key"), b"damaged").unwrap();
    let out = home.fails_without_traces(2, &["decaps", "x.ct"]);
    assert!(out.err().contains("zz.key"), "{out:?}");
    let key = home.home().join("mlkem768.key");
    home.ok(&["decaps", "x.ct", "-k", key.to_str().unwrap()]);
}

#[test]
fn a_raw_ciphertext_takes_the_only_key_that_decapsulates() {
    let home = Home::with_kem_key();
    home.install(&keys().a, "falcon512");
    home.ok(&["encaps", "-p", "a.pub", "-o", "x", "--secret-out", "s", "--format", "raw"]);
    let raw = ["decaps", "x", "--format", "raw"];
    assert_eq!(home.ok(&raw).stdout, home.read("s"));
    home.install(&kem_keys().b, "another one");
    let out = home.fails_without_traces(2, &raw);
    for pair in [&kem_keys().a, &kem_keys().b] {
        let line = out.err().lines().find(|line| line.contains(&pair.fingerprint)).map(str::to_owned);
        let line = line.unwrap_or_else(|| panic!("{out:?}"));
        let (option, _) = line.trim().split_once(" (").unwrap();
        let script = format!("exec \"$0\" \"$@\" {option}");
        home.finish(home.shell(&script, &raw), b"").expect(0);
    }
    assert!(!out.err().contains("falcon"), "{out:?}");
    fs::remove_dir_all(home.home()).unwrap();
    assert!(home.fails_without_traces(2, &raw).err().contains("mlkem768"));
}

#[test]
fn a_missing_key_or_ciphertext_is_exit_3() {
    let home = Home::with_ciphertext();
    home.fails_without_traces(3, &["decaps", "missing"]);
    home.fails_without_traces(3, &["decaps", "x.ct", "-k", "missing"]);
    home.fails_without_traces(3, &["decaps", "."]);
}

#[test]
fn a_key_that_others_can_read_gets_a_warning() {
    let home = Home::with_ciphertext();
    home.write("open.key", &kem_keys().a.private);
    home.chmod(home.path("open.key"), 0o644);
    assert!(home.ok(&["decaps", "x.ct", "-k", "open.key"]).err().contains("chmod 600"));
}

// Wrong keys, damaged ciphertexts.

#[test]
fn a_wrong_key_is_exit_1_and_writes_nothing() {
    let home = Home::with_ciphertext();
    home.write_key("b.key", &kem_keys().b.private);
    home.write_key("small.key", &kem_keys().small.private);
    for key in ["b.key", "small.key"] {
        for more in [&[][..], &["--secret-out", "s"], &["--json", "--secret-out", "s"]] {
            let args: Vec<&str> =
                ["decaps", "x.ct", "-k", key].into_iter().chain(more.iter().copied()).collect();
            let out = home.fails_without_traces(1, &args);
            assert!(out.err().contains("x.ct") && out.err().contains(&kem_keys().a.fingerprint), "{out:?}");
            assert!(out.stdout.is_empty() || more.contains(&"--json"), "{out:?}");
        }
    }
    // Under the name of the key at hand, the confirmation decides.
    changed(&home, "y.ct", |parts| {
        let fingerprint =
            (0..32).map(|i| u8::from_str_radix(&kem_keys().b.fingerprint[2 * i..2 * i + 2], 16).unwrap());
        *parts[FINGERPRINT].content_mut() = fingerprint.collect();
    });
    let out = home.fails_without_traces(1, &["decaps", "y.ct", "-k", "b.key"]);
    assert!(out.stdout.is_empty() && out.err().contains("damaged"), "{out:?}");
}

#[test]
fn every_changed_bit_of_ciphertext_and_confirmation_is_exit_1() {
    let home = Home::with_ciphertext();
    for (part, len) in [(CIPHERTEXT, 1088), (CONFIRMATION, 16)] {
        for bit in (0..len * 8).step_by(if part == CIPHERTEXT { 241 } else { 1 }).chain([len * 8 - 1]) {
            changed(&home, "y.ct", |parts| parts[part].content_mut()[bit / 8] ^= 1 << (bit % 8));
            let out = home.fails_without_traces(1, &["decaps", "y.ct", "--secret-out", "s"]);
            assert!(out.stdout.is_empty() && out.err().contains("y.ct"), "{out:?}");
        }
    }
    // With the key named, a changed fingerprint is another key's.
    let key = home.home().join("mlkem768.key");
    changed(&home, "y.ct", |parts| parts[FINGERPRINT].content_mut()[31] ^= 1);
    home.fails_without_traces(1, &["decaps", "y.ct", "-k", key.to_str().unwrap()]);
    home.fails_without_traces(2, &["decaps", "y.ct"]);
}

#[test]
fn no_damage_of_a_ciphertext_file_gives_a_secret_or_crashes() {
    let home = Home::new();
    home.install(&kem_keys().small, "mlkem512");
    home.write("s.pub", &kem_keys().small.public);
    home.ok(&["encaps", "-p", "s.pub", "-o", "x.ct", "--secret-out", "x.ss"]);
    let whole = home.read("x.ct");
    let before = {
        home.write("y.ct", b"");
        snapshot(home.root())
    };
    let refused = |bytes: &[u8], what: &str| {
        home.write("y.ct", bytes);
        let out = home.run(&["decaps", "y.ct"]);
        assert!(matches!(out.code, 1 | 2) && out.stdout.is_empty(), "{what}: {out:?}");
    };
    for at in (0..whole.len()).step_by(3) {
        let mut bytes = whole.clone();
        // Another letter of the alphabet, another line end, another dash.
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        refused(&bytes, &format!("byte {at} changed"));
    }
    for len in (0..whole.len() - 1).step_by(37) {
        refused(&whole[..len], &format!("cut to {len}"));
    }
    refused(&[&whole[..], &whole].concat(), "twice");
    home.write("y.ct", b"");
    assert_eq!(snapshot(home.root()), before);
    // What PEM allows is read.
    let text = String::from_utf8(whole.clone()).unwrap();
    for good in [text.replace('\n', "\r\n"), format!("before\n{text}after\n"), text.trim_end().to_owned()] {
        home.write("y.ct", good);
        assert_eq!(home.ok(&["decaps", "y.ct"]).stdout, home.read("x.ss"));
    }
}

#[test]
fn containers_that_are_not_as_written_are_malformed() {
    let home = Home::with_ciphertext();
    let key = home.home().join("mlkem768.key");
    let key = key.to_str().unwrap();
    let malformed = |change: &dyn Fn(&mut Vec<Node>)| {
        changed(&home, "y.ct", change);
        let out = home.fails_without_traces(2, &["decaps", "y.ct", "-k", key]);
        assert!(out.err().contains("y.ct"), "{out:?}");
    };
    malformed(&|parts| parts[0].content_mut()[0] = 2);
    malformed(&|parts| drop(parts.pop()));
    malformed(&|parts| parts.push(Node::Leaf(4, vec![0])));
    malformed(&|parts| parts[FINGERPRINT].content_mut().push(0));
    malformed(&|parts| parts[FINGERPRINT].content_mut().truncate(31));
    malformed(&|parts| parts[CIPHERTEXT].content_mut().push(0));
    malformed(&|parts| parts[CIPHERTEXT].content_mut().truncate(1087));
    malformed(&|parts| parts[CONFIRMATION].content_mut().push(0));
    malformed(&|parts| parts[CONFIRMATION].content_mut().truncate(15));
    malformed(&|parts| parts[1].children_mut().push(Node::Leaf(der::NULL, vec![])));
    malformed(&|parts| *parts[1].children_mut()[0].content_mut() = der::oid("1.3.9999.3.11"));
    malformed(&|parts| *parts[1].children_mut()[0].content_mut() = der::oid("1.2.3.4"));
    // A container of another set: its length is wrong; with a right one it is another algorithm's.
    malformed(&|parts| *parts[1].children_mut()[0].content_mut() = der::oid("2.16.840.1.101.3.4.4.1"));
    changed(&home, "y.ct", |parts| {
        *parts[1].children_mut()[0].content_mut() = der::oid("1.3.6.1.4.1.25258.1.7.2");
    });
    let out = home.fails_without_traces(1, &["decaps", "y.ct", "-k", key]);
    assert!(out.err().contains("kyber768") && out.err().contains("mlkem768"), "{out:?}");
}

// Raw.

#[test]
fn a_raw_ciphertext_is_read_only_where_that_was_said() {
    let home = Home::with_ciphertext();
    let node = Node::parse(&pem_decode(&home.read("x.ct")));
    home.write("raw", node.children()[CIPHERTEXT].content());
    home.write("der", node.encode());
    let body = String::from_utf8(home.read("x.ct")).unwrap();
    home.write("base64", body.lines().filter(|line| !line.starts_with('-')).collect::<Vec<_>>().join("\n"));
    assert_eq!(home.ok(&["decaps", "raw", "--format", "raw"]).stdout, home.read("x.ss"));
    for name in ["raw", "der"] {
        let out = home.fails_without_traces(2, &["decaps", name]);
        assert!(out.err().contains("--format raw"), "{out:?}");
    }
    home.fails_without_traces(2, &["decaps", "base64"]);
    // A container, whole or stripped, is never taken for a bare one.
    for name in ["x.ct", "der", "base64"] {
        home.fails_without_traces(2, &["decaps", name, "--format", "raw"]);
    }
    let out = home.fails_without_traces(2, &["decaps", "x.ct", "--format", "raw"]);
    assert!(out.err().contains("PQC CIPHERTEXT"), "{out:?}");
}

#[test]
fn a_raw_ciphertext_of_another_length_is_exit_2() {
    let home = Home::with_kem_key();
    for len in [0, 1, 31, 32, 768, 1087, 1089, 1568, 65536] {
        home.write("x", vec![7; len]);
        let out = home.fails_without_traces(2, &["decaps", "x", "--format", "raw", "--secret-out", "s"]);
        assert!(out.err().contains(&format!("found {len}")), "{out:?}");
    }
}

/// Implicit rejection, as the standard says: no error, and the same other secret each time.
#[test]
fn a_damaged_raw_ciphertext_gives_another_secret() {
    let home = Home::with_kem_key();
    home.ok(&["encaps", "-p", "a.pub", "-o", "x", "--secret-out", "s", "--format", "raw"]);
    let mut seen = vec![home.read("s")];
    for bit in [0, 4000, 8703] {
        let mut bytes = home.read("x");
        bytes[bit / 8] ^= 1 << (bit % 8);
        home.write("y", &bytes);
        let out = home.ok(&["decaps", "y", "--format", "raw"]);
        assert!(!seen.contains(&out.stdout));
        assert_eq!(home.ok(&["decaps", "y", "--format", "raw", "--isa", "scalar"]).stdout, out.stdout);
        seen.push(out.stdout);
    }
}

// Keys of other programs, and damaged ones.

#[test]
fn every_form_of_openssl_and_botan_is_read() {
    let home = Home::new();
    let decapsulates = |key: &str, stem: &str| {
        home.write_key("k.key", peer(key));
        home.write("c", peer(&format!("{stem}.ct.bin")));
        let out = home.ok(&["decaps", "c", "-k", "k.key", "--format", "raw"]);
        assert_eq!(out.stdout, peer(&format!("{stem}.ss.bin")), "{key}");
        // The public file of the peer is the one that belongs to it, to the byte.
        let public = home.ok(&["inspect", "--public", "k.key"]);
        assert_eq!(public.out(), String::from_utf8(peer(&format!("{stem}.pub"))).unwrap(), "{key}");
        home.ok(&["inspect", "k.key"])
    };
    for (form, name, seed) in [
        ("seed-only", "RFC 9935, seed", "yes"),
        ("priv-only", "RFC 9935, expanded key", "no"),
        ("both", "RFC 9935, seed and expanded key", "yes"),
        ("bare-seed", "bare seed", "yes"),
        ("bare-priv", "bare expanded key", "no"),
    ] {
        let out = decapsulates(&format!("openssl/mlkem512-{form}.pem"), "openssl/mlkem512");
        assert!(out.line("  layout:").contains(name), "{out:?}");
        assert!(out.line("  seed inside:").contains(seed) && out.line("  public matches:").contains("yes"));
    }
    for stem in ["openssl/mlkem768", "openssl/mlkem1024"] {
        decapsulates(&format!("{stem}-seed-only.pem"), stem);
    }
    for stem in ["botan/kyber512", "botan/kyber512-90s"] {
        let out = decapsulates(&format!("{stem}.pem"), stem);
        assert!(out.line("  layout:").contains("bare expanded key"), "{out:?}");
    }
}

#[test]
fn a_key_whose_parts_do_not_belong_together_is_exit_2() {
    let home = Home::new();
    home.write("c", peer("openssl/mlkem512.ct.bin"));
    let refused = |name: &str, at_from_end: usize| {
        let mut node = Node::parse(&pem_decode(&peer(&format!("openssl/mlkem512-{name}.pem"))));
        let content = node.children_mut()[2].content_mut();
        let at = content.len() - 1 - at_from_end;
        content[at] ^= 1;
        home.write_key("k.key", pem_encode("PRIVATE KEY", &node.encode()));
        let args = ["decaps", "c", "-k", "k.key", "--format", "raw", "--secret-out", "s"];
        let out = home.fails_without_traces(2, &args);
        assert!(out.err().contains("k.key") && out.err().contains("damaged"), "{out:?}");
        home.fails_without_traces(2, &["inspect", "k.key"]);
    };
    // Seed and expanded key: z, the hash, the public half, s; and z and d of the seed.
    for at in [0, 31, 32, 64, 800, 1631, 1632 + 4, 1632 + 4 + 32, 1632 + 4 + 63] {
        refused("both", at);
    }
    // The expanded key alone: the hash and what it is of (FIPS 203, section 7.3).
    for form in ["priv-only", "bare-priv"] {
        for at in [32, 63, 64, 800, 863] {
            refused(form, at);
        }
    }
}

/// Another public half with its right hash passes the checks of FIPS 203 (section 7.3): the pair is tried.
#[test]
fn a_public_half_that_does_not_match_is_refused_and_inspect_says_so() {
    let home = Home::new();
    let content = |path: &str| Node::parse(&pem_decode(&peer(path)));
    let mut mine = content("openssl/mlkem512-bare-priv.pem");
    home.write_key("both.key", peer("openssl/mlkem512-both.pem"));
    home.ok(&["keygen", "--alg", "mlkem512", "-o", "other"]);
    let public = Node::parse(&pem_decode(&home.read("other.pub")));
    let public = &public.children()[1].content()[1..];
    let expanded = mine.children_mut()[2].content_mut();
    expanded[768..1568].copy_from_slice(public);
    let hash: [u8; 32] = {
        use sha3::Digest;
        sha3::Sha3_256::digest(public).into()
    };
    expanded[1568..1600].copy_from_slice(&hash);
    home.write_key("k.key", pem_encode("PRIVATE KEY", &mine.encode()));
    let out = home.fails_without_traces(2, &["inspect", "k.key"]);
    assert!(out.line("  public matches:").contains("no"), "{out:?}");
    home.write("c", peer("openssl/mlkem512.ct.bin"));
    let args = ["decaps", "c", "-k", "k.key", "--format", "raw", "--secret-out", "s"];
    let out = home.fails_without_traces(2, &args);
    assert!(out.err().contains("private half does not belong to its public half"), "{out:?}");
}

#[test]
fn keys_and_ciphertexts_of_the_wrong_kind_are_named() {
    let home = Home::with_ciphertext();
    home.write_key("falcon.key", &keys().a.private);
    home.write("file", b"text\n");
    home.ok(&["sign", "file", "-k", "falcon.key"]);
    for (args, named) in [
        (&["decaps", "x.ct", "-k", "falcon.key"][..], "Falcon-512"),
        (&["decaps", "x.ct", "-k", "a.pub"], "public key"),
        (&["decaps", "x.ct", "-k", "x.ct"], "CIPHERTEXT"),
        (&["decaps", "a.pub"], "public key"),
        (&["decaps", "file.sig"], "SIGNATURE"),
        (&["decaps", "file"], "PQC CIPHERTEXT"),
        (&["verify", "file", "-s", "x.ct"], "CIPHERTEXT"),
    ] {
        let out = home.fails_without_traces(2, args);
        assert!(out.all().contains(named), "{named}: {out:?}");
    }
}

// Overwriting.

#[test]
fn an_existing_file_is_replaced_only_with_force_and_a_private_key_never() {
    let home = Home::with_ciphertext();
    home.write("s", b"old");
    home.chmod(home.path("s"), 0o644);
    home.write_key("b.key", &kem_keys().b.private);
    symlink("s", home.path("link")).unwrap();
    fs::create_dir(home.path("folder")).unwrap();
    let to = |name| ["decaps", "x.ct", "--secret-out", name, "--force"];
    assert!(home.fails_without_traces(2, &to("s")[..4]).err().contains("--force"));
    for name in ["b.key", "link", "folder", "x.ct", "./x.ct", "/dev/stdout"] {
        home.fails_without_traces(2, &to(name));
        home.fails_without_traces(2, &to(name)[..4]);
    }
    home.fails_without_traces(3, &to("none/s"));
    home.ok(&to("s"));
    assert_eq!((home.mode("s"), home.read("s")), (0o600, home.read("x.ss")));
}

#[test]
fn a_failing_decaps_leaves_the_old_secret_force_or_not() {
    let home = Home::with_ciphertext();
    home.write("s", b"old");
    changed(&home, "y.ct", |parts| parts[CONFIRMATION].content_mut()[0] ^= 1);
    home.fails_without_traces(1, &["decaps", "y.ct", "--secret-out", "s", "--force"]);
}

// What is said.

#[test]
fn json_is_one_object_on_success_and_on_failure() {
    let home = Home::with_ciphertext();
    let json = home.ok(&["decaps", "x.ct", "--secret-out", "s", "--json"]).json();
    assert_eq!(json["command"], "decaps");
    let result = &json["results"][0];
    assert_eq!((&result["file"], &result["secret"]), (&"x.ct".into(), &"s".into()));
    assert_eq!((&result["algorithm"], &result["confirmed"]), (&"mlkem768".into(), &true.into()));
    assert_eq!(
        (&result["fingerprint"], &result["key_source"]),
        (&kem_keys().a.fingerprint.clone().into(), &"key-home".into())
    );
    changed(&home, "y.ct", |parts| parts[CONFIRMATION].content_mut()[0] ^= 1);
    let json = home.fails_without_traces(1, &["decaps", "y.ct", "--secret-out", "t", "--json"]).json();
    assert_eq!(json["error"]["kind"], "not-valid");
    let out = home.fails_without_traces(2, &["decaps", "x.ct", "--json"]);
    assert!(out.json()["error"]["message"].as_str().unwrap().contains("--secret-out"));
}

#[test]
fn neither_v_nor_json_tells_the_secret() {
    let home = Home::with_ciphertext();
    let secret = home.read("x.ss");
    for more in [&["-v"][..], &["-v", "-v"], &["--json"], &["-v", "--json"], &["-v", "--encode", "base64"]] {
        let args: Vec<&str> = ["decaps", "x.ct", "--secret-out", "s", "--force"]
            .into_iter()
            .chain(more.iter().copied())
            .collect();
        let out = home.ok(&args);
        let text = [out.stdout, out.stderr].concat();
        for spelling in [secret.clone(), hex(&secret).into_bytes(), STANDARD.encode(&secret).into_bytes()] {
            assert!(!text.windows(8).any(|window| window == &spelling[..8]), "{more:?}");
        }
    }
}

#[test]
fn legacy_is_said_once_and_nothing_of_it_for_ml_kem() {
    let home = Home::new();
    home.install(&kem_keys().legacy, "kyber512");
    home.write("l.pub", &kem_keys().legacy.public);
    home.ok(&["encaps", "-p", "l.pub", "-o", "x.ct", "--secret-out", "x.ss"]);
    let out = home.ok(&["decaps", "x.ct"]);
    assert_eq!(out.err().matches("legacy").count(), 1, "{out:?}");
    assert!(out.err().contains("mlkem512"), "{out:?}");
    assert!(!Home::with_ciphertext().ok(&["decaps", "x.ct"]).err().contains("legacy"));
}

#[test]
fn a_broken_pipe_keeps_the_exit_code() {
    let home = Home::with_ciphertext();
    changed(&home, "y.ct", |parts| parts[CONFIRMATION].content_mut()[0] ^= 1);
    for stdout in [true, false] {
        broken(&home, &["decaps", "x.ct"], stdout).expect(0);
        broken(&home, &["decaps", "x.ct", "--secret-out", "s", "--force"], stdout).expect(0);
        broken(&home, &["decaps", "y.ct"], stdout).expect(1);
    }
    assert_eq!(home.read("s"), home.read("x.ss"));
    if std::path::Path::new("/dev/full").exists() {
        let command = home.shell("exec \"$0\" \"$@\" >/dev/full", &["decaps", "x.ct"]);
        home.command_fails_without_traces(&[3], command, b"");
    }
}

#[test]
fn everything_works_in_a_home_that_is_read_only() {
    let home = Home::with_ciphertext();
    home.chmod(home.home(), 0o500);
    if let Some(mut command) = as_nobody(&home, "everything_works_in_a_home_that_is_read_only") {
        command.args(["decaps", "x.ct"]);
        assert_eq!(home.finish(command, b"").expect(0).stdout, home.read("x.ss"));
    }
    home.chmod(home.home(), 0o700);
}

#[test]
fn odd_file_names_are_printed_escaped_on_one_line() {
    let home = Home::with_ciphertext();
    for name in [&b"new\nline"[..], b"esc\x1b[31m", b"\xff\xfe", b"-dash", b"two words"] {
        let name = os(name);
        home.write(&name, home.read("x.ct"));
        let mut command = home.command();
        command.args(["decaps", "--secret-out", "s", "--force", "--"]).arg(&name);
        let out = home.finish(command, b"").expect(0);
        assert_eq!(out.out().lines().count(), 1, "{out:?}");
        assert_printable(&out);
    }
}
