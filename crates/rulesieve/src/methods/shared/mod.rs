//! Shared parts of several methods: iteration control, targets as indicators, row lengths by feature, largest
//! eigenvalues, and random initialisation.

mod content_order;
mod course;
mod power;
mod simplex;

pub(crate) use content_order::content_order;
pub(crate) use course::Course;
pub(crate) use power::LargestEigenvalue;
pub(crate) use simplex::onto_simplex;

use crate::data::Target;
use crate::linalg::{LinalgError, Matrix, polar};
use crate::warning::Warning;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use std::ops::Range;

/// Added to squared lengths before the root, so that zero rows have a finite weight (data are in [0, 1]).
pub(crate) const SMOOTHING: f64 = 1e-10;

/// Minimum ratio of the validation loss to that of the constant prediction that gives a warning.
const CHANCE_RATIO: f64 = 0.97;

/// A warning where the validation loss is about that of a constant prediction.
pub(crate) fn no_better_than_chance(loss: f64, chance_loss: f64) -> Option<Warning> {
    (loss > CHANCE_RATIO * chance_loss).then_some(Warning::ValidationNoBetterThanChance { loss, chance_loss })
}

/// Indicators of the classes, n x c.
pub(crate) fn one_hot(target: &Target) -> Matrix {
    let mut y = Matrix::zeros(target.codes().len(), target.classes().len());
    target.codes().iter().enumerate().for_each(|(row, &code)| y[(row, code as usize)] = 1.0);
    y
}

/// Indicators of the classes that have rows.
pub(crate) fn seen_classes(target: &Target) -> Matrix {
    let y = one_hot(target);
    let seen: Vec<usize> = (0..y.cols()).filter(|&class| y.col(class).iter().any(|&value| value > 0.0)).collect();
    Matrix::from_fn(y.rows(), seen.len(), |row, at| y[(row, seen[at])])
}

/// The matrix with centred columns.
pub(crate) fn centred(x: &Matrix) -> Matrix {
    let mut out = x.clone();
    for col in 0..out.cols() {
        let mean = out.col(col).iter().sum::<f64>() / out.rows().max(1) as f64;
        out.col_mut(col).iter_mut().for_each(|value| *value -= mean);
    }
    out
}

/// A random matrix with orthonormal columns; `cols` is at most `rows`.
pub(crate) fn random_orthonormal(rows: usize, cols: usize, rng: &mut ChaCha8Rng) -> Result<Matrix, LinalgError> {
    polar(&Matrix::from_fn(rows, cols, |_, _| StandardNormal.sample(rng)))
}

/// The Euclidean length of the rows of every feature taken together.
pub(crate) fn block_lengths(w: &Matrix, blocks: &[Range<usize>]) -> Vec<f64> {
    let squares = w.row_norms_squared();
    blocks.iter().map(|block| squares[block.clone()].iter().sum::<f64>().sqrt()).collect()
}

/// `sqrt(|w|^2 + eps)` of every feature, once for each of its columns; rows of `w` beyond the blocks are features of
/// their own.
pub(crate) fn smoothed_lengths(w: &Matrix, blocks: &[Range<usize>]) -> Vec<f64> {
    let squares = w.row_norms_squared();
    let mut lengths: Vec<f64> = squares.iter().map(|square| (square + SMOOTHING).sqrt()).collect();
    for block in blocks.iter().filter(|block| block.len() > 1) {
        let length = (squares[block.clone()].iter().sum::<f64>() + SMOOTHING).sqrt();
        lengths[block.clone()].fill(length);
    }
    lengths
}

/// The sum over the features of their smoothed lengths, and over the rows beyond the blocks.
pub(crate) fn sum_of_lengths(smoothed: &[f64], blocks: &[Range<usize>]) -> f64 {
    let beyond = blocks.last().map_or(0, |block| block.end);
    blocks.iter().map(|block| smoothed[block.start]).sum::<f64>() + smoothed[beyond..].iter().sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::inner_gram;
    use rand::SeedableRng;

    #[test]
    fn a_feature_of_two_columns_has_one_length() {
        let w = Matrix::from_fn(4, 1, |row, _| [3.0, 4.0, 2.0, 7.0][row]);
        let blocks = [0..2, 2..3];
        assert_eq!(block_lengths(&w, &blocks), [5.0, 2.0]);
        let smoothed = smoothed_lengths(&w, &blocks);
        assert!(smoothed.iter().zip([5.0, 5.0, 2.0, 7.0]).all(|(found, wanted)| (found - wanted).abs() < 1e-9));
        assert!((sum_of_lengths(&smoothed, &blocks) - 14.0).abs() < 1e-9, "the fourth row is a feature of its own");
    }

    #[test]
    fn columns_lose_their_mean() {
        let x = Matrix::from_fn(3, 2, |row, col| (row * row + 5 * col) as f64);
        let found = centred(&x);
        assert!((0..2).all(|col| found.col(col).iter().sum::<f64>().abs() < 1e-14));
        assert!((found[(2, 1)] - found[(0, 1)] - 4.0).abs() < 1e-14);
    }

    #[test]
    fn a_random_start_is_orthonormal_and_follows_its_seed() {
        let start = |seed| random_orthonormal(7, 3, &mut ChaCha8Rng::seed_from_u64(seed)).unwrap();
        let gram = inner_gram(&start(1));
        for (at, value) in gram.as_slice().iter().enumerate() {
            assert!((value - f64::from(u8::from(at % 4 == 0))).abs() < 1e-14);
        }
        assert!(start(1) == start(1) && start(1) != start(2));
    }
}
