//! Inverse conversion: an original in the layout of the archive from the manifest's file.

use crate::manifest::DataSet;
use crate::originals::recipe::{Form, Label, Original, Recipe};
use rulesieve::data::{Column, ColumnData, Table};
use std::fmt::Write;

pub(super) fn original(table: &Table, set: &DataSet, recipe: &Recipe, original: &Original) -> Vec<u8> {
    let column = |name: &str| &table.columns()[table.position(name).unwrap()];
    let features: Vec<&Column> = recipe.names(set.features).iter().map(|name| column(name)).collect();
    let labels: Vec<String> = (0..table.rows()).map(|row| spelled(original, &column("class").cell(row))).collect();
    match original.form {
        Form::Comma => lines(original, &features, &labels, ",").into_bytes(),
        Form::Blanks => lines(original, &features, &labels, "  ").into_bytes(),
        Form::Arff => arff(original, &features, &labels).into_bytes(),
        Form::Matlab => matlab(&features, &labels),
    }
}

/// Returns the class in the spelling of the original.
fn spelled(original: &Original, class: &str) -> String {
    let key = original.labels.iter().find(|(_, own)| *own == class).map(|(key, _)| key.as_str());
    key.unwrap_or(class).to_owned()
}

fn cell(column: &Column, row: usize) -> String {
    match &column.data {
        ColumnData::Numeric(values) if values[row] == 0.0 && values[row].is_sign_negative() => "-0.00".to_owned(),
        _ if column.cell(row).is_empty() => "?".to_owned(),
        _ => column.cell(row),
    }
}

fn lines(original: &Original, features: &[&Column], labels: &[String], separator: &str) -> String {
    let index = |name: &str| name.strip_prefix('c').unwrap().parse::<usize>().unwrap() - 1;
    let label = match &original.label {
        Label::Column(name) => Some(index(name)),
        Label::Blocks { .. } => None,
    };
    let dropped: Vec<usize> = original.drop.iter().map(|name| index(name)).collect();
    let width = features.len() + dropped.len() + usize::from(label.is_some());
    let mut text = String::new();
    for (row, class) in labels.iter().enumerate() {
        let mut next = features.iter();
        let cells: Vec<String> = (0..width)
            .map(|at| match at {
                _ if Some(at) == label => class.clone(),
                _ if dropped.contains(&at) => "0".to_owned(),
                _ => cell(next.next().unwrap(), row),
            })
            .collect();
        // Originals with blanks start with a blank.
        let begin = if separator == "," { "" } else { " " };
        writeln!(text, "{begin}{}", cells.join(separator)).unwrap();
    }
    text
}

fn arff(original: &Original, features: &[&Column], labels: &[String]) -> String {
    let own = |name: &str| {
        original.rename.iter().find(|(_, here)| *here == name).map_or(name, |(own, _)| own.as_str()).to_owned()
    };
    let mut text = "% a comment\n@RELATION rebuilt\n\n".to_owned();
    original.drop.iter().for_each(|name| writeln!(text, "@attribute '{name}' {{ x, y}}").unwrap());
    for column in features {
        writeln!(text, "@ATTRIBUTE '{}'\t\t{}", own(&column.name), kind(column)).unwrap();
    }
    let Label::Column(label) = &original.label else { panic!("an ARFF file without labels") };
    let classes: std::collections::BTreeSet<&String> = labels.iter().collect();
    let set: Vec<String> = classes.into_iter().map(|class| format!("'{class}'")).collect();
    writeln!(text, "@attribute '{label}' {{{}}}\n@data\n", set.join(", ")).unwrap();
    for (row, class) in labels.iter().enumerate() {
        let dropped = original.drop.iter().map(|_| "x".to_owned());
        let cells = features.iter().map(|column| cell(column, row));
        let all: Vec<String> = dropped.chain(cells).chain([format!("'{class}'")]).collect();
        writeln!(text, "{}", all.join(",")).unwrap();
    }
    text
}

/// Flags are nominal in these files, but numeric in the manifest's files.
fn kind(column: &Column) -> String {
    match &column.data {
        ColumnData::Numeric(values) if values.iter().all(|value| [0.0, 1.0].contains(value)) => "{0, 1}".to_owned(),
        ColumnData::Numeric(_) | ColumnData::Dates(_) => "REAL".to_owned(),
        ColumnData::Text(text) => {
            let levels = text.levels().iter().filter(|level| !level.is_empty()).map(|level| format!("'{level}'"));
            format!("{{ {}}}", levels.collect::<Vec<_>>().join(", "))
        }
    }
}

fn matlab(features: &[&Column], labels: &[String]) -> Vec<u8> {
    let values = |column: &&Column| match &column.data {
        ColumnData::Numeric(values) => values.clone(),
        ColumnData::Text(_) | ColumnData::Dates(_) => panic!("{} is text", column.name),
    };
    let x: Vec<f64> = features.iter().flat_map(values).collect();
    let y: Vec<f64> = labels.iter().map(|label| label.parse().unwrap()).collect();
    let mut out = b"MATLAB 5.0 MAT-file, made by a test".to_vec();
    out.resize(124, b' ');
    out.extend(b"\x00\x01IM");
    out.extend(variable("X", labels.len(), features.len(), &x));
    out.extend(variable("Y", labels.len(), 1, &y));
    out
}

fn variable(name: &str, rows: usize, columns: usize, values: &[f64]) -> Vec<u8> {
    // Pictures are stored as bytes, measurements as doubles.
    let bytes = values.iter().all(|value| (0.0..=255.0).contains(value) && value.fract() == 0.0);
    let (class, kind, data): (u32, u32, Vec<u8>) = if bytes {
        (9, 2, values.iter().map(|value| *value as u8).collect())
    } else {
        (6, 9, values.iter().flat_map(|value| value.to_le_bytes()).collect())
    };
    let flags: Vec<u8> = [class, 0].iter().flat_map(|flag| flag.to_le_bytes()).collect();
    let dimensions: Vec<u8> = [rows as i32, columns as i32].iter().flat_map(|size| size.to_le_bytes()).collect();
    let parts = [element(6, &flags), element(5, &dimensions), element(1, name.as_bytes()), element(kind, &data)];
    element(14, &parts.concat())
}

fn element(kind: u32, data: &[u8]) -> Vec<u8> {
    let mut out = kind.to_le_bytes().to_vec();
    out.extend((data.len() as u32).to_le_bytes());
    out.extend(data);
    out.resize(out.len().next_multiple_of(8), 0);
    out
}
