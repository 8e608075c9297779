//! Command-line arguments.

use clap::Parser;
use rulesieve_cli::arguments::at_least_one;
use rulesieve_eval::TimeBudget;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  A small run, in seconds:
    rulesieve reproduce --data datasets --output results --only vote,wdbc --methods anova --points 5
  Everything, in hours; rerun with --resume to continue after an interruption:
    rulesieve reproduce --data datasets --output results
  Tables and figures from the project's saved results, without fits:
    rulesieve reproduce --tables-only --cells experiments/reproduction --output results
  Convert the archives' files into data sets, and check data sets:
    rulesieve reproduce --originals downloads --data datasets
    rulesieve reproduce --data datasets --check

OUTPUT contains the results (records.sqlite: all results; cells: scores for the tables).
From these, each run writes tables as CSV, figures as SVG with their data as CSV,
reproduction.md and reproduction.html. Missing data sets are skipped with a note;
docs/datasets.md lists their sources.";

/// Reproduce the experiments of the paper: its tables and figures, next to the printed ones.
///
/// Exit codes: 0 success; 1 some data sets are wrong; 2 invalid input or usage; 130 interrupted.
#[derive(Debug, Clone, Parser)]
#[command(version, max_term_width = 100, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Folder of data sets
    #[arg(long, value_name = "DIR", required_unless_present = "tables_only")]
    pub(super) data: Option<PathBuf>,
    /// Folder for results, tables and figures; created if missing
    // The default is used only with options that write nothing there.
    #[arg(long, short, value_name = "DIR", default_value = ".", hide_default_value = true)]
    #[arg(required_unless_present_any = ["originals", "check"])]
    pub(super) output: PathBuf,
    /// Use only these data sets
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(super) only: Vec<String>,
    /// Use only these methods [default: those of the protocol]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(super) methods: Vec<String>,
    /// Protocols: paper (includes paper-per-fold), paper-native (methods with gates choose the number of features by their
    /// own rule), nested, paper-as-run (as the printed tables were computed; includes paper-as-run-per-fold)
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', default_value = "paper,paper-native,nested")]
    pub(super) protocol: Vec<String>,
    /// Try at most N settings of each method, its defaults among them
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(super) points: Option<usize>,
    /// Continue with the results in OUTPUT
    #[arg(long)]
    pub(super) resume: bool,
    /// Stop after this many seconds and report the completed results
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub(super) time_budget: Option<TimeBudget>,
    /// Folder of saved scores [default: OUTPUT/cells]
    #[arg(long, value_name = "DIR")]
    pub(super) cells: Option<PathBuf>,
    /// Write tables and figures from the saved scores, without fits
    #[arg(long, conflicts_with_all = ["data", "resume", "time_budget", "points", "threads"])]
    pub(super) tables_only: bool,
    /// Number of threads; 0 uses all cores. Results do not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) threads: usize,
    #[command(flatten)]
    pub(super) files: OriginalsArgs,
}

#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Files of the data sets (no fits)")]
pub(super) struct OriginalsArgs {
    /// Convert the archives' files in DIR into the files of --data, and check them; docs/datasets.md lists their sources
    #[arg(long, value_name = "DIR", requires = "data", conflicts_with_all = OTHERS)]
    pub(super) originals: Option<PathBuf>,
    /// Check which data sets --data contains, and whether they are as expected
    #[arg(long, requires = "data", conflicts_with_all = OTHERS, conflicts_with = "originals")]
    pub(super) check: bool,
    /// With --originals: replace files of --data that differ
    #[arg(long, requires = "originals", conflicts_with_all = OTHERS, conflicts_with = "check")]
    pub(super) force: bool,
}

/// Options for fits, tables and figures.
const OTHERS: [&str; 9] =
    ["output", "methods", "protocol", "points", "resume", "time_budget", "cells", "tables_only", "threads"];
