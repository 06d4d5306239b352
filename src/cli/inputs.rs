//! Which files a command works on: the FILEs of the command line, then the names of `--files-from`.

use super::args;
use super::exit::{unreadable, usage};
use super::io::{self, is_dash, name_of};
use anyhow::{Context, Result};
use std::ffi::OsStr;
use std::io::BufRead;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// No system takes a longer path: what Linux calls `PATH_MAX`.
const LONGEST_NAME: usize = 4096;

/// All FILEs in their order.
///
/// # Errors
/// An unreadable list; one that holds no name, or what cannot be a name.
pub fn files(named: &[PathBuf], batch: &args::Batch) -> Result<Vec<PathBuf>> {
    let mut files = named.to_vec();
    let Some(list) = &batch.files_from else { return Ok(files) };
    let end = if batch.null { 0 } else { b'\n' };
    let before = files.len();
    io::open_list(list)
        .and_then(|mut list| read_names(&mut *list, end, &mut files))
        .with_context(|| name_of(list))?;
    if files.len() == before {
        return Err(usage("names no file")).with_context(|| name_of(list));
    }
    Ok(files)
}

/// Refuses a command line on which standard input is two of what is read: FILEs, their list, the rest.
///
/// # Errors
/// A usage failure that says so.
pub fn read_once<'a>(
    named: &'a [PathBuf],
    batch: &'a args::Batch,
    others: impl IntoIterator<Item = &'a Path>,
) -> Result<()> {
    io::stdin_once(named.iter().chain(&batch.files_from).map(PathBuf::as_path).chain(others))
}

/// Reads names that each end with the byte `end`, which the last may lack; empty ones are none.
fn read_names(list: &mut dyn BufRead, end: u8, files: &mut Vec<PathBuf>) -> Result<()> {
    let mut name = Vec::new();
    for number in 1.. {
        name.clear();
        let taken = io::read_until(list, end, LONGEST_NAME + 1, &mut name).map_err(|e| unreadable(&e))?;
        if taken == 0 {
            break;
        }
        if name.last() == Some(&end) {
            name.pop();
        }
        if name.len() > LONGEST_NAME {
            let cure = if end == 0 { "" } else { " (a list of names that end with a zero byte needs -0)" };
            return Err(usage(format!("name {number} is longer than any file name{cure}")));
        }
        if name.contains(&0) {
            return Err(usage(format!("name {number} holds a zero byte; names that end with one need -0")));
        }
        if !name.is_empty() {
            files.push(literal(Path::new(OsStr::from_bytes(&name))));
        }
    }
    Ok(())
}

/// In a list, `-` is a file of that name.
fn literal(name: &Path) -> PathBuf {
    if is_dash(name) { Path::new(".").join(name) } else { name.to_owned() }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn names(list: &[u8], end: u8) -> Result<Vec<String>> {
        let mut files = Vec::new();
        read_names(&mut &*list, end, &mut files)?;
        Ok(files.iter().map(|file| file.to_string_lossy().into_owned()).collect())
    }

    #[test]
    fn names_end_with_their_byte_and_the_last_may_lack_it() {
        assert_eq!(names(b"a\nb c\n\n d\r\ne", b'\n').unwrap(), ["a", "b c", " d\r", "e"]);
        assert_eq!(names(b"a\nb\0c\0\0", 0).unwrap(), ["a\nb", "c"]);
        assert_eq!(names(b"-\n", b'\n').unwrap(), ["./-"]);
        assert!(names(b"", b'\n').unwrap().is_empty());
    }

    #[test]
    fn what_is_no_list_is_refused_early() {
        assert!(names(b"a\0b\0", b'\n').unwrap_err().to_string().contains("-0"));
        let long = vec![b'x'; LONGEST_NAME + 1];
        assert!(names(&long, b'\n').unwrap_err().to_string().contains("longer"));
        assert_eq!(names(long.get(1..).unwrap(), b'\n').unwrap().len(), 1);
    }
}
