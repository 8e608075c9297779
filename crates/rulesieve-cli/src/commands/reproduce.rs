//! `reproduce`: the experiments of the paper again.

mod originals;
mod sweep;
mod write;

use super::select;
use crate::args::ReproduceArgs;
use crate::{input, output};
use anyhow::{Context, Result, bail};
use rulesieve::data::Dataset;
use rulesieve::optim::Halt;
use rulesieve_reproduce::{DataSet, ProtocolFile, ReproduceError, data_sets, protocols};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// What is asked for.
struct Wishes<'a> {
    args: &'a ReproduceArgs,
    sets: Vec<DataSet>,
    protocols: Vec<ProtocolFile>,
    /// The folder of cells.
    cells: PathBuf,
    budget: Option<Duration>,
}

pub(crate) fn run(args: &ReproduceArgs) -> Result<ExitCode> {
    let (sets, protocols) = (chosen_sets(&args.only)?, chosen_protocols(&args.protocol)?);
    if let Some(code) = originals::run(args, &sets)? {
        return Ok(code);
    }
    check_methods(&args.methods, &protocols)?;
    let budget = args.budget.map(|seconds| select::budget("--budget", seconds)).transpose()?;
    let wishes = Wishes { args, sets, protocols, cells: cells(args)?, budget };
    let tables = match &args.data {
        Some(folder) => tables(folder, &wishes.sets)?,
        None => Vec::new(),
    };
    fs::create_dir_all(&args.out).with_context(|| format!("cannot make the folder {}", args.out.display()))?;
    let ended = if args.tables_only { None } else { sweep::sweep(&wishes, &tables)? };
    if ended.is_some() {
        output::note("what is done is kept; the same command with --resume goes on");
    }
    // After Ctrl-C nothing is written that may replace what is whole.
    if ended == Some(Halt::Interrupted) {
        return Ok(output::interrupted());
    }
    write::write(&wishes, &tables)?;
    Ok(ExitCode::SUCCESS)
}

fn chosen_sets(only: &[String]) -> Result<Vec<DataSet>> {
    let all = data_sets()?;
    let names: Vec<&str> = all.iter().map(|set| set.name.as_str()).collect();
    if let Some(unknown) = only.iter().find(|name| !names.contains(&name.as_str())) {
        return Err(input::unknown("data set", unknown, &names));
    }
    Ok(all.into_iter().filter(|set| only.is_empty() || only.contains(&set.name)).collect())
}

/// Each of them must exist, stand once, and be judged by one of the protocols.
fn check_methods(names: &[String], protocols: &[ProtocolFile]) -> Result<()> {
    names.iter().try_for_each(|name| select::method(name).map(drop))?;
    if let Some((_, twice)) = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name)) {
        bail!("--methods: '{twice}' is named twice");
    }
    if protocols.iter().all(|protocol| protocol.methods(names).is_empty()) {
        let known: Vec<&str> = protocols.iter().flat_map(|one| one.methods.iter().map(String::as_str)).collect();
        bail!("--methods: none of them has a rule of its own, as --protocol asks; these have: {}", known.join(", "));
    }
    Ok(())
}

fn chosen_protocols(names: &[String]) -> Result<Vec<ProtocolFile>> {
    /// Made from the outcomes of `paper`.
    const PER_FOLD: &str = "paper-per-fold";
    let all = protocols()?;
    let known: Vec<&str> = all.iter().map(|one| one.name.as_str()).chain([PER_FOLD]).collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(input::unknown("protocol", unknown, &known));
    }
    let wanted =
        |one: &ProtocolFile| names.iter().any(|name| *name == one.name || (name == PER_FOLD && one.name == "paper"));
    Ok(all.into_iter().filter(wanted).collect())
}

/// The folder of cells; refuses to mix old results with new ones unless that is asked for.
fn cells(args: &ReproduceArgs) -> Result<PathBuf> {
    if let Some(data) = &args.data
        && !data.is_dir()
    {
        bail!("--data {}: there is no such folder", data.display());
    }
    let cells = args.cells.clone().unwrap_or_else(|| args.out.join("cells"));
    if args.tables_only && !cells.is_dir() {
        bail!("there are no cells in {}; name their folder with --cells, or make them with --data", cells.display());
    }
    let records = args.out.join(sweep::RECORDS).exists().then(|| (args.out.clone(), "--out"));
    let held = || cells.is_dir().then(|| (cells.clone(), if args.cells.is_some() { "--cells" } else { "--out" }));
    if let Some((folder, option)) = records.or_else(held).filter(|_| !args.resume && !args.tables_only) {
        bail!(
            "{} holds records already; --resume goes on with them, or name another folder with {option}",
            folder.display()
        );
    }
    Ok(cells)
}

/// The tables that are there; the others are named.
fn tables<'a>(folder: &Path, sets: &'a [DataSet]) -> Result<Vec<(&'a DataSet, Dataset)>> {
    let (mut tables, mut absent) = (Vec::new(), Vec::new());
    for set in sets {
        match set.read(folder) {
            Ok(table) => tables.push((set, table)),
            Err(ReproduceError::Absent { .. }) => absent.push(format!("{} ({})", set.name, set.file)),
            Err(error) => return Err(error.into()),
        }
    }
    if tables.is_empty() {
        bail!("none of the data sets is in {}; docs/datasets.md says where to get them", folder.display());
    }
    if !absent.is_empty() {
        let (absent, folder) = (absent.join(", "), folder.display());
        output::note(&format!("note: skipped, not in {folder}: {absent}; docs/datasets.md says where to get them"));
    }
    Ok(tables)
}
