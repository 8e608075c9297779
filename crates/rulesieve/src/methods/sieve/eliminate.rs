//! Backward elimination by the leave-one-out error: many columns at a time by its gradient, then one at a time exactly.

use super::coding::Coded;
use super::leave_one_out::{Responses, Ridge, distances, error_without, gradient};
use super::params::Params;
use crate::linalg::LinalgError;
use crate::optim::Halt;
use rayon::prelude::*;

/// Told before every step; an answer ends the elimination, and the columns left keep the order they have.
pub(super) type Watch<'a> = dyn FnMut() -> Option<Halt> + 'a;

/// Training rows of one elimination.
pub(super) struct Elimination<'a> {
    pub(super) coded: &'a Coded,
    pub(super) responses: &'a Responses,
    pub(super) params: &'a Params,
}

impl Elimination<'_> {
    fn kernel(&self) -> Ridge {
        Ridge { ridge: self.params.ridge, width: self.params.width }
    }

    /// Drops a share of the features at a time, those whose removal costs least by the gradient, until `stop` are left. Returns
    /// those left, and the dropped ones, last dropped first.
    pub(super) fn by_gradient(
        &self,
        features: &[usize],
        stop: usize,
        watch: &mut Watch,
    ) -> Result<(Vec<usize>, Vec<usize>), LinalgError> {
        let (mut left, mut dropped) = (features.to_vec(), Vec::new());
        while left.len() > stop && watch().is_none() {
            let order = self.least_useful_first(&left)?;
            let count = ((self.params.share * left.len() as f64) as usize).clamp(1, left.len() - stop);
            let mut drop = vec![false; left.len()];
            order[..count].iter().for_each(|&at| drop[at] = true);
            dropped.extend(order[..count].iter().map(|&at| left[at]));
            left = left.iter().zip(drop).filter(|(_, drop)| !drop).map(|(&feature, _)| feature).collect();
        }
        dropped.reverse();
        Ok((left, dropped))
    }

    /// Positions in `left`, those first whose derivative is largest; the first of equals stays longer.
    fn least_useful_first(&self, left: &[usize]) -> Result<Vec<usize>, LinalgError> {
        let slopes = gradient(self.coded, left, &distances(self.coded, left), self.responses, self.kernel())?;
        let mut order: Vec<usize> = (0..left.len()).collect();
        order.sort_by(|&a, &b| slopes[b].total_cmp(&slopes[a]).then(b.cmp(&a)));
        Ok(order)
    }

    /// Drops one feature at a time, the one without which the error is smallest among those that the gradient names first.
    /// Returns all features, best first.
    pub(super) fn exactly(&self, features: &[usize], watch: &mut Watch) -> Result<Vec<usize>, LinalgError> {
        let (mut left, mut dropped) = (features.to_vec(), Vec::new());
        while left.len() > 1 && watch().is_none() {
            let mut trials: Vec<usize> = (0..left.len()).collect();
            if left.len() > self.params.trials {
                trials = self.least_useful_first(&left)?;
                trials.truncate(self.params.trials);
                trials.sort_unstable();
            }
            let all = distances(self.coded, &left);
            let error = |&at: &usize| {
                let removed: Vec<&[f32]> =
                    self.coded.blocks[left[at]].clone().map(|column| self.coded.x.col(column)).collect();
                error_without(&all, &removed, left.len() - 1, self.responses, self.kernel())
            };
            let errors: Vec<f64> = trials.par_iter().map(error).collect::<Result<_, _>>()?;
            let least = (0..trials.len()).min_by(|&a, &b| errors[a].total_cmp(&errors[b]).then(b.cmp(&a))).unwrap_or(0);
            dropped.push(left.remove(trials[least]));
        }
        dropped.reverse();
        Ok(left.into_iter().chain(dropped).collect())
    }
}
