//! Kernels as functions of inner products.

use super::Gram;
use rulesieve::linalg::{exp, widest};
use serde::{Deserialize, Serialize};

/// How alike two samples are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kernel {
    /// `x z`.
    Linear,
    /// `exp(-gamma |x - z|^2)`.
    Rbf {
        /// How fast likeness falls with distance.
        gamma: f64,
    },
}

/// How gamma is found.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gamma {
    /// One over the number of features times the variance of all their entries, in the training rows.
    #[default]
    Scale,
    /// One over the number of features.
    Auto,
    /// As given.
    Number(f64),
}

impl Gamma {
    /// The number to use for these training rows.
    pub fn number(self, gram: &Gram, rows: &[usize]) -> f64 {
        let width = gram.width().max(1) as f64;
        match self {
            Self::Number(gamma) => gamma,
            Self::Auto => 1.0 / width,
            Self::Scale => {
                let variance = gram.variance(rows);
                if variance > 0.0 { 1.0 / (width * variance) } else { 1.0 }
            }
        }
    }
}

impl Kernel {
    /// A sample with itself.
    pub(super) fn own(self, gram: &Gram, row: usize) -> f64 {
        match self {
            Self::Linear => gram.square(row),
            Self::Rbf { .. } => 1.0,
        }
    }

    /// A sample with others, `squares` their squared lengths.
    pub(super) fn fill(self, gram: &Gram, row: usize, others: &[usize], squares: &[f64], out: &mut [f64]) {
        let products = gram.row(row);
        out.iter_mut().zip(others).for_each(|(out, &other)| *out = products[other]);
        if let Self::Rbf { gamma } = self {
            let own = gram.square(row);
            widest!(|| {
                for (out, square) in out.iter_mut().zip(squares) {
                    *out = exp(-gamma * (own + square - 2.0 * *out).max(0.0));
                }
            });
        }
    }
}
