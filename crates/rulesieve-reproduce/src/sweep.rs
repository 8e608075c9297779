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

/// What became of a contest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    /// It was kept already.
    Before,
    /// More settings of the method are kept, and stay.
    Passed,
    /// It was judged and kept.
    Now,
    /// It ended early.
    Halted(Halt),
}

/// Does one contest, or nothing where the store holds it.
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
) -> Result<Done, ReproduceError> {
    let fault = |error: EvaluateError| ReproduceError::Contest {
        method: contest.method.clone(),
        name: set.name.clone(),
        error: Box::new(error),
    };
    let evaluation = Evaluation::new(data, &contest.options).map_err(fault)?;
    let frame = evaluation.frame();
    let key = frame.key();
    if store.holds(&set.name, &key) {
        return Ok(Done::Before);
    }
    // A record of more settings is not given up for one of fewer.
    let settings = contest.grid.len();
    if store.settings(&set.name, &contest.method, &frame.version) > settings {
        return Ok(Done::Passed);
    }
    let (mut run, _) = Records::open(records)?.resume(frame, &set.name)?;
    let (cells, halted) = evaluation.run_for_cells(Some(&mut run), observer).map_err(fault)?;
    if let Some(cells) = cells {
        let (method, grid) = (contest.method.clone(), frame.key_with(&contest.method, &contest.grid));
        let (version, data, part) = (frame.version.clone(), frame.data.clone(), contest.part);
        store.keep(&set.name, Line { contest: method, part, key, grid, settings, version, data, cells })?;
    }
    Ok(halted.map_or(Done::Now, Done::Halted))
}
