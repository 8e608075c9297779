//! Errors of limits give the limit, the actual value, and the option that raises it.

use std::io::Write;

use crate::common::{assert_contains, bytes, doubles, error, gzip, limited, mat, mat_variable, npy, zip};
use rulesieve_io::{Limits, ReadError, ReadOptions, Source, read};

#[test]
fn rows() {
    let options = limited(2, 10, 10_000);
    let three = doubles(&[1.0, 2.0, 3.0]);
    for (name, content) in [
        ("t.csv", b"a\n1\n2\n3\n".to_vec()),
        ("t.arff", b"@attribute a real\n@data\n1\n2\n3\n".to_vec()),
        ("t.svm", b"1 1:1\n1 1:1\n1 1:1\n".to_vec()),
        ("t.npy", npy("<f8", false, "(3,)", &three)),
        ("t.npz", zip(&[("X.npy", npy("<f8", false, "(3,)", &three))])),
        ("t.mat", mat(&[mat_variable("X", 6, 3, 1, 9, &three)])),
    ] {
        assert_contains(
            &error(&bytes(name, content), &options),
            &[name, "3 rows", "limit of 2", "raise the limit of rows"],
        );
    }
}

#[test]
fn exactly_the_limit_is_allowed() {
    let text = "a,b\n1,2\n3,4\n";
    let table = read(&bytes("t.csv", text), &limited(2, 2, text.len() as u64)).unwrap();
    assert_eq!(table.rows(), 2);
}

#[test]
fn columns() {
    let options = limited(10, 2, 10_000);
    let three = doubles(&[1.0, 2.0, 3.0]);
    for (name, content) in [
        ("t.csv", b"a,b,c\n1,2,3\n".to_vec()),
        ("t.arff", b"@attribute a real\n@attribute b real\n@attribute c real\n@data\n1,2,3\n".to_vec()),
        ("t.npy", npy("<f8", false, "(1, 3)", &three)),
        ("t.npz", zip(&[("X.npy", npy("<f8", false, "(1, 3)", &three))])),
        ("t.mat", mat(&[mat_variable("X", 6, 1, 3, 9, &three)])),
    ] {
        assert_contains(
            &error(&bytes(name, content), &options),
            &[name, "3 columns", "limit of 2", "raise the limit of columns"],
        );
    }
}

#[test]
fn bytes_of_compressed_and_decompressed_files() {
    let mut file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    file.write_all(&[b'1'; 5000]).unwrap();
    let source = Source::Path(file.path().to_path_buf());
    assert_contains(
        &error(&source, &limited(10, 10, 1000)),
        &["5000 bytes", "limit of 1000", "raise the limit of bytes"],
    );

    let text = "a\n".to_owned() + &"1\n".repeat(100_000);
    let packed = gzip(text.as_bytes());
    assert!(packed.len() < 1000);
    assert_contains(
        &error(&bytes("t.csv.gz", packed), &limited(1_000_000, 10, 1000)),
        &["1000 bytes", "raise the limit of bytes"],
    );

    let array = npy("|u1", false, "(100000,)", &vec![0; 100_000]);
    let bomb = zip(&[("X.npy", array)]);
    assert!(bomb.len() < 1000);
    assert_contains(
        &error(&bytes("t.npz", bomb), &limited(1_000_000, 10, 10_000)),
        &["800000 bytes", "limit of 10000", "raise the limit of bytes"],
    );
}

#[test]
fn the_dense_size_of_sparse_rows_is_limited() {
    let attributes: String = (0..1000).map(|at| format!("@attribute a{at} real\n")).collect();
    let content = format!("{attributes}@data\n{}", "{}\n".repeat(1000));
    let said = error(&bytes("t.arff", content), &limited(10_000, 10_000, 100_000));
    assert_contains(&said, &["104000 bytes", "limit of 100000", "raise the limit of bytes"]);
}

#[test]
#[cfg(unix)]
fn an_endless_stream_of_text_stops_at_the_limit() {
    let (reader, mut writer) = std::io::pipe().unwrap();
    let feeder = std::thread::spawn(move || {
        let mut written = 0u64;
        while writer.write_all(b"1,2,3,4,5,6,7,8\n").is_ok() {
            written += 16;
        }
        written
    });
    let path = format!("/dev/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&reader));
    let options = ReadOptions { limits: Limits { bytes: 100_000, ..Limits::default() }, ..ReadOptions::default() };
    let result = read(&Source::Path(path.into()), &options);
    drop(reader);
    assert!(matches!(result, Err(ReadError::Endless { limit: 100_000, .. })), "{result:?}");
    assert!(feeder.join().unwrap() < 1_000_000, "reading went on far beyond the limit");
}

#[test]
fn the_defaults_are_those_documented() {
    assert_eq!(Limits::default(), Limits { rows: 10_000_000, columns: 1_000_000, bytes: 4 << 30 });
}
