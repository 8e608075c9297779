//! CSV in chunks of rows, with column types that carry over from chunk to chunk.

use ::csv::StringRecord;
use rulesieve::data::{Column, Table, table::is_missing};
use rulesieve::{Limit, Warning};

use crate::{
    chunks::Kind,
    delimiter::decimal_comma,
    error::ReadError,
    options::ReadOptions,
    source::{Input, Opened},
    text::{number, shown, trimmed},
};

use super::{
    blocks::Blocks,
    header::{Header, name_columns},
    records::Records,
};

/// Reads CSV text in chunks of rows.
pub(crate) struct CsvChunks<'a> {
    blocks: Blocks<'a>,
    records: Option<Records<Vec<u8>>>,
    pub(crate) names: Vec<String>,
    types: Vec<TypeGuess>,
    index_hint: Option<String>,
    warnings: Vec<Warning>,
    max_rows: usize,
    /// Rows read so far.
    rows: usize,
    /// The first row if it is data.
    first: Option<(usize, StringRecord)>,
    /// Buffer for the rows of the current chunk with their line numbers.
    buffer: Vec<(usize, StringRecord)>,
}

/// The possible types of a column, given its cells so far.
#[derive(Debug, Clone, Copy)]
struct TypeGuess {
    /// All cells so far are numbers.
    plain: bool,
    /// All cells so far are numbers if the comma is the decimal separator.
    decimal: bool,
    /// Some cell so far contains a comma.
    comma: bool,
}

impl<'a> CsvChunks<'a> {
    /// Finds delimiter and names.
    pub(crate) fn open(opened: Opened<'a>, options: &ReadOptions) -> Result<Self, ReadError> {
        let mut warnings = Vec::new();
        let mut blocks = Blocks::open(opened, options, &mut warnings)?;
        let mut first = StringRecord::new();
        let (line, records) = loop {
            let Some(mut records) = blocks.next()? else { return Err(blocks.input().empty("is empty")) };
            if records.next(blocks.input(), 0, &mut first)? {
                break (records.line_of(&first), records);
            }
        };
        options.limits.check_columns(blocks.input(), first.len())?;
        let Header { in_first_row, names, index_hint } =
            name_columns(blocks.input(), &first, options.header, &mut warnings)?;
        let guess = TypeGuess { plain: true, decimal: blocks.delimiter != b',', comma: false };
        Ok(Self {
            types: vec![guess; names.len()],
            records: Some(records),
            first: (!in_first_row).then_some((line, first)),
            max_rows: options.limits.rows,
            rows: 0,
            buffer: Vec::new(),
            blocks,
            names,
            index_hint,
            warnings,
        })
    }

    /// Reads at most `rows` rows. Column types are those of `wanted`, else those that all cells so far allow.
    pub(crate) fn next(&mut self, rows: usize, wanted: &[Option<Kind>]) -> Result<Option<Table>, ReadError> {
        let mut count = 0;
        while count < rows {
            if self.buffer.len() == count {
                self.buffer.push(Default::default());
            }
            let mut row = std::mem::take(&mut self.buffer[count]);
            let more = self.next_row(&mut row)?;
            self.buffer[count] = row;
            if !more {
                break;
            }
            count += 1;
        }
        if self.rows == 0 {
            return Err(self.blocks.input().empty("has a header but no rows"));
        }
        if count == 0 {
            return Ok(None);
        }
        let mut columns = Vec::with_capacity(self.names.len());
        for (at, name) in self.names.iter().enumerate() {
            let cells = Cells { rows: &self.buffer[..count], at };
            let guess = &mut self.types[at];
            let was_decimal = !guess.plain;
            columns.push(match wanted.get(at).copied().flatten() {
                Some(Kind::Text) => Column::text(name, cells.iter()),
                kind => guess.column(self.blocks.input(), name, &cells, kind == Some(Kind::Number))?,
            });
            if guess.decimal && guess.comma && !guess.plain && !was_decimal {
                Warning::DecimalCommas { columns: vec![shown(name)] }.add(&mut self.warnings);
            }
        }
        let mut table = Table::new(columns).map_err(|error| self.blocks.input().table_error(error))?;
        table.index_hint = self.index_hint.clone();
        table.warnings = std::mem::take(&mut self.warnings);
        Ok(Some(table))
    }

    fn next_row(&mut self, row: &mut (usize, StringRecord)) -> Result<bool, ReadError> {
        if let Some(first) = self.first.take() {
            *row = first;
        } else if !self.next_record(row)? {
            return Ok(false);
        }
        self.rows += 1;
        if self.rows > self.max_rows {
            let (found, limit) = (self.rows as u64, self.max_rows as u64);
            return Err(self.blocks.input().over(Limit::Rows, found, limit));
        }
        Ok(true)
    }

    fn next_record(&mut self, (line, record): &mut (usize, StringRecord)) -> Result<bool, ReadError> {
        loop {
            if let Some(records) = &mut self.records
                && records.next(self.blocks.input(), self.names.len(), record)?
            {
                *line = records.line_of(record);
                records.check_width(self.blocks.input(), record, self.names.len())?;
                return Ok(true);
            }
            self.records = self.blocks.next()?;
            if self.records.is_none() {
                return Ok(false);
            }
        }
    }
}

/// The cells of one column of a chunk.
struct Cells<'a> {
    rows: &'a [(usize, StringRecord)],
    at: usize,
}

impl<'a> Cells<'a> {
    fn iter(&self) -> impl Iterator<Item = &'a str> {
        let at = self.at;
        self.rows.iter().map(move |(_, record)| trimmed(record.get(at).unwrap_or_default()))
    }
}

impl TypeGuess {
    /// Converts the cells to the type that all cells so far allow; an error if `must` is set and some cell is not a number.
    fn column(&mut self, input: &Input, name: &str, cells: &Cells, must: bool) -> Result<Column, ReadError> {
        let plain = if self.plain { cells.iter().map(number).collect::<Option<Vec<f64>>>() } else { None };
        self.plain = plain.is_some();
        if self.decimal {
            // Usually stops at the first cell, which has a decimal point.
            self.decimal = cells.iter().all(|cell| is_missing(cell) || decimal_comma(cell).is_some());
            self.comma |= self.decimal && cells.iter().any(|cell| cell.contains(','));
        }
        if let Some(values) = plain {
            return Ok(Column::numeric(name, values));
        }
        if self.decimal && self.comma {
            return Ok(Column::numeric(
                name,
                cells.iter().map(|cell| decimal_comma(cell).unwrap_or(f64::NAN)).collect(),
            ));
        }
        if must {
            let bad = cells.rows.iter().zip(cells.iter()).find(|(_, cell)| number(cell).is_none());
            let (line, cell) = bad.map_or((0, ""), |((line, _), cell)| (*line, cell));
            return Err(input.cell_error(line, name, cell, "a number"));
        }
        Ok(Column::text(name, cells.iter()))
    }
}
