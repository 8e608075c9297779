//! Parquet: flat columns are read; nested columns and unsupported codecs are rejected by name.
#![cfg(feature = "parquet")]

use crate::common::{
    assert_contains, bytes, error, limited, names, numbers,
    parquet_file::{SCHEMA, Values, group, write},
    refusal, table, texts,
};
use parquet::basic::Compression;

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
fn nested_and_date_columns_are_rejected_by_name() {
    let nested = "message t { required group outer { required int32 inner; } }";
    assert_contains(
        &refusal("t.parquet", write(nested, Compression::SNAPPY, &[vec![(Values::Int(vec![1]), None)]])),
        &["nested column", "outer"],
    );
    let dated = "message t { required int32 day (DATE); }";
    assert_contains(
        &refusal("t.pq", write(dated, Compression::SNAPPY, &[vec![(Values::Int(vec![1]), None)]])),
        &["'day'", "DATE"],
    );
}

#[test]
#[cfg(not(feature = "parquet-zstd"))]
fn an_unsupported_codec_is_named() {
    let schema = "message t { required int32 a; }";
    let mut content = write(schema, Compression::SNAPPY, &[vec![(Values::Int(vec![5; 10]), None)]]);
    // In the metadata the column's path is followed by its codec, 2 for Snappy; 12 is Zstandard.
    let codec = content.windows(4).position(|bytes| bytes == b"\x01a\x15\x02").unwrap() + 3;
    content[codec] = 12;
    assert_contains(&refusal("t.parquet", content), &["Zstandard", "`parquet-zstd`", "snappy or gzip"]);
}

#[test]
fn no_rows_and_too_many() {
    let schema = "message t { required int32 a; }";
    assert_contains(&refusal("t.parquet", write(schema, Compression::SNAPPY, &[])), &["no rows"]);
    let content = write(schema, Compression::SNAPPY, &[vec![(Values::Int(vec![5; 1000]), None)]]);
    assert_contains(
        &error(&bytes("t.parquet", &content), &limited(999, 10, 1 << 20)),
        &["1000 rows", "999", "raise the limit of rows"],
    );
    assert_contains(
        &error(&bytes("t.parquet", &content), &limited(1000, 10, 4000)),
        &["8000 bytes", "raise the limit of bytes"],
    );
}

#[test]
fn damaged_files_give_an_error_or_a_table() {
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
