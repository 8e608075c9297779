//! Shrinking: temporary removal of samples at their bounds; before the end all samples are checked.

use super::solver::{Problem, State};

/// All samples are restored once when the violation is below this multiple of the tolerance.
const UNSHRINK_FACTOR: f64 = 10.0;

/// Deactivates samples that cannot be chosen at present.
pub(super) fn shrink(state: &mut State, problem: &mut Problem, unshrunk: &mut bool) {
    let found = state.extremes();
    if !*unshrunk && found.top - found.bottom <= UNSHRINK_FACTOR * problem.tolerance {
        *unshrunk = true;
        if state.active < state.order.len() {
            unshrink(state, problem);
        }
    }
    let is_active = |at: usize| {
        let at_upper_bound = state.masks.up[at] != 0.0 && state.slopes[at] > found.top;
        let at_lower_bound = state.masks.down[at] != 0.0 && state.slopes[at] < found.bottom;
        !(at_upper_bound || at_lower_bound)
    };
    let (active, inactive): (Vec<usize>, Vec<usize>) = (0..state.active).partition(|&at| is_active(at));
    if inactive.is_empty() {
        return;
    }
    let indices: Vec<usize> = active.iter().chain(&inactive).copied().chain(state.active..state.order.len()).collect();
    state.active = active.len();
    arrange(state, &indices);
    problem.rows.set_active(Some(state.order[..state.active].to_vec()));
}

/// Activates all samples and recomputes the slopes of the inactive ones.
pub(super) fn unshrink(state: &mut State, problem: &mut Problem) {
    let mut inactive = vec![false; state.order.len()];
    state.order[state.active..].iter().for_each(|&sample| inactive[sample] = true);
    in_order(state);
    problem.rows.set_active(None);
    let mut slopes = problem.signs.clone();
    for sample in 0..slopes.len() {
        let coefficient = state.coefficients[sample];
        if coefficient != 0.0 {
            let row = problem.rows.complete(sample);
            slopes.iter_mut().zip(row).for_each(|(slope, kernel)| *slope -= coefficient * f64::from(*kernel));
        }
    }
    for (sample, inactive) in inactive.into_iter().enumerate() {
        if inactive {
            state.slopes[sample] = slopes[sample];
        }
    }
    state.active = state.order.len();
}

/// Restores the original order of the samples.
pub(super) fn in_order(state: &mut State) {
    let mut indices = vec![0; state.order.len()];
    state.order.iter().enumerate().for_each(|(at, &sample)| indices[sample] = at);
    arrange(state, &indices);
}

/// Moves the sample at `indices[at]` to index `at`.
fn arrange(state: &mut State, indices: &[usize]) {
    fn permute<T: Copy>(values: &mut Vec<T>, indices: &[usize]) {
        *values = indices.iter().map(|&index| values[index]).collect();
    }
    permute(&mut state.order, indices);
    permute(&mut state.slopes, indices);
    permute(&mut state.coefficients, indices);
    permute(&mut state.bounds, indices);
    permute(&mut state.diagonal, indices);
    permute(&mut state.masks.up, indices);
    permute(&mut state.masks.down, indices);
}
