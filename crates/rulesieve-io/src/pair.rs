//! Files with several variables: choice of features and labels, and the resulting table.

use rulesieve::Warning;
use rulesieve::data::{Column, ColumnData, Table};

use crate::{error::ReadError, options::ReadOptions, source::Input, text::shown};

/// The variables chosen from a file.
pub(crate) struct Chosen<'a> {
    pub(crate) features: &'a str,
    pub(crate) target: Option<&'a str>,
}

/// Chooses the variables given in the options, else the first customary names in the file.
pub(crate) fn choose<'a>(
    input: &Input,
    options: &ReadOptions,
    present: &'a [String],
    customary_features: &[&str],
    customary_targets: &[&str],
) -> Result<Chosen<'a>, ReadError> {
    let find = |name: &str| present.iter().map(String::as_str).find(|other| *other == name);
    let pick = |named: &Option<String>, customary: &[&str]| match named {
        Some(name) => find(name),
        None => customary.iter().find_map(|name| find(name)),
    };
    let missing = |named: &Option<String>, customary: &[&str], target| {
        let wanted = named.as_ref().map_or_else(|| customary.join(", "), |name| format!("'{}'", shown(name)));
        let found = if present.is_empty() { "none".to_owned() } else { quote_all(present.iter().map(String::as_str)) };
        ReadError::Variable { file: input.name.clone(), wanted, found, target }
    };
    let features = pick(&options.features_variable, customary_features)
        .ok_or_else(|| missing(&options.features_variable, customary_features, false))?;
    let target = pick(&options.target_variable, customary_targets);
    if target.is_none() && options.target_variable.is_some() {
        return Err(missing(&options.target_variable, customary_targets, true));
    }
    Ok(Chosen { features, target })
}

/// Joins feature columns `c1..cM` and a label column with the name of its variable.
pub(crate) fn join(
    input: &Input,
    chosen: &Chosen<'_>,
    features: Vec<ColumnData>,
    target: Option<Vec<ColumnData>>,
) -> Result<Table, ReadError> {
    let numbered = features.into_iter().enumerate();
    let mut columns: Vec<Column> = numbered.map(|(at, data)| Column { name: format!("c{}", at + 1), data }).collect();
    let rows = columns.first().map_or(0, Column::len);
    if let (Some(name), Some(target)) = (chosen.target, target) {
        let labels = label_column(input, name, target)?;
        let column = Column { name: name.to_owned(), data: labels };
        if column.len() != rows {
            return Err(ReadError::Lengths {
                file: input.name.clone(),
                features: shown(chosen.features),
                rows,
                target: shown(name),
                labels: column.len(),
            });
        }
        columns.push(column);
    }
    let mut table = Table::new(columns).map_err(|error| input.table_error(error))?;
    table.target_hint = chosen.target.map(str::to_owned);
    Ok(table)
}

/// Labels may have shape n x 1 or 1 x n.
fn label_column(input: &Input, name: &str, mut columns: Vec<ColumnData>) -> Result<ColumnData, ReadError> {
    if columns.len() == 1 {
        return columns.pop().ok_or_else(|| input.content("no labels"));
    }
    let one_row: Option<Vec<f64>> = columns
        .iter()
        .map(|column| match column {
            ColumnData::Numeric(values) if values.len() == 1 => values.first().copied(),
            _ => None,
        })
        .collect();
    one_row.map(ColumnData::Numeric).ok_or_else(|| {
        let what = format!("'{}', the labels, with {} columns", shown(name), columns.len());
        input.unsupported(what, "save one label per row")
    })
}

/// A warning about variables that were not used.
pub(crate) fn skipped(chosen: &Chosen<'_>, present: &[String]) -> Option<Warning> {
    let used = |name: &str| name == chosen.features || Some(name) == chosen.target;
    let variables: Vec<String> = present.iter().filter(|name| !used(name)).map(|name| shown(name)).collect();
    (!variables.is_empty()).then_some(Warning::VariablesSkipped { variables })
}

fn quote_all<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut quoted: Vec<String> = names.take(21).map(|name| format!("'{}'", shown(name))).collect();
    if quoted.len() == 21 {
        quoted[20] = "...".to_owned();
    }
    quoted.join(", ")
}
