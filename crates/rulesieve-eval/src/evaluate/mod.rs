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
use crate::splits::{Plan, Split, SplitError, splits};
use crate::svm::Gamma;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rulesieve::data::{CategoricalCoding, Dataset};
use rulesieve::methods::settings::Settings;
use rulesieve::methods::{self, Method};
use rulesieve::optim::{Fits, Halt, Observer};
use rulesieve::select::{SelectError, Size, SizeError};

/// Rows that can be judged: their Gram matrix takes three gigabytes.
const MOST_ROWS: usize = 20_000;
/// Rows of all splits together.
const MOST_PLACES: usize = 1 << 27;

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
    /// Coding or a fit failed.
    #[error("{method}, split {split}: {source}")]
    Select {
        /// The method.
        method: String,
        /// The split, from 1.
        split: usize,
        /// Why.
        source: SelectError,
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
    /// More rows than the judge can take.
    #[error(
        "{rows} rows: the SVM that judges keeps a number for every pair of rows and takes at most {MOST_ROWS}; evaluate a sample of the rows"
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
        let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
        // Apart from the streams of the folds.
        rng.set_stream(u64::MAX);
        copy.target.codes.shuffle(&mut rng);
    }
    let data = shuffled.as_ref().unwrap_or(data);
    let outer = splits(&options.plan, &data.target.codes, options.seed)?;
    let random = random()?;
    let fits = (options.contenders.len() + 2) * outer.len() * split::fits(options);
    let mut fits = Fits::new(observer, 0, fits);
    let mut over_splits = |name: &str, ranker: Ranker| {
        let split = |(number, split)| {
            let fold = split::judge(data, &ranker, split, number, options, &mut fits);
            fold.map_err(|failure| failure.of(name, number + 1))
        };
        let folds = outer.iter().enumerate().map(split).collect::<Result<_, EvaluateError>>()?;
        Ok::<_, EvaluateError>(MethodRecord::new(name, data, folds, options.plan == Plan::LeaveOneOut))
    };
    let own = options.contenders.iter().map(|one| over_splits(one.method.info().name, Ranker::Method(one)));
    let methods = own.collect::<Result<_, _>>()?;
    let all_features = over_splits(record::ALL, Ranker::All)?;
    let random_features = over_splits(record::RANDOM, Ranker::Method(&random))?;
    Ok(record::assemble(data, options, &outer, methods, (all_features, random_features)))
}

/// How features are put in order: by a method, or not at all where all are taken.
enum Ranker<'a> {
    Method(&'a Contender),
    All,
}

/// The method that puts features into random order.
fn random() -> Result<Contender, EvaluateError> {
    let unknown = || EvaluateError::Methods("the method 'random', a baseline, is gone".to_owned());
    let method = methods::find("random").ok_or_else(unknown)?;
    Ok(Contender { method, settings: method.settings(&[]).map_err(|_| unknown())? })
}

fn check(data: &Dataset, options: &EvaluateOptions) -> Result<(), EvaluateError> {
    if data.target.numbers.is_some() {
        return Err(EvaluateError::Numbers);
    }
    if data.samples() > MOST_ROWS {
        return Err(EvaluateError::TooLong { rows: data.samples() });
    }
    let (folds, repeats) = match options.plan {
        Plan::LeaveOneOut => (data.samples(), 1),
        Plan::Folds { folds, repeats } => (folds, repeats),
        Plan::Groups { folds, .. } => (folds, 1),
    };
    if folds.saturating_mul(repeats).saturating_mul(data.samples()) > MOST_PLACES {
        return Err(EvaluateError::TooManySplits { splits: folds.saturating_mul(repeats) });
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

/// Accuracy and macro-F1 of the most frequent class of the training part, for every split. One by one, the row that is left out
/// would decide between classes of one size, so that all rows are counted there.
fn majority(data: &Dataset, outer: &[Split], options: &EvaluateOptions) -> Vec<(f64, f64)> {
    let (codes, classes) = (&data.target.codes, data.target.classes.len());
    let rows: Vec<usize> = (0..codes.len()).collect();
    let whole = [Split { train: rows.clone(), test: rows }];
    let outer = if options.plan == Plan::LeaveOneOut { &whole } else { outer };
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

/// Classes that some training or test parts lack, in words.
fn absent(data: &Dataset, outer: &[Split], options: &EvaluateOptions) -> Vec<String> {
    let lacking = |rows: fn(&Split) -> &[usize]| {
        let mut counts = vec![0_usize; data.target.classes.len()];
        for split in outer {
            let mut seen = vec![false; counts.len()];
            rows(split).iter().for_each(|&row| seen[data.target.codes[row] as usize] = true);
            counts.iter_mut().zip(seen).for_each(|(count, seen)| *count += usize::from(!seen));
        }
        let named = counts.iter().zip(&data.target.classes).filter(|(count, _)| **count > 0);
        named.map(|(count, class)| format!("{class} ({count})")).collect::<Vec<_>>()
    };
    let mut notices = Vec::new();
    let untaught = lacking(|split| &split.train);
    if !untaught.is_empty() {
        notices.push(format!("classes without a row to learn from, and in how many splits: {}", untaught.join(", ")));
    }
    let unasked = if options.plan == Plan::LeaveOneOut { Vec::new() } else { lacking(|split| &split.test) };
    if !unasked.is_empty() {
        notices.push(format!("classes without a row to judge, and in how many splits: {}", unasked.join(", ")));
    }
    notices
}

#[cfg(test)]
mod tests;
