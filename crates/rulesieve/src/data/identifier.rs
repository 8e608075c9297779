//! Columns that number or name the rows and so say nothing about rows to come.

use super::dataset::{Feature, FeatureValues};
use std::collections::HashSet;

/// Smaller tables show nothing: chance makes their columns unique.
pub(super) const ENOUGH_ROWS: usize = 20;
/// Texts of which at least this share of the cells is different name the rows.
const DISTINCT_TEXTS: f64 = 0.95;
/// A column that is named like an identifier is one where more than this share of its cells is different.
const DISTINCT_NAMED: f64 = 0.5;
/// Whole numbers without a telling name number the rows where they are all different and their range is below this many
/// times the number of rows. Measurements that happen to be unique (incomes, populations) are spread wider.
const RANGE_FACTOR: f64 = 2.0;

/// Names of columns that number or name the rows, in lower case.
const NAMES: [&str; 10] =
    ["id", "uuid", "guid", "index", "row", "rowid", "rownames", "row names", "row number", "unnamed: 0"];

/// How a column identifies rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Identity {
    /// Whole numbers that rise or fall by the same step from row to row.
    RowNumber,
    /// Different texts, or a name like that of an identifier together with mostly different values.
    Identifier,
    /// A permutation of nearly contiguous whole numbers without a telling name: an identifier, or ranks.
    Permutation,
    /// The name of an identifier, but repeated values: it may identify groups of rows.
    NameOnly,
}

/// How a feature identifies rows, if it does. `places` are the numbers of its rows in the whole table where they are a
/// sample of it.
pub(super) fn identity(feature: &Feature, places: Option<&[u64]>, mostly_numbers: bool) -> Option<Identity> {
    let named = is_named_like_identifier(&feature.name);
    let name_only = named.then_some(Identity::NameOnly);
    let rows = feature.values.len();
    if rows < ENOUGH_ROWS {
        return name_only;
    }
    match &feature.values {
        FeatureValues::Numeric(values) => {
            if values.iter().any(|value| !value.is_nan() && value.fract() != 0.0) {
                return None;
            }
            let distinct = distinct(values.iter().filter(|value| !value.is_nan()).map(|value| (value + 0.0).to_bits()));
            if counts_rows(values, places) {
                Some(Identity::RowNumber)
            } else if named && distinct as f64 > DISTINCT_NAMED * rows as f64 {
                Some(Identity::Identifier)
            } else if !named && places.is_none() && distinct == rows && is_nearly_contiguous(values) {
                Some(Identity::Permutation)
            } else {
                name_only
            }
        }
        FeatureValues::Categorical { codes, .. } => {
            let present = codes.iter().enumerate().filter(|(row, _)| !feature.values.is_missing(*row));
            let distinct = distinct(present.map(|(_, code)| *code)) as f64;
            // Numbers that a stray text turned into categories are a fault of the file, not an identifier.
            let share = if named { DISTINCT_NAMED } else { DISTINCT_TEXTS };
            let unique = distinct >= share * rows as f64 && (named || !mostly_numbers);
            if unique { Some(Identity::Identifier) } else { name_only }
        }
    }
}

fn distinct<T: std::hash::Hash + Eq>(keys: impl Iterator<Item = T>) -> usize {
    keys.collect::<HashSet<T>>().len()
}

/// `id` as a word of its own: `id`, `patient_id`, `row-id`, `Customer ID`, `PassengerId`, and a few other names.
fn is_named_like_identifier(name: &str) -> bool {
    let lower = name.trim().to_lowercase();
    let ends_with_word = ["_id", "-id", " id", ".id", "_uuid", "_guid"].iter().any(|end| lower.ends_with(end));
    let camel_case = ["Id", "ID"]
        .iter()
        .any(|end| name.trim().strip_suffix(end).is_some_and(|stem| stem.ends_with(|c: char| c.is_ascii_lowercase())));
    NAMES.contains(&lower.as_str()) || ends_with_word || camel_case
}

/// Whether the values are `start + step * place` with a step other than 0.
fn counts_rows(values: &[f64], places: Option<&[u64]>) -> bool {
    let place = |row: usize| places.map_or(row as f64, |places| places[row] as f64);
    let (Some(&first), last) = (values.first(), values.len() - 1) else { return false };
    let apart = place(last) - place(0);
    let step = (values[last] - first) / apart;
    apart != 0.0
        && step != 0.0
        && step.fract() == 0.0
        && values.iter().enumerate().all(|(row, &value)| value == first + step * (place(row) - place(0)))
}

fn is_nearly_contiguous(values: &[f64]) -> bool {
    let (low, high) = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |r, &v| (r.0.min(v), r.1.max(v)));
    high - low < RANGE_FACTOR * values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_identifiers_are_words_of_their_own() {
        for name in
            ["id", "ID", "patient_id", "Customer ID", "PassengerId", "customerID", "Unnamed: 0", "row-id", "UUID"]
        {
            assert!(is_named_like_identifier(name), "{name}");
        }
        for name in ["grid", "SOLID", "acid", "paid", "humid", "Id_of", "body mass index", "arrow", "identity"] {
            assert!(!is_named_like_identifier(name), "{name}");
        }
    }

    #[test]
    fn row_numbers_have_one_step() {
        let numbers = |from: f64, step: f64| (0..30).map(|row| from + step * f64::from(row)).collect::<Vec<f64>>();
        assert!(counts_rows(&numbers(1.0, 1.0), None) && counts_rows(&numbers(500.0, -10.0), None));
        assert!(!counts_rows(&numbers(1.0, 0.0), None));
        let mut gap = numbers(0.0, 1.0);
        gap[29] = 31.0;
        assert!(!counts_rows(&gap, None));
        let places: Vec<u64> = (0..30).map(|row| row * 7 % 31).collect();
        let sampled: Vec<f64> = places.iter().map(|&place| 3.0 * place as f64 + 2.0).collect();
        assert!(counts_rows(&sampled, Some(&places)) && !counts_rows(&sampled, None));
    }
}
