//! Decompressed size of the parts of a workbook, measured before the library reads them.

use std::io::{self, Cursor, Read};

use zip::ZipArchive;

use crate::{error::ReadError, options::Limits, source::Input, text::shown};

/// What the names of the parts show.
pub(super) struct Parts {
    pub(super) is_open_document: bool,
    pub(super) is_binary: bool,
}

/// Decompresses all parts, up to the limit.
pub(super) fn check(input: &Input, limits: &Limits) -> Result<Parts, ReadError> {
    let damaged = |error: &dyn std::fmt::Display| {
        input.damaged(format!("the workbook is damaged or cut off ({})", shown(&error.to_string())))
    };
    let mut archive = ZipArchive::new(Cursor::new(input.bytes.as_slice())).map_err(|error| damaged(&error))?;
    let mut parts = Parts { is_open_document: false, is_binary: false };
    let mut left = limits.bytes;
    for at in 0..archive.len() {
        let part = archive.by_index(at).map_err(|error| damaged(&error))?;
        match part.name_raw() {
            b"content.xml" => parts.is_open_document = true,
            b"xl/workbook.bin" => parts.is_binary = true,
            _ => {}
        }
        let size =
            io::copy(&mut part.take(left.saturating_add(1)), &mut io::sink()).map_err(|error| damaged(&error))?;
        left = left
            .checked_sub(size)
            .ok_or_else(|| ReadError::Endless { file: input.name.clone(), limit: limits.bytes })?;
    }
    Ok(parts)
}
