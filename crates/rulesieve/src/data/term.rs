//! Words for places in a distribution.

use serde::{Deserialize, Serialize};

/// Where a rule feels at home in a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Term {
    /// In the lower third of the training values.
    Low,
    /// In the middle third.
    Medium,
    /// In the upper third.
    High,
    /// In some categories.
    Categories,
    /// Everywhere: the feature does not matter to the rule.
    Any,
}

impl Term {
    /// For a place among the training values, from 0 (the smallest) to 1 (the largest).
    pub fn at(place: f64) -> Self {
        match place {
            _ if place < 1.0 / 3.0 => Self::Low,
            _ if place <= 2.0 / 3.0 => Self::Medium,
            _ => Self::High,
        }
    }

    /// In a word.
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
