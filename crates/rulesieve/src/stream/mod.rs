//! Selection and training for tables larger than memory: rows are read in pieces, repeatedly, and memory use does not
//! grow with their number.
//!
//! A first pass ([`Surveyed::new`]) determines types, classes, categories, means, variances, ranges and missing values
//! of all rows, and draws a sample of them. The sample gives medians, the initial centres of the rules, the validation
//! rows, the scores, and the statistics of rules. Then the rows are read again, shuffled in a buffer and cut into the
//! mini-batches of `ldr-tsk-inductive` and of rule training, without the validation rows of the sample.
//!
//! | module | content |
//! |---|---|
//! | `column` | statistics of one column |
//! | `prepared` | the columns that are used, with the parts of dates |
//! | `order` | detection of sorted rows |
//! | `survey` | the first pass |
//! | `reservoir` | the sample |
//! | `feature`, `target_coding` | coding and scaling of a feature and of the target |
//! | `plan` | conversion of cells to the scaled columns of the model |
//! | `batches` | later passes: the shuffle buffer and the mini-batches |
//! | `train` | training on selected columns |

mod batches;
mod column;
mod feature;
mod order;
mod plan;
mod prepared;
mod reservoir;
mod survey;
mod target_coding;
mod train;

use crate::data::{DataError, Dataset, DatasetOptions, Encoder, Feature, Table, Target, Task};
use crate::methods::inductive::params::Params;
use crate::methods::inductive::{self, search};
use crate::methods::settings::Settings;
use crate::methods::{Fit, FitError, Method};
use crate::model::TrainError;
use crate::optim::Observer;
use crate::pool;
use crate::remedy::Remedy;
use crate::rule_network::samples::{Samples, Scaling};
use crate::select::{SelectError, SelectOptions, Selection, Size, finish, select as select_in_memory};
use crate::warning::Warning;
use batches::{BatchOptions, Batches};
use plan::Plan;
use prepared::PreparedRows;
use std::error::Error;
use std::time::Instant;

/// The method that supports training on mini-batches.
pub const METHOD: Method = Method::LdrTskInductive;
/// The method that uses the sample of the rows.
pub const SAMPLED: Method = Method::Sieve;

/// First random stream of this module, different from those of restarts and generators.
const FIRST_STREAM: u64 = 0x7374_7200;
/// First random stream of the search.
const SEARCH_STREAM: u64 = FIRST_STREAM + 1;

/// An error of the row source.
pub type SourceError = Box<dyn Error + Send + Sync>;

/// Pieces of a table, in order.
pub type Pieces<'a> = Box<dyn Iterator<Item = Result<Table, SourceError>> + 'a>;

/// A table that can be read repeatedly, in pieces.
pub trait RowSource: Sync {
    /// Starts with the first row. The columns named `texts` must be texts in every piece; others may turn from numbers
    /// to texts between pieces, and are then requested as texts.
    ///
    /// # Errors
    /// Errors of reading.
    fn pieces(&self, texts: &[String]) -> Result<Pieces<'_>, SourceError>;
}

/// An error of streamed selection or training.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named in the messages")]
pub enum StreamError {
    /// The rows cannot be read.
    #[error(transparent)]
    Source(SourceError),
    /// The data is invalid.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The selection failed.
    #[error(transparent)]
    Select(#[from] SelectError),
    /// The training failed.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// A method that needs all rows at once.
    #[error("{method} needs all rows at once and cannot be fitted to rows that are read in pieces")]
    Method { method: &'static str },
    /// Tuning.
    #[error("tuning needs all rows at once and cannot read them in pieces")]
    Tuning,
    /// Groups of features.
    #[error("groups of features need all rows at once and cannot be used with rows that are read in pieces")]
    Groups,
    /// A size rule.
    #[error("a size rule needs all rows at once and cannot read them in pieces")]
    SizeRule,
    /// Binning of the target.
    #[error("cutting the target into classes needs all rows at once")]
    Bins,
    /// Values whose variance overflows.
    #[error("column '{column}' reaches from {low:e} to {high:e}, too wide to be scaled")]
    TooWide { column: String, low: f64, high: f64 },
    /// A regression target whose variance underflows or overflows.
    #[error("target '{target}' reaches from {low:e} to {high:e}, which cannot be scaled")]
    TargetRange { target: String, low: f64, high: f64 },
    /// The columns or rows differ from the previous pass.
    #[error("the table changed while it was read: {what}")]
    Changed { what: String },
}

impl StreamError {
    /// Suggested fix. Errors of reading have none; the source reports it.
    pub fn remedy(&self) -> Option<Remedy> {
        Some(match self {
            Self::Source(_) => return None,
            Self::Data(error) => return error.remedy(),
            Self::Select(error) => return error.remedy(),
            Self::Train(error) => return error.remedy(),
            Self::Method { .. } => Remedy::MethodOrMemory { methods: vec![SAMPLED.name(), METHOD.name()] },
            Self::Tuning => Remedy::plain("set beta yourself"),
            Self::Groups => Remedy::plain("leave groups out"),
            Self::SizeRule => Remedy::SizeOrShare,
            Self::Bins => Remedy::plain("cut the target in the file"),
            Self::TooWide { column, .. } => Remedy::drop_column(column),
            Self::TargetRange { .. } => Remedy::plain("rescale it in the file"),
            Self::Changed { .. } => Remedy::plain("rerun when it is completely written"),
        })
    }

    /// The same error with rows counted from 0.
    pub fn rows_from_zero(self) -> Self {
        match self {
            Self::Data(error) => Self::Data(error.rows_from_zero()),
            Self::Select(error) => Self::Select(error.rows_from_zero()),
            Self::Train(error) => Self::Train(error.rows_from_zero()),
            other => other,
        }
    }
}

impl From<FitError> for StreamError {
    fn from(error: FitError) -> Self {
        Self::Select(error.into())
    }
}

/// A table after the first pass.
pub struct Surveyed<'a> {
    source: PreparedRows<'a>,
    /// A sample of the rows, with the classes, categories and constant columns of all rows.
    pub sample: Dataset,
    /// Number of rows that are used: all, or the complete ones.
    pub rows: usize,
    plan: Plan,
    /// Row indices of the sample in the source.
    indices: Vec<u64>,
}

impl<'a> Surveyed<'a> {
    /// Reads all rows once; a second time if a numeric column turns out to be text.
    ///
    /// # Errors
    /// Errors of the source, and those of [`Dataset::new`].
    pub fn new(source: &'a dyn RowSource, data: &DatasetOptions, seed: u64) -> Result<Self, StreamError> {
        match (data.target.task, data.target.bins) {
            (_, None) => {}
            (Some(Task::Regression), Some(_)) => return Err(DataError::BinsOfRegression.into()),
            (_, Some(_)) => return Err(StreamError::Bins),
        }
        let source = PreparedRows::new(source, data)?;
        let data = source.options();
        let mut survey = survey::survey(&source, data, seed)?;
        survey.inferred = survey.inferred.take().map(|task| task.of_dates(source.has_dated_target()));
        let mut sample = Plan::sample(&mut survey, data, source.date_columns());
        let plan = Plan::new(&survey)?;
        if let Target::Classes { classes, .. } = &mut sample.target
            && !data.target.classes.is_empty()
        {
            classes.clone_from(&data.target.classes);
        }
        Ok(Self { source, sample, rows: survey.rows, plan, indices: survey.reservoir.indices })
    }

    /// Fits scores on mini-batches, reading as many rows as the steps need and starting over at the end of the file.
    /// The same seed gives the same bits.
    ///
    /// # Errors
    /// Errors of the method and of the source.
    fn fit(&self, settings: &Settings, seed: u64, observer: &mut dyn Observer) -> Result<Fit, StreamError> {
        let groups = self.plan.groups();
        let params = Params::new(settings, self.rows, self.plan.width(), groups.len()).map_err(FitError::from)?;
        let features: Vec<usize> = (0..groups.len()).collect();
        let (_, _, sample) = self.coded(&features, params.balanced)?;
        params.check_goal(&sample.goal).map_err(FitError::from)?;
        let Params { batch, holdout, balanced, .. } = params;
        let batch_options = BatchOptions { batch, holdout, balanced, seed, stream: SEARCH_STREAM };
        let (sample, _, mut feed) = Batches::new(self, &sample, &batch_options);
        let outcome = search::search_fed(&sample, &groups, &params, seed, observer, &mut feed)?;
        Ok(inductive::fit_of(outcome, &params))
    }

    /// Coding and scaling of some features, and the sample coded that way.
    fn coded(&self, features: &[usize], balanced: bool) -> Result<(Encoder, Scaling, Samples), DataError> {
        let (encoder, scaling) = self.plan.coding(features);
        let columns: Vec<&Feature> = features.iter().map(|&at| &self.sample.features[at]).collect();
        let rows: Vec<usize> = (0..self.sample.samples()).collect();
        let x = scaling.apply(&encoder.code(&columns, &rows)?.x);
        let target_coding = &self.plan.target_coding;
        let samples = target_coding.samples(
            x,
            &target_coding::cells_of(&self.sample.target),
            &target_coding.class_weights(balanced),
        );
        Ok((encoder, scaling, samples))
    }

    /// Fits, ranks and applies the size.
    ///
    /// # Errors
    /// See [`select`].
    pub fn select(&self, options: &SelectOptions, observer: &mut dyn Observer) -> Result<Selection, StreamError> {
        check(options)?;
        let options = options.with_balance(self.sample.target.task())?;
        let options: &SelectOptions = &options;
        if options.method == SAMPLED {
            return self.select_sampled(options, observer);
        }
        let began = Instant::now();
        let fit = pool::observed(observer, |observer| self.fit(&options.settings, options.seed, observer))?;
        let seconds = began.elapsed().as_secs_f64();
        // A size rule would need all rows at once.
        let size = if options.size == Size::Auto { Size::THIRD } else { options.size };
        let mut selection = finish(&self.sample, &SelectOptions { size, ..options.clone() }, fit, seconds)?;
        selection.data.samples = self.rows;
        Ok(selection)
    }

    /// Selects from the sample, whose size does not grow with the table.
    fn select_sampled(&self, options: &SelectOptions, observer: &mut dyn Observer) -> Result<Selection, StreamError> {
        let mut selection = select_in_memory(&self.sample, options, observer)?;
        selection.data.samples = self.rows;
        if self.sample.samples() < self.rows {
            let (sample, rows) = (self.sample.samples(), self.rows);
            selection.warnings.push(Warning::SampledSelection { sample, rows });
        }
        Ok(selection)
    }
}

/// Rejects options that need all rows at once.
///
/// # Errors
/// Any method other than [`METHOD`] and [`SAMPLED`], a size rule, and tuning.
pub fn check(options: &SelectOptions) -> Result<(), StreamError> {
    let method = options.method;
    if ![METHOD, SAMPLED].contains(&method) {
        return Err(StreamError::Method { method: method.name() });
    }
    if options.tune {
        return Err(StreamError::Tuning);
    }
    if !options.groups.is_empty() {
        return Err(StreamError::Groups);
    }
    if method == METHOD && matches!(options.size, Size::Rule(_) | Size::Native) {
        return Err(StreamError::SizeRule);
    }
    Ok(())
}

/// Selects features from a table that is read in pieces.
///
/// # Errors
/// See [`check`], [`Dataset::new`] and the errors of the source.
pub fn select(
    source: &dyn RowSource,
    data: &DatasetOptions,
    options: &SelectOptions,
    observer: &mut dyn Observer,
) -> Result<Selection, StreamError> {
    check(options)?;
    Surveyed::new(source, data, options.seed)?.select(options, observer)
}

#[cfg(test)]
mod tests;
