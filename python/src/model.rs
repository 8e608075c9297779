//! A trained model: predict, explain.

use super::columns::Table;
use super::options::read;
use super::watch::{RunLimits, run_alone, run_interruptible};
use super::{TypedWarning, json, typed_warning, value_error};
use numpy::{PyArray2, PyArrayMethods, ToPyArray};
use pyo3::prelude::*;
use rulesieve::Warning;
use rulesieve::model::{ContinueOptions, Labels, Prediction, Predictor, continue_training};

/// Predictions, and warnings about the rows.
type PredictionArray<'py> = (Bound<'py, PyArray2<f64>>, Vec<TypedWarning>);

/// A validated model.
#[pyclass(frozen, module = "rulesieve._engine")]
pub(super) struct Model(pub(super) Predictor);

#[pymethods]
impl Model {
    /// Reads the JSON of a model file.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        #[derive(serde::Deserialize)]
        struct Head {
            schema: String,
        }
        let head: Head = serde_json::from_str(text)
            .map_err(|error| value_error(format!("this is not a model of rulesieve: {error}")))?;
        if head.schema != rulesieve::model::SCHEMA {
            return Err(value_error(format!("this is '{}', not '{}'", head.schema, rulesieve::model::SCHEMA)));
        }
        Predictor::new(read(text)?).map(Self).map_err(value_error)
    }

    /// Returns the JSON of a model file.
    fn json(&self) -> PyResult<String> {
        json(self.0.model())
    }

    /// Warnings about the training.
    #[getter]
    fn warnings(&self) -> Vec<TypedWarning> {
        self.0.model().training.warnings.iter().map(typed_warning).collect()
    }

    /// Returns the class probabilities of each row, or a number; NaN for incomplete rows if the model drops them. Also returns a
    /// warning about unknown categories.
    fn predict<'py>(
        &self,
        py: Python<'py>,
        table: &Bound<'py, Table>,
        threads: usize,
    ) -> PyResult<PredictionArray<'py>> {
        let table = &table.get().0;
        let width = self.0.model().classes.len().max(1);
        let found = run_interruptible(py, RunLimits { threads, seconds: None }, |_| {
            self.0.predict(table, 1).map_err(value_error)
        })?;
        let mut values = Vec::with_capacity(found.rows.len() * width);
        for row in &found.rows {
            match row {
                Some(Prediction::Class { probabilities, .. }) => values.extend(probabilities),
                Some(Prediction::Number(number)) => values.push(*number),
                None => values.extend(std::iter::repeat_n(f64::NAN, width)),
            }
        }
        let answered = found.rows.iter().all(Option::is_some);
        let unseen = found.unseen.into_iter().map(|unseen| (unseen.column, unseen.category, unseen.rows.len()));
        let categories: Vec<_> = unseen.collect();
        let any = !categories.is_empty();
        let warning = any.then_some(Warning::UnknownCategories { categories, further_rows: 0, answered });
        let warnings = warning.iter().map(typed_warning).collect();
        Ok((values.to_pyarray(py).reshape([found.rows.len(), width])?, warnings))
    }

    /// Continues training on further rows with these class codes; returns the new model.
    #[allow(clippy::too_many_arguments, reason = "positional arguments of Python")]
    fn continue_training(
        &self,
        py: Python<'_>,
        table: &Bound<'_, Table>,
        codes: Vec<u32>,
        passes: usize,
        rate: f64,
        seed: u64,
        threads: usize,
    ) -> PyResult<Self> {
        let (table, labels) = (&table.get().0, Labels::Classes(codes));
        let options = ContinueOptions { passes, rate, seed };
        run_interruptible(py, RunLimits { threads, seconds: None }, |watch| {
            continue_training(&self.0, table, &labels, &options, watch).map(Self).map_err(value_error)
        })
    }

    /// Returns all rules, strongest first, as JSON.
    fn explain(&self, py: Python<'_>) -> PyResult<String> {
        json(&run_alone(py, || self.0.explain())?)
    }

    /// Explains the prediction for a row, counted from 0, as JSON.
    fn explain_row(&self, py: Python<'_>, table: &Bound<'_, Table>, row: usize) -> PyResult<String> {
        let table = &table.get().0;
        if row >= table.rows() {
            return Err(value_error(format!("there is no row {row}; there are {}", table.rows())));
        }
        json(&run_alone(py, || self.0.explain_row(table, row, 1))?.map_err(value_error)?)
    }
}
