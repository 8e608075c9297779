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

/// An error of the caller.
pub(super) trait UserError: Sized {
    /// Returns the message, with rows counted from 0, and the remedy.
    fn parts(self) -> (String, Option<Remedy>);
}

/// Implements [`UserError`]: for errors with rows and remedies, with remedies only, and without.
macro_rules! user_errors {
    ([$($rows:ty),*], [$($other:ty),*], [$($plain:ty),*]) => {
        $(impl UserError for $rows {
            fn parts(self) -> (String, Option<Remedy>) {
                let error = self.rows_from_zero();
                (error.to_string(), error.remedy())
            }
        })*
        $(impl UserError for $other {
            fn parts(self) -> (String, Option<Remedy>) {
                (self.to_string(), self.remedy())
            }
        })*
        $(impl UserError for $plain {
            fn parts(self) -> (String, Option<Remedy>) {
                (self.to_string(), None)
            }
        })*
    };
}

user_errors!(
    [DataError, SelectError, TrainError, StreamError, EvaluateError],
    [TableError, FitError, SizeError, ModelError, GenerateError, StatisticsError],
    [ParamError, ParseOptionError, UnknownMethod, serde_json::Error, serde::de::value::Error, String, &str]
);

/// Creates a `ValueError`.
pub(super) fn value_error(fault: impl UserError) -> PyErr {
    let (text, remedy) = fault.parts();
    PyValueError::new_err(line(text, remedy))
}

/// Creates a `ValueError` about a parameter.
pub(super) fn parameter_error(parameter: &str, fault: impl UserError) -> PyErr {
    let (text, remedy) = fault.parts();
    PyValueError::new_err(line(format!("{parameter}: {text}"), remedy))
}

/// The kind of a warning (`chance`, `not-converged` or `other`) and its text.
pub(super) type TypedWarning = (&'static str, String);

/// Converts a warning.
pub(super) fn typed_warning(warning: &Warning) -> TypedWarning {
    let kind = match warning {
        _ if warning.is_chance() => "chance",
        _ if warning.is_not_converged() => "not-converged",
        _ => "other",
    };
    (kind, line(warning.to_string(), warning.remedy()))
}

/// Converts the warnings of a record, given as JSON.
#[pyfunction]
pub(super) fn warnings_of(json: &str) -> PyResult<Vec<TypedWarning>> {
    let warnings: Vec<Warning> = serde_json::from_str(json).map_err(value_error)?;
    Ok(warnings.iter().map(typed_warning).collect())
}

fn line(text: String, remedy: Option<Remedy>) -> String {
    remedy.map(|remedy| in_python(&remedy)).map_or(text.clone(), |advice| format!("{text}; {advice}"))
}

/// Formats a remedy with parameters of Python.
fn in_python(remedy: &Remedy) -> String {
    let quoted = |names: &[&str]| names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(" or ");
    match remedy {
        Remedy::NameTarget => "give y".to_owned(),
        Remedy::OtherTarget => "give another y".to_owned(),
        Remedy::FillMissing => "fill them in with missing='fill', or leave those rows out".to_owned(),
        Remedy::RefuseMissing => "missing='error' rejects them".to_owned(),
        Remedy::ClearCell { .. } => "correct the cell, or make it NaN and fit with missing='fill'".to_owned(),
        Remedy::Retrain { row } => format!("{row}, or train with missing='fill'"),
        Remedy::DropColumns { columns } if columns.len() == 1 => "leave it out".to_owned(),
        Remedy::KeepSuspicious => "keep_suspicious=True includes them".to_owned(),
        Remedy::FillOrDropEmptiest => {
            "use missing='fill', or leave out the columns with most missing values".to_owned()
        }
        Remedy::ClearTexts { .. } => "make those cells NaN and fit with missing='fill'".to_owned(),
        Remedy::RenameColumn { repeated: true } => "rename one of them".to_owned(),
        Remedy::RenameColumn { repeated: false } => "name it".to_owned(),
        Remedy::RegressionOrClasses => "learn its numbers with task='regression', or cut it into classes".to_owned(),
        Remedy::Classification => "use task='classification'".to_owned(),
        Remedy::OrdinalOrDrop => "use categorical_coding='ordinal', or leave columns out".to_owned(),
        Remedy::SetParameter { name, value, training: false } => format!("try {name}={value}"),
        Remedy::SetParameter { name, value, training: true } => format!("try rule_params={{'{name}': {value}}}"),
        Remedy::UseMethod { methods } | Remedy::MethodOrMemory { methods } => format!("use {}", quoted(methods)),
        Remedy::MethodOrClasses { methods } => {
            format!("use {}, or task='classification'", quoted(methods))
        }
        Remedy::MethodOrNoTuning { method } => format!("use '{method}'"),
        Remedy::SizeOrRule => "set n_features_to_select to a number or to 'one-se'".to_owned(),
        Remedy::SizeOrShare => "set n_features_to_select to a number or a share of features".to_owned(),
        Remedy::EstimatorOrBins { estimators } => {
            format!("use estimator={}, or cut the target into classes", quoted(estimators))
        }
        Remedy::Nested => "evaluate methods with protocol='nested'".to_owned(),
        Remedy::OneParameterOrNested => "give one, or use protocol='nested'".to_owned(),
        // Remedies that name no parameters, or that do not apply to Python.
        other => other.to_string(),
    }
}
