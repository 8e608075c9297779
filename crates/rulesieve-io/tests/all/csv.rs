//! CSV and TSV: types, detection of properties, and warnings.

use crate::common::{bytes, csv, error, names, numbers, texts};
use rulesieve_io::{ReadOptions, TableFormat, chunks, copy_columns, read};

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

/// A table, the values of its columns as text (missing: empty), and parts of its warnings.
#[test]
fn numbers_and_dates_as_people_write_them() {
    for (text, expected, warnings) in [
        ("a;b\n1,234.5;1\n2,000.0;2\n", "a 1234.5 2000|b 1 2", &["thousands", "'1,234.5'"][..]),
        ("a,b\n\"1,234.5\",1\n7,2\n", "a 1234.5 7|b 1 2", &["thousands"]),
        ("a;b\n1.234,5;1\n2.000,0;2\n", "a 1234.5 2000|b 1 2", &["decimal sign", "thousands"]),
        // The other column decides about 5.914.
        (
            "a;b\n5.914;0,33\n1.200;0,5\n",
            "a 5914 1200|b 0.33 0.5",
            &["column 'b': the comma", "column 'a': separators"],
        ),
        ("a;b\n5.914;1\n1.200;2\n", "a 5.914 1.2|b 1 2", &["it may separate thousands in all cells (such as '5.914')"]),
        ("a;b\n5,914;1\n1,200;2\n", "a 5.914 1.2|b 1 2", &["decimal sign"]),
        ("a\tb\n5,914\t1\n1,200\t2\n", "a 5914 1200|b 1 2", &["thousands"]),
        (
            "a;b\n5.91;0,33\n1.2;0,5\n",
            "a 5.91 1.2|b 0,33 0,5",
            &["'b' kept as text", "'5.91' (column 'a', data row 1)", "'0,33' (column 'b', data row 1)"],
        ),
        ("a;b\n5.91;x\n1.2;0,5\n", "a 5.91 1.2|b x 0,5", &[]),
        ("a,b\n$5,12 %\n-$7.50,3.5%\n", "a 5 -7.5|b 0.12 0.035", &["currency signs", "divided by 100"]),
        ("a,b\n$5,12 %\n€7,3.5\n", "a $5 €7|b 12 % 3.5", &["columns a, b kept as text", "different currencies"]),
        ("a,b\n(5),\u{2212}1\n6,+1\n", "a -5 6|b -1 1", &["parentheses"]),
        ("a,b\n1 000,1'000\n2\u{202f}000\u{202f}000,7\n", "a 1000 2000000|b 1000 7", &["thousands"]),
        ("a,b\n1e3,.5\n+5,-2E-1\n", "a 1000 5|b 0.5 -0.2", &[]),
        ("a,b\n-,None\n.,#N/A\n1,2\n<NA>,NaT\n", "a   1 |b   2 ", &[]),
        ("a,b\n2024-01-31,13:05\n2023-12-01,NA\n", "a 2024-01-31 2023-12-01|b 1970-01-01T13:05:00 ", &[]),
        ("a,b\n31/1/2024,1/31/2024\n1/2/2024,1/2/2024\n", "a 2024-01-31 2024-02-01|b 2024-01-31 2024-01-02", &[]),
        (
            "a,b\n3/1/2024,x\n1/2/2024,2024-01-01\n",
            "a 3/1/2024 1/2/2024|b x 2024-01-01",
            &["'a' kept as text", "month/day"],
        ),
        (
            "a,b\n2024-01-31T10:00Z,1 Jan 2024\n2024-01-31 12:00+02:00,\"Feb 2, 2024\"\n",
            "a 2024-01-31T10:00:00 2024-01-31T10:00:00|b 2024-01-01 2024-02-02",
            &[],
        ),
        ("sep=;\na;b\n1;2\n", "a 1|b 2", &[]),
        ("# x\n#y\na;b\n1;2\n", "a 1|b 2", &["2 lines begin with #"]),
        ("#a;b\n1;2\n", "#a 1|b 2", &[]),
        ("a;b;\n1;2;\n3;4;\n", "a 1 3|b 2 4", &["empty last column 'column3'"]),
        ("a;b\n1;2;\n3;4;\n", "a 1 3|b 2 4", &["empty last column 'column3'"]),
        ("a b\nr1 1 2\nr2 3 4\n", "column1 r1 r2|a 1 3|b 2 4", &[]),
        ("\u{feff}a,b\n1,2\n", "a 1|b 2", &[]),
    ] {
        let table = csv(text);
        let column = |column: &rulesieve::data::Column| {
            format!("{} {}", column.name, (0..table.rows()).map(|row| column.cell(row)).collect::<Vec<_>>().join(" "))
        };
        let found = table.columns().iter().map(column).collect::<Vec<_>>().join("|");
        let ours = table.warnings.iter().map(ToString::to_string).filter(|text| !text.contains("(detected)"));
        let said = ours.collect::<Vec<_>>().join("\n");
        assert_eq!(found, expected, "{text:?}");
        assert!(warnings.is_empty() == said.is_empty(), "{text:?}: {said}");
        crate::common::assert_contains(&said, warnings);
        // Chunks agree.
        let source = bytes("t.csv", text);
        let chunks = rulesieve_io::chunks(&source, &ReadOptions::default(), 1).unwrap();
        let chunks: Vec<_> = chunks.map(Result::unwrap).collect();
        for (at, column) in table.columns().iter().enumerate() {
            let cells: Vec<String> = chunks.iter().map(|chunk| chunk.columns()[at].cell(0)).collect();
            assert_eq!(cells, (0..table.rows()).map(|row| column.cell(row)).collect::<Vec<_>>(), "{text:?}");
        }
        assert_eq!(chunks[0].warnings, table.warnings);
    }
}

#[test]
fn options_decide() {
    let default = ReadOptions::default;
    for (text, options, expected) in [
        ("a;b\n5,914;1\n", ReadOptions { decimal: Some(b'.'), ..default() }, "5914 1"),
        ("a;b\n5.914;0,5\n", ReadOptions { decimal: Some(b','), ..default() }, "5914 0.5"),
        ("a,b\n3/1/2024,1\n", ReadOptions { day_first: Some(true), ..default() }, "2024-01-03 1"),
        ("a,b\n3/1/2024,1\n", ReadOptions { day_first: Some(false), ..default() }, "2024-03-01 1"),
        ("a,b\n-999,x\n", ReadOptions { na_values: vec!["-999.0".into(), "x".into()], ..default() }, " "),
        ("% note\na,b\n%\"\n1,2\n", ReadOptions { comment: Some("%".into()), ..default() }, "1 2"),
    ] {
        let source = bytes("t.csv", text);
        let table = read(&source, &options).unwrap();
        let cells: Vec<String> = table.columns().iter().map(|column| column.cell(0)).collect();
        assert_eq!(cells.join(" "), expected, "{text:?}");
        let chunk = rulesieve_io::chunks(&source, &options, 1).unwrap().next().unwrap().unwrap();
        assert_eq!(chunk.columns().iter().map(|column| column.cell(0)).collect::<Vec<_>>(), cells);
    }
    let libsvm = bytes("t.svm", "1 1:5 2:-9\n2 1:-9\n");
    let options = ReadOptions { na_values: vec!["-9".into()], ..default() };
    assert!(numbers(&read(&libsvm, &options).unwrap(), "f1")[1].is_nan());
    let none = ReadOptions { encoding: Some("none".into()), ..default() };
    assert!(error(&bytes("t.csv", "a\n1\n"), &none).contains("no encoding 'none'"));
}

#[test]
fn other_encodings_are_decoded_with_a_warning() {
    let text = "größe,b\n1,ä\n2,€\n";
    let utf16: Vec<u16> = "\u{feff}".encode_utf16().chain(text.encode_utf16()).collect();
    let little: Vec<u8> = utf16.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big: Vec<u8> = utf16.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    let windows: Vec<u8> = text.chars().map(|c| if c == '€' { 0x80 } else { c as u8 }).collect();
    // Other bytes only after the first block.
    let late: Vec<u8> = [b"a,b\n", "1,2\n".repeat(400_000).as_bytes(), b"1,\xe4\n"].concat();
    for (content, encoding) in
        [(little, "UTF-16LE"), (big, "UTF-16BE"), (windows, "windows-1252"), (late, "windows-1252")]
    {
        let source = bytes("t.csv", &content);
        let table = read(&source, &ReadOptions::default()).unwrap();
        assert!(table.warnings[0].to_string().contains(encoding), "{:?}", table.warnings);
        let last = table.columns()[1].cell(table.rows() - 1);
        assert!(["€", "ä"].contains(&last.as_str()), "{last}");
        let chunks = rulesieve_io::chunks(&source, &ReadOptions::default(), 100_000).unwrap();
        let chunks: Vec<_> = chunks.map(Result::unwrap).collect();
        let chunk = chunks.last().unwrap();
        assert_eq!((chunk.columns()[1].cell(chunk.rows() - 1), &chunks[0].warnings), (last, &table.warnings));
        assert_eq!(chunk.columns()[0].name, table.columns()[0].name);
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
    assert_eq!(rows.rows, 2);
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
    assert_eq!((rows.rows, String::from_utf8(out).unwrap().as_str()), (2, "target,f1\n1,0.5\n-1,0\n"));
}

#[test]
fn the_delimiter_is_detected_if_the_sample_ends_inside_a_line() {
    let line = "12345 ".repeat(999) + "1\n";
    let table = csv(line.repeat(300));
    assert_eq!((table.rows(), table.columns().len()), (300, 1000));
}

#[test]
fn integers_that_doubles_would_round_keep_their_digits() {
    let table = csv(
        "id,a,b,c\n12345678901234567,9007199254740992,1.5,12345678901234567\n12345678901234568,,12345678901234567,1e3\n,3,2,7\n",
    );
    assert_eq!(texts(&table, "id"), ["12345678901234567", "12345678901234568", ""]);
    assert_eq!(numbers(&table, "a")[0], 9_007_199_254_740_992.0);
    // Columns with fractions or exponents are measurements.
    assert_eq!(numbers(&table, "b")[1], 12_345_678_901_234_567.0);
    assert_eq!(numbers(&table, "c")[1..], [1000.0, 7.0]);
    // After the rows from which the types are guessed.
    let rows: String = (0..300).map(|row| format!("{row}\n")).collect();
    let content = format!("id\n{rows}98765432109876543\n");
    assert_eq!(texts(&csv(&content), "id")[299..], ["299", "98765432109876543"]);
    let source = bytes("t.csv", &content);
    let last = chunks(&source, &ReadOptions::default(), 100).unwrap().last().unwrap().unwrap();
    assert_eq!(texts(&last, "id"), ["98765432109876543"]);
}
