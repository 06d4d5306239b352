//! Private keys under a password: `pqc passwd`, and every command that reads or makes one.
#![cfg(unix)]

mod common;

use std::fs;
use std::io::{Read, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

use common::der::{self, Node};
use common::*;

/// A key of OpenSSL 3.5 under a password that costs little: ML-KEM-512, PBKDF2 with 2048 rounds.
const LOCKED: &str = "openssl/mlkem512-pbkdf2.pem";
/// Its password.
const PASSWORD: &str = "correct horse";

/// What that key on the keyboard gives.
const CTRL_C: &str = "\x03";

/// A folder with `k.key` (that key) and `pw`, its password in a file.
fn folder() -> Home {
    let home = Home::new();
    home.write_key("k.key", peer(LOCKED));
    home.write("pw", format!("{PASSWORD}\n"));
    home
}

/// Runs a line at a terminal, and gives each answer when its question is there. The answers must not be shown.
fn dialogue(home: &Home, line: &str, exchange: &[(&str, &str)]) -> Out {
    let mut command = home.program("script");
    command.args(["-qec", line, "/dev/null"]).env("PQC", PQC).env("TERM", "xterm");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let (mut keyboard, mut screen) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut shown = Vec::new();
    let start = Instant::now();
    for (question, answer) in exchange {
        let from = shown.len();
        while !String::from_utf8_lossy(&shown[from..]).contains(question) {
            let mut piece = [0; 256];
            let len = screen.read(&mut piece).unwrap();
            assert!(len > 0, "{question:?} was not asked: {}", String::from_utf8_lossy(&shown));
            assert!(start.elapsed() < Duration::from_secs(120), "{}", String::from_utf8_lossy(&shown));
            shown.extend(&piece[..len]);
        }
        // Ctrl-C is not followed by a line end, which might be read as an empty answer before the signal comes.
        let end = if *answer == CTRL_C { "" } else { "\n" };
        keyboard.write_all(format!("{answer}{end}").as_bytes()).unwrap();
    }
    screen.read_to_end(&mut shown).unwrap();
    let status = child.wait().unwrap();
    drop(keyboard);
    let out = Out { code: status.code().unwrap(), stdout: shown, stderr: Vec::new(), what: line.into() };
    for (_, answer) in exchange.iter().filter(|(_, answer)| answer.len() > 3) {
        assert!(!out.out().contains(answer), "an answer was shown: {out:?}");
    }
    out
}

/// `pqc` without a terminal to ask at, even where the test has one.
fn without_terminal(home: &Home, args: &[&str]) -> Out {
    let mut command = home.program("setsid");
    command.args(["-w", PQC]).args(args);
    home.finish(command, b"")
}

fn fingerprint(home: &Home, key: &str) -> String {
    let out = home.ok(&["inspect", "--json", "--password-file", "pw", key]).json();
    out["results"][0]["fingerprint"].as_str().unwrap().to_owned()
}

// passwd

#[test]
fn a_password_is_set_changed_and_removed_and_the_key_stays_the_same_bytes() {
    let home = Home::new();
    home.write_key("a.key", [b"My key.\n\n", &keys().a.private[..], b"\nThe end.\n"].concat());
    home.write("a.pub", &keys().a.public);
    home.write("1", b"first\n");
    home.write("2", b"second");
    let before = home.read("a.key");
    home.chmod(home.path("a.key"), 0o640);
    let out = home.ok(&["passwd", "a.key", "--new-password-file", "1"]);
    assert!(out.out().contains("a.key: password set"), "{out:?}");
    assert_eq!(home.mode("a.key"), 0o600);
    let locked = String::from_utf8(home.read("a.key")).unwrap();
    assert!(locked.starts_with("My key.\n\n-----BEGIN ENCRYPTED PRIVATE KEY-----\n"), "{locked}");
    assert!(locked.ends_with("-----END ENCRYPTED PRIVATE KEY-----\n\nThe end.\n"), "{locked}");
    let shown = home.ok(&["inspect", "a.key"]).out();
    assert!(shown.contains("PBKDF2-HMAC-SHA-256") && shown.contains("600000 rounds"), "{shown}");
    assert!(shown.contains("AES-256-CBC"), "{shown}");
    // Changed: the old one opens it no more.
    let out =
        home.ok(&["passwd", "a.key", "--password-file", "1", "--new-password-file", "2", "--json"]).json();
    assert_eq!(out["results"][0]["password"], "changed");
    assert_eq!(out["results"][0]["fingerprint"], keys().a.fingerprint.as_str());
    assert_ne!(home.read("a.key"), locked.as_bytes());
    home.write("file", b"x");
    home.fails_without_traces(2, &["sign", "file", "-k", "a.key", "--password-file", "1"]);
    let out = home.ok(&["passwd", "a.key", "--password-file", "2", "--remove"]);
    assert!(out.out().contains("password removed") && out.err().contains("no password"), "{out:?}");
    assert_eq!(home.read("a.key"), before);
    assert_eq!(home.listing(), ["1", "2", "a.key", "a.pub", "file"]);
}

#[test]
fn a_failing_passwd_leaves_the_key_as_it_was() {
    let home = folder();
    home.write("wrong", b"wrong\n");
    home.write("empty", b"");
    home.write("line", b"\n");
    home.write("long", [b'x'; 1025]);
    home.write_key("open.key", &keys().a.private);
    home.write("open.pub", &keys().a.public);
    std::os::unix::fs::symlink("k.key", home.path("link")).unwrap();
    fs::create_dir(home.path("dir")).unwrap();
    for (code, args) in [
        (2, &["k.key", "--password-file", "wrong", "--new-password-file", "pw"][..]),
        (2, &["k.key", "--password-file", "pw", "--new-password-file", "empty"]),
        (2, &["k.key", "--password-file", "pw", "--new-password-file", "line"]),
        (2, &["k.key", "--password-file", "pw", "--new-password-file", "long"]),
        (3, &["k.key", "--password-file", "pw", "--new-password-file", "missing"]),
        (3, &["k.key", "--password-file", "missing", "--new-password-file", "pw"]),
        (2, &["k.key", "--password-env", "NOT_SET", "--new-password-file", "pw"]),
        (2, &["k.key", "--password-file", "k.key", "--new-password-file", "pw"]),
        (2, &["k.key", "--password-file", "pw", "--new-password-file", "k.key"]),
        (2, &["k.key", "--password-file", "pw", "--remove", "--new-password-file", "pw"]),
        (2, &["k.key", "--password-file", "-", "--new-password-file", "-"]),
        (2, &["open.key", "--remove"]),
        (2, &["open.pub", "--new-password-file", "pw"]),
        (2, &["link", "--password-file", "pw", "--remove"]),
        (2, &["dir", "--password-file", "pw", "--remove"]),
        (3, &["missing.key", "--password-file", "pw", "--remove"]),
        (2, &["-", "--password-file", "pw", "--remove"]),
        (2, &["pw", "--new-password-file", "pw"]),
        (2, &[]),
    ] {
        let out = home.fails_without_traces(code, &[&["passwd"], args].concat());
        assert!(!out.all().contains(PASSWORD), "{out:?}");
    }
}

#[test]
fn a_key_that_cannot_be_written_stays_as_it_was() {
    let home = folder();
    let script = "ulimit -f 0; exec \"$0\" \"$@\"";
    let args = ["passwd", "k.key", "--password-file", "pw", "--remove"];
    home.command_fails_without_traces(&[3], home.shell(script, &args), b"");
}

// Where passwords come from.

#[test]
fn files_variables_and_standard_input_give_the_password() {
    let home = folder();
    home.write("crlf", format!("{PASSWORD}\r\n"));
    home.write("bare", PASSWORD);
    home.write("two", format!("{PASSWORD}\n\n"));
    for (file, code) in [("pw", 0), ("crlf", 0), ("bare", 0), ("two", 2)] {
        assert_eq!(home.run(&["inspect", "k.key", "--password-file", file]).code, code, "{file}");
    }
    let out = home.run_with(&["inspect", "k.key", "--password-file", "-"], &home.read("pw")).expect(0);
    assert!(out.out().contains("mlkem512"), "{out:?}");
    for (value, code) in [(PASSWORD, 0), ("wrong", 2), ("", 2)] {
        let mut command = home.command();
        command.args(["inspect", "k.key", "--password-env", "PW"]).env("PW", value);
        let out = home.finish(command, b"").expect(code);
        assert_eq!(out.out().contains("mlkem512"), code == 0, "{out:?}");
    }
    let mut command = home.command();
    command.args(["decaps", "-", "-k", "k.key", "--password-file", "-"]);
    home.command_fails_without_traces(&[2], command, b"x");
}

#[test]
fn a_wrong_password_is_one_sentence_and_exit_2() {
    let home = folder();
    let out = home.run_with(&["inspect", "k.key", "--password-file", "-"], b"wrong").expect(2);
    assert_eq!(out.err().lines().count(), 1, "{out:?}");
    assert!(out.err().starts_with("pqc: k.key: the password is wrong"), "{out:?}");
    let out = home.run_with(&["inspect", "k.key", "--password-file", "-", "--json"], b"wrong").expect(2);
    assert_eq!(out.json()["error"]["kind"], "password");
}

#[test]
fn without_a_terminal_the_options_are_named_at_once() {
    let test = "without_a_terminal_the_options_are_named_at_once";
    if !has("setsid") {
        cannot_run(test, "there is no setsid");
        return;
    }
    let home = folder();
    home.ok(&["inspect", "--public", "k.key", "--password-file", "pw"]);
    home.write("open.key", "");
    fs::remove_file(home.path("open.key")).unwrap();
    home.write_key("open.key", &keys().a.private);
    home.write("file", b"x");
    for (args, option) in [
        (&["inspect", "--public", "k.key"][..], "--password-file"),
        (&["inspect", "--password", "k.key"], "--password-env"),
        (&["decaps", "file", "-k", "k.key", "--format", "raw"], "--password-file"),
        (&["sign", "file", "-k", "k.key"], "--password-file"),
        (&["convert", "k.key", "-o", "x"], "--password-file"),
        (&["passwd", "k.key"], "--password-file"),
        (&["passwd", "open.key"], "--new-password-file"),
        (&["passwd", "k.key", "--password-file", "pw"], "--new-password-env"),
        (&["keygen", "--alg", "mlkem512", "-o", "n", "--password"], "--password-file"),
    ] {
        let before = snapshot(home.root());
        let out = without_terminal(&home, args).expect(2);
        home.unchanged_since(&before, &out);
        assert!(out.err().contains(option) && out.err().contains("terminal"), "{out:?}");
    }
    // Nothing is asked for a key without a password, nor for what can be told without it.
    without_terminal(&home, &["sign", "file", "-k", "open.key"]).expect(0);
    without_terminal(&home, &["inspect", "k.key", "open.key"]).expect(0);
}

#[test]
fn at_a_terminal_the_password_is_asked_for_without_an_echo_and_once_more_if_wrong() {
    let test = "at_a_terminal_the_password_is_asked_for_without_an_echo_and_once_more_if_wrong";
    if !can_make_a_terminal(test) {
        return;
    }
    let home = folder();
    let first = "Password for k.key: ";
    let more = "Once more: ";
    let out = dialogue(&home, "\"$PQC\" inspect --password k.key", &[(first, PASSWORD)]);
    assert!(out.code == 0 && out.out().contains("mlkem512"), "{out:?}");
    let out = dialogue(&home, "\"$PQC\" inspect --password k.key", &[(first, "battery"), (more, PASSWORD)]);
    assert!(out.code == 0 && out.out().contains("mlkem512"), "{out:?}");
    let wrong = &[(first, "battery"), (more, "staple")];
    let out = dialogue(&home, "\"$PQC\" inspect --password k.key", wrong);
    assert!(out.code == 2 && out.out().contains("the password is wrong"), "{out:?}");
    let out = dialogue(&home, "\"$PQC\" inspect --password k.key", &[(first, "")]);
    assert!(out.code == 2 && out.out().contains("empty"), "{out:?}");
    // The terminal is not standard input.
    let line = "printf x | \"$PQC\" inspect --password k.key | cat";
    let out = dialogue(&home, line, &[(first, PASSWORD)]);
    assert!(out.out().contains("mlkem512"), "{out:?}");
}

#[test]
fn a_new_password_is_asked_for_twice() {
    let test = "a_new_password_is_asked_for_twice";
    if !can_make_a_terminal(test) {
        return;
    }
    let home = folder();
    let current = ("Password for k.key: ", PASSWORD);
    let before = home.read("k.key");
    let differ = [current, ("New password for k.key: ", "battery"), ("again: ", "staple")];
    let out = dialogue(&home, "\"$PQC\" passwd k.key", &differ);
    assert!(out.code == 2 && out.out().contains("differ"), "{out:?}");
    assert_eq!(home.read("k.key"), before);
    let same = [current, ("New password for k.key: ", "battery"), ("again: ", "battery")];
    let out = dialogue(&home, "\"$PQC\" passwd k.key", &same);
    assert!(out.code == 0 && out.out().contains("password changed"), "{out:?}");
    home.run_with(&["inspect", "k.key", "--password-file", "-"], b"battery\n").expect(0);
    let new = [("New password for n.key: ", "battery"), ("again: ", "battery")];
    let out = dialogue(&home, "\"$PQC\" keygen --alg mlkem512 -o n --password", &new);
    assert!(out.code == 0, "{out:?}");
    home.run_with(&["inspect", "n.key", "--password-file", "-"], b"battery\n").expect(0);
}

/// The echo comes back after Ctrl-C, and nothing is written.
#[test]
fn ctrl_c_at_the_question_gives_the_terminal_back() {
    let test = "ctrl_c_at_the_question_gives_the_terminal_back";
    if !can_make_a_terminal(test) || !has("stty") {
        cannot_run(test, "there is no way to look at a terminal");
        return;
    }
    let home = folder();
    let line = "stty -a >before; trap : INT; \"$PQC\" passwd k.key; echo code $?; stty -a >after";
    let before = home.read("k.key");
    let out = dialogue(&home, line, &[("Password for k.key: ", CTRL_C)]);
    assert!(out.out().contains("code 130"), "{out:?}");
    assert_eq!(home.read("before"), home.read("after"), "{out:?}");
    assert_eq!(home.read("k.key"), before);
}

// Commands that read or make such keys.

#[test]
fn keygen_makes_a_key_under_a_password_that_every_command_takes() {
    let home = Home::new();
    home.write("pw", b"secret\n");
    home.write("file", b"bytes");
    let out = home.ok(&["keygen", "--alg", "falcon512", "-o", "f", "--password-file", "pw", "--json"]);
    assert_eq!(out.json()["results"][0]["protected"], true);
    assert!(!out.err().contains("no password"), "{out:?}");
    assert_eq!(home.mode("f.key"), 0o600);
    assert!(home.read("f.key").starts_with(b"-----BEGIN ENCRYPTED PRIVATE KEY-----\n"));
    home.ok(&["sign", "file", "-k", "f.key", "--password-file", "pw"]);
    home.ok(&["verify", "file", "-p", "f.pub"]);
    assert_eq!(
        home.ok(&["inspect", "--public", "f.key", "--password-file", "pw"]).stdout,
        home.read("f.pub")
    );
    let out = home.ok(&["inspect", "--json", "f.key", "--password-file", "pw"]).json();
    let shown = &out["results"][0];
    assert_eq!((&shown["encrypted"], &shown["public_matches"]), (&true.into(), &true.into()));
    assert_eq!((&shown["kdf"], &shown["kdf_cost"]), (&"PBKDF2-HMAC-SHA-256".into(), &"600000 rounds".into()));
}

#[test]
fn convert_keeps_the_password_unless_told_otherwise() {
    let home = folder();
    home.ok(&["convert", "k.key", "--password-file", "pw", "--layout", "both", "-o", "both.key"]);
    assert!(home.read("both.key").starts_with(b"-----BEGIN ENCRYPTED PRIVATE KEY-----\n"));
    assert_eq!(fingerprint(&home, "both.key"), fingerprint(&home, "k.key"));
    home.ok(&["convert", "k.key", "--password-file", "pw", "--der", "-o", "k.der"]);
    let shown = home.ok(&["inspect", "k.der", "--json"]).json();
    assert_eq!(
        (&shown["results"][0]["encrypted"], &shown["results"][0]["format"]),
        (&true.into(), &"der".into())
    );
    assert_eq!(fingerprint(&home, "k.der"), fingerprint(&home, "k.key"));
    let raw = ["convert", "k.key", "--password-file", "pw", "--raw", "--layout", "seed", "-o", "seed"];
    let out = home.fails_without_traces(2, &raw);
    assert!(out.err().contains("--unprotected"), "{out:?}");
    home.ok(&[&raw[..], &["--unprotected"]].concat());
    assert_eq!(home.read("seed").len(), 64);
    home.ok(&["convert", "k.key", "--password-file", "pw", "--unprotected", "-o", "open.key"]);
    assert!(home.read("open.key").starts_with(b"-----BEGIN PRIVATE KEY-----\n"));
    let out = home.ok(&["convert", "k.key", "--password-file", "pw", "--public"]);
    assert!(out.stdout.starts_with(b"-----BEGIN PUBLIC KEY-----\n"));
}

/// A password that is given for a key without one: who gave it thinks that the key is protected.
#[test]
fn a_password_that_is_not_needed_is_a_warning() {
    let home = Home::with_key();
    home.write("pw", b"x\n");
    let out = home.ok(&["sign", "file", "--password-file", "pw", "-q"]);
    assert!(out.err().contains("under no password"), "{out:?}");
}

#[test]
fn the_key_home_knows_locked_keys_by_the_public_key_beside_them() {
    let home = folder();
    home.ok(&["inspect", "--public", "k.key", "--password-file", "pw"]);
    let public = home.ok(&["inspect", "--public", "k.key", "--password-file", "pw"]).stdout;
    home.install(&Pair { private: peer(LOCKED), public: public.clone(), fingerprint: String::new() }, "kem");
    home.install(&keys().a, "falcon");
    home.write("k.pub", &public);
    home.write("file", b"x");
    // It does not sign, so that no password is asked for.
    home.ok(&["sign", "file"]);
    home.ok(&["encaps", "-p", "k.pub", "-o", "c", "--secret-out", "s"]);
    home.ok(&["decaps", "c", "--password-file", "pw", "--secret-out", "t"]);
    assert_eq!(home.read("s"), home.read("t"));
    home.ok(&["inspect"]);
    // Without it, the key might be any.
    fs::remove_file(home.home().join("kem.pub")).unwrap();
    let out = home.fails_without_traces(2, &["sign", "file", "-o", "x"]);
    assert!(out.err().contains("under a password") && out.err().contains("kem.key"), "{out:?}");
    home.ok(&["decaps", "c", "--password-file", "pw", "--secret-out", "t", "--force"]);
    assert_eq!(home.read("s"), home.read("t"));
}

// What comes out is checked.

/// CBC has no integrity: a changed block of a seed gives another seed, and only the public key beside it tells.
#[test]
fn a_changed_file_is_found_by_the_public_key_beside_it() {
    let home = folder();
    home.write("k.pub", home.ok(&["inspect", "--public", "k.key", "--password-file", "pw"]).stdout);
    let mut node = Node::parse(&der::pem_decode(&home.read("k.key")));
    let data = node.children_mut()[1].content_mut();
    // The 86 bytes begin with 22 bytes of structure; the seed goes on to the end.
    data[32..48].iter_mut().for_each(|byte| *byte ^= 1);
    home.write_key("k.key", der::pem_encode("ENCRYPTED PRIVATE KEY", &node.encode()));
    let out = home.run(&["inspect", "k.key", "--password-file", "pw"]).expect(2);
    assert!(out.err().contains("k.pub") || out.err().contains("password"), "{out:?}");
    home.write("c", [7; 768]);
    home.fails_without_traces(
        2,
        &["decaps", "c", "--format", "raw", "-k", "k.key", "--password-file", "pw", "--secret-out", "x"],
    );
    home.fails_without_traces(2, &["passwd", "k.key", "--password-file", "pw", "--remove"]);
    home.fails_without_traces(2, &["convert", "k.key", "--password-file", "pw", "-o", "x"]);
}

#[test]
fn a_changed_falcon_key_is_found_by_its_halves() {
    let home = Home::new();
    home.write("pw", b"x\n");
    home.write_key("a.key", &keys().a.private);
    home.ok(&["passwd", "a.key", "--new-password-file", "pw"]);
    let node = Node::parse(&der::pem_decode(&home.read("a.key")));
    for at in [100, 1000, 2000] {
        let mut changed = node.clone();
        changed.children_mut()[1].content_mut()[at] ^= 1;
        home.write_key("b.key", der::pem_encode("ENCRYPTED PRIVATE KEY", &changed.encode()));
        let out = home.run(&["inspect", "b.key", "--password-file", "pw"]).expect(2);
        assert!(out.err().contains("damaged") || out.err().contains("canonical"), "{out:?}");
    }
}

// What others wrote.

#[test]
fn keys_of_openssl_under_a_password_are_read_with_every_method_that_is_promised() {
    let home = folder();
    let expected = fingerprint(&home, "k.key");
    for (file, kdf, cipher) in [
        ("pbkdf2", "PBKDF2-HMAC-SHA-256", "AES-256-CBC"),
        ("pbkdf2-sha512-aes128", "PBKDF2-HMAC-SHA-512", "AES-128-CBC"),
        ("scrypt", "scrypt", "AES-256-CBC"),
    ] {
        home.write_key("x.key", peer(&format!("openssl/mlkem512-{file}.pem")));
        let out = home.ok(&["inspect", "--json", "x.key", "--password-file", "pw"]).json();
        let shown = &out["results"][0];
        assert_eq!(shown["fingerprint"], expected.as_str(), "{file}");
        assert_eq!((&shown["kdf"], &shown["cipher"]), (&kdf.into(), &cipher.into()), "{file}");
    }
}

#[test]
fn costs_and_methods_that_are_not_read_are_refused_at_once_and_named() {
    let home = folder();
    let node = Node::parse(&der::pem_decode(&peer("openssl/mlkem512-scrypt.pem")));
    let refused = |change: &dyn Fn(&mut Node), named: &str| {
        let mut changed = node.clone();
        change(&mut changed);
        home.write_key("x.key", der::pem_encode("ENCRYPTED PRIVATE KEY", &changed.encode()));
        let start = Instant::now();
        let script = "ulimit -v 400000; exec \"$0\" \"$@\"";
        let args = ["inspect", "x.key", "--password-file", "pw"];
        let out = home.command_fails_without_traces(&[2], home.shell(script, &args), b"");
        assert!(out.err().contains(named) && out.err().contains("x.key"), "{named}: {out:?}");
        assert!(start.elapsed() < Duration::from_secs(60), "{named}");
    };
    // SEQUENCE { SEQUENCE { PBES2, SEQUENCE { SEQUENCE { scrypt, SEQUENCE { salt, N, r, p } }, cipher } }, data }
    fn parameters(node: &mut Node) -> &mut Vec<Node> {
        node.children_mut()[0].children_mut()[1].children_mut()
    }
    fn scrypt(node: &mut Node) -> &mut Vec<Node> {
        parameters(node)[0].children_mut()[1].children_mut()
    }
    refused(&|node| *scrypt(node)[1].content_mut() = vec![0x10, 0, 0], "N=1048576");
    refused(&|node| *scrypt(node)[1].content_mut() = vec![0x40, 1], "N=16385");
    refused(&|node| *scrypt(node)[3].content_mut() = vec![0x40, 0], "p=16384");
    refused(&|node| *parameters(node)[0].children_mut()[0].content_mut() = der::oid("1.2.3"), "1.2.3");
    refused(
        &|node| *parameters(node)[1].children_mut()[0].content_mut() = der::oid("1.2.840.113549.3.7"),
        "triple DES",
    );
    refused(
        &|node| *node.children_mut()[0].children_mut()[0].content_mut() = der::oid("1.2.840.113549.1.5.3"),
        "PBES1",
    );
    refused(&|node| node.children_mut().push(Node::Leaf(der::NULL, Vec::new())), "damaged");
    refused(&|node| node.children_mut().truncate(1), "damaged");
}

#[test]
fn strictness_of_pem_holds_for_locked_keys_too() {
    let home = folder();
    let text = String::from_utf8(home.read("k.key")).unwrap();
    for good in
        [text.replace('\n', "\r\n"), text.trim_end().to_owned(), format!("a key\n\n{text}\nthe end\n")]
    {
        home.write_key("x.key", good);
        home.ok(&["inspect", "x.key", "--password-file", "pw"]);
    }
    let body = text.lines().nth(1).unwrap();
    for bad in [
        format!("{text}{text}"),
        text.replace("ENCRYPTED PRIVATE KEY", "PRIVATE KEY"),
        text.replacen("ENCRYPTED ", "", 1),
        text.replace(body, &format!("Proc-Type: 4,ENCRYPTED\n\n{body}")),
        text.replacen(body, &body[1..], 1),
        format!("{text}{}", String::from_utf8_lossy(&keys().a.public)),
    ] {
        home.write_key("x.key", bad);
        home.fails_without_traces(2, &["inspect", "x.key", "--password-file", "pw"]);
        home.fails_without_traces(2, &["passwd", "x.key", "--password-file", "pw", "--remove"]);
    }
}

#[test]
fn passwords_are_in_no_output() {
    let home = folder();
    for args in [
        &["inspect", "k.key", "-v", "--password-file", "pw"][..],
        &["inspect", "k.key", "--json", "--password-file", "pw"],
        &["convert", "k.key", "-v", "-o", "x.key", "--password-file", "pw"],
        &["passwd", "k.key", "-v", "--password-file", "pw", "--new-password-file", "pw"],
    ] {
        let out = home.ok(args);
        assert!(!out.all().contains(PASSWORD) && !out.all().contains("horse"), "{out:?}");
    }
}
