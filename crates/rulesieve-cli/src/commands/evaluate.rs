//! `evaluate`: evaluation of methods on held-out data.

mod options;
pub(super) mod text;

use crate::args::EvaluateArgs;
use crate::output::Format;
use crate::progress::Watcher;
use crate::{input, interrupt, output, report};
use anyhow::{Context, Result, bail};
use rulesieve::Warning;
use rulesieve::data::table::is_missing;
use rulesieve::data::{Column, Dataset};
use rulesieve::optim::Halt;
use rulesieve_cli::arguments;
use rulesieve_eval::TimeBudget;
use rulesieve_eval::evaluate::{Evaluated, Evaluation, PlanOptions};
use rulesieve_eval::records::{Records, Run};
use rulesieve_eval::splits::time_ranks;
use rulesieve_report::{Report, RunInfo};
use std::collections::BTreeMap;
use std::process::ExitCode;

pub(crate) fn run(args: &EvaluateArgs) -> Result<ExitCode> {
    let budget = args.time_budget.map(TimeBudget::duration);
    for path in args.output.iter().chain(&args.records) {
        output::check_destination(path)?;
        output::check_not_input(path, &args.input.input)?;
    }
    args.report.check(&args.input.input, &[args.output.as_deref(), args.records.as_deref()])?;
    if args.resume && args.records.is_none() {
        bail!("--resume needs --records FILE; name the file with the run to continue");
    }
    let threads = arguments::threads(args.threads)?;
    let input_name = || output::shown(&args.input.input);
    let (mut data, split) = data(args)?;
    if data.used_rows.is_some() {
        data.warnings.push(Warning::RowsRenumbered);
    }
    let options = options::options(args, split, &data)?;
    let evaluation = Evaluation::new(&data, &options).with_context(input_name)?;
    let mut run = saved_run(args, &evaluation)?;
    if let (Some(output), Some(records)) = (&args.output, &args.records) {
        // The file exists now, so that canonical paths can be compared.
        output::check_not_input(output, &records.to_string_lossy())?;
    }
    let mut watcher = Watcher::of_fits("evaluate", budget);
    let done = threads.install(|| evaluation.run(run.as_mut(), &mut watcher)).with_context(input_name)?;
    drop(watcher);
    print(args, done, run.as_ref(), &data)
}

/// Starts or resumes the run in `--records`, if given.
fn saved_run(args: &EvaluateArgs, evaluation: &Evaluation) -> Result<Option<Run>> {
    let Some(path) = &args.records else { return Ok(None) };
    let (records, input) = (Records::open(path)?, &args.input.input);
    if !args.resume {
        return Ok(Some(records.begin(evaluation.spec(), input)?));
    }
    let (run, found) = records.resume(evaluation.spec(), input)?;
    if found {
        output::note(&format!("continuing run {} of {}: {} tasks are done", run.number(), path.display(), run.done()?));
    } else {
        let run = run.number();
        output::note(&format!("{}: no matching run found; starting run {run}", path.display()));
    }
    Ok(Some(run))
}

fn print(args: &EvaluateArgs, done: Evaluated, run: Option<&Run>, data: &Dataset) -> Result<ExitCode> {
    let interrupted = done.halted == Some(Halt::Interrupted) || interrupt::requested();
    if let (Some(run), Some(path), true) = (run, &args.records, done.halted.is_some()) {
        let tasks = run.done()?;
        output::note(&format!(
            "{tasks} tasks are saved in {}; repeat the command with --resume to continue",
            path.display()
        ));
    }
    let found = done.record;
    // After Ctrl-C, an existing complete record is not replaced.
    if let (Some(path), false) = (&args.output, interrupted) {
        output::write_json(path, &found)?;
    }
    text::document(&found, &args.input.input).print(args.format.format(), &found)?;
    if args.format.format() != Format::Json {
        output::warnings(&found.warnings);
        if !interrupted {
            args.output.iter().for_each(|path| output::note(&format!("record written to {}", path.display())));
        }
    }
    if interrupted {
        return Ok(output::interrupted());
    }
    if args.report.wanted() {
        let command = report::command_line();
        let run = RunInfo { input: &args.input.input, command: &command, data, rows: data.samples() };
        let report = Report { run, selection: None, model: None, evaluation: Some(&found) };
        args.report.write(&report.page())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads the data set and how to split it. Columns of groups or times are not features.
fn data(args: &EvaluateArgs) -> Result<(Dataset, PlanOptions)> {
    let table = input::sampled_table(&args.input, &args.data, args.seed)?;
    let mut split = PlanOptions {
        folds: args.folds,
        repeats: args.repeats,
        leave_one_out: args.leave_one_out,
        window: args.window,
        ..PlanOptions::default()
    };
    let by_time = args.split.as_ref().map(|by| ("--split", &by.time));
    let Some((option, column)) = args.groups.as_ref().map(|column| ("--groups", column)).or(by_time) else {
        return Ok((input::dataset(table, &args.input.input, &args.data, args.categorical_coding)?, split));
    };
    let input_name = || output::shown(&args.input.input);
    let at = table.target_position(Some(column)).with_context(|| format!("{}, {option}", input_name()))?;
    let column = &table.columns()[at];
    if args.split.is_some() {
        split.times = Some(time_ranks(column).with_context(|| format!("{}, {option}", input_name()))?);
    } else {
        split.groups = Some(groups(column).with_context(input_name)?);
    }
    let mut options = args.data.clone();
    options.drop.push(column.name.clone());
    let data = input::dataset(table, &args.input.input, &options, args.categorical_coding)?;
    if let Some(rows) = &data.used_rows {
        split.groups = split.groups.map(|groups| rows.iter().map(|&row| groups[row]).collect());
        split.times = split.times.map(|times| rows.iter().map(|&row| times[row]).collect());
    }
    Ok((data, split))
}

/// Returns the group index of each row.
fn groups(column: &Column) -> Result<Vec<u32>> {
    let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
    let group = |row: usize| {
        let (cell, next) = (column.cell(row), numbers.len() as u32);
        if is_missing(cell.trim()) {
            let name = output::shown(&column.name);
            bail!("--groups: column '{name}' is missing in data row {}; every row must belong to a group", row + 1);
        }
        Ok(*numbers.entry(cell).or_insert(next))
    };
    (0..column.len()).map(group).collect()
}
