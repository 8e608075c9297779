//! Defaults, which are the same on the command line, in Rust and in Python.

use super::Protocol;
use super::options::{AS_RUN_ITERATIONS, AS_RUN_SEED, MAX_ROWS};
use crate::splits::Plan;
use rulesieve::data::Task;
use rulesieve::methods::Method;
use rulesieve::select::Size;
use std::collections::BTreeSet;

/// Number of inner folds.
pub const INNER: usize = 5;
/// Number of folds of small tables, and under the protocols of the paper.
const FOLDS: usize = 10;
/// Number of folds of longer tables, and of folds in the order of time.
const FEW_FOLDS: usize = 5;
/// Tables with more rows are evaluated with fewer folds, whose test rows suffice.
const SMALL_ROWS: usize = 1_000;
/// Number of repetitions of a thorough evaluation.
const REPEATS: usize = 3;
/// Maximum number of training rows of the estimator: an SVM takes seconds with more.
const ESTIMATOR_ROWS: usize = 2_000;
/// The same for a thorough evaluation and the protocols of the paper, where all rows are too many.
const MANY_ESTIMATOR_ROWS: usize = 5_000;
/// Methods that are evaluated by default: the default method and the common filters, as far as they support the task.
const METHODS: [Method; 4] = [Method::Sieve, Method::Anova, Method::MutualInfo, Method::Mrmr];

/// The methods to evaluate: the default method and common filters, or all, as far as they support the task.
pub fn methods(task: Task, thorough: bool) -> Vec<Method> {
    let all = if thorough { Method::ALL } else { &METHODS };
    let supported = |method: &Method| task == Task::Classification || method.info().regression;
    // Features in random order are a baseline.
    all.iter().copied().filter(|method| supported(method) && *method != Method::Random).collect()
}

/// Number of settings of each method to choose from; none for all settings of its grid.
pub fn points(protocol: Protocol) -> Option<usize> {
    (protocol == Protocol::Nested).then_some(4)
}

/// Costs of the SVM to choose from.
pub fn costs(protocol: Protocol) -> Vec<f64> {
    if protocol == Protocol::Nested { vec![1.0, 10.0, 100.0] } else { vec![1.0] }
}

/// Maximum number of iterations of the SVM; none for all that it needs.
pub fn max_iter(protocol: Protocol) -> Option<usize> {
    protocol.is_as_run().then_some(AS_RUN_ITERATIONS)
}

/// Numbers of neighbours to choose from.
pub fn neighbours(protocol: Protocol) -> Vec<usize> {
    if protocol == Protocol::Nested { vec![1, 3, 5, 9, 15] } else { vec![5] }
}

/// Maximum number of training rows of the estimator; none for all.
pub fn estimator_rows(protocol: Protocol, thorough: bool, rows: usize) -> Option<usize> {
    if protocol == Protocol::Nested && !thorough {
        Some(ESTIMATOR_ROWS)
    } else {
        (rows > MAX_ROWS).then_some(MANY_ESTIMATOR_ROWS)
    }
}

/// Whether a curve can be scored: under protocol `nested`, unless a rule chooses the size.
pub fn allows_curve(protocol: Protocol, size: Option<Size>) -> bool {
    protocol == Protocol::Nested && !matches!(size, Some(Size::Native | Size::Rule(_)))
}

/// How rows are split: the requested rows or their properties; absent numbers have defaults.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanOptions {
    /// Number of folds.
    pub folds: Option<usize>,
    /// Number of repetitions with new folds.
    pub repeats: Option<usize>,
    /// Whether each row is a fold.
    pub leave_one_out: bool,
    /// The group of each row: rows of a group stay in one fold.
    pub groups: Option<Vec<u32>>,
    /// The rank of the time of each row: training rows precede test rows.
    pub times: Option<Vec<u32>>,
    /// Number of blocks of time before the test rows to train on; all if absent.
    pub window: Option<usize>,
}

impl PlanOptions {
    /// The plan for a table. By default there are 10 folds (5 for more than 1000 rows or in the order of time, unless the evaluation is
    /// thorough), and at most as many as rows, groups or later times; a thorough evaluation repeats them. The protocols as run have the
    /// folds of scikit-learn, once.
    pub fn plan(self, protocol: Protocol, thorough: bool, rows: usize) -> Plan {
        let distinct = |of: &Vec<u32>| of.iter().collect::<BTreeSet<_>>().len();
        let many = protocol != Protocol::Nested || thorough || rows <= SMALL_ROWS;
        let folds = |most: usize, usual: usize| self.folds.unwrap_or(usual.min(most).max(2));
        let usual = if many { FOLDS } else { FEW_FOLDS };
        if let Some(times) = self.times {
            let folds = self.folds.unwrap_or(FEW_FOLDS.min(distinct(&times).saturating_sub(1)).max(1));
            return Plan::Time { folds, times, window: self.window };
        }
        match self.groups {
            Some(groups) => Plan::Groups { folds: folds(distinct(&groups), usual), groups },
            None if self.leave_one_out => Plan::LeaveOneOut,
            None if protocol.is_as_run() && self.repeats.unwrap_or(1) == 1 => {
                Plan::ScikitFolds { folds: folds(rows, FOLDS), seed: AS_RUN_SEED }
            }
            None => Plan::Folds {
                folds: folds(rows, usual),
                repeats: self.repeats.unwrap_or(if thorough { REPEATS } else { 1 }),
            },
        }
    }
}
