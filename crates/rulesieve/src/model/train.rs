//! From a selection to a model: trains rules on the selected columns.

use super::assemble::{TrainingData, assemble};
use super::fit::{RuleParams, fit};
use super::predict::Predictor;
use super::record::OutputScale;
use crate::data::{DataError, Dataset, Encoder, Feature};
use crate::methods::settings::ParamError;
use crate::methods::{FitError, check_weights};
use crate::optim::{Halt, Observer};
use crate::pool;
use crate::remedy::Remedy;
use crate::rule_network::loss::{Goal, moments};
use crate::rule_network::samples::Samples;
use crate::select::{RecoveredRules, SelectError, Selection};
use std::time::Instant;

/// Copies of the coded table: transposed, sorted and scaled.
const COPIES: usize = 4;

/// Options for training on selected columns.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct TrainOptions {
    /// Parameters of the rules.
    pub rules: RuleParams,
    /// Whether classes have equal weight, however many rows they have.
    pub balanced: bool,
    /// Weight of every row; equal weights if absent.
    pub weights: Option<Vec<f64>>,
    /// Random seed.
    pub seed: u64,
}

impl TrainOptions {
    /// Default parameters, unweighted rows and classes, and seed 0.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets rule parameters, the others at their defaults.
    ///
    /// # Errors
    /// An unknown parameter, one that is set twice, or a value out of range.
    pub fn set<N: AsRef<str>, V: AsRef<str>>(self, set: impl IntoIterator<Item = (N, V)>) -> Result<Self, ParamError> {
        Ok(Self { rules: RuleParams::new(set)?, ..self })
    }

    /// Gives all classes equal weight, however many rows they have.
    pub fn balanced(self, balanced: bool) -> Self {
        Self { balanced, ..self }
    }

    /// Sets the weight of every row.
    pub fn weights(self, weights: Option<Vec<f64>>) -> Self {
        Self { weights, ..self }
    }

    /// Sets the random seed.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    fn check_weights(&self, rows: usize) -> Result<(), FitError> {
        self.weights.as_deref().map_or(Ok(()), |weights| check_weights(weights, rows))
    }
}

/// An error of training.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named in the messages")]
pub enum TrainError {
    /// The data cannot be coded.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The training of rules failed.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// The selection failed, if training includes it.
    #[error(transparent)]
    Select(#[from] SelectError),
    /// Labels that do not match the model.
    #[error("the labels do not match the {classes} classes of the model (0: regression)")]
    LabelMismatch { classes: usize },
    /// Numbers of labels and rows that differ, or are zero.
    #[error("there are {labels} labels for {rows} rows")]
    OtherRows { rows: usize, labels: usize },
    /// The trained model fails its check.
    #[error("the trained rules cannot be used: {0}")]
    Unusable(#[from] super::ModelError),
}

impl TrainError {
    /// Suggested fix.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::Data(error) => error.remedy(),
            Self::Fit(error) => error.remedy(),
            Self::Select(error) => error.remedy(),
            Self::LabelMismatch { .. } | Self::OtherRows { .. } => None,
            Self::Unusable(error) => {
                error.is_of_training().then(|| Remedy::plain("lower the rate of the rule training"))
            }
        }
    }

    /// The same error with rows counted from 0.
    pub fn rows_from_zero(self) -> Self {
        match self {
            Self::Data(error) => Self::Data(error.rows_from_zero()),
            Self::Select(error) => Self::Select(error.rows_from_zero()),
            other => other,
        }
    }
}

/// Trains a model on all rows of a data set and the columns of a selection.
///
/// Returns the model and, if an observer ended the training, the reason.
pub fn train(
    data: &Dataset,
    selection: &Selection,
    options: &TrainOptions,
    observer: &mut dyn Observer,
) -> Result<(Predictor, Option<Halt>), TrainError> {
    train_on(data, Chosen::of(selection, data)?, options, observer)
}

/// The columns that a model is trained on.
pub(crate) struct Chosen {
    /// Their indices among the features of the data set.
    pub(crate) features: Vec<usize>,
    /// The method that selected them; empty if there was no selection.
    pub(crate) method: String,
    /// The rules of the method itself, if any.
    pub(crate) rules: Option<RecoveredRules>,
}

impl Chosen {
    /// The columns of a selection, which names them: it may come from a file.
    pub(crate) fn of(selection: &Selection, data: &Dataset) -> Result<Self, DataError> {
        let features = data.indices_of(&selection.selected)?;
        Ok(Self { features, method: selection.method.clone(), rules: selection.rules.clone() })
    }

    /// All columns, without a selection.
    pub(super) fn all(data: &Dataset) -> Self {
        Self { features: (0..data.features.len()).collect(), method: String::new(), rules: None }
    }
}

pub(super) fn train_on(
    data: &Dataset,
    chosen: Chosen,
    options: &TrainOptions,
    observer: &mut dyn Observer,
) -> Result<(Predictor, Option<Halt>), TrainError> {
    pool::observed(observer, |observer| train_in_pool(data, chosen, options, observer))
}

fn train_in_pool(
    data: &Dataset,
    chosen: Chosen,
    options: &TrainOptions,
    observer: &mut dyn Observer,
) -> Result<(Predictor, Option<Halt>), TrainError> {
    let began = Instant::now();
    options.check_weights(data.samples())?;
    let features: Vec<&Feature> = chosen.features.iter().map(|&at| &data.features[at]).collect();
    let rows: Vec<usize> = (0..data.samples()).collect();
    let encoder = Encoder::fit_features(features.iter().copied(), &rows, data.coding, data.missing)?;
    let design = encoder.code(&features, &rows)?;
    design.check_copies(COPIES)?;
    let weights = options.weights.as_deref();
    let (mut samples, scaling) = Samples::scaled(&design.x, &design.blocks, &Goal::of(&data.target), weights);
    if options.balanced {
        samples.balance();
    }
    let fitted = fit(&samples, &options.rules, options.seed, observer)?;
    let (mean, scale) = data.target.numbers().map_or((0.0, 1.0), moments);
    let training_data = TrainingData {
        target: &data.target,
        missing: data.missing,
        dates: &data.dates,
        reading: &data.reading,
        features,
        encoder,
        scaling,
        samples,
        output: OutputScale { mean, scale },
        rows: rows.len(),
        warnings: Vec::new(),
        began,
    };
    assemble(training_data, &fitted, chosen, options)
}
