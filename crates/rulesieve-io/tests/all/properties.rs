//! Properties: no panic and no exceeded limit for any bytes; any table survives writing and reading.
#![allow(clippy::unwrap_used, reason = "tests may fail")]

use crate::common::{bytes, doubles, fixture, gzip, mat, mat_variable, npy, zip};
use proptest::prelude::*;
use rulesieve::data::{Column, ColumnData, Table};
use rulesieve_io::{Format, Limits, ReadOptions, TableFormat, copy_columns, read, write_csv};

const LIMITS: Limits = Limits { rows: 50, columns: 20, bytes: 20_000 };

/// A valid file of each format, as the seed of mutations.
fn valid_file(format: Format) -> Vec<u8> {
    let values = doubles(&[1.0, 2.0, 3.0, 4.0]);
    match format {
        Format::Csv => b"a,\"b, c\",d\n1.5,x,NA\n\"2\",\"y\"\"z\",-3\n".to_vec(),
        Format::Tsv => b"a\tb\n1\t2\n3\tx\n".to_vec(),
        Format::Arff => {
            b"@relation r\n@attribute 'a b' real\n@attribute c {x,'y z'}\n@data\n1,x\n{1 'y z'}\n?,?\n".to_vec()
        }
        Format::Libsvm => b"1 1:0.5 3:2 # c\n-1 qid:3 2:1e3\n".to_vec(),
        Format::Npy => npy("<f8", false, "(2, 2)", &values),
        Format::Npz => {
            zip(&[("X.npy", npy("<f8", true, "(2, 2)", &values)), ("y.npy", npy("|i1", false, "(2,)", &[1, 2]))])
        }
        Format::Mat => mat(&[mat_variable("X", 6, 2, 2, 9, &values), mat_variable("Y", 6, 2, 1, 1, &[1, 2])]),
        Format::Json => b"{\"a\": 1.5, \"b\": \"x\"}\n{\"b\": null, \"c\": true}\n".to_vec(),
        Format::Arrow => fixture("views.arrow"),
        Format::Excel => fixture("t.xls"),
        #[cfg(feature = "parquet")]
        Format::Parquet => {
            use crate::common::parquet_file::{SCHEMA, group, write};
            write(SCHEMA, parquet::basic::Compression::SNAPPY, &[group(), group()])
        }
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => b"PAR1".to_vec(),
    }
}

fn options(format: Format) -> ReadOptions {
    ReadOptions { format: Some(format), limits: LIMITS, ..ReadOptions::default() }
}

/// Reads and copies; checks that tables are within the limits and messages printable.
fn check(format: Format, content: &[u8]) -> Result<(), TestCaseError> {
    let source = bytes("t", content);
    match read(&source, &options(format)) {
        Ok(table) => {
            prop_assert!(table.rows() >= 1 && table.rows() <= LIMITS.rows);
            prop_assert!(table.columns().len() <= LIMITS.columns + 1);
            prop_assert!(table.warnings.iter().all(|warning| !warning.to_string().contains(char::is_control)));
            let names: Vec<String> = table.columns().iter().map(|column| column.name.clone()).collect();
            let copied = copy_columns(&source, &options(format), &names, TableFormat::CSV, &mut Vec::new());
            prop_assert_eq!(copied.unwrap().rows, table.rows());
        }
        Err(error) => {
            let message = error.to_string();
            prop_assert!(!message.contains(char::is_control), "{message:?}");
            prop_assert!(message.len() < 2000, "{message}");
        }
    }
    Ok(())
}

fn any_format() -> impl Strategy<Value = Format> {
    prop::sample::select(Format::ALL.to_vec())
}

/// A change at a position (a fraction of the length): a replaced byte, inserted bytes, or a removed range.
#[derive(Debug, Clone)]
enum Change {
    Replace(f64, u8),
    Insert(f64, Vec<u8>),
    Remove(f64, usize),
}

fn any_change() -> impl Strategy<Value = Change> {
    let special = prop::sample::select(b"\0\"',;\n\r{}%@?:#-019e.\xff\x80".to_vec());
    let byte = prop_oneof![any::<u8>(), special];
    prop_oneof![
        (0.0..1.0, byte.clone()).prop_map(|(at, byte)| Change::Replace(at, byte)),
        (0.0..1.0, prop::collection::vec(byte, 1..8)).prop_map(|(at, bytes)| Change::Insert(at, bytes)),
        (0.0..1.0, 1..40usize).prop_map(|(at, length)| Change::Remove(at, length)),
    ]
}

fn apply(mut content: Vec<u8>, changes: &[Change]) -> Vec<u8> {
    for change in changes {
        let place = |at: f64| (at * content.len() as f64) as usize;
        match change {
            Change::Replace(at, byte) => {
                let at = place(*at);
                if let Some(slot) = content.get_mut(at) {
                    *slot = *byte;
                }
            }
            Change::Insert(at, bytes) => {
                let at = place(*at);
                content.splice(at..at, bytes.iter().copied());
            }
            Change::Remove(at, length) => {
                let start = place(*at);
                content.drain(start..(start + length).min(content.len()));
            }
        }
    }
    content
}

#[test]
fn the_seeds_of_mutations_are_valid() {
    for format in Format::ALL {
        if format == Format::Parquet && !cfg!(feature = "parquet") {
            continue;
        }
        let table = read(&bytes("t", valid_file(format)), &options(format));
        assert!(table.is_ok_and(|table| table.rows() >= 2), "{format}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(format in any_format(), content in prop::collection::vec(any::<u8>(), 0..400)) {
        check(format, &content)?;
    }

    #[test]
    fn random_text(format in any_format(), content in "[a-c0-9,;\t \"'{}%@?:#.\r\n-]{0,200}") {
        check(format, content.as_bytes())?;
    }

    #[test]
    fn mutated_files(format in any_format(), changes in prop::collection::vec(any_change(), 1..6)) {
        check(format, &apply(valid_file(format), &changes))?;
    }

    #[test]
    #[cfg(feature = "excel")]
    fn mutated_workbooks(part in 0..2usize, changes in prop::collection::vec(any_change(), 1..6)) {
        let (name, part) = [("t.xlsx", "xl/worksheets/sheet1.xml"), ("t.ods", "content.xml")][part];
        let content = with_part(&fixture(name), part, &changes);
        let limits = Limits { rows: 100, columns: 100, bytes: 1 << 20 };
        if let Ok(table) = read(&bytes(name, content), &ReadOptions { limits, ..ReadOptions::default() }) {
            prop_assert!(table.rows() <= 100);
        }
    }

    #[test]
    fn mutated_gzip(changes in prop::collection::vec(any_change(), 1..4)) {
        check(Format::Csv, &apply(gzip(&valid_file(Format::Csv)), &changes))?;
    }

    #[test]
    fn tables_survive_writing_and_reading(table in any_table()) {
        let mut out = Vec::new();
        write_csv(&table, &mut out).unwrap();
        let options = ReadOptions { delimiter: Some(b','), header: Some(true), ..ReadOptions::default() };
        let back = read(&bytes("t.csv", &out), &options).unwrap();
        assert_same(&back, &table)?;
    }

    #[test]
    fn ordinary_tables_need_no_options(table in ordinary_table()) {
        let mut out = Vec::new();
        write_csv(&table, &mut out).unwrap();
        assert_same(&read(&bytes("t.csv", &out), &ReadOptions::default()).unwrap(), &table)?;
    }
}

/// An archive in which one part was changed.
#[cfg(feature = "excel")]
fn with_part(archive: &[u8], changed: &str, changes: &[Change]) -> Vec<u8> {
    use std::io::Read;
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(archive)).unwrap();
    let names: Vec<String> = archive.file_names().map(|name| name.unwrap().to_string()).collect();
    let mut parts = Vec::new();
    for name in &names {
        let mut content = Vec::new();
        archive.by_name(name).unwrap().read_to_end(&mut content).unwrap();
        let content = if name == changed { apply(content, changes) } else { content };
        parts.push((name.as_str(), content));
    }
    zip(&parts)
}

/// Equality in which missing numbers are equal.
fn assert_same(found: &Table, expected: &Table) -> Result<(), TestCaseError> {
    prop_assert_eq!(found.columns().len(), expected.columns().len());
    for (found, expected) in found.columns().iter().zip(expected.columns()) {
        prop_assert_eq!(&found.name, &expected.name);
        match (&found.data, &expected.data) {
            (ColumnData::Numeric(found), ColumnData::Numeric(expected)) => {
                prop_assert_eq!(found.len(), expected.len());
                let same = found.iter().zip(expected).all(|(a, b)| a == b || (a.is_nan() && b.is_nan()));
                prop_assert!(same, "{found:?} {expected:?}");
            }
            (found, expected) => prop_assert_eq!(found, expected),
        }
    }
    Ok(())
}

fn numeric_column(rows: usize) -> impl Strategy<Value = ColumnData> {
    prop::collection::vec(any::<f64>(), rows).prop_map(ColumnData::Numeric)
}

/// Texts of which at least the first is not a number, without surrounding spaces, which readers remove.
fn text_column(rows: usize, pattern: &'static str) -> impl Strategy<Value = ColumnData> {
    prop::collection::vec(pattern.prop_map(|cell| cell.trim().to_owned()), rows).prop_map(|mut cells| {
        cells[0].insert_str(0, "t/");
        cells[0] = cells[0].trim().to_owned();
        Column::text("", cells).data
    })
}

fn table_of(names: Vec<String>, data: Vec<ColumnData>) -> Table {
    let named = names.into_iter().zip(data).enumerate();
    // The position makes every name distinct and not empty.
    Table::new(named.map(|(at, (name, data))| Column { name: format!("{at}{name}!"), data }).collect()).unwrap()
}

fn any_table() -> impl Strategy<Value = Table> {
    (1..6usize, 1..6usize).prop_flat_map(|(rows, columns)| {
        let column = prop_oneof![numeric_column(rows), text_column(rows, "[\\PC\n\r\t\",]{0,12}")];
        let names = prop::collection::vec("[\\PC\",\n]{0,10}", columns);
        (names, prop::collection::vec(column, columns)).prop_map(|(names, data)| table_of(names, data))
    })
}

fn ordinary_table() -> impl Strategy<Value = Table> {
    (1..6usize, 2..6usize).prop_flat_map(|(rows, columns)| {
        let column = prop_oneof![numeric_column(rows), text_column(rows, "[a-z]{1,8}")];
        let names = prop::collection::vec("[a-z_]{1,10}", columns);
        (names, prop::collection::vec(column, columns)).prop_map(|(names, data)| table_of(names, data))
    })
}
