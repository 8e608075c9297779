//! Held-out results of the whole procedure: in every fold, features are selected and rules are trained on the training
//! rows alone, including the size, a tuned parameter and the number of rules, and predict the held-out rows.

use super::predict::{Prediction, Predictor};
use super::train::{TrainError, TrainOptions, train};
use crate::data::{DataError, Dataset, Feature};
use crate::held_out::{HeldOut, HeldOutRows, Loss};
use crate::optim::{Fits, Halt, Observer};
use crate::pool;
use crate::rule_network::loss::moments;
use crate::select::{SelectOptions, Selection, select, stratified_folds};
use crate::warning::Warning;
use std::collections::HashMap;

/// Number of stratified folds.
const FOLDS: usize = 5;
/// No further fold is fitted once this many held-out rows are scored.
const ENOUGH_ROWS: usize = 1000;
/// Minimum number of rows for cross-fitting.
const FEWEST_ROWS: usize = 10;
/// Fits per fold: the selection and the rules.
const FITS: usize = 2;
/// Random draw of the folds, different from that of the folds of a size rule.
const DRAW: u64 = 0x686f_6c64;

/// Results of cross-fitting.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CrossFit {
    /// Results on the held-out rows of all scored folds; `None` if no fold could be scored.
    pub held_out: Option<HeldOut>,
    /// Number of scored folds.
    pub folds: usize,
    /// Reasons for missing results.
    pub warnings: Vec<Warning>,
    /// Set if the observer ended it.
    pub halted: Option<Halt>,
}

/// Estimates by cross-fitting how well selection and training with these options predict new rows.
///
/// Folds are stratified by class and fitted in turn until 1,000 held-out rows are scored: a long table takes one
/// further fit and a short one five. Every held-out row counts once, whatever its weight. `copies` gives, for every
/// row, the index of the row that it is a copy of: copies are held out together and scored once.
///
/// A fold that fails is skipped with a warning and does not prevent training on all rows.
pub fn cross_fit(
    data: &Dataset,
    selecting: &SelectOptions,
    training: &TrainOptions,
    copies: Option<&[usize]>,
    observer: &mut dyn Observer,
) -> CrossFit {
    pool::observed(observer, |observer| cross_fit_in_pool(data, (selecting, training), copies, observer))
}

fn cross_fit_in_pool(
    data: &Dataset,
    (selecting, training): (&SelectOptions, &TrainOptions),
    copies: Option<&[usize]>,
    observer: &mut dyn Observer,
) -> CrossFit {
    let folds = Folds::new(data, selecting.seed, copies);
    let rows: usize = folds.held_out.iter().map(Vec::len).sum();
    if rows < FEWEST_ROWS {
        let reason = format!("{rows} rows are too few, at least {FEWEST_ROWS} are needed");
        return CrossFit { warnings: vec![Warning::NoHeldOut { reason }], ..CrossFit::default() };
    }
    let planned = folds.planned();
    let mut watch = Fits::new(observer, 0, FITS * planned);
    let mut scored = collector(data, training.balanced);
    let (mut done, mut halted, mut failure) = (0, None, None);
    for number in 0..planned {
        let fold = Fold { data, learn: folds.training(number), held_out: &folds.held_out[number] };
        match fold.fit(selecting, training, &mut watch) {
            Ok(Ended::Fitted(predictor)) => match fold.score(&predictor, &mut scored) {
                Ok(()) => done += 1,
                Err(error) => failure = Some((number + 1, TrainError::from(error))),
            },
            Ok(Ended::Halted(halt)) => {
                halted = Some(halt);
                break;
            }
            Err(error) => failure = Some((number + 1, error)),
        }
    }
    finish(&scored, (done, planned), halted, failure)
}

fn finish(
    scored: &HeldOutRows,
    (done, planned): (usize, usize),
    halted: Option<Halt>,
    failure: Option<(usize, TrainError)>,
) -> CrossFit {
    let held_out = scored.finish().filter(HeldOut::is_finite);
    let mut reasons = Vec::new();
    if let Some((fold, error)) = failure {
        reasons.push(format!("fold {fold} failed: {error}"));
    }
    match halted {
        Some(halt) => reasons.push(halt.to_string()),
        None if held_out.is_none() && reasons.is_empty() => reasons.push("they are not finite".to_owned()),
        None => {}
    }
    let reason = reasons.join(", ");
    let warning = match &held_out {
        None => Some(Warning::NoHeldOut { reason }),
        Some(_) if done < planned => Some(Warning::FewerFolds { done, planned, reason }),
        Some(_) => None,
    };
    CrossFit { held_out, folds: done, warnings: warning.into_iter().collect(), halted }
}

fn collector(data: &Dataset, balanced: bool) -> HeldOutRows {
    match data.target.numbers() {
        Some(numbers) => HeldOutRows::of_numbers(moments(numbers).1.powi(2)),
        None if balanced => HeldOutRows::of_classes(Loss::LogLoss).balanced(&data.target.counts()),
        None => HeldOutRows::of_classes(Loss::LogLoss),
    }
}

/// The folds of all rows.
struct Folds {
    /// The fold of every row.
    fold_of: Vec<usize>,
    /// The rows that each fold scores, copies only once.
    held_out: Vec<Vec<usize>>,
}

impl Folds {
    fn new(data: &Dataset, seed: u64, copies: Option<&[usize]>) -> Self {
        let target = &data.target;
        let code = |row: usize| target.codes().get(row).copied().unwrap_or(0);
        // The index of every original among the distinct rows, in order of appearance.
        let mut distinct: Vec<usize> = Vec::new();
        let mut index_of: HashMap<usize, usize> = HashMap::new();
        let mut index = |row: usize| {
            let original = copies.and_then(|copies| copies.get(row)).copied().unwrap_or(row);
            *index_of.entry(original).or_insert_with(|| {
                distinct.push(row);
                distinct.len() - 1
            })
        };
        let indices: Vec<usize> = (0..data.samples()).map(&mut index).collect();
        let codes: Vec<u32> = distinct.iter().map(|&row| code(row)).collect();
        let fold_of_distinct = stratified_folds(&codes, FOLDS, seed, DRAW);
        let mut held_out = vec![Vec::new(); FOLDS];
        distinct.iter().zip(&fold_of_distinct).for_each(|(&row, &fold)| held_out[fold].push(row));
        Self { fold_of: indices.iter().map(|&index| fold_of_distinct[index]).collect(), held_out }
    }

    /// Number of folds needed for enough held-out rows.
    fn planned(&self) -> usize {
        let mut rows = 0;
        let enough = self.held_out.iter().position(|fold| {
            rows += fold.len();
            rows >= ENOUGH_ROWS
        });
        enough.map_or(self.held_out.len(), |at| at + 1)
    }

    fn training(&self, fold: usize) -> Vec<usize> {
        (0..self.fold_of.len()).filter(|&row| self.fold_of[row] != fold).collect()
    }
}

/// Outcome of the fits of a fold.
enum Ended {
    Fitted(Box<Predictor>),
    Halted(Halt),
}

/// Training rows and held-out rows.
struct Fold<'a> {
    data: &'a Dataset,
    learn: Vec<usize>,
    held_out: &'a [usize],
}

impl Fold<'_> {
    /// Selects and trains on the training rows alone.
    fn fit(&self, selecting: &SelectOptions, training: &TrainOptions, watch: &mut Fits) -> Result<Ended, TrainError> {
        let data = self.data.subset(&self.learn)?;
        let selection = self.select(&data, selecting, watch)?;
        if let Some(halt) = watch.fitted().break_value() {
            return Ok(Ended::Halted(halt));
        }
        let options = TrainOptions { weights: self.weights(training.weights.as_deref()), ..training.clone() };
        let (predictor, _) = train(&data, &selection, &options, watch)?;
        Ok(match watch.fitted().break_value() {
            Some(halt) => Ended::Halted(halt),
            None => Ended::Fitted(Box::new(predictor)),
        })
    }

    fn select(&self, data: &Dataset, options: &SelectOptions, watch: &mut Fits) -> Result<Selection, TrainError> {
        // Subsetting removes features without training values, so their groups must be adapted.
        let known = |name: &&String| data.index_of(name).is_some();
        let groups = options.groups.iter().map(|group| group.iter().filter(known).cloned().collect::<Vec<_>>());
        let groups = groups.filter(|group| !group.is_empty()).collect();
        let weights = self.weights(options.weights.as_deref());
        Ok(select(data, &SelectOptions { weights, groups, ..options.clone() }, watch)?)
    }

    fn weights(&self, weights: Option<&[f64]>) -> Option<Vec<f64>> {
        weights.map(|weights| self.learn.iter().map(|&row| weights[row]).collect())
    }

    /// Predicts the held-out rows. Missing values and unseen categories are imputed with the typical value, whatever
    /// the policy, so that every held-out row is scored.
    fn score(&self, predictor: &Predictor, scored: &mut HeldOutRows) -> Result<(), DataError> {
        let indices = self.data.indices_of(&predictor.model().features)?;
        let features: Vec<Feature> =
            indices.into_iter().map(|at| self.data.features[at].rows_of(self.held_out)).collect();
        let predictions = predictor.predict_features(&features, self.held_out.len())?;
        let target = &self.data.target;
        let known = target.rows_of(&self.learn);
        let shares = shares(&known.counts());
        let mean = known.numbers().map_or(0.0, |numbers| moments(numbers).0);
        for (&row, prediction) in self.held_out.iter().zip(&predictions) {
            match (prediction, target.numbers()) {
                (Prediction::Number(value), Some(numbers)) => scored.push_number(numbers[row], *value, mean),
                (Prediction::Class { probabilities, .. }, None) => {
                    scored.push_class(target.codes()[row] as usize, probabilities, &shares);
                }
                // Predictor and data set have the same task.
                _ => {}
            }
        }
        Ok(())
    }
}

/// Class shares of the constant prediction. If a class has no row, one row is added, divided equally among the classes:
/// a share of zero would make the log-loss infinite.
fn shares(counts: &[usize]) -> Vec<f64> {
    let rows = counts.iter().sum::<usize>() as f64;
    let added = f64::from(u8::from(counts.contains(&0)));
    let part = added / counts.len().max(1) as f64;
    counts.iter().map(|&count| (count as f64 + part) / (rows + added)).collect()
}

impl Predictor {
    /// Records held-out results of the procedure that trained this model, with a warning if they are no better than
    /// chance. They replace the warning about the validation rows.
    pub fn set_held_out(&mut self, found: CrossFit) {
        let training = self.training_mut();
        if let Some(held_out) = &found.held_out {
            training.warnings.retain(|warning| !warning.is_chance());
            training.warnings.extend(held_out.warning());
        }
        training.warnings.extend(found.warnings);
        training.held_out = found.held_out;
    }
}

#[cfg(test)]
mod tests;
