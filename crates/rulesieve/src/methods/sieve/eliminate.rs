//! Backward elimination by the leave-one-out error: by its gradient while columns are many, then by the error itself.

use super::coding::Coded;
use super::leave_one_out::{Responses, Ridge, distances, error_without, gradient};
use super::params::Params;
use crate::linalg::LinalgError;
use crate::optim::Halt;
use rayon::prelude::*;

/// Told before every step; an answer ends the elimination, and the columns left keep the order they have.
pub(super) type Watch<'a> = dyn FnMut() -> Option<Halt> + 'a;

/// Rows whose leave-one-out errors are taken together; errors and gradients of several such sets add up, so that the cost grows
/// linearly with the rows.
pub(super) struct Sample {
    pub(super) coded: Coded,
    pub(super) responses: Responses,
}

/// What one elimination learns from.
pub(super) struct Elimination<'a> {
    pub(super) samples: &'a [Sample],
    pub(super) params: &'a Params,
}

impl Elimination<'_> {
    fn kernel(&self) -> Ridge {
        Ridge { ridge: self.params.ridge, width: self.params.width }
    }

    /// Drops features, those whose removal costs least by the gradient first, until `stop` are left. Returns those left, and the
    /// dropped ones, last dropped first.
    pub(super) fn by_gradient(
        &self,
        features: &[usize],
        stop: usize,
        watch: &mut Watch,
    ) -> Result<(Vec<usize>, Vec<usize>), LinalgError> {
        self.eliminate(features, stop, watch, |left| {
            let slopes = self.sum(|sample| {
                let all = distances(&sample.coded, left);
                gradient(&sample.coded, left, &all, &sample.responses, self.kernel())
            })?;
            // The largest derivative is that of the feature that does most harm.
            Ok(slopes.into_iter().map(|slope| -slope).collect())
        })
    }

    /// Drops features, those without which the error is smallest first. Returns all features, best first.
    pub(super) fn by_error(&self, features: &[usize], watch: &mut Watch) -> Result<Vec<usize>, LinalgError> {
        let (left, dropped) = self.eliminate(features, 1, watch, |left| {
            self.sum(|sample| {
                let all = distances(&sample.coded, left);
                let error = |&feature: &usize| {
                    let removed: Vec<&[f32]> =
                        sample.coded.blocks[feature].clone().map(|column| sample.coded.x.col(column)).collect();
                    error_without(&all, &removed, left.len() - 1, &sample.responses, self.kernel())
                };
                left.par_iter().map(error).collect()
            })
        })?;
        Ok(left.into_iter().chain(dropped).collect())
    }

    /// Drops a share of the features at a time, those first whose loss is smallest; of equals the last.
    fn eliminate(
        &self,
        features: &[usize],
        stop: usize,
        watch: &mut Watch,
        losses: impl Fn(&[usize]) -> Result<Vec<f64>, LinalgError>,
    ) -> Result<(Vec<usize>, Vec<usize>), LinalgError> {
        let (mut left, mut dropped) = (features.to_vec(), Vec::new());
        while left.len() > stop && watch().is_none() {
            let losses = losses(&left)?;
            let mut order: Vec<usize> = (0..left.len()).collect();
            order.sort_by(|&a, &b| losses[a].total_cmp(&losses[b]).then(b.cmp(&a)));
            let count = ((self.params.share * left.len() as f64) as usize).clamp(1, left.len() - stop);
            let mut drop = vec![false; left.len()];
            order[..count].iter().for_each(|&at| drop[at] = true);
            dropped.extend(order[..count].iter().map(|&at| left[at]));
            left = left.iter().zip(drop).filter(|(_, drop)| !drop).map(|(&feature, _)| feature).collect();
        }
        dropped.reverse();
        Ok((left, dropped))
    }

    /// A value for every feature, summed over the samples.
    fn sum(&self, of: impl Fn(&Sample) -> Result<Vec<f64>, LinalgError>) -> Result<Vec<f64>, LinalgError> {
        let mut total: Vec<f64> = Vec::new();
        for sample in self.samples {
            let own = of(sample)?;
            total.resize(own.len(), 0.0);
            total.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
        Ok(total)
    }
}
