//! `select` on valid tables: printed table, record and input sources.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking as tests do")]

use crate::common::{Folder, SMALL, assert_contains, twice};
use serde_json::Value;
use std::io::Write;

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn features(record: &Value) -> Vec<&str> {
    record["ranking"].as_array().unwrap().iter().map(|ranked| ranked["feature"].as_str().unwrap()).collect()
}

#[test]
fn the_table_is_aligned_and_marks_selected_features() {
    let run = Folder::with(twice(SMALL)).run("select t.csv --target t --method anova --top 2");
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[0], "anova on t.csv: 24 rows, 4 features, 2 classes of t");
    assert_eq!(lines[2].split_whitespace().collect::<Vec<_>>(), ["rank", "feature", "score"]);
    let row = |at: usize| lines[at].split_whitespace().collect::<Vec<_>>();
    assert_eq!((row(3)[..2].to_vec(), row(3)[3]), (vec!["1", "good"], "selected"));
    assert_eq!((row(4)[..2].to_vec(), row(4)[3]), (vec!["2", "weak"], "selected"));
    assert_eq!((row(5).len(), row(6).len()), (3, 3), "the others are not marked");
    assert_eq!(lines[3].find("good"), lines[4].find("weak"));
    assert_eq!(*lines.last().unwrap(), "selected 2 of 4 features");
    assert_contains(&run.err, &["warning: possible leak: each class has its own range of good", "fitted in "]);
    assert_eq!(run.code, 0);
}

#[test]
fn the_record_has_the_documented_keys() {
    let folder = Folder::with(SMALL);
    let record = folder
        .run("select t.csv --target t --seed 5 --method ldr-tsk --set iterations=4 --fraction 0.333 --json")
        .json();
    // The documented keys, and five later ones: `version`, `trace`, `diagnostics`, `rules`, `reading`.
    let mut expected = vec!["schema", "method", "params", "seed", "data", "selected", "ranking", "converged"];
    expected.extend(["iterations", "seconds", "warnings", "version", "trace", "diagnostics", "rules", "reading"]);
    expected.sort_unstable();
    assert_eq!(keys(&record), expected);
    assert_eq!(
        keys(&record["data"]),
        ["class_names", "classes", "coding", "features", "missing", "samples", "target", "task"]
    );
    assert_eq!(record["schema"], "rulesieve/selection/1");
    assert_eq!((&record["method"], &record["seed"]), (&"ldr-tsk".into(), &5.into()));
    assert_eq!((&record["converged"], &record["iterations"]), (&false.into(), &4.into()));
    assert!(record["seconds"].as_f64().unwrap() >= 0.0 && record["warnings"].is_array());
    let data = &record["data"];
    assert_eq!((&data["samples"], &data["features"], &data["classes"]), (&12.into(), &4.into(), &2.into()));
    assert_eq!((&record["params"]["iterations"], &record["params"]["alpha"]), (&4.into(), &1.0.into()));
    assert_eq!(keys(&record["ranking"][0]), ["feature", "rank", "score"]);
    assert_eq!(record["ranking"].as_array().unwrap().len(), 4);
    assert_eq!((&record["ranking"][0]["rank"], &record["ranking"][3]["rank"]), (&1.into(), &4.into()));
    assert_eq!(record["selected"].as_array().unwrap().len(), 1, "a third of 4, rounded down");
    assert_eq!(record["selected"][0], record["ranking"][0]["feature"]);
}

#[test]
fn methods_without_iterations_have_null() {
    let record = Folder::with(SMALL).run("select t.csv --target t -m anova --json").json();
    let object = record.as_object().unwrap();
    for key in ["converged", "iterations"] {
        assert_eq!(object.get(key), Some(&Value::Null), "{key} is present");
    }
    assert_eq!(features(&record)[..2], ["good", "weak"]);
}

#[test]
fn the_output_file_is_the_printed_record() {
    let folder = Folder::with(SMALL);
    let printed = folder.run("select t.csv -t t -m anova --json --output s.json").ok();
    assert_eq!(folder.read("s.json"), printed);
    let run = folder.run("select t.csv -t t -m anova --output s.json");
    assert_contains(&run.err, &["selection written to s.json"]);
    let mut again: Value = serde_json::from_str(&folder.read("s.json")).unwrap();
    let mut first: Value = serde_json::from_str(&printed).unwrap();
    again["seconds"] = 0.into();
    first["seconds"] = 0.into();
    assert_eq!(again, first);
    assert_eq!(folder.files(), ["s.json", "t.csv"]);
}

#[test]
fn threads_change_only_the_time() {
    let folder = Folder::new();
    let run = |threads: &str| {
        let line =
            format!("select builtin:madelon --method ldr-tsk --set iterations=2 --seed 3 --json --threads {threads}");
        let text = folder.run(&line).ok();
        text.lines().filter(|line| !line.contains("\"seconds\"")).collect::<Vec<_>>().join("\n")
    };
    let one = run("1");
    assert!(one.contains("\"ranking\""));
    for threads in ["2", "8", "0", "10000"] {
        assert_eq!(run(threads), one, "{threads} threads");
    }
    let capped = folder.run("select builtin:xor -m anova --threads 10000");
    assert_contains(&capped.err, &["note: 10000 threads requested; using the maximum of 256"]);
}

#[test]
fn rankings_of_random_depend_only_on_the_seed() {
    let folder = Folder::new();
    let run = |seed: u32| features_of(&folder, &format!("select builtin:xor -m random --json --seed {seed}"));
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

fn features_of(folder: &Folder, line: &str) -> Vec<String> {
    features(&folder.run(line).json()).into_iter().map(str::to_owned).collect()
}

#[test]
fn long_rankings_are_truncated() {
    let folder = Folder::new();
    let cut = folder.run("select builtin:waveform -m anova").ok();
    assert_contains(&cut, &["... and 10 more (select --all shows them)", "selected 13 of 40 features"]);
    assert!(cut.contains("\n  30  ") && !cut.contains("\n  31  "), "{cut}");
    let all = folder.run("select builtin:waveform -m anova --all").ok();
    assert!(all.contains("\n  40  ") && !all.contains("more (--all"), "{all}");
}

#[test]
fn sizes() {
    let folder = Folder::with(SMALL);
    let selected = |size: &str| {
        let record = folder.run(&format!("select t.csv -t t -m anova --json {size}")).json();
        (record["selected"].as_array().unwrap().len(), record["warnings"].to_string())
    };
    assert_eq!(selected("--top 3").0, 3);
    assert_eq!(selected("--fraction 0.5").0, 2);
    assert_eq!(selected("--fraction 0.01").0, 1, "never nothing");
    let (count, warnings) = selected("--top 99");
    assert_eq!(count, 4);
    assert_contains(&warnings, &["asked for the top 99 of 4 features: all are selected"]);
}

#[test]
fn input_from_standard_input_gzip_and_the_program_itself() {
    let folder = Folder::with(SMALL);
    let expected = features_of(&folder, "select t.csv -t t -m anova --json");
    let piped = folder.run_with("select - -t t -m anova --json", SMALL.as_bytes()).json();
    assert_eq!(features(&piped), expected);
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(SMALL.as_bytes()).unwrap();
    folder.write("t.csv.gz", packer.finish().unwrap());
    assert_eq!(features_of(&folder, "select t.csv.gz -t t -m anova --json"), expected);
    let penguins = folder.run("select builtin:penguins --missing median -m anova --json").json();
    assert_eq!((&penguins["data"]["samples"], &penguins["data"]["classes"]), (&344.into(), &3.into()));
    assert_eq!(penguins["data"]["target"], "species");
}

#[test]
fn a_category_is_one_feature_in_both_codings() {
    let folder = Folder::with(SMALL);
    for coding in ["one-hot", "ordinal"] {
        let line =
            format!("select t.csv -t t --json --method ldr-tsk --set iterations=3 --categorical-coding {coding}");
        let record = folder.run(&line).json();
        assert_eq!(record["ranking"].as_array().unwrap().len(), 4, "{coding}");
        assert_eq!(record["params"]["d"], if coding == "one-hot" { 2 } else { 1 }, "a third of the coded columns");
    }
}

#[test]
fn terminal_escapes_in_names_are_escaped() {
    let folder = Folder::with(twice(SMALL).replacen("good", "go\u{1b}[31mod\u{202e}", 1));
    let run = folder.run("select t.csv -t t -m anova");
    assert!(run.out.contains("go\\u{1b}[31mod\\u{202e}"), "{}", run.out);
    assert!(run.err.contains("go\\u{1b}[31mod"), "{}", run.err);
    for text in [run.out, run.err] {
        assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{text}");
    }
}
