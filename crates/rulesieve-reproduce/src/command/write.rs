//! Writes tables, figures and texts from the saved scores.

use super::Request;
use anyhow::{Context, Result};
use rulesieve::data::Dataset;
use rulesieve_cli::output;
use rulesieve_reproduce::{DataSet, Document, FACES, Results, Sources, document, read_extras};
use std::fs;
use std::path::Path;

/// The document as Markdown.
const MARKDOWN: &str = "reproduction.md";
/// The document as HTML.
const HTML: &str = "reproduction.html";

/// Writes all files.
pub(super) fn write(request: &Request, tables: &[(&DataSet, Dataset)]) -> Result<()> {
    let (results, extras) =
        (Results::read(&request.cells, &request.sets, &request.protocols)?, read_extras(&request.cells)?);
    let methods = request.protocols.first().map(|one| one.methods(&request.args.methods)).unwrap_or_default();
    let faces = tables.iter().find(|(set, _)| set.name == FACES).map(|(set, table)| (*set, table));
    let document = document(&Sources {
        results: &results,
        extras: &extras,
        sets: &request.sets,
        methods: &methods,
        protocols: request.protocols.iter().map(|one| (one.name.clone(), one.about.clone())).collect(),
        faces,
    })?;
    let folder = &request.args.output;
    files(&document, folder)?;
    let markdown = document.markdown(Some("figures"));
    output::write_file(&folder.join(MARKDOWN), |file| file.write_all(markdown.as_bytes()))?;
    let html = document.html();
    output::write_file(&folder.join(HTML), |file| file.write_all(html.as_bytes()))?;
    output::print(&summary(&document))?;
    output::note(&format!("tables, figures, {MARKDOWN} and {HTML} are in {}", folder.display()));
    Ok(())
}

/// Writes figures, and the data of tables and figures.
fn files(document: &Document, out: &Path) -> Result<()> {
    for folder in ["tables", "figures"] {
        let folder = out.join(folder);
        fs::create_dir_all(&folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
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

/// Returns the main results, one line each.
fn summary(document: &Document) -> String {
    document.headlines().iter().map(|line| format!("{line}\n")).collect()
}
