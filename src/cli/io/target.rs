//! Files that are written: beside the target, synced, then renamed.
//!
//! [`Target::check`] refuses before any work is done; [`Target::prepare`] writes the bytes under a hidden name in
//! the same folder; [`commit`] gives all prepared files of a command their names. A private key is created with
//! mode 0600 and never takes the place of anything but, by `passwd`, of itself.

use super::{is_dash, name_of};
use crate::cli::exit::{Kind, failure, os_message, system, unreadable, usage};
use crate::cli::interrupt::{self, Unfinished};
use crate::cli::report::{printable, shell_quoted};
use crate::files::encrypted::Encrypted;
use crate::files::pkcs8::PrivateKey;
use crate::files::{Found, pem, recognise};
use anyhow::{Context, Result};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use tempfile::TempPath;
use zeroize::Zeroizing;

/// What may happen to a file that has the target's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Nothing is ever replaced, `--force` or not: the target is a private key.
    Never,
    /// Refused.
    Keep,
    /// Replaced (`--force`).
    Replace,
    /// There is a private key, and it is replaced: by `passwd`, which has read the new file back.
    Renew,
}

impl Existing {
    /// What `--force` says.
    pub fn forced(force: bool) -> Existing {
        if force { Existing::Replace } else { Existing::Keep }
    }
}

/// Device and inode of a folder, and a name in it.
pub type Location = (u64, u64, OsString);

/// The inputs of a command, told apart by device and inode. They are looked at when the first is asked for, since
/// an output that does not exist is none of them.
pub struct Inputs<'a> {
    paths: Vec<&'a Path>,
    known: OnceCell<BTreeMap<(u64, u64), &'a Path>>,
}

impl<'a> Inputs<'a> {
    /// The inputs at these paths.
    pub fn new(paths: impl IntoIterator<Item = &'a Path>) -> Inputs<'a> {
        Inputs { paths: paths.into_iter().collect(), known: OnceCell::new() }
    }

    fn known(&self) -> &BTreeMap<(u64, u64), &'a Path> {
        self.known.get_or_init(|| {
            let number = |path| fs::metadata(path).ok().map(|m| ((m.dev(), m.ino()), path));
            self.paths.iter().copied().filter_map(number).collect()
        })
    }
}

/// A place for a file, checked.
#[derive(Clone, Debug)]
pub struct Target {
    path: PathBuf,
    folder: PathBuf,
    place: Location,
    existing: Existing,
    mode: u32,
}

/// The mode of a private key, from its first moment and under any umask.
pub const PRIVATE: u32 = 0o600;
/// The mode of a public key: a umask of 002 must not make it one that others could have changed.
pub const PUBLIC: u32 = 0o644;
/// The mode of any other file, before the umask.
pub const PLAIN: u32 = 0o666;

impl Target {
    /// Checks that a file can be written here. Nothing is created.
    ///
    /// # Errors
    /// The target is a symbolic link, is no regular file, or exists and may not be replaced; its folder is missing
    /// or not writable. The message begins with the target's name.
    pub fn check(path: &Path, existing: Existing, mode: u32) -> Result<Target> {
        Target::check_inner(path, existing, mode).with_context(|| printable(path.as_os_str()))
    }

    fn check_inner(path: &Path, existing: Existing, mode: u32) -> Result<Target> {
        let ends_as_folder = path.as_os_str().as_encoded_bytes().ends_with(b"/");
        let (Some(name), false) = (path.file_name(), ends_as_folder) else {
            return Err(usage("is no name for a file"));
        };
        let folder = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        match fs::symlink_metadata(path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound && existing != Existing::Renew => {}
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Err(unreadable(&e)),
            Err(e) => return Err(system(&e)),
            Ok(found) if found.is_symlink() => {
                return Err(failure(Kind::Exists, "is a symbolic link; name the file that it points to"));
            }
            Ok(found) if found.is_dir() => return Err(failure(Kind::Exists, "is a folder")),
            Ok(found) if !found.is_file() => {
                return Err(failure(Kind::Exists, "is no regular file; use - and a redirection"));
            }
            Ok(_) if existing == Existing::Replace && !is_private_key(path) => {}
            Ok(_) if existing == Existing::Renew => {}
            Ok(_) => return Err(failure(Kind::Exists, refusal(path, existing))),
        }
        let of_folder = fs::metadata(folder)
            .map_err(|e| system(&e))
            .with_context(|| format!("the folder {}", printable(folder.as_os_str())))?;
        if !of_folder.is_dir() {
            return Err(failure(Kind::System, format!("{} is no folder", printable(folder.as_os_str()))));
        }
        use rustix::fs::Access;
        rustix::fs::access(folder, Access::WRITE_OK | Access::EXEC_OK)
            .map_err(|e| system(&e.into()))
            .with_context(|| format!("cannot write in the folder {}", printable(folder.as_os_str())))?;
        let place = (of_folder.dev(), of_folder.ino(), name.to_owned());
        Ok(Target { path: path.to_owned(), folder: folder.to_owned(), place, existing, mode })
    }

    /// Where the file will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether two targets are one place, however they are spelled.
    pub fn is_same_place(&self, other: &Target) -> bool {
        self.place == other.place
    }

    /// What is equal for two spellings of one place.
    pub fn into_place(self) -> Location {
        self.place
    }

    /// Refuses a target that is one of the command's inputs, under this or another name.
    ///
    /// # Errors
    /// A usage failure that says so.
    pub fn is_not<'a>(&self, inputs: impl IntoIterator<Item = &'a Path>) -> Result<()> {
        self.is_none_of(&Inputs::new(inputs))
    }

    /// As [`Target::is_not`], for many targets of one command.
    ///
    /// # Errors
    /// A usage failure that says so.
    pub fn is_none_of(&self, inputs: &Inputs<'_>) -> Result<()> {
        let Ok(target) = fs::metadata(&self.path) else { return Ok(()) };
        match inputs.known().get(&(target.dev(), target.ino())) {
            None => Ok(()),
            Some(input) => {
                let (target, input) = (printable(self.path.as_os_str()), name_of(input));
                Err(usage(format!("{target}: is the input {input} itself")))
            }
        }
    }

    /// Writes the bytes beside the target and syncs them.
    ///
    /// # Errors
    /// The system's; nothing is left behind.
    pub fn prepare(&self, bytes: &[u8]) -> Result<Prepared> {
        self.prepare_inner(bytes).map_err(|e| system(&e)).with_context(|| printable(self.path.as_os_str()))
    }

    fn prepare_inner(&self, bytes: &[u8]) -> io::Result<Prepared> {
        let (mut file, path) = {
            let mut unfinished = interrupt::unfinished();
            let file = tempfile::Builder::new()
                .prefix(".pqc-")
                .suffix(".tmp")
                .permissions(Permissions::from_mode(self.mode))
                .tempfile_in(&self.folder)?;
            unfinished.add(file.path());
            file.into_parts()
        };
        // From here on, dropping it deletes the file.
        let prepared = Prepared { target: self.clone(), path: Some(path) };
        if self.existing == Existing::Renew {
            keep_owner(&self.path, &file)?;
        }
        file.write_all(bytes)?;
        file.sync_all()?;
        Ok(prepared)
    }
}

/// Where an output goes.
#[derive(Clone, Debug)]
pub enum Place {
    /// Standard output.
    Stdout,
    /// A file.
    File(Target),
}

impl Place {
    /// The place that an option names: `-` is standard output, all else is [`Target::check`]ed.
    ///
    /// # Errors
    /// As [`Target::check`].
    pub fn check(path: &Path, existing: Existing, mode: u32) -> Result<Place> {
        if is_dash(path) { Ok(Place::Stdout) } else { Ok(Place::File(Target::check(path, existing, mode)?)) }
    }

    /// The file, if it is one.
    pub fn file(&self) -> Option<&Target> {
        match self {
            Place::Stdout => None,
            Place::File(target) => Some(target),
        }
    }
}

/// Gives a new file the owner of the file that it will replace, where root renews the key of somebody else.
fn keep_owner(old: &Path, new: &File) -> io::Result<()> {
    let (old, now) = (fs::metadata(old)?, new.metadata()?);
    if (old.uid(), old.gid()) != (now.uid(), now.gid()) {
        std::os::unix::fs::fchown(new, Some(old.uid()), Some(old.gid()))?;
    }
    Ok(())
}

/// Whether a file holds a private key, of this program or another, in PEM, or in DER one that is read here.
fn is_private_key(path: &Path) -> bool {
    let bytes = Zeroizing::new(super::start_of(path, super::SMALL_LIMIT));
    if PrivateKey::from_der(&bytes).is_ok() || Encrypted::from_der(&bytes).is_ok() {
        return true;
    }
    bytes
        .split(|byte| matches!(byte, b'\n' | b'\r'))
        .any(|line| line.starts_with(b"-----BEGIN ") && line.trim_ascii_end().ends_with(b"PRIVATE KEY-----"))
}

/// Why a file is not replaced, and what to do.
fn refusal(path: &Path, existing: Existing) -> String {
    if existing == Existing::Never || is_private_key(path) {
        let old = super::with_ending(path, ".old");
        let (from, to) = (shell_quoted(path.as_os_str()), shell_quoted(old.as_os_str()));
        return format!("exists, and a private key is never replaced; move it away first: mv {from} {to}");
    }
    let kind = match recognise(&super::peek(path)) {
        Found::Pem(label) if [pem::SIGNATURE, pem::CIPHERTEXT].contains(&label.as_str()) => String::new(),
        found => format!(" and is {found}"),
    };
    format!("exists{kind}; --force replaces it")
}

/// A file that is written, closed, and has not its name yet. Dropping it deletes it.
pub struct Prepared {
    target: Target,
    path: Option<TempPath>,
}

impl Prepared {
    /// The bytes as the system gives them back.
    ///
    /// # Errors
    /// The system's.
    pub fn read_back(&self) -> Result<Zeroizing<Vec<u8>>> {
        let mut bytes = Zeroizing::new(Vec::with_capacity(super::SMALL_LIMIT));
        if let Some(path) = &self.path {
            File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)).map_err(|e| system(&e))?;
        }
        Ok(bytes)
    }

    /// Gives this file alone its name. Its folder is still to be synced.
    ///
    /// # Errors
    /// As [`commit`].
    pub fn commit(mut self, folders: &mut Folders) -> Result<()> {
        self.name(&mut interrupt::unfinished())?;
        folders.add(&self.target);
        Ok(())
    }

    /// Gives the file its name, once.
    fn name(&mut self, unfinished: &mut Unfinished) -> Result<()> {
        let Some(path) = self.path.take() else { return Ok(()) };
        unfinished.remove(&path);
        let target = &self.target;
        let outcome = match target.existing {
            Existing::Replace | Existing::Renew => path.persist(&target.path),
            Existing::Keep | Existing::Never => path.persist_noclobber(&target.path),
        };
        outcome
            .map_err(|e| match e.error.kind() {
                io::ErrorKind::AlreadyExists => failure(Kind::Exists, refusal(&target.path, target.existing)),
                _ => failure(Kind::System, os_message(&e.error)),
            })
            .with_context(|| printable(target.path.as_os_str()))
    }
}

impl Drop for Prepared {
    fn drop(&mut self) {
        if let Some(path) = self.path.take() {
            interrupt::unfinished().remove(&path);
        }
    }
}

/// Gives the files their names, all under one lock, so that a signal finds either none or all of them, and syncs
/// the folders. Where one fails, the new files that this call made are taken away again.
///
/// # Errors
/// The system's; a name that was taken meanwhile is refused as in [`Target::check`].
pub fn commit(files: Vec<Prepared>) -> Result<()> {
    let mut made: Vec<PathBuf> = Vec::new();
    let mut folders = Folders::default();
    // Declared before the lock, and so dropped after it: dropping a prepared file takes the lock.
    let mut files = files.into_iter();
    let mut unfinished = interrupt::unfinished();
    for mut prepared in files.by_ref() {
        if let Err(failed) = prepared.name(&mut unfinished) {
            for path in &made {
                let _ = fs::remove_file(path);
            }
            return Err(failed);
        }
        if matches!(prepared.target.existing, Existing::Keep | Existing::Never) {
            made.push(prepared.target.path.clone());
        }
        folders.add(&prepared.target);
    }
    drop(unfinished);
    folders.sync();
    Ok(())
}

/// The folders in which files got their names, to be synced.
#[derive(Default)]
pub struct Folders(Vec<PathBuf>);

impl Folders {
    fn add(&mut self, target: &Target) {
        if !self.0.contains(&target.folder) {
            self.0.push(target.folder.clone());
        }
    }

    /// Syncs them.
    pub fn sync(self) {
        for folder in self.0 {
            // Some file systems cannot sync a folder; the names are given either way.
            if let Ok(open) = File::open(&folder) {
                let _ = open.sync_all();
            }
        }
    }
}
