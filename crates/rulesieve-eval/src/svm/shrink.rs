//! Shrinking: samples that stay at a bound are left out for a while; before the end all samples are checked.

use super::solver::{Problem, State};

/// Times the tolerance: this close to the end, all samples are checked once.
const NEAR: f64 = 10.0;

/// Leaves out samples that cannot be chosen at present.
pub(super) fn shrink(state: &mut State, problem: &mut Problem, opened: &mut bool) {
    let found = state.extremes();
    if !*opened && found.top - found.bottom <= NEAR * problem.tolerance {
        *opened = true;
        if state.at_work < state.order.len() {
            open(state, problem);
        }
    }
    let stays = |at: usize| {
        let held_above = state.gates.up[at] != 0.0 && state.slopes[at] > found.top;
        let held_below = state.gates.down[at] != 0.0 && state.slopes[at] < found.bottom;
        !(held_above || held_below)
    };
    let (kept, left): (Vec<usize>, Vec<usize>) = (0..state.at_work).partition(|&at| stays(at));
    if left.is_empty() {
        return;
    }
    let places: Vec<usize> = kept.iter().chain(&left).copied().chain(state.at_work..state.order.len()).collect();
    state.at_work = kept.len();
    arrange(state, &places);
    problem.rows.pack(Some(state.order[..state.at_work].to_vec()));
}

/// Restores all samples and recomputes the slopes of those left out.
pub(super) fn open(state: &mut State, problem: &mut Problem) {
    let mut left_out = vec![false; state.order.len()];
    state.order[state.at_work..].iter().for_each(|&sample| left_out[sample] = true);
    in_order(state);
    problem.rows.pack(None);
    let mut slopes = problem.signs.clone();
    for sample in 0..slopes.len() {
        let coefficient = state.coefficients[sample];
        if coefficient != 0.0 {
            let row = problem.rows.whole(sample);
            slopes.iter_mut().zip(row).for_each(|(slope, likeness)| *slope -= coefficient * f64::from(*likeness));
        }
    }
    for (sample, left_out) in left_out.into_iter().enumerate() {
        if left_out {
            state.slopes[sample] = slopes[sample];
        }
    }
    state.at_work = state.order.len();
}

/// Restores the order of the samples by number.
pub(super) fn in_order(state: &mut State) {
    let mut places = vec![0; state.order.len()];
    state.order.iter().enumerate().for_each(|(at, &sample)| places[sample] = at);
    arrange(state, &places);
}

/// Moves sample `places[at]` to index `at`.
fn arrange(state: &mut State, places: &[usize]) {
    fn moved<T: Copy>(values: &mut Vec<T>, places: &[usize]) {
        *values = places.iter().map(|&place| values[place]).collect();
    }
    moved(&mut state.order, places);
    moved(&mut state.slopes, places);
    moved(&mut state.coefficients, places);
    moved(&mut state.bounds, places);
    moved(&mut state.own, places);
    moved(&mut state.gates.up, places);
    moved(&mut state.gates.down, places);
}
