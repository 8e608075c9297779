//! A builder for evaluations.

use crate::evaluate::{
    Candidate, Estimator, EvaluateError, EvaluateOptions, EvaluationRecord, KernelKind, PlanOptions, Protocol,
    defaults, evaluate,
};
use crate::splits::Plan;
use crate::svm::Gamma;
use rulesieve::data::{Dataset, Task};
use rulesieve::methods::{Method, settings::Settings};
use rulesieve::optim::{Observer, Silent};
use rulesieve::select::Size;

/// Evaluates methods on held-out rows under protocol `nested`: all choices use only the training rows of each split.
///
/// ```
/// use rulesieve::prelude::*;
/// use rulesieve_eval::Evaluator;
///
/// let table = rulesieve::generate::find("waveform").unwrap().generate(Some(90), Some(21), 0)?.table;
/// let data = table.into_dataset(Target::named("class"), Missing::Error)?;
/// let record = Evaluator::new([Method::Anova, Method::Variance]).folds(3).top(5).evaluate(&data)?;
/// assert_eq!(record.methods.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Evaluator {
    candidates: Vec<Candidate>,
    estimator: Option<Estimator>,
    size: Option<Size>,
    split: PlanOptions,
    plan: Option<Plan>,
    estimator_rows: Option<usize>,
    thorough: bool,
    seed: u64,
}

impl Evaluator {
    /// Creates an evaluator of methods with default parameters; the first one is compared with the others. Without any, the default
    /// method and common filters are evaluated, as far as they support the task.
    pub fn new(methods: impl IntoIterator<Item = Method>) -> Self {
        methods.into_iter().fold(Self::default(), |evaluator, method| {
            evaluator.method(method, vec![Settings::defaults(method.info().params)])
        })
    }

    /// Adds a method with one or more settings to choose from on the training rows.
    pub fn method(mut self, method: Method, points: Vec<Settings>) -> Self {
        self.candidates.push(Candidate { method, points });
        self
    }

    /// Selects this many features; by default, the number is chosen on the training rows.
    pub fn top(self, count: usize) -> Self {
        self.size(Size::Top(count))
    }

    /// Sets the number of features to select.
    pub fn size(self, size: Size) -> Self {
        Self { size: Some(size), ..self }
    }

    /// Sets the number of folds; see [`PlanOptions::plan`] for the default.
    pub fn folds(mut self, folds: usize) -> Self {
        self.split.folds = Some(folds);
        self
    }

    /// Keeps rows of the same group in one fold.
    pub fn groups(mut self, groups: Vec<u32>) -> Self {
        self.split.groups = Some(groups);
        self
    }

    /// Keeps the order of time: training rows precede test rows. The times are ranks (see [`crate::splits::time_ranks`]).
    pub fn times(mut self, times: Vec<u32>) -> Self {
        self.split.times = Some(times);
        self
    }

    /// Trains on this many blocks of time before the test rows instead of all.
    pub fn window(mut self, blocks: usize) -> Self {
        self.split.window = Some(blocks);
        self
    }

    /// Sets how rows are split, instead of folds, groups and times.
    pub fn plan(self, plan: Plan) -> Self {
        Self { plan: Some(plan), ..self }
    }

    /// Sets the estimator that scores the held-out rows: by default an SVM for classification, nearest neighbours for regression.
    pub fn estimator(self, estimator: Estimator) -> Self {
        Self { estimator: Some(estimator), ..self }
    }

    /// Trains the estimator on at most this many rows, drawn at random; 2000 by default, or all of at most 20,000 if thorough.
    pub fn estimator_rows(self, rows: usize) -> Self {
        Self { estimator_rows: Some(rows), ..self }
    }

    /// Repeats the folds, scores a curve and trains the estimator on more rows.
    pub fn thorough(self) -> Self {
        Self { thorough: true, ..self }
    }

    /// Sets the random seed.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Returns the options for a data set.
    pub fn options(&self, data: &Dataset) -> EvaluateOptions {
        let (protocol, rows) = (Protocol::Nested, data.samples());
        let estimator = || match data.target.task() {
            Task::Classification => {
                let costs = defaults::costs(protocol);
                Estimator::Svm {
                    kernel: KernelKind::Rbf,
                    gamma: Gamma::Scale,
                    costs,
                    max_iter: None,
                    class_order: Default::default(),
                }
            }
            Task::Regression => Estimator::Knn { neighbours: defaults::neighbours(protocol) },
        };
        EvaluateOptions {
            protocol,
            candidates: if self.candidates.is_empty() {
                Self::new(defaults::methods(data.target.task(), self.thorough)).candidates
            } else {
                self.candidates.clone()
            },
            size: self.size,
            plan: self.plan.clone().unwrap_or_else(|| self.split.clone().plan(protocol, self.thorough, rows)),
            inner: defaults::INNER,
            estimator: self.estimator.clone().unwrap_or_else(estimator),
            estimator_rows: self.estimator_rows.or(defaults::estimator_rows(protocol, self.thorough, rows)),
            curve: self.thorough && defaults::allows_curve(protocol, self.size),
            subsamples: 0,
            permute: false,
            baselines: true,
            seed: self.seed,
        }
    }

    /// Evaluates the methods.
    ///
    /// # Errors
    /// Fails for options that are not allowed, or if a fit fails.
    pub fn evaluate(&self, data: &Dataset) -> Result<EvaluationRecord, EvaluateError> {
        self.evaluate_with(data, &mut Silent)
    }

    /// Evaluates the methods with an observer.
    ///
    /// # Errors
    /// Fails as [`Self::evaluate`], or if the observer ends it.
    pub fn evaluate_with(
        &self,
        data: &Dataset,
        observer: &mut (dyn Observer + Send),
    ) -> Result<EvaluationRecord, EvaluateError> {
        evaluate(data, &self.options(data), observer)
    }
}
