//! The command: checks the arguments, evaluates, and writes tables and figures.

mod args;
mod originals;
mod sweep;
mod write;

pub(crate) use args::Args;

use anyhow::{Context, Result, bail};
use rulesieve::data::Dataset;
use rulesieve::optim::Halt;
use rulesieve_cli::{arguments, output};
use rulesieve_eval::TimeBudget;
use rulesieve_reproduce::{DataSet, ProtocolFile, ReproduceError, data_sets, protocols};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// The validated arguments.
struct Request<'a> {
    args: &'a Args,
    sets: Vec<DataSet>,
    protocols: Vec<ProtocolFile>,
    /// The folder of saved scores.
    cells: PathBuf,
    budget: Option<Duration>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let (sets, protocols) = (chosen_sets(&args.only)?, chosen_protocols(&args.protocol)?);
    if let Some(code) = originals::run(args, &sets)? {
        return Ok(code);
    }
    check_methods(&args.methods, &protocols)?;
    let budget = args.time_budget.map(TimeBudget::duration);
    let request = Request { args, sets, protocols, cells: cells(args)?, budget };
    let tables = match &args.data {
        Some(folder) => tables(folder, &request.sets)?,
        None => Vec::new(),
    };
    fs::create_dir_all(&args.output).with_context(|| format!("cannot create the folder {}", args.output.display()))?;
    let ended = if args.tables_only { None } else { sweep::sweep(&request, &tables)? };
    if ended.is_some() {
        output::note("completed results are saved; rerun the command with --resume to continue");
    }
    // After Ctrl-C, complete files are not replaced.
    if ended == Some(Halt::Interrupted) {
        return Ok(output::interrupted());
    }
    write::write(&request, &tables)?;
    Ok(ExitCode::SUCCESS)
}

fn chosen_sets(only: &[String]) -> Result<Vec<DataSet>> {
    let all = data_sets()?;
    let names: Vec<&str> = all.iter().map(|set| set.name.as_str()).collect();
    if let Some(unknown) = only.iter().find(|name| !names.contains(&name.as_str())) {
        return Err(arguments::unknown("data set", unknown, &names));
    }
    Ok(all.into_iter().filter(|set| only.is_empty() || only.contains(&set.name)).collect())
}

/// Checks that each method exists, is named once, and is used by one of the protocols.
fn check_methods(names: &[String], protocols: &[ProtocolFile]) -> Result<()> {
    names.iter().try_for_each(|name| arguments::method(name).map(drop))?;
    if let Some((_, twice)) = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name)) {
        bail!("--methods: '{twice}' is named twice");
    }
    if protocols.iter().all(|protocol| protocol.methods(names).is_empty()) {
        let known: Vec<&str> = protocols.iter().flat_map(|one| one.methods.iter().map(String::as_str)).collect();
        bail!(
            "--methods: none of them has its own rule for the number of features, which --protocol requires; these have: {}",
            known.join(", ")
        );
    }
    Ok(())
}

fn chosen_protocols(names: &[String]) -> Result<Vec<ProtocolFile>> {
    /// Derived from the results of the protocols before the suffix.
    const PER_FOLD: [&str; 2] = ["paper-per-fold", "paper-as-run-per-fold"];
    let all = protocols()?;
    let known: Vec<&str> = all.iter().map(|one| one.name.as_str()).chain(PER_FOLD).collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(arguments::unknown("protocol", unknown, &known));
    }
    let wanted = |one: &ProtocolFile| {
        names
            .iter()
            .any(|name| *name == one.name || name.strip_suffix(rulesieve_reproduce::PER_FOLD) == Some(&one.name))
    };
    Ok(all.into_iter().filter(wanted).collect())
}

/// Returns the folder of saved scores. Requires --resume if results exist.
fn cells(args: &Args) -> Result<PathBuf> {
    if let Some(data) = &args.data
        && !data.is_dir()
    {
        bail!("--data {}: there is no such folder", data.display());
    }
    let cells = args.cells.clone().unwrap_or_else(|| args.output.join("cells"));
    if args.tables_only && !cells.is_dir() {
        bail!(
            "there are no saved scores in {}; name their folder with --cells, or compute them with --data",
            cells.display()
        );
    }
    let records = args.output.join(sweep::RECORDS).exists().then(|| (args.output.clone(), "--output"));
    let scores = || cells.is_dir().then(|| (cells.clone(), if args.cells.is_some() { "--cells" } else { "--output" }));
    if let Some((folder, option)) = records.or_else(scores).filter(|_| !args.resume && !args.tables_only) {
        bail!(
            "{} already holds results; continue with --resume, or name another folder with {option}",
            folder.display()
        );
    }
    Ok(cells)
}

/// Reads the data sets in the folder; prints a note about missing ones.
fn tables<'a>(folder: &Path, sets: &'a [DataSet]) -> Result<Vec<(&'a DataSet, Dataset)>> {
    let (mut tables, mut missing) = (Vec::new(), Vec::new());
    for set in sets {
        match set.read(folder) {
            Ok(table) => tables.push((set, table)),
            Err(ReproduceError::Absent { .. }) => missing.push(format!("{} ({})", set.name, set.file)),
            Err(error) => return Err(error.into()),
        }
    }
    if tables.is_empty() {
        bail!("none of the data sets is in {}; docs/datasets.md lists their sources", folder.display());
    }
    if !missing.is_empty() {
        let (missing, folder) = (missing.join(", "), folder.display());
        output::note(&format!("note: skipped, not in {folder}: {missing}; docs/datasets.md lists their sources"));
    }
    Ok(tables)
}
