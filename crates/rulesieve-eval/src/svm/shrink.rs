//! Shrinking: temporary removal of samples at their bounds; before the end all samples are checked.

use super::rows::Rows;
use super::scan::Extremes;
use super::solver::{Problem, State};

/// All samples are restored once when the violation is at most this multiple of the tolerance.
const UNSHRINK_FACTOR: f64 = 10.0;
/// Maximum number of changes that are kept for later.
const MAX_CHANGES: usize = 1 << 16;

/// The part of the slopes that coefficients at bounds other than zero contribute, by sample. LIBSVM updates it with every change; here
/// changes are kept and made in the same order when the part is needed, which is never without shrinking.
#[derive(Default)]
pub(super) struct Bounded {
    sums: Vec<f64>,
    /// Samples and their bounds, negated for those that left them.
    changes: Vec<(usize, f64)>,
}

impl Bounded {
    /// Keeps the change of a sample from one bound to another, of which zero is none.
    pub(super) fn change(&mut self, sample: usize, from: Option<f64>, to: Option<f64>) {
        match (from, to) {
            (Some(from), None) => self.changes.push((sample, -from)),
            (None, Some(to)) => self.changes.push((sample, to)),
            _ => {}
        }
    }

    pub(super) fn is_long(&self) -> bool {
        self.changes.len() >= MAX_CHANGES
    }

    /// Makes the changes and returns the sums.
    pub(super) fn update(&mut self, rows: &mut Rows) -> &[f64] {
        self.sums.resize(rows.count(), 0.0);
        for (sample, amount) in self.changes.drain(..) {
            let row = rows.complete(sample);
            self.sums.iter_mut().zip(row).for_each(|(sum, kernel)| *sum += amount * f64::from(*kernel));
        }
        &self.sums
    }
}

/// Deactivates samples that cannot be chosen at present.
pub(super) fn shrink(state: &mut State, problem: &mut Problem, unshrunk: &mut bool) {
    let found = state.extremes();
    if !*unshrunk && found.top - found.bottom <= UNSHRINK_FACTOR * problem.tolerance {
        *unshrunk = true;
        unshrink(state, problem);
    }
    // Fills each gap with the last sample that stays.
    let (before, mut at) = (state.active, 0);
    while at < state.active {
        if is_inactive(state, at, &found) {
            state.active -= 1;
            while state.active > at && is_inactive(state, state.active, &found) {
                state.active -= 1;
            }
            state.swap(at, state.active);
        }
        at += 1;
    }
    if state.active != before {
        problem.rows.set_active(state.order[..state.active].to_vec());
    }
}

fn is_inactive(state: &State, at: usize, found: &Extremes) -> bool {
    let at_upper_bound = state.masks.up[at] != 0.0 && state.slopes[at] > found.top;
    let at_lower_bound = state.masks.down[at] != 0.0 && state.slopes[at] < found.bottom;
    at_upper_bound || at_lower_bound
}

/// Activates all samples, in their present order, and computes the slopes of the inactive ones: from those at bounds first, then from
/// the active ones between bounds.
pub(super) fn unshrink(state: &mut State, problem: &mut Problem) {
    let (active, count) = (state.active, state.order.len());
    if active == count {
        return;
    }
    let sums = state.bounded.update(&mut problem.rows);
    for (slope, &sample) in state.slopes[active..].iter_mut().zip(&state.order[active..]) {
        *slope = problem.signs[sample] - sums[sample];
    }
    for at in (0..active).filter(|&at| state.masks.up[at] == 0.0 && state.masks.down[at] == 0.0) {
        let (row, coefficient) = (problem.rows.complete(state.order[at]), state.coefficients[at]);
        for (slope, &sample) in state.slopes[active..].iter_mut().zip(&state.order[active..]) {
            *slope -= coefficient * f64::from(row[sample]);
        }
    }
    state.active = count;
    problem.rows.set_active(state.order.clone());
}

impl State {
    fn swap(&mut self, a: usize, b: usize) {
        self.order.swap(a, b);
        self.slopes.swap(a, b);
        self.coefficients.swap(a, b);
        self.bounds.swap(a, b);
        self.diagonal.swap(a, b);
        self.masks.up.swap(a, b);
        self.masks.down.swap(a, b);
    }
}
