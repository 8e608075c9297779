//! What is said about the scores: whether methods differ, and what to mind.

use super::constant;
use super::frame::Frame;
use super::measures::main_score;
use super::options::Protocol;
use super::outcome::JudgeRecord;
use super::record::{FoldRecord, MethodRecord};
use super::summary::Done;
use crate::statistics::corrected_resampled_t;

/// Tests the first method against all others.
pub(super) fn compare(frame: &Frame, splits: &[usize], records: &mut [MethodRecord]) {
    let rows = frame.truth.rows() as f64;
    let share = |&split: &usize| frame.tests[split].len() as f64 / (rows - frame.tests[split].len() as f64).max(1.0);
    let test_share = splits.iter().map(share).sum::<f64>() / splits.len().max(1) as f64;
    let name = main_score(&frame.truth);
    let of = |record: &MethodRecord| -> Vec<Option<f64>> {
        record.folds.iter().map(|fold| fold.scores.get(name).copied()).collect()
    };
    let first = records.first().map(of).unwrap_or_default();
    for record in records.iter_mut().skip(1) {
        // Where all rows of a split are the same, R squared is absent for both.
        let pairs = first.iter().zip(of(record)).filter_map(|(a, b)| Some(((*a)?, b?)));
        let (a, b): (Vec<f64>, Vec<f64>) = pairs.unzip();
        record.first_against_this = corrected_resampled_t(&a, &b, test_share);
    }
}

/// What the user should know about the data and about how the judging went.
pub(super) fn notices(frame: &Frame, done: &Done, records: &[MethodRecord]) -> Vec<String> {
    let mut notices = frame.notices.clone();
    notices.extend(constant::absent(frame, &done.splits));
    let unsettled = |fold: &&FoldRecord| matches!(fold.judge, JudgeRecord::Svm { converged: false, .. });
    let unsettled = records.iter().flat_map(|record| &record.folds).filter(unsettled).count();
    if unsettled > 0 {
        notices.push(format!("the SVM did not meet its tolerance in {unsettled} of the fits that judge"));
    }
    let absent = |record: &MethodRecord| {
        record.folds.iter().filter(|fold| !fold.scores.contains_key(main_score(&frame.truth))).count()
    };
    let without = records.first().map_or(0, absent);
    if without > 0 && !frame.together {
        notices.push(format!(
            "R2 is not defined in {without} of {} splits, whose targets are all the same; means and tests leave them out",
            done.splits.len()
        ));
    }
    for (ranker, record) in records.iter().enumerate() {
        let name = &record.method;
        let struck = done.judged(ranker).iter().filter(|judged| !judged.struck.is_empty()).count();
        if struck > 0 {
            notices
                .push(format!("settings of {name} failed inside {struck} training parts and were passed over there"));
        }
        let failed = record.grid.iter().filter(|point| point.failed.is_some()).count();
        if failed > 0 {
            let all = record.grid.len();
            notices.push(format!("{failed} of {all} settings of {name} failed in a split and are left out"));
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
