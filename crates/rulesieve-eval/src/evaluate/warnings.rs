//! Tests between methods, and warnings about the results.

use super::constant;
use super::measures::main_score;
use super::options::Protocol;
use super::record::{FoldRecord, MethodRecord};
use super::result::FittedEstimator;
use super::run_spec::RunSpec;
use super::summary::Done;
use crate::statistics::corrected_resampled_t;
use rulesieve::Warning;

/// Tests the first method against all others.
pub(super) fn compare(spec: &RunSpec, splits: &[usize], records: &mut [MethodRecord]) {
    let share = |&split: &usize| spec.tests[split].len() as f64 / (spec.train_rows(split) as f64).max(1.0);
    let test_share = splits.iter().map(share).sum::<f64>() / splits.len().max(1) as f64;
    let name = main_score(&spec.truth);
    let of = |record: &MethodRecord| -> Vec<Option<f64>> {
        record.folds.iter().map(|fold| fold.scores.get(name).copied()).collect()
    };
    let first = records.first().map(of).unwrap_or_default();
    for record in records.iter_mut().skip(1) {
        // R squared is absent for both if all targets of a split are equal.
        let pairs = first.iter().zip(of(record)).filter_map(|(a, b)| Some(((*a)?, b?)));
        let (a, b): (Vec<f64>, Vec<f64>) = pairs.unzip();
        record.first_against_this = corrected_resampled_t(&a, &b, test_share);
    }
}

/// Warnings about the data and the results.
pub(super) fn warnings(spec: &RunSpec, done: &Done, records: &[MethodRecord]) -> Vec<Warning> {
    let mut warnings = spec.warnings.clone();
    warnings.extend(constant::absent(spec, &done.splits));
    let mut add = |condition: bool, warning: Warning| warnings.extend(condition.then_some(warning));
    let not_converged = |fold: &&FoldRecord| matches!(fold.estimator, FittedEstimator::Svm { converged: false, .. });
    let fits = records.iter().flat_map(|record| &record.folds).filter(not_converged).count();
    let as_run = spec.protocol.is_as_run();
    add(fits > 0 && !as_run, Warning::SvmNotConverged { fits });
    add(as_run, Warning::LeakingProtocol { protocol: spec.protocol.name().to_owned() });
    let absent = |record: &MethodRecord| {
        record.folds.iter().filter(|fold| !fold.scores.contains_key(main_score(&spec.truth))).count()
    };
    let without = records.first().map_or(0, absent);
    let splits = done.splits.len();
    add(without > 0 && !spec.pooled, Warning::UndefinedR2 { without, splits });
    let excluded =
        |ranker: usize| done.results_of(ranker).iter().filter(|result| !result.failed_settings.is_empty()).count();
    let inner = done.rankers.iter().zip(records).map(|(&ranker, record)| (record.method.clone(), excluded(ranker)));
    let methods: Vec<_> = inner.filter(|(_, parts)| *parts > 0).collect();
    add(!methods.is_empty(), Warning::SettingsFailedInside { methods });
    let failed = |record: &MethodRecord| record.grid.iter().filter(|point| point.failed.is_some()).count();
    let outer = records.iter().map(|record| (record.method.clone(), failed(record), record.grid.len()));
    let methods: Vec<_> = outer.filter(|(_, failed, _)| *failed > 0).collect();
    add(!methods.is_empty(), Warning::SettingsFailed { methods });
    let chosen = spec.methods.iter().any(|(_, settings)| settings.len() > 1);
    let (protocol, per_split) = (spec.protocol.name().to_string(), spec.protocol.is_per_split());
    add(chosen && spec.protocol != Protocol::Nested, Warning::OptimisticProtocol { protocol, per_split });
    let planned = spec.tests.len();
    add(splits < planned, Warning::SplitsLeft { done: splits, planned });
    let methods = done.unfinished();
    add(!methods.is_empty(), Warning::MethodsLeft { methods });
    let (subsamples, planned) = (done.subsamples.len(), spec.subsamples);
    add(subsamples < planned, Warning::SubsamplesLeft { done: subsamples, planned });
    warnings
}
