//! Known answers, chance where there is nothing to find, and the leak that the protocol prevents.

use super::*;
use crate::svm::{Gram, Svc, SvmOptions};
use rulesieve::data::{Column, DatasetOptions, Encoder, Table};
use rulesieve::generate;
use rulesieve::methods::Problem;
use rulesieve::optim::{Progress, Silent};
use std::ops::ControlFlow;

fn contender(name: &str) -> Contender {
    let method = methods::find(name).unwrap();
    Contender { method, settings: method.settings(&[]).unwrap() }
}

fn options(names: &[&str]) -> EvaluateOptions {
    EvaluateOptions {
        contenders: names.iter().map(|name| contender(name)).collect(),
        size: None,
        coding: CategoricalCoding::OneHot,
        plan: Plan::Folds { folds: 5, repeats: 1 },
        inner: 3,
        kernel: KernelKind::Rbf,
        gamma: Gamma::Scale,
        costs: vec![1.0, 10.0],
        permute: false,
        seed: 3,
    }
}

fn waveform(rows: usize) -> Dataset {
    let table = generate::find("waveform").unwrap().generate(Some(rows), None, 1).unwrap().table;
    Dataset::new(table, &DatasetOptions::default()).unwrap()
}

/// Noise in many columns, labels by the toss of a coin.
fn noise(rows: usize, columns: usize, seed: u64) -> Dataset {
    use rand::RngExt;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut all: Vec<Column> = (0..columns)
        .map(|at| Column::numeric(format!("x{at:03}"), (0..rows).map(|_| rng.random::<f64>()).collect()))
        .collect();
    all.push(Column::text("t", (0..rows).map(|_| if rng.random::<bool>() { "a" } else { "b" })));
    Dataset::new(Table::new(all).unwrap(), &DatasetOptions { target: Some("t".into()), ..Default::default() }).unwrap()
}

#[test]
fn a_filter_finds_what_carries_signal_and_beats_the_baselines() {
    let found = evaluate(&waveform(300), &options(&["anova", "variance"]), &mut Silent).unwrap();
    let (anova, base) = (&found.methods[0], &found.baselines);
    assert!(anova.accuracy.mean > 0.75 && anova.accuracy.mean > base.majority.mean + 0.3, "{:?}", anova.accuracy);
    let ten = EvaluateOptions { size: Some(Size::Top(10)), ..options(&["anova"]) };
    let ten = evaluate(&waveform(300), &ten, &mut Silent).unwrap();
    assert!(ten.methods[0].stability.unwrap().value > 0.5, "{:?}", ten.methods[0].stability);
    assert!(ten.methods[0].folds.iter().all(|fold| fold.selected.len() == 10));
    assert_eq!(base.all_features.features.mean, 40.0);
    let mut judged: Vec<usize> = anova.folds.iter().flat_map(|fold| fold.test.clone()).collect();
    judged.sort_unstable();
    assert_eq!(judged, (0..300).collect::<Vec<_>>());
    for fold in &anova.folds {
        assert_eq!((fold.predicted.len(), fold.train_rows), (fold.test.len(), 300 - fold.test.len()));
        assert!([1.0, 10.0].contains(&fold.svm.c) && fold.svm.gamma.unwrap() > 0.0);
    }
    let against = found.methods[1].first_against_this.as_ref().unwrap();
    assert!((against.difference - (anova.accuracy.mean - found.methods[1].accuracy.mean)).abs() < 1e-12);
    assert!(anova.frequencies.values().all(|share| (0.0..=1.0).contains(share)));
}

/// Over several seeds, so that the mean has a small error: a leak of a few points would show.
#[test]
fn random_labels_give_chance_under_the_protocol() {
    let data = waveform(120);
    let chance = 1.0 / 3.0_f64;
    let names = ["anova", "ldr-tsk", "variance"];
    let mut means = vec![Vec::new(); names.len()];
    for seed in 0..12 {
        let wishes = EvaluateOptions { permute: true, seed, ..options(&names) };
        let found = evaluate(&data, &wishes, &mut Silent).unwrap();
        means.iter_mut().zip(&found.methods).for_each(|(means, method)| means.push(method.accuracy.mean));
    }
    for (name, means) in names.iter().zip(&means) {
        let mean = means.iter().sum::<f64>() / means.len() as f64;
        let variance = means.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / (means.len() - 1) as f64;
        let away = (mean - chance) / (variance / means.len() as f64).sqrt();
        assert!(away.abs() < 2.5, "{name}: {mean}, {away} standard errors from chance");
    }
}

/// The same noise, with the features chosen on all rows before the folds are made: the test shows the leak.
#[test]
fn selection_outside_the_folds_would_leak() {
    let data = noise(80, 400, 5);
    let inside = {
        let wishes = EvaluateOptions { size: Some(Size::Top(10)), costs: vec![1.0], ..options(&["anova"]) };
        evaluate(&data, &wishes, &mut Silent).unwrap().methods[0].accuracy.mean
    };
    let rows: Vec<usize> = (0..80).collect();
    let design = Encoder::fit(&data, &rows, CategoricalCoding::OneHot).unwrap().transform(&data, &rows).unwrap();
    let names: Vec<&str> = data.features.iter().map(|feature| feature.name.as_str()).collect();
    let problem = Problem { design: &design, names: &names, target: &data.target, weights: None };
    let one = contender("anova");
    let fit = one.method.prepare(problem).unwrap().fit(&one.settings, 0, &mut Silent).unwrap();
    let mut order: Vec<usize> = (0..400).collect();
    order.sort_by(|&a, &b| fit.scores[b].total_cmp(&fit.scores[a]));
    let x = rulesieve::linalg::Matrix::from_fn(80, 10, |row, at| design.x[(row, order[at])]);
    let gram = Gram::new(&x);
    let mut right = 0;
    for split in splits(&Plan::Folds { folds: 5, repeats: 1 }, &data.target.codes, 3).unwrap() {
        let svm = SvmOptions::rbf(1.0, Gamma::Scale, &gram, &split.train);
        let answers = Svc::fit(&gram, &split.train, &data.target.codes, 2, &svm).predict(&gram, &split.test);
        right += split.test.iter().zip(&answers).filter(|(row, answer)| data.target.codes[**row] == **answer).count();
    }
    let outside = right as f64 / 80.0;
    assert!(outside > 0.7 && inside < 0.62, "outside {outside}, inside {inside}");
}

#[test]
fn the_same_seed_gives_the_same_answers() {
    let data = waveform(120);
    let run = |seed: u64| {
        let found = evaluate(&data, &EvaluateOptions { seed, ..options(&["anova"]) }, &mut Silent).unwrap();
        found.methods[0].folds.iter().map(|fold| (fold.selected.clone(), fold.predicted.clone())).collect::<Vec<_>>()
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

/// Two rows of a class: inner folds have none to learn from.
#[test]
fn every_method_lives_with_a_class_that_is_absent_from_a_part() {
    let rows: Vec<f64> = (0..32).map(|row| f64::from(row * 7 % 32)).collect();
    let label = (0..32).map(|row| if row > 29 { "c" } else { ["a", "b"][row % 2] });
    let second = Column::numeric("y", rows.iter().map(|value| value * value % 5.0).collect());
    let columns = vec![Column::numeric("x", rows.clone()), second, Column::text("t", label)];
    let wishes = DatasetOptions { target: Some("t".into()), ..Default::default() };
    let data = Dataset::new(Table::new(columns).unwrap(), &wishes).unwrap();
    let mut options = options(&[]);
    for method in methods::all() {
        let quick = [("steps".to_owned(), "20".to_owned())];
        let settings = method.settings(&quick).or_else(|_| method.settings(&[])).unwrap();
        options.contenders.push(Contender { method, settings });
    }
    let found = evaluate(&data, &options, &mut Silent).unwrap();
    assert!(found.notices.iter().any(|notice| notice.contains("without a row to judge") && notice.contains("c (3)")));
    assert_eq!(found.methods.len(), methods::all().len());
}

#[test]
fn one_by_one_all_rows_are_judged_together() {
    let wishes =
        EvaluateOptions { plan: Plan::LeaveOneOut, size: Some(Size::Top(5)), costs: vec![1.0], ..options(&["anova"]) };
    let data = waveform(60);
    let found = evaluate(&data, &wishes, &mut Silent).unwrap();
    let anova = &found.methods[0];
    assert_eq!((anova.folds.len(), anova.accuracy.std, found.inner_folds), (60, None, None));
    let right = anova.folds.iter().filter(|fold| fold.accuracy == 1.0).count();
    assert!((anova.accuracy.mean - right as f64 / 60.0).abs() < 1e-12);
    assert!(anova.mcc.mean > 0.2 && anova.macro_f1.mean != anova.accuracy.mean, "{:?}", anova.mcc);
    assert!(found.baselines.majority.mean > 0.3);
}

#[test]
fn what_cannot_be_judged_is_refused_and_an_observer_ends_it() {
    let data = waveform(60);
    let error = |wishes: EvaluateOptions| evaluate(&data, &wishes, &mut Silent).unwrap_err().to_string();
    assert!(error(options(&["anova", "anova"])).contains("'anova' is named twice"));
    assert!(error(options(&[])).contains("at least one method"));
    assert!(error(EvaluateOptions { costs: vec![0.0], ..options(&["anova"]) }).contains("C = 0"));
    assert!(error(EvaluateOptions { inner: 1, ..options(&["anova"]) }).contains("at least 2"));
    let plan = Plan::Folds { folds: 61, repeats: 1 };
    assert!(error(EvaluateOptions { plan, ..options(&["anova"]) }).contains("61 folds of 60 rows"));
    let plan = Plan::Folds { folds: 10, repeats: 100_000_000 };
    assert!(error(EvaluateOptions { plan, ..options(&["anova"]) }).contains("splits of so many rows are too many"));
    let mut stop = |_: &Progress| ControlFlow::Break(Halt::Interrupted);
    let ended = evaluate(&data, &options(&["anova"]), &mut stop);
    assert_eq!(ended, Err(EvaluateError::Halted(Halt::Interrupted)));
}
