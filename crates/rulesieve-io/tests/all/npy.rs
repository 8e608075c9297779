//! NumPy arrays, alone and in archives.

use crate::common::{assert_contains, bytes, doubles, error, gzip, names, npy, numbers, refusal, table, texts, zip};
use rulesieve_io::{ReadOptions, read};

fn unicode(texts: &[&str], width: usize) -> Vec<u8> {
    let padded = texts.iter().flat_map(|text| text.chars().map(u32::from).chain(std::iter::repeat(0)).take(width));
    padded.flat_map(u32::to_le_bytes).collect()
}

#[test]
fn rows_first_and_columns_first() {
    let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let by_rows = table("a.npy", npy("<f8", false, "(2, 3)", &doubles(&values)));
    assert_eq!(names(&by_rows), ["c1", "c2", "c3"]);
    assert_eq!(numbers(&by_rows, "c2"), [2.0, 5.0]);
    let by_columns = table("a.npy", npy("<f8", true, "(2, 3)", &doubles(&values)));
    assert_eq!(numbers(&by_columns, "c2"), [3.0, 4.0]);
}

#[test]
fn other_types_and_versions() {
    let big: Vec<u8> = [1i16, -2].iter().flat_map(|value| value.to_be_bytes()).collect();
    assert_eq!(numbers(&table("a.npy", npy(">i2", false, "(2,)", &big)), "c1"), [1.0, -2.0]);
    assert_eq!(numbers(&table("a.npy", npy("|b1", false, "(2,)", &[1, 0])), "c1"), [1.0, 0.0]);
    assert_eq!(texts(&table("a.npy", npy("|S3", false, "(2,)", b"ab\0xyz")), "c1"), ["ab", "xyz"]);
    let mut second = b"\x93NUMPY\x02\x00".to_vec();
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }\n";
    second.extend((header.len() as u32).to_le_bytes());
    second.extend(header.as_bytes());
    second.extend(doubles(&[9.0]));
    assert_eq!(numbers(&table("a.npy.gz", gzip(&second)), "c1"), [9.0]);
}

#[test]
fn wrong_shapes_and_unsupported_types_are_rejected() {
    let two = doubles(&[1.0, 2.0]);
    for (descr, shape, parts) in [
        ("<f8", "(3,)", &["3 x 1 values", "16 bytes follow"][..]),
        ("<f8", "(1,)", &["1 x 1 values", "16 bytes follow"]),
        ("<f8", "(4294967296, 4294967296)", &["16 bytes follow"]),
        ("<f8", "(18446744073709551615, 2)", &["16 bytes follow"]),
        ("<f8", "(1, 2, 1)", &["3 dimensions", "2-D"]),
        ("<f8", "()", &["0 dimensions"]),
        ("<f8", "(-2,)", &["unreadable shape"]),
        ("<f8", "(0, 2)", &["0 x 2"]),
        ("|O", "(2,)", &["'|O'", "executing code", "astype"]),
        ("<c16", "(1,)", &["complex"]),
        ("<M8[ns]", "(2,)", &["dates"]),
    ] {
        assert_contains(&refusal("a.npy", npy(descr, false, shape, &two)), parts);
    }
    assert_contains(&refusal("a.npy", "\u{93}NUMPY"), &["does not begin"]);
    assert_contains(&refusal("a.npy", b"\x93NUMPY\x01\x00\xff"), &["truncated"]);
    assert_contains(&refusal("a.npy", b"\x93NUMPY\x09\x00\x00\x00"), &["version"]);
}

#[test]
fn archives_join_features_and_labels() {
    let archive = zip(&[
        ("X.npy", npy("<f8", false, "(2, 2)", &doubles(&[1.0, 2.0, 3.0, 4.0]))),
        ("y.npy", npy("<U3", false, "(2, 1)", &unicode(&["cat", "ä"], 3))),
        ("extra.npy", npy("<f8", false, "(1,)", &doubles(&[0.0]))),
    ]);
    let table = table("t.npz", &archive);
    assert_eq!(names(&table), ["c1", "c2", "y"]);
    assert_eq!(numbers(&table, "c1"), [1.0, 3.0]);
    assert_eq!(texts(&table, "y"), ["cat", "ä"]);
    assert_eq!(table.target_hint.as_deref(), Some("y"));
    assert_contains(&table.warnings[0].to_string(), &["'extra'", "skipped"]);
}

#[test]
fn named_variables_take_precedence_over_customary_ones() {
    let column = |values: &[f64]| npy("<f8", false, &format!("({},)", values.len()), &doubles(values));
    let archive = zip(&[("X.npy", column(&[1.0])), ("other.npy", column(&[7.0, 8.0])), ("z.npy", column(&[0.0, 1.0]))]);
    let (features_variable, target_variable) = (Some("other".to_owned()), Some("z".to_owned()));
    let options = ReadOptions { features_variable, target_variable, ..ReadOptions::default() };
    let table = read(&bytes("t.npz", &archive), &options).unwrap();
    assert_eq!((numbers(&table, "c1"), numbers(&table, "z")), (vec![7.0, 8.0], vec![0.0, 1.0]));
    let options = ReadOptions { features_variable: Some("nope".into()), ..ReadOptions::default() };
    assert_contains(&error(&bytes("t.npz", &archive), &options), &["'nope'", "'X'", "'other'", "holds the features"]);
    let options = ReadOptions { target_variable: Some("z".into()), ..ReadOptions::default() };
    assert_contains(&error(&bytes("t.npz", &archive), &options), &["'X' has 1 rows", "'z' has 2 labels"]);
}

#[test]
fn other_archives_are_rejected() {
    assert_contains(&refusal("t.npz", "hello"), &["NPZ"]);
    assert_contains(
        &refusal("t.npz", zip(&[("readme.txt", b"hi".to_vec())])),
        &["without NumPy arrays", "spreadsheet"],
    );
}

#[test]
fn an_archive_written_by_numpy() {
    let table = table("t.npz", include_bytes!("../fixtures/numpy.npz"));
    assert_eq!((numbers(&table, "c1"), numbers(&table, "c2")), (vec![0.0, 2.0, 4.0], vec![1.0, 3.0, 5.0]));
    assert_eq!(texts(&table, "y"), ["cat", "häschen", "cat"]);
    assert_contains(&table.warnings[0].to_string(), &["'ids'"]);
}
