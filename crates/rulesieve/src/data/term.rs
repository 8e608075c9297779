//! Linguistic terms for ranges of a distribution.

use serde::{Deserialize, Serialize};

/// Linguistic term of a rule condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Term {
    /// Lower third of the training values.
    Low,
    /// Middle third.
    Medium,
    /// Upper third.
    High,
    /// Some categories.
    Categories,
    /// Any value: the feature does not affect the rule.
    Any,
}

impl Term {
    /// The term of a quantile from 0 (smallest training value) to 1 (largest).
    pub fn at(quantile: f64) -> Self {
        match quantile {
            _ if quantile < 1.0 / 3.0 => Self::Low,
            _ if quantile <= 2.0 / 3.0 => Self::Medium,
            _ => Self::High,
        }
    }

    /// The term as text.
    pub fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Categories => "one of",
            Self::Any => "any",
        }
    }
}
