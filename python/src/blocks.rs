//! Tables in blocks of rows, for data that do not fit into memory.

use super::columns::{NamedColumn, table};
use super::model::Model;
use super::options::{DataOptions, SelectOptions, TrainOptions};
use super::watch::{RunLimits, Watch, run_interruptible};
use super::{TypedWarning, json, typed_warning, value_error};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use rulesieve::model::cross_fit;
use rulesieve::stream::{Pieces, RowSource, SourceError, StreamError, Surveyed};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// A Python function that returns a new iterator of blocks, each of names, numbers and further columns.
struct Blocks {
    begin: Py<PyAny>,
    /// Set to request no further block.
    stop: Arc<AtomicBool>,
    /// The exception of the function, which is raised again.
    raised: Mutex<Option<PyErr>>,
}

impl RowSource for Blocks {
    fn pieces(&self, texts: &[String]) -> Result<Pieces<'_>, SourceError> {
        let begun = Python::attach(|py| -> PyResult<Py<PyIterator>> {
            Ok(self.begin.bind(py).call1((texts.to_vec(),))?.try_iter()?.unbind())
        });
        let blocks = begun.map_err(|error| self.store(error))?;
        Ok(Box::new(std::iter::from_fn(move || self.next(&blocks))))
    }
}

impl Blocks {
    fn next(&self, blocks: &Py<PyIterator>) -> Option<Result<rulesieve::data::Table, SourceError>> {
        if self.stop.load(Relaxed) {
            return Some(Err("interrupted".into()));
        }
        let block = Python::attach(|py| {
            blocks.bind(py).clone().next().map(|block| {
                let (names, x, columns): (Vec<String>, PyReadonlyArray2<'_, f64>, Vec<NamedColumn<'_>>) =
                    block?.extract()?;
                table(names, &x, columns)
            })
        })?;
        Some(block.map_err(|error| self.store(error)))
    }

    fn store(&self, error: PyErr) -> SourceError {
        let message = error.to_string();
        *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        message.into()
    }

    /// Returns the exception of the function, or the error of the engine.
    fn error(&self, error: StreamError) -> PyErr {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_else(|| value_error(error))
    }
}

/// A selection as JSON, a model if requested, and warnings about the data.
type Fitted = (String, Option<Model>, Vec<TypedWarning>);

/// Selects, and trains if requested, from blocks of rows. Held-out results use the sample.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "positional arguments of Python")]
pub(super) fn fit_blocks(
    py: Python<'_>,
    blocks: Py<PyAny>,
    data: &Bound<'_, DataOptions>,
    select: &Bound<'_, SelectOptions>,
    train: Option<&Bound<'_, TrainOptions>>,
    held_out: bool,
    threads: usize,
    seconds: Option<f64>,
) -> PyResult<Fitted> {
    let (data, options) = (data.get().0.clone(), select.get().with(None));
    let train = train.map(|train| train.get().with(None));
    let (selection, model, warnings) = run_interruptible(py, RunLimits { threads, seconds }, move |watch| {
        let source = Blocks { begin: blocks, stop: watch.stop(), raised: Mutex::default() };
        rulesieve::stream::check(&options).map_err(value_error)?;
        let fit = |watch: &mut Watch| -> Result<_, StreamError> {
            let rows = Surveyed::new(&source, &data, options.seed)?;
            let selection = rows.select(&options, watch)?;
            // The time budget applies to each step, as with rows in memory.
            watch.restart_budget();
            let mut model = train.as_ref().map(|train| rows.train(&selection, train, watch)).transpose()?;
            if let (Some((model, _)), Some(train), true) = (&mut model, &train, held_out) {
                watch.restart_budget();
                model.set_held_out(cross_fit(&rows.sample, &options, train, None, watch));
            }
            Ok((
                selection,
                model.map(|(model, _)| Model(model)),
                rows.sample.warnings.iter().map(typed_warning).collect(),
            ))
        };
        fit(watch).map_err(|error| source.error(error))
    })?;
    Ok((json(&selection)?, model, warnings))
}
