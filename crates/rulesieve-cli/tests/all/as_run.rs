//! Protocol `paper-as-run`: cells of the paper's tables to the last digit, and the protocol's choices.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking as tests do")]

use crate::common::{Folder, assert_contains, data_sets};
use serde_json::Value;

/// Returns a line of the table under `paper-as-run`.
fn line(set: &str, options: &str, name: &str) -> Option<String> {
    let line = format!("evaluate {}/{set}.csv -t class --protocol paper-as-run{options}", data_sets()?.display());
    let text = Folder::new().run(&line).ok();
    Some(text.lines().find(|line| line.starts_with(name)).unwrap().to_owned())
}

/// DG-TSK and DG-ALETSK on australian.
#[test]
fn a_printed_cell_of_a_known_feature_is_exact() {
    let Some(line) = line("australian", " --methods variance --keep A8", "all features") else { return };
    assert_contains(&line, &["85.51 +- 5.38 %", "85.48 +- 5.40 %"]);
}

#[test]
fn printed_cells_of_methods_are_exact() {
    let frse = " --methods fsre-adatsk --set fsre-adatsk:scale=min-max --top 3";
    let cells = [
        ("diabetes", " --methods fsor", "fsor", ["76.55 +- 3.39 %", "72.04 +- 4.06 %"]),
        ("vowel", " --methods fsor --class-order appearance", "fsor", ["68.69 +- 3.67 %", "68.52 +- 3.51 %"]),
        ("diabetes", frse, "FSRE-AdaTSK", ["74.99 +- 2.91 %", "70.13 +- 3.01 %"]),
        ("diabetes", "-per-fold --methods rjfwlf", "RJFWLF", ["75.12 +- 4.17 %", "69.50 +- 5.40 %"]),
        ("vowel", " --methods rjfwlf --class-order appearance", "RJFWLF", ["68.48 +- 3.66 %", "68.32 +- 3.56 %"]),
    ];
    for (set, options, method, printed) in cells {
        let Some(line) = line(set, options, method) else { return };
        assert_contains(&line, &printed);
    }
}

#[test]
fn the_protocol_is_named_with_its_folds_and_a_warning() {
    let folder = Folder::new();
    folder.run("generate waveform --samples 90 --seed 2 --output t.csv").ok();
    let line = "evaluate t.csv -t class --methods ldr-tsk,anova --set ldr-tsk:iterations=5 --grid ldr-tsk:alpha=0.1,10";
    let fixed = "--set ldr-tsk:beta=1 --set ldr-tsk:gamma=1 --folds 3";
    let run = folder.run(&format!("{line} {fixed} --protocol paper-as-run"));
    let what = "protocol paper-as-run: 3 folds of scikit-learn (random_state=42), rbf SVM, C of 1, stopped after 200 iterations";
    assert_contains(&run.out, &[what, "13.0 +- 0.0"]);
    assert_contains(&run.err, &["scales by all rows before the split", "do not estimate those on new rows"]);
    let record = |protocol: &str| folder.run(&format!("{line} {fixed} --protocol {protocol} --json")).json();
    let (mean, each) = (record("paper-as-run"), record("paper-as-run-per-fold"));
    let accuracy = |record: &Value| record["methods"][0]["accuracy"]["mean"].as_f64().unwrap();
    let grid = mean["methods"][0]["grid"].as_array().unwrap();
    let best = grid.iter().map(|point| point["accuracy"]["mean"].as_f64().unwrap()).fold(0.0, f64::max);
    assert!(accuracy(&mean) == best && accuracy(&each) >= best);
    // The deviation divides by the number of folds.
    let folds = mean["methods"][1]["folds"].as_array().unwrap();
    let scores: Vec<f64> = folds.iter().map(|fold| fold["accuracy"].as_f64().unwrap()).collect();
    let center = scores.iter().sum::<f64>() / 3.0;
    let variance = scores.iter().map(|score| (score - center).powi(2)).sum::<f64>() / 3.0;
    let found = mean["methods"][1]["accuracy"]["std"].as_f64().unwrap();
    assert!(variance > 0.0 && (found - variance.sqrt()).abs() < 1e-12, "{found}");
}

#[test]
fn runs_are_resumed_and_other_folds_are_refused() {
    let folder = Folder::new();
    folder.run("generate waveform --samples 90 --seed 2 --output t.csv").ok();
    let line = "evaluate t.csv -t class --methods anova --protocol paper-as-run";
    folder.run(&format!("{line} --records r.sqlite")).ok();
    let resumed = folder.run(&format!("{line} --records r.sqlite --resume"));
    assert_contains(&resumed.err, &["continuing run 1 of r.sqlite: 30 tasks are done"]);
    let other = folder.run(&format!("{line}-per-fold --records r.sqlite --resume"));
    assert_contains(&other.err, &["no matching run found"]);
    for option in ["--repeats 2", "--leave-one-out", "--groups x1", "--split time=x1"] {
        folder.run(&format!("{line} {option}")).refused(&["paper-as-run uses the folds of scikit-learn, once"]);
    }
}
