//! Methods judged, whole or in pieces that others do.

use super::dataset::Dataset;
use super::watch::{Means, watched};
use super::wishes::{EvaluateWishes, read};
use super::{json, refused};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rulesieve_eval::evaluate::{EvaluateError, EvaluateOptions, EvaluationRecord, Outcome, Task, TaskPart};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A piece of work: the ranker, `split` or `half`, and its number.
type Piece = (usize, String, usize);

/// An evaluation and what is done of it.
#[pyclass(frozen, module = "rulesieve._engine")]
pub(super) struct Evaluation {
    data: Arc<rulesieve::data::Dataset>,
    options: EvaluateOptions,
    done: Mutex<BTreeMap<Task, Outcome>>,
}

#[pymethods]
impl Evaluation {
    #[new]
    fn new(data: &Bound<'_, Dataset>, wishes: &str, groups: Option<Vec<u32>>) -> PyResult<Self> {
        let data = Arc::clone(&data.get().0);
        let options = read::<EvaluateWishes>(wishes)?.options(groups, data.target.numbers.is_some())?;
        let evaluation = Self { data, options, done: Mutex::default() };
        evaluation.checked()?;
        Ok(evaluation)
    }

    /// Pieces that are left: those of the splits first; those of halves once all splits are done.
    fn left(&self) -> PyResult<Vec<Piece>> {
        let evaluation = self.checked()?;
        let done = self.done();
        let left = evaluation.tasks().into_iter().filter(|task| !done.contains_key(task));
        let (splits, halves): (Vec<Task>, Vec<Task>) = left.partition(|task| matches!(task.part, TaskPart::Split(_)));
        Ok(if splits.is_empty() { halves } else { splits }.iter().map(piece).collect())
    }

    /// For every ranker the setting that its halves are ranked with, once all splits are done.
    fn settings_of_halves(&self) -> PyResult<Vec<usize>> {
        self.checked()?.settings_of_halves(&self.done()).map_err(failed)
    }

    /// Does a piece of work; what came of it as JSON.
    fn run(
        &self,
        py: Python<'_>,
        piece: Piece,
        setting: usize,
        threads: usize,
        seconds: Option<f64>,
    ) -> PyResult<String> {
        let task = task(&piece)?;
        let outcome = watched(py, Means { threads, seconds }, |watch| {
            self.checked()?.piece(task, setting, watch).map_err(failed)
        })?;
        json(&outcome)
    }

    /// Keeps what came of a piece of work.
    fn keep(&self, piece: Piece, outcome: &str) -> PyResult<()> {
        let (task, outcome) = (task(&piece)?, read(outcome)?);
        self.done().insert(task, outcome);
        Ok(())
    }

    /// Does all that is left, side by side.
    fn run_all(&self, py: Python<'_>, threads: usize, seconds: Option<f64>) -> PyResult<()> {
        let outcomes = watched(py, Means { threads, seconds }, |watch| {
            let (outcomes, _) = self.checked()?.run_for_outcomes(watch).map_err(failed)?;
            Ok(outcomes)
        })?;
        self.done().extend(outcomes);
        Ok(())
    }

    /// What the pieces say together, as JSON.
    fn summary(&self) -> PyResult<String> {
        json(&self.record()?)
    }
}

impl Evaluation {
    pub(super) fn record(&self) -> PyResult<EvaluationRecord> {
        self.checked()?.summarise(&self.done()).map_err(failed)
    }

    fn checked(&self) -> PyResult<rulesieve_eval::evaluate::Evaluation<'_>> {
        rulesieve_eval::evaluate::Evaluation::new(&self.data, &self.options).map_err(failed)
    }

    fn done(&self) -> std::sync::MutexGuard<'_, BTreeMap<Task, Outcome>> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn piece(task: &Task) -> Piece {
    match task.part {
        TaskPart::Split(number) => (task.ranker, "split".to_owned(), number),
        TaskPart::Half(number) => (task.ranker, "half".to_owned(), number),
    }
}

fn task((ranker, part, number): &Piece) -> PyResult<Task> {
    let part = match part.as_str() {
        "split" => TaskPart::Split(*number),
        "half" => TaskPart::Half(*number),
        other => return Err(refused(format!("a piece is a split or a half, not '{other}'"))),
    };
    Ok(Task { ranker: *ranker, part })
}

/// Errors of the engine are those of what was asked for; an end before its time is not.
fn failed(error: EvaluateError) -> PyErr {
    match error {
        EvaluateError::Halted(_) | EvaluateError::NothingDone => PyRuntimeError::new_err(error.to_string()),
        error => refused(error),
    }
}
