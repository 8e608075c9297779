//! An evaluation in pieces that others do, on other threads, in other processes or on other machines: every piece is known by its
//! task, and depends on nothing but data and wishes. What they give together is what [`Evaluation::run`] gives.

use super::outcome::{Outcome, Task, TaskPart};
use super::split::Work;
use super::{EvaluateError, Evaluation, EvaluationRecord, Failure, summarise, summary};
use rulesieve::optim::{Fits, Halt, Observer};
use std::collections::BTreeMap;

impl Evaluation<'_> {
    /// All pieces: first those of the splits, then those of the halves, which need a setting that the splits decide.
    pub fn tasks(&self) -> Vec<Task> {
        self.frame.tasks()
    }

    /// For every ranker the setting that its halves are ranked with: the one that most splits took.
    ///
    /// # Errors
    /// No split is done.
    pub fn settings_of_halves(&self, outcomes: &BTreeMap<Task, Outcome>) -> Result<Vec<usize>, EvaluateError> {
        summary::usual_settings(&self.frame, outcomes)
    }

    /// Does one piece; `setting` is that of a half and means nothing to a split.
    ///
    /// # Errors
    /// A task that is not among [`Evaluation::tasks`], a fit that failed, or an observer that ended it.
    pub fn piece(
        &self,
        task: Task,
        setting: usize,
        observer: &mut (dyn Observer + Send),
    ) -> Result<Outcome, EvaluateError> {
        if !self.frame.tasks().contains(&task) {
            return Err(EvaluateError::Options(format!("this evaluation has no piece {task:?}")));
        }
        let random = super::random()?;
        let rankers = self.rankers(&random);
        let ranker = &rankers[task.ranker];
        let work = Work { data: self.data(), frame: &self.frame, options: self.options };
        let fits = if let TaskPart::Split(split) = task.part { work.fits(ranker, split) } else { 1 };
        let mut watch = Fits::new(observer, 0, fits);
        let outcome = match task.part {
            TaskPart::Split(number) => work.judge(ranker, number, &mut watch).map(Outcome::Judged),
            TaskPart::Half(number) => work.half(ranker, (number, setting), &mut watch),
        };
        outcome.map_err(|failure: Failure| failure.of(&self.frame, &task))
    }

    /// Does all pieces side by side, on all threads of the current pool, and says why not all were done, if so.
    ///
    /// # Errors
    /// A fit that failed.
    pub fn run_for_outcomes(
        &self,
        observer: &mut (dyn Observer + Send),
    ) -> Result<(BTreeMap<Task, Outcome>, Option<Halt>), EvaluateError> {
        let done = self.work(None, observer)?;
        Ok((done.outcomes, done.halted))
    }

    /// What all pieces say together.
    ///
    /// # Errors
    /// No split is done.
    pub fn summarise(&self, outcomes: &BTreeMap<Task, Outcome>) -> Result<EvaluationRecord, EvaluateError> {
        summarise(&self.frame, outcomes)
    }
}
