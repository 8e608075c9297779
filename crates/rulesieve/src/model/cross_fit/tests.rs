//! Held-out results are at chance on noise, high on signal, and independent of the scored rows.

use super::*;
use crate::data::{Column, DatasetOptions, FeatureValues, Table, Target, Task};
use crate::methods::Method;
use crate::optim::{Progress, Silent};
use crate::select::{Size, SizeRule};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::ops::ControlFlow;

fn texts(found: &CrossFit) -> Vec<String> {
    found.warnings.iter().map(ToString::to_string).collect()
}

fn selecting(size: Size) -> SelectOptions {
    let method = Method::Anova;
    SelectOptions { settings: method.settings(&[]).unwrap(), size, ..SelectOptions::new(method) }
}

fn training() -> TrainOptions {
    TrainOptions::new().set([("rules", "4"), ("steps", "150"), ("starts", "2")]).unwrap()
}

/// Random columns; the first of them gives the label where there is a signal. One row in `rare` is of class `b`.
fn table(rows: usize, columns: usize, signal: bool, rare: usize, seed: u64) -> Dataset {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut draw = |_| rng.random_range(-1.0..1.0);
    let values: Vec<Vec<f64>> = (0..columns).map(|_| (0..rows).map(&mut draw).collect()).collect();
    let label = |row: usize| match signal {
        true => values[0][row] > 1.0 - 2.0 / rare as f64,
        false => row.is_multiple_of(rare),
    };
    let target = Column::text("t", (0..rows).map(|row| if label(row) { "b" } else { "a" }));
    let named = values.iter().enumerate().map(|(at, values)| Column::numeric(format!("x{at}"), values.clone()));
    let table = Table::new(named.chain([target]).collect()).unwrap();
    Dataset::new(table, &DatasetOptions::new(Target::named("t"))).unwrap()
}

fn found(data: &Dataset, training: &TrainOptions) -> HeldOut {
    let found = cross_fit(data, &selecting(Size::Top(5)), training, None, &mut Silent);
    assert_eq!((found.folds, found.warnings.len(), found.halted), (5, 0, None), "{found:?}");
    found.held_out.unwrap()
}

#[test]
fn noise_is_predicted_no_better_than_chance() {
    let tables = 24;
    let mut sum = 0.0;
    for seed in 0..tables {
        let data = table(100, 200, false, 2, seed);
        let cross = cross_fit(&data, &selecting(Size::Top(20)), &training(), None, &mut Silent);
        let found = cross.held_out.unwrap();
        assert_eq!(found.chance_accuracy, Some(0.5));
        assert!(found.warning().unwrap().to_string().contains("no better than chance"), "{found:?}");
        sum += found.accuracy.unwrap();
    }
    // Folds share training rows, which makes the deviation of an accuracy 0.06 rather than the 0.05 of independent rows.
    let (mean, error) = (sum / tables as f64, 0.06 / (tables as f64).sqrt());
    assert!((mean - 0.5).abs() <= 3.0 * error, "{mean}");
}

#[test]
fn signal_is_found_in_classes_and_in_numbers() {
    let mut data = table(150, 10, true, 2, 1);
    let classes = found(&data, &training());
    assert!(classes.accuracy.unwrap() > 0.9 && classes.rows == 150 && classes.warning().is_none(), "{classes:?}");
    let FeatureValues::Numeric(x) = &data.features[0].values else { panic!("numbers") };
    let numbers = x.iter().map(|x| 100.0 + 3.0 * x).collect();
    data.target = Target::Numbers { name: "t".into(), values: numbers };
    assert_eq!(data.target.task(), Task::Regression);
    let options = SelectOptions { size: Size::Fraction(1.0), method: Method::Variance, ..selecting(Size::Top(1)) };
    let options = SelectOptions { settings: options.method.settings(&[]).unwrap(), ..options };
    let numbers = cross_fit(&data, &options, &training(), None, &mut Silent).held_out.unwrap();
    assert!(numbers.r2.unwrap() > 0.5 && numbers.rmse.unwrap() < numbers.chance_rmse.unwrap(), "{numbers:?}");
    assert!(numbers.warning().is_none() && (numbers.chance_rmse.unwrap() - 3.0 / 3.0_f64.sqrt()).abs() < 0.2);
}

#[test]
fn a_balanced_model_is_compared_with_equal_shares() {
    let balanced = TrainOptions { balanced: true, ..training() };
    // A rare class behind a noisy boundary: accuracy is traded for its recall.
    let mut signal = table(300, 4, true, 12, 5);
    let FeatureValues::Numeric(x) = &mut signal.features[0].values else { panic!("numbers") };
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    x.iter_mut().for_each(|x| *x += rng.random_range(-0.5..0.5));
    let signal = found(&signal, &balanced);
    assert!(signal.accuracy < signal.chance_accuracy && signal.warning().is_none(), "{signal:?}");
    let noise = found(&table(300, 4, false, 12, 5), &balanced);
    assert!(noise.warning().is_some(), "{noise:?}");
}

/// Replaces the values of some rows: extreme numbers, a category of their own, and the label written into every number.
fn overwrite(data: &Dataset, rows: &[usize]) -> Dataset {
    let mut data = data.clone();
    for feature in &mut data.features {
        match &mut feature.values {
            FeatureValues::Numeric(values) => {
                rows.iter().for_each(|&row| values[row] = 1e3 * f64::from(data.target.codes()[row]) + 7e3);
            }
            FeatureValues::Categorical { levels, codes } => {
                levels.push("zz".to_owned());
                rows.iter().for_each(|&row| codes[row] = levels.len() as u32 - 1);
            }
        }
    }
    data
}

#[test]
fn a_fold_does_not_depend_on_its_held_out_rows() {
    let mut data = table(120, 8, true, 2, 3);
    let codes = (0..120).map(|row| row % 3).collect();
    let levels = ["u", "v", "w"].map(str::to_owned).to_vec();
    data.features.push(Feature { name: "z".into(), values: FeatureValues::Categorical { levels, codes } });
    let options = selecting(Size::Rule(SizeRule::OneSe));
    let folds = Folds::new(&data, 0, None);
    let fitted = |data: &Dataset| {
        let fold = Fold { data, learn: folds.training(2), held_out: &folds.held_out[2] };
        match fold.fit(&options, &training(), &mut Fits::new(&mut Silent, 0, 2)).unwrap() {
            Ended::Fitted(predictor) => {
                let mut model = predictor.model().clone();
                model.training.seconds = 0.0;
                model
            }
            Ended::Halted(halt) => panic!("{halt:?}"),
        }
    };
    let plain = fitted(&data);
    assert_eq!(fitted(&overwrite(&data, &folds.held_out[2])), plain);
    assert_ne!(fitted(&overwrite(&data, &folds.held_out[1])), plain, "results depend on the training rows");
}

#[test]
fn copies_are_held_out_together_and_scored_once() {
    let data = table(40, 3, false, 2, 4);
    let rows: Vec<usize> = (0..40).chain(0..40).chain(0..20).collect();
    let repeated = data.subset(&rows).unwrap();
    let folds = Folds::new(&repeated, 0, Some(&rows));
    for number in 0..FOLDS {
        let learn = folds.training(number);
        assert!(folds.held_out[number].iter().all(|&row| learn.iter().all(|&other| rows[other] != rows[row])));
    }
    let found = cross_fit(&repeated, &selecting(Size::Top(2)), &training(), Some(&rows), &mut Silent);
    assert_eq!(found.held_out.unwrap().rows, 40);
}

#[test]
fn weights_groups_and_columns_without_training_values_are_supported() {
    let mut data = table(60, 4, true, 2, 6);
    let FeatureValues::Numeric(values) = &mut data.features[3].values else { panic!("numbers") };
    // Set in one row only, so that a fold lacks it.
    values.iter_mut().skip(1).for_each(|value| *value = f64::NAN);
    let groups = vec![vec!["x0".to_owned(), "x3".to_owned()], vec!["x1".to_owned()]];
    let options = SelectOptions { groups, ..selecting(Size::Top(3)) };
    let weights = Some((0..60).map(|row| 0.5 + f64::from(row % 4)).collect());
    let found = cross_fit(&data, &options, &TrainOptions { weights, ..training() }, None, &mut Silent);
    assert_eq!((found.folds, found.warnings.len()), (5, 0), "{found:?}");
}

#[test]
fn missing_results_are_reported() {
    let few = cross_fit(&table(8, 3, false, 2, 1), &selecting(Size::Top(1)), &training(), None, &mut Silent);
    assert_eq!(few.held_out, None);
    assert_eq!(texts(&few), ["no held-out results: 8 rows are too few, at least 10 are needed"]);
    // Class `b` has a single row, which one of the folds holds out.
    let rare = table(30, 3, false, 2, 1).subset(&(0..15).map(|row| 2 * row + 1).chain([0]).collect::<Vec<_>>());
    let rare = cross_fit(&rare.unwrap(), &selecting(Size::Top(1)), &training(), None, &mut Silent);
    let found = texts(&rare).join("\n");
    assert!(rare.folds == 4 && found.contains("from 4 of 5 folds: fold") && found.contains("'a'"), "{found}");
}

#[test]
fn an_early_end_keeps_the_complete_folds() {
    let data = table(60, 3, true, 2, 2);
    let (mut calls, mut last) = (0, usize::MAX);
    let mut ended = |limit: usize| {
        calls = 0;
        last = limit;
        let mut watch = |_: &Progress| {
            calls += 1;
            if calls >= last { ControlFlow::Break(Halt::OutOfTime) } else { ControlFlow::Continue(()) }
        };
        let found = cross_fit(&data, &selecting(Size::Top(1)), &training(), None, &mut watch);
        (found, calls)
    };
    let (whole, calls) = ended(usize::MAX);
    assert_eq!((whole.folds, whole.halted), (5, None));
    let (some, _) = ended(calls / 2);
    assert!((1..4).contains(&some.folds) && some.held_out.is_some_and(|found| found.rows == 12 * some.folds));
    assert!(some.warnings[0].to_string().contains("of 5 folds: out of time"), "{:?}", some.warnings);
    let (none, _) = ended(1);
    assert_eq!(texts(&none), ["no held-out results: out of time"]);
    assert_eq!(none.held_out, None);
}

#[test]
fn long_tables_need_fewer_folds() {
    let planned = |rows: usize| Folds::new(&table(rows, 1, false, 2, 0), 0, None).planned();
    assert_eq!([100, 1250, 2000, 2500, 5000, 20_000].map(planned), [5, 4, 3, 2, 1, 1]);
}

#[test]
fn held_out_results_replace_the_warning_about_the_validation_rows() {
    let data = table(60, 3, true, 2, 2);
    let selection = select(&data, &selecting(Size::Top(1)), &mut Silent).unwrap();
    let (mut predictor, _) = train(&data, &selection, &training(), &mut Silent).unwrap();
    let chance = Warning::ValidationNoBetterThanChance { loss: 1.0, chance_loss: 1.0 };
    predictor.training_mut().warnings = vec![chance, Warning::NothingVaries];
    let mut found = cross_fit(&data, &selecting(Size::Top(1)), &training(), None, &mut Silent);
    predictor.set_held_out(found.clone());
    assert_eq!(predictor.model().training.warnings, [Warning::NothingVaries]);
    if let Some(held_out) = &mut found.held_out {
        held_out.better_than_chance = false;
    }
    predictor.set_held_out(found);
    assert!(predictor.model().training.warnings[1].to_string().contains("no better than chance on 60 held-out rows"));
}
