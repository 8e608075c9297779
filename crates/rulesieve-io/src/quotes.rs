//! Quotes of CSV checked before the cells are split, because the splitter itself accepts what is broken.

/// A quote that breaks the text, and where.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Byte of the text.
    pub(crate) offset: usize,
    /// What is wrong and what to do.
    pub(crate) problem: &'static str,
}

const UNCLOSED: &str = "a quote opens here and never closes; close it, or double it if it belongs to the text";
const TEXT_AFTER: &str = "text follows a closing quote; double the quotes that belong to the text";
const BLANK_BEFORE: &str = "a blank stands between the delimiter and an opening quote; remove the blank";

enum State {
    CellStart,
    /// Blanks since the start of the cell.
    Blanks,
    Plain,
    Quoted {
        since: usize,
    },
    /// A quote inside a quoted cell: its end, or the first half of a doubled one.
    QuoteSeen {
        since: usize,
    },
    AfterQuoted,
}

impl Fault {
    /// A quote that opens at `offset` and never closes.
    pub(crate) fn unclosed(offset: usize) -> Self {
        Self { offset, problem: UNCLOSED }
    }
}

/// Finds the first quote that is unclosed, followed by text, or preceded by blanks.
pub(crate) fn check(text: &str, delimiter: u8) -> Result<(), Fault> {
    match scan(text.as_bytes(), delimiter)?.open {
        Some(offset) => Err(Fault::unclosed(offset)),
        None => Ok(()),
    }
}

/// Where the rows of a stretch of text end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Scan {
    /// Just past the last row that has surely ended.
    pub(crate) rows: Option<usize>,
    /// The quote that is still open at the end.
    pub(crate) open: Option<usize>,
}

/// Follows the quotes of a text that begins with a row.
pub(crate) fn scan(text: &[u8], delimiter: u8) -> Result<Scan, Fault> {
    // A carriage return may be half of a line end: the byte after it tells.
    let ends_row = |at: usize| match text[at] {
        b'\n' => true,
        b'\r' => text.get(at + 1).is_some_and(|&next| next != b'\n'),
        _ => false,
    };
    if !text.contains(&b'"') {
        let rows = (0..text.len()).rev().find(|&at| ends_row(at)).map(|at| at + 1);
        return Ok(Scan { rows, open: None });
    }
    let mut rows = None;
    let mut state = State::CellStart;
    for (offset, &byte) in text.iter().enumerate() {
        let ends_cell = byte == delimiter || byte == b'\n' || byte == b'\r';
        let blank = byte == b' ' || byte == b'\t';
        state = match state {
            State::Quoted { since } if byte == b'"' => State::QuoteSeen { since },
            State::Quoted { since } => State::Quoted { since },
            State::QuoteSeen { since } if byte == b'"' => State::Quoted { since },
            _ if ends_cell => {
                rows = if ends_row(offset) { Some(offset + 1) } else { rows };
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
    Ok(Scan { rows, open })
}

/// Makes every run of blanks outside quotes one blank, and none at the ends of lines, so that blanks can delimit.
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

    #[test]
    fn accepts_closed_and_doubled_quotes() {
        for text in ["\"a,b\",c\n", "\"a\"\"b\" ,c", "it's 5\" wide,c", "\"two\nlines\",c\r\n", "\"\",1"] {
            assert_eq!(check(text, b','), Ok(()), "{text:?}");
        }
    }

    #[test]
    fn names_the_quote_that_breaks() {
        assert_eq!(check("a,b\n1,\"2\n3,4\n", b','), Err(Fault { offset: 6, problem: UNCLOSED }));
        assert_eq!(check("\"a\"b,c", b','), Err(Fault { offset: 3, problem: TEXT_AFTER }));
        assert_eq!(check("a, \"b\"", b','), Err(Fault { offset: 3, problem: BLANK_BEFORE }));
    }

    #[test]
    fn rows_end_outside_of_quotes_only() {
        let rows = |text: &str| scan(text.as_bytes(), b',').unwrap().rows;
        assert_eq!(rows("a,b\n1,\"2\n3"), Some(4));
        assert_eq!(rows("a,b\r\n1,2\r"), Some(5), "a line feed may follow");
        assert_eq!((rows("a\rb\rc\r"), rows("a,\"b\""), rows("ab")), (Some(4), None, None));
    }

    #[test]
    fn runs_of_blanks_become_one_outside_quotes() {
        assert_eq!(single_blanks("  1   2 \n 3 \"a  b\"  \n"), "1 2\n3 \"a  b\"\n");
    }
}
