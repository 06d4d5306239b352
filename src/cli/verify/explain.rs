//! Why a file FAILED: what was done to it, or which other file the signature belongs to.
//!
//! The signature is held, under the same key, against the file with the changes of [`super::rewrite`] undone, and then
//! against other files of its folder. Whatever is found is said and decides nothing: the verdict stays.

use super::rewrite::{Change, Rewriter};
use crate::cli::io::message::Message;
use crate::cli::io::{self, is_dash};
use crate::cli::progress::Progress;
use crate::cli::report::printable;
use crate::falcon::VerifyingKey;
use crate::isa::Isa;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Larger files are not looked at again.
const LIMIT: u64 = 64 << 20;

/// Other files of the folder that are tried, the nearest in the order of names.
const OTHERS: usize = 100;

/// The bytes of other files that are read for one file.
const OTHER_BYTES: u64 = 512 << 20;

/// A signature that does not belong to a file under a key.
pub(super) struct Puzzle<'a> {
    pub(super) key: &'a VerifyingKey,
    pub(super) isa: Isa,
    pub(super) signature: &'a [u8],
}

impl Puzzle<'_> {
    /// What the signature belongs to, for "it does belong to …"; nothing where that is not found.
    pub(super) fn solve(&self, file: &Path) -> Option<String> {
        let unseen = &mut Progress::new(false);
        // Opened anew: what cannot be read twice is no regular file.
        let message = open_regular(file)?;
        let found = self.changed(message, unseen).map(|change| format!("this file {change}"));
        found.or_else(|| {
            let other = self.other_file(file, unseen)?;
            Some(format!("{} in the same folder", printable(&other)))
        })
    }

    /// The change that makes the signature belong to the file. The file is read once, whatever is tried.
    fn changed(&self, mut message: Message, progress: &mut Progress) -> Option<Change> {
        let mut trials = Vec::new();
        for change in Change::all() {
            let verifier = self.key.verifier(self.isa, self.signature).ok()?;
            trials.push((change, Rewriter::new(change), verifier));
        }
        let mut piece_changed = Vec::new();
        let fed = message.feed(progress, |piece| {
            for (_, rewriter, verifier) in &mut trials {
                piece_changed.clear();
                rewriter.update(piece, &mut piece_changed);
                verifier.update(&piece_changed);
            }
        });
        fed.ok()?;
        trials.into_iter().find_map(|(change, rewriter, mut verifier)| {
            verifier.update(&rewriter.finish());
            verifier.finish().is_ok().then_some(change)
        })
    }

    /// The other file of the folder that the signature belongs to.
    fn other_file(&self, file: &Path, progress: &mut Progress) -> Option<OsString> {
        let folder = match file.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let own = file.file_name()?;
        let mut left = OTHER_BYTES;
        nearest(io::regular_files(folder).ok()?, own).into_iter().find(|name| {
            let Some(mut message) = open_regular(&folder.join(name)) else { return false };
            let Some(rest) = left.checked_sub(message.known_len().unwrap_or(u64::MAX)) else { return false };
            left = rest;
            let Ok(mut verifier) = self.key.verifier(self.isa, self.signature) else { return false };
            message.feed(progress, |piece| verifier.update(piece)).is_ok() && verifier.finish().is_ok()
        })
    }
}

/// Opens a regular file that is not too large.
fn open_regular(path: &Path) -> Option<Message> {
    if is_dash(path) || !io::metadata(path).is_ok_and(|found| found.is_file()) {
        return None;
    }
    Message::open(path).ok().filter(|message| message.known_len().is_some_and(|len| len < LIMIT))
}

/// Of sorted names those on both sides of one, without it and without signatures.
fn nearest(names: Vec<OsString>, own: &OsStr) -> Vec<OsString> {
    let mut others: Vec<OsString> = names;
    others.retain(|name| name != own && io::stem(Path::new(name), ".sig").is_none());
    let after = others.partition_point(|name| name.as_os_str() < own);
    let start = after.saturating_sub(OTHERS / 2).min(others.len().saturating_sub(OTHERS));
    others.into_iter().skip(start).take(OTHERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_names_are_at_most_a_hundred_on_both_sides() {
        let names = |range: std::ops::Range<usize>| -> Vec<OsString> {
            range.map(|n| format!("f{n:03}").into()).collect()
        };
        let of = |own: &str, count| nearest(names(0..count), OsStr::new(own));
        assert_eq!(of("f001", 3), ["f000", "f002"]);
        assert_eq!(of("a", 300), names(0..100));
        assert_eq!(of("z", 300), names(200..300));
        let middle = of("f150", 300);
        assert_eq!(middle.len(), OTHERS);
        assert!(middle.contains(&"f149".into()) && middle.contains(&"f151".into()));
        assert!(!middle.contains(&"f150".into()));
        assert_eq!(nearest(vec!["a".into(), "a.sig".into(), "b".into()], OsStr::new("b")), ["a"]);
    }
}
