//! Ctrl-C, and closed pipes.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking as tests do")]

use crate::common::{Folder, Run, SMALL, assert_contains, end, interrupt};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Stdio};
use std::time::Duration;

/// A fit that does not end during the test.
const LONG: &str = "select builtin:madelon --method ldr-tsk --set iterations=1000000 --set tolerance=0 --output s.json";

fn start(folder: &Folder, line: &str) -> Child {
    let mut command = folder.command(line);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Starts the long fit and returns once it reports iterations.
fn fitting(folder: &Folder, options: &str) -> Child {
    iterating(folder, &format!("{LONG} {options}"), "ldr-tsk")
}

/// Starts a long command and returns once `name` reports iterations.
fn iterating(folder: &Folder, line: &str, name: &str) -> Child {
    let mut child = start(folder, line);
    let mut progress = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    progress.read_line(&mut line).unwrap();
    assert_contains(&line, &[name, ": iteration", "of 1000000"]);
    // Keep the pipe open and empty: the warnings that follow must find a reader.
    std::thread::spawn(move || std::io::copy(&mut progress, &mut std::io::sink()));
    child
}

#[test]
fn a_fit_ends_with_its_ranking_so_far_and_writes_nothing() {
    let folder = Folder::new();
    let child = fitting(&folder, "");
    interrupt(&child);
    let run = end(child);
    assert_eq!(run.code, 130);
    assert_contains(
        &run.out,
        &["ldr-tsk on builtin:madelon", "rank  feature", "interrupted: this is the ranking of an unfinished fit"],
    );
    assert_eq!(folder.files(), Vec::<String>::new());
}

#[test]
fn the_record_of_an_interrupted_fit_is_marked() {
    let folder = Folder::new();
    folder.write("s.json", "mine");
    let child = fitting(&folder, "--json");
    interrupt(&child);
    let run = end(child);
    assert_eq!(run.code, 130);
    let record: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(record["converged"], false);
    assert_contains(&record["warnings"].to_string(), &["interrupted: the ranking is that of iteration"]);
    assert_eq!((folder.read("s.json").as_str(), folder.files().len()), ("mine", 1));
}

#[test]
fn a_streamed_training_ends_and_writes_nothing() {
    let folder = Folder::new();
    folder.run("generate xor --samples 6000 --features 3 --output t.csv").ok();
    let before = folder.files();
    let line = "train t.csv -t class --stream --method ldr-tsk-inductive --top 1 --set steps=3 --set starts=1 --rule-param steps=1000000 --rule-param rules=4 --rule-param batch=2 --rule-param starts=1 \
                --model m.json --output s.json";
    let child = iterating(&folder, line, "rule training");
    interrupt(&child);
    let run = end(child);
    assert_eq!(run.code, 130);
    assert_contains(&run.out, &["rank  feature", "interrupted"]);
    assert_eq!(folder.files(), before);
}

/// Writes `bytes` and gives the program time to read them and wait for more.
fn feed(child: &mut Child, bytes: &[u8]) -> std::process::ChildStdin {
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(bytes).unwrap();
    stdin.flush().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    stdin
}

#[test]
fn waiting_for_input_ends_at_once() {
    let folder = Folder::with(SMALL);
    folder.run("select t.csv -t t -m anova --output s.json").ok();
    folder.run("train t.csv -t t -m anova --top 2 --model m.json --rule-param steps=9").ok();
    let before = folder.files();
    for line in [
        "select - -t t --output r.json",
        "check - -t t",
        "apply s.json -",
        "apply s.json - --output r.csv",
        "predict m.json -",
        "predict m.json - --output r.csv",
    ] {
        let mut child = start(&folder, line);
        let open = feed(&mut child, b"good,weak,t\n1,2,x\n");
        interrupt(&child);
        let run = end(child);
        drop(open);
        assert_eq!((run.code, run.out.as_str()), (130, ""), "{line}");
        assert_eq!(folder.files(), before, "{line}");
    }
}

#[test]
fn a_closed_standard_output_is_not_an_error() {
    let folder = Folder::with(SMALL);
    folder.run("select t.csv -t t -m anova --output s.json").ok();
    folder.run("generate waveform --samples 20000 --features 30 --output w.csv").ok();
    folder.run("select w.csv -t class -m anova --output w.json").ok();
    for line in [
        "generate waveform --samples 20000 --features 30",
        "apply w.json w.csv",
        "methods ldr-tsk",
        "check t.csv -t t",
        "select t.csv -t t -m anova --json",
    ] {
        let mut child = start(&folder, line);
        let mut first = [0];
        let mut out = child.stdout.take().unwrap();
        out.read_exact(&mut first).unwrap();
        drop(out);
        let run = end(child);
        assert_eq!(run.code, 0, "{line}: {}", run.err);
        assert!(!run.err.contains("panicked") && !run.err.contains("error"), "{line}: {}", run.err);
    }
}

#[test]
fn a_closed_standard_error_is_not_an_error() {
    let folder = Folder::with(SMALL);
    let mut child = start(&folder, "select - -t t -m anova");
    drop(child.stderr.take());
    child.stdin.take().unwrap().write_all(SMALL.as_bytes()).unwrap();
    let run = end(child);
    assert_eq!(run.code, 0);
    assert_contains(&run.out, &["selected 1 of 4 features"]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_reported() {
    let folder = Folder::with(SMALL);
    folder.run("select t.csv -t t -m anova --output s.json").ok();
    for line in ["generate xor", "select t.csv -t t -m anova", "apply s.json t.csv"] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let run = Run::new(folder.command(line).stdout(full).output().unwrap());
        run.refused(&["cannot write", "standard output", "No space left"]);
        assert_eq!(run.err.matches("No space left").count(), 1, "{}", run.err);
    }
}
