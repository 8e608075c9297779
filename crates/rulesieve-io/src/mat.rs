//! MATLAB files, version 5: named arrays, optionally compressed.

use rulesieve::data::{ColumnData, Table};

use crate::{
    error::ReadError,
    options::{Limits, ReadOptions},
    pair::{choose, join, skipped},
    source::Input,
    text::shown,
};

mod element;
mod variable;

use element::Elements;
use variable::{Content, Variable};

const FEATURES: [&str; 4] = ["X", "x", "fea", "data"];
const TARGETS: [&str; 4] = ["Y", "y", "gnd", "label"];
const HEADER_BYTES: usize = 128;
const HDF5: &[u8] = b"\x89HDF\r\n\x1a\n";

/// Reads a table.
pub(crate) fn read(input: &Input, options: &ReadOptions) -> Result<Table, ReadError> {
    let big_endian = check_header(input)?;
    let elements = Elements::new(&input.bytes[HEADER_BYTES..], big_endian);
    let variables = read_variables(input, elements, &options.limits)?;
    let present: Vec<String> = variables.iter().map(|variable| variable.name.clone()).collect();
    let chosen = choose(input, options, &present, &FEATURES, &TARGETS)?;
    let columns = |name: &str| match variables.iter().find(|variable| variable.name == name) {
        Some(variable) => into_columns(input, variable, &options.limits),
        None => Err(input.content(format!("'{}' is missing", shown(name)))),
    };
    let features = columns(chosen.features)?;
    let target = chosen.target.map(columns).transpose()?;
    let mut table = join(input, &chosen, features, target)?;
    table.warnings.extend(skipped(&chosen, &present));
    Ok(table)
}

/// Rejects other versions; returns whether numbers are big-endian.
fn check_header(input: &Input) -> Result<bool, ReadError> {
    const SAVE: &str = "save it in MATLAB with: save file.mat X Y -v7";
    let bytes = input.bytes.as_slice();
    // A version 7.3 file has the text header of version 5, then HDF5.
    let is_hdf5 = bytes.starts_with(HDF5) || bytes.get(512..).is_some_and(|rest| rest.starts_with(HDF5));
    if is_hdf5 || bytes.starts_with(b"MATLAB 7.3") {
        return Err(input.unsupported("a MATLAB 7.3 (HDF5) file", SAVE));
    }
    let Some([version_low, version_high, order @ ..]) = bytes.get(124..HEADER_BYTES) else {
        return Err(input.content("the file ends within the MATLAB header; it is truncated or has another format"));
    };
    match (order, [*version_low, *version_high]) {
        (b"IM", [0, 1]) => Ok(false),
        (b"MI", [1, 0]) => Ok(true),
        _ => Err(input.unsupported("a file that is not of MATLAB version 5", SAVE)),
    }
}

fn read_variables(input: &Input, elements: Elements<'_>, limits: &Limits) -> Result<Vec<Variable>, ReadError> {
    let big_endian = elements.is_big_endian();
    let mut variables: Vec<Variable> = Vec::new();
    // The byte limit applies to all variables together: decompressed bytes and converted numbers.
    let mut budget = limits.bytes;
    let mut converted = limits.bytes;
    for element in elements {
        let damaged = |problem: &str| input.content(format!("variable {}: {problem}", variables.len() + 1));
        let element = element.map_err(damaged)?;
        let variable = if element.is_compressed() {
            let bytes = element.decompress(budget).map_err(damaged)?;
            let size = bytes.len() as u64;
            if size > budget {
                return Err(ReadError::Endless { file: input.name.clone(), limit: limits.bytes });
            }
            budget -= size;
            let inner = Elements::new(&bytes, big_endian).next().unwrap_or(Err("it is empty"));
            inner.and_then(|inner| Variable::parse(&inner, big_endian, converted)).map_err(damaged)?
        } else {
            Variable::parse(&element, big_endian, converted).map_err(damaged)?
        };
        converted = converted.saturating_sub(variable.as_ref().map_or(0, Variable::bytes));
        variables.extend(variable);
        // An empty variable needs memory too.
        limits.check_columns(input, variables.len())?;
    }
    Ok(variables)
}

fn into_columns(input: &Input, variable: &Variable, limits: &Limits) -> Result<Vec<ColumnData>, ReadError> {
    let name = shown(&variable.name);
    match &variable.content {
        Content::Other(what) => {
            Err(input.unsupported(format!("'{name}', {what}"), "save it as a full real numeric matrix"))
        }
        Content::Numbers { rows, columns, .. } if *rows == 0 || *columns == 0 => {
            Err(input.content(format!("'{name}' has no values (it is {rows} x {columns})")))
        }
        Content::Numbers { rows, columns, values } => {
            limits.check_table(input, *rows, *columns)?;
            if values.is_empty() {
                return Err(ReadError::Endless { file: input.name.clone(), limit: limits.bytes });
            }
            Ok(values.chunks_exact(*rows).map(|column| ColumnData::Numeric(column.to_vec())).collect())
        }
    }
}
