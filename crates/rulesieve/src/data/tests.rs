//! Tests of validation and coding.

mod columns;
mod design;
mod excluded;
mod features;
mod missing;
mod properties;
mod suspicious;
mod targets;

use super::{
    CategoricalCoding, Column, DataError, Dataset, DatasetOptions, Design, Encoder, KeepSuspicious, Missing, Table,
    Target, TargetColumn, Task,
};
use crate::{Remedy, Warning};

/// A missing number.
const NO: f64 = f64::NAN;

/// A column of numbers.
fn num(name: &str, values: &[f64]) -> Column {
    Column::numeric(name, values.to_vec())
}

/// A column of texts.
fn txt(name: &str, cells: &[&str]) -> Column {
    Column::text(name, cells)
}

fn table(columns: Vec<Column>) -> Table {
    Table::new(columns).unwrap()
}

/// Options that only name the target.
fn target(name: &str) -> DatasetOptions {
    DatasetOptions::new(Target::named(name))
}

fn with_missing(missing: Missing) -> DatasetOptions {
    DatasetOptions { missing, ..target("t") }
}

/// A data set of the given columns with target `t`.
fn data(columns: Vec<Column>) -> Dataset {
    Dataset::new(table(columns), &target("t")).unwrap()
}

/// The validation error for these columns with target `t`.
fn refusal(columns: Vec<Column>) -> DataError {
    Dataset::new(table(columns), &target("t")).unwrap_err()
}

/// `count` labels, the first half `a` and the rest `b`.
fn halves(count: usize) -> Column {
    Column::text("t", (0..count).map(|row| if row < count / 2 { "a" } else { "b" }))
}

fn names(data: &Dataset) -> Vec<&str> {
    data.features.iter().map(|feature| feature.name.as_str()).collect()
}

/// The excluded columns with reasons.
fn excluded(data: &Dataset) -> Vec<String> {
    data.excluded.iter().map(|one| format!("{}: {}", one.feature, one.reason.text())).collect()
}

/// Learns the coding from some rows and codes others.
fn coded(data: &Dataset, train: &[usize], rows: &[usize], coding: CategoricalCoding) -> Design {
    Encoder::fit(data, train, coding).unwrap().transform(data, rows).unwrap()
}

/// Learns the coding from all rows and codes them.
fn coded_all(data: &Dataset, coding: CategoricalCoding) -> Design {
    let rows: Vec<usize> = (0..data.samples()).collect();
    coded(data, &rows, &rows, coding)
}

#[track_caller]
fn assert_contains(message: impl ToString, parts: &[&str]) {
    let message = message.to_string();
    for part in parts {
        assert!(message.contains(part), "'{part}' is missing in: {message}");
    }
}

#[track_caller]
fn assert_warns(data: &Dataset, parts: &[&str]) -> Warning {
    let contains = |warning: &&Warning| parts.iter().all(|part| warning.to_string().contains(part));
    let found = data.warnings.iter().find(contains);
    found.unwrap_or_else(|| panic!("no warning contains {parts:?}: {:?}", data.warnings)).clone()
}
