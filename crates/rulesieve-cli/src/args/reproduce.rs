//! What can be said to `reproduce`.

use super::at_least_one;
use super::originals::OriginalsArgs;
use clap::Args;
use std::path::PathBuf;

pub(super) const REPRODUCE_EXAMPLES: &str = "\
Examples:
  A little, in seconds:
    rulesieve reproduce --data datasets --out results --only vote,wdbc --methods anova --points 5
  Everything, in hours; the same with --resume goes on after an interruption:
    rulesieve reproduce --data datasets --out results
  Tables and figures from the project's own records, without a fit:
    rulesieve reproduce --tables-only --cells experiments/reproduction --out results
  The archives' files turned into data sets, and a look whether they are what they must be:
    rulesieve reproduce --originals downloads --data datasets
    rulesieve reproduce --data datasets --check

OUT holds the records (records.sqlite: every outcome; cells: the scores behind every table) and,
made anew from them every time, tables as CSV, figures as SVG with their data as CSV,
reproduction.md and reproduction.html. Data sets that are absent are skipped and named;
docs/datasets.md says where to get them.";

#[derive(Debug, Clone, Args)]
pub(crate) struct ReproduceArgs {
    /// The folder of data sets
    #[arg(long, value_name = "DIR", required_unless_present = "tables_only")]
    pub(crate) data: Option<PathBuf>,
    /// The folder for records, tables and figures; made if it is not there
    // The default only fills the place where nothing is written there.
    #[arg(long, short, value_name = "DIR", default_value = ".", hide_default_value = true)]
    #[arg(required_unless_present_any = ["originals", "check"])]
    pub(crate) out: PathBuf,
    /// Only these data sets
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Only these methods; those of the protocol if not given
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(crate) methods: Vec<String>,
    /// The protocols: paper (which also gives paper-per-fold), paper-native (methods with gates keep what their own rule
    /// keeps), nested
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', default_value = "paper,paper-native,nested")]
    pub(crate) protocol: Vec<String>,
    /// Try at most N settings of any method, the defaults among them
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) points: Option<usize>,
    /// Go on with the records that OUT holds
    #[arg(long)]
    pub(crate) resume: bool,
    /// Stop after this many seconds; what is done is kept and shown
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub(crate) budget: Option<f64>,
    /// The folder of cells; OUT/cells if not given
    #[arg(long, value_name = "DIR")]
    pub(crate) cells: Option<PathBuf>,
    /// Fit nothing: make tables and figures from the cells alone
    #[arg(long, conflicts_with_all = ["data", "resume", "budget", "points", "threads"])]
    pub(crate) tables_only: bool,
    /// Threads; 0 takes all cores. Results do not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
    #[command(flatten)]
    pub(crate) files: OriginalsArgs,
}
