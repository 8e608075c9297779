//! Output and time budget of `select` and `train`.

use super::{FormatArgs, ReportArgs};
use clap::Args;
use rulesieve_eval::TimeBudget;
use std::path::PathBuf;

/// Output and time budget.
#[derive(Debug, Clone, Args)]
pub(crate) struct RunArgs {
    /// Stop each step (selection; rules and held-out folds of train) after this many seconds and use its result so far
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub(crate) time_budget: Option<TimeBudget>,
    /// Exit with code 1 if the selection, or the rule training of train, did not converge
    #[arg(long)]
    pub(crate) strict: bool,
    /// Write the selection to a file
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
    /// Print only the columns of the selected features, one per line
    #[arg(long, conflicts_with_all = ["format", "json"], help_heading = "Output")]
    pub(crate) names: bool,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}
