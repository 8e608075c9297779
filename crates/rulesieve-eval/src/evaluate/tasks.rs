//! Single tasks of an evaluation, for other threads, processes or machines. A task depends only on the data and the options. The
//! results of all tasks give the same record as [`Evaluation::run`].

use super::result::{Task, TaskPart, TaskResult};
use super::{EvaluateError, Evaluation, EvaluationRecord, Failure, summarise, summary};
use rulesieve::optim::{Fits, Halt, Observer};
use rulesieve::pool;
use std::collections::BTreeMap;

impl Evaluation<'_> {
    /// Returns all tasks: first the splits, then the subsamples, whose settings depend on the splits.
    pub fn tasks(&self) -> Vec<Task> {
        self.spec.tasks()
    }

    /// Returns, for each ranker, the setting for its subsamples: the one that most splits chose.
    ///
    /// # Errors
    /// Fails if no split is complete.
    pub fn subsample_settings(&self, results: &BTreeMap<Task, TaskResult>) -> Result<Vec<usize>, EvaluateError> {
        summary::most_frequent_settings(&self.spec, results)
    }

    /// Runs one task; `setting` applies to subsamples only.
    ///
    /// # Errors
    /// Fails for a task that is not among [`Evaluation::tasks`], if a fit fails, or if the observer ends it.
    pub fn run_task(
        &self,
        task: Task,
        setting: usize,
        observer: &mut (dyn Observer + Send),
    ) -> Result<TaskResult, EvaluateError> {
        if !self.spec.tasks().contains(&task) {
            return Err(EvaluateError::NoTask { task });
        }
        let random = super::random();
        let rankers = self.rankers(&random);
        let (ranker, context) = (&rankers[task.ranker], self.context());
        let mut watch = Fits::new(observer, 0, context.fits_of(ranker, task.part));
        let result = pool::run(|| match task.part {
            TaskPart::Split(number) => context.evaluate_split(ranker, number, &mut watch).map(TaskResult::Split),
            TaskPart::Subsample(number) => context.subsample(ranker, (number, setting), &mut watch),
        });
        result.map_err(|failure: Failure| failure.of(&self.spec, &task))
    }

    /// Runs all tasks on all threads of the current pool; also returns why it ended early, if so.
    ///
    /// # Errors
    /// Fails if a fit fails.
    pub fn run_for_results(
        &self,
        observer: &mut (dyn Observer + Send),
    ) -> Result<(BTreeMap<Task, TaskResult>, Option<Halt>), EvaluateError> {
        let done = self.work(None, observer)?;
        Ok((done.results, done.halted))
    }

    /// Computes the record from the results of all tasks.
    ///
    /// # Errors
    /// Fails if no split is complete.
    pub fn summarise(&self, results: &BTreeMap<Task, TaskResult>) -> Result<EvaluationRecord, EvaluateError> {
        summarise(&self.spec, results)
    }
}
