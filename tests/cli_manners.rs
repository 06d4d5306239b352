//! What holds for every command: the first lines of a new user, arguments, streams, JSON, backends, big files.
#![cfg(unix)]

mod common;

use std::fs;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use common::*;

/// The four lines of the page, typed in an empty folder that holds `file`. The fourth is exit 2 until the AVX2
/// backend exists (see `bench_with_avx2_runs_or_says_why_not`).
#[test]
fn the_lines_that_a_new_user_types_work_in_order() {
    let home = Home::new();
    home.write("file", b"hello\n");
    let run = |args: &[&str]| {
        let mut command = home.command();
        command.args(args).env_remove("PQC_HOME");
        home.finish(command, b"")
    };
    run(&["keygen", "--alg", "falcon512"]).expect(0);
    let out = run(&["sign", "file"]).expect(0);
    assert_eq!(out.out(), "file -> file.sig\n");
    let out = run(&["verify"]).expect(0);
    assert!(out.out().starts_with("file: OK by "), "{out:?}");
    assert_eq!(home.listing(), ["file", "file.sig"]);
    let out = run(&["bench", "--isa", "avx2", "--alg", "falcon512", "--op", "verify"]);
    assert!(out.code == 0 || out.code == 2 && out.err().contains("avx2"), "{out:?}");
}

// Arguments.

/// Command lines that are wrong, with what the message must name.
const WRONG: [(&[&str], &str); 100] = [
    (&["--nonsense"], "--nonsense"),
    (&["nonsense"], "nonsense"),
    (&["Sign", "file"], "Sign"),
    (&["-Z"], "-Z"),
    (&["keygen", "--nonsense"], "--nonsense"),
    (&["keygen", "--alg"], "--alg"),
    (&["keygen", "--alg", ""], ""),
    (&["keygen", "--alg", "falcon512", "--alg", "falcon512"], "--alg"),
    (&["keygen", "--alg", "falcon512", "extra"], "extra"),
    (&["keygen", "--alg", "falcon512", "-o"], "-o"),
    (&["keygen", "--alg", "falcon512", "-o", "x", "-o", "y"], "-o"),
    (&["keygen", "--alg", "falcon512", "-p", "x"], "-p"),
    (&["keygen", "--alg", "falcon512", "-k", "x"], "-k"),
    (&["keygen", "--alg", "falcon512", "--password", "--password-file", "x"], "--password-file"),
    (&["keygen", "--alg", "falcon512", "--password-file"], "--password-file"),
    (&["keygen", "--alg", "falcon512", "-o", "x", "--password-env", "NOT_SET"], "NOT_SET"),
    (&["sign", "file", "--password"], "--password"),
    (&["sign", "file", "--password-file", "x", "--password-env", "X"], "--password-env"),
    (&["verify", "file", "--password-file", "x"], "--password-file"),
    (&["keygen", "--alg", "falcon512", "--count", "2"], "--count"),
    (&["sign", "--nonsense", "file"], "--nonsense"),
    (&["sign", "file", "-k"], "-k"),
    (&["sign", "file", "-k", "a", "-k", "b"], "-k"),
    (&["sign", "file", "-o"], "-o"),
    (&["sign", "file", "-o", "a", "-o", "b"], "-o"),
    (&["sign", "file", "--format", "der"], "der"),
    (&["sign", "file", "--format"], "--format"),
    (&["sign", "file", "--format", "raw", "--format", "pem"], "--format"),
    (&["sign", "file", "--encoding", "short"], "short"),
    (&["sign", "file", "--encoding"], "--encoding"),
    (&["sign", "file", "--sig-dir"], "--sig-dir"),
    (&["sign", "file", "-p", "x.pub"], "-p"),
    (&["sign", "file", "--files-from"], "--files-from"),
    (&["sign", "file", "-j", "many"], "-j"),
    (&["sign", "file", "-j", "257"], "257"),
    (&["sign", "file", "-0"], "--files-from"),
    (&["sign", "--files-from", "x", "-o", "y"], "--files-from"),
    (&["verify", "--files-from", "x", "-s", "y"], "--files-from"),
    (&["keygen", "--alg", "falcon512", "-o", "x", "--count", "0"], "0"),
    (&["keygen", "--alg", "falcon512", "-o", "x", "--count", "1000000"], "1000000"),
    (&["keygen", "--alg", "falcon512", "-o", "x", "-j", "2"], "--count"),
    (&["sign", "file", "--sampler", "x"], "--sampler"),
    (&["sign", "file", "--device", "0"], "--device"),
    (&["sign", "file", "--seed", "00"], "--seed"),
    (&["verify", "--nonsense"], "--nonsense"),
    (&["verify", "file", "-p"], "-p"),
    (&["verify", "file", "-p", "a", "-p", "b"], "-p"),
    (&["verify", "file", "-s"], "-s"),
    (&["verify", "file", "-s", "a", "-s", "b"], "-s"),
    (&["verify", "file", "-k", "a.key"], "-k"),
    (&["verify", "file", "--force"], "--force"),
    (&["verify", "file", "--format", "raw"], "--format"),
    (&["verify", "file", "--files-from"], "--files-from"),
    (&["list", "extra"], "extra"),
    (&["list", "--nonsense"], "--nonsense"),
    (&["inspect", "--nonsense"], "--nonsense"),
    (&["inspect", "-p", "x"], "-p"),
    (&["selftest", "extra"], "extra"),
    (&["selftest", "--nonsense"], "--nonsense"),
    (&["bench", "extra"], "extra"),
    (&["bench", "--nonsense"], "--nonsense"),
    (&["bench", "--alg"], "--alg"),
    (&["bench", "--op"], "--op"),
    (&["encaps"], "-p"),
    (&["encaps", "-p", "x"], "--secret-out"),
    (&["encaps", "--secret-out", "y"], "-p"),
    (&["encaps", "-p", "x", "--secret-out", "y", "z"], "z"),
    (&["encaps", "-p", "x", "--secret-out"], "--secret-out"),
    (&["encaps", "-p", "x", "-p", "x", "--secret-out", "y"], "-p"),
    (&["encaps", "-p", "x", "--secret-out", "y", "-k", "x"], "-k"),
    (&["encaps", "-p", "x", "--secret-out", "y", "--format", "der"], "der"),
    (&["encaps", "-p", "x", "--secret-out", "y", "--encode", "octal"], "octal"),
    (&["encaps", "-p", "x", "--secret-out", "y", "--seed", "00"], "--seed"),
    (&["encaps", "-p", "sha256:00", "--secret-out", "y"], "sha256:00"),
    (&["decaps"], "CIPHERTEXT"),
    (&["decaps", "x", "y"], "y"),
    (&["decaps", "x", "-k"], "-k"),
    (&["decaps", "x", "-p", "y"], "-p"),
    (&["decaps", "x", "-o", "y"], "-o"),
    (&["decaps", "x", "--secret-out"], "--secret-out"),
    (&["decaps", "x", "--format", "der"], "der"),
    (&["convert"], "IN"),
    (&["convert", "x", "y"], "y"),
    (&["convert", "file", "--layout", "nonsense"], "nonsense"),
    (&["convert", "file", "--raw", "--der"], "--der"),
    (&["convert", "file", "-k", "x"], "-k"),
    (&["convert", "file", "--alg", "falcon513"], "falcon512"),
    (&["inspect", "file", "--alg", "falcon513"], "falcon512"),
    (&["passwd"], "KEY"),
    (&["passwd", "x", "y"], "y"),
    (&["passwd", "-"], "standard input"),
    (&["passwd", "x", "--force"], "--force"),
    (&["passwd", "x", "--remove", "--new-password-env", "X"], "--remove"),
    (&["list", "--isa"], "--isa"),
    (&["list", "--isa", "nonsense"], "nonsense"),
    (&["list", "--isa", ""], ""),
    (&["list", "--isa", "soft", "--isa", "scalar"], "--isa"),
    (&["list", "--color", "sometimes"], "sometimes"),
    (&["list", "--json=x"], "json"),
    (&["sign", "file", "-q=3"], ""),
];

#[test]
fn wrong_command_lines_are_exit_2_and_name_what_is_wrong() {
    let home = Home::with_key();
    for (args, named) in WRONG {
        let out = home.fails_without_traces(2, args);
        assert!(out.err().contains(named), "{named:?} is not named: {out:?}");
        let json = args.iter().any(|arg| arg.starts_with("--json"));
        assert!(json || out.stdout.is_empty(), "an error goes to standard error: {out:?}");
    }
}

#[test]
fn no_command_is_exit_2_and_tells_the_usage() {
    let out = Home::new().fails_without_traces(2, &[] as &[&str]);
    assert!(out.err().contains("pqc") && out.err().contains("keygen"), "{out:?}");
}

#[test]
fn h_is_short_and_help_is_long() {
    let home = Home::new();
    for command in [
        &[][..],
        &["keygen"],
        &["sign"],
        &["verify"],
        &["encaps"],
        &["decaps"],
        &["list"],
        &["inspect"],
        &["selftest"],
        &["bench"],
    ] {
        let with = |option: &str| {
            let args: Vec<&str> = command.iter().copied().chain([option]).collect();
            let out = home.ok(&args);
            assert!(out.stderr.is_empty(), "{out:?}");
            out.out()
        };
        let (short, long) = (with("-h"), with("--help"));
        assert!(short.contains("Usage") || short.contains("usage"), "{short}");
        assert!(long.len() >= short.len(), "{command:?}");
    }
    assert!(home.ok(&["sign", "--help"]).out().len() > home.ok(&["sign", "-h"]).out().len());
}

#[test]
fn version_is_printed_and_v_adds_the_backend() {
    let home = Home::new();
    let out = home.ok(&["-V"]).out();
    assert!(out.contains(env!("CARGO_PKG_VERSION")), "{out}");
    let mut command = home.command();
    command.args(["-V", "-v"]).env("PQC_ISA", "soft");
    let out = home.finish(command, b"").expect(0).out();
    assert!(out.contains("soft"), "the backend: {out}");
    assert!(out.contains("PQC_ISA"), "a stray variable is noticed: {out}");
    let out = home.ok(&["-V", "-v"]).out();
    assert!(out.contains(env!("CARGO_PKG_VERSION")) && out.lines().count() > 1, "{out}");
}

#[test]
fn two_dashes_end_the_options() {
    let home = Home::with_key();
    home.write("--help", b"x");
    home.ok(&["sign", "--", "--help"]);
    home.ok(&["verify", "--", "--help"]);
    assert!(home.exists("--help.sig"));
}

#[test]
fn long_options_take_an_equals_sign() {
    let home = Home::with_key();
    home.ok(&["sign", "file", "--format=raw", "--encoding=compressed"]);
    assert!(home.read("file.sig").len() < 666);
}

#[test]
fn arguments_that_are_not_utf_8_are_refused_without_a_crash() {
    let home = Home::with_key();
    for args in [
        &[os(b"\xff")][..],
        &[os(b"keygen"), os(b"--alg"), os(b"\xff")],
        &[os(b"list"), os(b"--isa"), os(b"\xff")],
        &[os(b"sign"), os(b"file"), os(b"--format"), os(b"\xff")],
        &[os(b"verify"), os(b"file"), os(b"-p"), os(b"sha256:\xff")],
        &[os(b"list"), os(b"--\xff")],
    ] {
        let mut command = home.command();
        command.args(args);
        assert_printable(&home.command_fails_without_traces(&[2], command, b""));
    }
}

#[test]
fn control_characters_of_arguments_are_escaped_in_messages() {
    let home = Home::with_key();
    for args in [
        &["\x1b[31mred"][..],
        &["keygen", "--alg", "\x1b[31mred"],
        &["list", "--isa", "\x1b[31m"],
        &["list", "--\x1b[31m"],
        &["sign", "\x1b[31m"],
        &["sign", "file", "-k", "a\r\x1b[31m"],
        &["verify", "file", "-p", "a\r\x1b[31m"],
        &["inspect", "a\r\x1b[31m"],
        &["sign", "file", "--encoding", "\x1b[31m"],
    ] {
        let out = home.run(args);
        assert_ne!(out.code, 0, "{out:?}");
        assert_printable(&out);
    }
}

// Backends.

#[test]
fn a_backend_that_cannot_be_used_is_one_of_three_errors_and_never_a_fallback() {
    let home = Home::with_key();
    home.ok(&["sign", "file"]);
    let unknown = home.fails_without_traces(2, &["verify", "file", "--isa", "sse9"]).err();
    assert!(unknown.contains("sse9") && unknown.contains("unknown"), "{unknown}");
    let absent = if cfg!(target_arch = "riscv64") { "avx2" } else { "rvv" };
    let other = home.fails_without_traces(2, &["verify", "file", "--isa", absent]).err();
    assert!(other.contains(&format!("{absent} is not in this build")), "{other}");
}

#[test]
fn rv64im_is_for_riscv64_and_soft_for_all() {
    let home = Home::with_key();
    home.ok(&["sign", "file", "--isa", "soft"]);
    home.ok(&["verify", "file", "--isa", "SOFT"]);
    if cfg!(target_arch = "riscv64") {
        home.ok(&["verify", "file", "--isa", "rv64im"]);
    } else {
        home.fails_without_traces(2, &["verify", "file", "--isa", "rv64im"]);
    }
}

#[test]
fn every_command_takes_isa_and_refuses_an_unusable_one() {
    let home = Home::with_key();
    home.ok(&["sign", "file"]);
    for args in [
        &["keygen", "--alg", "falcon512", "-o", "k"][..],
        &["sign", "file", "-o", "x"],
        &["verify", "file"],
        &["encaps", "-p", "a.pub", "-o", "x", "--secret-out", "y"],
        &["decaps", "a.ct"],
        &["list"],
        &["inspect", "file.sig"],
        &["selftest"],
        &["bench", "--op", "verify"],
    ] {
        let with: Vec<&str> = args.iter().copied().chain(["--isa", "sse9"]).collect();
        home.fails_without_traces(2, &with);
        let mut command = home.command();
        command.args(args).env("PQC_ISA", "sse9");
        let out = home.command_fails_without_traces(&[2], command, b"");
        assert!(out.err().contains("sse9"), "{out:?}");
    }
}

#[test]
fn an_empty_pqc_isa_is_unset_and_isa_outweighs_it() {
    let home = Home::with_key();
    for (value, isa) in [("", "auto"), ("soft", "scalar")] {
        let mut command = home.command();
        command.args(["sign", "file", "--force", "--isa", isa]).env("PQC_ISA", value);
        home.finish(command, b"").expect(0);
    }
    let mut command = home.command();
    command.args(["verify", "file"]).env("PQC_ISA", "");
    home.finish(command, b"").expect(0);
}

// Streams.

#[test]
fn a_broken_pipe_ends_quietly() {
    let home = Home::with_key();
    for args in [&["list"][..], &["inspect"], &["-h"], &["--help"], &["-V"], &["list", "--json"]] {
        let out = broken(&home, args, true);
        assert_eq!((out.code, out.err().as_str()), (0, ""), "{out:?}");
    }
}

#[test]
fn sign_finishes_its_work_on_a_broken_pipe() {
    let home = Home::with_key();
    for stdout in [true, false] {
        for name in ["a", "b", "c"] {
            home.write(name, name);
        }
        broken(&home, &["sign", "a", "b", "c", "--force"], stdout).expect(0);
        home.ok(&["verify", "a", "b", "c"]);
    }
}

#[test]
fn verify_keeps_its_exit_code_on_a_broken_pipe() {
    let home = Home::with_key();
    home.write("b", b"b");
    home.ok(&["sign", "file", "b"]);
    for stdout in [true, false] {
        broken(&home, &["verify", "file", "b"], stdout).expect(0);
    }
    home.write("b", b"changed");
    for stdout in [true, false] {
        broken(&home, &["verify", "file", "b"], stdout).expect(1);
        broken(&home, &["verify", "file", "b", "--json"], stdout).expect(1);
    }
}

#[test]
fn selftest_and_keygen_keep_their_exit_code_on_a_broken_pipe() {
    let home = Home::new();
    broken(&home, &["selftest"], true).expect(0);
    broken(&home, &["keygen", "--alg", "falcon512", "-o", "k"], true).expect(0);
    assert_eq!(home.listing(), ["k.key", "k.pub"]);
    broken(&home, &["keygen", "--alg", "falcon512", "-o", "l"], false).expect(0);
    assert_eq!(home.listing(), ["k.key", "k.pub", "l.key", "l.pub"]);
}

#[test]
fn closed_streams_do_not_matter() {
    let home = Home::with_key();
    for closed in [">&-", "2>&-", "<&-", ">&- 2>&- <&-"] {
        let script = format!("exec \"$0\" \"$@\" {closed}");
        let command = home.shell(&script, &["sign", "file", "--force"]);
        assert_eq!(finish(command, b"").code, 0, "{closed}");
        let command = home.shell(&script, &["verify", "file"]);
        assert_eq!(finish(command, b"").code, 0, "{closed}");
    }
}

#[test]
fn closed_streams_let_nothing_be_written_into_the_files() {
    let home = Home::with_key();
    // With 0, 1 and 2 closed, the first file that is opened must not become standard output.
    let command = home.shell("exec \"$0\" \"$@\" <&- >&- 2>&-", &["sign", "file"]);
    assert_eq!(finish(command, b"").code, 0);
    assert_eq!(home.read("file"), b"the file's bytes\n");
    home.ok(&["verify", "file"]);
}

#[test]
fn json_holds_standard_output_alone() {
    let home = Home::with_key();
    home.write_key("loose.key", &keys().a.private);
    home.chmod(home.path("loose.key"), 0o644);
    let out = home.ok(&["sign", "file", "-k", "loose.key", "--json"]);
    out.json();
    assert!(out.err().to_lowercase().contains("warning"), "{out:?}");
}

#[test]
fn json_is_printed_for_wrong_command_lines_too() {
    let home = Home::with_key();
    for args in [
        &["verify", "file", "--nonsense", "--json"][..],
        &["sign", "--json"],
        &["encaps", "--json"],
        &["decaps", "--json"],
        &["keygen", "--json"],
        &["list", "--isa", "sse9", "--json"],
        &["keygen", "--alg", "nonsense", "--json"],
        &["sign", "file", "file", "--json"],
    ] {
        let json = home.fails_without_traces(2, args).json();
        assert!(json["error"].is_object(), "{json}");
        assert_eq!(json["command"], args[0]);
    }
}

#[test]
fn nothing_is_coloured_when_no_terminal_is_there() {
    let home = Home::with_key();
    home.ok(&["sign", "file"]);
    for args in [
        &["list"][..],
        &["verify", "file"],
        &["verify", "missing"],
        &["inspect"],
        &["--help"],
        &["--nonsense"],
        &["list", "--color", "never"],
        &["list", "--color", "auto"],
    ] {
        assert_printable(&home.run(args));
    }
}

#[test]
fn color_is_accepted_by_every_command() {
    let home = Home::with_key();
    for color in ["auto", "never", "always"] {
        home.ok(&["sign", "file", "--force", "--color", color]);
        home.ok(&["verify", "file", "--color", color]);
        home.ok(&["inspect", "--color", color]);
    }
}

#[test]
fn no_progress_bar_without_a_terminal() {
    let home = Home::with_key();
    File::create(home.path("big")).unwrap().set_len(300 << 20).unwrap();
    let out = home.ok(&["sign", "big"]);
    assert!(!out.stderr.contains(&b'\r') && !out.stderr.contains(&0x1b), "{out:?}");
    assert!(out.err().lines().count() < 10, "{out:?}");
}

#[test]
fn q_silences_notes_and_keeps_results() {
    let home = Home::with_key();
    let out = home.ok(&["sign", "-q", "file"]);
    assert!(out.stderr.is_empty(), "{out:?}");
    let out = home.ok(&["keygen", "-q", "--alg", "falcon512", "-o", "k"]);
    assert!(home.exists("k.key"), "{out:?}");
}

#[test]
fn options_are_never_ignored() {
    let home = Home::with_key();
    home.ok(&["sign", "file"]);
    // Options of another command.
    for args in [
        &["verify", "file", "--with-key"][..],
        &["verify", "file", "--encoding", "padded"],
        &["inspect", "file", "--alg", "falcon512"],
        &["list", "-k", "x"],
        &["encaps", "-p", "x", "--secret-out", "y", "--encoding", "padded"],
        &["decaps", "x", "--with-key"],
        &["selftest", "--alg", "falcon512x"],
        &["keygen", "--alg", "falcon512", "--format", "raw"],
        &["keygen", "--alg", "falcon512", "--with-key"],
        &["list", "--stages"],
    ] {
        home.fails_without_traces(2, args);
    }
}

// Interruption.

/// Whether SIGINT reaches what this process starts: a shell without job control turns it off in the background.
fn can_interrupt(test: &str) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).unwrap());
    if ignored & 2 != 0 {
        cannot_run(test, "SIGINT is ignored in this process and in all that it starts");
    }
    ignored & 2 == 0
}

/// Starts `sign fifo`, waits until it reads, and sends SIGINT.
fn interrupted(home: &Home, args: &[&str]) -> Out {
    mkfifo(&home.path("fifo"));
    // Open at both ends, so that the program neither waits for a writer nor sees an end.
    let mut fifo = File::options().read(true).write(true).open(home.path("fifo")).unwrap();
    fifo.write_all(&[7; 1000]).unwrap();
    let before = snapshot(home.root());
    let mut command = home.command();
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    wait_until_open(&child, "fifo");
    std::thread::sleep(Duration::from_millis(20));
    let kill = format!("kill -INT {}", child.id());
    let sent = Command::new("sh").args(["-c", &kill]).status().unwrap();
    assert!(sent.success(), "the program had ended before it was interrupted");
    let out = wait(child, format!("{command:?}, interrupted"));
    assert!(matches!(out.code, 130 | -2), "130, or ended by SIGINT: {out:?}");
    home.unchanged_since(&before, &out);
    out
}

#[test]
fn an_interrupted_sign_leaves_nothing_and_is_130() {
    if can_interrupt("an_interrupted_sign_leaves_nothing_and_is_130") {
        interrupted(&Home::with_key(), &["sign", "fifo"]);
    }
}

#[test]
fn an_interrupted_sign_with_force_leaves_the_old_signature() {
    if can_interrupt("an_interrupted_sign_with_force_leaves_the_old_signature") {
        let home = Home::with_key();
        home.write("fifo.sig", b"the old signature");
        interrupted(&home, &["sign", "fifo", "--force"]);
    }
}

// Big files.

/// The most memory that the process held, in KiB, sampled until it ends.
fn peak_memory(command: &mut Command) -> (u64, Out) {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let watcher = std::thread::spawn(move || {
        let mut peak = 0;
        while let Ok(text) = fs::read_to_string(&status) {
            let Some(line) = text.lines().find(|line| line.starts_with("VmHWM:")) else { break };
            peak = line.split_whitespace().nth(1).unwrap().parse().unwrap();
            std::thread::sleep(Duration::from_millis(1));
        }
        peak
    });
    let out = wait(child, format!("{command:?}"));
    (watcher.join().unwrap(), out)
}

fn sign_and_verify_flat(test: &str, len: u64) {
    if !std::path::Path::new("/proc/self/status").exists() {
        return cannot_run(test, "no /proc to read the memory from");
    }
    let home = Home::with_key();
    let mut file = File::create(home.path("big")).unwrap();
    file.set_len(len).unwrap();
    for args in [&["sign", "big"][..], &["verify", "big"]] {
        let (peak, out) = peak_memory(home.command().args(args));
        out.expect(0);
        assert!(peak > 0 && peak < 64 << 10, "{args:?} held {peak} KiB");
    }
    // The bytes beyond 2^32, and the very last one, count.
    file.seek(SeekFrom::Start(len - 1)).unwrap();
    file.write_all(b"x").unwrap();
    home.run(&["verify", "big"]).expect(1);
}

#[test]
fn memory_stays_flat_for_a_file_of_256_mib() {
    sign_and_verify_flat("memory_stays_flat_for_a_file_of_256_mib", 256 << 20);
}

#[test]
fn memory_stays_flat_for_a_file_of_5_gib() {
    let test = "memory_stays_flat_for_a_file_of_5_gib";
    if std::env::var_os("PQC_BIG").is_none() {
        return cannot_run(test, "set PQC_BIG=1 to sign a sparse file of 5 GiB");
    }
    sign_and_verify_flat(test, 5 << 30);
}

#[test]
fn long_work_shows_a_progress_bar_on_a_terminal_unless_q() {
    let test = "long_work_shows_a_progress_bar_on_a_terminal_unless_q";
    if std::env::var_os("PQC_BIG").is_none() {
        return cannot_run(test, "set PQC_BIG=1 to sign a sparse file of 2 GiB");
    }
    if !can_make_a_terminal(test) {
        return;
    }
    let home = Home::with_key();
    File::create(home.path("big")).unwrap().set_len(2 << 30).unwrap();
    let out = on_a_terminal(&home, "\"$PQC\" sign big --force").expect(0);
    assert!(out.stdout.contains(&b'\r') && out.stdout.contains(&0x1b), "{out:?}");
    let out = on_a_terminal(&home, "\"$PQC\" sign big --force -q").expect(0);
    assert!(!out.stdout.contains(&0x1b), "{out:?}");
}

#[test]
fn short_work_shows_no_progress_bar_on_a_terminal() {
    let test = "short_work_shows_no_progress_bar_on_a_terminal";
    if !can_make_a_terminal(test) {
        return;
    }
    let home = Home::with_key();
    let out = on_a_terminal(&home, "\"$PQC\" sign file --color never").expect(0);
    assert!(!out.stdout.contains(&0x1b), "{out:?}");
}

#[test]
fn memory_stays_flat_for_many_files() {
    let test = "memory_stays_flat_for_many_files";
    if !std::path::Path::new("/proc/self/status").exists() {
        return cannot_run(test, "no /proc to read the memory from");
    }
    let home = Home::with_key();
    let names: Vec<String> = (0..300).map(|n| format!("f{n}")).collect();
    for name in &names {
        File::create(home.path(name)).unwrap().set_len(1 << 20).unwrap();
    }
    let (peak, out) = peak_memory(home.command().arg("sign").args(&names));
    out.expect(0);
    assert!(peak < 64 << 10, "{peak} KiB");
}
