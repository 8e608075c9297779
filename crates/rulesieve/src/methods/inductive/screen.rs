//! Screening: differences of single columns, and of pairs, between the classes.
//!
//! For a contrast w (a centred class indicator, or the centred numbers, scaled to length one) and standardised columns
//! z, `w^T z_i` and `w^T (z_i z_j)` are approximately standard normal under the null hypothesis, so the largest of m
//! (of m^2 / 2) is near `sqrt(2 ln m)` (`sqrt(2 ln (m^2 / 2))`). An excess increases the initial length of a row of Q.
//! Structure of a higher order is not detected here, and is found by training alone.
//!
//! A feature of several columns is tested by the sum of its squared contrasts, which is approximately chi-squared
//! under the null hypothesis, so that the number of categories makes no difference.

use crate::linalg::{Matrix, Plain, Transposed, product};
use crate::rule_network::loss::Goal;
use crate::rule_network::samples::Samples;
use std::ops::Range;

/// Maximum number of partners of a column in pairs: those with the largest contrasts of their own.
const PARTNERS: usize = 512;
/// Rows of the matrix of pairs that are computed at a time.
const BLOCK: usize = 256;
/// Maximum number of classes for contrasts of pairs, the largest ones.
const CONTRASTS: usize = 12;
/// Maximum increase of the initial length of a row.
const MOST: f64 = 4.0;

/// A factor from 1 to 5 for the initial length of every row of Q; the columns of a feature share it.
pub(super) fn row_factors(samples: &Samples, groups: &[Range<usize>]) -> Vec<f64> {
    let contrasts = contrasts(&samples.goal, &samples.weights);
    let m = samples.x.rows();
    let own = product(Plain(&samples.x), Plain(&contrasts));
    let mut single = largest(&own);
    for group in groups.iter().filter(|group| group.len() > 1) {
        single[group.clone()].fill(block_contrast(&samples.x, &own, group));
    }
    let pairs = pair_contrasts(&samples.x, &contrasts, &partners(&single), groups);
    let noise = |count: f64| (2.0 * count.max(2.0).ln()).sqrt();
    let count = (m * contrasts.cols()) as f64;
    let (noise_single, noise_pair) = (noise(count), noise(count * m as f64 / 2.0));
    let excess = |at: usize| (single[at] - noise_single).max(pairs[at] - noise_pair).clamp(0.0, MOST);
    let mut factors = vec![1.0; m];
    for group in groups {
        let most = group.clone().map(excess).fold(0.0, f64::max);
        factors[group.clone()].fill(1.0 + most);
    }
    factors
}

/// One column per class, or one for regression: centred, of length one. Two classes share one column.
fn contrasts(goal: &Goal, weights: &[f64]) -> Matrix {
    let n = weights.len();
    let mut columns = match goal {
        Goal::Numbers(values) => Matrix::from_fn(n, 1, |row, _| values[row]),
        Goal::Classes { codes, count } => {
            let count = if *count == 2 { 1 } else { *count };
            Matrix::from_fn(n, count, |row, col| f64::from(u8::from(codes[row] as usize == col)))
        }
    };
    for col in 0..columns.cols() {
        let total: f64 = weights.iter().sum();
        let mean = columns.col(col).iter().zip(weights).map(|(value, weight)| value * weight).sum::<f64>() / total;
        columns.col_mut(col).iter_mut().zip(weights).for_each(|(value, weight)| *value = (*value - mean) * weight);
        let length = columns.col(col).iter().map(|value| value * value).sum::<f64>().sqrt();
        columns.col_mut(col).iter_mut().for_each(|value| *value /= length.max(f64::MIN_POSITIVE));
    }
    columns
}

/// The largest contrast of a feature of several columns, standard normal under the null hypothesis.
fn block_contrast(x: &Matrix, own: &Matrix, group: &Range<usize>) -> f64 {
    let n = x.cols() as f64;
    let variance = |row: usize| (0..x.cols()).map(|sample| x[(row, sample)].powi(2)).sum::<f64>() / n;
    let varying: Vec<(usize, f64)> = group.clone().map(|row| (row, variance(row))).filter(|(_, v)| *v > 0.0).collect();
    let count = varying.len().max(1) as f64;
    let sum = |col: usize| varying.iter().map(|&(row, variance)| own[(row, col)].powi(2) / variance).sum::<f64>();
    let most = (0..own.cols()).map(sum).fold(0.0, f64::max);
    // Wilson and Hilferty 1931: the cube root of a chi-squared number over its degrees of freedom is about normal.
    let spread = 2.0 / (9.0 * count);
    ((most / count).cbrt() - (1.0 - spread)) / spread.sqrt()
}

/// The largest absolute value of every row.
fn largest(matrix: &Matrix) -> Vec<f64> {
    let mut most = vec![0.0_f64; matrix.rows()];
    for col in 0..matrix.cols() {
        most.iter_mut().zip(matrix.col(col)).for_each(|(most, value)| *most = most.max(value.abs()));
    }
    most
}

fn partners(single: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..single.len()).collect();
    order.sort_by(|&a, &b| single[b].total_cmp(&single[a]).then(a.cmp(&b)));
    order.truncate(PARTNERS);
    order.sort_unstable();
    order
}

/// For every column the largest contrast of its product with a partner (or itself: a difference in spread). Columns of
/// one feature are not paired with each other, nor with themselves: the square of an indicator is the indicator, many
/// times larger if its category is rare.
fn pair_contrasts(x: &Matrix, contrasts: &Matrix, partners: &[usize], groups: &[Range<usize>]) -> Vec<f64> {
    let mut same = vec![0..0; x.rows()];
    for group in groups.iter().filter(|group| group.len() > 1) {
        let before = |row: usize| partners.partition_point(|&partner| partner < row);
        same[group.clone()].fill(before(group.start)..before(group.end));
    }
    let (m, n) = (x.rows(), x.cols());
    let chosen = Matrix::from_fn(partners.len(), n, |row, col| x[(partners[row], col)]);
    let mut most = vec![0.0_f64; m];
    for contrast in 0..contrasts.cols().min(CONTRASTS) {
        let weights = contrasts.col(contrast);
        for first in (0..m).step_by(BLOCK) {
            let rows = BLOCK.min(m - first);
            let weighted = Matrix::from_fn(rows, n, |row, col| x[(first + row, col)] * weights[col]);
            let mut pairs = product(Plain(&weighted), Transposed(&chosen));
            for row in 0..rows {
                same[first + row].clone().for_each(|partner| pairs[(row, partner)] = 0.0);
            }
            let block = largest(&pairs);
            most[first..first + rows].iter_mut().zip(block).for_each(|(most, value)| *most = most.max(value));
        }
    }
    most
}
