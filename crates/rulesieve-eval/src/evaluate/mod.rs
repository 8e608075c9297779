//! Methods judged by rows they have not seen.
//!
//! Protocol `nested`: in every split everything is learned from the training part alone, the coding and scaling of columns, the
//! ranking, how many features are kept, the settings of the method and the parameter of the judge. The last three are chosen by folds
//! within the training part, among at most as many settings for every method. The protocols of the paper choose settings by the test rows.
//!
//! | where | what |
//! |---|---|
//! | `options` | what can be asked for |
//! | `grid` | the settings of a method that are tried |
//! | `frame` | what all fits of a run have in common |
//! | `pieces` | pieces of work that others do |
//! | `work` | pieces of work side by side, each kept when it is done |
//! | `split`, `tally` | one method in one split, by each protocol; what did best inside it |
//! | `part` | rows coded, ranked and judged: by the SVM, by neighbours (`knn`), by rules or a fuzzy classifier |
//! | `outcome` | what a piece of work gives |
//! | `measures`, `curve`, `constant` | how right answers are, against the number of features, and without features |
//! | `summary`, `remarks`, `record` | from outcomes to what is said |
//! | `cell` | from outcomes to scores alone |
//! | `subsets` | features chosen by nobody, judged all the same |

mod cell;
mod constant;
mod curve;
mod frame;
pub mod grid;
mod knn;
pub mod measures;
mod options;
pub(crate) mod outcome;
mod part;
mod pieces;
mod record;
mod remarks;
mod split;
mod subsets;
mod summary;
mod tally;
mod work;

pub use cell::{Cell, CellPoint, MAJORITY, cells};
pub use curve::Curve;
pub use frame::{ALL, Frame, Params, RANDOM, Truth, digest};
pub(crate) use options::MOST_HALVES;
pub use options::{Contender, EvaluateOptions, Judge, KernelKind, Protocol, usual};
pub use outcome::{Answers, JudgeRecord, Judged, Outcome, Point, Task, TaskPart, Verdict};
pub use record::{
    Baselines, Classifier, EvaluationRecord, FoldRecord, GridRecord, MethodRecord, Predicted, SCHEMA, Spread, Spreads,
    StabilityRecord,
};
pub use summary::summarise;

use crate::records::{RecordsError, Run};
use crate::splits::SplitError;
use options::MOST_ROWS;
use part::Ranker;
use rulesieve::data::Dataset;
use rulesieve::methods;
use rulesieve::optim::{Halt, Observer};
use rulesieve::select::{SelectError, SizeError};
use split::Work;

/// An evaluation that could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluateError {
    /// Coding or a fit failed.
    #[error("{method}, {place}: {source}")]
    Select {
        /// The method.
        method: String,
        /// The split or the half, from 1.
        place: String,
        /// Why.
        source: Box<SelectError>,
    },
    /// No setting of a method could be used.
    #[error("{method} failed with every setting: {failure}")]
    NoSetting {
        /// The method.
        method: String,
        /// Why.
        failure: String,
    },
    /// The rows cannot be split so.
    #[error(transparent)]
    Split(#[from] SplitError),
    /// The size is impossible.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// Numbers as a target.
    #[error(
        "the SVM and htsk judge classes, and the target holds numbers; judge by knn or tsk, or cut the target with --bins"
    )]
    Numbers,
    /// More rows than the judge can take.
    #[error(
        "{rows} rows: this judge keeps a number for every pair of rows and takes at most {MOST_ROWS}; judge by tsk or htsk, or evaluate a sample of the rows"
    )]
    TooLong {
        /// The rows.
        rows: usize,
    },
    /// More splits than can be kept.
    #[error("{splits} splits of so many rows are too many; take fewer folds or repeats")]
    TooManySplits {
        /// The splits.
        splits: usize,
    },
    /// Costs that are none.
    #[error("cost C = {cost} is not allowed; it must be from 1e-6 to 1e6")]
    Cost {
        /// The cost.
        cost: f64,
    },
    /// Wishes that contradict each other, or none.
    #[error("{0}")]
    Options(String),
    /// The records cannot be read or written.
    #[error(transparent)]
    Records(RecordsError),
    /// No threads.
    #[error("no threads could be started: {0}")]
    Threads(String),
    /// The observer ended it.
    #[error("ended before it was done")]
    Halted(Halt),
    /// There is nothing to say yet.
    #[error("no split is done yet")]
    NothingDone,
}

/// Why a piece of work could not be done.
pub(crate) enum Failure {
    Select(SelectError),
    Halted(Halt),
}

impl<E: Into<SelectError>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Select(error.into())
    }
}

impl Failure {
    fn of(self, frame: &Frame, task: &Task) -> EvaluateError {
        let place = match task.part {
            TaskPart::Split(number) => format!("split {}", number + 1),
            TaskPart::Half(number) => format!("half {}", number + 1),
        };
        match self {
            Self::Select(source) => {
                let method = frame.rankers()[task.ranker].to_owned();
                EvaluateError::Select { method, place, source: Box::new(source) }
            }
            Self::Halted(halt) => EvaluateError::Halted(halt),
        }
    }
}

/// An evaluation, checked and ready to begin.
pub struct Evaluation<'a> {
    data: &'a Dataset,
    shuffled: Option<Dataset>,
    options: &'a EvaluateOptions,
    frame: Frame,
}

/// What came of it.
#[derive(Debug)]
pub struct Evaluated {
    /// The record; absent where no split was done before the end.
    pub record: Option<EvaluationRecord>,
    /// Why not everything was done, if so.
    pub halted: Option<Halt>,
}

impl<'a> Evaluation<'a> {
    /// Checks the wishes and makes the splits.
    ///
    /// # Errors
    /// Wishes that cannot be met.
    pub fn new(data: &'a Dataset, options: &'a EvaluateOptions) -> Result<Self, EvaluateError> {
        let (frame, shuffled) = Frame::new(data, options)?;
        Ok(Self { data, shuffled, options, frame })
    }

    /// What its outcomes are kept with.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Does what the run does not hold yet, on all threads of the current pool. The result does not depend on their number.
    ///
    /// # Errors
    /// A fit that failed, or records that could not be written.
    pub fn run(&self, run: Option<&mut Run>, observer: &mut (dyn Observer + Send)) -> Result<Evaluated, EvaluateError> {
        let done = self.work(run, observer)?;
        let record = match summarise(&self.frame, &done.outcomes) {
            Err(EvaluateError::NothingDone) => None,
            record => Some(record?),
        };
        Ok(Evaluated { record, halted: done.halted })
    }

    /// The same, for scores alone: nothing while work is left, and then why not everything was done.
    ///
    /// # Errors
    /// A fit that failed, or records that could not be written.
    pub fn run_for_cells(
        &self,
        run: Option<&mut Run>,
        observer: &mut (dyn Observer + Send),
    ) -> Result<(Option<Vec<Cell>>, Option<Halt>), EvaluateError> {
        let done = self.work(run, observer)?;
        Ok((cells(&self.frame, &done.outcomes), done.halted))
    }

    /// The accuracy, or R squared, of given subsets of the features, each a list of places, in every split; nothing if the observer
    /// ended it. The judge has the first value of its parameter.
    ///
    /// # Errors
    /// Rows that cannot be coded or judged.
    pub fn judge_subsets(
        &self,
        subsets: &[Vec<usize>],
        observer: &mut (dyn Observer + Send),
    ) -> Result<Option<Vec<Vec<f64>>>, EvaluateError> {
        subsets::judge(Work { data: self.data(), frame: &self.frame, options: self.options }, subsets, observer)
    }

    fn work(&self, run: Option<&mut Run>, observer: &mut (dyn Observer + Send)) -> Result<work::Done, EvaluateError> {
        let random = random()?;
        let work = Work { data: self.data(), frame: &self.frame, options: self.options };
        work::work(work, &self.rankers(&random), run, observer)
    }

    /// The data, with labels shuffled where that was asked for.
    fn data(&self) -> &Dataset {
        self.shuffled.as_ref().unwrap_or(self.data)
    }

    /// Everything that ranks, in the order of [`Frame::rankers`].
    fn rankers<'b>(&'b self, random: &'b Contender) -> Vec<Ranker<'b>> {
        let own = self.options.contenders.iter().map(Ranker::Method);
        let mut rankers: Vec<Ranker> = own.collect();
        if self.options.baselines {
            rankers.extend([Ranker::All, Ranker::Method(random)]);
        }
        rankers
    }
}

/// Judges all methods, keeping nothing.
///
/// # Errors
/// Wishes that cannot be met, a fit that failed, an observer that ended it.
pub fn evaluate(
    data: &Dataset,
    options: &EvaluateOptions,
    observer: &mut (dyn Observer + Send),
) -> Result<EvaluationRecord, EvaluateError> {
    let done = Evaluation::new(data, options)?.run(None, observer)?;
    match (done.halted, done.record) {
        (Some(halt), _) => Err(EvaluateError::Halted(halt)),
        (None, record) => record.ok_or(EvaluateError::NothingDone),
    }
}

/// The method that puts features into random order.
fn random() -> Result<Contender, EvaluateError> {
    let unknown = || EvaluateError::Options("the method 'random', a baseline, is gone".to_owned());
    let method = methods::find("random").ok_or_else(unknown)?;
    Ok(Contender { method, points: vec![method.settings(&[]).map_err(|_| unknown())?] })
}

#[cfg(test)]
mod tests;
