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
    /// The best mean accuracy, in percent.
    pub accuracy: f64,
    /// The features of that subset.
    pub features: Vec<String>,
}

/// Subsets of a third of the features; nothing where they are too many.
pub(crate) fn subsets(features: usize) -> Option<Vec<Vec<usize>>> {
    let size = Size::default().resolve(features);
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
    let best = (0..scores.len()).rev().max_by(|&a, &b| scores[a].total_cmp(&scores[b])).unwrap_or(0);
    let named = |&at: &usize| data.features[at].name.clone();
    let features = subsets[best].iter().map(named).collect();
    Ok(Some(Bound { subsets: subsets.len(), accuracy: 100.0 * scores[best], features }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subset_comes_once() {
        assert_eq!(combinations(4, 2), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        let vowel = subsets(10).unwrap();
        assert_eq!(vowel.len(), 120);
        assert!(vowel.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(subsets(20).is_none() && subsets(2400).is_none());
    }
}
