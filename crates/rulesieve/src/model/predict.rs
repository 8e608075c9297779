//! Predictions for a table.

use super::check::ModelError;
use super::record::{Model, Preprocessing, Training};
use super::rule_base::{Inference, softmax};
use crate::data::{DataError, Feature, Missing, Table, Task, Unseen, names, with_parts};
use crate::linalg::Matrix;
use crate::pool;
use rayon::prelude::*;
use std::ops::Range;

/// Number of rows from which on threads are worthwhile.
const PARALLEL_ROWS: usize = 256;

/// Bound on standardised values that keeps their squares finite.
const FARTHEST: f64 = 1e6;

/// A checked model, ready to predict.
#[derive(Debug, Clone, PartialEq)]
pub struct Predictor {
    model: Model,
    blocks: Vec<Range<usize>>,
}

/// The prediction for a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Prediction {
    /// A class by index, and the probability of each.
    Class {
        /// The most probable class; ties go to the first.
        class: usize,
        /// The probability of every class.
        probabilities: Vec<f64>,
    },
    /// A number.
    Number(f64),
}

/// Predictions for the rows of a table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Predictions {
    /// The prediction for every row; `None` if the model skips incomplete rows.
    pub rows: Vec<Option<Prediction>>,
    /// Categories that do not occur in the training rows, with their rows.
    pub unseen: Vec<Unseen>,
    /// Number of imputed missing values.
    pub filled: usize,
}

impl Predictor {
    /// Checks a model for prediction.
    pub fn new(model: Model) -> Result<Self, ModelError> {
        model.check()?;
        let blocks = model.preprocessing.columns.blocks();
        Ok(Self { model, blocks })
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The summary of the training.
    pub(super) fn training_mut(&mut self) -> &mut Training {
        &mut self.model.training
    }

    /// The coded columns of every feature.
    pub(super) fn blocks(&self) -> &[Range<usize>] {
        &self.blocks
    }

    /// Names of the columns of a table that are neither features nor target.
    pub fn extra<'a>(&self, table: &'a Table) -> Vec<&'a str> {
        let needed: std::collections::HashSet<&str> =
            self.model.features.iter().chain([&self.model.target]).map(String::as_str).collect();
        let dates = &self.model.preprocessing.dates;
        let others = table
            .columns()
            .iter()
            .map(|column| column.name.as_str())
            .filter(|name| !needed.contains(name) && !dates.iter().any(|date| date.column == **name));
        others.filter(|name| Some(*name) != table.index_hint.as_deref()).collect()
    }

    /// Reads the features of the model from a table; see [`Encoder::adopt`](crate::data::Encoder::adopt).
    pub(super) fn adopt(&self, table: &Table, first_row: usize) -> Result<Vec<Feature>, DataError> {
        let preprocessing = &self.model.preprocessing;
        let Preprocessing { dates, reading, .. } = preprocessing;
        preprocessing.columns.adopt(&*with_parts(table, dates, reading, first_row)?, first_row)
    }

    /// Predicts all rows of a table. Columns are found by name, in any order; other columns are ignored. `first_row` is
    /// the number of the first row in messages: tables may be parts of a longer one.
    pub fn predict(&self, table: &Table, first_row: usize) -> Result<Predictions, DataError> {
        let encoder = &self.model.preprocessing.columns;
        let features = self.adopt(table, first_row)?;
        let unseen = encoder.unseen(&features);
        let blank = self.without_prediction(&features, &unseen, table.rows(), first_row)?;
        let samples = self.samples(&features, table.rows())?;
        let width = self.model.preprocessing.means.len();
        let predict = |row: usize| {
            let sample = &samples[row * width..(row + 1) * width];
            (!blank[row]).then(|| self.prediction(&self.model.network.infer(sample)))
        };
        let rows = each_row(blank.len(), predict);
        let filled = match self.model.preprocessing.missing {
            Missing::Fill | Missing::Median => features.iter().map(|feature| feature.values.missing()).sum(),
            Missing::Error | Missing::DropRows => 0,
        };
        Ok(Predictions { rows, unseen, filled })
    }

    /// Predicts rows of the features of the model, in its order. Missing values and unseen categories are replaced by
    /// the typical value, whatever the policy.
    pub(super) fn predict_features(&self, features: &[Feature], count: usize) -> Result<Vec<Prediction>, DataError> {
        let (width, samples) = (self.model.preprocessing.means.len(), self.samples(features, count)?);
        let sample = |row: usize| &samples[row * width..(row + 1) * width];
        Ok(each_row(count, |row| self.prediction(&self.model.network.infer(sample(row)))))
    }

    /// The inputs of the rules for all rows of a table, one sample per column; a row without a prediction is rejected.
    pub(super) fn inputs(&self, table: &Table) -> Result<Matrix, DataError> {
        let encoder = &self.model.preprocessing.columns;
        let features = self.adopt(table, 1)?;
        let blank = self.without_prediction(&features, &encoder.unseen(&features), table.rows(), 1)?;
        if let Some(row) = blank.iter().position(|&blank| blank) {
            return Err(DataError::Incomplete { row: (row + 1).into() });
        }
        let (width, samples) = (self.model.preprocessing.means.len(), self.samples(&features, table.rows())?);
        Ok(Matrix::from_column_major(width, table.rows(), samples).unwrap_or_default())
    }

    /// The inputs of the rules, sample by sample.
    pub(super) fn samples(&self, features: &[Feature], count: usize) -> Result<Vec<f64>, DataError> {
        let preprocessing = &self.model.preprocessing;
        let rows: Vec<usize> = (0..count).collect();
        let design = preprocessing.columns.code(&features.iter().collect::<Vec<_>>(), &rows)?;
        let width = preprocessing.means.len();
        let mut samples = vec![0.0; count * width];
        for (col, (mean, factor)) in preprocessing.means.iter().zip(&preprocessing.factors).enumerate() {
            for (row, value) in design.x.col(col).iter().enumerate() {
                samples[row * width + col] = ((value - mean) * factor).clamp(-FARTHEST, FARTHEST);
            }
        }
        Ok(samples)
    }

    /// Converts outputs of the rules to a prediction.
    pub(super) fn prediction(&self, inference: &Inference) -> Prediction {
        if self.model.task == Task::Regression {
            let output = inference.outputs.first().copied().unwrap_or(0.0);
            return Prediction::Number(self.model.output.mean + self.model.output.scale * output);
        }
        let mut probabilities = inference.outputs.clone();
        softmax(&mut probabilities);
        let best = probabilities.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
        Prediction::Class { class: best.map_or(0, |(class, _)| class), probabilities }
    }

    /// The rows without a prediction by the policy about missing values; an error if the policy rejects the table.
    fn without_prediction(
        &self,
        features: &[Feature],
        unseen: &[Unseen],
        rows: usize,
        first_row: usize,
    ) -> Result<Vec<bool>, DataError> {
        let mut blank = vec![false; rows];
        match self.model.preprocessing.missing {
            Missing::Fill | Missing::Median => {}
            Missing::DropRows => {
                for feature in features {
                    (0..rows).filter(|&row| feature.values.is_missing(row)).for_each(|row| blank[row] = true);
                }
                unseen.iter().flat_map(|unseen| &unseen.rows).for_each(|&row| blank[row] = true);
            }
            Missing::Error => {
                let missing = features.iter().filter_map(|feature| Some((feature.first_missing()?, feature)));
                if let Some((row, feature)) = missing.min_by_key(|(row, _)| *row) {
                    return Err(DataError::MissingToModel {
                        column: feature.name.clone(),
                        row: (first_row + row).into(),
                    });
                }
                if let Some(unseen) = unseen.iter().min_by_key(|unseen| unseen.rows[0]) {
                    return Err(DataError::UnseenCategory {
                        column: unseen.column.clone(),
                        row: (first_row + unseen.rows[0]).into(),
                        category: names::short(&unseen.category),
                    });
                }
            }
        }
        Ok(blank)
    }
}

/// A result for every row. Few rows are not worth other threads.
fn each_row<T: Send>(count: usize, one: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
    if count < PARALLEL_ROWS {
        return (0..count).map(one).collect();
    }
    pool::run(|| (0..count).into_par_iter().map(one).collect())
}
