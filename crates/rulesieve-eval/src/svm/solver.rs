//! The dual of a two-class SVM, two coefficients at a time.
//!
//! `min 1/2 b^T K b - y^T b`, `sum b = 0`, `low <= b <= high`, with `b_t = y_t alpha_t`: coefficients of class + lie in
//! `[0, C]`, those of class - in `[-C, 0]`. The slope of -objective at t is `y_t - (K b)_t`. The working set is the sample with the
//! largest slope that can increase and the partner with the largest second-order gain (Fan, Chen and Lin, JMLR 6, 2005). The solver
//! ends when the largest slope of a coefficient that can increase exceeds the smallest of one that can decrease by less than the
//! tolerance.
//!
//! Every rounding, tie and permutation is that of LIBSVM as scikit-learn runs it, so that a solver that stops after some iterations has
//! the same coefficients, too. In LIBSVM's terms a slope is `-y G`, and the sign of a number does not change its rounding.

use super::rows::Rows;
use super::scan::{Extremes, Masks, descend, extremes, partner};
use super::shrink::{self, Bounded};

/// The problem.
pub(super) struct Problem<'a> {
    pub(super) rows: Rows<'a>,
    /// 1 or -1 for each sample.
    pub(super) signs: Vec<f64>,
    /// The bound of `|b|` for each sample.
    pub(super) costs: Vec<f64>,
    pub(super) tolerance: f64,
    pub(super) shrinking: bool,
    /// Maximum number of iterations, if any.
    pub(super) max_iter: Option<usize>,
}

/// Coefficients and offset of the decision function.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Solution {
    pub(super) coefficients: Vec<f64>,
    pub(super) offset: f64,
    pub(super) converged: bool,
}

/// The samples, active ones first.
pub(super) struct State {
    /// Their original indices.
    pub(super) order: Vec<usize>,
    /// Number of active samples.
    pub(super) active: usize,
    pub(super) slopes: Vec<f64>,
    pub(super) coefficients: Vec<f64>,
    pub(super) bounds: Vec<(f64, f64)>,
    /// The diagonal of the kernel matrix.
    pub(super) diagonal: Vec<f64>,
    pub(super) masks: Masks,
    pub(super) bounded: Bounded,
}

impl State {
    fn new(problem: &Problem) -> Self {
        let count = problem.signs.len();
        let bound = |(sign, cost): (&f64, &f64)| if *sign > 0.0 { (0.0, *cost) } else { (-cost, 0.0) };
        let mut state = Self {
            order: (0..count).collect(),
            active: count,
            slopes: problem.signs.clone(),
            coefficients: vec![0.0; count],
            bounds: problem.signs.iter().zip(&problem.costs).map(bound).collect(),
            diagonal: problem.rows.diagonal(),
            masks: Masks { up: vec![0.0; count], down: vec![0.0; count] },
            bounded: Bounded::default(),
        };
        (0..count).for_each(|at| state.update_mask(at));
        state
    }

    /// Updates whether a coefficient can increase or decrease.
    pub(super) fn update_mask(&mut self, at: usize) {
        let (low, high) = self.bounds[at];
        let value = self.coefficients[at];
        self.masks.up[at] = if value < high { 0.0 } else { f64::NEG_INFINITY };
        self.masks.down[at] = if value > low { 0.0 } else { f64::INFINITY };
    }

    /// Returns the bound that a coefficient is at, unless that is zero.
    fn full(&self, at: usize) -> Option<f64> {
        let (low, high) = self.bounds[at];
        match self.coefficients[at] {
            value if high > 0.0 && value >= high => Some(high),
            value if low < 0.0 && value <= low => Some(low),
            _ => None,
        }
    }

    pub(super) fn extremes(&self) -> Extremes {
        extremes(&self.slopes[..self.active], &self.masks)
    }
}

/// Maximum number of steps if no other is given. scikit-learn has no limit; large costs on data that are not separable can take tens of millions.
const MAX_STEPS: usize = 1_000_000_000;
/// Number of steps between two calls of `stop`.
const STOP_INTERVAL: usize = 1 << 16;

/// Solves the problem; ends early when `stop` returns true.
pub(super) fn solve(mut problem: Problem, stop: &(dyn Fn() -> bool + Sync)) -> Solution {
    let count = problem.signs.len();
    let mut state = State::new(&problem);
    let interval = count.min(1000);
    let (mut until_shrink, mut unshrunk) = (interval, false);
    let mut found = state.extremes();
    let (mut steps, mut converged) = (0, false);
    let limit = problem.max_iter.unwrap_or(MAX_STEPS);
    while steps < limit && !(steps % STOP_INTERVAL == STOP_INTERVAL - 1 && stop()) {
        if problem.shrinking && until_shrink == 0 {
            until_shrink = interval;
            shrink::shrink(&mut state, &mut problem, &mut unshrunk);
            found = state.extremes();
        }
        let mut next = pair(&state, &mut problem.rows, found, problem.tolerance);
        if next.is_none() && state.active < count {
            shrink::unshrink(&mut state, &mut problem);
            found = state.extremes();
            until_shrink = 1;
            next = pair(&state, &mut problem.rows, found, problem.tolerance);
        }
        let Some((i, j)) = next else {
            converged = true;
            break;
        };
        found = step(&mut state, &mut problem.rows, i, j);
        if state.bounded.is_long() {
            state.bounded.update(&mut problem.rows);
        }
        until_shrink = until_shrink.saturating_sub(1);
        steps += 1;
    }
    // Without convergence the offset is that of the active samples.
    let mut solution = Solution { offset: offset(&state), coefficients: vec![0.0; count], converged };
    let found = state.order.iter().zip(&state.coefficients);
    found.for_each(|(&sample, &coefficient)| solution.coefficients[sample] = coefficient);
    solution
}

/// Chooses the working set; `None` if the tolerance is met.
fn pair(state: &State, rows: &mut Rows, found: Extremes, tolerance: f64) -> Option<(usize, usize)> {
    if found.top - found.bottom < tolerance {
        return None;
    }
    let (i, sample) = (found.top_at, state.order[found.top_at]);
    rows.prepare(sample);
    let slopes = &state.slopes[..state.active];
    partner(slopes, &state.masks, &state.diagonal, found.top, (rows.get(sample), state.diagonal[i])).map(|j| (i, j))
}

/// Optimises two coefficients within their bounds.
fn step(state: &mut State, rows: &mut Rows, i: usize, j: usize) -> Extremes {
    let (first, second) = (state.order[i], state.order[j]);
    // Prepares both rows, because one may have been removed from the cache.
    rows.prepare(second);
    rows.prepare(first);
    let (a, b) = (rows.get(first), rows.get(second));
    let curvature = state.diagonal[i] + state.diagonal[j] - 2.0 * f64::from(a[j]);
    let curvature = if curvature > 0.0 { curvature } else { 1e-12 };
    let before = (state.coefficients[i], state.coefficients[j]);
    let full = [i, j].map(|at| state.full(at));
    let length = (state.slopes[i] - state.slopes[j]) / curvature;
    let after = moved(before, length, (state.bounds[i], state.bounds[j]));
    (state.coefficients[i], state.coefficients[j]) = after;
    for (at, full) in [i, j].into_iter().zip(full) {
        state.update_mask(at);
        let (sample, now) = (state.order[at], state.full(at));
        state.bounded.change(sample, full, now);
    }
    let active = state.active;
    descend(&mut state.slopes[..active], &state.masks, (after.0 - before.0, after.1 - before.1), a, b)
}

/// Moves two coefficients by a length, the first one up. If they leave their bounds, the one that meets its bound first is set to it,
/// and the other one to the rest of their sum.
fn moved(before: (f64, f64), length: f64, (first, second): ((f64, f64), (f64, f64))) -> (f64, f64) {
    let sum = before.0 + before.1;
    let after = (before.0 + length, before.1 - length);
    let (high, low) = (first.1, second.0);
    // If both meet their bounds at once, the second one decides where the sign of the first is positive.
    let first_meets = if high > 0.0 { sum > high + low } else { sum >= high + low };
    match first_meets {
        true if after.0 > high => (high, sum - high),
        false if after.1 < low => (sum - low, low),
        _ => after,
    }
}

/// Returns the mean slope of the active samples between their bounds; without any, the middle of the interval allowed by the bounds.
fn offset(state: &State) -> f64 {
    let (mut sum, mut free, mut least, mut most) = (0.0, 0_usize, f64::INFINITY, f64::NEG_INFINITY);
    for (at, &slope) in state.slopes[..state.active].iter().enumerate() {
        match (state.masks.up[at] == 0.0, state.masks.down[at] == 0.0) {
            (true, true) => (sum, free) = (sum + slope, free + 1),
            (true, false) => most = most.max(slope),
            (false, _) => least = least.min(slope),
        }
    }
    if free > 0 { sum / free as f64 } else { (least + most) / 2.0 }
}
