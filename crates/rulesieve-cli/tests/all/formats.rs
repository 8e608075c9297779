//! Every format and compression: the obvious command reads it, and `--output` writes the format of its ending.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking as tests do")]

use crate::common::{Folder, SMALL};
use std::path::Path;

/// Files with the same table, written by pandas, pyarrow, polars and compression tools.
const FIXTURES: &[&str] = &[
    "t.csv",
    "t.csv.gz",
    "t.tsv.gz",
    "t.csv.zst",
    "t.csv.bz2",
    "t.csv.xz",
    "t.csv.zip",
    "t.json",
    "t.jsonl",
    "zstd.parquet",
    "brotli.parquet",
    "lz4.parquet",
    "snappy.parquet",
    "gzip.parquet",
    "polars.parquet",
    "lz4.feather",
    "zstd.arrow",
    "stream.ipc",
    "polars.arrow",
    "t.xlsx",
    "t.xls",
    "t.ods",
];

#[test]
fn select_reads_every_format_and_compression() {
    let folder = Folder::new();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rulesieve-io/tests/fixtures/formats");
    for name in FIXTURES {
        let file = fixtures.join(name);
        let command = format!("select {} --target class --drop day -m anova --top 2 --missing median", file.display());
        let selection = folder.run(&format!("{command} --json")).json();
        assert_eq!(selection["selected"][0], "x", "{name}: {selection}");
        assert_eq!(selection["data"]["samples"], 40, "{name}");
    }
}

#[test]
fn tables_are_written_in_the_format_of_the_ending_or_not_at_all() {
    let folder = Folder::with(SMALL);
    folder.run("select t.csv -t t -m anova --top 2 --output s.json").ok();
    folder.run("train t.csv -t t --method anova --top 2 --model m.json --no-held-out").ok();
    let magic = |name: &str, magic: &[u8]| {
        let bytes = std::fs::read(folder.path(name)).unwrap();
        assert!(bytes.starts_with(magic), "{name}: {:?}", &bytes[..8.min(bytes.len())]);
        let back = folder.run(&format!("check {name}"));
        // 1 if the table has problems, 2 if it cannot be read.
        assert!(back.code < 2, "{name}: {}", back.err);
    };
    for command in ["apply s.json t.csv", "generate xor --samples 30", "predict m.json t.csv"] {
        for (ending, start) in [
            ("parquet", &b"PAR1"[..]),
            ("csv.gz", b"\x1f\x8b"),
            ("csv.zst", b"\x28\xb5"),
            ("json", b"[\n{"),
            ("jsonl", b"{"),
        ] {
            folder.run(&format!("{command} --output o.{ending}")).ok();
            magic(&format!("o.{ending}"), start);
        }
        let refused = folder.run(&format!("{command} --output o.docx"));
        refused.refused(&["o.docx", ".csv, .tsv, .json or .jsonl", ".parquet"]);
        assert!(!folder.path("o.docx").exists());
    }
    assert!(folder.run("apply s.json t.csv --output o.tsv").ok().is_empty());
    assert!(folder.read("o.tsv").starts_with("good\tweak\n1.50\t1.0\n"), "cells are copied unchanged");
}
