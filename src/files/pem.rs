//! PEM blocks (RFC 7468), read strictly.
//!
//! A file holds one block: its lines are 64 characters long but the last, its base64 is canonical, its two labels
//! agree. Text before and after, CRLF, and a missing last newline are accepted. The crate `pem` writes public
//! files; private ones are written here, since every buffer that holds them must be wiped. Next: [`super::pkcs8`].

use crate::error::Error;
use base64::{Engine, engine::general_purpose::STANDARD};
use zeroize::Zeroizing;

/// Label of a PKCS#8 private key.
pub const PRIVATE_KEY: &str = "PRIVATE KEY";
/// Label of a PKCS#8 private key under a password.
pub const ENCRYPTED_PRIVATE_KEY: &str = "ENCRYPTED PRIVATE KEY";
/// Label of an SPKI public key.
pub const PUBLIC_KEY: &str = "PUBLIC KEY";
/// Label of a signature container.
pub const SIGNATURE: &str = "PQC SIGNATURE";
/// Label of a ciphertext container.
pub const CIPHERTEXT: &str = "PQC CIPHERTEXT";

/// Characters of a full line (RFC 7468, section 2).
const LINE_LEN: usize = 64;

/// Writes a block of public data.
pub fn encode(label: &str, der: &[u8]) -> String {
    pem::encode_config(
        &pem::Pem::new(label, der),
        pem::EncodeConfig::new().set_line_ending(pem::LineEnding::LF),
    )
}

/// Writes a block of secret data: the same text as [`encode`], and no copy is left in memory.
pub fn encode_secret(label: &str, der: &[u8]) -> Zeroizing<String> {
    let mut text = Zeroizing::new(String::with_capacity(
        der.len().div_ceil(48) * (LINE_LEN + 1) + 2 * 32 + label.len() * 2,
    ));
    text.push_str("-----BEGIN ");
    text.push_str(label);
    text.push_str("-----\n");
    for line in der.chunks(LINE_LEN / 4 * 3) {
        let mut chars = Zeroizing::new([0u8; LINE_LEN]);
        // A line of 48 bytes gives exactly 64 characters; nothing longer is ever asked for.
        let len = STANDARD.encode_slice(line, chars.as_mut_slice()).unwrap_or(0);
        text.extend(chars.iter().take(len).map(|c| char::from(*c)));
        text.push('\n');
    }
    text.push_str("-----END ");
    text.push_str(label);
    text.push_str("-----\n");
    text
}

/// The lines of a file, without their ends (LF or CRLF).
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|b| *b == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

/// The label of a line `-----BEGIN label-----` (or END); `None` where the line is not of that form.
fn label_of<'a>(line: &'a [u8], word: &str) -> Option<&'a str> {
    let rest = line.strip_prefix(b"-----")?.strip_prefix(word.as_bytes())?.strip_prefix(b" ")?;
    let label = rest.strip_suffix(b"-----")?;
    let good = !label.is_empty()
        && label.iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b" #".contains(b));
    if good { std::str::from_utf8(label).ok() } else { None }
}

/// The label of the first BEGIN line.
pub fn first_label(bytes: &[u8]) -> Option<String> {
    lines(bytes).find_map(|line| label_of(line, "BEGIN")).map(str::to_owned)
}

/// Whether a file has a line that begins a block, damaged or not.
pub fn has_block(bytes: &[u8]) -> bool {
    lines(bytes).any(|line| line.starts_with(b"-----BEGIN"))
}

/// The file with another block in place of its one block; the text around it stays.
pub fn with_block(file: &[u8], block: &str) -> Zeroizing<Vec<u8>> {
    let mut out = Zeroizing::new(Vec::with_capacity(file.len() + block.len()));
    let mut inside = false;
    for line in file.split_inclusive(|b| *b == b'\n') {
        inside |= line.starts_with(b"-----BEGIN");
        if !inside {
            out.extend_from_slice(line);
        }
        if line.starts_with(b"-----END") {
            inside = false;
            out.extend_from_slice(block.as_bytes());
        }
    }
    out
}

/// Reads the one block of a file, which must have the label `label`; `what` names it in errors.
///
/// # Errors
/// [`Error::Format`], which says what the file is or which rule it breaks.
pub fn decode(bytes: &[u8], label: &str, what: &'static str) -> Result<Zeroizing<Vec<u8>>, Error> {
    let fail = |why: String| Err(Error::Format { what, why });
    if bytes.starts_with(b"\xef\xbb\xbf-----BEGIN") {
        return fail("a byte order mark stands before the block; save the file without it".into());
    }
    // The longest body that the file can hold, so that the buffer never moves and leaves no copy behind.
    let mut body = Zeroizing::new(Vec::with_capacity(bytes.len()));
    let mut inside = false;
    let mut finished = false;
    let mut short_line = false;
    for line in lines(bytes) {
        if line.starts_with(b"-----BEGIN") {
            match label_of(line, "BEGIN") {
                _ if inside || finished => return fail("more than one PEM block; one is expected".into()),
                Some(found) if found == label => inside = true,
                Some(_) => {
                    return fail(format!(
                        "found {}; expected a PEM block \"{label}\"",
                        super::recognise(bytes)
                    ));
                }
                None => return fail("the BEGIN line is damaged".into()),
            }
        } else if line.starts_with(b"-----END") {
            match label_of(line, "END") {
                _ if !inside => return fail("an END line without its BEGIN line".into()),
                Some(found) if found == label => {
                    inside = false;
                    finished = true;
                }
                _ => return fail("the END line does not match the BEGIN line".into()),
            }
        } else if inside {
            if short_line || line.is_empty() || line.len() > LINE_LEN {
                if !lines(bytes).any(|line| line.starts_with(b"-----END")) {
                    return fail("the END line is missing".into());
                }
                return fail(format!("the lines of the block are not {LINE_LEN} characters long"));
            }
            short_line = line.len() < LINE_LEN;
            body.extend_from_slice(line);
        }
    }
    if inside {
        return fail("the END line is missing".into());
    }
    if !finished {
        return match super::recognise(bytes) {
            super::Found::Text => fail(format!("no PEM block \"{label}\" in it")),
            found => fail(format!("found {found}; expected a PEM block \"{label}\"")),
        };
    }
    let mut der = Zeroizing::new(vec![0u8; body.len() / 4 * 3 + 3]);
    match STANDARD.decode_slice(body.as_slice(), der.as_mut_slice()) {
        Ok(0) => fail("the block is empty".into()),
        Ok(len) => {
            der.truncate(len);
            Ok(der)
        }
        // The crate's own message shows a character of what may be a private key.
        Err(_) => fail("the base64 is damaged or not canonical".into()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_exchanged_and_the_text_around_it_stays() {
        let (old, new) = (encode(PRIVATE_KEY, &[1; 100]), encode(ENCRYPTED_PRIVATE_KEY, &[2; 200]));
        for (before, after) in [("", ""), ("a key\n\n", "\nthe end"), (" -----BEGIN y\r\n", " -----END z")] {
            let file = with_block(format!("{before}{old}{after}").as_bytes(), &new);
            assert_eq!(*file, format!("{before}{new}{after}").into_bytes());
        }
        assert_eq!(*with_block(old.trim_end().as_bytes(), &new), new.as_bytes());
    }

    fn read(text: impl AsRef<[u8]>) -> Result<Vec<u8>, String> {
        decode(text.as_ref(), "PUBLIC KEY", "test").map(|der| der.to_vec()).map_err(|e| e.to_string())
    }

    fn sample() -> (Vec<u8>, String) {
        let der: Vec<u8> = (0..100u8).collect();
        let text = encode("PUBLIC KEY", &der);
        (der, text)
    }

    #[test]
    fn secret_and_public_blocks_are_written_alike() {
        for len in [0, 1, 2, 3, 47, 48, 49, 96, 2202] {
            let der: Vec<u8> = (0..len).map(|i| i as u8).collect();
            let secret = encode_secret("PRIVATE KEY", &der);
            assert_eq!(*secret, encode("PRIVATE KEY", &der));
            if len > 0 {
                assert_eq!(pem::parse(secret.as_str()).unwrap().contents(), der);
                assert_eq!(*decode(secret.as_bytes(), "PRIVATE KEY", "test").unwrap(), der);
            }
        }
    }

    #[test]
    fn a_secret_block_is_written_without_moving_its_buffer() {
        let text = encode_secret("PRIVATE KEY", &[7; 4122]);
        assert!(text.len() <= 4122usize.div_ceil(48) * 65 + 64 + 22);
    }

    #[test]
    fn text_around_crlf_and_a_missing_newline_are_accepted() {
        let (der, text) = sample();
        for good in [
            text.clone(),
            text.replace('\n', "\r\n"),
            text.trim_end().to_owned(),
            format!("a note\n\n{text}\nanother note without a newline"),
        ] {
            assert_eq!(read(&good), Ok(der.clone()));
        }
        assert_eq!(read([b"\xff\x00\n", text.as_bytes()].concat()), Ok(der));
    }

    #[test]
    fn every_changed_deleted_or_doubled_byte_of_the_block_is_refused_or_gives_other_bytes() {
        let (der, text) = sample();
        for at in 0..text.len() - 1 {
            let mut deleted = text.clone().into_bytes();
            deleted.remove(at);
            assert!(read(&deleted).is_err(), "deleted {at}");
            let mut doubled = text.clone().into_bytes();
            doubled.insert(at, doubled[at]);
            // A line of any length may stand before the block, but not in front of its BEGIN.
            assert!(read(&doubled).is_err(), "doubled {at}");
            for bit in 0..8 {
                let mut changed = text.clone().into_bytes();
                changed[at] ^= 1 << bit;
                assert_ne!(read(&changed), Ok(der.clone()), "changed {at} bit {bit}");
            }
        }
    }

    #[test]
    fn what_is_not_one_strict_block_is_refused_by_name() {
        let (_, text) = sample();
        let body_line = text.lines().nth(1).unwrap();
        for (wrong, word) in [
            (text.repeat(2), "more than one"),
            (text.replace("PUBLIC KEY", "PRIVATE KEY"), "a private key"),
            (text.replace("END PUBLIC", "END PRIVATE"), "END line"),
            (text.replace('\n', "\r"), "BEGIN line is damaged"),
            (format!("\u{feff}{text}"), "byte order mark"),
            (
                text.replace(body_line, &format!("{}\n{}", &body_line[..32], &body_line[32..])),
                "64 characters",
            ),
            (text.replace(body_line, &format!("Proc-Type: 4,ENCRYPTED\n\n{body_line}")), "64 characters"),
            (text.replace(body_line, &format!("{body_line} ")), "64 characters"),
            (text.replace("==", ""), "base64"),
            (text.replace("-----END PUBLIC KEY-----\n", ""), "END line is missing"),
            ("-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n".into(), "empty"),
            ("-----END PUBLIC KEY-----\n".into(), "without its BEGIN"),
            (String::new(), "an empty file"),
            ("hello".into(), "no PEM block"),
        ] {
            let error = read(&wrong).unwrap_err();
            assert!(error.contains(word), "{word}: {error}");
        }
    }

    #[test]
    fn padding_bits_must_be_zero() {
        let text = encode("PUBLIC KEY", &[0xff]);
        assert!(text.contains("/w=="));
        assert!(read(text.replace("/w==", "/x==")).is_err());
    }
}
