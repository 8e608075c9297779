//! `evaluate --records`: results are saved task by task, resumed after a kill, and printed without the data.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking as tests do")]

use crate::common::{Folder, assert_contains};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Several seconds of work in many tasks.
const LINE: &str = "evaluate t.csv -t class --methods ldr-tsk-inductive,ldr-tsk --set ldr-tsk-inductive:steps=60 --folds 6 --inner 2 \
                    --points 2 --curve --subsample 4";

fn table() -> Folder {
    let folder = Folder::new();
    folder.run("generate waveform --samples 200 --seed 2 --output t.csv").ok();
    folder
}

/// The record without times.
fn timeless(text: &str) -> String {
    text.lines().filter(|line| !line.contains("\"seconds\"")).collect::<Vec<_>>().join("\n")
}

/// Starts a run, waits until some tasks are saved, and sends a signal. Returns the number of saved tasks and the exit code.
fn cut_short(folder: &Folder, signal: &str) -> (u64, Option<i32>) {
    let mut command = folder.command(&format!("{LINE} --threads 1 --records runs.sqlite --json --output e.json"));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let began = Instant::now();
    while done(folder) < 3 {
        assert!(began.elapsed() < Duration::from_secs(120), "nothing is kept");
        assert!(child.try_wait().unwrap().is_none(), "it must not end by itself");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    let code = child.wait().unwrap().code();
    (done(folder), code)
}

/// The number of tasks saved by the last run in the file.
fn done(folder: &Folder) -> u64 {
    if !folder.files().contains(&"runs.sqlite".to_owned()) {
        return 0;
    }
    let run = folder.run("records runs.sqlite --json");
    let runs: serde_json::Value = serde_json::from_str(&run.out).unwrap_or_default();
    runs.as_array().and_then(|runs| runs.last()).map_or(0, |run| run["done"].as_u64().unwrap())
}

#[test]
fn a_killed_run_resumes_with_identical_results() {
    let folder = table();
    let whole = folder.run(&format!("{LINE} --json")).ok();
    let (kept, code) = cut_short(&folder, "-KILL");
    assert!((3..30).contains(&kept) && code.is_none(), "{kept} kept, {code:?}");
    let again = folder.run(&format!("{LINE} --records runs.sqlite --resume --json --output e.json"));
    assert_contains(&again.err, &["continuing run 1 of runs.sqlite", "tasks are done"]);
    assert_eq!(timeless(&again.out), timeless(&whole));
    assert_eq!(timeless(&folder.read("e.json")), timeless(whole.trim_end()));
    let shown = folder.run("records runs.sqlite --run 1 --json").ok();
    assert_eq!(shown, again.out, "the file alone gives the same output, including times");
    assert!(
        !folder.files().iter().any(|file| file.contains("journal") || file.contains("wal")),
        "{:?}",
        folder.files()
    );
    std::fs::remove_file(folder.path("t.csv")).unwrap();
    assert_contains(
        &folder.run("records runs.sqlite --run 1").ok(),
        &["t.csv: 200 rows", "protocol nested: 6 folds", "one-se size"],
    );
    assert_contains(&folder.run("records runs.sqlite").ok(), &["36 of 36", "nested", "ldr-tsk-inductive, ldr-tsk"]);
}

#[test]
fn ctrl_c_keeps_finished_tasks() {
    let folder = table();
    folder.write("e.json", "mine");
    let (kept, code) = cut_short(&folder, "-INT");
    assert!((3..30).contains(&kept) && code == Some(130), "{kept} kept, {code:?}");
    assert_eq!(folder.read("e.json"), "mine");
    let again = folder.run(&format!("{LINE} --records runs.sqlite --resume"));
    assert_contains(&again.err, &["continuing run 1"]);
    assert_contains(&again.out, &["protocol nested: 6 folds"]);
}

#[test]
fn a_time_budget_ends_the_run_with_partial_results() {
    let folder = table();
    // For any speed of the machine: the first budget that suffices for one fold does not suffice for all.
    let budgets = (0..12).map(|power| 0.25 * f64::from(1 << power));
    let runs = budgets.map(|seconds| folder.run(&format!("{LINE} --threads 1 --time-budget {seconds} --json")));
    let record = runs.map(|run| run.json()).find(|record| record["completed_splits"] != 0).unwrap();
    assert_eq!(record["complete"], false);
    let folds = record["methods"][0]["folds"].as_array().unwrap().len();
    assert!((1..6).contains(&folds), "{folds}");
    assert_contains(&record["warnings"].to_string(), &["of 6 splits are done"]);
    let nothing = folder.run(&format!("{LINE} --time-budget 0.000001 --json")).json();
    assert_eq!((&nothing["complete"], &nothing["completed_splits"]), (&false.into(), &0.into()));
    assert_contains(&folder.run(&format!("{LINE} --time-budget 0.000001")).ok(), &["partial: none complete"]);
    let kept = folder.run(&format!("{LINE} --time-budget 0.000001 --records runs.sqlite"));
    assert_contains(&kept.err, &["0 tasks are saved in runs.sqlite", "--resume"]);
    let other = folder.run(&format!("{LINE} --time-budget 0.000001 --seed 5 --records runs.sqlite --resume"));
    assert_contains(&other.err, &["no matching run found; starting run 2"]);
}

#[test]
fn other_files_are_rejected() {
    let folder = table();
    folder.run("records nothing.sqlite").refused(&["there is no file nothing.sqlite"]);
    folder.run("records t.csv").refused(&["not a file of saved runs"]);
    folder.refuses(
        "evaluate builtin:penguins --missing median --methods anova --records t.csv",
        &["not a file of saved runs"],
    );
    folder.run("evaluate t.csv -t class --methods anova --records there/is/none").refused(&["no folder"]);
    folder.run("evaluate t.csv -t class --methods anova --folds 3 --top 3 --records r.sqlite").ok();
    folder.run("records r.sqlite --run 7").refused(&["has no run 7"]);
    folder.run("records r.sqlite --run 1 --output r.sqlite").refused(&["is the input itself"]);
}
