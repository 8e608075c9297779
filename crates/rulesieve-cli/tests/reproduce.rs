//! `reproduce`: the experiments of the paper again, on two of its data sets.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking as tests do")]

mod common;

use common::{Folder, data_sets, says};
use serde_json::Value;
use std::path::Path;

const SMALL: &str = "--only vote,wdbc --methods ldr-tsk,anova --points 3";

/// The cells of a data set, without times.
fn cells(folder: &Folder, path: &str) -> Vec<Value> {
    let line = |text: &str| {
        let mut line: Value = serde_json::from_str(text).unwrap();
        line["cells"].as_array_mut().unwrap().iter_mut().for_each(|cell| cell["seconds"] = Value::Null);
        line
    };
    folder.read(path).lines().map(line).collect()
}

#[test]
fn a_small_sweep_gives_what_evaluate_gives() {
    let Some(data) = data_sets() else { return };
    let folder = Folder::new();
    let run = folder.run(&format!("reproduce --data {} --out r {SMALL}", data.display()));
    assert_eq!(run.code, 0, "{}", run.err);
    says(
        &run.out,
        &["Accuracy of `ldr-tsk` under `paper`, mean of 2 of 2 data sets", "mean of the printed column 98.0"],
    );
    let table = folder.read("r/tables/accuracy-paper.csv");
    let vote = table.lines().find(|line| line.starts_with("vote,")).unwrap();
    let line = format!(
        "evaluate {} --target class --missing median --categorical-coding ordinal --protocol paper --points 3 --methods ldr-tsk,anova --json",
        data.join("vote.csv").display()
    );
    let found = folder.run(&line).json();
    for method in [&found["methods"][0], &found["methods"][1], &found["baselines"]["all_features"]] {
        let accuracy = &method["accuracy"];
        let part = |name: &str| 100.0 * accuracy[name].as_f64().unwrap();
        let shown = format!("{:.2} ± {:.2}", part("mean"), part("std"));
        assert!(vote.contains(&shown), "{}: {shown} in {vote}", method["method"]);
    }
    let text = folder.read("r/reproduction.md");
    says(&text, &["Which protocol explains the paper?", "34.5799", "| vote |", "![", "Two circles"]);
    says(
        &text,
        &[
            "What is reproduced, and what is not",
            "parameters matter little",
            "Macro-F1 of ldr-tsk under paper against print, set by set",
        ],
    );
    for name in ["ranks-printed", "double-circle"] {
        assert!(folder.read(&format!("r/figures/{name}.svg")).starts_with("<svg"), "{name}");
        assert!(folder.read(&format!("r/figures/{name}.csv")).lines().count() > 2, "{name}");
    }

    // The same tables from the cells alone, and no work the second time.
    folder.run("reproduce --tables-only --cells r/cells --out again --only vote,wdbc --methods ldr-tsk,anova").ok();
    assert_eq!(folder.read("again/tables/accuracy-paper.csv"), table);
    let kept = folder.read("r/cells/paper/vote.jsonl");
    let again = folder.run(&format!("reproduce --data {} --out r {SMALL} --resume", data.display()));
    assert_eq!((again.code, again.out), (0, run.out), "{}", again.err);
    assert_eq!(folder.read("r/cells/paper/vote.jsonl"), kept, "also the times: nothing was fitted again");
    let nested = folder.read("r/cells/nested/vote.jsonl");
    let fewer =
        format!("reproduce --data {} --out r {SMALL} --resume --points 1", data.display()).replace("--points 3 ", "");
    says(&folder.run(&fewer).err, &["are kept with more settings than asked for, and stay"]);
    assert_eq!(folder.read("r/cells/nested/vote.jsonl"), nested, "three settings are not given up for one");
    folder.run("reproduce --tables-only --cells r/cells --out one --only vote,wdbc --protocol nested").ok();
    assert!(
        folder.path("one/tables/accuracy-nested.csv").exists()
            && !folder.path("one/tables/accuracy-paper.csv").exists()
    );
    folder.run(&format!("reproduce --data {} --out r {SMALL}", data.display())).refused(&[
        "r holds records",
        "--resume",
        "--out",
    ]);
    folder.run(&format!("reproduce --data {} --out other --cells r/cells {SMALL}", data.display())).refused(&[
        "r/cells holds records",
        "--resume",
        "--cells",
    ]);
}

/// Gates may keep as many features as they want: the figures are those of `evaluate`.
#[test]
fn gates_by_their_own_rule_stand_beside_a_third() {
    let Some(data) = data_sets() else { return };
    let folder = Folder::new();
    let protocols = "--protocol paper,paper-native --methods anova,dg-aletsk --only wdbc";
    folder.run(&format!("reproduce --data {} --out r {protocols}", data.display())).ok();
    let table = folder.read("r/tables/accuracy-own-sizes.csv");
    let wdbc = table.lines().find(|line| line.starts_with("wdbc,")).unwrap();
    let own = |size: &str| {
        let file = data.join("wdbc.csv");
        let choices =
            "--target class --missing median --categorical-coding ordinal --protocol paper --methods dg-aletsk --json";
        let found = folder.run(&format!("evaluate {} {choices} {size}", file.display())).json();
        100.0 * found["methods"][0]["accuracy"]["mean"].as_f64().unwrap()
    };
    let [third, native] = ["", "--size native"].map(own);
    assert!(wdbc.contains(&format!("{third:.2}, {native:.2} (71.22)")) && third != native, "{third} {native} {wdbc}");
    let text = folder.read("r/reproduction.md");
    says(&text, &["Gates by their own rule", "`paper-native`", "DG-ALETSK: by its own rule nearer to print on"]);
}

#[test]
fn a_sweep_that_was_ended_goes_on_without_loss() {
    let Some(data) = data_sets() else { return };
    let folder = Folder::new();
    let line = |out: &str| format!("reproduce --data {} --out {out} {SMALL} --protocol paper", data.display());
    let vote = "parts/cells/paper/vote.jsonl";
    folder.run(&line("parts").replace("ldr-tsk,anova", "anova")).ok();
    let before = folder.read(vote);
    let ended = folder.run(&format!("{} --resume --budget 0.1", line("parts")));
    assert_eq!(ended.code, 0, "{}", ended.err);
    says(&ended.err, &["what is done is kept; the same command with --resume goes on"]);
    folder.run(&format!("{} --resume", line("parts"))).ok();
    folder.run(&line("whole")).ok();
    let after = folder.read(vote);
    assert!(before.lines().count() >= 2 && before.lines().all(|kept| after.contains(kept)), "with their times");
    for set in ["vote", "wdbc"] {
        let (parts, whole) = (format!("parts/cells/paper/{set}.jsonl"), format!("whole/cells/paper/{set}.jsonl"));
        assert_eq!(cells(&folder, &parts), cells(&folder, &whole), "{set}");
    }
}

#[test]
fn data_that_is_absent_is_named_and_data_that_differs_is_refused() {
    let Some(data) = data_sets() else { return };
    let folder = Folder::new();
    std::fs::create_dir(folder.path("some")).unwrap();
    folder.run("reproduce --data some --out r").refused(&["none of the data sets is in some", "docs/datasets.md"]);
    let vote = std::fs::read_to_string(data.join("vote.csv")).unwrap();
    std::fs::write(folder.path("some/vote.csv"), &vote).unwrap();
    let run = folder.run("reproduce --data some --out one --only vote,wdbc --methods anova --protocol paper");
    assert_eq!(run.code, 0, "{}", run.err);
    says(&run.err, &["skipped, not in some: wdbc (wdbc.csv)"]);
    let changed = vote.replacen(",republican", ",democrat", 1);
    std::fs::write(folder.path("some/vote.csv"), changed).unwrap();
    folder
        .run("reproduce --data some --out two --only vote --methods anova --protocol paper")
        .refused(&["vote: vote.csv does not hold the names, values and classes of the manifest"]);
}

#[test]
fn wrong_wishes_are_refused() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("d")).unwrap();
    folder.run("reproduce --data nowhere --out r").refused(&["nowhere", "no such folder"]);
    folder.run("reproduce --data d --out r --only votes").refused(&["no data set 'votes'", "did you mean 'vote'"]);
    folder.run("reproduce --data d --out r --methods anvoa").refused(&["anvoa", "anova"]);
    folder.run("reproduce --data d --out r --methods anova,anova").refused(&["'anova' is named twice"]);
    let native = "reproduce --data d --out r --protocol paper-native --methods anova";
    folder.run(native).refused(&["none of them has a rule of its own", "dg-tsk"]);
    folder.run("reproduce --tables-only --out r --threads 2").misused(&["--threads"]);
    folder.run("reproduce --data d --check --threads 2").misused(&["--threads"]);
    folder.run("reproduce --data d --out r").refused(&["none of the data sets is in d"]);
    folder.run("reproduce --data d --out r --protocol fair").refused(&["no protocol 'fair'", "paper-per-fold"]);
    folder.run("reproduce --tables-only --out r").refused(&["no cells in r/cells"]);
    folder.run("reproduce --out r").misused(&["required arguments were not provided"]);
    folder.run("reproduce --data d --out r --points 0").misused(&["--points"]);
    assert!(!folder.path("r").exists(), "nothing is made before wishes are checked");
}

#[test]
fn the_document_is_what_the_records_give() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = Folder::new();
    let cells = root.join("experiments/reproduction");
    folder.run(&format!("reproduce --tables-only --cells {} --out r", cells.display())).ok();
    let kept = std::fs::read_to_string(root.join("docs/reproduction.md")).unwrap();
    assert!(folder.read("r/reproduction.md") == kept, "docs/reproduction.md is stale: run scripts/reproduction");
    let names = |folder: &Path| -> Vec<String> {
        let all =
            std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().to_string_lossy().into_owned());
        let mut all: Vec<String> = all.filter(|name| name.ends_with(".svg")).collect();
        all.sort();
        all
    };
    let kept = root.join("docs/figures");
    assert_eq!(names(&folder.path("r/figures")), names(&kept), "run scripts/reproduction");
    for name in names(&kept) {
        let figure = std::fs::read_to_string(kept.join(&name)).unwrap();
        assert!(folder.read(&format!("r/figures/{name}")) == figure, "{name} is stale: run scripts/reproduction");
    }
}
