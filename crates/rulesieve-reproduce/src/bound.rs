//! The best that any selection could do: all subsets of a third of the features, judged by the test rows.

use crate::ReproduceError;
use crate::manifest::DataSet;
use crate::protocol::Contest;
use rulesieve::data::Dataset;
use rulesieve::optim::Observer;
use rulesieve::select::Size;
use rulesieve_eval::evaluate::Evaluation;
use serde::{Deserialize, Serialize};

/// Subsets that are tried, at most.
const MOST: usize = 1500;

/// What the search ended at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bound {
    /// Subsets that were tried.
    pub subsets: usize,
    /// The mean over the folds of the best accuracy of any subset in that fold, in percent: nobody who keeps so many features can
    /// do better with these folds and this judge.
    pub ceiling: f64,
    /// The best mean accuracy of one subset for all folds, in percent.
    pub fixed: f64,
    /// The features of that subset.
    pub features: Vec<String>,
}

/// Subsets of a third of the features; nothing where they are too many.
pub(crate) fn subsets(features: usize) -> Option<Vec<Vec<usize>>> {
    let size = Size::THIRD.resolve(features);
    let count = (0..size).try_fold(1_usize, |count, at| Some(count.checked_mul(features - at)? / (at + 1)))?;
    (count <= MOST).then(|| combinations(features, size))
}

/// All ascending lists of `size` numbers below `features`.
fn combinations(features: usize, size: usize) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    let mut now: Vec<usize> = (0..size).collect();
    loop {
        all.push(now.clone());
        let Some(at) = (0..size).rev().find(|&at| now[at] < features - size + at) else { return all };
        now[at] += 1;
        for later in at + 1..size {
            now[later] = now[later - 1] + 1;
        }
    }
}

/// Tries them all; nothing where they are too many, or the observer ended it.
///
/// # Errors
/// A judge that failed.
pub(crate) fn bound(
    (set, data): (&DataSet, &Dataset),
    contest: &Contest,
    observer: &mut (dyn Observer + Send),
) -> Result<Option<Bound>, ReproduceError> {
    let Some(subsets) = subsets(data.features.len()) else { return Ok(None) };
    let fault = |error| ReproduceError::Contest {
        method: "all subsets".to_owned(),
        name: set.name.clone(),
        error: Box::new(error),
    };
    let evaluation = Evaluation::new(data, &contest.options).map_err(fault)?;
    let Some(scores) = evaluation.judge_subsets(&subsets, observer).map_err(fault)? else { return Ok(None) };
    let (ceiling, best, fixed) = summits(&scores);
    let features = subsets[best].iter().map(|&at| data.features[at].name.clone()).collect();
    Ok(Some(Bound { subsets: subsets.len(), ceiling: 100.0 * ceiling, fixed: 100.0 * fixed, features }))
}

/// The mean of the best of every fold; the subset that is best on average, and its mean.
fn summits(scores: &[Vec<f64>]) -> (f64, usize, f64) {
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
    fn folds_may_want_different_subsets() {
        let scores = [vec![1.0, 0.5], vec![0.8, 0.8], vec![0.0, 0.9]];
        let (ceiling, best, fixed) = summits(&scores);
        assert!((ceiling - 0.95).abs() < 1e-12 && best == 1 && (fixed - 0.8).abs() < 1e-12);
    }

    #[test]
    fn every_subset_comes_once() {
        assert_eq!(combinations(4, 2), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        let vowel = subsets(10).unwrap();
        assert_eq!(vowel.len(), 120);
        assert!(vowel.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(subsets(20).is_none() && subsets(2400).is_none());
    }
}
