//! Continued training on further rows: columns, scaling and the number of rules are kept.

use super::assemble::rule_infos;
use super::fit::{RuleParams, fit_further};
use super::predict::Predictor;
use super::record::{Model, RuleInfo};
use super::rule_base::RuleBase;
use super::train::TrainError;
use crate::data::{Table, Task};
use crate::methods::FitError;
use crate::methods::settings::ParamError;
use crate::optim::Observer;
use crate::pool;
use crate::rule_network::loss::Goal;
use crate::rule_network::samples::Samples;
use crate::select::Value;
use std::collections::BTreeMap;

/// Options for continued training.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContinueOptions {
    /// Number of passes over the new rows.
    pub passes: usize,
    /// Largest learning rate.
    pub rate: f64,
    /// Random seed.
    pub seed: u64,
}

/// Labels of further rows.
#[derive(Debug, Clone, PartialEq)]
pub enum Labels {
    /// Indices into the classes of the model.
    Classes(Vec<u32>),
    /// Values of a regression target.
    Numbers(Vec<f64>),
}

/// Updates the rules of a model with mini-batches of further rows. Columns are found by name, as in
/// [`Predictor::predict`], and missing values are treated the same way; rows without a prediction are rejected.
///
/// # Errors
/// Columns that are missing or of another kind, labels unknown to the model, and options out of range.
pub fn continue_training(
    predictor: &Predictor,
    table: &Table,
    labels: &Labels,
    options: &ContinueOptions,
    observer: &mut dyn Observer,
) -> Result<Predictor, TrainError> {
    let mut model = predictor.model().clone();
    let samples = Samples {
        goal: goal(&model, labels, table.rows())?,
        x: predictor.inputs(table)?,
        weights: vec![1.0; table.rows()],
    };
    let params = recorded_params(&model.training.params).map_err(FitError::from)?;
    let steps = options.passes.saturating_mul(samples.count().div_ceil(params.batch));
    let params = RuleParams { steps, rate: options.rate, ..params };
    let network = model.network.to_network();
    let network = pool::observed(observer, |observer| fit_further(&samples, network, &params, options.seed, observer))?;
    model.network = RuleBase::from_network(&network);
    let before = model.training.samples as f64 / model.training.samples.saturating_add(samples.count()) as f64;
    let now = rule_infos(&model.network, &samples);
    model.rules = model.rules.iter().zip(&now).map(|(old, new)| blended(old, new, before)).collect();
    model.training.samples = model.training.samples.saturating_add(samples.count());
    model.training.training_rows = model.training.training_rows.saturating_add(samples.count());
    // The results are those of the rules before this update.
    model.training.held_out = None;
    Ok(Predictor::new(model)?)
}

fn goal(model: &Model, labels: &Labels, rows: usize) -> Result<Goal, TrainError> {
    let count = model.classes.len();
    let goal = match (labels, model.task) {
        (Labels::Classes(codes), Task::Classification) if codes.iter().all(|&code| (code as usize) < count) => {
            Goal::Classes { codes: codes.clone(), count }
        }
        (Labels::Numbers(numbers), Task::Regression) if numbers.iter().all(|number| number.is_finite()) => {
            let scaled = numbers.iter().map(|number| (number - model.output.mean) / model.output.scale);
            Goal::Numbers(scaled.collect())
        }
        _ => return Err(TrainError::LabelMismatch { classes: count }),
    };
    let labels = match labels {
        Labels::Classes(codes) => codes.len(),
        Labels::Numbers(numbers) => numbers.len(),
    };
    if labels == rows && rows > 0 { Ok(goal) } else { Err(TrainError::OtherRows { rows, labels }) }
}

/// The parameters recorded in a model.
///
/// # Errors
/// Unknown parameters, and values out of range.
pub(super) fn recorded_params(recorded: &BTreeMap<String, Value>) -> Result<RuleParams, ParamError> {
    RuleParams::new(recorded.iter().map(|(name, value)| (name, text(value))))
}

/// Statistics of a rule over the previous and the new rows, weighted by their shares.
fn blended(old: &RuleInfo, new: &RuleInfo, share: f64) -> RuleInfo {
    let blend = |old: f64, new: f64| share * old + (1.0 - share) * new;
    RuleInfo {
        weight: blend(old.weight, new.weight),
        coverage: blend(old.coverage, new.coverage),
        effects: old.effects.iter().zip(&new.effects).map(|(&old, &new)| blend(old, new)).collect(),
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Whole(value) => value.to_string(),
        Value::Number(value) => value.to_string(),
        Value::Word(value) => value.clone(),
    }
}
