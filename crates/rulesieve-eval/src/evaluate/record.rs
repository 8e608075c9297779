//! What an evaluation says, as JSON.

use super::curve::Curve;
use super::frame::Params;
use super::options::{Judge, KernelKind};
use super::outcome::JudgeRecord;
use crate::stability::Stability;
use crate::statistics::ResampledT;
use crate::svm::Gamma;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// The version of the format.
pub const SCHEMA: &str = "rulesieve/evaluation/1";

/// A mean over the splits and the standard deviation around it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation, with one degree of freedom less than splits; absent where all rows are judged together.
    pub std: Option<f64>,
}

impl Spread {
    /// Of some values.
    pub fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let count = values.clone().count() as f64;
        let mean = values.clone().sum::<f64>() / count.max(1.0);
        let squares: f64 = values.map(|value| (value - mean).powi(2)).sum();
        Self { mean, std: Some((squares / (count - 1.0).max(1.0)).sqrt()) }
    }

    pub(super) fn pooled(mean: f64) -> Self {
        Self { mean, std: None }
    }
}

/// Means and deviations of scores by name: `accuracy`, `balanced_accuracy`, `macro_f1`, `mcc` and, where there are probabilities,
/// `log_loss` for classes; `rmse` and `r2` for numbers.
pub type Spreads = BTreeMap<&'static str, Spread>;

/// One split.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FoldRecord {
    /// Its number, from 0.
    pub split: usize,
    /// The rows that were judged, counted from 0.
    pub test: Vec<usize>,
    /// The features that were kept, best first.
    pub selected: Vec<String>,
    /// The parameters of the method.
    pub params: Params,
    /// The judge as it was trained: `svm`, `knn` or `tsk`.
    #[serde(flatten)]
    pub judge: JudgeRecord,
    /// Its answers.
    pub predicted: Predicted,
    /// How right they are.
    #[serde(flatten)]
    pub scores: BTreeMap<&'static str, f64>,
    /// Rows that were learned from.
    pub train_rows: usize,
    /// Seconds of everything that was learned and judged; under the protocols of the paper for all settings together.
    pub seconds: f64,
}

/// Answers as the user knows them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Predicted {
    /// Names of classes.
    Labels(Vec<String>),
    /// Numbers.
    Numbers(Vec<f64>),
}

/// How alike selections are, and which ones.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StabilityRecord {
    /// The measure and its interval.
    #[serde(flatten)]
    pub measure: Stability,
    /// What the selections were made from.
    pub over: String,
    /// Features in each selection, on average.
    pub size: f64,
    /// The parameters with which halves were ranked: those that most splits took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub params: Option<Params>,
}

/// One setting over all splits.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GridRecord {
    /// The parameters.
    pub params: Params,
    /// How right the answers were.
    #[serde(flatten)]
    pub scores: Spreads,
    /// Why it could not be used, where it could not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

/// One method over all splits.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MethodRecord {
    /// Its name.
    pub method: String,
    /// How right the answers were.
    #[serde(flatten)]
    pub scores: Spreads,
    /// How many features were kept.
    pub features: Spread,
    /// How alike the selections are; absent where that cannot be said.
    pub stability: Option<StabilityRecord>,
    /// The share of the splits in which each feature was kept, for those kept at all.
    pub frequencies: BTreeMap<String, f64>,
    /// For every true class (row) how often each class (column) was answered, over all splits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub confusion: Vec<Vec<usize>>,
    /// The first method's accuracy, or R squared, less this one's, over the same splits; absent for the first one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_against_this: Option<ResampledT>,
    /// The score of the best 1, 2, 3, 5, 8, ... features.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curve: Option<Curve>,
    /// Under the protocols of the paper: all settings, where there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub grid: Vec<GridRecord>,
    /// Seconds over all splits.
    pub seconds: f64,
    /// The splits.
    pub folds: Vec<FoldRecord>,
}

impl MethodRecord {
    /// The mean of a score, where it was measured.
    pub fn mean(&self, score: &str) -> Option<f64> {
        self.scores.get(score).map(|spread| spread.mean)
    }
}

/// The judge as it was asked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "judge", rename_all = "kebab-case")]
pub enum Classifier {
    /// A support vector machine.
    Svm {
        /// `linear` or `rbf`.
        kernel: String,
        /// The costs to choose from.
        c: Vec<f64>,
        /// `scale`, `auto` or a number; absent for the linear kernel.
        #[serde(skip_serializing_if = "Option::is_none")]
        gamma: Option<String>,
    },
    /// Nearest neighbours.
    Knn {
        /// The numbers of neighbours to choose from.
        neighbours: Vec<usize>,
    },
    /// Fuzzy rules.
    Tsk,
    /// A fuzzy classifier trained by gradients.
    Htsk,
}

impl fmt::Display for Classifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn listed<T: ToString>(values: &[T]) -> String {
            values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        }
        match self {
            Self::Svm { kernel, c, .. } => write!(f, "{kernel} SVM, C of {}", listed(c)),
            Self::Knn { neighbours } => write!(f, "nearest neighbours, {} of them", listed(neighbours)),
            Self::Tsk => f.write_str("fuzzy rules"),
            Self::Htsk => f.write_str("fuzzy classifier (HTSK)"),
        }
    }
}

impl From<&Judge> for Classifier {
    fn from(judge: &Judge) -> Self {
        match judge {
            Judge::Svm { kernel: KernelKind::Linear, costs, .. } => {
                Self::Svm { kernel: "linear".to_owned(), c: costs.clone(), gamma: None }
            }
            Judge::Svm { kernel: KernelKind::Rbf, gamma, costs } => {
                let gamma = match gamma {
                    Gamma::Scale => "scale".to_owned(),
                    Gamma::Auto => "auto".to_owned(),
                    Gamma::Number(number) => number.to_string(),
                };
                Self::Svm { kernel: "rbf".to_owned(), c: costs.clone(), gamma: Some(gamma) }
            }
            Judge::Knn { neighbours } => Self::Knn { neighbours: neighbours.clone() },
            Judge::Tsk => Self::Tsk,
            Judge::Htsk => Self::Htsk,
        }
    }
}

/// What any method should beat.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Baselines {
    /// Always answering the most frequent class; absent for numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub majority: Option<Spreads>,
    /// Always answering the mean; absent for classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<Spreads>,
    /// The judge on all features; absent where it was not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_features: Option<MethodRecord>,
    /// The judge on features in random order, their number chosen as for the methods; absent as before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub random_features: Option<MethodRecord>,
}

/// The whole evaluation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EvaluationRecord {
    /// [`SCHEMA`].
    pub schema: String,
    /// Version of the program.
    pub version: String,
    /// How everything was chosen: `nested`, `paper` or `paper-per-fold`.
    pub protocol: String,
    /// SHA-256 of names, values and target.
    pub data_sha256: String,
    /// Rows.
    pub samples: usize,
    /// Features.
    pub features: usize,
    /// `classification` or `regression`.
    pub task: &'static str,
    /// Names of the classes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub class_names: Vec<String>,
    /// The target.
    pub target: String,
    /// How rows were split, in words.
    pub splits: String,
    /// Whether all splits were judged; if not, the figures are those of the splits that were.
    pub complete: bool,
    /// Folds inside every training part, at most; absent where nothing was left to choose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inner_folds: Option<usize>,
    /// The size of a selection, in words.
    pub size: String,
    /// The judge.
    pub classifier: Classifier,
    /// Whether the labels were shuffled first.
    pub permuted_labels: bool,
    /// The seed.
    pub seed: u64,
    /// The score by which methods are compared: `accuracy` or `r2`.
    pub score: &'static str,
    /// The methods, in the order in which they were named.
    pub methods: Vec<MethodRecord>,
    /// What they should beat.
    pub baselines: Baselines,
    /// What the user should know.
    pub notices: Vec<String>,
}
