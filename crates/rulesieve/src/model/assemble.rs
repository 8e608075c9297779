//! From trained rules to a model: statistics of rules and columns, and a summary of the training.

use super::fit::FittedRules;
use super::predict::Predictor;
use super::record::{Model, OutputScale, Preprocessing, Profile, RuleInfo, SCHEMA, Training};
use super::rule_base::{RuleBase, centred};
use super::train::{Chosen, TrainError, TrainOptions};
use crate::data::{
    Code, ColumnEncoder, DateColumn, Encoder, Feature, FeatureValues, MISSING, Missing, Reading, Target,
};
use crate::optim::Halt;
use crate::rule_network::samples::{Samples, Scaling};
use crate::select::Value;
use crate::warning::Warning;
use std::time::Instant;

/// Steps from 0 to 1 at which the quantiles of a column are saved.
const QUANTILE_STEPS: usize = 40;

/// The data that rules were trained on.
pub(crate) struct TrainingData<'a> {
    pub(crate) target: &'a Target,
    pub(crate) missing: Missing,
    /// Date columns, whose parts are features.
    pub(crate) dates: &'a [DateColumn],
    pub(crate) reading: &'a Reading,
    /// The selected features, with rows from which the distributions of their values are estimated.
    pub(crate) features: Vec<&'a Feature>,
    pub(crate) encoder: Encoder,
    pub(crate) scaling: Scaling,
    /// The same rows, coded and scaled.
    pub(crate) samples: Samples,
    /// Conversion of outputs to values of the target.
    pub(crate) output: OutputScale,
    /// Rows of the training table.
    pub(crate) rows: usize,
    /// Warnings about the data.
    pub(crate) warnings: Vec<Warning>,
    pub(crate) began: Instant,
}

/// Assembles a model and checks it.
pub(crate) fn assemble(
    data: TrainingData<'_>,
    fitted: &FittedRules,
    chosen: Chosen,
    options: &TrainOptions,
) -> Result<(Predictor, Option<Halt>), TrainError> {
    let network = RuleBase::from_network(&fitted.network);
    let rules = rule_infos(&network, &data.samples);
    let mut training = summary(fitted, data.rows, data.began.elapsed().as_secs_f64());
    training.warnings.extend(data.warnings);
    let columns = data.features.iter().zip(&data.encoder.columns);
    let profiles = columns.map(|(feature, column)| profile(feature, column)).collect();
    let names: Vec<String> = data.features.iter().map(|feature| feature.name.clone()).collect();
    let dates = used_dates(data.dates, &names);
    let model = Model {
        schema: SCHEMA.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        task: data.target.task(),
        method: chosen.method,
        seed: options.seed,
        target: data.target.name().to_owned(),
        classes: data.target.classes().to_vec(),
        features: names,
        preprocessing: Preprocessing {
            missing: data.missing,
            dates,
            reading: data.reading.clone(),
            columns: data.encoder,
            means: data.scaling.means,
            factors: data.scaling.factors,
            profiles,
        },
        network,
        rules,
        recovered: chosen.rules,
        output: data.output,
        training,
    };
    Ok((Predictor::new(model)?, fitted.halted))
}

/// The date columns of which a part is a feature.
fn used_dates(dates: &[DateColumn], features: &[String]) -> Vec<DateColumn> {
    let is_used = |date: &&DateColumn| {
        features.iter().any(|feature| DateColumn::of(dates, feature).is_some_and(|of| of == *date))
    };
    dates.iter().filter(is_used).cloned().collect()
}

/// Weight, coverage and effects of every rule over all samples.
pub(super) fn rule_infos(network: &RuleBase, samples: &Samples) -> Vec<RuleInfo> {
    let (rules, outputs, n) = (network.centres.len(), network.outputs(), samples.x.cols());
    let mut weights = vec![0.0; rules];
    let mut most = vec![0_usize; rules];
    let mut effects = vec![vec![0.0; outputs]; rules];
    for sample in 0..n {
        let inference = network.infer(samples.x.col(sample));
        let strongest = inference.firing.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
        if let Some((rule, _)) = strongest {
            most[rule] += 1;
        }
        for (rule, (&firing, rule_outputs)) in inference.firing.iter().zip(&inference.rule_outputs).enumerate() {
            weights[rule] += firing;
            effects[rule].iter_mut().zip(rule_outputs).for_each(|(effect, output)| *effect += firing * output);
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
        (FeatureValues::Numeric(values), code) => {
            let mut sorted: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
            sorted.sort_by(f64::total_cmp);
            let last = sorted.len().saturating_sub(1);
            let at = |step: usize| sorted.get((step * last + QUANTILE_STEPS / 2) / QUANTILE_STEPS).copied();
            // A sample of the rows may lack the few numbers that exist.
            let typical = if let Code::Numeric { median, .. } = code { *median } else { 0.0 };
            Profile::Quantiles((0..=QUANTILE_STEPS).map(|step| at(step).unwrap_or(typical)).collect())
        }
        (FeatureValues::Categorical { levels, codes }, code) => {
            let (known, missing) = match code {
                Code::Categorical { levels, missing, .. } => (levels.len(), *missing),
                Code::Numeric { .. } => (0, None),
            };
            let mut counts = vec![0_usize; levels.len()];
            codes.iter().filter(|code| **code != MISSING).for_each(|&code| counts[code as usize] += 1);
            let present = counts.iter().sum::<usize>();
            let gaps = if missing.is_some() { codes.len() - present } else { 0 };
            // Rare levels share a code: counts are added before they are divided, so that no share exceeds 1.
            let mut known = vec![0_usize; known];
            if let Some(count) = missing.and_then(|missing| known.get_mut(missing)) {
                *count = gaps;
            }
            for (index, count) in column.indices(feature).into_iter().zip(&counts) {
                if let Some(known) = index.and_then(|index| known.get_mut(index as usize)) {
                    *known += count;
                }
            }
            let total = (present + gaps).max(1) as f64;
            Profile::Shares(known.into_iter().map(|count| count as f64 / total).collect())
        }
    }
}

fn summary(fitted: &FittedRules, samples: usize, seconds: f64) -> Training {
    let mut params: std::collections::BTreeMap<String, Value> =
        fitted.settings.iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
    params.insert("rules".to_owned(), Value::Whole(fitted.network.rules() as u64));
    Training {
        samples,
        training_rows: fitted.rows.0,
        validation_rows: fitted.rows.1,
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
        held_out: None,
        warnings: warnings(fitted),
    }
}

fn warnings(fitted: &FittedRules) -> Vec<Warning> {
    let (steps, tried) = (fitted.steps, fitted.cut_off);
    let mut warnings = Vec::new();
    match fitted.halted {
        Some(reason) => warnings.push(Warning::TrainingEndedEarly { reason, steps, tried }),
        None if !fitted.converged && fitted.rows.1 > 0 => warnings.push(Warning::TrainingNotConverged { steps }),
        None => {}
    }
    let (loss, chance_loss) = (fitted.losses.1, fitted.chance_loss);
    if loss >= chance_loss {
        warnings.push(Warning::ValidationNoBetterThanChance { loss, chance_loss });
    }
    warnings
}
