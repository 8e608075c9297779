//! `apply`: keep the columns of a saved selection, matched by name.

use crate::args::ApplyArgs;
use crate::{input, model_file, output};
use anyhow::{Context, Result, bail};
use rulesieve::data::DateColumn;
use rulesieve::select::Selection;
use rulesieve_io::{ReadError, Source, TableFormat};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn run(args: &ApplyArgs) -> Result<ExitCode> {
    if let Some(path) = &args.output {
        output::check_not_input(path, &args.input.input)?;
    }
    let format = output::table_format(args.output.as_deref())?;
    let selection = read_selection(&args.selection)?;
    let mut names = source_columns(&selection);
    for name in &args.keep {
        if names.contains(name) {
            bail!("--keep {name}: this column is selected already");
        }
        names.push(name.clone());
    }
    let rows = match &args.output {
        Some(path) => {
            // Reads everything before creating the file, so that Ctrl-C while waiting for input ends at once.
            let mut reduced = Vec::new();
            let rows = copy(args, &names, format, &mut reduced)?;
            output::write_file(path, |file| file.write_all(&reduced))?;
            rows
        }
        None => copy(args, &names, format, &mut BufWriter::new(io::stdout().lock())).map_err(with_destination)?,
    };
    let columns = names.len();
    let to = args.output.as_ref().map(|path| format!(" to {}", path.display())).unwrap_or_default();
    output::note(&format!("wrote {rows} rows of {columns} columns{to}"));
    Ok(ExitCode::SUCCESS)
}

/// Adds the destination to write errors; read errors name the source already.
fn with_destination(error: anyhow::Error) -> anyhow::Error {
    match error.downcast_ref::<ReadError>() {
        Some(ReadError::Write(_)) => error.context(output::NO_OUTPUT),
        _ => error,
    }
}

fn copy(args: &ApplyArgs, names: &[String], format: TableFormat, to: &mut dyn Write) -> Result<usize> {
    if args.input.input.starts_with("builtin:") {
        let csv = {
            let mut bytes = Vec::new();
            rulesieve_io::write_csv(&input::table(&args.input)?, &mut bytes)?;
            bytes
        };
        let source = Source::Bytes { name: args.input.input.clone(), bytes: csv };
        return Ok(rulesieve_io::copy_columns(&source, &input::read_options(&args.input)?, names, format, to)?);
    }
    let source = Source::parse(&args.input.input);
    Ok(rulesieve_io::copy_columns(&source, &input::read_options(&args.input)?, names, format, to)?)
}

/// The columns that the selected features come from: a date column for its parts.
fn source_columns(selection: &Selection) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for feature in &selection.selected {
        let name = DateColumn::of(&selection.dates, feature).map_or(feature, |date| &date.column);
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// Reads and checks a selection.
fn read_selection(path: &Path) -> Result<Selection> {
    let selection: Selection = model_file::read_record(path, "selection", Selection::check_schema)?;
    selection.check().with_context(|| format!("cannot use the selection {}", path.display()))?;
    Ok(selection)
}
