//! `apply`: keep the columns of a saved selection, by name, in whatever order the file has them.

use crate::args::ApplyArgs;
use crate::{input, output};
use anyhow::{Context, Result, bail};
use rulesieve::select::Selection;
use rulesieve_io::{ReadError, Source};
use serde::Deserialize;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;
use std::process::ExitCode;

/// A selection file larger than this is none: a million features with names of usual length need half of it.
const LARGEST_FILE: u64 = 1 << 28;

pub(crate) fn run(args: &ApplyArgs) -> Result<ExitCode> {
    if let Some(path) = &args.output {
        output::check_not_input(path, &args.input.input)?;
    }
    let selection = read_selection(&args.selection)?;
    let mut names = selection.selected;
    for name in &args.keep {
        if names.contains(name) {
            bail!("--keep {name}: this column is selected already");
        }
        names.push(name.clone());
    }
    let rows = match &args.output {
        Some(path) => {
            // Everything is read before the file is begun: Ctrl-C while waiting for input then ends at once.
            let mut reduced = Vec::new();
            let rows = copy(args, &names, &mut reduced)?;
            output::write_file(path, |file| file.write_all(&reduced))?;
            rows
        }
        None => copy(args, &names, &mut BufWriter::new(io::stdout().lock())).map_err(unwritten)?,
    };
    let columns = names.len();
    let to = args.output.as_ref().map(|path| format!(" to {}", path.display())).unwrap_or_default();
    output::note(&format!("wrote {rows} rows of {columns} columns{to}"));
    Ok(ExitCode::SUCCESS)
}

/// An error of the destination names it; those of the source name the source themselves.
fn unwritten(error: anyhow::Error) -> anyhow::Error {
    match error.downcast_ref::<ReadError>() {
        Some(ReadError::Write(_)) => error.context(output::NO_OUTPUT),
        _ => error,
    }
}

fn copy(args: &ApplyArgs, names: &[String], mut to: &mut dyn Write) -> Result<usize> {
    if args.input.input.starts_with("builtin:") {
        let csv = {
            let mut bytes = Vec::new();
            rulesieve_io::write_csv(&input::table(&args.input)?, &mut bytes)?;
            bytes
        };
        let source = Source::Bytes { name: args.input.input.clone(), bytes: csv };
        return Ok(rulesieve_io::copy_columns(&source, &input::read_options(&args.input)?, names, &mut to)?);
    }
    let source = Source::parse(&args.input.input);
    let rows = rulesieve_io::copy_columns(&source, &input::read_options(&args.input)?, names, &mut to)?;
    to.flush()?;
    Ok(rows)
}

/// The part of a selection that every version of the format has.
#[derive(Deserialize)]
struct Versioned {
    schema: String,
}

/// Reads and checks a selection.
fn read_selection(path: &Path) -> Result<Selection> {
    let context = || format!("cannot use the selection {}", path.display());
    let text = read_text(path).with_context(context)?;
    // The version first: a file of another version may lack fields, and naming those would mislead.
    let versioned: Versioned = serde_json::from_str(&text).with_context(context)?;
    Selection::check_schema(&versioned.schema).with_context(context)?;
    let selection: Selection = serde_json::from_str(&text).with_context(context)?;
    selection.check().with_context(context)?;
    Ok(selection)
}

fn read_text(path: &Path) -> Result<String> {
    let mut text = String::new();
    File::open(path)?.take(LARGEST_FILE + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LARGEST_FILE {
        bail!("it has more than {LARGEST_FILE} bytes, which no selection has");
    }
    Ok(text)
}
