//! Cross-validated score of the best 1, 2, 3, 5, 8, ... features, and the choice of their number.
//!
//! Coding, scaling, ranking and regression are fitted on the training part of a fold alone. Folds depend on the content
//! of the rows, not on their order.

use super::folds::{RankingRequest, growing_sizes, ranked_on, stratified_folds};
use super::size::SizeRule;
use super::{SelectError, SelectOptions};
use crate::data::{Dataset, Encoder, Feature, FeatureValues, Task};
use crate::methods::sieve::held_out_score;
use crate::optim::{Fits, Halt, Observer};
use crate::pool;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// Number of folds.
const FOLDS: usize = 5;

/// Cross-validated scores of several sizes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SizeCurve {
    /// The rule that chose the size.
    pub rule: String,
    /// Number of folds.
    pub folds: usize,
    /// The sizes, ascending.
    pub points: Vec<SizePoint>,
}

/// The score of a size: cross-validated accuracy, or R squared for regression. It is used for the choice of the size.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SizePoint {
    /// Number of features.
    pub features: usize,
    /// Mean over the folds.
    pub score: f64,
    /// Its standard error.
    pub standard_error: f64,
}

/// Computes the curve of scores by cross-validation within some rows and applies a rule to it; `Break` if the observer
/// ended it.
/// # Errors
/// Rows that cannot be coded, or a failed fit.
pub fn choose_size(
    data: &Dataset,
    rows: &[usize],
    options: &SelectOptions,
    rule: SizeRule,
    observer: &mut dyn Observer,
) -> Result<ControlFlow<Halt, (usize, SizeCurve)>, SelectError> {
    pool::observed(observer, |observer| choose_in_pool((data, rows), options, rule, observer))
}

fn choose_in_pool(
    (data, rows): (&Dataset, &[usize]),
    options: &SelectOptions,
    rule: SizeRule,
    observer: &mut dyn Observer,
) -> Result<ControlFlow<Halt, (usize, SizeCurve)>, SelectError> {
    let sizes = growing_sizes(data.features.len());
    let rows = rows_by_content(data, rows);
    let folds = FOLDS.min(rows.len());
    let code = |&row: &usize| if data.target.task() == Task::Classification { data.target.codes()[row] } else { 0 };
    let fold_of = stratified_folds(&rows.iter().map(code).collect::<Vec<_>>(), folds, options.seed, 0);
    let mut watch = Fits::new(observer, 0, folds * (sizes.len() + 1));
    let mut scores: Vec<Vec<f64>> = vec![Vec::new(); sizes.len()];
    for number in 0..folds {
        let part = |test: bool| rows.iter().zip(&fold_of).filter(move |(_, fold)| (**fold == number) == test);
        let [test, learn] = [true, false].map(|test| part(test).map(|(&row, _)| row).collect());
        let seed = options.seed.wrapping_add(1 + number as u64);
        let fold = Fold { data, options, learn, test, seed };
        // Once this fit is ended, the following fits end immediately.
        let order = fold.ranking(&mut watch)?;
        for (at, &size) in sizes.iter().enumerate() {
            scores[at].push(fold.score(&order[..size])?);
            if let ControlFlow::Break(halt) = watch.fitted() {
                return Ok(ControlFlow::Break(halt));
            }
        }
    }
    let points: Vec<SizePoint> =
        sizes.iter().zip(&scores).map(|(&features, scores)| SizePoint::of(features, scores)).collect();
    let curve = SizeCurve { rule: rule.to_string(), folds, points };
    Ok(ControlFlow::Continue((rule.choose(&curve.points), curve)))
}

/// Rows sorted by target, then by a hash of their values that does not depend on the order of the features.
fn rows_by_content(data: &Dataset, rows: &[usize]) -> Vec<usize> {
    let mut keys = vec![0_u64; data.samples()];
    for feature in &data.features {
        let key = |row: usize| match &feature.values {
            FeatureValues::Numeric(values) if values[row].is_nan() => u64::MAX,
            FeatureValues::Numeric(values) => values[row].to_bits(),
            FeatureValues::Categorical { codes, .. } => u64::from(codes[row]),
        };
        keys.iter_mut().enumerate().for_each(|(row, sum)| *sum = sum.wrapping_add(mixed(key(row))));
    }
    let number = |row: usize| data.target.numbers().map_or(0.0, |numbers| numbers[row]);
    let code = |row: usize| data.target.codes().get(row);
    let mut rows = rows.to_vec();
    rows.sort_by(|&a, &b| code(a).cmp(&code(b)).then(number(a).total_cmp(&number(b))).then(keys[a].cmp(&keys[b])));
    rows
}

/// A hash of 64 bits (SplitMix64).
fn mixed(bits: u64) -> u64 {
    let bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

impl SizePoint {
    /// Mean and standard error of the scores of all folds.
    pub fn of(features: usize, scores: &[f64]) -> Self {
        let count = scores.len() as f64;
        let score = scores.iter().sum::<f64>() / count;
        let variance = scores.iter().map(|value| (value - score).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
        Self { features, score, standard_error: (variance / count).sqrt() }
    }
}

struct Fold<'a> {
    data: &'a Dataset,
    options: &'a SelectOptions,
    learn: Vec<usize>,
    test: Vec<usize>,
    seed: u64,
}

impl Fold<'_> {
    /// Ranks the features on the training rows with the selected method.
    fn ranking(&self, fits: &mut Fits) -> Result<Vec<usize>, SelectError> {
        let Self { data, options, learn, seed, .. } = self;
        let design = Encoder::fit(data, learn, data.coding)?.transform(data, learn)?;
        let (settings, weights) = (std::slice::from_ref(&options.settings), options.weights.as_deref());
        let (design, method, seed) = (&design, options.method, *seed);
        let found = ranked_on(&RankingRequest { data, rows: learn, design, method, settings, weights, seed }, fits)?;
        Ok(found.into_iter().next().transpose()?.map(|order| order.indices).unwrap_or_default())
    }

    /// Score of kernel ridge regression on some features, on the test rows.
    fn score(&self, features: &[usize]) -> Result<f64, SelectError> {
        let Self { data, learn, test, seed, .. } = self;
        let chosen: Vec<&Feature> = features.iter().map(|&at| &data.features[at]).collect();
        let encoder = Encoder::fit_features(chosen.iter().copied(), learn, data.coding, data.missing)?;
        let rows: Vec<usize> = learn.iter().chain(test).copied().collect();
        let design = encoder.code(&chosen, &rows)?;
        Ok(held_out_score(&design, &data.target.rows_of(&rows), learn.len(), *seed)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{DatasetOptions, TargetColumn};

    #[test]
    fn rows_are_ordered_by_content() {
        for (name, task) in [("waveform", Task::Classification), ("friedman", Task::Regression)] {
            let table = crate::generate::find(name).unwrap().generate(Some(40), None, 3).unwrap().table;
            let data =
                Dataset::new(table, &DatasetOptions::new(TargetColumn { task: Some(task), ..TargetColumn::default() }))
                    .unwrap();
            let reversed = data.subset(&(0..40).rev().collect::<Vec<_>>()).unwrap();
            let all: Vec<usize> = (0..40).collect();
            let expected: Vec<usize> = rows_by_content(&data, &all).into_iter().map(|row| 39 - row).collect();
            assert_eq!(rows_by_content(&reversed, &all), expected, "{name}");
        }
    }
}
