//! What the command-line tests share: a fresh folder with its own key home, and a way to run `pqc` in it.
//!
//! Every run is held to the manners that hold for all commands (see [`Out::check_manners`]); every failing run
//! goes through [`Home::fails_without_traces`], which compares the whole folder before and after.
#![allow(dead_code)]

pub mod der;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

/// The program under test.
pub const PQC: &str = env!("CARGO_BIN_EXE_pqc");

/// No command of these tests may last longer; one that does is waiting for something that never comes.
const TOO_LONG: Duration = Duration::from_secs(300);

/// What a run gave.
#[derive(Clone)]
pub struct Out {
    /// The exit code; a run that a signal ended has minus the signal's number.
    pub code: i32,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// The command, for messages.
    pub what: String,
}

impl Out {
    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    pub fn err(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }

    /// Standard output and standard error in one text.
    pub fn all(&self) -> String {
        self.out() + &self.err()
    }

    /// Standard output as exactly one JSON object of the documented shape.
    pub fn json(&self) -> serde_json::Value {
        let json: serde_json::Value = match serde_json::from_slice(&self.stdout) {
            Ok(json) => json,
            Err(why) => panic!("standard output is not one JSON value: {why}\n{self:?}"),
        };
        assert_eq!(json["version"], 1, "{self:?}");
        assert!(json["command"].is_string(), "{self:?}");
        assert_eq!(json["exit"], self.code, "the exit code in the object is the process's: {self:?}");
        assert!(json["results"].is_array(), "{self:?}");
        assert!(json.get("error").is_some(), "`error` is always there: {self:?}");
        if !json["error"].is_null() {
            assert_eq!(json["error"]["code"], self.code, "{self:?}");
            assert!(json["error"]["kind"].is_string(), "{self:?}");
            assert!(json["error"]["message"].as_str().is_some_and(|m| !m.is_empty()), "{self:?}");
        }
        json
    }

    pub fn expect(self, code: i32) -> Out {
        assert_eq!(self.code, code, "{self:?}");
        self
    }

    /// The line of standard output that begins with `start`.
    pub fn line(&self, start: &str) -> String {
        let out = self.out();
        match out.lines().find(|line| line.starts_with(start)) {
            Some(line) => line.to_owned(),
            None => panic!("no line begins with {start:?}: {self:?}"),
        }
    }

    /// The rules that hold for every command: a documented exit code, no panic, no "Success" for a failure, a
    /// reason for every failure.
    pub fn check_manners(&self) {
        assert!(
            matches!(self.code, 0..=3 | 130),
            "exit code {} is not one of 0, 1, 2, 3, 130: {self:?}",
            self.code
        );
        let err = self.err();
        for bad in ["panicked", "RUST_BACKTRACE", "os error 0", "errno 0", ": Success"] {
            assert!(!err.contains(bad), "{bad:?} in standard error: {self:?}");
        }
        assert!(
            self.code == 0 || !self.stdout.is_empty() || !self.stderr.is_empty(),
            "a failure without a word: {self:?}"
        );
    }
}

impl std::fmt::Debug for Out {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let cut = |text: String| match text.char_indices().nth(3000) {
            Some((end, _)) => text[..end].to_owned() + "…",
            None => text,
        };
        write!(
            f,
            "\n$ {}\nexit code {}\n--- stdout\n{}\n--- stderr\n{}\n---",
            self.what,
            self.code,
            cut(self.out()),
            cut(self.err())
        )
    }
}

/// Starts `command` with both outputs captured, feeds it `stdin`, and waits for its end.
pub fn finish(mut command: Command, stdin: &[u8]) -> Out {
    let what = format!("{command:?}");
    let feed = if stdin.is_empty() { Stdio::null() } else { Stdio::piped() };
    let child = command.stdin(feed).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.unwrap_or_else(|why| panic!("{what}: {why}"));
    if let Some(mut pipe) = child.stdin.take() {
        let bytes = stdin.to_vec();
        thread::spawn(move || {
            let _ = pipe.write_all(&bytes);
        });
    }
    wait(child, what)
}

/// Waits for a started child, however it was started.
pub fn wait(mut child: Child, what: String) -> Out {
    fn drain(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(mut pipe) = pipe {
                let _ = pipe.read_to_end(&mut bytes);
            }
            bytes
        })
    }
    let (stdout, stderr) = (drain(child.stdout.take()), drain(child.stderr.take()));
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > TOO_LONG {
            let _ = child.kill();
            panic!("still running after {TOO_LONG:?}: {what}");
        }
        thread::sleep(Duration::from_micros(500));
    };
    let code = status.code().unwrap_or_else(|| -status.signal().unwrap_or(0));
    Out { code, stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap(), what }
}

/// A fresh folder: `work` is the current folder of every command, `home` is `PQC_HOME`.
pub struct Home {
    dir: tempfile::TempDir,
}

impl Home {
    /// With a key home that does not exist yet.
    pub fn new() -> Home {
        let dir = tempfile::Builder::new().prefix("pqc-test-").tempdir().unwrap();
        fs::create_dir(dir.path().join("work")).unwrap();
        Home { dir }
    }

    /// With the key pair [`Keys::a`] in the key home, and `file` in the current folder.
    pub fn with_key() -> Home {
        let home = Home::new();
        home.install(&keys().a, "falcon512");
        home.write("file", b"the file's bytes\n");
        home
    }

    /// With the public key [`Keys::a`] alone in the key home, and `file` signed by it: a recipient's folder.
    pub fn with_signature() -> Home {
        let home = Home::with_key();
        home.ok(&["sign", "file"]);
        fs::remove_file(home.home().join("falcon512.key")).unwrap();
        home
    }

    /// With the ML-KEM-768 pair [`KemKeys::a`] in the key home, and `a.pub` in the current folder.
    pub fn with_kem_key() -> Home {
        let home = Home::new();
        home.install(&kem_keys().a, "mlkem768");
        home.write("a.pub", &kem_keys().a.public);
        home
    }

    /// The same with `x.ct`, made for that key, and its secret `x.ss`.
    pub fn with_ciphertext() -> Home {
        let home = Home::with_kem_key();
        home.ok(&["encaps", "-p", "a.pub", "-o", "x.ct", "--secret-out", "x.ss"]);
        home
    }

    /// Puts a pair into the key home.
    pub fn install(&self, pair: &Pair, name: &str) {
        self.make_home();
        fs::write(self.home().join(format!("{name}.pub")), &pair.public).unwrap();
        write_private(&self.home().join(format!("{name}.key")), &pair.private);
        fs::set_permissions(self.home().join(format!("{name}.pub")), fs::Permissions::from_mode(0o644))
            .unwrap();
    }

    pub fn make_home(&self) {
        fs::create_dir_all(self.home()).unwrap();
        fs::set_permissions(self.home(), fs::Permissions::from_mode(0o700)).unwrap();
    }

    pub fn root(&self) -> &Path {
        self.dir.path()
    }

    pub fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    pub fn work(&self) -> PathBuf {
        self.dir.path().join("work")
    }

    pub fn path(&self, name: impl AsRef<OsStr>) -> PathBuf {
        self.work().join(name.as_ref())
    }

    pub fn write(&self, name: impl AsRef<OsStr>, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    /// Writes a private key with mode 0600.
    pub fn write_key(&self, name: impl AsRef<OsStr>, bytes: impl AsRef<[u8]>) {
        write_private(&self.path(name), bytes.as_ref());
    }

    pub fn read(&self, name: impl AsRef<OsStr>) -> Vec<u8> {
        let path = self.path(name);
        fs::read(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
    }

    pub fn exists(&self, name: impl AsRef<OsStr>) -> bool {
        self.path(name).symlink_metadata().is_ok()
    }

    /// The names in the current folder, sorted.
    pub fn listing(&self) -> Vec<OsString> {
        listing(&self.work())
    }

    pub fn mode(&self, name: impl AsRef<OsStr>) -> u32 {
        self.path(name).symlink_metadata().unwrap().mode() & 0o7777
    }

    pub fn chmod(&self, path: impl AsRef<Path>, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    /// `pqc` in the current folder, with no variable of ours but `PQC_HOME`.
    pub fn command(&self) -> Command {
        self.program(PQC)
    }

    /// Another program in the same surroundings.
    pub fn program(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env_clear().current_dir(self.work());
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        if let Some(profile) = std::env::var_os("LLVM_PROFILE_FILE") {
            command.env("LLVM_PROFILE_FILE", profile);
        }
        command.env("HOME", self.root().join("user")).env("PQC_HOME", self.home()).env("LC_ALL", "C.UTF-8");
        command
    }

    /// A shell script, with the program as `$0` and `args` as `$@`.
    pub fn shell<S: AsRef<OsStr>>(&self, script: &str, args: &[S]) -> Command {
        let mut command = self.program("sh");
        command.arg("-c").arg(script).arg(PQC).args(args);
        command
    }

    /// Runs `pqc`, whatever comes of it.
    pub fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Out {
        self.run_with(args, b"")
    }

    /// Runs `pqc` with bytes on its standard input.
    pub fn run_with<S: AsRef<OsStr>>(&self, args: &[S], stdin: &[u8]) -> Out {
        let mut command = self.command();
        command.args(args);
        self.finish(command, stdin)
    }

    pub fn finish(&self, command: Command, stdin: &[u8]) -> Out {
        let out = finish(command, stdin);
        out.check_manners();
        out
    }

    /// Runs `pqc`, which must succeed.
    pub fn ok<S: AsRef<OsStr>>(&self, args: &[S]) -> Out {
        self.run(args).expect(0)
    }

    /// Runs `pqc`, which must fail with `code`, say why, and leave everything in the folder as it was: names,
    /// kinds, modes and bytes.
    pub fn fails_without_traces<S: AsRef<OsStr>>(&self, code: i32, args: &[S]) -> Out {
        let mut command = self.command();
        command.args(args);
        self.command_fails_without_traces(&[code], command, b"")
    }

    /// The same for any of several codes, any command and any standard input.
    pub fn command_fails_without_traces(&self, codes: &[i32], command: Command, stdin: &[u8]) -> Out {
        let before = snapshot(self.root());
        let out = self.finish(command, stdin);
        assert!(codes.contains(&out.code), "expected an exit code of {codes:?}: {out:?}");
        self.unchanged_since(&before, &out);
        out
    }

    pub fn unchanged_since(&self, before: &Snapshot, out: &Out) {
        let after = snapshot(self.root());
        let changed: Vec<_> = before
            .keys()
            .chain(after.keys())
            .filter(|path| before.get(*path) != after.get(*path))
            .map(|path| format!("{}: {:?} -> {:?}", path.display(), before.get(path), after.get(path)))
            .collect();
        assert!(changed.is_empty(), "a failing command left traces: {changed:#?}{out:?}");
    }
}

fn write_private(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
}

pub fn listing(folder: &Path) -> Vec<OsString> {
    let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    names
}

/// Every path below a folder, with its kind, mode and contents.
pub type Snapshot = BTreeMap<PathBuf, String>;

pub fn snapshot(folder: &Path) -> Snapshot {
    let mut found = Snapshot::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for name in listing(&folder) {
            let path = folder.join(name);
            let meta = path.symlink_metadata().unwrap();
            let mut what = format!("{:o}", meta.mode());
            if meta.is_symlink() {
                what += &format!(" -> {:?}", fs::read_link(&path).unwrap());
            } else if meta.is_dir() {
                folders.push(path.clone());
            } else if meta.is_file() && meta.len() < 64 << 20 {
                match fs::read(&path) {
                    Ok(bytes) => what += &format!(" {} {}", bytes.len(), sha256(&bytes)),
                    Err(why) => what += &format!(" {why}"),
                }
            } else {
                what += &format!(" {}", meta.len());
            }
            found.insert(path, what);
        }
    }
    found
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// A key pair's files and its fingerprint, computed here.
pub struct Pair {
    pub private: Vec<u8>,
    pub public: Vec<u8>,
    pub fingerprint: String,
}

impl Pair {
    /// `-p` with this key's fingerprint.
    pub fn pin(&self) -> String {
        format!("sha256:{}", self.fingerprint)
    }
}

/// The key pairs of a test program: made once, by `pqc keygen`.
pub struct Keys {
    /// Falcon-512.
    pub a: Pair,
    /// Falcon-512, another key.
    pub b: Pair,
    /// Falcon-1024.
    pub big: Pair,
}

pub fn keys() -> &'static Keys {
    static KEYS: OnceLock<Keys> = OnceLock::new();
    KEYS.get_or_init(|| {
        let home = Home::new();
        let make = |name: &str, algorithm: &str| {
            home.ok(&["keygen", "--alg", algorithm, "-o", name]);
            let public = home.read(format!("{name}.pub"));
            let fingerprint = sha256(&der::pem_decode(&public));
            Pair { private: home.read(format!("{name}.key")), public, fingerprint }
        };
        Keys { a: make("a", "falcon512"), b: make("b", "falcon512"), big: make("big", "falcon1024") }
    })
}

/// The KEM key pairs of a test program: made once, by `pqc keygen`.
pub struct KemKeys {
    /// ML-KEM-768.
    pub a: Pair,
    /// ML-KEM-768, another key.
    pub b: Pair,
    /// ML-KEM-512.
    pub small: Pair,
    /// Kyber512 of round 3.
    pub legacy: Pair,
}

pub fn kem_keys() -> &'static KemKeys {
    static KEYS: OnceLock<KemKeys> = OnceLock::new();
    KEYS.get_or_init(|| {
        let make = |algorithm| make_pair(&Home::new(), algorithm);
        KemKeys {
            a: make("mlkem768"),
            b: make("mlkem768"),
            small: make("mlkem512"),
            legacy: make("kyber512"),
        }
    })
}

/// A fresh pair by `pqc keygen`, whose files stay in the current folder under the algorithm's name.
pub fn make_pair(home: &Home, algorithm: &str) -> Pair {
    home.ok(&["keygen", "--alg", algorithm, "-o", algorithm]);
    let public = home.read(format!("{algorithm}.pub"));
    let fingerprint = sha256(&der::pem_decode(&public));
    Pair { private: home.read(format!("{algorithm}.key")), public, fingerprint }
}

/// A file that another program made (`tests/vectors/peers`).
pub fn peer(path: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/peers").join(path);
    fs::read(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// What a terminal shows while a command line runs in one; `"$PQC"` is the program.
pub fn on_a_terminal(home: &Home, line: &str) -> Out {
    let mut command = home.program("script");
    command.args(["-qec", line, "/dev/null"]).env("PQC", PQC).env("TERM", "xterm");
    finish(command, b"")
}

/// Whether there is a way to make a terminal; says so where not.
pub fn can_make_a_terminal(test: &str) -> bool {
    let can = has("script");
    if !can {
        cannot_run(test, "there is no `script` to make a terminal");
    }
    can
}

/// `pqc` with one stream a pipe that nobody reads.
pub fn broken(home: &Home, args: &[&str], stdout: bool) -> Out {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = home.command();
    command.args(args).stdin(Stdio::null());
    if stdout {
        command.stdout(writer).stderr(Stdio::piped());
    } else {
        command.stdout(Stdio::piped()).stderr(writer);
    }
    let what =
        format!("{command:?}, its {} closed", if stdout { "standard output" } else { "standard error" });
    let out = wait(command.spawn().unwrap(), what);
    assert!(matches!(out.code, 0..=3), "{out:?}");
    assert!(!out.err().contains("panicked"), "{out:?}");
    out
}

/// `prefix`, a 64-digit fingerprint in the middle of a line that verify prints for a good file.
pub fn is_ok_line(line: &str, file: &str, pair: &Pair, algorithm: &str) -> bool {
    line.starts_with(&format!("{file}: OK by "))
        && line.ends_with(&format!("({algorithm} {})", pair.fingerprint))
}

/// No character of `text` steers a terminal.
pub fn assert_printable(out: &Out) {
    for stream in [&out.stdout, &out.stderr] {
        let text = String::from_utf8_lossy(stream);
        let bad: Vec<char> = text.chars().filter(|c| c.is_control() && *c != '\n' && *c != '\t').collect();
        assert!(bad.is_empty(), "control characters {bad:?} were printed: {out:?}");
        let bidi = |c: &char| matches!(*c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        assert!(!text.chars().any(|c| bidi(&c)), "direction overrides were printed: {out:?}");
    }
}

/// Says in the test's output why a test did not run. Nothing passes in silence.
pub fn cannot_run(test: &str, why: &str) {
    let line = format!("\nSKIPPED {test}: {why}\n");
    // Not `eprintln!`, which the test harness captures: this must reach the log of a passing run, on its own line.
    let _ = std::io::stderr().write_all(line.as_bytes());
}

/// Whether a program can be started.
pub fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    found.is_ok_and(|status| status.success())
}

/// Whether faults can be injected and calls be seen here; says so where not.
///
/// With `names` the test also needs the file names in the calls. The program forbids others to look into its
/// memory, so that only root's `strace` sees them.
pub fn can_trace(test: &str, names: bool) -> bool {
    let home = Home::new();
    home.write("a.pub", &keys().a.public);
    let mut command = home.program("strace");
    command.args(["-f", "-o"]).arg(home.root().join("trace")).args([
        "-e",
        "trace=openat",
        PQC,
        "inspect",
        "a.pub",
    ]);
    let works =
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success());
    let log = fs::read_to_string(home.root().join("trace")).unwrap_or_default();
    if !works {
        cannot_run(test, "strace is not here or may not trace");
    } else if names && !log.contains("\"a.pub\"") {
        cannot_run(test, "strace may not see the names in the program's calls (not root?)");
        return false;
    }
    works
}

/// Runs `pqc` under a umask of 000 and holds the calls that create the file `name` against mode 0600. Needs
/// [`can_trace`] with names.
pub fn assert_0600_from_the_first_moment(home: &Home, args: &[&str], name: &str) {
    let log = home.root().join("trace");
    let script = "umask 000; exec strace -f -e trace=open,openat,creat,chmod,fchmod,fchmodat,rename,renameat,\
                  renameat2,link,linkat -o \"$LOG\" \"$0\" \"$@\"";
    let mut command = home.shell(script, args);
    command.env("LOG", &log);
    home.finish(command, b"").expect(0);
    let trace = fs::read_to_string(&log).unwrap();
    let quoted = |line: &str| line.split('"').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();

    // The name or descriptor that became the file, or the file itself.
    let published = trace.lines().find(|line| {
        (line.contains("rename") || line.contains("link"))
            && quoted(line).iter().any(|found| found.ends_with(name))
    });
    let source = published.map_or(name.to_owned(), |line| quoted(line)[0].clone());
    let opened: Vec<&str> = match source.strip_prefix("/proc/self/fd/") {
        Some(fd) => trace
            .lines()
            .filter(|line| line.contains("O_TMPFILE") && line.ends_with(&format!("= {fd}")))
            .collect(),
        None => trace
            .lines()
            .filter(|line| {
                line.contains("O_CREAT") && quoted(line).iter().any(|name| name.ends_with(&source))
            })
            .collect(),
    };
    assert!(!opened.is_empty(), "the trace does not show where {name} was created:\n{trace}");
    for line in opened {
        assert!(line.contains("0600"), "created with another mode: {line}");
    }
    for line in trace.lines().filter(|line| line.contains("chmod")) {
        assert!(!line.contains(&source) || line.contains("0600"), "{line}");
    }
}

pub fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|meta| meta.uid() == 0)
}

pub fn mkfifo(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status().unwrap();
    assert!(made.success(), "mkfifo {}", path.display());
}

/// Waits until a started process has a file of this name open, ten seconds at most.
pub fn wait_until_open(child: &Child, name: &str) {
    let fds = format!("/proc/{}/fd", child.id());
    for _ in 0..1000 {
        let open = fs::read_dir(&fds).into_iter().flatten().flatten();
        if open.filter_map(|fd| fs::read_link(fd.path()).ok()).any(|target| target.ends_with(name)) {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
}

pub fn os(bytes: &[u8]) -> OsString {
    OsStr::from_bytes(bytes).to_owned()
}

/// `pqc` as a user whom file modes bind: the current one, or `nobody` when that is root.
pub fn as_nobody(home: &Home, test: &str) -> Option<Command> {
    if !is_root() {
        return Some(home.command());
    }
    if !has("setpriv") {
        cannot_run(test, "root, and setpriv is not here");
        return None;
    }
    let chown = Command::new("chown").args(["-R", "65534:65534"]).arg(home.root()).status().unwrap();
    assert!(chown.success());
    let nobody = || {
        let mut command = home.program("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups", PQC]);
        command
    };
    if !nobody().arg("-V").stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success() {
        cannot_run(test, "another user cannot start the program where it was built");
        return None;
    }
    Some(nobody())
}

/// Signatures of other programs, each with the name that it must be told by.
pub const FOREIGN: [(&[u8], &str); 4] = [
    (
        b"-----BEGIN PGP SIGNATURE-----\n\niHUEABYKAB0WIQTrayyyyyyyyyyyyyyyyyyyyyyyyyUCZ0AAAAAKCRAAAAAAAAAA\nAAAAAQD/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAP9AAAAAAAAA\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==\n=AAAA\n-----END PGP SIGNATURE-----\n",
        "OpenPGP",
    ),
    (
        b"-----BEGIN SSH SIGNATURE-----\nU1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgAAAAAAAAAAAAAAAAAAAAAAAAAA\nAAAAAAAAAAAAAAAAAEZmlsZQAAAAAAAAAGc2hhNTEyAAAAUwAAAAtzc2gtZWQyNTUxOQ\n-----END SSH SIGNATURE-----\n",
        "SSHSIG",
    ),
    (
        b"untrusted comment: verify with release.pub\nRWQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n",
        "signify",
    ),
    (
        b"untrusted comment: signature from minisign secret key\nRUQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\ntrusted comment: timestamp:1700000000\tfile:file\thashed\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==\n",
        "minisign",
    ),
];
