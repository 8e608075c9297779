//! Models trained without loading the table.

use super::*;
use crate::data::{CategoricalCoding, Missing, TargetColumn};
use crate::model::{self, Metrics, Model, Predictor, Profile, TrainOptions};
use crate::optim::{Halt, Progress};
use crate::select;
use std::ops::ControlFlow;

fn train_options(set: &[(&str, &str)]) -> TrainOptions {
    TrainOptions::new().set(set.iter().copied()).unwrap().seed(3)
}

/// A quick selection of these columns.
fn choosing(data: &Dataset, features: &[&str]) -> Selection {
    let variance = options(Method::Variance, 0, &[]);
    let mut selection = select::select(data, &variance, &mut Silent).unwrap();
    selection.selected = features.iter().map(|&name| name.to_owned()).collect();
    selection
}

fn train(surveyed: &Surveyed<'_>, features: &[&str], set: &[(&str, &str)]) -> Result<Predictor, StreamError> {
    let selection = choosing(&surveyed.sample, features);
    Ok(surveyed.train(&selection, &train_options(set), &mut Silent)?.0)
}

/// Accuracy or R squared for the rows of a table.
fn score(predictor: &Predictor, table: &Table) -> f64 {
    let mut metrics = Metrics::new(predictor.model());
    let target = table.columns().iter().find(|column| column.name == predictor.model().target).unwrap();
    metrics.add(&predictor.predict(table, 1).unwrap().rows, target, 1).unwrap();
    let found = metrics.finish().unwrap();
    found.classes.map_or_else(|| found.r2.unwrap(), |classes| classes.accuracy)
}

fn without_time(predictor: &Predictor) -> Model {
    let mut model = predictor.model().clone();
    model.training.seconds = 0.0;
    model
}

#[test]
fn accuracy_is_close_to_training_in_memory() {
    let friedman = ["x1", "x2", "x3", "x4", "x5"];
    let waveform = ["x5", "x7", "x11", "x13", "x15", "x17"];
    let problems: [(&str, usize, Task, &[&str], f64); 3] = [
        ("xor", 4, Task::Classification, &["x2", "x1"], 0.93),
        ("waveform", 21, Task::Classification, &waveform, 0.75),
        ("friedman", 6, Task::Regression, &friedman, 0.8),
    ];
    for (name, width, task, features, least) in problems {
        let table = generate::find(name).unwrap().generate(Some(7000), Some(width), 4).unwrap().table;
        let (seen, unseen) = (table.slice(0..6000), table.slice(6000..7000));
        let data = DatasetOptions::new(TargetColumn { task: Some(task), ..TargetColumn::default() });
        let set = [("steps", "200"), ("starts", "1"), ("rules", "16")];

        let source = Rows::new(seen.clone(), 999);
        let surveyed = Surveyed::new(&source, &data, 1).unwrap();
        let streamed = train(&surveyed, features, &set).unwrap();
        let training = &streamed.model().training;
        assert!((600..=820).contains(&training.validation_rows) && !training.on_all_rows, "{training:?}");
        assert_eq!((training.samples, training.training_rows + training.validation_rows), (6000, 6000));
        assert!(
            training.warnings.iter().any(|warning| warning.to_string().contains("sample of 4096 of 6000 rows")),
            "{training:?}"
        );

        let whole = Dataset::new(seen, &data).unwrap();
        let options = train_options(&set);
        let (held, _) = model::train(&whole, &choosing(&whole, features), &options, &mut Silent).unwrap();
        let (streamed, held) = (score(&streamed, &unseen), score(&held, &unseen));
        assert!(streamed > least && streamed > held - 0.03, "{name}: {streamed} streamed, {held} in memory");
    }
}

#[test]
fn preprocessing_agrees_with_training_in_memory() {
    let data = DatasetOptions { categorical: vec!["year".into()], missing: Missing::Median, ..on_target() };
    let features = ["two", "kind", "year", "gaps"];
    for coding in [CategoricalCoding::OneHot, CategoricalCoding::Ordinal] {
        let (options, data) = (train_options(&[("steps", "3")]), data.clone().coding(coding));
        let source = Rows::new(mixed(60), 7);
        let surveyed = Surveyed::new(&source, &data, 0).unwrap();
        let (streamed, _) = surveyed.train(&choosing(&surveyed.sample, &features), &options, &mut Silent).unwrap();
        let whole = Dataset::new(mixed(60), &data).unwrap();
        let (held, _) = model::train(&whole, &choosing(&whole, &features), &options, &mut Silent).unwrap();
        let (a, b) = (&streamed.model().preprocessing, &held.model().preprocessing);
        assert_eq!((&a.columns, &a.profiles, a.missing), (&b.columns, &b.profiles, b.missing));
        for (a, b) in a.means.iter().chain(&a.factors).zip(b.means.iter().chain(&b.factors)) {
            assert!((a - b).abs() < 1e-11, "{a} {b}");
        }
        assert_eq!(streamed.model().classes, held.model().classes);
    }
}

#[test]
fn the_model_has_the_same_bits_for_any_number_of_threads() {
    let table = generate::find("waveform").unwrap().generate(Some(6000), Some(21), 3).unwrap().table;
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let source = Rows::new(table.clone(), 800);
        pool.install(|| {
            let surveyed = Surveyed::new(&source, &DatasetOptions::default(), 5).unwrap();
            without_time(&train(&surveyed, &["x7", "x15"], &[("steps", "30")]).unwrap())
        })
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn the_next_number_of_rules_continues_reading_at_the_current_row() {
    let table = generate::find("xor").unwrap().generate(Some(3000), Some(3), 3).unwrap().table;
    let source = Rows::new(table, 500);
    let surveyed = Surveyed::new(&source, &DatasetOptions::default(), 5).unwrap();
    source.begun.store(0, Ordering::SeqCst);
    // Every number of rules takes one buffer of 64 mini-batches.
    let model = train(&surveyed, &["x1", "x2"], &[("steps", "64"), ("batch", "16")]).unwrap();
    let training = &model.model().training;
    let (tried, available) = (training.tried.len(), 3000 - training.validation_rows);
    assert!(tried > 2);
    assert_eq!(source.begun.load(Ordering::SeqCst), (tried * 1024).div_ceil(available));
    assert_eq!((training.training_rows, training.samples), (1024, 3000), "no more than its mini-batches had");
}

#[test]
fn columns_without_sampled_values_can_be_selected() {
    let rows = 9000;
    let signal = |row: usize| if row.is_multiple_of(2) { 0.0 } else { (row * 7 % 101) as f64 };
    let table = |rare: &dyn Fn(usize) -> f64| {
        let columns = [("a", (0..rows).map(signal).collect()), ("rare", (0..rows).map(rare).collect())];
        let columns = columns.map(|(name, values)| Column::numeric(name, values)).into_iter();
        Rows::new(Table::new(columns.chain([labels(rows)]).collect()).unwrap(), 1000)
    };
    let data = DatasetOptions { missing: Missing::Median, ..on_target() };
    let first = table(&|row| row as f64);
    let indices = Surveyed::new(&first, &data, 2).unwrap().indices;
    let hidden: Vec<usize> = (0..rows).filter(|&row| !indices.contains(&(row as u64))).take(2).collect();
    let source = table(&|row| hidden.iter().position(|&at| at == row).map_or(f64::NAN, |at| 5.0 + at as f64));
    let surveyed = Surveyed::new(&source, &data, 2).unwrap();
    let model = without_time(&train(&surveyed, &["rare", "a"], &[("steps", "5")]).unwrap());
    let Profile::Quantiles(quantiles) = &model.preprocessing.profiles[0] else { panic!("{model:?}") };
    assert!(quantiles.iter().all(|&value| value == 5.5), "{quantiles:?}");
}

#[test]
fn an_observer_ends_training_and_errors_have_a_reason() {
    let table = generate::find("xor").unwrap().generate(Some(300), Some(3), 3).unwrap().table;
    let source = Rows::new(table, 100);
    let surveyed = Surveyed::new(&source, &DatasetOptions::default(), 5).unwrap();
    let selection = choosing(&surveyed.sample, &["x1", "x2"]);
    let mut stop = |_: &Progress| ControlFlow::Break(Halt::OutOfTime);
    let options = train_options(&[]);
    let (predictor, halted) = surveyed.train(&selection, &options, &mut stop).unwrap();
    assert_eq!(halted, Some(Halt::OutOfTime));
    assert!(predictor.model().training.warnings[0].to_string().contains("out of time"));
    let error = |features: &[&str], set: &[(&str, &str)]| train(&surveyed, features, set).unwrap_err().to_string();
    let few = error(&["x1"], &[("rules", "290")]);
    assert!(few.contains("rules = 290") && few.contains("training rows, 240"), "{few}");
    assert!(error(&["x9"], &[]).contains("no column 'x9'"));
}

#[test]
fn a_file_that_changes_is_rejected() {
    /// Other rows after the first look and the first pass.
    struct ChangingSource(Rows, Rows);
    impl RowSource for ChangingSource {
        fn pieces(&self, texts: &[String]) -> Result<Pieces<'_>, SourceError> {
            if self.0.begun.load(Ordering::SeqCst) < 2 { self.0.pieces(texts) } else { self.1.pieces(texts) }
        }
    }
    let table = |rows: usize, class: &'static str| {
        let values = (0..rows).map(|row| (row * row % 31) as f64).collect();
        let target = Column::text("t", (0..rows).map(|row| if row == 77 { class } else { ["p", "q"][row % 2] }));
        Rows::new(Table::new(vec![Column::numeric("a", values), target]).unwrap(), 50)
    };
    for (after, part) in [(table(120, "q"), "120 training rows"), (table(200, "new"), "199 training rows, 200 before")]
    {
        let source = ChangingSource(table(200, "q"), after);
        let surveyed = Surveyed::new(&source, &on_target(), 5).unwrap();
        let error = train(&surveyed, &["a"], &[("holdout", "0")]).unwrap_err().to_string();
        assert!(error.contains("changed while it was read") && error.contains(part), "{error}");
    }
}
