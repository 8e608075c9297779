//! CSV text in blocks of complete rows, so that memory use does not depend on the file size.

use rulesieve::Warning;

use crate::{
    delimiter::SAMPLE_BYTES,
    encoding::{self, Pieces},
    error::ReadError,
    options::ReadOptions,
    quotes::{self, Fault},
    source::{Input, Opened},
    text::{Position, decode_part, line_at},
};

use super::layout::Layout;

/// Size of a block in bytes, unless a single row is longer.
const BLOCK_BYTES: usize = 1 << 20;
/// Maximum size of a row in bytes; longer rows are probably due to an unclosed quote.
const ROW_BYTES: usize = 64 << 20;
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Reads CSV text block by block.
pub(super) struct Blocks<'a> {
    opened: Opened<'a>,
    decoder: Option<Pieces>,
    /// Text read but not yet returned; it begins with a row.
    pending: Vec<u8>,
    /// Position of `pending` in the file.
    position: Position,
    pub(super) layout: Layout,
    /// Whether all text so far is ASCII.
    ascii: bool,
    ended: bool,
    pub(super) warnings: Vec<Warning>,
}

/// Complete rows, and the line of the first.
pub(super) struct Block {
    pub(super) text: String,
    pub(super) line: usize,
}

impl<'a> Blocks<'a> {
    /// Reads a sample, and finds the encoding, the delimiter and the names.
    pub(super) fn open(mut opened: Opened<'a>, options: &ReadOptions) -> Result<Self, ReadError> {
        let mut bytes = std::mem::take(&mut opened.input.bytes);
        // One more byte than the sample shows whether the sample is truncated.
        let wanted = (SAMPLE_BYTES + BYTE_ORDER_MARK.len() + 1).saturating_sub(bytes.len()) as u64;
        let ended = opened.read(wanted, &mut bytes)? < wanted;
        let mut found = encoding::known(&opened.input, &bytes, options)?;
        if found.is_none() {
            found = match std::str::from_utf8(&bytes) {
                Err(error) if error.error_len().is_some() || ended => {
                    encoding::fallback(&bytes, error.valid_up_to(), options)
                }
                // Texts in UTF-16 may be valid UTF-8 with NUL bytes.
                Ok(_) if encoding::is_utf16(options) && bytes.contains(&0) => {
                    encoding::fallback(&bytes, bytes.len(), options)
                }
                _ => None,
            };
        }
        let (decoder, warning) = match found {
            Some((encoding, warning)) => (Some(Pieces::new(encoding)), warning),
            None => (None, None),
        };
        let mut blocks = Self {
            opened,
            decoder,
            pending: Vec::new(),
            position: Position::START,
            layout: Layout::default(),
            ascii: true,
            ended,
            warnings: warning.into_iter().collect(),
        };
        blocks.append(bytes)?;
        if blocks.pending.starts_with(BYTE_ORDER_MARK) {
            blocks.pending.drain(..BYTE_ORDER_MARK.len());
            blocks.position.offset = BYTE_ORDER_MARK.len();
        }
        let valid = match std::str::from_utf8(&blocks.pending) {
            Ok(text) => text,
            // A character truncated by the sample, or an error that `next` will report.
            Err(error) => std::str::from_utf8(&blocks.pending[..error.valid_up_to()]).unwrap_or_default(),
        };
        blocks.layout = Layout::new(&blocks.opened.input, valid, options)?;
        let (lines, bytes) = blocks.layout.skipped;
        blocks.pending.drain(..bytes);
        blocks.position = Position { line: 1 + lines, offset: blocks.position.offset + bytes };
        Ok(blocks)
    }

    /// Decodes bytes to the end of the pending text.
    fn append(&mut self, bytes: Vec<u8>) -> Result<(), ReadError> {
        match &mut self.decoder {
            None if self.pending.is_empty() => self.pending = bytes,
            None => self.pending.extend_from_slice(&bytes),
            Some(decoder) => {
                if !decoder.decode(&bytes, self.ended, &mut self.pending) {
                    return Err(self.opened.input.content("control characters show that this is no text"));
                }
            }
        }
        Ok(())
    }

    /// The source, for error messages.
    pub(super) fn input(&self) -> &Input {
        &self.opened.input
    }

    /// Whether all text so far is ASCII, so that bytes that are not UTF-8 may be in another encoding.
    pub(super) fn is_ascii(&self) -> bool {
        self.ascii
    }

    /// Returns the next complete rows.
    pub(super) fn next(&mut self) -> Result<Option<Block>, ReadError> {
        let Some(end) = self.whole_rows()? else { return Ok(None) };
        let rest = self.pending.split_off(end);
        let bytes = std::mem::replace(&mut self.pending, rest);
        let position = self.position;
        self.position =
            Position { line: position.line - 1 + line_at(&bytes, bytes.len()), offset: position.offset + bytes.len() };
        if let Err(error) = std::str::from_utf8(&bytes) {
            self.ascii &= bytes[..error.valid_up_to()].is_ascii();
        } else {
            self.ascii &= bytes.is_ascii();
        }
        let text = decode_part(self.input(), &bytes, position)?;
        let text = if self.layout.delimiter == b' ' { quotes::single_blanks(text) } else { text.to_owned() };
        Ok(Some(Block { text, line: position.line }))
    }

    /// Reads until at least one row is complete and returns the end of the last complete row.
    fn whole_rows(&mut self) -> Result<Option<usize>, ReadError> {
        let mut wanted = BLOCK_BYTES.saturating_sub(self.pending.len());
        loop {
            if !self.ended {
                let mut bytes = Vec::new();
                self.ended = self.opened.read(wanted as u64, &mut bytes)? < wanted as u64;
                self.append(bytes)?;
            }
            let scan =
                quotes::scan(&self.pending, self.layout.dialect(), |_| ()).map_err(|fault| self.quote_error(&fault))?;
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
