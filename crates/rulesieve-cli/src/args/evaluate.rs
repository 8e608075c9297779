//! What can be said to `evaluate`.

use super::{Coding, DataArgs, InputArgs, ReportArgs, at_least_one, count, seed};
use clap::{Args, ValueEnum};
use rulesieve_eval::evaluate::usual;
use std::path::PathBuf;

pub(super) const EVALUATE_EXAMPLES: &str = "\
Examples:
  rulesieve evaluate data.csv --target class --methods sieve,ldr-tsk,anova
  rulesieve evaluate data.csv --target class --methods anova --top 10 --folds 5 --repeats 3 --output evaluation.json
  rulesieve evaluate data.csv --target class --methods ldr-tsk,anova --curve --report evaluation.html
  rulesieve evaluate data.csv --target class --records runs.sqlite --resume        (goes on where it was killed)
  rulesieve evaluate data.csv --target class --methods ldr-tsk --protocol paper
  rulesieve evaluate houses.csv --target price --task regression --methods sieve --curve
  rulesieve evaluate visits.csv --target ill --groups patient --methods anova,variance --missing median
  rulesieve evaluate data.csv --target class --methods ldr-tsk --grid ldr-tsk:alpha=1,10 --set ldr-tsk:beta=1
  rulesieve evaluate data.csv --target class --methods anova --permute-labels      (must give chance)

Protocols:
  nested          In every fold, missing values, coding, scaling, ranking, the number of features (unless given), the settings of the
                  method and the cost C of the SVM that judges are learned or chosen on the training rows alone, by inner folds, with
                  at most as many settings for every method. (Only --bins cuts the target by all rows.)
  paper           Every setting of the method's grid is judged by the folds, and the best mean is shown; a third of the features,
                  C = 1. Choosing by the test rows flatters; for comparing with printed figures.
  paper-per-fold  In every fold the setting that does best on its test rows: an optimistic bound.

Baselines: the most frequent class (or the mean), all features, features in random order. Stability is Nogueira's measure; its
interval takes the folds as independent and is a little too short. The last column is the corrected resampled t-test (Nadeau and
Bengio) of the first method against each other one, not corrected for the number of methods; a value above 0.05 does not show a
difference. One by one, all rows are judged together.";

#[derive(Debug, Clone, Args)]
pub(crate) struct EvaluateArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// The methods, comma-separated; the first one is compared with the others
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "sieve,anova")]
    pub(crate) methods: Vec<String>,
    /// Set a parameter of one of the methods; may be repeated
    #[arg(long = "set", value_name = "METHOD:NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// How categories become numbers
    #[arg(long, value_name = "CODING", default_value = "one-hot", help_heading = "Data")]
    pub(crate) categorical_coding: Coding,
    /// How everything that can be chosen is chosen; explained below
    #[arg(long, value_name = "PROTOCOL", default_value = "nested")]
    pub(crate) protocol: ProtocolArg,
    /// Values of a parameter of one of the methods to choose from, in place of its own grid; may be repeated
    #[arg(long, value_name = "METHOD:NAME=VALUE,...")]
    pub(crate) grid: Vec<String>,
    /// Settings of each method to choose from: its defaults and points drawn from its grid [default: 4; all for the paper's protocols]
    ///
    /// 1 takes the defaults alone, which is several times faster.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) points: Option<usize>,
    /// Keep this many features [default: chosen by sieve itself, else by inner folds among 1, 2, 3, 5, 8, ...; a third for the paper's protocols]
    #[arg(long, value_name = "N", conflicts_with = "fraction", allow_negative_numbers = true, value_parser = count)]
    pub(crate) top: Option<usize>,
    /// Keep this share of the features, rounded down
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    pub(crate) fraction: Option<f64>,
    /// native: keep as many features as each method's own rule does; a third for methods without one
    #[arg(long, value_name = "RULE", conflicts_with_all = ["top", "fraction"])]
    pub(crate) size: Option<NativeArg>,
    /// Folds in which the classes have their shares
    #[arg(long, value_name = "N", default_value_t = usual::FOLDS, help_heading = "Splits")]
    pub(crate) folds: usize,
    /// Draw the folds this many times
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one, help_heading = "Splits")]
    pub(crate) repeats: usize,
    /// Keep rows with the same value of this column (name or number) in one fold; the column is no feature
    #[arg(long, value_name = "COLUMN", conflicts_with = "repeats", help_heading = "Splits")]
    pub(crate) groups: Option<String>,
    /// Judge every row by all others
    #[arg(long, conflicts_with_all = ["folds", "repeats", "groups"], help_heading = "Splits")]
    pub(crate) leave_one_out: bool,
    /// Folds inside every training part, by which size, settings and cost are chosen [default: 5]
    #[arg(long, value_name = "N", help_heading = "Splits")]
    pub(crate) inner: Option<usize>,
    /// Measure stability on this many random halves of the rows instead of the training parts of the folds
    #[arg(long, value_name = "B", help_heading = "Splits")]
    pub(crate) subsample: Option<usize>,
    /// Also measure the score of the best 1, 2, 3, 5, 8, ... features
    #[arg(long)]
    pub(crate) curve: bool,
    /// Shuffle the labels first: every method must then be at chance
    #[arg(long, help_heading = "Splits")]
    pub(crate) permute_labels: bool,
    /// Who answers the rows left out [default: svm; knn for numbers]
    #[arg(long, value_name = "JUDGE", help_heading = "Judge")]
    pub(crate) judge: Option<JudgeArg>,
    /// The kernel of the SVM [default: rbf]
    #[arg(long, value_name = "KERNEL", help_heading = "Judge")]
    pub(crate) kernel: Option<KernelArg>,
    /// Gamma of the RBF kernel: scale (1 / (features * variance)), auto (1 / features), or a number [default: scale]
    #[arg(long, value_name = "GAMMA", help_heading = "Judge")]
    pub(crate) gamma: Option<String>,
    /// The costs C of the SVM to choose from, comma-separated [default: 1,10,100; 1 for the paper's protocols]
    #[arg(long, value_name = "C", value_delimiter = ',', help_heading = "Judge")]
    pub(crate) costs: Option<Vec<f64>>,
    /// The numbers of neighbours to choose from, comma-separated [default: 1,3,5,9,15; 5 for the paper's protocols]
    #[arg(long, value_name = "K", value_delimiter = ',', help_heading = "Judge")]
    pub(crate) neighbours: Option<Vec<usize>>,
    /// Keep every outcome as soon as it is there in this file (SQLite), which may hold many runs; `rulesieve records` reads it
    #[arg(long, value_name = "FILE", help_heading = "Records")]
    pub(crate) records: Option<PathBuf>,
    /// Go on with the newest run of that file with the same data and wishes; where there is none, begin one
    #[arg(long, help_heading = "Records")]
    pub(crate) resume: bool,
    /// End after this many seconds and say what the folds done by then give
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub(crate) time_budget: Option<f64>,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = seed)]
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
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum KernelArg {
    /// Inner products
    Linear,
    /// Radial: falls with the squared distance
    Rbf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum NativeArg {
    /// The method's own rule
    Native,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProtocolArg {
    /// Inside the training part
    Nested,
    /// By the mean over all test parts
    Paper,
    /// By each test part
    PaperPerFold,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum JudgeArg {
    /// Support vector machine, for classes
    Svm,
    /// Nearest neighbours
    Knn,
    /// Fuzzy rules
    Tsk,
    /// Fuzzy classifier trained by gradients, for classes
    Htsk,
}

pub(super) const RECORDS_EXAMPLES: &str = "\
Examples:
  rulesieve evaluate data.csv --target class --records runs.sqlite
  rulesieve records runs.sqlite                       (lists its runs)
  rulesieve records runs.sqlite --run 1               (the table of a run, without the data)
  rulesieve records runs.sqlite --run 1 --output evaluation.json";

#[derive(Debug, Clone, Args)]
pub(crate) struct RecordsArgs {
    /// A file that `evaluate --records` wrote
    pub(crate) file: PathBuf,
    /// The run to show
    #[arg(long, value_name = "N")]
    pub(crate) run: Option<i64>,
    /// Write the whole record of the run to a file
    #[arg(long, short, value_name = "FILE", requires = "run")]
    pub(crate) output: Option<PathBuf>,
    /// Print JSON instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}
