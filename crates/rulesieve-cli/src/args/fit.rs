//! What is fitted, and how.

use super::{Coding, SizeArgs, seed};
use clap::Args;

/// What is fitted, and how.
#[derive(Debug, Clone, Args)]
pub(crate) struct FitArgs {
    /// How features are scored; `rulesieve methods` lists all
    #[arg(long, short, value_name = "NAME", default_value = "sieve")]
    pub(crate) method: String,
    /// How categories become numbers
    #[arg(long, value_name = "CODING", default_value = "one-hot", help_heading = "Data")]
    pub(crate) categorical_coding: Coding,
    #[command(flatten)]
    pub(crate) size: SizeArgs,
    /// Choose beta by the validation loss, and the size by --size one-se unless it is given
    #[arg(long)]
    pub(crate) tune: bool,
    /// Let all classes count the same, however many rows they have (short for --set weights=balanced)
    #[arg(long)]
    pub(crate) balance: bool,
    /// Read a CSV, TSV or Parquet file in pieces, several times, instead of holding it in memory
    ///
    /// For tables longer than memory. A first pass over all rows learns types, classes, means, variances and categories and
    /// draws a sample of up to 4096 rows. sieve selects from the sample; ldr-tsk-inductive, and the rules of train, then read
    /// mini-batches from the file, mixed in a buffer, until the steps are done. Medians (of --missing median), validation, scores and what a
    /// model says of its rules come from the sample. Rows should be in random order: a file sorted by its target misleads
    /// the fit (a note says so).
    #[arg(long)]
    pub(crate) stream: bool,
    /// Set a parameter of the method; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = seed)]
    pub(crate) seed: u64,
    /// Threads; 0 for all cores. The result does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
}
