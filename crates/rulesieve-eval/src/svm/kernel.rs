//! Kernels, computed from inner products.

use super::Gram;
use crate::evaluate::ParseOptionError;
use rulesieve::matrix::{exp, widest};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A kernel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kernel {
    /// `x z`.
    Linear,
    /// `exp(-gamma |x - z|^2)`.
    Rbf {
        /// The inverse squared width.
        gamma: f64,
    },
}

/// Gamma of the RBF kernel. As text: `scale`, `auto`, or a number from 1e-12 to 1e12.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", try_from = "GammaText")]
pub enum Gamma {
    /// `1 / (features * variance)`, with the variance of all entries in the training rows.
    #[default]
    Scale,
    /// `1 / features`.
    Auto,
    /// A given value.
    Number(f64),
}

/// Gamma in JSON: text, a number, or an object with a number, as in saved runs.
#[derive(Deserialize)]
#[serde(untagged)]
enum GammaText {
    Text(String),
    Number(f64),
    Saved { number: f64 },
}

impl TryFrom<GammaText> for Gamma {
    type Error = ParseOptionError;

    fn try_from(text: GammaText) -> Result<Self, ParseOptionError> {
        match text {
            GammaText::Text(text) => text.parse(),
            GammaText::Number(number) | GammaText::Saved { number } => number.to_string().parse(),
        }
    }
}

impl FromStr for Gamma {
    type Err = ParseOptionError;

    fn from_str(text: &str) -> Result<Self, ParseOptionError> {
        match (text, text.trim().parse::<f64>()) {
            ("scale", _) => Ok(Self::Scale),
            ("auto", _) => Ok(Self::Auto),
            (_, Ok(number)) if (1e-12..=1e12).contains(&number) => Ok(Self::Number(number)),
            _ => Err(ParseOptionError::new(text, "gamma", "scale, auto, or a number from 1e-12 to 1e12")),
        }
    }
}

impl fmt::Display for Gamma {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scale => f.write_str("scale"),
            Self::Auto => f.write_str("auto"),
            Self::Number(number) => number.fmt(f),
        }
    }
}

impl Gamma {
    /// Returns the value for these training rows.
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
    /// Computes the kernel of a row with itself.
    pub(super) fn diagonal(self, gram: &Gram, row: usize) -> f64 {
        match self {
            Self::Linear => gram.square(row),
            Self::Rbf { .. } => 1.0,
        }
    }

    /// Computes the kernels of a row with `others`, whose squared lengths are `squares`.
    pub(super) fn fill(self, gram: &Gram, row: usize, others: &[usize], squares: &[f64], out: &mut [f64]) {
        let products = gram.row(row);
        out.iter_mut().zip(others).for_each(|(out, &other)| *out = products[other]);
        if let Self::Rbf { gamma } = self {
            let row_square = gram.square(row);
            widest!(|| {
                for (out, square) in out.iter_mut().zip(squares) {
                    *out = exp(-gamma * (row_square + square - 2.0 * *out).max(0.0));
                }
            });
        }
    }
}
