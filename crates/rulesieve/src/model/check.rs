//! Checks every length and number of a model before it is used.

use super::further::recorded_params;
use super::record::{Model, Profile, SCHEMA};
use crate::data::{Code, ColumnEncoder, MAX_LEVELS, Task, Term};
use crate::remedy::Remedy;
use crate::rule_network::network::WIDEST;
use crate::select::RecoveredCondition;
use std::collections::HashSet;
use std::hash::Hash;

const MAX_FEATURES: usize = 100_000;
const MAX_RULES: usize = 4096;
const MAX_CLASSES: usize = 100_000;
/// Maximum number of parameters of all rules together.
const MAX_CELLS: usize = 1 << 26;
/// Upper bound on the number of rows, far above any real table.
const MAX_ROWS: u64 = 1 << 48;
/// Bound on the parameters of the rules that keeps their products finite.
const LARGEST: f64 = 1e12;

/// A model that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named in the messages")]
pub enum ModelError {
    /// Unsupported kind or version.
    #[error("this is '{found}', not a model this version can read ('{SCHEMA}')")]
    Schema { found: String },
    /// Parts that do not fit together, or invalid numbers.
    #[error("the model is damaged: {path} {fault}")]
    Damaged { path: String, fault: String },
}

impl ModelError {
    /// Suggested fix.
    pub fn remedy(&self) -> Option<Remedy> {
        Some(Remedy::plain(match self {
            Self::Schema { .. } => "train it again",
            Self::Damaged { .. } => "train it again or fetch the file again",
        }))
    }

    /// Whether the fault is in a number that the training of rules computes.
    pub(super) fn is_of_training(&self) -> bool {
        let computed = ["network.", "rules[", "training."];
        matches!(self, Self::Damaged { path, .. } if computed.iter().any(|part| path.starts_with(part)))
    }
}

type Checked = Result<(), ModelError>;

fn damaged(path: impl Into<String>, fault: impl Into<String>) -> ModelError {
    ModelError::Damaged { path: path.into(), fault: fault.into() }
}

fn length(path: &str, found: usize, expected: usize) -> Checked {
    if found == expected {
        return Ok(());
    }
    Err(damaged(path, format!("has {found} entries where {expected} are needed")))
}

fn at_most(path: &str, found: usize, limit: usize) -> Checked {
    match found {
        0 => Err(damaged(path, "is empty")),
        _ if found > limit => Err(damaged(path, format!("has {found} entries, more than {limit}"))),
        _ => Ok(()),
    }
}

fn within(path: impl Fn() -> String, value: f64, low: f64, high: f64) -> Checked {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    Err(damaged(path(), format!("is {value:e}; it must be from {low:e} to {high:e}")))
}

fn all_within(path: &str, values: &[f64], low: f64, high: f64) -> Checked {
    values.iter().enumerate().try_for_each(|(at, &value)| within(|| format!("{path}[{at}]"), value, low, high))
}

fn unique<T: Hash + Eq + std::fmt::Display>(path: &str, values: &[T]) -> Checked {
    let mut seen = HashSet::with_capacity(values.len());
    match values.iter().find(|value| !seen.insert(*value)) {
        Some(twice) => Err(damaged(path, format!("names '{}' twice", crate::data::names::short(&twice.to_string())))),
        None => Ok(()),
    }
}

impl Model {
    /// Checks that a record has this schema, on which its other fields depend.
    pub fn check_schema(schema: &str) -> Checked {
        if schema != SCHEMA {
            return Err(ModelError::Schema { found: schema.chars().take(60).collect() });
        }
        Ok(())
    }

    /// Checks a model that was read from a file.
    pub fn check(&self) -> Checked {
        Self::check_schema(&self.schema)?;
        self.check_outputs()?;
        self.check_columns()?;
        self.check_rules()?;
        self.check_recovered()?;
        self.check_training()
    }

    fn check_outputs(&self) -> Checked {
        match self.task {
            Task::Classification => {
                at_most("classes", self.classes.len(), MAX_CLASSES)?;
                if self.classes.len() < 2 {
                    return Err(damaged("classes", "names a single class"));
                }
                unique("classes", &self.classes)?;
            }
            Task::Regression => length("classes", self.classes.len(), 0)?,
        }
        within(|| "output.mean".into(), self.output.mean, f64::MIN, f64::MAX)?;
        within(|| "output.scale".into(), self.output.scale, f64::MIN_POSITIVE, f64::MAX)
    }

    fn check_columns(&self) -> Checked {
        let (features, preprocessing) = (&self.features, &self.preprocessing);
        at_most("features", features.len(), MAX_FEATURES)?;
        unique("features", features)?;
        if features.contains(&self.target) {
            return Err(damaged("features", "names the target"));
        }
        let columns = &preprocessing.columns.columns;
        length("preprocessing.columns", columns.len(), features.len())?;
        length("preprocessing.profiles", preprocessing.profiles.len(), features.len())?;
        for (at, (column, profile)) in columns.iter().zip(&preprocessing.profiles).enumerate() {
            if column.name != features[at] {
                return Err(damaged(format!("preprocessing.columns[{at}].name"), format!("is not features[{at}]")));
            }
            check_column(at, column)?;
            check_profile(at, column, profile)?;
        }
        let width = columns.iter().fold(0_usize, |sum, column| sum.saturating_add(column.width()));
        length("preprocessing.means", preprocessing.means.len(), width)?;
        length("preprocessing.factors", preprocessing.factors.len(), width)?;
        all_within("preprocessing.means", &preprocessing.means, -LARGEST, LARGEST)?;
        all_within("preprocessing.factors", &preprocessing.factors, f64::MIN_POSITIVE, LARGEST)
    }

    fn check_rules(&self) -> Checked {
        let network = &self.network;
        let (rules, width) = (network.centres.len(), self.preprocessing.means.len());
        let outputs = if self.task == Task::Regression { 1 } else { self.classes.len() };
        at_most("network.centres", rules, MAX_RULES)?;
        if rules.saturating_mul(width).saturating_mul(outputs + 2) > MAX_CELLS {
            return Err(damaged("network", format!("has more than {MAX_CELLS} numbers")));
        }
        length("network.log_spreads", network.log_spreads.len(), rules)?;
        length("network.constants", network.constants.len(), rules)?;
        length("network.slopes", network.slopes.len(), rules)?;
        length("rules", self.rules.len(), rules)?;
        for rule in 0..rules {
            let part = |name: &str| format!("network.{name}[{rule}]");
            let numbers = |path: String, values: &[f64], count: usize, bound: f64| {
                length(&path, values.len(), count)?;
                all_within(&path, values, -bound, bound)
            };
            numbers(part("centres"), &network.centres[rule], width, LARGEST)?;
            numbers(part("log_spreads"), &network.log_spreads[rule], width, WIDEST)?;
            numbers(part("constants"), &network.constants[rule], outputs, LARGEST)?;
            length(&part("slopes"), network.slopes[rule].len(), outputs)?;
            for (output, slopes) in network.slopes[rule].iter().enumerate() {
                numbers(format!("network.slopes[{rule}][{output}]"), slopes, width, LARGEST)?;
            }
            let info = &self.rules[rule];
            within(|| format!("rules[{rule}].weight"), info.weight, 0.0, 1.0 + 1e-9)?;
            within(|| format!("rules[{rule}].coverage"), info.coverage, 0.0, 1.0)?;
            numbers(format!("rules[{rule}].effects"), &info.effects, outputs, f64::MAX)?;
        }
        Ok(())
    }

    fn check_recovered(&self) -> Checked {
        let Some(recovered) = &self.recovered else { return Ok(()) };
        at_most("recovered.rules", recovered.rules.len(), MAX_RULES)?;
        if !recovered.approximate {
            return Err(damaged("recovered.approximate", "is false; a recovered IF part is never exact"));
        }
        within(|| "recovered.r_squared".into(), recovered.r_squared, -LARGEST, 1.0)?;
        within(|| "recovered.training_accuracy".into(), recovered.training_accuracy.unwrap_or(0.0), 0.0, 1.0)?;
        for (at, rule) in recovered.rules.iter().enumerate() {
            let path = format!("recovered.rules[{at}]");
            within(|| format!("{path}.weight"), rule.weight, 0.0, 1.0 + 1e-9)?;
            within(|| format!("{path}.r_squared"), rule.r_squared, -LARGEST, 1.0)?;
            within(|| format!("{path}.amplitude"), rule.amplitude, -LARGEST, LARGEST)?;
            length(&format!("{path}.spreads"), rule.spreads.len(), rule.centres.len())?;
            all_within(&format!("{path}.centres"), &rule.centres, -LARGEST, LARGEST)?;
            all_within(&format!("{path}.spreads"), &rule.spreads, f64::MIN_POSITIVE, LARGEST)?;
            length(&format!("{path}.class_shares"), rule.class_shares.len(), self.classes.len())?;
            all_within(&format!("{path}.class_shares"), &rule.class_shares, 0.0, 1.0 + 1e-9)?;
            let total: f64 = rule.class_shares.iter().sum();
            within(|| format!("the sum of {path}.class_shares"), total, 1.0 - 1e-6, 1.0 + 1e-6)?;
            self.check_conditions(&format!("{path}.conditions"), &rule.conditions)?;
        }
        Ok(())
    }

    fn check_conditions(&self, path: &str, conditions: &[RecoveredCondition]) -> Checked {
        unique(path, &conditions.iter().map(|condition| condition.feature.as_str()).collect::<Vec<_>>())?;
        for (at, condition) in conditions.iter().enumerate() {
            let path = format!("{path}[{at}]");
            if !self.features.contains(&condition.feature) {
                return Err(damaged(format!("{path}.feature"), "is not among the features"));
            }
            let fits = match condition.term {
                Term::Any => true,
                Term::Categories => condition.category.is_some(),
                Term::Low | Term::Medium | Term::High => condition.about.is_some() && condition.deviation.is_some(),
            };
            if !fits {
                return Err(damaged(format!("{path}.term"), "lacks its value or category"));
            }
            within(|| format!("{path}.deviation"), condition.deviation.unwrap_or(0.0), 0.0, f64::MAX)?;
        }
        Ok(())
    }

    fn check_training(&self) -> Checked {
        let training = &self.training;
        let numbers = [
            ("training_loss", training.training_loss),
            ("validation_loss", training.validation_loss),
            ("chance_loss", training.chance_loss),
            ("training_accuracy", training.training_accuracy),
            ("validation_accuracy", training.validation_accuracy),
            ("seconds", training.seconds),
        ];
        for (name, value) in numbers {
            within(|| format!("training.{name}"), value, f64::MIN, f64::MAX)?;
        }
        for (name, rows) in [
            ("samples", training.samples),
            ("training_rows", training.training_rows),
            ("validation_rows", training.validation_rows),
        ] {
            if rows as u64 > MAX_ROWS {
                return Err(damaged(format!("training.{name}"), format!("is {rows}, more than {MAX_ROWS}")));
            }
        }
        if training.held_out.as_ref().is_some_and(|held_out| !held_out.is_finite()) {
            return Err(damaged("training.held_out", "has a number that is not finite"));
        }
        recorded_params(&training.params).map_err(|fault| damaged("training.params", format!("is wrong: {fault}")))?;
        training.tried.iter().try_for_each(|&(_, loss)| within(|| "training.tried".into(), loss, f64::MIN, f64::MAX))
    }
}

fn check_column(at: usize, column: &ColumnEncoder) -> Checked {
    let path = |part: &str| format!("preprocessing.columns[{at}].{part}");
    match &column.code {
        Code::Numeric { median, low, high } => {
            within(|| path("low"), *low, f64::MIN, f64::MAX)?;
            within(|| path("high"), *high, *low, f64::MAX)?;
            within(|| path("median"), *median, *low, *high)
        }
        Code::Categorical { levels, frequent, coding, missing, .. } => {
            let limit = if *coding == crate::data::CategoricalCoding::OneHot { MAX_LEVELS } else { MAX_CELLS };
            at_most(&path("levels"), levels.len(), limit)?;
            unique(&path("levels"), levels)?;
            if *frequent >= levels.len() {
                let fault = format!("is {frequent}; it must be below the number of levels, {}", levels.len());
                return Err(damaged(path("frequent"), fault));
            }
            if missing.is_some_and(|missing| missing >= levels.len()) {
                return Err(damaged(path("missing"), "is not the index of a level"));
            }
            Ok(())
        }
    }
}

fn check_profile(at: usize, column: &ColumnEncoder, profile: &Profile) -> Checked {
    let path = format!("preprocessing.profiles[{at}]");
    match (&column.code, profile) {
        (Code::Numeric { low, high, .. }, Profile::Quantiles(quantiles)) => {
            at_most(&path, quantiles.len(), 10_000)?;
            all_within(&path, quantiles, *low, *high)?;
            if quantiles.windows(2).any(|pair| pair[0] > pair[1]) {
                return Err(damaged(path, "does not ascend"));
            }
            Ok(())
        }
        (Code::Categorical { levels, .. }, Profile::Shares(shares)) => {
            length(&path, shares.len(), levels.len())?;
            all_within(&path, shares, 0.0, 1.0)
        }
        _ => Err(damaged(path, "does not fit the kind of its column")),
    }
}
