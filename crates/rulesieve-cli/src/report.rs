//! Pages and figures about a run: where they go, and the command that they tell.

use crate::args::ReportArgs;
use crate::learning::Rows;
use crate::{interrupt, output};
use anyhow::{Context, Result, bail};
use rulesieve::model::Predictor;
use rulesieve::select::Selection;
use rulesieve_report::{Page, Report, RunInfo};
use std::path::Path;

/// Letters that a shell leaves alone.
const PLAIN: &str = "-_./:=,+%@";

impl ReportArgs {
    /// Whether anything is to be written.
    pub(crate) fn wanted(&self) -> bool {
        self.report.is_some() || self.figures.is_some()
    }

    /// Refuses places that cannot be written before work is spent; `others` are further files that the run writes.
    pub(crate) fn check(&self, input: &str, others: &[Option<&Path>]) -> Result<()> {
        if let Some(path) = &self.report {
            output::check_destination(path)?;
            output::check_not_input(path, input)?;
            if others.iter().flatten().any(|other| same(other, path)) {
                bail!("--report and another option both name {}; they are two files", path.display());
            }
        }
        let Some(folder) = &self.figures else { return Ok(()) };
        if folder.exists() && !folder.is_dir() {
            bail!("cannot write figures into {}: it is a file; name a folder", folder.display());
        }
        let files = others.iter().copied().flatten().chain(self.report.as_deref());
        if let Some(other) = files.clone().find(|other| same(other, folder)) {
            bail!("--figures and another option both name {}; figures need a folder of their own", other.display());
        }
        // Figures have plain names, such as scores.csv, and would replace files of that name.
        if let Some(beside) = files.chain([Path::new(input)]).find(|other| is_in(other, folder)) {
            bail!("--figures {}: {} is there too; name a folder of their own", folder.display(), beside.display());
        }
        if folder.is_dir() { Ok(()) } else { output::check_destination(folder) }
    }

    /// The page about rows that were learned from, where one is wanted.
    pub(crate) fn page(
        &self,
        rows: &Rows,
        selection: &Selection,
        model: Option<&Predictor>,
        input: &str,
    ) -> Option<Page> {
        let (data, count) = rows.seen();
        let command = command_line();
        let run = RunInfo { input, command: &command, data, rows: count };
        let report = Report { run, selection: Some(selection), model, evaluation: None };
        (self.wanted() && !interrupt::requested()).then(|| report.page())
    }

    /// Writes what is wanted, and says where it is.
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
        output::note(&format!("{} figures with their numbers written to {}", figures.len(), folder.display()));
        Ok(())
    }
}

/// Whether a file that need not be there yet is in a folder.
fn is_in(file: &Path, folder: &Path) -> bool {
    let place = |folder: &Path| folder.canonicalize().ok();
    file.file_name().is_some() && place(folder).is_some_and(|folder| Some(folder) == place(output::folder_of(file)))
}

/// Whether two paths name one file, also one that is not there yet.
fn same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| Some(output::folder_of(path).canonicalize().ok()?.join(path.file_name()?));
    one == other || place(one).is_some_and(|here| Some(here) == place(other))
}

/// The command that was typed, as a shell would take it again.
pub(crate) fn command_line() -> String {
    let words = std::env::args_os().skip(1).map(|word| quoted(&word.to_string_lossy()));
    std::iter::once("rulesieve".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || PLAIN.contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_can_be_typed_again() {
        let words = ["--top", "3", "a b.csv", "it's", "", "$(rm x)"].map(quoted);
        assert_eq!(words, ["--top", "3", "'a b.csv'", r"'it'\''s'", "''", "'$(rm x)'"]);
    }

    #[test]
    fn one_file_may_have_two_names() {
        assert!(same(Path::new("x.html"), Path::new("./x.html")));
        assert!(!same(Path::new("x.html"), Path::new("y.html")));
    }
}
