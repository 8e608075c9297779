//! Methods judged by rows they have not seen. Protocol `nested`: in every split everything is learned from the training part
//! alone, the coding and scaling of columns, the ranking, how many features are kept, and the cost C of the SVM that judges.
//! The last two are chosen by folds within the training part, with the same choices for every method.
//!
//! | where | what |
//! |---|---|
//! | `split` | one split: rank, choose, judge |
//! | `record` | what is kept of it, and its summary |

mod record;
mod split;

pub use record::{Baselines, Classifier, EvaluationRecord, FoldRecord, MethodRecord, SCHEMA, Spread, SvmRecord};

use crate::metrics::Confusion;
use crate::splits::{Plan, Split, SplitError, small_classes, splits};
use crate::svm::Gamma;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rulesieve::data::{CategoricalCoding, DataError, Dataset};
use rulesieve::methods::settings::Settings;
use rulesieve::methods::{self, FitError, Method};
use rulesieve::optim::{Halt, Observer, Progress};
use rulesieve::select::{Size, SizeError};
use std::ops::ControlFlow;

/// The kernel of the SVM that judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// Its parameters.
    pub settings: Settings,
}

/// How methods are judged.
#[derive(Clone)]
pub struct EvaluateOptions {
    /// The methods; the first one is compared with the others.
    pub contenders: Vec<Contender>,
    /// How many features are kept; where absent, chosen among 1, 2, 3, 5, 8, ... inside the training part.
    pub size: Option<Size>,
    /// How categories become numbers.
    pub coding: CategoricalCoding,
    /// How rows are split.
    pub plan: Plan,
    /// Folds inside the training part.
    pub inner: usize,
    /// The kernel of the SVM.
    pub kernel: KernelKind,
    /// Its gamma.
    pub gamma: Gamma,
    /// The costs C to choose from.
    pub costs: Vec<f64>,
    /// Whether labels are shuffled first: every method must then be at chance.
    pub permute: bool,
    /// Seed of everything random.
    pub seed: u64,
}

/// An evaluation that could not be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluateError {
    /// The data cannot be coded.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A fit failed.
    #[error("{method}, split {split}: {source}")]
    Fit {
        /// The method.
        method: String,
        /// The split, from 1.
        split: usize,
        /// Why.
        source: FitError,
    },
    /// The rows cannot be split so.
    #[error(transparent)]
    Split(#[from] SplitError),
    /// The size is impossible.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// Numbers as a target.
    #[error(
        "evaluate judges classes, and the target holds numbers; cut it with --bins, or judge a model with predict --evaluate"
    )]
    Numbers,
    /// Costs that are none.
    #[error("cost C = {cost} is not allowed; it must be from 1e-6 to 1e6")]
    Cost {
        /// The cost.
        cost: f64,
    },
    /// No method, or one twice.
    #[error("{0}")]
    Methods(String),
    /// The observer ended it.
    #[error("ended before it was done")]
    Halted(Halt),
}

/// Judges all methods.
pub fn evaluate(
    data: &Dataset,
    options: &EvaluateOptions,
    observer: &mut dyn Observer,
) -> Result<EvaluationRecord, EvaluateError> {
    check(data, options)?;
    let mut shuffled = None;
    if options.permute {
        let copy = shuffled.insert(data.clone());
        copy.target.codes.shuffle(&mut ChaCha8Rng::seed_from_u64(options.seed));
    }
    let data = shuffled.as_ref().unwrap_or(data);
    let outer = splits(&options.plan, &data.target.codes, options.seed)?;
    let rankers = rankers(options);
    let per_split = split::fits(options);
    let mut meter = Meter { observer, done: 0, limit: rankers.len() * outer.len() * per_split, halted: None };
    let mut judged = Vec::with_capacity(rankers.len());
    for (name, ranker) in &rankers {
        let mut folds = Vec::with_capacity(outer.len());
        for (number, split) in outer.iter().enumerate() {
            let fold = split::judge(data, ranker, split, number, options, &mut meter);
            folds.push(fold.map_err(|error| error.of(name, number + 1))?);
        }
        judged.push(MethodRecord::new(name, data, folds));
    }
    Ok(record::assemble(data, options, &outer, judged, majority(data, &outer)))
}

/// How features are put in order: by a method, or not at all where all are taken.
enum Ranker {
    Method(Contender),
    All,
}

/// The methods, then the baselines that need fits.
fn rankers(options: &EvaluateOptions) -> Vec<(String, Ranker)> {
    let own = options.contenders.iter();
    let mut all: Vec<(String, Ranker)> =
        own.map(|one| (one.method.info().name.to_owned(), Ranker::Method(one.clone()))).collect();
    all.push((record::ALL.to_owned(), Ranker::All));
    if let Some(method) = methods::find("random")
        && let Ok(settings) = method.settings(&[])
    {
        all.push((record::RANDOM.to_owned(), Ranker::Method(Contender { method, settings })));
    }
    all
}

fn check(data: &Dataset, options: &EvaluateOptions) -> Result<(), EvaluateError> {
    if data.target.numbers.is_some() {
        return Err(EvaluateError::Numbers);
    }
    if let Some(size) = options.size {
        size.check()?;
    }
    if let Some(&cost) = options.costs.iter().find(|cost| !(1e-6..=1e6).contains(*cost)) {
        return Err(EvaluateError::Cost { cost });
    }
    if options.inner < 2 {
        return Err(SplitError::TooFewFolds { folds: options.inner }.into());
    }
    let names: Vec<&str> = options.contenders.iter().map(|one| one.method.info().name).collect();
    if names.is_empty() || options.costs.is_empty() {
        return Err(EvaluateError::Methods("there must be at least one method and one cost".to_owned()));
    }
    match names.iter().enumerate().find(|(at, name)| names[..*at].contains(name)) {
        Some((_, twice)) => Err(EvaluateError::Methods(format!("method '{twice}' is named twice"))),
        None => Ok(()),
    }
}

/// The most frequent class of the training part, for every row that is judged.
fn majority(data: &Dataset, outer: &[Split]) -> Vec<(f64, f64)> {
    let (codes, classes) = (&data.target.codes, data.target.classes.len());
    let judge = |split: &Split| {
        let mut counts = vec![0_usize; classes];
        split.train.iter().for_each(|&row| counts[codes[row] as usize] += 1);
        let most = (0..classes).rev().max_by_key(|&class| counts[class]).unwrap_or(0) as u32;
        let truth: Vec<u32> = split.test.iter().map(|&row| codes[row]).collect();
        let table = Confusion::new(&truth, &vec![most; truth.len()], classes);
        (table.accuracy(), table.macro_f1())
    };
    outer.iter().map(judge).collect()
}

/// Classes too small for the folds, in words.
fn small(data: &Dataset, options: &EvaluateOptions) -> Option<String> {
    let Plan::Folds { folds, .. } = options.plan else { return None };
    let small = small_classes(&data.target.codes, data.target.classes.len(), folds);
    let names: Vec<String> =
        small.iter().map(|&(class, count)| format!("{} ({count})", data.target.classes[class as usize])).collect();
    (!names.is_empty()).then(|| {
        format!("classes with fewer rows than the {folds} folds are missing from some test parts: {}", names.join(", "))
    })
}

/// Counts fits instead of iterations, and remembers when it was told to end.
struct Meter<'a> {
    observer: &'a mut dyn Observer,
    done: usize,
    limit: usize,
    halted: Option<Halt>,
}

impl Observer for Meter<'_> {
    fn observe(&mut self, _: &Progress) -> ControlFlow<Halt> {
        let flow = self.observer.observe(&Progress { iteration: self.done, limit: self.limit, objective: None });
        if let ControlFlow::Break(halt) = flow {
            self.halted = Some(halt);
        }
        flow
    }
}

impl Meter<'_> {
    /// A fit is done.
    fn count(&mut self) -> Result<(), split::Failure> {
        self.done += 1;
        let _ = self.observe(&Progress { iteration: self.done, limit: self.limit, objective: None });
        self.halted.map_or(Ok(()), |halt| Err(split::Failure::Halted(halt)))
    }
}

#[cfg(test)]
mod tests;
