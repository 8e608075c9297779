//! LIBSVM text: `label index:value ...` per line; absent indices are zero.
//!
//! The first pass checks the text and finds its shape; the second one fills the columns.

use rulesieve::Warning;
use rulesieve::data::{Column, Table};

use crate::{
    encoding::decode,
    error::ReadError,
    options::{Limits, ReadOptions},
    source::Input,
    text::{lines, number, shown},
};

const TARGET: &str = "target";

/// Reads a table with columns `f1..fM` and the labels in `target`.
pub(crate) fn read(input: &Input, options: &ReadOptions) -> Result<Table, ReadError> {
    let (text, warning) = decode(input, options)?;
    let text = text.as_ref();
    let shape = measure(input, text, &options.limits)?;
    let mut values = vec![vec![0.0; shape.rows]; shape.features];
    let mut labels = Vec::with_capacity(shape.rows);
    for (row, (line, label, entries)) in samples(text).enumerate() {
        labels.push(label);
        for entry in entries.split_whitespace() {
            if let Entry::Value { index, value } = parse_entry(input, line, entry, &options.limits)? {
                values[index - 1][row] = value;
            }
        }
    }
    let numbered = values.into_iter().enumerate();
    let mut columns: Vec<Column> =
        numbered.map(|(at, values)| Column::numeric(format!("f{}", at + 1), values)).collect();
    let numeric: Option<Vec<f64>> = labels.iter().map(|label| number(label)).collect();
    columns.push(match numeric {
        Some(values) => Column::numeric(TARGET, values),
        None => Column::text(TARGET, labels),
    });
    let mut table = Table::new(columns).map_err(|error| input.table_error(error))?;
    table.target_hint = Some(TARGET.to_owned());
    table.warnings.extend(warning);
    if shape.has_query {
        table.warnings.push(Warning::QueryNumbersIgnored);
    }
    Ok(table)
}

struct Shape {
    rows: usize,
    features: usize,
    has_query: bool,
}

enum Entry {
    Value { index: usize, value: f64 },
    Query,
}

/// The samples of a text: line, label, and the rest of the line without its comment.
fn samples(text: &str) -> impl Iterator<Item = (usize, &str, &str)> {
    lines(text).filter_map(|(line, content)| {
        let content = content.split('#').next().unwrap_or_default().trim();
        let (label, entries) = content.split_once(char::is_whitespace).unwrap_or((content, ""));
        (!label.is_empty()).then_some((line, label, entries))
    })
}

/// Checks every line and finds the shape, to check the limits before memory is allocated.
fn measure(input: &Input, text: &str, limits: &Limits) -> Result<Shape, ReadError> {
    let mut shape = Shape { rows: 0, features: 0, has_query: false };
    for (line, label, entries) in samples(text) {
        if label.contains(':') {
            let problem = format!("the line begins with '{}' instead of a label; put the label first", shown(label));
            return Err(input.line_error(line, problem));
        }
        shape.rows += 1;
        limits.check_rows(input, shape.rows)?;
        let mut previous = 0;
        for entry in entries.split_whitespace() {
            match parse_entry(input, line, entry, limits)? {
                Entry::Query => shape.has_query = true,
                Entry::Value { index, .. } if index <= previous => {
                    let how = if index == previous { "is repeated" } else { "comes after a greater one" };
                    let problem = format!("index {index} {how} ({previous}); list each index once, ascending");
                    return Err(input.line_error(line, problem));
                }
                Entry::Value { index, .. } => previous = index,
            }
        }
        shape.features = shape.features.max(previous);
    }
    if shape.rows == 0 {
        return Err(input.empty("has no samples"));
    }
    if shape.features == 0 {
        return Err(input.content("no line has an index:value pair, so there are no features"));
    }
    limits.check_table(input, shape.rows, shape.features + 1)?;
    Ok(shape)
}

fn parse_entry(input: &Input, line: usize, entry: &str, limits: &Limits) -> Result<Entry, ReadError> {
    let problem = |what: String| input.line_error(line, what);
    let Some((index, value)) = entry.split_once(':') else {
        return Err(problem(format!("found '{}' where index:value is expected", shown(entry))));
    };
    if index == "qid" {
        return Ok(Entry::Query);
    }
    let Ok(number) = index.parse::<i128>() else {
        return Err(problem(format!("the index '{}' is not a whole number", shown(index))));
    };
    if number < 1 {
        return Err(problem(format!("the index {number} is not positive; indices start at 1")));
    }
    let Some(index) = usize::try_from(number).ok().filter(|&index| index <= limits.columns) else {
        let (file, limit) = (input.name.clone(), limits.columns);
        return Err(ReadError::Index { file, line, index: number, limit });
    };
    match value.parse() {
        Ok(value) => Ok(Entry::Value { index, value }),
        Err(_) => Err(input.cell_error(line, &format!("f{index}"), value, "a number")),
    }
}
