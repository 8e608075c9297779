//! Rows that come in blocks, as often as they are asked for: tables that do not fit into memory.

use super::columns::{Named, table};
use super::model::Model;
use super::watch::{Means, watched};
use super::wishes::{DataWishes, SelectWishes, TrainWishes, read};
use super::{json, refused};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use rulesieve::stream::{Pieces, RowSource, SourceError, StreamError, Surveyed};

/// A Python function that begins anew: it returns an iterator of blocks, each of names, numbers and further columns.
struct Blocks(Py<PyAny>);

impl RowSource for Blocks {
    fn pieces(&self, texts: &[String]) -> Result<Pieces<'_>, SourceError> {
        let blocks = Python::attach(|py| -> PyResult<Py<PyIterator>> {
            Ok(self.0.bind(py).call1((texts.to_vec(),))?.try_iter()?.unbind())
        });
        let blocks = blocks.map_err(Box::new)?;
        Ok(Box::new(std::iter::from_fn(move || Python::attach(|py| next(blocks.bind(py))))))
    }
}

fn next(blocks: &Bound<'_, PyIterator>) -> Option<Result<rulesieve::data::Table, SourceError>> {
    let block = blocks.clone().next()?.and_then(|block| {
        let (names, x, columns): (Vec<String>, PyReadonlyArray2<'_, f64>, Vec<Named<'_>>) = block.extract()?;
        table(names, &x, columns)
    });
    Some(block.map_err(|error| Box::new(error) as SourceError))
}

/// Selects, and trains where that is asked for, from blocks of rows: the selection as JSON, and the model.
#[pyfunction]
pub(super) fn fit_blocks(
    py: Python<'_>,
    blocks: Py<PyAny>,
    data: &str,
    select: &str,
    train: Option<&str>,
    threads: usize,
) -> PyResult<(String, Option<Model>)> {
    let (data, options) = (read::<DataWishes>(data)?.options(), read::<SelectWishes>(select)?.options(None)?);
    let train = train.map(|train| read::<TrainWishes>(train)?.options(None)).transpose()?;
    let (selection, model) = watched(py, Means { threads, seconds: None }, move |watch| {
        let source = Blocks(blocks);
        rulesieve::stream::check(&options).map_err(raised)?;
        let rows = Surveyed::new(&source, &data, options.coding, options.seed).map_err(raised)?;
        let selection = rows.select(&options, watch).map_err(raised)?;
        let model = train.map(|train| rows.train(&selection, &train, watch).map_err(raised)).transpose()?;
        Ok((selection, model.map(|(model, _)| Model(model))))
    })?;
    Ok((json(&selection)?, model))
}

/// What the blocks raised, as they raised it; anything else is about what they hold.
fn raised(error: StreamError) -> PyErr {
    match error {
        StreamError::Source(error) => match error.downcast::<PyErr>() {
            Ok(error) => *error,
            Err(error) => refused(error),
        },
        error => refused(error),
    }
}
