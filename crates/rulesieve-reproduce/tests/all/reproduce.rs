//! The experiments of the paper on some of its data sets.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking as tests do")]

use crate::common::{Folder, assert_contains, data_sets};
use rulesieve::methods::Method;
use rulesieve::optim::Silent;
use rulesieve::select::Size;
use rulesieve_eval::evaluate::{
    Candidate, Estimator, EvaluateOptions, Evaluation, EvaluationRecord, KernelKind, Protocol, Spread, grid,
};
use rulesieve_eval::splits::Plan;
use rulesieve_eval::svm::Gamma;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const SMALL: &str = "--only vote,wdbc --methods ldr-tsk,anova --points 3";

/// The result of the library under protocol `paper`, without the code of this crate.
fn evaluated(folder: &Path, set: &str, names: &[&str], points: usize, size: Size) -> EvaluationRecord {
    let set = rulesieve_reproduce::data_sets().unwrap().into_iter().find(|one| one.name == set).unwrap();
    let candidate = |name: &&str| {
        let method: Method = name.parse().unwrap();
        Candidate { method, points: grid::points(method, &[], &[], Some(points), 0).unwrap() }
    };
    let options = EvaluateOptions {
        protocol: Protocol::Paper,
        candidates: names.iter().map(candidate).collect(),
        size: Some(size),
        plan: Plan::Folds { folds: 10, repeats: 1 },
        inner: 5,
        estimator: Estimator::Svm {
            kernel: KernelKind::Rbf,
            gamma: Gamma::Scale,
            costs: vec![1.0],
            max_iter: None,
            class_order: Default::default(),
        },
        estimator_rows: None,
        curve: false,
        subsamples: 0,
        permute: false,
        baselines: true,
        seed: 0,
    };
    let data = set.read(folder).unwrap();
    Evaluation::new(&data, &options).unwrap().run(None, &mut Silent).unwrap().record
}

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
    let run = folder.run(&format!("--data {} --output r {SMALL}", data.display()));
    assert_eq!(run.code, 0, "{}", run.err);
    assert_contains(
        &run.out,
        &["Accuracy of `ldr-tsk` under `paper`, mean of 2 of 2 data sets", "mean of the printed column 98.0"],
    );
    let table = folder.read("r/tables/accuracy-paper.csv");
    let vote = table.lines().find(|line| line.starts_with("vote,")).unwrap();
    let found = evaluated(&data, "vote", &["ldr-tsk", "anova"], 3, Size::THIRD);
    for method in found.methods.iter().chain(&found.baselines.all_features) {
        let accuracy = method.scores["accuracy"];
        let shown = format!("{:.2} ± {:.2}", 100.0 * accuracy.mean, 100.0 * accuracy.std.unwrap());
        assert!(vote.contains(&shown), "{}: {shown} in {vote}", method.method);
    }
    let text = folder.read("r/reproduction.md");
    assert_contains(&text, &["34.5799", "| vote |", "![", "Two circles"]);
    for name in ["ranks-printed", "double-circle"] {
        assert!(folder.read(&format!("r/figures/{name}.svg")).starts_with("<svg"), "{name}");
        assert!(folder.read(&format!("r/figures/{name}.csv")).lines().count() > 2, "{name}");
    }

    // The same tables from the saved cells, without new fits.
    folder.run("--tables-only --cells r/cells --output again --only vote,wdbc --methods ldr-tsk,anova").ok();
    assert_eq!(folder.read("again/tables/accuracy-paper.csv"), table);
    let kept = folder.read("r/cells/paper/vote.jsonl");
    let again = folder.run(&format!("--data {} --output r {SMALL} --resume", data.display()));
    assert_eq!((again.code, again.out), (0, run.out), "{}", again.err);
    assert_eq!(folder.read("r/cells/paper/vote.jsonl"), kept, "also the times: nothing was fitted again");
    let nested = folder.read("r/cells/nested/vote.jsonl");
    let fewer = format!("--data {} --output r {SMALL} --resume --points 1", data.display()).replace("--points 3 ", "");
    assert_contains(&folder.run(&fewer).err, &["are saved with more settings and were not rerun"]);
    assert_eq!(folder.read("r/cells/nested/vote.jsonl"), nested, "three settings are not given up for one");
    folder.run("--tables-only --cells r/cells --output one --only vote,wdbc --protocol nested").ok();
    assert!(
        folder.path("one/tables/accuracy-nested.csv").exists()
            && !folder.path("one/tables/accuracy-paper.csv").exists()
    );
    folder.refuses(
        &format!("--data {} --output r {SMALL}", data.display()),
        &["r already holds results", "--resume", "--output"],
    );
    folder.refuses(
        &format!("--data {} --output other --cells r/cells {SMALL}", data.display()),
        &["r/cells already holds results", "--resume", "--cells"],
    );
}

/// Gates choose their own number of features; the scores are those of `evaluate`.
#[test]
fn gates_with_their_own_size_are_listed_too() {
    let Some(data) = data_sets() else { return };
    let folder = Folder::new();
    let protocols = "--protocol paper,paper-native --methods anova,dg-aletsk --only wdbc";
    folder.run(&format!("--data {} --output r {protocols}", data.display())).ok();
    let table = folder.read("r/tables/accuracy-own-sizes.csv");
    let wdbc = table.lines().find(|line| line.starts_with("wdbc,")).unwrap();
    let own = |size: Size| 100.0 * evaluated(&data, "wdbc", &["dg-aletsk"], 1, size).methods[0].scores["accuracy"].mean;
    let [third, native] = [Size::THIRD, Size::Native].map(own);
    assert!(wdbc.contains(&format!("{third:.2}, {native:.2} (71.22)")) && third != native, "{third} {native} {wdbc}");
    let text = folder.read("r/reproduction.md");
    assert_contains(
        &text,
        &["Gates by their own rule", "`paper-native`", "DG-ALETSK: closer to print by its own rule on"],
    );
}

#[test]
fn an_ended_sweep_resumes_without_loss() {
    let Some(data) = data_sets() else { return };
    let folder = Folder::new();
    let line = |out: &str| format!("--data {} --output {out} {SMALL} --protocol paper", data.display());
    let vote = "parts/cells/paper/vote.jsonl";
    folder.run(&line("parts").replace("ldr-tsk,anova", "anova")).ok();
    let before = folder.read(vote);
    let ended = folder.run(&format!("{} --resume --time-budget 0.1", line("parts")));
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert_contains(&ended.err, &["completed results are saved; rerun the command with --resume to continue"]);
    folder.run(&format!("{} --resume", line("parts"))).ok();
    folder.run(&line("whole")).ok();
    let after = folder.read(vote);
    assert!(before.lines().count() >= 2 && before.lines().all(|kept| after.contains(kept)), "with their times");
    for set in ["vote", "wdbc"] {
        let (parts, whole) = (format!("parts/cells/paper/{set}.jsonl"), format!("whole/cells/paper/{set}.jsonl"));
        assert_eq!(cells(&folder, &parts), cells(&folder, &whole), "{set}");
    }
}

/// RJFWLF on diabetes is a cell of the paper that the protocol repeats to the last digit.
#[test]
fn the_protocol_as_run_is_resumed_and_compared_with_print() {
    let Some(data) = data_sets() else { return };
    let folder = Folder::new();
    let line = format!("--data {} --output r --only diabetes --methods rjfwlf --protocol paper-as-run", data.display());
    folder.run(&line).ok();
    let saved = folder.read("r/cells/paper-as-run/diabetes.jsonl");
    folder.run(&format!("{line} --resume")).ok();
    assert_eq!(folder.read("r/cells/paper-as-run/diabetes.jsonl"), saved, "with their times");
    for view in ["paper-as-run", "paper-as-run-per-fold"] {
        assert_contains(&folder.read(&format!("r/tables/accuracy-{view}.csv")), &["diabetes,75.12 ± 4.17"]);
    }
    let text = folder.read("r/reproduction.md");
    assert_contains(
        &text,
        &["`paper-as-run`: as the printed tables were computed", "1 of 7 cells are equal to the last digit"],
    );
    assert_contains(&text, &["**75.12 (75.12)**", "`paper-as-run-per-fold`"]);
    assert!(!folder.path("r/cells/extras.json").exists(), "extras belong to the other protocols");
}

/// "Ours" on vowel is the mean of the best scores that any three features have on the test rows of each fold.
#[test]
fn the_printed_cell_of_the_papers_method_on_vowel_is_a_maximum_over_subsets() {
    let Some(folder) = data_sets() else { return };
    let set = rulesieve_reproduce::data_sets().unwrap().into_iter().find(|one| one.name == "vowel").unwrap();
    let protocols = rulesieve_reproduce::protocols().unwrap();
    let protocol = protocols.iter().find(|one| one.name == "paper-as-run").unwrap();
    let batch = protocol.batches("variance", "vowel", Some(1)).unwrap().remove(0);
    let data = set.read(&folder).unwrap();
    let triples = |a: usize| (a + 1..10).flat_map(move |b| (b + 1..10).map(move |c| vec![a, b, c]));
    let subsets: Vec<Vec<usize>> = (0..10).flat_map(triples).collect();
    assert_eq!(subsets.len(), 120);
    let evaluation = Evaluation::new(&data, &batch.options).unwrap();
    let scores = evaluation.score_subsets(&subsets, &mut Silent).unwrap().unwrap();
    let best = |fold: usize| scores.iter().map(|all| 100.0 * all[fold]).fold(0.0, f64::max);
    let found = Spread::of_population((0..10).map(best));
    assert_eq!(format!("{:.2} ± {:.2}", found.mean, found.std.unwrap()), "72.42 ± 2.39");
}

#[test]
fn missing_data_is_named_and_differing_data_is_rejected() {
    let Some(data) = data_sets() else { return };
    let folder = Folder::new();
    std::fs::create_dir(folder.path("some")).unwrap();
    folder.run("--data some --output r").refused(&["none of the data sets is in some", "docs/datasets.md"]);
    let vote = std::fs::read_to_string(data.join("vote.csv")).unwrap();
    std::fs::write(folder.path("some/vote.csv"), &vote).unwrap();
    let run = folder.run("--data some --output one --only vote,wdbc --methods anova --protocol paper");
    assert_eq!(run.code, 0, "{}", run.err);
    assert_contains(&run.err, &["skipped, not in some: wdbc (wdbc.csv)"]);
    let changed = vote.replacen(",republican", ",democrat", 1);
    std::fs::write(folder.path("some/vote.csv"), changed).unwrap();
    folder.refuses(
        "--data some --output two --only vote --methods anova --protocol paper",
        &["vote: vote.csv differs from the manifest in names, values or classes"],
    );
}

#[test]
fn wrong_arguments_are_refused() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("d")).unwrap();
    folder.run("--data nowhere --output r").refused(&["nowhere", "no such folder"]);
    folder.run("--data d --output r --only votes").refused(&["no data set 'votes'", "did you mean 'vote'"]);
    folder.run("--data d --output r --methods anvoa").refused(&["anvoa", "anova"]);
    folder.run("--data d --output r --methods anova,anova").refused(&["'anova' is named twice"]);
    let native = "--data d --output r --protocol paper-native --methods anova";
    folder.run(native).refused(&["none of them has its own rule for the number of features", "dg-tsk"]);
    folder.run("--tables-only --output r --threads 2").misused(&["--threads"]);
    folder.run("--data d --check --threads 2").misused(&["--threads"]);
    folder.run("--data d --output r").refused(&["none of the data sets is in d"]);
    folder.run("--data d --output r --protocol fair").refused(&["no protocol 'fair'", "paper-per-fold"]);
    folder.run("--tables-only --output r").refused(&["no saved scores in r/cells"]);
    folder.run("--output r").misused(&["required arguments were not provided"]);
    folder.run("--data d --output r --points 0").misused(&["--points"]);
    assert!(!folder.path("r").exists(), "nothing is created before arguments are checked");
}

/// The saved scores and the script give the document; the script is skipped without Python.
#[test]
#[allow(clippy::print_stdout, reason = "a test that is skipped must say so")]
fn the_document_follows_from_the_saved_scores() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = Folder::new();
    let cells = root.join("experiments/reproduction");
    folder.run(&format!("--tables-only --cells {} --output r", cells.display())).ok();
    let script = cells.join("document.py");
    match Command::new("python3").arg(script).arg(folder.path("r/reproduction.md")).output() {
        Err(_) => println!("skipped: the text cannot be completed without python3"),
        Ok(done) => {
            let saved = std::fs::read(root.join("docs/reproduction.md")).unwrap();
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            assert!(done.stdout == saved, "docs/reproduction.md is outdated: run scripts/reproduction");
        }
    }
    let names = |folder: &Path| -> Vec<String> {
        let all =
            std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().to_string_lossy().into_owned());
        let mut all: Vec<String> = all.filter(|name| name.ends_with(".svg")).collect();
        all.sort();
        all
    };
    let saved = root.join("docs/figures");
    assert_eq!(names(&folder.path("r/figures")), names(&saved), "run scripts/reproduction");
    for name in names(&saved) {
        let figure = std::fs::read_to_string(saved.join(&name)).unwrap();
        assert!(folder.read(&format!("r/figures/{name}")) == figure, "{name} is outdated: run scripts/reproduction");
    }
}

/// Waits for a file with a timeout.
fn wait_for(path: &Path) {
    let found = (0..600).find(|_| {
        std::thread::sleep(Duration::from_millis(100));
        path.exists()
    });
    assert!(found.is_some(), "{}", path.display());
}

#[test]
#[cfg(unix)]
fn an_interrupted_sweep_keeps_its_results_and_can_be_resumed() {
    let Some(data) = data_sets() else { return };
    let folder = Folder::new();
    let line = format!("--data {} --output r --only spambase --methods ldr-tsk --protocol paper", data.display());
    let mut command = folder.command(&line);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let cells = folder.path("r/cells/paper/spambase.jsonl");
    wait_for(&cells);
    let saved = std::fs::read_to_string(&cells).unwrap();
    crate::common::interrupt(&child);
    let run = crate::common::end(child);
    assert_eq!(run.code, 130, "{}", run.err);
    assert_contains(
        &run.err,
        &["completed results are saved; rerun the command with --resume to continue", "interrupted"],
    );
    let names = |folder: PathBuf| -> Vec<String> {
        let all =
            std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().to_string_lossy().into_owned());
        all.filter(|name| name.ends_with(".tmp") || name.starts_with("reproduction")).collect()
    };
    assert!(names(folder.path("r")).is_empty() && names(folder.path("r/cells/paper")).is_empty());
    let again = folder.run(&format!("{line} --resume --time-budget 0.5"));
    assert_eq!(again.code, 0, "{}", again.err);
    assert!(
        std::fs::read_to_string(&cells).unwrap().contains(saved.trim_end()),
        "also its times: it was not done again"
    );
}
