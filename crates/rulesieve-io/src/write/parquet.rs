//! Parquet output: optional doubles, texts and timestamps, compressed with Zstandard.

use std::io::{self, Write};
use std::sync::Arc;

use ::parquet::{
    basic::{Compression, LogicalType, Repetition, TimeUnit, Type as Physical, ZstdLevel},
    data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type},
    errors::ParquetError,
    file::{
        properties::WriterProperties,
        writer::{SerializedFileWriter, SerializedRowGroupWriter},
    },
    schema::types::Type,
};
use rulesieve::data::table::{Column, ColumnData, Table};

/// Writes a row group for every part. The bytes are collected for one row group, because the library writes only to
/// destinations that can be sent to another thread.
pub(super) struct ParquetWriter(SerializedFileWriter<Vec<u8>>);

impl ParquetWriter {
    /// Begins a file with the columns of this table.
    pub(super) fn new(table: &Table) -> io::Result<Self> {
        let fields = table.columns().iter().map(|column| field(column).map(Arc::new)).collect::<Result<_, _>>();
        let schema = fields.and_then(|fields| Type::group_type_builder("table").with_fields(fields).build());
        let schema = Arc::new(schema.map_err(write_error)?);
        let properties = WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default())).build();
        SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).map(Self).map_err(write_error)
    }

    /// Writes the rows of a table as one row group.
    pub(super) fn write(&mut self, table: &Table, to: &mut dyn Write) -> io::Result<()> {
        if table.rows() > 0 {
            let mut group = self.0.next_row_group().map_err(write_error)?;
            for column in table.columns() {
                write_column(&mut group, column).map_err(write_error)?;
            }
            group.close().map_err(write_error)?;
        }
        to.write_all(&std::mem::take(self.0.inner_mut()))
    }

    /// Writes the metadata.
    pub(super) fn finish(self, to: &mut dyn Write) -> io::Result<()> {
        to.write_all(&self.0.into_inner().map_err(write_error)?)
    }
}

fn field(column: &Column) -> Result<Type, ParquetError> {
    let (physical, logical) = match &column.data {
        ColumnData::Numeric(_) => (Physical::DOUBLE, None),
        ColumnData::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        ColumnData::Dates(_) => (Physical::INT64, Some(LogicalType::timestamp(false, TimeUnit::MICROS))),
    };
    Type::primitive_type_builder(&column.name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical)
        .build()
}

/// Writes the cells that are present, and for each row whether its cell is.
fn write_column(group: &mut SerializedRowGroupWriter<'_, Vec<u8>>, of: &Column) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("more columns than in the first part".to_owned()));
    };
    match &of.data {
        ColumnData::Numeric(values) => {
            let present: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
            let levels: Vec<i16> = values.iter().map(|value| i16::from(!value.is_nan())).collect();
            column.typed::<DoubleType>().write_batch(&present, Some(&levels), None)?;
        }
        ColumnData::Dates(seconds) => {
            let present = seconds.iter().filter(|time| !time.is_nan()).map(|time| (time * 1e6).round() as i64);
            let levels: Vec<i16> = seconds.iter().map(|time| i16::from(!time.is_nan())).collect();
            column.typed::<Int64Type>().write_batch(&present.collect::<Vec<_>>(), Some(&levels), None)?;
        }
        ColumnData::Text(_) => {
            let cells = || (0..of.len()).map(|row| of.cell(row));
            let present: Vec<ByteArray> =
                cells().filter(|cell| !cell.is_empty()).map(|cell| ByteArray::from(cell.into_bytes())).collect();
            let levels: Vec<i16> = cells().map(|cell| i16::from(!cell.is_empty())).collect();
            column.typed::<ByteArrayType>().write_batch(&present, Some(&levels), None)?;
        }
    }
    column.close()
}

fn write_error(error: ParquetError) -> io::Error {
    io::Error::other(error.to_string())
}
