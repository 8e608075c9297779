//! Tables: aligned text, CSV in full precision, and Markdown.

use super::{aligned, number, shown};
use rulesieve::data::table::format_number;

/// Columns of text are not made narrower than this to fit the terminal.
const MIN_WIDTH: usize = 12;
/// Space between two columns of text.
const GAP: usize = 2;

/// A cell: the text that people read, and one exact value for each CSV field of its column.
#[derive(Debug, Clone, Default)]
pub struct Cell {
    text: String,
    exact: Vec<String>,
}

impl Cell {
    /// Creates a cell from its text and the values of its CSV fields.
    pub fn new(text: impl Into<String>, exact: impl IntoIterator<Item = String>) -> Self {
        Self { text: text.into(), exact: exact.into_iter().collect() }
    }

    /// Creates a cell from a name of the user's data: long ones are shortened in text.
    pub fn name(name: &str) -> Self {
        Self::new(shown(name), [name.to_owned()])
    }

    /// Creates a cell from a number, with six digits in text.
    pub fn number(value: f64) -> Self {
        Self::precise(number(value), value)
    }

    /// Creates a cell from a number and its text.
    pub fn precise(text: impl Into<String>, value: f64) -> Self {
        Self::new(text, [exact(value)])
    }
}

/// Formats a number in full precision; empty unless finite.
pub fn exact(value: f64) -> String {
    if value.is_finite() { format_number(value) } else { String::new() }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self { exact: vec![text.clone()], text }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<usize> for Cell {
    fn from(value: usize) -> Self {
        value.to_string().into()
    }
}

/// A column: its title, the names of its CSV fields, and its alignment.
#[derive(Debug, Clone)]
pub struct Head {
    title: String,
    fields: Vec<String>,
    right: bool,
}

impl Head {
    /// Creates a left-aligned column.
    pub fn left(title: impl Into<String>) -> Self {
        let title = title.into();
        Self { fields: vec![title.clone()], title, right: false }
    }

    /// Creates a right-aligned column.
    pub fn right(title: impl Into<String>) -> Self {
        Self { right: true, ..Self::left(title) }
    }

    /// Names the CSV fields, if the title is not the name of the only one.
    #[must_use]
    pub fn fields(mut self, fields: &[&str]) -> Self {
        self.fields = fields.iter().map(|name| (*name).to_owned()).collect();
        self
    }
}

/// A table.
#[derive(Debug, Clone)]
pub struct Table {
    heads: Vec<Head>,
    rows: Vec<Vec<Cell>>,
    limit: usize,
    hint: &'static str,
}

impl Table {
    /// Creates a table without rows.
    pub fn new(heads: impl IntoIterator<Item = Head>) -> Self {
        Self { heads: heads.into_iter().collect(), rows: Vec::new(), limit: usize::MAX, hint: "" }
    }

    /// Appends a row; missing cells at its end are empty.
    pub fn push(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Prints at most `rows` rows, and a note with this hint about the others. CSV has all rows.
    #[must_use]
    pub fn limit(mut self, rows: usize, hint: &'static str) -> Self {
        (self.limit, self.hint) = (rows, hint);
        self
    }

    fn printed(&self) -> &[Vec<Cell>] {
        &self.rows[..self.rows.len().min(self.limit)]
    }

    /// The note about the rows that are not printed.
    pub(super) fn hidden(&self) -> String {
        match self.rows.len() - self.printed().len() {
            0 => String::new(),
            more => format!("... and {more} more{}\n", self.hint),
        }
    }

    /// Formats as aligned text. Columns of text are shortened to fit the width, if one is given.
    pub fn text(&self, width: Option<usize>) -> String {
        let title = |head: &Head| head.title.clone();
        let mut lines = vec![self.heads.iter().map(title).collect::<Vec<_>>()];
        lines.extend(self.printed().iter().map(|row| row.iter().map(|cell| cell.text.clone()).collect()));
        let right: Vec<usize> = (0..self.heads.len()).filter(|&at| self.heads[at].right).collect();
        if let Some(width) = width {
            self.fit(&mut lines, width);
        }
        if lines[0].iter().all(String::is_empty) {
            lines.remove(0);
        }
        aligned(&lines, &right) + &self.hidden()
    }

    /// Shortens the widest columns of text until the lines fit.
    fn fit(&self, lines: &mut [Vec<String>], width: usize) {
        let cells = |at: usize| lines.iter().filter_map(move |line| line.get(at));
        let widest = |at: usize| cells(at).map(|cell| cell.chars().count()).max().unwrap_or(0);
        let mut widths: Vec<usize> = (0..self.heads.len()).map(widest).collect();
        let full = widths.clone();
        let total = |widths: &[usize]| widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
        while total(&widths) > width {
            let texts = (0..widths.len()).filter(|&at| !self.heads[at].right && widths[at] > MIN_WIDTH);
            let Some(at) = texts.max_by_key(|&at| widths[at]) else { break };
            widths[at] -= 1;
        }
        for line in lines {
            for (at, cell) in line.iter_mut().enumerate().filter(|(at, _)| widths[*at] < full[*at]) {
                if cell.chars().count() > widths[at] {
                    *cell = cell.chars().take(widths[at] - 3).chain("...".chars()).collect();
                }
            }
        }
    }

    /// Formats as CSV with a header: all rows, in full precision.
    pub fn csv(&self) -> String {
        let fields = self.heads.iter().flat_map(|head| head.fields.iter().map(String::as_str));
        let mut text = csv_line(fields);
        for row in &self.rows {
            let value = |(at, head): (usize, &Head)| {
                let cell = row.get(at);
                let value = move |field| cell.and_then(|cell: &Cell| cell.exact.get(field)).map_or("", String::as_str);
                (0..head.fields.len()).map(value).collect::<Vec<_>>()
            };
            text += &csv_line(self.heads.iter().enumerate().flat_map(value));
        }
        text
    }

    /// Formats as a Markdown table.
    pub fn markdown(&self) -> String {
        let line = |cells: &mut dyn Iterator<Item = String>| format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "));
        let mut text = line(&mut self.heads.iter().map(|head| markdown(&head.title)));
        text += &line(&mut self.heads.iter().map(|head| if head.right { "---:" } else { "---" }.to_owned()));
        for row in self.printed() {
            let cell = |at: usize| row.get(at).map(|cell| markdown(&cell.text)).unwrap_or_default();
            text += &line(&mut (0..self.heads.len()).map(cell));
        }
        text
    }
}

/// Formats a line of CSV, with quotes where needed.
pub fn csv_line<'a>(fields: impl Iterator<Item = &'a str>) -> String {
    let quoted = |field: &str| {
        let plain = !field.contains([',', '"', '\n', '\r']) && field.trim() == field;
        if plain { field.to_owned() } else { format!("\"{}\"", field.replace('"', "\"\"")) }
    };
    let line = fields.map(quoted).collect::<Vec<_>>().join(",");
    // Readers skip an empty line.
    if line.is_empty() { "\"\"\n".to_owned() } else { line + "\n" }
}

/// Escapes the characters that have a meaning in Markdown; an underscore within a word has none.
pub(super) fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let within = before.is_alphanumeric() && characters.peek().is_some_and(|next| next.is_alphanumeric());
        if "\\|*<>`[]#".contains(character) || (character == '_' && !within) {
            out.push('\\');
        }
        out.push(character);
        before = character;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table =
            Table::new([Head::left("feature"), Head::right("mean").fields(&["mean", "std"]), Head::left("")]);
        table.push([Cell::name("a|b, \"c\""), Cell::new("0.33 +- 0.1", [exact(1.0 / 3.0), exact(0.1)])]);
        table.push([Cell::name(&"long name ".repeat(9)), Cell::number(f64::NAN), "x".into()]);
        table
    }

    #[test]
    fn csv_is_quoted_and_exact() {
        let long = format!("\"{}\"", "long name ".repeat(9));
        assert_eq!(
            table().csv(),
            format!("feature,mean,std,\n\"a|b, \"\"c\"\"\",0.3333333333333333,0.1,\n{long},,,x\n")
        );
    }

    #[test]
    fn text_fits_the_terminal() {
        let text = table().text(Some(40));
        assert!(text.lines().all(|line| line.chars().count() <= 40), "{text}");
        assert!(text.contains("long name") && text.contains("...") && text.contains("0.33 +- 0.1"), "{text}");
        assert!(table().text(None).lines().any(|line| line.chars().count() > 60));
    }

    #[test]
    fn hidden_rows_are_counted_and_in_csv() {
        let table = table().limit(1, " (--all shows them)");
        assert!(table.text(None).ends_with("... and 1 more (--all shows them)\n"));
        assert_eq!((table.markdown().lines().count(), table.csv().lines().count()), (3, 3));
    }

    #[test]
    fn markdown_is_escaped() {
        let markdown = table().markdown();
        assert!(
            markdown.starts_with("| feature | mean |  |\n| --- | ---: | --- |\n| a\\|b, \"c\" | 0.33 +- 0.1 |  |\n")
        );
    }
}
