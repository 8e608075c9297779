//! Copying named columns of a source to another file.

use std::{collections::HashMap, io::Write};

use rulesieve::Warning;
use rulesieve::data::Table;

use crate::{
    csv::Sheet,
    error::ReadError,
    near::describe_missing,
    options::{Format, ReadOptions},
    source::{Source, load},
    write::{TableFormat, TableWriter, csv_writer, io_error, write_table},
};

/// What [`copy_columns`] has copied.
#[derive(Debug, Clone, PartialEq)]
pub struct Copied {
    /// Number of data rows.
    pub rows: usize,
    /// Warnings about reading the source.
    pub warnings: Vec<Warning>,
}

/// Writes the named columns in the given order.
///
/// From CSV or TSV to CSV or TSV, cells are copied unchanged (`1.50` stays `1.50`); otherwise they are converted.
///
/// # Errors
///
/// An unreadable source, missing columns (all of them in one error, before anything is written), or a write error.
pub fn copy_columns(
    source: &Source,
    options: &ReadOptions,
    names: &[String],
    format: TableFormat,
    writer: &mut dyn Write,
) -> Result<Copied, ReadError> {
    let (options, mut warnings) = options.resolved();
    let options = &options;
    let input = load(source, options)?;
    let delimiter = match (input.format, format.delimiter()) {
        (Format::Csv | Format::Tsv, Some(delimiter)) => delimiter,
        _ => {
            let mut table = crate::read_input(&input, options)?;
            warnings.splice(..0, std::mem::take(&mut table.warnings));
            let rows = copy_table(&input.name, table, names, format, writer)?;
            return Ok(Copied { rows, warnings });
        }
    };
    let sheet = Sheet::open(&input, options)?;
    warnings.splice(..0, sheet.warnings().cloned());
    let positions = find(&input.name, sheet.names(), names)?;
    let mut writer = TableWriter::new(format, writer)?;
    let mut out = csv_writer(&mut writer.out, delimiter);
    let failed = |error| ReadError::Write(io_error(error));
    out.write_record(names).map_err(failed)?;
    let rows = sheet
        .for_each_row(|cells| out.write_record(positions.iter().map(|&at| cells[at].as_bytes())).map_err(failed))?;
    out.flush()?;
    drop(out);
    writer.finish()?;
    Ok(Copied { rows, warnings })
}

fn copy_table(
    file: &str,
    table: Table,
    names: &[String],
    format: TableFormat,
    writer: &mut dyn Write,
) -> Result<usize, ReadError> {
    let present: Vec<String> = table.columns().iter().map(|column| column.name.clone()).collect();
    let positions = find(file, &present, names)?;
    let columns = positions.iter().map(|&at| table.columns()[at].clone()).collect();
    let table = Table::new(columns).map_err(|source| ReadError::Table { file: file.to_owned(), source })?;
    write_table(&table, format, writer)?;
    Ok(table.rows())
}

/// The indices of the names, or one error with all missing names.
fn find(file: &str, present: &[String], names: &[String]) -> Result<Vec<usize>, ReadError> {
    let indices: HashMap<&str, usize> = present.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
    let missing: Vec<&str> = names.iter().map(String::as_str).filter(|name| !indices.contains_key(name)).collect();
    if !missing.is_empty() {
        let missing = describe_missing(&missing, present);
        return Err(ReadError::MissingColumns { file: file.to_owned(), missing });
    }
    Ok(names.iter().filter_map(|name| indices.get(name.as_str()).copied()).collect())
}
