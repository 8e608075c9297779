//! Features in order of their scores.

use crate::data::Dataset;
use crate::methods::FitError;
use serde::{Deserialize, Serialize};

/// A feature in its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ranked {
    /// Its place, from 1.
    pub rank: usize,
    /// Its name.
    pub feature: String,
    /// Its score.
    pub score: f64,
}

/// Orders all features: largest score first, ties by name, constant features last with score 0; features that are
/// equal in every row share the score of the first of them.
pub fn rank(data: &Dataset, scores: &[f64]) -> Result<Vec<Ranked>, FitError> {
    let mut scores = scores.to_vec();
    if let Some(at) = scores.iter().position(|score| !score.is_finite()) {
        return Err(FitError::BadScore { feature: data.features[at].name.clone(), score: scores[at] });
    }
    for set in &data.suspicions.duplicates {
        set.iter().for_each(|&at| scores[at] = scores[set[0]]);
    }
    let mut constant = vec![false; scores.len()];
    for &at in &data.suspicions.constant {
        scores[at] = 0.0;
        constant[at] = true;
    }
    let mut order: Vec<usize> = (0..scores.len()).collect();
    // The features are in the order of their names, and the sort is stable.
    order.sort_by(|&a, &b| constant[a].cmp(&constant[b]).then(scores[b].total_cmp(&scores[a])));
    let ranked = order.into_iter().enumerate().map(|(place, at)| Ranked {
        rank: place + 1,
        feature: data.features[at].name.clone(),
        score: scores[at],
    });
    Ok(ranked.collect())
}
