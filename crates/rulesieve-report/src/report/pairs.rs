//! Pairs of interacting columns: a matrix and a table of p-values.

use super::{Report, p_value};
use crate::Data;
use crate::charts::{Chart, Heat};
use crate::page::Section;
use rulesieve::select::RankedPair;

/// Maximum columns of the matrix, for legible cells.
const COLUMNS: usize = 12;
/// Lower bound of p-values for a finite logarithm.
const LEAST: f64 = 1e-300;

impl Report<'_> {
    pub(super) fn pairs(&self) -> Option<Section> {
        let selection = self.selection?;
        if selection.pairs.is_empty() {
            return None;
        }
        let mut text = "Two columns interact when their joint effect on the target exceeds the sum of their separate effects. The \
                        p-value is corrected for all pairs tested."
            .to_owned();
        if let Some(tested) = &selection.tested {
            text += &format!(" Tested: {tested}.");
        }
        let mut data = Data::new(["pair", "p-value"]);
        for pair in &selection.pairs {
            data.push([format!("{} and {}", pair.features.0, pair.features.1), p_value(pair.p_value)]);
        }
        let names = involved(&selection.pairs);
        let heat = matrix(&selection.pairs, &names);
        let mut section = Section::new("Interacting columns").text(&text);
        let all = selection.pairs.iter().all(|pair| at(&names, pair).is_some());
        if !all {
            section = section.text(&format!("The matrix shows the {COLUMNS} columns of the most significant pairs."));
        }
        let section = section.figure(heat.figure("pairs", "Pairs of interacting columns"));
        Some(section.table("Pairs, most significant first", &data, &[1]))
    }
}

/// The columns of the most significant pairs; pairs that do not fit are skipped.
fn involved(pairs: &[RankedPair]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for pair in pairs {
        let (a, b) = &pair.features;
        let new: Vec<&String> = [a, b].into_iter().filter(|name| !names.contains(name)).collect();
        if names.len() + new.len() <= COLUMNS {
            let new: Vec<String> = new.into_iter().cloned().collect();
            names.extend(new);
        }
    }
    names
}

/// The indices of both columns of a pair.
fn at(names: &[String], pair: &RankedPair) -> Option<(usize, usize)> {
    let index = |name: &String| names.iter().position(|other| other == name);
    index(&pair.features.0).zip(index(&pair.features.1))
}

fn matrix(pairs: &[RankedPair], names: &[String]) -> Heat {
    // Pairs that are not reported have no p-value here.
    let mut values = vec![vec![f64::NAN; names.len()]; names.len()];
    for pair in pairs {
        if let Some((a, b)) = at(names, pair) {
            let strength = -pair.p_value.max(LEAST).log10();
            (values[a][b], values[b][a]) = (strength, strength);
        }
    }
    let most = values.iter().flatten().copied().filter(|value| value.is_finite()).fold(0.0, f64::max);
    Heat {
        rows: names.to_vec(),
        columns: names.to_vec(),
        values,
        range: Some((0.0, most)),
        digits: Some(1),
        value_title: "-log10 of the p-value".into(),
        ..Heat::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(a: &str, b: &str, p_value: f64) -> RankedPair {
        RankedPair { features: (a.to_owned(), b.to_owned()), p_value }
    }

    #[test]
    fn the_matrix_is_symmetric_and_finite_for_a_p_value_of_zero() {
        let pairs = [pair("a", "b", 0.0), pair("b", "c", 1e-4)];
        let names = involved(&pairs);
        assert_eq!(names, ["a", "b", "c"]);
        let heat = matrix(&pairs, &names);
        assert_eq!((heat.values[0][1], heat.values[1][0]), (300.0, 300.0));
        assert!((heat.values[2][1] - 4.0).abs() < 1e-12 && heat.values[0][2].is_nan() && heat.values[0][0].is_nan());
        assert_eq!(heat.range, Some((0.0, 300.0)));
    }

    #[test]
    fn only_whole_pairs_are_drawn() {
        let pairs: Vec<RankedPair> = (0..9).map(|at| pair(&format!("a{at}"), &format!("b{at}"), 1e-9)).collect();
        let names = involved(&pairs);
        assert_eq!(names.len(), COLUMNS);
        assert_eq!(pairs.iter().filter(|pair| at(&names, pair).is_some()).count(), COLUMNS / 2);
    }
}
