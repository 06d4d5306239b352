//! What a command prints: result lines or the one JSON object on standard output, all else on standard error.
//!
//! A closed or full standard output does not stop a command; the outcome is remembered and becomes the exit code
//! at the end. Names are any bytes and are escaped before they are printed.

use super::exit::{Kind, classify, os_message};
use super::io;
use super::progress::Progress;
use serde_json::Value;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A character that must not reach a terminal: controls, and those that reorder or hide text.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Text with the characters of [`is_unsafe`] escaped; line ends are kept where `keep_lines`.
fn escape_into(out: &mut String, text: &str, keep_lines: bool) {
    for c in text.chars() {
        match c {
            '\n' if keep_lines => out.push(c),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            _ if is_unsafe(c) && u32::from(c) < 0x80 => _ = write!(out, "\\x{:02x}", u32::from(c)),
            _ if is_unsafe(c) => _ = write!(out, "\\u{{{:x}}}", u32::from(c)),
            _ => out.push(c),
        }
    }
}

/// A file name on one line: bytes that are not UTF-8 and unsafe characters as `\xff`, `\n`, `\u{202e}`; a
/// backslash as two.
pub fn printable(name: &OsStr) -> String {
    let mut out = String::new();
    for chunk in name.as_bytes().utf8_chunks() {
        escape_into(&mut out, &chunk.valid().replace('\\', "\\\\"), false);
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out
}

/// Any text with unsafe characters escaped; line ends stay.
pub fn sanitized(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape_into(&mut out, text, true);
    out
}

/// A path that can be pasted into a shell.
pub fn shell_quoted(name: &OsStr) -> String {
    let plain = |b: &u8| b.is_ascii_alphanumeric() || b"/._-+,:@%=".contains(b);
    let bytes = name.as_bytes();
    if !bytes.is_empty() && bytes.iter().all(plain) {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.chars().any(is_unsafe) => format!("'{}'", text.replace('\'', "'\\''")),
        _ => {
            let mut out = String::from("$'");
            for byte in bytes {
                match byte {
                    b'\'' | b'\\' => _ = write!(out, "\\{}", char::from(*byte)),
                    b' '..=b'~' => out.push(char::from(*byte)),
                    _ => _ = write!(out, "\\x{byte:02x}"),
                }
            }
            out + "'"
        }
    }
}

/// A JSON object that keeps the order in which its values were put in.
///
/// Not serde_json's: its ordered map has a hash table, which takes random keys from the system and panics where
/// there are none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object(Vec<(String, Value)>);

impl Object {
    /// Without values.
    pub fn new() -> Object {
        Object::default()
    }

    /// Adds a value; the name is new.
    pub fn insert(&mut self, name: String, value: Value) {
        debug_assert!(self.0.iter().all(|(other, _)| *other != name), "{name} twice");
        self.0.push((name, value));
    }

    /// Adds all values of another.
    pub fn append(&mut self, other: &mut Object) {
        for (name, value) in other.0.drain(..) {
            self.insert(name, value);
        }
    }

    /// As JSON, before [`json_text`].
    fn text(&self) -> String {
        let pairs = self.0.iter().map(|(name, value)| format!("{}:{value}", Value::from(name.as_str())));
        format!("{{{}}}", pairs.collect::<Vec<_>>().join(","))
    }
}

/// Puts a name into a JSON object: lossy under `key`, exact under `key_hex` where it is not UTF-8.
pub fn put_name(object: &mut Object, key: &str, name: &OsStr) {
    object.insert(key.into(), name.to_string_lossy().into());
    if name.to_str().is_none() {
        let hex = name.as_bytes().iter().fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        });
        object.insert(format!("{key}_hex"), hex.into());
    }
}

/// JSON text whose strings hold no unsafe characters.
fn json_text(json: &str) -> String {
    let mut out = String::new();
    for c in json.chars() {
        // Unsafe characters stand only inside strings, where this is another spelling of them.
        if is_unsafe(c) {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// The colour of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Green.
    Good,
    /// Red.
    Bad,
    /// Yellow.
    Unsure,
}

/// How a command reports.
pub struct Report {
    command: &'static str,
    json: bool,
    quiet: bool,
    verbose: bool,
    color: bool,
    results: Vec<Object>,
    document: Option<String>,
    output: Result<(), std::io::Error>,
    /// The progress of the work.
    pub progress: Progress,
}

impl Report {
    /// A report of `command`.
    pub fn new(command: &'static str, json: bool, quiet: bool, verbose: bool, color: bool) -> Report {
        let progress = Progress::new(!quiet && io::stderr_is_terminal());
        let (results, document, output) = (Vec::new(), None, Ok(()));
        Report { command, json, quiet, verbose, color, results, document, output, progress }
    }

    /// Whether the JSON object is printed instead of lines.
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// Whether `-q` was given.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// A result line; not printed under `--json`.
    pub fn line(&mut self, text: &str) {
        if !self.json {
            self.write(format!("{}\n", sanitized(text)).as_bytes());
        }
    }

    /// Raw results: a signature, a PEM block.
    pub fn write(&mut self, bytes: &[u8]) {
        if self.output.is_ok() {
            self.output = self.progress.aside(|| io::write_stdout(bytes));
        }
    }

    /// A shared secret, of which no copy stays.
    pub fn write_secret(&mut self, bytes: &[u8]) {
        if self.output.is_ok() {
            self.output = self.progress.aside(|| io::write_secret_to_stdout(bytes));
        }
    }

    /// Whether nobody reads the results any more.
    pub fn is_closed(&self) -> bool {
        self.output.is_err()
    }

    /// One element of the JSON object's `results`.
    pub fn result(&mut self, value: Object) {
        if self.json {
            self.results.push(value);
        }
    }

    /// The whole JSON text, for a command that has more to say than `results`; an error takes its place.
    pub fn document(&mut self, text: String) {
        self.document = Some(text);
    }

    /// A verdict's word in its colour.
    pub fn paint(&self, word: &str, tone: Tone) -> String {
        let code = match tone {
            Tone::Good => 32,
            Tone::Bad => 31,
            Tone::Unsure => 33,
        };
        if self.color { format!("{ESCAPE}[{code}m{word}{ESCAPE}[0m") } else { word.to_owned() }
    }

    /// A result line that begins with a name and ends with a text, and has a painted word between them.
    pub fn verdict(&mut self, before: &str, word: &str, tone: Tone, after: &str) {
        if !self.json {
            let (before, after) = (sanitized(before), sanitized(after));
            let line = format!("{before}{}{after}\n", self.paint(word, tone));
            self.write(line.as_bytes());
        }
    }

    /// A note on standard error; not with `-q`.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            self.tell(text);
        }
    }

    /// A note for `-v`.
    pub fn detail(&self, text: &str) {
        if self.verbose {
            self.tell(text);
        }
    }

    /// A warning, which `-q` does not hide.
    pub fn warn(&self, text: &str) {
        self.tell(&format!("warning: {text}"));
    }

    /// What belongs to the results but not into them: a summary, a count. `-q` does not hide it.
    pub fn say(&self, text: &str) {
        self.tell(text);
    }

    fn tell(&self, text: &str) {
        self.progress.aside(|| io::write_stderr(&format!("{}\n", sanitized(text))));
    }

    /// Prints the error or the JSON object and gives the exit code.
    pub fn finish(mut self, outcome: anyhow::Result<u8>) -> u8 {
        self.progress.finish();
        let error = outcome.as_ref().err().map(|error| {
            // The alternate form is the whole chain: "FILE: what; cure".
            (classify(error), sanitized(&format!("{error:#}")))
        });
        let mut code = match (&outcome, &error) {
            (_, Some((kind, _))) => kind.code(),
            (Ok(code), None) => *code,
            (Err(_), None) => Kind::System.code(),
        };
        if let Some((_, message)) = &error {
            io::write_stderr(&format!("pqc: {message}\n"));
        }
        if self.json {
            let document = self.document.take().filter(|_| error.is_none());
            let object = document.unwrap_or_else(|| json_object(self.command, code, &self.results, error));
            self.write(object.as_bytes());
        }
        if let Err(error) = &self.output
            && error.kind() != std::io::ErrorKind::BrokenPipe
        {
            io::write_stderr(&format!("pqc: standard output: {}\n", os_message(error)));
            if code == 0 {
                code = Kind::System.code();
            }
        }
        code
    }
}

/// The byte that begins a terminal's colour sequence.
const ESCAPE: char = '\x1b';

/// The object of `--json`, as a line.
pub fn json_object(command: &str, code: u8, results: &[Object], error: Option<(Kind, String)>) -> String {
    let error = error.map(|(kind, message)| {
        let mut object = Object::new();
        object.insert("code".into(), code.into());
        object.insert("kind".into(), kind.name().into());
        object.insert("message".into(), message.into());
        object.text()
    });
    let error = error.unwrap_or_else(|| "null".into());
    let results = results.iter().map(Object::text).collect::<Vec<_>>().join(",");
    let command = Value::from(command);
    let object =
        format!(r#"{{"version":1,"command":{command},"exit":{code},"results":[{results}],"error":{error}}}"#);
    json_text(&object) + "\n"
}

/// A path for a message.
pub fn shown(path: &Path) -> String {
    printable(path.as_os_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn escaped(bytes: &[u8]) -> String {
        printable(OsStr::from_bytes(bytes))
    }

    #[test]
    fn names_are_printed_on_one_line_without_controls() {
        assert_eq!(escaped(b"plain name.txt"), "plain name.txt");
        assert_eq!(escaped("höher.txt".as_bytes()), "höher.txt");
        assert_eq!(escaped(b"a\nb\tc\x1b[31m\x7f"), "a\\nb\\tc\\x1b[31m\\x7f");
        assert_eq!(escaped(b"a\xff\xc2\x9bb"), "a\\xff\\u{9b}b");
        assert_eq!(escaped("a\u{202e}gpj".as_bytes()), "a\\u{202e}gpj");
        assert_eq!(escaped(b"a\\nb"), "a\\\\nb");
    }

    #[test]
    fn every_byte_is_printed_without_controls() {
        for byte in 0..=255u8 {
            let name = escaped(&[b'x', byte, b'y']);
            assert!(name.chars().all(|c| !is_unsafe(c)), "{byte}");
            let quoted = shell_quoted(OsStr::from_bytes(&[b'x', byte]));
            assert!(quoted.chars().all(|c| !is_unsafe(c)), "{byte}");
        }
    }

    #[test]
    fn shell_quoting() {
        let quoted = |name: &str| shell_quoted(OsStr::new(name));
        assert_eq!(quoted("a/b-c.key"), "a/b-c.key");
        assert_eq!(quoted("my key"), "'my key'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(shell_quoted(OsStr::from_bytes(b"a\n\xff")), "$'a\\x0a\\xff'");
    }

    #[test]
    fn json_strings_hold_no_unsafe_characters() {
        let mut object = Object::new();
        object.insert("file".into(), "a\u{9b}\u{202e}\u{7f}\n".into());
        let text = json_text(&object.text());
        assert_eq!(text, r#"{"file":"a\u009b\u202e\u007f\n"}"#);
        assert_eq!(
            serde_json::from_str::<Value>(&text).ok(),
            Some(json!({"file": "a\u{9b}\u{202e}\u{7f}\n"}))
        );
    }

    #[test]
    fn a_name_that_is_not_utf8_is_exact_in_hex() {
        let mut object = Object::new();
        put_name(&mut object, "file", OsStr::from_bytes(b"a\xff"));
        assert_eq!(object.text(), "{\"file\":\"a\u{fffd}\",\"file_hex\":\"61ff\"}");
    }
}
