//! The record of an evaluation, as JSON.

use super::curve::Curve;
use super::result::FittedEstimator;
use super::run_spec::Params;
use super::{ClassOrder, Estimator, KernelKind};
use crate::stability::Stability;
use crate::statistics::ResampledT;
use rulesieve::Warning;
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
    /// The sample standard deviation (of the protocols as run: that which divides by the number of splits); absent if all rows are scored
    /// together.
    pub std: Option<f64>,
}

impl Spread {
    /// Computes the mean and standard deviation.
    pub fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let count = values.clone().count() as f64;
        let mean = values.clone().sum::<f64>() / count.max(1.0);
        let squares: f64 = values.map(|value| (value - mean).powi(2)).sum();
        Self { mean, std: Some((squares / (count - 1.0).max(1.0)).sqrt()) }
    }

    /// Computes the mean and the standard deviation that divides by the number of values.
    pub fn of_population(values: impl Iterator<Item = f64> + Clone) -> Self {
        let count = values.clone().count().max(1) as f64;
        let mean = values.clone().sum::<f64>() / count;
        let squares: f64 = values.map(|value| (value - mean).powi(2)).sum();
        Self { mean, std: Some((squares / count).sqrt()) }
    }

    pub(super) fn pooled(mean: f64) -> Self {
        Self { mean, std: None }
    }
}

/// Means and deviations of scores by name: `accuracy`, `balanced_accuracy`, `macro_f1`, `mcc`, `roc_auc`, `average_precision` and, with
/// probabilities, `log_loss` for classification; `rmse` and `r2` for regression, R squared of the predictions of all splits together
/// with its deviation over the splits.
pub type Spreads = BTreeMap<&'static str, Spread>;

/// One split.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FoldRecord {
    /// Its number, from 0.
    pub split: usize,
    /// The test rows, counted from 0.
    pub test: Vec<usize>,
    /// The selected features, best first.
    pub selected: Vec<String>,
    /// The parameters of the method.
    pub params: Params,
    /// The estimator as it was trained: `svm`, `knn`, `tsk` or `htsk`.
    #[serde(flatten)]
    pub estimator: FittedEstimator,
    /// Its predictions.
    pub predicted: Predicted,
    /// Their scores.
    #[serde(flatten)]
    pub scores: BTreeMap<&'static str, f64>,
    /// Number of training rows.
    pub train_rows: usize,
    /// Seconds of all training and scoring; under the protocols of the paper for all settings together.
    pub seconds: f64,
}

/// Predictions as names or numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Predicted {
    /// Names of classes.
    Labels(Vec<String>),
    /// Numbers.
    Numbers(Vec<f64>),
}

/// The stability of selections.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StabilityRecord {
    /// The measure and its interval.
    #[serde(flatten)]
    pub measure: Stability,
    /// The rows of the selections.
    pub over: String,
    /// Features in each selection, on average.
    pub size: f64,
    /// The parameters for the subsamples: those that most splits chose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub params: Option<Params>,
}

/// One setting over all splits.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GridRecord {
    /// The parameters.
    pub params: Params,
    /// The scores of its predictions.
    #[serde(flatten)]
    pub scores: Spreads,
    /// Why it failed, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

/// One method over all splits.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MethodRecord {
    /// Its name.
    pub method: String,
    /// The scores of its predictions.
    #[serde(flatten)]
    pub scores: Spreads,
    /// The number of selected features.
    pub features: Spread,
    /// The stability of the selections; absent if undefined.
    pub stability: Option<StabilityRecord>,
    /// The fraction of splits in which each feature was selected; features that never were are omitted.
    pub frequencies: BTreeMap<String, f64>,
    /// The confusion matrix over all splits: true classes in rows, predicted classes in columns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub confusion: Vec<Vec<usize>>,
    /// The difference of accuracy, or R squared, between the first method and this one over the same splits; absent for the first one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_against_this: Option<ResampledT>,
    /// The score of the best 1, 2, 3, 5, 8, ... features.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curve: Option<Curve>,
    /// Under the protocols of the paper: all settings, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub grid: Vec<GridRecord>,
    /// Seconds over all splits.
    pub seconds: f64,
    /// The splits.
    pub folds: Vec<FoldRecord>,
}

impl MethodRecord {
    /// Returns the mean of a score, if present.
    pub fn mean(&self, score: &str) -> Option<f64> {
        self.scores.get(score).map(|spread| spread.mean)
    }
}

/// The estimator and the parameters to choose from.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "name", rename_all = "kebab-case")]
pub enum EstimatorRecord {
    /// A support vector machine.
    Svm {
        /// `linear` or `rbf`.
        kernel: String,
        /// The costs to choose from.
        c: Vec<f64>,
        /// `scale`, `auto` or a number; absent for the linear kernel.
        #[serde(skip_serializing_if = "Option::is_none")]
        gamma: Option<String>,
        /// Maximum number of iterations for each pair of classes; absent if there is none.
        #[serde(skip_serializing_if = "Option::is_none")]
        max_iter: Option<usize>,
        /// How classes are numbered; absent if by name.
        #[serde(skip_serializing_if = "Option::is_none")]
        class_order: Option<ClassOrder>,
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

impl fmt::Display for EstimatorRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn listed<T: ToString>(values: &[T]) -> String {
            values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        }
        match self {
            Self::Svm { kernel, c, max_iter, class_order, .. } => {
                write!(f, "{kernel} SVM, C of {}", listed(c))?;
                max_iter.map_or(Ok(()), |most| write!(f, ", stopped after {most} iterations"))?;
                class_order.map_or(Ok(()), |order| write!(f, ", classes by {order}"))
            }
            Self::Knn { neighbours } => write!(f, "nearest neighbours, K of {}", listed(neighbours)),
            Self::Tsk => f.write_str("fuzzy rules"),
            Self::Htsk => f.write_str("fuzzy classifier (HTSK)"),
        }
    }
}

impl From<&Estimator> for EstimatorRecord {
    fn from(estimator: &Estimator) -> Self {
        match estimator {
            Estimator::Svm { kernel, gamma, costs, max_iter, class_order } => Self::Svm {
                kernel: kernel.to_string(),
                c: costs.clone(),
                gamma: (*kernel == KernelKind::Rbf).then(|| gamma.to_string()),
                max_iter: *max_iter,
                class_order: Some(*class_order).filter(|order| *order != ClassOrder::default()),
            },
            Estimator::Knn { neighbours } => Self::Knn { neighbours: neighbours.clone() },
            Estimator::Tsk => Self::Tsk,
            Estimator::Htsk => Self::Htsk,
        }
    }
}

/// Scores that a method should exceed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Baselines {
    /// Predicting the most frequent class; absent for regression.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub majority: Option<Spreads>,
    /// Predicting the mean; absent for classification.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<Spreads>,
    /// All features; absent if not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_features: Option<MethodRecord>,
    /// Features in random order, their number chosen as for the methods; absent if not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub random_features: Option<MethodRecord>,
}

/// The record of an evaluation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EvaluationRecord {
    /// [`SCHEMA`].
    pub schema: String,
    /// Version of the program.
    pub version: String,
    /// The protocol, as in [`super::Protocol::NAMES`].
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
    /// How rows were split.
    pub splits: String,
    /// Whether all splits are complete; if not, the scores use the completed splits.
    pub complete: bool,
    /// Number of splits that are complete.
    pub completed_splits: usize,
    /// Methods and baselines without a result, because the evaluation ended before any split was complete.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unfinished: Vec<String>,
    /// Maximum number of inner folds; absent if there was nothing to choose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inner_folds: Option<usize>,
    /// The size of a selection.
    pub size: String,
    /// The estimator that scores the held-out rows.
    pub estimator: EstimatorRecord,
    /// Maximum number of training rows of the estimator and the inner folds, drawn at random; absent if all rows were used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimator_rows: Option<usize>,
    /// Whether the labels were shuffled first.
    pub permuted_labels: bool,
    /// The random seed.
    pub seed: u64,
    /// The score by which methods are compared: `accuracy` or `r2`.
    pub score: &'static str,
    /// The methods, in the order in which they were named.
    pub methods: Vec<MethodRecord>,
    /// The baselines.
    pub baselines: Baselines,
    /// Warnings.
    pub warnings: Vec<Warning>,
}

impl EvaluationRecord {
    /// Describes the estimator and the sample of training rows, if any.
    pub fn estimator_text(&self) -> String {
        let sample = self.estimator_rows.map(|rows| format!(" trained on a sample of {rows} training rows"));
        format!("{}{}", self.estimator, sample.unwrap_or_default())
    }

    /// Describes the splits and how many are complete, if not all.
    pub fn splits_text(&self) -> String {
        match (self.complete, self.completed_splits) {
            (true, _) => self.splits.clone(),
            (false, 0) => format!("{} (partial: none complete)", self.splits),
            (false, complete) => format!("{} (partial: {complete} complete)", self.splits),
        }
    }

    /// Returns a score of the methods and baselines that have it.
    pub fn scores_of<'a>(&'a self, score: &'a str) -> impl Iterator<Item = Spread> + 'a {
        let base = &self.baselines;
        let selected = self.methods.iter().chain(&base.all_features).chain(&base.random_features);
        let scores = selected.map(|method| &method.scores).chain(&base.majority).chain(&base.mean);
        scores.filter_map(move |scores| scores.get(score).copied())
    }
}
