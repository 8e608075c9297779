//! CSV bytes in blocks of complete rows, so that memory use does not depend on the file size.

use rulesieve::Warning;

use crate::{
    delimiter::SAMPLE_BYTES,
    error::ReadError,
    options::ReadOptions,
    quotes::{self, Fault},
    source::{Input, Opened},
    text::{Position, decode_part, line_at},
};

use super::{header::choose_delimiter, records::Records};

/// Size of a block in bytes, unless a single row is longer.
const BLOCK_BYTES: usize = 1 << 20;
/// Maximum size of a row in bytes; longer rows are probably due to an unclosed quote.
const ROW_BYTES: usize = 64 << 20;
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Reads CSV text block by block.
pub(super) struct Blocks<'a> {
    opened: Opened<'a>,
    /// Bytes read but not yet returned; they begin with a row.
    pending: Vec<u8>,
    /// Position of `pending` in the file.
    position: Position,
    pub(super) delimiter: u8,
    ended: bool,
}

impl<'a> Blocks<'a> {
    /// Reads a sample and finds the delimiter.
    pub(super) fn open(
        mut opened: Opened<'a>,
        options: &ReadOptions,
        warnings: &mut Vec<Warning>,
    ) -> Result<Self, ReadError> {
        let mut pending = std::mem::take(&mut opened.input.bytes);
        // One more byte than the sample shows whether the sample is truncated.
        let wanted = (SAMPLE_BYTES + BYTE_ORDER_MARK.len() + 1).saturating_sub(pending.len()) as u64;
        let ended = opened.read(wanted, &mut pending)? < wanted;
        let mut position = Position::START;
        if pending.starts_with(BYTE_ORDER_MARK) {
            pending.drain(..BYTE_ORDER_MARK.len());
            position.offset = BYTE_ORDER_MARK.len();
        }
        let valid = match std::str::from_utf8(&pending) {
            Ok(text) => text,
            // A character truncated by the sample, or an error that `next` will report.
            Err(error) => std::str::from_utf8(&pending[..error.valid_up_to()]).unwrap_or_default(),
        };
        let delimiter = choose_delimiter(&opened.input, valid, options, warnings)?;
        Ok(Self { opened, pending, position, delimiter, ended })
    }

    /// The source, for error messages.
    pub(super) fn input(&self) -> &Input {
        &self.opened.input
    }

    /// Returns the next complete rows.
    pub(super) fn next(&mut self) -> Result<Option<Records<Vec<u8>>>, ReadError> {
        let Some(end) = self.whole_rows()? else { return Ok(None) };
        let rest = self.pending.split_off(end);
        let bytes = std::mem::replace(&mut self.pending, rest);
        let position = self.position;
        self.position =
            Position { line: position.line - 1 + line_at(&bytes, bytes.len()), offset: position.offset + bytes.len() };
        let text = decode_part(self.input(), &bytes, position)?;
        let text = if self.delimiter == b' ' { quotes::single_blanks(text).into_bytes() } else { bytes };
        Ok(Some(Records::new(text, self.delimiter, position.line)))
    }

    /// Reads until at least one row is complete and returns the end of the last complete row.
    fn whole_rows(&mut self) -> Result<Option<usize>, ReadError> {
        let mut wanted = BLOCK_BYTES.saturating_sub(self.pending.len());
        loop {
            if !self.ended {
                self.ended = self.opened.read(wanted as u64, &mut self.pending)? < wanted as u64;
            }
            let scan = quotes::scan(&self.pending, self.delimiter).map_err(|fault| self.quote_error(&fault))?;
            match (self.ended, scan.open, scan.rows) {
                (true, Some(open), _) => return Err(self.quote_error(&Fault::unclosed(open))),
                (true, None, _) => return Ok(Some(self.pending.len()).filter(|&bytes| bytes > 0)),
                (false, _, Some(end)) => return Ok(Some(end)),
                (false, open, None) if self.pending.len() > ROW_BYTES => {
                    return Err(match open {
                        Some(open) => self.quote_error(&Fault::unclosed(open)),
                        None => self.input().line_error(self.position.line, LONG_ROW),
                    });
                }
                (false, _, None) => wanted = self.pending.len().max(BLOCK_BYTES),
            }
        }
    }

    fn quote_error(&self, fault: &Fault) -> ReadError {
        let line = self.position.line - 1 + line_at(&self.pending, fault.offset);
        ReadError::Quote { file: self.input().name.clone(), line, problem: fault.problem }
    }
}

const LONG_ROW: &str = "a row of more than 64 MiB begins here; check the line ends";
