//! Targets of a network, and the losses of its outputs.

use super::pass::softmax;
use crate::data::Target;
use crate::linalg::{Matrix, exp, widest};
use std::cmp::Ordering;
use std::ops::Range;

/// The targets of all samples.
#[derive(Debug, Clone)]
pub(crate) enum Goal {
    /// A class: cross-entropy of the softmax of the outputs.
    Classes {
        /// The class of every sample.
        codes: Vec<u32>,
        /// The number of classes, one output each.
        count: usize,
    },
    /// A number: half the squared distance of the single output.
    Numbers(Vec<f64>),
}

/// Candidate factors by which a calibrated loss scales the outputs.
const FACTORS: [f64; 7] = [1.0, 0.6, 0.36, 0.2, 0.1, 0.05, 0.02];

/// Weights scaled to one on average.
pub(crate) fn of_mean_one(mut weights: Vec<f64>) -> Vec<f64> {
    let mean_of = |weights: &[f64]| weights.iter().sum::<f64>() / weights.len().max(1) as f64;
    if !mean_of(&weights).is_normal() {
        // The mean overflows or underflows, but only the ratios of weights matter.
        let most = weights.iter().copied().fold(0.0, f64::max);
        weights.iter_mut().for_each(|weight| *weight /= most);
    }
    let mean = mean_of(&weights);
    weights.iter_mut().for_each(|weight| *weight /= mean);
    weights
}

impl Goal {
    /// The classes, or the standardised numbers.
    pub(crate) fn of(target: &Target) -> Self {
        match target {
            Target::Classes { codes, classes, .. } => Self::Classes { codes: codes.clone(), count: classes.len() },
            Target::Numbers { values, .. } => {
                let (mean, deviation) = moments(values);
                Self::Numbers(values.iter().map(|number| (number - mean) / deviation).collect())
            }
        }
    }

    /// Number of outputs.
    pub(crate) fn outputs(&self) -> usize {
        match self {
            Self::Classes { count, .. } => *count,
            Self::Numbers(_) => 1,
        }
    }

    /// Number of strata that a split keeps in proportion.
    pub(crate) fn strata(&self) -> usize {
        self.outputs()
    }

    pub(crate) fn stratum(&self, sample: usize) -> usize {
        match self {
            Self::Classes { codes, .. } => codes[sample] as usize,
            Self::Numbers(_) => 0,
        }
    }

    /// Orders two samples by class or number.
    pub(crate) fn compare(&self, a: usize, b: usize) -> Ordering {
        match self {
            Self::Classes { codes, .. } => codes[a].cmp(&codes[b]),
            Self::Numbers(values) => values[a].total_cmp(&values[b]),
        }
    }

    pub(crate) fn reordered(&self, order: &[usize]) -> Self {
        match self {
            Self::Classes { codes, count } => {
                Self::Classes { codes: order.iter().map(|&from| codes[from]).collect(), count: *count }
            }
            Self::Numbers(values) => Self::Numbers(order.iter().map(|&from| values[from]).collect()),
        }
    }

    /// The loss on the samples from `learn` on of the best constant prediction for the samples before.
    pub(crate) fn chance_loss(&self, learn: usize, weights: &[f64]) -> f64 {
        let all = weights.len();
        let (seen, rest) = if learn == all { (0..all, 0..all) } else { (0..learn, learn..all) };
        let total = |range: Range<usize>| weights[range].iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let price: f64 = match self {
            Self::Classes { codes, count } => {
                let mut shares = vec![0.0; *count];
                let sum = total(seen.clone());
                seen.for_each(|at| shares[codes[at] as usize] += weights[at] / sum);
                rest.clone().map(|at| -weights[at] * shares[codes[at] as usize].max(f64::MIN_POSITIVE).ln()).sum()
            }
            Self::Numbers(values) => {
                let mean = seen.clone().map(|at| weights[at] * values[at]).sum::<f64>() / total(seen);
                rest.clone().map(|at| 0.5 * weights[at] * (values[at] - mean).powi(2)).sum()
            }
        };
        price / total(rest)
    }

    /// The smallest loss of the outputs for some samples when all outputs are scaled by the same factor, at most 1.
    ///
    /// An overconfident model has a large loss even if its accuracy exceeds that of a constant prediction; scaling
    /// removes this effect. Regression outputs are not scaled.
    pub(crate) fn calibrated_loss(&self, outputs: &Matrix, samples: Range<usize>, weights: &[f64]) -> f64 {
        let Self::Classes { codes, count } = self else {
            return self.loss_gradient(&mut outputs.clone(), samples, weights, &mut Matrix::default());
        };
        let total: f64 = weights[samples.clone()].iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let rows = samples.len();
        let mut most = vec![f64::NEG_INFINITY; rows];
        for class in 0..*count {
            most.iter_mut().zip(outputs.col(class)).for_each(|(most, &value)| *most = most.max(value));
        }
        let mut sums = vec![0.0; rows];
        let loss_at = |factor: f64, sums: &mut [f64]| {
            sums.fill(0.0);
            widest!(|| {
                for class in 0..*count {
                    let entries = outputs.col(class).iter().zip(&most);
                    sums.iter_mut().zip(entries).for_each(|(sum, (value, most))| *sum += exp(factor * (value - most)));
                }
            });
            let price = |(row, sample): (usize, usize)| {
                let own = factor * (outputs[(row, codes[sample] as usize)] - most[row]);
                weights[sample] * (sums[row].ln() - own)
            };
            samples.clone().enumerate().map(price).sum::<f64>() / total
        };
        FACTORS.iter().map(|&factor| loss_at(factor, &mut sums)).fold(f64::INFINITY, f64::min)
    }

    /// Replaces the outputs for some samples by the derivative of their mean weighted loss, and returns the loss.
    pub(crate) fn loss_gradient(
        &self,
        outputs: &mut Matrix,
        samples: Range<usize>,
        weights: &[f64],
        scratch: &mut Matrix,
    ) -> f64 {
        let weights = &weights[samples.clone()];
        let scale = 1.0 / weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let mut loss = 0.0;
        match self {
            Self::Classes { codes, .. } => {
                softmax(outputs, scratch);
                for (row, sample) in samples.enumerate() {
                    let own = &mut outputs[(row, codes[sample] as usize)];
                    loss -= weights[row] * own.max(f64::MIN_POSITIVE).ln();
                    *own -= 1.0;
                }
            }
            Self::Numbers(values) => {
                for (row, sample) in samples.enumerate() {
                    let own = &mut outputs[(row, 0)];
                    *own -= values[sample];
                    loss += 0.5 * weights[row] * *own * *own;
                }
            }
        }
        widest!(|| {
            for col in 0..outputs.cols() {
                let entries = outputs.col_mut(col).iter_mut().zip(weights);
                entries.for_each(|(value, weight)| *value *= weight * scale);
            }
        });
        loss * scale
    }
}

/// Mean and standard deviation, independent of the order of the numbers; a deviation of one if the numbers are equal
/// within rounding.
pub(crate) fn moments(numbers: &[f64]) -> (f64, f64) {
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable_by(f64::total_cmp);
    let count = numbers.len().max(1) as f64;
    let mean = numbers.iter().map(|number| number / count).sum::<f64>();
    // Divided by the largest distance, so that no square overflows.
    let most = numbers.iter().fold(0.0, |most: f64, number| most.max((number - mean).abs())).max(f64::MIN_POSITIVE);
    let variance = numbers.iter().map(|number| ((number - mean) / most).powi(2)).sum::<f64>() / count;
    let deviation = most * variance.sqrt();
    (mean, if deviation > 1e-14 * mean.abs() { deviation } else { 1.0 })
}
