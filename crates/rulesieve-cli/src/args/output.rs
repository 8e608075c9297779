//! Format of the printed result.

use clap::Args;
use rulesieve_cli::output::Format;

/// Format of the printed result.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct FormatArgs {
    /// Format of the printed result; CSV has the main table with all rows, in full precision
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    format: Format,
    /// Print the complete record as JSON; the same as --format json
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    json: bool,
}

impl FormatArgs {
    /// Returns the format.
    pub(crate) fn format(self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}
