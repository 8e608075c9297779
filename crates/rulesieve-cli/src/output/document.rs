//! Printed results: paragraphs and tables in one of several formats.

use super::table::{Table, markdown};
use super::{print, print_json};
use anyhow::Result;
use clap::ValueEnum;
use serde::Serialize;
use std::io::{IsTerminal, stdout};
use terminal_size::{Width, terminal_size_of};

/// Format of a printed result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Aligned text
    Text,
    /// The complete record as JSON
    Json,
    /// The main table as CSV: all rows, in full precision
    Csv,
    /// Markdown
    Markdown,
}

/// A part of a printed result.
#[derive(Debug, Clone)]
enum Part {
    Text(String),
    Table(Table),
}

/// A printed result. CSV has only its first table.
#[derive(Debug, Clone, Default)]
pub struct Document(Vec<Part>);

impl Document {
    /// Creates an empty document.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends lines of text.
    pub fn text(&mut self, text: impl Into<String>) {
        self.0.push(Part::Text(text.into()));
    }

    /// Appends a table.
    pub fn table(&mut self, table: Table) {
        self.0.push(Part::Table(table));
    }

    /// Formats as text, whose tables fit the width if one is given.
    pub fn as_text(&self, width: Option<usize>) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Table(table) => table.text(width),
        };
        self.0.iter().map(part).collect()
    }

    /// Formats the first table as CSV.
    pub fn as_csv(&self) -> String {
        let table = self.0.iter().find_map(|part| if let Part::Table(table) = part { Some(table) } else { None });
        table.map(Table::csv).unwrap_or_default()
    }

    /// Formats as Markdown: every line of text is a paragraph.
    pub fn as_markdown(&self) -> String {
        let paragraphs = |text: &str| {
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            lines.map(|line| markdown(line) + "\n").collect::<Vec<_>>()
        };
        let blocks = self.0.iter().flat_map(|part| match part {
            Part::Text(text) => paragraphs(text),
            Part::Table(table) => [vec![table.markdown()], paragraphs(&table.hidden())].concat(),
        });
        blocks.collect::<Vec<_>>().join("\n")
    }

    /// Prints the document, or `record` as JSON.
    ///
    /// # Errors
    /// Fails if standard output cannot be written.
    pub fn print(&self, format: Format, record: &impl Serialize) -> Result<()> {
        match format {
            Format::Text => print(&self.as_text(terminal_width())),
            Format::Json => print_json(record),
            Format::Csv => print(&self.as_csv()),
            Format::Markdown => print(&self.as_markdown()),
        }
    }
}

/// Returns the width of the terminal that standard output is, if it is one.
fn terminal_width() -> Option<usize> {
    let out = stdout();
    let (Width(columns), _) = terminal_size_of(&out).filter(|_| out.is_terminal())?;
    Some(usize::from(columns)).filter(|columns| *columns > 0)
}

#[cfg(test)]
mod tests {
    use super::super::table::{Cell, Head};
    use super::*;

    #[test]
    fn the_formats_of_a_document() {
        let mut table = Table::new([Head::left("name"), Head::right("n")]).limit(1, "");
        table.push([Cell::name("a_b"), 1.into()]);
        table.push([Cell::name("c"), 2.into()]);
        let mut document = Document::new();
        document.text("two *rows*\n\n");
        document.table(table.clone());
        document.text("\nend\n");
        document.table(table);
        assert_eq!(
            document.as_text(None),
            "two *rows*\n\nname  n\na_b   1\n... and 1 more\n\nend\nname  n\na_b   1\n... and 1 more\n"
        );
        assert_eq!(document.as_csv(), "name,n\na_b,1\nc,2\n");
        let table = "| name | n |\n| --- | ---: |\n| a_b | 1 |\n\n... and 1 more\n";
        assert_eq!(document.as_markdown(), format!("two \\*rows\\*\n\n{table}\nend\n\n{table}"));
    }
}
