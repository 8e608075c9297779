//! Every contest on every data set, what is done left alone.

use crate::ReproduceError;
use crate::cells::{Line, Store};
use crate::manifest::DataSet;
use crate::protocol::Contest;
use rulesieve::data::Dataset;
use rulesieve::optim::{Halt, Observer};
use rulesieve_eval::evaluate::{EvaluateError, Evaluation};
use rulesieve_eval::records::Records;
use std::path::Path;

/// Does one contest, or nothing where the store holds it. Says why it ended early, if so.
///
/// Outcomes go to `records` split by split, so that an interrupted contest goes on where it was.
///
/// # Errors
/// A fit that failed, files that cannot be written.
pub fn run(
    (set, data): (&DataSet, &Dataset),
    contest: &Contest,
    records: &Path,
    store: &mut Store,
    observer: &mut (dyn Observer + Send),
) -> Result<Option<Halt>, ReproduceError> {
    let fault = |error: EvaluateError| ReproduceError::Contest {
        method: contest.method.clone(),
        name: set.name.clone(),
        error: Box::new(error),
    };
    let evaluation = Evaluation::new(data, &contest.options).map_err(fault)?;
    let frame = evaluation.frame();
    let key = frame.key();
    // A record of more settings is not given up for one of fewer.
    if store.holds(&set.name, &key) || store.settings(&set.name, &contest.method, &frame.version) > contest.settings {
        return Ok(None);
    }
    let (mut run, _) = Records::open(records)?.resume(frame, &set.name)?;
    let (cells, halted) = evaluation.run_for_cells(Some(&mut run), observer).map_err(fault)?;
    if let Some(cells) = cells {
        let (version, data) = (frame.version.clone(), frame.data.clone());
        store
            .keep(&set.name, Line { contest: contest.method.clone(), part: contest.part, key, version, data, cells })?;
    }
    Ok(halted)
}
