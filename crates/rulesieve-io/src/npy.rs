//! NumPy arrays: a text header, then the elements.

use rulesieve::data::{Column, ColumnData, Table};

use crate::{
    cells::Cells,
    error::ReadError,
    options::{Limits, ReadOptions},
    source::Input,
    text::shown,
};

mod dtype;
mod header;

pub(crate) use header::HEADER_BYTES;

use dtype::Dtype;
use header::Header;

/// Reads a table from a 1-D array (one column) or a 2-D one (columns `c1..cM`).
pub(crate) fn read(input: &Input, options: &ReadOptions) -> Result<Table, ReadError> {
    let array = Array::parse(input, "the array", &input.bytes)?;
    let columns = array.into_columns(input, &options.limits)?;
    let named = columns.into_iter().enumerate().map(|(at, data)| Column { name: format!("c{}", at + 1), data });
    Table::new(named.collect()).map_err(|error| input.table_error(error))
}

/// An array with as many bytes as its shape and type require.
pub(crate) struct Array<'a> {
    name: &'a str,
    rows: usize,
    columns: usize,
    fortran_order: bool,
    dtype: Dtype,
    data: &'a [u8],
}

impl<'a> Array<'a> {
    /// Parses the header at the start of `bytes`; the rest is taken for the data.
    fn begin(input: &Input, name: &'a str, bytes: &'a [u8]) -> Result<Self, ReadError> {
        let (header, data) = Header::split(bytes).map_err(|problem| input.content(format!("{name} {problem}")))?;
        let dtype = Dtype::parse(&header.descr).map_err(|reason| {
            let what = format!("{name} of type '{}', {reason}", shown(&header.descr));
            input.unsupported(what, "save it as a numeric array, for example with astype(float)")
        })?;
        let (rows, columns) = match header.shape.as_slice() {
            &[rows] => (rows, 1),
            &[rows, columns] => (rows, columns),
            other => {
                let what = format!("{name} with {} dimensions", other.len());
                return Err(input.unsupported(what, "save it with one row per sample, as a 1-D or 2-D array"));
            }
        };
        Ok(Self { name, rows, columns, fortran_order: header.fortran_order, dtype, data })
    }

    /// Parses the header and checks it against the bytes that follow.
    pub(crate) fn parse(input: &Input, name: &'a str, bytes: &'a [u8]) -> Result<Self, ReadError> {
        let array = Self::begin(input, name, bytes)?;
        let Self { rows, columns, dtype, data, .. } = array;
        let needed = rows.checked_mul(columns).and_then(|cells| cells.checked_mul(dtype.size()));
        if needed != Some(data.len()) {
            let problem = format!(
                "{name} claims {rows} x {columns} values of {} bytes, but {} bytes follow; the file is damaged",
                dtype.size(),
                data.len()
            );
            return Err(input.content(problem));
        }
        Ok(array)
    }

    /// Checks an array against the limits by its header, before its data is decompressed; returns the memory it needs.
    pub(crate) fn measure(input: &Input, name: &str, head: &[u8], limits: &Limits) -> Result<u64, ReadError> {
        let array = Array::begin(input, name, head)?;
        limits.check_table(input, array.rows, array.columns)?;
        let cells = (array.rows as u64).saturating_mul(array.columns as u64);
        Ok(cells.saturating_mul(array.dtype.size().max(8) as u64))
    }

    /// Converts the array to columns.
    pub(crate) fn into_columns(self, input: &Input, limits: &Limits) -> Result<Vec<ColumnData>, ReadError> {
        if self.rows == 0 || self.columns == 0 {
            return Err(input.content(format!("{} has no values (shape {} x {})", self.name, self.rows, self.columns)));
        }
        limits.check_table(input, self.rows, self.columns)?;
        (0..self.columns).map(|column| self.column(input, column)).collect()
    }

    fn column(&self, input: &Input, column: usize) -> Result<ColumnData, ReadError> {
        let size = self.dtype.size();
        let cell = |row: usize| {
            let at = if self.fortran_order { column * self.rows + row } else { row * self.columns + column };
            &self.data[at * size..(at + 1) * size]
        };
        let cells = (0..self.rows).map(cell);
        if self.dtype.is_text() {
            let mut text = rulesieve::data::TextColumn::default();
            for (row, bytes) in cells.enumerate() {
                let value = self.dtype.text(bytes).ok_or_else(|| {
                    input.content(format!("{}, row {}: the text is not valid Unicode", self.name, row + 1))
                })?;
                text.push(value.trim());
            }
            return Ok(ColumnData::Text(text));
        }
        if self.dtype.is_large() {
            let mut integers = Cells::Numbers(Vec::with_capacity(self.rows));
            cells.for_each(|bytes| integers.push_integer(Some(self.dtype.integer(bytes))));
            return Ok(integers.into_data());
        }
        Ok(ColumnData::Numeric(cells.map(|bytes| self.dtype.number(bytes)).collect()))
    }
}
