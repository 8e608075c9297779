//! Results on data with known structure, chance level on noise, leakage, and errors.

mod chance;
mod estimators;
mod protocols;

use super::*;
use crate::splits::Plan;
use crate::svm::Gamma;
use rulesieve::Warning;
use rulesieve::data::{Column, DatasetOptions, Table, Target, TargetColumn};
use rulesieve::generate;
use rulesieve::optim::{Progress, Silent};
use rulesieve::select::Size;
use std::ops::ControlFlow;

fn candidate(name: &str) -> Candidate {
    let method: Method = name.parse().unwrap();
    Candidate { method, points: vec![method.settings(&[]).unwrap()] }
}

fn svm(costs: &[f64]) -> Estimator {
    Estimator::Svm {
        kernel: KernelKind::Rbf,
        gamma: Gamma::Scale,
        costs: costs.to_vec(),
        max_iter: None,
        class_order: Default::default(),
    }
}

fn options(names: &[&str]) -> EvaluateOptions {
    EvaluateOptions {
        protocol: Protocol::Nested,
        candidates: names.iter().map(|name| candidate(name)).collect(),
        size: None,
        plan: Plan::Folds { folds: 5, repeats: 1 },
        inner: 3,
        estimator: svm(&[1.0, 10.0]),
        estimator_rows: None,
        curve: false,
        subsamples: 0,
        permute: false,
        baselines: true,
        seed: 3,
    }
}

fn generated(name: &str, rows: usize, options: &DatasetOptions) -> Dataset {
    let table = generate::find(name).unwrap().generate(Some(rows), None, 1).unwrap().table;
    Dataset::new(table, options).unwrap()
}

fn waveform(rows: usize) -> Dataset {
    generated("waveform", rows, &DatasetOptions::default())
}

fn accuracy(method: &MethodRecord) -> f64 {
    method.mean("accuracy").unwrap()
}

#[test]
fn a_filter_finds_informative_features_and_exceeds_the_baselines() {
    let found = evaluate(&waveform(300), &options(&["anova", "variance"]), &mut Silent).unwrap();
    let (anova, base) = (&found.methods[0], &found.baselines);
    let majority = base.majority.as_ref().unwrap()["accuracy"].mean;
    assert!(accuracy(anova) > 0.75 && accuracy(anova) > majority + 0.3, "{:?}", anova.scores);
    let ten = EvaluateOptions { size: Some(Size::Top(10)), ..options(&["anova"]) };
    let ten = evaluate(&waveform(300), &ten, &mut Silent).unwrap();
    let stability = ten.methods[0].stability.as_ref().unwrap();
    assert!(stability.measure.value > 0.5 && stability.size == 10.0, "{stability:?}");
    assert!(ten.methods[0].folds.iter().all(|fold| fold.selected.len() == 10));
    assert_eq!(base.all_features.as_ref().unwrap().features.mean, 40.0);
    let mut tested: Vec<usize> = anova.folds.iter().flat_map(|fold| fold.test.clone()).collect();
    tested.sort_unstable();
    assert_eq!(tested, (0..300).collect::<Vec<_>>());
    for fold in &anova.folds {
        let Predicted::Labels(labels) = &fold.predicted else { panic!("classes have names") };
        assert_eq!((labels.len(), fold.train_rows), (fold.test.len(), 300 - fold.test.len()));
        let FittedEstimator::Svm { c, gamma: Some(gamma), .. } = fold.estimator else { panic!("{:?}", fold.estimator) };
        assert!([1.0, 10.0].contains(&c) && gamma > 0.0);
    }
    let against = found.methods[1].first_against_this.as_ref().unwrap();
    assert!((against.difference - (accuracy(anova) - accuracy(&found.methods[1]))).abs() < 1e-12);
    assert!(anova.frequencies.values().all(|share| (0.0..=1.0).contains(share)));
    let right: usize = (0..3).map(|class| anova.confusion[class][class]).sum();
    assert!((right as f64 / 300.0 - accuracy(anova)).abs() < 1e-12);
}

#[test]
fn results_depend_on_the_seed_and_not_on_the_threads() {
    let data = waveform(120);
    let run = |seed: u64, threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        // Two folds give eight tasks; with more threads, several threads share a task.
        let plan = Plan::Folds { folds: 2, repeats: 1 };
        let options = EvaluateOptions { seed, plan, subsamples: 2, ..options(&["anova", "ldr-tsk"]) };
        let found = pool.install(|| evaluate(&data, &options, &mut Silent)).unwrap();
        let text = serde_json::to_string_pretty(&found).unwrap();
        text.lines().filter(|line| !line.contains("\"seconds\"")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(run(1, 1), run(1, 3));
    assert_eq!(run(1, 1), run(1, 24));
    assert_ne!(run(1, 1), run(2, 1));
}

/// With two rows of a class, inner folds have no training row of it.
#[test]
fn all_methods_accept_classes_absent_from_training_rows() {
    let rows: Vec<f64> = (0..32).map(|row| f64::from(row * 7 % 32)).collect();
    let label = (0..32).map(|row| if row > 29 { "c" } else { ["a", "b"][row % 2] });
    let second = Column::numeric("y", rows.iter().map(|value| value * value % 5.0).collect());
    let columns = vec![Column::numeric("x", rows.clone()), second, Column::text("t", label)];
    // One column numbers the rows.
    let keep_suspicious = rulesieve::data::KeepSuspicious::All;
    let reading = DatasetOptions::new(Target::named("t")).keep_suspicious(keep_suspicious);
    let data = Dataset::new(Table::new(columns).unwrap(), &reading).unwrap();
    let mut options = options(&[]);
    for method in Method::ALL.iter().copied() {
        options.candidates.push(chance::quick(method, 1));
    }
    for estimator in [svm(&[1.0, 10.0]), Estimator::Knn { neighbours: vec![1, 40] }, Estimator::Tsk, Estimator::Htsk] {
        let found = evaluate(&data, &EvaluateOptions { estimator, ..options.clone() }, &mut Silent).unwrap();
        let absent = |warning: &Warning| matches!(warning, Warning::ClassesNotTested { classes } if classes.contains(&("c".into(), 3)));
        assert!(found.warnings.iter().any(absent), "{:?}", found.warnings);
        assert_eq!(found.methods.len(), Method::ALL.len());
    }
}

#[test]
fn leave_one_out_scores_all_rows_together() {
    let estimator = svm(&[1.0]);
    let options =
        EvaluateOptions { plan: Plan::LeaveOneOut, size: Some(Size::Top(5)), estimator, ..options(&["anova"]) };
    let data = waveform(60);
    let found = evaluate(&data, &options, &mut Silent).unwrap();
    let anova = &found.methods[0];
    assert_eq!((anova.folds.len(), anova.scores["accuracy"].std, found.inner_folds), (60, None, None));
    let right = anova.folds.iter().filter(|fold| fold.scores["accuracy"] == 1.0).count();
    assert!((accuracy(anova) - right as f64 / 60.0).abs() < 1e-12);
    assert!(anova.scores["mcc"].mean > 0.2 && anova.scores["macro_f1"].mean != accuracy(anova), "{:?}", anova.scores);
    let baseline = found.baselines.majority.unwrap()["accuracy"].mean;
    assert!(baseline > 0.3);
    // As many folds as rows are the same as leave-one-out.
    let plan = Plan::Folds { folds: 60, repeats: 1 };
    let found = evaluate(&data, &EvaluateOptions { plan, ..options }, &mut Silent).unwrap();
    assert!(found.methods[0].scores["accuracy"].std.is_none());
    assert_eq!(found.baselines.majority.unwrap()["accuracy"].mean, baseline);
}

#[test]
fn invalid_options_are_rejected_and_the_observer_can_end_the_evaluation() {
    let data = waveform(60);
    let error = |options: EvaluateOptions| {
        let error = evaluate(&data, &options, &mut Silent).unwrap_err();
        error.remedy().map_or_else(|| error.to_string(), |remedy| format!("{error}; {remedy}"))
    };
    assert!(error(options(&["anova", "anova"])).contains("'anova' is named twice"));
    assert!(error(options(&[])).contains("at least one method"));
    assert!(error(EvaluateOptions { estimator: svm(&[0.0]), ..options(&["anova"]) }).contains("C = 0"));
    assert!(error(EvaluateOptions { inner: 1, ..options(&["anova"]) }).contains("at least 2"));
    let plan = Plan::Folds { folds: 61, repeats: 1 };
    assert!(error(EvaluateOptions { plan, ..options(&["anova"]) }).contains("61 folds of 60 rows"));
    let plan = Plan::Folds { folds: 10, repeats: 100_000_000 };
    assert!(error(EvaluateOptions { plan, ..options(&["anova"]) }).contains("splits of so many rows are too many"));
    let estimator = Estimator::Knn { neighbours: vec![0] };
    assert!(error(EvaluateOptions { estimator, ..options(&["anova"]) }).contains("0 neighbours"));
    assert!(error(EvaluateOptions { subsamples: 1, ..options(&["anova"]) }).contains("from 2"));
    let paper = EvaluateOptions { protocol: Protocol::Paper, ..options(&["anova"]) };
    assert!(error(paper.clone()).contains("one cost"));
    assert!(error(EvaluateOptions { curve: true, estimator: svm(&[1.0]), ..paper }).contains("nested protocol"));
    let mut stop = |_: &Progress| ControlFlow::Break(Halt::Interrupted);
    let ended = evaluate(&data, &options(&["anova"]), &mut stop);
    assert!(matches!(ended, Err(EvaluateError::Halted(Halt::Interrupted))));
}

/// The record contains the splits with results of all methods.
#[test]
fn completed_splits_are_reported_after_the_time_budget() {
    let data = waveform(90);
    let options = EvaluateOptions { estimator: svm(&[1.0]), size: Some(Size::Top(3)), ..options(&["anova"]) };
    let mut calls = 0;
    let mut late = |_: &Progress| {
        calls += 1;
        if calls > 25 { ControlFlow::Break(Halt::OutOfTime) } else { ControlFlow::Continue(()) }
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let done = pool.install(|| Evaluation::new(&data, &options).unwrap().run(None, &mut late)).unwrap();
    let record = done.record;
    assert_eq!(done.halted, Some(Halt::OutOfTime));
    assert!(!record.complete && (1..5).contains(&record.methods[0].folds.len()), "{}", record.methods[0].folds.len());
    assert!(
        record.warnings.iter().any(|warning| warning.to_string().contains("of 5 splits are done")),
        "{:?}",
        record.warnings
    );
    let mut at_once = |_: &Progress| ControlFlow::Break(Halt::OutOfTime);
    let nothing = Evaluation::new(&data, &options).unwrap().run(None, &mut at_once).unwrap().record;
    assert_eq!((nothing.methods.len(), nothing.completed_splits, nothing.unfinished.len()), (0, 0, 3));
    assert!(nothing.baselines.majority.is_some() && nothing.baselines.all_features.is_none() && !nothing.complete);
}

/// The methods that are complete in the first split are reported, without the others.
#[test]
fn completed_methods_are_reported_if_no_split_is_complete() {
    let data = waveform(90);
    let options =
        EvaluateOptions { estimator: svm(&[1.0]), size: Some(Size::Top(3)), ..options(&["anova", "variance"]) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let stopped_after = |count: usize| {
        let mut calls = 0;
        let mut late = |_: &Progress| {
            calls += 1;
            if calls > count { ControlFlow::Break(Halt::OutOfTime) } else { ControlFlow::Continue(()) }
        };
        pool.install(|| Evaluation::new(&data, &options).unwrap().run(None, &mut late)).unwrap().record
    };
    let found = (1..50).map(stopped_after).find(|record| record.methods.len() == 1).unwrap();
    assert_eq!(found.completed_splits, 1, "{:?}", found.unfinished);
    assert_eq!((found.methods[0].method.as_str(), found.methods[0].folds.len()), ("anova", 1));
    assert_eq!(found.unfinished, ["variance", ALL, RANDOM]);
    let message = found.warnings.iter().map(ToString::to_string).find(|text| text.contains("no result of variance"));
    assert!(message.is_some() && found.splits_text().contains("partial: 1 complete"), "{:?}", found.warnings);
}
