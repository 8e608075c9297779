//! The saved result of a selection: data, options, ranking.

use super::curve::SizeCurve;
use super::ranking::Ranked;
use super::recovered::RecoveredRules;
use super::size::SizeRule;
use crate::data::{CategoricalCoding, DateColumn, ExcludedColumn, Missing, Reading, Task};
use crate::held_out::HeldOut;
use crate::methods::settings::ParamValue;
use crate::warning::Warning;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the format.
pub const SCHEMA: &str = "rulesieve/selection/1";

/// A selection and its provenance.
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
    /// Random seed.
    pub seed: u64,
    /// The training data.
    pub data: DataRecord,
    /// Columns that are excluded because they identify rows or repeat the target.
    #[serde(default, alias = "set_aside", skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<ExcludedColumn>,
    /// Date columns, whose parts (`COLUMN.year` and others) are features.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dates: Vec<DateColumn>,
    /// How the cells of the table were read.
    #[serde(default, skip_serializing_if = "Reading::is_empty")]
    pub reading: Reading,
    /// Names of the selected features, best first.
    pub selected: Vec<String>,
    /// Ranking of all features.
    pub ranking: Vec<Ranked>,
    /// Features that the model does not use.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unused: Vec<String>,
    /// Whether the iteration converged; absent for methods that do not iterate.
    pub converged: Option<bool>,
    /// Number of iterations; absent for methods that do not iterate.
    pub iterations: Option<usize>,
    /// Time of the fit alone, in seconds.
    pub seconds: f64,
    /// Scores of the sizes, if a size rule was used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<SizeCurve>,
    /// Terms of the objective by name, after every iteration (or at intervals: see the method).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub trace: BTreeMap<String, Vec<f64>>,
    /// Further statistics of the fit, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub diagnostics: BTreeMap<String, f64>,
    /// The rules of methods with free firing strengths, with an IF part estimated afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<RecoveredRules>,
    /// Interacting pairs of features, most significant first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<RankedPair>,
    /// Tested columns and combinations of columns, for methods that test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tested: Option<String>,
    /// Results on held-out rows, for methods that use them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_out: Option<HeldOut>,
    /// Warnings.
    #[serde(alias = "notices")]
    pub warnings: Vec<Warning>,
}

/// Two interacting features.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankedPair {
    /// The names of both, in alphabetical order.
    pub features: (String, String),
    /// The p-value of the interaction, corrected for multiple tests.
    pub p_value: f64,
}

/// The training data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DataRecord {
    /// Number of rows.
    pub samples: usize,
    /// Number of feature columns.
    pub features: usize,
    /// The task.
    #[serde(default)]
    pub task: Task,
    /// Policy for missing values; absent in older records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<Missing>,
    /// Coding of categories; absent in older records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coding: Option<CategoricalCoding>,
    /// Number of classes; 0 for regression.
    pub classes: usize,
    /// Name of the target column.
    pub target: String,
    /// The classes, in the order of their codes.
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

/// A saved selection that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named in the messages")]
pub enum RecordError {
    /// Unsupported kind or version.
    #[error("this is '{found}', not a selection this version can read ('{SCHEMA}')")]
    Schema { found: String },
    /// Empty selection.
    #[error("the selection names no feature")]
    Empty,
    /// A selected feature that is not ranked, or selected twice.
    #[error("the selection is damaged: feature '{feature}' is {fault}")]
    Damaged { feature: String, fault: &'static str },
}

impl Selection {
    /// One line about the held-out results; `None` if the method has none.
    ///
    /// Where the results are those of the size chosen on held-out rows, and another rule has chosen the size, this is noted.
    pub fn held_out_summary(&self) -> Option<String> {
        let own = self.size.as_ref().is_some_and(|curve| curve.rule == SizeRule::OneSe.to_string());
        let held_out = self.held_out.as_ref()?;
        let found = held_out.summary();
        Some(if own || held_out.features.is_some() {
            found
        } else {
            found + ", for the size that held-out rows choose"
        })
    }

    /// Whether classes had equal weight.
    pub fn is_balanced(&self) -> bool {
        let (name, value) = super::options::BALANCE;
        self.params.get(name) == Some(&value.into())
    }

    /// Checks that a record has this schema, on which its other fields depend.
    pub fn check_schema(schema: &str) -> Result<(), RecordError> {
        if schema != SCHEMA {
            return Err(RecordError::Schema { found: schema.chars().take(60).collect() });
        }
        Ok(())
    }

    /// Checks a record that was read from a file.
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
