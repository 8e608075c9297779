//! Errors and warnings in terms of Python: parameters by their names, rows counted from 0.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rulesieve::data::{DataError, TableError};
use rulesieve::generate::GenerateError;
use rulesieve::methods::settings::ParamError;
use rulesieve::methods::{FitError, UnknownMethod};
use rulesieve::model::{ModelError, TrainError};
use rulesieve::select::{SelectError, SizeError};
use rulesieve::stream::StreamError;
use rulesieve::{Remedy, Warning};
use rulesieve_eval::evaluate::{EvaluateError, ParseOptionError};
use rulesieve_eval::statistics::StatisticsError;

/// What was wrong with what the caller gave.
pub(super) trait Fault: Sized {
    /// The message, with rows counted from 0, and what to do about it.
    fn parts(self) -> (String, Option<Remedy>);
}

/// Errors with a remedy; those in the first list may name a row.
macro_rules! faults {
    ([$($rows:ty),*], [$($other:ty),*], [$($plain:ty),*]) => {
        $(impl Fault for $rows {
            fn parts(self) -> (String, Option<Remedy>) {
                let error = self.rows_from_zero();
                (error.to_string(), error.remedy())
            }
        })*
        $(impl Fault for $other {
            fn parts(self) -> (String, Option<Remedy>) {
                (self.to_string(), self.remedy())
            }
        })*
        $(impl Fault for $plain {
            fn parts(self) -> (String, Option<Remedy>) {
                (self.to_string(), None)
            }
        })*
    };
}

faults!(
    [DataError, SelectError, TrainError, StreamError, EvaluateError],
    [TableError, FitError, SizeError, ModelError, GenerateError, StatisticsError],
    [ParamError, ParseOptionError, UnknownMethod, serde_json::Error, serde::de::value::Error, String, &str]
);

/// The error that Python raises.
pub(super) fn refused(fault: impl Fault) -> PyErr {
    let (text, remedy) = fault.parts();
    PyValueError::new_err(line(text, remedy))
}

/// The same, with the name of the parameter that it is about.
pub(super) fn refused_in(parameter: &str, fault: impl Fault) -> PyErr {
    let (text, remedy) = fault.parts();
    PyValueError::new_err(line(format!("{parameter}: {text}"), remedy))
}

/// The kind of a warning (`chance`, `not-converged` or `other`) and its text.
pub(super) type Warned = (&'static str, String);

/// A warning as Python issues it.
pub(super) fn warned(warning: &Warning) -> Warned {
    let kind = match warning {
        _ if warning.is_chance() => "chance",
        _ if warning.is_not_converged() => "not-converged",
        _ => "other",
    };
    (kind, line(warning.to_string(), warning.remedy()))
}

/// The warnings of a record, given as the JSON of their list.
#[pyfunction]
pub(super) fn warnings_of(json: &str) -> PyResult<Vec<Warned>> {
    let warnings: Vec<Warning> = serde_json::from_str(json).map_err(refused)?;
    Ok(warnings.iter().map(warned).collect())
}

fn line(text: String, remedy: Option<Remedy>) -> String {
    remedy.map(|remedy| in_python(&remedy)).map_or(text.clone(), |advice| format!("{text}; {advice}"))
}

/// A remedy in parameters of Python.
fn in_python(remedy: &Remedy) -> String {
    let quoted = |names: &[&str]| names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(" or ");
    match remedy {
        Remedy::NameTarget => "give y".to_owned(),
        Remedy::FillMissing => "fill them in with missing='median', or leave those rows out".to_owned(),
        Remedy::ClearCell => "correct the cell, or make it NaN and fit with missing='median'".to_owned(),
        Remedy::Retrain { row } => format!("{row}, or train with missing='median'"),
        Remedy::DropColumns { columns } if columns.len() == 1 => "leave it out".to_owned(),
        Remedy::KeepSuspicious => "keep_suspicious=True includes them".to_owned(),
        Remedy::FillOrDropEmptiest => {
            "use missing='median', or leave out the columns with most missing values".to_owned()
        }
        Remedy::ClearTexts { .. } => "make those cells NaN and fit with missing='median'".to_owned(),
        Remedy::RenameColumn { repeated: true } => "rename one of them".to_owned(),
        Remedy::RenameColumn { repeated: false } => "name it".to_owned(),
        Remedy::RegressionOrClasses => "learn its numbers with task='regression', or cut it into classes".to_owned(),
        Remedy::Classification => "use task='classification'".to_owned(),
        Remedy::OrdinalOrDrop => "use categorical_coding='ordinal', or leave columns out".to_owned(),
        Remedy::SetParameter { name, value, training: false } => format!("try {name}={value}"),
        Remedy::SetParameter { name, value, training: true } => format!("try rule_params={{'{name}': {value}}}"),
        Remedy::UseMethod { methods } | Remedy::MethodOrMemory { methods } => format!("use {}", quoted(methods)),
        Remedy::MethodOrBins { method } => format!("use '{method}', or cut the target into classes"),
        Remedy::MethodOrNoTuning { method } => format!("use '{method}'"),
        Remedy::SizeOrRule => "set n_features_to_select to a number or to 'one-se'".to_owned(),
        Remedy::SizeOrShare => "set n_features_to_select to a number or a share of features".to_owned(),
        Remedy::EstimatorOrBins { estimators } => {
            format!("use estimator={}, or cut the target into classes", quoted(estimators))
        }
        Remedy::Nested => "evaluate methods with protocol='nested'".to_owned(),
        Remedy::OneParameterOrNested => "give one, or use protocol='nested'".to_owned(),
        // Advice that reads the same everywhere, what Python does not have, and remedies of later versions.
        other => other.to_string(),
    }
}
