//! `records`: list or print the runs saved by `evaluate --records`.

use super::evaluate::text::document;
use crate::args::RecordsArgs;
use crate::output::{self, Cell, Document, Format, Head, Table};
use anyhow::{Context, Result, bail};
use rulesieve_eval::records::{Records, RunInfo};
use std::process::ExitCode;

pub(crate) fn run(args: &RecordsArgs) -> Result<ExitCode> {
    if !args.file.is_file() {
        bail!("there is no file {}", args.file.display());
    }
    let records = Records::read(&args.file)?;
    let Some(run) = args.run else {
        let runs = records.list()?;
        list(&runs).print(args.format.format(), &runs)?;
        return Ok(ExitCode::SUCCESS);
    };
    let (record, input) = records.record(run).with_context(|| format!("run {run} of {}", args.file.display()))?;
    if let Some(path) = &args.output {
        output::check_destination(path)?;
        output::check_not_input(path, &args.file.to_string_lossy())?;
        output::write_json(path, &record)?;
    }
    document(&record, &input).print(args.format.format(), &record)?;
    if args.format.format() != Format::Json {
        output::warnings(&record.warnings);
    }
    Ok(ExitCode::SUCCESS)
}

fn list(runs: &[RunInfo]) -> Document {
    let mut table = Table::new([
        Head::right("run"),
        Head::left("started (UTC)").fields(&["started"]),
        Head::right("done").fields(&["done", "tasks"]),
        Head::left("protocol"),
        Head::left("input"),
        Head::left("methods"),
    ]);
    for run in runs {
        let (done, tasks) = (run.done.to_string(), run.tasks.to_string());
        table.push([
            run.run.to_string().into(),
            run.began.as_str().into(),
            Cell::new(format!("{done} of {tasks}"), [done, tasks]),
            run.protocol.as_str().into(),
            Cell::name(&run.input),
            run.fault.clone().unwrap_or_else(|| run.methods.join(", ")).into(),
        ]);
    }
    let mut document = Document::new();
    document.table(table);
    document
}
