//! Tests of validation and coding, on tables that are written out.

mod aside;
mod design;
mod features;
mod missing;
mod properties;
mod suspicious;
mod targets;

use super::{
    CategoricalCoding, Column, DataError, Dataset, DatasetOptions, Design, Encoder, KeepSuspicious, Missing, Table,
    Target, TargetColumn,
};
use crate::{Remedy, Warning};

/// Missing numbers in short.
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

/// Why these columns with target `t` are refused.
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

/// What was set aside, with the reasons.
fn aside(data: &Dataset) -> Vec<String> {
    data.set_aside.iter().map(|one| format!("{}: {}", one.feature, one.reason.text())).collect()
}

/// Learns from some rows, codes others.
fn coded(data: &Dataset, train: &[usize], rows: &[usize], coding: CategoricalCoding) -> Design {
    Encoder::fit(data, train, coding).unwrap().transform(data, rows).unwrap()
}

/// Learns from all rows and codes them.
fn coded_all(data: &Dataset, coding: CategoricalCoding) -> Design {
    let rows: Vec<usize> = (0..data.samples()).collect();
    coded(data, &rows, &rows, coding)
}

#[track_caller]
fn assert_says(message: impl ToString, parts: &[&str]) {
    let message = message.to_string();
    for part in parts {
        assert!(message.contains(part), "'{part}' is missing in: {message}");
    }
}

#[track_caller]
fn assert_warns(data: &Dataset, parts: &[&str]) -> Warning {
    let says = |warning: &&Warning| parts.iter().all(|part| warning.to_string().contains(part));
    let found = data.warnings.iter().find(says);
    found.unwrap_or_else(|| panic!("no warning says {parts:?}: {:?}", data.warnings)).clone()
}
