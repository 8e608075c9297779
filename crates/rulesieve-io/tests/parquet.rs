//! Parquet: flat columns in, nested ones and foreign codecs refused by name.
#![cfg(feature = "parquet")]

mod common;

use std::sync::Arc;

use common::{assert_says, bytes, error, limited, names, numbers, refusal, table, texts};
use parquet::{
    basic::Compression,
    column::writer::ColumnWriter,
    data_type::ByteArray,
    file::{properties::WriterProperties, writer::SerializedFileWriter},
    schema::parser::parse_message_type,
};

/// What a test puts into one column: values without nulls, and a level per row (1 present, 0 null) if it is optional.
enum Values {
    Bool(Vec<bool>),
    Int(Vec<i32>),
    Long(Vec<i64>),
    Double(Vec<f64>),
    Text(Vec<&'static str>),
}

fn write(schema: &str, codec: Compression, groups: &[Vec<(Values, Option<Vec<i16>>)>]) -> Vec<u8> {
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

const SCHEMA: &str = "message t { required boolean flag; optional int32 count; required int64 big (INTEGER(64,false));
                      optional double size; optional binary kind (STRING); }";

fn group() -> Vec<(Values, Option<Vec<i16>>)> {
    vec![
        (Values::Bool(vec![true, false, true]), None),
        (Values::Int(vec![-7, 8]), Some(vec![1, 0, 1])),
        (Values::Long(vec![1, -1, 3]), None),
        (Values::Double(vec![0.5, 1e300]), Some(vec![0, 1, 1])),
        (Values::Text(vec!["b", "a"]), Some(vec![1, 1, 0])),
    ]
}

#[test]
fn flat_columns_of_every_plain_type() {
    for codec in
        [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::GZIP(Default::default()), Compression::LZ4_RAW]
    {
        let table = table("t.parquet", write(SCHEMA, codec, &[group(), group()]));
        assert_eq!(names(&table), ["flag", "count", "big", "size", "kind"]);
        assert_eq!(numbers(&table, "flag"), [1.0, 0.0, 1.0, 1.0, 0.0, 1.0]);
        let count = numbers(&table, "count");
        assert!(count[0] == -7.0 && count[1].is_nan() && count[5] == 8.0);
        assert_eq!(numbers(&table, "big")[1], u64::MAX as f64, "unsigned numbers stay positive");
        assert_eq!(numbers(&table, "size")[1..3], [0.5, 1e300]);
        assert_eq!(texts(&table, "kind"), ["b", "a", "", "b", "a", ""]);
    }
}

#[test]
fn nested_and_dated_columns_are_named() {
    let nested = "message t { required group outer { required int32 inner; } }";
    assert_says(
        &refusal("t.parquet", write(nested, Compression::SNAPPY, &[vec![(Values::Int(vec![1]), None)]])),
        &["nested column", "outer"],
    );
    let dated = "message t { required int32 day (DATE); }";
    assert_says(
        &refusal("t.pq", write(dated, Compression::SNAPPY, &[vec![(Values::Int(vec![1]), None)]])),
        &["'day'", "DATE"],
    );
}

#[test]
fn no_rows_and_too_many() {
    let schema = "message t { required int32 a; }";
    assert_says(&refusal("t.parquet", write(schema, Compression::SNAPPY, &[])), &["no rows"]);
    let content = write(schema, Compression::SNAPPY, &[vec![(Values::Int(vec![5; 1000]), None)]]);
    assert_says(&error(&bytes("t.parquet", &content), &limited(999, 10, 1 << 20)), &["1000 rows", "999", "--max-rows"]);
    assert_says(&error(&bytes("t.parquet", &content), &limited(1000, 10, 4000)), &["8000 bytes", "--max-bytes"]);
}

#[test]
fn damaged_files_end_in_an_error_or_a_table() {
    let content = write(SCHEMA, Compression::SNAPPY, &[group()]);
    for at in 0..content.len() {
        let mut damaged = content.clone();
        damaged[at] ^= 0xff;
        let source = bytes("t.parquet", damaged);
        if let Ok(table) = rulesieve_io::read(&source, &limited(1000, 100, 1 << 20)) {
            assert!(table.rows() <= 1000);
        }
        assert!(refusal("t.parquet", &content[..at]).contains("t.parquet"));
    }
}
