//! CSV and TSV. The first pass parses all cells as numbers; a second one reads the text columns.

use std::borrow::Cow;

use ::csv::StringRecord;
use rulesieve::data::{Column, ColumnData, Table};
use rulesieve::{Limit, Warning};

use crate::{
    delimiter::{Commas, read_commas},
    error::ReadError,
    options::ReadOptions,
    quotes,
    source::Input,
    text::{decode, line_at, number, shown, trimmed},
};

mod blocks;
pub(crate) mod chunks;
mod header;
mod records;

use header::choose_delimiter;
pub(crate) use header::{Header, name_columns};
use records::Records;

/// A CSV text with valid quotes and known delimiter and column names.
pub(crate) struct Sheet<'a> {
    input: &'a Input,
    text: Cow<'a, str>,
    delimiter: u8,
    has_header: bool,
    max_rows: usize,
    pub(crate) names: Vec<String>,
    index_hint: Option<String>,
    pub(crate) warnings: Vec<Warning>,
}

/// Reads a table.
pub(crate) fn read(input: &Input, options: &ReadOptions) -> Result<Table, ReadError> {
    let mut sheet = Sheet::open(input, options)?;
    let mut columns = sheet.numbers()?;
    sheet.fill_texts(&mut columns)?;
    for column in &mut columns {
        sheet.convert_commas(column);
    }
    let mut table = Table::new(columns).map_err(|error| input.table_error(error))?;
    table.index_hint = sheet.index_hint;
    table.warnings = sheet.warnings;
    Ok(table)
}

impl<'a> Sheet<'a> {
    /// Checks the quotes and finds the delimiter and the names.
    pub(crate) fn open(input: &'a Input, options: &ReadOptions) -> Result<Self, ReadError> {
        let text = decode(input)?;
        let mut warnings = Vec::new();
        let delimiter = choose_delimiter(input, text, options, &mut warnings)?;
        let text = if delimiter == b' ' { Cow::Owned(quotes::single_blanks(text)) } else { Cow::Borrowed(text) };
        quotes::check(&text, delimiter).map_err(|fault| ReadError::Quote {
            file: input.name.clone(),
            line: line_at(text.as_bytes(), fault.offset),
            problem: fault.problem,
        })?;
        let max_rows = options.limits.rows;
        let mut first = StringRecord::new();
        if !Records::new(text.as_bytes(), delimiter, 1).next(input, 0, &mut first)? {
            return Err(input.empty("is empty"));
        }
        options.limits.check_columns(input, first.len())?;
        let Header { in_first_row: has_header, names, index_hint } =
            name_columns(input, &first, options.header, &mut warnings)?;
        Ok(Self { input, text, delimiter, has_header, max_rows, names, index_hint, warnings })
    }

    /// Calls `visit` with each data row and returns the number of rows. Rejects ragged rows, too many rows, and no rows.
    pub(crate) fn for_each_row(
        &self,
        mut visit: impl FnMut(&StringRecord) -> Result<(), ReadError>,
    ) -> Result<usize, ReadError> {
        let mut records = Records::new(self.text.as_bytes(), self.delimiter, 1);
        let mut record = StringRecord::new();
        let mut rows = 0;
        let mut is_header = self.has_header;
        // 0 for the first row, as when the names were read.
        let mut columns = 0;
        while records.next(self.input, columns, &mut record)? {
            columns = self.names.len();
            if std::mem::take(&mut is_header) {
                continue;
            }
            records.check_width(self.input, &record, self.names.len())?;
            rows += 1;
            if rows > self.max_rows {
                return Err(self.input.over(Limit::Rows, rows as u64, self.max_rows as u64));
            }
            visit(&record)?;
        }
        if rows == 0 {
            return Err(self.input.empty("has a header but no rows"));
        }
        Ok(rows)
    }

    /// Reads the numeric columns; text columns are empty.
    fn numbers(&self) -> Result<Vec<Column>, ReadError> {
        let mut columns: Vec<Option<Vec<f64>>> = vec![Some(Vec::new()); self.names.len()];
        self.for_each_row(|record| {
            for (cell, column) in record.iter().zip(&mut columns) {
                if let Some(values) = column {
                    match number(trimmed(cell)) {
                        Some(value) => values.push(value),
                        None => *column = None,
                    }
                }
            }
            Ok(())
        })?;
        let named = self.names.iter().zip(columns);
        Ok(named
            .map(|(name, values)| match values {
                Some(values) => Column::numeric(name, values),
                None => Column::text::<&str>(name, []),
            })
            .collect())
    }

    fn fill_texts(&self, columns: &mut [Column]) -> Result<(), ReadError> {
        let mut texts: Vec<_> = columns
            .iter_mut()
            .enumerate()
            .filter_map(|(at, column)| match &mut column.data {
                ColumnData::Text(text) => Some((at, text)),
                ColumnData::Numeric(_) | ColumnData::Dates(_) => None,
            })
            .collect();
        if texts.is_empty() {
            return Ok(());
        }
        self.for_each_row(|record| {
            for (at, text) in &mut texts {
                text.push(trimmed(record.get(*at).unwrap_or_default()));
            }
            Ok(())
        })?;
        Ok(())
    }

    /// Converts texts with decimal commas to numbers, and warns about thousands separators.
    fn convert_commas(&mut self, column: &mut Column) {
        let ColumnData::Text(text) = &column.data else { return };
        let name = shown(&column.name);
        match read_commas(text, self.delimiter) {
            Commas::Decimal(values) => {
                Warning::DecimalCommas { columns: vec![name] }.add(&mut self.warnings);
                column.data = ColumnData::Numeric(values);
            }
            Commas::Thousands(example) => {
                let example = shown(&example);
                Warning::ThousandsSeparators { columns: vec![name], example }.add(&mut self.warnings);
            }
            Commas::None => {}
        }
    }
}
