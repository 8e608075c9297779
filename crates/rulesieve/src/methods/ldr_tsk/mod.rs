//! `ldr-tsk`: the paper's method (Liu, Cai and Li, IEEE Transactions on Fuzzy Systems 33, 2025).
//!
//! Minimises, over a low-dimensional representation X_hat, firing strengths F, consequents (P, p0) and a projection Q,
//!
//! `J = sum_i r_i^2 + gamma |P|_F^2 + alpha |X Q - X_hat|_F^2 + beta |Q|_2,1`, `F > 0`, `Q^T Q = I`,
//! `r_i = <f_i, x_hat_i P + p0> - y_i`,
//!
//! and ranks the columns of X by the row lengths of Q. X is n x m, min-max scaled.
//!
//! | where | what |
//! |---|---|
//! | `params` | every parameter with default, range and purpose |
//! | `objective` | J by term (Eq. "obj") |
//! | `gradient` | derivatives of J and of the barrier |
//! | `model` | rule outputs and residuals (Eq. "obj2") |
//! | `projection` | Algorithm 1: the Q step, fast on both sides of n = m |
//! | `fit` | Algorithm 2: the loop |
//! | `state` | the variables and their seeded start |
//! | `antecedents` | the IF part that the paper leaves out, recovered from F (approximate) |
//!
//! F > 0 holds by the floor F >= 1e-6 after every step: Adam's steps do not know the barrier, and 1/F and its derivative
//! stay finite. The paper does not say what happens to an entry that a step would make negative.
//!
//! Cost of an iteration: O(n^2 (m + d)) for n < m, O(m^2 (m + d) + n m d) otherwise.
//! The constraint on Q is only approached (Lambda is diagonal and takes one small step): the distance is reported.

pub(crate) mod antecedents;
pub(crate) mod fit;
mod gradient;
mod model;
mod objective;
pub(crate) mod params;
#[cfg(test)]
mod parity;
pub(crate) mod projection;
pub(crate) mod state;

use super::settings::Settings;
use super::{Certainty, Firing, Fit, FitError, Iteration, MethodInfo, Prepared, Problem};
use crate::optim::Observer;
use crate::warning::Warning;
use objective::Terms;
use params::{Params, Targets};
use projection::Decomposed;
use state::State;

/// The values of every weight that the paper tries.
static GRID: [f64; 5] = [0.01, 0.1, 1.0, 10.0, 100.0];

pub(super) static INFO: MethodInfo = MethodInfo {
    name: "ldr-tsk",
    title: "ldr-tsk",
    summary: "fuzzy rules on a learned low-dimensional representation; row lengths of its projection (the paper)",
    source: "Liu, Cai and Li, IEEE Transactions on Fuzzy Systems 33, 2025, doi 10.1109/TFUZZ.2025.3608935",
    certainty: Certainty::Article,
    cost: "O(n^2 (m + d)) an iteration for n < m, else O(m^2 (m + d) + n m d)",
    grid: &[("alpha", &GRID), ("beta", &GRID), ("gamma", &GRID)],
    params: &params::SPECS,
    ..MethodInfo::DEFAULT
};

pub(super) fn prepare(problem: Problem<'_>) -> Result<Box<dyn Prepared + '_>, FitError> {
    Ok(Box::new(OnRows { decomposed: Decomposed::new(&problem.design.x)?, problem }))
}

/// The training rows with what all fits on them share.
struct OnRows<'a> {
    problem: Problem<'a>,
    decomposed: Decomposed<'a>,
}

impl Prepared for OnRows<'_> {
    fn fit(&self, settings: &Settings, seed: u64, observer: &mut dyn Observer) -> Result<Fit, FitError> {
        let (target, x) = (self.problem.target, &self.problem.design.x);
        let params = Params::new(settings, x.rows(), x.cols())?;
        let codes = match params.targets {
            Targets::NumbersByAppearance => target.codes_by_appearance(),
            Targets::ClassNumbers | Targets::OneHot => target.codes().to_vec(),
        };
        let y = fit::coded_targets(&codes, target.classes().len(), params.targets);
        let start = State::start(x.rows(), y.cols(), &params, seed);
        let outcome = fit::fit(&self.decomposed, &y, &params, start, observer)?;
        // A feature of several columns has the length of its rows taken together.
        let block_length = |block: &std::ops::Range<usize>| {
            outcome.row_lengths[block.clone()].iter().map(|length| length * length).sum::<f64>().sqrt()
        };
        let iteration = Iteration {
            count: outcome.iterations,
            converged: outcome.converged,
            halted: outcome.halted,
            terms: &Terms::NAMES,
            trace: outcome.trace.iter().map(|terms| terms.values().to_vec()).collect(),
            diagnostics: outcome.orthogonality_gap.map(|gap| ("orthogonality_gap", gap)).into_iter().collect(),
        };
        let firing = Firing { latent: outcome.latent, strengths: outcome.state.f, ridge: params.gamma };
        let rise =
            iteration.rose().map(|(iteration, smallest, last)| Warning::ObjectiveRose { iteration, smallest, last });
        Ok(Fit {
            warnings: rise.into_iter().collect(),
            resolved: params.resolved(),
            scores: self.problem.design.blocks.iter().map(block_length).collect(),
            iteration: Some(iteration),
            firing: Some(firing),
            ..Fit::default()
        })
    }
}
