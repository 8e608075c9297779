//! `select --stream`: the same finds without holding the table, and a clear no to what cannot be streamed.

mod common;

use common::{Folder, SMALL, says};

const STREAM: &str = "--method ldr-tsk-inductive --stream";

#[test]
fn finds_the_columns_that_carry_signal() {
    let folder = Folder::new();
    for (name, signal) in [("double-circle", ["x", "y"]), ("xor", ["x1", "x2"])] {
        folder.run(&format!("generate {name} --seed 3 --output t.csv")).ok();
        let record = folder.run(&format!("select t.csv -t class {STREAM} --top 2 --json")).json();
        let mut selected: Vec<&str> =
            record["selected"].as_array().unwrap().iter().filter_map(|s| s.as_str()).collect();
        selected.sort_unstable();
        assert_eq!(selected, signal, "{name}");
        assert_eq!(record["method"], "ldr-tsk-inductive");
    }
}

#[test]
fn same_seed_same_bits_also_from_gzip_and_any_order_of_columns() {
    let folder = Folder::new();
    folder.run("generate waveform --samples 900 --seed 1 --output t.csv").ok();
    let line = |file: &str, more: &str| {
        let run = folder.run(&format!("select {file} -t class {STREAM} --set steps=30 --json {more}"));
        run.json()["ranking"].clone()
    };
    let plain = line("t.csv", "");
    assert_eq!(line("t.csv", "--threads 1"), plain);
    assert_ne!(line("t.csv", "--seed 1"), plain);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, folder.read("t.csv").as_bytes()).unwrap();
    folder.write("t.csv.gz", encoder.finish().unwrap());
    assert_eq!(line("t.csv.gz", ""), plain);
    let turned: String =
        folder.read("t.csv").lines().map(|row| row.rsplit(',').collect::<Vec<_>>().join(",") + "\n").collect();
    folder.write("turned.csv", turned);
    assert_eq!(line("turned.csv", ""), plain);
}

#[test]
fn what_cannot_be_streamed_is_refused() {
    let folder = Folder::with(SMALL);
    folder.run("select t.csv -t t -m anova --stream").refused(&[
        "anova needs all rows at once",
        "--method ldr-tsk-inductive",
        "leave --stream out",
    ]);
    folder.run_with(&format!("select - -t t {STREAM}"), SMALL.as_bytes()).refused(&[
        "standard input",
        "read only once",
        "save them to a file",
    ]);
    folder.write("t.arff", "@relation r\n@attribute a real\n@attribute t {x,y}\n@data\n1,x\n2,y\n");
    folder.run(&format!("select t.arff -t t {STREAM}")).refused(&["t.arff", "format arff", "CSV, TSV or Parquet"]);
    folder.run(&format!("select builtin:xor {STREAM}")).refused(&["builtin:xor", "leave --stream out"]);
    folder.run(&format!("select t.csv -t t {STREAM} --bins 2")).refused(&["t.csv", "--bins cannot be combined"]);
    folder.run(&format!("select t.csv -t t {STREAM} --tune --top 1")).refused(&["--tune needs all rows", "set beta"]);
    folder.run(&format!("select t.csv -t t {STREAM} --size best")).refused(&["--size needs all rows", "--top"]);
    folder.run(&format!("select none.csv -t t {STREAM}")).refused(&["cannot read none.csv"]);
    folder.run(&format!("select t.csv -t nothing {STREAM}")).refused(&["t.csv", "no column 'nothing'"]);
}

#[test]
fn errors_deep_in_the_file_name_their_row() {
    let folder = Folder::new();
    folder.run("generate waveform --samples 20000 --seed 1 --output t.csv").ok();
    let text = folder.read("t.csv");
    let at = text.match_indices('\n').nth(15_000).unwrap().0 + 1;
    let with = |row: &str| {
        folder.write("bad.csv", format!("{}{row}\n{}", &text[..at], &text[at..]));
        folder.run(&format!("select bad.csv -t class {STREAM}"))
    };
    let cells = text[at..].lines().next().unwrap();
    with("1,2").refused(&["bad.csv, line 15002", "2 cells"]);
    let hole = format!(",{}", cells.split_once(',').unwrap().1);
    with(&hole).refused(&["bad.csv", "is missing in data row 15001", "--missing median"]);
    let endless = format!("inf,{}", cells.split_once(',').unwrap().1);
    with(&endless).refused(&["bad.csv", "is inf in data row 15001"]);
}

#[test]
fn help_says_what_streaming_means() {
    let help = Folder::new().run("select --help").ok().split_whitespace().collect::<Vec<_>>().join(" ");
    says(&help, &["--stream", "longer than memory", "ldr-tsk-inductive", "sample of up to 4096 rows", "random order"]);
}
