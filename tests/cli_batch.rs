//! `pqc sign` and `pqc verify` with many files: lists of names, threads, and files that fail among others.
#![cfg(unix)]

mod common;

use std::fs;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;

use common::*;

/// A signer's folder with files of all kinds of lengths, and their names.
fn folder(count: usize) -> (Home, Vec<String>) {
    let home = Home::with_key();
    fs::remove_file(home.path("file")).unwrap();
    let names: Vec<String> = (0..count).map(|n| format!("f{n:03}")).collect();
    for (n, name) in names.iter().enumerate() {
        home.write(name, vec![n as u8; n * n * 40]);
    }
    (home, names)
}

fn lines(names: &[String], line: impl Fn(&str) -> String) -> String {
    names.iter().map(|name| line(name) + "\n").collect()
}

// Lists.

#[test]
fn a_list_names_one_file_a_line() {
    let (home, names) = folder(20);
    home.write("list", lines(&names, str::to_owned));
    let out = home.ok(&["sign", "--files-from", "list"]);
    assert_eq!(out.out(), lines(&names, |name| format!("{name} -> {name}.sig")));
    let out = home.ok(&["verify", "--files-from", "list"]);
    assert_eq!(out.out().lines().count(), 20);
    for (line, name) in out.out().lines().zip(&names) {
        assert!(is_ok_line(line, name, &keys().a, "falcon512"), "{line}");
    }
}

#[test]
fn files_of_the_command_line_come_before_those_of_the_list() {
    let (home, _) = folder(3);
    home.write("list", "f002\n\nf000");
    let out = home.ok(&["sign", "f001", "--files-from", "list"]);
    assert_eq!(out.out(), "f001 -> f001.sig\nf002 -> f002.sig\nf000 -> f000.sig\n");
}

#[test]
fn a_list_comes_from_standard_input_too() {
    let (home, _) = folder(2);
    let out = home.run_with(&["sign", "--files-from", "-"], b"f000\nf001\n").expect(0);
    assert_eq!(out.out(), "f000 -> f000.sig\nf001 -> f001.sig\n");
    let out = home.run_with(&["verify", "--files-from=-", "-0"], b"f001\0f000\0").expect(0);
    assert!(out.out().starts_with("f001: OK"), "{out:?}");
    // Standard input is one thing only.
    home.run_with(&["sign", "-", "--files-from", "-", "-o", "x"], b"f000\n").expect(2);
    home.run_with(&["sign", "--files-from", "-", "-k", "-"], b"f000\n").expect(2);
    home.run_with(&["verify", "--files-from", "-", "-p", "-"], b"f000\n").expect(2);
}

#[test]
fn a_list_with_zero_bytes_takes_every_name_as_find_writes_it() {
    let home = Home::with_key();
    fs::remove_file(home.path("file")).unwrap();
    fs::create_dir(home.path("tree")).unwrap();
    let odd = [&b"a b"[..], b"new\nline", b"\xff", b"-o", b" lead", b"back\\slash"];
    odd.iter().for_each(|name| fs::write(home.path("tree").join(os(name)), name).unwrap());
    let script = "find tree -type f ! -name '*.sig' -print0 | \"$0\" \"$@\" -0 --files-from -";
    let out = home.finish(home.shell(script, &["sign"]), b"").expect(0);
    assert_eq!(out.out().lines().count(), odd.len());
    assert_printable(&out);
    home.finish(home.shell(script, &["verify"]), b"").expect(0);
    let names = listing(&home.path("tree"));
    assert_eq!(names.iter().filter(|name| name.as_bytes().ends_with(b".sig")).count(), odd.len());
}

#[test]
fn a_dash_in_a_list_is_a_file() {
    let home = Home::with_key();
    home.write("-", b"dash");
    home.write("list", "-\n");
    home.ok(&["sign", "--files-from", "list"]);
    assert!(home.exists("-.sig"));
    home.ok(&["verify", "--files-from", "list"]);
}

#[test]
fn a_list_that_is_none_is_refused_and_named() {
    let home = Home::with_signature();
    home.write("empty", b"\n\n");
    home.write("zero", b"file\0file\0");
    home.write("long", vec![b'x'; 1 << 20]);
    for command in ["sign", "verify"] {
        for (list, code, word) in
            [("empty", 2, "no file"), ("zero", 2, "-0"), ("long", 2, "longer"), ("none", 3, "No such")]
        {
            let out = home.fails_without_traces(code, &[command, "--files-from", list]);
            assert!(out.err().contains(list) && out.err().contains(word), "{out:?}");
        }
    }
    home.fails_without_traces(2, &["sign", "file", "-0"]);
    home.fails_without_traces(2, &["sign", "--files-from", "list", "-o", "x"]);
    home.fails_without_traces(2, &["verify", "--files-from", "list", "-s", "x"]);
}

#[test]
fn sig_dir_and_a_list_go_together() {
    let (home, names) = folder(5);
    fs::create_dir(home.path("sigs")).unwrap();
    home.write("list", lines(&names, str::to_owned));
    home.ok(&["sign", "--files-from", "list", "--sig-dir", "sigs"]);
    assert_eq!(listing(&home.path("sigs")).len(), 5);
    home.ok(&["verify", "--files-from", "list", "--sig-dir", "sigs"]);
}

// Threads.

#[test]
fn the_output_is_in_the_order_of_the_input_whatever_the_number_of_threads() {
    let (home, names) = folder(70);
    // The first is the last to be ready.
    File::create(home.path("f000")).unwrap().set_len(1 << 20).unwrap();
    fs::write(home.path("f033"), "signed later").unwrap();
    home.write("list", lines(&names, str::to_owned));
    for jobs in ["1", "2", "7", "0", "200"] {
        let out = home.ok(&["sign", "--files-from", "list", "--force", "-j", jobs]);
        assert_eq!(out.out(), lines(&names, |name| format!("{name} -> {name}.sig")), "-j {jobs}");
        assert!(out.err().contains("70 files: 70 signed, 0 NOT SIGNED"), "{out:?}");
        home.write("f033", b"changed");
        fs::remove_file(home.path("f050.sig")).unwrap();
        let out = home.run(&["verify", "--files-from", "list", "-j", jobs]).expect(1);
        let order: Vec<String> =
            out.out().lines().map(|line| line.split(": ").next().unwrap().to_owned()).collect();
        assert_eq!(order, names, "-j {jobs}");
        assert!(out.line("f033: ").starts_with("f033: FAILED ("), "{out:?}");
        assert!(out.line("f050: ").starts_with("f050: NOT CHECKED ("), "{out:?}");
        assert!(out.err().contains("70 files: 68 OK, 1 FAILED, 1 NOT CHECKED"), "{out:?}");
        fs::write(home.path("f033"), "signed later").unwrap();
    }
}

#[test]
fn threads_check_the_current_folder_and_the_command_line_too() {
    let (home, names) = folder(40);
    let files: Vec<&str> = names.iter().map(String::as_str).collect();
    home.ok(&[&["sign", "-j", "3"], &files[..]].concat());
    let out = home.ok(&["verify", "-j3"]);
    assert_eq!(out.out().lines().count(), 40);
    let sorted: Vec<String> = out.out().lines().map(|line| line[..4].to_owned()).collect();
    assert_eq!(sorted, names);
}

#[test]
fn no_two_signatures_of_a_batch_share_a_nonce() {
    let (home, names) = folder(40);
    let files: Vec<&str> = names.iter().map(String::as_str).collect();
    home.ok(&[&["sign", "--format", "raw", "-j", "4"], &files[..]].concat());
    let mut nonces: Vec<Vec<u8>> =
        names.iter().map(|name| home.read(format!("{name}.sig"))[1..41].to_vec()).collect();
    nonces.sort();
    nonces.dedup();
    assert_eq!(nonces.len(), 40);
}

// Failures among others.

#[test]
fn a_file_that_cannot_be_signed_does_not_stop_the_others() {
    let (home, mut names) = folder(40);
    names.insert(7, "missing".into());
    names.insert(20, "nowhere/missing".into());
    fs::create_dir(home.path("a-folder")).unwrap();
    names.insert(30, "a-folder".into());
    home.write("list", lines(&names, str::to_owned));
    for jobs in ["1", "4"] {
        let out = home.run(&["sign", "--files-from", "list", "--force", "-j", jobs]).expect(3);
        assert_eq!(out.out().lines().count(), 40, "{out:?}");
        let told: Vec<String> =
            out.err().lines().filter(|line| line.starts_with("pqc: ")).map(str::to_owned).collect();
        assert_eq!(told.len(), 3, "{out:?}");
        assert!(told[0].starts_with("pqc: missing: No such file"), "{out:?}");
        assert!(told[1].starts_with("pqc: nowhere/missing: No such file"), "{out:?}");
        assert!(told[2].starts_with("pqc: a-folder: "), "{out:?}");
        assert!(out.err().contains("43 files: 40 signed, 3 NOT SIGNED"), "{out:?}");
        assert!(!home.exists("missing.sig") && !home.exists("a-folder.sig"));
    }
    let out = home.run(&["verify", "--files-from", "list", "-j", "2"]).expect(3);
    assert!(out.err().contains("43 files: 40 OK, 0 FAILED, 3 NOT CHECKED"), "{out:?}");
}

#[test]
fn the_smallest_code_among_the_files_is_the_exit_code_of_sign() {
    let (home, _) = folder(2);
    home.ok(&["sign", "f000"]);
    let out = home.run(&["sign", "f001", "missing", "f000.sig", "-q"]).expect(2);
    assert!(out.err().contains("f000.sig: is itself a PQC SIGNATURE"), "{out:?}");
    assert!(out.err().contains("pqc: missing: ") && home.exists("f001.sig"), "{out:?}");
    home.run(&["sign", "missing", "neither"]).expect(3);
    // One file alone is as ever.
    let out = home.fails_without_traces(3, &["sign", "missing"]);
    assert!(!out.err().contains("files:"), "{out:?}");
}

#[test]
fn what_can_be_known_before_is_refused_before_the_first_signature() {
    let (home, names) = folder(40);
    home.write("f039.sig", b"another thing");
    home.write("list", lines(&names, str::to_owned));
    let out = home.fails_without_traces(2, &["sign", "--files-from", "list", "-j", "2"]);
    assert!(out.err().contains("f039.sig"), "{out:?}");
    home.write("twice", "f000\nf001\n./f000\n");
    let out = home.fails_without_traces(2, &["sign", "--files-from", "twice"]);
    assert!(out.err().contains("f000 and ./f000 would both be signed"), "{out:?}");
    home.write("f000.sig", b"data that is signed too");
    home.fails_without_traces(2, &["sign", "f000", "f000.sig", "--force"]);
}

#[test]
fn one_damaged_file_makes_the_batch_fail_with_1_and_the_rest_is_checked() {
    let (home, names) = folder(60);
    home.write("list", lines(&names, str::to_owned) + "missing\n");
    let out = home.run(&["sign", "--files-from", "list", "-j", "2", "-q"]).expect(3);
    assert_eq!(out.out(), "");
    home.write("f010", b"another");
    home.write("f011.sig", b"untrusted comment: x\nRUQ=\n");
    let out = home.run(&["verify", "--files-from", "list", "-j", "2", "-q"]).expect(1);
    assert_eq!(out.out().lines().count(), 3, "{out:?}");
    home.write("f010", vec![10; 4000]);
    home.run(&["verify", "--files-from", "list", "-q"]).expect(2);
}

// Manners.

#[test]
fn json_has_one_result_a_file_in_order_with_its_status() {
    let (home, _) = folder(3);
    let args = ["sign", "f002", "missing", "f000", "--json", "-j", "2"];
    let json = home.run(&args).expect(3).json();
    let results = json["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    for (result, (file, status, exit)) in
        results.iter().zip([("f002", "signed", 0), ("missing", "not-signed", 3), ("f000", "signed", 0)])
    {
        assert_eq!(result["file"], file);
        assert_eq!(result["status"], status);
        assert_eq!(result["exit"], exit);
        assert_eq!(result["signature"], format!("{file}.sig"));
    }
    assert_eq!(results[1]["reason"], "missing");
    assert!(results[1]["message"].as_str().unwrap().contains("No such file"));
    assert!(results[0]["reason"].is_null() && results[0]["message"].is_null());
    let json = home.run(&["verify", "f000", "missing", "f002", "--json", "-j", "2"]).expect(3).json();
    let order: Vec<&str> =
        json["results"].as_array().unwrap().iter().map(|r| r["file"].as_str().unwrap()).collect();
    assert_eq!(order, ["f000", "missing", "f002"]);
}

#[test]
fn a_batch_is_finished_on_a_broken_pipe() {
    let (home, names) = folder(50);
    home.write("list", lines(&names, str::to_owned));
    let out = broken(&home, &["sign", "--files-from", "list", "-j", "2"], true);
    assert_eq!(out.code, 0, "{out:?}");
    assert!(names.iter().all(|name| home.exists(format!("{name}.sig"))));
    home.write("f001", b"another");
    let out = broken(&home, &["verify", "--files-from", "list", "-j", "2"], true);
    assert_eq!(out.code, 1, "{out:?}");
}

#[test]
fn two_batches_at_once_in_one_folder_do_not_disturb_each_other() {
    let (home, names) = folder(30);
    home.write("list", lines(&names, str::to_owned));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| home.ok(&["sign", "--files-from", "list", "--force", "-j", "2"]));
        }
    });
    home.ok(&["verify", "--files-from", "list"]);
    assert!(home.listing().iter().all(|name| !name.as_bytes().starts_with(b".")));
}

#[test]
fn memory_stays_bounded_for_a_batch_on_threads() {
    let home = Home::with_key();
    let names: Vec<String> = (0..400).map(|n| format!("f{n}")).collect();
    for name in &names {
        File::create(home.path(name)).unwrap().set_len(32 << 10).unwrap();
    }
    home.write("list", lines(&names, str::to_owned));
    let mut command =
        home.shell("ulimit -v 400000; exec \"$0\" \"$@\"", &["sign", "--files-from", "list", "-j", "4"]);
    // glibc reserves 64 MiB of addresses for each thread, which is no memory.
    command.env("MALLOC_ARENA_MAX", "1");
    home.finish(command, b"").expect(0);
    home.ok(&["verify", "--files-from", "list", "-j", "4", "-q"]);
}
