//! Held-out rows choose the path and the size, and tell how good they are: in every fold the scan, the orders and the
//! regression are learned without the rows that score them. Two choices see all rows: kinds of tests that find nothing in
//! them are left out of the folds, and the path and size of a fold are chosen by the other folds, which have learned from its rows.

use super::coding::{Coded, code};
use super::columns::{Columns, Goal};
use super::eliminate::Watch;
use super::leave_one_out::{Ridge, predict};
use super::params::{Params, PathChoice};
use super::paths::{Effort, Orders, Path};
use super::rows::{Centre, Prediction, RowSample, Training, capped, folds};
use super::scan::Kinds;
use super::score::r_squared;
use crate::held_out::{HeldOut, HeldOutRows, Loss};
use crate::linalg::LinalgError;
use crate::select::{SizeCurve, SizePoint};
use rayon::prelude::*;
use std::borrow::Cow;

/// Sizes that are tried.
const SIZES: [usize; 10] = [1, 2, 3, 5, 8, 13, 20, 32, 48, 64];
/// Held-out rows of a fold at most.
const HELD_OUT: usize = 2000;
/// Sizes up to this are compared between paths: beyond, both hold nearly the same columns.
const COMPARED: usize = 32;
/// Fewer rows are not worth a fold.
const LEAST_ROWS: usize = 10;

/// What one fold has learned, and its predictions of the rows held out.
struct Fold {
    orders: Orders,
    /// The features that sizes are made of, coded: those of both paths.
    features: Vec<usize>,
    train: Coded,
    other: Coded,
    training: Training,
    /// The rows of the regression, and those held out.
    learn: Vec<usize>,
    rows: Vec<usize>,
    chance: Vec<Prediction>,
    /// Predictions of the held-out rows by path and by size.
    predictions: [Vec<Vec<Prediction>>; 2],
}

/// All folds.
pub(super) struct CrossFit<'a> {
    columns: &'a Columns,
    params: &'a Params,
    sizes: Vec<usize>,
    folds: Vec<Fold>,
}

/// A path, a number of features, and the number with the smallest error of that path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) path: Path,
    /// Index of the size that is used, and of the best one.
    size: usize,
    best: usize,
}

impl<'a> CrossFit<'a> {
    /// Learns in all folds; none where rows are too few or the caller has ended it.
    ///
    /// A kind of test that finds nothing in all rows is left out: it would find nothing true in fewer.
    pub(super) fn new(
        columns: &'a Columns,
        params: &'a Params,
        kinds: Kinds,
        seed: u64,
        watch: &mut Watch,
    ) -> Result<Option<Self>, LinalgError> {
        let rows = columns.rows();
        let count = params.folds_for(rows);
        let sizes: Vec<usize> = SIZES.into_iter().filter(|&size| size <= columns.features.len()).collect();
        if rows < LEAST_ROWS || sizes.is_empty() {
            return Ok(None);
        }
        let fold_of = folds(&columns.goal, rows, count, seed);
        let mut all = Vec::with_capacity(count);
        for number in 0..count {
            let (held_out, train): (Vec<usize>, Vec<usize>) = (0..rows).partition(|&row| fold_of[row] == number);
            let own_seed = seed.wrapping_add(1 + number as u64);
            // Less than for the final order, because folds only choose a path and a size.
            let effort = Effort { kinds, samples: 1, rows: params.fold_rows, share: params.fold_share };
            let orders = Orders::learn(columns, &train, (params, effort), own_seed, watch)?;
            if watch().is_some() {
                return Ok(None);
            }
            let held_out = capped(&columns.goal, &held_out, HELD_OUT, own_seed);
            let train = RowSample::new(&columns.goal, &train, params.rows, params.class_rows, own_seed);
            all.push(Fold::new(columns, params, &sizes, orders, (train, held_out))?);
        }
        Ok(Some(Self { columns, params, sizes, folds: all }))
    }

    /// Rows of every class; none for numbers.
    fn counts(&self) -> Vec<usize> {
        let Goal::Classes(codes, classes) = &self.columns.goal else { return Vec::new() };
        let mut counts = vec![0; *classes];
        codes.iter().for_each(|&code| counts[code as usize] += 1);
        counts
    }

    /// A weight for every class where all count the same; else none.
    fn class_weights(&self) -> Vec<f64> {
        let counts = if self.params.balanced { self.counts() } else { Vec::new() };
        counts.into_iter().map(|count| 1.0 / f64::from(count.max(1) as u32)).collect()
    }

    /// How much a held-out row counts.
    fn weight(&self, row: usize, by_class: &[f64]) -> f64 {
        let of_class = match &self.columns.goal {
            Goal::Classes(codes, _) => by_class.get(codes[row] as usize).copied().unwrap_or(1.0),
            Goal::Numbers(_) => 1.0,
        };
        self.columns.weights[row] * of_class
    }

    pub(super) fn fold_count(&self) -> usize {
        self.folds.len()
    }

    /// The choice of all folds but one, or of all.
    pub(super) fn choose(&self, without: Option<usize>) -> Choice {
        let folds: Vec<&Fold> =
            self.folds.iter().enumerate().filter(|(at, _)| Some(*at) != without).map(|(_, fold)| fold).collect();
        let losses = |path: Path, size: usize| -> Vec<f64> {
            folds.iter().flat_map(|fold| fold.predictions[path as usize][size].iter().map(|row| row.loss)).collect()
        };
        let by_class = self.class_weights();
        let weights: Vec<f64> =
            folds.iter().flat_map(|fold| fold.rows.iter().map(|&row| self.weight(row, &by_class))).collect();
        let best = |path: Path| {
            let errors: Vec<f64> =
                (0..self.sizes.len()).map(|size| weighted(&losses(path, size), &weights).0).collect();
            (0..errors.len()).min_by(|&a, &b| errors[a].total_cmp(&errors[b])).unwrap_or(0)
        };
        // Over all sizes, because the first K columns are to be good for every K.
        let mut gain = vec![0.0; weights.len()];
        for size in (0..self.sizes.len()).filter(|&size| self.sizes[size] <= COMPARED) {
            let own = difference(&losses(Path::Significant, size), &losses(Path::Wide, size));
            gain.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
        let (mean, error) = weighted(&gain, &weights);
        let path = match self.params.path {
            PathChoice::Auto if mean > self.params.margin * error => Path::Wide,
            PathChoice::Auto | PathChoice::Significant => Path::Significant,
            PathChoice::Wide => Path::Wide,
        };
        let best = best(path);
        let least = losses(path, best);
        let near = |&size: &usize| {
            let (mean, error) = weighted(&difference(&losses(path, size), &least), &weights);
            mean <= error
        };
        Choice { path, best, size: (0..best).find(near).unwrap_or(best) }
    }

    /// The number of features with the smallest error.
    pub(super) fn best_size(&self, choice: Choice) -> usize {
        self.sizes[choice.best]
    }

    /// Number of features of a choice.
    pub(super) fn size(&self, choice: Choice) -> usize {
        self.sizes[choice.size]
    }

    /// The results of held-out rows, for each fold with the path that the other folds choose, and with the size that they choose or
    /// the given one.
    pub(super) fn held_out(&self, size: Option<usize>) -> Result<Option<HeldOut>, LinalgError> {
        let mut out = match &self.columns.goal {
            Goal::Classes(..) if self.params.balanced => HeldOutRows::of_classes(Loss::Brier).balanced(&self.counts()),
            Goal::Classes(..) => HeldOutRows::of_classes(Loss::Brier),
            Goal::Numbers(values) => HeldOutRows::of_numbers(variance(values)),
        };
        let counts = self.counts();
        let frequent = (0..counts.len()).rev().max_by_key(|&class| counts[class]).unwrap_or(0) as u32;
        for (at, fold) in self.folds.iter().enumerate() {
            let choice = self.choose(Some(at));
            let predictions = match size {
                None => Cow::Borrowed(&fold.predictions[choice.path as usize][choice.size]),
                Some(size) => {
                    let order =
                        fold.orders.with_significant_behind(choice.path, self.sizes[choice.best], self.params.level);
                    Cow::Owned(fold.predict_by(self.columns, self.params, &order[..size.min(order.len())])?)
                }
            };
            for ((&row, own), chance) in fold.rows.iter().zip(predictions.iter()).zip(&fold.chance) {
                match &self.columns.goal {
                    Goal::Classes(codes, _) => {
                        // An equal share for every class names no class.
                        let constant = if self.params.balanced { frequent } else { chance.value as u32 };
                        let hits = (own.value as u32 == codes[row], constant == codes[row]);
                        out.push_result(codes[row] as usize, (own.loss, chance.loss), hits);
                    }
                    Goal::Numbers(values) => out.push_number(values[row], own.value, chance.value),
                }
            }
        }
        let found = out.finish().map(|found| HeldOut {
            rmse: found.rmse.map(|error| error * self.columns.unit),
            chance_rmse: found.chance_rmse.map(|error| error * self.columns.unit),
            features: size,
            ..found
        });
        Ok(found)
    }

    /// Accuracy, or R squared, of every size on held-out rows.
    pub(super) fn curve(&self, path: Path) -> SizeCurve {
        let sum = |rows: &[Prediction]| rows.iter().map(|row| row.loss).sum::<f64>();
        let rows: usize = self.folds.iter().map(|fold| fold.rows.len()).sum();
        let chance = self.folds.iter().map(|fold| sum(&fold.chance)).sum::<f64>() / rows.max(1) as f64;
        let score = |fold: &Fold, size: usize| {
            let predictions = &fold.predictions[path as usize][size];
            match &self.columns.goal {
                Goal::Classes(codes, _) => {
                    let right = fold.rows.iter().zip(predictions).filter(|(row, own)| own.value as u32 == codes[**row]);
                    right.count() as f64 / fold.rows.len().max(1) as f64
                }
                Goal::Numbers(_) => r_squared(sum(predictions), sum(&fold.chance), chance * fold.rows.len() as f64),
            }
        };
        let point = |(at, &features): (usize, &usize)| {
            SizePoint::of(features, &self.folds.iter().map(|fold| score(fold, at)).collect::<Vec<_>>())
        };
        let points = self.sizes.iter().enumerate().map(point).collect();
        SizeCurve { rule: "one-se".to_owned(), folds: self.folds.len(), points }
    }

    /// For every feature by how much the squared error of held-out rows rises when it is removed from the best set of the fold,
    /// mean over the folds; 0 where a fold does not have it.
    pub(super) fn importance(&self, choice: Choice) -> Result<Vec<f64>, LinalgError> {
        let mut scores = vec![0.0; self.columns.features.len()];
        let by_class = self.class_weights();
        for fold in &self.folds {
            let set = &fold.orders.of(choice.path)[..self.sizes[choice.best]];
            let weights: Vec<f64> = fold.rows.iter().map(|&row| self.weight(row, &by_class)).collect();
            let error = |predictions: &[Prediction]| {
                weighted(&predictions.iter().map(|row| row.loss).collect::<Vec<_>>(), &weights).0
            };
            let whole = error(&fold.predictions[choice.path as usize][choice.best]);
            let without = |&removed: &usize| {
                let rest: Vec<usize> = set.iter().copied().filter(|&feature| feature != removed).collect();
                let predictions =
                    if rest.is_empty() { fold.chance.clone() } else { fold.predict(self.columns, self.params, &rest)? };
                Ok(error(&predictions) - whole)
            };
            let rises: Vec<f64> = set.par_iter().map(without).collect::<Result<_, LinalgError>>()?;
            set.iter().zip(rises).for_each(|(&feature, rise)| scores[feature] += rise / self.folds.len() as f64);
        }
        Ok(scores)
    }
}

impl Fold {
    fn new(
        columns: &Columns,
        params: &Params,
        sizes: &[usize],
        orders: Orders,
        (learn, rows): (RowSample, Vec<usize>),
    ) -> Result<Self, LinalgError> {
        let most = sizes.last().copied().unwrap_or(0);
        let paths = [Path::Wide, Path::Significant];
        let mut features: Vec<usize> = paths.iter().flat_map(|&path| orders.of(path)[..most].iter().copied()).collect();
        features.sort_unstable();
        features.dedup();
        let training = Training::weighted(columns, &learn.rows, params.balanced, |row| learn.weight(columns, row));
        let learn = learn.rows;
        let (train, other) = code(columns, &features, (&learn, &rows), params.scale);
        let chance = rows.iter().map(|&row| training.centre.read(&columns.goal, row, |_| 0.0)).collect();
        let predictions = [Vec::new(), Vec::new()];
        let mut fold = Self { orders, features, train, other, training, learn, rows, chance, predictions };
        for path in paths {
            if path == Path::Significant && !fold.orders.differ() {
                fold.predictions[path as usize] = fold.predictions[Path::Wide as usize].clone();
                continue;
            }
            let order = fold.orders.of(path);
            let of_size = |&size: &usize| fold.predict(columns, params, &order[..size]);
            let all: Vec<Vec<Prediction>> = sizes.par_iter().map(of_size).collect::<Result<_, LinalgError>>()?;
            fold.predictions[path as usize] = all;
        }
        Ok(fold)
    }

    /// Predictions of the held-out rows by some features.
    fn predict(&self, columns: &Columns, params: &Params, set: &[usize]) -> Result<Vec<Prediction>, LinalgError> {
        let places: Vec<usize> = set.iter().filter_map(|feature| self.features.binary_search(feature).ok()).collect();
        self.predict_coded(columns, params, (&self.train, &self.other), &places)
    }

    /// The same by any features, which are coded first.
    fn predict_by(&self, columns: &Columns, params: &Params, set: &[usize]) -> Result<Vec<Prediction>, LinalgError> {
        let mut set = set.to_vec();
        set.sort_unstable();
        let (train, other) = code(columns, &set, (&self.learn, &self.rows), params.scale);
        self.predict_coded(columns, params, (&train, &other), &(0..set.len()).collect::<Vec<_>>())
    }

    fn predict_coded(
        &self,
        columns: &Columns,
        params: &Params,
        (train, other): (&Coded, &Coded),
        places: &[usize],
    ) -> Result<Vec<Prediction>, LinalgError> {
        let kernel = Ridge { ridge: params.ridge, width: params.width };
        let predicted = predict(train, other, places, &self.training.responses, kernel)?;
        let centre: &Centre = &self.training.centre;
        let read = |(at, &row): (usize, &usize)| {
            centre.read(&columns.goal, row, |response| f64::from(predicted.data[response * predicted.rows + at]))
        };
        Ok(self.rows.iter().enumerate().map(read).collect())
    }
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// Weighted mean and its standard error.
fn weighted(values: &[f64], weights: &[f64]) -> (f64, f64) {
    let total: f64 = weights.iter().sum();
    let mean = values.iter().zip(weights).map(|(value, weight)| value * weight).sum::<f64>() / total;
    let squares = values.iter().zip(weights).map(|(value, weight)| (weight * (value - mean)).powi(2)).sum::<f64>();
    (mean, squares.sqrt() / total)
}

fn variance(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count
}
