//! Bytes as text: encoding, lines, cells, and how any of it may be shown to a user.

use rulesieve::data::table::is_missing;

use crate::{error::ReadError, source::Input};

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
    let text = std::str::from_utf8(&input.bytes).map_err(|error| {
        let offset = error.valid_up_to();
        let byte = input.bytes.get(offset).copied().unwrap_or_default();
        ReadError::Encoding {
            file: input.name.clone(),
            line: line_at(&input.bytes, offset),
            offset,
            found: format!("0x{byte:02x} is not valid UTF-8 (perhaps the text is Latin-1)"),
        }
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Refuses bytes that cannot be UTF-8 text, saying what they look like.
pub(crate) fn refuse_binary(input: &Input, bytes: &[u8]) -> Result<(), ReadError> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        let found = "the file is UTF-16 text".to_owned();
        return Err(ReadError::Encoding { file: input.name.clone(), line: 1, offset: 0, found });
    }
    let known = signature(bytes);
    let offset = if known.is_some() { Some(0) } else { bytes.iter().position(|&byte| byte == 0) };
    let Some(offset) = offset else { return Ok(()) };
    let (found, remedy) = known.unwrap_or(("a NUL byte", "check the file, or name its format with --format"));
    Err(ReadError::Binary {
        file: input.name.clone(),
        line: line_at(bytes, offset),
        offset,
        found: found.to_owned(),
        format: input.format,
        remedy,
    })
}

/// What well-known binary files begin with, and what to do about each.
fn signature(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    const EXPORT: &str = "export the table as CSV";
    const DECOMPRESS: &str = "decompress it once more";
    const FORMAT: &str = "name its format with --format";
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
    KNOWN.iter().find(|(magic, ..)| bytes.starts_with(magic)).map(|&(_, found, remedy)| (found, remedy))
}

/// The 1-based line in which a byte lies, whatever ends the lines.
pub(crate) fn line_at(bytes: &[u8], offset: usize) -> usize {
    let before = &bytes[..offset.min(bytes.len())];
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
