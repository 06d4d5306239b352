//! Where passwords come from: a file, a variable of the environment, or the terminal.
//!
//! A private key that is under no password is never asked about. At a prompt a wrong password may be given once
//! more; a file or a variable has one try. Passwords are bytes; an empty one is refused.

use super::args;
use super::exit::{Kind, failure, system, usage};
use super::io::{self, terminal};
use super::report::{Report, printable};
use crate::error::Error;
use crate::files::encrypted::Encrypted;
use crate::files::pkcs8::PrivateKey;
use anyhow::{Context, Result};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use zeroize::Zeroizing;

/// A password; wiped when dropped.
pub type Password = Zeroizing<Vec<u8>>;

/// Where a password comes from.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// A file, or standard input for `-`.
    File(&'a Path),
    /// A variable of the environment.
    Variable(&'a OsStr),
    /// The terminal; the options that could have named a file or a variable.
    Prompt(&'static str),
}

impl<'a> Source<'a> {
    /// What the options say; without any, the terminal.
    pub fn of(options: &'a args::PasswordOptions) -> Source<'a> {
        match (&options.password_file, &options.password_env) {
            (Some(file), _) => Source::File(file),
            (None, Some(name)) => Source::Variable(name),
            (None, None) => Source::Prompt("--password-file FILE or --password-env VAR"),
        }
    }

    /// The same for the password that is to be.
    pub fn of_new(options: &'a args::NewPasswordOptions) -> Source<'a> {
        match (&options.new_password_file, &options.new_password_env) {
            (Some(file), _) => Source::File(file),
            (None, Some(name)) => Source::Variable(name),
            (None, None) => Source::Prompt("--new-password-file FILE or --new-password-env VAR"),
        }
    }

    /// Its file, to be held against the command's other inputs.
    pub fn file(self) -> Option<&'a Path> {
        match self {
            Source::File(file) => Some(file),
            _ => None,
        }
    }

    fn is_prompt(self) -> bool {
        matches!(self, Source::Prompt(_))
    }

    fn read(self, prompt: &str) -> Result<Password> {
        match self {
            Source::File(path) => of_file(path),
            Source::Variable(name) => {
                let shown = printable(name);
                let value = name.to_str().filter(|name| !name.contains(['=', '\0'])).and_then(io::variable);
                let Some(value) = value else {
                    return Err(usage(format!(
                        "{shown}: the variable with the password is not set or empty"
                    )));
                };
                checked(Zeroizing::new(value.as_bytes().to_vec())).with_context(|| shown)
            }
            Source::Prompt(options) => {
                let Some(file) = terminal::open() else {
                    return Err(failure(
                        Kind::Password,
                        format!("there is no terminal to ask for the password; use {options}"),
                    ));
                };
                let answer = terminal::ask(file, prompt).map_err(|e| system(&e)).context("the terminal")?;
                let longest = terminal::LONGEST;
                let why = format!("no password was given, or one of more than {longest} bytes");
                checked(answer.ok_or_else(|| failure(Kind::Password, why))?)
            }
        }
    }
}

/// The whole file but one line end.
fn of_file(path: &Path) -> Result<Password> {
    let mut bytes = io::read_small(path)?.bytes;
    if bytes.ends_with(b"\n") {
        bytes.pop();
        if bytes.ends_with(b"\r") {
            bytes.pop();
        }
    }
    checked(bytes).with_context(|| io::name_of(path))
}

fn checked(password: Password) -> Result<Password> {
    match password.len() {
        0 => Err(failure(Kind::Password, "an empty password protects nothing")),
        len if len > terminal::LONGEST => {
            Err(failure(Kind::Password, format!("a password has at most {} bytes", terminal::LONGEST)))
        }
        _ => Ok(password),
    }
}

/// A new password; at a prompt it is asked for twice.
///
/// # Errors
/// No terminal, an unset variable, an unreadable file, an empty password; two answers that differ.
pub fn new(source: Source<'_>, key: &Path) -> Result<Password> {
    let key = io::name_of(key);
    let password = source.read(&format!("New password for {key}: "))?;
    if source.is_prompt() {
        let again = source.read("The same again: ")?;
        let same = password.len() == again.len() && crate::ct::eq(&password, &again).into_public_bool();
        if !same {
            return Err(failure(Kind::Password, "the two passwords differ; nothing was changed"));
        }
    }
    Ok(password)
}

/// A private key that was under a password.
pub struct Unlocked {
    /// The PrivateKeyInfo as it was put in.
    pub der: Zeroizing<Vec<u8>>,
    /// The key in it.
    pub key: PrivateKey,
    /// The password.
    pub password: Password,
}

/// Takes the password off a private key. Messages do not begin with its name.
///
/// # Errors
/// A wrong password (at a prompt, twice), or none; what is wrong with the key inside.
pub fn unlock(encrypted: &Encrypted, source: Source<'_>, name: &Path) -> Result<Unlocked> {
    let mut prompt = format!("Password for {}: ", io::name_of(name));
    let mut tries = if source.is_prompt() { 2 } else { 1 };
    loop {
        let password = source.read(&prompt)?;
        tries -= 1;
        match encrypted.open(&password) {
            Ok((der, key)) => return Ok(Unlocked { der, key, password }),
            Err(Error::Password) if tries > 0 => prompt = "That was wrong. Once more: ".into(),
            Err(error) => return Err(error.into()),
        }
    }
}

/// Says that a password was given for a key that has none: who gave it thinks that the key is protected.
pub fn note_unused(source: Source<'_>, name: &Path, report: &Report) {
    if !source.is_prompt() {
        report.warn(&format!(
            "{}: is under no password; the one that was given is not used",
            io::name_of(name)
        ));
    }
}
