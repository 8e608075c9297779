//! `apply`: the columns of a selection by name, or an error without changes to any file.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking as tests do")]

use crate::common::{Folder, SMALL, assert_contains};
use serde_json::{Value, json};

/// A folder with a table and a selection of `good` and `weak`.
fn selected() -> Folder {
    let folder = Folder::with(SMALL);
    folder.run("select t.csv -t t -m anova --top 2 --output s.json").ok();
    folder
}

#[test]
fn cells_are_copied_unchanged_in_the_order_of_the_selection() {
    let folder = selected();
    let run = folder.run("apply s.json t.csv --output r.csv --keep t,kind");
    assert_contains(&run.err, &["wrote 12 rows of 4 columns to r.csv"]);
    assert_eq!((run.code, run.out.as_str()), (0, ""));
    let reduced = folder.read("r.csv");
    assert!(reduced.starts_with("good,weak,t,kind\n1.50,1.0,x,u\n1.25,2.5,x,v\n"), "{reduced}");
    assert_eq!(reduced.lines().count(), 13);
}

#[test]
fn other_orders_and_further_columns_do_not_matter() {
    let folder = selected();
    folder.write("n.csv", "weak;new;good\n1;\"a;b\";2.50\n3;;4\n");
    assert_eq!(folder.run("apply s.json n.csv").ok(), "good,weak\n2.50,1\n4,3\n");
    assert_eq!(folder.run_with("apply s.json -", b"weak,good\n7,8\n").ok(), "good,weak\n8,7\n");
}

#[test]
fn missing_columns_are_listed_with_suggestions() {
    let folder = selected();
    folder.write("n.csv", "goood,x\n1,2\n");
    folder.refuses(
        "apply s.json n.csv --keep zzzzz",
        &["n.csv has no column", "'good' (did you mean 'goood'?)", "'weak'", "'zzzzz'"],
    );
    folder.run("apply s.json t.csv --keep good").refused(&["--keep good", "selected already"]);
}

#[test]
fn the_output_is_untouched_when_anything_fails() {
    let folder = selected();
    folder.write("r.csv", "mine\n");
    let before = folder.files();
    folder.write("ragged.csv", "good,weak\n1,2\n3\n");
    folder.run("apply s.json ragged.csv --output r.csv").refused(&["ragged.csv, line 3", "1 cells"]);
    folder.run("apply s.json nowhere.csv --output r.csv").refused(&["cannot read nowhere.csv"]);
    std::fs::remove_file(folder.path("ragged.csv")).unwrap();
    assert_eq!((folder.read("r.csv").as_str(), folder.files()), ("mine\n", before));
    folder.run("apply s.json t.csv --output nowhere/r.csv").refused(&["cannot write nowhere/r.csv"]);
}

#[test]
fn built_in_tables_and_perfect_scores_pass() {
    let folder = Folder::new();
    folder.run("select builtin:penguins --missing median -m anova --top 1 --output s.json").ok();
    let reduced = folder.run("apply s.json builtin:penguins --keep species").ok();
    assert_eq!(reduced.lines().count(), 345);
    // The largest number as a score must survive writing and reading.
    folder.write("t.csv", "a,b,t\n1,1,x\n1,2,x\n2,3,y\n2,1,y\n");
    folder.run("select t.csv -t t -m anova --top 1 --output s.json").ok();
    assert_contains(&folder.read("s.json"), &["1.7976931348623157e+308"]);
    assert_eq!(folder.run("apply s.json t.csv").ok(), "a\n1\n1\n2\n2\n");
}

/// Applies the selection after a change to its record.
fn changed(change: impl FnOnce(&mut Value)) -> crate::common::Run {
    let folder = selected();
    let mut record: Value = serde_json::from_str(&folder.read("s.json")).unwrap();
    change(&mut record);
    folder.write("s.json", record.to_string());
    folder.run("apply s.json t.csv --output r.csv")
}

#[test]
fn unknown_and_damaged_records_are_rejected() {
    assert_eq!(changed(|_| {}).code, 0);
    let schema = "cannot use the selection s.json: this is 'rulesieve/selection/2'";
    changed(|record| record["schema"] = "rulesieve/selection/2".into()).refused(&[schema, "rulesieve/selection/1"]);
    changed(|record| *record = json!({"schema": "rulesieve/selection/2", "other": 1})).refused(&[schema]);
    changed(|record| *record = json!({"a": 1})).refused(&["s.json", "missing field `schema`"]);
    changed(|record| *record = json!([1, 2])).refused(&["s.json", "invalid type"]);
    changed(|record| record["selected"] = json!([])).refused(&["names no feature"]);
    changed(|record| record["selected"] = json!(["nobody"])).refused(&["'nobody'", "selected but not ranked"]);
    changed(|record| record["selected"] = json!(["good", "good"])).refused(&["'good'", "selected twice"]);
    changed(|record| record["seed"] = json!(-1)).refused(&["s.json", "invalid value: integer `-1`"]);
    changed(|record| record["ranking"] = json!("x")).refused(&["s.json", "invalid type"]);
    changed(|record| record["ranking"][0]["score"] = Value::Null).refused(&["s.json", "invalid type: null"]);
}

#[test]
fn invalid_json_is_rejected() {
    let folder = selected();
    let text = folder.read("s.json");
    let with = |content: String| {
        folder.write("bad.json", content);
        folder.run("apply bad.json t.csv --output r.csv")
    };
    for cut in [1, text.len() / 3, text.len() - 3] {
        with(text[..cut].to_owned()).refused(&["bad.json", "EOF", "line"]);
    }
    with(String::new()).refused(&["bad.json", "EOF"]);
    with(text.clone() + "x").refused(&["bad.json", "trailing characters"]);
    with("[".repeat(100_000)).refused(&["bad.json"]);
    with(format!("{{\"schema\": {}", "[".repeat(100_000))).refused(&["bad.json"]);
    with(text.replacen("\"selected\"", "\"params\": {\"a\": {\"b\": ".repeat(5).as_str(), 1)).refused(&["bad.json"]);
    with(text.replacen("\"seed\": 0", "\"seed\": 0, \"seed\": 1", 1)).refused(&["duplicate field `seed`"]);
    with(text.replacen("\"seed\": 0", "\"seed\": NaN", 1)).refused(&["bad.json", "line"]);
    folder.write("bad.json", b"\xff\xfe\x00");
    folder.run("apply bad.json t.csv").refused(&["bad.json", "UTF-8"]);
    folder.run("apply none.json t.csv").refused(&["none.json", "No such file"]);
    folder.run("apply . t.csv").refused(&["cannot use the selection .", "directory"]);
    assert_eq!(folder.files(), ["bad.json", "s.json", "t.csv"]);
}

#[test]
fn selections_come_from_a_pipe() {
    let folder = selected();
    let expected = folder.run("apply s.json t.csv").ok();
    let record = folder.run("select t.csv -t t -m anova --top 2 --json").ok();
    assert_eq!(folder.run_with("apply - t.csv", record.as_bytes()).ok(), expected);
    let names = folder.run("select t.csv -t t -m anova --top 2 --names").ok();
    assert_eq!(folder.run_with("apply - t.csv", names.as_bytes()).ok(), expected);
    assert_eq!(folder.run_with("apply - t.csv", names.replace('\n', "\r\n").as_bytes()).ok(), expected);
    let refused = |line: &str, input: &str, parts: &[&str]| folder.run_with(line, input.as_bytes()).refused(parts);
    refused("apply - -", &record, &["both the selection and the table", "name a file"]);
    refused("apply - t.csv", "", &["standard input has no selection", "--names"]);
    refused("apply - t.csv", "good\ngood\n", &["'good' twice"]);
    refused("apply - t.csv", "goood\n", &["no column", "did you mean 'good'?"]);
    refused("apply - t.csv", "{\"schema\": 3}", &["cannot use the selection -"]);
}
