//! From a table to answers.

use super::check::ModelError;
use super::record::{Model, Training};
use super::rule_base::{Answer, softmax};
use crate::data::{DataError, Feature, Missing, Table, Task, Unseen, names};
use crate::linalg::Matrix;
use rayon::prelude::*;
use std::ops::Range;

/// Values more standard deviations than this from the mean count as that far: their squares would not be numbers.
const FARTHEST: f64 = 1e6;

/// A model that has been checked, ready to answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Predictor {
    model: Model,
    blocks: Vec<Range<usize>>,
}

/// The answer for a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Prediction {
    /// A class, by its place, and the probability of each.
    Class {
        /// The most probable class; the first of equals.
        class: usize,
        /// The probability of every class.
        probabilities: Vec<f64>,
    },
    /// A number.
    Number(f64),
}

/// Answers for the rows of a table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Predictions {
    /// For every row its answer; none where the model leaves incomplete rows out.
    pub rows: Vec<Option<Prediction>>,
    /// Categories that the training rows did not have, and where.
    pub unseen: Vec<Unseen>,
    /// Missing values that were filled in.
    pub filled: usize,
}

impl Predictor {
    /// Checks a model.
    pub fn new(model: Model) -> Result<Self, ModelError> {
        model.check()?;
        let blocks = model.preprocessing.columns.blocks();
        Ok(Self { model, blocks })
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// How the training went.
    pub(super) fn training_mut(&mut self) -> &mut Training {
        &mut self.model.training
    }

    /// The coded columns of every feature.
    pub(super) fn blocks(&self) -> &[Range<usize>] {
        &self.blocks
    }

    /// Names of the columns of a table that are neither feature nor target.
    pub fn extra<'a>(&self, table: &'a Table) -> Vec<&'a str> {
        let needed: std::collections::HashSet<&str> =
            self.model.features.iter().chain([&self.model.target]).map(String::as_str).collect();
        table.columns().iter().map(|column| column.name.as_str()).filter(|name| !needed.contains(name)).collect()
    }

    /// Answers for all rows of a table. Columns are found by name, in any order; further ones are ignored. `first_row`
    /// is the number of the first row in messages: tables may be parts of a longer one.
    pub fn predict(&self, table: &Table, first_row: usize) -> Result<Predictions, DataError> {
        let encoder = &self.model.preprocessing.columns;
        let features = encoder.adopt(table, first_row)?;
        let unseen = encoder.unseen(&features);
        let blank = self.unanswered(&features, &unseen, table.rows(), first_row)?;
        let samples = self.samples(&features, table.rows())?;
        let width = self.model.preprocessing.means.len();
        let answer = |(row, &blank): (usize, &bool)| {
            let sample = &samples[row * width..(row + 1) * width];
            (!blank).then(|| self.prediction(&self.model.network.answer(sample)))
        };
        let rows: Vec<Option<Prediction>> = blank.par_iter().enumerate().map(answer).collect();
        let filled = match self.model.preprocessing.missing {
            Missing::Median => features.iter().map(|feature| feature.values.missing()).sum(),
            Missing::Error | Missing::DropRows => 0,
        };
        Ok(Predictions { rows, unseen, filled })
    }

    /// Answers for rows of the features of the model, in its order. Missing values and unknown categories take the typical
    /// value, whatever the policy.
    pub(super) fn answer_all(&self, features: &[Feature], count: usize) -> Result<Vec<Prediction>, DataError> {
        let (width, samples) = (self.model.preprocessing.means.len(), self.samples(features, count)?);
        let sample = |row: usize| &samples[row * width..(row + 1) * width];
        Ok((0..count).into_par_iter().map(|row| self.prediction(&self.model.network.answer(sample(row)))).collect())
    }

    /// The inputs of the rules for all rows of a table, one sample a column; a row without an answer is refused.
    pub(super) fn inputs(&self, table: &Table) -> Result<Matrix, DataError> {
        let encoder = &self.model.preprocessing.columns;
        let features = encoder.adopt(table, 1)?;
        let blank = self.unanswered(&features, &encoder.unseen(&features), table.rows(), 1)?;
        if let Some(row) = blank.iter().position(|&blank| blank) {
            return Err(DataError::Incomplete { row: row + 1 });
        }
        let (width, samples) = (self.model.preprocessing.means.len(), self.samples(&features, table.rows())?);
        Ok(Matrix::from_column_major(width, table.rows(), samples).unwrap_or_default())
    }

    /// The inputs of the rules, one sample after the other.
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

    /// From what the rules say to an answer.
    pub(super) fn prediction(&self, answer: &Answer) -> Prediction {
        if self.model.task == Task::Regression {
            let output = answer.outputs.first().copied().unwrap_or(0.0);
            return Prediction::Number(self.model.output.mean + self.model.output.scale * output);
        }
        let mut probabilities = answer.outputs.clone();
        softmax(&mut probabilities);
        let best = probabilities.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
        Prediction::Class { class: best.map_or(0, |(class, _)| class), probabilities }
    }

    /// Which rows get no answer, or why the table is refused, by the policy about missing values.
    fn unanswered(
        &self,
        features: &[Feature],
        unseen: &[Unseen],
        rows: usize,
        first_row: usize,
    ) -> Result<Vec<bool>, DataError> {
        let mut blank = vec![false; rows];
        match self.model.preprocessing.missing {
            Missing::Median => {}
            Missing::DropRows => {
                for feature in features {
                    (0..rows).filter(|&row| feature.values.is_missing(row)).for_each(|row| blank[row] = true);
                }
                unseen.iter().flat_map(|unseen| &unseen.rows).for_each(|&row| blank[row] = true);
            }
            Missing::Error => {
                let missing = features.iter().filter_map(|feature| Some((feature.first_missing()?, feature)));
                if let Some((row, feature)) = missing.min_by_key(|(row, _)| *row) {
                    return Err(DataError::MissingToModel { column: feature.name.clone(), row: first_row + row });
                }
                if let Some(unseen) = unseen.iter().min_by_key(|unseen| unseen.rows[0]) {
                    return Err(DataError::UnseenCategory {
                        column: unseen.column.clone(),
                        row: first_row + unseen.rows[0],
                        category: names::short(&unseen.category),
                    });
                }
            }
        }
        Ok(blank)
    }
}
