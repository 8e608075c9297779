//! The rules, evaluated for one sample at a time.
//!
//! Prediction sample by sample makes the result independent of the chunk size and the number of threads. Distances are
//! computed directly, not expanded as in training, so that distant centres keep their precision.

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

/// Firing strengths and outputs of the rules for a sample.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Inference {
    /// Normalised firing strength of every rule.
    pub firing: Vec<f64>,
    /// Outputs of every rule.
    pub rule_outputs: Vec<Vec<f64>>,
    /// Outputs of the rule base.
    pub outputs: Vec<f64>,
}

impl RuleBase {
    /// Takes the rules of a network without a projection.
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

    /// Converts the rules to a network.
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

    /// Term of one coded column in `-z` of a rule.
    pub(super) fn distance(&self, rule: usize, column: usize, value: f64) -> f64 {
        let away = value - self.centres[rule][column];
        away * away * exp(-2.0 * self.log_spreads[rule][column]) / (2.0 * self.centres[rule].len() as f64)
    }

    /// Evaluates the rules for a sample.
    pub fn infer(&self, sample: &[f64]) -> Inference {
        let mut firing: Vec<f64> = (0..self.centres.len())
            .map(|rule| -sample.iter().enumerate().map(|(col, &value)| self.distance(rule, col, value)).sum::<f64>())
            .collect();
        softmax(&mut firing);
        let mut outputs = vec![0.0; self.outputs()];
        let mut rule_outputs = Vec::with_capacity(firing.len());
        for ((slopes, constants), firing) in self.slopes.iter().zip(&self.constants).zip(&firing) {
            let rule_output = slopes.iter().zip(constants).map(|(slopes, constant)| {
                constant + sample.iter().zip(slopes).map(|(value, slope)| value * slope).sum::<f64>()
            });
            let rule_output: Vec<f64> = rule_output.collect();
            outputs.iter_mut().zip(&rule_output).for_each(|(output, rule_output)| *output += firing * rule_output);
            rule_outputs.push(rule_output);
        }
        Inference { firing, rule_outputs, outputs }
    }
}

/// Normalises scores by the softmax.
pub(super) fn softmax(scores: &mut [f64]) {
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for score in scores.iter_mut() {
        *score = exp(*score - most);
        sum += *score;
    }
    scores.iter_mut().for_each(|score| *score /= sum);
}

/// Subtracts the mean if there are several values.
pub(super) fn centred(values: &[f64]) -> Vec<f64> {
    let mean = if values.len() > 1 { values.iter().sum::<f64>() / values.len() as f64 } else { 0.0 };
    values.iter().map(|value| value - mean).collect()
}
