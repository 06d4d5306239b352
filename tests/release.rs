//! `release.sh`: what is in the archive, that two runs give the same one, and what is signed.
#![cfg(unix)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::*;

/// Whether the tools of the script are here; says so where not.
fn can_release(test: &str) -> bool {
    let missing = ["tar", "gzip", "sha256sum", "install"].into_iter().find(|program| !has(program));
    if let Some(program) = missing {
        cannot_run(test, &format!("{program} is not here"));
    }
    missing.is_none()
}

/// The script, into the folder `out` below the current one. The program in the archive is one that starts the program
/// under test, which is large where it is not optimised.
fn release(home: &Home, out: &str, args: &[&str]) -> Out {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("release.sh");
    let program = home.root().join("pqc");
    fs::write(&program, format!("#!/bin/sh\nexec {PQC} \"$@\"\n")).unwrap();
    home.chmod(&program, 0o755);
    let mut command: Command = home.program("sh");
    command.arg(script).arg("-b").arg(program).args(["-t", "some-target", "-o", out]).args(args);
    command.env("SOURCE_DATE_EPOCH", "1700000000");
    finish(command, b"")
}

fn archive(out: &str) -> PathBuf {
    Path::new(out).join(concat!("pqc-", env!("CARGO_PKG_VERSION"), "-some-target.tar.gz"))
}

fn check_sums(home: &Home, folder: &Path) -> Out {
    let mut command = home.program("sha256sum");
    command.args(["-c", "SHA256SUMS"]).current_dir(folder);
    finish(command, b"")
}

#[test]
fn an_archive_holds_program_man_pages_completions_licences_and_their_sums() {
    let test = "an_archive_holds_program_man_pages_completions_licences_and_their_sums";
    if !can_release(test) {
        return;
    }
    let home = Home::new();
    let out = release(&home, "dist", &[]).expect(0);
    assert!(out.out().contains("UNSIGNED"), "{out:?}");
    assert_eq!(listing(&home.path("dist")).len(), 2);
    check_sums(&home, &home.path("dist")).expect(0);

    let mut command = home.program("tar");
    command.arg("-xzf").arg(archive("dist"));
    finish(command, b"").expect(0);
    let folder = home.path(concat!("pqc-", env!("CARGO_PKG_VERSION"), "-some-target"));
    let names = listing(&folder);
    for name in ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "SHA256SUMS", "completions", "man", "pqc"] {
        assert!(names.contains(&name.into()), "{name}: {names:?}");
    }
    let sums = check_sums(&home, &folder).expect(0).out();
    assert!(sums.contains("man/pqc-sign.1: OK") && sums.contains("completions/_pqc: OK"), "{sums}");
    finish(home.program(folder.join("pqc")), b"").expect(2);
    let mut command = home.program("tar");
    let listed = finish(
        {
            command.arg("-tvzf").arg(archive("dist"));
            command
        },
        b"",
    )
    .expect(0)
    .out();
    assert!(listed.lines().all(|line| line.contains(" 0/0 ") && line.contains("2023-11-14")), "{listed}");
}

#[test]
fn two_runs_give_the_same_archive() {
    if !can_release("two_runs_give_the_same_archive") {
        return;
    }
    let home = Home::new();
    release(&home, "a", &[]).expect(0);
    release(&home, "b", &[]).expect(0);
    assert!(home.read(archive("a")) == home.read(archive("b")), "the archives differ");
    assert_eq!(home.read("a/SHA256SUMS"), home.read("b/SHA256SUMS"));
}

#[test]
fn the_list_is_signed_with_the_named_key_and_no_key_is_kept() {
    if !can_release("the_list_is_signed_with_the_named_key_and_no_key_is_kept") {
        return;
    }
    let home = Home::new();
    home.write_key("release.key", &keys().a.private);
    let out = release(&home, "dist", &["-k", "release.key"]).expect(0);
    assert!(!out.all().contains("UNSIGNED"), "{out:?}");
    home.ok(&["verify", "dist/SHA256SUMS", "-p", &keys().a.pin()]);
    assert_eq!(listing(&home.path("dist")).len(), 3);
    assert!(!home.home().exists());
    // An unsigned release leaves no signature of an older one, and a failed one leaves all as it was.
    let before = snapshot(&home.path("dist"));
    assert_ne!(release(&home, "dist", &["-k", "none.key"]).code, 0);
    home.write_key("bad.key", b"no key");
    assert_ne!(release(&home, "dist", &["-k", "bad.key"]).code, 0);
    assert_eq!(snapshot(&home.path("dist")), before);
    let out = release(&home, "dist", &[]).expect(0);
    assert!(out.out().contains("UNSIGNED") && !home.exists("dist/SHA256SUMS.sig"), "{out:?}");
    assert!(fs::read_dir(home.path("dist")).unwrap().count() == 2);
}
