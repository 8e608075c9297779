//! Messages of a stream: metadata and a body.

use super::flat::{Flat, array};

const CUT: &str = "the Arrow data is cut off or damaged";

/// A table.
pub(super) struct Content<'a> {
    pub(super) schema: Flat<'a>,
    pub(super) messages: Vec<Message<'a>>,
}

/// One message.
pub(super) struct Message<'a> {
    pub(super) header: Header<'a>,
    pub(super) body: &'a [u8],
}

/// What a message holds.
pub(super) enum Header<'a> {
    /// Values that indices stand for; `is_delta` adds to earlier ones.
    Dictionary { id: i64, rows: Flat<'a>, is_delta: bool },
    /// A batch of rows.
    Rows(Flat<'a>),
}

/// Finds the messages that the footer of a file lists, dictionaries first.
pub(super) fn of_file(file: &[u8]) -> Result<Content<'_>, &'static str> {
    let rest = file.strip_suffix(super::MAGIC).ok_or(CUT)?;
    let (rest, length) = rest.split_last_chunk().ok_or(CUT)?;
    let start = rest.len().checked_sub(u32::from_le_bytes(*length) as usize).ok_or(CUT)?;
    let footer = Flat::root(&rest[start..]).ok_or(CUT)?;
    let blocks = [2, 3].map(|field| footer.structures::<24>(field).unwrap_or_default()).concat();
    // Blocks may overlap, so their number is bounded by a size that they cannot be below.
    if blocks.len() / 24 > file.len() / 8 {
        return Err(CUT);
    }
    let message = |block: &[u8]| {
        let start = usize::try_from(i64::from_le_bytes(array(block, 0).ok_or(CUT)?)).map_err(|_| CUT)?;
        let (schema, message, _) = next(file.get(start..).ok_or(CUT)?)?.ok_or(CUT)?;
        if schema.is_some() { Err(CUT) } else { message.ok_or(CUT) }
    };
    let messages = blocks.chunks_exact(24).map(message).collect::<Result<_, _>>()?;
    Ok(Content { schema: footer.table(1).ok_or(CUT)?, messages })
}

/// Splits a stream into messages.
pub(super) fn of_stream(stream: &[u8]) -> Result<Content<'_>, &'static str> {
    let (schema, _, mut rest) = next(stream)?.ok_or("the Arrow data is empty")?;
    let schema = schema.ok_or("the Arrow data does not begin with a schema")?;
    let mut messages = Vec::new();
    while let Some((_, message, after)) = next(rest)? {
        messages.push(message.ok_or("the Arrow data has two schemas")?);
        rest = after;
    }
    Ok(Content { schema, messages })
}

/// A schema or a message, and the bytes after it.
type Next<'a> = (Option<Flat<'a>>, Option<Message<'a>>, &'a [u8]);

/// Reads the first message; `None` at the end of a stream.
fn next(rest: &[u8]) -> Result<Option<Next<'_>>, &'static str> {
    if rest.is_empty() {
        return Ok(None);
    }
    // Before version 0.15, the length was not preceded by a marker.
    let skipped = if rest.starts_with(super::CONTINUATION) { 4 } else { 0 };
    let length = u32::from_le_bytes(array(rest, skipped).ok_or(CUT)?) as usize;
    if length == 0 {
        return Ok(None);
    }
    let (metadata, after) = rest[skipped + 4..].split_at_checked(length).ok_or(CUT)?;
    let message = Flat::root(metadata).ok_or(CUT)?;
    let size = usize::try_from(message.long(3)).map_err(|_| CUT)?;
    let (body, after) = after.split_at_checked(size).ok_or(CUT)?;
    let header = message.table(2).ok_or(CUT)?;
    let header = match message.byte(1) {
        1 => return Ok(Some((Some(header), None, after))),
        2 => {
            let rows = header.table(1).ok_or(CUT)?;
            Header::Dictionary { id: header.long(0), rows, is_delta: header.byte(2) != 0 }
        }
        3 => Header::Rows(header),
        _ => return Err("the Arrow data holds tensors, not a table"),
    };
    Ok(Some((None, Some(Message { header, body }), after)))
}
