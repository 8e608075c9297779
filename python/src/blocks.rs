//! Rows that come in blocks, as often as they are asked for: tables that do not fit into memory.

use super::columns::{Named, table};
use super::model::Model;
use super::options::{DataOptions, SelectOptions, TrainOptions};
use super::watch::{Means, Watch, watched};
use super::{Warned, json, refused, warned};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use rulesieve::model::cross_fit;
use rulesieve::stream::{Pieces, RowSource, SourceError, StreamError, Surveyed};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// A Python function that begins anew: it returns an iterator of blocks, each of names, numbers and further columns.
struct Blocks {
    begin: Py<PyAny>,
    /// Set when no further block shall be asked for.
    stop: Arc<AtomicBool>,
    /// What Python raised, to be raised again.
    raised: Mutex<Option<PyErr>>,
}

impl RowSource for Blocks {
    fn pieces(&self, texts: &[String]) -> Result<Pieces<'_>, SourceError> {
        let begun = Python::attach(|py| -> PyResult<Py<PyIterator>> {
            Ok(self.begin.bind(py).call1((texts.to_vec(),))?.try_iter()?.unbind())
        });
        let blocks = begun.map_err(|error| self.keep(error))?;
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
                let (names, x, columns): (Vec<String>, PyReadonlyArray2<'_, f64>, Vec<Named<'_>>) = block?.extract()?;
                table(names, &x, columns)
            })
        })?;
        Some(block.map_err(|error| self.keep(error)))
    }

    fn keep(&self, error: PyErr) -> SourceError {
        let said = error.to_string();
        *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        said.into()
    }

    /// What Python raised, or what the engine says.
    fn error(&self, error: StreamError) -> PyErr {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_else(|| refused(error))
    }
}

/// A selection as JSON, a model where one was asked for, and warnings about the data.
type Fitted = (String, Option<Model>, Vec<Warned>);

/// Selects, and trains where that is asked for, from blocks of rows. Held-out results are those of the sample.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "the words of Python, by position")]
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
    let (selection, model, warnings) = watched(py, Means { threads, seconds }, move |watch| {
        let source = Blocks { begin: blocks, stop: watch.stop(), raised: Mutex::default() };
        rulesieve::stream::check(&options).map_err(refused)?;
        let fit = |watch: &mut Watch| -> Result<_, StreamError> {
            let rows = Surveyed::new(&source, &data, options.seed)?;
            let selection = rows.select(&options, watch)?;
            // The rules have as much time as the selection, as with rows in memory.
            watch.begin_anew();
            let mut model = train.as_ref().map(|train| rows.train(&selection, train, watch)).transpose()?;
            if let (Some((model, _)), Some(train), true) = (&mut model, &train, held_out) {
                watch.begin_anew();
                model.set_held_out(cross_fit(&rows.sample, &options, train, None, watch));
            }
            Ok((selection, model.map(|(model, _)| Model(model)), rows.sample.warnings.iter().map(warned).collect()))
        };
        fit(watch).map_err(|error| source.error(error))
    })?;
    Ok((json(&selection)?, model, warnings))
}
