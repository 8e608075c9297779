//! From a selection to a model: refit on the chosen columns, and everything that is needed to apply it elsewhere.

use super::predict::Predictor;
use super::record::{Model, OutputScale, Preprocessing, Profile, RuleInfo, SCHEMA, Training};
use super::rule_base::{RuleBase, centred};
use crate::data::{CategoricalCoding, Code, ColumnEncoder, DataError, Dataset, Encoder, Feature, FeatureValues};
use crate::data::{MISSING, MissingPolicy};
use crate::methods::FitError;
use crate::methods::inductive::loss::{Goal, moments};
use crate::methods::inductive::refit::{Refitted, refit};
use crate::methods::inductive::samples::{Samples, Scaling};
use crate::methods::settings::{ParamValue, Settings};
use crate::optim::{Halt, Observer};
use crate::select::{Selection, Value};
use std::time::Instant;

/// Steps from 0 to 1 at which the quantiles of a column are kept.
const QUANTILE_STEPS: usize = 40;

/// How a model is trained on selected columns.
#[derive(Debug, Clone)]
pub struct TrainOptions {
    /// Parameters of the refit.
    pub settings: Settings,
    /// Whether all classes count the same, however many rows they have.
    pub balanced: bool,
    /// How categories become numbers.
    pub coding: CategoricalCoding,
    /// What the model does about missing values: that of the data set it is trained on.
    pub missing: MissingPolicy,
    /// Seed of everything random.
    pub seed: u64,
}

/// A model that could not be trained.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// The data cannot be coded.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The refit failed.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// The model does not stand its own check.
    #[error("the refit gave numbers that cannot be used: {0}; lower its rate")]
    Unusable(#[from] super::ModelError),
}

/// Trains a model on all rows of a data set and the columns of a selection.
///
/// Returns it with the reason why an observer ended the refit, if it did.
pub fn train(
    data: &Dataset,
    selection: &Selection,
    options: &TrainOptions,
    observer: &mut dyn Observer,
) -> Result<(Predictor, Option<Halt>), TrainError> {
    let began = Instant::now();
    let features = chosen(data, &selection.selected)?;
    let rows: Vec<usize> = (0..data.samples()).collect();
    let encoder = Encoder::fit_features(features.iter().copied(), &rows, options.coding)?;
    let design = encoder.code(&features, &rows)?;
    let scaling = Scaling::fit(&design.x, &design.blocks);
    let goal = Goal::of(&data.target);
    let mut samples = Samples { x: scaling.apply(&design.x), goal, weights: vec![1.0; rows.len()] };
    if options.balanced {
        samples.balance();
    }
    let (mean, scale) = data.target.numbers.as_deref().map_or((0.0, 1.0), moments);
    let fitted = refit(&samples, &options.settings, options.seed, observer)?;

    let network = RuleBase::from_network(&fitted.network);
    let rules = rule_infos(&network, &samples);
    let profiles = features.iter().zip(&encoder.columns).map(|(feature, column)| profile(feature, column)).collect();
    let halted = fitted.halted;
    let model = Model {
        schema: SCHEMA.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        task: data.target.task(),
        method: selection.method.clone(),
        seed: options.seed,
        target: data.target.name.clone(),
        classes: data.target.classes.clone(),
        features: selection.selected.clone(),
        preprocessing: Preprocessing {
            missing: options.missing,
            columns: encoder,
            means: scaling.means,
            factors: scaling.factors,
            profiles,
        },
        network,
        rules,
        recovered: selection.rules.clone(),
        output: OutputScale { mean, scale },
        training: summary(&fitted, &options.settings, rows.len(), began.elapsed().as_secs_f64()),
    };
    Ok((Predictor::new(model)?, halted))
}

fn chosen<'a>(data: &'a Dataset, names: &[String]) -> Result<Vec<&'a Feature>, DataError> {
    let find = |name: &String| {
        let found = data.features.iter().find(|feature| feature.name == *name);
        found.ok_or_else(|| DataError::NoColumn {
            name: name.clone(),
            hint: String::new(),
            columns: crate::data::names::shortened(&data.features.iter().map(|f| f.name.as_str()).collect::<Vec<_>>()),
        })
    };
    names.iter().map(find).collect()
}

/// Weight, coverage and effects of every rule over all samples.
fn rule_infos(network: &RuleBase, samples: &Samples) -> Vec<RuleInfo> {
    let (rules, outputs, n) = (network.centres.len(), network.outputs(), samples.x.cols());
    let mut weights = vec![0.0; rules];
    let mut most = vec![0_usize; rules];
    let mut effects = vec![vec![0.0; outputs]; rules];
    for sample in 0..n {
        let answer = network.answer(samples.x.col(sample));
        let strongest = answer.firing.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
        if let Some((rule, _)) = strongest {
            most[rule] += 1;
        }
        for (rule, (&firing, says)) in answer.firing.iter().zip(&answer.rule_outputs).enumerate() {
            weights[rule] += firing;
            effects[rule].iter_mut().zip(says).for_each(|(effect, says)| *effect += firing * says);
        }
    }
    let info = |rule: usize| {
        let total = weights[rule].max(f64::MIN_POSITIVE);
        let mean: Vec<f64> = effects[rule].iter().map(|effect| effect / total).collect();
        let n = n as f64;
        RuleInfo { weight: weights[rule] / n, coverage: most[rule] as f64 / n, effects: centred(&mean) }
    };
    (0..rules).map(info).collect()
}

fn profile(feature: &Feature, column: &ColumnEncoder) -> Profile {
    match (&feature.values, &column.code) {
        (FeatureValues::Numeric(values), _) => {
            let mut sorted: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
            sorted.sort_by(f64::total_cmp);
            let last = sorted.len().saturating_sub(1);
            let at = |step: usize| sorted.get((step * last + QUANTILE_STEPS / 2) / QUANTILE_STEPS).copied();
            Profile::Quantiles((0..=QUANTILE_STEPS).map(|step| at(step).unwrap_or(0.0)).collect())
        }
        (FeatureValues::Categorical { levels, codes }, code) => {
            let known: &[String] = if let Code::Categorical { levels, .. } = code { levels } else { &[] };
            let mut counts = vec![0_usize; levels.len()];
            codes.iter().filter(|code| **code != MISSING).for_each(|&code| counts[code as usize] += 1);
            let total = counts.iter().sum::<usize>().max(1) as f64;
            let share = |level: &String| levels.iter().position(|l| l == level).map_or(0.0, |at| counts[at] as f64);
            Profile::Shares(known.iter().map(|level| share(level) / total).collect())
        }
    }
}

fn summary(fitted: &Refitted, settings: &Settings, samples: usize, seconds: f64) -> Training {
    let value = |value| match value {
        ParamValue::Whole(value) => Value::Whole(value),
        ParamValue::Number(value) => Value::Number(value),
        ParamValue::Word(value) => Value::Word(value.to_owned()),
    };
    let mut params: std::collections::BTreeMap<String, Value> =
        settings.iter().map(|(name, v)| (name.to_owned(), value(v))).collect();
    params.insert("rules".to_owned(), Value::Whole(fitted.network.rules() as u64));
    Training {
        samples,
        learned: fitted.rows.0,
        aside: fitted.rows.1,
        training_loss: fitted.losses.0,
        validation_loss: fitted.losses.1,
        chance_loss: fitted.chance_loss,
        training_accuracy: fitted.accuracies.0,
        validation_accuracy: fitted.accuracies.1,
        tried: fitted.tried.clone(),
        steps: fitted.steps,
        on_all_rows: fitted.on_all_rows,
        converged: fitted.converged,
        seconds,
        params,
        notices: notices(fitted),
    }
}

fn notices(fitted: &Refitted) -> Vec<String> {
    let mut notices = Vec::new();
    let steps = fitted.steps;
    match fitted.halted {
        Some(Halt::Interrupted) => notices.push(format!("interrupted: the rules are those after {steps} steps")),
        Some(Halt::OutOfTime) => notices.push(format!("out of time: the rules are those after {steps} steps")),
        None if !fitted.converged && fitted.rows.1 > 0 => notices.push(format!(
            "not converged: the loss on rows kept aside still fell after {steps} steps; try more, --refit steps={}",
            2 * steps
        )),
        None => {}
    }
    if fitted.losses.1 >= fitted.chance_loss {
        notices.push("the model is no better than always giving the same answer: do not trust its rules".to_owned());
    }
    notices
}
