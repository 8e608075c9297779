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
    for codec in [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(Default::default()),
        Compression::LZ4_RAW,
        Compression::LZ4,
        Compression::BROTLI(Default::default()),
        Compression::ZSTD(Default::default()),
    ] {
        let table = table("t.parquet", write(SCHEMA, codec, &[group(), group()]));
        assert_eq!(names(&table), ["flag", "count", "big", "size", "kind"]);
        assert_eq!(numbers(&table, "flag"), [1.0, 0.0, 1.0, 1.0, 0.0, 1.0]);
        let count = numbers(&table, "count");
        assert!(count[0] == -7.0 && count[1].is_nan() && count[5] == 8.0);
        assert_eq!(texts(&table, "big")[..2], ["1", "18446744073709551615"], "all digits are kept");
        assert_eq!(numbers(&table, "size")[1..3], [0.5, 1e300]);
        assert_eq!(texts(&table, "kind"), ["b", "a", "", "b", "a", ""]);
    }
}

#[test]
fn what_cannot_be_read_is_rejected_by_name() {
    let nested = "message t { required group outer { required int32 inner; } }";
    assert_contains(
        &refusal("t.parquet", write(nested, Compression::SNAPPY, &[vec![(Values::Int(vec![1]), None)]])),
        &["nested column", "outer"],
    );
    let schema = "message t { required int32 a; }";
    let mut content = write(schema, Compression::SNAPPY, &[vec![(Values::Int(vec![5; 10]), None)]]);
    // In the metadata the column's path is followed by its codec, 2 for Snappy; 6 is LZO.
    let codec = content.windows(4).position(|bytes| bytes == b"\x01a\x15\x02").unwrap() + 3;
    content[codec] = 6;
    assert_contains(&refusal("t.parquet", content), &["LZO", "zstd, snappy or gzip"]);
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

/// The metadata of a page and of a column can claim any size; the pages are measured.
#[test]
fn pages_that_decompress_beyond_the_limit_are_refused() {
    let schema = "message t { required int32 a; }";
    for codec in [
        Compression::GZIP(Default::default()),
        Compression::BROTLI(Default::default()),
        Compression::ZSTD(Default::default()),
        Compression::SNAPPY,
    ] {
        let values: Vec<i32> = (0..200_000).map(|row| row % 3).collect();
        let content = write(schema, codec, &[vec![(Values::Int(values), None)]]);
        let said = error(&bytes("t.parquet", &content), &limited(200_000, 10, 100_000));
        assert_contains(&said, &["t.parquet", "more than the limit of 100000"]);
    }
}
