//! One method in one split, by each of the protocols.

use super::frame::{Frame, Truth};
use super::measures::{gain, main_score, scores};
use super::options::{EvaluateOptions, Judge, Protocol};
use super::outcome::{Judged, Point, Verdict};
use super::part::{Part, Ranker};
use super::{Failure, frame};
use crate::splits::{Plan, Split, splits};
use rulesieve::data::Dataset;
use rulesieve::methods::FitError;
use rulesieve::optim::Observer;
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

    pub(super) fn judge(&self, ranker: &Ranker, number: usize, watch: &mut dyn Observer) -> Result<Judged, Failure> {
        let began = Instant::now();
        let mut found = match self.options.protocol {
            Protocol::Nested => self.nested(ranker, number, watch)?,
            Protocol::Paper | Protocol::PaperPerFold => self.grid(ranker, number, watch)?,
        };
        found.seconds = began.elapsed().as_secs_f64();
        Ok(found)
    }

    /// Features of half of the rows, best first, with the first of the settings.
    pub(super) fn half(&self, ranker: &Ranker, number: usize, watch: &mut dyn Observer) -> Result<Vec<usize>, Failure> {
        let plan = match &self.options.plan {
            Plan::Groups { groups, .. } => Plan::Groups { folds: 2, groups: groups.clone() },
            Plan::Folds { .. } | Plan::LeaveOneOut => Plan::Folds { folds: 2, repeats: 1 },
        };
        // Far from the seeds of the splits.
        let seed = self.options.seed.wrapping_add((1 << 32) + number as u64);
        let halves = splits(&plan, &frame::strata(self.data), seed).map_err(Failure::Split)?;
        let half = halves.into_iter().next().unwrap_or(Split { train: Vec::new(), test: Vec::new() });
        let settings = ranker.settings();
        let found = self.part(half, seed)?.orders(ranker, &settings[..settings.len().min(1)], watch)?;
        Ok(first(found)?.places)
    }

    fn seed(&self, number: usize) -> u64 {
        self.options.seed.wrapping_add(1 + number as u64)
    }

    /// The size that was asked for; [`NATIVE`] where the method's own rule decides.
    fn size(&self) -> Option<usize> {
        let third = (self.options.protocol != Protocol::Nested).then(Size::default);
        match self.options.size.or(third)? {
            Size::Native => Some(NATIVE),
            size => Some(size.resolve(self.data.features.len())),
        }
    }

    /// The number of features to keep of an order; a third where its method has no rule of its own.
    fn kept(&self, order: &FeatureOrder, size: usize) -> usize {
        let third = || Size::default().resolve(self.data.features.len());
        if size == NATIVE { order.native.unwrap_or_else(third) } else { size }
    }

    /// Every setting, judged by the test rows. Settings that keep the same features share a verdict.
    fn grid(&self, ranker: &Ranker, number: usize, watch: &mut dyn Observer) -> Result<Judged, Failure> {
        let part = self.part(self.frame.split(number), self.seed(number))?;
        let size = if let Ranker::All = ranker { self.data.features.len() } else { self.size().unwrap_or(1) };
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
                            let wanted = [(places.len(), choices.clone())];
                            let verdict = only(part.verdicts(&places, &wanted, watch)?);
                            known.insert(places, verdict.clone());
                            verdict
                        }
                    };
                    Ok((kept.to_vec(), verdict))
                }
            };
            points.push(Point { setting, verdict });
        }
        Ok(Judged { points, curve: Vec::new(), seconds: 0.0 })
    }

    /// Setting, size and the judge's parameter chosen by folds inside the training part.
    fn nested(&self, ranker: &Ranker, number: usize, watch: &mut dyn Observer) -> Result<Judged, Failure> {
        let (split, seed) = (self.frame.split(number), self.seed(number));
        let tally = self.tally(ranker, &split.train, seed, watch)?;
        let part = self.part(split, seed)?;
        let mut orders = BTreeMap::new();
        let mut order = |setting: usize, watch: &mut dyn Observer| -> Result<FeatureOrder, Failure> {
            if let Some(order) = orders.get(&setting) {
                return Ok(FeatureOrder::clone(order));
            }
            let settings = ranker.settings().get(setting).map(std::slice::from_ref).unwrap_or_default();
            let order = first(part.orders(ranker, settings, watch)?)?;
            orders.insert(setting, order.clone());
            Ok(order)
        };
        let asked = if let Ranker::All = ranker { None } else { self.size() };
        let best = tally.best(asked);
        let found = order(best.setting, watch)?;
        let size = self.kept(&found, best.size);
        let verdict = only(part.verdicts(&found.places, &[(size, vec![best.choice])], watch)?);
        let points = vec![Point { setting: best.setting, verdict: Ok((found.places[..size].to_vec(), verdict)) }];
        let mut curve = Vec::new();
        if self.options.curve {
            for &size in &tally.sizes {
                let best = tally.best(Some(size));
                let order = order(best.setting, watch)?;
                let verdict = only(part.verdicts(&order.places, &[(size, vec![best.choice])], watch)?);
                let truth = &self.frame.truth;
                let score = scores(truth, part.test(), &verdict).get(main_score(truth)).copied();
                curve.extend(score.map(|score| (size, score)));
            }
        }
        Ok(Judged { points, curve, seconds: 0.0 })
    }

    /// Gains of all choices over the inner folds.
    fn tally(&self, ranker: &Ranker, train: &[usize], seed: u64, watch: &mut dyn Observer) -> Result<Tally, Failure> {
        let mut tally = Tally::new(self.sizes(ranker), self.options.judge.choices(), ranker.settings().len().max(1));
        if tally.is_decided() && !self.options.curve {
            return Ok(tally);
        }
        let strata = frame::strata(self.data);
        let strata: Vec<u32> = train.iter().map(|&row| strata[row]).collect();
        for fold in splits(&inner_plan(train, self.options), &strata, seed).unwrap_or_default() {
            let rows = |places: &[usize]| places.iter().map(|&place| train[place]).collect::<Vec<_>>();
            let part = self.part(Split { train: rows(&fold.train), test: rows(&fold.test) }, seed)?;
            for (setting, order) in part.orders(ranker, ranker.settings(), watch)?.into_iter().enumerate() {
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
        let mut sizes = match self.size() {
            Some(size) if !self.options.curve => return vec![size],
            Some(size) => vec![size],
            None => Vec::new(),
        };
        sizes.extend(growing_sizes(features));
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// Fits of a ranker in one split, for the progress.
    pub(super) fn fits(&self, ranker: &Ranker) -> usize {
        let points = ranker.settings().len().max(1);
        if self.options.protocol != Protocol::Nested {
            let rules = if self.options.judge == Judge::Tsk { points } else { 0 };
            return points + rules;
        }
        let sizes = self.sizes(ranker).len();
        let tally = Tally::new(self.sizes(ranker), self.options.judge.choices(), points);
        let inner = if tally.is_decided() && !self.options.curve { 0 } else { self.options.inner };
        let rules = |sizes: usize| if self.options.judge == Judge::Tsk { sizes } else { 0 };
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

/// The single verdict on a single wish.
fn only(verdicts: Vec<Vec<Verdict>>) -> Verdict {
    #[allow(clippy::expect_used, reason = "one verdict for every wish, and one was wished for")]
    verdicts.into_iter().flatten().next().expect("a verdict")
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

/// What can be chosen.
#[derive(Clone, Copy)]
struct Choice {
    setting: usize,
    size: usize,
    choice: f64,
}

/// Gains of everything that can be chosen.
struct Tally {
    sizes: Vec<usize>,
    choices: Vec<f64>,
    /// For every setting: sizes, each with all choices. Minus infinity where a fit failed.
    gains: Vec<Vec<f64>>,
}

impl Tally {
    fn new(sizes: Vec<usize>, choices: Vec<f64>, settings: usize) -> Self {
        let gains = vec![vec![0.0; sizes.len() * choices.len()]; settings];
        Self { sizes, choices, gains }
    }

    fn is_decided(&self) -> bool {
        self.gains.len() * self.sizes.len() * self.choices.len() == 1
    }

    fn add(&mut self, setting: usize, verdicts: &[Vec<Verdict>], truth: &Truth, test: &[usize]) {
        let gains = verdicts.iter().flatten().map(|verdict| gain(truth, test, &verdict.answers));
        self.gains[setting].iter_mut().zip(gains).for_each(|(sum, gain)| *sum += gain);
    }

    /// Takes a setting out; says whether any is left.
    fn strike(&mut self, setting: usize) -> bool {
        self.gains[setting].fill(f64::NEG_INFINITY);
        self.gains.iter().any(|gains| gains[0] > f64::NEG_INFINITY)
    }

    /// The largest gain, among equals the smallest size, then the first setting and the smallest choice.
    fn best(&self, asked: Option<usize>) -> Choice {
        let mut best: Option<(f64, Choice)> = None;
        for (at, &size) in self.sizes.iter().enumerate().filter(|(_, size)| asked.is_none_or(|asked| asked == **size)) {
            for (setting, gains) in self.gains.iter().enumerate() {
                for (which, &choice) in self.choices.iter().enumerate() {
                    let gain = gains[at * self.choices.len() + which];
                    if best.is_none_or(|(most, _)| gain > most) {
                        best = Some((gain, Choice { setting, size, choice }));
                    }
                }
            }
        }
        best.map_or(Choice { setting: 0, size: self.sizes[0], choice: self.choices[0] }, |(_, best)| best)
    }
}
