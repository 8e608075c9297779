//! From a frame and its outcomes to the record: nothing else is needed, so tables can be made again from what was kept.

use super::curve::Curve;
use super::frame::{Frame, Params, Truth};
use super::measures::{self, Scores, gain, main_score, scores};
use super::options::Protocol;
use super::outcome::{Answers, Judged, Outcome, Point, Task, TaskPart, Verdict};
use super::record::{
    Baselines, EvaluationRecord, FoldRecord, GridRecord, MethodRecord, Predicted, SCHEMA, Spread, Spreads,
    StabilityRecord,
};
use super::remarks::{compare, notices};
use super::{EvaluateError, constant};
use crate::metrics::Confusion;
use crate::stability::{frequencies, stability};
use std::collections::BTreeMap;

/// The record of what was done: of all splits in which every method has an outcome.
///
/// # Errors
/// Where no split is done, or no setting of a method could be used.
pub fn summarise(frame: &Frame, outcomes: &BTreeMap<Task, Outcome>) -> Result<EvaluationRecord, EvaluateError> {
    let done = Done::new(frame, outcomes);
    if done.splits.is_empty() {
        return Err(EvaluateError::NothingDone);
    }
    let rankers = frame.rankers();
    let mut records: Vec<MethodRecord> =
        (0..rankers.len()).map(|ranker| done.method(ranker)).collect::<Result<_, _>>()?;
    compare(frame, &done.splits, &mut records);
    let complete = done.splits.len() == frame.tests.len() && done.halves.len() == frame.halves;
    let notices = notices(frame, &done, &records);
    let constant = constant::constant(frame, &done.splits);
    let classes = matches!(frame.truth, Truth::Classes { .. });
    let mut baselines = records.split_off(frame.methods.len()).into_iter();
    let (all_features, random_features) = (baselines.next(), baselines.next());
    Ok(EvaluationRecord {
        schema: SCHEMA.to_owned(),
        version: frame.version.clone(),
        protocol: frame.protocol.name().to_owned(),
        data_sha256: frame.data.clone(),
        samples: frame.truth.rows(),
        features: frame.features.len(),
        task: if classes { "classification" } else { "regression" },
        class_names: if let Truth::Classes { names, .. } = &frame.truth { names.clone() } else { Vec::new() },
        target: frame.target.clone(),
        splits: frame.splits_in_words.clone(),
        complete,
        inner_folds: frame.inner,
        size: frame.size.clone(),
        classifier: (&frame.judge).into(),
        permuted_labels: frame.permuted,
        seed: frame.seed,
        score: main_score(&frame.truth),
        methods: records,
        baselines: Baselines {
            majority: classes.then(|| constant.clone()),
            mean: (!classes).then_some(constant),
            all_features,
            random_features,
        },
        notices,
    })
}

/// Splits and halves that every ranker has done.
pub(super) struct Done<'a> {
    frame: &'a Frame,
    outcomes: &'a BTreeMap<Task, Outcome>,
    pub(super) splits: Vec<usize>,
    pub(super) halves: Vec<usize>,
}

impl<'a> Done<'a> {
    fn new(frame: &'a Frame, outcomes: &'a BTreeMap<Task, Outcome>) -> Self {
        let all = frame.methods.len();
        let every = |part: TaskPart, skipped: Option<usize>| {
            let mut rankers = (0..frame.rankers().len()).filter(|ranker| Some(*ranker) != skipped);
            rankers.all(|ranker| outcomes.contains_key(&Task { ranker, part }))
        };
        let splits = (0..frame.tests.len()).filter(|&at| every(TaskPart::Split(at), None)).collect();
        let halves = (0..frame.halves).filter(|&at| every(TaskPart::Half(at), Some(all))).collect();
        Self { frame, outcomes, splits, halves }
    }

    pub(super) fn judged(&self, ranker: usize) -> Vec<&'a Judged> {
        let of_split = |&split: &usize| match self.outcomes.get(&Task { ranker, part: TaskPart::Split(split) }) {
            Some(Outcome::Judged(judged)) => Some(judged),
            _ => None,
        };
        self.splits.iter().filter_map(of_split).collect()
    }

    fn orders(&self, ranker: usize) -> Vec<&'a [usize]> {
        let of_half = |&half: &usize| match self.outcomes.get(&Task { ranker, part: TaskPart::Half(half) }) {
            Some(Outcome::Ranked { order, .. }) => Some(order.as_slice()),
            _ => None,
        };
        self.halves.iter().filter_map(of_half).collect()
    }

    fn scores(&self, split: usize, verdict: &Verdict) -> Scores {
        scores(&self.frame.truth, &self.frame.tests[split], &verdict.answers, verdict.log_loss)
    }

    /// What settings are compared by: accuracy, or, since R squared may be absent, minus the squared errors.
    fn worth(&self, split: usize, point: &Point) -> f64 {
        let (truth, test) = (&self.frame.truth, &self.frame.tests[split]);
        match (&point.verdict, truth) {
            (Err(_), _) => f64::NEG_INFINITY,
            (Ok((_, verdict)), Truth::Classes { .. }) => gain(truth, test, &verdict.answers) / test.len().max(1) as f64,
            (Ok((_, verdict)), Truth::Numbers(_)) => gain(truth, test, &verdict.answers),
        }
    }

    /// The point that counts in every split.
    fn chosen(&self, judged: &[&'a Judged]) -> Vec<&'a Point> {
        let first_of_most =
            |values: &[f64]| (0..values.len()).rev().max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap_or(0);
        let of_split = |(&split, judged): (&usize, &&Judged)| -> Vec<f64> {
            judged.points.iter().map(|point| self.worth(split, point)).collect()
        };
        let all: Vec<Vec<f64>> = self.splits.iter().zip(judged).map(of_split).collect();
        let best = match self.frame.protocol {
            Protocol::Nested => vec![0; judged.len()],
            Protocol::PaperPerFold => all.iter().map(|values| first_of_most(values)).collect(),
            Protocol::Paper => {
                let points = all.first().map_or(0, Vec::len);
                let sums: Vec<f64> = (0..points).map(|at| all.iter().map(|values| values[at]).sum()).collect();
                vec![first_of_most(&sums); judged.len()]
            }
        };
        judged.iter().zip(best).map(|(judged, at)| &judged.points[at]).collect()
    }

    fn method(&self, ranker: usize) -> Result<MethodRecord, EvaluateError> {
        let (frame, name) = (self.frame, self.frame.rankers()[ranker]);
        let judged = self.judged(ranker);
        let points = self.chosen(&judged);
        let mut folds = Vec::with_capacity(points.len());
        for ((&split, point), judged) in self.splits.iter().zip(&points).zip(&judged) {
            let (places, verdict) = point
                .verdict
                .as_ref()
                .map_err(|failure| EvaluateError::NoSetting { method: name.to_owned(), failure: failure.clone() })?;
            folds.push(FoldRecord {
                split,
                test: frame.tests[split].clone(),
                selected: places.iter().map(|&at| frame.features[at].clone()).collect(),
                params: frame.methods.get(ranker).map(|(_, all)| all[point.setting].clone()).unwrap_or_default(),
                judge: verdict.judge.clone(),
                predicted: predicted(&frame.truth, &verdict.answers),
                scores: self.scores(split, verdict),
                train_rows: frame.truth.rows() - frame.tests[split].len(),
                seconds: judged.seconds,
            });
        }
        let kept: Vec<Vec<usize>> =
            points.iter().filter_map(|point| point.verdict.as_ref().ok()).map(|(places, _)| places.clone()).collect();
        let shares = frequencies(&kept, frame.features.len());
        let named = frame.features.iter().zip(&shares).filter(|(_, share)| **share > 0.0);
        let table = self.table(&points);
        Ok(MethodRecord {
            method: name.to_owned(),
            scores: self.spreads(&points),
            features: Spread::of(kept.iter().map(|places| places.len() as f64)),
            stability: self.stability(ranker, &kept, &points),
            frequencies: named.map(|(feature, &share)| (feature.clone(), share)).collect(),
            confusion: table.map_or(Vec::new(), |table| table.counts().to_vec()),
            first_against_this: None,
            curve: Curve::of(&judged),
            grid: self.grid(ranker, &judged),
            seconds: judged.iter().map(|judged| judged.seconds).sum(),
            folds,
        })
    }

    /// Means over the splits; one by one, figures of single rows mean nothing, and all rows are judged together.
    fn spreads(&self, points: &[&Point]) -> Spreads {
        let of_split = |(&split, point): (&usize, &&Point)| Some(self.scores(split, &point.verdict.as_ref().ok()?.1));
        let every: Vec<Scores> = self.splits.iter().zip(points).filter_map(of_split).collect();
        let spreads = of_all(&every.iter().collect::<Vec<_>>());
        if !self.frame.together {
            return spreads;
        }
        let whole = match self.table(points) {
            Some(table) => measures::of_classes(&table),
            None => self.of_numbers(points),
        };
        // The log-loss is a mean over rows already.
        let loss =
            spreads.into_iter().filter(|(name, _)| *name == "log_loss").map(|(name, spread)| (name, spread.mean));
        whole.into_iter().chain(loss).map(|(name, score)| (name, Spread::pooled(score))).collect()
    }

    fn of_numbers(&self, points: &[&Point]) -> Scores {
        let (mut rows, mut all) = (Vec::new(), Vec::new());
        for (&split, point) in self.splits.iter().zip(points) {
            if let Ok((_, Verdict { answers: Answers::Numbers(answers), .. })) = &point.verdict {
                rows.extend(&self.frame.tests[split]);
                all.extend(answers);
            }
        }
        scores(&self.frame.truth, &rows, &Answers::Numbers(all), None)
    }

    /// The answers of all splits in one table.
    fn table(&self, points: &[&Point]) -> Option<Confusion> {
        let Truth::Classes { names, codes } = &self.frame.truth else { return None };
        let (mut truth, mut all) = (Vec::new(), Vec::new());
        for (&split, point) in self.splits.iter().zip(points) {
            if let Ok((_, Verdict { answers: Answers::Classes(answers), .. })) = &point.verdict {
                truth.extend(self.frame.tests[split].iter().map(|&row| codes[row]));
                all.extend(answers);
            }
        }
        Some(Confusion::new(&truth, &all, names.len()))
    }

    fn stability(&self, ranker: usize, kept: &[Vec<usize>], points: &[&Point]) -> Option<StabilityRecord> {
        let features = self.frame.features.len();
        let orders = self.orders(ranker);
        let (selections, over, params) = if orders.is_empty() {
            (kept.to_vec(), format!("{} training parts", kept.len()), None)
        } else {
            let mut sizes: Vec<usize> = kept.iter().map(Vec::len).collect();
            sizes.sort_unstable();
            // The middle one of the sizes that the splits took.
            let size = sizes.get(sizes.len() / 2).copied().unwrap_or(1);
            let params = self.frame.methods.get(ranker).map(|(_, all)| all[most_frequent(points)].clone());
            let over = format!("{} halves of the rows", orders.len());
            (orders.iter().map(|order| order[..size].to_vec()).collect(), over, params)
        };
        let size = selections.iter().map(Vec::len).sum::<usize>() as f64 / selections.len().max(1) as f64;
        Some(StabilityRecord { measure: stability(&selections, features)?, over, size, params })
    }

    /// All settings over all splits.
    fn grid(&self, ranker: usize, judged: &[&'a Judged]) -> Vec<GridRecord> {
        let settings = self.frame.methods.get(ranker).map(|(_, all)| all.as_slice()).unwrap_or_default();
        if self.frame.protocol == Protocol::Nested || settings.len() < 2 {
            return Vec::new();
        }
        let of = |(at, params): (usize, &Params)| {
            let points: Vec<&Point> = judged.iter().map(|judged| &judged.points[at]).collect();
            let failed = points.iter().find_map(|point| point.verdict.as_ref().err().cloned());
            GridRecord { params: params.clone(), scores: self.spreads(&points), failed }
        };
        settings.iter().enumerate().map(of).collect()
    }
}

/// The setting that most splits took, the first of those with most.
fn most_frequent(points: &[&Point]) -> usize {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    points.iter().for_each(|point| *counts.entry(point.setting).or_default() += 1);
    counts.into_iter().rev().max_by_key(|(_, count)| *count).map_or(0, |(setting, _)| setting)
}

/// For every ranker the setting that most splits took.
pub(super) fn usual_settings(frame: &Frame, outcomes: &BTreeMap<Task, Outcome>) -> Result<Vec<usize>, EvaluateError> {
    let done = Done::new(frame, outcomes);
    if done.splits.is_empty() {
        return Err(EvaluateError::NothingDone);
    }
    Ok((0..frame.rankers().len()).map(|ranker| most_frequent(&done.chosen(&done.judged(ranker)))).collect())
}

/// Every score over all splits that have it.
pub(super) fn of_all(splits: &[&Scores]) -> Spreads {
    let names = splits.iter().flat_map(|scores| scores.keys().copied());
    let spread = |name| (name, Spread::of(splits.iter().filter_map(|scores| scores.get(name)).copied()));
    names.map(spread).collect()
}

fn predicted(truth: &Truth, answers: &Answers) -> Predicted {
    match (truth, answers) {
        (Truth::Classes { names, .. }, Answers::Classes(codes)) => {
            Predicted::Labels(codes.iter().map(|&code| names[code as usize].clone()).collect())
        }
        (_, Answers::Numbers(numbers)) => Predicted::Numbers(numbers.clone()),
        (Truth::Numbers(_), Answers::Classes(_)) => Predicted::Labels(Vec::new()),
    }
}
