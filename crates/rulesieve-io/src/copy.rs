//! Keeping some columns of a source, by name.

use std::{collections::HashMap, io::Write};

use rulesieve::data::Table;

use crate::{
    csv::Sheet,
    error::ReadError,
    near::describe_missing,
    options::{Format, ReadOptions},
    source::{Source, load},
    write::{csv_writer, io_error, write_csv},
};

/// Writes the named columns, in the order given, as CSV with a header; returns the number of data rows.
///
/// The cells of CSV and TSV are copied as they stand, `1.50` stays `1.50`; other formats are read and written anew.
///
/// # Errors
///
/// A source that cannot be read, names it does not have (all of them at once, before anything is written), a writer
/// that fails.
pub fn copy_columns(
    source: &Source,
    options: &ReadOptions,
    names: &[String],
    writer: &mut dyn Write,
) -> Result<usize, ReadError> {
    let input = load(source, options)?;
    if !matches!(input.format, Format::Csv | Format::Tsv) {
        return copy_table(&input.name, crate::read_input(&input, options)?, names, writer);
    }
    let sheet = Sheet::open(&input, options)?;
    let positions = find(&input.name, &sheet.names, names)?;
    let mut out = csv_writer(writer);
    let failed = |error| ReadError::Write(io_error(error));
    out.write_record(names).map_err(failed)?;
    let rows = sheet.for_each_row(|record| {
        let cells = positions.iter().map(|&at| record.get(at).unwrap_or_default());
        out.write_record(cells).map_err(failed)
    })?;
    out.flush()?;
    Ok(rows)
}

fn copy_table(file: &str, table: Table, names: &[String], writer: &mut dyn Write) -> Result<usize, ReadError> {
    let present: Vec<String> = table.columns().iter().map(|column| column.name.clone()).collect();
    let positions = find(file, &present, names)?;
    let kept = positions.iter().map(|&at| table.columns()[at].clone()).collect();
    let kept = Table::new(kept).map_err(|source| ReadError::Table { file: file.to_owned(), source })?;
    write_csv(&kept, writer)?;
    Ok(kept.rows())
}

/// Positions of the names, or one error with all that are missing.
fn find(file: &str, present: &[String], names: &[String]) -> Result<Vec<usize>, ReadError> {
    let places: HashMap<&str, usize> = present.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
    let missing: Vec<&str> = names.iter().map(String::as_str).filter(|name| !places.contains_key(name)).collect();
    if !missing.is_empty() {
        let missing = describe_missing(&missing, present);
        return Err(ReadError::MissingColumns { file: file.to_owned(), missing });
    }
    Ok(names.iter().filter_map(|name| places.get(name.as_str()).copied()).collect())
}
