//! Command-line arguments.

mod compare;
mod data;
mod evaluate;
mod fit;
mod model;
mod output;
mod report;
mod run;
mod size;

pub(crate) use compare::CompareArgs;
pub(crate) use data::{Coding, DataArgs, DecimalArg, InputArgs, MissingArg, ReadArgs, TaskArg, YesNo};
pub(crate) use evaluate::{EstimatorRows, EvaluateArgs, RecordsArgs};
pub(crate) use fit::FitArgs;
pub(crate) use model::{ExplainArgs, PredictArgs, RowFormat, TrainArgs};
pub(crate) use output::FormatArgs;
pub(crate) use report::ReportArgs;
pub(crate) use run::RunArgs;
pub(crate) use size::SizeArgs;

use clap::{Args, Parser, Subcommand};
use rulesieve_cli::arguments::{at_least_one, count, whole};
use std::ffi::OsString;
use std::path::PathBuf;

/// Rank the features of a table by their relevance for its target, and select the best.
///
/// Results go to standard output, everything else to standard error.
/// Exit codes: 0 success; 1 a requested check failed; 2 invalid input or usage; 101 a bug of the program; 130 interrupted.
#[derive(Debug, Parser)]
#[command(name = "rulesieve", version, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Print no progress, notes or warnings; errors are printed
    #[arg(long, short, global = true, help_heading = "Output")]
    pub(crate) quiet: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Rank the features of a table and select the best
    #[command(after_help = SELECT_EXAMPLES)]
    Select(SelectArgs),
    /// Keep the columns of a saved selection
    #[command(after_help = APPLY_EXAMPLES)]
    Apply(ApplyArgs),
    /// Select features and train a fuzzy rule model
    #[command(after_help = model::TRAIN_EXAMPLES)]
    Train(TrainArgs),
    /// Predict the target of new rows with a trained model
    #[command(after_help = model::PREDICT_EXAMPLES)]
    Predict(PredictArgs),
    /// Print the rules of a trained model, or explain the prediction for a row
    #[command(after_help = model::EXPLAIN_EXAMPLES)]
    Explain(ExplainArgs),
    /// Evaluate methods on held-out data: accuracy, stability, and tests of differences
    #[command(after_help = evaluate::EVALUATE_EXAMPLES)]
    Evaluate(Box<EvaluateArgs>),
    /// List the runs that `evaluate --records` saved, or print one
    #[command(after_help = evaluate::RECORDS_EXAMPLES)]
    Records(RecordsArgs),
    /// Test whether the scores of several methods on several data sets differ
    #[command(after_help = compare::COMPARE_EXAMPLES)]
    Compare(CompareArgs),
    /// Profile a table and report data problems
    #[command(after_help = "Example:\n  rulesieve check data.csv --target class")]
    Check(CheckArgs),
    /// Generate a data set with known informative features
    #[command(after_help = "Example:\n  rulesieve generate madelon --samples 1000 --seed 1 --output m.csv")]
    Generate(GenerateArgs),
    /// List the methods, or the parameters of one
    Methods(MethodsArgs),
    /// Reproduce the experiments of the paper with the separate program rulesieve-reproduce
    #[command(disable_help_flag = true)]
    Reproduce(ReproduceArgs),
    /// Run an end-to-end demo on built-in data
    #[command(after_help = "Example:\n  rulesieve demo --output /tmp/demo --report /tmp/demo.html")]
    Demo(DemoArgs),
    /// Print the completions of a shell
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions(CompletionsArgs),
    /// Write man pages to a folder
    #[command(after_help = "Example:\n  rulesieve man --output ~/.local/share/man/man1")]
    Man(ManArgs),
}

const COMPLETIONS_EXAMPLES: &str = "\
Examples (start a new shell afterwards):
  rulesieve completions bash > ~/.local/share/bash-completion/completions/rulesieve
  rulesieve completions zsh > ~/.zfunc/_rulesieve
  rulesieve completions fish > ~/.config/fish/completions/rulesieve.fish

The folder of zsh must be in its fpath. For PowerShell, append the output to the file that $PROFILE names; for elvish, to rc.elv.";

const APPLY_EXAMPLES: &str = "\
Examples:
  rulesieve apply selection.json new.csv --keep class --output reduced.csv
  rulesieve select data.csv -t class --json | rulesieve apply - data.csv
  rulesieve select data.csv -t class --names | rulesieve apply - data.csv";

const SELECT_EXAMPLES: &str = "\
Examples:
  rulesieve select data.csv --target class
  rulesieve select data.csv --target last --method anova --top 10 -o s.json
  rulesieve select genes.csv.gz -t tumour -m ldr-tsk --set alpha=10 --json
  rulesieve select data.csv --target class --names
  rulesieve select houses.csv --target price
  rulesieve select builtin:penguins --report penguins.html
  rulesieve select long.parquet --target y --sample 100000
  rulesieve select long.parquet --target y --stream

`rulesieve methods NAME` lists the names for --set.";

fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("it must be a whole number from 0 to {}", u64::MAX))
}

#[derive(Debug, Clone, Args)]
pub(crate) struct SelectArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    pub(crate) fit: FitArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
    /// Print all features
    #[arg(long, help_heading = "Output")]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ApplyArgs {
    /// Selection written by `select --output`; `-` reads one, or a list of names, from standard input
    pub(crate) selection: PathBuf,
    /// Further columns to keep, such as the target
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',')]
    pub(crate) keep: Vec<String>,
    /// Write the reduced table to a file in the format of its ending [default: CSV to standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// Random seed of --sample
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = seed)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
    /// Print all columns
    #[arg(long, help_heading = "Output")]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

#[derive(Debug, Clone, Args)]
#[command(after_long_help = "Other commands read these data sets, in default size with seed 0, from builtin:NAME.")]
pub(crate) struct GenerateArgs {
    /// Name of the data set; omit it to list all
    pub(crate) name: Option<String>,
    /// Number of rows
    #[arg(long, allow_negative_numbers = true, value_parser = whole, value_name = "N")]
    pub(crate) samples: Option<usize>,
    /// Number of features
    #[arg(long, allow_negative_numbers = true, value_parser = whole, value_name = "M")]
    pub(crate) features: Option<usize>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = seed)]
    pub(crate) seed: u64,
    /// Write the table to a file in the format of its ending [default: CSV to standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write the names of the informative features to a JSON file
    #[arg(long, value_name = "FILE")]
    pub(crate) truth: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct MethodsArgs {
    /// Method to describe; omit it to list all
    pub(crate) name: Option<String>,
    /// List the parameters of rule training, which `train --rule-param` sets
    #[arg(long, conflicts_with = "name")]
    pub(crate) rule_params: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ReproduceArgs {
    /// Options of rulesieve-reproduce; --help lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTION")]
    pub(crate) arguments: Vec<OsString>,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct DemoArgs {
    /// Write the selections, the model and the evaluation to a folder; created if missing
    #[arg(long, short, value_name = "DIR", default_value = "rulesieve-demo")]
    pub(crate) output: PathBuf,
    /// Write the HTML report on the penguins to a file
    #[arg(long, value_name = "FILE.html", default_value = "rulesieve-demo.html")]
    pub(crate) report: PathBuf,
    /// Write each figure of the report as NAME.svg and its data as NAME.csv to a folder
    #[arg(long, value_name = "DIR")]
    pub(crate) figures: Option<PathBuf>,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ManArgs {
    /// Write one page per command to a folder; created if missing
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: PathBuf,
}
