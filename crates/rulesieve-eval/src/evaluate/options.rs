//! Options of an evaluation, and their checks.

use super::names::named;
use super::{Estimator, EvaluateError};
use crate::splits::{Plan, SplitError};
use rulesieve::data::{Dataset, Task};
use rulesieve::methods::Method;
use rulesieve::methods::settings::Settings;
use rulesieve::select::Size;
use serde::{Deserialize, Serialize};

/// Maximum number of rows of an estimator with a Gram matrix, which then takes 3 GB.
pub(super) const MAX_ROWS: usize = 20_000;
/// The Gram matrix has at most this many times the sampled training rows.
pub(super) const GRAM_PARTS: usize = 2;
/// Minimum of a limit on the training rows of the estimator.
pub(super) const MIN_ESTIMATOR_ROWS: usize = 10;
/// Maximum number of row indices in all splits.
const MAX_INDICES: usize = 1 << 27;
/// Maximum number of settings of a method.
pub(super) const MAX_POINTS: usize = 10_000;
/// Maximum number of subsamples.
pub(crate) const MAX_SUBSAMPLES: usize = 10_000;

/// How sizes, settings and parameters are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// On the training rows of each split, by inner folds.
    #[default]
    Nested,
    /// As in the paper: the setting with the best mean score on the test rows of all splits.
    Paper,
    /// In each split, the setting with the best score on its test rows: an optimistic bound.
    PaperPerFold,
    /// As [`Protocol::Paper`] in the way in which the paper's tables were computed: columns are scaled by all rows before the split, the
    /// folds are those of scikit-learn, the SVM stops after [`AS_RUN_ITERATIONS`] iterations, and deviations divide by the number of
    /// folds. It leaks test rows into scaling and choices and exists only to reproduce printed tables.
    PaperAsRun,
    /// As [`Protocol::PaperAsRun`], with the best setting of each split.
    PaperAsRunPerFold,
}

named!(Protocol, "protocol", Nested => "nested", Paper => "paper", PaperPerFold => "paper-per-fold", PaperAsRun => "paper-as-run",
    PaperAsRunPerFold => "paper-as-run-per-fold");

/// Maximum number of iterations of the SVM behind the printed tables, `SVC(max_iter=200)`.
pub const AS_RUN_ITERATIONS: usize = 200;
/// The seed of their folds, `StratifiedKFold(10, shuffle=True, random_state=42)`.
pub const AS_RUN_SEED: u32 = 42;

impl Protocol {
    /// Returns whether each split has a setting of its own, chosen by its test rows.
    pub fn is_per_split(self) -> bool {
        matches!(self, Self::PaperPerFold | Self::PaperAsRunPerFold)
    }

    /// Returns whether it repeats the computation of the printed tables, with everything that leaks in it.
    pub fn is_as_run(self) -> bool {
        matches!(self, Self::PaperAsRun | Self::PaperAsRunPerFold)
    }
}

/// A method to evaluate.
#[derive(Clone)]
pub struct Candidate {
    /// The method.
    pub method: Method,
    /// The settings to choose from, at least one; ties go to the first.
    pub points: Vec<Settings>,
}

/// Options of an evaluation.
#[derive(Clone)]
pub struct EvaluateOptions {
    /// The protocol.
    pub protocol: Protocol,
    /// The methods; the first one is compared with the others.
    pub candidates: Vec<Candidate>,
    /// Number of features to select. If absent or [`Size::Auto`], methods with held-out rows choose the size themselves; for others,
    /// inner folds choose among 1, 2, 3, 5, 8, ... under protocol `nested`, and the protocols of the paper select 1/3. A
    /// [`Size::Rule`] is applied to the training rows of each split.
    pub size: Option<Size>,
    /// How rows are split.
    pub plan: Plan,
    /// Number of inner folds.
    pub inner: usize,
    /// The estimator that scores the held-out rows.
    pub estimator: Estimator,
    /// Maximum number of training rows of the estimator and of the inner folds, drawn at random; all if absent. Features are ranked on
    /// all training rows.
    pub estimator_rows: Option<usize>,
    /// Whether to score the best 1, 2, 3, 5, 8, ... features too.
    pub curve: bool,
    /// Number of subsamples of half the rows on which stability is measured; 0 uses the training rows of the splits.
    pub subsamples: usize,
    /// Whether labels are shuffled first; every method must then score at chance level.
    pub permute: bool,
    /// Whether all features and random features are evaluated as baselines.
    pub baselines: bool,
    /// Random seed.
    pub seed: u64,
}

impl EvaluateOptions {
    pub(super) fn check(&self, data: &Dataset) -> Result<(), EvaluateError> {
        let regression = data.target.task() == Task::Regression;
        let rows = self.estimator_rows.map_or(data.samples(), |rows| data.samples().min(GRAM_PARTS * rows));
        self.estimator.check(rows, data.samples(), regression)?;
        if self.estimator_rows.is_some_and(|rows| rows < MIN_ESTIMATOR_ROWS) {
            return Err(EvaluateError::EstimatorRows);
        }
        self.check_splits(data)?;
        let own = matches!(self.size.map(Size::check).transpose()?, Some(Size::Native | Size::Rule(_)));
        self.check_methods()?;
        if self.subsamples == 1 || self.subsamples > MAX_SUBSAMPLES {
            return Err(EvaluateError::Subsamples { count: self.subsamples });
        }
        let single_rows = match self.plan {
            Plan::LeaveOneOut => true,
            Plan::Folds { folds, .. } | Plan::ScikitFolds { folds, .. } => folds >= data.samples(),
            Plan::Groups { .. } | Plan::Time { .. } => false,
        };
        match self.protocol {
            _ if self.curve && own => Err(EvaluateError::CurveOfOwnSize),
            _ if self.curve && single_rows && regression => Err(EvaluateError::CurveOfSingleRows),
            Protocol::Nested => Ok(()),
            _ if self.estimator.choices().len() > 1 => Err(EvaluateError::SeveralParameters),
            _ if self.curve => Err(EvaluateError::CurveNeedsNested),
            _ => Ok(()),
        }
    }

    fn check_splits(&self, data: &Dataset) -> Result<(), EvaluateError> {
        let (folds, repeats) = match self.plan {
            Plan::LeaveOneOut => (data.samples(), 1),
            Plan::Folds { folds, repeats } => (folds, repeats),
            Plan::ScikitFolds { folds, .. } | Plan::Groups { folds, .. } | Plan::Time { folds, .. } => (folds, 1),
        };
        if self.protocol.is_as_run() && !matches!(self.plan, Plan::ScikitFolds { .. }) {
            return Err(EvaluateError::OtherFolds { protocol: self.protocol.name() });
        }
        if self.protocol.is_as_run() && !matches!(self.estimator, Estimator::Svm { .. }) {
            return Err(EvaluateError::OtherEstimator { protocol: self.protocol.name() });
        }
        let splits = folds.saturating_mul(repeats);
        if splits.saturating_mul(data.samples()) > MAX_INDICES {
            return Err(EvaluateError::TooManySplits { splits });
        }
        if self.inner < 2 {
            return Err(SplitError::TooFewFolds { folds: self.inner }.into());
        }
        Ok(())
    }

    fn check_methods(&self) -> Result<(), EvaluateError> {
        let names: Vec<&str> = self.candidates.iter().map(|one| one.method.info().name).collect();
        if names.is_empty() {
            return Err(EvaluateError::NoMethods);
        }
        if let Some((_, &name)) = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name)) {
            return Err(EvaluateError::MethodTwice { name });
        }
        let wrong = self.candidates.iter().find(|one| !(1..=MAX_POINTS).contains(&one.points.len()));
        wrong.map_or(Ok(()), |one| {
            Err(EvaluateError::Settings { name: one.method.info().name, count: one.points.len() })
        })
    }

    /// Returns the number of features to select; `None` if inner folds or the method choose it.
    pub(super) fn given_size(&self) -> Option<Size> {
        let third = (self.protocol != Protocol::Nested).then_some(Size::THIRD);
        self.size.filter(|size| *size != Size::Auto).or(third)
    }

    /// Returns the number of inner folds; `None` if there is nothing to choose.
    pub fn inner_folds(&self) -> Option<usize> {
        let several = self.candidates.iter().any(|one| one.points.len() > 1);
        let choice = self.given_size().is_none() || several || self.estimator.choices().len() > 1 || self.curve;
        (self.protocol == Protocol::Nested && choice).then_some(self.inner)
    }

    /// Checks that inner folds have something to choose.
    ///
    /// # Errors
    /// Fails if there is nothing to choose.
    pub fn check_inner(&self) -> Result<(), EvaluateError> {
        self.inner_folds().map(drop).ok_or(EvaluateError::NothingToChoose)
    }
}
