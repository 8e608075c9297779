//! Training and validation rows: scaling, weights, split, and mini-batches.

use super::loss::{Goal, of_mean_one};
use crate::linalg::Matrix;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::cmp::Ordering;
use std::ops::Range;

/// Centred columns, targets and weights.
#[derive(Debug, Clone)]
pub(crate) struct Samples {
    /// One sample per column, m x n; every feature has mean zero.
    pub(crate) x: Matrix,
    /// The targets.
    pub(crate) goal: Goal,
    /// Weights of the samples; one on average.
    pub(crate) weights: Vec<f64>,
}

impl Samples {
    /// Centres and scales the columns of `x` (n x m); see [`Scaling`].
    pub(crate) fn scaled(x: &Matrix, groups: &[Range<usize>], goal: &Goal, weights: Option<&[f64]>) -> (Self, Scaling) {
        let order = order_of_rows(x, goal, weights);
        let sorted = Matrix::from_fn(x.rows(), x.cols(), |row, col| x[(order[row], col)]);
        let scaling = Scaling::fit(&sorted, groups);
        let weights = weights.map_or(vec![1.0; x.rows()], |weights| order.iter().map(|&row| weights[row]).collect());
        (Self { x: scaling.apply(&sorted), goal: goal.reordered(&order), weights: of_mean_one(weights) }, scaling)
    }

    /// The samples in another order, or a part of them.
    pub(crate) fn reordered(&self, order: &[usize]) -> Self {
        let mut x = Matrix::zeros(self.x.rows(), order.len());
        for (to, &from) in order.iter().enumerate() {
            x.col_mut(to).copy_from_slice(self.x.col(from));
        }
        Self { x, goal: self.goal.reordered(order), weights: order.iter().map(|&from| self.weights[from]).collect() }
    }

    /// Gives all classes the same weight; regression targets keep their weights.
    pub(crate) fn balance(&mut self) {
        let mut totals = vec![0.0; self.goal.strata()];
        (0..self.count()).for_each(|at| totals[self.goal.stratum(at)] += self.weights[at]);
        let weights = (0..self.count()).map(|at| self.weights[at] / totals[self.goal.stratum(at)]);
        self.weights = of_mean_one(weights.collect());
    }

    /// Number of samples.
    pub(crate) fn count(&self) -> usize {
        self.x.cols()
    }
}

/// Centres every column and divides it by its standard deviation; the columns of a group share the root of their mean
/// variance. Constants are divided by one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scaling {
    /// Subtracted from every column.
    pub(crate) means: Vec<f64>,
    /// Factor of every centred column.
    pub(crate) factors: Vec<f64>,
}

impl Scaling {
    /// Fits the scaling to the columns of `x` (n x m).
    pub(crate) fn fit(x: &Matrix, groups: &[Range<usize>]) -> Self {
        let n = x.rows();
        let (mut means, mut factors) = (vec![0.0; x.cols()], vec![1.0; x.cols()]);
        for group in groups {
            group.clone().for_each(|col| means[col] = x.col(col).iter().sum::<f64>() / n as f64);
            let squares = |col: usize| x.col(col).iter().map(|v| (v - means[col]).powi(2)).sum::<f64>();
            let variance = group.clone().map(squares).sum::<f64>() / (n * group.len()) as f64;
            if variance > 0.0 {
                factors[group.clone()].fill(1.0 / variance.sqrt());
            }
        }
        Self { means, factors }
    }

    /// The scaled columns, n x m.
    pub(crate) fn scaled(&self, x: &Matrix) -> Matrix {
        Matrix::from_fn(x.rows(), x.cols(), |row, col| (x[(row, col)] - self.means[col]) * self.factors[col])
    }

    /// The scaled columns with one sample per column, m x n.
    pub(crate) fn apply(&self, x: &Matrix) -> Matrix {
        let mut scaled = Matrix::zeros(x.cols(), x.rows());
        for (col, (mean, factor)) in self.means.iter().zip(&self.factors).enumerate() {
            for (sample, value) in x.col(col).iter().enumerate() {
                scaled[(col, sample)] = (value - mean) * factor;
            }
        }
        scaled
    }
}

/// The given order of the rows if all are different. If rows repeat or have weights, they are sorted by columns, target
/// and weight, so that results do not depend on the positions of repeated rows.
fn order_of_rows(x: &Matrix, goal: &Goal, weights: Option<&[f64]>) -> Vec<usize> {
    let by_content = |a: usize, b: usize| {
        let by_columns = (0..x.cols()).map(|col| x[(a, col)].total_cmp(&x[(b, col)])).find(|order| order.is_ne());
        by_columns.unwrap_or_else(|| goal.compare(a, b))
    };
    let mut order: Vec<usize> = (0..x.rows()).collect();
    order.sort_by(|&a, &b| {
        by_content(a, b).then_with(|| weights.map_or(Ordering::Equal, |weights| weights[a].total_cmp(&weights[b])))
    });
    let repeated = order.windows(2).any(|pair| by_content(pair[0], pair[1]).is_eq());
    if repeated || weights.is_some() { order } else { (0..x.rows()).collect() }
}

/// A random order of all samples: first training rows, then validation rows, about `share` of every class. Every class
/// keeps a training row. Returns the order and the number of training rows.
pub(crate) fn shuffled_split(goal: &Goal, count: usize, share: f64, rng: &mut ChaCha8Rng) -> (Vec<usize>, usize) {
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); goal.strata()];
    (0..count).for_each(|row| groups[goal.stratum(row)].push(row));
    let (mut learn, mut validation) = (Vec::with_capacity(count), Vec::new());
    for group in &mut groups {
        group.shuffle(rng);
        let kept = (group.len() as f64 * share).round() as usize;
        let kept = if group.len() < 2 { 0 } else { kept.min(group.len() - 1) };
        validation.extend(group.drain(..kept));
        learn.append(group);
    }
    learn.shuffle(rng);
    let count = learn.len();
    learn.append(&mut validation);
    (learn, count)
}

/// Cuts `0..count` into windows of about equal length, at most `batch` each.
pub(crate) fn windows(count: usize, batch: usize) -> Vec<Range<usize>> {
    let pieces = count.div_ceil(batch.max(1)).max(1);
    (0..pieces).map(|piece| piece * count / pieces..(piece + 1) * count / pieces).collect()
}

/// At most so many of the indices below `count`, evenly spread.
pub(crate) fn spread(count: usize, most: usize) -> Vec<usize> {
    let kept = most.clamp(1, count.max(1)).min(count);
    (0..kept).map(|at| at * count / kept).collect()
}
