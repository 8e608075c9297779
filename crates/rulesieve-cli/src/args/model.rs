//! What can be said to `train`, `predict` and `explain`.

use super::{DataArgs, FitArgs, InputArgs, ReadArgs, RunArgs, count};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const TRAIN_EXAMPLES: &str = "\
Examples:
  rulesieve train data.csv --target class --model model.json
  rulesieve train data.csv --target class --model model.json --top 5 --rule-param rules=8 --rule-param order=zero
  rulesieve train builtin:penguins --missing median --model penguins.json --report penguins.html
  rulesieve train long.parquet --target y --stream --model model.json          (longer than memory)
  rulesieve predict model.json new.csv --output predictions.csv
  rulesieve explain model.json

Parameters of --rule-param: rules (auto), order (first, zero), steps, batch, rate, gamma, spread, hold_centres,
hold_spreads, holdout, starts; `rulesieve methods --rule-params` describes each.
Held-out rows are predicted by selections and rules that have not seen them: both are repeated on the training rows of
stratified folds, until 1,000 held-out rows are scored (5 folds of a short table, 1 of a long one).
Fewer rules and order=zero are easier to read, more rules follow the data more closely.
A model holds names, numbers and categories, never rows of the table; loading it runs nothing.";

pub(super) const PREDICT_EXAMPLES: &str = "\
Examples:
  rulesieve predict model.json new.csv --output predictions.csv
  rulesieve predict model.json labelled.csv --evaluate --output /dev/null
  cat new.csv | rulesieve predict model.json - --format-out jsonl

Columns are found by name, in any order. Missing values and categories that the training rows did not have
are treated as the model was trained to (train --missing): refused under `error`, filled in (the median, the most
frequent category) under `median`, left without an answer under `drop-rows`. The file is read in parts and may be
larger than memory. --evaluate goes to standard output if --output is given, else to standard error.";

pub(super) const EXPLAIN_EXAMPLES: &str = "\
Examples:
  rulesieve explain model.json
  rulesieve explain model.json --row 12 data.csv

low, medium and high are the thirds of the training values in which a rule fires most, `about` is the value at which it
does; what does not matter to a rule is left out. Numbers behind THEN are log-odds against the mean of the classes.
Contributions of a row: by how much its answer weakens when a value is replaced by the typical one (the median, the most
frequent category); they need not add up, because features act together.";

#[derive(Debug, Clone, Args)]
pub(crate) struct TrainArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    pub(crate) fit: FitArgs,
    /// The model to write
    #[arg(long, value_name = "FILE")]
    pub(crate) model: PathBuf,
    /// Set a parameter of the training of rules; may be repeated
    #[arg(long = "rule-param", value_name = "NAME=VALUE")]
    pub(crate) rule_params: Vec<String>,
    /// Do not estimate the accuracy on held-out rows, which repeats selection and training in up to 5 folds
    #[arg(long)]
    pub(crate) no_held_out: bool,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct PredictArgs {
    /// A model that `train` wrote
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// The predictions; standard output if not given
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Format of the predictions; by the ending of --output if not given, else CSV
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format_out: Option<FormatOut>,
    /// Also say how right the predictions are; the input must have the target column
    #[arg(long)]
    pub(crate) evaluate: bool,
    /// Print the evaluation as JSON
    #[arg(long, requires = "evaluate")]
    pub(crate) json: bool,
    /// Threads; 0 for all cores. The result does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatOut {
    /// A table with a header
    Csv,
    /// One array of objects
    Json,
    /// One object a line
    Jsonl,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ExplainArgs {
    /// A model that `train` wrote
    pub(crate) model: PathBuf,
    /// The table that --row speaks of
    #[arg(requires = "row")]
    pub(crate) input: Option<String>,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// Explain the answer for this data row of INPUT, counted from 1
    #[arg(long, value_name = "N", requires = "input", allow_negative_numbers = true, value_parser = count)]
    pub(crate) row: Option<usize>,
    /// Show this many rules at most
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) top: Option<usize>,
    /// Print as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
