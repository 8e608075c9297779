//! Known answers, chance where there is nothing to find, the leak that the protocol prevents, and what is refused.

mod chance;
mod judges;
mod protocols;

use super::*;
use crate::splits::Plan;
use crate::svm::Gamma;
use rulesieve::data::{CategoricalCoding, Column, DatasetOptions, Table};
use rulesieve::generate;
use rulesieve::optim::{Progress, Silent};
use rulesieve::select::Size;
use std::ops::ControlFlow;

fn contender(name: &str) -> Contender {
    let method = methods::find(name).unwrap();
    Contender { method, points: vec![method.settings(&[]).unwrap()] }
}

fn svm(costs: &[f64]) -> Judge {
    Judge::Svm { kernel: KernelKind::Rbf, gamma: Gamma::Scale, costs: costs.to_vec() }
}

fn options(names: &[&str]) -> EvaluateOptions {
    EvaluateOptions {
        protocol: Protocol::Nested,
        contenders: names.iter().map(|name| contender(name)).collect(),
        size: None,
        coding: CategoricalCoding::OneHot,
        plan: Plan::Folds { folds: 5, repeats: 1 },
        inner: 3,
        judge: svm(&[1.0, 10.0]),
        curve: false,
        halves: 0,
        permute: false,
        baselines: true,
        seed: 3,
    }
}

fn generated(name: &str, rows: usize, wishes: &DatasetOptions) -> Dataset {
    let table = generate::find(name).unwrap().generate(Some(rows), None, 1).unwrap().table;
    Dataset::new(table, wishes).unwrap()
}

fn waveform(rows: usize) -> Dataset {
    generated("waveform", rows, &DatasetOptions::default())
}

fn accuracy(method: &MethodRecord) -> f64 {
    method.mean("accuracy").unwrap()
}

#[test]
fn a_filter_finds_what_carries_signal_and_beats_the_baselines() {
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
    let mut judged: Vec<usize> = anova.folds.iter().flat_map(|fold| fold.test.clone()).collect();
    judged.sort_unstable();
    assert_eq!(judged, (0..300).collect::<Vec<_>>());
    for fold in &anova.folds {
        let Predicted::Labels(labels) = &fold.predicted else { panic!("classes have names") };
        assert_eq!((labels.len(), fold.train_rows), (fold.test.len(), 300 - fold.test.len()));
        let JudgeRecord::Svm { c, gamma: Some(gamma), .. } = fold.judge else { panic!("{:?}", fold.judge) };
        assert!([1.0, 10.0].contains(&c) && gamma > 0.0);
    }
    let against = found.methods[1].first_against_this.as_ref().unwrap();
    assert!((against.difference - (accuracy(anova) - accuracy(&found.methods[1]))).abs() < 1e-12);
    assert!(anova.frequencies.values().all(|share| (0.0..=1.0).contains(share)));
    let right: usize = (0..3).map(|class| anova.confusion[class][class]).sum();
    assert!((right as f64 / 300.0 - accuracy(anova)).abs() < 1e-12);
}

#[test]
fn the_same_seed_gives_the_same_answers_whatever_the_threads() {
    let data = waveform(120);
    let run = |seed: u64, threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        // Two folds are eight pieces of work: with more threads several work on one piece.
        let plan = Plan::Folds { folds: 2, repeats: 1 };
        let wishes = EvaluateOptions { seed, plan, halves: 2, ..options(&["anova", "ldr-tsk"]) };
        let found = pool.install(|| evaluate(&data, &wishes, &mut Silent)).unwrap();
        let text = serde_json::to_string_pretty(&found).unwrap();
        text.lines().filter(|line| !line.contains("\"seconds\"")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(run(1, 1), run(1, 3));
    assert_eq!(run(1, 1), run(1, 24));
    assert_ne!(run(1, 1), run(2, 1));
}

/// Two rows of a class: inner folds have none to learn from.
#[test]
fn every_method_lives_with_a_class_that_is_absent_from_a_part() {
    let rows: Vec<f64> = (0..32).map(|row| f64::from(row * 7 % 32)).collect();
    let label = (0..32).map(|row| if row > 29 { "c" } else { ["a", "b"][row % 2] });
    let second = Column::numeric("y", rows.iter().map(|value| value * value % 5.0).collect());
    let columns = vec![Column::numeric("x", rows.clone()), second, Column::text("t", label)];
    // One column numbers the rows.
    let keep_suspicious = rulesieve::data::KeepSuspicious::All;
    let wishes = DatasetOptions { target: Some("t".into()), keep_suspicious, ..Default::default() };
    let data = Dataset::new(Table::new(columns).unwrap(), &wishes).unwrap();
    let mut options = options(&[]);
    for method in methods::all() {
        options.contenders.push(chance::quick(method, 1));
    }
    for judge in [svm(&[1.0, 10.0]), Judge::Knn { neighbours: vec![1, 40] }, Judge::Tsk, Judge::Htsk] {
        let found = evaluate(&data, &EvaluateOptions { judge, ..options.clone() }, &mut Silent).unwrap();
        let said = |notice: &String| notice.contains("without a row to judge") && notice.contains("c (3)");
        assert!(found.notices.iter().any(said), "{:?}", found.notices);
        assert_eq!(found.methods.len(), methods::all().len());
    }
}

#[test]
fn one_by_one_all_rows_are_judged_together() {
    let judge = svm(&[1.0]);
    let wishes = EvaluateOptions { plan: Plan::LeaveOneOut, size: Some(Size::Top(5)), judge, ..options(&["anova"]) };
    let data = waveform(60);
    let found = evaluate(&data, &wishes, &mut Silent).unwrap();
    let anova = &found.methods[0];
    assert_eq!((anova.folds.len(), anova.scores["accuracy"].std, found.inner_folds), (60, None, None));
    let right = anova.folds.iter().filter(|fold| fold.scores["accuracy"] == 1.0).count();
    assert!((accuracy(anova) - right as f64 / 60.0).abs() < 1e-12);
    assert!(anova.scores["mcc"].mean > 0.2 && anova.scores["macro_f1"].mean != accuracy(anova), "{:?}", anova.scores);
    let baseline = found.baselines.majority.unwrap()["accuracy"].mean;
    assert!(baseline > 0.3);
    // As many folds as rows are the same thing.
    let plan = Plan::Folds { folds: 60, repeats: 1 };
    let found = evaluate(&data, &EvaluateOptions { plan, ..wishes }, &mut Silent).unwrap();
    assert!(found.methods[0].scores["accuracy"].std.is_none());
    assert_eq!(found.baselines.majority.unwrap()["accuracy"].mean, baseline);
}

#[test]
fn what_cannot_be_judged_is_refused_and_an_observer_ends_it() {
    let data = waveform(60);
    let error = |wishes: EvaluateOptions| evaluate(&data, &wishes, &mut Silent).unwrap_err().to_string();
    assert!(error(options(&["anova", "anova"])).contains("'anova' is named twice"));
    assert!(error(options(&[])).contains("at least one method"));
    assert!(error(EvaluateOptions { judge: svm(&[0.0]), ..options(&["anova"]) }).contains("C = 0"));
    assert!(error(EvaluateOptions { inner: 1, ..options(&["anova"]) }).contains("at least 2"));
    let plan = Plan::Folds { folds: 61, repeats: 1 };
    assert!(error(EvaluateOptions { plan, ..options(&["anova"]) }).contains("61 folds of 60 rows"));
    let plan = Plan::Folds { folds: 10, repeats: 100_000_000 };
    assert!(error(EvaluateOptions { plan, ..options(&["anova"]) }).contains("splits of so many rows are too many"));
    let judge = Judge::Knn { neighbours: vec![0] };
    assert!(error(EvaluateOptions { judge, ..options(&["anova"]) }).contains("0 neighbours"));
    assert!(error(EvaluateOptions { halves: 1, ..options(&["anova"]) }).contains("from 2"));
    let paper = EvaluateOptions { protocol: Protocol::Paper, ..options(&["anova"]) };
    assert!(error(paper.clone()).contains("one cost"));
    assert!(error(EvaluateOptions { curve: true, judge: svm(&[1.0]), ..paper }).contains("protocol nested"));
    let mut stop = |_: &Progress| ControlFlow::Break(Halt::Interrupted);
    let ended = evaluate(&data, &options(&["anova"]), &mut stop);
    assert!(matches!(ended, Err(EvaluateError::Halted(Halt::Interrupted))));
}

/// Told to end after some fits: what is done by then is said, of the splits that all methods have.
#[test]
fn what_is_done_when_time_is_up_is_said() {
    let data = waveform(90);
    let wishes = EvaluateOptions { judge: svm(&[1.0]), size: Some(Size::Top(3)), ..options(&["anova"]) };
    let mut looks = 0;
    let mut late = |_: &Progress| {
        looks += 1;
        if looks > 25 { ControlFlow::Break(Halt::OutOfTime) } else { ControlFlow::Continue(()) }
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let done = pool.install(|| Evaluation::new(&data, &wishes).unwrap().run(None, &mut late)).unwrap();
    let record = done.record.unwrap();
    assert_eq!(done.halted, Some(Halt::OutOfTime));
    assert!(!record.complete && (1..5).contains(&record.methods[0].folds.len()), "{}", record.methods[0].folds.len());
    assert!(record.notices.iter().any(|notice| notice.contains("of 5 splits are judged")), "{:?}", record.notices);
    let mut at_once = |_: &Progress| ControlFlow::Break(Halt::OutOfTime);
    assert!(Evaluation::new(&data, &wishes).unwrap().run(None, &mut at_once).unwrap().record.is_none());
}
