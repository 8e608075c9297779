//! CSV and TSV: every cell is first tried as a number; only columns with other texts are gone through again.

use std::borrow::Cow;

use ::csv::{ReaderBuilder, StringRecord};
use rulesieve::data::{Column, ColumnData, Table};

use crate::{
    delimiter::{Commas, read_commas, sniff},
    error::ReadError,
    options::{Format, ReadOptions},
    quotes,
    source::Input,
    text::{decode, line_at, number, shown, trimmed},
};

const NAME_BYTES: usize = 1000;

/// A CSV text whose quotes are sound, whose delimiter is known and whose columns are named.
pub(crate) struct Sheet<'a> {
    input: &'a Input,
    text: Cow<'a, str>,
    delimiter: u8,
    has_header: bool,
    max_rows: usize,
    pub(crate) names: Vec<String>,
    pub(crate) notices: Vec<String>,
}

/// Reads a table.
pub(crate) fn read(input: &Input, options: &ReadOptions) -> Result<Table, ReadError> {
    let mut sheet = Sheet::open(input, options)?;
    let mut columns = sheet.numbers()?;
    sheet.fill_texts(&mut columns)?;
    for column in &mut columns {
        sheet.settle_commas(column);
    }
    let mut table = Table::new(columns).map_err(|error| input.table_error(error))?;
    table.notices = sheet.notices;
    Ok(table)
}

impl<'a> Sheet<'a> {
    /// Finds delimiter and names.
    pub(crate) fn open(input: &'a Input, options: &ReadOptions) -> Result<Self, ReadError> {
        let text = decode(input)?;
        let mut notices = Vec::new();
        let delimiter = choose_delimiter(input, text, options, &mut notices)?;
        let text = if delimiter == b' ' { Cow::Owned(quotes::single_blanks(text)) } else { Cow::Borrowed(text) };
        quotes::check(&text, delimiter).map_err(|fault| ReadError::Quote {
            file: input.name.clone(),
            line: line_at(text.as_bytes(), fault.offset),
            problem: fault.problem,
        })?;
        let max_rows = options.limits.rows;
        let mut sheet = Self { input, text, delimiter, has_header: true, max_rows, names: Vec::new(), notices };
        let first = sheet.first_record()?;
        options.limits.check_columns(input, first.len())?;
        sheet.name_columns(&first, options.header)?;
        Ok(sheet)
    }

    /// Calls `visit` with each row of data and returns their number; refuses ragged rows, too many, and none.
    pub(crate) fn for_each_row(
        &self,
        mut visit: impl FnMut(&StringRecord) -> Result<(), ReadError>,
    ) -> Result<usize, ReadError> {
        let mut reader = self.reader();
        let mut record = StringRecord::new();
        let mut rows = 0;
        let mut is_header = self.has_header;
        while self.next_record(&mut reader, &mut record)? {
            if std::mem::take(&mut is_header) {
                continue;
            }
            if record.len() != self.names.len() {
                let (line, found, expected) = (self.line_of(&record), record.len(), self.names.len());
                return Err(ReadError::Ragged { file: self.input.name.clone(), line, found, expected });
            }
            rows += 1;
            if rows > self.max_rows {
                return Err(self.input.over("rows", rows as u64, self.max_rows as u64, "--max-rows"));
            }
            visit(&record)?;
        }
        if rows == 0 {
            return Err(self.input.empty("has a header but no rows"));
        }
        Ok(rows)
    }

    fn reader(&self) -> ::csv::Reader<&[u8]> {
        ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(self.delimiter)
            .from_reader(self.text.as_bytes())
    }

    /// The next record that is not a blank line.
    fn next_record(&self, reader: &mut ::csv::Reader<&[u8]>, record: &mut StringRecord) -> Result<bool, ReadError> {
        loop {
            let more = reader.read_record(record).map_err(|error| self.input.content(error.to_string()))?;
            let lone = if record.len() == 1 { record.get(0) } else { None };
            // In a file of one column a quoted empty cell is a row, blanks on a line are not.
            let is_blank =
                lone.is_some_and(|cell| trimmed(cell).is_empty() && (!cell.is_empty() || self.names.len() != 1));
            if !more || !is_blank {
                return Ok(more);
            }
        }
    }

    fn first_record(&self) -> Result<StringRecord, ReadError> {
        let mut record = StringRecord::new();
        if !self.next_record(&mut self.reader(), &mut record)? {
            return Err(self.input.empty("is empty"));
        }
        Ok(record)
    }

    /// The line where a record begins; blank lines passed on the way to it do not count.
    fn line_of(&self, record: &StringRecord) -> usize {
        let bytes = self.text.as_bytes();
        let start = record.position().map_or(0, |position| position.byte() as usize).min(bytes.len());
        let blanks = bytes[start..].iter().take_while(|&&byte| byte == b'\n' || byte == b'\r').count();
        line_at(bytes, start + blanks)
    }

    fn name_columns(&mut self, first: &StringRecord, header: Option<bool>) -> Result<(), ReadError> {
        let values: Vec<Option<f64>> = first.iter().map(|cell| number(trimmed(cell))).collect();
        let some_number = values.iter().flatten().any(|value| !value.is_nan());
        let all_numbers = some_number && values.iter().all(Option::is_some);
        self.has_header = header.unwrap_or(!all_numbers);
        if !self.has_header {
            self.names = (1..=first.len()).map(|position| format!("c{position}")).collect();
            if header.is_none() {
                let last = first.len();
                self.notices.push(format!("the first row holds only numbers, so the columns are named c1 to c{last}"));
            }
            return Ok(());
        }
        self.names = first.iter().map(|name| trimmed(name).to_owned()).collect();
        if let Some(at) = self.names.iter().position(|name| name.len() > NAME_BYTES) {
            let (name, bytes) = (shown(&self.names[at]), self.names[at].len());
            return Err(ReadError::LongName { file: self.input.name.clone(), position: at + 1, name, bytes });
        }
        // A table without cells finds missing and repeated names before any cell is read.
        let empty = self.names.iter().map(|name| Column::numeric(name, Vec::new())).collect();
        Table::new(empty).map_err(|error| self.input.table_error(error))?;
        if header.is_none() && some_number {
            let like = values.iter().position(|value| value.is_some_and(|value| !value.is_nan())).unwrap_or(0);
            let name = shown(&self.names[like]);
            self.notices.push(format!(
                "the first row was taken for the names although '{name}' is a number; \
                 if it is a row of data, use --header no"
            ));
        }
        Ok(())
    }

    /// The columns that hold only numbers; the others come back empty.
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
                ColumnData::Numeric(_) => None,
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

    /// Turns texts with decimal commas into numbers, and tells of thousands separators.
    fn settle_commas(&mut self, column: &mut Column) {
        let ColumnData::Text(text) = &column.data else { return };
        let name = shown(&column.name);
        match read_commas(text, self.delimiter) {
            Commas::Decimal(values) => {
                self.notices.push(format!("column '{name}': the comma was read as the decimal sign"));
                column.data = ColumnData::Numeric(values);
            }
            Commas::Thousands(example) => self.notices.push(format!(
                "column '{name}' was kept as text: digits such as '{}' seem to be grouped by thousands; \
                 remove the separators to make it numeric",
                shown(&example)
            )),
            Commas::None => {}
        }
    }
}

fn choose_delimiter(
    input: &Input,
    text: &str,
    options: &ReadOptions,
    notices: &mut Vec<String>,
) -> Result<u8, ReadError> {
    if let Some(delimiter) = options.delimiter {
        if matches!(delimiter, b'"' | b'\n' | b'\r') || !delimiter.is_ascii() {
            let given = shown(&char::from(delimiter).to_string());
            return Err(
                input.content(format!("'{given}' cannot delimit cells; give one ASCII character such as , or ;"))
            );
        }
        return Ok(delimiter);
    }
    if input.format == Format::Tsv {
        return Ok(b'\t');
    }
    let delimiter = sniff(text);
    let name = match delimiter {
        b',' => return Ok(delimiter),
        b'\t' => "tabs".to_owned(),
        b' ' => "blanks".to_owned(),
        other => format!("'{}'", char::from(other)),
    };
    notices.push(format!("the columns are separated by {name} (detected)"));
    Ok(delimiter)
}
