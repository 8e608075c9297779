//! Size of an OpenDocument sheet, in which a cell and a row can stand for many.

use std::io::{BufReader, Cursor};

use quick_xml::{
    Reader,
    events::{BytesStart, Event},
};
use rulesieve::Limit;
use zip::ZipArchive;

use crate::{error::ReadError, options::Limits, source::Input};

/// Memory of a cell in the library, in bytes: its value and the text of its formula.
const CELL_BYTES: u64 = 64;
/// Repeated cells at the end of a row are without content, and the library leaves them out.
const COLUMNS: u64 = 16_384;

/// Counts the cells that the library would store.
pub(super) fn check(input: &Input, limits: &Limits) -> Result<(), ReadError> {
    let damaged = |_| input.damaged("the workbook is damaged");
    let mut archive = ZipArchive::new(Cursor::new(input.bytes.as_slice())).map_err(|_| damaged(()))?;
    let content = archive.by_name("content.xml").map_err(|_| damaged(()))?;
    let mut reader = Reader::from_reader(BufReader::new(content));
    let mut buffer = Vec::new();
    let (mut total, mut row_repeats, mut row, mut pending) = (0u64, 1, 0u64, 0u64);
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).map_err(|_| damaged(()))? {
            Event::Start(tag) | Event::Empty(tag) => match tag.name().as_ref() {
                "table:table-row" => (row_repeats, row, pending) = (repeats(&tag, "table:number-rows-repeated"), 0, 0),
                "table:table-cell" | "table:covered-table-cell" => {
                    let count = repeats(&tag, "table:number-columns-repeated").min(COLUMNS);
                    if is_empty(&tag) {
                        pending = count;
                    } else {
                        row = row.saturating_add(pending).saturating_add(count);
                        pending = 0;
                        total = total.saturating_add(row.saturating_mul(row_repeats));
                    }
                    let bytes = total.saturating_mul(CELL_BYTES);
                    if bytes > limits.bytes {
                        return Err(input.over(Limit::Bytes, bytes, limits.bytes));
                    }
                }
                _ => {}
            },
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

fn repeats(tag: &BytesStart<'_>, name: &str) -> u64 {
    let value = tag.attributes().flatten().find(|attribute| attribute.key.as_ref() == name);
    value.and_then(|attribute| attribute.value.parse().ok()).unwrap_or(1)
}

/// Whether a cell has neither a value nor a formula.
fn is_empty(tag: &BytesStart<'_>) -> bool {
    !tag.attributes().flatten().any(|attribute| {
        let name: &str = attribute.key.as_ref();
        name.starts_with("office:") || name.starts_with("calcext:") || name == "table:formula"
    })
}
