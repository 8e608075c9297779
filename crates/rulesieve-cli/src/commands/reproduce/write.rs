//! From what was kept to tables, figures and texts.

use super::Wishes;
use crate::output;
use anyhow::{Context, Result};
use rulesieve::data::Dataset;
use rulesieve_reproduce::{DataSet, Document, FACES, Results, Sources, document, read_extras};
use std::fs;
use std::path::Path;

/// The text, in the folder of results.
const TEXT: &str = "reproduction.md";
/// The page.
const PAGE: &str = "reproduction.html";

/// Writes everything anew.
pub(super) fn write(wishes: &Wishes, tables: &[(&DataSet, Dataset)]) -> Result<()> {
    let (results, extras) =
        (Results::read(&wishes.cells, &wishes.sets, &wishes.protocols)?, read_extras(&wishes.cells)?);
    let methods = wishes.protocols.first().map(|one| one.methods(&wishes.args.methods)).unwrap_or_default();
    let faces = tables.iter().find(|(set, _)| set.name == FACES).map(|(set, table)| (*set, table));
    let document = document(&Sources {
        results: &results,
        extras: &extras,
        sets: &wishes.sets,
        methods: &methods,
        protocols: wishes.protocols.iter().map(|one| (one.name.clone(), one.about.clone())).collect(),
        faces,
    })?;
    let out = &wishes.args.out;
    files(&document, out)?;
    let text = document.markdown(Some("figures"));
    output::write_file(&out.join(TEXT), |file| file.write_all(text.as_bytes()))?;
    let page = document.html();
    output::write_file(&out.join(PAGE), |file| file.write_all(page.as_bytes()))?;
    output::print(&summary(&document))?;
    output::note(&format!("tables, figures, {TEXT} and {PAGE} are in {}", out.display()));
    Ok(())
}

/// The figures and the numbers behind everything.
fn files(document: &Document, out: &Path) -> Result<()> {
    for folder in ["tables", "figures"] {
        let folder = out.join(folder);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    let write = |path: &Path, text: &str| output::write_file(path, |file| file.write_all(text.as_bytes()));
    for table in document.tables() {
        write(&out.join("tables").join(format!("{}.csv", table.name)), &table.data.to_csv())?;
    }
    for figure in document.figures() {
        write(&out.join("figures").join(format!("{}.svg", figure.name)), &figure.svg)?;
        write(&out.join("figures").join(format!("{}.csv", figure.name)), &figure.data.to_csv())?;
    }
    Ok(())
}

/// The headlines.
fn summary(document: &Document) -> String {
    document.headlines().iter().map(|line| format!("{line}\n")).collect()
}
