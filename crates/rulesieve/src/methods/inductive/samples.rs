//! The rows that a start learns from, in an order of its own, and those it keeps aside to see how it does.

use super::loss::Goal;
use crate::linalg::Matrix;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::ops::Range;

/// Centred columns, what they should give, and how much each counts.
#[derive(Debug, Clone)]
pub struct Samples {
    /// One sample a column, m x n; every feature has mean zero.
    pub x: Matrix,
    /// What the model should say.
    pub goal: Goal,
    /// How much every sample counts; one on average.
    pub weights: Vec<f64>,
}

impl Samples {
    /// Centres every column of `x` (n x m) and divides it by its standard deviation; the columns of a group are divided
    /// by the same number, the root of their mean variance.
    pub fn scaled(x: &Matrix, groups: &[Range<usize>], goal: Goal) -> Self {
        let n = x.rows();
        let mut scaled = Matrix::zeros(x.cols(), n);
        for group in groups {
            let means: Vec<f64> = group.clone().map(|col| x.col(col).iter().sum::<f64>() / n as f64).collect();
            let squares = |(col, mean): (usize, &f64)| x.col(col).iter().map(|v| (v - mean).powi(2)).sum::<f64>();
            let variance = group.clone().zip(&means).map(squares).sum::<f64>() / (n * group.len()) as f64;
            let scale = if variance > 0.0 { 1.0 / variance.sqrt() } else { 0.0 };
            for (col, mean) in group.clone().zip(&means) {
                for (sample, value) in x.col(col).iter().enumerate() {
                    scaled[(col, sample)] = (value - mean) * scale;
                }
            }
        }
        Self { x: scaled, goal, weights: vec![1.0; n] }
    }

    /// The same samples in another order, or some of them.
    pub fn reordered(&self, order: &[usize]) -> Self {
        let mut x = Matrix::zeros(self.x.rows(), order.len());
        for (to, &from) in order.iter().enumerate() {
            x.col_mut(to).copy_from_slice(self.x.col(from));
        }
        Self { x, goal: self.goal.reordered(order), weights: order.iter().map(|&from| self.weights[from]).collect() }
    }

    /// Number of samples.
    pub fn count(&self) -> usize {
        self.x.cols()
    }
}

/// A random order of all samples: first those to learn from, then those kept aside, about `share` of every class.
/// Small classes are kept for learning. Returns the order and the number to learn from.
pub fn shuffled_split(goal: &Goal, count: usize, share: f64, rng: &mut ChaCha8Rng) -> (Vec<usize>, usize) {
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); goal.strata()];
    (0..count).for_each(|row| groups[goal.stratum(row)].push(row));
    let (mut learn, mut aside) = (Vec::with_capacity(count), Vec::new());
    for group in &mut groups {
        group.shuffle(rng);
        let kept = (group.len() as f64 * share).round() as usize;
        let kept = if group.len() < 2 { 0 } else { kept.min(group.len() - 1) };
        aside.extend(group.drain(..kept));
        learn.append(group);
    }
    learn.shuffle(rng);
    let count = learn.len();
    learn.append(&mut aside);
    (learn, count)
}

/// Cuts `0..count` into windows of about equal length, at most `batch` each.
pub fn windows(count: usize, batch: usize) -> Vec<Range<usize>> {
    let pieces = count.div_ceil(batch.max(1)).max(1);
    (0..pieces).map(|piece| piece * count / pieces..(piece + 1) * count / pieces).collect()
}
