//! What needs no features: one answer for all rows, and which classes parts lack.

use super::frame::{Frame, Truth};
use super::measures::{self, Scores};
use super::outcome::Answers;
use super::record::{Spread, Spreads};
use super::summary::of_all;
use crate::metrics::Confusion;
use crate::splits::Split;
use std::collections::BTreeMap;

/// Scores of always answering the most frequent class, or the mean, of the training part. One by one, the row that is left out
/// would decide between classes of one size, so that all rows are counted there.
pub(super) fn constant(frame: &Frame, splits: &[usize]) -> Spreads {
    if frame.together {
        let test = splits.iter().flat_map(|&split| frame.tests[split].clone()).collect();
        let whole = of_split(&frame.truth, &Split { train: (0..frame.truth.rows()).collect(), test });
        return whole.into_iter().map(|(name, score)| (name, Spread::pooled(score))).collect();
    }
    let all: Vec<Scores> = splits.iter().map(|&split| of_split(&frame.truth, &frame.split(split))).collect();
    of_all(&all.iter().collect::<Vec<_>>())
}

/// The same, split by split.
pub(super) fn by_split(frame: &Frame) -> BTreeMap<String, Vec<f64>> {
    let mut all = BTreeMap::<String, Vec<f64>>::new();
    for split in 0..frame.tests.len() {
        for (name, score) in of_split(&frame.truth, &frame.split(split)) {
            all.entry(name.to_owned()).or_default().push(score);
        }
    }
    all
}

fn of_split(truth: &Truth, split: &Split) -> Scores {
    match truth {
        Truth::Classes { names, codes } => {
            let mut counts = vec![0_usize; names.len()];
            split.train.iter().for_each(|&row| counts[codes[row] as usize] += 1);
            let most = (0..counts.len()).rev().max_by_key(|&class| counts[class]).unwrap_or(0) as u32;
            let own: Vec<u32> = split.test.iter().map(|&row| codes[row]).collect();
            measures::of_classes(&Confusion::new(&own, &vec![most; own.len()], names.len()))
        }
        Truth::Numbers(numbers) => {
            let mean = split.train.iter().map(|&row| numbers[row]).sum::<f64>() / split.train.len().max(1) as f64;
            let answers = Answers::Numbers(vec![mean; split.test.len()]);
            measures::scores(truth, &split.test, &answers, None)
        }
    }
}

/// Classes that some training or test parts lack, in words.
pub(super) fn absent(frame: &Frame, splits: &[usize]) -> Vec<String> {
    let Truth::Classes { names, codes } = &frame.truth else { return Vec::new() };
    let lacking = |rows: fn(&Split) -> &[usize]| {
        let mut counts = vec![0_usize; names.len()];
        for &split in splits {
            let mut seen = vec![false; counts.len()];
            rows(&frame.split(split)).iter().for_each(|&row| seen[codes[row] as usize] = true);
            counts.iter_mut().zip(seen).for_each(|(count, seen)| *count += usize::from(!seen));
        }
        let named = counts.iter().zip(names).filter(|(count, _)| **count > 0);
        named.map(|(count, class)| format!("{class} ({count})")).collect::<Vec<_>>()
    };
    let mut notices = Vec::new();
    let untaught = lacking(|split| &split.train);
    if !untaught.is_empty() {
        notices.push(format!("classes without a row to learn from, and in how many splits: {}", untaught.join(", ")));
    }
    let unasked = if frame.together { Vec::new() } else { lacking(|split| &split.test) };
    if !unasked.is_empty() {
        notices.push(format!("classes without a row to judge, and in how many splits: {}", unasked.join(", ")));
    }
    notices
}
