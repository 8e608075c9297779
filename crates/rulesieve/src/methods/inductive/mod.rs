//! `ldr-tsk-inductive`: fuzzy rules on a row-sparse projection, with firing strengths computed from the sample.
//!
//! In the paper's model (`ldr_tsk`) the firing strengths of every training sample are free, so it can neither predict
//! nor find nonlinear structure. Here they are functions of the projected sample: the network of `rule_network`, which
//! learns the projection Q together with the rules.
//!
//! | module | content |
//! |---|---|
//! | `params` | every parameter with default, range and purpose |
//! | `screen` | screening: longer initial rows of Q |
//! | `start` | random initialisation of a restart |
//! | `probes` | scores of shuffled features of several columns |
//! | `search` | several restarts in several stages |
//! | `importance` | scores from derivatives of the outputs |

mod importance;
pub(crate) mod params;
mod probes;
mod screen;
pub(crate) mod search;
mod start;

use super::settings::Settings;
use super::shared::{content_order, no_better_than_chance};
use super::{Certainty, Fit, FitError, Iteration, MethodInfo, Prepared, Problem, UNUSED};
use crate::linalg::Matrix;
use crate::optim::Observer;
use crate::rule_network::loss::Goal;
use crate::rule_network::samples::Samples;
use params::Params;
use probes::Probes;
use std::borrow::Cow;
use std::ops::Range;

/// Candidate weights of the sparsity, the most conservative last.
static BETAS: [f64; 4] = [0.1, 0.25, 0.5, 1.0];

pub(super) static INFO: MethodInfo = MethodInfo {
    name: "ldr-tsk-inductive",
    title: "ldr-tsk-inductive",
    summary: "fuzzy rules on a row-sparse projection of the sample; finds interactions, predicts",
    source: "this project, based on Liu, Cai and Li, IEEE Transactions on Fuzzy Systems 33, 2025",
    certainty: Certainty::Own,
    cost: "O(steps * batch * (m d + rules d classes)), and O(n m min(m, 512)) for the screened start",
    regression: true,
    weights: true,
    tunes: Some(("beta", &BETAS)),
    grid: &[("beta", &BETAS)],
    params: &params::SPECS,
    ..MethodInfo::DEFAULT
};

pub(super) fn prepare(problem: Problem<'_>) -> Result<Box<dyn Prepared + '_>, FitError> {
    let design = problem.design;
    let order = content_order(&design.x, &design.blocks, problem.target);
    let (x, groups) = reordered(&design.x, &design.blocks, &order);
    let (samples, _) = Samples::scaled(&x, &groups, &Goal::of(problem.target), problem.weights);
    Ok(Box::new(OnRows { order, groups, samples }))
}

/// The columns of the features in some order, and the range of each.
fn reordered(x: &Matrix, groups: &[Range<usize>], order: &[usize]) -> (Matrix, Vec<Range<usize>>) {
    let columns: Vec<usize> = order.iter().flat_map(|&feature| groups[feature].clone()).collect();
    let ends = order.iter().scan(0, |end, &feature| {
        *end += groups[feature].len();
        Some(*end - groups[feature].len()..*end)
    });
    (Matrix::from_fn(x.rows(), x.cols(), |row, col| x[(row, columns[col])]), ends.collect())
}

/// The training rows, centred and scaled once, with the features in an order that does not depend on their names.
struct OnRows {
    /// The index in the design of every feature.
    order: Vec<usize>,
    groups: Vec<Range<usize>>,
    samples: Samples,
}

impl Prepared for OnRows {
    fn fit(&self, settings: &Settings, seed: u64, observer: &mut dyn Observer) -> Result<Fit, FitError> {
        let (n, m) = (self.samples.count(), self.samples.x.rows());
        let params = Params::new(settings, n, m, self.groups.len())?;
        params.check_goal(&self.samples.goal)?;
        let mut samples = Cow::Borrowed(&self.samples);
        if params.balanced {
            samples.to_mut().balance();
        }
        let mut outcome = match Probes::new(&samples, &self.groups, seed) {
            Some(probes) => probes.corrected(search::search(&probes.samples, &probes.groups, &params, seed, observer)?),
            None => search::search(&samples, &self.groups, &params, seed, observer)?,
        };
        outcome.scores = in_design(&self.order, &outcome.scores);
        outcome.used = in_design(&self.order, &outcome.used);
        Ok(fit_of(outcome, &params))
    }
}

/// Values of the features in the order of the design.
fn in_design<T: Copy>(order: &[usize], values: &[T]) -> Vec<T> {
    let mut out = values.to_vec();
    order.iter().zip(values).for_each(|(&feature, &value)| out[feature] = value);
    out
}

/// Converts the results of a search.
pub(crate) fn fit_of(outcome: search::Outcome, params: &Params) -> Fit {
    Fit {
        warnings: no_better_than_chance(outcome.validation_loss, outcome.chance_loss).into_iter().collect(),
        resolved: params.resolved(),
        scores: outcome.scores,
        unused: (0..outcome.used.len()).filter(|&feature| !outcome.used[feature]).collect(),
        iteration: Some(Iteration {
            count: outcome.steps,
            converged: outcome.converged,
            halted: outcome.halted,
            terms: &["training_loss", "validation_loss"],
            trace: outcome.trace.iter().map(|&(training, validation)| vec![training, validation]).collect(),
            diagnostics: vec![
                ("validation_loss", outcome.validation_loss),
                ("chance_loss", outcome.chance_loss),
                (UNUSED, outcome.used.iter().filter(|used| !**used).count() as f64),
            ],
        }),
        ..Fit::default()
    }
}

#[cfg(test)]
mod tests;
