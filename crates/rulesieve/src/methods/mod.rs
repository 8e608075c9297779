//! The methods: each learns a score for every feature of a [`Problem`]. A new one is a file here and a line in
//! `registry`.

mod anova;
mod dg_aletsk;
mod dg_tsk;
mod erfs;
mod fsor;
mod fsre_adatsk;
mod fuzzy;
#[doc(hidden)]
pub mod htsk;
#[doc(hidden)]
pub mod inductive;
mod info;
#[doc(hidden)]
pub mod ldr_tsk;
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

pub use info::{Certainty, MethodInfo, OwnSize};
use registry::Algorithm;
pub use registry::{Method, UnknownMethod, title};

use crate::data::{Design, Target, Task};
use crate::held_out::HeldOut;
use crate::linalg::{LinalgError, Matrix};
use crate::optim::{Halt, Observer};
use crate::remedy::Remedy;
use crate::select::SizeCurve;
use crate::warning::Warning;
use settings::{ParamError, ParamValue, Settings};

/// What a method learns from: scaled training rows and their classes.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    /// The coded features and which columns belong to which feature.
    pub design: &'a Design,
    /// Names of the features, one for each block of the design.
    pub names: &'a [&'a str],
    /// The classes, or the numbers, of the rows.
    pub target: &'a Target,
    /// How much every row counts, positive; all the same where absent.
    pub weights: Option<&'a [f64]>,
}

impl Problem<'_> {
    /// Checks that a method can learn from this.
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

/// Checks that there is a positive number for every row.
pub(crate) fn check_weights(weights: &[f64], rows: usize) -> Result<(), FitError> {
    let positive = |weight: &f64| *weight > 0.0 && weight.is_finite();
    if weights.len() != rows || !weights.iter().all(positive) {
        return Err(FitError::BadWeights { rows });
    }
    Ok(())
}

/// A problem, prepared for many fits with different settings and seeds.
pub trait Prepared: Sync {
    /// Learns a score for every feature.
    fn fit(&self, settings: &Settings, seed: u64, observer: &mut dyn Observer) -> Result<Fit, FitError>;
}

/// What a fit has found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Fit {
    /// A finite score for every feature; larger is better.
    pub scores: Vec<f64>,
    /// How the iteration went, for methods that iterate.
    pub iteration: Option<Iteration>,
    /// How many of the best features the method's own rule keeps, where it has one.
    pub native: Option<usize>,
    /// What the user should know about it.
    pub warnings: Vec<Warning>,
    /// Parameters whose default depends on the data, with the values that were used.
    pub resolved: Vec<(&'static str, ParamValue)>,
    /// Places of the features that the model does not use at all, for methods that can tell.
    pub unused: Vec<usize>,
    /// What orders those features, where it is not their part in the model.
    pub unused_ordered_by: Option<&'static str>,
    /// Firing strengths of rules that have no IF part, for methods that learn them.
    pub firing: Option<Firing>,
    /// Indices of all features, best first, for methods whose order is not that of the scores.
    pub order: Option<Vec<usize>>,
    /// The p-value of every feature, corrected for the number of tests; empty for methods that do not test.
    pub p_values: Vec<f64>,
    /// Pairs of features that act together, most significant first.
    pub pairs: Vec<Pair>,
    /// Results on rows that took no part in the ranking, for methods that hold rows out.
    pub held_out: Option<HeldOut>,
    /// Held-out score of the first 1, 2, 3, 5, 8, ... features, for methods that measure it.
    pub curve: Option<SizeCurve>,
    /// Which columns and combinations of columns were tested, for methods that test.
    pub tested: Option<String>,
}

/// Two features whose joint effect on the target exceeds the sum of their separate effects.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// Indices of the two features, ascending.
    pub features: (usize, usize),
    /// The p-value of the interaction, corrected for the number of tests.
    pub p_value: f64,
}

/// The diagnostic that says how many features the model does not use.
pub(crate) const UNUSED: &str = "unused_features";

impl Fit {
    /// Leaves these features without a part in the model, and says so wherever their number is told.
    pub(crate) fn set_unused(&mut self, unused: Vec<usize>) {
        let told = self.iteration.iter_mut().flat_map(|iteration| &mut iteration.diagnostics);
        told.filter(|(name, _)| *name == UNUSED).for_each(|(_, count)| *count = unused.len() as f64);
        self.unused = unused;
    }
}

/// Firing strengths that were learned freely, sample by sample.
#[derive(Debug, Clone, PartialEq)]
pub struct Firing {
    /// The samples in the space of the rules, n x d.
    pub latent: Matrix,
    /// Their firing strengths, n x rules.
    pub strengths: Matrix,
    /// The weight of the squared consequents in the fit.
    pub ridge: f64,
}

/// How an iterative fit went.
#[derive(Debug, Clone, PartialEq)]
pub struct Iteration {
    /// Iterations done.
    pub count: usize,
    /// Whether it ended because the objective had settled.
    pub converged: bool,
    /// Set when the observer ended it.
    pub halted: Option<Halt>,
    /// Names of the terms of the objective.
    pub terms: &'static [&'static str],
    /// Their values after every iteration, or after every so many where the observer did not want them.
    pub trace: Vec<Vec<f64>>,
    /// Further numbers that tell how far to trust the fit, by name.
    pub diagnostics: Vec<(&'static str, f64)>,
}

/// An objective that ends this many times above its smallest value has risen.
const RISEN: f64 = 1.1;

impl Iteration {
    /// Whether the objective ended well above its smallest value: the iteration of that value, the value, and the last. Only
    /// a whole trace tells.
    pub fn rose(&self) -> Option<(usize, f64, f64)> {
        let totals: Vec<f64> = self.trace.iter().map(|terms| terms.iter().sum()).collect();
        let (at, &smallest) = totals.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1))?;
        let &last = totals.last()?;
        (last > RISEN * smallest && totals.len() == self.count).then_some((at + 1, smallest, last))
    }
}

/// A fit that could not be carried through.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// A parameter that the data at hand do not allow.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// A factorisation failed.
    #[error("the fit failed in its linear algebra: {0}")]
    Linalg(#[from] LinalgError),
    /// The objective left the numbers or grew without end.
    #[error("the fit diverged: the objective is {objective:e} after iteration {iteration}")]
    Diverged {
        /// The iteration.
        iteration: usize,
        /// The objective then.
        objective: f64,
    },
    /// Rows that are read during the fit could not be.
    #[error("{message}")]
    Rows {
        /// What the source of the rows reports.
        message: String,
        /// What to do about it.
        remedy: Option<Remedy>,
    },
    /// A start that a caller of the library gave.
    #[error(
        "the start does not fit: its shapes must follow from data and parameters, its values be finite, F positive"
    )]
    BadStart,
    /// A method that cannot learn from numbers.
    #[error("{method} needs classes, and the target holds numbers")]
    NeedsClasses {
        /// The method.
        method: &'static str,
    },
    /// A method that treats all rows alike.
    #[error("{method} does not support weights of rows")]
    NoWeights {
        /// The method.
        method: &'static str,
    },
    /// A method that cannot give all classes the same weight.
    #[error("{method} has no weights of classes")]
    NoBalance {
        /// The method.
        method: &'static str,
    },
    /// A method without a parameter that could be chosen by validation.
    #[error("{method} has nothing to tune: it has no validation rows")]
    NothingToTune {
        /// The method.
        method: &'static str,
    },
    /// Weights that a caller of the library gave.
    #[error("there must be a positive, finite weight for each of the {rows} rows")]
    BadWeights {
        /// The rows.
        rows: usize,
    },
    /// A method without a rule of its own for how many features to keep.
    #[error("{method} has no rule of its own for how many features to keep")]
    NoNativeSize {
        /// The method.
        method: &'static str,
    },
    /// A method that needs a column for every class, or nearly so.
    #[error("{method} needs at least {needed} coded columns for these classes, and there are {columns}")]
    TooFewColumns {
        /// The method.
        method: &'static str,
        /// The columns there are.
        columns: usize,
        /// The fewest it can work with.
        needed: usize,
    },
    /// A score that is no number.
    #[error("the score of feature '{feature}' is {score}; the fit cannot be trusted")]
    BadScore {
        /// The feature.
        feature: String,
        /// Its score.
        score: f64,
    },
}

impl FitError {
    /// What to do about it.
    pub fn remedy(&self) -> Option<Remedy> {
        Some(match self {
            Self::Linalg(_) => Remedy::plain("try other weights alpha, beta, gamma"),
            Self::Diverged { .. } => Remedy::plain("lower the learning rates"),
            Self::Rows { remedy, .. } => return remedy.clone(),
            Self::NeedsClasses { .. } => Remedy::MethodOrBins { method: "sieve" },
            Self::NoWeights { .. } | Self::NoBalance { .. } => Remedy::UseMethod { methods: vec!["sieve"] },
            Self::NothingToTune { .. } => Remedy::MethodOrNoTuning { method: "ldr-tsk-inductive" },
            Self::NoNativeSize { .. } => Remedy::SizeOrRule,
            _ => return None,
        })
    }
}

#[cfg(test)]
pub(crate) mod tests;
