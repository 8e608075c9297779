//! Evaluation of methods on held-out data.
//!
//! Protocol `nested` uses only the training rows of each split for the coding and scaling of columns, the ranking, the number of
//! features, the settings of the method and the parameter of the estimator. Inner folds choose the last three, among at most as many
//! settings for each method. The protocols of the paper choose settings by the test rows, and those as run also scale by them.
//!
//! | module | purpose |
//! |---|---|
//! | `options`, `estimator`, `names` | options, their checks, parsing and printing |
//! | `defaults` | defaults of all interfaces |
//! | `grid` | the settings of a method to choose from |
//! | `run_spec` | data, splits and options of a run |
//! | `tasks` | single tasks, for other processes and machines |
//! | `work`, `progress` | parallel execution of tasks; their remaining time |
//! | `split`, `inner_scores` | evaluation of one method in one split; scores of inner folds |
//! | `encoded_split` | encoding, ranking and prediction by rules or a fuzzy classifier |
//! | `trained`, `knn` | prediction by SVM or nearest neighbours |
//! | `result` | the result of a task |
//! | `measures`, `curve`, `constant` | scores, curves by number of features, and scores of constant predictions |
//! | `summary`, `warnings`, `record` | the record of an evaluation |
//! | `cell` | scores without predictions |
//! | `subsets` | scores of given subsets of the features |

mod cell;
mod constant;
mod curve;
pub mod defaults;
mod encoded_split;
mod estimator;
pub mod grid;
mod inner_scores;
mod knn;
pub mod measures;
mod names;
mod options;
mod progress;
mod record;
pub(crate) mod result;
mod run_spec;
mod split;
mod subsets;
mod summary;
mod tasks;
mod trained;
mod warnings;
mod work;

pub use cell::{Cell, CellPoint, MAJORITY, cells};
pub use curve::Curve;
pub use defaults::PlanOptions;
pub use estimator::{ClassOrder, Estimator, EstimatorKind, EstimatorOptions, KernelKind};
pub use names::ParseOptionError;
pub(crate) use options::MAX_SUBSAMPLES;
pub use options::{AS_RUN_ITERATIONS, AS_RUN_SEED, Candidate, EvaluateOptions, Protocol};
pub use record::{
    Baselines, EstimatorRecord, EvaluationRecord, FoldRecord, GridRecord, MethodRecord, Predicted, SCHEMA, Spread,
    Spreads, StabilityRecord,
};
pub use result::{
    CertaintyScores, FittedEstimator, Point, PredictedValues, Prediction, SplitResult, Task, TaskPart, TaskResult,
};
pub use run_spec::{ALL, FORMAT, Params, RANDOM, RunSpec, Truth, digest};
pub use summary::summarise;

use crate::records::{RecordsError, Run};
use crate::splits::SplitError;
use encoded_split::Ranker;
use options::{GRAM_PARTS, MAX_POINTS, MAX_ROWS, MIN_ESTIMATOR_ROWS};
use rulesieve::Remedy;
use rulesieve::data::Dataset;
use rulesieve::methods::{Method, settings::Settings};
use rulesieve::optim::{Halt, Observer};
use rulesieve::pool;
use rulesieve::select::{SelectError, SizeError};
use split::RunContext;

/// Errors of an evaluation or its options.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named in the messages")]
pub enum EvaluateError {
    /// Coding or a fit failed.
    #[error("{method}, {part}: {source}")]
    Select { method: String, part: String, source: Box<SelectError> },
    /// Every setting of a method failed.
    #[error("{method} failed with every setting: {failure}")]
    NoSetting { method: String, failure: String },
    /// The rows cannot be split.
    #[error(transparent)]
    Split(#[from] SplitError),
    /// The size is not allowed.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// An estimator for classification with a numeric target.
    #[error("the estimators svm and htsk need classes, and the target is numeric")]
    Numbers,
    /// More rows than the estimator can take.
    #[error("{rows} rows: this estimator keeps a number for every pair of rows and takes at most {MAX_ROWS}")]
    TooLong { rows: usize },
    /// A limit on the training rows of the estimator that is too small.
    #[error("the estimator needs a sample of at least {MIN_ESTIMATOR_ROWS} training rows")]
    EstimatorRows,
    /// Folds other than those of the protocol.
    #[error("protocol {protocol} uses the folds of scikit-learn, once")]
    OtherFolds {
        /// The protocol.
        protocol: &'static str,
    },
    /// An estimator other than that of the protocol.
    #[error("protocol {protocol} uses a support vector machine, for classes")]
    OtherEstimator {
        /// The protocol.
        protocol: &'static str,
    },
    /// More row indices than fit into memory.
    #[error("{splits} splits of so many rows are too many")]
    TooManySplits { splits: usize },
    /// A cost out of range.
    #[error("cost C = {cost} is not allowed: it must be from 1e-6 to 1e6")]
    Cost { cost: f64 },
    /// No cost at all.
    #[error("the SVM needs at least one cost C")]
    NoCosts,
    /// A number of neighbours out of range.
    #[error("{count} neighbours are not allowed")]
    Neighbours { count: usize },
    /// An option of another estimator or kernel.
    #[error("{option} does not apply to {to}")]
    NotApplicable { option: &'static str, to: String },
    /// A number of subsamples out of range.
    #[error("stability over {count} subsamples is not allowed")]
    Subsamples { count: usize },
    /// A curve with a size rule.
    #[error("a curve needs given sizes, and the size is chosen by a rule")]
    CurveOfOwnSize,
    /// A curve of R squared over folds of one row.
    #[error("a curve of a numeric target needs several rows in every fold: R2 of a single one is not defined")]
    CurveOfSingleRows,
    /// A curve under the protocols of the paper.
    #[error("a curve needs costs and settings chosen on the training rows")]
    CurveNeedsNested,
    /// Several parameters of the estimator under the protocols of the paper.
    #[error("the protocols of the paper take one cost, or one number of neighbours")]
    SeveralParameters,
    /// Inner folds without anything to choose.
    #[error("inner folds have nothing to choose: size, settings and the parameter of the estimator are given")]
    NothingToChoose,
    /// No method.
    #[error("there must be at least one method")]
    NoMethods,
    /// A method that is named twice.
    #[error("method '{name}' is named twice")]
    MethodTwice { name: &'static str },
    /// A number of settings out of range.
    #[error("{count} settings of {name} are not allowed")]
    Settings { name: &'static str, count: usize },
    /// A task of another evaluation.
    #[error("this evaluation has no task {task:?}")]
    NoTask { task: Task },
    /// Results cannot be read or written.
    #[error(transparent)]
    Records(RecordsError),
    /// No threads.
    #[error("no threads could be started: {0}")]
    Threads(String),
    /// The observer ended the evaluation.
    #[error("ended before it was complete")]
    Halted(Halt),
    /// No split is complete.
    #[error("no split is done yet")]
    NothingDone,
}

impl EvaluateError {
    /// Returns the remedy, if any.
    pub fn remedy(&self) -> Option<Remedy> {
        Some(match self {
            Self::Select { source, .. } => return source.remedy(),
            Self::Split(error) => return error.remedy(),
            Self::Size(error) => return error.remedy(),
            Self::Records(error) => return error.remedy(),
            Self::Numbers => Remedy::EstimatorOrBins { estimators: vec!["knn", "tsk"] },
            Self::TooLong { .. } => {
                Remedy::plain(format!("train the estimator on at most {} of them", MAX_ROWS / GRAM_PARTS))
            }
            Self::OtherFolds { .. } => Remedy::plain("leave out repeats, groups, the order of time and leave-one-out"),
            Self::OtherEstimator { .. } => Remedy::plain("choose another protocol"),
            Self::TooManySplits { .. } => Remedy::plain("use fewer folds or repeats"),
            Self::Neighbours { .. } => Remedy::plain("use from 1 to 1000"),
            Self::NotApplicable { .. } => Remedy::plain("leave one of them out"),
            Self::Subsamples { .. } => Remedy::plain(format!("use from 2 to {MAX_SUBSAMPLES}")),
            Self::CurveOfOwnSize => Remedy::plain("leave out the curve, or the size rule"),
            Self::CurveOfSingleRows => Remedy::plain("use fewer folds"),
            Self::CurveNeedsNested => Remedy::Nested,
            Self::SeveralParameters => Remedy::OneParameterOrNested,
            Self::Settings { .. } => Remedy::plain(format!("use from 1 to {MAX_POINTS}")),
            _ => return None,
        })
    }

    /// Returns the error with rows counted from 0.
    pub fn rows_from_zero(self) -> Self {
        match self {
            Self::Select { method, part, source } => {
                Self::Select { method, part, source: Box::new(source.rows_from_zero()) }
            }
            other => other,
        }
    }
}

/// Why a task failed.
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
    fn of(self, spec: &RunSpec, task: &Task) -> EvaluateError {
        let part = match task.part {
            TaskPart::Split(number) => format!("split {}", number + 1),
            TaskPart::Subsample(number) => format!("subsample {}", number + 1),
        };
        match self {
            Self::Select(source) => {
                let method = spec.rankers()[task.ranker].to_owned();
                EvaluateError::Select { method, part, source: Box::new(source) }
            }
            Self::Halted(halt) => EvaluateError::Halted(halt),
        }
    }
}

/// An evaluation with checked options and fixed splits.
pub struct Evaluation<'a> {
    data: &'a Dataset,
    shuffled: Option<Dataset>,
    options: &'a EvaluateOptions,
    spec: RunSpec,
}

/// The result of a run.
#[derive(Debug)]
pub struct Evaluated {
    /// The record of what is complete.
    pub record: EvaluationRecord,
    /// Why the evaluation ended early, if so.
    pub halted: Option<Halt>,
}

impl<'a> Evaluation<'a> {
    /// Checks the options and draws the splits.
    ///
    /// # Errors
    /// Fails for options that are not allowed.
    pub fn new(data: &'a Dataset, options: &'a EvaluateOptions) -> Result<Self, EvaluateError> {
        let (spec, shuffled) = RunSpec::new(data, options)?;
        Ok(Self { data, shuffled, options, spec })
    }

    /// Returns the data, splits and options that are saved with the results.
    pub fn spec(&self) -> &RunSpec {
        &self.spec
    }

    /// Runs the tasks without a result in `run`, on all threads of the current pool. The result does not depend on their number.
    ///
    /// # Errors
    /// Fails if a fit fails or results cannot be written.
    pub fn run(&self, run: Option<&mut Run>, observer: &mut (dyn Observer + Send)) -> Result<Evaluated, EvaluateError> {
        let done = self.work(run, observer)?;
        Ok(Evaluated { record: summarise(&self.spec, &done.results)?, halted: done.halted })
    }

    /// Runs as [`Evaluation::run`] and returns only scores; `None` and the reason if it ended early.
    ///
    /// # Errors
    /// Fails if a fit fails or results cannot be written.
    pub fn run_for_cells(
        &self,
        run: Option<&mut Run>,
        observer: &mut (dyn Observer + Send),
    ) -> Result<(Option<Vec<Cell>>, Option<Halt>), EvaluateError> {
        let done = self.work(run, observer)?;
        Ok((cells(&self.spec, &done.results), done.halted))
    }

    /// Returns the accuracy, or R squared, of given subsets of features (lists of indices) in each split; `None` if the observer ends
    /// it. The estimator uses the first value of its parameter.
    ///
    /// # Errors
    /// Fails if rows cannot be encoded or predicted.
    pub fn score_subsets(
        &self,
        subsets: &[Vec<usize>],
        observer: &mut (dyn Observer + Send),
    ) -> Result<Option<Vec<Vec<f64>>>, EvaluateError> {
        pool::run(|| subsets::score(self.context(), subsets, observer))
    }

    fn context(&self) -> RunContext<'_> {
        let data = self.shuffled.as_ref().unwrap_or(self.data);
        RunContext { data, spec: &self.spec, options: self.options }
    }

    fn work(&self, run: Option<&mut Run>, observer: &mut (dyn Observer + Send)) -> Result<work::Done, EvaluateError> {
        let random = random();
        pool::run(|| work::work(self.context(), &self.rankers(&random), run, observer))
    }

    /// Methods and baselines in the order of [`RunSpec::rankers`].
    fn rankers<'b>(&'b self, random: &'b Candidate) -> Vec<Ranker<'b>> {
        let own = self.options.candidates.iter().map(Ranker::Method);
        let mut rankers: Vec<Ranker> = own.collect();
        if self.options.baselines {
            rankers.extend([Ranker::All, Ranker::Method(random)]);
        }
        rankers
    }
}

/// Evaluates all methods without saving results.
///
/// # Errors
/// Fails for options that are not allowed, if a fit fails, or if the observer ends the evaluation.
pub fn evaluate(
    data: &Dataset,
    options: &EvaluateOptions,
    observer: &mut (dyn Observer + Send),
) -> Result<EvaluationRecord, EvaluateError> {
    let done = Evaluation::new(data, options)?.run(None, observer)?;
    done.halted.map_or(Ok(done.record), |halt| Err(EvaluateError::Halted(halt)))
}

/// Returns the baseline that ranks features in random order.
fn random() -> Candidate {
    Candidate { method: Method::Random, points: vec![Settings::defaults(Method::Random.info().params)] }
}

#[cfg(test)]
mod tests;
