//! `reproduce --originals` and `reproduce --check`: the files of the data sets, made and checked.

use crate::args::ReproduceArgs;
use crate::output;
use anyhow::{Context, Result, bail};
use rulesieve_reproduce::{DataSet, Finding, Recipe, check, convert, recipes};
use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// Does what is asked for about the files, if anything is.
pub(super) fn run(args: &ReproduceArgs, sets: &[DataSet]) -> Result<Option<ExitCode>> {
    let wishes = &args.files;
    let Some(data) = args.data.as_deref().filter(|_| wishes.check || wishes.originals.is_some()) else {
        return Ok(None);
    };
    let from = wishes.originals.as_deref().unwrap_or(data);
    if !from.is_dir() {
        let option = if wishes.check { "--data" } else { "--originals" };
        bail!("{option} {}: there is no such folder", from.display());
    }
    let recipes = recipes()?;
    let mut lines = vec![["data set", "file", "rows x columns", "result"].map(str::to_owned).to_vec()];
    let (mut right, mut wrong) = (0, 0);
    for set in sets {
        let Some(recipe) = recipes.iter().find(|recipe| recipe.name == set.name) else { continue };
        let line = if wishes.check {
            checked(&check(set, recipe, data)?)
        } else {
            made(set, recipe, (from, data), wishes.force)?
        };
        match line.right {
            Some(true) => right += 1,
            Some(false) => wrong += 1,
            None => {}
        }
        lines.push([vec![set.name.clone()], line.cells].concat());
    }
    output::print(&output::aligned(&lines, &[]))?;
    let absent = sets.len() - right - wrong;
    let remedy = if right < sets.len() { "; docs/datasets.md says where to get them" } else { "" };
    output::note(&format!("{right} right, {wrong} wrong, {absent} absent{remedy}"));
    Ok(Some(if wrong > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }))
}

/// What is said about a data set.
struct Line {
    /// Nothing where it is absent.
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
    let words = finding.differences.join("; ");
    match &finding.file {
        Some(_) => Line::new(finding, Some(false), &format!("differs: {words}")),
        None => Line::new(finding, None, &format!("absent: {words}")),
    }
}

/// Makes a file of the manifest from its original; what is there already is only replaced if that is asked for.
fn made(set: &DataSet, recipe: &Recipe, (from, to): (&Path, &Path), force: bool) -> Result<Line> {
    let finding = convert(set, recipe, from)?;
    if !finding.is_right() {
        return Ok(checked(&finding));
    }
    let path = to.join(&set.file);
    if path.exists() {
        if check(set, recipe, to)?.is_right() {
            return Ok(Line::new(&finding, Some(true), &format!("ok: {} was there and is left alone", set.file)));
        }
        if !force {
            let words = format!("not written: {} holds something else; --force replaces it", path.display());
            return Ok(Line::new(&finding, Some(false), &words));
        }
    }
    fs::create_dir_all(to).with_context(|| format!("cannot make the folder {}", to.display()))?;
    output::write_file(&path, |file| file.write_all(&finding.content))?;
    Ok(Line::new(&finding, Some(true), &format!("ok: {} written", set.file)))
}
