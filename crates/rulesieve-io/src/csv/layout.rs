//! Delimiter, comments and column names of a CSV text, from its first rows.

use std::borrow::Cow;
use std::collections::HashSet;

use rulesieve::Warning;
use rulesieve::data::{Column, Table};

use crate::{
    delimiter::sniff,
    error::ReadError,
    options::{Format, ReadOptions},
    source::Input,
    text::{lines, number, shown, trimmed},
};

use super::number::written;
use super::rows::{Dialect, Rows, content, is_comment};

const NAME_BYTES: usize = 1000;
/// Comments that are recognised before the first row.
const COMMENT: &str = "#";

/// How a text is divided into named columns.
#[derive(Debug, Clone, Default)]
pub(crate) struct Layout {
    pub(crate) delimiter: u8,
    comment: String,
    /// Lines before the first row that are skipped, and their bytes.
    pub(crate) skipped: (usize, usize),
    /// Whether the first row contains the names.
    pub(crate) has_header: bool,
    pub(crate) names: Vec<String>,
    /// The name of the first column if the first row leaves it empty.
    pub(crate) index_hint: Option<String>,
    /// Whether the first row ends with a delimiter.
    pub(crate) ends_with_delimiter: bool,
    pub(crate) warnings: Vec<Warning>,
}

impl Layout {
    /// Finds the layout from the first rows of a text; errors if there is none.
    pub(crate) fn new(input: &Input, text: &str, options: &ReadOptions) -> Result<Self, ReadError> {
        let mut layout = Self::of_lines(input, text, options)?;
        let text = &text[layout.skipped.1..];
        let text =
            if layout.delimiter == b' ' { Cow::Owned(crate::quotes::single_blanks(text)) } else { Cow::Borrowed(text) };
        let (mut rows, mut first, mut second) = (Rows::new(&text, layout.dialect()), Vec::new(), Vec::new());
        if !rows.next(0, &mut first) {
            return Err(input.empty("is empty"));
        }
        options.limits.check_columns(input, first.len())?;
        rows.next(first.len(), &mut second);
        let cells =
            |row: &[&str]| -> Vec<String> { row.iter().map(|cell| trimmed(&content(cell)).to_owned()).collect() };
        // R quotes row names.
        let has_row_name = second.first().is_some_and(|cell| cell.starts_with('"') || number(trimmed(cell)).is_none());
        let first = cells(&first);
        let header = options.header.or_else(|| options.header_before(&first));
        layout.name_columns(input, first, (&cells(&second), has_row_name), header)?;
        Ok(layout)
    }

    /// The names in a first row of cells.
    pub(crate) fn of_names(input: &Input, first: Vec<String>, options: &ReadOptions) -> Result<Self, ReadError> {
        let mut layout = Self::default();
        let header = options.header.or_else(|| options.header_before(&first));
        layout.name_columns(input, first, (&[], false), header)?;
        Ok(layout)
    }

    pub(crate) fn dialect(&self) -> Dialect<'_> {
        Dialect { delimiter: self.delimiter, comment: &self.comment }
    }

    /// Finds the delimiter and the lines before the first row: `sep=;`, and comments.
    fn of_lines(input: &Input, text: &str, options: &ReadOptions) -> Result<Self, ReadError> {
        let comment = options.comment.clone().unwrap_or_default();
        let mut layout = Self { delimiter: b',', comment, ..Self::default() };
        let first = lines(text).next().map(|(_, line)| line).unwrap_or_default();
        let given = first
            .to_ascii_lowercase()
            .strip_prefix("sep=")
            .filter(|rest| rest.len() == 1)
            .map(|rest| rest.as_bytes()[0]);
        if given.is_some() {
            layout.skip(text, 1);
        }
        if options.comment.is_none() {
            layout.skip_comments(text);
        }
        let rest = &text[layout.skipped.1..];
        let comments = lines(rest).take_while(|(_, line)| is_comment(line.as_bytes(), &layout.comment)).count();
        let rest = &rest[offset(rest, comments)..];
        layout.delimiter = choose_delimiter(input, rest, options, given, &mut layout.warnings)?;
        Ok(layout)
    }

    /// Skips so many lines.
    fn skip(&mut self, text: &str, count: usize) {
        self.skipped = (self.skipped.0 + count, self.skipped.1 + offset(&text[self.skipped.1..], count));
    }

    /// Skips comments before the first row; the last one stays if it has the names of the columns.
    fn skip_comments(&mut self, text: &str) {
        let rest = &text[self.skipped.1..];
        let comments = lines(rest).take_while(|(_, line)| line.starts_with(COMMENT)).count();
        let Some((_, last)) = comments.checked_sub(1).and_then(|last| lines(rest).nth(last)) else { return };
        let delimiter = sniff(&rest[offset(rest, comments)..]);
        let cells = |line: &str| line.bytes().filter(|&byte| byte == delimiter && byte != b' ').count();
        let next = lines(rest).nth(comments).map(|(_, line)| line).unwrap_or_default();
        let is_header = cells(last) > 0 && cells(last) == cells(next);
        let skipped = comments - usize::from(is_header);
        if skipped > 0 {
            self.skip(text, skipped);
            self.warnings.push(Warning::CommentsSkipped { lines: skipped });
        }
    }

    /// Takes the column names from the first row, or numbers the columns.
    fn name_columns(
        &mut self,
        input: &Input,
        mut first: Vec<String>,
        (second, has_row_name): (&[String], bool),
        header: Option<bool>,
    ) -> Result<(), ReadError> {
        let values: Vec<Option<f64>> = first.iter().map(|cell| number(cell)).collect();
        let some_number = values.iter().flatten().any(|value| !value.is_nan());
        let is_written = |cell: &String| written(cell).is_some();
        let all_numbers = (some_number || first.iter().any(is_written))
            && values.iter().zip(&first).all(|(value, cell)| value.is_some() || is_written(cell));
        // As pandas writes the columns 0, 1, 2, ... of an array, after the index.
        let is_array = values.len() > 1
            && first[0].is_empty()
            && values[1..].iter().zip(0_u32..).all(|(value, at)| *value == Some(f64::from(at)));
        self.ends_with_delimiter = first.len() > 1 && first.last().is_some_and(String::is_empty);
        if !header.unwrap_or(!all_numbers || is_array) {
            if header.is_none() {
                self.warnings.push(Warning::ColumnsNumbered { columns: first.len() });
            }
            self.names = (1..=first.len()).map(|position| format!("c{position}")).collect();
            return Ok(());
        }
        self.has_header = true;
        if second.len() == first.len() + 1 {
            // Rows that end with a delimiter, or row names, which R writes without a name.
            if second.last().is_some_and(String::is_empty) {
                first.push(String::new());
                self.ends_with_delimiter = true;
            } else if has_row_name {
                first.insert(0, String::new());
            }
        }
        if let Some(at) = first.iter().position(|name| name.len() > NAME_BYTES) {
            let (name, bytes) = (shown(&first[at]), first[at].len());
            return Err(ReadError::LongName { file: input.name.clone(), position: at + 1, name, bytes });
        }
        self.names = named(&first);
        self.index_hint = first[0].is_empty().then(|| self.names[0].clone());
        // A table without cells checks the names before any cell is read.
        let empty = self.names.iter().map(|name| Column::numeric(name, Vec::new())).collect();
        Table::new(empty).map_err(|error| input.table_error(error))?;
        if header.is_none() && some_number && !is_array {
            let like = values.iter().position(|value| value.is_some_and(|value| !value.is_nan())).unwrap_or(0);
            self.warnings
                .push(Warning::NumberAsName { name: self.names.get(like).map(|name| shown(name)).unwrap_or_default() });
        }
        Ok(())
    }
}

/// The offset of a line.
fn offset(text: &str, line: usize) -> usize {
    let mut at = 0;
    for _ in 0..line {
        at += text[at..].find(['\n', '\r']).map_or(text.len() - at, |end| end + 1);
        at += usize::from(text[..at].ends_with('\r') && text[at..].starts_with('\n'));
    }
    at
}

/// The names; those that are empty become `column` with their position.
fn named(names: &[String]) -> Vec<String> {
    let taken: HashSet<&str> = names.iter().map(String::as_str).collect();
    let own = |(at, name): (usize, &String)| {
        let mut own = if name.is_empty() { format!("column{}", at + 1) } else { return name.clone() };
        while taken.contains(own.as_str()) {
            own.push('_');
        }
        own
    };
    names.iter().enumerate().map(own).collect()
}

/// The delimiter of the options, else that of the file, else the detected one.
fn choose_delimiter(
    input: &Input,
    text: &str,
    options: &ReadOptions,
    in_file: Option<u8>,
    warnings: &mut Vec<Warning>,
) -> Result<u8, ReadError> {
    if let Some(delimiter) = options.delimiter.or(in_file) {
        if matches!(delimiter, b'"' | b'\n' | b'\r') || !delimiter.is_ascii() {
            let given = shown(&char::from(delimiter).to_string());
            return Err(input.unsupported(
                format!("'{given}', which cannot delimit cells"),
                "give one ASCII character such as , or ;",
            ));
        }
        return Ok(delimiter);
    }
    if input.format == Format::Tsv {
        return Ok(b'\t');
    }
    let first = lines(text).map(|(_, line)| line).find(|line| !line.trim().is_empty()).unwrap_or_default();
    if let Some(delimiter) = options.delimiter_before(text, first) {
        return Ok(delimiter);
    }
    let delimiter = sniff(text);
    let delimiter_name = match delimiter {
        b',' => return Ok(delimiter),
        b'\t' => "tabs".to_owned(),
        b' ' => "spaces".to_owned(),
        other => format!("'{}'", char::from(other)),
    };
    warnings.push(Warning::DelimiterDetected { delimiter: delimiter_name });
    Ok(delimiter)
}
