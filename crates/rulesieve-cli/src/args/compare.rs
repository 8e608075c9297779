//! What can be said to `compare`.

use super::InputArgs;
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

Friedman's test (with the F of Iman and Davenport) says whether any methods differ; Bonferroni-Dunn and Nemenyi by how much
average ranks must differ; Wilcoxon's signed ranks, corrected by Holm, compare each method with the control alone, so that
the answer does not depend on the other methods. Ranks are averaged over ties; factors q are rounded as in printed tables.";

#[derive(Debug, Clone, Args)]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// The method that all others are compared with, to be named before one sees the scores
    ///
    /// Without it, the method of the best average rank is taken, and a note says that such tests find too much.
    #[arg(long, value_name = "NAME")]
    pub(crate) control: Option<String>,
    /// The probability of finding a difference by chance that is put up with
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, allow_negative_numbers = true)]
    pub(crate) alpha: f64,
    /// Smaller scores are better, as for errors
    #[arg(long)]
    pub(crate) lower_is_better: bool,
    /// Print the comparison as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
