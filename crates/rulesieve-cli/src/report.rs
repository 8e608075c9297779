//! Report and figures of a run.

use crate::args::ReportArgs;
use crate::learning::Rows;
use crate::{interrupt, output};
use anyhow::{Context, Result, bail};
use rulesieve::model::Predictor;
use rulesieve::select::Selection;
use rulesieve_report::{Page, Report, RunInfo};
use std::path::Path;

/// Characters that need no quotes in a shell.
const PLAIN: &str = "-_./:=,+%@";

impl ReportArgs {
    /// Returns whether a report or figures were requested.
    pub(crate) fn wanted(&self) -> bool {
        self.report.is_some() || self.figures.is_some()
    }

    /// Rejects destinations that cannot be written; `others` are further files that the run writes.
    pub(crate) fn check(&self, input: &str, others: &[Option<&Path>]) -> Result<()> {
        if let Some(path) = &self.report {
            output::check_destination(path)?;
            output::check_not_input(path, input)?;
            if others.iter().flatten().any(|other| same(other, path)) {
                bail!("--report and another option both name {}; choose two files", path.display());
            }
        }
        let Some(folder) = &self.figures else { return Ok(()) };
        if folder.exists() && !folder.is_dir() {
            bail!("cannot write figures into {}: it is a file; name a folder", folder.display());
        }
        let files = others.iter().copied().flatten().chain(self.report.as_deref());
        if let Some(other) = files.clone().find(|other| same(other, folder)) {
            bail!("--figures and another option both name {}; choose a separate folder for figures", other.display());
        }
        // Figures have names such as scores.csv and could replace these files.
        if let Some(other) = files.chain([Path::new(input)]).find(|other| is_in(other, folder)) {
            bail!("--figures {}: {} is in this folder; choose a separate folder", folder.display(), other.display());
        }
        if folder.is_dir() { Ok(()) } else { output::check_destination(folder) }
    }

    /// Creates the report, if requested.
    pub(crate) fn page(
        &self,
        rows: &Rows,
        selection: &Selection,
        model: Option<&Predictor>,
        input: &str,
    ) -> Option<Page> {
        let (data, count) = rows.in_memory();
        let command = command_line();
        let run = RunInfo { input, command: &command, data, rows: count };
        let report = Report { run, selection: Some(selection), model, evaluation: None };
        (self.wanted() && !interrupt::requested()).then(|| report.page())
    }

    /// Writes the report and the figures, if requested.
    pub(crate) fn write(&self, page: &Page) -> Result<()> {
        if let Some(path) = &self.report {
            let html = page.html();
            output::write_file(path, |file| file.write_all(html.as_bytes()))?;
            output::note(&format!("report written to {}", path.display()));
        }
        let Some(folder) = &self.figures else { return Ok(()) };
        if !folder.is_dir() {
            std::fs::create_dir(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
        }
        let figures = page.figures();
        for figure in &figures {
            let path = folder.join(&figure.name);
            output::write_file(&path.with_extension("svg"), |file| file.write_all(figure.svg.as_bytes()))?;
            let table = figure.data.to_csv();
            output::write_file(&path.with_extension("csv"), |file| file.write_all(table.as_bytes()))?;
        }
        output::note(&format!("{} figures and their data written to {}", figures.len(), folder.display()));
        Ok(())
    }
}

/// Returns whether a file, which need not exist, is in a folder.
fn is_in(file: &Path, folder: &Path) -> bool {
    let canonical = |folder: &Path| folder.canonicalize().ok();
    let parent = || canonical(output::folder_of(file));
    file.file_name().is_some() && canonical(folder).is_some_and(|folder| Some(folder) == parent())
}

/// Returns whether two paths name the same file, which need not exist.
fn same(one: &Path, other: &Path) -> bool {
    let canonical = |path: &Path| Some(output::folder_of(path).canonicalize().ok()?.join(path.file_name()?));
    one == other || canonical(one).is_some_and(|path| Some(path) == canonical(other))
}

/// Returns the command line of this process, quoted for a shell.
pub(crate) fn command_line() -> String {
    let arguments = std::env::args_os().skip(1).map(|argument| quoted(&argument.to_string_lossy()));
    std::iter::once("rulesieve".to_owned()).chain(arguments).collect::<Vec<_>>().join(" ")
}

fn quoted(argument: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || PLAIN.contains(letter);
    if !argument.is_empty() && argument.chars().all(plain) {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_quoted() {
        let quoted = ["--top", "3", "a b.csv", "it's", "", "$(rm x)"].map(quoted);
        assert_eq!(quoted, ["--top", "3", "'a b.csv'", r"'it'\''s'", "''", "'$(rm x)'"]);
    }

    #[test]
    fn paths_of_the_same_file_are_recognized() {
        assert!(same(Path::new("x.html"), Path::new("./x.html")));
        assert!(!same(Path::new("x.html"), Path::new("y.html")));
    }
}
