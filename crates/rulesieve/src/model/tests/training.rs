//! Training of models.

use super::*;
use crate::data::{Dataset, DatasetOptions, Target};
use crate::methods::Method;
use crate::optim::{Halt, Progress, Silent};
use crate::rule_network::pass::Pass;
use crate::select::{SelectOptions, Selection, Size, select};
use std::ops::ControlFlow;

/// Two columns whose product determines the class, and a category that is noise.
fn data(rows: usize) -> Dataset {
    let at = |row: usize, step: f64| (row as f64 * step).fract() * 2.0 - 1.0;
    let (x, y): (Vec<f64>, Vec<f64>) = (0..rows).map(|row| (at(row, 0.618_034), at(row, 0.414_214))).unzip();
    let label: Vec<&str> = x.iter().zip(&y).map(|(x, y)| if x * y > 0.0 { "same" } else { "other" }).collect();
    let kind = Column::text("kind", (0..rows).map(|row| ["u", "v", "w"][row % 3]));
    let columns = vec![Column::numeric("x", x), Column::numeric("y", y), kind, Column::text("t", label)];
    Dataset::new(table(columns), &DatasetOptions::new(Target::named("t"))).unwrap()
}

fn selected(data: &Dataset) -> Selection {
    select(data, &SelectOptions::new(Method::Variance).size(Size::Top(3)), &mut Silent).unwrap()
}

fn options(set: &[(&str, &str)]) -> TrainOptions {
    TrainOptions::new().set(set.iter().copied()).unwrap().seed(3)
}

fn labels(data: &Dataset) -> Table {
    let columns = data.features.iter().map(|feature| match &feature.values {
        crate::data::FeatureValues::Numeric(values) => Column::numeric(&feature.name, values.clone()),
        crate::data::FeatureValues::Categorical { levels, codes } => {
            Column::text(&feature.name, codes.iter().map(|&code| &levels[code as usize]))
        }
    });
    table(columns.collect())
}

#[test]
fn an_interaction_is_learned_and_the_rules_can_be_saved() {
    let data = data(400);
    let (predictor, halted) = train(&data, &selected(&data), &options(&[("steps", "400")]), &mut Silent).unwrap();
    assert_eq!(halted, None);
    let predictions = predictor.predict(&labels(&data), 1).unwrap();
    let right =
        classes(&predictions).iter().zip(data.target.codes()).filter(|(a, b)| **a == Some(**b as usize)).count();
    assert!(right > 360, "{right} of 400");
    let model = predictor.model();
    let weights: f64 = model.rules.iter().map(|rule| rule.weight).sum();
    let coverage: f64 = model.rules.iter().map(|rule| rule.coverage).sum();
    assert!((weights - 1.0).abs() < 1e-9 && (coverage - 1.0).abs() < 1e-9);
    let back: Model = serde_json::from_str(&serde_json::to_string(model).unwrap()).unwrap();
    assert_eq!(Predictor::new(back).unwrap().predict(&labels(&data), 1).unwrap(), predictions);
}

#[test]
fn training_is_the_same_for_any_number_of_threads() {
    let data = data(120);
    let selection = selected(&data);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let set = options(&[("steps", "40"), ("order", "zero")]);
        let mut model = pool.install(|| train(&data, &selection, &set, &mut Silent)).unwrap().0.model().clone();
        model.training.seconds = 0.0;
        model
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn the_model_has_the_outputs_of_the_trained_network() {
    let data = data(60);
    let (predictor, _) = train(&data, &selected(&data), &options(&[("steps", "30")]), &mut Silent).unwrap();
    let network = predictor.model().network.to_network();
    let features = predictor.model().preprocessing.columns.adopt(&labels(&data), 1).unwrap();
    let samples = predictor.samples(&features, 60).unwrap();
    let width = network.dimensions();
    let x = crate::linalg::Matrix::from_column_major(width, 60, samples.clone()).unwrap();
    let mut pass = Pass::default();
    pass.forward(&network, &x, 0..60);
    for row in 0..60 {
        let inference = predictor.model().network.infer(&samples[row * width..(row + 1) * width]);
        for (output, value) in inference.outputs.iter().enumerate() {
            assert!((value - pass.logits[(row, output)]).abs() < 1e-9, "row {row}");
        }
    }
}

#[test]
fn a_column_of_rare_levels_can_be_used() {
    let rows = 300;
    let x = (0..rows).map(|row| (row * 37 % 101) as f64).collect();
    let columns = vec![
        Column::numeric("x", x),
        Column::text("name", (0..rows).map(|row| format!("n{}", row % 150))),
        Column::text("t", (0..rows).map(|row| ["v", "w"][row * 37 % 101 / 51])),
    ];
    let data = Dataset::new(table(columns), &DatasetOptions::new(Target::named("t"))).unwrap();
    let selection = select(&data, &SelectOptions::new(Method::Variance).size(Size::Top(2)), &mut Silent).unwrap();
    let (model, _) = train(&data, &selection, &options(&[("steps", "9")]), &mut Silent).unwrap();
    let at = model.model().features.iter().position(|name| name == "name").unwrap();
    let Profile::Shares(shares) = &model.model().preprocessing.profiles[at] else { panic!("categories") };
    assert_eq!(shares.iter().copied().fold(0.0, f64::max), 1.0, "{shares:?}");
    let fault = |path: &str| TrainError::Unusable(ModelError::Damaged { path: path.into(), fault: "is NaN".into() });
    assert!(fault("network.centres[0][1]").remedy().is_some());
    assert_eq!(fault("preprocessing.profiles[1][0]").remedy(), None, "the rate does not matter");
}

#[test]
fn an_observer_ends_training_and_bad_parameters_are_named() {
    let data = data(60);
    let selection = selected(&data);
    let mut stop = |_: &Progress| ControlFlow::Break(Halt::OutOfTime);
    let (predictor, halted) = train(&data, &selection, &options(&[]), &mut stop).unwrap();
    assert_eq!(halted, Some(Halt::OutOfTime));
    assert_contains(&predictor.model().training.warnings[0], &["out of time"]);
    // Ended while the second number of rules is tried: the rules of the first are kept, with a warning.
    let mut stop = |progress: &Progress| match progress.iteration {
        0..=1000 => ControlFlow::Continue(()),
        _ => ControlFlow::Break(Halt::OutOfTime),
    };
    let more = self::data(200);
    let (predictor, halted) = train(&more, &selected(&more), &options(&[("steps", "1000")]), &mut stop).unwrap();
    let training = &predictor.model().training;
    assert_eq!((halted, training.tried.len(), training.on_all_rows), (Some(Halt::OutOfTime), 1, false));
    assert_contains(&training.warnings[0], &["out of time while 8 rules were tried", "smaller number"]);
    let error = train(&data, &selection, &options(&[("rules", "100")]), &mut Silent).unwrap_err();
    assert_contains(error, &["rules = 100", "number of training rows"]);
    let small = train(&data, &selection, &options(&[("holdout", "0"), ("steps", "5")]), &mut Silent).unwrap().0;
    assert_eq!(small.model().training.validation_rows, 0);
}

#[test]
fn shuffled_labels_leave_accuracy_at_chance() {
    let mut data = data(600);
    crate::methods::tests::shuffle(&mut data.target, 3);
    let classes = data.target.classes().len();
    let share =
        |class: usize| data.target.codes().iter().filter(|&&code| code as usize == class).count() as f64 / 600.0;
    let chance = (0..classes).map(share).fold(0.0, f64::max);
    let (predictor, _) = train(&data, &selected(&data), &options(&[]), &mut Silent).unwrap();
    let training = &predictor.model().training;
    let error = (chance * (1.0 - chance) / training.validation_rows as f64).sqrt();
    assert!((training.validation_accuracy - chance).abs() < 2.5 * error, "{} {chance}", training.validation_accuracy);
}

#[test]
fn continued_training_improves_a_model() {
    let all = data(900);
    let rows = |range: std::ops::Range<usize>| {
        (labels(&all).slice(range.clone()), Labels::Classes(all.target.codes()[range].to_vec()))
    };
    let first = data(60);
    let (mut model, _) = train(&first, &selected(&first), &options(&[("steps", "60")]), &mut Silent).unwrap();
    let test = labels(&all).slice(600..900);
    let right = |model: &Predictor| {
        let found = classes(&model.predict(&test, 1).unwrap());
        found.iter().zip(&all.target.codes()[600..]).filter(|(a, b)| **a == Some(**b as usize)).count()
    };
    let before = right(&model);
    let go_on = |model: &Predictor, rows: &(Table, Labels), seed| {
        continue_training(model, &rows.0, &rows.1, &ContinueOptions { passes: 20, rate: 0.02, seed }, &mut Silent)
    };
    for block in 0..9 {
        model = go_on(&model, &rows(60 + 60 * block..120 + 60 * block), block as u64).unwrap();
    }
    let after = right(&model);
    assert!(after > before + 15, "{before} of 300 right, then {after}");
    assert_eq!(model.model().training.samples, 600);
    let weights: f64 = model.model().rules.iter().map(|rule| rule.weight).sum();
    assert!((weights - 1.0).abs() < 1e-9);

    let one = rows(7..8);
    assert!(go_on(&model, &one, 0).is_ok(), "a single row");
    for (labels, expected) in [
        (Labels::Classes(vec![2]), TrainError::LabelMismatch { classes: 2 }),
        (Labels::Numbers(vec![1.0]), TrainError::LabelMismatch { classes: 2 }),
        (Labels::Classes(vec![1, 0]), TrainError::OtherRows { rows: 1, labels: 2 }),
    ] {
        assert_eq!(go_on(&model, &(one.0.clone(), labels), 0).unwrap_err(), expected);
    }
    let mut ended = |_: &Progress| ControlFlow::Break(Halt::Interrupted);
    let long = ContinueOptions { passes: 100_000, rate: 0.02, seed: 0 };
    assert!(continue_training(&model, &one.0, &one.1, &long, &mut ended).is_ok(), "an end is not a failure");
}
