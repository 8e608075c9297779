//! Tables in chunks: their concatenation is the whole table, and errors give the correct line.
#![allow(clippy::unwrap_used)]

use std::io::Write;

use crate::common::{
    assert_contains, bytes, csv, doubles, gzip, limited, mat, mat_variable, npy, numbers, table, texts, with_advice,
    zip,
};
use rulesieve::data::{ColumnData, Table};
use rulesieve_io::{Kind, ReadError, ReadOptions, Source, chunks, read};

/// All chunks, or the first error.
fn pieces(source: &Source, options: &ReadOptions, rows: usize) -> Result<Vec<Table>, ReadError> {
    chunks(source, options, rows)?.collect()
}

fn joined(pieces: &[Table]) -> Vec<(String, Vec<String>)> {
    let column = |at: usize| {
        let cells =
            |table: &Table| -> Vec<String> { (0..table.rows()).map(|row| table.columns()[at].cell(row)).collect() };
        (pieces[0].columns()[at].name.clone(), pieces.iter().flat_map(cells).collect())
    };
    (0..pieces[0].columns().len()).map(column).collect()
}

/// Chunks of any size give the whole table.
#[track_caller]
fn check(source: &Source) {
    let options = ReadOptions::default();
    let whole = read(source, &options).unwrap();
    for rows in [1, 2, 3, 7, 1000] {
        let pieces = pieces(source, &options, rows).unwrap();
        assert_eq!(joined(&pieces), joined(std::slice::from_ref(&whole)), "{rows} rows a piece");
        let (last, full) = pieces.split_last().unwrap();
        assert!(full.iter().all(|piece| piece.rows() == rows) && last.rows() <= rows);
        assert!(pieces.iter().all(|piece| piece.target_hint == whole.target_hint));
        assert_eq!(pieces[0].warnings, whole.warnings);
    }
}

fn refusal(source: &Source, options: &ReadOptions, rows: usize) -> String {
    with_advice(&pieces(source, options, rows).unwrap_err())
}

#[test]
fn all_variants_of_csv() {
    for text in [
        "a,b\n1,x\n2,y\n3,z\n",
        "\u{feff}a,b\r\n1,x\r\n\r\n2,y\r\n3,z",
        "a;b\n1.5;x\n2.5;y\n3;z\n",
        "a\tb\n1\tx y\n2\ty\n3\tz\n",
        "a b\n 1   x\n2 \"y  z\"  \n3 z\n",
        "1,2\n3,4\n5,6\n",
        "a,b\r1,\"x\ry\"\r2,\"y\"\"\n\"\r3,z\r",
        "a,b\n1,\"x\n\ny,\"\n2,\"\n\"\n\n3,z\n",
        "only\n1\n\n \n\"\"\n3\n",
        "a,b\n?,x\n,NA\n2,\n",
        "größe,b\n1,ä\n2,€\n3,x\n",
    ] {
        check(&bytes("t.csv", text));
        check(&bytes("t.csv.gz", gzip(text.as_bytes())));
    }
    check(&bytes("t.tsv", "a\tb\n1\tx,y\n2\ty\n"));
}

#[test]
fn rows_across_blocks() {
    let mut text = "id,note,x\n".to_owned();
    for row in 0..60_000 {
        let note = if row % 3 == 0 { "\"two\nlines, \"\"quoted\"\"\"" } else { "plain and a little longer than that" };
        text.push_str(&format!("{row},{note},{}.5\r\n", row % 17));
    }
    assert!(text.len() > 2 << 20, "more than two blocks");
    let source = bytes("t.csv", &text);
    let options = ReadOptions::default();
    let whole = read(&source, &options).unwrap();
    let parts = pieces(&source, &options, 4999).unwrap();
    assert_eq!(joined(&parts), joined(&[whole]));

    // Every third row takes two lines, and the header takes one.
    let broken = format!("{text}1,2\r\n{text}");
    let message = refusal(&bytes("t.csv", &broken), &options, 4999);
    assert_contains(&message, &["t.csv, line 80002:", "2 cells", "have 3"]);
    assert_eq!(message, with_advice(&read(&bytes("t.csv", &broken), &options).unwrap_err()));
}

#[test]
fn errors_are_those_of_the_normal_reader() {
    let filler = "1,2\n".repeat(400_000);
    for (fault, part) in [
        ("1,\"2\n", "is not closed"),
        ("1,\"2\"x\n", "follows a closing quote"),
        ("1, \"2\"\n", "there is a space"),
        ("1,2,3\n", "3 cells"),
    ] {
        let source = bytes("t.csv", format!("a,b\n{filler}{fault}{filler}"));
        let message = refusal(&source, &ReadOptions::default(), 1000);
        assert_contains(&message, &["line 400002", part]);
        assert_eq!(message, with_advice(&read(&source, &ReadOptions::default()).unwrap_err()));
    }
    for (fault, part) in [(&b"\xc3\xa4,\xe4\n"[..], "0xe4 is not valid UTF-8"), (b"1,\0\n", "a NUL byte")] {
        let source = bytes("t.csv", [b"a,b\n", filler.as_bytes(), fault, filler.as_bytes()].concat());
        let message = refusal(&source, &ReadOptions::default(), 1000);
        assert_contains(&message, &["line 400002, byte 160000", part]);
        assert_eq!(message, with_advice(&read(&source, &ReadOptions::default()).unwrap_err()));
    }
    for text in ["", "\n\n", "a,b\n", "a,a\n1,2\n"] {
        let message = refusal(&bytes("t.csv", text), &ReadOptions::default(), 10);
        assert_eq!(message, crate::common::refusal("t.csv", text));
    }
}

#[test]
fn limits_apply_to_the_whole_table() {
    let source = bytes("t.csv", "a\n1\n2\n3\n");
    assert_eq!(pieces(&source, &limited(3, 1, 100), 1).unwrap().len(), 3);
    assert_contains(&refusal(&source, &limited(2, 1, 100), 1), &["3 rows", "limit of 2", "raise the limit of rows"]);
    assert_contains(
        &refusal(&bytes("t.csv", "a,b\n1,2\n"), &limited(2, 1, 100), 1),
        &["2 columns", "raise the limit of columns"],
    );
    let long = bytes("t.csv.gz", gzip(("a\n".to_owned() + &"1\n".repeat(3_000_000)).as_bytes()));
    assert_contains(
        &refusal(&long, &limited(10_000_000, 1, 5_000_000), 1000),
        &["5000000 bytes", "raise the limit of bytes"],
    );
    let cut = gzip(&b"a\n1\n".repeat(100_000));
    assert_contains(&refusal(&bytes("t.csv.gz", &cut[..cut.len() / 2]), &ReadOptions::default(), 10), &["gzip data"]);
}

#[test]
fn types_change_only_to_text_and_can_be_fixed() {
    let source = bytes("t.csv", "a,b\n1.50,1\n2,2\n3,x\n4,4\n");
    let free = pieces(&source, &ReadOptions::default(), 1).unwrap();
    assert_eq!(texts(&free[1], "b"), ["2"], "as in the whole file");
    assert_eq!((texts(&free[2], "b"), texts(&free[3], "b")), (vec!["x".to_owned()], vec!["4".to_owned()]));

    let fixed = chunks(&source, &ReadOptions::default(), 3).unwrap().expecting(|_| Some(Kind::Text));
    assert_eq!(fixed.names(), ["a", "b"]);
    let fixed: Vec<Table> = fixed.map(Result::unwrap).collect();
    assert_eq!(
        (texts(&fixed[0], "a"), texts(&fixed[1], "b")),
        (["1.50", "2", "3"].map(str::to_owned).to_vec(), vec!["4".to_owned()])
    );

    let mut fixed = chunks(&source, &ReadOptions::default(), 2).unwrap().expecting(|_| Some(Kind::Number));
    assert!(fixed.next().unwrap().is_ok());
    let message = fixed.next().unwrap().unwrap_err().to_string();
    assert_contains(&message, &["t.csv, line 4, column 'b'", "found 'x', expected a number"]);
    assert!(fixed.next().is_none(), "an error ends the table");
}

#[test]
fn decimal_commas_as_in_the_whole_table() {
    let source = bytes("t.csv", "a;b\n1;1,5\n2;2\n3,25;x\n");
    let whole = csv("a;b\n1;1,5\n2;2\n3,25;x\n");
    let parts = pieces(&source, &ReadOptions::default(), 1).unwrap();
    assert_eq!(parts.iter().flat_map(|part| numbers(part, "a")).collect::<Vec<_>>(), numbers(&whole, "a"));
    assert_eq!((texts(&parts[0], "b"), texts(&parts[2], "b")), (vec!["1,5".to_owned()], vec!["x".to_owned()]));
    // A point and a comma in one column: text, in any order.
    for text in ["a;b\n1.5;0\n2,5;0\n3;0\n", "a;b\n2,5;0\n1.5;0\n3;0\n"] {
        let parts = pieces(&bytes("t.csv", text), &ReadOptions::default(), 1).unwrap();
        assert_eq!(texts(&parts[2], "a"), ["3"]);
        texts(&csv(text), "a");
    }
}

#[test]
fn other_formats_can_be_chunked() {
    let eight = doubles(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    for (name, content) in [
        ("t.arff", b"@attribute a real\n@attribute t {x,y}\n@data\n1,x\n2,y\n3,x\n".to_vec()),
        ("t.svm", b"1 1:1\n2 2:1\n1 1:5\n2 1:7\n".to_vec()),
        ("t.npy", npy("<f8", false, "(4, 2)", &eight)),
        ("t.npz", zip(&[("X.npy", npy("<f8", false, "(4, 2)", &eight))])),
        ("t.mat", mat(&[mat_variable("X", 6, 4, 2, 9, &eight)])),
    ] {
        check(&bytes(name, content));
    }
    let arff = bytes("t.arff", "@attribute a real\n@attribute t {x,y}\n@data\n1,x\n2,y\n3,x\n");
    let mut pieces = chunks(&arff, &ReadOptions::default(), 2).unwrap().expecting(|name| match name {
        "a" => Some(Kind::Text),
        _ => Some(Kind::Number),
    });
    assert_contains(&pieces.next().unwrap().unwrap_err().to_string(), &["'t' is 'x' in data row 1", "a number"]);
}

#[test]
fn files_on_disk() {
    let mut file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    file.write_all(b"a,b\n1,x\n2,y\n3,z\n").unwrap();
    check(&Source::Path(file.path().to_path_buf()));
    assert_contains(&refusal(&Source::parse("/nowhere.csv"), &ReadOptions::default(), 1), &["cannot read", "nowhere"]);
    assert_contains(&refusal(&Source::parse("/"), &ReadOptions::default(), 1), &["is a directory"]);
}

#[test]
#[cfg(feature = "parquet")]
fn parquet_on_disk_is_read_by_pages() {
    use crate::common::parquet_file::{SCHEMA, group, write};
    use parquet::basic::Compression;
    for codec in [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::GZIP(Default::default())] {
        let content = write(SCHEMA, codec, &[group(), group(), group()]);
        check(&bytes("t.parquet", &content));
        let mut file = tempfile::Builder::new().suffix(".parquet").tempfile().unwrap();
        file.write_all(&content).unwrap();
        let source = Source::Path(file.path().to_path_buf());
        check(&source);
        assert_eq!(
            joined(&pieces(&source, &ReadOptions::default(), 4).unwrap()),
            joined(&[table("t.parquet", &content)])
        );
        assert_contains(
            &refusal(&source, &limited(8, 10, 1 << 20), 2),
            &["9 rows", "limit of 8", "raise the limit of rows"],
        );
        // Damage is a message, whatever it hits.
        for at in (4..content.len()).step_by(7) {
            let mut damaged = content.clone();
            damaged[at] ^= 0x55;
            std::fs::write(file.path(), &damaged).unwrap();
            let _ = pieces(&source, &ReadOptions::default(), 2);
        }
    }
    let text = write(SCHEMA, Compression::SNAPPY, &[group()]);
    let source = bytes("t.parquet", text);
    let kinds = chunks(&source, &ReadOptions::default(), 2).unwrap().expecting(|name| match name {
        "count" => Some(Kind::Text),
        _ => None,
    });
    let tables: Vec<Table> = kinds.map(Result::unwrap).collect();
    assert_eq!(texts(&tables[0], "count"), ["-7", ""]);
}

/// Before the first row the number of columns is not known, so a quoted empty cell is a blank line.
#[test]
fn a_quoted_empty_cell_before_the_header_is_a_blank_line() {
    for text in ["\"\"\na\n1\n2\n", "a\n1\n2\n"] {
        let source = bytes("t.csv", text);
        let whole = read(&source, &ReadOptions::default()).unwrap();
        assert_eq!((whole.rows(), whole.columns()[0].name.as_str()), (2, "a"), "{text:?}");
        assert_eq!(joined(&pieces(&source, &ReadOptions::default(), 1).unwrap()), joined(&[whole]));
    }
}

proptest::proptest! {
    /// For any text, chunked reading fails if normal reading does, and else gives the same rows and final types.
    #[test]
    fn chunks_of_any_text_give_the_whole_table(text in "[ab1-3.,;\" \r\n\t]{0,60}", rows in 1_usize..5) {
        let (source, options) = (bytes("t.csv", &text), ReadOptions::default());
        match (read(&source, &options), pieces(&source, &options, rows)) {
            (Ok(whole), Ok(parts)) => {
                assert_eq!(parts.iter().map(Table::rows).sum::<usize>(), whole.rows());
                let kinds: Vec<bool> = whole.columns().iter().map(|c| matches!(c.data, ColumnData::Text(_))).collect();
                let fixed = chunks(&source, &options, rows).unwrap();
                let names: Vec<String> = fixed.names().to_vec();
                let fixed = fixed.expecting(|name| {
                    let at = names.iter().position(|other| other == name).unwrap();
                    Some(if kinds[at] { Kind::Text } else { Kind::Number })
                });
                let fixed: Vec<Table> = fixed.map(Result::unwrap).collect();
                assert_eq!(joined(&fixed), joined(&[whole]));
            }
            (Err(_), Err(_)) => {}
            (whole, parts) => panic!("{text:?}: {whole:?} {parts:?}"),
        }
    }
}
