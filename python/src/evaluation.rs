//! Evaluations, complete or as single tasks for workers.

use super::dataset::Dataset;
use super::options::{EvaluateArguments, read};
use super::watch::{RunLimits, run_interruptible};
use super::{json, value_error};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rulesieve_eval::evaluate::{EvaluateError, EvaluateOptions, EvaluationRecord, Task, TaskPart, TaskResult};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A task: the ranker, `split` or `subsample`, and its number.
type TaskKey = (usize, String, usize);

/// An evaluation and its results so far.
#[pyclass(frozen, module = "rulesieve._engine")]
pub(super) struct Evaluation {
    data: Arc<rulesieve::data::Dataset>,
    options: EvaluateOptions,
    done: Mutex<BTreeMap<Task, TaskResult>>,
}

#[pymethods]
impl Evaluation {
    #[new]
    fn new(data: &Bound<'_, Dataset>, options: EvaluateArguments) -> PyResult<Self> {
        let data = Arc::clone(&data.get().0);
        let options = options.options(&data)?;
        let evaluation = Self { data, options, done: Mutex::default() };
        evaluation.checked()?;
        Ok(evaluation)
    }

    /// Returns the remaining tasks: those of the splits, or of the subsamples when all splits are complete.
    fn left(&self) -> PyResult<Vec<TaskKey>> {
        let evaluation = self.checked()?;
        let done = self.done();
        let left = evaluation.tasks().into_iter().filter(|task| !done.contains_key(task));
        let (splits, subsamples): (Vec<Task>, Vec<Task>) =
            left.partition(|task| matches!(task.part, TaskPart::Split(_)));
        Ok(if splits.is_empty() { subsamples } else { splits }.iter().map(key).collect())
    }

    /// Returns, for each ranker, the setting of its subsamples, when all splits are complete.
    fn subsample_settings(&self) -> PyResult<Vec<usize>> {
        self.checked()?.subsample_settings(&self.done()).map_err(failed)
    }

    /// Runs a task; returns its result as JSON.
    fn run(
        &self,
        py: Python<'_>,
        key: TaskKey,
        setting: usize,
        threads: usize,
        seconds: Option<f64>,
    ) -> PyResult<String> {
        let task = task(&key)?;
        let result = run_interruptible(py, RunLimits { threads, seconds }, |watch| {
            self.checked()?.run_task(task, setting, watch).map_err(failed)
        })?;
        json(&result)
    }

    /// Adds the result of a task.
    fn add(&self, key: TaskKey, result: &str) -> PyResult<()> {
        let (task, result) = (task(&key)?, read(result)?);
        self.done().insert(task, result);
        Ok(())
    }

    /// Runs all tasks in parallel.
    fn run_all(&self, py: Python<'_>, threads: usize, seconds: Option<f64>) -> PyResult<()> {
        let results = run_interruptible(py, RunLimits { threads, seconds }, |watch| {
            let (results, _) = self.checked()?.run_for_results(watch).map_err(failed)?;
            Ok(results)
        })?;
        self.done().extend(results);
        Ok(())
    }

    /// Returns the record of all results, as JSON.
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

    fn done(&self) -> std::sync::MutexGuard<'_, BTreeMap<Task, TaskResult>> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key(task: &Task) -> TaskKey {
    match task.part {
        TaskPart::Split(number) => (task.ranker, "split".to_owned(), number),
        TaskPart::Subsample(number) => (task.ranker, "subsample".to_owned(), number),
    }
}

fn task((ranker, part, number): &TaskKey) -> PyResult<Task> {
    let part = match part.as_str() {
        "split" => TaskPart::Split(*number),
        "subsample" => TaskPart::Subsample(*number),
        other => return Err(value_error(format!("a task is a split or a subsample, not '{other}'"))),
    };
    Ok(Task { ranker: *ranker, part })
}

/// Creates a `ValueError`, or a `RuntimeError` if the evaluation ended early.
fn failed(error: EvaluateError) -> PyErr {
    match error {
        EvaluateError::Halted(_) | EvaluateError::NothingDone => PyRuntimeError::new_err(error.to_string()),
        error => value_error(error),
    }
}
