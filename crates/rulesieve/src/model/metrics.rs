//! Accumulates the metrics of predictions row by row.

use super::confusion::Confusion;
use super::predict::Prediction;
use super::record::Model;
use crate::data::table::{Column, ColumnData, is_missing_label};
use crate::data::{DataError, Levels, Task, names};
use serde::Serialize;

/// Minimum probability in the log-loss, which keeps the mean finite.
const LEAST: f64 = 1e-15;
const SECONDS_PER_DAY: f64 = 86_400.0;

/// Counts and sums over the rows so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Metrics {
    classes: Vec<String>,
    regression: bool,
    confusion: Confusion,
    log_loss: f64,
    /// Rows without a label, and rows without a prediction.
    unlabelled: usize,
    unanswered: usize,
    /// For regression: count, mean, sum of squared deviations from it, sum of squared errors.
    numbers: (usize, f64, f64, f64),
}

/// The result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evaluation {
    /// Rows with a label and a prediction.
    pub rows: usize,
    /// Rows without a label; they do not count.
    pub unlabelled: usize,
    /// Rows without a prediction, because they are incomplete; they do not count.
    pub unanswered: usize,
    /// Rows with a class unknown to the model; they count as wrong, but not in the log-loss.
    pub unknown_labels: usize,
    /// For classification.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub classes: Option<ClassScores>,
    /// For regression: the root mean squared error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rmse: Option<f64>,
    /// For regression: the coefficient of determination; absent for a constant target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r2: Option<f64>,
}

/// Metrics of a classification.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassScores {
    /// Accuracy.
    pub accuracy: f64,
    /// Mean recall over the classes that occur.
    pub balanced_accuracy: f64,
    /// Mean F1 over the classes that occur or are predicted.
    pub macro_f1: f64,
    /// Log-loss over the rows of known classes; absent if there are none.
    pub log_loss: Option<f64>,
    /// The classes, in the order of the matrix.
    pub class_names: Vec<String>,
    /// Confusion matrix: true classes in rows, predicted classes in columns.
    pub confusion: Vec<Vec<usize>>,
}

impl Metrics {
    /// Empty metrics for a model.
    pub fn new(model: &Model) -> Self {
        Self {
            classes: model.classes.clone(),
            regression: model.task == Task::Regression,
            confusion: Confusion::empty(model.classes.len()),
            log_loss: 0.0,
            unlabelled: 0,
            unanswered: 0,
            numbers: (0, 0.0, 0.0, 0.0),
        }
    }

    /// Adds predictions and the target column; `first_row` is the number of the first row in messages.
    pub fn add(&mut self, rows: &[Option<Prediction>], target: &Column, first_row: usize) -> Result<(), DataError> {
        let classes = std::mem::take(&mut self.classes);
        let known = Levels::new(&classes);
        let mut outcome = Ok(());
        for (row, prediction) in rows.iter().enumerate() {
            let missing = match &target.data {
                ColumnData::Numeric(values) | ColumnData::Dates(values) => values[row].is_nan(),
                ColumnData::Text(text) => is_missing_label(text.get(row)),
            };
            match prediction {
                _ if missing => self.unlabelled += 1,
                None => self.unanswered += 1,
                Some(Prediction::Class { class, probabilities }) => {
                    self.count(known.find(&target.cell(row)), *class, probabilities);
                }
                Some(Prediction::Number(value)) => match number(target, row) {
                    Some(truth) if truth.is_finite() => self.measure(truth, *value),
                    _ => {
                        let (column, value) = (target.name.clone(), names::short(&target.cell(row)));
                        outcome = Err(DataError::NotANumber { column, row: (first_row + row).into(), value });
                        break;
                    }
                },
            }
        }
        self.classes = classes;
        outcome
    }

    fn count(&mut self, truth: Option<u32>, class: usize, probabilities: &[f64]) {
        self.confusion.add(truth, class);
        if let Some(truth) = truth {
            self.log_loss -= probabilities[truth as usize].max(LEAST).ln();
        }
    }

    fn measure(&mut self, truth: f64, value: f64) {
        let (count, mean, squares, errors) = &mut self.numbers;
        *count += 1;
        let before = truth - *mean;
        *mean += before / *count as f64;
        *squares += before * (truth - *mean);
        *errors += (truth - value).powi(2);
    }

    /// The metrics; `None` if no row has both a label and a prediction.
    pub fn finish(&self) -> Option<Evaluation> {
        let (known, unknown_labels) = (self.confusion.known(), self.confusion.unknown());
        let rows = if self.regression { self.numbers.0 } else { known + unknown_labels };
        let mut evaluation = Evaluation {
            rows,
            unlabelled: self.unlabelled,
            unanswered: self.unanswered,
            unknown_labels,
            classes: None,
            rmse: None,
            r2: None,
        };
        if rows == 0 {
            return None;
        }
        if self.regression {
            let (count, _, squares, errors) = self.numbers;
            evaluation.rmse = Some((errors / count as f64).sqrt());
            evaluation.r2 = (squares > 0.0).then(|| 1.0 - errors / squares);
        } else {
            evaluation.classes = Some(self.class_scores(known));
        }
        Some(evaluation)
    }

    fn class_scores(&self, known: usize) -> ClassScores {
        ClassScores {
            accuracy: self.confusion.accuracy(),
            balanced_accuracy: self.confusion.balanced_accuracy(),
            macro_f1: self.confusion.macro_f1(),
            log_loss: (known > 0).then(|| self.log_loss / known as f64),
            class_names: self.classes.clone(),
            confusion: self.confusion.counts().to_vec(),
        }
    }
}

/// The number in a cell; dates are days, as in training.
fn number(column: &Column, row: usize) -> Option<f64> {
    match &column.data {
        ColumnData::Dates(seconds) => Some(seconds[row] / SECONDS_PER_DAY),
        ColumnData::Numeric(_) | ColumnData::Text(_) => column.cell(row).trim().parse().ok(),
    }
}
