//! Arguments for reports and figures.

use clap::Args;
use std::path::PathBuf;

/// Reports and figures.
#[derive(Debug, Clone, Args)]
pub(crate) struct ReportArgs {
    /// Write an HTML report with figures to a file
    ///
    /// The report is a single file without scripts or external resources. It supports light and dark mode, small screens, screen
    /// readers and printing.
    #[arg(long, value_name = "FILE.html", help_heading = "Report")]
    pub(crate) report: Option<PathBuf>,
    /// Write each figure of the report as NAME.svg and its data as NAME.csv to a folder
    ///
    /// Created if missing; existing files with the same names are replaced.
    #[arg(long, value_name = "DIR", help_heading = "Report")]
    pub(crate) figures: Option<PathBuf>,
}
