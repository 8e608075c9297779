//! The selection methods: each fits a score for every feature of a [`Problem`]. A new method is a file here and an
//! entry in `registry`.

mod anova;
mod dg_aletsk;
mod dg_tsk;
mod erfs;
mod fsor;
mod fsre_adatsk;
mod fuzzy;
mod htsk;
pub(crate) mod inductive;
mod info;
pub(crate) mod ldr_tsk;
mod mcfs;
mod mrmr;
mod mutual_info;
mod random;
mod registry;
mod relieff;
mod rjfwlf;
pub mod settings;
mod shared;
pub(crate) mod sieve;
mod tsk_srb;
mod variance;

pub use htsk::{Classifier as HtskClassifier, Params as HtskParams};
pub use info::{Certainty, MethodInfo, OwnSize};
pub use registry::{Method, UnknownMethod, title};

use crate::data::{Design, Target, Task};
use crate::held_out::HeldOut;
use crate::linalg::{LinalgError, Matrix};
use crate::optim::{Halt, Observer};
use crate::remedy::Remedy;
use crate::select::SizeCurve;
use crate::warning::Warning;
use settings::{ParamError, ParamValue, Settings};

/// Training data of a method: scaled rows and their target.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    /// The coded features, with the columns of every feature.
    pub design: &'a Design,
    /// Names of the features, one per block of the design.
    pub names: &'a [&'a str],
    /// The target of the rows.
    pub target: &'a Target,
    /// Weight of every row, positive; equal weights if absent.
    pub weights: Option<&'a [f64]>,
}

impl Problem<'_> {
    /// Checks that a method supports this problem.
    pub fn check(&self, method: &MethodInfo) -> Result<(), FitError> {
        if self.target.task() == Task::Regression && !method.regression {
            return Err(FitError::NeedsClasses { method: method.name });
        }
        let Some(weights) = self.weights else { return Ok(()) };
        if !method.weights {
            return Err(FitError::NoWeights { method: method.name });
        }
        check_weights(weights, self.target.rows())
    }
}

/// Checks that there is a positive weight for every row.
pub(crate) fn check_weights(weights: &[f64], rows: usize) -> Result<(), FitError> {
    let positive = |weight: &f64| *weight > 0.0 && weight.is_finite();
    if weights.len() != rows || !weights.iter().all(positive) {
        return Err(FitError::BadWeights { rows });
    }
    Ok(())
}

/// A problem prepared for several fits with different settings and seeds.
pub trait Prepared: Send + Sync {
    /// Fits a score for every feature.
    fn fit(&self, settings: &Settings, seed: u64, observer: &mut dyn Observer) -> Result<Fit, FitError>;

    /// The same where the number of features to select is known before: results on held-out rows are then those of so many.
    fn fit_of_size(
        &self,
        settings: &Settings,
        seed: u64,
        size: Option<usize>,
        observer: &mut dyn Observer,
    ) -> Result<Fit, FitError> {
        let _ = size;
        self.fit(settings, seed, observer)
    }
}

/// Result of a fit.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Fit {
    /// A finite score for every feature; larger is better.
    pub scores: Vec<f64>,
    /// Summary of the iteration, for iterative methods.
    pub iteration: Option<Iteration>,
    /// Number of features that the method's own rule keeps, if it has one.
    pub native: Option<usize>,
    /// Warnings.
    pub warnings: Vec<Warning>,
    /// Parameters whose default depends on the data, with the values that were used.
    pub resolved: Vec<(&'static str, ParamValue)>,
    /// Indices of the features that the model does not use, for methods that determine them.
    pub unused: Vec<usize>,
    /// The criterion that orders those features, if it is not their part in the model.
    pub unused_ordered_by: Option<&'static str>,
    /// Firing strengths of rules without an IF part, for methods that fit them.
    pub firing: Option<Firing>,
    /// Indices of all features, best first, for methods that do not order by score.
    pub order: Option<Vec<usize>>,
    /// The p-value of every feature, corrected for multiple tests; empty for methods without tests.
    pub p_values: Vec<f64>,
    /// Interacting pairs of features, most significant first.
    pub pairs: Vec<Pair>,
    /// Results on rows that took no part in the ranking, for methods that use held-out rows.
    pub held_out: Option<HeldOut>,
    /// Held-out score of the first 1, 2, 3, 5, 8, ... features, for methods that compute it.
    pub curve: Option<SizeCurve>,
    /// Tested columns and combinations of columns, for methods that test.
    pub tested: Option<String>,
}

/// Two features whose joint effect on the target exceeds the sum of their separate effects.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// Indices of the two features, ascending.
    pub features: (usize, usize),
    /// The p-value of the interaction, corrected for multiple tests.
    pub p_value: f64,
}

/// Name of the diagnostic for the number of unused features.
pub(crate) const UNUSED: &str = "unused_features";

impl Fit {
    /// Marks features as unused, and updates the diagnostic.
    pub(crate) fn set_unused(&mut self, unused: Vec<usize>) {
        let counts = self.iteration.iter_mut().flat_map(|iteration| &mut iteration.diagnostics);
        counts.filter(|(name, _)| *name == UNUSED).for_each(|(_, count)| *count = unused.len() as f64);
        self.unused = unused;
    }
}

/// Firing strengths that were fitted freely, sample by sample.
#[derive(Debug, Clone, PartialEq)]
pub struct Firing {
    /// The samples in the space of the rules, n x d.
    pub latent: Matrix,
    /// Their firing strengths, n x rules.
    pub strengths: Matrix,
    /// The weight of the squared consequents in the fit.
    pub ridge: f64,
}

/// Summary of an iterative fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Iteration {
    /// Number of iterations.
    pub count: usize,
    /// Whether it ended by convergence of the objective.
    pub converged: bool,
    /// Set if the observer ended it.
    pub halted: Option<Halt>,
    /// Names of the terms of the objective.
    pub terms: &'static [&'static str],
    /// Their values after every iteration, or at intervals if the observer did not request them.
    pub trace: Vec<Vec<f64>>,
    /// Further diagnostics by name.
    pub diagnostics: Vec<(&'static str, f64)>,
}

/// An objective that ends this many times above its smallest value is reported.
const RISE_FACTOR: f64 = 1.1;

impl Iteration {
    /// If the objective ended well above its smallest value: the iteration of that value, the value, and the last one.
    /// Requires a complete trace.
    pub fn rose(&self) -> Option<(usize, f64, f64)> {
        let totals: Vec<f64> = self.trace.iter().map(|terms| terms.iter().sum()).collect();
        let (at, &smallest) = totals.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1))?;
        let &last = totals.last()?;
        (last > RISE_FACTOR * smallest && totals.len() == self.count).then_some((at + 1, smallest, last))
    }
}

/// An error of a fit.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named in the messages")]
pub enum FitError {
    /// A parameter that the data does not allow.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// A factorisation failed.
    #[error("the fit failed in its linear algebra: {0}")]
    Linalg(#[from] LinalgError),
    /// The objective is not finite or diverged.
    #[error("the fit diverged: the objective is {objective:e} after iteration {iteration}")]
    Diverged { iteration: usize, objective: f64 },
    /// Rows could not be read during the fit.
    #[error("{message}")]
    Rows { message: String, remedy: Option<Remedy> },
    /// An invalid initial state given by a caller of the library.
    #[error(
        "the initial state is invalid: its shapes must match data and parameters, its values must be finite, F positive"
    )]
    BadStart,
    /// A method that does not support regression.
    #[error("{method} needs classes, but the target holds numbers")]
    NeedsClasses { method: &'static str },
    /// A method without row weights.
    #[error("{method} does not support row weights")]
    NoWeights { method: &'static str },
    /// A method without class weights.
    #[error("{method} does not support class weights")]
    NoBalance { method: &'static str },
    /// A method without a tunable parameter.
    #[error("{method} has no tunable parameter: it has no validation rows")]
    NothingToTune { method: &'static str },
    /// Invalid weights given by a caller of the library.
    #[error("there must be a positive, finite weight for each of the {rows} rows")]
    BadWeights { rows: usize },
    /// A method without its own rule for the number of features.
    #[error("{method} has no rule of its own for how many features to keep")]
    NoNativeSize { method: &'static str },
    /// A method that needs a column for nearly every class.
    #[error("{method} needs at least {needed} coded columns for these classes, and there are {columns}")]
    TooFewColumns { method: &'static str, columns: usize, needed: usize },
    /// A score that is not finite.
    #[error("the score of feature '{feature}' is {score}; the fit cannot be trusted")]
    BadScore { feature: String, score: f64 },
}

/// Names of the methods that learn numeric targets.
fn for_regression() -> Vec<&'static str> {
    let infos = Method::ALL.iter().map(|method| method.info());
    infos.filter(|info| info.regression && info.name != "random").map(|info| info.name).collect()
}

impl FitError {
    /// Suggested fix.
    pub fn remedy(&self) -> Option<Remedy> {
        Some(match self {
            Self::Linalg(_) => Remedy::plain("try other weights alpha, beta, gamma"),
            Self::Diverged { .. } => Remedy::plain("lower the learning rates"),
            Self::Rows { remedy, .. } => return remedy.clone(),
            Self::NeedsClasses { .. } => Remedy::MethodOrClasses { methods: for_regression() },
            Self::NoWeights { .. } | Self::NoBalance { .. } => Remedy::UseMethod { methods: vec!["sieve"] },
            Self::NothingToTune { .. } => Remedy::MethodOrNoTuning { method: "ldr-tsk-inductive" },
            Self::NoNativeSize { .. } => Remedy::SizeOrRule,
            _ => return None,
        })
    }
}

#[cfg(test)]
pub(crate) mod tests;
