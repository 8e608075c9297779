//! What can be said about pages and figures.

use clap::Args;
use std::path::PathBuf;

/// Pages and figures.
#[derive(Debug, Clone, Args)]
pub(crate) struct ReportArgs {
    /// Also write a page about this run, with figures, to be opened in a browser or sent to somebody
    ///
    /// One HTML file that needs nothing else: it opens offline, runs no script, loads nothing, and reads well in dark and light, on a
    /// phone, by screen reader and in print. It opens with the answer and ends with how to repeat the run.
    #[arg(long, value_name = "FILE.html", help_heading = "Report")]
    pub(crate) report: Option<PathBuf>,
    /// Also write every figure of that page as NAME.svg, and the numbers behind it as NAME.csv, into this folder
    ///
    /// The folder is made where it is not there; files of the same names in it are replaced.
    #[arg(long, value_name = "DIR", help_heading = "Report")]
    pub(crate) figures: Option<PathBuf>,
}
