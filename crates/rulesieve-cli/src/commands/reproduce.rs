//! `reproduce`: the experiments of the paper again.

mod sweep;

use super::select;
use crate::args::ReproduceArgs;
use crate::{input, output};
use anyhow::{Context, Result, bail};
use rulesieve_reproduce::{DataSet, ProtocolFile, data_sets, protocols};
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

/// Where everything is.
pub(super) struct Folders {
    pub(super) data: Option<PathBuf>,
    pub(super) out: PathBuf,
    pub(super) cells: PathBuf,
}

pub(crate) fn run(args: &ReproduceArgs) -> Result<ExitCode> {
    let (sets, protocols) = (chosen_sets(&args.only)?, chosen_protocols(&args.protocol)?);
    check_methods(&args.methods)?;
    let folders = folders(args)?;
    let ended = match &folders.data {
        Some(data) => sweep::sweep(args, &folders, data, &sets, &protocols)?,
        None => None,
    };
    Ok(if ended == Some(rulesieve::optim::Halt::Interrupted) { output::interrupted() } else { ExitCode::SUCCESS })
}

fn chosen_sets(only: &[String]) -> Result<Vec<DataSet>> {
    let all = data_sets()?;
    let names: Vec<&str> = all.iter().map(|set| set.name.as_str()).collect();
    if let Some(unknown) = only.iter().find(|name| !names.contains(&name.as_str())) {
        return Err(input::unknown("data set", unknown, &names));
    }
    Ok(all.into_iter().filter(|set| only.is_empty() || only.contains(&set.name)).collect())
}

fn chosen_protocols(names: &[String]) -> Result<Vec<ProtocolFile>> {
    let all = protocols()?;
    // Both come from the same records.
    let own = |name: &String| if name == "paper-per-fold" { "paper".to_owned() } else { name.clone() };
    let wanted: Vec<String> = names.iter().map(own).collect();
    let known: Vec<&str> = all.iter().map(|one| one.name.as_str()).chain(["paper-per-fold"]).collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(input::unknown("protocol", unknown, &known));
    }
    Ok(all.into_iter().filter(|one| wanted.contains(&one.name)).collect())
}

fn check_methods(names: &[String]) -> Result<()> {
    names.iter().try_for_each(|name| select::method(name).map(drop))
}

fn folders(args: &ReproduceArgs) -> Result<Folders> {
    if let Some(data) = &args.data
        && !data.is_dir()
    {
        bail!("--data {}: there is no such folder", data.display());
    }
    fs::create_dir_all(&args.out).with_context(|| format!("cannot make the folder {}", args.out.display()))?;
    let cells = args.cells.clone().unwrap_or_else(|| args.out.join("cells"));
    if args.tables_only && !cells.is_dir() {
        bail!("there are no cells in {}; name the folder with --cells, or give --data to make them", cells.display());
    }
    let begun = args.out.join(sweep::RECORDS).exists() || (args.data.is_some() && cells.is_dir());
    if begun && !args.resume && !args.tables_only {
        bail!(
            "{} holds records already; --resume goes on with them, or name another folder with --out",
            args.out.display()
        );
    }
    Ok(Folders { data: args.data.clone(), out: args.out.clone(), cells })
}
