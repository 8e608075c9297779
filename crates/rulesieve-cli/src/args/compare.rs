//! Arguments of `compare`.

use super::{FormatArgs, InputArgs};
use clap::Args;

pub(super) const COMPARE_EXAMPLES: &str = "\
Examples:
  rulesieve compare accuracy.csv --control ours
  rulesieve compare errors.csv --lower-is-better --alpha 0.1 --json

The table has a row for each data set and a column for each method; the first column names the data sets. For example:

  data,ours,anova,relieff
  vote,0.961,0.952,0.949
  wdbc,0.970,0.953,0.956
  vowel,0.672,0.686,0.601

Friedman's test (with the F statistic of Iman and Davenport) tests whether any methods differ. Bonferroni-Dunn and Nemenyi \
give critical differences of average ranks. Wilcoxon's signed-rank test with Holm's correction compares each method with the \
control, independently of the other methods. Ties share their mean rank; critical values q are rounded to three digits.";

#[derive(Debug, Clone, Args)]
pub(crate) struct CompareArgs {
    /// Control method that all others are compared with; choose it before looking at the scores
    ///
    /// By default the method with the best average rank, which makes the tests too liberal.
    #[arg(long, value_name = "NAME")]
    pub(crate) control: Option<String>,
    /// Significance level
    #[arg(long, value_name = "LEVEL", default_value_t = 0.05, allow_negative_numbers = true)]
    pub(crate) alpha: f64,
    /// Lower scores are better, as for errors
    #[arg(long)]
    pub(crate) lower_is_better: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}
