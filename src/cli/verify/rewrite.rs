//! What transfer and editors do to a file, undone: line ends, a last newline, a byte order mark.
//!
//! A [`Rewriter`] takes a file in pieces and gives it in pieces as it would be after a [`Change`].

use core::fmt;

/// The byte order mark of UTF-8.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// Line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lines {
    Same,
    /// Every CRLF becomes LF.
    Lf,
    /// Every LF that follows no CR becomes CRLF.
    CrLf,
}

/// The last newline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Last {
    Same,
    Added,
    Removed,
}

/// A change of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// A byte order mark at the beginning is left out.
    no_bom: bool,
    lines: Lines,
    last: Last,
}

impl Change {
    /// Every change and combination of changes, simple ones first.
    pub(super) fn all() -> impl Iterator<Item = Change> {
        let mut all = Vec::new();
        for no_bom in [false, true] {
            for lines in [Lines::Same, Lines::Lf, Lines::CrLf] {
                for last in [Last::Same, Last::Added, Last::Removed] {
                    all.push(Change { no_bom, lines, last });
                }
            }
        }
        all.sort_by_key(Change::parts);
        all.into_iter().skip(1)
    }

    /// The number of things that are changed.
    fn parts(&self) -> usize {
        usize::from(self.no_bom)
            + usize::from(self.lines != Lines::Same)
            + usize::from(self.last != Last::Same)
    }

    /// The newline that a file with such lines ends with.
    fn newline(self) -> &'static [u8] {
        if self.lines == Lines::CrLf { b"\r\n" } else { b"\n" }
    }
}

impl fmt::Display for Change {
    /// For "this file ...".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.no_bom.then_some("without its byte order mark"),
            match self.lines {
                Lines::Same => None,
                Lines::Lf => Some("with line ends LF instead of CRLF"),
                Lines::CrLf => Some("with line ends CRLF instead of LF"),
            },
            match self.last {
                Last::Same => None,
                Last::Added => Some("with a newline added at its end"),
                Last::Removed => Some("without its last newline"),
            },
        ];
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        f.write_str(&parts.join(" and "))
    }
}

/// A file on its way through a change.
pub(super) struct Rewriter {
    change: Change,
    /// What of the byte order mark was seen and is held back; `None` as soon as that is decided.
    bom: Option<usize>,
    /// Whether the last byte was CR, and is held back if it may have to go.
    after_cr: bool,
    /// The last bytes of the output, two at most, which may be the last newline.
    tail: Vec<u8>,
}

impl Rewriter {
    pub(super) fn new(change: Change) -> Rewriter {
        Rewriter { change, bom: change.no_bom.then_some(0), after_cr: false, tail: Vec::new() }
    }

    /// Takes a piece and adds to `out` what is certain by then.
    pub(super) fn update(&mut self, mut piece: &[u8], out: &mut Vec<u8>) {
        while let (Some(seen), Some((byte, rest))) = (self.bom, piece.split_first()) {
            if BOM.get(seen) == Some(byte) {
                piece = rest;
                self.bom = Some(seen + 1).filter(|seen| *seen < BOM.len());
            } else {
                self.bom = None;
                self.lines(BOM.get(..seen).unwrap_or_default(), out);
            }
        }
        self.lines(piece, out);
    }

    /// The line ends, then the last newline.
    fn lines(&mut self, piece: &[u8], out: &mut Vec<u8>) {
        let begin = out.len();
        out.append(&mut self.tail);
        match self.change.lines {
            Lines::Same => out.extend_from_slice(piece),
            Lines::Lf => {
                for byte in piece {
                    if self.after_cr && *byte != b'\n' {
                        out.push(b'\r');
                    }
                    self.after_cr = *byte == b'\r';
                    if !self.after_cr {
                        out.push(*byte);
                    }
                }
            }
            Lines::CrLf => {
                for byte in piece {
                    if *byte == b'\n' && !self.after_cr {
                        out.push(b'\r');
                    }
                    self.after_cr = *byte == b'\r';
                    out.push(*byte);
                }
            }
        }
        let kept = out.len().saturating_sub(2).max(begin);
        self.tail = out.split_off(kept);
    }

    /// What was held back.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let mut out = Vec::new();
        if let Some(seen) = self.bom.filter(|seen| *seen < BOM.len()) {
            self.lines(BOM.get(..seen).unwrap_or_default(), &mut out);
        }
        out.append(&mut self.tail);
        if self.change.lines == Lines::Lf && self.after_cr {
            out.push(b'\r');
        }
        match self.change.last {
            Last::Same => {}
            Last::Added => out.extend_from_slice(self.change.newline()),
            Last::Removed => {
                let rest = out.strip_suffix(b"\r\n").or_else(|| out.strip_suffix(b"\n"));
                let len = rest.map_or(out.len(), <[u8]>::len);
                out.truncate(len);
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(no_bom: bool, lines: Lines, last: Last, file: &[u8]) -> Vec<u8> {
        let change = Change { no_bom, lines, last };
        let mut results = [1, 2, 3, usize::MAX].map(|len| {
            let mut rewriter = Rewriter::new(change);
            let mut out = Vec::new();
            file.chunks(len).for_each(|piece| rewriter.update(piece, &mut out));
            out.extend(rewriter.finish());
            out
        });
        assert!(results.iter().all(|result| *result == results[0]), "pieces matter: {change:?} {file:?}");
        std::mem::take(&mut results[0])
    }

    #[test]
    fn line_ends_are_exchanged() {
        let lines = |lines, file: &[u8]| changed(false, lines, Last::Same, file);
        assert_eq!(lines(Lines::Lf, b"a\r\nb\r\n\r\nc"), b"a\nb\n\nc");
        assert_eq!(lines(Lines::Lf, b"a\rb\r\r\n\r"), b"a\rb\r\n\r");
        assert_eq!(lines(Lines::CrLf, b"a\nb\n\nc\n"), b"a\r\nb\r\n\r\nc\r\n");
        assert_eq!(lines(Lines::CrLf, b"a\r\nb\n\r"), b"a\r\nb\r\n\r");
        for file in [&b""[..], b"\n", b"\r", b"x", b"\r\n\r"] {
            assert_eq!(lines(Lines::Same, file), file);
        }
    }

    #[test]
    fn a_last_newline_comes_and_goes() {
        let last = |last, file: &[u8]| changed(false, Lines::Same, last, file);
        assert_eq!(last(Last::Added, b"a"), b"a\n");
        assert_eq!(last(Last::Removed, b"a\n"), b"a");
        assert_eq!(last(Last::Removed, b"a\r\n"), b"a");
        assert_eq!(last(Last::Removed, b"a\n\n"), b"a\n");
        assert_eq!(last(Last::Removed, b"a"), b"a");
        assert_eq!(last(Last::Removed, b"\n"), b"");
        assert_eq!(changed(false, Lines::CrLf, Last::Added, b"a\nb"), b"a\r\nb\r\n");
        assert_eq!(changed(false, Lines::CrLf, Last::Removed, b"a\nb\n"), b"a\r\nb");
    }

    #[test]
    fn only_a_whole_byte_order_mark_at_the_beginning_goes() {
        let bom = |file: &[u8]| changed(true, Lines::Same, Last::Same, file);
        assert_eq!(bom(b"\xef\xbb\xbfa\n"), b"a\n");
        assert_eq!(bom(b"\xef\xbb\xbf"), b"");
        assert_eq!(bom(b"\xef\xbb\xbf\xef\xbb\xbf"), b"\xef\xbb\xbf");
        for file in [&b"\xef\xbb"[..], b"\xef\xbba", b"a\xef\xbb\xbf", b""] {
            assert_eq!(bom(file), file);
        }
        assert_eq!(changed(true, Lines::Lf, Last::Removed, b"\xef\xbb\xbfa\r\nb\r\n"), b"a\nb");
    }

    #[test]
    fn simple_changes_come_first_and_the_file_itself_is_none() {
        let all: Vec<Change> = Change::all().collect();
        assert_eq!(all.len(), 17);
        assert!(all.iter().take(5).all(|change| change.parts() == 1));
        assert!(all.iter().all(|change| !change.to_string().is_empty()));
    }
}
