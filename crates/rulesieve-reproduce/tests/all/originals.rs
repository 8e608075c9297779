//! `--originals` and `--check`.
#![allow(clippy::unwrap_used, reason = "tests may fail")]

use crate::common::{Folder, assert_contains, data_sets};
use std::fs;
use std::path::Path;

/// UCI's file of votes: the class first, `?` for a missing cell.
fn votes(shared: &Path) -> String {
    let line = |line: &str| {
        let (votes, class) = line.rsplit_once(',').unwrap();
        let cells: Vec<&str> = votes.split(',').map(|cell| if cell.is_empty() { "?" } else { cell }).collect();
        format!("{class},{}\n", cells.join(","))
    };
    fs::read_to_string(shared.join("vote.csv")).unwrap().lines().skip(1).map(line).collect()
}

fn line<'a>(table: &'a str, name: &str) -> &'a str {
    table.lines().find(|line| line.split_whitespace().next() == Some(name)).unwrap()
}

const CONVERT: &str = "--originals downloads --data datasets";

#[test]
fn originals_become_the_files_of_the_manifest() {
    let Some(shared) = data_sets() else { return };
    let folder = Folder::new();
    fs::create_dir(folder.path("downloads")).unwrap();
    folder.write("downloads/house-votes-84.data", votes(&shared));
    let run = folder.run(CONVERT);
    assert_contains(&run.err, &["1 ok, 0 wrong, 18 missing"]);
    let table = run.ok();
    assert_contains(line(&table, "vote"), &["house-votes-84.data", "435 x 16", "ok: vote.csv written"]);
    assert_contains(line(&table, "wdbc"), &["missing: no file wdbc.data"]);
    assert_eq!(table.lines().count(), 20);
    assert_eq!(folder.read("datasets/vote.csv"), fs::read_to_string(shared.join("vote.csv")).unwrap());

    let again = folder.run(&format!("{CONVERT} --only vote")).ok();
    assert_contains(line(&again, "vote"), &["ok: vote.csv exists and is unchanged"]);
    let checked = folder.run("--data datasets --check").ok();
    assert_contains(line(&checked, "vote"), &["vote.csv", "435 x 16", "ok"]);
    assert_contains(line(&checked, "yale"), &["missing: no file yale.csv.gz"]);
}

#[test]
fn existing_files_are_replaced_only_on_request() {
    let Some(shared) = data_sets() else { return };
    let folder = Folder::new();
    ["downloads", "datasets"].iter().for_each(|name| fs::create_dir(folder.path(name)).unwrap());
    folder.write("downloads/house-votes-84.data", votes(&shared));
    folder.write("datasets/vote.csv", "mine\n");
    let refused = folder.run(CONVERT);
    assert_eq!((refused.code, folder.read("datasets/vote.csv").as_str()), (1, "mine\n"));
    assert_contains(line(&refused.out, "vote"), &["not written", "differs; replace it with --force"]);
    assert_eq!(folder.run("--data datasets --check").code, 1);
    assert_contains(line(&folder.run(&format!("{CONVERT} --force")).ok(), "vote"), &["ok: vote.csv written"]);
}

#[test]
fn differing_data_is_reported_and_not_written() {
    let folder = Folder::new();
    fs::create_dir(folder.path("downloads")).unwrap();
    let rows = "1,M,0\n2,B,0\n3,M,0\n4,B,0\n";
    folder.write("downloads/wdbc.data", rows.replace(",0", &",0.5".repeat(30)));
    folder.write("downloads/spambase.data", "not,such,a,file\n");
    let run = folder.run(CONVERT);
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert_contains(line(&run.out, "wdbc"), &["4 x 31", "differs: 4 rows instead of 569"]);
    assert_contains(line(&run.out, "spambase"), &["differs: no column c58 among its 4"]);
    assert!(!folder.path("datasets").exists());
    assert_contains(&run.err, &["0 ok, 2 wrong, 17 missing"]);
}

#[test]
fn invalid_arguments_are_rejected() {
    let folder = Folder::new();
    fs::create_dir(folder.path("here")).unwrap();
    folder.run("--originals gone --data here").refused(&["--originals gone: there is no such folder"]);
    folder.run("--check --data gone").refused(&["--data gone: there is no such folder"]);
    folder.run("--originals here").misused(&["required arguments were not provided"]);
    folder.run("--check --data here --output o").misused(&["--output", "--check", "cannot be used with"]);
    folder.run("--check --data here --force").misused(&["--check", "--force", "cannot be used with"]);
    folder.run("--data here --output o --force").misused(&["--output", "--force", "cannot be used with"]);
    folder.run("--data here --force").misused(&["required arguments were not provided"]);
    folder.run("--data here").misused(&["required arguments were not provided"]);
    folder.run("--check --data here --only nothing").refused(&["nothing"]);
}
