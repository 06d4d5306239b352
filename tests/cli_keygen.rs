//! `pqc keygen` and the choice of the key home, tested from outside.
#![cfg(unix)]

mod common;

use std::fs;
use std::os::unix::fs::symlink;
use std::thread;

use common::der::{self, Node};
use common::*;

fn mode_of(path: &std::path::Path) -> u32 {
    use std::os::unix::fs::MetadataExt;
    path.symlink_metadata().unwrap().mode() & 0o7777
}

#[test]
fn without_o_the_pair_goes_to_the_key_home_under_the_algorithms_name() {
    let home = Home::new();
    home.ok(&["keygen", "--alg", "falcon512"]);
    assert_eq!(listing(&home.home()), ["falcon512.key", "falcon512.pub"]);
    assert!(home.listing().is_empty(), "nothing is written to the current folder");
}

#[test]
fn with_o_the_pair_goes_beside_and_the_key_home_is_not_made() {
    let home = Home::new();
    home.ok(&["keygen", "--alg", "falcon512", "-o", "mine"]);
    assert_eq!(home.listing(), ["mine.key", "mine.pub"]);
    assert!(!home.home().exists());
}

#[test]
fn prints_algorithm_fingerprint_and_both_paths() {
    let home = Home::new();
    let out = home.ok(&["keygen", "--alg", "falcon512"]).out();
    let public = fs::read(home.home().join("falcon512.pub")).unwrap();
    assert!(out.contains("falcon512"), "{out}");
    assert!(out.contains(&sha256(&der::pem_decode(&public))), "{out}");
    assert!(out.contains(home.home().join("falcon512.key").to_str().unwrap()), "{out}");
    assert!(out.contains(home.home().join("falcon512.pub").to_str().unwrap()), "{out}");
}

#[test]
fn with_o_prints_the_line_that_uses_the_key() {
    let home = Home::new();
    let out = home.ok(&["keygen", "--alg", "falcon512", "-o", "mine"]);
    assert!(out.all().contains("use: pqc sign -k mine.key FILE"), "{out:?}");
}

#[test]
fn the_line_that_uses_the_key_works_as_printed() {
    let home = Home::new();
    home.ok(&["keygen", "--alg", "falcon512", "-o", "mine"]);
    home.write("FILE", b"x");
    home.ok(&["sign", "-k", "mine.key", "FILE"]);
    home.ok(&["verify", "-p", "mine.pub", "FILE"]);
}

#[test]
fn the_private_key_is_0600_under_every_umask() {
    for umask in ["000", "022", "077"] {
        let home = Home::new();
        let script = format!("umask {umask}; exec \"$0\" \"$@\"");
        home.finish(home.shell(&script, &["keygen", "--alg", "falcon512", "-o", "k"]), b"").expect(0);
        assert_eq!(home.mode("k.key"), 0o600, "umask {umask}");
        home.finish(home.shell(&script, &["keygen", "--alg", "falcon512"]), b"").expect(0);
        assert_eq!(mode_of(&home.home().join("falcon512.key")), 0o600, "umask {umask}");
    }
}

#[test]
fn the_key_home_is_0700_under_every_umask() {
    for umask in ["000", "022", "077"] {
        let home = Home::new();
        let script = format!("umask {umask}; exec \"$0\" \"$@\"");
        home.finish(home.shell(&script, &["keygen", "--alg", "falcon512"]), b"").expect(0);
        assert_eq!(mode_of(&home.home()), 0o700, "umask {umask}");
    }
}

#[test]
fn the_public_key_can_be_read_by_others() {
    let home = Home::new();
    home.finish(
        home.shell("umask 022; exec \"$0\" \"$@\"", &["keygen", "--alg", "falcon512", "-o", "k"]),
        b"",
    )
    .expect(0);
    assert_eq!(home.mode("k.pub"), 0o644);
}

/// Reliability, bug 50: private keys that the world could read until a later chmod.
#[test]
fn bug_50_the_private_key_is_0600_from_its_first_moment() {
    if can_trace("bug_50_the_private_key_is_0600_from_its_first_moment", true) {
        let home = Home::new();
        assert_0600_from_the_first_moment(&home, &["keygen", "--alg", "falcon512", "-o", "k"], "k.key");
    }
}

#[test]
fn grep_base64_sha256sum_gives_the_fingerprint() {
    let home = Home::new();
    let printed = home.ok(&["keygen", "--alg", "falcon512", "-o", "K"]).out();
    let script = "grep -v -e ----- K.pub | base64 -d | sha256sum";
    let out = finish(home.shell::<&str>(script, &[]), b"").expect(0).out();
    let fingerprint = out.split_whitespace().next().unwrap();
    assert_eq!(fingerprint.len(), 64);
    assert!(printed.contains(fingerprint), "{printed}{fingerprint}");
}

#[test]
fn says_on_standard_error_that_the_key_is_unprotected() {
    let err = Home::new().ok(&["keygen", "--alg", "falcon512"]).err().to_lowercase();
    assert!(
        err.contains("unprotected") || err.contains("not protected") || err.contains("password"),
        "{err}"
    );
}

#[test]
fn two_keys_differ() {
    assert_ne!(keys().a.fingerprint, keys().b.fingerprint);
    assert_ne!(keys().a.private, keys().b.private);
}

/// Reliability, bug 41: keys overwritten without a question.
#[test]
fn bug_41_a_private_key_is_never_overwritten_force_or_not() {
    let home = Home::with_key();
    for args in [&["keygen", "--alg", "falcon512"][..], &["keygen", "--alg", "falcon512", "--force"]] {
        let out = home.fails_without_traces(2, args);
        assert!(out.err().contains("mv "), "the message gives the mv: {out:?}");
        assert!(out.err().contains("falcon512.key"), "{out:?}");
    }
    home.write_key("k.key", b"anything");
    for args in [
        &["keygen", "--alg", "falcon512", "-o", "k"][..],
        &["keygen", "--alg", "falcon512", "-o", "k", "--force"],
    ] {
        let out = home.fails_without_traces(2, args);
        assert!(out.err().contains("mv "), "{out:?}");
    }
}

#[test]
fn a_public_key_is_overwritten_only_with_force() {
    let home = Home::new();
    home.write("k.pub", &keys().b.public);
    home.fails_without_traces(2, &["keygen", "--alg", "falcon512", "-o", "k"]);
    home.ok(&["keygen", "--alg", "falcon512", "-o", "k", "--force"]);
    assert_ne!(home.read("k.pub"), keys().b.public);
    home.write("m", b"m");
    home.ok(&["sign", "m", "-k", "k.key"]);
    home.ok(&["verify", "m", "-p", "k.pub"]);
}

#[test]
fn bug_41_a_private_key_under_a_public_name_is_not_overwritten_either() {
    let home = Home::new();
    home.write_key("k.pub", &keys().b.private);
    home.fails_without_traces(2, &["keygen", "--alg", "falcon512", "-o", "k"]);
    home.fails_without_traces(2, &["keygen", "--alg", "falcon512", "-o", "k", "--force"]);
}

#[test]
fn an_output_that_is_a_symbolic_link_is_refused() {
    for name in ["k.key", "k.pub"] {
        for target in ["elsewhere", "nowhere", "folder"] {
            for force in [false, true] {
                let home = Home::new();
                home.write("elsewhere", b"precious");
                fs::create_dir(home.path("folder")).unwrap();
                symlink(target, home.path(name)).unwrap();
                let mut args = vec!["keygen", "--alg", "falcon512", "-o", "k"];
                if force {
                    args.push("--force");
                }
                home.fails_without_traces(2, &args);
            }
        }
    }
}

#[test]
fn an_output_folder_that_is_missing_is_exit_3() {
    let out = Home::with_key().fails_without_traces(3, &["keygen", "--alg", "falcon512", "-o", "no/such/k"]);
    assert!(out.err().contains("no/such"), "{out:?}");
}

#[test]
fn an_output_that_is_a_folder_is_refused() {
    let home = Home::new();
    fs::create_dir(home.path("k.key")).unwrap();
    home.fails_without_traces(2, &["keygen", "--alg", "falcon512", "-o", "k"]);
    home.fails_without_traces(2, &["keygen", "--alg", "falcon512", "-o", "k", "--force"]);
}

#[test]
fn case_dashes_and_underscores_of_an_algorithm_do_not_matter() {
    let home = Home::new();
    for (n, name) in ["Falcon-512", "FALCON_512", "falcon512", "F-a-l-c-o-n-512"].iter().enumerate() {
        home.ok(&["keygen", "--alg", name, "-o", &format!("k{n}")]);
        assert_eq!(der::pem_decode(&home.read(format!("k{n}.pub"))).len(), 915);
    }
}

#[test]
fn an_unknown_algorithm_lists_the_nearest_names() {
    let out = Home::new().fails_without_traces(2, &["keygen", "--alg", "falcon51"]);
    assert!(out.err().contains("falcon512"), "{out:?}");
    assert!(out.err().contains("falcon51"), "the name that was given is named: {out:?}");
}

#[test]
fn algorithms_of_others_get_a_sentence_of_their_own() {
    let home = Home::new();
    let plain = home.fails_without_traces(2, &["keygen", "--alg", "zzzz"]).err();
    for name in ["sntrup761", "fndsa512", "mldsa65", "ML-DSA-65"] {
        let err = home.fails_without_traces(2, &["keygen", "--alg", name]).err();
        assert_ne!(err.replace(name, "zzzz"), plain, "{name} is answered like any unknown name");
    }
    let err = home.fails_without_traces(2, &["keygen", "--alg", "fndsa512"]).err();
    assert!(err.contains("FIPS 206") || err.contains("FN-DSA"), "{err}");
}

#[test]
fn without_alg_is_exit_2() {
    let out = Home::new().fails_without_traces(2, &["keygen"]);
    assert!(out.err().contains("--alg"), "{out:?}");
}

#[test]
fn pqc_home_that_is_relative_is_exit_2() {
    let home = Home::with_key();
    for args in [&["keygen", "--alg", "falcon512"][..], &["sign", "file"], &["verify", "file"]] {
        let mut command = home.command();
        command.args(args).env("PQC_HOME", "relative");
        let out = home.command_fails_without_traces(&[2], command, b"");
        assert!(out.err().contains("PQC_HOME"), "{out:?}");
    }
}

#[test]
fn pqc_home_that_is_no_folder_is_an_error_and_no_fallback() {
    let home = Home::with_key();
    for args in [&["keygen", "--alg", "falcon512"][..], &["sign", "file"]] {
        let mut command = home.command();
        command.args(args).env("PQC_HOME", home.path("file"));
        home.command_fails_without_traces(&[2, 3], command, b"");
    }
}

#[test]
fn xdg_data_home_is_used_when_pqc_home_is_unset_or_empty() {
    for empty in [false, true] {
        let home = Home::new();
        let mut command = home.command();
        command.args(["keygen", "--alg", "falcon512"]).env_remove("PQC_HOME");
        if empty {
            command.env("PQC_HOME", "");
        }
        command.env("XDG_DATA_HOME", home.root().join("xdg"));
        home.finish(command, b"").expect(0);
        let made = home.root().join("xdg/pqc");
        assert_eq!(listing(&made), ["falcon512.key", "falcon512.pub"]);
        assert_eq!(mode_of(&made), 0o700);
    }
}

#[test]
fn xdg_data_home_that_is_relative_is_ignored() {
    let home = Home::new();
    let mut command = home.command();
    command.args(["keygen", "--alg", "falcon512"]).env_remove("PQC_HOME").env("XDG_DATA_HOME", "xdg");
    home.finish(command, b"").expect(0);
    assert!(home.listing().is_empty());
    assert!(home.root().join("user/.local/share/pqc/falcon512.key").exists());
}

#[test]
fn home_is_used_when_nothing_else_is_set() {
    for empty in [false, true] {
        let home = Home::new();
        let mut command = home.command();
        command.args(["keygen", "--alg", "falcon512"]).env_remove("PQC_HOME");
        if empty {
            command.env("XDG_DATA_HOME", "");
        }
        home.finish(command, b"").expect(0);
        assert_eq!(mode_of(&home.root().join("user/.local/share/pqc")), 0o700);
        assert_eq!(mode_of(&home.root().join("user/.local/share/pqc/falcon512.key")), 0o600);
    }
}

#[test]
fn without_home_there_is_no_key_home_and_never_the_current_folder() {
    for empty in [false, true] {
        let home = Home::with_key();
        for args in [&["keygen", "--alg", "falcon512"][..], &["sign", "file"]] {
            let mut command = home.command();
            command.args(args).env_remove("PQC_HOME").env_remove("HOME");
            if empty {
                command.env("HOME", "");
            }
            home.command_fails_without_traces(&[2], command, b"");
        }
    }
}

#[test]
fn commands_with_a_named_key_need_no_home() {
    let home = Home::new();
    let run = |args: &[&str]| {
        let mut command = home.command();
        command.args(args).env_remove("PQC_HOME").env_remove("HOME");
        home.finish(command, b"").expect(0)
    };
    home.write("file", b"x");
    run(&["keygen", "--alg", "falcon512", "-o", "k"]);
    run(&["sign", "file", "-k", "k.key"]);
    run(&["verify", "file", "-p", "k.pub"]);
    run(&["inspect", "k.key"]);
}

#[test]
fn odd_output_names_work() {
    let home = Home::new();
    for name in [&b"two words"[..], b"new\nline", b"\xff\xfe", b"esc\x1b[31m", b"./-dash"] {
        let args = [os(b"keygen"), os(b"--alg"), os(b"falcon512"), os(b"-o"), os(name)];
        let out = home.ok(&args);
        assert_printable(&out);
        assert!(home.exists(os(&[name, b".key"].concat())), "{name:?}");
        assert!(home.exists(os(&[name, b".pub"].concat())), "{name:?}");
    }
}

#[test]
fn a_name_of_251_bytes_works_and_one_of_252_leaves_nothing() {
    let home = Home::new();
    home.ok(&["keygen", "--alg", "falcon512", "-o", &"n".repeat(251)]);
    home.fails_without_traces(3, &["keygen", "--alg", "falcon512", "-o", &"n".repeat(252)]);
}

#[test]
fn keys_are_the_oqs_layout_in_lines_of_64() {
    for (pair, dotted, sk, pk, head) in
        [(&keys().a, "1.3.9999.3.11", 1281, 897, 9), (&keys().big, "1.3.9999.3.14", 2305, 1793, 10)]
    {
        let private = der::pem_decode(&pair.private);
        let node = Node::parse(&private);
        assert_eq!(node.encode(), private, "DER in its shortest form");
        let algorithm = Node::Tree(der::SEQUENCE, vec![Node::Leaf(der::OID, der::oid(dotted))]);
        assert_eq!(node.children()[..2], [Node::Leaf(der::INTEGER, vec![0]), algorithm.clone()]);
        assert_eq!(node.children().len(), 3);
        let inner = Node::parse(node.children()[2].content());
        assert_eq!(inner.tag(), der::OCTET_STRING);
        assert_eq!(inner.content().len(), sk + pk);
        assert_eq!(inner.content()[0], 0x50 | head);

        let public = der::pem_decode(&pair.public);
        let raw = inner.content()[sk..].to_vec();
        assert_eq!(raw[0], head);
        let spki = Node::Tree(
            der::SEQUENCE,
            vec![algorithm, Node::Leaf(der::BIT_STRING, [&[0][..], &raw].concat())],
        );
        assert_eq!(Node::parse(&public), spki, "the public file is the private file's public half");

        assert_eq!(pair.private, der::pem_encode("PRIVATE KEY", &private));
        assert_eq!(pair.public, der::pem_encode("PUBLIC KEY", &public));
    }
    assert_eq!(der::pem_decode(&keys().a.private).len(), 2202);
    assert_eq!(der::pem_decode(&keys().big.private).len(), 4122);
    assert_eq!(der::pem_decode(&keys().a.public).len(), 915);
    assert_eq!(der::pem_decode(&keys().big.public).len(), 1811);
}

#[test]
fn neither_v_nor_json_tells_the_private_key() {
    let home = Home::new();
    for (n, option) in ["-v", "--json"].iter().enumerate() {
        let name = format!("k{n}");
        let out = home.ok(&["keygen", "--alg", "falcon512", "-o", &name, option]);
        let private = home.read(format!("{name}.key"));
        let text = std::str::from_utf8(&private).unwrap();
        for line in text.lines().filter(|line| line.len() >= 32 && !line.starts_with('-')).take(20) {
            assert!(!out.all().contains(&line[..32]), "{out:?}");
        }
        let raw = hex(&der::pem_decode(&private)[40..72]);
        assert!(!out.all().to_lowercase().contains(&raw));
    }
}

#[test]
fn json_is_one_object_on_success_and_on_failure() {
    let home = Home::new();
    let json = home.ok(&["keygen", "--alg", "falcon512", "--json"]).json();
    assert_eq!(json["command"], "keygen");
    assert_eq!(json["results"].as_array().unwrap().len(), 1);
    assert!(json["error"].is_null());
    let public = fs::read(home.home().join("falcon512.pub")).unwrap();
    assert!(json["results"][0].to_string().contains(&sha256(&der::pem_decode(&public))));
    let json = home.fails_without_traces(2, &["keygen", "--alg", "falcon512", "--json"]).json();
    assert_eq!(json["error"]["code"], 2);
}

#[test]
fn eight_at_once_into_one_name_leave_one_matching_pair() {
    let home = Home::new();
    let codes: Vec<i32> = thread::scope(|scope| {
        let run = || home.run(&["keygen", "--alg", "falcon512", "-o", "k"]).code;
        let all: Vec<_> = (0..8).map(|_| scope.spawn(run)).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(codes.iter().filter(|code| **code == 0).count(), 1, "{codes:?}");
    assert!(codes.iter().all(|code| matches!(code, 0 | 2)), "{codes:?}");
    assert_eq!(home.listing(), ["k.key", "k.pub"]);
    home.write("m", b"m");
    home.ok(&["sign", "m", "-k", "k.key"]);
    home.ok(&["verify", "m", "-p", "k.pub"]);
}

#[test]
fn many_at_once_in_one_folder_do_not_disturb_each_other() {
    let home = Home::new();
    thread::scope(|scope| {
        for n in 0..16 {
            let home = &home;
            scope.spawn(move || home.ok(&["keygen", "--alg", "falcon512", "-o", &format!("k{n}")]));
        }
    });
    assert_eq!(home.listing().len(), 32);
}

#[test]
fn a_key_home_that_cannot_be_written_is_exit_3() {
    let name = "a_key_home_that_cannot_be_written_is_exit_3";
    let home = Home::with_key();
    fs::remove_file(home.home().join("falcon512.key")).unwrap();
    fs::remove_file(home.home().join("falcon512.pub")).unwrap();
    let Some(mut command) = as_nobody(&home, name) else { return };
    home.chmod(home.home(), 0o500);
    command.args(["keygen", "--alg", "falcon512"]);
    home.command_fails_without_traces(&[3], command, b"");
    home.chmod(home.home(), 0o700);
}

// Series.

#[test]
fn count_makes_numbered_pairs() {
    let home = Home::new();
    let out = home.ok(&["keygen", "--alg", "mlkem512", "--count", "12", "-o", "k", "-j", "2"]);
    assert_eq!(home.listing().len(), 24);
    for (number, line) in (1..=12).zip(out.out().lines()) {
        let name = format!("k-{number:06}");
        let fingerprint = sha256(&der::pem_decode(&home.read(format!("{name}.pub"))));
        assert_eq!(line, format!("{name}.key (mlkem512 {fingerprint})"));
        assert_eq!(home.mode(format!("{name}.key")), 0o600);
    }
    assert_eq!(out.out().lines().count(), 12);
    assert!(out.err().contains("note: no password protects these 12 private keys"), "{out:?}");
    home.ok(&["inspect", "k-000001.key", "k-000012.key"]);
    let publics: Vec<_> = (1..=12).map(|n| home.read(format!("k-{n:06}.pub"))).collect();
    assert!((1..12).all(|n| !publics[..n].contains(&publics[n])), "two keys are one");
}

#[test]
fn count_1_is_a_series_too_and_json_has_a_result_a_pair() {
    let home = Home::new();
    home.ok(&["keygen", "--alg", "falcon512", "--count", "1", "-o", "one"]);
    assert_eq!(home.listing(), ["one-000001.key", "one-000001.pub"]);
    let json = home.ok(&["keygen", "--alg", "mlkem512", "--count", "3", "-o", "j", "--json"]).json();
    let names: Vec<&str> =
        json["results"].as_array().unwrap().iter().map(|r| r["private_key"].as_str().unwrap()).collect();
    assert_eq!(names, ["j-000001.key", "j-000002.key", "j-000003.key"]);
}

#[test]
fn a_series_replaces_no_key_and_is_refused_before_the_first() {
    let home = Home::new();
    home.write_key("k-000003.key", b"here");
    home.fails_without_traces(2, &["keygen", "--alg", "mlkem512", "--count", "3", "-o", "k", "--force"]);
    home.fails_without_traces(2, &["keygen", "--alg", "mlkem512", "--count", "3"]);
    home.fails_without_traces(2, &["keygen", "--alg", "mlkem512", "--count", "0", "-o", "x"]);
}

#[test]
fn a_series_is_under_one_password() {
    let home = Home::new();
    home.write("password", b"correct horse\n");
    let args = ["keygen", "--alg", "mlkem512", "--count", "2", "-o", "k", "--password-file", "password"];
    let out = home.ok(&args);
    assert!(!out.err().contains("no password protects"), "{out:?}");
    for name in ["k-000001.key", "k-000002.key"] {
        assert!(home.read(name).starts_with(b"-----BEGIN ENCRYPTED PRIVATE KEY-----"));
        home.ok(&["inspect", name, "--password-file", "password"]);
    }
}
