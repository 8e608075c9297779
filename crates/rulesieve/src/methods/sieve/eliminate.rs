//! Backward elimination by the leave-one-out error: by its gradient while columns are many, then by the error itself.

use super::coding::Coded;
use super::leave_one_out::{Responses, Ridge, distances, error_without, gradient};
use super::params::Params;
use crate::linalg::{LinalgError, Matrix32};
use crate::optim::Halt;
use rayon::prelude::*;

/// Features whose error is taken, for each one that a step drops.
const SCREENED: usize = 3;
/// And at least so many.
const LEAST_TRIED: usize = 8;

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
    /// Share of the features that one step drops.
    pub(super) share: f64,
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
        self.eliminate(features, stop, watch, |left, _| {
            self.sum(&self.distances(left), |sample, all| self.losses_by_gradient(sample, left, all))
        })
    }

    /// What the removal of every feature costs by the gradient: the largest derivative is that of the feature that does most harm.
    fn losses_by_gradient(&self, sample: &Sample, left: &[usize], all: &Matrix32) -> Result<Vec<f64>, LinalgError> {
        let slopes = gradient(&sample.coded, left, all, &sample.responses, self.kernel())?;
        Ok(slopes.into_iter().map(|slope| -slope).collect())
    }

    /// Drops features, those without which the error is smallest first. Returns all features, best first.
    ///
    /// The error is taken for the features whose removal costs least by the gradient, a few times as many as are dropped.
    pub(super) fn by_error(&self, features: &[usize], watch: &mut Watch) -> Result<Vec<usize>, LinalgError> {
        let (left, dropped) = self.eliminate(features, 1, watch, |left, count| {
            let all = self.distances(left);
            let tried = (SCREENED * count).max(LEAST_TRIED);
            let mut places: Vec<usize> = (0..left.len()).collect();
            if tried < left.len() {
                places = ascending(&self.sum(&all, |sample, all| self.losses_by_gradient(sample, left, all))?);
                places.truncate(tried);
            }
            let errors = self.sum(&all, |sample, all| {
                let error = |&place: &usize| {
                    let columns = sample.coded.blocks[left[place]].clone();
                    let removed: Vec<&[f32]> = columns.map(|column| sample.coded.x.col(column)).collect();
                    error_without(all, &removed, left.len() - 1, &sample.responses, self.kernel())
                };
                places.par_iter().map(error).collect()
            })?;
            let mut losses = vec![f64::INFINITY; left.len()];
            places.iter().zip(errors).for_each(|(&place, error)| losses[place] = error);
            Ok(losses)
        })?;
        Ok(left.into_iter().chain(dropped).collect())
    }

    /// Drops a share of the features at a time, those first whose loss is smallest; of equals the last.
    fn eliminate(
        &self,
        features: &[usize],
        stop: usize,
        watch: &mut Watch,
        losses: impl Fn(&[usize], usize) -> Result<Vec<f64>, LinalgError>,
    ) -> Result<(Vec<usize>, Vec<usize>), LinalgError> {
        let (mut left, mut dropped) = (features.to_vec(), Vec::new());
        while left.len() > stop && watch().is_none() {
            let count = ((self.share * left.len() as f64) as usize).clamp(1, left.len() - stop);
            let order = ascending(&losses(&left, count)?);
            let mut drop = vec![false; left.len()];
            order[..count].iter().for_each(|&at| drop[at] = true);
            dropped.extend(order[..count].iter().map(|&at| left[at]));
            left = left.iter().zip(drop).filter(|(_, drop)| !drop).map(|(&feature, _)| feature).collect();
        }
        dropped.reverse();
        Ok((left, dropped))
    }

    /// Squared distances between the rows of every sample.
    fn distances(&self, features: &[usize]) -> Vec<Matrix32> {
        self.samples.iter().map(|sample| distances(&sample.coded, features)).collect()
    }

    /// Values summed over the samples, each with its distances.
    fn sum(
        &self,
        distances: &[Matrix32],
        of: impl Fn(&Sample, &Matrix32) -> Result<Vec<f64>, LinalgError>,
    ) -> Result<Vec<f64>, LinalgError> {
        let mut total: Vec<f64> = Vec::new();
        for (sample, distances) in self.samples.iter().zip(distances) {
            let own = of(sample, distances)?;
            total.resize(own.len(), 0.0);
            total.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
        Ok(total)
    }
}

/// The places of some values, smallest first; of equals the last.
fn ascending(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]).then(b.cmp(&a)));
    order
}
