//! `pqc sign` and the choice of the private key, tested from outside.
#![cfg(unix)]

mod common;

use std::ffi::OsString;
use std::fs;
use std::fs::File;
use std::io::{Seek, Write};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use common::der::Container;
use common::*;

// What is written where.

#[test]
fn writes_file_sig_beside_each_file_and_prints_file_to_sig() {
    let home = Home::with_key();
    fs::create_dir(home.path("sub")).unwrap();
    home.write("sub/other", b"other");
    let out = home.ok(&["sign", "file", "sub/other"]);
    assert_eq!(out.out(), "file -> file.sig\nsub/other -> sub/other.sig\n");
    home.ok(&["verify", "file", "sub/other"]);
}

#[test]
fn says_on_standard_error_which_key_and_where_it_came_from() {
    let home = Home::with_key();
    let err = home.ok(&["sign", "file"]).err();
    assert!(err.contains(home.home().join("falcon512.key").to_str().unwrap()), "{err}");
    assert!(err.contains(&keys().a.fingerprint), "{err}");

    home.write_key("b.key", &keys().b.private);
    let err = home.ok(&["sign", "file", "-k", "b.key", "-o", "2"]).err();
    assert!(err.contains("b.key") && err.contains(&keys().b.fingerprint), "{err}");
    assert!(err.contains("-k"), "where it came from: {err}");

    let mut command = home.command();
    command.args(["sign", "file", "-o", "3"]).env("PQC_KEY", home.path("b.key"));
    let err = home.finish(command, b"").expect(0).err();
    assert!(err.contains("b.key") && err.contains("PQC_KEY"), "{err}");
}

#[test]
fn o_names_the_signature() {
    let home = Home::with_key();
    home.ok(&["sign", "file", "-o", "out"]);
    assert_eq!(home.listing(), ["file", "out"]);
    home.ok(&["verify", "file", "-s", "out"]);
}

#[test]
fn sig_dir_takes_the_signatures_of_all_files() {
    let home = Home::with_key();
    fs::create_dir_all(home.path("sub")).unwrap();
    fs::create_dir_all(home.path("sigs")).unwrap();
    home.write("sub/other", b"other");
    home.ok(&["sign", "file", "sub/other", "--sig-dir", "sigs"]);
    assert_eq!(listing(&home.path("sigs")), ["file.sig", "other.sig"]);
    home.ok(&["verify", "file", "sub/other", "--sig-dir", "sigs"]);
}

/// More files than are signed at once, of all kinds of lengths.
#[test]
fn many_files_are_all_signed_in_their_order() {
    let home = Home::with_key();
    let names: Vec<String> = (0..35).map(|i| format!("f{i:02}")).collect();
    for (i, name) in names.iter().enumerate() {
        home.write(name, vec![i as u8; i * i * 40]);
    }
    let files: Vec<&str> = names.iter().map(String::as_str).collect();
    let out = home.ok(&[&["sign"], &files[..]].concat());
    let lines: String = names.iter().map(|name| format!("{name} -> {name}.sig\n")).collect();
    assert_eq!(out.out(), lines);
    home.ok(&[&["verify"], &files[..]].concat());
}

#[test]
fn sig_dir_that_is_missing_is_an_error() {
    let home = Home::with_key();
    let mut command = home.command();
    command.args(["sign", "file", "--sig-dir", "none"]);
    home.command_fails_without_traces(&[2, 3], command, b"");
}

#[test]
fn a_signature_can_be_read_by_others() {
    let home = Home::with_key();
    home.finish(home.shell("umask 022; exec \"$0\" \"$@\"", &["sign", "file"]), b"").expect(0);
    assert_eq!(home.mode("file.sig"), 0o644);
}

#[test]
fn an_empty_file_is_signed_like_any_other() {
    let home = Home::with_key();
    home.write("empty", b"");
    home.ok(&["sign", "empty"]);
    home.ok(&["verify", "empty"]);
    home.write("empty", b"x");
    home.run(&["verify", "empty"]).expect(1);
}

#[test]
fn two_signatures_of_one_file_share_no_nonce() {
    let home = Home::with_key();
    home.ok(&["sign", "file", "-o", "1", "--format", "raw"]);
    home.ok(&["sign", "file", "-o", "2", "--format", "raw"]);
    assert_ne!(home.read("1")[1..41], home.read("2")[1..41]);
}

// Formats and encodings.

#[test]
fn padded_is_the_default_at_666_and_1280_bytes() {
    let home = Home::with_key();
    home.write_key("big.key", &keys().big.private);
    home.ok(&["sign", "file"]);
    let padded = Container::read(&home.read("file.sig"));
    assert_eq!(padded.signature().len(), 666);
    assert_eq!(padded.fingerprint(), keys().a.fingerprint);
    assert!(padded.key().is_none());
    home.ok(&["sign", "file", "-o", "big", "-k", "big.key"]);
    assert_eq!(Container::read(&home.read("big")).signature().len(), 1280);
    home.ok(&["sign", "file", "-o", "explicit", "--encoding", "padded"]);
    assert_eq!(Container::read(&home.read("explicit")).signature().len(), 666);
}

#[test]
fn compressed_is_shorter_and_ends_without_padding() {
    let home = Home::with_key();
    home.write_key("big.key", &keys().big.private);
    for (n, (key, padded)) in [("falcon512.key", 666), ("big.key", 1280)].into_iter().enumerate() {
        let name = format!("s{n}");
        let path = if n == 0 { home.home().join(key) } else { home.path(key) };
        let args = ["sign", "file", "-o", &name, "--encoding", "compressed", "-k", path.to_str().unwrap()];
        home.ok(&args);
        let signature = Container::read(&home.read(&name)).signature();
        assert!(signature.len() < padded, "{}", signature.len());
        assert_ne!(signature.last(), Some(&0));
        home.run(&["verify", "file", "-s", &name]).expect(if n == 0 { 0 } else { 2 });
    }
}

#[test]
fn raw_is_the_algorithms_own_signature() {
    let home = Home::with_key();
    home.ok(&["sign", "file", "--format", "raw"]);
    let raw = home.read("file.sig");
    assert_eq!((raw.len(), raw[0]), (666, 0x39));
    home.ok(&["sign", "file", "--format", "raw", "--encoding", "compressed", "-o", "c"]);
    let raw = home.read("c");
    assert!(raw.len() < 666 && raw[0] == 0x39);
    let public = home.home().join("falcon512.pub");
    home.ok(&["verify", "file", "-p", public.to_str().unwrap()]);
    home.ok(&["verify", "file", "-s", "c", "-p", public.to_str().unwrap()]);
}

#[test]
fn with_key_puts_the_public_key_into_the_signature() {
    let home = Home::with_key();
    home.ok(&["sign", "file", "--with-key"]);
    let container = Container::read(&home.read("file.sig"));
    let spki = der::pem_decode(&keys().a.public);
    let inside = container.key().expect("a fifth element").encode();
    let raw = &spki[spki.len() - 897..];
    assert!(inside.windows(raw.len()).any(|window| window == raw));
    assert_eq!(inside[0], 0xa0);
}

#[test]
fn with_key_cannot_be_put_into_a_raw_signature() {
    Home::with_key().fails_without_traces(2, &["sign", "file", "--format", "raw", "--with-key"]);
}

// Standard input and output.

#[test]
fn without_file_is_exit_2_and_waits_for_nothing() {
    let home = Home::with_key();
    let mut command = home.command();
    command.arg("sign");
    home.command_fails_without_traces(&[2], command, b"piped in");
}

#[test]
fn dash_reads_standard_input_and_writes_only_the_signature_to_standard_output() {
    let home = Home::with_key();
    let out = home.run_with(&["sign", "-"], b"piped in").expect(0);
    Container::read(&out.stdout);
    assert!(out.stdout.ends_with(b"-----END PQC SIGNATURE-----\n"), "{out:?}");
    assert_eq!(home.listing(), ["file"], "no `-.sig`");
    home.write("data", b"piped in");
    home.write("data.sig", &out.stdout);
    home.ok(&["verify", "data"]);
}

#[test]
fn dash_with_o_writes_the_file() {
    let home = Home::with_key();
    let out = home.run_with(&["sign", "-", "-o", "out"], b"piped in").expect(0);
    assert!(!out.out().contains("BEGIN"), "{out:?}");
    home.write("data", b"piped in");
    home.ok(&["verify", "data", "-s", "out"]);
}

#[test]
fn o_dash_writes_only_the_signature_to_standard_output() {
    let home = Home::with_key();
    let out = home.ok(&["sign", "file", "-o", "-"]);
    Container::read(&out.stdout);
    home.write("s", &out.stdout);
    home.ok(&["verify", "file", "-s", "s"]);
    let raw = home.ok(&["sign", "file", "-o", "-", "--format", "raw"]).stdout;
    assert_eq!(raw.len(), 666);
}

#[test]
fn a_signature_on_standard_output_is_not_mixed_with_lines() {
    for args in [&["sign", "-", "file", "--format", "raw"][..], &["sign", "file", "-", "--format", "raw"]] {
        let home = Home::with_key();
        let out = home.run_with(args, b"piped in");
        assert!(out.code == 2 || out.code == 0 && out.stdout.len() == 666, "{out:?}");
    }
}

#[test]
fn dash_can_be_used_once() {
    let home = Home::with_key();
    for args in [&["sign", "-", "-"][..], &["sign", "-", "-k", "-"], &["sign", "-", "file", "-k", "-"]] {
        home.fails_without_traces(2, args);
    }
}

#[test]
fn the_key_is_read_from_standard_input_and_from_a_descriptor() {
    let home = Home::with_key();
    fs::remove_dir_all(home.home()).unwrap();
    home.run_with(&["sign", "file", "-k", "-", "-o", "1"], &keys().a.private).expect(0);
    home.run_with(&["sign", "file", "-k", "/dev/fd/0", "-o", "2"], &keys().a.private).expect(0);
    home.write_key("a.key", &keys().a.private);
    let script = "cat a.key | { exec 7<&0 </dev/null; exec \"$0\" \"$@\"; }";
    home.finish(home.shell(script, &["sign", "file", "-k", "/dev/fd/7", "-o", "3"]), b"").expect(0);
    home.write("a.pub", &keys().a.public);
    for signature in ["1", "2", "3"] {
        home.ok(&["verify", "file", "-s", signature, "-p", "a.pub"]);
    }
}

/// Reliability, P11: the device names of standard input lose no byte to a look at the file's kind.
#[test]
fn dev_stdin_is_signed_from_its_first_byte() {
    let home = Home::with_key();
    home.write("data", vec![7; 100_000]);
    for name in ["/dev/stdin", "/dev/fd/0"] {
        home.run_with(&["sign", name, "-o", "out", "--force"], &home.read("data")).expect(0);
        home.ok(&["verify", "data", "-s", "out"]);
        home.run_with(&["verify", name, "-s", "out"], &home.read("data")).expect(0);
    }
}

#[test]
fn a_fifo_is_signed_like_a_file() {
    let home = Home::with_key();
    mkfifo(&home.path("fifo"));
    let mut command = home.command();
    command.args(["sign", "fifo", "-o", "out"]);
    let path = home.path("fifo");
    let writer = thread::spawn(move || fs::write(path, b"through a fifo").unwrap());
    home.finish(command, b"").expect(0);
    writer.join().unwrap();
    home.write("data", b"through a fifo");
    home.ok(&["verify", "data", "-s", "out"]);
}

// Which key.

#[test]
fn k_wins_over_pqc_key_wins_over_the_key_home() {
    let home = Home::with_key();
    home.write_key("b.key", &keys().b.private);
    home.write_key("big.key", &keys().big.private);
    let signer = |args: &[&str], variable: Option<&Path>| {
        let mut command = home.command();
        command.args(["sign", "file", "-o", "-"]).args(args);
        if let Some(path) = variable {
            command.env("PQC_KEY", path);
        }
        Container::read(&home.finish(command, b"").expect(0).stdout).fingerprint()
    };
    assert_eq!(signer(&[], None), keys().a.fingerprint);
    assert_eq!(signer(&[], Some(&home.path("b.key"))), keys().b.fingerprint);
    assert_eq!(signer(&["-k", "big.key"], Some(&home.path("b.key"))), keys().big.fingerprint);
    assert_eq!(signer(&[], Some(Path::new(""))), keys().a.fingerprint, "an empty variable is unset");
}

#[test]
fn pqc_key_that_is_unusable_is_an_error_and_no_fallback() {
    let home = Home::with_key();
    home.write("junk", b"junk");
    home.write("a.pub", &keys().a.public);
    for (value, code) in [("missing", 3), ("junk", 2), ("a.pub", 2)] {
        let mut command = home.command();
        command.args(["sign", "file"]).env("PQC_KEY", value);
        let out = home.command_fails_without_traces(&[code], command, b"");
        assert!(out.err().contains(value), "{out:?}");
    }
}

#[test]
fn several_keys_are_listed_each_as_a_ready_option() {
    let home = Home::with_key();
    home.install(&keys().b, "second");
    home.install(&keys().big, "third");
    let err = home.fails_without_traces(2, &["sign", "file"]).err();
    for (name, algorithm, pair) in [
        ("falcon512", "falcon512", &keys().a),
        ("second", "falcon512", &keys().b),
        ("third", "falcon1024", &keys().big),
    ] {
        let path = home.home().join(format!("{name}.key"));
        let line = format!("-k {} ({algorithm} {})", path.display(), pair.fingerprint);
        assert!(err.contains(&line), "{line} is not in: {err}");
    }
}

#[test]
fn no_key_at_all_names_the_way_to_one() {
    let home = Home::new();
    home.write("file", b"x");
    for made in [false, true] {
        if made {
            home.make_home();
        }
        let mut command = home.command();
        command.args(["sign", "file"]);
        let err = home.command_fails_without_traces(&[2, 3], command, b"").err();
        assert!(err.contains("keygen") || err.contains("-k"), "{err}");
    }
}

#[test]
fn a_damaged_key_in_the_home_is_an_error_and_not_skipped() {
    let home = Home::with_key();
    let damaged = home.home().join("damaged.key");
    let mut half = keys().b.private.clone();
    half.truncate(half.len() / 2);
    for content in [&b""[..], b"junk", &half] {
        fs::write(&damaged, content).unwrap();
        home.chmod(&damaged, 0o600);
        let out = home.fails_without_traces(2, &["sign", "file"]);
        assert!(out.err().contains("damaged.key"), "{out:?}");
    }
    home.ok(&["sign", "file", "-k", home.home().join("falcon512.key").to_str().unwrap()]);
}

#[test]
fn only_key_and_pub_files_of_the_home_are_read() {
    let home = Home::with_key();
    for name in ["notes.txt", "falcon512.key.bak", "key", "pub", "x.KEY"] {
        fs::write(home.home().join(name), b"junk").unwrap();
    }
    fs::create_dir(home.home().join("folder")).unwrap();
    home.ok(&["sign", "file"]);
    home.ok(&["verify", "file"]);
}

#[test]
fn a_key_beside_the_file_is_never_taken() {
    let home = Home::new();
    home.write("file", b"x");
    home.write_key("falcon512.key", &keys().a.private);
    home.write_key("file.key", &keys().a.private);
    let mut command = home.command();
    command.args(["sign", "file"]);
    home.command_fails_without_traces(&[2, 3], command, b"");
}

#[test]
fn a_missing_key_is_exit_3_and_one_of_the_wrong_kind_exit_2() {
    let home = Home::with_key();
    home.write("a.pub", &keys().a.public);
    home.ok(&["sign", "file"]);
    let out = home.fails_without_traces(3, &["sign", "file", "-o", "x", "-k", "none.key"]);
    assert!(out.err().contains("none.key"), "{out:?}");
    let out = home.fails_without_traces(2, &["sign", "file", "-o", "x", "-k", "a.pub"]);
    assert!(out.err().contains("a.pub") && out.err().to_lowercase().contains("public"), "{out:?}");
    let out = home.fails_without_traces(2, &["sign", "file", "-o", "x", "-k", "file.sig"]);
    assert!(out.err().contains("file.sig") && out.err().to_lowercase().contains("signature"), "{out:?}");
}

#[test]
fn a_key_that_others_can_read_gets_a_warning() {
    let home = Home::with_key();
    assert!(!home.ok(&["sign", "file", "-o", "1"]).err().to_lowercase().contains("warning"));
    for mode in [0o640, 0o604, 0o644] {
        home.chmod(home.home().join("falcon512.key"), mode);
        let out = home.ok(&["sign", "file", "-o", &format!("{mode}")]);
        assert!(out.err().to_lowercase().contains("warning"), "mode {mode:o}: {out:?}");
    }
}

#[test]
fn a_key_whose_halves_do_not_belong_together_is_refused() {
    let home = Home::with_key();
    let mut node = der::Node::parse(&der::pem_decode(&keys().a.private));
    let other = der::pem_decode(&keys().b.public);
    let inner = node.children_mut()[2].content_mut();
    let at = inner.len() - 897;
    inner[at..].copy_from_slice(&other[other.len() - 897..]);
    home.write_key("mixed.key", der::pem_encode("PRIVATE KEY", &node.encode()));
    home.fails_without_traces(2, &["sign", "file", "-k", "mixed.key"]);
}

#[test]
fn everything_but_keygen_works_in_a_home_that_is_read_only() {
    let test = "everything_but_keygen_works_in_a_home_that_is_read_only";
    let home = Home::with_key();
    home.chmod(home.home().join("falcon512.key"), 0o400);
    home.chmod(home.home().join("falcon512.pub"), 0o444);
    home.chmod(home.home(), 0o500);
    for args in [&["sign", "file"][..], &["verify", "file"], &["inspect"], &["list"]] {
        let Some(mut command) = as_nobody(&home, test) else { return home.chmod(home.home(), 0o700) };
        command.args(args);
        home.finish(command, b"").expect(0);
    }
    home.chmod(home.home(), 0o700);
}

// Nothing is overwritten, nothing is left.

#[test]
fn an_existing_signature_is_replaced_only_with_force() {
    let home = Home::with_key();
    home.ok(&["sign", "file"]);
    let first = home.read("file.sig");
    let out = home.fails_without_traces(2, &["sign", "file"]);
    assert!(out.err().contains("file.sig") && out.err().contains("--force"), "{out:?}");
    home.ok(&["sign", "file", "--force"]);
    assert_ne!(home.read("file.sig"), first);
    home.ok(&["verify", "file"]);
    assert_eq!(home.listing(), ["file", "file.sig"]);
}

#[test]
fn an_existing_signature_of_another_kind_is_named() {
    let home = Home::with_key();
    for (content, name) in FOREIGN {
        home.write("file.sig", content);
        let out = home.fails_without_traces(2, &["sign", "file"]);
        assert!(out.err().to_lowercase().contains(&name.to_lowercase()), "{name} is not named: {out:?}");
    }
}

#[test]
fn all_targets_are_checked_before_the_first_is_written() {
    let home = Home::with_key();
    home.write("a", b"a");
    home.write("b", b"b");
    home.write("b.sig", b"here already");
    let out = home.fails_without_traces(2, &["sign", "a", "b"]);
    assert!(out.err().contains("b.sig"), "{out:?}");
}

#[test]
fn two_files_with_one_output_name_are_refused() {
    let home = Home::with_key();
    for folder in ["a", "b", "sigs"] {
        fs::create_dir(home.path(folder)).unwrap();
        home.write(format!("{folder}/x"), folder);
    }
    home.fails_without_traces(2, &["sign", "a/x", "b/x", "--sig-dir", "sigs"]);
    home.fails_without_traces(2, &["sign", "file", "file"]);
    home.fails_without_traces(2, &["sign", "file", "./file"]);
    home.fails_without_traces(2, &["sign", "file", "a/../file"]);
    home.fails_without_traces(2, &["sign", "file", "file", "--force"]);
    let absolute = home.path("file");
    home.fails_without_traces(2, &["sign", "file", absolute.to_str().unwrap()]);
}

#[test]
fn o_and_several_files_are_refused() {
    let home = Home::with_key();
    home.write("b", b"b");
    home.fails_without_traces(2, &["sign", "file", "b", "-o", "x"]);
    home.fails_without_traces(2, &["sign", "file", "b", "-o", "-"]);
    fs::create_dir(home.path("d")).unwrap();
    home.fails_without_traces(2, &["sign", "file", "-o", "x", "--sig-dir", "d"]);
}

#[test]
fn a_signature_is_not_signed() {
    let home = Home::with_key();
    home.ok(&["sign", "file"]);
    let out = home.fails_without_traces(2, &["sign", "file.sig"]);
    assert!(out.err().contains("file.sig"), "{out:?}");
    home.write("renamed", home.read("file.sig"));
    home.fails_without_traces(2, &["sign", "renamed"]);
    home.fails_without_traces(2, &["sign", "file.sig", "--force"]);
    home.write("other", b"other");
    home.run(&["sign", "other", "file.sig"]).expect(2);
    assert!(home.exists("other.sig") && !home.exists("file.sig.sig"));
}

#[test]
fn a_data_file_that_is_only_named_sig_is_signed() {
    let home = Home::with_key();
    home.write("data.sig", b"just data");
    home.ok(&["sign", "data.sig"]);
    assert!(home.exists("data.sig.sig"));
    home.ok(&["verify", "data.sig"]);
}

#[test]
fn an_output_that_is_a_symbolic_link_is_refused() {
    for target in ["elsewhere", "nowhere", "folder", "file"] {
        let home = Home::with_key();
        home.write("elsewhere", b"precious");
        fs::create_dir(home.path("folder")).unwrap();
        symlink(target, home.path("file.sig")).unwrap();
        home.fails_without_traces(2, &["sign", "file"]);
        home.fails_without_traces(2, &["sign", "file", "--force"]);
        symlink(target, home.path("named")).unwrap();
        home.fails_without_traces(2, &["sign", "file", "-o", "named"]);
        home.fails_without_traces(2, &["sign", "file", "-o", "named", "--force"]);
    }
}

#[test]
fn a_file_that_is_a_symbolic_link_is_signed_through_it() {
    let home = Home::with_key();
    symlink("file", home.path("link")).unwrap();
    home.ok(&["sign", "link"]);
    assert_eq!(home.listing(), ["file", "link", "link.sig"]);
    home.ok(&["verify", "link"]);
}

/// Reliability, bug 48: input = output destroyed the data.
#[test]
fn bug_48_the_file_itself_as_output_is_refused_force_or_not() {
    let home = Home::with_key();
    home.fails_without_traces(2, &["sign", "file", "-o", "file"]);
    home.fails_without_traces(2, &["sign", "file", "-o", "file", "--force"]);
    home.fails_without_traces(2, &["sign", "file", "-o", "./file", "--force"]);
    symlink("file", home.path("link")).unwrap();
    home.fails_without_traces(2, &["sign", "link", "-o", "file", "--force"]);
}

/// Reliability, bug 41, for sign: a private key is not replaced by a signature.
#[test]
fn bug_41_a_private_key_as_output_is_refused_force_or_not() {
    let home = Home::with_key();
    home.write_key("k.key", &keys().a.private);
    home.write_key("b.key", &keys().b.private);
    home.write_key("b.txt", &keys().b.private);
    home.write_key(
        "e.key",
        b"-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAA=\n-----END ENCRYPTED PRIVATE KEY-----\n",
    );
    home.write_key(
        "o.pem",
        b"-----BEGIN OPENSSH PRIVATE KEY-----\nMAA=\n-----END OPENSSH PRIVATE KEY-----\n",
    );
    home.write_key("long.key", [&b"text before the key\n".repeat(500)[..], &keys().b.private].concat());
    for output in ["k.key", "b.key", "b.txt", "e.key", "o.pem", "long.key"] {
        home.fails_without_traces(2, &["sign", "file", "-k", "k.key", "-o", output]);
        home.fails_without_traces(2, &["sign", "file", "-k", "k.key", "-o", output, "--force"]);
    }
}

#[test]
fn an_output_that_exists_as_folder_or_fifo_is_refused() {
    let home = Home::with_key();
    fs::create_dir(home.path("folder")).unwrap();
    mkfifo(&home.path("fifo"));
    home.fails_without_traces(2, &["sign", "file", "-o", "folder"]);
    home.fails_without_traces(2, &["sign", "file", "-o", "folder", "--force"]);
    home.fails_without_traces(2, &["sign", "file", "-o", "fifo"]);
}

#[test]
fn an_output_folder_that_is_missing_is_exit_3() {
    let out = Home::with_key().fails_without_traces(3, &["sign", "file", "-o", "no/such/out"]);
    assert!(out.err().contains("no/such"), "{out:?}");
}

#[test]
fn a_missing_file_is_exit_3_and_leaves_no_signature() {
    let home = Home::with_key();
    let out = home.fails_without_traces(3, &["sign", "missing"]);
    assert!(out.err().contains("missing"), "{out:?}");
    // Among others it stops none of them: tests/cli_batch.rs.
    home.run(&["sign", "missing", "file"]).expect(3);
    assert_eq!(home.listing(), ["file", "file.sig"]);
}

#[test]
fn a_folder_is_not_signed() {
    let home = Home::with_key();
    fs::create_dir(home.path("folder")).unwrap();
    let mut command = home.command();
    command.args(["sign", "folder"]);
    home.command_fails_without_traces(&[2, 3], command, b"");
}

/// Reliability, bug 42: a damaged key left an empty file in place of the good signature.
#[test]
fn bug_42_a_damaged_key_leaves_the_old_signature() {
    let home = Home::with_key();
    home.ok(&["sign", "file"]);
    let mut damaged = keys().a.private.clone();
    damaged.truncate(damaged.len() - 200);
    home.write_key("damaged.key", damaged);
    home.fails_without_traces(2, &["sign", "file", "--force", "-k", "damaged.key"]);
}

#[test]
fn a_file_that_changes_while_it_is_signed_is_exit_3() {
    for grows in [true, false] {
        let home = Home::with_key();
        let path = home.path("moving");
        let file = File::create(&path).unwrap();
        file.set_len(96 << 20).unwrap();
        let done = AtomicBool::new(false);
        let out = thread::scope(|scope| {
            scope.spawn(|| {
                let mut file = File::options().write(true).open(&path).unwrap();
                let mut n = 0u64;
                while !done.load(Ordering::Relaxed) {
                    n += 1;
                    let at = if grows { (96 << 20) + n } else { n % 1000 };
                    file.seek(std::io::SeekFrom::Start(at)).unwrap();
                    file.write_all(&n.to_le_bytes()).unwrap();
                    thread::sleep(Duration::from_millis(1));
                }
            });
            let out = home.run(&["sign", "moving"]);
            done.store(true, Ordering::Relaxed);
            out
        });
        out.clone().expect(3);
        assert!(out.err().contains("moving") && out.err().contains("changed"), "{out:?}");
        assert_eq!(home.listing(), ["file", "moving"]);
    }
}

#[test]
fn an_output_that_appears_while_the_file_is_read_is_not_replaced() {
    let home = Home::with_key();
    mkfifo(&home.path("fifo"));
    // Open at both ends, so that the program neither waits for a writer nor sees an end.
    let mut fifo = File::options().read(true).write(true).open(home.path("fifo")).unwrap();
    fifo.write_all(b"piped in").unwrap();
    let mut command = home.command();
    command.args(["sign", "fifo"]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    wait_until_open(&child, "fifo");
    home.write("fifo.sig", b"made by another");
    drop(fifo);
    let out = wait(child, format!("{command:?}, with an output that appears"));
    out.check_manners();
    let out = out.expect(2);
    assert!(out.err().contains("fifo.sig"), "{out:?}");
    assert_eq!(home.read("fifo.sig"), b"made by another");
    assert_eq!(home.listing(), ["fifo", "fifo.sig", "file"]);
}

#[test]
fn eight_at_once_onto_one_file_leave_one_whole_signature() {
    let home = Home::with_key();
    let codes: Vec<i32> = thread::scope(|scope| {
        let all: Vec<_> = (0..8).map(|_| scope.spawn(|| home.run(&["sign", "file"]).code)).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(codes.iter().filter(|code| **code == 0).count(), 1, "{codes:?}");
    assert!(codes.iter().all(|code| matches!(code, 0 | 2)), "{codes:?}");
    assert_eq!(home.listing(), ["file", "file.sig"]);
    home.ok(&["verify", "file"]);
}

#[test]
fn sixteen_at_once_onto_sixteen_files_do_not_disturb_each_other() {
    let home = Home::with_key();
    let names: Vec<String> = (0..16).map(|n| format!("f{n}")).collect();
    names.iter().for_each(|name| home.write(name, name));
    thread::scope(|scope| names.iter().for_each(|name| drop(scope.spawn(|| home.ok(&["sign", name])))));
    let args: Vec<&str> = std::iter::once("verify").chain(names.iter().map(String::as_str)).collect();
    home.ok(&args);
    assert_eq!(home.listing().len(), 33);
}

// Names.

#[test]
fn odd_file_names_are_signed_and_printed_escaped_on_one_line() {
    let home = Home::with_key();
    let names: [&[u8]; 8] = [
        b"\xff\xfe",
        b"new\nline",
        b"esc\x1b[31mred",
        b"tab\tbell\x07",
        b"two words",
        b"caf\xc3\xa9",
        b"c1\xc2\x9bx",
        b"back\rspace",
    ];
    for name in names {
        home.write(os(name), b"x");
        let out = home.ok(&[os(b"sign"), os(name)]);
        assert_printable(&out);
        assert_eq!(out.out().lines().count(), 1, "{out:?}");
        assert!(home.exists(os(&[name, b".sig"].concat())), "{out:?}");
        let out = home.ok(&[os(b"verify"), os(name)]);
        assert_printable(&out);
        assert_eq!(out.out().lines().count(), 1, "{out:?}");
    }
}

#[test]
fn a_name_with_a_leading_dash_is_reached_by_two_dashes_and_by_dot_slash() {
    let home = Home::with_key();
    home.write("-file", b"x");
    home.ok(&["sign", "--", "-file"]);
    home.ok(&["verify", "--", "-file"]);
    home.ok(&["verify", "./-file"]);
    home.fails_without_traces(2, &["sign", "-file", "--force"]);
}

#[test]
fn a_name_of_251_bytes_is_signed_and_one_of_255_only_with_o() {
    let home = Home::with_key();
    let (fits, long) = ("n".repeat(251), "n".repeat(255));
    home.write(&fits, b"x");
    home.write(&long, b"x");
    home.ok(&["sign", &fits]);
    home.ok(&["verify", &fits]);
    home.fails_without_traces(3, &["sign", &long]);
    home.ok(&["sign", &long, "-o", "short"]);
    home.ok(&["verify", &long, "-s", "short"]);
}

// The rest of the page.

#[test]
fn s_is_answered_with_k() {
    let out = Home::with_key().fails_without_traces(2, &["sign", "-s", "falcon512.key", "file"]);
    assert!(out.err().contains("did you mean -k?"), "{out:?}");
}

#[test]
fn help_says_what_a_signature_does_not_say() {
    let help = Home::new().ok(&["sign", "--help"]).out().to_lowercase();
    for words in [&["name"][..], &["version"], &["date", "when"], &["checksum"]] {
        assert!(words.iter().any(|word| help.contains(word)), "{words:?}: {help}");
    }
}

#[test]
fn json_is_one_object_on_success_and_on_failure() {
    let home = Home::with_key();
    home.write("b", b"b");
    let json = home.ok(&["sign", "file", "b", "--json"]).json();
    assert_eq!(json["command"], "sign");
    assert_eq!(json["results"].as_array().unwrap().len(), 2);
    assert!(json["error"].is_null());
    let json = home.fails_without_traces(2, &["sign", "file", "--json"]).json();
    assert_eq!(json["error"]["code"], 2);
    let json = home.fails_without_traces(3, &["sign", "missing", "--json"]).json();
    assert_eq!((&json["exit"], &json["command"]), (&3.into(), &"sign".into()));
}

#[test]
fn every_backend_of_the_build_signs_what_every_other_verifies() {
    let home = Home::with_key();
    for signer in ["soft", "scalar", "auto"] {
        home.ok(&["sign", "file", "-o", signer, "--isa", signer]);
        for verifier in ["soft", "scalar", "auto"] {
            home.ok(&["verify", "file", "-s", signer, "--isa", verifier]);
        }
    }
}

#[test]
fn q_hides_no_error() {
    let home = Home::with_key();
    let out = home.fails_without_traces(3, &["sign", "-q", "missing"]);
    assert!(out.err().contains("missing"), "{out:?}");
}

#[test]
fn the_order_of_options_and_files_does_not_matter() {
    let home = Home::with_key();
    home.write_key("k.key", &keys().a.private);
    for (n, args) in [["-k", "k.key", "file"], ["file", "-k", "k.key"]].iter().enumerate() {
        let mut all: Vec<OsString> =
            std::iter::once("sign").chain(args.iter().copied()).map(OsString::from).collect();
        all.extend([os(b"-o"), OsString::from(format!("s{n}"))]);
        home.ok(&all);
    }
}

#[test]
fn a_group_readable_home_does_not_stop_signing() {
    let home = Home::with_key();
    home.chmod(home.home(), 0o755);
    home.ok(&["sign", "file"]);
}
