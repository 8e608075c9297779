//! Validation of CSV quotes, and ends of rows.

use crate::csv::{Dialect, is_comment};

/// An invalid quote.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Byte offset in the text.
    pub(crate) offset: usize,
    /// What is wrong and what to do.
    pub(crate) problem: &'static str,
}

const UNCLOSED: &str = "the quote that opens here is not closed; close it, or double it if it is part of the text";
const TEXT_AFTER: &str = "text follows a closing quote; double the quotes that are part of the text";
const BLANK_BEFORE: &str = "there is a space between the delimiter and an opening quote; remove it";

enum State {
    CellStart,
    /// Spaces at the start of the cell.
    Blanks,
    Plain,
    Quoted {
        since: usize,
    },
    /// A quote inside a quoted cell: its end, or the first of a doubled quote.
    QuoteSeen {
        since: usize,
    },
    AfterQuoted,
}

impl Fault {
    /// An unclosed quote that opens at `offset`.
    pub(crate) fn unclosed(offset: usize) -> Self {
        Self { offset, problem: UNCLOSED }
    }
}

/// Finds the first quote that is unclosed, followed by text, or preceded by spaces.
pub(crate) fn check(text: &str, dialect: Dialect<'_>) -> Result<(), Fault> {
    match scan(text.as_bytes(), dialect, |_| ())?.open {
        Some(offset) => Err(Fault::unclosed(offset)),
        None => Ok(()),
    }
}

/// Ends of rows in a part of a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Scan {
    /// The end of the last complete row.
    pub(crate) rows: Option<usize>,
    /// The offset of the quote that is open at the end.
    pub(crate) open: Option<usize>,
}

/// Whether a row may end with this byte: the next one decides whether a carriage return is a complete line end.
fn ends_row(text: &[u8], at: usize) -> bool {
    match text[at] {
        b'\n' => true,
        b'\r' => text.get(at + 1).is_some_and(|&next| next != b'\n'),
        _ => false,
    }
}

/// Divides a text with valid quotes into up to `count` parts of complete rows, and returns their ends.
pub(crate) fn row_ends(text: &str, dialect: Dialect<'_>, count: usize) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut ends = Vec::with_capacity(count);
    let target = |parts: usize| text.len() / count * (parts + 1);
    if memchr::memchr(b'"', bytes).is_none() {
        for part in 0..count - 1 {
            let from = target(part).max(ends.last().copied().unwrap_or(0));
            ends.extend((from..bytes.len()).find(|&at| ends_row(bytes, at)).map(|at| at + 1));
        }
    } else if count > 1 {
        // The quotes are valid.
        let _ = scan(bytes, dialect, |end| {
            if ends.len() + 1 < count && end >= target(ends.len()) {
                ends.push(end);
            }
        });
    }
    ends.push(text.len());
    ends.dedup();
    ends
}

/// Scans a text that begins with a row, and passes the ends of complete rows; only the last one without quotes.
pub(crate) fn scan(text: &[u8], dialect: Dialect<'_>, mut row: impl FnMut(usize)) -> Result<Scan, Fault> {
    if memchr::memchr(b'"', text).is_none() {
        let rows = (0..text.len()).rev().find(|&at| ends_row(text, at)).map(|at| at + 1);
        return Ok(Scan { rows, open: None });
    }
    let delimiter = dialect.delimiter;
    let mut rows = Some(0);
    let mut state = State::CellStart;
    let mut in_comment = false;
    for (offset, &byte) in text.iter().enumerate() {
        in_comment = match in_comment {
            true => byte != b'\n' && byte != b'\r',
            // A row begins, if not right after the last one.
            false if offset == 0 || matches!(text[offset - 1], b'\n' | b'\r') => {
                matches!(state, State::CellStart) && is_comment(&text[offset..], dialect.comment)
            }
            false => false,
        };
        if in_comment {
            continue;
        }
        let ends_cell = byte == delimiter || byte == b'\n' || byte == b'\r';
        let blank = byte == b' ' || byte == b'\t';
        state = match state {
            State::Quoted { since } if byte == b'"' => State::QuoteSeen { since },
            State::Quoted { since } => State::Quoted { since },
            State::QuoteSeen { since } if byte == b'"' => State::Quoted { since },
            _ if ends_cell => {
                if ends_row(text, offset) {
                    rows = Some(offset + 1);
                    row(offset + 1);
                }
                State::CellStart
            }
            State::CellStart if byte == b'"' => State::Quoted { since: offset },
            State::Blanks if byte == b'"' => return Err(Fault { offset, problem: BLANK_BEFORE }),
            State::CellStart | State::Blanks if blank => State::Blanks,
            State::CellStart | State::Blanks | State::Plain => State::Plain,
            State::QuoteSeen { .. } | State::AfterQuoted if blank => State::AfterQuoted,
            State::QuoteSeen { .. } | State::AfterQuoted => return Err(Fault { offset, problem: TEXT_AFTER }),
        };
    }
    let open = if let State::Quoted { since } = state { Some(since) } else { None };
    Ok(Scan { rows: rows.filter(|&end| end > 0), open })
}

/// Collapses runs of spaces outside quotes and trims lines, for space-delimited text.
pub(crate) fn single_blanks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut quoted = false;
    let mut pending = false;
    let mut line_is_empty = true;
    for character in text.chars() {
        let opens = character == '"' && (pending || line_is_empty);
        match character {
            ' ' if !quoted => pending = true,
            '\n' | '\r' if !quoted => {
                out.push(character);
                (pending, line_is_empty) = (false, true);
            }
            _ => {
                if pending && !line_is_empty {
                    out.push(' ');
                }
                quoted = if quoted { character != '"' } else { opens };
                out.push(character);
                (pending, line_is_empty) = (false, false);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMAS: Dialect<'_> = Dialect { delimiter: b',', comment: "#" };

    #[test]
    fn parts_end_with_rows() {
        let plain = "a,b\n".repeat(50);
        let quoted = "\"a\n\",b\r\n".repeat(50);
        for text in [plain.as_str(), &quoted, "a\rb\rc\rd\re"] {
            for count in 1..7 {
                let ends = row_ends(text, COMMAS, count);
                let mut start = 0;
                for end in &ends {
                    let part = &text[start..*end];
                    assert!(
                        check(part, COMMAS).is_ok() && (end == &text.len() || part.ends_with(['\n', '\r'])),
                        "{part:?}"
                    );
                    start = *end;
                }
                assert!(start == text.len() && ends.len() == count.min(5 + text.len() / 10), "{ends:?}");
            }
        }
    }

    #[test]
    fn accepts_closed_and_doubled_quotes() {
        for text in
            ["\"a,b\",c\n", "\"a\"\"b\" ,c", "it's 5\" wide,c", "\"two\nlines\",c\r\n", "\"\",1", "a\n# it's \"open\nb"]
        {
            assert_eq!(check(text, COMMAS), Ok(()), "{text:?}");
        }
    }

    #[test]
    fn invalid_quotes_are_located() {
        assert_eq!(check("a,b\n1,\"2\n3,4\n", COMMAS), Err(Fault { offset: 6, problem: UNCLOSED }));
        assert_eq!(check("\"a\"b,c", COMMAS), Err(Fault { offset: 3, problem: TEXT_AFTER }));
        assert_eq!(check("a, \"b\"", COMMAS), Err(Fault { offset: 3, problem: BLANK_BEFORE }));
    }

    #[test]
    fn rows_end_only_outside_quotes() {
        let rows = |text: &str| scan(text.as_bytes(), COMMAS, |_| ()).unwrap().rows;
        assert_eq!(rows("a,b\n1,\"2\n3"), Some(4));
        assert_eq!(rows("a,b\r\n1,2\r"), Some(5), "a line feed may follow");
        assert_eq!((rows("a\rb\rc\r"), rows("a,\"b\""), rows("ab")), (Some(4), None, None));
    }

    #[test]
    fn runs_of_spaces_are_collapsed_outside_quotes() {
        assert_eq!(single_blanks("  1   2 \n 3 \"a  b\"  \n"), "1 2\n3 \"a  b\"\n");
    }
}
