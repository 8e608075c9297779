//! Formats of printed results, names, and quiet runs.

use crate::common::{Folder, SMALL, assert_contains};
use serde_json::Value;

/// Every command that prints a table, the first line of its CSV, and a line of its Markdown.
const TABLES: [(&str, &str, &str); 10] = [
    ("select t.csv -t t -m anova", "rank,feature,score,selected,used", "| rank | feature | score |  |"),
    ("select t.csv -t t -m sieve", "rank,feature,score,p_value,selected,used", "| rank | feature | score | p-value |"),
    ("check t.csv -t t", "column,kind,missing,min,max,categories,problem", "| column | kind | missing | values |"),
    ("methods", "name,title,certainty,summary,tasks,source,cost,parameters", "| name | title | certainty |"),
    ("methods sieve", "parameter,default,allowed,purpose", "| parameter | default | allowed | purpose |"),
    ("generate", "name,rows,features,description", "| name | rows | features | description |"),
    (
        "compare c.csv",
        "method,average_rank,difference,better,equal,worse,wilcoxon_p,holm_p",
        "| method | average rank |",
    ),
    ("explain m.json", "rule,weight,coverage,if,then", "| rule | weight | coverage | if | then |"),
    ("explain m.json --row 3 t.csv", "feature,value,typical,contribution", "| feature | value | typical |"),
    (
        "evaluate t.csv -t t --methods anova --points 1 --costs 1 --folds 2 --top 1",
        "method,accuracy,accuracy_std,macro_f1,macro_f1_std",
        "| method | accuracy | macro-F1 |",
    ),
];

fn folder() -> Folder {
    let folder = Folder::with(SMALL);
    folder.write("c.csv", "data,a,b\nx,0.9,0.8\ny,0.8,0.7\nz,0.7,0.75\n");
    folder.run("train t.csv -t t -m anova --top 2 --model m.json --rule-param steps=9 --no-held-out").ok();
    folder
}

#[test]
fn every_table_is_printed_in_every_format() {
    let folder = folder();
    for (line, csv, markdown) in TABLES {
        let printed = folder.run(&format!("{line} --format csv")).ok();
        assert!(printed.starts_with(csv), "{line}: {printed}");
        let fields: Vec<usize> = printed.lines().map(|line| unquoted(line).split(',').count()).collect();
        assert!(fields.len() > 1 && fields.iter().all(|count| *count == fields[0]), "{line}: {printed}");
        let printed = folder.run(&format!("{line} --format markdown")).ok();
        assert!(printed.lines().any(|line| line.starts_with(markdown)), "{line}: {printed}");
        let long: Value = folder.run(&format!("{line} --format json")).json();
        let short: Value = folder.run(&format!("{line} --json")).json();
        let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(keys(&long), keys(&short), "{line}");
        let text = folder.run(&format!("{line} --format text --quiet"));
        assert_eq!((text.code, text.err.as_str()), (0, ""), "{line}");
        assert!(!text.out.contains("| ") && !text.out.is_empty(), "{line}: {}", text.out);
        folder.run(&format!("{line} --json --format csv")).misused(&["--json", "--format"]);
    }
}

/// The line with quoted fields replaced by Q.
fn unquoted(line: &str) -> String {
    line.split('"').enumerate().map(|(at, part)| if at % 2 == 0 { part } else { "Q" }).collect()
}

#[test]
fn csv_has_all_rows_in_full_precision() {
    let folder = Folder::new();
    let csv = folder.run("select builtin:waveform -m anova --format csv --quiet").ok();
    assert_eq!(csv.lines().count(), 41, "all features, although text has 30");
    let record = folder.run("select builtin:waveform -m anova --json").json();
    let best = &record["ranking"][0];
    let first = format!("1,{},{},true,true", best["feature"].as_str().unwrap(), best["score"]);
    assert_eq!(csv.lines().nth(1), Some(first.as_str()));
}

#[test]
fn names_are_printed_alone() {
    let folder = Folder::with(SMALL);
    let run = folder.run("select t.csv -t t -m anova --top 2 --names");
    assert_eq!((run.code, run.out.as_str()), (0, "good\nweak\n"));
    assert_contains(&run.err, &["fitted in "]);
    let train = "train t.csv -t t -m anova --top 2 --model m.json --rule-param steps=9 --no-held-out";
    assert_eq!(folder.run(&format!("{train} --names")).ok(), "good\nweak\n");
    folder.run("select t.csv -t t --names --json").misused(&["--names", "--json"]);
    let lines = Folder::with(SMALL.replacen("good", "\"go\nod\"", 1));
    lines.run("select t.csv -t t -m anova --top 1 --names").refused(&["'go\\nod' has several lines", "--json"]);
}

#[test]
fn quiet_runs_print_results_and_errors_only() {
    let folder = folder();
    let lines = [
        "select t.csv -t t -m anova --top 99 --output s.json",
        "apply s.json t.csv --output r.csv",
        "predict m.json t.csv",
        "generate xor --output x.csv",
        "train t.csv -t t -m anova --top 2 --model n.json --rule-param steps=9",
    ];
    for line in lines {
        assert_ne!(folder.run(line).err, "", "{line} has something to say");
        for quiet in [format!("{line} --quiet"), format!("-q {line}")] {
            let run = folder.run(&quiet);
            assert_eq!((run.code, run.err.as_str()), (0, ""), "{quiet}");
        }
    }
    folder.run("select none.csv -t t -q").refused(&["cannot read none.csv"]);
    let scores = folder.run("predict m.json t.csv --evaluate -q");
    assert_contains(&scores.err, &["accuracy"]);
}

#[test]
fn scores_of_predictions_follow_the_format() {
    let folder = folder();
    let json = folder.run("predict m.json t.csv --evaluate --json --output p.csv").json();
    assert_eq!(json["rows"], 12);
    assert!(folder.read("p.csv").starts_with("predicted,probability_x"), "the ending decides about the file");
    let csv = folder.run("predict m.json t.csv --evaluate --format csv --output p.csv").ok();
    assert!(csv.starts_with("score,value\nrows,12\naccuracy,"), "{csv}");
    assert_eq!(folder.run("predict m.json t.csv --json").json().as_array().unwrap().len(), 12);
    let rows = folder.run("predict m.json t.csv --format jsonl").ok();
    assert_eq!(rows.lines().filter(|line| line.starts_with('{') && line.ends_with('}')).count(), 12);
}
