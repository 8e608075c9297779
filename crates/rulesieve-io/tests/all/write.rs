//! Atomic writes, and CSV that can be read again.
#![allow(clippy::unwrap_used, reason = "tests may fail")]

use std::{fs, io};

use crate::common::{names, texts};
use rulesieve::data::{Column, Table};
use rulesieve_io::{BUILTIN, builtin, write_atomically, write_csv};

fn entries(directory: &std::path::Path) -> usize {
    fs::read_dir(directory).unwrap().count()
}

#[test]
fn csv_is_quoted_where_needed() {
    let table = Table::new(vec![
        Column::numeric("a,b", vec![0.1, f64::NAN, -1e300]),
        Column::text("t", ["say \"hi\"", "two\nlines", ""]),
    ])
    .unwrap();
    let mut out = Vec::new();
    write_csv(&table, &mut out).unwrap();
    let expected = "\"a,b\",t\n0.1,\"say \"\"hi\"\"\"\n,\"two\nlines\"\n-1e300,\n";
    assert_eq!(String::from_utf8(out).unwrap(), expected);
}

#[test]
fn a_missing_cell_of_a_single_column_stays_a_row() {
    let table = Table::new(vec![Column::numeric("a", vec![1.0, f64::NAN, 3.0])]).unwrap();
    let mut out = Vec::new();
    write_csv(&table, &mut out).unwrap();
    assert_eq!(crate::common::csv(out).rows(), 3);
}

#[test]
fn a_committed_file_replaces_the_old_one() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("out.csv");
    for content in ["first", "second"] {
        write_atomically(&path, |out| out.write_all(content.as_bytes())).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), content);
        assert_eq!(entries(directory.path()), 1);
    }
}

#[test]
fn a_failed_write_changes_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("out.csv");
    let fail = |out: &mut dyn io::Write| {
        out.write_all(b"half")?;
        Err(io::Error::other("disk full"))
    };
    assert_eq!(write_atomically(&path, fail).unwrap_err().to_string(), "disk full");
    assert_eq!(entries(directory.path()), 0);
    fs::write(&path, "old").unwrap();
    write_atomically(&path, fail).unwrap_err();
    assert_eq!((fs::read_to_string(&path).unwrap().as_str(), entries(directory.path())), ("old", 1));
}

#[test]
fn directories_and_missing_parents_are_errors() {
    let directory = tempfile::tempdir().unwrap();
    let write = |out: &mut dyn io::Write| out.write_all(b"x");
    assert_eq!(write_atomically(directory.path(), write).unwrap_err().kind(), io::ErrorKind::IsADirectory);
    let missing = directory.path().join("no/such/file.csv");
    assert_eq!(write_atomically(&missing, write).unwrap_err().kind(), io::ErrorKind::NotFound);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn mode(path: &std::path::Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn permissions_are_those_of_an_ordinary_file() {
        let directory = tempfile::tempdir().unwrap();
        let (ours, ordinary) = (directory.path().join("ours"), directory.path().join("ordinary"));
        write_atomically(&ours, |out| out.write_all(b"x")).unwrap();
        fs::File::create(&ordinary).unwrap();
        assert_eq!(mode(&ours), mode(&ordinary));
        fs::set_permissions(&ours, fs::Permissions::from_mode(0o640)).unwrap();
        write_atomically(&ours, |out| out.write_all(b"y")).unwrap();
        assert_eq!(mode(&ours), 0o640, "an existing file keeps its permissions");
    }

    #[test]
    fn a_link_is_followed() {
        let directory = tempfile::tempdir().unwrap();
        let (file, link) = (directory.path().join("file"), directory.path().join("link"));
        fs::write(&file, "old").unwrap();
        symlink(&file, &link).unwrap();
        write_atomically(&link, |out| out.write_all(b"new")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    }

    #[test]
    fn devices_are_written_directly() {
        use std::os::unix::fs::FileTypeExt;
        let null = std::path::Path::new("/dev/null");
        write_atomically(null, |out| out.write_all(b"x")).unwrap();
        assert!(fs::metadata(null).unwrap().file_type().is_char_device());
    }
}

#[test]
fn builtin_tables_exist() {
    for (name, _) in BUILTIN {
        assert!(builtin(name).is_some(), "{name}");
    }
    let table = builtin("penguins").unwrap();
    assert_eq!((table.rows(), table.columns().len()), (344, 8));
    assert_eq!(table.target_hint.as_deref(), Some("species"));
    assert_eq!(names(&table)[0], "species");
    assert_eq!(texts(&table, "species").iter().filter(|species| *species == "Gentoo").count(), 124);
    assert_eq!(crate::common::numbers(&table, "body_mass_g").iter().filter(|mass| mass.is_nan()).count(), 2);
    assert!(builtin("no such table").is_none());
}
