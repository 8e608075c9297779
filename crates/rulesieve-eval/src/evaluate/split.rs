//! Evaluation of one method in one split.

use super::Failure;
use super::encoded_split::{EncodedSplit, Ranker};
use super::inner_scores::{Choice, InnerScores, SizeChoice};
use super::measures::{main_score, scores};
use super::options::{EvaluateOptions, Protocol};
use super::result::{Point, Prediction, SplitResult, TaskPart, TaskResult};
use super::run_spec::{RunSpec, strata};
use super::work::DynObserver;
use crate::splits::{Plan, Split, splits, stratified_sample, subsample};
use rulesieve::data::Dataset;
use rulesieve::methods::FitError;
use rulesieve::select::{FeatureOrder, Size, growing_sizes};
use std::collections::{BTreeMap, HashSet};
use std::time::Instant;

/// Data, specification and options of a run.
#[derive(Clone, Copy)]
pub(super) struct RunContext<'a> {
    pub(super) data: &'a Dataset,
    pub(super) spec: &'a RunSpec,
    pub(super) options: &'a EvaluateOptions,
}

impl<'a> RunContext<'a> {
    pub(super) fn encode(&self, split: Split, seed: u64) -> Result<EncodedSplit<'a>, Failure> {
        let learn = self.sampled(&split.train, seed);
        EncodedSplit::new((self.data, &self.spec.truth), self.options, (split, learn), seed)
    }

    /// Encodes the rows of a split.
    pub(super) fn encoded(&self, number: usize) -> Result<EncodedSplit<'a>, Failure> {
        self.encode(self.spec.split(number), self.seed(number))
    }

    pub(super) fn evaluate_split(
        &self,
        ranker: &Ranker,
        number: usize,
        watch: &mut DynObserver,
    ) -> Result<SplitResult, Failure> {
        let began = Instant::now();
        let mut found = match self.options.protocol {
            Protocol::Nested => self.nested(ranker, number, watch)?,
            _ => self.grid(ranker, number, watch)?,
        };
        found.seconds = began.elapsed().as_secs_f64();
        Ok(found)
    }

    /// Ranks a subsample with one of the settings.
    pub(super) fn subsample(
        &self,
        ranker: &Ranker,
        (number, setting): (usize, usize),
        watch: &mut DynObserver,
    ) -> Result<TaskResult, Failure> {
        // Distinct from the seeds of the splits.
        let seed = self.options.seed.wrapping_add((1 << 32) + number as u64);
        let train = subsample(&self.options.plan, &strata(self.data), seed);
        let settings = ranker.settings().get(setting).map(std::slice::from_ref).unwrap_or_default();
        let encoded = self.encode(Split { train, test: Vec::new() }, seed)?;
        Ok(TaskResult::Subsample { setting, order: first(encoded.ranked(ranker, settings, watch)?)?.indices })
    }

    /// Returns the training rows of the estimator and the inner folds: all, or a sample.
    fn sampled(&self, train: &[usize], seed: u64) -> Vec<usize> {
        let most = self.options.estimator_rows.unwrap_or(usize::MAX);
        let strata = strata(self.data);
        let strata: Vec<u32> = train.iter().map(|&row| strata[row]).collect();
        stratified_sample(&strata, most, seed).into_iter().map(|at| train[at]).collect()
    }

    fn seed(&self, number: usize) -> u64 {
        self.options.seed.wrapping_add(1 + number as u64)
    }

    /// Returns the given size, or that of the method; `None` if inner folds choose it.
    fn size(&self, ranker: &Ranker) -> Option<SizeChoice> {
        let held_out = (ranker.chooses_size() && !self.options.curve).then_some(Size::Native);
        match self.options.given_size().or(held_out)? {
            Size::Native | Size::Rule(_) => Some(SizeChoice::Own),
            size => Some(SizeChoice::Count(size.resolve(self.data.features.len()))),
        }
    }

    /// Returns the number of features to select from an order; 1/3 if the method has no rule of its own.
    fn count(&self, order: &FeatureOrder, size: SizeChoice) -> usize {
        match size {
            SizeChoice::Count(count) => count,
            SizeChoice::Own => order.native.unwrap_or_else(|| Size::THIRD.resolve(self.data.features.len())),
        }
    }

    /// Predicts the test rows with each setting. Settings that select the same features share a prediction.
    fn grid(&self, ranker: &Ranker, number: usize, watch: &mut DynObserver) -> Result<SplitResult, Failure> {
        let encoded = self.encode(self.spec.split(number), self.seed(number))?;
        let own = self.size(ranker).filter(|_| !matches!(ranker, Ranker::All));
        let size = own.unwrap_or(SizeChoice::Count(self.data.features.len()));
        let choices = self.options.estimator.choices();
        let mut cache: BTreeMap<Vec<usize>, Prediction> = BTreeMap::new();
        let mut points = Vec::new();
        for (setting, order) in encoded.orders(ranker, ranker.settings(), watch)?.into_iter().enumerate() {
            let prediction = match order {
                Err(failure) => Err(failure.to_string()),
                Ok(order) => {
                    let selected = &order.indices[..self.count(&order, size)];
                    let mut indices = selected.to_vec();
                    indices.sort_unstable();
                    let prediction = match cache.get(&indices) {
                        Some(prediction) => prediction.clone(),
                        None => {
                            let prediction = encoded.prediction(&indices, &choices, watch)?;
                            cache.insert(indices, prediction.clone());
                            prediction
                        }
                    };
                    Ok((selected.to_vec(), prediction))
                }
            };
            points.push(Point { setting, prediction });
        }
        Ok(SplitResult { points, failed_settings: Vec::new(), curve: Vec::new(), seconds: 0.0 })
    }

    /// Chooses the setting, the size and the parameter of the estimator by inner folds.
    fn nested(&self, ranker: &Ranker, number: usize, watch: &mut DynObserver) -> Result<SplitResult, Failure> {
        let (split, seed) = (self.spec.split(number), self.seed(number));
        let train = self.sampled(&split.train, seed);
        let encoded = self.encode(split, seed)?;
        // With an order of all training rows, inner folds choose only the parameter of the estimator.
        let whole = match self.ranks_once(ranker) {
            true => Some(first(encoded.orders(ranker, ranker.settings(), watch)?)?),
            false => None,
        };
        let inner = self.inner_scores(ranker, (&train, whole.as_ref()), seed, watch)?;
        let best = inner.best(if let Ranker::All = ranker { None } else { self.size(ranker) });
        // Choices by setting, sizes ascending. A curve includes the best choice, which is the best of its size.
        let mut choices: BTreeMap<usize, Vec<Choice>> = BTreeMap::from([(best.setting, vec![best])]);
        if self.options.curve {
            choices.clear();
            for &size in &inner.sizes {
                let choice = inner.best(Some(size));
                choices.entry(choice.setting).or_default().push(choice);
            }
        }
        let (mut point, mut curve) = (None, Vec::new());
        for (setting, choices) in choices {
            let settings = ranker.settings().get(setting).map(std::slice::from_ref).unwrap_or_default();
            let order = match &whole {
                Some(order) => order.clone(),
                None => first(encoded.orders(ranker, settings, watch)?)?,
            };
            let wanted: Vec<(usize, Vec<f64>)> =
                choices.iter().map(|one| (self.count(&order, one.size), vec![one.choice])).collect();
            let predictions = encoded.predictions(&order.indices, &wanted, watch)?.into_iter().flatten();
            for ((choice, (size, _)), prediction) in choices.iter().zip(wanted).zip(predictions) {
                let score = self.score(encoded.test(), &prediction).filter(|_| self.options.curve);
                curve.extend(score.map(|score| (size, score)));
                if (choice.setting, choice.size) == (best.setting, best.size) {
                    point = Some(Point { setting, prediction: Ok((order.indices[..size].to_vec(), prediction)) });
                }
            }
        }
        curve.sort_by_key(|(size, _)| *size);
        Ok(SplitResult {
            points: point.into_iter().collect(),
            failed_settings: inner.failed_settings(),
            curve,
            seconds: 0.0,
        })
    }

    /// Returns the score by which methods are compared.
    fn score(&self, test: &[usize], prediction: &Prediction) -> Option<f64> {
        let truth = &self.spec.truth;
        scores(truth, test, &prediction.values, &prediction.certainty).get(main_score(truth)).copied()
    }

    /// Returns whether a single setting with its own size leaves no choice of features to inner folds.
    fn ranks_once(&self, ranker: &Ranker) -> bool {
        let by_rule = matches!(self.options.size, Some(Size::Rule(_)));
        let own = ranker.chooses_size() || by_rule;
        own && ranker.settings().len() == 1 && self.size(ranker) == Some(SizeChoice::Own)
    }

    /// Scores all choices over the inner folds; features are ranked in each fold unless an order is given.
    fn inner_scores(
        &self,
        ranker: &Ranker,
        (train, given): (&[usize], Option<&FeatureOrder>),
        seed: u64,
        watch: &mut DynObserver,
    ) -> Result<InnerScores, Failure> {
        let mut scores =
            InnerScores::new(self.sizes(ranker), self.options.estimator.choices(), ranker.settings().len().max(1));
        if scores.is_decided() && !self.options.curve {
            return Ok(scores);
        }
        let strata = strata(self.data);
        let strata: Vec<u32> = train.iter().map(|&row| strata[row]).collect();
        for fold in splits(&inner_plan(train, self.options), &strata, seed).unwrap_or_default() {
            let rows = |indices: &[usize]| indices.iter().map(|&at| train[at]).collect::<Vec<_>>();
            let encoded = self.encode(Split { train: rows(&fold.train), test: rows(&fold.test) }, seed)?;
            let orders = match given {
                Some(order) => vec![Ok(order.clone())],
                None => encoded.orders(ranker, ranker.settings(), watch)?,
            };
            for (setting, order) in orders.into_iter().enumerate() {
                match order {
                    Ok(order) => {
                        let wanted = |&size: &SizeChoice| (self.count(&order, size), scores.choices.clone());
                        let wanted: Vec<(usize, Vec<f64>)> = scores.sizes.iter().map(wanted).collect();
                        let predictions = encoded.predictions(&order.indices, &wanted, watch)?;
                        scores.add(setting, &predictions, &self.spec.truth, encoded.test());
                    }
                    // Excludes settings that fail in any fold; if all fail, reports the last failure.
                    Err(failure) if !scores.exclude(setting) => return Err(failure.into()),
                    Err(_) => {}
                }
            }
        }
        Ok(scores)
    }

    /// Returns the sizes for inner folds to choose from.
    fn sizes(&self, ranker: &Ranker) -> Vec<SizeChoice> {
        let features = self.data.features.len();
        if let Ranker::All = ranker {
            return vec![SizeChoice::Count(features)];
        }
        let mut sizes = match self.size(ranker) {
            Some(size) if !self.options.curve => return vec![size],
            Some(size) => vec![size],
            None => Vec::new(),
        };
        sizes.extend(growing_sizes(features).into_iter().map(SizeChoice::Count));
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// Returns the number of inner folds of a split of rows with groups or times.
    fn inner_groups(&self, split: usize) -> usize {
        match inner_plan(&self.sampled(&self.spec.split(split).train, self.seed(split)), self.options) {
            Plan::Folds { folds, .. } | Plan::Groups { folds, .. } | Plan::Time { folds, .. } => folds,
            Plan::LeaveOneOut | Plan::ScikitFolds { .. } => 0,
        }
    }

    /// Returns the number of fits of a task, for the progress.
    pub(super) fn fits_of(&self, ranker: &Ranker, part: TaskPart) -> usize {
        if let TaskPart::Split(split) = part { self.fits(ranker, split) } else { 1 }
    }

    /// Returns the number of fits of a ranker in one split.
    fn fits(&self, ranker: &Ranker, split: usize) -> usize {
        let points = ranker.settings().len().max(1);
        if self.options.protocol != Protocol::Nested {
            let rules = if self.options.estimator.is_trained_by_size() { points } else { 0 };
            return points + rules;
        }
        let sizes = self.sizes(ranker).len();
        let decided = points * sizes * self.options.estimator.choices().len() == 1 && !self.options.curve;
        let inner = match (decided || self.ranks_once(ranker), &self.options.plan) {
            (true, _) => 0,
            (false, Plan::Groups { .. } | Plan::Time { .. }) => self.inner_groups(split),
            (false, _) => self.options.inner.min(self.spec.train_rows(split)),
        };
        let rules = |sizes: usize| if self.options.estimator.is_trained_by_size() { sizes } else { 0 };
        let curve = if self.options.curve { points.min(sizes) - 1 + rules(sizes) } else { 0 };
        inner * points * (1 + rules(sizes)) + 1 + rules(1) + curve
    }
}

/// Returns the order of the first setting.
fn first(orders: Vec<Result<FeatureOrder, FitError>>) -> Result<FeatureOrder, Failure> {
    let none = FeatureOrder { indices: Vec::new(), native: None };
    Ok(orders.into_iter().next().unwrap_or(Ok(none))?)
}

/// Returns the plan of the inner folds, which keep groups together unless there is a single one, and the order of time.
fn inner_plan(train: &[usize], options: &EvaluateOptions) -> Plan {
    if let Plan::Groups { groups, .. } = &options.plan {
        let groups: Vec<u32> = train.iter().map(|&row| groups[row]).collect();
        let count = groups.iter().collect::<HashSet<_>>().len();
        if count > 1 {
            return Plan::Groups { folds: options.inner.min(count), groups };
        }
    }
    if let Plan::Time { times, window, .. } = &options.plan {
        let times: Vec<u32> = train.iter().map(|&row| times[row]).collect();
        let count = times.iter().collect::<HashSet<_>>().len();
        if count > 1 {
            return Plan::Time { folds: options.inner.min(count - 1), times, window: *window };
        }
    }
    Plan::Folds { folds: options.inner.min(train.len()), repeats: 1 }
}
