//! What the user sees: tables, notices, errors, files.

use crate::interrupt::{self, Interruptible};
use anyhow::{Context, Result};
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// Text from a file, safe for a terminal: control characters are written out, long texts cut.
pub(crate) fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    let escape = |c: char| if c.is_control() { c.escape_unicode().collect() } else { c.to_string() };
    let mut safe: String = text.chars().take(LONGEST).map(escape).collect();
    if text.chars().nth(LONGEST).is_some() {
        safe.push_str("...");
    }
    safe
}

/// Prints a result.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Prints a result as JSON.
pub(crate) fn print_json(value: &impl Serialize) -> Result<()> {
    print(&json(value)?)
}

fn json(value: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

/// Says something that is not a result.
#[allow(clippy::print_stderr, reason = "the one place that speaks on standard error")]
pub(crate) fn note(text: &str) {
    eprintln!("{}", text.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect::<String>());
}

/// Says every notice.
pub(crate) fn notices(notices: &[String]) {
    notices.iter().for_each(|notice| note(&format!("note: {notice}")));
}

/// Writes a file whole or not at all.
pub(crate) fn write_file(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let written = interrupt::careful(|| rulesieve_io::write_atomically(path, |file| write(&mut Interruptible(file))));
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a JSON file whole or not at all.
pub(crate) fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    let text = json(value)?;
    write_file(path, |file| file.write_all(text.as_bytes()))
}

/// Whether the reader of our output went away, which is no failure (`rulesieve ... | head`).
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

/// Ends after Ctrl-C.
pub(crate) fn interrupted() -> ExitCode {
    note("interrupted");
    ExitCode::from(interrupt::EXIT_CODE)
}

/// Ends after an error: one line, the causes behind it.
pub(crate) fn failed(error: &anyhow::Error) -> ExitCode {
    note(&format!("error: {error:#}"));
    ExitCode::from(2)
}

/// Columns of text, aligned: the first line is the header; `right` names the columns that are numbers.
pub(crate) fn aligned(lines: &[Vec<String>], right: &[usize]) -> String {
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

/// A score in six significant digits.
pub(crate) fn number(value: f64) -> String {
    let magnitude = value.abs();
    if value == 0.0 || (1e-4..1e6).contains(&magnitude) {
        let digits = if magnitude >= 1.0 { 5 - (magnitude.log10().floor() as usize).min(5) } else { 6 };
        format!("{value:.digits$}")
    } else {
        format!("{value:.5e}")
    }
}

/// A time in words.
pub(crate) fn seconds(value: f64) -> String {
    if value < 1.0 { format!("{:.1} ms", value * 1e3) } else { format!("{value:.2} s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_escapes_are_disarmed_and_long_texts_cut() {
        assert_eq!(shown("a\u{1b}[31mb\n"), "a\\u{1b}[31mb\\u{a}");
        assert_eq!(shown(&"x".repeat(61)).len(), 63);
        assert_eq!(shown(&"é".repeat(60)), "é".repeat(60));
    }

    #[test]
    fn numbers_have_six_digits() {
        let texts: Vec<String> = [0.0, 0.123456789, 1.5, 123456.7, 1e300, 1e-9].into_iter().map(number).collect();
        assert_eq!(texts, ["0.000000", "0.123457", "1.50000", "123457", "1.00000e300", "1.00000e-9"]);
    }

    #[test]
    fn columns_line_up() {
        let lines = [vec!["n".into(), "name".into()], vec!["10".into(), "é".into()]];
        assert_eq!(aligned(&lines, &[0]), " n  name\n10  é\n");
    }
}
