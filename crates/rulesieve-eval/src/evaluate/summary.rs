//! Computes the record from the specification and the results alone, so that it can be computed from saved results.

use super::curve::Curve;
use super::measures::{self, R2, Scores, gain, main_score, scores};
use super::options::Protocol;
use super::record::{
    Baselines, EvaluationRecord, FoldRecord, GridRecord, MethodRecord, Predicted, SCHEMA, Spread, Spreads,
    StabilityRecord,
};
use super::result::{CertaintyScores, Point, PredictedValues, Prediction, SplitResult, Task, TaskPart, TaskResult};
use super::run_spec::{ALL, Params, RANDOM, RunSpec, Truth};
use super::warnings::{compare, warnings};
use super::{EvaluateError, constant};
use crate::metrics::Confusion;
use crate::stability::{frequencies, stability};
use std::collections::BTreeMap;

/// Computes the record over the splits in which all methods have results. If there is none, over those of the methods that have a result
/// in the most complete split.
///
/// # Errors
/// Fails if a method failed with every setting.
pub fn summarise(spec: &RunSpec, results: &BTreeMap<Task, TaskResult>) -> Result<EvaluationRecord, EvaluateError> {
    let done = Done::new(spec, results);
    let mut records: Vec<MethodRecord> =
        done.rankers.iter().map(|&ranker| done.method(ranker)).collect::<Result<_, _>>()?;
    if done.rankers.first() == Some(&0) {
        compare(spec, &done.splits, &mut records);
    }
    let complete = done.rankers.len() == spec.rankers().len()
        && done.splits.len() == spec.tests.len()
        && done.subsamples.len() == spec.subsamples;
    let warnings = warnings(spec, &done, &records);
    let all: Vec<usize> = (0..spec.tests.len()).collect();
    let constant = constant::constant(spec, if done.splits.is_empty() { &all } else { &done.splits });
    let classes = matches!(spec.truth, Truth::Classes { .. });
    let methods = done.rankers.iter().filter(|&&ranker| ranker < spec.methods.len()).count();
    let mut baselines = records.split_off(methods);
    let mut baseline = |name: &str| baselines.pop_if(|record| record.method == name);
    let (random_features, all_features) = (baseline(RANDOM), baseline(ALL));
    Ok(EvaluationRecord {
        schema: SCHEMA.to_owned(),
        version: spec.version.clone(),
        protocol: spec.protocol.name().to_owned(),
        data_sha256: spec.data.clone(),
        samples: spec.truth.rows(),
        features: spec.features.len(),
        task: if classes { "classification" } else { "regression" },
        class_names: if let Truth::Classes { names, .. } = &spec.truth { names.clone() } else { Vec::new() },
        target: spec.target.clone(),
        splits: spec.splits_label.clone(),
        complete,
        completed_splits: done.splits.len(),
        unfinished: done.unfinished(),
        inner_folds: spec.inner,
        size: spec.size.clone(),
        estimator: (&spec.estimator).into(),
        estimator_rows: spec.estimator_rows,
        permuted_labels: spec.permuted,
        seed: spec.seed,
        score: main_score(&spec.truth),
        methods: records,
        baselines: Baselines {
            majority: classes.then(|| constant.clone()),
            mean: (!classes).then_some(constant),
            all_features,
            random_features,
        },
        warnings,
    })
}

/// Splits and subsamples with results of all rankers.
pub(super) struct Done<'a> {
    spec: &'a RunSpec,
    results: &'a BTreeMap<Task, TaskResult>,
    /// The methods and baselines with results.
    pub(super) rankers: Vec<usize>,
    pub(super) splits: Vec<usize>,
    pub(super) subsamples: Vec<usize>,
}

impl<'a> Done<'a> {
    fn new(spec: &'a RunSpec, results: &'a BTreeMap<Task, TaskResult>) -> Self {
        let all = spec.methods.len();
        let has = |ranker: usize, part: TaskPart| results.contains_key(&Task { ranker, part });
        let with_all = |rankers: &[usize]| -> Vec<usize> {
            let complete = |&at: &usize| rankers.iter().all(|&ranker| has(ranker, TaskPart::Split(at)));
            (0..spec.tests.len()).filter(complete).collect()
        };
        let mut rankers: Vec<usize> = (0..spec.rankers().len()).collect();
        let mut splits = with_all(&rankers);
        if splits.is_empty() {
            let of_split = |at| (0..rankers.len()).filter(move |&ranker| has(ranker, TaskPart::Split(at)));
            let most = (0..spec.tests.len()).rev().max_by_key(|&at| of_split(at).count());
            rankers = most.into_iter().flat_map(of_split).collect();
            splits = if rankers.is_empty() { Vec::new() } else { with_all(&rankers) };
        }
        let ranked = |&at: &usize| rankers.iter().all(|&own| own == all || has(own, TaskPart::Subsample(at)));
        let subsamples = (0..spec.subsamples).filter(ranked).collect();
        Self { spec, results, rankers, splits, subsamples }
    }

    /// Returns the names of the methods and baselines without results.
    pub(super) fn unfinished(&self) -> Vec<String> {
        let names = self.spec.rankers().into_iter().enumerate();
        names.filter(|(ranker, _)| !self.rankers.contains(ranker)).map(|(_, name)| name.to_owned()).collect()
    }

    pub(super) fn results_of(&self, ranker: usize) -> Vec<&'a SplitResult> {
        let of_split = |&split: &usize| match self.results.get(&Task { ranker, part: TaskPart::Split(split) }) {
            Some(TaskResult::Split(result)) => Some(result),
            _ => None,
        };
        self.splits.iter().filter_map(of_split).collect()
    }

    fn orders(&self, ranker: usize) -> Vec<&'a [usize]> {
        let of_subsample =
            |&subsample: &usize| match self.results.get(&Task { ranker, part: TaskPart::Subsample(subsample) }) {
                Some(TaskResult::Subsample { order, .. }) => Some(order.as_slice()),
                _ => None,
            };
        self.subsamples.iter().filter_map(of_subsample).collect()
    }

    fn scores(&self, split: usize, prediction: &Prediction) -> Scores {
        scores(&self.spec.truth, &self.spec.tests[split], &prediction.values, &prediction.certainty)
    }

    /// Returns the score by which settings are compared: accuracy, or minus the squared errors, because R squared may be undefined.
    fn score_of(&self, split: usize, point: &Point) -> f64 {
        let (truth, test) = (&self.spec.truth, &self.spec.tests[split]);
        match (&point.prediction, truth) {
            (Err(_), _) => f64::NEG_INFINITY,
            (Ok((_, prediction)), Truth::Classes { .. }) => {
                gain(truth, test, &prediction.values) / test.len().max(1) as f64
            }
            (Ok((_, prediction)), Truth::Numbers(_)) => gain(truth, test, &prediction.values),
        }
    }

    /// Returns the chosen setting of each split.
    fn chosen(&self, results: &[&'a SplitResult]) -> Vec<&'a Point> {
        let first_of_most =
            |values: &[f64]| (0..values.len()).rev().max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap_or(0);
        let of_split = |(&split, result): (&usize, &&SplitResult)| -> Vec<f64> {
            result.points.iter().map(|point| self.score_of(split, point)).collect()
        };
        let all: Vec<Vec<f64>> = self.splits.iter().zip(results).map(of_split).collect();
        let best = match self.spec.protocol {
            Protocol::Nested => vec![0; results.len()],
            protocol if protocol.is_per_split() => all.iter().map(|values| first_of_most(values)).collect(),
            _ => {
                let points = all.first().map_or(0, Vec::len);
                let sums: Vec<f64> = (0..points).map(|at| all.iter().map(|values| values[at]).sum()).collect();
                vec![first_of_most(&sums); results.len()]
            }
        };
        results.iter().zip(best).map(|(result, at)| &result.points[at]).collect()
    }

    fn method(&self, ranker: usize) -> Result<MethodRecord, EvaluateError> {
        let (spec, name) = (self.spec, self.spec.rankers()[ranker]);
        let results = self.results_of(ranker);
        let points = self.chosen(&results);
        let mut folds = Vec::with_capacity(points.len());
        for ((&split, point), result) in self.splits.iter().zip(&points).zip(&results) {
            let (indices, prediction) = point
                .prediction
                .as_ref()
                .map_err(|failure| EvaluateError::NoSetting { method: name.to_owned(), failure: failure.clone() })?;
            folds.push(FoldRecord {
                split,
                test: spec.tests[split].clone(),
                selected: indices.iter().map(|&at| spec.features[at].clone()).collect(),
                params: spec.methods.get(ranker).map(|(_, all)| all[point.setting].clone()).unwrap_or_default(),
                estimator: prediction.estimator.clone(),
                predicted: predicted(&spec.truth, &prediction.values),
                scores: self.scores(split, prediction),
                train_rows: spec.train_rows(split),
                seconds: result.seconds,
            });
        }
        let selections: Vec<Vec<usize>> = points
            .iter()
            .filter_map(|point| point.prediction.as_ref().ok())
            .map(|(indices, _)| indices.clone())
            .collect();
        let shares = frequencies(&selections, spec.features.len());
        let named = spec.features.iter().zip(&shares).filter(|(_, share)| **share > 0.0);
        let table = self.table(&points);
        Ok(MethodRecord {
            method: name.to_owned(),
            scores: self.spreads(&points),
            features: spec.spread(selections.iter().map(|indices| indices.len() as f64)),
            stability: self.stability(ranker, &selections, &points),
            frequencies: named.map(|(feature, &share)| (feature.clone(), share)).collect(),
            confusion: table.map_or(Vec::new(), |table| table.counts().to_vec()),
            first_against_this: None,
            curve: Curve::of(&results),
            grid: self.grid(ranker, &results),
            seconds: results.iter().map(|result| result.seconds).sum(),
            folds,
        })
    }

    /// Computes means over the splits, or scores of all rows together if each split has a single test row.
    fn spreads(&self, points: &[&Point]) -> Spreads {
        let of_split =
            |(&split, point): (&usize, &&Point)| Some(self.scores(split, &point.prediction.as_ref().ok()?.1));
        let every: Vec<Scores> = self.splits.iter().zip(points).filter_map(of_split).collect();
        let mut spreads = of_all(self.spec, &every.iter().collect::<Vec<_>>());
        if !self.spec.pooled {
            if let Truth::Numbers(_) = self.spec.truth {
                pool_r2(&mut spreads, &self.of_numbers(points));
            }
            return spreads;
        }
        let whole = match self.table(points) {
            Some(table) => measures::of_classes(&table),
            None => self.of_numbers(points),
        };
        // The log-loss is already a mean over rows.
        let loss =
            spreads.into_iter().filter(|(name, _)| *name == "log_loss").map(|(name, spread)| (name, spread.mean));
        whole.into_iter().chain(loss).map(|(name, score)| (name, Spread::pooled(score))).collect()
    }

    fn of_numbers(&self, points: &[&Point]) -> Scores {
        let (mut rows, mut all) = (Vec::new(), Vec::new());
        for (&split, point) in self.splits.iter().zip(points) {
            if let Ok((_, Prediction { values: PredictedValues::Numbers(values), .. })) = &point.prediction {
                rows.extend(&self.spec.tests[split]);
                all.extend(values);
            }
        }
        scores(&self.spec.truth, &rows, &PredictedValues::Numbers(all), &CertaintyScores::default())
    }

    /// Computes the confusion matrix over all splits.
    fn table(&self, points: &[&Point]) -> Option<Confusion> {
        let Truth::Classes { names, codes } = &self.spec.truth else { return None };
        let (mut truth, mut all) = (Vec::new(), Vec::new());
        for (&split, point) in self.splits.iter().zip(points) {
            if let Ok((_, Prediction { values: PredictedValues::Classes(values), .. })) = &point.prediction {
                truth.extend(self.spec.tests[split].iter().map(|&row| codes[row]));
                all.extend(values);
            }
        }
        Some(Confusion::new(&truth, &all, names.len()))
    }

    fn stability(&self, ranker: usize, selections: &[Vec<usize>], points: &[&Point]) -> Option<StabilityRecord> {
        let features = self.spec.features.len();
        let orders = self.orders(ranker);
        let (selections, over, params) = if orders.is_empty() {
            (selections.to_vec(), format!("{} training parts", selections.len()), None)
        } else {
            let mut sizes: Vec<usize> = selections.iter().map(Vec::len).collect();
            sizes.sort_unstable();
            // The median of the sizes chosen in the splits.
            let size = sizes.get(sizes.len() / 2).copied().unwrap_or(1);
            let params = self.spec.methods.get(ranker).map(|(_, all)| all[most_frequent(points)].clone());
            let over = format!("{} subsamples of half the rows", orders.len());
            (orders.iter().map(|order| order[..size].to_vec()).collect(), over, params)
        };
        let size = selections.iter().map(Vec::len).sum::<usize>() as f64 / selections.len().max(1) as f64;
        Some(StabilityRecord { measure: stability(&selections, features)?, over, size, params })
    }

    /// Summarises all settings over all splits.
    fn grid(&self, ranker: usize, results: &[&'a SplitResult]) -> Vec<GridRecord> {
        let settings = self.spec.methods.get(ranker).map(|(_, all)| all.as_slice()).unwrap_or_default();
        if self.spec.protocol == Protocol::Nested || settings.len() < 2 {
            return Vec::new();
        }
        let of = |(at, params): (usize, &Params)| {
            let points: Vec<&Point> = results.iter().map(|result| &result.points[at]).collect();
            let failed = points.iter().find_map(|point| point.prediction.as_ref().err().cloned());
            GridRecord { params: params.clone(), scores: self.spreads(&points), failed }
        };
        settings.iter().enumerate().map(of).collect()
    }
}

/// Returns the setting that most splits chose; ties go to the first.
fn most_frequent(points: &[&Point]) -> usize {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    points.iter().for_each(|point| *counts.entry(point.setting).or_default() += 1);
    counts.into_iter().rev().max_by_key(|(_, count)| *count).map_or(0, |(setting, _)| setting)
}

/// Returns, for each ranker, the setting that most splits chose.
pub(super) fn most_frequent_settings(
    spec: &RunSpec,
    results: &BTreeMap<Task, TaskResult>,
) -> Result<Vec<usize>, EvaluateError> {
    let done = Done::new(spec, results);
    if done.splits.is_empty() {
        return Err(EvaluateError::NothingDone);
    }
    Ok((0..spec.rankers().len()).map(|ranker| most_frequent(&done.chosen(&done.results_of(ranker)))).collect())
}

/// Summarises each score over the splits that have it.
pub(super) fn of_all(spec: &RunSpec, splits: &[&Scores]) -> Spreads {
    let names = splits.iter().flat_map(|scores| scores.keys().copied());
    let spread = |name| (name, spec.spread(splits.iter().filter_map(|scores| scores.get(name)).copied()));
    names.map(spread).collect()
}

/// Replaces the mean of R squared over the splits by that of all predictions, because the mean of a split decides how much it explains.
pub(super) fn pool_r2(spreads: &mut Spreads, pooled: &Scores) {
    let std = spreads.remove(R2).and_then(|spread| spread.std);
    spreads.extend(pooled.get(R2).map(|&mean| (R2, Spread { mean, std })));
}

fn predicted(truth: &Truth, values: &PredictedValues) -> Predicted {
    match (truth, values) {
        (Truth::Classes { names, .. }, PredictedValues::Classes(codes)) => {
            Predicted::Labels(codes.iter().map(|&code| names[code as usize].clone()).collect())
        }
        (_, PredictedValues::Numbers(numbers)) => Predicted::Numbers(numbers.clone()),
        (Truth::Numbers(_), PredictedValues::Classes(_)) => Predicted::Labels(Vec::new()),
    }
}
