//! The only place that opens files, terminals and the environment.
//!
//! Here: the environment, small inputs (keys, signatures, ciphertexts), folders. [`message`] streams files of any size,
//! [`target`] writes files, [`terminal`] asks for passwords. `-` is standard input or output.

pub mod message;
pub mod target;
pub mod terminal;

use super::exit::{Kind, failure, unreadable, usage};
use super::report::printable;
use anyhow::{Context, Result};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata};
use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// The largest key, signature or ciphertext file that is read. The largest that is written has 10 KiB.
pub const SMALL_LIMIT: usize = 64 * 1024;

/// The command line, program name first.
pub fn arguments() -> Vec<OsString> {
    std::env::args_os().collect()
}

/// A variable of the environment; an empty one is unset.
pub fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// Whether standard output is a terminal.
pub fn stdout_is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Whether standard error is a terminal.
pub fn stderr_is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Whether a terminal on standard output wants colour: `NO_COLOR`, `CLICOLOR_FORCE`, `CLICOLOR`, `TERM`.
pub fn stdout_wants_color() -> bool {
    let is = |name, value: &str| variable(name).is_some_and(|found| found == value);
    if variable("NO_COLOR").is_some() {
        return false;
    }
    if variable("CLICOLOR_FORCE").is_some_and(|value| value != "0") {
        return true;
    }
    stdout_is_terminal() && !is("CLICOLOR", "0") && !is("TERM", "dumb")
}

/// Writes all bytes to standard output.
///
/// # Errors
/// The system's.
pub fn write_stdout(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

/// Writes a secret to standard output. Not through Rust's buffer, in which a copy would stay.
///
/// # Errors
/// The system's.
pub fn write_secret_to_stdout(bytes: &[u8]) -> io::Result<()> {
    let mut locked = io::stdout().lock();
    locked.flush()?;
    File::from(locked.as_fd().try_clone_to_owned()?).write_all(bytes)
}

/// Whether standard output is a file that group or others may read.
pub fn stdout_is_open_to_others() -> bool {
    let metadata = io::stdout().as_fd().try_clone_to_owned().and_then(|fd| File::from(fd).metadata());
    metadata.is_ok_and(|m| m.is_file() && others_can_read(&m))
}

/// Writes to standard error; if nobody listens there is nobody to tell.
pub fn write_stderr(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Whether a file argument means standard input or output.
pub fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// How a file argument is called in messages.
pub fn name_of(path: &Path) -> String {
    if is_dash(path) { "standard input".into() } else { printable(path.as_os_str()) }
}

/// Refuses a command line that reads standard input twice.
///
/// # Errors
/// A usage failure that says so.
pub fn stdin_once<'a>(inputs: impl IntoIterator<Item = &'a Path>) -> Result<()> {
    match inputs.into_iter().filter(|path| is_dash(path)).count() {
        0 | 1 => Ok(()),
        _ => Err(usage("\"-\" can be standard input only once in a command")),
    }
}

/// A small file, read whole.
pub struct Small {
    /// Its bytes; wiped when dropped, since it may be a private key.
    pub bytes: Zeroizing<Vec<u8>>,
    /// What the system says of it; `None` for standard input.
    pub metadata: Option<Metadata>,
}

/// Reads a key, signature or ciphertext file, or standard input, once and without seeking.
///
/// # Errors
/// Unreadable, or larger than any such file; the message begins with its name.
pub fn read_small(path: &Path) -> Result<Small> {
    read_small_inner(path).with_context(|| name_of(path))
}

fn read_small_inner(path: &Path) -> Result<Small> {
    if is_dash(path) {
        return Ok(Small { bytes: read_limited(io::stdin().lock())?, metadata: None });
    }
    let file = File::open(path).map_err(|e| unreadable(&e))?;
    let metadata = file.metadata().map_err(|e| unreadable(&e))?;
    Ok(Small { bytes: read_limited(file)?, metadata: Some(metadata) })
}

/// Reads a file that is no key and may be large: figures of an earlier run.
///
/// # Errors
/// Unreadable, or larger than `limit` bytes; the message begins with its name.
pub fn read_figures(path: &Path, limit: u64) -> Result<Vec<u8>> {
    let read = || -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(|e| unreadable(&e))?;
        file.take(limit + 1).read_to_end(&mut bytes).map_err(|e| unreadable(&e))?;
        if bytes.len() as u64 > limit {
            return Err(failure(Kind::Malformed, format!("has more than {} MiB", limit >> 20)));
        }
        Ok(bytes)
    };
    read().with_context(|| name_of(path))
}

/// Reads up to the limit into a buffer that never moves, so that no copy of a key is left behind.
fn read_limited(mut input: impl Read) -> Result<Zeroizing<Vec<u8>>> {
    let mut bytes = Zeroizing::new(vec![0; SMALL_LIMIT + 1]);
    let mut len = 0;
    loop {
        match input.read(bytes.get_mut(len..).unwrap_or_default()) {
            Ok(0) => break,
            Ok(count) => len += count,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(unreadable(&e)),
        }
    }
    if len > SMALL_LIMIT {
        let kib = SMALL_LIMIT / 1024;
        return Err(failure(
            Kind::Malformed,
            format!("larger than {kib} KiB, so no key, no signature and no ciphertext"),
        ));
    }
    bytes.truncate(len);
    Ok(bytes)
}

/// Opens a list of file names, or standard input.
///
/// # Errors
/// Unreadable.
pub fn open_list(path: &Path) -> Result<Box<dyn BufRead>> {
    if is_dash(path) {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path).map_err(|e| unreadable(&e))?;
    Ok(Box::new(io::BufReader::new(file)))
}

/// Adds the bytes up to and with the first `end` to `bytes`, but `limit` of them at most; gives their number.
///
/// # Errors
/// The system's.
pub fn read_until(input: &mut dyn BufRead, end: u8, limit: usize, bytes: &mut Vec<u8>) -> io::Result<usize> {
    input.take(limit as u64).read_until(end, bytes)
}

/// How much of a file is looked at to tell what it is.
pub const PEEK_LEN: usize = 1024;

/// The first bytes of a regular file, for telling what it is; empty for anything that may not be read twice.
pub fn peek(path: &Path) -> Vec<u8> {
    start_of(path, PEEK_LEN)
}

/// As [`peek`], of any length.
pub fn start_of(path: &Path, limit: usize) -> Vec<u8> {
    let mut start = Vec::new();
    if !is_dash(path)
        && fs::metadata(path).is_ok_and(|m| m.is_file())
        && let Ok(file) = File::open(path)
    {
        let _ = file.take(limit as u64).read_to_end(&mut start);
    }
    start
}

/// What the system says of a file, links followed.
///
/// # Errors
/// The system's.
pub fn metadata(path: &Path) -> io::Result<Metadata> {
    fs::metadata(path)
}

/// The names of the regular, non-hidden files of a folder, in byte order. Links are not followed.
///
/// # Errors
/// The system's.
pub fn regular_files(folder: &Path) -> io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if !hidden && entry.file_type()?.is_file() {
            names.push(entry.file_name());
        }
    }
    names.sort();
    Ok(names)
}

/// The non-hidden files of a folder whose name has this ending, in byte order. Links to files count.
///
/// # Errors
/// The system's.
pub fn files_with_ending(folder: &Path, ending: &str) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        if !name.starts_with(b".") && name.len() > ending.len() && name.ends_with(ending.as_bytes()) {
            let kind = entry.file_type()?;
            if kind.is_file() || kind.is_symlink() {
                paths.push(entry.path());
            }
        }
    }
    paths.sort();
    Ok(paths)
}

/// Whether group or others may write.
pub fn others_can_write(metadata: &Metadata) -> bool {
    metadata.mode() & 0o022 != 0
}

/// Whether group or others may read.
pub fn others_can_read(metadata: &Metadata) -> bool {
    metadata.mode() & 0o044 != 0
}

/// Makes a folder that only its owner can enter, and the folders above it.
///
/// # Errors
/// The system's.
pub fn make_private_folder(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// A path with `ending` added to its last part.
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// The last part of a path without `ending`, if it has both.
pub fn stem<'a>(path: &'a Path, ending: &str) -> Option<&'a OsStr> {
    use std::os::unix::ffi::OsStrExt;
    let name = path.file_name()?.as_bytes();
    name.strip_suffix(ending.as_bytes()).filter(|stem| !stem.is_empty()).map(OsStr::from_bytes)
}
