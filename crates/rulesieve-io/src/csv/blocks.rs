//! CSV bytes cut into blocks of whole rows, so that a file of any length takes the memory of one block.

use rulesieve::Warning;

use crate::{
    delimiter::SAMPLE_BYTES,
    error::ReadError,
    options::ReadOptions,
    quotes::{self, Fault},
    source::{Input, Opened},
    text::{Place, decode_part, line_at},
};

use super::{header::choose_delimiter, records::Records};

/// Bytes of a block, unless a single row is longer.
const BLOCK_BYTES: usize = 1 << 20;
/// A row longer than this is no row: most likely a quote opens in it that nobody closed.
const ROW_BYTES: usize = 64 << 20;
const MARK: &[u8] = "\u{feff}".as_bytes();

/// A source of CSV text, block by block.
pub(super) struct Blocks<'a> {
    opened: Opened<'a>,
    /// What has been read and not handed out; it begins with a row.
    pending: Vec<u8>,
    /// Where that begins in the file.
    place: Place,
    pub(super) delimiter: u8,
    ended: bool,
}

impl<'a> Blocks<'a> {
    /// Reads as much as it takes to find the delimiter.
    pub(super) fn open(
        mut opened: Opened<'a>,
        options: &ReadOptions,
        warnings: &mut Vec<Warning>,
    ) -> Result<Self, ReadError> {
        let mut pending = std::mem::take(&mut opened.input.bytes);
        // A byte more than is looked at tells that the sample may have been cut.
        let wanted = (SAMPLE_BYTES + MARK.len() + 1).saturating_sub(pending.len()) as u64;
        let ended = opened.read(wanted, &mut pending)? < wanted;
        let mut place = Place::START;
        if pending.starts_with(MARK) {
            pending.drain(..MARK.len());
            place.offset = MARK.len();
        }
        let valid = match std::str::from_utf8(&pending) {
            Ok(text) => text,
            // The rest of a character that the sample cuts, or an error that its own block will report.
            Err(error) => std::str::from_utf8(&pending[..error.valid_up_to()]).unwrap_or_default(),
        };
        let delimiter = choose_delimiter(&opened.input, valid, options, warnings)?;
        Ok(Self { opened, pending, place, delimiter, ended })
    }

    /// What errors call the source.
    pub(super) fn input(&self) -> &Input {
        &self.opened.input
    }

    /// The next whole rows.
    pub(super) fn next(&mut self) -> Result<Option<Records<Vec<u8>>>, ReadError> {
        let Some(end) = self.whole_rows()? else { return Ok(None) };
        let rest = self.pending.split_off(end);
        let bytes = std::mem::replace(&mut self.pending, rest);
        let place = self.place;
        self.place = Place { line: place.line - 1 + line_at(&bytes, bytes.len()), offset: place.offset + bytes.len() };
        let text = decode_part(self.input(), &bytes, place)?;
        let text = if self.delimiter == b' ' { quotes::single_blanks(text).into_bytes() } else { bytes };
        Ok(Some(Records::new(text, self.delimiter, place.line)))
    }

    /// Reads until a row ends, and returns where the last one does.
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
                        None => self.input().line_error(self.place.line, LONG_ROW),
                    });
                }
                (false, _, None) => wanted = self.pending.len().max(BLOCK_BYTES),
            }
        }
    }

    fn quote_error(&self, fault: &Fault) -> ReadError {
        let line = self.place.line - 1 + line_at(&self.pending, fault.offset);
        ReadError::Quote { file: self.input().name.clone(), line, problem: fault.problem }
    }
}

const LONG_ROW: &str = "a row of more than 64 MiB begins here; check that its lines end";
