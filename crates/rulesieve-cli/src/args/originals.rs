//! What `reproduce` can be told about the files of the data sets.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "The files of the data sets (fits nothing)")]
pub(crate) struct OriginalsArgs {
    /// Turn the archives' files in DIR into the files of --data, and check them; docs/datasets.md says where to get them
    #[arg(long, value_name = "DIR", requires = "data", conflicts_with_all = OTHERS)]
    pub(crate) originals: Option<PathBuf>,
    /// Say which data sets --data holds, and whether they are what they must be
    #[arg(long, requires = "data", conflicts_with_all = OTHERS, conflicts_with = "originals")]
    pub(crate) check: bool,
    /// With --originals: replace files of --data that hold something else
    #[arg(long, requires = "originals", conflicts_with_all = OTHERS, conflicts_with = "check")]
    pub(crate) force: bool,
}

/// What belongs to fits, tables and figures.
const OTHERS: [&str; 9] =
    ["out", "methods", "protocol", "points", "resume", "budget", "cells", "tables_only", "threads"];
