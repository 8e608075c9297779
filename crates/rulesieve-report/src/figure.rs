//! A figure: SVG, text alternative and data table.

use crate::svg::{Drawing, STYLE};

/// Maximum length of a file name without its extension.
const LONGEST_NAME: usize = 80;

/// A self-contained figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// File name without extension: lower case, words joined by `-`.
    pub name: String,
    /// Title.
    pub title: String,
    /// Text alternative with the main numbers.
    pub alt: String,
    /// A complete SVG file that follows the preferred colour scheme.
    pub svg: String,
    /// A variant for narrow screens.
    pub narrow: Option<String>,
    /// The plotted data.
    pub data: Data,
}

impl Figure {
    /// Creates a figure from a drawing.
    pub fn new(name: &str, title: &str, alt: &str, drawing: &Drawing, data: Data) -> Self {
        let svg = drawing.document(title, alt);
        Self { name: file_name(name), title: title.to_owned(), alt: alt.to_owned(), svg, narrow: None, data }
    }

    /// Adds the variant for narrow screens.
    #[must_use]
    pub fn with_narrow(mut self, drawing: &Drawing) -> Self {
        self.narrow = Some(drawing.document(&self.title, &self.alt));
        self
    }

    /// The wide and narrow SVG without [`STYLE`], for a page that includes it once.
    pub fn inline(&self) -> (String, Option<String>) {
        let bare = |svg: &String| svg.replacen(&format!("<style>{STYLE}</style>"), "", 1);
        (bare(&self.svg), self.narrow.as_ref().map(bare))
    }
}

/// Lower-case letters and digits, words joined by `-`.
fn file_name(name: &str) -> String {
    let words: Vec<String> = name
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let name: String = words.join("-").chars().take(LONGEST_NAME).collect();
    if name.is_empty() { "figure".to_owned() } else { name }
}

/// A small table of text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Data {
    /// Column names.
    pub header: Vec<String>,
    /// The rows, each as long as the header.
    pub rows: Vec<Vec<String>>,
}

impl Data {
    /// Creates a table without rows.
    pub fn new<S: Into<String>>(header: impl IntoIterator<Item = S>) -> Self {
        Self { header: header.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn push<S: Into<String>>(&mut self, row: impl IntoIterator<Item = S>) {
        self.rows.push(row.into_iter().map(Into::into).collect());
    }

    /// The table as CSV. An apostrophe prefix keeps spreadsheets from running text as a formula.
    pub fn to_csv(&self) -> String {
        let line = |cells: &Vec<String>| cells.iter().map(|cell| csv_cell(cell)).collect::<Vec<_>>().join(",") + "\n";
        std::iter::once(&self.header).chain(&self.rows).map(line).collect()
    }
}

/// A number at full precision; empty if not finite.
pub(crate) fn exact(value: f64) -> String {
    if value.is_finite() { format!("{value}") } else { String::new() }
}

fn csv_cell(cell: &str) -> String {
    let formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<f64>().is_err();
    let cell = if formula { format!("'{cell}") } else { cell.to_owned() };
    if cell.contains([',', '"', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_escaped() {
        let mut data = Data::new(["name", "=1+1"]);
        data.push(["=cmd|' /C calc'!A0", "-1.5"]);
        data.push(["@SUM(A1)", "+x"]);
        data.push(["a,\"b\"\nc", "-inf-"]);
        let csv = data.to_csv();
        assert_eq!(csv, "name,'=1+1\n'=cmd|' /C calc'!A0,-1.5\n'@SUM(A1),'+x\n\"a,\"\"b\"\"\nc\",'-inf-\n");
    }

    #[test]
    fn file_names_are_sanitised() {
        assert_eq!(file_name("Scores of ../../etc/passwd"), "scores-of-etc-passwd");
        assert_eq!(file_name("日本"), "figure");
        assert_eq!(file_name(&"x".repeat(1000)).len(), LONGEST_NAME);
    }

    #[test]
    fn non_finite_numbers_are_empty_cells() {
        assert_eq!([exact(f64::NAN), exact(f64::INFINITY), exact(0.1)], ["", "", "0.1"]);
    }
}
