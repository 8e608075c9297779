//! Tests of the model: round trips, damaged files, other tables, and known rules.

mod damage;
mod explain;
mod metrics;
mod tables;
mod training;

use super::*;
use crate::data::{CategoricalCoding, Code, Column, ColumnEncoder, Encoder, Missing, Reading, Table, Task, Term};

/// A model made by hand: `size` from 0 to 10 and `kind` a, b or c, two rules.
///
/// Rule 1: size is low, kind is a: predicts `no`. Rule 2: size is high, any kind: predicts `yes`.
fn by_hand() -> Model {
    let size = Code::Numeric { median: 4.0, low: 0.0, high: 10.0 };
    let levels = ["a", "b", "c"].map(str::to_owned).to_vec();
    let kind =
        Code::Categorical { levels, frequent: 1, coding: CategoricalCoding::OneHot, other: false, missing: None };
    let column = |name: &str, code| ColumnEncoder { name: name.to_owned(), code };
    Model {
        schema: SCHEMA.to_owned(),
        version: "0".to_owned(),
        task: Task::Classification,
        method: "anova".to_owned(),
        seed: 0,
        target: "t".to_owned(),
        classes: vec!["no".to_owned(), "yes".to_owned()],
        features: vec!["size".to_owned(), "kind".to_owned()],
        preprocessing: Preprocessing {
            missing: Missing::Median,
            dates: Vec::new(),
            reading: Reading::default(),
            columns: Encoder { columns: vec![column("size", size), column("kind", kind)] },
            means: vec![0.5, 0.0, 0.0, 0.0],
            factors: vec![2.0, 1.0, 1.0, 1.0],
            profiles: vec![
                Profile::Quantiles((0..=10).map(f64::from).collect()),
                Profile::Shares(vec![0.25, 0.5, 0.25]),
            ],
        },
        network: RuleBase {
            centres: vec![vec![-0.8, 1.0, 0.0, 0.0], vec![0.9, 0.3, 0.3, 0.3]],
            log_spreads: vec![vec![-2.0; 4], vec![-1.5, 4.0, 4.0, 4.0]],
            constants: vec![vec![1.0, -1.0], vec![-2.0, 2.0]],
            slopes: vec![vec![vec![0.0; 4]; 2], vec![vec![0.0; 4], vec![0.5, 0.0, 0.0, 0.0]]],
        },
        rules: vec![
            RuleInfo { weight: 0.3, coverage: 0.25, effects: vec![1.0, -1.0] },
            RuleInfo { weight: 0.7, coverage: 0.75, effects: vec![-2.1, 2.1] },
        ],
        recovered: None,
        output: OutputScale { mean: 0.0, scale: 1.0 },
        training: Training {
            samples: 4,
            training_rows: 3,
            validation_rows: 1,
            training_loss: 0.1,
            validation_loss: 0.2,
            chance_loss: 0.7,
            training_accuracy: 1.0,
            validation_accuracy: 1.0,
            tried: vec![(2, 0.2)],
            steps: 10,
            on_all_rows: true,
            converged: true,
            seconds: 0.1,
            params: Default::default(),
            held_out: None,
            warnings: Vec::new(),
        },
    }
}

/// The same model with another policy for missing values.
fn with_policy(missing: Missing) -> Predictor {
    let mut model = by_hand();
    model.preprocessing.missing = missing;
    Predictor::new(model).unwrap()
}

fn table(columns: Vec<Column>) -> Table {
    Table::new(columns).unwrap()
}

fn classes(predictions: &Predictions) -> Vec<Option<usize>> {
    let class = |row: &Option<Prediction>| match row {
        Some(Prediction::Class { class, .. }) => Some(*class),
        _ => None,
    };
    predictions.rows.iter().map(class).collect()
}

#[track_caller]
fn assert_contains(message: impl ToString, parts: &[&str]) {
    let message = message.to_string();
    for part in parts {
        assert!(message.contains(part), "'{part}' is missing in: {message}");
    }
}
