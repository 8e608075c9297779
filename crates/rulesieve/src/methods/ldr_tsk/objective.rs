//! The objective of the paper (Eq. "obj"), term by term:
//!
//! `J = sum_i r_i^2 + gamma |P|_F^2 + alpha |X Q - X_hat|_F^2 + beta |Q|_2,1`.
//!
//! The plus sign before alpha is missing in print. With several outputs the first term sums over them.

use super::params::Params;
use crate::linalg::Matrix;

/// The four terms of J after an iteration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Terms {
    /// Squared residuals of the fuzzy system.
    pub fit: f64,
    /// `gamma |P|_F^2`.
    pub consequents: f64,
    /// `alpha |X Q - X_hat|_F^2`.
    pub projection: f64,
    /// `beta |Q|_2,1`.
    pub sparsity: f64,
}

impl Terms {
    /// Names of the terms, in the order of [`values`](Self::values).
    pub(crate) const NAMES: [&'static str; 4] = ["fit", "consequents", "projection", "sparsity"];

    /// All of J but the sparsity of Q, from residuals, consequents and `|X_hat - X Q|^2`.
    pub(crate) fn smooth(residuals: &Matrix, p: &Matrix, gap_squared: f64, params: &Params) -> Self {
        Self {
            fit: residuals.norm_squared(),
            consequents: params.gamma * p.norm_squared(),
            projection: params.alpha * gap_squared,
            sparsity: 0.0,
        }
    }

    /// J.
    pub(crate) fn total(&self) -> f64 {
        self.values().iter().sum()
    }

    /// The terms in the order of [`NAMES`](Self::NAMES).
    pub(crate) fn values(&self) -> [f64; 4] {
        [self.fit, self.consequents, self.projection, self.sparsity]
    }
}
