//! Streaming fits: the same rows give the same result in any format.
#![allow(clippy::unwrap_used)]

use std::io::Write;

use crate::common::{assert_contains, bytes, with_advice};
use rulesieve::{
    data::{ColumnData, DatasetOptions, Table, Target},
    generate,
    optim::Silent,
    select::{SelectOptions, Selection, Size},
    stream::{METHOD, RowSource, select},
};
use rulesieve_io::{ReadOptions, RowFile, Source, write_csv};

fn generated() -> Table {
    generate::find("xor").unwrap().generate(Some(9000), Some(5), 0).unwrap().table
}

fn selection(source: Source) -> Selection {
    let rows = RowFile::new(source, ReadOptions::default()).unwrap();
    let method = METHOD;
    let settings = method.settings(&[("steps".to_owned(), "60".to_owned())]).unwrap();
    let options = SelectOptions::new(method).settings(settings).size(Size::Top(2));
    let data = DatasetOptions::new(Target::named("class"));
    select(&rows, &data, &options, &mut Silent).unwrap()
}

fn csv() -> Source {
    let mut text = Vec::new();
    write_csv(&generated(), &mut text).unwrap();
    bytes("t.csv", text)
}

#[test]
#[cfg(feature = "parquet")]
fn parquet_and_csv_give_the_same_bits() {
    use crate::common::parquet_file::{Values, write};
    let schema = "message t { required double x1; required double x2; required double x3; required double x4;
                              required double x5; required binary class (STRING); }";
    let table = generated();
    let group = |rows: std::ops::Range<usize>| {
        let column = |data: &ColumnData| match data {
            ColumnData::Numeric(values) => Values::Double(values[rows.clone()].to_vec()),
            ColumnData::Dates(_) => panic!("no dates"),
            ColumnData::Text(text) => {
                Values::Text(rows.clone().map(|row| if text.get(row) == "odd" { "odd" } else { "even" }).collect())
            }
        };
        table.columns().iter().map(|found| (column(&found.data), None)).collect()
    };
    let content = write(schema, parquet::basic::Compression::SNAPPY, &[group(0..5000), group(5000..9000)]);
    let mut file = tempfile::Builder::new().suffix(".parquet").tempfile().unwrap();
    file.write_all(&content).unwrap();
    let from_parquet = selection(Source::Path(file.path().to_path_buf()));
    assert_eq!(from_parquet.ranking, selection(csv()).ranking);
    assert_eq!(from_parquet.data.samples, 9000);
    let refused = RowFile::new(bytes("t.parquet", content), ReadOptions::default()).unwrap_err();
    assert_contains(&refused.to_string(), &["t.parquet", "not a plain file"]);
}

#[test]
fn every_pass_gives_all_rows() {
    let rows = RowFile::new(csv(), ReadOptions::default()).unwrap();
    for _ in 0..2 {
        let counts: Vec<usize> = rows.pieces(&[]).unwrap().map(|piece| piece.unwrap().rows()).collect();
        assert_eq!(counts, [8192, 808]);
    }
    let texts = ["x1".to_owned()];
    let first = rows.pieces(&texts).unwrap().next().unwrap().unwrap();
    assert!(matches!(first.columns()[0].data, ColumnData::Text(_)));
}

#[test]
fn what_can_be_read_once_only_or_whole_only_is_refused() {
    let refused = |source| with_advice(&RowFile::new(source, ReadOptions::default()).unwrap_err());
    assert_contains(&refused(Source::Stdin), &["standard input", "only once", "save them to a file"]);
    assert_contains(&refused(bytes("t.svm", "1 1:1\n")), &["t.svm", "the format libsvm", "hold all rows in memory"]);
    assert_contains(&refused(Source::parse("/dev/null")), &["/dev/null", "only once"]);
}
