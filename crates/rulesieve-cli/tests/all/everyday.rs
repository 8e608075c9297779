//! Everyday tables: the first command works, and reports what was done.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking as tests do")]

use crate::common::{Folder, assert_contains};
use serde_json::Value;

/// 40 rows below a header. The classes depend on the first number.
fn table(header: &str, row: impl Fn(usize) -> String) -> String {
    let rows: String = (0..40).map(|at| row(at) + "\n").collect();
    format!("{header}\n{rows}")
}

fn class(row: usize) -> &'static str {
    if number(row) > 18 { "p" } else { "q" }
}

/// A permutation of 0 to 39 times 7, modulo 37.
fn number(row: usize) -> usize {
    row * 7 % 37
}

/// Runs a command that prints a selection as JSON; returns its features and the kinds of its warnings.
#[track_caller]
fn selected(name: &str, content: &[u8], arguments: &str) -> (String, String, Value) {
    let folder = Folder::new();
    folder.write(name, content);
    let target = if name == "headless.csv" { "last" } else { "y" };
    let found = folder.run(&format!("select {name} --target {target} --method anova --json {arguments}")).json();
    let names = |list: &Value, key: &str| {
        let mut names: Vec<String> =
            list.as_array().into_iter().flatten().map(|one| one[key].as_str().unwrap().to_owned()).collect();
        names.sort();
        names.join(" ")
    };
    (names(&found["ranking"], "feature"), names(&found["warnings"], "kind"), found)
}

#[test]
fn everyday_tables() {
    let (n, c) = (number, class);
    let index = table(",a,b,y", |row| format!("{row},{},{},{}", n(row), row % 4, c(row)));
    let trailing = table("a;b;y;", |row| format!("{};{};{};", n(row), row % 4, c(row)));
    let sep = format!("sep=;\n{}", table("a;b;y", |row| format!("{};{};{}", n(row), row % 4, c(row))));
    let comments = format!(
        "# made by a program\n# of 2024\n{}",
        table("a,b,y", |row| format!("{},{},{}", n(row), row % 4, c(row)))
    );
    let percent = comments.replace('#', "%");
    let latin = table("gr\u{f6}\u{df}e,b,y", |row| format!("{},{},{}", n(row), row % 4, c(row)));
    let cp1252: Vec<u8> = latin.chars().map(|c| c as u8).collect();
    let utf16: Vec<u8> = "\u{feff}".encode_utf16().chain(latin.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let marks = table("a;b;y", |row| format!("{}.914;0,{};{}", n(row) + 1, 30 + row % 4, c(row)));
    let mixed = table("a;b;y", |row| format!("{}.91;0,{};{}", n(row) + 1, 30 + row % 4, c(row)));
    let money = table("a,b,d,e,y", |row| {
        format!("\"${},000.50\",{} %,({}.5),\"{} 000\",{}", n(row) + 1, row % 4, row % 5, row % 6 + 1, c(row))
    });
    let iso = table("a,when,y", |row| {
        format!("{},2024-{:02}-{:02}T10:30:00Z,{}", n(row), row % 12 + 1, row % 28 + 1, c(row))
    });
    let slashes = table("a,when,y", |row| format!("{},{}/{}/2024,{}", n(row), row % 12 + 1, row % 28 + 1, c(row)));
    let open = table("a,when,y", |row| format!("{},{}/{}/2024,{}", n(row), row % 4 + 1, row % 5 + 3, c(row)));
    let times = table("a,at,y", |row| format!("{},{:02}:{:02},{}", n(row), row % 24, row, c(row)));
    let missing = table("a,b,d,y", |row| {
        let gap = |gap: &str, levels: usize| if row % 9 == 1 { gap.to_owned() } else { (row % levels).to_string() };
        format!("{},{},{},{}", n(row), gap("None", 4), gap("#N/A", 5), c(row))
    });
    let gaps = table("a,b,when,y", |row| match row {
        7 => format!("{},NaN,nan,{}", n(row), c(row)),
        _ => format!("{},{} %,2024-{:02}-{:02},{}", n(row), row % 4, row % 12 + 1, row % 28 + 1, c(row)),
    });
    let headless = table("$1,$2,0", |row| format!("${},${},{}", n(row), row % 4 + 1, row % 2));
    let sentinel =
        table("a,b,y", |row| format!("{},{},{}", n(row), if row == 5 { -999.0 } else { row as f64 % 7.0 }, c(row)));
    let genes =
        table("gene_1,gene_2,other,bad,y", |row| format!("{},{},{},x{row},{}", n(row), row % 4, row % 5, c(row)));
    for (name, content, arguments, features, warnings) in [
        ("index.csv", index.as_bytes(), "", "a b", "excluded-columns"),
        ("trailing.csv", trailing.as_bytes(), "", "a b", "delimiter-detected empty-last-column"),
        ("sep.csv", sep.as_bytes(), "", "a b", ""),
        ("comments.csv", comments.as_bytes(), "", "a b", "comments-skipped"),
        ("percent.csv", percent.as_bytes(), "--comment %", "a b", ""),
        ("latin.csv", &cp1252, "", "b größe", "decoded-as"),
        ("latin.csv", &cp1252, "--encoding latin1", "b größe", ""),
        ("utf16.csv", &utf16, "", "b größe", "decoded-as"),
        ("marks.csv", marks.as_bytes(), "", "a b", "decimal-commas delimiter-detected thousands-separated"),
        ("mixed.csv", mixed.as_bytes(), "", "a b", "decimal-marks-mixed delimiter-detected"),
        ("mixed.csv", mixed.as_bytes(), "--drop b", "a", "delimiter-detected"),
        (
            "money.csv",
            money.as_bytes(),
            "",
            "a b d e",
            "currency-removed parentheses-negative percent-read thousands-separated",
        ),
        ("iso.csv", iso.as_bytes(), "", "a when.days when.month when.weekday", ""),
        ("iso.csv", iso.as_bytes(), "--drop when", "a", ""),
        ("slashes.csv", slashes.as_bytes(), "", "a when.days when.month when.weekday", ""),
        ("open.csv", open.as_bytes(), "", "a when", "dates-ambiguous"),
        ("open.csv", open.as_bytes(), "--day-first yes", "a when.days when.month when.weekday", ""),
        ("times.csv", times.as_bytes(), "", "a at.hour", ""),
        ("missing.csv", missing.as_bytes(), "", "a b d", "missing-filled"),
        ("gaps.csv", gaps.as_bytes(), "", "a b when.days when.month when.weekday", "missing-filled percent-read"),
        ("headless.csv", headless.as_bytes(), "", "c1 c2", "columns-numbered currency-removed"),
        ("sentinel.csv", sentinel.as_bytes(), "", "a b", "sentinels"),
        ("sentinel.csv", sentinel.as_bytes(), "--na-values -999", "a b", "missing-filled"),
        ("genes.csv", genes.as_bytes(), "--drop 4", "gene_1 gene_2 other", ""),
        ("genes.csv", genes.as_bytes(), "--drop bad,2-3", "gene_1", ""),
        ("genes.csv", genes.as_bytes(), "--keep gene_*", "gene_1 gene_2", ""),
        ("genes.csv", genes.as_bytes(), "--drop gene_2:bad", "gene_1", ""),
        ("genes.csv", genes.as_bytes(), "--id bad", "gene_1 gene_2 other", "excluded-columns"),
        ("genes.csv", genes.as_bytes(), "--drop bad --categorical gene_2", "gene_1 gene_2 other", ""),
    ] {
        let (found, kinds, _) = selected(name, content, arguments);
        let kinds: Vec<&str> = kinds.split(' ').filter(|kind| !IGNORED.contains(kind)).collect();
        assert_eq!((found.as_str(), kinds.join(" ").as_str()), (features, warnings), "select {name} {arguments}");
    }
}

/// Warnings about the selection, not about reading.
const IGNORED: [&str; 4] = ["no-better-than-chance", "perfect-separation", "separate-ranges", "extreme-values"];

#[test]
fn included_columns_are_selected_trained_and_evaluated() {
    let content = table("a,b,d,y", |row| format!("{},{},{},{}", number(row), row % 4, row % 5, class(row)));
    let (_, _, found) = selected("t.csv", content.as_bytes(), "--top 2 --include d");
    assert_eq!(found["selected"], serde_json::json!(["d", "a"]));
    let folder = Folder::with(&content);
    let trained = folder.run("train t.csv --target y --method anova --top 1 --include d --model m.json --json").json();
    assert_eq!(trained["selected"], serde_json::json!(["d"]));
    folder.run("select t.csv --target y --include d --drop d").refused(&["'d' is both included and excluded"]);
    folder.run("select t.csv --target y --drop nothing_*").refused(&["there is no column 'nothing_*'"]);
}

#[test]
fn dates_reach_models_and_reduced_tables() {
    let folder = Folder::new();
    let rows = |at: usize| {
        format!("{at},2024-{:02}-{:02},{}", at % 12 + 1, at % 28 + 1, if at % 12 > 5 { "late" } else { "early" })
    };
    folder.write("t.csv", table(",when,y", rows));
    let train = "train t.csv --target y --method anova --keep when.month --no-held-out --model m.json --output s.json";
    folder.run(train).ok();
    let selection: Value = serde_json::from_str(&folder.read("s.json")).unwrap();
    assert_eq!(selection["dates"][0]["first_day"], 19_723);
    // New rows, without the index, in other forms of the same dates, and as a single row.
    for (name, content) in [
        ("new.csv", "when\n2024-02-03\n2025-11-20\n"),
        ("day.csv", "when\n03.02.2024\n20.11.2025\n"),
        ("text.csv", "other,when\n1,3 Feb 2024\n2,20 Nov 2025\n"),
    ] {
        folder.write(name, content);
        let predicted = folder.run(&format!("predict m.json {name}")).ok();
        let classes: Vec<&str> = predicted.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
        assert_eq!(classes, ["early", "late"], "{name}: {predicted}");
    }
    folder.write("bad.csv", "when\nsoon\n");
    folder.run("predict m.json bad.csv").refused(&["column 'when' is 'soon' in data row 1", "YYYY-MM-DD"]);
    assert_eq!(folder.run("apply s.json new.csv").ok(), "when\n2024-02-03\n2025-11-20\n");
    assert_contains(&folder.run("check t.csv --target y").ok(), &["when is a date column, since 2024-01-01"]);
    // Streamed rows have the same features.
    let streamed = folder.run("select t.csv --target y --stream --json").json();
    let whole = folder.run("select t.csv --target y --json").json();
    assert_eq!((&streamed["dates"], &streamed["excluded"]), (&whole["dates"], &whole["excluded"]));
    assert_eq!(streamed["data"]["features"], whole["data"]["features"]);
}
