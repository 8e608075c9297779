//! Hostile inputs of the command line: rejected in one line that names the problem and its location, or read with a warning.

use crate::common::{Folder, SMALL, assert_contains};
use serde_json::json;

#[track_caller]
fn refused(content: impl AsRef<[u8]>, parts: &[&str]) {
    let run = Folder::with(content).run("select t.csv --target t");
    run.refused(parts);
    assert_contains(&run.err, &["t.csv"]);
}

#[test]
fn shapes() {
    refused("", &["is empty"]);
    refused("a,t\n", &["header but no rows"]);
    refused("a,t\n1,x\n", &["single class, 'x'"]);
    refused("a,t\n1,x\n2,y\n", &["'t' has 2 classes with a single row each", "--target"]);
    refused("t\nx\nx\ny\ny\n", &["no feature columns besides the target 't'"]);
    let one = Folder::with("a,t\n1,x\n2,x\n3,y\n5,y\n6,y\n").run("select t.csv -t t").ok();
    assert_contains(&one, &["1 features", "selected 1 of 1 features"]);
}

#[test]
fn values() {
    refused("a,t\n1,x\n2,x\ninf,y\n4,y\n", &["'a' is inf in data row 3", "finite"]);
    refused("a,t\n1,x\n2,x\n3,y\n-1e999,y\n", &["'a' is -inf in data row 4"]);
    refused("a,t\n1,\n2,?\n", &["target 't' has no value at all", "--target"]);
    refused("a,b,t\n1,2,x\n1,2,x\n1,2,y\n1,2,y\n", &["nothing varies"]);
    let strict =
        |table: &str, parts: &[&str]| Folder::with(table).run("select t.csv -t t --missing error").refused(parts);
    strict("a,t\n1,x\n,x\n3,y\n4,y\n", &["'a' is missing in data row 2", "1 missing values in 1 columns"]);
    strict("a,t\n1,x\n2,\n3,y\n4,y\n", &["target 't' is missing in data row 2", "--missing fill"]);
    strict("a,b,t\n1,,x\n1,,x\n2,,y\n1,,y\n", &["'b' has no value at all", "--drop 'b'"]);
}

#[test]
fn gaps_are_filled_or_left_out_with_a_warning() {
    let folder = Folder::with("a,b,k,t\n1,,u,x\n,,u,x\n2,,,y\n1,,,y\n5,,u,\n3,,u,z\n");
    let run = folder.run("select t.csv -t t -m anova");
    assert_eq!(run.code, 0, "{}", run.err);
    assert_contains(&run.out, &["4 rows, 2 features, 2 classes of t", "excluded: b (column without values)"]);
    let parts = [
        "left out 1 of 6 rows in which target 't' is missing; --missing error rejects them",
        "left out classes with a single row: z",
        "3 missing values in 2 columns were filled in",
    ];
    assert_contains(&run.err, &parts);
}

#[test]
fn extreme_values_never_become_infinite() {
    let mut table = String::from("huge,tiny,offset,t\n");
    for row in 0..20 {
        let huge = ["-1e308", "1e308", "0", "1.7e308"][row % 4];
        table += &format!("{huge},{}e-308,{},{}\n", row % 7, 1e9 + row as f64 * 1e-6, row % 2);
    }
    let folder = Folder::with(table);
    for method in ["ldr-tsk", "anova", "variance"] {
        let record = folder.run(&format!("select t.csv -t t --json -m {method}")).json();
        let scores: Vec<f64> =
            record["ranking"].as_array().unwrap().iter().map(|ranked| ranked["score"].as_f64().unwrap()).collect();
        assert!(scores.len() == 3 && scores.iter().all(|score| score.is_finite() && *score >= 0.0), "{scores:?}");
    }
}

#[test]
fn odd_columns_work_with_a_warning() {
    let mut table = String::from("id,const,leak,dup_a,dup_b,spoilt,t\n");
    for row in 0..24 {
        let (noise, class) = (f64::from(row * 7 % 11) + 0.25, row % 2);
        let spoilt = if row == 5 { 1e12 } else { noise * 1.5 + f64::from(row) };
        table += &format!("{row},3,{class},{noise},{noise},{spoilt},{class}\n");
    }
    let folder = Folder::with(table);
    let excluded = folder.run("select t.csv -t t -m anova --json").json();
    assert_eq!(excluded["ranking"].as_array().map(Vec::len), Some(4));
    let reasons = [("id", "row-number"), ("leak", "copy-of-target")];
    let reasons = reasons.map(|(feature, reason)| json!({"feature": feature, "reason": reason}));
    assert_eq!(excluded["excluded"], json!(reasons));
    let text = folder.run("select t.csv -t t -m anova").ok();
    assert_contains(&text, &["excluded: id (row number), leak (copy of the target); include with --keep-suspicious"]);
    let one = folder.run("select t.csv -t t -m anova --json --keep-suspicious=leak").json();
    assert_eq!((&one["excluded"][0]["feature"], one["excluded"].as_array().map(Vec::len)), (&json!("id"), Some(1)));

    let record = folder.run("select t.csv -t t -m anova --json --keep-suspicious").json();
    let warnings = record["warnings"].to_string();
    assert_contains(&warnings, &["possible leak: leak is a copy of the target 't'", "looks like a row number: id"]);
    assert_contains(
        &warnings,
        &["ranked last: const", "scored alike: dup_a, dup_b", "flatten the scaled column: spoilt"],
    );
    let first = &record["ranking"][0];
    let last = &record["ranking"][5];
    assert_eq!((&first["feature"], &last["feature"], &last["score"]), (&"leak".into(), &"const".into(), &0.0.into()));
}

#[test]
fn targets() {
    refused("a,t\n1,x\n2,x\n3,x\n", &["single class, 'x'"]);
    let mut measured = String::from("a,t\n");
    (0..60).for_each(|row| measured += &format!("{},{}\n", row % 7, f64::from(row) * 0.37));
    let folder = Folder::with(&measured);
    folder.refuses(
        "select t.csv -t t --task classification",
        &["looks like a regression target", "60 different values in 60 rows", "--bins 2"],
    );
    let run = folder.run("select t.csv -t t -m variance");
    let task =
        "task: regression (target 't' has numbers that are not whole); --task classification reads them as classes";
    assert_contains(&run.err, &[task]);
    assert!(run.out.contains("numeric target t"), "{}", run.out);
    refused("a,t,t\n1,x,y\n", &["column name 't' appears twice", "columns 2 and 3"]);
    let folder = Folder::with(SMALL);
    folder.run("select t.csv").refused(&["t.csv", "there is no target", "--target", "noise, good"]);
    folder.run("select t.csv -t wek").refused(&["no column 'wek'", "did you mean 'weak'?"]);
    folder.run("select t.csv -t 6").refused(&["column number 6", "5 columns"]);
    folder.run("select t.csv -t t --categorical q").refused(&["no column 'q'"]);
    folder.run("select t.csv -t t --drop t").refused(&["'t' is the target"]);
}

#[test]
fn labels_of_every_kind_give_the_same_scores() {
    let ranking = |x: &str, y: &str| {
        let table = SMALL.replace(",x\n", &format!(",{x}\n")).replace(",y\n", &format!(",{y}\n"));
        let record = Folder::with(table).run("select t.csv -t t -m anova --json").json();
        assert_eq!(record["data"]["classes"], 2);
        record["ranking"].clone()
    };
    let expected = ranking("x", "y");
    for (x, y) in [("true", "false"), ("1.0", "2.0"), ("-1", "900"), ("NA", "日本"), ("a b ", "c")] {
        assert_eq!(ranking(x, y), expected, "{x} and {y}");
    }
}

#[test]
fn files() {
    refused(b"\xc3\xa4,t\n1,\xe9\n", &["line 2", "byte 7", "UTF-8"]);
    refused(b"a\0b,t\n1,2\n", &["NUL byte", "byte 1"]);
    refused(b"\x89PNG\r\n\x1a\n", &["PNG image"]);
    refused("a,t\n1,\"x\n", &["line 2", "is not closed"]);
    refused("a,b,t\n1,2\n", &["line 2", "2 cells", "3"]);
    refused(format!("{},t\n1,2\n", "n".repeat(1_000_000)), &["column 1", "1000000 bytes", "shorten"]);
    let folder = Folder::with(SMALL);
    folder.run("select none.csv -t t").refused(&["cannot read none.csv: No such file"]);
    let twice = folder.run("select none.csv -t t").err;
    assert_eq!(twice.matches("No such file").count(), 1, "{twice}");
    folder.run("select . -t t").refused(&["is a directory", "name a file in it"]);
    folder.run("select /dev/zero -t t").refused(&["/dev/zero", "the format is unknown"]);
    folder.run("select - -t t").refused(&["standard input is empty"]);
    folder.run("select t.csv -t t --max-rows 5").refused(&["more than the limit of 5", "--max-rows"]);
    folder.run("select t.csv -t t --max-columns 4").refused(&["5 columns", "limit of 4", "--max-columns"]);
    folder.run("select t.csv -t t --max-bytes 10").refused(&["limit of 10", "--max-bytes"]);
    folder.run("select t.csv -t t --input-format docx").refused(&["unknown format 'docx'", "csv, tsv, json"]);
    folder.run("select t.csv -t t --delimiter ab").refused(&["--delimiter 'ab'", "one character"]);
}

#[test]
fn names_and_labels_cannot_break_the_message() {
    let run = Folder::with("\"a\nb\u{1b}[31m\",t\n1,x\n2,x\ninf,y\n3,y\n").run("select t.csv -t t");
    run.refused(&["'a\\nb\\u{1b}[31m' is inf in data row 3"]);
    let long = "l".repeat(100_000);
    let single = Folder::with(format!("a,t\n1,x\n2,x\n3,{long}\n4,y\n5,y\n")).run("select t.csv -t t -m variance");
    assert_contains(&single.err, &["classes with a single row: lll", "lll...\n"]);
    Folder::with(format!("a,t\n1,{long}\n2,{long}\n")).run("select t.csv -t t").refused(&["single class, 'lll"]);
    let wide: Vec<String> = (0..300).map(|at| format!("column_number_{at:04}")).collect();
    let row = vec!["1"; 300].join(",");
    let run = Folder::with(format!("{}\n{row}\n", wide.join(","))).run("select t.csv -t zzz");
    run.refused(&["no column 'zzz'", "and 288 more"]);
}

#[test]
fn the_environment_has_no_influence() {
    let folder = Folder::with(SMALL);
    let mut command = folder.command("select t.csv -t t -m anova");
    let plain = crate::common::Run::new(command.output().unwrap()).out;
    command.env_clear().env("LC_ALL", "de_DE.UTF-8").env("NO_COLOR", "1").env("COLUMNS", "0").env("TERM", "dumb");
    assert_eq!(crate::common::Run::new(command.output().unwrap()).ok(), plain);
}
