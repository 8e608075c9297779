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
/// equal in every row share the score of the first of them. Scores that agree in their first twelve digits are tied:
/// what comes after is rounding, and would make the order depend on that of the rows.
///
/// # Panics
/// If there is not one score for each feature.
pub fn rank(data: &Dataset, scores: &[f64]) -> Result<Vec<Ranked>, FitError> {
    assert_eq!(scores.len(), data.features.len(), "one score for each feature");
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
    let keys: Vec<f64> = scores.iter().map(|&score| twelve_digits(score)).collect();
    let mut order: Vec<usize> = (0..scores.len()).collect();
    // The features are in the order of their names, and the sort is stable.
    order.sort_by(|&a, &b| constant[a].cmp(&constant[b]).then(keys[b].total_cmp(&keys[a])));
    let ranked = order.into_iter().enumerate().map(|(place, at)| Ranked {
        rank: place + 1,
        feature: data.features[at].name.clone(),
        score: scores[at],
    });
    Ok(ranked.collect())
}

fn twelve_digits(score: f64) -> f64 {
    // Adding zero turns minus zero into zero. A formatted number always reads back.
    format!("{score:.11e}").parse().unwrap_or(score) + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, DatasetOptions, Table};

    fn order(columns: &[(&str, [f64; 4])], scores: &[f64]) -> Vec<String> {
        let mut table: Vec<Column> =
            columns.iter().map(|(name, values)| Column::numeric(*name, values.to_vec())).collect();
        table.push(Column::text("t", ["p", "q", "p", "q"]));
        let options = DatasetOptions { target: Some("t".into()), ..DatasetOptions::default() };
        let data = Dataset::new(Table::new(table).unwrap(), &options).unwrap();
        rank(&data, scores).unwrap().into_iter().map(|ranked| ranked.feature).collect()
    }

    #[test]
    fn rounding_does_not_break_ties() {
        let columns = [("a", [1.0, 3.0, 1.0, 4.0]), ("b", [2.0, 4.0, 1.0, 4.0]), ("c", [2.0, 4.0, 1.0, 5.0])];
        assert_eq!(order(&columns, &[24.99999999999999, 25.0, 24.999999]), ["a", "b", "c"]);
        assert_eq!(order(&columns, &[1.0, 1.0 + 1e-9, 0.0]), ["b", "a", "c"]);
        assert_eq!(order(&columns, &[-0.0, 0.0, f64::MAX]), ["c", "a", "b"]);
    }
}
