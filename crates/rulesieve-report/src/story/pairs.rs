//! Pairs of columns that act together: a matrix of their significance, and a table.

use super::{Story, p_value};
use crate::Data;
use crate::charts::{Chart, Heat};
use crate::page::Section;
use rulesieve::select::RankedPair;

/// Columns of the matrix at most: names and cells of more would not be readable.
const COLUMNS: usize = 12;
/// The least p-value that has a finite logarithm here.
const LEAST: f64 = 1e-300;

impl Story<'_> {
    pub(super) fn pairs(&self) -> Option<Section> {
        let selection = self.selection?;
        if selection.pairs.is_empty() {
            return None;
        }
        let mut text = "Two columns act together when their joint effect on the target exceeds the sum of their separate effects. The \
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
        let mut section = Section::new("Columns that act together").text(&text);
        let all = selection.pairs.iter().all(|pair| at(&names, pair).is_some());
        if !all {
            section = section.text(&format!("The matrix shows the {COLUMNS} columns of the most significant pairs."));
        }
        let section = section.figure(heat.figure("pairs", "Pairs of columns that act together"));
        Some(section.table("Pairs, most significant first", &data, &[1]))
    }
}

/// Columns of the most significant pairs; only pairs that fit as a whole.
fn involved(pairs: &[RankedPair]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for pair in pairs {
        let (a, b) = &pair.features;
        let fresh: Vec<&String> = [a, b].into_iter().filter(|name| !names.contains(name)).collect();
        if names.len() + fresh.len() <= COLUMNS {
            let fresh: Vec<String> = fresh.into_iter().cloned().collect();
            names.extend(fresh);
        }
    }
    names
}

/// The places of both columns of a pair.
fn at(names: &[String], pair: &RankedPair) -> Option<(usize, usize)> {
    let place = |name: &String| names.iter().position(|other| other == name);
    place(&pair.features.0).zip(place(&pair.features.1))
}

fn matrix(pairs: &[RankedPair], names: &[String]) -> Heat {
    // Cells of pairs that are not reported stay empty: their p-values are not known here.
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
