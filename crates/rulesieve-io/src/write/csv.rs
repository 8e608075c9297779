//! CSV and TSV output.

use std::io::{self, Write};

use rulesieve::data::table::{ColumnData, Table, format_number};

/// Writes a table as CSV with a header: cells quoted if needed, numbers in their shortest exact form, missing numbers empty.
///
/// # Errors
///
/// Those of the writer.
pub fn write_csv(table: &Table, writer: &mut dyn Write) -> io::Result<()> {
    write_rows(table, b',', true, writer)
}

/// Writes the rows of a table, after its names if `header` is set.
pub(super) fn write_rows(table: &Table, delimiter: u8, header: bool, writer: &mut dyn Write) -> io::Result<()> {
    let mut out = csv_writer(writer, delimiter);
    if header {
        out.write_record(table.columns().iter().map(|column| &column.name)).map_err(io_error)?;
    }
    for row in 0..table.rows() {
        for column in table.columns() {
            let written = match &column.data {
                ColumnData::Text(text) => out.write_field(text.get(row)),
                ColumnData::Dates(_) => out.write_field(column.cell(row)),
                ColumnData::Numeric(values) if values[row].is_nan() => out.write_field(""),
                ColumnData::Numeric(values) => out.write_field(format_number(values[row])),
            };
            written.map_err(io_error)?;
        }
        out.write_record(None::<&[u8]>).map_err(io_error)?;
    }
    out.flush()
}

pub(crate) fn csv_writer(writer: &mut dyn Write, delimiter: u8) -> ::csv::Writer<&mut dyn Write> {
    ::csv::WriterBuilder::new().flexible(true).delimiter(delimiter).from_writer(writer)
}

pub(crate) fn io_error(error: ::csv::Error) -> io::Error {
    match error.into_kind() {
        ::csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
