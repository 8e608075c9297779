//! A builder for evaluations.

use crate::evaluate::{
    Candidate, Estimator, EvaluateError, EvaluateOptions, EvaluationRecord, KernelKind, Protocol, defaults, evaluate,
};
use crate::splits::Plan;
use crate::svm::Gamma;
use rulesieve::data::{Dataset, Task};
use rulesieve::methods::{Method, settings::Settings};
use rulesieve::optim::{Observer, Silent};
use rulesieve::select::Size;

/// Evaluates methods on held-out rows under the protocol `nested`: everything is learned from the training rows of every split.
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
    plan: Option<Plan>,
    seed: u64,
}

impl Evaluator {
    /// Methods with their default parameters; the first one is compared with the others.
    pub fn new(methods: impl IntoIterator<Item = Method>) -> Self {
        methods.into_iter().fold(Self::default(), |evaluator, method| {
            evaluator.method(method, vec![Settings::defaults(method.info().params)])
        })
    }

    /// A further method, with the settings to choose from inside the training rows: at least one.
    pub fn method(mut self, method: Method, points: Vec<Settings>) -> Self {
        self.candidates.push(Candidate { method, points });
        self
    }

    /// Keeps this many features; without a size, it is chosen inside the training rows.
    pub fn top(self, count: usize) -> Self {
        self.size(Size::Top(count))
    }

    /// How many features to keep.
    pub fn size(self, size: Size) -> Self {
        Self { size: Some(size), ..self }
    }

    /// Stratified folds, once; 10 by default.
    pub fn folds(self, folds: usize) -> Self {
        self.plan(Plan::Folds { folds, repeats: 1 })
    }

    /// How rows are split.
    pub fn plan(self, plan: Plan) -> Self {
        Self { plan: Some(plan), ..self }
    }

    /// What scores the held-out rows: by default an SVM for classes, and nearest neighbours for numbers.
    pub fn estimator(self, estimator: Estimator) -> Self {
        Self { estimator: Some(estimator), ..self }
    }

    /// Random seed.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// The options for some data.
    pub fn options(&self, data: &Dataset) -> EvaluateOptions {
        let protocol = Protocol::Nested;
        let estimator = || match data.target.task() {
            Task::Classification => {
                Estimator::Svm { kernel: KernelKind::Rbf, gamma: Gamma::Scale, costs: defaults::costs(protocol) }
            }
            Task::Regression => Estimator::Knn { neighbours: defaults::neighbours(protocol) },
        };
        EvaluateOptions {
            protocol,
            candidates: self.candidates.clone(),
            size: self.size,
            plan: self.plan.clone().unwrap_or(Plan::Folds { folds: defaults::FOLDS, repeats: 1 }),
            inner: defaults::INNER,
            estimator: self.estimator.clone().unwrap_or_else(estimator),
            curve: false,
            subsamples: 0,
            permute: false,
            baselines: true,
            seed: self.seed,
        }
    }

    /// Evaluates.
    ///
    /// # Errors
    /// Options that cannot be met, and fits that fail.
    pub fn evaluate(&self, data: &Dataset) -> Result<EvaluationRecord, EvaluateError> {
        self.evaluate_with(data, &mut Silent)
    }

    /// The same with an observer.
    ///
    /// # Errors
    /// Those of [`Self::evaluate`], and an observer that ended it.
    pub fn evaluate_with(
        &self,
        data: &Dataset,
        observer: &mut (dyn Observer + Send),
    ) -> Result<EvaluationRecord, EvaluateError> {
        evaluate(data, &self.options(data), observer)
    }
}
