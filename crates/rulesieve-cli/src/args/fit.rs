//! What is fitted, and how.

use super::{Coding, count, seed};
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
    /// Keep this many features
    #[arg(long, value_name = "N", conflicts_with = "fraction", allow_negative_numbers = true, value_parser = count)]
    pub(crate) top: Option<usize>,
    /// Keep this share of the features, rounded down
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    pub(crate) fraction: Option<f64>,
    /// How the number of features is chosen [default: the fewest within one standard error on held-out rows]
    ///
    /// By cross-validation of kernel ridge regression on the best 1, 2, 3, 5, 8, ... features: one-se: the fewest features
    /// within one standard error of the best score; best: the best score; tolerance=X: the fewest within X of it; elbow: where
    /// the curve of scores bends most. The ranking is repeated in each of 5 folds. native: the method's own rule, for methods that
    /// have one. The default is native for sieve, which holds rows out itself, and one-se for other methods.
    #[arg(long, value_name = "RULE", conflicts_with_all = ["top", "fraction"])]
    pub(crate) size: Option<String>,
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
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = seed)]
    pub(crate) seed: u64,
    /// Threads; 0 for all cores. The result does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
}
