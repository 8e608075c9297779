//! The tables of the paper (`data/paper`).

use crate::results::Measure;
use std::collections::BTreeMap;

/// The paper's method.
pub(crate) const OURS: &str = "ldr-tsk";
/// Its inductive counterpart.
pub(crate) const INDUCTIVE: &str = "ldr-tsk-inductive";

/// Names of the methods in the paper and here; the paper's own method comes first.
pub(crate) const NAMES: [(&str, &str); 7] = [
    ("Ours", OURS),
    ("DG-ALETSK", "dg-aletsk"),
    ("DG-TSK", "dg-tsk"),
    ("FRSE-TSK", "fsre-adatsk"),
    ("FSOR", "fsor"),
    ("MCFS", "mcfs"),
    ("RJFWLF", "rjfwlf"),
];

/// Returns the names here.
pub(crate) fn methods() -> Vec<String> {
    NAMES.iter().map(|(_, own)| (*own).to_owned()).collect()
}

/// Returns the printed scores in percent by data set and method, under the names here.
pub(crate) fn printed(measure: Measure) -> BTreeMap<(String, String), f64> {
    numbers(match measure {
        Measure::Accuracy => include_str!("../data/paper/accuracy.csv"),
        Measure::MacroF1 => include_str!("../data/paper/macro-f1.csv"),
    })
}

/// Parses a table of numbers: data sets in rows, methods in columns.
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
            let ours: Vec<f64> = all.iter().filter(|((_, m), _)| m == "ldr-tsk").map(|(_, score)| *score).collect();
            let mean = ours.iter().sum::<f64>() / ours.len() as f64;
            // The printed averages are truncated, not rounded.
            assert!((mean - average).abs() < 0.01, "{measure:?}: {mean}");
        }
    }
}
