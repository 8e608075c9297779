//! Predictions of a network, and their accuracy.

use super::loss::Goal;
use super::network::Network;
use super::pass::{Pass, softmax};
use super::samples::{Samples, windows};
use crate::linalg::Matrix;
use std::ops::Range;

/// Standardised numbers whose mean squared deviation is below this count as equal.
const LEAST_VARIANCE: f64 = 1e-9;

/// For all samples, a probability for every class, or a number.
pub(crate) fn predictions(network: &Network, samples: &Samples) -> Matrix {
    let mut pass = Pass::default();
    pass.forward(network, &samples.x, 0..samples.count());
    let mut predictions = pass.logits.clone();
    if let Goal::Classes { .. } = samples.goal {
        softmax(&mut predictions, &mut Matrix::default());
    }
    predictions
}

/// Accuracy or R squared on some samples; 0 if the numbers are all equal.
pub(crate) fn accuracy(network: &Network, samples: &Samples, range: Range<usize>) -> f64 {
    let mut pass = Pass::default();
    let (count, mut right, mut squares, mut sum, mut residual) = (range.len() as f64, 0.0, 0.0, 0.0, 0.0);
    for window in windows(range.len(), 1024) {
        let window = range.start + window.start..range.start + window.end;
        pass.forward(network, &samples.x, window.clone());
        for (row, sample) in window.enumerate() {
            match &samples.goal {
                Goal::Classes { codes, count } => {
                    let own = pass.logits[(row, codes[sample] as usize)];
                    let beaten =
                        (0..*count).all(|other| other == codes[sample] as usize || pass.logits[(row, other)] < own);
                    right += f64::from(u8::from(beaten));
                }
                Goal::Numbers(values) => {
                    sum += values[sample];
                    squares += values[sample].powi(2);
                    residual += (values[sample] - pass.logits[(row, 0)]).powi(2);
                }
            }
        }
    }
    match samples.goal {
        Goal::Classes { .. } => right / count,
        Goal::Numbers(_) => {
            let spread = squares - sum * sum / count;
            if spread > LEAST_VARIANCE * count { 1.0 - residual / spread } else { 0.0 }
        }
    }
}
