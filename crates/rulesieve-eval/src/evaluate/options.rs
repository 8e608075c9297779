//! What can be asked of an evaluation, and what cannot.

use super::EvaluateError;
use crate::splits::{Plan, SplitError};
use crate::svm::Gamma;
use rulesieve::data::{CategoricalCoding, Dataset};
use rulesieve::methods::Method;
use rulesieve::methods::settings::Settings;
use rulesieve::select::Size;
use serde::{Deserialize, Serialize};

/// Rows whose Gram matrix, of three gigabytes, can be kept.
pub(super) const MOST_ROWS: usize = 20_000;
/// Rows of all splits together.
const MOST_PLACES: usize = 1 << 27;
/// Settings of a method.
pub(super) const MOST_POINTS: usize = 10_000;
/// Halves of the rows.
pub(crate) const MOST_HALVES: usize = 10_000;

/// What is taken where nothing is said.
pub mod usual {
    use super::Protocol;

    /// Folds.
    pub const FOLDS: usize = 10;
    /// Folds inside a training part.
    pub const INNER: usize = 5;

    /// Settings of each method to choose from; none where all of its grid are.
    pub fn points(protocol: Protocol) -> Option<usize> {
        (protocol == Protocol::Nested).then_some(4)
    }

    /// Costs of the SVM to choose from.
    pub fn costs(protocol: Protocol) -> Vec<f64> {
        if protocol == Protocol::Nested { vec![1.0, 10.0, 100.0] } else { vec![1.0] }
    }

    /// Numbers of neighbours to choose from.
    pub fn neighbours(protocol: Protocol) -> Vec<usize> {
        if protocol == Protocol::Nested { vec![1, 3, 5, 9, 15] } else { vec![5] }
    }
}

/// How everything that can be chosen is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// Inside every training part, by folds within it.
    Nested,
    /// As the paper has it: of all settings the one that does best on the test rows of all splits together.
    Paper,
    /// Of all settings the one that does best on the test rows, anew in every split: an optimistic bound.
    PaperPerFold,
}

impl Protocol {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nested => "nested",
            Self::Paper => "paper",
            Self::PaperPerFold => "paper-per-fold",
        }
    }
}

/// Who answers the rows that were left out, from the features that were kept, and the values of its parameter to choose from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judge {
    /// A support vector machine; for classes.
    Svm {
        /// The kernel.
        kernel: KernelKind,
        /// Its gamma.
        gamma: Gamma,
        /// The costs C.
        costs: Vec<f64>,
    },
    /// The nearest neighbours.
    Knn {
        /// How many.
        neighbours: Vec<usize>,
    },
    /// Fuzzy rules on the features themselves.
    Tsk,
    /// A fuzzy classifier trained by gradients; for classes.
    Htsk,
}

impl Judge {
    /// Whether it must be trained anew for every number of features: it cannot use what grows with them.
    pub(super) fn is_trained_by_size(&self) -> bool {
        matches!(self, Self::Tsk | Self::Htsk)
    }

    /// The values to choose from, ascending, each once; one that means nothing where there is nothing to choose.
    pub(super) fn choices(&self) -> Vec<f64> {
        let mut choices = match self {
            Self::Svm { costs, .. } => costs.clone(),
            Self::Knn { neighbours } => neighbours.iter().map(|&count| count as f64).collect(),
            Self::Tsk | Self::Htsk => vec![0.0],
        };
        choices.sort_by(f64::total_cmp);
        choices.dedup();
        choices
    }
}

/// The kernel of the SVM that judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KernelKind {
    /// `x z`.
    Linear,
    /// `exp(-gamma |x - z|^2)`.
    Rbf,
}

/// A method that is judged.
#[derive(Clone)]
pub struct Contender {
    /// The method.
    pub method: &'static dyn Method,
    /// The settings to choose from: at least one, the first of which wins where others do as well.
    pub points: Vec<Settings>,
}

/// How methods are judged.
#[derive(Clone)]
pub struct EvaluateOptions {
    /// The protocol.
    pub protocol: Protocol,
    /// The methods; the first one is compared with the others.
    pub contenders: Vec<Contender>,
    /// How many features are kept. Where absent, protocol `nested` chooses among 1, 2, 3, 5, 8, ... inside the training part, and
    /// the others keep a third.
    pub size: Option<Size>,
    /// How categories become numbers.
    pub coding: CategoricalCoding,
    /// How rows are split.
    pub plan: Plan,
    /// Folds inside the training part.
    pub inner: usize,
    /// Who judges.
    pub judge: Judge,
    /// Whether the score is also measured for the best 1, 2, 3, 5, 8, ... features.
    pub curve: bool,
    /// Halves of the rows on which stability is measured; 0: on the training parts of the splits.
    pub halves: usize,
    /// Whether labels are shuffled first: every method must then be at chance.
    pub permute: bool,
    /// Whether all features and random features are judged beside the methods.
    pub baselines: bool,
    /// Seed of everything random.
    pub seed: u64,
}

impl EvaluateOptions {
    pub(super) fn check(&self, data: &Dataset) -> Result<(), EvaluateError> {
        self.check_judge(data)?;
        self.check_splits(data)?;
        match self.size.map(Size::check).transpose()? {
            Some(Size::Rule(_)) => {
                return Err(EvaluateError::Options(
                    "sizes are chosen inside when none is given; leave the rule out".to_owned(),
                ));
            }
            Some(Size::Native) if self.curve => {
                return Err(EvaluateError::Options("a curve is about sizes; leave the native size out".to_owned()));
            }
            _ => {}
        }
        self.check_methods()?;
        if self.halves == 1 || self.halves > MOST_HALVES {
            let halves = self.halves;
            return Err(EvaluateError::Options(format!(
                "stability over {halves} halves is not allowed; there must be from 2 to {MOST_HALVES}"
            )));
        }
        let single_rows = match self.plan {
            Plan::LeaveOneOut => true,
            Plan::Folds { folds, .. } => folds >= data.samples(),
            Plan::Groups { .. } => false,
        };
        if self.curve && single_rows && data.target.numbers.is_some() {
            let why = "a curve of numbers needs several rows in every fold: R2 of a single one is not defined; take fewer folds";
            return Err(EvaluateError::Options(why.to_owned()));
        }
        if self.protocol != Protocol::Nested {
            if self.judge.choices().len() > 1 {
                let one =
                    "protocol paper takes one cost, or one number of neighbours; name one, or use protocol nested";
                return Err(EvaluateError::Options(one.to_owned()));
            }
            if self.curve {
                let why = "curves need costs and settings chosen inside the training part: use protocol nested";
                return Err(EvaluateError::Options(why.to_owned()));
            }
        }
        Ok(())
    }

    fn check_judge(&self, data: &Dataset) -> Result<(), EvaluateError> {
        let (numbers, rows) = (data.target.numbers.is_some(), data.samples());
        if rows > MOST_ROWS && !self.judge.is_trained_by_size() {
            return Err(EvaluateError::TooLong { rows });
        }
        match &self.judge {
            Judge::Svm { .. } | Judge::Htsk if numbers => Err(EvaluateError::Numbers),
            Judge::Svm { costs, .. } => match costs.iter().find(|cost| !(1e-6..=1e6).contains(*cost)) {
                Some(&cost) => Err(EvaluateError::Cost { cost }),
                None if costs.is_empty() => Err(EvaluateError::Options("there must be at least one cost".to_owned())),
                None => Ok(()),
            },
            Judge::Knn { neighbours } => match neighbours.iter().find(|count| !(1..=1000).contains(*count)) {
                None if !neighbours.is_empty() => Ok(()),
                wrong => Err(EvaluateError::Options(format!(
                    "{} neighbours are not allowed; there must be from 1 to 1000",
                    wrong.unwrap_or(&0)
                ))),
            },
            Judge::Tsk | Judge::Htsk => Ok(()),
        }
    }

    fn check_splits(&self, data: &Dataset) -> Result<(), EvaluateError> {
        let (folds, repeats) = match self.plan {
            Plan::LeaveOneOut => (data.samples(), 1),
            Plan::Folds { folds, repeats } => (folds, repeats),
            Plan::Groups { folds, .. } => (folds, 1),
        };
        let splits = folds.saturating_mul(repeats);
        if splits.saturating_mul(data.samples()) > MOST_PLACES {
            return Err(EvaluateError::TooManySplits { splits });
        }
        if self.inner < 2 {
            return Err(SplitError::TooFewFolds { folds: self.inner }.into());
        }
        Ok(())
    }

    fn check_methods(&self) -> Result<(), EvaluateError> {
        let names: Vec<&str> = self.contenders.iter().map(|one| one.method.info().name).collect();
        if names.is_empty() {
            return Err(EvaluateError::Options("there must be at least one method".to_owned()));
        }
        if let Some((_, twice)) = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name)) {
            return Err(EvaluateError::Options(format!("method '{twice}' is named twice")));
        }
        let wrong = self.contenders.iter().find(|one| !(1..=MOST_POINTS).contains(&one.points.len()));
        wrong.map_or(Ok(()), |one| {
            let (name, points) = (one.method.info().name, one.points.len());
            let message = format!("{points} settings of {name} are not allowed; there must be from 1 to {MOST_POINTS}");
            Err(EvaluateError::Options(message))
        })
    }

    /// Folds that decide inside every training part; none where there is nothing to choose for any method.
    pub fn inner_folds(&self) -> Option<usize> {
        let several = self.contenders.iter().any(|one| one.points.len() > 1);
        let choice = self.size.is_none() || several || self.judge.choices().len() > 1 || self.curve;
        (self.protocol == Protocol::Nested && choice).then_some(self.inner)
    }
}
