//! What several methods share: the course of an iteration, targets as indicators, and lengths of rows taken feature by feature.

mod course;

pub(crate) use course::Course;

use crate::data::Target;
use crate::linalg::Matrix;
use std::ops::Range;

/// Added under the root of a length, so that a row of zeros has a weight (data lie in [0, 1]).
pub(crate) const SMOOTHING: f64 = 1e-10;

/// An indicator for every class, n x c.
pub(crate) fn one_hot(target: &Target) -> Matrix {
    let mut y = Matrix::zeros(target.codes.len(), target.classes.len());
    target.codes.iter().enumerate().for_each(|(row, &code)| y[(row, code as usize)] = 1.0);
    y
}

/// The Euclidean length of the rows of every feature taken together: a feature of several columns is one feature.
pub(crate) fn block_lengths(w: &Matrix, blocks: &[Range<usize>]) -> Vec<f64> {
    let squares = w.row_norms_squared();
    blocks.iter().map(|block| squares[block.clone()].iter().sum::<f64>().sqrt()).collect()
}

/// `sqrt(|w|^2 + eps)` of every feature, once for each of its columns; rows of `w` beyond the blocks stand for themselves.
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

    #[test]
    fn a_feature_of_two_columns_has_one_length() {
        let w = Matrix::from_fn(4, 1, |row, _| [3.0, 4.0, 2.0, 7.0][row]);
        let blocks = [0..2, 2..3];
        assert_eq!(block_lengths(&w, &blocks), [5.0, 2.0]);
        let smoothed = smoothed_lengths(&w, &blocks);
        assert!(smoothed.iter().zip([5.0, 5.0, 2.0, 7.0]).all(|(found, wanted)| (found - wanted).abs() < 1e-9));
        assert!((sum_of_lengths(&smoothed, &blocks) - 14.0).abs() < 1e-9, "the fourth row stands for itself");
    }
}
