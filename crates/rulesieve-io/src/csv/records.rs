//! The records of a CSV text and their line numbers.

use std::io::Cursor;

use ::csv::{ReaderBuilder, StringRecord};

use crate::{
    error::ReadError,
    source::Input,
    text::{line_at, trimmed},
};

/// Records of a text of complete rows.
pub(crate) struct Records<T: AsRef<[u8]>> {
    reader: ::csv::Reader<Cursor<T>>,
    /// A byte offset and its line number, from which lines are counted on.
    mark: (usize, usize),
}

impl<T: AsRef<[u8]>> Records<T> {
    /// Reads `text`, which begins at line `first_line` of the file.
    pub(crate) fn new(text: T, delimiter: u8, first_line: usize) -> Self {
        let reader =
            ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(Cursor::new(text));
        Self { reader, mark: (0, first_line) }
    }

    /// Reads the next record that is not a blank line. `columns` is 0 if not known yet.
    pub(crate) fn next(&mut self, input: &Input, columns: usize, record: &mut StringRecord) -> Result<bool, ReadError> {
        loop {
            let more = self.reader.read_record(record).map_err(|error| input.content(error.to_string()))?;
            let lone = if record.len() == 1 { record.get(0) } else { None };
            // In a file of one column, a quoted empty cell is a row; a line of spaces is not.
            let is_blank = lone.is_some_and(|cell| trimmed(cell).is_empty() && (!cell.is_empty() || columns != 1));
            if !more || !is_blank {
                return Ok(more);
            }
        }
    }

    /// The line where a record begins. Records must be passed in order.
    pub(crate) fn line_of(&mut self, record: &StringRecord) -> usize {
        let bytes = self.reader.get_ref().get_ref().as_ref();
        let start = record.position().map_or(0, |position| position.byte() as usize).min(bytes.len());
        let blanks = bytes[start..].iter().take_while(|&&byte| byte == b'\n' || byte == b'\r').count();
        let (from, line) = self.mark;
        let passed = line_at(&bytes[from.min(start + blanks)..], (start + blanks).saturating_sub(from)) - 1;
        self.mark = (start + blanks, line + passed);
        self.mark.1
    }

    /// Rejects a record whose number of cells differs from the number of columns.
    pub(crate) fn check_width(
        &mut self,
        input: &Input,
        record: &StringRecord,
        expected: usize,
    ) -> Result<(), ReadError> {
        if record.len() == expected {
            return Ok(());
        }
        let (line, found) = (self.line_of(record), record.len());
        Err(ReadError::Ragged { file: input.name.clone(), line, found, expected })
    }
}
