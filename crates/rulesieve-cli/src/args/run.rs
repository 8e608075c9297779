//! What a run of `select` or `train` writes, and when it ends.

use super::ReportArgs;
use clap::Args;
use rulesieve_eval::TimeBudget;
use std::path::PathBuf;

/// What a run writes, and when it ends.
#[derive(Debug, Clone, Args)]
pub(crate) struct RunArgs {
    /// Stop each step (selection; rules and held-out folds of train) after this many seconds and continue with its result so far
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub(crate) time_budget: Option<TimeBudget>,
    /// Exit with code 1 if the selection, or the rules of train, did not converge
    #[arg(long)]
    pub(crate) strict: bool,
    /// Write the selection and its record to a file
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Print JSON instead of a table
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}
