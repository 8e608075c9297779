//! Helpers for the tests of the generators.

use super::{Generated, find};
use crate::data::ColumnData;

/// A table of the named generator.
pub(super) fn make(name: &str, samples: usize, features: usize, seed: u64) -> Generated {
    find(name).unwrap().generate(Some(samples), Some(features), seed).unwrap()
}

/// The numbers of a column.
pub(super) fn numbers<'a>(made: &'a Generated, name: &str) -> &'a [f64] {
    match &made.table.columns()[made.table.position(name).unwrap()].data {
        ColumnData::Numeric(values) => values,
        ColumnData::Text(_) | ColumnData::Dates(_) => panic!("{name} holds texts"),
    }
}

/// The texts of a column.
pub(super) fn texts<'a>(made: &'a Generated, name: &str) -> Vec<&'a str> {
    match &made.table.columns()[made.table.position(name).unwrap()].data {
        ColumnData::Numeric(_) | ColumnData::Dates(_) => panic!("{name} holds numbers"),
        ColumnData::Text(text) => (0..made.table.rows()).map(|row| text.get(row)).collect(),
    }
}

/// The arithmetic mean.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The mean squared distance from the mean.
pub(super) fn variance(values: &[f64]) -> f64 {
    let centre = mean(values);
    mean(&values.iter().map(|value| (value - centre).powi(2)).collect::<Vec<_>>())
}

/// Pearson's correlation.
pub(super) fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let (centre_a, centre_b) = (mean(a), mean(b));
    let products: Vec<f64> = a.iter().zip(b).map(|(x, y)| (x - centre_a) * (y - centre_b)).collect();
    mean(&products) / (variance(a) * variance(b)).sqrt()
}
