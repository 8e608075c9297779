//! The record of a selection: what was done, to what, with which result. It is also what `apply` reads back.

use super::curve::SizeCurve;
use super::ranking::Ranked;
use super::recovered::RecoveredRules;
use super::size::SizeRule;
use crate::data::{CategoricalCoding, Missing, SetAside, Task};
use crate::held_out::HeldOut;
use crate::methods::settings::ParamValue;
use crate::warning::Warning;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the format.
pub const SCHEMA: &str = "rulesieve/selection/1";

/// A selection and how it came about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Selection {
    /// [`SCHEMA`].
    pub schema: String,
    /// Version of the program.
    pub version: String,
    /// The method.
    pub method: String,
    /// Its parameters, by name.
    pub params: BTreeMap<String, Value>,
    /// The seed.
    pub seed: u64,
    /// What was learned from.
    pub data: DataRecord,
    /// Columns that were left out of the features because they identify rows or repeat the target.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set_aside: Vec<SetAside>,
    /// Names of the selected features, best first.
    pub selected: Vec<String>,
    /// All features in order.
    pub ranking: Vec<Ranked>,
    /// Features that the model does not use: their rows of the projection are exactly zero.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unused: Vec<String>,
    /// Whether the iteration settled; absent for methods that do not iterate.
    pub converged: Option<bool>,
    /// Iterations done; absent likewise.
    pub iterations: Option<usize>,
    /// Seconds of the fit alone.
    pub seconds: f64,
    /// How the size was found, where a rule was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<SizeCurve>,
    /// Terms of the objective by name, after every iteration (or every so many: see the method).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub trace: BTreeMap<String, Vec<f64>>,
    /// Further numbers about the fit, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub diagnostics: BTreeMap<String, f64>,
    /// The rules of methods whose firing strengths are free, with an IF part found afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<RecoveredRules>,
    /// Pairs of features that act together, most significant first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<RankedPair>,
    /// Which columns and combinations of columns were tested, for methods that test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tested: Option<String>,
    /// Results on held-out rows, for methods that hold rows out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_out: Option<HeldOut>,
    /// What the user should know.
    #[serde(alias = "notices")]
    pub warnings: Vec<Warning>,
}

/// Two features that act together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankedPair {
    /// The names of both, in alphabetical order.
    pub features: (String, String),
    /// The p-value of their interaction, corrected for the number of tests.
    pub p_value: f64,
}

/// What was learned from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DataRecord {
    /// Rows.
    pub samples: usize,
    /// Feature columns.
    pub features: usize,
    /// What was learned.
    #[serde(default)]
    pub task: Task,
    /// What was done about missing values; absent in older records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<Missing>,
    /// How categories became numbers; absent in older records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coding: Option<CategoricalCoding>,
    /// Number of classes; 0 for numbers.
    pub classes: usize,
    /// Name of the target column.
    pub target: String,
    /// The classes, in the order of their numbers.
    pub class_names: Vec<String>,
}

/// The value of a parameter in a record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A whole number.
    Whole(u64),
    /// Any other number.
    Number(f64),
    /// A word.
    Word(String),
}

impl From<ParamValue> for Value {
    fn from(value: ParamValue) -> Self {
        match value {
            ParamValue::Whole(value) => Self::Whole(value),
            ParamValue::Number(value) => Self::Number(value),
            ParamValue::Word(value) => Self::Word(value.to_owned()),
        }
    }
}

/// A record that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// Of another kind or version.
    #[error("this is '{found}', not a selection this version can read ('{SCHEMA}')")]
    Schema {
        /// What it says it is.
        found: String,
    },
    /// Nothing selected.
    #[error("the selection names no feature")]
    Empty,
    /// A selected feature that was never ranked, or selected twice.
    #[error("the selection is damaged: feature '{feature}' is {fault}")]
    Damaged {
        /// The feature.
        feature: String,
        /// What is wrong with it.
        fault: &'static str,
    },
}

impl Selection {
    /// One line about held-out rows, for users; none where the method holds no rows out.
    ///
    /// The results are those of the size that held-out rows choose, so a size that was given otherwise is told apart.
    pub fn held_out_summary(&self) -> Option<String> {
        let own = self.size.as_ref().is_some_and(|curve| curve.rule == SizeRule::OneSe.to_string());
        let found = self.held_out.as_ref()?.summary();
        Some(if own { found } else { found + ", for the size that held-out rows choose" })
    }

    /// Whether all classes counted the same.
    pub fn is_balanced(&self) -> bool {
        let (name, value) = super::options::BALANCE;
        self.params.get(name) == Some(&value.into())
    }

    /// Checks that a record is of this kind and version, which its other fields depend on.
    pub fn check_schema(schema: &str) -> Result<(), RecordError> {
        if schema != SCHEMA {
            return Err(RecordError::Schema { found: schema.chars().take(60).collect() });
        }
        Ok(())
    }

    /// Checks a record that was read from a file before it is used.
    pub fn check(&self) -> Result<(), RecordError> {
        Self::check_schema(&self.schema)?;
        if self.selected.is_empty() {
            return Err(RecordError::Empty);
        }
        let ranked: std::collections::HashSet<&str> = self.ranking.iter().map(|r| r.feature.as_str()).collect();
        let mut seen = std::collections::HashSet::new();
        for feature in &self.selected {
            let fault = if !ranked.contains(feature.as_str()) {
                "selected but not ranked"
            } else if !seen.insert(feature) {
                "selected twice"
            } else {
                continue;
            };
            return Err(RecordError::Damaged { feature: feature.clone(), fault });
        }
        Ok(())
    }
}
