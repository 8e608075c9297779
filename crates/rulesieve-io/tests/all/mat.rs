//! MATLAB files, version 5.
#![allow(clippy::unwrap_used, reason = "tests may fail")]

use crate::common::{
    assert_contains, bytes, doubles, error, limited, mat, mat_element, mat_variable, names, numbers, refusal, table,
};
use rulesieve_io::{ReadOptions, read};

fn compressed(element: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(element).unwrap();
    let packed = encoder.finish().unwrap();
    let mut out = 15u32.to_le_bytes().to_vec();
    out.extend((packed.len() as u32).to_le_bytes());
    out.extend(packed);
    out
}

fn features() -> Vec<u8> {
    mat_variable("X", 6, 2, 3, 9, &doubles(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]))
}

#[test]
fn column_order_and_small_types_are_converted() {
    // MATLAB saves doubles with small integer values as bytes.
    let labels = mat_variable("Y", 6, 2, 1, 1, &[1, 0xff]);
    let skipped = mat_variable("names", 4, 1, 2, 4, &[0; 4]);
    let table = table("t.mat", mat(&[features(), labels, skipped]));
    assert_eq!(names(&table), ["c1", "c2", "c3", "Y"]);
    assert_eq!(numbers(&table, "c2"), [3.0, 4.0]);
    assert_eq!(numbers(&table, "Y"), [1.0, -1.0]);
    assert_eq!(table.target_hint.as_deref(), Some("Y"));
    assert_contains(&table.warnings[0].to_string(), &["'names'", "skipped"]);
}

#[test]
fn compressed_and_row_labels() {
    let labels = compressed(&mat_variable("gnd", 6, 1, 2, 9, &doubles(&[7.0, 8.0])));
    let table = table("t.mat", mat(&[compressed(&features()), labels]));
    assert_eq!((numbers(&table, "c3"), numbers(&table, "gnd")), (vec![5.0, 6.0], vec![7.0, 8.0]));
}

#[test]
fn files_written_by_scipy() {
    for content in [&include_bytes!("../fixtures/scipy.mat")[..], include_bytes!("../fixtures/scipy-compressed.mat")] {
        let table = table("t.mat", content);
        assert_eq!(names(&table), ["c1", "c2", "Y"]);
        assert_eq!(numbers(&table, "c2"), [-2.25, 4.0, 1e300]);
        assert_eq!(numbers(&table, "Y"), [1.0, 2.0, 1.0]);
        assert_contains(&table.warnings[0].to_string(), &["'note'", "'sparse'"]);
    }
}

#[test]
fn named_variables() {
    let content = mat(&[features(), mat_variable("other", 6, 2, 1, 9, &doubles(&[8.0, 9.0]))]);
    let options = ReadOptions { features_variable: Some("other".into()), ..ReadOptions::default() };
    assert_eq!(numbers(&read(&bytes("t.mat", &content), &options).unwrap(), "c1"), [8.0, 9.0]);
    let options = ReadOptions { target_variable: Some("nope".into()), ..ReadOptions::default() };
    assert_contains(&error(&bytes("t.mat", &content), &options), &["'nope'", "'X', 'other'", "holds the labels"]);
}

#[test]
fn other_variables_are_rejected() {
    let six = doubles(&[0.0; 6]);
    for (variable, parts) in [
        (mat_variable("X", 6 | 0x800, 2, 3, 9, &six), &["'X'", "complex"][..]),
        (mat_variable("X", 5, 2, 3, 9, &six), &["'X'", "sparse"]),
        (mat_variable("X", 1, 2, 3, 9, &six), &["'X'", "cell array"]),
        (mat_variable("X", 6, 2, 4, 9, &six), &["dimensions", "differ"]),
        (mat_variable("X", 6, -2, -3, 9, &six), &["negative dimension"]),
        (mat_variable("X", 6, 0, 3, 9, &[]), &["'X'", "0 x 3"]),
        (mat_variable("X", 6, 2, 3, 77, &six), &["differ"]),
        (mat_variable("Z", 6, 2, 3, 9, &six), &["no variable X, x, fea, data", "'Z'"]),
        (mat_element(14, &[]), &["variable 1", "no flags"]),
        (features()[..40].to_vec(), &["variable 1", "truncated"]),
        (compressed(&features())[..30].to_vec(), &["variable 1", "truncated"]),
        (mat_element(15, b"not zlib"), &["variable 1", "damaged"]),
    ] {
        assert_contains(&refusal("t.mat", mat(&[variable])), parts);
    }
}

#[test]
fn errors_of_other_versions_say_how_to_save() {
    let mut hdf5 = b"MATLAB 7.3 MAT-file".to_vec();
    hdf5.resize(512, 0);
    hdf5.extend(b"\x89HDF\r\n\x1a\n");
    assert_contains(&refusal("t.mat", hdf5), &["7.3", "-v7"]);
    assert_contains(&refusal("t.mat", [0u8; 200]), &["not of MATLAB version 5", "-v7"]);
    assert_contains(&refusal("t.mat", "short"), &["truncated"]);
}

#[test]
fn a_compressed_bomb_stops_at_the_limit() {
    let bomb = compressed(&mat_variable("X", 6, 1000, 1000, 2, &vec![0; 1_000_000]));
    assert!(bomb.len() < 3000);
    assert_contains(
        &error(&bytes("t.mat", mat(std::slice::from_ref(&bomb))), &limited(10_000, 10_000, 100_000)),
        &["100000 bytes", "raise the limit of bytes"],
    );
    // The bytes are within the limit, the numbers are not.
    assert_contains(
        &error(&bytes("t.mat", mat(&[bomb])), &limited(10_000, 10_000, 2_000_000)),
        &["8000000 bytes", "raise the limit of bytes"],
    );
}
