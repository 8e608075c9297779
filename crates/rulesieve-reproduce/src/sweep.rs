//! Evaluation of a batch on a data set.

use crate::ReproduceError;
use crate::cells::{Line, Store};
use crate::manifest::DataSet;
use crate::protocol::Batch;
use rulesieve::data::Dataset;
use rulesieve::optim::{Halt, Observer};
use rulesieve_eval::evaluate::{EvaluateError, Evaluation};
use rulesieve_eval::records::Records;
use std::path::Path;

/// How a batch ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchStatus {
    /// Its scores had been saved.
    AlreadySaved,
    /// Scores of more settings of the method are saved and were not replaced.
    MoreSettingsSaved,
    /// It was evaluated and saved.
    Completed,
    /// It ended early.
    Halted(Halt),
}

/// Evaluates a batch unless its scores are saved.
///
/// Results are saved in `records` split by split, so that an interrupted batch can be resumed.
///
/// # Errors
/// Fails if a fit fails or files cannot be written.
pub fn run(
    (set, data): (&DataSet, &Dataset),
    batch: &Batch,
    records: &Path,
    store: &mut Store,
    observer: &mut (dyn Observer + Send),
) -> Result<BatchStatus, ReproduceError> {
    let fault = |error: EvaluateError| ReproduceError::Batch {
        method: batch.method.clone(),
        name: set.name.clone(),
        error: Box::new(error),
    };
    let evaluation = Evaluation::new(data, &batch.options).map_err(fault)?;
    let spec = evaluation.spec();
    let key = spec.key();
    if store.contains(&set.name, &key) {
        return Ok(BatchStatus::AlreadySaved);
    }
    // Scores of more settings are not replaced by scores of fewer.
    let settings = batch.grid.len();
    if store.settings(&set.name, &batch.method, spec.format) > settings {
        return Ok(BatchStatus::MoreSettingsSaved);
    }
    let (mut run, _) = Records::open(records)?.resume(spec, &set.name)?;
    let (cells, halted) = evaluation.run_for_cells(Some(&mut run), observer).map_err(fault)?;
    if let Some(cells) = cells {
        let (method, grid) = (batch.method.clone(), spec.key_with(&batch.method, &batch.grid));
        let (format, data, part) = (spec.format, spec.data.clone(), batch.part);
        store.save(&set.name, Line { method, part, key, grid, settings, format, data, cells })?;
    }
    Ok(halted.map_or(BatchStatus::Completed, BatchStatus::Halted))
}
