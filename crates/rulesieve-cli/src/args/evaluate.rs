//! What can be said to `evaluate`.

use super::{Coding, DataArgs, InputArgs, count};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const EVALUATE_EXAMPLES: &str = "\
Examples:
  rulesieve evaluate data.csv --target class --methods ldr-tsk-inductive,ldr-tsk,anova
  rulesieve evaluate data.csv --target class --methods anova --top 10 --folds 5 --repeats 3 --output evaluation.json
  rulesieve evaluate visits.csv --target ill --groups patient --methods anova,variance --missing median
  rulesieve evaluate data.csv --target class --methods ldr-tsk --set ldr-tsk:alpha=10 --kernel linear
  rulesieve evaluate data.csv --target class --methods anova --permute-labels      (must give chance)

Protocol nested: in every fold, missing values, coding, scaling, ranking, the number of features (unless given) and the cost C
of the SVM that judges are learned or chosen on the training rows alone, by inner folds, with the same choices for
every method. (Only --bins cuts the target by all rows.) Baselines: the most frequent class, all features, features in
random order. Stability is Nogueira's measure; its interval takes the folds as independent and is a little too short. The last
column is the corrected resampled t-test (Nadeau and Bengio) of the first method against each other one, not corrected for
the number of methods; a value above 0.05 does not show a difference. One by one, all rows are judged together.";

#[derive(Debug, Clone, Args)]
pub(crate) struct EvaluateArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// The methods, comma-separated; the first one is compared with the others
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "ldr-tsk-inductive,anova")]
    pub(crate) methods: Vec<String>,
    /// Set a parameter of one of the methods; may be repeated
    #[arg(long = "set", value_name = "METHOD:NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// How categories become numbers
    #[arg(long, value_name = "CODING", default_value = "one-hot", help_heading = "Data")]
    pub(crate) categorical_coding: Coding,
    /// Keep this many features [default: chosen by inner folds among 1, 2, 3, 5, 8, ...]
    #[arg(long, value_name = "N", conflicts_with = "fraction", allow_negative_numbers = true, value_parser = count)]
    pub(crate) top: Option<usize>,
    /// Keep this share of the features, rounded down
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    pub(crate) fraction: Option<f64>,
    /// Folds in which the classes have their shares
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Splits")]
    pub(crate) folds: usize,
    /// Draw the folds this many times
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count, help_heading = "Splits")]
    pub(crate) repeats: usize,
    /// Keep rows with the same value of this column (name or number) in one fold; the column is no feature
    #[arg(long, value_name = "COLUMN", conflicts_with = "repeats", help_heading = "Splits")]
    pub(crate) groups: Option<String>,
    /// Judge every row by all others
    #[arg(long, conflicts_with_all = ["folds", "repeats", "groups"], help_heading = "Splits")]
    pub(crate) leave_one_out: bool,
    /// Folds inside every training part, by which size and cost are chosen
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = "Splits")]
    pub(crate) inner: usize,
    /// Shuffle the labels first: every method must then be at chance
    #[arg(long, help_heading = "Splits")]
    pub(crate) permute_labels: bool,
    /// The kernel of the SVM that judges
    #[arg(long, value_name = "KERNEL", default_value = "rbf", help_heading = "Judge")]
    pub(crate) kernel: KernelArg,
    /// Gamma of the RBF kernel: scale (1 / (features * variance)), auto (1 / features), or a number
    #[arg(long, value_name = "GAMMA", default_value = "scale", help_heading = "Judge")]
    pub(crate) gamma: String,
    /// The costs C to choose from, comma-separated
    #[arg(long, value_name = "C", value_delimiter = ',', default_value = "1,10,100", help_heading = "Judge")]
    pub(crate) costs: Vec<f64>,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Threads; 0 for all cores. The result does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
    /// Write the whole record, every fold with its rows, features and answers, to a file
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Print the record as JSON instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum KernelArg {
    /// Inner products
    Linear,
    /// Radial: falls with the squared distance
    Rbf,
}
