//! `generate`: every data set, its ground truth, and its use with `select`.

use crate::common::{Folder, assert_contains};
use serde_json::{Value, json};

const NAMES: [&str; 8] = ["double-circle", "xor", "parity3", "parity4", "madelon", "waveform", "control", "friedman"];

#[test]
fn without_a_name_all_are_listed() {
    let text = Folder::new().run("generate").ok();
    let listed: Vec<&str> = text.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(listed[..NAMES.len()], NAMES);
    assert_contains(&text, &["2600", "500", "penguins, a real table"]);
}

#[test]
fn every_data_set_can_be_written_and_read_again() {
    let folder = Folder::new();
    for name in NAMES {
        let run =
            folder.run(&format!("generate {name} --samples 120 --features 60 --seed 4 --output g.csv --truth t.json"));
        assert_eq!((run.code, run.out.as_str()), (0, ""), "{name}: {}", run.err);
        let truth: Value = serde_json::from_str(&folder.read("t.json")).unwrap();
        assert_eq!(truth["schema"], "rulesieve/truth/1");
        let size = json!([truth["name"], truth["samples"], truth["features"], truth["seed"]]);
        assert_eq!(size, json!([name, 120, 60, 4]));
        let target = truth["target"].as_str().unwrap();
        assert_contains(&run.err, &["120 rows, 60 features", target, "informative: "]);
        let bins = if name == "friedman" { "--bins 2" } else { "" };
        let record = folder.run(&format!("select g.csv -t {target} -m anova --json {bins}")).json();
        assert_eq!(json!([record["data"]["samples"], record["data"]["features"]]), json!([120, 60]), "{name}");
        let ranking = record["ranking"].to_string();
        let informative = truth["informative"].as_array().unwrap();
        assert!(!informative.is_empty() && informative.iter().all(|column| ranking.contains(&column.to_string())));
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_in_file_and_on_standard_output() {
    let folder = Folder::new();
    folder.run("generate xor --samples 50 --seed 9 --output a.csv").ok();
    let printed = folder.run("generate xor --samples 50 --seed 9").ok();
    assert_eq!(folder.read("a.csv"), printed);
    assert_ne!(folder.run("generate xor --samples 50 --seed 8").ok(), printed);
    assert_eq!((printed.lines().count(), printed.lines().next().unwrap().split(',').count()), (51, 21));
}

#[test]
fn a_builtin_is_the_generated_table_of_default_size_and_seed_0() {
    let folder = Folder::new();
    folder.run("generate double-circle --output d.csv").ok();
    let record = |input: &str| {
        let mut record = folder.run(&format!("select {input} -t class -m anova --json")).json();
        record["seconds"] = Value::Null;
        // How the cells of the file were read.
        record["reading"] = Value::Null;
        record
    };
    assert_eq!(record("d.csv"), record("builtin:double-circle"));
}

#[test]
fn the_embedded_table_is_written_unchanged() {
    let folder = Folder::new();
    folder.run("generate penguins --output p.csv").ok();
    let kept = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../rulesieve-io/data/penguins.csv");
    assert_eq!(folder.read("p.csv"), std::fs::read_to_string(kept).unwrap());
    folder.run("generate penguins --samples 5").refused(&["penguins is a real table", "--samples"]);
}

#[test]
fn errors() {
    let folder = Folder::new();
    folder.refuses(
        "generate madelom",
        &["no data set 'madelom'", "did you mean 'madelon'?", "penguins, double-circle, xor"],
    );
    folder.run("select builtin:pinguins").refused(&["'pinguins'", "did you mean 'penguins'?", "xor"]);
    folder.run("generate control --samples 5").refused(&["'control' cannot make 5 samples", "at least 6"]);
    folder.run("generate madelon --features 19").refused(&["cannot make 19 features", "at least 20"]);
    folder.run("generate xor --samples 99999999999 --features 1000").refused(&["at most 268435456 cells"]);
    folder.run("generate xor --output nowhere/x.csv").refused(&["cannot write nowhere/x.csv"]);
    assert!(folder.files().is_empty());
}
