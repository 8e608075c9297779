//! What is kept of an evaluation, and its summary.

use super::{EvaluateOptions, KernelKind, absent, majority};
use crate::metrics::Confusion;
use crate::splits::{Plan, Split};
use crate::stability::{Stability, frequencies, stability};
use crate::statistics::{ResampledT, corrected_resampled_t};
use crate::svm::Gamma;
use rulesieve::data::Dataset;
use serde::Serialize;
use std::collections::BTreeMap;

/// The version of the format.
pub const SCHEMA: &str = "rulesieve/evaluation/1";

pub(super) const ALL: &str = "all features";
pub(super) const RANDOM: &str = "random features";

/// A mean over the splits and the standard deviation around it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation, with one degree of freedom less than splits; absent where all rows are judged together.
    pub std: Option<f64>,
}

impl Spread {
    fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let count = values.clone().count() as f64;
        let mean = values.clone().sum::<f64>() / count.max(1.0);
        let squares: f64 = values.map(|value| (value - mean).powi(2)).sum();
        Self { mean, std: Some((squares / (count - 1.0).max(1.0)).sqrt()) }
    }

    fn pooled(mean: f64) -> Self {
        Self { mean, std: None }
    }
}

/// The SVM that judged a split.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SvmRecord {
    /// `linear` or `rbf`.
    pub kernel: String,
    /// The cost.
    pub c: f64,
    /// The number used; absent for the linear kernel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gamma: Option<f64>,
    /// Whether it met its tolerance.
    pub converged: bool,
}

/// One method in one split.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FoldRecord {
    /// The rows that were judged, from 0.
    pub test: Vec<usize>,
    /// The features that were kept, best first.
    pub selected: Vec<String>,
    #[serde(skip)]
    pub(super) places: Vec<usize>,
    #[serde(skip)]
    pub(super) answers: Vec<u32>,
    /// The judge.
    pub svm: SvmRecord,
    /// Its answers.
    pub predicted: Vec<String>,
    /// Share of right answers.
    pub accuracy: f64,
    /// Mean over the classes of that share.
    pub balanced_accuracy: f64,
    /// Mean F1 over the classes.
    pub macro_f1: f64,
    /// Matthews' correlation.
    pub mcc: f64,
    /// Rows that were learned from.
    pub train_rows: usize,
    /// Seconds of everything that was learned and judged.
    pub seconds: f64,
}

/// One method over all splits.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MethodRecord {
    /// Its name.
    pub method: String,
    /// Share of right answers.
    pub accuracy: Spread,
    /// Mean over the classes of that share.
    pub balanced_accuracy: Spread,
    /// Mean F1 over the classes.
    pub macro_f1: Spread,
    /// Matthews' correlation.
    pub mcc: Spread,
    /// How many features were kept.
    pub features: Spread,
    /// How alike the selections of the splits are; absent where that cannot be said.
    pub stability: Option<Stability>,
    /// The share of the splits in which each feature was kept, for those kept at all.
    pub frequencies: BTreeMap<String, f64>,
    /// The first method's accuracy less this one's, over the same splits; absent for the first one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_against_this: Option<ResampledT>,
    /// Seconds over all splits.
    pub seconds: f64,
    /// The splits.
    pub folds: Vec<FoldRecord>,
}

impl MethodRecord {
    /// One by one, figures of single rows mean nothing: all rows are then judged `together`.
    pub(super) fn new(name: &str, data: &Dataset, folds: Vec<FoldRecord>, together: bool) -> Self {
        let whole = together.then(|| pooled(data, &folds));
        let measure = |value: fn(&FoldRecord) -> f64, of_all: fn(&Confusion) -> f64| match &whole {
            Some(table) => Spread::pooled(of_all(table)),
            None => Spread::of(folds.iter().map(value)),
        };
        let selections: Vec<Vec<usize>> = folds.iter().map(|fold| fold.places.clone()).collect();
        let shares = frequencies(&selections, data.features.len());
        let kept = data.features.iter().zip(&shares).filter(|(_, share)| **share > 0.0);
        Self {
            method: name.to_owned(),
            accuracy: measure(|fold| fold.accuracy, Confusion::accuracy),
            balanced_accuracy: measure(|fold| fold.balanced_accuracy, Confusion::balanced_accuracy),
            macro_f1: measure(|fold| fold.macro_f1, Confusion::macro_f1),
            mcc: measure(|fold| fold.mcc, Confusion::mcc),
            features: Spread::of(folds.iter().map(|fold| fold.selected.len() as f64)),
            stability: stability(&selections, data.features.len()),
            frequencies: kept.map(|(feature, &share)| (feature.name.clone(), share)).collect(),
            first_against_this: None,
            seconds: folds.iter().map(|fold| fold.seconds).sum(),
            folds,
        }
    }

    fn accuracies(&self) -> Vec<f64> {
        self.folds.iter().map(|fold| fold.accuracy).collect()
    }
}

/// The answers of all splits in one table.
fn pooled(data: &Dataset, folds: &[FoldRecord]) -> Confusion {
    let truth = folds.iter().flat_map(|fold| fold.test.iter().map(|&row| data.target.codes[row])).collect::<Vec<_>>();
    let answers: Vec<u32> = folds.iter().flat_map(|fold| fold.answers.clone()).collect();
    Confusion::new(&truth, &answers, data.target.classes.len())
}

/// The judge as it was asked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Classifier {
    /// `linear` or `rbf`.
    pub kernel: String,
    /// The costs to choose from.
    pub c: Vec<f64>,
    /// `scale`, `auto` or a number; absent for the linear kernel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gamma: Option<String>,
}

/// What any method should beat.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Baselines {
    /// Accuracy of always answering the most frequent class.
    pub majority: Spread,
    /// Its macro-F1.
    pub majority_macro_f1: Spread,
    /// The judge on all features.
    pub all_features: MethodRecord,
    /// The judge on features in random order, their number chosen as for the methods.
    pub random_features: MethodRecord,
}

/// The whole evaluation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EvaluationRecord {
    /// [`SCHEMA`].
    pub schema: String,
    /// Version of the program.
    pub version: String,
    /// How everything was chosen: `nested`.
    pub protocol: String,
    /// Rows, features and classes.
    pub samples: usize,
    /// Features.
    pub features: usize,
    /// Names of the classes.
    pub class_names: Vec<String>,
    /// The target.
    pub target: String,
    /// How rows were split, in words.
    pub splits: String,
    /// Folds inside every training part, at most; absent where nothing was left to choose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inner_folds: Option<usize>,
    /// The judge.
    pub classifier: Classifier,
    /// Whether the labels were shuffled first.
    pub permuted_labels: bool,
    /// The seed.
    pub seed: u64,
    /// The methods, in the order in which they were named.
    pub methods: Vec<MethodRecord>,
    /// What they should beat.
    pub baselines: Baselines,
    /// What the user should know.
    pub notices: Vec<String>,
}

/// Puts everything together.
pub(super) fn assemble(
    data: &Dataset,
    options: &EvaluateOptions,
    outer: &[Split],
    mut methods: Vec<MethodRecord>,
    (mut all_features, mut random_features): (MethodRecord, MethodRecord),
) -> EvaluationRecord {
    let shares = outer.iter().map(|split| split.test.len() as f64 / split.train.len().max(1) as f64);
    let test_share = shares.sum::<f64>() / outer.len().max(1) as f64;
    let first = methods.first().map(MethodRecord::accuracies).unwrap_or_default();
    let majority = majority(data, outer, options);
    let judged = || methods.iter().chain([&all_features, &random_features]);
    let unsettled = judged().flat_map(|method| &method.folds).filter(|fold| !fold.svm.converged).count();
    for method in methods.iter_mut().skip(1).chain([&mut all_features, &mut random_features]) {
        method.first_against_this = corrected_resampled_t(&first, &method.accuracies(), test_share);
    }
    let mut notices = data.notices.clone();
    notices.extend(absent(data, outer, options));
    if unsettled > 0 {
        notices.push(format!("the SVM did not meet its tolerance in {unsettled} of the fits that judge"));
    }
    EvaluationRecord {
        schema: SCHEMA.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        protocol: "nested".to_owned(),
        samples: data.samples(),
        features: data.features.len(),
        class_names: data.target.classes.clone(),
        target: data.target.name.clone(),
        splits: in_words(&options.plan),
        inner_folds: (super::split::fits(options) > 1).then_some(options.inner),
        classifier: classifier(options),
        permuted_labels: options.permute,
        seed: options.seed,
        methods,
        baselines: Baselines {
            majority: Spread::of(majority.iter().map(|scores| scores.0)),
            majority_macro_f1: Spread::of(majority.iter().map(|scores| scores.1)),
            all_features,
            random_features,
        },
        notices,
    }
}

fn in_words(plan: &Plan) -> String {
    match plan {
        Plan::Folds { folds, repeats: 0 | 1 } => format!("{folds} folds"),
        Plan::Folds { folds, repeats } => format!("{folds} folds, {repeats} times"),
        Plan::Groups { folds, .. } => format!("{folds} folds of groups"),
        Plan::LeaveOneOut => "leave one out".to_owned(),
    }
}

fn classifier(options: &EvaluateOptions) -> Classifier {
    let gamma = match options.gamma {
        Gamma::Scale => "scale".to_owned(),
        Gamma::Auto => "auto".to_owned(),
        Gamma::Number(number) => number.to_string(),
    };
    match options.kernel {
        KernelKind::Linear => Classifier { kernel: "linear".to_owned(), c: options.costs.clone(), gamma: None },
        KernelKind::Rbf => Classifier { kernel: "rbf".to_owned(), c: options.costs.clone(), gamma: Some(gamma) },
    }
}
