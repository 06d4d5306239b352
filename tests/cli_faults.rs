//! Failing system calls, full disks, killed processes: nothing half-made is ever left.
//!
//! The faults are injected by `strace`; a small full disk is a `tmpfs`, which takes root. A test that cannot run
//! says so in its output.
#![cfg(target_os = "linux")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::*;

fn can_inject(test: &str) -> bool {
    can_trace(test, false)
}

/// `strace OPTIONS pqc ARGS`.
fn traced<S: AsRef<std::ffi::OsStr>>(home: &Home, options: &[S], args: &[&str]) -> Command {
    let mut command = home.program("strace");
    command.args(["-f", "-qq", "-o"]).arg(home.root().join("trace")).args(options).arg(PQC).args(args);
    command
}

fn inject(home: &Home, calls: &str, what: &str, args: &[&str]) -> Command {
    let trace = format!("trace={calls}");
    let inject = format!("inject={calls}:{what}");
    traced(home, &["-e", &trace, "-e", &inject], args)
}

/// How often a run makes each of `calls`.
fn count(home: &Home, call: &str, args: &[&str]) -> usize {
    let out = finish(traced(home, &["-e", &format!("trace={call}")], args), b"");
    assert_eq!(out.code, 0, "{out:?}");
    let log = fs::read_to_string(home.root().join("trace")).unwrap();
    fs::remove_file(home.root().join("trace")).unwrap();
    log.lines().filter(|line| line.contains(&format!(" {call}("))).count()
}

/// A command of the sweep: its arguments, and how a folder looks before it.
struct Case {
    args: &'static [&'static str],
    /// The files that it may make or replace.
    outputs: &'static [&'static str],
    make: fn() -> Home,
}

const SIGN: Case = Case { args: &["sign", "file"], outputs: &["file.sig"], make: Home::with_key };

const SIGN_AGAIN: Case = Case {
    args: &["sign", "file", "--force"],
    outputs: &["file.sig"],
    make: || {
        let home = Home::with_key();
        home.ok(&["sign", "file"]);
        home
    },
};

const KEYGEN: Case = Case {
    args: &["keygen", "--alg", "falcon512", "-o", "k"],
    outputs: &["k.key", "k.pub"],
    make: Home::new,
};

const SIGN_TWO: Case = Case {
    args: &["sign", "file", "b"],
    outputs: &["file.sig", "b.sig"],
    make: || {
        let home = Home::with_key();
        home.write("b", b"b");
        home
    },
};

const KEYGEN_KEM: Case =
    Case { args: &["keygen", "--alg", "mlkem512", "-o", "k"], outputs: &["k.key", "k.pub"], make: Home::new };

const ENCAPS: Case = Case {
    args: &["encaps", "-p", "a.pub", "-o", "x.ct", "--secret-out", "x.ss"],
    outputs: &["x.ct", "x.ss"],
    make: Home::with_kem_key,
};

/// The cases that draw random bytes.
const CASES: [&Case; 6] = [&SIGN, &SIGN_AGAIN, &SIGN_TWO, &KEYGEN, &KEYGEN_KEM, &ENCAPS];

const DECAPS: Case =
    Case { args: &["decaps", "x.ct", "--secret-out", "s"], outputs: &["s"], make: Home::with_ciphertext };

/// All that write files.
const WRITERS: [&Case; 7] = [&SIGN, &SIGN_AGAIN, &SIGN_TWO, &KEYGEN, &KEYGEN_KEM, &ENCAPS, &DECAPS];

/// Every output is what it was, or is whole and right.
fn whole_or_old(home: &Home, before: &Snapshot, out: &Out) {
    let after = snapshot(home.root());
    for name in ["file.sig", "b.sig", "k.key", "k.pub", "x.ct", "x.ss", "s"] {
        let path = home.path(name);
        if after.get(&path) == before.get(&path) {
            continue;
        }
        assert!(after.contains_key(&path), "{name} is gone: {out:?}");
        match name {
            "file.sig" => drop(home.ok(&["verify", "file"])),
            "b.sig" => drop(home.ok(&["verify", "b"])),
            "k.key" => {
                assert_eq!(home.mode("k.key"), 0o600);
                home.ok(&["inspect", "k.key"]);
            }
            "x.ct" => drop(home.ok(&["inspect", "x.ct"])),
            "x.ss" | "s" => {
                assert_eq!((home.mode(name), home.read(name).len()), (0o600, 32), "{out:?}");
            }
            _ => drop(home.ok(&["inspect", "k.pub"])),
        }
    }
    let [ciphertext, secret] = ["x.ct", "x.ss"].map(|name| home.exists(name));
    // A process that is killed between the two names is the only one that may leave one of them.
    assert!(ciphertext == secret || !(0..=3).contains(&out.code), "half of a pair is left: {out:?}");
    if ciphertext && secret {
        let received = home.ok(&["decaps", "x.ct"]).stdout;
        assert!(received == home.read("x.ss"), "ciphertext and secret do not belong together: {out:?}");
    }
}

/// Whether a run that failed left everything as it was. Of several files to sign, that is so for one at least: it
/// does not stop the others.
fn is_refused(home: &Home, case: &Case, before: &Snapshot) -> bool {
    let mut after = snapshot(home.root());
    if case.args == SIGN_TWO.args {
        let signed = case.outputs.iter().filter(|name| after.remove(&home.path(name)).is_some()).count();
        return signed < case.outputs.len() && after == *before;
    }
    after == *before
}

/// The new names in a folder that are none of the case's outputs.
fn left_over(home: &Home, case: &Case, before: &Snapshot) -> Vec<PathBuf> {
    let outputs: Vec<PathBuf> = case.outputs.iter().map(|name| home.path(name)).collect();
    snapshot(home.root())
        .into_keys()
        .filter(|path| {
            !before.contains_key(path) && !outputs.contains(path) && *path != home.root().join("trace")
        })
        .collect()
}

/// Injects `fault` into the n-th of `calls`, for every n that the run reaches, in every case.
///
/// The command then ends with 0 or 3, no torn and no temporary file is left; `must` of the runs failed with
/// everything unchanged.
fn sweep(calls: &[&str], fault: &str, must: usize) {
    for case in WRITERS {
        let mut refused = 0;
        let mut runs = 0;
        for call in calls {
            let times = count(&(case.make)(), call, case.args);
            for n in 1..=times {
                let home = (case.make)();
                let before = snapshot(home.root());
                let out = finish(inject(&home, call, &format!("{fault}:when={n}"), case.args), b"");
                let _ = fs::remove_file(home.root().join("trace"));
                let what = format!("{call} number {n} of {times} with {fault}: {out:?}");
                assert!(matches!(out.code, 0 | 3), "{what}");
                out.check_manners();
                whole_or_old(&home, &before, &out);
                assert_eq!(left_over(&home, case, &before), Vec::<PathBuf>::new(), "{what}");
                refused += usize::from(out.code == 3 && is_refused(&home, case, &before));
                runs += 1;
            }
        }
        assert!(runs > 0, "none of {calls:?} is ever called by {:?}", case.args);
        assert!(refused >= must, "{:?}: {refused} of {runs} runs with {fault} were refused", case.args);
    }
}

const PUBLISH: [&str; 5] = ["rename", "renameat", "renameat2", "link", "linkat"];

#[test]
fn a_disk_that_is_full_at_any_write_leaves_nothing_half_made() {
    if can_inject("a_disk_that_is_full_at_any_write_leaves_nothing_half_made") {
        sweep(&["write", "pwrite64", "writev"], "error=ENOSPC", 1);
    }
}

#[test]
fn a_sync_that_fails_leaves_nothing_half_made() {
    if can_inject("a_sync_that_fails_leaves_nothing_half_made") {
        sweep(&["fsync", "fdatasync"], "error=EIO", 1);
    }
}

#[test]
fn a_rename_that_fails_leaves_nothing_half_made() {
    if can_inject("a_rename_that_fails_leaves_nothing_half_made") {
        sweep(&PUBLISH, "error=EIO", 0);
        sweep(&PUBLISH, "error=EXDEV", 0);
    }
}

#[test]
fn when_every_way_to_publish_fails_everything_is_as_before() {
    if !can_inject("when_every_way_to_publish_fails_everything_is_as_before") {
        return;
    }
    for case in WRITERS {
        for error in ["EIO", "ENOSPC", "EXDEV", "EROFS"] {
            let home = (case.make)();
            let before = snapshot(home.root());
            let command = inject(&home, &PUBLISH.join(","), &format!("error={error}"), case.args);
            let out = finish(command, b"");
            let _ = fs::remove_file(home.root().join("trace"));
            assert_eq!(out.code, 3, "{out:?}");
            out.check_manners();
            home.unchanged_since(&before, &out);
        }
    }
}

#[test]
fn when_every_sync_fails_everything_is_as_before() {
    if !can_inject("when_every_sync_fails_everything_is_as_before") {
        return;
    }
    for case in WRITERS {
        let home = (case.make)();
        let before = snapshot(home.root());
        let out = finish(inject(&home, "fsync,fdatasync", "error=EIO", case.args), b"");
        let _ = fs::remove_file(home.root().join("trace"));
        assert_eq!(out.code, 3, "{out:?}");
        home.unchanged_since(&before, &out);
    }
}

#[test]
fn interrupted_calls_are_made_again() {
    if !can_inject("interrupted_calls_are_made_again") {
        return;
    }
    for call in ["write", "read", "getrandom"] {
        let times = count(&Home::with_key(), call, SIGN.args);
        for n in 1..=times {
            let home = Home::with_key();
            // The dynamic loader reads too, and does not try again.
            let out = finish(inject(&home, call, &format!("error=EINTR:when={n}"), SIGN.args), b"");
            if call == "read" && out.code == 127 {
                continue;
            }
            assert_eq!(out.code, 0, "{call} {n}: {out:?}");
            home.ok(&["verify", "file"]);
        }
    }
}

/// Everything that a power cut can interrupt: the old file or the new one, never half of one.
#[test]
fn a_process_that_is_killed_at_any_call_leaves_no_torn_file() {
    if !can_inject("a_process_that_is_killed_at_any_call_leaves_no_torn_file") {
        return;
    }
    let calls = [
        "openat",
        "write",
        "fsync",
        "fdatasync",
        "fchmod",
        "rename",
        "renameat",
        "renameat2",
        "link",
        "linkat",
        "unlink",
        "unlinkat",
        "close",
    ];
    for case in WRITERS {
        let mut runs = 0;
        for call in calls {
            let times = count(&(case.make)(), call, case.args);
            for n in 1..=times {
                let home = (case.make)();
                let before = snapshot(home.root());
                let out = finish(inject(&home, call, &format!("signal=KILL:when={n}"), case.args), b"");
                assert!(matches!(out.code, -9 | 137 | 0), "{call} {n}: {out:?}");
                whole_or_old(&home, &before, &out);
                // A temporary file may be left, and none that others can read if it holds a key.
                for path in left_over(&home, case, &before) {
                    let text = fs::read(&path).unwrap_or_default();
                    let secret = text.windows(11).any(|window| window == b"PRIVATE KEY") || text.len() == 32;
                    let private = snapshot(home.root())[&path].starts_with("100600");
                    assert!(!secret || private, "{}: {out:?}", path.display());
                }
                runs += 1;
            }
        }
        assert!(runs > 10, "{runs}");
    }
}

#[test]
fn a_run_after_a_killed_one_succeeds() {
    if !can_inject("a_run_after_a_killed_one_succeeds") {
        return;
    }
    let home = Home::with_key();
    for call in ["fsync", "fdatasync", "rename", "renameat2", "linkat"] {
        finish(inject(&home, call, "signal=KILL:when=1", SIGN.args), b"");
        let _ = fs::remove_file(home.path("file.sig"));
    }
    home.ok(SIGN.args);
    home.ok(&["verify", "file"]);
    home.ok(&["verify"]);
}

// Randomness.

/// Reliability, bugs 25 and 37: a key or signature made without randomness.
#[test]
fn bug_37_no_randomness_is_exit_3_and_no_file() {
    if !can_inject("bug_37_no_randomness_is_exit_3_and_no_file") {
        return;
    }
    for case in CASES {
        for fault in ["error=EIO", "error=EINVAL", "retval=0"] {
            let home = (case.make)();
            let before = snapshot(home.root());
            let out = finish(inject(&home, "getrandom", fault, case.args), b"");
            let _ = fs::remove_file(home.root().join("trace"));
            assert_eq!(out.code, 3, "{fault}: {out:?}");
            out.check_manners();
            assert!(out.err().contains("random"), "{out:?}");
            home.unchanged_since(&before, &out);
        }
    }
}

#[test]
fn bug_37_no_randomness_is_exit_3_with_json_too() {
    if !can_inject("bug_37_no_randomness_is_exit_3_with_json_too") {
        return;
    }
    for args in [&["sign", "file", "--json"][..], &["keygen", "--alg", "falcon512", "-o", "k", "--json"]] {
        let home = Home::with_key();
        let before = snapshot(home.root());
        let out = finish(inject(&home, "getrandom", "error=EIO", args), b"");
        let _ = fs::remove_file(home.root().join("trace"));
        assert_eq!(out.code, 3, "{out:?}");
        out.check_manners();
        out.json();
        home.unchanged_since(&before, &out);
    }
}

/// What makes nothing secret needs no randomness.
#[test]
fn verify_needs_no_randomness() {
    if !can_inject("verify_needs_no_randomness") {
        return;
    }
    let home = Home::with_signature();
    for args in [
        &["verify", "file"][..],
        &["verify", "file", "--json"],
        &["inspect", "file.sig"],
        &["list", "--json"],
    ] {
        let out = finish(inject(&home, "getrandom", "error=EIO", args), b"");
        assert_eq!(out.code, 0, "{out:?}");
    }
    let home = Home::with_ciphertext();
    let out = finish(inject(&home, "getrandom", "error=EIO", &["decaps", "x.ct"]), b"");
    assert_eq!((out.code, &out.stdout), (0, &home.read("x.ss")), "{out:?}");
}

#[test]
fn randomness_that_fails_at_one_call_is_exit_3_or_was_not_needed() {
    if !can_inject("randomness_that_fails_at_one_call_is_exit_3_or_was_not_needed") {
        return;
    }
    for case in CASES {
        let times = count(&(case.make)(), "getrandom", case.args);
        assert!(times > 0, "randomness does not come from getrandom");
        for n in 1..=times {
            let home = (case.make)();
            let before = snapshot(home.root());
            let out = finish(inject(&home, "getrandom", &format!("error=EIO:when={n}"), case.args), b"");
            let _ = fs::remove_file(home.root().join("trace"));
            out.check_manners();
            match out.code {
                3 => assert!(is_refused(&home, case, &before), "{out:?}"),
                0 => {}
                _ => panic!("{out:?}"),
            }
            whole_or_old(&home, &before, &out);
        }
    }
}

/// On a kernel without the call, the system's random device may take its place; nothing else may.
#[test]
fn without_the_getrandom_call_is_exit_3_or_the_random_device() {
    if !can_trace("without_the_getrandom_call_is_exit_3_or_the_random_device", true) {
        return;
    }
    for case in CASES {
        let home = (case.make)();
        let before = snapshot(home.root());
        let options = ["-e", "trace=getrandom,openat,open", "-e", "inject=getrandom:error=ENOSYS"];
        let out = finish(traced(&home, &options, case.args), b"");
        let log = fs::read_to_string(home.root().join("trace")).unwrap();
        let _ = fs::remove_file(home.root().join("trace"));
        out.check_manners();
        match out.code {
            3 => home.unchanged_since(&before, &out),
            0 => {
                assert!(log.contains("/dev/urandom"), "made without any randomness: {out:?}");
                whole_or_old(&home, &before, &out);
            }
            _ => panic!("{out:?}"),
        }
    }
}

// Reading.

#[test]
fn a_file_that_cannot_be_read_to_its_end_is_exit_3() {
    if !can_trace("a_file_that_cannot_be_read_to_its_end_is_exit_3", true) {
        return;
    }
    let home = Home::with_key();
    home.write("file", vec![7; 5 << 20]);
    home.ok(&["sign", "file", "-o", "good.sig"]);
    let file = home.path("file");
    let log = home.root().join("trace");
    let reading = |fault: Option<String>, args: &[&str]| {
        let mut options = vec!["-P".to_owned(), file.to_str().unwrap().to_owned()];
        options.extend(["-e".to_owned(), "trace=read".to_owned()]);
        options.extend(fault.into_iter().flat_map(|fault| ["-e".to_owned(), format!("inject=read:{fault}")]));
        let out = finish(traced(&home, &options, args), b"");
        let times = fs::read_to_string(&log).unwrap().lines().filter(|line| line.contains(" read(")).count();
        fs::remove_file(&log).unwrap();
        (out, times)
    };
    for (args, start) in [
        (&["sign", "file", "-o", "-"][..], ""),
        (&["verify", "file", "-s", "good.sig"], "file: NOT CHECKED ("),
    ] {
        let (out, times) = reading(None, args);
        assert_eq!(out.code, 0, "{out:?}");
        assert!(times > 2, "{times}");
        let before = snapshot(home.root());
        for fault in [
            "error=EIO".to_owned(),
            format!("error=EIO:when={}", times - 2),
            format!("error=EIO:when={times}"),
        ] {
            let (out, _) = reading(Some(fault), args);
            assert_eq!(out.code, 3, "{out:?}");
            assert!(out.all().contains("file") && out.out().starts_with(start), "{out:?}");
            assert!(!out.out().contains("BEGIN"), "{out:?}");
            home.unchanged_since(&before, &out);
        }
    }
}

#[test]
fn a_key_that_cannot_be_read_is_exit_3() {
    if !can_trace("a_key_that_cannot_be_read_is_exit_3", true) {
        return;
    }
    let home = Home::with_key();
    let key = home.home().join("falcon512.key");
    let options = ["-P", key.to_str().unwrap(), "-e", "trace=read", "-e", "inject=read:error=EIO"];
    for args in [&["sign", "file"][..], &["sign", "file", "-k", key.to_str().unwrap()]] {
        let before = snapshot(home.root());
        let out = finish(traced(&home, &options, args), b"");
        let _ = fs::remove_file(home.root().join("trace"));
        assert_eq!(out.code, 3, "{out:?}");
        assert!(out.err().contains("falcon512.key"), "{out:?}");
        home.unchanged_since(&before, &out);
    }
}

// Limits.

#[test]
fn a_file_size_limit_is_an_error_and_no_signal() {
    for case in WRITERS {
        let home = (case.make)();
        let command = home.shell("ulimit -f 0; exec \"$0\" \"$@\"", case.args);
        home.command_fails_without_traces(&[3], command, b"");
    }
}

#[test]
fn too_few_descriptors_are_an_error_and_leave_nothing() {
    for case in WRITERS {
        for limit in 4..12 {
            let home = (case.make)();
            let before = snapshot(home.root());
            let script = format!("ulimit -n {limit}; exec \"$0\" \"$@\"");
            let out = finish(home.shell(&script, case.args), b"");
            if out.code == 127 {
                continue;
            }
            out.check_manners();
            match out.code {
                3 => home.unchanged_since(&before, &out),
                0 => whole_or_old(&home, &before, &out),
                _ => panic!("limit {limit}: {out:?}"),
            }
        }
    }
}

// Full devices.

#[test]
fn a_full_device_as_standard_output_is_exit_3_and_no_panic() {
    if !Path::new("/dev/full").exists() {
        return cannot_run("a_full_device_as_standard_output_is_exit_3_and_no_panic", "no /dev/full");
    }
    let home = Home::with_key();
    home.ok(&["sign", "file", "-o", "good.sig"]);
    for args in [
        &["sign", "file", "-o", "-"][..],
        &["list"],
        &["verify", "file", "-s", "good.sig"],
        &["inspect"],
        &["list", "--json"],
        &["--help"],
    ] {
        let command = home.shell("exec \"$0\" \"$@\" >/dev/full", args);
        home.command_fails_without_traces(&[3], command, b"");
    }
    let command = home.shell("exec \"$0\" \"$@\" >/dev/full", &["sign", "-"]);
    home.command_fails_without_traces(&[3], command, b"data");
}

#[test]
fn a_bad_signature_stays_exit_1_on_a_full_device() {
    if !Path::new("/dev/full").exists() {
        return cannot_run("a_bad_signature_stays_exit_1_on_a_full_device", "no /dev/full");
    }
    let home = Home::with_key();
    home.ok(&["sign", "file"]);
    home.write("file", b"changed");
    let out = finish(home.shell("exec \"$0\" \"$@\" >/dev/full", &["verify", "file"]), b"");
    out.check_manners();
    assert!(matches!(out.code, 1 | 3), "{out:?}");
}

#[test]
fn a_full_device_as_standard_error_is_no_panic() {
    if !Path::new("/dev/full").exists() {
        return cannot_run("a_full_device_as_standard_error_is_no_panic", "no /dev/full");
    }
    let home = Home::with_key();
    for (args, codes) in [
        (&["sign", "file"][..], &[0, 3][..]),
        (&["sign", "missing"], &[3]),
        (&["--nonsense"], &[2]),
        (&["verify"], &[0, 3]),
    ] {
        let out = finish(home.shell("exec \"$0\" \"$@\" 2>/dev/full", args), b"");
        assert!(codes.contains(&out.code), "{out:?}");
    }
}

/// A small file system, unmounted at the end.
struct Small(PathBuf);

impl Small {
    /// `None`, said in the output, where it cannot be mounted.
    fn new(home: &Home, test: &str) -> Option<Small> {
        let path = home.path("small");
        fs::create_dir(&path).unwrap();
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", "size=16k,mode=755", "none"]).arg(&path).stderr(Stdio::null());
        if command.status().is_ok_and(|status| status.success()) {
            return Some(Small(path));
        }
        cannot_run(test, "a tmpfs cannot be mounted (not root?)");
        None
    }

    /// Writes until nothing fits.
    fn fill(&self) {
        let filler = fs::File::create(self.0.join("filler")).unwrap();
        while std::io::Write::write(&mut &filler, &[7; 4096]).is_ok_and(|written| written > 0) {}
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_leaves_nothing_and_the_old_signature() {
    let test = "a_full_disk_leaves_nothing_and_the_old_signature";
    let home = Home::with_key();
    let Some(small) = Small::new(&home, test) else { return };
    home.write("small/file", b"small");
    home.ok(&["sign", "small/file"]);
    home.write("small/new", b"new");
    small.fill();
    home.fails_without_traces(3, &["sign", "small/new"]);
    home.fails_without_traces(3, &["sign", "small/file", "--force"]);
    home.fails_without_traces(3, &["keygen", "--alg", "falcon512", "-o", "small/k"]);
    home.ok(&["verify", "small/file"]);
}

#[test]
fn a_disk_with_room_for_half_a_pair_leaves_no_half() {
    let test = "a_disk_with_room_for_half_a_pair_leaves_no_half";
    let home = Home::new();
    let Some(small) = Small::new(&home, test) else { return };
    // Three pages are free of four: the directory takes none, the private key needs one, the public key one.
    home.write("small/filler", vec![7; 3 * 4096]);
    home.fails_without_traces(3, &["keygen", "--alg", "falcon512", "-o", "small/k"]);
    home.write("a.pub", &kem_keys().a.public);
    home.fails_without_traces(3, &["encaps", "-p", "a.pub", "-o", "small/x", "--secret-out", "small/s"]);
    drop(small);
}

#[test]
fn a_folder_that_cannot_be_written_is_exit_3() {
    let test = "a_folder_that_cannot_be_written_is_exit_3";
    let home = Home::with_key();
    fs::create_dir(home.path("closed")).unwrap();
    home.write("closed/file", b"x");
    home.write("a.pub", &kem_keys().a.public);
    home.chmod(home.path("closed"), 0o555);
    for args in [
        &["sign", "closed/file"][..],
        &["sign", "file", "-o", "closed/out"],
        &["keygen", "--alg", "falcon512", "-o", "closed/k"],
        &["encaps", "-p", "a.pub", "-o", "x", "--secret-out", "closed/s"],
    ] {
        let Some(mut command) = as_nobody(&home, test) else { break };
        command.args(args);
        let out = home.command_fails_without_traces(&[3], command, b"");
        assert!(out.err().contains("closed"), "{out:?}");
    }
    home.chmod(home.path("closed"), 0o755);
}
