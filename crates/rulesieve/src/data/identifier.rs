//! Columns that number or name the rows and so cannot generalise to other rows.

use super::dataset::{Feature, FeatureValues};
use std::collections::HashSet;

/// Minimum number of rows: in smaller tables columns are unique by chance.
pub(super) const ENOUGH_ROWS: usize = 20;
/// Texts identify the rows if at least this share of the cells is distinct.
const DISTINCT_TEXTS: f64 = 0.95;
/// Columns with the name of an identifier identify the rows if more than this share of the cells is distinct.
const DISTINCT_NAMED: f64 = 0.5;
/// Distinct whole numbers identify the rows, whatever the name, if their range is below this multiple of the number of
/// rows. Measurements that happen to be unique (incomes, populations) are spread wider.
const RANGE_FACTOR: f64 = 2.0;

/// Names of columns that number or name the rows, in lower case.
const NAMES: [&str; 10] =
    ["id", "uuid", "guid", "index", "row", "rowid", "rownames", "row names", "row number", "unnamed: 0"];

/// The way in which a column identifies rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Identity {
    /// Whole numbers that rise or fall by the same step from row to row.
    RowNumber,
    /// Distinct texts, or the name of an identifier with mostly distinct values.
    Identifier,
    /// A permutation of nearly contiguous whole numbers without the name of an identifier: an identifier, or ranks.
    Permutation,
    /// The name of an identifier with repeated values: it may identify groups of rows.
    NameOnly,
}

/// How a feature identifies rows, if at all. `indices` are the row numbers in the whole table if the rows are a sample
/// of it.
pub(super) fn identity(feature: &Feature, indices: Option<&[u64]>, mostly_numbers: bool) -> Option<Identity> {
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
            if counts_rows(values, indices) {
                Some(Identity::RowNumber)
            } else if named && distinct as f64 > DISTINCT_NAMED * rows as f64 {
                Some(Identity::Identifier)
            } else if !named && indices.is_none() && distinct == rows && is_nearly_contiguous(values) {
                Some(Identity::Permutation)
            } else {
                name_only
            }
        }
        FeatureValues::Categorical { codes, .. } => {
            let present = codes.iter().enumerate().filter(|(row, _)| !feature.values.is_missing(*row));
            let distinct = distinct(present.map(|(_, code)| *code)) as f64;
            // Numbers turned into categories by a stray text are a data error, not an identifier.
            let share = if named { DISTINCT_NAMED } else { DISTINCT_TEXTS };
            let unique = distinct >= share * rows as f64 && (named || !mostly_numbers);
            if unique { Some(Identity::Identifier) } else { name_only }
        }
    }
}

/// Whether every row has a text or whole number of its own.
pub(super) fn is_unique(feature: &Feature) -> bool {
    match &feature.values {
        FeatureValues::Numeric(values) => {
            // False for missing values.
            values.iter().all(|value| value.fract() == 0.0)
                && distinct(values.iter().map(|value| (value + 0.0).to_bits())) == values.len()
        }
        FeatureValues::Categorical { codes, .. } => {
            feature.values.missing() == 0 && distinct(codes.iter()) == codes.len()
        }
    }
}

fn distinct<T: std::hash::Hash + Eq>(keys: impl Iterator<Item = T>) -> usize {
    keys.collect::<HashSet<T>>().len()
}

/// Whether `id` is a word of the name (`id`, `patient_id`, `row-id`, `Customer ID`, `PassengerId`), or a few other
/// names.
fn is_named_like_identifier(name: &str) -> bool {
    let lower = name.trim().to_lowercase();
    let ends_with_word = ["_id", "-id", " id", ".id", "_uuid", "_guid"].iter().any(|end| lower.ends_with(end));
    let camel_case = ["Id", "ID"]
        .iter()
        .any(|end| name.trim().strip_suffix(end).is_some_and(|stem| stem.ends_with(|c: char| c.is_ascii_lowercase())));
    NAMES.contains(&lower.as_str()) || ends_with_word || camel_case
}

/// Whether the values are `start + step * index` with a step other than 0.
fn counts_rows(values: &[f64], indices: Option<&[u64]>) -> bool {
    let index = |row: usize| indices.map_or(row as f64, |indices| indices[row] as f64);
    let (Some(&first), last) = (values.first(), values.len() - 1) else { return false };
    let apart = index(last) - index(0);
    let step = (values[last] - first) / apart;
    apart != 0.0
        && step != 0.0
        && step.fract() == 0.0
        && values.iter().enumerate().all(|(row, &value)| value == first + step * (index(row) - index(0)))
}

fn is_nearly_contiguous(values: &[f64]) -> bool {
    let (low, high) = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |r, &v| (r.0.min(v), r.1.max(v)));
    high - low < RANGE_FACTOR * values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_recognised_by_whole_words() {
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
        let indices: Vec<u64> = (0..30).map(|row| row * 7 % 31).collect();
        let sampled: Vec<f64> = indices.iter().map(|&index| 3.0 * index as f64 + 2.0).collect();
        assert!(counts_rows(&sampled, Some(&indices)) && !counts_rows(&sampled, None));
    }
}
