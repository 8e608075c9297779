//! `apply`: keep the columns of a saved selection, matched by name.

use crate::args::ApplyArgs;
use crate::{input, model_file, output};
use anyhow::{Context, Result, bail};
use rulesieve::data::{DateColumn, Reading};
use rulesieve::select::Selection;
use rulesieve_io::{Copied, ReadError, ReadOptions, Source, TableFormat};
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

pub(crate) fn run(args: &ApplyArgs) -> Result<ExitCode> {
    if let Some(path) = &args.output {
        output::check_destination(path)?;
        output::check_not_input(path, &args.input.input)?;
    }
    let format = output::table_format(args.output.as_deref())?;
    let (mut names, like) = selected(args)?;
    for name in &args.keep {
        if names.contains(name) {
            bail!("--keep {name}: this column is selected already");
        }
        names.push(name.clone());
    }
    let copied = match &args.output {
        Some(path) => {
            // Reads everything before creating the file, so that Ctrl-C while waiting for input ends at once.
            let mut reduced = Vec::new();
            let copied = copy(args, &names, like, format, &mut reduced)?;
            output::write_file(path, |file| file.write_all(&reduced))?;
            copied
        }
        None => copy(args, &names, like, format, &mut BufWriter::new(io::stdout().lock())).map_err(with_destination)?,
    };
    output::warnings(&copied.warnings);
    let to = args.output.as_ref().map(|path| format!(" to {}", path.display())).unwrap_or_default();
    let (rows, columns) = (output::counted(copied.rows, "row"), output::counted(names.len(), "column"));
    output::note(&format!("wrote {rows} of {columns}{to}"));
    Ok(ExitCode::SUCCESS)
}

/// Adds the destination to write errors; read errors name the source already.
fn with_destination(error: anyhow::Error) -> anyhow::Error {
    match error.downcast_ref::<ReadError>() {
        Some(ReadError::Write(_)) => error.context(output::NO_OUTPUT),
        _ => error,
    }
}

fn copy(args: &ApplyArgs, names: &[String], like: Reading, format: TableFormat, to: &mut dyn Write) -> Result<Copied> {
    let options = ReadOptions { like, ..input::read_options(&args.input)? };
    if args.input.input.starts_with("builtin:") {
        let csv = {
            let mut bytes = Vec::new();
            rulesieve_io::write_csv(&input::table(&args.input)?, &mut bytes)?;
            bytes
        };
        let source = Source::Bytes { name: args.input.input.clone(), bytes: csv };
        return Ok(rulesieve_io::copy_columns(&source, &options, names, format, to)?);
    }
    let source = Source::parse(&args.input.input);
    Ok(rulesieve_io::copy_columns(&source, &options, names, format, to)?)
}

/// The columns that the selected features come from: a date column for its parts.
pub(super) fn source_columns(selection: &Selection) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for feature in &selection.selected {
        let name = DateColumn::of(&selection.dates, feature).map_or(feature, |date| &date.column);
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// Reads the names of the selected columns, and how the table was read: a checked selection, or on standard input also a list of
/// names.
fn selected(args: &ApplyArgs) -> Result<(Vec<String>, Reading)> {
    let path = &args.selection;
    let text = if path.as_os_str() == "-" {
        if args.input.input == "-" {
            bail!("standard input cannot hold both the selection and the table; name a file for one of them");
        }
        let text = model_file::read_standard_input("selection")?;
        if !text.trim_start().starts_with('{') {
            return Ok((listed(&text)?, Reading::default()));
        }
        text
    } else {
        model_file::read_text(path, "selection")?
    };
    let selection: Selection = model_file::parse_record(&text, path, "selection", Selection::check_schema)?;
    selection.check().with_context(|| format!("cannot use the selection {}", path.display()))?;
    Ok((source_columns(&selection), selection.reading))
}

/// The names in a list of one name per line.
fn listed(text: &str) -> Result<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    for name in text.lines().filter(|line| !line.is_empty()) {
        if names.iter().any(|other| other == name) {
            bail!("standard input names '{}' twice", output::shown(name));
        }
        names.push(name.to_owned());
    }
    if names.is_empty() {
        bail!("standard input has no selection; pipe `rulesieve select ... --json` or `--names` into this command");
    }
    Ok(names)
}
