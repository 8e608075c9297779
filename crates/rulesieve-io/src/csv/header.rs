//! Detection of the delimiter and of the header row.

use std::collections::HashSet;

use ::csv::StringRecord;
use rulesieve::Warning;
use rulesieve::data::{Column, Table};

use crate::{
    delimiter::sniff,
    error::ReadError,
    options::{Format, ReadOptions},
    source::Input,
    text::{number, shown, trimmed},
};

const NAME_BYTES: usize = 1000;

/// The names of the columns.
pub(crate) struct Header {
    /// Whether the first row contains the names.
    pub(crate) in_first_row: bool,
    pub(crate) names: Vec<String>,
    /// The name of the first column if the first row leaves it empty.
    pub(crate) index_hint: Option<String>,
}

/// Takes the column names from the first record, or numbers the columns.
pub(crate) fn name_columns(
    input: &Input,
    first: &StringRecord,
    header: Option<bool>,
    warnings: &mut Vec<Warning>,
) -> Result<Header, ReadError> {
    let values: Vec<Option<f64>> = first.iter().map(|cell| number(trimmed(cell))).collect();
    let some_number = values.iter().flatten().any(|value| !value.is_nan());
    let all_numbers = some_number && values.iter().all(Option::is_some);
    // As pandas writes the columns 0, 1, 2, ... of an array, after the index.
    let is_array = values.len() > 1
        && trimmed(first.get(0).unwrap_or_default()).is_empty()
        && values[1..].iter().zip(0_u32..).all(|(value, at)| *value == Some(f64::from(at)));
    if !header.unwrap_or(!all_numbers || is_array) {
        if header.is_none() {
            warnings.push(Warning::ColumnsNumbered { columns: first.len() });
        }
        let names = (1..=first.len()).map(|position| format!("c{position}")).collect();
        return Ok(Header { in_first_row: false, names, index_hint: None });
    }
    let names = named(first.iter().map(trimmed));
    let index_hint = first.get(0).is_some_and(|name| trimmed(name).is_empty()).then(|| names[0].clone());
    if let Some(at) = names.iter().position(|name| name.len() > NAME_BYTES) {
        let (name, bytes) = (shown(&names[at]), names[at].len());
        return Err(ReadError::LongName { file: input.name.clone(), position: at + 1, name, bytes });
    }
    // A table without cells checks the names before any cell is read.
    let empty = names.iter().map(|name| Column::numeric(name, Vec::new())).collect();
    Table::new(empty).map_err(|error| input.table_error(error))?;
    if header.is_none() && some_number && !is_array {
        let like = values.iter().position(|value| value.is_some_and(|value| !value.is_nan())).unwrap_or(0);
        warnings.push(Warning::NumberAsName { name: shown(&names[like]) });
    }
    Ok(Header { in_first_row: true, names, index_hint })
}

/// The names; those that are empty become `column` with their position.
fn named<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
    let taken: HashSet<&str> = names.clone().collect();
    let own = |(at, name): (usize, &str)| {
        let mut own = if name.is_empty() { format!("column{}", at + 1) } else { return name.to_owned() };
        while taken.contains(own.as_str()) {
            own.push('_');
        }
        own
    };
    names.enumerate().map(own).collect()
}

/// The delimiter of the options, else the detected one.
pub(crate) fn choose_delimiter(
    input: &Input,
    text: &str,
    options: &ReadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<u8, ReadError> {
    if let Some(delimiter) = options.delimiter {
        if matches!(delimiter, b'"' | b'\n' | b'\r') || !delimiter.is_ascii() {
            let given = shown(&char::from(delimiter).to_string());
            return Err(input.unsupported(
                format!("'{given}', which cannot delimit cells"),
                "give one ASCII character such as , or ;",
            ));
        }
        return Ok(delimiter);
    }
    if input.format == Format::Tsv {
        return Ok(b'\t');
    }
    let delimiter = sniff(text);
    let delimiter_name = match delimiter {
        b',' => return Ok(delimiter),
        b'\t' => "tabs".to_owned(),
        b' ' => "spaces".to_owned(),
        other => format!("'{}'", char::from(other)),
    };
    warnings.push(Warning::DelimiterDetected { delimiter: delimiter_name });
    Ok(delimiter)
}
