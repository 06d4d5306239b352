//! `pqc verify`: every promise of "What verify promises", tested from outside.
#![cfg(unix)]

mod common;

use std::fs;
use std::os::unix::fs::symlink;

use common::der::{self, Container};
use common::*;

/// A recipient's folder with nothing in the key home, `file`, its signature by [`Keys::a`], and both public keys.
fn recipient(sign: &[&str]) -> Home {
    let home = Home::with_key();
    let args: Vec<&str> = ["sign", "file"].iter().chain(sign).copied().collect();
    home.ok(&args);
    fs::remove_dir_all(home.home()).unwrap();
    home.write("a.pub", &keys().a.public);
    home.write("b.pub", &keys().b.public);
    home.write("big.pub", &keys().big.public);
    home
}

fn change(home: &Home, name: &str, change: impl FnOnce(&mut Container)) {
    let mut container = Container::read(&home.read(name));
    change(&mut container);
    home.write(name, container.pem());
}

/// A failing verification of `file`: code, and the line for `file`.
fn fails(home: &Home, code: i32, args: &[&str]) -> String {
    let out = home.fails_without_traces(code, args);
    assert!(!out.out().contains(": OK"), "{out:?}");
    let line = out.line("file: ");
    let start = if code == 1 { "file: FAILED (" } else { "file: NOT CHECKED (" };
    assert!(line.starts_with(start) && line.ends_with(')'), "{line}");
    line
}

// OK.

#[test]
fn ok_names_key_algorithm_and_whole_fingerprint() {
    let home = recipient(&[]);
    let out = home.ok(&["verify", "file", "-p", "a.pub"]);
    assert_eq!(out.out().lines().count(), 1);
    assert!(is_ok_line(out.out().trim_end(), "file", &keys().a, "falcon512"), "{out:?}");
}

#[test]
fn without_p_the_key_is_found_in_the_key_home_by_fingerprint() {
    let home = Home::with_signature();
    home.install(&keys().b, "aaa");
    home.install(&keys().big, "zzz");
    let out = home.ok(&["verify", "file"]);
    assert!(is_ok_line(out.out().trim_end(), "file", &keys().a, "falcon512"), "{out:?}");
    assert!(out.out().contains("falcon512"), "the key's name in the home: {out:?}");
}

#[test]
fn the_name_of_the_key_in_the_home_does_not_matter() {
    let home = Home::with_signature();
    fs::rename(home.home().join("falcon512.pub"), home.home().join("friend.pub")).unwrap();
    let line = home.ok(&["verify", "file"]).line("file: ");
    assert!(line.starts_with("file: OK by ") && line.contains("friend"), "{line}");
}

#[test]
fn the_key_home_may_be_missing_when_p_is_given() {
    let home = recipient(&[]);
    home.ok(&["verify", "file", "-p", "a.pub"]);
    assert!(!home.home().exists(), "verify makes no key home");
}

#[test]
fn falcon1024_and_both_encodings_verify() {
    let home = recipient(&[]);
    home.write_key("big.key", &keys().big.private);
    for encoding in ["padded", "compressed"] {
        home.ok(&["sign", "file", "-k", "big.key", "-o", encoding, "--encoding", encoding]);
        let line = home.ok(&["verify", "file", "-s", encoding, "-p", "big.pub"]).line("file: ");
        assert!(is_ok_line(&line, "file", &keys().big, "falcon1024"), "{line}");
    }
}

#[test]
fn raw_signatures_need_p() {
    for encoding in ["padded", "compressed"] {
        let home = recipient(&["--format", "raw", "--encoding", encoding]);
        home.ok(&["verify", "file", "-p", "a.pub"]);
        fails(&home, 2, &["verify", "file"]);
        home.install(&keys().a, "falcon512");
        fails(&home, 2, &["verify", "file"]);
        fails(&home, 1, &["verify", "file", "-p", "b.pub"]);
        fails(&home, 1, &["verify", "file", "-p", "big.pub"]);
    }
}

// Pins.

#[test]
fn a_pin_takes_the_key_from_the_key_home() {
    let home = Home::with_signature();
    home.install(&keys().b, "b");
    let line = home.ok(&["verify", "file", "-p", &keys().a.pin()]).line("file: ");
    assert!(is_ok_line(&line, "file", &keys().a, "falcon512"), "{line}");
}

#[test]
fn a_pin_takes_the_key_from_a_signature_with_key() {
    let home = recipient(&["--with-key"]);
    let line = home.ok(&["verify", "file", "-p", &keys().a.pin()]).line("file: ");
    assert!(is_ok_line(&line, "file", &keys().a, "falcon512"), "{line}");
    assert!(!home.home().exists());
}

#[test]
fn a_pin_may_be_upper_case_and_have_colons() {
    let home = recipient(&["--with-key"]);
    let digits = keys().a.fingerprint.to_uppercase();
    home.ok(&["verify", "file", "-p", &format!("sha256:{digits}")]);
    let pairs: Vec<_> = digits.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap()).collect();
    home.ok(&["verify", "file", "-p", &format!("sha256:{}", pairs.join(":"))]);
    let pairs = pairs.join(":").to_lowercase();
    home.ok(&["verify", "file", "-p", &format!("sha256:{pairs}")]);
}

#[test]
fn a_pin_needs_neither_key_home_nor_home() {
    let home = recipient(&["--with-key"]);
    let mut command = home.command();
    command.args(["verify", "file", "-p", &keys().a.pin()]).env_remove("HOME").env_remove("PQC_HOME");
    home.finish(command, b"").expect(0);
}

#[test]
fn another_pin_is_failed_and_both_fingerprints_are_named() {
    let home = recipient(&["--with-key"]);
    let line = fails(&home, 1, &["verify", "file", "-p", &keys().b.pin()]);
    assert!(line.contains(&keys().a.fingerprint) && line.contains(&keys().b.fingerprint), "{line}");
    home.install(&keys().a, "a");
    home.install(&keys().b, "b");
    fails(&home, 1, &["verify", "file", "-p", &keys().b.pin()]);
}

#[test]
fn a_pin_whose_key_is_nowhere_is_not_checked() {
    let home = recipient(&[]);
    fails(&home, 2, &["verify", "file", "-p", &keys().a.pin()]);
    home.install(&keys().b, "b");
    fails(&home, 2, &["verify", "file", "-p", &keys().a.pin()]);
}

#[test]
fn with_key_and_no_pin_is_never_ok() {
    let home = recipient(&["--with-key"]);
    let line = fails(&home, 2, &["verify", "file"]);
    assert!(line.contains(&keys().a.fingerprint), "{line}");
    home.make_home();
    fails(&home, 2, &["verify", "file"]);
    fails(&home, 2, &["verify"]);
}

#[test]
fn with_key_does_not_outweigh_p() {
    let home = recipient(&["--with-key"]);
    fails(&home, 1, &["verify", "file", "-p", "b.pub"]);
}

#[test]
fn a_forger_cannot_use_the_pin_of_another() {
    // Signed by b, which puts itself in, and says it is a.
    let home = recipient(&[]);
    home.write_key("b.key", &keys().b.private);
    home.ok(&["sign", "file", "-k", "b.key", "--with-key", "--force"]);
    change(&home, "file.sig", |container| *container.fingerprint_mut() = hex_bytes(&keys().a.fingerprint));
    for _ in 0..2 {
        let out = home.run(&["verify", "file", "-p", &keys().a.pin()]);
        assert!(matches!(out.code, 1 | 2) && !out.out().contains("OK"), "{out:?}");
        home.install(&keys().a, "a");
    }
    let out = home.run(&["verify", "file"]);
    assert!(matches!(out.code, 1 | 2) && !out.out().contains("OK"), "{out:?}");
    let out = home.run(&["verify", "file", "-p", "a.pub"]);
    assert!(matches!(out.code, 1 | 2) && !out.out().contains("OK"), "{out:?}");
}

#[test]
fn a_key_inside_that_is_not_the_fingerprints_key_is_never_used() {
    // Signed by a, with the fingerprint of a, with the key of b inside.
    let home = recipient(&[]);
    home.write_key("b.key", &keys().b.private);
    home.ok(&["sign", "file", "-k", "b.key", "--with-key", "-o", "donor"]);
    let foreign = Container::read(&home.read("donor")).key().unwrap().clone();
    change(&home, "file.sig", |container| container.0.children_mut().push(foreign));
    for pin in [keys().a.pin(), keys().b.pin()] {
        let out = home.run(&["verify", "file", "-p", &pin]);
        assert!(matches!(out.code, 1 | 2) && !out.out().contains("OK"), "{out:?}");
    }
}

#[test]
fn a_pin_that_is_no_fingerprint_is_exit_2() {
    let home = recipient(&["--with-key"]);
    let full = &keys().a.fingerprint;
    for pin in [
        "sha256:".to_owned(),
        format!("sha256:{}", &full[..63]),
        format!("sha256:{}", &full[..16]),
        format!("sha256:{full}0"),
        format!("sha256:g{}", &full[1..]),
        format!("sha256:{full} "),
        format!("sha1:{full}"),
        format!("sha512:{full}"),
    ] {
        let mut command = home.command();
        command.args(["verify", "file", "-p", &pin]);
        let codes: &[i32] = if pin.starts_with("sha256") { &[2] } else { &[2, 3] };
        let out = home.command_fails_without_traces(codes, command, b"");
        assert!(!out.out().contains("OK"), "{out:?}");
    }
}

// Which keys are never used.

#[test]
fn keys_of_the_current_folder_are_never_used() {
    let home = recipient(&[]);
    home.write("file.pub", &keys().a.public);
    home.write("falcon512.pub", &keys().a.public);
    let line = fails(&home, 2, &["verify", "file"]);
    assert!(line.contains(&keys().a.fingerprint), "the fingerprint is printed: {line}");
    fails(&home, 2, &["verify"]);
}

#[test]
fn keys_beside_the_file_are_never_used() {
    let home = recipient(&[]);
    fs::create_dir(home.path("sub")).unwrap();
    for name in ["file", "file.sig", "a.pub"] {
        fs::rename(home.path(name), home.path(format!("sub/{name}"))).unwrap();
    }
    let out = home.fails_without_traces(2, &["verify", "sub/file"]);
    assert!(out.line("sub/file: NOT CHECKED (").contains(&keys().a.fingerprint), "{out:?}");
}

#[test]
fn without_home_there_is_no_key() {
    let home = recipient(&[]);
    for empty in [false, true] {
        let mut command = home.command();
        command.args(["verify", "file"]).env_remove("HOME").env_remove("PQC_HOME");
        if empty {
            command.env("HOME", "");
        }
        let out = home.command_fails_without_traces(&[2], command, b"");
        assert!(!out.out().contains("OK"), "{out:?}");
    }
}

#[test]
fn a_private_key_alone_in_the_home_gives_no_ok_by_another_name() {
    // `*.pub` is what verify reads; the private key is not needed.
    let home = Home::with_signature();
    fs::remove_file(home.home().join("falcon512.pub")).unwrap();
    fs::write(home.home().join("falcon512.key"), b"unreadable for verify").unwrap();
    let out = home.run(&["verify", "file"]);
    assert!(matches!(out.code, 2 | 3) && !out.out().contains("OK"), "{out:?}");
}

#[test]
fn a_key_home_that_others_can_write_is_exit_2_unless_p_is_given() {
    for mode in [0o770, 0o720, 0o702, 0o777] {
        let home = Home::with_signature();
        home.write("a.pub", &keys().a.public);
        home.chmod(home.home(), mode);
        let out = home.fails_without_traces(2, &["verify", "file"]);
        assert!(!out.out().contains("OK"), "mode {mode:o}: {out:?}");
        home.ok(&["verify", "file", "-p", "a.pub"]);
    }
}

#[test]
fn a_key_in_the_home_that_others_can_write_is_exit_2_unless_p_is_given() {
    for mode in [0o664, 0o646, 0o666, 0o620] {
        let home = Home::with_signature();
        home.write("a.pub", &keys().a.public);
        home.chmod(home.home().join("falcon512.pub"), mode);
        let out = home.fails_without_traces(2, &["verify", "file"]);
        assert!(!out.out().contains("OK"), "mode {mode:o}: {out:?}");
        home.ok(&["verify", "file", "-p", "a.pub"]);
    }
}

#[test]
fn a_link_in_the_home_to_a_key_that_others_can_write_is_exit_2() {
    let home = Home::with_signature();
    let loose = home.path("loose.pub");
    fs::rename(home.home().join("falcon512.pub"), &loose).unwrap();
    symlink(&loose, home.home().join("falcon512.pub")).unwrap();
    home.chmod(&loose, 0o666);
    home.fails_without_traces(2, &["verify", "file"]);
}

#[test]
fn a_key_home_that_others_can_only_read_is_fine() {
    let home = Home::with_signature();
    home.chmod(home.home(), 0o755);
    home.ok(&["verify", "file"]);
}

#[test]
fn p_that_cannot_be_used_is_exit_2_or_3() {
    let home = recipient(&[]);
    home.write_key("a.key", &keys().a.private);
    home.write("junk", b"junk");
    let out = home.fails_without_traces(3, &["verify", "file", "-p", "none.pub"]);
    assert!(out.err().contains("none.pub"), "{out:?}");
    for (name, kind) in [("a.key", "private"), ("file.sig", "signature"), ("junk", "")] {
        let out = home.fails_without_traces(2, &["verify", "file", "-p", name]);
        assert!(out.all().contains(name) && out.all().to_lowercase().contains(kind), "{out:?}");
    }
}

// FAILED.

#[test]
fn a_changed_file_is_failed() {
    let home = recipient(&[]);
    for content in [&b"the file's byteS\n"[..], b"", b"the file's bytes", b"the file's bytes\n\n"] {
        home.write("file", content);
        fails(&home, 1, &["verify", "file", "-p", "a.pub"]);
    }
}

/// Reliability, bug 40: only the first 16 MB were signed.
#[test]
fn bug_40_the_last_byte_of_a_big_file_counts() {
    let home = Home::with_key();
    let mut big = vec![7u8; (20 << 20) + 1];
    home.write("file", &big);
    home.ok(&["sign", "file"]);
    home.ok(&["verify", "file"]);
    *big.last_mut().unwrap() ^= 1;
    home.write("file", &big);
    fails(&home, 1, &["verify", "file"]);
}

#[test]
fn a_signature_by_another_key_is_failed_and_both_are_named() {
    let home = recipient(&[]);
    let line = fails(&home, 1, &["verify", "file", "-p", "b.pub"]);
    assert!(line.contains(&keys().a.fingerprint) && line.contains(&keys().b.fingerprint), "{line}");
}

#[test]
fn a_signature_of_another_algorithm_is_failed_and_both_are_named() {
    let home = recipient(&[]);
    let line = fails(&home, 1, &["verify", "file", "-p", "big.pub"]);
    assert!(line.contains("falcon512") && line.contains("falcon1024"), "{line}");
}

#[test]
fn a_changed_fingerprint_is_failed_although_the_signature_is_good() {
    let home = recipient(&[]);
    change(&home, "file.sig", |container| container.fingerprint_mut()[0] ^= 1);
    fails(&home, 1, &["verify", "file", "-p", "a.pub"]);
    home.install(&keys().a, "a");
    fails(&home, 2, &["verify", "file"]);
}

#[test]
fn a_changed_algorithm_is_never_ok() {
    let home = recipient(&[]);
    change(&home, "file.sig", |container| *container.algorithm_oid_mut() = der::oid("1.3.9999.3.14"));
    let out = home.fails_without_traces(1, &["verify", "file", "-p", "a.pub"]);
    assert!(out.line("file: FAILED").contains("falcon1024"), "{out:?}");
    home.install(&keys().a, "a");
    let out = home.run(&["verify", "file"]);
    assert!(matches!(out.code, 1 | 2) && !out.out().contains("OK"), "{out:?}");
}

#[test]
fn swapped_signatures_are_failed_both() {
    let home = Home::with_key();
    home.write("other", b"other");
    home.ok(&["sign", "file", "other"]);
    let (one, two) = (home.read("file.sig"), home.read("other.sig"));
    home.write("file.sig", two);
    home.write("other.sig", one);
    let out = home.fails_without_traces(1, &["verify", "file", "other"]);
    assert!(out.line("file: ").starts_with("file: FAILED"), "{out:?}");
    assert!(out.line("other: ").starts_with("other: FAILED"), "{out:?}");
}

#[test]
fn swapped_arguments_are_never_ok() {
    let home = recipient(&[]);
    home.fails_without_traces(2, &["verify", "a.pub", "-p", "file", "-s", "file.sig"]);
    let out = home.run(&["verify", "file.sig", "-s", "file", "-p", "a.pub"]);
    assert!(matches!(out.code, 1 | 2), "{out:?}");
    let out = home.run(&["verify", "a.pub", "-s", "file.sig", "-p", "a.pub"]);
    assert_eq!(out.code, 1, "{out:?}");
}

#[test]
fn no_flipped_bit_of_the_signature_verifies() {
    let home = recipient(&[]);
    let original = Container::read(&home.read("file.sig"));
    let signature = original.signature();
    let mut args = vec!["verify".to_owned(), "-p".to_owned(), "a.pub".to_owned()];
    for at in 0..signature.len() {
        let mut changed = signature.clone();
        changed[at] ^= 1 << (at % 8);
        let mut container = original.clone();
        container.set_signature(&changed);
        fs::hard_link(home.path("file"), home.path(format!("f{at}"))).unwrap();
        home.write(format!("f{at}.sig"), container.pem());
        args.push(format!("f{at}"));
    }
    let out = home.run(&args).expect(1);
    assert_eq!(out.out().lines().count(), signature.len());
    assert!(out.out().lines().all(|line| line.contains(": FAILED (")), "{out:?}");
}

#[test]
fn every_other_length_is_failed() {
    let home = recipient(&["--encoding", "compressed"]);
    let original = Container::read(&home.read("file.sig"));
    let compressed = original.signature();
    let mut lengths: Vec<usize> = vec![0, 1, 2, 40, 41, 42];
    lengths.extend(compressed.len() - 20..compressed.len());
    lengths.extend(compressed.len() + 1..690);
    lengths.extend([752, 1280, 1281, 2000]);
    let mut args = vec!["verify".to_owned(), "-p".to_owned(), "a.pub".to_owned()];
    for len in lengths {
        let mut bytes = compressed.clone();
        bytes.resize(len, 0);
        let mut container = original.clone();
        container.set_signature(&bytes);
        fs::hard_link(home.path("file"), home.path(format!("f{len}"))).unwrap();
        home.write(format!("f{len}.sig"), container.pem());
        args.push(format!("f{len}"));
    }
    let out = home.run(&args).expect(1);
    let ok: Vec<_> = out.out().lines().filter(|line| line.contains(": OK")).map(str::to_owned).collect();
    assert!(
        ok.len() == 1 && ok[0].starts_with("f666: "),
        "only the padded length is another spelling: {ok:?}"
    );
    let rest = out.out().lines().filter(|line| line.contains(": FAILED (")).count();
    assert_eq!(rest, args.len() - 4, "{out:?}");
}

#[test]
fn only_the_two_canonical_spellings_are_taken() {
    let home = Home::with_key();
    let (mut zeros, mut spares) = (0, 0);
    for n in 0..12 {
        let name = format!("s{n}");
        let encoding = if n % 2 == 0 { "padded" } else { "compressed" };
        home.ok(&["sign", "file", "-o", &name, "--encoding", encoding]);
        let original = Container::read(&home.read(&name));
        let zero = der::with_minus_zero(&original.signature());
        let spare = der::with_spare_bit(&original.signature());
        zeros += usize::from(zero.is_some());
        spares += usize::from(spare.is_some());
        for bytes in [zero, spare].into_iter().flatten() {
            let mut container = original.clone();
            container.set_signature(&bytes);
            home.write(&name, container.pem());
            fails(&home, 1, &["verify", "file", "-s", &name]);
        }
    }
    assert!(zeros > 0 && spares > 0, "12 signatures and no case: {zeros} {spares}");
}

#[test]
fn a_padding_byte_that_is_not_zero_is_failed() {
    let home = recipient(&[]);
    change(&home, "file.sig", |container| {
        let mut bytes = container.signature();
        *bytes.last_mut().unwrap() |= 1;
        container.set_signature(&bytes);
    });
    fails(&home, 1, &["verify", "file", "-p", "a.pub"]);
}

// NOT CHECKED.

#[test]
fn no_key_known_is_not_checked_and_the_fingerprint_is_printed() {
    let home = recipient(&[]);
    home.install(&keys().b, "b");
    let line = fails(&home, 2, &["verify", "file"]);
    assert!(line.contains(&keys().a.fingerprint), "{line}");
}

#[test]
fn signatures_of_other_programs_are_named() {
    let home = recipient(&[]);
    for (content, name) in FOREIGN {
        home.write("file.sig", content);
        for args in [&["verify", "file", "-p", "a.pub"][..], &["verify", "file"]] {
            let line = fails(&home, 2, args);
            assert!(line.to_lowercase().contains(&name.to_lowercase()), "{name}: {line}");
        }
    }
}

#[test]
fn an_empty_signature_is_not_checked() {
    let home = recipient(&[]);
    home.write("file.sig", b"");
    fails(&home, 2, &["verify", "file"]);
}

#[test]
fn a_key_in_place_of_a_signature_is_not_checked_and_named() {
    let home = recipient(&[]);
    home.write("file.sig", &keys().a.public);
    let line = fails(&home, 2, &["verify", "file", "-p", "a.pub"]);
    assert!(line.to_lowercase().contains("public key"), "{line}");
}

#[test]
fn a_missing_file_or_signature_is_exit_3() {
    let home = recipient(&[]);
    fs::rename(home.path("file.sig"), home.path("moved")).unwrap();
    let line = fails(&home, 3, &["verify", "file", "-p", "a.pub"]);
    assert!(line.contains("file.sig"), "{line}");
    home.write("gone.sig", home.read("moved"));
    let out = home.fails_without_traces(3, &["verify", "gone", "-p", "a.pub"]);
    assert!(out.line("gone: ").starts_with("gone: NOT CHECKED ("), "{out:?}");
    let out = home.fails_without_traces(3, &["verify", "gone.sig", "-p", "a.pub"]);
    assert!(out.all().contains("NOT CHECKED"), "{out:?}");
    fails(&home, 3, &["verify", "file", "-s", "none", "-p", "a.pub"]);
}

#[test]
fn a_folder_in_place_of_a_file_is_exit_3() {
    let home = recipient(&[]);
    fs::remove_file(home.path("file")).unwrap();
    fs::create_dir(home.path("file")).unwrap();
    fails(&home, 3, &["verify", "file", "-p", "a.pub"]);
}

#[test]
fn an_unreadable_file_is_exit_3() {
    let test = "an_unreadable_file_is_exit_3";
    for name in ["file", "file.sig"] {
        let home = recipient(&[]);
        home.chmod(home.path(name), 0);
        let Some(mut command) = as_nobody(&home, test) else { return };
        command.args(["verify", "file", "-p", "a.pub"]);
        let out = home.command_fails_without_traces(&[3], command, b"");
        assert!(out.line("file: ").starts_with("file: NOT CHECKED ("), "{out:?}");
    }
}

// Which files.

#[test]
fn without_file_every_signature_of_the_folder_is_checked_in_byte_order() {
    let home = Home::with_key();
    let names = [os(b"B"), os(b"a"), os(b"a-b"), os(b"a.b"), os(b"\xff"), os(b"Z z")];
    for name in &names {
        home.write(name, b"x");
        home.ok(&[os(b"sign"), name.clone()]);
    }
    let out = home.ok(&["verify"]);
    let firsts: Vec<String> = out.out().lines().map(|line| line.chars().take(2).collect()).collect();
    assert_eq!(firsts.len(), 6, "{out:?}");
    // By the bytes of `B.sig`, `Z z.sig`, `a-b.sig`, `a.b.sig`, `a.sig`, `\xff.sig`.
    assert_eq!(&firsts[..5], ["B:", "Z ", "a-", "a.", "a:"], "{out:?}");
}

#[test]
fn without_file_hidden_files_folders_and_deeper_files_are_left_alone() {
    let home = Home::with_key();
    home.ok(&["sign", "file"]);
    home.write(".hidden", b"x");
    home.write(".hidden.sig", b"junk");
    home.write(".sig", b"junk");
    fs::create_dir(home.path("deeper")).unwrap();
    home.write("deeper/x", b"x");
    home.write("deeper/x.sig", b"junk");
    fs::create_dir(home.path("folder.sig")).unwrap();
    mkfifo(&home.path("fifo.sig"));
    let out = home.ok(&["verify"]);
    assert_eq!(out.out().lines().count(), 1, "{out:?}");
}

#[test]
fn without_file_the_files_that_have_no_signature_are_counted_on_standard_error() {
    let home = Home::with_key();
    home.ok(&["sign", "file"]);
    for name in ["one", "two", "three"] {
        home.write(name, b"x");
    }
    let err = home.ok(&["verify"]).err();
    assert!(err.lines().any(|line| line.contains('3') && line.contains("sig")), "{err}");
}

#[test]
fn without_file_and_without_any_signature_is_exit_2() {
    let home = Home::with_key();
    home.fails_without_traces(2, &["verify"]);
    home.write(".x.sig", b"junk");
    fs::create_dir(home.path("d.sig")).unwrap();
    home.fails_without_traces(2, &["verify"]);
}

#[test]
fn without_file_a_signature_of_another_program_is_not_checked_and_the_rest_goes_on() {
    let home = Home::with_key();
    home.write("a", b"a");
    home.write("a.sig", FOREIGN[0].0);
    home.ok(&["sign", "file"]);
    let out = home.fails_without_traces(2, &["verify"]);
    assert!(out.line("a: ").starts_with("a: NOT CHECKED ("), "{out:?}");
    assert!(out.line("file: ").starts_with("file: OK"), "{out:?}");
}

#[test]
fn without_file_a_signature_whose_file_is_gone_is_exit_3() {
    let home = Home::with_key();
    home.ok(&["sign", "file"]);
    fs::remove_file(home.path("file")).unwrap();
    let out = home.fails_without_traces(3, &["verify"]);
    assert!(out.line("file: ").starts_with("file: NOT CHECKED ("), "{out:?}");
}

#[test]
fn a_signature_named_as_file_means_what_it_signs() {
    let home = recipient(&[]);
    let out = home.ok(&["verify", "file.sig", "-p", "a.pub"]);
    assert!(is_ok_line(out.out().trim_end(), "file", &keys().a, "falcon512"), "{out:?}");
    home.write("file", b"changed");
    fails(&home, 1, &["verify", "file.sig", "-p", "a.pub"]);
}

/// Reliability, bug 46: a detached check that silently checked something else.
#[test]
fn bug_46_a_signature_under_another_name_is_not_a_signed_file() {
    let home = recipient(&[]);
    home.write("renamed", home.read("file.sig"));
    let out = home.run(&["verify", "renamed", "-p", "a.pub"]);
    assert!(matches!(out.code, 2 | 3) && !out.out().contains("OK"), "{out:?}");
}

#[test]
fn all_files_are_checked_after_a_failure() {
    let home = Home::with_key();
    for name in ["a", "b", "c"] {
        home.write(name, name);
        home.ok(&["sign", name]);
    }
    home.write("a", b"changed");
    let out = home.fails_without_traces(1, &["verify", "a", "b", "c"]);
    let starts: Vec<_> =
        out.out().lines().map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(starts, ["a: FAILED", "b: OK", "c: OK"], "{out:?}");
}

#[test]
fn the_exit_code_is_the_smallest_that_is_not_zero() {
    let home = Home::with_key();
    for name in ["good", "changed", "foreign"] {
        home.write(name, name);
        home.ok(&["sign", name]);
    }
    home.write("changed", b"x");
    home.write("foreign.sig", b"junk");
    for (args, code) in [
        (&["verify", "good", "missing"][..], 3),
        (&["verify", "missing", "foreign"], 2),
        (&["verify", "good", "foreign", "missing"], 2),
        (&["verify", "missing", "foreign", "changed", "good"], 1),
        (&["verify", "changed", "missing"], 1),
    ] {
        home.fails_without_traces(code, args);
    }
}

#[test]
fn several_files_get_a_summary_on_standard_error_and_one_does_not() {
    let home = Home::with_key();
    home.write("b", b"b");
    home.ok(&["sign", "file", "b"]);
    let one = home.ok(&["verify", "file"]);
    let two = home.ok(&["verify", "file", "b"]);
    assert!(two.err().lines().any(|line| line.contains('2')), "{two:?}");
    assert_eq!(two.out().lines().count(), 2, "{two:?}");
    assert!(one.err().len() < two.err().len(), "{one:?}{two:?}");
}

#[test]
fn q_hides_ok_lines_only() {
    let home = Home::with_key();
    for name in ["b", "c"] {
        home.write(name, name);
    }
    home.ok(&["sign", "file", "b", "c"]);
    home.write("b", b"changed");
    fs::remove_file(home.path("c.sig")).unwrap();
    let out = home.fails_without_traces(1, &["verify", "-q", "file", "b", "c"]);
    let starts: Vec<_> = out.out().lines().map(|line| line.split(' ').next().unwrap().to_owned()).collect();
    assert_eq!(starts, ["b:", "c:"], "{out:?}");
    let out = home.ok(&["verify", "-q", "file"]);
    assert_eq!(out.out(), "");
}

#[test]
fn one_file_named_twice_is_checked() {
    let home = Home::with_signature();
    let out = home.ok(&["verify", "file", "file"]);
    assert!(out.out().lines().all(|line| line.starts_with("file: OK")), "{out:?}");
}

// Where the signature comes from.

#[test]
fn s_takes_one_file() {
    let home = recipient(&[]);
    home.write("b", b"b");
    home.ok(&["verify", "file", "-s", "file.sig", "-p", "a.pub"]);
    home.fails_without_traces(2, &["verify", "file", "b", "-s", "file.sig", "-p", "a.pub"]);
    home.fails_without_traces(2, &["verify", "-s", "file.sig", "-p", "a.pub"]);
    fs::create_dir(home.path("d")).unwrap();
    home.fails_without_traces(2, &["verify", "file", "-s", "file.sig", "--sig-dir", "d", "-p", "a.pub"]);
}

#[test]
fn sig_dir_is_where_the_signatures_are_and_not_beside() {
    let home = recipient(&[]);
    fs::create_dir(home.path("sigs")).unwrap();
    fails(&home, 3, &["verify", "file", "--sig-dir", "sigs", "-p", "a.pub"]);
    fs::rename(home.path("file.sig"), home.path("sigs/file.sig")).unwrap();
    home.ok(&["verify", "file", "--sig-dir", "sigs", "-p", "a.pub"]);
    fails(&home, 3, &["verify", "file", "-p", "a.pub"]);
}

#[test]
fn dash_as_file_needs_s() {
    let home = recipient(&[]);
    let file = home.read("file");
    let out = home.run_with(&["verify", "-", "-p", "a.pub"], &file).expect(2);
    assert!(out.err().contains("-s"), "{out:?}");
    home.run_with(&["verify", "-", "-s", "file.sig", "-p", "a.pub"], &file).expect(0);
    home.run_with(&["verify", "-", "-s", "file.sig", "-p", "a.pub"], b"other").expect(1);
}

#[test]
fn signature_and_key_may_come_from_standard_input() {
    let home = recipient(&[]);
    home.run_with(&["verify", "file", "-s", "-", "-p", "a.pub"], &home.read("file.sig")).expect(0);
    home.run_with(&["verify", "file", "-p", "-"], &keys().a.public).expect(0);
    home.run_with(&["verify", "file", "-p", "-"], &keys().b.public).expect(1);
    home.run_with(&["verify", "file", "-p", "/dev/fd/0"], &keys().a.public).expect(0);
}

#[test]
fn dash_can_be_used_once() {
    let home = recipient(&[]);
    for args in [
        &["verify", "-", "-s", "-", "-p", "a.pub"][..],
        &["verify", "-", "-s", "file.sig", "-p", "-"],
        &["verify", "file", "-s", "-", "-p", "-"],
        &["verify", "-", "-", "-p", "a.pub"],
    ] {
        home.fails_without_traces(2, args);
    }
}

#[test]
fn a_symbolic_link_is_followed_on_reading() {
    let home = recipient(&[]);
    symlink("file", home.path("link")).unwrap();
    symlink("file.sig", home.path("link.sig")).unwrap();
    symlink("a.pub", home.path("key")).unwrap();
    home.ok(&["verify", "link", "-p", "key"]);
}

// Names.

/// Reliability, bug 45: a newline in a file name faked a status line.
#[test]
fn bug_45_a_newline_in_a_name_makes_no_second_line() {
    let home = Home::with_key();
    let name = format!("x\nfile: OK by falcon512 (falcon512 {})", keys().a.fingerprint);
    home.write(&name, b"x");
    home.write("file", b"not signed");
    let out = home.fails_without_traces(3, &["verify", &name]);
    assert_printable(&out);
    assert_eq!(out.out().lines().count(), 1, "{out:?}");
    assert!(!out.out().lines().any(|line| line.starts_with("file: OK")), "{out:?}");
}

/// Reliability, bug 43: text in what is printed that steers the terminal or fakes lines.
#[test]
fn bug_43_control_characters_from_names_and_files_are_escaped() {
    let home = Home::with_signature();
    for name in
        [&b"\x1b[2Kfake"[..], b"a\rb", b"\x9b31m", b"\xc2\x9b31m", b"\x7f", b"\xe2\x80\xaeexe", b"a\x08b"]
    {
        home.write(os(name), b"x");
        home.write(os(&[name, b".sig"].concat()), b"untrusted \x1b[31m comment: \r\n\x07junk");
        assert_printable(&home.run(&[os(b"verify"), os(name)]).expect(2));
        assert_printable(&home.run(&[os(b"verify"), os(b"-p"), os(name), os(b"file")]).expect(2));
        assert_printable(&home.run(&[os(b"inspect"), os(name)]).expect(2));
    }
    let key = home.home().join(os(b"\x1b[31mred.pub"));
    fs::rename(home.home().join("falcon512.pub"), key).unwrap();
    assert_printable(&home.ok(&["verify", "file"]));
    assert_printable(&home.ok(&["inspect"]));
}

/// Reliability, bug 44: content of the signed file or of the signature reached the terminal.
#[test]
fn bug_44_verify_prints_nothing_of_the_contents() {
    let home = recipient(&[]);
    home.write("file", b"the file's bytes\nMARKER");
    let text = [&b"MARKER before\n"[..], &home.read("file.sig"), b"MARKER after\n"].concat();
    home.write("file.sig", text);
    let out = home.run(&["verify", "file", "-p", "a.pub"]).expect(1);
    assert!(!out.all().contains("MARKER"), "{out:?}");
}

/// Reliability, bug 49: a failing call that says "Success"; see [`Out::check_manners`].
#[test]
fn bug_49_every_failure_has_a_reason_in_words() {
    let home = recipient(&[]);
    for args in [
        &["verify", "none", "-p", "a.pub"][..],
        &["verify", "file", "-p", "none"],
        &["verify", "file", "-s", "none", "-p", "a.pub"],
        &["verify", "file", "-p", "b.pub"],
        &["verify", "file"],
        &["sign", "none", "-k", "none"],
        &["inspect", "none"],
        &["keygen", "--alg", "none"],
    ] {
        let out = home.run(args);
        assert_ne!(out.code, 0, "{out:?}");
        assert!(out.all().trim().len() > 15, "{out:?}");
    }
}

// JSON.

fn results(home: &Home, args: &[&str]) -> (i32, Vec<serde_json::Value>) {
    let out = home.run(args);
    let json = out.json();
    assert_eq!(json["command"], "verify");
    let results = json["results"].as_array().unwrap().clone();
    for result in &results {
        for key in [
            "file",
            "signature",
            "status",
            "reason",
            "algorithm",
            "encoding",
            "fingerprint",
            "key",
            "key_source",
        ] {
            assert!(result.get(key).is_some(), "`{key}` is missing: {out:?}");
        }
    }
    (out.code, results)
}

#[test]
fn json_of_a_good_file() {
    let home = recipient(&[]);
    let (code, results) = results(&home, &["verify", "file", "-p", "a.pub", "--json"]);
    assert_eq!((code, results.len()), (0, 1));
    let result = &results[0];
    assert_eq!(result["file"], "file");
    assert_eq!(result["signature"], "file.sig");
    assert_eq!(result["status"], "ok");
    assert!(result["reason"].is_null(), "{result}");
    assert_eq!(result["algorithm"], "falcon512");
    assert_eq!(result["encoding"], "padded");
    assert_eq!(result["fingerprint"], keys().a.fingerprint);
    assert!(result["key"].as_str().unwrap().contains("a.pub"), "{result}");
    assert!(result["key_source"].is_string(), "{result}");
    assert!(result.get("file_hex").is_none_or(|hex| hex.is_null()), "{result}");
}

#[test]
fn json_names_every_reason() {
    let home = recipient(&["--encoding", "compressed"]);
    let good = home.read("file.sig");
    let reason = |args: &[&str], status: &str, code: i32| {
        let mut all = vec!["verify", "file", "--json"];
        all.extend(args);
        let (got, results) = results(&home, &all);
        assert_eq!((got, results[0]["status"].as_str()), (code, Some(status)), "{results:?}");
        results[0]["reason"].as_str().unwrap_or("null").to_owned()
    };
    let a = &["-p", "a.pub"][..];
    assert_eq!(reason(&["-p", "b.pub"], "failed", 1), "other-key");
    assert_eq!(reason(&["-p", &keys().b.pin()], "failed", 1), "other-key");
    assert_eq!(reason(&["-p", "big.pub"], "failed", 1), "other-algorithm");
    assert_eq!(reason(&[], "not-checked", 2), "no-key");
    assert_eq!(reason(&["-p", &keys().a.pin()], "not-checked", 2), "no-key");
    assert_eq!(reason(&["-p", "a.pub", "-s", "none"], "not-checked", 3), "missing");

    change(&home, "file.sig", |container| {
        let bytes = [&container.signature()[..], &[0]].concat();
        container.set_signature(&bytes);
    });
    assert_eq!(reason(a, "failed", 1), "not-canonical");
    home.write("file.sig", FOREIGN[0].0);
    assert_eq!(reason(a, "not-checked", 2), "foreign");
    home.write("file.sig", [&good[..], &good].concat());
    assert_eq!(reason(a, "not-checked", 2), "malformed");
    home.write("file.sig", &good);
    home.write("file", b"changed");
    assert_eq!(reason(a, "failed", 1), "bad-signature");
    fs::remove_file(home.path("file")).unwrap();
    assert_eq!(reason(a, "not-checked", 3), "missing");
    fs::create_dir(home.path("file")).unwrap();
    assert_eq!(reason(a, "not-checked", 3), "unreadable");
}

#[test]
fn json_has_one_result_a_file_in_the_order_of_the_arguments() {
    let home = Home::with_key();
    for name in ["c", "a", "b"] {
        home.write(name, name);
        home.ok(&["sign", name, "--encoding", "compressed"]);
    }
    home.write("a", b"changed");
    let (code, results) = results(&home, &["verify", "c", "a", "b", "missing", "--json"]);
    assert_eq!(code, 1);
    let pick =
        |key: &str| results.iter().map(|r| r[key].as_str().unwrap_or("null").to_owned()).collect::<Vec<_>>();
    assert_eq!(pick("file"), ["c", "a", "b", "missing"]);
    assert_eq!(pick("status"), ["ok", "failed", "ok", "not-checked"]);
    assert_eq!(pick("reason"), ["null", "bad-signature", "null", "missing"]);
    assert_eq!(pick("encoding")[0], "compressed");
}

#[test]
fn json_gives_names_that_are_not_utf_8_in_hex() {
    let home = Home::with_key();
    home.write(os(b"\xffname"), b"x");
    home.ok(&[os(b"sign"), os(b"\xffname")]);
    let json = home.ok(&[os(b"verify"), os(b"\xffname"), os(b"--json")]).json();
    assert_eq!(json["results"][0]["file"], "\u{fffd}name");
    assert_eq!(json["results"][0]["file_hex"].as_str().unwrap().to_lowercase(), "ff6e616d65");
}

#[test]
fn json_gives_control_characters_of_names_exactly() {
    let home = Home::with_key();
    home.write("a\n\x1b\"\\b", b"x");
    home.ok(&["sign", "a\n\x1b\"\\b"]);
    let out = home.ok(&["verify", "a\n\x1b\"\\b", "--json"]);
    assert_eq!(out.json()["results"][0]["file"], "a\n\x1b\"\\b");
    assert!(!out.stdout.contains(&0x1b), "{out:?}");
}

#[test]
fn json_with_q_still_has_every_result() {
    let home = Home::with_signature();
    let (code, results) = results(&home, &["verify", "file", "-q", "--json"]);
    assert_eq!((code, results.len()), (0, 1));
}

#[test]
fn json_of_a_command_that_fails_as_a_whole_has_an_error() {
    let home = recipient(&[]);
    for (args, code) in [
        (&["verify", "file", "-p", "none", "--json"][..], 3),
        (&["verify", "file", "-p", "file", "--json"], 2),
        (&["verify", "file", "-p", "sha256:12", "--json"], 2),
        (&["verify", "file", "a.pub", "-s", "x", "--json"], 2),
    ] {
        let json = home.fails_without_traces(code, args).json();
        assert!(json["error"].is_object(), "{json}");
    }
    fs::remove_file(home.path("file.sig")).unwrap();
    let json = home.fails_without_traces(2, &["verify", "--json"]).json();
    assert!(json["error"].is_object() && json["results"].as_array().unwrap().is_empty(), "{json}");
}

fn hex_bytes(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap()).collect()
}

// Why a file failed.

/// What verify says of `file`, signed as `signed` and now `now`: the reason in brackets.
fn explained(signed: &[u8], now: &[u8]) -> String {
    let home = Home::with_key();
    home.write("file", signed);
    home.ok(&["sign", "file"]);
    home.write("file", now);
    fails(&home, 1, &["verify", "file"])
}

#[test]
fn a_failure_says_which_usual_change_explains_it() {
    for (signed, now, words) in [
        (&b"a\nb\n"[..], &b"a\r\nb\r\n"[..], "line ends LF instead of CRLF"),
        (b"a\r\nb\r\n", b"a\nb\n", "line ends CRLF instead of LF"),
        (b"a\nb\n", b"a\nb", "with a newline added at its end"),
        (b"a\nb", b"a\nb\n", "without its last newline"),
        (b"a\nb", b"a\nb\r\n", "without its last newline"),
        (b"", b"\n", "without its last newline"),
        (b"a\n", b"\xef\xbb\xbfa\n", "without its byte order mark"),
        (b"a\nb\n", b"\xef\xbb\xbfa\r\nb\r\n", "byte order mark and with line ends LF instead of CRLF"),
    ] {
        let line = explained(signed, now);
        assert!(line.contains("; it does belong to this file ") && line.contains(words), "{line}");
    }
}

#[test]
fn a_failure_without_a_usual_reason_is_left_as_it_is() {
    for (signed, now) in [(&b"a\nb\n"[..], &b"a\nc\n"[..]), (b"", b"x"), (b"a\n\n\n", b"a\n")] {
        let line = explained(signed, now);
        assert!(!line.contains("it does belong"), "{line}");
    }
}

#[test]
fn a_big_file_with_other_line_ends_is_explained_across_its_pieces() {
    let lines = |end: &str| format!("a line of text{end}").repeat(100_000).into_bytes();
    let line = explained(&lines("\n"), &lines("\r\n"));
    assert!(line.contains("line ends LF instead of CRLF"), "{line}");
}

#[test]
fn a_signature_of_another_file_of_the_folder_is_told() {
    let home = Home::with_signature();
    home.write("other\n1", b"the file's bytes\n");
    home.write("file", b"something else");
    let line = fails(&home, 1, &["verify", "file"]);
    assert!(line.contains("it does belong to other\\n1 in the same folder"), "{line}");
    // Found beside the file, not in the current folder.
    fs::create_dir(home.path("sub")).unwrap();
    for name in ["file", "file.sig"] {
        fs::rename(home.path(name), home.path("sub").join(name)).unwrap();
    }
    let out = home.run(&["verify", "sub/file"]).expect(1);
    assert!(!out.out().contains("it does belong"), "{out:?}");
}

#[test]
fn an_explanation_changes_neither_verdict_nor_key() {
    let home = Home::with_signature();
    home.write("file", b"the file's bytes\r\n");
    home.write("good", b"the file's bytes\n");
    home.write("b.pub", &keys().b.public);
    let out = home.run(&["verify", "file", "--json"]).expect(1);
    let result = out.json()["results"][0].clone();
    assert_eq!((&result["status"], &result["reason"]), (&"failed".into(), &"bad-signature".into()));
    assert_eq!(result["belongs_to"], "this file with line ends LF instead of CRLF");
    // Under another key nothing is tried.
    let line = fails(&home, 1, &["verify", "file", "-p", "b.pub"]);
    assert!(!line.contains("it does belong"), "{line}");
    let out = home.ok(&["verify", "good", "-s", "file.sig", "--json"]);
    assert!(out.json()["results"][0]["belongs_to"].is_null());
}

#[test]
fn only_a_regular_file_under_64_mib_is_looked_at_again() {
    let home = Home::with_signature();
    home.write("other", b"the file's bytes\n");
    fs::remove_file(home.path("file")).unwrap();
    mkfifo(&home.path("file"));
    let script = "printf x > file & exec \"$0\" \"$@\"";
    let out = home.finish(home.shell(script, &["verify", "file"]), b"").expect(1);
    assert!(!out.out().contains("it does belong"), "{out:?}");
    let out = home.run_with(&["verify", "-", "-s", "file.sig"], b"x").expect(1);
    assert!(!out.out().contains("it does belong"), "{out:?}");
    fs::remove_file(home.path("file")).unwrap();
    let file = fs::File::create(home.path("file")).unwrap();
    file.set_len(64 << 20).unwrap();
    let out = home.run(&["verify", "file"]).expect(1);
    assert!(!out.out().contains("it does belong"), "{out:?}");
    file.set_len(1 << 20).unwrap();
    let out = home.run(&["verify", "file"]).expect(1);
    assert!(out.out().contains("it does belong to other in the same folder"), "{out:?}");
}
