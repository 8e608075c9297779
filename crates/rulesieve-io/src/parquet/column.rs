//! The cells of a column: what its type means and how it is decoded.

use ::parquet::{
    basic::{ConvertedType, LogicalType, TimeUnit, Type as Physical},
    column::reader::{ColumnReader, ColumnReaderImpl},
    data_type::DataType,
    schema::types::ColumnDescriptor,
};
use rulesieve::data::TextColumn;

use crate::{
    cells::{Cells, big_endian, decimal, half, seconds},
    error::ReadError,
    source::Input,
    text::shown,
};

const BATCH_ROWS: usize = 8192;

/// What the stored values mean.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Meaning {
    /// A boolean or floating-point number.
    Number,
    Signed,
    Unsigned,
    /// A floating-point number of two bytes.
    Half,
    /// An integer times a power of ten.
    Decimal(i32),
    Text,
    Uuid,
    /// Days since 1970.
    Day,
    /// Time since 1970 in units of which a second has this many.
    Instant(i64),
    /// The same since midnight.
    TimeOfDay(i64),
}

/// A column in the course of reading.
pub(super) struct Column {
    meaning: Meaning,
    nullable: bool,
    cells: Cells,
}

impl Column {
    /// Refuses nested columns and unsupported types.
    pub(super) fn new(input: &Input, column: &ColumnDescriptor) -> Result<Self, ReadError> {
        let path = shown(&column.path().string());
        if column.max_rep_level() > 0 || column.path().parts().len() != 1 || column.max_def_level() > 1 {
            return Err(input.unsupported(format!("the nested column '{path}'"), "flatten or drop it before saving"));
        }
        let Some(meaning) = meaning(column) else {
            let (physical, converted) = (column.physical_type(), column.converted_type());
            let kind =
                column.logical_type_ref().map_or_else(|| format!("{converted:?}"), |logical| format!("{logical:?}"));
            let what = format!("column '{path}' of type {physical} ({})", shown(&kind));
            return Err(input.unsupported(what, "convert it to numbers or text before saving"));
        };
        let cells = match meaning {
            Meaning::Text | Meaning::Uuid => Cells::Texts(TextColumn::default()),
            Meaning::Day | Meaning::Instant(_) => Cells::Dates(Vec::new()),
            _ => Cells::Numbers(Vec::new()),
        };
        Ok(Self { meaning, nullable: column.max_def_level() > 0, cells })
    }

    pub(super) fn into_cells(self) -> Cells {
        self.cells
    }

    /// Appends the next rows.
    pub(super) fn extend(&mut self, reader: &mut ColumnReader, rows: usize) -> Result<(), String> {
        let (meaning, nullable, cells) = (self.meaning, self.nullable, &mut self.cells);
        match reader {
            ColumnReader::BoolColumnReader(reader) => visit(reader, rows, nullable, |value| {
                cells.push_number(value.map(|&value| f64::from(u8::from(value))));
                Ok(())
            }),
            ColumnReader::Int32ColumnReader(reader) => visit(reader, rows, nullable, |value| {
                let value = value.map(|&value| match meaning {
                    Meaning::Unsigned => i64::from(value as u32),
                    _ => i64::from(value),
                });
                push_integer(cells, meaning, value.map(i128::from));
                Ok(())
            }),
            ColumnReader::Int64ColumnReader(reader) => visit(reader, rows, nullable, |value| {
                let value = value.map(|&value| match meaning {
                    Meaning::Unsigned => i128::from(value as u64),
                    _ => i128::from(value),
                });
                push_integer(cells, meaning, value);
                Ok(())
            }),
            ColumnReader::Int96ColumnReader(reader) => visit(reader, rows, nullable, |value| {
                cells.push_number(value.map(|value| seconds(value.to_nanos(), 1_000_000_000)));
                Ok(())
            }),
            ColumnReader::FloatColumnReader(reader) => visit(reader, rows, nullable, |value| {
                cells.push_number(value.map(|&value| f64::from(value)));
                Ok(())
            }),
            ColumnReader::DoubleColumnReader(reader) => visit(reader, rows, nullable, |value| {
                cells.push_number(value.copied());
                Ok(())
            }),
            ColumnReader::ByteArrayColumnReader(reader) => {
                visit(reader, rows, nullable, |value| push_bytes(cells, meaning, value.map(|value| value.data())))
            }
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                visit(reader, rows, nullable, |value| push_bytes(cells, meaning, value.map(|value| value.data())))
            }
        }
    }
}

fn meaning(column: &ColumnDescriptor) -> Option<Meaning> {
    let per_second = |unit: &TimeUnit| match unit {
        TimeUnit::MILLIS => 1_000,
        TimeUnit::MICROS => 1_000_000,
        TimeUnit::NANOS => 1_000_000_000,
    };
    let integer = match column.logical_type_ref() {
        None | Some(LogicalType::Unknown) => match column.converted_type() {
            ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64 => {
                Some(Meaning::Unsigned)
            }
            ConvertedType::DECIMAL => Some(Meaning::Decimal(column.type_scale())),
            ConvertedType::DATE => Some(Meaning::Day),
            ConvertedType::TIME_MILLIS => Some(Meaning::TimeOfDay(1_000)),
            ConvertedType::TIME_MICROS => Some(Meaning::TimeOfDay(1_000_000)),
            ConvertedType::TIMESTAMP_MILLIS => Some(Meaning::Instant(1_000)),
            ConvertedType::TIMESTAMP_MICROS => Some(Meaning::Instant(1_000_000)),
            _ => Some(Meaning::Signed),
        },
        Some(LogicalType::Integer(integer)) => {
            Some(if integer.is_signed { Meaning::Signed } else { Meaning::Unsigned })
        }
        Some(LogicalType::Decimal(decimal)) => Some(Meaning::Decimal(decimal.scale)),
        Some(LogicalType::Date) => Some(Meaning::Day),
        Some(LogicalType::Time(time)) => Some(Meaning::TimeOfDay(per_second(&time.unit))),
        Some(LogicalType::Timestamp(time)) => Some(Meaning::Instant(per_second(&time.unit))),
        Some(_) => None,
    };
    let logical = column.logical_type_ref();
    match column.physical_type() {
        Physical::BOOLEAN | Physical::FLOAT | Physical::DOUBLE => Some(Meaning::Number),
        Physical::INT32 | Physical::INT64 => integer,
        Physical::INT96 => Some(Meaning::Instant(1_000_000_000)),
        Physical::BYTE_ARRAY => match (logical, column.converted_type()) {
            (Some(LogicalType::Decimal(_)), _) | (None, ConvertedType::DECIMAL) => integer,
            (Some(LogicalType::String | LogicalType::Enum | LogicalType::Json | LogicalType::Unknown), _) => {
                Some(Meaning::Text)
            }
            (None, ConvertedType::NONE | ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON) => {
                Some(Meaning::Text)
            }
            _ => None,
        },
        Physical::FIXED_LEN_BYTE_ARRAY => match (logical, column.converted_type()) {
            (Some(LogicalType::Decimal(_)), _) | (None, ConvertedType::DECIMAL) => integer,
            (Some(LogicalType::Float16), _) if column.type_length() == 2 => Some(Meaning::Half),
            (Some(LogicalType::Uuid), _) if column.type_length() == 16 => Some(Meaning::Uuid),
            _ => None,
        },
    }
}

fn push_integer(cells: &mut Cells, meaning: Meaning, value: Option<i128>) {
    match meaning {
        Meaning::Day => cells.push_number(value.map(|days| days as f64 * 86_400.0)),
        Meaning::Instant(unit) | Meaning::TimeOfDay(unit) => {
            cells.push_number(value.map(|value| seconds(value as i64, unit)));
        }
        Meaning::Decimal(scale) if scale != 0 => cells.push_number(value.map(|value| decimal(value, scale))),
        _ => cells.push_integer(value),
    }
}

fn push_bytes(cells: &mut Cells, meaning: Meaning, value: Option<&[u8]>) -> Result<(), &'static str> {
    match (meaning, value) {
        (Meaning::Decimal(_), Some(bytes)) => {
            let value = big_endian(bytes).ok_or("a decimal has more than 16 bytes")?;
            push_integer(cells, meaning, Some(value));
        }
        (Meaning::Half, Some(&[low, high])) => cells.push_number(Some(half(u16::from_le_bytes([low, high])))),
        (Meaning::Half, Some(_)) => return Err("a number has not two bytes"),
        (Meaning::Uuid, Some(bytes)) => {
            cells.push_text(&bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
        }
        (_, Some(bytes)) => cells.push_text(std::str::from_utf8(bytes).map_err(|_| "a text is not valid UTF-8")?),
        (_, None) => cells.push_missing(),
    }
    Ok(())
}

/// Visits exactly `rows` cells in batches; nulls are `None`.
fn visit<T: DataType>(
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
