//! The parameters of the network.

use crate::linalg::Matrix;

/// Bound on the absolute value of log-spreads.
pub(crate) const WIDEST: f64 = 6.0;

/// A projection and fuzzy rules on the projected samples. Consequents of rule r and output o have column `r * outputs +
/// o`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Network {
    /// Q, m x d. Without it, rules are on the columns themselves, d = m.
    pub(crate) projection: Option<Matrix>,
    /// Centres of the antecedents, rules x d.
    pub(crate) centres: Matrix,
    /// Natural logarithms of their spreads, rules x d.
    pub(crate) log_spreads: Matrix,
    /// Slopes of the consequents, d x (rules * outputs).
    pub(crate) slopes: Matrix,
    /// Constants of the consequents.
    pub(crate) constants: Vec<f64>,
}

impl Network {
    /// Number of rules.
    pub(crate) fn rules(&self) -> usize {
        self.centres.rows()
    }

    /// Number of dimensions of the rules.
    pub(crate) fn dimensions(&self) -> usize {
        self.centres.cols()
    }

    /// Number of outputs.
    pub(crate) fn outputs(&self) -> usize {
        self.constants.len() / self.rules().max(1)
    }
}
