//! All tests of a comparison.

use super::post_hoc::{BonferroniDunn, Nemenyi, bonferroni_dunn, nemenyi};
use super::wilcoxon::{WilcoxonHolm, holm, wilcoxon};
use super::{Friedman, Scores, StatisticsError, average_ranks};
use serde::Serialize;
use std::collections::BTreeMap;

/// The version of the format.
pub const SCHEMA: &str = "rulesieve/comparison/1";

/// Options of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct CompareOptions {
    /// The method that the others are compared with; by default the one with the best average rank.
    pub control: Option<String>,
    /// Significance level.
    pub alpha: f64,
    /// Whether higher scores are better.
    pub higher_is_better: bool,
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self { control: None, alpha: 0.05, higher_is_better: true }
    }
}

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// [`SCHEMA`].
    pub schema: String,
    /// Number of data sets.
    pub datasets: usize,
    /// The methods, best average rank first.
    pub methods: Vec<String>,
    /// Significance level.
    pub alpha: f64,
    /// Whether higher scores are better.
    pub higher_is_better: bool,
    /// Friedman's test of any difference.
    pub friedman: Friedman,
    /// The average rank of every method.
    pub average_ranks: BTreeMap<String, f64>,
    /// Whether the control was chosen by these scores. Tests against it are then too liberal.
    pub control_chosen: bool,
    /// Comparison of average ranks with the control.
    pub bonferroni_dunn: BonferroniDunn,
    /// Comparison of average ranks of all pairs.
    pub nemenyi: Nemenyi,
    /// Signed-rank tests against the control.
    pub wilcoxon_holm: Vec<WilcoxonHolm>,
}

/// Ranks the methods and tests their differences.
///
/// # Errors
/// Fails for a significance level outside 1e-6 to 0.5, or an unknown control.
pub fn compare(scores: &Scores, options: &CompareOptions) -> Result<Comparison, StatisticsError> {
    let alpha = options.alpha;
    if !(1e-6..0.5).contains(&alpha) {
        return Err(StatisticsError::Alpha { alpha });
    }
    let (methods, datasets) = (scores.methods(), scores.rows().len());
    let ranks = average_ranks(scores, options.higher_is_better);
    let mut order: Vec<usize> = (0..methods.len()).collect();
    order.sort_by(|&a, &b| ranks[a].total_cmp(&ranks[b]));
    let control = match &options.control {
        Some(name) => scores.find(name)?,
        None => order[0],
    };
    Ok(Comparison {
        schema: SCHEMA.to_owned(),
        datasets,
        methods: order.iter().map(|&at| methods[at].clone()).collect(),
        alpha,
        higher_is_better: options.higher_is_better,
        friedman: Friedman::new(&ranks, datasets, alpha),
        average_ranks: methods.iter().cloned().zip(ranks.iter().copied()).collect(),
        control_chosen: options.control.is_none(),
        bonferroni_dunn: bonferroni_dunn(methods, &ranks, datasets, control, alpha),
        nemenyi: nemenyi(methods, &ranks, datasets, alpha),
        wilcoxon_holm: pairs(scores, &order, control, options),
    })
}

fn pairs(scores: &Scores, order: &[usize], control: usize, options: &CompareOptions) -> Vec<WilcoxonHolm> {
    let base = scores.of(control);
    let others: Vec<usize> = order.iter().copied().filter(|&at| at != control).collect();
    let tests: Vec<_> = others.iter().map(|&at| wilcoxon(&scores.of(at), &base)).collect();
    let corrected = holm(&tests.iter().map(|test| test.p).collect::<Vec<_>>());
    let described = others.iter().zip(tests).zip(corrected).map(|((&at, test), p_holm)| {
        let below = test.pairs - test.above;
        let (better, worse) = if options.higher_is_better { (test.above, below) } else { (below, test.above) };
        WilcoxonHolm {
            method: scores.methods()[at].clone(),
            better,
            equal: scores.rows().len() - test.pairs,
            worse,
            w: test.w,
            p: test.p,
            p_holm,
            different: p_holm < options.alpha,
        }
    });
    described.collect()
}
