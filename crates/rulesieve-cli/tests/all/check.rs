//! `check`: the profile of a table, its data problems, and whether `select` would accept it.

use crate::common::{Folder, SMALL, assert_contains, twice};
use serde_json::json;

#[test]
fn a_table_is_profiled() {
    let text = Folder::with(SMALL).run("check t.csv --target t").ok();
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(text.lines().next(), Some("t.csv: 12 rows, 5 columns"));
    assert_contains(&text, &["target t: 2 classes"]);
    for expected in [vec!["x", "6"], vec!["y", "6"], vec!["column", "kind", "missing", "values"]] {
        assert!(lines.contains(&expected), "{text}");
    }
    assert!(lines.contains(&vec!["good", "numeric", "0", "1.10000", "to", "9.90000"]), "{text}");
    assert!(lines.contains(&vec!["kind", "categorical", "0", "u,", "v,", "w"]), "{text}");
    let repeated = Folder::with(twice(SMALL));
    let text = repeated.run("check t.csv --target t").ok();
    assert_contains(&text, &["warnings:", "possible leak: each class has its own range of good"]);
}

#[test]
fn a_rejected_table_is_still_profiled() {
    let run = Folder::with("a,b,t\n1,u,x\n2,,x\ninf,v,y\n4,v,z\n").run("check t.csv -t t");
    assert_eq!(run.code, 1);
    let lines: Vec<Vec<&str>> = run.out.lines().map(|line| line.split_whitespace().collect()).collect();
    for expected in [vec!["x", "2"], vec!["z", "1"], vec!["a", "numeric", "0"], vec!["b", "text", "1"]] {
        assert!(lines.contains(&expected), "{}", run.out);
    }
}

#[test]
fn as_json() {
    let mut table = String::from("id,copy,k,a,b,c,t\n");
    for row in 0..24 {
        let (class, noise) = (row % 2, f64::from(row * 7 % 11) + 0.5);
        table += &format!("{row},{},5,{noise},{noise},{},{class}\n", class * 3, if row == 3 { "" } else { "2.5" });
    }
    let folder = Folder::with(table.replacen(",2.5,", ",1.5,", 1));
    let run = folder.run("check t.csv -t t --json --missing error");
    assert_eq!(run.code, 1, "a missing value");
    let found: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&found["schema"], &found["rows"]), (&json!("rulesieve/check/1"), &json!(24)));
    assert_eq!(found["columns"][0], json!({"name": "id", "kind": "numeric", "missing": 0}));
    assert_eq!(found["target"]["classes"], json!([{"class": "0", "rows": 12}, {"class": "1", "rows": 12}]));
    assert_eq!(found["labels"], json!({"0": 12, "1": 12}));
    assert_eq!(found["usable"], false);
    assert_contains(found["refusal"].as_str().unwrap(), &["'c'", "row 4"]);
    assert_eq!(
        found["suspicious"],
        json!({"constant": ["k"], "duplicates": [["a", "b"]], "identifiers": [], "row_numbers": [],
               "named_like_identifiers": [], "copies_of_target": [], "perfect_separators": [], "outliers": [],
               "mostly_numbers": []})
    );
    let excluded = json!([{"feature": "copy", "reason": "copy-of-target"}, {"feature": "id", "reason": "row-number"}]);
    assert_eq!(found["excluded"], excluded);
    let kept: serde_json::Value =
        serde_json::from_str(&folder.run("check t.csv -t t --json --missing error --keep-suspicious").out).unwrap();
    assert_eq!(kept["excluded"], json!([]));
    assert_eq!(kept["suspicious"]["row_numbers"], json!(["id"]));
    let c = found["features"].as_array().unwrap().iter().find(|feature| feature["name"] == "c").unwrap();
    assert_eq!(*c, json!({"name": "c", "kind": "numeric", "missing": 1, "min": 1.5, "max": 2.5}));
    let filled = folder.run("check t.csv -t t --json").json();
    assert_eq!((&filled["usable"], &filled["refusal"]), (&json!(true), &json!(null)));
}

#[test]
fn tables_that_select_would_reject_exit_with_1() {
    let refused = |table: &str, options: &str, parts: &[&str]| {
        let folder = Folder::with(table);
        let run = folder.run(&format!("check t.csv {options}"));
        assert_eq!(run.code, 1, "{}{}", run.out, run.err);
        assert_contains(&run.out, &["select would reject this table: "]);
        assert_contains(&run.out, parts);
        let select = folder.run(&format!("select t.csv {options}"));
        select.refused(parts);
    };
    refused(SMALL, "", &["there is no target", "noise, good, kind, weak, t"]);
    refused(SMALL, "-t goood", &["no column 'goood'", "did you mean 'good'?"]);
    refused("a,t\n1,x\n2,x\n", "-t t", &["single class, 'x'"]);
    refused("a,t\n1,x\n1,x\n1,y\n1,y\n", "-t t", &["nothing varies"]);
}

#[test]
fn unreadable_tables_exit_with_2() {
    let folder = Folder::with("a,b\n1\n");
    folder.run("check t.csv -t b").refused(&["t.csv, line 2"]);
    folder.run("check none.csv -t b").refused(&["cannot read none.csv: No such file"]);
}

#[test]
fn long_lists_are_truncated_and_control_characters_escaped() {
    let folder = Folder::with(SMALL.replacen("good", "go\u{1b}[2Jod", 1));
    let text = folder.run("check t.csv -t t").ok();
    assert!(text.contains("go\\u{1b}[2Jod") && !text.contains('\u{1b}'), "{text}");
    let cut = folder.run("check builtin:waveform").ok();
    assert_contains(&cut, &["5000 rows, 41 columns", "... and 11 more (--all shows them)"]);
    assert!(!folder.run("check builtin:waveform --all").ok().contains("more (--all"));
}

#[test]
fn a_text_among_numbers_is_reported_by_check_and_select() {
    let row = |at: u32| {
        format!(
            "{},{},{}\n",
            if at == 7 { "unknown".into() } else { f64::from(at * 37 % 30).to_string() },
            at * 7 % 11,
            at % 2
        )
    };
    let folder = Folder::with(String::from("age,x,t\n") + &(0..30).map(row).collect::<String>());
    let parts = ["read as categories because of texts among the numbers (such as 'unknown' in 'age')", "--categorical"];
    assert_contains(&folder.run("check t.csv -t t").out, &parts);
    assert_contains(&folder.run("select t.csv -t t --method anova").err, &parts);
    let stream = folder.run("select t.csv -t t --stream --top 1");
    assert_contains(&stream.err, &parts);
    let declared = folder.run("select t.csv -t t --method anova --categorical age");
    assert!(declared.code == 0 && !declared.err.contains("texts among"), "{}", declared.err);
}

#[test]
fn columns_are_in_file_order_after_those_with_problems() {
    let mut table = String::from("zeta,row,beta,flat,alpha,t\n");
    for row in 0..24 {
        let noise = f64::from(row * 7 % 11) + 0.5;
        table += &format!("{noise},{row},{},3,{},{}\n", row * 5 % 9, row * 3 % 13, row % 2);
    }
    let folder = Folder::with(table);
    let csv = folder.run("check t.csv -t t --format csv").ok();
    assert_eq!(
        csv,
        "column,kind,missing,min,max,categories,problem\n\
         row,numeric,0,,,,row number\n\
         flat,numeric,0,3,3,,constant\n\
         zeta,numeric,0,0.5,10.5,,\n\
         beta,numeric,0,0,8,,\n\
         alpha,numeric,0,0,12,,\n\
         t,target,0,,,,\n"
    );
    let text = folder.run("check t.csv -t t").ok();
    assert!(text.find("row number") < text.find("zeta"), "{text}");
    assert_contains(&text, &["target t: 2 classes", "excluded: row (row number); include with --keep-suspicious"]);
}

#[test]
fn rare_classes_are_one_warning() {
    let label = |row: u32| if row < 6 { format!("rare{row}") } else { ["x", "y"][row as usize % 2].to_owned() };
    let rows = (0..1200).map(|row| format!("{},{}\n", row * 7 % 11, label(row / 2)));
    let text = Folder::with(String::from("a,t\n") + &rows.collect::<String>()).run("check t.csv -t t").ok();
    assert_contains(&text, &["6 classes have less than 1 % of the 1200 rows: rare0 (2), rare1 (2)"]);
    assert_eq!(text.matches("less than 1 %").count(), 1, "{text}");
}
