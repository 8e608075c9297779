//! The proximal step of `beta sqrt(d) |Q|_2,1`, and step lengths of features with several columns.

use crate::linalg::{Matrix, widest};
use std::ops::Range;

/// Shares of a step for the rows of Q: 1 for a single column, `1 / sqrt(k)` for the k columns of one feature. `None` if
/// no feature has several columns.
///
/// Adam moves every row by about its rate, so a feature of k columns would move `sqrt(k)` times as far as a single
/// column under the same shrinkage, and would overfit the more categories it has. With these shares all features move
/// equally, which is equivalent to a group penalty proportional to `sqrt(k)` on columns whose variances sum to one.
pub(crate) fn step_shares(groups: &[Range<usize>]) -> Option<Vec<f64>> {
    let share = |group: &Range<usize>| 1.0 / (group.len() as f64).sqrt();
    let several = groups.iter().any(|group| group.len() > 1);
    several.then(|| groups.iter().flat_map(|group| group.clone().map(move |_| share(group))).collect())
}

/// Shortens the last step of every row of Q to its share.
pub(crate) fn shorten_steps(q: &mut Matrix, before: &Matrix, step_shares: &[f64]) {
    for col in 0..q.cols() {
        let rows = q.col_mut(col).iter_mut().zip(before.col(col)).zip(step_shares).filter(|(_, share)| **share < 1.0);
        rows.for_each(|((now, before), share)| *now = before + (*now - before) * share);
    }
}

/// Shortens every row, or group of rows, by `amount`, down to exactly zero.
pub(crate) fn shrink_rows(q: &mut Matrix, groups: &[Range<usize>], amount: f64, scratch: &mut Matrix) {
    let rows = q.rows();
    scratch.resize(rows, 1);
    let lengths = scratch.as_mut_slice();
    widest!(|| {
        lengths.fill(0.0);
        for col in 0..q.cols() {
            lengths.iter_mut().zip(q.col(col)).for_each(|(sum, value)| *sum += value * value);
        }
        for group in groups.iter().filter(|group| group.len() > 1) {
            let sum: f64 = lengths[group.clone()].iter().sum();
            lengths[group.clone()].fill(sum);
        }
        lengths.iter_mut().for_each(|length| *length = (1.0 - amount / length.sqrt().max(1e-12)).max(0.0));
        for col in 0..q.cols() {
            q.col_mut(col).iter_mut().zip(&*lengths).for_each(|(value, factor)| *value *= factor);
        }
    });
}
