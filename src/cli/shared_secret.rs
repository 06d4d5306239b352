//! Where a shared secret goes: a file that only its owner can read, or a pipe; never a terminal.
//!
//! What `encaps` and `decaps` have in common. The secret is 32 bytes, or one line of text with `--encode`.

use super::args::Encode;
use super::exit::usage;
use super::io;
use super::io::target::{Existing, PRIVATE, Place};
use super::report::Report;
use crate::kem::SharedSecret;
use anyhow::Result;
use base64::{Engine, engine::general_purpose::STANDARD};
use std::path::Path;
use zeroize::Zeroizing;

/// Bytes of a shared secret.
const SECRET_LEN: usize = SharedSecret::LEN;

/// Checks the place of a secret: nothing is created.
///
/// # Errors
/// A terminal; standard output that `--json` needs; as [`Place::check`].
pub fn place(path: &Path, force: bool, report: &Report) -> Result<Place> {
    let place = Place::check(path, Existing::forced(force), PRIVATE)?;
    if matches!(place, Place::Stdout) {
        if report.is_json() {
            return Err(usage(
                "--json and the secret cannot both go to standard output; use --secret-out FILE",
            ));
        }
        if io::stdout_is_terminal() {
            return Err(usage("a secret does not go to a terminal; use --secret-out FILE, or a pipe"));
        }
        if io::stdout_is_open_to_others() {
            report.warn(
                "others can read the file that the secret goes to; --secret-out FILE makes it yours alone",
            );
        }
    }
    Ok(place)
}

/// The secret as it is written: bytes, or text and a line end.
pub fn encoded(secret: &[u8; SECRET_LEN], encode: Option<Encode>) -> Zeroizing<Vec<u8>> {
    let mut text = Zeroizing::new(vec![0; 2 * SECRET_LEN + 1]);
    let len = match encode {
        None => {
            text.iter_mut().zip(secret).for_each(|(to, byte)| *to = *byte);
            SECRET_LEN
        }
        Some(Encode::Hex) => {
            for (pair, byte) in text.chunks_exact_mut(2).zip(secret) {
                pair.iter_mut().zip([byte >> 4, byte & 15]).for_each(|(to, digit)| *to = hex_digit(digit));
            }
            2 * SECRET_LEN
        }
        // 44 characters; the buffer has 65.
        Some(Encode::Base64) => STANDARD.encode_slice(secret, text.as_mut_slice()).unwrap_or(0),
    };
    text.truncate(len);
    if encode.is_some() {
        // Within the capacity: the buffer does not move.
        text.push(b'\n');
    }
    text
}

/// A digit in lower case, computed without a branch or a table.
fn hex_digit(value: u8) -> u8 {
    let is_letter = 9u8.wrapping_sub(value) >> 7;
    b'0' + value + is_letter * (b'a' - b'0' - 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings() {
        let secret: [u8; SECRET_LEN] = core::array::from_fn(|i| (i * 9) as u8);
        assert_eq!(*encoded(&secret, None), secret);
        let hex = encoded(&secret, Some(Encode::Hex));
        let expected: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(*hex, (expected + "\n").into_bytes());
        let base64 = encoded(&secret, Some(Encode::Base64));
        assert_eq!(*base64, (STANDARD.encode(secret) + "\n").into_bytes());
        for value in 0..16 {
            assert_eq!(char::from(hex_digit(value)), char::from_digit(u32::from(value), 16).unwrap_or('?'));
        }
    }
}
