//! Converts originals to the bytes of the manifest's files.

use super::recipe::{Form, Label, Original, Recipe};
use crate::ReproduceError;
use crate::manifest::{DataSet, target};
use flate2::{Compression, GzBuilder};
use rulesieve::data::table::is_missing;
use rulesieve::data::{Column, ColumnData, Table};
use rulesieve_io::{Format, ReadOptions, Source, shown};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

/// Returns the text of the manifest's file, or why the original cannot be converted.
pub(super) fn csv(
    recipe: &Recipe,
    original: &Original,
    set: &DataSet,
    path: &Path,
) -> Result<Result<Vec<u8>, String>, ReproduceError> {
    let target = target()?;
    Ok(read(original, path)
        .and_then(|table| reshaped(table, recipe, original, set, &target))
        .and_then(|table| text(&table)))
}

/// Compresses a text, deterministically, if the name of its file ends in .gz.
pub(super) fn packed(file: &str, text: Vec<u8>) -> io::Result<Vec<u8>> {
    if !file.ends_with(".gz") {
        return Ok(text);
    }
    let mut gzip = GzBuilder::new().write(Vec::new(), Compression::default());
    gzip.write_all(&text)?;
    gzip.finish()
}

fn read(original: &Original, path: &Path) -> Result<Table, String> {
    let (format, delimiter) = match original.form {
        Form::Comma => (Format::Csv, Some(b',')),
        Form::Blanks => (Format::Csv, Some(b' ')),
        Form::Arff => (Format::Arff, None),
        Form::Matlab => (Format::Mat, None),
    };
    let labels = match (&original.label, original.form) {
        (Label::Column(name), Form::Matlab) => Some(name.clone()),
        _ => None,
    };
    let options = ReadOptions {
        format: Some(format),
        delimiter,
        header: Some(false),
        features_variable: (original.form == Form::Matlab).then(|| "X".to_owned()),
        target_variable: labels,
        ..ReadOptions::default()
    };
    rulesieve_io::read(&Source::Path(path.to_owned()), &options).map_err(|error| error.to_string())
}

/// Returns the columns of the manifest's file, under its names, the label last.
fn reshaped(table: Table, recipe: &Recipe, original: &Original, set: &DataSet, target: &str) -> Result<Table, String> {
    let rows = table.rows();
    let mut columns = table.into_columns();
    for name in &original.drop {
        take(&mut columns, name)?;
    }
    let label = match &original.label {
        Label::Column(name) => respelled(&take(&mut columns, name)?, &original.labels, target)?,
        Label::Blocks { rows: each, labels } => blocks(rows, *each, labels, target)?,
    };
    if original.form.has_names() {
        for column in &mut columns {
            if let Some(name) = original.rename.get(&column.name) {
                column.name.clone_from(name);
            }
        }
    } else {
        let names = recipe.names(set.features);
        if names.len() != columns.len() {
            return Err(format!("{} columns of features instead of {}", columns.len(), names.len()));
        }
        columns.iter_mut().zip(names).for_each(|(column, name)| column.name = name);
    }
    let mut columns: Vec<Column> = columns.into_iter().map(as_written).collect();
    columns.push(label);
    Table::new(columns).map_err(|error| error.to_string())
}

fn take(columns: &mut Vec<Column>, name: &str) -> Result<Column, String> {
    let all = columns.len();
    match columns.iter().position(|column| column.name == name) {
        Some(at) => Ok(columns.remove(at)),
        None => Err(format!("no column {name} among its {all}")),
    }
}

/// Returns the label column under the manifest's name, with its classes in the manifest's spelling.
fn respelled(column: &Column, spelling: &BTreeMap<String, String>, target: &str) -> Result<Column, String> {
    let cells = (0..column.len()).map(|row| column.cell(row));
    if spelling.is_empty() {
        return Ok(Column::text(target, cells));
    }
    let known = || spelling.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
    let respell = |cell: String| {
        let found = spelling.get(&cell).cloned();
        found.ok_or_else(|| format!("the label '{}' is none of {}", shown(&cell), known()))
    };
    Ok(Column::text(target, cells.map(respell).collect::<Result<Vec<_>, _>>()?))
}

fn blocks(rows: usize, each: usize, labels: &[String], target: &str) -> Result<Column, String> {
    let expected = each * labels.len();
    if rows != expected {
        return Err(format!("{rows} rows instead of {expected}; labels follow from their order"));
    }
    let cells = labels.iter().flat_map(|label| std::iter::repeat_n(label, each));
    Ok(Column::text(target, cells))
}

/// Formats a feature for the file: missing cells are empty, and minus zero keeps its sign, because it affects the hash.
fn as_written(column: Column) -> Column {
    let minus_zero = |value: &f64| *value == 0.0 && value.is_sign_negative();
    let cell = |row: usize| match &column.data {
        ColumnData::Numeric(values) if minus_zero(&values[row]) => "-0".to_owned(),
        ColumnData::Text(text) if is_missing(text.get(row)) => String::new(),
        _ => column.cell(row),
    };
    match &column.data {
        ColumnData::Numeric(values) if !values.iter().any(minus_zero) => column,
        _ => Column::text(&column.name, (0..column.len()).map(cell)),
    }
}

fn text(table: &Table) -> Result<Vec<u8>, String> {
    let mut text = Vec::new();
    rulesieve_io::write_csv(table, &mut text).map_err(|error| error.to_string())?;
    Ok(text)
}
