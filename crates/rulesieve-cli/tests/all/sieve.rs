//! The default method on the command line: pairs, held-out results, size, and warnings on noise.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking as tests do")]

use crate::common::{Folder, SMALL, assert_contains, twice};
use serde_json::{Value, json};

/// A small table, because the program under test is not optimised.
const XOR: &str = "generate xor --samples 240 --features 6 --seed 1 --output t.csv";

/// The names of an array in alphabetical order.
fn sorted(names: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = names.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    names.sort_unstable();
    names
}

/// Random numbers with alternating labels.
fn noise(rows: usize, columns: usize) -> String {
    let mut state = 7_u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / f64::from(1 << 24)
    };
    let mut text = (0..columns).map(|at| format!("x{at},")).collect::<String>() + "t\n";
    for row in 0..rows {
        text += &(0..columns).map(|_| format!("{},", draw())).collect::<String>();
        text += if row % 2 == 0 { "yes\n" } else { "no\n" };
    }
    text
}

#[test]
fn pairs_are_printed_and_recorded_and_the_size_is_chosen_from_the_data() {
    let folder = Folder::new();
    folder.run(XOR).ok();
    let text = folder.run("select t.csv -t class --output s.json --report r.html").ok();
    let words: Vec<String> = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let after = |line: &str| words.iter().position(|other| other == line).map(|at| &words[at + 1]);
    assert!(after("act together p-value").is_some_and(|line| line.starts_with("x1 and x2 ")), "{text}");
    assert_contains(
        &text,
        &["sieve on t.csv: 240 rows, 6 features", "p-value", "pairs tested: all 15", "selected 2 of 6 features"],
    );
    assert_eq!(text.matches("held-out accuracy ").count(), 1, "{text}");
    assert_contains(&text, &[" % on 240 rows (constant prediction "]);
    let record: Value = serde_json::from_str(&folder.read("s.json")).unwrap();
    assert_eq!((&record["method"], &record["size"]["rule"]), (&"sieve".into(), &"one-se".into()));
    assert_eq!(sorted(&record["selected"]), ["x1", "x2"]);
    assert_eq!(record["pairs"][0]["features"], json!(["x1", "x2"]));
    assert!(record["pairs"][0]["p_value"].as_f64().unwrap() < 1e-6, "{record}");
    assert!(record["ranking"][0]["p_value"].as_f64().unwrap() < 1e-6, "{record}");
    assert_contains(record["tested"].as_str().unwrap(), &["columns tested: all", "pairs tested: all 15"]);
    assert!(record["held_out"]["accuracy"].as_f64().unwrap() > 0.8 && record["held_out"]["rows"] == 240, "{record}");
    assert_contains(&folder.read("r.html"), &["Interacting columns", "x1 and x2"]);
}

#[test]
fn a_given_size_has_no_size_curve() {
    let folder = Folder::new();
    folder.run(XOR).ok();
    let text = folder.run("select t.csv -t class --top 3").ok();
    assert_contains(&text, &["selected 3 of 6 features", "held-out accuracy"]);
    assert!(!text.contains("size by") && !text.contains("for the size that held-out rows choose"), "{text}");
    let record = folder.run("select t.csv -t class --fraction 0.333 --json").json();
    assert_eq!((record["selected"].as_array().unwrap().len(), record.get("size")), (1, None));
    assert_eq!(record["held_out"]["features"], 1);
    assert!(record["held_out"]["accuracy"].as_f64().unwrap() < 0.7, "one column of two: {record}");
}

#[test]
fn other_methods_choose_the_size_by_one_standard_error() {
    let folder = Folder::with(twice(SMALL));
    let record = folder.run("select t.csv -t t -m anova --json").json();
    assert_eq!((&record["size"]["rule"], &record["size"]["folds"]), (&"one-se".into(), &5.into()));
    assert!(record.get("held_out").is_none() && record.get("pairs").is_none() && record.get("tested").is_none());
    let count = record["selected"].as_array().unwrap().len();
    let points = record["size"]["points"].as_array().unwrap();
    assert!(points.iter().any(|point| point["features"].as_u64() == Some(count as u64)), "{record}");
}

#[test]
fn noise_is_reported_as_no_better_than_chance() {
    let folder = Folder::with(noise(80, 30));
    let run = folder.run("select t.csv -t t");
    assert_contains(&run.err, &["warning: no better than chance on 80 held-out rows (accuracy "]);
    assert!(run.code == 0 && !run.out.contains("act together"), "{}", run.out);
    let record = folder.run("select t.csv -t t --json").json();
    assert_contains(&record["warnings"].to_string(), &["no better than chance on 80 held-out rows"]);
    assert_eq!(record["held_out"]["better_than_chance"], false);

    let line = "train t.csv -t t --rule-param steps=30 --rule-param rules=2 --rule-param starts=1 --model m.json";
    assert_contains(&folder.run(line).err, &["warning: no better than chance on 80 held-out rows"]);
    let summary = folder.run(&format!("{line} --json")).json();
    let warnings = summary["warnings"].to_string();
    assert_eq!(warnings.matches("no better than chance on 80 held-out rows").count(), 1, "{warnings}");
    assert_eq!(summary["held_out"]["better_than_chance"], false);
}

#[test]
fn columns_that_identify_rows_are_set_aside_unless_kept() {
    let folder = Folder::new();
    folder.run(XOR).ok();
    let table = folder.read("t.csv");
    let number = |(at, line): (usize, &str)| if at == 0 { format!("id,{line}\n") } else { format!("{at},{line}\n") };
    folder.write("t.csv", table.lines().enumerate().map(number).collect::<String>());
    let ranked = |more: &str| {
        let record = folder.run(&format!("select t.csv -t class --json {more}")).json();
        let names: Vec<Value> =
            record["ranking"].as_array().unwrap().iter().map(|one| one["feature"].clone()).collect();
        (names.contains(&json!("id")), record)
    };
    let (listed, record) = ranked("");
    assert!(!listed, "{record}");
    assert_eq!(record["excluded"], json!([{"feature": "id", "reason": "row-number"}]));
    let (listed, record) = ranked("--keep-suspicious");
    assert!(listed && record.get("excluded").is_none(), "{record}");
    assert_contains(
        &folder.run("select t.csv -t class").ok(),
        &["excluded: id (row number); include with --keep-suspicious"],
    );
}
