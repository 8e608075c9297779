//! Parquet files created with the writer of the library.
#![allow(clippy::unwrap_used, reason = "a test's own file is sound")]

use std::sync::Arc;

use parquet::{
    basic::Compression,
    column::writer::ColumnWriter,
    data_type::ByteArray,
    file::{properties::WriterProperties, writer::SerializedFileWriter},
    schema::parser::parse_message_type,
};

/// One column: values without nulls, and a level per row (1 present, 0 null) if it is optional.
pub enum Values {
    Bool(Vec<bool>),
    Int(Vec<i32>),
    Long(Vec<i64>),
    Double(Vec<f64>),
    Text(Vec<&'static str>),
}

/// A column of a row group.
pub type Cells = (Values, Option<Vec<i16>>);

pub fn write(schema: &str, codec: Compression, groups: &[Vec<Cells>]) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = Arc::new(WriterProperties::builder().set_compression(codec).build());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties).unwrap();
    for group in groups {
        let mut rows = writer.next_row_group().unwrap();
        for (values, levels) in group {
            let mut column = rows.next_column().unwrap().unwrap();
            let levels = levels.as_deref();
            match (values, column.untyped()) {
                (Values::Bool(v), ColumnWriter::BoolColumnWriter(w)) => w.write_batch(v, levels, None),
                (Values::Int(v), ColumnWriter::Int32ColumnWriter(w)) => w.write_batch(v, levels, None),
                (Values::Long(v), ColumnWriter::Int64ColumnWriter(w)) => w.write_batch(v, levels, None),
                (Values::Double(v), ColumnWriter::DoubleColumnWriter(w)) => w.write_batch(v, levels, None),
                (Values::Text(v), ColumnWriter::ByteArrayColumnWriter(w)) => {
                    let v: Vec<ByteArray> = v.iter().map(|text| ByteArray::from(*text)).collect();
                    w.write_batch(&v, levels, None)
                }
                _ => panic!("the schema and the values differ"),
            }
            .unwrap();
            column.close().unwrap();
        }
        rows.close().unwrap();
    }
    writer.into_inner().unwrap()
}

pub const SCHEMA: &str =
    "message t { required boolean flag; optional int32 count; required int64 big (INTEGER(64,false));
                      optional double size; optional binary kind (STRING); }";

pub fn group() -> Vec<Cells> {
    vec![
        (Values::Bool(vec![true, false, true]), None),
        (Values::Int(vec![-7, 8]), Some(vec![1, 0, 1])),
        (Values::Long(vec![1, -1, 3]), None),
        (Values::Double(vec![0.5, 1e300]), Some(vec![0, 1, 1])),
        (Values::Text(vec!["b", "a"]), Some(vec![1, 1, 0])),
    ]
}
