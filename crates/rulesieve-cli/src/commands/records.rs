//! `records`: list or print the runs saved by `evaluate --records`.

use super::evaluate::text::text;
use crate::args::RecordsArgs;
use crate::output;
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
        if args.json {
            output::print_json(&runs)?
        } else {
            output::print(&list(&runs))?
        }
        return Ok(ExitCode::SUCCESS);
    };
    let (record, input) = records.record(run).with_context(|| format!("run {run} of {}", args.file.display()))?;
    if let Some(path) = &args.output {
        output::check_destination(path)?;
        output::check_not_input(path, &args.file.to_string_lossy())?;
        output::write_json(path, &record)?;
    }
    if args.json {
        output::print_json(&record)?;
    } else {
        output::print(&text(&record, &input))?;
        output::warnings(&record.warnings);
    }
    Ok(ExitCode::SUCCESS)
}

fn list(runs: &[RunInfo]) -> String {
    let head = ["run", "started (UTC)", "done", "protocol", "input", "methods"];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    lines.extend(runs.iter().map(|run| {
        vec![
            run.run.to_string(),
            run.began.clone(),
            format!("{} of {}", run.done, run.tasks),
            run.protocol.clone(),
            output::shown(&run.input),
            run.fault.clone().unwrap_or_else(|| run.methods.join(", ")),
        ]
    }));
    output::aligned(&lines, &[0, 2])
}
