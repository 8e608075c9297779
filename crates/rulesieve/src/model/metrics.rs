//! How right the answers of a model are, added up row by row so that the rows need not be kept.

use super::confusion::Confusion;
use super::predict::Prediction;
use super::record::Model;
use crate::data::table::{Column, ColumnData, is_missing_label};
use crate::data::{DataError, Levels, Task, names};
use serde::Serialize;

/// Probabilities below this count as this: one sure mistake must not make the mean infinite.
const LEAST: f64 = 1e-15;

/// Counts and sums over the rows seen so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Metrics {
    classes: Vec<String>,
    regression: bool,
    confusion: Confusion,
    log_loss: f64,
    /// Rows without a label, and rows without an answer.
    unlabelled: usize,
    unanswered: usize,
    /// Of numbers: count, mean and sum of squared distances from it, sum of squared errors.
    numbers: (usize, f64, f64, f64),
}

/// The result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evaluation {
    /// Rows with a label and an answer.
    pub rows: usize,
    /// Rows without a label; they do not count.
    pub unlabelled: usize,
    /// Rows without an answer, because they are incomplete; they do not count.
    pub unanswered: usize,
    /// Rows whose label is none of the model's classes; they count as wrong, but not in the log-loss.
    pub unknown_labels: usize,
    /// For classes.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub classes: Option<ClassScores>,
    /// For a number: the root of the mean squared error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rmse: Option<f64>,
    /// For a number: the share of the variance that is explained; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r2: Option<f64>,
}

/// How right classes are.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassScores {
    /// Share of right answers.
    pub accuracy: f64,
    /// Mean over the classes that occur of the share of their rows that are answered rightly.
    pub balanced_accuracy: f64,
    /// Mean F1 over the classes that occur or are answered.
    pub macro_f1: f64,
    /// Mean of minus the logarithm of the probability of the true class; absent where no row has a known class.
    pub log_loss: Option<f64>,
    /// The classes, in the order of the matrix.
    pub class_names: Vec<String>,
    /// For every true class (row) how often each class (column) was answered.
    pub confusion: Vec<Vec<usize>>,
}

impl Metrics {
    /// Nothing counted yet.
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

    /// Counts answers against the target column; `first_row` is the number of the first row in messages.
    pub fn add(&mut self, rows: &[Option<Prediction>], target: &Column, first_row: usize) -> Result<(), DataError> {
        let classes = std::mem::take(&mut self.classes);
        let known = Levels::new(&classes);
        let mut outcome = Ok(());
        for (row, answer) in rows.iter().enumerate() {
            let missing = match &target.data {
                ColumnData::Numeric(values) => values[row].is_nan(),
                ColumnData::Text(text) => is_missing_label(text.get(row)),
            };
            match answer {
                _ if missing => self.unlabelled += 1,
                None => self.unanswered += 1,
                Some(Prediction::Class { class, probabilities }) => {
                    self.count(known.find(&target.cell(row)), *class, probabilities);
                }
                Some(Prediction::Number(value)) => match target.cell(row).trim().parse::<f64>() {
                    Ok(truth) if truth.is_finite() => self.measure(truth, *value),
                    _ => {
                        let (column, value) = (target.name.clone(), names::short(&target.cell(row)));
                        outcome = Err(DataError::NotANumber { column, row: first_row + row, value });
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

    /// The figures; none if no row had both a label and an answer.
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
