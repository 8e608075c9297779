//! Tables that come with the program.

use rulesieve::data::Table;

use crate::{
    options::{Format, ReadOptions},
    source::Source,
};

/// Name and description of every table that [`builtin`] returns.
pub const BUILTIN: &[(&str, &str)] =
    &[("penguins", "344 penguins of the Palmer Archipelago: species by island, bill, flipper, mass, sex and year")];

const PENGUINS: &[u8] = include_bytes!("../data/penguins.csv");

/// The embedded table of that name, its label as [`target_hint`](Table::target_hint).
pub fn builtin(name: &str) -> Option<Table> {
    let (bytes, target) = match name {
        "penguins" => (PENGUINS, "species"),
        _ => return None,
    };
    let source = Source::Bytes { name: format!("builtin:{name}"), bytes: bytes.to_vec() };
    let options = ReadOptions { format: Some(Format::Csv), ..ReadOptions::default() };
    let mut table = crate::read(&source, &options).ok()?;
    table.target_hint = Some(target.to_owned());
    Some(table)
}
