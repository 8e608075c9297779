//! Parquet in chunks of rows: each column of a row group is read page by page.

use std::fs::File;

use ::parquet::{
    column::reader::ColumnReader,
    file::reader::{FileReader, SerializedFileReader},
};
use rulesieve::data::Table;

use super::{check_file, damaged_data};
use crate::{error::ReadError, guard::catch_panics, options::Limits, source::Input, text::shown};

/// Reads a Parquet file in chunks of rows.
pub(crate) struct ParquetChunks {
    input: Input,
    file: SerializedFileReader<File>,
    next_group: usize,
    /// Readers of the columns of the current row group, and its number of unread rows.
    readers: Vec<ColumnReader>,
    left: usize,
}

impl ParquetChunks {
    /// Opens a file and checks its metadata.
    pub(crate) fn open(mut input: Input, file: File, limits: &Limits) -> Result<Self, ReadError> {
        input.bytes = Vec::new();
        let file = catch_panics(|| check_file(&input, file, limits)).unwrap_or_else(|| Err(damaged_data(&input)))?;
        Ok(Self { input, file, next_group: 0, readers: Vec::new(), left: 0 })
    }

    /// Column names.
    pub(crate) fn names(&self) -> Vec<String> {
        let schema = self.file.metadata().file_metadata().schema_descr();
        schema.columns().iter().map(|column| column.name().to_owned()).collect()
    }

    /// The source, for error messages.
    pub(crate) fn input(&self) -> &Input {
        &self.input
    }

    /// Reads at most `rows` rows.
    pub(crate) fn next(&mut self, rows: usize) -> Result<Option<Table>, ReadError> {
        catch_panics(|| self.read(rows)).unwrap_or_else(|| Err(damaged_data(&self.input)))
    }

    fn read(&mut self, rows: usize) -> Result<Option<Table>, ReadError> {
        let schema = self.file.metadata().file_metadata().schema_descr_ptr();
        let mut cells = super::columns(&self.input, self.file.metadata())?;
        let mut count = 0;
        while count < rows && self.open_group()? {
            let part = self.left.min(rows - count);
            for (at, (cells, reader)) in cells.iter_mut().zip(&mut self.readers).enumerate() {
                cells.extend(reader, part).map_err(|problem| {
                    let name = shown(schema.column(at).name());
                    self.input.content(format!("column '{name}': {}", shown(&problem)))
                })?;
            }
            self.left -= part;
            count += part;
        }
        if count == 0 {
            return Ok(None);
        }
        let named = schema.columns().iter().zip(cells);
        let columns = named.map(|(column, cells)| (column.name().to_owned(), cells.into_cells()));
        crate::cells::table(&self.input, columns).map(Some)
    }

    /// Opens the next row group if the current one has no unread rows; false at the end of the file.
    fn open_group(&mut self) -> Result<bool, ReadError> {
        while self.left == 0 {
            if self.next_group == self.file.num_row_groups() {
                return Ok(false);
            }
            let damaged = |error: ::parquet::errors::ParquetError| self.input.damaged(shown(&error.to_string()));
            let group = self.file.get_row_group(self.next_group).map_err(damaged)?;
            let columns = 0..group.num_columns();
            self.readers = columns.map(|at| group.get_column_reader(at).map_err(damaged)).collect::<Result<_, _>>()?;
            self.left = group.metadata().num_rows().max(0) as usize;
            self.next_group += 1;
        }
        Ok(true)
    }
}
