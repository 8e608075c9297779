//! One method in one split, by each of the protocols.

use super::Failure;
use super::frame::{self, Frame};
use super::measures::{main_score, scores};
use super::options::{EvaluateOptions, Protocol};
use super::outcome::{Judged, Outcome, Point, Verdict};
use super::part::{Part, Ranker};
use super::tally::{Choice, Tally};
use super::work::Eye;
use crate::splits::{Plan, Split, half, splits};
use rulesieve::data::Dataset;
use rulesieve::methods::FitError;
use rulesieve::select::{FeatureOrder, Size, growing_sizes};
use std::collections::{BTreeMap, HashSet};
use std::time::Instant;

/// What every split of a run shares.
#[derive(Clone, Copy)]
pub(super) struct Work<'a> {
    pub(super) data: &'a Dataset,
    pub(super) frame: &'a Frame,
    pub(super) options: &'a EvaluateOptions,
}

impl<'a> Work<'a> {
    fn part(&self, split: Split, seed: u64) -> Result<Part<'a>, Failure> {
        Part::new((self.data, &self.frame.truth), self.options, split, seed)
    }

    /// The rows of a split.
    pub(super) fn part_of(&self, number: usize) -> Result<Part<'a>, Failure> {
        self.part(self.frame.split(number), self.seed(number))
    }

    pub(super) fn judge(&self, ranker: &Ranker, number: usize, watch: &mut Eye) -> Result<Judged, Failure> {
        let began = Instant::now();
        let mut found = match self.options.protocol {
            Protocol::Nested => self.nested(ranker, number, watch)?,
            Protocol::Paper | Protocol::PaperPerFold => self.grid(ranker, number, watch)?,
        };
        found.seconds = began.elapsed().as_secs_f64();
        Ok(found)
    }

    /// Half of the rows, ranked with one of the settings.
    pub(super) fn half(
        &self,
        ranker: &Ranker,
        (number, setting): (usize, usize),
        watch: &mut Eye,
    ) -> Result<Outcome, Failure> {
        // Far from the seeds of the splits.
        let seed = self.options.seed.wrapping_add((1 << 32) + number as u64);
        let train = half(&self.options.plan, &frame::strata(self.data), seed);
        let settings = ranker.settings().get(setting).map(std::slice::from_ref).unwrap_or_default();
        let part = self.part(Split { train, test: Vec::new() }, seed)?;
        Ok(Outcome::Ranked { setting, order: first(part.orders(ranker, settings, watch)?)?.places })
    }

    fn seed(&self, number: usize) -> u64 {
        self.options.seed.wrapping_add(1 + number as u64)
    }

    /// The size that was asked for; [`NATIVE`] where the method's own rule decides, none where inner folds do.
    fn size(&self, ranker: &Ranker) -> Option<usize> {
        let asked = self.options.size.filter(|size| *size != Size::Auto);
        let third = (self.options.protocol != Protocol::Nested).then_some(Size::THIRD);
        let held_out = (ranker.chooses_size() && !self.options.curve).then_some(Size::Native);
        match asked.or(third).or(held_out)? {
            Size::Native => Some(NATIVE),
            size => Some(size.resolve(self.data.features.len())),
        }
    }

    /// The number of features to keep of an order; a third where its method has no rule of its own.
    fn kept(&self, order: &FeatureOrder, size: usize) -> usize {
        let third = || Size::THIRD.resolve(self.data.features.len());
        if size == NATIVE { order.native.unwrap_or_else(third) } else { size }
    }

    /// Every setting, judged by the test rows. Settings that keep the same features share a verdict.
    fn grid(&self, ranker: &Ranker, number: usize, watch: &mut Eye) -> Result<Judged, Failure> {
        let part = self.part(self.frame.split(number), self.seed(number))?;
        let size = if let Ranker::All = ranker { self.data.features.len() } else { self.size(ranker).unwrap_or(1) };
        let choices = self.options.judge.choices();
        let mut known: BTreeMap<Vec<usize>, Verdict> = BTreeMap::new();
        let mut points = Vec::new();
        for (setting, order) in part.orders(ranker, ranker.settings(), watch)?.into_iter().enumerate() {
            let verdict = match order {
                Err(failure) => Err(failure.to_string()),
                Ok(order) => {
                    let kept = &order.places[..self.kept(&order, size)];
                    let mut places = kept.to_vec();
                    places.sort_unstable();
                    let verdict = match known.get(&places) {
                        Some(verdict) => verdict.clone(),
                        None => {
                            let verdict = part.verdict(&places, &choices, watch)?;
                            known.insert(places, verdict.clone());
                            verdict
                        }
                    };
                    Ok((kept.to_vec(), verdict))
                }
            };
            points.push(Point { setting, verdict });
        }
        Ok(Judged { points, struck: Vec::new(), curve: Vec::new(), seconds: 0.0 })
    }

    /// Setting, size and the judge's parameter chosen by folds inside the training part.
    fn nested(&self, ranker: &Ranker, number: usize, watch: &mut Eye) -> Result<Judged, Failure> {
        let (split, seed) = (self.frame.split(number), self.seed(number));
        let train = split.train.clone();
        let part = self.part(split, seed)?;
        // Inner folds then choose the parameter of the classifier alone, for the features of the whole training part.
        let whole = match self.ranks_once(ranker) {
            true => Some(first(part.orders(ranker, ranker.settings(), watch)?)?),
            false => None,
        };
        let tally = self.tally(ranker, (&train, whole.as_ref()), seed, watch)?;
        let best = tally.best(if let Ranker::All = ranker { None } else { self.size(ranker) });
        // What is asked of each setting, sizes ascending. The best of all is the best of its size, so a curve holds it already.
        let mut wishes: BTreeMap<usize, Vec<Choice>> = BTreeMap::from([(best.setting, vec![best])]);
        if self.options.curve {
            wishes.clear();
            for &size in &tally.sizes {
                let choice = tally.best(Some(size));
                wishes.entry(choice.setting).or_default().push(choice);
            }
        }
        let (mut point, mut curve) = (None, Vec::new());
        for (setting, wishes) in wishes {
            let settings = ranker.settings().get(setting).map(std::slice::from_ref).unwrap_or_default();
            let order = match &whole {
                Some(order) => order.clone(),
                None => first(part.orders(ranker, settings, watch)?)?,
            };
            let wanted: Vec<(usize, Vec<f64>)> =
                wishes.iter().map(|wish| (self.kept(&order, wish.size), vec![wish.choice])).collect();
            let verdicts = part.verdicts(&order.places, &wanted, watch)?.into_iter().flatten();
            for ((wish, (size, _)), verdict) in wishes.iter().zip(wanted).zip(verdicts) {
                let score = self.score(part.test(), &verdict).filter(|_| self.options.curve);
                curve.extend(score.map(|score| (size, score)));
                if (wish.setting, wish.size) == (best.setting, best.size) {
                    point = Some(Point { setting, verdict: Ok((order.places[..size].to_vec(), verdict)) });
                }
            }
        }
        curve.sort_by_key(|(size, _)| *size);
        Ok(Judged { points: point.into_iter().collect(), struck: tally.struck(), curve, seconds: 0.0 })
    }

    /// The score by which methods are compared.
    fn score(&self, test: &[usize], verdict: &Verdict) -> Option<f64> {
        let truth = &self.frame.truth;
        scores(truth, test, &verdict.answers, verdict.log_loss).get(main_score(truth)).copied()
    }

    /// Whether the method chooses the size itself and has one setting, so that inner folds choose nothing about features.
    fn ranks_once(&self, ranker: &Ranker) -> bool {
        ranker.chooses_size() && ranker.settings().len() == 1 && self.size(ranker) == Some(NATIVE)
    }

    /// Gains of all choices over the inner folds; features are ranked in every fold unless an order is given.
    fn tally(
        &self,
        ranker: &Ranker,
        (train, given): (&[usize], Option<&FeatureOrder>),
        seed: u64,
        watch: &mut Eye,
    ) -> Result<Tally, Failure> {
        let mut tally = Tally::new(self.sizes(ranker), self.options.judge.choices(), ranker.settings().len().max(1));
        if tally.is_decided() && !self.options.curve {
            return Ok(tally);
        }
        let strata = frame::strata(self.data);
        let strata: Vec<u32> = train.iter().map(|&row| strata[row]).collect();
        for fold in splits(&inner_plan(train, self.options), &strata, seed).unwrap_or_default() {
            let rows = |places: &[usize]| places.iter().map(|&place| train[place]).collect::<Vec<_>>();
            let part = self.part(Split { train: rows(&fold.train), test: rows(&fold.test) }, seed)?;
            let orders = match given {
                Some(order) => vec![Ok(order.clone())],
                None => part.orders(ranker, ranker.settings(), watch)?,
            };
            for (setting, order) in orders.into_iter().enumerate() {
                match order {
                    Ok(order) => {
                        let wanted = |&size: &usize| (self.kept(&order, size), tally.choices.clone());
                        let wanted: Vec<(usize, Vec<f64>)> = tally.sizes.iter().map(wanted).collect();
                        let verdicts = part.verdicts(&order.places, &wanted, watch)?;
                        tally.add(setting, &verdicts, &self.frame.truth, part.test());
                    }
                    // A setting that fails anywhere is out; where all are, the last failure is the reason.
                    Err(failure) if !tally.strike(setting) => return Err(failure.into()),
                    Err(_) => {}
                }
            }
        }
        Ok(tally)
    }

    /// Sizes that are tried inside.
    fn sizes(&self, ranker: &Ranker) -> Vec<usize> {
        let features = self.data.features.len();
        if let Ranker::All = ranker {
            return vec![features];
        }
        let mut sizes = match self.size(ranker) {
            Some(size) if !self.options.curve => return vec![size],
            Some(size) => vec![size],
            None => Vec::new(),
        };
        sizes.extend(growing_sizes(features));
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// Folds inside the training part of a split where rows are grouped.
    fn inner_groups(&self, split: usize) -> usize {
        match inner_plan(&self.frame.split(split).train, self.options) {
            Plan::Folds { folds, .. } | Plan::Groups { folds, .. } => folds,
            Plan::LeaveOneOut => 0,
        }
    }

    /// Fits of a ranker in one split, for the progress.
    pub(super) fn fits(&self, ranker: &Ranker, split: usize) -> usize {
        let points = ranker.settings().len().max(1);
        if self.options.protocol != Protocol::Nested {
            let rules = if self.options.judge.is_trained_by_size() { points } else { 0 };
            return points + rules;
        }
        let sizes = self.sizes(ranker).len();
        let decided = points * sizes * self.options.judge.choices().len() == 1 && !self.options.curve;
        let inner = match (decided || self.ranks_once(ranker), &self.options.plan) {
            (true, _) => 0,
            (false, Plan::Groups { .. }) => self.inner_groups(split),
            (false, _) => self.options.inner.min(self.frame.truth.rows() - self.frame.tests[split].len()),
        };
        let rules = |sizes: usize| if self.options.judge.is_trained_by_size() { sizes } else { 0 };
        let curve = if self.options.curve { points.min(sizes) - 1 + rules(sizes) } else { 0 };
        inner * points * (1 + rules(sizes)) + 1 + rules(1) + curve
    }
}

/// Stands for the size that a method's own rule keeps.
const NATIVE: usize = 0;

/// The order by the first of some settings.
fn first(orders: Vec<Result<FeatureOrder, FitError>>) -> Result<FeatureOrder, Failure> {
    let none = FeatureOrder { places: Vec::new(), native: None };
    Ok(orders.into_iter().next().unwrap_or(Ok(none))?)
}

/// Folds within the training part; groups stay together there too, unless there is but one.
fn inner_plan(train: &[usize], options: &EvaluateOptions) -> Plan {
    if let Plan::Groups { groups, .. } = &options.plan {
        let groups: Vec<u32> = train.iter().map(|&row| groups[row]).collect();
        let count = groups.iter().collect::<HashSet<_>>().len();
        if count > 1 {
            return Plan::Groups { folds: options.inner.min(count), groups };
        }
    }
    Plan::Folds { folds: options.inner.min(train.len()), repeats: 1 }
}
