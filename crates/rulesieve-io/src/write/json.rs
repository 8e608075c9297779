//! Tables as JSON objects: numbers, texts, and null for missing cells.

use std::io::{self, Write};

use rulesieve::data::table::{Column, ColumnData, Table, format_number};

use crate::text::shown;

/// Writes an object for every row, between the texts `before(row)` and `after`.
pub(super) fn write_objects(
    table: &Table,
    before: impl Fn(usize) -> &'static str,
    after: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let keys: Vec<String> =
        table.columns().iter().map(|column| serde_json::to_string(&column.name)).collect::<Result<_, _>>()?;
    for row in 0..table.rows() {
        write!(out, "{}{{", before(row))?;
        for (at, (column, key)) in table.columns().iter().zip(&keys).enumerate() {
            write!(out, "{}{key}:", if at == 0 { "" } else { "," })?;
            write_cell(column, row, out)?;
        }
        write!(out, "}}{after}")?;
    }
    Ok(())
}

fn write_cell(column: &Column, row: usize, out: &mut dyn Write) -> io::Result<()> {
    match &column.data {
        ColumnData::Numeric(values) | ColumnData::Dates(values) if values[row].is_nan() => out.write_all(b"null"),
        ColumnData::Dates(_) => Ok(serde_json::to_writer(out, &column.cell(row))?),
        ColumnData::Numeric(values) if values[row].is_infinite() => {
            let name = shown(&column.name);
            Err(io::Error::other(format!("column '{name}' is infinite in row {}, which JSON cannot express", row + 1)))
        }
        ColumnData::Numeric(values) => out.write_all(format_number(values[row]).as_bytes()),
        ColumnData::Text(text) if text.get(row).is_empty() => out.write_all(b"null"),
        ColumnData::Text(text) => Ok(serde_json::to_writer(out, text.get(row))?),
    }
}
