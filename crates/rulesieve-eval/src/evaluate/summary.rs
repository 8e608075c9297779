//! From a frame and its outcomes to the record: nothing else is needed, so tables can be made again from what was kept.

use super::curve::Curve;
use super::frame::{Frame, Truth};
use super::measures::{self, Scores, main_score, scores};
use super::options::Protocol;
use super::outcome::{Answers, JudgeRecord, Judged, Outcome, Point, Task, TaskPart, Verdict};
use super::record::{
    Baselines, EvaluationRecord, FoldRecord, GridRecord, MethodRecord, Predicted, SCHEMA, Spread, Spreads,
    StabilityRecord,
};
use super::{EvaluateError, constant};
use crate::metrics::Confusion;
use crate::stability::{frequencies, stability};
use crate::statistics::corrected_resampled_t;
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
    let (Some(random_features), Some(all_features)) = (records.pop(), records.pop()) else {
        return Err(EvaluateError::NothingDone);
    };
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
struct Done<'a> {
    frame: &'a Frame,
    outcomes: &'a BTreeMap<Task, Outcome>,
    splits: Vec<usize>,
    halves: Vec<usize>,
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

    fn judged(&self, ranker: usize) -> Vec<&'a Judged> {
        let of_split = |&split: &usize| match self.outcomes.get(&Task { ranker, part: TaskPart::Split(split) }) {
            Some(Outcome::Judged(judged)) => Some(judged),
            _ => None,
        };
        self.splits.iter().filter_map(of_split).collect()
    }

    fn orders(&self, ranker: usize) -> Vec<&'a [usize]> {
        let of_half = |&half: &usize| match self.outcomes.get(&Task { ranker, part: TaskPart::Half(half) }) {
            Some(Outcome::Ranked(order)) => Some(order.as_slice()),
            _ => None,
        };
        self.halves.iter().filter_map(of_half).collect()
    }

    fn scores(&self, split: usize, verdict: &Verdict) -> Scores {
        scores(&self.frame.truth, &self.frame.tests[split], verdict)
    }

    fn main(&self, split: usize, point: &Point) -> f64 {
        let of = |verdict: &Verdict| self.scores(split, verdict).get(main_score(&self.frame.truth)).copied();
        point.verdict.as_ref().ok().and_then(|(_, verdict)| of(verdict)).unwrap_or(f64::NEG_INFINITY)
    }

    /// The point that counts in every split.
    fn chosen(&self, judged: &[&'a Judged]) -> Vec<&'a Point> {
        let first_of_most =
            |values: &[f64]| (0..values.len()).rev().max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap_or(0);
        let of_split = |(&split, judged): (&usize, &&Judged)| -> Vec<f64> {
            judged.points.iter().map(|point| self.main(split, point)).collect()
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
            scores: self.spreads(&folds, &points, table.as_ref()),
            features: Spread::of(kept.iter().map(|places| places.len() as f64)),
            stability: self.stability(ranker, &kept),
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
    fn spreads(&self, folds: &[FoldRecord], points: &[&Point], table: Option<&Confusion>) -> Spreads {
        let every: Vec<&Scores> = folds.iter().map(|fold| &fold.scores).collect();
        let mut spreads = of_all(&every);
        if self.frame.together {
            let whole = match table {
                Some(table) => measures::of_classes(table),
                None => self.of_numbers(points),
            };
            let pooled = whole.into_iter().map(|(name, score)| (name, Spread::pooled(score)));
            let rest = spreads.into_iter().map(|(name, spread)| (name, Spread::pooled(spread.mean)));
            spreads = rest.chain(pooled).collect();
        }
        spreads
    }

    fn of_numbers(&self, points: &[&Point]) -> Scores {
        let (mut rows, mut all) = (Vec::new(), Vec::new());
        for (&split, point) in self.splits.iter().zip(points) {
            if let Ok((_, Verdict { answers: Answers::Numbers(answers), .. })) = &point.verdict {
                rows.extend(&self.frame.tests[split]);
                all.extend(answers);
            }
        }
        let judge = JudgeRecord::Knn { neighbours: 0 };
        scores(&self.frame.truth, &rows, &Verdict { judge, answers: Answers::Numbers(all), log_loss: None })
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

    fn stability(&self, ranker: usize, kept: &[Vec<usize>]) -> Option<StabilityRecord> {
        let features = self.frame.features.len();
        let orders = self.orders(ranker);
        let (selections, over) = if orders.is_empty() {
            (kept.to_vec(), format!("{} training parts", kept.len()))
        } else {
            let mut sizes: Vec<usize> = kept.iter().map(Vec::len).collect();
            sizes.sort_unstable();
            // The middle one of the sizes that the splits took.
            let size = sizes.get(sizes.len() / 2).copied().unwrap_or(1);
            (
                orders.iter().map(|order| order[..size].to_vec()).collect(),
                format!("{} halves of the rows", orders.len()),
            )
        };
        let size = selections.iter().map(Vec::len).sum::<usize>() as f64 / selections.len().max(1) as f64;
        Some(StabilityRecord { measure: stability(&selections, features)?, over, size })
    }

    /// All settings over all splits.
    fn grid(&self, ranker: usize, judged: &[&Judged]) -> Vec<GridRecord> {
        let settings = self.frame.methods.get(ranker).map(|(_, all)| all.as_slice()).unwrap_or_default();
        if self.frame.protocol == Protocol::Nested || settings.len() < 2 {
            return Vec::new();
        }
        let of = |(at, params): (usize, &super::frame::Params)| {
            let (mut all, mut failed) = (Vec::new(), None);
            for (&split, judged) in self.splits.iter().zip(judged) {
                match &judged.points[at].verdict {
                    Ok((_, verdict)) => all.push(self.scores(split, verdict)),
                    Err(failure) => failed = Some(failure.clone()),
                }
            }
            GridRecord { params: params.clone(), scores: of_all(&all.iter().collect::<Vec<_>>()), failed }
        };
        settings.iter().enumerate().map(of).collect()
    }
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

/// Tests the first method against all others.
fn compare(frame: &Frame, splits: &[usize], records: &mut [MethodRecord]) {
    let rows = frame.truth.rows() as f64;
    let share = |&split: &usize| frame.tests[split].len() as f64 / (rows - frame.tests[split].len() as f64).max(1.0);
    let test_share = splits.iter().map(share).sum::<f64>() / splits.len().max(1) as f64;
    let name = main_score(&frame.truth);
    let of = |record: &MethodRecord| -> Vec<f64> {
        record.folds.iter().map(|fold| fold.scores.get(name).copied().unwrap_or(f64::NAN)).collect()
    };
    let first = records.first().map(of).unwrap_or_default();
    for record in records.iter_mut().skip(1) {
        record.first_against_this = corrected_resampled_t(&first, &of(record), test_share);
    }
}

fn notices(frame: &Frame, done: &Done, records: &[MethodRecord]) -> Vec<String> {
    let mut notices = frame.notices.clone();
    notices.extend(constant::absent(frame, &done.splits));
    let unsettled = |fold: &&FoldRecord| matches!(fold.judge, JudgeRecord::Svm { converged: false, .. });
    let unsettled = records.iter().flat_map(|record| &record.folds).filter(unsettled).count();
    if unsettled > 0 {
        notices.push(format!("the SVM did not meet its tolerance in {unsettled} of the fits that judge"));
    }
    for record in records {
        let failed = record.grid.iter().filter(|point| point.failed.is_some()).count();
        if failed > 0 {
            notices.push(format!(
                "{failed} of {} settings of {} failed in a split and are left out",
                record.grid.len(),
                record.method
            ));
        }
    }
    let best = match frame.protocol {
        Protocol::Nested => None,
        Protocol::Paper => Some("the setting with the best mean on the test rows is shown"),
        Protocol::PaperPerFold => {
            Some("in every split the setting that does best on its test rows is shown, an optimistic bound")
        }
    };
    if let Some(best) = best
        && frame.methods.iter().any(|(_, settings)| settings.len() > 1)
    {
        notices.push(format!("protocol {}: {best}; use nested to judge a method", frame.protocol.name()));
    }
    if done.splits.len() < frame.tests.len() {
        notices.push(format!("ended early: {} of {} splits are judged", done.splits.len(), frame.tests.len()));
    }
    if done.halves.len() < frame.halves {
        notices.push(format!("ended early: {} of {} halves are ranked", done.halves.len(), frame.halves));
    }
    notices
}
