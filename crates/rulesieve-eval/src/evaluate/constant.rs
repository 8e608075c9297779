//! The constant prediction, and classes that are absent from training or test rows.

use super::measures::{self, RANKING, Scores};
use super::record::{Spread, Spreads};
use super::result::{CertaintyScores, PredictedValues};
use super::run_spec::{RunSpec, Truth};
use super::summary::{of_all, pool_r2};
use crate::splits::Split;
use rulesieve::Warning;
use rulesieve::matrix::Matrix;
use std::collections::BTreeMap;

/// Scores the constant prediction: the most frequent class, or the mean, of the training rows. Leave-one-out counts all rows, because
/// the held-out row would decide between classes of equal size.
pub(super) fn constant(spec: &RunSpec, splits: &[usize]) -> Spreads {
    let tests = || splits.iter().flat_map(|&split| spec.tests[split].clone()).collect::<Vec<_>>();
    if spec.pooled {
        let whole = of_split(&spec.truth, &Split { train: (0..spec.truth.rows()).collect(), test: tests() });
        let scores = whole.into_iter().filter(|(name, _)| !RANKING.contains(name));
        return scores.map(|(name, score)| (name, Spread::pooled(score))).collect();
    }
    let all: Vec<Scores> = splits.iter().map(|&split| of_split(&spec.truth, &spec.split(split))).collect();
    let mut spreads = of_all(spec, &all.iter().collect::<Vec<_>>());
    if let Truth::Numbers(numbers) = &spec.truth {
        let means = splits.iter().flat_map(|&split| {
            let split = spec.split(split);
            vec![mean(numbers, &split.train); split.test.len()]
        });
        let values = PredictedValues::Numbers(means.collect());
        pool_r2(&mut spreads, &measures::scores(&spec.truth, &tests(), &values, &CertaintyScores::default()));
    }
    spreads
}

/// Scores the constant prediction in each split.
pub(super) fn by_split(spec: &RunSpec) -> BTreeMap<String, Vec<f64>> {
    let mut all = BTreeMap::<String, Vec<f64>>::new();
    for split in 0..spec.tests.len() {
        let scores = of_split(&spec.truth, &spec.split(split)).into_iter();
        for (name, score) in scores.filter(|(name, _)| !RANKING.contains(name)) {
            all.entry(name.to_owned()).or_default().push(score);
        }
    }
    all
}

fn of_split(truth: &Truth, split: &Split) -> Scores {
    match truth {
        Truth::Classes { names, codes } => {
            let mut counts = vec![0_usize; names.len()];
            split.train.iter().for_each(|&row| counts[codes[row] as usize] += 1);
            let most = (0..counts.len()).rev().max_by_key(|&class| counts[class]).unwrap_or(0) as u32;
            let own: Vec<u32> = split.test.iter().map(|&row| codes[row]).collect();
            let certainty = CertaintyScores::of(&own, &Matrix::zeros(own.len(), names.len()), None);
            measures::scores(truth, &split.test, &PredictedValues::Classes(vec![most; own.len()]), &certainty)
        }
        Truth::Numbers(numbers) => {
            let values = PredictedValues::Numbers(vec![mean(numbers, &split.train); split.test.len()]);
            measures::scores(truth, &split.test, &values, &CertaintyScores::default())
        }
    }
}

fn mean(numbers: &[f64], rows: &[usize]) -> f64 {
    rows.iter().map(|&row| numbers[row]).sum::<f64>() / rows.len().max(1) as f64
}

/// Returns warnings about classes that are absent from the training or test rows of some splits.
pub(super) fn absent(spec: &RunSpec, splits: &[usize]) -> Vec<Warning> {
    let Truth::Classes { names, codes } = &spec.truth else { return Vec::new() };
    let lacking = |rows: fn(&Split) -> &[usize]| {
        let mut counts = vec![0_usize; names.len()];
        for &split in splits {
            let mut seen = vec![false; counts.len()];
            rows(&spec.split(split)).iter().for_each(|&row| seen[codes[row] as usize] = true);
            counts.iter_mut().zip(seen).for_each(|(count, seen)| *count += usize::from(!seen));
        }
        let named = counts.iter().zip(names).filter(|(count, _)| **count > 0);
        named.map(|(&count, class)| (class.clone(), count)).collect::<Vec<_>>()
    };
    let mut warnings = Vec::new();
    let classes = lacking(|split| &split.train);
    if !classes.is_empty() {
        warnings.push(Warning::ClassesNotTrained { classes });
    }
    let classes = if spec.pooled { Vec::new() } else { lacking(|split| &split.test) };
    if !classes.is_empty() {
        warnings.push(Warning::ClassesNotTested { classes });
    }
    warnings
}
