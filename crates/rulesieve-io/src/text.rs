//! Text: encoding, lines, cells, and safe output.

use rulesieve::Remedy;
use rulesieve::data::table::is_missing;

use crate::{
    encoding::is_utf16,
    error::ReadError,
    options::{Format, ReadOptions},
    source::Input,
};

const SHOWN_CHARACTERS: usize = 60;

/// A text made safe to print: control and direction characters are escaped, long texts truncated.
pub fn shown(text: &str) -> String {
    let mut end = text.char_indices().map(|(at, _)| at);
    match end.nth(SHOWN_CHARACTERS) {
        Some(at) => escaped(&text[..at]) + "...",
        None => escaped(text),
    }
}

/// A text with control and direction characters escaped.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        let is_direction =
            matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if character.is_control() || is_direction {
            out.extend(character.escape_default());
        } else {
            out.push(character);
        }
    }
    out
}

/// A position in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Position {
    /// Line, from 1.
    pub(crate) line: usize,
    /// Byte, from 0.
    pub(crate) offset: usize,
}

impl Position {
    pub(crate) const START: Self = Self { line: 1, offset: 0 };
}

/// Decodes a part of the input as UTF-8.
pub(crate) fn decode_part<'a>(input: &Input, bytes: &'a [u8], position: Position) -> Result<&'a str, ReadError> {
    refuse_nul(input, bytes, position)?;
    std::str::from_utf8(bytes).map_err(|error| {
        let offset = error.valid_up_to();
        let byte = bytes.get(offset).copied().unwrap_or_default();
        ReadError::Encoding {
            file: input.name.clone(),
            line: position.line - 1 + line_at(bytes, offset),
            offset: position.offset + offset,
            found: format!("0x{byte:02x} is not valid UTF-8"),
        }
    })
}

/// Rejects bytes that cannot be text, naming the recognised file type.
pub(crate) fn refuse_binary(input: &Input, bytes: &[u8], options: &ReadOptions) -> Result<(), ReadError> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") || is_utf16(options) {
        return Ok(());
    }
    match signature(bytes) {
        Some((found, remedy)) => Err(binary(input, Position::START, found, remedy)),
        None => refuse_nul(input, bytes, Position::START),
    }
}

fn refuse_nul(input: &Input, bytes: &[u8], position: Position) -> Result<(), ReadError> {
    let Some(at) = memchr::memchr(0, bytes) else { return Ok(()) };
    let position = Position { line: position.line - 1 + line_at(bytes, at), offset: position.offset + at };
    let remedy = match utf16_of(bytes) {
        Some(encoding) => Remedy::UseEncoding { encoding },
        None => Remedy::NameFormat { known: Format::list() },
    };
    Err(binary(input, position, "a NUL byte", remedy))
}

/// The kind of UTF-16 without a byte order mark, in which every other byte of a text in Latin letters is NUL.
fn utf16_of(bytes: &[u8]) -> Option<&'static str> {
    let head = &bytes[..bytes.len().min(64) / 2 * 2];
    let nul = |odd: usize| head.iter().skip(odd).step_by(2).filter(|byte| **byte == 0).count() * 10;
    let (most, few) = (head.len() / 2 * 8, head.len() / 2);
    match (nul(0), nul(1)) {
        (even, odd) if head.len() >= 4 && odd >= most && even <= few => Some("utf-16le"),
        (even, odd) if head.len() >= 4 && even >= most && odd <= few => Some("utf-16be"),
        _ => None,
    }
}

fn binary(input: &Input, position: Position, found: &str, remedy: Remedy) -> ReadError {
    let (file, found, format) = (input.name.clone(), found.to_owned(), input.format);
    ReadError::Binary { file, line: position.line, offset: position.offset, found, format, remedy }
}

/// What well-known binary files begin with, and what to do about each.
fn signature(bytes: &[u8]) -> Option<(&'static str, Remedy)> {
    const EXPORT: &str = "export the table as CSV";
    const DECOMPRESS: &str = "decompress it once more";
    // The format, which has to be named.
    const FORMAT: &str = "";
    const KNOWN: [(&[u8], &str, &str); 14] = [
        (b"\x89PNG", "a PNG image", EXPORT),
        (b"\xff\xd8\xff", "a JPEG image", EXPORT),
        (b"GIF8", "a GIF image", EXPORT),
        (b"%PDF-", "a PDF document", EXPORT),
        (b"PK\x03\x04", "a ZIP archive or spreadsheet", EXPORT),
        (b"\xd0\xcf\x11\xe0", "an old Excel workbook", EXPORT),
        (b"\x7fELF", "an executable", "check the path"),
        (b"SQLite format 3", "an SQLite database", EXPORT),
        (b"\x1f\x8b", "gzip data inside gzip data", DECOMPRESS),
        (b"BZh", "bzip2 data", DECOMPRESS),
        (b"\xfd7zXZ", "xz data", DECOMPRESS),
        (b"\x28\xb5\x2f\xfd", "Zstandard data", DECOMPRESS),
        (b"\x93NUMPY", "a NumPy array", FORMAT),
        (b"\x89HDF", "an HDF5 file", EXPORT),
    ];
    KNOWN.iter().find(|(magic, ..)| bytes.starts_with(magic)).map(|&(_, found, advice)| {
        let known = Format::list();
        (found, if advice == FORMAT { Remedy::NameFormat { known } } else { Remedy::plain(advice) })
    })
}

/// The 1-based line of a byte, for all kinds of line ends.
pub(crate) fn line_at(bytes: &[u8], offset: usize) -> usize {
    let before = &bytes[..offset.min(bytes.len())];
    if !before.contains(&b'\r') {
        return before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    }
    let ends = before.iter().enumerate().filter(|&(at, &byte)| match byte {
        b'\n' => true,
        // A carriage return before a line feed is not a line end of its own.
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    });
    ends.count() + 1
}

/// The lines of a text with their 1-based numbers; LF, CRLF and CR all end a line.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = Some(text);
    let mut number = 0;
    std::iter::from_fn(move || {
        let text = rest?;
        number += 1;
        let Some(end) = text.find(['\n', '\r']) else {
            rest = None;
            return Some((number, text));
        };
        let after = &text[end..];
        rest = after.strip_prefix("\r\n").or_else(|| after.get(1..));
        Some((number, &text[..end]))
    })
}

/// The cell without surrounding white space; the check of the outer bytes is a fast path.
pub(crate) fn trimmed(cell: &str) -> &str {
    let plain = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_graphic);
    let bytes = cell.as_bytes();
    if plain(bytes.first()) && plain(bytes.last()) { cell } else { cell.trim() }
}

/// The value of a cell: NaN if missing, `None` if not a number.
pub(crate) fn number(cell: &str) -> Option<f64> {
    match cell.parse() {
        Ok(value) => Some(value),
        Err(_) => is_missing(cell).then_some(f64::NAN),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_escapes_are_escaped() {
        assert_eq!(shown("a\u{1b}[31mb\u{202e}\n"), "a\\u{1b}[31mb\\u{202e}\\n");
        assert_eq!(shown(&"ä".repeat(100)), "ä".repeat(60) + "...");
        assert_eq!(shown("grün 3°"), "grün 3°");
    }

    #[test]
    fn all_line_ends_are_supported() {
        let found: Vec<_> = lines("a\r\nb\rc\n\nd").collect();
        assert_eq!(found, [(1, "a"), (2, "b"), (3, "c"), (4, ""), (5, "d")]);
        assert_eq!(line_at(b"a\r\nb\rc\n\nd", 8), 5);
        assert_eq!(line_at(b"a\r\nb", 3), 2);
    }
}
