//! Learning from tables that are longer than memory: rows come in pieces, as often as needed, and what is kept does
//! not grow with their number.
//!
//! A first pass ([`Surveyed::new`]) learns types, classes, categories, means, variances, ranges and missing values of
//! all rows, and draws a sample of them. The sample gives medians, the centres of the rules, the rows kept aside for
//! validation, and the scores. Then the rows are read again, mixed in a buffer and cut into the mini-batches of
//! `ldr-tsk-inductive`; rows of the sample that are kept aside are left out.
//!
//! | where | what |
//! |---|---|
//! | `column` | what a pass learns about one column |
//! | `survey` | the first pass |
//! | `reservoir` | the sample |
//! | `feature` | how one feature is coded and scaled |
//! | `plan` | from cells to the scaled columns of the model |
//! | `batches` | the passes that follow: the buffer and the mini-batches |

mod batches;
mod column;
mod feature;
mod plan;
mod reservoir;
mod survey;

use crate::data::{CategoricalCoding, DataError, Dataset, DatasetOptions, Table, Task};
use crate::methods::inductive::params::Params;
use crate::methods::inductive::samples::{Samples, shuffled_split};
use crate::methods::inductive::{self, search};
use crate::methods::{Fit, FitError};
use crate::optim::Observer;
use crate::select::{SelectError, SelectOptions, Selection, Size, finish};
use batches::Batches;
use plan::Plan;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::error::Error;
use std::time::Instant;

/// The method that can learn from mini-batches alone.
pub const METHOD: &str = "ldr-tsk-inductive";

/// First stream number of the random numbers used here, apart from those of starts and generators.
const FIRST_STREAM: u64 = 0x7374_7200;

/// A failure of whoever provides the rows.
pub type SourceError = Box<dyn Error + Send + Sync>;

/// Pieces of a table, one after the other.
pub type Pieces<'a> = Box<dyn Iterator<Item = Result<Table, SourceError>> + 'a>;

/// A table that can be read again and again, some rows at a time.
pub trait RowSource: Sync {
    /// Starts with the first row. The columns named `texts` must hold texts in every piece; others may turn from numbers
    /// to texts from one piece to the next, and are then asked for as texts.
    ///
    /// # Errors
    /// Whatever keeps the rows from being read.
    fn pieces(&self, texts: &[String]) -> Result<Pieces<'_>, SourceError>;
}

/// Why a streamed table cannot be learned from.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StreamError {
    /// The rows cannot be read.
    #[error(transparent)]
    Source(SourceError),
    /// The rows cannot be learned from.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The selection could not be made.
    #[error(transparent)]
    Select(#[from] SelectError),
    /// A method that needs all rows at once.
    #[error("{method} needs all rows at once and cannot stream; use --method {METHOD}, or leave --stream out")]
    Method {
        /// The method.
        method: &'static str,
    },
    /// A wish that needs all rows at once.
    #[error("{wish} needs all rows at once and cannot be combined with --stream; {instead}")]
    Wish {
        /// The wish, as it is said on the command line.
        wish: &'static str,
        /// What to do instead.
        instead: &'static str,
    },
    /// A target that would need all rows at once.
    #[error("--bins cannot be combined with --stream: the cuts need all rows at once; cut the target in the file")]
    Bins,
    /// Numbers as a target.
    #[error(
        "--task regression cannot be combined with --stream yet; read the table whole, or cut the target in the file"
    )]
    Regression,
    /// Numbers whose variance is beyond all numbers.
    #[error(
        "column '{column}' reaches from {low:e} to {high:e}, too far to be scaled; rescale it, or leave it out with --drop '{column}'"
    )]
    TooWide {
        /// The column.
        column: String,
        /// Its minimum.
        low: f64,
        /// Its maximum.
        high: f64,
    },
    /// Other columns than in the pass before.
    #[error("the table changed while it was read: {what}; run again when its writer is done")]
    Changed {
        /// What is different.
        what: String,
    },
}

impl From<FitError> for StreamError {
    fn from(error: FitError) -> Self {
        Self::Select(error.into())
    }
}

/// A table after the first pass.
pub struct Surveyed<'a> {
    source: &'a dyn RowSource,
    /// A sample of the rows, with the classes, categories and constant columns of all rows.
    pub sample: Dataset,
    /// Rows that count: all, or the complete ones.
    pub rows: usize,
    plan: Plan,
    /// The cells of the sample, one row each, and their places in the source.
    cells: Vec<Vec<f64>>,
    places: Vec<u64>,
}

impl<'a> Surveyed<'a> {
    /// Passes over all rows once; once more if a column of numbers turns out to hold texts.
    ///
    /// # Errors
    /// A source that fails, and whatever [`Dataset::new`] refuses.
    pub fn new(
        source: &'a dyn RowSource,
        data: &DatasetOptions,
        coding: CategoricalCoding,
        seed: u64,
    ) -> Result<Self, StreamError> {
        if data.task == Task::Regression {
            return Err(StreamError::Regression);
        }
        if data.bins.is_some() {
            return Err(StreamError::Bins);
        }
        let survey = survey::survey(source, data, coding, seed)?;
        let plan = Plan::new(&survey, coding, data.missing)?;
        let (sample, cells) = plan.sample(&survey)?;
        Ok(Self { source, sample, rows: survey.rows, plan, cells, places: survey.reservoir.places })
    }

    /// Learns scores from mini-batches of all rows. The same seed gives the same bits.
    ///
    /// # Errors
    /// Those of the method, and of the source.
    pub fn fit(&self, params: &Params, seed: u64, observer: &mut dyn Observer) -> Result<Fit, FitError> {
        let groups = self.plan.groups();
        let params = params.for_data(self.rows, self.plan.width(), groups.len())?;
        let weights = self.plan.class_weights(params.balanced);
        let all = self.plan.samples(&self.cells, &self.sample.target.codes, &weights);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(FIRST_STREAM + 1);
        let (order, learn) = shuffled_split(&all.goal, all.count(), params.holdout, &mut rng);
        let all: Samples = all.reordered(&order);
        let aside = order[learn..].iter().map(|&at| self.places[at]).collect();
        let mut feed = Batches::new(self.source, &self.plan, &weights, &params, self.rows, learn, aside, seed);
        let outcome = search::search_fed(&all, &groups, &params, seed, observer, &mut feed)?;
        Ok(inductive::fit_of(outcome, &params))
    }

    /// Fits, ranks and cuts.
    ///
    /// # Errors
    /// Those of [`select`].
    pub fn select(&self, options: &SelectOptions, observer: &mut dyn Observer) -> Result<Selection, StreamError> {
        check(options)?;
        let began = Instant::now();
        let fit = self.fit(&Params::from_settings(&options.settings), options.seed, observer)?;
        let seconds = began.elapsed().as_secs_f64();
        let mut selection = finish(&self.sample, options, fit, seconds)?;
        selection.data.samples = self.rows;
        Ok(selection)
    }
}

/// Refuses what needs all rows at once.
///
/// # Errors
/// Any other method than [`METHOD`], a size rule, and tuning.
pub fn check(options: &SelectOptions) -> Result<(), StreamError> {
    let method = options.method.info().name;
    if method != METHOD {
        return Err(StreamError::Method { method });
    }
    if options.tune {
        return Err(StreamError::Wish { wish: "--tune", instead: "set beta yourself" });
    }
    if matches!(options.size, Size::Rule(_)) {
        return Err(StreamError::Wish { wish: "--size", instead: "give --top or --fraction" });
    }
    Ok(())
}

/// Selects features from a table that is read in pieces.
///
/// # Errors
/// Another method than [`METHOD`], a source that fails, and whatever keeps the rows from being learned from.
pub fn select(
    source: &dyn RowSource,
    data: &DatasetOptions,
    options: &SelectOptions,
    observer: &mut dyn Observer,
) -> Result<Selection, StreamError> {
    check(options)?;
    Surveyed::new(source, data, options.coding, options.seed)?.select(options, observer)
}

#[cfg(test)]
mod tests;
