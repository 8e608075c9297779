//! How well the best 1, 2, 3, 5, 8, ... features predict rows they were not chosen on, and how many are enough.
//!
//! Everything that learns, the coding and scaling, the ranking and the rules, sees the training part of a fold alone.

use super::folds::{growing_sizes, ranked_on, stratified_folds};
use super::size::SizeRule;
use super::{SelectError, SelectOptions};
use crate::data::{Dataset, Encoder, Feature};
use crate::methods::FitError;
use crate::methods::inductive::loss::Goal;
use crate::methods::inductive::refit::{self, refit};
use crate::methods::inductive::samples::{Samples, Scaling};
use crate::methods::settings::Settings;
use crate::optim::{Fits, Halt, Observer};
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

/// Measures the curve and applies a rule to it; `Err` in the outer result is a failure, `Break` an end by the observer.
pub(super) fn choose(
    data: &Dataset,
    options: &SelectOptions,
    rule: SizeRule,
    observer: &mut dyn Observer,
) -> Result<ControlFlow<Halt, (usize, SizeCurve)>, SelectError> {
    let sizes = growing_sizes(data.features.len());
    let (rows, one_class) = (data.samples(), vec![0; data.samples()]);
    let folds = FOLDS.min(rows);
    let codes = if data.target.numbers.is_none() { &data.target.codes } else { &one_class };
    let fold_of = stratified_folds(codes, folds, options.seed, 0);
    let mut watch = Fits::new(observer, 1, folds * (sizes.len() + 1));
    let mut scores: Vec<Vec<f64>> = vec![Vec::new(); sizes.len()];
    for number in 0..folds {
        let (test, learn) = (0..rows).partition(|&row| fold_of[row] == number);
        let seed = options.seed.wrapping_add(1 + number as u64);
        let fold = Fold { data, options, learn, test, seed };
        let order = fold.ranking(&mut watch)?;
        for (at, &size) in sizes.iter().enumerate() {
            // Counted before the fit it is about, as the ranking was.
            if let ControlFlow::Break(halt) = watch.count() {
                return Ok(ControlFlow::Break(halt));
            }
            scores[at].push(fold.score(&order[..size], &mut watch)?);
        }
        if let ControlFlow::Break(halt) = watch.count() {
            return Ok(ControlFlow::Break(halt));
        }
    }
    let points: Vec<SizePoint> = sizes.iter().zip(&scores).map(|(&features, scores)| point(features, scores)).collect();
    let curve = SizeCurve { rule: rule.to_string(), folds, points };
    Ok(ControlFlow::Continue((rule.choose(&curve.points), curve)))
}

fn point(features: usize, scores: &[f64]) -> SizePoint {
    let count = scores.len() as f64;
    let score = scores.iter().sum::<f64>() / count;
    let variance = scores.iter().map(|value| (value - score).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    SizePoint { features, score, standard_error: (variance / count).sqrt() }
}

struct Fold<'a> {
    data: &'a Dataset,
    options: &'a SelectOptions,
    learn: Vec<usize>,
    test: Vec<usize>,
    seed: u64,
}

impl Fold<'_> {
    /// Features, best first, by the method that is to be used, on the rows to learn from.
    fn ranking(&self, fits: &mut Fits) -> Result<Vec<usize>, SelectError> {
        let Self { data, options, learn, seed, .. } = self;
        let encoder = Encoder::fit(data, learn, options.coding)?;
        let method = (options.method, &options.settings);
        ranked_on(data, (&encoder, learn), method, options.weights.as_deref(), *seed, fits)
    }

    /// How well rules on some features answer the test rows.
    fn score(&self, features: &[usize], watch: &mut Fits) -> Result<f64, SelectError> {
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
        let test = samples(scaling.apply(&encoder.code(&chosen, &self.test)?.x), &self.test);
        Ok(refit::accuracy(&fitted.network, &test, 0..test.count()))
    }
}
