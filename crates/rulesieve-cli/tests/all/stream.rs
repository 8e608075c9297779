//! `select --stream` and `train --stream`: selections and models without the table in memory, and errors for unsupported input.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking as tests do")]

use crate::common::{Folder, SMALL, assert_contains};

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
fn selections_are_identical_for_gzip_and_any_column_order() {
    let folder = Folder::new();
    folder.run("generate waveform --samples 900 --seed 1 --output t.csv").ok();
    let line = |file: &str, more: &str| {
        let run = folder.run(&format!("select {file} -t class {STREAM} --set steps=30 --json {more}"));
        run.json()["ranking"].clone()
    };
    let plain = line("t.csv", "");
    assert_eq!(line("t.csv", "--threads 1"), plain);
    assert_ne!(line("t.csv", "--seed 1"), plain);
    folder.write("t.csv.gz", zipped(&folder.read("t.csv")));
    assert_eq!(line("t.csv.gz", ""), plain);
    folder.write("turned.csv", reversed_columns(&folder.read("t.csv")));
    assert_eq!(line("turned.csv", ""), plain);
}

fn zipped(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// The table with its columns from last to first.
fn reversed_columns(text: &str) -> String {
    text.lines().map(|row| row.rsplit(',').collect::<Vec<_>>().join(",") + "\n").collect()
}

/// A score of a model on a table.
fn measured(folder: &Folder, model: &str, table: &str, measure: &str) -> f64 {
    folder.run(&format!("predict {model} {table} --evaluate --json -o p.csv")).json()[measure].as_f64().unwrap()
}

#[test]
fn a_streamed_model_predicts_as_well_as_one_trained_in_memory() {
    let folder = Folder::new();
    for (name, options, measure, least) in
        [("xor", "-t class --top 2", "accuracy", 0.93), ("friedman", "-t y --task regression --top 5", "r2", 0.8)]
    {
        folder.run(&format!("generate {name} --samples 6000 --features 8 --seed 3 --output t.csv")).ok();
        folder.run(&format!("generate {name} --samples 1000 --features 8 --seed 4 --output other.csv")).ok();
        let line = format!(
            "train t.csv {options} --method ldr-tsk-inductive --set starts=1 --set steps=300 --rule-param rules=16 --rule-param starts=1"
        );
        folder.run(&format!("{line} --model held.json")).ok();
        let summary = folder.run(&format!("{line} --model streamed.json --stream --json")).json();
        let (training, warnings) = (&summary["training"], summary["warnings"].to_string());
        assert_eq!((&training["samples"], &training["on_all_rows"]), (&6000.into(), &false.into()));
        let (training_rows, validation_rows) =
            (training["training_rows"].as_u64().unwrap(), training["validation_rows"].as_u64().unwrap());
        assert!(training_rows + validation_rows == 6000 && (700..900).contains(&validation_rows), "{training}");
        assert_contains(
            &warnings,
            &["scores and statistics of columns", "statistics of rules", "a sample of 4096 of 6000 rows"],
        );
        let streamed = measured(&folder, "streamed.json", "other.csv", measure);
        let held = measured(&folder, "held.json", "other.csv", measure);
        assert!(streamed > least && streamed > held - 0.03, "{name}: {streamed} streamed, {held} in memory");
    }
    assert_contains(
        &folder.run("explain streamed.json").ok(),
        &["16 rules for y on 5 features", "IF ", "THEN ", "fires most in"],
    );
    assert_contains(&folder.run("explain streamed.json --row 3 other.csv").ok(), &["data row 3: y is", "contribution"]);
    let before = folder.run("predict streamed.json other.csv").ok();
    folder.write("turned.csv", reversed_columns(&folder.read("other.csv")));
    assert_eq!(folder.run("predict streamed.json turned.csv").ok(), before);
}

#[test]
fn models_are_identical_for_gzip_and_any_column_order() {
    let folder = Folder::new();
    folder.run("generate waveform --samples 6000 --features 21 --seed 1 --output t.csv").ok();
    let model = |file: &str, more: &str| {
        let few = "--set steps=10 --set starts=1 --rule-param steps=30 --rule-param batch=64 --top 4";
        folder.run(&format!("train {file} -t class {STREAM} {few} --balance --model m.json {more}")).ok();
        folder.read("m.json").lines().filter(|line| !line.contains("\"seconds\"")).collect::<String>()
    };
    let plain = model("t.csv", "");
    assert_eq!(model("t.csv", "--threads 1"), plain);
    assert_ne!(model("t.csv", "--seed 1"), plain);
    folder.write("t.csv.gz", zipped(&folder.read("t.csv")));
    assert_eq!(model("t.csv.gz", ""), plain);
    folder.write("turned.csv", reversed_columns(&folder.read("t.csv")));
    assert_eq!(model("turned.csv", ""), plain);
}

/// Rows with missing values in `size`, text and numeric categories, and a class determined by `size` and `kind`.
fn mixed(rows: usize) -> String {
    let line = |row: usize| {
        let size = (row * 7919 % 1009) as f64 / 100.0;
        let kind = ["u", "v", "w"][row * 31 % 7 % 3];
        let class = if (size > 5.0) == (kind == "v") { "yes" } else { "no" };
        let size = if row % 9 == 4 { String::new() } else { size.to_string() };
        format!("{size},{kind},{},{class}\n", [2009, 10, 2007][row % 5 % 3])
    };
    format!("size,kind,year,t\n{}", (0..rows).map(line).collect::<String>())
}

#[test]
fn models_support_missing_values_and_categories() {
    let folder = Folder::with(mixed(9000));
    folder.write("n.csv", "kind,year,size\nv,2007,9\nu,2009,9\nnew,2007,\n");
    folder.write("whole.csv", mixed(900));
    let train = |more: &str| {
        let line = "train t.csv -t t --method ldr-tsk-inductive --stream --fraction 1 --categorical year --set steps=40 --set starts=1";
        folder.run(&format!(
            "{line} --rule-param steps=300 --rule-param starts=1 --rule-param rules=16 --model m.json {more}"
        ))
    };
    train("--missing error").refused(&["t.csv", "'size' is missing in data row 5", "--missing fill"]);
    for (more, rows) in
        [("", 9000), ("--missing median", 9000), ("--missing drop-rows --categorical-coding ordinal", 8000)]
    {
        let summary = train(&format!("{more} --json")).json();
        assert_eq!(summary["training"]["samples"], rows, "{more}");
        let right = measured(&folder, "m.json", "whole.csv", "accuracy");
        assert!(right > 0.85, "{more}: {right}");
        let run = folder.run("predict m.json n.csv");
        let answers: Vec<&str> = run.out.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
        assert_eq!(answers[..2], ["yes", "no"], "{more}");
        assert_eq!(answers[2].is_empty(), more.contains("drop-rows"), "{more}");
        let model: serde_json::Value = serde_json::from_str(&folder.read("m.json")).unwrap();
        let columns = model["preprocessing"]["columns"].as_array().unwrap();
        let year = columns.iter().find(|column| column["name"] == "year").unwrap();
        assert_eq!(year["levels"], serde_json::json!(["10", "2007", "2009"]));
    }
}

#[test]
fn a_model_that_ran_out_of_time_is_valid() {
    let folder = Folder::with(mixed(9000));
    let line = "train t.csv -t t --method ldr-tsk-inductive --stream --missing median --set steps=10 --set starts=1 --time-budget 0.000001";
    let run = folder.run(&format!("{line} --model m.json"));
    assert_eq!(run.code, 0, "{}", run.err);
    assert_contains(&run.out, &["training rows", "out of time: the training of these rules is unfinished"]);
    assert!(!run.out.contains("once more on all rows"));
    assert_contains(
        &run.err,
        &["no held-out results: out of time", "sample of 4096 of 9000 rows", "model written to m.json"],
    );
    assert_eq!(folder.run(&format!("{line} --strict --model m.json -o s.json")).code, 1);
    folder.run("predict m.json t.csv -o p.csv").ok();
    folder.run("apply s.json t.csv -o a.csv").ok();
}

#[test]
fn unsupported_input_is_rejected() {
    let folder = Folder::with(SMALL);
    folder.refuses(
        "select t.csv -t t -m anova --stream",
        &["anova needs all rows at once", "--method sieve or ldr-tsk-inductive", "leave --stream out"],
    );
    folder.run_with(&format!("select - -t t {STREAM}"), SMALL.as_bytes()).refused(&[
        "standard input",
        "read only once",
        "save them to a file",
    ]);
    folder.write("t.arff", "@relation r\n@attribute a real\n@attribute t {x,y}\n@data\n1,x\n2,y\n");
    folder.run(&format!("select t.arff -t t {STREAM}")).refused(&["t.arff", "format arff", "CSV, TSV or Parquet"]);
    folder.run(&format!("select builtin:xor {STREAM}")).refused(&["builtin:xor", "leave --stream out"]);
    folder.refuses(
        &format!("select t.csv -t t {STREAM} --bins 2"),
        &["t.csv", "cutting the target into classes needs all rows at once"],
    );
    folder
        .refuses(&format!("select t.csv -t t {STREAM} --tune --top 1"), &["tuning needs all rows at once", "set beta"]);
    folder
        .refuses(&format!("select t.csv -t t {STREAM} --size best"), &["a size rule needs all rows at once", "--top"]);
    let bins = "--bins 2 --task regression";
    folder.refuses(
        &format!("select t.csv -t good {STREAM} {bins}"),
        &["t.csv", "give either --bins or --task regression"],
    );
    let train = |more: &str| folder.run(&format!("train t.csv -t t {STREAM} --model m.json {more}"));
    folder.refuses(
        "train t.csv -t t --stream -m anova --model m.json",
        &["anova needs all rows at once", "leave --stream out"],
    );
    train("--bins 2").refused(&["t.csv", "cutting the target into classes needs all rows at once"]);
    train("--tune").refused(&["tuning needs all rows at once", "set beta"]);
    train("--size best").refused(&["a size rule needs all rows at once", "--top"]);
    train("--task regression").refused(&["t.csv", "'t' holds texts", "regression needs numbers"]);
    train("--rule-param rules=12 --set steps=5").refused(&["t.csv", "rules = 12", "number of training rows, 10"]);
    folder.run_with("train - -t t --stream --model m.json", SMALL.as_bytes()).refused(&["standard input", "only once"]);
    folder.run("train builtin:xor --stream --model m.json").refused(&["builtin:xor", "leave --stream out"]);
    assert!(!folder.files().contains(&"m.json".to_owned()));
    folder.run(&format!("select none.csv -t t {STREAM}")).refused(&["cannot read none.csv"]);
    folder.run(&format!("select t.csv -t nothing {STREAM}")).refused(&["t.csv", "no column 'nothing'"]);
}

#[test]
fn late_errors_give_their_row() {
    let folder = Folder::new();
    folder.run("generate waveform --samples 20000 --seed 1 --output t.csv").ok();
    let text = folder.read("t.csv");
    let at = text.match_indices('\n').nth(15_000).unwrap().0 + 1;
    let with = |row: &str| {
        folder.write("bad.csv", format!("{}{row}\n{}", &text[..at], &text[at..]));
        folder.run(&format!("select bad.csv -t class --missing error {STREAM}"))
    };
    let cells = text[at..].lines().next().unwrap();
    with("1,2").refused(&["bad.csv, line 15002", "2 cells"]);
    let hole = format!(",{}", cells.split_once(',').unwrap().1);
    with(&hole).refused(&["bad.csv", "is missing in data row 15001", "--missing fill"]);
    let endless = format!("inf,{}", cells.split_once(',').unwrap().1);
    with(&endless).refused(&["bad.csv", "is inf in data row 15001"]);
}

#[test]
fn help_describes_streaming() {
    for command in ["select", "train"] {
        let help =
            Folder::new().run(&format!("{command} --help")).ok().split_whitespace().collect::<Vec<_>>().join(" ");
        assert_contains(
            &help,
            &["--stream", "larger than memory", "ldr-tsk-inductive", "sample of up to 4096 rows", "random order"],
        );
    }
}
