//! How well the best 1, 2, 3, 5, 8, ... features predict rows they were not chosen on, and how many are enough.
//!
//! Everything that learns, the coding and scaling, the ranking and the rules, sees the training part of a fold alone.

use super::size::SizeRule;
use super::{SelectError, SelectOptions, rank};
use crate::data::{Dataset, Encoder, Feature, Target};
use crate::methods::inductive::loss::Goal;
use crate::methods::inductive::refit::{self, refit};
use crate::methods::inductive::samples::{Samples, Scaling};
use crate::methods::settings::Settings;
use crate::methods::{FitError, Problem};
use crate::optim::{Halt, Observer, Progress};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// Parts into which the rows are cut.
const FOLDS: usize = 5;
/// Rules of the models that judge the sizes, where rows suffice.
const RULES: usize = 16;
/// Their steps.
const STEPS: usize = 400;

/// The score of some sizes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SizeCurve {
    /// How the size was chosen.
    pub rule: String,
    /// Parts into which the rows were cut.
    pub folds: usize,
    /// The sizes that were tried, ascending.
    pub points: Vec<SizePoint>,
}

/// The score of one size: share of right answers, or R squared, on rows not learned from.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SizePoint {
    /// Number of features.
    pub features: usize,
    /// Mean over the folds.
    pub score: f64,
    /// Its standard error.
    pub standard_error: f64,
}

/// 1, 2, 3, 5, 8, 13, ... and all of them.
fn sizes(features: usize) -> Vec<usize> {
    let (mut sizes, mut pair) = (Vec::new(), (1, 2));
    while pair.0 < features {
        sizes.push(pair.0);
        pair = (pair.1, pair.0 + pair.1);
    }
    sizes.push(features);
    sizes
}

/// Measures the curve and applies a rule to it; `Err` in the outer result is a failure, `Break` an end by the observer.
pub(super) fn choose(
    data: &Dataset,
    options: &SelectOptions,
    rule: SizeRule,
    observer: &mut dyn Observer,
) -> Result<ControlFlow<Halt, (usize, SizeCurve)>, SelectError> {
    let sizes = sizes(data.features.len());
    let folds = folds(&data.target, options.seed);
    let mut watch = Watch { observer, done: 1, limit: folds.len() * (sizes.len() + 1), halted: None };
    let mut scores: Vec<Vec<f64>> = vec![Vec::new(); sizes.len()];
    for (number, test) in folds.iter().enumerate() {
        let fold = Fold::new(data, options, test, number);
        let order = fold.ranking(&mut watch)?;
        for (at, &size) in sizes.iter().enumerate() {
            if let Some(halt) = watch.halted {
                return Ok(ControlFlow::Break(halt));
            }
            watch.done += 1;
            scores[at].push(fold.score(&order[..size], &mut watch)?);
        }
        watch.done += 1;
    }
    if let Some(halt) = watch.halted {
        return Ok(ControlFlow::Break(halt));
    }
    let points: Vec<SizePoint> = sizes.iter().zip(&scores).map(|(&features, scores)| point(features, scores)).collect();
    let curve = SizeCurve { rule: rule.to_string(), folds: folds.len(), points };
    Ok(ControlFlow::Continue((rule.choose(&curve.points), curve)))
}

fn point(features: usize, scores: &[f64]) -> SizePoint {
    let count = scores.len() as f64;
    let score = scores.iter().sum::<f64>() / count;
    let variance = scores.iter().map(|value| (value - score).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    SizePoint { features, score, standard_error: (variance / count).sqrt() }
}

/// Test rows of every fold, the classes in proportion.
fn folds(target: &Target, seed: u64) -> Vec<Vec<usize>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut rows: Vec<usize> = (0..target.rows()).collect();
    rows.shuffle(&mut rng);
    if target.numbers.is_none() {
        rows.sort_by_key(|&row| target.codes[row]);
    }
    let count = FOLDS.min(rows.len());
    let mut folds = vec![Vec::new(); count];
    rows.into_iter().enumerate().for_each(|(at, row)| folds[at % count].push(row));
    folds
}

struct Fold<'a> {
    data: &'a Dataset,
    options: &'a SelectOptions,
    learn: Vec<usize>,
    test: &'a [usize],
    seed: u64,
}

/// Counts fits instead of their iterations, and remembers when it was told to end.
struct Watch<'a> {
    observer: &'a mut dyn Observer,
    done: usize,
    limit: usize,
    halted: Option<Halt>,
}

impl Observer for Watch<'_> {
    fn observe(&mut self, _: &Progress) -> ControlFlow<Halt> {
        let progress = Progress { iteration: self.done, limit: self.limit, objective: None };
        let flow = self.observer.observe(&progress);
        if let ControlFlow::Break(halt) = flow {
            self.halted = Some(halt);
        }
        flow
    }
}

impl<'a> Fold<'a> {
    fn new(data: &'a Dataset, options: &'a SelectOptions, test: &'a [usize], number: usize) -> Self {
        let mut held = vec![false; data.samples()];
        test.iter().for_each(|&row| held[row] = true);
        let seed = options.seed.wrapping_add(1 + number as u64);
        Self { data, options, learn: (0..held.len()).filter(|&row| !held[row]).collect(), test, seed }
    }

    /// Features, best first, by the method that is to be used, on the rows to learn from.
    fn ranking(&self, watch: &mut Watch) -> Result<Vec<usize>, SelectError> {
        let design = Encoder::fit(self.data, &self.learn, self.options.coding)?.transform(self.data, &self.learn)?;
        let names: Vec<&str> = self.data.features.iter().map(|feature| feature.name.as_str()).collect();
        let target = self.data.target.rows_of(&self.learn);
        let weights: Option<Vec<f64>> =
            self.options.weights.as_ref().map(|weights| self.learn.iter().map(|&row| weights[row]).collect());
        let problem = Problem { design: &design, names: &names, target: &target, weights: weights.as_deref() };
        let fit = self.options.method.prepare(problem)?.fit(&self.options.settings, self.seed, watch)?;
        let ranked = rank(self.data, &fit.scores)?;
        // The features are in the order of their names.
        Ok(ranked.iter().map(|ranked| names.partition_point(|name| *name < ranked.feature.as_str())).collect())
    }

    /// How well rules on some features answer the test rows.
    fn score(&self, features: &[usize], watch: &mut Watch) -> Result<f64, SelectError> {
        let chosen: Vec<&Feature> = features.iter().map(|&at| &self.data.features[at]).collect();
        let encoder = Encoder::fit_features(chosen.iter().copied(), &self.learn, self.options.coding)?;
        let design = encoder.code(&chosen, &self.learn)?;
        let scaling = Scaling::fit(&design.x, &design.blocks);
        let goal = Goal::of(&self.data.target);
        let samples = |x, rows: &[usize]| Samples { x, goal: goal.reordered(rows), weights: vec![1.0; rows.len()] };
        let learn = samples(scaling.apply(&design.x), &self.learn);
        let rules = RULES.min(learn.count() / 2).max(1);
        let set = [("rules", rules), ("steps", STEPS), ("starts", 1)].map(|(name, value)| (name, value.to_string()));
        let settings = Settings::new("refit", &refit::SPECS, set).map_err(FitError::from)?;
        let fitted = refit(&learn, &settings, self.seed, watch)?;
        let test = samples(scaling.apply(&encoder.code(&chosen, self.test)?.x), self.test);
        Ok(refit::accuracy(&fitted.network, &test, 0..test.count()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_grow_and_end_with_all() {
        assert_eq!(sizes(1), [1]);
        assert_eq!(sizes(2), [1, 2]);
        assert_eq!(sizes(10), [1, 2, 3, 5, 8, 10]);
        assert_eq!(sizes(13), [1, 2, 3, 5, 8, 13]);
    }

    #[test]
    fn folds_share_rows_and_classes() {
        let codes: Vec<u32> = (0..53).map(|row| u32::from(row % 5 == 0)).collect();
        let target = Target { classes: vec!["a".into(), "b".into()], codes: codes.clone(), ..Target::default() };
        let folds = folds(&target, 4);
        let mut rows: Vec<usize> = folds.concat();
        rows.sort_unstable();
        assert_eq!(rows, (0..53).collect::<Vec<_>>());
        for fold in &folds {
            let rare = fold.iter().filter(|&&row| codes[row] == 1).count();
            assert!((2..=3).contains(&rare) && (10..=11).contains(&fold.len()), "{fold:?}");
        }
    }
}
