//! Arguments of `train`, `predict` and `explain`.

use super::{DataArgs, FitArgs, FormatArgs, InputArgs, ReadArgs, RunArgs, count, whole};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const TRAIN_EXAMPLES: &str = "\
Examples:
  rulesieve train data.csv --target class --model model.json
  rulesieve train data.csv -t class --top 5 --rule-param rules=8 --model m.json
  rulesieve train builtin:penguins --model penguins.json
  rulesieve train long.parquet --target y --stream --model model.json
  rulesieve predict model.json new.csv --output predictions.csv
  rulesieve explain model.json

Parameters of --rule-param: rules (auto), order (first, zero), steps, batch, rate, gamma, spread, hold_centres, \
hold_spreads, holdout, starts; `rulesieve methods --rule-params` describes each.

Held-out results come from stratified folds: selection and training are repeated on the training rows of each fold, until \
1,000 held-out rows are scored (5 folds of a small table, 1 of a large one).

Fewer rules and order=zero are easier to read; more rules fit the data more closely.

A model file contains names, numbers and categories, but no rows of the table and no code.";

pub(super) const PREDICT_EXAMPLES: &str = "\
Examples:
  rulesieve predict model.json new.csv --output predictions.csv
  rulesieve predict model.json labelled.csv --evaluate --output /dev/null
  cat new.csv | rulesieve predict model.json - --format jsonl

Columns are matched by name, in any order. The model handles missing values and unknown categories by the policy of its \
training (train --missing): `fill` imputes the median and makes missing categories a category of their own, `median` \
imputes the median or the most frequent category, `error` rejects them, `drop-rows` leaves the prediction empty. The file \
is read in chunks and may be larger than memory. --evaluate prints to standard output \
if --output is given, otherwise to standard error.";

pub(super) const EXPLAIN_EXAMPLES: &str = "\
Examples:
  rulesieve explain model.json
  rulesieve explain model.json --row 12 data.csv

low, medium and high are the thirds of the training values; `about` is the value at which a rule fires most. Features that do \
not affect a rule are omitted. Numbers after THEN are log-odds relative to the mean of the classes. The contribution of a \
feature to a row is the decrease of its prediction when the value is replaced by the typical one (the median, the most \
frequent category). Contributions need not add up, because features interact.";

#[derive(Debug, Clone, Args)]
pub(crate) struct TrainArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    pub(crate) fit: FitArgs,
    /// Write the model to a file
    #[arg(long, value_name = "FILE")]
    pub(crate) model: PathBuf,
    /// Set a parameter of rule training; may be repeated
    #[arg(long = "rule-param", value_name = "NAME=VALUE")]
    pub(crate) rule_params: Vec<String>,
    /// Skip the held-out estimate, which repeats selection and training in up to 5 folds
    #[arg(long)]
    pub(crate) no_held_out: bool,
    #[command(flatten)]
    pub(crate) run: RunArgs,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct PredictArgs {
    /// Model written by `train`
    pub(crate) model: PathBuf,
    /// Write the predictions to a file in the format of its ending [default: CSV to standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Format of what is printed: the predictions [default: csv], or the scores if --output takes the predictions
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: Option<RowFormat>,
    /// Print as JSON; the same as --format json
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    pub(crate) json: bool,
    /// Also score the predictions; the input must have the target column
    #[arg(long)]
    pub(crate) evaluate: bool,
    /// Number of threads; 0 uses all cores. Results do not depend on it
    #[arg(long, allow_negative_numbers = true, value_parser = whole, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

impl PredictArgs {
    /// Returns the format of what is printed, if one was given.
    pub(crate) fn format(&self) -> Option<RowFormat> {
        if self.json { Some(RowFormat::Json) } else { self.format }
    }
}

/// Format of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RowFormat {
    /// CSV with a header
    Csv,
    /// One JSON array of objects
    Json,
    /// One JSON object per line
    Jsonl,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ExplainArgs {
    /// Model written by `train`
    pub(crate) model: PathBuf,
    /// Table with the row to explain
    #[arg(requires = "row")]
    pub(crate) input: Option<String>,
    /// Explain the prediction for this data row of INPUT (from 1)
    #[arg(long, value_name = "N", requires = "input", allow_negative_numbers = true, value_parser = count)]
    pub(crate) row: Option<usize>,
    /// Maximum number of rules to print
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) top: Option<usize>,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}
