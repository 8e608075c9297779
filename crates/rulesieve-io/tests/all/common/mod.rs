//! Shared helpers: sources from texts and bytes, and access to tables.
#![allow(clippy::unwrap_used, dead_code, unreachable_pub, reason = "every test file uses some of it")]

#[cfg(feature = "parquet")]
pub mod parquet_file;

use rulesieve::data::{ColumnData, Table};
use rulesieve_io::{Limits, ReadError, ReadOptions, Source, read};

pub fn bytes(name: &str, content: impl AsRef<[u8]>) -> Source {
    Source::Bytes { name: name.to_owned(), bytes: content.as_ref().to_vec() }
}

pub fn table(name: &str, content: impl AsRef<[u8]>) -> Table {
    read(&bytes(name, content), &ReadOptions::default()).unwrap()
}

pub fn csv(content: impl AsRef<[u8]>) -> Table {
    table("t.csv", content)
}

pub fn error(source: &Source, options: &ReadOptions) -> String {
    with_advice(&read(source, options).unwrap_err())
}

/// The message of an error with what to do about it.
pub fn with_advice(error: &ReadError) -> String {
    error.remedy().map_or_else(|| error.to_string(), |remedy| format!("{error}; {remedy}"))
}

/// The error message of reading with default options.
pub fn refusal(name: &str, content: impl AsRef<[u8]>) -> String {
    error(&bytes(name, content), &ReadOptions::default())
}

pub fn limited(rows: usize, columns: usize, bytes: u64) -> ReadOptions {
    ReadOptions { limits: Limits { rows, columns, bytes }, ..ReadOptions::default() }
}

pub fn names(table: &Table) -> Vec<&str> {
    table.columns().iter().map(|column| column.name.as_str()).collect()
}

pub fn numbers(table: &Table, name: &str) -> Vec<f64> {
    let at = table.position(name).unwrap_or_else(|| panic!("no column {name} in {:?}", names(table)));
    match &table.columns()[at].data {
        ColumnData::Numeric(values) => values.clone(),
        ColumnData::Text(text) => panic!("{name} is text: {:?}", text.levels()),
        ColumnData::Dates(_) => panic!("{name} is dates"),
    }
}

pub fn texts(table: &Table, name: &str) -> Vec<String> {
    let column = &table.columns()[table.position(name).unwrap()];
    assert!(!matches!(column.data, ColumnData::Numeric(_)), "{name} is numeric");
    (0..table.rows()).map(|row| column.cell(row)).collect()
}

pub fn assert_contains(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "'{part}' is missing in: {message}");
    }
}

/// A file that `make_formats.py` wrote.
pub fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tests/fixtures/formats/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The bytes of an NPY file, format version 1.
pub fn npy(descr: &str, fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    let header = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.as_bytes());
    out.extend(data);
    out
}

pub fn doubles(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// A ZIP archive of the given entries.
pub fn zip(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    use std::io::Write;
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    for (name, content) in entries {
        archive.start_file(*name, options).unwrap();
        archive.write_all(content).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

pub fn gzip(content: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// One element of a MATLAB file, little-endian, padded.
pub fn mat_element(kind: u32, data: &[u8]) -> Vec<u8> {
    let mut out = kind.to_le_bytes().to_vec();
    out.extend((data.len() as u32).to_le_bytes());
    out.extend(data);
    out.resize(out.len().next_multiple_of(8), 0);
    out
}

/// A variable of a MATLAB file: class 6 with values of kind 9 is a matrix of doubles.
pub fn mat_variable(name: &str, class: u32, rows: i32, columns: i32, kind: u32, data: &[u8]) -> Vec<u8> {
    let flags: Vec<u8> = [class, 0].iter().flat_map(|flag| flag.to_le_bytes()).collect();
    let dimensions: Vec<u8> = [rows, columns].iter().flat_map(|size| size.to_le_bytes()).collect();
    let parts =
        [mat_element(6, &flags), mat_element(5, &dimensions), mat_element(1, name.as_bytes()), mat_element(kind, data)];
    mat_element(14, &parts.concat())
}

pub fn mat(variables: &[Vec<u8>]) -> Vec<u8> {
    let mut out = b"MATLAB 5.0 MAT-file, made by a test".to_vec();
    out.resize(124, b' ');
    out.extend(b"\x00\x01IM");
    out.extend(variables.concat());
    out
}
