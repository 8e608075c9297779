//! ZIP archives of NumPy arrays, with features and labels chosen by name.

use std::io::{Cursor, Read};

use rulesieve::data::Table;
use zip::ZipArchive;

use crate::{
    error::ReadError,
    npy::{Array, HEADER_BYTES},
    options::{Limits, ReadOptions},
    pair::{choose, join, skipped},
    source::Input,
    text::shown,
};

const FEATURES: [&str; 3] = ["X", "x", "data"];
const TARGETS: [&str; 4] = ["y", "Y", "target", "labels"];
const ENDING: &str = ".npy";

type Archive<'a> = ZipArchive<Cursor<&'a [u8]>>;

/// Reads a table.
pub(crate) fn read(input: &Input, options: &ReadOptions) -> Result<Table, ReadError> {
    let mut archive = ZipArchive::new(Cursor::new(input.bytes.as_slice()))
        .map_err(|error| input.content(format!("not a readable NPZ (ZIP) archive: {error}")))?;
    let present: Vec<String> =
        archive.file_names().filter_map(|name| Some(name.ok()?.strip_suffix(ENDING)?.to_owned())).collect();
    if present.is_empty() {
        let what = "a ZIP archive without NumPy arrays";
        return Err(input.unsupported(what, "export a spreadsheet as CSV, or save the arrays with numpy.savez"));
    }
    let chosen = choose(input, options, &present, &FEATURES, &TARGETS)?;
    let mut budget = options.limits.bytes;
    let mut columns = |name: &str| {
        let bytes = extract(input, &mut archive, name, &options.limits, &mut budget)?;
        let label = format!("'{}'", shown(name));
        Array::parse(input, &label, &bytes)?.into_columns(input, &options.limits)
    };
    let features = columns(chosen.features)?;
    let target = chosen.target.map(&mut columns).transpose()?;
    let mut table = join(input, &chosen, features, target)?;
    table.warnings.extend(skipped(&chosen, &present));
    Ok(table)
}

/// Decompresses one array after a check of its header; the byte limit applies to all arrays together.
fn extract(
    input: &Input,
    archive: &mut Archive<'_>,
    name: &str,
    limits: &Limits,
    budget: &mut u64,
) -> Result<Vec<u8>, ReadError> {
    let damaged = |error: String| input.content(format!("'{}' cannot be decompressed: {error}", shown(name)));
    let mut entry = archive.by_name(&format!("{name}{ENDING}")).map_err(|error| damaged(error.to_string()))?;
    let mut bytes = Vec::new();
    // The signature, the version and the length stand before the header.
    let head = HEADER_BYTES as u64 + 12;
    entry.by_ref().take(head).read_to_end(&mut bytes).map_err(|error| damaged(error.to_string()))?;
    let needed = Array::measure(input, &format!("'{}'", shown(name)), &bytes, limits)?;
    *budget = budget
        .checked_sub(needed)
        .ok_or_else(|| ReadError::Endless { file: input.name.clone(), limit: limits.bytes })?;
    // One byte more than needed shows that the header is wrong.
    entry.take(needed.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| damaged(error.to_string()))?;
    Ok(bytes)
}
