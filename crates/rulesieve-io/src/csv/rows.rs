//! Rows and cells of a CSV text with valid quotes.

use std::borrow::Cow;

use crate::text::trimmed;

/// How rows and cells are separated.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dialect<'a> {
    pub(crate) delimiter: u8,
    /// Rows that begin with this are skipped, unless it is empty.
    pub(crate) comment: &'a str,
}

/// Reads the rows of a text one after another.
pub(crate) struct Rows<'a> {
    text: &'a str,
    dialect: Dialect<'a>,
    /// Offset of the next row.
    at: usize,
    /// Offset of the last row that was read.
    pub(crate) start: usize,
}

impl<'a> Rows<'a> {
    pub(crate) fn new(text: &'a str, dialect: Dialect<'a>) -> Self {
        Self { text, dialect, at: 0, start: 0 }
    }

    /// Reads the cells of the next row that is not blank. `columns` is 0 if not known yet.
    pub(crate) fn next(&mut self, columns: usize, cells: &mut Vec<&'a str>) -> bool {
        let bytes = self.text.as_bytes();
        loop {
            while matches!(bytes.get(self.at), Some(b'\n' | b'\r')) {
                self.at += 1;
            }
            if self.at >= bytes.len() {
                return false;
            }
            self.start = self.at;
            if is_comment(&bytes[self.at..], self.dialect.comment) {
                self.at +=
                    bytes[self.at..].iter().position(|&b| b == b'\n' || b == b'\r').unwrap_or(bytes.len() - self.at);
                continue;
            }
            self.read_cells(cells);
            let is_blank = cells.len() == 1 && {
                let lone = content(cells[0]);
                // In a table of one column, a quoted empty cell is a row; a line of spaces is not.
                trimmed(&lone).is_empty() && (!lone.is_empty() || columns != 1)
            };
            if !is_blank {
                return true;
            }
        }
    }

    /// The text of the last row.
    pub(crate) fn row(&self) -> &'a str {
        &self.text[self.start..self.at]
    }

    fn read_cells(&mut self, cells: &mut Vec<&'a str>) {
        let (bytes, delimiter) = (self.text.as_bytes(), self.dialect.delimiter);
        cells.clear();
        let mut at = self.at;
        loop {
            let from = at;
            if bytes.get(at) == Some(&b'"') {
                at = quoted_end(bytes, at);
            }
            at = cell_end(bytes, at, delimiter);
            cells.push(&self.text[from..at]);
            if bytes.get(at) != Some(&delimiter) {
                self.at = at;
                return;
            }
            at += 1;
        }
    }
}

/// The offset of the next delimiter or line end, else that of the end.
fn cell_end(bytes: &[u8], mut at: usize, delimiter: u8) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    while let Some(eight) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let eight = u64::from_le_bytes(*eight);
        // The lowest byte whose highest bit is set is the first that equals `byte`.
        let equal = |byte: u8| {
            let difference = eight ^ (ONES * u64::from(byte));
            difference.wrapping_sub(ONES) & !difference & (ONES << 7)
        };
        let found = equal(delimiter) | equal(b'\n') | equal(b'\r');
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let ends = |byte: &u8| *byte == delimiter || *byte == b'\n' || *byte == b'\r';
    bytes[at..].iter().position(ends).map_or(bytes.len(), |end| at + end)
}

/// The offset after the quote that closes the one at `open`.
fn quoted_end(bytes: &[u8], open: usize) -> usize {
    let mut at = open + 1;
    while let Some(found) = bytes[at..].iter().position(|&byte| byte == b'"') {
        at += found + 1;
        if bytes.get(at) != Some(&b'"') {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

pub(crate) fn is_comment(row: &[u8], comment: &str) -> bool {
    !comment.is_empty() && row.starts_with(comment.as_bytes())
}

/// The content of a cell, without its quotes.
pub(crate) fn content(cell: &str) -> Cow<'_, str> {
    let Some(rest) = cell.strip_prefix('"') else { return Cow::Borrowed(cell) };
    let inner = rest.rfind('"').map_or(rest, |end| &rest[..end]);
    if inner.contains('"') { Cow::Owned(inner.replace("\"\"", "\"")) } else { Cow::Borrowed(inner) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_end_at_the_first_delimiter_or_line_end() {
        for (at, end) in (0..20).flat_map(|at| [b',', b'\n', b'\r'].map(|end| (at, end))) {
            // Neighbours of the bytes sought, which a wrong carry would match.
            for other in [b'-', b'+', 0x0b, 0x0c, 0x0e, 0x09, 0x80, 0xff] {
                let mut bytes = [other; 20];
                assert_eq!(cell_end(&bytes, at, b','), 20);
                bytes[at] = end;
                bytes[19] = b',';
                assert_eq!(cell_end(&bytes, 0, b','), at, "{bytes:?}");
            }
        }
    }

    #[test]
    fn rows_and_cells() {
        let rows = |text: &'static str| {
            let (mut rows, mut cells) = (Rows::new(text, Dialect { delimiter: b',', comment: "#" }), Vec::new());
            let mut found = Vec::new();
            while rows.next(0, &mut cells) {
                found.push(cells.iter().map(|cell| content(cell).into_owned()).collect::<Vec<_>>().join("|"));
            }
            found
        };
        assert_eq!(rows("a,b\r\n1,\n\n,2"), ["a|b", "1|", "|2"]);
        assert_eq!(rows("\"x,\"\"y\"\"\n\",it's 5\" wide\r2,\"\" \n"), ["x,\"y\"\n|it's 5\" wide", "2|"]);
        assert_eq!(rows("# a\n1\n#\"b\n \n2\n\"\"\n"), ["1", "2"]);
        assert_eq!(rows("ä,ö\n1,2,"), ["ä|ö", "1|2|"]);
    }
}
