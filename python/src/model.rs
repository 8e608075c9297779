//! A trained model: predict, explain.

use super::columns::Table;
use super::options::read;
use super::watch::{Means, watched};
use super::{Warned, json, refused, warned};
use numpy::{PyArray2, PyArrayMethods, ToPyArray};
use pyo3::prelude::*;
use rulesieve::Warning;
use rulesieve::model::{ContinueOptions, Labels, Prediction, Predictor, continue_training};

/// Predictions, and warnings about the rows.
type Answers<'py> = (Bound<'py, PyArray2<f64>>, Vec<Warned>);

/// A model that has been checked.
#[pyclass(frozen, module = "rulesieve._engine")]
pub(super) struct Model(pub(super) Predictor);

#[pymethods]
impl Model {
    /// From the JSON of a model file.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        #[derive(serde::Deserialize)]
        struct Head {
            schema: String,
        }
        let head: Head = serde_json::from_str(text)
            .map_err(|error| refused(format!("this is not a model of rulesieve: {error}")))?;
        if head.schema != rulesieve::model::SCHEMA {
            return Err(refused(format!("this is '{}', not '{}'", head.schema, rulesieve::model::SCHEMA)));
        }
        Predictor::new(read(text)?).map(Self).map_err(refused)
    }

    /// The JSON of a model file.
    fn json(&self) -> PyResult<String> {
        json(self.0.model())
    }

    /// What the user should know about the training.
    #[getter]
    fn warnings(&self) -> Vec<Warned> {
        self.0.model().training.warnings.iter().map(warned).collect()
    }

    /// For every row the probability of each class, or a number; NaN where the model leaves incomplete rows out. And a warning
    /// about categories that the model does not know.
    fn predict<'py>(&self, py: Python<'py>, table: &Bound<'py, Table>, threads: usize) -> PyResult<Answers<'py>> {
        let table = &table.get().0;
        let width = self.0.model().classes.len().max(1);
        let found = watched(py, Means { threads, seconds: None }, |_| self.0.predict(table, 1).map_err(refused))?;
        let mut answers = Vec::with_capacity(found.rows.len() * width);
        for row in &found.rows {
            match row {
                Some(Prediction::Class { probabilities, .. }) => answers.extend(probabilities),
                Some(Prediction::Number(number)) => answers.push(*number),
                None => answers.extend(std::iter::repeat_n(f64::NAN, width)),
            }
        }
        let answered = found.rows.iter().all(Option::is_some);
        let unseen = found.unseen.into_iter().map(|unseen| (unseen.column, unseen.category, unseen.rows.len()));
        let categories: Vec<_> = unseen.collect();
        let any = !categories.is_empty();
        let warning = any.then_some(Warning::UnknownCategories { categories, further_rows: 0, answered });
        let warnings = warning.iter().map(warned).collect();
        Ok((answers.to_pyarray(py).reshape([found.rows.len(), width])?, warnings))
    }

    /// The model after learning from further rows, whose classes are given by their places.
    #[allow(clippy::too_many_arguments, reason = "the words of Python, by position")]
    fn learn_on(
        &self,
        py: Python<'_>,
        table: &Bound<'_, Table>,
        places: Vec<u32>,
        passes: usize,
        rate: f64,
        seed: u64,
        threads: usize,
    ) -> PyResult<Self> {
        let (table, labels) = (&table.get().0, Labels::Classes(places));
        let options = ContinueOptions { passes, rate, seed };
        watched(py, Means { threads, seconds: None }, |watch| {
            continue_training(&self.0, table, &labels, &options, watch).map(Self).map_err(refused)
        })
    }

    /// All rules, strongest first, as JSON.
    fn explain(&self) -> PyResult<String> {
        json(&self.0.explain())
    }

    /// Why a row, counted from 0, got its answer, as JSON.
    fn explain_row(&self, table: &Bound<'_, Table>, row: usize) -> PyResult<String> {
        let table = &table.get().0;
        if row >= table.rows() {
            return Err(refused(format!("there is no row {row}; there are {}", table.rows())));
        }
        json(&self.0.explain_row(table, row, 1).map_err(refused)?)
    }
}
