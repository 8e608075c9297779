//! Arguments of a fit.

use super::{Coding, SizeArgs, seed, whole};
use clap::Args;

/// Method, size and parameters of a fit.
#[derive(Debug, Clone, Args)]
pub(crate) struct FitArgs {
    /// Selection method; `rulesieve methods` lists all
    #[arg(long, short, value_name = "NAME", default_value = "sieve")]
    pub(crate) method: String,
    /// Coding of categorical features
    #[arg(long, value_name = "CODING", default_value = "one-hot", help_heading = "Data")]
    pub(crate) categorical_coding: Coding,
    #[command(flatten)]
    pub(crate) size: SizeArgs,
    /// Choose beta by the validation loss, and the size by --size one-se unless a size is given
    #[arg(long)]
    pub(crate) tune: bool,
    /// Give all classes the same total weight (short for --set weights=balanced)
    #[arg(long)]
    pub(crate) balance: bool,
    /// Read a CSV, TSV or Parquet file in chunks, several times, instead of loading it into memory
    ///
    /// For tables larger than memory. A first pass over all rows computes types, classes, means, variances and categories and
    /// draws a sample of up to 4096 rows. sieve selects from the sample; ldr-tsk-inductive and the rules of train then read
    /// mini-batches from the file, shuffled in a buffer. Medians (of --missing median), validation, scores and descriptions of
    /// rules use the sample. Rows should be in random order: a file sorted by its target biases the fit (a warning reports it).
    #[arg(long, conflicts_with = "sample")]
    pub(crate) stream: bool,
    /// Set a parameter of the method; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = seed)]
    pub(crate) seed: u64,
    /// Number of threads; 0 uses all cores. Results do not depend on it
    #[arg(long, allow_negative_numbers = true, value_parser = whole, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
}
