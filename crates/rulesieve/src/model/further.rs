//! A model that goes on learning from further rows: columns, scaling and the number of rules stay, the rules move.

use super::assemble::rule_infos;
use super::predict::Predictor;
use super::record::{Model, RuleInfo};
use super::rule_base::RuleBase;
use super::train::TrainError;
use crate::data::{Dataset, Task};
use crate::linalg::Matrix;
use crate::methods::inductive::loss::Goal;
use crate::methods::inductive::refit::{self, further};
use crate::methods::inductive::samples::Samples;
use crate::methods::settings::Settings;
use crate::select::Value;

/// How a model goes on learning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FurtherOptions {
    /// How often it goes over the new rows.
    pub passes: usize,
    /// How far a step goes, at its height.
    pub rate: f64,
    /// Seed of everything random.
    pub seed: u64,
}

/// Moves the rules of a model by mini-batches of further rows, whose classes must be those of the model in the same order.
///
/// # Errors
/// Columns that are missing or of another kind, another number of classes, and options out of range.
pub fn learn_on(predictor: &Predictor, data: &Dataset, options: &FurtherOptions) -> Result<Predictor, TrainError> {
    let mut model = predictor.model().clone();
    let found = data.target.classes.len();
    if (model.task, model.classes.len()) != (data.target.task(), found) {
        return Err(TrainError::OtherTarget { expected: model.classes.len(), found });
    }
    let samples = samples(&model, data)?;
    let rows = samples.count();
    let mut set: Vec<(String, String)> =
        model.training.params.iter().map(|(name, value)| (name.clone(), text(value))).collect();
    let batch = set.iter().find(|(name, _)| name == "batch").and_then(|(_, batch)| batch.parse().ok()).unwrap_or(512);
    set.retain(|(name, _)| name != "steps" && name != "rate");
    set.push(("steps".to_owned(), options.passes.saturating_mul(rows.div_ceil(batch)).to_string()));
    set.push(("rate".to_owned(), options.rate.to_string()));
    let settings = Settings::new("refit", &refit::SPECS, set).map_err(crate::methods::FitError::from)?;

    let network = further(&samples, model.network.to_network(), &settings, options.seed);
    model.network = RuleBase::from_network(&network);
    let before = model.training.samples as f64 / (model.training.samples + rows) as f64;
    let now = rule_infos(&model.network, &samples);
    model.rules = model.rules.iter().zip(&now).map(|(old, new)| blended(old, new, before)).collect();
    model.training.samples += rows;
    model.training.learned += rows;
    Ok(Predictor::new(model)?)
}

/// The rows as the rules see them.
fn samples(model: &Model, data: &Dataset) -> Result<Samples, TrainError> {
    let rows: Vec<usize> = (0..data.samples()).collect();
    let design = model.preprocessing.columns.transform(data, &rows)?;
    let (means, factors) = (&model.preprocessing.means, &model.preprocessing.factors);
    let x = Matrix::from_fn(means.len(), rows.len(), |col, row| (design.x[(row, col)] - means[col]) * factors[col]);
    let goal = match (&data.target.numbers, model.task) {
        (Some(numbers), Task::Regression) => {
            let scaled = numbers.iter().map(|number| (number - model.output.mean) / model.output.scale);
            Goal::Numbers(scaled.collect())
        }
        _ => Goal::of(&data.target),
    };
    Ok(Samples { x, goal, weights: vec![1.0; rows.len()] })
}

/// What is known about a rule from the rows before and from the new ones, by their share.
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
