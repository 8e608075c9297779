//! Hostile files, items 30 to 40: each is read correctly or rejected with what is wrong, where, and what to do.

use crate::common::{assert_contains, bytes, csv, error, gzip, limited, names, numbers, refusal, table, texts};
use rulesieve_io::{Format, ReadOptions, Source, TableFormat, copy_columns, read, write_csv};

const DEFAULT_BYTES: u64 = 4 << 30;

// Shape (item 1).

#[test]
fn empty_files_and_headers_without_rows() {
    assert_contains(&refusal("t.csv", ""), &["t.csv", "is empty"]);
    assert_contains(&refusal("t.csv", "\n \r\n\n"), &["is empty"]);
    assert_contains(&refusal("t.csv", "\u{feff}"), &["is empty"]);
    assert_contains(&refusal("t.csv", "a,b\n"), &["header but no rows"]);
    assert_contains(&refusal("t.csv.gz", gzip(b"")), &["is empty"]);
}

// Item 30: encodings.

#[test]
fn byte_order_marks() {
    assert_eq!(names(&csv("\u{feff}\"a\",b\n1,2\n")), ["a", "b"]);
    let utf16: Vec<u8> = "\u{feff}a,b\n1,2\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(names(&table("no-ending", &utf16)), ["a", "b"]);
}

#[test]
fn a_single_invalid_byte_among_utf_8_is_located() {
    let message = refusal("t.csv", b"n\xc3\xa4me,x\na,1\nM\xfcller,2\n");
    assert_contains(&message, &["line 3", "byte 13", "0xfc", "save the file as UTF-8"]);
    // Control characters are no text in any encoding.
    assert_contains(&refusal("t.csv", b"a,b\n1,\xfc\x01\n"), &["line 2", "byte 6", "0xfc"]);
}

// Item 31: line ends.

#[test]
fn all_line_ends_read_alike() {
    let expected = csv("a,b\n1,x\n2,y\n");
    for text in ["a,b\r\n1,x\r\n2,y\r\n", "a,b\r1,x\r2,y\r", "a,b\n1,x\r\n2,y", "a,b\r1,x\n\n\r\n2,y\r\n\r\n"] {
        assert_eq!(csv(text), expected, "{text:?}");
    }
}

#[test]
fn lines_are_counted_alike_for_all_line_ends() {
    for text in ["a,b\n\n1,2\n3\n", "a,b\r\n\r\n1,2\r\n3\r\n", "a,b\r\r1,2\r3\r", "a,b\n\r\n1,2\r3"] {
        assert_contains(&refusal("t.csv", text), &["line 4", "1 cells", "2;"]);
    }
}

// Item 32: quotes.

#[test]
fn quotes_in_every_place() {
    assert_contains(&refusal("t.csv", "a,b\n1,2\n3,\"x\n4,5\n6,7\n"), &["line 3", "is not closed"]);
    assert_contains(&refusal("t.csv", "a,b\n\"x\"y,2\n"), &["line 2", "closing quote", "double"]);
    assert_contains(&refusal("t.csv", "a,b\n1, \"x,y\"\n"), &["line 2", "a space between"]);
    let table = csv("a,b\n\"two\nlines\",1\n5\" pipe,2\n\"say \"\"hi\"\"\",3\n");
    assert_eq!(texts(&table, "a"), ["two\nlines", "5\" pipe", "say \"hi\""]);
    let message = refusal("t.csv", "a,b\n\"two\nlines\",1\n3\n");
    assert_contains(&message, &["line 4"]);
    assert_eq!(numbers(&csv("a,b\n1,2\n3,4"), "b"), [2.0, 4.0]);
    assert_contains(&refusal("t.csv", "a,b\n1,2\n3"), &["line 3", "1 cells"]);
}

// Item 33: ragged rows.

#[test]
fn ragged_rows_give_line_and_counts() {
    assert_contains(&refusal("t.csv", "a,b,c\n1,2,3\n1,2\n"), &["t.csv", "line 3", "2 cells", "have 3"]);
    assert_contains(&refusal("t.csv", "a,b,c\n1,2,3,4\n"), &["line 2", "4 cells", "have 3"]);
    assert_contains(&refusal("t.tsv", "a\tb\n1\n"), &["line 2", "1 cells", "have 2"]);
}

// Item 34 is in csv.rs: delimiters, decimal commas, thousands.

// Item 35 and 39: names.

#[test]
fn invalid_names() {
    assert_contains(&refusal("t.csv", "a,b,a\n1,2,3\n"), &["t.csv", "'a'", "columns 1 and 3"]);
    let message = refusal("t.csv", format!("{},b\n1,2\n", "x".repeat(1 << 20)));
    assert_contains(&message, &["column 1", "1048576 bytes", "shorten"]);
    assert!(message.len() < 300, "the name is truncated");
}

#[test]
fn terminal_escapes_are_escaped() {
    let message = refusal("evil\u{1b}[2J.csv", "a\u{1b}[31m,a\u{1b}[31m\n1,2\n");
    assert!(!message.contains('\u{1b}'), "{message:?}");
    assert_contains(&message, &["\\u{1b}[31m", "evil\\u{1b}"]);
    let table = csv("1\u{7}\u{202e},2\n1,x\n");
    assert!(
        table.warnings.iter().all(|warning| !warning.to_string().contains(['\u{7}', '\u{202e}'])),
        "{:?}",
        table.warnings
    );
}

#[test]
fn formulas_in_names_are_copied_unchanged() {
    let text = "=cmd|' /C calc'!A0,b\n1,2\n";
    let table = csv(text);
    let mut out = Vec::new();
    write_csv(&table, &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), text);
}

// Item 36: binary files.

#[test]
fn binary_files_are_recognised() {
    assert_contains(&refusal("t.csv", b"a,b\n1,\x002\n"), &["line 2", "byte 6", "NUL byte", "csv"]);
    assert_contains(&refusal("t.csv", b"\x89PNG\r\n\x1a\n"), &["PNG image", "CSV"]);
    assert_contains(&refusal("t.csv", b"PK\x03\x04rest"), &["the ZIP archive is damaged"]);
    assert_contains(&refusal("t.csv", gzip(&gzip(b"a\n1\n"))), &["gzip data inside gzip data"]);
    assert_contains(&refusal("picture", b"\x89PNG\r\n\x1a\n\0\0"), &["the format is unknown", "csv, tsv, json"]);
    assert_contains(&refusal("t.csv.gz", b"\x1f\x8b\x08\0\0\0\0\0garbage"), &["gzip data is damaged"]);
    let whole = gzip(b"a,b\n1,2\n");
    assert_contains(&refusal("t.csv.gz", &whole[..whole.len() - 6]), &["gzip", "cut off"]);
}

#[test]
fn a_gzip_bomb_is_rejected_early() {
    let bomb = gzip(&vec![0; 50_000_000]);
    assert_contains(&refusal("t.csv", bomb), &["NUL byte"]);
}

#[test]
fn formats_are_found_by_name_or_signature() {
    let source = Source::Bytes { name: "stream".into(), bytes: crate::common::npy("|u1", false, "(2,)", &[1, 2]) };
    assert_eq!(read(&source, &ReadOptions::default()).unwrap().rows(), 2);
    assert_eq!(Format::from_path("a/B.CSV.GZ".as_ref()), Some(Format::Csv));
    assert_eq!(Format::from_path("x.svmlight".as_ref()), Some(Format::Libsvm));
    assert_eq!(Format::from_path("x.gz".as_ref()), None);
    assert_contains(&"docx\u{1b}".parse::<Format>().unwrap_err().to_string(), &["'docx\\u{1b}'", "csv", "parquet"]);
    for format in Format::ALL {
        assert_eq!(format.name().parse(), Ok(format));
    }
}

// Item 37: endless lines.

#[test]
fn long_lines_and_many_columns_end_at_the_limit() {
    let line = "1".repeat(2_000_000);
    assert_contains(
        &error(&bytes("t.csv", &line), &limited(10, 10, 1_000_000)),
        &["1000000 bytes", "raise the limit of bytes"],
    );
    let wide = "1,".repeat(50_000) + "1\n";
    let said = error(&bytes("t.csv", &wide), &limited(10, 10_000, DEFAULT_BYTES));
    assert_contains(&said, &["50001 columns", "10000", "raise the limit of columns"]);
}

// Item 38: paths that are not regular files.

#[test]
fn unreadable_paths() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| Source::Path(directory.path().join(name));
    assert_contains(&error(&Source::Path(directory.path().into()), &ReadOptions::default()), &["is a directory"]);
    assert_contains(&error(&path("missing.csv"), &ReadOptions::default()), &["missing.csv", "No such file"]);
    assert_eq!(Source::parse("-"), Source::Stdin);
    assert_eq!(Source::parse("a.csv"), Source::Path("a.csv".into()));
}

#[test]
#[cfg(unix)]
fn files_without_permission() {
    use std::os::unix::fs::PermissionsExt;
    let file = tempfile::NamedTempFile::with_suffix(".csv").unwrap();
    std::fs::set_permissions(file.path(), std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(file.path()).is_ok() {
        println!("skipped: this user may read everything");
        return;
    }
    assert_contains(&error(&Source::Path(file.path().into()), &ReadOptions::default()), &["ermission denied"]);
}

#[test]
#[cfg(target_os = "linux")]
fn endless_devices_end_at_once() {
    for device in ["/dev/zero", "/dev/urandom"] {
        let options = ReadOptions { format: Some(Format::Csv), ..ReadOptions::default() };
        assert_contains(&error(&Source::Path(device.into()), &options), &[device, "not csv text"]);
        let message = error(&Source::Path(device.into()), &ReadOptions::default());
        assert_contains(&message, &[device, "the format is unknown"]);
    }
    assert_contains(&error(&Source::Path("/dev/null".into()), &ReadOptions::default()), &["is empty"]);
}

// Copying rejects the same files as reading.

#[test]
fn copying_is_as_strict_as_reading() {
    for (text, part) in
        [("a,a\n1,2\n", "twice"), ("a,b\n1\n", "line 2"), ("a,b\n\"1,2\n", "is not closed"), ("a,b\n", "no rows")]
    {
        let copied = copy_columns(
            &bytes("t.csv", text),
            &ReadOptions::default(),
            &["a".into()],
            TableFormat::CSV,
            &mut Vec::new(),
        );
        assert_contains(&copied.unwrap_err().to_string(), &[part]);
    }
}

// Item 40 is in arff.rs, libsvm.rs and npy.rs.
