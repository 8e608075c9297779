//! A validated table: select, train, report.

use super::columns::{NamedColumn, table};
use super::model::Model;
use super::options::{DataOptions, SelectOptions, TrainOptions, read};
use super::watch::{RunLimits, run_alone, run_interruptible};
use super::{TypedWarning, evaluation::Evaluation, json, typed_warning, value_error};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use rulesieve::methods::settings::{ParamRange, ParamSpec};
use rulesieve::model::{RuleParams, cross_fit};
use rulesieve::select::Selection;
use rulesieve_report::{Report, RunInfo};
use serde_json::{Value, json};
use std::sync::Arc;

/// A validated table.
#[pyclass(frozen, module = "rulesieve._engine")]
pub(super) struct Dataset(pub(super) Arc<rulesieve::data::Dataset>);

#[pymethods]
impl Dataset {
    #[new]
    fn new(
        py: Python<'_>,
        names: Vec<String>,
        x: PyReadonlyArray2<'_, f64>,
        columns: Vec<NamedColumn<'_>>,
        options: &Bound<'_, DataOptions>,
    ) -> PyResult<Self> {
        let options = &options.get().0;
        let table = table(names, &x, columns)?;
        let data = py.detach(|| rulesieve::data::Dataset::new(table, options)).map_err(value_error)?;
        Ok(Self(Arc::new(data)))
    }

    /// Warnings about the data.
    #[getter]
    fn warnings(&self) -> Vec<TypedWarning> {
        self.0.warnings.iter().map(typed_warning).collect()
    }

    /// Names of the classes; empty for regression.
    #[getter]
    fn classes(&self) -> Vec<String> {
        self.0.target.classes().to_vec()
    }

    /// Ranks and selects; returns the record as JSON.
    fn select(
        &self,
        py: Python<'_>,
        options: &Bound<'_, SelectOptions>,
        weights: Option<Vec<f64>>,
        threads: usize,
        seconds: Option<f64>,
    ) -> PyResult<String> {
        let options = options.get().with(weights);
        let selection = run_interruptible(py, RunLimits { threads, seconds }, |watch| {
            rulesieve::select::select(&self.0, &options, watch).map_err(value_error)
        })?;
        json(&selection)
    }

    /// Trains a model on the selected columns.
    fn train(
        &self,
        py: Python<'_>,
        selection: &str,
        options: &Bound<'_, TrainOptions>,
        weights: Option<Vec<f64>>,
        threads: usize,
        seconds: Option<f64>,
    ) -> PyResult<Model> {
        let selection: Selection = read(selection)?;
        let options = options.get().with(weights);
        run_interruptible(py, RunLimits { threads, seconds }, |watch| {
            let (predictor, _) = rulesieve::model::train(&self.0, &selection, &options, watch).map_err(value_error)?;
            Ok(Model(predictor))
        })
    }

    /// Adds held-out results of its selection and training to a model. `weights` are those of the selection and of the rules;
    /// `copies` are the indices of the original rows, if rows are repeated.
    #[allow(clippy::too_many_arguments, reason = "positional arguments of Python")]
    fn cross_fit(
        &self,
        py: Python<'_>,
        model: &Bound<'_, Model>,
        select: &Bound<'_, SelectOptions>,
        train: &Bound<'_, TrainOptions>,
        weights: (Option<Vec<f64>>, Option<Vec<f64>>),
        copies: Option<Vec<usize>>,
        threads: usize,
        seconds: Option<f64>,
    ) -> PyResult<Model> {
        let (select, train) = (select.get().with(weights.0), train.get().with(weights.1));
        let mut predictor = model.get().0.clone();
        run_interruptible(py, RunLimits { threads, seconds }, move |watch| {
            predictor.set_held_out(cross_fit(&self.0, &select, &train, copies.as_deref(), watch));
            Ok(Model(predictor))
        })
    }

    /// Creates an HTML report.
    #[pyo3(signature = (input, command, selection=None, model=None, evaluation=None))]
    fn report(
        &self,
        py: Python<'_>,
        input: &str,
        command: &str,
        selection: Option<&str>,
        model: Option<&Bound<'_, Model>>,
        evaluation: Option<&Bound<'_, Evaluation>>,
    ) -> PyResult<String> {
        let selection = selection.map(read::<Selection>).transpose()?;
        let record = evaluation.map(|evaluation| evaluation.get().record()).transpose()?;
        let run = RunInfo { input, command, data: &self.0, rows: self.0.samples() };
        let model = model.map(|model| &model.get().0);
        let report = Report { run, selection: selection.as_ref(), model, evaluation: record.as_ref() };
        run_alone(py, || report.page().html())
    }
}

/// Returns all methods with their parameters, as JSON.
#[pyfunction]
pub(super) fn methods() -> PyResult<String> {
    let one = |method: &rulesieve::methods::Method| {
        let info = method.info();
        json!({
            "name": info.name,
            "summary": info.summary,
            "source": info.source,
            "certainty": info.certainty.name(),
            "cost": info.cost,
            "regression": info.regression,
            "weights": info.weights,
            "params": info.params.iter().map(|spec| parameter(spec)).collect::<Vec<_>>(),
        })
    };
    let rule_params: Vec<Value> = RuleParams::specs().iter().map(|spec| parameter(spec)).collect();
    let all: Vec<Value> = rulesieve::methods::Method::ALL.iter().map(one).collect();
    json(&json!({"methods": all, "rule_params": rule_params}))
}

fn parameter(spec: &ParamSpec) -> Value {
    let words: &[&str] = if let ParamRange::OneOf(words) = spec.range { words } else { &[] };
    json!({
        "name": spec.name,
        "default": spec.default,
        "range": spec.range.to_string(),
        "words": words,
        "purpose": spec.purpose,
    })
}
