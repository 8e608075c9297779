//! Bytes as text: encoding, lines, cells, and how any of it may be shown to a user.

use rulesieve::Remedy;
use rulesieve::data::table::is_missing;

use crate::{error::ReadError, options::Format, source::Input};

const SHOWN_CHARACTERS: usize = 60;

/// A text made safe to print: control and direction characters escaped, a long text cut.
pub fn shown(text: &str) -> String {
    let mut end = text.char_indices().map(|(at, _)| at);
    match end.nth(SHOWN_CHARACTERS) {
        Some(at) => escaped(&text[..at]) + "...",
        None => escaped(text),
    }
}

/// A text of any length with its control and direction characters escaped.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        let turns_text =
            matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if character.is_control() || turns_text {
            out.extend(character.escape_default());
        } else {
            out.push(character);
        }
    }
    out
}

/// The input as UTF-8 text, without its byte order mark.
pub(crate) fn decode(input: &Input) -> Result<&str, ReadError> {
    refuse_binary(input, &input.bytes)?;
    let text = decode_part(input, &input.bytes, Place::START)?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Where a stretch of text begins in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    /// The line, from 1.
    pub(crate) line: usize,
    /// The byte, from 0.
    pub(crate) offset: usize,
}

impl Place {
    pub(crate) const START: Self = Self { line: 1, offset: 0 };
}

/// A stretch of the input as UTF-8 text.
pub(crate) fn decode_part<'a>(input: &Input, bytes: &'a [u8], place: Place) -> Result<&'a str, ReadError> {
    refuse_nul(input, bytes, place)?;
    std::str::from_utf8(bytes).map_err(|error| {
        let offset = error.valid_up_to();
        let byte = bytes.get(offset).copied().unwrap_or_default();
        ReadError::Encoding {
            file: input.name.clone(),
            line: place.line - 1 + line_at(bytes, offset),
            offset: place.offset + offset,
            found: format!("0x{byte:02x} is not valid UTF-8 (perhaps the text is Latin-1)"),
        }
    })
}

/// Refuses bytes that cannot be UTF-8 text, saying what they look like.
pub(crate) fn refuse_binary(input: &Input, bytes: &[u8]) -> Result<(), ReadError> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        let found = "the file is UTF-16 text".to_owned();
        return Err(ReadError::Encoding { file: input.name.clone(), line: 1, offset: 0, found });
    }
    match signature(bytes) {
        Some((found, remedy)) => Err(binary(input, Place::START, found, remedy)),
        None => refuse_nul(input, bytes, Place::START),
    }
}

fn refuse_nul(input: &Input, bytes: &[u8], place: Place) -> Result<(), ReadError> {
    if !bytes.contains(&0) {
        return Ok(());
    }
    let at = bytes.iter().position(|&byte| byte == 0).unwrap_or(0);
    let place = Place { line: place.line - 1 + line_at(bytes, at), offset: place.offset + at };
    Err(binary(input, place, "a NUL byte", Remedy::NameFormat { known: Format::list() }))
}

fn binary(input: &Input, place: Place, found: &str, remedy: Remedy) -> ReadError {
    let (file, found, format) = (input.name.clone(), found.to_owned(), input.format);
    ReadError::Binary { file, line: place.line, offset: place.offset, found, format, remedy }
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
        (b"\x7fELF", "a program", "check the path"),
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

/// The 1-based line in which a byte lies, whatever ends the lines.
pub(crate) fn line_at(bytes: &[u8], offset: usize) -> usize {
    let before = &bytes[..offset.min(bytes.len())];
    if !before.contains(&b'\r') {
        return before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    }
    let ends = before.iter().enumerate().filter(|&(at, &byte)| match byte {
        b'\n' => true,
        // A carriage return ends a line by itself unless a line feed follows, which then counts.
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

/// The cell without blanks around it; the usual cell, with none, is recognised by two bytes.
pub(crate) fn trimmed(cell: &str) -> &str {
    let plain = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_graphic);
    let bytes = cell.as_bytes();
    if plain(bytes.first()) && plain(bytes.last()) { cell } else { cell.trim() }
}

/// The number a cell stands for, NaN for a missing one, nothing for any other text.
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
    fn shown_texts_cannot_steer_a_terminal() {
        assert_eq!(shown("a\u{1b}[31mb\u{202e}\n"), "a\\u{1b}[31mb\\u{202e}\\n");
        assert_eq!(shown(&"ä".repeat(100)), "ä".repeat(60) + "...");
        assert_eq!(shown("grün 3°"), "grün 3°");
    }

    #[test]
    fn lines_end_in_any_way() {
        let found: Vec<_> = lines("a\r\nb\rc\n\nd").collect();
        assert_eq!(found, [(1, "a"), (2, "b"), (3, "c"), (4, ""), (5, "d")]);
        assert_eq!(line_at(b"a\r\nb\rc\n\nd", 8), 5);
        assert_eq!(line_at(b"a\r\nb", 3), 2);
    }
}
