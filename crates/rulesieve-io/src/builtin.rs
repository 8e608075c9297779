//! Embedded tables.

use rulesieve::data::Table;

use crate::{
    options::{Format, ReadOptions},
    source::Source,
};

/// Name and description of every table that [`builtin`] returns.
pub const BUILTIN: &[(&str, &str)] =
    &[("penguins", "344 penguins of the Palmer Archipelago: species by island, bill, flipper, mass, sex and year")];

const PENGUINS: &str = include_str!("../data/penguins.csv");

/// The CSV text and the target column of an embedded table.
pub fn builtin_csv(name: &str) -> Option<(&'static str, &'static str)> {
    match name {
        "penguins" => Some((PENGUINS, "species")),
        _ => None,
    }
}

/// An embedded table, with its target column as [`target_hint`](Table::target_hint).
pub fn builtin(name: &str) -> Option<Table> {
    let (text, target) = builtin_csv(name)?;
    let source = Source::Bytes { name: format!("builtin:{name}"), bytes: text.as_bytes().to_vec() };
    let options = ReadOptions { format: Some(Format::Csv), ..ReadOptions::default() };
    let mut table = crate::read(&source, &options).ok()?;
    table.target_hint = Some(target.to_owned());
    Some(table)
}
