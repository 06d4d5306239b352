//! Asking for a password at the controlling terminal, whatever the standard streams are, and without an echo.
//!
//! Ctrl-C gives the echo back ([`interrupt`]); Ctrl-Z and Ctrl-\ do nothing meanwhile, since a shell would leave the
//! program at a terminal that echoes.

use crate::cli::interrupt;
use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, tcgetattr, tcsetattr};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use zeroize::Zeroizing;

/// The longest password in bytes.
pub const LONGEST: usize = 1024;

/// The character of a special code that is switched off.
const DISABLED: u8 = 0;

/// The terminal of the process, if it has one.
pub fn open() -> Option<File> {
    OpenOptions::new().read(true).write(true).open("/dev/tty").ok()
}

/// Shows `prompt` and reads one line, without its end. `None` where the input ends before a line does, or the line is
/// too long.
///
/// # Errors
/// The system's.
pub fn ask(mut terminal: File, prompt: &str) -> io::Result<Option<Zeroizing<Vec<u8>>>> {
    let before = tcgetattr(&terminal)?;
    let mut silent = before.clone();
    silent.local_modes.remove(LocalModes::ECHO);
    silent.local_modes.insert(LocalModes::ECHONL | LocalModes::ICANON);
    silent.special_codes[SpecialCodeIndex::VSUSP] = DISABLED;
    silent.special_codes[SpecialCodeIndex::VQUIT] = DISABLED;
    interrupt::on_terminal(terminal.try_clone()?, before);
    // What was typed before the question is no answer to it.
    let answer =
        tcsetattr(&terminal, OptionalActions::Flush, &silent).map_err(io::Error::from).and_then(|()| {
            terminal.write_all(prompt.as_bytes())?;
            terminal.flush()?;
            read_line(&mut terminal)
        });
    interrupt::restore_terminal();
    answer
}

/// Reads up to the end of a line, byte by byte, into a buffer that never moves.
fn read_line(input: &mut impl Read) -> io::Result<Option<Zeroizing<Vec<u8>>>> {
    let mut line = Zeroizing::new(Vec::with_capacity(LONGEST));
    let mut is_short = true;
    let mut byte = Zeroizing::new([0]);
    loop {
        match input.read(byte.as_mut_slice()) {
            Ok(0) => return Ok(None),
            Ok(_) if *byte == [b'\n'] => return Ok(is_short.then_some(line)),
            Ok(_) if line.len() < LONGEST => line.extend_from_slice(byte.as_slice()),
            Ok(_) => is_short = false,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_at_its_end_and_not_at_its_length() {
        let read = |text: &[u8]| read_line(&mut &text[..]).unwrap().map(|line| line.to_vec());
        assert_eq!(read(b"secret\nmore"), Some(b"secret".to_vec()));
        assert_eq!(read(b"\n"), Some(Vec::new()));
        assert_eq!(read(b"no end"), None);
        assert_eq!(read(&[&[b'x'; LONGEST][..], b"\n"].concat()), Some(vec![b'x'; LONGEST]));
        assert_eq!(read(&[&[b'x'; LONGEST + 1][..], b"\n"].concat()), None);
    }
}
