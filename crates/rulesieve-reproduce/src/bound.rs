//! Upper bound for selections: the best subset of a third of the features, chosen on the test rows.

use crate::ReproduceError;
use crate::manifest::DataSet;
use crate::protocol::Batch;
use rulesieve::data::Dataset;
use rulesieve::optim::Observer;
use rulesieve::select::Size;
use rulesieve_eval::evaluate::Evaluation;
use serde::{Deserialize, Serialize};

/// Maximum number of subsets.
const MAX_SUBSETS: usize = 1500;

/// The best subsets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bound {
    /// Number of subsets.
    pub subsets: usize,
    /// The mean over the folds of the best accuracy of any subset in that fold, in percent: an upper bound for selections of this
    /// size with these folds and this classifier.
    pub ceiling: f64,
    /// The best mean accuracy of one subset for all folds, in percent.
    pub fixed: f64,
    /// The features of that subset.
    pub features: Vec<String>,
}

/// Returns all subsets of a third of the features; `None` for more than [`MAX_SUBSETS`].
pub(crate) fn subsets(features: usize) -> Option<Vec<Vec<usize>>> {
    let size = Size::THIRD.resolve(features);
    let count = (0..size).try_fold(1_usize, |count, at| Some(count.checked_mul(features - at)? / (at + 1)))?;
    (count <= MAX_SUBSETS).then(|| combinations(features, size))
}

/// Returns all ascending lists of `size` indices below `features`.
fn combinations(features: usize, size: usize) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    let mut current: Vec<usize> = (0..size).collect();
    loop {
        all.push(current.clone());
        let Some(at) = (0..size).rev().find(|&at| current[at] < features - size + at) else { return all };
        current[at] += 1;
        for later in at + 1..size {
            current[later] = current[later - 1] + 1;
        }
    }
}

/// Evaluates all subsets; `None` if they are too many, or if the observer ends it.
///
/// # Errors
/// Fails if an evaluation fails.
pub(crate) fn bound(
    (set, data): (&DataSet, &Dataset),
    batch: &Batch,
    observer: &mut (dyn Observer + Send),
) -> Result<Option<Bound>, ReproduceError> {
    let Some(subsets) = subsets(data.features.len()) else { return Ok(None) };
    let fault = |error| ReproduceError::Batch {
        method: "all subsets".to_owned(),
        name: set.name.clone(),
        error: Box::new(error),
    };
    let evaluation = Evaluation::new(data, &batch.options).map_err(fault)?;
    let Some(scores) = evaluation.score_subsets(&subsets, observer).map_err(fault)? else { return Ok(None) };
    let (ceiling, best, fixed) = best(&scores);
    let features = subsets[best].iter().map(|&at| data.features[at].name.clone()).collect();
    Ok(Some(Bound { subsets: subsets.len(), ceiling: 100.0 * ceiling, fixed: 100.0 * fixed, features }))
}

/// Returns the mean of the best scores of each fold, and the subset with the best mean with its mean.
fn best(scores: &[Vec<f64>]) -> (f64, usize, f64) {
    let folds = scores.first().map_or(0, Vec::len);
    let best_of = |fold: usize| scores.iter().map(|all| all[fold]).fold(0.0, f64::max);
    let mean = |all: &Vec<f64>| all.iter().sum::<f64>() / folds.max(1) as f64;
    let best = (0..scores.len()).rev().max_by(|&a, &b| mean(&scores[a]).total_cmp(&mean(&scores[b]))).unwrap_or(0);
    let ceiling = (0..folds).map(best_of).sum::<f64>() / folds.max(1) as f64;
    (ceiling, best, scores.get(best).map_or(0.0, mean))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ceiling_uses_the_best_subset_of_each_fold() {
        let scores = [vec![1.0, 0.5], vec![0.8, 0.8], vec![0.0, 0.9]];
        let (ceiling, best, fixed) = best(&scores);
        assert!((ceiling - 0.95).abs() < 1e-12 && best == 1 && (fixed - 0.8).abs() < 1e-12);
    }

    #[test]
    fn combinations_are_complete_and_distinct() {
        assert_eq!(combinations(4, 2), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        let vowel = subsets(10).unwrap();
        assert_eq!(vowel.len(), 120);
        assert!(vowel.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(subsets(20).is_none() && subsets(2400).is_none());
    }
}
