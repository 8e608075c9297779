//! What can be said on the command line.

mod compare;

pub(crate) use compare::{COMPARE_EXAMPLES, CompareArgs};

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Rank the columns of a table by how much they matter for its label, and keep the best.
///
/// Results go to standard output, everything else to standard error.
/// Exit codes: 0 done; 1 ran, but a stated condition failed; 2 bad input or usage; 130 interrupted.
#[derive(Debug, Parser)]
#[command(name = "rulesieve", version, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Rank the features of a table and select the best
    #[command(after_help = SELECT_EXAMPLES)]
    Select(SelectArgs),
    /// Keep the columns of a saved selection
    #[command(after_help = "Example:\n  rulesieve apply selection.json new.csv --output reduced.csv --keep class")]
    Apply(ApplyArgs),
    /// Select features and train a model of fuzzy rules that predicts
    #[command(after_help = TRAIN_EXAMPLES)]
    Train(TrainArgs),
    /// Predict the target of new rows with a trained model
    #[command(after_help = PREDICT_EXAMPLES)]
    Predict(PredictArgs),
    /// Say the rules of a trained model in words, or why a row got its answer
    #[command(after_help = EXPLAIN_EXAMPLES)]
    Explain(ExplainArgs),
    /// Say whether the scores of several methods on several data sets differ by more than chance
    #[command(after_help = COMPARE_EXAMPLES)]
    Compare(CompareArgs),
    /// Say what a table holds and what is odd about it
    #[command(after_help = "Example:\n  rulesieve check data.csv --target class")]
    Check(CheckArgs),
    /// Make a data set whose answer is known
    #[command(
        after_help = "Example:\n  rulesieve generate madelon --samples 1000 --features 100 --seed 1 --output m.csv"
    )]
    Generate(GenerateArgs),
    /// List the methods, or the parameters of one
    Methods(MethodsArgs),
    /// Run the main job on embedded data and write its records
    Demo(DemoArgs),
}

const SELECT_EXAMPLES: &str = "\
Examples:
  rulesieve select data.csv --target class
  rulesieve select data.csv --target last --method anova --top 10 --output selection.json
  rulesieve select genes.csv.gz --target tumour --method ldr-tsk --set alpha=10 --set d=64 --json
  rulesieve select houses.csv --target price --task regression
  rulesieve select builtin:penguins --missing median
  rulesieve select long.parquet --target y --stream
  rulesieve methods ldr-tsk-inductive          (every name that --set takes)";

const TRAIN_EXAMPLES: &str = "\
Examples:
  rulesieve train data.csv --target class --model model.json
  rulesieve train data.csv --target class --model model.json --top 5 --refit rules=8 --refit order=zero
  rulesieve train builtin:penguins --missing median --model penguins.json --output selection.json
  rulesieve train long.parquet --target y --stream --model model.json          (longer than memory)
  rulesieve predict model.json new.csv --output predictions.csv
  rulesieve explain model.json

Parameters of --refit: rules (auto), order (first, zero), steps, batch, rate, gamma, spread, hold_centres, hold_spreads,
holdout, starts; `rulesieve methods refit` says what each does.
Fewer rules and order=zero are easier to read, more rules follow the data more closely.
A model holds names, numbers and categories, never rows of the table; loading it runs nothing.";

const PREDICT_EXAMPLES: &str = "\
Examples:
  rulesieve predict model.json new.csv --output predictions.csv
  rulesieve predict model.json labelled.csv --evaluate --output /dev/null
  cat new.csv | rulesieve predict model.json - --format-out jsonl

Columns are found by name, in any order. Missing values and categories that the training rows did not have
are treated as the model was trained to (train --missing): refused under `error`, filled in (the median, the most
frequent category) under `median`, left without an answer under `drop-rows`. The file is read in parts and may be
larger than memory. --evaluate goes to standard output if --output is given, else to standard error.";

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  rulesieve explain model.json
  rulesieve explain model.json --row 12 data.csv

low, medium and high are the thirds of the training values in which a rule fires most, `about` is the value at which it
does; what does not matter to a rule is left out. Numbers behind THEN are log-odds against the mean of the classes.
Contributions of a row: by how much its answer weakens when a value is replaced by the typical one (the median, the most
frequent category); they need not add up, because features act together.";

/// A number of things; the parser of the standard library does not say what would be allowed.
fn count(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "it must be a whole number, at least 1".to_owned())
}

/// Where a table comes from and how it is read.
#[derive(Debug, Clone, Args)]
pub(crate) struct InputArgs {
    /// A file, `-` for standard input, or builtin:NAME (`rulesieve generate` lists the names)
    pub(crate) input: String,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// How a file is read.
#[derive(Debug, Clone, Args)]
pub(crate) struct ReadArgs {
    /// Format of the file; by its ending if not given
    #[arg(long, value_name = "NAME", help_heading = "Reading")]
    pub(crate) format: Option<String>,
    /// Delimiter of a text table: one character, `tab` or `space`; detected if not given
    #[arg(long, value_name = "CHAR", help_heading = "Reading")]
    pub(crate) delimiter: Option<String>,
    /// Whether the first row holds names; detected if not given
    #[arg(long, value_name = "WHETHER", help_heading = "Reading")]
    pub(crate) header: Option<YesNo>,
    /// Variable that holds the features in a .mat or .npz file
    #[arg(long, value_name = "NAME", help_heading = "Reading")]
    pub(crate) features_variable: Option<String>,
    /// Variable that holds the labels in a .mat or .npz file
    #[arg(long, value_name = "NAME", help_heading = "Reading")]
    pub(crate) target_variable: Option<String>,
    /// Refuse tables with more rows
    #[arg(long, value_name = "N", help_heading = "Reading")]
    pub(crate) max_rows: Option<usize>,
    /// Refuse tables with more columns
    #[arg(long, value_name = "N", help_heading = "Reading")]
    pub(crate) max_columns: Option<usize>,
    /// Refuse files with more bytes, after decompression
    #[arg(long, value_name = "N", help_heading = "Reading")]
    pub(crate) max_bytes: Option<u64>,
}

/// How the table is read as features and target.
#[derive(Debug, Clone, Args)]
pub(crate) struct DataArgs {
    /// The label column: its name, its number counted from 1, or `last`
    #[arg(long, short, value_name = "COLUMN")]
    pub(crate) target: Option<String>,
    /// Columns that hold categories although they look like numbers
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',', help_heading = "Data")]
    pub(crate) categorical: Vec<String>,
    /// Columns to leave out
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',', help_heading = "Data")]
    pub(crate) drop: Vec<String>,
    /// What to learn about the target: its class or its number
    #[arg(long, value_name = "TASK", default_value = "classification", help_heading = "Data")]
    pub(crate) task: TaskArg,
    /// Cut a numeric target into this many classes of about equal size
    #[arg(long, value_name = "N", help_heading = "Data")]
    pub(crate) bins: Option<usize>,
    /// What to do about missing values
    #[arg(long, value_name = "POLICY", default_value = "error", help_heading = "Data")]
    pub(crate) missing: Missing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum YesNo {
    Yes,
    No,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TaskArg {
    /// The target holds classes
    Classification,
    /// The target holds numbers to be predicted
    Regression,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Missing {
    /// Refuse the table and name the first one
    Error,
    /// Fill in the median, or the most frequent category
    Median,
    /// Leave incomplete rows out
    DropRows,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Coding {
    /// An indicator for each category; together they stay one feature
    OneHot,
    /// The place of the category in alphabetical order
    Ordinal,
}

/// What is fitted, and how.
#[derive(Debug, Clone, Args)]
pub(crate) struct FitArgs {
    /// How features are scored; `rulesieve methods` lists all
    #[arg(long, short, value_name = "NAME", default_value = "ldr-tsk-inductive")]
    pub(crate) method: String,
    /// How categories become numbers
    #[arg(long, value_name = "CODING", default_value = "one-hot", help_heading = "Data")]
    pub(crate) categorical_coding: Coding,
    /// Keep this many features
    #[arg(long, value_name = "N", conflicts_with = "fraction", allow_negative_numbers = true, value_parser = count)]
    pub(crate) top: Option<usize>,
    /// Keep this share of the features, rounded down [default: a third]
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    pub(crate) fraction: Option<f64>,
    /// Find the size by cross-validation with fuzzy rules on the best 1, 2, 3, 5, 8, ... features
    ///
    /// best: the best score; one-se: the fewest features within one standard error of it; tolerance=X: within X of it;
    /// elbow: where the curve of scores bends most. Ranking and rules are learned anew in each of 5 folds.
    #[arg(long, value_name = "RULE", conflicts_with_all = ["top", "fraction"])]
    pub(crate) size: Option<String>,
    /// Choose beta by the loss on rows kept aside, and the size by --size one-se unless it is given
    #[arg(long)]
    pub(crate) tune: bool,
    /// Let all classes count the same, however many rows they have (short for --set weights=balanced)
    #[arg(long)]
    pub(crate) balance: bool,
    /// Read a CSV, TSV or Parquet file in pieces, several times, instead of holding it in memory
    ///
    /// For tables longer than memory; the method must be ldr-tsk-inductive. A first pass over all rows learns types,
    /// classes, means, variances and categories and draws a sample of up to 4096 rows; then mini-batches are read from
    /// the file, mixed in a buffer, until the steps are done. Medians (of --missing median), validation, scores and what a
    /// model says of its rules come from the sample. Rows should be in random order: a file sorted by its target misleads
    /// the fit (a note says so).
    #[arg(long)]
    pub(crate) stream: bool,
    /// Set a parameter of the method; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Threads; 0 for all cores. The result does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct SelectArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    pub(crate) fit: FitArgs,
    /// Stop the fit after this many seconds and rank by what it has
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub(crate) time_budget: Option<f64>,
    /// End with exit code 1 when the fit did not converge
    #[arg(long)]
    pub(crate) strict: bool,
    /// Write the selection and its record to a file
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Print the record as JSON instead of a table
    #[arg(long)]
    pub(crate) json: bool,
    /// Show every feature, however many
    #[arg(long)]
    pub(crate) all: bool,
}

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
    /// Set a parameter of the model that is fitted to the selected columns; may be repeated
    #[arg(long = "refit", value_name = "NAME=VALUE")]
    pub(crate) refit: Vec<String>,
    /// Stop the selection, and then the refit, after this many seconds each, and go on with what they have
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub(crate) time_budget: Option<f64>,
    /// End with exit code 1 when selection or refit did not converge
    #[arg(long)]
    pub(crate) strict: bool,
    /// Also write the selection and its record to a file
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Print a summary as JSON
    #[arg(long)]
    pub(crate) json: bool,
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

#[derive(Debug, Clone, Args)]
pub(crate) struct ApplyArgs {
    /// A selection that `select --output` wrote
    pub(crate) selection: PathBuf,
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Further columns to carry along, such as the target
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',')]
    pub(crate) keep: Vec<String>,
    /// The reduced table; standard output if not given
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// Print the findings as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Show every column, however many
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, Clone, Args)]
#[command(after_long_help = "builtin:NAME uses the same data sets, in their default size with seed 0, as INPUT.")]
pub(crate) struct GenerateArgs {
    /// The data set; without a name, a list of all
    pub(crate) name: Option<String>,
    /// Rows
    #[arg(long, value_name = "N")]
    pub(crate) samples: Option<usize>,
    /// Feature columns
    #[arg(long, value_name = "M")]
    pub(crate) features: Option<usize>,
    /// Seed
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,
    /// The CSV file to write; standard output if not given
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Also write which columns carry signal to this JSON file
    #[arg(long, value_name = "FILE")]
    pub(crate) truth: Option<PathBuf>,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct MethodsArgs {
    /// The method whose parameters to show
    pub(crate) name: Option<String>,
    /// Print as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct DemoArgs {
    /// The folder for the records
    #[arg(long, short, value_name = "DIR", default_value = "rulesieve-demo")]
    pub(crate) output: PathBuf,
}
