//! `train`, `predict` and `explain`.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking as tests do")]

use crate::common::{Folder, SMALL, assert_contains, twice};
use serde_json::Value;

/// A folder with a table and a small model of it.
fn trained(options: &str) -> Folder {
    let folder = Folder::with(twice(SMALL));
    folder.run(&format!("train t.csv -t t -m anova --top 2 --model m.json --rule-param steps=60 {options}")).ok();
    folder
}

#[test]
fn training_prints_the_selection_and_the_scores() {
    let folder = Folder::with(twice(SMALL));
    let run = folder.run("train t.csv -t t -m anova --top 2 --model m.json --rule-param steps=60 --output s.json");
    assert_contains(
        &run.out,
        &[
            "anova on t.csv",
            "good",
            "selected 2 of 4 features",
            "rules on these features",
            "training rows",
            "held-out rows",
            "constant prediction",
        ],
    );
    assert_contains(
        &run.err,
        &["warning: possible leak", "selected in", "model written to m.json", "selection written to s.json"],
    );
    assert_eq!((run.code, folder.files()), (0, ["m.json", "s.json", "t.csv"].map(str::to_owned).to_vec()));
    let model: Value = serde_json::from_str(&folder.read("m.json")).unwrap();
    assert_eq!((&model["schema"], &model["task"]), (&"rulesieve/model/1".into(), &"classification".into()));
    assert_eq!(model["features"], serde_json::json!(["good", "weak"]));
    folder.run("apply s.json t.csv").ok();
    let summary = folder.run("train t.csv -t t -m anova --top 2 --model m2.json --rule-param steps=60 --json").json();
    assert_eq!((&summary["schema"], &summary["selected"]), (&"rulesieve/training/1".into(), &model["features"]));
    assert!(summary["training"]["validation_loss"].as_f64().unwrap() > 0.0);
    assert_eq!(summary["held_out"], model["training"]["held_out"]);
    let skipped =
        folder.run("train t.csv -t t -m anova --top 2 --model m2.json --rule-param steps=60 --no-held-out --json");
    assert!(skipped.json()["held_out"].is_null());
}

/// A table of random numbers with alternating labels, or with labels by the sign of the first column.
fn random_table(rows: usize, columns: usize, signal: bool) -> String {
    let mut state = 1_u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / f64::from(1 << 24) - 0.5
    };
    let mut text = (0..columns).map(|at| format!("x{at},")).collect::<String>() + "t\n";
    for row in 0..rows {
        let cells: Vec<f64> = (0..columns).map(|_| draw()).collect();
        let label = if signal { cells[0] > 0.0 } else { row % 2 == 0 };
        text += &cells.iter().map(|cell| format!("{cell},")).collect::<String>();
        text += if label { "yes\n" } else { "no\n" };
    }
    text
}

#[test]
fn noise_is_reported_as_no_better_than_chance_and_signal_is_not() {
    let line = "train t.csv -t t -m anova --top 20 --model m.json --rule-param steps=100 --rule-param rules=4 --rule-param starts=2";
    let folder = Folder::with(random_table(100, 200, false));
    let run = folder.run(line);
    assert_contains(&run.out, &["held-out rows         100", "constant prediction   100    50.0 %"]);
    assert_contains(&run.err, &["warning: no better than chance on 100 held-out rows (accuracy "]);
    let summary = folder.run(&format!("{line} --json")).json();
    let found = |name: &str| summary["held_out"][name].as_f64().unwrap();
    assert!((found("accuracy") - found("chance_accuracy")).abs() <= 2.0 * (0.25_f64 / 100.0).sqrt(), "{summary}");
    assert!(found("rows") == 100.0 && found("loss") > 0.0 && found("chance_loss") > 0.6);
    assert_contains(&summary["warnings"].to_string(), &["no better than chance"]);

    let folder = Folder::with(random_table(100, 20, true));
    let summary = folder.run(&line.replace("--top 20", "--top 1 --json")).json();
    assert!(summary["held_out"]["accuracy"].as_f64().unwrap() > 0.85, "{summary}");
    assert!(!summary["warnings"].to_string().contains("no better than chance"), "{summary}");
}

#[test]
fn training_rejects_arguments_before_it_starts() {
    let folder = Folder::with(SMALL);
    folder.run("train t.csv -t t --model none/m.json").refused(&["none/m.json", "there is no folder"]);
    // An unwritable folder is detected before any work.
    if std::path::Path::new("/sys/kernel").is_dir() {
        let run = folder.run("train t.csv -t t --model /sys/kernel/m.json");
        run.refused(&["cannot write /sys/kernel/m.json: no file can be created in /sys/kernel (permission denied)"]);
        assert!(!run.err.contains(".tmp"), "{}", run.err);
    }
    folder.run("train t.csv -t t --model t.csv").refused(&["t.csv", "the input itself"]);
    folder.run("train t.csv -t t --model m.json -o m.json").refused(&["m.json", "two files"]);
    folder.run("train t.csv -t t --model m.json --rule-param rules").refused(&["--rule-param", "name=value"]);
    folder.run("train t.csv -t t --model m.json --rule-param rule=3").refused(&["rule training", "'rule'", "rules"]);
    folder.run("train t.csv -t t --model m.json --rule-param rules=0").refused(&["rules", "from 1 to 512"]);
    folder.run("train t.csv -t t").misused(&["required"]);
    assert_eq!(folder.files(), ["t.csv"]);
}

#[test]
fn the_same_seed_gives_the_same_model() {
    let folder = trained("--seed 4");
    let first = folder.read("m.json");
    let line = "train t.csv -t t -m anova --top 2 --model m.json --rule-param steps=60 --seed 4 --threads 1";
    folder.run(line).ok();
    let without_time = |text: &str| text.lines().filter(|line| !line.contains("\"seconds\"")).collect::<String>();
    assert_eq!(without_time(&first), without_time(&folder.read("m.json")));
}

#[test]
fn columns_are_matched_by_name_and_predictions_have_probabilities() {
    let folder = trained("");
    folder.write("n.csv", "weak,more,good\n1.0,a,1.5\n5.0,b,9.0\n");
    let run = folder.run("predict m.json n.csv");
    let lines: Vec<Vec<&str>> = run.out.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines[0], ["predicted", "probability_x", "probability_y"]);
    assert_eq!((lines[1][0], lines[2][0], lines.len()), ("x", "y", 3));
    let sum: f64 = lines[1][1..].iter().map(|cell| cell.parse::<f64>().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-12);
    assert_contains(&run.err, &["warning: columns the model does not use: more", "wrote 2 predictions"]);
    folder.run("predict m.json n.csv --output p.csv").ok();
    assert_eq!(folder.read("p.csv"), run.out);
    let json: Value = folder.run("predict m.json n.csv --format json").json();
    assert_eq!((&json[0]["predicted"], &json[1]["predicted"]), (&"x".into(), &"y".into()));
    folder.run("predict m.json n.csv --output p.jsonl").ok();
    let first: Value = serde_json::from_str(folder.read("p.jsonl").lines().next().unwrap()).unwrap();
    assert_eq!(first, json[0]);
}

#[test]
fn long_files_are_predicted_in_chunks_with_equal_results() {
    let folder = trained("");
    let row = |at: usize| format!("{},{}\n", at % 11, at % 7);
    let rows: Vec<String> = (0..20_000).map(row).collect();
    folder.write("long.csv", format!("good,weak\n{}", rows.concat()));
    let long = folder.run("predict m.json long.csv").ok();
    assert_eq!(long.lines().count(), 20_001);
    folder.write("end.csv", format!("good,weak\n{}", rows[19_990..].concat()));
    let end = folder.run("predict m.json end.csv").ok();
    let last = |text: &str| text.lines().rev().take(10).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(last(&end), last(&long));
    let json: Value = folder.run("predict m.json long.csv --format json --threads 1").json();
    assert_eq!(json.as_array().unwrap().len(), 20_000);
}

#[test]
fn incompatible_tables_are_rejected_and_no_file_is_written() {
    let folder = trained("--missing error");
    folder.write("lost.csv", "goood,x\n1,2\n");
    folder.run("predict m.json lost.csv -o p.csv").refused(&["lost.csv", "'good', 'weak'", "did you mean 'goood'"]);
    folder.write("gap.csv", "good,weak\n1,2\n,3\n");
    folder.run("predict m.json gap.csv -o p.csv").refused(&["gap.csv", "'good'", "data row 2", "--missing fill"]);
    folder.write("text.csv", "good,weak\n1,2\ntall,3\n");
    folder.run("predict m.json text.csv -o p.csv").refused(&["text.csv", "good", "tall"]);
    folder.run("predict m.json t.csv -o m.json").refused(&["m.json", "the model itself"]);
    assert!(!folder.files().iter().any(|name| name.starts_with("p.csv") || name.starts_with('.')));
}

#[test]
fn the_evaluation_is_not_mixed_with_the_predictions() {
    let folder = trained("");
    let run = folder.run("predict m.json t.csv --evaluate -o p.csv");
    assert_contains(&run.out, &["accuracy", "balanced accuracy", "macro-F1", "log-loss", "predicted in columns"]);
    let json = folder.run("predict m.json t.csv --evaluate --json -o p.csv").json();
    assert_eq!((&json["rows"], &json["class_names"]), (&24.into(), &serde_json::json!(["x", "y"])));
    assert_eq!(json["accuracy"], 1.0);
    let run = folder.run("predict m.json t.csv --evaluate");
    assert!(run.out.starts_with("predicted,") && !run.out.contains("accuracy"));
    assert_contains(&run.err, &["accuracy", "log-loss"]);
    folder.write("n.csv", "good,weak\n1,2\n");
    folder.run("predict m.json n.csv --evaluate -o q.csv").refused(&["--evaluate", "'t'"]);
}

#[test]
fn damaged_models_are_refused() {
    let folder = trained("");
    let text = folder.read("m.json");
    let with = |content: String, parts: &[&str]| {
        folder.write("bad.json", content);
        folder.run("predict bad.json t.csv").refused(parts);
        folder.run("explain bad.json").refused(parts);
    };
    with(text[..text.len() / 2].to_owned(), &["bad.json", "line"]);
    with(text[..text.len() - 3].to_owned(), &["bad.json", "EOF", "line"]);
    with(String::new(), &["bad.json", "EOF"]);
    with(text.replacen("model/1", "model/9", 1), &["'rulesieve/model/9'", "'rulesieve/model/1'"]);
    with(text.replacen("\"good\"", "\"weak\"", 1), &["damaged", "'weak' twice"]);
    with(text.replacen("\"factors\": [", "\"factors\": [null, ", 1), &["bad.json", "null"]);
    with(text.replacen("\"factors\": [", "\"factors\": [1e999, ", 1), &["bad.json", "out of range"]);
    with(text.replacen("\"factors\": [", "\"factors\": [1.0, ", 1), &["damaged", "preprocessing.factors", "3 entries"]);
    folder.run("select t.csv -t t -m anova --output s.json").ok();
    folder.run("predict s.json t.csv").refused(&["'rulesieve/selection/1'", "'rulesieve/model/1'"]);
    folder.run("predict none.json t.csv").refused(&["none.json", "No such file"]);
}

#[test]
fn rules_and_rows_are_explained() {
    let folder = trained("--rule-param rules=2 --rule-param order=zero");
    let text = folder.run("explain m.json").ok();
    assert_contains(&text, &["2 rules for t on 2 features", "IF ", "THEN ", "weight", "fires most in"]);
    assert_contains(&folder.run("explain m.json --top 1").ok(), &["... and 1 weaker rules"]);
    let json = folder.run("explain m.json --json").json();
    let rules = json["explanation"]["rules"].as_array().unwrap();
    assert!(rules[0]["weight"].as_f64() >= rules[1]["weight"].as_f64());
    let row = folder.run("explain m.json --row 7 t.csv").ok();
    assert_contains(&row, &["data row 7: t is y", "feature", "contribution", "fires at"]);
    let json = folder.run("explain m.json --row 1 t.csv --json").json();
    assert_eq!((&json["explanation"]["row"], &json["explanation"]["predicted"]), (&1.into(), &"x".into()));
    folder.run("explain m.json --row 25 t.csv").refused(&["no data row 25", "it has 24"]);
    folder.run("explain m.json --row 0 t.csv").refused(&["counted from 1"]);
    folder.run("explain m.json --row 1").misused(&["required"]);
}

#[test]
fn categories_and_missing_values_follow_the_policy() {
    let folder = Folder::new();
    folder
        .run("train builtin:penguins --missing median --fraction 1 -m anova --model m.json --rule-param steps=60")
        .ok();
    let header = "species,island,bill_length_mm,bill_depth_mm,flipper_length_mm,body_mass_g,sex,year\n";
    folder.write(
        "n.csv",
        format!("{header}Adelie,Mars,39.1,18.7,181,3750,male,2007\nGentoo,Biscoe,,14,220,5000,,2008\n"),
    );
    let run = folder.run("predict m.json n.csv");
    assert_eq!((run.code, run.out.lines().count()), (0, 3));
    assert_contains(
        &run.err,
        &["'Mars' in column 'island'", "filled in like missing values", "2 missing values were filled in"],
    );
    folder
        .run("train builtin:penguins --missing drop-rows --fraction 1 -m anova --model d.json --rule-param steps=60")
        .ok();
    let run = folder.run("predict d.json n.csv");
    assert_eq!(run.out.lines().nth(1), Some(",,,"));
    assert_contains(&run.err, &["2 incomplete rows have no prediction"]);
}

/// The firing strengths of the paper's rules are free, so their conditions are recovered after the fit.
#[test]
fn the_rules_of_the_papers_method_are_recovered_and_labelled_approximate() {
    let folder = Folder::new();
    folder.run("train builtin:penguins --missing median -m ldr-tsk --top 4 --model m.json --output s.json").ok();
    let record: serde_json::Value = serde_json::from_str(&folder.read("s.json")).unwrap();
    let rules = record["rules"]["rules"].as_array().unwrap();
    assert_eq!((rules.len(), &record["rules"]["approximate"]), (5, &true.into()));
    let weights: f64 = rules.iter().map(|rule| rule["weight"].as_f64().unwrap()).sum();
    assert!((weights - 1.0).abs() < 1e-9);
    for rule in rules {
        let shares: f64 = rule["class_shares"].as_array().unwrap().iter().filter_map(|share| share.as_f64()).sum();
        assert!((shares - 1.0).abs() < 1e-9);
        let features: Vec<&str> =
            rule["conditions"].as_array().unwrap().iter().filter_map(|one| one["feature"].as_str()).collect();
        let selected: Vec<&str> = record["selected"].as_array().unwrap().iter().filter_map(|s| s.as_str()).collect();
        assert_eq!(features, selected);
    }
    let text = folder.run("explain m.json").ok();
    assert_contains(
        &text,
        &["5 rules of ldr-tsk itself", "approximate", "R squared", "Predictions come from the rules above"],
    );
    assert_contains(&text, &["IF anything", "classes of the rows that fire it: Adelie"]);
    let short = folder.run("explain m.json --top 1").ok();
    assert_contains(&short, &["... and 4 weaker rules"]);
    assert!(!short.contains("\n 2. IF anything"));
    let json = folder.run("explain m.json --top 1 --json").json();
    assert_eq!(json["explanation"]["rules"].as_array().unwrap().len(), 1);
    assert_eq!(json["recovered"]["rules"].as_array().unwrap().len(), 1);
    // Rules with recovered conditions, as in a file.
    let mut model: serde_json::Value = serde_json::from_str(&folder.read("m.json")).unwrap();
    let condition = &mut model["recovered"]["rules"][0]["conditions"][0];
    condition["term"] = "low".into();
    (condition["about"], condition["deviation"], condition["overall"]) = (39.1.into(), 2.5.into(), 43.9.into());
    let feature = condition["feature"].as_str().unwrap().to_owned();
    folder.write("placed.json", model.to_string());
    assert_contains(
        &folder.run("explain placed.json").ok(),
        &[&format!("IF {feature} is low (39.1 +- 2.50, all rows 43.9)")],
    );
    let json = folder.run("explain m.json --json").json();
    assert_eq!(json["recovered"], record["rules"]);
    folder.run("train builtin:penguins --missing median -m anova --top 2 --model a.json").ok();
    assert!(!folder.run("explain a.json").ok().contains("recovered"));
}

#[test]
fn other_files_and_damaged_models_have_different_errors() {
    let folder = trained("");
    folder.run("predict t.csv m.json").refused(&["t.csv", "not a model written by rulesieve", "the model comes first"]);
    let model = folder.read("m.json");
    std::fs::write(folder.path("m.json"), &model[..model.len() / 2]).unwrap();
    folder.run("predict m.json t.csv").refused(&["m.json", "the file is truncated", "again"]);
}
