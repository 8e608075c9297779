//! `apply`: keep the columns of a saved selection, by name, in whatever order the file has them.

use crate::args::ApplyArgs;
use crate::{input, output};
use anyhow::{Context, Result, bail};
use rulesieve::select::Selection;
use rulesieve_io::Source;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;
use std::process::ExitCode;

/// A selection file larger than this is none.
const LARGEST_FILE: u64 = 1 << 30;

pub(crate) fn run(args: &ApplyArgs) -> Result<ExitCode> {
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
            let mut rows = 0;
            let mut failure = None;
            let written = output::write_file(path, |file| {
                copy(args, &names, file).map(|count| rows = count).map_err(|error| {
                    failure = Some(error);
                    io::Error::other("not read")
                })
            });
            // What went wrong while reading says more than that nothing was written.
            failure.map_or(written, Err)?;
            rows
        }
        None => copy(args, &names, &mut BufWriter::new(io::stdout().lock()))?,
    };
    let columns = names.len();
    let to = args.output.as_ref().map(|path| format!(" to {}", path.display())).unwrap_or_default();
    output::note(&format!("wrote {rows} rows of {columns} columns{to}"));
    Ok(ExitCode::SUCCESS)
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

/// Reads and checks a selection.
fn read_selection(path: &Path) -> Result<Selection> {
    let context = || format!("cannot use the selection {}", path.display());
    let mut text = String::new();
    let file = File::open(path).with_context(context)?;
    file.take(LARGEST_FILE).read_to_string(&mut text).with_context(context)?;
    let selection: Selection = serde_json::from_str(&text).with_context(context)?;
    selection.check().with_context(context)?;
    Ok(selection)
}
