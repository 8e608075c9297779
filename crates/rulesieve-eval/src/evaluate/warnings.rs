//! Tests between methods, and warnings about the results.

use super::constant;
use super::measures::main_score;
use super::options::Protocol;
use super::record::{FoldRecord, MethodRecord};
use super::result::FittedEstimator;
use super::run_spec::RunSpec;
use super::summary::Done;
use crate::statistics::corrected_resampled_t;

/// Tests the first method against all others.
pub(super) fn compare(spec: &RunSpec, splits: &[usize], records: &mut [MethodRecord]) {
    let rows = spec.truth.rows() as f64;
    let share = |&split: &usize| spec.tests[split].len() as f64 / (rows - spec.tests[split].len() as f64).max(1.0);
    let test_share = splits.iter().map(share).sum::<f64>() / splits.len().max(1) as f64;
    let name = main_score(&spec.truth);
    let of = |record: &MethodRecord| -> Vec<Option<f64>> {
        record.folds.iter().map(|fold| fold.scores.get(name).copied()).collect()
    };
    let first = records.first().map(of).unwrap_or_default();
    for record in records.iter_mut().skip(1) {
        // Where all targets of a split are equal, R squared is absent for both.
        let pairs = first.iter().zip(of(record)).filter_map(|(a, b)| Some(((*a)?, b?)));
        let (a, b): (Vec<f64>, Vec<f64>) = pairs.unzip();
        record.first_against_this = corrected_resampled_t(&a, &b, test_share);
    }
}

/// Warnings about the data and the results.
pub(super) fn warnings(spec: &RunSpec, done: &Done, records: &[MethodRecord]) -> Vec<String> {
    let mut warnings = spec.notices.clone();
    warnings.extend(constant::absent(spec, &done.splits));
    let unsettled = |fold: &&FoldRecord| matches!(fold.estimator, FittedEstimator::Svm { converged: false, .. });
    let unsettled = records.iter().flat_map(|record| &record.folds).filter(unsettled).count();
    if unsettled > 0 {
        warnings.push(format!("the SVM did not converge in {unsettled} fits"));
    }
    let absent = |record: &MethodRecord| {
        record.folds.iter().filter(|fold| !fold.scores.contains_key(main_score(&spec.truth))).count()
    };
    let without = records.first().map_or(0, absent);
    if without > 0 && !spec.pooled {
        warnings.push(format!(
            "R2 is not defined in {without} of {} splits, whose targets are all equal; means and tests leave them out",
            done.splits.len()
        ));
    }
    for (ranker, record) in records.iter().enumerate() {
        let name = &record.method;
        let excluded = done.results_of(ranker).iter().filter(|result| !result.failed_settings.is_empty()).count();
        if excluded > 0 {
            warnings.push(format!(
                "settings of {name} failed in inner folds of {excluded} training parts and were excluded there"
            ));
        }
        let failed = record.grid.iter().filter(|point| point.failed.is_some()).count();
        if failed > 0 {
            let all = record.grid.len();
            warnings.push(format!("{failed} of {all} settings of {name} failed in a split and are excluded"));
        }
    }
    let best = match spec.protocol {
        Protocol::Nested => None,
        Protocol::Paper => Some("shows the setting with the best mean score on the test rows"),
        Protocol::PaperPerFold => {
            Some("shows in every split the setting with the best score on its test rows, an optimistic bound")
        }
    };
    if let Some(best) = best
        && spec.methods.iter().any(|(_, settings)| settings.len() > 1)
    {
        warnings.push(format!("protocol {} {best}; use nested to evaluate a method", spec.protocol.name()));
    }
    if done.splits.len() < spec.tests.len() {
        warnings.push(format!("ended early: {} of {} splits are done", done.splits.len(), spec.tests.len()));
    }
    if done.subsamples.len() < spec.subsamples {
        warnings.push(format!("ended early: {} of {} subsamples are ranked", done.subsamples.len(), spec.subsamples));
    }
    warnings
}
