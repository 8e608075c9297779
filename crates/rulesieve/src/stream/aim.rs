//! What is learned about the target: classes by their places, or numbers by their distance from the mean.

use super::StreamError;
use super::column::{ColumnSurvey, Role};
use super::feature::Lookup;
use crate::data::{ColumnData, Target};
use crate::linalg::Matrix;
use crate::rule_network::loss::Goal;
use crate::rule_network::samples::Samples;

/// How the cells of the target become what the model should say.
pub(super) enum Aim {
    Classes { places: Lookup, counts: Vec<usize> },
    Numbers { mean: f64, deviation: f64 },
}

impl Aim {
    pub(super) fn new(target: &ColumnSurvey) -> Result<Self, StreamError> {
        if target.role == Role::Number {
            let moments = &target.moments;
            let deviation = (moments.squares / moments.count as f64).sqrt();
            // Numbers so near to each other that the squares of their distances vanish cannot be told apart either.
            if !deviation.is_finite() || deviation == 0.0 {
                let (low, high) = (moments.low, moments.high);
                return Err(StreamError::TargetRange { target: target.name.clone(), low, high });
            }
            return Ok(Self::Numbers { mean: moments.mean, deviation });
        }
        let order = target.levels.ordered();
        let counts = order.iter().map(|&class| target.levels.counts[class]).collect();
        Ok(Self::Classes { places: Lookup::new(&target.levels, &order, 0..), counts })
    }

    /// The cells of a piece as numbers: themselves or the places of their classes; NaN for what was not there before.
    pub(super) fn cells(&self, data: ColumnData) -> Vec<f64> {
        match (self, data) {
            (Self::Classes { places, .. }, data) => places.places(data),
            (Self::Numbers { .. }, ColumnData::Numeric(values)) => values,
            (Self::Numbers { .. }, ColumnData::Text(text)) => vec![f64::NAN; text.codes().len()],
        }
    }

    /// What the model should say for such cells.
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

    /// How much a row of every class counts: the same, or so that all classes count the same; one on average. Numbers
    /// are one class in this.
    pub(super) fn class_weights(&self, balanced: bool) -> Vec<f64> {
        let Self::Classes { counts, .. } = self else { return vec![1.0] };
        let (rows, classes) = (counts.iter().sum::<usize>() as f64, counts.len() as f64);
        let weight = |&count: &usize| if balanced { rows / (classes * count as f64) } else { 1.0 };
        counts.iter().map(weight).collect()
    }

    /// From what the model says to numbers of the target; 0 and 1 for classes.
    pub(super) fn output(&self) -> (f64, f64) {
        match self {
            Self::Classes { .. } => (0.0, 1.0),
            Self::Numbers { mean, deviation } => (*mean, *deviation),
        }
    }
}

/// The target of the sample: its numbers, or its classes with their places among those of all rows.
pub(super) fn sampled(target: &ColumnSurvey, cells: Vec<f64>) -> Target {
    let name = target.name.clone();
    if target.role == Role::Number {
        return Target::Numbers { name, values: cells };
    }
    let order = target.levels.ordered();
    let places = target.levels.places(&order);
    let codes = cells.iter().map(|&class| places[class as usize] as u32).collect();
    let classes = order.iter().map(|&class| target.levels.names[class].clone()).collect();
    Target::Classes { name, classes, codes }
}

/// The cells of a target, as [`Aim::samples`] takes them.
pub(super) fn cells_of(target: &Target) -> Vec<f64> {
    match target {
        Target::Numbers { values, .. } => values.clone(),
        Target::Classes { codes, .. } => codes.iter().map(|&code| f64::from(code)).collect(),
    }
}
