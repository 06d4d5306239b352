//! Files of any size, read once and in pieces.
//!
//! A [`Message`] is opened, fed to a signer or verifier, and can then say whether the file changed meanwhile: a
//! signature over half of an old and half of a new version helps nobody.

use super::{is_dash, name_of};
use crate::cli::exit::{Kind, failure, unreadable};
use crate::cli::progress::Progress;
use anyhow::{Context, Result};
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The size of a piece: large enough that system calls do not matter, small enough to stay in the cache.
const PIECE_LEN: usize = 256 * 1024;

/// A file or standard input, open for one reading.
pub struct Message {
    path: PathBuf,
    file: File,
    before: Stamp,
    taken: u64,
}

/// What identifies one version of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    device: u64,
    inode: u64,
    len: u64,
    modified: (i64, i64),
    regular: bool,
}

impl Stamp {
    fn of(metadata: &Metadata) -> Stamp {
        Stamp {
            device: metadata.dev(),
            inode: metadata.ino(),
            len: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            regular: metadata.is_file(),
        }
    }
}

impl Message {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    /// Unreadable; the message begins with the file's name.
    pub fn open(path: &Path) -> Result<Message> {
        let open = || -> io::Result<(File, Metadata)> {
            let file = if is_dash(path) {
                File::from(io::stdin().as_fd().try_clone_to_owned()?)
            } else {
                File::open(path)?
            };
            let metadata = file.metadata()?;
            if metadata.is_dir() {
                return Err(rustix::io::Errno::ISDIR.into());
            }
            Ok((file, metadata))
        };
        let (file, metadata) = open().map_err(|e| unreadable(&e)).with_context(|| name_of(path))?;
        Ok(Message { path: path.to_owned(), file, before: Stamp::of(&metadata), taken: 0 })
    }

    /// The size in bytes where it is known before reading.
    pub fn known_len(&self) -> Option<u64> {
        self.before.regular.then_some(self.before.len)
    }

    /// Gives all bytes to `sink`, in pieces.
    ///
    /// # Errors
    /// Unreadable; the message begins with the file's name.
    pub fn feed(&mut self, progress: &mut Progress, mut sink: impl FnMut(&[u8])) -> Result<()> {
        // A small file does not pay for a large buffer.
        let len = self.known_len().unwrap_or(u64::MAX).saturating_add(1);
        let len = usize::try_from(len).unwrap_or(usize::MAX).clamp(4096, PIECE_LEN);
        let mut piece = vec![0; len];
        loop {
            match self.file.read(&mut piece) {
                Ok(0) => return Ok(()),
                Ok(count) => {
                    sink(piece.get(..count).unwrap_or_default());
                    self.taken = self.taken.saturating_add(count as u64);
                    progress.bytes(count as u64);
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(unreadable(&e)).with_context(|| name_of(&self.path)),
            }
        }
    }

    /// Fails if the file was written to, replaced or cut while it was read. Pipes and devices have no such notion.
    ///
    /// # Errors
    /// A system failure that says so.
    pub fn unchanged(&self) -> Result<()> {
        if !self.before.regular || is_dash(&self.path) {
            return Ok(());
        }
        let open = self.file.metadata().map(|m| Stamp::of(&m));
        let named = super::metadata(&self.path).map(|m| Stamp::of(&m));
        match (open, named) {
            (Ok(open), Ok(named))
                if open == self.before && named == self.before && self.taken == self.before.len =>
            {
                Ok(())
            }
            _ => {
                let why =
                    "the file changed while it was read; nothing was written, try again when it is at rest";
                Err(failure(Kind::System, why)).with_context(|| name_of(&self.path))
            }
        }
    }
}
