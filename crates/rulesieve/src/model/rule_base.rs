//! The rules themselves, fired for one sample at a time.
//!
//! Sample by sample, so that an answer depends on nothing but its row: not on the size of a chunk, nor on the threads.
//! Distances are taken directly, not expanded as in training, so that centres far away lose no digits.

use crate::linalg::exp;
use crate::rule_network::network::Network;
use serde::{Deserialize, Serialize};

/// Fuzzy rules on coded columns:
/// `z_r = -(1 / 2d) sum_j (x_j - c_rj)^2 / s_rj^2`, `f = softmax(z)`, `output_o = sum_r f_r (x P_ro + p_ro)`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RuleBase {
    /// For every rule its centre in every coded column.
    pub centres: Vec<Vec<f64>>,
    /// For every rule the natural logarithm of its spread in every coded column.
    pub log_spreads: Vec<Vec<f64>>,
    /// For every rule and every output its constant.
    pub constants: Vec<Vec<f64>>,
    /// For every rule and every output its slope in every coded column.
    pub slopes: Vec<Vec<Vec<f64>>>,
}

/// What the rules say about a sample.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    /// How strongly every rule fires; they add up to one.
    pub firing: Vec<f64>,
    /// What every rule says: for every rule, every output.
    pub rule_outputs: Vec<Vec<f64>>,
    /// What all of them say together.
    pub outputs: Vec<f64>,
}

impl RuleBase {
    /// Takes the rules of a network that has no projection.
    pub(super) fn from_network(network: &Network) -> Self {
        let (rules, d, outputs) = (network.rules(), network.dimensions(), network.outputs());
        let row = |matrix: &crate::linalg::Matrix, rule: usize| (0..d).map(|dim| matrix[(rule, dim)]).collect();
        let slopes = |rule: usize| (0..outputs).map(|o| network.slopes.col(rule * outputs + o).to_vec()).collect();
        Self {
            centres: (0..rules).map(|rule| row(&network.centres, rule)).collect(),
            log_spreads: (0..rules).map(|rule| row(&network.log_spreads, rule)).collect(),
            constants: network.constants.chunks(outputs.max(1)).map(<[f64]>::to_vec).collect(),
            slopes: (0..rules).map(slopes).collect(),
        }
    }

    /// The other way round.
    pub(super) fn to_network(&self) -> Network {
        let (rules, d, outputs) = (self.centres.len(), self.centres[0].len(), self.outputs());
        Network {
            projection: None,
            centres: crate::linalg::Matrix::from_fn(rules, d, |rule, dim| self.centres[rule][dim]),
            log_spreads: crate::linalg::Matrix::from_fn(rules, d, |rule, dim| self.log_spreads[rule][dim]),
            slopes: crate::linalg::Matrix::from_fn(d, rules * outputs, |dim, column| {
                self.slopes[column / outputs][column % outputs][dim]
            }),
            constants: self.constants.concat(),
        }
    }

    /// Number of outputs.
    pub fn outputs(&self) -> usize {
        self.constants.first().map_or(0, Vec::len)
    }

    /// How far a sample is from a rule in one coded column: its share of `-z`.
    pub(super) fn distance(&self, rule: usize, column: usize, value: f64) -> f64 {
        let away = value - self.centres[rule][column];
        away * away * exp(-2.0 * self.log_spreads[rule][column]) / (2.0 * self.centres[rule].len() as f64)
    }

    /// What the rules say about a sample.
    pub fn answer(&self, sample: &[f64]) -> Answer {
        let mut firing: Vec<f64> = (0..self.centres.len())
            .map(|rule| -sample.iter().enumerate().map(|(col, &value)| self.distance(rule, col, value)).sum::<f64>())
            .collect();
        softmax(&mut firing);
        let mut outputs = vec![0.0; self.outputs()];
        let mut rule_outputs = Vec::with_capacity(firing.len());
        for ((slopes, constants), firing) in self.slopes.iter().zip(&self.constants).zip(&firing) {
            let says = slopes.iter().zip(constants).map(|(slopes, constant)| {
                constant + sample.iter().zip(slopes).map(|(value, slope)| value * slope).sum::<f64>()
            });
            let says: Vec<f64> = says.collect();
            outputs.iter_mut().zip(&says).for_each(|(output, says)| *output += firing * says);
            rule_outputs.push(says);
        }
        Answer { firing, rule_outputs, outputs }
    }
}

/// Turns scores into shares that add up to one.
pub(super) fn softmax(scores: &mut [f64]) {
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for score in scores.iter_mut() {
        *score = exp(*score - most);
        sum += *score;
    }
    scores.iter_mut().for_each(|score| *score /= sum);
}

/// Numbers relative to their mean, where there are several.
pub(super) fn centred(values: &[f64]) -> Vec<f64> {
    let mean = if values.len() > 1 { values.iter().sum::<f64>() / values.len() as f64 } else { 0.0 };
    values.iter().map(|value| value - mean).collect()
}
