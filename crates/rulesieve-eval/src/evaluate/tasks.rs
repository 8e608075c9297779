//! Single tasks of an evaluation, for other threads, processes or machines: a task depends on nothing but data and options. All
//! results together give what [`Evaluation::run`] gives.

use super::result::{Task, TaskPart, TaskResult};
use super::{EvaluateError, Evaluation, EvaluationRecord, Failure, summarise, summary};
use rulesieve::optim::{Fits, Halt, Observer};
use std::collections::BTreeMap;

impl Evaluation<'_> {
    /// All tasks: first those of the splits, then those of the subsamples, whose settings the splits decide.
    pub fn tasks(&self) -> Vec<Task> {
        self.spec.tasks()
    }

    /// For every ranker the setting that its subsamples are ranked with: the one that most splits chose.
    ///
    /// # Errors
    /// No split is complete.
    pub fn subsample_settings(&self, results: &BTreeMap<Task, TaskResult>) -> Result<Vec<usize>, EvaluateError> {
        summary::most_frequent_settings(&self.spec, results)
    }

    /// Runs one task; `setting` is that of a subsample, and ignored for a split.
    ///
    /// # Errors
    /// A task that is not among [`Evaluation::tasks`], a fit that failed, or an observer that ended it.
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
        let fits = if let TaskPart::Split(split) = task.part { context.fits(ranker, split) } else { 1 };
        let mut watch = Fits::new(observer, 0, fits);
        let result = match task.part {
            TaskPart::Split(number) => context.evaluate_split(ranker, number, &mut watch).map(TaskResult::Split),
            TaskPart::Subsample(number) => context.subsample(ranker, (number, setting), &mut watch),
        };
        result.map_err(|failure: Failure| failure.of(&self.spec, &task))
    }

    /// Runs all tasks in parallel, on all threads of the current pool; also returns why tasks are left, if any.
    ///
    /// # Errors
    /// A fit that failed.
    pub fn run_for_results(
        &self,
        observer: &mut (dyn Observer + Send),
    ) -> Result<(BTreeMap<Task, TaskResult>, Option<Halt>), EvaluateError> {
        let done = self.work(None, observer)?;
        Ok((done.results, done.halted))
    }

    /// The record of the results of all tasks.
    ///
    /// # Errors
    /// No split is complete.
    pub fn summarise(&self, results: &BTreeMap<Task, TaskResult>) -> Result<EvaluationRecord, EvaluateError> {
        summarise(&self.spec, results)
    }
}
