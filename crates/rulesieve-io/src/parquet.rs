//! Parquet: flat columns of booleans, numbers, dates and text, read without Arrow.

use ::parquet::{
    basic::Compression,
    file::{
        metadata::ParquetMetaData,
        reader::{ChunkReader, FileReader, SerializedFileReader},
    },
};
use bytes::Bytes;
use rulesieve::data::Table;

use crate::{
    error::ReadError,
    guard::catch_panics,
    options::{Limits, ReadOptions},
    source::Input,
    text::shown,
};

mod chunks;
mod column;
mod pages;

pub(crate) use chunks::ParquetChunks;
use pages::PageError;

/// Reads a table.
pub(crate) fn read(input: &Input, options: &ReadOptions) -> Result<Table, ReadError> {
    // `check_sizes` prevents known panics; others (missing dictionary, truncated page) occur while decoding.
    catch_panics(|| read_file(input, &options.limits)).unwrap_or_else(|| Err(damaged_data(input)))
}

fn damaged_data(input: &Input) -> ReadError {
    input.unsupported("damaged Parquet data", "write or download the file again")
}

/// Opens a file and checks everything that can be checked before its cells are read.
fn check_file<R: Duplicate>(input: &Input, source: R, limits: &Limits) -> Result<SerializedFileReader<R>, ReadError> {
    let damaged = |error: ::parquet::errors::ParquetError| input.damaged(shown(&error.to_string()));
    let copy = source.duplicate().map_err(|source| ReadError::Open { file: input.name.clone(), source })?;
    let file = SerializedFileReader::new(source).map_err(damaged)?;
    check_sizes(input, file.metadata(), limits, copy.len())?;
    columns(input, file.metadata())?;
    check_codecs(input, file.metadata())?;
    check_pages(input, &copy, file.metadata(), limits)?;
    Ok(file)
}

/// A byte source that can be duplicated: one for the library, one for the checks here.
trait Duplicate: ChunkReader + Sized + 'static {
    fn duplicate(&self) -> std::io::Result<Self>;
}

impl Duplicate for Bytes {
    fn duplicate(&self) -> std::io::Result<Self> {
        Ok(self.clone())
    }
}

impl Duplicate for std::fs::File {
    fn duplicate(&self) -> std::io::Result<Self> {
        self.try_clone()
    }
}

fn read_file(input: &Input, limits: &Limits) -> Result<Table, ReadError> {
    let damaged = |error: ::parquet::errors::ParquetError| input.damaged(shown(&error.to_string()));
    let file = check_file(input, Bytes::from(input.bytes.clone()), limits)?;
    let schema = file.metadata().file_metadata().schema_descr_ptr();
    let mut cells = columns(input, file.metadata())?;
    for group in 0..file.num_row_groups() {
        let group = file.get_row_group(group).map_err(damaged)?;
        let rows = group.metadata().num_rows().max(0) as usize;
        for (at, cells) in cells.iter_mut().enumerate() {
            let mut reader = group.get_column_reader(at).map_err(damaged)?;
            cells.extend(&mut reader, rows).map_err(|problem| {
                input.content(format!("column '{}': {}", shown(schema.column(at).name()), shown(&problem)))
            })?;
        }
    }
    let named = schema.columns().iter().zip(cells);
    crate::cells::table(input, named.map(|(column, cells)| (column.name().to_owned(), cells.into_cells())))
}

/// The columns without cells.
fn columns(input: &Input, metadata: &ParquetMetaData) -> Result<Vec<column::Column>, ReadError> {
    let schema = metadata.file_metadata().schema_descr();
    schema.columns().iter().map(|descriptor| column::Column::new(input, descriptor)).collect()
}

/// Checks the sizes in the metadata against the limits and the file size.
fn check_sizes(input: &Input, metadata: &ParquetMetaData, limits: &Limits, bytes: u64) -> Result<(), ReadError> {
    let groups = metadata.row_groups();
    let rows = groups.iter().map(|group| group.num_rows().max(0) as u64).fold(0, u64::saturating_add);
    let rows = usize::try_from(rows).unwrap_or(usize::MAX);
    limits.check_table(input, rows, metadata.file_metadata().schema_descr().num_columns())?;
    let chunks = || groups.iter().flat_map(|group| group.columns());
    let unpacked = chunks().map(|chunk| chunk.uncompressed_size().max(0) as u64).fold(0, u64::saturating_add);
    limits.check_bytes(input, unpacked)?;
    // The library does not check these and panics on invalid ones.
    let end = i64::try_from(bytes).unwrap_or(i64::MAX);
    let outside = |offset: i64| !(0..=end).contains(&offset);
    if let Some(chunk) = chunks().find(|chunk| {
        let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
        let size = chunk.compressed_size();
        outside(start) || outside(chunk.data_page_offset()) || outside(size) || outside(start.saturating_add(size))
    }) {
        let name = shown(&chunk.column_path().string());
        return Err(input.damaged(format!("the pages of column '{name}' are outside the file; it is damaged")));
    }
    if rows == 0 {
        return Err(input.empty("has columns but no rows"));
    }
    Ok(())
}

fn check_codecs(input: &Input, metadata: &ParquetMetaData) -> Result<(), ReadError> {
    let mut chunks = metadata.row_groups().iter().flat_map(|group| group.columns());
    if chunks.any(|chunk| chunk.compression() == Compression::LZO) {
        return Err(input.unsupported("LZO compression", "save the file with zstd, snappy or gzip"));
    }
    Ok(())
}

/// Refuses pages that need more memory than the limit, whatever the metadata claims.
fn check_pages(
    input: &Input,
    source: &impl ChunkReader,
    metadata: &ParquetMetaData,
    limits: &Limits,
) -> Result<(), ReadError> {
    let mut left = limits.bytes;
    for chunk in metadata.row_groups().iter().flat_map(|group| group.columns()) {
        match pages::decompressed_bytes(source, chunk.byte_range(), chunk.compression(), left) {
            Ok(bytes) => left -= bytes,
            Err(PageError::Limit) => {
                return Err(ReadError::Endless { file: input.name.clone(), limit: limits.bytes });
            }
            Err(PageError::Damaged) => {
                let name = shown(&chunk.column_path().string());
                return Err(input.damaged(format!("the pages of column '{name}' are damaged")));
            }
        }
    }
    Ok(())
}
