//! The tables that the paper printed (`experiments/paper`).

use crate::results::{Measure, Score};
use std::collections::BTreeMap;

/// The paper's names of methods, and ours; its own, the last in print, comes first.
pub(crate) const NAMES: [(&str, &str); 7] = [
    ("Ours", "ldr-tsk"),
    ("DG-ALETSK", "dg-aletsk"),
    ("DG-TSK", "dg-tsk"),
    ("FRSE-TSK", "fsre-adatsk"),
    ("FSOR", "fsor"),
    ("MCFS", "mcfs"),
    ("RJFWLF", "rjfwlf"),
];

const ACCURACY: (&str, &str) = (
    include_str!("../../../experiments/paper/accuracy.csv"),
    include_str!("../../../experiments/paper/accuracy-std.csv"),
);
const MACRO_F1: (&str, &str) = (
    include_str!("../../../experiments/paper/macro-f1.csv"),
    include_str!("../../../experiments/paper/macro-f1-std.csv"),
);

/// The paper judges by ten folds.
const FOLDS: usize = 10;

/// The printed scores by data set and method, under our names.
pub(crate) fn printed(measure: Measure) -> BTreeMap<(String, String), Score> {
    let (means, deviations) = match measure {
        Measure::Accuracy => ACCURACY,
        Measure::MacroF1 => MACRO_F1,
    };
    let deviations = numbers(deviations);
    let score = |(key, mean): ((String, String), f64)| {
        let std = deviations.get(&key).copied().unwrap_or(0.0);
        (key, Score { mean, std, folds: FOLDS })
    };
    numbers(means).into_iter().map(score).collect()
}

/// A plain table of numbers: data sets in rows, methods in columns.
fn numbers(text: &str) -> BTreeMap<(String, String), f64> {
    let mut lines = text.lines().map(|line| line.split(',').map(str::trim).collect::<Vec<_>>());
    let head = lines.next().unwrap_or_default();
    let ours = |name: &str| NAMES.iter().find(|(printed, _)| *printed == name).map(|(_, own)| (*own).to_owned());
    let mut all = BTreeMap::new();
    for line in lines {
        let Some((set, values)) = line.split_first() else { continue };
        for (name, value) in head.iter().skip(1).zip(values) {
            if let (Some(method), Ok(value)) = (ours(name), value.parse()) {
                all.insert(((*set).to_owned(), method), value);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_averages_follow_from_the_tables() {
        for (measure, average) in [(Measure::Accuracy, 84.35), (Measure::MacroF1, 80.88)] {
            let all = printed(measure);
            assert_eq!(all.len(), 18 * 7);
            let ours: Vec<f64> = all.iter().filter(|((_, m), _)| m == "ldr-tsk").map(|(_, score)| score.mean).collect();
            let mean = ours.iter().sum::<f64>() / ours.len() as f64;
            // Cut off, not rounded, in print.
            assert!((mean - average).abs() < 0.01, "{measure:?}: {mean}");
            assert!(all.values().all(|score| score.std >= 0.0 && score.std < 40.0));
        }
    }
}
