//! CSV and TSV: types, detection of properties, and warnings.

use crate::common::{bytes, csv, error, names, numbers, texts};
use rulesieve_io::{ReadOptions, TableFormat, copy_columns, read};

#[test]
fn numbers_texts_and_missing_cells() {
    let table = csv("a,b,c\n1.50, x ,NA\n-2e3,NA,inf\n,y,?\n");
    assert_eq!(names(&table), ["a", "b", "c"]);
    let a = numbers(&table, "a");
    assert_eq!(&a[..2], [1.5, -2000.0]);
    assert!(a[2].is_nan());
    assert_eq!(texts(&table, "b"), ["x", "NA", "y"], "a text column keeps NA unchanged");
    let c = numbers(&table, "c");
    assert!(c[0].is_nan() && c[1] == f64::INFINITY && c[2].is_nan());
    assert_eq!(table.warnings, []);
}

#[test]
fn a_text_in_the_last_row_makes_the_whole_column_text() {
    let table = csv("a,b\n1.0,1\n2.50,2\nx,3\n");
    assert_eq!(texts(&table, "a"), ["1.0", "2.50", "x"]);
    assert_eq!(numbers(&table, "b"), [1.0, 2.0, 3.0]);
}

#[test]
fn detected_delimiters_are_reported() {
    for (text, name) in
        [("a;b\n1;2\n", "';'"), ("a\tb\n1\t2\n", "tabs"), ("a|b\n1|2\n", "'|'"), ("  a   b\n 1  2 \n", "spaces")]
    {
        let table = csv(text);
        assert_eq!((names(&table), numbers(&table, "b")), (vec!["a", "b"], vec![2.0]), "{text:?}");
        assert!(table.warnings[0].to_string().contains(name), "{:?}", table.warnings);
    }
}

#[test]
fn a_given_delimiter_is_used() {
    let options = ReadOptions { delimiter: Some(b':'), ..ReadOptions::default() };
    let table = read(&bytes("t.csv", "a:b,c\n1:2\n"), &options).unwrap();
    assert_eq!(names(&table), ["a", "b,c"]);
    let options = ReadOptions { delimiter: Some(b'"'), ..ReadOptions::default() };
    assert!(error(&bytes("t.csv", "a\n1\n"), &options).contains("which cannot delimit cells"));
}

#[test]
fn rows_without_a_header_get_names_and_a_warning() {
    let table = csv("1,2\n3,4\n");
    assert_eq!((names(&table), numbers(&table, "c1")), (vec!["c1", "c2"], vec![1.0, 3.0]));
    assert!(table.warnings[0].to_string().contains("c1 to c2"));
    let forced = ReadOptions { header: Some(true), ..ReadOptions::default() };
    assert_eq!(names(&read(&bytes("t.csv", "1,2\n3,4\n"), &forced).unwrap()), ["1", "2"]);
    let none = ReadOptions { header: Some(false), ..ReadOptions::default() };
    assert_eq!(texts(&read(&bytes("t.csv", "a,b\n1,2\n"), &none).unwrap(), "c1"), ["a", "1"]);
}

#[test]
fn unnamed_columns_are_numbered() {
    for (text, expected, hint) in [
        (",a,\n1,2,3\n", &["column1", "a", "column3"][..], Some("column1")),
        ("a,,column2\n1,2,3\n", &["a", "column2_", "column2"], None),
        // As pandas writes an array.
        (",0,1\n0,5,6\n1,7,8\n", &["column1", "0", "1"], Some("column1")),
    ] {
        let table = csv(text);
        assert_eq!((names(&table), table.index_hint.as_deref()), (expected.to_vec(), hint), "{text:?}");
        let first = rulesieve_io::chunks(&bytes("t.csv", text), &ReadOptions::default(), 1).unwrap().next().unwrap();
        assert_eq!(first.unwrap().index_hint.as_deref(), hint);
    }
}

#[test]
fn a_header_that_looks_like_data_gives_a_warning() {
    let table = csv("5.1,setosa\n4.9,setosa\n");
    assert_eq!(names(&table), ["5.1", "setosa"]);
    assert!(table.warnings[0].to_string().contains("'5.1' is a number"), "{:?}", table.warnings);
}

#[test]
fn decimal_commas_become_numbers() {
    let table = csv("a;b;c\n1,5;x;7\n-0,25;y,z;8\n;w;9\n");
    let a = numbers(&table, "a");
    assert_eq!(&a[..2], [1.5, -0.25]);
    assert!(a[2].is_nan());
    assert_eq!(texts(&table, "b"), ["x", "y,z", "w"]);
    assert!(
        table
            .warnings
            .iter()
            .any(|warning| warning.to_string().contains("'a'") && warning.to_string().contains("decimal sign"))
    );
}

#[test]
fn thousands_separators_give_a_warning() {
    for text in ["a;b\n1,234.5;1\n2,000.0;2\n", "a,b\n\"1,234.5\",1\n7,2\n", "a;b\n1.234,5;1\n2.000,0;2\n"] {
        let table = csv(text);
        assert_eq!(texts(&table, "a").len(), 2);
        assert!(
            table.warnings.iter().any(|warning| warning.to_string().contains("thousands")),
            "{text:?}: {:?}",
            table.warnings
        );
    }
}

#[test]
fn one_column_keeps_its_missing_rows() {
    let table = csv("a\n1\n\"\"\n3\n");
    let a = numbers(&table, "a");
    assert!(a.len() == 3 && a[1].is_nan());
}

#[test]
fn copying_keeps_cells_unchanged_in_the_given_order() {
    let source = bytes("t.csv", "a,b,c\n1.50,\"x,y\",007\n2e0,NA,1\n");
    let mut out = Vec::new();
    let rows = copy_columns(
        &source,
        &ReadOptions::default(),
        &["c".into(), "a".into(), "b".into()],
        TableFormat::CSV,
        &mut out,
    )
    .unwrap();
    assert_eq!(rows, 2);
    assert_eq!(String::from_utf8(out).unwrap(), "c,a,b\n007,1.50,\"x,y\"\n1,2e0,NA\n");
}

#[test]
fn copying_reports_every_missing_column_and_writes_nothing() {
    let source = bytes("t.csv", "height,width\n1,2\n");
    let mut out = Vec::new();
    let asked = ["hight".to_owned(), "width".to_owned(), "colour".to_owned()];
    let message =
        copy_columns(&source, &ReadOptions::default(), &asked, TableFormat::CSV, &mut out).unwrap_err().to_string();
    assert!(message.contains("'hight' (did you mean 'height'?)") && message.contains("'colour'"), "{message}");
    assert!(!message.contains("'width'") && out.is_empty());
}

#[test]
fn copying_from_other_formats_converts_numbers() {
    let source = bytes("t.libsvm", "1 1:0.50 3:2\n-1 2:7\n");
    let mut out = Vec::new();
    let rows =
        copy_columns(&source, &ReadOptions::default(), &["target".into(), "f1".into()], TableFormat::CSV, &mut out)
            .unwrap();
    assert_eq!((rows, String::from_utf8(out).unwrap().as_str()), (2, "target,f1\n1,0.5\n-1,0\n"));
}

#[test]
fn the_delimiter_is_detected_if_the_sample_ends_inside_a_line() {
    let line = "12345 ".repeat(999) + "1\n";
    let table = csv(line.repeat(300));
    assert_eq!((table.rows(), table.columns().len()), (300, 1000));
}
