//! The completions for bash, in a bash.
#![cfg(unix)]

mod common;

use std::fs;
use std::path::Path;

use common::*;

/// What bash offers for the last of some words, one a line. Only the words before the cursor are given.
fn offered(home: &Home, words: &[&str]) -> Vec<String> {
    let script = r#"
        source "$SCRIPT" || exit 9
        [[ $(complete -p pqc) == *" -F _pqc "* ]] || exit 9
        compopt() { :; }    # works only while a key is pressed
        COMP_WORDS=(pqc "$@")
        COMP_CWORD=$#
        _pqc pqc "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let mut command = home.program("bash");
    command.args(["--norc", "-c", script, "bash"]).args(words);
    command.env("SCRIPT", Path::new(env!("CARGO_MANIFEST_DIR")).join("completions/pqc.bash"));
    let out = finish(command, b"");
    assert!(out.code == 0 && out.stderr.is_empty(), "{out:?}");
    let mut lines: Vec<String> =
        out.out().lines().filter(|line| !line.is_empty()).map(str::to_owned).collect();
    lines.sort();
    lines
}

/// A folder with files of every kind; `None`, and a word, where there is no bash.
fn folder(test: &str) -> Option<Home> {
    if !has("bash") {
        cannot_run(test, "bash is not here");
        return None;
    }
    let home = Home::new();
    for name in ["a.key", "my own.key", "a.pub", "b.pub", "text", "text.sig", "other"] {
        home.write(name, b"");
    }
    fs::create_dir(home.path("folder")).unwrap();
    Some(home)
}

#[test]
fn bash_completes_commands_and_options() {
    let Some(home) = folder("bash_completes_commands_and_options") else { return };
    assert_eq!(offered(&home, &["ve"]), ["verify"]);
    assert!(offered(&home, &[""]).contains(&"keygen".into()));
    assert_eq!(offered(&home, &["sign", "--with"]), ["--with-key"]);
    assert_eq!(offered(&home, &["verify", "--files"]), ["--files-from"]);
    assert!(offered(&home, &["--isa", "soft", "--ver"]).contains(&"--version".into()));
    let options = offered(&home, &["sign", "-"]);
    assert!(options.contains(&"-k".into()) && !options.contains(&"-s".into()), "{options:?}");
    assert!(!offered(&home, &[""]).contains(&"generate".into()));
}

#[test]
fn bash_completes_names_of_algorithms_and_backends() {
    let Some(home) = folder("bash_completes_names_of_algorithms_and_backends") else { return };
    assert_eq!(offered(&home, &["keygen", "--alg", "fal"]), ["falcon1024", "falcon512"]);
    assert_eq!(offered(&home, &["keygen", "--alg", "=", "mlkem7"]), ["mlkem768"]);
    assert!(offered(&home, &["keygen", "--alg", "="]).contains(&"mlkem512".into()));
    assert!(offered(&home, &["sign", "--isa", ""]).contains(&"scalar".into()));
    assert_eq!(offered(&home, &["--isa", "aut"]), ["auto"]);
    assert_eq!(offered(&home, &["--isa", "soft", "sig"]), ["sign"]);
    assert_eq!(offered(&home, &["bench", "--alg", "falcon512,mlkem10"]), ["falcon512,mlkem1024"]);
    assert!(offered(&home, &["selftest", "--isa", ""]).contains(&"all".into()));
    assert_eq!(offered(&home, &["sign", "--format", "r"]), ["raw"]);
    assert_eq!(offered(&home, &["bench", "--op", "sign-b"]), ["sign-batch"]);
}

#[test]
fn bash_completes_files_of_the_kind_that_is_wanted() {
    let Some(home) = folder("bash_completes_files_of_the_kind_that_is_wanted") else { return };
    assert_eq!(offered(&home, &["sign", "-k", ""]), ["a.key", "folder", "my own.key"]);
    assert_eq!(offered(&home, &["sign", "--key", "m"]), ["my own.key"]);
    assert_eq!(offered(&home, &["verify", "-p", ""]), ["a.pub", "b.pub", "folder"]);
    assert_eq!(offered(&home, &["verify", "text", "-s", "t"]), ["text.sig"]);
    assert_eq!(offered(&home, &["verify", "t"]), ["text", "text.sig"]);
    assert_eq!(offered(&home, &["sign", "--sig-dir", ""]), ["folder"]);
    // Where there is none of the kind, every file may be one.
    assert_eq!(offered(&home, &["sign", "-k", "ot"]), ["other"]);
    assert_eq!(offered(&home, &["keygen", "--count", ""]), Vec::<String>::new());
}

/// What nobody can test here by using it is at least read by its shell.
#[test]
fn zsh_and_fish_can_read_their_scripts() {
    for (shell, script) in [("zsh", "_pqc"), ("fish", "pqc.fish")] {
        if !has(shell) {
            cannot_run("zsh_and_fish_can_read_their_scripts", &format!("{shell} is not here"));
            continue;
        }
        let home = Home::new();
        let mut command = home.program(shell);
        command.arg("-n").arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("completions").join(script));
        let out = finish(command, b"").expect(0);
        assert!(out.all().is_empty(), "{out:?}");
    }
}

#[test]
fn zsh_and_fish_get_names_and_kinds_too() {
    let read = |name: &str| {
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("completions").join(name)).unwrap()
    };
    for (text, key) in [(read("_pqc"), "*.key"), (read("pqc.fish"), "__fish_complete_suffix .key")] {
        for word in ["falcon512", "mlkem1024", "avx512f", "rvv", "sign-batch", "--files-from", key] {
            let word = if text.contains("complete -c") { word.trim_start_matches("--") } else { word };
            assert!(text.contains(word), "{word}");
        }
        assert!(!text.contains("answered with a hint"));
    }
}
