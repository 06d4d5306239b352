//! The man pages: what the definition says, then examples, files, environment and exit codes.

use anyhow::Result;
use clap::Command;
use clap::builder::Resettable;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, italic, roman};

/// What a page says beyond the definition of its command.
struct More {
    /// What somebody wants, and the command for it.
    examples: &'static [(&'static str, &'static str)],
    /// Files of its own, beside those of [`FILES`].
    files: &'static [(&'static str, &'static str)],
    /// Variables of [`ENVIRONMENT`] that it reads.
    environment: &'static [&'static str],
    exit: &'static [(&'static str, &'static str)],
}

const KEY_HOME: (&str, &str) = (
    "$PQC_HOME, else $XDG_DATA_HOME/pqc, else ~/.local/share/pqc",
    "The key home, a folder of mode 0700: *.key are private keys, *.pub public ones. No other file in it is read.",
);

const ENVIRONMENT: [(&str, &str); 7] = [
    ("PQC_HOME", "The key home, an absolute path."),
    ("XDG_DATA_HOME", "Where the key home is, in the folder pqc, if PQC_HOME is not set."),
    ("PQC_KEY", "The private key to sign or decapsulate with, if -k is not given."),
    ("PQC_ISA", "The backend, if --isa is not given."),
    ("NO_COLOR", "No colour on a terminal, if set to anything."),
    ("CLICOLOR", "0: no colour on a terminal."),
    ("CLICOLOR_FORCE", "Anything but 0: colour without a terminal too."),
];

/// What every command reads.
const COMMON: [&str; 4] = ["PQC_ISA", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"];

const DONE: (&str, &str) = ("0", "Done.");
const USE: (&str, &str) =
    ("2", "Wrong use, an unusable backend or key, a malformed input, a refused overwrite.");
const SYSTEM: (&str, &str) = ("3", "A missing or unreadable file, an error of the system.");
const INTERRUPTED: (&str, &str) = ("130", "Interrupted (Ctrl-C). Unfinished files are gone.");

/// For a command without an entry.
const PLAIN: More =
    More { examples: &[], files: &[], environment: &[], exit: &[DONE, USE, SYSTEM, INTERRUPTED] };

const PAGES: [(&str, More); 12] = [
    (
        "pqc",
        More {
            examples: &[
                (
                    "Check a download, its signature beside it, by the fingerprint that its maker published:",
                    "pqc verify -p sha256:FINGERPRINT release.tar.gz",
                ),
                (
                    "Make a key, sign a file, and check the signature as others will:",
                    "pqc keygen --alg falcon512\npqc sign file --with-key\npqc verify file",
                ),
                (
                    "Send a secret to the owner of a key, and take it out there:",
                    "pqc encaps -p their.pub -o message.ct --secret-out secret\npqc decaps message.ct --secret-out secret",
                ),
            ],
            files: &[
                ("NAME.key, NAME.pub", "A private key (PKCS#8 PEM, mode 0600) and a public key (SPKI PEM)."),
                ("FILE.sig", "The signature of FILE."),
            ],
            environment: &["PQC_HOME", "XDG_DATA_HOME", "PQC_KEY"],
            exit: &[
                ("0", "Done, or valid."),
                ("1", "Not valid: a signature, a ciphertext that is not for the key, a self-test."),
                USE,
                SYSTEM,
                INTERRUPTED,
            ],
        },
    ),
    (
        "keygen",
        More {
            examples: &[
                ("A key to sign with, in the key home:", "pqc keygen --alg falcon512"),
                (
                    "A key to receive secrets with, as files here, under a password:",
                    "pqc keygen --alg mlkem768 -o me --password",
                ),
                (
                    "A thousand keys, device-000001.key and so on, on all processors:",
                    "pqc keygen --alg mlkem768 --count 1000 -o device -j 0",
                ),
                (
                    "The fingerprint of a public key with other tools:",
                    "grep -v -e ----- me.pub | base64 -d | sha256sum",
                ),
            ],
            files: &[("NAME.key, NAME.pub", "The pair. An existing private key is never replaced.")],
            environment: &["PQC_HOME", "XDG_DATA_HOME"],
            exit: &[
                DONE,
                USE,
                ("3", "An error of the system, or a new pair that failed its trial. No file is left of it."),
                INTERRUPTED,
            ],
        },
    ),
    (
        "sign",
        More {
            examples: &[
                (
                    "Sign a file so that its recipients need only the fingerprint of the key:",
                    "pqc sign --with-key release.tar.gz",
                ),
                (
                    "Bind names and contents of many files with one signature:",
                    "sha256sum * > SHA256SUMS && pqc sign SHA256SUMS",
                ),
                (
                    "Sign every file of a tree on all processors:",
                    "find tree -type f ! -name '*.sig' -print0 | pqc sign -0 --files-from - -j 0",
                ),
                ("Sign what a pipe brings:", "tar c tree | pqc sign - > tree.tar.sig"),
            ],
            files: &[("FILE.sig", "The signature of FILE.")],
            environment: &["PQC_HOME", "XDG_DATA_HOME", "PQC_KEY"],
            exit: &[
                ("0", "All files are signed."),
                ("2", "Wrong use, an unusable key, a refused overwrite, a FILE that is itself a signature."),
                (
                    "3",
                    "A missing or unreadable file, one that changed while it was read, an error of the system.",
                ),
                INTERRUPTED,
            ],
        },
    ),
    (
        "verify",
        More {
            examples: &[
                (
                    "Check a file whose signature carries its key, by the published fingerprint:",
                    "pqc verify -p sha256:FINGERPRINT release.tar.gz",
                ),
                ("Check with a key from a file that you trust:", "pqc verify -p maker.pub release.tar.gz"),
                ("Check every signature of the current folder with the keys of the key home:", "pqc verify"),
                (
                    "Check a whole tree on four threads, and print only what is not OK:",
                    "find tree -name '*.sig' -print0 | pqc verify -0 --files-from - -j 4 -q",
                ),
            ],
            files: &[("FILE.sig", "The signature of FILE.")],
            environment: &["PQC_HOME", "XDG_DATA_HOME"],
            exit: &[
                ("0", "At least one file was checked, and all are OK."),
                ("1", "A file FAILED."),
                ("2", "A file was NOT CHECKED: no key is known, no signature of this program; or wrong use."),
                ("3", "A file was NOT CHECKED: it or its signature is missing or unreadable."),
                INTERRUPTED,
            ],
        },
    ),
    (
        "encaps",
        More {
            examples: &[
                (
                    "A secret for the owner of a key:",
                    "pqc encaps -p their.pub -o message.ct --secret-out secret",
                ),
                (
                    "Use it as the passphrase of a symmetric cipher:",
                    "pqc encaps -p their.pub -o message.ct --secret-out secret --encode hex\n\
                     gpg --batch --pinentry-mode loopback --passphrase-file secret --symmetric FILE",
                ),
            ],
            files: &[],
            environment: &["PQC_HOME", "XDG_DATA_HOME"],
            exit: &[DONE, USE, SYSTEM, INTERRUPTED],
        },
    ),
    (
        "decaps",
        More {
            examples: &[
                (
                    "Take the secret out with the key that the ciphertext names, from the key home:",
                    "pqc decaps message.ct --secret-out secret",
                ),
                ("With a key from a file, into a pipe:", "pqc decaps -k me.key message.ct | xxd -p"),
            ],
            files: &[],
            environment: &["PQC_HOME", "XDG_DATA_HOME", "PQC_KEY"],
            exit: &[
                DONE,
                ("1", "The ciphertext is not for the key, or is damaged. No secret is written."),
                USE,
                SYSTEM,
                INTERRUPTED,
            ],
        },
    ),
    (
        "list",
        More {
            examples: &[
                ("What there is, and what is used here:", "pqc list"),
                ("The names for a script:", "pqc list --json"),
            ],
            files: &[],
            environment: &[],
            exit: &[DONE, ("2", "Wrong use, an unusable backend."), INTERRUPTED],
        },
    ),
    (
        "inspect",
        More {
            examples: &[
                ("What a file is:", "pqc inspect message.ct"),
                ("The public key of a private one:", "pqc inspect --public me.key > me.pub"),
                ("All keys of the key home:", "pqc inspect"),
            ],
            files: &[],
            environment: &["PQC_HOME", "XDG_DATA_HOME"],
            exit: &[
                DONE,
                ("1", "A private key whose public half does not belong to it."),
                USE,
                SYSTEM,
                INTERRUPTED,
            ],
        },
    ),
    (
        "convert",
        More {
            examples: &[
                (
                    "A private key as another program reads it:",
                    "pqc convert me.key --layout both -o me-both.pem",
                ),
                ("The public key of a private one:", "pqc convert me.key --public -o me.pub"),
                (
                    "A signature file in its other spelling:",
                    "pqc convert file.sig --encoding compressed -o file.compressed.sig",
                ),
            ],
            files: &[("IN, OUT", "A key or signature; a private key is written with mode 0600.")],
            environment: &[],
            exit: &[DONE, USE, SYSTEM, INTERRUPTED],
        },
    ),
    (
        "passwd",
        More {
            examples: &[
                ("Set a password, or another one; both are asked for:", "pqc passwd me.key"),
                ("Remove it:", "pqc passwd me.key --remove"),
                ("Set one without being asked:", "pqc passwd me.key --new-password-file password.txt"),
            ],
            files: &[(
                "KEY",
                "A private key. The new file takes its place in one step, or it stays as it was.",
            )],
            environment: &[],
            exit: &[
                DONE,
                ("2", "Wrong use, a wrong password, no terminal to ask at, a malformed key."),
                SYSTEM,
                INTERRUPTED,
            ],
        },
    ),
    (
        "selftest",
        More {
            examples: &[("Test everything that this processor can run:", "pqc selftest --isa all")],
            files: &[],
            environment: &[],
            exit: &[
                ("0", "All tests passed."),
                ("1", "A test failed: do not use this build on this processor."),
                ("2", "Wrong use, an unusable backend."),
                INTERRUPTED,
            ],
        },
    ),
    (
        "bench",
        More {
            examples: &[
                ("The usual algorithms on the fastest backend:", "pqc bench"),
                ("One of them on every backend, for a program:", "pqc bench --alg mlkem768 --isa all --json"),
                ("Where the time of a signature goes:", "pqc bench --alg falcon512 --stages"),
            ],
            files: &[],
            environment: &[],
            exit: &[DONE, USE, SYSTEM, INTERRUPTED],
        },
    ),
];

/// The page of a command; `name` is "pqc-sign".
pub(super) fn page(command: Command, name: &str) -> Result<Vec<u8>> {
    let short = name.strip_prefix("pqc-").unwrap_or(name);
    let more = PAGES.iter().find(|(known, _)| *known == short).map_or(&PLAIN, |(_, more)| more);
    let source = concat!("pqc ", env!("CARGO_PKG_VERSION"));
    let mut text = Vec::new();
    // The sections below say what the help adds at its end; of a subcommand, with its own words.
    let notes = command.get_after_long_help().filter(|_| short != "pqc").map(ToString::to_string);
    let command = command.after_help(Resettable::Reset).after_long_help(Resettable::Reset);
    Man::new(command).title(name.to_uppercase()).source(source).render(&mut text)?;
    let mut roff = Roff::new();
    for block in notes.iter().flat_map(|notes| notes.split("\n\n")) {
        note(&mut roff, block);
    }
    if !more.examples.is_empty() {
        roff.control("SH", ["EXAMPLES"]);
    }
    for (wish, lines) in more.examples {
        roff.control("PP", []).text([roman(*wish)]);
        roff.control("PP", []).control("RS", ["4"]).control("nf", []);
        for line in lines.lines() {
            roff.text([bold(line)]);
        }
        roff.control("fi", []).control("RE", []);
    }
    let uses_keys = more.environment.contains(&"PQC_HOME");
    let files = more.files.iter().chain(uses_keys.then_some(&KEY_HOME));
    section(&mut roff, "FILES", files);
    let read = |(name, _): &&(&'static str, &str)| more.environment.contains(name) || COMMON.contains(name);
    section(&mut roff, "ENVIRONMENT", ENVIRONMENT.iter().filter(read));
    section(&mut roff, "EXIT STATUS", more.exit.iter());
    if matches!(short, "sign" | "verify") {
        roff.control("PP", []).text([roman("Of several files, the smallest that is not 0.")]);
    }
    if short != "pqc" {
        roff.control("SH", ["SEE ALSO"]).text([bold("pqc"), roman("(1)")]);
    }
    text.extend(roff.to_roff().into_bytes());
    Ok(text)
}

/// A paragraph of the help; one of a title and a line for each name becomes a section.
fn note(roff: &mut Roff, block: &str) {
    match block.split_once(":\n  ") {
        Some((title, lines)) => {
            roff.control("SH", [title.to_uppercase().as_str()]);
            for line in lines.split("\n  ") {
                let (name, meaning) = line.split_once(' ').unwrap_or((line, ""));
                roff.control("TP", []).text([bold(name)]).text([roman(meaning.trim_start())]);
            }
        }
        None => {
            roff.control("PP", []).text([roman(block)]);
        }
    }
}

/// A section of names and what they mean; none where there are none.
fn section<'a>(roff: &mut Roff, title: &str, items: impl Iterator<Item = &'a (&'static str, &'static str)>) {
    let mut items = items.peekable();
    if items.peek().is_some() {
        roff.control("SH", [title]);
    }
    for (name, meaning) in items {
        roff.control("TP", []).text([italic(*name)]).text([roman(*meaning)]);
    }
}
