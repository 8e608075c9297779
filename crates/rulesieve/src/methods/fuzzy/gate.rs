//! Gates: learned parameters that open or close a feature or a rule. The columns of a category share one.

use std::ops::Range;

/// Gate functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gate {
    /// `u^2 exp(1 - u^2)`: even, open at 1 and at -1.
    Bell,
    /// `1 - exp(-10 u^2)`: even, open far from 0.
    Well,
    /// `u exp((1 - u^2) / 2)`: odd, open at 1 and, with the other sign, at -1.
    Odd,
}

impl Gate {
    /// The opening of the gate.
    pub(crate) fn value(self, u: f64) -> f64 {
        match self {
            Self::Bell => u * u * (1.0 - u * u).exp(),
            Self::Well => -(-10.0 * u * u).exp_m1(),
            Self::Odd => u * (0.5 * (1.0 - u * u)).exp(),
        }
    }

    /// The derivative of the opening.
    pub(crate) fn slope(self, u: f64) -> f64 {
        match self {
            Self::Bell => 2.0 * u * (1.0 - u * u) * (1.0 - u * u).exp(),
            Self::Well => 20.0 * u * (-10.0 * u * u).exp(),
            Self::Odd => (1.0 - u * u) * (0.5 * (1.0 - u * u)).exp(),
        }
    }

    /// The openings of some gates.
    pub(crate) fn values(self, all: &[f64]) -> Vec<f64> {
        all.iter().map(|&u| self.value(u)).collect()
    }
}

/// The value of every feature, once for each of its columns.
pub(crate) fn to_columns(values: &[f64], blocks: &[Range<usize>]) -> Vec<f64> {
    blocks.iter().zip(values).flat_map(|(block, &value)| block.clone().map(move |_| value)).collect()
}

/// The sum over the columns of every feature.
pub(crate) fn to_features(columns: &[f64], blocks: &[Range<usize>]) -> Vec<f64> {
    blocks.iter().map(|block| columns[block.clone()].iter().sum()).collect()
}

/// Number of gates more open than `largest - share * (largest - smallest)`: at least one, all if they are equal.
pub(crate) fn open(values: impl Iterator<Item = f64> + Clone, share: f64) -> usize {
    let largest = values.clone().fold(f64::NEG_INFINITY, f64::max);
    let smallest = values.clone().fold(f64::INFINITY, f64::min);
    let threshold = largest - share * (largest - smallest);
    values.filter(|&value| value > threshold || value == largest).count()
}

/// Indices of the values in descending order; ties go to the first.
pub(crate) fn order(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]).then(a.cmp(&b)));
    order
}

/// Scores and native size by the openings of the gates. The gate of a constant feature has no gradient: it scores zero
/// and does not affect the threshold.
pub(crate) fn choice(openings: &[f64], varying: &[bool], share: f64) -> (Vec<f64>, usize) {
    let scores = openings.iter().zip(varying).map(|(&score, &varies)| if varies { score } else { 0.0 }).collect();
    let moved = openings.iter().zip(varying).filter(|(_, varies)| **varies).map(|(&score, _)| score);
    let kept = open(moved, share).max(1);
    (scores, kept)
}
