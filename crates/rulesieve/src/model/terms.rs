//! The IF part of a rule: linguistic terms for the training values with high membership.
//!
//! A rule covers the values of a feature whose membership is at least half of the largest one over the training values.
//! If it covers nearly all of them, the feature does not affect the rule (`any`); otherwise the position of that range
//! among the quantiles of the training rows gives `low`, `medium` or `high`.

use super::predict::Predictor;
use super::record::Profile;
use crate::data::{CategoricalCoding, Code, Term};
use crate::linalg::exp;
use serde::Serialize;

/// Minimum membership of a covered value, relative to the largest.
const COVERED: f64 = 0.5;
/// A rule that covers more than this share of the training values has the term `any`.
const NEARLY_ALL: f64 = 0.85;

/// The condition of a rule on a feature.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Condition {
    /// The feature.
    pub feature: String,
    /// The term.
    pub term: Term,
    /// The value with the largest membership within the training range, in the units of the column; for numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<f64>,
    /// The range of training values whose membership is at least half of the largest; for numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<(f64, f64)>,
    /// The covered categories; for categories.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
}

impl Predictor {
    /// The condition of a rule on a feature.
    pub(super) fn condition(&self, rule: usize, feature: usize) -> Condition {
        let preprocessing = &self.model().preprocessing;
        let name = self.model().features[feature].clone();
        match (&preprocessing.columns.columns[feature].code, &preprocessing.profiles[feature]) {
            (Code::Numeric { low, high, .. }, Profile::Quantiles(quantiles)) => {
                self.numeric_condition(name, rule, feature, (*low, *high), quantiles)
            }
            (Code::Categorical { levels, coding, .. }, Profile::Shares(shares)) => {
                self.category_condition(name, rule, feature, (levels, *coding), shares)
            }
            _ => Condition { feature: name, term: Term::Any, about: None, range: None, categories: Vec::new() },
        }
    }

    fn numeric_condition(
        &self,
        feature: String,
        rule: usize,
        at: usize,
        (low, high): (f64, f64),
        quantiles: &[f64],
    ) -> Condition {
        let column = self.blocks()[at].start;
        let width = (high - low).min(f64::MAX);
        let input = |value: f64| self.input(column, if width > 0.0 { (value - low) / width } else { 0.0 });
        let distances: Vec<f64> =
            quantiles.iter().map(|&value| self.model().network.distance(rule, column, input(value))).collect();
        let covered = covered(&distances);
        let indices: Vec<usize> = (0..covered.len()).filter(|&at| covered[at]).collect();
        let (first, last) = (indices.first().copied().unwrap_or(0), indices.last().copied().unwrap_or(0));
        let share = indices.len() as f64 / quantiles.len() as f64;
        let middle = (first + last) as f64 / 2.0 / quantiles.len().saturating_sub(1).max(1) as f64;
        let term = if share > NEARLY_ALL { Term::Any } else { Term::at(middle) };
        let preprocessing = &self.model().preprocessing;
        let centre = self.model().network.centres[rule][column] / preprocessing.factors[column];
        let about = (low + width * (centre + preprocessing.means[column])).clamp(low, high);
        let range = Some((quantiles[first], quantiles[last]));
        Condition { feature, term, about: Some(about), range, categories: Vec::new() }
    }

    fn category_condition(
        &self,
        feature: String,
        rule: usize,
        at: usize,
        (levels, coding): (&[String], CategoricalCoding),
        shares: &[f64],
    ) -> Condition {
        let block = self.blocks()[at].clone();
        let single = coding == CategoricalCoding::Ordinal || block.len() == 1;
        let steps = levels.len().saturating_sub(1).max(1) as f64;
        let distance = |level: usize| -> f64 {
            let coded = |column: usize| {
                if single { level as f64 / steps } else { f64::from(u8::from(column - block.start == level)) }
            };
            let network = &self.model().network;
            block.clone().map(|column| network.distance(rule, column, self.input(column, coded(column)))).sum()
        };
        let distances: Vec<f64> = (0..levels.len()).map(distance).collect();
        let covered = covered(&distances);
        let share: f64 = shares.iter().zip(&covered).filter(|(_, covered)| **covered).map(|(share, _)| share).sum();
        let all = covered.iter().all(|covered| *covered);
        let term = if all || share > 1.0 - (1.0 - NEARLY_ALL) / 10.0 { Term::Any } else { Term::Categories };
        let categories = levels.iter().zip(&covered).filter(|(_, covered)| **covered).map(|(level, _)| level.clone());
        let categories = if term == Term::Any { Vec::new() } else { categories.collect() };
        Condition { feature, term, about: None, range: None, categories }
    }

    /// A coded value as input of the rules.
    fn input(&self, column: usize, coded: f64) -> f64 {
        let preprocessing = &self.model().preprocessing;
        (coded - preprocessing.means[column]) * preprocessing.factors[column]
    }
}

/// Whether the membership `exp(-distance)` is at least [`COVERED`] times the largest.
fn covered(distances: &[f64]) -> Vec<bool> {
    let nearest = distances.iter().copied().fold(f64::INFINITY, f64::min);
    distances.iter().map(|distance| exp(nearest - distance) >= COVERED).collect()
}
