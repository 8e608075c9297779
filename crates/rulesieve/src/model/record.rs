//! What a model file holds. Data only: nothing in it is run, and nothing is used before [`Model::check`] has seen it.

use super::rule_base::RuleBase;
use crate::data::{Encoder, Missing, Task};
use crate::held_out::HeldOut;
use crate::select::{RecoveredRules, Value};
use crate::warning::Warning;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the format.
pub const SCHEMA: &str = "rulesieve/model/1";

/// A trained model and how it came about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// [`SCHEMA`].
    pub schema: String,
    /// Version of the program that wrote it.
    pub version: String,
    /// What it answers.
    pub task: Task,
    /// The method that selected the features.
    pub method: String,
    /// The seed of everything random.
    pub seed: u64,
    /// The column that was learned.
    pub target: String,
    /// Its classes, one output each; none for a number.
    pub classes: Vec<String>,
    /// The columns it needs, best first.
    pub features: Vec<String>,
    /// How columns become inputs of the rules.
    pub preprocessing: Preprocessing,
    /// The rules.
    pub network: RuleBase,
    /// What is known about every rule from the training rows.
    pub rules: Vec<RuleInfo>,
    /// The rules of the method that selected the features, where it has its own; they do not answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovered: Option<RecoveredRules>,
    /// How outputs become numbers of the target; 0 and 1 for classes.
    pub output: OutputScale,
    /// How the training went.
    pub training: Training,
}

/// How columns become inputs of the rules: missing values are filled in, numbers mapped to 0..1 and categories coded,
/// then every coded column is centred and scaled.
///
/// A category that the training rows did not have is treated as a missing value is: refused under the policy `error`,
/// taken for the most frequent one under `median`, left unanswered under `drop-rows`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Preprocessing {
    /// What happens to missing values.
    pub missing: Missing,
    /// How every feature is coded.
    pub columns: Encoder,
    /// What is taken off every coded column.
    pub means: Vec<f64>,
    /// What it is then multiplied by.
    pub factors: Vec<f64>,
    /// How the values of every feature were distributed in the training rows.
    pub profiles: Vec<Profile>,
}

/// The distribution of a feature in the training rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// Of numbers: the quantiles from 0 to 1 at equal steps.
    Quantiles(Vec<f64>),
    /// Of categories: the share of each.
    Shares(Vec<f64>),
}

/// From outputs to numbers of the target: `mean + scale * output`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct OutputScale {
    /// What is added.
    pub mean: f64,
    /// What the output is multiplied by.
    pub scale: f64,
}

/// What is known about a rule from the training rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RuleInfo {
    /// Its mean firing strength; all of them add up to one.
    pub weight: f64,
    /// The share of rows in which it fires most.
    pub coverage: f64,
    /// What it says, one number for each output: the mean over the rows by how strongly it fires there. For classes, relative
    /// to the mean over the classes.
    pub effects: Vec<f64>,
}

/// How the training went. Losses and accuracies are those of the chosen restart before the last pass on all rows; they are
/// not those of the saved rules where `on_all_rows` is set. The validation rows chose the restart and the number of rules, so
/// their figures are too good; `held_out` is the honest estimate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Training {
    /// Rows of the training table.
    pub samples: usize,
    /// Training rows.
    pub learned: usize,
    /// Validation rows: they stop the training early and choose among restarts and numbers of rules.
    pub aside: usize,
    /// Loss on the training rows, over the last steps.
    pub training_loss: f64,
    /// Loss on the validation rows.
    pub validation_loss: f64,
    /// The latter for the best constant prediction.
    pub chance_loss: f64,
    /// Accuracy on the training rows (R squared for regression).
    pub training_accuracy: f64,
    /// The same on the validation rows: too good, because they were used to choose.
    pub validation_accuracy: f64,
    /// Numbers of rules that were tried, with their loss on the validation rows.
    pub tried: Vec<(usize, f64)>,
    /// Steps of every restart.
    pub steps: usize,
    /// Whether the chosen restart was repeated on all rows, for as many steps as did best.
    pub on_all_rows: bool,
    /// Whether the loss on the validation rows had stopped falling.
    pub converged: bool,
    /// Seconds of the training.
    pub seconds: f64,
    /// The parameters of the training.
    pub params: BTreeMap<String, Value>,
    /// Results of the whole procedure, selection included, on rows that took no part in it; see
    /// [`cross_fit`](super::cross_fit()).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_out: Option<HeldOut>,
    /// What the user should know.
    #[serde(alias = "notices")]
    pub warnings: Vec<Warning>,
}
