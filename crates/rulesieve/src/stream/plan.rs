//! From the cells of a row to the centred and scaled columns of the model, as the survey of all rows tells.

use super::StreamError;
use super::column::Role;
use super::feature::{FeaturePlan, Lookup};
use super::survey::Survey;
use crate::data::names::short;
use crate::data::{
    CategoricalCoding, ColumnData, DataError, Dataset, Feature, FeatureValues, MISSING, MissingPolicy, Suspicions,
    Table, Target, inspect,
};
use crate::linalg::Matrix;
use crate::methods::inductive::loss::Goal;
use crate::methods::inductive::samples::Samples;
use std::collections::HashMap;
use std::ops::Range;

/// Entries of the largest matrix, for a sample of the fewest rows.
const MAX_WIDTH: usize = (1 << 30) / 1024;

/// How rows become columns of the model.
pub(super) struct Plan {
    features: Vec<FeaturePlan>,
    target: (String, usize),
    classes: Lookup,
    class_counts: Vec<usize>,
    pub(super) texts: Vec<String>,
    missing: MissingPolicy,
}

/// The cells of a piece: for every feature numbers or places of categories, NaN where missing; and classes.
pub(super) struct Cells {
    features: Vec<Vec<f64>>,
    pub(super) classes: Vec<u32>,
}

impl Plan {
    pub(super) fn new(survey: &Survey, coding: CategoricalCoding, missing: MissingPolicy) -> Result<Self, StreamError> {
        let mut first = 0;
        let mut features = Vec::with_capacity(survey.features.len());
        for (feature, column) in survey.features.iter().enumerate() {
            let sample = survey.reservoir.cells.iter().map(|row| row[feature]).filter(|cell| !cell.is_nan());
            let plan = FeaturePlan::new(column, first, survey.rows, coding, sample.collect())?;
            first = plan.columns.end;
            features.push(plan);
        }
        if first > MAX_WIDTH {
            return Err(DataError::TooLarge { rows: survey.rows, columns: first, limit: 1 << 30 }.into());
        }
        let order = survey.target.levels.ordered();
        Ok(Self {
            features,
            target: (survey.target.name.clone(), survey.target.at),
            class_counts: order.iter().map(|&class| survey.target.levels.counts[class]).collect(),
            classes: Lookup::new(&survey.target.levels, &order),
            texts: survey.texts.clone(),
            missing,
        })
    }

    /// Columns of the model.
    pub(super) fn width(&self) -> usize {
        self.features.last().map_or(0, |feature| feature.columns.end)
    }

    /// The columns of every feature.
    pub(super) fn groups(&self) -> Vec<Range<usize>> {
        self.features.iter().map(|feature| feature.columns.clone()).collect()
    }

    /// How much a row of every class counts: the same, or so that all classes count the same; one on average.
    pub(super) fn class_weights(&self, balanced: bool) -> Vec<f64> {
        let (rows, classes) = (self.class_counts.iter().sum::<usize>() as f64, self.class_counts.len() as f64);
        let weight = |&count: &usize| if balanced { rows / (classes * count as f64) } else { 1.0 };
        self.class_counts.iter().map(weight).collect()
    }

    /// The sample as a data set, and its cells.
    pub(super) fn sample(&self, survey: &Survey) -> Result<(Dataset, Vec<Vec<f64>>), StreamError> {
        let mut cells = survey.reservoir.cells.clone();
        let mut features = Vec::with_capacity(self.features.len());
        for (at, column) in survey.features.iter().enumerate() {
            let values = if column.role == Role::Number {
                FeatureValues::Numeric(cells.iter().map(|row| row[at]).collect())
            } else {
                let order = column.levels.ordered();
                let places = inverse(&order, column.levels.names.len());
                cells.iter_mut().filter(|row| !row[at].is_nan()).for_each(|row| row[at] = places[row[at] as usize]);
                let code = |row: &Vec<f64>| if row[at].is_nan() { MISSING } else { row[at] as u32 };
                let levels = order.iter().map(|&level| column.levels.names[level].clone()).collect();
                FeatureValues::Categorical { levels, codes: cells.iter().map(code).collect() }
            };
            features.push(Feature { name: column.name.clone(), values });
        }
        let order = survey.target.levels.ordered();
        let places = inverse(&order, survey.target.levels.names.len());
        let codes = cells.iter_mut().map(|row| row.pop().map_or(0, |class| places[class as usize] as u32)).collect();
        let classes = order.iter().map(|&class| survey.target.levels.names[class].clone()).collect();
        let target = Target { name: survey.target.name.clone(), classes, codes, numbers: None };
        let suspicions = suspicions(survey, &features, &target);
        let mut notices = survey.notices.clone();
        if survey.rows > cells.len() {
            let (seen, rows) = (cells.len(), survey.rows);
            notices.push(format!(
                "streamed: scores and what is said of columns rest on a sample of {seen} of {rows} rows"
            ));
        }
        notices.extend(suspicions.notices(&features, &target));
        Ok((Dataset { features, target, suspicions, notices }, cells))
    }

    /// Rows of cells as samples of the model.
    pub(super) fn samples(&self, cells: &[Vec<f64>], codes: &[u32], weights: &[f64]) -> Samples {
        let mut x = Matrix::zeros(self.width(), cells.len());
        for (sample, row) in cells.iter().enumerate() {
            let out = x.col_mut(sample);
            for (feature, &cell) in self.features.iter().zip(row) {
                feature.write(cell, &mut out[feature.columns.clone()]);
            }
        }
        let goal = Goal::Classes { codes: codes.to_vec(), count: self.class_counts.len() };
        Samples { x, goal, weights: codes.iter().map(|&code| weights[code as usize]).collect() }
    }

    /// The number of classes.
    pub(super) fn classes(&self) -> usize {
        self.class_counts.len()
    }

    /// Columns that code some features.
    pub(super) fn width_of(&self, features: &[usize]) -> usize {
        features.iter().map(|&feature| self.features[feature].columns.len()).sum()
    }

    /// The cells of a piece.
    pub(super) fn cells(&self, piece: Table) -> Result<Cells, StreamError> {
        let mut columns: Vec<_> = piece.into_columns().into_iter().map(Some).collect();
        let mut take = |at: usize, name: &str| {
            let column = columns.get_mut(at).and_then(Option::take).filter(|column| column.name == name);
            column.map(|column| column.data).ok_or_else(|| changed(name))
        };
        let classes = self.classes.places(take(self.target.1, &self.target.0)?);
        let classes = classes.iter().map(|&class| if class.is_nan() { MISSING } else { class as u32 }).collect();
        let mut features = Vec::with_capacity(self.features.len());
        for feature in &self.features {
            features.push(match (&feature.places, take(feature.at, &feature.name)?) {
                (Some(places), data) => places.places(data),
                (None, ColumnData::Numeric(values)) => values,
                (None, ColumnData::Text(_)) => return Err(changed(&feature.name)),
            });
        }
        Ok(Cells { features, classes })
    }

    /// Whether a row counts.
    pub(super) fn counts(&self, cells: &Cells, row: usize) -> bool {
        self.missing != MissingPolicy::DropRows || cells.features.iter().all(|column| !column[row].is_nan())
    }

    /// Writes the columns of some features for a row.
    pub(super) fn write(&self, features: &[usize], cells: &Cells, row: usize, mut out: &mut [f64]) {
        for &at in features {
            let feature = &self.features[at];
            let (own, rest) = out.split_at_mut(feature.columns.len());
            feature.write(cells.features[at][row], own);
            out = rest;
        }
    }
}

/// The error for a column that is no longer what it was.
pub(super) fn changed(name: &str) -> StreamError {
    StreamError::Changed { what: format!("column '{}' is not what it was", short(name)) }
}

/// For every level its place in the order.
fn inverse(order: &[usize], levels: usize) -> Vec<f64> {
    let mut places = vec![f64::NAN; levels];
    order.iter().enumerate().for_each(|(place, &level)| places[level] = place as f64);
    places
}

/// What the sample shows, with what all rows say about constant and equal columns.
fn suspicions(survey: &Survey, features: &[Feature], target: &Target) -> Suspicions {
    // Nothing may vary in the sample although something does among all rows.
    let mut found = inspect(features, target).unwrap_or_default();
    let constant = |at: &usize| !survey.features[*at].varies();
    found.constant = (0..features.len()).filter(constant).collect();
    let mut equal = Vec::new();
    for set in std::mem::take(&mut found.duplicates) {
        let mut by_hash: HashMap<u64, Vec<usize>> = HashMap::new();
        set.into_iter().for_each(|at| by_hash.entry(survey.features[at].hash).or_default().push(at));
        equal.extend(by_hash.into_values().filter(|set| set.len() > 1));
    }
    equal.sort();
    found.duplicates = equal;
    found
}
