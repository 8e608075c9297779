//! Parquet: flat columns of booleans, numbers and text, read without Arrow.

use ::parquet::{
    basic::{Compression, ConvertedType, LogicalType},
    column::reader::{ColumnReader, ColumnReaderImpl},
    data_type::DataType,
    file::{
        metadata::ParquetMetaData,
        reader::{ChunkReader, FileReader, SerializedFileReader},
    },
    schema::types::ColumnDescriptor,
};
use bytes::Bytes;
use rulesieve::data::{Column, ColumnData, Table, TextColumn};

use crate::{
    error::ReadError,
    guard::catch_panics,
    options::{Limits, ReadOptions},
    source::Input,
    text::shown,
};

mod chunks;
mod unpacked;

pub(crate) use chunks::ParquetChunks;

const BATCH_ROWS: usize = 8192;

/// Reads a table.
pub(crate) fn read(input: &Input, options: &ReadOptions) -> Result<Table, ReadError> {
    // `check_sizes` prevents known panics; others (missing dictionary, truncated page) occur while decoding.
    catch_panics(|| read_file(input, &options.limits)).unwrap_or_else(|| Err(damaged_data(input)))
}

fn damaged_data(input: &Input) -> ReadError {
    input.content("the Parquet data is damaged; write or download the file again")
}

/// Opens a file and checks everything that can be checked before its cells are read.
fn check_file<R: Duplicate>(input: &Input, source: R, limits: &Limits) -> Result<SerializedFileReader<R>, ReadError> {
    let damaged = |error: ::parquet::errors::ParquetError| input.content(shown(&error.to_string()));
    let copy = source.duplicate().map_err(|source| ReadError::Open { file: input.name.clone(), source })?;
    let file = SerializedFileReader::new(source).map_err(damaged)?;
    check_sizes(input, file.metadata(), limits, copy.len())?;
    for descriptor in file.metadata().file_metadata().schema_descr().columns() {
        check_column(input, descriptor)?;
    }
    check_codecs(input, file.metadata())?;
    check_gzip(input, &copy, file.metadata(), limits)?;
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
    let damaged = |error: ::parquet::errors::ParquetError| input.content(shown(&error.to_string()));
    let file = check_file(input, Bytes::from(input.bytes.clone()), limits)?;
    let schema = file.metadata().file_metadata().schema_descr_ptr();
    let mut cells: Vec<Cells> = schema.columns().iter().map(|column| Cells::new(column)).collect();
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
    let columns = named.map(|(column, cells)| Column { name: column.name().to_owned(), data: cells.data }).collect();
    Table::new(columns).map_err(|error| input.table_error(error))
}

/// Checks the sizes in the metadata against the limits and the file size.
fn check_sizes(input: &Input, metadata: &ParquetMetaData, limits: &Limits, bytes: u64) -> Result<(), ReadError> {
    let groups = metadata.row_groups();
    let rows = groups.iter().map(|group| group.num_rows().max(0) as u64).fold(0, u64::saturating_add);
    let rows = usize::try_from(rows).unwrap_or(usize::MAX);
    limits.check_shape(input, rows, metadata.file_metadata().schema_descr().num_columns())?;
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
        return Err(input.content(format!("the pages of column '{name}' are outside the file; it is damaged")));
    }
    if rows == 0 {
        return Err(input.empty("has columns but no rows"));
    }
    Ok(())
}

/// Rejects nested columns and unsupported types.
fn check_column(input: &Input, column: &ColumnDescriptor) -> Result<(), ReadError> {
    let path = shown(&column.path().string());
    if column.max_rep_level() > 0 || column.path().parts().len() != 1 || column.max_def_level() > 1 {
        return Err(input.unsupported(format!("the nested column '{path}'"), "flatten or drop it before saving"));
    }
    let plain_logical = matches!(
        column.logical_type_ref(),
        None | Some(
            LogicalType::String
                | LogicalType::Enum
                | LogicalType::Json
                | LogicalType::Integer { .. }
                | LogicalType::Unknown
        )
    );
    let plain_converted = !matches!(
        column.converted_type(),
        ConvertedType::DECIMAL
            | ConvertedType::DATE
            | ConvertedType::TIME_MILLIS
            | ConvertedType::TIME_MICROS
            | ConvertedType::TIMESTAMP_MILLIS
            | ConvertedType::TIMESTAMP_MICROS
            | ConvertedType::INTERVAL
    );
    let physical = column.physical_type();
    let plain_physical =
        !matches!(physical, ::parquet::basic::Type::INT96 | ::parquet::basic::Type::FIXED_LEN_BYTE_ARRAY);
    if plain_logical && plain_converted && plain_physical {
        return Ok(());
    }
    let what = format!("column '{path}' of type {physical} ({:?})", column.converted_type());
    Err(input.unsupported(what, "convert it to numbers or text before saving"))
}

fn check_codecs(input: &Input, metadata: &ParquetMetaData) -> Result<(), ReadError> {
    let mut chunks = metadata.row_groups().iter().flat_map(|group| group.columns());
    let unreadable = chunks.find_map(|chunk| match chunk.compression() {
        Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::GZIP(_) => None,
        Compression::LZ4 | Compression::LZ4_RAW => None,
        Compression::ZSTD(_) if cfg!(feature = "parquet-zstd") => None,
        Compression::ZSTD(_) => Some(("Zstandard", "build with the cargo feature `parquet-zstd`, or save")),
        Compression::BROTLI(_) => Some(("Brotli", "save")),
        Compression::LZO => Some(("LZO", "save")),
    });
    match unreadable {
        Some((codec, remedy)) => {
            Err(input.unsupported(format!("{codec} compression"), format!("{remedy} the file with snappy or gzip")))
        }
        None => Ok(()),
    }
}

/// Rejects gzip pages whose decompressed size exceeds the limit, independent of the size in the metadata.
fn check_gzip(
    input: &Input,
    source: &impl ChunkReader,
    metadata: &ParquetMetaData,
    limits: &Limits,
) -> Result<(), ReadError> {
    let mut left = limits.bytes;
    for chunk in metadata.row_groups().iter().flat_map(|group| group.columns()) {
        if !matches!(chunk.compression(), Compression::GZIP(_)) {
            continue;
        }
        let (start, size) = chunk.byte_range();
        let pages = source.get_bytes(start, size as usize).map_err(|error| input.content(shown(&error.to_string())))?;
        let unpacked = unpacked::gzip_bytes(&pages, left);
        if unpacked > left {
            return Err(ReadError::Endless { file: input.name.clone(), limit: limits.bytes });
        }
        left -= unpacked;
    }
    Ok(())
}

/// The cells of one column, extended row group by row group.
struct Cells {
    data: ColumnData,
    unsigned: bool,
    nullable: bool,
}

impl Cells {
    fn new(column: &ColumnDescriptor) -> Self {
        let is_text = column.physical_type() == ::parquet::basic::Type::BYTE_ARRAY;
        let data = if is_text { ColumnData::Text(TextColumn::default()) } else { ColumnData::Numeric(Vec::new()) };
        let unsigned = matches!(
            column.converted_type(),
            ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64
        );
        Self { data, unsigned, nullable: column.max_def_level() > 0 }
    }

    fn extend(&mut self, reader: &mut ColumnReader, rows: usize) -> Result<(), String> {
        let (nullable, unsigned) = (self.nullable, self.unsigned);
        match (&mut self.data, reader) {
            (ColumnData::Numeric(out), ColumnReader::BoolColumnReader(reader)) => {
                numbers(reader, rows, nullable, out, |&value| f64::from(u8::from(value)))
            }
            (ColumnData::Numeric(out), ColumnReader::Int32ColumnReader(reader)) => numbers(
                reader,
                rows,
                nullable,
                out,
                |&value| {
                    if unsigned { f64::from(value as u32) } else { f64::from(value) }
                },
            ),
            (ColumnData::Numeric(out), ColumnReader::Int64ColumnReader(reader)) => {
                numbers(reader, rows, nullable, out, |&value| if unsigned { value as u64 as f64 } else { value as f64 })
            }
            (ColumnData::Numeric(out), ColumnReader::FloatColumnReader(reader)) => {
                numbers(reader, rows, nullable, out, |&value| f64::from(value))
            }
            (ColumnData::Numeric(out), ColumnReader::DoubleColumnReader(reader)) => {
                numbers(reader, rows, nullable, out, |&value| value)
            }
            (ColumnData::Text(out), ColumnReader::ByteArrayColumnReader(reader)) => {
                for_each_cell(reader, rows, nullable, |cell| {
                    let bytes = cell.map_or(&[][..], |cell| cell.data());
                    let text = std::str::from_utf8(bytes).map_err(|_| "a text is not valid UTF-8")?;
                    out.push(text.trim());
                    Ok(())
                })
            }
            _ => Err("its cells do not have the type of the schema".to_owned()),
        }
    }
}

fn numbers<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
    nullable: bool,
    out: &mut Vec<f64>,
    value: impl Fn(&T::T) -> f64,
) -> Result<(), String> {
    for_each_cell(reader, rows, nullable, |cell| {
        out.push(cell.map_or(f64::NAN, &value));
        Ok(())
    })
}

/// Visits exactly `rows` cells in batches; nulls are `None`.
fn for_each_cell<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
    nullable: bool,
    mut visit: impl FnMut(Option<&T::T>) -> Result<(), &'static str>,
) -> Result<(), String> {
    let mut values = Vec::new();
    let mut levels = Vec::new();
    let mut done = 0;
    while done < rows {
        values.clear();
        levels.clear();
        let batch = BATCH_ROWS.min(rows - done);
        let (records, ..) =
            reader.read_records(batch, Some(&mut levels), None, &mut values).map_err(|error| error.to_string())?;
        if records == 0 {
            return Err(format!("it has {done} cells in a group of {rows} rows"));
        }
        let mut present = values.iter();
        for row in 0..records {
            let is_null = nullable && levels.get(row) == Some(&0);
            let cell = if is_null { None } else { Some(present.next().ok_or("it has fewer values than cells")?) };
            visit(cell)?;
        }
        done += records;
    }
    Ok(())
}
