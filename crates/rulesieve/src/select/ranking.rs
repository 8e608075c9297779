//! Ranking of features by score.

use crate::data::Dataset;
use crate::methods::{Fit, FitError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A ranked feature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ranked {
    /// The rank, from 1.
    pub rank: usize,
    /// The name.
    pub feature: String,
    /// The score.
    pub score: f64,
    /// The p-value of the feature, alone or in a pair, corrected for multiple tests; absent for methods without tests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p_value: Option<f64>,
}

/// Ranks all features: included ones first, then by descending score, ties by name, constant ones last with score 0. Features that are equal
/// in every row share their largest score, because a method may put all weight on one copy. Scores that agree in twelve
/// significant digits are tied: further digits are rounding errors, which depend on the order of the rows.
///
/// # Panics
/// If the numbers of scores and features differ.
pub fn rank(data: &Dataset, scores: &[f64]) -> Result<Vec<Ranked>, FitError> {
    let alone = one_by_one(data);
    Ok(listed(data, &alone, &ordered(data, &alone, scores)?, &[]))
}

/// Indices of all features, best first: in the method's own order if the fit has one, else by score as in [`rank`].
pub(super) fn order_of(data: &Dataset, fit: &Fit) -> Result<Vec<usize>, FitError> {
    let order = ordered_fit(data, &one_by_one(data), fit)?;
    Ok(order.into_iter().map(|(at, _)| at).collect())
}

fn one_by_one(data: &Dataset) -> Vec<Vec<usize>> {
    (0..data.features.len()).map(|at| vec![at]).collect()
}

/// Ranks groups, with their scores: in the method's own order if the fit has one, constant groups last.
pub(super) fn ordered_fit(data: &Dataset, groups: &[Vec<usize>], fit: &Fit) -> Result<Vec<(usize, f64)>, FitError> {
    let Some(order) = &fit.order else { return ordered(data, groups, &fit.scores) };
    check_scores(data, groups, &fit.scores)?;
    let constant = constant_groups(data, groups);
    let mut order = order.clone();
    let included = included(data, groups);
    order.sort_by_key(|&group| (!included[group], constant[group]));
    Ok(order.into_iter().map(|group| (group, if constant[group] { 0.0 } else { fit.scores[group] })).collect())
}

fn check_scores(data: &Dataset, groups: &[Vec<usize>], scores: &[f64]) -> Result<(), FitError> {
    assert_eq!(scores.len(), groups.len(), "one score for each feature");
    match scores.iter().position(|score| !score.is_finite()) {
        Some(at) => Err(FitError::BadScore { feature: data.features[groups[at][0]].name.clone(), score: scores[at] }),
        None => Ok(()),
    }
}

fn constant_groups(data: &Dataset, groups: &[Vec<usize>]) -> Vec<bool> {
    let mut varies = vec![true; data.features.len()];
    data.suspicions.constant.iter().for_each(|&at| varies[at] = false);
    groups.iter().map(|members| members.iter().all(|&at| !varies[at])).collect()
}

/// Ranks groups of features by score, as in [`rank`]: their indices, with the final scores. A group is constant if all
/// its members are, and equal to another one if they are in pairs.
///
/// # Panics
/// If the numbers of scores and groups differ.
pub(super) fn ordered(data: &Dataset, groups: &[Vec<usize>], scores: &[f64]) -> Result<Vec<(usize, f64)>, FitError> {
    check_scores(data, groups, scores)?;
    let mut scores = scores.to_vec();
    for set in equals(data, groups) {
        let largest = set.iter().map(|&at| scores[at]).max_by(f64::total_cmp).unwrap_or(0.0);
        set.iter().for_each(|&at| scores[at] = largest);
    }
    let constant = constant_groups(data, groups);
    scores.iter_mut().zip(&constant).filter(|(_, constant)| **constant).for_each(|(score, _)| *score = 0.0);
    let keys: Vec<f64> = scores.iter().map(|&score| twelve_digits(score)).collect();
    let mut order: Vec<usize> = (0..scores.len()).collect();
    // Features are sorted by name, and the sort is stable.
    let included = included(data, groups);
    let last = |group: usize| (!included[group], constant[group]);
    order.sort_by(|&a, &b| last(a).cmp(&last(b)).then(keys[b].total_cmp(&keys[a])));
    Ok(order.into_iter().map(|at| (at, scores[at])).collect())
}

/// Whether every selection contains a group: it has a member that the data set includes. Such groups come first.
pub(super) fn included(data: &Dataset, groups: &[Vec<usize>]) -> Vec<bool> {
    groups.iter().map(|members| members.iter().any(|at| data.include.contains(at))).collect()
}

/// Unused groups without a copy that the model uses.
pub(super) fn unused(data: &Dataset, groups: &[Vec<usize>], unused: &[usize]) -> Vec<usize> {
    let mut used = vec![true; groups.len()];
    unused.iter().for_each(|&at| used[at] = false);
    for set in equals(data, groups) {
        let any = set.iter().any(|&at| used[at]);
        set.iter().for_each(|&at| used[at] = any);
    }
    unused.iter().copied().filter(|&at| !used[at]).collect()
}

/// Ranks the members of ranked groups, consecutively per group, with its score and p-value (`None` if `p_values` is
/// empty).
pub(super) fn listed(data: &Dataset, groups: &[Vec<usize>], order: &[(usize, f64)], p_values: &[f64]) -> Vec<Ranked> {
    let members =
        order.iter().flat_map(|&(group, score)| groups[group].iter().map(move |&at| (at, score, p_values.get(group))));
    let ranked = members.enumerate().map(|(before, (at, score, p_value))| Ranked {
        rank: before + 1,
        feature: data.features[at].name.clone(),
        score,
        p_value: p_value.copied(),
    });
    ranked.collect()
}

/// Sets of groups with equal members, ascending.
fn equals(data: &Dataset, groups: &[Vec<usize>]) -> Vec<Vec<usize>> {
    if data.suspicions.duplicates.is_empty() {
        return Vec::new();
    }
    let mut first: Vec<usize> = (0..data.features.len()).collect();
    for set in &data.suspicions.duplicates {
        set.iter().for_each(|&at| first[at] = set[0]);
    }
    let mut sets: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
    for (number, members) in groups.iter().enumerate() {
        let mut content: Vec<usize> = members.iter().map(|&at| first[at]).collect();
        content.sort_unstable();
        sets.entry(content).or_default().push(number);
    }
    sets.into_values().filter(|set| set.len() > 1).collect()
}

fn twelve_digits(score: f64) -> f64 {
    // Adding zero turns minus zero into zero. A formatted number always parses.
    format!("{score:.11e}").parse().unwrap_or(score) + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, DatasetOptions, Table, Target};

    fn data(columns: &[(&str, [f64; 4])]) -> Dataset {
        let mut table: Vec<Column> =
            columns.iter().map(|(name, values)| Column::numeric(*name, values.to_vec())).collect();
        table.push(Column::text("t", ["p", "q", "p", "q"]));
        let options = DatasetOptions::new(Target::named("t"));
        Dataset::new(Table::new(table).unwrap(), &options).unwrap()
    }

    fn order(columns: &[(&str, [f64; 4])], scores: &[f64]) -> Vec<String> {
        rank(&data(columns), scores).unwrap().into_iter().map(|ranked| ranked.feature).collect()
    }

    #[test]
    fn rounding_does_not_break_ties() {
        let columns = [("a", [1.0, 3.0, 1.0, 4.0]), ("b", [2.0, 4.0, 1.0, 4.0]), ("c", [2.0, 4.0, 1.0, 5.0])];
        assert_eq!(order(&columns, &[24.99999999999999, 25.0, 24.999999]), ["a", "b", "c"]);
        assert_eq!(order(&columns, &[1.0, 1.0 + 1e-9, 0.0]), ["b", "a", "c"]);
        assert_eq!(order(&columns, &[-0.0, 0.0, f64::MAX]), ["c", "a", "b"]);
    }

    #[test]
    fn copies_share_the_largest_score_and_are_used_together() {
        let (up, odd) = ([1.0, 2.0, 3.0, 4.0], [1.0, 3.0, 1.0, 4.0]);
        let columns = [("a", up), ("b", odd), ("c", up), ("d", [5.0, 1.0, 1.0, 1.0])];
        assert_eq!(order(&columns, &[0.0, 1.0, 2.0, 0.5]), ["a", "c", "b", "d"]);
        assert_eq!(rank(&data(&columns), &[0.0, 1.0, 2.0, 0.5]).unwrap()[0].score, 2.0);
        let alone: Vec<Vec<usize>> = (0..4).map(|at| vec![at]).collect();
        assert_eq!(unused(&data(&columns), &alone, &[0, 3]), [3], "c, a copy of a, is used");
        assert_eq!(unused(&data(&columns), &alone, &[0, 2, 3]), [0, 2, 3]);
    }

    #[test]
    fn groups_follow_the_same_rules_as_features() {
        let (up, odd) = ([1.0, 2.0, 3.0, 4.0], [1.0, 3.0, 1.0, 4.0]);
        let data = data(&[("a", [5.0; 4]), ("b", [6.0; 4]), ("c", up), ("d", odd), ("e", up), ("f", odd)]);
        let ranked_groups = |groups: &[&[usize]], scores: &[f64]| {
            ordered(&data, &groups.iter().map(|group| group.to_vec()).collect::<Vec<_>>(), scores)
        };
        // Constant groups rank last; a group with a varying member is not constant.
        assert_eq!(
            ranked_groups(&[&[0, 1], &[2], &[3]], &[9.0, -1.0, -2.0]).unwrap(),
            [(1, -1.0), (2, -2.0), (0, 0.0)]
        );
        assert_eq!(ranked_groups(&[&[0, 2], &[1], &[3]], &[1.0, 9.0, 2.0]).unwrap(), [(2, 2.0), (0, 1.0), (1, 0.0)]);
        // Groups with equal members share a score, and rounding is no difference.
        for scores in [[3.0, 2.0], [2.0, 3.0]] {
            assert_eq!(ranked_groups(&[&[2, 3], &[4, 5]], &scores).unwrap(), [(0, 3.0), (1, 3.0)]);
        }
        assert_eq!(ranked_groups(&[&[2], &[3, 4]], &[24.99999999999999, 25.0]).unwrap()[0].0, 0);
        let bad = ranked_groups(&[&[2], &[3, 4]], &[1.0, f64::NAN]).unwrap_err();
        assert!(matches!(bad, FitError::BadScore { feature, .. } if feature == "d"));
    }
}
