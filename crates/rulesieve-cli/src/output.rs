//! Output: tables, warnings, errors and files.

use crate::interrupt::{self, Interruptible};
use crate::remedy::{self, OwnRemedy};
use anyhow::{Context, Result};
use rulesieve::Warning;
use rulesieve::data::{self, ExcludedColumn};
use rulesieve_io::TableFormat;
use serde::Serialize;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

mod document;
mod table;

pub use document::{Document, Format};
pub use table::{Cell, Head, Table, csv_line, exact};

/// Whether progress, notes and warnings are not printed.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Stops the printing of progress, notes and warnings; errors are still printed.
pub fn be_quiet() {
    QUIET.store(true, Relaxed);
}

/// Returns whether progress, notes and warnings are not printed.
pub fn is_quiet() -> bool {
    QUIET.load(Relaxed)
}

pub use rulesieve_io::{escaped, shown};

/// Prints a result.
pub fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context(NO_OUTPUT)
}

/// Message for a failure to write to standard output.
pub const NO_OUTPUT: &str = "cannot write to standard output";

/// Prints a result as JSON.
pub fn print_json(value: &impl Serialize) -> Result<()> {
    print(&json(value)?)
}

fn json(value: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

/// Prints a note or warning on standard error like [`message`], unless [`is_quiet`].
pub fn note(text: &str) {
    if !is_quiet() {
        message(text);
    }
}

/// Prints a message on standard error as one line; control characters are escaped, and a final line feed adds a blank line.
pub fn message(text: &str) {
    let line = text.strip_suffix('\n').unwrap_or(text);
    let blank = if line.len() < text.len() { "\n" } else { "" };
    // A closed standard error is not a failure.
    let _ = writeln!(io::stderr(), "{}{blank}", escaped(line));
}

/// Prints warnings, one line each.
pub fn warnings(warnings: &[Warning]) {
    warnings.iter().for_each(|warning| note(&format!("warning: {}", remedy::of_warning(warning))));
}

/// Formats the number of rows, and how many a sample of them stands for.
pub fn rows(rows: usize, warnings: &[Warning]) -> String {
    let sampled = warnings.iter().find_map(|warning| match warning {
        Warning::SampledRows { sample, rows } => Some(format!("sample of {sample} of {rows} rows")),
        _ => None,
    });
    sampled.unwrap_or_else(|| counted(rows, "row"))
}

/// Formats a number of things, which are named in the singular.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Formats the columns that were excluded, and how to include them; empty if there are none.
pub fn excluded(columns: &[ExcludedColumn]) -> String {
    if columns.is_empty() {
        return String::new();
    }
    let named: Vec<String> =
        columns.iter().map(|one| format!("{} ({})", shown(&one.feature), one.reason.text())).collect();
    format!("excluded: {}; include with --keep-suspicious\n", named.join(", "))
}

/// Returns the folder of a file, which need not exist.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Rejects a destination that cannot be written, before its contents are computed.
pub fn check_destination(path: &Path) -> Result<()> {
    let folder = folder_of(path);
    let fault = if path.is_dir() {
        "it is a directory; name a file in it".to_owned()
    } else if !folder.is_dir() {
        format!("there is no folder {}", folder.display())
    } else if let Err(error) = try_destination(path) {
        // Only the kind, because the message names a temporary file.
        format!("no file can be created in {} ({}); choose another folder", folder.display(), error.kind())
    } else {
        return Ok(());
    };
    anyhow::bail!("cannot write {}: {fault}", path.display())
}

/// Creates and removes a temporary file next to `path`; pipes and devices are not opened.
fn try_destination(path: &Path) -> io::Result<()> {
    if path.exists() && !path.is_file() { Ok(()) } else { rulesieve_io::AtomicFile::create(path).map(drop) }
}

/// Rejects a destination that is the input.
pub fn check_not_input(path: &Path, input: &str) -> Result<()> {
    if path.is_file() && path.canonicalize().ok() == Path::new(input).canonicalize().ok() {
        anyhow::bail!("{} is the input itself; write to another file", path.display());
    }
    Ok(())
}

/// Writes a complete file or none.
pub fn write_file(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let written = interrupt::writing(|| rulesieve_io::write_atomically(path, |file| write(&mut Interruptible(file))));
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// Returns the format of a written table: that of the file ending, and CSV on standard output.
pub fn table_format(path: Option<&Path>) -> Result<TableFormat> {
    Ok(path.map_or(Ok(TableFormat::CSV), TableFormat::from_path)?)
}

/// Writes a complete file or none, or standard output.
pub fn write_table(path: Option<&Path>, format: TableFormat, table: &data::Table) -> Result<()> {
    match path {
        Some(path) => write_file(path, |file| rulesieve_io::write_table(table, format, file)),
        None => rulesieve_io::write_table(table, format, &mut BufWriter::new(io::stdout().lock())).context(NO_OUTPUT),
    }
}

/// Writes a complete JSON file or none.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    let text = json(value)?;
    write_file(path, |file| file.write_all(text.as_bytes()))
}

/// Returns whether the reader closed the output, which is not a failure (`rulesieve ... | head`).
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

/// Prints a message after Ctrl-C and returns the exit code.
pub fn interrupted() -> ExitCode {
    message("interrupted");
    ExitCode::from(interrupt::EXIT_CODE)
}

/// Prints an error with its causes and remedy as one line and returns the exit code.
pub fn failed(error: &anyhow::Error, own: OwnRemedy) -> ExitCode {
    message(&format!("error: {}", remedy::line(&with_causes(error), remedy::of_error(error, own).as_ref())));
    ExitCode::from(2)
}

/// Joins the message and its causes; messages that contain their cause already do not repeat it.
fn with_causes(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// Aligns columns of text; `right` lists the indices of right-aligned columns.
pub fn aligned(lines: &[Vec<String>], right: &[usize]) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        lines.iter().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for line in lines {
        let cells = line.iter().enumerate().map(|(column, cell)| {
            let width = widths[column];
            if right.contains(&column) { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        });
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// Formats a number with six significant digits.
pub fn number(value: f64) -> String {
    let magnitude = value.abs();
    if value == 0.0 || (1e-4..1e6).contains(&magnitude) {
        let digits = if magnitude >= 1.0 { 5 - (magnitude.log10().floor() as usize).min(5) } else { 6 };
        format!("{value:.digits$}")
    } else {
        format!("{value:.5e}")
    }
}

/// Formats a time in seconds with its unit.
pub fn seconds(value: f64) -> String {
    if value < 1.0 { format!("{:.1} ms", value * 1e3) } else { format!("{value:.2} s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_long_texts_truncated() {
        assert_eq!(shown("a\u{1b}[31mb\n"), "a\\u{1b}[31mb\\n");
        assert_eq!(shown(&"x".repeat(61)).len(), 63);
        assert_eq!(shown(&"é".repeat(60)), "é".repeat(60));
    }

    #[test]
    fn causes_are_not_repeated() {
        let quoted = anyhow::Error::new(io::Error::other("disk full")).context("cannot write f: disk full");
        assert_eq!(with_causes(&quoted), "cannot write f: disk full");
        let plain = anyhow::Error::new(io::Error::other("disk full")).context("cannot write f");
        assert_eq!(with_causes(&plain), "cannot write f: disk full");
    }

    #[test]
    fn numbers_have_six_digits() {
        let texts: Vec<String> = [0.0, 0.123456789, 1.5, 123456.7, 1e300, 1e-9].into_iter().map(number).collect();
        assert_eq!(texts, ["0.000000", "0.123457", "1.50000", "123457", "1.00000e300", "1.00000e-9"]);
    }

    #[test]
    fn columns_are_aligned() {
        let lines = [vec!["n".into(), "name".into()], vec!["10".into(), "é".into()]];
        assert_eq!(aligned(&lines, &[0]), " n  name\n10  é\n");
    }
}
