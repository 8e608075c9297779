//! Content of a model file: data only, checked by [`Model::check`] before use.

use super::rule_base::RuleBase;
use crate::data::{DateColumn, Encoder, Missing, Reading, Task};
use crate::held_out::HeldOut;
use crate::select::{RecoveredRules, Value};
use crate::warning::Warning;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the format.
pub const SCHEMA: &str = "rulesieve/model/1";

/// A trained model and its provenance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// [`SCHEMA`].
    pub schema: String,
    /// Version of the program that wrote it.
    pub version: String,
    /// The task.
    pub task: Task,
    /// The method that selected the features.
    pub method: String,
    /// Random seed.
    pub seed: u64,
    /// The target column.
    pub target: String,
    /// The classes, one output each; empty for regression.
    pub classes: Vec<String>,
    /// The columns it needs, best first.
    pub features: Vec<String>,
    /// Conversion of columns to inputs of the rules.
    pub preprocessing: Preprocessing,
    /// The rules.
    pub network: RuleBase,
    /// Statistics of every rule over the training rows.
    pub rules: Vec<RuleInfo>,
    /// The rules of the selection method itself, if any; they are not used for predictions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovered: Option<RecoveredRules>,
    /// Conversion of outputs to values of the target; 0 and 1 for classification.
    pub output: OutputScale,
    /// Summary of the training.
    pub training: Training,
}

/// Conversion of columns to inputs of the rules: missing values are imputed, numbers mapped to 0..1 and categories
/// coded, then every coded column is centred and scaled.
///
/// A category that does not occur in the training rows is treated as a missing value: rejected under the policy
/// `error`, coded as the most frequent one under `median`, skipped without a prediction under `drop-rows`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Preprocessing {
    /// Policy for missing values.
    pub missing: Missing,
    /// Date columns of which a part is a feature.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dates: Vec<DateColumn>,
    /// How the cells of the training table were read.
    #[serde(default, skip_serializing_if = "Reading::is_empty")]
    pub reading: Reading,
    /// Coding of every feature.
    pub columns: Encoder,
    /// Mean of every coded column, which is subtracted.
    pub means: Vec<f64>,
    /// Scale factor of every centred column.
    pub factors: Vec<f64>,
    /// Distribution of every feature in the training rows.
    pub profiles: Vec<Profile>,
}

/// The distribution of a feature in the training rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// Of numbers: the quantiles at equal steps from 0 to 1.
    Quantiles(Vec<f64>),
    /// Of categories: the share of each.
    Shares(Vec<f64>),
}

/// Conversion of outputs to values of the target: `mean + scale * output`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct OutputScale {
    /// Offset.
    pub mean: f64,
    /// Factor.
    pub scale: f64,
}

/// Statistics of a rule over the training rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RuleInfo {
    /// Mean firing strength; the weights of all rules sum to one.
    pub weight: f64,
    /// Share of rows in which it fires most.
    pub coverage: f64,
    /// Mean of every output, weighted by firing strength. For classification, relative to the mean over the classes.
    pub effects: Vec<f64>,
}

/// Summary of the training. Losses and accuracies are those of the chosen restart before the last pass on all rows, not
/// those of the saved rules if `on_all_rows` is set. The validation rows chose the restart and the number of rules, so
/// their metrics are optimistic; use `held_out` as the estimate for new rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Training {
    /// Rows of the training table.
    pub samples: usize,
    /// Training rows.
    #[serde(alias = "learned")]
    pub training_rows: usize,
    /// Validation rows: they stop the training early and choose among restarts and numbers of rules.
    #[serde(alias = "aside")]
    pub validation_rows: usize,
    /// Loss on the training rows, over the last steps.
    pub training_loss: f64,
    /// Loss on the validation rows.
    pub validation_loss: f64,
    /// Validation loss of the best constant prediction.
    pub chance_loss: f64,
    /// Accuracy on the training rows (R squared for regression).
    pub training_accuracy: f64,
    /// The same on the validation rows: optimistic, because they were used for choices.
    pub validation_accuracy: f64,
    /// Numbers of rules that were tried, with their validation losses.
    pub tried: Vec<(usize, f64)>,
    /// Steps of every restart.
    pub steps: usize,
    /// Whether the chosen restart was repeated on all rows, for its best number of steps.
    pub on_all_rows: bool,
    /// Whether the validation loss has converged.
    pub converged: bool,
    /// Training time in seconds.
    pub seconds: f64,
    /// The parameters of the training.
    pub params: BTreeMap<String, Value>,
    /// Results of the whole procedure, selection included, on rows that take no part in it; see
    /// [`cross_fit`](super::cross_fit()).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_out: Option<HeldOut>,
    /// Warnings.
    #[serde(alias = "notices")]
    pub warnings: Vec<Warning>,
}
