//! Arguments of `evaluate` and `records`.

use super::{Coding, DataArgs, FormatArgs, InputArgs, ReportArgs, SizeArgs, at_least_one, seed, whole};
use clap::Args;
use rulesieve_eval::TimeBudget;
use rulesieve_eval::evaluate::{ClassOrder, EstimatorKind, KernelKind, Protocol};
use rulesieve_eval::svm::Gamma;
use std::path::PathBuf;

pub(super) const EVALUATE_EXAMPLES: &str = "\
Examples:
  rulesieve evaluate data.csv --target class --methods sieve,ldr-tsk,anova
  rulesieve evaluate data.csv -t class --methods anova --top 10 --repeats 3
  rulesieve evaluate data.csv -t class --curve --report evaluation.html
  rulesieve evaluate data.csv -t class --records runs.sqlite --resume
  rulesieve evaluate data.csv --target class --methods ldr-tsk --protocol paper
  rulesieve evaluate houses.csv -t price --methods sieve --curve
  rulesieve evaluate visits.csv -t ill --groups patient --methods anova
  rulesieve evaluate sales.csv -t returned --split time=date
  rulesieve evaluate long.csv -t class --time-budget 60
  rulesieve evaluate data.csv -t class --thorough --records runs.sqlite
  rulesieve evaluate data.csv -t class --methods ldr-tsk --set ldr-tsk:beta=1
  rulesieve evaluate data.csv -t class --methods anova --permute-labels
  rulesieve evaluate data.csv -t class --methods anova --size one-se

Without --methods, the methods and folds are chosen so that small tables take seconds; --thorough takes more of everything. \
Tables with more rows than --estimator-rows train the estimator on a sample of the training rows.

Protocols:

nested: In each fold, imputation, coding, scaling, ranking, the number of features (unless given), the settings of the \
method and the cost C of the SVM use only the training rows. Inner folds choose among at most --points settings \
of each method. (Exception: --bins uses all rows.)

paper: Scores every setting of the method's grid on the test rows and reports the best mean, with 1/3 of the features \
and C = 1. The scores are optimistic; use them for comparison with published results.

paper-per-fold: Reports, in each fold, the setting with the best score on its test rows: an optimistic bound.

paper-as-run, paper-as-run-per-fold: As the two above in the way in which the paper's tables were computed: columns are scaled by \
all rows before the split, the folds are those of scikit-learn with random_state=42, the SVM stops after 200 iterations, and \
deviations divide by the number of folds. Test rows leak into scaling and choices, and the SVM has not converged: use them only to \
reproduce the printed tables.

Scores: accuracy, macro-F1, ROC AUC and average precision (column `precision`): of the last of two classes in alphabetical \
order, for more classes the mean of each against all others. JSON adds balanced accuracy, the correlation coefficient mcc and \
all deviations. R2 is that of the predictions of all folds together, with its deviation over the folds.

Baselines: the most frequent class (or the mean), all features, features in random order. Stability is Nogueira's measure; its \
interval assumes independent folds and is slightly too short. The last column is the p-value of the corrected resampled t-test \
(Nadeau and Bengio) between the first method and each other one, not corrected for the number of methods. Leave-one-out \
scores all rows together.";

/// The column of `--split time=COLUMN`.
#[derive(Debug, Clone)]
pub(crate) struct SplitBy {
    pub(crate) time: String,
}

fn split_by(text: &str) -> Result<SplitBy, String> {
    match text.split_once('=') {
        Some(("time", column)) if !column.is_empty() => Ok(SplitBy { time: column.to_owned() }),
        _ => Err("it must be time=COLUMN, for example time=date".to_owned()),
    }
}

/// The value of `--estimator-rows`.
#[derive(Debug, Clone, Copy)]
pub(crate) enum EstimatorRows {
    All,
    AtMost(usize),
}

fn estimator_rows(text: &str) -> Result<EstimatorRows, String> {
    if text == "all" {
        return Ok(EstimatorRows::All);
    }
    let rows = text.parse().map_err(|_| "it must be a whole number, or all".to_owned());
    rows.map(EstimatorRows::AtMost)
}

#[derive(Debug, Clone, Args)]
pub(crate) struct EvaluateArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// The methods, comma-separated; the first one is compared with the others [default: sieve, anova, mutual-info and mrmr, as far as
    /// they support the task; all with --thorough]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) methods: Vec<String>,
    /// All methods that support the task, 10 folds 3 times, a curve, and more training rows for the estimator; takes minutes to hours
    ///
    /// Options that are given explicitly take precedence.
    #[arg(long)]
    pub(crate) thorough: bool,
    /// Set a parameter of one of the methods; may be repeated
    #[arg(long = "set", value_name = "METHOD:NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// Coding of categorical features
    #[arg(long, value_name = "CODING", default_value = "one-hot", help_heading = "Data")]
    pub(crate) categorical_coding: Coding,
    /// Evaluation protocol: nested, paper, paper-per-fold, paper-as-run or paper-as-run-per-fold (see below)
    #[arg(long, value_name = "PROTOCOL", default_value = "nested")]
    pub(crate) protocol: Protocol,
    /// Search these values of a parameter instead of those of the method's grid; may be repeated
    #[arg(long, value_name = "METHOD:NAME=VALUE,...")]
    pub(crate) grid: Vec<String>,
    /// Number of settings to search per method: its defaults and random points of its grid [default: 4; all for the paper's protocols]
    ///
    /// 1 uses only the defaults and is several times faster.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) points: Option<usize>,
    #[command(flatten)]
    pub(crate) size: SizeArgs,
    /// Number of stratified folds [default: 10; 5 above 1000 rows or in the order of time]
    #[arg(long, allow_negative_numbers = true, value_parser = whole, value_name = "N", help_heading = "Splits")]
    pub(crate) folds: Option<usize>,
    /// Number of repetitions with new folds [default: 1]
    #[arg(long, value_name = "N", value_parser = at_least_one, help_heading = "Splits")]
    pub(crate) repeats: Option<usize>,
    /// Keep rows with the same value of this column (name or number) in one fold; the column is not a feature
    #[arg(long, value_name = "COLUMN", conflicts_with = "repeats", help_heading = "Splits")]
    pub(crate) groups: Option<String>,
    /// Keep the order of time: time=COLUMN trains on the rows before the test rows; the column is not a feature
    ///
    /// The rows are cut into blocks of time of about equal size, one more than folds; each block but the first is tested. The column
    /// holds numbers, or dates such as 2026-03-14. Rows of the same time stay together. Inner folds keep the order, too.
    #[arg(long, value_name = "time=COLUMN", value_parser = split_by, conflicts_with_all = ["repeats", "groups"], help_heading = "Splits")]
    pub(crate) split: Option<SplitBy>,
    /// With --split, train on the N blocks before the test rows (a rolling window) instead of all (an expanding window)
    #[arg(long, value_name = "N", value_parser = at_least_one, requires = "split", help_heading = "Splits")]
    pub(crate) window: Option<usize>,
    /// Leave-one-out cross-validation
    #[arg(long, conflicts_with_all = ["folds", "repeats", "groups", "split"], help_heading = "Splits")]
    pub(crate) leave_one_out: bool,
    /// Number of inner folds, which choose the size, settings and cost on the training rows [default: 5]
    #[arg(long, allow_negative_numbers = true, value_parser = whole, value_name = "N", help_heading = "Splits")]
    pub(crate) inner: Option<usize>,
    /// Measure stability on this many random subsamples of half the rows instead of the training rows of the folds
    #[arg(long, allow_negative_numbers = true, value_parser = whole, value_name = "B", help_heading = "Splits")]
    pub(crate) subsample: Option<usize>,
    /// Also score the best 1, 2, 3, 5, 8, ... features
    #[arg(long)]
    pub(crate) curve: bool,
    /// Shuffle the labels first; every method must then score at chance level
    #[arg(long, help_heading = "Splits")]
    pub(crate) permute_labels: bool,
    /// Estimator that scores the held-out rows: svm, knn, tsk (fuzzy rules) or htsk (fuzzy classifier) [default: svm; knn for regression]
    #[arg(long, value_name = "ESTIMATOR", help_heading = "Estimator")]
    pub(crate) estimator: Option<EstimatorKind>,
    /// Kernel of the SVM: linear or rbf [default: rbf]
    #[arg(long, value_name = "KERNEL", help_heading = "Estimator")]
    pub(crate) kernel: Option<KernelKind>,
    /// Gamma of the RBF kernel: scale (1 / (features * variance)), auto (1 / features), or a number [default: scale]
    #[arg(long, value_name = "GAMMA", allow_negative_numbers = true, help_heading = "Estimator")]
    pub(crate) gamma: Option<Gamma>,
    /// Costs C of the SVM to choose from, comma-separated [default: 1,10,100; 1 for the paper's protocols]
    #[arg(long, value_name = "C", value_delimiter = ',', help_heading = "Estimator")]
    pub(crate) costs: Option<Vec<f64>>,
    /// Order of the classes in the SVM, which decides ties of votes: alphabetical, or appearance in the file [default: alphabetical]
    #[arg(long, value_name = "ORDER", help_heading = "Estimator")]
    pub(crate) class_order: Option<ClassOrder>,
    /// Numbers of neighbours to choose from, comma-separated [default: 1,3,5,9,15; 5 for the paper's protocols]
    #[arg(long, value_name = "K", value_delimiter = ',', help_heading = "Estimator")]
    pub(crate) neighbours: Option<Vec<usize>>,
    /// Train the estimator on at most N rows, drawn at random, or `all` [default: 2000; up to 20000 rows all with --thorough or the
    /// paper's protocols]
    ///
    /// Inner folds use these rows, too. Features are ranked on all training rows, and all test rows are predicted. The number is
    /// printed if there are more training rows.
    #[arg(long, value_name = "N", value_parser = estimator_rows, help_heading = "Estimator")]
    pub(crate) estimator_rows: Option<EstimatorRows>,
    /// Save each result as soon as it is computed to an SQLite file, which can hold several runs; `rulesieve records` reads it
    #[arg(long, value_name = "FILE", help_heading = "Records")]
    pub(crate) records: Option<PathBuf>,
    /// Continue the newest run in --records with the same data and options, or start one
    #[arg(long, help_heading = "Records")]
    pub(crate) resume: bool,
    /// Stop after this many seconds and report what is complete, marked as partial
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub(crate) time_budget: Option<TimeBudget>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = seed)]
    pub(crate) seed: u64,
    /// Number of threads; 0 uses all cores. Results do not depend on it
    #[arg(long, allow_negative_numbers = true, value_parser = whole, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
    /// Write the complete record, with the rows, features and predictions of each fold, to a file
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

pub(super) const RECORDS_EXAMPLES: &str = "\
Examples:
  rulesieve evaluate data.csv --target class --records runs.sqlite
  rulesieve records runs.sqlite
  rulesieve records runs.sqlite --run 1
  rulesieve records runs.sqlite --run 1 --output evaluation.json";

#[derive(Debug, Clone, Args)]
pub(crate) struct RecordsArgs {
    /// File written by `evaluate --records`
    pub(crate) file: PathBuf,
    /// Run to print
    #[arg(long, value_name = "N")]
    pub(crate) run: Option<i64>,
    /// Write the complete record of the run to a file
    #[arg(long, short, value_name = "FILE", requires = "run")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
