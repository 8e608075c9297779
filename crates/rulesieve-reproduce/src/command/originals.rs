//! `--originals` and `--check`: converts and checks the files of the data sets.

use super::Args;
use anyhow::{Context, Result, bail};
use rulesieve_cli::output;
use rulesieve_reproduce::{DataSet, Finding, Recipe, check, convert, recipes};
use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// Converts or checks files if requested; returns `None` otherwise.
pub(super) fn run(args: &Args, sets: &[DataSet]) -> Result<Option<ExitCode>> {
    let options = &args.files;
    let Some(data) = args.data.as_deref().filter(|_| options.check || options.originals.is_some()) else {
        return Ok(None);
    };
    let from = options.originals.as_deref().unwrap_or(data);
    if !from.is_dir() {
        let option = if options.check { "--data" } else { "--originals" };
        bail!("{option} {}: there is no such folder", from.display());
    }
    let recipes = recipes()?;
    let mut lines = vec![["data set", "file", "rows x columns", "result"].map(str::to_owned).to_vec()];
    let (mut right, mut wrong) = (0, 0);
    for set in sets {
        let Some(recipe) = recipes.iter().find(|recipe| recipe.name == set.name) else { continue };
        let line = if options.check {
            checked(&check(set, recipe, data)?)
        } else {
            converted(set, recipe, (from, data), options.force)?
        };
        match line.right {
            Some(true) => right += 1,
            Some(false) => wrong += 1,
            None => {}
        }
        lines.push([vec![set.name.clone()], line.cells].concat());
    }
    output::print(&output::aligned(&lines, &[]))?;
    let missing = sets.len() - right - wrong;
    let remedy = if right < sets.len() { "; docs/datasets.md lists their sources" } else { "" };
    output::note(&format!("{right} ok, {wrong} wrong, {missing} missing{remedy}"));
    Ok(Some(if wrong > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }))
}

/// A line of the table, about one data set.
struct Line {
    /// Whether the data set is as expected; `None` if it is missing.
    right: Option<bool>,
    cells: Vec<String>,
}

impl Line {
    fn new(finding: &Finding, right: Option<bool>, result: &str) -> Self {
        let file = finding.file.as_ref().map_or_else(|| "-".to_owned(), |path| path.display().to_string());
        let shape = finding.shape.map_or_else(|| "-".to_owned(), |(rows, columns)| format!("{rows} x {columns}"));
        Self { right, cells: [file, shape, result.to_owned()].map(|cell| output::escaped(&cell)).to_vec() }
    }
}

fn checked(finding: &Finding) -> Line {
    if finding.is_right() {
        return Line::new(finding, Some(true), "ok");
    }
    let differences = finding.differences.join("; ");
    match &finding.file {
        Some(_) => Line::new(finding, Some(false), &format!("differs: {differences}")),
        None => Line::new(finding, None, &format!("missing: {differences}")),
    }
}

/// Converts an original; replaces an existing file only with --force.
fn converted(set: &DataSet, recipe: &Recipe, (from, to): (&Path, &Path), force: bool) -> Result<Line> {
    let finding = convert(set, recipe, from)?;
    if !finding.is_right() {
        return Ok(checked(&finding));
    }
    let path = to.join(&set.file);
    if path.exists() {
        if check(set, recipe, to)?.is_right() {
            return Ok(Line::new(&finding, Some(true), &format!("ok: {} exists and is unchanged", set.file)));
        }
        if !force {
            let result = format!("not written: {} differs; replace it with --force", path.display());
            return Ok(Line::new(&finding, Some(false), &result));
        }
    }
    fs::create_dir_all(to).with_context(|| format!("cannot create the folder {}", to.display()))?;
    output::write_file(&path, |file| file.write_all(&finding.content))?;
    Ok(Line::new(&finding, Some(true), &format!("ok: {} written", set.file)))
}
