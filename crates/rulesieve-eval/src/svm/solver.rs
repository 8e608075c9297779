//! The dual of a two-class SVM, two coefficients at a time.
//!
//! `min 1/2 b^T K b - y^T b`, `sum b = 0`, `low <= b <= high`, with `b_t = y_t alpha_t`: coefficients of class + lie in
//! `[0, C]`, those of class - in `[-C, 0]`. The slope of -objective at t is `y_t - (K b)_t`. The pair is the steepest sample that
//! may grow and the partner of largest second-order gain (Fan, Chen and Lin, JMLR 6, 2005); the end is reached when the steepest
//! that may grow and the least steep that may fall differ by less than the tolerance.

use super::rows::Rows;
use super::scan::{Extremes, Gates, descend, extremes, partner};
use super::shrink;

/// The problem.
pub(super) struct Problem<'a> {
    pub(super) rows: Rows<'a>,
    /// 1 or -1 for every sample.
    pub(super) signs: Vec<f64>,
    /// The bounds of `|b|` for every sample.
    pub(super) costs: Vec<f64>,
    pub(super) tolerance: f64,
    pub(super) shrinking: bool,
}

/// Coefficients and what is added to their sum of kernels.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Solution {
    pub(super) coefficients: Vec<f64>,
    pub(super) offset: f64,
    pub(super) converged: bool,
}

/// Samples in working order; active ones come first.
pub(super) struct State {
    /// Their numbers.
    pub(super) order: Vec<usize>,
    pub(super) at_work: usize,
    pub(super) slopes: Vec<f64>,
    pub(super) coefficients: Vec<f64>,
    pub(super) bounds: Vec<(f64, f64)>,
    /// Kernels of samples with themselves.
    pub(super) own: Vec<f64>,
    pub(super) gates: Gates,
}

impl State {
    fn new(problem: &Problem) -> Self {
        let count = problem.signs.len();
        let bound = |(sign, cost): (&f64, &f64)| if *sign > 0.0 { (0.0, *cost) } else { (-cost, 0.0) };
        let mut state = Self {
            order: (0..count).collect(),
            at_work: count,
            slopes: problem.signs.clone(),
            coefficients: vec![0.0; count],
            bounds: problem.signs.iter().zip(&problem.costs).map(bound).collect(),
            own: problem.rows.own(),
            gates: Gates { up: vec![0.0; count], down: vec![0.0; count] },
        };
        (0..count).for_each(|at| state.gate(at));
        state
    }

    /// Updates whether a coefficient may grow or fall.
    pub(super) fn gate(&mut self, at: usize) {
        let (low, high) = self.bounds[at];
        let value = self.coefficients[at];
        self.gates.up[at] = if value < high { 0.0 } else { f64::NEG_INFINITY };
        self.gates.down[at] = if value > low { 0.0 } else { f64::INFINITY };
    }

    pub(super) fn extremes(&self) -> Extremes {
        extremes(&self.slopes[..self.at_work], &self.gates)
    }
}

/// Most steps of the solver: scikit-learn has no limit, and hard margins on data that cannot be separated take tens of
/// millions.
const MOST_STEPS: usize = 1_000_000_000;
/// Steps between two checks of whether to end.
const LOOK_EVERY: usize = 1 << 16;

/// Solves the problem, unless `ends` stops it.
pub(super) fn solve(mut problem: Problem, ends: &(dyn Fn() -> bool + Sync)) -> Solution {
    let count = problem.signs.len();
    let mut state = State::new(&problem);
    let pause = count.min(1000);
    let (mut until_shrink, mut opened) = (pause, false);
    let mut found = state.extremes();
    let (mut steps, mut converged) = (0, false);
    while steps < MOST_STEPS && !(steps % LOOK_EVERY == LOOK_EVERY - 1 && ends()) {
        if problem.shrinking && until_shrink == 0 {
            until_shrink = pause;
            shrink::shrink(&mut state, &mut problem, &mut opened);
            found = state.extremes();
        }
        let mut next = pair(&state, &mut problem.rows, found, problem.tolerance);
        if next.is_none() && state.at_work < count {
            shrink::open(&mut state, &mut problem);
            found = state.extremes();
            until_shrink = 1;
            next = pair(&state, &mut problem.rows, found, problem.tolerance);
        }
        let Some((i, j)) = next else {
            converged = true;
            break;
        };
        found = step(&mut state, &mut problem.rows, i, j);
        until_shrink = until_shrink.saturating_sub(1);
        steps += 1;
    }
    if state.at_work < count {
        shrink::open(&mut state, &mut problem);
    }
    shrink::in_order(&mut state);
    Solution { offset: offset(&state), coefficients: state.coefficients, converged }
}

/// The next two samples, or nothing where the tolerance is met.
fn pair(state: &State, rows: &mut Rows, found: Extremes, tolerance: f64) -> Option<(usize, usize)> {
    if found.top - found.bottom < tolerance {
        return None;
    }
    let (i, sample) = (found.top_at, state.order[found.top_at]);
    rows.ready(sample);
    let slopes = &state.slopes[..state.at_work];
    partner(slopes, &state.gates, &state.own, found.top, (rows.get(sample), state.own[i])).map(|j| (i, j))
}

/// Optimises two coefficients within their bounds.
fn step(state: &mut State, rows: &mut Rows, i: usize, j: usize) -> Extremes {
    let (first, second) = (state.order[i], state.order[j]);
    // The first one again, because the second may have pushed it out.
    rows.ready(second);
    rows.ready(first);
    let (a, b) = (rows.get(first), rows.get(second));
    let curvature = state.own[i] + state.own[j] - 2.0 * f64::from(a[j]);
    let curvature = if curvature > 0.0 { curvature } else { 1e-12 };
    let (room_up, room_down) = (state.bounds[i].1 - state.coefficients[i], state.coefficients[j] - state.bounds[j].0);
    let wanted = (state.slopes[i] - state.slopes[j]) / curvature;
    let length = wanted.min(room_up).min(room_down);
    // Exactly to the bound, so that no rounding leaves a sample beside it.
    state.coefficients[i] = if length == room_up { state.bounds[i].1 } else { state.coefficients[i] + length };
    state.coefficients[j] = if length == room_down { state.bounds[j].0 } else { state.coefficients[j] - length };
    state.gate(i);
    state.gate(j);
    let at_work = state.at_work;
    descend(&mut state.slopes[..at_work], &state.gates, length, a, b)
}

/// The mean slope of the samples between their bounds; without any, the middle of what the bounds allow.
fn offset(state: &State) -> f64 {
    let (mut sum, mut free, mut least, mut most) = (0.0, 0_usize, f64::INFINITY, f64::NEG_INFINITY);
    for (at, &slope) in state.slopes.iter().enumerate() {
        match (state.gates.up[at] == 0.0, state.gates.down[at] == 0.0) {
            (true, true) => (sum, free) = (sum + slope, free + 1),
            (true, false) => most = most.max(slope),
            (false, _) => least = least.min(slope),
        }
    }
    if free > 0 { sum / free as f64 } else { (least + most) / 2.0 }
}
