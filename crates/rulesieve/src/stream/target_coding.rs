//! Coding of the target: classes by index, or standardised numbers.

use super::StreamError;
use super::column::{ColumnSurvey, Role};
use super::feature::Lookup;
use crate::data::{ColumnData, Target};
use crate::linalg::Matrix;
use crate::rule_network::loss::Goal;
use crate::rule_network::samples::Samples;

/// Conversion of target cells to training targets.
pub(super) enum TargetCoding {
    Classes { lookup: Lookup, counts: Vec<usize> },
    Numbers { mean: f64, deviation: f64 },
}

impl TargetCoding {
    pub(super) fn new(target: &ColumnSurvey) -> Result<Self, StreamError> {
        if target.role == Role::Number {
            let moments = &target.moments;
            let deviation = (moments.squares / moments.count as f64).sqrt();
            // Values that are too close: their squared distances underflow.
            if !deviation.is_finite() || deviation == 0.0 {
                let (low, high) = (moments.low, moments.high);
                return Err(StreamError::TargetRange { target: target.name.clone(), low, high });
            }
            return Ok(Self::Numbers { mean: moments.mean, deviation });
        }
        let order = target.levels.ordered();
        let counts = order.iter().map(|&class| target.levels.counts[class]).collect();
        Ok(Self::Classes { lookup: Lookup::new(&target.levels, &order, 0..), counts })
    }

    /// The cells of a piece as numbers: values, or indices of classes; NaN if unknown.
    pub(super) fn cells(&self, data: ColumnData) -> Vec<f64> {
        match (self, data) {
            (Self::Classes { lookup, .. }, data) => lookup.indices(data),
            (Self::Numbers { .. }, ColumnData::Numeric(values) | ColumnData::Dates(values)) => values,
            (Self::Numbers { .. }, ColumnData::Text(text)) => vec![f64::NAN; text.codes().len()],
        }
    }

    /// The training targets of such cells.
    fn goal(&self, cells: &[f64]) -> Goal {
        match self {
            Self::Classes { counts, .. } => {
                Goal::Classes { codes: cells.iter().map(|&cell| cell as u32).collect(), count: counts.len() }
            }
            Self::Numbers { mean, deviation } => {
                Goal::Numbers(cells.iter().map(|cell| (cell - mean) / deviation).collect())
            }
        }
    }

    /// Samples with these columns and cells of the target.
    pub(super) fn samples(&self, x: Matrix, cells: &[f64], class_weights: &[f64]) -> Samples {
        let goal = self.goal(cells);
        let weights = (0..cells.len()).map(|at| class_weights[goal.stratum(at)]).collect();
        Samples { x, goal, weights }
    }

    /// Weight of a row of every class: equal, or balanced over the classes; one on average. Regression counts as a
    /// single class.
    pub(super) fn class_weights(&self, balanced: bool) -> Vec<f64> {
        let Self::Classes { counts, .. } = self else { return vec![1.0] };
        let (rows, classes) = (counts.iter().sum::<usize>() as f64, counts.len() as f64);
        let weight = |&count: &usize| if balanced { rows / (classes * count as f64) } else { 1.0 };
        counts.iter().map(weight).collect()
    }

    /// Offset and factor from model outputs to values of the target; 0 and 1 for classification.
    pub(super) fn output(&self) -> (f64, f64) {
        match self {
            Self::Classes { .. } => (0.0, 1.0),
            Self::Numbers { mean, deviation } => (*mean, *deviation),
        }
    }
}

/// The target of the sample: numbers, or classes with their indices among those of all rows.
pub(super) fn sampled(target: &ColumnSurvey, cells: Vec<f64>) -> Target {
    let name = target.name.clone();
    if target.role == Role::Number {
        return Target::Numbers { name, values: cells };
    }
    let order = target.levels.ordered();
    let indices = target.levels.indices(&order);
    let codes = cells.iter().map(|&class| indices[class as usize] as u32).collect();
    let classes = order.iter().map(|&class| target.levels.names[class].clone()).collect();
    Target::coded(name, classes, codes)
}

/// The cells of a target, as needed by [`TargetCoding::samples`].
pub(super) fn cells_of(target: &Target) -> Vec<f64> {
    match target {
        Target::Numbers { values, .. } => values.clone(),
        Target::Classes { codes, .. } => codes.iter().map(|&code| f64::from(code)).collect(),
    }
}
